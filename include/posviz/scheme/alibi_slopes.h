/* alibi_slopes.h: the slopes of ALiBi, for families that build on its bias. */
#ifndef POSVIZ_ALIBI_SLOPES_H
#define POSVIZ_ALIBI_SLOPES_H

#include <stddef.h>

/* Computes out[i], the slope of head i of `heads` (Press et al.: 2^(-8(i+1)/heads) for powers of
 * two). */
void alibi_slopes(double *out, size_t heads);

/* The rule in words, for recipes: for head H, from 0, of h. */
/* clang-format off */
#define ALIBI_SLOPES \
	"2^(-8(H+1)/h) of h heads, h a power of two; otherwise the first p heads, p the power of " \
	"two below h, have those of p heads and the others the first, third, ... of 2p heads"
/* clang-format on */

#endif
