/* label_path.h: the shortest paths between the tokens of a run as sequences of edge labels with a
 * direction, each distinct sequence once.
 *
 * A path is its prefix and one more symbol, and its rest without the first symbol is a path too.
 * So all results for paths are computed length by length from those of shorter ones, and a pair
 * of tokens only stores the number of its path. */
#ifndef SCHEME_LABEL_PATH_H
#define SCHEME_LABEL_PATH_H

#include "posviz/model/stage.h"

enum {
	LABEL_PATH_LONGEST = 16,
	LABEL_PATH_TIES =
		16, /* number of sequences kept of several shortest paths, the smallest ones */
	LABEL_PATH_MOST = 1 << 19,
};

/* Symbols: a few special ones, then two for each label of the structure in alphabetical order,
 * down and up. In an undirected graph both directions are down. */
enum {
	SYMBOL_NO_PATH,
	SYMBOL_SELF,
	SYMBOL_TO_SPECIAL,   /* a step to a token without a node, such as [CLS] */
	SYMBOL_FROM_SPECIAL, /* the step back */
	SYMBOL_TOO_LONG,     /* only with `every` */
};

struct path_rules {
	size_t longest; /* edges, up to LABEL_PATH_LONGEST */
	size_t labels;	/* largest number of distinct labels */
	/* True: all shortest paths count, longer ones are one symbol, and a token without a node
	 * is one step from every other. False: only the smallest sequence, cut after `longest`
	 * symbols, and such a token is attached to the root. */
	bool every;
	bool reversed; /* entry (t, s) is the path from s to t */
};

static inline size_t symbol_count(const struct path_rules *rules)
{
	return (rules->every ? 5 : 4) + 2 * rules->labels;
}

struct path {
	int32_t before; /* the path without the last symbol; -1: empty */
	int32_t after;	/* the path without the first symbol */
	int32_t last;	/* symbol */
	int32_t length;
};

/* Mean i is of the paths path[first[i]] .. path[first[i + 1] - 1], the smallest first; their
 * shares of all shortest paths sum to 1. Sorted by length, then by number of paths. */
struct path_means {
	size_t n;
	size_t of_length[LABEL_PATH_LONGEST + 2]; /* of_length[k] .. of_length[k + 1] - 1 */
	size_t *first;				  /* [n + 1] */
	int32_t *path;
	double *share;
};

struct label_paths {
	size_t count;			      /* distinct paths, by length, then by symbols */
	size_t first[LABEL_PATH_LONGEST + 2]; /* those of length k: first[k] .. first[k + 1] - 1 */
	const struct path *at;		      /* [count] */
	/* Without `every`: the index of this path among those that some pair has, in the same
	 * order; -1: it is only a part of others. */
	const int32_t *rank; /* [count] */
	size_t n_used;
	struct path_means means;   /* with `every`: the distinct means */
	const struct index *index; /* [n,n] → a path; with `every` a mean */
	bool dropped;		   /* some pair had more than LABEL_PATH_TIES */
	const char *const *names;  /* of symbols in use, by number */
	size_t n_names;
};

/* Returns the member's state of `size` bytes, which begins with its struct label_paths: found in
 * the first step, kept for the others. NULL when the structure has more labels than allowed, or
 * more paths than can be handled, if keys are not the tokens, and when cancelled. */
void *label_paths_state(struct run *run, const struct member *m, const struct path_rules *rules,
			size_t size, struct err *err);

/* Returns the symbols of a path, in order: at[its length]. */
void label_path_symbols(const struct label_paths *paths, int32_t path, int32_t *at);

/* Estimates upper bounds of the number of paths and means, and of the memory for finding and
 * storing them. */
struct label_bound {
	double paths, means, bytes;
};
struct label_bound label_paths_bound(const struct model_input *in, const struct path_rules *rules,
				     unsigned kinds);

/* Makes a result that depends only on these paths and on parameters, in `a`: cached for
 * evaluations with the same paths, wherever the tokens are. NULL when cancelled. */
typedef struct node *label_paths_make(struct run *run, const struct member *m,
				      const struct label_paths *paths, struct arena *a,
				      struct err *err);
struct node *label_paths_made(struct run *run, const struct member *m,
			      const struct label_paths *paths, bool per_layer,
			      label_paths_make *make, struct err *err);

/* For the hook `relation`: if there are several paths, the smallest. */
void label_paths_relation(struct run *run, const struct label_paths *paths, const char *title,
			  struct relation *out);

/* Returns the number of edges from the root to each token, whatever their direction, and 0 for a
 * token without a node. If no root is marked: from all nodes without an incoming edge. */
const size_t *label_path_depths(struct run *run);

#endif
