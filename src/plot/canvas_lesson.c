/* canvas_lesson.c: the words of a step of a lecture, in cells: below the figure, under a rule with
 * the title of the step and, at its end, the progress.
 *
 * Words without room are never dropped without notice: the title stays, the rest is a window, and
 * the rule says that there is more. */
#include "posviz/plot/lesson.h"

#include <string.h>

#include "posviz/base/text.h"

enum { MARGIN = 1, LETTER = 3, GAP = 4, WIDEST = 108, FIGURE_LEAST = 4, PARTS = 5 };

struct writing {
	struct canvas *c; /* NULL: rows are only counted */
	struct arena *a;
	struct rect r;	/* of the words */
	int first, row; /* of the words: the first visible row, and the next one to be written */
	unsigned look;	/* of spoken words: bold for a presenter */
	bool ascii;
};

static const char *shown(const struct writing *w, const char *text)
{
	return w->ascii && text ? canvas_plain_text(w->a, text) : text;
}

/* Returns the bytes of `text` that fit on a line of `cols` columns, broken at a blank if there is
 * one. */
static size_t fits(const char *text, int cols)
{
	size_t used, len = text_fit(text, (size_t)cols, &used);
	const size_t all = len;
	while (text[len] != '\0' && len > 0 && text[len] != ' ')
		len--;
	return len > 0 ? len : all;
}

static bool in_sight(const struct writing *w)
{
	return w->c && w->row >= w->first && w->row < w->first + w->r.rows;
}

static void put(const struct writing *w, int col, int cols, const char *text, unsigned attrs)
{
	if (in_sight(w))
		canvas_text(w->c, w->r.row + w->row - w->first, col, cols, text, attrs);
}

/* Writes text from `col` on: the first line after a label of `label` columns, the others indented
 * by as much, at most LETTER. */
static void wrap(struct writing *w, int col, int cols, int label, const char *text, unsigned attrs)
{
	const int hang = label < LETTER ? label : LETTER;
	for (int lead = label; *text != '\0' && cols > lead; lead = hang) {
		const size_t len = fits(text, cols - lead);
		if (len == 0)
			break;
		put(w, col + lead, cols - lead, arena_strndup(w->a, text, len), attrs);
		w->row++;
		text += len + strspn(text + len, " ");
	}
}

/* ---- questions and answers ------------------------------------------------------------------- */

/* Returns whether options are written in two columns: if all have room. */
static bool in_two(const struct lesson *l, int cols)
{
	int widest = 0;
	for (size_t i = 0; i < l->n_options; i++) {
		const int width = (int)text_width(l->options[i]);
		widest = width > widest ? width : widest;
	}
	return l->n_options % 2 == 0 && 2 * (widest + LETTER) + GAP <= cols;
}

static void option(struct writing *w, const struct lesson *l, int i, int col, int cols)
{
	const char letter[] = {(char)('a' + i), '\0'};
	const unsigned attrs = l->right == i	? ATTR_BOLD | ATTR_UNDERLINE
			       : l->chosen == i ? ATTR_REVERSE
						: w->look;
	put(w, col, LETTER, letter, ATTR_BOLD | ATTR_ACCENT);
	wrap(w, col, cols, LETTER, shown(w, l->options[i]), attrs);
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

static void answer(struct writing *w, const struct lesson *l, int col, int cols)
{
	static const char label[] = " answer ";
	const int width = sizeof label - 1;
	put(w, col, width, label, ATTR_BOLD | ATTR_REVERSE);
	wrap(w, col, cols, width + 1, shown(w, l->answer), ATTR_BOLD);
}

static void write_words(struct writing *w, const struct lesson *l)
{
	const int col = w->r.col + MARGIN, room = w->r.cols - 2 * MARGIN;
	const int cols = room < WIDEST ? room : WIDEST;
	if (l->answer)
		answer(w, l, col, cols);
	if (l->say)
		wrap(w, col, cols, 0, shown(w, l->say), w->look);
	if (l->ask) {
		put(w, col, LETTER, "?", ATTR_BOLD | ATTR_ACCENT);
		wrap(w, col, cols, LETTER, shown(w, l->ask), ATTR_BOLD);
	}
	options(w, l, col + (l->ask ? LETTER : 0), cols - (l->ask ? LETTER : 0));
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* Returns whether the title fits in the rule, beside the other parts of the rule. */
static bool title_in_rule(const struct lesson *l, int cols)
{
	enum { LINES = 6, MORE = 4 };
	const int progress = l->progress ? (int)text_width(l->progress) + 2 : 0;
	const int note = l->note ? (int)text_width(l->note) + 2 : 0;
	return (int)text_width(l->title) + LINES + MORE + progress + note <= cols;
}

/* Returns the rows of rule and title: a title that does not fit in the rule has rows of its own. */
static int head_rows(struct writing *w, const struct lesson *l, int cols)
{
	struct writing apart = {.a = w->a};
	if (!title_in_rule(l, cols))
		wrap(&apart, MARGIN, cols - 2 * MARGIN, 0, shown(w, l->title), 0);
	return 1 + apart.row;
}

/* Chooses the parts at the right end of the rule for which there is room, the most useful first. */
static void choose_parts(const struct writing *w, const struct lesson *l, bool more, int room,
			 const char **parts)
{
	const char *const brief = w->ascii ? "~" : "…", *const way = "space: more";
	const int progress = l->progress ? (int)text_width(l->progress) + 2 : 0;
	const bool tell = !l->note && (int)text_width(way) + 2 + progress <= room;
	const char *const all[PARTS] = {l->note,
					!more  ? NULL
					: tell ? way
					       : brief,
					l->playing, l->progress, l->clock};
	static const int by_use[PARTS] = {1, 0, 3, 2, 4};
	for (int i = 0; i < PARTS; i++)
		parts[i] = NULL;
	for (int i = 0; i < PARTS; i++) {
		const char *const part = shown(w, all[by_use[i]]);
		const int width = part ? (int)text_width(part) + 2 : 0;
		if (width == 0 || width > room)
			continue;
		parts[by_use[i]] = part;
		room -= width;
	}
}

static void draw_rule(const struct writing *w, struct rect r, const struct lesson *l, bool more)
{
	const bool beside = title_in_rule(l, r.cols);
	const char *const title = shown(w, l->title), *parts[PARTS];
	const int used = beside ? (int)text_width(title) + 4 : 0;
	int end = r.col + r.cols - 1;
	for (int col = r.col; col < r.col + r.cols; col++)
		canvas_text(w->c, r.row, col, 1, w->ascii ? "-" : "─", ATTR_DIM);
	if (beside)
		canvas_text(w->c, r.row, r.col + 1, used - 2, arena_printf(w->a, " %s ", title),
			    ATTR_BOLD | ATTR_ACCENT);
	choose_parts(w, l, more, r.cols - used - 2, parts);
	for (int i = PARTS - 1; i >= 0; i--) {
		const int width = parts[i] ? (int)text_width(parts[i]) + 2 : 0;
		if (width == 0)
			continue;
		end -= width;
		canvas_text(w->c, r.row, end, width, arena_printf(w->a, " %s ", parts[i]),
			    i < 2 ? ATTR_BOLD | ATTR_ACCENT : w->look);
	}
}

/* ---- the whole step -------------------------------------------------------------------------- */

int canvas_lesson_room(int rows)
{
	return rows - FIGURE_LEAST > rows / 2 ? rows - FIGURE_LEAST : (rows + 1) / 2;
}

int canvas_lesson_rows(const struct canvas *c, const struct lesson *l, int cols, int most)
{
	struct arena a;
	arena_init(&a);
	struct writing w = {.a = &a, .r = {0, 0, most, cols}, .ascii = c->ascii};
	write_words(&w, l);
	const int rows = w.row + head_rows(&w, l, cols);
	arena_release(&a);
	return rows < most ? rows : most;
}

int canvas_lesson(struct canvas *c, struct rect r, const struct lesson *l, int *of)
{
	struct arena a;
	arena_init(&a);
	struct writing w = {.a = &a,
			    .r = r,
			    .first = l->first,
			    .look = c->presenter ? ATTR_BOLD : 0,
			    .ascii = c->ascii};
	const int head = head_rows(&w, l, r.cols);
	write_words(&w, l);
	const int rows = w.row,
		  seen = r.rows - head < rows - l->first ? r.rows - head : rows - l->first;
	w.c = c;
	canvas_fill(c, r, 0, CELL_DEFAULT);
	draw_rule(&w, r, l, l->first + seen < rows);
	w.r = (struct rect){r.row + 1, r.col, head - 1, r.cols};
	w.row = w.first = 0;
	if (head > 1)
		wrap(&w, r.col + MARGIN, r.cols - 2 * MARGIN, 0, shown(&w, l->title),
		     ATTR_BOLD | ATTR_ACCENT);
	w.r = (struct rect){r.row + head, r.col, r.rows - head, r.cols};
	w.row = 0;
	w.first = l->first;
	write_words(&w, l);
	canvas_isolate(c, r);
	arena_release(&a);
	if (of)
		*of = rows;
	return seen;
}

/* Returns the rows of a text at so many columns. */
static int text_rows(struct arena *a, const char *text, int cols, bool ascii)
{
	struct writing w = {.a = a, .ascii = ascii};
	wrap(&w, 0, cols, 0, text, 0);
	return w.row;
}

/* Writes a message in a box in the middle; if there is too little room, without the box and over
 * the full width, and text that does not fit is replaced by an ellipsis. */
void canvas_message(struct canvas *c, struct rect r, const char *title, const char *text)
{
	enum { PROSE = 64, SIDES = 4, AROUND = 4 };
	struct arena a;
	arena_init(&a);
	struct writing w = {.c = c, .a = &a, .ascii = c->ascii};
	text = shown(&w, text);
	int cols = r.cols - 2 * SIDES < PROSE ? r.cols - 2 * SIDES : PROSE;
	int rows = text_rows(&a, text, cols, c->ascii);
	const bool boxed = rows + AROUND <= r.rows;
	if (!boxed)
		cols = r.cols - 2 * MARGIN;
	const int col = r.col + (r.cols - cols) / 2;
	canvas_fill(c, r, 0, CELL_DEFAULT);
	if (!boxed && cols > 0) /* no more text than there are cells */
		text = text_shorten(&a, text, (size_t)cols * (size_t)r.rows, c->ascii);
	while (!boxed && (rows = text_rows(&a, text, cols, c->ascii)) > r.rows)
		text = text_shorten(&a, text, text_width(text) - 1, c->ascii);
	const int top = r.row + (r.rows - rows) / 2;
	if (boxed)
		canvas_box(c, (struct rect){top - 2, col - SIDES, rows + AROUND, cols + 2 * SIDES},
			   title ? shown(&w, title) : NULL, NULL, true);
	w.r = (struct rect){top, col, rows, cols};
	wrap(&w, col, cols, 0, text, ATTR_BOLD);
	canvas_isolate(c, r);
	arena_release(&a);
}

int canvas_lecture(struct canvas *c, const struct figure *f, size_t pane, const char *message,
		   const struct lesson *l, int *of)
{
	const int words = canvas_lesson_rows(c, l, c->cols, canvas_lesson_room(c->rows));
	const struct rect r = {0, 0, c->rows - words, c->cols};
	struct rect place[FIGURE_PANELS] = {0}, body, hit;
	struct canvas_seen seen[FIGURE_PANELS];
	struct heatmap_view view;
	const size_t shown = message ? 0 : pane < f->n ? pane : figure_first_map(f, 0);
	if (message) {
		canvas_message(c, r, l->title, message);
	} else if (f->presented) {
		canvas_presenter(c, r, f, shown, LESSON_HEAD, &body, &hit, &view);
	} else {
		if (pane < f->n)
			l->ask ? canvas_layout(c, f, r, pane, true, place)
			       : canvas_layout_lead(c, f, r, pane, place);
		else
			canvas_layout(c, f, r, shown, false, place);
		canvas_panels(c, f, r, place, pane, seen);
	}
	return canvas_lesson(c, (struct rect){r.rows, 0, words, c->cols}, l, of);
}
