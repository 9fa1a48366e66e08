/* test_scheme_path.c: products of reflections, against the definition: one after the other. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_context.h"

/* What the definition takes: unit rows w [n,dk] and β of a head. */
struct reflections {
	struct mat w;
	double beta[600];
};

/* c q_tᵀ H_t … H_{s+1} k_s for all s <= t, one reflection after the other. */
static double way_apart(struct arena *a, const struct reflections *h, struct mat q, struct mat k,
			double c, struct mat logits)
{
	const size_t n = q.rows, dk = q.cols;
	double worst = 0;
	double *y = arena_calloc(a, dk, sizeof *y);
	for (size_t s = 0; s < n; s++) {
		memcpy(y, mat_row(k, s), dk * sizeof *y);
		for (size_t t = s; t < n; t++) {
			const double *w = mat_row(h->w, t);
			const double by = t > s ? h->beta[t] * help_dot(w, y, dk) : 0;
			for (size_t j = 0; j < dk; j++)
				y[j] -= by * w[j];
			const double want = c * help_dot(mat_row(q, t), y, dk);
			worst = fmax(worst, fabs(mat_row(logits, t)[s] - want));
		}
	}
	return worst;
}

static void normalise(struct mat w)
{
	for (size_t t = 0; t < w.rows; t++) {
		const double norm = sqrt(help_dot(mat_row(w, t), mat_row(w, t), w.cols));
		for (size_t j = 0; j < w.cols; j++)
			mat_row(w, t)[j] /= norm;
	}
}

/* w of all heads before it is normalised, [n,d], by the leaves of layer 1. */
static struct mat directions(struct help_run *r, const struct model *model, const char *text)
{
	struct arena *a = &r->arena;
	const size_t n = r->in.units.rows, d = r->config.d;
	const struct mat w = mat_new(a, n, d);
	if (strstr(text, "low_rank")) {
		const struct mat down = help_leaf(model, "w_down");
		const struct mat low = mat_new(a, n, down.cols);
		mat_mul(low, 1, r->in.units, false, down, false, 0);
		mat_mul(w, 1, low, false, help_leaf(model, "w_up"), false, 0);
	} else {
		mat_mul(w, 1, r->in.units, false, help_leaf(model, "w_w"), false, 0);
	}
	if (!strstr(text, "conv"))
		return w;
	const struct mat taps = help_leaf(model, "conv"), out = mat_zero(a, n, d);
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < d; j++) {
			for (size_t k = 0; k < 3 && k <= t; k++)
				mat_row(out, t)[j] +=
					mat_row(taps, 2 - k)[j] * mat_row(w, t - k)[j];
			mat_row(out, t)[j] *= help_sigmoid(mat_row(out, t)[j]);
		}
	return out;
}

static void check_products(const char *text, size_t n)
{
	struct help_run r;
	help_run_must_open(&r, text, n, 0, help_with_parts);
	const struct trace *trace = help_changed(&r, text, help_random_leaves);
	help_random_leaves(&r.model);
	const struct mat u = help_leaf(&r.model, "w_beta"), b = help_leaf(&r.model, "b_beta");
	const struct mat all = directions(&r, &r.model, text);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		struct reflections now = {.w = mat_copy(&r.arena, mat_cols(all, 8 * h, 8))};
		normalise(now.w);
		for (size_t t = 0; t < n; t++) {
			double z = b.at[h];
			for (size_t j = 0; j < 32; j++)
				z += mat_row(r.in.units, t)[j] * mat_row(u, j)[h];
			now.beta[t] = 2 * help_sigmoid(z);
		}
		const struct mat logits = mat_copy(&r.arena, head->logits);
		for (size_t t = 0; strstr(text, "forget") && t < n; t++)
			for (size_t s = 0; s < n; s++)
				mat_row(logits, t)[s] -= mat_row(head->terms[2].at, t)[s];
		assert_true(way_apart(&r.arena, &now, head->q, head->k, r.model.c, logits) < 1e-10);
	}
	help_run_close(&r);
}

TEST(logits_are_products_of_reflections)
{
	static const char *const texts[] = {"path", "path(low_rank=on,rank=3)", "path(conv=on)",
					    "path(low_rank=on,conv=on,forget=on)"};
	static const size_t sizes[] = {1, 2, 3, 64};
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			check_products(texts[i], sizes[k]);
	check_products("path", 513);
}

/* Any column is an order: the text in that order, read by seq, gives the same rows. */
TEST(the_column_says_what_lies_between)
{
	enum { N = 6 };
	static const double places[N] = {2, 9, 0, 1, 1, 3};
	static const size_t order[N] = {2, 3, 4, 0, 5, 1}; /* units by place */
	struct help_run r;
	help_run_must_open(&r, "path", N, 0, NULL);
	r.in.word = places;
	const char *text = "path(pos=word,conv=on)";
	const struct trace *read = help_changed(&r, text, help_random_leaves);
	help_permute(&r, order);
	const struct trace *sorted = help_changed(&r, "path(conv=on)", help_random_leaves);
	const struct mat x = read->layers[0].heads[1].logits, y = sorted->layers[0].heads[1].logits;
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(x, order[t])[order[s]] - mat_row(y, t)[s]) <
				    1e-12);
	help_run_close(&r);
}

/* The reference adds the gates' sums before it scales: c times what fox adds for a unit of ones. */
TEST(forgetting_is_scaled_with_the_product)
{
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	struct help_run r;
	help_run_must_open(&r, "path(forget=on)", 6, 0, help_with_parts);
	const struct trace *trace = help_changed(&r, "path(forget=on)", help_slopes_of_alibi);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++)
				assert_true(fabs(mat_row(help_term(trace, 1, h, 2), t)[s] +
						 r.model.c * slopes[h] * ((double)t - (double)s)) <
					    1e-12);
	help_run_close(&r);
}

static double strength;

/* β the same for all tokens, w as it is. */
static void same_strength(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		if (strstr(leaf->base, "_beta"))
			mat_fill(leaf->at, leaf->base[0] == 'b' ? strength : 0);
	}
}

TEST(no_strength_leaves_the_causal_model)
{
	struct help_run r;
	help_run_must_open(&r, "path", 9, 0, NULL);
	const struct trace *plain = help_again(&r, "none+causal", NULL);
	strength = -800;
	help_traces_equal(help_changed(&r, "path", same_strength), plain);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	help_run_close(&r);
}

/* β = 2 mirrors: no key gets longer or shorter, so logits are those of a rotated key. With one w for
 * all, two mirrors undo each other. */
TEST(mirrors_keep_lengths)
{
	struct help_run r;
	help_run_must_open(&r, "path", 40, 0, help_with_parts);
	strength = 800;
	const struct trace *trace = help_changed(&r, "path", same_strength);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		for (size_t t = 0; t < 40; t++)
			for (size_t s = 0; s <= t; s++) {
				const double *q = mat_row(head->q, t), *k = mat_row(head->k, s);
				assert_true(
					fabs(mat_row(head->logits, t)[s]) <=
					r.model.c * sqrt(help_dot(q, q, 8) * help_dot(k, k, 8)) +
						1e-12);
			}
		const struct mat bias = head->bias;
		for (size_t t = 2; t < 40; t++)
			assert_true(fabs(mat_row(bias, t)[t - 2]) < 1e-10 &&
				    fabs(mat_row(bias, t)[t - 1]) > 1e-3);
	}
	help_run_close(&r);
}

/* On the probe w and β are the same everywhere: (I - β w wᵀ)^δ = I + ((1-β)^δ - 1) w wᵀ, and with w
 * the unit that is c q·k ((1-β)^δ - 1). */
TEST(constant_reflections_are_a_function_of_distance)
{
	struct help_run r;
	help_run_must_open(&r, "path", 12, 0, help_identity);
	for (size_t h = 0; h < 4; h++) {
		const double beta = 2 * help_sigmoid(-1.5 + 2 * (double)h);
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		for (size_t t = 0; t < 12; t++)
			for (size_t s = 0; s < 12; s++) {
				const double way = s < t ? pow(1 - beta, (double)(t - s)) : 1;
				assert_true(fabs(mat_row(bias, t)[s] - 2 * (way - 1)) < 1e-10);
			}
		assert_true(help_toeplitz_error(bias) < 1e-12);
	}
	help_run_close(&r);
}

/* Some W with X W = Y for few rows X of full rank: W = Xᵀ (X Xᵀ)⁻¹ Y by elimination. */
static void fit(struct arena *a, struct mat x, struct mat y, struct mat out)
{
	const size_t n = x.rows;
	const struct mat g = mat_new(a, n, n), z = mat_copy(a, y);
	mat_mul(g, 1, x, false, x, true, 0);
	for (size_t p = 0; p < n; p++)
		for (size_t i = 0; i < n; i++) {
			const double by = mat_row(g, i)[p] / mat_row(g, p)[p];
			for (size_t j = 0; i != p && j < n; j++)
				mat_row(g, i)[j] -= by * mat_row(g, p)[j];
			for (size_t j = 0; i != p && j < z.cols; j++)
				mat_row(z, i)[j] -= by * mat_row(z, p)[j];
		}
	for (size_t p = 0; p < n; p++)
		for (size_t j = 0; j < z.cols; j++)
			mat_row(z, p)[j] /= mat_row(g, p)[p];
	mat_mul(out, 1, x, true, z, false, 0);
}

/* w and β are inputs of the reference: leaves are found that make them of the units. */
TEST(reference_numbers_of_path_are_matched)
{
	const struct help_case c = {.file = "seq/path-a.safetensors",
				    .expression = "path",
				    .masked_logits = true,
				    .tolerance = 1e-9};
	struct help_result r;
	help_case_open(&r, &c);
	const struct mat x = tensor_mat(tensor_find(&r.set, "input"));
	const struct mat w = mat_new(&r.arena, 7, 32), z = mat_new(&r.arena, 7, 4);
	for (size_t h = 0; h < 4; h++) {
		const char *name = arena_printf(&r.arena, "head.%zu.w", h);
		mat_set(mat_cols(w, 8 * h, 8), tensor_mat(tensor_find(&r.set, name)));
		name = arena_printf(&r.arena, "head.%zu.beta", h);
		for (size_t t = 0; t < 7; t++) {
			const double beta = tensor_find(&r.set, name)->at[t];
			mat_row(z, t)[h] = log(beta / (2 - beta));
		}
	}
	fit(&r.arena, x, w, help_leaf(&r.model, "w_w"));
	fit(&r.arena, x, z, help_leaf(&r.model, "w_beta"));
	mat_fill(help_leaf(&r.model, "b_beta"), 0);
	const struct model_input in = {.axis = r.trace.query, .units = x};
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_CONTEXT | WANT_MASK,
				  .layer = -1,
				  .head = -1};
	struct err err = {""};
	assert_true(model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &r.trace, &err));
	assert_int_equal(help_case_compare(&r, &c), 12);
	help_case_close(&r);
}

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *text;
		size_t numbers; /* of a layer */
	} rows[] = {{"path", 32 * 32 + 33 * 4},
		    {"path(low_rank=on,rank=5)", 2 * 32 * 5 + 33 * 4},
		    {"path(conv=on,forget=on)", 32 * 32 + 3 * 32 + 2 * 33 * 4}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].text, 3, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), 2 * rows[i].numbers);
		assert_true(expr_is_causal(&r.expr));
		help_run_close(&r);
	}
}

/* ---- as for every scheme ------------------------------------------------------------------------ */

TEST(a_column_read_backwards_is_the_text_reversed)
{
	help_is_reversed("path", "path(pos=remaining)");
	help_is_reversed("path(conv=on,forget=on)", "path(conv=on,forget=on,pos=remaining)");
}
