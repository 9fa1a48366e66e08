/* gguf.h: reading the header of a GGUF file from front to back. */
#ifndef FORMAT_GGUF_H
#define FORMAT_GGUF_H

#include "format/tensor_file_in.h"

enum { GGUF_WINDOW = 64 << 10 };

/* A place in a file, and a window of its bytes. */
struct gguf_reader {
	const struct shard *shard;
	uint64_t at;	       /* of the next byte, at most the file's size */
	uint64_t from;	       /* where the window begins */
	size_t have;	       /* bytes in it */
	unsigned char *window; /* [GGUF_WINDOW] */
};

void gguf_reader_init(struct gguf_reader *r, const struct shard *s, uint64_t at, struct arena *a);
/* Returns the bytes from the present place to the end of the file. */
uint64_t gguf_left(const struct gguf_reader *r);

/* Read a number of 4 or 8 bytes; copy `len` bytes; false with an error where the file ends before. */
bool gguf_u32(struct gguf_reader *r, uint32_t *out, struct err *err);
bool gguf_u64(struct gguf_reader *r, uint64_t *out, struct err *err);
bool gguf_bytes(struct gguf_reader *r, void *out, size_t len, struct err *err);
bool gguf_skip(struct gguf_reader *r, uint64_t len, struct err *err);

/* Reads the length of a string, at most `most` and at most what is left. */
bool gguf_length(struct gguf_reader *r, uint64_t most, uint64_t *len, struct err *err);
/* Reads a name: not empty, UTF-8, without NUL. NULL with an error. */
char *gguf_name(struct gguf_reader *r, struct arena *a, struct err *err);

/* Reads a key with its value; a list is passed over and stays in the file. */
bool gguf_read_value(struct tensor_file *f, struct gguf_reader *r, struct err *err);

#endif
