/* tensor_file.h: a file of tensors, or all files of a model, opened but not read: names, types and
 * shapes at once, numbers when they are asked for.
 *
 * Opened are a safetensors file, an index of such files (model.safetensors.index.json), a
 * directory that holds one of these, and GGUF of versions 2 and 3. Opening reads the headers
 * alone, so that a model of 30 GB opens in milliseconds. Numbers are read by their place in the
 * file and converted on the way; nothing is mapped, so a file that shrinks meanwhile is an error
 * and not a signal. A file that was written again or replaced since it was opened is refused.
 *
 * Names, keys and texts come from the file: they pass through text_quote or text_escape before
 * they are shown. Errors begin with the file's quoted path and name the tensor or the key. */
#ifndef POSVIZ_TENSOR_FILE_H
#define POSVIZ_TENSOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/sha256.h"
#include "posviz/format/tensor.h"

struct tensor_file;

struct tensor_entry {
	const char *name; /* in UTF-8 */
	const char *type; /* as the format calls it: "BF16", "Q4_K" */
	/* The reason why its numbers cannot be had: "numbers of type F8_E4M3 are not read"; NULL:
	 * they can. A file with such tensors opens like any other. */
	const char *unread;
	/* Row-major: the last size belongs to neighbours in the file. GGUF lists sizes the other way
	 * round; here a matrix of a linear layer is [out, in] in both formats. */
	size_t dims, shape[TENSOR_DIMS];
	bool integer;	/* integers and truth values */
	uint64_t bytes; /* in the file */
	/* The rest is the reader's: the file, the place in it, the element's type. */
	size_t file;
	uint64_t begin;
	int element;
};

/* Opens a file or a directory. NULL with an error, which for files of models that are not read
 * (pickles, adapters without their model, pointers of Git LFS, parts of a split GGUF) says what would be right. */
struct tensor_file *tensor_file_open(const char *path, struct err *err);
/* Opens the bytes of a safetensors or GGUF file, which must stay until it is closed; `name` is for
 * messages. */
struct tensor_file *tensor_file_open_bytes(const char *name, const void *data, size_t len,
					   struct err *err);
void tensor_file_close(struct tensor_file *f); /* or NULL */
/* Opens a file like tensor_file_open, in an arena; it needs no closing, since no file stays open. */
const struct tensor_file *tensor_file_open_in(struct arena *a, const char *path, struct err *err);

const char *tensor_file_path(const struct tensor_file *f); /* as it was given */
bool tensor_file_is_gguf(const struct tensor_file *f);

/* Returns why weights of a model cannot be had that GPTQ, AWQ, bitsandbytes or the like packed;
 * NULL: none is packed. What is not packed, such as embeddings, can be read all the same. */
const char *tensor_file_packed(const struct tensor_file *f);

/* Tensors, in the order of the file; of shards, one shard after the other. tensor_file_find looks
 * up a name in constant time; NULL: there is none. */
size_t tensor_file_count(const struct tensor_file *f);
const struct tensor_entry *tensor_file_at(const struct tensor_file *f, size_t i);
const struct tensor_entry *tensor_file_find(const struct tensor_file *f, const char *name);

/* Return the shape as a matrix: a vector or a number is one row, further dimensions are folded
 * into the rows. */
size_t tensor_entry_rows(const struct tensor_entry *e);
size_t tensor_entry_cols(const struct tensor_entry *e);

/* Reads rows [first, first + rows) of the matrix as out[rows * cols]. Threads may read from one
 * file at the same time. */
bool tensor_file_rows(const struct tensor_file *f, const struct tensor_entry *e, size_t first,
		      size_t rows, double *out, struct err *err);

/* ---- hashes ---------------------------------------------------------------------------------- */

/* Return the number of files that it stands for, and the path of one. */
size_t tensor_file_parts(const struct tensor_file *f);
const char *tensor_file_part(const struct tensor_file *f, size_t i);
/* Add the bytes of file i in front of its first tensor; those of rows of a tensor as they are stored. */
bool tensor_file_hash_header(const struct tensor_file *f, size_t i, struct sha256 *to,
			     struct err *err);
bool tensor_file_hash_rows(const struct tensor_file *f, const struct tensor_entry *e, size_t first,
			   size_t rows, struct sha256 *to, struct err *err);

/* ---- metadata -------------------------------------------------------------------------------- */

enum file_value_kind {
	FILE_VALUE_NUMBER, /* integers beyond 2^53 are rounded */
	FILE_VALUE_TRUTH,
	/* In UTF-8 and of 64 KiB at most; any other text is a list of one. */
	FILE_VALUE_TEXT,
	FILE_VALUE_NUMBERS, /* lists, which stay in the file until they are asked for */
	FILE_VALUE_TEXTS,
	FILE_VALUE_LISTS, /* lists of lists, which nothing reads */
};

/* A key of the metadata: of GGUF, of any kind; the __metadata__ of safetensors, texts. */
struct file_value {
	const char *key;
	enum file_value_kind kind;
	double number;	  /* of FILE_VALUE_NUMBER; of FILE_VALUE_TRUTH 0 or 1 */
	const char *text; /* of FILE_VALUE_TEXT, in UTF-8; else NULL */
	size_t count;	  /* items of a list */
	/* The rest is the reader's. */
	uint64_t begin;
	int type;
};

size_t tensor_file_value_count(const struct tensor_file *f);
const struct file_value *tensor_file_value_at(const struct tensor_file *f, size_t i);
const struct file_value *tensor_file_value(const struct tensor_file *f,
					   const char *key); /* or NULL */

/* Read a list of numbers (truth values are 0 and 1) or of texts: count items from `a`. Bytes of
 * texts that are not UTF-8, which vocabularies have, stay as they are; *len, if asked for, gets the
 * lengths. NULL with an error, also when the value is of another kind. */
const double *tensor_file_numbers(const struct tensor_file *f, const struct file_value *v,
				  struct arena *a, struct err *err);
const char *const *tensor_file_texts(const struct tensor_file *f, const struct file_value *v,
				     struct arena *a, const size_t **len, struct err *err);

/* The converter of llama.cpp reorders, for the architecture "llama", the rows of W_q and W_k
 * within each head, so that a rotation of neighbours gives the result of a rotation of halves.
 * Returns the row of the matrix of heads of `head_rows` rows each, as the model was published,
 * that stands in row `row` of the GGUF file. */
size_t gguf_llama_row(size_t row, size_t head_rows);

#endif
