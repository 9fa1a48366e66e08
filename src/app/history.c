/* history.c: undo and redo as two stacks of scenes.
 *
 * A scene is a value, so an entry is a copy of it. Any change of the results or their appearance
 * counts, also a change of the view, but not of the cell cursor. Steps of one series (repeated
 * steps of a parameter, or of the view) are one entry; the key of the last entry identifies the
 * series. */
#include <string.h>

#include "app_in.h"

const char app_no_entry[] = "";

static void push(struct app *app, struct scene **stack, size_t *n, size_t *cap,
		 const struct scene *scene)
{
	*stack = arena_grow(&app->arena, *stack, *n, cap, sizeof **stack);
	(*stack)[(*n)++] = *scene;
}

/* Makes the scene before a change the next to return to; undone changes can no longer be redone. */
static void add_entry(struct app *app, const struct scene *before)
{
	app->n_redo = 0;
	push(app, &app->undo, &app->n_undo, &app->cap_undo, before);
}

/* True if the scenes differ in more than the cursor. */
static bool differs(const struct scene *a, const struct scene *b)
{
	struct scene still = *a;
	still.row = b->row;
	still.col = b->col;
	return !scene_equal(&still, b);
}

void history_add(struct app *app, const struct scene *before)
{
	if (app->series == app_no_entry || !differs(before, &app->scene))
		return;
	const char *const key = app->series ? scene_intern(app->series) : NULL;
	const bool goes_on = key && key == app->undo_key && app->n_undo > 0;
	app->undo_key = key;
	if (!goes_on) {
		add_entry(app, before);
	} else if (!differs(&app->undo[app->n_undo - 1], &app->scene)) {
		/* A series that is back at its start is no change. */
		app->n_undo--;
		app->undo_key = NULL;
	}
}

void app_remember(struct app *app)
{
	add_entry(app, &app->scene);
}

bool history_step(struct app *app, bool back)
{
	if ((back ? app->n_undo : app->n_redo) == 0)
		return false;
	if (back)
		push(app, &app->redo, &app->n_redo, &app->cap_redo, &app->scene);
	else
		push(app, &app->undo, &app->n_undo, &app->cap_undo, &app->scene);
	app->scene = back ? app->undo[--app->n_undo] : app->redo[--app->n_redo];
	app->undo_key = NULL;
	return true;
}
