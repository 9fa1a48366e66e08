/* struct_tr.h: the Structural Transformer's parameters, and its vectors of paths. */
#ifndef SCHEME_STRUCT_TR_H
#define SCHEME_STRUCT_TR_H

#include "posviz/scheme/scheme.h"
#include "scheme/label_path.h"

enum variant { VARIANT_FEATURE, VARIANT_SUM, VARIANT_AVG, VARIANT_CNN, VARIANT_SA };
enum form { FORM_PAPER, FORM_CODE };

enum { KERNEL = 4 };

struct struct_tr {
	int variant, form;
	long longest, labels, paths, d_r;
	bool pool, steps;
};

/* Returns the width of r: in the authors' code heads share one of d_h. */
static inline size_t struct_tr_width(const struct model *model, const struct struct_tr *p)
{
	return p->form == FORM_CODE ? model->dk : model->config.d;
}

static inline bool struct_tr_convolves(const struct struct_tr *p)
{
	return p->variant == VARIANT_CNN || (p->variant == VARIANT_SA && !p->pool);
}

/* Returns whether paths are padded: the authors' code pads to a kernel's width and does not mask
 * the padding. */
static inline bool struct_tr_pads(const struct struct_tr *p)
{
	return struct_tr_convolves(p) || (p->variant == VARIANT_SA && p->form == FORM_CODE);
}

/* Returns whether labels are multiplied by √e and get an encoding of their index in the path. */
static inline bool struct_tr_numbers_steps(const struct struct_tr *p)
{
	return p->variant == VARIANT_SA || (p->variant == VARIANT_CNN && p->form == FORM_CODE);
}

static inline struct path_rules struct_tr_rules(const struct struct_tr *p)
{
	const size_t longest = (size_t)p->longest;
	return (struct path_rules){
		.longest = struct_tr_pads(p) && longest > KERNEL ? KERNEL : longest,
		.labels = (size_t)p->labels,
		.reversed = p->form == FORM_CODE && p->variant <= VARIANT_AVG,
	};
}

/* The map x ↦ x·W + b; b as in the authors' code, else NULL. */
struct map {
	struct node *w, *b;
};

struct map struct_tr_map(struct run *run, const struct member *m, const char *w, const char *b);
struct node *struct_tr_mapped(struct tape *t, struct node *x, struct map map);

extern const struct leaf_row struct_tr_leaves[];

/* Makes r of each distinct path, [count, e]. */
label_paths_make struct_tr_vectors;

/* The position encoding of the authors' code with avg: labels times √e, plus the encoding of the
 * query's index. So a path has a vector for each query that reads it. Returns these, and the
 * index of the one that a pair reads. */
struct node *struct_tr_with_queries(struct run *run, struct node *r, const struct index *paths,
				    const struct index **out);

#endif
