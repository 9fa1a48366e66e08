/* diet.c: see diet.h.
 *
 * P_Q P_Kᵀ is multiplied in every head: it costs as much as q·k, and keeping it for all heads
 * and layers would take as much memory as their matrices. */
#include "scheme/diet.h"

#include <math.h>

enum share diet_share(const struct member *m)
{
	const struct diet *p = m->param;
	return (enum share)p->share;
}

static size_t rank_of(const struct model *model, const struct member *m)
{
	const struct diet *p = m->param;
	return p->rank > 0 ? (size_t)p->rank : model->dk;
}

/* ---- leaves ---- */

static const double pi = 3.14159265358979323846;

/* Returns component j of the vector for position x: the first component points at position 0,
 * the others are pairs of sinusoids, periods 3 to 24, so that equal positions have a product of
 * 4 and distant ones a small one. */
static double wave(size_t j, size_t rank, double x)
{
	const size_t pairs = (rank - 1) / 2, pair = (j - 1) / 2;
	if (pair >= pairs)
		return 0;
	const double step = pairs > 1 ? (double)pair / (double)(pairs - 1) : 0.5;
	const double angle = 2 * pi * x / (3 * pow(8, step));
	return sqrt(4 / (double)pairs) * (j % 2 == 1 ? cos(angle) : sin(angle));
}

void diet_make_queries(struct mat at, const struct leaf_maker *of)
{
	const size_t rank = rank_of(of->model, of->m);
	for (size_t t = 0; t < at.rows; t++)
		for (size_t col = 0; col < at.cols; col++)
			mat_row(at, t)[col] =
				col % rank == 0 ? 2 : wave(col % rank, rank, (double)t);
}

void diet_make_keys(struct mat at, const struct leaf_maker *of)
{
	const double step = of->value, first = (step - 1) / 2;
	const size_t rank = rank_of(of->model, of->m);
	for (size_t s = 0; s < at.rows; s++)
		for (size_t col = 0; col < at.cols; col++) {
			const double back = (double)(share_head(col, rank) % 4 + 1);
			mat_row(at, s)[col] =
				col % rank == 0
					? s == 0
					: wave(col % rank, rank, first + step * (double)s + back);
		}
}

/* 0 within a segment; even heads lower earlier segments most, odd ones later segments. */
void diet_make_segments(struct mat at, const struct leaf_maker *of)
{
	const struct diet *p = of->m->param;
	for (size_t i = 0; i < at.rows; i++) {
		const long from = (long)i / p->segments, to = (long)i % p->segments;
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = from == to ? 0 : (to < from) == (h % 2 == 0) ? -4 : -1;
	}
}

/* ---- hooks ---- */

size_t diet_segments(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model;
	const struct diet *p = m->param;
	*out = (struct inject){.at = INJECT_ADD,
			       .by = encoding_segments(p->segments),
			       .leaf = "e_s",
			       .label = "E_S",
			       .kind = TERM_OTHER,
			       .share = diet_share(m)};
	return p->segments > 0;
}

bool diet_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct diet_state *state = head_state(head, m);
	const size_t rank = rank_of(head->run->model, m);
	struct node *p_q = share_slice(head, diet_share(m), state->p_q, rank);
	struct node *p_k = share_slice(head, diet_share(m), state->p_k, rank);
	head_add_term(head, "P_Q–P_K", TERM_POSITION,
		      tape_matmul(head->tape, p_q, false, p_k, true, 1));
	return inject_logits(head, m, err);
}
