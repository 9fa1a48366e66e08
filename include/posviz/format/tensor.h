/* tensor.h: a set of named tensors with text metadata, and its file formats.
 *
 * `dump` writes such sets; `--units`, `--weights` and `--params` read them. Values are double in
 * memory whatever the file holds (F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 BOOL are read;
 * F64 is written, or I64 for tensors marked `integer`). Readers trust nothing: every offset,
 * shape and length is checked before it is used. */
#ifndef POSVIZ_TENSOR_H
#define POSVIZ_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/math/mat.h"

enum { TENSOR_DIMS = 5, TENSOR_MAX_JSON = 32 << 20 /* bytes of JSON that are read at most */ };

struct tensor_entry;
struct tensor_source;

struct tensor {
	const char *name;
	size_t dims, shape[TENSOR_DIMS];  /* row-major, without gaps; dims 0 is a scalar */
	const double *at;		  /* NULL: still in the file; tensor_load */
	bool integer;			  /* written as I64 */
	const struct tensor_entry *entry; /* in the file that it is read from; or NULL */
};

struct tensor_meta {
	const char *key, *value;
	bool json; /* the value is the text of a JSON value */
};

/* A callback for long output, called now and then while numbers are printed, with the part done,
 * in [0, 1], and the bytes. */
struct tensor_progress {
	void (*tell)(void *context, double done, size_t bytes);
	void *context;
};

/* A hash table of names with linear probing. */
struct name_index {
	size_t *slots; /* index in the array of the names, + 1; 0: free */
	size_t n;
	size_t probes; /* slots that were probed to add names */
};

struct tensor_set {
	struct arena *arena;
	struct tensor *tensors;
	size_t count, cap;
	struct tensor_meta *meta;
	size_t meta_count, meta_cap;
	struct name_index by_name, by_key;	/* of tensors, of metadata */
	const struct tensor_progress *progress; /* progress of writing JSON; NULL: none */
	struct tensor_source *source; /* of numbers that are not read yet; NULL: there are none */
	size_t limit;		      /* bytes of numbers that may be read from it; 0: any */
};

void tensor_set_init(struct tensor_set *set, struct arena *arena);

/* Adds a copy of `m` as a [rows, cols] tensor, or [cols] when `vector` (rows must be 1). A name
 * that exists already is a BUG. */
void tensor_set_add(struct tensor_set *set, const char *name, struct mat m, bool vector);
/* Add metadata; a key that exists already gets the new value. The second function takes the
 * compact text of a JSON value, which stays JSON in formats that allow it. */
void tensor_set_add_meta(struct tensor_set *set, const char *key, const char *value);
void tensor_set_add_meta_json(struct tensor_set *set, const char *key, const char *value);

const struct tensor *tensor_find(const struct tensor_set *set, const char *name); /* or NULL */
const char *tensor_meta_find(const struct tensor_set *set, const char *key);	  /* or NULL */

/* Returns the tensor as a matrix: a vector is one row, further dimensions are folded into the
 * rows. */
struct mat tensor_mat(const struct tensor *t);

/* Readers of a whole file in memory (`name` is for messages). npy, csv and JSON of nothing but nested
 * lists hold one tensor, named "data"; labels of a csv become the metadata axis.query (rows) and
 * axis.key (columns), JSON lists as in a dump. After a failure the set holds the part that was read
 * before it. */
bool tensor_read_npy(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
/* Reads an archive: each NAME.npy is the tensor NAME; the text metadata.npy is metadata. */
bool tensor_read_npz(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
bool tensor_read_csv(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
bool tensor_read_json(struct tensor_set *set, const char *name, const void *data, size_t len,
		      struct err *err);
/* Reads a file or the directory of a model, by its first bytes, else by its suffix. Of safetensors,
 * an index of such files, a directory and GGUF (tensor_file.h) the set gets names and shapes, and
 * texts of the metadata; numbers stay in the file. Other files are read whole. */
bool tensor_read_file(struct tensor_set *set, const char *path, struct err *err);

/* Returns the tensor with its numbers: `t` itself, which belongs to the set, or, for an arena that is
 * not the set's, a copy in it. NULL if they cannot be read, or take more than the set's limit. */
const struct tensor *tensor_load(const struct tensor_set *set, const struct tensor *t,
				 struct arena *a, struct err *err);
/* Checks that reading so many rows of the tensor as a matrix stays within the set's limit. */
bool tensor_load_fits(const struct tensor_set *set, const struct tensor *t, size_t rows,
		      struct err *err);
/* Reads rows of the tensor as a matrix: out[n][cols]. */
bool tensor_load_rows(const struct tensor_set *set, const struct tensor *t, size_t first, size_t n,
		      double *out, struct err *err);

/* Opens "FILE" or "FILE:TENSOR", a regular file or a directory, and chooses one tensor: the named
 * one, else one of the `usual` names (ends with NULL), else the only tensor of the file. Its numbers
 * may still be in the file; tensor_read_one reads them, and of the other tensors none. */
bool tensor_choose(struct tensor_set *set, const char *spec, const char *const *usual,
		   const struct tensor **out, struct err *err);
bool tensor_read_one(struct tensor_set *set, const char *spec, const char *const *usual,
		     const struct tensor **out, struct err *err);

/* Returns the labels of an axis, "axis.query" or "axis.key", if the metadata has `n` of them;
 * else NULL. */
const char *const *tensor_labels(const struct tensor_set *set, const char *axis, size_t n);

/* Returns the shape as text: "[3, 4, 8]". */
const char *tensor_shape_text(const struct tensor *t, struct arena *a);
/* Checks that every entry is a finite number; else the error names the tensor and the entry,
 * from 1. */
bool tensor_check_finite(const struct tensor *t, struct err *err);
/* Returns up to five names of a set for messages, uncut, the one most similar to `wanted` (or
 * NULL) first: "a, b and 7 more". */
const char *tensor_names(const struct tensor_set *set, const char *wanted, struct arena *a);

/* Writers into memory. safetensors and npz are deterministic: metadata and tensors in the order
 * added, the header padded to 8 bytes; in an archive nothing is compressed, and each file is
 * dated 1 January 1980. npz: NAME.npy for each tensor, and metadata.npy, a 0-dimensional text
 * array that holds a JSON object of strings and, for JSON metadata, of these values. npy and csv
 * take one tensor; csv may have labels on rows and columns (NULL for none). JSON: {"metadata":
 * {key: text}, "about": {key: value}, "tensors": {name: {"shape": [...], "data": [...]}}}:
 * `about` is the metadata as in npz; non-finite numbers are the strings "inf", "-inf", "nan". */
bool tensor_write_safetensors(const struct tensor_set *set, struct arena *a, char **data,
			      size_t *len, struct err *err);
bool tensor_write_npz(const struct tensor_set *set, struct arena *a, char **data, size_t *len,
		      struct err *err);
bool tensor_write_npy(const struct tensor *t, struct arena *a, char **data, size_t *len,
		      struct err *err);
bool tensor_write_csv(const struct tensor *t, const char *const *row_labels,
		      const char *const *col_labels, struct arena *a, char **data, size_t *len,
		      struct err *err);
bool tensor_write_json(const struct tensor_set *set, struct arena *a, char **data, size_t *len,
		       struct err *err);

#endif
