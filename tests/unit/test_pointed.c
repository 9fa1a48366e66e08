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
