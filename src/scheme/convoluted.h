/* convoluted.h: learned temperatures of queries, keys and values, and a convolution over the attention
 * weights seen as a picture (Dufter et al. 2020).
 *
 *   A_ts = c τ_Q τ_K q_t·k_s + …,  context_t = τ_V Σ_s W_ts v_s
 *   W_ts = max(0, β + Σ_ij K_ij M_{t+i-a, s+j-a}),  a = ⌊(w-1)/2⌋, M the weights, 0 outside
 *
 * W sums to nothing in particular, and mixes what a mask keeps apart: queries of later tokens too. It
 * runs along the position column. Every head of every layer has its own numbers. */
#ifndef SCHEME_CONVOLUTED_H
#define SCHEME_CONVOLUTED_H

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"

struct convoluted {
	bool temperature;
	long conv; /* w; 0: none */
};

/* Rows of a table of parameters, for a struct with a member of that type. */
/* clang-format off */
#define CONVOLUTED_PARAMS(type, member) \
	PARAM_AT(type, member.temperature, temperature, \
		 "learned factors of queries, keys and values, one of each for a head"), \
	PARAM_AT(type, member.conv, conv, \
		 "width of a square kernel that runs over the weights before they meet the values, " \
		 "whatever a mask forbids; 0: none", .max = 7, .step = 1)

#define CONVOLUTED_LEAVES \
	CONVOLUTED_TAU("tau_q", "queries", {.make = convoluted_taus}), \
	CONVOLUTED_TAU("tau_k", "keys", {FILL_CONSTANT, 1}), \
	CONVOLUTED_TAU("tau_v", "values", {FILL_CONSTANT, 1}), \
	{"conv_weight", "conv, conv h", \
	 "the kernels that run over the weights, heads side by side", \
	 .by_layer = EACH_LAYER, .when = "conv > 0", .demo = {.make = convoluted_kernel}, \
	 .paper = {FILL_UNIFORM, .formula = "sqrt(3) / conv"}}, \
	{"conv_bias", "1, h", "added in each head's convolution", \
	 .by_layer = EACH_LAYER, .when = "conv > 0", .demo = {FILL_CONSTANT, 0.01}, \
	 .paper = {FILL_CONSTANT}}
#define CONVOLUTED_TAU(base, whose, ...) \
	{base, "1, h", "by what each head multiplies its " whose, .by_layer = EACH_LAYER, \
	 .when = "temperature", .demo = __VA_ARGS__, .paper = {FILL_CONSTANT, 1}}

#define CONVOLUTED_RECIPE \
	"with conv above 0 context = C @ v, and what others add to it, for weights @ v: C[t,s] = " \
	"relu(conv_bias[H] + the sum over i, j < conv of conv_weight[i, H * conv + j] * " \
	"weights[t + i - a, s + j - a]), a = floor((conv - 1) / 2), 0 outside, where + and - step " \
	"through the tokens in the order of the member's column; with temperature q is q_raw times " \
	"tau_q[H], k is k_raw times tau_k[H], and the context, conv's too, is times tau_v[H]"
#define CONVOLUTED_NOTE \
	"τ_Q = 1/2, 2 in turn, τ_K = τ_V = 1; the kernel is half the weight itself and half the mean " \
	"of those around, β = 0.01"
/* clang-format on */

/* Of these leaves: the rules of the demonstration. */
void convoluted_taus(struct mat at, const struct leaf_maker *of);
void convoluted_kernel(struct mat at, const struct leaf_maker *of);

/* What the heads share in a step, made in `prepare`; NULL: not asked for. */
struct convoluted_state {
	struct node *tau_q, *tau_k, *tau_v; /* [1,h] */
	struct node *weight, *bias;	    /* [w, h·w], [1,h] */
	struct reading reading;
};
bool convoluted_prepare(struct run *run, const struct member *m, const struct convoluted *p,
			struct convoluted_state *state, struct err *err);
void convoluted_qk(struct head *head, const struct convoluted_state *state);
bool convoluted_values(struct head *head, const struct member *m,
		       const struct convoluted_state *state, struct err *err);
/* For hooks.memory. */
double convoluted_memory(const struct model *model, const struct model_input *in,
			 const struct convoluted *p);

#endif
