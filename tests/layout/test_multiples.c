/* test_multiples.c: small multiples on cells and on paper: as many as have room, the chosen one always,
 * all of one size, their colours those of their values, words and plots apart; and the view Heads, whose
 * numbers have closed forms. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/app/app.h"

FIXTURE(help_begin, help_end)

/* Items of n×n values (i + s − t)/(items + n), with a curve of 2n − 1 distances and two facts. */
static struct multiple item_of(size_t i, size_t items, size_t n, enum help_words words)
{
	struct arena *const a = &help_arena;
	struct multiple m = {.name = arena_printf(a, "%zu", i + 1),
			     .title = arena_printf(a, "head %zu", i + 1),
			     .map = help_heatmap(1, true).heatmap};
	const size_t distances = 2 * n - 1;
	double *const curve = arena_calloc(a, distances, sizeof *curve);
	const char **const facts = arena_calloc(a, 2, sizeof *facts);
	m.map.values = mat_new(a, n, n);
	m.map.row_labels = m.map.col_labels = help_words(a, n, words);
	m.map.has_cursor = false;
	for (size_t k = 0; k < n * n; k++)
		mat_row(m.map.values, k / n)[k % n] =
			((double)i + (double)(k % n) - (double)(k / n)) / (double)(items + n);
	for (size_t k = 0; k < distances; k++)
		curve[k] = ((double)i + (double)k - (double)n + 1) / (double)(items + n);
	facts[0] = arena_printf(a, "+%zu.25", i);
	facts[1] = arena_printf(a, "%zu.75", i);
	m.curve = curve;
	m.most = distances - 1;
	m.brief = arena_printf(a, "at %zu", n - 1);
	m.note = arena_printf(a, "most at %zu", n - 1);
	m.facts = facts;
	return m;
}

static struct panel panel_of(size_t items, size_t n, size_t chosen, enum help_words words)
{
	static const char *const facts[] = {"most", "entropy"};
	struct arena *const a = &help_arena;
	struct panel p = {.kind = PANEL_MULTIPLES, .title = "Weights", .note = "heads"};
	double *const x = arena_calloc(a, 2 * n, sizeof *x);
	for (size_t k = 0; k < 2 * n - 1; k++)
		x[k] = (double)k - (double)n + 1;
	p.multiples = (struct multiples){.items = arena_calloc(a, items, sizeof(struct multiple)),
					 .n = items,
					 .chosen = chosen,
					 .x = x,
					 .n_x = 2 * n - 1,
					 .y_title = "by distance",
					 .n_facts = 2,
					 .facts = facts,
					 .of_curve = 1,
					 .says = "head: all of it",
					 .what = "heads"};
	for (size_t i = 0; i < items; i++)
		p.multiples.items[i] = item_of(i, items, n, words);
	return p;
}

static void in_grid(struct panel *p, size_t across)
{
	const char **const names = arena_calloc(&help_arena, p->multiples.n, sizeof *names);
	for (size_t i = 0; i < p->multiples.n; i++)
		names[i] = arena_printf(&help_arena, "%zu", i + 1);
	p->multiples.across = across;
	p->multiples.col_names = p->multiples.row_names = names;
}

static struct canvas *draw(const struct panel *p, int rows, int cols, enum tier tier, bool ascii)
{
	struct canvas *const c = help_canvas(rows, cols, tier, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, p, false, NULL, NULL);
	help_assert_whole(c);
	return c;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

/* The text of a run of cells in the accent colour; "" when there is none such from this cell on. */
static bool is_accented(const struct canvas *c, const char *name, const char *title)
{
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			int end = col;
			while (end < c->cols && help_at(c, row, end)->attrs & ATTR_ACCENT)
				end++;
			const char *const text = end > col ? help_between(c, row, col, end) : "";
			if (strcmp(text, name) == 0 || strcmp(text, title) == 0)
				return true;
			col = end;
		}
	return false;
}

TEST(the_chosen_one_is_always_seen)
{
	static const size_t counts[] = {1, 5, 13, 40}, sides[] = {1, 9, 60};
	for (size_t r = 0; r < HELP_ROOMS; r++)
		for (size_t k = 0; k < 12; k++)
			for (size_t chosen = 0; chosen < counts[k % 4]; chosen += 4) {
				const struct panel p =
					panel_of(counts[k % 4], sides[k / 4], chosen, WORDS_SHORT);
				const struct multiple *const m = &p.multiples.items[chosen];
				const struct rect at = help_rooms[r];
				const struct canvas *const c =
					draw(&p, at.rows, at.cols, TIER_DIRECT, k % 2 == 0);
				if (at.rows >= 10 && !is_accented(c, m->name, m->title))
					fail_msg("%zu of %zu of side %zu, %dx%d:\n%s", chosen + 1,
						 counts[k % 4], sides[k / 4], at.cols, at.rows,
						 help_screen(c));
				arena_clear(&help_arena);
			}
}

/* Twelve of nine tokens and their mean on 80×24, less the lines around. */
TEST(thirteen_heads_have_room_on_a_small_screen)
{
	const struct panel p = panel_of(13, 9, 2, WORDS_SHORT);
	const struct canvas *const c = draw(&p, 19, 80, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	assert_null(strstr(screen, "of 13"));
	assert_non_null(strstr(screen, "by distance"));
	/* Values are a column and half a row: the first two of each column share a cell. */
	for (size_t j = 0; j < 9; j++) {
		const struct heatmap *const h = &p.multiples.items[0].map;
		const struct cell *const k = help_at(c, 2, 1 + (int)j);
		assert_string_equal(k->at, "▀");
		assert_int_equal(k->fg, CELL_RGB(help_colour(h, mat_row(h->values, 0)[j])));
		assert_int_equal(k->bg, CELL_RGB(help_colour(h, mat_row(h->values, 1)[j])));
	}
}

/* Returns the cells of a screen that have a colour of a matrix. */
static int coloured(const struct canvas *c)
{
	int n = 0;
	for (int i = 0; i < c->rows * c->cols; i++)
		n += strcmp(c->cells[i].at, "▀") == 0 || c->cells[i].bg >> 24 == CELL_RGB(0) >> 24;
	return n;
}

/* Returns whether all shown items stand in one row. */
static bool in_one_row(const struct canvas *c, struct rect room, const struct panel *p)
{
	struct rect at[16];
	canvas_items(c, room, p, at);
	for (size_t i = 0; i < p->multiples.n; i++)
		if (at[i].rows == 0 || at[i].row != at[0].row)
			return false;
	return true;
}

/* Four heads of 27 tokens and their mean stand side by side on 80×24, as large as in two rows, with the curves of all
 * distances below. */
TEST(means_of_five_heads_stand_in_one_row)
{
	const struct panel p = panel_of(5, 27, 1, WORDS_SHORT);
	const struct rect room = {0, 0, 20, 80};
	const struct canvas *const c = draw(&p, room.rows, room.cols, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	assert_true(in_one_row(c, room, &p));
	assert_non_null(strstr(screen, "means of 2×2"));
	assert_non_null(strstr(screen, "each head's mean by distance"));
	assert_null(strstr(screen, "by distance, means of"));
}

/* Lines left and right of the chosen matrix tell it from the others. */
TEST(the_chosen_matrix_has_lines_beside_it)
{
	static const size_t sides[] = {9, 27};
	for (size_t k = 0; k < 2 * 5; k++) {
		const struct panel p = panel_of(5, sides[k % 2], k / 2, WORDS_SHORT);
		const struct rect room = {0, 0, 20, 80};
		const struct canvas *const c = draw(&p, room.rows, room.cols, TIER_DIRECT, false);
		struct rect at[5];
		canvas_items(c, room, &p, at);
		for (size_t i = 0; i < 5; i++) {
			const int row = at[i].row + at[i].rows - 1;
			const bool line =
				strcmp(help_at(c, row, at[i].col + at[i].cols)->at, "│") == 0;
			if (at[i].rows > 0 && line != (i == k / 2) &&
			    (i + 1 != k / 2 || at[i].row != at[k / 2].row))
				fail_msg("%zu of %zu:\n%s", i, k / 2, help_screen(c));
		}
	}
}

/* Beside six heads on a narrow screen their curves would take the columns of a matrix; below two on a wide
 * one, half of the rows. */
/* Maps of means have numbers of positions above each map, and beside the first map of a row. */
TEST(maps_of_means_have_numbers)
{
	const struct panel p = panel_of(5, 51, 0, WORDS_SHORT);
	const struct canvas *const c = draw(&p, 33, 120, TIER_DIRECT, false);
	size_t above = 0, beside = 0;
	for (int row = 0; row < c->rows; row++) {
		const char *const line = help_between(c, row, 0, c->cols);
		for (const char *at = line; (at = strstr(at, "20   30")) != NULL; at++)
			above++;
		beside += strstr(help_between(c, row, 0, 6), "0 ") != NULL;
	}
	assert_int_equal(above, 5);
	assert_true(beside >= 4);
}

/* Curves beside six heads on a narrow screen would take the columns of a matrix; curves below two heads on a wide
 * screen would take half of the rows. */
TEST(curves_stand_where_they_leave_larger_cells)
{
	static const struct {
		size_t items;
		int rows, cols, least;
	} rooms[] = {{6, 36, 72, 1300}, {6, 47, 66, 1700}, {2, 40, 102, 1700}};
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		const struct panel p = panel_of(rooms[i].items, 9, 0, WORDS_SHORT);
		const struct canvas *const c =
			draw(&p, rooms[i].rows, rooms[i].cols, TIER_DIRECT, false);
		assert_non_null(strstr(help_screen(c), "by distance"));
		assert_true(coloured(c) >= rooms[i].least);
	}
}

TEST(what_is_not_shown_is_counted)
{
	const struct panel p = panel_of(13, 9, 12, WORDS_SHORT);
	const struct canvas *const few = draw(&p, 8, 36, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(few), "13 of 13"));
	const struct panel large = panel_of(4, 60, 0, WORDS_SHORT);
	const struct canvas *const means = draw(&large, 19, 80, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(means), "means of 4×4"));
	struct panel grid = panel_of(169, 9, 168, WORDS_SHORT);
	in_grid(&grid, 13);
	assert_non_null(strstr(help_screen(draw(&grid, 28, 94, TIER_DIRECT, false)),
			       "9–13 × 5–13 of 13 × 13"));
}

TEST(facts_stand_in_columns_or_under_their_matrix)
{
	const struct panel p = panel_of(4, 9, 0, WORDS_SHORT);
	const char *const wide = help_screen(draw(&p, 30, 120, TIER_DIRECT, false));
	assert_non_null(strstr(wide, "entropy"));
	for (size_t i = 0; i < 4; i++) {
		assert_non_null(strstr(wide, p.multiples.items[i].facts[0]));
		assert_non_null(strstr(wide, p.multiples.items[i].facts[1]));
	}
}

/* A title and its note may be wider than a small matrix, up to the next one. */
TEST(titles_use_the_gap_between_matrices)
{
	const struct panel p = panel_of(4, 24, 0, WORDS_SHORT);
	struct multiple *const items = arena_calloc(&help_arena, 4, sizeof *items);
	for (size_t i = 0; i < 4; i++) {
		items[i] = p.multiples.items[i];
		items[i].note = "peak s−t = −17";
		items[i].brief = "s−t=−17";
	}
	struct panel noted = p;
	noted.multiples.items = items;
	const struct canvas *const c = draw(&noted, 19, 80, TIER_DIRECT, false);
	struct rect places[4];
	canvas_items(c, (struct rect){0, 0, 19, 80}, &noted, places);
	for (size_t i = 0; i < 4; i++) {
		const char *const text = help_between(c, places[i].row, places[i].col, c->cols);
		assert_true(places[i].cols < (int)strlen("head 1 s-t=-17"));
		assert_int_equal(strncmp(text, items[i].title, strlen(items[i].title)), 0);
		assert_non_null(strstr(text, items[i].brief));
	}
}

/* Where a click finds an item is where its name stands; one that is not shown is nowhere. */
TEST(items_are_found_where_they_are_drawn)
{
	const struct panel p = panel_of(13, 9, 6, WORDS_SHORT);
	static const struct rect rooms[] = {{0, 0, 19, 80}, {0, 0, 9, 36}};
	for (size_t r = 0; r < 2; r++) {
		const struct canvas *const c =
			draw(&p, rooms[r].rows, rooms[r].cols, TIER_DIRECT, false);
		size_t shown = 0;
		struct rect places[13];
		canvas_items(c, rooms[r], &p, places);
		for (size_t i = 0; i < 13; i++) {
			const struct multiple *const m = &p.multiples.items[i];
			const struct rect at = places[i];
			if (at.rows == 0)
				continue;
			const char *const text = help_between(c, at.row, at.col, c->cols);
			assert_true(strncmp(text, m->name, strlen(m->name)) == 0 ||
				    strncmp(text, m->title, strlen(m->title)) == 0);
			shown++;
		}
		assert_int_equal(shown, r == 0 ? 13 : 3);
		assert_int_not_equal(places[6].rows, 0);
	}
}

TEST(names_of_units_are_ascii_where_all_is)
{
	static const char *const names[] = {"the₁", "cat", "the₂"};
	struct panel p = panel_of(2, 3, 0, WORDS_SHORT);
	for (size_t i = 0; i < 2; i++)
		p.multiples.items[i].map.row_labels = names;
	const char *const screen = help_screen(draw(&p, 24, 80, TIER_MONO, true));
	assert_non_null(strstr(screen, "the#2"));
	for (const char *at = screen; *at; at++)
		assert_true((unsigned char)*at < 0x80);
}

TEST(nothing_and_least_rooms_are_drawn)
{
	const struct panel p = panel_of(13, 9, 3, WORDS_MIXED),
			   empty = panel_of(0, 1, 0, WORDS_SHORT);
	for (int rows = 1; rows < 14; rows++)
		for (int cols = 1; cols < 40; cols += 3) {
			draw(&p, rows, cols, TIER_MONO, rows % 2 == 0);
			draw(&empty, rows, cols, TIER_16, false);
		}
}

/* ---- paper ---------------------------------------------------------------------------------------- */

static void check_page(const char *what, const struct raster_report *r,
		       const struct raster_look *look, size_t items)
{
	help_page_reads(what, r, look->width, look->height);
	assert_int_equal(r->plot_n, items);
	for (size_t i = 0; i < items; i++) {
		const struct plot_box *const b = &r->plots[i];
		const struct text_box data = {b->x + 1, b->y + 1, b->width - 2, b->height - 2};
		assert_float_equal(b->width, r->plots[0].width, 1e-9);
		assert_float_equal(b->height, r->plots[0].height, 1e-9);
		assert_true(b->x >= 0 && b->x + b->width <= look->width);
		assert_true(b->y >= 0 && b->y + b->height <= look->height);
		for (size_t k = 0; k < i; k++)
			if (!help_plots_apart(b, &r->plots[k]))
				fail_msg("%s: %zu lies on %zu", what, i, k);
		for (size_t k = 0; k < r->n; k++)
			if (text_box_overlap(&r->boxes[k], &data))
				fail_msg("%s: on the data: %s", what, r->boxes[k].text);
	}
}

TEST(pages_show_all_of_one_size)
{
	static const struct raster_look looks[] = {{.width = 1600, .height = 1000},
						   {.width = 800, .height = 500},
						   {.width = 700, .height = 1200},
						   {.width = 975, .height = 504, .dark = true}};
	static const size_t counts[] = {1, 4, 5, 13, 25}, sides[] = {1, 2, 9, 60};
	for (size_t i = 0; i < 4 * 5 * 4; i++) {
		const struct raster_look *const look = &looks[i % 4];
		const size_t items = counts[i / 4 % 5], n = sides[i / 20];
		struct figure f = {.title = "Heads", .subtitle = "of a layer", .n = 1};
		f.panels[0] = panel_of(items, n, 0, (enum help_words)(i % WORDS_KINDS));
		f.panels[0].rows = f.panels[0].cols = 1;
		f.col_weight[0] = f.row_weight[0] = 1;
		if (items == 25)
			in_grid(&f.panels[0], 5);
		const struct raster_report r = help_page_report(&f, look, &help_arena);
		check_page(arena_printf(&help_arena, "%zu of side %zu on %gx%g", items, n,
					look->width, look->height),
			   &r, look, items);
		arena_clear(&help_arena);
	}
}

/* All items have their titles or all bare numbers, all a note or none, at any width; a note never
 * is beside a bare number. */
TEST(names_and_notes_have_one_form)
{
	size_t forms[3] = {0};
	for (int width = 250; width <= 1650; width += 50)
		for (size_t items = 3; items <= 23; items += 10) {
			const struct raster_look look = {.width = width, .height = 700};
			struct figure f = {.title = "Heads", .n = 1};
			size_t titles = 0, numbers = 0, notes = 0;
			f.panels[0] = panel_of(items, 9, 0, WORDS_SHORT);
			f.panels[0].rows = f.panels[0].cols = 1;
			f.col_weight[0] = f.row_weight[0] = 1;
			const struct raster_report r = help_page_report(&f, &look, &help_arena);
			for (size_t i = 0; i < items; i++) {
				const struct multiple *const m = &f.panels[0].multiples.items[i];
				titles += help_box_of(&r, m->title) != NULL;
				numbers += help_box_of(&r, m->name) != NULL;
			}
			notes = help_boxes_of(&r, f.panels[0].multiples.items[0].note) +
				help_boxes_of(&r, f.panels[0].multiples.items[0].brief);
			assert_true(titles == 0 || titles == items);
			assert_true(notes == 0 || (notes == items && titles == items));
			forms[titles == 0 ? 0 : notes == 0 ? 1 : 2]++;
			assert_true(titles == items || numbers == 0 || numbers >= items);
			arena_clear(&help_arena);
		}
	assert_true(forms[0] > 0 && forms[1] > 0 && forms[2] > 0);
}

/* Where a grid has no lines for facts their numbers stand at the right of each matrix. */
TEST(a_grid_has_numbers_beside_its_matrices)
{
	const struct raster_look look = {.width = 1600, .height = 1000};
	struct figure f = {.title = "Heads", .subtitle = "of all layers", .n = 1};
	f.panels[0] = panel_of(25, 9, 0, WORDS_SHORT);
	f.panels[0].rows = f.panels[0].cols = f.col_weight[0] = f.row_weight[0] = 1;
	in_grid(&f.panels[0], 5);
	const struct raster_report r = help_page_report(&f, &look, &help_arena);
	size_t beside = 0, named = 0;
	for (size_t k = 0; k < r.n; k++) {
		for (size_t i = 0; i < 25; i++)
			beside += strcmp(r.boxes[k].text,
					 f.panels[0].multiples.items[i].facts[1]) == 0 &&
				  r.boxes[k].x >= r.plots[i].x + r.plots[i].width &&
				  r.boxes[k].y >= r.plots[i].y - 2;
		named += strcmp(r.boxes[k].text, "beside each: entropy") == 0;
	}
	assert_int_equal(beside, 25);
	assert_int_equal(named, 1);
}

/* ---- the view ------------------------------------------------------------------------------------- */

static const struct multiples *multiples_of(const struct picture *p)
{
	const struct panel *const panel = &p->figure.panels[0];
	assert_int_equal(panel->kind, PANEL_MULTIPLES);
	assert_null(panel->absent);
	return &panel->multiples;
}

static const char *fact_of(const struct multiples *m, size_t item, const char *name)
{
	for (size_t f = 0; f < m->n_facts; f++)
		if (strcmp(m->facts[f], name) == 0)
			return m->items[item].facts[f];
	return "none";
}

/* ALiBi of two heads: slopes 1/16, 1/256; their mean 17/512. The curve of each is its slope times the
 * distance. */
TEST(heads_shows_all_slopes_and_their_mean)
{
	const struct picture *const p =
		help_picture(&help_arena, "alibi",
			     "view heads\nmatrix bias\nheads 2\nhead 2\nsentence a b c d\n");
	const struct multiples *const m = multiples_of(p);
	static const double slopes[] = {1.0 / 16, 1.0 / 256, 17.0 / 512};
	assert_int_equal(m->n, 3);
	assert_int_equal(m->chosen, 1);
	for (size_t i = 0; i < 3; i++) {
		const struct multiple *const item = &m->items[i];
		assert_float_equal(mat_row(item->map.values, 3)[1], -2 * slopes[i], 1e-12);
		for (size_t k = 0; k < m->n_x; k++)
			if (m->x[k] <= 0)
				assert_float_equal(item->curve[k], slopes[i] * m->x[k], 1e-12);
		assert_float_equal(item->map.scale.lo, m->items[0].map.scale.lo, 0);
		assert_float_equal(item->map.scale.hi, m->items[0].map.scale.hi, 0);
	}
	assert_string_equal(m->items[2].title, "mean of heads");
}

/* A bias of 2 at all distances but those below 2: the nearest of them is named, before the query. */
TEST(of_equal_distances_the_nearest_is_named)
{
	const struct multiples *const m = multiples_of(
		help_picture(&help_arena, "formula(b=min(abs(s-t),2))",
			     "view heads\nmatrix bias\nheads 1\nsentence a b c d e f\n"));
	assert_string_equal(m->items[0].note, "peak s−t = −2");
	assert_string_equal(fact_of(m, 0, "most"), "+2.00");
}

/* Equal tokens and no position: every weight is 1/3. ln 3 = 1.10; (9 − 1)/9 = 0.89. */
TEST(equal_tokens_are_weighed_alike)
{
	const struct multiples *const m = multiples_of(
		help_picture(&help_arena, "none", "view heads\nheads 2\nsentence a a a\n"));
	for (size_t i = 0; i < m->n; i++) {
		assert_string_equal(fact_of(m, i, "entropy"), "1.10");
		assert_string_equal(fact_of(m, i, "distance"), "0.89");
		assert_string_equal(fact_of(m, i, "mean"), "none");
		assert_null(m->items[i].note);
	}
}

TEST(heads_layers_or_all_of_both)
{
	static const struct {
		const char *lines;
		size_t n, chosen, across;
	} rows[] = {
		{"heads-of layer\nhead 2\nlayer 1\n", 5, 1, 0},
		{"heads-of head\nhead 2\nlayer 3\n", 4, 2, 0},
		{"heads-of grid\nhead 2\nlayer 3\n", 20, 11, 5},
		{"heads-of grid\nhead mean\nlayer mean\n", 20, 19, 5},
		{"heads-of layer\nhead mean\nlayer mean\n", 5, 4, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines =
			arena_printf(&help_arena, "view heads\nlayers 3\n%s", rows[i].lines);
		const struct picture *const p = help_picture(&help_arena, "rope+causal", lines);
		const struct multiples *const m = multiples_of(p);
		assert_int_equal(m->n, rows[i].n);
		assert_int_equal(m->chosen, rows[i].chosen);
		assert_int_equal(m->across, rows[i].across);
		help_figure_is_sound(&help_arena, &p->figure, lines);
	}
	const struct picture *const none =
		help_picture(&help_arena, "alibi", "view heads\nmatrix bias\nheads-of grid\n");
	assert_non_null(strstr(none->figure.panels[0].absent, "layer 1"));
}

/* Nothing is computed anew when another head of those shown is chosen. */
TEST(choosing_a_head_moves_the_choice_alone)
{
	struct scene s = help_scene("rope", "view heads\nhead 1\n");
	struct scene other = s;
	other.head = 3;
	assert_true(app_same_numbers(&s, &other));
	other.layer = 2;
	assert_false(app_same_numbers(&s, &other));
	other.layer = s.layer;
	struct picture p;
	struct err err = {""};
	assert_true(
		picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &help_arena, &p, &err));
	picture_redraw(&other, NULL, false, BACKGROUND_LIGHT, &help_arena, &p, NULL);
	assert_int_equal(multiples_of(&p)->chosen, 2);
	assert_non_null(strstr(multiples_of(&p)->says, "head 3"));
}
