/* lengths_ends.c: what training on t_max places has not shown: pairs farther apart, and columns that had not
 * turned round. */
#include <math.h>

#include "lengths_in.h"
#include "posviz/turns.h"

static const double pi = 3.14159265358979323846;

/* Pairs at a distance above `reach` among n places: of each distance d there are n − d one way. */
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

/* Of two neighbours every pair of columns turns by its own rate. */
void lengths_find_turns(const struct lengths_of *of, struct lengths *l)
{
	struct arena a;
	struct model_input in;
	struct trace trace;
	struct err err = {""};
	struct turn *turns = NULL;
	const size_t head = of->head < l->heads ? of->head : 0;
	const struct want want = {.kinds = WANT_QKV, .layer = of->layer, .head = (long)head};
	arena_init(&a);
	built_plain(of->built, 2, &a, &in);
	if (built_run(of->built, &in, &want, NULL, of->watch, &a, &trace, &err)) {
		const struct trace_head *const at = &trace.layers[of->layer].heads[head];
		const struct turned pair = {&trace, at, 0, 1};
		double before;
		if (at->q.at && turned_before(&pair, &before) && trace.query.n == 2)
			l->turns.pairs = turned_pairs(&pair, &a, &turns);
	}
	for (size_t i = 0; i < l->turns.pairs; i++) {
		const double rate = fabs(turns[i].angle) / 180 * pi, turn = 2 * pi / rate;
		l->turns.slow += rate * ((double)l->t_max - 1) < 2 * pi;
		l->turns.slowest = i == 0 ? turn : fmax(l->turns.slowest, turn);
		l->turns.fastest = i == 0 ? turn : fmin(l->turns.fastest, turn);
	}
	arena_release(&a);
}
