/* alibi.h: the slopes of ALiBi, for the families that start from its bias. */
#ifndef SCHEME_ALIBI_H
#define SCHEME_ALIBI_H

#include <stddef.h>

/* out[i] = the slope of head i of `heads` (Press et al.: 2^(-8(i+1)/heads) for powers of two). */
void alibi_slopes(double *out, size_t heads);

#endif
