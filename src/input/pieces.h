/* pieces.h: where in a text of several graphs or trees one may end at the latest, so that a broken one spoils
 * itself and no other. */
#ifndef INPUT_PIECES_H
#define INPUT_PIECES_H

#include "input/structure_in.h"

struct pieces {
	const struct source *source;
	bool (*opens)(const char *line, const char *end); /* whether a piece may begin so */
	bool blocks;	 /* a blank line before such a line parts pieces, whatever is open */
	const char *end; /* of the block, or NULL */
	bool broken;	 /* a piece in it is: from there on every line that opens one begins one */
};

/* The end at the latest of the piece that begins there; pieces are asked for in their order. */
const char *piece_limit(struct pieces *p, const char *begin);
/* The piece that begins there is broken: where the next may begin. */
const char *piece_resume(struct pieces *p, const char *begin);

/* A line that begins with an opening bracket. */
bool piece_opens_bracket(const char *line, const char *end);

#endif
