/* quantity_in.h: what the files of the quantities share: a row of the table with what finds its value, and the runs
 * that values are read off. */
#ifndef POSVIZ_QUANTITY_IN_H
#define POSVIZ_QUANTITY_IN_H

#include "posviz/analysis/analysis.h"
#include "posviz/quantity/quantity.h"

/* How an argument is written. */
enum argument {
	ARG_END,
	ARG_CELL,     /* T→S */
	ARG_T,	      /* a place */
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

/* A question with all it can look at. */
struct asking {
	struct quantities *q;
	const struct quantity *of;
	struct arena *a; /* of what is answered */
};

/* A matrix with its axes. */
struct matrix_found {
	struct mat at;			/* at NULL: `absent` */
	const uint8_t *allowed;		/* [rows·cols] NULL: all */
	const struct axis *rows, *cols; /* cols NULL: dimensions */
	const char *absent,
		*masked;  /* masked: why a cell that is not allowed has no value; NULL: it has */
	const char *none; /* the word for the value of such a cell, instead */
};

struct quantity_kind {
	const char *name;
	enum argument args[ARGUMENTS]; /* up to ARG_END */
	const char *shown, *help;      /* how the arguments are written */
	enum quantity_kind_of_value is;
	const char *words[WORDS]; /* that it can be, up to NULL */
	unsigned hangs;		  /* enum hangs: on what, of what can be written behind it */
	bool percent;
	int digits; /* of what is printed, at least; 0: three */
	/* Of a measure (measure_list.h): which (enum measured), and where in struct measures. */
	unsigned measured;
	size_t offset;
	bool (*find)(const struct asking *ask, struct quantity_value *out, struct err *err);
	/* Of a row that can be M; NULL: it cannot. And of others that are cells of a matrix. */
	bool (*matrix)(const struct asking *ask, struct matrix_found *out, struct err *err);
	bool (*cells)(const struct asking *ask, struct matrix_found *out, struct err *err);
};
enum hangs { ON_HEAD = 1 << 0, ON_LAYER = 1 << 1, ON_EXPRESSION = 1 << 2, ON_LAYER_1 = 1 << 3 };

extern const struct quantity_kind quantity_kinds[]; /* ends with name == NULL */

/* ---- answers ------------------------------------------------------------------------------------- */

bool answer_number(struct quantity_value *out, double number); /* NaN: it is not defined */
bool answer_word(struct quantity_value *out, const char *word);
bool answer_absent(struct quantity_value *out, const char *why);

bool number_within(long number, size_t n, const char *what, struct err *err);

/* ---- quantity_runs.c: what is computed once -------------------------------------------------------- */

/* A run of an expression that kept a head of a layer; alive until the next one is asked for. */
struct quantity_run {
	const struct built *b;
	struct trace *trace;
	const struct trace_head *head;	/* that is looked at */
	const struct trace_head *first; /* the same head of layer 1 */
};

/* Number n, from 1, of the expressions that are compared. */
bool runs_built(struct quantities *q, long n, const struct built **out, struct err *err);
/* What was measured of expression n, these kinds (enum measured) among it. */
bool runs_measures(struct quantities *q, long n, unsigned kinds, const struct measures **out,
		   struct err *err);
/* The head and layer of the question; `written`: of the tokens as they were written. */
bool runs_head(const struct asking *ask, struct quantity_run *out, struct err *err);
bool runs_head_of(const struct asking *ask, long n, bool written, struct quantity_run *out,
		  struct err *err);
/* Whether two of those compared, which are there, are run on the same input. */
bool runs_one_input(const struct quantities *q, long first, long second);
/* "equal", "mirrored" ...: how two of those compared are the same; a word of ours. */
bool runs_same(struct quantities *q, long first, long second, const char **word, struct err *err);
const struct scene *runs_scene(const struct quantities *q);

/* ---- how each is found, for the table ------------------------------------------------------------- */

typedef bool quantity_finder(const struct asking *ask, struct quantity_value *out, struct err *err);
typedef bool matrix_finder(const struct asking *ask, struct matrix_found *out, struct err *err);

/* quantity_matrix.c */
matrix_finder matrix_weight, matrix_logit, matrix_bias, matrix_mask, matrix_relation, matrix_term,
	matrix_position, matrix_vectors, matrix_sum, matrix_sum_weight;
quantity_finder find_cell, find_max, find_min, find_strongest, find_rank, find_stable_rank;
/* quantity_find.c */
quantity_finder find_share, find_curve, find_vector, find_dot, find_cosine, find_measure,
	find_prefix_order, find_difference, find_entropy, find_mean_distance, find_published,
	find_apart, find_same, find_eigenvalue, find_eigenvector, find_tokens, find_learned,
	find_length;

#endif
