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

/* Queries and keys on one side of a change. */
struct sides {
	struct mat q, k;
};

static struct sides sides_before(const struct turned *of)
{
	const struct trace_head *const h = of->head;
	if (of->change == TURNED_BESIDE)
		return (struct sides){h->beside.q_raw, h->beside.k_raw};
	if (of->change > 1)
		return (struct sides){h->changes[of->change - 1].q, h->changes[of->change - 1].k};
	return (struct sides){h->q_raw.at ? h->q_raw : h->q, h->k_raw.at ? h->k_raw : h->k};
}

static struct sides sides_after(const struct turned *of)
{
	const struct trace_head *const h = of->head;
	if (of->change == TURNED_BESIDE)
		return (struct sides){h->beside.q, h->beside.k};
	if (of->change > 0 && of->change < h->n_changes)
		return (struct sides){h->changes[of->change].q, h->changes[of->change].k};
	return (struct sides){h->q, h->k};
}

static double product(const struct turned *of, struct sides at)
{
	return at.q.at && at.k.at && at.q.cols == at.k.cols
		       ? of->trace->c * mat_dot(mat_rows(at.q, of->t, 1), mat_rows(at.k, of->s, 1))
		       : (double)NAN;
}

bool turned_before(const struct turned *of, double *before)
{
	const struct trace_head *const h = of->head;
	if (of->change != TURNED_BESIDE && ((!h->q_raw.at && !h->k_raw.at) || !h->q.at || !h->k.at))
		return false;
	*before = product(of, sides_before(of));
	return !isnan(*before);
}

double turned_after(const struct turned *of)
{
	return product(of, sides_after(of));
}

/* Returns whether query t, and the key of the same token, are rotated by the same angle in the
 * pair (i, i + apart), and whether their lengths change by inverse factors. */
static bool turned_alike(const struct turned *of, size_t t, size_t i, size_t apart)
{
	const size_t unit = t + of->trace->memory;
	const struct sides was = sides_before(of), is = sides_after(of);
	const struct complex q0 = pair_at(was.q, t, i, apart), q1 = pair_at(is.q, t, i, apart);
	const struct complex k0 = pair_at(was.k, unit, i, apart),
			     k1 = pair_at(is.k, unit, i, apart);
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
	const struct mat raw = sides_before(of).q, now = sides_after(of).q;
	const size_t cols = now.cols, blocks = cols / (2 * apart);
	for (size_t t = 0; t < now.rows; t++) {
		for (size_t b = 0; b < blocks; b++)
			for (size_t j = 0; j < apart; j++)
				if (!turned_alike(of, t, 2 * apart * b + j, apart))
					return false;
		for (size_t i = 2 * apart * blocks; i < cols; i++) {
			const double was = mat_row(raw, t)[i], is = mat_row(now, t)[i];
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
	const struct sides was = sides_before(of), is = sides_after(of);
	const size_t cols = is.q.cols;
	if (cols != is.k.cols || cols != was.q.cols || cols != was.k.cols)
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
	const struct sides was = sides_before(of), is = sides_after(of);
	const struct complex q0 = pair_at(was.q, of->t, i, apart),
			     q1 = pair_at(is.q, of->t, i, apart);
	const struct complex k0 = pair_at(was.k, of->s, i, apart),
			     k1 = pair_at(is.k, of->s, i, apart);
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
	if (apart == 0)
		return 0;
	const size_t n = sides_after(of).q.cols / (2 * apart) * apart;
	*out = arena_calloc(a, n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = turn_of(of, i / apart * 2 * apart + i % apart, apart);
	return n;
}

const struct member *turned_find(struct turned *of)
{
	for (of->change = of->head->n_changes; of->change > 0; of->change--)
		if (find_pairs(of) > 0)
			return of->head->changes[of->change - 1].by;
	of->change = TURNED_BESIDE;
	if (of->head->beside.by && find_pairs(of) > 0)
		return of->head->beside.by;
	of->change = 0;
	return NULL;
}
