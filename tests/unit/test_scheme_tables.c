/* test_scheme_tables.c: learned positions that are not one table to be added: axial, hierarchical,
 * and the table that multiplies. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- helpers ------------------------------------------------------------------------------- */

/* Tensors given in the place of leaves. */
struct bag {
	struct tensor_set set;
	struct given given;
};

static void bag_open(struct bag *b, struct arena *a)
{
	tensor_set_init(&b->set, a);
	b->given = (struct given){.params = &b->set};
}

static struct mat random_mat(struct arena *a, size_t rows, size_t cols, uint64_t seed)
{
	struct rng rng;
	rng_init(&rng, seed);
	const struct mat m = mat_new(a, rows, cols);
	mat_fill_normal(m, 1, &rng);
	return m;
}

static void check_vectors(const struct help_case *c, const char *tensor, bool less_input)
{
	struct help_result r;
	help_case_open(&r, c);
	const struct tensor *t = tensor_find(&r.set, tensor);
	assert_non_null(t);
	const struct mat want = mat_copy(&r.arena, tensor_mat(t));
	const struct mat input = tensor_mat(tensor_find(&r.set, "input"));
	for (size_t i = 0; less_input && i < want.rows; i++)
		for (size_t j = 0; j < want.cols; j++)
			mat_row(want, i)[j] -= mat_row(input, i)[j];
	assert_true(mat_max_abs_diff(r.trace.position_vectors, want) < 1e-9);
	help_case_close(&r);
}

/* ---- axial --------------------------------------------------------------------------------- */

TEST(axial_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/axial-a.safetensors",
				    .expression = "axial(t1=4,share=0.75)",
				    .map = {"segment=param.w1", "place=param.w2"},
				    .t_max = 12};
	check_vectors(&c, "position.vectors", false);
	check_vectors(&c, "position.sum", true);
}

static void six_positions(struct help_run *r)
{
	r->config.t_max = 6;
}

/* n1 = 2, n2 = 3: (0,0) (0,1) (0,2) (1,0) (1,1) (1,2); the segment's columns first. */
TEST(axial_reads_segment_and_place)
{
	static const size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
	struct help_run r;
	help_run_must_open(&r, "axial(t1=3,share=0.75)", 6, 0, six_positions);
	const struct mat segment = help_leaf(&r.model, "segment"),
			 place = help_leaf(&r.model, "place");
	const struct mat p = r.trace.position_vectors;
	assert_true(segment.rows == 2 && segment.cols == 8);
	assert_true(place.rows == 3 && place.cols == 24);
	for (size_t t = 0; t < 6; t++) {
		const struct mat row = mat_rows(p, t, 1);
		assert_true(mat_max_abs_diff(mat_cols(row, 0, 8),
					     mat_rows(segment, pairs[t][0], 1)) < 1e-12);
		assert_true(mat_max_abs_diff(mat_cols(row, 8, 24),
					     mat_rows(place, pairs[t][1], 1)) < 1e-12);
	}
	help_run_close(&r);
}

/* Survey eq. 5: columns below d_1 from row t mod t_1, the others from row t div t_1. */
TEST(axial_in_the_order_of_the_survey)
{
	struct help_run r;
	help_run_must_open(&r, "axial(t1=5,share=0.25,order=survey)", 17, 0, NULL);
	const struct mat first = help_leaf(&r.model, "place"),
			 second = help_leaf(&r.model, "segment");
	assert_int_equal(first.cols, 8);
	for (size_t t = 0; t < 17; t++)
		for (size_t j = 0; j < 32; j++) {
			const double want =
				j < 8 ? mat_row(first, t % 5)[j] : mat_row(second, t / 5)[j - 8];
			assert_true(fabs(mat_row(r.trace.position_vectors, t)[j] - want) < 1e-12);
		}
	/* The same tables in the other order are the same columns, swapped. */
	const struct mat code = help_again(&r, "axial(t1=5,share=0.25)", NULL)->position_vectors;
	assert_true(mat_max_abs_diff(mat_cols(code, 24, 8),
				     mat_cols(r.trace.position_vectors, 0, 8)) < 1e-12);
	help_run_close(&r);
}

TEST(axial_rows_agree_in_segment_or_place)
{
	struct help_run r;
	help_run_must_open(&r, "axial", 16, 0, NULL);
	const struct mat p = r.trace.position_vectors;
	for (size_t t = 0; t < 16; t++)
		for (size_t s = 0; s < 16; s++) {
			assert_true((help_rows_apart(p, t, s, 0, 16) < 1e-12) == (t / 4 == s / 4));
			assert_true((help_rows_apart(p, t, s, 16, 16) < 1e-12) == (t % 4 == s % 4));
		}
	help_run_close(&r);
}

/* One segment, or segments of one place: the other table is all there is. */
TEST(axial_with_one_axis_is_learned)
{
	struct help_run r;
	help_run_must_open(&r, "learned", 9, 0, NULL);
	struct bag bag;
	bag_open(&bag, &r.arena);
	const struct mat p = random_mat(&r.arena, 512, 32, 5);
	tensor_set_add(&bag.set, "p", p, false);
	tensor_set_add(&bag.set, "place", p, false);
	tensor_set_add(&bag.set, "segment", p, false);
	const struct trace *learned = help_again(&r, "learned", &bag.given);
	help_traces_equal(learned, help_again(&r, "axial(t1=512,share=1)", &bag.given));
	help_traces_equal(learned, help_again(&r, "axial(t1=1,share=0)", &bag.given));
	help_run_close(&r);
}

TEST(axial_ends_at_t_max)
{
	struct help_run r;
	assert_true(help_run_open(&r, "axial", 6, 0, six_positions));
	help_run_close(&r);
	assert_false(help_run_open(&r, "axial", 7, 0, six_positions)); /* 2 segments hold 8 */
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
}

/* ---- hier ---------------------------------------------------------------------------------- */

TEST(hier_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/hier-a.safetensors", .expression = "hier(n=4)"};
	check_vectors(&c, "position.vectors", false);
	check_vectors(&c, "position.sum", true);
}

/* q_{in+j} = α u_i + (1-α) u_j, u_i = (p_i - α p_0)/(1-α), written as in the source. */
TEST(hier_rows_are_those_of_the_definition)
{
	static const char *const texts[] = {"hier(n=5,alpha=0.12)", "hier(n=5)",
					    "hier(n=5,alpha=0.84)"};
	static const double alphas[] = {0.12, 0.4, 0.84};
	for (size_t k = 0; k < 3; k++) {
		struct help_run r;
		help_run_must_open(&r, texts[k], 25, 0, NULL);
		const struct mat p = help_leaf(&r.model, "p");
		assert_true(p.rows == 5 && p.cols == 32);
		const double alpha = alphas[k];
		for (size_t t = 0; t < 25; t++)
			for (size_t c = 0; c < 32; c++) {
				const double p0 = mat_row(p, 0)[c];
				const double u_i =
					(mat_row(p, t / 5)[c] - alpha * p0) / (1 - alpha);
				const double u_j =
					(mat_row(p, t % 5)[c] - alpha * p0) / (1 - alpha);
				const double want = alpha * u_i + (1 - alpha) * u_j;
				assert_true(fabs(mat_row(r.trace.position_vectors, t)[c] - want) <
					    1e-12);
			}
		help_run_close(&r);
	}
}

/* Within a segment rows differ as in the first, whichever segment it is, beyond n² too; and no two
 * positions are one. */
TEST(hier_repeats_the_first_segment)
{
	struct help_run r;
	help_run_must_open(&r, "hier(n=3)", 90, 0, NULL);
	const struct mat q = r.trace.position_vectors, p = help_leaf(&r.model, "p");
	for (size_t t = 0; t < 90; t++) {
		const size_t first = t - t % 3;
		for (size_t c = 0; c < 32; c++)
			assert_true(fabs(mat_row(q, t)[c] - mat_row(q, first)[c] -
					 mat_row(p, t % 3)[c] + mat_row(p, 0)[c]) < 1e-12);
		for (size_t s = 0; s < t; s++)
			assert_true(help_rows_apart(q, t, s, 0, 32) > 1e-3);
	}
	assert_true(mat_max_abs_diff(mat_rows(q, 0, 3), p) < 1e-12);
	help_run_close(&r);
}

TEST(hier_with_a_long_table_is_learned)
{
	struct help_run r;
	help_run_must_open(&r, "learned", 9, 0, NULL);
	struct bag bag;
	bag_open(&bag, &r.arena);
	tensor_set_add(&bag.set, "p", help_leaf(&r.model, "p"), false);
	help_traces_equal(&r.trace, help_again(&r, "hier(n=512)", &bag.given));
	help_run_close(&r);
}

TEST(hier_has_its_bounds)
{
	struct help_run r;
	assert_true(help_run_open(&r, "hier(n=3,again=off)", 9, 0, NULL));
	help_run_close(&r);
	assert_false(help_run_open(&r, "hier(n=3,again=off)", 10, 0, NULL));
	assert_non_null(strstr(r.err.text, "raise n or set again=on"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "hier", 7, 0, six_positions));
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "hier(alpha=0.5)", 4, 0, NULL));
	assert_non_null(strstr(r.err.text, "alpha=0.5"));
	help_run_close(&r);
}

/* ---- multiplicative ------------------------------------------------------------------------ */

static void eleven_rows(struct help_run *r)
{
	r->config.t_max = 11;
}

/* The file's product is of its hierarchical rows: they are given for the table here. */
TEST(multiplicative_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/hier-a.safetensors",
				    .expression = "multiplicative",
				    .map = {"multiplicative.p=position.vectors"},
				    .t_max = 11};
	check_vectors(&c, "position.product", true);
}

static void fill_p(struct help_run *r, struct bag *bag, double value)
{
	const struct mat p = mat_new(&r->arena, 512, 32);
	mat_fill(p, value);
	bag_open(bag, &r->arena);
	tensor_set_add(&bag->set, "p", p, false);
}

TEST(multiplying_by_one_is_none)
{
	struct help_run r;
	struct bag zeros, ones;
	help_run_must_open(&r, "none", 9, 0, NULL);
	fill_p(&r, &zeros, 0);
	fill_p(&r, &ones, 1);
	help_traces_equal(&r.trace, help_again(&r, "multiplicative", &zeros.given));
	help_traces_equal(&r.trace, help_again(&r, "multiplicative(one_plus=off)", &ones.given));
	assert_true(help_output_apart(&r.trace, help_again(&r, "multiplicative", &ones.given), 0) >
		    1e-3);
	help_run_close(&r);
}

TEST(multiplicative_starts_as_none)
{
	static const char *const texts[] = {"multiplicative", "multiplicative(one_plus=off)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 9, 0, help_paper_init);
		help_traces_equal(&r.trace, help_again(&r, "none", NULL));
		help_run_close(&r);
	}
}

/* X_tj / U_tj is 1 + P_tj, whatever the unit; with sinusoids P is that of sinusoidal. */
TEST(multiplicative_scales_the_columns)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal(start=1,layout=concat)", 7, 0, help_with_input);
	const struct mat p = r.trace.position_vectors, u = r.in.units;
	const struct mat plus = help_again(&r,
					   "multiplicative(table=sinusoidal,start=1,layout="
					   "concat)",
					   NULL)
					->layers[0]
					.input;
	const struct trace *literal = help_again(
		&r, "multiplicative(table=sinusoidal,start=1,layout=concat,one_plus=off)", NULL);
	assert_false(literal->split);
	for (size_t t = 0; t < 7; t++)
		for (size_t j = 0; j < 32; j++) {
			const double x = mat_row(u, t)[j], by = mat_row(p, t)[j];
			assert_true(fabs(mat_row(plus, t)[j] - x * (1 + by)) < 1e-12);
			assert_true(fabs(mat_row(literal->layers[0].input, t)[j] - x * by) < 1e-12);
		}
	help_run_close(&r);
}

/* sin 0 = 0: the literal product leaves half of the first unit. */
TEST(literal_sinusoids_kill_half_of_the_first_unit)
{
	struct help_run r;
	help_run_must_open(&r, "multiplicative(table=sinusoidal,one_plus=off)", 4, 0,
			   help_with_input);
	const double *x = mat_row(r.trace.layers[0].input, 0), *u = mat_row(r.in.units, 0);
	for (size_t j = 0; j < 32; j++)
		assert_true(j % 2 ? fabs(x[j] - u[j]) < 1e-12 : fabs(x[j]) <= 0);
	help_run_close(&r);
}

/* A product with what stands there: with sinusoids in front, of the sum. */
TEST(multiplicative_multiplies_the_sum_before_it)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+multiplicative", 7, 0, help_with_input);
	const struct mat p = help_again(&r, "sinusoidal", NULL)->position_vectors;
	const struct mat by = help_leaf(&r.model, "p");
	for (size_t t = 0; t < 7; t++)
		for (size_t j = 0; j < 32; j++)
			assert_true(fabs(mat_row(r.trace.layers[0].input, t)[j] -
					 (mat_row(r.in.units, t)[j] + mat_row(p, t)[j]) *
						 (1 + mat_row(by, t)[j])) < 1e-12);
	help_run_close(&r);
}

/* ---- all ----------------------------------------------------------------------------------- */

static const char *const all[] = {
	"axial",	  "axial(order=survey,share=0.25,t1=3)", "hier", "hier(n=2,alpha=0.8)",
	"multiplicative", "multiplicative(one_plus=off)",
};

TEST(looking_learning_and_cache_agree)
{
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		help_all_ways_agree(all[i], NULL);
		help_all_ways_agree(all[i], eleven_rows);
		help_terms_sum(all[i], NULL);
	}
	help_all_ways_agree("multiplicative(table=sinusoidal)", NULL);
}

static size_t wanted_heads;
static enum projection wanted_proj;

static void long_enough(struct help_run *r)
{
	r->config.t_max = 513;
	r->config.heads = wanted_heads;
	r->config.proj = wanted_proj;
}

TEST(every_size_is_evaluated)
{
	static const size_t sizes[] = {1, 2, 7, 64, 513};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		for (size_t k = 0; k < 5; k++) {
			struct help_run r;
			wanted_heads = k % 2 ? 4 : 1;
			wanted_proj = k % 2 ? PROJ_IDENTITY : PROJ_RANDOM;
			help_run_must_open(&r, all[i], sizes[k], 0, long_enough);
			assert_true(help_is_finite(r.trace.layers[1].output));
			assert_int_equal(r.trace.position_vectors.rows, sizes[k]);
			help_run_close(&r);
		}
}
