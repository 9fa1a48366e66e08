/* state_first.c: whether this is the first start of all, and how far its hints have led.
 *
 * A first start has no kept scene, no arguments and a terminal. How far its hints have led is a file beside the scene: the
 * view whose hint is offered next, or that they are over. */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "posviz/app/first.h"
#include "posviz/format/file.h"
#include "posviz/tui/tui.h"

enum { LIMIT = 64 };
static const char over[] = "over";

static const char *path_of(struct arena *a, const char *name)
{
	const char *const dir = state_dir(a);
	return dir ? arena_printf(a, "%s/%s", dir, name) : NULL;
}

/* A home that cannot be written to is no error: the hints come again. */
static void save(size_t step)
{
	struct arena a;
	arena_init(&a);
	const char *const path = path_of(&a, "first");
	const char *const text =
		arena_printf(&a, "%s\n", step > 0 ? first_steps[step - 1].view : over);
	if (path && file_make_dirs(state_dir(&a), NULL))
		file_write(path, text, strlen(text), true, NULL);
	arena_release(&a);
}

/* Returns the step that the file names; 0: none, or that the hints are over. */
static size_t kept_step(struct arena *a, const char *path)
{
	char *data;
	size_t len;
	struct stat st;
	if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    !file_read(path, LIMIT, a, &data, &len, NULL))
		return 0;
	data[strcspn(data, "\r\n")] = '\0';
	const size_t step = first_step_of(data);
	return step < first_step_count() ? step + 1 : 0;
}

static bool is_there(const char *path)
{
	struct stat st;
	return path && (lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

/* Returns whether nothing was given, so that nothing is said of what is to be shown. */
static bool is_bare(const struct cli *c)
{
	return !*c->sub->name && !c->plain && c->n_args + c->n_exprs + c->n_given == 0 &&
	       c->n_commands + c->n_matrices == 0;
}

bool state_first(struct cli *c)
{
	struct err why;
	struct arena *const a = &c->arena;
	const char *const steps = path_of(a, "first"), *const scene = path_of(a, "scene");
	if (!is_bare(c) || !tui_possible(&why))
		return false;
	c->app.save_first = save;
	c->app.first_step = is_there(steps) ? kept_step(a, steps) : 0;
	if (is_there(scene))
		return false;
	if (!is_there(steps))
		c->app.first_step = 1;
	first_scene(&c->app.scene);
	return true;
}
