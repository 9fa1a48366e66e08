/* letters.h: what kind of character a cluster is, for cutting words. */
#ifndef INPUT_LETTERS_H
#define INPUT_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

enum letter {
	LETTER_WORD,	  /* letters, digits, and whatever is not one of the others */
	LETTER_SPACE,	  /* Unicode White_Space */
	LETTER_JOINER,	  /* apostrophe or hyphen: part of a word between two LETTER_WORD */
	LETTER_SYMBOL,	  /* categories P* and S*, emoji: a token of its own */
	LETTER_IDEOGRAPH, /* Han, Hiragana, Katakana: written without blanks, a token of its own */
};

/* The kind of the first grapheme cluster of text[0..len), len > 0, and its bytes. An invalid byte
 * is LETTER_WORD. */
enum letter letter_at(const char *text, size_t len, size_t *size);

/* White space of ASCII. */
static inline bool letter_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Behind the blanks at its start. */
const char *letter_skip_blanks(const char *text);

/* The bytes of a number in a list as people type it: up to a blank or a comma. */
size_t letter_number(const char *text);

#endif
