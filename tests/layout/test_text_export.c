/* test_text_export.c: a canvas as text, plain and with SGR sequences. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/export/export.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/colormap.h"

FIXTURE(open_arena, close_arena)

/* One line of one cell in `style`, exported with colour. */
static const char *one(enum tier tier, unsigned attrs, uint32_t fg, uint32_t bg)
{
	struct canvas *const c = canvas_new(&arena, 1, 2, tier, false, true);
	char *data;
	size_t len;
	canvas_text_colour(c, 0, 0, 1, "x", attrs, fg, bg);
	export_text(c, true, &arena, &data, &len);
	assert_int_equal(len, strlen(data));
	return data;
}

TEST(style_is_written_for_the_tier)
{
	static const struct {
		enum tier tier;
		unsigned attrs;
		uint32_t fg, bg;
		const char *line;
	} cases[] = {
		{TIER_DIRECT, 0, CELL_DEFAULT, CELL_DEFAULT, "x\n"},
		{TIER_DIRECT, 0, CELL_RGB(0x010203), CELL_DEFAULT, "\033[0;38;2;1;2;3mx\033[0m\n"},
		{TIER_DIRECT, 0, CELL_DEFAULT, CELL_RGB(0xff8000),
		 "\033[0;48;2;255;128;0mx\033[0m\n"},
		{TIER_16, 0, CELL_ANSI(12), CELL_ANSI(4), "\033[0;94;44mx\033[0m\n"},
		{TIER_16, 0, CELL_ANSI(1), CELL_ANSI(15), "\033[0;31;107mx\033[0m\n"},
		{TIER_8, 0, CELL_ANSI(7), CELL_ANSI(1), "\033[0;37;41mx\033[0m\n"},
		{TIER_8, 0, CELL_ANSI(12), CELL_ANSI(9), "\033[0;1;34;41mx\033[0m\n"},
		{TIER_256, 0, CELL_ANSI(12), CELL_DEFAULT, "\033[0;94mx\033[0m\n"},
		{TIER_8, ATTR_BOLD | ATTR_ACCENT, CELL_DEFAULT, CELL_DEFAULT,
		 "\033[0;1;36mx\033[0m\n"},
		{TIER_MONO, ATTR_BOLD | ATTR_ACCENT, CELL_DEFAULT, CELL_DEFAULT,
		 "\033[0;1mx\033[0m\n"},
		{TIER_MONO, ATTR_DIM | ATTR_REVERSE | ATTR_UNDERLINE, CELL_RGB(1), CELL_RGB(2),
		 "\033[0;2;4;7mx\033[0m\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(one(cases[i].tier, cases[i].attrs, cases[i].fg, cases[i].bg),
				    cases[i].line);
}

TEST(tier_256_takes_the_nearest_fixed_entry)
{
	/* 0xff0000 and 0x5f87af are entries of the cube: 16 + 36r + 6g + b. */
	assert_string_equal(one(TIER_256, 0, CELL_RGB(0xff0000), CELL_RGB(0x5f87af)),
			    "\033[0;38;5;196;48;5;67mx\033[0m\n");
}

/* Entries of a map's ladder come out as they are. */
TEST(ladders_are_written_as_their_entries)
{
	for (const struct colormap *map = colormaps; map->name; map++)
		for (int i = 0; i < 5; i++) {
			const uint32_t rgb = colormap_256(map, i / 4.0);
			char wanted[64];
			snprintf(wanted, sizeof wanted, "\033[0;48;5;%dmx\033[0m\n",
				 colour_to_256(rgb));
			assert_int_equal(colour_from_256(colour_to_256(rgb)), rgb);
			assert_string_equal(one(TIER_256, 0, CELL_DEFAULT, CELL_RGB(rgb)), wanted);
		}
}

/* Cyan on white is hard to read, and contrast leaves nothing dim. */
TEST(accent_and_dim_follow_the_canvas)
{
	struct canvas *const c = canvas_new(&arena, 1, 2, TIER_256, false, false);
	char *data;
	size_t len;
	canvas_text(c, 0, 0, 1, "x", ATTR_ACCENT);
	canvas_text(c, 0, 1, 1, "y", ATTR_DIM);
	export_text(c, true, &arena, &data, &len);
	assert_string_equal(data, "\033[0;34mx\033[0;2my\033[0m\n");
	c->contrast = true;
	export_text(c, true, &arena, &data, &len);
	assert_string_equal(data, "\033[0;34mx\033[0my\033[0m\n");
}

/* A figure as text in every tier: only sequences of its tier, every line whole and reset, the same
 * letters with and without colour. */
TEST(figures_stay_within_their_tier)
{
	double values[36];
	const struct colormap *const maps[] = {colormap_find("viridis"), colormap_find("night")};
	for (size_t i = 0; i < 36; i++)
		values[i] = ((double)i - 18) / 18;
	for (enum tier tier = TIER_MONO; tier < TIER_COUNT; tier++)
		for (size_t k = 0; k < 2; k++) {
			struct canvas *const c =
				canvas_new(&arena, 12, 40, tier, tier == TIER_MONO, true);
			const struct panel p = {
				.title = "t",
				.kind = PANEL_HEATMAP,
				.heatmap = {
					.values = {.rows = 6, .cols = 6, .stride = 6, .at = values},
					.scale = scale_fit(-1, 1, SCALE_LINEAR, k, false),
					.colormap = maps[k]}};
			char *data, *plain;
			size_t len;
			canvas_panel(c, (struct rect){0, 0, 12, 40}, &p, true, NULL, NULL);
			export_text(c, true, &arena, &data, &len);
			export_text(c, false, &arena, &plain, &len);
			assert_null(strchr(plain, '\033'));
			assert_int_equal(strstr(data, "8;2;") != NULL, tier == TIER_DIRECT);
			assert_int_equal(strstr(data, "8;5;") != NULL, tier == TIER_256);
			for (char *line; (line = strsep(&data, "\n")) != NULL;) {
				const char *last = NULL;
				for (const char *at = line; (at = strchr(at, '\033')) != NULL; at++)
					last = at;
				if (last)
					assert_int_equal(strncmp(last, "\033[0m", 4), 0);
			}
		}
}

TEST(lines_are_trimmed_and_reset)
{
	struct canvas *const c = canvas_new(&arena, 3, 6, TIER_DIRECT, false, true);
	char *data;
	size_t len;
	canvas_text(c, 0, 1, 5, "猫", ATTR_BOLD);
	canvas_text(c, 0, 3, 5, "y", ATTR_BOLD);
	canvas_fill(c, (struct rect){1, 0, 1, 1}, ATTR_UNDERLINE, CELL_DEFAULT);
	canvas_fill(c, (struct rect){2, 0, 1, 2}, 0, CELL_RGB(0x000001));
	export_text(c, true, &arena, &data, &len);
	assert_string_equal(data, " \033[0;1m猫y\033[0m\n\033[0;4m \033[0m\n"
				  "\033[0;48;2;0;0;1m  \033[0m\n");
	export_text(c, false, &arena, &data, &len);
	assert_string_equal(data, " 猫y\n\n\n");
	assert_null(strchr(data, '\033'));
}

TEST(nothing_is_an_empty_text)
{
	char *data;
	size_t len;
	export_text(canvas_new(&arena, 0, 0, TIER_DIRECT, false, true), true, &arena, &data, &len);
	assert_int_equal(len, 0);
	assert_string_equal(data, "");
}
