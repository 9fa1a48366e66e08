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

#endif
