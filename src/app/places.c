/* places.c: see posviz/app/places.h. */
#include "posviz/app/places.h"

#include <stdlib.h>
#include <string.h>

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

bool places_is_trained(const struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	const char *const state = places_state(&a);
	const char *const all = state ? arena_printf(&a, "%s/trained/", state) : NULL;
	const bool is = all && strncmp(scene->setup.checkpoint, all, strlen(all)) == 0;
	arena_release(&a);
	return is;
}
