/* tensor.h: a set of named tensors with text metadata, and its file formats.
 *
 * What `dump` writes and `--units`, `--weights`, `--params` read. Values are double in memory
 * whatever the file holds (F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 BOOL are read; F64 is written, or
 * I64 for tensors marked `integer`). Readers trust nothing: every offset, shape and length is
 * checked before it is used. */
#ifndef POSVIZ_TENSOR_H
#define POSVIZ_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/math/mat.h"

enum { TENSOR_DIMS = 5, TENSOR_MAX_JSON = 32 << 20 /* bytes that are read */ };

struct tensor {
	const char *name;
	size_t dims, shape[TENSOR_DIMS]; /* row-major, without gaps; dims 0 is a scalar */
	const double *at;
	bool integer; /* written as I64 */
};

struct tensor_meta {
	const char *key, *value;
	bool json; /* the value is the text of a JSON value */
};

/* Told now and then while many numbers are printed: which part of them is, in [0, 1], and the bytes. */
struct tensor_progress {
	void (*tell)(void *context, double done, size_t bytes);
	void *context;
};

/* A table of names: each stands at a place that follows from its letters, or in one of the next. */
struct name_index {
	size_t *slots; /* place in the array of the names, + 1; 0: free */
	size_t n;
	size_t probes; /* slots that were looked at to add names */
};

struct tensor_set {
	struct arena *arena;
	struct tensor *tensors;
	size_t count, cap;
	struct tensor_meta *meta;
	size_t meta_count, meta_cap;
	struct name_index by_name, by_key;	/* of tensors, of metadata */
	const struct tensor_progress *progress; /* of writing JSON; NULL: nobody wants to know */
};

void tensor_set_init(struct tensor_set *set, struct arena *arena);

/* Adds a copy of `m` as a [rows, cols] tensor, or [cols] when `vector` (rows must be 1). A name
 * that is present already is a BUG. */
void tensor_set_add(struct tensor_set *set, const char *name, struct mat m, bool vector);
/* A key that is present already gets the new value. The second takes the compact text of a JSON value,
 * which is one where a format can hold it so. */
void tensor_set_add_meta(struct tensor_set *set, const char *key, const char *value);
void tensor_set_add_meta_json(struct tensor_set *set, const char *key, const char *value);

const struct tensor *tensor_find(const struct tensor_set *set, const char *name); /* or NULL */
const char *tensor_meta_find(const struct tensor_set *set, const char *key);	  /* or NULL */

/* The tensor as a matrix: a vector is one row, more dimensions are folded into the rows. */
struct mat tensor_mat(const struct tensor *t);

/* Readers of a whole file in memory (`name` is for messages) and of a path. The format of a path is
 * its ending: .safetensors .npz .npy .csv .tsv .json; of another name its first bytes (kind.h). npy, csv and JSON that is nothing but nested lists hold
 * one tensor, named "data"; labels of a csv become the metadata axis.query (rows) and axis.key
 * (columns), JSON lists as in a dump. After a failure the set holds what was read before it. */
bool tensor_read_safetensors(struct tensor_set *set, const char *name, const void *data, size_t len,
			     struct err *err);
bool tensor_read_npy(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
/* Each NAME.npy of the archive is the tensor NAME; the text metadata.npy is metadata. */
bool tensor_read_npz(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
bool tensor_read_csv(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);
bool tensor_read_json(struct tensor_set *set, const char *name, const void *data, size_t len,
		      struct err *err);
bool tensor_read_file(struct tensor_set *set, const char *path, struct err *err);

/* Reads "FILE" or "FILE:TENSOR", a regular file, and finds the one tensor that is meant: the named
 * one, else one of the `usual` names (ends with NULL), else the only one there is. */
bool tensor_read_one(struct tensor_set *set, const char *spec, const char *const *usual,
		     const struct tensor **out, struct err *err);

/* The labels of an axis, "axis.query" or "axis.key", where the metadata has `n` of them; or NULL. */
const char *const *tensor_labels(const struct tensor_set *set, const char *axis, size_t n);

/* "[3, 4, 8]" */
const char *tensor_shape_text(const struct tensor *t, struct arena *a);
/* Every entry is a finite number; else the error names the tensor and the entry, from 1. */
bool tensor_check_finite(const struct tensor *t, struct err *err);
/* Up to five names of a set for messages, whole, the one like `wanted` (or NULL) first: "a, b and 7
 * more". */
const char *tensor_names(const struct tensor_set *set, const char *wanted, struct arena *a);

/* Writers into memory. safetensors and npz are deterministic: metadata and tensors in the order added, the
 * header padded to 8 bytes; in an archive nothing is packed, and each file of it is of the first day of 1980.
 * npz: NAME.npy of each tensor, and metadata.npy, a text of no dimensions, in JSON: an object of strings and,
 * where a value is JSON, that value. npy and csv take one tensor; csv may have labels on rows and columns
 * (NULL for none). JSON: {"metadata": {key: text}, "about": {key: value}, "tensors": {name: {"shape": [...],
 * "data": [...]}}}: `about` is metadata as npz has it; non-finite numbers are the strings "inf", "-inf", "nan". */
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
