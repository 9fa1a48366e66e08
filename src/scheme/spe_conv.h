/* spe_conv.h: filters of noise, and a finite number of draws of it. */
#ifndef SCHEME_SPE_CONV_H
#define SCHEME_SPE_CONV_H

#include "scheme/spe.h"

enum { SPE_CONV_MAX_KERNEL = 512 };

struct spe_conv {
	long kernel, samples;
	bool gated;
};

struct spe_conv_state {
	long reach;		  /* distances beyond it have no common noise */
	const struct index *row;  /* [n,n] → 0..2·reach+1, the last for greater distances */
	struct node *table;	  /* [2·reach+2, d]: P of distance row - reach, 0 in the last */
	const struct index *taps; /* [n, length]: the tap that reads a number of the noise; or -1 */
	struct node *conv_q, *conv_k, *gate;
};

/* Returns the index of taps: the number of the noise at `place` is read by the tap place -
 * position. NULL on error. */
const struct index *spe_conv_taps(struct run *run, const struct member *m, struct err *err);
/* The hook `qk`; and for `memory`, the memory of the noise if it is kept. */
head_hook spe_conv_qk;
double spe_conv_memory(const struct model *model, const struct member *m,
		       const struct model_input *in, unsigned kinds);

#endif
