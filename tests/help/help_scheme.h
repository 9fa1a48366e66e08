/* help_scheme.h: evaluates one input under several expressions, and measures the differences of the
 * results. */
#ifndef HELP_SCHEME_H
#define HELP_SCHEME_H

#include "help_case.h"

/* Evaluates the input of r, with r's present config, want and shift, under another expression.
 * `given` may be NULL. The trace is in r's arena; fails the test if the evaluation fails. */
struct trace *help_again(struct help_run *r, const char *expression, const struct given *given);

/* Does the same as help_again, with the leaves changed before the run. */
struct trace *help_changed(struct help_run *r, const char *expression,
			   void (*change)(struct model *model));

/* Calls help_run_open, which must succeed. */
void help_run_must_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
			void (*prepare)(struct help_run *r));

/* Permutes the units: row t becomes the former row order[t]. */
void help_permute(struct help_run *r, const size_t *order);

/* Return the largest difference of the logits in all heads of a layer, and of the layer's
 * output. */
double help_logits_apart(const struct trace *a, const struct trace *b, size_t layer, size_t heads);
double help_output_apart(const struct trace *a, const struct trace *b, size_t layer);

/* Returns the largest difference within a diagonal: 0 for a Toeplitz matrix. */
double help_toeplitz_error(struct mat m);

/* Returns true if every entry is a finite number. */
bool help_is_finite(struct mat m);

/* Evaluates 1 and 2 units with 1 and 4 heads, and 513 units with 4: weights and outputs must be
 * finite. */
void help_sizes(const char *expression);

/* ---- wanted results of a run, and its setup: for help_run_must_open -------------------------- */

void help_with_input(struct help_run *r);
void help_with_terms(struct help_run *r);
void help_with_qkv(struct help_run *r);
void help_with_relation(struct help_run *r);
void help_with_everything(struct help_run *r);
void help_without_content(struct help_run *r);
void help_paper_init(struct help_run *r);
void help_identity(struct help_run *r);
void help_short_table(struct help_run *r); /* t_max 6 */
/* Sets one head of width 4 with W_q = W_k = 1 and c = 1/√d. */
void help_one_head_of_4(struct help_run *r);

/* Opens a run; layers, kinds: 0 for two layers, and for the default results. */
void help_open_wanted(struct help_run *r, const char *expression, size_t n, enum projection proj,
		      size_t layers, unsigned kinds);

/* ---- parts of traces and models, which must exist -------------------------------------------- */

struct mat help_input_of(const struct trace *trace); /* of the first layer */
struct mat help_last_output(const struct trace *trace);
const struct trace_head *help_head_of(const struct trace *trace, size_t i); /* of the first layer */
struct mat help_weight_of(const struct trace_layer *layer, const char *name);
const double *help_column_of(const struct trace *trace, const char *name);
/* Returns the first leaf with this base name. */
struct leaf *help_leaf_of(const struct model *model, const char *base);
struct mat help_leaf(const struct model *model, const char *base);
void help_draw_leaves(struct model *model);

/* Checks the labels of the terms of a head, which blanks separate. */
void help_expect_terms(const struct trace *trace, size_t layer, size_t head, const char *labels);

/* ---- numbers ---- */

void help_assert_near(struct mat got, struct mat want, double tolerance, const char *what);
double help_entry(struct mat m, size_t row, size_t col);
double help_row_norm(struct mat m, size_t row);
double help_dot(const double *a, const double *b, size_t n);
double help_sigmoid(double x);

#endif
