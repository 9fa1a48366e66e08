/* machine.h: the processor, the memory and the threads of this computer.
 *
 * OpenBLAS 0.3.21 takes Intel models it does not know for Prescott and runs at a quarter of
 * their speed; machine_setup notices this and lets it choose again. Heads, rows and blocks of large
 * products run on a small pool of threads, each on one thread. */
#ifndef POSVIZ_MACHINE_H
#define POSVIZ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"

/* Must be called before the first evaluation and the first thread. From then on freed memory is
 * kept for the next evaluation. */
void machine_setup(void);

/* Lets OpenBLAS choose its kernels again if it has some that fit the processor better, unless the
 * user named them in OPENBLAS_CORETYPE; part of machine_setup. */
void machine_choose_kernels(void);

/* Checks, before the first evaluation, that the libraries will find the memory that they take
 * without asking. Threads of the pool for which there is no memory are not started. `beside` (0
 * or 1) is the number of other threads that compute. */
bool machine_check_memory(size_t beside, struct err *err);

/* Writes the library and the processor, which decide the last bits of numbers: "OpenBLAS 0.3.21 pthread, core Haswell; exp: avx512". */
void machine_kernels(char *buf, size_t size);
/* The same with the threads, for `doctor`: "OpenBLAS 0.3.21 pthread, core Haswell, 2 threads; exp: avx512". */
void machine_describe(char *buf, size_t size);

/* Returns the seconds of a monotonic clock. */
double machine_seconds(void);
/* Returns the processor time of all threads of this process in seconds; other processes do not
 * count. */
double machine_processor_seconds(void);

/* Returns the number of threads of the pool, the caller's included: that of the processors, or
 * less if OPENBLAS_NUM_THREADS says less. The first call ends OpenBLAS's own threads: from then
 * on each of its products runs on one thread. */
size_t machine_threads(void);

/* Runs body(context, i, worker) for i in 0..n-1 on the pool and the caller; returns when all are
 * done. `worker` is 0..machine_threads()-1 and exclusive while the body runs. A call from inside a
 * body runs in that thread. The pool starts at the first call that needs it. */
void machine_parallel(size_t n, void (*body)(void *context, size_t i, size_t worker),
		      void *context);

#endif
