/* test_canvas_structure.c: structures over tokens, on cells and on paper: arcs end where they should,
 * the cursor's path is told by more than colour, and nothing lies on anything else at any size. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_svg.h"
#include "help_canvas.h"
#include "help_drawing.h"
#include "help_pages.h"
#include "plot/drawing.h"

FIXTURE(help_begin, help_end)

static struct canvas *draw(struct drawing d, int rows, int cols, enum tier tier, bool ascii)
{
	const struct panel p = {.kind = PANEL_STRUCTURE, .title = "Structure", .drawing = d};
	struct canvas *c = help_canvas(rows, cols, tier, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, NULL, NULL);
	help_assert_whole(c);
	return c;
}

static void shows(const struct canvas *c, const char *text)
{
	if (strstr(help_screen(c), text) == NULL)
		fail_msg("no \"%s\" in\n%s", text, help_screen(c));
}

/* ---- what is drawn ---- */

/* Chased governs cat, dog and the full stop: an arrow on each word but the root. */
TEST(each_dependent_has_an_arrow_and_the_root_a_dot)
{
	const struct canvas *c =
		draw(help_drawn_words(&help_arena, NULL), 14, 70, TIER_DIRECT, false);
	const char *screen = help_screen(c);
	assert_int_equal(help_count(screen, "▼"), 5);
	assert_int_equal(help_count(screen, "●"), 1);
	static const char *const labels[] = {"det", "nsubj", "obj", "punct", "root"};
	for (size_t i = 0; i < 5; i++)
		shows(c, labels[i]);
	assert_int_equal(help_count(screen, "det"), 2);
}

/* In a projective tree no strokes cross. */
TEST(arcs_of_a_projective_tree_do_not_cross)
{
	for (int cols = 30; cols < 100; cols += 7) {
		const struct canvas *c =
			draw(help_drawn_words(&help_arena, NULL), 16, cols, TIER_DIRECT, false);
		assert_null(strstr(help_screen(c), "┼"));
	}
}

/* The first cell of `text`, or NULL. */
static const struct cell *find(const struct canvas *c, const char *text, int *row, int *col)
{
	for (*row = 0; *row < c->rows; ++*row)
		for (*col = 0; *col < c->cols; ++*col) {
			const char *at = text;
			for (int k = *col; k < c->cols && *at != '\0'; k++) {
				const char *glyph = help_at(c, *row, k)->at;
				if (strncmp(at, glyph, strlen(glyph)) != 0)
					break;
				at += strlen(glyph);
			}
			if (*at == '\0')
				return help_at(c, *row, *col);
		}
	return NULL;
}

/* The arrow stands over the middle of its word, whatever the order. */
TEST(arrows_stand_over_their_words_in_any_order)
{
	static const size_t order[] = {4, 2, 5, 0, 3, 1};
	const struct canvas *c =
		draw(help_drawn_words(&help_arena, order), 16, 80, TIER_DIRECT, false);
	static const char *const words[] = {"dog", "The", "the", "cat"};
	for (size_t i = 0; i < 4; i++) {
		int row, col;
		assert_non_null(find(c, words[i], &row, &col));
		assert_string_equal(help_at(c, row - 1, col + 1)->at, "▼");
	}
	int row, col;
	assert_non_null(find(c, "chased", &row, &col));
	assert_string_equal(help_at(c, row - 1, col + 2)->at, "●");
}

/* From The to dog: by cat and chased, three arcs; the other two stay light. */
TEST(the_cursors_path_is_heavy_and_its_ends_are_named)
{
	struct drawing d = help_drawn_words(&help_arena, NULL);
	help_point(&d, 0, 4);
	const struct light light = drawing_light(&d, &help_arena);
	assert_int_equal(light.length, 3);
	static const bool on_path[] = {true, true, true, false, true, false};
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(light.node[i], on_path[i]);
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		const struct canvas *c = draw(d, 14, 70, tier, false);
		assert_int_equal(help_count(help_screen(c), "┏"), 2);
		assert_int_equal(help_count(help_screen(c), "┢"), 1); /* from chased on */
		shows(c, "t=1");
		shows(c, "s=5");
		int row, col;
		assert_true(find(c, "chased", &row, &col)->attrs & ATTR_BOLD);
		assert_false(find(c, " the ", &row, &col)->attrs & ATTR_BOLD);
	}
	const struct canvas *c = draw(d, 14, 70, TIER_MONO, true);
	shows(c, "=nsubj=");
	shows(c, "-det-");
}

TEST(a_path_goes_against_edges_too_and_may_not_be_there)
{
	struct drawing d = help_drawn_graph(&help_arena);
	help_point(&d, 1, 2); /* boy to go: against ARG0 */
	assert_int_equal(drawing_light(&d, &help_arena).length, 1);
	assert_true(drawing_light(&d, &help_arena).edge[2]);
	help_point(&d, 0, 3);
	assert_true(drawing_light(&d, &help_arena).length == SIZE_MAX);
	help_point(&d, 2, 2);
	assert_int_equal(drawing_light(&d, &help_arena).length, 0);
	d.query = SIZE_MAX;
	assert_int_equal(drawing_light(&d, &help_arena).query, -1);
}

TEST(what_lies_below_an_arc_has_a_lower_level)
{
	for (uint64_t seed = 0; seed < 12; seed++) {
		const struct drawing d = help_drawn_forest(&help_arena, 30, DRAWING_ARCS, seed);
		const struct light light = drawing_light(&d, &help_arena);
		size_t must;
		const size_t *order = drawing_order(&d, &light, &must, &help_arena);
		const struct visible all = drawing_visible(&d, order, 30, &help_arena);
		const struct arcs arcs = drawing_arcs(&d, &light, &all, SIZE_MAX, &help_arena);
		assert_int_equal(arcs.n, d.n_edges);
		for (size_t i = 0; i < arcs.n; i++)
			for (size_t k = 0; k < i; k++) {
				const struct arc *x = &arcs.at[i], *y = &arcs.at[k];
				const size_t lo = x->from < x->to ? x->from : x->to;
				const size_t hi = x->from < x->to ? x->to : x->from;
				const size_t from = y->from < y->to ? y->from : y->to;
				const size_t to = y->from < y->to ? y->to : y->from;
				if (from < hi && lo < to)
					assert_int_not_equal(x->level, y->level);
				if (from >= lo && to <= hi)
					assert_true(y->level < x->level);
			}
		/* Where there is room for three levels only, the shortest stay. */
		assert_true(drawing_arcs(&d, &light, &all, 3, &help_arena).levels <= 3);
	}
}

TEST(a_tree_has_a_row_for_each_leaf)
{
	struct drawing d = help_drawn_tree(&help_arena);
	help_point(&d, 0, 2);
	const struct canvas *c = draw(d, 8, 50, TIER_DIRECT, false);
	shows(c, "S ╺┳╸ NP ╺┯╸ DT");
	shows(c, "└╴ NN");
	shows(c, "┗╸ VP");
	int row, col, second, third;
	assert_non_null(find(c, "The", &row, &col));
	assert_non_null(find(c, "cat", &second, &third));
	assert_int_equal(second, row + 1);
	assert_int_equal(third, col);
	shows(c, "The t=1");
	shows(c, "ran s=3");
}

TEST(children_stand_in_the_order_of_their_branches)
{
	static const char *const names[] = {"r", "second", "first"};
	static const long parent[] = {-1, 0, 0}, node[] = {1, 2};
	static const size_t branch[] = {0, 1, 0};
	static const char *const tokens[] = {"second", "first"};
	static const struct drawn_edge edges[] = {{0, 1, ""}, {0, 2, ""}};
	const struct drawing d = {.kind = DRAWING_TREE,
				  .n_tokens = 2,
				  .tokens = tokens,
				  .node = node,
				  .n = 3,
				  .names = names,
				  .parent = parent,
				  .branch = branch,
				  .edges = edges,
				  .n_edges = 2,
				  .directed = true};
	const char *screen = help_screen(draw(d, 8, 40, TIER_DIRECT, false));
	assert_true(strstr(screen, "first") < strstr(screen, "second"));
	shows(draw(d, 8, 40, TIER_DIRECT, false), "first  2");
}

/* Six rows are too few for arcs. */
TEST(a_graph_may_be_a_list_of_its_edges)
{
	struct drawing d = help_drawn_graph(&help_arena);
	help_point(&d, 0, 1);
	const struct canvas *c = draw(d, 6, 46, TIER_DIRECT, false);
	shows(c, "t=want-01 ━ARG0━━▶ s=boy");
	shows(c, "t=want-01 ─ARG1──→ go-01");
	shows(c, "without edges: alone");
	shows(draw(d, 6, 46, TIER_MONO, true), "t=want-01 =ARG0==> s=boy");
	d.directed = false;
	assert_null(strstr(help_screen(draw(d, 6, 46, TIER_DIRECT, false)), "→"));
}

TEST(a_long_input_is_seen_around_the_cursor)
{
	for (enum drawing_kind kind = DRAWING_ARCS; kind <= DRAWING_GRAPH; kind++) {
		struct drawing d = help_drawn_forest(&help_arena, 60, kind, 2);
		const char **words = arena_calloc(&help_arena, 60, sizeof *words);
		for (size_t i = 0; i < 60; i++)
			words[i] = arena_printf(&help_arena, "w%zu", i + 1);
		d.tokens = d.names = words;
		help_point(&d, 41, 43);
		const struct canvas *c = draw(d, 14, 50, TIER_DIRECT, false);
		shows(c, "t=");
		shows(c, "w42");
		shows(c, kind == DRAWING_ARCS	 ? "…"
			 : kind == DRAWING_GRAPH ? " more edges"
						 : "of ");
	}
}

TEST(every_structure_fits_every_room)
{
	static const size_t sizes[] = {1, 2, 7, 20, 60, 300};
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (enum drawing_kind kind = DRAWING_ARCS; kind <= DRAWING_GRAPH; kind++)
			for (int cols = 1; cols < 120; cols = cols * 2 + 3)
				for (int rows = 1; rows < 40; rows = rows * 2 + 1) {
					struct drawing d =
						help_drawn_forest(&help_arena, sizes[k], kind, k);
					if (rows % 2 == 1)
						help_point(&d, sizes[k] - 1, sizes[k] / 2);
					draw(d, rows, cols, TIER_DIRECT, false);
					draw(d, rows, cols, TIER_MONO, true);
				}
}

/* Beside the panel nothing changes, however few columns it has. */
TEST(edges_stay_in_their_panel)
{
	for (int cols = 1; cols < 24; cols++) {
		struct canvas *const c = help_canvas(8, 60, TIER_MONO, true);
		const struct panel p = {.kind = PANEL_STRUCTURE,
					.drawing = help_drawn_graph(&help_arena)};
		for (int i = 0; i < 8 * 60; i++)
			memcpy(c->cells[i].at, "#", 2);
		canvas_panel(c, (struct rect){0, 20, 8, cols}, &p, false, NULL, NULL);
		for (int i = 0; i < 8 * 60; i++)
			if ((i % 60 < 20 || i % 60 >= 20 + cols) && c->cells[i].at[0] != '#')
				fail_msg("of %d columns: %s at column %d", cols, c->cells[i].at,
					 i % 60 - 20);
	}
}

TEST(tokens_without_a_node_have_no_arcs)
{
	struct drawing d = help_drawn_words(&help_arena, NULL);
	static const long node[] = {-1, 1, 2, 3, 4, 5};
	d.node = node;
	help_point(&d, 0, 1);
	assert_int_equal(help_count(help_screen(draw(d, 14, 70, TIER_DIRECT, false)), "▼"), 4);
}

TEST(the_cursor_follows_where_its_tokens_are)
{
	static const size_t rows[] = {3, 1, SIZE_MAX};
	struct figure f = {.n = 1};
	f.panels[0] = (struct panel){.kind = PANEL_STRUCTURE,
				     .drawing = help_drawn_words(&help_arena, NULL)};
	struct drawing *d = &f.panels[0].drawing;
	d->cursor_row = d->cursor_col = rows;
	d->n_rows = d->n_cols = 3;
	figure_cursor(&f, 1, 2);
	assert_true(d->has_cursor && d->query == 3 && d->key == 1);
	figure_cursor(&f, 3, 2);
	assert_true(d->has_cursor && d->query == SIZE_MAX && d->key == 1);
	figure_cursor(&f, 0, 0);
	assert_false(d->has_cursor);
	figure_cursor(&f, 4, 4);
	assert_false(d->has_cursor);
}

/* ---- on paper ---- */

static void page_reads(struct drawing d, int width, int height, bool dark, const char *what)
{
	struct figure f = {.title = "Structures",
			   .subtitle = "made by hand",
			   .caption = "words and what holds them together",
			   .n = 4,
			   .col_weight = {1, 1},
			   .row_weight = {1, 1}};
	for (size_t i = 0; i < 4; i++)
		f.panels[i] = (struct panel){.kind = PANEL_STRUCTURE,
					     .title = "Structure",
					     .note = "as shown",
					     .row = (unsigned char)(i / 2),
					     .col = i % 2,
					     .rows = 1,
					     .cols = 1,
					     .drawing = d};
	struct arena a;
	struct err err = {""};
	struct image image;
	struct raster_report report;
	arena_init(&a);
	const struct raster_look look = {
		.width = width, .height = height, .dpi = 150, .dark = dark};
	if (!raster_image(&f, &look, &a, &image, &report, &err))
		fail_msg("%s: %s", what, err.text);
	help_page_reads(what, &report, width, height);
	arena_release(&a);
}

TEST(every_structure_reads_on_paper)
{
	static const size_t sizes[] = {1, 2, 7, 20, 60, 300};
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (enum drawing_kind kind = DRAWING_ARCS; kind <= DRAWING_GRAPH; kind++)
			for (uint64_t seed = 0; seed < 2; seed++) {
				struct drawing d =
					help_drawn_forest(&help_arena, sizes[k], kind, seed);
				if (seed == 1)
					help_point(&d, sizes[k] - 1, sizes[k] / 2);
				const char *what = arena_printf(&help_arena, "%zu tokens, way %d",
								sizes[k], (int)kind);
				page_reads(d, 1600, 1000, seed == 0, what);
				page_reads(d, 1000, 700, seed == 1, what);
			}
	struct drawing d = help_drawn_words(&help_arena, NULL);
	help_point(&d, 0, 4);
	page_reads(d, 1600, 1000, true, "dependencies");
	page_reads(help_drawn_tree(&help_arena), 1600, 1000, false, "tree");
	page_reads(help_drawn_graph(&help_arena), 1600, 1000, false, "graph");
}

/* Arcs keep away from words: between an arrow's foot and the words no pixel of a stroke; here by the
 * report: all words of a row stand below every label of an arc. */
TEST(labels_stand_above_all_words)
{
	struct figure f = {.title = "t", .n = 1, .col_weight = {1}, .row_weight = {1}};
	f.panels[0] = (struct panel){.kind = PANEL_STRUCTURE,
				     .title = "Structure",
				     .rows = 1,
				     .cols = 1,
				     .drawing = help_drawn_words(&help_arena, NULL)};
	struct err err = {""};
	struct image image;
	struct raster_report r;
	const struct raster_look look = {.width = 1000, .height = 600, .dpi = 150};
	assert_true(raster_image(&f, &look, &help_arena, &image, &r, &err));
	double lowest = 0, highest = 1e9;
	size_t labels = 0, words = 0;
	for (size_t i = 0; i < r.n; i++) {
		static const char *const own[] = {"det", "nsubj", "obj", "punct", "root"};
		static const char *const row[] = {"The", "cat", "chased", "the", "dog", "."};
		const struct text_box *box = &r.boxes[i];
		for (size_t k = 0; k < 5; k++)
			if (strcmp(box->text, own[k]) == 0 && ++labels)
				lowest = box->y + box->height > lowest ? box->y + box->height
								       : lowest;
		for (size_t k = 0; k < 6; k++)
			if (strcmp(box->text, row[k]) == 0 && ++words)
				highest = box->y < highest ? box->y : highest;
	}
	assert_int_equal(labels, 6); /* det twice, and root */
	assert_int_equal(words, 6);
	assert_true(lowest < highest);
}

static double middle_of(const struct raster_report *r, const char *text)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->boxes[i].text, text) == 0)
			return r->boxes[i].y + r->boxes[i].height / 2;
	fail_msg("\"%s\" is not on the page", text);
	return 0;
}

TEST(a_parent_stands_in_the_middle_of_its_children_on_paper)
{
	struct figure f = {.n = 1, .col_weight = {1}, .row_weight = {1}};
	f.panels[0] = (struct panel){.kind = PANEL_STRUCTURE,
				     .rows = 1,
				     .cols = 1,
				     .drawing = help_drawn_tree(&help_arena)};
	const struct raster_look look = {.width = 1000, .height = 600, .dpi = 150};
	const struct raster_report r = help_page_report(&f, &look, &help_arena);
	const double np = middle_of(&r, "NP"), vp = middle_of(&r, "VP");
	assert_true(np < vp);
	assert_true(fabs(middle_of(&r, "S") - (np + vp) / 2) < 1);
	assert_true(fabs(np - (middle_of(&r, "DT") + middle_of(&r, "NN")) / 2) < 1);
}
