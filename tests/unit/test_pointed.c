/* test_pointed.c: what is pointed out: no number is touched and no colour changed, marks follow their words; and two panels side by side for the back row. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_view.h"
#include "plot/canvas_map.h"

FIXTURE(help_begin, help_end)

static const struct mark all_kinds[] = {{MARK_CELL, 2, 4, 0},
					{MARK_ROW, 6, 0, 0},
					{MARK_COLUMN, 0, 7, 0},
					{MARK_DIAGONAL, 0, 0, -1}};

static bool is_shade(const char *text)
{
	return text[0] == '\0' || strchr(" ", text[0]) || strstr("░▒▓█", text);
}

TEST(no_number_is_touched_and_no_colour_changed)
{
	for (int tier = TIER_MONO; tier < TIER_COUNT; tier++)
		for (size_t i = 0; i < 2 * HELP_ROOMS; i++) {
			const struct rect room = help_rooms[i % HELP_ROOMS];
			const bool ascii = i >= HELP_ROOMS;
			struct panel p = help_heatmap(9, true);
			struct canvas *const before =
				help_canvas(room.rows, room.cols, (enum tier)tier, ascii);
			struct canvas *const after =
				help_canvas(room.rows, room.cols, (enum tier)tier, ascii);
			struct rect hit;
			const struct rect at = {0, 0, room.rows, room.cols};
			canvas_panel(before, at, &p, false, &hit, NULL);
			p.heatmap.marks = all_kinds;
			p.heatmap.n_marks = 4;
			canvas_panel(after, at, &p, false, &hit, NULL);
			help_assert_whole(after);
			for (int row = hit.row; row < hit.row + hit.rows; row++)
				for (int col = hit.col; col < hit.col + hit.cols; col++) {
					const struct cell *const x = help_at(before, row, col);
					const struct cell *const y = help_at(after, row, col);
					assert_int_equal(x->bg, y->bg);
					if (!is_shade(x->at))
						assert_string_equal(x->at, y->at);
				}
		}
}

/* In cells of half a row the labels have the signs, and the colours stay. */
TEST(half_a_row_keeps_the_colour_of_the_cursor)
{
	static const struct mark marks[] = {{MARK_CELL, 15, 0, 0}};
	const struct rect at = {0, 0, 12, 60};
	struct canvas *drawn[2];
	for (int i = 0; i < 2; i++) {
		struct panel p = help_heatmap(16, true);
		struct rect hit;
		p.heatmap.has_cursor = i == 1;
		p.heatmap.row = 15;
		p.heatmap.col = 0;
		p.heatmap.marks = marks;
		p.heatmap.n_marks = 1;
		drawn[i] = help_canvas(at.rows, at.cols, TIER_DIRECT, false);
		canvas_panel(drawn[i], at, &p, false, &hit, NULL);
		const struct cell *const half = help_at(drawn[i], hit.row + 7, hit.col);
		assert_true(strstr("▀▄", half->at) != NULL);
	}
	for (int row = 0; row < at.rows; row++)
		for (int col = 0; col < at.cols; col++)
			if (strstr("▀▄", help_at(drawn[0], row, col)->at)) {
				assert_int_equal(help_at(drawn[0], row, col)->fg,
						 help_at(drawn[1], row, col)->fg);
				assert_int_equal(help_at(drawn[0], row, col)->bg,
						 help_at(drawn[1], row, col)->bg);
			}
}

static const struct heatmap *map_called(struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(figure_panel_name(f, i, &help_arena), name) == 0)
			return &f->panels[i].heatmap;
	fail_msg("no panel %s", name);
	return NULL;
}

TEST(marks_follow_their_words_and_diagonals_their_places)
{
	static const struct mark marks[] = {{MARK_CELL, 0, 2, 0}, {MARK_DIAGONAL, 0, 0, -1}};
	struct picture *const p = help_picture(
		&help_arena, "rope", "sentence dog bites man\norder reverse\nview order\n");
	figure_mark(&p->figure, marks, 2, p->trace.memory, &help_arena);
	const struct heatmap *const shown = map_called(&p->figure, "shown");
	const struct heatmap *const written = map_called(&p->figure, "written");
	assert_string_equal(shown->row_labels[shown->marks[0].row], "man");
	assert_string_equal(written->row_labels[written->marks[0].row], "man");
	assert_string_equal(written->col_labels[written->marks[0].col], "dog");
	assert_int_equal(written->marks[0].row, 2);
	assert_int_equal(written->n_marks, 2);
	assert_true(heatmap_points(written, 1, 0, 1));
	assert_false(heatmap_points(written, 0, 1, 1));
}

/* Each mark of a diagonal tells where it is; a stroke at its ends what it is, where there are none. */
TEST(a_diagonal_is_named_only_where_cells_bear_no_marks)
{
	static const struct mark next = {MARK_DIAGONAL, 0, 0, 1};
	static const struct {
		int rows, cols;
		bool named;
	} sizes[] = {{18, 60, false}, {36, 120, false}, {12, 90, true}};
	for (size_t i = 0; i < 3; i++) {
		struct panel p = help_heatmap(9, true);
		struct canvas *const c =
			help_canvas(sizes[i].rows, sizes[i].cols, TIER_DIRECT, false);
		struct rect hit;
		struct heatmap_view v;
		p.heatmap.marks = &next;
		p.heatmap.n_marks = 1;
		canvas_panel(c, (struct rect){0, 0, c->rows, c->cols}, &p, false, &hit, &v);
		const char *const text = help_screen(c);
		if ((v.cell_rows2 == 1) != sizes[i].named)
			fail_msg("%d\n%s", v.cell_rows2, text);
		if ((strstr(text, "╲ s−t = 1") != NULL) != sizes[i].named)
			fail_msg("%s", text);
		assert_int_equal(strstr(text, "▸") || strstr(text, "┏"), !sizes[i].named);
	}
}

/* Of a window that has room for both what is pointed out is seen, wherever the cursor is. */
TEST(windows_hold_what_is_pointed_out)
{
	const struct canvas *const c = help_canvas(20, 60, TIER_DIRECT, false);
	const struct rect room = {0, 0, 12, 40};
	for (size_t at = 0; at < 40; at++)
		for (size_t far = 0; far < 40; far++) {
			const struct mark marks[] = {{MARK_CELL, at, at, 0},
						     {MARK_CELL, at, far, 0}};
			struct panel p = help_heatmap(40, true);
			struct heatmap_plan plan;
			p.heatmap.grid = GRID_CELLS;
			p.heatmap.has_cursor = at % 2 == 0;
			p.heatmap.row = p.heatmap.col = at;
			p.heatmap.marks = marks;
			p.heatmap.n_marks = 2;
			canvas_heatmap_plan(c, &help_arena, room, &p.heatmap, &plan);
			const struct heatmap_view *const v = &plan.view;
			const size_t apart = at > far ? at - far : far - at;
			assert_true(v->first_col + v->cols <= 40 && v->cols < 40);
			assert_true(at >= v->first_row && at < v->first_row + v->rows);
			if (apart < v->cols) {
				assert_true(at >= v->first_col && at < v->first_col + v->cols);
				assert_true(far >= v->first_col && far < v->first_col + v->cols);
			}
		}
}

/* A value that words speak of is on the screen: in its cell, or on the border. */
TEST(what_cells_do_not_show_stands_on_the_border)
{
	static const struct mark marks[] = {{MARK_CELL, 1, 0, 0}, {MARK_CELL, 0, 2, 0}};
	struct picture *const p = help_picture(&help_arena, "rope", "sentence dog bites man\n");
	figure_mark(&p->figure, marks, 2, p->trace.memory, &help_arena);
	figure_cursor(&p->figure, 0, 0);
	const struct panel *const panel = &p->figure.panels[0];
	int with = 0;
	for (int rows = 6; rows <= 27; rows += 7) {
		struct canvas *const c = help_canvas(rows, rows + 24, TIER_DIRECT, false);
		struct heatmap_view v;
		canvas_panel(c, (struct rect){0, 0, c->rows, c->cols}, panel, false, NULL, &v);
		const bool digits = canvas_has_digits(c, &panel->heatmap, &v);
		const char *const text = help_screen(c);
		if ((strstr(text, "bites → dog −0.13") != NULL) == digits)
			fail_msg("%d\n%s", digits, text);
		with += digits;
	}
	assert_true(with > 0 && with < 4);
	/* What has the cursor is told at the foot. */
	figure_mark(&p->figure, marks, 1, p->trace.memory, &help_arena);
	figure_cursor(&p->figure, 2, 1);
	struct canvas *const c = help_canvas(9, 42, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 9, 42}, panel, false, NULL, NULL);
	assert_null(strstr(help_screen(c), " → ")); /* but for the axis "key→" */
}

TEST(rows_of_vectors_and_words_of_trees_are_pointed_at)
{
	static const struct mark marks[] = {{MARK_ROW, 1, 0, 0}, {MARK_COLUMN, 0, 3, 0}};
	struct picture *const p = help_picture(&help_arena, "sinusoidal", "view vectors\n");
	figure_mark(&p->figure, marks, 2, 0, &help_arena);
	const struct heatmap *const table = map_called(&p->figure, "table");
	assert_int_equal(table->n_marks, 1);
	assert_int_equal(table->marks[0].row, 1);
	struct picture *const tree = help_picture(&help_arena, "tpe", "tree @bin1\n");
	figure_mark(&tree->figure, marks, 2, 0, &help_arena);
	size_t seen = 0;
	for (size_t i = 0; i < tree->figure.n; i++) {
		const struct panel *const panel = &tree->figure.panels[i];
		for (size_t k = 0; panel->kind == PANEL_STRUCTURE && k < 8; k++)
			seen += panel->drawing.pointed[k] == (k == 1 || k == 3);
	}
	assert_int_equal(seen, 8);
}

TEST(columns_that_are_no_tokens_are_not_pointed_at)
{
	static const struct mark mark = {MARK_CELL, 0, 2, 0};
	struct picture *const p =
		help_picture(&help_arena, "rope", "sentence dog bites man\nview gradients\n");
	figure_mark(&p->figure, &mark, 1, 0, &help_arena);
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].kind == PANEL_HEATMAP)
			assert_int_equal(p->figure.panels[i].heatmap.n_marks, 0);
}

TEST(two_panels_stand_side_by_side_where_the_screen_is_wide)
{
	static const struct {
		int rows, cols;
		bool both;
	} sizes[] = {{50, 200, true}, {36, 120, true}, {24, 80, false}, {20, 60, false}};
	const struct figure *const f =
		&help_picture(&help_arena, "rope",
			      "sentence the old dog chases a cat\npresenter on\n")
			 ->figure;
	for (size_t i = 0; i < 4; i++) {
		struct canvas *const c =
			help_canvas(sizes[i].rows, sizes[i].cols, TIER_DIRECT, false);
		canvas_figure(c, f);
		const char *const text = help_screen(c);
		assert_non_null(strstr(text, "Position bias"));
		assert_int_equal(strstr(text, "Bias by distance") != NULL, sizes[i].both);
	}
}
