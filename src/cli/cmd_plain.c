/* cmd_plain.c: the scene as words: what --plain prints, and what there is where no terminal is. */
#include "cli.h"

#include "posviz/export.h"
#include "posviz/view.h"

static bool check_use(const struct cli *c, struct err *err)
{
	if (c->format)
		return err_set(err, "plain: it is a format of its own; give --plain or --format");
	return (!*c->sub->name || options_fit(c, err)) && output_check(c, false, err);
}

/* Head, layer and cell of a scene that comes back are no words of the user's: a view makes do. */
static bool fits(const struct cli *c, const struct built *b, struct err *err)
{
	return !*c->sub->name || cli_fits(c, b, err);
}

int cmd_plain(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct measures measures = {0};
	struct picture *const picture = arena_calloc(a, 1, sizeof *picture);
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	char *data;
	size_t len;
	if ((*c->sub->name && !cli_expressions(c, err)) || !check_use(c, err))
		return EXIT_BAD_USE;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct measures *const shown = view_of(&c->scene)->measures ? &measures : NULL;
	bool ok = setup_build(&c->scene.setup, a, b, err) && fits(c, b, err) &&
		  (!shown || cli_measure(&c->scene.setup, cache, &measures, err)) &&
		  picture_make(&c->scene, shown, false, false, cache, NULL, a, picture, err);
	if (ok) {
		export_plain(&picture->figure, a, &data, &len);
		ok = output_words(c, data, len, err);
	}
	cache_free(cache);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
