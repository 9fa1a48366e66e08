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

/* Returns the first layers of a kind: "1, 3, 5 …", "1–3, 5–7 …". */
static const char *kind_name(const struct stack *s, size_t kind, struct arena *a)
{
	enum { MOST = 3 };
	const char *text = "";
	size_t n = 0;
	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->kind[s->first[i]] != kind)
			continue;
		if (n == MOST || (n == MOST - 1 && strchr(text, ',') && strstr(text, "–")))
			return arena_printf(a, "%s …", text);
		text = arena_printf(a, "%s%s%s", text, n > 0 ? ", " : "", stack_run_name(s, i, a));
		n++;
	}
	return text;
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
						  .known = stack_known(s, next, a)};
	}
}

/* ---- pairs of tokens ------------------------------------------------------------------------- */

/* Returns how many tokens show all masks: a few where all is seen, else three widths of the widest that does not
 * show all. */
static size_t tokens_shown(const struct stack *s)
{
	enum { FEW = 14, TIMES = 3 };
	double wanted = FEW;
	for (size_t l = 0; l < s->layers; l++)
		if (s->keys[l] < (double)s->tokens)
			wanted = fmax(wanted, TIMES * s->keys[l]);
	return wanted < (double)s->tokens ? (size_t)wanted : s->tokens;
}

static void find_square(const struct built *b, const struct stack *s, size_t kind, size_t most,
			struct arena *a, struct stack_square *out)
{
	const size_t tokens = tokens_shown(s), n = tokens < most ? tokens : most, step = tokens / n;
	size_t layer = 0;
	while (s->kind[layer] != kind)
		layer++;
	*out = (struct stack_square){.layers = kind_name(s, kind, a),
				     .layer = layer,
				     .seen = mat_new(a, n, n),
				     .at = arena_calloc(a, n, sizeof *out->at),
				     .step = step,
				     .tokens = n * step};
	for (size_t t = 0; t < n; t++) {
		struct stack_keys keys;
		stack_keys_of(b, layer, (double)(t * step), tokens, &keys);
		out->at[t] = arena_printf(a, "%zu", t * step + 1);
		for (size_t key = 0; key < n; key++)
			mat_row(out->seen, t)[key] = (double)(key * step) >= keys.first &&
						     (double)(key * step) <= keys.last;
	}
}

void stack_find_rows(const struct built *b, struct arena *a, struct stack_kept *out)
{
	enum { BLOCKS = 24, FEW_BLOCKS = 16 };
	const struct stack *const s = &out->s;
	out->rows = arena_calloc(a, s->layers + 1, sizeof *out->rows);
	out->by_kind = s->n_kinds == 1 || (s->layers > FEW_LAYERS && s->n_runs > FEW_RUNS);
	if (out->by_kind)
		rows_of_kinds(a, out);
	else
		rows_of_runs(s->layers <= FEW_LAYERS, a, out);
	out->grows = s->layers > 1 && s->back[1] < s->back[s->layers];
	const bool kinds = out->by_kind || !out->grows;
	const size_t squares = out->sees_alike ? 1 : kinds ? s->n_kinds : 0;
	out->n_squares = squares <= STACK_SQUARES ? squares : 0;
	for (size_t i = 0; i < out->n_squares; i++)
		find_square(b, s, i, squares > 1 ? FEW_BLOCKS : BLOCKS, a, &out->squares[i]);
}
