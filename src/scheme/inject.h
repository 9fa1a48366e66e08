/* inject.h: injections of pair encodings (survey, section 4): where the numbers or vectors that stand for
 * an encoding enter the attention.
 *
 * A family says in one function, hooks.injects, which encodings enter by which leaf, and how; the hooks
 * here do it. CONTRIBUTING.md has such a scheme as a recipe. Every table is a leaf [rows, copies · width]:
 * head i reads columns i · width.., or all heads read the only copy. */
#ifndef SCHEME_INJECT_H
#define SCHEME_INJECT_H

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"

/* How heads and layers share a table, in the words of Chen et al. 2021, section 4.4. */
enum share {
	SHARE_NONE,  /* every layer and every head its own */
	SHARE_HEAD,  /* head-wise: one for all heads of a layer */
	SHARE_LAYER, /* layer-wise: every head its own, the same in all layers */
	SHARE_BOTH   /* one for all; not to be chosen */
};

extern const char *const share_names[]; /* none head layer, ends with NULL */

/* The row for it in a table of parameters. */
#define SHARE_PARAM(type, share_def)                                                             \
	CHOICE_PARAM(type, share, share_def, share_names,                                        \
		     "none: each layer and head its own; head: the heads of a layer share one; " \
		     "layer: the layers share")

/* In a table of leaves, with the parameter `share`: by_layer; and copies that stand side by side. */
#define SHARE_BY_LAYER "share != layer"
#define SHARE_COPIES   "(share == head ? 1 : h)"

/* The head that column `col` of such a leaf belongs to; 0 where the heads share. */
static inline size_t share_head(size_t col, size_t width)
{
	return col / width;
}

/* This head's columns. */
struct node *share_slice(struct head *head, enum share share, struct node *table, size_t width);

/* Where a table enters. */
enum inject_at {
	INJECT_ADD,	 /* a number is added to the logits */
	INJECT_MULTIPLY, /* multiplies all logits */
	INJECT_PRODUCTS, /* a vector multiplies the products of components: c Σ_j q_tj k_sj w_j */
	INJECT_KEYS,	 /* is added to the key: c q_t·w */
	INJECT_QUERIES,	 /* to the query: c k_s·w */
	INJECT_VALUES	 /* to the value: Σ_s α_ts w */
};

/* One table and where it enters. Rows that name one leaf read one table. */
struct inject {
	enum inject_at at;
	struct encoding by;
	const char *leaf;    /* what the table is called in files, and in a dump where it is made */
	const char *label;   /* of its term */
	enum term_kind kind; /* where it is not the one that follows from `at` */
	double scale;	     /* of numbers that are added; 0: 1 */
	enum share share;
	bool turned; /* rows and columns of the leaf change places; vectors: one for all heads */
	struct leaf_init demo, paper;
	/* No leaf: what makes the table, numbers [h, rows] or vectors [rows, dk]; cached, and kept in a
	 * dump as `leaf`. */
	struct node *(*made)(struct run *run, const struct member *m, struct err *err);
	const char *remedy; /* of values, for who cannot have them: "set values=off"; or NULL */
};

enum { INJECT_MAX = 4 };

/* What they are in a step. A family with a state of its own has this first in it. */
struct injected {
	struct inject what[INJECT_MAX];
	struct encoded by[INJECT_MAX];
	/* Numbers [copies, rows], vectors [rows, copies · dk], or turned, of the rows that are read. */
	struct node *table[INJECT_MAX];
	size_t n;
};

/* The hooks. inject_declare also has leaves_declare in it; inject_prepare makes a state of its own; a family that has one calls inject_fill. */
bool inject_declare(struct model *model, const struct member *m, struct err *err);
bool inject_relation(struct run *run, const struct member *m, struct relation *out,
		     struct err *err); /* of the first row */
bool inject_prepare(struct run *run, const struct member *m, struct err *err);
bool inject_fill(struct run *run, const struct member *m, struct injected *state, struct err *err);
bool inject_logits(struct head *head, const struct member *m, struct err *err);
bool inject_adjust(struct head *head, const struct member *m, struct err *err);
bool inject_values(struct head *head, const struct member *m, struct err *err);

/* In a row of descriptors, what a scheme needs that adds to the logits; and one that makes its tables of
 * leaves that it declares itself. */
#define INJECT_HOOKS(function) INJECT_MADE_HOOKS(function, inject_declare)
#define INJECT_MADE_HOOKS(function, declares)                                      \
	.injects = (function), .declare = (declares), .relation = inject_relation, \
	.prepare = inject_prepare, .logits = inject_logits

/* Row i in the run of who makes its table. */
const struct encoded *inject_encoded(const struct run *run, const struct member *m, size_t i);

/* The term of a head's numbers: its row of `table` [h, rows], or the only one, read by pairs. */
void inject_numbers(struct head *head, const char *label, enum term_kind kind, struct node *table,
		    const struct index *index, double scale);

/* Demo: of h heads the first looks sharply near and the last almost everywhere: slopes from 2^first down to
 * an eighth of it, 1 of a single head. */
double inject_slope(size_t head, size_t heads, double first);

#endif
