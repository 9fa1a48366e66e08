/* trace.h: the input of the model, and the results of a run that are kept for viewing.
 *
 * n units, d width, h heads, dk width of a head's queries and keys, dv of its values. Row = query t,
 * column = key s, both from 0. */
#ifndef POSVIZ_TRACE_H
#define POSVIZ_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/err.h"
#include "posviz/input/structure.h"
#include "posviz/math/mat.h"

enum { MODEL_MAX_TERMS = 16, MODEL_MAX_WRITTEN = 16, MODEL_MAX_COLUMNS = 18 };

/* ---- input --------------------------------------------------------------------------------- */

/* The tokens that the rows or columns of a matrix belong to. */
struct axis {
	size_t n;
	const char *const *labels; /* escaped */
	const long *token;	   /* index of the moving token of the unit (its `place`), or -1 */
	/* The labels; repeated ones have the number of their occurrence in the original order:
	 * "the₂". A trace has names, an input of the model need not. */
	const char *const *names;
};
/* Makes these names for an axis that has none yet. */
const char **axis_names(const struct axis *axis, struct arena *a);
/* Returns whether both have the same units in the same order. */
bool axis_same(const struct axis *a, const struct axis *b);
/* Finds the unit, from 0, of a word, escaped as labels are: the only one if `number` is 0; else
 * the occurrence with this number in the axis's names. The error has a suggestion, or lists the
 * occurrences. */
bool axis_find(const struct axis *axis, const char *word, long number, size_t *unit,
	       struct arena *a, struct err *err);
/* Returns the unit as people write it: "'dog'", and if there are several "'the'#2". */
const char *axis_say(const struct axis *axis, size_t unit, struct arena *a);

/* The columns of positions that are of several numbers a token: the ids of M-RoPE, and the cell of
 * a patch in its picture (`picture` counts from 1, and is 0 for other tokens). */
enum place_column {
	PLACE_TEMPORAL,
	PLACE_HEIGHT,
	PLACE_WIDTH,
	PLACE_AXES,
	PLACE_PICTURE = PLACE_AXES,
	PLACE_ROW,
	PLACE_COLUMN,
	PLACE_COLUMNS
};
extern const char *const place_column_names[PLACE_COLUMNS];

struct model_input {
	struct axis axis;
	struct mat units; /* [n,d] */
	struct axis keys; /* other tokens, for a matrix that is only viewed; n 0: the units */
	/* The last output of the encoder, [source_axis.n, d], to which each layer of a decoder attends. */
	struct mat source;
	struct axis source_axis;
	const double *word, *segment; /* [n]: columns of positions from the text; NULL: all 0 */
	const double *position;	      /* [n]: the column seq, if it was given; NULL: 0..n-1 */
	const double *places[PLACE_COLUMNS]; /* [n] each; NULL: the input has no such column */
	bool three_given; /* the three ids were given: there is no one number a token */
	/* Number of units at the front that are an earlier segment: they are computed
	 * independently, kept as keys and values of each layer, and have no queries. */
	size_t memory;
	bool memory_hidden; /* a trial in which they are masked for all queries */
	/* For each token, by its place: its position in the re-ordered sentence, from 0; NULL:
	 * not given. */
	const double *reorder;
	size_t length; /* the length, in tokens, requested of a decoder; 0: none */
	const struct structure *structure; /* NULL: not given */
	const long *node; /* for each token, by its place (axis.token); belongs to the structure */
	const char *shift_column; /* added to this column after the positions stage; NULL: none */
	double shift_by;
	/* Added to the position vectors of members, with the shape of run_position_node; at
	 * NULL: nothing. */
	struct mat nudge;
	/* [n,d]: the units for code that reads the words, if `units` are replaced by others; at
	 * NULL: units. */
	struct mat words;
	/* Added to the seeds of what members draw for each input anew: 0 for viewing, so that a draw
	 * stays; a number of its own for each sentence of training. */
	uint64_t draw;
	struct mat
		/* [1,d]: the vector that replaces every unit for the bias; at NULL: the bias is
		 * computed with the real units. */
		probe;
};

/* ---- results ------------------------------------------------------------------------------- */

enum want_kind {
	WANT_INPUT = 1 << 0, /* layer inputs and weights */
	WANT_QKV = 1 << 1,   /* q, k after the qk stage, q_raw, k_raw, v */
	WANT_TERMS = 1 << 2,
	WANT_LOGITS = 1 << 3,
	WANT_MASK = 1 << 4,
	WANT_WEIGHTS = 1 << 5,
	WANT_CONTEXT = 1 << 6,
	WANT_OUTPUT = 1 << 7,	/* of every layer */
	WANT_BIAS = 1 << 8,	/* logits of layer 1 before the mask, minus the unit–unit term */
	WANT_POSITION = 1 << 9, /* position columns and vectors */
	WANT_MODULATION = 1 << 10, /* the effect on the content of members that multiply */
	WANT_RELATION = 1 << 11,   /* of the first member that has one */
	WANT_KEPT = 1 << 12,	   /* intermediate results, for recomputing: trace.kept */
	WANT_WRITTEN = 1 << 13,	   /* the summands of the context: trace_head.written */
};

struct trace_head;

struct want {
	unsigned kinds;
	long layer, head; /* the layer and head to keep; -1: all */
	size_t plane;
	/* The tokens, by place (axis.token), ascending, whose queries are wanted: only they are
	 * in trace.query and in the rows of a head's matrices, and only they are computed if no
	 * hook and no later layer needs the others; the keys are all. Requires a single layer
	 * and no sink; NULL: all queries. */
	const long *places;
	size_t n_places;
	/* A callback for every head of every wanted layer when its matrices are known, one at a
	 * time (bias, then logits, then weights; the others are empty), also for heads that are
	 * not kept; from several threads, distinct heads at once. The matrix is freed
	 * afterwards. NULL: none. */
	void (*sink)(void *context, size_t layer, size_t head, const struct trace_head *now);
	void *context;
	bool again; /* other runs of this input may follow: outputs of layers are kept for them */
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
	/* The weight of its member, already multiplied into `at`; 1 for terms without one. */
	double weight;
	struct mat at; /* as added, scale included; "rest": the logits minus the other terms */
};

/* The source of a summand of the context: the tokens' vectors, a bias of the model's weights, or
 * what a scheme adds, position in most cases. */
enum written_kind { WRITTEN_TOKEN, WRITTEN_BIAS, WRITTEN_SCHEME };

/* A summand of the context. If it is a sum over the keys,
 *
 *   at[t] = weight · Σ_s by[t][s] · vectors[row[t][s]]
 *
 * and the part of key s in it is one of these addends. */
struct trace_written {
	const char *label; /* "token", "position", "w_value" */
	enum written_kind kind;
	double weight;	    /* of its member */
	struct mat at;	    /* [n_q, dv] */
	struct mat vectors; /* [rows, dv]; at NULL: not a sum over the keys */
	const int32_t *row; /* [n_q·n_k], -1: none; NULL: row s */
	struct mat by;	    /* [n_q, n_k]; at NULL: the weights of the head */
};

/* Queries and keys of a head before a member that changed them in the qk stage. */
struct trace_change {
	const struct member *by;
	struct mat q, k;
};

/* Columns that a member rotates beside q and k, before and after the rotation; by NULL: there are none. */
struct trace_beside {
	const struct member *by;
	struct mat q_raw, k_raw, q, k;
};

struct trace_head {
	struct mat q, k, v, q_raw, k_raw;
	/* With WANT_QKV, in the order of the members; those of the first are q_raw and k_raw. */
	struct trace_change *changes;
	size_t n_changes;
	struct trace_beside beside; /* with WANT_QKV */
	struct trace_term terms[MODEL_MAX_TERMS];
	size_t n_terms;
	struct mat logits;   /* before the mask */
	const uint8_t *mask; /* n_q·n_k, 1: allowed; NULL: all */
	struct mat weights, context;
	/* The logit of no key in the softmax of all rows, which then sum to less than 1; NULL:
	 * none. */
	const double *sink_logit;
	/* With WANT_WRITTEN: their sum is the context. Those of the values come first, a part of v
	 * each, and the vectors of the first n_values are together v. With several planes of
	 * weights n_values is 0, and no summand is given by keys. */
	struct trace_written written[MODEL_MAX_WRITTEN];
	size_t n_written, n_values;
	struct mat bias;
	/* With WANT_MODULATION, for heads on which a member multiplies: c·q·kᵀ before and after
	 * it; if it multiplies in the adjust stage, `after` is all logits. at NULL elsewhere. */
	struct mat before, after;
	/* The same effect as a factor, in layer 1, with the probe as every unit and nothing else
	 * in q and k: after / before. NaN where before is 0. */
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
	struct trace_head *heads; /* [h], followed by their mean once trace_mean made it */
	/* [h] number of allowed pairs in each head; 0 for a step that was not reached. */
	size_t *allowed;
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
	/* The first `memory` of the n units are only keys: queries are those after them, and so
	 * are the rows of all matrices except units, position_vectors, inputs, k and v, which
	 * have n. */
	struct axis query, key;
	size_t memory;
	struct column columns[MODEL_MAX_COLUMNS]; /* [n] */
	size_t n_columns;
	struct mat units; /* [n,d]; at NULL if only some queries are wanted */
	struct mat
		/* [n,d] sum of what embed added before layer 1; at NULL: nothing. */
		position_vectors;
	struct mat
		last; /* with WANT_OUTPUT: the last output, behind the final norm if there is one */
	struct trace_layer *layers; /* one per step, followed by their mean like that of heads */
	size_t n_layers;
	size_t planes;
	double c;
	double operations, multiply_adds; /* counted by the tape (struct tape) */
	const char *bias_absent;	  /* the reason why there is no bias, or NULL */
	struct relation relation;	  /* n 0: no member has one */
	struct spectrum
		spectrum; /* n 0: no member reads eigenvectors; else of the first that does */
	struct trace_kept *kept; /* with WANT_KEPT */
	size_t n_kept, cap_kept;
	const char *note;  /* remarks of members about this input, separated by "; "; or NULL */
	bool bias_is_mask; /* a pure mask: the panel of the bias shows the mask */
	/* Terms are split as in survey eq. 4; otherwise `split_absent` gives the reason. */
	bool split;
	const char *split_absent;
	bool cancelled;
	/* The units are words, merged from pieces; NULL: they are tokens. */
	const struct words *words;
};

/* Returns the axis of all units: the rows and columns of a relation, the rows of position
 * vectors. */
const struct axis *trace_units(const struct trace *trace);

#endif
