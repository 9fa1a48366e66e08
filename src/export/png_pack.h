/* png_pack.h: compresses the pixels of a PNG into the bytes of its IDAT. */
#ifndef POSVIZ_EXPORT_PNG_PACK_H
#define POSVIZ_EXPORT_PNG_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

struct png_rows {
	const uint8_t *at; /* [n, bytes] */
	size_t n, bytes;
};

/* Returns the same bytes for any number of threads. */
void png_pack(const struct png_rows *rows, struct arena *a, uint8_t **data, size_t *len);

#endif
