/* structure.h: trees and graphs over tokens, and what they make of two tokens.
 *
 * A structure has nodes; tokens stand on nodes, several on one where a word is in pieces or a node's
 * label has several words. It is made once from what the user gave, for the tokens as written, and
 * never changes: an order moves tokens, and each takes its node along. Readers trust nothing: every
 * message names the line (and column) and what would be right. */
#ifndef POSVIZ_STRUCTURE_H
#define POSVIZ_STRUCTURE_H

#include "posviz/input/input.h"

enum structure_kind {
	STRUCTURE_CHAIN,      /* nothing was given: each token hangs on the one before it */
	STRUCTURE_DEPENDENCY, /* a node is a word, its parent the governor */
	STRUCTURE_TREE,	      /* ordered children; constituents, or any k-ary tree */
	STRUCTURE_GRAPH,
	STRUCTURE_KINDS
};
extern const char *const structure_names[STRUCTURE_KINDS]; /* chain dependency tree graph */

/* What a text from outside may hold, and the bytes of a word or label in it. */
enum {
	STRUCTURE_MAX_NODES = 4096,
	STRUCTURE_MAX_DEPTH = 512,
	STRUCTURE_MAX_EDGES = 1 << 18,
	STRUCTURE_MAX_NAME = 16 << 10
};

struct edge {
	size_t from, to;
	int label; /* index in edge_labels */
};

struct structure {
	enum structure_kind kind;
	size_t n;	    /* nodes */
	const char **names; /* [n], escaped: word, category, concept, id of a graph's node */
	/* Trees and dependencies; NULL for graphs. Roots have parent -1 (a forest may have several). */
	long *parent;
	size_t *branch; /* [n] which child of its parent, from 0, in the order written */
	/* Every kind: a tree has an edge from each parent to its child, labelled by the child's
	 * relation ("nsubj"), or "" . */
	struct edge *edges;
	size_t n_edges;
	const char **edge_labels; /* [n_labels], escaped, each once */
	size_t n_labels;
	bool directed;
	long root;     /* of a tree with one root, of an AMR; -1: none is marked */
	size_t tokens; /* moving ones, as written */
	long *node_of; /* [tokens], by their place */
	const char
		*note; /* what the user should know: "2 roots", "3 empty nodes left out"; or NULL */
};

/* ---- readers ------------------------------------------------------------------------------- */

/* What a reader makes: the structure, and the sentence it is of, as words: token_text[i] is a token's
 * bytes, word[i] the node it belongs to. Tokens of a tree are its leaves, or all nodes in preorder;
 * of a graph its nodes in the order they first appear, one token a word of a label. */
struct structured {
	struct structure structure;
	size_t n_tokens;
	const char **token_text; /* as given: to be escaped before it is shown */
};

/* One sentence of a CoNLL-U file, from 1. An index of the file is made in one pass, so that any
 * sentence of 10,000 is found at once; *count: how many there are. */
bool structure_conllu(const char *name, const char *text, size_t len, size_t which, size_t *count,
		      struct arena *a, struct structured *out, struct err *err);

/* "2 3 0 5 3 3": governors of n words, from 1; 0 is the root. */
bool structure_governors(const char *text, size_t n, struct arena *a, struct structure *out,
			 struct err *err);

/* Hangs the words of a tree as such a text says; each keeps its relation to its governor. */
bool structure_rehang(struct structure *s, const char *text, struct arena *a, struct err *err);

/* "3:1-4 5:2-6": puts edge 3 of a graph between nodes 1 and 4, and so on, all counted from 1. */
bool structure_move_edges(struct structure *s, const char *text, struct arena *a, struct err *err);
/* Tells whether an edge may go between two nodes: no loop, and none that is there. */
bool structure_edge_fits(const struct structure *s, size_t edge, size_t from, size_t to,
			 struct err *err);
/* "robot -ARG0-> charge", "a -> b", of an undirected graph "a -- b". */
const char *structure_print_edge(const struct structure *s, size_t edge, struct arena *a);

enum tree_units { TREE_NODES, TREE_LEAVES, TREE_UNITS };
extern const char *const tree_units_names[TREE_UNITS + 1]; /* nodes leaves */
struct tree_options {
	enum tree_units units;
	bool keep_empty;     /* null elements such as (-NONE- *T*-1); else they and what holds only
			      * them go */
	bool keep_functions; /* NP-SBJ-1 stays so; else NP */
};
/* Penn brackets (S (NP (DT The) (NN cat))), or plain nested ones: ((a b) c). */
bool structure_brackets(const char *name, const char *text, size_t len, size_t which, size_t *count,
			const struct tree_options *options, struct arena *a, struct structured *out,
			struct err *err);

/* A graph: DOT where the text starts with (strict) graph or digraph, PENMAN where it starts with
 * "(" after comments, else an edge list "from to [label]", a line each, "#" a comment. Which of
 * several AMRs, from 1. */
bool structure_graph(const char *name, const char *text, size_t len, size_t which, size_t *count,
		     struct arena *a, struct structured *out, struct err *err);

void structure_chain(size_t n, struct arena *a, struct structure *out); /* of n tokens */

/* ---- what it makes of nodes ------------------------------------------------------------------ */

/* Depth below its root of each node [n]; only with parents. */
size_t *structure_depths(const struct structure *s, struct arena *a);

/* Edges between every two nodes on a shortest path [n·n], row: from; -1: no path. Against the direction
 * of edges only when `both`. */
int32_t *structure_distances(const struct structure *s, bool both, struct arena *a);

/* ---- relations between tokens -------------------------------------------------------------- */

/* A position encoding of pairs before it is embedded: a number for each query t and key s, or a path
 * of labels. */
enum { RELATION_NO_PATH = INT32_MIN };
struct label_path {
	size_t n;
	const int *labels; /* indices in struct relation.labels */
};

/* Which distances, key minus query position, have a number. */
struct relation_range {
	int32_t value;
	int32_t lo,
		hi; /* INT32_MIN, INT32_MAX: and all beyond; of |s - t| in a relation of those */
};

/* The pair that words are of: rows t and s, and what the units are called there. */
struct relation_cell {
	size_t t, s;
	const char *query, *key;
};

/* A number that counts nothing: what stands behind it, in a word and in one letter. */
struct relation_name {
	int32_t value;
	const char *name, *sign;
};

struct relation {
	const char *title;		/* "structural position rel(t,s)" */
	size_t n;			/* units */
	bool of_tokens;			/* numbers of single ones: they stand on the diagonal */
	const int32_t *at;		/* [n·n]; RELATION_NO_PATH: none; NULL: paths only */
	const struct label_path *paths; /* [n·n], or NULL; beside `at` the number is the length */
	const char *const *labels;
	size_t n_labels;
	/* What a number means, in words: of the pair that has it only what is true there, "cat is 2 below
	 * chased"; of no pair (NULL) all that it can mean, "2 below, or …". NULL: the number says it. */
	const char *(*says)(const struct relation *r, int32_t value, const struct relation_cell *at,
			    struct arena *a);
	const char *note;		   /* "clipped at ±16"; or NULL */
	const struct relation_name *names; /* static, up to {0}; NULL: all numbers count */
	/* What `says` must know besides the number: where a scheme clips, or 0; and of each pair
	 * [n·n], or NULL. */
	int32_t limit;
	bool beyond; /* numbers beyond ±limit do not count what those up to it do */
	const int32_t *beside;
	/* Of distances in a column, not of a structure: which of them a number is for, from the farthest
	 * key before the query on, all near ones and beyond them those of pairs. `beside` has the pair's. */
	const struct relation_range *ranges;
	size_t n_ranges;
	bool apart;	    /* of |s - t| */
	const char *column; /* of positions */
};

/* A cell is t·n + s. Whether nothing stands there; how many steps its path has, where there are paths; and its
 * number, of paths that of the steps: RELATION_NO_PATH where nothing does. */
bool relation_is_none(const struct relation *r, size_t cell);
int32_t relation_steps(const struct relation *r, size_t cell);
int32_t relation_number(const struct relation *r, size_t cell);
/* The name of a number that has one, or NULL. */
const struct relation_name *relation_name(const struct relation *r, int32_t value);
/* Label k of a path, and whether two paths are the same labels. */
const char *relation_label(const struct relation *r, const struct label_path *path, size_t k);
bool label_path_same(const struct label_path *x, const struct label_path *y);

/* Numbers of single units before they are embedded: eigenvectors of their graph. */
struct spectrum {
	size_t n, k;	       /* units, eigenvectors that there are */
	const double *vectors; /* [n·k]; a unit without a node has 0 */
	const double *values;  /* [k] the eigenvalue of each, ascending unless given */
	/* [k] Others have the same eigenvalue, here or left out, and any rotation of them is as valid;
	 * those that are here have one number. */
	const bool *several;
	const size_t *group;
	const char *left_out; /* "the first" */
	bool given;	      /* columns of a file's, in its order; a value is vᵀΔv / vᵀv */
};

#endif
