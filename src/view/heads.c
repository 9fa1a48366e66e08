/* heads.c: the view Heads: the scene's matrix for all heads of a layer, all layers of a head, or both, with their
 * means; or that of one head at several values of a parameter; with curves by distance, and measures of the spread */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "posviz/base/fixed.h"
#include "posviz/base/text.h"
#include "posviz/scene/sweep.h"
#include "heads_in.h"

/* The indices of an item in a trace: the scene's trace, or that of a value of a sweep. */
struct place {
	const struct trace *trace;
	size_t layer, head;
};

enum { FEW = 9 }; /* heads, and the mean */
enum head_fact { FACT_MOST, FACT_MEAN, FACT_ENTROPY, FACT_DISTANCE, FACTS };
static const char *const fact_names[FACTS] = {"most", "mean", "entropy", "distance"};

/* Results that take long, made once for a picture. */
struct kept {
	struct place *places;
	size_t n;
	struct sweep sweep; /* n 0: heads or layers, no sweep */
	/* By distances, or by the numbers that a structure gives to pairs. */
	struct distances by;
	struct pair_numbers axis;
	bool curves;
	double *x, *curve; /* [n_x], [n][n_x]: without distances that no pair has */
	size_t n_x;
	size_t *most;		/* [n] index of the largest value of the curve; n_x: none */
	double (*facts)[FACTS]; /* [n]; NaN: not defined */
	double lo, hi;		/* limits of all shown values */
};

static unsigned heads_wants(const struct scene *scene)
{
	return WANT_WEIGHTS | WANT_MASK | WANT_RELATION |
	       (scene->matrix == MATRIX_BIAS ? WANT_BIAS : 0) |
	       (scene->matrix == MATRIX_LOGITS ? WANT_LOGITS : 0);
}

/* ---- shown items ----------------------------------------------------------------------------- */

static const struct trace_head *head_at(struct place at)
{
	return &at.trace->layers[at.layer].heads[at.head];
}

static struct mat matrix_at(const struct view_data *d, struct place at, struct arena *a)
{
	const struct trace_head *const head = head_at(at);
	switch ((enum matrix)d->scene->matrix) {
	case MATRIX_BIAS:
		return at.trace->layers[0].heads[at.head].bias;
	case MATRIX_LOGITS:
		return head->logits;
	case MATRIX_MASK:
		return view_ones(at.trace, a);
	case MATRIX_WEIGHTS:
	case MATRIX_COUNT:
		break;
	}
	return head->weights;
}

/* Returns the mask of the matrix. The bias is that of layer 1. */
static const uint8_t *allowed_at(const struct view_data *d, struct place at)
{
	return d->scene->matrix == MATRIX_BIAS ? at.trace->layers[0].heads[at.head].mask
					       : head_at(at)->mask;
}

/* Returns whether the shown matrix comes from a file that has only one for all heads or layers. */
static bool is_single(const struct view_data *d)
{
	const struct view_axes axes = view_matrix_axes(d);
	return d->n_swept == 0 && !(view_along(d) == HEADS_OF_HEAD ? axes.layers : axes.heads);
}

/* Returns the range of indices of one axis: the chosen one, or all of them followed by their
 * mean. */
static void span(size_t chosen, size_t n, bool all, size_t *from, size_t *to)
{
	*from = all ? 0 : chosen;
	*to = !all ? chosen + 1 : n > 1 || chosen == n ? n + 1 : n;
}

/* Lists the values of a sweep. The sweep must be valid, because its values have been run. */
static void list_values(const struct view_data *d, struct arena *a, struct kept *out)
{
	if (!sweep_of(d->scene->setup.scheme, d->scene->sweep, a, &out->sweep, NULL))
		BUG("a sweep without values");
	out->n = d->n_swept;
	out->places = arena_calloc(a, out->n, sizeof *out->places);
	for (size_t i = 0; i < out->n; i++)
		out->places[i] = (struct place){d->swept[i].trace, view_layer(d), view_head(d)};
}

static void list_places(const struct view_data *d, struct arena *a, struct kept *out)
{
	if (d->n_swept > 0) {
		list_values(d, a, out);
		return;
	}
	const size_t heads = d->built->model.config.heads, layers = d->trace->n_layers;
	const enum heads_of along = view_along(d);
	size_t l0, l1, h0, h1;
	span(view_layer(d), layers, along != HEADS_OF_LAYER && !is_single(d), &l0, &l1);
	span(view_head(d), heads, along != HEADS_OF_HEAD && !is_single(d), &h0, &h1);
	out->places = arena_calloc(a, (l1 - l0) * (h1 - h0), sizeof *out->places);
	for (size_t l = l0; l < l1; l++)
		for (size_t h = h0; h < h1; h++)
			out->places[out->n++] = (struct place){d->trace, l, h};
}

/* ---- numbers --------------------------------------------------------------------------------- */

static double mean_allowed(struct mat m, const uint8_t *allowed)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		if (allowed && !allowed[i])
			continue;
		sum += mat_row(m, i / m.cols)[i % m.cols];
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static void widen(struct kept *k, struct mat m, const uint8_t *allowed)
{
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		const double v = mat_row(m, i / m.cols)[i % m.cols];
		if (!isfinite(v) || (allowed && !allowed[i]))
			continue;
		k->lo = fmin(k->lo, v);
		k->hi = fmax(k->hi, v);
	}
}

/* Returns the index of the largest value of a curve: among equal values that nearest to the
 * diagonal, among equally near ones the earlier. by->n: the curve is constant, or has no values. */
static size_t largest_at(const struct distances *by, size_t i)
{
	const double *const y = by->mean + i * by->n;
	size_t best = by->n;
	double least = INFINITY;
	for (size_t k = 0; k < by->n; k++) {
		if (isnan(y[k]))
			continue;
		least = fmin(least, y[k]);
		const double slack = 1e-9 * fmax(1, fabs(y[k]));
		const long x = by->lo + (long)k, best_x = by->lo + (long)best;
		const bool nearer = (x < 0 ? -x : x) < (best_x < 0 ? -best_x : best_x);
		if (best == by->n || y[k] > y[best] + slack || (y[k] > y[best] - slack && nearer))
			best = k;
	}
	return best < by->n && y[best] - least > 1e-9 * fmax(1, fabs(y[best])) ? best : by->n;
}

static void measure(const struct view_data *d, struct kept *k, size_t i, struct arena *a)
{
	const struct place at = k->places[i];
	const struct mat m = matrix_at(d, at, a), weights = head_at(at)->weights;
	const uint8_t *const allowed = allowed_at(d, at);
	double *const facts = k->facts[i];
	facts[FACT_MOST] = facts[FACT_MEAN] = NAN;
	k->most[i] = k->by.n;
	if (m.at)
		widen(k, m, allowed);
	if (m.at && k->curves) {
		distances_add(&k->by, &at.trace->query, &at.trace->key, i, m, allowed);
		k->most[i] = largest_at(&k->by, i);
	}
	if (k->most[i] < k->by.n)
		facts[FACT_MOST] = k->by.mean[i * k->by.n + k->most[i]];
	/* Weights and masks have no mean here: that of weights follows from what rows sum to. */
	if (m.at && (d->scene->matrix == MATRIX_BIAS || d->scene->matrix == MATRIX_LOGITS))
		facts[FACT_MEAN] = mean_allowed(m, allowed);
	facts[FACT_ENTROPY] = weights_entropy(weights);
	facts[FACT_DISTANCE] = weights_distance(at.trace, weights);
}

/* Prepares the curves by distance or, on a structure, by its numbers. False: there are no
 * curves. */
static bool open_curves(const struct view_data *d, struct kept *k, struct arena *a)
{
	if (d->scene->matrix == MATRIX_MASK)
		return false;
	if (view_pair_numbers(d->built, d->trace, a, &k->axis) &&
	    distances_init_by(&k->by, k->axis.at, k->axis.rows, k->axis.cols, k->n, a))
		return true;
	k->axis = (struct pair_numbers){.name = "distance", .sign = "s−t"};
	if (!view_has_tokens(&d->trace->key) || !view_has_tokens(&d->trace->query))
		return false;
	distances_init(&k->by, d->trace, k->n, a);
	return true;
}

static bool has_pairs(const struct kept *k, size_t place)
{
	for (size_t i = 0; i < k->n; i++)
		if (!isnan(k->by.mean[i * k->by.n + place]))
			return true;
	return false;
}

/* Makes the drawn curves, from the first to the last distance that any curve has. Numbers of a
 * structure that no pair has are left out. */
static void draw_together(struct kept *k, struct arena *a)
{
	const struct distances *const by = &k->by;
	size_t first = 0, end = by->n;
	while (first < end && !has_pairs(k, first))
		first++;
	while (end > first && !has_pairs(k, end - 1))
		end--;
	size_t *const to = arena_calloc(a, by->n + 1, sizeof *to);
	k->x = arena_calloc(a, by->n + 1, sizeof *k->x);
	for (size_t c = 0; c < by->n; c++) {
		const bool any = by->number ? has_pairs(k, c) : c >= first && c < end;
		to[c] = any ? k->n_x : by->n;
		if (any)
			k->x[k->n_x++] = (double)(by->lo + (long)c);
	}
	to[by->n] = k->n_x;
	k->curve = arena_calloc(a, k->n * k->n_x + 1, sizeof *k->curve);
	for (size_t i = 0; i < k->n; i++) {
		for (size_t c = 0; c < by->n; c++)
			if (to[c] < by->n)
				k->curve[i * k->n_x + to[c]] = by->mean[i * by->n + c];
		k->most[i] = to[k->most[i]];
	}
}

static const void *heads_keep(const struct view_data *d, struct arena *a)
{
	struct kept *const k = arena_calloc(a, 1, sizeof *k);
	list_places(d, a, k);
	k->curves = open_curves(d, k, a);
	k->most = arena_calloc(a, k->n, sizeof *k->most);
	k->facts = arena_calloc(a, k->n, sizeof *k->facts);
	k->lo = INFINITY;
	k->hi = -INFINITY;
	for (size_t i = 0; i < k->n; i++)
		measure(d, k, i, a);
	draw_together(k, a);
	if (k->lo > k->hi)
		k->lo = k->hi = 0;
	return k;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *number_or_mean(size_t i, size_t n, struct arena *a)
{
	return i == n ? "mean" : arena_printf(a, "%zu", i + 1);
}

/* Returns the user's name if there is one, else the number; short enough for a label. */
static const char *label_of(const struct view_data *d, enum named kind, size_t i, size_t n,
			    struct arena *a)
{
	enum { LABEL_COLS = 14 };
	const char *const name = i == n ? NULL : scene_name_of(d->scene, kind, i + 1, a);
	return name ? text_shorten(a, name, LABEL_COLS, false) : number_or_mean(i, n, a);
}

/* Returns the words that distinguish the item from the others. */
static const char *told_by(const struct view_data *d, const char *layer, const char *both,
			   const char *head)
{
	static_assert(HEADS_OF_COUNT == 3, "a word for each");
	const char *const words[] = {
		[HEADS_OF_LAYER] = head, [HEADS_OF_HEAD] = layer, [HEADS_OF_GRID] = both};
	return words[view_along(d)];
}

static const char *name_of(const struct view_data *d, const struct kept *k, size_t i,
			   struct arena *a)
{
	const struct place at = k->places[i];
	if (k->sweep.n > 0)
		return k->sweep.values[i];
	if (is_single(d))
		return "matrix";
	const char *const head = label_of(d, NAMED_HEAD, at.head, d->built->model.config.heads, a);
	const char *const layer = label_of(d, NAMED_LAYER, at.layer, d->trace->n_layers, a);
	return told_by(d, layer, arena_printf(a, "%s·%s", layer, head), head);
}

static const char *title_of(const struct view_data *d, const struct kept *k, size_t i,
			    struct arena *a)
{
	const struct place at = k->places[i];
	if (k->sweep.n > 0)
		return arena_printf(a, "%s = %s", k->sweep.param, k->sweep.values[i]);
	if (is_single(d))
		return "matrix";
	const size_t heads = d->built->model.config.heads, layers = d->trace->n_layers;
	const char *const head = at.head == heads ? "mean of heads" : view_head_name(d, at.head, a);
	const char *const layer =
		at.layer == layers ? "mean of layers" : view_layer_name(d, at.layer, a);
	return told_by(d, layer, arena_printf(a, "%s, %s", layer, head), head);
}

/* Returns the number of decimals for all items: the largest value has three digits. */
static int decimals_of(const struct kept *k, enum head_fact f)
{
	double most = 0;
	for (size_t i = 0; i < k->n; i++)
		most = isnan(k->facts[i][f]) ? most : fmax(most, fabs(k->facts[i][f]));
	return most >= 100 ? 0 : most >= 10 ? 1 : most >= 0.1 || most < 1e-9 ? 2 : 3;
}

static const char *fact_text(const struct view_data *d, const struct kept *k, size_t i,
			     enum head_fact f, struct arena *a)
{
	const double value = k->facts[i][f];
	const bool weights = d->scene->matrix == MATRIX_WEIGHTS;
	const bool is_signed = (f == FACT_MOST && !weights) || f == FACT_MEAN;
	if (isnan(value))
		return "–";
	return fixed_text(a, value, decimals_of(k, f), is_signed);
}

static const char *distance_text(const struct kept *k, size_t i, struct arena *a)
{
	const long x = (long)k->x[k->most[i]];
	return arena_printf(a, "%s%ld", x < 0 ? "−" : "", x < 0 ? -x : x);
}

/* Returns "head 3: peak +2.67 at s−t = −2 · mean +0.12 · entropy 1.43 nats · mean distance 1.85". */
static const char *says_of(const struct view_data *d, const struct kept *k, size_t i,
			   struct arena *a)
{
	const double *const facts = k->facts[i];
	const char *text = arena_printf(a, "%s: ", title_of(d, k, i, a));
	if (k->most[i] < k->n_x)
		text = arena_printf(a, "%speak %s at %s = %s · ", text,
				    fact_text(d, k, i, FACT_MOST, a), k->axis.sign,
				    distance_text(k, i, a));
	else if (k->curves)
		text = arena_printf(a, "%sthe same at every %s · ", text, k->axis.name);
	if (!isnan(facts[FACT_MEAN]))
		text = arena_printf(a, "%smean %s · ", text, fact_text(d, k, i, FACT_MEAN, a));
	text = arena_printf(a, "%sentropy %s nats", text, fact_text(d, k, i, FACT_ENTROPY, a));
	return isnan(facts[FACT_DISTANCE]) ? text
					   : arena_printf(a, "%s · mean distance %s", text,
							  fact_text(d, k, i, FACT_DISTANCE, a));
}

/* ---- the panel ------------------------------------------------------------------------------- */

static bool any_has(const struct kept *k, enum head_fact f)
{
	for (size_t i = 0; i < k->n; i++)
		if (!isnan(k->facts[i][f]))
			return true;
	return false;
}

/* Chooses the facts that at least one item has. */
static size_t choose_facts(const struct kept *k, enum head_fact *out)
{
	size_t n = 0;
	for (int f = 0; f < FACTS; f++)
		if (any_has(k, (enum head_fact)f))
			out[n++] = (enum head_fact)f;
	return n;
}

static void make_item(const struct view_data *d, const struct kept *k, size_t i,
		      const enum head_fact *facts, size_t n_facts, struct arena *a,
		      struct multiple *out)
{
	const struct place at = k->places[i];
	const struct mat m = matrix_at(d, at, a);
	const bool bias = d->scene->matrix == MATRIX_BIAS;
	const bool is_signed = bias || d->scene->matrix == MATRIX_LOGITS;
	const struct paint paint = {.allowed = allowed_at(d, at),
				    .is_signed = is_signed,
				    .unit = !is_signed,
				    .weights = d->scene->matrix == MATRIX_WEIGHTS,
				    .more_of = "attention",
				    .than = bias ? "content alone" : NULL,
				    .ranged = true,
				    .lo = k->lo,
				    .hi = k->hi,
				    .trace = at.trace};
	const size_t heads = d->built->model.config.heads, layers = d->trace->n_layers;
	struct panel map = {0};
	const char **const texts = arena_calloc(a, n_facts + 1, sizeof *texts);
	view_heatmap(d, m, &paint, a, &map);
	for (size_t f = 0; f < n_facts; f++)
		texts[f] = fact_text(d, k, i, facts[f], a);
	*out = (struct multiple){
		.name = name_of(d, k, i, a),
		.title = title_of(d, k, i, a),
		.map = map.heatmap,
		.curve = k->curves ? k->curve + i * k->n_x : NULL,
		.most = k->most[i],
		.facts = texts,
		.choose = {k->sweep.n > 0
				   ? arena_printf(a, "scheme %s", k->sweep.expressions[i])
				   : arena_printf(a, "head %s", number_or_mean(at.head, heads, a)),
			   arena_printf(a, "layer %s", number_or_mean(at.layer, layers, a))}};
	if (k->curves && k->most[i] < k->n_x) {
		out->brief = arena_printf(a, "%s=%s", k->axis.sign, distance_text(k, i, a));
		out->note = arena_printf(a, "peak %s = %s", k->axis.sign, distance_text(k, i, a));
	}
}

/* Names the rows, which are layers, and the columns, which are heads, of the grid. */
static void name_tracks(const struct view_data *d, const struct kept *k, struct arena *a,
			struct multiples *out)
{
	size_t across = 0;
	while (across < k->n && k->places[across].layer == k->places[0].layer)
		across++;
	const size_t rows = k->n / across;
	const char **const cols = arena_calloc(a, across, sizeof *cols);
	const char **const names = arena_calloc(a, rows, sizeof *names);
	for (size_t i = 0; i < across; i++)
		cols[i] =
			label_of(d, NAMED_HEAD, k->places[i].head, d->built->model.config.heads, a);
	for (size_t i = 0; i < rows; i++)
		names[i] = label_of(d, NAMED_LAYER, k->places[i * across].layer, d->trace->n_layers,
				    a);
	out->across = across;
	out->col_names = cols;
	out->row_names = names;
}

static const char *absent(const struct view_data *d, const struct kept *k)
{
	if (d->scene->matrix == MATRIX_LOGITS && !view_has_logits(d))
		return view_no_logits;
	if (d->scene->matrix != MATRIX_BIAS)
		return NULL;
	if (d->trace->bias_is_mask)
		return "a pure mask adds nothing to the logits: there is a mask for each head, and "
		       "no bias";
	if (d->trace->bias_absent)
		return d->trace->bias_absent;
	return view_along(d) == HEADS_OF_LAYER || k->n == 1 || k->sweep.n > 0
		       ? NULL
		       : "the bias is of layer 1: each head has one, whatever the layer; weights, "
			 "logits and mask have one in each layer";
}

static const char *which(const struct view_data *d, const struct kept *k, struct arena *a)
{
	if (is_single(d))
		return view_layer_note(d, a);
	if (k->sweep.n == 0)
		return view_along_words(d, a);
	const char *const head = view_head_words(d, a);
	return arena_printf(a, "%zu values of %s · %s", k->sweep.n, k->sweep.param,
			    d->scene->matrix == MATRIX_BIAS
				    ? head
				    : arena_printf(a, "%s of %s", head, view_layer_words(d, a)));
}

/* Returns "by distance s−t". */
static const char *by_words(const struct kept *k, struct arena *a)
{
	return k->curves ? arena_printf(a, "by %s %s", k->axis.name, k->axis.sign) : "";
}

/* Returns whether the item is the chosen one; in a sweep, whether it is the value that the
 * scheme has now. */
static bool is_chosen(const struct view_data *d, const struct kept *k, size_t i)
{
	if (k->sweep.n > 0)
		return strcmp(k->sweep.expressions[i], d->scene->setup.scheme) == 0;
	return k->places[i].layer == view_layer(d) && k->places[i].head == view_head(d);
}

static void fill(const struct view_data *d, const struct kept *k, struct arena *a,
		 struct multiples *out)
{
	static const char *const what[HEADS_OF_COUNT] = {"heads", "layers", "heads"};
	enum head_fact facts[FACTS];
	const size_t n_facts = choose_facts(k, facts);
	const char **const names = arena_calloc(a, FACTS, sizeof *names);
	for (size_t f = 0; f < n_facts; f++)
		names[f] = fact_names[facts[f]];
	*out = (struct multiples){.items = arena_calloc(a, k->n, sizeof *out->items),
				  .chosen = SIZE_MAX,
				  .x = k->x,
				  .n_x = k->n_x,
				  .y_title = by_words(k, a),
				  .n_facts = n_facts,
				  .facts = names,
				  .of_curve = n_facts > 0 && facts[0] == FACT_MOST,
				  .what = k->sweep.n > 0 ? "values" : what[view_along(d)]};
	const bool grid = view_along(d) == HEADS_OF_GRID && k->sweep.n == 0;
	for (size_t i = 0; i < k->n; i++) {
		/* With several members some heads may have no logits. */
		if (!matrix_at(d, k->places[i], a).at && !grid)
			continue;
		if (is_chosen(d, k, i)) {
			out->chosen = out->n;
			out->says = says_of(d, k, i, a);
		}
		make_item(d, k, i, facts, n_facts, a, &out->items[out->n++]);
	}
	if (grid)
		name_tracks(d, k, a, out);
}

static const char *subtitle(const struct view_data *d, const struct kept *k, struct arena *a)
{
	static const char *const of[MATRIX_COUNT] = {"", "before softmax",
						     "query t down, key s across",
						     "a stroke: the key is hidden from the query"};
	const bool bias = d->scene->matrix == MATRIX_BIAS;
	const char *what = bias ? arena_printf(a, "%s, logits minus unit–unit", view_probe(d, a))
				: of[d->scene->matrix];
	if (bias && fmax(fabs(k->lo), fabs(k->hi)) < 1e-12)
		what = "zero everywhere: nothing tells one position from another";
	if (view_along(d) == HEADS_OF_GRID && k->sweep.n == 0)
		return arena_printf(a, "%s; layers down, heads across; one scale", what);
	if (any_has(k, FACT_MOST))
		what = arena_printf(a, "%s · %s of the peak", what, k->axis.sign);
	const char *const curves =
		k->curves ? arena_printf(a, ". Curves: the mean %s", by_words(k, a)) : "";
	const char *const far = any_has(k, FACT_DISTANCE) ? " and distance in tokens" : "";
	const char *facts = "";
	if (any_has(k, FACT_ENTROPY))
		facts = arena_printf(a, ". Weights: mean entropy in nats%s, over queries", far);
	return arena_printf(a, "%s%s%s%s", what, is_single(d) ? "" : "; one scale", curves, facts);
}

/* Returns what the items show; NULL for a sweep, whose items are one head. Means are left out. */
static const char *finding(const struct view_data *d, const struct kept *k,
			   const struct multiples *m, bool brief, struct arena *a)
{
	static const char *const of[MATRIX_COUNT] = {
		[MATRIX_BIAS] = "bias", [MATRIX_LOGITS] = "logit"};
	struct heads_item *const items = arena_calloc(a, k->n + 1, sizeof *items);
	size_t n = 0;
	const enum heads_of along = view_along(d);
	for (size_t i = 0; i < k->n && m->n == k->n; i++)
		if ((along == HEADS_OF_HEAD || k->places[i].head < d->built->model.config.heads) &&
		    (along == HEADS_OF_LAYER || k->places[i].layer < d->trace->n_layers))
			items[n++] = (struct heads_item){
				.title = title_of(d, k, i, a),
				.peaks = k->most[i] < k->n_x,
				.peak = k->most[i] < k->n_x ? (long)k->x[k->most[i]] : 0,
				.keys = d->trace->key.n,
				.entropy = k->facts[i][FACT_ENTROPY],
				.entropy_text = fact_text(d, k, i, FACT_ENTROPY, a)};
	const char *const sign = k->curves ? k->axis.sign : NULL;
	if (k->sweep.n > 0 || (!sign && d->scene->matrix != MATRIX_WEIGHTS))
		return NULL;
	return heads_finding(items, n, m->what, sign, of[d->scene->matrix], brief, a);
}

static void heads_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	static const char *const titles[MATRIX_COUNT] = {"Position bias", "Logits",
							 "Attention weights", "Mask"};
	const struct kept *const k = d->kept;
	struct panel *const p = &out->panels[0];
	view_frame(d, which(d, k, a), a, out);
	*p = (struct panel){.kind = PANEL_MULTIPLES,
			    .title = titles[d->scene->matrix],
			    .note = is_single(d) ? heads_without_axis(d) : which(d, k, a),
			    .short_note = !is_single(d)			   ? NULL
					  : view_along(d) == HEADS_OF_HEAD ? "no layers: one matrix"
									   : "no heads: one matrix",
			    .subtitle = subtitle(d, k, a),
			    .absent = absent(d, k)};
	if (!p->absent) {
		fill(d, k, a, &p->multiples);
		/* Names of the keys above so many need the room of a sentence. */
		if (p->multiples.n <= FEW) {
			out->finding = finding(d, k, &p->multiples, false, a);
			out->finding_brief = finding(d, k, &p->multiples, true, a);
			out->finding_least = heads_finding_least(out->finding_brief, a);
		}
	}
	out->n = out->col_weight[0] = out->row_weight[0] = 1;
	view_close(d, out);
}

const struct view view_heads = {"heads",
				"Heads",
				"How do heads, or layers, differ?",
				heads_wants,
				heads_figure,
				.keep = heads_keep,
				.all_heads = true,
				.rectangles = true,
				.broad = true,
				.by_words = true};
