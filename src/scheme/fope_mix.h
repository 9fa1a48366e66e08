/* fope_mix.h: which frequencies Fourier position embedding keeps, and how each pair mixes them. */
#ifndef SCHEME_FOPE_MIX_H
#define SCHEME_FOPE_MIX_H

#include "posviz/model/stage.h"

struct fope {
	double base, share, gain;
	long length;
	bool normalise;
};

/* What is left of the frequencies, and how many pairs they turn. */
struct fope_mix {
	size_t kept, pairs, all; /* D', M, d_h/2 */
	double *rate;		 /* [kept] */
};

/* How many of the frequencies of so many pairs come round within the training length: rates fall, so
 * those come first. */
size_t fope_kept(const struct fope *p, size_t pairs, size_t t_max);
struct fope_mix fope_mix_of(struct run *run, const struct fope *p);

/* at [D',M]: of a head and this layer, drawn from the seed: normal numbers, and 1 more where pair m meets
 * frequency m·⌈D'/M⌉. `name` tells sines from cosines. */
void fope_mix_draw(struct mat at, struct run *run, const struct member *m, const char *name,
		   size_t head, const struct fope_mix *mix);

#endif
