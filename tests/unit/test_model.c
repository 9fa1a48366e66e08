/* test_model.c: the stages against the survey's equations, written out as loops: layers, units,
 * order, the terms of the logits and the bias. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_sample.h"
#include "help_scheme.h"
#include "model/model_in.h"
#include "posviz/math/machine.h"

static void assert_close(double got, double want, double relative, const char *what)
{
	if (!(fabs(got - want) <= relative * fmax(1, fabs(want))))
		fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* ---- survey eq. 1 by loops ----------------------------------------------------------------- */

static struct mat product(struct arena *a, struct mat x, struct mat y)
{
	const struct mat out = mat_zero(a, x.rows, y.cols);
	assert_int_equal(x.cols, y.rows);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < y.cols; j++)
			for (size_t k = 0; k < x.cols; k++)
				mat_row(out, i)[j] += mat_row(x, i)[k] * mat_row(y, k)[j];
	return out;
}

static struct mat sum_of(struct arena *a, struct mat x, struct mat y)
{
	const struct mat out = mat_new(a, x.rows, x.cols);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < x.cols; j++)
			mat_row(out, i)[j] = mat_row(x, i)[j] + mat_row(y, i)[j];
	return out;
}

/* One head: its logits and weights, and its columns of the context. */
static void head_by_loops(const struct help_run *r, struct mat q, struct mat k, struct mat v,
			  size_t h, struct mat logits, struct mat weights, struct mat context)
{
	const size_t n = q.rows, dk = r->config.d / r->config.heads, at = h * dk;
	for (size_t t = 0; t < n; t++) {
		double sum = 0;
		for (size_t s = 0; s < n; s++) {
			double dot = 0;
			for (size_t j = at; j < at + dk; j++)
				dot += mat_row(q, t)[j] * mat_row(k, s)[j];
			mat_row(logits, t)[s] = dot / sqrt((double)dk);
			sum += exp(mat_row(logits, t)[s]);
		}
		for (size_t s = 0; s < n; s++) {
			mat_row(weights, t)[s] = exp(mat_row(logits, t)[s]) / sum;
			for (size_t j = at; j < at + dk; j++)
				mat_row(context, t)[j] += mat_row(weights, t)[s] * mat_row(v, s)[j];
		}
	}
}

static void layer_equals_loops(struct help_run *r, size_t l)
{
	struct arena *a = &r->arena;
	const struct trace_layer *layer = &r->trace.layers[l];
	const struct mat x = layer->input;
	const size_t n = x.rows;
	const struct mat q = product(a, x, help_weight_of(layer, "w_q"));
	const struct mat k = product(a, x, help_weight_of(layer, "w_k"));
	const struct mat v = product(a, x, help_weight_of(layer, "w_v"));
	const struct mat context = mat_zero(a, n, r->config.d);
	for (size_t h = 0; h < r->config.heads; h++) {
		const struct mat logits = mat_new(a, n, n), weights = mat_new(a, n, n);
		head_by_loops(r, q, k, v, h, logits, weights, context);
		assert_true(mat_max_abs_diff(logits, layer->heads[h].logits) < 1e-11);
		assert_true(mat_max_abs_diff(weights, layer->heads[h].weights) < 1e-12);
	}
	const struct mat o = sum_of(a, context, x);
	help_normalise(o, r->config.norm_eps);
	const struct mat hidden = product(a, o, help_weight_of(layer, "w_ff1"));
	for (size_t i = 0; i < hidden.rows * hidden.cols; i++)
		hidden.at[i] = fmax(0, hidden.at[i]);
	const struct mat z = sum_of(a, o, product(a, hidden, help_weight_of(layer, "w_ff2")));
	help_normalise(z, r->config.norm_eps);
	assert_true(mat_max_abs_diff(z, layer->output) < 1e-11);
}

TEST(layers_equal_equation_1)
{
	for (enum projection proj = 0; proj < PROJ_COUNT; proj++) {
		struct help_run r;
		help_open_wanted(&r, "none", 6, proj, 3,
				 WANT_INPUT | WANT_LOGITS | WANT_WEIGHTS | WANT_OUTPUT);
		assert_true(mat_max_abs_diff(r.trace.layers[0].input, r.in.units) <= 0);
		assert_true(mat_max_abs_diff(r.trace.layers[1].input, r.trace.layers[0].output) <=
			    0);
		for (size_t l = 0; l < 3; l++)
			layer_equals_loops(&r, l);
		help_run_close(&r);
	}
}

/* With the identity, a unit of norm √d meets itself with the logit `content`. */
TEST(content_sets_the_logit_of_a_unit_with_itself)
{
	static const char *const expressions[] = {"none", "t5", "deberta"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_open_wanted(&r, expressions[i], 2, PROJ_IDENTITY, 1, WANT_QKV);
		mat_fill(r.in.units, 1);
		r.want.kinds = WANT_TERMS | WANT_LOGITS;
		const struct trace *trace = help_again(&r, expressions[i], NULL);
		const struct trace_term *unit = &trace->layers[0].heads[0].terms[0];
		assert_int_equal(unit->kind, TERM_UNIT_UNIT);
		assert_close(mat_row(unit->at, 0)[1], 2, 1e-12, expressions[i]);
		help_run_close(&r);
	}
}

/* By other projections it is so on the average: of the logits when W_q and W_k are tied, of their
 * squares when nothing ties them. */
TEST(content_is_typical_under_any_projection)
{
	for (enum projection proj = PROJ_TIED; proj <= PROJ_RANDOM; proj++) {
		struct help_run r;
		help_open_wanted(&r, "none", 200, proj, 1, WANT_LOGITS);
		double mean = 0, square = 0;
		for (size_t h = 0; h < r.config.heads; h++) {
			for (size_t t = 0; t < 200; t++) {
				const double v = mat_row(r.trace.layers[0].heads[h].logits, t)[t];
				mean += v / (200 * (double)r.config.heads);
				square += v * v / (200 * (double)r.config.heads);
			}
		}
		if (proj == PROJ_TIED)
			assert_close(mean, 2, 0.2, "mean logit of a unit with itself");
		else
			assert_close(sqrt(square), 2, 0.2, "size of that logit");
		help_run_close(&r);
	}
}

/* ---- units and leaves ------------------------------------------------------------------------ */

TEST(units_hang_on_seed_and_text_alone)
{
	struct arena a;
	arena_init(&a);
	struct model_config config = help_config();
	const char *const text[] = {"cat", "dog", "cat", "x\0y", "x\0z", "x\\0y", "x"};
	const size_t len[] = {3, 3, 3, 3, 3, 4, 1};
	const struct mat x = model_units(&a, &config, text, len, 7);
	assert_true(mat_max_abs_diff(mat_rows(x, 0, 1), mat_rows(x, 2, 1)) <= 0);
	for (size_t i = 0; i < 7; i++)
		for (size_t j = 0; j < i; j++)
			if (i != 2 || j != 0)
				assert_true(mat_max_abs_diff(mat_rows(x, i, 1), mat_rows(x, j, 1)) >
					    0.1);
	const char *const moved[] = {"dog", "cat"};
	config.heads = 8;
	config.layers = 5;
	config.t_max = 9;
	config.proj = PROJ_TIED;
	const struct mat y = model_units(&a, &config, moved, len, 2);
	assert_true(mat_max_abs_diff(mat_rows(x, 0, 1), mat_rows(y, 1, 1)) <= 0);
	assert_true(mat_max_abs_diff(mat_rows(x, 1, 1), mat_rows(y, 0, 1)) <= 0);
	config.seed++;
	const struct mat z = model_units(&a, &config, moved, len, 2);
	assert_true(mat_max_abs_diff(mat_rows(y, 0, 1), mat_rows(z, 0, 1)) > 0.1);
	config.d = 4096;
	const struct mat wide = model_units(&a, &config, moved, len, 1);
	assert_close(mat_norm(wide) / 64, 1, 0.05, "standard deviation");
	arena_release(&a);
}

TEST(leaves_stay_when_a_member_is_added)
{
	struct help_run one, two;
	help_open_wanted(&one, "shaw+t5(scale=rsqrt)", 4, PROJ_RANDOM, 2, 0);
	help_open_wanted(&two, "learned+txl+shaw+t5(scale=rsqrt)+shaw(clip=3)", 4, PROJ_RANDOM, 2,
			 0);
	size_t compared = 0;
	for (size_t i = 0; i < one.model.n_leaves; i++) {
		for (size_t j = 0; j < two.model.n_leaves; j++) {
			const struct leaf *x = &one.model.leaves[i], *y = &two.model.leaves[j];
			if (strcmp(x->name, y->name) != 0)
				continue;
			assert_true(mat_max_abs_diff(x->at, y->at) <= 0);
			compared++;
		}
	}
	assert_true(compared > 0);
	assert_int_equal(compared, one.model.n_leaves);
	help_run_close(&one);
	help_run_close(&two);
}

/* ---- order ------------------------------------------------------------------------------------- */

static double equivariance(const char *expression, size_t n, enum projection proj, size_t layers)
{
	struct help_run r;
	help_open_wanted(&r, expression, n, proj, layers, WANT_OUTPUT);
	size_t *order = arena_calloc(&r.arena, n, sizeof *order);
	for (size_t t = 0; t < n; t++)
		order[t] = n - 1 - t;
	help_permute(&r, order);
	const struct trace *moved = help_again(&r, expression, NULL);
	double worst = 0;
	for (size_t t = 0; t < n; t++)
		worst = fmax(worst,
			     mat_max_abs_diff(mat_rows(help_last_output(moved), t, 1),
					      mat_rows(help_last_output(&r.trace), order[t], 1)));
	help_run_close(&r);
	return worst;
}

TEST(none_is_equivariant_and_the_causal_mask_is_not)
{
	static const size_t sizes[] = {2, 7, 33}, layers[] = {1, 2, 4};
	for (enum projection proj = 0; proj < PROJ_COUNT; proj++) {
		for (size_t i = 0; i < 3; i++) {
			for (size_t l = 0; l < 3; l++) {
				const double off = equivariance("none", sizes[i], proj, layers[l]);
				if (off > 1e-12)
					fail_msg("n %zu, %zu layers: %g", sizes[i], layers[l], off);
				assert_true(equivariance("none+causal", sizes[i], proj, layers[l]) >
					    1e-3);
			}
		}
	}
}

/* ---- terms ------------------------------------------------------------------------------------- */

/* 1 / c times the product of the two parts, by the weights of the layer */
static double four_way(const struct help_run *r, struct mat left, struct mat right, size_t h,
		       size_t t, size_t s)
{
	const struct trace_layer *layer = &r->trace.layers[0];
	const struct mat w_q = help_weight_of(layer, "w_q"), w_k = help_weight_of(layer, "w_k");
	const size_t dk = r->config.d / r->config.heads;
	double dot = 0;
	for (size_t j = h * dk; j < (h + 1) * dk; j++) {
		double q = 0, k = 0;
		for (size_t i = 0; i < r->config.d; i++) {
			q += mat_row(left, t)[i] * mat_row(w_q, i)[j];
			k += mat_row(right, s)[i] * mat_row(w_k, i)[j];
		}
		dot += q * k;
	}
	return dot * r->model.c;
}

TEST(sinusoidal_splits_into_equation_4)
{
	struct help_run r;
	help_open_wanted(&r, "sinusoidal", 5, PROJ_RANDOM, 1,
			 WANT_INPUT | WANT_TERMS | WANT_LOGITS | WANT_POSITION);
	const struct mat u = r.in.units, p = r.trace.position_vectors;
	assert_close(mat_row(p, 3)[0], sin(3), 1e-12, "first column of the sinusoid");
	const struct mat left[] = {u, u, p, p}, right[] = {u, p, u, p};
	static const enum term_kind kinds[] = {TERM_UNIT_UNIT, TERM_UNIT_POSITION,
					       TERM_POSITION_UNIT, TERM_POSITION};
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		assert_int_equal(head->n_terms, 4);
		for (size_t k = 0; k < 4; k++) {
			assert_int_equal(head->terms[k].kind, kinds[k]);
			for (size_t t = 0; t < 5; t++)
				for (size_t s = 0; s < 5; s++)
					assert_close(mat_row(head->terms[k].at, t)[s],
						     four_way(&r, left[k], right[k], h, t, s),
						     1e-11, "a term");
		}
	}
	help_run_close(&r);
}

static void terms_of_layer_sum_to_logits(const struct help_run *r, const char *expression, size_t l)
{
	for (size_t h = 0; h < r->config.heads; h++) {
		const struct trace_head *head = &r->trace.layers[l].heads[h];
		const double size = fmax(1, mat_norm(head->logits));
		for (size_t i = 0; head->logits.at && i < head->logits.rows * head->logits.cols;
		     i++) {
			double sum = 0;
			for (size_t k = 0; k < head->n_terms; k++)
				sum += head->terms[k].at.at[i];
			if (!(fabs(sum - head->logits.at[i]) <= 1e-12 * size))
				fail_msg("%s layer %zu head %zu: terms sum to %.17g, logits %.17g",
					 expression, l, h, sum, head->logits.at[i]);
		}
	}
}

TEST(terms_sum_to_logits)
{
	static const char *const more[] = {
		"sinusoidal+shaw",
		"sinusoidal(pos=remaining)+sinusoidal",
		"learned+rope+alibi+causal",
		"deberta(emd=on)+sinusoidal",
		"sinusoidal+sinusoidal(start=1)+sinusoidal(pos=remaining)+learned+t5(scale=rsqrt)",
	};
	for (size_t i = 0; i < scheme_count() + 5; i++) {
		const char *expression =
			i < scheme_count() ? scheme_at(i)->id : more[i - scheme_count()];
		struct help_run r;
		help_open_wanted(&r, expression, 6, PROJ_RANDOM, 2,
				 WANT_TERMS | WANT_LOGITS | WANT_OUTPUT);
		if (r.trace.split)
			for (size_t l = 0; l < r.trace.n_layers; l++)
				terms_of_layer_sum_to_logits(&r, expression, l);
		else
			assert_non_null(r.trace.split_absent);
		help_run_close(&r);
	}
}

TEST(terms_do_not_change_the_logits)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		struct help_run r;
		help_open_wanted(&r, scheme_at(i)->id, 7, PROJ_TIED, 2, WANT_LOGITS | WANT_OUTPUT);
		r.want.kinds |= WANT_TERMS | WANT_QKV | WANT_BIAS | WANT_INPUT;
		const struct trace *split = help_again(&r, scheme_at(i)->id, NULL);
		assert_true(help_output_apart(split, &r.trace, 1) < 1e-12);
		for (size_t h = 0; h < r.config.heads && r.trace.layers[0].heads[h].logits.at; h++)
			assert_true(mat_max_abs_diff(split->layers[0].heads[h].logits,
						     r.trace.layers[0].heads[h].logits) < 1e-12);
		help_run_close(&r);
	}
}

static void with_outputs(struct help_run *r)
{
	r->config.proj = PROJ_RANDOM;
	r->config.layers = 1;
	r->want.kinds = WANT_OUTPUT | WANT_CONTEXT;
}

/* Enough units for two blocks of queries, which are taken where nobody looks at logits or weights. False
 * where the expression is not for so many. */
static bool looking_changes_nothing(const char *expression)
{
	enum { UNITS = 363 };
	struct help_run r;
	assert_true(rows_per_block(UNITS) < UNITS);
	const bool opened = help_run_open(&r, expression, UNITS, 0, with_outputs);
	if (opened) {
		r.want.kinds |= WANT_LOGITS | WANT_WEIGHTS;
		const struct trace *seen = help_again(&r, expression, NULL);
		const struct trace_head *x = seen->layers[0].heads, *y = r.trace.layers[0].heads;
		for (size_t h = 0; h < r.config.heads; h++)
			help_assert_near(y[h].context, x[h].context, 1e-12, expression);
		help_assert_near(help_last_output(&r.trace), help_last_output(seen), 1e-12,
				 expression);
	}
	help_run_close(&r);
	return opened;
}

TEST(logits_that_nobody_looks_at_do_what_others_do)
{
	size_t done = 0, tried = 0;
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP, tried++)
		done += looking_changes_nothing(scheme_at(i)->id);
	assert_true(done + 5 >= tried);
	assert_true(looking_changes_nothing("shaw_abs(length=0)"));
	assert_true(looking_changes_nothing(
		"shaw(clip=4)+0.5*t5+alibi+kerple_power(weight=ap)+causal"));
	assert_true(looking_changes_nothing("huang1+rope+window(width=8)"));
}

/* A limit just below what two workers need leaves one: the heads then run one after another. */
TEST(blocks_of_heads_in_parallel_give_the_same_bits)
{
	static const char *const expressions[] = {"none", "0.5*t5+causal", "shaw(clip=4)",
						  "rope+laplacian(local=on)"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct help_run r;
		if (!help_run_open(&r, expressions[i], 363, 0, with_outputs))
			fail_msg("%s: %s", expressions[i], r.err.text);
		const size_t need = model_estimate(&r.model, &r.in, &r.want);
		r.config.memory = need - 1;
		const struct trace *alone = help_again(&r, expressions[i], NULL);
		struct model limited = r.model;
		limited.config.memory = need - 1;
		if (machine_threads() > 1)
			assert_true(model_estimate(&limited, &r.in, &r.want) < need);
		const struct mat x = help_last_output(&r.trace), y = help_last_output(alone);
		assert_memory_equal(x.at, y.at, x.rows * x.cols * sizeof(double));
		help_run_close(&r);
	}
}

/* A bias beside q and k must not be taken for the real ones. */
TEST(queries_are_those_of_the_sentence_also_beside_a_bias)
{
	struct help_run r;
	help_open_wanted(&r, "rope", 5, PROJ_RANDOM, 1, WANT_QKV | WANT_LOGITS | WANT_INPUT);
	r.want.kinds |= WANT_BIAS | WANT_MASK;
	const struct trace *with = help_again(&r, "rope", NULL);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *x = &r.trace.layers[0].heads[h];
		const struct trace_head *y = &with->layers[0].heads[h];
		assert_true(mat_max_abs_diff(x->q, y->q) <= 0);
		assert_true(mat_max_abs_diff(x->k_raw, y->k_raw) <= 0);
		assert_true(mat_max_abs_diff(x->v, y->v) <= 0);
		assert_non_null(y->bias.at);
	}
	help_run_close(&r);
}

/* ---- the bias ---------------------------------------------------------------------------------- */

static void bias_equals_its_definition(const char *expression)
{
	struct help_run r;
	help_open_wanted(&r, expression, 6, PROJ_RANDOM, 2, WANT_BIAS);
	const bool mixed = r.trace.key.token[0] < 0; /* keys that stand for several units */
	bool replaced = false; /* a content of their own: their own tests say what it is */
	for (size_t i = 0; i < r.model.n_members; i++)
		replaced |= r.model.members[i].hooks->content_of_units;
	if (!r.trace.bias_absent && !r.trace.bias_is_mask && !mixed && !replaced) {
		const struct mat units = r.in.units;
		for (size_t i = 0; i < units.rows; i++)
			mat_set(mat_rows(units, i, 1), r.in.probe);
		const size_t beside = r.model.beside; /* columns that units do not have */
		mat_fill(mat_cols(units, units.cols - beside, beside), 0);
		r.want = (struct want){.kinds = WANT_LOGITS | WANT_INPUT, .layer = 0, .head = -1};
		const struct trace brute = *help_again(&r, expression, NULL);
		const struct trace_head *heads = r.trace.layers[0].heads;
		r.trace.layers[0] = brute.layers[0];
		for (size_t h = 0; h < r.config.heads; h++) {
			const double unit = four_way(&r, units, units, h, 0, 0);
			for (size_t i = 0; i < 36; i++)
				assert_close(heads[h].bias.at[i],
					     brute.layers[0].heads[h].logits.at[i] - unit, 1e-10,
					     expression);
		}
	}
	help_run_close(&r);
}

TEST(bias_is_logits_minus_unit_unit)
{
	for (size_t i = 0; i < scheme_count(); i++)
		bias_equals_its_definition(scheme_at(i)->id);
	bias_equals_its_definition("sinusoidal+shaw+t5(scale=rsqrt)+causal");
}

TEST(bias_of_no_positions_is_zero)
{
	struct help_run r;
	help_open_wanted(&r, "none", 5, PROJ_RANDOM, 2, WANT_BIAS);
	for (size_t h = 0; h < r.config.heads; h++)
		assert_true(mat_norm(r.trace.layers[0].heads[h].bias) < 1e-12);
	help_run_close(&r);
	help_open_wanted(&r, "causal", 5, PROJ_RANDOM, 2, WANT_BIAS);
	assert_true(r.trace.bias_is_mask);
	help_run_close(&r);
	help_open_wanted(&r, "gauss", 5, PROJ_RANDOM, 2, WANT_BIAS);
	assert_non_null(r.trace.bias_absent);
	assert_null(r.trace.layers[0].heads[0].bias.at);
	help_run_close(&r);
}

/* The first leaf alone would fit: nothing of it is drawn where the second is above the memory. */
static size_t drawn;

static void count_draws(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	drawn++;
}

static bool declare_two(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init init = {.make = count_draws};
	return model_leaf(model, m, "small", model->config.t_max, 1, false, init, init, err) &&
	       model_leaf(model, m, "large", model->config.t_max, 4, false, init, init, err);
}

TEST(nothing_is_drawn_of_leaves_above_the_memory)
{
	static const struct hooks hooks = {.declare = declare_two};
	const struct member member = {.hooks = &hooks,
				      .name = "two",
				      .text = "two",
				      .layers = SUBSET_ALL,
				      .heads = SUBSET_ALL};
	const size_t t_max = 100000, five = 8 * 5 * t_max;
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, NULL);
	struct model_config config = r.model.config;
	struct model model;
	struct err err = {""};
	config.t_max = t_max;
	config.memory = five - 1;
	drawn = 0;
	assert_false(model_build(&model, &config, &member, 1, NULL, &r.arena, &err));
	assert_string_equal(err.text, "with two.large (100000 x 4) the learned numbers take 4 MB, "
				      "above the limit of 4 MB");
	assert_true(model.too_large);
	assert_int_equal(drawn, 0);
	config.memory = five;
	assert_true(model_build(&model, &config, &member, 1, NULL, &r.arena, &err));
	assert_int_equal(drawn, 0); /* they are drawn when they are read, and once */
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < 2; i++)
			assert_non_null(model_leaf_at(&model, &model.leaves[i]).at);
	assert_int_equal(drawn, 2);
	help_run_close(&r);
}
