/* help_recipes_injected.c: recomputes the injections of a scheme without rules of its own, from its
 * leaves in the dump: a number or a vector for each pair by the rule of its encoding. Tests of the
 * scheme compare that rule with its paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "help_recipes.h"
#include "posviz/scheme/scheme.h"
#include "scheme/inject.h"

static size_t rows_of_member(P, struct inject *out)
{
	const struct model model = {
		.config = {.d = p->f->d, .heads = p->f->heads, .t_max = (size_t)p->f->t_max},
		.dk = p->f->dk,
		.dv = p->f->dv};
	struct member members[MODEL_MAX_MEMBERS];
	struct expr *e = arena_calloc(p->f->a, 1, sizeof *e);
	size_t n = 0;
	if (!expr_parse(e, p->f->expression, p->f->a, NULL) ||
	    !expr_members(e, members, &n, p->f->a, NULL))
		fail_msg("%s is no expression", p->f->expression);
	for (size_t i = 0; i < n; i++)
		if (strcmp(members[i].name, m->name) == 0 && members[i].hooks->injects)
			return members[i].hooks->injects(&model, &members[i], out);
	return 0;
}

/* Returns the row of the table for a pair; below 0: none. */
static double row_of_pair(P, const struct inject *w, size_t t, size_t s)
{
	const struct encoding *e = &w->by;
	if (!e->number || w->made)
		return mat_row(index_of(p, m, e->title ? e->title : ""), t)[s];
	return (double)(e->number(e, lround(distance(p, m, t, s))) - e->least);
}

/* Reads the entry of a pair for this head: `width` numbers, 0 if it has none. */
static void entry_of_pair(P, const struct inject *w, size_t t, size_t s, size_t width, double *out)
{
	const struct mat table = w->made ? kept_of(p, m, w->leaf) : leaf_of(p, m, w->leaf);
	const bool turned = w->turned || (w->made && width == 1);
	const double row = row_of_pair(p, m, w, t, s);
	const size_t first = turned && width == 1 && table.rows > 1 ? p->head : 0;
	for (size_t j = 0; j < width; j++)
		out[j] = row < 0  ? 0
			 : turned ? mat_row(table, first + j)[(size_t)row]
				  : row_of(p, table, row, width)[j];
}

/* Returns c Σ_j q_j k_j (x_j - 1). */
static double products(const struct place *p, size_t t, size_t s, const double *x)
{
	double sum = 0;
	for (size_t j = 0; j < p->f->dk; j++)
		sum += mat_row(p->q_raw, t)[j] * mat_row(p->k_raw, s)[j] * (x[j] - 1);
	return p->f->c * sum;
}

static double pair_at(P, const struct inject *w, size_t t, size_t s)
{
	const bool number = w->at == INJECT_ADD || w->at == INJECT_MULTIPLY;
	double x[WIDEST_HEAD];
	entry_of_pair(p, m, w, t, s, number ? 1 : p->f->dk, x);
	if (w->at == INJECT_MULTIPLY)
		return mat_row(p->logits, t)[s] * *x;
	if (w->at == INJECT_ADD)
		return (w->scale > 0 ? w->scale : 1) * *x;
	if (w->at == INJECT_PRODUCTS)
		return mat_row(p->logits, t)[s] + products(p, t, s, x);
	return w->at == INJECT_KEYS ? dot_q(p, t, x) : dot_k(p, s, x);
}

static void inject_logits_of(MAKE, const struct inject *w)
{
	const struct mat out = loop_zero(p->f->a, p->f->n, p->f->keys);
	for (size_t t = 0; t < out.rows; t++)
		for (size_t s = 0; s < out.cols; s++)
			mat_row(out, t)[s] = pair_at(p, m, w, t, s);
	if (!w->label)
		p->logits = out;
	else
		recompute_take(p, w->label, out);
}

static void inject_context_of(MAKE, const struct inject *w)
{
	double x[WIDEST_HEAD];
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t s = 0; s < p->f->keys; s++) {
			entry_of_pair(p, m, w, t, s, p->f->dv, x);
			for (size_t j = 0; j < p->f->dv; j++)
				mat_row(p->context, t)[j] +=
					p->weight * mat_row(p->weights, t)[s] * x[j];
		}
}

void recompute_injected(MAKE, enum stage stage)
{
	static const enum stage stages[] = {
		[INJECT_ADD] = ON_TERMS,       [INJECT_MULTIPLY] = ON_ADJUST,
		[INJECT_PRODUCTS] = ON_ADJUST, [INJECT_KEYS] = ON_TERMS,
		[INJECT_QUERIES] = ON_TERMS,   [INJECT_VALUES] = ON_CONTEXT};
	struct inject rows[INJECT_MAX] = {0};
	const size_t n = rows_of_member(p, m, rows);
	for (size_t i = 0; i < n; i++) {
		if (stages[rows[i].at] != stage)
			continue;
		if (stage == ON_CONTEXT)
			inject_context_of(p, m, &rows[i]);
		else
			inject_logits_of(p, m, &rows[i]);
	}
}
