/* commands_app.c: history, snapshots, and what is asked of the terminal program.
 *
 * A request leaves its name in app->ask; who has a screen does it, everybody else ignores it. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app_in.h"
#include "posviz/file.h"
#include "posviz/snapshot.h"
#include "posviz/text.h"
#include "posviz/view.h"

bool run_undo(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)reactions;
	app->series = app_no_entry;
	return history_undo(app) || err_set(err, "there is nothing to take back");
}

bool run_redo(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)reactions;
	app->series = app_no_entry;
	return history_redo(app) || err_set(err, "there is nothing to do again");
}

bool run_reset(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)reactions, (void)err;
	scene_init(&app->scene);
	return true;
}

bool run_quit(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)app, (void)args, (void)err;
	*reactions |= REACT_QUIT;
	return true;
}

/* ---- snapshots --------------------------------------------------------------------------- */

/* The figure as it goes on paper: of the numbers on the screen when they are of this scene. */
static bool paper_figure(struct app *app, struct arena *a, struct picture *p, struct err *err)
{
	const struct shown *const s = &app->shown;
	const bool dark = app->scene.theme == THEME_DARK;
	if (!s->picture || !s->scene || !app_same_numbers(s->scene, &app->scene))
		return picture_make(&app->scene, NULL, false, dark, NULL, NULL, a, p, err);
	*p = *s->picture;
	return picture_redraw(&app->scene, s->measures, false, dark, a, p, err);
}

/* posviz-001.png and on: the first that is not there yet. */
static bool next_name(struct arena *a, const char **name, struct err *err)
{
	for (int i = 1; i < 10000; i++) {
		*name = arena_printf(a, "posviz-%03d.png", i);
		if (!file_exists(*name))
			return true;
	}
	return err_set(err, "posviz-001.png to posviz-9999.png are all there; name a file");
}

/* A file that the user names: PNG, and not there yet; nothing is overwritten from here. */
static bool check_name_given(const char *path, struct arena *a, struct err *err)
{
	const char *const shown = text_quote(a, path, strlen(path));
	const char *const dot = strrchr(path, '.');
	if (!dot || strcasecmp(dot, ".png") != 0)
		return err_set(err,
			       "snapshot: the name must end in .png, %s does not; "
			       "\"posviz render\" writes other formats",
			       shown);
	if (file_exists(path))
		return err_set(err, "%s exists already; give another name, or none for a number",
			       shown);
	return true;
}

static bool write_snapshot(struct app *app, const char *path, struct arena *a, struct err *err)
{
	struct picture p;
	char *data;
	size_t len;
	struct raster_report report = {0};
	if (!(*path ? check_name_given(path, a, err) : next_name(a, &path, err)) ||
	    !paper_figure(app, a, &p, err) ||
	    !snapshot_png(&app->scene, &p.figure, a, &data, &len, &report, err) ||
	    !file_write(path, data, len, false, err))
		return false;
	const char *const shown = text_escape(a, path, strlen(path));
	if (report.missing_glyphs > 0)
		app_say(app, "wrote %s; no font has %zu of its glyphs", shown,
			report.missing_glyphs);
	else
		app_say(app, "wrote %s", shown);
	return true;
}

bool run_snapshot(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	struct arena a;
	const char *path;
	arena_init(&a);
	const bool ok = command_unquote(args, &a, &path, err) && write_snapshot(app, path, &a, err);
	arena_release(&a);
	*reactions |= REACT_DRAW;
	return ok;
}

/* ---- requests ---------------------------------------------------------------------------- */

static bool ask(struct app *app, const char *what, const char *text, unsigned *reactions)
{
	app->ask = what;
	app->ask_text = text;
	*reactions |= REACT_DRAW;
	return true;
}

bool run_add_prompt(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)err;
	return ask(app, "command", "add ", reactions);
}

bool run_value_prompt(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args;
	const struct scheme *const s = menu_current(&app->scene);
	size_t n = 0;
	while (s && s->params && s->params[n].name)
		n++;
	if (n == 0)
		return err_set(err, "%s has no parameters", s ? s->id : "this");
	const struct param *const p = &s->params[app->param < n ? app->param : 0];
	const char *const line = arena_printf(&app->arena, "param %s ", p->name);
	return ask(app, "command", scene_intern(line), reactions);
}

#define REQUEST(name, word)                                                                \
	bool name(struct app *app, const char *args, unsigned *reactions, struct err *err) \
	{                                                                                  \
		(void)args, (void)err;                                                     \
		return ask(app, word, NULL, reactions);                                    \
	}

REQUEST(ask_help, "help")
REQUEST(ask_find, "find")
REQUEST(ask_edit, "edit")
REQUEST(ask_permute, "permute")
REQUEST(ask_why, "why")
REQUEST(ask_command, "command")
REQUEST(ask_back, "back")
REQUEST(ask_accept, "accept")
REQUEST(ask_match_next, "match-next")
REQUEST(ask_match_prev, "match-prev")
REQUEST(ask_redraw, "redraw")
REQUEST(ask_suspend, "suspend")
REQUEST(ask_lift, "lift")
REQUEST(ask_left, "token-left")
REQUEST(ask_right, "token-right")
REQUEST(ask_first, "token-first")
REQUEST(ask_last, "token-last")
