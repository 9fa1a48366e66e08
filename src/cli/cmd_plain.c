/* cmd_plain.c: prints the scene as words, for --plain and for output that is no terminal. */
#include "cli.h"

#include "posviz/export/export.h"
#include "posviz/picture/picture.h"

static bool check_use(const struct cli *c, struct err *err)
{
	if (c->format)
		return err_set(err, "plain: it is a format of its own; give --plain or --format");
	return (!*c->sub->name || options_fit(c, err)) && output_check(c, false, err);
}

/* Builds the scene. The terminal program does not check head, layer and cell: they may come from
 * the last session, and views replace those that do not exist. */
static bool build(struct cli *c, struct built *b, struct err *err)
{
	return *c->sub->name ? cli_build(c, b, err)
			     : setup_build(&c->scene.setup, &c->arena, b, err);
}

int cmd_plain(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	char *data;
	size_t len;
	if ((*c->sub->name && !cli_expressions(c, err)) || !check_use(c, err))
		return EXIT_BAD_USE;
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct watch *const watch = progress_begin();
	bool ok = build(c, &p->built, err) && output_free(c, NULL, err) &&
		  picture_compute(&c->scene, cache, watch, a, p, err) &&
		  picture_measured(&c->scene, BACKGROUND_LIGHT, cache, watch, a, p, err);
	progress_end();
	if (ok) {
		export_plain(&p->figure, a, &data, &len);
		ok = words_write(c, data, len, err);
		if (ok && *c->sub->name)
			cli_warn_of_chain(c, &p->built);
	}
	cache_free(cache);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
