/* fope_mix.h: the frequencies that Fourier position embedding keeps, and the mixture of each
 * pair. */
#ifndef SCHEME_FOPE_MIX_H
#define SCHEME_FOPE_MIX_H

#include "posviz/model/stage.h"

struct fope {
	double base, share, gain;
	long length;
	bool normalise;
};

/* The remaining frequencies, and the number of pairs that they rotate. */
struct fope_mix {
	size_t kept, pairs, all; /* D', M, d_h/2 */
	double *rate;		 /* [kept] */
};

/* Returns how many of the frequencies of so many pairs complete a period within the training
 * length: rates decrease, so these are the first ones. */
size_t fope_kept(const struct fope *p, size_t pairs, size_t t_max);
struct fope_mix fope_mix_of(struct run *run, const struct fope *p);

/* Fills at [D',M] for a head and this layer, drawn from the seed: normal numbers, plus 1 where
 * pair m meets frequency m·⌈D'/M⌉. `name` distinguishes sines and cosines. */
void fope_mix_draw(struct mat at, struct run *run, const struct member *m, const char *name,
		   size_t head, const struct fope_mix *mix);

#endif
