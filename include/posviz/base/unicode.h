/* unicode.h: normal forms of text, and what a code point is, by the Unicode that utf8proc knows. */
#ifndef POSVIZ_UNICODE_H
#define POSVIZ_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

enum unicode_form { UNICODE_NFC, UNICODE_NFD, UNICODE_NFKC, UNICODE_NFKD };

/* Returns text[0..len), which is UTF-8, in a normal form, terminated; *out_len gets its length. */
const char *unicode_normalize(struct arena *a, enum unicode_form form, const char *text, size_t len,
			      size_t *out_len);

/* Returns the two letters of the general category: "Lu", "Nd", "Cn". */
const char *unicode_category(uint32_t code);
/* Returns whether the code point has the property White_Space. */
bool unicode_space(uint32_t code);
/* Returns whether it is in a category P, or one of the 32 signs of ASCII. */
bool unicode_punctuation(uint32_t code);
/* Returns whether it is part of a word by UTS 18: a letter, a mark, a decimal digit, a connector. */
bool unicode_word(uint32_t code);
/* Returns the number of code points of its lower case, 1 or 2. */
size_t unicode_lower(uint32_t code, uint32_t out[2]);

#endif
