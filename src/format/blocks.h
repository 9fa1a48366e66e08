/* blocks.h: numbers in the blocks of GGUF. */
#ifndef FORMAT_BLOCKS_H
#define FORMAT_BLOCKS_H

#include "format/element.h"

/* Decodes whole blocks: `count` is a multiple of element_block(kind). */
void block_decode(double *out, const unsigned char *bytes, enum element_kind kind, size_t count);

#endif
