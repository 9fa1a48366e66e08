/* run_in.h: the runs that a view wants. */
#ifndef POSVIZ_RUN_IN_H
#define POSVIZ_RUN_IN_H

#include "posviz/view/run.h"
#include "view_in.h"

/* The kinds, head and layer that the job's view wants. */
struct want view_want(const struct job *j, const struct built *b);
/* Tells who watches that so many such runs are to come, each of about as much work. */
void view_expect(const struct job *j, const struct built *b, size_t runs);
/* The memory that results took since `before` is no longer free for b. */
void view_leave_memory(struct built *b, const struct job *j, size_t before);

/* reduced.c: the run of a view by distance: the bias of all heads, or the weights of those that have none. */
bool reduced_run(const struct job *j, struct picture *p, struct err *err);
/* compared.c: runs all that the view Compare shows; the scene's own expression is built already. */
bool compared_run(const struct job *j, struct picture *p, struct err *err);
/* The same file: names all that are compared. */
void compared_name(const struct scene *scene, struct picture *p, struct arena *a);
/* swept.c: the runs of a sweep, and the first of them as the picture's own. */
bool sweep_run(const struct job *j, struct picture *p, struct err *err);
/* table_rows.c: measures rows of the table, those that the view shows first; how many are to come, SIZE_MAX: it cannot
 * be computed, or was cancelled. */
size_t table_run(const struct job *j, struct picture *p, struct err *err);
/* lengths.c: the lengths that are known, and some more; how many are to come, SIZE_MAX: cancelled. */
size_t lengths_run(const struct job *j, struct picture *p, struct err *err);
/* cost.c: what the scene's schemes cost, and those with published values. */
bool cost_run(const struct job *j, struct picture *p, struct err *err);

#endif
