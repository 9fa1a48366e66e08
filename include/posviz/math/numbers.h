/* numbers.h: what an analysis says, as named numbers: a dump has a tensor for each, `show` a line for those
 * that have words. */
#ifndef POSVIZ_NUMBERS_H
#define POSVIZ_NUMBERS_H

#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"

struct number {
	const char *name; /* "rank.logits.stable"; its first word is the view's */
	struct mat at;	  /* [1,1]: a scalar */
	const char *says; /* "3.2", "27 of 64", "n/a: one token"; NULL: it is only dumped */
	const char *means;
};

struct numbers {
	struct arena *arena;
	struct number *at;
	size_t n, cap;
};

void numbers_init(struct numbers *out, struct arena *a);
/* A copy of a matrix, which is not said; one that is not there (at NULL) is left out. */
void numbers_add(struct numbers *out, const char *name, struct mat at);
/* A scalar with its words. NaN: there is none, `says` has the reason, and it is not dumped. */
void numbers_say(struct numbers *out, const char *name, double value, const char *says,
		 const char *means);

#endif
