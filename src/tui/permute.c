/* permute.c: moving tokens by hand: the row of tokens, one under the cursor, perhaps lifted.
 *
 * Every step of a lifted token is a command and its picture is shown; the steps of one lift are one
 * entry of the history. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

/* Labels of the tokens as they are ordered now; false when they cannot be read. */
static bool read_tokens(const struct tui *t, struct arena *a, const char ***labels, size_t *n)
{
	size_t *order;
	struct input in;
	struct err err;
	if (!app_order(t->app, a, &order, n, &in, &err))
		return false;
	const char **const by_place = arena_calloc(a, *n, sizeof *by_place);
	for (size_t i = 0; i < in.n; i++)
		if (!in.tokens[i].special && in.tokens[i].place < *n)
			by_place[in.tokens[i].place] = in.tokens[i].label;
	*labels = arena_calloc(a, *n, sizeof **labels);
	for (size_t i = 0; i < *n; i++)
		(*labels)[i] = by_place[order[i]] ? by_place[order[i]] : "";
	return true;
}

void permute_open(struct tui *t)
{
	t->mode = MODE_PERMUTE;
	t->permute = (struct permute){0};
	t->app->undo_key = NULL;
	tui_dirty(t, 0);
}

static void go_to(struct tui *t, size_t to, size_t n)
{
	struct permute *const p = &t->permute;
	if (to >= n || to == p->token)
		return;
	char line[64];
	snprintf(line, sizeof line, "move %zu %zu", p->token + 1, to + 1);
	if (!p->lifted || tui_run_line(t, line))
		p->token = to;
}

/* A lifted token goes back where it was; without one, the mode ends. */
static void back(struct tui *t)
{
	struct permute *const p = &t->permute;
	if (!p->lifted) {
		t->mode = MODE_LOOK;
		return;
	}
	p->lifted = false;
	if (!scene_equal(&t->app->scene, &p->before))
		tui_run_line(t, "undo");
	t->app->undo_key = NULL;
}

static void lift(struct tui *t)
{
	struct permute *const p = &t->permute;
	p->lifted = !p->lifted;
	p->before = t->app->scene;
	t->app->undo_key = NULL;
}

bool permute_request(struct tui *t, const char *what)
{
	struct arena a;
	const char **labels;
	size_t n = 0;
	arena_init(&a);
	const size_t at = t->permute.token;
	bool mine = true;
	if (strcmp(what, "back") == 0)
		back(t);
	else if (!read_tokens(t, &a, &labels, &n))
		mine = false;
	else if (strcmp(what, "lift") == 0)
		lift(t);
	else if (strcmp(what, "token-left") == 0)
		go_to(t, at > 0 ? at - 1 : 0, n);
	else if (strcmp(what, "token-right") == 0)
		go_to(t, at + 1, n);
	else if (strcmp(what, "token-first") == 0)
		go_to(t, 0, n);
	else if (strcmp(what, "token-last") == 0)
		go_to(t, n - 1, n);
	else
		mine = false;
	arena_release(&a);
	tui_dirty(t, t->dirty ? TUI_SETTLE : 0);
	return mine;
}

/* The first token to show, so that the one under the cursor and, where there is room, the one after
 * it are seen. */
static size_t first_shown(const char *const *labels, size_t n, size_t at, int cols)
{
	size_t first = at;
	int used = (int)text_width(labels[at]) + 2;
	if (at + 1 < n)
		used += (int)text_width(labels[at + 1]) + 2;
	while (first > 0) {
		used += (int)text_width(labels[first - 1]) + 2;
		if (used > cols - 4)
			break;
		first--;
	}
	return first;
}

void permute_draw(struct tui *t, struct canvas *c, int row, int col, int cols)
{
	struct arena *const a = &t->frame;
	struct permute *const p = &t->permute;
	const char **labels;
	size_t n;
	if (!read_tokens(t, a, &labels, &n) || n == 0)
		return;
	p->token = p->token < n ? p->token : n - 1;
	const bool ascii = t->terminal.ascii;
	const size_t first = first_shown(labels, n, p->token, cols);
	const int right = col + cols;
	if (first > 0)
		col += canvas_text(c, row, col, 2, ascii ? "~ " : "… ", ATTR_DIM);
	for (size_t i = first; i < n; i++) {
		const bool here = i == p->token;
		const unsigned look = !here	  ? 0
				      : p->lifted ? ATTR_ACCENT | ATTR_BOLD | ATTR_REVERSE
						  : ATTR_REVERSE;
		const char *const label =
			text_shorten(a, labels[i], (size_t)(cols > 8 ? cols - 6 : 2), ascii);
		if (col + (int)text_width(label) + 2 > right) {
			canvas_text(c, row, col, right - col, ascii ? "~" : "…", ATTR_DIM);
			return;
		}
		const char *const form = here && p->lifted ? "[%s]" : " %s ";
		char *const text = arena_alloc(a, strlen(label) + 3);
		snprintf(text, strlen(label) + 3, form, label);
		col += canvas_text(c, row, col, right - col, text, look);
	}
}
