/* test_canvas_layout.c: curves and words as golden screens, and whole figures at all sizes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_drawing.h"
#include "plot/canvas_in.h"

FIXTURE(help_begin, help_end)

/* ---- curves ---- */

TEST(curves_in_braille_look_like_this)
{
	const struct panel p = help_curves();
	struct canvas *const c = help_canvas(8, 40, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 8, 40}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "┌─ Bias by distance ───────────────────┐\n"
					    "│ +1        ⠨     ⢀⡠  ⠤⠤⠤⠤   ⠨         │\n"
					    "│           ⠨  ⣀⠔⠊⠁          ⠨         │\n"
					    "│  0 ⠄⠄⠄⠄⠄⠄⣀⠤⠒⠉⠄⠄⠄⠄⠄  ⠄⠄⠄⠄⠄⠄⠄⠬⠄⠄⠄⠄⠄⠄⠄  │\n"
					    "│      ⢀⡠⠒⠉ ⠨                ⠨         │\n"
					    "│ −1 ⠔⠊⠁    ⠨                ⠨   ⠤⠤⠤⠤  │\n"
					    "│    −2    up     +2  −2    gap    +2  │\n"
					    "└──────────────────────────────────────┘\n");
	const struct cell *const up = help_at(c, 6, 11), *const gap = help_at(c, 6, 28);
	assert_int_equal(up->attrs, ATTR_BOLD | ATTR_UNDERLINE);
	assert_int_equal(gap->attrs, 0);
}

TEST(curves_in_ascii_look_like_this)
{
	const struct panel p = help_curves();
	struct canvas *const c = help_canvas(8, 40, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, 8, 40}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "+- Bias by distance -------------------+\n"
					    "| +1        .     **  *****  .         |\n"
					    "|             ****                     |\n"
					    "|  0 . . . *** . . .  . . . ... . . .  |\n"
					    "|      ****                            |\n"
					    "| -1 **     .                .   ****  |\n"
					    "|    -2    up     +2  -2    gap    +2  |\n"
					    "+--------------------------------------+\n");
}

/* A long title gives way to the numbers, down to what follows its comma. */
TEST(curves_keep_numbers_on_their_axis)
{
	static const struct {
		int cols;
		const char *line;
	} cases[] = {
		{40, "|    -2      -1      0       +1  s - t |\n"},
		{70, "|    -2              -1             0               +1         s - t |\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct panel p = help_curves();
		struct canvas *const c = help_canvas(8, cases[i].cols, TIER_MONO, true);
		p.curves.n = 1;
		p.curves.x_title = "key minus query, s - t";
		canvas_panel(c, (struct rect){0, 0, 8, cases[i].cols}, &p, false, NULL, NULL);
		if (!strstr(help_screen(c), cases[i].line))
			fail_msg("%s", help_screen(c));
	}
}

TEST(notes_get_short_before_they_go)
{
	static const struct {
		int cols;
		const char *note;
	} cases[] = {{50, "- head 1 of 4, layer 1 -+"}, {40, "- head 1 layer 1 -+"}, {30, "---+"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct panel p = help_curves();
		struct canvas *const c = help_canvas(8, cases[i].cols, TIER_MONO, true);
		p.title = "Attention weights";
		p.note = "head 1 of 4, layer 1";
		p.short_note = "head 1 layer 1";
		canvas_panel(c, (struct rect){0, 0, 8, cases[i].cols}, &p, false, NULL, NULL);
		assert_non_null(strstr(help_screen(c), cases[i].note));
	}
}

TEST(curves_break_at_nan_and_survive_nothing)
{
	static const double x[] = {1}, y[] = {NAN};
	static const struct series none = {.label = "a", .n = 1, .x = x, .y = y};
	struct panel p = help_curves();
	struct canvas *const c = help_canvas(8, 40, TIER_DIRECT, false);
	p.curves.series = &none;
	p.curves.n = 1;
	canvas_panel(c, (struct rect){0, 0, 8, 40}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "no finite values"));
	p.curves.n = 0;
	canvas_panel(c, (struct rect){0, 0, 8, 40}, &p, false, NULL, NULL);
}

/* ---- words ---- */

TEST(card_looks_like_this)
{
	const struct panel p = help_card();
	struct canvas *c = help_canvas(9, 36, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 9, 36}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "┌─ Rotary ───────────────── Su 21 ─┐\n"
					    "│ A = q·k                          │\n"
					    "│                                  │\n"
					    "│ reference  relative · measured 0 │\n"
					    "│ injection  attention matrix      │\n"
					    "│ learned    0 parameters          │\n"
					    "│                                  │\n"
					    "│ Angles grow with the position.   │\n"
					    "└──────────────────────────────────┘\n");
	assert_int_equal(help_at(c, 1, 2)->attrs, ATTR_BOLD);
	assert_int_equal(help_at(c, 3, 2)->attrs, ATTR_DIM);
	assert_int_equal(help_at(c, 3, 13)->attrs, 0);
	c = help_canvas(7, 36, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 7, 30}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "┌─ Rotary ─────────── Su 21 ─┐\n"
					    "│ A = q·k                    │\n"
					    "│ reference  relative ·      │\n"
					    "│            measured 0      │\n"
					    "│            2 more          │\n"
					    "│                            │\n"
					    "└────────────────────────────┘\n");
}

TEST(card_in_one_line_looks_like_this)
{
	const struct panel p = help_card();
	struct canvas *c = help_canvas(1, 70, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 1, 70}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c),
			    "  Rotary  Su 21 · relative · attention matrix · 0 parameters\n");
	c = help_canvas(3, 44, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 3, 44}, &p, false, NULL, NULL);
	assert_string_equal(
		help_screen(c),
		"  Rotary  Su 21 · relative · 2 more\n  A = q·k\n  Angles grow with the position.\n");
}

TEST(absent_panels_say_why_and_stale_ones_are_dim)
{
	struct panel p = help_heatmap(3, true);
	struct canvas *const c = help_canvas(10, 40, TIER_DIRECT, false);
	p.stale = true;
	struct rect hit;
	canvas_panel(c, (struct rect){0, 0, 10, 40}, &p, false, &hit, NULL);
	assert_non_null(strstr(help_screen(c), "Bias …"));
	assert_int_equal(help_at(c, 0, 3)->attrs, ATTR_DIM);
	assert_int_not_equal(help_at(c, hit.row, hit.col)->bg, help_colour(&p.heatmap, 0));
	p.absent = "a Gaussian mask has no bias";
	canvas_clear(c);
	canvas_panel(c, (struct rect){0, 0, 10, 40}, &p, false, &hit, NULL);
	assert_non_null(strstr(help_screen(c), "a Gaussian mask has no bias"));
	assert_int_equal(hit.rows, 0);
}

/* What does not fit of a text of several lines is missed: its last line ends with a sign. */
TEST(a_sentence_that_is_cut_says_so)
{
	struct panel p = help_heatmap(3, true);
	p.absent = "nothing is here, for a reason that takes more words than two short lines hold";
	static const struct {
		int rows;
		bool whole;
	} boxes[] = {{3, false}, {4, true}};
	for (size_t i = 0; i < 2; i++) {
		struct canvas *const c = help_canvas(boxes[i].rows, 30, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, boxes[i].rows, 30}, &p, false, NULL, NULL);
		const char *const text = help_screen(c);
		assert_int_equal(strstr(text, "hold") != NULL, boxes[i].whole);
		assert_int_equal(strstr(help_between(c, boxes[i].rows - 1, 0, 30), "…") == NULL,
				 boxes[i].whole);
	}
}

TEST(bars_look_like_this)
{
	static const char *const labels[] = {"first", "second", "third"};
	/* As far as can be seen the last two are equal: half a column more or less is rounding. */
	static const double values[] = {0.5, 0.25, 0.25 - 1e-15};
	struct panel p = {.kind = PANEL_BARS, .title = "Spectrum"};
	p.bars = (struct bars){.n = 3, .labels = labels, .values = values, .unit = "share"};
	struct canvas *c = help_canvas(6, 36, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 6, 36}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "┌─ Spectrum ───────────────────────┐\n"
					    "│  first ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆   0.5 │\n"
					    "│ second ▆▆▆▆▆▆▆▆▆▆           0.25 │\n"
					    "│  third ▆▆▆▆▆▆▆▆▆▆           0.25 │\n"
					    "│                            share │\n"
					    "└──────────────────────────────────┘\n");
}

/* What follows in a ranking is often hardly less. */
TEST(bars_of_a_ranking_end_at_eighths)
{
	static const char *const labels[] = {"first", "second", "third", "last"};
	static const double values[] = {1, 0.9375, 0.875, 0.01};
	static const char *const looks[2][4] = {{"████████", "███████▌", "███████", "▏"},
						{"########", "########", "#######", "#"}};
	struct panel p = {.kind = PANEL_BARS, .title = "Ranking"};
	p.bars = (struct bars){
		.n = 4, .labels = labels, .values = values, .unit = "", .ranked = true};
	for (int ascii = 0; ascii < 2; ascii++) {
		struct canvas *const c = help_canvas(6, 26, TIER_DIRECT, ascii);
		canvas_panel(c, (struct rect){0, 0, 6, 26}, &p, false, NULL, NULL);
		for (int i = 0; i < 4; i++) {
			const char *const bar =
				strstr(help_between(c, 1 + i, 0, 26), looks[ascii][i]);
			assert_non_null(bar);
			assert_int_equal(bar[strlen(looks[ascii][i])], ' ');
		}
	}
}

TEST(table_keeps_the_cursor_in_sight)
{
	static const char *const head[] = {"Scheme", "Leaves"};
	static const char *const cells[] = {"a", "0", "bb", "10", "c", "200", "d", "3", "e", "4"};
	static const bool right[] = {false, true};
	struct panel p = {.kind = PANEL_TABLE, .title = "Table 1"};
	p.table = (struct table){5, 2, head, cells, right, true, 4};
	struct canvas *const c = help_canvas(6, 24, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 6, 24}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "┌─ Table 1 ────────────┐\n"
					    "│   Scheme  Leaves     │\n"
					    "│   d            3     │\n"
					    "│ ▸ e            4     │\n"
					    "│   rows 4–5 of 5      │\n"
					    "└──────────────────────┘\n");
}

/* Further sentences stand where all bars and all sentences have room, else the first ones alone. */
TEST(a_legend_of_bars_has_more_where_there_is_room)
{
	static const char *const labels[] = {"first", "second"};
	static const double values[] = {1, 0.5};
	struct panel p = {.kind = PANEL_BARS, .title = "Time"};
	p.bars = (struct bars){.n = 2,
			       .labels = labels,
			       .values = values,
			       .unit = "",
			       .axis = true,
			       .legend = "Dot: published.",
			       .legend_more = "A run is a ratio of two."};
	for (int rows = 6; rows < 12; rows++) {
		struct canvas *const c = help_canvas(rows, 30, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, rows, 30}, &p, false, NULL, NULL);
		const char *const screen = help_screen(c);
		assert_non_null(strstr(screen, "second"));
		assert_non_null(strstr(screen, "Dot: published."));
		assert_true((strstr(screen, "ratio of two.") != NULL) == (rows > 6));
	}
}

/* A table that begins in its middle says so where it begins, one that begins with its first row below. */
TEST(a_table_tells_at_its_head_where_it_begins)
{
	static const char *const head[] = {"Scheme", "Leaves"};
	static const char *const cells[] = {"Absolute", "", "a", "0", "b", "1", "c", "2",
					    "Relative", "", "d", "3", "e", "4", "f", "5"};
	static const bool group[] = {true, false, false, false, true, false, false, false};
	struct panel p = {.kind = PANEL_TABLE, .title = "Table 1"};
	for (size_t cursor = 1; cursor < 8; cursor += 6) {
		p.table = (struct table){.rows = 8,
					 .cols = 2,
					 .head = head,
					 .cells = cells,
					 .group = group,
					 .has_cursor = true,
					 .row = cursor};
		struct canvas *const c = help_canvas(7, 40, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 7, 40}, &p, false, NULL, NULL);
		const char *const at_head = strstr(help_between(c, 1, 0, 40), "rows ");
		const char *const at_foot = strstr(help_between(c, 5, 0, 40), "rows ");
		assert_true((at_head != NULL) == (cursor > 1));
		assert_true((at_foot != NULL) == (cursor == 1));
		assert_non_null(strstr(at_head ? at_head : at_foot, "of 6"));
	}
}

/* Where few rows leave an axis the ticks of its ends alone, zero has one if it is in the middle of a row. */
TEST(zero_has_a_tick_on_a_low_plot)
{
	double x[9], y[9];
	for (int i = 0; i < 9; i++) {
		x[i] = i - 4;
		y[i] = i < 5 ? -0.9 + 0.7 * i : 1.9;
	}
	struct series s = {.label = "all", .n = 9, .x = x, .y = y, .active = true};
	struct panel p = {.kind = PANEL_CURVES,
			  .title = "Bias",
			  .curves = {.series = &s, .n = 1, .x_title = "x", .y_title = ""}};
	struct canvas *const c = help_canvas(7, 40, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 7, 40}, &p, false, NULL, NULL);
	const char *const screen = help_screen(c);
	assert_non_null(strstr(screen, "│ +2 "));
	assert_non_null(strstr(screen, "│  0 "));
	assert_non_null(strstr(screen, "│ −1 "));
}

/* ---- figures ---- */

static struct figure explore(size_t n)
{
	struct figure f = {.title = "Rotary", .subtitle = "Su 21", .caption = "n 9 d 64", .n = 4};
	f.panels[0] = help_heatmap(n, true);
	f.panels[1] = f.panels[0];
	f.panels[1].col = f.panels[1].priority = 1;
	f.panels[2] = help_curves();
	f.panels[2].row = 1;
	f.panels[2].priority = 3;
	f.panels[3] = help_card();
	f.panels[3].row = f.panels[3].col = 1;
	return f;
}

/* Two matrices, the structure of their words, a card. */
static struct figure structured(size_t n)
{
	struct figure f = explore(n);
	f.panels[2] = (struct panel){.kind = PANEL_STRUCTURE,
				     .title = "Dependencies",
				     .row = 1,
				     .priority = 3,
				     .drawing = help_drawn_words(&help_arena, NULL)};
	f.panels[3].priority = 4;
	return f;
}

static struct figure maps(size_t n)
{
	struct figure f = {.n = n};
	for (size_t i = 0; i < n; i++) {
		f.panels[i] = help_heatmap(7, true);
		f.panels[i].row = (unsigned char)(i / 3);
		f.panels[i].col = (unsigned char)(i % 3);
	}
	return f;
}

/* Panels over several tracks, with gaps between the tracks, and one without a place. */
static struct figure ragged(bool overlapping)
{
	struct figure f = explore(9);
	f.panels[0].rows = 2;
	f.panels[0].cols = 3;
	f.panels[1].col = overlapping ? 2 : 9;
	f.panels[2].row = 1;
	f.panels[2].col = 9;
	f.panels[3].row = 255;
	f.panels[3].rows = 255;
	return f;
}

static bool overlap(struct rect a, struct rect b)
{
	return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
	       b.col < a.col + a.cols;
}

static void assert_places(const struct figure *f, struct rect r, size_t focus,
			  const struct rect *place)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct rect p = place[i];
		if (p.rows == 0)
			continue;
		assert_true(p.rows > 0 && p.cols > 0 && p.row >= r.row && p.col >= r.col);
		assert_true(p.row + p.rows <= r.row + r.rows && p.col + p.cols <= r.col + r.cols);
		for (size_t k = 0; k < i; k++)
			if (place[k].rows > 0)
				assert_false(overlap(place[k], p));
	}
	assert_true(place[focus].rows > 0);
}

/* A structure without room for a drawing stands in words below the matrices, which still show all
 * they have; where these leave many rows it is drawn. */
TEST(a_structure_that_has_gone_comes_back_in_words)
{
	const struct figure f = structured(9);
	struct rect place[FIGURE_PANELS];
	help_layout(&f, (struct rect){0, 0, 18, 80}, 0, false, place);
	assert_true(place[2].rows >= 2 && place[2].rows < 5);
	assert_int_equal(place[2].row, place[0].row + place[0].rows);
	for (size_t i = 0; i < 2; i++)
		assert_true(place[i].rows >= 9 + 4); /* box, labels, bar */
	struct canvas *const c = help_canvas(18, 80, TIER_DIRECT, false);
	canvas_panel(c, place[2], &f.panels[2], false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "governor"));
	help_layout(&f, (struct rect){0, 0, 13, 80}, 0, false, place);
	assert_int_equal(place[2].rows, 0);
	help_layout(&f, (struct rect){0, 0, 40, 200}, 0, false, place);
	assert_true(place[2].rows > 5);
}

TEST(layout_is_sound_at_all_sizes)
{
	const struct figure figures[] = {explore(9),   explore(64),   maps(1),
					 maps(5),      maps(8),	      ragged(false),
					 ragged(true), structured(9), structured(3)};
	for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
		const struct figure *const f = &figures[k];
		for (int rows = 1; rows <= 60; rows += rows < 24 ? 1 : 5)
			for (int cols = 1; cols <= 200; cols += cols < 50 ? 3 : 11) {
				const size_t focus = (size_t)(rows + cols) % f->n;
				const struct rect r = {2, 3, rows, cols};
				struct rect place[FIGURE_PANELS];
				help_layout(f, r, focus, false, place);
				assert_places(f, r, focus, place);
				help_layout(f, r, focus, true, place);
				assert_places(f, r, focus, place);
				assert_memory_equal(&place[focus], &r, sizeof r);
			}
	}
}

/* A panel that is spoken of is seen at all sizes, and never in less room than another place would give it. */
TEST(the_panel_that_leads_has_the_room)
{
	static const struct canvas colours = {.tier = TIER_DIRECT};
	const struct figure figures[] = {explore(9), explore(64), maps(5), ragged(true),
					 structured(9)};
	for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
		const struct figure *const f = &figures[k];
		for (int rows = 1; rows <= 50; rows += rows < 20 ? 2 : 7)
			for (int cols = 1; cols <= 200; cols += cols < 50 ? 5 : 17) {
				const size_t lead = (size_t)(rows + cols) % f->n;
				const struct rect r = {2, 3, rows, cols};
				struct rect place[FIGURE_PANELS];
				canvas_layout_lead(&colours, f, r, lead, place);
				assert_places(f, r, lead, place);
			}
	}
	const struct figure f = explore(9);
	const struct rect r = {0, 0, 26, 120};
	struct rect usual[FIGURE_PANELS], p[FIGURE_PANELS];
	for (size_t lead = 0; lead < 3; lead++) {
		help_layout(&f, r, lead, false, usual);
		canvas_layout_lead(&colours, &f, r, lead, p);
		assert_true(2 * p[lead].rows * p[lead].cols > r.rows * r.cols);
		assert_true(2 * usual[lead].rows * usual[lead].cols < r.rows * r.cols);
		assert_true(p[lead == 0].rows > 0 &&
			    p[lead == 0].col >= p[lead].col + p[lead].cols);
	}
	/* Nine by nine values have their numbers there, and had none. */
	struct canvas *const c = help_canvas(r.rows, r.cols, TIER_DIRECT, false);
	canvas_layout_lead(&colours, &f, r, 0, p);
	canvas_panel(c, p[0], &f.panels[0], true, NULL, NULL);
	assert_non_null(strstr(help_screen(c), ".1"));
	help_layout(&f, r, 0, false, usual);
	struct canvas *const d = help_canvas(r.rows, r.cols, TIER_DIRECT, false);
	canvas_panel(d, usual[0], &f.panels[0], true, NULL, NULL);
	assert_null(strstr(help_screen(d), ".1"));
}

TEST(layout_of_explore_folds_as_promised)
{
	static const struct {
		int rows, cols;
		size_t focus;
		bool shown[4]; /* bias weights curve card */
	} cases[] = {
		{28, 118, 0, {true, true, true, true}}, {30, 94, 0, {true, true, true, true}},
		{20, 80, 0, {true, true, false, true}}, {18, 80, 1, {true, true, false, true}},
		{14, 80, 0, {true, true, false, true}}, {13, 80, 0, {true, true, false, false}},
		{20, 80, 2, {true, false, true, true}}, {9, 40, 0, {true, false, false, false}},
		{9, 40, 2, {false, false, true, true}}, {1, 1, 3, {false, false, false, true}},
		{44, 200, 3, {true, true, true, true}},
	};
	const struct figure f = explore(9);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rect p[FIGURE_PANELS];
		help_layout(&f, (struct rect){0, 0, cases[i].rows, cases[i].cols}, cases[i].focus,
			    false, p);
		for (size_t k = 0; k < 4; k++)
			if ((p[k].rows > 0) != cases[i].shown[k])
				fail_msg("%d×%d, focus %zu: panel %zu", cases[i].cols,
					 cases[i].rows, cases[i].focus, k);
	}
}

static struct panel part(enum panel_kind kind, int row, int col, int rows, int cols, int priority)
{
	struct panel p = kind == PANEL_HEATMAP ? help_heatmap(9, true)
			 : kind == PANEL_CARD  ? help_card()
					       : (struct panel){.kind = kind, .title = "x"};
	p.row = (unsigned char)row;
	p.col = (unsigned char)col;
	p.rows = (unsigned char)rows;
	p.cols = (unsigned char)cols;
	p.priority = (unsigned char)priority;
	return p;
}

/* The view Terms with n terms: these, their sum and the weights, bars and a card. */
static struct figure terms(int n)
{
	struct figure f = {.n = (size_t)n + 4};
	const int cols = n < 3 ? n : 3, last = (n - 1) / 3;
	for (int i = 0; i < n; i++)
		f.panels[i] = part(PANEL_HEATMAP, i / cols, i % cols, 1, 1, i < 2 ? i : 4);
	f.panels[n] = part(PANEL_HEATMAP, 0, cols, 1, 1, 3);
	f.panels[n + 1] = part(PANEL_HEATMAP, 1, cols, 1, 1, 2);
	f.panels[n + 2] = part(PANEL_BARS, 0, cols + 1, 1, 1, 5);
	f.panels[n + 3] = part(PANEL_CARD, last > 0 ? last : 1, cols + 1, 1, 1, 6);
	return f;
}

/* Order: difference, as shown, as written; links and a card below. */
static struct figure order(void)
{
	struct figure f = {.n = 5};
	f.panels[0] = part(PANEL_HEATMAP, 0, 2, 1, 1, 0);
	f.panels[1] = part(PANEL_HEATMAP, 0, 0, 1, 1, 1);
	f.panels[2] = part(PANEL_HEATMAP, 0, 1, 1, 1, 2);
	f.panels[3] = part(PANEL_LINKS, 1, 0, 1, 1, 3);
	f.panels[4] = part(PANEL_CARD, 1, 1, 1, 2, 4);
	return f;
}

/* The room for the figure on screens of 200×50, 120×36, 80×24, 60×20 and 40×12, and how many
 * heatmaps and other panels are seen there. */
TEST(layout_of_many_panels_shows_what_can_be_read)
{
	static const struct rect rooms[] = {
		{0, 0, 43, 168}, {0, 0, 30, 94}, {0, 0, 19, 80}, {0, 0, 15, 60}, {0, 0, 8, 40}};
	const struct {
		struct figure f;
		int maps[5], others[5];
	} cases[] = {
		{terms(1), {3, 3, 2, 2, 1}, {2, 2, 2, 1, 1}},
		{terms(2), {4, 4, 2, 2, 1}, {2, 2, 2, 1, 0}},
		{terms(5), {7, 6, 2, 2, 1}, {2, 1, 2, 1, 0}},
		{terms(8), {10, 6, 2, 2, 1}, {2, 1, 2, 1, 0}},
		{order(), {3, 3, 2, 2, 1}, {2, 2, 1, 1, 1}},
	};
	for (size_t i = 0; i < 25; i++) {
		const struct figure *const f = &cases[i / 5].f;
		for (size_t focus = 0; focus <= f->n; focus++) {
			struct rect p[FIGURE_PANELS];
			int maps = 0, others = 0;
			help_layout(f, rooms[i % 5], focus, false, p);
			for (size_t k = 0; k < f->n; k++) {
				const bool map = f->panels[k].kind == PANEL_HEATMAP;
				maps += map && p[k].rows > 0;
				others += !map && p[k].rows > 0;
				if (map && p[k].rows > 0 && (p[k].cols < 30 || p[k].rows < 7))
					fail_msg("figure %zu, size %zu: %dx%d", i / 5, i % 5,
						 p[k].cols, p[k].rows);
			}
			if (focus < f->n) /* Tab brings it */
				assert_true(p[focus].rows > 0);
			else if (maps != cases[i / 5].maps[i % 5] ||
				 others != cases[i / 5].others[i % 5])
				fail_msg("figure %zu, size %zu: %d and %d", i / 5, i % 5, maps,
					 others);
		}
	}
}

TEST(layout_puts_heatmaps_above_where_the_page_is_too_wide)
{
	struct figure f = explore(9); /* the page of Explore: two maps and two cards beside them */
	f.panels[2].cols = 2;
	f.panels[3].row = 0;
	f.panels[3].col = 2;
	f.panels[f.n++] = part(PANEL_CARD, 1, 2, 1, 1, 4);
	struct rect p[FIGURE_PANELS];
	help_layout(&f, (struct rect){0, 0, 30, 94}, f.n, false, p);
	static const struct rect wanted[] = {
		{0, 0, 19, 47}, {0, 47, 19, 47}, {19, 0, 8, 47}, {19, 47, 8, 47}};
	for (size_t i = 0; i < 4; i++)
		assert_memory_equal(&p[i], &wanted[i], sizeof p[i]);
	assert_int_equal(p[4].rows, 3); /* the second card in lines */
	help_layout(&f, (struct rect){0, 0, 30, 100}, f.n, false,
		    p); /* no card beside narrow maps */
	assert_int_equal(p[3].row, p[2].row);
	help_layout(&f, (struct rect){0, 0, 43, 168}, f.n, false, p);
	assert_int_equal(p[3].row, 0); /* all as on the page */
	assert_int_equal(p[3].col, p[4].col);
	assert_true(p[0].cols >= 44 && p[4].rows > 0);
}

/* Matrices to be compared are equal, also where a row has fewer of them. */
TEST(layout_gives_compared_matrices_one_size)
{
	static const int sizes[][2] = {{33, 94}, {21, 80}, {47, 168}};
	for (size_t n = 2; n <= 7; n++) {
		const struct figure f = maps(n);
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
			struct rect p[FIGURE_PANELS];
			const int rows = sizes[s][0], cols = sizes[s][1];
			help_layout(&f, (struct rect){0, 0, rows, cols}, f.n, false, p);
			const struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, false);
			struct heatmap_plan first, own;
			for (size_t i = 0, seen = 0; i < f.n; i++) {
				if (p[i].rows == 0)
					continue;
				const struct rect inner = {p[i].row + 1, p[i].col + 2,
							   p[i].rows - 2, p[i].cols - 4};
				canvas_heatmap_plan(c, &help_arena, inner, &f.panels[i].heatmap,
						    seen++ ? &own : &first);
				if (seen == 1)
					own = first;
				if (own.view.cell_rows2 != first.view.cell_rows2 ||
				    own.view.cell_cols != first.view.cell_cols)
					fail_msg(
						"%zu on %d x %d: map %zu has cells of %d x %d, not %d x %d",
						n, cols, rows, i, own.view.cell_cols,
						own.view.cell_rows2, first.view.cell_cols,
						first.view.cell_rows2);
			}
		}
	}
}

/* Rows that matrices leave blank go to who can use them: a matrix that columns bound needs not all. */
TEST(layout_leaves_no_rows_to_heatmaps_that_they_cannot_use)
{
	static const enum tier tiers[] = {TIER_DIRECT, TIER_16};
	for (size_t t = 0; t < 2; t++)
		for (size_t n = 9; n <= 60; n += 17) {
			const struct figure f = explore(n);
			const struct rect r = {0, 0, 47, 168};
			struct canvas *const c = help_canvas(47, 168, tiers[t], false);
			struct rect p[FIGURE_PANELS];
			canvas_layout(c, &f, r, f.n, false, p);
			/* Curves, unless a row for every word takes all of the height. */
			if (p[2].rows < 8 && (size_t)p[0].rows < n)
				fail_msg("%zu in tier %zu: no curves", n, t);
			for (size_t i = 0; i < 2; i++)
				assert_in_range(p[i].rows -
							canvas_heatmap_rows(c, &help_arena,
									    &f.panels[i].heatmap,
									    p[i].rows, p[i].cols),
						0, 1);
		}
}

TEST(layout_gives_heatmaps_what_they_can_use)
{
	const struct figure f = explore(9);
	struct rect p[FIGURE_PANELS];
	help_layout(&f, (struct rect){0, 0, 30, 94}, 0, false, p);
	/* Nine values of a row and a half, with two lines of labels, bar and box. */
	assert_int_equal(p[0].rows, 19);
	assert_int_equal(p[0].cols, 47);
	assert_int_equal(p[1].col, 47);
	assert_int_equal(p[2].row, 19);
	assert_int_equal(p[3].col, 47);
	help_layout(&f, (struct rect){0, 0, 20, 80}, 0, false, p);
	assert_int_equal(p[0].rows, 19);
	help_layout(&f, (struct rect){0, 0, 14, 80}, 0, false, p);
	assert_int_equal(p[3].rows, 1);
	assert_int_equal(p[3].cols, 80);
}

/* A matrix that is alone has the full height where it is larger so, and the others stand beside it. */
TEST(layout_gives_a_single_heatmap_the_height)
{
	struct figure f = {.n = 3};
	struct rect p[FIGURE_PANELS];
	f.panels[0] = part(PANEL_HEATMAP, 0, 0, 1, 2, 0);
	f.panels[0].heatmap = help_heatmap(24, true).heatmap;
	f.panels[1] = help_curves();
	f.panels[1].row = 1;
	f.panels[1].priority = 1;
	f.panels[2] = part(PANEL_CARD, 1, 1, 1, 1, 2);
	help_layout(&f, (struct rect){0, 0, 30, 94}, f.n, false, p);
	assert_true(p[0].row == 0 && p[0].rows >= 28);
	assert_true(p[1].col == p[0].cols && p[1].rows > 8);
	assert_true(p[2].col == p[0].cols && p[2].rows > 8);
}

TEST(panels_draw_at_all_sizes_and_only_inside)
{
	struct panel panels[] = {help_heatmap(9, true), help_curves(),
				 help_card(),		{.kind = PANEL_TABLE},
				 {.kind = PANEL_BARS},	{.kind = PANEL_LINKS}};
	static const struct link moves[] = {{0, 1, true}, {1, 0, true}, {2, 2, false}};
	static const char *const words[] = {"猫猫", "b", "Donaudampfschiff", "d"};
	static const double values[] = {1, -2};
	panels[0].heatmap.has_cursor = true;
	panels[0].heatmap.row = panels[0].heatmap.col = 8;
	panels[3].table = (struct table){2, 2, words, words, NULL, true, 1};
	panels[4].bars = (struct bars){.n = 2, .labels = words, .values = values, .unit = "x"};
	panels[5].links = (struct links){.n_above = 3,
					 .n_below = 3,
					 .n = 3,
					 .above = words,
					 .below = words,
					 .above_title = "as written",
					 .below_title = "now",
					 .links = moves,
					 .has_cursor = true,
					 .cursor = 1};
	for (int size = 0; size < 20 * 60; size++) {
		const struct arena_mark mark = arena_mark(&help_arena);
		const int rows = size / 60 + 1, cols = size % 60 + 1;
		const enum tier tier = (enum tier)(size % TIER_COUNT);
		struct canvas *const c = help_canvas(rows + 4, cols + 4, tier, size % 7 == 0);
		c->quadrants = size % 3 == 0;
		c->presenter = size % 4 == 0;
		c->contrast = size % 5 == 0;
		panels[size % 6].off = size % 11 == 0;
		canvas_fill(c, (struct rect){0, 0, rows + 4, cols + 4}, 0, CELL_RGB(0x123456));
		const struct rect r = {2, 2, rows, cols};
		canvas_panel(c, r, &panels[size % 6], size % 2, NULL, NULL);
		help_assert_whole(c);
		for (int i = 0; i < c->rows * c->cols; i++) {
			const int row = i / c->cols, col = i % c->cols;
			if (row < 2 || row >= rows + 2 || col < 2 || col >= cols + 2)
				assert_int_equal(c->cells[i].bg, CELL_RGB(0x123456));
		}
		arena_rewind(&help_arena, mark);
	}
}

TEST(figure_has_title_and_caption)
{
	const struct figure f = explore(9);
	struct canvas *const c = help_canvas(24, 80, TIER_DIRECT, false);
	canvas_figure(c, &f);
	assert_non_null(strstr(help_screen(c), " Rotary  Su 21\n"));
	assert_non_null(strstr(help_screen(c), "\n n 9 d 64\n"));
	for (int rows = 1; rows < 12; rows++)
		canvas_figure(help_canvas(rows, 3 * rows, TIER_16, true), &f);
}

/* A sentence in place of a picture has the rows of its words; the pictures have all others. */
TEST(a_sentence_is_above_the_pictures)
{
	static const struct rect screen = {0, 0, 30, 100};
	struct figure *const f = arena_calloc(&help_arena, 1, sizeof *f);
	struct rect place[FIGURE_PANELS];
	f->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
				      .title = "Nothing",
				      .lead = true,
				      .absent = "there is nothing here",
				      .rows = 1,
				      .cols = 2};
	for (size_t i = 1; i < 3; i++) {
		f->panels[i] = help_curves();
		f->panels[i].row = 1;
		f->panels[i].col = (unsigned char)(i - 1);
		f->panels[i].rows = f->panels[i].cols = 1;
		f->panels[i].priority = (unsigned char)i;
	}
	f->n = 3;
	f->by_grid = true;
	memset(f->col_weight, 1, 2);
	memset(f->row_weight, 1, 2);
	for (size_t focus = 0; focus < 3; focus++) {
		help_layout(f, screen, focus, false, place);
		assert_true(place[0].rows == 3 && place[0].cols >= 96);
		for (size_t i = 1; i < 3; i++)
			assert_true(place[i].row == 3 && place[i].rows == 27 &&
				    place[i].cols >= 49);
	}
	/* On a small screen they share the rows as others do. */
	help_layout(f, (struct rect){0, 0, 14, 100}, 0, false, place);
	assert_true(place[0].rows > 0);
}

/* A finding without room for all of its sentences has the first ones, whole. */
TEST(last_sentences_go_before_a_sentence_is_cut)
{
	struct figure f = {.finding = "The first is short. Shaw et al. 2018 is not the end of this "
				      "second one, which fills two rows or so. The third goes."};
	f.n = 1;
	f.panels[0] = help_card();
	struct canvas *const c = help_canvas(20, 40, TIER_DIRECT, false);
	canvas_figure(c, &f);
	assert_non_null(strstr(help_screen(c), "two rows or so."));
	assert_null(strstr(help_screen(c), "The third"));
	assert_null(strstr(help_screen(c), "…"));
	struct canvas *const narrow = help_canvas(20, 30, TIER_DIRECT, false);
	canvas_figure(narrow, &f);
	assert_non_null(strstr(help_screen(narrow), "The first is short."));
	assert_null(strstr(help_screen(narrow), "Shaw"));
}
