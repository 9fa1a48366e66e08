/* test_scheme_concat.c: positions that have columns of their own beside the units. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static void with_input(struct help_run *r)
{
	r->want.kinds |= WANT_INPUT | WANT_TERMS;
}

/* d = 32: 24 columns of the unit, then sin and cos of t·10000^(-2i/8). */
TEST(sinusoids_are_as_wide_as_their_columns)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+concat(width=8)", 6, 0, with_input);
	const struct mat x = r.trace.layers[0].input;
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 0; j < 32; j++) {
			const double angle = (double)t * pow(10000, -2. * (double)(j % 8 / 2) / 8);
			const double want = j < 24  ? mat_row(r.in.units, t)[j]
					    : j % 2 ? cos(angle)
						    : sin(angle);
			assert_true(fabs(mat_row(x, t)[j] - want) < 1e-12);
			assert_true(j < 24 || mat_row(r.trace.units, t)[j] == 0);
			assert_true(j >= 24 || mat_row(r.trace.position_vectors, t)[j] == 0);
		}
	const struct trace *before = help_again(&r, "concat(width=8)+sinusoidal", NULL);
	assert_true(help_output_apart(&r.trace, before, 1) == 0);
	help_run_close(&r);
}

static void rows_by_number(struct model *model)
{
	const struct mat p = help_leaf(model, "p");
	for (size_t t = 0; t < p.rows; t++)
		for (size_t j = 0; j < p.cols; j++)
			mat_row(p, t)[j] = (double)t + (double)j / 100;
}

TEST(tables_are_as_wide_as_their_columns)
{
	struct help_run r;
	help_run_must_open(&r, "learned+concat(width=5)", 4, 0, with_input);
	assert_int_equal(model_position_parameters(&r.model), 512 * 5);
	const struct mat x =
		help_changed(&r, "learned+concat(width=5)", rows_by_number)->layers[0].input;
	for (size_t t = 0; t < 4; t++)
		for (size_t j = 27; j < 32; j++)
			assert_true(mat_row(x, t)[j] == (double)t + (double)(j - 27) / 100);
	help_run_close(&r);
}

/* Positions of 0 are the plain model on units that end earlier; half of the columns by default. */
TEST(positions_of_0_leave_the_units_that_are_left)
{
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	const struct trace *alone = help_again(&r, "concat", NULL);
	const struct trace *zero = help_changed(&r, "learned+concat", help_zero_leaves);
	mat_fill(mat_cols(r.in.units, 16, 16), 0);
	const struct trace *plain = help_again(&r, "none", NULL);
	assert_true(help_output_apart(plain, alone, 1) == 0);
	assert_true(help_output_apart(plain, zero, 1) == 0);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	help_run_close(&r);
}

/* Several share the columns, as they would share X. */
TEST(several_add_up_in_their_columns)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+learned+concat", 6, 0, with_input);
	const struct mat one = help_again(&r, "sinusoidal+concat", NULL)->layers[0].input;
	const struct mat other = help_again(&r, "learned+concat", NULL)->layers[0].input;
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 16; j < 32; j++)
			assert_true(fabs(mat_row(r.trace.layers[0].input, t)[j] -
					 mat_row(one, t)[j] - mat_row(other, t)[j]) < 1e-12);
	help_run_close(&r);
}

TEST(what_cannot_stand_beside_is_refused)
{
	static const char *const cases[][2] = {
		{"ut+concat", "ut: only what is added once, in front of the first layer"},
		{"concat+gru", "gru: only what is added once"},
		{"pnat(from=pointer)+concat", "pnat(from=pointer): only what is added once"},
		{"sinusoidal(layers=2)+concat", "layers=2): only what is added once"},
		{"concat(width=32)",
		 "concat(width=32): of 32 columns 1 to 31 can be for positions"},
		{"concat(width=2)+concat(width=4)",
		 "concat(width=4): the columns beside the token vectors"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, cases[i][0], 4, 0, NULL));
		if (!strstr(r.err.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], r.err.text);
		help_run_close(&r);
	}
}
