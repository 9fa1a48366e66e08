/* test_scheme_coupled.c: positions that a rule takes from the text: within and between sentences, and by
 * the place value of digits; numbers of two codes, worked rows, and what other members read of them. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"

static void take_segments(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat segment = tensor_mat(tensor_find(set, "segment"));
	double *const at = arena_calloc(a, segment.cols, sizeof *at);
	for (size_t i = 0; i < segment.cols; i++)
		at[i] = segment.at[i];
	in->segment = at;
}

static void take_stops(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat stop = tensor_mat(tensor_find(set, "separator"));
	const char **const labels = arena_calloc(a, in->axis.n, sizeof *labels);
	for (size_t i = 0; i < in->axis.n; i++)
		labels[i] = stop.at[i] > 0 ? "." : "word";
	in->axis.labels = labels;
}

/* The code's bias lacks a constant of each row. */
TEST(numbers_of_bipe_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "newer/bipe-rope-a.safetensors",
		 .expression = "bipe(rows=8)+rope(layout=half,pos=between)+causal",
		 .structure = take_stops,
		 .masked_logits = true},
		{.file = "newer/bipe-rope-a.safetensors",
		 .expression = "rope(layout=half,pos=between)+bipe(rows=8,by=segments)+causal",
		 .structure = take_segments,
		 .masked_logits = true},
		{.file = "newer/bipe-alibi-a.safetensors",
		 .expression = "bipe(rows=8)+alibi(causal=off,factor=96,pos=between)+causal",
		 .structure = take_stops,
		 .masked_logits = true,
		 .row_shift = true,
		 .skip = "bias"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* q, k, logits, weights and context of every head */
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

/* Runs an expression over these tokens, which blanks separate. */
static void open_words(struct help_run *r, const char *expression, const char *words)
{
	size_t n = 1;
	for (const char *at = words; *at; at++)
		n += *at == ' ';
	help_run_must_open(r, "none", n, 0, NULL);
	const char **const labels = arena_calloc(&r->arena, n, sizeof *labels);
	for (size_t i = 0; i < n; i++, words += strcspn(words, " "), words += *words == ' ')
		labels[i] = arena_strndup(&r->arena, words, strcspn(words, " "));
	r->in.axis.labels = labels;
	r->trace = *help_again(r, expression, NULL);
}

static void expect_column(const struct help_run *r, const char *name, const char *digits)
{
	const double *const at = help_column_of(&r->trace, name);
	for (size_t i = 0; digits[i]; i++)
		if (fabs(at[i] - (digits[i] - '0')) > 0)
			fail_msg("%s[%zu]: %g, not %c", name, i, at[i], digits[i]);
}

TEST(worked_positions_are_these)
{
	static const struct {
		const char *expression, *words, *name, *at;
	} rows[] = {
		{"bipe", "a b . c d e . f g h", "between", "0001111222"},
		{"bipe", "a b . c d e . f g h", "within", "0120123012"},
		{"bipe", "a b \\n c", "within", "0120"},
		{"bipe", "a b c", "between", "000"},
		{"bipe", ". . .", "between", "012"},
		{"coupling", "6 5 3 + 4 9 = 0 7 0 2", "coupled", "43213265432"},
		{"coupling(reversed=on)", "6 5 3 + 4 9 = 2 0 7 0", "coupled", "43213212345"},
		{"coupling(start=0,table=off)", "6 5 3 + 4 9 = 0 7 0 2", "coupled", "32102154321"},
		{"coupling", "sum 1 2 and 12", "coupled", "03200"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		print_message("%s: %s\n", rows[i].expression, rows[i].words);
		open_words(&r, rows[i].expression, rows[i].words);
		expect_column(&r, rows[i].name, rows[i].at);
		help_run_close(&r);
	}
}

/* The sums of the code's files, whose texts their metadata have. */
TEST(numbers_of_coupling_are_matched)
{
	static const char *const rows[][3] = {
		{"coupling-addition", "coupling", "6 5 3 + 4 9 = 0 7 0 2"},
		{"coupling-addition-reversed", "coupling(reversed=on)", "6 5 3 + 4 9 = 2 0 7 0"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		struct tensor_set set;
		struct err err = {""};
		open_words(&r, rows[i][1], rows[i][2]);
		tensor_set_init(&set, &r.arena);
		if (!help_tensors(&set,
				  arena_printf(&r.arena, "%s/newer/%s-a.safetensors", test_data,
					       rows[i][0]),
				  &err))
			fail_msg("%s", err.text);
		const struct mat want = tensor_mat(tensor_find(&set, "positions"));
		assert_int_equal(want.rows * want.cols, 11);
		assert_memory_equal(help_column_of(&r.trace, "coupled"), want.at,
				    11 * sizeof(double));
		help_run_close(&r);
	}
}

/* Where every token is a stop, relative schemes read tokens; without a stop they read nothing. */
TEST(stops_everywhere_or_nowhere_are_tokens_or_none)
{
	struct help_run r;
	open_words(&r, "rope(pos=between)+bipe+causal", ". . . . .");
	const struct trace *other = help_again(&r, "rope+bipe+causal", NULL);
	help_traces_equal(&r.trace, other);
	help_run_close(&r);
	open_words(&r, "rope(pos=between)+bipe", "a b c d e");
	help_traces_equal(&r.trace, help_again(&r, "bipe", NULL));
	help_run_close(&r);
}

static void same_table(struct model *model)
{
	const struct mat p = help_leaf(model, "p");
	for (size_t i = 0; i < p.rows; i++)
		for (size_t j = 0; j < p.cols; j++)
			mat_row(p, i)[j] = sin((double)(7 * i + j));
}

/* A table by a column is the learned one read at that column: of bipe without a stop at the
 * position, of coupling at what digits share. */
TEST(their_tables_are_learned_ones)
{
	static const char *const rows[][2] = {
		{"bipe+causal", "learned+causal"},
		{"coupling", "coupling(table=off)+learned(pos=coupled)"},
		{"coupling(reversed=on,start=3)",
		 "coupling(reversed=on,start=3,table=off)+learned(pos=coupled)"},
	};
	struct help_run r;
	open_words(&r, "none", "1 2 + 3 4 = 4 6");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct trace *const own = help_changed(&r, rows[i][0], same_table);
		help_traces_equal(own, help_changed(&r, rows[i][1], same_table));
		assert_true(help_output_apart(own, &r.trace, 0) > 1e-3);
	}
	help_run_close(&r);
}

TEST(digits_of_one_value_are_rotated_alike)
{
	struct help_run r;
	open_words(&r, "coupling(table=off)+rope(pos=coupled)", "1 2 + 3 4 = 4 6");
	const struct mat z = help_head_of(&r.trace, 0)->logits;
	/* "2" and "4" are at position 2 both: their logit is that of content. */
	const struct mat plain = help_head_of(help_again(&r, "none", NULL), 0)->logits;
	assert_true(fabs(help_entry(z, 1, 4) - help_entry(plain, 1, 4)) < 1e-12);
	assert_true(fabs(help_entry(z, 1, 3) - help_entry(plain, 1, 3)) > 1e-6);
	help_run_close(&r);
}

TEST(a_position_beyond_the_table_is_refused)
{
	struct help_run r;
	struct err err = {""};
	open_words(&r, "coupling", "1 2 3 4");
	struct expr e;
	struct member members[MODEL_MAX_MEMBERS];
	struct model *const model = arena_calloc(&r.arena, 1, sizeof *model);
	struct trace trace;
	size_t n;
	assert_true(expr_parse(&e, "coupling(rows=4)", &r.arena, &err));
	assert_true(expr_members(&e, members, &n, &r.arena, &err));
	assert_true(model_build(model, &r.config, members, n, NULL, &r.arena, &err));
	assert_false(model_run(model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
	assert_non_null(
		strstr(err.text, "has 4 rows, and a position of this input is 5; raise rows"));
	help_run_close(&r);
}
