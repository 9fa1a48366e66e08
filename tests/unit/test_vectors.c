/* test_vectors.c: rows and each other: cosines of the reference case, planes and waves in closed form, and what
 * is found of schemes of every kind. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_arena.h"
#include "help_view.h"
#include "help_tensors.h"
#include "posviz/analysis/vectors.h"
#include "posviz/base/rng.h"
#include "posviz/format/tensor.h"

FIXTURE(open_arena, close_arena)

/* Survey, equation 21. */
static struct mat sinusoids(size_t n, size_t d)
{
	const struct mat m = mat_new(&arena, n, d);
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < d; j++) {
			const double angle =
				(double)t * pow(10000, -(double)(j - j % 2) / (double)d);
			mat_row(m, t)[j] = j % 2 ? cos(angle) : sin(angle);
		}
	return m;
}

/* ---- cosines ------------------------------------------------------------------------------------ */

TEST(cosines_of_the_reference_case)
{
	static const char *const tables[] = {"random", "lowrank"};
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, arena_printf(&arena, "%s/struct/cosmap-a.safetensors", test_data),
			  &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < 2; i++) {
		const struct mat table =
			help_tensor_named(&set, arena_printf(&arena, "table.%s", tables[i]));
		const struct mat is = vectors_cosine(table, &arena);
		const struct mat wanted =
			help_tensor_named(&set, arena_printf(&arena, "cosine.%s", tables[i]));
		assert_true(is.rows == wanted.rows && is.cols == wanted.cols);
		for (size_t k = 0; k < is.rows * is.cols; k++)
			assert_within(is.at[k], wanted.at[k], 1e-12);
	}
	const struct mat far = vectors_cosine(sinusoids(512, 768), &arena);
	const struct mat near_ = vectors_cosine(sinusoids(20, 16), &arena);
	const struct mat row = help_tensor_named(&set, "row0.n512_d768"),
			 map = help_tensor_named(&set, "cosine.n20_d16");
	for (size_t k = 0; k < 512; k++)
		assert_within(far.at[k], row.at[k], 1e-12);
	for (size_t k = 0; k < 400; k++)
		assert_within(near_.at[k], map.at[k], 1e-12);
}

TEST(a_row_of_zeros_has_no_cosine)
{
	const struct mat m = help_normal(4, 3, 1);
	double bins[COSINE_BINS];
	mat_fill(mat_rows(m, 2, 1), 0);
	const struct mat c = vectors_cosine(m, &arena);
	for (size_t i = 0; i < 4; i++) {
		assert_true(isnan(mat_row(c, 2)[i]) && isnan(mat_row(c, i)[2]));
		if (i != 2)
			assert_within(mat_row(c, i)[i], 1, 0);
	}
	assert_int_equal(vectors_histogram(c, bins), 3);
}

/* cos 1 in the last part, −1 in the first, 0 in the one that begins there. */
TEST(histogram_counts_each_pair_once)
{
	double bins[COSINE_BINS];
	const struct mat m = mat_zero(&arena, 4, 2);
	mat_row(m, 0)[0] = mat_row(m, 1)[0] = 2;
	mat_row(m, 2)[0] = -1;
	mat_row(m, 3)[1] = 5;
	assert_int_equal(vectors_histogram(vectors_cosine(m, &arena), bins), 6);
	assert_within(bins[COSINE_BINS - 1], 1, 0);
	assert_within(bins[0], 2, 0);
	assert_within(bins[COSINE_BINS / 2], 3, 0);
}

TEST(norms_of_sinusoids_are_alike)
{
	double norms[40];
	vectors_norms(sinusoids(40, 64), norms);
	for (size_t t = 0; t < 40; t++)
		assert_within(norms[t], sqrt(32), 1e-12);
}

/* ---- the plane ----------------------------------------------------------------------------------- */

/* Points of a plane in ten dimensions come back up to a turn: their distances are the same. */
TEST(a_plane_is_found_again)
{
	const struct mat flat = help_normal(12, 2, 3), basis = help_normal(2, 10, 4);
	const struct mat m = mat_new(&arena, 12, 10), plane = mat_new(&arena, 12, 2);
	double share[2];
	struct err err = {""};
	mat_mul(m, 1, flat, false, basis, false, 0);
	for (size_t i = 0; i < 120; i++)
		m.at[i] += 7; /* where it lies does not matter */
	assert_true(vectors_plane(m, plane, share, &arena, &err));
	assert_within(share[0] + share[1], 1, 1e-12);
	assert_true(share[0] >= share[1]);
	for (size_t t = 0; t < 12; t++)
		for (size_t s = 0; s < 12; s++) {
			double far = 0, own = 0;
			for (size_t j = 0; j < 10; j++)
				far += pow(mat_row(m, t)[j] - mat_row(m, s)[j], 2);
			for (size_t j = 0; j < 2; j++)
				own += pow(mat_row(plane, t)[j] - mat_row(plane, s)[j], 2);
			assert_within(sqrt(own), sqrt(far), 1e-9);
		}
	/* Which way is up is settled. */
	for (size_t k = 0; k < 2; k++) {
		double most = 0;
		for (size_t t = 0; t < 12; t++)
			most = fabs(mat_row(plane, t)[k]) > fabs(most) ? mat_row(plane, t)[k]
								       : most;
		assert_true(most > 0);
	}
}

TEST(noise_has_no_plane)
{
	double share[2];
	struct err err = {""};
	const struct mat plane = mat_new(&arena, 200, 2);
	assert_true(vectors_plane(help_normal(200, 50, 5), plane, share, &arena, &err));
	assert_true(share[0] + share[1] < 0.1);
}

TEST(what_has_no_plane_says_so)
{
	static const struct {
		size_t rows;
		const char *why;
	} cases[] = {{1, "there is one row"}, {5, "all rows are equal"}};
	for (size_t i = 0; i < 2; i++) {
		double share[2];
		struct err err = {""};
		const struct mat m = mat_new(&arena, cases[i].rows, 3);
		mat_fill(m, 0.1);
		assert_false(
			vectors_plane(m, mat_new(&arena, cases[i].rows, 2), share, &arena, &err));
		assert_string_equal(err.text, cases[i].why);
	}
}

/* ---- what is found ------------------------------------------------------------------------------- */

static struct vectors found[VECTORS_MOST];

static size_t find(const char *expression, const char *lines)
{
	const struct picture *const p =
		help_picture(&arena, expression, arena_printf(&arena, "view vectors\n%s", lines));
	return vectors_find(&p->built, &p->trace, &arena, found);
}

/* ω_i = 10000^(−2i/d) of both layouts; a row turns by ω_i from place to place. */
TEST(waves_of_sinusoids_and_rotations)
{
	static const struct {
		const char *expression;
		size_t pairs;
	} cases[] = {{"sinusoidal", 32},
		     {"sinusoidal(layout=concat)", 32},
		     {"rope", 8},
		     {"rope(layout=half)", 8},
		     {"xpos", 8}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(find(cases[i].expression, "") >= 1);
		const struct vectors *const v = &found[0];
		if (v->angle.cols != cases[i].pairs)
			fail_msg("%s: %zu pairs", cases[i].expression, v->angle.cols);
		for (size_t k = 0; k < cases[i].pairs; k++)
			assert_within(v->frequency[k],
				      pow(10000, -(double)k / (double)cases[i].pairs), 1e-12);
		assert_null(v->trained);
	}
}

/* Position interpolation divides every angle by f (Chen et al. 2023); YaRN leaves the fastest pair and divides
 * the slowest (Peng et al. 2024). */
TEST(scaled_waves_know_how_they_were_trained)
{
	assert_true(find("rope_pi(factor=8)", "") >= 1);
	for (size_t k = 0; k < 8; k++) {
		assert_within(found[0].trained[k], pow(10000, -(double)k / 8), 1e-15);
		assert_within(found[0].frequency[k], found[0].trained[k] / 8, 1e-12);
	}
	assert_true(find("rope_yarn(factor=8)", "") >= 1);
	assert_within(found[0].frequency[0], found[0].trained[0], 1e-12);
	assert_within(found[0].frequency[7], found[0].trained[7] / 8, 1e-12);
}

/* Dai et al. 2019: rows of distances n − 1 … −(n − 1), which are no units. */
TEST(waves_of_distances_are_by_row)
{
	assert_true(find("txl", "sentence a b c d e\n") >= 1);
	assert_int_equal(found[0].at.rows, 9);
	for (size_t k = 0; k < 32; k++)
		assert_within(found[0].frequency[k], pow(10000, -(double)k / 32), 1e-9);
}

/* Given ids that skip do not turn faster. */
TEST(waves_are_by_position)
{
	assert_true(find("rope", "sentence a b c d\nposition-ids 0 1 3 4\n") >= 1);
	assert_within(found[0].frequency[0], 1, 1e-12);
}

TEST(each_kind_has_its_vectors)
{
	static const struct {
		const char *expression, *lines, *name;
		enum vectors_kind kind;
		size_t rows, cols, n; /* 0: any */
	} cases[] = {
		{"learned", "sentence a b c\n", "position", VECTORS_ADDED, 3, 64, 1},
		{"shaw", "", "shaw.w_key.0", VECTORS_TABLE, 33, 16, 2},
		{"shaw(clip=4)", "", "shaw.w_key.0", VECTORS_TABLE, 9, 16, 2},
		{"t5", "", "t5.bias_table", VECTORS_TABLE, 32, 4, 1},
		{"composite", "", "composite.w_query.0", VECTORS_TABLE, 17, 16, 1},
		{"txl", "sentence a b c\n", "txl.R", VECTORS_MADE, 5, 64, 0},
		{"rope+t5", "", "rope", VECTORS_TURNS, 9, 8, 2},
		{"spr_rel", "", "spr_rel.a_key", VECTORS_TABLE, 33, 16, 2},
		{"laplacian", "graph @amr1\n", "position", VECTORS_ADDED, 0, 64, 3},
		{"none", "", NULL, 0, 0, 0, 0},
		{"alibi", "", NULL, 0, 0, 0, 0},
		{"causal", "", NULL, 0, 0, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t n = find(cases[i].expression, cases[i].lines);
		const struct vectors *const v = &found[0];
		const char *const e = cases[i].expression;
		if (!cases[i].name) {
			if (n != 0)
				fail_msg("%s has %s", e, v->name);
			continue;
		}
		if (n == 0 || strcmp(v->name, cases[i].name) != 0 || v->kind != cases[i].kind ||
		    v->at.cols != cases[i].cols ||
		    (cases[i].rows > 0 && v->at.rows != cases[i].rows) ||
		    (cases[i].n > 0 && n != cases[i].n))
			fail_msg("%s: %zu, first %s %zu × %zu", e, n, n ? v->name : "none",
				 n ? v->at.rows : 0, n ? v->at.cols : 0);
		if (v->of_distances != (strcmp(e, "composite") == 0 || strncmp(e, "shaw", 4) == 0))
			fail_msg("%s: distances", e);
		if (!v->means)
			fail_msg("%s: %s has no meaning", e, v->name);
	}
	assert_true(find("laplacian", "graph @amr1\n") == 3 && found[2].kind == VECTORS_EIGEN);
}
