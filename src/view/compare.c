/* compare.c: the view Compare: the same matrix of two to four expressions, or of one expression
 * on several inputs, on one scale; the distance of any two of them, the difference of one pair,
 * and their curves by distance.
 *
 * Short names are the numbers of the expressions, from 1: in titles, at curves, in pairs. Cells
 * of two matrices are compared only if they belong to the same two units, or, with two inputs,
 * the same two words; the cursor is on these in every panel. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "compare_in.h"
#include "posviz/plot/panel.h"

/* Up to FEW_UNITS columns are labelled with words; more columns with numbers, which need less
 * room. */
enum { TITLE_COLS = 30, FEW_UNITS = 40 };

static unsigned compare_wants(const struct scene *scene)
{
	return WANT_BIAS | WANT_CONTEXT |
	       (scene->matrix == MATRIX_BIAS ? WANT_MASK : view_matrix_wants(scene));
}

/* ---- the matrices ---------------------------------------------------------------------------- */

static struct view_matrix bias_of(const struct one *one, struct arena *a)
{
	const struct trace *trace = one->d.trace;
	const struct trace_head *head = &trace->layers[0].heads[view_head(&one->d)];
	return (struct view_matrix){
		.name = "bias",
		.title = "Position bias",
		.subtitle = arena_printf(a, "%s, logits minus unit–unit", view_probe(&one->d, a)),
		.absent = trace->bias_absent,
		.at = head->bias,
		.paint = {.allowed = head->mask,
			  .is_signed = true,
			  .more_of = "attention",
			  .than = "content alone",
			  .trace = trace}};
}

/* Returns the unit of `in` that corresponds to unit i of `scene`: the k-th unit of the same
 * token. */
static size_t unit_on(const struct axis *scene, const struct axis *in, size_t i)
{
	size_t k = 0;
	for (size_t u = 0; u < i; u++)
		k += scene->token[u] == scene->token[i];
	for (size_t u = 0; u < in->n; u++)
		if (in->token[u] == scene->token[i] && k-- == 0)
			return u;
	return i < in->n ? i : in->n - 1;
}

static const size_t *cursor_places(const struct axis *scene, const struct axis *in, struct arena *a)
{
	if (axis_same(scene, in))
		return NULL;
	size_t *at = arena_calloc(a, in->n, sizeof *at);
	for (size_t i = 0; i < in->n; i++)
		at[i] = i < scene->n ? unit_on(scene, in, i) : i;
	return at;
}

static void open_one(const struct comparison *c, size_t i, struct one *one)
{
	const struct compared *from = &c->d->compared[i];
	const struct trace *scene = c->d->trace;
	*one = (struct one){.d = *c->d, .name = from->name};
	one->d.built = from->built;
	one->d.trace = from->trace;
	one->matrix = c->d->scene->matrix == MATRIX_BIAS
			      ? bias_of(one, c->a)
			      : view_matrix_of(&one->d, from->trace, c->a);
	one->rows = cursor_places(&scene->query, &from->trace->query, c->a);
	one->cols = cursor_places(&scene->key, &from->trace->key, c->a);
	compare_find_cursor(c, i, one);
}

size_t compare_row(const struct comparison *c, const struct one *one, size_t row)
{
	return !one->rows    ? row
	       : one->n_rows ? one->rows[row]
			     : unit_on(&c->d->trace->query, &one->d.trace->query, row);
}

size_t compare_col(const struct comparison *c, const struct one *one, size_t col)
{
	return !one->cols    ? col
	       : one->n_cols ? one->cols[col]
			     : unit_on(&c->d->trace->key, &one->d.trace->key, col);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static size_t number_of(const struct comparison *c, const struct one *one)
{
	return (size_t)(one - c->of) + 1;
}

/* Returns "10 tokens with [VNode]", or "9 tokens"; of unequal axes "3 queries and 5 keys". */
static const char *counted(const struct trace *trace, struct arena *a)
{
	const struct axis *const units = &trace->query;
	const char *inserted = "";
	if (!axis_same(units, &trace->key))
		return arena_printf(a, "%zu queries and %zu keys", units->n, trace->key.n);
	for (size_t i = 0; i < units->n; i++)
		if (units->token[i] < 0)
			inserted = arena_printf(a, "%s%s%s", inserted, *inserted ? ", " : " with ",
						units->names[i]);
	return arena_printf(a, "%zu token%s%s", units->n, units->n == 1 ? "" : "s", inserted);
}

/* Returns a sentence that tells why the cells of the two cannot be compared; NULL: they can. */
static const char *not_comparable(const struct comparison *c, size_t pair)
{
	const struct one *const x = &c->of[pairs[pair][0] - 1], *const y =
									&c->of[pairs[pair][1] - 1];
	const struct one *const both[] = {x, y};
	const struct matched *const words = c->words[pair];
	for (size_t i = 0; i < 2; i++)
		if (both[i]->matrix.absent)
			return arena_printf(c->a, "%zu: %s", number_of(c, both[i]),
					    both[i]->matrix.absent);
	const struct trace *p = x->d.trace, *q = y->d.trace;
	for (size_t i = 0; i < 2; i++)
		if (c->d->compared[pairs[pair][i] - 1].no_words)
			return c->d->compared[pairs[pair][i] - 1].no_words;
	if (words)
		return words->queries.n > 0 && words->keys.n > 0
			       ? NULL
			       : arena_printf(
					 c->a,
					 "no word is in both %zu and %zu: no cell is of the same two",
					 number_of(c, x), number_of(c, y));
	if (p->query.n != q->query.n || p->key.n != q->key.n)
		return arena_printf(c->a,
				    "no difference is drawn: %zu has %s, %zu has %s, so their "
				    "cells are not of the same pairs",
				    number_of(c, x), counted(p, c->a), number_of(c, y),
				    counted(q, c->a));
	if (!axis_same(&p->query, &q->query) || !axis_same(&p->key, &q->key))
		return arena_printf(c->a,
				    "the rows of %zu and %zu are other tokens: their cells "
				    "are of other pairs",
				    number_of(c, x), number_of(c, y));
	return NULL;
}

static void measure(const struct comparison *c, size_t pair, struct apart *out)
{
	const enum matrix matrix = (enum matrix)c->d->scene->matrix;
	const struct sides s = compare_sides(c, pair, matrix == MATRIX_WEIGHTS);
	switch (matrix) {
	case MATRIX_WEIGHTS:
		apart_weights(s.x, s.mask_x, s.y, s.mask_y, out);
		break;
	case MATRIX_MASK:
		apart_masks(s.x.rows, s.x.cols, s.mask_x, s.mask_y, out);
		break;
	case MATRIX_BIAS:
	case MATRIX_LOGITS:
	case MATRIX_COUNT:
		apart_scores(s.x, s.mask_x, s.y, s.mask_y, out);
		break;
	}
	compare_place_apart(c, pair, out);
}

static void widen(const struct view_matrix *m, struct kept *k)
{
	const uint8_t *allowed = m->paint.allowed;
	for (size_t t = 0; !m->absent && t < m->at.rows; t++) {
		for (size_t s = 0; s < m->at.cols; s++) {
			const double v = mat_row(m->at, t)[s];
			if (!isfinite(v) || (allowed && !allowed[t * m->at.cols + s]))
				continue;
			k->lo = v < k->lo ? v : k->lo;
			k->hi = v > k->hi ? v : k->hi;
		}
	}
}

bool compare_has_pair(const struct comparison *c, size_t pair)
{
	return pairs[pair][1] <= c->n;
}

static void compare_all(struct comparison *c)
{
	struct kept *k = &c->kept;
	*k = (struct kept){.lo = INFINITY, .hi = -INFINITY};
	for (size_t i = 0; i < c->n; i++)
		widen(&c->of[i].matrix, k);
	/* Values this small are rounding. */
	if (k->lo > k->hi || fmax(fabs(k->lo), fabs(k->hi)) < 1e-12)
		k->lo = k->hi = 0;
	for (size_t i = 0; i < PAIRS; i++) {
		if (!compare_has_pair(c, i))
			continue;
		k->absent[i] = not_comparable(c, i);
		if (!k->absent[i])
			measure(c, i, &k->apart[i]);
	}
}

static void open_comparison(const struct view_data *d, struct arena *a, struct comparison *c)
{
	BUG_IF(d->n_compared < 2);
	*c = (struct comparison){.d = d, .a = a, .n = d->n_compared};
	for (size_t i = 0; i < c->n; i++)
		open_one(c, i, &c->of[i]);
	c->pair = compare_has_pair(c, (size_t)d->scene->pair) ? (size_t)d->scene->pair : 0;
	c->first = &c->of[pairs[c->pair][0] - 1];
	c->second = &c->of[pairs[c->pair][1] - 1];
	for (size_t i = 0; i < PAIRS; i++)
		if (compare_has_pair(c, i))
			compare_match_words(c, i);
	if (d->kept)
		c->kept = *(const struct kept *)d->kept;
	else
		compare_all(c);
}

static const void *compare_keep(const struct view_data *data, struct arena *a)
{
	struct comparison c;
	open_comparison(data, a, &c);
	struct kept *kept = arena_calloc(a, 1, sizeof *kept);
	*kept = c.kept;
	return kept;
}

/* Returns which cells have no difference, as enum heatmap_mask: those that one or both mask. If
 * masks are compared, every cell has one. */
static const uint8_t *hidden_cells(const struct comparison *c, const struct sides *sides)
{
	const uint8_t *const x = sides->mask_x, *const y = sides->mask_y;
	const size_t n = sides->x.rows * sides->x.cols;
	if (c->d->scene->matrix == MATRIX_MASK || (!x && !y))
		return NULL;
	uint8_t *at = arena_alloc(c->a, n);
	for (size_t i = 0; i < n; i++) {
		const bool in_x = !x || x[i], in_y = !y || y[i];
		at[i] = in_x && in_y ? HEATMAP_OPEN
			: in_y	     ? HEATMAP_MASKED_FIRST
			: in_x	     ? HEATMAP_MASKED_SECOND
				     : HEATMAP_MASKED;
	}
	return at;
}

static double value_at(const struct comparison *c, struct mat m, const uint8_t *allowed, size_t row,
		       size_t col)
{
	const bool masked = allowed && !allowed[row * m.cols + col];
	return masked && c->d->scene->matrix == MATRIX_MASK ? 0 : mat_row(m, row)[col];
}

struct change compare_subtract(const struct comparison *c)
{
	const struct sides sides = compare_sides(c, c->pair, false);
	const struct mat like = sides.x;
	struct change out = {.at = mat_zero(c->a, like.rows, like.cols),
			     .masked = hidden_cells(c, &sides)};
	for (size_t t = 0; t < like.rows; t++) {
		for (size_t s = 0; s < like.cols; s++) {
			if (out.masked && out.masked[t * like.cols + s] != HEATMAP_OPEN)
				continue;
			const double v = value_at(c, sides.x, sides.mask_x, t, s) -
					 value_at(c, sides.y, sides.mask_y, t, s);
			mat_row(out.at, t)[s] = v;
			out.most = fabs(v) > out.most ? fabs(v) : out.most;
		}
	}
	return out;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Places two matrices and their difference in a row; more than two in a row, with the difference
 * below the last, near the bars. Maps are the last panels to be dropped when room is short. */
static void place_all(const struct comparison *c, struct figure *f)
{
	struct panel *difference = &f->panels[0], *maps = &f->panels[1];
	struct panel *curves = &f->panels[c->n + 1], *card = curves + 1;
	const unsigned char wide = c->n == 2 ? 2 : 1, cols = c->n == 2 ? 6 : (unsigned char)c->n;
	for (size_t i = 0; i < c->n; i++)
		view_place(&maps[i], 0, (unsigned char)(i * wide), wide, 0);
	memset(f->col_weight, 1, cols);
	memcpy(f->row_weight,
	       (unsigned char[]){c->d->trace->query.n > FEW_UNITS ? 4 : 5, c->n == 2 ? 4 : 6}, 2);
	if (c->n == 2 && difference->lead) { /* a sentence: its place is for the two */
		view_place(&maps[0], 0, 0, 3, 0);
		view_place(&maps[1], 0, 3, 3, 0);
		view_place(difference, 1, 0, 6, 0);
		view_place(curves, 2, 0, 3, 2);
		view_place(card, 2, 3, 3, 3);
		memcpy(f->row_weight, (unsigned char[]){5, 1, 4}, 3);
		return;
	}
	if (c->n == 2) {
		view_place(difference, 0, 4, 2, 0);
		view_place(curves, 1, 0, 3, 2);
		view_place(card, 1, 3, 3, 3);
		return;
	}
	const unsigned char last = cols - 1;
	view_place(curves, 1, 0, last - 1, 2);
	view_place(card, 1, last - 1, 1, 3);
	view_place(difference, 1, last, 1, 0);
}

/* Joins the names; if one scheme runs on several inputs, its name comes first. */
static const char *joined(const struct comparison *c)
{
	const bool one = compare_one_scheme(c);
	struct strbuf b;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < c->n; i++)
		strbuf_printf(&b, "%s%s",
			      i == 0 ? ""
			      : one  ? "  ·  "
				     : " · ",
			      text_shorten(c->a, c->of[i].name, TITLE_COLS, false));
	return one ? arena_printf(c->a, "%s:  %s", c->d->compared[0].expression_name, b.at) : b.at;
}

static size_t allowed_of(const struct one *one)
{
	return one->d.trace->layers[view_layer(&one->d)].allowed[view_head(&one->d)];
}

const char *compare_masks(const struct comparison *c)
{
	struct strbuf b;
	bool differ = false, open = false, masked = false;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < c->n; i++) {
		const struct trace *const trace = c->of[i].d.trace;
		const size_t all = trace->query.n * trace->key.n, allowed = allowed_of(&c->of[i]);
		if (allowed == 0) /* this layer was not computed */
			return NULL;
		const size_t first = c->of[0].d.trace->query.n * c->of[0].d.trace->key.n;
		differ |= all == first && allowed != allowed_of(&c->of[0]);
		open |= allowed == all && all > 1;
		masked |= allowed < all;
		strbuf_printf(&b, allowed == all ? "%s%zu sees all %zu pairs" : "%s%zu sees %zu",
			      i ? ", " : "", i + 1, allowed);
	}
	return differ || (open && masked)
		       ? arena_printf(c->a, "%s: %s",
				      open && masked ? "masked against unmasked" : "masks differ",
				      b.at)
		       : NULL;
}

/* Returns the matrix whose subtitle is used for all: the first one with a mask, if any. */
static const struct view_matrix *wordiest(const struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->of[i].matrix.paint.allowed)
			return &c->of[i].matrix;
	return &c->first->matrix;
}

/* Returns whether the shown panels include one of this kind. */
static bool shows(const struct figure *f, enum panel_kind kind)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == kind)
			return true;
	return false;
}

/* Returns the number of maps of the matrix itself, without the difference, which has its own
 * scale and words. */
static size_t count_maps(const struct comparison *c, const struct figure *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += panel_is_map(&f->panels[i]) &&
		     strcmp(f->panels[i].name, c->first->matrix.name) == 0;
	return n;
}

/* Sets the subtitle: the kind of matrix if a matrix or the card is shown; curves have their own
 * words. */
static void compare_subtitle(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct comparison c;
	open_comparison(data, a, &c);
	const bool maps = shows(out, PANEL_HEATMAP);
	if (!maps && !shows(out, PANEL_CARD)) {
		out->subtitle = view_head_note(data, a);
		return;
	}
	const struct view_matrix *const m = wordiest(&c);
	const char *const masks = compare_masks(&c);
	const char *const note = view_layer_note(data, a);
	out->subtitle = arena_printf(a, "%s%s%s%s%s%s%s%s", m->title, maps ? "   ·   " : "",
				     maps ? m->subtitle : "", *note ? "   ·   " : "", note,
				     count_maps(&c, out) > 1 ? "   ·   one scale" : "",
				     masks ? "   ·   " : "", masks ? masks : "");
}

static void compare_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct comparison c;
	open_comparison(data, a, &c);
	view_frame(data, "", a, out);
	out->title = joined(&c);
	out->finding = compare_finding(&c, false);
	out->finding_brief = compare_finding(&c, true);
	out->finding_spare = true;
	out->names_hidden = true;
	compare_difference_panel(&c, &out->panels[0]);
	for (size_t i = 0; i < c.n; i++)
		compare_matrix_panel(&c, i, &out->panels[1 + i]);
	compare_curve_panel(&c, &out->panels[c.n + 1]);
	compare_card_panel(&c, &out->panels[c.n + 2]);
	out->n = c.n + 3;
	place_all(&c, out);
	view_close(data, out);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_pair(struct comparison *c, size_t pair, struct numbers *out)
{
	const char *const name = pair_names[pair], *const absent = c->kept.absent[pair];
	const double apart = absent ? NAN : c->kept.apart[pair].distance;
	char text[32];
	numbers_say(out, arena_printf(c->a, "compare.%s.apart", name), apart,
		    absent ? arena_printf(c->a, "n/a: %s", absent)
			   : arena_strdup(c->a, num_show(text, sizeof text, apart, 3)),
		    "of weights total variation, of others the root mean square");
	if (absent)
		return;
	c->pair = pair;
	c->first = &c->of[pairs[pair][0] - 1];
	c->second = &c->of[pairs[pair][1] - 1];
	const struct change change = compare_subtract(c);
	for (size_t i = 0; change.masked && i < change.at.rows * change.at.cols; i++)
		if (change.masked[i] != HEATMAP_OPEN)
			change.at.at[i] = NAN;
	numbers_add(out, arena_printf(c->a, "compare.%s.difference", name), change.at);
}

static struct mat scalar(double value, struct arena *a)
{
	const struct mat out = mat_new(a, 1, 1);
	out.at[0] = value;
	return out;
}

static void compare_numbers(const struct view_data *data, struct arena *a, struct numbers *out)
{
	struct comparison c;
	open_comparison(data, a, &c);
	for (size_t i = 0; i < c.n; i++)
		if (!c.of[i].matrix.absent)
			numbers_add(out,
				    arena_printf(a, "compare.%zu.%s", i + 1, c.of[i].matrix.name),
				    c.of[i].matrix.at);
	for (size_t i = 0; i < PAIRS; i++)
		if (compare_has_pair(&c, i))
			add_pair(&c, i, out);
	for (size_t i = 0; i < PAIRS; i++)
		if (compare_has_pair(&c, i) && !isnan(compare_outputs(&c, i)))
			numbers_add(
				out,
				arena_printf(a, "compare.%d-%d.outputs", pairs[i][0], pairs[i][1]),
				scalar(compare_outputs(&c, i), a));
}

const struct view view_compare = {"compare",
				  "Compare",
				  "How do several schemes, or inputs, differ?",
				  compare_wants,
				  compare_figure,
				  .keep = compare_keep,
				  .numbers = compare_numbers,
				  .slow = true,
				  .subtitle = compare_subtitle,
				  .compare = true,
				  .reads_cursor = true,
				  .rectangles = true,
				  .broad = true,
				  .by_words = true};
