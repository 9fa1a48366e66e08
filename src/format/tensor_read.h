/* tensor_read.h: functions that the readers of tensor files share. */
#ifndef FORMAT_TENSOR_READ_H
#define FORMAT_TENSOR_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/format/tensor.h"

struct json_value;
struct json_writer;

/* Computes the number of elements of a shape; false when it overflows. */
bool shape_count(const size_t *shape, size_t dims, size_t *count);

/* Reads an array of at most TENSOR_DIMS sizes, whole and not negative. */
bool shape_read(const struct json_value *value, size_t *shape, size_t *dims, struct err *err);

/* Adds a tensor from a file, with space for its elements; `name` is copied. NULL with `err` when
 * the name exists or the set is full. The caller has checked that the data exists. */
double *tensor_add_read(struct tensor_set *set, const char *name, const size_t *shape, size_t dims,
			bool integer, struct err *err);

/* Adds a tensor whose numbers stay in the file. False when the name exists or the set is full. */
bool tensor_add_entry(struct tensor_set *set, const struct tensor_entry *e, struct err *err);

/* Adds every string of a JSON object to the metadata; false when one is not a string. */
bool tensor_add_read_meta(struct tensor_set *set, const struct json_value *object, struct err *err);

/* Writes the members of an open object: all metadata as strings, or, with `as_values`, JSON
 * metadata as values. */
void meta_write(const struct tensor_set *set, bool as_values, struct json_writer *w);

/* Returns the text of an npy file without dimensions, in UTF-8, without NUL; NULL: it holds
 * something else. */
const char *npy_text(const unsigned char *bytes, size_t len, struct arena *a);
/* Returns the bytes of such a file. */
unsigned char *npy_of_text(const char *text, struct arena *a, size_t *len);

/* Reads the bytes of an npy file as a tensor of this name. */
bool npy_read(struct tensor_set *set, const char *name, const unsigned char *bytes, size_t len,
	      struct err *err);

/* Puts the file's name before the message. Returns false. */
bool tensor_blame(struct err *err, const char *name);

#endif
