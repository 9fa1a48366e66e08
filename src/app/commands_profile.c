/* commands_profile.c: commands of the view Profile: from head to head, and a head opened on the sentence. */
#include <string.h>

#include "app_in.h"
#include "posviz/picture/picture.h"

static const struct direction {
	const char *name;
	int right, up;
} directions[] = {{"left", -1, 0}, {"right", 1, 0}, {"up", 0, 1}, {"down", 0, -1}};

enum { DIRECTIONS = sizeof directions / sizeof *directions };

/* Makes a head that picture_walk() returned, from 1 on, the chosen one; 0: none. */
static void choose(struct app *app, size_t to, size_t heads)
{
	app->scene.chose_head = true;
	if (to > 0 && heads > 0) {
		app->scene.layer = (long)((to - 1) / heads + 1);
		app->scene.head = (long)((to - 1) % heads + 1);
	}
}

void choose_shown_head(struct app *app)
{
	const struct shown *const s = &app->shown;
	if (app->scene.chose_head || !view_of(&app->scene)->walk || !s->picture || !s->scene ||
	    strcmp(s->scene->view, app->scene.view) != 0)
		return;
	struct picture p = *s->picture;
	choose(app, picture_walk(&app->scene, &p, app->pane, 0, 0), p.built.model.config.heads);
}

/* Goes to the next head of the focused panel. */
bool run_walk(struct app *app, const char *args, struct err *err)
{
	const struct shown *const s = &app->shown;
	size_t i = 0;
	while (i < DIRECTIONS && strcmp(args, directions[i].name) != 0)
		i++;
	if (i == DIRECTIONS)
		return command_usage("walk", err);
	if (!view_of(&app->scene)->walk)
		return err_set(err, "walk: view profile has the heads that it goes through");
	if (!s->picture || !s->scene || strcmp(s->scene->view, app->scene.view) != 0)
		return true; /* nothing is shown yet */
	struct picture p = *s->picture;
	const size_t heads = p.built.model.config.heads;
	const size_t to =
		picture_walk(&app->scene, &p, app->pane, directions[i].right, directions[i].up);
	app->series = "head";
	choose(app, to, heads);
	return true;
}

void complete_walk(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (size_t i = 0; i < DIRECTIONS; i++)
		candidates_add(out, directions[i].name);
}

/* Shows the chosen head on the sentence; Esc leads back to where it was opened. */
bool run_open_head(struct app *app, const char *args, struct err *err)
{
	(void)args;
	const char *const from = app->scene.view;
	const size_t pane = app->pane;
	choose_shown_head(app);
	if (!run_view(app, "explore", err))
		return false;
	app->series = NULL;
	app->before_head = from;
	app->before_head_pane = pane;
	return true;
}

bool run_leave_head(struct app *app, const char *args, struct err *err)
{
	(void)args;
	if (!app->before_head)
		return err_set(err, "leave-head: no head was opened; open-head opens one");
	const char *const to = app->before_head;
	const size_t pane = app->before_head_pane;
	if (!run_view(app, to, err))
		return false;
	app->next_pane = pane;
	return true;
}
