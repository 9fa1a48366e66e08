/* raster_single.c: a page without room for a legible layout of the figure: the most important panel
 * alone, as large as possible.
 *
 * The parts around a matrix are left out, the least important first, as long as they cost the cells
 * more than half of their size. The remaining words are drawn inside the page without overlap, or
 * not at all (p->within). */
#include "plot/raster_heatmap.h"

#include <limits.h>
#include <math.h>

static const double space = 0.5; /* scale of gaps, as on the smallest legible page */

/* The parts that are left out, step by step. */
static const struct step {
	/* bar and titles of the axes; names of rows and columns; all other words */
	bool scale, names, words;
} steps[] = {{0}, {.scale = true}, {true, true, false}, {true, true, true}};
enum { STEPS = sizeof steps / sizeof *steps };

/* Returns the heatmap that would stay longest, else such a panel with content; the first of equal
 * ones. */
static size_t essential(const struct figure *f)
{
	size_t best = 0;
	int least = INT_MAX;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		const int rank = p->priority + (raster_plan_wanted(p) ? 0 : 1 << 8) +
				 (p->absent != NULL ? 1 << 9 : 0);
		if (rank >= least)
			continue;
		best = i;
		least = rank;
	}
	return best;
}

static struct area body_of(const struct page *p, const struct step *step)
{
	const double margin = floor(fmin(24, fmin(p->width, p->height) / 24));
	const double head = step->words ? 0 : 2 * p->line[FACE_TEXT] + 4;
	const double foot = step->words || p->quiet ? 0 : p->line[FACE_TEXT] + 4;
	return (struct area){margin, margin + head, p->width - 2 * margin,
			     p->height - 2 * margin - head - foot};
}

static struct fit fit_of(const struct step *step)
{
	return (struct fit){.no_bar = step->scale, .alone = step->names, .note = ""};
}

/* Returns the size of the drawing: the side of a matrix's cell, else the height of its body; 0: it
 * has no room. */
static double size_of(struct page *p, const struct panel *panel, const struct step *step)
{
	const struct area at = body_of(p, step);
	const struct fit fit = fit_of(step);
	struct grid g = {.note = fit.note};
	if (!step->words && at.h < p->height / 2)
		return 0;
	if (!raster_plan_wanted(panel))
		return at.h;
	raster_plan_solve(p, &panel->heatmap, at, &fit, &g);
	const bool inside = g.at.x + g.at.w <= at.x + at.w && g.at.y + g.at.h <= at.y + at.h;
	return inside ? fmin(g.cell_w, g.cell_h) : 0;
}

/* Returns the first step at which the drawing has at least half of its largest size, or the last
 * step. */
static const struct step *choose(struct page *p, const struct panel *panel)
{
	const struct step *at = steps, *const last = &steps[STEPS - 1];
	const double most = size_of(p, panel, last);
	while (at < last && size_of(p, panel, at) < most / 2)
		at++;
	return at;
}

static const char *left_out(struct page *p, const struct figure *f, const struct step *step,
			    double width)
{
	static const char *const begins[] = {"not on this page: ", "without "};
	const char *panels =
		f->n > 1 ? arena_printf(p->arena, "%zu panel%s, ", f->n - 1, f->n == 2 ? "" : "s")
			 : "";
	const char *parts =
		arena_printf(p->arena, "%s%s%s%scaption", panels, step->scale ? "scale, " : "",
			     step->names ? "names, " : "", p->lost > 0 ? "some words, " : "");
	for (size_t i = 0; i < 2; i++) {
		const char *text = arena_printf(p->arena, "%s%s", begins[i], parts);
		if (raster_text_measure(p, FACE_TEXT, text).w <= width)
			return text;
	}
	return f->n > 1 ? arena_printf(p->arena, "1 of %zu panels", f->n) : "not all of it";
}

/* Returns the list of left-out parts for the report. */
static const char *told(struct page *p, const struct figure *f, const struct step *step)
{
	const char *out = "";
	for (size_t i = 0; i < f->n; i++)
		if (i != p->panel)
			out = arena_printf(p->arena, "%s%s, ", out, f->panels[i].title);
	return arena_printf(p->arena, "%s%s%s%s%s", out, step->scale ? "scale, " : "",
			    step->names ? "names, " : "", p->lost > 0 ? "some words, " : "",
			    "caption");
}

static void draw_head(struct page *p, const struct figure *f, const struct panel *panel,
		      struct area body)
{
	const double top = body.y - 2 * p->line[FACE_TEXT] - 4;
	const char *name = panel->paper_title != NULL ? panel->paper_title : panel->title;
	name = arena_printf(p->arena, "%s%s%s%s", name != NULL ? name : "",
			    panel->off ? " (off)" : "", panel->note != NULL ? " · " : "",
			    panel->note != NULL ? panel->note : "");
	raster_text_put(p, FACE_BOLD, p->theme->ink, 0, body.x, top,
			raster_text_fit(p, FACE_BOLD, f->title != NULL ? f->title : "", body.w));
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, body.x, top + p->line[FACE_TEXT],
			raster_text_fit(p, FACE_TEXT, name, body.w));
}

static void draw_panel(struct page *p, const struct figure *f, const struct panel *panel,
		       const struct area *body)
{
	raster_panel_part(p, f, p->panel);
	p->within = body;
	raster_clip(p, *body);
	p->strength = panel->off ? 0.4 : 1;
	raster_body(p, panel, *body);
	p->strength = 1;
	raster_end(p);
	raster_end(p);
}

void raster_single(struct page *p, const struct figure *f)
{
	const struct area page = {0, 0, p->width, p->height};
	p->space = space;
	p->terse = true;
	raster_text_size(p, raster_faces_last(p));
	if (f->n == 0)
		return;
	p->panel = essential(f);
	const struct panel *panel = &f->panels[p->panel];
	const struct step *step = choose(p, panel);
	const struct area body = body_of(p, step);
	p->fit[p->panel] = fit_of(step);
	p->within = &page;
	if (!step->words)
		draw_head(p, f, panel, body);
	draw_panel(p, f, panel, &body);
	p->within = &page;
	p->report.shown = arena_calloc(p->arena, 1, sizeof *p->report.shown);
	p->report.shown[p->report.n_shown++].panel = *panel;
	p->report.left_out = p->quiet ? told(p, f, step) : NULL;
	if (!step->words && !p->quiet)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, body.x, body.y + body.h + 4,
				left_out(p, f, step, body.w));
	p->within = NULL;
}
