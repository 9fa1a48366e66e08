/* dump_read.c: cuts large learned parameters to the rows and columns that the logits and
 * contexts of the input read, and lists the omitted ones in the dump. */
#include <string.h>

#include "posviz/format/json.h"
#include "posviz/math/tape.h"
#include "posviz/model/record.h"
#include "scene_in.h"

enum { WHOLE = 4096 }; /* a parameter with at most so many numbers is never cut */

static size_t numbers_of(const struct leaf *leaf)
{
	return leaf->at.rows * leaf->at.cols;
}

/* ---- the rows and columns that are read ------------------------------------------------------ */

/* Returns the tape's nodes of the logits and contexts of all heads and steps. */
static struct node **results_of(const struct model *model, struct run *run, struct arena *a,
				size_t *n)
{
	const size_t heads = model->config.heads;
	struct node **const out = arena_calloc(a, 2 * model->n_steps * heads + 1, sizeof *out);
	*n = 0;
	for (size_t l = 0; l < model->n_steps; l++)
		for (size_t h = 0; h < heads; h++) {
			struct node *const both[] = {run_logits_node(run, l, h),
						     run_context_node(run, l, h)};
			for (size_t i = 0; i < 2; i++)
				if (both[i])
					out[(*n)++] = both[i];
		}
	return out;
}

/* Returns the used rows and columns of each leaf, [n_leaves], from a recorded run; NULL: it
 * would be too large, or no leaf is large enough to be cut. */
static struct tape_read *leaves_read(const struct built *b, struct arena *a)
{
	static const struct record all = {.step = -1, .head = -1, .frozen = true, .bounded = true};
	const struct model *const model = &b->model;
	const size_t limit = model->config.memory;
	bool large = false;
	for (size_t i = 0; i < model->n_leaves; i++)
		large |= numbers_of(&model->leaves[i]) > WHOLE;
	if (!large || model_looked_at(model) ||
	    (limit > 0 && model_record_estimate(model, &b->model_input, &all) > limit))
		return NULL;
	struct tape *const tape = arena_calloc(a, 1, sizeof *tape);
	struct run *run;
	size_t n;
	tape_init(tape, a, true);
	if (!model_record_part(model, &b->model_input, &all, tape, &run, NULL))
		return NULL;
	struct node **const results = results_of(model, run, a, &n);
	struct tape_read *const out = arena_calloc(a, model->n_leaves, sizeof *out);
	for (size_t i = 0; i < model->n_leaves; i++)
		out[i].of = run_leaf_node(run, &model->leaves[i]);
	tape_reads(tape, results, n, a, out, model->n_leaves);
	return out;
}

/* ---- the tensors and metadata ---------------------------------------------------------------- */

static size_t count(const bool *marks, size_t n)
{
	size_t out = 0;
	for (size_t i = 0; marks && i < n; i++)
		out += marks[i];
	return out;
}

static void write_side(struct json_writer *w, const char *name, const bool *marks, size_t n)
{
	if (count(marks, n) == n) {
		json_writer_string(w, name, "all");
		return;
	}
	json_writer_array(w, name);
	for (size_t i = 0; marks && i < n; i++)
		if (marks[i])
			json_writer_integer(w, NULL, (long)i);
	json_writer_end(w);
}

static void write_left_out(struct json_writer *w, const struct leaf *leaf,
			   const struct tape_read *read, struct arena *a)
{
	json_writer_object(w, arena_printf(a, "param.%s", leaf->name));
	json_writer_array(w, "shape");
	json_writer_integer(w, NULL, (long)leaf->at.rows);
	json_writer_integer(w, NULL, (long)leaf->at.cols);
	json_writer_end(w);
	write_side(w, "rows", read->rows, leaf->at.rows);
	write_side(w, "columns", read->cols, leaf->at.cols);
	json_writer_end(w);
}

static void add_read(const struct leaf *leaf, struct mat all, const struct tape_read *read,
		     size_t rows, size_t cols, struct arena *a, struct tensor_set *out)
{
	const struct mat m = mat_new(a, rows, cols);
	size_t at = 0;
	for (size_t r = 0; r < leaf->at.rows; r++)
		for (size_t c = 0; read->rows[r] && c < leaf->at.cols; c++)
			if (read->cols[c])
				m.at[at++] = mat_row(all, r)[c];
	tensor_set_add(out, arena_printf(a, "read.%s", leaf->name), m, false);
}

/* Adds only the used part of a leaf. False: all of it is used, or it is small. */
static bool add_cut(const struct model *model, const struct leaf *leaf,
		    const struct tape_read *read, struct json_writer *w, struct arena *a,
		    struct tensor_set *out)
{
	const size_t rows = count(read->rows, leaf->at.rows);
	const size_t cols = count(read->cols, leaf->at.cols);
	if (numbers_of(leaf) <= WHOLE || (rows == leaf->at.rows && cols == leaf->at.cols))
		return false;
	if (rows > 0 && cols > 0)
		add_read(leaf, model_leaf_at(model, leaf), read, rows, cols, a, out);
	write_left_out(w, leaf, read, a);
	return true;
}

bool dump_leaves_out(const struct model *model, const char *weight)
{
	const bool block = strcmp(weight, "w_ff1") == 0 || strcmp(weight, "w_ff2") == 0;
	return block && !model_weight_is_given(model, weight);
}

void dump_leaves(const struct built *b, bool read_only, struct arena *a, struct tensor_set *out)
{
	struct arena scratch;
	arena_init(&scratch);
	const struct tape_read *const read = read_only ? leaves_read(b, &scratch) : NULL;
	struct json_writer *const w = json_writer_new(&scratch);
	json_writer_object(w, NULL);
	for (size_t i = 0; read_only && model_weight_name(i); i++)
		if (dump_leaves_out(&b->model, model_weight_name(i)))
			json_writer_string(
				w, arena_printf(&scratch, "layer.*.%s", model_weight_name(i)),
				"drawn from the seed, of the feed-forward block");
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const struct leaf *const leaf = &b->model.leaves[i];
		if (!read || !add_cut(&b->model, leaf, &read[i], w, a, out))
			tensor_set_add(out, arena_printf(a, "param.%s", leaf->name),
				       model_leaf_at(&b->model, leaf), false);
	}
	json_writer_end(w);
	if (read_only)
		tensor_set_add_meta_json(out, "left_out", json_writer_done(w, 0));
	arena_release(&scratch);
}
