/* why.c: "why this cell?": the arithmetic of the cell under the cursor over the figure. */
#include <string.h>

#include "tui_in.h"

void why_open(struct tui *t)
{
	if (!t->picture || t->app->scene.row < 1 || t->app->scene.col < 1) {
		app_say(t->app, "no cell is chosen: the arrows choose one");
		return;
	}
	t->overlay = OVERLAY_WHY;
	t->scroll = 0;
	t->why = NULL;
	const struct scene scene = app_focused(t->app);
	worker_submit_why(t->worker, &scene);
	tui_dirty(t, TUI_SETTLE);
}

void why_draw(struct tui *t, struct canvas *c)
{
	static const char *const waiting[] = {"..."};
	const char *const error[] = {t->why ? t->why->err.text : ""};
	const bool bold[256] = {true};
	struct overlay_text text = {.title = "Why this cell?", .lines = waiting, .n = 1};
	/* Of several one is explained. */
	if (t->why && view_of(&t->why->scene)->compare) {
		const char *const scheme = t->why->scene.setup.scheme;
		text.title = arena_printf(&t->frame, "Why this cell? %s",
					  text_escape(&t->frame, scheme, strlen(scheme)));
	}
	if (t->why && t->why->ok) {
		text.lines = t->why->lines;
		text.n = t->why->n_lines;
		text.bold = text.n <= sizeof bold ? bold : NULL;
	} else if (t->why) {
		text.lines = error;
	}
	draw_overlay(t, c, &text);
}
