/* help_sample.h: limits for tests that go through schemes: the step size, and samples that have too
 * few numbers. */
#ifndef HELP_SAMPLE_H
#define HELP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The step size of walks over many pages of the same code. Under a sanitizer a page takes several
 * times as long, and the property that the walk checks does not concern memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SAMPLE_STEP = 3 };
#else
enum { SAMPLE_STEP = 1 };
#endif

/* Returns whether a scheme at its defaults has enough numbers for n units: the sample of `matrix`
 * has 16 places. */
static inline bool help_sample_has(const char *id, size_t n)
{
	return n <= 16 || strcmp(id, "matrix") != 0;
}

#endif
