/* claim.c: the claims about a scheme: as printed, and as they hold with these parameters.
 *
 * Without a row, the flags decide: as printed if the survey has the scheme, else ours. */
#include "posviz/scheme/scheme.h"

#include <math.h>
#include <string.h>

#include "posviz/input/structure.h"
#include "posviz/math/calc.h"

/* ---- formulas ---- */

struct names {
	const char *name[CALC_NAMES + 1];
	struct calc_input value[CALC_NAMES];
	size_t n;
};

/* Adds a name; the first of equal names wins: parameters come before sizes. */
static void add_name(struct names *names, const char *name, double value)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return;
	BUG_IF(names->n == CALC_NAMES);
	names->name[names->n] = name;
	names->value[names->n++].all = value;
}

static void add_param(struct names *names, const struct param *p, const void *params)
{
	if (p->type.kind->number != NULL)
		add_name(names, p->name, p->type.kind->number((const char *)params + p->offset));
}

/* Adds the words of the choices that the text mentions, after `n_params` other names: another
 * choice may have the same words in another order. */
static void add_words(struct names *names, const struct param *p, const char *text, size_t n_params)
{
	if (p->type.kind != &value_choice || strstr(text, p->name) == NULL)
		return;
	for (int i = 0; p->type.choices[i] != NULL; i++) {
		for (size_t k = 0; k < names->n; k++)
			if ((k < n_params || names->value[k].all != i) &&
			    strcmp(names->name[k], p->type.choices[i]) == 0)
				BUG("\"%s\": %s has two meanings", text, p->type.choices[i]);
		add_name(names, p->type.choices[i], i);
	}
}

static void add_sizes(struct names *names, const struct model_config *c)
{
	add_name(names, "d", (double)c->d);
	add_name(names, "h", (double)c->heads);
	add_name(names, "h_k", (double)model_kv_heads(c));
	add_name(names, "l", (double)c->layers);
	add_name(names, "t_max", (double)c->t_max);
	add_name(names, "d_h", (double)model_dk(c));
	add_name(names, "d_v", (double)model_dv(c));
	add_name(names, "d_f", (double)c->ff);
	add_name(names, "content", c->content);
}

double scheme_value(const struct scheme *s, const void *param, const struct model_config *config,
		    const char *text)
{
	struct names names = {.n = 0};
	struct arena scratch;
	struct calc c;
	struct err err = {""};
	size_t wrong = 0;
	double value = 0;
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		add_param(&names, p, param);
	const size_t n_params = names.n;
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		add_words(&names, p, text, n_params);
	if (config != NULL)
		add_sizes(&names, config);
	arena_init(&scratch);
	if (!calc_parse_printed(&c, text, names.name, &scratch, &wrong, &err))
		BUG("%s: \"%s\", byte %zu: %s", s->id, text, wrong, err.text);
	calc_eval(&c, names.value, &value, 1);
	arena_release(&scratch);
	return isfinite(value) ? value : NAN;
}

const char *scheme_formula_of(const struct scheme *s, const void *param, struct arena *a)
{
	return s->formula_of != NULL ? s->formula_of(param, a) : s->formula;
}

const char *scheme_about_of(const struct scheme *s, const void *param)
{
	return s->about_of != NULL ? s->about_of(param) : s->about;
}

enum reference scheme_reference(const struct scheme *s, const void *param)
{
	return s->reference_of != NULL ? s->reference_of(param) : s->ref;
}

/* ---- claims ---- */

static bool flag_says(const struct scheme *s, enum claim_kind kind)
{
	switch (kind) {
	case CLAIM_RELATIVE:
		return s->ref == REF_RELATIVE;
	case CLAIM_UNBOUNDED:
		return s->flags & SCHEME_UNBOUNDED;
	case CLAIM_LEARNABLE:
		return s->flags & SCHEME_LEARNABLE;
	case CLAIM_RECURRING:
		return s->flags & SCHEME_RECURRING;
	default:
		return true; /* the number of parameters is as printed */
	}
}

enum answer scheme_printed(const struct scheme *s, enum claim_kind kind)
{
	if (s->flags & SCHEME_NOT_IN_SURVEY)
		return ANSWER_UNSAID;
	if (kind == CLAIM_COUNT)
		return s->count_printed != NULL ? ANSWER_YES : ANSWER_UNSAID;
	return flag_says(s, kind) ? ANSWER_YES : ANSWER_NO;
}

static bool is_so(const char *when, const struct scheme *s, const void *param)
{
	return scheme_value(s, param, NULL, when) != 0;
}

const struct claim *scheme_claim(const struct scheme *s, const void *param, enum claim_kind kind)
{
	for (const struct claim *c = s->claims; c != NULL && c->why != NULL; c++)
		if (c->kind == kind && (c->when == NULL || is_so(c->when, s, param)))
			return c;
	return NULL;
}

enum answer scheme_holds(const struct scheme *s, const void *param, enum claim_kind kind)
{
	const struct claim *const row = scheme_claim(s, param, kind);
	return row != NULL ? row->holds : flag_says(s, kind) ? ANSWER_YES : ANSWER_NO;
}

bool scheme_is_causal(const struct scheme *s, const void *param)
{
	static const char name[] = "causal";
	const struct param *const p = scheme_param(s, name, sizeof name - 1);
	if (s->causal_when != NULL)
		return is_so(s->causal_when, s, param);
	if (p != NULL && p->type.kind == &value_switch)
		return *(const bool *)((const char *)param + p->offset);
	return s->flags & SCHEME_CAUSAL;
}

bool scheme_reads_numbers(const struct scheme *s, const void *param)
{
	return s->numbers_when == NULL || is_so(s->numbers_when, s, param);
}

bool scheme_reads_cells(const struct scheme *s, const void *param)
{
	return s->cells_when != NULL && is_so(s->cells_when, s, param);
}

bool scheme_reads_segments(const struct scheme *s, const void *param)
{
	return s->segments_when != NULL && is_so(s->segments_when, s, param);
}

bool scheme_rotates_alone(const struct scheme *s, const void *param)
{
	return s->rotates_when != NULL && is_so(s->rotates_when, s, param);
}

/* ---- edges ---- */

static bool has_labels(const struct structure *at)
{
	for (size_t i = 0; i < at->n_labels; i++)
		if (*at->edge_labels[i])
			return true;
	return false;
}

const char *scheme_unseen(const struct scheme *s, const void *param, const struct structure *at)
{
	static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	if (!(s->flags & structural) || s->expression != NULL)
		return NULL;
	const bool directed = at == NULL || (at->directed && at->n_edges > 0);
	const bool labelled = at == NULL || has_labels(at);
	const bool ways = directed && !(s->directions_when && is_so(s->directions_when, s, param));
	const bool labels = labelled && !(s->labels_when && is_so(s->labels_when, s, param));
	if (ways && labels)
		return "which way edges go is not seen, nor are their labels";
	return ways	? "which way edges go is not seen"
	       : labels ? "labels of edges are not seen"
			: NULL;
}
