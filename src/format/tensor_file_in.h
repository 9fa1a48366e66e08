/* tensor_file_in.h: the parts of tensor_file.c. */
#ifndef FORMAT_TENSOR_FILE_IN_H
#define FORMAT_TENSOR_FILE_IN_H

#include "format/element.h"
#include "format/shard.h"
#include "posviz/format/tensor_file.h"

enum {
	TENSOR_FILE_MOST = 1 << 18, /* tensors; a mixture of experts has some ten thousand */
	TENSOR_FILE_HEADER = 64 << 20,
	TENSOR_FILE_QUOTED = 256
};

struct json_value;

struct tensor_file {
	struct arena *own; /* what it consists of; of the caller, or `closed` */
	struct arena closed;
	const char *path;
	bool gguf;
	struct shard *shards;
	struct tensor_entry *entries;
	struct file_value *values;
	size_t n_shards, n, n_values, shard_cap, cap, value_cap;
	struct name_index by_name, by_key;
};

/* Add a file, whose path is copied; a tensor of the last file; a key of the metadata. The name is
 * copied. NULL with an error: the file cannot be read; the name is there twice, or there are too
 * many. */
struct shard *tensor_file_add_shard(struct tensor_file *f, const char *path, struct err *err);
struct tensor_entry *tensor_file_add(struct tensor_file *f, const char *name, struct err *err);
struct file_value *tensor_file_add_value(struct tensor_file *f, const char *key, struct err *err);

/* Sets why the numbers of a tensor of this type cannot be had. */
void tensor_file_refuse(struct tensor_file *f, struct tensor_entry *e, const char *type);

/* Put "tensor NAME: " or "key NAME: " before the message. Return false. */
bool tensor_blame_name(struct err *err, const char *name);
bool tensor_blame_key(struct err *err, const char *key);

/* Read the header of the last file that was added. */
bool safetensors_open(struct tensor_file *f, struct err *err);
bool gguf_open(struct tensor_file *f, struct err *err);
/* The files of a model, and the tensors in them. */
struct model_index {
	const struct json_value *map; /* an object from tensors to files */
	const char **files;	      /* each once, sorted */
	size_t n;
};
/* Parses an index. Files are names without directories. */
bool model_index_parse(const char *text, size_t len, struct arena *a, struct model_index *out,
		       struct err *err);

/* Opens a file, no directory, into a table without files. */
bool tensor_file_open_into(struct tensor_file *f, const char *path, struct err *err);
/* Opens all files of an index, or the one that a directory has. */
bool model_index_open(struct tensor_file *f, const char *path, struct err *err);
bool model_dir_open(struct tensor_file *f, const char *path, struct err *err);

/* Refuses a pointer of Git LFS, which stands for a file that was not fetched. */
bool lfs_check(const char *path, struct err *err);
/* Marks tensors from entry `first` on whose integers are packed weights as unread. */
void packed_mark(struct tensor_file *f, size_t first);

/* Checks that the data of the tensors of the last file, those from entry `first` on, lie within
 * its size and apart; with `whole` also that they cover all from `begin` to the end. */
bool tensor_file_check_places(const struct tensor_file *f, size_t first, uint64_t begin, bool whole,
			      struct err *err);

#endif
