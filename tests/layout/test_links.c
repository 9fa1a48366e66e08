/* test_links.c: how tokens moved, and the pages around it, on cells and on paper: words, lines and
 * lists say the same; nothing is told by colour alone; every size and every writing holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "posviz/base/text.h"

FIXTURE(help_begin, help_end)

static struct panel links_panel(size_t n, enum help_words words)
{
	return (struct panel){
		.kind = PANEL_LINKS, .title = "Moves", .links = help_links(&help_arena, n, words)};
}

static struct canvas *draw(const struct panel *p, int rows, int cols, enum tier tier, bool ascii)
{
	struct canvas *c = help_canvas(rows, cols, tier, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, p, false, NULL, NULL);
	return c;
}

/* The first cell of `text` in a row, at or after `from`; NULL when it is not there. */
static const struct cell *find_text(const struct canvas *c, int row, int from, const char *text)
{
	for (int col = from; col < c->cols; col++) {
		const char *at = text;
		for (int k = col; k < c->cols && *at != '\0'; k++) {
			const char *glyph = help_at(c, row, k)->at;
			if (strncmp(at, glyph, strlen(glyph)) != 0)
				break;
			at += strlen(glyph);
		}
		if (*at == '\0')
			return help_at(c, row, col);
	}
	return NULL;
}

/* The row that begins with a title, or -1. */
static int row_of(const struct canvas *c, const char *title)
{
	for (int row = 0; row < c->rows; row++)
		if (find_text(c, row, 0, title) != NULL)
			return row;
	return -1;
}

/* ---- cells ---- */

TEST(both_orders_stand_in_their_rows)
{
	const struct panel p = links_panel(7, WORDS_SHORT);
	const struct canvas *c = draw(&p, 14, 80, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	/* Every third token stays; the other six go round. */
	assert_non_null(
		strstr(screen, "as written    the     cat    chases   the     dog    again     ."));
	assert_non_null(strstr(
		screen, "now           cat     the    chases   dog      .     again    the"));
	assert_non_null(
		strstr(screen, "order          2       4       3       5       7       6       1"));
	assert_non_null(
		strstr(screen, "position       1       2       3       4       5       6       7"));
}

TEST(a_moved_token_is_bold_and_one_that_stayed_dim)
{
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		const struct panel p = links_panel(7, WORDS_SHORT);
		const struct canvas *c = draw(&p, 14, 80, tier, false);
		for (int i = 0; i < 2; i++) {
			const int row = row_of(c, i == 0 ? "as written" : "now");
			const struct cell *moved = find_text(c, row, 12, "cat");
			const struct cell *stayed = find_text(c, row, 12, "chases");
			assert_true(moved->attrs & ATTR_BOLD);
			assert_true(stayed->attrs & ATTR_DIM && !(stayed->attrs & ATTR_BOLD));
			assert_int_equal(stayed->fg, CELL_DEFAULT);
			if (tier == TIER_MONO)
				assert_int_equal(moved->fg, CELL_DEFAULT);
			else
				assert_int_not_equal(moved->fg, CELL_DEFAULT);
		}
	}
}

TEST(the_cursors_token_is_underlined_in_both_rows)
{
	struct panel p = links_panel(7, WORDS_SHORT);
	p.links.has_cursor = true;
	p.links.cursor = 3; /* "dog", which stood fifth */
	const struct canvas *c = draw(&p, 14, 80, TIER_DIRECT, false);
	for (int i = 0; i < 2; i++) {
		const int row = row_of(c, i == 0 ? "as written" : "now");
		assert_true(find_text(c, row, 12, "dog")->attrs & ATTR_UNDERLINE);
		assert_false(find_text(c, row, 12, "cat")->attrs & ATTR_UNDERLINE);
	}
}

/* Line cells between the rows of words: how many, and whether all stand in one column. */
static bool upright(const struct canvas *c, int from, int to, int col)
{
	for (int row = from; row < to; row++)
		if (strcmp(help_at(c, row, col)->at, " ") == 0)
			return false;
	return true;
}

TEST(only_a_token_that_stayed_has_an_upright_line)
{
	for (int form = 0; form < 3; form++) {
		const struct panel p = links_panel(7, WORDS_SHORT);
		struct canvas *c = help_canvas(14, 80, TIER_DIRECT, form == 2);
		c->quadrants = form == 1;
		canvas_panel(c, (struct rect){0, 0, 14, 80}, &p, false, NULL, NULL);
		const int top = row_of(c, "as written"), bottom = row_of(c, "now");
		assert_true(bottom - top > 5);
		const int stays = (int)(find_text(c, top, 12, "chases") - help_at(c, top, 0)) + 2;
		const int moves = (int)(find_text(c, top, 12, "cat") - help_at(c, top, 0)) + 1;
		assert_true(upright(c, top + 1, bottom, stays));
		assert_false(upright(c, top + 1, bottom, moves));
	}
}

TEST(three_rows_hold_a_list_of_what_moved)
{
	struct panel p = links_panel(7, WORDS_SHORT);
	const struct canvas *c = draw(&p, 5, 70, TIER_DIRECT, false);
	const char *const list = "cat 2→1   the 4→2   dog 5→4   . 7→5   the 1→7";
	assert_non_null(strstr(help_screen(c), list));
	assert_null(strstr(help_screen(c), "chases"));
	c = draw(&p, 5, 30, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(c), "the 1→7"));
	c = draw(&p, 3, 22, TIER_MONO, true);
	assert_non_null(strstr(help_screen(c), "cat 2>1"));
	assert_non_null(strstr(help_screen(c), "~ 2 more"));
	static const struct link one[] = {{0, 1, false}, {1, 0, true}};
	p.links.links = one;
	p.links.n = 2;
	c = draw(&p, 5, 30, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(c), "cat: moved from 2 to 1")); /* the second word */
	c = draw(&p, 5, 60, TIER_DIRECT, false);
	const struct cell *const was = find_text(c, 2, 0, "the cat chases the dog again ."),
				 *const now = find_text(c, 3, 0, "cat the chases dog . again the");
	assert_non_null(was);
	assert_non_null(now);
	assert_ptr_equal(was + c->cols, now); /* one below the other */
	assert_non_null(find_text(c, 3, 0, "now"));
	static const struct link still[] = {{0, 0, false}, {1, 1, false}};
	p.links.links = still;
	p.links.n = 2;
	c = draw(&p, 5, 30, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(c), "no token moved"));
}

static bool has_underlined(const struct canvas *c, int row)
{
	for (int col = 0; col < c->cols; col++)
		if (help_at(c, row, col)->attrs & ATTR_UNDERLINE)
			return true;
	return false;
}

/* n words of so many letters, all different, the reverse below; the cursor on one of them. */
static struct panel reversed(size_t n, int letters, size_t cursor)
{
	const char **const above = arena_calloc(&help_arena, n, sizeof *above);
	const char **const below = arena_calloc(&help_arena, n, sizeof *below);
	struct link *const links = arena_calloc(&help_arena, n, sizeof *links);
	for (size_t i = 0; i < n; i++) {
		above[i] = arena_printf(&help_arena, "%c%c%.*s", 'a' + (int)(i / 10),
					'0' + (int)(i % 10), letters - 2, "xxxxxxxxxx");
		below[n - 1 - i] = above[i];
		links[i] = (struct link){n - 1 - i, i, 2 * i + 1 != n};
	}
	return (struct panel){.kind = PANEL_LINKS,
			      .title = "Moves",
			      .links = {n, n, n, above, below, "as written", "in reverse", links,
					true, cursor, NULL}};
}

static size_t times(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		n++;
	return n;
}

/* Words that have no room in one line have it in two; then they are shortened, and all have a name. */
TEST(every_end_has_its_word)
{
	static const struct {
		size_t n;
		int letters, rows, cols;
		bool whole;
	} cases[] = {{9, 6, 14, 42, true},   {16, 4, 10, 47, true},  {16, 8, 10, 47, false},
		     {20, 8, 10, 47, false}, {30, 7, 12, 80, false}, {36, 3, 12, 80, true},
		     {9, 7, 9, 62, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t n = cases[i].n;
		const struct panel p = reversed(n, cases[i].letters, n / 3);
		const struct canvas *c = draw(&p, cases[i].rows, cases[i].cols, TIER_DIRECT, false);
		const char *const screen = help_screen(c);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(
				times(screen, cases[i].whole ? p.links.above[k]
							     : arena_strndup(&help_arena,
									     p.links.above[k], 2)),
				2);
	}
}

/* A low panel has a list of whole words where the words of a row would be cut to a few letters. */
TEST(words_without_room_are_whole_in_a_list)
{
	const struct panel p = reversed(18, 7, 5);
	const char *const screen = help_screen(draw(&p, 7, 80, TIER_DIRECT, false));
	for (size_t k = 0; k < 18; k++)
		assert_int_equal(times(screen, arena_printf(&help_arena, "%s %zu→%zu",
							    p.links.above[k], k + 1, 18 - k)),
				 1);
}

/* Where there is less than a column and a half for each there are two rulers of all places, and the
 * cursor's word. */
TEST(rulers_cover_all_places)
{
	static const size_t lengths[] = {60, 300, 4000};
	for (size_t i = 0; i < 3; i++) {
		const size_t n = lengths[i];
		struct panel p = links_panel(n, WORDS_SHORT);
		p.links.has_cursor = true;
		p.links.cursor = 11;
		const struct canvas *c = draw(&p, 12, 60, TIER_DIRECT, false);
		const char *const screen = help_screen(c);
		assert_true(has_underlined(c, 2));
		assert_true(has_underlined(c, 9));
		/* The last tick lies in the last sixth. */
		const char *const tick = n == 60 ? " 60" : n == 300 ? " 300" : " 4000";
		assert_int_equal(times(screen, tick), 2);
		assert_non_null(strstr(screen, n == 60	  ? "a line for one of 2 tokens"
					       : n == 300 ? "a line for one of 6 tokens"
							  : "a line for one of 72 tokens"));
	}
}

TEST(a_token_has_one_name_in_both_rows)
{
	const size_t n = 12, *order = help_order(&help_arena, n);
	const struct panel p = links_panel(n, WORDS_LONG);
	const char *const screen = help_screen(draw(&p, 14, 80, TIER_DIRECT, false));
	for (size_t i = 0; i < n; i++) { /* "D…10": the place as written tells long words apart */
		const char *const name = arena_printf(&help_arena, "…%zu", order[i] + 1);
		assert_int_equal(times(screen, arena_printf(&help_arena, "%s ", name)) +
					 times(screen, arena_printf(&help_arena, "%s│", name)),
				 2);
	}
}

/* Tokens that change sides do not meet in one point: everywhere between the words lines are apart. */
TEST(a_reversal_is_spread_out)
{
	for (int form = 0; form < 3; form++) {
		const struct panel p = reversed(9, 6, 2);
		struct canvas *c = help_canvas(16, 60, TIER_DIRECT, form == 2);
		c->quadrants = form == 1;
		canvas_panel(c, (struct rect){0, 0, 16, 60}, &p, false, NULL, NULL);
		for (int row = 4; row < 12; row++) {
			const size_t wide = strlen(help_between(c, row, 1, 59));
			assert_true(wide >= (form == 2 ? 9 : 9 * 3));
		}
	}
}

/* Whatever the size: whole characters, nothing beyond the panel, ASCII where that is all there is. */
TEST_SAMPLED(links_fit_everywhere, 1, 3)
{
	static const size_t sizes[] = {0, 1, 2, 7, 12, 24, 64, 300};
	for (size_t i = 0; i < 8 * WORDS_KINDS; i++) {
		struct panel p =
			links_panel(sizes[i / WORDS_KINDS], (enum help_words)(i % WORDS_KINDS));
		p.links.has_cursor = i % 2 == 1 && p.links.n > 0;
		p.links.cursor = p.links.n / 2;
		for (int rows = 0; rows <= 16; rows += rows < 8 ? 1 : 4) {
			for (int cols = 0; cols <= 90; cols += cols < 16 ? 3 : 17) {
				if (((size_t)(rows + cols) / 3 + i) % test_parts != test_part)
					continue;
				const bool ascii = (rows + cols) % 2 == 0;
				struct canvas *c =
					help_canvas(20, 100, (enum tier)(i % TIER_COUNT), ascii);
				canvas_panel(c, (struct rect){2, 3, rows, cols}, &p, rows % 2 == 0,
					     NULL, NULL);
				help_assert_whole(c);
				for (int k = 0; k < 20 * 100; k++) {
					const int row = k / 100, col = k % 100;
					const struct cell *cell = help_at(c, row, col);
					const bool inside = row >= 2 && row < 2 + rows &&
							    col >= 3 && col < 3 + cols;
					assert_true(inside || strcmp(cell->at, " ") == 0);
					assert_true(!ascii || cell->width != 1 || p.links.n == 0 ||
						    (unsigned char)cell->at[0] < 128 ||
						    i % WORDS_KINDS != WORDS_SHORT);
				}
			}
		}
	}
}

/* ---- bars on cells ---- */

static struct panel bars_panel(void)
{
	static const char *const labels[] = {"unit–unit", "unit–position", "rest"};
	static const double values[] = {0.6, -0.3, 0.1};
	static const char *const notes[] = {"60 %", "−30 %", "10 %"};
	static const bool off[] = {false, false, true};
	return (struct panel){
		.kind = PANEL_BARS,
		.title = "Shares",
		.bars = {3, labels, values, notes, off, "share of variance", true, 1}};
}

TEST(bars_tell_notes_off_and_cursor_in_words)
{
	const struct panel p = bars_panel();
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct canvas *c = draw(&p, 8, 50, TIER_16, ascii);
		const char *const screen = help_screen(c);
		const int rest = row_of(c, "rest"),
			  here = row_of(c, ascii ? "unit-pos" : "unit–pos");
		assert_non_null(find_text(c, rest, 20, "10 % off"));
		assert_null(find_text(c, here, 20, "off"));
		assert_non_null(find_text(c, here, 1, ascii ? ">" : "▸"));
		assert_null(find_text(c, rest, 1, ascii ? ">" : "▸"));
		assert_non_null(strstr(screen, "share of variance"));
		assert_non_null(find_text(c, rest, 14, ascii ? "." : "░"));
		/* Below zero to the left of the line, above it to the right. */
		const struct cell *line = find_text(c, here, 14, ascii ? "|" : "│");
		assert_string_equal(line[-1].at, ascii ? "#" : "▆");
		assert_string_equal(line[1].at, " ");
		line = find_text(c, here - 1, 14, ascii ? "|" : "│");
		assert_string_equal(line[-1].at, " ");
		assert_string_equal(line[1].at, ascii ? "#" : "▆");
	}
}

TEST(bars_fit_everywhere)
{
	const struct panel p = bars_panel();
	for (int rows = 0; rows <= 10; rows++) {
		for (int cols = 0; cols <= 60; cols++) {
			struct canvas *c = help_canvas(14, 70, TIER_DIRECT, cols % 2);
			canvas_panel(c, (struct rect){2, 3, rows, cols}, &p, false, NULL, NULL);
			help_assert_whole(c);
			for (int k = 0; k < 14 * 70; k++) {
				const int row = k / 70, col = k % 70;
				if (row < 2 || row >= 2 + rows || col < 3 || col >= 3 + cols)
					assert_string_equal(help_at(c, row, col)->at, " ");
			}
		}
	}
}

TEST(a_card_in_one_line_names_its_numbers)
{
	static const struct card_line lines[] = {{"reference", "relative", NULL},
						 {"learned", "no", NULL},
						 {"order", "0.62", "of 8 shuffles"},
						 {"shift", "0 (2e-16)", NULL},
						 {"prefix", "n/a", NULL}};
	const struct panel p = {
		.kind = PANEL_CARD, .title = "Card", .card = {.lines = lines, .n = 5}};
	const char *const screen = help_screen(draw(&p, 1, 80, TIER_DIRECT, false));
	assert_string_equal(screen, "  Card  relative · learned no · order 0.62 · "
				    "shift 0 (2e-16) · prefix n/a\n");
	/* At 40 columns whole items only. */
	assert_string_equal(help_screen(draw(&p, 1, 40, TIER_DIRECT, false)),
			    "  Card  relative · learned no · 3 more\n");
}

/* ---- paper ---- */

static const struct raster_look looks[] = {{1600, 1000, 150, false, false},
					   {1600, 1000, 150, true, false},
					   {800, 500, 96, false, false}};
static const size_t lengths[] = {1, 7, 12, 24, 64, 100};

static struct image draw_page(const struct figure *f, const struct raster_look *look,
			      struct raster_report *r)
{
	struct image image = {0};
	struct err err = {{0}};
	if (!raster_image(f, look, &help_arena, &image, r, &err))
		fail_msg("%s at %g x %g: %s", f->title, look->width, look->height, err.text);
	return image;
}

static struct figure page_of(size_t i, struct help_page *page)
{
	static const size_t maps[] = {9, 5, 1};
	*page = (struct help_page){.n = lengths[i % 6],
				   .words = (enum help_words)(i / 6 % WORDS_KINDS),
				   .dark = i % 5 == 0,
				   .cursor = i % 2 == 0,
				   .off = i % 4 < 2,
				   .maps = maps[i % 3]};
	return i / (6 * WORDS_KINDS) == 0 ? help_terms(&help_arena, page)
					  : help_order_page(&help_arena, page);
}

TEST_SAMPLED(pages_read_well, 1, 3)
{
	for (size_t i = 0; i < 2 * 6 * WORDS_KINDS; i++) {
		struct help_page page;
		struct raster_report r;
		if ((i + i / 6) % test_parts != test_part) /* each length with each kind of page */
			continue;
		const struct figure f = page_of(i, &page);
		struct raster_look look = looks[i % 3];
		look.dark = page.dark;
		draw_page(&f, &look, &r);
		const char *const what =
			arena_printf(&help_arena, "page %zu: %s, n %zu", i, f.title, page.n);
		help_page_reads(what, &r, look.width, look.height);
		for (size_t k = 0; k < r.plot_n; k++) {
			const struct plot_box *b = &r.plots[k];
			const enum panel_kind kind = f.panels[b->panel].kind;
			const struct text_box data = {b->x + 1, b->y + 1, b->width - 2,
						      b->height - 2};
			assert_true(b->x >= 0 && b->x + b->width <= look.width);
			assert_true(b->y >= 0 && b->y + b->height <= look.height);
			for (size_t m = 0; m < r.n && kind != PANEL_BARS; m++)
				if (r.boxes[m].paper == (page.dark ? 0x1a1b20 : 0xffffff) &&
				    text_box_overlap(&r.boxes[m], &data))
					fail_msg("%s: on the data: %s", what, r.boxes[m].text);
		}
		arena_clear(&help_arena);
	}
}

TEST(maps_of_one_scale_are_equal_and_in_line)
{
	static const enum help_words kinds[] = {WORDS_SHORT, WORDS_MIXED};
	for (size_t i = 0; i < 2; i++) {
		const struct help_page page = {.n = 7, .words = kinds[i], .maps = 9};
		struct raster_report r;
		const struct figure f = help_terms(&help_arena, &page);
		draw_page(&f, &looks[0], &r);
		for (size_t k = 0; k < 9; k++) {
			assert_int_equal(r.plots[k].panel, k);
			assert_float_equal(r.plots[k].width, r.plots[0].width, 1e-9);
			assert_float_equal(r.plots[k].height, r.plots[0].height, 1e-9);
			assert_float_equal(r.plots[k].x, r.plots[k % 3].x, 1e-9);
			assert_float_equal(r.plots[k].y, r.plots[k / 3 * 3].y, 1e-9);
		}
		/* Every matrix has the names of its rows, and there is one bar. */
		size_t bars = 0, names = 0;
		for (size_t k = 0; k < r.n; k++) {
			bars += strcmp(r.boxes[k].text, "+2.4") == 0;
			names += strcmp(r.boxes[k].text, "the") == 0 && r.boxes[k].angle == 0;
		}
		assert_int_equal(bars, 1);
		assert_true(names >= 9);
	}
}

/* Where the place of this number, from 0, is on the page. */
static double place_x(const struct raster_report *r, size_t at)
{
	const char *const number = arena_printf(&help_arena, "%zu", at + 1);
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *const b = &r->boxes[i];
		if (strcmp(b->text, number) == 0 && b->y < r->plots[3].y && b->y > r->plots[0].y)
			return b->x + b->width / 2;
	}
	fail_msg("no place %s", number);
	return 0;
}

TEST(lines_end_at_their_words)
{
	for (size_t dark = 0; dark < 2; dark++) {
		const struct help_page page = {.n = 7, .dark = dark == 1};
		struct raster_report r;
		const struct figure f = help_order_page(&help_arena, &page);
		const struct image image = draw_page(&f, &looks[dark], &r);
		const struct plot_box *plot = &r.plots[3];
		const struct links *l = &f.panels[3].links;
		assert_int_equal(plot->panel, 3);
		size_t moved = 0;
		for (size_t k = 0; k < l->n; k++) {
			const double from = place_x(&r, l->links[k].from);
			const double to = place_x(&r, l->links[k].to);
			const uint32_t a = help_pixel(&image, from, plot->y + 1);
			const uint32_t b = help_pixel(&image, to, plot->y + plot->height - 1);
			if (!l->links[k].strong)
				continue;
			/* One colour for tokens that went back, one for those that went on. */
			const size_t colour = l->links[k].to < l->links[k].from ? 0 : 1;
			assert_int_equal(a, figure_series_colour(colour, dark));
			assert_int_equal(b, figure_series_colour(colour, dark));
			moved++;
		}
		assert_int_equal(moved, 5);
	}
}

/* How far apart the outermost pixels of a row are that are not paper. */
static double extent(const struct image *image, const struct plot_box *plot, double y)
{
	const uint32_t paper = help_pixel(image, 1, 1);
	double first = INFINITY, last = 0;
	for (double x = plot->x; x < plot->x + plot->width; x++)
		if (help_pixel(image, x, y) != paper) {
			first = fmin(first, x);
			last = x;
		}
	return last - first;
}

/* On paper as well: lines are everywhere apart, and there is no knot in the middle. */
TEST(a_reversal_is_spread_out_on_paper)
{
	const struct help_page page = {.n = 16};
	struct raster_report r;
	struct figure f = help_order_page(&help_arena, &page);
	f.panels[3].links = reversed(16, 6, 0).links;
	f.panels[3].links.has_cursor = false;
	const struct image image = draw_page(&f, &looks[0], &r);
	const struct plot_box *const plot = &r.plots[3];
	for (double y = plot->y + 2; y < plot->y + plot->height - 2; y++)
		assert_true(extent(&image, plot, y) >= plot->width / 5);
}

/* Words that find no room side by side stand in two lines: all of sixty are there. */
TEST(sixty_ends_have_words_on_paper)
{
	const struct help_page page = {.n = 60};
	struct raster_report r;
	struct figure f = help_order_page(&help_arena, &page);
	f.panels[3].links = reversed(60, 4, 0).links;
	draw_page(&f, &looks[0], &r);
	size_t words = 0;
	for (size_t i = 0; i < r.n; i++)
		words += strstr(r.boxes[i].text, "xx") != NULL;
	assert_int_equal(words, 120);
}

TEST(what_is_off_is_pale_and_says_so)
{
	const struct help_page page = {.n = 7, .maps = 4, .off = true};
	struct raster_report r;
	const struct figure f = help_terms(&help_arena, &page);
	const struct image image = draw_page(&f, &looks[0], &r);
	assert_non_null(help_box_of(&r, "unit–position (off)"));
	assert_non_null(help_box_of(&r, "off"));
	assert_true(help_box_of(&r, "off")->y == help_box_of(&r, "−3 %")->y);
	assert_null(help_box_of(&r, "unit–unit (off)"));
	for (size_t k = 0; k < 4; k++) {
		const struct heatmap *h = &f.panels[k].heatmap;
		const uint32_t full =
			colormap_rgb(h->colormap, scale_at(&h->scale, h->values.at[0], NULL));
		const double cell = r.plots[k].width / 7;
		const uint32_t got =
			help_pixel(&image, r.plots[k].x + cell / 2, r.plots[k].y + cell * 0.2);
		for (int shift = 0; shift <= 16; shift += 8) {
			/* Two fifths of the way from white. */
			const double c = full >> shift & 255, pale = 255 + 0.4 * (c - 255);
			const double want = k == 1 ? pale : c;
			assert_float_equal((double)(got >> shift & 255), want, 1);
		}
	}
}

TEST(paper_shows_nothing_stale)
{
	const struct help_page page = {.n = 7, .maps = 4};
	struct figure f = help_terms(&help_arena, &page);
	struct raster_report r;
	const struct image fresh = draw_page(&f, &looks[2], &r);
	for (size_t i = 0; i < f.n; i++)
		f.panels[i].stale = true;
	const struct image stale = draw_page(&f, &looks[2], &r);
	assert_memory_equal(fresh.rgb, stale.rgb, 3u * 800 * 500);
}
