/* continued.h: the text of a scene continued by drawn words, for measures that need more tokens
 * than it has: a matrix of n tokens has no rank above n. */
#ifndef POSVIZ_CONTINUED_H
#define POSVIZ_CONTINUED_H

#include "posviz/scene/setup.h"

/* Returns why the input cannot be continued: it is no text, or something was given for its tokens
 * alone; NULL: it can. */
const char *continued_why_not(const struct built *b, struct arena *a);

/* Makes the input of `n` units, at least as many as the scene has: the scene's own, in their order,
 * then words "word1", "word2", ... that are drawn as all words are. Segments continue the last
 * one. */
void continued_input(const struct built *b, size_t n, struct arena *a, struct model_input *out);

#endif
