/* help_setup.h: scenes from lines, files of tensors, and what is built of both; in the arena of
 * help_arena.h. */
#ifndef HELP_SETUP_H
#define HELP_SETUP_H

#include "posviz/scene/scene.h"

/* Each must succeed. */
struct scene help_scene_read(const char *lines);
void help_set(struct scene *s, const char *field, const char *value);
struct built help_build(const struct scene *s);

/* A file of these tensors in the present folder. */
const char *help_save(const struct tensor_set *tensors);

/* One of tensors whose entry (i, j) is 10 i + j + 1; those before one without a name, `n` at most. */
struct help_shaped {
	const char *name;
	size_t rows, cols;
};
const char *help_save_all(const struct help_shaped *all, size_t n);

/* What is built of the scene must be refused in a message with `word`. */
void help_build_refused(const struct scene *s, const char *word);

/* Logits, weights and output of a scene, from the test's arena. */
const struct trace *help_trace(const struct scene *scene);
/* The same with bias and without output, and what it was built of. */
struct trace help_run(const struct scene *s, struct built *b);

#endif
