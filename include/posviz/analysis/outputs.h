/* outputs.h: what attention writes: the outputs of a head or of all heads of a layer, their summands,
 * and what each key contributes.
 *
 *   o_t = Σ_s α_ts v_s W_o,   contribution of key s to query t: α_ts v_s W_o
 *
 * The norm of that vector is the measure of Kobayashi et al. 2020 (Attention is Not Only a Weight,
 * eq. 4), which sees that a key with a large weight and a short value contributes little. Where a
 * scheme adds vectors of pairs to the values, α_ts (v_s + a_ts) W_o is the contribution. W_o is the
 * part of the matrix that belongs to the head; it is the identity unless a file gives it, and then
 * the outputs of several heads are side by side. The bias b_o belongs to no key and is left out. */
#ifndef POSVIZ_OUTPUTS_H
#define POSVIZ_OUTPUTS_H

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"
#include "posviz/model/trace.h"

/* A summand of the output. */
struct output_term {
	const char *label;
	enum written_kind kind;
	bool of_values; /* Σ α of a part of v */
	bool by_keys;	/* it is a sum over the keys, a part of their contributions */
	struct mat at;	/* [n_q, width] */
	double norm;	/* root mean square of the lengths of its rows */
	/* Σ_t ⟨at_t, o_t⟩ / Σ_t ‖o_t‖²: the shares sum to 1, one may be negative; NaN: o is 0 */
	double share;
};

struct outputs {
	bool projected;	   /* W_o is given, and is in everything */
	size_t heads;	   /* number of heads that are summed, or side by side */
	struct mat at;	   /* [n_q, width] */
	struct mat values; /* [n_k, width] v_s W_o, without vectors of pairs; at NULL: `why` */
	struct mat norms;  /* [n_q, n_k] of the contributions; at NULL: `why` */
	const char *why;   /* a sentence that says why keys have no contributions; or NULL */
	double norm;	   /* root mean square of the lengths of the outputs */
	struct output_term *terms;
	size_t n_terms;
	/* The vectors behind the contributions, for outputs_of_query. */
	struct output_source *sources;
	size_t n_sources;
};

/* Makes the outputs of a head of a step of a run that kept WANT_WRITTEN, WANT_WEIGHTS and, so that
 * W_o is known, WANT_INPUT; `head` == heads: of all of them, which the run must have kept. */
void outputs_make(const struct trace *trace, size_t step, size_t head, size_t heads,
		  struct arena *a, struct outputs *out);
/* Returns the vectors that the keys contribute to query t, [n_k, width]; at NULL: there are none. */
struct mat outputs_of_query(const struct outputs *o, size_t t, struct arena *a);
/* Returns the contexts of a run that kept WANT_CONTEXT, [n_q, width]: the outputs before W_o. At
 * NULL: there are none of this step or head, as of a mean over layers. */
struct mat outputs_contexts(const struct trace *trace, size_t step, size_t head, size_t heads,
			    struct arena *a);
/* Returns ‖x − y‖ / max(‖x‖, ‖y‖); 0 if both are 0; NaN if their shapes differ. */
double outputs_apart(struct mat x, struct mat y);

#endif
