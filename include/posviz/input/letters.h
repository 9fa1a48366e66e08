/* letters.h: the class of a cluster, for dividing text into words. */
#ifndef INPUT_LETTERS_H
#define INPUT_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

enum letter {
	LETTER_WORD,	  /* letters, digits, and everything that is not in another class */
	LETTER_SPACE,	  /* Unicode White_Space */
	LETTER_JOINER,	  /* apostrophe or hyphen: part of a word between two LETTER_WORD */
	LETTER_SYMBOL,	  /* categories P* and S*, emoji: a token of its own */
	LETTER_IDEOGRAPH, /* Han, Hiragana, Katakana: written without blanks, a token of its own */
};

/* Returns the class of the first grapheme cluster of text[0..len), len > 0, and its bytes. An
 * invalid byte is LETTER_WORD. */
enum letter letter_at(const char *text, size_t len, size_t *size);

/* Returns whether a character is ASCII white space. */
static inline bool letter_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the text after the blanks at its start. */
const char *letter_skip_blanks(const char *text);

/* Returns the length of a number in a typed list: up to a blank or a comma. */
size_t letter_number(const char *text);

#endif
