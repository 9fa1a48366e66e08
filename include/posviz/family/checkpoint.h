/* checkpoint.h: a trained model: its configuration and the weights of its layers, which stay in its
 * files until the model reads them.
 *
 * Names and layouts of tensors are those of the family (src/family). Opening checks that every
 * weight is there, with the shape that the configuration says. */
#ifndef POSVIZ_CHECKPOINT_H
#define POSVIZ_CHECKPOINT_H

#include "posviz/family/family.h"

struct checkpoint {
	struct arena *arena;
	const char *path;
	const struct known *known;
	const struct tensor_file *file;
	const char *prefix; /* of all names: "bert.", or "" */
	struct block block;
	enum activation activation;
	struct weight_source source;
	enum stack_part stack;
};

/* Opens the directory of a model, or a GGUF file; it is closed with the arena. NULL with one line
 * that says what is missing. */
struct checkpoint *checkpoint_open(const char *path, struct arena *a, struct err *err);

/* The same; the decoder beside an encoder unless STACK_ONE, with the attention that is looked at. */
struct checkpoint *checkpoint_open_stack(const char *path, enum stack_part stack, struct arena *a,
					 struct err *err);

/* Sets the block, the scale and the factor of token vectors. False if other sizes than the model's are
 * asked for. */
bool checkpoint_configure(const struct checkpoint *c, struct model_config *config, struct err *err);

/* Reads token vectors, [n, d]: the rows of the ids, with those of their segments where the model has
 * such. Before the factor, positions and the norm. */
bool checkpoint_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			size_t n, struct arena *a, struct mat *out, struct err *err);

/* Calls `see` for each tensor that the first `layers` layers read, and for the table of words, which is
 * read by `words` alone, the rows of ids. */
struct checkpoint_seer {
	void *self;
	bool (*see)(void *self, const struct tensor_entry *e, struct err *err);
	bool (*words)(void *self, const struct tensor_entry *e, struct err *err);
};
bool checkpoint_each(const struct checkpoint *c, size_t layers, const struct checkpoint_seer *to,
		     struct err *err);

#endif
