/* help_case.h: runs a case of reference numbers, made by the original authors' code, through the
 * whole model: its units, weights and parameters are given, and its logits, weights and contexts
 * are compared. */
#ifndef HELP_CASE_H
#define HELP_CASE_H

#include "posviz/scheme/scheme.h"

struct help_case {
	const char *file; /* below tests/data: "seq/shaw-a.safetensors" */
	const char *expression;
	const char *map[6]; /* "LEAF=TENSOR", ends with NULL */
	size_t t_max;	    /* 0: 512 */
	bool masked_logits; /* logits outside the mask are not comparable */
	bool row_shift;	    /* logits differ by a constant of each row */
	double tolerance;   /* 0: 1e-9 */
	const char *skip;   /* "q k": kinds of tensors that have another meaning in the file */
	enum activation activation;
	double norm_eps;	    /* 0: 1e-5 */
	size_t layers;		    /* 0: 1 */
	size_t head_dim, value_dim; /* 0: as config has */
	/* Adds tensors in the shapes of the leaves; NULL: none. */
	void (*reshape)(struct tensor_set *set, struct arena *a);
	/* Gives the input the structure and nodes of the case's tensors; NULL: none. */
	void (*structure)(struct model_input *in, const struct tensor_set *set, struct arena *a);
};

/* An evaluated case; all its data are in `arena`. */
struct help_result {
	struct arena arena;
	struct tensor_set set;
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct trace trace;
	const char *map[6];
	struct given given;
};

/* Evaluates the case; fails the test with the error's text if that is impossible. */
void help_case_open(struct help_result *r, const struct help_case *c);
void help_case_close(struct help_result *r);

/* Compares every tensor head.H.{logits,weights,context,q,k,bias} of the file; returns how many. */
size_t help_case_compare(const struct help_result *r, const struct help_case *c);

/* Opens, compares (at least one tensor) and closes a case. */
void help_case_check(const struct help_case *c);

/* An evaluation of an expression without a file: n tokens "w0".."w<n-1>" of which `repeat` differ
 * (0: all differ), with sizes d=32 h=4 layers=2 unless config has others. */
struct help_run {
	struct arena arena;
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model_config config;
	struct model model;
	struct model_input in;
	struct want want;
	struct trace trace;
	struct err err;
};

struct model_config help_config(void);
/* Returns the result of model_run; errors of parsing and building are in r->err and give false.
 * help_run_close must be called in any case. `prepare` (may be NULL) sets r->config, r->want and
 * r->in.shift_* before the run. The probe is the all-ones unit. */
bool help_run_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
		   void (*prepare)(struct help_run *r));
void help_run_close(struct help_run *r);

#endif
