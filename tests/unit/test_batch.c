/* test_batch.c: packing and padding as fields: they go with every expression, shown or compared. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "help_view.h"
#include "posviz/scene/beside.h"

FIXTURE(open_folder, close_folder)

static const struct trace *traced(const char *lines)
{
	const struct scene s = help_scene_read(lines);
	return help_trace(&s);
}

/* Returns how far the rows of the last words of a text, the first at `at`, are from those of the
 * other, the first at `from`. */
static double apart(const char *text, size_t at, const char *other, size_t from, size_t n)
{
	return mat_max_abs_diff(mat_rows(traced(text)->layers[1].output, at, n),
				mat_rows(traced(other)->layers[1].output, from, n));
}

TEST(fields_are_members_of_any_expression)
{
	static const char *const rows[][2] = {{"pack on", "rope+pack"},
					      {"pack no-reset", "rope+pack(reset=off)"},
					      {"pad left:3", "rope+pad(left=3)"},
					      {"pad right:2", "rope+pad(left=0,right=2)"},
					      {"pad right:2,left:3", "rope+pad(left=3,right=2)"},
					      {"pad left:3,no-reset", "rope+pad(left=3,reset=off)"},
					      {"pack on\npad left:1", "rope+pack+pad(left=1)"},
					      {"pack off\npad none", "rope"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = help_scene_read(
			arena_printf(&arena, "sentence a b ||| c d\nscheme rope\n%s", rows[i][0]));
		const struct built b = help_build(&s);
		assert_string_equal(setup_with_batch(&s.setup, "rope", &arena), rows[i][1]);
		assert_string_equal(expr_print(&b.expr, &arena), rows[i][1]);
	}
}

/* The second text of two has the numbers that it has alone, unless its position ids go on. */
TEST(packed_texts_are_as_alone)
{
	static const char packed[] = "sentence a b ||| c d\nscheme learned+causal\npack on";
	static const char going_on[] = "sentence a b ||| c d\nscheme learned+causal\npack no-reset";
	static const char alone[] = "sentence c d\nscheme learned+causal";
	assert_true(apart(packed, 2, alone, 0, 2) < 1e-12);
	assert_true(apart(going_on, 2, alone, 0, 2) > 1e-3);
	assert_true(apart("sentence a b ||| c d\nscheme rope+causal\npack no-reset", 2,
			  "sentence c d\nscheme rope+causal", 0, 2) < 1e-9);
	assert_non_null(strstr(traced(going_on)->note, "'c' is at 2, alone at 0"));
	assert_null(traced(packed)->note);
}

TEST(padding_moves_nothing_but_ids_that_count_it)
{
	static const char alone[] = "sentence a b c\nscheme learned+causal";
	static const char counted[] = "sentence a b c\nscheme learned+causal\npad left:3,no-reset";
	assert_true(apart("sentence a b c\nscheme learned+causal\npad left:3", 3, alone, 0, 3) <
		    1e-12);
	assert_true(apart("sentence a b c\nscheme learned+causal\npad right:3", 0, alone, 0, 3) <
		    1e-12);
	assert_true(apart(counted, 3, alone, 0, 3) > 1e-3);
	assert_non_null(strstr(traced(counted)->note, "'a' is at 3, without it at 0"));
}

#define PARTED "a b ||| c d e ||| f"

/* The ids of "a b ||| c d e ||| f", worked out by hand: padding in front of the first text, ids
 * that begin anew in each; in whatever order the members are written. */
TEST(order_of_packing_and_padding_does_not_matter)
{
	static const struct {
		const char *scheme, *other, *text;
		double ids[9];
		size_t n;
	} rows[] = {
		{"rope+pad(left=2)+pack",
		 "rope+pack+pad(left=2)",
		 PARTED,
		 {0, 0, 0, 1, 0, 1, 2, 0},
		 8},
		{"pad(left=2)+rope+pack",
		 "pack+rope+pad(left=2)",
		 PARTED,
		 {0, 0, 0, 1, 0, 1, 2, 0},
		 8},
		{"rope+pad(left=2,reset=off)+pack",
		 "rope+pack+pad(left=2,reset=off)",
		 PARTED,
		 {0, 1, 2, 3, 0, 1, 2, 0},
		 8},
		{"rope+pad(left=2,reset=off)+pack",
		 "rope+pack+pad(left=2,reset=off)",
		 "a b c d e f\nsegments 4 4 5 5 5 6",
		 {0, 1, 2, 3, 0, 1, 2, 0},
		 8},
		{"rope+pad(left=2)+pack(reset=off)",
		 "rope+pack(reset=off)+pad(left=2)",
		 PARTED,
		 {0, 0, 0, 1, 2, 3, 4, 5},
		 8},
		{"rope+pad(left=1,right=2)+pack",
		 "rope+pack+pad(left=1,right=2)",
		 PARTED,
		 {0, 0, 1, 0, 1, 2, 0, 1, 2},
		 9},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < 2; k++) {
			const char *const scheme = k ? rows[i].other : rows[i].scheme;
			const struct trace *const t = traced(arena_printf(
				&arena, "sentence %s\nscheme %s", rows[i].text, scheme));
			const double *const seq = help_column_of(t, "seq");
			assert_int_equal(t->query.n, rows[i].n);
			for (size_t s = 0; s < rows[i].n; s++)
				if (fabs(seq[s] - rows[i].ids[s]) > 0)
					fail_msg("%s: token %zu is at %g", scheme, s, seq[s]);
		}
}

/* A scheme that draws positions reads the ids that the batch made: the text is where it is alone. */
TEST(drawn_positions_are_of_ids_without_padding)
{
	static const char *const rows[][2] = {{"rope+rand_pe", "pad left:3"},
					      {"rope+rand_pe+pad(left=3)", ""},
					      {"pad(left=3)+rope+rand_pe", ""}};
	const struct trace *const alone = traced("sentence a b c\nscheme rope+rand_pe");
	for (size_t i = 0; i < 3; i++) {
		const struct trace *const t = traced(arena_printf(
			&arena, "sentence a b c\nscheme %s\n%s", rows[i][0], rows[i][1]));
		for (size_t s = 0; s < 3; s++)
			assert_true(fabs(help_column_of(t, "seq")[s + 3] -
					 help_column_of(alone, "seq")[s]) < 1e-12);
	}
}

/* What stands beside the shown expression is packed as well. */
TEST(compared_expressions_are_packed_too)
{
	const struct scene s = help_scene_read("sentence a b ||| c d\nscheme rope\ncompare "
					       "learned\npack on");
	struct setup second;
	struct err err = {""};
	struct built b;
	assert_true(setup_of_compared(&s.setup, 2, &arena, &second, &err));
	assert_true(setup_build(&second, &arena, &b, &err));
	assert_string_equal(expr_print(&b.expr, &arena), "learned+pack");
}

TEST(titles_and_commands_say_what_was_added)
{
	const struct picture *const p = help_picture(
		&arena, "learned+causal", "sentence a b ||| c d\npack no-reset\npad left:2");
	assert_non_null(strstr(p->figure.subtitle, "learned+causal+pack(reset=off)+pad(left=2)"));
	assert_non_null(strstr(p->figure.command, "--pack no-reset"));
	const struct card *const scheme = &help_panel(&p->figure, "What it does")->card;
	assert_string_equal(scheme->lines[0].key, "here");
	assert_non_null(
		strstr(scheme->lines[0].value, "position ids go on: 'c' is at 2, alone at 0"));
	const struct picture *const terms = help_picture(
		&arena, "learned",
		"sentence a b ||| c d\nview terms\npack no-reset\npad left:2,no-reset");
	const struct card *const card = &help_panel(&terms->figure, "What is added")->card;
	size_t here = 0;
	for (size_t i = 0; i < card->n; i++)
		here += strcmp(card->lines[i].key, "here") == 0;
	assert_int_equal(here, 2);
	assert_non_null(strstr(p->figure.command, "--pad left:2"));
}

TEST(bad_padding_is_refused)
{
	static const char *const rows[][2] = {
		{"3", "left:N, right:N, both, or none would be right"},
		{"left", "left:N, right:N, both, or none would be right"},
		{"top:3", "left:N, right:N, both, or none would be right"},
		{"left:0", "pad: left: "},
		{"left:257", "1 to 256"},
		{"left:2,left:3", "left is given twice"},
		{"no-reset", "left:N,no-reset would be right"},
		{"right:2,no-reset", "left:N,no-reset would be right"},
		{"", "none would be right"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		const struct scene before = s;
		assert_false(scene_set(&s, field_find("pad"), rows[i][0], &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
		assert_true(scene_equal(&s, &before));
	}
}

/* An expression that packs or pads by itself is not packed or padded twice. */
TEST(what_the_expression_has_is_not_added)
{
	const struct scene packs = help_scene_read("sentence a ||| b\nscheme rope+pack\npack on");
	help_build_refused(&packs, "pack: the expression has a member pack too");
	const struct scene pads = help_scene_read("sentence a b\nscheme rope+pad\npad left:1");
	help_build_refused(&pads, "pad: the expression has a member pad too");
}
