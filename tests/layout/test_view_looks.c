/* test_view_looks.c: the panel Where this patch looks of the view Explore. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_view.h"

static const struct panel *panel_of(struct arena *a, const char *lines, struct picture **picture)
{
	*picture = help_picture(a, "rope_2d", lines);
	help_figure_is_sound(a, &(*picture)->figure, lines);
	return help_named_panel(&(*picture)->figure, "looks");
}

/* Cell (y, x) of the panel is the weight of the query for the patch of row y and column x. */
TEST(a_row_of_the_matrix_lies_as_the_picture_does)
{
	struct arena a;
	struct picture *picture;
	arena_init(&a);
	const struct panel *const p =
		panel_of(&a, "tokens words\nsentence see <image 3x4> !\nrow 7\n", &picture);
	assert_non_null(p);
	assert_string_equal(p->title, "Where this patch looks");
	assert_string_equal(p->short_note, "r2c2");
	const struct heatmap *const h = &p->heatmap;
	const struct mat w = help_named_panel(&picture->figure, "weights")->heatmap.values;
	assert_int_equal(h->values.rows, 3);
	assert_int_equal(h->values.cols, 4);
	for (size_t y = 0; y < 3; y++)
		for (size_t x = 0; x < 4; x++)
			assert_true(mat_row(h->values, y)[x] == mat_row(w, 6)[1 + 4 * y + x]);
	assert_string_equal(h->row_labels[2], "r3");
	assert_string_equal(h->col_labels[3], "c4");
	assert_int_equal(h->n_marks, 1);
	assert_int_equal(h->marks[0].row, 1);
	assert_int_equal(h->marks[0].col, 1);
	/* What a tour points out is in the matrix, not in the picture. */
	figure_mark(&picture->figure, &(struct mark){.kind = MARK_CELL, .row = 2, .col = 3}, 1, 0,
		    &a);
	assert_int_equal(h->n_marks, 1);
	assert_int_equal(h->marks[0].row, 1);
	arena_release(&a);
}

/* Rows of the second frame are behind those of the first, each with the weights of its own patches. */
TEST(frames_lie_below_each_other)
{
	struct arena a;
	struct picture *picture;
	arena_init(&a);
	const struct panel *const p =
		panel_of(&a, "tokens words\nsentence <video 2x3x2>\nrow 8\n", &picture);
	assert_non_null(p);
	const struct mat w = help_named_panel(&picture->figure, "weights")->heatmap.values;
	for (size_t y = 0; y < 6; y++)
		for (size_t x = 0; x < 2; x++)
			assert_true(mat_row(p->heatmap.values, y)[x] == mat_row(w, 7)[2 * y + x]);
	assert_int_equal(p->heatmap.marks[0].row, 3);
	assert_int_equal(p->heatmap.marks[0].col, 1);
	arena_release(&a);
}

TEST(words_look_at_the_first_picture_and_patches_at_their_own)
{
	static const struct {
		const char *lines, *title, *subtitle;
		size_t rows, marks;
	} rows[] = {
		{"sentence a <image 1x2> b <image 3x2>\nrow 1\n", "Where this token looks",
		 "picture 1 of 2", 1, 0},
		{"sentence a <image 1x2> b <image 3x2>\nrow 5\n", "Where this patch looks",
		 "picture 2 of 2", 3, 1},
		{"sentence <video 2x3x2>\nrow 12\n", "Where this patch looks", "the picture", 6, 1},
		{"sentence <image 4x2/2>\n", "Where this patch looks", "the picture", 4, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct picture *picture;
		arena_init(&a);
		const char *const lines = arena_printf(&a, "tokens words\n%s", rows[i].lines);
		const struct panel *const p = panel_of(&a, lines, &picture);
		assert_non_null(p);
		assert_string_equal(p->title, rows[i].title);
		assert_non_null(strstr(p->subtitle, rows[i].subtitle));
		assert_int_equal(p->heatmap.values.rows, rows[i].rows);
		assert_int_equal(p->heatmap.n_marks, rows[i].marks);
		arena_release(&a);
	}
}

/* Keys that are masked for the query are so in the picture; a text has no such panel. */
TEST(masked_patches_are_hatched)
{
	struct arena a;
	arena_init(&a);
	struct picture *picture =
		help_picture(&a, "mrope+causal", "tokens words\nsentence <image 2x2>\nrow 2\n");
	const struct panel *p = help_named_panel(&picture->figure, "looks");
	assert_non_null(p);
	static const uint8_t masked[] = {0, 0, 1, 1};
	for (size_t i = 0; i < 4; i++)
		assert_true((p->heatmap.masked[i] != 0) == (masked[i] != 0));
	picture = help_picture(&a, "rope", "sentence a b c\n");
	assert_null(help_named_panel(&picture->figure, "looks"));
	arena_release(&a);
}

/* The foot has the picture as it is written, unless an order moved its patches. */
TEST(pictures_are_said_as_they_are_written)
{
	static const char *const rows[][2] = {
		{"sentence see <image 3x4> !\n", "see <image 3x4> !"},
		{"sentence <image 2x2/2><video 2x1x2>\n", "<image 2x2> <video 2x1x2>"},
		{"sentence <image 1x2>\nspecial cls\n", "[CLS] <image 1x2>"},
		{"sentence a <image 1x2>\norder 1 3 2\n", "a r1c2 r1c1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		arena_init(&a);
		const struct picture *const p = help_picture(
			&a, "rope_2d", arena_printf(&a, "tokens words\n%s", rows[i][0]));
		if (!strstr(p->figure.caption, arena_printf(&a, "“%s”", rows[i][1])))
			fail_msg("%s: %s", rows[i][0], p->figure.caption);
		arena_release(&a);
	}
}

/* Why this cell says row and column of both, and three given numbers instead of one. */
TEST(why_says_all_numbers_of_a_position)
{
	static const char *const rows[][3] = {
		{"tokens words\nsentence <image 2x3>\nrow 6\ncol 2\n", "row|1, 0", "column|2, 1"},
		{"sentence a b c\nposition-ids 0 1 1; 0 1 1; 0 1 2\nrow 3\ncol 1\n", "height|1, 0",
		 "width|2, 0"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		arena_init(&a);
		const struct picture *const p =
			help_picture(&a, "rope_2d", arena_printf(&a, "view why\n%s", rows[i][0]));
		const struct panel *const why = &p->figure.panels[0];
		for (size_t k = 1; k < 3; k++) {
			bool there = false;
			for (size_t j = 0; j < why->waterfall.n_facts; j++)
				there |= strcmp(arena_printf(&a, "%s|%s",
							     why->waterfall.facts[j].key,
							     why->waterfall.facts[j].value),
						rows[i][k]) == 0;
			assert_true(there);
		}
		arena_release(&a);
	}
}

/* A cursor that moves needs the panel anew; without pictures its mark alone moves. */
TEST(another_query_is_drawn_anew)
{
	struct arena a;
	arena_init(&a);
	const struct scene moved = help_scene("rope_2d", "row 3\ncol 1\n");
	struct picture *p =
		help_picture(&a, "rope_2d", "tokens words\nsentence <image 2x2>\nrow 1\ncol 1\n");
	assert_false(picture_cursor(&moved, p));
	p = help_picture(&a, "rope_2d", "sentence a b c d\nrow 1\ncol 1\n");
	assert_true(picture_cursor(&moved, p));
	arena_release(&a);
}
