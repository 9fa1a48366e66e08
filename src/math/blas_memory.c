/* blas_memory.c: checks that there is memory for the buffers that OpenBLAS allocates without
 * asking.
 *
 * OpenBLAS takes a buffer of 128 MB of addresses for each thread that multiplies, and retries for
 * ever when it gets none: under `ulimit -v`, or where the kernel does not overcommit memory. Its
 * threads begin before main: cli/early.c deals with that. The other buffers are taken once before
 * the first evaluation, as long as there is memory, and given back to OpenBLAS, not to the kernel.
 *
 * The code does not calculate with limits: it asks for the memory, and gives it back. */
#include "posviz/math/blas_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "posviz/math/machine.h"

enum { MB = 1 << 20, BUFFER = 128 * MB, OWN = 128 * MB, STACK = 8 * MB };

#ifndef MAP_NORESERVE /* its pages are reserved addresses, not counted as memory */
#define MAP_NORESERVE 0
#endif

/* The number of threads for which there is memory; 0: not determined yet. */
static size_t threads_found;

/* Returns the bytes that OpenBLAS needs for so many threads and callers, plus those of posviz. */
static size_t bytes_needed(size_t blas, size_t callers)
{
	return (size_t)OWN + (blas - 1 + callers) * ((size_t)BUFFER + STACK);
}

static bool can_map(size_t bytes)
{
	void *const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at != MAP_FAILED && munmap(at, bytes) == 0;
}

bool blas_memory_fits(size_t blas, size_t callers)
{
	return can_map(bytes_needed(blas, callers));
}

/* ---- before something is computed ------------------------------------------------------------ */

/* Functions of OpenBLAS; other BLAS libraries may lack them. */
void *blas_memory_alloc(int where) __attribute__((weak));
void blas_memory_free(void *at) __attribute__((weak));

static void reserve_buffers(size_t n)
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

/* Returns the limit of the program's memory in MB; 0: there is none. */
static size_t memory_limit(void)
{
	struct rlimit addresses, data;
	if (getrlimit(RLIMIT_AS, &addresses) != 0 || getrlimit(RLIMIT_DATA, &data) != 0)
		return 0;
	const rlim_t least =
		addresses.rlim_cur < data.rlim_cur ? addresses.rlim_cur : data.rlim_cur;
	return least == RLIM_INFINITY ? 0 : (size_t)(least / MB);
}

bool machine_check_memory(size_t beside, struct err *err)
{
	size_t n = machine_threads();
	while (n > 0 && !blas_memory_fits(1, n + beside))
		n--;
	if (n == 0 && memory_limit() > 0)
		return err_set(err,
			       "too little memory: %zu MB are allowed (ulimit -v), and %zu MB more "
			       "than those in use are needed to compute; 640 MB would do",
			       memory_limit(), bytes_needed(1, 1 + beside) / MB);
	if (n == 0)
		return err_set(err,
			       "too little memory: %zu MB are needed to compute, and the system "
			       "gives less",
			       bytes_needed(1, 1 + beside) / MB);
	threads_found = n;
	reserve_buffers(n + beside);
	return true;
}

size_t blas_memory_threads(void)
{
	return threads_found;
}
