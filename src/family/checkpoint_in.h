/* checkpoint_in.h: what the files of a checkpoint share. */
#ifndef FAMILY_CHECKPOINT_IN_H
#define FAMILY_CHECKPOINT_IN_H

#include "family/reading.h"
#include "posviz/family/checkpoint.h"

/* Returns the tensor of a row: the product's, or its bias; NULL: there is none. */
const struct tensor_entry *checkpoint_entry(const struct checkpoint *c,
					    const struct family_weight *row, size_t layer,
					    bool bias);
/* The same, of one expert where a tensor is of one. */
const struct tensor_entry *checkpoint_part(const struct checkpoint *c,
					   const struct family_weight *row, size_t layer,
					   size_t expert, bool bias);
/* Returns the first row of this kind whose tensor is in the files; NULL: there is none. */
const struct family_weight *checkpoint_row(const struct checkpoint *c, enum held what);
/* Refuses NaN and infinity, by the tensor's name. */
bool checkpoint_finite(const struct checkpoint *c, const struct tensor_entry *e, struct mat m,
		       struct err *err);

/* checkpoint_weights.c: a weight in a file: the row of the family, and its tensor. */
struct found {
	const struct family_weight *row;
	const struct tensor_entry *entry;
};
bool checkpoint_find(const struct checkpoint *c, size_t layer, enum weight which,
		     struct found *out);
/* Return the shape of a tensor as a matrix; of a row by heads all of these are together. */
size_t checkpoint_rows(const struct family_weight *row, const struct tensor_entry *e);
size_t checkpoint_cols(const struct family_weight *row, const struct tensor_entry *e);
/* Functions of the source. */
bool checkpoint_has(const struct weight_source *s, size_t layer, enum weight which);
bool checkpoint_read(const struct weight_source *s, size_t layer, enum weight which, struct mat out,
		     struct err *err);
bool checkpoint_in_out(const struct weight_source *s, size_t layer, enum weight which);
bool checkpoint_read_rows(const struct weight_source *s, size_t layer, enum weight which,
			  size_t outs, size_t first, struct mat out, struct err *err);

/* checkpoint_experts.c: returns whether a layer has experts whose weights can be read; functions of the
 * source. */
bool checkpoint_has_experts(const struct checkpoint *c, size_t layer);
bool checkpoint_expert_has(const struct weight_source *s, size_t layer, enum weight which);
bool checkpoint_expert_read(const struct weight_source *s, size_t layer, size_t expert,
			    enum weight which, struct mat out, struct err *err);

#endif
