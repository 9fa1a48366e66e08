/* order.c: the view Order: the same tokens as written and as shown, the difference beyond the
 * permutation of rows and columns, and all measures of how much the model depends on order.
 *
 * A(X) is computed from the tokens as written, A(PX) from the shown order. If the tokens are
 * shown as written, the picture's twin is their reverse, which is used as A(PX) for a trial;
 * every panel says so: "if reversed". The cursor is a pair of tokens: each panel marks the cell
 * of this pair. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "view_in.h"

enum { FEW = 24 }; /* number of tokens */

/* A smaller change is rounding. */
static const double rounding = 1e-9;

/* The pair whose entry changes most among those that the mask of the scene's own order allows, so that the cursor
 * stands on a number in every panel. */
struct largest {
	size_t row, col;
	double by; /* 0: none changes */
};

struct orders {
	const struct view_data *d;
	struct arena *a;
	const struct trace *written, *shown; /* traces of A(X) and A(PX) */
	/* The row or column of A(X) for each row or column of A(PX). */
	const size_t *rows, *cols;
	/* The indices in each matrix of the pair at the scene's row and column; NULL: the same. */
	const size_t *written_rows, *written_cols, *shown_rows, *shown_cols;
	struct view_matrix a_written, a_shown;
	struct order_change change;
	struct largest largest;
	double limit;	    /* limit of the scale of both */
	const char *absent; /* why there is no difference; or NULL */
	size_t moved;
};

static unsigned order_wants(const struct scene *scene)
{
	return view_matrix_wants(scene);
}

/* ---- the two matrices ------------------------------------------------------------------------ */

/* Puts the differences of a trial where their tokens stand as written, so that they can be read row by row beside A(X):
 * the scene has that order. */
static void put_back(struct orders *o)
{
	struct order_change *const c = &o->change;
	const struct mat from = c->difference;
	const struct mat to = mat_new(o->a, from.rows, from.cols);
	uint8_t *const allowed = c->allowed ? arena_alloc(o->a, from.rows * from.cols) : NULL;
	for (size_t t = 0; t < from.rows; t++)
		for (size_t s = 0; s < from.cols; s++) {
			mat_row(to, o->rows[t])[o->cols[s]] = mat_row(from, t)[s];
			if (allowed)
				allowed[o->rows[t] * from.cols + o->cols[s]] =
					c->allowed[t * from.cols + s];
		}
	c->difference = to;
	c->allowed = allowed;
}

/* Finds the largest change; the masks themselves have a value at every pair. */
static void find_largest(struct orders *o)
{
	const struct view_matrix *const own = o->d->twin->reversed ? &o->a_written : &o->a_shown;
	const uint8_t *const seen = o->d->scene->matrix == MATRIX_MASK ? NULL : own->paint.allowed;
	const struct mat m = o->change.difference;
	for (size_t t = 0; t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++) {
			const double by = fabs(mat_row(m, t)[s]);
			if ((!seen || seen[t * m.cols + s]) && by > rounding && by > o->largest.by)
				o->largest = (struct largest){t, s, by};
		}
}

static void compare(struct orders *o)
{
	struct mat x = o->a_written.at, y = o->a_shown.at;
	const uint8_t *mask_x = o->a_written.paint.allowed, *mask_y = o->a_shown.paint.allowed;
	if (o->d->scene->matrix == MATRIX_MASK) { /* the masks themselves are compared */
		x = view_mask(o->written, mask_x, o->a);
		y = view_mask(o->shown, mask_y, o->a);
		mask_x = mask_y = NULL;
	}
	order_compare(y, mask_y, x, mask_x, o->rows, o->cols, o->a, &o->change);
	if (o->d->twin->reversed && !o->d->earlier)
		put_back(o);
	find_largest(o);
}

/* Returns the largest absolute value of A(X) and A(PX), which share a scale. */
static double common_limit(const struct orders *o)
{
	const struct view_matrix *both[] = {&o->a_written, &o->a_shown};
	double most = 0;
	for (size_t i = 0; i < 2; i++) {
		const struct mat m = both[i]->at;
		const uint8_t *allowed = both[i]->paint.allowed;
		for (size_t t = 0; m.at && t < m.rows; t++)
			for (size_t s = 0; s < m.cols; s++)
				if (!allowed || allowed[t * m.cols + s])
					most = fabs(mat_row(m, t)[s]) > most
						       ? fabs(mat_row(m, t)[s])
						       : most;
	}
	return most;
}

/* Results that do not depend on cursor, colours or measures. */
struct kept {
	struct order_change change;
	struct largest largest;
	double limit;
};

static void open_orders(const struct view_data *d, struct arena *a, struct orders *o)
{
	const struct trace *own = d->trace, *other = &d->twin->trace;
	const bool reversed = d->twin->reversed;
	*o = (struct orders){
		.d = d, .a = a, .written = reversed ? own : other, .shown = reversed ? other : own};
	o->a_written = view_matrix_of(d, o->written, a);
	o->a_shown = view_matrix_of(d, o->shown, a);
	o->rows = order_places(&o->shown->query, &o->written->query, a);
	o->cols = order_places(&o->shown->key, &o->written->key, a);
	o->absent = o->a_shown.absent;
	if (!o->absent && (!o->rows || !o->cols))
		o->absent = "the two orders do not hold the same tokens: nothing to compare";
	if (o->rows && o->cols && reversed) {
		o->shown_rows = order_places(&o->written->query, &o->shown->query, a);
		o->shown_cols = order_places(&o->written->key, &o->shown->key, a);
	} else {
		o->written_rows = o->rows;
		o->written_cols = o->cols;
	}
	for (size_t i = 0; o->rows && i < o->shown->query.n; i++)
		o->moved += o->rows[i] != i;
	const struct kept *kept = d->kept;
	if (kept) {
		o->change = kept->change;
		o->largest = kept->largest;
		o->limit = kept->limit;
		return;
	}
	if (!o->absent)
		compare(o);
	o->limit = common_limit(o);
}

static const void *order_keep(const struct view_data *data, struct arena *a)
{
	if (data->scene->matrix == MATRIX_BIAS)
		return NULL;
	struct orders o;
	open_orders(data, a, &o);
	struct kept *kept = arena_calloc(a, 1, sizeof *kept);
	*kept = (struct kept){o.change, o.largest, o.limit};
	return kept;
}

/* The cursor begins at the pair that the finding names. */
static void order_first_cell(const void *of, long *row, long *col)
{
	const struct kept *const kept = of;
	if (kept->largest.by <= 0)
		return;
	*row = 1 + (long)kept->largest.row;
	*col = 1 + (long)kept->largest.col;
}

/* The entries of each matrix, as the beginning of a title and within a sentence. */
static const struct {
	const char *title, *name;
} entries[MATRIX_COUNT] = {[MATRIX_BIAS] = {"Weights", "weights"},
			   [MATRIX_LOGITS] = {"Logits", "logits"},
			   [MATRIX_WEIGHTS] = {"Weights", "weights"},
			   [MATRIX_MASK] = {"Mask", "mask"}};

static void matrix_panel(const struct orders *o, bool written, double limit, struct panel *p)
{
	const struct view_data *d = o->d;
	const bool reversed = d->twin->reversed;
	const struct view_matrix *m = written ? &o->a_written : &o->a_shown;
	struct paint paint = m->paint;
	const char *const title = written    ? "A(X) as written"
				  : reversed ? "A(PX) if reversed"
					     : "A(PX) as shown";
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = written    ? "written"
				    : reversed ? "reversed"
					       : "shown",
			    .title = title,
			    .brief_title = strchr(title, ' ') + 1,
			    .paper_title = arena_printf(o->a, "%s %s",
							entries[o->d->scene->matrix].title, title),
			    .note = view_layer_note(d, o->a),
			    .short_note = view_short_layer(d, o->a),
			    .subtitle = arena_printf(o->a, "%s, %s", m->title, m->subtitle),
			    .spare = written != reversed,
			    .alone = true,
			    .absent = m->absent};
	if (!written && reversed)
		p->subtitle = "a trial: the order reversed";
	if (p->absent)
		return;
	paint.shared = paint.is_signed;
	paint.limit = limit;
	paint.rows = written ? o->written_rows : o->shown_rows;
	paint.cols = written ? o->written_cols : o->shown_cols;
	view_heatmap(d, m->at, &paint, o->a, p);
}

/* ---- the difference -------------------------------------------------------------------------- */

static const char *what(const struct orders *o)
{
	return entries[o->d->scene->matrix].name;
}

static const char *number(const struct orders *o, double value, int digits)
{
	char text[32];
	return arena_strdup(o->a, num_show(text, sizeof text, value, digits));
}

static bool is_zero(const struct orders *o)
{
	return o->change.relative < rounding;
}

static const char *zero_words(const struct orders *o)
{
	if (o->d->scene->matrix == MATRIX_MASK)
		return "the mask does not see this order";
	return arena_printf(o->a, "%s%s does not see this order",
			    o->d->scene->matrix == MATRIX_LOGITS ? "before the mask " : "",
			    view_this(o->d));
}

static const char *relative(const struct orders *o)
{
	return is_zero(o)		      ? "0"
	       : isfinite(o->change.relative) ? measure_show_value(o->change.relative, o->a)
					      : "n/a: A(X) is 0";
}

static const char *difference_words(const struct orders *o)
{
	const struct order_change *c = &o->change;
	if (o->moved == 0)
		return "zero: no token moves";
	if (is_zero(o))
		return arena_printf(o->a, "zero everywhere (%s): %s",
				    c->most > 0 ? number(o, c->most, 1) : "0", zero_words(o));
	return arena_printf(o->a, "largest %s; norm %s of that of A(X)%s", number(o, c->most, 2),
			    relative(o), c->allowed ? "; stroke: masked in both" : "");
}

/* Returns whether a cell is masked in one of the orders alone. */
static bool is_masked_in_one(const struct orders *o)
{
	const uint8_t *const x = o->a_written.paint.allowed, *const y = o->a_shown.paint.allowed;
	const struct mat m = o->a_shown.at;
	for (size_t t = 0; m.at && t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++)
			if ((!x || x[o->rows[t] * m.cols + o->cols[s]]) !=
			    (!y || y[t * m.cols + s]))
				return true;
	return false;
}

/* Returns whether the mask of the scene's own order hides the pair that changes most of all. */
static bool is_most_hidden(const struct orders *o)
{
	return o->largest.by < o->change.most * (1 - rounding);
}

/* Returns "chased → cat", the pair that changes most. */
static const char *largest_pair(const struct orders *o)
{
	const struct trace *const own = o->d->trace;
	return arena_printf(o->a, "%s → %s", view_unit_name(&own->query, o->largest.row, o->a),
			    view_unit_name(&own->key, o->largest.col, o->a));
}

/* Returns what is to be said of masked pairs, as the end of a sentence. */
static const char *masked_words(const struct orders *o)
{
	return !is_masked_in_one(o)		       ? ""
	       : o->d->scene->matrix == MATRIX_WEIGHTS ? "; a masked weight is 0"
						       : "; some are masked in one order";
}

/* Sets the finding: what a change of order does to the pairs of tokens, and to which of them most. Where a pair that the
 * scene's own order masks changes more, that is said of the others. */
static void say_finding(const struct orders *o, struct figure *out)
{
	enum { SHORT_PAIR = 14 };
	const char *const when = o->d->twin->reversed ? "If reversed" : "In the order shown";
	const char *const cells = o->d->scene->matrix == MATRIX_MASK ? "mask entries" : what(o);
	if (o->absent)
		return;
	if (o->moved == 0 || is_zero(o)) {
		out->finding = o->moved == 0 ? "No token moves in this order, so nothing changes."
					     : arena_printf(o->a, "%s, no %s change: %s.", when,
							    cells, zero_words(o));
		return;
	}
	const char *const all = arena_printf(o->a, "%s, %s change by up to %s", when, cells,
					     number(o, o->change.most, 2));
	const char *const masked = masked_words(o), *const pair = largest_pair(o);
	const bool any = o->largest.by > 0 && !o->d->earlier, hidden = is_most_hidden(o);
	const char *const at = any && !hidden ? arena_printf(o->a, " (%s)", pair) : "";
	const char *const seen =
		any && hidden ? arena_printf(o->a, " Of pairs seen %s, %s changes most, by %s.",
					     o->d->twin->reversed ? "as written" : "as shown", pair,
					     number(o, o->largest.by, 2))
			      : "";
	out->finding = arena_printf(o->a, "%s%s: order counts%s.%s", all, at, masked, seen);
	out->finding_brief = arena_printf(o->a, "%s%s%s.", all, at, masked);
	out->finding_least = arena_printf(o->a, "%s%s.", all,
					  text_width(pair) <= SHORT_PAIR ? at : ": order counts");
}

static void difference_panel(const struct orders *o, struct panel *p)
{
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = "difference",
			    .title = o->d->earlier	    ? "Difference"
				     : o->d->twin->reversed ? "Difference: reversed − written"
							    : "Difference: shown − written",
			    .brief_title = "Difference",
			    .paper_title = o->d->twin->reversed ? "Difference Pᵀ·A(PX)·P − A(X)"
								: "Difference A(PX) − P·A(X)·Pᵀ",
			    .spare = true,
			    .alone = true,
			    .note = view_layer_note(o->d, o->a),
			    .short_note = view_short_layer(o->d, o->a),
			    .absent = o->absent};
	if (p->absent)
		return;
	p->short_note = arena_printf(o->a, "relative change %s", relative(o));
	p->note = arena_printf(o->a, "%s · %s", p->short_note, p->note);
	const struct paint paint = {.allowed = o->change.allowed,
				    .is_signed = true,
				    .shared = true,
				    .limit = is_zero(o) ? 0 : o->change.most,
				    .own = true,
				    .trace = o->d->trace};
	p->subtitle = difference_words(o);
	view_heatmap(o->d, o->change.difference, &paint, o->a, p);
	p->heatmap.rows_shared = true; /* with the matrix of the scene's own order */
	if (is_zero(o) || o->moved == 0)
		p->heatmap.uniform = p->subtitle;
}

/* ---- tokens that move ------------------------------------------------------------------------ */

static void links_panel(const struct orders *o, struct panel *p)
{
	const struct axis *above = &o->written->query, *below = &o->shown->query;
	const bool reversed = o->d->twin->reversed;
	*p = (struct panel){
		.kind = PANEL_LINKS,
		.title = reversed ? "Tokens that would move" : "Tokens that move",
		.brief_title = "Tokens move",
		.note = arena_printf(o->a, "%zu of %zu: position as written → %s", o->moved,
				     below->n, reversed ? "if reversed" : "now"),
		.short_note = arena_printf(o->a, "%zu of %zu", o->moved, below->n),
		.subtitle = reversed ? "a trial, for nothing was moved: the order as "
				       "written, and its reverse; orange: later, blue: "
				       "earlier"
				     : "each token from where it was written to where it "
				       "is now; orange: later, blue: earlier",
		.absent = o->rows ? NULL : o->absent};
	if (p->absent)
		return;
	struct link *links = arena_calloc(o->a, below->n, sizeof *links);
	for (size_t i = 0; i < below->n; i++)
		links[i] = (struct link){.from = o->rows[i], .to = i, .strong = o->rows[i] != i};
	p->links = (struct links){.n_above = above->n,
				  .n_below = below->n,
				  .n = below->n,
				  .above = above->names,
				  .below = below->names,
				  .above_title = "as written",
				  .below_title = reversed ? "if reversed" : "now",
				  .links = links,
				  .cursor_row = o->shown_rows};
}

/* ---- the structure --------------------------------------------------------------------------- */

/* Draws the structure over the tokens as written, or as shown. False: none was given. */
static bool drawing_panel(const struct orders *o, bool written, struct panel *p)
{
	if (!view_drawing(o->d, written ? o->written : o->shown, false, o->a, p))
		return false;
	p->note = written ? "as written" : o->d->twin->reversed ? "if reversed" : "as shown";
	p->short_note = NULL;
	p->subtitle = written ? "over the tokens as written"
			      : "the same: each token has brought its node along";
	return true;
}

/* Returns the names of the members that read positions, and not only the structure. */
static const char *sequential_members(const struct orders *o)
{
	const struct expr *e = &o->d->built->expr;
	const char *names = "";
	for (size_t i = 0; i < e->n; i++) {
		const struct scheme *s = e->members[i].scheme;
		if (!(s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH)))
			names = arena_printf(o->a, "%s%s%s", names, *names ? ", " : "", s->id);
	}
	return names;
}

static bool any_structural(const struct orders *o)
{
	const struct expr *e = &o->d->built->expr;
	for (size_t i = 0; i < e->n; i++)
		if (e->members[i].scheme->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH))
			return true;
	return false;
}

/* Adds whether the model stays equivariant when the structure moves with its tokens, and why. */
static void add_structure(const struct orders *o, struct card *card)
{
	const struct measures *m = o->d->measures;
	if (!o->d->built->model_input.structure)
		return;
	if (!m || !m->equivariance.there) {
		const char *const why = m ? m->equivariance.why : NULL;
		card_add(card, "structure", why ? "n/a" : "…",
			 why ? why : "it moves with its tokens");
		return;
	}
	const bool structural = any_structural(o);
	const char *others = sequential_members(o);
	if (m->equivariance.value < rounding)
		card_add(card, "structure", "equivariant",
			 structural ? "the structure moves with its tokens: what is read off it "
				      "moves too, and nothing else tells one order from another"
				    : "nothing here sees positions, nor the structure");
	else if (!structural)
		card_add(card, "structure", "not read",
			 arena_printf(o->a,
				      "%s counts positions; the structure moves with its tokens "
				      "unseen",
				      others));
	else if (*others)
		card_add(card, "structure", "sees positions as well",
			 arena_printf(o->a,
				      "the structure moves with its tokens, but %s counts "
				      "positions, which stay",
				      others));
	else
		card_add(card, "structure", "sees positions as well",
			 "the structure moves with its tokens, but the scheme also reads in which "
			 "order they stand");
}

/* ---- measures -------------------------------------------------------------------------------- */

static void add_own_order(const struct orders *o, struct card *card)
{
	if (o->d->twin->reversed)
		card_add(card, measure_table[MEASURE_ROW_own_order].title, "as written",
			 "nothing was moved; the reverse is a trial");
	else
		card_measured(o->d, MEASURE_ROW_own_order, NULL, o->a, card);
}

/* Returns "relative change: weights 0.13 reversed; output 0.11, 8 shuffles"; NULL: not known. */
static const char *said(const struct orders *o)
{
	const struct measures *const m = o->d->measures;
	if (o->absent || !m || !m->equivariance.there)
		return NULL;
	return arena_printf(o->a, "relative change: %s %s%s; output %s, %d shuffles", what(o),
			    relative(o), o->d->twin->reversed ? " reversed" : "",
			    m->equivariance.value < rounding
				    ? "0"
				    : measure_show_value(m->equivariance.value, o->a),
			    MEASURE_SHUFFLES);
}

static void card_panel(const struct orders *o, struct panel *p)
{
	const struct view_data *d = o->d;
	const struct measures *m = d->measures;
	*p = (struct panel){.title = "Measured",
			    .paper_title = "What was measured",
			    .measured = MEASURED_ALL,
			    .stale = d->measures_stale};
	struct card *card = card_new(p, o->a);
	card->said = said(o);
	const char *const on = m ? measure_show_on(&m->on, o->a) : NULL;
	if (!o->absent)
		card_add(card, "difference", relative(o),
			 arena_printf(o->a, "‖A(PX) − P·A(X)·Pᵀ‖ / ‖A(X)‖ of the %s in %s", what(o),
				      d->trace->n_layers > 1 && !view_is_mean(d)
					      ? "this head and layer"
					      : view_this(d)));
	const bool causal = expr_is_causal(&d->built->expr);
	/* The prefix comes first for a causal model, which always sees order by its mask. */
	if (causal)
		card_prefix(d, o->a, card);
	if (on)
		card_add(card, "measured on", on, "what follows; the difference is of all");
	card_measured(d, MEASURE_ROW_equivariance, "0: order is not seen", o->a, card);
	add_structure(o, card);
	add_own_order(o, card);
	card_measured(d, MEASURE_ROW_invariance, NULL, o->a, card);
	if (!causal)
		card_prefix(d, o->a, card);
	card_measured(d, MEASURE_ROW_shift,
		      m && m->constant_bias ? "the bias is the same everywhere"
					    : "0: only distances count",
		      o->a, card);
	card_measured(d, MEASURE_ROW_shift_random, NULL, o->a, card);
	card_measured(d, MEASURE_ROW_insertion, NULL, o->a, card);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Places the drawings below the matrices with the same orders; the links move below the
 * drawings. */
static void place_drawings(struct figure *out)
{
	view_place(&out->panels[5], 1, 0, 2, 4);
	view_place(&out->panels[6], 1, 2, 2, 3);
	view_place(&out->panels[3], 2, 0, 4, 5);
	view_place(&out->panels[4], 1, 4, 2, 4);
	out->panels[4].rows = 2;
	out->n = 7;
	memcpy(out->row_weight, (unsigned char[]){6, 4, 3}, 3);
}

static void order_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	BUG_IF(!data->twin);
	struct orders o;
	open_orders(data, a, &o);
	const char *note = view_layer_note(data, a);
	if (data->twin->reversed)
		note = arena_printf(a, "%s%snothing was moved: its reverse is a trial", note,
				    *note ? "   ·   " : "");
	view_frame(data, note, a, out);
	/* The difference is the subject of the view, so it is focused first, although it is at
	 * the right. It cannot be read without the other two, so all three have the same
	 * priority: they shrink together. */
	difference_panel(&o, &out->panels[0]);
	/* The scene's own is the first of the other two. */
	const bool reversed = data->twin->reversed && !data->earlier;
	matrix_panel(&o, reversed, o.limit, &out->panels[1]);
	matrix_panel(&o, !reversed, o.limit, &out->panels[2]);
	links_panel(&o, &out->panels[3]);
	card_panel(&o, &out->panels[4]);
	view_place(&out->panels[0], 0, 4, 2, 0);
	view_place(&out->panels[1], 0, reversed ? 0 : 2, 2, 0);
	view_place(&out->panels[2], 0, reversed ? 2 : 0, 2, 0);
	/* The words of many tokens need more room. */
	const bool many = o.shown->query.n > FEW;
	const unsigned char links = many ? 4 : 3;
	view_place(&out->panels[3], 1, 0, links, 3);
	view_place(&out->panels[4], 1, links, 6 - links, 4);
	out->n = 5;
	memset(out->col_weight, 1, 6);
	memcpy(out->row_weight, (unsigned char[]){5, many ? 5 : 4}, 2);
	if (drawing_panel(&o, true, &out->panels[5]) && drawing_panel(&o, false, &out->panels[6]))
		place_drawings(out);
	say_finding(&o, out);
	out->names_hidden = true;
	view_close(data, out);
}

const struct view view_order = {
	"order",
	"Order",
	"What changes with the order of the tokens?",
	order_wants,
	order_figure,
	.no_bias = "the bias is of equal tokens at every position, which no order changes; compare "
		   "weights, logits or mask",
	.keep = order_keep,
	.first_cell = order_first_cell,
	.twin = true,
	.of_units = true,
	.broad = true,
	.by_words = true};
