/* label_mean.h: what a pair of units reads: one path, or the mean of several shortest ones. */
#ifndef SCHEME_LABEL_MEAN_H
#define SCHEME_LABEL_MEAN_H

#include "scheme/label_path.h"

/* Several paths of one length in their order, and how often each is there. */
struct tie {
	size_t n, length;
	int32_t *path;
	double *count;
	int32_t number; /* as found */
};

/* Distinct ones. */
struct tie_set {
	struct arena *arena;
	struct tie *at;
	size_t n, cap;
	int32_t *slots; /* open hashing; 1 + number, 0: free */
	size_t n_slots;
};

/* The number of these ties, which are copied if they are new. */
int32_t label_tie_number(struct tie_set *set, const struct tie *tie);

/* While paths are found a pair holds the number of a path, or below 0 that of a tie. */
static inline int32_t label_pair_of_tie(int32_t tie)
{
	return -1 - tie;
}

static inline int32_t label_tie_of_pair(int32_t pair)
{
	return -1 - pair;
}

/* What pairs hold becomes the number of a mean, of those that pairs read. Ties hold numbers of paths. */
struct path_means label_means(struct tie_set *ties, const struct label_paths *paths, int32_t *pairs,
			      size_t n_pairs, struct arena *a);

#endif
