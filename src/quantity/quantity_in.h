/* quantity_in.h: parts that the files of the quantities share: a row of the table with the
 * function that finds its value, and the runs that values come from. */
#ifndef POSVIZ_QUANTITY_IN_H
#define POSVIZ_QUANTITY_IN_H

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/outputs.h"
#include "posviz/quantity/quantity.h"

/* The syntax of an argument. */
enum argument {
	ARG_END,
	ARG_CELL,     /* T→S */
	ARG_T,	      /* a position or token */
	ARG_S,	      /* a second one */
	ARG_NUMBER,   /* from 1 */
	ARG_DISTANCE, /* a whole number */
	ARG_LABEL,    /* of a term */
	ARG_MATRIX,
	ARG_TABLE,  /* a bare word */
	ARG_ROW,    /* in quotation marks */
	ARG_COLUMN, /* the same */
	ARG_PAIR    /* A-B */
};
enum { ARGUMENTS = 4, WORDS = 5 };

/* A quantity to evaluate, with the data for it. */
struct asking {
	struct quantities *q;
	const struct quantity *of;
	struct arena *a; /* holds the answer */
};

/* A matrix with its axes. */
struct matrix_found {
	struct mat at;			/* at NULL: `absent` */
	const uint8_t *allowed;		/* [rows·cols] NULL: all */
	const struct axis *rows, *cols; /* cols NULL: dimensions */
	const char *absent, *masked;	/* why a masked cell has no value; NULL: it has one */
	const char *none;		/* the word that is the value of such a cell, instead */
};

struct quantity_kind {
	const char *name;
	enum argument args[ARGUMENTS]; /* ends with ARG_END */
	const char *shown, *help;      /* shown: the syntax of the arguments */
	enum quantity_kind_of_value is;
	const char *words[WORDS]; /* the possible words, ends with NULL */
	unsigned hangs;		  /* enum hangs: the suffixes that have a meaning for it */
	bool percent;
	int digits; /* printed at least; 0: three */
	/* A measure of measure_list.h has its bit of enum measured, and its offset in struct
	 * measures. */
	unsigned measured;
	size_t offset;
	bool (*find)(const struct asking *ask, struct quantity_value *out, struct err *err);
	/* `matrix` is set in a row that can be the argument M; `cells` in other rows that are
	 * cells of a matrix. */
	bool (*matrix)(const struct asking *ask, struct matrix_found *out, struct err *err);
	bool (*cells)(const struct asking *ask, struct matrix_found *out, struct err *err);
};
enum hangs { ON_HEAD = 1 << 0, ON_LAYER = 1 << 1, ON_EXPRESSION = 1 << 2, ON_LAYER_1 = 1 << 3 };

extern const struct quantity_kind quantity_kinds[]; /* ends with name == NULL */

/* ---- answers --------------------------------------------------------------------------------- */

bool answer_number(struct quantity_value *out, double number); /* NaN: it is not defined */
bool answer_word(struct quantity_value *out, const char *word);
bool answer_absent(struct quantity_value *out, const char *why);

bool number_within(long number, size_t n, const char *what, struct err *err);

/* ---- quantity_runs.c: results that are computed once
 * ---------------------------------------------- */

/* A run of an expression that kept a head of a layer; valid until the next run is requested. */
struct quantity_run {
	const struct built *b;
	struct trace *trace;
	const struct trace_head *head;	/* the chosen head */
	const struct trace_head *first; /* the same head of layer 1 */
	size_t layer, index;		/* of it; the numbers of layers and heads: their means */
};

/* Returns the model of expression n, from 1, of the compared ones. */
bool runs_built(struct quantities *q, long n, const struct built **out, struct err *err);
/* Returns the measures of expression n, with at least these kinds (enum measured). */
bool runs_measures(struct quantities *q, long n, unsigned kinds, const struct measures **out,
		   struct err *err);
/* Returns the run for the chosen head and layer; `written`: with the tokens in their original
 * order. */
bool runs_head(const struct asking *ask, struct quantity_run *out, struct err *err);
bool runs_head_of(const struct asking *ask, long n, bool written, struct quantity_run *out,
		  struct err *err);
/* Makes the outputs of the chosen head and layer of expression n; at.at NULL: `why` says why there are
 * none. */
bool runs_outputs(const struct asking *ask, long n, struct outputs *out, struct quantity_run *of,
		  struct err *err);
/* Returns whether two existing expressions are run on the same input. */
bool runs_one_input(const struct quantities *q, long first, long second);
/* Returns "equal", "mirrored" ...: the relation of two expressions; a static word. */
bool runs_same(struct quantities *q, long first, long second, const char **word, struct err *err);
const struct scene *runs_scene(const struct quantities *q);
struct watch *runs_watch(const struct quantities *q);
/* Returns the text of expression n, from 1. */
bool runs_expression(struct quantities *q, long n, const char **out, struct err *err);

/* ---- functions of the table
 * -------------------------------------------------------------------- */

typedef bool quantity_finder(const struct asking *ask, struct quantity_value *out, struct err *err);
typedef bool matrix_finder(const struct asking *ask, struct matrix_found *out, struct err *err);

/* quantity_matrix.c */
matrix_finder matrix_weight, matrix_logit, matrix_bias, matrix_mask, matrix_relation, matrix_term,
	matrix_position, matrix_vectors, matrix_sum, matrix_sum_weight, matrix_contribution;
quantity_finder find_cell, find_max, find_min, find_strongest, find_rank, find_stable_rank;
/* quantity_find.c */
quantity_finder find_share, find_curve, find_vector, find_dot, find_cosine, find_measure,
	find_prefix_order, find_difference, find_entropy, find_mean_distance, find_published,
	find_apart, find_same, find_eigenvalue, find_eigenvector, find_tokens, find_learned,
	find_length, find_output_share, find_outputs_apart;
/* quantity_profile.c */
quantity_finder find_profile, find_kernel;
/* quantity_learn.c */
quantity_finder find_accuracy, find_floor, find_loss;

#endif
