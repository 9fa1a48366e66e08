/* isolate.h: the order of mixed text: words of scripts that are written from right to left within
 * sentences that are written from left to right.
 *
 * The programs that lay out text (Pango, browsers) follow the bidirectional algorithm of Unicode
 * (UAX 9), in which one Hebrew or Arabic word changes the order of everything around it: in
 * "A → B" of two such words the arrow points from B to A, and a line that begins with such a word
 * is laid out from right to left as a whole. An isolate keeps the word to itself. */
#ifndef POSVIZ_ISOLATE_H
#define POSVIZ_ISOLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

/* FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: the characters around an isolate. */
#define ISOLATE_BEGIN "\u2068"
#define ISOLATE_END   "\u2069"

/* Returns whether a letter of this code point is written from right to left (the default classes R
 * and AL of DerivedBidiClass.txt). */
bool isolate_is_rtl(uint32_t code);

/* Returns the bytes of the words at `text` that are written from right to left, with what is
 * between them and belongs to them: single blanks, hyphens, apostrophes, digits, numbers of
 * occurrences. 0: the text does not begin with such a word. */
size_t isolate_run(const char *text);

/* Returns a sentence of the program in which text of the user has an order of its own: what is
 * between the quotation marks “ and ” if it has letters that are written from right to left, and
 * such words elsewhere. Returns `text` itself if it has no such letter, or has isolates. */
const char *isolate_words(struct arena *a, const char *text);

/* Returns the text without the characters of isolates. */
const char *isolate_removed(struct arena *a, const char *text);

#endif
