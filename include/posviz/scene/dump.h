/* dump.h: everything that was computed of a scene, as named tensors. */
#ifndef POSVIZ_DUMP_H
#define POSVIZ_DUMP_H

#include "posviz/format/tensor.h"
#include "posviz/scene/scene.h"

/* Adds everything that a `dump` holds, named as in `posviz list matrices`, and its metadata:
 * tokens, order, axes, model, steps, members, expression, scene, version, recipe. `read_only`:
 * large learned parameters are cut to the rows and columns that logits and contexts of the input
 * read, and drawn weights of the feed-forward block are omitted; metadata left_out lists both. */
void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  bool read_only, struct arena *a, struct tensor_set *out);
struct dump_name {
	const char *pattern, *shape, *help;
};
extern const struct dump_name dump_names[]; /* ends with pattern == NULL */
/* Returns whether a tensor of this name follows one of the patterns. */
bool dump_is_name(const char *name);
unsigned dump_wants(void);
/* Converts a relation to a dump's two tensors, and its numbers' meaning to JSON; false: none. */
bool dump_relation(const struct relation *r, struct arena *a, struct mat *out, struct mat *mask,
		   const char **legend);

#endif
