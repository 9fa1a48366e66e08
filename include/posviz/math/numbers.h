/* numbers.h: results of an analysis as named numbers: a dump has a tensor for each, `show` a
 * line for those that have a text. */
#ifndef POSVIZ_NUMBERS_H
#define POSVIZ_NUMBERS_H

#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"

struct number {
	const char *name; /* "rank.logits.stable"; the first word is the view's */
	struct mat at;	  /* [1,1]: a scalar */
	const char
		*says; /* the text: "3.2", "27 of 64", "n/a: one token"; NULL: only for the dump */
	const char *means;
};

struct numbers {
	struct arena *arena;
	struct number *at;
	size_t n, cap;
};

void numbers_init(struct numbers *out, struct arena *a);
/* Adds a copy of a matrix, without a text; a missing matrix (at NULL) is left out. */
void numbers_add(struct numbers *out, const char *name, struct mat at);
/* Adds a scalar with its text. NaN: there is no number, `says` gives the reason, and nothing is
 * dumped. */
void numbers_say(struct numbers *out, const char *name, double value, const char *says,
		 const char *means);

#endif
