/* tokenizer.h: a model's own tokenizer: from a text to ids of its vocabulary.
 *
 * It is read from the model's files: tokenizer.json, vocab.txt of WordPiece, a model of
 * SentencePiece, or the vocabulary within a GGUF file. A part that is not known is refused by its
 * name, because the ids without it would be others than the model was trained on. */
#ifndef POSVIZ_TOKENIZER_H
#define POSVIZ_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

struct tokenizer;

/* A token of a text. */
struct piece {
	long id;
	const char *text; /* as the vocabulary has it, in UTF-8, terminated */
	size_t len;
	bool frame;	/* the model's frame around the text put it there: [CLS], <s> */
	size_t segment; /* the type of the frame's template */
	size_t word;	/* pieces of a word share it; counted from 0 */
};

struct pieces {
	struct piece *at; /* from an arena */
	size_t n, room;
};

struct span {
	const char *at;
	size_t len;
};

/* Returns the tokenizer of a model, a directory or a GGUF file. It is read once and kept, so that a
 * text can be cut at every keystroke; whoever holds it drops it. NULL with one line. */
const struct tokenizer *tokenizer_hold(const char *path, struct err *err);
void tokenizer_drop(const struct tokenizer *t); /* or NULL */

/* Returns whether there is a tokenizer at all, which may turn out to be one that is not known. */
bool tokenizer_is_there(const char *path);

/* Returns the file that it was read from, for messages. */
const char *tokenizer_path(const struct tokenizer *t);

/* Cuts one text, or a pair, into tokens with the model's frame. False with one line, which says why
 * the tokenizer cannot take the text. */
bool tokenizer_cut(const struct tokenizer *t, const struct span *texts, size_t n, struct arena *a,
		   struct pieces *out, struct err *err);

/* Returns the number of ids, and the piece of one; "" where the vocabulary has none. */
size_t tokenizer_ids(const struct tokenizer *t);
const char *tokenizer_piece(const struct tokenizer *t, long id);

/* Returns a piece for people, escaped: a blank in front is "·", a blank alone "␣", a line end "↵", a
 * tab "→", and a byte that is no whole letter "<E2>". */
const char *tokenizer_label(const struct tokenizer *t, long id, struct arena *a);

/* Makes a tokenizer of the bytes of a file that the name says: "tokenizer.json", "vocab.txt",
 * "tokenizer.model" or "x.gguf". It belongs to whoever frees it. */
struct tokenizer *tokenizer_of_bytes(const char *name, const char *data, size_t len,
				     struct err *err);
void tokenizer_free(struct tokenizer *t); /* or NULL */

#endif
