/* input.h: a sentence as tokens, and its order.
 *
 * Tokens are words (src/input/words.c has the rules; a piece that starts with ## belongs to the
 * word before it), grapheme clusters, bytes, or given by the user. ` ||| ` separates segments.
 * Special tokens ([CLS] [SEP] <s>) keep their positions: an order moves only the tokens of the
 * sentence. Invalid UTF-8 is kept, byte by byte, as tokens or parts of tokens, and never shown
 * raw: `label` is the escaped form.
 *
 * Among words, <image 4x6> is a picture as a grid of patches, 4 rows of 6, each a token. */
#ifndef POSVIZ_INPUT_H
#define POSVIZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* The units into which a text is divided. TOKENS_PLAIN_WORDS: words by the rule of earlier
 * versions, which cut "U.S." into four. TOKENS_MODEL: by a trained model's tokenizer, which is not
 * of this folder; where a text is of no model, its units are words. */
enum token_mode {
	TOKENS_WORDS,
	TOKENS_CHARS,
	TOKENS_BYTES,
	TOKENS_GIVEN,
	TOKENS_PLAIN_WORDS,
	TOKENS_MODEL,
	TOKEN_MODES
};
extern const char
	*const token_mode_names[TOKEN_MODES + 1]; /* words chars bytes given plain-words model */

enum special { SPECIAL_CLS = 1, SPECIAL_SEP = 2, SPECIAL_BOS = 4 };

enum { INPUT_MAX_TOKENS = 4096 };

/* The cell of a patch in the grid of its picture: frame, row and column from 0. A cell belongs to
 * a position: it stays when tokens are permuted. */
struct patch {
	size_t picture; /* from 1, in the order of the text */
	size_t frame, row, col;
};

struct token {
	const char *text; /* the bytes, terminated; len counts them (a byte token may be NUL) */
	size_t len;
	const char *label; /* escaped, for people */
	bool special;
	long id;	/* of a trained model's vocabulary, where the tokens are of one; else 0 */
	size_t word;	/* index of its word; a special token or a blank is a word of its own */
	size_t segment; /* index of its segment */
	size_t place;	/* index among the non-special tokens as written; special: 0 */
	const struct patch *patch; /* NULL: the token is no patch of a picture */
};

struct input {
	struct token *tokens;
	size_t n;      /* all tokens, special ones included */
	size_t moving; /* number of tokens that an order moves: n minus the special ones */
	size_t segments;
	bool listed; /* words were asked for, but the text is a list of tokens */
};

/* Divides text[0..len) into tokens. Errors: an empty sentence (only special tokens), an empty
 * segment, cls together with bos, and more than INPUT_MAX_TOKENS tokens. Labels and copies come
 * from `a`. Words and given tokens: special tokens of models written in the text, such as [CLS]
 * </s> [MASK] <|im_end|> <0x0A>, are one token each, and those that frame a text become special
 * tokens of the input. A text that is a list of tokens (input_is_list) gives these tokens as
 * words. Chars and bytes: a blank is a token "␣", and among chars all white space is the same
 * blank.
 *
 * Given tokens are read as a tokenizer prints them. The text is divided at ASCII white space, line
 * ends included, so that tokens of one line and one a line are the same. Or it is a list of
 * quoted texts in the syntax of JSON, Python and NumPy, in which a token may hold blanks (shown
 * as "␣") and ||| is a token; or an object {"tokens": [...]} with the other fields that
 * tokenizers print (kind_token_fields). If some tokens begin with "▁" or "Ġ", a token without it
 * that begins with a letter belongs to the word before it, as a "##piece" does. An error in a list
 * names its column.
 *
 * Words only: <image ROWSxCOLUMNS> is a picture, <video FRAMESxROWSxCOLUMNS> several frames of
 * one. Its patches are tokens in rows, named "r1c1", with the numbers of frame and picture in
 * front, "i1f1r1c1", where there are several. <image 4x6/2>: row by row in blocks of 2 by 2, and
 * the blocks in rows. <<image 4x6>, and "<image 4x6>" in quotes, are words. */
bool input_sentence(struct input *in, const char *text, size_t len, enum token_mode mode,
		    unsigned special, struct arena *a, struct err *err);
/* Recognises such a list in text[0..len): a bracket followed by a quote; or an object without
 * errors. */
bool input_is_list(const char *text, size_t len);

/* Returns the offset of the next "|||" that parts segments of text[0..len), from an offset on; len:
 * there is none. */
size_t input_next_bar(const char *text, size_t len, size_t from);

/* Returns whether the rule of words and that of earlier versions, TOKENS_PLAIN_WORDS, give the
 * same tokens. */
bool input_words_alike(const char *text, size_t len);

/* Works like input_sentence for words given one by one, each one token, or its characters or
 * bytes; blanks in a word belong to it. The index of a word is its token.word minus that of the
 * first word. */
bool input_words(struct input *in, const char *const *words, size_t n, enum token_mode mode,
		 unsigned special, struct arena *a, struct err *err);

/* Reads "cls,sep" and the like into flags; "none" or "" is 0. */
bool input_parse_special(const char *text, unsigned *special, struct err *err);

/* SPELLED_LIST: one list of numbers. SPELLED_PAIRS: a list of pairs. SPELLED_ROWS: one list or
 * several. */
enum spelled_kind { SPELLED_LIST, SPELLED_PAIRS, SPELLED_ROWS };

/* Reads a list of numbers as a program prints it, in brackets: [0, 1] of Python and JSON, [0 1]
 * of NumPy, (0, 1), array([0, 1]), tensor([[0, 1]], device='cuda:0'). *out gets "0 1" from `a`;
 * for pairs, [(1, 1), (2, 3)], "1-1 2-3"; for rows, [[0, 1], [2, 3]], "0 1; 2 3". A float with a whole value loses its point. Numbers
 * without brackets, separated by blanks or commas, are read too. The error begins with the
 * column, or line and column. */
bool input_spelled(const char *text, size_t len, enum spelled_kind kind, struct arena *a,
		   const char **out, struct err *err);
/* Recognises the beginning of such a list in text[0..len): a bracket, or a name followed by a
 * round bracket. */
bool input_is_spelled(const char *text, size_t len);

/* Reads an order for n moving tokens into order[n]: "1 2 3" (or with commas), "identity",
 * "reverse", "shuffle:SEED". order[i] is the original position (from 0; from 1 in the text) of
 * the token that is now at i. The error names a missing or repeated number. */
bool input_parse_order(const char *text, size_t n, size_t *order, struct err *err);
/* Works like input_parse_order, without "order: " in front of the message. */
bool input_parse_places(const char *text, size_t n, size_t *order, struct err *err);

/* Reads the new position of each of n words after neighbours were swapped into place[n], from 0:
 * "[a <b c>]" keeps a where it is and puts c before b. The brackets contain the words in the
 * order of the sentence, or their numbers from 1. The error begins with the column. */
bool input_parse_turns(const char *text, const char *const *words, size_t n, size_t *place,
		       struct err *err);
/* Returns the number of words (or their numbers) inside such brackets. */
size_t input_count_turns(const char *text);

/* Returns "3 1 2", counted from 1, or "identity" when nothing moves. */
const char *input_print_order(struct arena *a, const size_t *order, size_t n);

/* Returns the orders on the way from one order to another of the same n tokens, the last of them
 * included: from each to the next, disjoint pairs of neighbours are swapped. *n_frames is their
 * number, n at most; 0 if both orders are equal. */
size_t **input_orders_between(const size_t *from, const size_t *to, size_t n, struct arena *a,
			      size_t *n_frames);

/* Returns the text of pictures that are written as numbers: "<image 14x14>" for "14x14", and one
 * after the other for several; NULL: an error. */
const char *input_patches(const char *text, struct arena *a, struct err *err);

/* Fills the three position ids of every token, [n] each, by the rule of Qwen2-VL (M-RoPE): a token
 * of the text has the same number m as temporal, height and width, and the next token m + 1; a
 * patch has m plus its frame, row and column, and the token after the picture the greatest number
 * and 1. */
void input_axes(const struct input *in, double *temporal, double *height, double *width);
/* Returns whether a token is a patch. */
bool input_has_picture(const struct input *in);

/* Makes the input with its moving tokens in the given order; special tokens stay where they are.
 * Segments and cells of a grid belong to positions and stay; words are counted anew, in the order in which they now
 * appear. */
void input_permute(struct input *out, const struct input *in, const size_t *order, struct arena *a);

#endif
