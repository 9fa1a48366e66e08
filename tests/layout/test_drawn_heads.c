/* test_drawn_heads.c: curves as they are drawn: each in its own colour, in a plot of its own with its name
 * or as a row of the map; names where lines end stand in the order of the ends. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_pages.h"
#include "help_view.h"
#include "plot/canvas_in.h"
#include "posviz/plot/raster.h"

FIXTURE(help_begin, help_end)

/* ---- screens ----------------------------------------------------------------------------------------- */

static size_t curves_of(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_CURVES && !f->panels[i].absent)
			return i;
	fail_msg("no curves");
	return 0;
}

static struct rect place_of(const struct tui *t, size_t panel)
{
	for (size_t i = 0; i < t->n_zones; i++)
		if (t->zones[i].kind == ZONE_PANE && t->zones[i].index == panel)
			return t->zones[i].at;
	fail_msg("panel %zu is not shown", panel);
	return (struct rect){0};
}

/* Whether a word stands here that is no part of another one: "head 1", and not that of "head 10". */
static bool stands(const struct canvas *c, int row, int col, const char *text)
{
	const int end = col + (int)text_width(text);
	return end < c->cols && !isalnum((unsigned char)*help_at(c, row, col - 1)->at) &&
	       !isalnum((unsigned char)*help_at(c, row, end)->at) &&
	       strcmp(help_at(c, row, col)->at, " ") != 0 &&
	       strcmp(help_between(c, row, col, end), text) == 0;
}

/* Cells of a curve in this colour. */
static size_t dots_in(const struct canvas *c, struct rect in, uint32_t ink)
{
	size_t n = 0;
	for (int i = 0; i < in.rows * in.cols; i++) {
		const struct cell *const k = help_at(c, in.row + i / in.cols, in.col + i % in.cols);
		uint32_t code = 0;
		text_decode(k->at, strlen(k->at), &code);
		n += code > 0x2800 && code <= 0x28FF && k->fg == ink;
	}
	return n;
}

/* A curve in its colour above the middle of its name, or left of it where it is alone. */
static bool has_plot(const struct canvas *c, struct rect in, const struct series *s,
		     const char *name)
{
	enum { REACH = 4, LEAST = 3 }; /* of the least plot, to each side of its middle */
	const uint32_t ink = canvas_series(c, s->colour);
	for (int i = 0; name && i < in.rows * in.cols; i++) {
		const int row = in.row + i / in.cols, col = in.col + i % in.cols;
		if (!stands(c, row, col, name))
			continue;
		const int middle = col + (int)text_width(name) / 2;
		const struct rect above = {in.row, middle - REACH, row - in.row, 2 * REACH + 1};
		const struct rect left = {row - 1, in.col, 3, col - in.col};
		if (dots_in(c, above, ink) >= LEAST || dots_in(c, left, ink) >= LEAST)
			return true;
	}
	return false;
}

static bool is_named(const struct canvas *c, struct rect in, const char *name)
{
	for (int i = 0; i < in.rows * in.cols; i++)
		if (stands(c, in.row + i / in.cols, in.col + i % in.cols, name))
			return true;
	return false;
}

/* Curves as rows of colours, of which a screen row has one or, in half blocks, two. */
static size_t rows_of_tiles(const struct canvas *c, struct rect in)
{
	enum { LEAST = 3 };
	size_t n = 0;
	bool two = false;
	for (int row = in.row + 1; row < in.row + in.rows - 1; row++) {
		size_t whole = 0, upper = 0, lower = 0;
		for (int col = in.col + 1; col < in.col + in.cols - 1; col++) {
			const struct cell *const k = help_at(c, row, col);
			const bool half = strcmp(k->at, "▀") == 0;
			upper += half && k->fg != CELL_DEFAULT;
			lower += half && k->bg != CELL_DEFAULT;
			whole += !half && k->bg != CELL_DEFAULT;
		}
		two = two || upper + lower > 0; /* below them equal halves are a blank */
		n += two ? (upper + whole >= LEAST) + (lower + whole >= LEAST) : whole >= LEAST;
	}
	return n;
}

/* All in plots of their own, or all in rows, where in few colours small values are blank; or it is said how
 * many there are. */
static void assert_curves(const struct canvas *c, struct rect in, const struct curves *k,
			  const char *name)
{
	size_t plots = 0, names = 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct series *const s = &k->series[i];
		plots += has_plot(c, in, s, s->label) || has_plot(c, in, s, s->brief);
		names += is_named(c, in, s->label);
	}
	const size_t rows = c->tier < TIER_256 ? names : rows_of_tiles(c, in);
	const bool said = strstr(help_screen(c), arena_printf(&help_arena, " of %zu ", k->n));
	if (plots < k->n && rows < k->n && (rows < 3 || !said))
		fail_msg("%s: %zu plots and %zu rows of %zu curves:\n%s", name, plots, rows, k->n,
			 help_screen(c));
}

TEST_SAMPLED(every_head_is_seen_on_a_screen, 1, 3)
{
	static const char *const schemes[] = {"alibi", "t5"};
	for (size_t n = 1; n <= 12; n++)
		for (size_t i = 0; i < 2; i++) {
			char lines[64];
			snprintf(lines, sizeof lines, "heads %zu\nd-model %zu\n", n, 8 * n);
			struct tui *const t =
				help_tui(&help_arena, schemes[i], lines,
					 (n + i) % 2 ? BACKGROUND_LIGHT : BACKGROUND_DARK);
			const struct figure *const f = &t->picture->picture.figure;
			const size_t at = curves_of(f);
			t->app->pane = at;
			for (size_t k = (test_part + n) % test_parts; k < HELP_SCREENS * 4;
			     k += test_parts) {
				const struct help_look look = {help_screens[k / 4][0],
							       help_screens[k / 4][1],
							       (enum tier)(TIER_8 + k % 4), false};
				const struct canvas *const c = help_frame(t, look);
				const struct rect in = place_of(t, at);
				assert_curves(c, in, &f->panels[at].curves,
					      help_frame_name(&t->frame, t, look));
			}
			help_tui_done(t);
			arena_clear(&help_arena);
		}
}

/* ---- pages ------------------------------------------------------------------------------------------- */

/* A pixel of the colour on the paper, drawn with four tenths of its strength or more. */
static bool is_of(const uint8_t *pixel, uint32_t rgb, uint32_t paper)
{
	double along = 0, all = 0, off = 0;
	for (int k = 0; k < 3; k++) {
		const double on = (double)(paper >> (16 - 8 * k) & 255);
		const double way = (double)(rgb >> (16 - 8 * k) & 255) - on;
		along += (pixel[k] - on) * way;
		all += way * way;
	}
	const double part = along / all;
	for (int k = 0; k < 3; k++) {
		const double on = (double)(paper >> (16 - 8 * k) & 255);
		const double way = (double)(rgb >> (16 - 8 * k) & 255) - on;
		off = fmax(off, fabs(pixel[k] - on - part * way));
	}
	return part >= 0.4 && part < 1.05 && off < 6;
}

static size_t pixels_of(const struct image *image, double x, double y, double width, double height,
			uint32_t rgb, uint32_t paper)
{
	size_t n = 0;
	for (size_t row = (size_t)y; row < (size_t)(y + height); row++)
		for (size_t col = (size_t)x; col < (size_t)(x + width); col++)
			n += is_of(image->rgb + 3 * (row * (size_t)image->width + col), rgb, paper);
	return n;
}

struct page {
	struct image image;
	struct raster_report report;
	const struct curves *curves;
	size_t panel; /* that they are in */
	bool dark;
	const char *name;
};

static struct page page_of(const char *scheme, const char *lines, int width, int height, bool dark)
{
	struct page p = {.dark = dark};
	const struct figure *const f = &help_picture(&help_arena, scheme, lines)->figure;
	const struct raster_look look = {
		.width = width, .height = height, .dpi = 150, .dark = dark};
	struct err err = {""};
	if (!raster_image(f, &look, &help_arena, &p.image, &p.report, &err))
		fail_msg("%s", err.text);
	p.panel = curves_of(f);
	p.curves = &f->panels[p.panel].curves;
	p.name = arena_printf(&help_arena, "%s on %d x %d: %s", scheme, width, height, lines);
	help_page_reads(p.name, &p.report, width, height);
	return p;
}

/* The plots of the curves; how many. */
static size_t plots_of(const struct page *p, const struct plot_box **first)
{
	size_t n = 0;
	for (size_t i = p->report.plot_n; i-- > 0;)
		if (p->report.plots[i].panel == p->panel) {
			*first = &p->report.plots[i];
			n++;
		}
	return n;
}

/* Beside or above its plot; rows have theirs before them. */
static const struct text_box *name_on(const struct page *p, const struct series *s)
{
	const size_t len = strlen(s->label);
	const struct plot_box *plot = NULL;
	plots_of(p, &plot);
	for (size_t i = 0; i < p->report.n && plot; i++) {
		const struct text_box *const box = &p->report.boxes[i];
		if (strncmp(box->text, s->label, len) == 0 &&
		    (box->text[len] == '\0' || box->text[len] == ',') &&
		    box->y > plot->y - 2 * box->height && box->x + box->width > plot->x - 20)
			return box;
	}
	return NULL;
}

/* Rows of tiles, of which none is bare paper. */
static void assert_rows(const struct page *p, const struct plot_box *b, uint32_t paper)
{
	const size_t n = p->curves->n;
	for (size_t i = 0; i < n; i++) {
		const double y = b->y + b->height * ((double)i + 0.5) / (double)n;
		const uint8_t *const at = p->image.rgb + 3 * ((size_t)y * (size_t)p->image.width +
							      (size_t)(b->x + 2));
		if ((uint32_t)(at[0] << 16 | at[1] << 8 | at[2]) == paper)
			fail_msg("%s: row %zu is not seen", p->name, i + 1);
	}
}

/* In the one plot or in their own, with their names. */
static void assert_lines(const struct page *p, const struct plot_box *plots, size_t n_plots,
			 uint32_t paper)
{
	for (size_t i = 0; i < p->curves->n; i++) {
		const struct series *const s = &p->curves->series[i];
		const struct plot_box *const b = &plots[n_plots > 1 ? i : 0];
		const uint32_t rgb = figure_series_colour(s->colour, p->dark);
		if (!name_on(p, s))
			fail_msg("%s: no name of curve %zu", p->name, i + 1);
		if (pixels_of(&p->image, b->x, b->y, b->width, b->height, rgb, paper) < 12)
			fail_msg("%s: curve %zu is not seen", p->name, i + 1);
	}
}

TEST_IN_PARTS(every_head_is_seen_on_a_page, 2)
{
	static const int sizes[][2] = {{1600, 1000}, {700, 1200}, {1600, 1200}};
	for (size_t k = test_part; k < 3 * 12; k += test_parts) {
		const size_t n = k / 3 + 1;
		const bool dark = k / 2 % 2;
		const uint32_t paper = dark ? 0x1a1b20 : 0xffffff;
		char lines[64];
		snprintf(lines, sizeof lines, "heads %zu\nd-model %zu\n", n, 8 * n);
		const struct page p = page_of(k % 2 ? "alibi" : "t5", lines, sizes[k % 3][0],
					      sizes[k % 3][1], dark);
		const struct plot_box *plots = NULL;
		const size_t n_plots = plots_of(&p, &plots);
		if (n_plots != 1 && n_plots != p.curves->n)
			fail_msg("%s: %zu plots", p.name, n_plots);
		if (n_plots < p.curves->n && p.curves->n > 4)
			assert_rows(&p, plots, paper);
		else
			assert_lines(&p, plots, n_plots, paper);
		arena_clear(&help_arena);
	}
}

static double end_of(const struct series *s)
{
	for (size_t k = s->n; k-- > 0;)
		if (isfinite(s->y[k]))
			return s->y[k];
	return NAN;
}

/* How far a curve is above another where they end, or before that where they meet there. */
static double above(const struct series *a, const struct series *b, double least)
{
	double other;
	if (fabs(end_of(a) - end_of(b)) > least)
		return end_of(a) - end_of(b);
	for (size_t k = a->n; k-- > 0;)
		if (isfinite(a->y[k]) && curves_height(b, a->x[k], &other) &&
		    fabs(a->y[k] - other) > least)
			return a->y[k] - other;
	return 0;
}

/* What can be seen: one part in fifty of all heights. */
static double least_seen(const struct curves *k)
{
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < k->n; i++)
		for (size_t at = 0; at < k->series[i].n; at++)
			if (isfinite(k->series[i].y[at])) {
				lo = fmin(lo, k->series[i].y[at]);
				hi = fmax(hi, k->series[i].y[at]);
			}
	return (hi - lo) / 50;
}

/* From the top as the curves end; each name on none but its own. */
static size_t assert_names(const struct page *p)
{
	const struct curves *const k = p->curves;
	const double least = least_seen(k);
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct text_box *const mine = name_on(p, &k->series[i]);
		for (size_t j = 0; j < k->n && mine; j++) {
			const struct text_box *const other = name_on(p, &k->series[j]);
			if (j == i)
				continue;
			const uint32_t rgb = figure_series_colour(k->series[j].colour, p->dark);
			if (pixels_of(&p->image, mine->x, mine->y, mine->width, mine->height, rgb,
				      mine->paper) > 3)
				fail_msg("%s: \"%s\" lies on \"%s\"", p->name, mine->text,
					 k->series[j].label);
			if (!other || above(&k->series[i], &k->series[j], least) <= 0)
				continue;
			n++;
			if (mine->y >= other->y)
				fail_msg("%s: \"%s\" stands below \"%s\"", p->name, mine->text,
					 other->text);
		}
	}
	return n;
}

TEST_IN_PARTS(names_on_a_page_are_in_the_order_of_the_curves, 2)
{
	static const char *const schemes[] = {"alibi",	    "alibi+causal", "t5",   "t5+causal",
					      "txl",	    "rope+alibi",   "shaw", "learned",
					      "sinusoidal", "tupe_r",	    "cape", "deberta"};
	static const char *const lines[] = {"", "view compare\ncompare t5; kerple_log; txl\n",
					    "heads 2\nd-model 32\n"};
	static const int sizes[][2] = {{1600, 1000}, {700, 1200}, {1000, 700}, {800, 500}};
	size_t n = 0;
	for (size_t i = test_part; i < 3 * 12; i += test_parts) {
		const int *const size = sizes[i % 4];
		const struct page p =
			page_of(schemes[i / 3], lines[i % 3], size[0], size[1], i / 4 % 2);
		const struct plot_box *plots = NULL;
		if (plots_of(&p, &plots) == 1)
			n += assert_names(&p);
		arena_clear(&help_arena);
	}
	assert_true(n > 10);
}
