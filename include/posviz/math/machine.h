/* machine.h: what this computer is, and the threads we use on it.
 *
 * OpenBLAS 0.3.21 takes Intel models it does not know for Prescott and runs at a quarter of their
 * speed; machine_setup notices, names the right core type in OPENBLAS_CORETYPE and starts the
 * program anew. Heads, rows and blocks of large products run on a small pool, each on one thread. */
#ifndef POSVIZ_MACHINE_H
#define POSVIZ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"

/* First thing in main: may exec the program again with a repaired environment (once). From then
 * on freed memory is kept for the next evaluation. */
void machine_setup(char **argv);

/* Before the first evaluation: whether libraries find the memory that they take without asking. Threads
 * of the pool that there is no room for are not started; `beside` (0 or 1) others compute. */
bool machine_room(size_t beside, struct err *err);

/* For `doctor`: "OpenBLAS 0.3.21 pthread, core Haswell, 2 threads; exp: avx512". */
void machine_describe(char *buf, size_t size);

/* Of a steady clock. */
double machine_seconds(void);
/* Processor time of this process, of all its threads: what others do on the machine is not in it. */
double machine_processor_seconds(void);

/* Of the pool, the caller's among them; as many as OPENBLAS_NUM_THREADS says, if it says less than there
 * are processors. The first call ends OpenBLAS's own: from then on each of its products has one. */
size_t machine_threads(void);

/* Runs body(context, i, worker) for i in 0..n-1 on the pool and the caller; returns when all are
 * done. `worker` is 0..machine_threads()-1 and exclusive while the body runs. A call from inside a
 * body runs in that thread. The pool starts at the first call that needs it. */
void machine_parallel(size_t n, void (*body)(void *context, size_t i, size_t worker),
		      void *context);

#endif
