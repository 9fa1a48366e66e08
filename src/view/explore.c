/* explore.c: the view Explore: the bias beside the weights, the bias by distance, the cards. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "said_in.h"

static unsigned explore_wants(const struct scene *scene)
{
	return WANT_BIAS | WANT_LOGITS | view_matrix_wants(scene);
}

static const char adds_nothing[] = "zero everywhere: this scheme adds nothing to the logits";

static void bias_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *first = &d->trace->layers[0].heads[view_head(d)];
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "bias",
		.title = "Position bias",
		.note = view_bias_of(d, view_bias_note(d, a), a),
		.short_note = view_bias_of(d, view_short_bias(d, a), a),
		.subtitle = arena_printf(a, "%s, logits minus unit–unit", view_probe(d, a))};
	if (d->trace->bias_is_mask) {
		const struct trace_head *head =
			&d->trace->layers[view_layer(d)].heads[view_head(d)];
		p->title = "Mask";
		p->name = "mask";
		p->note = view_head_note(d, a);
		p->short_note = view_short_head(d, a);
		p->subtitle = "a pure mask: it forbids pairs and adds nothing";
		const struct paint paint = {.allowed = head->mask, .mask = true};
		view_heatmap(d, view_ones(d->trace, a), &paint, a, p);
	} else {
		if (d->trace->words)
			p->subtitle = arena_printf(a, "%s; the mean over pieces", p->subtitle);
		else if (first->mask)
			p->subtitle = arena_printf(a, "%s; stroke: masked", p->subtitle);
		const struct paint paint = {.allowed = first->mask,
					    .is_signed = true,
					    .more_of = "attention",
					    .than = "content alone"};
		view_heatmap(d, first->bias, &paint, a, p);
		p->heatmap.beneath = !view_bias_is_causal(d->built);
		const struct scale *const scale = &p->heatmap.scale;
		if (!(scale->hi > scale->lo)) {
			p->subtitle = p->heatmap.uniform = adds_nothing;
			p->note = view_beside("adds nothing", p->note, a);
			p->short_note = "adds nothing";
		}
	}
}

/* If the wanted matrix does not exist because weights are given directly, returns the weights,
 * with the reason as subtitle. */
static struct view_matrix matrix_there(const struct view_data *d, struct arena *a)
{
	struct view_matrix m = view_matrix_of(d, d->trace, a);
	const char *const why = m.absent;
	if (why) {
		struct scene weights = *d->scene;
		struct view_data other = *d;
		weights.matrix = MATRIX_WEIGHTS;
		other.scene = &weights;
		m = view_matrix_of(&other, d->trace, a);
	}
	if (why || (d->trace->bias_absent && !view_has_logits(d)))
		m.subtitle = why ? why : d->trace->bias_absent;
	else if (d->trace->bias_absent)
		m.subtitle = arena_printf(a, "%s; %s", m.subtitle, d->trace->bias_absent);
	return m;
}

static void matrix_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct view_matrix m = matrix_there(d, a);
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = m.name,
			    .title = m.title,
			    .subtitle = m.subtitle,
			    .absent = m.absent,
			    .note = view_layer_note(d, a),
			    .short_note = view_short_layer(d, a)};
	if (d->trace->bias_absent)
		p->note = view_beside("no bias", p->note, a);
	if (d->scene->matrix == MATRIX_LOGITS && !view_has_logits(d))
		p->note = view_beside("no logits", p->note, a);
	if (mixture_masks(d, a) != NULL) {
		p->note = view_beside(p->note, "masks differ", a);
		p->short_note = view_beside(view_short_head(d, a), "masks differ", a);
	}
	view_heatmap(d, m.at, &m.paint, a, p);
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* Returns the axes along which the numbers of the curves, bias or weights, can differ. */
static struct view_axes curve_axes(const struct view_data *d)
{
	return d->trace->bias_absent ? view_axes(d->built) : view_bias_axes(d->built);
}

/* Heads with equal curves share one curve; its label names them all. */
struct group {
	size_t first, n;
	bool active;
	const char *label, *brief; /* "heads 1, 3", "1,3" */
};

static bool same_curve(const struct distances *by, size_t a, size_t b)
{
	const double *x = by->mean + a * by->n, *y = by->mean + b * by->n;
	for (size_t i = 0; i < by->n; i++) {
		const double size = fmax(1, fmax(fabs(x[i]), fabs(y[i])));
		if (isnan(x[i]) != isnan(y[i]) || fabs(x[i] - y[i]) > 1e-9 * size)
			return false;
	}
	return true;
}

static void name_group(const struct view_data *d, struct group *g, size_t heads, struct arena *a)
{
	if (!curve_axes(d).heads && g->n == heads) {
		const char *const name = view_short_bias(d, a);
		g->label = *name ? name : d->trace->bias_absent ? "weights" : "bias";
		g->brief = g->label;
	} else if (g->n == heads && heads > 1) {
		g->label = "all heads";
		g->brief = "all";
	} else if (g->n > 4) {
		g->label = g->brief = arena_printf(a, "%zu heads", g->n);
	} else {
		g->label = g->n == 1 ? view_head_name(d, g->first, a)
				     : arena_printf(a, "heads %s", g->label);
	}
}

static size_t group_heads(const struct view_data *d, struct group *groups, struct arena *a)
{
	const struct distances *by = d->by_distance;
	size_t n = 0;
	for (size_t h = 0; h < by->heads; h++) {
		size_t g = 0;
		while (g < n && !same_curve(by, groups[g].first, h))
			g++;
		if (g == n)
			groups[n++] = (struct group){.first = h};
		groups[g].label = groups[g].n ? arena_printf(a, "%s, %zu", groups[g].label, h + 1)
					      : arena_printf(a, "%zu", h + 1);
		groups[g].brief = arena_printf(a, groups[g].n ? "%s,%zu" : "%s%zu",
					       groups[g].n ? groups[g].brief : "", h + 1);
		groups[g].n++;
		groups[g].active |= h == view_head(d);
	}
	/* The mean comes after the heads. */
	if (view_head(d) == by->heads && n == 1)
		groups[0].active = true;
	for (size_t g = 0; g < n; g++)
		name_group(d, &groups[g], by->heads, a);
	if (view_head(d) == by->heads && n > 1)
		groups[n++] = (struct group){
			.first = by->heads, .active = true, .label = "mean", .brief = "mean"};
	return n;
}

/* Returns a row of the distances. If these are numbers of a structure, numbers that no pair has
 * are left out, so that the curve joins their neighbours. */
static const double *row_of(const struct distances *by, const double *at, size_t head,
			    const double *there, struct arena *a)
{
	const double *const row = at + head * by->n;
	if (!by->number)
		return row;
	double *const out = arena_calloc(a, by->n, sizeof *out);
	for (size_t i = 0, n = 0; i < by->n; i++)
		if (isfinite(there[i]))
			out[n++] = row[i];
	return out;
}

static struct series group_series(const struct view_data *d, const struct group *g, const double *x,
				  struct arena *a)
{
	const struct distances *by = d->by_distance;
	const size_t head = g->active ? view_head(d) : g->first;
	const double *const there = by->mean + head * by->n;
	size_t n = 0;
	for (size_t i = 0; i < by->n; i++)
		n += !by->number || isfinite(there[i]);
	return (struct series){.label = g->label,
			       .brief = g->brief,
			       .n = n,
			       .x = row_of(by, x, 0, there, a),
			       .y = row_of(by, by->mean, head, there, a),
			       .lo = g->active ? row_of(by, by->min, head, there, a) : NULL,
			       .hi = g->active ? row_of(by, by->max, head, there, a) : NULL,
			       .colour = g->first,
			       .active = g->active};
}

static size_t make_series(const struct view_data *d, struct series *series, struct arena *a)
{
	const struct distances *by = d->by_distance;
	struct group groups[MODEL_MAX_HEADS + 1] = {{0}};
	const size_t n = group_heads(d, groups, a);
	double *x = arena_calloc(a, by->n, sizeof *x);
	for (size_t i = 0; i < by->n; i++)
		x[i] = (double)(by->lo + (long)i);
	for (size_t g = 0; g < n; g++)
		series[g] = group_series(d, &groups[g], x, a);
	return n;
}

/* Returns the x axis of the curves: distances, or the numbers that a structure gives to pairs. */
static struct pair_numbers curve_axis(const struct view_data *d, struct arena *a)
{
	struct pair_numbers by;
	if (d->by_distance->number && view_pair_numbers(d->built, d->trace, a, &by))
		return by;
	return (struct pair_numbers){
		.name = "distance", .x_title = view_apart_title(d), .sign = "s−t"};
}

static const char *left_out(const struct distances *by, struct arena *a)
{
	return by->skipped == 0 ? ""
	       : by->number
		       ? arena_printf(a, "; %zu pairs without a number are left out", by->skipped)
		       : arena_printf(a, "; %zu inserted tokens are left out", by->skipped);
}

static void name_curves(const struct view_data *d, const struct pair_numbers *by, struct arena *a,
			struct panel *p)
{
	const bool weights = d->trace->bias_absent != NULL;
	const size_t heads = d->by_distance->heads;
	p->title = arena_printf(a, "%s by %s", weights ? "Weights" : "Bias", by->name);
	p->paper_title = arena_printf(a, "%s by %s",
				      weights ? "Attention weights" : "Position bias", by->name);
	const bool of_heads = curve_axes(d).heads;
	const char *const head = weights ? view_short_head(d, a) : view_short_bias(d, a);
	p->subtitle = !*head ? arena_printf(a, "at each %s; band: min to max%s", by->name,
					    left_out(d->by_distance, a))
			     : arena_printf(a, "at each %s; band of %s: min to max%s", by->name,
					    view_head(d) == heads ? "their mean" : head,
					    left_out(d->by_distance, a));
	p->paper_note = !of_heads ? "mean of pairs"
			: p->curves.n == 1 && heads > 1
				? arena_printf(a, "%s, mean of pairs", p->curves.series[0].label)
				: arena_printf(a, "%zu head%s, mean of pairs", heads,
					       heads == 1 ? "" : "s");
	p->short_note = arena_printf(a, "%s %s", by->sign, view_curve_ends(&p->curves, a));
	p->note = arena_printf(a, "%s · %s", p->curves.n == 1 ? p->paper_note : "mean",
			       p->short_note);
}

static void curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct distances *by = d->by_distance;
	const struct pair_numbers axis = curve_axis(d, a);
	struct series *series = arena_calloc(a, by->heads + 1, sizeof *series);
	const size_t n = make_series(d, series, a);
	*p = (struct panel){.kind = PANEL_CURVES, .row = 1, .cols = 2, .priority = 2};
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .x_title = axis.x_title,
				    .y_title = "",
				    .integer_x = true,
				    .by_distance = !by->number,
				    .rows_from = (long)d->trace->memory,
				    .number = by->number,
				    .rows = by->rows,
				    .cols = by->cols,
				    .extremes = true,
				    .row_title = "heads"};
	view_curves(d, a, &p->curves);
	name_curves(d, &axis, a, p);
}

/* Returns whether there is one query and one key: a curve would show no more than the matrix. */
static bool is_one_cell(const struct view_data *d)
{
	return d->trace->query.n == 1 && d->trace->key.n == 1;
}

/* A pure mask adds nothing to the logits, keys that are not the units have no distances, and a
 * single distance makes no curve. */
static bool has_curve(const struct view_data *d)
{
	return !d->trace->bias_is_mask && !is_one_cell(d) && d->by_distance->n > 1 &&
	       (d->by_distance->number || view_has_tokens(&d->trace->key));
}

/* Places the matrices. A panel that does not exist leaves its room to the others: the bias to
 * the other matrix, the curves to both matrices. */
static void add_matrices(const struct view_data *data, struct arena *a, struct figure *out)
{
	if (!data->trace->bias_absent)
		bias_panel(data, a, &out->panels[out->n++]);
	matrix_panel(data, a, &out->panels[out->n++]);
	for (size_t i = 0; i < out->n; i++) {
		struct panel *const p = &out->panels[i];
		view_place(p, 0, (unsigned char)i, out->n == 1 ? 2 : 1, (unsigned char)i);
		p->rows = has_curve(data) ? 1 : 2;
	}
}

/* Places the cards below the matrices if these have a single cell. */
static void place_below(struct figure *out, struct panel *cards)
{
	for (struct panel *p = out->panels; p < cards; p++)
		p->rows = 1;
	view_place(&cards[0], 1, 0, 1, 3);
	view_place(&cards[1], 1, 1, 1, 4);
	memcpy(out->col_weight, (unsigned char[]){1, 1, 0}, 3);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
}

/* Without tokens there are no distances, and no numbers by them. */
static void say_finding(const struct view_data *d, const struct view_matrix *m, struct arena *a,
			struct figure *out)
{
	const struct pair_numbers axis = has_curve(d) ? curve_axis(d, a) : (struct pair_numbers){0};
	struct view_data now = *d;
	now.by_distance = has_curve(d) ? d->by_distance : NULL;
	const struct explore_told told = {&now, m, &axis};
	out->finding = explore_finding(&told, false, a);
	out->finding_brief = explore_finding(&told, true, a);
}

static void explore_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	view_frame(data, view_head_note(data, a), a, out);
	out->lead = true;
	memcpy(out->col_weight, (unsigned char[]){8, 8, 6}, 3);
	memcpy(out->row_weight, (unsigned char[]){5, 3}, 2);
	add_matrices(data, a, out);
	struct panel *const curve = has_curve(data) ? &out->panels[out->n++] : NULL;
	if (curve)
		curve_panel(data, a, curve);
	struct panel *const cards = &out->panels[out->n];
	card_scheme(data, a, &cards[0]);
	card_measures(data, a, &cards[1]);
	view_place(&cards[0], 0, 2, 1, 3);
	view_place(&cards[1], 1, 2, 1, 4);
	out->n += 2;
	struct panel *const drawing = &out->panels[out->n];
	const struct view_matrix m = matrix_there(data, a);
	if (view_drawing(data, data->trace, false, a, drawing) ||
	    view_looks(data, &m, a, drawing)) {
		out->n++;
		view_place(drawing, 1, curve ? 1 : 0, curve ? 1 : 2, 2);
		for (size_t i = 0; i < out->n; i++)
			out->panels[i].rows = 1;
		if (curve)
			view_place(curve, 1, 0, 1, 4);
	} else if (is_one_cell(data)) {
		place_below(out, cards);
	}
	say_finding(data, &m, a, out);
	view_close(data, out);
}

/* Omits the head from the subtitle if only the bias of a file is shown and the file has no
 * heads. */
static void explore_subtitle(const struct view_data *d, struct arena *a, struct figure *out)
{
	if (view_shows_own(d, out))
		out->subtitle = view_subtitle(d, view_bias_note(d, a), a);
}

const struct view view_explore = {
	"explore",
	"Explore",
	"What does a scheme do to attention?",
	explore_wants,
	explore_figure,
	.subtitle = explore_subtitle,
	.shows_looks = true,
	.no_bias = "the bias stands there already; beside it go logits, weights or mask",
	.by_distance = true,
	.split = true,
	.rectangles = true,
	.by_words = true};
