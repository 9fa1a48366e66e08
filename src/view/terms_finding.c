/* terms_finding.c: the sentence above the terms: how much of the variance between keys each of them makes,
 * and how much a scheme changes the product of queries and keys. */
#include <math.h>
#include <string.h>

#include "said_in.h"
#include "posviz/base/percent.h"

enum { NAMED = 3 }; /* terms that are named; of more, the two largest */

/* Returns "bias (positions alone)". */
static const char *named(const struct term_told *t, size_t i, bool brief, struct arena *a)
{
	const struct trace_term *const term = &t->head->terms[i];
	const char *const name = figure_scripts(a, term->label);
	const struct mat after = t->head->after;
	const bool changed = after.at && i == 0 &&
			     mat_max_abs_diff(after, term->at) <= 1e-12 * (1 + t->sum->most);
	const char *const kind = changed ? arena_printf(a, "as %s leaves it", t->by)
				 : t->above && term->kind == TERM_UNIT_UNIT
					 ? "the output of the layer below"
					 : term_kind(term, t->above);
	return brief ? name : arena_printf(a, "%s (%s)", name, kind);
}

/* Puts the terms that are on in the order of their shares; returns their number. */
static size_t by_share(const struct term_sum *sum, size_t *order)
{
	size_t n = 0;
	for (size_t i = 0; i < sum->n; i++) {
		if (!sum->on[i])
			continue;
		size_t at = n++;
		for (; at > 0 && sum->within[order[at - 1]] < sum->within[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return n;
}

/* Returns "bias (positions alone) makes 59 % of the logit variance per row, unit–unit (token vectors
 * alone) 41 %"; brief: "bias 59 %, unit–unit 41 %". */
static const char *shares_of(const struct term_told *t, const char *what, bool brief,
			     struct arena *a)
{
	size_t order[MODEL_MAX_TERMS];
	const size_t n = by_share(t->sum, order), shown = n <= NAMED ? n : NAMED - 1;
	const char *out = "";
	double rest = 0;
	for (size_t i = 0; i < n; i++) {
		const char *const name = i < shown ? named(t, order[i], brief, a) : "";
		const char *const share = t->shares[order[i]];
		if (i == 0 && !brief)
			out = arena_printf(a, "%s makes %s of the %s variance per row", name, share,
					   what);
		else if (i < shown)
			out = arena_printf(a, "%s%s%s %s", out, i ? ", " : "", name, share);
		else
			rest += t->sum->within[order[i]];
	}
	return shown == n ? out
			  : arena_printf(a, "%s, %zu others %s", out, n - shown,
					 percent_texts(&rest, 1, a)[0]);
}

/* Returns "pos–unit" for "position–unit", the form that shortened titles have. */
static const char *short_name(const char *name, struct arena *a)
{
	static const char whole[] = "position";
	const char *const at = strstr(name, whole);
	return at ? arena_printf(a, "%.*spos%s", (int)(at - name), name, at + strlen(whole)) : name;
}

/* Returns "unit–unit 44 %, pos–unit 31 %", the largest two. */
static const char *largest_two(const struct term_told *t, struct arena *a)
{
	size_t order[MODEL_MAX_TERMS];
	const size_t n = by_share(t->sum, order);
	const char *out = "";
	for (size_t i = 0; i < n && i < 2; i++)
		out = arena_printf(a, "%s%s%s %s", out, i > 0 ? ", " : "",
				   short_name(named(t, order[i], true, a), a), t->shares[order[i]]);
	return out;
}

static bool any_against(const struct term_told *t)
{
	bool out = false;
	for (size_t i = 0; i < t->sum->n; i++)
		out |= t->sum->on[i] && strncmp(t->shares[i], "−", strlen("−")) == 0;
	return out;
}

/* Returns " Small: unit–b_k, b_q–b_k.", the terms that a screen may leave out, the first few of many; "" if there are
 * none. */
static const char *small_ones(const struct term_told *t, bool brief, struct arena *a)
{
	enum { FEW = 4, OF_MANY = 2 };
	size_t n = 0, at[MODEL_MAX_TERMS];
	for (size_t i = 0; i < t->sum->n; i++)
		if (t->sum->on[i] && term_is_small(t->sum, i))
			at[n++] = i;
	const size_t shown = n <= FEW ? n : OF_MANY;
	const char *out = "";
	for (size_t i = 0; i < shown; i++) {
		const char *const name = named(t, at[i], true, a);
		out = arena_printf(a, "%s%s%s", out, i > 0 ? ", " : "",
				   brief ? short_name(name, a) : name);
	}
	return n == 0	 ? ""
	       : n > FEW ? arena_printf(a, " Small: %s and %zu more.", out, n - shown)
			 : arena_printf(a, " Small: %s.", out);
}

/* Returns the sentence of a single term. */
static const char *alone(const struct term_told *t, bool brief, struct arena *a)
{
	const bool content = t->head->terms[0].kind == TERM_UNIT_UNIT;
	if (brief)
		return arena_printf(a, "All of each logit is %s.", named(t, 0, true, a));
	return arena_printf(a, "In %s, all of each logit is %s%s.", t->where, named(t, 0, false, a),
			    content ? "; no term of positions is added" : "");
}

const char *term_finding(const struct term_told *t, bool brief, struct arena *a)
{
	const struct term_sum *const sum = t->sum;
	if (sum->n_on == 0)
		return NULL;
	if (sum->n == 1 && !t->head->before.at)
		return alone(t, brief, a);
	if (sum->n < 2)
		return NULL;
	if (!sum->varies_within)
		return arena_printf(a, "In no row does the %s differ between keys that it allows.",
				    sum->n_on < sum->n ? "sum of the terms" : "logit");
	const char *const what = sum->n_on < sum->n ? "sum's" : "logit";
	const char *const shares = shares_of(t, what, brief, a);
	const char *const small = small_ones(t, brief, a);
	if (brief && *small && term_count_large(t->sum) > NAMED)
		return arena_printf(a, "%s variance: %s.%s", said_capital(what, a),
				    largest_two(t, a), small);
	if (brief)
		return arena_printf(a, "Of the %s variance: %s.", what, shares);
	const bool second = t->head->before.at; /* behind that of the change */
	return arena_printf(a, "%s%s%s%s.%s%s", second ? "" : "In ", second ? "" : t->where,
			    second ? "" : ", ", second ? said_capital(shares, a) : shares,
			    any_against(t) ? " A negative share works against the others." : "",
			    small);
}

/* The change of c·q·k over the allowed pairs. */
struct changes {
	double mean, most; /* of sizes; `most` is at (row, col) */
	size_t n, row, col;
};

static struct changes changes_of(const struct trace_head *head)
{
	struct changes c = {0};
	for (size_t t = 0; t < head->before.rows; t++)
		for (size_t s = 0; s < head->before.cols; s++) {
			const double by =
				fabs(mat_row(head->after, t)[s] - mat_row(head->before, t)[s]);
			if ((head->mask && !head->mask[t * head->before.cols + s]) || !isfinite(by))
				continue;
			c.n++;
			c.mean += by;
			if (!(by > c.most))
				continue;
			c.most = by;
			c.row = t;
			c.col = s;
		}
	c.mean /= c.n > 0 ? (double)c.n : 1;
	return c;
}

const char *term_change(const struct term_told *t, const struct trace *trace, bool brief,
			struct arena *a)
{
	const char *const by = t->by;
	const struct trace_head *const head = t->head;
	if (!head->before.at || !head->after.at)
		return NULL;
	const struct changes c = changes_of(head);
	if (!(c.most >= 1e-12))
		return arena_printf(a, "In %s, %s changes no product of queries and keys.",
				    t->where, by);
	if (brief)
		return arena_printf(a, "In %s, %s changes q·k by %s on average, %s at most.",
				    t->where, by, said_number(c.mean, a), said_number(c.most, a));
	return arena_printf(
		a,
		"In %s, %s changes the product of queries and keys by %s on average, most at "
		"%s → %s: from %s to %s.",
		t->where, by, said_number(c.mean, a), view_unit_name(&trace->query, c.row, a),
		view_unit_name(&trace->key, c.col, a),
		said_number(mat_row(head->before, c.row)[c.col], a),
		said_number(mat_row(head->after, c.row)[c.col], a));
}

/* Joins two sentences, of which one may be missing. */
static const char *both(const char *first, const char *second, struct arena *a)
{
	return !first ? second : !second ? first : arena_printf(a, "%s %s", first, second);
}

void term_say(const struct term_told *t, const struct trace *trace, struct arena *a,
	      struct figure *out)
{
	const char *const changed = term_change(t, trace, false, a);
	const char *const said = both(changed, term_finding(t, false, a), a);
	out->finding = said;
	out->finding_brief = changed ? term_change(t, trace, true, a) : term_finding(t, true, a);
}
