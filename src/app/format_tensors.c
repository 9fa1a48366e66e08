/* format_tensors.c: all results: safetensors, npz, JSON. */
#include <string.h>

#include "format_in.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor.h"
#include "posviz/model/record.h"
#include "posviz/scene/dump.h"

/* True for tables of vectors with more rows than the input has tokens and a page shows, unless the
 * user asked for them. */
static bool is_left_out(const struct write_job *j, const struct picture *p, const struct number *at)
{
	enum { SHOWN = 32 };
	const bool table = strcmp(at->name, "vectors.table") == 0 ||
			   strcmp(at->name, "vectors.rows") == 0 ||
			   strcmp(at->name, "vectors.cosine") == 0;
	return table && j->leaves == LEAVES_READ && !j->numbers && at->at.rows > SHOWN &&
	       at->at.rows > p->trace.key.n;
}

/* Adds the numbers of views; a single number is [1]. */
static bool add_numbers(struct write_job *j, const struct picture *p, struct tensor_set *set,
			struct err *err)
{
	struct numbers numbers;
	struct json_writer *const left_out = json_writer_new(j->a);
	json_writer_array(left_out, NULL);
	numbers_init(&numbers, j->a);
	if (!view_numbers(j->scene, j->numbers ? j->numbers : "quick", &p->built, j->cache,
			  j->watch, j->a, &numbers, err))
		return false;
	for (size_t i = 0; i < numbers.n; i++) {
		const struct mat at = numbers.at[i].at;
		if (is_left_out(j, p, &numbers.at[i]))
			json_writer_string(left_out, NULL, numbers.at[i].name);
		else if (at.at)
			tensor_set_add(set, numbers.at[i].name, at, at.rows == 1);
	}
	json_writer_end(left_out);
	if (j->leaves == LEAVES_READ)
		tensor_set_add_meta_json(set, "left_out.views", json_writer_done(left_out, 0));
	return true;
}

/* Tables of positions beyond the memory are looked at by rows, and cannot be written whole. What is
 * written whole exists also as a tensor, as a file, and packed. */
static bool leaves_fit(const struct write_job *j, const struct built *b, struct err *err)
{
	static const struct record all = {.step = -1, .head = -1, .frozen = true, .bounded = true};
	enum { COPIES = 4 };
	const struct model *const model = &b->model;
	const size_t limit = model->config.memory, numbers = model_position_parameters(model);
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model_leaf_exceeds(model, &model->leaves[i]))
			return err_set(err,
				       "%s has %zu x %zu numbers, above the limit of memory; a "
				       "smaller t-max, or more memory, would be right",
				       model->leaves[i].name, model->leaves[i].at.rows,
				       model->leaves[i].at.cols);
	/* Where a recording fits, as many copies of what was not read do too. */
	const bool cut = j->leaves == LEAVES_READ && !model_looked_at(model) &&
			 model_record_estimate(model, &b->model_input, &all) <= limit;
	const double bytes = COPIES * sizeof(double) * (double)numbers;
	return limit == 0 || cut || bytes <= (double)limit ||
	       err_set(err,
		       "writing %zu learned numbers takes about %.0f MB, above the limit of %.0f "
		       "MB; %s, or raise memory",
		       numbers, bytes / 1e6, (double)limit / 1e6,
		       j->leaves == LEAVES_READ ? "take smaller parameters or fewer layers"
						: "dump --leaves read writes those that are read");
}

static bool everything(struct write_job *j, struct tensor_set *set, struct err *err)
{
	struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct picture *const n = format_evaluate(j, &want, err);
	if (!n || !leaves_fit(j, &n->built, err))
		return false;
	dump_tensors(j->scene, &n->built, &n->trace, j->leaves == LEAVES_READ, j->a, set);
	return add_numbers(j, n, set, err);
}

static bool write_safetensors(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return everything(j, &set, err) &&
	       tensor_write_safetensors(&set, j->a, &j->data, &j->len, err);
}

static bool write_npz(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return everything(j, &set, err) && tensor_write_npz(&set, j->a, &j->data, &j->len, err);
}

static bool write_json(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	if (!everything(j, &set, err))
		return false;
	set.progress = j->progress;
	return tensor_write_json(&set, j->a, &j->data, &j->len, err);
}

enum { ALL = FORMAT_NUMBERS | FORMAT_WHOLE };

const struct format format_safetensors = {
	.name = "safetensors",
	.suffixes = "safetensors",
	.help = "all numbers, and what it takes to compute them again",
	.bears = ALL,
	.write = write_safetensors};

const struct format format_npz = {.name = "npz",
				  .suffixes = "npz",
				  .help = "the same for numpy: numpy.load",
				  .bears = ALL,
				  .write = write_npz};

const struct format format_json = {.name = "json",
				   .suffixes = "json",
				   .help = "the same as text",
				   .bears = ALL | FORMAT_READABLE | FORMAT_LEAVES_READ,
				   .write = write_json};
