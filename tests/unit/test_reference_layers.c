/* test_reference_layers.c: whole layers against numbers that were made apart from any scheme: a layer and
 * its permutations with everything a layer has, and what sinusoids make of distance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_case.h"
#include "help_tensors.h"
#include "scheme/sinusoid.h"

static struct tensor_set set;

FIXTURE(open_arena, close_arena)

static void read_case(const char *name)
{
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, arena_printf(&arena, "%s/struct/%s-a.safetensors", test_data, name),
			  &err))
		fail_msg("%s", err.text);
}

static struct mat of(const char *name)
{
	const struct tensor *t = tensor_find(&set, name);
	if (!t)
		fail_msg("no tensor %s", name);
	return tensor_mat(t);
}

/* One layer of `expression` on these units. */
static struct trace run(const char *expression, struct mat units, size_t heads, size_t ff)
{
	const struct model_config config = {.d = units.cols,
					    .heads = heads,
					    .layers = 1,
					    .ff = ff,
					    .t_max = units.rows,
					    .content = 2,
					    .norm_eps = 1e-5};
	struct given *given = arena_calloc(&arena, 1, sizeof *given);
	struct expr *e = arena_calloc(&arena, 1, sizeof *e);
	struct member *members = arena_calloc(&arena, MODEL_MAX_MEMBERS, sizeof *members);
	struct model *model = arena_calloc(&arena, 1, sizeof *model);
	const char **labels = arena_calloc(&arena, units.rows, sizeof *labels);
	long *token = arena_calloc(&arena, units.rows, sizeof *token);
	for (size_t i = 0; i < units.rows; i++) {
		labels[i] = "x";
		token[i] = (long)i;
	}
	given->weights = &set;
	const struct model_input in = {.axis = {.n = units.rows, .labels = labels, .token = token},
				       .units = units};
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_CONTEXT | WANT_OUTPUT,
				  .layer = -1,
				  .head = -1};
	struct trace trace = {0};
	struct err err = {""};
	size_t n;
	if (!expr_parse(e, expression, &arena, &err) ||
	    !expr_members(e, members, &n, &arena, &err) ||
	    !model_build(model, &config, members, n, given, &arena, &err) ||
	    !model_run(model, &in, &want, NULL, NULL, &arena, &trace, &err))
		fail_msg("%s: %s", expression, err.text);
	return trace;
}

static void call_too(const char *name, const char *also)
{
	tensor_set_add(&set, also, of(name), false);
}

static void expect(struct mat got, const char *name, double tolerance)
{
	const double off = mat_max_abs_diff(got, of(name));
	if (!(off < tolerance))
		fail_msg("%s: off by %g", name, off);
}

/* Survey eq. 1 with projections, biases and norms; permuted units permute the output, and do not where a
 * mask knows the order. */
TEST(a_layer_and_its_permutations_are_matched)
{
	static const char *const names[][2] = {{"param.w1", "w_ff1"},
					       {"param.b1", "b_ff1"},
					       {"param.w2", "w_ff2"},
					       {"param.b2", "b_ff2"},
					       {"param.norm1_weight", "ln1_weight"},
					       {"param.norm1_bias", "ln1_bias"},
					       {"param.norm2_weight", "ln2_weight"},
					       {"param.norm2_bias", "ln2_bias"}};
	read_case("equivariance");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		call_too(names[i][0], names[i][1]);
	const struct mat x = of("input"), permuted = mat_new(&arena, x.rows, x.cols);
	const struct mat order = of("permutation");
	for (size_t t = 0; t < x.rows; t++)
		mat_set(mat_rows(permuted, t, 1), mat_rows(x, (size_t)order.at[t], 1));
	const struct trace plain = run("none", x, 2, 12);
	for (size_t h = 0; h < 2; h++) {
		const struct trace_head *head = &plain.layers[0].heads[h];
		expect(head->logits, arena_printf(&arena, "head.%zu.logits", h), 1e-12);
		expect(head->weights, arena_printf(&arena, "head.%zu.weights", h), 1e-12);
		expect(head->context, arena_printf(&arena, "head.%zu.context", h), 1e-12);
	}
	expect(plain.layers[0].output, "output", 1e-12);
	expect(run("none", permuted, 2, 12).layers[0].output, "output.permuted", 1e-12);
	expect(run("causal", x, 2, 12).layers[0].output, "output.causal", 1e-12);
	expect(run("causal", permuted, 2, 12).layers[0].output, "output.causal_permuted", 1e-12);
}

/* P_t·P_{t+k} is a function of k, until random matrices of rank 12 stand between (Yan et al. 2019). */
TEST(products_of_sinusoids_are_matched)
{
	enum { D = 128, N = 111, RANK = 12 };
	read_case("tenerdot");
	const struct mat units = mat_zero(&arena, N, D), eye = mat_eye(&arena, D);
	const struct mat w = mat_new(&arena, D, D);
	tensor_set_add(&set, "w_k", eye, false);
	tensor_set_add(&set, "w_v", eye, false);
	tensor_set_add(&set, "w_q", eye, false);
	const struct tensor *own = tensor_find(&set, "w_q");
	for (size_t i = 0; i < 3; i++) {
		const char *a = arena_printf(&arena, "param.a%zu", i);
		const char *b = arena_printf(&arena, "param.b%zu", i);
		if (i > 0) {
			mat_mul(w, 1 / sqrt((double)RANK * D), of(a), false, of(b), true, 0);
			mat_set(mat_view((double *)(uintptr_t)own->at, D, D), w);
		}
		const struct mat logits = run("sinusoidal", units, 1, 4).layers[0].heads[0].logits;
		for (size_t t = 50; t <= 60; t += 10) {
			const char *name =
				i ? arena_printf(&arena, "curve.w%zu.t%zu", i, t) : "curve.plain";
			const struct mat curve = of(name);
			for (size_t k = 0; k <= 100; k++) {
				const double got = mat_row(logits, t)[t + k - 50] * sqrt(D);
				if (!(fabs(got - curve.at[k]) < 1e-10))
					fail_msg("%s, k %zu: %.12g, reference %.12g", name, k, got,
						 curve.at[k]);
			}
		}
	}
}

/* Cosines between rows of the table: the first row for all places, and a whole map. */
TEST(cosines_of_sinusoids_are_matched)
{
	static const struct {
		size_t n, d;
		const char *row, *map;
	} cases[] = {{512, 768, "row0.n512_d768", NULL},
		     {20, 16, "row0.n20_d16", "cosine.n20_d16"}};
	read_case("cosmap");
	for (size_t i = 0; i < 2; i++) {
		const size_t n = cases[i].n, d = cases[i].d;
		const struct mat p = mat_new(&arena, n, d), cosines = mat_new(&arena, n, n);
		double *positions = arena_calloc(&arena, n, sizeof *positions);
		for (size_t t = 0; t < n; t++)
			positions[t] = (double)t;
		sinusoid_fill(p, positions, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
		mat_mul(cosines, 2 / (double)d, p, false, p, true,
			0); /* every row is √(d/2) long */
		for (size_t k = 0; k < n; k++)
			assert_true(fabs(mat_row(cosines, 0)[k] - of(cases[i].row).at[k]) < 1e-12);
		if (cases[i].map)
			expect(cosines, cases[i].map, 1e-12);
	}
}
