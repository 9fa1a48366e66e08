/* why_turn.c: what a scheme makes of q and k, seen pair of columns by pair of columns.
 *
 * Read from the vectors alone: columns are pairs of a rotation when, at every unit, query and key are turned by
 * one angle and what one gains in length the other loses. */
#include <math.h>

#include "why_in.h"

static const double TOLERANCE = 1e-9;

struct complex {
	double re, im;
};

static struct complex at(struct mat m, size_t row, size_t i, size_t apart)
{
	const double *const v = mat_row(m, row);
	return (struct complex){v[i], v[i + apart]};
}

/* a · conj(b) */
static struct complex over(struct complex a, struct complex b)
{
	return (struct complex){a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
}

static double length(struct complex z)
{
	return hypot(z.re, z.im);
}

static double dot(struct mat q, size_t t, struct mat k, size_t s)
{
	double sum = 0;
	for (size_t i = 0; i < q.cols; i++)
		sum += mat_row(q, t)[i] * mat_row(k, s)[i];
	return sum;
}

static struct mat raw_q(const struct why *w)
{
	return w->head->q_raw.at ? w->head->q_raw : w->head->q;
}

static struct mat raw_k(const struct why *w)
{
	return w->head->k_raw.at ? w->head->k_raw : w->head->k;
}

bool why_before(const struct why *w, double *before)
{
	const struct trace_head *const h = w->head;
	if ((!h->q_raw.at && !h->k_raw.at) || !h->q.at || !h->k.at ||
	    raw_q(w).cols != raw_k(w).cols)
		return false;
	*before = w->trace->c * dot(raw_q(w), w->t, raw_k(w), w->s);
	return true;
}

double why_after(const struct why *w)
{
	const bool there = w->head->q.at && w->head->k.at && w->head->q.cols == w->head->k.cols;
	return there ? w->trace->c * dot(w->head->q, w->t, w->head->k, w->s) : (double)NAN;
}

/* How far query t, and the key of the same unit, are turned in the pair (i, i + apart): whether by one angle, and
 * whether lengths that one gains the other loses. */
static bool turned_alike(const struct why *w, size_t t, size_t i, size_t apart)
{
	const size_t unit = t + w->trace->memory;
	const struct complex q0 = at(raw_q(w), t, i, apart), q1 = at(w->head->q, t, i, apart);
	const struct complex k0 = at(raw_k(w), unit, i, apart), k1 = at(w->head->k, unit, i, apart);
	const double before = length(q0) * length(k0), after = length(q1) * length(k1);
	const struct complex q = over(q1, q0), k = over(k1, k0), rest = over(q, k);
	const double size = length(q) * length(k);
	return fabs(after - before) <= TOLERANCE * (before + after) &&
	       fabs(rest.im) <= TOLERANCE * size && rest.re >= -TOLERANCE * size;
}

/* Whether columns so far apart are the pairs: those of each 2·apart, the rest is as it was. */
static bool are_pairs(const struct why *w, size_t apart)
{
	const size_t cols = w->head->q.cols, blocks = cols / (2 * apart);
	for (size_t t = 0; t < w->head->q.rows; t++) {
		for (size_t b = 0; b < blocks; b++)
			for (size_t j = 0; j < apart; j++)
				if (!turned_alike(w, t, 2 * apart * b + j, apart))
					return false;
		for (size_t i = 2 * apart * blocks; i < cols; i++) {
			const double was = mat_row(raw_q(w), t)[i], is = mat_row(w->head->q, t)[i];
			if (fabs(is - was) > TOLERANCE * (fabs(is) + fabs(was)))
				return false;
		}
	}
	return true;
}

/* How far the columns of a pair are apart; 0: there are no pairs. Beside each other is tried first, then half of
 * them apart, and less. */
static size_t find_pairs(const struct why *w)
{
	const size_t cols = w->head->q.cols;
	if (cols != w->head->k.cols || cols != raw_q(w).cols || cols != raw_k(w).cols)
		return 0;
	if (are_pairs(w, 1))
		return 1;
	for (size_t apart = cols / 2; apart > 1; apart--)
		if (are_pairs(w, apart))
			return apart;
	return 0;
}

static struct turn turn_of(const struct why *w, size_t i, size_t apart)
{
	const struct complex q0 = at(raw_q(w), w->t, i, apart), q1 = at(w->head->q, w->t, i, apart);
	const struct complex k0 = at(raw_k(w), w->s, i, apart), k1 = at(w->head->k, w->s, i, apart);
	const struct complex angle = over(over(k1, k0), over(q1, q0));
	const double c = w->trace->c;
	return (struct turn){.angle = atan2(angle.im, angle.re) * 180 / acos(-1),
			     .before = c * over(q0, k0).re,
			     .after = c * over(q1, k1).re};
}

size_t why_turns(const struct why *w, struct turn **out)
{
	const size_t apart = find_pairs(w);
	size_t n = 0;
	if (apart == 0)
		return 0;
	*out = arena_calloc(w->a, w->head->q.cols / 2, sizeof **out);
	for (size_t i = 0; i < w->head->q.cols / (2 * apart) * apart; i++)
		(*out)[n++] = turn_of(w, i / apart * 2 * apart + i % apart, apart);
	return n;
}
