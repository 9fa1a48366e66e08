/* sha256.h: SHA-256 as FIPS 180-4 describes it: what sha256sum prints of the same bytes. */
#ifndef POSVIZ_SHA256_H
#define POSVIZ_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t h[8];
	uint64_t len; /* bytes so far */
	unsigned char block[64];
};

enum { SHA256_TEXT = 65 }; /* 64 hexadecimal digits and a zero */

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t len);
/* Writes the hash of all that was added; nothing may be added afterwards. */
void sha256_done(struct sha256 *s, char out[SHA256_TEXT]);

#endif
