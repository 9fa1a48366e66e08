/* test_drawn_colours.c: colours as they are drawn, in the cells of screens and the pixels of pages: zero is
 * the page, steps can be told apart, every head has its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_colour.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/plot/raster.h"

FIXTURE(help_begin, help_end)

enum { DARK_PAGE = 0x1a1b20, WHITE_PAGE = 0xffffff };

static uint32_t page_of(const struct canvas *c)
{
	return c->dark ? DARK_PAGE : WHITE_PAGE;
}

/* A colour as a terminal of this tier shows it. */
static uint32_t seen(const struct canvas *c, uint32_t colour)
{
	const uint32_t rgb = colour & 0xffffff;
	if (colour == CELL_DEFAULT)
		return page_of(c);
	return c->tier == TIER_256 ? colour_from_256(colour_to_256(rgb)) : rgb;
}

/* Where a value is on a screen: a cell with nothing but its colour, or half of one. */
struct spot {
	const struct cell *cell;
	bool upper; /* of a half block: the colour of its sign */
};

static struct spot spot_of(const struct canvas *c, struct rect data, const struct heatmap_view *v,
			   size_t row, size_t col)
{
	struct rect at;
	assert_true(canvas_place(data, v, row, col, &at));
	const bool lower = v->cell_rows2 == 1 && (row - v->first_row) / v->block % 2 == 1;
	const struct cell *const k = help_at(c, at.row + at.rows - 1, at.col + at.cols - 1);
	return (struct spot){k, !lower && strcmp(k->at, "▀") == 0};
}

static uint32_t colour_of(const struct canvas *c, struct spot at)
{
	return seen(c, at.upper ? at.cell->fg : at.cell->bg);
}

static struct image image_of(const struct figure *f, int width, int height, bool dark,
			     struct raster_report *report)
{
	const struct raster_look look = {
		.width = width, .height = height, .dpi = 150, .dark = dark};
	struct image image;
	struct err err = {""};
	if (!raster_image(f, &look, &help_arena, &image, report, &err))
		fail_msg("%s", err.text);
	return image;
}

static uint32_t pixel(const struct image *image, double x, double y)
{
	const size_t at = (size_t)y * (size_t)image->width + (size_t)x;
	const uint8_t *const rgb = image->rgb + 3 * at;
	return (uint32_t)(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
}

/* Near a corner of a matrix cell, where no number stands. */
static uint32_t cell_pixel(const struct image *image, const struct plot_box *plot,
			   const struct heatmap *h, size_t row, size_t col)
{
	return pixel(image, plot->x + ((double)col + 0.15) * plot->width / (double)h->values.cols,
		     plot->y + ((double)row + 0.15) * plot->height / (double)h->values.rows);
}

/* ---- zero -------------------------------------------------------------------------------------------- */

/* From the page, at most; of 256 the grey that is nearest and still a tile is a little farther. */
static const double zero_apart = 4, zero_apart_256 = 5;

static bool is_zero(const struct heatmap *h, size_t row, size_t col)
{
	const bool masked = h->masked && h->masked[row * h->values.cols + col];
	const bool cursor = h->has_cursor && h->row == row && h->col == col;
	/* A sentence lies over the middle of a matrix that is zero everywhere; its first row is seen. */
	const bool said = h->uniform && row > 0;
	/* What is said to be zero everywhere may be off by rounding. */
	const double rounding = h->uniform ? 1e-12 : 0;
	return !masked && !cursor && !said && !h->integers &&
	       fabs(mat_row(h->values, row)[col]) <= rounding;
}

/* In colours the tile is next to the page; in few and none there is nothing, or a zero. */
static void assert_zero(const struct canvas *c, struct spot at, const char *name)
{
	const uint32_t colour = colour_of(c, at);
	const bool signless = strcmp(at.cell->at, " ") == 0 || strcmp(at.cell->at, "0") == 0;
	const double apart = c->tier == TIER_256 ? zero_apart_256 : zero_apart;
	if (c->tier >= TIER_256 && help_apart(colour, page_of(c)) >= apart)
		fail_msg("%s: zero is #%06x, %.1f from the page", name, colour,
			 help_apart(colour, page_of(c)));
	if (c->tier < TIER_256 && (at.cell->bg != CELL_DEFAULT || !signless))
		fail_msg("%s: zero is \"%s\"", name, at.cell->at);
}

static size_t assert_zeros(struct tui *t, struct help_look look)
{
	const struct canvas *const c = help_frame(t, look);
	const char *const name = help_frame_name(&t->frame, t, look);
	size_t n = 0;
	for (size_t i = 0; i < t->n_zones; i++) {
		const struct zone *const z = &t->zones[i];
		const struct heatmap *const h =
			&t->picture->picture.figure.panels[z->index].heatmap;
		if (z->kind != ZONE_CELLS || z->view.averaged)
			continue;
		for (size_t row = z->view.first_row; row < z->view.first_row + z->view.rows; row++)
			for (size_t col = z->view.first_col; col < z->view.first_col + z->view.cols;
			     col++)
				if (is_zero(h, row, col)) {
					assert_zero(c, spot_of(c, z->data, &z->view, row, col),
						    name);
					n++;
				}
	}
	return n;
}

static const char *const with_zeros[] = {"none", "alibi", "t5+causal", "shaw", "rope", "gauss"};
enum { WITH_ZEROS = sizeof with_zeros / sizeof *with_zeros };

/* Where zeros are met whatever rounding does; what else is 0 in a difference hangs on it. */
TEST_SAMPLED(zero_is_the_page_of_a_screen, 1, 4)
{
	static const char *const shown[] = {"explore", "terms", "compare", "order"};
	static const bool met[4][WITH_ZEROS] = {{true, true, true, false, true, false},
						{false, true, true},
						{true, true, true},
						{true}};
	size_t n = 0;
	for (size_t k = 0; k < 2 * 4 * WITH_ZEROS; k++) {
		const size_t before = n;
		char lines[64];
		snprintf(lines, sizeof lines, "view %s\n", shown[k / WITH_ZEROS % 4]);
		struct tui *const t =
			help_tui(&help_arena, with_zeros[k % WITH_ZEROS], lines,
				 k / WITH_ZEROS / 4 ? BACKGROUND_LIGHT : BACKGROUND_DARK);
		for (size_t i = (test_part + k) % test_parts; i < HELP_SCREENS * (TIER_COUNT + 1);
		     i += test_parts) {
			const int *const size = help_screens[i / (TIER_COUNT + 1)];
			const size_t tier = i % (TIER_COUNT + 1);
			const bool ascii = tier == TIER_COUNT;
			n += assert_zeros(t, (struct help_look){size[0], size[1],
								ascii ? TIER_MONO : (enum tier)tier,
								ascii});
		}
		if (met[k / WITH_ZEROS % 4][k % WITH_ZEROS] && n == before)
			fail_msg("no zero of %s in %s", with_zeros[k % WITH_ZEROS], lines);
		help_tui_done(t);
		arena_clear(&help_arena);
	}
	assert_true(n > 3000 / test_parts);
}

/* Of a page its first pixel is the paper. */
TEST(zero_is_the_paper_of_a_page)
{
	static const int sizes[][2] = {{360, 270}, {800, 500}, {700, 1200}};
	size_t n = 0;
	for (size_t k = 0; k < 3 * WITH_ZEROS; k++) {
		const bool dark = (k + k / WITH_ZEROS) % 2;
		struct tui *const t =
			help_tui(&help_arena, with_zeros[k % WITH_ZEROS], "view explore\n",
				 dark ? BACKGROUND_DARK : BACKGROUND_LIGHT);
		const struct figure *const f = &t->picture->picture.figure;
		const int *const size = sizes[k / WITH_ZEROS];
		struct raster_report r;
		const struct image image = image_of(f, size[0], size[1], dark, &r);
		for (size_t i = 0; i < r.plot_n; i++) {
			const struct heatmap *const h = &f->panels[r.plots[i].panel].heatmap;
			if (f->panels[r.plots[i].panel].kind != PANEL_HEATMAP)
				continue;
			for (size_t at = 0; at < h->values.rows * h->values.cols; at++) {
				const size_t row = at / h->values.cols, col = at % h->values.cols;
				if (!is_zero(h, row, col))
					continue;
				const uint32_t rgb = cell_pixel(&image, &r.plots[i], h, row, col);
				n++;
				if (help_apart(rgb, pixel(&image, 0, 0)) >= zero_apart)
					fail_msg("%s on %d x %d: zero is #%06x",
						 with_zeros[k % WITH_ZEROS], size[0], size[1], rgb);
			}
		}
		help_tui_done(t);
		arena_clear(&help_arena);
	}
	assert_true(n > 80);
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* What neighbouring steps of a map differ by at least, to a normal and to any eye: of eight equal ones on
 * each arm, of twelve of a map from zero up; and those of the palette of 256. */
static const struct steps {
	const char *map;
	bool dark, diverging;
	double least[2][2];   /* of the arms, down and up: normal, any */
	double palette[2][2]; /* the same of the ladder */
} steps[] = {
	{"night", true, true, {{7.7, 5.9}, {9.6, 6.0}}, {{10.7, 8.2}, {8.0, 6.3}}},
	{"paper", false, true, {{7.9, 6.3}, {7.7, 6.0}}, {{10.3, 10.1}, {8.1, 5.9}}},
	{"slate", true, true, {{4.1, 3.5}, {5.4, 3.6}}, {{10.3, 9.3}, {11.9, 7.2}}},
	{"glow", true, false, {{0}, {6.9, 4.8}}, {{0}, {14.0, 9.7}}},
	{"ink", false, false, {{0}, {6.9, 4.9}}, {{0}, {13.4, 6.6}}},
};
enum { MAPS = sizeof steps / sizeof *steps };
static const double rounding = 0.1; /* of colours to 8 bits */

/* A ramp in steps from zero: the first row goes up, the first column down. */
static struct panel ramp(const struct steps *s, size_t n_steps)
{
	struct panel p = help_heatmap(n_steps + 1, s->diverging);
	p.heatmap.colormap = colormap_find(s->map);
	return p;
}

static void assert_steps(const uint32_t *colours, size_t n, const double least[2], const char *name)
{
	for (size_t k = 1; k < n; k++) {
		const double normal = help_apart(colours[k - 1], colours[k]);
		const double any = help_apart_to_any(colours[k - 1], colours[k]);
		if (normal < least[0] - rounding || any < least[1] - rounding)
			fail_msg("%s, step %zu: %.2f, any eye %.2f", name, k, normal, any);
	}
}

/* On cells, of one row and of half a row. */
static void steps_on_cells(const struct steps *s, enum tier tier, int rows)
{
	enum { MOST = 16 };
	const bool palette = tier == TIER_256;
	const size_t n = palette ? colormap_steps(colormap_find(s->map)) : s->diverging ? 8 : 12;
	const struct panel p = ramp(s, n);
	struct canvas *const c = canvas_new(&help_arena, rows, 70, tier, false, s->dark);
	struct rect data;
	struct heatmap_view v;
	canvas_panel(c, (struct rect){0, 0, rows, 70}, &p, false, &data, &v);
	assert_int_equal(v.rows, n + 1);
	assert_false(v.averaged);
	for (size_t up = s->diverging ? 0 : 1; up < 2; up++) {
		uint32_t colours[MOST];
		for (size_t k = 0; k <= n; k++)
			colours[k] = colour_of(c, spot_of(c, data, &v, up ? 0 : k, up ? k : 0));
		assert_steps(colours, n + 1, palette ? s->palette[up] : s->least[up],
			     arena_printf(&help_arena, "%s in %s, %s", s->map, tier_names[tier],
					  up ? "up" : "down"));
	}
}

TEST(steps_of_a_screen_are_those_of_the_maps)
{
	for (size_t k = 0; k < MAPS * 4; k++)
		steps_on_cells(&steps[k / 4], k % 2 ? TIER_256 : TIER_DIRECT, k / 2 % 2 ? 36 : 13);
}

TEST(steps_of_a_page_are_those_of_the_maps)
{
	for (size_t k = 0; k < MAPS * 2; k++) {
		const struct steps *const s = &steps[k / 2];
		const size_t n = s->diverging ? 8 : 12;
		struct figure f = {.title = "Steps", .subtitle = "", .caption = "", .n = 1};
		struct raster_report r;
		f.panels[0] = ramp(s, n);
		f.panels[0].rows = f.panels[0].cols = f.col_weight[0] = f.row_weight[0] = 1;
		const struct image image =
			image_of(&f, k % 2 ? 500 : 700, k % 2 ? 400 : 1200, s->dark, &r);
		assert_int_equal(r.plot_n, 1);
		for (size_t up = s->diverging ? 0 : 1; up < 2; up++) {
			uint32_t colours[16];
			for (size_t i = 0; i <= n; i++)
				colours[i] = cell_pixel(&image, r.plots, &f.panels[0].heatmap,
							up ? 0 : i, up ? i : 0);
			assert_steps(colours, n + 1, s->least[up], s->map);
		}
	}
}

/* Of few colours: the base ones of xterm, and Solarized's, where blue and cyan are nearest. */
static const uint32_t palettes[2][16] = {
	{0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
	 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	{0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5, 0x002b36,
	 0xcb4b16, 0x586e75, 0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3}};

/* How much of a cell its sign covers. */
static double cover_of(const char *glyph)
{
	static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
	for (int i = 0; i < 5; i++)
		if (strcmp(glyph, shades[i]) == 0)
			return i / 4.0;
	fail_msg("\"%s\" is no shade", glyph);
	return 0;
}

/* Of a cell without a number its mean in linear light. */
static double lightness_of(const struct cell *k, const uint32_t *palette, uint32_t page)
{
	const uint32_t fg = k->fg == CELL_DEFAULT ? page : palette[k->fg & 15];
	const uint32_t bg = k->bg == CELL_DEFAULT ? page : palette[k->bg & 15];
	return help_mixed(fg, bg, cover_of(k->at)).l;
}

/* Lightness goes one way from zero on, by what can be seen. */
TEST(steps_of_few_colours_are_in_order)
{
	const double least = 2.2 - 0.05;
	for (size_t k = 0; k < MAPS * 2 * 2; k++) {
		const struct steps *const s = &steps[k / 4];
		const bool dark = s->dark;
		const uint32_t *const palette = palettes[k % 2];
		const uint32_t page = dark ? k % 2 ? palette[8] : palette[0] : palette[15];
		struct canvas *const c =
			canvas_new(&help_arena, 40, 90, k / 2 % 2 ? TIER_16 : TIER_8, false, dark);
		const size_t n = !s->diverging || dark ? 6 : 5;
		struct panel p = ramp(s, n);
		struct rect data, at;
		struct heatmap_view v;
		canvas_panel(c, (struct rect){0, 0, 40, 90}, &p, false, &data, &v);
		for (size_t up = s->diverging ? 0 : 1; up < 2; up++) {
			double last = help_lab(page).l;
			for (size_t i = 1; i <= n; i++) {
				assert_true(canvas_place(data, &v, up ? 0 : i, up ? i : 0, &at));
				const struct cell *const cell =
					help_at(c, at.row + at.rows - 1, at.col + at.cols - 1);
				const double now = lightness_of(cell, palette, page);
				if ((now - last) * (dark ? 1 : -1) < least)
					fail_msg(
						"%s, %s, palette %zu, step %zu %s: %.1f after %.1f",
						s->map, tier_names[c->tier], k % 2, i,
						up ? "up" : "down", now, last);
				last = now;
			}
		}
	}
}

/* Without colours: shades for the size, a sign before them; in ASCII the sign and tenths. */
TEST(steps_without_colours_are_in_order)
{
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct panel p = ramp(&steps[0], 4);
		struct canvas *const c = canvas_new(&help_arena, 40, 90, TIER_MONO, ascii, true);
		struct rect data, at;
		struct heatmap_view v;
		canvas_panel(c, (struct rect){0, 0, 40, 90}, &p, false, &data, &v);
		for (size_t up = 0; up < 2; up++) {
			double last = 0;
			for (size_t i = 1; i <= 4; i++) {
				assert_true(canvas_place(data, &v, up ? 0 : i, up ? i : 0, &at));
				const int row = at.row + (at.rows - 1) / 2;
				const char *const text =
					help_between(&*c, row, at.col, at.col + at.cols);
				const double now =
					ascii ? strtod(text + 1, NULL)
					      : cover_of(help_at(c, row, at.col + at.cols - 1)->at);
				assert_true(now > last);
				assert_int_equal(strncmp(text,
							 up	 ? "+"
							 : ascii ? "-"
								 : "−",
							 up || ascii ? 1 : 3),
						 0);
				last = now;
			}
		}
	}
}
