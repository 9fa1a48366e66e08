/* help_variants.h: every value of every parameter of every scheme, with one parameter differing
 * from its default. */
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

/* Makes the expressions for both values of switches and for every choice; with `numbers` also for
 * the least and the greatest value of each number, two steps around its default, and a few
 * lists. */
void variants_open(struct variants *v, bool numbers);
void variants_close(struct variants *v);

#endif
