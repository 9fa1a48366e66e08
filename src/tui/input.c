/* input.c: what a key does: a row of the table of keys, or a letter of the line being edited; and
 * the requests that commands leave for the terminal program. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

const char *tui_context(const struct tui *t)
{
	if (t->mode == MODE_PERMUTE)
		return "permute";
	if (t->mode == MODE_FIND)
		return "find";
	if (!t->picture)
		return "";
	const struct figure *const f = &t->picture->picture.figure;
	if (t->app->pane >= f->n)
		return layout_has_list(t) ? "schemes" : "matrix";
	switch (f->panels[t->app->pane].kind) {
	case PANEL_HEATMAP:
		return "matrix";
	case PANEL_CARD:
		return "card";
	case PANEL_CURVES:
	case PANEL_BARS:
	case PANEL_TABLE:
		break;
	}
	return "";
}

/* ---- requests ---------------------------------------------------------------------------- */

static void open_help(struct tui *t)
{
	t->overlay = OVERLAY_HELP;
	t->scroll = 0;
}

static void open_find(struct tui *t)
{
	prompt_open(t, PROMPT_FIND, "");
}

static void open_edit(struct tui *t)
{
	prompt_open(t, PROMPT_SENTENCE, t->app->scene.setup.sentence);
}

static void open_command(struct tui *t)
{
	prompt_open(t, PROMPT_COMMAND, t->app->ask_text ? t->app->ask_text : "");
}

/* Esc goes back one step: out of a zoom, to the first pane. */
static void go_back(struct tui *t)
{
	t->app->zoom = false;
	t->app->pane = 0;
	tui_react(t, REACT_LAYOUT);
}

static void redraw(struct tui *t)
{
	terminal_resize(&t->terminal, true);
}

static void suspend(struct tui *t)
{
	terminal_suspend(&t->terminal);
}

static const struct {
	const char *name;
	void (*open)(struct tui *t);
} requests[] = {
	{"help", open_help}, {"find", open_find},	{"edit", open_edit},
	{"why", why_open},   {"command", open_command}, {"permute", permute_open},
	{"redraw", redraw},  {"suspend", suspend},	{"back", go_back},
};

static void find_step(struct tui *t, int direction)
{
	size_t n;
	schemes_found(t, &n);
	if (n > 0)
		t->match = (t->match + n + (size_t)direction) % n;
}

static void find_accept(struct tui *t)
{
	size_t n;
	const struct scheme *const s = schemes_found(t, &n);
	char line[128];
	prompt_cancel(t);
	if (!s)
		return;
	snprintf(line, sizeof line, "pick %s", s->id);
	tui_run_line(t, line);
}

/* Requests that mean something else, or only something, in a mode. */
static bool mode_request(struct tui *t, const char *what)
{
	if (t->mode == MODE_PERMUTE)
		return permute_request(t, what);
	if (t->mode != MODE_FIND)
		return false;
	if (strcmp(what, "match-next") == 0)
		find_step(t, 1);
	else if (strcmp(what, "match-prev") == 0)
		find_step(t, -1);
	else if (strcmp(what, "accept") == 0)
		find_accept(t);
	else if (strcmp(what, "back") == 0)
		prompt_cancel(t);
	else
		return false;
	return true;
}

static void answer(struct tui *t)
{
	const char *const what = t->app->ask;
	t->app->ask = NULL;
	if (!what || mode_request(t, what))
		return;
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (strcmp(requests[i].name, what) == 0)
			requests[i].open(t);
}

/* ---- keys -------------------------------------------------------------------------------- */

static void overlay_key(struct tui *t, const char *name)
{
	static const char *const leaving[] = {"Esc", "q", "?", "Enter"};
	enum { PAGE = 10 };
	for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++)
		if (strcmp(name, leaving[i]) == 0)
			t->overlay = OVERLAY_NONE;
	const size_t step =
		strcmp(name, "PgDn") == 0 || strcmp(name, "PgUp") == 0 || strcmp(name, "Space") == 0
			? PAGE
			: 1;
	if (strcmp(name, "Down") == 0 || strcmp(name, "j") == 0 || strcmp(name, "PgDn") == 0 ||
	    strcmp(name, "Space") == 0)
		t->scroll += step;
	if (strcmp(name, "Up") == 0 || strcmp(name, "k") == 0 || strcmp(name, "PgUp") == 0)
		t->scroll -= t->scroll < step ? t->scroll : step;
}

static void bound_key(struct tui *t, const struct key *key)
{
	const struct binding *const b = binding_find(tui_context(t), key->name);
	if (b && !key->pasted) {
		tui_run_line(t, b->command);
		answer(t);
		return;
	}
	if (t->mode == MODE_FIND && prompt_edit(&t->prompt, key))
		t->match = schemes_best(t);
}

static bool works_always(const struct key *key)
{
	static const char *const names[] = {"Ctrl-c", "Ctrl-z", "Ctrl-l"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(key->name, names[i]) == 0)
			return !key->pasted;
	return false;
}

void tui_key(struct tui *t, const struct key *key)
{
	t->app->message[0] = '\0';
	if (works_always(key))
		tui_run_line(t, binding_find("", key->name)->command);
	else if (t->overlay != OVERLAY_NONE)
		overlay_key(t, key->name);
	else if (t->mode == MODE_PROMPT)
		prompt_key(t, key);
	else
		bound_key(t, key);
	answer(t);
	if (!t->dirty)
		tui_dirty(t, 0);
}
