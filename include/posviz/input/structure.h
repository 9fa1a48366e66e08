/* structure.h: trees and graphs over tokens, and the relations they give between two tokens.
 *
 * A structure has nodes. Each token belongs to a node; several belong to one if a word is in
 * pieces or a node's label has several words. A structure is made once from the user's text, for
 * the tokens in their original order, and never changes: an order moves tokens, and each keeps
 * its node. Readers trust nothing: every message names the line (and column) and says what would
 * be right. */
#ifndef POSVIZ_STRUCTURE_H
#define POSVIZ_STRUCTURE_H

#include "posviz/input/input.h"

enum structure_kind {
	STRUCTURE_CHAIN,      /* no structure given: each token depends on the one before it */
	STRUCTURE_DEPENDENCY, /* a node is a word, its parent the governor */
	STRUCTURE_TREE,	      /* ordered children; constituents, or any k-ary tree */
	STRUCTURE_GRAPH,
	STRUCTURE_KINDS
};
extern const char *const structure_names[STRUCTURE_KINDS]; /* chain dependency tree graph */

/* Limits of a text from outside; STRUCTURE_MAX_NAME is the bytes of a word or label. */
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
	/* Trees and dependencies; NULL for graphs. Roots have parent -1 (a forest may have
	 * several). */
	long *parent;
	size_t *branch; /* [n] the index among its siblings, from 0, in the order written */
	/* The edges, for every kind: a tree has an edge from each parent to its child, labelled
	 * with the child's relation ("nsubj"), or "". */
	struct edge *edges;
	size_t n_edges;
	const char **edge_labels; /* [n_labels], escaped, distinct */
	size_t n_labels;
	bool directed;
	long root;	  /* the root of a tree with one root, or of an AMR; -1: none is marked */
	size_t tokens;	  /* number of moving tokens, as written */
	long *node_of;	  /* [tokens], by their original position */
	const char *note; /* a remark for the user: "2 roots", "3 empty nodes left out"; or NULL */
};

/* ---- readers ------------------------------------------------------------------------------- */

/* The result of a reader: the structure and its sentence as words. token_text[i] is the text of
 * a token, word[i] its node. Tokens of a tree are its leaves, or all nodes in preorder; tokens
 * of a graph are its nodes in the order in which they first appear, one token for each word of a
 * label. */
struct structured {
	struct structure structure;
	size_t n_tokens;
	const char **token_text; /* as given: must be escaped before it is shown */
};

/* Reads one sentence of a CoNLL-U file, counted from 1. One pass finds all sentences, so that
 * any of 10,000 is found at once; *count gets their number. */
bool structure_conllu(const char *name, const char *text, size_t len, size_t which, size_t *count,
		      struct arena *a, struct structured *out, struct err *err);

/* Reads the governors of n words, "2 3 0 5 3 3", counted from 1; 0 is the root. */
bool structure_governors(const char *text, size_t n, struct arena *a, struct structure *out,
			 struct err *err);

/* Attaches the words of a tree to new governors, given in such a text; each word keeps its
 * relation to its governor. */
bool structure_rehang(struct structure *s, const char *text, struct arena *a, struct err *err);

/* Moves edges of a graph: "3:1-4 5:2-6" puts edge 3 between nodes 1 and 4, and so on, all
 * counted from 1. */
bool structure_move_edges(struct structure *s, const char *text, struct arena *a, struct err *err);
/* Returns whether an edge may be put between two nodes: it must not be a loop, nor repeat an
 * edge. */
bool structure_edge_fits(const struct structure *s, size_t edge, size_t from, size_t to,
			 struct err *err);
/* Returns an edge as text: "robot -ARG0-> charge", "a -> b", in an undirected graph "a -- b". */
const char *structure_print_edge(const struct structure *s, size_t edge, struct arena *a);

enum tree_units { TREE_NODES, TREE_LEAVES, TREE_UNITS };
extern const char *const tree_units_names[TREE_UNITS + 1]; /* nodes leaves */
struct tree_options {
	enum tree_units units;
	bool keep_empty;     /* keep null elements such as (-NONE- *T*-1), and brackets of them */
	bool keep_functions; /* NP-SBJ-1 stays so; else it becomes NP */
};
/* Reads a tree in Penn brackets (S (NP (DT The) (NN cat))), or plain nested ones: ((a b) c). */
bool structure_brackets(const char *name, const char *text, size_t len, size_t which, size_t *count,
			const struct tree_options *options, struct arena *a, struct structured *out,
			struct err *err);

/* Reads a graph: DOT if the text starts with (strict) graph or digraph, PENMAN if it starts with
 * "(" after comments, else an edge list "from to [label]", one edge a line, "#" begins a
 * comment. `which` selects one of several AMRs, from 1. */
bool structure_graph(const char *name, const char *text, size_t len, size_t which, size_t *count,
		     struct arena *a, struct structured *out, struct err *err);

void structure_chain(size_t n, struct arena *a, struct structure *out); /* of n tokens */

/* ---- derived from nodes ---------------------------------------------------------------------- */

/* Returns the depth of each node below its root [n]; only for kinds with parents. */
size_t *structure_depths(const struct structure *s, struct arena *a);

/* Returns the number of edges on a shortest path between every two nodes [n·n], row: from; -1:
 * no path. Edges are followed against their direction only when `both`. */
int32_t *structure_distances(const struct structure *s, bool both, struct arena *a);

/* ---- relations between tokens -------------------------------------------------------------- */

/* A relative position encoding before it is embedded: a number for each query t and key s, or a
 * path of labels. */
enum { RELATION_NO_PATH = INT32_MIN };
struct label_path {
	size_t n;
	const int *labels; /* indices in struct relation.labels */
};

/* A range of distances, key minus query position, that share a number. */
struct relation_range {
	int32_t value;
	int32_t lo, hi; /* INT32_MIN, INT32_MAX: no limit; |s - t| if `apart` */
};

/* The pair that a text is about: row t and column s, and the labels of query and key. */
struct relation_cell {
	size_t t, s;
	const char *query, *key;
};

/* A number that does not count anything: its meaning, in a word and in one letter. */
struct relation_name {
	int32_t value;
	const char *name, *sign;
};

struct relation {
	const char *title; /* "structural position rel(t,s)" */
	size_t n;	   /* tokens */
	bool of_tokens;	   /* numbers of single tokens, on the diagonal */
	const int32_t *at; /* [n·n]; RELATION_NO_PATH: none; NULL: paths only */
	const struct label_path
		*paths; /* [n·n], or NULL; if `at` is given too, the number is the length */
	const char *const *labels;
	size_t n_labels;
	/* Puts a number into words. For a pair only the meaning that holds there, "cat is 2
	 * below chased"; without a pair (NULL) all meanings, "2 below, or …". NULL: the number
	 * needs no words. */
	const char *(*says)(const struct relation *r, int32_t value, const struct relation_cell *at,
			    struct arena *a);
	const char *note; /* "clipped at ±16"; or NULL */
	const struct relation_name
		*names; /* static, ends with {0}; NULL: all numbers count something */
	/* Further data for `says`: the distance at which a scheme clips, or 0; and for each pair
	 * [n·n], or NULL. */
	int32_t limit;
	bool beyond; /* numbers beyond ±limit have another meaning than those up to it */
	const int32_t *beside;
	/* For distances in a sequence, not in a structure: the distances of each number, from
	 * the farthest key before the query on, all near ones, and farther ones if pairs have
	 * them. `beside` has the pair's distance. */
	const struct relation_range *ranges;
	size_t n_ranges;
	bool apart;	    /* the ranges are of |s - t| */
	const char *column; /* name of the column of positions */
};

/* Properties of a cell, whose index is t·n + s. relation_is_none: nothing relates the pair;
 * relation_steps: the number of steps of its path, if there are paths; relation_number: its
 * number, for paths that of the steps, RELATION_NO_PATH if there is none. */
bool relation_is_none(const struct relation *r, size_t cell);
int32_t relation_steps(const struct relation *r, size_t cell);
int32_t relation_number(const struct relation *r, size_t cell);
/* Returns the name of a number, or NULL if it has none. */
const struct relation_name *relation_name(const struct relation *r, int32_t value);
/* relation_label returns label k of a path; label_path_same whether two paths have the same
 * labels. */
const char *relation_label(const struct relation *r, const struct label_path *path, size_t k);
bool label_path_same(const struct label_path *x, const struct label_path *y);

/* Numbers of single tokens before they are embedded: eigenvectors of their graph. */
struct spectrum {
	size_t n, k;	       /* tokens, eigenvectors */
	const double *vectors; /* [n·k]; a token without a node has 0 */
	const double *values;  /* [k] the eigenvalue of each, ascending unless given */
	/* [k] several: other eigenvectors, here or left out, have the same eigenvalue, so that
	 * any rotation of them is equally valid; those that are here have the same group. */
	const bool *several;
	const size_t *group;
	const char *left_out; /* "the first" */
	bool given;	      /* columns of a file, in its order; a value is vᵀΔv / vᵀv */
};

#endif
