/* split.c: the view Split: the bias as a function of distance, the part that the positions of
 * query and key add to it, and the residue, on one scale. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/percent.h"
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

/* The shares, rounded together: they add up to 100 %. */
enum share { BY_DISTANCE, BY_QUERY, BY_KEY, RESIDUE, SHARES };
static const char *const *shares_of(const struct parts *p)
{
	const struct split *const s = &p->s->parts;
	return percent_texts((const double[SHARES]){s->distance, s->query, s->key, s->rest}, SHARES,
			     p->a);
}

/* Returns the share of query and key together: "22 %". */
static const char *by_position(const struct parts *p)
{
	const struct split *const s = &p->s->parts;
	const double parts[] = {s->distance, s->query, s->key, s->rest};
	long whole[SHARES];
	percent_round(parts, SHARES, whole);
	return percent_show(s->query + s->key, whole[BY_QUERY] + whole[BY_KEY], p->a);
}

static struct operand operand(enum sign sign, const char *share, double of_whole)
{
	return (struct operand){.sign = sign, .share = share, .of_whole = of_whole};
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
				.brief_title = bias ? "Bias" : NULL,
				.note = head_note(p),
				.short_note = view_short_head(p->d, p->a),
				.subtitle = bias ? arena_printf(p->a, "%s, logits minus unit–unit",
								view_probe(p->d, p->a))
						 : "what is split",
				.operand = {.sign = SIGN_FIRST}};
	matrix_panel(p, p->s->m, p->s->mask, panel);
}

static void distance_panel(const struct parts *p, struct panel *panel)
{
	const char *const share = shares_of(p)[BY_DISTANCE], *const by = p->s->by;
	const char *const title = p->s->number ? arena_printf(p->a, "by %s", by) : "f(s−t)";
	*panel = (struct panel){
		.name = "f",
		.title = title,
		.paper_title = arena_printf(p->a, "= %s", title),
		.note = arena_printf(p->a, "%s by %s", share, by),
		.short_note = share,
		.subtitle = arena_printf(p->a, "mean over the pairs of each %s%s", by,
					 p->s->parts.rest < 1e-9 &&
							 p->s->parts.query + p->s->parts.key < 1e-9
						 ? "; nothing is left"
						 : ""),
		.operand = operand(SIGN_EQUALS, share, p->s->parts.distance)};
	panel->paper_note = panel->note;
	matrix_panel(p, p->s->parts.by_distance, counted(p, p->s->parts.by_distance), panel);
}

static void position_panel(const struct parts *p, struct panel *panel)
{
	const struct split *const s = &p->s->parts;
	const char *const *const shares = shares_of(p);
	*panel =
		(struct panel){.name = "place",
			       .title = "by position",
			       .brief_title = "position",
			       .paper_title = "+ by position",
			       .note = arena_printf(p->a, "%s by query, %s by key",
						    shares[BY_QUERY], shares[BY_KEY]),
			       .short_note = by_position(p),
			       .subtitle = "what rows and columns tell beyond it, by least squares",
			       .operand = operand(SIGN_PLUS, by_position(p), s->query + s->key)};
	panel->paper_note = panel->note;
	matrix_panel(p, s->by_place, counted(p, s->by_place), panel);
}

/* A residue of this share of the variance is rounding. */
static bool is_nothing(double share)
{
	return share < 1e-9;
}

static void residue_panel(const struct parts *p, struct panel *panel)
{
	const char *const share = shares_of(p)[RESIDUE];
	*panel = (struct panel){.name = "rest",
				.title = "residue",
				.paper_title = "+ residue",
				.note = arena_printf(p->a, "%s of the variance", share),
				.short_note = share,
				.subtitle = "what neither tells: it is of the pair",
				.operand = operand(SIGN_PLUS, share, p->s->parts.rest)};
	panel->paper_note = panel->note;
	matrix_panel(p, p->s->parts.left, counted(p, p->s->parts.left), panel);
	if (is_nothing(p->s->parts.rest))
		panel->heatmap.uniform =
			"No residue: distance, query and key tell all of the bias.";
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
		.note = arena_printf(p->a, "%s of the variance%s", shares_of(p)[BY_DISTANCE],
				     is_nothing(p->s->parts.rest) ? ", no residue" : ""),
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
		"and the residue. A trend along the sentence is distance as far as it can be.";
	if (p->s->absent || s->why) {
		card_add(card, "split", "none", p->s->absent ? p->s->absent : s->why);
		return;
	}
	const char *const *const shares = shares_of(p);
	card_add(card, arena_printf(p->a, "by %s", p->s->by), shares[BY_DISTANCE],
		 "the same wherever the two stand");
	card_add(card, "by key", shares[BY_KEY], "what a key gets whoever asks");
	card_add(card, "by query", shares[BY_QUERY],
		 "the same for all keys of a query: softmax takes it away");
	card_add(card, "residue", shares[RESIDUE], "what only the pair tells");
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
	double lo, hi;
	return mat_range_where(m, mask, &lo, &hi) ? fmax(-lo, hi) : 0;
}

static double common_limit(const struct view_split *s)
{
	return fmax(fmax(largest(s->m, s->mask), largest(s->parts.by_distance, s->mask)),
		    fmax(largest(s->parts.by_place, s->mask), largest(s->parts.left, s->mask)));
}

/* Returns whether the mean at each distance is the bias itself, so that its matrix would be that of the bias again; a user
 * who chooses panels gets both. */
static bool is_all_distance(const struct parts *p)
{
	const struct split *const s = &p->s->parts;
	const char *const panels = p->d->scene->panel;
	return s->left.at && !s->why && is_nothing(s->rest) && is_nothing(s->query + s->key) &&
	       !p->d->earlier && (*panels == '\0' || strcmp(panels, "all") == 0);
}

/* Returns "34 % of the variance of the bias is due to distance alone, 66 % to position."; NULL: nothing is
 * parted. */
static const char *finding(const struct parts *p)
{
	const struct split *const s = &p->s->parts;
	if (!s->left.at || s->why)
		return NULL;
	if (is_all_distance(p))
		return arena_printf(
			p->a,
			"All of the %s depends on the %s alone: %s, the curve, tells every cell.",
			p->s->what,
			p->s->number		? p->s->by
			: p->d->built->pictures ? "distance s − t in reading order"
						: "distance s − t",
			p->s->number ? "its mean" : "f(s−t)");
	const char *const rest =
		is_nothing(s->rest) ? ""
				    : arena_printf(p->a, ", %s to neither", shares_of(p)[RESIDUE]);
	return arena_printf(p->a,
			    "%s of the variance of the %s is due to %s alone, %s to position%s.",
			    shares_of(p)[BY_DISTANCE], p->s->what,
			    p->s->number ? p->s->by : "distance", by_position(p), rest);
}

static void add_matrices(const struct parts *p, struct figure *out)
{
	const struct split *const s = &p->s->parts;
	whole_panel(p, &out->panels[out->n++]);
	out->finding = finding(p);
	if (!is_all_distance(p) && s->left.at && !s->why) {
		distance_panel(p, &out->panels[out->n++]);
		if (s->query + s->key >= 0.005)
			position_panel(p, &out->panels[out->n++]);
		/* A residue of nothing is drawn only where the user asks for it. */
		if (!is_nothing(s->rest) || p->d->earlier || strstr(p->d->scene->panel, "rest"))
			residue_panel(p, &out->panels[out->n++]);
	}
	for (size_t i = 0; i < out->n; i++)
		view_place(&out->panels[i], 0, (unsigned char)i, 1, i == 0 ? 1 : i == 1 ? 0 : 2);
	if (out->n == 4)
		out->panels[2].priority = 3;
	if (out->n == 1)
		out->panels[0].operand.sign = SIGN_NONE; /* nothing is parted */
	out->cells_equation = true;
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
	bool wide = false; /* the card has a line of its own */
	if (!p.s->absent && !p.s->parts.why) {
		curve_panel(&p, &out->panels[out->n]);
		const bool beside = !p.s->absent && is_all_distance(&p);
		view_place(&out->panels[out->n++], beside ? 0 : 1, beside ? 1 : 0,
			   cols > 1 ? (unsigned char)(cols - 1) : 1, 1);
		wide = beside;
	}
	card_panel(&p, &out->panels[out->n]);
	view_place(&out->panels[out->n], cols == 1 && out->n == 1 ? 0 : 1,
		   cols == 1 && out->n == 1 ? 1 : (unsigned char)(cols > 1 ? cols - 1 : 1), 1, 4);
	if (wide)
		view_place(&out->panels[out->n], 1, 0, 2, 4);
	out->n++;
	memset(out->col_weight, 8, cols > 1 ? cols : 2);
	memcpy(out->row_weight, (unsigned char[]){5, wide ? 2 : 4}, 2);
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
	say_share(s, "split.by-query", p->query, "what the query's position tells beyond that", a,
		  out);
	say_share(s, "split.by-key", p->key, "what the key's position tells beyond that", a, out);
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
