/* stack_rows.c: the rows of the view Stack, which are layers, runs of layers or kinds of layers, with names; and
 * the pairs of tokens that a stack of one kind sees. */
#include <math.h>
#include <string.h>

#include "stack_in.h"

/* More rows than these are those of runs, and more runs than these those of kinds. */
enum { FEW_LAYERS = 8, FEW_RUNS = 12 };

const char *stack_known(const struct stack *s, size_t layers, struct arena *a)
{
	const double known = s->back[layers] + 1;
	return known < (double)s->tokens ? arena_printf(a, "%.0f", known)
					 : arena_printf(a, "all %zu", s->tokens);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Returns after how many layers the kinds recur; the number of layers: they do not. */
static size_t period_of(const struct stack *s)
{
	for (size_t period = 1; period <= s->layers / 2; period++) {
		bool same = true;
		for (size_t l = period; l < s->layers && same; l++)
			same = s->kind[l] == s->kind[l - period];
		if (same)
			return period;
	}
	return s->layers;
}

static const char *ordinal(size_t n, struct arena *a)
{
	const size_t last = n % 10, teen = n / 10 % 10 == 1;
	return arena_printf(a, "%zu%s", n,
			    teen	? "th"
			    : last == 1 ? "st"
			    : last == 2 ? "nd"
			    : last == 3 ? "rd"
					: "th");
}

/* Returns the layers of a kind within the first `period` of them: "1–3, 5". */
static const char *within(const struct stack *s, size_t kind, size_t period, struct arena *a)
{
	const char *text = "";
	for (size_t l = 0; l < period; l++) {
		if (s->kind[l] != kind)
			continue;
		const size_t from = l + 1;
		while (l + 1 < period && s->kind[l + 1] == kind)
			l++;
		const char *const sep = *text ? ", " : "";
		text = from == l + 1 ? arena_printf(a, "%s%s%zu", text, sep, from)
				     : arena_printf(a, "%s%s%zu–%zu", text, sep, from, l + 1);
	}
	return text;
}

/* Returns the layers of a kind: "odd", "every 6th", "1–5 of every 6", "1–5, 7–11". */
static const char *kind_name(const struct stack *s, size_t kind, struct arena *a)
{
	const size_t period = period_of(s);
	size_t n = 0;
	for (size_t l = 0; l < period; l++)
		n += s->kind[l] == kind;
	if (period == s->layers)
		return within(s, kind, period, a);
	if (period == 2)
		return s->kind[0] == kind ? "odd" : "even";
	if (n == 1 && s->kind[period - 1] == kind)
		return arena_printf(a, "every %s", ordinal(period, a));
	return arena_printf(a, "%s of every %zu", within(s, kind, period, a), period);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void rows_of_kinds(struct arena *a, struct stack_kept *out)
{
	const struct stack *const s = &out->s;
	out->n_rows = s->n_kinds;
	for (size_t k = 0; k < s->n_kinds; k++) {
		size_t layer = 0;
		while (s->kind[layer] != k)
			layer++;
		out->rows[k] = (struct stack_row){
			.name = s->n_kinds > 1	? kind_name(s, k, a)
				: s->layers > 1 ? arena_printf(a, "1–%zu", s->layers)
						: "1",
			.layer = layer,
			.n_layers = s->kinds[k].n_layers,
			.known = s->n_kinds > 1 ? "" : stack_known(s, s->layers, a)};
	}
}

static void rows_of_runs(bool single, struct arena *a, struct stack_kept *out)
{
	const struct stack *const s = &out->s;
	out->n_rows = single ? s->layers : s->n_runs;
	for (size_t i = 0; i < out->n_rows; i++) {
		const size_t first = single ? i : s->first[i],
			     next = single ? i + 1 : s->first[i + 1];
		out->rows[i] = (struct stack_row){.name = single ? arena_printf(a, "%zu", i + 1)
								 : stack_run_name(s, i, a),
						  .layer = first,
						  .n_layers = next - first,
						  .known = stack_known(s, next, a)};
	}
}

/* ---- pairs of tokens ------------------------------------------------------------------------- */

/* Returns how many tokens show the mask: a few of them where all is seen, else as many as three widths. */
static size_t tokens_shown(const struct stack *s)
{
	enum { FEW = 12, TIMES = 3 };
	const double wide = s->keys[0];
	if (!(wide < (double)s->tokens))
		return s->tokens < FEW ? s->tokens : FEW;
	const double wanted = TIMES * wide < FEW ? FEW : TIMES * wide;
	return wanted < (double)s->tokens ? (size_t)wanted : s->tokens;
}

/* Returns the share of the pairs of two blocks of tokens that is seen, of at most so many queries. */
static double share_of(const struct built *b, size_t tokens, double rows[2], double cols[2])
{
	enum { MOST = 16 };
	const double n = fmin(MOST, rows[1] - rows[0]);
	double seen = 0;
	for (double i = 0; i < n; i++) {
		struct stack_keys keys;
		const double query = floor(rows[0] + (i + 0.5) * (rows[1] - rows[0]) / n);
		stack_keys_of(b, 0, query, tokens, &keys);
		const double from = fmax(cols[0], keys.first), to = fmin(cols[1], keys.last + 1);
		seen += fmax(0, to - from);
	}
	return seen / (n * (cols[1] - cols[0]));
}

static void find_pairs(const struct built *b, struct arena *a, struct stack_kept *out)
{
	enum { BLOCKS = 24 };
	const size_t tokens = out->pair_tokens = tokens_shown(&out->s);
	const size_t n = tokens < BLOCKS ? tokens : BLOCKS;
	const double size = (double)tokens / (double)n;
	out->pairs = mat_new(a, n, n);
	out->tokens = arena_calloc(a, n, sizeof *out->tokens);
	for (size_t t = 0; t < n; t++) {
		double rows[2] = {floor((double)t * size), floor((double)(t + 1) * size)};
		out->tokens[t] = arena_printf(a, "%.0f", rows[0] + 1);
		for (size_t s = 0; s < n; s++) {
			double cols[2] = {floor((double)s * size), floor((double)(s + 1) * size)};
			mat_row(out->pairs, t)[s] = share_of(b, tokens, rows, cols);
		}
	}
}

void stack_find_rows(const struct built *b, struct arena *a, struct stack_kept *out)
{
	const struct stack *const s = &out->s;
	out->rows = arena_calloc(a, s->layers + 1, sizeof *out->rows);
	out->by_kind = s->n_kinds == 1 || (s->layers > FEW_LAYERS && s->n_runs > FEW_RUNS);
	if (out->by_kind)
		rows_of_kinds(a, out);
	else
		rows_of_runs(s->layers <= FEW_LAYERS, a, out);
	if (out->sees_alike)
		find_pairs(b, a, out);
}
