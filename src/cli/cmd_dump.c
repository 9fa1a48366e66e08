/* cmd_dump.c: writes the numbers of an evaluation: all of them, or one matrix. */
#include "cli.h"

#include <string.h>

#include "posviz/picture/picture.h"

/* Returns whether the dump needs several expressions: only if the numbers of the view Compare were
 * asked for. */
static bool of_several(const struct cli *c)
{
	return c->numbers && (strstr(c->numbers, "compare") || strcmp(c->numbers, "all") == 0);
}

static enum write_leaves leaves_of(const struct cli *c)
{
	return cli_given(c, "leaves") ? LEAVES_READ + (enum write_leaves)c->leaves
				      : LEAVES_AS_FORMAT;
}

int cmd_dump(struct cli *c, struct err *err)
{
	if (!(of_several(c) ? cli_expressions(c, err) : cli_alone(c, err)) ||
	    !output_format(c, err) || !options_fit(c, err))
		return EXIT_BAD_USE;
	if (c->relation)
		c->scene.view = scene_intern("relation");
	const bool text = format_bears(c->format, FORMAT_READABLE);
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct picture *const p = arena_calloc(&c->arena, 1, sizeof *p);
	struct write_job job = {.scene = &c->scene,
				.format = c->format,
				.numbers = c->numbers,
				.leaves = leaves_of(c),
				.every_head = c->every_head,
				.picture = p,
				.cache = cache,
				.a = &c->arena};
	const bool ok = output_check(c, !text, err) && cli_build(c, &p->built, err) &&
			output_free(c, NULL, err) && cli_bytes(&job, err) &&
			output_write(c, job.data, job.len, err);
	cache_free(cache);
	if (ok) {
		output_size(c, job.len);
		cli_warn_of_chain(c, &p->built);
	}
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
