/* test_scheme_synth.c: logits without queries and keys, each kind from its formula. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static struct mat leaf_at(const struct model *model, const char *base, size_t layer)
{
	struct leaf *leaf = model_find_leaf(model, &model->members[0], base, layer);
	assert_non_null(leaf);
	return leaf->at;
}

static void narrow(struct help_run *r)
{
	r->config.t_max = 12;
}

static void with_qkv(struct help_run *r)
{
	r->config.t_max = 12;
	r->want.kinds |= WANT_QKV;
}

/* Logits of layer 1 and head h against want(t, s). */
typedef double expected(const struct help_run *r, size_t h, size_t t, size_t s);

static void expect_logits(const char *expression, size_t n, expected *want)
{
	struct help_run r;
	help_run_must_open(&r, expression, n, 0, with_qkv);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++) {
				const double got = mat_row(r.trace.layers[0].heads[h].logits, t)[s];
				if (!(fabs(got - want(&r, h, t, s)) < 1e-11))
					fail_msg("%s: head %zu (%zu, %zu): %g, not %g", expression,
						 h, t, s, got, want(&r, h, t, s));
			}
	help_run_close(&r);
}

/* ---- the kinds ---- */

static double table_entry(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return mat_row(leaf_at(&r->model, "r", 0), t)[12 * h + s];
}

/* The column remaining is n - t. */
static double mirrored_entry(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return table_entry(r, h, 7 - t, 7 - s);
}

static double dense(const struct help_run *r, size_t h, size_t t, size_t s)
{
	const struct mat w1 = leaf_at(&r->model, "w1", 0), w2 = leaf_at(&r->model, "w2", 0);
	double sum = mat_row(leaf_at(&r->model, "b2", 0), h)[s];
	for (size_t j = 8 * h; j < 8 * h + 8; j++) {
		double hidden = leaf_at(&r->model, "b1", 0).at[j];
		for (size_t i = 0; i < 32; i++)
			hidden += mat_row(r->in.units, t)[i] * mat_row(w1, i)[j];
		sum += fmax(hidden, 0) * mat_row(w2, j)[s];
	}
	return sum;
}

static double dense_of_query(const struct help_run *r, size_t h, size_t t, size_t s)
{
	const struct trace_head *head = &r->trace.layers[0].heads[h];
	const struct mat q = head->q_raw.at ? head->q_raw : head->q;
	double sum = 0;
	for (size_t j = 0; j < 8; j++)
		sum += fmax(mat_row(q, t)[j], 0) * mat_row(leaf_at(&r->model, "pi", 0), j)[s];
	return sum;
}

static double low_rank(const struct help_run *r, size_t h, size_t t, size_t s)
{
	const struct mat r1 = leaf_at(&r->model, "r1", 0), r2 = leaf_at(&r->model, "r2", 0);
	double sum = 0;
	for (size_t k = 0; k < r1.rows; k++)
		sum += mat_row(r1, k)[12 * h + t] * mat_row(r2, k)[12 * h + s];
	return sum;
}

static double factor(const struct help_run *r, const char *w, const char *b, size_t h, size_t t,
		     size_t i)
{
	double sum = mat_row(leaf_at(&r->model, b, 0), h)[i];
	for (size_t j = 8 * h; j < 8 * h + 8; j++)
		sum += mat_row(r->in.units, t)[j] * mat_row(leaf_at(&r->model, w, 0), j)[i];
	return sum;
}

static double tiles(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return factor(r, "w_a", "b_a", h, t, s % 3) * factor(r, "w_b", "b_b", h, t, s / 3);
}

/* c q·k of the query before it was shortened. */
static double content(const struct help_run *r, size_t h, size_t t, size_t s)
{
	const struct trace_head *head = &r->trace.layers[0].heads[h];
	const struct mat q = head->q_raw.at ? head->q_raw : head->q;
	return r->trace.c * help_dot(mat_row(q, t), mat_row(head->k, s), 8);
}

static double half_of_each(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return content(r, h, t, s) / 2 + table_entry(r, h, t, s) / 2; /* α = 0 */
}

static double sum_of_both(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return content(r, h, t, s) + table_entry(r, h, t, s);
}

static double half_dense(const struct help_run *r, size_t h, size_t t, size_t s)
{
	return content(r, h, t, s) / 2 + dense_of_query(r, h, t, s) / 2;
}

TEST(logits_are_those_of_the_formulas)
{
	expect_logits("synth_random", 7, table_entry);
	expect_logits("synth_random(pos=remaining)", 7, mirrored_entry);
	expect_logits("synth_dense", 7, dense);
	expect_logits("synth_dense(code=on)", 7, dense_of_query);
	expect_logits("synth_factorized", 7, low_rank);
	expect_logits("synth_factorized(k=2)", 12, low_rank);
	expect_logits("synth_factorized(of=dense,a=3,b=4)", 12, tiles);
	expect_logits("synth_mix", 7, half_of_each);
	expect_logits("synth_mix(alpha=off)", 7, sum_of_both);
	expect_logits("synth_mix(of=dense)", 7, half_dense);
	expect_logits("synth_mix(scale=rsqrt)", 7, half_of_each);
}

TEST(dot_products_are_scaled_when_asked)
{
	struct help_run r;
	help_run_must_open(&r, "synth_mix", 4, 0, narrow);
	assert_true(fabs(r.trace.c - 1) < 1e-15);
	assert_true(fabs(help_again(&r, "synth_mix(scale=rsqrt)", NULL)->c - 1 / sqrt(8)) < 1e-15);
	help_run_close(&r);
}

/* α moves the share: at -40 the help_dot product is all, at 40 the table. */
static double alpha;

static void set_alpha(struct model *model)
{
	mat_fill(leaf_at(model, "alpha", 0), alpha);
	mat_fill(leaf_at(model, "alpha", 1), alpha);
}

TEST(alpha_goes_from_products_to_tables)
{
	struct help_run r;
	help_run_must_open(&r, "synth_mix(scale=rsqrt)", 7, 0, narrow);
	alpha = -40;
	const struct trace *products = help_changed(&r, "synth_mix(scale=rsqrt)", set_alpha);
	assert_true(help_output_apart(products, help_again(&r, "none", NULL), 1) < 1e-12);
	alpha = 40;
	const struct trace *tables = help_changed(&r, "synth_mix(scale=rsqrt)", set_alpha);
	const struct mat table = leaf_at(&r.model, "r", 0);
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++)
			assert_true(fabs(mat_row(tables->layers[0].heads[2].logits, t)[s] -
					 mat_row(table, t)[24 + s]) < 1e-12);
	help_run_close(&r);
}

/* ---- what they see ---- */

/* Random tables see no word; a dense row sees its own word and no other. */
TEST(words_count_for_their_own_row_at_most)
{
	static const struct {
		const char *expression;
		bool own;
	} rows[] = {{"synth_random", false},	    {"synth_random(learned=off)", false},
		    {"synth_factorized", false},    {"synth_dense", true},
		    {"synth_dense(code=on)", true}, {"synth_factorized(of=dense)", true}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 6, 0, narrow);
		mat_fill(mat_rows(r.in.units, 2, 1), 0.7);
		const struct trace *other = help_again(&r, rows[i].expression, NULL);
		for (size_t t = 0; t < 6; t++) {
			const double off =
				mat_max_abs_diff(mat_rows(r.trace.layers[0].heads[1].logits, t, 1),
						 mat_rows(other->layers[0].heads[1].logits, t, 1));
			assert_true(rows[i].own && t == 2 ? off > 1e-3 : off < 1e-15);
		}
		assert_non_null(r.trace.bias_absent);
		assert_false(r.trace.split);
		help_run_close(&r);
	}
}

/* The same table for a shorter input, another in the other layer, the same whatever the order. */
TEST(fixed_tables_are_drawn_by_position)
{
	struct help_run longer, shorter, back;
	help_run_must_open(&longer, "synth_random(learned=off)", 9, 0, narrow);
	help_run_must_open(&shorter, "synth_random(learned=off)", 5, 0, narrow);
	help_run_must_open(&back, "synth_random(learned=off,pos=remaining)", 9, 0, narrow);
	assert_int_equal(longer.model.n_leaves, 0);
	const struct mat m = longer.trace.layers[0].heads[3].logits;
	assert_true(mat_max_abs_diff(mat_rows(mat_cols(m, 0, 5), 0, 5),
				     shorter.trace.layers[0].heads[3].logits) < 1e-15);
	assert_true(mat_max_abs_diff(m, longer.trace.layers[1].heads[3].logits) > 0.1);
	assert_true(mat_max_abs_diff(m, longer.trace.layers[0].heads[2].logits) > 0.1);
	for (size_t t = 1; t < 9; t++)
		for (size_t s = 1; s < 9; s++)
			assert_true(
				fabs(mat_row(back.trace.layers[0].heads[3].logits, 9 - t)[9 - s] -
				     mat_row(m, t)[s]) < 1e-15);
	help_run_close(&longer);
	help_run_close(&shorter);
	help_run_close(&back);
}

static void constant(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, 1.5);
}

TEST(constant_tables_weigh_all_alike)
{
	struct help_run r;
	help_run_must_open(&r, "synth_random", 8, 0, narrow);
	const struct mat weights =
		help_changed(&r, "synth_random", constant)->layers[0].heads[0].weights;
	for (size_t i = 0; i < 64; i++)
		assert_true(fabs(weights.at[i] - 0.125) < 1e-15);
	help_run_close(&r);
}

/* A rank of k: that many singular values of R and no more. */
TEST(factors_bound_the_rank)
{
	struct help_run r;
	double values[10];
	help_run_must_open(&r, "synth_factorized(k=3)", 10, 0, narrow);
	assert_true(
		mat_singular_values(r.trace.layers[0].heads[1].logits, values, &r.arena, &r.err));
	assert_true(values[2] > 1e-3 && values[3] < 1e-12 * values[0]);
	help_run_close(&r);
}

/* Beside another member the table is one term of two; it is not written to. */
TEST(others_add_to_a_copy)
{
	struct help_run r;
	struct trace again;
	help_run_must_open(&r, "synth_random+alibi(causal=off)", 7, 0, narrow);
	assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &again, &r.err));
	assert_true(help_logits_apart(&r.trace, &again, 1, 4) < 1e-15);
	const struct trace *bias = help_again(&r, "alibi(causal=off)", NULL);
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++)
			assert_true(fabs(mat_row(r.trace.layers[0].heads[1].logits, t)[s] -
					 table_entry(&r, 1, t, s) -
					 mat_row(bias->layers[0].heads[1].bias, t)[s]) < 1e-12);
	help_run_close(&r);
}

/* ---- ends, ways, gradients, sizes ---- */

TEST(tables_end)
{
	static const struct {
		const char *expression, *says;
		size_t n;
	} rows[] = {{"synth_random", "t-max", 12},
		    {"synth_random(learned=off)", "t-max", 12},
		    {"synth_dense", "t-max", 12},
		    {"synth_factorized", "t-max", 12},
		    {"synth_mix", "t-max", 12},
		    {"synth_factorized(of=dense,a=3,b=2)", "raise a or b", 6}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, rows[i].n, 0, narrow);
		help_run_close(&r);
		assert_false(help_run_open(&r, rows[i].expression, rows[i].n + 1, 0, narrow));
		assert_non_null(strstr(r.err.text, rows[i].says));
		help_run_close(&r);
	}
}

static void paper_init(struct help_run *r)
{
	narrow(r);
	r->config.init = INIT_PAPER;
}

static const char *const expressions[] = {"synth_random",
					  "synth_random(learned=off)",
					  "synth_random(pos=remaining)",
					  "synth_dense",
					  "synth_dense(code=on)",
					  "synth_factorized",
					  "synth_factorized(of=dense)",
					  "synth_mix",
					  "synth_mix(alpha=off)",
					  "synth_mix(of=dense)",
					  "sinusoidal+synth_mix",
					  "synth_dense(heads=[1,3],layers=2)+rope"};

TEST(every_way_through_the_code_agrees)
{
	for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++)
		help_all_ways_agree(expressions[i], i % 2 ? paper_init : narrow);
	assert_int_equal(help_terms_sum("synth_mix", narrow), 2);
	assert_int_equal(help_terms_sum("synth_random", narrow), 1);
}

TEST(every_size_is_evaluated)
{
	static const size_t sizes[] = {1, 2, 7, 64, 511};
	for (size_t i = 0; i < 10; i++)
		for (size_t k = 0; k < 5; k++) {
			struct help_run r;
			help_run_must_open(&r, expressions[i], sizes[k], 0, NULL);
			assert_true(help_is_finite(r.trace.layers[1].output));
			help_run_close(&r);
		}
}
