/* key_press.c: what a key does: a row of the table of keys, or a letter of the line being edited; and
 * the requests that commands leave for the terminal program. */
#include <stdio.h>
#include <string.h>

#include "posviz/app/places.h"
#include "posviz/plot/panel.h"
#include "tui_in.h"

const char *tui_pane_context(const struct tui *t, size_t pane)
{
	if (!t->picture)
		return "";
	const struct figure *const f = &t->picture->picture.figure;
	if (pane >= f->n)
		return layout_has_list(t) ? "schemes" : "matrix";
	if (view_of(&t->drawn)->keys_first)
		return t->drawn.view;
	if (view_of(&t->drawn)->own) /* no cell to ask about, no row to choose */
		return t->drawn.view;
	/* Rows of other views have keys of their own. */
	if (f->panels[pane].kind == PANEL_TABLE && !view_of(&t->drawn)->table)
		return tui_view_context(t);
	return panel_type(&f->panels[pane])->context;
}

static bool find_answer(struct tui *t, enum request what);

/* A mode binds all keys that it needs; a request that it does not answer means there what it always
 * does. */
static const struct {
	const char *contexts[3];
	bool (*answer)(struct tui *t, enum request what);
} modes[] = {
	[MODE_COMMAND] = {{"command", "line"}, prompt_answer},
	[MODE_SENTENCE] = {{"line"}, prompt_answer},
	[MODE_FIND] = {{"find", "line"}, find_answer},
	[MODE_PERMUTE] = {{"permute"}, permute_answer},
	[MODE_HANG] = {{"hang"}, hang_answer},
	[MODE_COPY] = {{"copy"}, copy_answer},
	[MODE_BOX] = {{"box"}, box_answer},
	[MODE_SEARCH] = {{"search", "line"}, box_answer_search},
	[MODE_MENU] = {{"menu"}, views_answer},
	[MODE_FILTER] = {{"filter", "line"}, views_answer},
	[MODE_TOURS] = {{"tours"}, tours_answer},
};

const char *tui_context(const struct tui *t)
{
	return t->mode == MODE_LOOK ? tui_pane_context(t, t->app->pane)
				    : modes[t->mode].contexts[0];
}

/* A sweep has keys of its own in the view of heads, and the grid in the view Learn. */
const char *tui_view_context(const struct tui *t)
{
	if (!t->drawn.view)
		return "";
	const bool sweep = view_of(&t->drawn)->all_heads && strcmp(t->drawn.sweep, "none") != 0;
	const bool grid = strcmp(t->drawn.view, "learn") == 0 && t->drawn.train_grid > 0;
	return sweep ? "sweep" : grid ? "learn-grid" : t->drawn.view;
}

bool tui_typing(const struct tui *t)
{
	return t->mode == MODE_COMMAND || t->mode == MODE_SENTENCE || t->mode == MODE_FIND;
}

/* A key means what a tour that is shown makes of it, then what its pane does, its view, then what it means everywhere; a mode has
 * only its own. */
const struct binding *tui_binding_in(const struct tui *t, const char *context, const char *key)
{
	const char *const view = tui_view_context(t);
	const char *const looks = t->mode == MODE_LOOK && tui_presents(t) ? "presenter" : context;
	const char *const goes = t->mode == MODE_LOOK && touring(t) ? "tour" : looks;
	const char *const asks = t->mode == MODE_LOOK && quizzing(t) ? "quiz" : goes;
	const char *const ends = t->mode != MODE_LOOK  ? asks
				 : tour_ends(t)	       ? "tour-end"
				 : tour_has_options(t) ? "tour-question"
						       : asks;
	const char *const contexts[] = {
		ends, asks, goes, looks, context, t->mode == MODE_LOOK ? view : NULL, "", NULL};
	return keymap_find(t->app, contexts, key);
}

static const struct binding *binding_of(const struct tui *t, enum mode mode, const char *key)
{
	return mode == MODE_LOOK ? tui_binding_in(t, tui_context(t), key)
				 : keymap_find(t->app, modes[mode].contexts, key);
}

const struct binding *tui_binding(const struct tui *t, const char *key)
{
	return binding_of(t, t->mode, key);
}

/* The mode that keys are of: that of the box which lies over the rest, where there is one. */
static enum mode mode_of_keys(const struct tui *t)
{
	const enum mode mode = overlays[t->overlay].mode;
	if (t->overlay == OVERLAY_NONE)
		return t->mode;
	return mode == MODE_BOX && t->search.typing  ? MODE_SEARCH
	       : mode == MODE_MENU && t->menu.typing ? MODE_FILTER
						     : mode;
}

const char *tui_context_of_keys(const struct tui *t)
{
	const enum mode mode = mode_of_keys(t);
	return mode == MODE_LOOK ? tui_context(t) : modes[mode].contexts[0];
}

/* ---- requests ---------------------------------------------------------------------------- */

static void open_help(struct tui *t)
{
	if (t->app->request_text) {
		help_word(t, t->app->request_text);
		return;
	}
	box_close(t);
	t->overlay = OVERLAY_HELP;
	t->help_page = 0;
	t->scroll = 0;
}

static void open_find(struct tui *t)
{
	t->finds_second = false;
	prompt_open(t, MODE_FIND, "");
}

static void open_find_second(struct tui *t)
{
	prompt_open(t, MODE_FIND, "");
	t->finds_second = true;
}

/* The tokens of a file that nobody typed, to be written over; NULL: somebody did. */
static const char *labels_shown(struct tui *t)
{
	const struct built *const b = t->picture ? &t->picture->picture.built : NULL;
	if (!b || !b->labelled || *t->app->scene.setup.units)
		return NULL;
	struct strbuf text;
	strbuf_init(&text, &t->frame);
	for (size_t i = 0; i < b->written.n; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", b->written.tokens[i].label);
	return text.len < PROMPT_BYTES ? text.at : NULL;
}

/* The text on the screen is edited: a file's text too, which then becomes the sentence. */
static void open_edit(struct tui *t)
{
	const struct setup *const s = &t->app->scene.setup;
	char *text;
	size_t len;
	struct err err;
	const bool typed = !*s->file && !*s->conllu && !*s->tree && !*s->graph;
	if (typed) {
		const char *const labels = labels_shown(t);
		prompt_open(t, MODE_SENTENCE, labels ? labels : s->sentence);
		return;
	}
	const char *read;
	if (!setup_text(s, PROMPT_BYTES - 1, &t->frame, &read, &len, &err)) {
		err_prefix(&err, "too long to be edited here, or gone: ");
		tui_complain(t, &err);
		return;
	}
	text = arena_strndup(&t->frame, read, len);
	for (size_t i = 0; i < len; i++)
		if (strchr("\n\r\t", text[i]))
			text[i] = ' ';
	while (len > 0 && text[len - 1] == ' ')
		text[--len] = '\0';
	prompt_open(t, MODE_SENTENCE, text);
}

static void open_command(struct tui *t)
{
	prompt_open(t, MODE_COMMAND, t->app->request_text ? t->app->request_text : "");
}

/* Esc goes back one step: out of what one waits for, out of a zoom, out of a view that is one cell's, out of a computation, from some
 * panels to all, to where a head was opened, to the first pane, out of the first hints. */
static void go_back(struct tui *t)
{
	const bool waits =
		progress_text(t, t->terminal.cols, &t->frame) || progress_note(t, &t->frame);
	if (waits && tui_cancel(t))
		return;
	if (!t->app->zoom && view_of(&t->app->scene)->of_cell) {
		tui_run_line(t, t->app->scene.view); /* the command of that name leads back */
		return;
	}
	if (!t->app->zoom && t->app->pane == 0 && tui_cancel(t))
		return;
	if (!t->app->zoom && t->app->pane == 0 && places_is_trained(&t->app->scene) &&
	    tui_run_line(t, "trained"))
		return;
	if (!t->app->zoom && strcmp(t->app->scene.panel, "all") != 0) {
		tui_run_line(t, "panel all");
		return;
	}
	if (!t->app->zoom && t->app->pane == 0 && t->app->before_head) {
		tui_run_line(t, "leave-head");
		return;
	}
	if (!t->app->zoom && t->app->pane == 0)
		guide_end(t);
	t->app->zoom = false;
	t->app->pane = 0;
	tui_react(t, REACT_LAYOUT);
}

static void cancel(struct tui *t)
{
	if (!tui_cancel(t))
		app_say(t->app, "nothing is being computed");
}

static void redraw(struct tui *t)
{
	terminal_resize(&t->terminal, true);
	parts_at(t, PART_LOST);
}

static void suspend(struct tui *t)
{
	terminal_suspend(&t->terminal);
	parts_at(t, PART_LOST);
}

static void find_step(struct tui *t, int direction)
{
	size_t n;
	schemes_chosen(t, &n);
	if (n > 0)
		t->match = (t->match + n + (size_t)direction) % n;
	prompt_preview(t);
}

static void pick(struct tui *t, const struct scheme *s)
{
	char line[128];
	snprintf(line, sizeof line, "pick %s", s->id);
	tui_run_line(t, line);
}

static void find_accept(struct tui *t)
{
	size_t n;
	const struct scheme *const s = schemes_chosen(t, &n);
	if (!schemes_takes(
		    t,
		    &t->frame)) { /* there is nothing to take: what was typed stays to be mended */
		app_say(t->app, "no scheme fits; Esc goes back");
		return;
	}
	const char *const line = schemes_line(t, s, &t->frame);
	snprintf(t->sought, sizeof t->sought, "%s", t->prompt.text);
	prompt_cancel(t);
	tui_run_line(t, line);
}

/* Outside of the search: the match after, or before, the scheme that is shown. */
static void find_again(struct tui *t, int direction)
{
	struct arena a;
	size_t n, at = 0;
	arena_init(&a);
	const struct scheme **const found = schemes_found(t, t->sought, &a, &n);
	const struct scheme *const now = menu_chosen(&t->app->scene);
	while (at < n && found[at] != now)
		at++;
	if (t->sought[0] == '\0')
		app_say(t->app,
			"look for a scheme first, with /; then n and N go through what was found");
	else if (n < 2 && at < n)
		app_say(t->app, "there is no other match");
	else if (n > 0)
		pick(t, found[at == n ? 0 : (at + n + (size_t)direction) % n]);
	arena_release(&a);
}

static bool find_answer(struct tui *t, enum request what)
{
	if (what == REQUEST_MATCH_NEXT || what == REQUEST_MATCH_PREV)
		find_step(t, what == REQUEST_MATCH_NEXT ? 1 : -1);
	else if (what == REQUEST_ACCEPT)
		find_accept(t);
	else
		return prompt_answer(t, what);
	return true;
}

static void find_next(struct tui *t)
{
	find_again(t, 1);
}

static void find_prev(struct tui *t)
{
	find_again(t, -1);
}

/* Functions that do a request where no mode makes something else of it; NULL: nothing does. */
static void (*const answers[REQUEST_COUNT])(struct tui *t) = {
	[REQUEST_HELP] = open_help,
	[REQUEST_COMMAND] = open_command,
	[REQUEST_FIND_SECOND] = open_find_second,
	[REQUEST_FIND] = open_find,
	[REQUEST_VIEWS] = views_open,
	[REQUEST_EDIT] = open_edit,
	[REQUEST_PERMUTE] = permute_open,
	[REQUEST_HANG] = hang_open,
	[REQUEST_WORDS] = words_open,
	[REQUEST_COPY] = copy_open,
	[REQUEST_CLIPBOARD] = clipboard_copy,
	[REQUEST_CANCEL] = cancel,
	[REQUEST_REDRAW] = redraw,
	[REQUEST_SUSPEND] = suspend,
	[REQUEST_BACK] = go_back,
	[REQUEST_MATCH_NEXT] = find_next,
	[REQUEST_MATCH_PREV] = find_prev,
	[REQUEST_PAGE] = page_open,
	[REQUEST_TOUR] = tour_request,
	[REQUEST_TOUR_NEXT] = tour_next,
	[REQUEST_TOUR_BACK] = tour_back,
	[REQUEST_TOUR_LEAVE] = tour_leave,
	[REQUEST_TOUR_PAUSE] = notes_pause,
	[REQUEST_TOUR_ON] = tour_on,
	[REQUEST_TURN] = motion_turn,
	[REQUEST_PLAY] = motion_train,
	[REQUEST_QUIZ] = quiz_request,
	[REQUEST_QUIZ_ANSWER] = quiz_choose,
	[REQUEST_RECORD] = recording_answer,
	[REQUEST_RECORD_OVER] = recording_answer_over,
};

void tui_answer(struct tui *t)
{
	const enum request what = t->app->request;
	const enum mode mode = mode_of_keys(t);
	t->app->request = REQUEST_NONE;
	if (mode != MODE_LOOK && modes[mode].answer(t, what))
		return;
	if (answers[what])
		answers[what](t);
}

/* ---- keys -------------------------------------------------------------------------------- */

/* "c cell, m command": the keys of a context that the footer names. */
static const char *keys_of(struct tui *t, const char *context)
{
	struct strbuf out;
	const struct binding *b;
	strbuf_init(&out, &t->frame);
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (strcmp(b->context, context) == 0 && b->footer)
			strbuf_printf(&out, "%s%s %s", out.len ? ", " : "", b->key, b->footer);
	return out.len ? out.at : "none";
}

/* A key that is bound does that, also while a line is typed; a key of a text that is pasted is never a
 * command. */
static void press(struct tui *t, const struct key *key)
{
	const enum mode mode = mode_of_keys(t);
	const struct binding *const b = binding_of(t, mode, key->name);
	const char *const name = help_key(key->name, t->terminal.ascii);
	if (!b && !key->pasted && views_typed(t, key))
		views_filter(t);
	const bool typing =
		mode == MODE_SEARCH || t->menu.typing || (mode == t->mode && tui_typing(t));
	const bool wrong = typing && t->prompt.wrong.text[0] != '\0';
	if (typing)
		t->prompt.wrong.text[0] = '\0';
	if (wrong && t->mode == MODE_COMMAND && strcmp(key->text, ":") == 0 && !key->pasted) {
		prompt_open(t, MODE_COMMAND, ""); /* another command, not more of the wrong one */
		return;
	}
	if (b && !key->pasted)
		tui_run_line(t, b->command);
	else if (typing && !key->text[0] && !key->pasted)
		app_say(t->app, "%s does nothing while a line is typed",
			text_escape(&t->frame, name, strlen(name)));
	else if (typing)
		prompt_type(t, key);
	else if (mode == MODE_COPY)
		app_say(t->app, "nothing was copied: %s is none of %s",
			text_escape(&t->frame, name, strlen(name)), keys_of(t, "copy"));
	else if (mode == MODE_LOOK && key->pasted)
		paste_key(t, key);
	else if (mode == t->mode && !key->pasted)
		message_nothing(t, key);
	if (mode == MODE_COPY)
		t->mode = MODE_LOOK;
}

static void hear(struct tui *t)
{
	struct terminal *const terminal = &t->terminal;
	const enum background said = terminal->answers.background;
	if (terminal->asks && said != BACKGROUND_UNKNOWN && said != terminal->background) {
		terminal->background = said;
		tui_refigure(t, FIGURE_WRONG);
	}
	parts_at(t, PART_ANSWERED);
}

bool tui_escapes(const struct tui *t, const struct key *key)
{
	return t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE && strcmp(key->name, "Esc") == 0;
}

const struct binding *tui_fixed(const struct key *key)
{
	return key->pasted ? NULL : keymap_fixed(key->name);
}

void tui_key(struct tui *t, const struct key *key)
{
	if (strcmp(key->name, "Answer") == 0) {
		hear(t);
		return;
	}
	if (!key->pasted)
		prompt_follow(t);
	if (parts_key(t, key))
		return;
	if (tui_fixed(key))
		tui_run_line(t, tui_fixed(key)->command);
	else
		press(t, key);
	if (!t->dirty)
		tui_dirty(t, 0);
}
