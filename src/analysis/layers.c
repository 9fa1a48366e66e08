/* layers.c: see layers.h: probes on the rows after each layer. */
#include "posviz/analysis/layers.h"

#include <math.h>
#include <string.h>

#include "layers_in.h"
#include "posviz/math/machine.h"

struct measuring_layers {
	const struct layers_of *of;
	struct layers_ground ground;
	struct layers_rows rows; /* of one variant */
	const size_t *fold;	 /* [rows] */
	struct mat target;	 /* [2, rows]: t, and those of each sentence shuffled */
	size_t (*pairs)[2];	 /* [rows] pairs: t and s, as row indices */
	const size_t *pair_fold;
	struct mat pair_target; /* [2, rows] */
	struct arena *a;	/* scratch of one variant */
};

/* ---- targets
 * -------------------------------------------------------------------------------------- */

static void make_targets(struct measuring_layers *m)
{
	const size_t n = m->rows.n, units = m->rows.units;
	size_t *const fold = arena_calloc(m->a, n + 1, sizeof *fold);
	m->target = mat_new(m->a, 2, n);
	for (size_t k = 0; k < LAYERS_SENTENCES; k++) {
		const size_t *const from =
			measure_shuffle(m->of->setup->seed, "layers.shuffled", k, units, 0, m->a);
		for (size_t i = 0; i < units; i++) {
			const size_t at = k * units + i;
			fold[at] = k % RIDGE_FOLDS;
			mat_row(m->target, 0)[at] = m->rows.target[at];
			mat_row(m->target, 1)[at] = m->rows.target[k * units + from[i]];
		}
	}
	m->fold = m->pair_fold = fold; /* there are as many pairs as rows */
}

/* Draws, for each sentence, as many pairs of two tokens as it has tokens; a pair may be
 * repeated. */
static void draw_pairs(struct measuring_layers *m)
{
	const size_t n = m->rows.n, units = m->rows.units;
	struct rng rng;
	rng_init_name(&rng, m->of->setup->seed, "layers.pair");
	m->pairs = arena_calloc(m->a, n + 1, sizeof *m->pairs);
	m->pair_target = mat_new(m->a, 2, n);
	for (size_t i = 0; i < n; i++) {
		const size_t first = i / units * units, t = rng_below(&rng, units),
			     s = rng_below(&rng, units - 1);
		m->pairs[i][0] = first + t;
		m->pairs[i][1] = first + s + (s >= t);
		for (size_t k = 0; k < 2; k++)
			mat_row(m->pair_target, k)[i] = mat_row(m->target, k)[m->pairs[i][1]] -
							mat_row(m->target, k)[m->pairs[i][0]];
	}
}

static bool all_one(const double *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (fabs(at[i] - at[0]) > 0)
			return false;
	return true;
}

static const char *no_position(const struct measuring_layers *m, struct arena *a)
{
	const size_t units = m->rows.units;
	if (units == 0 && strcmp(m->ground.column, "seq") != 0)
		return arena_printf(a, "no token has a number in the column %s", m->ground.column);
	if (units < 2)
		return "a single token has no other position to be told from";
	return all_one(m->rows.target, m->rows.n) ? "all tokens have the same position" : NULL;
}

/* ---- probes ---------------------------------------------------------------------------------- */

/* Returns the rows h_s − h_t of the pairs. */
static struct mat differences(const struct measuring_layers *m, struct mat h, struct arena *a)
{
	const struct mat out = mat_new(a, h.rows, h.cols);
	for (size_t i = 0; i < h.rows; i++) {
		const double *const t = mat_row(h, m->pairs[i][0]), *const s = mat_row(
									    h, m->pairs[i][1]);
		for (size_t k = 0; k < h.cols; k++)
			mat_row(out, i)[k] = s[k] - t[k];
	}
	return out;
}

struct probing {
	const struct measuring_layers *m;
	struct layers_way *way, *shuffled; /* shuffled NULL: not wanted */
	size_t from;			   /* the first layer that is probed */
};

/* Runs one probe: even numbers are absolute, odd ones relative. */
static void probe_layer(void *context, size_t i, size_t worker)
{
	(void)worker;
	const struct probing *const p = context;
	const struct measuring_layers *const m = p->m;
	const size_t layer = p->from + i / 2, targets = p->shuffled ? 2 : 1;
	const bool relative = i % 2 == 1;
	struct ridge found[2];
	struct arena a;
	struct err err = {""};
	arena_init(&a);
	const struct mat h = m->rows.at[layer];
	const struct ridge_of of = {
		.x = relative ? differences(m, h, &a) : h,
		.y = mat_rows(relative ? m->pair_target : m->target, 0, targets),
		.fold = relative ? m->pair_fold : m->fold,
		.intercept = !relative,
		.watch = m->of->watch};
	ridge_judge(&of, (struct mat){0}, found, &err);
	(relative ? p->way->relative : p->way->absolute)[layer] = found[0].r2;
	if (p->shuffled)
		(relative ? p->shuffled->relative : p->shuffled->absolute)[layer] = found[1].r2;
	arena_release(&a);
}

/* The input of layer 1 is the same in every variant, so it is probed once. */
static void probe_all(const struct measuring_layers *m, struct layers_way *way,
		      const struct layers_way *as_is, struct layers_way *shuffled)
{
	struct probing p = {.m = m, .way = way, .shuffled = shuffled, .from = as_is ? 1 : 0};
	if (as_is) {
		way->absolute[0] = as_is->absolute[0];
		way->relative[0] = as_is->relative[0];
	}
	machine_parallel(2 * (way->layers + 1 - p.from), probe_layer, &p);
}

/* Runs the last absolute probe again and stores all data needed to recompute it. */
static void keep_probe(const struct measuring_layers *m, struct arena *a, struct layers *out)
{
	struct ridge found[2];
	struct err err = {""};
	const size_t n = m->rows.n;
	out->rows = mat_copy(a, m->rows.at[m->rows.layers]);
	out->targets = mat_copy(a, m->target);
	out->folds = mat_new(a, 1, n);
	out->pairs = mat_new(a, n, 2);
	out->predicted = mat_new(a, 2, n);
	out->alphas = mat_new(a, 2, RIDGE_FOLDS);
	for (size_t i = 0; i < n; i++) {
		out->folds.at[i] = (double)m->fold[i];
		mat_row(out->pairs, i)[0] = (double)m->pairs[i][0];
		mat_row(out->pairs, i)[1] = (double)m->pairs[i][1];
	}
	const struct ridge_of of = {.x = out->rows,
				    .y = m->target,
				    .fold = m->fold,
				    .intercept = true,
				    .watch = m->of->watch};
	ridge_judge(&of, out->predicted, found, &err);
	for (size_t k = 0; k < 2; k++)
		memcpy(mat_row(out->alphas, k), found[k].alpha, sizeof found[k].alpha);
}

/* ---- cosines --------------------------------------------------------------------------------- */

static double mean_cosine(struct mat x, struct mat y)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < x.rows; i++) {
		double xx = 0, yy = 0, xy = 0;
		for (size_t k = 0; k < x.cols; k++) {
			const double u = mat_row(x, i)[k], v = mat_row(y, i)[k];
			xx += u * u;
			yy += v * v;
			xy += u * v;
		}
		sum += xx > 0 && yy > 0 ? xy / sqrt(xx) / sqrt(yy) : 0;
		n += xx > 0 && yy > 0;
	}
	return n > 0 ? fmax(-1, fmin(1, sum / n)) : NAN;
}

static struct mat cosines(const struct layers_rows *rows, struct arena *a)
{
	const size_t n = rows->layers + 1;
	const struct mat out = mat_new(a, n, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k <= i; k++)
			mat_row(out, i)[k] = mat_row(out, k)[i] =
				mean_cosine(rows->at[i], rows->at[k]);
	return out;
}

/* ---- everything ------------------------------------------------------------------------------ */

static void fill_nan(struct layers_way *way, size_t layers)
{
	way->layers = layers;
	for (size_t l = 0; l <= LAYERS_MOST; l++)
		way->absolute[l] = way->relative[l] = NAN;
}

static bool measure_as_is(struct measuring_layers *m, const struct model *model, struct arena *a,
			  struct layers *out, struct err *err)
{
	if (!layers_run(&m->ground, model, m->a, &m->rows, err))
		return false;
	out->units = m->rows.units;
	out->no_position = no_position(m, a);
	if (m->rows.units > 0)
		out->cosine = cosines(&m->rows, a);
	if (!out->no_position) {
		make_targets(m);
		draw_pairs(m);
		probe_all(m, &out->ways[LAYERS_AS_IS], NULL, &out->shuffled);
		keep_probe(m, a, out);
	}
	if (!layers_equivariance(&m->ground, model, out->equivariance, &out->no_order, err))
		out->no_order = arena_strdup(a, err->text);
	err->text[0] = '\0';
	return true;
}

/* Measures another variant. Its rows exist together with those of the scheme as it is, and are
 * freed before those of the next. */
static void measure_other(const struct measuring_layers *as_is, const struct model *model,
			  bool twin, struct layers_way *way, const struct layers_way *before,
			  struct arena *a)
{
	struct measuring_layers m = *as_is;
	struct arena scratch;
	struct err err = {""};
	arena_init(&scratch);
	m.a = &scratch;
	way->layers = model->n_steps;
	if (!layers_run(&m.ground, model, &scratch, &m.rows, &err)) {
		way->why = arena_strdup(a, err.text);
	} else if (m.rows.units != as_is->rows.units) {
		way->why = "it has other tokens then";
	} else if (twin && m.rows.allowed == as_is->rows.allowed) {
		way->why = "it masks later keys by itself";
	} else {
		make_targets(&m);
		draw_pairs(&m);
		probe_all(&m, way, before, NULL);
		if (!twin && m.rows.allowed > as_is->rows.allowed &&
		    m.rows.layers == as_is->rows.layers)
			way->says = arena_printf(a, "%s; its mask ends there too", way->says);
	}
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

static void measure_others(const struct measuring_layers *m, const struct layers_model *as_is,
			   struct arena *a, struct layers *out)
{
	const bool large = is_large_and_trained(&as_is->model);
	for (enum layers_way_kind k = LAYERS_OTHER; k < LAYERS_WAYS; k++) {
		struct layers_way *const way = &out->ways[k];
		struct layers_model *const other = arena_calloc(m->a, 1, sizeof *other);
		if (!layers_other_way(as_is, k, other, way, a) || out->no_position)
			continue;
		if (large)
			way->why = "not run: a trained model of this size would take minutes";
		else
			measure_other(m, &other->model, k == LAYERS_TWIN, way,
				      &out->ways[LAYERS_AS_IS], a);
	}
}

/* Announces the heads of all runs to the watch. */
static void announce_heads(const struct layers_of *of, const struct model *model)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	const size_t ways = is_large_and_trained(model) ? 1 : LAYERS_WAYS;
	watch_expect(of->watch, (ways * (LAYERS_SENTENCES + 1) + MEASURE_SHUFFLES + 1) *
					model_heads_to_run(model, &want));
}

static void measure(const struct layers_of *of, struct arena *a, struct layers *out)
{
	struct arena scratch;
	struct err err = {""};
	struct measuring_layers m = {.of = of, .a = &scratch};
	*out = (struct layers){.own_layers = of->built->model.config.layers};
	arena_init(&scratch);
	struct layers_model *const model = arena_calloc(&scratch, 1, sizeof *model);
	layers_ground(of, &scratch, &m.ground);
	out->column = arena_strdup(a, m.ground.column);
	out->given = of->built->position_ids && strcmp(out->column, "seq") == 0;
	out->on = (struct measured_on){.units = m.ground.on.built.written.n,
				       .of = of->built->written.n,
				       .nodes = of->built->structure != NULL};
	if (layers_as_is(of, model, &scratch, &err)) {
		out->middle = layers_middle(&model->model) + 1;
		out->ways[LAYERS_AS_IS].label = "unchanged";
		out->shuffled.label = "shuffled";
		for (size_t k = 0; k < LAYERS_WAYS; k++)
			fill_nan(&out->ways[k], model->model.n_steps);
		fill_nan(&out->shuffled, model->model.n_steps);
		announce_heads(of, &model->model);
		if (measure_as_is(&m, &model->model, a, out, &err))
			measure_others(&m, model, a, out);
	}
	out->why = *err.text			? arena_strdup(a, err.text)
		   : watch_cancelled(of->watch) ? "cancelled"
						: NULL;
	arena_release(&scratch);
}

/* Makes a cache if there is none: otherwise the weights would be drawn again for each sentence. */
void layers_measure(const struct layers_of *of, struct arena *a, struct layers *out)
{
	struct layers_of own = *of;
	const struct model *const m = &of->built->model;
	const struct model_config *const c = &m->config;
	/* w_q w_k w_v w_o and the two of the feed-forward block, for as many layers as are run,
	 * in two variants. */
	const double weights = 16.0 * (double)c->d * (double)(m->qk_width + m->v_width + c->ff) *
			       fmax((double)c->layers, LAYERS_DEPTH);
	const bool wide =
		2 * weights > CACHE_BYTES && (c->memory == 0 || 4 * weights < (double)c->memory);
	struct cache *const made =
		of->cache && !wide ? NULL : cache_new(wide ? (size_t)(2 * weights) : CACHE_BYTES);
	own.cache = made ? made : of->cache;
	measure(&own, a, out);
	if (made)
		cache_free(made);
}
