/* commands_app.c: commands for history, and requests to the terminal program. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/asset.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { VALUE_COLS = 40, MOST_NAMED = 3 };

/* Reports the fields that changed, because a change can be easy to miss on a screen of pictures. */
static void say_change(struct app *app, const char *what, const struct scene *before)
{
	struct arena *const a = app->scratch;
	struct strbuf b;
	struct scene still = *before; /* except the cursor */
	size_t n = 0;
	still.row = app->scene.row;
	still.col = app->scene.col;
	strbuf_init(&b, a);
	for (const struct field *f = scene_fields; f->name; f++) {
		const char *const value = scene_get(&app->scene, f, a);
		if (strcmp(value, scene_get(&still, f, a)) == 0 || n++ >= MOST_NAMED)
			continue;
		const char *const shown = text_escape(a, value, strlen(value));
		strbuf_printf(&b, "%s%s %s", n > 1 ? ", " : "", f->name,
			      *shown ? text_shorten(a, shown, VALUE_COLS, true) : "none");
	}
	app_say(app, "%s: %s%s", what, b.len > 0 ? b.at : "the cell",
		n > MOST_NAMED ? ", ..." : "");
}

bool run_history(struct app *app, const char *args, struct err *err)
{
	const struct scene before = app->scene;
	const bool back = command_direction(args) < 0;
	app->series = app_no_entry;
	if (!history_step(app, back))
		return err_set(err, back ? "there is nothing to take back"
					 : "there is nothing to do again");
	say_change(app, back ? "taken back" : "done again", &before);
	return true;
}

bool run_reset(struct app *app, const char *args, struct err *err)
{
	(void)args, (void)err;
	const long row = app->scene.row, col = app->scene.col;
	scene_init(&app->scene);
	/* The cursor is a point of view and not part of the content. */
	app->scene.row = row;
	app->scene.col = col;
	return true;
}

bool run_quit(struct app *app, const char *args, struct err *err)
{
	(void)app, (void)args, (void)err;
	app->reactions |= REACT_QUIT;
	return true;
}

/* The files between sessions are unknown in this folder. */
bool run_save_config(struct app *app, const char *args, struct err *err)
{
	(void)args;
	return app->save_settings
		       ? app->save_settings(app, err)
		       : err_set(err, "the settings are saved from the terminal program only");
}

/* ---- requests ---------------------------------------------------------------------------- */

bool command_request(struct app *app, enum request request, const char *text)
{
	app->request = request;
	app->request_text = text;
	return true;
}

bool run_tour(struct app *app, const char *args, struct err *err)
{
	const char *name;
	if (!scene_unquote(args, app->scratch, &name, err))
		return false;
	name = command_path(app->scratch, name);
	return command_request(app, REQUEST_TOUR, *name ? scene_intern(name) : NULL);
}

/* Adds the built-in tours; files are completed as for `open`. */
void complete_tour(const struct app *app, const char *args, struct candidates *out)
{
	static const char folder[] = "tours/";
	for (const struct asset *at = assets; at->path; at++) {
		const char *const name = at->path + sizeof folder - 1;
		const char *const dot = strchr(at->path, '.');
		if (dot && strncmp(at->path, folder, sizeof folder - 1) == 0)
			candidates_add(out, arena_strndup(out->arena, name, (size_t)(dot - name)));
	}
	if (*args)
		complete_open(app, args, out);
}

bool run_quiz(struct app *app, const char *args, struct err *err)
{
	(void)err;
	return command_request(app, REQUEST_QUIZ, scene_intern(args));
}

void complete_quiz(const struct app *app, const char *args, struct candidates *out)
{
	static const char *const levels[] = {"families", "schemes", "relatives", "variants",
					     "structures"};
	(void)app;
	(void)args;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		candidates_add(out, levels[i]);
}

bool run_quiz_answer(struct app *app, const char *args, struct err *err)
{
	if (strlen(args) != 1 || *args < 'a' || *args > 'd')
		return err_set(err, "quiz-answer: an answer is one of a, b, c, d");
	return command_request(app, REQUEST_QUIZ_ANSWER, scene_intern(args));
}

bool run_command_prompt(struct app *app, const char *args, struct err *err)
{
	(void)err;
	const char *const line = *args ? arena_printf(&app->arena, "%s ", args) : "";
	return command_request(app, REQUEST_COMMAND, scene_intern(line));
}

/* Shows the meaning and range of the parameter while a value is typed. */
static void say_param(struct app *app, const struct param *p)
{
	const bool number = value_is_number(&p->type);
	app_say(app, "%s: %s%s%s", p->name, p->help, number ? ", " : "",
		number ? value_range(&p->type, app->scratch) : "");
}

/* With a value the same as `param` for the parameter that + and - change. */
bool run_value_prompt(struct app *app, const char *args, struct err *err)
{
	struct arena *const a = app->scratch;
	const struct param *p;
	const char *const now = app_chosen_value(app, a, &p, err);
	if (!now)
		return false;
	if (*args != '\0')
		return run_param(app, arena_printf(a, "%s %s", p->name, args), err);
	/* A number is typed anew, a text is edited. */
	const char *const line =
		arena_printf(a, "param %s %s", p->name, value_has_steps(&p->type) ? "" : now);
	say_param(app, p);
	return command_request(app, REQUEST_COMMAND, scene_intern(line));
}

/* The keys that work depend on the pane, which is unknown here. */
bool run_topic(struct app *app, const char *args, struct err *err)
{
	long number;
	if (command_direction(args) == 0 &&
	    !num_parse_long(args, strlen(args), 1, TOPICS_NUMBERED, &number, err))
		return err_prefix(err, "topic: ");
	const char *const which = command_direction(args) > 0	? "next"
				  : command_direction(args) < 0 ? "prev"
								: args;
	return command_request(app, REQUEST_TOPIC, scene_intern(which));
}

bool run_help(struct app *app, const char *args, struct err *err)
{
	const struct help_topic *topics;
	size_t n;
	return (*args == '\0' || topics_find(app, args, app->scratch, &topics, &n, err)) &&
	       command_request(app, REQUEST_HELP, *args ? scene_intern(args) : NULL);
}
