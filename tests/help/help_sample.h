/* help_sample.h: samples of schemes: which are taken, and what those that show one have too few numbers
 * for. */
#ifndef HELP_SAMPLE_H
#define HELP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Walks over many pages of the same code take so many steps at once. Under a sanitizer a page takes several
 * times as long, and what the walk looks at is no matter of memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SAMPLE_STEP = 3 };
#else
enum { SAMPLE_STEP = 1 };
#endif

/* Whether a scheme at its defaults can be asked for n units: the sample of `matrix` has 16 places. */
static inline bool help_sample_has(const char *id, size_t n)
{
	return n <= 16 || strcmp(id, "matrix") != 0;
}

#endif
