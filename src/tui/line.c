/* line.c: a line of words written from the left. */
#include <string.h>

#include "tui_in.h"

/* Labels below each other have a column; where every place counts there is none. */
enum { LABEL_COLS = 11, BROAD = 100, NARROW = 60 };

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
	const int used = canvas_text(c, row, 1, LABEL_COLS - 1, label, ATTR_DIM);
	l.col = c->cols < BROAD && used + 3 < LABEL_COLS ? used + 3 : LABEL_COLS;
	return l;
}

size_t line_break(const char *text, size_t cols)
{
	size_t used;
	const size_t fit = text_fit(text, cols, &used);
	if (text[fit] == '\0' || fit == 0)
		return strlen(text);
	for (size_t i = fit; i > fit / 2; i--)
		if (text[i] == ' ')
			return i;
	return fit;
}

/* An error names what it is about: where it does not fit it goes on above, so that a name can be read and
 * copied. */
void line_error(struct tui *t, struct canvas *c, int row, int right, const char *text)
{
	static const char label[] = " error ";
	enum { FROM = sizeof label + 1, MOST = 6 };
	const size_t room = right > FROM + 2 ? (size_t)(right - FROM - 1) : 1;
	size_t len[MOST] = {0};
	int n = 0;
	const char *at = text;
	for (; *at && n < MOST && n <= row; n++) {
		at += strspn(at, " ");
		len[n] = line_break(at, room);
		at += len[n];
	}
	at = text;
	for (int i = 0; i < n; at += len[i++]) {
		const int here = row - n + 1 + i;
		at += strspn(at, " ");
		const bool cut = i == n - 1 && at[len[i]] != '\0';
		canvas_fill(c, (struct rect){here, 0, 1, c->cols}, 0, CELL_DEFAULT);
		if (i == 0)
			canvas_text(c, here, 1, right, label, ATTR_REVERSE | ATTR_BOLD);
		canvas_text(c, here, FROM, (int)room,
			    cut ? text_shorten(&t->frame, at, room, t->terminal.ascii)
				: arena_strndup(&t->frame, at, len[i]),
			    ATTR_BOLD);
	}
}
