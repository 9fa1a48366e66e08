/* cmd_dump.c: the numbers of an evaluation: all of them, or one matrix. */
#include "cli.h"

#include <string.h>

#include "posviz/write.h"

/* Head and layer exist. What is built for that is given back at once. */
static bool fits(const struct cli *c, struct err *err)
{
	struct arena a;
	arena_init(&a);
	struct built *const b = arena_calloc(&a, 1, sizeof *b);
	const bool ok = setup_build(&c->scene.setup, &a, b, err) && cli_fits(c, b, err);
	arena_release(&a);
	return ok;
}

int cmd_dump(struct cli *c, struct err *err)
{
	char *data;
	size_t len;
	if (!cli_alone(c, err) || !output_format(c, err) || !options_fit(c, err))
		return EXIT_BAD_USE;
	if (c->relation)
		c->scene.view = scene_intern("relation");
	const bool text = strcmp(c->format, "csv") == 0 || strcmp(c->format, "json") == 0;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool ok = output_check(c, !text, err) && fits(c, err) &&
			cli_numbers(c, cache, &data, &len, err) && output_write(c, data, len, err);
	cache_free(cache);
	if (ok)
		output_size(c, len);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
