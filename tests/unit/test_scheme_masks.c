/* test_scheme_masks.c: masks by name: a prefix, packed texts, padding; and what becomes of a text when its
 * position ids count what stands in front of it. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/scheme/scheme.h"

enum { N = 6 };

static void expect_mask(const struct trace *trace, const char *const *rows, size_t n)
{
	const struct trace_head *const head = &trace->layers[1].heads[0];
	assert_non_null(head->mask);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			if ((head->mask[t * n + s] != 0) != (rows[t][s] == 'x'))
				fail_msg("(%zu, %zu)", t, s);
}

TEST(a_prefix_is_seen_by_all)
{
	static const char *const rows[] = {"xxx...", "xxx...", "xxx...",
					   "xxxx..", "xxxxx.", "xxxxxx"};
	struct help_run r;
	help_run_must_open(&r, "rope+prefix", N, 0, NULL);
	expect_mask(&r.trace, rows, N);
	const struct trace *const causal = help_again(&r, "rope+causal", NULL);
	assert_true(help_output_apart(causal, help_again(&r, "rope+prefix(length=0)", NULL), 1) <
		    1e-12);
	assert_true(help_output_apart(help_again(&r, "rope", NULL),
				      help_again(&r, "rope+prefix(length=6)", NULL), 1) < 1e-12);
	help_run_close(&r);
}

/* ---- packed texts ---- */

static const double texts[N] = {0, 0, 1, 1, 1, 1};

/* Whether the second text of two has the outputs that it has alone. */
static bool is_as_alone(const char *packed, const char *alone)
{
	struct help_run r;
	help_run_must_open(&r, alone, N, 0, NULL);
	r.in.segment = texts;
	const struct trace *const both = help_again(&r, packed, NULL);
	/* The last four words, alone. */
	memmove(mat_row(r.in.units, 0), mat_row(r.in.units, 2), 4 * r.config.d * sizeof(double));
	r.in.units.rows = 4;
	r.in.axis.n = 4;
	r.in.axis.labels += 2;
	r.in.segment = NULL;
	const struct trace *const one = help_again(&r, alone, NULL);
	const double apart =
		mat_max_abs_diff(mat_rows(both->layers[1].output, 2, 4), one->layers[1].output);
	help_run_close(&r);
	return apart < 1e-12;
}

TEST(packed_texts_are_as_alone_where_ids_begin_anew)
{
	static const char *const rows[] = {"x.....", "xx....", "..x...",
					   "..xx..", "..xxx.", "..xxxx"};
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, NULL);
	r.in.segment = texts;
	expect_mask(help_again(&r, "learned+pack+causal", NULL), rows, N);
	help_run_close(&r);
	assert_true(is_as_alone("learned+pack+causal", "learned+causal"));
	assert_true(is_as_alone("sinusoidal+pack", "sinusoidal"));
	assert_true(is_as_alone("rope+pack+causal", "rope+causal"));
	/* Ids that go on move absolute positions, and leave distances. */
	assert_false(is_as_alone("learned+pack(reset=off)+causal", "learned+causal"));
	assert_false(is_as_alone("sinusoidal+pack(reset=off)", "sinusoidal"));
	assert_true(is_as_alone("rope+pack(reset=off)+causal", "rope+causal"));
	/* Without the mask the texts see each other. */
	assert_false(is_as_alone("rope+causal", "rope+causal"));
}

/* ---- padding ---- */

/* How far padding moves the outputs of the text, which stands from row `first` on. */
static double moved_by_padding(const char *padded, const char *plain, size_t first)
{
	struct help_run r;
	help_run_must_open(&r, plain, N, 0, NULL);
	const struct trace *const trace = help_again(&r, padded, NULL);
	const double apart = mat_max_abs_diff(mat_rows(trace->layers[1].output, first, N),
					      r.trace.layers[1].output);
	help_run_close(&r);
	return apart;
}

TEST(padding_is_seen_by_no_query)
{
	static const char *const rows[] = {"........", "........", "..x.....", "..xx....",
					   "..xxx...", "..xxxx..", "..xxxxx.", "..xxxxxx"};
	struct help_run r;
	help_run_must_open(&r, "rope+pad+causal", N, 0, NULL);
	assert_int_equal(r.trace.query.n, N + 2);
	assert_string_equal(r.trace.query.labels[1], "[PAD]");
	expect_mask(&r.trace, rows, N + 2);
	help_run_close(&r);
	assert_true(moved_by_padding("learned+pad(left=3)+causal", "learned+causal", 3) < 1e-12);
	assert_true(moved_by_padding("learned+pad(left=0,right=3)", "learned", 0) < 1e-12);
	assert_true(moved_by_padding("rope+pad(left=3,right=1)", "rope", 3) < 1e-12);
	/* Ids that count the padding. */
	assert_true(moved_by_padding("learned+pad(left=3,reset=off)+causal", "learned+causal", 3) >
		    1e-3);
	assert_true(moved_by_padding("sinusoidal+pad(left=3,reset=off)", "sinusoidal", 3) > 1e-3);
	assert_true(moved_by_padding("rope+pad(left=3,reset=off)+causal", "rope+causal", 3) < 1e-9);
	assert_true(moved_by_padding("learned+pad(left=0,right=3,reset=off)", "learned", 0) <
		    1e-12);
}

/* ---- bad input ---- */

/* Ids that a chunk refuses are not said to change nothing as well. */
TEST(a_chunk_reads_ids_that_it_refuses)
{
	struct arena a;
	arena_init(&a);
	assert_true(expr_reads(expr_of("chunk(size=2)", &a, NULL), "seq", false));
	arena_release(&a);
}

TEST(what_gives_ids_twice_is_said_in_a_line)
{
	static const double ids[N] = {0, 1, 0, 1, 2, 3};
	static const char *const rows[][2] = {
		{"rope+pack",
		 "pack counts the positions of each text anew, and position-ids gives them"},
		{"rope+pad", "position-ids: pad puts tokens among those of the text"},
		{"rope+chunk(size=3)",
		 "cuts the text after every 3 tokens, and position-ids counts"},
	};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		struct trace trace;
		struct err err = {""};
		help_run_must_open(&r, rows[i][0], N, 0, NULL);
		r.in.position = ids;
		assert_false(
			model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
		if (!strstr(err.text, rows[i][1]) || strchr(err.text, '\n'))
			fail_msg("%s", err.text);
		help_run_close(&r);
	}
}
