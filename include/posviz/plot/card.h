/* card.h: a card: a formula, lines of key and value, a sentence, as a panel of a figure. */
#ifndef POSVIZ_CARD_H
#define POSVIZ_CARD_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct card_line {
	const char *key;     /* "reference"; NULL continues the line before */
	const char *value;   /* bold on paper */
	const char *note;    /* smaller, secondary; NULL for none */
	const char *formula; /* that the value is, as in struct card; NULL: it is none */
};

struct card {
	const char *formula; /* one line, shown large; NULL for none */
	const char *about;   /* one sentence or two, wrapped; NULL for none */
	const struct card_line *lines;
	size_t n;
	size_t n_spare;	    /* the last of them, which go before anything is cut */
	size_t n_first;	    /* the first of the spare ones, which stay while the others go */
	const bool *marked; /* [n] lines that are pointed out; NULL: none */
	size_t n_keys; /* the last of the spare ones, of use only where there are keys: not on a page */
};

/* Whether line i is pointed out, or continues one that is. */
bool card_is_marked(const struct card *card, size_t i);
/* The card with those lines before all others, and none of them spare. */
struct card card_marked_first(struct arena *a, const struct card *card);

#endif
