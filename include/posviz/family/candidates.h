/* candidates.h: tensors of a model of no known family that may hold what it learned of positions, told by their
 * shapes and names. */
#ifndef POSVIZ_CANDIDATES_H
#define POSVIZ_CANDIDATES_H

#include "posviz/family/family.h"

struct candidate {
	const char *tensor;
	size_t rows, cols;
	const char *may_be; /* "a table of positions" */
	const char *scheme; /* the expression that it is for */
	const char *map;    /* which parameter it is; NULL: the expression says all of it */
	long t_max;	    /* 0: not its rows */
	int points;	    /* better ones have more */
};

enum { MOST_CANDIDATES = 4 };

/* Finds the best, out[MOST_CANDIDATES], and returns their number; 0 also where the path has no tensors. */
size_t known_candidates(const struct known *k, const char *path, struct arena *a,
			struct candidate *out);

/* Returns points for the words of positions in a name, "wpe", "pos_emb", "relative_attention_bias". */
int candidate_name_points(const char *name);

#endif
