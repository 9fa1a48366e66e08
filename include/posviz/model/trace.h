/* trace.h: what goes into the model, and what it keeps of a run for whoever looks at it.
 *
 * n units, d width, h heads, dk = d/h. Row = query t, column = key s, both from 0. */
#ifndef POSVIZ_TRACE_H
#define POSVIZ_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/err.h"
#include "posviz/input/structure.h"
#include "posviz/math/mat.h"

enum { MODEL_MAX_TERMS = 16, MODEL_MAX_COLUMNS = 12 };

/* ---- what goes in -------------------------------------------------------------------------- */

/* What a row or column of a matrix stands for. */
struct axis {
	size_t n;
	const char *const *labels; /* escaped */
	const long *token; /* index of the moving token behind the unit (its `place`), or -1 */
	/* The labels; of those that stand more than once with the number of their occurrence in the
	 * sentence as it was written: "the₂". A trace has them, what goes into a model need not. */
	const char *const *names;
};
/* Such names of an axis that has none yet. */
const char **axis_names(const struct axis *axis, struct arena *a);
/* Whether both stand for the same units in the same order. */
bool axis_same(const struct axis *a, const struct axis *b);
/* The unit, from 0, that a word stands for, escaped as labels are, the one and only where `number` is 0; else the
 * occurrence that has this number in the axis's names. The error has a suggestion, or says which there are. */
bool axis_find(const struct axis *axis, const char *word, long number, size_t *unit,
	       struct arena *a, struct err *err);
/* As people write it: "'dog'", and of several "'the'#2". */
const char *axis_say(const struct axis *axis, size_t unit, struct arena *a);

struct model_input {
	struct axis axis;
	struct mat units; /* [n,d] */
	struct axis keys; /* other tokens, of a matrix that is looked at; n 0: the units */
	const double *word, *segment; /* [n]: columns of positions from the text; NULL: all 0 */
	const double *position;	      /* [n]: the column seq, where it was given; NULL: 0..n-1 */
	size_t memory; /* units in front that are an earlier segment: they are computed by themselves,
			* kept as keys and values of each layer, and ask nothing */
	bool memory_hidden;    /* a trial: and nothing is seen of them */
	const double *reorder; /* of each token, by its place: where it stands in the re-ordered
				* sentence, from 0; NULL: none was given */
	size_t length;	       /* what a decoder is asked for, in tokens; 0: nothing */
	const struct structure *structure; /* NULL: none was given */
	const long *node; /* of each token, by its place (axis.token); goes with the structure */
	const char *shift_column; /* added to this column after the positions stage; NULL: none */
	double shift_by;
	/* Added to the position vectors of members, of the shape of run_position_node; at NULL: nothing. */
	struct mat nudge;
	struct mat words; /* [n,d]: the units for whoever reads what is said, where others stand in
			   * their place; at NULL: units */
	struct mat
		probe; /* [1,d]: the unit that stands at every place for the bias; at NULL: the bias is
	                   * taken on the real units */
};

/* ---- what comes out ------------------------------------------------------------------------ */

enum want_kind {
	WANT_INPUT = 1 << 0, /* layer inputs and weights */
	WANT_QKV = 1 << 1,   /* q, k after the qk stage, q_raw, k_raw, v */
	WANT_TERMS = 1 << 2,
	WANT_LOGITS = 1 << 3,
	WANT_MASK = 1 << 4,
	WANT_WEIGHTS = 1 << 5,
	WANT_CONTEXT = 1 << 6,
	WANT_OUTPUT = 1 << 7,	   /* of every layer */
	WANT_BIAS = 1 << 8,	   /* logits of layer 1 before the mask minus unit–unit */
	WANT_POSITION = 1 << 9,	   /* position columns and vectors */
	WANT_MODULATION = 1 << 10, /* what members that multiply make of the content */
	WANT_RELATION = 1 << 11,   /* of the first member that has one here */
	WANT_KEPT = 1 << 12,	   /* what is made on the way, for who recomputes: trace.kept */
};

struct trace_head;

struct want {
	unsigned kinds;
	long layer, head; /* which ones are kept; -1: all */
	size_t plane;
	/* Of the queries only those of the tokens at these places, ascending (axis.token): they alone are
	 * trace.query and rows of what a head keeps, and where no hook and no later layer needs the others,
	 * they alone are computed; the keys are all. Goes with one layer and no sink; NULL: all queries. */
	const long *places;
	size_t n_places;
	/* Called for every head of every wanted layer as its matrices become known, one at a time (bias,
	 * then logits, then weights; the others are empty), also for heads that are not kept; from
	 * several threads, distinct heads at once. The matrix is gone afterwards. NULL: none. */
	void (*sink)(void *context, size_t layer, size_t head, const struct trace_head *now);
	void *context;
};

enum term_kind {
	TERM_UNIT_UNIT,
	TERM_UNIT_POSITION,
	TERM_POSITION_UNIT,
	TERM_POSITION,
	TERM_OTHER
};

struct trace_term {
	const char *label; /* "unit–unit", "query–w_key" */
	enum term_kind kind;
	double weight; /* of its member: `at` has it in it; 1 of terms without */
	struct mat
		at; /* as added, scale included; "rest": what is in the logits beside the others */
};

struct trace_head {
	struct mat q, k, v, q_raw, k_raw;
	struct trace_term terms[MODEL_MAX_TERMS];
	size_t n_terms;
	struct mat logits;   /* before the mask */
	const uint8_t *mask; /* n_q·n_k, 1: allowed; NULL: all */
	struct mat weights, context;
	struct mat bias;
	/* With WANT_MODULATION, of heads on which a member multiplies: c·q·kᵀ before and after it; where
	 * it multiplies in the adjust stage, `after` is all logits. at NULL elsewhere. */
	struct mat before, after;
	/* The same as a factor, in layer 1, with the probe's unit at every place and nothing else in q
	 * and k: after / before. NaN where before is 0. */
	struct mat modulation;
};

enum { TRACE_WEIGHTS = 16 };

struct trace_layer {
	size_t layer; /* as in struct step */
	struct mat input, output;
	struct trace_weight {
		const char *name; /* "w_q" */
		struct mat at;
	} weights[TRACE_WEIGHTS]; /* with WANT_INPUT */
	size_t n_weights;
	struct trace_head *heads; /* [h], and behind them their mean once trace_mean made it */
	size_t *allowed; /* [h] how many pairs each head may see; 0 of a step not reached */
};

struct column {
	const char *name;
	const double *at; /* [n] */
};

struct trace_kept {
	const char *name; /* as in a dump: "layer.0.part.position", "member.t5.index.bucket" */
	struct mat at;
};

struct trace {
	/* Of the n units the first `memory` are keys alone: queries are those behind them, and so the
	 * rows of all matrices but units, position_vectors, inputs, k and v, which have n. */
	struct axis query, key;
	size_t memory;
	struct column columns[MODEL_MAX_COLUMNS]; /* [n] */
	size_t n_columns;
	struct mat units; /* [n,d] */
	struct mat
		position_vectors; /* [n,d] what embed added in front of layer 1; at NULL: nothing */
	struct trace_layer
		*layers; /* one per step, and behind them their mean like that of heads */
	size_t n_layers;
	size_t planes;
	double c;
	double operations, multiply_adds; /* counted by the tape (struct tape) */
	const char *bias_absent;	  /* why there is no bias, or NULL */
	struct relation relation;	  /* n 0: no member has one */
	struct spectrum spectrum; /* n 0: no member reads eigenvectors; of the first that does */
	struct trace_kept *kept;  /* with WANT_KEPT */
	size_t n_kept, cap_kept;
	const char *note;  /* what members say of this input, parted by "; "; or NULL */
	bool bias_is_mask; /* a pure mask: the bias panel shows the mask */
	bool split;	   /* terms split survey eq. 4; otherwise `split_absent` says why not */
	const char *split_absent;
	bool cancelled;
};

/* All units: what rows and columns of a relation are, and rows of position vectors. */
const struct axis *trace_units(const struct trace *trace);

#endif
