/* task_floors.h: the floors of the table of tasks (task_floors.c). */
#ifndef POSVIZ_TASK_FLOORS_H
#define POSVIZ_TASK_FLOORS_H

#include "posviz/learn/task.h"

/* shift and first; reverse; order; nearest; dist; parity; and 1, for tasks that need no position. */
double floor_shift(size_t n, enum sight sight);
double floor_reverse(size_t n, enum sight sight);
double floor_order(size_t n, enum sight sight);
double floor_nearest(size_t n, enum sight sight);
double floor_dist(size_t n, enum sight sight);
double floor_parity(size_t n, enum sight sight);
double floor_none(size_t n, enum sight sight);

/* task_losses.c: the least mean loss of training on sentences from the shortest to the longest, in nats: of copying
 * a letter from another token; of two answers that are as likely; of what needs no position; nearest; dist; parity. */
double loss_copy(size_t shortest, size_t longest, enum sight sight);
double loss_order(size_t shortest, size_t longest, enum sight sight);
double loss_none(size_t shortest, size_t longest, enum sight sight);
double loss_nearest(size_t shortest, size_t longest, enum sight sight);
double loss_dist(size_t shortest, size_t longest, enum sight sight);
double loss_parity(size_t shortest, size_t longest, enum sight sight);

#endif
