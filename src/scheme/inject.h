/* inject.h: injections of relative position encodings (survey, section 4): the places where the
 * numbers or vectors of an encoding enter the attention.
 *
 * A family lists in one function, hooks.injects, the encodings, their leaves and where they
 * enter; the hooks here do the rest. CONTRIBUTING.md has such a scheme as a recipe. Every table
 * is a leaf [rows, copies · width]: head i reads columns i · width.., or all heads read the only
 * copy. */
#ifndef SCHEME_INJECT_H
#define SCHEME_INJECT_H

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"

/* The ways in which heads and layers share a table, in the terms of Chen et al. 2021, section
 * 4.4. */
enum share {
	SHARE_NONE,  /* each head of each layer has its own */
	SHARE_HEAD,  /* head-wise: one for all heads of a layer */
	SHARE_LAYER, /* layer-wise: each head has its own, the same in all layers */
	SHARE_BOTH   /* one for all; not selectable */
};

extern const char *const share_names[]; /* none head layer, ends with NULL */

/* The row for it in a table of parameters. */
#define SHARE_PARAM(type, share_def)                                                             \
	CHOICE_PARAM(type, share, share_def, share_names,                                        \
		     "none: each layer and head its own; head: the heads of a layer share one; " \
		     "layer: the layers share")

/* For a table of leaves, with the parameter `share`: by_layer; and the copies side by side. */
#define SHARE_BY_LAYER "share != layer"
#define SHARE_COPIES   "(share == head ? 1 : h)"

/* Returns the head that column `col` of such a leaf belongs to; 0 if the heads share it. */
static inline size_t share_head(size_t col, size_t width)
{
	return col / width;
}

/* Returns this head's columns. */
struct node *share_slice(struct head *head, enum share share, struct node *table, size_t width);

/* The place where a table enters. */
enum inject_at {
	INJECT_ADD,	 /* a number is added to the logits */
	INJECT_MULTIPLY, /* multiplies all logits */
	INJECT_PRODUCTS, /* a vector multiplies the products of components: c Σ_j q_tj k_sj w_j */
	INJECT_KEYS,	 /* a vector is added to the key: c q_t·w */
	INJECT_QUERIES,	 /* a vector is added to the query: c k_s·w */
	INJECT_VALUES	 /* a vector is added to the value: Σ_s α_ts w */
};

/* A table and where it enters. Rows that name the same leaf read the same table. */
struct inject {
	enum inject_at at;
	struct encoding by;
	const char *leaf;    /* the name of the table in files, and in a dump if it is computed */
	const char *label;   /* of its term */
	enum term_kind kind; /* overrides the kind that follows from `at` */
	double scale;	     /* factor of added numbers; 0: 1 */
	enum share share;
	bool turned; /* the leaf is transposed; vectors: one for all heads */
	struct leaf_init demo, paper;
	/* Instead of a leaf: makes the table, numbers [h, rows] or vectors [rows, dk], for values [rows, dv]; cached,
	 * and kept in a dump as `leaf`. */
	struct node *(*made)(struct run *run, const struct member *m, struct err *err);
	/* For values: the remedy if they are not possible: "set values=off"; or NULL. */
	const char *remedy;
};

enum { INJECT_MAX = 6 };

/* The injections in a step. A family with a state of its own has this as its first member. */
struct injected {
	struct inject what[INJECT_MAX];
	struct encoded by[INJECT_MAX];
	/* Numbers [copies, rows], vectors [rows, copies · dk], or transposed, of the rows that
	 * are read. */
	struct node *table[INJECT_MAX];
	size_t n;
};

/* The hooks. inject_declare also calls leaves_declare; inject_prepare makes a state; a family
 * with a state of its own calls inject_fill instead. */
bool inject_declare(struct model *model, const struct member *m, struct err *err);
bool inject_relation(struct run *run, const struct member *m, struct relation *out,
		     struct err *err); /* that of the first row */
bool inject_prepare(struct run *run, const struct member *m, struct err *err);
bool inject_fill(struct run *run, const struct member *m, struct injected *state, struct err *err);
bool inject_logits(struct head *head, const struct member *m, struct err *err);
bool inject_adjust(struct head *head, const struct member *m, struct err *err);
bool inject_values(struct head *head, const struct member *m, struct err *err);

/* The hooks of a scheme that adds to the logits, for a row of descriptors; and of one that makes
 * its tables from leaves that it declares itself. */
#define INJECT_HOOKS(function) INJECT_MADE_HOOKS(function, inject_declare)
#define INJECT_MADE_HOOKS(function, declares)                                      \
	.injects = (function), .declare = (declares), .relation = inject_relation, \
	.prepare = inject_prepare, .logits = inject_logits

/* Returns row i in the run, for a scheme that makes its table. */
const struct encoded *inject_encoded(const struct run *run, const struct member *m, size_t i);

/* Adds the term of a head's numbers: its row of `table` [h, rows], or the only one, read by
 * pairs. */
void inject_numbers(struct head *head, const char *label, enum term_kind kind, struct node *table,
		    const struct index *index, double scale);

/* Demonstration: among h heads the first favours near keys most and the last hardly: slopes from
 * 2^first down to an eighth of it, 1 for a single head. */
double inject_slope(size_t head, size_t heads, double first);

#endif
