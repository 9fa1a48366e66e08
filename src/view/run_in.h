/* run_in.h: the evaluations that a view needs. */
#ifndef POSVIZ_RUN_IN_H
#define POSVIZ_RUN_IN_H

#include "posviz/view/run.h"
#include "view_in.h"

/* Returns the kinds of results, the head and the layer that the job's view needs. */
struct want view_want(const struct job *j, const struct built *b);
/* Tells the watch that `runs` such runs follow, each of about the same work. */
void view_expect(const struct job *j, const struct built *b, size_t runs);
/* Reduces the memory that is free for b by the memory that results took since `before`. */
void view_leave_memory(struct built *b, const struct job *j, size_t before);

/* by_words.c: view_merges returns whether the picture shows words in the place of pieces. view_by_words
 * merges the pieces of a run's trace if so; false: its input is not one that is merged, as
 * view_can_merge tells before the run. */
bool view_merges(const struct job *j);
bool view_can_merge(const struct job *j, const struct built *b, struct err *err);
bool view_by_words(const struct job *j, const struct built *b, struct trace *trace,
		   struct err *err);

/* reduced.c: runs for a view by distance: keeps the bias of all heads, or the weights of heads
 * without a bias. */
bool reduced_run(const struct job *j, struct picture *p, struct err *err);
/* compared.c: runs everything that the view Compare shows; the scene's own expression is built
 * already. */
bool compared_run(const struct job *j, struct picture *p, struct err *err);
/* compared.c: sets the names of all that are compared. */
void compared_name(const struct scene *scene, struct picture *p, struct arena *a);
/* swept.c: runs the scheme at all values of a sweep; the first result is also the picture's own. */
bool sweep_run(const struct job *j, struct picture *p, struct err *err);
/* table_rows.c: measures rows of the table, first those that the view shows. Returns the number
 * of rows still to be measured; SIZE_MAX: the table cannot be computed, or was cancelled. */
size_t table_run(const struct job *j, struct picture *p, struct err *err);
/* lengths.c: takes the known lengths and computes some more. Returns the number still to be
 * computed; SIZE_MAX: cancelled. */
size_t lengths_run(const struct job *j, struct picture *p, struct err *err);
/* cost.c: measures the cost of the scene's schemes and of those with published values. */
bool cost_run(const struct job *j, struct picture *p, struct err *err);

#endif
