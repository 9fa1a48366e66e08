/* guide.c: the first minute: below the figure one sentence says what is seen, and a line offers one key, until the way
 * of first_steps is gone; then there is nothing of it any more.
 *
 * A sentence is of the first scene, and is not shown with another one; the line waits until its step is done, or Esc ends
 * both for good where it has nothing else to do. */
#include <stdio.h>
#include <string.h>

#include "posviz/app/first.h"
#include "tui_in.h"

/* Rows below the title that a sentence and a line leave to the figure; rows of the sentence. */
enum { LINE_FROM = 10, WORDS_FROM = 14, FULL_FROM = 18, MOST_ROWS = 2, NARROW = 76 };

static bool is_on(const struct tui *t)
{
	return t->app->first_step > 0 && !touring(t) && !tui_presents(t) && !t->app->zoom;
}

static const struct first_step *step_now(const struct tui *t)
{
	return &first_steps[t->app->first_step - 1];
}

/* Returns whether the picture is of the input and the schemes of the first scene, in this order; NULL: in its own. */
static bool is_first_scene(const struct tui *t, const struct scene *s, const char *order)
{
	struct setup first = t->guide.first.setup;
	if (order)
		first.order = s->setup.order;
	return setup_equal(&s->setup, &first) && (!order || strcmp(s->setup.order, order) == 0) &&
	       s->head == t->guide.first.head && s->layer == t->guide.first.layer &&
	       s->matrix == t->guide.first.matrix;
}

bool guide_is_plain(const struct tui *t, const struct scene *scene)
{
	return t->app->first_step > 0 && !touring(t) &&
	       strcmp(scene->view, first_steps[0].view) == 0 && is_first_scene(t, scene, NULL);
}

void guide_figure(struct tui *t, const struct scene *scene)
{
	struct figure *const f = &t->picture->picture.figure;
	struct err err;
	const char *const panels =
		t->terminal.rows < FIRST_PANELS_ROWS ? first_panels_few : first_panels;
	if (!guide_is_plain(t, scene))
		return;
	f->finding = f->finding_brief = f->finding_least =
		NULL; /* the sentence below says it in plain words */
	if (!figure_pick(f, panels, &t->figures[t->figure_at], &err))
		return;
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_HEATMAP)
			f->panels[i].heatmap.plain = true;
		else
			f->panels[i].note = f->panels[i].short_note = NULL;
}

/* ---- the words ------------------------------------------------------------------------------- */

/* Returns the sentence of the step whose view is shown, the present one or, for who has gone back, the first; NULL if
 * none is true of the picture. */
static const char *sentence(const struct tui *t, bool brief)
{
	if (!t->picture)
		return NULL;
	const struct first_step *const now = step_now(t);
	const struct first_step *const s =
		strcmp(t->drawn.view, now->view) == 0 ? now : &first_steps[0];
	if (strcmp(t->drawn.view, s->view) != 0 || !is_first_scene(t, &t->drawn, s->order))
		return NULL;
	return brief ? s->brief : s->seen;
}

/* Breaks a text into lines of `cols`; returns how many, all of them though out[most] has fewer. */
static int wrap(const char *text, int cols, struct arena *a, const char **out, int most)
{
	int n = 0;
	for (const char *at = text; *at; n++) {
		at += strspn(at, " ");
		const size_t len = line_break(at, (size_t)cols);
		if (n < most)
			out[n] = arena_strndup(a, at, len);
		at += len;
	}
	return n;
}

/* Gets the lines of the sentence where these have room; returns how many. */
static int sentence_lines(const struct tui *t, int cols, int room, struct arena *a,
			  const char **out)
{
	if (room < WORDS_FROM || cols < 24)
		return 0;
	for (int brief = room < FULL_FROM || cols < NARROW; brief < 2; brief++) {
		const char *const text = sentence(t, brief != 0);
		const int n = text ? wrap(text, cols - 2, a, out, MOST_ROWS) : 0;
		if (n <= MOST_ROWS)
			return n;
	}
	return 0;
}

int guide_rows(const struct tui *t, int cols, int room)
{
	const char *lines[MOST_ROWS];
	struct arena a;
	if (!is_on(t) || room < LINE_FROM)
		return 0;
	arena_init(&a);
	const int rows = sentence_lines(t, cols, room, &a, lines);
	arena_release(&a);
	return rows + 1;
}

/* Returns the key that runs a command, as it is written for people; that of a view is its number. */
static const char *key_of(struct tui *t, const char *command)
{
	static const char view[] = "view ";
	const struct binding *b;
	if (strncmp(command, view, sizeof view - 1) == 0) {
		const struct view *const v = view_find(command + sizeof view - 1);
		command = arena_printf(&t->frame, "view %zu", view_index(v) + 1);
	}
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (strcmp(b->command, command) == 0 &&
		    (!*b->context || strcmp(b->context, "matrix") == 0))
			return help_key(b->key, t->terminal.ascii);
	return arena_printf(&t->frame, ":%s", command);
}

/* A key that is a button, and what it is for. */
static void offer(struct line *l, const char *key, const char *command, const char *what)
{
	const int from = l->col;
	const int cols = (int)(text_width(key) + text_width(what)) + 1;
	const int gap = l->col > 1 ? 3 : 0;
	if (l->col + gap + cols > l->right)
		return;
	line_item(l, gap, key, ATTR_ACCENT | ATTR_BOLD);
	line_item(l, 1, what, 0);
	zone_add(l->t, ZONE_RUN, line_since(l, from + gap))->command = command;
}

/* Says at the right end what the cells without a colour are. */
static void draw_masked(const struct line *l)
{
	const char *const text =
		l->c->ascii ? ". later words: not seen" : "· later words: not seen";
	const int cols = (int)text_width(text);
	if (l->right - cols > l->col + 2)
		canvas_text(l->c, l->row, l->right - cols, cols, text, ATTR_DIM);
}

static void draw_line(struct tui *t, struct canvas *c, int row)
{
	const struct first_step *const s = step_now(t);
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (s->command)
		offer(&l, key_of(t, s->command), s->command, s->offer);
	if (t->app->first_step == 1 && t->tour.n_left == 0)
		offer(&l, key_of(t, "tour"), "tour", "a tour");
	if (!s->command) {
		offer(&l, key_of(t, "find"), "find", "a scheme of your choice");
		offer(&l, key_of(t, "edit"), "edit", "your own sentence");
		offer(&l, key_of(t, "help"), "help", "all keys");
	}
	if (!view_of(&t->app->scene)->of_cell) /* there Esc leads back to the view before */
		offer(&l, key_of(t, "back"), "back", "no more hints");
	if (guide_is_plain(t, &t->drawn))
		draw_masked(&l);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const char *lines[MOST_ROWS];
	const struct rect r = l->band;
	if (r.rows == 0 || touring(t) || !is_on(t))
		return;
	canvas_fill(c, r, 0, CELL_DEFAULT);
	const int n = sentence_lines(t, r.cols, l->figure.rows + r.rows, &t->frame, lines);
	for (int i = 0; i < n && i + 1 < r.rows; i++)
		canvas_text(c, r.row + i, r.col + 1, r.cols - 2, lines[i], ATTR_BOLD);
	draw_line(t, c, r.row + r.rows - 1);
}

/* ---- the way --------------------------------------------------------------------------------- */

static void go_to(struct tui *t, size_t step)
{
	t->app->first_step = step;
	tui_refigure(t, FIGURE_WRONG);
}

/* Puts the words into the order of the step while its view is shown, and back behind it, unless the user has put them
 * into another one. */
static void put_in_order(struct tui *t)
{
	static const char written[] = "identity";
	const struct first_step *const s = t->app->first_step > 0 ? step_now(t) : NULL;
	const char *const now = t->app->scene.setup.order;
	const char *const mine = t->guide.order ? t->guide.order : written;
	const char *const order = s && strcmp(t->app->scene.view, s->view) == 0 ? s->order : NULL;
	if (order == t->guide.order ||
	    !setup_same_tokens(&t->app->scene.setup, &t->guide.first.setup))
		return;
	t->guide.order = order;
	if (strcmp(now, mine) == 0)
		tui_run_line(t, arena_printf(&t->frame, "order %s", order ? order : written));
}

bool guide_end(struct tui *t)
{
	if (t->app->first_step == 0)
		return false;
	t->guide.order = NULL; /* the words stay as they are */
	go_to(t, 0);
	return true;
}

/* Goes on once the next view is seen, and ends when the last is left. */
static void follow(struct tui *t)
{
	const size_t now = t->app->first_step;
	if (now > 0 && t->picture && !touring(t)) {
		const size_t seen = first_step_of(t->drawn.view);
		if (seen == now && first_steps[now].view)
			go_to(t, now + 1);
		else if (!step_now(t)->command && seen + 1 != now)
			go_to(t, 0);
		put_in_order(t);
	}
	if (t->app->first_step == t->guide.kept)
		return;
	t->guide.kept = t->app->first_step;
	if (t->app->save_first)
		t->app->save_first(t->guide.kept);
}

static void open(struct tui *t)
{
	first_scene(&t->guide.first);
	t->guide.kept = 0; /* a first step is kept too, for who leaves at once */
}

/* Panels of the first picture follow the rows of the screen. */
static void resized(struct tui *t)
{
	if (t->picture && guide_is_plain(t, &t->drawn))
		tui_refigure(t, FIGURE_WRONG);
}

const struct tui_part part_guide = {
	.at = {[PART_OPEN] = open, [PART_DRAWN] = follow, [PART_RESIZED] = resized}, .draw = draw};
