/* test_scheme_sinusoid.c: sines and cosines in their layouts, numbers as printed in the definitions
 * and as five codes make them; LDPE, the same counted from the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_tensors.h"
#include "scheme/sinusoid.h"

/* ---- the function ---- */

TEST(rows_are_those_of_the_definitions)
{
	static const struct {
		enum sinusoid_layout layout;
		enum sinusoid_freq freq;
		double position, row[4];
	} rows[] = {
		{SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0, {0, 1, 0, 1}},
		{SINUSOID_INTERLEAVED,
		 SINUSOID_PAPER,
		 1,
		 {.841470985, .540302306, .009999833, .999950000}},
		{SINUSOID_INTERLEAVED,
		 SINUSOID_PAPER,
		 2,
		 {.909297427, -.416146837, .019998667, .999800007}},
		{SINUSOID_INTERLEAVED,
		 SINUSOID_PAPER,
		 3,
		 {.141120008, -.989992497, .029995500, .999550034}},
		{SINUSOID_CONCAT,
		 SINUSOID_PAPER,
		 1,
		 {.841470985, .009999833, .540302306, .999950000}},
		{SINUSOID_CONCAT,
		 SINUSOID_PAPER,
		 -1,
		 {-.841470985, -.009999833, .540302306, .999950000}},
		{SINUSOID_CONCAT, SINUSOID_T2T, 1, {.841470985, .0001, .540302306, .999999995}},
		{SINUSOID_CONCAT, SINUSOID_T2T, 3, {.141120008, .0003, -.989992497, .999999955}},
		/* Survey eq. 25 with k = 1000 is position 1000. */
		{SINUSOID_INTERLEAVED,
		 SINUSOID_PAPER,
		 1000,
		 {.826879541, .562379076, -.544021111, -.839071529}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double got[4];
		sinusoid_fill(mat_view(got, 1, 4), &rows[i].position, rows[i].layout, rows[i].freq,
			      10000);
		for (size_t j = 0; j < 4; j++)
			if (!(fabs(got[j] - rows[i].row[j]) < 1e-9))
				fail_msg("row %zu column %zu: %.10g", i, j, got[j]);
	}
}

TEST(frequencies_are_those_of_the_two_rules)
{
	static const double paper[] = {1, .1, .01, .001};
	static const double t2t[] = {1, .0464158883, .00215443469, .0001};
	const double one = 1;
	double row[8];
	sinusoid_fill(mat_view(row, 1, 8), &one, SINUSOID_CONCAT, SINUSOID_PAPER, 10000);
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(asin(row[i]) - paper[i]) < 1e-10);
	sinusoid_fill(mat_view(row, 1, 8), &one, SINUSOID_INTERLEAVED, SINUSOID_T2T, 10000);
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(asin(row[2 * i]) - t2t[i]) < 1e-10);
}

TEST(products_of_rows_depend_on_their_distance)
{
	static const struct {
		size_t d;
		double at_distance[4];
	} rows[] = {{4, {2, 1.540252, .583653, .009558}},
		    {8, {4, 3.535256, 2.563718, 1.964890}},
		    {64, {32, 30.916832, 28.303862, 25.587029}}};
	static const double from[] = {0, 5, 17.25, -40};
	for (size_t i = 0; i < 3; i++) {
		for (size_t f = 0; f < 4; f++) {
			for (int k = -3; k <= 3; k++) {
				const double positions[] = {from[f], from[f] + k};
				double table[2 * 64];
				const struct mat m = mat_view(table, 2, rows[i].d);
				for (int layout = 0; layout < 2; layout++) {
					sinusoid_fill(m, positions, (enum sinusoid_layout)layout,
						      SINUSOID_PAPER, 10000);
					assert_true(fabs(help_dot(mat_row(m, 0), mat_row(m, 1),
								  rows[i].d) -
							 rows[i].at_distance[k < 0 ? -k : k]) <
						    1e-6);
				}
			}
		}
	}
}

/* P_{t+k} = [[cos kw, sin kw], [-sin kw, cos kw]] applied to each (sin, cos) of P_t. */
TEST(a_step_is_a_rotation)
{
	static const double positions[] = {2.5, 9.5};
	double table[2 * 8];
	const struct mat m = mat_view(table, 2, 8);
	sinusoid_fill(m, positions, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	for (size_t i = 0; i < 4; i++) {
		const double angle = 7 * pow(10, -(double)i), *p = mat_row(m, 0) + 2 * i;
		assert_true(fabs(cos(angle) * p[0] + sin(angle) * p[1] - mat_row(m, 1)[2 * i]) <
			    1e-12);
		assert_true(fabs(-sin(angle) * p[0] + cos(angle) * p[1] -
				 mat_row(m, 1)[2 * i + 1]) < 1e-12);
	}
}

TEST(an_odd_width_leaves_a_sine_or_a_zero)
{
	const double three = 3;
	double row[5] = {9, 9, 9, 9, 9};
	sinusoid_fill(mat_view(row, 1, 5), &three, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	assert_true(fabs(row[4] - sin(3 * pow(10000, -.8))) < 1e-15);
	sinusoid_fill(mat_view(row, 1, 5), &three, SINUSOID_CONCAT, SINUSOID_PAPER, 10000);
	assert_true(fabs(row[2] - sin(3 * pow(10000, -.8))) < 1e-15);
	assert_true(fabs(row[3] - cos(3.0)) < 1e-15);
	sinusoid_fill(mat_view(row, 1, 5), &three, SINUSOID_CONCAT, SINUSOID_T2T, 10000);
	assert_true(row[4] == 0);
	assert_true(fabs(row[1] - .0003) < 1e-9 && fabs(row[2] - cos(3.0)) < 1e-15);
	sinusoid_fill(mat_view(row, 1, 3), &three, SINUSOID_CONCAT, SINUSOID_T2T, 10000);
	assert_true(fabs(row[0] - sin(3.0)) < 1e-15 && row[2] == 0);
	sinusoid_fill(mat_view(row, 1, 1), &three, SINUSOID_CONCAT, SINUSOID_T2T, 10000);
	assert_true(row[0] == 0);
	sinusoid_fill(mat_view(row, 1, 1), &three, SINUSOID_CONCAT, SINUSOID_PAPER, 10000);
	assert_true(fabs(row[0] - sin(3.0)) < 1e-15);
}

/* ---- sinusoidal ---- */

TEST(tables_of_three_codes_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/sinusoidal-interleaved-a.safetensors", .expression = "sinusoidal"},
		{.file = "seq/sinusoidal-concat-a.safetensors",
		 .expression = "sinusoidal(layout=concat)"},
		{.file = "seq/sinusoidal-t2t-a.safetensors",
		 .expression = "sinusoidal(layout=concat,freq=t2t)"},
	};
	for (size_t i = 0; i < 3; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		const struct tensor *want = tensor_find(&r.set, "position.vectors");
		assert_non_null(want);
		assert_true(mat_max_abs_diff(r.trace.position_vectors, tensor_mat(want)) < 1e-9);
		help_case_close(&r);
	}
}

/* These two files have positions, but no units to run. */
TEST(tables_without_units_are_matched)
{
	static const struct {
		const char *file;
		enum sinusoid_freq freq;
	} rows[] = {{"fairseq", SINUSOID_T2T}, {"txl", SINUSOID_PAPER}};
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		arena_init(&a);
		struct tensor_set set;
		tensor_set_init(&set, &a);
		struct err err = {""};
		if (!help_tensors(&set,
				  arena_printf(&a, "%s/seq/sinusoidal-%s-a.safetensors", test_data,
					       rows[i].file),
				  &err))
			fail_msg("%s", err.text);
		const struct tensor *positions = tensor_find(&set, "positions");
		const struct tensor *real = tensor_find(&set, "tokens_nonpad");
		const struct mat want = tensor_mat(tensor_find(&set, "position.vectors"));
		const struct mat got = mat_new(&a, want.rows, want.cols);
		sinusoid_fill(got, positions->at, SINUSOID_CONCAT, rows[i].freq, 10000);
		size_t compared = 0;
		for (size_t t = 0; t < want.rows; t++) {
			if (real && real->at[t] == 0)
				continue; /* fairseq's padding row is zero */
			assert_true(mat_max_abs_diff(mat_rows(got, t, 1), mat_rows(want, t, 1)) <
				    1e-9);
			compared++;
		}
		assert_true(compared > 3);
		arena_release(&a);
	}
}

TEST(start_moves_the_rows)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal", 6, 0, NULL);
	const struct trace *from_2 = help_again(&r, "sinusoidal(start=2)", NULL);
	assert_true(mat_max_abs_diff(mat_rows(from_2->position_vectors, 0, 4),
				     mat_rows(r.trace.position_vectors, 2, 4)) < 1e-12);
	help_run_close(&r);
}

static void only_units(struct help_run *r)
{
	r->want.kinds |= WANT_INPUT;
}

TEST(scale_emb_scales_the_units_alone)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal(scale_emb=on)", 6, 0, only_units);
	const struct trace *plain = help_again(&r, "sinusoidal", NULL);
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 0; j < 32; j++)
			assert_true(fabs(mat_row(r.trace.layers[0].input, t)[j] -
					 sqrt(32) * mat_row(r.in.units, t)[j] -
					 mat_row(plain->position_vectors, t)[j]) < 1e-12);
	assert_true(mat_max_abs_diff(r.trace.position_vectors, plain->position_vectors) < 1e-12);
	help_run_close(&r);
}

/* ---- ldpe ---- */

static void small(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
}

TEST(ldpe_counts_down_to_the_end)
{
	static const struct {
		size_t t;
		double row[4];
	} rows[] = {{0, {-.9589, .2837, .0500, .9988}}, {4, {.8415, .5403, .0100, 1}}};
	struct help_run r;
	help_run_must_open(&r, "ldpe", 5, 0, small);
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs(mat_row(r.trace.position_vectors, rows[i].t)[j] -
					 rows[i].row[j]) < 6e-5);
	help_run_close(&r);
}

TEST(ldpe_is_sinusoidal_aligned_at_the_ends)
{
	struct help_run shorter, longer;
	help_run_must_open(&shorter, "ldpe", 5, 0, NULL);
	help_run_must_open(&longer, "ldpe", 9, 0, NULL);
	assert_true(mat_max_abs_diff(shorter.trace.position_vectors,
				     mat_rows(longer.trace.position_vectors, 4, 5)) < 1e-12);
	const struct trace *up = help_again(&longer, "sinusoidal(start=1)", NULL);
	for (size_t t = 0; t < 9; t++)
		assert_true(mat_max_abs_diff(mat_rows(up->position_vectors, t, 1),
					     mat_rows(longer.trace.position_vectors, 8 - t, 1)) <
			    1e-12);
	help_run_close(&shorter);
	help_run_close(&longer);
}
