/* places.c: see posviz/app/places.h. */
#include "posviz/app/places.h"

#include <stdlib.h>
#include <string.h>

#include "posviz/format/folder.h"
#include "posviz/scene/scene.h"

/* Returns $NAME/posviz, or $HOME/FALLBACK/posviz; NULL if neither is set. Relative paths do not
 * count, as the XDG specification requires. */
static const char *home_dir(struct arena *a, const char *name, const char *fallback)
{
	const char *const base = getenv(name), *const home = getenv("HOME");
	if (base && *base == '/')
		return arena_printf(a, "%s/posviz", base);
	return home && *home == '/' ? arena_printf(a, "%s/%s/posviz", home, fallback) : NULL;
}

const char *places_config(struct arena *a)
{
	return home_dir(a, "XDG_CONFIG_HOME", ".config");
}

const char *places_state(struct arena *a)
{
	return home_dir(a, "XDG_STATE_HOME", ".local/state");
}

/* Returns the directory of the trained model that a path leads to or into, "…/trained/36a33571/NAME"; NULL: none. */
static const char *trained_at(const char *path, struct arena *a)
{
	const char *const state = places_state(a);
	const char *const all = state ? arena_printf(a, "%s/trained/", state) : NULL;
	if (!all || strncmp(path, all, strlen(all)) != 0)
		return NULL;
	const char *const name = strchr(path + strlen(all), '/');
	return name ? arena_strndup(a, path, (size_t)(name + 1 - path) + strcspn(name + 1, "/"))
		    : path;
}

bool places_is_trained(const struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	const bool is = trained_at(scene->setup.checkpoint, &a);
	arena_release(&a);
	return is;
}

void places_hold(const struct scene *scene)
{
	const char *const paths[] = {scene->setup.checkpoint, scene->setup.params,
				     scene->setup.map};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		const char *const dir = trained_at(paths[i], &a);
		if (dir)
			folder_hold(dir);
	}
	arena_release(&a);
}
