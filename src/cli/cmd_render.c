/* cmd_render.c: draws a figure into a file as pixels, vectors, or cells of text; without a file, on
 * the terminal. */
#include "here.h"

#include <string.h>
#include <unistd.h>

#include "posviz/app/snapshot.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"
#include "tour_file.h"
#include "posviz/plot/panel.h"

static bool is_text(const struct cli *c)
{
	return format_bears(c->format, FORMAT_READABLE);
}

/* Warns of a page on which every matrix of the view is replaced by words, perhaps with other matrices beside them: that
 * is no error, but probably not wanted. That two schemes are the same, so that nothing of their difference can be
 * drawn, is a finding. */
static void warn_of_empty(const struct cli *c, const struct figure *f)
{
	const char *absent = NULL;
	const bool instead = f->panels[0].lead && strcmp(f->panels[0].name, "difference") != 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (panel_shows_map(p) && !instead)
			return;
		if ((panel_is_map(p) || p->lead) && !absent)
			absent = p->absent;
	}
	if (absent)
		output_warn("the view %s is empty here: %s", c->scene.view, absent);
}

static bool is_for_terminals(const struct cli *c)
{
	return is_text(c) || format_bears(c->format, FORMAT_TERMINAL);
}

static bool make(struct cli *c, struct here *here, const char *caption, struct cache *cache,
		 struct raster_report *report, struct err *err)
{
	struct write_look look = {.tier = output_tier(c),
				  .ascii = output_ascii(c),
				  .quadrants = c->app.settings.glyphs == GLYPHS_QUADRANTS};
	struct picture *const p = arena_calloc(&c->arena, 1, sizeof *p);
	struct write_job job = {.scene = &c->scene,
				.look = &look,
				.picture = p,
				.cache = cache,
				.report = report,
				.point_out = cli_point_out,
				.what = c->beat,
				.a = &c->arena};
	output_cells(c, &look.cols, &look.rows);
	if (here->wanted)
		here_fit(c, here, &look);
	job.format = c->format;
	if (!cli_build(c, &p->built, err) || !output_free(c, caption, err))
		return false;
	if (!cli_bytes(&job, err) ||
	    !output_picture(c, job.data, job.len, &p->figure, report, caption, err))
		return false;
	warn_of_empty(c, &p->figure);
	const size_t n = picture_vectors(&c->scene, p);
	if (n > 0 && c->scene.vectors > (long)n)
		output_warn("vectors: this scheme has %zu to show; here is the last", n);
	if (job.remark)
		output_warn("%s", job.remark);
	cli_warn_of_chain(c, &p->built);
	return true;
}

/* Checks the expressions, the options and the destinations of the figure and of its caption. */
static bool is_ready(struct cli *c, const struct here *here, const char **caption, struct err *err)
{
	if (!cli_expressions(c, err) || (!here->wanted && !output_format(c, err)) ||
	    !options_fit(c, err))
		return false;
	if (!here->wanted && (!output_check(c, !is_for_terminals(c), err) || !output_ansi(c, err)))
		return false;
	return !c->write_caption || output_beside(c, ".caption.txt", caption, err);
}

static bool draw(struct cli *c, struct here *here, struct err *err)
{
	const char *caption = NULL;
	struct raster_report report = {0};
	if (!is_ready(c, here, &caption, err))
		return false;
	if (!is_text(c)) {
		const struct raster_look look = snapshot_look(&c->scene);
		raster_begin(&look);
	}
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool ok = make(c, here, caption, cache, &report, err);
	raster_begin_end();
	cache_free(cache);
	if (ok)
		output_glyphs(c, &report, !is_text(c));
	if (ok && report.left_out)
		output_warn("the page has no room for: %s; a larger --size has", report.left_out);
	return ok;
}

int cmd_render(struct cli *c, struct err *err)
{
	if (c->plain)
		return cmd_plain(c, err);
	struct here here = {.wanted = !c->output && !c->format && isatty(STDOUT_FILENO)};
	if (here.wanted)
		here_choose(c, &here);
	const bool ok = draw(c, &here, err);
	if (here.wanted && ok)
		here_drawn(&here);
	if (here.wanted)
		here_close(&here);
	if (here.wanted && ok)
		here_say(c, &here);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
