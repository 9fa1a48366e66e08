/* canvas_talk_value.c: a figure for a presenter: the panel's name and the value under the cursor,
 * beside or below the panel, and the meaning of the colours in the last row. */
#include "plot/canvas_talk.h"

#include <string.h>

#include "posviz/base/text.h"

/* ---- the value ------------------------------------------------------------------------------- */

static void draw_value(const struct talk *t, int row, int col, int right)
{
	const char *const value = talk_value(t);
	const int cols = canvas_big_cols(t->c, value);
	if (cols > 0 && cols <= right - col)
		canvas_big(t->c, row, col, value);
	else
		talk_put(t, row + 1, col, right, value, ATTR_BOLD);
}

/* Written under a value that depends only on the distance. */
static const char *const distance_lines[] = {"as every pair at", "this distance"};

void talk_beside(const struct talk *t, int top, int bottom)
{
	const int col = talk_right(t) - t->beside + TALK_AIR, right = talk_right(t);
	int row = top;
	/* A title without room continues in a second line. */
	const char *const title = t->p->title;
	size_t used, len = text_fit(title, (size_t)(right - col), &used);
	while (title[len] != '\0' && len > 0 && title[len] != ' ')
		len--;
	if (row < bottom)
		talk_put(t, row++, col, right, arena_strndup(t->a, title, len), ATTR_BOLD);
	if (title[len] != '\0' && row < bottom)
		canvas_text_short(t->c, t->a, row++, col, right - col, title + len + (len > 0),
				  ATTR_BOLD);
	if (row < bottom && talk_put(t, row++, col, right, t->p->note, ATTR_DIM) == 0)
		talk_put(t, row - 1, col, right, t->p->short_note, ATTR_DIM);
	if (t->part != NULL && row < bottom &&
	    talk_put(t, row++, col, right, t->part, ATTR_BOLD) == 0)
		talk_put(t, row - 1, col, right, t->short_part, ATTR_BOLD);
	if (!t->map->has_cursor || row + 6 > bottom)
		return;
	talk_put(t, ++row, col, right, talk_pair(t), ATTR_ACCENT | ATTR_BOLD);
	draw_value(t, row += 2, col, right);
	row += BIG_ROWS + 1;
	if (row >= bottom || talk_is_hidden(t->map))
		return;
	talk_put(t, row++, col, right, talk_apart(t), ATTR_BOLD);
	for (size_t i = 0; i < 2 && t->by_distance && row + (i == 0) < bottom; i++)
		talk_put(t, row++, col, right, distance_lines[i], 0);
}

/* Returns the rows below the panel, for its name, and for the value of a cell in large letters. */
int talk_below_rows(const struct talk *t)
{
	return t->map->has_cursor && t->named.place != NAMED_BELOW ? BIG_ROWS : 1;
}

/* Returns the panel's name with the shown part if both have room. */
static const char *fitting(const struct talk *t, int cols)
{
	const char *const whole = talk_panel(t);
	const char *const brief = talk_brief(t);
	return (int)text_width(whole) <= cols	? whole
	       : (int)text_width(brief) <= cols ? brief
						: t->p->title;
}

void talk_below(const struct talk *t, int row)
{
	int col = t->r.col + TALK_MARGIN;
	const int right = talk_right(t);
	if (t->named.place == NAMED_BELOW) {
		talk_put(t, row, col, right, t->named.text, ATTR_BOLD);
		return;
	}
	if (!t->map->has_cursor) {
		canvas_text_short(t->c, t->a, row, col, right - col, fitting(t, right - col),
				  ATTR_BOLD);
		return;
	}
	col += talk_put(t, row + 1, col, right, talk_pair(t), ATTR_ACCENT | ATTR_BOLD) + TALK_AIR;
	draw_value(t, row, col, right);
	const int big = canvas_big_cols(t->c, talk_value(t));
	col += (big > 0 ? big : (int)text_width(talk_value(t))) + 2 * TALK_AIR;
	talk_put(t, row, col, right, fitting(t, right - col), ATTR_BOLD);
	if (talk_is_hidden(t->map))
		return;
	talk_put(t, row + 1, col, right, talk_apart(t), ATTR_BOLD);
	col += (int)text_width(talk_apart(t)) + TALK_AIR;
	for (size_t i = 0; i < 2 && t->by_distance; i++)
		talk_put(t, row + 1 + (int)i, col, right, distance_lines[i], 0);
}

/* ---- the last row ---------------------------------------------------------------------------- */

/* Writes as many words about the colours as leave room for the bar. */
void talk_foot(const struct talk *t, bool space)
{
	const int row = t->r.row + t->r.rows - 1, left = t->r.col + TALK_MARGIN;
	const int right = talk_right(t) - t->c->taken;
	if (t->map == NULL)
		return;
	const char *const all = talk_colours(t, false);
	const char *const words[] = {all, talk_colours(t, true), talk_alone(t, true)};
	bool has_bar = false;
	for (size_t i = 0; i < 3 && !has_bar; i++) {
		const int width = words[i] != NULL ? (int)text_width(words[i]) + TALK_AIR : 0;
		has_bar = canvas_bar_line(t->c, t->a, row, left + width, right, t->map) > 0;
		if (has_bar)
			talk_put(t, row, left, right, words[i], ATTR_BOLD);
	}
	if (!has_bar && talk_put(t, row, left, right, all, ATTR_BOLD) == 0)
		talk_put(t, row, left, right, words[1], ATTR_BOLD);
	if (space && t->by_distance)
		talk_put(t, row - 1, left, right,
			 "Only the distance between two words counts, not where they stand.", 0);
}
