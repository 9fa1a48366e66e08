/* turns.c: pairs of columns of query and key that a scheme rotates, found in the vectors
 * themselves. */
#include "posviz/analysis/turns.h"

#include <math.h>

static const double TOLERANCE = 1e-9;

struct complex {
	double re, im;
};

static struct complex pair_at(struct mat m, size_t row, size_t i, size_t apart)
{
	const double *const v = mat_row(m, row);
	return (struct complex){v[i], v[i + apart]};
}

/* a · conj(b) */
static struct complex times_conjugate(struct complex a, struct complex b)
{
	return (struct complex){a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
}

static double length(struct complex z)
{
	return hypot(z.re, z.im);
}

static struct mat raw_q(const struct turned *of)
{
	return of->head->q_raw.at ? of->head->q_raw : of->head->q;
}

static struct mat raw_k(const struct turned *of)
{
	return of->head->k_raw.at ? of->head->k_raw : of->head->k;
}

bool turned_before(const struct turned *of, double *before)
{
	const struct trace_head *const h = of->head;
	if ((!h->q_raw.at && !h->k_raw.at) || !h->q.at || !h->k.at ||
	    raw_q(of).cols != raw_k(of).cols)
		return false;
	*before = of->trace->c *
		  mat_dot(mat_rows(raw_q(of), of->t, 1), mat_rows(raw_k(of), of->s, 1));
	return true;
}

double turned_after(const struct turned *of)
{
	const bool there = of->head->q.at && of->head->k.at && of->head->q.cols == of->head->k.cols;
	return there ? of->trace->c * mat_dot(mat_rows(of->head->q, of->t, 1),
					      mat_rows(of->head->k, of->s, 1))
		     : (double)NAN;
}

/* Returns whether query t, and the key of the same token, are rotated by the same angle in the
 * pair (i, i + apart), and whether their lengths change by inverse factors. */
static bool turned_alike(const struct turned *of, size_t t, size_t i, size_t apart)
{
	const size_t unit = t + of->trace->memory;
	const struct complex q0 = pair_at(raw_q(of), t, i, apart),
			     q1 = pair_at(of->head->q, t, i, apart);
	const struct complex k0 = pair_at(raw_k(of), unit, i, apart),
			     k1 = pair_at(of->head->k, unit, i, apart);
	const double before = length(q0) * length(k0), after = length(q1) * length(k1);
	const struct complex q = times_conjugate(q1, q0), k = times_conjugate(k1, k0),
			     rest = times_conjugate(q, k);
	const double size = length(q) * length(k);
	return fabs(after - before) <= TOLERANCE * (before + after) &&
	       fabs(rest.im) <= TOLERANCE * size && rest.re >= -TOLERANCE * size;
}

/* Returns whether columns at this distance are the pairs: those of each block of 2·apart
 * columns, while the rest is unchanged. */
static bool are_pairs(const struct turned *of, size_t apart)
{
	const size_t cols = of->head->q.cols, blocks = cols / (2 * apart);
	for (size_t t = 0; t < of->head->q.rows; t++) {
		for (size_t b = 0; b < blocks; b++)
			for (size_t j = 0; j < apart; j++)
				if (!turned_alike(of, t, 2 * apart * b + j, apart))
					return false;
		for (size_t i = 2 * apart * blocks; i < cols; i++) {
			const double was = mat_row(raw_q(of), t)[i],
				     is = mat_row(of->head->q, t)[i];
			if (fabs(is - was) > TOLERANCE * (fabs(is) + fabs(was)))
				return false;
		}
	}
	return true;
}

/* Returns the distance between the columns of a pair; 0: there are no pairs. Adjacent columns
 * are tried first, then half the width, and less. */
static size_t find_pairs(const struct turned *of)
{
	const size_t cols = of->head->q.cols;
	if (cols != of->head->k.cols || cols != raw_q(of).cols || cols != raw_k(of).cols)
		return 0;
	if (are_pairs(of, 1))
		return 1;
	for (size_t apart = cols / 2; apart > 1; apart--)
		if (are_pairs(of, apart))
			return apart;
	return 0;
}

static struct turn_hand hand_of(struct complex before, struct complex after)
{
	return (struct turn_hand){atan2(before.im, before.re), atan2(after.im, after.re),
				  length(after)};
}

static struct turn turn_of(const struct turned *of, size_t i, size_t apart)
{
	const struct complex q0 = pair_at(raw_q(of), of->t, i, apart),
			     q1 = pair_at(of->head->q, of->t, i, apart);
	const struct complex k0 = pair_at(raw_k(of), of->s, i, apart),
			     k1 = pair_at(of->head->k, of->s, i, apart);
	const struct complex angle =
		times_conjugate(times_conjugate(k1, k0), times_conjugate(q1, q0));
	const double c = of->trace->c;
	return (struct turn){.query = hand_of(q0, q1),
			     .key = hand_of(k0, k1),
			     .angle = atan2(angle.im, angle.re) * 180 / acos(-1),
			     .before = c * times_conjugate(q0, k0).re,
			     .after = c * times_conjugate(q1, k1).re};
}

size_t turned_pairs(const struct turned *of, struct arena *a, struct turn **out)
{
	const size_t apart = find_pairs(of);
	size_t n = 0;
	if (apart == 0)
		return 0;
	*out = arena_calloc(a, of->head->q.cols / 2, sizeof **out);
	for (size_t i = 0; i < of->head->q.cols / (2 * apart) * apart; i++)
		(*out)[n++] = turn_of(of, i / apart * 2 * apart + i % apart, apart);
	return n;
}
