/* card.h: a panel of a figure with a formula, lines of keys and values, and a sentence. */
#ifndef POSVIZ_CARD_H
#define POSVIZ_CARD_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct card_line {
	const char *key;   /* "reference"; NULL: the line continues the one before */
	const char *value; /* bold on paper */
	const char *note;  /* smaller, secondary; NULL for none */
	/* the value as a formula, written as in struct card; NULL: the value is no formula */
	const char *formula;
};

struct card {
	const char *formula; /* one line, shown large; NULL for none */
	const char *about;   /* one or two sentences, wrapped; NULL for none */
	const struct card_line *lines;
	size_t n;
	/* what the lines say, where all of them have one row; NULL: as many lines as have room */
	const char *said;
	bool leads; /* where lines share a row, the first goes before the panel's note */
	/* the number of lines at the end that are left out before anything is cut */
	size_t n_spare;
	/* the number of lines at the start of these that are left out last */
	size_t n_first;
	const bool *marked; /* [n] lines that are pointed out; NULL: none */
	/* the number of spare lines at the end that mention keys, and so are left out on a page */
	size_t n_keys;
};

/* Tells if line i, or the line that it continues, is pointed out. */
bool card_is_marked(const struct card *card, size_t i);
/* Returns the card with its marked lines first; none of these is spare. */
struct card card_marked_first(struct arena *a, const struct card *card);

#endif
