/* profile_file.c: a profile as tensors: its results, and its sums, from which it goes on. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "profile_in.h"
#include "profile_run.h"

static const char about[] = "posviz profile", version[] = "1";

/* ---- writing --------------------------------------------------------------------------------- */

/* Adds a tensor of these sizes, up to the first 0. */
static void add(struct tensor_set *set, const char *name, const double *at, const size_t shape[4])
{
	size_t dims = 1, cols = 1;
	while (dims < 4 && shape[dims] > 0)
		cols *= shape[dims++];
	if (shape[0] * cols == 0)
		return;
	tensor_set_add(set, name, mat_view((double *)(uintptr_t)at, shape[0], cols), false);
	struct tensor *const t = &set->tensors[set->count - 1];
	t->dims = dims;
	memcpy(t->shape, shape, dims * sizeof *shape);
}

/* The numbers of all heads, in rows of `cols`. */
struct table {
	const char *name;
	size_t cols;
	double *at;
};

static void fill(const struct table *t, size_t cell, const double *from)
{
	for (size_t i = 0; i < t->cols; i++)
		t->at[cell * t->cols + i] = from ? from[i] : NAN;
}

enum { TABLES = 16 };

static void save_results(struct profile *p, struct tensor_set *out, struct arena *a)
{
	const struct profile_sizes *const z = &p->sizes;
	const size_t cells = z->layers * z->heads, d = p->at.d;
	const size_t bands = z->bands ? z->bands + 1 : 0, s = PROFILE_SCORES;
	struct table tables[TABLES] = {{"kernel", d, NULL},
				       {"kernel.half", d, NULL},
				       {"weight", d, NULL},
				       {"weight.half", d, NULL},
				       {"shares", 3, NULL},
				       {"sd", 1, NULL},
				       {"score", s, NULL},
				       {"score.half", s, NULL},
				       {"score.low", s, NULL},
				       {"score.high", s, NULL},
				       {"score.stands", s, NULL},
				       {"bands", bands, NULL},
				       {"bands.kernel", bands, NULL},
				       {"own", d, NULL},
				       {"own.like", 2, NULL},
				       {"pairs", z->n * z->n, NULL}};
	for (size_t i = 0; i < TABLES; i++)
		tables[i].at = arena_calloc(a, cells * tables[i].cols + 1, sizeof(double));
	for (size_t c = 0; c < cells; c++) {
		struct profile_head h;
		double stands[PROFILE_SCORES];
		const struct arena_mark mark = arena_mark(a);
		profile_result(p, c / z->heads, c % z->heads, true, a, &h);
		for (size_t i = 0; i < PROFILE_SCORES; i++)
			stands[i] = h.stands[i];
		const double shares[] = {h.distance, h.key, h.content};
		const double like[] = {h.own_like, h.own_apart};
		const double *const rows[TABLES] = {
			h.kernel,    h.kernel_half,
			h.weight,    h.weight_half,
			shares,	     &h.sd,
			h.score,     h.half,
			h.low,	     h.high,
			stands,	     h.band,
			h.band_mean, h.own,
			like,	     profile_pairs(p, c / z->heads, c % z->heads, a).at};
		for (size_t i = 0; i < TABLES; i++)
			fill(&tables[i], c, rows[i]);
		arena_rewind(a, mark);
	}
	for (size_t i = 0; i < TABLES; i++)
		add(out, tables[i].name, tables[i].at,
		    i == TABLES - 1 ? (size_t[4]){z->layers, z->heads, z->n, z->n}
				    : (size_t[4]){z->layers, z->heads, tables[i].cols, 0});
}

static void save_sums(const struct profile *p, struct tensor_set *out, struct arena *a)
{
	const struct profile_sizes *const z = &p->sizes;
	const size_t cells = z->layers * z->heads, n = z->n, designs = p->n_designs;
	double *const design = arena_calloc(a, cells, sizeof *design);
	double *const mask = arena_calloc(a, designs * n * n + 1, sizeof *mask);
	double *const ids = arena_calloc(a, p->n_ids * n + 1, sizeof *ids);
	for (size_t c = 0; c < cells; c++)
		design[c] = (double)p->design[c];
	for (size_t i = 0; i < designs * n * n; i++)
		mask[i] = p->designs[i / n / n]->mask[i % (n * n)];
	for (size_t i = 0; i < p->n_ids * n; i++)
		ids[i] = (double)p->ids[i / n][i % n];
	add(out, "state.sums", p->sums, (size_t[4]){cells, p->at.size, 0, 0});
	add(out, "state.design", design, (size_t[4]){cells, 1, 0, 0});
	add(out, "state.mask", mask, (size_t[4]){designs, n, n, 0});
	add(out, "state.ids", ids, (size_t[4]){p->n_ids, n, 0, 0});
}

bool profile_save(struct profile *p, const struct profile_run *run, struct tensor_set *out,
		  struct arena *a)
{
	const struct profile_sizes *const z = &p->sizes;
	const struct {
		const char *key;
		size_t value;
	} sizes[] = {{"layers", z->layers}, {"heads", z->heads}, {"length", z->n},
		     {"front", z->front},   {"back", z->back},	 {"bands", z->bands}};
	const char *names = "";
	tensor_set_add_meta(out, about, version);
	tensor_set_add_meta(out, "identity", run->identity);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		tensor_set_add_meta(out, sizes[i].key, arena_printf(a, "%zu", sizes[i].value));
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		names = arena_printf(a, "%s%s%s", names, *names ? " " : "", profile_scores[i].name);
	tensor_set_add_meta(out, "scores", names);
	if (run->rates.at)
		tensor_set_add(out, "rates", run->rates, false);
	save_results(p, out, a);
	save_sums(p, out, a);
	return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool has_size(const struct tensor_set *set, const char *key, size_t want)
{
	const char *const text = tensor_meta_find(set, key);
	long is;
	return text && num_parse_long(text, strlen(text), 0, 1 << 20, &is, NULL) &&
	       (size_t)is == want;
}

/* Returns the numbers of a tensor of so many; NULL: it has others, or some are no numbers. */
static const double *numbers(const struct tensor_set *set, const char *name, size_t n)
{
	const struct tensor *const t = tensor_find(set, name);
	const struct mat m = t ? tensor_mat(t) : (struct mat){0};
	return t && t->at && m.rows * m.cols == n && tensor_check_finite(t, NULL) ? t->at : NULL;
}

static bool is_of(const struct tensor_set *set, const struct profile_run *run)
{
	const struct profile_sizes *const z = &run->sizes;
	const char *const identity = tensor_meta_find(set, "identity");
	return identity && strcmp(identity, run->identity) == 0 &&
	       has_size(set, "layers", z->layers) && has_size(set, "heads", z->heads) &&
	       has_size(set, "length", z->n) && has_size(set, "bands", z->bands);
}

/* Takes masks and ids; false: they are not whole. */
static bool take_masks(struct profile *p, const struct tensor_set *set, struct arena *a)
{
	const size_t n = p->sizes.n, cells = p->sizes.layers * p->sizes.heads;
	const struct tensor *const mask = tensor_find(set, "state.mask");
	const struct tensor *const ids = tensor_find(set, "state.ids");
	const double *const design = numbers(set, "state.design", cells);
	const size_t designs = mask ? mask->shape[0] : 0;
	const double *const of = numbers(set, "state.mask", designs * n * n);
	const double *const words = ids ? numbers(set, "state.ids", ids->shape[0] * n) : NULL;
	if (!design || !of || designs > cells || (ids && (!words || ids->shape[0] > PROFILE_IDS)))
		return false;
	for (size_t i = 0; i < designs; i++) {
		uint8_t *const own = arena_calloc(a, n, n);
		for (size_t k = 0; k < n * n; k++)
			own[k] = of[i * n * n + k] > 0;
		p->designs[p->n_designs++] = profile_design_new(&p->sizes, own, a);
	}
	for (size_t c = 0; c < cells; c++) {
		if (!(design[c] >= 0 && design[c] < (double)designs))
			return false;
		p->design[c] = (size_t)design[c];
	}
	for (size_t i = 0; ids && i < ids->shape[0]; i++) {
		p->ids[i] = arena_calloc(a, n, sizeof **p->ids);
		for (size_t k = 0; k < n; k++)
			p->ids[i][k] = (long)words[i * n + k];
		p->n_ids++;
	}
	return true;
}

struct profile *profile_load(const char *path, const struct profile_run *run, size_t *windows,
			     struct arena *a, struct err *err)
{
	struct tensor_set set;
	const char *const quoted = text_quote(a, path, strlen(path));
	tensor_set_init(&set, a);
	if (!tensor_read_file(&set, path, err))
		return NULL;
	if (!tensor_meta_find(&set, about)) {
		err_set(err,
			"%s holds no profile of heads; a file that this command wrote, or a new "
			"name, would be right",
			quoted);
		return NULL;
	}
	if (!is_of(&set, run)) {
		err_set(err,
			"%s holds the profile of another model, text, seed or --window-length; "
			"a new name would be right",
			quoted);
		return NULL;
	}
	struct profile *const p = profile_new(&run->sizes, a);
	const size_t cells = run->sizes.layers * run->sizes.heads;
	const double *const sums = numbers(&set, "state.sums", cells * p->at.size);
	if (!sums || !take_masks(p, &set, a) || !(sums[0] >= 0 && sums[0] < 1e9)) {
		err_set(err, "%s is not whole: its sums are not as they were written", quoted);
		return NULL;
	}
	memcpy(p->sums, sums, cells * p->at.size * sizeof *sums);
	*windows = (size_t)sums[0];
	return p;
}
