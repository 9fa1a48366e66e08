/* test_canvas_arcs.c: arcs over words, on cells and on paper: what has a label keeps it, the
 * cursor's path is in sight, words of one node are seen to be one, and positions stand under their
 * words. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_drawing.h"
#include "help_pages.h"

FIXTURE(help_begin, help_end)

static struct canvas *draw(struct drawing d, int rows, int cols, bool ascii)
{
	const struct panel p = {.kind = PANEL_STRUCTURE, .title = "Structure", .drawing = d};
	struct canvas *c = help_canvas(rows, cols, TIER_DIRECT, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, NULL, NULL);
	help_assert_whole(c);
	return c;
}

/* Whether the word stands on the screen by itself: "w4" is not in "w42". */
static bool has_word(const char *screen, const char *word)
{
	const size_t len = strlen(word);
	for (const char *at = screen; (at = strstr(at, word)) != NULL; at++) {
		const unsigned char before = at > screen ? (unsigned char)at[-1] : ' ';
		const unsigned char after = (unsigned char)at[len];
		const bool open = before == ' ' || before > 127,
			   close = after == ' ' || after > 127;
		if (open && close)
			return true;
	}
	return false;
}

static void shows(const struct canvas *c, const char *word)
{
	if (!has_word(help_screen(c), word))
		fail_msg("no \"%s\" in\n%s", word, help_screen(c));
}

/* The nodes from a token up to the root. */
static size_t way_up(const struct drawing *d, size_t token, size_t *node)
{
	size_t n = 0;
	for (long at = (long)token; at >= 0; at = d->parent[at])
		node[n++] = (size_t)at;
	return n;
}

/* ---- labels ---- */

/* Between words so near that no label has room in its arc it stands above: det twice, nsubj, obj,
 * punct. */
TEST(labels_of_short_arcs_stand_above_them)
{
	for (int cols = 35; cols < 80; cols++) {
		const struct canvas *c = draw(help_drawn_words(&help_arena, NULL), 14, cols, false);
		static const char *const labels[] = {"det", "nsubj", "obj", "punct", "root"};
		for (size_t i = 0; i < 5; i++)
			shows(c, labels[i]);
		assert_non_null(strstr(strstr(help_screen(c), "det") + 3, "det"));
	}
}

/* Of 60 words the path up to the root is in sight, each of its arcs named, and the root. */
TEST(the_path_is_in_sight_and_named_in_a_long_input)
{
	for (size_t t = 0; t < 60; t += 7) {
		struct drawing d = help_drawn_long(&help_arena, 60);
		size_t node[60];
		const size_t n = way_up(&d, t, node);
		help_point(&d, t, node[n - 1]);
		for (int cols = 60; cols <= 160; cols += 25) {
			const struct canvas *c = draw(d, 20, cols, false);
			for (size_t i = 0; i < n; i++) {
				shows(c, d.tokens[node[i]]);
				if (i + 1 < n)
					shows(c, arena_printf(&help_arena, "r%zu", node[i] + 1));
			}
			shows(c, "root");
			shows(c, "…");
		}
	}
}

/* What is left out is said, and the places are those of the words. */
TEST(words_left_out_leave_a_sign)
{
	struct drawing d = help_drawn_long(&help_arena, 60);
	help_point(&d, 2, 57);
	const struct canvas *c = draw(d, 24, 70, false);
	const char *const screen = help_screen(c), *said = strstr(screen, " of 60 words");
	assert_non_null(said);
	size_t words = 0;
	for (size_t i = 0; i < 60; i++)
		words += has_word(screen, d.tokens[i]);
	while (said > screen && said[-1] >= '0' && said[-1] <= '9')
		said--;
	size_t number = 0;
	assert_int_equal(sscanf(said, "%zu", &number), 1);
	assert_int_equal(number, words);
	shows(c, "t=3");
	shows(c, "s=58");
	assert_null(strstr(help_screen(draw(help_drawn_long(&help_arena, 5), 24, 70, false)), "…"));
}

/* ---- nodes of several words ---- */

TEST(words_of_one_node_stand_in_a_bracket)
{
	const struct canvas *c = draw(help_drawn_pieces(&help_arena), 14, 60, false);
	const char *screen = help_screen(c);
	const char *const open = strstr(screen, "└"), *const close = strstr(screen, "4─");
	assert_true(open != NULL && close != NULL && open < close);
	assert_non_null(strstr(screen, "3─"));
	/* One dot, over the middle of the two words. */
	const char *const dot = strstr(screen, "●");
	assert_true(dot != NULL && strstr(dot + 1, "●") == NULL);
	const struct canvas *plain = draw(help_drawn_pieces(&help_arena), 14, 60, true);
	assert_non_null(strstr(help_screen(plain), "3-"));
}

TEST(a_graph_is_arcs_where_all_of_it_has_room)
{
	struct drawing d = help_drawn_fact(&help_arena);
	help_point(&d, 1, 3);
	const char *wide = help_screen(draw(d, 12, 60, false));
	assert_non_null(strstr(wide, "New"));
	assert_null(strstr(wide, "[New York]"));
	assert_non_null(strstr(wide, "New York ")); /* together, however wide the panel */
	assert_non_null(strstr(wide, "└"));
	const struct canvas *narrow = draw(d, 5, 40, false);
	assert_non_null(strstr(help_screen(narrow), "t=[New York] ━━▶ borders"));
	/* A label without room in or above its arc makes it a list. */
	static const struct drawn_edge edges[] = {{0, 1, "a very long label of an edge"},
						  {1, 2, ""}};
	d.edges = edges;
	assert_non_null(strstr(help_screen(draw(d, 12, 40, false)), "[New York]"));
}

/* ---- positions ---- */

static const char *const depth[] = {"2", "1", "0", "2", "1", "1"};
static const struct drawn_row rows[] = {{"depth", depth}};

/* The first column of a word in a row, or -1. */
static int column_of(const struct canvas *c, int row, const char *word)
{
	for (int col = 0; col + (int)strlen(word) < c->cols; col++) {
		size_t i = 0;
		while (word[i] != '\0' && help_at(c, row, col + (int)i)->at[0] == word[i])
			i++;
		if (word[i] == '\0')
			return col;
	}
	return -1;
}

TEST(positions_stand_under_their_words)
{
	static const char *const words[] = {"The", "cat", "chased", "the", "dog", "."};
	struct drawing d = help_drawn_words(&help_arena, NULL);
	d.below = rows;
	d.n_below = 1;
	const struct canvas *c = draw(d, 16, 70, false);
	int row = 0;
	while (row < c->rows && column_of(c, row, "chased") < 0)
		row++;
	assert_true(row + 2 < c->rows);
	assert_true(column_of(c, row + 2, "depth") > 0);
	for (size_t i = 0; i < 6; i++) {
		const int col = column_of(c, row, words[i]) + ((int)strlen(words[i]) - 1) / 2;
		assert_string_equal(help_at(c, row + 2, col)->at, depth[i]);
	}
	/* Where the title has no room beside them it stands below. */
	const char *narrow = help_screen(draw(d, 16, 34, false));
	assert_non_null(strstr(narrow, "numbers: depth"));
}

TEST(positions_stand_behind_the_leaves_of_a_tree)
{
	static const char *const way[] = {"000", "001", "010"};
	static const struct drawn_row ways[] = {{"way from the root", way}};
	struct drawing d = help_drawn_tree(&help_arena);
	d.below = ways;
	d.n_below = 1;
	const char *screen = help_screen(draw(d, 10, 60, false));
	assert_non_null(strstr(screen, "The 1  000"));
	assert_non_null(strstr(screen, "ran 3  010"));
	assert_non_null(strstr(screen, "way from the root"));
	assert_true(strstr(screen, "way from the root") < strstr(screen, "000"));
}

/* ---- in words ---- */

TEST(two_rows_hold_words_and_governors)
{
	struct drawing d = help_drawn_words(&help_arena, NULL);
	d.below = rows;
	d.n_below = 1;
	const char *screen = help_screen(draw(d, 2, 60, false));
	assert_non_null(strstr(screen, "Structure  The  cat  chased  the  dog  .\n"));
	assert_non_null(strstr(screen, "governor   2    3    root    5    3    3\n"));
	assert_non_null(strstr(help_screen(draw(d, 3, 60, false)),
			       "depth      2    1    0       2    1    1\n"));
	assert_non_null(strstr(help_screen(draw(help_drawn_tree(&help_arena), 2, 60, false)),
			       "(S (NP (DT The) (NN cat)) (VP (VBD ran)))"));
	d = help_drawn_graph(&help_arena);
	assert_non_null(strstr(help_screen(draw(d, 2, 60, false)), "want-01 ARG0→ boy"));
	assert_non_null(strstr(help_screen(draw(d, 1, 50, false)), "boy, … 2 more edges"));
	assert_non_null(strstr(help_screen(draw(d, 1, 40, false)), "3 edges"));
	d = help_drawn_long(&help_arena, 60);
	help_point(&d, 40, 1);
	assert_true(has_word(help_screen(draw(d, 2, 60, false)), "w41"));
}

/* ---- on paper ---- */

static struct raster_report print(struct drawing d, int width, int height)
{
	struct figure f = {.title = "Structures",
			   .subtitle = "made by hand",
			   .caption = "words and what holds them together",
			   .n = 2,
			   .col_weight = {1, 1},
			   .row_weight = {1}};
	for (size_t i = 0; i < 2; i++)
		f.panels[i] = (struct panel){.kind = PANEL_STRUCTURE,
					     .title = "Structure",
					     .note = "as shown",
					     .col = (unsigned char)i,
					     .rows = 1,
					     .cols = 1,
					     .drawing = d};
	struct err err = {""};
	struct image image;
	struct raster_report report;
	const struct raster_look look = {.width = width, .height = height, .dpi = 150};
	if (!raster_image(&f, &look, &help_arena, &image, &report, &err))
		fail_msg("%s", err.text);
	help_page_reads("structure", &report, width, height);
	return report;
}

/* In the first of the two panels. */
static size_t printed(const struct raster_report *r, const char *text, int width)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strcmp(r->boxes[i].text, text) == 0 && r->boxes[i].x < width / 2.0;
	return n;
}

TEST(paper_names_the_path_of_a_long_input)
{
	for (size_t t = 0; t < 60; t += 13) {
		struct drawing d = help_drawn_long(&help_arena, 60);
		size_t node[60];
		const size_t n = way_up(&d, t, node);
		help_point(&d, t, node[n - 1]);
		const struct raster_report r = print(d, 1600, 1000);
		for (size_t i = 0; i + 1 < n; i++) {
			const char *label = arena_printf(&help_arena, "r%zu", node[i] + 1);
			if (printed(&r, label, 1600) != 1)
				fail_msg("no %s from w%zu", label, t + 1);
		}
		assert_int_equal(printed(&r, "root", 1600), 1);
	}
}

TEST(paper_draws_a_node_once_and_its_positions)
{
	struct drawing d = help_drawn_fact(&help_arena);
	struct raster_report r = print(d, 1600, 1000);
	assert_int_equal(printed(&r, "borders", 1600), 1);
	assert_int_equal(printed(&r, "York", 1600), 1);
	d = help_drawn_words(&help_arena, NULL);
	d.below = rows;
	d.n_below = 1;
	r = print(d, 1600, 1000);
	assert_int_equal(printed(&r, "depth", 1600), 1);
	/* With the places of the words, from 1 to 6. */
	assert_int_equal(printed(&r, "1", 1600), 4);
	assert_int_equal(printed(&r, "2", 1600), 3);
	assert_int_equal(printed(&r, "0", 1600), 1);
}

/* More than there is room for: a list, whose end is said. */
TEST(paper_says_what_a_list_leaves_out)
{
	const struct drawing d = help_drawn_forest(&help_arena, 60, DRAWING_GRAPH, 0);
	const struct raster_report r = print(d, 1000, 640);
	size_t more = 0;
	for (size_t i = 0; i < r.n; i++)
		more += strncmp(r.boxes[i].text, "… ", strlen("… ")) == 0 &&
			strstr(r.boxes[i].text, " more edges") != NULL;
	assert_int_equal(more, 2);
}
