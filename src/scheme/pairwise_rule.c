/* pairwise_rule.c: the positions of queries and keys by Self-Extend, ReRoPE and dual chunk
 * attention. Positions are real numbers: a width need not be a multiple of a group. */
#include "scheme/pairwise_rule.h"

#include <math.h>

/* ---- Self-Extend ----------------------------------------------------------------------------- */

static double extend_shift(const struct pairwise *p)
{
	const double w = (double)p->neighbours, part = w / (double)p->group;
	return w - (p->shift == SHIFT_PAPER ? floor(part) : part);
}

static size_t extend_way(const struct pairwise *p, double t, double s)
{
	return t - s >= (double)p->neighbours;
}

static double extend_query(const struct pairwise *p, size_t way, double t)
{
	return way ? floor(t / (double)p->group) + extend_shift(p) : t;
}

static double extend_key(const struct pairwise *p, size_t way, double s)
{
	return way ? floor(s / (double)p->group) : s;
}

/* A far pair at distance d has a difference of at most ⌈d/g⌉ and the shift. */
static double extend_reach(const struct pairwise *p, double covered)
{
	const double far = floor(covered - extend_shift(p) + 1e-9) * (double)p->group;
	return covered + 1 > (double)p->neighbours ? fmax(far, (double)p->neighbours - 1) : covered;
}

/* ---- ReRoPE ---------------------------------------------------------------------------------- */

static size_t rerope_way(const struct pairwise *p, double t, double s)
{
	return t - s >= (double)p->window;
}

static double rerope_query(const struct pairwise *p, size_t way, double t)
{
	const double w = (double)p->window, k = p->leak;
	return way == 0 ? t : k > 0 ? (t + w * (k - 1)) / k : w;
}

static double rerope_key(const struct pairwise *p, size_t way, double s)
{
	return way == 0 ? s : p->leak > 0 ? s / p->leak : 0;
}

static double rerope_reach(const struct pairwise *p, double covered)
{
	const double w = (double)p->window;
	if (w > covered)
		return covered;
	return p->leak > 0 ? floor(w + (covered - w) * p->leak + 1e-9) : INFINITY;
}

/* ---- dual chunk attention -------------------------------------------------------------------- */

static double chunk_length(const struct pairwise *p)
{
	return (double)(p->chunk - p->local);
}

static double chunk_cap(const struct pairwise *p)
{
	return p->cap > 0 ? p->cap : (double)p->chunk;
}

static double within(double x, double length)
{
	return x - length * floor(x / length);
}

/* Same chunk, the one before, an older one. */
static size_t chunk_way(const struct pairwise *p, double t, double s)
{
	const double l = chunk_length(p), behind = floor(t / l) - floor(s / l);
	return behind >= 2 ? 2 : behind >= 1;
}

static double chunk_query(const struct pairwise *p, size_t way, double t)
{
	const double l = chunk_length(p), own = within(t, l);
	if (way == 0)
		return own;
	return fmin(way == 1 ? own + l : 2 * l - 1, chunk_cap(p));
}

static double chunk_key(const struct pairwise *p, size_t way, double s)
{
	(void)way;
	return within(s, chunk_length(p));
}

static double chunk_reach(const struct pairwise *p, double covered)
{
	const double l = chunk_length(p), most = fmin(2 * l - 1, chunk_cap(p));
	return fmax(most, l - 1) <= covered ? INFINITY : covered;
}

/* ---- the rules ------------------------------------------------------------------------------- */

const struct pairwise_rule pairwise_extend = {2, extend_way, extend_query, extend_key,
					      extend_reach};
const struct pairwise_rule pairwise_rerope = {2, rerope_way, rerope_query, rerope_key,
					      rerope_reach};
const struct pairwise_rule pairwise_chunks = {3, chunk_way, chunk_query, chunk_key, chunk_reach};
