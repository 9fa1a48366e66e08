/* test_canvas_everyone.c: heatmaps for everyone: words of all scripts, few colours, a presenter's room,
 * contrast. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_colour.h"
#include "plot/canvas_map.h"
#include "posviz/base/text.h"

FIXTURE(help_begin, help_end)

/* ---- words of all kinds ---- */

static const char *const odd[] = {
	"猫", "e\u0301te\u0301", "عربي",	"שלום", "Donaudampfschifffahrtsgesellschaft",
	"א",  "日本語",		 "a\\u{200D}b", "ב3"};

static bool is_right_to_left(const char *at)
{
	uint32_t code = 0;
	return text_decode(at, strlen(at), &code) > 0 && code >= 0x590 && code <= 0x8FF;
}

/* A letter whose direction is left to right: of those that stand here, all that are neither digits
 * nor signs. The braille blank is one (Unicode: class L). */
static bool is_left_to_right(const char *at)
{
	uint32_t code = 0;
	const size_t len = text_decode(at, strlen(at), &code);
	if (code == 0x2800)
		return true;
	return len > 0 && !is_right_to_left(at) && code != ' ' && !(code >= '0' && code <= '9') &&
	       !text_symbol(code);
}

/* By the bidirectional algorithm (UAX 9, N1 and W2) nothing beyond a word from right to left moves
 * when a letter from left to right stands before the next such word or number. */
static void assert_isolated(const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++) {
		bool open = false, gap = false;
		for (int col = 0; col < c->cols; col++) {
			const char *const at = help_at(c, row, col)->at;
			const bool rtl = is_right_to_left(at), digit = *at >= '0' && *at <= '9';
			if (open && gap && (rtl || digit))
				fail_msg("row %d, column %d:\n%s", row, col, help_screen(c));
			if (is_left_to_right(at))
				open = gap = false;
			gap = open && (gap || (!rtl && !digit));
			open = open || rtl;
		}
	}
}

TEST(odd_words_keep_all_columns_in_their_places)
{
	for (size_t k = 0; k < 2 * HELP_ROOMS * 3; k++) {
		struct arena_mark mark = arena_mark(&help_arena);
		struct panel p = help_large(9, (enum heatmap_grid)(k % 3));
		p.heatmap.row_labels = p.heatmap.col_labels = odd;
		const struct rect r = help_rooms[k / 3 % HELP_ROOMS];
		struct canvas *const c = help_canvas(r.rows, 2 * r.cols, TIER_DIRECT, false);
		c->presenter = k >= HELP_ROOMS * 3;
		struct rect hit;
		struct heatmap_view v;
		canvas_panel(c, r, &p, false, &hit, &v);
		canvas_panel(c, (struct rect){0, r.cols, r.rows, r.cols}, &p, false, NULL, NULL);
		help_assert_whole(c);
		assert_isolated(c);
		for (int row = 0; row < c->rows; row++) {
			int width = 0;
			for (int col = 0; col < c->cols; col++)
				width += (int)text_width(help_at(c, row, col)->at);
			assert_int_equal(width, c->cols);
			/* Frames and values begin where they do beside plain words. */
			if (row > 0 && row < r.rows - 1 && r.rows >= 5) {
				assert_string_equal(help_at(c, row, 0)->at, "│");
				assert_string_equal(help_at(c, row, r.cols - 1)->at, "│");
			}
		}
		arena_rewind(&help_arena, mark);
	}
}

TEST(isolation_only_touches_blanks_behind_words)
{
	struct canvas *c = help_canvas(1, 16, TIER_MONO, false);
	canvas_text(c, 0, 0, 16, "ab אב  גד 12 x", 0);
	canvas_isolate(c, (struct rect){0, 0, 1, 16});
	assert_string_equal(help_screen(c), "ab אב\u2800 גד\u280012 x\n");
	c = help_canvas(1, 8, TIER_MONO, false);
	canvas_text(c, 0, 0, 8, "ab 猫 3", 0);
	canvas_isolate(c, (struct rect){-1, -1, 9, 99});
	assert_string_equal(help_screen(c), "ab 猫 3\n");
}

/* ---- few colours ---- */

TEST(palette_colours_are_those_of_the_ladder)
{
	struct panel p = help_large(9, GRID_AUTO);
	p.heatmap.has_cursor = false;
	struct canvas *const c = help_canvas(22, 47, TIER_256, false);
	struct rect hit;
	struct heatmap_view v;
	canvas_panel(c, help_rooms[1], &p, false, &hit, &v);
	for (size_t i = 0; i < 81; i++) {
		struct rect r;
		assert_true(canvas_place(hit, &v, i / 9, i % 9, &r));
		const double at = scale_at(&p.heatmap.scale, p.heatmap.values.at[i], NULL);
		assert_int_equal(help_at(c, r.row, r.col)->bg,
				 CELL_RGB(colormap_256(p.heatmap.colormap, at)));
	}
}

/* In every tier below 256, dark and light: a sign or a hue for what is not about zero, and zero, masked
 * and NaN look different without any colour. */
TEST(signs_are_told_in_small_tiers)
{
	static const enum tier tiers[] = {TIER_MONO, TIER_8, TIER_16};
	static const size_t ns[] = {4, 9, 20, 30};
	for (size_t k = 0; k < 3 * 2 * 4; k++) {
		struct panel p = help_large(ns[k / 6], GRID_AUTO);
		const size_t n = ns[k / 6];
		uint8_t *const masked = arena_calloc(&help_arena, n, n);
		struct canvas *const c =
			canvas_new(&help_arena, 22, 47, tiers[k % 3], false, k / 3 % 2);
		struct rect hit, r[4];
		struct heatmap_view v;
		masked[0] = 1;
		p.heatmap.masked = masked;
		p.heatmap.has_cursor = true;
		p.heatmap.row = p.heatmap.col = 3;
		p.heatmap.values.at[1] = NAN;
		p.heatmap.values.at[2] = 0;
		p.heatmap.values.at[n] = -1;
		p.heatmap.values.at[n + 1] = 1;
		canvas_panel(c, help_rooms[1], &p, false, &hit, &v);
		assert_false(v.averaged);
		assert_true(v.cell_rows2 >= 2);
		for (size_t i = 0; i < 3; i++)
			assert_true(canvas_place(hit, &v, 0, i, &r[i]));
		const char *text[5];
		for (size_t i = 0; i < 3; i++)
			text[i] = help_between(c, r[i].row + (r[i].rows - 1) / 2, r[i].col,
					       r[i].col + r[i].cols);
		assert_string_equal(text[0], "·");
		assert_string_equal(text[1], "!");
		assert_string_equal(text[2], "");
		for (size_t i = 0; i < 2; i++) {
			canvas_place(hit, &v, 1, i, &r[3]);
			text[3 + i] = help_between(c, r[3].row + (r[3].rows - 1) / 2, r[3].col,
						   r[3].col + r[3].cols);
			/* The first row may hold its number. */
			const int last = r[3].row + r[3].rows - 1;
			const uint32_t bg = help_at(c, last, r[3].col)->bg;
			const uint32_t fg = help_at(c, last, r[3].col)->fg;
			const bool on_dark = k / 3 % 2;
			if (tiers[k % 3] == TIER_MONO && v.cell_cols > 1)
				assert_memory_equal(text[3 + i], i == 0 ? "−" : "+",
						    i == 0 ? 3 : 1);
			else if (tiers[k % 3] == TIER_MONO)
				assert_string_equal(text[3 + i], i == 0 ? "d" : "4");
			else if (on_dark)
				assert_int_equal(bg, CELL_ANSI(i == 0 ? 6 : 3));
			else
				assert_true(fg == CELL_ANSI(0) && bg == CELL_ANSI(i == 0 ? 4 : 1));
		}
	}
}

/* The mean of the colours of a shaded cell in linear light, as a terminal with these colours shows
 * it: lightness goes one way from zero on, whatever the theme. */
TEST(shades_are_ordered_in_every_palette)
{
	/* Black, red, green, yellow, blue, cyan, white, and bright white; fore- and background. */
	static const struct {
		const char *name;
		uint32_t colour[16];
	} palettes[] = {
		{"xterm",
		 {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0, 0x00cdcd,
		  0xe5e5e5, [15] = 0xffffff}},
		{"VGA",
		 {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0, 0x00aaaa,
		  0xaaaaaa, [15] = 0xffffff}},
		{"Tango",
		 {0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0, 0x06989a,
		  0xd3d7cf, [15] = 0xeeeeec}},
		{"Campbell",
		 {0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0, 0x3a96dd,
		  0xcccccc, [15] = 0xf2f2f2}},
		{"Solarized",
		 {0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0, 0x2aa198,
		  0xeee8d5, [15] = 0xfdf6e3}},
	};
	for (size_t i = 0; i < sizeof palettes / sizeof *palettes * 4; i++) {
		const uint32_t *const colour = palettes[i / 4].colour;
		const bool dark = i % 2, diverging = i / 2 % 2;
		const uint32_t page = colour[dark ? 0 : 15];
		struct heatmap h = help_heatmap(9, diverging).heatmap;
		struct canvas *const c =
			canvas_new(&help_arena, 1, 1, i % 3 ? TIER_16 : TIER_8, false, dark);
		for (int sign = diverging ? -1 : 1; sign < 2; sign += 2) {
			double last = help_lab(page).l;
			const int n = (int)canvas_swatches(c, &h) / (diverging ? 2 : 1);
			for (int k = 1; k < n + diverging; k++) {
				const double x = sign * (double)k / (diverging ? n : n - 1);
				const struct swatch s =
					canvas_swatch(c, &h, diverging ? (x + 1) / 2 : x);
				const double now =
					help_mixed(s.fg == CELL_DEFAULT ? 0 : colour[s.fg & 15],
						   s.bg == CELL_DEFAULT ? page : colour[s.bg & 15],
						   s.fill == NULL	      ? 0
						   : strcmp(s.fill, "░") == 0 ? 0.25
						   : strcmp(s.fill, "▒") == 0 ? 0.5
									      : 0.75)
						.l;
				if ((now - last) * (dark ? 1 : -1) < 1.5)
					fail_msg("%s, %s, step %d: %g after %g",
						 palettes[i / 4].name, dark ? "dark" : "light",
						 sign * k, now, last);
				last = now;
			}
		}
	}
}

/* ---- presenter and contrast ---- */

TEST(presenter_has_large_cells_with_digits)
{
	static const size_t ns[] = {3, 9, 20, 64, 512};
	for (size_t k = 0; k < 5 * 3; k++) {
		struct panel p = help_large(ns[k / 3], GRID_AUTO);
		const struct rect r = {0, 0, 26, 58};
		static const enum tier tiers[] = {TIER_MONO, TIER_16, TIER_DIRECT};
		struct canvas *const c = help_canvas(r.rows, r.cols, tiers[k % 3], false);
		struct rect hit, at;
		struct heatmap_view v;
		c->presenter = true;
		p.heatmap.row = 1;
		p.heatmap.col = 0;
		p.heatmap.values.at[0] = -0.3141;
		p.heatmap.values.at[1] = 0.24;
		p.heatmap.values.at[2] = 0;
		canvas_panel(c, r, &p, false, &hit, &v);
		assert_false(v.averaged);
		assert_true(v.cell_rows2 >= 4 && v.cell_cols >= 4);
		assert_true(v.rows >= 6 || v.rows == ns[k / 3]);
		static const char *const begins[] = {"−.3", ".2", "0"};
		for (size_t i = 0; i < 3; i++) {
			assert_true(canvas_place(hit, &v, 0, i, &at));
			const bool shaded =
				tiers[k % 3] != TIER_DIRECT; /* digits above the shades */
			const char *text =
				help_between(c, at.row + (shaded ? 0 : (at.rows - 1) / 2), at.col,
					     at.col + at.cols);
			assert_int_equal(strncmp(text, begins[i], strlen(begins[i])), 0);
		}
		/* The cursor's cell is the only one that is white, or reversed where there are no such
		 * colours. */
		canvas_place(hit, &v, 1, 0, &at);
		for (int y = hit.row; y < hit.row + hit.rows; y++)
			for (int x = hit.col; x < hit.col + hit.cols; x++) {
				const bool inside = y >= at.row && y < at.row + at.rows &&
						    x >= at.col && x < at.col + at.cols;
				const struct cell *const cell = help_at(c, y, x);
				const bool white = tiers[k % 3] == TIER_DIRECT
							   ? cell->bg == CELL_RGB(0xffffff)
							   : (cell->attrs & ATTR_REVERSE) != 0;
				assert_int_equal(white, inside);
			}
	}
}

TEST(presenter_gives_way_in_small_panels)
{
	struct panel p = help_large(64, GRID_AUTO);
	struct canvas *const c = help_canvas(13, 30, TIER_DIRECT, false);
	struct heatmap_view v;
	c->presenter = true;
	canvas_panel(c, help_rooms[3], &p, false, NULL, &v);
	assert_true(v.rows >= 6 && v.cols >= 6);
}

TEST(presenter_draws_curves_thick)
{
	const struct panel p = help_curves();
	struct canvas *const c = help_canvas(12, 50, TIER_DIRECT, false);
	c->presenter = true;
	canvas_panel(c, (struct rect){0, 0, 12, 50}, &p, false, NULL, NULL);
	for (int i = 0; i < c->rows * c->cols; i++) {
		uint32_t code = 0;
		text_decode(c->cells[i].at, strlen(c->cells[i].at), &code);
		assert_false(code >= 0x2800 && code <= 0x28FF);
	}
}

TEST(contrast_has_nothing_dim)
{
	struct panel panels[] = {help_large(9, GRID_AUTO), help_large(64, GRID_FIT), help_curves(),
				 help_card()};
	uint8_t masked[81] = {0, 1};
	panels[0].heatmap.masked = masked;
	for (size_t i = 0; i < 12; i++) {
		struct panel p = panels[i % 4];
		struct canvas *const c = help_canvas(22, 47, TIER_DIRECT, false);
		struct rect hit, at;
		struct heatmap_view v;
		c->contrast = true;
		p.stale = i / 4 == 1;
		p.off = i / 4 == 2;
		canvas_panel(c, help_rooms[1], &p, i % 2, &hit, &v);
		for (int k = 0; k < c->rows * c->cols; k++)
			assert_false(c->cells[k].attrs & ATTR_DIM);
		if (i > 0)
			continue;
		assert_true(canvas_place(hit, &v, p.heatmap.row, p.heatmap.col, &at));
		const struct cell *const open = help_at(c, at.row + (at.rows - 1) / 2, at.col);
		assert_string_equal(open->at, "[");
		assert_int_equal(open->attrs, ATTR_BOLD | ATTR_REVERSE);
	}
}
