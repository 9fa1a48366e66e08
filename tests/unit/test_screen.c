/* test_screen.c: what curses is told to show is what the canvas holds, in every tier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <locale.h>
#include <sys/stat.h>

#include "test.h"
#include "posviz/base/rng.h"
#include "posviz/plot/colormap.h"
#include "tui/terminal.h"

enum { ROWS = 60, COLUMNS = 200 };

static struct arena arena;
static SCREEN *screen;
static FILE *out, *in;
static struct terminal terminal;

static void open_screen(enum tier tier, const char *type, const char *const *pieces)
{
	char all[16384] = "";
	for (size_t k = 0; pieces && pieces[k]; k++)
		strcat(all, pieces[k]);
	if (pieces)
		setenv("TERMINFO", all, 1);
	else
		unsetenv("TERMINFO");
	setenv("LINES", "60", 1);
	setenv("COLUMNS", "200", 1);
	assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
	out = tmpfile();
	in = fopen("/dev/null", "r");
	assert_true(out && in);
	arena_init(&arena);
	screen = newterm(type, out, in);
	assert_non_null(screen);
	start_color();
	use_default_colors();
	assert_int_equal(LINES, ROWS);
	assert_int_equal(COLS, COLUMNS);
	terminal = (struct terminal){.tier = tier, .utf8 = true, .rows = ROWS, .cols = COLUMNS};
}

static int close_screen(void **state)
{
	(void)state;
	endwin();
	delscreen(screen);
	fclose(out);
	fclose(in);
	unsetenv("TERMINFO");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	arena_release(&arena);
	return 0;
}

FIXTURE(NULL, close_screen)

static struct canvas *half_blocks(enum tier tier, uint64_t seed, uint32_t colours)
{
	struct canvas *const c = canvas_new(&arena, ROWS, COLUMNS, tier, false, true);
	struct rng rng;
	rng_init(&rng, seed);
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		const bool rgb = tier >= TIER_256;
		const uint32_t least = rgb ? 8 : 0; /* below, direct colours are the base ones */
		const uint32_t top = least + (uint32_t)rng_below(&rng, colours - least);
		const uint32_t bottom = least + (uint32_t)rng_below(&rng, colours - least);
		c->cells[i] = (struct cell){.at = "▀",
					    .width = 1,
					    .fg = rgb ? CELL_RGB(top) : CELL_ANSI(top),
					    .bg = rgb ? CELL_RGB(bottom) : CELL_ANSI(bottom)};
	}
	return c;
}

/* The colours of the upper and lower half of a cell, as numbers of curses. */
static void halves_at(int row, int col, int *top, int *bottom)
{
	cchar_t cell;
	wchar_t glyph[CCHARW_MAX + 1];
	attr_t attrs;
	short unused;
	int pair = 0, fg, bg;
	assert_int_equal(mvin_wch(row, col, &cell), OK);
	assert_int_equal(getcchar(&cell, glyph, &attrs, &unused, &pair), OK);
	assert_int_equal(extended_pair_content(pair, &fg, &bg), OK);
	*top = glyph[0] == L'▀' ? fg : bg;
	*bottom = glyph[0] == L'▄' ? fg : bg;
	if (glyph[0] != L'▀' && glyph[0] != L'▄')
		assert_int_equal(glyph[0], L' ');
}

TEST(half_blocks_keep_their_colours)
{
	open_screen(TIER_DIRECT, "posviz-direct", terminfo_direct);
	const struct canvas *const c = half_blocks(TIER_DIRECT, 1, 1 << 24);
	screen_show(&terminal, c, -1, 0);
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		int top, bottom;
		halves_at(i / COLUMNS, i % COLUMNS, &top, &bottom);
		assert_int_equal(CELL_RGB((uint32_t)top), c->cells[i].fg);
		assert_int_equal(CELL_RGB((uint32_t)bottom), c->cells[i].bg);
	}
}

TEST(half_blocks_take_entries_of_256)
{
	open_screen(TIER_256, "xterm-256color", NULL);
	const struct canvas *const c = half_blocks(TIER_256, 2, 1 << 24);
	screen_show(&terminal, c, -1, 0);
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		int top, bottom;
		halves_at(i / COLUMNS, i % COLUMNS, &top, &bottom);
		assert_int_equal(top, colour_to_256(c->cells[i].fg & 0xffffff));
		assert_int_equal(bottom, colour_to_256(c->cells[i].bg & 0xffffff));
	}
}

TEST(half_blocks_of_eight_colours_fit_the_pairs)
{
	open_screen(TIER_8, "linux", NULL);
	assert_true(COLOR_PAIRS <= 64);
	const struct canvas *const c = half_blocks(TIER_8, 3, 8);
	screen_show(&terminal, c, -1, 0);
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		int top, bottom;
		halves_at(i / COLUMNS, i % COLUMNS, &top, &bottom);
		assert_int_equal(CELL_ANSI((uint32_t)top), c->cells[i].fg);
		assert_int_equal(CELL_ANSI((uint32_t)bottom), c->cells[i].bg);
	}
}

/* More pairs over time than there are: every frame still is exact. */
TEST(full_table_of_pairs_is_begun_anew)
{
	open_screen(TIER_DIRECT, "xterm-direct", NULL); /* of fewer pairs than our own */
	for (uint64_t frame = 0; frame < 8; frame++) {
		const struct canvas *const c = half_blocks(TIER_DIRECT, 10 + frame, 1 << 24);
		screen_show(&terminal, c, -1, 0);
		for (int i = 0; i < ROWS * COLUMNS; i++) {
			int top, bottom;
			halves_at(i / COLUMNS, i % COLUMNS, &top, &bottom);
			assert_int_equal(CELL_RGB((uint32_t)top), c->cells[i].fg);
			assert_int_equal(CELL_RGB((uint32_t)bottom), c->cells[i].bg);
		}
	}
}

static attr_t attrs_of(int row, int col, int *fg)
{
	cchar_t cell;
	wchar_t glyph[CCHARW_MAX + 1];
	attr_t attrs;
	short unused;
	int pair = 0, bg;
	mvin_wch(row, col, &cell);
	getcchar(&cell, glyph, &attrs, &unused, &pair);
	extended_pair_content(pair, fg, &bg);
	return attrs & (A_BOLD | A_DIM | A_REVERSE | A_UNDERLINE);
}

TEST(contrast_leaves_nothing_dim)
{
	int fg;
	open_screen(TIER_256, "xterm-256color", NULL);
	struct canvas *const c = canvas_new(&arena, 2, 20, TIER_256, false, true);
	canvas_text(c, 0, 0, 20, "x", ATTR_DIM | ATTR_UNDERLINE);
	screen_show(&terminal, c, -1, 0);
	assert_int_equal(attrs_of(0, 0, &fg), A_DIM | A_UNDERLINE);
	c->contrast = true;
	screen_show(&terminal, c, -1, 0);
	assert_int_equal(attrs_of(0, 0, &fg), A_UNDERLINE);
}

TEST(accent_reads_on_both_backgrounds)
{
	int fg;
	open_screen(TIER_256, "xterm-256color", NULL);
	struct canvas *const c = canvas_new(&arena, 2, 20, TIER_256, false, true);
	canvas_text(c, 0, 0, 20, "x", ATTR_ACCENT);
	screen_show(&terminal, c, -1, 0);
	attrs_of(0, 0, &fg);
	assert_int_equal(fg, COLOR_CYAN);
	c->dark = false;
	screen_show(&terminal, c, -1, 0);
	attrs_of(0, 0, &fg);
	assert_int_equal(fg, COLOR_BLUE);
}

/* On eight colours the bright ones are bold. */
TEST(bright_of_eight_is_bold)
{
	int fg;
	open_screen(TIER_8, "linux", NULL);
	struct canvas *const c = canvas_new(&arena, 2, 20, TIER_8, false, true);
	canvas_text_colour(c, 0, 0, 20, "x", 0, CELL_ANSI(12), CELL_DEFAULT);
	canvas_text_colour(c, 0, 1, 20, "y", 0, CELL_ANSI(4), CELL_DEFAULT);
	screen_show(&terminal, c, -1, 0);
	assert_int_equal(attrs_of(0, 0, &fg), A_BOLD);
	assert_int_equal(fg, COLOR_BLUE);
	assert_int_equal(attrs_of(0, 1, &fg), 0);
	assert_int_equal(fg, COLOR_BLUE);
}

/* A blank in colour may share the pair of the cell before it, but never its background. */
TEST(blanks_keep_their_background)
{
	open_screen(TIER_DIRECT, "posviz-direct", terminfo_direct);
	struct canvas *const c = canvas_new(&arena, 1, 8, TIER_DIRECT, false, true);
	static const uint32_t grounds[] = {0x102030, 0x102030, 0x405060, 0, 0x102030};
	canvas_text_colour(c, 0, 0, 1, "▀", 0, CELL_RGB(0xf0e0d0), CELL_RGB(0x102030));
	for (int i = 1; i < 5; i++)
		canvas_fill(c, (struct rect){0, i, 1, 1}, 0,
			    grounds[i] ? CELL_RGB(grounds[i]) : CELL_DEFAULT);
	screen_show(&terminal, c, -1, 0);
	for (int i = 1; i < 5; i++) {
		int top, bottom;
		halves_at(0, i, &top, &bottom);
		assert_int_equal(bottom, grounds[i] ? (int)grounds[i] : -1);
	}
	/* Reversed, its foreground is seen. */
	canvas_fill(c, (struct rect){0, 1, 1, 1}, ATTR_REVERSE, CELL_RGB(0x102030));
	screen_show(&terminal, c, -1, 0);
	int fg;
	assert_int_equal(attrs_of(0, 1, &fg), A_REVERSE);
	assert_int_equal(fg, -1);
}

static size_t bytes_written(void)
{
	struct stat st;
	assert_int_equal(fstat(fileno(out), &st), 0);
	return (size_t)st.st_size;
}

/* A matrix of 64 times 64 signed random values, two to a cell. */
static void paint_matrix(struct canvas *c, struct rng *rng)
{
	const struct colormap *const map = colormap_find("night");
	for (int row = 0; row < 32; row++)
		for (int col = 0; col < 64; col++) {
			struct cell *const cell = &c->cells[(row + 2) * c->cols + col + 8];
			const double top = rng_uniform(rng), bottom = rng_uniform(rng);
			const bool direct = c->tier == TIER_DIRECT;
			*cell = (struct cell){.at = "▀", .width = 1};
			cell->fg =
				CELL_RGB(direct ? colormap_rgb(map, top) : colormap_256(map, top));
			cell->bg = CELL_RGB(direct ? colormap_rgb(map, bottom)
						   : colormap_256(map, bottom));
		}
}

TEST(frames_cost_few_bytes)
{
	static const struct {
		enum tier tier;
		const char *type;
		const char *const *pieces;
		size_t full, row; /* at most */
	} rows[] = {{TIER_DIRECT, "posviz-direct", terminfo_direct, 90000, 3000},
		    {TIER_DIRECT, "posviz-tmux", terminfo_tmux, 90000, 3000},
		    {TIER_256, "xterm-256color", NULL, 60000, 2000}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rng rng;
		rng_init(&rng, i);
		open_screen(rows[i].tier, rows[i].type, rows[i].pieces);
		struct canvas *const c =
			canvas_new(&arena, ROWS, COLUMNS, rows[i].tier, false, true);
		screen_show(&terminal, c, -1, 0);
		const size_t empty = bytes_written();
		paint_matrix(c, &rng);
		screen_show(&terminal, c, -1, 0);
		const size_t full = bytes_written();
		assert_in_range(full - empty, 10000, rows[i].full);
		screen_show(&terminal, c, -1, 0);
		assert_in_range(bytes_written() - full, 0, 20); /* the cursor's place */
		for (int col = 8; col < 72; col++)
			c->cells[9 * COLUMNS + col].fg ^= 0x404040;
		const size_t before = bytes_written();
		screen_show(&terminal, c, -1, 0);
		assert_in_range(bytes_written() - before, 0, rows[i].row);
		if (i + 1 < sizeof rows / sizeof *rows)
			close_screen(state);
	}
}
