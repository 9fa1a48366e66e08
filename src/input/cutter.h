/* cutter.h: the tokens while a text is divided. */
#ifndef INPUT_CUTTER_H
#define INPUT_CUTTER_H

#include "posviz/input/input.h"

struct cutter {
	struct token *tokens; /* NULL: they are only counted */
	struct arena *arena;
	size_t n, moving, words, segment;
	size_t pictures, of; /* pictures so far; in the whole text, known when tokens are made */
};

enum joins { OWN_WORD, SAME_WORD };

/* Adds the token text[0..len), which is copied. `label` NULL: the text, escaped. */
void cutter_push(struct cutter *c, const char *text, size_t len, const char *label, bool special,
		 enum joins joins);

/* Returns the length of a model's special token, such as [CLS], at text[0..len), or 0. *stays:
 * an order does not move it. `plain`: only those that earlier versions knew. */
size_t cutter_special(const char *text, size_t len, bool plain, bool *stays);

/* Divides one segment into words; `plain`: by the rule of earlier versions, in which every
 * punctuation mark is separate. */
bool cut_words(struct cutter *c, const char *text, size_t len, bool plain, struct err *err);

/* Adds the patches of a picture that begins at text + at, <image 4x6>. *size gets its bytes, or 0:
 * there is none. False: an error, which quotes the text and says how a picture is written. */
bool cut_picture(struct cutter *c, const char *text, size_t len, size_t at, size_t *size,
		 struct err *err);
/* Returns whether text[0..len) escapes a picture: a second < before <image 4x6>. */
bool cutter_escapes(const char *text, size_t len);

/* Divides one segment into tokens at blanks and line ends. */
void cut_blanks(struct cutter *c, const char *text, size_t len);

/* Returns whether a text begins like an object of JSON or Python. */
bool input_is_object(const char *text, size_t len);
/* Reads the tokens of a list that input_is_list recognises, or of such an object. The error
 * names the column. */
bool cut_list(struct cutter *c, const char *text, size_t len, struct err *err);

#endif
