/* cutter.h: where tokens go while a text is cut. */
#ifndef INPUT_CUTTER_H
#define INPUT_CUTTER_H

#include "posviz/input/input.h"

struct cutter {
	struct token *tokens; /* NULL: they are only counted */
	struct arena *arena;
	size_t n, moving, words, segment;
};

enum joins { OWN_WORD, SAME_WORD };

/* Adds the token text[0..len), which is copied. `label` NULL: the text, escaped. */
void cutter_push(struct cutter *c, const char *text, size_t len, const char *label, bool special,
		 enum joins joins);

/* The bytes of a model's special token, such as [CLS], that is written at text[0..len), or 0. *stays: whether an
 * order leaves it where it is. `plain`: of those that earlier versions knew. */
size_t cutter_special(const char *text, size_t len, bool plain, bool *stays);

/* The next "|||" with white space or an end of the text on both sides, or len. */
size_t cutter_bar(const char *text, size_t len, size_t from);

/* The tokens of one segment as words; `plain`: by the rule of earlier versions, all signs apart. */
void cut_words(struct cutter *c, const char *text, size_t len, bool plain);

/* The tokens of one segment as they are, parted by blanks and line ends. */
void cut_blanks(struct cutter *c, const char *text, size_t len);

/* True of a text that begins as an object of JSON or Python does. */
bool input_is_object(const char *text, size_t len);
/* The tokens of a list that input_is_list knows, or of such an object. The error names the column. */
bool cut_list(struct cutter *c, const char *text, size_t len, struct err *err);

#endif
