/* lengths_ends.c: inputs that training on t_max positions does not contain: farther pairs, and
 * rotations that did not complete a turn. */
#include <math.h>

#include "lengths_in.h"
#include "posviz/analysis/turns.h"
#include "posviz/analysis/vectors.h"
#include "posviz/scheme/reach.h"

static const double pi = 3.14159265358979323846;

/* Returns the share of pairs at a distance above `reach` among n positions: for each distance d
 * there are n − d in each direction. */
static double share_beyond(double reach, double n, bool causal)
{
	const double far = n - 1 - reach;
	if (!(far > 0))
		return 0;
	return causal ? far * (far + 1) / (n * (n + 1)) : far * (far + 1) / (n * n);
}

void lengths_unseen(const struct lengths_of *of, struct lengths *l)
{
	const bool causal = expr_is_causal(&of->built->expr);
	for (size_t i = 0; i < LENGTHS_BEYOND; i++)
		l->unseen_pairs[i] =
			share_beyond(l->trained[of->head], (double)(l->t_max << (i + 1)), causal);
}

/* ---- rotations
 * --------------------------------------------------------------------------------- */

/* The rotation of pairs of columns from one position to the next in a text of n. */
struct rates {
	size_t pairs;
	double *now;
	const double *trained; /* before a scaling reduced them; NULL: no scaling */
	double trained_to;
};

/* Makes an input of three positions that represent a text of n: its first two and its last. */
static void three_places(const struct lengths_of *of, size_t n, struct arena *a,
			 struct model_input *in)
{
	double *const place = arena_calloc(a, 3, sizeof *place);
	built_plain(of->built, 3, a, in);
	place[1] = 1;
	place[2] = (double)n - 1;
	in->position = in->word = place;
}

/* Takes scaled rotation rates from the tables of the run, because the logits may be scaled too. */
static void slowed_rates(const struct lengths_of *of, const struct trace *trace, struct arena *a,
			 struct rates *out)
{
	struct vectors *const all = arena_calloc(a, VECTORS_MOST, sizeof *all);
	const size_t n = vectors_find(of->built, trace, a, all);
	for (size_t i = 0; i < n && !out->trained; i++) {
		const struct vectors *const v = &all[i];
		if (v->kind != VECTORS_TURNS || !v->trained)
			continue;
		out->now = arena_calloc(a, v->angle.cols + 1, sizeof *out->now);
		out->pairs = v->angle.cols;
		out->trained = v->trained;
		out->trained_to = v->trained_to;
		for (size_t k = 0; k < v->angle.cols; k++)
			out->now[k] = v->frequency[k];
	}
}

/* Finds the rate of every pair of columns from two neighbouring positions. There are none if the
 * last position (or the token there, for schemes that count tokens) disagrees, as on a grid. A
 * pair that does not move is left out. */
static void seen_rates(const struct turned *next, const struct turned *last, double n,
		       struct arena *a, struct rates *out)
{
	static const double still = 1e-13, alike = 1e-8;
	struct turn *one = NULL, *all = NULL;
	const size_t many = turned_pairs(next, a, &one);
	if (many == 0 || turned_pairs(last, a, &all) != many)
		return;
	out->now = arena_calloc(a, many, sizeof *out->now);
	for (size_t i = 0; i < many; i++) {
		const double rate = one[i].angle / 180 * pi, to_last = all[i].angle / 180 * pi;
		if (fabs(remainder(rate * (n - 1) - to_last, 2 * pi)) > alike &&
		    fabs(remainder(rate * 2 - to_last, 2 * pi)) > alike) {
			out->pairs = 0;
			return;
		}
		if (fabs(rate) > still)
			out->now[out->pairs++] = fabs(rate);
	}
}

static struct rates rates_of(const struct lengths_of *of, size_t head, size_t n, struct arena *a)
{
	struct rates out = {0};
	struct model_input in;
	struct trace trace;
	struct err err = {""};
	const unsigned kinds = WANT_QKV | WANT_KEPT | WANT_POSITION | WANT_RELATION;
	const struct want want = {.kinds = kinds, .layer = of->layer, .head = (long)head};
	three_places(of, n, a, &in);
	if (!built_run(of->built, &in, &want, NULL, of->watch, a, &trace, &err) ||
	    trace.query.n != 3)
		return out;
	const struct trace_head *const at = &trace.layers[of->layer].heads[head];
	const struct turned next = {&trace, at, 0, 1}, last = {&trace, at, 0, 2};
	double before;
	if (!at->q.at || !turned_before(&next, &before))
		return out;
	slowed_rates(of, &trace, a, &out);
	if (!out.trained)
		seen_rates(&next, &last, (double)n, a, &out);
	return out;
}

/* Counts the pairs whose angle at the distance from the first to the last of n positions was not
 * seen in training. */
static size_t count_leaving(const struct rates *r, const double *rate, double n)
{
	size_t leave = 0;
	for (size_t i = 0; i < r->pairs; i++)
		leave += n - 1 > reach_of_pair(rate[i], r->trained[i], r->trained_to);
	return leave;
}

static void find_leaving(const struct lengths_of *of, size_t head, struct arena *a,
			 struct lengths *l)
{
	struct lengths_turns *const t = &l->turns;
	for (size_t i = 0; i < LENGTHS_BEYOND; i++) {
		const size_t n = l->t_max << (i + 1);
		const struct rates r = rates_of(of, head, n, a);
		if (!r.trained)
			return;
		t->leave[i] = count_leaving(&r, r.now, (double)n);
		t->unscaled[i] = count_leaving(&r, r.trained, (double)n);
		for (size_t k = 0; k < r.pairs; k++)
			t->scaled |= r.now[k] < r.trained[k] * (1 - relative_tolerance);
	}
}

/* Finds what is left of each pair's angle in the longest text; the pairs are those of `turns`. */
static void find_shares(const struct lengths_of *of, size_t head, struct arena *scratch,
			struct arena *a, struct lengths *l)
{
	const struct rates r = rates_of(of, head, LENGTHS_TIMES * l->t_max, scratch);
	if (r.pairs == 0 || r.pairs != l->turns.pairs)
		return;
	l->turns.share = arena_calloc(a, r.pairs, sizeof *l->turns.share);
	for (size_t i = 0; i < r.pairs; i++)
		l->turns.share[i] = r.trained && r.trained[i] > 0 ? r.now[i] / r.trained[i] : 1;
}

void lengths_find_turns(const struct lengths_of *of, struct arena *keep, struct lengths *l)
{
	struct arena a;
	const size_t head = of->head < l->heads ? of->head : 0;
	arena_init(&a);
	const struct rates r = rates_of(of, head, l->t_max > 1 ? l->t_max : 2, &a);
	l->turns.pairs = r.pairs;
	for (size_t i = 0; i < r.pairs; i++) {
		if (!(r.now[i] > 0))
			continue;
		const double turn = 2 * pi / r.now[i];
		l->turns.slow += isfinite(reach_of_pair(r.now[i], r.now[i], (double)l->t_max));
		l->turns.slowest = fmax(l->turns.slowest, turn);
		l->turns.fastest = l->turns.fastest > 0 ? fmin(l->turns.fastest, turn) : turn;
	}
	l->turns.trained_to = r.trained ? r.trained_to : 0;
	if (r.trained)
		find_leaving(of, head, &a, l);
	find_shares(of, head, &a, keep, l);
	arena_release(&a);
}
