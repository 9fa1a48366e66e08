/* block.h: the block around the attention, and the source of a trained model's weights.
 *
 * f is the attention with its output projection, or the feed-forward part; N are norms. The block
 * that is all 0 is that of survey eq. 1: LayerNorm behind each sum. */
#ifndef POSVIZ_BLOCK_H
#define POSVIZ_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"
#include "posviz/math/mat.h"

enum norm_kind { NORM_LAYER, NORM_RMS, NORM_RMS_PLUS_ONE, NORM_LAYER_NO_BIAS };
enum block_order {
	ORDER_POST,	/* x ← N(x + f(x)) */
	ORDER_PRE,	/* x ← x + f(N(x)) */
	ORDER_SANDWICH, /* x ← x + N'(f(N(x))) */
	ORDER_AFTER,	/* x ← x + N(f(x)) */
	ORDER_PARALLEL	/* x ← x + a(N(x)) + m(N(x)) */
};

/* The feed-forward part's activation. GELU has erf; tanh, bloom and fast are x σ(2k (x + 0.044715 x³)),
 * which is x/2 (1 + tanh(k …)), with k = √(2/π) or cut to some digits; quick is x σ(1.702 x). */
enum activation {
	ACT_RELU,
	ACT_GELU,
	ACT_GELU_TANH,
	ACT_GELU_BLOOM,
	ACT_GELU_FAST,
	ACT_GELU_QUICK,
	ACT_SILU,
	ACT_COUNT
};
extern const char *const activation_names[ACT_COUNT + 1];

/* By what a router chooses the experts of a token, and weights their outputs: the largest logits and a
 * softmax of these; the largest of a softmax of all; the largest σ, to which the weight ROUTER_SHIFT is
 * added for the choice alone. ROUTER_INPUT: σ of the largest logits multiplies what the experts read. */
enum router { ROUTER_CHOSEN, ROUTER_SOFTMAX, ROUTER_SIGMOID, ROUTER_INPUT };

/* A mixture of experts in the place of the feed-forward part, in layers that have a W_ROUTER. */
struct experts {
	size_t n, chosen; /* n 0: there are none */
	enum router router;
	bool normed;	/* the weights of the chosen ones are divided by their sum */
	double scaling; /* multiplies the weights; 0: 1 */
	/* Only experts of the best groups are chosen; groups 0: of all. A group counts by its best
	 * expert, or by the sum of its two best. */
	size_t groups, groups_chosen;
	bool by_two;
	size_t width;  /* of an expert's hidden part */
	size_t shared; /* of the expert that all tokens have; 0: none */
	/* Not 0: (up + 1) ∘ g σ(1.702 g), g ≤ limit, |up| ≤ limit, in place of up ∘ act(g). */
	double limit;
};

struct block {
	enum norm_kind norm;
	enum block_order order;
	bool apart;	      /* ORDER_PARALLEL: the feed-forward part has a norm of its own */
	bool gated;	      /* down(act(gate x) ∘ up x) instead of down(act(up x)) */
	bool embed_norm;      /* a norm of the sum of token vectors and positions, before layer 0 */
	bool final_norm;      /* a norm of the last output */
	bool bare_first;      /* ORDER_PRE: the attention of layer 0 reads x as it is */
	bool normed_residual; /* ORDER_PRE: N(x) takes the place of x in the sum */
	struct experts experts;
};

/* Weights of a layer; those from EMBED_WEIGHT on are of the model. Those of products are stored [in, out]
 * here; a weight is followed by its bias. */
enum weight {
	W_Q,
	W_K,
	W_V,
	B_Q,
	B_K,
	B_V,
	W_O,
	B_O,
	LN1_WEIGHT, /* of the attention: before it, except in ORDER_POST and ORDER_AFTER */
	LN1_BIAS,
	W_FF1, /* up */
	B_FF1,
	W_FF2, /* down */
	B_FF2,
	LN2_WEIGHT, /* of the feed-forward part */
	LN2_BIAS,
	WEIGHT_GIVEN, /* those before it can be given with --weights */
	W_GATE = WEIGHT_GIVEN,
	B_GATE,
	LN3_WEIGHT, /* ORDER_SANDWICH: behind the attention */
	LN3_BIAS,
	LN4_WEIGHT, /* behind the feed-forward part */
	LN4_BIAS,
	W_ROUTER,
	B_ROUTER,
	ROUTER_SHIFT,
	W_SHARED_UP, /* of the expert that all tokens have */
	W_SHARED_GATE,
	W_SHARED_DOWN,
	W_SHARED_SWITCH, /* σ of it multiplies that expert's output */
	/* Weights of the attention to a source stand in the order of W_Q to LN1_BIAS. */
	CROSS_W_Q,
	CROSS_W_K,
	CROSS_W_V,
	CROSS_B_Q,
	CROSS_B_K,
	CROSS_B_V,
	CROSS_W_O,
	CROSS_B_O,
	CROSS_LN_WEIGHT,
	CROSS_LN_BIAS,
	EMBED_WEIGHT,
	EMBED_BIAS,
	W_PROJECT, /* from the width of word vectors to d, behind that norm */
	B_PROJECT,
	FINAL_WEIGHT,
	FINAL_BIAS,
	WEIGHT_COUNT
};

/* A trained model's weights, which stay in files: the model reads those of a layer when it comes
 * to it, and forgets them behind it. Threads do not call it at the same time. */
struct weight_source {
	void *context;
	const char *identity; /* of the files as they are now; NULL: unknown */
	/* Returns whether the layer has the weight. */
	bool (*has)(const struct weight_source *s, size_t layer, enum weight which);
	/* Fills a weight of a product as [out, in], as files have it, or a vector as [1, n]. The error
	 * names the tensor. */
	bool (*read)(const struct weight_source *s, size_t layer, enum weight which, struct mat out,
		     struct err *err);
	/* The same of one expert of a layer, W_FF1 to B_FF2, W_GATE and B_GATE. */
	bool (*expert_has)(const struct weight_source *s, size_t layer, enum weight which);
	bool (*expert_read)(const struct weight_source *s, size_t layer, size_t expert,
			    enum weight which, struct mat out, struct err *err);
	/* Returns whether the files have a weight of a product as [in, out]. */
	bool (*in_out)(const struct weight_source *s, size_t layer, enum weight which);
	/* Fills rows first.. of a weight of a product, of `outs` outputs, as the files have it. Does not
	 * look for numbers that are not finite: these make the product so, and `read` then names them.
	 * Threads may call it at the same time. NULL: weights of products are read whole. */
	bool (*rows)(const struct weight_source *s, size_t layer, enum weight which, size_t outs,
		     size_t first, struct mat out, struct err *err);
};

#endif
