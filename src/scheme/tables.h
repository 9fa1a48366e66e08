/* tables.h: learned tables with an entry for each distance or place below t-max, and how the heads
 * and the layers share them.
 *
 * Every such table is a leaf [rows, copies · width]: head i reads columns i · width.., or all heads
 * read the only copy. */
#ifndef SCHEME_TABLES_H
#define SCHEME_TABLES_H

#include "posviz/scheme.h"
#include "posviz/stage.h"

/* The words of Chen et al. 2021, section 4.4. */
enum share {
	SHARE_NONE,  /* every layer and every head its own */
	SHARE_HEAD,  /* head-wise: one for all heads of a layer */
	SHARE_LAYER, /* layer-wise: every head its own, the same in all layers */
};

extern const char *const share_names[]; /* none head layer, ends with NULL */

/* The row for it in a table of parameters. */
#define SHARE_PARAM(type, share_def)                                                           \
	{                                                                                      \
		.name = "share",                                                               \
		.help = "none: each layer and head its own; head: the heads of a layer share " \
			"one; "                                                                \
			"layer: the layers share",                                             \
		.kind = PARAM_CHOICE, .offset = offsetof(type, share), .def = (share_def),     \
		.choices = share_names                                                         \
	}

/* How many copies there are in all, for count_made. */
#define SHARE_COUNT "(0^share h l + 0^(share - 1)^2 l + 0^(share - 2)^2 h)"

/* Declares [rows, width] for each head, shared as said. */
bool share_leaf(struct model *model, const struct member *m, enum share share, const char *base,
		size_t rows, size_t width, struct leaf_init demo, struct leaf_init paper,
		struct err *err);

/* The head that column `col` of such a leaf belongs to; 0 where the heads share. */
static inline size_t share_head(size_t col, size_t width)
{
	return col / width;
}

/* This head's columns. */
struct node *share_slice(struct head *head, enum share share, struct node *table, size_t width);

/* The rows of a table for the distances 1 - t_max .. t_max - 1 that an input reaches, and which of them
 * a pair reads. */
struct reach {
	const struct index *index; /* [n,n] → 0..rows-1 */
	size_t first, rows;	   /* in the table; its middle row is the distance 0 */
};

/* The distance is s - t, or t - s with `ts`. The error names t-max. */
bool table_distances(struct run *run, const struct member *m, bool ts, struct reach *out,
		     struct err *err);
/* The relation of the same numbers. */
bool table_relation(struct run *run, const struct member *m, bool ts, struct relation *out,
		    struct err *err);
/* Those rows of a leaf. */
struct node *table_reached(struct run *run, struct node *table, const struct reach *reach);
/* False, with an error that names t-max, when two units are t_max apart or more; else the largest
 * distance. */
bool table_reaches(struct run *run, const struct member *m, long *most, struct err *err);

/* index[t][s] = rows[s] for positions `rows`, in a table of `count` columns. */
const struct index *table_keys(struct run *run, const struct member *m, const int32_t *rows,
			       size_t count, struct err *err);

#endif
