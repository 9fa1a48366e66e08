/* canvas_bar.c: the colours and glyphs of a scale in each tier, and the bar that explains them.
 *
 * Without colours (mono, ascii) a value is a glyph of growing ink; on a diverging scale its sign
 * stands in front, so a glyph never means two things. With 8 or 16 colours, which a theme may make
 * anything of, levels are few and a diverging scale writes its sign on them. */
#include <math.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/num.h"
#include "posviz/text.h"

enum { BAR_COLS = 24 };

static const char ramp[] = " .:-=+*#%@";
static const char signed_ramp[] = " .:=oxX#%@"; /* no sign among the glyphs */

/* Ramps by hand on the base colours, dark to light. None has the background's own colour, for an
 * empty cell is a masked one. */
static const uint8_t sequential16[] = {4, 12, 6, 10, 11, 15};
static const uint8_t sequential16_light[] = {0, 4, 12, 6, 10, 11};
static const uint8_t sequential8[] = {4, 2, 6, 3, 7};
static const uint8_t sequential8_light[] = {0, 4, 2, 6, 3};
static const uint8_t diverging16[] = {14, 12, 4, 8, 1, 9, 11};
static const uint8_t diverging16_light[] = {4, 12, 14, 7, 11, 9, 1};
static const uint8_t diverging8[] = {4, 6, 7, 3, 1};

static bool diverging(const struct heatmap *h)
{
	return h->scale.diverging;
}

/* ---- one value ---- */

static size_t level_of(double at, size_t levels)
{
	const size_t level = (size_t)(at * (double)levels);
	return level < levels ? level : levels - 1;
}

static uint32_t base_colour(const uint8_t *table, size_t levels, double at)
{
	return CELL_ANSI(table[level_of(at, levels)]);
}

uint32_t canvas_colour(const struct canvas *c, const struct heatmap *h, double at)
{
	const bool two = diverging(h);
	switch (c->tier) {
	case TIER_8:
		if (two)
			return base_colour(diverging8, sizeof diverging8, at);
		return base_colour(c->dark ? sequential8 : sequential8_light, sizeof sequential8,
				   at);
	case TIER_16:
		if (two)
			return base_colour(c->dark ? diverging16 : diverging16_light,
					   sizeof diverging16, at);
		return base_colour(c->dark ? sequential16 : sequential16_light, sizeof sequential16,
				   at);
	case TIER_256:
		return CELL_RGB(colormap_256(h->colormap, at));
	case TIER_DIRECT:
		return CELL_RGB(colormap_rgb(h->colormap, at));
	case TIER_MONO:
	case TIER_COUNT:
		break;
	}
	return CELL_DEFAULT;
}

bool canvas_signs(const struct canvas *c, const struct heatmap *h)
{
	return (c->tier == TIER_8 || c->tier == TIER_16) && diverging(h);
}

char canvas_sign(const struct canvas *c, double at)
{
	const size_t levels = c->tier == TIER_8 ? sizeof diverging8 : sizeof diverging16;
	const size_t level = level_of(at, levels), middle = levels / 2;
	return level == middle ? ' ' : level < middle ? '-' : '+';
}

void canvas_glyphs_of(const struct heatmap *h, double at, int cols, char *out)
{
	const size_t steps = sizeof ramp - 1;
	char ink = ramp[level_of(at, steps)], sign = '\0';
	if (diverging(h)) {
		const size_t step = (size_t)lround(fabs(at - 0.5) * 2 * (double)(steps - 1));
		ink = signed_ramp[step < steps ? step : steps - 1];
		sign = step == 0 ? ' ' : at < 0.5 ? '-' : '+';
	}
	memset(out, ink, (size_t)cols);
	out[cols] = '\0';
	if (sign != '\0' && cols > 1)
		out[0] = sign;
	else if (sign == '-')
		out[0] = sign; /* one column: the sign says more than the size */
	if (cols > 2)
		out[cols - 1] = ' ';
}

/* ---- the bar ---- */

static const char *limit(const struct map *m, double value)
{
	char text[32];
	num_show(text, sizeof text, value, 2);
	return arena_printf(m->a, "%s%s", diverging(m->h) && value > 0 ? "+" : "", text);
}

/* The ramp, from `col` on; returns its columns. */
static int draw_ramp(const struct map *m, int row, int col, int cols)
{
	if (!canvas_glyphs(m->c)) {
		for (int i = 0; i < cols; i++) {
			const double at = cols > 1 ? (double)i / (cols - 1) : 0.5;
			canvas_put(m->c, row, col + i, " ", 0, CELL_DEFAULT,
				   canvas_colour(m->c, m->h, at));
		}
		return cols;
	}
	const int each = diverging(m->h) ? 2 : 1;
	const int most = diverging(m->h) ? 2 * (int)sizeof ramp - 3 : (int)sizeof ramp - 1;
	int n = cols / each < most ? cols / each : most;
	n -= diverging(m->h) && n % 2 == 0; /* zero keeps its place in the middle */
	for (int i = 0; i < n; i++) {
		char glyphs[4];
		const double at = n > 1 ? (double)i / (n - 1) : 0.5;
		canvas_glyphs_of(m->h, at, each, glyphs);
		const uint32_t bg = canvas_colour(m->c, m->h, at);
		canvas_text_colour(m->c, row, col + i * each, each, glyphs, 0, canvas_ink(m->c, bg),
				   bg);
	}
	return n * each;
}

/* Words behind the bar, as many as leave the ramp at least `least` columns; `*room` shrinks. */
static void add_remark(const struct map *m, const char **all, const char *text, int least,
		       int *room)
{
	const int width = (int)text_width(text) + 2;
	if (*room - width < least)
		return;
	*room -= width;
	*all = arena_printf(m->a, "%s  %s", *all, text);
}

/* What cells hold that is no number of the scale, and what the numbers are where there are words
 * too. */
static void add_meanings(const struct map *m, const char **all, int least, int *room)
{
	const struct heatmap *const h = m->h;
	if (h->numbers_are != NULL && h->words == NULL)
		add_remark(m, all, h->numbers_are, least, room);
	for (size_t i = 0; i < h->n_names; i++)
		add_remark(m, all, arena_printf(m->a, "%s %s", h->names[i].sign, h->names[i].name),
			   least, room);
	if (canvas_any_masked(h))
		add_remark(m, all,
			   arena_printf(m->a, "%s %s", canvas_glyphs(m->c) ? "~" : "·",
					h->masked_as ? h->masked_as : "masked"),
			   least, room);
}

/* What the bar says besides its limits: how the scale is bent or held and which map it is, then
 * what helps to read. Of whole numbers, which stand in their cells, the map matters less. */
static const char *remarks(const struct map *m, int *room)
{
	const struct heatmap *const h = m->h;
	const bool glyphs = canvas_glyphs(m->c);
	const char *all = "";
	if (h->scale.mode != SCALE_LINEAR)
		add_remark(m, &all, scale_mode_names[h->scale.mode], 3, room);
	if (h->scale.locked)
		add_remark(m, &all, "locked", 3, room);
	if (h->integers)
		add_meanings(m, &all, 5, room);
	if (h->colormap != NULL && !glyphs)
		add_remark(m, &all, h->colormap->name, *all != '\0' ? 5 : 10, room);
	if (!h->integers)
		add_meanings(m, &all, glyphs ? 10 : 16, room);
	if (h->row_title != NULL && h->col_title != NULL)
		add_remark(m, &all,
			   arena_printf(m->a, "%s %s %s", h->row_title, m->c->ascii ? "x" : "×",
					h->col_title),
			   BAR_COLS, room);
	return all;
}

/* Columns that the ramp takes of `room`: no more than shows all its steps, and within the width of
 * the data unless that is very little. */
static int ramp_cols(const struct map *m, int room, int words)
{
	if (canvas_glyphs(m->c))
		return room;
	const int data = m->plan->data.cols - words;
	const int most = data >= 8 && data < BAR_COLS ? data : BAR_COLS;
	return room < most ? room : most;
}

void canvas_bar(const struct map *m, struct rect inner)
{
	const struct heatmap *const h = m->h;
	const int row = m->plan->data.row + m->plan->data.rows, right = inner.col + inner.cols;
	double ends[2];
	scale_limits(&h->scale, &ends[0], &ends[1]);
	const char *const lo = limit(m, ends[0]), *const hi = limit(m, ends[1]);
	const int words = (int)(text_width(lo) + text_width(hi)) + 2;
	const int wanted = !canvas_glyphs(m->c) ? 12 : diverging(h) ? 38 : 10;
	/* What is not usual must be said, and needs the room left of the data. */
	const int said = h->scale.locked || h->scale.mode != SCALE_LINEAR ? 16 : 0;
	const bool aligned = right - m->plan->data.col >= words + wanted + said;
	int col = aligned ? m->plan->data.col : inner.col;
	int room = right - col - words;
	if (room < 0) { /* the limits matter more than the colours between */
		const char *both = arena_printf(m->a, "%s%s%s", lo, m->c->ascii ? ".." : "…", hi);
		canvas_text_short(m->c, m->a, row, inner.col, inner.cols, both, ATTR_DIM);
		return;
	}
	const char *const more = remarks(m, &room);
	col += canvas_text(m->c, row, col, inner.cols, lo, ATTR_DIM) + 1;
	col += draw_ramp(m, row, col, ramp_cols(m, room, words)) + 1;
	col += canvas_text(m->c, row, col, right - col, hi, ATTR_DIM);
	canvas_text(m->c, row, col, right - col, more, ATTR_DIM);
}
