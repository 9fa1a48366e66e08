/* help_pictures.h: reads pictures as terminals do. */
#ifndef HELP_PICTURES_H
#define HELP_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/plot/raster.h"

/* Returns the CRC of PNG, Annex D: polynomial 0xedb88320, bit by bit. */
uint32_t help_png_crc(const uint8_t *at, size_t len);

/* A picture in kitty's protocol, joined from its pieces. */
struct kitty_picture {
	char *file;
	size_t size;
	const char *control; /* control data of the first piece */
	size_t pieces, longest;
	bool wrapped; /* wrapped for tmux */
};
/* Finds the first picture in the bytes; false if there is none, or its last piece is missing. */
bool kitty_read(const char *bytes, size_t len, struct arena *a, struct kitty_picture *out);

/* Finds the first sixels in the bytes; false if there are none, they have no end, or a pixel has no
 * colour. */
bool sixel_read(const char *bytes, size_t len, struct arena *a, struct image *out);

#endif
