/* blas_memory.c: whether there is room for what libraries allocate without asking.
 *
 * OpenBLAS takes a buffer of 128 MB of addresses for each thread that multiplies, and tries for ever when
 * it gets none: under `ulimit -v`, or where the kernel promises no memory that it has not got. Its
 * threads begin before main: what the program does about that is in cli/early.c. The other buffers are
 * taken once when something is to be computed, as long as there is room, and given back to OpenBLAS, not
 * to the kernel.
 *
 * Nothing is computed about limits: memory is asked for, and given back. */
#include "math/blas_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "posviz/math/machine.h"

enum { MB = 1 << 20, BUFFER = 128 * MB, OWN = 128 * MB, STACK = 8 * MB };

#ifndef MAP_NORESERVE /* pages are only promised, not counted */
#define MAP_NORESERVE 0
#endif

/* Threads that there is room for; 0: not asked yet. */
static size_t fitting;

/* Bytes for that and for what we need. */
static size_t wanted(size_t blas, size_t callers)
{
	return (size_t)OWN + (blas - 1 + callers) * ((size_t)BUFFER + STACK);
}

static bool there_is(size_t bytes)
{
	void *const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at != MAP_FAILED && munmap(at, bytes) == 0;
}

bool room_for(size_t blas, size_t callers)
{
	return there_is(wanted(blas, callers));
}

/* ---- before something is computed ------------------------------------------------------------ */

/* Of OpenBLAS; other libraries may have nothing of the kind. */
void *blas_memory_alloc(int where) __attribute__((weak));
void blas_memory_free(void *at) __attribute__((weak));

static void take_buffers(size_t n)
{
	void *at[ROOM_THREADS + 1];
	if (!blas_memory_alloc || !blas_memory_free)
		return;
	BUG_IF(n > ROOM_THREADS + 1);
	for (size_t i = 0; i < n; i++)
		at[i] = blas_memory_alloc(0);
	for (size_t i = 0; i < n; i++)
		blas_memory_free(at[i]);
}

/* MB that the program may have in all; 0: nobody says. */
static size_t limit(void)
{
	struct rlimit addresses, data;
	if (getrlimit(RLIMIT_AS, &addresses) != 0 || getrlimit(RLIMIT_DATA, &data) != 0)
		return 0;
	const rlim_t least =
		addresses.rlim_cur < data.rlim_cur ? addresses.rlim_cur : data.rlim_cur;
	return least == RLIM_INFINITY ? 0 : (size_t)(least / MB);
}

bool machine_room(size_t beside, struct err *err)
{
	size_t n = machine_threads();
	while (n > 0 && !room_for(1, n + beside))
		n--;
	if (n == 0 && limit() > 0)
		return err_set(err,
			       "too little memory: %zu MB are allowed (ulimit -v), and %zu MB more "
			       "than those in use are needed to compute; 640 MB would do",
			       limit(), wanted(1, 1 + beside) / MB);
	if (n == 0)
		return err_set(err,
			       "too little memory: %zu MB are needed to compute, and the system "
			       "gives less",
			       wanted(1, 1 + beside) / MB);
	fitting = n;
	take_buffers(n + beside);
	return true;
}

size_t room_threads(void)
{
	return fitting;
}
