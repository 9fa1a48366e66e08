/* selrope.h: the angles that the tokens determine (Movahedi et al. 2025). */
#ifndef SCHEME_SELROPE_H
#define SCHEME_SELROPE_H

#include "posviz/scheme/scheme.h"

enum proj { LOW_RANK, PER_HEAD };
struct selrope {
	int proj;
	long rank;
	bool bias, gate;
	double base;
};

extern const struct leaf_row selrope_leaves[];

/* Returns φ of token vectors in reading order, [n, d/2]. */
struct node *selrope_phases(struct run *run, const struct member *m, struct node *units);

/* Returns the number of components of the token vector that are a head's, from which its angles are
 * made. */
static inline size_t selrope_input(const struct model *model)
{
	return model->config.d / model->config.heads;
}

#endif
