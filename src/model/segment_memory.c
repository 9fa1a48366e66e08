/* segment_memory.c: units at the front that are an earlier segment, kept as keys and values of each
 * layer.
 *
 * All units run at once, under a mask that hides the later ones from the memory. That gives the
 * numbers of a cache if each unit depends only on units that the mask allows. Whether a scheme
 * guarantees this is not known in general, so it is tried on the input itself. */
#include <math.h>
#include <string.h>

#include "model_in.h"

static const double tolerance = 1e-9;

struct mat memory_skip(const struct run *run, struct mat m)
{
	const size_t memory = run->in->memory;
	return memory && m.at ? mat_rows(m, memory, m.rows - memory) : m;
}

void memory_forbid(struct head *head)
{
	const struct run *const run = head->run;
	const size_t memory = run->in->memory, keys = run->keys->n;
	uint8_t *const allowed = head_mask(head);
	for (size_t t = 0; t < memory; t++)
		memset(allowed + t * keys + memory, 0, keys - memory);
	for (size_t t = memory; run->in->memory_hidden && t < keys; t++)
		memset(allowed + t * keys, 0, memory);
}

/* ---- trials
 * ----------------------------------------------------------------------------------- */

struct trial {
	const struct model *model;
	struct cache *cache;
	struct watch *watch;
	struct arena *a;
};

/* Returns the memory as an input of its own. */
static struct model_input memory_alone(const struct model_input *in)
{
	struct model_input out = *in;
	out.axis.n = in->memory;
	out.units = mat_rows(in->units, 0, in->memory);
	if (in->words.at)
		out.words = mat_rows(in->words, 0, in->memory);
	out.memory = 0;
	out.nudge = (struct mat){0};
	return out;
}

/* Returns the same input with other units in the memory. */
static struct model_input other_memory(const struct model_input *in, struct arena *a)
{
	struct model_input out = *in;
	out.units = mat_copy(a, in->units);
	for (size_t t = 0; t < in->memory; t++)
		for (size_t i = 0; i < out.units.cols; i++)
			mat_row(out.units, t)[i] = 0.5 - mat_row(in->units, t)[i];
	return out;
}

/* Computes the inputs of each layer, and the output of the last. */
static bool run_inputs(const struct trial *t, const struct model_input *in, struct trace *out,
		       struct err *err)
{
	static const struct want want = {
		.kinds = WANT_INPUT | WANT_OUTPUT, .layer = -1, .head = -1};
	run_prepare_trace(t->model, &want, t->a, out);
	return run_pass(t->model, in, &want, false, 1, t->cache, t->watch, t->a, out, err);
}

/* Returns the largest change of rows first.. of a layer's input, relative to the size of its
 * numbers. */
static double relative_change(struct mat x, struct mat y, size_t first, size_t rows)
{
	const struct mat u = mat_rows(x, first, rows), v = mat_rows(y, first, rows);
	double lo = 0, hi = 0;
	mat_range(u, &lo, &hi);
	return mat_max_abs_diff(u, v) / fmax(1, fmax(-lo, hi));
}

static const char *expression(const struct model *model, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < model->n_members; i++)
		text = arena_printf(a, "%s%s%s", text, i ? "+" : "", model->members[i].text);
	return text;
}

/* Returns the first layer, from 1, in which rows first.. differ; 0: none. */
static size_t first_difference(const struct trial *t, const struct trace *x, const struct trace *y,
			       size_t first, size_t rows)
{
	for (size_t l = 0; l < t->model->n_steps; l++)
		if (!(relative_change(x->layers[l].input, y->layers[l].input, first, rows) <
		      tolerance))
			return l + 1;
	return 0;
}

/* Checks that the units of the memory are the same when computed alone. */
static bool try_memory(const struct trial *t, const struct model_input *in, struct err *err)
{
	const struct model_input first = memory_alone(in);
	struct trace all, front;
	if (!run_inputs(t, in, &all, err) || !run_inputs(t, &first, &front, err))
		return false;
	const size_t layer = first_difference(t, &all, &front, 0, in->memory);
	return layer == 0 ||
	       err_set(err,
		       "memory-tokens: with %s a memory would change with what stands behind it "
		       "(layer %zu), so it cannot be kept; txl, xlnet or shortformer take one",
		       expression(t->model, t->a), layer);
}

/* Checks that another memory changes nothing if attention is masked from it. */
static bool try_others(const struct trial *t, const struct model_input *in, struct err *err)
{
	struct model_input one = *in, other = other_memory(in, t->a);
	struct trace x, y;
	one.memory_hidden = other.memory_hidden = true;
	if (!run_inputs(t, &one, &x, err) || !run_inputs(t, &other, &y, err))
		return false;
	const size_t behind = in->axis.n - in->memory, last = t->model->n_steps;
	size_t layer = first_difference(t, &x, &y, in->memory, behind);
	if (layer == 0 && !(relative_change(x.layers[last - 1].output, y.layers[last - 1].output, 0,
					    behind) < tolerance))
		layer = last;
	return layer == 0 ||
	       err_set(err,
		       "memory-tokens: with %s what stands behind the memory is made of it by more "
		       "than attention (layer %zu), which keys and values do not keep; txl, xlnet "
		       "or shortformer take one",
		       expression(t->model, t->a), layer);
}

/* Returns a key of everything the answer depends on; the units themselves are not part of it. */
static const char *key_of(const struct model *model, const struct model_input *in, struct arena *a)
{
	const struct model_config *const c = &model->config;
	const char *key = arena_printf(
		a,
		"memory %zu of %zu|d %zu h %zu %zux%zu/%zu l %zu t %zu seed %llu init %d proj %d|%d %d",
		in->memory, in->axis.n, c->d, c->heads, model->kv_heads, model->dk, model->dv,
		c->layers, c->t_max, (unsigned long long)c->seed, (int)c->init, (int)c->proj,
		in->position != NULL,
		model->given &&
			(model->given->weights || model->given->params || model->given->source));
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		key = arena_printf(a, "%s|%s pos %s", key, m->text, m->pos);
		for (size_t w = 0; w < SUBSET_WORDS; w++)
			key = arena_printf(a, "%s %llx %llx", key,
					   (unsigned long long)m->layers.at[w],
					   (unsigned long long)m->heads.at[w]);
	}
	return key;
}

bool memory_check(const struct model *model, const struct model_input *in, struct cache *cache,
		  struct watch *watch, struct err *err)
{
	struct arena a;
	double known = 0;
	arena_init(&a);
	BUG_IF(in->memory >= in->axis.n);
	const char *const key = key_of(model, in, &a);
	bool ok = cache_recall(cache, key, &known, 1);
	if (!ok) {
		const struct trial t = {model, cache, watch, &a};
		ok = try_memory(&t, in, err) && try_others(&t, in, err);
		if (ok)
			cache_remember(cache, key, &known, 1);
	}
	arena_release(&a);
	return ok;
}
