/* test_vectors_view.c: the view Vectors over all schemes, and what its numbers must be. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

static const struct figure *figure_of(const char *expression, const char *lines)
{
	return &help_picture(&arena, expression, arena_printf(&arena, "view vectors\n%s", lines))
			->figure;
}

/* No panel is empty: it has a picture, or says why not. */
TEST_IN_PARTS(every_scheme_shows_vectors_or_says_what_it_has, 2)
{
	size_t shown = 0, said = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct figure *const f = figure_of(scheme_at(i)->id, "");
		help_figure_is_sound(&arena, f, scheme_at(i)->id);
		const struct panel *const table = help_named_panel(f, "table");
		if (table->absent) {
			said++;
			assert_true(strncmp(table->absent, "no vectors", 10) == 0);
		} else {
			shown++;
			assert_true(table->heatmap.values.rows > 1);
			assert_true(help_named_panel(f, "cosine") && help_named_panel(f, "curve"));
		}
	}
	assert_true(shown > 30 && said > 5);
}

/* A short sentence does not hide what is made for many places; what hangs on the words does not change. */
TEST(what_hangs_on_places_alone_is_shown_of_more)
{
	static const struct {
		const char *expression, *lines;
		size_t rows;
	} cases[] = {
		{"sinusoidal", "sentence a b\n", 32},
		{"sinusoidal", "sentence a b\nt-max 8\n", 8},
		{"rope", "sentence a\n", 32},
		{"gru", "sentence a b c\n", 3},
		{"spr_abs", "sentence a b c\n", 3},
		{"abacus", "sentence 1 2 + 3 4\n", 5},
		{"sinusoidal", "sentence a b c\nposition-ids 0 1 5\n", 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct panel *const p =
			help_named_panel(figure_of(cases[i].expression, cases[i].lines), "table");
		if (p->absent || p->heatmap.values.rows != cases[i].rows)
			fail_msg("%s: %zu rows", cases[i].expression, p->heatmap.values.rows);
	}
}

TEST(one_row_is_told_in_words)
{
	const struct figure *const f = figure_of("gru", "sentence a\n");
	help_figure_is_sound(&arena, f, "gru");
	assert_true(help_named_panel(f, "cosine")->absent && help_named_panel(f, "norms")->absent);
	assert_null(help_named_panel(f, "table")->absent);
}

/* Another of the scheme's tables, in its order. */
TEST(vectors_are_chosen_by_number)
{
	static const char *const names[] = {"shaw.w_key.0", "shaw.w_value.0", "shaw.w_value.0"};
	for (size_t i = 0; i < 3; i++) {
		const struct figure *const f =
			figure_of("shaw", arena_printf(&arena, "vectors %zu\n", i + 1));
		assert_ptr_equal(strstr(help_named_panel(f, "table")->subtitle, names[i]),
				 help_named_panel(f, "table")->subtitle);
	}
}

/* Shaw has tables for keys and for values; no other view has vectors to choose from. */
TEST(a_picture_knows_how_many_vectors_there_are)
{
	static const struct {
		const char *expression, *lines;
		size_t n;
	} cases[] = {{"shaw", "view vectors", 2},
		     {"sinusoidal", "view vectors", 1},
		     {"shaw", "view terms", 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene scene = help_scene(cases[i].expression, cases[i].lines);
		assert_int_equal(picture_vectors(&scene, help_picture(&arena, cases[i].expression,
								      cases[i].lines)),
				 cases[i].n);
	}
}

static double number(const char *expression, const char *lines, const char *name)
{
	const struct scene scene =
		help_scene(expression, arena_printf(&arena, "view vectors\n%s", lines));
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct numbers numbers;
	struct err err = {""};
	numbers_init(&numbers, &arena);
	if (!setup_build(&scene.setup, &arena, b, &err) ||
	    !view_numbers(&scene, "vectors", b, NULL, NULL, &arena, &numbers, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < numbers.n; i++)
		if (strcmp(numbers.at[i].name, name) == 0)
			return numbers.at[i].at.at ? numbers.at[i].at.at[0] : NAN;
	fail_msg("no %s", name);
	return NAN;
}

/* Cosines of sinusoids hang on the distance alone (survey §5); those of a random table do not. 64 places: 9 of
 * 32 pairs, for 2π·10000^(i/32) ≤ 64 up to i = 8. */
TEST(numbers_of_vectors)
{
	static const char many[] = "sentence a b c d e f g h i j k l m n o p q r s t u v w x y z "
				   "a b c d e f g h i j k l m n o p q r s t u v w x y z "
				   "a b c d e f g h i j k l\n";
	assert_true(fabs(number("sinusoidal", "", "vectors.cosine.by-distance") - 1) < 1e-12);
	assert_true(number("learned", "init paper\n", "vectors.cosine.by-distance") < 0.2);
	assert_true(fabs(number("sinusoidal", many, "vectors.waves") - 9) < 1e-12);
	assert_true(isnan(number("alibi", "", "vectors.cosine.least")));
}
