/* label_mean.h: the paths that a pair of tokens reads: one, or the mean of several shortest
 * ones. */
#ifndef SCHEME_LABEL_MEAN_H
#define SCHEME_LABEL_MEAN_H

#include "scheme/label_path.h"

/* Several paths of the same length in order, and the multiplicity of each. */
struct tie {
	size_t n, length;
	int32_t *path;
	double *count;
	int32_t number; /* in the order of discovery */
};

/* A set of distinct ties. */
struct tie_set {
	struct arena *arena;
	struct tie *at;
	size_t n, cap;
	int32_t *slots; /* hash table with open addressing; 1 + number, 0: free */
	size_t n_slots;
};

/* Returns the number of these ties, which are copied if they are new. */
int32_t label_tie_number(struct tie_set *set, const struct tie *tie);

/* While paths are searched a pair stores the number of a path, or as a negative value that of a
 * tie. */
static inline int32_t label_pair_of_tie(int32_t tie)
{
	return -1 - tie;
}

static inline int32_t label_tie_of_pair(int32_t pair)
{
	return -1 - pair;
}

/* Replaces the numbers stored by pairs by those of means, among the means that pairs read. Ties
 * contain numbers of paths. */
struct path_means label_means(struct tie_set *ties, const struct label_paths *paths, int32_t *pairs,
			      size_t n_pairs, struct arena *a);

#endif
