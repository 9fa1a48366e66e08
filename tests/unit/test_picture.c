/* test_picture.c: pictures among the words of a text, and positions of several numbers a token. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_folder, close_folder)

static struct input read(const char *text, enum token_mode mode, unsigned special)
{
	struct input in;
	struct err err = {""};
	if (!input_sentence(&in, text, strlen(text), mode, special, &arena, &err))
		fail_msg("%s: %s", text, err.text);
	return in;
}

static const char *labels(const struct input *in)
{
	const char *out = "";
	for (size_t i = 0; i < in->n; i++)
		out = arena_printf(&arena, "%s%s%s", out, i ? " " : "", in->tokens[i].label);
	return out;
}

TEST(patches_are_tokens_named_by_row_and_column)
{
	static const struct {
		const char *text, *labels;
		enum token_mode mode;
	} rows[] = {
		{"what is <image 2x3> ?", "what is r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 ?", TOKENS_WORDS},
		{"<image 1x2><image 1x1>", "i1r1c1 i1r1c2 i2r1c1", TOKENS_WORDS},
		{"<video 2x1x2>", "f1r1c1 f1r1c2 f2r1c1 f2r1c2", TOKENS_WORDS},
		/* block by block, inside a block row by row */
		{"<image 2x4/2>", "r1c1 r1c2 r2c1 r2c2 r1c3 r1c4 r2c3 r2c4", TOKENS_WORDS},
		/* words, where they are meant */
		{"<<image 1x2>", "< image 1x2 >", TOKENS_WORDS},
		{"a \"<image 1x2>\"", "a \" < image 1x2 > \"", TOKENS_WORDS},
		{"<image> here", "< image > here", TOKENS_WORDS},
		{"<image of 2>", "< image of 2 >", TOKENS_WORDS},
		{"<<IMAGE  2>", "< IMAGE 2 >", TOKENS_WORDS},
		{"<image 1x2>", "< image 1x2 >", TOKENS_PLAIN_WORDS},
		{"<image 1x2>", "<image 1x2>", TOKENS_GIVEN},
		{"<v>", "< v >", TOKENS_CHARS},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct input in = read(rows[i].text, rows[i].mode, 0);
		assert_string_equal(labels(&in), rows[i].labels);
		assert_true(input_has_picture(&in) == (strstr(rows[i].labels, "r1c1") != NULL));
	}
	assert_false(input_words_alike("<image 1x2>", 11));
}

TEST(what_is_no_picture_is_said)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"a <image 4x> b", "\"<image 4x>\" is no picture; rows and columns, <image 4x6>"},
		{"<image -1x3>", "\"<image -1x3>\" is no picture; rows and columns"},
		{"<image  2x2>", "<image 4x6> would be right, and <<image for the words"},
		{"<IMAGE 2x2>", "\"<IMAGE 2x2>\" is no picture"},
		{"<Video 2>", "<video 2x4x6> would be right, and <<video for the words"},
		{"<image 0x6>", "is no picture"},
		{"<image 4x6", "is no picture"},
		{"<video 4x6>", "frames, rows and columns, <video 2x4x6>"},
		{"<image 4x6x2>", "rows and columns, <image 4x6>"},
		{"<image 3x4/2>", "blocks of 2 by 2 do not fill 3 rows and 4 columns"},
		{"<image 4096x4096>", "16777216 patches; the limit is 4096"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct input in;
		struct err err = {""};
		assert_false(input_sentence(&in, rows[i].text, strlen(rows[i].text), TOKENS_WORDS,
					    0, &arena, &err));
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: %s", rows[i].text, err.text);
	}
	struct err err = {""};
	assert_string_equal(input_patches("2x3, 2x4x6", &arena, &err), "<image 2x3> <video 2x4x6>");
	assert_null(input_patches("4x", &arena, &err));
	assert_non_null(strstr(err.text, "patches: \"4x\" is no grid"));
	assert_null(input_patches(" ", &arena, &err));
	assert_non_null(strstr(err.text, "there is no grid"));
}

static void expect_axes(const char *text, const double *t, const double *h, const double *w)
{
	const struct input in = read(text, TOKENS_WORDS, 0);
	double at[3][32];
	assert_true(in.n <= 32);
	input_axes(&in, at[0], at[1], at[2]);
	for (size_t i = 0; i < in.n; i++)
		if (!(at[0][i] == t[i] && at[1][i] == h[i] && at[2][i] == w[i]))
			fail_msg("%s %zu: %g %g %g", text, i, at[0][i], at[1][i], at[2][i]);
}

/* The examples of Qwen2-VL's rule: a picture counts from the number that a word would have had, and
 * the text goes on from the greatest of its numbers and one. */
TEST(three_ids_follow_the_rule_of_the_models)
{
	expect_axes("see this [mark <image 2x3> end", (double[]){0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 7},
		    (double[]){0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 7},
		    (double[]){0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7});
	expect_axes("a b c d e f g h i <video 2x2x2> z",
		    (double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11},
		    (double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 9, 9, 10, 10, 11},
		    (double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 10, 9, 10, 9, 10, 11});
	/* Pictures one behind the other are blocks of their own: Qwen3-VL's frames. */
	expect_axes("<image 1x2><image 2x1>", (double[]){0, 0, 2, 2}, (double[]){0, 0, 2, 3},
		    (double[]){0, 1, 2, 2});
}

TEST(cells_stay_when_tokens_move)
{
	const struct input in = read("a <image 1x3>", TOKENS_WORDS, SPECIAL_CLS);
	static const size_t order[] = {3, 2, 1, 0};
	struct input out;
	input_permute(&out, &in, order, &arena);
	assert_string_equal(labels(&out), "[CLS] r1c3 r1c2 r1c1 a");
	assert_null(out.tokens[1].patch);
	assert_int_equal(out.tokens[2].patch->col, 0);
	assert_int_equal(out.tokens[4].patch->col, 2);
}

TEST(three_rows_of_ids_are_kept_as_they_were_given)
{
	static const struct {
		const char *given, *kept;
	} rows[] = {
		{"0 1;0,2 ; 1 1", "0 1; 0 2; 1 1"},
		{"[[0, 1], [0, 2], [1, 1]]", "0 1; 0 2; 1 1"},
		{"[[[0, 1]], [[0, 2]], [[1, 1]]]", "0 1; 0 2; 1 1"},
		{"[0, 1]", "0 1"},
		{"0 1\n2", "0 1 2"},
	};
	const struct field *const field = field_find("position-ids");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		if (!scene_set(&s, field, rows[i].given, &err))
			fail_msg("%s", err.text);
		assert_string_equal(scene_get(&s, field, &arena), rows[i].kept);
	}
	static const char *const wrong[][2] = {
		{"0 1; 2 3", "2 rows parted by ';'; one, or three"},
		{"0 1; 2 3; 4 5; 6 7", "4 rows"},
		{"0 1; 2 3; 4", "row 3 has 1 numbers and row 1 has 2"},
		{"0 1; 2; 4 5", "row 2 has 1 numbers"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		assert_false(scene_set(&s, field, wrong[i][0], &err));
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("%s: %s", wrong[i][0], err.text);
	}
}

TEST(columns_of_a_picture_are_in_the_run_and_its_order_leaves_them)
{
	const struct scene s =
		help_scene_read("tokens words\nsentence go <image 1x2> on\nscheme rope_2d\n"
				"order 4 3 2 1\nspecial cls\n");
	struct built b;
	const struct trace trace = help_run(&s, &b);
	static const double row[] = {0, 0, 0, 0, 0}, column[] = {0, 0, 0, 1, 0},
			    picture[] = {0, 0, 1, 1, 0}, width[] = {0, 1, 2, 3, 4},
			    height[] = {0, 1, 2, 2, 4};
	const struct {
		const char *name;
		const double *at;
	} rows[] = {{"row", row},
		    {"column", column},
		    {"picture", picture},
		    {"width", width},
		    {"height", height}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_memory_equal(help_column_of(&trace, rows[i].name), rows[i].at, sizeof row);
	assert_true(b.pictures);
}

TEST(one_number_a_token_is_asked_for_where_three_are_given)
{
	struct scene s = help_scene_read("sentence a b c\nposition-ids 0 1 1; 0 1 1; 0 1 2\n");
	static const char *const refuse[] = {"rope", "learned", "t5", "alibi"};
	for (size_t i = 0; i < 4; i++) {
		help_set(&s, "scheme", refuse[i]);
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		struct trace trace;
		struct err err = {""};
		const struct want want = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
		assert_false(evaluate(&s.setup, &want, NULL, NULL, &arena, b, &trace, &err));
		if (!strstr(err.text, "reads one position a token, and position-ids gives three"))
			fail_msg("%s: %s", refuse[i], err.text);
	}
	/* A mask follows the text, and pos= takes one of the three. */
	static const char *const take[] = {"none+causal", "mrope+causal", "rope(pos=width)",
					   "rope_2d+window"};
	for (size_t i = 0; i < 4; i++) {
		help_set(&s, "scheme", take[i]);
		assert_non_null(help_trace(&s));
	}
	help_set(&s, "position-ids", "0 1; 0 1; 0 1");
	help_build_refused(&s, "2 numbers a row for 3 tokens");
}

/* Outputs of the scheme for a picture among words; false where it is refused. */
static bool with_ids(const char *scheme, const char *ids, struct trace *out)
{
	const struct scene s = help_scene_read(arena_printf(
		&arena, "tokens words\nsentence a <image 2x2> 1 2\nscheme %s\nposition-ids %s",
		scheme, ids));
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct err err = {""};
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_INPUT | WANT_OUTPUT};
	return evaluate(&s.setup, &want, NULL, NULL, &arena, b, out, &err);
}

/* Beside a picture a scheme of a grid reads cells, and no ids, which is warned of; other schemes read
 * them as in a text. */
TEST(ids_beside_a_picture_move_what_is_said_to_read_them)
{
	size_t deaf = 0, cells = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const struct expr *const e = expr_of(s->id, &arena, NULL);
		struct trace plain = {0}, moved = {0};
		if (!e || expr_reads(e, "seq", true))
			continue;
		deaf++;
		cells += expr_reads(e, "seq", false);
		if (!with_ids(s->id, "none", &plain) || !with_ids(s->id, "9 3 5 7 0 1 4", &moved))
			continue;
		for (size_t l = 0; l < plain.n_layers; l++)
			if (help_output_apart(&plain, &moved, l) > 0)
				fail_msg("%s: position-ids move layer %zu", s->id, l + 1);
	}
	assert_int_equal(cells, 7);
	assert_true(deaf > 20);
}

/* What ids do not move though it is said to read them is none: a picture's cells are all it reads. */
TEST(who_reads_ids_beside_a_picture_is_moved_by_them)
{
	static const char *const ids[] = {
		"rope_2d", "rope_mixed", "learned_2d", "sinusoidal_2d", "swin",
		"irpe",	   "cpe",	 "abacus",     "rope",		"log_cpb(grid=on)",
		"learned", "alibi",	 "mrope"};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		struct trace plain = {0}, moved = {0};
		const struct expr *const e = expr_of(ids[i], &arena, NULL);
		assert_true(with_ids(ids[i], "none", &plain));
		assert_true(with_ids(ids[i], "9 3 5 7 0 1 4", &moved));
		const double apart = help_output_apart(&plain, &moved, 1);
		if ((apart > 1e-9) != expr_reads(e, "seq", true))
			fail_msg("%s: %g", ids[i], apart);
	}
}

/* A file that counts one token more than the patches has a class token. */
TEST(a_grid_that_does_not_fit_its_tokens_is_refused)
{
	const char *const file = help_save_all((const struct help_shaped[]){{"units", 7, 64}}, 1);
	struct scene s = help_scene_read("tokens words\nsentence <image 2x3>\n");
	help_set(&s, "units", file);
	help_build_refused(&s, "7 rows, and the sentence has 6 tokens");
	help_build_refused(&s, "--special cls adds a class token");
	help_set(&s, "special", "cls");
	help_build(&s);
}

TEST(a_shift_of_the_column_shifts_all_numbers)
{
	const struct scene s =
		help_scene_read("tokens words\nsentence go <image 2x2> on\nscheme mrope\n");
	struct built b;
	const struct trace trace = help_run(&s, &b);
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	in.shift_column = "seq";
	in.shift_by = 5;
	struct trace shifted;
	const struct want want = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &want, NULL, NULL, &arena, &shifted, NULL));
	assert_true(help_column_of(&shifted, "width")[2] == help_column_of(&trace, "width")[2] + 5);
	assert_true(help_logits_apart(&trace, &shifted, 0, 4) < 1e-12);
}
