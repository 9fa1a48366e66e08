/* test_lines.c: what is pointed out by name: lines of cards, tables and bars, and columns of tables. */
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "plot/canvas_in.h"
#include "posviz/export/export.h"
#include "posviz/plot/raster.h"

FIXTURE(help_begin, help_end)

static const struct card_line lines[] = {{"alpha", "one", "first note"},
					 {"beta", "0 (5e-16), 0.014", "second note"},
					 {NULL, "three", "third note"},
					 {"gamma", "four", "fourth note"},
					 {"delta", "five", "fifth note"}};
enum { LINES = sizeof lines / sizeof *lines, ROWS = 30, COLS = 40, WIDE = 60, BOX = 2 };

static struct panel card_panel(void)
{
	return (struct panel){.kind = PANEL_CARD,
			      .title = "Card",
			      .rows = 1,
			      .cols = 1,
			      .card = {.lines = lines, .n = LINES, .n_spare = 2}};
}

/* A table whose last two columns go one after the other, and bars. */
static struct panel table_panel(void)
{
	static const char *const head[] = {"scheme", "reference", "made", "unbounded"};
	static const char *const cells[] = {"Group", "",    "",	  "",	      "rope", "relative",
					    "0",     "yes", "t5", "relative", "128",  "no"};
	static const bool group[] = {true, false, false};
	static const unsigned char priority[] = {0, 1, 2, 3};
	return (struct panel){.kind = PANEL_TABLE,
			      .title = "Table",
			      .table = {.rows = 3,
					.cols = 4,
					.head = head,
					.cells = cells,
					.group = group,
					.priority = priority}};
}

static struct panel bars_panel(void)
{
	static const char *const labels[] = {"words", "places"}, *const notes[] = {"53 %", "47 %"};
	static const double values[] = {0.53, 0.47};
	return (struct panel){
		.kind = PANEL_BARS,
		.title = "Bars",
		.bars = {.n = 2, .labels = labels, .values = values, .notes = notes, .unit = ""}};
}

/* The figure of this panel, where what is called so is pointed out. */
static struct panel marked(struct panel p, enum mark_kind kind, const char *name)
{
	static struct figure f;
	const struct mark m = {.kind = kind, .name = name};
	f = (struct figure){.n = 1, .panels = {p}};
	assert_true(figure_has_mark(&f, &m, &help_arena, NULL));
	figure_mark(&f, &m, 1, 0, &help_arena);
	return f.panels[0];
}

static const char *drawn(const struct panel *p, int rows, int cols)
{
	struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, p, false, NULL, NULL);
	return help_screen(c);
}

static bool comes_before(const char *text, const char *first, const char *second)
{
	const char *const a = strstr(text, first), *const b = strstr(text, second);
	return a != NULL && (b == NULL || a < b);
}

TEST(a_line_comes_first_where_not_all_have_room)
{
	const struct panel p = marked(card_panel(), MARK_LINE, "DEL"), plain = card_panel();
	const char *const all = drawn(&p, LINES + 2 + BOX, COLS);
	const char *const some = drawn(&p, 3 + BOX + 2, COLS);
	assert_true(comes_before(all, "alpha", "▸ delta  five"));
	assert_true(comes_before(drawn(&plain, 4 + BOX, COLS), "alpha", "delta"));
	for (int rows = 5; rows < LINES + BOX; rows++) {
		const char *const screen = drawn(&p, rows, COLS);
		assert_true(comes_before(screen, "▸ delta  five", "alpha"));
	}
	assert_non_null(strstr(some, "five"));
	/* In one line. */
	struct canvas *const c = help_canvas(1, COLS, TIER_DIRECT, false);
	canvas_card_line(c, &help_arena, (struct rect){0, 0, 1, COLS}, &p, false);
	assert_true(comes_before(help_screen(c), "delta five", "one"));
}

/* What continues a line goes with it, and none of it is spare. */
TEST(a_line_takes_with_it_what_continues_it)
{
	const struct panel p = marked(card_panel(), MARK_LINE, "beta");
	const struct card first = card_marked_first(&help_arena, &p.card);
	assert_string_equal(first.lines[0].key, "beta");
	assert_string_equal(first.lines[1].value, "three");
	assert_string_equal(first.lines[2].key, "alpha");
	assert_int_equal(first.n_spare, 2);
	const struct panel last = marked(card_panel(), MARK_LINE, "gamma");
	assert_int_equal(card_marked_first(&help_arena, &last.card).n_spare, 1);
}

TEST(a_page_keeps_the_line_that_is_pointed_out)
{
	static struct card_line many[60];
	static struct figure f;
	for (size_t i = 0; i < 60; i++)
		many[i] = (struct card_line){i == 59 ? "last" : "key", "value",
					     "a note of more words than one line has room for"};
	struct panel p = card_panel();
	p.card = (struct card){.lines = many, .n = 60, .n_spare = 50};
	const struct raster_look look = {.width = 300, .height = 400, .dpi = 150};
	for (int pointed = 0; pointed < 2; pointed++) {
		f = (struct figure){.n = 1, .panels = {pointed ? marked(p, MARK_LINE, "last") : p}};
		const struct raster_report r = help_page_report(&f, &look, &help_arena);
		bool seen = false;
		for (size_t i = 0; i < r.n; i++)
			seen |= strcmp(r.boxes[i].text, "last") == 0;
		assert_int_equal(seen, pointed);
	}
}

/* Its numbers are large for the back row, what follows them is small; nothing is drawn elsewhere. */
TEST(numbers_of_a_line_are_large_for_the_back_row)
{
	const struct panel p = marked(card_panel(), MARK_LINE, "beta");
	for (int rows = 1; rows < ROWS; rows++)
		for (int cols = 1; cols < 64; cols += 3) {
			struct canvas *const c =
				help_canvas(rows + 4, cols + 4, TIER_DIRECT, rows % 7 == 0);
			c->presenter = true;
			canvas_fill(c, (struct rect){0, 0, rows + 4, cols + 4}, 0,
				    CELL_RGB(0x123456));
			const bool large = canvas_card_big(
				c, &help_arena, (struct rect){2, 2, rows, cols}, &p.card);
			const char *const screen = help_screen(c);
			assert_true(!large || rows % 7 == 0 || strstr(screen, "█▀▀█"));
			assert_true(!large || strstr(screen, "three"));
			for (int i = 0; i < c->rows * c->cols; i++) {
				const int row = i / c->cols, col = i % c->cols;
				if (row < 2 || row >= rows + 2 || col < 2 || col >= cols + 2)
					assert_true(strchr(" ", *c->cells[i].at));
			}
		}
	struct canvas *const c = help_canvas(ROWS, WIDE, TIER_DIRECT, false);
	assert_true(canvas_card_big(c, &help_arena, (struct rect){0, 0, ROWS, WIDE}, &p.card));
	const char *const screen = help_screen(c);
	assert_true(comes_before(screen, "▸ beta", "second note"));
	assert_true(comes_before(screen, "(5e-16)", "alpha"));
	const struct panel none = card_panel();
	assert_false(canvas_card_big(c, &help_arena, (struct rect){0, 0, ROWS, WIDE}, &none.card));
}

TEST(only_numbers_are_large)
{
	static const char *const none[] = {"",	   "n/a",    "yes", "bounded",
					   "0.1x", "1, two", "−",   "3–4"};
	struct canvas *const c = help_canvas(4, COLS, TIER_DIRECT, false);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(canvas_big_value(c, &help_arena, 0, 0, none[i], true), 0);
	assert_string_equal(help_between(c, 0, 0, COLS), "");
	assert_int_equal(canvas_big_value(c, &help_arena, 0, 0, "53 %", true), 4 + 1 + 4 + 2);
	assert_string_equal(help_between(c, 2, 10, COLS), "%");
	assert_true(canvas_big_value(c, &help_arena, 0, 0, "−0.25, 1", false) > 0);
}

TEST(rows_and_columns_of_tables_are_pointed_out)
{
	const struct panel row = marked(table_panel(), MARK_LINE, "t5");
	const struct panel col = marked(table_panel(), MARK_HEADING, "unb"), plain = table_panel();
	assert_non_null(strstr(drawn(&row, 9, 60), "▸ t5"));
	assert_null(strstr(drawn(&row, 9, 60), "▸ rope"));
	assert_non_null(strstr(drawn(&plain, 9, 36), "not shown: unbounded"));
	assert_null(strstr(drawn(&plain, 9, 36), "not shown: made"));
	assert_non_null(strstr(drawn(&col, 9, 36), "not shown: made"));
	assert_null(strstr(drawn(&col, 9, 36), "not shown: unbounded"));
	/* A title of rows is none. */
	const struct mark group = {.kind = MARK_LINE, .name = "Group"};
	const struct figure f = {.n = 1, .panels = {table_panel()}};
	struct err err;
	assert_false(figure_has_mark(&f, &group, &help_arena, &err));
	assert_string_equal(err.text, "no line is called \"Group\"; there are rope, t5");
}

TEST(bars_are_pointed_out_and_high_for_the_back_row)
{
	const struct panel p = marked(bars_panel(), MARK_LINE, "places");
	struct canvas *const c = help_canvas(10, COLS, TIER_DIRECT, false);
	c->presenter = true;
	canvas_inside(c, &help_arena, (struct rect){0, 0, 10, COLS}, &p, NULL);
	assert_non_null(strstr(help_screen(c), "▸ places"));
	assert_string_equal(help_between(c, 3, 0, COLS), "");
	assert_non_null(strstr(help_between(c, 0, 0, COLS), "█▀▀▀ ▀▀▀▄")); /* 53 */
	assert_non_null(strstr(help_between(c, 0, 0, COLS), "███"));
	assert_non_null(strstr(help_between(c, 2, 0, COLS), "███"));
	assert_non_null(strstr(drawn(&p, 6, COLS), "▸ places"));
	assert_null(strstr(drawn(&p, 6, COLS), "███"));
}

TEST(what_is_pointed_out_is_said_in_words)
{
	const struct panel panels[] = {marked(card_panel(), MARK_LINE, "beta"),
				       marked(table_panel(), MARK_LINE, "t5"),
				       marked(bars_panel(), MARK_LINE, "places")};
	static const char *const said[] = {"beta: (pointed out) 0 (5e-16), 0.014",
					   "unbounded: no; pointed out", "47 %, pointed out"};
	for (size_t i = 0; i < 3; i++) {
		const struct figure f = {.n = 1, .title = "", .panels = {panels[i]}};
		char *text;
		size_t len;
		export_plain(&f, &help_arena, &text, &len);
		assert_non_null(strstr(text, said[i]));
	}
}
