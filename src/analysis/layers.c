/* layers.c: see layers.h: the steps of the whole. */
#include "posviz/analysis/layers.h"

#include <math.h>
#include <string.h>

#include "layers_in.h"
#include "posviz/model/cache.h"

static const char to_come[] = "still being measured";

/* A probe takes about as long as so many sentences. */
enum { PROBE_SENTENCES = 4 };

static bool all_one(const double *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (fabs(at[i] - at[0]) > 0)
			return false;
	return true;
}

static const char *no_position(const struct layers_work *w, const struct layers_rows *rows,
			       struct arena *a)
{
	if (rows->units == 0 && strcmp(w->ground.column, "seq") != 0)
		return arena_printf(a, "no token has a number in the column %s", w->ground.column);
	if (rows->units < 2)
		return "a single token has no other position to be told from";
	return all_one(rows->target, rows->n) ? "all tokens have the same position" : NULL;
}

static size_t heads_of_sentence(const struct layers_work *w)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	return model_heads_to_run(&w->model->model, &want);
}

static struct layers_probing probing(const struct layers_work *w, const struct layers_rows *rows,
				     const struct layers_targets *targets)
{
	return (struct layers_probing){.rows = rows,
				       .targets = targets,
				       .watch = w->of.watch,
				       .heads = PROBE_SENTENCES * heads_of_sentence(w)};
}

/* ---- the scheme as it is ----------------------------------------------------------------------- */

/* Stores all data needed to recompute the last absolute probe, with room for what it finds. */
static void keep_probe(const struct layers_rows *rows, const struct layers_targets *targets,
		       struct arena *a, struct layers *out)
{
	const size_t n = rows->n;
	out->rows = mat_copy(a, rows->at[rows->layers]);
	out->targets = mat_copy(a, targets->target);
	out->folds = mat_new(a, 1, n);
	out->pairs = mat_new(a, n, 2);
	out->predicted = mat_new(a, 2, n);
	out->alphas = mat_new(a, 2, RIDGE_FOLDS);
	for (size_t i = 0; i < n; i++) {
		out->folds.at[i] = (double)targets->fold[i];
		mat_row(out->pairs, i)[0] = (double)targets->pairs[i][0];
		mat_row(out->pairs, i)[1] = (double)targets->pairs[i][1];
	}
}

/* Runs the scheme as it is, of which a sample tells units and cosines. */
static bool run_as_is(const struct layers_work *w, size_t sentences, struct arena *scratch,
		      struct layers_rows *rows, struct arena *a, struct layers *out)
{
	const struct model *const model = &w->model->model;
	struct err err = {""};
	if (!layers_run_first(&w->ground, model, sentences, scratch, rows, &err) ||
	    !layers_run_rest(&w->ground, model, rows, &err)) {
		out->why = arena_strdup(a, err.text);
		return false;
	}
	out->units = rows->units;
	out->sentences = sentences;
	out->no_position = no_position(w, rows, a);
	if (rows->units > 0)
		out->cosine = layers_cosines(rows, a);
	return true;
}

static void measure_sample(const struct layers_work *w, struct arena *a, struct layers *out)
{
	struct layers_rows rows;
	struct arena scratch;
	arena_init(&scratch);
	run_as_is(w, LAYERS_SAMPLE, &scratch, &rows, a, out);
	arena_release(&scratch);
}

static void measure_as_is(const struct layers_work *w, bool keep, struct layers_so_far *so_far,
			  struct arena *a, struct layers *out)
{
	struct layers_way *const way = &out->ways[LAYERS_AS_IS];
	struct layers_rows rows;
	struct layers_targets targets;
	struct arena scratch;
	arena_init(&scratch);
	way->pending = false;
	way->why = NULL;
	if (run_as_is(w, LAYERS_SENTENCES, &scratch, &rows, a, out)) {
		so_far->allowed = rows.allowed;
		layers_sum(&rows, so_far->sum);
		if (!out->no_position) {
			layers_make_targets(w->of.setup->seed, &rows, &scratch, &targets);
			if (keep)
				keep_probe(&rows, &targets, a, out);
			struct layers_probing p = probing(w, &rows, &targets);
			p.way = way;
			p.shuffled = &out->shuffled;
			p.keep = keep ? out : NULL;
			layers_probe(&p);
		}
	}
	arena_release(&scratch);
}

static void measure_orders(const struct layers_work *w, struct arena *a, struct layers *out)
{
	struct err err = {""};
	out->order_pending = false;
	if (!layers_equivariance(&w->ground, &w->model->model, out->equivariance, &out->no_order,
				 &err))
		out->no_order = arena_strdup(a, err.text);
}

/* ---- its variants ------------------------------------------------------------------------------ */

/* Returns why a variant is none after its first sentence; or NULL. */
static const char *no_variant(const struct layers_rows *rows, const struct layers *is,
			      const struct layers_so_far *so_far, bool twin)
{
	return rows->units != is->units			  ? "it has other tokens then"
	       : twin && rows->allowed == so_far->allowed ? "it masks later keys by itself"
							  : NULL;
}

static void measure_variant(const struct layers_work *w, const struct model *model, bool twin,
			    const struct layers_so_far *so_far, struct layers_way *way,
			    struct arena *a, struct layers *out)
{
	struct layers_rows rows;
	struct layers_targets targets;
	struct arena scratch;
	struct err err = {""};
	uint64_t sum[LAYERS_MOST + 1];
	arena_init(&scratch);
	way->layers = model->n_steps;
	const bool first =
		layers_run_first(&w->ground, model, LAYERS_SENTENCES, &scratch, &rows, &err);
	way->why = first ? no_variant(&rows, out, so_far, twin) : NULL;
	if (first && !way->why && layers_run_rest(&w->ground, model, &rows, &err)) {
		layers_make_targets(w->of.setup->seed, &rows, &scratch, &targets);
		layers_sum(&rows, sum);
		struct layers_probing p = probing(w, &rows, &targets);
		p.way = way;
		p.before = &out->ways[LAYERS_AS_IS];
		p.sum = sum;
		p.sum_before = so_far->sum;
		layers_probe(&p);
		if (!twin && rows.allowed > so_far->allowed && rows.layers == p.before->layers)
			way->says = arena_printf(a, "%s; its mask ends there too", way->says);
	}
	if (*err.text)
		way->why = arena_strdup(a, err.text);
	arena_release(&scratch);
}

/* A trained model reads its weights again for each sentence: a large one would take minutes for what it was
 * not trained to do. */
static bool is_large_and_trained(const struct model *model)
{
	static const double most = 1 << 24; /* numbers, as of weights that are drawn again */
	const struct model_config *const c = &model->config;
	const double of_layer = 2.0 * (double)c->d * (double)(model->qk_width + c->ff);
	return model->given && model->given->source && of_layer * (double)c->layers > most;
}

static void measure_way(const struct layers_work *w, enum layers_way_kind kind,
			const struct layers_so_far *so_far, struct arena *a, struct layers *out)
{
	struct layers_way *const way = &out->ways[kind];
	struct layers_model *const other = arena_calloc(w->a, 1, sizeof *other);
	if (!way->pending)
		return;
	way->pending = false;
	way->why = NULL;
	if (!layers_other_way(w->model, kind, other, way, a) || out->no_position)
		return;
	if (is_large_and_trained(&w->model->model))
		way->why = "not run: a trained model of this size would take minutes";
	else
		measure_variant(w, &other->model, kind == LAYERS_TWIN, so_far, way, a, out);
}

/* ---- steps ------------------------------------------------------------------------------------- */

static void fill_nan(struct layers_way *way, size_t layers)
{
	way->layers = layers;
	for (size_t l = 0; l <= LAYERS_MOST; l++)
		way->absolute[l] = way->relative[l] = NAN;
}

/* Names the variants; those that exist are to come. */
static void name_ways(const struct layers_work *w, struct arena *a, struct layers *out)
{
	const size_t layers = w->model->model.n_steps;
	for (size_t k = 0; k < LAYERS_WAYS; k++)
		fill_nan(&out->ways[k], layers);
	fill_nan(&out->shuffled, layers);
	out->ways[LAYERS_AS_IS].label = "unchanged";
	out->ways[LAYERS_AS_IS].pending = true;
	out->ways[LAYERS_AS_IS].why = to_come;
	out->shuffled.label = "shuffled";
	out->order_pending = true;
	out->no_order = to_come;
	for (enum layers_way_kind k = LAYERS_OTHER; k < LAYERS_WAYS; k++) {
		struct layers_way *const way = &out->ways[k];
		struct layers_model *const other = arena_calloc(w->a, 1, sizeof *other);
		way->pending = layers_other_way(w->model, k, other, way, a);
		if (way->pending)
			way->why = to_come;
	}
}

bool layers_open(const struct layers_of *of, struct arena *scratch, struct layers_work *w,
		 struct arena *a, struct layers *out)
{
	struct err err = {""};
	*w = (struct layers_work){.of = *of, .a = scratch};
	w->model = arena_calloc(scratch, 1, sizeof *w->model);
	*out = (struct layers){.own_layers = of->built->model.config.layers};
	layers_ground(&w->of, scratch, &w->ground);
	out->column = arena_strdup(a, w->ground.column);
	out->given = of->built->position_ids && strcmp(out->column, "seq") == 0;
	out->on = (struct measured_on){.units = w->ground.on.built.written.n,
				       .of = of->built->written.n,
				       .nodes = of->built->structure != NULL};
	if (!layers_as_is(&w->of, w->model, scratch, &err)) {
		out->why = arena_strdup(a, err.text);
		return false;
	}
	out->middle = layers_middle(&w->model->model) + 1;
	out->to_come = STEPS;
	name_ways(w, a, out);
	return true;
}

bool layers_step(const struct layers_work *w, size_t step, bool whole, struct layers_so_far *so_far,
		 struct arena *a, struct layers *out)
{
	if (step == STEP_SAMPLE)
		measure_sample(w, a, out);
	else if (step == STEP_ALL)
		measure_as_is(w, whole, so_far, a, out);
	else if (step == STEP_ORDERS)
		measure_orders(w, a, out);
	else
		measure_way(w, (enum layers_way_kind)(LAYERS_OTHER + step - STEP_WAYS), so_far, a,
			    out);
	if (!out->why && watch_cancelled(w->of.watch))
		out->why = "cancelled";
	out->to_come = STEPS - 1 - step;
	return !out->why;
}

size_t layers_heads(const struct layers_work *w, size_t step, const struct layers *of)
{
	const size_t probes = 2 * (w->model->model.n_steps + 1) * PROBE_SENTENCES;
	const bool way = step >= STEP_WAYS, large = is_large_and_trained(&w->model->model);
	const size_t sentences =
		step == STEP_SAMPLE   ? LAYERS_SAMPLE
		: step == STEP_ALL    ? LAYERS_SENTENCES + probes
		: step == STEP_ORDERS ? MEASURE_SHUFFLES + 1
		: way && !large && of->ways[LAYERS_OTHER + step - STEP_WAYS].pending
			? LAYERS_SENTENCES + probes
			: 0;
	return sentences * heads_of_sentence(w);
}

struct cache *layers_cache(const struct layers_of *of)
{
	const struct model *const m = &of->built->model;
	const struct model_config *const c = &m->config;
	/* w_q w_k w_v w_o and the two of the feed-forward block, for as many layers as are run,
	 * in two variants. */
	const double weights = 16.0 * (double)c->d * (double)(m->qk_width + m->v_width + c->ff) *
			       fmax((double)c->layers, LAYERS_DEPTH);
	const bool wide =
		2 * weights > CACHE_BYTES && (c->memory == 0 || 4 * weights < (double)c->memory);
	return of->cache && !wide ? NULL : cache_new(wide ? (size_t)(2 * weights) : CACHE_BYTES);
}

void layers_measure(const struct layers_of *of, struct arena *a, struct layers *out)
{
	struct layers_of own = *of;
	struct layers_work w;
	struct layers_so_far so_far;
	struct arena scratch;
	struct cache *const made = layers_cache(of);
	size_t heads = 0;
	own.cache = made ? made : of->cache;
	arena_init(&scratch);
	bool ok = layers_open(&own, &scratch, &w, a, out);
	for (size_t step = STEP_ORDERS; ok && step < STEPS; step++)
		heads += layers_heads(&w, step, out);
	watch_expect(of->watch, heads);
	for (size_t step = STEP_ORDERS; ok && step < STEPS; step++)
		ok = layers_step(&w, step, true, &so_far, a, out);
	arena_release(&scratch);
	if (made)
		cache_free(made);
}
