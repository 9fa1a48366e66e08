/* cmd_render.c: a figure as a file: pixels, vectors, or cells as text. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

#include "posviz/analysis.h"
#include "posviz/export.h"
#include "posviz/snapshot.h"
#include "posviz/view.h"

struct result {
	char *data;
	size_t len;
	struct raster_report report;
};

static bool is_text(const struct cli *c)
{
	return strcmp(c->format, "txt") == 0 || strcmp(c->format, "ansi") == 0;
}

/* On a page the background is white unless the scene says dark; a terminal's is more often dark. */
static bool is_dark(const struct cli *c)
{
	return c->scene.theme == THEME_DARK || (is_text(c) && c->scene.theme == THEME_AUTO);
}

/* Nobody gets escape codes into a pipe without having named the colours. */
static bool check_ansi(const struct cli *c, struct err *err)
{
	const bool piped = (!c->output || strcmp(c->output, "-") == 0) && !isatty(STDOUT_FILENO);
	return strcmp(c->format, "ansi") != 0 || !piped || c->color >= 0 ||
	       err_set(err,
		       "ansi into a pipe holds escape codes: say --color direct, 256, 16, 8 or "
		       "mono, or take --format txt");
}

static void draw_cells(const struct cli *c, const struct figure *f, struct arena *a,
		       struct result *out)
{
	int cols, rows;
	output_cells(c, &cols, &rows);
	const bool colour = strcmp(c->format, "ansi") == 0;
	const enum tier tier = colour ? output_tier(c) : TIER_MONO;
	struct canvas *const canvas = canvas_new(a, rows, cols, tier, output_ascii(c), is_dark(c));
	canvas_figure(canvas, f);
	export_text(canvas, colour, a, &out->data, &out->len);
}

static bool draw(const struct cli *c, const struct figure *f, struct arena *a, struct result *out,
		 struct err *err)
{
	const struct raster_look look = snapshot_look(&c->scene);
	if (strcmp(c->format, "png") == 0)
		return snapshot_png(&c->scene, f, a, &out->data, &out->len, &out->report, err);
	if (strcmp(c->format, "svg") == 0)
		return raster_vector(f, &look, RASTER_SVG, a, &out->data, &out->len, &out->report,
				     err);
	if (strcmp(c->format, "pdf") == 0)
		return raster_vector(f, &look, RASTER_PDF, a, &out->data, &out->len, &out->report,
				     err);
	draw_cells(c, f, a, out);
	return true;
}

static bool make(struct cli *c, struct cache *cache, struct result *out, struct err *err)
{
	struct arena *const a = &c->arena;
	struct measures measures;
	struct picture *const picture = arena_calloc(a, 1, sizeof *picture);
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	return setup_build(&c->scene.setup, a, b, err) && cli_fits(c, b, err) &&
	       cli_measure(&c->scene.setup, cache, &measures, err) &&
	       picture_make(&c->scene, &measures, false, is_dark(c), cache, NULL, a, picture,
			    err) &&
	       draw(c, &picture->figure, a, out, err) && output_write(c, out->data, out->len, err);
}

int cmd_render(struct cli *c, struct err *err)
{
	enum { CACHE = 64 << 20 };
	if (c->n_args > 1) {
		err_set(err,
			"render: comparing %zu expressions needs the view compare, which does "
			"not exist yet; give one",
			c->n_args);
		return EXIT_BAD_USE;
	}
	if (!cli_expression(c, err) || !output_format(c, err) ||
	    !output_check(c, !is_text(c), err) || !check_ansi(c, err))
		return EXIT_BAD_USE;
	struct cache *const cache = cache_new(CACHE);
	struct result result = {0};
	const bool ok = make(c, cache, &result, err);
	cache_free(cache);
	if (ok && result.report.missing_glyphs > 0)
		output_warn(
			"no font has %zu of the glyphs, first in \"%s\"; fc-list names the fonts",
			result.report.missing_glyphs,
			result.report.missing_sample ? result.report.missing_sample : "");
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
