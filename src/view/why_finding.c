/* why_finding.c: the sentence above the view Why: what the logit of the cell is made of, and which key has
 * most of the row. */
#include <math.h>
#include <string.h>

#include "said_in.h"
#include "why_in.h"

enum { NAMED = 3, PARTS = MODEL_MAX_TERMS + 2 };

/* The parts of a logit, of which a change of queries and keys is one. */
struct logit_parts {
	struct logit_part {
		const char *name, *brief;
		double value;
	} at[PARTS];
	size_t n;
};

static void add(struct logit_parts *p, const char *name, const char *brief, double value)
{
	p->at[p->n++] = (struct logit_part){name, brief, value};
}

/* Returns "−3.22", "+0.62". */
static const char *signed_number(double value, struct arena *a)
{
	return arena_printf(a, "%s%s", value >= 1e-12 ? "+" : "", said_number(value, a));
}

/* Returns "bias (positions alone)". */
static void add_term(const struct why *w, const struct trace_term *term, struct logit_parts *out)
{
	const bool above = view_layer(w->d) > 0;
	const char *const name = figure_scripts(w->a, term->label);
	const char *const kind = above && term->kind == TERM_UNIT_UNIT
					 ? "the output of the layer below"
					 : term_kind(term, above);
	const char *const brief = view_brief_name(name, w->a);
	add(out, arena_printf(w->a, "%s (%s)", name, kind), brief ? brief : name,
	    mat_row(term->at, w->t)[w->s]);
}

/* Adds the product of queries and keys as projected, and what the scheme changes of it, in the place of
 * the first term; false: it changes nothing, or the term is more than that product. */
static bool add_change(const struct why *w, struct logit_parts *out)
{
	const struct turned of = {w->trace, w->head, w->t, w->s};
	double before;
	if (w->head->n_terms == 0 || !turned_before(&of, &before) || !isfinite(before))
		return false;
	const double first = mat_row(w->head->terms[0].at, w->t)[w->s];
	if (!(fabs(turned_after(&of) - first) <= 1e-12 * (1 + fabs(first))))
		return false;
	struct turn *turns;
	const bool rotates = turned_pairs(&of, w->a, &turns) > 0;
	add(out, rotates ? "queries and keys before rotation" : "queries and keys as projected",
	    rotates ? "q·k before rotation" : "q·k as projected", before);
	add(out, rotates ? "the rotation" : why_changed_by(w),
	    rotates ? "rotation" : why_changed_by(w), first - before);
	return true;
}

static void by_size(struct logit_parts *p)
{
	for (size_t i = 1; i < p->n; i++) {
		const struct logit_part part = p->at[i];
		size_t at = i;
		for (; at > 0 && fabs(p->at[at - 1].value) < fabs(part.value); at--)
			p->at[at] = p->at[at - 1];
		p->at[at] = part;
	}
}

/* Returns "−3.22 from bias (positions alone) and +0.617 from unit–unit (token vectors alone)"; brief:
 * "bias −3.22, unit–unit +0.617". */
static const char *parts_of(const struct logit_parts *p, bool brief, struct arena *a)
{
	const size_t shown = p->n <= NAMED ? p->n : NAMED - 1;
	const char *out = "";
	double rest = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct logit_part *const part = &p->at[i];
		const char *const number = signed_number(part->value, a);
		if (i < shown)
			out = brief ? arena_printf(a, "%s%s%s %s", out, i ? ", " : "", part->brief,
						   number)
				    : arena_printf(a, "%s%s%s %s%s", out, i ? ", " : "", number,
						   i ? "from " : "come from ", part->name);
		else
			rest += part->value;
	}
	if (shown == p->n)
		return out;
	const char *const number = signed_number(rest, a);
	return brief ? arena_printf(a, "%s, %zu others %s", out, p->n - shown, number)
		     : arena_printf(a, "%s, %s from %zu others", out, number, p->n - shown);
}

/* Returns " Most of the row's weight, 0.90, is on chased."; "" if the cell itself has it. */
static const char *row_words(const struct why *w)
{
	const size_t n = w->trace->key.n;
	if (!w->head->weights.at || !w->allowed)
		return "";
	const double *const row = mat_row(w->head->weights, w->t);
	size_t best = w->s;
	for (size_t s = 0; s < n; s++)
		if (!w->head->mask || w->head->mask[w->t * n + s])
			best = row[s] > row[best] + 1e-9 ? s : best;
	return best == w->s ? " No key of the row has more weight."
			    : arena_printf(w->a, " The row's largest weight, %s, is on %s.",
					   said_weight(row[best], w->a),
					   view_unit_name(&w->trace->key, best, w->a));
}

static const char *cell_of(const struct why *w)
{
	return arena_printf(w->a, "%s → %s", view_unit_name(&w->trace->query, w->t, w->a),
			    view_unit_name(&w->trace->key, w->s, w->a));
}

/* Returns the sentence of a cell whose weight comes from no logit, or is hidden. */
static const char *without_parts(const struct why *w)
{
	if (!w->allowed)
		return arena_printf(w->a, "The mask hides %s: its weight is 0, whatever its logit.",
				    cell_of(w));
	if (!w->head->weights.at)
		return NULL;
	return arena_printf(w->a, "The weight of %s, %s, is given directly, without a logit.%s",
			    cell_of(w), said_weight(mat_row(w->head->weights, w->t)[w->s], w->a),
			    row_words(w));
}

const char *why_finding(const struct why *w, bool brief)
{
	struct logit_parts parts = {.n = 0};
	if (!w->allowed || !w->head->logits.at)
		return without_parts(w);
	for (size_t i = add_change(w, &parts) ? 1 : 0; i < w->head->n_terms; i++)
		add_term(w, &w->head->terms[i], &parts);
	const char *const logit = said_number(mat_row(w->head->logits, w->t)[w->s], w->a);
	const char *const mean = w->mean ? "mean logit" : "logit";
	if (parts.n == 1)
		return brief ? arena_printf(w->a, "%s: %s %s, all of %s.", cell_of(w), mean, logit,
					    parts.at[0].brief)
			     : arena_printf(w->a, "The %s of %s, %s, is all %s.%s", mean,
					    cell_of(w), logit, parts.at[0].name, row_words(w));
	if (parts.n == 0)
		return NULL;
	by_size(&parts);
	return brief ? arena_printf(w->a, "%s: %s %s = %s.", cell_of(w), mean, logit,
				    parts_of(&parts, true, w->a))
		     : arena_printf(w->a, "Of the %s of %s, %s, %s.%s", mean, cell_of(w), logit,
				    parts_of(&parts, false, w->a), row_words(w));
}
