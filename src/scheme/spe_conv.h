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
	long reach;		  /* distances beyond it share no noise */
	const struct index *row;  /* [n,n] → 0..2·reach+1, the last for what is beyond */
	struct node *table;	  /* [2·reach+2, d]: P of distance row - reach, 0 in the last */
	const struct index *taps; /* [n, length]: which tap reads a number of the noise; or -1 */
	struct node *conv_q, *conv_k, *gate;
};

/* The number of the noise at `place` is read by the tap place - position. NULL on error. */
const struct index *spe_conv_taps(struct run *run, const struct member *m, struct err *err);
/* The hook `qk`; and for `memory`, the noise where it is kept. */
head_hook spe_conv_qk;
double spe_conv_memory(const struct model *model, const struct member *m,
		       const struct model_input *in, unsigned kinds);

#endif
