/* memory.c: units in front that are an earlier segment, kept as keys and values of each layer.
 *
 * All units run at once, under a mask that hides from the memory what stands behind it. That gives the
 * numbers of a cache where a unit is made of nothing but what the mask allows it: which is not
 * known of a scheme, so it is tried on the input itself. */
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
	const size_t memory = head->run->in->memory, keys = head->run->keys->n;
	uint8_t *const allowed = head_mask(head);
	for (size_t t = 0; t < memory; t++)
		memset(allowed + t * keys + memory, 0, keys - memory);
}

/* The memory as a text of its own. */
static struct model_input alone(const struct model_input *in)
{
	struct model_input out = *in;
	out.axis.n = in->memory;
	out.units = mat_rows(in->units, 0, in->memory);
	if (in->words.at)
		out.words = mat_rows(in->words, 0, in->memory);
	out.memory = 0;
	return out;
}

/* The same text with another memory in front. */
static struct model_input other_memory(const struct model_input *in, struct arena *a)
{
	struct model_input out = *in;
	out.units = mat_copy(a, in->units);
	for (size_t t = 0; t < in->memory; t++)
		for (size_t i = 0; i < out.units.cols; i++)
			mat_row(out.units, t)[i] = 0.5 - mat_row(in->units, t)[i];
	return out;
}

/* What each layer gets; up to `layer`, or all. */
static bool inputs_of(const struct model *model, const struct model_input *in, long layer,
		      struct cache *cache, const atomic_bool *cancel, struct arena *a,
		      struct trace *out, struct err *err)
{
	const struct want want = {.kinds = WANT_INPUT, .layer = layer, .head = -1};
	run_prepare_trace(model, a, out);
	return run_pass(model, in, &want, false, 1, cache, cancel, a, out, err);
}

/* The largest change of rows first.. of what a layer gets, by the size of what stands there. */
static double change(struct mat x, struct mat y, size_t first, size_t rows)
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

static bool try_it(const struct model *model, const struct model_input *in, struct cache *cache,
		   const atomic_bool *cancel, struct arena *a, struct err *err)
{
	const struct model_input first = alone(in), other = other_memory(in, a);
	const size_t n = in->axis.n, memory = in->memory;
	struct trace all, front, changed;
	if (!inputs_of(model, in, -1, cache, cancel, a, &all, err) ||
	    !inputs_of(model, &first, -1, cache, cancel, a, &front, err) ||
	    !inputs_of(model, &other, 0, cache, cancel, a, &changed, err))
		return false;
	for (size_t l = 0; l < model->n_steps; l++)
		if (!(change(all.layers[l].input, front.layers[l].input, 0, memory) < tolerance))
			return err_set(err,
				       "memory-tokens: with %s a memory would change with what "
				       "stands behind it (layer %zu), so it cannot be kept; txl, "
				       "xlnet or shortformer take one",
				       expression(model, a), l + 1);
	return change(all.layers[0].input, changed.layers[0].input, memory, n - memory) <
		       tolerance ||
	       err_set(err,
		       "memory-tokens: with %s what stands behind the memory is made of it before "
		       "any layer, which no kept keys and values are; txl, xlnet or shortformer "
		       "take one",
		       expression(model, a));
}

/* Of what the answer depends; of the units themselves it does not. */
static const char *key_of(const struct model *model, const struct model_input *in, struct arena *a)
{
	const struct model_config *const c = &model->config;
	const char *key = arena_printf(
		a, "memory %zu of %zu|d %zu h %zu l %zu t %zu seed %llu init %d proj %d|%d %d",
		in->memory, in->axis.n, c->d, c->heads, c->layers, c->t_max,
		(unsigned long long)c->seed, (int)c->init, (int)c->proj, in->position != NULL,
		model->given && (model->given->weights || model->given->params));
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		key = arena_printf(a, "%s|%s pos %s %llx %llx", key, m->text, m->pos,
				   (unsigned long long)m->layers, (unsigned long long)m->heads);
	}
	return key;
}

bool memory_check(const struct model *model, const struct model_input *in, struct cache *cache,
		  const atomic_bool *cancel, struct err *err)
{
	struct arena a;
	double known = 0;
	arena_init(&a);
	BUG_IF(in->memory >= in->axis.n);
	const char *const key = key_of(model, in, &a);
	bool ok = cache_recall(cache, key, &known, 1);
	if (!ok) {
		ok = try_it(model, in, cache, cancel, &a, err);
		if (ok)
			cache_remember(cache, key, &known, 1);
	}
	arena_release(&a);
	return ok;
}
