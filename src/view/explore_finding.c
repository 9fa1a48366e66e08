/* explore_finding.c: the sentence above the panels of the view Explore: what the bias does by distance, and
 * which key most queries have most of.
 *
 * The bias of a head falls or rises with distance if its mean does so from one distance to the next, on
 * every side that the mask leaves; else its least and its largest mean are named. A query with several
 * largest keys counts for none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "said_in.h"

static const double rounding = 1e-9;

/* ---- the bias by distance -------------------------------------------------------------------- */

struct means {
	const double *at; /* of distance lo + i; NaN: no pair has it */
	size_t n, least, most;
	long lo;
	bool equal; /* pairs of a distance have equal values */
};

/* Returns whether the mean i is larger than that at `than`, smaller if way is −1; of equal ones, nearer to 0. */
static bool is_beyond(const struct means *m, size_t i, size_t than, int way)
{
	const double by = way * (m->at[i] - m->at[than]);
	return by > rounding ||
	       (by >= -rounding && labs(m->lo + (long)i) < labs(m->lo + (long)than));
}

static bool means_of(const struct explore_told *e, struct means *out)
{
	const struct distances *const by = e->d->by_distance;
	const size_t head = view_head(e->d);
	*out = (struct means){
		.at = by->mean + head * by->n, .n = by->n, .lo = by->lo, .equal = true};
	size_t known = 0;
	for (size_t i = 0; i < by->n; i++) {
		if (!isfinite(out->at[i]))
			continue;
		if (known++ == 0)
			out->least = out->most = i;
		out->least = is_beyond(out, i, out->least, -1) ? i : out->least;
		out->most = is_beyond(out, i, out->most, 1) ? i : out->most;
		out->equal &= by->max[head * by->n + i] - by->min[head * by->n + i] <= rounding;
	}
	return known > 1 && out->at[out->most] - out->at[out->least] > rounding;
}

/* Returns whether the means never go up (way −1), or down (way 1), from the middle to this side; *end: the
 * farthest that is known, the middle if there is none. */
static bool goes(const struct means *m, size_t middle, int side, int way, size_t *end)
{
	*end = middle;
	for (size_t i = middle; side < 0 ? i-- > 0 : ++i < m->n;) {
		if (!isfinite(m->at[i]))
			return false;
		if (way * (m->at[i] - m->at[*end]) < -rounding)
			return false;
		*end = i;
	}
	return true;
}

static const char *sign_of(long x)
{
	return x < 0 ? "−" : x > 0 ? "+" : "";
}

/* Returns "−4.4 at ±8"; sides that end elsewhere have a part each. */
static const char *ends(const struct means *m, size_t left, size_t middle, size_t right,
			struct arena *a)
{
	const long l = m->lo + (long)left, r = m->lo + (long)right;
	const char *const at_left = said_number(m->at[left], a), *const at_right = said_number(
									 m->at[right], a);
	if (left != middle && right != middle && l == -r && strcmp(at_left, at_right) == 0)
		return arena_printf(a, "%s at ±%ld", at_left, r);
	const char *const one = arena_printf(a, "%s at −%ld", at_left, labs(l));
	const char *const other = arena_printf(a, "%s at +%ld", at_right, r);
	return left == middle	 ? other
	       : right == middle ? one
				 : arena_printf(a, "%s and %s", one, other);
}

/* Masked sides have no means: the middle's neighbours there are left out. */
static bool trim(struct means *m)
{
	while (m->n > 0 && !isfinite(m->at[m->n - 1]))
		m->n--;
	size_t from = 0;
	while (from < m->n && !isfinite(m->at[from]))
		from++;
	m->at += from;
	m->lo += (long)from;
	m->n -= from;
	m->least -= from;
	m->most -= from;
	return m->lo <= 0 && m->lo + (long)m->n > 0;
}

/* Returns "falls from 0 at distance 0 to −4.4 at ±8"; NULL: it does not, or the numbers are
 * those of a structure. */
static const char *monotone(const struct explore_told *e, struct means m, struct arena *a)
{
	if (e->d->by_distance->number || !trim(&m))
		return NULL;
	const size_t middle = (size_t)-m.lo;
	for (int way = -1; way < 2; way += 2) {
		size_t left, right;
		if (!goes(&m, middle, -1, way, &left) || !goes(&m, middle, 1, way, &right))
			continue;
		return arena_printf(a, "%s from %s at distance 0 to %s",
				    way < 0 ? "falls" : "rises", said_number(m.at[middle], a),
				    ends(&m, left, middle, right, a));
	}
	return NULL;
}

/* Returns "−8", or "±8" if the other side has the same value. */
static const char *place_of(const struct means *m, size_t i, struct arena *a)
{
	const long x = m->lo + (long)i, mirror = -x - m->lo;
	const bool both = x != 0 && mirror >= 0 && (size_t)mirror < m->n &&
			  fabs(m->at[mirror] - m->at[i]) <= rounding;
	return arena_printf(a, "%s%ld", both ? "±" : sign_of(x), labs(x));
}

/* The share of the largest value below which a difference cannot be seen in a picture. */
static const double nothing = 1e-4;

/* Returns "the bias falls with distance, …"; NULL: there is none, or it is the same at all distances. */
static const char *bias_words(const struct explore_told *e, struct arena *a)
{
	const struct view_data *const d = e->d;
	struct means m;
	if (!d->by_distance || d->trace->bias_is_mask || !means_of(e, &m))
		return NULL;
	const bool weights = d->trace->bias_absent != NULL;
	const char *const what =
		arena_printf(a, "%s %s", m.equal ? "the" : "the mean", weights ? "weight" : "bias");
	const char *const way = monotone(e, m, a);
	if (way)
		return arena_printf(a, "%s %s", what, way);
	const char *const by =
		d->by_distance->number ? arena_printf(a, "%s =", e->axis->sign) : "distance";
	if (m.at[m.least] > 0 && m.at[m.least] < nothing * m.at[m.most])
		return arena_printf(a, "%s is largest, %s, at %s %s, and falls to nearly 0", what,
				    said_number(m.at[m.most], a), by, place_of(&m, m.most, a));
	return arena_printf(a, "%s ranges from %s at %s %s to %s at %s", what,
			    said_number(m.at[m.least], a), by, place_of(&m, m.least, a),
			    said_number(m.at[m.most], a), place_of(&m, m.most, a));
}

/* ---- the rows -------------------------------------------------------------------------------- */

/* How many rows have their one largest cell at a key, or so far from the query. */
struct rows_seen {
	size_t rows, n;	  /* rows with an allowed key; those with one at the place */
	bool even;	  /* all rows have the same value at all their keys */
	bool by_distance; /* `at` is a distance, else a key */
	long at;
	double mean; /* of the largest values of these rows */
};

static bool allowed(const struct paint *p, size_t i)
{
	return p->masked ? p->masked[i] == 0 : !p->allowed || p->allowed[i];
}

/* Returns the key of the row's largest value; SIZE_MAX: several, or none. */
static size_t largest(const struct explore_told *e, size_t t, bool *any, bool *even)
{
	const struct mat m = e->m->at;
	size_t best = SIZE_MAX, ties = 0;
	double least = INFINITY;
	for (size_t s = 0; s < m.cols; s++) {
		const double x = mat_row(m, t)[s];
		if (!allowed(&e->m->paint, t * m.cols + s) || !isfinite(x))
			continue;
		const double than = best == SIZE_MAX ? -INFINITY : mat_row(m, t)[best];
		const double slack = best == SIZE_MAX ? 0 : rounding * (1 + fabs(than));
		ties = x > than + slack ? 1 : ties + (x >= than - slack);
		best = x > than + slack ? s : best;
		least = fmin(least, x);
	}
	*any = best != SIZE_MAX;
	*even = *any && mat_row(m, t)[best] - least <= rounding * (1 + fabs(least));
	return ties == 1 ? best : SIZE_MAX;
}

static bool has_distances(const struct view_data *d)
{
	return view_has_tokens(&d->trace->key) && view_has_tokens(&d->trace->query) &&
	       d->trace->key.n == d->trace->query.n + d->trace->memory;
}

/* Counts the rows with this place; keeps it if it has more than the best one so far. */
static void try_place(const size_t *best, const struct explore_told *e, bool by_distance, long at,
		      struct rows_seen *out)
{
	size_t n = 0;
	double sum = 0;
	for (size_t t = 0; t < e->m->at.rows; t++) {
		const long s = by_distance ? at + (long)(t + e->d->trace->memory) : at;
		if (best[t] == SIZE_MAX || s < 0 || (size_t)s != best[t])
			continue;
		n++;
		sum += mat_row(e->m->at, t)[best[t]];
	}
	if (n <= out->n)
		return;
	out->n = n;
	out->by_distance = by_distance;
	out->at = at;
	out->mean = sum / (double)n;
}

static struct rows_seen rows_of(const struct explore_told *e, struct arena *a)
{
	const struct mat m = e->m->at;
	struct rows_seen out = {.even = true};
	size_t *const best = arena_calloc(a, m.rows + 1, sizeof *best);
	for (size_t t = 0; t < m.rows; t++) {
		bool any, even;
		best[t] = largest(e, t, &any, &even);
		out.rows += any;
		out.even &= !any || even;
	}
	/* Places are tried by distance, at each the keys before the query first, and single keys last: of equal counts the
	 * first place stays. */
	const long far = (long)m.cols;
	for (long k = 0; has_distances(e->d) && k < far; k++) {
		try_place(best, e, true, -k, &out);
		try_place(best, e, true, k, &out);
	}
	for (long s = 0; s < far; s++)
		try_place(best, e, false, s, &out);
	return out;
}

/* Returns "itself", "the token 2 before it", "[CLS]". */
static const char *place_words(const struct explore_told *e, const struct rows_seen *r, bool one,
			       struct arena *a)
{
	if (!r->by_distance)
		return view_unit_name(&e->d->trace->key, (size_t)r->at, a);
	const long far = labs(r->at);
	const char *const way = r->at < 0 ? "before" : "after";
	return r->at == 0 ? (one ? "itself" : "themselves")
	       : far == 1 ? arena_printf(a, "the token just %s", way)
			  : arena_printf(a, "the token %ld %s", far, way);
}

/* Returns "a query sees 1 to 9 of 9 keys". */
static const char *mask_words(const struct explore_told *e, struct arena *a)
{
	const struct mat m = e->m->at;
	size_t least = m.cols, most = 0;
	for (size_t t = 0; t < m.rows; t++) {
		size_t n = 0;
		for (size_t s = 0; s < m.cols; s++)
			n += allowed(&e->m->paint, t * m.cols + s);
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	return least == most ? arena_printf(a, "every query sees %zu of %zu keys", most, m.cols)
			     : arena_printf(a, "a query sees %zu to %zu of %zu keys", least, most,
					    m.cols);
}

/* Returns what the rows of the shown matrix have most of. */
static const char *row_words(const struct explore_told *e, bool brief, struct arena *a)
{
	const bool logits = strcmp(e->m->name, "logits") == 0;
	if (!e->m->at.at || e->m->absent)
		return NULL;
	if (e->m->paint.mask)
		return mask_words(e, a);
	const struct rows_seen r = rows_of(e, a);
	const bool one = r.n == r.rows;
	if (r.rows == 0)
		return NULL;
	if (r.even)
		return logits ? "every query has the same logit at all its keys"
			      : "every query attends to all its keys alike";
	if (r.n == 0)
		return logits ? "every query has its largest logit at several keys"
			      : "every query attends most to several keys alike";
	const char *const who =
		one ? "every query" : arena_printf(a, "%zu of %zu queries", r.n, r.rows);
	const char *const place = place_words(e, &r, one, a);
	const char *const value = logits ? said_number(r.mean, a) : said_weight(r.mean, a);
	const char *const does =
		logits ? (one ? "has its largest logit at" : "have their largest logit at")
		: one  ? "attends most to"
		       : "attend most to";
	return arena_printf(a, brief ? "%s %s %s (%s)" : "%s %s %s (%s on average)", who, does,
			    place, value);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

const char *explore_finding(const struct explore_told *e, bool brief, struct arena *a)
{
	const char *const bias = bias_words(e, a), *const rows = row_words(e, brief, a);
	const char *const where = view_head_words(e->d, a);
	if (!bias && !rows)
		return NULL;
	if (brief)
		return arena_printf(a, "%s: %s.", said_capital(where, a), rows ? rows : bias);
	return bias && rows ? arena_printf(a, "In %s, %s; %s.", where, bias, rows)
			    : arena_printf(a, "In %s, %s.", where, bias ? bias : rows);
}
