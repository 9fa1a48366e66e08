/* distance.c: see distance.h. */
#include "scheme/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules ----------------------------------------------------------------------------------- */

static long forwards(const void *context, long delta)
{
	(void)context;
	return delta;
}

static long backwards(const void *context, long delta)
{
	(void)context;
	return -delta;
}

struct distance_code distance_signed(bool ts, long most)
{
	return (struct distance_code){.title = ts ? "t − s" : "s − t",
				      .number = ts ? backwards : forwards,
				      .least = -most,
				      .most = most};
}

static long apart(const void *context, long delta)
{
	(void)context;
	return labs(delta);
}

struct distance_code distance_apart(long most)
{
	return (struct distance_code){
		.title = "|s − t|", .number = apart, .most = most, .apart = true};
}

static long clipped(const void *context, long delta)
{
	const struct distance_clip *clip = context;
	const long r = clip->radius, d = clip->ts ? -delta : delta;
	return d < -r ? -r : d > r ? r : d;
}

struct distance_code distance_clipped(const struct distance_clip *clip, struct arena *a)
{
	return (struct distance_code){.title = arena_printf(a, "clip(%s, ±%ld)",
							    clip->ts ? "t − s" : "s − t",
							    clip->radius),
				      .number = clipped,
				      .context = clip,
				      .least = -clip->radius,
				      .most = clip->radius};
}

/* ---- the index --------------------------------------------------------------------------------- */

size_t distance_rows(const struct distance_code *code)
{
	return (size_t)(code->most - code->least) + 1;
}

static long row_of(const void *context, long delta)
{
	const struct distance_code *code = context;
	return code->number(code->context, delta) - code->least;
}

const struct index *distance_index(struct run *run, const struct member *m,
				   const struct distance_code *code, struct err *err)
{
	return run_index_delta(run, m, code->title, distance_rows(code), row_of, code, err);
}

/* ---- which distances a number is for ------------------------------------------------------------- */

/* Positions are below 1e6, so no distance of theirs is beyond. A rule that is constant up to here is
 * taken to stay so. */
enum { FAR = 1 << 21, RANGES = 128 };

/* The last distance that has the number of delta, going on by `step`; FAR: they all have. */
static long range_end(const struct distance_code *code, long delta, long step)
{
	const long number = code->number(code->context, delta);
	long in = labs(delta), out = FAR;
	if (code->number(code->context, step * FAR) == number)
		return FAR;
	for (long by = 1; in + by < FAR; by *= 2) {
		if (code->number(code->context, step * (in + by)) != number) {
			out = in + by;
			break;
		}
		in += by;
	}
	while (out - in > 1) {
		const long middle = in + (out - in) / 2;
		if (code->number(code->context, step * middle) == number)
			in = middle;
		else
			out = middle;
	}
	return in;
}

/* Which distances pairs of this input have: seen[d] for d up to most. */
struct distances {
	const char *seen;
	long most;
};

static struct distances distances_of(const int32_t *beside, size_t n, struct arena *a)
{
	struct distances d = {.most = 0};
	for (size_t i = 0; i < n; i++)
		d.most = labs(beside[i]) > d.most ? labs(beside[i]) : d.most;
	char *seen = arena_calloc(a, (size_t)d.most + 1, sizeof *seen);
	for (size_t i = 0; i < n; i++)
		seen[labs(beside[i])] = 1;
	d.seen = seen;
	return d;
}

/* The first distance from `at` on that a pair has, or FAR. */
static long next_seen(const struct distances *d, long at)
{
	const char *found =
		at <= d->most ? memchr(d->seen + at, 1, (size_t)(d->most - at) + 1) : NULL;
	return found ? found - d->seen : FAR;
}

/* The ranges of one side: all near ones from the distance 1 on, and beyond them those that pairs have;
 * where `to` is NULL they are counted. */
static size_t side_ranges(const struct distance_code *code, long step, const struct distances *d,
			  struct relation_range *to)
{
	size_t n = 0;
	for (long at = 1; at < FAR;) {
		const long end = range_end(code, step * at, step);
		const int32_t near = (int32_t)(step * at), far = (int32_t)(step * end);
		if (to)
			to[n] = (struct relation_range){
				.value = (int32_t)code->number(code->context, step * at),
				.lo = step > 0	   ? near
				      : end == FAR ? INT32_MIN
						   : far,
				.hi = step < 0	   ? near
				      : end == FAR ? INT32_MAX
						   : far};
		n++;
		at = n < RANGES ? end + 1 : next_seen(d, end + 1);
	}
	return n;
}

static bool joins(const struct relation_range *x, const struct relation_range *y)
{
	return x->value == y->value && x->hi + 1 == y->lo;
}

/* From the farthest key before the query to the farthest behind it: one side, none, the other. */
static void find_ranges(const struct distance_code *code, struct arena *a, struct relation *out)
{
	const struct distances d = distances_of(out->beside, out->n * out->n, a);
	const size_t before = code->apart ? 0 : side_ranges(code, -1, &d, NULL);
	const size_t after = side_ranges(code, 1, &d, NULL);
	struct relation_range *all = arena_calloc(a, before + after + 1, sizeof *all);
	side_ranges(code, -1, &d, code->apart ? NULL : all);
	for (size_t i = 0; i < before / 2; i++) {
		const struct relation_range other = all[i];
		all[i] = all[before - 1 - i];
		all[before - 1 - i] = other;
	}
	all[before] = (struct relation_range){
		.value = (int32_t)code->number(code->context, 0), .lo = 0, .hi = 0};
	side_ranges(code, 1, &d, all + before + 1);
	size_t n = 0;
	for (size_t i = 1; i < before + after + 1; i++) {
		if (joins(&all[n], &all[i]))
			all[n].hi = all[i].hi;
		else
			all[++n] = all[i];
	}
	out->ranges = all;
	out->n_ranges = n + 1;
	out->apart = code->apart;
}

/* ---- words --------------------------------------------------------------------------------------- */

static const struct relation_range *range_of(const struct relation *r, int32_t value)
{
	for (size_t i = 0; i < r->n_ranges; i++)
		if (r->ranges[i].value == value)
			return &r->ranges[i];
	return NULL;
}

/* "12 to 15 before", "16 or more apart"; distances from near to far, -1 for no end. */
static const char *span(long near, long far, const char *side, struct arena *a)
{
	if (far < 0)
		return arena_printf(a, "%ld or more %s", near, side);
	return near == far ? arena_printf(a, "%ld %s", near, side)
			   : arena_printf(a, "%ld to %ld %s", near, far, side);
}

static const char *range_words(const struct relation_range *range, bool apart, struct arena *a)
{
	const bool starts = range->lo != INT32_MIN, ends = range->hi != INT32_MAX;
	const long lo = starts ? range->lo : 0, hi = ends ? range->hi : 0;
	if (!starts && !ends)
		return "any distance";
	if (starts && ends && lo == 0 && hi == 0)
		return "the same position";
	if (apart)
		return span(lo, ends ? hi : -1, "apart", a);
	if (starts && lo > 0)
		return span(lo, ends ? hi : -1, "after", a);
	if (ends && hi < 0)
		return span(-hi, starts ? -lo : -1, "before", a);
	if (lo == 0 && starts)
		return ends ? arena_printf(a, "0 to %ld after", hi) : "the same position or after";
	if (hi == 0 && ends)
		return starts ? arena_printf(a, "0 to %ld before", -lo)
			      : "the same position or before";
	return arena_printf(a, "%s before to %s after",
			    starts ? arena_printf(a, "%ld", -lo) : "any distance",
			    ends ? arena_printf(a, "%ld", hi) : "any distance");
}

/* Where the pair stands, and with whom it shares its number. */
static const char *says_pair(const struct relation *r, const struct relation_range *range,
			     const struct relation_cell *at, struct arena *a)
{
	const long delta = r->beside[at->t * r->n + at->s];
	const char *where = at->t == at->s ? "the token itself"
			    : delta == 0
				    ? arena_printf(a, "%s stands where %s does", at->key, at->query)
			    : r->apart ? arena_printf(a, "%s and %s are %ld apart", at->key,
						      at->query, labs(delta))
				       : arena_printf(a, "%s is %ld %s %s", at->key, labs(delta),
						      delta < 0 ? "before" : "after", at->query);
	return !range || range->lo == range->hi ? where
						: arena_printf(a, "%s; the number is for %s", where,
							       range_words(range, r->apart, a));
}

const char *distance_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a)
{
	const struct relation_range *range = range_of(r, value);
	if (at)
		return says_pair(r, range, at, a);
	if (!range)
		return NULL;
	const char *words = range_words(range, r->apart, a);
	const bool whole = range->lo == INT32_MIN && range->hi == INT32_MAX;
	const bool zero = range->lo == 0 && range->hi == 0;
	return r->apart || whole || zero ? words : arena_printf(a, "key %s", words);
}

/* ---- the relation -------------------------------------------------------------------------------- */

bool distance_relation_of(struct run *run, const struct member *m, const struct distance_code *code,
			  const struct index *index, struct relation *out, struct err *err)
{
	const double *position = run_column(run, m, err);
	const size_t n = run->n;
	if (!index || !position)
		return false;
	int32_t *at = arena_alloc(run->arena, n * n * sizeof *at);
	int32_t *beside = arena_alloc(run->arena, n * n * sizeof *beside);
	for (size_t i = 0; i < n * n; i++) {
		const long delta = lround(position[i % n] - position[i / n]);
		at[i] = index->at[i] < 0 ? RELATION_NO_PATH : index->at[i] + (int32_t)code->least;
		beside[i] = (int32_t)delta;
	}
	*out = (struct relation){.title = code->title,
				 .n = n,
				 .at = at,
				 .says = distance_says,
				 .note = code->note,
				 .beside = beside,
				 .column = m->pos};
	find_ranges(code, run->arena, out);
	return true;
}

bool distance_relation(struct run *run, const struct member *m, const struct distance_code *code,
		       struct relation *out, struct err *err)
{
	return distance_relation_of(run, m, code, distance_index(run, m, code, err), out, err);
}

bool distance_of_any(struct run *run, const struct member *m, bool absolute, struct relation *out,
		     struct err *err)
{
	long lo, hi;
	if (!run_delta_range(run, m, &lo, &hi, NULL))
		return true;
	const struct distance_code code =
		absolute ? distance_apart(hi) : distance_signed(false, hi);
	return distance_relation(run, m, &code, out, err);
}
