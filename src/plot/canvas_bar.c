/* canvas_bar.c: the bar that explains the colours of a matrix: the limits of its values, the
 * colours between them (if colours are steps, each once), the mode of the scale, whether it is
 * locked, and the name of the colour map. */
#include <math.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { BAR_COLS = 24, LEAST_MARKED = 4, LONG_RAMP = 10, SHORT_RAMP = 6, NAMED = 8 };

static const char *limit(const struct map *m, double value)
{
	char text[32];
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
	return m->h->even > 0 && !m->c->ascii &&
	       (m->c->tier == TIER_DIRECT || m->c->tier == TIER_256);
}

/* Returns the columns of each step of the ramp; a ramp without steps has one column per colour. */
static int step_cols(const struct map *m)
{
	const bool signs = m->c->ascii && m->h->scale.diverging && m->h->scale.half == 0;
	return signs || m->c->tier == TIER_MONO ? 2 : 1;
}

/* Returns how many of `room` columns the ramp takes: at most enough for all its steps, and the same
 * number for each. */
static int ramp_cols(const struct map *m, int room)
{
	const int steps = (int)canvas_swatches(m->c, m->h), most = step_cols(m) * steps;
	if (steps == 0)
		return room < BAR_COLS ? room : BAR_COLS;
	return room >= most ? most : room >= steps ? steps : room;
}

/* Draws the ramp from `col` on. */
static void draw_ramp(const struct map *m, int row, int col, int cols)
{
	const int steps = (int)canvas_swatches(m->c, m->h);
	const int each = steps > 0 && cols >= steps ? cols / steps : 1;
	const bool middle = m->h->scale.diverging && m->h->scale.half == 0 && steps > 0;
	const int n = steps > 0 && cols >= steps ? steps : cols - (middle && cols % 2 == 0);
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

/* Adds words behind the bar if at least `least` columns are left for the ramp; reduces `*room`. */
static void add_remark(const struct map *m, const char **all, const char *text, int least,
		       int *room)
{
	const int width = (int)text_width(text) + 2;
	if (*room - width < least)
		return;
	*room -= width;
	*all = arena_printf(m->a, "%s  %s", *all, text);
}

/* Returns, for a difference of two matrices, whether some cells are masked in both. */
static bool has_masked_in_both(const struct heatmap *h)
{
	return memchr(h->masked, HEATMAP_MASKED, h->values.rows * h->values.cols) != NULL;
}

/* Adds the meaning of signs that stand for cells without a number, and the meaning of the numbers
 * if cells show these instead of words. */
static void add_meanings(const struct map *m, const char **all, int least, int *room)
{
	const struct heatmap *const h = m->h;
	if (h->numbers_are != NULL && h->words == NULL)
		add_remark(m, all, h->numbers_are, least, room);
	for (size_t i = 0; i < h->n_names; i++)
		add_remark(m, all,
			   arena_printf(m->a, "%s %s", h->names[i].sign,
					heatmap_name_means(&h->names[i])),
			   least, room);
}

static void add_masked(const struct map *m, const char **all, int least, int *room)
{
	const struct heatmap *const h = m->h;
	if (canvas_any_masked(h) && (h->first == NULL || has_masked_in_both(h)))
		add_remark(m, all,
			   arena_printf(m->a, "%s %s%s", m->c->ascii ? "." : "·",
					h->masked_as ? h->masked_as : "masked",
					h->first != NULL ? " in both" : ""),
			   least, room);
}

/* Returns the words of the bar besides its limits: the mode of the scale, whether it is locked and
 * the colour map first, then other explanations. For integers, which are printed in their cells,
 * the name of the map comes later. */
static const char *remarks(const struct map *m, int *room)
{
	const struct heatmap *const h = m->h;
	const bool glyphs = canvas_glyphs(m->c);
	const char *all = "";
	if (h->scale.mode != SCALE_LINEAR)
		add_remark(m, &all, scale_mode_names[h->scale.mode], 3, room);
	if (h->scale.locked)
		add_remark(m, &all, "locked", 3, room);
	if (h->scale.above > 0)
		add_remark(m, &all, arena_printf(m->a, "%.0f%% above", 100 * h->scale.above), 3,
			   room);
	if (h->integers)
		add_meanings(m, &all, 5, room);
	add_masked(m, &all, h->integers ? 5 : 10, room);
	if (marks_even(m))
		add_remark(m, &all, arena_printf(m->a, "╵ 1/%.0f", 1 / h->even), 12, room);
	if (h->colormap != NULL && !glyphs)
		add_remark(m, &all, h->colormap->name, *all != '\0' ? 5 : 10, room);
	if (!h->integers)
		add_meanings(m, &all, glyphs ? 10 : 16, room);
	if (h->row_title != NULL && h->col_title != NULL)
		add_remark(m, &all,
			   arena_printf(m->a, m->c->ascii ? "%s down, %s across" : "%s ↓ %s →",
					h->row_title, h->col_title),
			   BAR_COLS, room);
	return all;
}

/* Gets the meanings of both ends of the scale, to be written before the first limit and behind the
 * last. The long form is used if the ramp, its mark, an unusual scale and the name of the map keep
 * their room; the short form if all of these but the name do. Reduces `*room`. */
static void say_ends(const struct map *m, int *room, const char *out[2])
{
	const struct scale *const s = &m->h->scale;
	const int unusual =
		(s->mode != SCALE_LINEAR ? 8 : 0) + (s->locked ? 8 : 0) + (marks_even(m) ? 8 : 0);
	const int least = s->diverging && s->half == 0 ? 2 * SHORT_RAMP : SHORT_RAMP;
	for (int brief = 0; brief < 2; brief++) {
		const char *const low = heatmap_end_words(m->a, m->h, false, brief == 1);
		const char *const high = heatmap_end_words(m->a, m->h, true, brief == 1);
		out[0] = low ? arena_printf(m->a, "%s ", low) : "";
		out[1] = high ? arena_printf(m->a, " %s", high) : "";
		const int width = (int)(text_width(out[0]) + text_width(out[1]));
		if (*room - width - unusual < (brief ? least : LONG_RAMP + NAMED))
			continue;
		*room -= width;
		return;
	}
	out[0] = out[1] = "";
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
		const int col = m->plan->data.col, room = right - col, cols = room < 2 ? room : 2;
		canvas_swatch_fill(m->c, (struct rect){row, col, 1, cols}, h,
				   scale_at(&h->scale, 0, NULL), 0);
		canvas_text(m->c, row, col + 3, room - 3, "0", ATTR_DIM);
		return;
	}
	const char *const lo = limit(m, ends[0]), *const hi = limit(m, ends[1]);
	const int words = (int)(text_width(lo) + text_width(hi)) + 2;
	const int wanted = m->c->tier == TIER_DIRECT ? 12 : ramp_cols(m, BAR_COLS);
	/* An unusual scale must be named, which may need the room left of the data. */
	const int said = h->scale.locked || h->scale.mode != SCALE_LINEAR ? 16 : 0;
	const bool aligned = right - m->plan->data.col >= words + wanted + said;
	int col = aligned ? m->plan->data.col : inner.col;
	int room = right - col - words;
	if (room < 0) { /* the limits matter more than the colours */
		const char *both = arena_printf(m->a, "%s%s%s", lo, m->c->ascii ? ".." : "…", hi);
		canvas_text_short(m->c, m->a, row, inner.col, inner.cols, both, ATTR_DIM);
		return;
	}
	const char *ends_say[2];
	say_ends(m, &room, ends_say);
	const char *const more = remarks(m, &room);
	col += canvas_text(m->c, row, col, inner.cols, ends_say[0], ATTR_DIM);
	col += canvas_text(m->c, row, col, inner.cols, lo, ATTR_DIM) + 1;
	const int cols = ramp_cols(m, room);
	draw_ramp(m, row, col, cols);
	if (marks_even(m) && cols >= LEAST_MARKED)
		mark_even(m, row, col, cols);
	col += cols + 1;
	col += canvas_text(m->c, row, col, right - col, hi, ATTR_DIM);
	col += canvas_text(m->c, row, col, right - col, ends_say[1], ATTR_DIM);
	canvas_text(m->c, row, col, right - col, more, ATTR_DIM);
}

int canvas_bar_line(struct canvas *c, struct arena *a, int row, int col, int right,
		    const struct heatmap *h)
{
	enum { LEAST = 5 };
	const int most = c->tier == TIER_DIRECT && !c->ascii ? BAR_COLS / 2 : BAR_COLS;
	const struct map m = {.c = c, .a = a, .h = h};
	const bool bent = h->scale.mode != SCALE_LINEAR;
	double ends[2];
	if (all_zero(h))
		return 0;
	scale_part_limits(&h->scale, &ends[0], &ends[1]);
	const char *const lo = limit(&m, ends[0]);
	const char *const hi = arena_printf(a, "%s%s%s", limit(&m, ends[1]), bent ? "  " : "",
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
