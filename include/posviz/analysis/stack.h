/* stack.h: the layers of a model by their positions: which rules act where, which keys a query sees
 * there, and how far back a token can know of others after each layer. Nothing is evaluated: all of
 * it follows from the expression, the number of layers and the length of the text. */
#ifndef POSVIZ_STACK_H
#define POSVIZ_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene/setup.h"

/* Layers in which the same members act. */
struct stack_kind {
	const char *rules; /* "rope(base=10000) + window(keys=512)"; "" if all act in each layer */
	size_t n_layers;
	const char *shown; /* "1–5, 7–11, 13–17" */
};

struct stack {
	size_t layers, tokens;	/* of the model; of the text, at least 1 */
	const char *everywhere; /* the members of all layers: "alibi + causal"; "" */
	struct stack_kind *kinds;
	size_t n_kinds;
	size_t *kind; /* [layers] */
	/* Layers in a row of the same kind: a run ends before first[i + 1]. [n_runs + 1], from 0 */
	size_t *first, n_runs;
	/* The distances key minus query that are shown, ascending: 0, powers of two and tokens − 1,
	 * on both sides if any layer shows a later key. */
	double *distance;
	size_t n_distances;
	/* [layers, n_distances]: of the queries that have a key at this distance, the share that see
	 * it. Queries are sampled evenly. */
	struct mat seen;
	double *keys; /* [layers]: how many keys the last query sees */
	/* [layers + 1]: how many tokens back the vector of the last token can know of, after as many
	 * layers; 0: itself alone. */
	double *back;
	/* The first member whose mask depends on more than positions, so that it is left out; NULL. */
	const struct member *left_out;
};

/* `tokens` is the least length of the text: it is four times as long as the widest mask that does
 * not see all. */
void stack_of(const struct built *b, size_t tokens, struct arena *a, struct stack *out);

/* The positions of the keys that a query sees in a layer, in any head. False: a mask depends on more, and is
 * left out. */
struct stack_keys {
	double first, last;
};
bool stack_keys_of(const struct built *b, size_t layer, double query, size_t tokens,
		   struct stack_keys *out);

/* Returns the layers of a run from 1: "7–11". */
const char *stack_run_name(const struct stack *s, size_t run, struct arena *a);

#endif
