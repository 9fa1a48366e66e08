/* test_figures_places.c: figures of clipping, buckets, hierarchies, rotations, flows, padding, slopes and gates:
 * what they draw against closed forms and what the sources print. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/figures/source_figure.h"

FIXTURE(open_arena, close_arena)

static const struct figure *figure_of(const char *name)
{
	return &help_picture(&arena, "none",
			     arena_printf(&arena, "view figures\nfigure %s\n", name))
			->figure;
}

static const struct heatmap *map_of(const struct figure *f, const char *title)
{
	const struct panel *const p = help_panel(f, title);
	assert_int_equal(p->kind, PANEL_HEATMAP);
	return &p->heatmap;
}

static const struct series *curve_of(const struct figure *f, const char *title, const char *label)
{
	const struct panel *const p = help_panel(f, title);
	assert_int_equal(p->kind, PANEL_CURVES);
	for (size_t i = 0; i < p->curves.n; i++)
		if (strcmp(p->curves.series[i].label, label) == 0)
			return &p->curves.series[i];
	fail_msg("no curve %s of %s", label, title);
	return NULL;
}

/* ---- every figure -------------------------------------------------------------------------------- */

static const char *const names[] = {
	"rosendahl-clip", "kexue-buckets", "kexue-hierarchy", "kexue-decay", "kexue-fused",
	"floater",	  "padding",	   "slopes",	      "ramp",	     "gates"};

TEST(what_they_expect_holds)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct scene scene = help_scene(
			"none", arena_printf(&arena, "view figures\nfigure %s\n", names[i]));
		struct source_expect *list;
		struct err err = {""};
		size_t n;
		if (!source_figure_check(&scene, NULL, NULL, &arena, &list, &n, &err))
			fail_msg("%s: %s", names[i], err.text);
		assert_true(n >= 2);
		for (size_t k = 0; k < n; k++)
			if (!list[k].holds)
				fail_msg("%s: %s, found %s", names[i], list[k].text, list[k].found);
	}
}

TEST(their_panels_are_sound)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		help_figure_is_sound(&arena, figure_of(names[i]), names[i]);
}

/* ---- lengths ------------------------------------------------------------------------------------- */

/* Of J² pairs J − |k| are k apart; a place beyond L spoils (J² − L²) of them, a distance from L on
 * (J − L)(J − L + 1). */
TEST(pairs_are_counted_as_by_hand)
{
	const struct figure *const f = figure_of("rosendahl-clip");
	static const size_t trained[] = {100, 75};
	const struct series *const pairs_of = curve_of(f, "Pairs at each distance", "130");
	assert_int_equal(pairs_of->n, 259);
	for (size_t i = 0; i < pairs_of->n; i++)
		assert_within(pairs_of->y[i], 130 - fabs(pairs_of->x[i]), 0);
	for (size_t k = 0; k < 2; k++) {
		const double l = (double)trained[k];
		const char *const title =
			arena_printf(&arena, "Unseen pairs, trained to %zu", trained[k]);
		const struct series *const places = curve_of(f, title, "absolute");
		const struct series *const distances = curve_of(f, title, "relative");
		const struct series *const clipped = curve_of(f, title, "clipped");
		for (size_t i = 0; i < places->n; i++) {
			const double j = places->x[i], over = fmax(0, j - l);
			assert_within(places->y[i], over > 0 ? 1 - l * l / (j * j) : 0, 1e-12);
			assert_within(distances->y[i], over * (over + 1) / (j * j), 1e-12);
			assert_within(clipped->y[i], 0, 0);
		}
	}
	const struct heatmap *const map = map_of(f, "Clipped distance of each pair");
	for (size_t t = 0; t < map->values.rows; t++)
		for (size_t s = 0; s < map->values.cols; s++)
			assert_within(mat_row(map->values, t)[s],
				      fmax(-16, fmin(16, (double)t - (double)s)), 0);
}

/* ---- Su's blog ----------------------------------------------------------------------------------- */

/* 8 + ⌊8 ln(m/8)/ln 16⌋ from 8 on, at most 15; behind the query 16 more. */
TEST(buckets_follow_the_rule)
{
	const struct heatmap *const map = map_of(figure_of("kexue-buckets"), "Bucket of each pair");
	const struct series *const by =
		curve_of(figure_of("kexue-buckets"), "Bucket by distance", "encoder");
	double rule[129];
	for (size_t m = 0; m < 129; m++) {
		rule[m] = m < 8 ? (double)m
				: fmin(15, 8 + floor(8 * log((double)m / 8) / log(16) + 1e-9));
		assert_within(by->y[m], rule[m], 0);
	}
	for (size_t i = 0; i < map->values.rows; i++)
		for (size_t j = 0; j < map->values.cols; j++)
			assert_within(mat_row(map->values, i)[j],
				      j <= i ? rule[i - j] : 16 + rule[j - i], 0);
}

TEST(printed_buckets_are_in_the_table)
{
	static const char *const rows[][3] = {
		{"0 … 7", "0 … 7", "0 … 7"}, {"8", "8 – 11", "8 – 11"},
		{"9", "12 – 15", "12 – 15"}, {"10", "16 – 22", "16 – 23"},
		{"11", "23 – 31", "24 …"},   {"12", "32 – 45", ""},
		{"13", "46 – 63", ""},	     {"14", "64 – 90", ""},
		{"15", "91 …", ""}};
	const struct table *const t =
		&help_panel(figure_of("kexue-buckets"), "Distances of a bucket")->table;
	assert_int_equal(t->rows, 9);
	for (size_t i = 0; i < 9; i++)
		for (size_t k = 0; k < 3; k++)
			assert_string_equal(t->cells[3 * i + k], rows[i][k]);
}

/* Row i n + j is p_j + α/(1 − α) (p_i − p_0): of the first n rows all others. */
TEST(rows_of_a_hierarchy_come_from_the_first)
{
	const struct mat q =
		map_of(figure_of("kexue-hierarchy"), "36 rows from a table of 6")->values;
	for (size_t t = 0; t < 36; t++)
		for (size_t c = 0; c < q.cols; c++)
			assert_within(mat_row(q, t)[c],
				      mat_row(q, t % 6)[c] +
					      0.4 / 0.6 * (mat_row(q, t / 6)[c] - mat_row(q, 0)[c]),
				      1e-12);
	const struct mat cosine = map_of(figure_of("kexue-hierarchy"), "Cosine, α 0.4")->values;
	for (size_t t = 0; t < 36; t++)
		assert_within(mat_row(cosine, t)[t], 1, 1e-12);
}

/* 2/d Σ cos(k B^(−2i/d)), and the mean of |Σ_{i<j} e^{ikθ_i}|, summed here. */
TEST(sums_of_rotations)
{
	static const struct {
		double base;
		const char *label;
	} cases[] = {{500, "B 500"}, {10000, "B 10⁴"}, {500000, "B 5·10⁵"}};
	const struct figure *const f = figure_of("kexue-decay");
	for (size_t i = 0; i < 3; i++) {
		const struct series *const real =
			curve_of(f, "Product of equal vectors", cases[i].label);
		const struct series *const bound = curve_of(f, "Bound of RoFormer", cases[i].label);
		for (size_t k = 0; k <= 256; k += 16) {
			double re = 0, im = 0, mean = 0;
			for (int j = 0; j < 64; j++) {
				const double by = (double)k * pow(cases[i].base, -j / 64.0);
				re += cos(by);
				im += sin(by);
				mean += hypot(re, im) / 64;
			}
			assert_within(real->y[k], re / 64, 1e-11);
			assert_within(bound->y[k], mean, 1e-9);
		}
	}
	const struct plane *const walk = &help_panel(f, "S_j, pair after pair")->plane;
	for (size_t i = 1; i < walk->n; i++)
		if (isfinite(walk->at[i].x) && isfinite(walk->at[i - 1].x))
			assert_within(hypot(walk->at[i].x - walk->at[i - 1].x,
					    walk->at[i].y - walk->at[i - 1].y),
				      1, 1e-12);
}

/* q (1, 0, 0, 1) and k (0, 1, 1, 0): sin(m − n) − sin((m − n)/100). */
TEST(products_of_turned_vectors)
{
	const struct figure *const f = figure_of("kexue-fused");
	const struct heatmap *const map = map_of(f, "Their products");
	for (size_t m = 0; m < map->values.rows; m++)
		for (size_t n = 0; n < map->values.cols; n++) {
			const double by = (double)m - (double)n;
			assert_within(mat_row(map->values, m)[n], sin(by) - sin(by / 100), 1e-12);
		}
	const struct dials *const d = &help_panel(f, "Query at 102, key at 100")->dials;
	assert_within(d->at[0].after + d->at[1].after, sin(2) - sin(0.02), 1e-11);
	assert_within(d->at[0].before + d->at[1].before, 0, 0);
	for (size_t i = 0; i < 2; i++) {
		const double theta = i == 0 ? 1 : 0.01;
		assert_within(
			remainder(d->at[i].hands[0].after - d->at[i].hands[0].before - 102 * theta,
				  2 * acos(-1)),
			0, 1e-11);
		assert_within(
			remainder(d->at[i].hands[1].after - d->at[i].hands[1].before - 100 * theta,
				  2 * acos(-1)),
			0, 1e-11);
	}
}

/* ---- beyond the sources -------------------------------------------------------------------------- */

TEST(a_turning_flow_is_the_sinusoid)
{
	const struct figure *const f = figure_of("floater");
	const struct mat flow = map_of(f, "Rotating flow")->values,
			 sinusoid = map_of(f, "Sinusoid")->values;
	for (size_t t = 0; t < flow.rows; t++)
		for (size_t c = 0; c < flow.cols; c++) {
			const double by = (double)t * pow(10000, -(double)(c / 2 * 2) / 32);
			assert_within(mat_row(sinusoid, t)[c], c % 2 ? cos(by) : sin(by), 1e-12);
			assert_within(mat_row(flow, t)[c], mat_row(sinusoid, t)[c], 1e-3);
		}
	/* Runge and Kutta's error falls by the fourth power of the step. */
	const struct series *const few = curve_of(f, "Rotating flow less sinusoid", "5 steps");
	const struct series *const many = curve_of(f, "Rotating flow less sinusoid", "20 steps");
	assert_within(few->y[47] / many->y[47], 256, 20);
}

/* A kernel of r taps to each side misses some of them only there: equal taps give the first place (r + 1) of
 * 2r + 1 of them, and the constant that is added is the same everywhere. */
TEST(zeros_reach_in_by_half_a_kernel)
{
	const struct mat zero = map_of(figure_of("padding"), "Padding: zero")->values;
	const struct mat circular = map_of(figure_of("padding"), "Padding: circular")->values;
	for (size_t depth = 1; depth <= zero.rows; depth++)
		for (size_t t = 0; t < zero.cols; t++) {
			const double at = mat_row(zero, depth - 1)[t];
			if (t < depth || t + depth >= zero.cols)
				assert_true(at > 1e-6);
			else
				assert_within(at, 0, 1e-12);
			assert_within(at, mat_row(zero, depth - 1)[zero.cols - 1 - t], 1e-12);
			assert_within(mat_row(circular, depth - 1)[t], 0, 1e-12);
		}
	/* One of three equal taps is missing. */
	assert_within(mat_row(zero, 0)[0], 1.0 / 3, 0.01);
}

/* e^{−m k} (1 − e^{−m})/(1 − e^{−24 m}), m = 2^{−i} */
TEST(weights_of_slopes_are_geometric)
{
	const struct figure *const f = figure_of("slopes");
	for (int i = 1; i <= 8; i++) {
		const double m = pow(2, -i), r = exp(-m);
		const struct series *const by = curve_of(f, "The last query's weights",
							 arena_printf(&arena, "1/%d", 1 << i));
		for (size_t k = 0; k < 24; k++)
			assert_within(by->y[k], pow(r, (double)k) * (1 - r) / (1 - pow(r, 24)),
				      1e-12);
	}
	static const double odd[] = {0.5, 1.5, 2.5, 3.5};
	const struct series *const twelve = curve_of(f, "Slopes of 8 and of 12 heads", "12");
	assert_int_equal(twelve->n, 13);
	assert_true(isnan(twelve->y[8]));
	for (size_t i = 0; i < 4; i++)
		assert_within(twelve->y[9 + i], pow(2, -odd[i]), 1e-12);
}

/* θ′ = θ (1 − γ) + θ/16 γ, γ from pair 20 to pair 46; PI θ/16; NTK base B·16^{D/(D−2)}. */
TEST(frequencies_after_scaling)
{
	const struct figure *const f = figure_of("ramp");
	const char *const title = "Frequency after, over before";
	const struct series *const yarn = curve_of(f, title, "YaRN");
	const struct series *const ntk = curve_of(f, title, "NTK");
	const struct series *const pi = curve_of(f, title, "PI");
	const struct series *const ramp = curve_of(f, "Share that is interpolated", "YaRN");
	for (size_t i = 0; i < 64; i++) {
		const double g = fmax(0, fmin(1, ((double)i - 20) / 26));
		assert_within(ramp->y[i], g, 1e-9);
		assert_within(yarn->y[i], 1 - g + g / 16, 1e-9);
		assert_within(ntk->y[i], pow(16, -(double)i / 63), 1e-9);
		assert_within(pi->y[i], 1.0 / 16, 1e-9);
	}
	const struct series *const wave = curve_of(f, "Wavelength of each pair", "plain");
	for (size_t i = 0; i < 64; i++)
		assert_within(wave->y[i], 2 * acos(-1) * pow(10000, (double)i / 64),
			      1e-6 * wave->y[i]);
}

/* Half a gate is half as dark, unless the user chooses otherwise. */
TEST(gates_are_spread_evenly)
{
	assert_int_equal(map_of(figure_of("gates"), "Gates")->scale.mode, SCALE_LINEAR);
	assert_int_equal(map_of(figure_of("gates\nscale sqrt"), "Gates")->scale.mode, SCALE_SQRT);
}

TEST(positions_are_sums_of_gates)
{
	const struct figure *const f = figure_of("gates");
	const struct mat gates = map_of(f, "Gates")->values, p = map_of(f, "Positions")->values;
	for (size_t t = 0; t < gates.rows; t++)
		for (size_t s = 0; s <= t; s++) {
			double sum = 0;
			for (size_t r = s; r <= t; r++)
				sum += mat_row(gates, t)[r];
			assert_within(mat_row(p, t)[s], sum, 1e-12);
			assert_true(mat_row(gates, t)[s] > 0 && mat_row(gates, t)[s] < 1);
		}
	/* A query of ones would prefer near keys; of each query the addend is monotone in the position. */
	const struct mat added = map_of(f, "Added to the logits")->values;
	for (size_t t = 1; t < added.rows; t++) {
		const double up = mat_row(added, t)[0] - mat_row(added, t)[t];
		for (size_t s = 1; s <= t; s++)
			assert_true((mat_row(added, t)[s - 1] - mat_row(added, t)[s]) * up >= 0);
	}
}
