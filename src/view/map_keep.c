/* map_keep.c: the computations of the view Map: the signature of each scheme on the scene's
 * input, and from these the distances and planes of all kinds, so that another kind can be shown
 * without new runs.
 *
 * Signatures are stored in the cache by everything that they depend on; each picture computes a
 * limited number of them. They are small. The runs themselves are not stored: they would crowd
 * the shown ones out of the cache. */
#include <math.h>
#include <string.h>

#include "map_in.h"
#include "posviz/analysis/outputs.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"

/* The stored result for a scheme: its signature, or the reason why there is none. */
struct kept {
	struct map_signature s;
	const char *why; /* NULL: there is a signature */
};

struct job_of_map {
	const struct view_data *d;
	struct map_entry *entries;
	const struct kept **kept; /* for each entry; NULL: not computed yet */
	const char **key;	  /* keys in the cache; NULL: it cannot be stored */
	size_t *wanted, n_wanted; /* indices of the entries to compute */
	bool *large;	   /* [n] entries that need more than a thread's share of the memory */
	bool alone;	   /* one entry is computed at a time */
	struct arena *own; /* [n] memory of those that the cache did not take */
};

/* ---- entries --------------------------------------------------------------------------------- */

static const char *with_masks(const char *expression, const struct expr *now, struct arena *a)
{
	struct err err;
	const struct expr *const alone = expr_of(expression, a, &err);
	if (!alone)
		BUG("%s: %s", expression, err.text);
	struct expr picked = *alone;
	expr_keep_masks(&picked, now, a);
	return expr_print(&picked, a);
}

enum { NAME_COLS = 28 };

/* Adds a scheme, unless its expression is there already; then it is no longer aside if this one is not. */
static void add_entry(struct shown_map *k, const struct map_entry *e)
{
	for (size_t i = 0; i < k->n; i++) {
		if (strcmp(k->entries[i].expression, e->expression) != 0)
			continue;
		if (k->entries[i].aside && e->scheme->flags & SCHEME_YOURS)
			k->entries[i].name = e->name;
		k->entries[i].aside &= e->aside;
		return;
	}
	k->entries[k->n++] = *e;
}

/* Adds what is compared, but for a scheme as it is, which the list has or leaves out. */
static void add_compared(const struct view_data *d, size_t number, const struct beside *b,
			 struct arena *a, struct shown_map *k)
{
	const char *const expression = b->expression;
	const char *const text = b->model ? expression : with_masks(expression, &d->built->expr, a);
	const char *const name = view_expression_name(d->scene, number, expression, a);
	struct expr e;
	if (!expr_parse(&e, text, a, NULL) ||
	    (!b->model && strcmp(expression, expr_main(&e)->scheme->id) == 0))
		return;
	add_entry(k, &(struct map_entry){
			     .scheme = expr_main(&e)->scheme,
			     .name = text_shorten(a, b->model ? model_name(b->model, a) : name,
						  NAME_COLS, false),
			     .expression = text,
			     .model = b->model,
			     .aside = true,
			     .state = MAP_TO_COME});
}

/* The scene's own expression is the first; after the schemes of the list come the user's names, and what is
 * compared. */
static void list_entries(const struct view_data *d, struct arena *a, struct shown_map *k)
{
	const struct expr *const now = &d->built->expr;
	struct beside compared[COMPARE_MAX];
	const size_t n_compared = scene_beside(&d->scene->setup, a, compared);
	const struct scheme *own;
	size_t defined = 0;
	while (define_at(defined))
		defined++;
	k->entries = arena_calloc(a, scheme_count() + defined + n_compared + 1, sizeof *k->entries);
	add_entry(k,
		  &(struct map_entry){
			  .scheme = expr_main(now)->scheme,
			  .name = text_shorten(
				  a, view_expression_name(d->scene, 0, d->scene->setup.scheme, a),
				  NAME_COLS, false),
			  .expression = expr_print(now, a),
			  .aside = true,
			  .state = MAP_TO_COME});
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		/* A rule alone tells of no positions: it stands where none does. */
		if (scene_lists(d->scene, s) && !(s->flags & SCHEME_RULE))
			add_entry(k, &(struct map_entry){.scheme = s,
							 .name = s->id,
							 .expression = with_masks(s->id, now, a),
							 .state = MAP_TO_COME});
	}
	for (size_t i = 0; (own = define_at(i)) != NULL; i++)
		if (scene_lists(d->scene, own))
			add_entry(k, &(struct map_entry){
					     .scheme = own,
					     .name = text_shorten(a, own->id, NAME_COLS, false),
					     .expression = with_masks(own->expression, now, a),
					     .aside = true,
					     .state = MAP_TO_COME});
	for (size_t i = 1; i < n_compared; i++)
		if (compared[i].expression && !beside_has_input(&compared[i]))
			add_compared(d, i, &compared[i], a, k);
}

/* ---- signatures ------------------------------------------------------------------------------ */

static bool setup_of(const struct view_data *d, const struct map_entry *e, struct arena *a,
		     struct setup *out, struct err *err)
{
	return setup_of_model(&d->scene->setup, e->expression, e->model, a, out, err);
}

static struct want want_of(const struct scene *s, const struct built *b)
{
	return (struct want){.kinds = WANT_BIAS | WANT_MASK | WANT_WEIGHTS | view_context_if(b),
			     .layer = view_wanted(s->layer, b->model.n_steps),
			     .head = view_wanted(s->head, b->model.config.heads)};
}

/* Tells whether a run fits into the memory that a thread has while others run as well. */
static bool fits_a_share(const struct job_of_map *j, const struct built *b, const struct want *want)
{
	const size_t share = b->model.config.memory / machine_threads();
	return j->alone || share == 0 || model_estimate(&b->model, &b->model_input, want) <= share;
}

/* Computes the signature of an entry, or says why there is none. Returns false, with nothing made, if the entry is
 * found to be large, or if it was cancelled. */
static bool run(const struct job_of_map *j, const struct map_entry *e, struct arena *a,
		struct kept *out, bool *large)
{
	const struct scene *const scene = j->d->scene;
	struct setup setup;
	struct arena scratch;
	struct err err = {""};
	struct trace trace;
	arena_init(&scratch);
	struct built *const b = arena_calloc(&scratch, 1, sizeof *b);
	bool ok =
		setup_of(j->d, e, &scratch, &setup, &err) && setup_build(&setup, &scratch, b, &err);
	if (ok) {
		const struct want want = want_of(scene, b);
		*large = !fits_a_share(j, b, &want);
		ok = !*large && built_run(b, &b->model_input, &want, NULL, j->d->watch, &scratch,
					  &trace, &err);
	}
	if (ok) {
		const size_t heads = b->model.config.heads;
		const struct trace_head *const shown = view_shown(scene, heads, &trace, &scratch);
		const struct trace_head *const first =
			&trace.layers[0].heads[view_chosen(scene->head, heads)];
		const char *const none = view_without_bias(b) ? view_no_logits : NULL;
		const struct mat outputs =
			outputs_contexts(&trace, view_chosen(scene->layer, trace.n_layers),
					 view_chosen(scene->head, heads), heads, &scratch);
		map_signature(&trace, first, shown, outputs,
			      trace.bias_absent ? trace.bias_absent : none, setup.seed, a, &out->s);
	}
	out->why = ok ? NULL : arena_strdup(a, err.text);
	arena_release(&scratch);
	return !*large && (!j->d->watch || !watch_cancelled(j->d->watch));
}

static void make_one(void *context, size_t i, size_t worker)
{
	struct job_of_map *const j = context;
	const size_t at = j->wanted[i];
	struct arena *const own = &j->own[at];
	(void)worker;
	struct kept *const made = arena_calloc(own, 1, sizeof *made);
	if (!run(j, &j->entries[at], own, made, &j->large[at]))
		return;
	j->kept[at] = made;
	if (j->key[at])
		cache_adopt(j->d->cache, j->key[at], made, own);
}

static const char *key_of(const struct view_data *d, const struct map_entry *e, struct arena *a)
{
	struct setup setup;
	const char *const of = d->cache && setup_of(d, e, a, &setup, NULL)
				       ? setup_identity(&setup, false, a)
				       : NULL;
	return of ? arena_printf(a, "map head %ld layer %ld %s", d->scene->head, d->scene->layer,
				 of)
		  : NULL;
}

/* Finds the stored signatures, and computes as many of the others as are allowed. A signature
 * that cannot be stored is computed at once, because it would never be found later. */
static void find_signatures(struct job_of_map *j, size_t n, struct arena *a)
{
	const struct view_data *const d = j->d;
	size_t most = d->most;
	for (size_t i = 0; i < n; i++) {
		j->key[i] = key_of(d, &j->entries[i], a);
		j->kept[i] = j->key[i] ? cache_block(d->cache, j->key[i]) : NULL;
		if (j->kept[i] || (i > 0 && j->key[i] && most == 0))
			continue;
		most -= i > 0 && j->key[i] ? 1 : 0;
		j->wanted[j->n_wanted++] = i;
	}
	const struct want want = want_of(d->scene, d->built);
	watch_expect(d->watch, j->n_wanted * model_heads_to_run(&d->built->model, &want));
	machine_parallel(j->n_wanted, make_one, j);
	j->alone = true;
	for (size_t i = 0; i < j->n_wanted; i++)
		if (j->large[j->wanted[i]])
			make_one(j, i, 0);
}

/* Sets the state of each entry, and copies its small pictures, which are needed longer than the
 * cache keeps them. */
static void settle(struct shown_map *k, const struct kept *const *kept, struct arena *a)
{
	for (size_t i = 0; i < k->n; i++) {
		struct map_entry *const e = &k->entries[i];
		if (!kept[i]) {
			k->to_come++;
			continue;
		}
		const bool own = kept[0] && !kept[0]->why;
		e->s = &kept[i]->s;
		e->state = kept[i]->why					      ? MAP_FAILS
			   : own && !map_same_units(&kept[0]->s, &kept[i]->s) ? MAP_UNITS
									      : MAP_HERE;
		e->outputs = own && !kept[i]->why ? map_outputs_apart(&kept[0]->s, e->s) : NAN;
		e->why = kept[i]->why	 ? arena_strdup(a, kept[i]->why)
			 : e->s->no_bias ? arena_strdup(a, e->s->no_bias)
					 : NULL;
		for (size_t m = 0; m < DISTANCE_OF_COUNT && e->state == MAP_HERE; m++)
			e->thumb[m] =
				e->s->thumb[m].at ? mat_copy(a, e->s->thumb[m]) : (struct mat){0};
	}
}

/* ---- distances ------------------------------------------------------------------------------- */

struct distances_job {
	const struct map_entry *entries;
	const size_t *entry;
	struct mat d;
	enum distance_of kind;
};

static void fill_row(void *context, size_t i, size_t worker)
{
	struct distances_job *const j = context;
	(void)worker;
	for (size_t k = 0; k < i; k++)
		mat_row(j->d, i)[k] = mat_row(j->d, k)[i] =
			map_apart(j->entries[j->entry[i]].s, j->entries[j->entry[k]].s, j->kind);
}

static enum map_state state_in(const struct map_entry *e, enum distance_of kind)
{
	return e->state != MAP_HERE || e->s->at[kind].at ? e->state : MAP_NO_BIAS;
}

/* Keeps the points that have a distance to all kept points before them; returns their number. */
static size_t with_distances(struct mat d, size_t *entry, size_t n, struct mat *out,
			     struct arena *a)
{
	size_t *const at = arena_calloc(a, n + 1, sizeof *at), left = 0;
	for (size_t i = 0; i < n; i++) {
		bool all = true;
		for (size_t k = 0; k < left; k++)
			all &= isfinite(mat_row(d, i)[at[k]]);
		if (all)
			at[left++] = i;
	}
	*out = mat_new(a, left, left);
	for (size_t i = 0; i < left; i++) {
		for (size_t k = 0; k < left; k++)
			mat_row(*out, i)[k] = mat_row(d, at[i])[at[k]];
		entry[i] = entry[at[i]];
	}
	return left;
}

/* The schemes whose places give the signs of the axes. */
static const char *const anchor_names[] = {"alibi", "sinusoidal", "t5", "none"};
enum { ANCHORS = sizeof anchor_names / sizeof *anchor_names };

static size_t find_anchors(const struct shown_map *k, const struct map_kind *kind, size_t *out)
{
	size_t n = 0;
	for (size_t a = 0; a < ANCHORS; a++) {
		for (size_t i = 0; i < kind->n; i++) {
			const struct map_entry *const e = &k->entries[kind->entry[i]];
			if (!e->aside && strcmp(e->scheme->id, anchor_names[a]) == 0)
				out[n++] = i;
		}
	}
	return n;
}

static void make_kind(const struct shown_map *k, enum distance_of kind, struct arena *a,
		      struct map_kind *out)
{
	struct arena scratch;
	struct err err = {""};
	size_t *const entry = arena_calloc(a, k->n + 1, sizeof *entry);
	for (size_t i = 0; i < k->n; i++) {
		const enum map_state state = state_in(&k->entries[i], kind);
		if (state == MAP_HERE)
			entry[out->n++] = i;
		else
			out->out[state]++;
	}
	out->entry = entry;
	if (out->n == 0 || entry[0] != 0) {
		const char *const why = k->entries[0].why;
		out->absent = why ? arena_printf(a, "%s; distance-of weights compares weights", why)
				  : "it was not computed";
		out->n = 0;
		return;
	}
	arena_init(&scratch);
	struct distances_job j = {k->entries, entry, mat_zero(&scratch, out->n, out->n), kind};
	machine_parallel(out->n, fill_row, &j);
	const size_t before = out->n;
	out->n = with_distances(j.d, entry, before, &out->d, a);
	out->out[MAP_NO_PAIR] = before - out->n;
	arena_release(&scratch);
	out->first = map_first(out->d, a);
	out->nearest = map_nearest(out->d, 0, a);
	size_t anchors[ANCHORS];
	bool *const aside = arena_calloc(a, out->n + 1, sizeof *aside);
	for (size_t i = 0; i < out->n; i++)
		aside[i] = k->entries[entry[i]].aside;
	const struct map_fix fix = {aside, anchors, find_anchors(k, out, anchors)};
	if (!map_plane(out->d, &fix, a, &out->plane, &err))
		out->absent = arena_strdup(a, err.text);
}

const void *map_keep(const struct view_data *d, struct arena *a)
{
	struct shown_map *const k = arena_calloc(a, 1, sizeof *k);
	list_entries(d, a, k);
	struct job_of_map j = {.d = d,
			       .entries = k->entries,
			       .kept = arena_calloc(a, k->n, sizeof *j.kept),
			       .key = arena_calloc(a, k->n, sizeof *j.key),
			       .wanted = arena_calloc(a, k->n, sizeof *j.wanted),
			       .large = arena_calloc(a, k->n, sizeof *j.large),
			       .own = arena_calloc(a, k->n, sizeof *j.own)};
	for (size_t i = 0; i < k->n; i++)
		arena_init(&j.own[i]);
	cache_enter(d->cache);
	find_signatures(&j, k->n, a);
	settle(k, j.kept, a);
	k->rows = j.kept[0] && !j.kept[0]->why ? j.kept[0]->s.at[DISTANCE_WEIGHTS].rows : 0;
	k->of_rows = j.kept[0] ? j.kept[0]->s.n_q : 0;
	for (size_t kind = 0; kind < DISTANCE_OF_COUNT; kind++)
		make_kind(k, (enum distance_of)kind, a, &k->kinds[kind]);
	cache_leave(d->cache);
	for (size_t i = 0; i < k->n; i++) {
		k->entries[i].s = NULL; /* the cache may drop it from now on */
		arena_release(&j.own[i]);
	}
	return k;
}

size_t map_to_come(const void *kept)
{
	const struct shown_map *const k = kept;
	return k->to_come;
}

const struct map_kind *map_kind_of(const struct view_data *d)
{
	const struct shown_map *const k = d->kept;
	return &k->kinds[d->scene->distance_of];
}
