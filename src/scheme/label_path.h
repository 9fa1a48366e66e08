/* label_path.h: the shortest paths between the units of a run as sequences of edge labels with a
 * direction, each distinct sequence once.
 *
 * A path is its prefix and one symbol more, and what is left of it without its first symbol is a path
 * too. So whatever is computed of all paths is computed length by length from what is known of
 * shorter ones, and a pair of units only holds the number of its path. */
#ifndef SCHEME_LABEL_PATH_H
#define SCHEME_LABEL_PATH_H

#include "posviz/model/stage.h"

enum {
	LABEL_PATH_LONGEST = 16,
	LABEL_PATH_TIES = 16, /* of several shortest paths so many sequences, the smallest ones */
	LABEL_PATH_MOST = 1 << 19,
};

/* Symbols: a few of their own, then two for each label of the structure in alphabetical order, down
 * and up. In an undirected graph both ways are down. */
enum {
	SYMBOL_NO_PATH,
	SYMBOL_SELF,
	SYMBOL_TO_SPECIAL,   /* a step to a unit without a node, such as [CLS] */
	SYMBOL_FROM_SPECIAL, /* the step back */
	SYMBOL_TOO_LONG,     /* with `every` only */
};

struct path_rules {
	size_t longest; /* edges, up to LABEL_PATH_LONGEST */
	size_t labels;	/* how many different ones there may be */
	/* All shortest paths, and longer ones are one symbol; a unit without a node is a step from every
	 * other. Else the smallest sequence, cut after `longest` symbols, and such a unit hangs on the
	 * root. */
	bool every;
	bool reversed; /* entry (t, s) is the path from s to t */
};

static inline size_t symbol_count(const struct path_rules *rules)
{
	return (rules->every ? 5 : 4) + 2 * rules->labels;
}

struct path {
	int32_t before; /* without the last symbol; -1: nothing is left */
	int32_t after;	/* without the first symbol */
	int32_t last;	/* symbol */
	int32_t length;
};

/* Mean i is of the paths path[first[i]] .. path[first[i + 1] - 1], the smallest first; their shares of all
 * shortest paths sum to 1. In the order of their lengths, then of how many paths they have. */
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
	/* Without `every`: which of the paths that some pair has this one is, from 0 and in the same
	 * order; -1: of none, it is a part of others. */
	const int32_t *rank; /* [count] */
	size_t n_used;
	struct path_means means;   /* with `every`: distinct ones */
	const struct index *index; /* [n,n] → a path; with `every` a mean */
	bool dropped;		   /* some pair had more than LABEL_PATH_TIES */
	const char *const *names;  /* of symbols in use, in the order of their numbers */
	size_t n_names;
};

/* The member's state of `size` bytes, which begins with its struct label_paths: found in the first
 * step, kept for the others. NULL when the structure has more labels than there may be, or more paths
 * than can be handled, where keys are not the units, and when cancelled. */
void *label_paths_state(struct run *run, const struct member *m, const struct path_rules *rules,
			size_t size, struct err *err);

/* The symbols of a path, in order: at[its length]. */
void label_path_symbols(const struct label_paths *paths, int32_t path, int32_t *at);

/* How many there are at most, about, and the bytes that finding and keeping them takes. */
struct label_bound {
	double paths, means, bytes;
};
struct label_bound label_paths_bound(const struct model_input *in, const struct path_rules *rules,
				     unsigned kinds);

/* What is made of these paths alone, in `a`, with parameters: kept for evaluations that have the same paths,
 * wherever the units stand. NULL when cancelled. */
typedef struct node *label_paths_make(struct run *run, const struct member *m,
				      const struct label_paths *paths, struct arena *a,
				      struct err *err);
struct node *label_paths_made(struct run *run, const struct member *m,
			      const struct label_paths *paths, bool per_layer,
			      label_paths_make *make, struct err *err);

/* For the hook `relation`: of several paths the smallest. */
void label_paths_relation(struct run *run, const struct label_paths *paths, const char *title,
			  struct relation *out);

/* Edges from the root to each unit, whatever their direction, and 0 for a unit without a node. Where
 * no root is marked: from all nodes that no edge goes to. */
const size_t *label_path_depths(struct run *run);

#endif
