/* views_menu.c: the menu of all views, with the question that each answers: walked with the arrows, and
 * filtered by what is typed. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

enum { MOST = 64 };

/* The views that the menu shows: all, or those whose name or question has what was typed. */
struct listed {
	const struct view *at[MOST];
	size_t n;
};

static struct listed listed(const struct tui *t)
{
	struct listed out = {.n = 0};
	const char *const typed = t->menu.text;
	for (size_t i = 0; views[i]; i++) {
		BUG_IF(i >= MOST);
		if (!typed[0] || text_find(views[i]->title, typed) ||
		    text_find(views[i]->name, typed) || text_find(views[i]->help, typed))
			out.at[out.n++] = views[i];
	}
	return out;
}

static bool begins(const char *text, const char *with)
{
	return text_find(text, with) == text;
}

/* The row that Enter takes at first: the view whose name begins with what was typed, else one whose name
 * has it. */
static size_t best(const struct tui *t, const struct listed *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (begins(r->at[i]->title, t->menu.text))
			return i;
	for (size_t i = 0; i < r->n; i++)
		if (text_find(r->at[i]->title, t->menu.text))
			return i;
	return 0;
}

void views_open(struct tui *t)
{
	const struct view *const now = view_find(t->app->scene.view);
	t->overlay = OVERLAY_VIEWS;
	t->menu = (struct views_menu){0};
	t->scroll = now ? view_index(now) : 0;
}

void views_choose(struct tui *t, size_t i)
{
	const struct listed r = listed(t);
	if (i >= r.n) /* what was typed stays to be mended */
		return;
	t->overlay = OVERLAY_NONE;
	t->menu.typing = false;
	tui_run_line(t, arena_printf(&t->frame, "view %s", r.at[i]->name));
}

/* ---- what is typed ----------------------------------------------------------------------- */

void views_filter(struct tui *t)
{
	prompt_clear(t);
	t->menu.typing = true;
}

void views_sought(struct tui *t)
{
	snprintf(t->menu.text, sizeof t->menu.text, "%.*s", (int)sizeof t->menu.text - 1,
		 t->prompt.text);
	const struct listed r = listed(t);
	t->scroll = best(t, &r);
}

/* Esc takes what was typed away; so does Backspace, with its first letter. */
static bool answer_typed(struct tui *t, enum request what)
{
	if (what == REQUEST_BACK)
		prompt_clear(t);
	else if (!prompt_edit(t, what))
		return false;
	t->menu.typing = t->prompt.len > 0;
	views_sought(t);
	if (!t->menu.typing)
		views_open(t);
	return true;
}

bool views_answer(struct tui *t, enum request what)
{
	const size_t n = listed(t).n;
	if (what == REQUEST_ACCEPT)
		views_choose(t, t->scroll);
	else if (what == REQUEST_SCROLL_DOWN || what == REQUEST_SCROLL_UP)
		t->scroll =
			n == 0 ? 0 : (t->scroll + n + (what == REQUEST_SCROLL_DOWN ? 1 : -1)) % n;
	else if (what == REQUEST_SCROLL_TOP || what == REQUEST_SCROLL_BOTTOM)
		t->scroll = what == REQUEST_SCROLL_TOP || n == 0 ? 0 : n - 1;
	else if (t->menu.typing)
		return answer_typed(t, what);
	else if (what == REQUEST_BACK)
		t->overlay = OVERLAY_NONE;
	else
		return false;
	return true;
}

bool views_typed(const struct tui *t, const struct key *key)
{
	return overlays[t->overlay].mode == MODE_MENU && t->overlay != OVERLAY_NONE &&
	       !t->menu.typing && key->text[0] && strcmp(key->text, " ") != 0;
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* Tells whether a command line opens a view: by name, by number, or as a command of its own. */
static bool opens(const char *line, const struct view *v, struct arena *a)
{
	return strcmp(line, v->name) == 0 ||
	       strcmp(line, arena_printf(a, "view %s", v->name)) == 0 ||
	       strcmp(line, arena_printf(a, "view %zu", view_index(v) + 1)) == 0;
}

/* The key that leads to a view from where the focus is; "" for none. */
static const char *key_of(const struct tui *t, const struct view *v, struct arena *a)
{
	const struct binding *b;
	const char *const context = tui_context(t);
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (opens(b->command, v, a) && tui_binding_in(t, context, b->key) == b)
			return help_key(b->key, t->terminal.ascii);
	return "";
}

static int widest(const char *const *texts, size_t n)
{
	int wide = 0;
	for (size_t i = 0; i < n; i++) {
		const int cols = (int)text_width(texts[i]);
		wide = cols > wide ? cols : wide;
	}
	return wide;
}

void views_draw(struct tui *t, struct canvas *c)
{
	struct arena *const a = &t->frame;
	const struct listed r = listed(t);
	const char *lines[MOST], *keys[MOST], *names[MOST], *helps[MOST];
	for (size_t i = 0; views[i]; i++) {
		names[i] = views[i]->title;
		helps[i] = views[i]->help;
		keys[i] = key_of(t, views[i], a);
	}
	const int key = widest(keys, view_count()), name = widest(names, view_count());
	const int help = widest(helps, view_count()); /* so that the box keeps its width */
	for (size_t i = 0; i < r.n; i++) {
		const struct view *const v = r.at[i];
		const char *const pressed = keys[view_index(v)];
		lines[i] = arena_printf(a, "%s%*s %s%*s  %s%*s", pressed,
					key - (int)text_width(pressed), "", v->title,
					name - (int)text_width(v->title), "", v->help,
					help - (int)text_width(v->help), "");
	}
	if (r.n == 0)
		lines[0] = "no view has these letters; Esc shows all";
	const char *const title =
		t->menu.typing ? arena_printf(a, "Views: %zu of %zu", r.n, view_count()) : "Views";
	const struct overlay_text text = {
		.title = title, .lines = lines, .n = r.n ? r.n : 1, .menu = true};
	draw_overlay(t, c, &text);
}
