/* help_scheme.h: evaluating one input under several expressions, and how far results lie apart. */
#ifndef HELP_SCHEME_H
#define HELP_SCHEME_H

#include "help_case.h"

/* The input of r, with r's present config, want and shift, under another expression. `given` may be
 * NULL. Lives in r's arena; fails the test when it cannot be evaluated. */
struct trace *help_again(struct help_run *r, const char *expression, const struct given *given);

/* Like help_again, with the leaves changed before the run. */
struct trace *help_changed(struct help_run *r, const char *expression,
			   void (*change)(struct model *model));

/* help_run_open that must succeed. */
void help_run_must_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
			void (*prepare)(struct help_run *r));

/* Units become row order[t] of what they were. */
void help_permute(struct help_run *r, const size_t *order);

/* Largest difference of the logits in all heads of a layer, and of the layer's output. */
double help_logits_apart(const struct trace *a, const struct trace *b, size_t layer, size_t heads);
double help_output_apart(const struct trace *a, const struct trace *b, size_t layer);

/* Largest difference within a diagonal: 0 for a Toeplitz matrix. */
double help_toeplitz_error(struct mat m);

/* True when every entry is a finite number. */
bool help_is_finite(struct mat m);

/* Evaluates for 1 and 2 units with 1 and 4 heads, for 513 with 4: weights and outputs must be numbers. */
void help_sizes(const char *expression);

/* ---- what is wanted of a run, and how it is set up: for help_run_must_open ---- */

void help_with_input(struct help_run *r);
void help_with_terms(struct help_run *r);
void help_with_qkv(struct help_run *r);
void help_with_relation(struct help_run *r);
void help_with_everything(struct help_run *r);
void help_without_content(struct help_run *r);
void help_paper_init(struct help_run *r);
void help_identity(struct help_run *r);
void help_short_table(struct help_run *r); /* t_max 6 */
/* One head of width 4 with W_q = W_k = 1 and c = 1/√d. */
void help_one_head_of_4(struct help_run *r);

/* layers and kinds: 0 for two layers, and what is wanted by default. */
void help_open_wanted(struct help_run *r, const char *expression, size_t n, enum projection proj,
		      size_t layers, unsigned kinds);

/* ---- parts of traces and models, which must be there ---- */

struct mat help_input_of(const struct trace *trace); /* of the first layer */
struct mat help_last_output(const struct trace *trace);
const struct trace_head *help_head_of(const struct trace *trace, size_t i); /* of the first layer */
struct mat help_weight_of(const struct trace_layer *layer, const char *name);
const double *help_column_of(const struct trace *trace, const char *name);
/* The first leaf of that base name. */
struct leaf *help_leaf_of(const struct model *model, const char *base);
struct mat help_leaf(const struct model *model, const char *base);
void help_draw_leaves(struct model *model);

/* The labels of the terms of a head, with blanks between. */
void help_expect_terms(const struct trace *trace, size_t layer, size_t head, const char *labels);

/* ---- numbers ---- */

void help_assert_near(struct mat got, struct mat want, double tolerance, const char *what);
double help_entry(struct mat m, size_t row, size_t col);
double help_row_norm(struct mat m, size_t row);
double help_dot(const double *a, const double *b, size_t n);
double help_sigmoid(double x);

#endif
