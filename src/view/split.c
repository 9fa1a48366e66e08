/* split.c: the view Split: the bias as a function of distance, the part that the positions of
 * query and key add to it, and the rest, on one scale. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "view_in.h"

static unsigned split_wants(const struct scene *scene)
{
	return WANT_BIAS | WANT_MASK | WANT_WEIGHTS | WANT_RELATION |
	       (scene->matrix == MATRIX_LOGITS ? WANT_LOGITS : 0);
}

struct parts {
	const struct view_data *d;
	const struct view_split *s;
	struct arena *a;
	double limit; /* limit of all matrices */
};

static const char *percent(double share, struct arena *a)
{
	return arena_printf(a, "%.0f %%", 100 * share);
}

/* Returns the head; also the layer, unless the bias is split, which is always that of layer 1. */
static const char *head_note(const struct parts *p)
{
	return strcmp(p->s->what, "bias") == 0 ? view_head_note(p->d, p->a)
					       : view_layer_note(p->d, p->a);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void matrix_panel(const struct parts *p, struct mat m, const uint8_t *allowed,
			 struct panel *panel)
{
	panel->kind = PANEL_HEATMAP;
	const struct paint paint = {.allowed = allowed,
				    .is_signed = true,
				    .shared = true,
				    .limit = p->limit,
				    .own = true,
				    .more_of =
					    strcmp(p->s->what, "bias") == 0 ? "attention" : NULL};
	view_heatmap(p->d, m, &paint, p->a, panel);
}

/* Returns the cells that have a value; the others are masked or have no distance. */
static const uint8_t *counted(const struct parts *p, struct mat m)
{
	uint8_t *const out = arena_calloc(p->a, m.rows * m.cols + 1, 1);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		out[i] = !isnan(m.at[i]);
	return out;
}

static void whole_panel(const struct parts *p, struct panel *panel)
{
	const bool bias = strcmp(p->s->what, "bias") == 0;
	*panel = (struct panel){.name = "bias",
				.title = bias				     ? "Position bias"
					 : strcmp(p->s->what, "logits") == 0 ? "Logits"
									     : "Attention weights",
				.note = head_note(p),
				.short_note = view_short_head(p->d, p->a),
				.subtitle = bias ? arena_printf(p->a, "%s, logits minus unit–unit",
								view_probe(p->d, p->a))
						 : "what is split"};
	matrix_panel(p, p->s->m, p->s->mask, panel);
}

static void distance_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){
		.name = "f",
		.title = p->s->number ? arena_printf(p->a, "= by %s", p->s->by) : "= f(s−t)",
		.note = arena_printf(p->a, "%s by %s", percent(p->s->parts.distance, p->a),
				     p->s->by),
		.short_note = percent(p->s->parts.distance, p->a),
		.subtitle = arena_printf(p->a, "mean over the pairs of each %s", p->s->by)};
	panel->paper_note = panel->note;
	matrix_panel(p, p->s->parts.by_distance, counted(p, p->s->parts.by_distance), panel);
}

static void place_panel(const struct parts *p, struct panel *panel)
{
	const struct split *const s = &p->s->parts;
	*panel = (struct panel){
		.name = "place",
		.title = "+ by place",
		.note = arena_printf(p->a, "%s by query, %s by key", percent(s->query, p->a),
				     percent(s->key, p->a)),
		.short_note = percent(s->query + s->key, p->a),
		.subtitle = "what rows and columns tell beyond it, by least squares"};
	panel->paper_note = panel->note;
	matrix_panel(p, s->by_place, counted(p, s->by_place), panel);
}

static void rest_panel(const struct parts *p, struct panel *panel)
{
	const double rest = p->s->parts.rest;
	*panel = (struct panel){
		.name = "rest",
		.title = "+ rest",
		.note = arena_printf(p->a, "%s of the variance", percent(rest, p->a)),
		.short_note = percent(rest, p->a),
		.subtitle =
			rest < 1e-9 ? "nothing is left" : "what neither tells: it is of the pair"};
	panel->paper_note = panel->note;
	matrix_panel(p, p->s->parts.left, counted(p, p->s->parts.left), panel);
}

/* ---- the curve ------------------------------------------------------------------------------- */

/* Returns the curve, without numbers that no pair has. */
static struct series series_of(const struct parts *p)
{
	const struct split *const s = &p->s->parts;
	double *const x = arena_calloc(p->a, s->n, sizeof *x);
	double *const y = arena_calloc(p->a, s->n, sizeof *y);
	double *const lo = arena_calloc(p->a, s->n, sizeof *lo);
	double *const hi = arena_calloc(p->a, s->n, sizeof *hi);
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->f[i]))
			continue;
		x[n] = (double)(s->lo + (long)i);
		y[n] = s->f[i];
		lo[n] = s->least[i];
		hi[n++] = s->most[i];
	}
	return (struct series){.label = view_this(p->d),
			       .n = n,
			       .x = x,
			       .y = y,
			       .lo = lo,
			       .hi = hi,
			       .active = true};
}

static void curve_panel(const struct parts *p, struct panel *panel)
{
	struct series *const series = arena_calloc(p->a, 1, sizeof *series);
	*series = series_of(p);
	*panel = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title = arena_printf(p->a, "%s by %s", p->s->number ? "Mean" : "f(s−t)", p->s->by),
		.note = arena_printf(p->a, "%s of the variance",
				     percent(p->s->parts.distance, p->a)),
		.subtitle = arena_printf(p->a, "mean of the pairs at each %s; band: least to most",
					 p->s->by)};
	panel->paper_title = panel->title;
	panel->curves = (struct curves){.series = series,
					.n = 1,
					.x_title = p->s->x_title,
					.y_title = "",
					.integer_x = true,
					.by_distance = !p->s->number,
					.rows_from = (long)p->d->trace->memory,
					.number = p->s->number,
					.rows = p->s->m.rows,
					.cols = p->s->m.cols};
	view_curves(p->d, p->a, &panel->curves);
	if (series->n < 2)
		panel->absent = arena_printf(p->a, "there is one %s only: no curve", p->s->by);
}

/* ---- the card -------------------------------------------------------------------------------- */

static void card_panel(const struct parts *p, struct panel *panel)
{
	const struct split *const s = &p->s->parts;
	*panel = (struct panel){
		.name = "card", .title = "Shares of the split", .paper_title = "Of the variance"};
	struct card *const card = card_new(panel, p->a);
	const char *const part = sample_show(&s->sample, p->a);
	card->about =
		"Least squares: the mean at each distance first, then rows and columns with it, "
		"and the rest. A trend along the sentence is distance as far as it can be.";
	if (p->s->absent || s->why) {
		card_add(card, "split", "none", p->s->absent ? p->s->absent : s->why);
		return;
	}
	card_add(card, arena_printf(p->a, "by %s", p->s->by), percent(s->distance, p->a),
		 "the same wherever the two stand");
	card_add(card, "by key", percent(s->key, p->a), "what a key gets whoever asks");
	card_add(card, "by query", percent(s->query, p->a),
		 "the same for all keys of a query: softmax takes it away");
	card_add(card, "rest", percent(s->rest, p->a), "what only the pair tells");
	char sd[32];
	num_show(sd, sizeof sd, s->sd, 3);
	card_add(card, "σ", arena_strdup(p->a, sd),
		 arena_printf(p->a, "of the %s, over %zu pairs%s%s", p->s->what, s->pairs,
			      part ? "; " : "", part ? part : ""));
	if (s->infinite > 0)
		card_add(card, "left out", arena_printf(p->a, "%zu", s->infinite),
			 "values that are not finite");
}

/* ---- the page -------------------------------------------------------------------------------- */

static double largest(struct mat m, const uint8_t *mask)
{
	double most = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		const double v = mat_row(m, i / m.cols)[i % m.cols];
		if (isfinite(v) && (!mask || mask[i]))
			most = fmax(most, fabs(v));
	}
	return most;
}

static double common_limit(const struct view_split *s)
{
	return fmax(fmax(largest(s->m, s->mask), largest(s->parts.by_distance, s->mask)),
		    fmax(largest(s->parts.by_place, s->mask), largest(s->parts.left, s->mask)));
}

static void add_matrices(const struct parts *p, struct figure *out)
{
	const struct split *const s = &p->s->parts;
	whole_panel(p, &out->panels[out->n++]);
	if (s->left.at && !s->why) {
		distance_panel(p, &out->panels[out->n++]);
		if (s->query + s->key >= 0.005)
			place_panel(p, &out->panels[out->n++]);
		rest_panel(p, &out->panels[out->n++]);
	}
	for (size_t i = 0; i < out->n; i++)
		view_place(&out->panels[i], 0, (unsigned char)i, 1, i == 0 ? 1 : i == 1 ? 0 : 2);
	if (out->n == 4)
		out->panels[2].priority = 3;
}

static void absent_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.kind = PANEL_HEATMAP,
				.name = "bias",
				.title = "Position bias",
				.absent = p->s->absent};
	view_place(panel, 0, 0, 1, 0);
}

static void split_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct parts p = {.d = data, .s = data->split, .a = a};
	view_frame(data, view_head_note(data, a), a, out);
	if (p.s->absent) {
		absent_panel(&p, &out->panels[out->n++]);
	} else {
		p.limit = common_limit(p.s);
		add_matrices(&p, out);
	}
	const unsigned char cols = (unsigned char)out->n;
	if (!p.s->absent && !p.s->parts.why) {
		curve_panel(&p, &out->panels[out->n]);
		view_place(&out->panels[out->n++], 1, 0, cols > 1 ? (unsigned char)(cols - 1) : 1,
			   1);
	}
	card_panel(&p, &out->panels[out->n]);
	view_place(&out->panels[out->n], cols == 1 && out->n == 1 ? 0 : 1,
		   cols == 1 && out->n == 1 ? 1 : (unsigned char)(cols > 1 ? cols - 1 : 1), 1, 4);
	out->n++;
	memset(out->col_weight, 8, cols > 1 ? cols : 2);
	memcpy(out->row_weight, (unsigned char[]){5, 4}, 2);
	view_close(data, out);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static struct mat row_of(double *at, size_t n)
{
	return at ? mat_view(at, 1, n) : (struct mat){0};
}

static void say_share(const struct view_split *s, const char *name, double share, const char *means,
		      struct arena *a, struct numbers *out)
{
	const char *const why = s->absent ? s->absent : s->parts.why;
	numbers_say(out, name, s->absent ? NAN : share,
		    why ? arena_printf(a, "n/a: %s", why) : arena_printf(a, "%.1f %%", 100 * share),
		    means);
}

static void split_numbers(const struct view_data *data, struct arena *a, struct numbers *out)
{
	const struct view_split *const s = data->split;
	const struct split *const p = &s->parts;
	say_share(s, "split.by-distance", p->distance,
		  arena_printf(a, "of the variance of the %s: the mean at each %s", s->what, s->by),
		  a, out);
	say_share(s, "split.by-query", p->query, "what the query's place tells beyond that", a,
		  out);
	say_share(s, "split.by-key", p->key, "what the key's place tells beyond that", a, out);
	say_share(s, "split.rest", p->rest, "what only the pair tells", a, out);
	if (s->absent || !p->f)
		return;
	struct mat x = mat_new(a, 1, p->n);
	for (size_t i = 0; i < p->n; i++)
		x.at[i] = (double)(p->lo + (long)i);
	numbers_add(out, "split.distance", x);
	numbers_add(out, "split.curve", row_of(p->f, p->n));
	numbers_add(out, "split.matrix.distance", p->by_distance);
	numbers_add(out, "split.matrix.place", p->by_place);
	numbers_add(out, "split.matrix.rest", p->left);
}

const struct view view_split = {
	"split",       "Split",	     "How much of the bias is distance alone?",
	split_wants,   split_figure, .numbers = split_numbers,
	.split = true, .broad = true};
