/* help_sample.h: what schemes that show a sample have too few numbers for. */
#ifndef HELP_SAMPLE_H
#define HELP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Whether a scheme at its defaults can be asked for n units: the sample of `matrix` has 16 places. */
static inline bool help_sample_has(const char *id, size_t n)
{
	return n <= 16 || strcmp(id, "matrix") != 0;
}

#endif
