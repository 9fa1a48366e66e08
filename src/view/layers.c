/* layers.c: the view Layers: how well a token's position can be predicted from its vector after
 * each layer, with positions added once or in each layer, with and without the residual
 * connection; how much order matters; and how similar a vector is to itself in earlier layers. */
#include "posviz/analysis/layers.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "view_in.h"

static unsigned layers_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_POSITION;
}

static const void *layers_keep(const struct view_data *d, struct arena *a)
{
	struct layers *const k = arena_calloc(a, 1, sizeof *k);
	const struct layers_of of = {
		.setup = &d->scene->setup, .built = d->built, .cache = d->cache, .watch = d->watch};
	(d->most == SIZE_MAX ? layers_measure : layers_measure_more)(&of, a, k);
	return k;
}

static size_t layers_to_come(const void *of)
{
	const struct layers *const k = of;
	return k->why ? 0 : k->to_come;
}

/* Returns whether positions are still to be read. */
static bool is_pending(const struct layers *k)
{
	return !k->why && !k->no_position && k->ways[LAYERS_AS_IS].pending;
}

/* ---- words ----------------------------------------------------------------------------------- */

static size_t last(const struct layers *k)
{
	return k->ways[LAYERS_AS_IS].layers;
}

/* Formats with two decimals and a minus sign; never "−0.00". */
static const char *digits(double value, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	if (fabs(value) < 0.005)
		return "0.00";
	if (fabs(value) < 100)
		return arena_printf(a, "%s%.2f", value < 0 ? "−" : "", fabs(value));
	return arena_strdup(a, num_show(text, sizeof text, value, 3));
}

/* A smaller difference of outputs is rounding. */
static const double order_noise = 1e-9;

static double order_shown(double value)
{
	return value < order_noise ? 0 : value;
}

static const char *no_numbers(const struct layers *k)
{
	return k->why ? k->why : k->no_position ? k->no_position : k->ways[LAYERS_AS_IS].why;
}

static const char *sentences(const struct layers *k, struct arena *a)
{
	return arena_printf(a, "%d sentences of %zu token%s", LAYERS_SENTENCES, k->units,
			    k->units == 1 ? "" : "s");
}

/* Returns the meaning of t, unless it is the index of a token. */
static const char *target(const struct layers *k, struct arena *a)
{
	return strcmp(k->column, "seq") != 0
		       ? arena_printf(a, "t is what the column %s says", k->column)
	       : k->given ? "t is the position id"
			  : NULL;
}

/* Returns the name of a variant on curves and in the card: "this model", "with causal mask". Each has at most 16
 * columns, so that it stands whole beside its curve. */
static const char *way_name(const struct layers_way *way, enum layers_way_kind kind)
{
	static const char *const names[][2] = {{"causal mask", "with causal mask"},
					       {"no mask", "without mask"},
					       {"each layer", "in each layer"},
					       {"once", "first layer only"},
					       {"no residual", "without residual"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(way->label, names[i][0]) == 0)
			return names[i][1];
	return kind == LAYERS_AS_IS ? "this model" : way->label;
}

/* An R² below this tells no position. */
static const double told = 0.1;

/* Returns the largest absolute R² after a layer; 0 if none is above. */
static double best_after(const struct layers_way *way)
{
	double best = 0;
	for (size_t l = 1; l <= way->layers; l++)
		best = fmax(best, way->absolute[l]);
	return best;
}

/* Returns ", 0.82 after layer 1", the largest absolute R², if it is clearly above those of the input and of the
 * last layer; else "". */
static const char *peak(const struct layers_way *way, struct arena *a)
{
	size_t at = 0;
	for (size_t l = 1; l < way->layers; l++)
		at = way->absolute[l] > way->absolute[at] ? l : at;
	return at > 0 && way->absolute[at] >
				       fmax(way->absolute[0], way->absolute[way->layers]) + told
		       ? arena_printf(a, ", %s after layer %zu", digits(way->absolute[at], a), at)
		       : "";
}

/* Returns "with a causal mask", "without a mask". */
static const char *with_mask(const struct layers_way *twin)
{
	return strcmp(twin->label, "no mask") == 0 ? "without a mask" : "with a causal mask";
}

/* Returns what is to be seen where no layer tells positions. */
static const char *finding_of_none(const struct view_data *d, const struct layers *k,
				   struct arena *a)
{
	const struct layers_way *const twin = &k->ways[LAYERS_TWIN];
	const char *const beside = twin->why
					   ? ""
					   : arena_printf(a, "; %s R² reaches %s", with_mask(twin),
							  digits(best_after(twin), a));
	return arena_printf(
		a, "No layer tells where a token stands (R² at most %s; 1 would be exact)%s%s.",
		digits(best_after(&k->ways[LAYERS_AS_IS]), a),
		d->trace->position_vectors.at ? "" : ", as no position is added to token vectors",
		beside);
}

/* Returns what is to be seen where positions are told: where they come from, and what is left. */
static const char *finding_of_some(const struct layers *k, struct arena *a)
{
	const struct layers_way *const is = &k->ways[LAYERS_AS_IS],
				       *const twin = &k->ways[LAYERS_TWIN],
				       *const other = &k->ways[LAYERS_OTHER];
	const size_t n = is->layers;
	if (is->absolute[0] < told && !twin->why && best_after(twin) < told)
		return arena_printf(a,
				    "After layer %zu a token tells where it stands (R² %s) though "
				    "its input does not: the mask does that; %s R² is %s.",
				    n, digits(is->absolute[n], a), with_mask(twin),
				    digits(twin->absolute[twin->layers], a));
	return arena_printf(a,
			    "How well a regression reads a token's position off its vector, R²: %s "
			    "from the input%s, %s after layer %zu%s%s.",
			    digits(is->absolute[0], a), peak(is, a), digits(is->absolute[n], a), n,
			    twin->why ? ""
				      : arena_printf(a, "; %s %s", with_mask(twin),
						     digits(twin->absolute[twin->layers], a)),
			    other->why ? ""
				       : arena_printf(a, "; if positions enter %s, %s",
						      strcmp(other->label, "once") == 0
							      ? "in the first layer alone"
							      : other->label,
						      digits(other->absolute[other->layers], a)));
}

static const char *finding(const struct view_data *d, const struct layers *k, struct arena *a)
{
	if (is_pending(k))
		return "How much position is left is still being measured.";
	if (no_numbers(k))
		return arena_printf(a, "No position can be read here: %s.", no_numbers(k));
	const struct layers_way *const is = &k->ways[LAYERS_AS_IS];
	return fmax(best_after(is), is->absolute[0]) < told ? finding_of_none(d, k, a)
							    : finding_of_some(k, a);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static double *numbered(size_t n, struct arena *a)
{
	double *const x = arena_calloc(a, n + 1, sizeof *x);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)i;
	return x;
}

/* The order in which the variants are shown. */
static const enum layers_way_kind shown[LAYERS_WAYS] = {LAYERS_AS_IS, LAYERS_TWIN, LAYERS_OTHER,
							LAYERS_RESIDUAL};

/* Returns the R² after each layer; one below 0 is 0: both tell nothing. */
static const double *values_of(const struct layers_way *way, bool relative, struct arena *a)
{
	double *const y = arena_calloc(a, way->layers + 1, sizeof *y);
	for (size_t l = 0; l <= way->layers; l++) {
		const double r2 = relative ? way->relative[l] : way->absolute[l];
		y[l] = r2 < 0 ? 0 : r2;
	}
	return y;
}

/* Adds the curves of the variants; those that coincide are told apart by their marks. A variant's colour does not
 * depend on which others there are. */
static void add_ways(const struct layers *k, bool relative, struct arena *a, struct curves *curves,
		     struct series *series)
{
	for (size_t i = 0; i < LAYERS_WAYS; i++) {
		const struct layers_way *const way = &k->ways[shown[i]];
		const size_t n = way->layers + 1;
		if (way->why)
			continue;
		series[curves->n++] = (struct series){.label = way_name(way, shown[i]),
						      .n = n,
						      .x = numbered(n, a),
						      .y = values_of(way, relative, a),
						      .colour = shown[i],
						      .active = shown[i] == LAYERS_AS_IS};
	}
}

static void probe_panel(const struct view_data *d, const struct layers *k, bool relative,
			struct arena *a, struct panel *p)
{
	struct series *const series = arena_calloc(a, LAYERS_WAYS + 1, sizeof *series);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = relative ? "relative" : "absolute",
		.title = relative ? "Distance read off two vectors, R²"
				  : "Position read off a vector, R²",
		.brief_title = relative ? "Distance, R²" : "Position, R²",
		.note = "1: exact, 0: a guess",
		.short_note = "1: exact",
		.paper_note = sentences(k, a),
		.subtitle = arena_printf(a, "%s, held out; 1: exact, 0: no better than the mean",
					 relative ? "s − t from the vectors of two tokens"
						  : "t from the vector of a token"),
		.absent = no_numbers(k)};
	p->curves = (struct curves){.series = series,
				    .x_title = "after layer (0: input)",
				    .y_title = "R²",
				    .integer_x = true,
				    .row_title = "variants",
				    .together = true,
				    .unit = true,
				    .colormap = view_colormap(d, true)};
	if (!p->absent)
		add_ways(k, relative, a, &p->curves, series);
}

static void order_panel(const struct view_data *d, const struct layers *k, struct arena *a,
			struct panel *p)
{
	const size_t n = last(k) + 1;
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	double *const y = arena_calloc(a, n, sizeof *y), most = 0;
	for (size_t i = 0; i < n; i++)
		y[i] = order_shown(k->equivariance[i]), most = fmax(most, y[i]);
	*series = (struct series){
		.label = "this model", .n = n, .x = numbered(n, a), .y = y, .active = true};
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "equivariance",
			    .title = "What shuffling the tokens changes",
			    .brief_title = "Shuffling changes",
			    .note = "0: nothing but their order",
			    .short_note = "0: nothing",
			    .paper_note = arena_printf(a, "%d shuffles", MEASURE_SHUFFLES),
			    .subtitle = "equivariance, ‖P·T(X) − T(P·X)‖ / ‖T(X)‖",
			    .absent = k->why ? k->why : k->no_order};
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .x_title = "after layer (0: input)",
				    .y_title = "",
				    .integer_x = true,
				    .unit = !(most > 0),
				    .colormap = view_colormap(d, true)};
}

/* The cosines of so many layers have whole rows of a terminal. */
enum { FEW_LAYERS = 12 };

static void cosine_panel(const struct view_data *d, const struct layers *k, struct arena *a,
			 struct panel *p)
{
	const size_t n = k->cosine.rows;
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = "cosine",
			    .title = d->earlier ? "Cosine of two layers"
						: "Cosine of a vector after layers ↓ and →",
			    .brief_title = "Cosine of two layers",
			    .paper_title = "Cosine of a token's vectors after two layers",
			    .note = k->sentences < LAYERS_SENTENCES
					    ? arena_printf(a, "%zu of %d sentences so far",
							   k->sentences, LAYERS_SENTENCES)
					    : NULL,
			    .subtitle = "of this model, the mean over all tokens; 1: unchanged",
			    .absent = k->why			  ? k->why
				      : !k->cosine.at		  ? "no row stands for a token"
				      : !mat_is_finite(k->cosine) ? "a layer has no vector but zero"
								  : NULL};
	if (p->absent)
		return;
	const char **const labels = arena_calloc(a, n + 1, sizeof *labels);
	for (size_t i = 0; i < n; i++)
		labels[i] = arena_printf(a, "%zu", i);
	const struct paint paint = {
		.is_signed = true, .ranged = true, .lo = -1, .hi = 1, .own = true};
	view_heatmap(d, k->cosine, &paint, a, p);
	p->heatmap.row_labels = p->heatmap.col_labels = labels;
	if (n <= FEW_LAYERS && p->heatmap.grid == GRID_AUTO)
		p->heatmap.grid = GRID_CELLS; /* numbers in even rows */
	p->heatmap.plain = true;
	p->heatmap.row_title = "after layer";
	p->heatmap.col_title = "after layer";
	p->heatmap.no_cursor = true;
}

/* ---- the card -------------------------------------------------------------------------------- */

static void say_way(const struct layers *k, enum layers_way_kind kind, struct arena *a,
		    struct card *card)
{
	const struct layers_way *const way = &k->ways[kind];
	if (way->why && kind == LAYERS_OTHER)
		return; /* there is no other way */
	if (way->why) {
		card_add(card, way_name(way, kind), way->pending ? "…" : "n/a", way->why);
		return;
	}
	card_add(card, way_name(way, kind), digits(way->absolute[way->layers], a),
		 kind == LAYERS_RESIDUAL ? arena_printf(a, "%s (Liu et al. 2021)", way->says)
					 : way->says);
}

static void say_measured_on(const struct view_data *d, const struct layers *k, struct arena *a,
			    struct card *card)
{
	const char *const part = measure_show_on(&k->on, a), *const t = target(k, a);
	const size_t layers = last(k);
	card_add(card, "folds", arena_printf(a, "%d", RIDGE_FOLDS),
		 "of sentences; the penalty by inner folds");
	card_add(card, "measured", sentences(k, a),
		 arena_printf(a, "%s%sof %s, seed %llu", part ? part : "", part ? "; " : "",
			      d->built->given_units.at ? "the file's token vectors"
						       : arena_printf(a, "%d words", LAYERS_WORDS),
			      (unsigned long long)d->scene->setup.seed));
	if (t)
		card_add(card, "position", "t", t);
	if (layers != k->own_layers)
		card_add(card, "layers", arena_printf(a, "%zu", layers),
			 arena_printf(a, "here; the scene has %zu", k->own_layers));
}

static void card_panel(const struct view_data *d, const struct layers *k, struct arena *a,
		       struct panel *p)
{
	const struct layers_way *const is = &k->ways[LAYERS_AS_IS];
	const size_t n = last(k);
	*p = (struct panel){.name = "card",
			    .title = "How much position is left",
			    .paper_title = "How much position is left"};
	struct card *const card = card_new(p, a);
	card->about = "Ridge regression reads where a token stands off its vector, in sentences "
		      "that it has not seen. Positions shuffled within a sentence tell what "
		      "chance reads.";
	if (no_numbers(k)) {
		card_add(card, "position", is_pending(k) ? "…" : "n/a", no_numbers(k));
	} else {
		card_add(card, "position", arena_printf(a, "R² %s", digits(is->absolute[n], a)),
			 arena_printf(a, "t after layer %zu; before %s, shuffled %s", n,
				      digits(is->absolute[0], a),
				      digits(k->shuffled.absolute[n], a)));
		card_add(card, "distance", arena_printf(a, "R² %s", digits(is->relative[n], a)),
			 arena_printf(a, "s − t of two tokens; shuffled %s",
				      digits(k->shuffled.relative[n], a)));
		say_way(k, LAYERS_TWIN, a, card);
		say_way(k, LAYERS_OTHER, a, card);
		say_way(k, LAYERS_RESIDUAL, a, card);
	}
	if (k->why)
		return;
	card_add(card, "equivariance",
		 k->order_pending ? "…"
		 : k->no_order	  ? "n/a"
				  : digits(order_shown(k->equivariance[n]), a),
		 k->no_order
			 ? k->no_order
			 : arena_printf(a, "after layer %zu; 0: order changes nothing else", n));
	const size_t before = card->n;
	say_measured_on(d, k, a, card);
	card->n_spare = card->n - before;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Small plots cannot be read: a terminal shows as many panels as have this size. */
enum { LEAST_ROWS = 14, LEAST_COLS = 50 };

static void layers_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct layers *const k = d->kept;
	const size_t left = layers_to_come(k);
	view_frame(d,
		   arena_printf(a, "%zu layers%s", last(k),
				left > 0
					? arena_printf(a, " · %zu of %d steps still to be measured",
						       left, LAYERS_STEPS)
					: ""),
		   a, out);
	out->finding = finding(d, k, a);
	probe_panel(d, k, false, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, 2, 0);
	probe_panel(d, k, true, a, &out->panels[1]);
	view_place(&out->panels[1], 0, 2, 2, 1);
	order_panel(d, k, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 3, 1, 4);
	cosine_panel(d, k, a, &out->panels[3]);
	view_place(&out->panels[3], 1, 2, 1, 2);
	card_panel(d, k, a, &out->panels[4]);
	view_place(&out->panels[4], 1, 0, 2, 3);
	out->n = 5;
	out->by_grid = true;
	out->least_rows = no_numbers(k) && !is_pending(k) ? 0 : LEAST_ROWS;
	out->least_cols = no_numbers(k) && !is_pending(k) ? 0 : LEAST_COLS;
	memset(out->col_weight, 1, 4);
	memcpy(out->row_weight,
	       no_numbers(k) && !is_pending(k) ? (unsigned char[]){1, 3} : (unsigned char[]){1, 1},
	       2);
	view_close(d, out);
	/* The scale of cosines has both halves, even if all have the same sign. */
	if (!out->panels[3].absent)
		out->panels[3].heatmap.scale.half = 0;
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static struct mat row_of(const double *at, size_t n, struct arena *a)
{
	const struct mat out = mat_new(a, 1, n);
	memcpy(out.at, at, n * sizeof *at);
	return out;
}

static void add_rows(struct numbers *out, const struct layers_way *way, const char *name,
		     struct arena *a)
{
	if (way->why)
		return;
	numbers_add(out, arena_printf(a, "layers.%sabsolute", name),
		    row_of(way->absolute, way->layers + 1, a));
	numbers_add(out, arena_printf(a, "layers.%srelative", name),
		    row_of(way->relative, way->layers + 1, a));
}

static void say_last(struct numbers *out, const struct layers *k, const struct layers_way *way,
		     const char *name, const char *means, struct arena *a)
{
	const char *const why = no_numbers(k) ? no_numbers(k) : way->why;
	const double value = why ? NAN : way->absolute[way->layers];
	numbers_say(out, arena_printf(a, "layers.last.%s", name), value,
		    why ? arena_printf(a, "n/a: %s", why)
			: arena_printf(a, "R² %s", digits(value, a)),
		    means);
}

static void say_all(struct numbers *out, const struct layers *k, struct arena *a)
{
	const struct layers_way *const is = &k->ways[LAYERS_AS_IS];
	const size_t n = last(k);
	const char *const none = no_numbers(k), *const no_order = k->why ? k->why : k->no_order;
	say_last(out, k, is, "absolute",
		 arena_printf(a, "of t from a token's vector after layer %zu, held out", n), a);
	say_last(out, k, &k->shuffled, "shuffled", "the same of shuffled positions", a);
	say_last(out, k, &k->ways[LAYERS_OTHER], "other",
		 k->ways[LAYERS_OTHER].says ? k->ways[LAYERS_OTHER].says : "", a);
	say_last(out, k, &k->ways[LAYERS_RESIDUAL], "residual",
		 k->ways[LAYERS_RESIDUAL].says ? k->ways[LAYERS_RESIDUAL].says : "", a);
	say_last(out, k, &k->ways[LAYERS_TWIN], "twin",
		 k->ways[LAYERS_TWIN].says ? k->ways[LAYERS_TWIN].says : "", a);
	numbers_say(out, "layers.last.relative", none ? NAN : is->relative[n],
		    none ? arena_printf(a, "n/a: %s", none)
			 : arena_printf(a, "R² %s", digits(is->relative[n], a)),
		    "of s − t from the vectors of two tokens");
	numbers_say(out, "layers.last.equivariance", no_order ? NAN : k->equivariance[n],
		    no_order ? arena_printf(a, "n/a: %s", no_order)
			     : digits(order_shown(k->equivariance[n]), a),
		    "what shuffling the tokens changes of their outputs");
}

static void layers_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	static const char *const names[LAYERS_WAYS] = {"", "other.", "residual.", "twin."};
	const struct layers *const k = d->kept;
	say_all(out, k, a);
	if (k->why)
		return;
	if (!k->no_order)
		numbers_add(out, "layers.equivariance", row_of(k->equivariance, last(k) + 1, a));
	numbers_add(out, "layers.cosine", k->cosine);
	if (k->no_position)
		return;
	for (size_t i = 0; i < LAYERS_WAYS; i++)
		add_rows(out, &k->ways[i], names[i], a);
	add_rows(out, &k->shuffled, "shuffled.", a);
	numbers_add(out, "layers.probe.rows", k->rows);
	numbers_add(out, "layers.probe.targets", k->targets);
	numbers_add(out, "layers.probe.folds", k->folds);
	numbers_add(out, "layers.probe.predicted", k->predicted);
	numbers_add(out, "layers.probe.alphas", k->alphas);
	numbers_add(out, "layers.probe.pairs", k->pairs);
}

const struct view view_layers = {"layers",
				 "Layers",
				 "How much position is left after each layer?",
				 layers_wants,
				 layers_figure,
				 .keep = layers_keep,
				 .numbers = layers_numbers,
				 .to_come = layers_to_come,
				 .slow = true,
				 .no_cell = true,
				 .broad = true,
				 .of_units = true};
