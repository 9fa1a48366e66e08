/* line.c: a line of words written from the left. */
#include "tui_in.h"

enum { LABEL_COLS = 11, NARROW = 60 };

bool line_item(struct line *l, int gap, const char *text, unsigned attrs)
{
	const int width = (int)text_width(text);
	if (l->col + gap + width > l->right)
		return false;
	l->col += gap;
	l->col += canvas_text(l->c, l->row, l->col, width, text, attrs);
	return true;
}

bool line_value(struct line *l, int gap, const char *word, const char *text, unsigned attrs)
{
	if (l->col + gap + (int)(text_width(word) + 1 + text_width(text)) > l->right)
		return false;
	return line_item(l, gap, word, ATTR_DIM) && line_item(l, 1, text, attrs);
}

struct rect line_since(const struct line *l, int col)
{
	return (struct rect){l->row, col, 1, l->col - col};
}

struct line line_at(struct tui *t, struct canvas *c, int row, const char *label)
{
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (c->cols < NARROW)
		return l;
	canvas_text(c, row, 1, LABEL_COLS - 1, label, ATTR_DIM);
	l.col = LABEL_COLS;
	return l;
}
