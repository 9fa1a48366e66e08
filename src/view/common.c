/* common.c: functions shared by views: the scene's matrix, colours of values, the frame of a
 * figure.
 *
 * A view declares the kind of a matrix (signed, a weight, on a common scale). Limits and colours
 * follow from that here, so that the same kind of number looks the same everywhere. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/math/select.h"
#include "posviz/plot/canvas.h"
#include "view_in.h"

const char view_no_logits[] = "there are no logits: the weights are given directly";

/* ---- the shown head and layer ---------------------------------------------------------------- */

const char *view_probe(const struct view_data *d, struct arena *a)
{
	const char *probe = d->scene->setup.probe;
	if (strcmp(probe, "off") == 0)
		return "this sentence";
	if (strcmp(probe, "ones") == 0)
		return "same token vector at every position";
	return arena_printf(a, "“%s” everywhere", text_escape(a, probe, strlen(probe)));
}

/* Returns whether a member acts on a head of a step; each may be a mean. */
static bool acts(const struct view_data *d, const struct member *m, size_t step, size_t head)
{
	const size_t heads = d->built->model.config.heads;
	bool layer = false;
	for (size_t i = 0; i < d->trace->n_layers; i++)
		layer |= (i == step || step == d->trace->n_layers) &&
			 subset_has(&m->layers, d->built->model.steps[i].layer);
	for (size_t h = 0; h < heads; h++)
		if ((h == head || head == heads) && subset_has(&m->heads, h))
			return layer;
	return false;
}

bool view_acts(const struct view_data *d, const struct member *m)
{
	return acts(d, m, view_layer(d), view_head(d));
}

static bool has_logits(const struct view_data *d, size_t step, size_t head)
{
	for (size_t i = 0; i < d->built->n_members; i++) {
		const struct member *m = &d->built->members[i];
		if (m->hooks->no_logits && acts(d, m, step, head))
			return false;
	}
	return true;
}

/* A mean has logits if one of its heads has some. */
bool view_has_logits(const struct view_data *d)
{
	const size_t heads = d->built->model.config.heads, layers = d->trace->n_layers;
	const size_t head = view_head(d), layer = view_layer(d);
	for (size_t l = 0; l < layers; l++)
		for (size_t h = 0; h < heads; h++)
			if ((l == layer || layer == layers) && (h == head || head == heads) &&
			    has_logits(d, l, h))
				return true;
	return false;
}

/* ---- colours --------------------------------------------------------------------------------- */

const struct colormap *view_colormap(const struct view_data *d, bool diverging)
{
	const struct colormap *const chosen = colormap_find(d->scene->colormap);
	return chosen && chosen->diverging == diverging ? chosen
							: colormap_for(diverging, d->background);
}

struct range {
	double lo, hi;
};

/* The upper limit for masks, chosen so that 1 has a colour far from the end of the map. */
enum { MASK_MOST = 6 };

static struct range shown_range(struct mat m, const struct paint *paint, double noise)
{
	struct range r;
	if (paint->shared)
		return (struct range){-paint->limit, paint->limit};
	if (paint->mask)
		return (struct range){0, MASK_MOST};
	if (paint->ranged)
		return (struct range){paint->lo, paint->hi};
	mat_range_where(m, paint->allowed, &r.lo, &r.hi);
	if (r.lo > r.hi || fmax(fabs(r.lo), fabs(r.hi)) < noise)
		r.lo = r.hi = 0;
	return r;
}

/* Returns the limit below which values are rounding relative to a typical logit; these must not
 * be stretched over all colours. */
static double noise_of(const struct view_data *d, const struct paint *paint)
{
	const double content = d->built->model.config.content;
	return paint->is_signed && content > 0 ? 1e-9 * content : 1e-12;
}

/* Returns 0 to 1, or more if values given by the user exceed 1. */
static struct range unit_range(struct mat m, const struct paint *paint, double noise)
{
	const struct range r = shown_range(m, paint, noise);
	return (struct range){0, r.hi > 1 + 1e-9 ? r.hi : 1};
}

/* The number of values of a matrix that are read to choose the mode of a scale. With more than
 * SAMPLED matrices fewer values of each are read. */
enum { SAMPLE = 4096, SAMPLED = 16 };

static int half_of(struct range r)
{
	const double slack = 1e-9 * fmax(fabs(r.lo), fabs(r.hi));
	return r.lo < -slack && r.hi > slack ? 0 : r.hi > slack ? 1 : r.lo < -slack ? -1 : 0;
}

/* Returns a scale with its limits; its mode is chosen when all panels are there. */
static struct scale choose_scale(const struct view_data *d, struct range r,
				 const struct paint *paint)
{
	const struct scene *scene = d->scene;
	struct scale scale = scale_fit(r.lo, r.hi, SCALE_LINEAR, paint->is_signed, paint->unit);
	if (!paint->is_signed && (!paint->unit || r.hi > 1)) {
		scale.lo = r.lo;
		scale.hi = r.hi;
	}
	if (scene->lock && !paint->unit && !paint->own) {
		scale.lo = scene->lock_lo;
		scale.hi = scene->lock_hi;
		scale.locked = true;
	}
	return scale;
}

/* The values of all panels with one scale, which share a bar. */
struct settled {
	double *sizes;
	size_t n;
	struct range range;
};

/* Adds the values of a matrix; of a large one an evenly spread part. */
static void add_values(struct settled *s, struct mat m, const uint8_t *masked, size_t most)
{
	const size_t all = m.rows * m.cols, step = all / most + 1;
	for (size_t i = 0; i < all; i += step) {
		const double v = mat_row(m, i / m.cols)[i % m.cols];
		if (!isfinite(v) || (masked && masked[i]))
			continue;
		s->sizes[s->n++] = v;
		s->range.lo = fmin(s->range.lo, v);
		s->range.hi = fmax(s->range.hi, v);
	}
}

/* Returns the least of 1, 2 and 5 times a power of ten that is at least x > 0. */
static double rounded_up(double x)
{
	static const double steps[] = {1, 2, 5, 10};
	const double ten = pow(10, floor(log10(x)));
	size_t i = 0;
	while (i < 3 && steps[i] * ten < x * (1 - 1e-12))
		i++;
	return steps[i] * ten;
}

/* Limits the scale of the weights of a long input to all but the largest hundredth: these few, the first rows of a
 * causal mask and words that meet themselves, would leave a few colours to all the others. */
static void limit_weights(struct scale *scale, const struct settled *s, struct arena *a)
{
	static const double above = 0.01, much = 0.5;
	double *const sizes = arena_calloc(a, s->n + 1, sizeof *sizes);
	memcpy(sizes, s->sizes, s->n * sizeof *sizes);
	const double most =
		s->n > 0 ? select_at(sizes, s->n, (size_t)((1 - above) * (double)(s->n - 1))) : 0;
	if (!(most > 0) || rounded_up(most) > much * scale->hi)
		return;
	scale->hi = rounded_up(most);
	scale->above = above;
}

static bool one_scale(const struct heatmap *a, const struct heatmap *b)
{
	return a->scale.diverging == b->scale.diverging && a->integers == b->integers &&
	       a->linear == b->linear && (a->even > 0) == (b->even > 0) &&
	       !(a->scale.lo < b->scale.lo) && !(a->scale.lo > b->scale.lo) &&
	       !(a->scale.hi < b->scale.hi) && !(a->scale.hi > b->scale.hi);
}

/* Limits the scale of a large signed matrix, of which cells show means over blocks, to the largest of these means:
 * single large values, such as those of a diagonal, would leave no colours to them. */
static void limit_signed(struct heatmap *const *maps, size_t n, struct scale *scale,
			 struct settled *s, struct arena *a)
{
	enum { LARGE = 128, ACROSS = 32 };
	static const double much = 0.5;
	double most = 0;
	size_t beyond = 0;
	for (size_t k = 0; k < n; k++) {
		const struct mat m = maps[k]->values;
		if (m.rows < LARGE || m.cols < LARGE || maps[k]->no_means)
			return;
		if (one_scale(maps[0], maps[k]))
			most = fmax(most, canvas_most_mean(a, maps[k], ACROSS));
	}
	if (!(most > 0) || rounded_up(most) > much * scale->hi)
		return;
	scale->hi = rounded_up(most);
	scale->lo = -scale->hi;
	for (size_t i = 0; i < s->n; i++) {
		beyond += fabs(s->sizes[i]) > scale->hi;
		s->sizes[i] = fmax(fmin(s->sizes[i], scale->hi), scale->lo);
	}
	scale->above = s->n > 0 ? (double)beyond / (double)s->n : 0;
}

/* The square root makes the weights of a short input visible. In a long input nearly all weights
 * are near 1/n, too small for the root: there a symmetric log scale gives each decade above 1/n
 * as much width as everything below it. */
static enum scale_mode weights_mode(const struct heatmap *h)
{
	static const double hidden = 0.01;
	return h->even > 0 && h->even < hidden * h->scale.hi ? SCALE_SYMLOG : SCALE_SQRT;
}

/* Returns the values that decide the mode of the first matrix's scale: those of all matrices
 * with that scale, or those of `spread_by` if given. The range is over both. */
static struct settled settling(struct heatmap *const *maps, size_t n, struct arena *a)
{
	const struct heatmap *const first = maps[0];
	const size_t by = first->n_spread_by, matrices = n > by ? n : by;
	const size_t most = matrices > SAMPLED ? SAMPLE * SAMPLED / matrices + 1 : SAMPLE;
	struct settled s = {.sizes = arena_calloc(a, matrices * most, sizeof *s.sizes),
			    .range = {INFINITY, -INFINITY}};
	for (size_t k = 0; k < n; k++)
		if (one_scale(first, maps[k]))
			add_values(&s, maps[k]->values, maps[k]->masked, most);
	s.n = by ? 0 : s.n;
	for (size_t k = 0; k < by; k++)
		add_values(&s, first->spread_by[k], first->masked, most);
	return s;
}

/* Sets the mode of the scale of all n matrices that share the first one's scale: the user's
 * choice or a locked one, else the mode in which most values can be seen. */
static void settle_scale(const struct view_data *d, struct heatmap *const *maps, size_t n,
			 struct arena *a)
{
	const struct scene *const scene = d->scene;
	struct scale scale = maps[0]->scale;
	struct settled s = settling(maps, n, a);
	if (scale.diverging && !scale.locked)
		scale.half = half_of(s.range);
	if (!scale.locked && scene->scale == SCENE_SCALE_AUTO && !scale.diverging &&
	    !maps[0]->linear && weights_mode(maps[0]) == SCALE_SYMLOG)
		limit_weights(&scale, &s, a);
	if (!scale.locked && scale.diverging && !maps[0]->integers)
		limit_signed(maps, n, &scale, &s, a);
	const struct scale_sizes sizes = scale_sizes(s.sizes, s.n);
	const bool kept = scale.locked && scene->scale == SCENE_SCALE_AUTO;
	const double even = maps[0]->even;
	scale.linear = kept ? scene->lock_linear : even > 0 ? even : sizes.quartile;
	scale.mode = kept				? (enum scale_mode)scene->lock_scale
		     : scene->scale != SCENE_SCALE_AUTO ? (enum scale_mode)(scene->scale - 1)
		     : maps[0]->linear			? SCALE_LINEAR
		     : scale.diverging			? scale_mode_for(&sizes)
							: weights_mode(maps[0]);
	if (maps[0]->integers)
		scale.mode = SCALE_LINEAR;
	for (size_t k = n; k-- > 0;) {
		if (!one_scale(maps[0], maps[k]))
			continue;
		maps[k]->scale = scale;
		if (scale.above > 0 && !scale.diverging && maps[k]->more_of)
			maps[k]->more_of = "attention, as for the 1 % above";
	}
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

/* Weights that are no shares may be negative: they get a scale to both sides of 0. */
static struct paint with_sign(const struct paint *paint, struct mat m)
{
	struct paint out = *paint;
	double lo = 0, hi = 0;
	if (paint->unit && !paint->mask && mat_range(m, &lo, &hi) && lo < -1e-9) {
		out.unit = out.weights = false;
		out.is_signed = out.own = true;
	}
	return out;
}

void view_heatmap(const struct view_data *d, struct mat m, const struct paint *given,
		  struct arena *a, struct panel *p)
{
	const struct paint signed_paint = with_sign(given, m), *const paint = &signed_paint;
	const double noise = noise_of(d, paint);
	const struct range range =
		paint->unit ? unit_range(m, paint, noise) : shown_range(m, paint, noise);
	const struct trace *trace = paint->trace ? paint->trace : d->trace;
	p->kind = PANEL_HEATMAP;
	p->heatmap = (struct heatmap){
		.values = m,
		.masked = paint->masked ? paint->masked
					: inverted(paint->allowed, m.rows * m.cols, a),
		.row_labels = trace->query.names,
		.col_labels = trace->key.names,
		.more_of = paint->more_of,
		.than = paint->than,
		.row_title = "query t",
		.col_title = "key s",
		.scale = choose_scale(d, range, paint),
		.spread_by = paint->spread_by,
		.n_spread_by = paint->n_spread_by,
		.colormap = view_colormap(d, paint->is_signed),
		.cursor_row = paint->rows,
		.cursor_col = paint->cols,
		.n_cursor_rows = paint->n_rows,
		.n_cursor_cols = paint->n_cols,
		.no_bar = paint->mask,
		.even = paint->weights ? 1 / (double)m.cols : 0,
		.grid = (enum heatmap_grid)d->scene->grid};
	p->heatmap.sums = canvas_sums(a, &p->heatmap);
}

/* ---- the scene's matrix ---------------------------------------------------------------------- */

struct mat view_ones(const struct trace *trace, struct arena *a)
{
	const struct mat m = mat_new(a, trace->query.n, trace->key.n);
	mat_fill(m, 1);
	return m;
}

struct mat view_mask(const struct trace *trace, const uint8_t *allowed, struct arena *a)
{
	const struct mat m = view_ones(trace, a);
	for (size_t i = 0; allowed && i < m.rows * m.cols; i++)
		m.at[i] = allowed[i];
	return m;
}

unsigned view_matrix_wants(const struct scene *scene)
{
	switch ((enum matrix)scene->matrix) {
	case MATRIX_BIAS:
	case MATRIX_WEIGHTS:
		return WANT_MASK | WANT_WEIGHTS;
	case MATRIX_LOGITS:
		return WANT_MASK | WANT_LOGITS;
	case MATRIX_MASK:
	case MATRIX_COUNT:
		break;
	}
	return WANT_MASK;
}

/* The sums of the rows of weights that have an allowed key. */
static bool range_of_sums(const struct trace_head *head, double *lo, double *hi)
{
	const struct mat m = head->weights;
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t t = 0; t < m.rows; t++) {
		bool any = !head->mask;
		double sum = 0;
		for (size_t s = 0; s < m.cols; s++) {
			sum += mat_row(m, t)[s];
			any = any || head->mask[t * m.cols + s];
		}
		if (any) {
			*lo = fmin(*lo, sum);
			*hi = fmax(*hi, sum);
		}
	}
	return *lo <= *hi;
}

const char *view_row_sums(const struct trace_head *head, struct arena *a)
{
	char from[32], to[32];
	double lo, hi;
	if (!head->weights.at || !range_of_sums(head, &lo, &hi) ||
	    (fabs(lo - 1) < 1e-9 && fabs(hi - 1) < 1e-9))
		return NULL;
	num_show(from, sizeof from, lo, 2);
	num_show(to, sizeof to, hi, 2);
	return strcmp(from, to) == 0 ? arena_printf(a, "rows sum to %s", from)
				     : arena_printf(a, "rows sum to %s to %s", from, to);
}

/* Returns how the weights come about, and what their rows sum to if that is not 1. */
static const char *weights_words(const struct view_data *d, const struct trace_head *head,
				 struct arena *a)
{
	const char *const sums = view_row_sums(head, a);
	const char *const stroke = head->mask && !view_is_mean(d) ? "; stroke: masked" : "";
	const char *const by = d->trace->words	     ? "pieces summed as keys, averaged as queries"
			       : !view_has_logits(d) ? "not a softmax of logits"
			       : head->sink_logit    ? "softmax over the keys and a sink"
			       : sums && view_is_mean(d) ? "a mean over heads or layers"
			       : sums			 ? "not a softmax"
			       : view_is_mean(d)	 ? "the mean of softmaxes over the keys"
							 : "softmax over the keys";
	return arena_printf(a, "%s%s%s%s", by, sums ? "; " : "", sums ? sums : "",
			    view_has_logits(d) ? stroke : "");
}

struct view_matrix view_matrix_of(const struct view_data *d, const struct trace *trace,
				  struct arena *a)
{
	const struct trace_head *head = &trace->layers[view_layer(d)].heads[view_head(d)];
	struct view_matrix out = {.name = matrix_names[d->scene->matrix],
				  .paint = {.allowed = head->mask, .unit = true, .trace = trace}};
	switch ((enum matrix)d->scene->matrix) {
	case MATRIX_LOGITS:
		out.title = "Logits";
		out.subtitle = head->mask ? "before softmax; stroke: masked" : "before softmax";
		out.absent = view_has_logits(d) ? NULL : view_no_logits;
		out.at = head->logits;
		out.paint.unit = false;
		out.paint.is_signed = true;
		out.paint.more_of = "attention";
		return out;
	case MATRIX_MASK:
		out.title = "Mask";
		out.subtitle = head->mask ? "stroke: this key is hidden from this query"
					  : "every key is allowed";
		out.at = view_ones(trace, a);
		out.paint.unit = false;
		out.paint.mask = true;
		return out;
	case MATRIX_BIAS:
	case MATRIX_WEIGHTS:
	case MATRIX_COUNT:
		break;
	}
	out.name = "weights";
	out.title = "Attention weights";
	out.subtitle = weights_words(d, head, a);
	out.at = head->weights;
	out.paint.weights = true;
	out.paint.more_of = "attention";
	return out;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *view_value_name(const char *title)
{
	static const char *const names[][2] = {
		{"Position bias", "bias"}, {"Attention weights", "weight"}, {"Logits", "logit"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(title, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}

const struct axis *view_units(const struct trace *trace)
{
	return trace_units(trace);
}

const char *view_unit_name(const struct axis *axis, size_t i, struct arena *a)
{
	enum { MOST = 20 };
	return text_cut(a, axis->names[i], MOST, false);
}

bool view_has_tokens(const struct axis *axis)
{
	for (size_t i = 0; i < axis->n; i++)
		if (axis->token[i] >= 0)
			return true;
	return false;
}

const char *view_apart_title(const struct view_data *d)
{
	return d->built->pictures ? "key minus query in reading order, not on the grid, s − t"
	       : d->built->position_ids ? "key minus query, not of position ids, s − t in tokens"
					: "key minus query, s − t";
}

/* Joins the parts that are not empty, with dots between them. */
static const char *joined(const char *const *parts, size_t n, struct arena *a)
{
	const char *out = "";
	for (size_t i = 0; i < n; i++)
		if (*parts[i])
			out = *out ? arena_printf(a, "%s   ·   %s", out, parts[i]) : parts[i];
	return out;
}

const char *view_subtitle(const struct view_data *d, const char *note, struct arena *a)
{
	const struct setup *const setup = &d->scene->setup;
	const char *const parts[] = {mixture_authors(&d->built->expr, a),
				     expr_brief(setup_with_batch(setup, setup->scheme, a), a),
				     note};
	return joined(parts, sizeof parts / sizeof *parts, a);
}

void view_frame(const struct view_data *d, const char *note, struct arena *a, struct figure *out)
{
	const struct expr *const e = &d->built->expr;
	const char *const title = mixture_title(e, a), *const what = mixture_definitions(e, a);
	const char *const name = scene_name_of(d->scene, NAMED_EXPRESSION, 1, a);
	const char *const whole = *what ? arena_printf(a, "%s: %s", title, what) : title;
	*out = (struct figure){.title = name ? name : view_of_model(d, whole, a),
			       .subtitle = view_subtitle(d, note, a),
			       .caption_right = "posviz " POSVIZ_VERSION,
			       .command = scene_command(d->scene, a)};
}

static void settle_scales(const struct view_data *d, struct figure *f)
{
	struct arena a;
	size_t n = 0;
	arena_init(&a);
	while (figure_heatmap(f, n, NULL))
		n++;
	struct heatmap **const maps = arena_calloc(&a, n + 1, sizeof *maps);
	bool *const done = arena_calloc(&a, n + 1, sizeof *done);
	for (size_t i = 0; i < n; i++)
		maps[i] = figure_heatmap(f, i, NULL);
	for (size_t i = 0; i < n; i++) {
		if (done[i])
			continue;
		for (size_t k = i + 1; k < n; k++)
			done[k] |= one_scale(maps[i], maps[k]);
		settle_scale(d, maps + i, n - i, &a);
	}
	arena_release(&a);
}

void view_close(const struct view_data *d, struct figure *out)
{
	settle_scales(d, out);
	figure_cursor(out, d->scene->row, d->scene->col);
	for (size_t i = 0; i < out->n; i++) {
		struct panel *p = &out->panels[i];
		p->rows = p->rows ? p->rows : 1;
		p->cols = p->cols ? p->cols : 1;
		p->note = p->note && *p->note ? p->note : NULL;
		p->short_note = p->short_note && *p->short_note ? p->short_note : NULL;
	}
}

void view_place(struct panel *p, unsigned char row, unsigned char col, unsigned char cols,
		unsigned char priority)
{
	p->row = row;
	p->col = col;
	p->cols = cols;
	p->priority = priority;
}

const char *view_first_sentence(const char *text, struct arena *a)
{
	for (const char *at = text; *at; at++)
		if (strncmp(at, ". ", 2) == 0 && isupper((unsigned char)at[2]))
			return arena_strndup(a, text, (size_t)(at + 1 - text));
	return text;
}
