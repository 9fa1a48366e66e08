/* state.c: data kept between sessions: the last scene, the typed commands, and the user's
 * configuration.
 *
 * No data of the user are lost here: files are replaced whole or not at all, a scene that cannot be
 * read is renamed, several programs add to one history, and writing the settings leaves every other
 * line of the configuration unchanged. No mistake in these files prevents the program from
 * starting: a warning names the line.
 *
 * The last scene is restored first, then the configuration runs: thus its lines always take
 * effect. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/app/places.h"
#include "posviz/base/portable.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/learn/runs.h"
#include "posviz/picture/picture.h"

enum { CONFIG_LIMIT = 16 << 20, SCENE_LIMIT = 16 << 20, WARNINGS = 20, ASIDE = 99 };
enum { HISTORY_MOST = 256 << 10, HISTORY_KEEP = 128 << 10 };

static const char *file_in(struct arena *a, const char *dir, const char *name)
{
	return dir ? arena_printf(a, "%s/%s", dir, name) : NULL;
}

const char *state_config_dir(struct arena *a)
{
	return places_config(a);
}

const char *state_dir(struct arena *a)
{
	return places_state(a);
}

static const char *shown(struct arena *a, const char *path)
{
	return text_escape(a, path, strlen(path));
}

/* ---- reading --------------------------------------------------------------------------------- */

enum found { FOUND_NOTHING, FOUND_FILE, FOUND_TROUBLE };

/* Reads one of the program's files, which may be absent; a file that could block for ever is not
 * opened. */
static enum found read_own(const char *path, size_t limit, struct arena *a, char **data,
			   size_t *len, struct err *err)
{
	struct stat st;
	if (!path)
		return FOUND_NOTHING;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		err_set(err, "%s is no regular file", text_quote(a, path, strlen(path)));
		return FOUND_TROUBLE;
	}
	if (lstat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return FOUND_NOTHING;
	return file_read(path, limit, a, data, len, err) ? FOUND_FILE : FOUND_TROUBLE;
}

struct lines {
	char *at, *end;
};

/* Returns the next line without its end, and its length, which a NUL byte does not shorten; NULL
 * after the last. */
static char *next_line(struct lines *l, size_t *len)
{
	if (l->at == l->end)
		return NULL;
	char *const line = l->at;
	char *const stop = memchr(line, '\n', (size_t)(l->end - line));
	char *end = stop ? stop : l->end;
	l->at = stop ? stop + 1 : l->end;
	if (end > line && end[-1] == '\r')
		end--;
	*end = '\0'; /* file_read left room after the last line */
	*len = (size_t)(end - line);
	return line;
}

static struct lines lines_of(char *data, size_t len)
{
	/* Byte-order mark, which some editors write before UTF-8. */
	static const char mark[] = "\xEF\xBB\xBF";
	const bool marked = len >= 3 && memcmp(data, mark, 3) == 0;
	return (struct lines){data + (marked ? 3 : 0), data + len};
}

/* ---- the last scene -------------------------------------------------------------------------- */

static bool read_scene(struct scene *scene, const char *data, size_t len, struct err *err)
{
	struct scene made;
	if (strlen(data) != len)
		return err_set(err, "it holds a NUL byte");
	if (!scene_parse(&made, data, err) || !view_names_known(&made, err))
		return false;
	*scene = made;
	return true;
}

/* Renames the file to the first free name of scene.old, scene.old.2 ...; returns that name, or
 * NULL. */
static const char *set_aside(struct arena *a, const char *path)
{
	for (int i = 1; i <= ASIDE; i++) {
		const char *const name = i == 1 ? arena_printf(a, "%s.old", path)
						: arena_printf(a, "%s.old.%d", path, i);
		const int code = portable_rename_new(path, name);
		if (code != EEXIST)
			return code == 0 ? name : NULL;
	}
	return NULL;
}

/* Reads the last scene; a file that holds no scene is renamed, so that it is not overwritten.
 * Returns false if there is no scene. */
static bool last_scene(struct arena *a, const char *path, struct scene *scene)
{
	char *data;
	size_t len;
	struct err err;
	const enum found found = read_own(path, SCENE_LIMIT, a, &data, &len, &err);
	if (found == FOUND_NOTHING)
		return false;
	if (found == FOUND_FILE && read_scene(scene, data, len, &err))
		return true;
	const char *const aside = set_aside(a, path);
	output_warn("%s: no scene of this version: %s; %s%s", shown(a, path), err.text,
		    aside ? "it is now " : "it stays", aside ? shown(a, aside) : "");
	return false;
}

static void restore(struct cli *c)
{
	struct scene scene;
	if (!last_scene(&c->arena, file_in(&c->arena, state_dir(&c->arena), "scene"), &scene))
		return;
	c->app.scene = scene;
	app_settle_words(&c->app.scene); /* a file may contain other tokens than before */
	app_settle(&c->app.scene);
	/* A scene that cannot be computed would otherwise be restored at every start. */
	struct arena a;
	struct built built;
	struct err err;
	arena_init(&a);
	if (!setup_build(&c->app.scene.setup, &a, &built, &err)) {
		const char *const path = file_in(&c->arena, state_dir(&c->arena), "scene");
		const char *const aside = set_aside(&c->arena, path);
		scene_init(&c->app.scene);
		output_warn("the last scene cannot be computed and is left aside%s%s: %s",
			    aside ? " as " : "", aside ? shown(&c->arena, aside) : "", err.text);
	}
	arena_release(&a);
}

/* A home that cannot be written to is no error: the scene is then not saved. */
void state_save(struct cli *c)
{
	struct arena *const a = &c->arena;
	const char *const dir = state_dir(a), *const path = file_in(a, dir, "scene");
	struct scene scene = c->app.scene, before;
	struct stat st;
	struct err err;
	if (!dir || !file_make_dirs(dir, NULL))
		return;
	last_scene(a, path, &before); /* one of another version is renamed, not overwritten */
	scene_make_absolute(&scene, a);
	const char *const text = scene_print(&scene, a);
	const bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	if (special)
		err_set(&err, "cannot write %s: it is no regular file",
			text_quote(a, path, strlen(path)));
	if (special || !file_write(path, text, strlen(text), true, &err))
		output_warn("the scene is not kept, the one before stays: %s", err.text);
}

/* Saves the setting of the presenter immediately, into the kept scene; nothing else of it changes.
 * If that scene cannot be read, state_save reports it at the end. */
static void save_presenter(bool on)
{
	struct arena a;
	struct scene scene;
	char *data;
	size_t len;
	struct err err;
	arena_init(&a);
	const char *const dir = state_dir(&a), *const path = file_in(&a, dir, "scene");
	const enum found found = read_own(path, SCENE_LIMIT, &a, &data, &len, &err);
	if (found == FOUND_NOTHING)
		scene_init(&scene);
	if (dir && found != FOUND_TROUBLE &&
	    (found == FOUND_NOTHING || read_scene(&scene, data, len, &err)) &&
	    file_make_dirs(dir, &err)) {
		scene.presenter = on;
		const char *const text = scene_print(&scene, &a);
		file_write(path, text, strlen(text), true, &err);
	}
	arena_release(&a);
}

/* ---- history --------------------------------------------------------------------------------- */

static const char *history_path(struct arena *a)
{
	return file_in(a, state_dir(a), "history");
}

/* Saves a line immediately, so that neither another program nor a crash loses it. */
static void save_line(struct app *app, const char *line)
{
	struct arena a;
	(void)app;
	arena_init(&a);
	const char *const dir = state_dir(&a), *const path = history_path(&a);
	const char *const text = arena_printf(&a, "%s\n", line);
	if (dir && *line && !strpbrk(line, "\n\r") && file_make_dirs(dir, NULL))
		file_append(path, text, strlen(text), NULL);
	arena_release(&a);
}

/* Returns whether a line of the history was typed: text without control characters. */
static bool is_typed(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7F)
			return false;
	return len > 0 && text_valid(line, len);
}

static void read_history(struct cli *c)
{
	struct arena *const a = &c->arena;
	const char *const path = history_path(a);
	char *data;
	size_t len, n = 0;
	struct stat st;
	if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	file_keep_tail(path, HISTORY_MOST, HISTORY_KEEP, NULL);
	if (!file_read(path, 2 * (size_t)HISTORY_MOST, a, &data, &len, NULL))
		return;
	enum { MOST = sizeof c->app.history / sizeof *c->app.history };
	const char **const kept = c->app.history;
	struct lines lines = lines_of(data, len);
	for (char *line; (line = next_line(&lines, &len)) != NULL;) {
		if (!is_typed(line, len))
			continue;
		if (n == MOST)
			memmove(kept, kept + 1, --n * sizeof *kept);
		kept[n++] = scene_intern(line);
	}
	c->app.n_history = n;
}

/* ---- configuration --------------------------------------------------------------------------- */

static const char *config_path(const struct cli *c, struct arena *a)
{
	return c->config ? c->config : file_in(a, state_config_dir(a), "config");
}

/* Runs a line of the configuration; a command that needs the screen, or that writes, is an
 * error. */
static bool run_line(struct app *app, const char *line, size_t len, struct err *err)
{
	const struct scene before = app->scene;
	unsigned reactions = 0;
	const bool cut = strlen(line) != len;
	line += strspn(line, " \t");
	if (*line == '#')
		return true;
	if (cut)
		return err_set(err, "a NUL byte stands in the line; text would be right");
	if (!app_command(app, line, &reactions, err))
		return false;
	const bool asks = app->request || app->write || reactions & (REACT_QUIT | REACT_WRITE);
	app->request = REQUEST_NONE;
	app->write = NULL;
	app->n_later = 0;
	if (!asks && view_names_known(&app->scene, err))
		return true;
	app->scene = before;
	char quoted[120];
	return asks ? err_set(err, "%s is for the running program, not for its configuration",
			      text_quote_buf(quoted, sizeof quoted, line, strlen(line)))
		    : false;
}

/* Warns of a line on standard error, which a screen program hides: therefore the first warning is
 * shown on the screen too. */
static void warn_line(struct cli *c, const char *path, size_t number, size_t warned,
		      const struct err *err)
{
	const char *const name = shown(&c->arena, path);
	if (warned < WARNINGS)
		output_warn("%s:%zu: %s", name, number, err->text);
	else if (warned == WARNINGS)
		output_warn("%s: more such lines are skipped", name);
	if (warned > 0)
		return;
	app_say(&c->app, "%s:%zu: %s", name, number, err->text);
	c->app.message_is_error = true;
}

/* Returns whether a line defines or removes a name of the user's own, which any expression may
 * need. */
static bool defines(const char *line)
{
	line += strspn(line, " \t");
	const size_t len = strcspn(line, " \t");
	return (len == 6 && strncmp(line, "define", len) == 0) ||
	       (len == 8 && strncmp(line, "undefine", len) == 0);
}

/* Runs all lines, or only the definitions. */
static void run_lines(struct cli *c, const char *path, char *data, size_t len, bool all)
{
	struct app *const app = &c->app;
	struct lines lines = lines_of(data, len);
	size_t number = 0, warned = 0, length;
	app->background = true; /* no line writes a file at the start */
	for (char *line; (line = next_line(&lines, &length)) != NULL;) {
		struct err err;
		number++;
		if (!all && !defines(line))
			continue;
		if (!run_line(app, line, length, &err))
			warn_line(c, path, number, warned++, &err);
		/* Undo must not take back the configuration. */
		app->n_undo = app->n_redo = 0;
	}
	app->background = false;
	if (warned == 0)
		app->message[0] = '\0';
	const size_t said = strlen(app->message);
	if (warned > 1)
		snprintf(app->message + said, sizeof app->message - said, "; and %zu more line%s",
			 warned - 1, warned == 2 ? "" : "s");
}

/* Returns whether the first word of some line is a command. */
static bool has_command(const char *data, size_t len, struct arena *a)
{
	char *const copy = arena_strndup(a, data, len);
	struct lines lines = lines_of(copy, len);
	size_t length;
	for (char *line; (line = next_line(&lines, &length)) != NULL;) {
		line += strspn(line, " \t");
		line[strcspn(line, " \t")] = '\0';
		if (app_is_command(line))
			return true;
	}
	return false;
}

/* Returns whether a file is a configuration: a known kind of commands, or a text in which at least
 * one line is a command. */
static bool is_config(const char *path, const char *data, size_t len, struct arena *a,
		      struct err *err)
{
	struct kind_seen seen;
	kind_look(path, data, len, app_is_command, &seen);
	if (kind_is_taken(seen.kind, "config") || seen.kind->id == KIND_EMPTY)
		return true;
	if (seen.kind->id != KIND_TEXT && seen.kind->id != KIND_BINARY)
		return kind_refuse(&seen, "config", path, err);
	return has_command(data, len, a) ||
	       err_set(err, "no line of %s is a command; posviz list commands names them",
		       text_quote(a, path, strlen(path)));
}

static bool configure(struct cli *c, bool all, struct err *err)
{
	struct arena *const a = &c->arena;
	const char *const path = config_path(c, a);
	struct err why;
	char *data;
	size_t len;
	if (c->config && !(file_read(path, CONFIG_LIMIT, a, &data, &len, err) &&
			   is_config(path, data, len, a, err)))
		return err_prefix(err, "config: ");
	const enum found found =
		c->config ? FOUND_FILE : read_own(path, CONFIG_LIMIT, a, &data, &len, &why);
	if (found == FOUND_TROUBLE)
		output_warn("%s", why.text);
	if (found == FOUND_FILE)
		run_lines(c, path, data, len, all);
	return true;
}

/* ---- writing the settings -------------------------------------------------------------------- */

/* Returns the value that a line gives to the setting of that name, or NULL. */
static const char *value_in(const char *line, size_t len, const char *name)
{
	const size_t blanks = strspn(line, " \t"), n = strlen(name);
	if (blanks + n >= len || strncmp(line + blanks, name, n) != 0 ||
	    !strchr(" \t", line[blanks + n]))
		return NULL;
	return line + blanks + n + strspn(line + blanks + n, " \t");
}

/* Returns the value of the last line that gives this setting, a part of `text`, or NULL. */
static const char *last_value(const char *text, size_t len, const char *name, size_t *value_len)
{
	const char *found = NULL;
	for (const char *at = text, *const end = text + len; at < end;) {
		const char *const stop = memchr(at, '\n', (size_t)(end - at));
		const char *const next = stop ? stop + 1 : end;
		size_t n = (size_t)((stop ? stop : end) - at);
		while (n > 0 && strchr(" \t\r", at[n - 1]) && at[n - 1])
			n--;
		const char *const value = value_in(at, n, name);
		if (value && value <= at + n) {
			found = value;
			*value_len = (size_t)(at + n - value);
		}
		at = next;
	}
	return found;
}

/* Changes `text` so that it gives one setting its current value; a line that does so already stays
 * as it is written. */
static void put_setting(struct strbuf *text, const struct settings *now, const struct field *f)
{
	struct arena *const a = text->arena;
	struct settings other;
	const char *const value = field_get(now, f, a);
	size_t len = 0;
	settings_init(&other);
	const char *const at = last_value(text->at, text->len, f->name, &len);
	const char *const old = at ? arena_strndup(a, at, len) : NULL;
	if (old && !setting_set(&other, f, old, NULL))
		settings_init(&other);
	if (strcmp(field_get(&other, f, a), value) == 0)
		return;
	struct strbuf out;
	strbuf_init(&out, a);
	if (at) {
		strbuf_add_n(&out, text->at, (size_t)(at - text->at));
		strbuf_add(&out, value);
		strbuf_add_n(&out, at + len, text->len - (size_t)(at + len - text->at));
	} else {
		strbuf_add_n(&out, text->at, text->len);
		if (text->len > 0 && text->at[text->len - 1] != '\n')
			strbuf_add_char(&out, '\n');
		strbuf_printf(&out, "%s %s\n", f->name, value);
	}
	*text = out;
}

/* Finds the last line of `text` that binds this key; returns false if there is none. */
static bool last_binding(const struct strbuf *text, const struct binding *key, struct arena *a,
			 struct binding *found)
{
	char *const copy = arena_strndup(a, text->at, text->len);
	struct lines lines = lines_of(copy, text->len);
	bool any = false;
	size_t len;
	for (char *line; (line = next_line(&lines, &len)) != NULL;) {
		struct binding b;
		line += strspn(line, " \t");
		for (size_t n = strlen(line); n > 0 && strchr(" \t", line[n - 1]); n--)
			line[n - 1] = '\0';
		if (!keymap_read(line, &b) || strcmp(b.context, key->context) != 0 ||
		    strcmp(b.key, key->key) != 0)
			continue;
		*found = b;
		any = true;
	}
	return any;
}

static void put_line(struct strbuf *text, const char *line)
{
	if (text->len > 0 && text->at[text->len - 1] != '\n')
		strbuf_add_char(text, '\n');
	strbuf_printf(text, "%s\n", line);
}

/* Adds bindings at the end, where they take precedence; existing lines stay, and equal bindings are
 * not repeated. */
static void put_bindings(struct strbuf *text, const struct keymap *map)
{
	struct arena *const a = text->arena;
	for (size_t i = 0; i < map->n; i++) {
		const struct binding *const b = &map->own[i];
		struct binding there;
		if (!last_binding(text, b, a, &there) || strcmp(there.command, b->command) != 0)
			put_line(text, keymap_line(b, a));
	}
}

static bool write_settings(struct app *app, const char *path, struct arena *a, struct err *err)
{
	struct strbuf text;
	char *data;
	size_t len;
	const enum found found = read_own(path, CONFIG_LIMIT, a, &data, &len, err);
	if (found == FOUND_TROUBLE)
		return false;
	strbuf_init(&text, a);
	if (found == FOUND_FILE)
		strbuf_add_n(&text, data, len);
	for (const struct field *f = setting_fields; f->name; f++)
		put_setting(&text, &app->settings, f);
	put_bindings(&text, &app->keymap);
	state_put_definitions(&text);
	const bool same = found == FOUND_FILE && text.len == len && memcmp(text.at, data, len) == 0;
	if (!same && !file_write(path, text.at, text.len, true, err))
		return false;
	app_say(app, same ? "%s says so already" : "wrote %s", shown(a, path));
	return true;
}

/* Returns the struct cli that contains the app. */
static struct cli *cli_of(struct app *app)
{
	return (struct cli *)(void *)((char *)app - offsetof(struct cli, app));
}

static bool save_settings(struct app *app, struct err *err)
{
	struct cli *const c = cli_of(app);
	struct arena a;
	arena_init(&a);
	const char *const path = config_path(c, &a), *const dir = state_config_dir(&a);
	const bool ok =
		path ? (c->config || file_make_dirs(dir, err)) && write_settings(app, path, &a, err)
		     : err_set(err, "neither XDG_CONFIG_HOME nor HOME names a directory");
	arena_release(&a);
	return ok;
}

void state_results(struct cli *c)
{
	learn_runs_in(file_in(&c->arena, state_dir(&c->arena), "learned"));
}

/* ---- the start ------------------------------------------------------------------------------- */

bool state_start(struct cli *c, struct err *err)
{
	const bool files = !*c->sub->name && c->n_args > 0;
	if (!state_first(c) && !c->fresh && !files)
		restore(c);
	if (!configure(c, true, err))
		return false;
	/* A file is a whole scene, or input for a scene made from the defaults. */
	if (files)
		scene_init(&c->app.scene);
	read_history(c);
	c->app.save_settings = save_settings;
	c->app.save_line = save_line;
	c->app.save_presenter = save_presenter;
	return true;
}

/* Runs the whole configuration if the sub-command can name one, so that its mistakes are reported;
 * only its definitions are kept. */
bool state_definitions(struct cli *c, struct err *err)
{
	const bool named = c->sub->takes & (TAKES_SCENE | TAKES_TABLE) && !c->sub->hidden;
	if (!configure(c, named, err))
		return false;
	app_release(&c->app);
	app_init(&c->app);
	return true;
}
