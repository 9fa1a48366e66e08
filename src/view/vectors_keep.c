/* vectors_keep.c: the choice of the vectors that the view Vectors shows, and the measures of
 * their rows. */
#include <math.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "vectors_in.h"

/* A short sentence shows little of vectors made for many positions. Vectors that depend on
 * positions alone are shown for up to MORE_PLACES positions; if their numbers come from a file,
 * for all of t_max, and up to WHOLE_ROWS rows are read without taking a sample. */
enum { MORE_PLACES = 32, WHOLE_ROWS = 2048, FAR_PLACES = 128 };

/* ---- more positions -------------------------------------------------------------------------- */

static bool is_from_a_file(const struct built *b)
{
	for (size_t i = 0; i < b->model.n_leaves; i++)
		if (b->model.leaves[i].tensor)
			return true;
	return false;
}

static size_t places_to_show(const struct built *b)
{
	const size_t t_max = b->model.config.t_max;
	const size_t most = is_from_a_file(b) ? INPUT_MAX_TOKENS : MORE_PLACES;
	return t_max < most ? t_max : most;
}

/* Returns whether the vectors or rotations can depend only on the index of a position, and the sentence has fewer than
 * `places`. */
static bool hangs_on_places(const struct view_data *d, size_t places)
{
	const struct setup *const s = &d->scene->setup;
	const struct built *const b = d->built;
	const bool own = *s->conllu || *s->tree || *s->graph || *s->governors || *s->reorder ||
			 *s->translation || *s->alignment || b->position_ids || b->pictures ||
			 d->trace->memory > 0;
	if (own || view_is_structural(b) || d->trace->query.n >= places)
		return false;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *const h = b->members[i].hooks;
		if ((h->nonlinear && h->embed) || b->members[i].units)
			return false;
	}
	return true;
}

/* Returns a setup with n words, without anything else that can be given with a sentence. */
static struct setup plain_words(const struct view_data *d, size_t n, struct arena *a)
{
	struct setup s = d->scene->setup;
	struct strbuf words;
	strbuf_init(&words, a);
	for (size_t i = 0; i < n; i++)
		strbuf_add(&words, i ? " word" : "word");
	s.sentence = words.at;
	s.file = s.units = "";
	s.order = "identity";
	s.segments = s.compare = "none";
	s.tokens = TOKENS_WORDS;
	s.special = "none";
	return s;
}

/* Returns whether the rows differ. Positions that are computed from the words are all the same
 * for equal words, and show nothing. */
static bool differ(struct mat rows)
{
	for (size_t t = 1; rows.at && t < rows.rows; t++)
		if (memcmp(mat_row(rows, 0), mat_row(rows, t), rows.cols * sizeof(double)) != 0)
			return true;
	return false;
}

/* Evaluates the expression for n words; false if it cannot be, or if the input decides more than the positions do. */
static bool run_places(const struct view_data *d, size_t n, unsigned kinds, struct arena *a,
		       struct built *b, struct trace *trace)
{
	const struct setup setup = plain_words(d, n, a);
	const struct want want = {.kinds = kinds};
	struct err err = {""};
	return hangs_on_places(d, n) && setup_build(&setup, a, b, &err) &&
	       built_run(b, &b->model_input, &want, d->cache, d->watch, a, trace, &err) &&
	       trace->key.n == n;
}

static void take_more_places(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct trace *const trace = arena_calloc(a, 1, sizeof *trace);
	const unsigned kinds = WANT_POSITION | WANT_KEPT | WANT_RELATION | WANT_MASK;
	if (!run_places(d, places_to_show(d->built), kinds, a, b, trace) ||
	    (d->trace->position_vectors.at && !differ(trace->position_vectors)))
		return;
	k->built = b;
	k->trace = trace;
	k->more_places = true;
}

/* Finds which rows of a table of buckets far positions read. */
static void take_far_places(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct trace *const trace = arena_calloc(a, 1, sizeof *trace);
	if (k->v.means && strstr(k->v.means, "row of a bucket") == k->v.means &&
	    run_places(d, FAR_PLACES, WANT_KEPT | WANT_RELATION, a, b, trace))
		k->far = trace;
}

/* ---- schemes without vectors ----------------------------------------------------------------- */

static const char *first_leaves(const struct built *b, struct arena *a)
{
	enum { NAMED = 3 };
	const char *names = "";
	size_t n = 0;
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const struct leaf_row *const row = leaf_row_of(&b->model.leaves[i]);
		if (b->model.leaves[i].layer > 0 || n++ >= NAMED)
			continue;
		names = arena_printf(a, "%s%s%s%s%s%s", names, *names ? ", " : "",
				     b->model.leaves[i].base, row ? " (" : "",
				     row ? row->meaning : "", row ? ")" : "");
	}
	return n > NAMED ? arena_printf(a, "%s and %zu more", names, n - NAMED) : names;
}

const char *vectors_instead(const struct view_data *d, struct arena *a)
{
	const struct built *const b = d->built;
	bool logits = false, weights = false, mask = false;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *const h = b->members[i].hooks;
		mask |= h->mask != NULL;
		if (h->only_mask && h->only_mask(&b->members[i]))
			continue;
		logits |= h->logits != NULL || h->adjust != NULL || h->adjust_heads != NULL;
		weights |= h->weights != NULL || h->no_logits;
	}
	if (b->model.n_leaves > 0)
		return arena_printf(a,
				    "no vectors of positions: what it learned are maps and single "
				    "numbers, %s",
				    first_leaves(b, a));
	return weights	? "no vectors: the weights are computed from the positions themselves"
	       : logits ? "no vectors: a number computed from the positions meets each logit; the "
			  "view Split shows it by distance"
	       : mask	? "no vectors: a mask allows or forbids, and adds nothing"
			: "no vectors: nothing here tells one position from another";
}

/* ---- measures -------------------------------------------------------------------------------- */

static struct mat chosen_rows(struct mat m, const struct row_sample *s, struct arena *a)
{
	if (s->n == m.rows)
		return m;
	const struct mat out = mat_new(a, s->n, m.cols);
	for (size_t i = 0; i < s->n; i++)
		mat_set(mat_rows(out, i, 1), mat_rows(m, s->at[i], 1));
	return out;
}

static void measure_cosine(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	const struct mat c = k->cosine;
	const size_t n = c.rows;
	struct arena scratch;
	arena_init(&scratch);
	uint8_t *const mask = arena_calloc(&scratch, n * n + 1, 1);
	int32_t *const apart = arena_calloc(&scratch, n * n + 1, sizeof *apart);
	size_t side = 0;
	k->least = k->most = NAN;
	k->neighbour = 0;
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const double v = mat_row(c, t)[s];
			const bool counts = t != s && !isnan(v);
			mask[t * n + s] = counts;
			apart[t * n + s] = (int32_t)(t > s ? t - s : s - t);
			if (!counts)
				continue;
			k->least = fmin(isnan(k->least) ? v : k->least, v);
			k->most = fmax(isnan(k->most) ? v : k->most, v);
			if (s == t + 1) {
				k->neighbour += v;
				side++;
			}
		}
	k->neighbour = side > 0 ? k->neighbour / (double)side : NAN;
	const struct split_of of = {
		.m = c, .mask = mask, .number = apart, .by_distance_only = true, .watch = d->watch};
	split_make(&of, false, a, &k->by);
	arena_release(&scratch);
}

static void count_turns(const struct view_data *d, struct shown_vectors *k)
{
	const double two_pi = 2 * acos(-1);
	for (size_t i = 0; k->v.frequency && i < k->v.angle.cols; i++) {
		const double period = two_pi / k->v.frequency[i];
		k->turn += period <= (double)k->v.angle.rows;
		k->turned += period <= (double)d->built->model.config.t_max;
	}
}

static void measure(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	struct vectors *const v = &k->v;
	struct err err = {""};
	const bool whole = is_from_a_file(k->built) && v->at.rows <= WHOLE_ROWS;
	k->sample =
		sample_rows(v->at.rows, whole ? WHOLE_ROWS : SAMPLE_ROWS, d->scene->setup.seed, a);
	vectors_untrained(d, a, k);
	v->rows = chosen_rows(v->rows, &k->sample, a);
	v->at = chosen_rows(v->at, &k->sample, a);
	k->lo = INFINITY;
	k->hi = -INFINITY;
	for (size_t i = 0; i < v->at.rows * v->at.cols; i++) {
		const double x = mat_row(v->at, i / v->at.cols)[i % v->at.cols];
		k->lo = isfinite(x) ? fmin(k->lo, x) : k->lo;
		k->hi = isfinite(x) ? fmax(k->hi, x) : k->hi;
	}
	k->cosine = vectors_cosine(v->rows, a);
	k->pairs = vectors_histogram(k->cosine, k->bins);
	k->norm = arena_calloc(a, v->rows.rows + 1, sizeof *k->norm);
	vectors_norms(v->rows, k->norm);
	measure_cosine(d, a, k);
	count_turns(d, k);
	k->plane = mat_new(a, v->rows.rows, 2);
	if (watch_cancelled(d->watch))
		k->plane_absent = "it was not computed";
	else if (!vectors_plane(v->rows, k->plane, k->share, a, &err))
		k->plane_absent = arena_strdup(a, err.text);
	else
		k->tangled = vectors_is_tangled(k->plane);
}

/* Finds the vectors of the data's expression and measures them. */
static void find(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	k->built = d->built;
	k->trace = d->trace;
	take_more_places(d, a, k);
	k->list = arena_calloc(a, VECTORS_MOST, sizeof *k->list);
	k->n = vectors_find(k->built, k->trace, a, k->list);
	if (k->n == 0) {
		k->absent = vectors_instead(d, a);
		return;
	}
	k->of = (size_t)view_within(d->scene->vectors, k->n) - 1;
	k->v = k->list[k->of];
	measure(d, a, k);
	take_far_places(d, a, k);
	vectors_name(d, a, k);
}

struct view_data vectors_of(const struct view_data *d, size_t i, struct arena *a)
{
	struct view_data out = *d;
	if (i >= d->n_compared)
		return out;
	struct scene *const scene = arena_calloc(a, 1, sizeof *scene);
	*scene = *d->scene;
	if (d->compared[i].setup)
		scene->setup = *d->compared[i].setup;
	out.scene = scene;
	out.built = d->compared[i].built;
	out.trace = d->compared[i].trace;
	return out;
}

const void *vectors_keep(const struct view_data *d, struct arena *a)
{
	struct shown_vectors *const k = arena_calloc(a, 1, sizeof *k);
	find(d, a, k);
	if (d->n_compared < 2)
		return k;
	struct shown_vectors *const beside = arena_calloc(a, d->n_compared, sizeof *beside);
	k->n_beside = d->n_compared - 1;
	for (size_t i = 0; i < k->n_beside; i++) {
		const struct view_data other = vectors_of(d, i + 1, a);
		find(&other, a, &beside[i]);
	}
	k->beside = beside;
	return k;
}
