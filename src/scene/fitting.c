/* fitting.c: finds a setting with which a given tensor would have the right shape, or the model
 * would fit in memory. Settings near the present one are tried in turn on models whose leaves have
 * shapes but no numbers. The code knows no scheme: a setting fits if the model can be built with
 * the files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene_in.h"

enum { FARTHEST = 4096, FARTHEST_BESIDE = 512, ALL_T_MAX = 2048, FARTHEST_T_MAX = 65536 };

struct search {
	const struct built *b;
	const struct tensor *misfit;
	bool of_params; /* the misfit is a leaf's; else it is one of the model's weights */
	struct given given;
	struct model_config config;
	struct member members[MODEL_MAX_MEMBERS];
	struct model *model;
	long farthest; /* largest distance from a parameter's present value */
	struct arena *out, scratch;
};

/* False if no leaf takes the tensor any more: without a leaf, any tensor would fit. */
static bool is_used(const struct search *s)
{
	for (size_t i = 0; i < s->model->n_leaves; i++)
		if (s->model->leaves[i].at.at == s->misfit->at)
			return true;
	return !s->of_params;
}

static bool fits(struct search *s)
{
	const struct arena_mark mark = arena_mark(&s->scratch);
	const bool ok = model_build(s->model, &s->config, s->members, s->b->n_members, &s->given,
				    &s->scratch, NULL) &&
			is_used(s);
	arena_rewind(&s->scratch, mark);
	return ok;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Tries a value of the parameter, given as text, in place of the member's own. */
static bool fits_with(struct search *s, struct member *m, const struct scheme *scheme,
		      const struct param *p, const char *value)
{
	const void *const before = m->param;
	char *const param = arena_alloc(&s->scratch, scheme->param_size);
	memcpy(param, before, scheme->param_size);
	m->param = param;
	const bool ok = param_set(p, param, value, strlen(value), &s->scratch, NULL) &&
			(!scheme->check || scheme->check(param, NULL)) && fits(s);
	m->param = before;
	return ok;
}

static const char *try_value(struct search *s, struct member *m, const struct scheme *scheme,
			     const struct param *p, const char *value)
{
	const struct arena_mark mark = arena_mark(&s->scratch);
	const char *const found =
		fits_with(s, m, scheme, p, value)
			? arena_printf(s->out, "%s(%s=%s)", m->name, p->name, value)
			: NULL;
	arena_rewind(&s->scratch, mark);
	return found;
}

/* Tries numbers in the order of their distance from the present one. */
static const char *try_numbers(struct search *s, struct member *m, const struct scheme *scheme,
			       const struct param *p)
{
	const long now = *(const long *)(const void *)((const char *)m->param + p->offset);
	char text[32];
	const char *found = NULL;
	for (long by = 1; by <= s->farthest && !found; by++)
		for (int sign = -1; sign <= 1 && !found; sign += 2) {
			const long value = now + sign * by;
			if ((double)value < p->type.min || (double)value > p->type.max)
				continue;
			snprintf(text, sizeof text, "%ld", value);
			found = try_value(s, m, scheme, p, text);
		}
	return found;
}

static const char *try_words(struct search *s, struct member *m, const struct scheme *scheme,
			     const struct param *p)
{
	const char *const *const words = value_choices(&p->type);
	const char *found = NULL;
	for (size_t i = 0; words[i] && !found; i++)
		found = try_value(s, m, scheme, p, words[i]);
	return found;
}

static const char *try_parameters(struct search *s)
{
	const char *found = NULL;
	for (int words = 0; words < 2; words++)
		for (size_t i = 0; i < s->b->n_members && !found; i++) {
			struct member *const m = &s->members[i];
			const struct scheme *const scheme = scheme_of_member(m);
			if (!scheme || scheme->load)
				continue;
			for (const struct param *p = scheme->params; p && p->name && !found; p++) {
				const bool word = value_choices(&p->type) != NULL;
				if (word && words)
					found = try_words(s, m, scheme, p);
				if (p->type.kind == &value_integer && !words)
					found = try_numbers(s, m, scheme, p);
			}
		}
	return found;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* True if a side of the tensor is about t or 2 t (as in tables of distances), alone or times the
 * heads. */
static bool is_likely(const struct search *s, size_t t)
{
	const struct mat m = tensor_mat(s->misfit);
	const size_t sides[] = {m.rows, m.cols},
		     per[] = {1, 2, s->config.heads, 2 * s->config.heads};
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 4; k++)
			if (t * per[k] <= sides[i] + 2 * per[k] &&
			    t * per[k] + 2 * per[k] >= sides[i])
				return true;
	return false;
}

static const char *try_t_max(struct search *s)
{
	const size_t now = s->config.t_max;
	const char *found = NULL;
	for (size_t t = 1; t <= FARTHEST_T_MAX && !found; t++) {
		s->config.t_max = t;
		if (t != now && (t <= ALL_T_MAX || is_likely(s, t)) && fits(s))
			found = arena_printf(s->out, "t-max %zu", t);
	}
	s->config.t_max = now;
	return found;
}

/* Gets the i-th pair of a width and a number of heads that the tensor's sides suggest, the present
 * ones first. */
static bool sizes_at(const struct search *s, const struct model_config *now, size_t i, size_t *d,
		     size_t *heads)
{
	enum { WIDTHS = 6, HEADS = 3 };
	const struct mat m = tensor_mat(s->misfit);
	const size_t all[HEADS] = {now->heads, m.rows, m.cols};
	if (i >= WIDTHS * HEADS)
		return false;
	*heads = all[i % HEADS] ? all[i % HEADS] : now->heads;
	const size_t next = (now->d + *heads - 1) / *heads * *heads;
	const size_t widths[WIDTHS] = {
		now->d, next, m.cols, m.rows, m.rows * m.cols, m.cols * now->heads};
	*d = widths[i / HEADS];
	return true;
}

static const char *print_sizes(const struct search *s, const struct model_config *now)
{
	const size_t d = s->config.d, heads = s->config.heads;
	if (heads == now->heads)
		return arena_printf(s->out, "d-model %zu", d);
	if (d == now->d)
		return arena_printf(s->out, "heads %zu", heads);
	return arena_printf(s->out, "heads %zu and d-model %zu", heads, d);
}

/* Tries sizes; with `deep`, one parameter is changed too. */
static const char *try_sizes(struct search *s, bool deep)
{
	const struct model_config now = s->config;
	const char *found = NULL;
	size_t d, heads;
	for (size_t i = 0; !found && sizes_at(s, &now, i, &d, &heads); i++) {
		s->config.d = d;
		s->config.heads = heads;
		/* The width of given units cannot change. */
		if (s->b->given_units.at && d != now.d)
			continue;
		s->config.ff = now.ff == 4 * now.d ? 4 * d : now.ff;
		if (d == 0 || d > INPUT_MAX_TOKENS || (d == now.d && heads == now.heads))
			continue;
		if (!deep && fits(s))
			found = print_sizes(s, &now);
		const char *const beside = deep ? try_parameters(s) : NULL;
		if (beside)
			found = arena_printf(s->out, "%s with %s", beside, print_sizes(s, &now));
	}
	s->config = now;
	return found;
}

static bool is_of_params(const struct built *b)
{
	for (size_t i = 0; b->given.params && i < b->given.params->count; i++)
		if (&b->given.params->tensors[i] == b->model.misfit)
			return true;
	return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Returns the bytes of all learned numbers with t_max positions; INFINITY: the model cannot be
 * built. */
static double size_with(struct search *s, size_t t_max)
{
	const struct arena_mark mark = arena_mark(&s->scratch);
	s->config.t_max = t_max;
	const bool ok = model_build(s->model, &s->config, s->members, s->b->n_members, &s->given,
				    &s->scratch, NULL);
	double size = 0;
	for (size_t i = 0; ok && i < s->model->n_leaves; i++)
		size += 8 * (double)s->model->leaves[i].at.rows *
			(double)s->model->leaves[i].at.cols;
	arena_rewind(&s->scratch, mark);
	return ok ? size : INFINITY;
}

/* Returns the greatest t_max, `least` or more, with which the learned numbers fit in memory; 0:
 * none. */
static size_t greatest_t_max(struct search *s, size_t least)
{
	const double memory = (double)s->b->model.config.memory;
	size_t high = s->config.t_max, low = least;
	if (low >= high || size_with(s, low) > memory)
		return 0;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		*(size_with(s, middle) <= memory ? &low : &high) = middle;
	}
	return low;
}

/* Prints an amount for --memory, rounded up to two digits: "8.6G"; NULL: larger than its range. */
static const char *print_memory(double bytes, struct arena *a)
{
	if (!(bytes <= field_find("memory")->type.max))
		return NULL;
	const double unit = bytes < 1e9 ? 1e6 : 1e9;
	const double digit = pow(10, floor(log10(bytes)) - 1);
	return arena_printf(a, "memory %.10g%s", ceil(bytes / digit) * digit / unit,
			    bytes < 1e9 ? "M" : "G");
}

static const char *propose_size(struct search *s)
{
	const char *const memory = print_memory(size_with(s, s->b->model.config.t_max), s->out);
	const size_t t_max = greatest_t_max(s, s->b->input.n ? s->b->input.n : 1);
	if (t_max == 0)
		return memory;
	return arena_printf(s->out, "t-max %zu%s%s", t_max, memory ? " or " : "",
			    memory ? memory : "");
}

const char *propose_setting(const struct built *b, struct arena *a)
{
	struct search s = {.b = b,
			   .misfit = b->model.misfit,
			   .given = b->given,
			   .config = b->model.config,
			   .out = a};
	if (!b->model.too_large && (!s.misfit || b->model.transposed))
		return NULL;
	s.of_params = is_of_params(b);
	arena_init(&s.scratch);
	s.config.unfilled = true;
	s.config.memory = 0;
	s.farthest = FARTHEST;
	s.model = arena_calloc(&s.scratch, 1, sizeof *s.model);
	memcpy(s.members, b->members, sizeof s.members);
	if (b->model.too_large) {
		const char *const size = propose_size(&s);
		arena_release(&s.scratch);
		return size;
	}
	/* The weights fit, so they are checked only for a changed width. */
	if (s.of_params)
		s.given.weights = NULL;
	const char *found = s.of_params ? try_parameters(&s) : NULL;
	if (!found && s.of_params)
		found = try_t_max(&s);
	s.given = b->given;
	if (!found)
		found = try_sizes(&s, false);
	s.farthest = FARTHEST_BESIDE;
	if (!found && s.of_params && !s.given.weights)
		found = try_sizes(&s, true);
	arena_release(&s.scratch);
	return found;
}
