/* test_scheme_da.c: the factor that distance multiplies with, from the survey's eq. 16 and 17. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static double w_of, v_of;

static void set_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at,
			 strcmp(model->leaves[i].base, "w") == 0 ? w_of : v_of);
}

/* Units of ones have the content's logit 2 everywhere: what is left is the factor. */
TEST(factors_are_those_of_the_definition)
{
	static const struct {
		double v, w, want[5];
	} rows[] = {
		{0, 1, {1, 1.462117, 1.761594, 1.905148, 1.964028}},
		{1, -1, {1, .443230, .176343, .066878, .024886}},
		{3, 0, {1, 1, 1, 1, 1}},
		/* e^v alone would overflow; (1 + e^v)/(1 + e^{v-w}) is e^w there */
		{800, 1, {1, 2.718282, 7.389056, 20.085537, 54.598150}},
	};
	struct help_run r;
	help_run_must_open(&r, "da", 5, 0, help_identity);
	mat_fill(r.in.units, 1);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		v_of = rows[i].v;
		w_of = rows[i].w;
		const struct trace *trace = help_changed(&r, "da", set_leaves);
		for (size_t h = 0; h < 4; h++)
			for (size_t t = 0; t < 5; t++)
				for (size_t s = 0; s < 5; s++) {
					const size_t distance = t > s ? t - s : s - t;
					const double got =
						mat_row(trace->layers[0].heads[h].logits, t)[s] / 2;
					assert_true(fabs(got - rows[i].want[distance]) < 1e-6);
				}
	}
	help_run_close(&r);
}

static double factor(double w, double v, double distance)
{
	return (1 + exp(v)) / (1 + exp(v - w * distance));
}

/* Every head with the numbers of its own, against the formula, on the logits of `none`. */
TEST(logits_are_rectified_and_multiplied)
{
	struct help_run r;
	help_run_must_open(&r, "da", 7, 0, NULL);
	const struct trace *plain = help_again(&r, "none", NULL);
	bool below = false;
	for (size_t h = 0; h < 4; h++) {
		const double w = model_find_leaf(&r.model, &r.members[0], "w", 0)->at.at[h];
		const double v = model_find_leaf(&r.model, &r.members[0], "v", 0)->at.at[h];
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++) {
				const double x = mat_row(plain->layers[0].heads[h].logits, t)[s];
				const double distance = fabs((double)t - (double)s);
				const double want = fmax(x, 0) * factor(w, v, distance);
				below |= x < 0;
				assert_true(fabs(mat_row(r.trace.layers[0].heads[h].logits, t)[s] -
						 want) < 1e-12);
			}
	}
	assert_true(below);
	help_run_close(&r);
}

/* Positions between the whole numbers, or far apart, have a factor too. */
TEST(any_positions_will_do)
{
	static const double places[] = {0, 0.5, -3.25, 1e7};
	struct help_run r;
	help_run_must_open(&r, "da(pos=word)", 4, 0, help_identity);
	r.in.word = places;
	mat_fill(r.in.units, 1);
	w_of = -0.25;
	v_of = 0.5;
	const struct trace *trace = help_changed(&r, "da(pos=word)", set_leaves);
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 4; s++) {
			const double want = 2 * factor(-0.25, 0.5, fabs(places[t] - places[s]));
			assert_true(fabs(mat_row(trace->layers[0].heads[0].logits, t)[s] - want) <
				    1e-12);
		}
	help_run_close(&r);
}

TEST(distance_has_no_direction)
{
	static const size_t reversed[] = {6, 5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "da", 7, 0, NULL);
	const struct mat forward = r.trace.layers[1].output;
	help_permute(&r, reversed);
	const struct mat back = help_again(&r, "da", NULL)->layers[1].output;
	for (size_t t = 0; t < 7; t++)
		assert_true(mat_max_abs_diff(mat_rows(forward, t, 1), mat_rows(back, 6 - t, 1)) <
			    1e-12);
	help_run_close(&r);
}

static void with_modulation(struct help_run *r)
{
	r->config.proj = PROJ_IDENTITY;
	r->want.kinds |= WANT_MODULATION | WANT_TERMS;
}

/* It multiplies, so its picture is a factor; on the probe that is R̂, a Toeplitz matrix. */
TEST(modulation_is_the_factor)
{
	struct help_run r;
	help_run_must_open(&r, "da", 8, 0, with_modulation);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		const double w = model_find_leaf(&r.model, &r.members[0], "w", 0)->at.at[h];
		const double v = model_find_leaf(&r.model, &r.members[0], "v", 0)->at.at[h];
		assert_true(w * (h % 2 == 0 ? -1 : 1) > 0);
		assert_true(help_toeplitz_error(head->modulation) < 1e-12);
		assert_true(help_toeplitz_error(head->bias) < 1e-12);
		for (size_t s = 0; s < 8; s++) {
			const double want = factor(w, v, (double)s);
			assert_true(fabs(mat_row(head->modulation, 0)[s] - want) < 1e-12);
			assert_true(fabs(mat_row(head->bias, 0)[s] - 2 * (want - 1)) < 1e-12);
		}
		assert_int_equal(head->n_terms, 2);
		assert_string_equal(head->terms[1].label, "rest");
	}
	help_run_close(&r);
	help_terms_sum("da", NULL);
}

TEST(shift_of_the_column_changes_nothing)
{
	struct help_run r;
	help_run_must_open(&r, "da", 9, 0, NULL);
	r.in.shift_column = "seq";
	r.in.shift_by = 5;
	const struct trace *moved = help_again(&r, "da", NULL);
	assert_true(help_logits_apart(&r.trace, moved, 1, 4) < 1e-12);
	help_run_close(&r);
}

TEST(leaves_are_counted_once_or_per_layer)
{
	struct help_run r;
	help_run_must_open(&r, "da", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * 4 * 2);
	help_run_close(&r);
	help_run_must_open(&r, "da(shared=on)", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * 4);
	help_run_close(&r);
}
