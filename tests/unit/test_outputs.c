/* test_outputs.c: contributions by the formula of Kobayashi et al. 2020 (eq. 4), from weights, values
 * and W_o alone; what they and the summands of the output add up to. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_mat.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "posviz/analysis/outputs.h"

FIXTURE(open_folder, close_folder)

struct run_of {
	struct built b;
	struct trace trace;
	size_t heads, dk, d;
};

static struct run_of run(const char *expression, const char *lines)
{
	struct scene s = help_scene_read(lines);
	struct run_of out = {0};
	struct err err = {""};
	const struct want want = {.kinds = WANT_INPUT | WANT_QKV | WANT_WEIGHTS | WANT_CONTEXT |
					   WANT_WRITTEN | WANT_MASK,
				  .layer = -1,
				  .head = -1};
	help_set(&s, "scheme", expression);
	if (!evaluate(&s.setup, &want, NULL, NULL, &arena, &out.b, &out.trace, &err))
		fail_msg("%s: %s", expression, err.text);
	out.heads = out.b.model.config.heads;
	out.dk = out.b.model.dk;
	out.d = out.b.model.config.d;
	return out;
}

static struct outputs outputs(const struct run_of *r, size_t step, size_t head)
{
	struct outputs out;
	outputs_make(&r->trace, step, head, r->heads, &arena, &out);
	return out;
}

/* A file of weights with a W_o that is neither symmetric nor orthogonal. */
static const char *with_w_o(const char *lines)
{
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "w_o", help_normal(64, 64, 7), false);
	tensor_set_add(&set, "w_v", help_normal(64, 64, 8), false);
	return arena_printf(&arena, "%sweights %s\n", lines, help_save(&set));
}

static double length(const double *v, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sqrt(sum);
}

/* α_ts (v_s + a) W_o of one head, as written in the paper; a NULL: no vector of the pair. */
static void contribution(const struct run_of *r, size_t h, size_t t, size_t s, const double *a,
			 struct mat w_o, double *to)
{
	const struct trace_head *const head = &r->trace.layers[0].heads[h];
	const double alpha = mat_row(head->weights, t)[s];
	for (size_t c = 0; c < r->d; c++)
		for (size_t i = 0; i < r->dk; i++)
			to[c] += alpha * (mat_row(head->v, s)[i] + (a ? a[i] : 0)) *
				 mat_row(w_o, h * r->dk + i)[c];
}

/* ---- by the paper ---------------------------------------------------------------------------- */

static const char small[] = "sentence the cat that the dog chased\nheads 4\nproj random\nseed 3\n";

TEST(a_contribution_is_the_length_of_weight_times_value_times_w_o)
{
	const struct run_of r = run("rope", with_w_o(small));
	const struct mat w_o = help_weight_of(&r.trace.layers[0], "w_o");
	for (size_t h = 0; h < r.heads; h++) {
		const struct outputs o = outputs(&r, 0, h);
		assert_true(o.projected && !o.why);
		assert_int_equal(o.at.cols, r.d);
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++) {
				double v[64] = {0};
				contribution(&r, h, t, s, NULL, w_o, v);
				assert_within(mat_row(o.norms, t)[s], length(v, 64), 1e-12);
			}
	}
}

/* Without a file W_o is the identity, so the norm is α ‖v‖. */
TEST(without_w_o_the_length_is_that_of_the_value)
{
	const struct run_of r = run("alibi+causal", small);
	const struct outputs o = outputs(&r, 0, 1);
	const struct trace_head *const head = &r.trace.layers[0].heads[1];
	assert_false(o.projected);
	assert_int_equal(o.at.cols, r.dk);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_within(mat_row(o.norms, t)[s],
				      mat_row(head->weights, t)[s] *
					      length(mat_row(head->v, s), r.dk),
				      1e-13);
	assert_within(mat_row(o.norms, 1)[4], 0, 0);
}

/* The heads' vectors are added before the norm is taken: it is not the sum of their norms. */
TEST(contributions_of_all_heads_are_norms_of_sums)
{
	const struct run_of r = run("t5", with_w_o(small)), plain = run("t5", small);
	const struct mat w_o = help_weight_of(&r.trace.layers[0], "w_o");
	const struct outputs o = outputs(&r, 0, r.heads), p = outputs(&plain, 0, r.heads);
	double apart = 0;
	assert_int_equal(o.heads, 4);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			double v[64] = {0}, squares = 0, sum = 0;
			for (size_t h = 0; h < r.heads; h++) {
				const struct trace_head *const head =
					&plain.trace.layers[0].heads[h];
				contribution(&r, h, t, s, NULL, w_o, v);
				const double one = mat_row(head->weights, t)[s] *
						   length(mat_row(head->v, s), r.dk);
				squares += one * one;
				sum += mat_row(outputs(&r, 0, h).norms, t)[s];
			}
			assert_within(mat_row(o.norms, t)[s], length(v, 64), 1e-12);
			assert_within(mat_row(p.norms, t)[s], sqrt(squares), 1e-12);
			apart = fmax(apart, sum - length(v, 64));
		}
	assert_true(apart > 0.1);
}

/* Shaw et al. 2018, eq. 3: z_t = Σ α_ts (v_s + a^V_ts), a^V_ts = w^V of s − t, clipped. */
TEST(vectors_of_a_pair_belong_to_its_contribution)
{
	const struct run_of r = run("shaw(clip=2)", with_w_o(small));
	const struct mat w_o = help_weight_of(&r.trace.layers[0], "w_o");
	const struct mat table = help_leaf(&r.b.model, "w_value");
	const struct outputs o = outputs(&r, 0, 2);
	assert_int_equal(table.rows, 5);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			double v[64] = {0};
			const long far = (long)s - (long)t;
			const long row = (far < -2 ? -2 : far > 2 ? 2 : far) + 2;
			contribution(&r, 2, t, s, mat_row(table, (size_t)row), w_o, v);
			assert_within(mat_row(o.norms, t)[s], length(v, 64), 1e-12);
			const struct mat of = outputs_of_query(&o, t, &arena);
			for (size_t c = 0; c < 64; c++)
				assert_within(mat_row(of, s)[c], v[c], 1e-12);
		}
}

/* ---- sums ------------------------------------------------------------------------------------ */

static const struct output_term *term(const struct outputs *o, const char *label)
{
	for (size_t i = 0; i < o->n_terms; i++)
		if (strcmp(o->terms[i].label, label) == 0)
			return &o->terms[i];
	fail_msg("no term %s", label);
	return NULL;
}

static struct mat context_times_w_o(const struct run_of *r, size_t h)
{
	const struct mat w_o = help_weight_of(&r->trace.layers[0], "w_o");
	const struct mat c = r->trace.layers[0].heads[h].context;
	const struct mat out = mat_new(&arena, c.rows, r->d);
	mat_mul(out, 1, c, false, mat_rows(w_o, h * r->dk, r->dk), false, 0);
	return out;
}

TEST(contributions_and_terms_sum_to_the_output)
{
	static const char *const all[] = {"none",
					  "sinusoidal",
					  "shaw",
					  "shaw_abs",
					  "0.5*shaw",
					  "spr_rel",
					  "struct_tr",
					  "rope(rotary_value=on)",
					  "floater(site=bias)",
					  "stickbreak(remainder=on)",
					  "diet_abslin",
					  "window(global=[1],projections=on)"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct run_of r = run(all[i], with_w_o(small));
		const struct outputs o = outputs(&r, 0, 1);
		const struct mat want = context_times_w_o(&r, 1);
		help_assert_near(o.at, want, 1e-11, all[i]);
		double share = 0;
		for (size_t k = 0; k < o.n_terms; k++) {
			assert_true(o.terms[k].by_keys);
			share += o.terms[k].share;
		}
		assert_within(share, 1, 1e-12);
		for (size_t t = 0; t < want.rows; t++) {
			const struct mat of = outputs_of_query(&o, t, &arena);
			for (size_t c = 0; c < want.cols; c++) {
				double sum = 0;
				for (size_t s = 0; s < of.rows; s++)
					sum += mat_row(of, s)[c];
				if (fabs(sum - mat_row(want, t)[c]) > 1e-11)
					fail_msg("%s: %g, not %g", all[i], sum,
						 mat_row(want, t)[c]);
			}
		}
	}
}

static void take_away(struct mat from, struct mat m)
{
	for (size_t i = 0; i < from.rows * from.cols; i++)
		from.at[i] -= m.at[i];
}

/* A scheme with a term of values less the same without it is that term. */
TEST(a_term_is_what_leaving_it_out_takes_away)
{
	static const struct {
		const char *with, *without, *label;
	} all[] = {{"shaw", "shaw(values=off)", "w_value"},
		   {"shaw(sign=ts)", "ros_konly", "w_value"},
		   {"rope(rotary_value=on)", "rope", "rotation"},
		   {"stickbreak(remainder=on)", "stickbreak", "remainder"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct run_of x = run(all[i].with, small), y = run(all[i].without, small);
		const struct outputs o = outputs(&x, 0, 0), p = outputs(&y, 0, 0);
		const struct mat difference = mat_copy(&arena, o.at);
		take_away(difference, p.at);
		assert_true(mat_norm(difference) > 0.01);
		help_assert_near(term(&o, all[i].label)->at, difference, 1e-12, all[i].with);
		assert_within(outputs_apart(o.at, p.at),
			      mat_norm(difference) / fmax(mat_norm(o.at), mat_norm(p.at)), 1e-12);
	}
}

/* Vectors of positions in X enter the values too: Σ α (u + p) W_v. */
TEST(positions_in_x_are_a_term_of_the_output)
{
	const struct run_of r = run("sinusoidal", small);
	const struct outputs o = outputs(&r, 0, 0);
	const struct trace_layer *const layer = &r.trace.layers[0];
	const struct mat w_v = help_weight_of(layer, "w_v");
	const struct mat p = mat_copy(&arena, layer->input), want = mat_new(&arena, 6, r.dk);
	const struct mat v = mat_new(&arena, 6, r.dk);
	take_away(p, r.trace.units);
	mat_mul(v, 1, p, false, mat_cols(w_v, 0, r.dk), false, 0);
	mat_mul(want, 1, layer->heads[0].weights, false, v, false, 0);
	help_assert_near(term(&o, "position")->at, want, 1e-12, "position");
	assert_int_equal(term(&o, "position")->kind, WRITTEN_SCHEME);
	assert_int_equal(term(&o, "token")->kind, WRITTEN_TOKEN);
	assert_int_equal(outputs(&r, 1, 0).n_terms, 1);
}

/* A softmax for each feature has no weight of a key. */
TEST(features_with_weights_of_their_own_have_no_contributions)
{
	const struct run_of r = run("disan(multi=on)", small);
	const struct outputs o = outputs(&r, 0, 0);
	assert_non_null(o.why);
	assert_null(o.norms.at);
	assert_null(outputs_of_query(&o, 0, &arena).at);
	help_assert_near(o.at, r.trace.layers[0].heads[0].context, 1e-12, "features");
}

/* A convolution beside the weights is a term that belongs to no key. */
TEST(what_belongs_to_no_key_is_a_term)
{
	const struct run_of r = run("composite(convolution=on)", small);
	const struct outputs o = outputs(&r, 0, 0);
	assert_false(term(&o, "convolution")->by_keys);
	assert_true(term(&o, "token")->by_keys);
	help_assert_near(o.at, r.trace.layers[0].heads[0].context, 1e-12, "convolution");
}

/* With a memory the queries are those behind it, the keys all. */
TEST(keys_of_a_memory_contribute)
{
	const struct run_of r = run("shaw", "sentence a b c d e f\nmemory-tokens 2\n");
	const struct outputs o = outputs(&r, 0, 0);
	assert_int_equal(o.norms.rows, 4);
	assert_int_equal(o.norms.cols, 6);
	const struct mat of = outputs_of_query(&o, 3, &arena);
	for (size_t c = 0; c < r.dk; c++) {
		double sum = 0;
		for (size_t s = 0; s < 6; s++)
			sum += mat_row(of, s)[c];
		assert_within(sum, mat_row(r.trace.layers[0].heads[0].context, 3)[c], 1e-12);
	}
}

TEST(outputs_of_other_shapes_have_no_distance)
{
	assert_true(isnan(outputs_apart(mat_zero(&arena, 2, 2), mat_zero(&arena, 2, 3))));
	assert_within(outputs_apart(mat_zero(&arena, 2, 2), mat_zero(&arena, 2, 2)), 0, 0);
}
