/* rows.c: loops over the rows of a matrix, shared among the pool when there is enough to do. */
#include "posviz/math/rows.h"

#include "posviz/math/machine.h"

enum {
	ENOUGH = 1 << 16,      /* elements; with fewer, waking the pool costs more than it saves */
	BLOCKS_PER_THREAD = 4, /* more than one, so that a slow thread does not hold up the rest */
};

struct job {
	void (*body)(void *context, size_t first, size_t count);
	void *context;
	size_t rows, per_block;
};

static void run_block(void *context, size_t i, size_t worker)
{
	(void)worker;
	const struct job *job = context;
	const size_t first = i * job->per_block, left = job->rows - first;
	job->body(job->context, first, left < job->per_block ? left : job->per_block);
}

void rows_parallel(size_t rows, size_t cols,
		   void (*body)(void *context, size_t first, size_t count), void *context)
{
	if (!rows || !cols)
		return;
	const size_t threads = rows < ENOUGH / cols ? 1 : machine_threads();
	if (threads == 1) {
		body(context, 0, rows);
		return;
	}
	const size_t blocks = threads * BLOCKS_PER_THREAD;
	struct job job = {body, context, rows, (rows + blocks - 1) / blocks};
	machine_parallel((rows + job.per_block - 1) / job.per_block, run_block, &job);
}
