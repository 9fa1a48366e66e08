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

/* task_keys.c: the least loss, in nats: of copying a letter from another token, of two answers that are
 * as likely, and of what needs no position. */
double loss_copy(size_t n, size_t letters, enum sight sight);
double loss_order(size_t n, size_t letters, enum sight sight);
double loss_none(size_t n, size_t letters, enum sight sight);

#endif
