/* cmd_render.c: a figure as a file: pixels, vectors, or cells as text. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

#include "posviz/export.h"
#include "posviz/file.h"
#include "posviz/raster.h"
#include "posviz/text.h"
#include "posviz/view.h"

static bool is_text(const struct cli *c)
{
	return strcmp(c->format, "txt") == 0 || strcmp(c->format, "ansi") == 0;
}

/* Nobody gets escape codes into a pipe without having named the colours. */
static bool check_ansi(const struct cli *c, struct err *err)
{
	const bool piped = output_is_standard(c) && !isatty(STDOUT_FILENO);
	return strcmp(c->format, "ansi") != 0 || !piped || c->app.settings.color > 0 ||
	       err_set(err,
		       "ansi into a pipe holds escape codes: say --color direct, 256, 16, 8 or "
		       "mono, or take --format txt");
}

static bool write_caption(struct cli *c, const struct figure *f, const struct raster_report *shown,
			  const char *path, struct err *err)
{
	char *data;
	size_t len;
	export_caption(f, shown, &c->arena, &data, &len);
	return file_write(path, data, len, c->force, err);
}

static void warn_of_fonts(struct cli *c, const struct raster_report *report)
{
	const char *const trouble = raster_fonts_trouble();
	if (*trouble)
		output_warn(
			"fonts: Fontconfig takes its built-in configuration, because of this in "
			"its own: %s; FONTCONFIG_FILE or /etc/fonts would be the place",
			text_escape(&c->arena, trouble, strlen(trouble)));
	if (report->font)
		output_warn("font: there is no %s here, %s was taken; fc-list names the families",
			    report->font, report->font_taken);
}

/* A page that has words in place of every matrix is right, and nothing that anybody wanted. */
static void warn_of_empty(const struct cli *c, const struct figure *f)
{
	const char *absent = NULL;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind == PANEL_HEATMAP && !p->absent)
			return;
		if (p->kind == PANEL_HEATMAP && !absent)
			absent = p->absent;
	}
	if (absent)
		output_warn("the view %s is empty here: %s", c->scene.view, absent);
}

static bool make(struct cli *c, const char *caption, struct cache *cache,
		 struct raster_report *report, struct err *err)
{
	struct write_look look = {.tier = output_tier(c),
				  .ascii = output_ascii(c),
				  .quadrants = c->app.settings.glyphs == GLYPHS_QUADRANTS};
	struct picture *const p = arena_calloc(&c->arena, 1, sizeof *p);
	struct write_job job = {.scene = &c->scene,
				.format = c->format,
				.look = &look,
				.picture = p,
				.cache = cache,
				.report = report,
				.a = &c->arena};
	output_cells(c, &look.cols, &look.rows);
	if (!cli_build(c, &p->built, err))
		return false;
	if (view_of(&c->scene)->measures) {
		job.measures = cli_measure(c, &p->built, cache, err);
		if (!job.measures)
			return false;
	}
	if (!write_bytes(&job, err) || !output_write(c, job.data, job.len, err) ||
	    (caption && !write_caption(c, &p->figure, report, caption, err)))
		return false;
	warn_of_empty(c, &p->figure);
	cli_warn_of_chain(c, &p->built);
	return true;
}

int cmd_render(struct cli *c, struct err *err)
{
	if (c->plain)
		return cmd_plain(c, err);
	if (!cli_expressions(c, err) || !output_format(c, err) || !options_fit(c, err) ||
	    !output_check(c, !is_text(c), err) || !check_ansi(c, err))
		return EXIT_BAD_USE;
	const char *caption = NULL;
	if (c->write_caption && !output_beside(c, ".caption.txt", &caption, err))
		return EXIT_BAD_USE;
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct raster_report report = {0};
	const bool ok = make(c, caption, cache, &report, err);
	cache_free(cache);
	if (!is_text(c) && ok)
		warn_of_fonts(c, &report);
	if (ok && report.missing_glyphs > 0)
		output_warn(
			"no font has %zu of the glyphs, first in \"%s\"; fc-list names the fonts",
			report.missing_glyphs, report.missing_sample ? report.missing_sample : "");
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
