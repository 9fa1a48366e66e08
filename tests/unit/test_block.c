/* test_block.c: the block around the attention, against loops over the formulas that block.h and
 * weight_source.h state: orders of norms, activations, gates, experts; and gradients against differences. */
#include <math.h>
#include <stdio.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/rng.h"
#include "posviz/model/record.h"
#include "posviz/model/stage.h"

FIXTURE(open_arena, close_arena)

enum { D = 6, N = 4, FF = 5, EXPERTS = 4, WIDTH = 3, LAYERS = 2 };
static const double eps = 1e-5;

/* ---- weights of a source --------------------------------------------------------------------- */

/* A number in a row and column of a weight: normal, from its name. */
static void numbers_of(size_t layer, size_t expert, enum weight which, struct mat out)
{
	struct rng rng;
	const bool norm = which == LN1_WEIGHT || which == LN2_WEIGHT || which == LN3_WEIGHT ||
			  which == LN4_WEIGHT || which == EMBED_WEIGHT || which == FINAL_WEIGHT;
	char name[64];
	snprintf(name, sizeof name, "%zu %zu %d", layer, expert, (int)which);
	rng_init_name(&rng, 5, name);
	mat_fill_normal(out, norm ? 0.3 : 0.6, &rng);
	for (size_t i = 0; norm && i < out.rows * out.cols; i++)
		out.at[i] += 1;
}

struct kinds {
	bool biases, experts, shift;
};

static bool has(const struct weight_source *s, size_t layer, enum weight which)
{
	const struct kinds *const k = s->context;
	const bool mixed = k->experts && layer == 1;
	switch (which) {
	case W_FF1:
	case W_FF2:
	case W_GATE:
		return !mixed;
	case B_FF1:
	case B_FF2:
	case B_GATE:
		return k->biases && !mixed;
	case B_Q:
	case B_K:
	case B_V:
	case B_O:
	case LN1_BIAS:
	case LN2_BIAS:
	case LN3_BIAS:
	case LN4_BIAS:
	case EMBED_BIAS:
	case FINAL_BIAS:
		return k->biases;
	case W_ROUTER:
		return mixed;
	case ROUTER_SHIFT:
		return mixed && k->shift;
	case W_SHARED_UP:
	case W_SHARED_GATE:
	case W_SHARED_DOWN:
		return mixed;
	default:
		return which <= LN4_BIAS || which == EMBED_WEIGHT || which == FINAL_WEIGHT;
	}
}

static bool read_one(const struct weight_source *s, size_t layer, enum weight which, struct mat out,
		     struct err *err)
{
	(void)s, (void)err;
	numbers_of(layer, EXPERTS, which, out);
	return true;
}

static bool expert_has(const struct weight_source *s, size_t layer, enum weight which)
{
	(void)s, (void)layer;
	return which != B_FF1 && which != B_GATE && which != B_FF2;
}

static bool expert_read(const struct weight_source *s, size_t layer, size_t expert,
			enum weight which, struct mat out, struct err *err)
{
	(void)s, (void)err;
	numbers_of(layer, expert, which, out);
	return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static struct mat weight(size_t layer, size_t expert, enum weight which, size_t rows, size_t cols)
{
	const struct mat m = mat_new(&arena, rows, cols);
	numbers_of(layer, expert, which, m);
	return m;
}

/* What a formula is computed with. */
struct loops {
	const struct model_config *c;
	struct weight_source *s;
	size_t layer;
};

static struct mat plus(struct mat x, struct mat y)
{
	const struct mat out = mat_new(&arena, x.rows, x.cols);
	for (size_t i = 0; i < x.rows * x.cols; i++)
		out.at[i] = x.at[i] + y.at[i];
	return out;
}

/* x Wᵀ + b. */
static struct mat linear(const struct loops *l, struct mat x, size_t expert, enum weight w,
			 size_t outs, bool bias)
{
	const struct mat m = weight(l->layer, expert, w, outs, x.cols);
	const struct mat out = mat_new(&arena, x.rows, outs);
	const struct mat b = bias && l->s->has(l->s, l->layer, w + 1)
				     ? weight(l->layer, expert, w + 1, 1, outs)
				     : mat_zero(&arena, 1, outs);
	for (size_t t = 0; t < x.rows; t++)
		for (size_t o = 0; o < outs; o++) {
			double sum = b.at[o];
			for (size_t i = 0; i < x.cols; i++)
				sum += mat_row(x, t)[i] * mat_row(m, o)[i];
			mat_row(out, t)[o] = sum;
		}
	return out;
}

static struct mat norm(const struct loops *l, struct mat x, enum weight scale)
{
	const enum norm_kind kind = l->c->block.norm;
	const bool rms = kind == NORM_RMS;
	const struct mat out = mat_new(&arena, x.rows, x.cols);
	const struct mat g = weight(l->layer, EXPERTS, scale, 1, x.cols);
	const struct mat b = l->s->has(l->s, l->layer, scale + 1)
				     ? weight(l->layer, EXPERTS, scale + 1, 1, x.cols)
				     : mat_zero(&arena, 1, x.cols);
	for (size_t t = 0; t < x.rows; t++) {
		double mean = 0, square = 0;
		for (size_t i = 0; i < x.cols; i++)
			mean += rms ? 0 : mat_row(x, t)[i] / (double)x.cols;
		for (size_t i = 0; i < x.cols; i++)
			square += pow(mat_row(x, t)[i] - mean, 2) / (double)x.cols;
		for (size_t i = 0; i < x.cols; i++)
			mat_row(out, t)[i] =
				g.at[i] * (mat_row(x, t)[i] - mean) / sqrt(square + eps) + b.at[i];
	}
	return out;
}

static double activated(enum activation is, double x)
{
	const double k = is == ACT_GELU_BLOOM  ? 0.79788456
			 : is == ACT_GELU_FAST ? 0.7978845608
					       : sqrt(2 / 3.14159265358979323846);
	switch (is) {
	case ACT_RELU:
		return fmax(x, 0);
	case ACT_GELU:
		return x / 2 * (1 + erf(x / sqrt(2)));
	case ACT_SILU:
		return x / (1 + exp(-x));
	case ACT_GELU_QUICK:
		return x / (1 + exp(-1.702 * x));
	default:
		return x / 2 * (1 + tanh(k * (x + 0.044715 * x * x * x)));
	}
}

/* down(act(gate) ∘ up) or down(act(up)), by weights of an expert, of the shared one or of the layer. */
static struct mat fed(const struct loops *l, struct mat x, size_t expert, const enum weight w[3],
		      size_t width, bool gated)
{
	const bool biases = expert == EXPERTS && w[0] == W_FF1;
	const struct mat hidden = linear(l, x, expert, w[0], width, biases);
	const struct mat gate =
		gated ? linear(l, x, expert, w[1], width, biases) : mat_new(&arena, 1, 1);
	for (size_t i = 0; i < hidden.rows * hidden.cols; i++)
		hidden.at[i] = gated ? activated(l->c->activation, gate.at[i]) * hidden.at[i]
				     : activated(l->c->activation, hidden.at[i]);
	return linear(l, hidden, expert, w[2], D, biases);
}

/* The sum of experts 0.. that are chosen, each token by itself. */
static struct mat mixed(const struct loops *l, struct mat x)
{
	static const enum weight own[] = {W_FF1, W_GATE, W_FF2},
				 shared[] = {W_SHARED_UP, W_SHARED_GATE, W_SHARED_DOWN};
	const struct experts *const e = &l->c->block.experts;
	const struct mat z = linear(l, x, EXPERTS, W_ROUTER, EXPERTS, false);
	const struct mat out = fed(l, x, EXPERTS, shared, e->shared, true);
	const struct mat shift = l->s->has(l->s, l->layer, ROUTER_SHIFT)
					 ? weight(l->layer, EXPERTS, ROUTER_SHIFT, 1, EXPERTS)
					 : mat_zero(&arena, 1, EXPERTS);
	for (size_t t = 0; t < x.rows; t++) {
		double s[EXPERTS], all = 0, sum = 0;
		bool chosen[EXPERTS] = {false};
		for (size_t i = 0; i < EXPERTS; i++)
			all += exp(mat_row(z, t)[i]);
		for (size_t i = 0; i < EXPERTS; i++)
			s[i] = e->router == ROUTER_SIGMOID   ? 1 / (1 + exp(-mat_row(z, t)[i]))
			       : e->router == ROUTER_SOFTMAX ? exp(mat_row(z, t)[i]) / all
							     : exp(mat_row(z, t)[i]);
		for (size_t k = 0; k < e->chosen; k++) {
			size_t best = EXPERTS;
			for (size_t i = 0; i < EXPERTS; i++)
				if (!chosen[i] && (best == EXPERTS ||
						   s[i] + shift.at[i] > s[best] + shift.at[best]))
					best = i;
			chosen[best] = true;
			sum += s[best];
		}
		const bool divided = e->normed || e->router == ROUTER_CHOSEN;
		for (size_t i = 0; i < EXPERTS; i++) {
			if (!chosen[i])
				continue;
			const struct mat y = fed(l, mat_rows(x, t, 1), i, own, WIDTH, true);
			const double w =
				s[i] / (divided ? sum : 1) *
				(e->router != ROUTER_CHOSEN && e->scaling > 0 ? e->scaling : 1);
			for (size_t j = 0; j < D; j++)
				mat_row(out, t)[j] += w * y.at[j];
		}
	}
	return out;
}

static struct mat feed(const struct loops *l, struct mat x)
{
	static const enum weight own[] = {W_FF1, W_GATE, W_FF2};
	if (l->s->has(l->s, l->layer, W_ROUTER))
		return mixed(l, x);
	return fed(l, x, EXPERTS, own, FF, l->c->block.gated);
}

/* Two heads of D/2 without a mask, and their output projection. */
static struct mat attend(const struct loops *l, struct mat x)
{
	const size_t dk = D / 2;
	const struct mat q = linear(l, x, EXPERTS, W_Q, D, false);
	const struct mat k = linear(l, x, EXPERTS, W_K, D, false);
	const struct mat v = linear(l, x, EXPERTS, W_V, D, false), *const all[] = {&q, &k, &v};
	const struct mat out = mat_zero(&arena, N, D);
	for (size_t i = 0; i < 3; i++)
		if (l->s->has(l->s, l->layer, B_Q + i)) {
			const struct mat b = weight(l->layer, EXPERTS, B_Q + i, 1, D);
			for (size_t c = 0; c < N * D; c++)
				all[i]->at[c] += b.at[c % D];
		}
	for (size_t h = 0; h < 2; h++)
		for (size_t t = 0; t < N; t++) {
			double z[N], sum = 0;
			for (size_t s = 0; s < N; s++) {
				z[s] = 0;
				for (size_t j = h * dk; j < (h + 1) * dk; j++)
					z[s] += mat_row(q, t)[j] * mat_row(k, s)[j] / sqrt(dk);
				sum += exp(z[s]);
			}
			for (size_t s = 0; s < N; s++)
				for (size_t j = h * dk; j < (h + 1) * dk; j++)
					mat_row(out, t)[j] += exp(z[s]) / sum * mat_row(v, s)[j];
		}
	return linear(l, out, EXPERTS, W_O, D, true);
}

/* The formula of an order, as block.h states it. */
static struct mat layer(const struct loops *l, struct mat x)
{
	const struct block *const b = &l->c->block;
	const bool bare = b->bare_first && l->layer == 0;
	struct mat y, m;
	switch (b->order) {
	case ORDER_POST:
		x = norm(l, plus(x, attend(l, x)), LN1_WEIGHT);
		return norm(l, plus(x, feed(l, x)), LN2_WEIGHT);
	case ORDER_PRE:
		y = bare ? x : norm(l, x, LN1_WEIGHT);
		x = plus(b->normed_residual ? y : x, attend(l, y));
		y = norm(l, x, LN2_WEIGHT);
		return plus(b->normed_residual ? y : x, feed(l, y));
	case ORDER_SANDWICH:
		x = plus(x, norm(l, attend(l, norm(l, x, LN1_WEIGHT)), LN3_WEIGHT));
		return plus(x, norm(l, feed(l, norm(l, x, LN2_WEIGHT)), LN4_WEIGHT));
	case ORDER_AFTER:
		x = plus(x, norm(l, attend(l, x), LN1_WEIGHT));
		return plus(x, norm(l, feed(l, x), LN2_WEIGHT));
	case ORDER_PARALLEL:
		y = norm(l, x, LN1_WEIGHT);
		m = b->apart ? norm(l, x, LN2_WEIGHT) : y;
		return plus(x, plus(attend(l, y), feed(l, m)));
	}
	fail();
	return x;
}

/* ---- the model ------------------------------------------------------------------------------- */

struct row {
	struct block block;
	enum activation activation;
	struct kinds kinds;
};

#define MIXTURE(...) \
	.experts = {.n = EXPERTS, .chosen = 2, .width = WIDTH, .shared = 2, __VA_ARGS__}

static const struct row rows[] = {
	{{0}, ACT_RELU, {true}},
	{{.norm = NORM_RMS, .order = ORDER_POST, .gated = true}, ACT_GELU, {false}},
	{{.norm = NORM_LAYER, .order = ORDER_PRE, .final_norm = true}, ACT_GELU_TANH, {true}},
	{{.norm = NORM_RMS, .order = ORDER_PRE, .gated = true}, ACT_SILU, {false}},
	{{.order = ORDER_PRE, .bare_first = true}, ACT_GELU_BLOOM, {true}},
	{{.order = ORDER_PRE, .normed_residual = true}, ACT_GELU_FAST, {true}},
	{{.norm = NORM_RMS, .order = ORDER_SANDWICH, .gated = true}, ACT_GELU_QUICK, {false}},
	{{.norm = NORM_RMS, .order = ORDER_AFTER, .gated = true}, ACT_SILU, {true}},
	{{.norm = NORM_LAYER_NO_BIAS, .order = ORDER_PARALLEL}, ACT_GELU, {false}},
	{{.order = ORDER_PARALLEL, .apart = true}, ACT_GELU, {true}},
	{{.norm = NORM_RMS, .order = ORDER_PRE, .gated = true, MIXTURE(.router = ROUTER_CHOSEN)},
	 ACT_SILU,
	 {.experts = true}},
	{{.norm = NORM_RMS,
	  .order = ORDER_PRE,
	  .gated = true,
	  MIXTURE(.router = ROUTER_SOFTMAX, .scaling = 1.5)},
	 ACT_SILU,
	 {.experts = true}},
	{{.norm = NORM_RMS,
	  .order = ORDER_PRE,
	  .gated = true,
	  MIXTURE(.router = ROUTER_SIGMOID, .normed = true, .scaling = 2.5)},
	 ACT_SILU,
	 {.experts = true, .shift = true}},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct made {
	struct model model;
	struct model_config config;
	struct weight_source source;
	struct given given;
	struct kinds kinds;
	struct model_input in;
};

static struct made *make(const struct row *row)
{
	struct made *const m = arena_calloc(&arena, 1, sizeof *m);
	struct err err = {""};
	struct rng rng;
	static const char *const labels[N] = {"a", "b", "c", "d"};
	static const long token[N] = {0, 1, 2, 3};
	m->kinds = row->kinds;
	m->config = (struct model_config){.d = D,
					  .heads = 2,
					  .layers = LAYERS,
					  .ff = FF,
					  .t_max = 8,
					  .content = 1,
					  .norm_eps = eps,
					  .block = row->block,
					  .activation = row->activation};
	m->source = (struct weight_source){.context = &m->kinds,
					   .has = has,
					   .read = read_one,
					   .expert_has = expert_has,
					   .expert_read = expert_read};
	m->given.source = &m->source;
	if (!model_build(&m->model, &m->config, NULL, 0, &m->given, &arena, &err))
		fail_msg("%s", err.text);
	m->in = (struct model_input){.axis = {.n = N, .labels = labels, .token = token},
				     .units = mat_new(&arena, N, D)};
	rng_init_name(&rng, 3, "units");
	mat_fill_normal(m->in.units, 1, &rng);
	return m;
}

static double apart(struct mat x, struct mat y)
{
	double worst = 0;
	assert_int_equal(x.rows, y.rows);
	assert_int_equal(x.cols, y.cols);
	for (size_t i = 0; i < x.rows * x.cols; i++)
		worst = fmax(worst, fabs(x.at[i] - y.at[i]));
	return worst;
}

TEST(blocks_are_as_their_formulas_say)
{
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	for (size_t i = 0; i < ROWS; i++) {
		struct made *const m = make(&rows[i]);
		struct loops l = {.c = &m->config, .s = &m->source};
		struct trace trace;
		struct err err = {""};
		struct mat x = m->in.units;
		if (!model_run(&m->model, &m->in, &want, NULL, NULL, &arena, &trace, &err))
			fail_msg("row %zu: %s", i, err.text);
		for (l.layer = 0; l.layer < LAYERS; l.layer++) {
			x = layer(&l, x);
			if (apart(trace.layers[l.layer].output, x) > 1e-12)
				fail_msg("row %zu, layer %zu: %g", i, l.layer,
					 apart(trace.layers[l.layer].output, x));
		}
		l.layer = 0;
		if (m->config.block.final_norm)
			x = norm(&l, x, FINAL_WEIGHT);
		assert_true(apart(trace.last, x) < 1e-12);
	}
}

/* Returns the sum of the outputs, weighted by 1, 2, 3, …; the gradient by units if asked for. */
static double weighted_sum(struct made *m, struct mat *gradient)
{
	struct tape tape;
	struct run *run;
	struct err err = {""};
	static const struct record what = {.step = -1, .head = -1, .inputs = true};
	tape_init(&tape, &arena, true);
	if (!model_record_part(&m->model, &m->in, &what, &tape, &run, &err))
		fail_msg("%s", err.text);
	struct node *const out = run_output_node(run);
	const struct mat seed = mat_new(&arena, N, D);
	double sum = 0;
	for (size_t i = 0; i < (size_t)N * D; i++) {
		seed.at[i] = (double)(i + 1);
		sum += seed.at[i] * out->v.at[i];
	}
	tape_backward(&tape, out, &seed);
	if (gradient)
		*gradient = mat_copy(&arena, run_unit_node(run)->g);
	return sum;
}

/* Within a small step a router's choice is the same, and no number here passes the corner of ReLU. */
TEST(gradients_of_blocks_are_differences)
{
	const double step = 1e-5;
	for (size_t i = 0; i < ROWS; i++) {
		struct made *const m = make(&rows[i]);
		struct mat g;
		weighted_sum(m, &g);
		for (size_t at = 0; at < (size_t)N * D; at += 5) {
			double *const x = &m->in.units.at[at], was = *x;
			*x = was + step;
			const double up = weighted_sum(m, NULL);
			*x = was - step;
			const double down = weighted_sum(m, NULL), by = (up - down) / (2 * step);
			*x = was;
			if (fabs(g.at[at] - by) > 1e-5 * (1 + fabs(by)))
				fail_msg("row %zu, unit %zu: %g for %g", i, at, g.at[at], by);
		}
	}
}
