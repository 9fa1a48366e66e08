/* commands_file.c: commands that open and write files.
 *
 * The terminal program writes files in the background; then only the name is checked here. No file
 * is ever overwritten. */
#include <stdlib.h>
#include <string.h>

#include "app_in.h"
#include "posviz/app/format.h"
#include "posviz/base/text.h"

const char *command_path(struct arena *a, const char *text)
{
	const char *const home = getenv("HOME");
	if (text[0] != '~' || text[1] != '/' || !home || *home == '\0')
		return text;
	return arena_printf(a, "%s%s", home, text + 1);
}

static bool read_path(const char *args, struct arena *a, const char **path, struct err *err)
{
	if (!scene_unquote(args, a, path, err))
		return false;
	*path = command_path(a, *path);
	return true;
}

/* Standard input, which may be the keyboard, is refused. */
bool run_open(struct app *app, const char *args, struct err *err)
{
	const char *path;
	if (*args == '\0')
		return command_usage("open", err);
	return read_path(args, app->scratch, &path, err) &&
	       (strcmp(path, "-") != 0 ||
		err_set(err, "open: standard input cannot be opened here; name a file")) &&
	       app_open(app, path, err);
}

/* The terminal program records, because it knows all that is done. */
bool run_record(struct app *app, const char *args, struct err *err)
{
	const char *path;
	if (*args == '\0')
		return command_request(app, REQUEST_RECORD, NULL);
	return read_path(args, app->scratch, &path, err) &&
	       (*path || err_set(err, "record: the name is empty; record x.tour would be right")) &&
	       command_request(app, REQUEST_RECORD, scene_intern(path));
}

void complete_record(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	candidates_add(out, "off");
}

static struct write_look look_of(const struct settings *s)
{
	return (struct write_look){.cols = 120,
				   .rows = 36,
				   .tier = s->color > 0 ? (enum tier)(s->color - 1) : TIER_DIRECT,
				   .ascii = s->glyphs == GLYPHS_ASCII,
				   .quadrants = s->glyphs == GLYPHS_QUADRANTS};
}

static bool write_now(struct app *app, const char *path, struct err *err)
{
	const struct write_look look = look_of(&app->settings);
	const struct scene seen = app_seen(app);
	const char *said;
	if (!write_scene(&seen, path, &look, NULL, NULL, app->scratch, &said, err))
		return false;
	app_say(app, "%s", said);
	return true;
}

static bool write_to(struct app *app, const char *path, struct err *err)
{
	if (!write_check(path, err))
		return false;
	/* The next line of a script may change the scene, so the scene is kept too. If the queue is
	 * full, the file is written at once. */
	if (!app->background || (app->opening > 0 && app->n_later == APP_WRITES))
		return write_now(app, path, err);
	if (app->opening > 0)
		app->later[app->n_later++] = (struct later){app->scene, scene_intern(path)};
	else
		app->write = scene_intern(path);
	app->reactions |= REACT_WRITE;
	return true;
}

/* Writes files for `snapshot` and `export`, whose names end like a format with all of `bits`;
 * `usual` is the default name. */
static bool write_as(struct app *app, const char *command, const char *args, const char *usual,
		     unsigned bits, const char *others, struct err *err)
{
	const char *path, *format;
	if (!read_path(args, app->scratch, &path, err))
		return false;
	if (*path == '\0')
		path = usual;
	if (*path && !(format = write_format(path, err)))
		return false;
	if (*path && !format_bears(format, bits))
		return err_set(err, "%s: a name ends in %s (\"save\" writes %s), %s does not",
			       command, format_words(bits, ".", ", ", " or ", app->scratch), others,
			       text_quote(app->scratch, path, strlen(path)));
	return write_to(app, path, err);
}

bool run_snapshot(struct app *app, const char *args, struct err *err)
{
	return write_as(app, "snapshot", args, "", FORMAT_SNAPSHOT, "every format", err);
}

bool run_export(struct app *app, const char *args, struct err *err)
{
	return write_as(app, "export", args, "posviz-NNN.safetensors", FORMAT_NUMBERS, "pictures",
			err);
}

bool run_save(struct app *app, const char *args, struct err *err)
{
	const char *path;
	if (*args == '\0')
		return err_set(err, "save: give FILE; its ending is the format: %s",
			       write_formats(app->scratch));
	return read_path(args, app->scratch, &path, err) &&
	       (*path || err_set(err, "save: the name is empty; save x.png would be right")) &&
	       write_to(app, path, err);
}
