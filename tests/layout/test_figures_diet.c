/* test_figures_diet.c: the figures of Chen et al. 2021 against its tables, closed forms and what is stated in
 * their captions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/vectors.h"

FIXTURE(open_arena, close_arena)

static const struct figure *figure_of(const char *name)
{
	return &help_picture(&arena, "none", arena_printf(&arena, "view figures\nfigure %s", name))
			->figure;
}

static const struct panel *panel_named(const struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].name && strcmp(f->panels[i].name, name) == 0)
			return &f->panels[i];
	fail_msg("there is no panel %s", name);
	return NULL;
}

static double cell(const struct panel *p, size_t t, size_t s)
{
	assert_int_equal(p->kind, PANEL_HEATMAP);
	return mat_row(p->heatmap.values, t)[s];
}

/* ---- 1: Tables 2, 3 and 4 ------------------------------------------------------------------------ */

TEST(bars_are_the_printed_scores)
{
	static const struct {
		const char *panel, *printed[6];
		size_t n;
	} tasks[] = {{"mnli", {"85.8", "86.3", "86.4", "86.1", "86.3", "86.4"}, 6},
		     {"xnli", {"67.0", "67.9", "68.5", "67.8", "68.4", "68.5"}, 6},
		     {"cs_en", {"22.93", "23.89", "23.93"}, 3}};
	const struct figure *const f = figure_of("diet-1");
	for (size_t k = 0; k < 3; k++) {
		const struct bars *const b = &panel_named(f, tasks[k].panel)->bars;
		assert_int_equal(b->n, tasks[k].n);
		for (size_t i = 0; i < b->n; i++) {
			assert_string_equal(b->notes[i], tasks[k].printed[i]);
			assert_within(b->values[i],
				      strtod(tasks[k].printed[i], NULL) -
					      strtod(tasks[k].printed[0], NULL),
				      1e-12);
		}
	}
}

/* ---- 2 and 8: Theorem 1 -------------------------------------------------------------------------- */

/* Descending, and as many as the rank. */
static void spectrum_has(const struct series *s, size_t rank)
{
	for (size_t k = 0; k < s->n; k++) {
		assert_true(isnan(s->y[k]) == (k >= rank));
		assert_true(k == 0 || k >= rank || s->y[k] <= s->y[k - 1]);
		assert_within(s->x[k], (double)k + 1, 0);
	}
}

TEST(positions_in_heads_lift_the_rank_to_the_sum_of_widths)
{
	const struct figure *const f = figure_of("diet-2");
	static const double bounds[] = {64, 128};
	const struct curves *const spectrum = &panel_named(f, "spectrum")->curves,
				   *const ranks = &panel_named(f, "ranks")->curves,
				   *const effective = &panel_named(f, "effective")->curves;
	for (size_t m = 0; m < 2; m++) {
		spectrum_has(&spectrum->series[m], (size_t)bounds[m]);
		assert_int_equal(ranks->series[m].n, 12);
		for (size_t h = 0; h < 12; h++) {
			assert_within(ranks->series[m].y[h], bounds[m], 0);
			assert_true(effective->series[m].y[h] < bounds[m]);
		}
	}
}

TEST(positional_ranks_are_the_narrowest_width)
{
	static const size_t ranks[] = {64, 64, 128, 256};
	const struct figure *const f = figure_of("diet-8");
	const struct curves *const spectrum = &panel_named(f, "spectrum")->curves;
	const struct bars *const bars = &panel_named(f, "ranks")->bars;
	assert_int_equal(spectrum->n, 4);
	for (size_t i = 0; i < 4; i++) {
		spectrum_has(&spectrum->series[i], ranks[i]);
		assert_within(spectrum->series[i].y[0], 1, 0);
		assert_within(bars->values[i], (double)ranks[i], 0);
	}
}

/* ---- 3: equations 1 and 3 ------------------------------------------------------------------------ */

TEST(terms_of_both_models_add_up_to_their_logits)
{
	const struct figure *const f = figure_of("diet-3");
	for (size_t m = 0; m < 2; m++)
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++) {
				const struct panel *const p = &f->panels[4 * m];
				assert_within(cell(p, t, s) + cell(p + 1, t, s) + cell(p + 2, t, s),
					      cell(p + 3, t, s), 1e-12);
				assert_within(cell(p + 2, t, s),
					      (t < 3) == (s < 3) ? 0
					      : t < 3		 ? -1
								 : -4,
					      0);
			}
	for (size_t i = 1; i < 8; i++)
		assert_within(f->panels[i].heatmap.scale.hi, f->panels[0].heatmap.scale.hi, 0);
}

/* P_Q·P_Kᵀ is 4 one place back and 2 more for the first key; R is 2·exp(−|t−s|/2). */
TEST(positions_are_those_of_the_schemes)
{
	const struct figure *const f = figure_of("diet-3");
	for (size_t t = 0; t < 6; t++) {
		if (t > 0)
			assert_within(cell(&f->panels[1], t, t - 1), t == 1 ? 6 : 4, 1e-12);
		for (size_t s = 0; s < 6; s++)
			assert_within(cell(&f->panels[5], t, s),
				      2 * exp(-fabs((double)t - (double)s) / 2), 1e-12);
	}
}

/* ---- 4 and 7: patterns --------------------------------------------------------------------------- */

static double gauss(double shift, double width, double gain, double apart)
{
	const double x = (apart - shift) / width;
	return gain * exp(-x * x / 2);
}

/* Within a hundredth of the gain: as near as the waves of d_p columns come to it. */
TEST(patterns_are_what_stands_over_them)
{
	static const double of[6][5] = {{1, 2.5, 4, 2, -2}, {-1, 2.5, 4, 3, 3}, {-8, 3, 4, 4, 0},
					{0, 5, 4, -3, 1},   {0, 16, 3, 4, -3},	{0, 8, -4, 3, 4}};
	const struct figure *const f = figure_of("diet-4");
	for (size_t i = 0; i < 6; i++) {
		const struct panel *const p = &f->panels[i];
		assert_string_equal(p->heatmap.row_labels[0], "[CLS]");
		assert_string_equal(p->heatmap.row_labels[63], "63");
		for (size_t t = 0; t < 64; t++) {
			assert_within(cell(p, t, 0), of[i][3], 1e-12);
			for (size_t s = 1; s < 64; s++)
				if (t == 0)
					assert_within(cell(p, t, s), of[i][4], 1e-12);
				else
					assert_within(cell(p, t, s),
						      gauss(of[i][0], of[i][1], of[i][2],
							    (double)s - (double)t),
						      0.04);
		}
	}
	assert_string_equal(f->panels[1].subtitle, "k −1, w 2.5, g 4; a 3, b 3");
}

TEST(rows_shift_with_their_query)
{
	static const double of[2][2] = {{1, 3}, {-8, 6}};
	const struct figure *const f = figure_of("diet-7");
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 4; k++) {
			const struct series *const row = &f->panels[i].curves.series[k];
			const double t = 16 + 32 * (double)k;
			assert_string_equal(row->label, arena_printf(&arena, "t %g", t));
			for (size_t s = 0; s < row->n; s++)
				assert_within(row->y[s],
					      gauss(of[i][0], of[i][1], 4, row->x[s] - t), 0.02);
		}
}

/* ---- 5: cosines ---------------------------------------------------------------------------------- */

static double in_all(const struct series *s)
{
	double sum = 0;
	for (size_t i = 0; i < COSINE_BINS; i++) {
		assert_within(s->y[2 * i], s->y[2 * i + 1], 0);
		assert_within(s->x[2 * i + 1] - s->x[2 * i], 2.0 / COSINE_BINS, 1e-12);
		sum += s->y[2 * i];
	}
	return sum;
}

/* Of waves with the wavelength λ, even in its logarithm from 8 to 512, rows that are k apart have a cosine of
 * the mean of cos(2πk/λ) over them, give or take the draw of 768·3 of them. */
static double expected(double k)
{
	enum { STEPS = 400 };
	double sum = 0;
	for (size_t i = 0; i < STEPS; i++)
		sum += cos(2 * acos(-1) * k / (8 * pow(64, ((double)i + 0.5) / STEPS)));
	return sum / STEPS;
}

TEST(parts_of_pairs_are_one_and_their_mean_is_that_of_the_waves)
{
	const struct figure *const f = figure_of("diet-5");
	const struct series *const bert = f->panels[0].curves.series,
				   *const diet = f->panels[1].curves.series;
	double mean = 0, wanted = 0;
	assert_within(in_all(bert), 1, 1e-12);
	assert_within(in_all(diet), 1, 1e-12);
	assert_within(diet->y[2 * COSINE_BINS - 1], 1, 0);
	for (size_t i = 0; i < COSINE_BINS; i++)
		mean += bert->y[2 * i] * (bert->x[2 * i] + 1.0 / COSINE_BINS);
	for (size_t k = 1; k < 128; k++)
		wanted += (128 - (double)k) / 8128 * expected((double)k);
	assert_within(mean, wanted, 0.05);
}

/* ---- 6: segments --------------------------------------------------------------------------------- */

/* Softmax of 2·exp(−|t−s|/4) + E_S. */
TEST(attention_is_of_relative_positions_and_segments)
{
	static const double of[2][2][2] = {{{0, 3}, {0, 3}}, {{-2, 0}, {0, -2}}};
	const struct figure *const f = figure_of("diet-6");
	for (size_t i = 0; i < 2; i++)
		for (size_t t = 0; t < 32; t++) {
			double power[32], sum = 0;
			for (size_t s = 0; s < 32; s++) {
				const double logit = 2 * exp(-fabs((double)t - (double)s) / 4) +
						     of[i][t >= 16][s >= 16];
				assert_within(cell(&f->panels[4 * i + 2], t, s), logit, 1e-12);
				power[s] = exp(logit);
				sum += power[s];
			}
			for (size_t s = 0; s < 32; s++)
				assert_within(cell(&f->panels[4 * i + 3], t, s), power[s] / sum,
					      1e-12);
		}
	/* Nothing is beyond the colours. */
	assert_true(f->panels[2].heatmap.scale.hi >= 5 - 1e-12);
	assert_within(f->panels[3].heatmap.scale.hi, f->panels[7].heatmap.scale.hi, 0);
}
