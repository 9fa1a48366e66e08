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
#include "posviz/raster.h"

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

TEST(every_head_is_seen_on_a_screen)
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
			for (size_t k = 0; k < HELP_SCREENS * 4; k++) {
				const struct help_look look = {help_screens[k / 4][0],
							       help_screens[k / 4][1],
							       (enum tier)(TIER_8 + k % 4), false};
				const struct canvas *const c = help_frame(t, look);
				const struct rect in = place_of(t, at);
				assert_curves(c, in, &f->panels[at].curves,
					      help_frame_name(&t->frame, t, look));
			}
			app_release(t->app);
			arena_clear(&help_arena);
		}
}
