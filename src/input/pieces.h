/* pieces.h: limits for each of several graphs or trees in a text, so that a broken one does not
 * affect the others. */
#ifndef INPUT_PIECES_H
#define INPUT_PIECES_H

#include "input/structure_in.h"

struct pieces {
	const struct source *source;
	bool (*opens)(const char *line,
		      const char *end); /* returns whether a piece may begin like this */
	bool blocks; /* a blank line before such a line separates pieces, even inside brackets */
	const char *end; /* of the block, or NULL */
	bool broken;	 /* a piece is broken: from there on each opening line begins one */
};

/* Returns the limit for the end of the piece that begins there; pieces must be asked for in
 * order. */
const char *piece_limit(struct pieces *p, const char *begin);
/* Reports that the piece that begins there is broken; returns where the next may begin. */
const char *piece_resume(struct pieces *p, const char *begin);

/* Returns whether a line begins with an opening bracket. */
bool piece_opens_bracket(const char *line, const char *end);

#endif
