/* cmd_terminal.c: the terminal program, with what it finds at the start and leaves at the end.
 *
 * The last scene comes back first, then the lines of the configuration; a file named on the command
 * line, options and commands come after (options.c). The core sees neither file. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "posviz/file.h"
#include "posviz/text.h"
#include "posviz/tui.h"

enum { START_LIMIT = 1 << 20 };

/* $NAME/posviz/FILE, or $HOME/FALLBACK/posviz/FILE; NULL when neither is set. */
static const char *home_path(struct arena *a, const char *name, const char *fallback,
			     const char *file)
{
	const char *const base = getenv(name), *const home = getenv("HOME");
	if (base && *base == '/')
		return arena_printf(a, "%s/posviz/%s", base, file);
	return home && *home ? arena_printf(a, "%s/%s/posviz/%s", home, fallback, file) : NULL;
}

static const char *state_path(struct arena *a)
{
	return home_path(a, "XDG_STATE_HOME", ".local/state", "scene");
}

/* A scene of another version may have fields that are gone: then it is not restored. */
static void restore(struct cli *c)
{
	const char *const path = state_path(&c->arena);
	struct scene scene;
	char *data;
	size_t len;
	if (path && file_exists(path) &&
	    file_read(path, START_LIMIT, &c->arena, &data, &len, NULL) &&
	    scene_parse(&scene, data, NULL))
		c->app.scene = scene;
}

static void configure(struct cli *c)
{
	const char *const path = home_path(&c->arena, "XDG_CONFIG_HOME", ".config", "config");
	struct err err;
	char *data;
	size_t len, number = 0;
	if (!path || !file_exists(path))
		return;
	if (!file_read(path, START_LIMIT, &c->arena, &data, &len, &err)) {
		output_warn("%s", err.text);
		return;
	}
	for (char *line; (line = strsep(&data, "\n")) != NULL;) {
		unsigned reactions = 0;
		number++;
		line[strcspn(line, "\r")] = '\0';
		line += strspn(line, " \t");
		if (*line && *line != '#' && !app_command(&c->app, line, &reactions, &err))
			output_warn("%s:%zu: %s", text_escape(&c->arena, path, strlen(path)),
				    number, err.text);
	}
}

void terminal_start(struct cli *c)
{
	restore(c);
	configure(c);
}

/* Where the home cannot be written to there is nothing to come back to, which is no error. */
static void remember(struct cli *c)
{
	const char *const path = state_path(&c->arena);
	if (!path)
		return;
	const char *const dir = arena_strndup(&c->arena, path, (size_t)(strrchr(path, '/') - path));
	const char *const text = scene_print(&c->app.scene, &c->arena);
	if (file_make_dirs(dir, NULL))
		file_write(path, text, strlen(text), true, NULL);
}

int cmd_terminal(struct cli *c, struct err *err)
{
	const struct tui_options options = {.tier = c->color < 0 ? TUI_TIER_AUTO : c->color,
					    .ascii = c->ascii,
					    .theme = (enum theme)c->scene.theme};
	c->app.scene = c->scene;
	const int code = tui_run(&c->app, &options, err);
	if (code != EXIT_BAD_USE)
		remember(c);
	return code;
}
