/* explore.c: the view Explore: the bias beside the weights, the bias by distance, the cards. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"
#include "view_in.h"

enum { CURVES_MAX = 6 };

static enum want_kind wanted_matrix(const struct scene *scene)
{
	switch ((enum matrix)scene->matrix) {
	case MATRIX_BIAS:
	case MATRIX_WEIGHTS:
		return WANT_WEIGHTS;
	case MATRIX_LOGITS:
		return WANT_LOGITS;
	case MATRIX_MASK:
	case MATRIX_COUNT:
		break;
	}
	return WANT_MASK;
}

unsigned explore_wants(const struct scene *scene)
{
	return WANT_BIAS | WANT_MASK | wanted_matrix(scene);
}

static size_t shown_head(const struct view_data *d)
{
	return (size_t)view_within(d->scene->head, d->built->model.config.heads) - 1;
}

static size_t shown_layer(const struct view_data *d)
{
	return (size_t)view_within(d->scene->layer, d->trace->n_layers) - 1;
}

/* The map of the user's choice, else the one for this kind of data and background. */
static const struct colormap *choose_map(const struct view_data *d, bool diverging)
{
	const struct colormap *chosen = colormap_find(d->scene->colormap);
	if (chosen && chosen->diverging == diverging)
		return chosen;
	for (const struct colormap *m = colormaps; m->name; m++)
		if (m->diverging == diverging && (!diverging || m->dark == d->dark))
			return m;
	BUG("no colour map");
}

/* A sequential map that is not taken for the one of the weights. */
static const struct colormap *sequential_map(const struct view_data *d)
{
	const struct colormap *chosen = colormap_find(d->scene->colormap);
	return chosen && !chosen->diverging ? chosen : colormap_find("cividis");
}

struct range {
	double lo, hi;
};

static struct range shown_range(struct mat m, const uint8_t *allowed)
{
	struct range r = {INFINITY, -INFINITY};
	for (size_t t = 0; t < m.rows; t++) {
		for (size_t s = 0; s < m.cols; s++) {
			const double v = mat_row(m, t)[s];
			if (!isfinite(v) || (allowed && !allowed[t * m.cols + s]))
				continue;
			r.lo = v < r.lo ? v : r.lo;
			r.hi = v > r.hi ? v : r.hi;
		}
	}
	/* Rounding is no signal. */
	if (r.lo > r.hi || fmax(fabs(r.lo), fabs(r.hi)) < 1e-12)
		r.lo = r.hi = 0;
	return r;
}

/* Values of one sign, far from zero, would all be one end of a diverging map. */
static bool far_from_zero(struct range r)
{
	return r.lo > 0.2 * r.hi || r.hi < 0.2 * r.lo;
}

static struct scale choose_scale(const struct view_data *d, struct range r, bool diverging,
				 bool unit)
{
	const struct scene *scene = d->scene;
	struct scale scale = scale_fit(r.lo, r.hi, (enum scale_mode)scene->scale, diverging, unit);
	if (!diverging && !unit) {
		scale.lo = r.lo;
		scale.hi = r.hi;
	}
	if (scene->lock && !unit) {
		scale.lo = scene->lock_lo;
		scale.hi = scene->lock_hi;
		scale.locked = true;
	}
	return scale;
}

static const uint8_t *inverted(const uint8_t *allowed, size_t n, struct arena *a)
{
	if (!allowed)
		return NULL;
	uint8_t *masked = arena_alloc(a, n);
	for (size_t i = 0; i < n; i++)
		masked[i] = !allowed[i];
	return masked;
}

static const char *head_note(const struct view_data *d, struct arena *a)
{
	return arena_printf(a, "head %zu of %zu", shown_head(d) + 1, d->built->model.config.heads);
}

static const char *layer_note(const struct view_data *d, struct arena *a)
{
	return d->trace->n_layers == 1
		       ? head_note(d, a)
		       : arena_printf(a, "head %zu of %zu · layer %zu", shown_head(d) + 1,
				      d->built->model.config.heads, shown_layer(d) + 1);
}

static const char *short_head(const struct view_data *d, struct arena *a)
{
	return arena_printf(a, "head %zu", shown_head(d) + 1);
}

static const char *short_layer(const struct view_data *d, struct arena *a)
{
	return d->trace->n_layers == 1 ? short_head(d, a)
				       : arena_printf(a, "head %zu layer %zu", shown_head(d) + 1,
						      shown_layer(d) + 1);
}

/* Fills the parts of a heatmap that all of them share. */
static void fill_heatmap(const struct view_data *d, struct mat m, const uint8_t *allowed,
			 bool is_signed, bool unit, struct arena *a, struct panel *p)
{
	const struct range range = shown_range(m, allowed);
	const bool one_sign = is_signed && far_from_zero(range) && !d->scene->lock;
	const bool diverging = is_signed && !one_sign;
	if (one_sign)
		p->subtitle =
			arena_printf(a, "%s; all %s 0", p->subtitle, range.lo > 0 ? ">" : "<");
	const struct trace *trace = d->trace;
	const struct scene *scene = d->scene;
	p->kind = PANEL_HEATMAP;
	p->heatmap = (struct heatmap){
		.values = m,
		.masked = inverted(allowed, m.rows * m.cols, a),
		.row_labels = trace->query.labels,
		.col_labels = trace->key.labels,
		.row_title = "query t",
		.col_title = "key s",
		.scale = choose_scale(d, range, diverging, unit),
		.colormap = one_sign ? sequential_map(d) : choose_map(d, diverging),
		.has_cursor = scene->row > 0 && scene->col > 0 && (size_t)scene->row <= m.rows &&
			      (size_t)scene->col <= m.cols,
		.row = (size_t)(scene->row > 0 ? scene->row - 1 : 0),
		.col = (size_t)(scene->col > 0 ? scene->col - 1 : 0)};
}

static struct mat ones(struct arena *a, const struct trace *trace)
{
	const struct mat m = mat_new(a, trace->query.n, trace->key.n);
	mat_fill(m, 1);
	return m;
}

static const char *probe_words(const struct view_data *d, struct arena *a)
{
	const char *probe = d->scene->setup.probe;
	if (strcmp(probe, "off") == 0)
		return "this sentence, logits minus unit–unit";
	if (strcmp(probe, "ones") == 0)
		return "same unit everywhere, logits minus unit–unit";
	return arena_printf(a, "“%s” everywhere, logits minus unit–unit",
			    text_escape(a, probe, strlen(probe)));
}

static void bias_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *first = &d->trace->layers[0].heads[shown_head(d)];
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .title = "Position bias",
			    .note = head_note(d, a),
			    .short_note = short_head(d, a),
			    .subtitle = probe_words(d, a),
			    .absent = d->trace->bias_absent};
	if (d->trace->bias_is_mask) {
		const struct trace_head *head =
			&d->trace->layers[shown_layer(d)].heads[shown_head(d)];
		p->title = "Mask";
		p->subtitle = "a pure mask: it forbids pairs and adds nothing";
		fill_heatmap(d, ones(a, d->trace), head->mask, false, true, a, p);
	} else if (!p->absent) {
		const bool causal = first->mask && view_bias_is_causal(d->built);
		if (causal)
			p->subtitle = arena_printf(a, "%s; hatched: undefined", p->subtitle);
		fill_heatmap(d, first->bias, causal ? first->mask : NULL, true, false, a, p);
		double lo, hi;
		if (mat_range(first->bias, &lo, &hi) && fmax(fabs(lo), fabs(hi)) < 1e-12)
			p->subtitle = "zero everywhere: nothing tells one place from another";
	}
}

static void matrix_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *head = &d->trace->layers[shown_layer(d)].heads[shown_head(d)];
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .note = layer_note(d, a),
			    .short_note = short_layer(d, a),
			    .col = 1,
			    .priority = 1};
	switch ((enum matrix)d->scene->matrix) {
	case MATRIX_LOGITS:
		p->title = "Logits";
		p->subtitle = head->mask ? "before softmax; hatched: masked" : "before softmax";
		p->absent = d->trace->bias_absent
				    ? "there are no logits: the weights are given directly"
				    : NULL;
		if (!p->absent)
			fill_heatmap(d, head->logits, head->mask, true, false, a, p);
		return;
	case MATRIX_MASK:
		p->title = "Mask";
		p->subtitle = head->mask ? "hatched: this key is hidden from this query"
					 : "every key is allowed";
		fill_heatmap(d, ones(a, d->trace), head->mask, false, true, a, p);
		return;
	case MATRIX_BIAS:
	case MATRIX_WEIGHTS:
	case MATRIX_COUNT:
		break;
	}
	p->title = "Attention weights";
	p->subtitle = d->trace->bias_absent ? "not a softmax of logits"
		      : head->mask	    ? "softmax over the keys; hatched: masked"
					    : "softmax over the keys";
	fill_heatmap(d, head->weights, head->mask, false, true, a, p);
}

/* ---- curves ----------------------------------------------------------------------------------- */

/* Heads whose curves are equal share one: its label names them all. */
struct group {
	size_t first, n;
	bool active;
	const char *label; /* "heads 1, 3" */
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
		groups[g].n++;
		groups[g].active |= h == shown_head(d);
	}
	for (size_t g = 0; g < n; g++)
		groups[g].label = groups[g].n == by->heads && by->heads > 1 ? "all heads"
				  : groups[g].n > 4
					  ? arena_printf(a, "%zu heads", groups[g].n)
					  : arena_printf(a, "head%s %s", groups[g].n > 1 ? "s" : "",
							 groups[g].label);
	return n;
}

static struct series group_series(const struct view_data *d, const struct group *g, const double *x)
{
	const struct distances *by = d->by_distance;
	const size_t head = g->active ? shown_head(d) : g->first;
	return (struct series){.label = g->label,
			       .n = by->n,
			       .x = x,
			       .y = by->mean + head * by->n,
			       .lo = g->active ? by->min + head * by->n : NULL,
			       .hi = g->active ? by->max + head * by->n : NULL,
			       .colour = g->first,
			       .active = g->active};
}

/* At most CURVES_MAX curves; with more, only the one that is looked at. */
static size_t make_series(const struct view_data *d, struct series *series, struct arena *a)
{
	const struct distances *by = d->by_distance;
	struct group groups[MODEL_MAX_HEADS] = {{0}};
	const size_t n = group_heads(d, groups, a);
	double *x = arena_calloc(a, by->n, sizeof *x);
	for (size_t i = 0; i < by->n; i++)
		x[i] = (double)(by->lo + (long)i);
	size_t made = 0;
	for (size_t g = 0; g < n; g++)
		if (n <= CURVES_MAX || groups[g].active)
			series[made++] = group_series(d, &groups[g], x);
	return made;
}

static void curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct distances *by = d->by_distance;
	const bool weights = d->trace->bias_absent != NULL;
	struct series *series = arena_calloc(a, CURVES_MAX, sizeof *series);
	const size_t n = make_series(d, series, a);
	*p = (struct panel){.kind = PANEL_CURVES,
			    .row = 1,
			    .cols = 2,
			    .priority = 3,
			    .title = weights ? "Weights by distance" : "Bias by distance",
			    .paper_title = weights ? "Attention weights by distance"
						   : "Position bias by distance"};
	p->note = n == 1 && by->heads > 1 ? arena_printf(a, "%s, mean", series[0].label)
					  : arena_printf(a, "%zu head%s, mean", by->heads,
							 by->heads == 1 ? "" : "s");
	const char *left_out =
		by->skipped
			? arena_printf(a, "; %zu units without a token are left out", by->skipped)
			: "";
	p->subtitle = arena_printf(a, "mean over t; band of head %zu: min to max%s",
				   shown_head(d) + 1, left_out);
	if (d->trace->bias_is_mask)
		p->absent = "a pure mask adds nothing to the logits";
	const struct scene *scene = d->scene;
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .x_title = "key minus query, s − t",
				    .y_title = "",
				    .integer_x = true,
				    .has_cursor = scene->row > 0 && scene->col > 0,
				    .cursor = (double)(scene->col - scene->row)};
}

/* ---- words ------------------------------------------------------------------------------------ */

static const char *joined_tokens(const struct view_data *d, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < d->trace->query.n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", d->trace->query.labels[i]);
	return text_shorten(a, b.at, 72, false);
}

static const char *caption(const struct view_data *d, const struct figure *f, struct arena *a)
{
	const struct colormap *left = f->panels[0].heatmap.colormap;
	const struct colormap *right = f->panels[1].heatmap.colormap;
	const struct model *model = &d->built->model;
	const struct model_config *c = &model->config;
	char scale[32], content[32];
	return arena_printf(a,
			    "“%s”   n %zu · d %zu · h %zu · layers %zu · seed %llu · %s projection "
			    "· c %s · content %s · colours %s, %s",
			    joined_tokens(d, a), d->trace->query.n, c->d, c->heads, c->layers,
			    (unsigned long long)c->seed, projection_names[c->proj],
			    num_show(scale, sizeof scale, d->trace->c, 3),
			    num_show(content, sizeof content, c->content, 3),
			    left ? left->name : "none", right ? right->name : "none");
}

bool explore_figure(const struct view_data *data, struct arena *a, struct figure *out,
		    struct err *err)
{
	if (data->scene->matrix == MATRIX_BIAS)
		return err_set(err, "matrix: the bias stands there already; beside it go logits, "
				    "weights or mask");
	const struct scheme *s = expr_main(&data->built->expr)->scheme;
	*out = (struct figure){.title = s->title,
			       .subtitle = arena_printf(a, "%s %d   ·   %s   ·   %s", s->authors,
							s->year, data->scene->setup.scheme,
							head_note(data, a)),
			       .caption_right = "posviz " POSVIZ_VERSION,
			       .command = scene_command(data->scene, a),
			       .col_weight = {8, 8, 6},
			       .row_weight = {5, 3}};
	bias_panel(data, a, &out->panels[0]);
	matrix_panel(data, a, &out->panels[1]);
	curve_panel(data, a, &out->panels[2]);
	card_scheme(data, a, &out->panels[3]);
	card_measures(data, a, &out->panels[4]);
	out->panels[3].col = 2;
	out->panels[3].priority = 2;
	out->panels[4].col = 2;
	out->panels[4].row = 1;
	out->panels[4].priority = 4;
	out->n = 5;
	out->caption = caption(data, out, a);
	for (size_t i = 0; i < out->n; i++) {
		if (!out->panels[i].rows)
			out->panels[i].rows = 1;
		if (!out->panels[i].cols)
			out->panels[i].cols = 1;
	}
	return true;
}
