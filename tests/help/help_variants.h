/* help_variants.h: every value of every parameter of every scheme, one parameter off its default. */
#ifndef HELP_VARIANTS_H
#define HELP_VARIANTS_H

#include "posviz/scheme/scheme.h"

enum { VARIANTS_MAX = 4096 };

struct variants {
	struct arena arena;
	const struct scheme *scheme[VARIANTS_MAX];
	const char *text[VARIANTS_MAX]; /* "rope", "rope(partial=0)"; each once */
	size_t n;
};

/* Switches both ways and every choice; with `numbers` the least and the greatest of each number, two steps
 * about its default, and a few lists. */
void variants_open(struct variants *v, bool numbers);
void variants_close(struct variants *v);

#endif
