/* why.c: "why this cell?": the arithmetic of the cell under the cursor over the figure. */
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
	worker_submit_why(t->worker, &t->app->scene);
	tui_dirty(t, TUI_SETTLE);
}

void why_draw(struct tui *t, struct canvas *c)
{
	static const char *const waiting[] = {"..."};
	if (!t->why)
		draw_overlay(t, c, "Why this cell?", waiting, 1, 0);
	else if (!t->why->ok)
		draw_overlay(t, c, "Why this cell?", (const char *const[]){t->why->err.text}, 1, 0);
	else
		draw_overlay(t, c, "Why this cell?", t->why->lines, t->why->n_lines, 1);
}
