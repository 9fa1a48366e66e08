/* encoding.c: see encoding.h. */
#include "scheme/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/differences.h"

/* ---- rules ----------------------------------------------------------------------------------- */

static long directed_delta(const struct encoding *e, long delta)
{
	return e->ts ? -delta : delta;
}

struct encoding encoding_signed(bool ts, long most)
{
	return (struct encoding){.title = ts ? "t − s" : "s − t",
				 .number = directed_delta,
				 .ts = ts,
				 .least = -most,
				 .most = most};
}

static long apart(const struct encoding *e, long delta)
{
	(void)e;
	return labs(delta);
}

struct encoding encoding_apart(long most)
{
	return (struct encoding){.title = "|s − t|", .number = apart, .most = most, .apart = true};
}

static long clipped(const struct encoding *e, long delta)
{
	const long d = directed_delta(e, delta);
	return d < -e->radius ? -e->radius : d > e->radius ? e->radius : d;
}

struct encoding encoding_clipped(bool ts, long radius)
{
	return (struct encoding){
		.number = clipped, .ts = ts, .least = -radius, .most = radius, .radius = radius};
}

static long past(const struct encoding *e, long delta)
{
	return delta <= 0 && -delta <= e->most ? -delta : -1;
}

struct encoding encoding_past(long rows)
{
	return (struct encoding){.title = "t − s", .number = past, .most = rows - 1};
}

static long bucket(const struct encoding *e, long delta)
{
	return bucket_of(&e->bucket, delta);
}

struct encoding encoding_buckets(struct bucket_rule rule)
{
	return (struct encoding){.title = "bucket(s − t)",
				 .number = bucket,
				 .bucket = rule,
				 .most = rule.buckets - 1};
}

struct encoding encoding_any(bool absolute)
{
	return (struct encoding){.any = true, .apart = absolute};
}

/* ---- segments -------------------------------------------------------------------------------- */

struct segments {
	const double *at;
	long count;
};

static long segment_pair(const void *context, size_t t, size_t s)
{
	const struct segments *k = context;
	return (long)k->at[t] * k->count + (long)k->at[s];
}

static const struct index *segments_index(struct run *run, const struct member *m,
					  const struct encoding *e, struct err *err)
{
	const struct segments k = {run_find_column(run, "segment"), e->radius};
	for (size_t i = 0; i < run->n; i++)
		if (!(k.at[i] >= 0 && k.at[i] < (double)k.count) || k.at[i] != floor(k.at[i])) {
			err_set(err,
				"%s has a table for %ld segments, and here is number %g; set "
				"segments",
				m->text, k.count, k.at[i] + 1);
			return NULL;
		}
	return run_index_places(run, m, e->title, encoding_rows(e), segment_pair, &k, err);
}

struct encoding encoding_segments(long count)
{
	return (struct encoding){.title = "segments",
				 .radius = count,
				 .most = count * count - 1,
				 .index = segments_index};
}

/* ---- the index ------------------------------------------------------------------------------- */

size_t encoding_rows(const struct encoding *e)
{
	return (size_t)(e->most - e->least) + 1;
}

static const char *title_of(const struct encoding *e, struct arena *a)
{
	return e->title ? e->title
			: arena_printf(a, "clip(%s, ±%ld)", e->ts ? "t − s" : "s − t", e->radius);
}

static long table_index(const void *context, long delta)
{
	const struct encoding *e = context;
	return e->number(e, delta) - e->least;
}

static const void *build_index(struct run *run, const struct member *m, const void *context,
			       struct arena *own, struct err *err)
{
	const struct encoding *e = context;
	const struct index *made = e->index(run, m, e, err);
	if (!made)
		return NULL;
	const size_t bytes = made->rows * made->cols * sizeof *made->at;
	struct index *copy = arena_alloc(own, sizeof *copy);
	*copy = *made;
	copy->at = memcpy(arena_alloc(own, bytes), made->at, bytes);
	return copy;
}

static const struct index *index_of_structure(struct run *run, const struct member *m,
					      const struct encoding *e, struct err *err)
{
	const struct cached what = {.name = e->title,
				    .of_structure = true,
				    .of_positions = true,
				    .build = build_index,
				    .context = e};
	return run_needs_units(run, m, err) ? run_cached_block(run, m, &what, err) : NULL;
}

const struct index *encoding_index(struct run *run, const struct member *m,
				   const struct encoding *e, struct err *err)
{
	const char *title = title_of(e, run->arena);
	const struct index *known = run_known_index(run, m, title);
	return known		 ? known
	       : e->of_structure ? index_of_structure(run, m, e, err)
	       : e->index	 ? e->index(run, m, e, err)
			  : run_index_delta(run, m, title, encoding_rows(e), table_index, e, err);
}

static bool refuse_far(struct run *run, const struct member *m, const struct encoding *e, long most,
		       struct err *err)
{
	const size_t t_max = run->model->config.t_max;
	return err_set(
		err,
		"%s has entries for distances up to %zu (t-max %zu), and this input has distance "
		"%ld; raise t-max or %s",
		m->text, t_max - 1, t_max, most,
		e->remedy		  ? e->remedy
		: run_reads_given(run, m) ? "give position ids that are closer together"
					  : "shorten the sentence");
}

/* Refuses distances that are too far, and leaves out the rows that the input does not reach. */
static bool limit_rows(struct encoding *e, struct run *run, const struct member *m, struct err *err)
{
	long lo, hi;
	if (!e->bounded && !e->reached)
		return true;
	if (!run_delta_range(run, m, &lo, &hi, err))
		return false;
	if (e->bounded && hi >= (long)run->model->config.t_max)
		return refuse_far(run, m, e, hi, err);
	if (e->reached) {
		const long a = e->number(e, lo), b = e->number(e, hi), zero = e->number(e, 0);
		e->least = a < b ? a : b;
		e->most = a < b ? b : a;
		e->least = zero < e->least ? zero : e->least;
	}
	return true;
}

bool encoding_read(struct run *run, const struct member *m, const struct encoding *e,
		   struct encoded *out, struct err *err)
{
	struct encoding here = *e;
	if (e->any) {
		struct differences d;
		if (!differences_init(&d, run, m, e->apart, err))
			return false;
		*out = (struct encoded){.index = d.index, .rows = d.at.rows, .at = d.at};
		return true;
	}
	if (!limit_rows(&here, run, m, err))
		return false;
	*out = (struct encoded){.index = encoding_index(run, m, &here, err),
				.first = (size_t)(here.least - e->least),
				.rows = encoding_rows(&here)};
	return out->index != NULL;
}

/* ---- the distances of each number
 * ------------------------------------------------------------------ */

/* Positions are below 1e6, so no distance exceeds FAR. A rule that is constant up to there is
 * taken to stay constant. */
enum { FAR = 1 << 21, RANGES = 128 };

/* Returns the last distance that has the same number as delta, going on by `step`; FAR: all have
 * it. */
static long range_end(const struct encoding *e, long delta, long step)
{
	const long number = e->number(e, delta);
	long in = labs(delta), out = FAR;
	if (e->number(e, step * FAR) == number)
		return FAR;
	for (long by = 1; in + by < FAR; by *= 2) {
		if (e->number(e, step * (in + by)) != number) {
			out = in + by;
			break;
		}
		in += by;
	}
	while (out - in > 1) {
		const long middle = in + (out - in) / 2;
		if (e->number(e, step * middle) == number)
			in = middle;
		else
			out = middle;
	}
	return in;
}

/* The distances that pairs of this input have: seen[d] for d up to most. */
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

/* Returns the first distance from `at` on that a pair has, or FAR. */
static long next_seen(const struct distances *d, long at)
{
	const char *found =
		at <= d->most ? memchr(d->seen + at, 1, (size_t)(d->most - at) + 1) : NULL;
	return found ? found - d->seen : FAR;
}

/* Makes the ranges of one side: all near ones from the distance 1 on, and farther ones if pairs
 * have them; `to` NULL: only counts them. */
static size_t side_ranges(const struct encoding *e, long step, const struct distances *d,
			  struct relation_range *to)
{
	size_t n = 0;
	for (long at = 1; at < FAR;) {
		const long end = range_end(e, step * at, step);
		const int32_t near = (int32_t)(step * at), far = (int32_t)(step * end);
		if (to)
			to[n] = (struct relation_range){.value = (int32_t)e->number(e, step * at),
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

/* Makes the ranges from the farthest key before the query to the farthest after it: one side,
 * the query itself, the other side. */
static void find_ranges(const struct encoding *e, struct arena *a, struct relation *out)
{
	const struct distances d = distances_of(out->beside, out->n * out->n, a);
	const size_t before = e->apart ? 0 : side_ranges(e, -1, &d, NULL);
	const size_t after = side_ranges(e, 1, &d, NULL);
	struct relation_range *all = arena_calloc(a, before + after + 1, sizeof *all);
	side_ranges(e, -1, &d, e->apart ? NULL : all);
	for (size_t i = 0; i < before / 2; i++) {
		const struct relation_range other = all[i];
		all[i] = all[before - 1 - i];
		all[before - 1 - i] = other;
	}
	all[before] = (struct relation_range){.value = (int32_t)e->number(e, 0), .lo = 0, .hi = 0};
	side_ranges(e, 1, &d, all + before + 1);
	size_t n = 0;
	for (size_t i = 1; i < before + after + 1; i++) {
		if (joins(&all[n], &all[i]))
			all[n].hi = all[i].hi;
		else
			all[++n] = all[i];
	}
	out->ranges = all;
	out->n_ranges = n + 1;
	out->apart = e->apart;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const struct relation_range *range_of(const struct relation *r, int32_t value)
{
	for (size_t i = 0; i < r->n_ranges; i++)
		if (r->ranges[i].value == value)
			return &r->ranges[i];
	return NULL;
}

/* Returns "12 to 15 before", "16 or more apart"; distances from near to far, -1 for no end. */
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
		return span(lo, ends ? hi : -1, "away", a);
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

/* Describes the distance of the pair, and the other distances that share its number. */
static const char *says_pair(const struct relation *r, const struct relation_range *range,
			     const struct relation_cell *at, struct arena *a)
{
	const long delta = r->beside[at->t * r->n + at->s];
	const char *where =
		at->t == at->s ? "the token itself"
		: delta == 0   ? arena_printf(a, "%s stands where %s does", at->key, at->query)
		: r->apart
			? arena_printf(a, "%s is %ld away from %s", at->key, labs(delta), at->query)
			: arena_printf(a, "%s is %ld %s %s", at->key, labs(delta),
				       delta < 0 ? "before" : "after", at->query);
	return !range || range->lo == range->hi ? where
						: arena_printf(a, "%s; the number is for %s", where,
							       range_words(range, r->apart, a));
}

const char *encoding_says(const struct relation *r, int32_t value, const struct relation_cell *at,
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

/* ---- the relation ---------------------------------------------------------------------------- */

bool encoding_relation_of(struct run *run, const struct member *m, const struct encoding *e,
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
		at[i] = index->at[i] < 0 ? RELATION_NO_PATH : index->at[i] + (int32_t)e->least;
		beside[i] = (int32_t)delta;
	}
	*out = (struct relation){.title = title_of(e, run->arena),
				 .n = n,
				 .at = at,
				 .says = encoding_says,
				 .note = e->note,
				 .beside = beside,
				 .column = m->pos};
	find_ranges(e, run->arena, out);
	return true;
}

bool encoding_relation(struct run *run, const struct member *m, const struct encoding *e,
		       struct relation *out, struct err *err)
{
	struct encoding here = *e;
	long lo, hi;
	if (e->any) {
		if (!run_delta_range(run, m, &lo, &hi, NULL))
			return true;
		here = e->apart ? encoding_apart(hi) : encoding_signed(false, hi);
	}
	if (e->index)
		return !e->relation || e->relation(run, m, e, out, err);
	return limit_rows(&here, run, m, err) &&
	       encoding_relation_of(run, m, &here, encoding_index(run, m, &here, err), out, err);
}

bool encoding_relate_signed(struct run *run, const struct member *m, struct relation *out,
			    struct err *err)
{
	const struct encoding e = encoding_any(false);
	return encoding_relation(run, m, &e, out, err);
}

bool encoding_relate_apart(struct run *run, const struct member *m, struct relation *out,
			   struct err *err)
{
	const struct encoding e = encoding_any(true);
	return encoding_relation(run, m, &e, out, err);
}
