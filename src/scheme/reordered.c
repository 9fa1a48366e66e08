/* reordered.c: see reordered.h. */
#include "scheme/reordered.h"

#include <math.h>
#include <stdlib.h>

struct placed {
	double at;
	size_t i;
};

/* Equal positions keep the order of tokens. */
static int compare_placed(const void *x, const void *y)
{
	const struct placed *a = x, *b = y;
	if (a->at < b->at || a->at > b->at)
		return a->at < b->at ? -1 : 1;
	return (a->i > b->i) - (a->i < b->i);
}

bool reordered_begin(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err)
{
	const size_t n = run->n;
	int32_t *token = arena_calloc(run->arena, n + 1, sizeof *token);
	*out = (struct reordered){.n = n, .position = run_column(run, m, err), .plain = true};
	if (!out->position)
		return false;
	out->from = arena_calloc(run->arena, n + 1, sizeof *out->from);
	out->rank = arena_calloc(run->arena, n + 1, sizeof *out->rank);
	for (size_t t = 0; t < n; t++) {
		out->from[t] = (int32_t)t;
		if (run->queries->token[t] >= 0)
			token[out->tokens++] = (int32_t)t;
	}
	out->token = token;
	for (size_t i = 0; i < out->tokens; i++)
		out->rank[i] = i;
	return true;
}

void reordered_move(struct reordered *r, struct arena *a, const size_t *rank)
{
	struct placed *slot = arena_calloc(a, r->tokens + 1, sizeof *slot);
	for (size_t i = 0; i < r->tokens; i++)
		slot[i] = (struct placed){r->position[r->token[i]], i};
	if (r->tokens > 0)
		qsort(slot, r->tokens, sizeof *slot, compare_placed);
	r->plain = true;
	for (size_t i = 0; i < r->tokens; i++) {
		const int32_t to = r->token[slot[rank[i]].i];
		r->rank[i] = rank[i];
		r->from[r->token[i]] = to;
		r->plain &= to == r->token[i];
	}
}

bool reordered_given(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err)
{
	const double *reorder = run->in->reorder;
	if (!reordered_begin(run, m, out, err))
		return false;
	if (!reorder)
		return true;
	struct placed *by = arena_calloc(run->arena, out->tokens + 1, sizeof *by);
	size_t *rank = arena_calloc(run->arena, out->tokens + 1, sizeof *rank);
	for (size_t i = 0; i < out->tokens; i++)
		by[i] = (struct placed){reorder[run->queries->token[out->token[i]]], i};
	if (out->tokens > 0)
		qsort(by, out->tokens, sizeof *by, compare_placed);
	for (size_t k = 0; k < out->tokens; k++)
		rank[by[k].i] = k;
	reordered_move(out, run->arena, rank);
	out->given = true;
	return true;
}

struct node *reordered_rows(struct tape *t, const struct reordered *r, struct node *x)
{
	return r->plain ? x : tape_gather_rows(t, x, r->from, r->n);
}

double *reordered_positions(const struct reordered *r, struct arena *a)
{
	double *at = arena_calloc(a, r->n + 1, sizeof *at);
	for (size_t t = 0; t < r->n; t++)
		at[t] = r->position[r->from[t]];
	return at;
}

static const char *says(const struct relation *r, int32_t value, const struct relation_cell *at,
			struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "no position in that order";
	if (value == 0)
		return "the same position";
	return arena_printf(a, "%d %s in the new order", abs(value),
			    value > 0 ? "later" : "earlier");
}

void reordered_relation(const struct reordered *r, struct arena *a, struct relation *out)
{
	const double *at = reordered_positions(r, a);
	int32_t *distance = arena_calloc(a, r->n * r->n + 1, sizeof *distance);
	for (size_t t = 0; t < r->n; t++)
		for (size_t s = 0; s < r->n; s++)
			distance[t * r->n + s] =
				(int32_t)lround(fmin(fmax(at[s] - at[t], -1e9), 1e9));
	*out = (struct relation){.title = "distance in the new order",
				 .n = r->n,
				 .at = distance,
				 .says = says,
				 .note = r->plain ? "no re-ordering: nobody has moved" : NULL};
}

/* ---- separable permutations ------------------------------------------------------------------ */

/* Merges neighbours that hold consecutive numbers, as often as possible. A separable permutation
 * is reduced to a single element. */
static size_t reduce(const size_t *rank, size_t n, struct arena *a, size_t *left)
{
	struct range {
		size_t lo, hi, first;
	} *stack = arena_calloc(a, n + 1, sizeof *stack);
	size_t top = 0;
	for (size_t i = 0; i < n; i++) {
		stack[top++] = (struct range){rank[i], rank[i], i};
		for (; top > 1; top--) {
			struct range *x = &stack[top - 2];
			const struct range *y = &stack[top - 1];
			if (x->hi + 1 != y->lo && y->hi + 1 != x->lo)
				break;
			x->lo = x->lo < y->lo ? x->lo : y->lo;
			x->hi = x->hi > y->hi ? x->hi : y->hi;
		}
	}
	for (size_t i = 0; i < top; i++)
		left[i] = stack[i].first;
	return top;
}

static bool is_crossing(size_t a, size_t b, size_t c, size_t d)
{
	return (c < a && a < d && d < b) || (b < d && d < a && a < c);
}

static bool find_crossing(const size_t *rank, const size_t *at, size_t n, size_t witness[4])
{
	for (size_t d = 3; d < n; d++)
		for (size_t c = 2; c < d; c++)
			for (size_t b = 1; b < c; b++)
				for (size_t a = 0; a < b; a++)
					if (is_crossing(rank[at[a]], rank[at[b]], rank[at[c]],
							rank[at[d]])) {
						witness[0] = at[a], witness[1] = at[b];
						witness[2] = at[c], witness[3] = at[d];
						return true;
					}
	return false;
}

bool reordered_is_separable(const size_t *rank, size_t n, struct arena *a, size_t witness[4])
{
	size_t *left = arena_calloc(a, n + 1, sizeof *left);
	const size_t count = reduce(rank, n, a, left);
	return count <= 1 || !find_crossing(rank, left, count, witness);
}

/* Returns the tokens in their original order, whatever the present one. [r->tokens] */
static size_t *as_written(struct run *run, const struct reordered *r)
{
	const long *place = run->queries->token;
	size_t places = 0, n = 0;
	for (size_t i = 0; i < r->tokens; i++)
		if ((size_t)place[r->token[i]] >= places)
			places = (size_t)place[r->token[i]] + 1;
	size_t *at = arena_calloc(run->arena, places + 1, sizeof *at); /* i + 1; 0: removed */
	size_t *out = arena_calloc(run->arena, r->tokens + 1, sizeof *out);
	for (size_t i = 0; i < r->tokens; i++)
		at[place[r->token[i]]] = i + 1;
	for (size_t k = 0; k < places; k++)
		if (at[k] > 0)
			out[n++] = at[k] - 1;
	return out;
}

const char *reordered_crossing(struct run *run, const struct reordered *r)
{
	const size_t *token = as_written(run, r);
	size_t *rank = arena_calloc(run->arena, r->tokens + 1, sizeof *rank), at[4];
	const char *text = "";
	for (size_t i = 0; i < r->tokens; i++)
		rank[i] = r->rank[token[i]];
	if (reordered_is_separable(rank, r->tokens, run->arena, at))
		return NULL;
	for (size_t i = 0; i < 4; i++)
		text = arena_printf(run->arena, "%s%s%s", text, i ? ", " : "",
				    run->queries->labels[r->token[token[at[i]]]]);
	return arena_printf(run->arena,
			    "swapping neighbours does not make this re-ordering: %s go to %zu "
			    "%zu %zu %zu",
			    text, rank[at[0]] + 1, rank[at[1]] + 1, rank[at[2]] + 1,
			    rank[at[3]] + 1);
}
