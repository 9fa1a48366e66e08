/* test_scheme_mrope.c: rotation by time, height and width: Qwen's code, worked numbers, limits. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_learned.h"
#include "help_setup.h"

FIXTURE(open_arena, close_arena)

static void three_ids(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat at = tensor_mat(tensor_find(set, "positions"));
	for (size_t i = 0; i < PLACE_AXES; i++) {
		double *const column = arena_calloc(a, at.cols, sizeof *column);
		memcpy(column, mat_row(at, i), at.cols * sizeof *column);
		in->places[i] = column;
	}
	in->three_given = true;
}

TEST(models_vectors)
{
	static const struct help_case cases[] = {
		{.file = "grid/mrope-sections-a.safetensors",
		 .expression = "mrope(sections=[2,3,3])+causal",
		 .masked_logits = true,
		 .structure = three_ids},
		{.file = "grid/mrope-interleaved-a.safetensors",
		 .expression = "mrope(axes=interleaved,sections=[4,2,2])+causal",
		 .masked_logits = true,
		 .structure = three_ids},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(help_case_compare(&r, &cases[i]), 10);
		help_case_close(&r);
	}
}

/* q = k = ones, id differences (1,2,3), d_h 8, B 1e4: before 1/√d_h. */
TEST(worked_numbers)
{
	static const struct {
		const char *scheme;
		double sum;
	} rows[] = {{"mrope(base=10000,sections=[2,1,1])", 7.070203956},
		    {"mrope(base=10000,axes=interleaved,sections=[2,1,1])", 7.039836835}};
	struct scene s = help_scene_read("sentence a a\nd-model 8\nheads 1\nlayers 1\n"
					 "position-ids 0 1; 0 2; 0 3\n");
	for (size_t i = 0; i < 2; i++) {
		help_set(&s, "scheme", rows[i].scheme);
		struct built b;
		const struct trace trace = help_run(&s, &b);
		/* The bias is that of a vector of ones, less its product without rotation, 8. */
		const double bias = mat_row(trace.layers[0].heads[0].bias, 1)[0];
		const double gain = (double)b.model.gain;
		assert_true(fabs(bias * sqrt(8) / gain + 8 - rows[i].sum) < 1e-8);
	}
}

static const char *axes_of(const char *scheme, const char *sizes)
{
	struct scene s = help_scene_read(sizes);
	help_set(&s, "scheme", scheme);
	struct built b = help_build(&s);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want want = {.kinds = WANT_KEPT, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &want, NULL, NULL, &arena, &trace, NULL));
	const char *out = "";
	for (size_t i = 0; i < trace.n_kept; i++)
		if (strcmp(trace.kept[i].name, "member.mrope.axis") == 0)
			for (size_t k = 0; k < trace.kept[i].at.cols; k++)
				out = arena_printf(&arena, "%s%c", out,
						   "thw"[(int)trace.kept[i].at.at[k]]);
	return out;
}

TEST(axes_of_the_pairs)
{
	static const char small[] = "sentence a b\nd-model 16\nheads 1\n";
	assert_string_equal(axes_of("mrope(axes=interleaved,sections=[4,2,2])", small), "thwthwtt");
	assert_string_equal(axes_of("mrope(axes=interleaved)", small), "thwthwtt");
	assert_string_equal(axes_of("mrope(sections=[4,2,2])", small), "tttthhww");
	assert_string_equal(axes_of("mrope", small), "tthhhwww");
	const char *const wide =
		axes_of("mrope(axes=interleaved)", "sentence a b\nd-model 128\nheads 1\n");
	assert_int_equal(strlen(wide), 64);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(wide[i], i < 60 ? "thw"[i % 3] : 't');
}

/* Equal numbers on the three axes: a text, and a column that pos= names. */
TEST(text_alone_is_rope)
{
	static const char *const alike[][2] = {
		{"mrope", "rope(layout=half,base=1000000)"},
		{"mrope(axes=interleaved,layout=interleaved,base=100)", "rope(base=100)"},
		{"mrope(pos=remaining)", "rope(layout=half,base=1000000,pos=remaining)"},
	};
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	for (size_t i = 0; i < 3; i++)
		assert_true(help_logits_apart(help_again(&r, alike[i][0], NULL),
					      help_again(&r, alike[i][1], NULL), 0, 4) < 1e-12);
	help_run_close(&r);
	struct scene s = help_scene_read(
		"tokens words\nsentence go <image 2x3> on\nscheme mrope(pos=width)\n");
	const struct trace *const a = help_trace(&s);
	help_set(&s, "scheme", "rope(layout=half,base=1000000,pos=width)");
	assert_true(help_logits_apart(a, help_trace(&s), 0, 1) < 1e-12);
}

/* A picture on its side, with the sections of height and width exchanged. */
TEST(height_and_width_exchanged_turn_the_picture)
{
	struct scene s = help_scene_read("sentence a b c d e f\nscheme mrope(sections=[2,4,2])\n"
					 "position-ids 0 0 0 0 0 0; 0 0 0 1 1 1; 0 1 2 0 1 2\n");
	const struct trace *const a = help_trace(&s);
	help_set(&s, "position-ids", "0 0 0 0 0 0; 0 1 2 0 1 2; 0 0 0 1 1 1");
	assert_true(help_logits_apart(a, help_trace(&s), 0, 1) > 1e-6);
	/* Blocks exchange the frequencies as well; in turns with one pair each nothing else does. */
	help_set(&s, "scheme", "mrope(sections=[8,0,0])");
	const struct trace *const still = help_trace(&s);
	help_set(&s, "scheme", "none");
	assert_true(help_logits_apart(still, help_trace(&s), 0, 1) < 1e-12);
}

TEST(wrong_sections_are_said)
{
	static const char *const rows[][2] = {
		{"mrope(sections=[1,1,1])",
		 "sections of 1, 1 and 1 are 3 pairs, and a head of width 16 has 8; [2,3,3]"},
		{"mrope(sections=[9,0,0],axes=interleaved)", "[4,2,2] would be right"},
	};
	struct scene s = help_scene_read("sentence a b\n");
	for (size_t i = 0; i < 2; i++) {
		help_set(&s, "scheme", rows[i][0]);
		help_build_refused(&s, rows[i][1]);
	}
	struct expr e;
	struct err err = {""};
	assert_false(expr_parse(&e, "mrope(sections=[4,4])", &arena, &err));
	assert_non_null(strstr(err.text, "2 numbers; three"));
	assert_false(expr_parse(&e, "mrope(sections=[4.5,2,1.5])", &arena, &err));
	assert_non_null(strstr(err.text, "whole numbers"));
}

/* Only the differences on each axis count: a constant for one row of ids changes nothing. */
TEST(each_axis_may_be_shifted_alone)
{
	static const char *const ids[] = {"0 1 1 3; 0 1 2 3; 0 2 1 3", "5 6 6 8; 0 1 2 3; 0 2 1 3",
					  "0 1 1 3; -7 -6 -5 -4; 0 2 1 3",
					  "0 1 1 3; 0 1 2 3; 9 11 10 12"};
	static const char *const schemes[] = {"mrope(base=100)",
					      "mrope(axes=interleaved,base=100)"};
	struct scene s = help_scene_read("sentence a b c d\n");
	for (size_t k = 0; k < 2; k++) {
		help_set(&s, "scheme", schemes[k]);
		help_set(&s, "position-ids", ids[0]);
		const struct trace *const first = help_trace(&s);
		for (size_t i = 1; i < 4; i++) {
			help_set(&s, "position-ids", ids[i]);
			assert_true(help_logits_apart(first, help_trace(&s), 0, 1) < 1e-12);
		}
		help_set(&s, "position-ids", "0 1 1 3; 0 1 2 3; 0 3 1 3");
		assert_true(help_logits_apart(first, help_trace(&s), 0, 1) > 1e-6);
	}
}
