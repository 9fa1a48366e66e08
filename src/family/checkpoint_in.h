/* checkpoint_in.h: what the files of a checkpoint share. */
#ifndef FAMILY_CHECKPOINT_IN_H
#define FAMILY_CHECKPOINT_IN_H

#include "family/reading.h"
#include "posviz/family/checkpoint.h"

/* Returns the tensor of a row: the product's, or its bias; NULL: there is none. */
const struct tensor_entry *checkpoint_entry(const struct checkpoint *c,
					    const struct family_weight *row, size_t layer,
					    bool bias);
/* Returns the first row of this kind whose tensor is in the files; NULL: there is none. */
const struct family_weight *checkpoint_row(const struct checkpoint *c, enum held what);
/* Refuses NaN and infinity, by the tensor's name. */
bool checkpoint_finite(const struct checkpoint *c, const struct tensor_entry *e, struct mat m,
		       struct err *err);

#endif
