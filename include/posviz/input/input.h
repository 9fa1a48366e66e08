/* input.h: a sentence as tokens, and its order.
 *
 * Tokens are words (src/input/words.c says where one ends; a piece that starts with ## belongs to the word
 * before it), grapheme clusters, bytes, or what is given as tokens. ` ||| ` parts segments. Special
 * units ([CLS] [SEP] <s>) stand where they stand: an order moves only the tokens of the sentence.
 * Invalid UTF-8 is kept, byte by byte, as tokens or parts of tokens, and never shown raw: `label` is the
 * escaped form.
 */
#ifndef POSVIZ_INPUT_H
#define POSVIZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* TOKENS_PLAIN_WORDS: words as earlier versions cut them, "U.S." into four. */
enum token_mode {
	TOKENS_WORDS,
	TOKENS_CHARS,
	TOKENS_BYTES,
	TOKENS_GIVEN,
	TOKENS_PLAIN_WORDS,
	TOKEN_MODES
};
extern const char
	*const token_mode_names[TOKEN_MODES + 1]; /* words chars bytes given plain-words */

enum special { SPECIAL_CLS = 1, SPECIAL_SEP = 2, SPECIAL_BOS = 4 };

enum { INPUT_MAX_TOKENS = 4096 };

struct token {
	const char *text; /* the bytes, terminated; len counts them (a byte token may be NUL) */
	size_t len;
	const char *label; /* escaped, for people */
	bool special;
	size_t word;	/* index of its word; a special unit or a blank is a word of its own */
	size_t segment; /* index of its segment */
	size_t place; /* its index among the non-special tokens as they were written; special: 0 */
};

struct input {
	struct token *tokens;
	size_t n;      /* all units, special ones included */
	size_t moving; /* tokens that an order moves: n minus the special ones */
	size_t segments;
	bool listed; /* words were asked for, and the text is a list of tokens */
};

/* Splits text[0..len). An empty sentence (no token but special ones), an empty segment, cls with bos,
 * and more than INPUT_MAX_TOKENS units are errors. Labels and copies come from `a`.
 * Words and given tokens: special tokens of models written in the text, as [CLS] </s> [MASK] <|im_end|> <0x0A>, are
 * one token each, and those that frame a text special units too. Words that are a list of tokens (input_is_list)
 * are these. Chars and bytes: a blank is a
 * token "␣", and all white space is the same blank among chars. */
bool input_sentence(struct input *in, const char *text, size_t len, enum token_mode mode,
		    unsigned special, struct arena *a, struct err *err);

/* Tokens as a tokenizer gives them: text[0..len) parted at white space of ASCII, line ends too, so that
 * tokens of one line and one a line are the same; or a list of texts in quotes as JSON, Python and NumPy
 * write it, in which a token may hold blanks (shown as "␣") and ||| is a token; or an object {"tokens": [...]} with
 * what tokenizers print beside it (kind_token_fields). Where some
 * begin with "▁" or "Ġ", one without it whose first sign is a letter belongs to the word before it, as a
 * "##piece" does. The same errors as above; one in a list names its column. */
bool input_given(struct input *in, const char *text, size_t len, unsigned special, struct arena *a,
		 struct err *err);
/* Recognises such a list in text[0..len): a bracket, and behind it a quote; or an object without errors. */
bool input_is_list(const char *text, size_t len);

/* True where the rule of words and that of earlier versions, TOKENS_PLAIN_WORDS, give the same tokens. */
bool input_words_alike(const char *text, size_t len);

/* The same of words that are given apart, each one token, or the characters or bytes of it; blanks in a
 * word are its own. Word i of them is token.word - i of the first one. */
bool input_words(struct input *in, const char *const *words, size_t n, enum token_mode mode,
		 unsigned special, struct arena *a, struct err *err);

/* Reads "cls,sep" and the like into flags; "none" or "" is 0. */
bool input_parse_special(const char *text, unsigned *special, struct err *err);

/* A list of numbers as a program prints it, in brackets: [0, 1] of Python and JSON, [0 1] of NumPy, (0, 1),
 * array([0, 1]), tensor([[0, 1]], device='cuda:0'). *out gets "0 1" from `a`; of pairs, [(1, 1), (2, 3)],
 * "1-1 2-3". A float that is whole loses its point. Numbers without brackets, parted
 * by blanks or commas, are read too. The error begins with the column, or line and
 * column. */
bool input_spelled(const char *text, size_t len, bool pairs, struct arena *a, const char **out,
		   struct err *err);
/* Recognises the beginning of one in text[0..len): a bracket, or a name and a round one. */
bool input_is_spelled(const char *text, size_t len);

/* Reads an order for n moving tokens into order[n]: "1 2 3" (or with commas), "identity",
 * "reverse", "shuffle:SEED". order[i] is the old place (from 0; from 1 in the text) of the token now
 * at i. The error names what is missing or double. */
bool input_parse_order(const char *text, size_t n, size_t *order, struct err *err);
/* The same for who says otherwise than "order: " what it is that does not fit. */
bool input_parse_places(const char *text, size_t n, size_t *order, struct err *err);

/* Reads where each of n words stands after neighbours were turned round into place[n], from 0:
 * "[a <b c>]" leaves a where it is and has c before b. In the brackets stand the words in the order of
 * the sentence, or their numbers from 1. The error begins with the column. */
bool input_parse_turns(const char *text, const char *const *words, size_t n, size_t *place,
		       struct err *err);
/* Words, or what stands for them, between such brackets. */
size_t input_count_turns(const char *text);

/* "3 1 2" from 1, or "identity" when nothing moves. */
const char *input_print_order(struct arena *a, const size_t *order, size_t n);

/* The orders on the way from one to another of the same n tokens, the last of them: between one and the next,
 * neighbours have changed places, none of them twice. *n_frames of them, n at most; 0 where both are one. */
size_t **input_orders_between(const size_t *from, const size_t *to, size_t n, struct arena *a,
			      size_t *n_frames);

/* The input with its moving tokens in the given order; special units stay where they are. Segments
 * are of the place and stay with it; words are counted anew, in the order they now appear in. */
void input_permute(struct input *out, const struct input *in, const size_t *order, struct arena *a);

#endif
