/* cmd_cast.c: writes a tour as a recording of a terminal for the web: posviz tour order -o
 * order.cast. */
#include "cli.h"

#include <string.h>

#include "posviz/tour/cast.h"
#include "tour_file.h"

bool cast_is_wanted(const struct cli *c)
{
	static const char ending[] = ".cast";
	const size_t len = c->output ? strlen(c->output) : 0, n = sizeof ending - 1;
	return c->format ? strcmp(c->format, "cast") == 0
			 : len > n && strcmp(c->output + len - n, ending) == 0;
}

static bool is_one(const struct cli *c, struct err *err)
{
	return c->n_args == 1 || err_set(err, "tour: a recording is of one tour: posviz tour order "
					      "-o order.cast");
}

static bool make(struct cli *c, struct cache *cache, char **data, size_t *len, struct err *err)
{
	struct cast_look look = {.tier = output_tier(c),
				 .ascii = c->app.settings.glyphs == GLYPHS_ASCII,
				 .quadrants = c->app.settings.glyphs == GLYPHS_QUADRANTS,
				 .contrast = c->app.settings.contrast,
				 .pace = c->pace};
	struct tour_spec spec;
	struct tour t;
	size_t beat;
	output_cells(c, &look.cols, &look.rows);
	if (!tour_spec_parse(c->args[0], &c->arena, &spec, err))
		return false;
	if (c->step > 0) {
		spec.step = (size_t)c->step;
		spec.beat = 0;
	}
	if (!cli_tour(c, spec.name, TOUR_SCENES, cache, &t, err) ||
	    !tour_spec_beat(&spec, &t, false, &beat, err))
		return false;
	look.step = spec.step;
	look.beat = spec.beat;
	const bool ok =
		cast_tour(&t, &c->scene, &look, cache, progress_begin(), &c->arena, data, len, err);
	progress_end();
	return ok;
}

int cmd_cast(struct cli *c, struct err *err)
{
	char *data;
	size_t len;
	if (!output_format(c, err) || !is_one(c, err) || !options_of_mode(c, "a recording", err) ||
	    !output_check(c, false, err) || !output_free(c, NULL, err))
		return EXIT_BAD_USE;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool made = make(c, cache, &data, &len, err);
	cache_free(cache);
	return made && output_write(c, data, len, err) ? EXIT_FINE : EXIT_BAD_USE;
}
