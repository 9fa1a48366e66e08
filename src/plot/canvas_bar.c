/* canvas_bar.c: the bar that explains the colours of a matrix: the limits of its values and the
 * colours between them (if colours are steps, each once), together as wide as the matrix; beside
 * that the mode of the scale, and whether it is locked. */
#include <math.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum {
	BAR_COLS = 24,
	LEAST_MARKED = 4,
	LEAST_BAR = 16,
	LEAST_RAMP = 5,
	SHORT_RAMP = 7,
	LONG_RAMP = 12
};

static const char *limit(const struct map *m, double value, bool high)
{
	char text[32];
	if (m->h->ends[high])
		return m->c->ascii ? canvas_plain_text(m->a, m->h->ends[high]) : m->h->ends[high];
	num_show(text, sizeof text, value, 2);
	return arena_printf(m->a, "%s%s", m->h->scale.diverging && value > 0 ? "+" : "", text);
}

/* Returns whether all values are zero; then the bar is one swatch. */
static bool all_zero(const struct heatmap *h)
{
	return !(h->scale.lo < 0) && !(h->scale.hi > 0);
}

/* Returns whether the uniform weight is marked: only if swatches are colours. */
static bool marks_even(const struct map *m)
{
	return m->h->even > 0 && !m->h->plain && !m->h->even_unmarked && !m->c->ascii &&
	       (m->c->tier == TIER_DIRECT || m->c->tier == TIER_256);
}

/* Returns whether the cells of the matrix have letters for what is below zero; then the ramp has them too. */
static bool has_letters(const struct map *m)
{
	return m->plan != NULL && canvas_is_letter(m->c, m->h, m->plan->view.cell_cols);
}

/* Return the columns of each step of the ramp; a ramp without steps has one column per colour. The fewest: as many as
 * digits need that have a sign beside them, as in the cells. */
static int step_cols(const struct map *m)
{
	const bool signs = m->c->ascii && canvas_shows_sign(m->c, m->h);
	return signs || m->c->tier == TIER_MONO ? 2 : 1;
}

static int least_cols(const struct map *m)
{
	return canvas_shows_sign(m->c, m->h) && !has_letters(m) &&
			       (m->c->ascii || m->c->tier == TIER_MONO)
		       ? 2
		       : 1;
}

/* Returns how many of `room` columns the ramp takes: all of them if colours are not steps, else at
 * most enough for all steps, and the same number for each. */
static int ramp_cols(const struct map *m, int room)
{
	const int steps = (int)canvas_swatches(m->c, m->h), most = step_cols(m) * steps;
	const int least = least_cols(m) * steps;
	if (steps == 0)
		return room;
	return room >= most ? most : room >= least ? least : room - room % least_cols(m);
}

/* Draws the ramp from `col` on; if it has no room for all steps, some of them. */
static void draw_ramp(const struct map *m, int row, int col, int cols)
{
	const int steps = (int)canvas_swatches(m->c, m->h), least = least_cols(m);
	const bool all = steps > 0 && cols >= steps * least;
	const int each = all ? cols / steps : least, some = cols / each;
	const bool middle = m->h->scale.diverging && m->h->scale.half == 0 && steps > 0;
	const int n = all ? steps : some - (middle && some % 2 == 0);
	double from, to;
	scale_part(&m->h->scale, &from, &to);
	for (int i = 0; i < n; i++) {
		const double at = n > 1 ? from + (to - from) * i / (n - 1) : from;
		canvas_swatch_fill(m->c, (struct rect){row, col + i * each, 1, each}, m->h, at, 0);
	}
}

/* Marks the uniform weight on the ramp. */
static void mark_even(const struct map *m, int row, int col, int cols)
{
	double from, to;
	scale_part(&m->h->scale, &from, &to);
	const double place = scale_at(&m->h->scale, m->h->even, NULL);
	const int i = (int)lround((place - from) / (to - from) * (cols - 1));
	const double at = cols > 1 ? from + (to - from) * i / (cols - 1) : from;
	const uint32_t bg = canvas_swatch(m->c, m->h, at).bg;
	canvas_put(m->c, row, col + i, "╵", 0, canvas_ink(m->c, bg), bg);
}

/* Adds words behind the bar if they fit into `*room` columns, which they reduce. */
static void add_remark(const char **all, const char *text, int *room, struct arena *a)
{
	const int width = (int)text_width(text) + 2;
	if (width > *room)
		return;
	*room -= width;
	*all = arena_printf(a, "%s  %s", *all, text);
}

/* Returns, for a difference of two matrices, whether some cells are masked in both. */
static bool has_masked_in_both(const struct heatmap *h)
{
	return memchr(h->masked, HEATMAP_MASKED, h->values.rows * h->values.cols) != NULL;
}

/* Adds the meaning of signs that stand for cells without a number, and the meaning of the numbers
 * if cells show these instead of words. */
static void add_meanings(const struct map *m, const char **all, int *room)
{
	const struct heatmap *const h = m->h;
	if (h->numbers_are != NULL && h->words == NULL)
		add_remark(all, h->numbers_are, room, m->a);
	for (size_t i = 0; i < h->n_names; i++)
		add_remark(all,
			   arena_printf(m->a, "%s %s", h->names[i].sign,
					heatmap_name_means(&h->names[i])),
			   room, m->a);
}

static void add_masked(const struct map *m, const char **all, int *room)
{
	const struct heatmap *const h = m->h;
	if (canvas_any_masked(h) && (h->first == NULL || has_masked_in_both(h)))
		add_remark(all,
			   arena_printf(m->a, "%s %s%s", m->c->ascii ? "." : "·",
					h->masked_as ? h->masked_as : "masked",
					h->first != NULL ? " in both" : ""),
			   room, m->a);
}

/* Adds the meaning of marked cells, with the signs that canvas_pointed.c draws in cells of this size. */
static void add_frames(const struct map *m, const char **all, int *room)
{
	const struct heatmap_view *const v = &m->plan->view;
	const bool row = v->cell_rows2 == 2, small = v->cell_cols < 2;
	const char *const sign = !row ? "framed:" : small ? "◆" : "▸◂";
	const char *const plain = !row ? "framed:" : small ? "*" : "><";
	if (m->h->frames_are != NULL && v->cell_rows2 > 1)
		add_remark(
			all,
			arena_printf(m->a, "%s %s", m->c->ascii ? plain : sign, m->h->frames_are),
			room, m->a);
}

/* Returns how the signs of cells are read if there are no colours, the same for every matrix: the size by digits or
 * shades, and the sign apart; NULL: there are colours. */
static const char *reading(const struct map *m)
{
	const struct canvas *const c = m->c;
	const bool below = m->h->scale.diverging && m->h->scale.half <= 0;
	if (!c->ascii && c->tier != TIER_MONO)
		return NULL;
	if (below && has_letters(m))
		return "9 most, a-i below 0";
	if (c->ascii)
		return below ? "9 most, - below 0" : "9 most";
	return !below			    ? "█ most"
	       : canvas_shows_sign(c, m->h) ? "█ most, − below 0"
					    : "█ most below 0";
}

/* Returns that with the blanks before it; "" if there is nothing to say, or the cells have numbers. */
static const char *reading_words(const struct map *m)
{
	return reading(m) && !m->h->integers ? arena_printf(m->a, "  %s", reading(m)) : "";
}

const char *canvas_bar_mode(const struct map *m)
{
	const struct heatmap *const h = m->h;
	const bool bent = h->scale.mode != SCALE_LINEAR && !h->plain;
	const char *const above =
		h->scale.above > 0 ? arena_printf(m->a, " %s", scale_above(&h->scale, m->a) + 1)
				   : "";
	return arena_printf(m->a, "%s%s%s%s", bent ? "  " : "",
			    bent ? scale_mode_names[h->scale.mode] : "",
			    h->scale.locked && !h->plain ? "  locked" : "", above);
}

const char *canvas_bar_words(const struct map *m)
{
	return arena_printf(m->a, "%s%s", reading_words(m), canvas_bar_mode(m));
}

/* Returns the explanation of signs and of numbers, for which there are `*room` columns; it reduces
 * them. */
static const char *meanings(const struct map *m, int *room)
{
	const char *all = "";
	if (m->h->plain)
		return all;
	if (m->h->integers)
		add_meanings(m, &all, room);
	add_frames(m, &all, room);
	add_masked(m, &all, room);
	if (!m->h->integers)
		add_meanings(m, &all, room);
	return all;
}

/* Returns the other words for which there are `room` columns: the names of the axes. *even: the mark of the uniform weight is explained. */
static const char *remarks(const struct map *m, int room, bool *even)
{
	const struct heatmap *const h = m->h;
	const char *all = "";
	if (h->plain)
		return all;
	if (marks_even(m)) {
		const int before = room;
		add_remark(&all, arena_printf(m->a, "╵ 1/%.0f", 1 / h->even), &room, m->a);
		*even = room < before;
	}
	if (h->row_title != NULL && h->col_title != NULL)
		add_remark(&all,
			   arena_printf(m->a, m->c->ascii ? "%s down, %s across" : "%s ↓ %s →",
					h->row_title, h->col_title),
			   &room, m->a);
	return all;
}

/* The columns of a bar and of its words. */
struct bar_plan {
	int col, cols;	     /* limits and ramp */
	int left, right;     /* free columns beside them */
	const char *ends[2]; /* meanings of both ends: "less ", " more" */
	const char *must;    /* canvas_bar_words(); `before`: it is left of the bar */
	bool before;
	const char *means, *more; /* meanings(), remarks() */
	bool even;		  /* the mark of the uniform weight is explained */
};

/* Returns the columns of the meanings of both ends. */
static int said(const struct bar_plan *p)
{
	return (int)(text_width(p->ends[0]) + text_width(p->ends[1]));
}

/* Finds the meanings of both ends of the scale: in the long form or the short one outside the
 * limits, if both have room there; inside if the ramp stays long; else none. */
static void say_ends(const struct map *m, int ramp, struct bar_plan *p)
{
	const int least = m->h->scale.diverging && m->c->ascii ? 2 * SHORT_RAMP : SHORT_RAMP;
	p->ends[0] = p->ends[1] = "";
	for (int brief = 0; brief < 2; brief++) {
		const char *const low = heatmap_end_words(m->a, m->h, false, brief == 1);
		const char *const high = heatmap_end_words(m->a, m->h, true, brief == 1);
		const int before = low ? (int)text_width(low) + 2 : 0;
		const int behind = high ? (int)text_width(high) + 2 : 0;
		const bool outside = before <= p->left && behind <= p->right;
		const int full = m->h->plain ? least : 2 * LONG_RAMP;
		if (!outside && ramp - before - behind < (brief ? least : full))
			continue;
		p->ends[0] = low ? arena_printf(m->a, "%s: ", low) : "";
		p->ends[1] = high ? arena_printf(m->a, ": %s", high) : "";
		if (outside) {
			p->col -= before;
			p->cols += before + behind;
			p->left -= before;
			p->right -= behind;
		}
		return;
	}
}

/* Takes `cols` columns behind the bar: free ones, then those of the bar beyond `least`, then by
 * moving it to the left. */
static void take(struct bar_plan *p, int cols, int least)
{
	const int over = cols - p->right, most = p->cols > least ? p->cols - least : 0;
	const int shrink = over < most ? over : most;
	p->right = over < 0 ? -over : 0;
	if (over <= 0)
		return;
	p->cols -= shrink;
	p->col -= over - shrink;
	p->left -= over - shrink;
}

/* Makes room for the words that must stand beside the bar: behind it, before it, or by a shorter
 * ramp; returns whether they have it, else there are none. */
static bool place_words(struct bar_plan *p, int limits)
{
	const int must = (int)text_width(p->must);
	if (must > p->right && (p->before = must <= p->left))
		p->left -= must;
	else if (must <= p->left + p->right)
		take(p, must, p->cols);
	else if (must <= p->left + p->cols + p->right - limits - LEAST_RAMP)
		take(p, must, limits + LEAST_RAMP);
	else
		p->must = "";
	return *p->must || must == 0;
}

/* Places the bar below the matrix, as wide as that; wider if it is too narrow for the limits and
 * some colours. */
static struct bar_plan place_bar(const struct map *m, struct rect inner, int words)
{
	const struct rect data = m->plan->data;
	const int right = inner.col + inner.cols;
	const int least = words + LEAST_RAMP > LEAST_BAR ? words + LEAST_RAMP : LEAST_BAR;
	struct bar_plan p = {
		.col = data.col, .cols = data.cols, .must = m->told ? "" : canvas_bar_words(m)};
	p.cols = p.cols < least ? least : p.cols;
	if (p.col + p.cols > right)
		p.col = right - p.cols > inner.col ? right - p.cols : inner.col;
	p.cols = p.cols < right - p.col ? p.cols : right - p.col;
	p.left = p.col - inner.col;
	p.right = right - p.col - p.cols;
	if (!place_words(&p, words) && !m->told) {
		p.must = reading_words(m);
		place_words(&p, words);
	}
	/* The meaning of signs is worth columns of a ramp that stays long, and those before it. */
	const int ramp = words + LONG_RAMP;
	int room = p.right + (p.cols > ramp ? p.cols - ramp : 0) + (p.before ? 0 : p.left);
	p.means = meanings(m, &room);
	take(&p, (int)text_width(p.means), ramp);
	say_ends(m, p.cols - words, &p);
	const int long_bar = words + 2 * LONG_RAMP + said(&p);
	p.more = remarks(m, p.right + (p.cols > long_bar ? p.cols - long_bar : 0), &p.even);
	take(&p, (int)text_width(p.more), long_bar);
	return p;
}

static void draw_zero(const struct map *m, struct rect inner, int row)
{
	const int col = m->plan->data.col, room = inner.col + inner.cols - col,
		  cols = room < 2 ? room : 2;
	canvas_swatch_fill(m->c, (struct rect){row, col, 1, cols}, m->h,
			   scale_at(&m->h->scale, 0, NULL), 0);
	canvas_text(m->c, row, col + 3, room - 3, "0", ATTR_DIM);
}

/* Draws a box with its word for each of two values, further apart than a word from its box; false: they have no room. */
static bool draw_either(const struct map *m, struct rect inner, int row)
{
	enum { BOX = 2, GAP = 1, APART = 3 };
	const int words = (int)(text_width(m->h->ends[0]) + text_width(m->h->ends[1]));
	const int cols = words + 2 * (BOX + GAP) + APART, right = inner.col + inner.cols;
	int col = m->plan->data.col + cols <= right ? m->plan->data.col : right - cols;
	double part[2];
	scale_part(&m->h->scale, &part[0], &part[1]);
	if (cols > inner.cols)
		return false;
	for (int i = 0; i < 2; i++) {
		canvas_swatch_fill(m->c, (struct rect){row, col, 1, BOX}, m->h, part[i], 0);
		col += BOX + GAP;
		col += canvas_text(m->c, row, col, right - col, limit(m, 0, i == 1), ATTR_DIM) +
		       APART;
	}
	int room = right - col;
	canvas_text(m->c, row, col - APART, right - col + APART, meanings(m, &room), ATTR_DIM);
	return true;
}

void canvas_bar(const struct map *m, struct rect inner)
{
	const struct heatmap *const h = m->h;
	const int end = m->plan->data.row + m->plan->data.rows, right = inner.col + inner.cols;
	/* A blank row separates the bar from the rows of the matrix if there is room. */
	const int row = end + (end + 1 < inner.row + inner.rows);
	double ends[2];
	scale_part_limits(&h->scale, &ends[0], &ends[1]);
	if (all_zero(h)) {
		draw_zero(m, inner, row);
		return;
	}
	if (heatmap_is_either(h) && draw_either(m, inner, row))
		return;
	const char *const lo = limit(m, ends[0], false), *const hi = limit(m, ends[1], true);
	const int limits = (int)(text_width(lo) + text_width(hi));
	/* A ramp is worth more than the blanks beside it. */
	const int gap = inner.cols >= limits + 2 + LEAST_RAMP || inner.cols < limits + 2;
	const int words = limits + 2 * gap;
	if (inner.cols < words) { /* the limits matter more than the colours */
		const char *both = arena_printf(m->a, "%s%s%s", lo, m->c->ascii ? ".." : "…", hi);
		canvas_text_short(m->c, m->a, row, inner.col, inner.cols, both, ATTR_DIM);
		return;
	}
	const struct bar_plan p = place_bar(m, inner, words);
	const int room = p.cols - words - said(&p);
	const int cols = ramp_cols(m, room);
	int col = p.col;
	if (p.before)
		canvas_text_right(m->c, m->a, row, col - 1, p.col - inner.col,
				  p.must + strspn(p.must, " "), ATTR_DIM);
	col += canvas_text(m->c, row, col, right - col, p.ends[0], ATTR_DIM);
	col += canvas_text(m->c, row, col, right - col, lo, ATTR_DIM) + gap;
	draw_ramp(m, row, col, cols);
	if (p.even && cols >= LEAST_MARKED)
		mark_even(m, row, col, cols);
	col += cols + gap;
	col += canvas_text(m->c, row, col, right - col, hi, ATTR_DIM);
	col += canvas_text(m->c, row, col, right - col, p.ends[1], ATTR_DIM);
	if (!p.before)
		col += canvas_text(m->c, row, col, right - col, p.must, ATTR_DIM);
	col += canvas_text(m->c, row, col, right - col, p.means, ATTR_DIM);
	canvas_text(m->c, row, col, right - col, p.more, ATTR_DIM);
}

int canvas_bar_line(struct canvas *c, struct arena *a, int row, int col, int right,
		    const struct heatmap *h)
{
	enum { LEAST = 5 };
	const int most = c->tier == TIER_DIRECT && !c->ascii ? BAR_COLS / 2 : BAR_COLS;
	const struct map m = {.c = c, .a = a, .h = h};
	const bool bent = h->scale.mode != SCALE_LINEAR && !h->plain;
	double ends[2];
	if (all_zero(h))
		return 0;
	scale_part_limits(&h->scale, &ends[0], &ends[1]);
	const char *const lo = limit(&m, ends[0], false);
	const char *const hi = arena_printf(a, "%s%s%s", limit(&m, ends[1], true), bent ? "  " : "",
					    bent ? scale_mode_names[h->scale.mode] : "");
	const int words = (int)(text_width(lo) + text_width(hi)) + 2, room = right - col - words;
	const int cols = ramp_cols(&m, room < most ? room : most);
	if (cols < LEAST)
		return 0;
	col = right - words - cols;
	col += canvas_text(c, row, col, right - col, lo, ATTR_DIM) + 1;
	draw_ramp(&m, row, col, cols);
	canvas_text(c, row, col + cols + 1, right - col, hi, ATTR_DIM);
	return words + cols;
}
