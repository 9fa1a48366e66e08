/* input.c: what a key does: a row of the table of keys, or a letter of the line being edited; and
 * the requests that commands leave for the terminal program. */
#include <stdio.h>
#include <string.h>

#include "posviz/file.h"
#include "tui_in.h"

const char *tui_pane_context(const struct tui *t, size_t pane)
{
	static const char *const contexts[] = {
		[PANEL_HEATMAP] = "matrix",	 [PANEL_CURVES] = "curves", [PANEL_BARS] = "bars",
		[PANEL_TABLE] = "table",	 [PANEL_CARD] = "card",	    [PANEL_LINKS] = "links",
		[PANEL_STRUCTURE] = "structure",
	};
	if (!t->picture)
		return "";
	const struct figure *const f = &t->picture->picture.figure;
	if (pane >= f->n)
		return layout_has_list(t) ? "schemes" : "matrix";
	return contexts[f->panels[pane].kind];
}

const char *tui_context(const struct tui *t)
{
	if (t->mode == MODE_PERMUTE)
		return "permute";
	if (t->mode == MODE_FIND)
		return "find";
	return tui_pane_context(t, t->app->pane);
}

/* A mode binds all it needs; elsewhere a key means what its pane makes of it, then what its view
 * does, then what it means everywhere. */
const struct binding *tui_binding_in(const struct tui *t, const char *context, const char *key)
{
	const bool mode = t->mode == MODE_PERMUTE || t->mode == MODE_FIND;
	const char *const in_mode[] = {context, NULL};
	const char *const looking[] = {context, t->drawn.view ? t->drawn.view : "", "", NULL};
	return keymap_find(t->app, mode ? in_mode : looking, key);
}

const struct binding *tui_binding(const struct tui *t, const char *key)
{
	return tui_binding_in(t, tui_context(t), key);
}

/* ---- requests ---------------------------------------------------------------------------- */

static void open_help(struct tui *t)
{
	if (t->app->request_text) {
		help_say(t, t->app->request_text);
		return;
	}
	t->overlay = OVERLAY_HELP;
	t->scroll = 0;
}

static void open_find(struct tui *t)
{
	prompt_open(t, PROMPT_FIND, "");
}

/* What stands on the screen is what is edited: a file's text too, which then becomes the sentence. */
static void open_edit(struct tui *t)
{
	const struct setup *const s = &t->app->scene.setup;
	char *text;
	size_t len;
	struct err err;
	const bool typed = !*s->file && !*s->conllu && !*s->tree && !*s->graph;
	if (typed) {
		prompt_open(t, PROMPT_SENTENCE, s->sentence);
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
	prompt_open(t, PROMPT_SENTENCE, text);
}

static void open_command(struct tui *t)
{
	prompt_open(t, PROMPT_COMMAND, t->app->request_text ? t->app->request_text : "");
}

/* Esc goes back one step: out of the presenter's look, out of a zoom and to the first pane, out of
 * a computation. */
static void go_back(struct tui *t)
{
	if (t->app->settings.presenter) {
		t->app->settings.presenter = false;
		tui_react(t, REACT_TERMINAL | REACT_LAYOUT);
		return;
	}
	if (!t->app->zoom && t->app->pane == 0 && tui_cancel(t))
		return;
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
}

static void suspend(struct tui *t)
{
	terminal_suspend(&t->terminal);
}

static void find_step(struct tui *t, int direction)
{
	size_t n;
	schemes_chosen(t, &n);
	if (n > 0)
		t->match = (t->match + n + (size_t)direction) % n;
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
	if (!s) { /* there is nothing to take: what was typed stays to be mended */
		app_say(t->app, "no scheme fits; Esc goes back");
		return;
	}
	snprintf(t->sought, sizeof t->sought, "%s", t->prompt.text);
	prompt_cancel(t);
	pick(t, s);
}

/* Outside of the search: the match after, or before, the scheme that is shown. */
static void find_again(struct tui *t, int direction)
{
	struct arena a;
	size_t n, at = 0;
	arena_init(&a);
	const struct scheme **const found = schemes_found(t->sought, &a, &n);
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
	else if (what == REQUEST_BACK)
		prompt_cancel(t);
	else
		return false;
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

/* What a request means where no mode makes something else of it; NULL: nothing. */
static void (*const answers[REQUEST_COUNT])(struct tui *t) = {
	[REQUEST_HELP] = open_help,	  [REQUEST_COMMAND] = open_command,
	[REQUEST_FIND] = open_find,	  [REQUEST_VIEWS] = views_open,
	[REQUEST_EDIT] = open_edit,	  [REQUEST_PERMUTE] = permute_open,
	[REQUEST_WHY] = why_open,	  [REQUEST_WORDS] = words_open,
	[REQUEST_CANCEL] = cancel,	  [REQUEST_REDRAW] = redraw,
	[REQUEST_SUSPEND] = suspend,	  [REQUEST_BACK] = go_back,
	[REQUEST_MATCH_NEXT] = find_next, [REQUEST_MATCH_PREV] = find_prev,
};

void tui_answer(struct tui *t)
{
	const enum request what = t->app->request;
	t->app->request = REQUEST_NONE;
	if ((t->mode == MODE_PERMUTE && permute_answer(t, what)) ||
	    (t->mode == MODE_FIND && find_answer(t, what)))
		return;
	if (answers[what])
		answers[what](t);
}

/* ---- keys -------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static void overlay_key(struct tui *t, const char *name)
{
	static const char *const leaving[] = {"Esc", "q", "?", "Enter", NULL};
	static const char *const down[] = {"Down", "j", "PgDn", "Space", "Ctrl-d", NULL};
	static const char *const up[] = {"Up", "k", "PgUp", "Ctrl-u", NULL};
	static const char *const far[] = {"PgDn", "PgUp", "Space", "Ctrl-d", "Ctrl-u", NULL};
	const size_t page = t->terminal.rows > 12 ? (size_t)t->terminal.rows - 6 : 4;
	const size_t step = is_one_of(name, far) ? page : 1;
	if (is_one_of(name, leaving))
		t->overlay = OVERLAY_NONE;
	if (strcmp(name, "End") == 0 || strcmp(name, "G") == 0)
		t->scroll = 100000; /* drawing brings it back to the last */
	if (is_one_of(name, down))
		t->scroll += step;
	if (is_one_of(name, up))
		t->scroll -= t->scroll < step ? t->scroll : step;
	if (strcmp(name, "Home") == 0 || strcmp(name, "g") == 0)
		t->scroll = 0;
}

static void bound_key(struct tui *t, const struct key *key)
{
	const struct binding *const b = tui_binding(t, key->name);
	const char *const name = help_key(key->name, t->terminal.ascii);
	if (b && !key->pasted) {
		tui_run_line(t, b->command);
		return;
	}
	if (t->mode == MODE_FIND && prompt_edit(&t->prompt, key))
		t->match = 0;
	else if (t->mode != MODE_FIND && !key->pasted)
		app_say(t->app, "%s does nothing here; ? lists the keys that do",
			text_escape(&t->frame, name, strlen(name)));
}

/* Whatever is open, and whatever the user bound. */
static const char *always(const struct key *key)
{
	static const struct {
		const char *key, *command;
	} rows[] = {{"Ctrl-c", "quit"}, {"Ctrl-z", "suspend"}, {"Ctrl-l", "redraw"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(key->name, rows[i].key) == 0)
			return key->pasted ? NULL : rows[i].command;
	return NULL;
}

void tui_key(struct tui *t, const struct key *key)
{
	const bool mouse = key->mouse.kind != MOUSE_NONE;
	/* A release, or a mouse that only moves, says nothing new. */
	if (!mouse || key->mouse.kind == MOUSE_PRESS || key->mouse.kind == MOUSE_WHEEL)
		t->app->message[0] = '\0';
	const char *const command = always(key);
	if (mouse)
		mouse_event(t, &key->mouse);
	else if (command)
		tui_run_line(t, command);
	else if (drag_cancel(t) && strcmp(key->name, "Esc") == 0)
		tui_dirty(t, 0);
	else if (t->overlay == OVERLAY_VIEWS)
		views_key(t, key->name);
	else if (t->overlay != OVERLAY_NONE)
		overlay_key(t, key->name);
	else if (t->mode == MODE_PROMPT)
		prompt_key(t, key);
	else
		bound_key(t, key);
	if (!t->dirty)
		tui_dirty(t, 0);
}
