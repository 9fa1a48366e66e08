/* early.c: limits the threads of OpenBLAS before libraries begin.
 *
 * These threads begin before main, even before constructors of this program, and try for ever to
 * get their buffers (math/blas_memory.c). Therefore a function of the program's .preinit_array,
 * which runs before the constructors of libraries, finds out how many fit and, if necessary, starts
 * the program anew with fewer. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posviz/math/blas_memory.h"
#include "posviz/base/portable.h"

/* Excludes sanitizers, which need terabytes of addresses and begin later; clang does not name them
 * by macros. */
#if defined(__ELF__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__) && !defined(__clang__) && !defined(POSVIZ_PORTABLE)

enum { VARIABLES = 4096 };
static const char number[] = "OPENBLAS_NUM_THREADS=";

static size_t value_of(char **environment, const char *name)
{
	for (; *environment; environment++)
		if (strncmp(*environment, name, strlen(name)) == 0)
			return strtoul(*environment + strlen(name), NULL, 10);
	return 0;
}

/* Returns the number of threads by the same rule as OpenBLAS. */
static size_t blas_threads(char **environment)
{
	const size_t cores = portable_processors();
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
	portable_start_again(argv, made);
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
	while (n > 1 && !blas_memory_fits(n, 2)) /* 2: the minimum of machine_check_memory */
		n = n > ROOM_THREADS ? ROOM_THREADS : n - 1;
	if (n < begun)
		start_with(n, argv, environment);
}

__attribute__((section(".preinit_array"),
	       used)) static void (*const first)(int, char **, char **) = look_for_room;
#endif
