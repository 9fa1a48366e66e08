/* convoluted.h: the parts that the position biases of Dufter et al. 2020 share: learned
 * temperatures of queries, keys and values, and a convolution over the attention weights as an
 * image.
 *
 *   A_ts = c τ_Q τ_K q_t·k_s + …,  context_t = τ_V Σ_s W_ts v_s
 *   W_ts = max(0, β + Σ_ij K_ij M_{t+i-a, s+j-a}),  a = ⌊(w-1)/2⌋, M the weights, 0 outside
 *
 * The rows of W do not sum to 1, and the convolution mixes pairs that a mask separates: queries
 * of later tokens too. It runs along the position column. Every head of every layer has its own
 * numbers. The authors' code has one head and one layer of biases; here every head has a table
 * and layers share unless configured otherwise. */
#ifndef SCHEME_CONVOLUTED_H
#define SCHEME_CONVOLUTED_H

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"

/* The parameters of both schemes. */
struct convoluted {
	int share;
	bool temperature;
	long conv; /* w; 0: none */
};

/* clang-format off */
#define CONVOLUTED_PARAMS \
	SHARE_PARAM(struct convoluted, SHARE_LAYER), \
	SWITCH_PARAM(struct convoluted, temperature, false, \
		     "learned factors of queries, keys and values, one of each for a head"), \
	NUMBER_PARAM(struct convoluted, conv, 0, 0, 7, 1, \
		     "width of a square kernel that runs over the weights before they meet the values, " \
		     "whatever a mask forbids; 0: none")

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

/* The rules of the demonstration for these leaves. */
void convoluted_taus(struct mat at, const struct leaf_maker *of);
void convoluted_kernel(struct mat at, const struct leaf_maker *of);

enum share convoluted_share(const struct member *m);

/* The state that the heads share in a step; it is the first member of the scheme's own state.
 * NULL: not used. */
struct convoluted_state {
	struct injected numbers;
	struct node *tau_q, *tau_k, *tau_v; /* [1,h] */
	struct node *weight, *bias;	    /* [w, h·w], [1,h] */
	struct reading reading;
};
bool convoluted_fill(struct run *run, const struct member *m, struct convoluted_state *state,
		     struct err *err);

/* The hooks. */
bool convoluted_qk(struct head *head, const struct member *m, struct err *err);
bool convoluted_values(struct head *head, const struct member *m, struct err *err);
double convoluted_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds);
bool convoluted_adds(const struct member *m);
bool convoluted_only_terms(const struct member *m);

/* clang-format off */
#define CONVOLUTED_HOOKS \
	.declare = leaves_declare, .qk = convoluted_qk, .values = convoluted_values, .modulates = true, \
	.only_adds = convoluted_adds, .only_terms = convoluted_only_terms
#define CONVOLUTED \
	.authors = "Dufter et al.", \
	.cite = "@dufter2020increasing", \
	.year = 2020, .table2 = TABLE2_GENERIC, .inj = INJ_MATRIX, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY, \
	.evidence = EVIDENCE_CODE, \
	.evidence_note = \
		"pdufter/convatt 7307daf, selfattention.py, seqlabel.py: positions in the first layer " \
		"alone (layers=1). conv is its two-dimensional form with relu; the other, with a " \
		"matrix for each offset of rows, is left out", \
	.param_size = sizeof(struct convoluted)
/* clang-format on */

#endif
