/* canvas_lesson.c: the words of a step of a lecture, in cells: below the figure, from the left margin. */
#include "posviz/lesson.h"

#include <string.h>

#include "posviz/text.h"

/* LESSON_HEAD: rows of words above a presented figure, which has those of the step below it. */
enum { MARGIN = 1, LETTER = 3, GAP = 3, LESSON_HEAD = 2 };

struct writing {
	struct canvas *c; /* NULL: it is only measured */
	struct arena *a;
	struct rect r;
	int row; /* from r.row */
	int rows;
};

/* Bytes of `text` that go on a line of `cols`, broken at a blank where there is one. */
static size_t fits(const char *text, int cols)
{
	size_t used, len = text_fit(text, (size_t)cols, &used);
	const size_t all = len;
	while (text[len] != '\0' && len > 0 && text[len] != ' ')
		len--;
	return len > 0 ? len : all;
}

static int wrap(struct writing *w, int col, int cols, const char *text, unsigned attrs)
{
	const int from = w->row;
	while (*text != '\0' && cols > 0) {
		const size_t len = fits(text, cols);
		if (len == 0)
			break;
		if (w->c && w->row < w->r.rows)
			canvas_text(w->c, w->r.row + w->row, col, cols,
				    arena_strndup(w->a, text, len), attrs);
		w->row++;
		text += len + strspn(text + len, " ");
	}
	return w->row - from;
}

/* Two side by side where both have room. */
static bool in_two(const struct lesson *l, int cols)
{
	int widest = 0;
	for (size_t i = 0; i < l->n_options; i++) {
		const int width = (int)text_width(l->options[i]);
		widest = width > widest ? width : widest;
	}
	return l->n_options > 1 && 2 * (widest + LETTER) + GAP <= cols;
}

static void option(struct writing *w, const struct lesson *l, int i, int col, int cols)
{
	const char letter[] = {(char)('a' + i), '\0'};
	const unsigned attrs = l->right == i	? ATTR_BOLD | ATTR_UNDERLINE
			       : l->chosen == i ? ATTR_REVERSE
						: 0;
	if (w->c && w->row < w->r.rows)
		canvas_text(w->c, w->r.row + w->row, col, LETTER, letter, ATTR_BOLD | ATTR_ACCENT);
	wrap(w, col + LETTER, cols - LETTER, l->options[i], attrs);
}

static void options(struct writing *w, const struct lesson *l, int col, int cols)
{
	const bool two = in_two(l, cols);
	const int half = (cols - GAP) / 2;
	for (int i = 0; i < (int)l->n_options; i++) {
		const int from = w->row;
		option(w, l, i, two && i % 2 ? col + half + GAP : col, two ? half : cols);
		if (two && i % 2 == 0 && i + 1 < (int)l->n_options)
			w->row = from;
	}
}

/* The step, and at the right where one is. */
static void head(struct writing *w, const struct lesson *l)
{
	const int left = w->r.col + MARGIN, right = w->r.col + w->r.cols - MARGIN;
	const char *const parts[] = {l->note, l->playing, l->progress, l->clock};
	int end = right;
	w->row++;
	if (!w->c)
		return;
	const int title = (int)text_width(l->title);
	for (int i = 3; i >= 0; i--) {
		const int width = parts[i] ? (int)text_width(parts[i]) : 0;
		if (width == 0 || end - width - 2 < left + title)
			continue;
		canvas_text(w->c, w->r.row, end - width, width, parts[i],
			    i < 2 ? ATTR_BOLD : ATTR_DIM);
		end -= width + 2;
	}
	canvas_text(w->c, w->r.row, left, right - left,
		    text_shorten(w->a, l->title, (size_t)(right - left), w->c->ascii),
		    ATTR_BOLD | ATTR_ACCENT);
}

static int write_all(struct writing *w, const struct lesson *l)
{
	const int col = w->r.col + MARGIN, cols = w->r.cols - 2 * MARGIN;
	head(w, l);
	if (l->answer)
		wrap(w, col, cols, l->answer, ATTR_BOLD);
	if (l->say)
		wrap(w, col, cols, l->say, 0);
	if (l->ask)
		wrap(w, col, cols, l->ask, ATTR_BOLD);
	options(w, l, col, cols);
	return w->row;
}

int canvas_lesson_rows(const struct canvas *c, const struct lesson *l, int cols, int most)
{
	struct writing w = {.r = {0, 0, most, cols}};
	(void)c;
	const int rows = write_all(&w, l);
	return rows < most ? rows : most;
}

void canvas_lesson(struct canvas *c, struct rect r, const struct lesson *l)
{
	struct arena a;
	arena_init(&a);
	struct writing w = {.c = c, .a = &a, .r = r};
	canvas_fill(c, r, 0, CELL_DEFAULT);
	write_all(&w, l);
	canvas_isolate(c, r);
	arena_release(&a);
}

void canvas_lecture(struct canvas *c, const struct figure *f, size_t pane, const char *message,
		    const struct lesson *l)
{
	const int words = canvas_lesson_rows(c, l, c->cols, c->rows - 1);
	const struct rect r = {0, 0, c->rows - words, c->cols};
	struct rect place[FIGURE_PANELS] = {0}, body, hit;
	struct canvas_seen seen[FIGURE_PANELS];
	struct heatmap_view view;
	canvas_lesson(c, (struct rect){r.rows, 0, words, c->cols}, l);
	if (message) {
		struct arena a;
		arena_init(&a);
		struct writing w = {.c = c, .a = &a, .r = r, .row = r.rows / 3};
		wrap(&w, MARGIN, c->cols - 2 * MARGIN, message, ATTR_BOLD);
		arena_release(&a);
		return;
	}
	const size_t shown = pane < f->n ? pane : figure_first_map(f, 0);
	if (f->presented) {
		canvas_presenter(c, r, f, shown, LESSON_HEAD, &body, &hit, &view);
		return;
	}
	canvas_layout_on(c, f, r, shown, false, place);
	canvas_panels(c, f, r, place, pane, seen);
}
