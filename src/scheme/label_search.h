/* label_search.h: the shortest paths between all nodes of a net, and those that pairs of tokens
 * read. */
#ifndef SCHEME_LABEL_SEARCH_H
#define SCHEME_LABEL_SEARCH_H

#include "scheme/label_mean.h"
#include "scheme/label_net.h"

/* Sets paths (`at`, `first`, `count`, `dropped`), in `a`, and pairs [units²]: the number of a
 * path, or of one of the ties (label_pair_of_tie). False when there are more than
 * LABEL_PATH_MOST, and when cancelled. */
bool label_search(const struct run *run, const struct net *net, const struct path_rules *rules,
		  struct arena *a, struct label_paths *paths, struct tie_set *ties, int32_t *pairs);

#endif
