/* room.c: whether there is room for what libraries allocate without asking.
 *
 * OpenBLAS takes a buffer of 128 MB of addresses for each thread that multiplies, and tries for ever when
 * it gets none: under `ulimit -v`, or where the kernel promises no memory that it has not got. Its
 * threads begin before main, even before constructors of ours; so a function of the program's
 * .preinit_array, which runs before those of libraries, looks how many threads fit and, if need be,
 * starts the program anew with fewer. The other buffers are taken once when something is to be computed,
 * as long as there is room, and given back to OpenBLAS, not to the kernel.
 *
 * Nothing is computed about limits: memory is asked for, and given back. */
#include "math/room.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "posviz/machine.h"

enum { MB = 1 << 20, BUFFER = 128 * MB, OWN = 128 * MB, STACK = 8 * MB, THREADS = 16 };

/* Threads that there is room for; 0: not asked yet. */
static size_t fitting;

/* Bytes for BLAS with its own threads besides the caller's, `callers` of ours, and what we need. */
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

/* ---- before libraries begin ------------------------------------------------------------------ */

/* Sanitizers, which clang does not name by macros, need terabytes of addresses, and begin later. */
#if defined(__ELF__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__) && !defined(__clang__)

enum { VARIABLES = 4096 };
static const char number[] = "OPENBLAS_NUM_THREADS=";

static size_t value_of(char **environment, const char *name)
{
	for (; *environment; environment++)
		if (strncmp(*environment, name, strlen(name)) == 0)
			return strtoul(*environment + strlen(name), NULL, 10);
	return 0;
}

/* As OpenBLAS finds it out. */
static size_t blas_threads(char **environment)
{
	cpu_set_t set;
	const size_t cores =
		sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
	size_t n = value_of(environment, number);
	n = n ? n : value_of(environment, "GOTO_NUM_THREADS=");
	n = n ? n : value_of(environment, "OMP_NUM_THREADS=");
	return n == 0 || n > cores ? cores : n;
}

static void start_with(size_t n, char **argv, char **environment)
{
	static char text[sizeof number + 4], *made[VARIABLES + 2];
	size_t count = 0;
	strcpy(text, number);
	text[sizeof number - 1] = (char)('0' + n / 10);
	text[sizeof number] = (char)('0' + n % 10);
	for (; *environment && count < VARIABLES; environment++)
		if (strncmp(*environment, number, sizeof number - 1) != 0)
			made[count++] = *environment;
	made[count] = text;
	execve("/proc/self/exe", argv, made);
	static const char why[] = "posviz: too little memory for the threads of OpenBLAS; "
				  "OPENBLAS_NUM_THREADS=1 would be right\n";
	const ssize_t written = write(STDERR_FILENO, why, sizeof why - 1);
	(void)written;
	_exit(2);
}

static void look_for_room(int argc, char **argv, char **environment)
{
	(void)argc;
	const size_t begun = blas_threads(environment);
	size_t n = begun;
	while (n > 1 && !there_is(wanted(n, 2))) /* 2: the least of machine_room */
		n = n > THREADS ? THREADS : n - 1;
	if (n < begun)
		start_with(n, argv, environment);
}

__attribute__((section(".preinit_array"),
	       used)) static void (*const first)(int, char **, char **) = look_for_room;
#endif

/* ---- before something is computed ------------------------------------------------------------ */

/* Of OpenBLAS; other libraries may have nothing of the kind. */
void *blas_memory_alloc(int where) __attribute__((weak));
void blas_memory_free(void *at) __attribute__((weak));

static void take_buffers(size_t n)
{
	void *at[THREADS + 1];
	if (!blas_memory_alloc || !blas_memory_free)
		return;
	BUG_IF(n > THREADS + 1);
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
	size_t n = machine_threads() < THREADS ? machine_threads() : THREADS;
	while (n > 0 && !there_is(wanted(1, n + beside)))
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
