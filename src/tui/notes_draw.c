/* notes_draw.c: the screen of the speaker: where the tour is and how late it is, what to say, and what comes next. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "notes_in.h"
#include "notes_place.h"
#include "posviz/base/text.h"
#include "tui_in.h"

/* From so many rows and columns on there is room for more. */
enum { TITLE_ROWS = 16, AIRY_ROWS = 20, ONE_LINE = 76, NARROW = 60, LIST_COLS = 112 };
enum { BODY_MOST = BOX_PROSE + NOTES_LABEL, LIST_MOST = 56, LIST_GAP = 3, STATUS_ROWS = 4 };

struct page {
	struct notes *n;
	struct canvas *c;
	struct arena *a;
	const struct tour *t;
	size_t beat;	 /* from 0; SIZE_MAX: there is none to show */
	int row, bottom; /* that are still free: from, and behind the last */
	int cursor_row, cursor_col;
};

static const char *plain(const struct page *p, const char *text)
{
	return p->c->ascii ? canvas_plain_text(p->a, text) : text;
}

static int put(const struct page *p, int row, int col, int right, const char *text, unsigned attrs)
{
	if (right <= col)
		return 0;
	const size_t room = (size_t)(right - col);
	return canvas_text(p->c, row, col, right - col,
			   text_shorten(p->a, plain(p, text), room, p->c->ascii), attrs);
}

/* Ends before `right`, where there is room behind `left`; where it then begins. */
static int put_right(const struct page *p, int row, int left, int right, const char *text,
		     unsigned attrs)
{
	const int width = (int)text_width(plain(p, text));
	if (right - width < left)
		return right;
	put(p, row, right - width, right, text, attrs);
	return right - width;
}

/* ---- where and when ---------------------------------------------------------------------- */

static const char *time_of_day(struct arena *a)
{
	const time_t now = time(NULL);
	struct tm local = {0};
	localtime_r(&now, &local);
	return arena_printf(a, "%02d:%02d", local.tm_hour, local.tm_min);
}

static void draw_title(struct page *p)
{
	static const char brand[] = " posviz ";
	const int cols = p->c->cols;
	const struct tour *const t = p->t;
	const int right = put_right(p, p->row, 0, cols - 1, time_of_day(p->a), ATTR_BOLD);
	int col = put(p, p->row, 0, right, brand, ATTR_REVERSE | ATTR_BOLD) + 1;
	col += put(p, p->row, col, right, "notes", 0) + 2;
	const size_t part = p->beat == SIZE_MAX ? 0 : t->steps[t->beats[p->beat].step].part;
	if (p->n->has_tour && t->n_parts > 1)
		put(p, p->row, col, right - 1,
		    arena_printf(p->a, "%s: %s", t->title, t->parts[part].title), 0);
	else if (p->n->has_tour)
		put(p, p->row, col, right - 1, t->title, 0);
	p->row += p->c->rows >= AIRY_ROWS ? 2 : 1;
}

/* "2/12  Man bites dog", and which of its beats; the time where no line above has it. */
static void draw_step(struct page *p)
{
	const int cols = p->c->cols;
	int right = cols - 1;
	if (p->c->rows < TITLE_ROWS)
		right = put_right(p, p->row, 0, right, time_of_day(p->a), ATTR_BOLD) - 2;
	if (p->beat == SIZE_MAX) {
		p->row++;
		return;
	}
	const struct tour_beat *const b = &p->t->beats[p->beat];
	const struct tour_step *const s = &p->t->steps[b->step];
	const char *const number = arena_printf(p->a, "%zu/%zu", b->step + 1, p->t->n_steps);
	const int col = 1 + put(p, p->row, 1, right, number, ATTR_BOLD) + 2;
	const char *const part = arena_printf(p->a, "%zu of %zu", p->beat - s->first + 1, s->n);
	if (s->n > 1)
		right = put_right(p, p->row, col + (int)text_width(plain(p, s->title)) + 2, right,
				  part, ATTR_DIM);
	const size_t room = right > col ? (size_t)(right - col) : 0;
	put(p, p->row, col, right, text_cut(p->a, plain(p, s->title), room, p->c->ascii),
	    ATTR_BOLD | ATTR_ACCENT);
	p->row++;
}

/* "+1:40", "−0:20" */
static const char *difference(const struct page *p, double seconds)
{
	const char *const minus = p->c->ascii ? "-" : "−";
	const double whole = floor(fabs(seconds));
	return arena_printf(p->a, "%s%s", seconds < 0 && whole > 0 ? minus : "+",
			    tour_time(whole, p->a));
}

/* Seconds that the tour may have taken by now: all of the steps before, and of the present one no more than was
 * planned. */
static double planned(const struct page *p)
{
	const size_t step = p->t->beats[p->beat].step;
	double sum = 0;
	for (size_t i = 0; i < step; i++)
		sum += p->t->steps[i].seconds;
	return sum + fmin(floor(notes_spent(p->n)), p->t->steps[step].seconds);
}

/* A line being written: words, and what is late in bold. */
static void item(struct page *p, int *col, const char *text, unsigned attrs)
{
	*col += put(p, p->row, *col, p->c->cols - 1, text, attrs);
}

static void draw_step_time(struct page *p, int *col)
{
	const double spent = floor(notes_spent(p->n));
	const double seconds = p->t->steps[p->t->beats[p->beat].step].seconds;
	item(p, col, "step ", ATTR_DIM);
	item(p, col, tour_time(spent, p->a), 0);
	if (seconds > 0)
		item(p, col, arena_printf(p->a, " of %s", tour_time(seconds, p->a)), 0);
	if (seconds > 0 && spent > seconds)
		item(p, col, arena_printf(p->a, ", %s", difference(p, spent - seconds)), ATTR_BOLD);
}

static void draw_tour_time(struct page *p, int *col)
{
	const double elapsed = floor(notes_elapsed(p->n));
	const bool wide = p->c->cols >= ONE_LINE;
	item(p, col, "tour ", ATTR_DIM);
	item(p, col, tour_time(elapsed, p->a), 0);
	if (wide && p->t->seconds > 0)
		item(p, col, arena_printf(p->a, " of %s", tour_time(p->t->seconds, p->a)), 0);
	if (p->t->seconds <= 0)
		return;
	const double late = elapsed - planned(p);
	item(p, col, arena_printf(p->a, ", planned %s, ", tour_time(planned(p), p->a)), 0);
	item(p, col, difference(p, late), late >= 1 ? ATTR_BOLD : 0);
	if (fabs(late) >= 1)
		item(p, col, late > 0 ? " late" : " early", late > 0 ? ATTR_BOLD : 0);
}

static void draw_times(struct page *p)
{
	int col = 1;
	if (p->beat == SIZE_MAX || p->n->at.step == 0) {
		p->row++;
		return;
	}
	draw_step_time(p, &col);
	if (p->c->cols >= ONE_LINE) {
		col += 3;
	} else {
		p->row++;
		col = 1;
	}
	draw_tour_time(p, &col);
	p->row += p->c->rows >= AIRY_ROWS ? 2 : 1;
}

/* ---- below: keys, what is the matter, what comes next ------------------------------------ */

static const char *named(const struct page *p)
{
	return p->n->asked ? text_escape(p->a, p->n->asked, strlen(p->n->asked)) : "order";
}

/* Why nothing is followed, or what is not as it should be; NULL: all is well. */
static const char *trouble(const struct page *p)
{
	const struct notes *const n = p->n;
	struct err err;
	if (n->version != 0)
		return "the other terminal runs another version of posviz, which says other things";
	if (n->link == LINK_WAITS && !notes_usable(&err))
		return arena_printf(p->a, "no tour can be followed: %s", err.text);
	if (n->link == LINK_WAITS)
		return arena_printf(p->a,
				    "no tour is shown: start posviz tour %s in another terminal",
				    named(p));
	if (n->link == LINK_SEVERAL)
		return arena_printf(p->a,
				    "several tours are shown: %s; name one: posviz tour NAME "
				    "--notes",
				    n->others);
	if (n->link == LINK_LOST && n->before.step > 0)
		return arena_printf(p->a,
				    "the terminal with the tour is gone; start it again, and g %s",
				    notes_resumes(n, p->a));
	if (n->link == LINK_LOST)
		return "the terminal with the tour is gone; this one goes on when it is back";
	if (n->link == LINK_OVER)
		return "the tour was left; this goes on when it is shown again";
	if (n->unread.text[0])
		return n->unread.text;
	if (n->differs)
		return "the file is not what the other terminal shows; start the tour there again";
	if (p->beat == SIZE_MAX)
		return arena_printf(p->a, "the tour that was read has no step %zu.%zu", n->at.step,
				    n->at.beat);
	return NULL;
}

static const char *status(struct page *p, unsigned *attrs)
{
	const struct notes *const n = p->n;
	const char *const wrong = trouble(p);
	*attrs = ATTR_BOLD;
	if (n->typing)
		return arena_printf(p->a, "go to step: %s", n->typed);
	if (n->said[0] && n->unheard && wrong)
		return arena_printf(p->a, "%s; %s", n->said, wrong);
	if (n->said[0])
		return n->said;
	if (wrong)
		return wrong;
	if (notes_may_resume(n))
		return arena_printf(p->a, "the tour began anew; g %s, Esc leaves it as it is",
				    notes_resumes(n, p->a));
	if (n->at.off)
		return "something was changed by hand; next goes back to the tour";
	if (n->at.stands)
		return "the clock stands; p lets it run";
	*attrs = 0;
	return NULL;
}

static void draw_status(struct page *p)
{
	unsigned attrs;
	const char *text = status(p, &attrs);
	const char *lines[STATUS_ROWS];
	const size_t room = p->c->cols > 2 ? (size_t)p->c->cols - 2 : 1;
	int n = 0;
	text = text ? plain(p, text) : "";
	while (*text && n < STATUS_ROWS) {
		const size_t len = line_break(text, room);
		lines[n++] = arena_strndup(p->a, text, len);
		text += len;
		text += strspn(text, " ");
	}
	p->bottom -= n;
	for (int i = 0; i < n; i++)
		put(p, p->bottom + i, 1, p->c->cols - 1, lines[i], attrs);
	if (p->n->typing && n > 0) {
		p->cursor_row = p->bottom + n - 1;
		p->cursor_col = 1 + (int)text_width(lines[n - 1]);
	}
}

/* Keys that share a word: those of rows from `row` on; *next gets the first row behind them. */
static const char *hint_keys(const struct page *p, size_t row, size_t *next)
{
	const struct app *const app = p->n->app;
	const struct binding *const first = keymap_row(app, row), *b;
	struct strbuf keys;
	strbuf_init(&keys, p->a);
	size_t i = row;
	for (; (b = keymap_row(app, i)) == first + (i - row) && b->footer &&
	       strcmp(b->footer, first->footer) == 0 && strcmp(b->context, first->context) == 0;
	     i++)
		strbuf_printf(&keys, "%s%s", keys.len && p->c->ascii ? " " : "",
			      help_key(b->key, p->c->ascii));
	*next = i;
	return keys.at;
}

/* The way out always has room. */
static void draw_keys(struct page *p)
{
	static const char context[] = "notes", quit[] = "q", leave[] = " quit";
	const int row = --p->bottom, right = p->c->cols - (int)(sizeof quit + sizeof leave - 1);
	const struct binding *b;
	int col = 1;
	for (size_t i = 0, next; (b = keymap_row(p->n->app, i)) != NULL; i = next) {
		next = i + 1;
		if (strcmp(b->context, context) != 0 || !b->footer ||
		    strcmp(b->command, "quit") == 0)
			continue;
		const char *const keys = hint_keys(p, i, &next);
		const char *const word = arena_printf(p->a, " %s", b->footer);
		if (col + (int)(text_width(keys) + text_width(word)) + 2 > right)
			break;
		col += put(p, row, col, right, keys, ATTR_BOLD | ATTR_ACCENT);
		col += put(p, row, col, right, word, 0) + 2;
	}
	canvas_text(p->c, row, right, 1, quit, ATTR_BOLD | ATTR_ACCENT);
	canvas_text(p->c, row, right + 1, (int)sizeof leave - 1, leave, 0);
}

/* At its right how much of the text is below. */
static void draw_next(struct page *p, size_t below)
{
	const int row = p->bottom, cols = p->c->cols;
	const bool brief = cols < NARROW;
	int right = cols - 1;
	if (below > 0)
		right = put_right(p, row, NOTES_LABEL + 10, right,
				  arena_printf(p->a, "%s%zu%s", p->c->ascii ? "+" : "↓ ", below,
					       brief ? "" : " more"),
				  ATTR_BOLD) -
			2;
	if (p->beat == SIZE_MAX)
		return;
	const char *const next = plain(p, notes_next(p->t, p->beat, brief, p->a));
	const int col = 1 + NOTES_LABEL;
	const size_t room = right > col ? (size_t)(right - col) : 0;
	put(p, row, 1, col, "next", ATTR_DIM);
	put(p, row, col, right, text_cut(p->a, next, room, p->c->ascii), ATTR_BOLD);
}

/* ---- the text, and the list of steps ------------------------------------------------------ */

static const struct notes_line *lines_of(const struct page *p, struct notes_room room, size_t *n)
{
	const bool ascii = p->c->ascii;
	*n = 0;
	if (p->n->helping)
		return notes_help(p->n->app, room.cols, ascii, p->a, n);
	return p->beat == SIZE_MAX ? NULL : notes_lines(p->t, p->beat, room, ascii, p->a, n);
}

/* Returns how many lines have no room below. */
static size_t draw_text(struct page *p, int cols)
{
	struct notes *const n = p->n;
	size_t count = 0;
	const size_t rows = p->bottom > p->row ? (size_t)(p->bottom - p->row) : 0;
	const struct notes_room room = {rows, (size_t)cols};
	const struct notes_line *const lines = lines_of(p, room, &count);
	n->page = rows;
	n->most = count > rows ? count - rows : 0;
	n->scroll = n->scroll < n->most ? n->scroll : n->most;
	for (size_t i = n->scroll; i < count && i < n->scroll + rows; i++) {
		const struct notes_line *const l = &lines[i];
		const int row = p->row + (int)(i - n->scroll);
		int col = 1 + NOTES_LABEL;
		put(p, row, 1, col, l->label, ATTR_DIM);
		if (n->helping)
			col = 1;
		if (*l->letter)
			put(p, row, col, col + NOTES_LETTER, l->letter, ATTR_BOLD | ATTR_ACCENT);
		col += *l->letter ? NOTES_LETTER : 0;
		put(p, row, col, 1 + cols, l->text, l->attrs);
	}
	return n->most - n->scroll;
}

static void draw_list(struct page *p, int col, int right)
{
	const int rows = p->bottom - p->row;
	const size_t count = p->t->n_steps, now = p->t->beats[p->beat].step;
	const size_t room = rows > 0 ? (size_t)rows : 0;
	size_t first = now > room / 3 ? now - room / 3 : 0;
	first = count > room && first > count - room ? count - room : first;
	first = count <= room ? 0 : first;
	for (size_t i = first; i < count && i < first + room; i++) {
		const struct tour_step *const s = &p->t->steps[i];
		const int row = p->row + (int)(i - first);
		const unsigned look = i == now ? ATTR_BOLD : ATTR_DIM;
		const char *const number = arena_printf(p->a, "%s%3zu  ",
							i != now      ? " "
							: p->c->ascii ? ">"
								      : "▸",
							i + 1);
		const int end = s->seconds > 0 ? put_right(p, row, col, right,
							   tour_time(s->seconds, p->a), look)
					       : right;
		put(p, row, col + put(p, row, col, end, number, look), end - 1, s->title, look);
	}
}

static void draw_body(struct page *p)
{
	const int cols = p->c->cols;
	const bool list = cols >= LIST_COLS && p->beat != SIZE_MAX;
	const int beside = list ? LIST_MOST * cols / 160 : 0;
	int body = cols - 2 - (list ? beside + LIST_GAP : 0);
	body = body < BODY_MOST ? body : BODY_MOST;
	p->bottom -= 1;
	const int next = p->bottom;
	p->bottom -= p->c->rows >= AIRY_ROWS;
	const size_t below = draw_text(p, body);
	const int from = 1 + body + LIST_GAP;
	if (list)
		draw_list(p, from, cols - 1 < from + LIST_MOST ? cols - 1 : from + LIST_MOST);
	p->bottom = next;
	draw_next(p, below);
}

/* ---- all of it --------------------------------------------------------------------------- */

struct canvas *notes_frame(struct notes *n, int *cursor_row, int *cursor_col)
{
	const struct terminal *const t = &n->terminal;
	arena_clear(&n->frame);
	struct canvas *const c = canvas_new(&n->frame, t->rows, t->cols, t->tier, t->ascii,
					    t->background != BACKGROUND_LIGHT);
	struct page p = {.n = n,
			 .c = c,
			 .a = &n->frame,
			 .t = &n->tour,
			 .beat = notes_beat(n),
			 .bottom = c->rows,
			 .cursor_row = -1};
	c->contrast = n->app->settings.contrast;
	c->report = n->report;
	if (c->rows >= TITLE_ROWS)
		draw_title(&p);
	draw_step(&p);
	draw_times(&p);
	draw_keys(&p);
	draw_status(&p);
	draw_body(&p);
	canvas_isolate(c, (struct rect){0, 0, c->rows, c->cols});
	*cursor_row = p.cursor_row;
	*cursor_col = p.cursor_col;
	return c;
}

void notes_draw(struct notes *n)
{
	int row, col;
	const struct canvas *const c = notes_frame(n, &row, &col);
	screen_show(&n->terminal, c, row, col);
}
