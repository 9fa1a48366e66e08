/* help_setup.h: scenes from lines, files of tensors, and the setups built from both; in the arena
 * of help_arena.h. */
#ifndef HELP_SETUP_H
#define HELP_SETUP_H

#include "posviz/scene/scene.h"

/* Read, set and build; fail the test if they cannot. */
struct scene help_scene_read(const char *lines);
void help_set(struct scene *s, const char *field, const char *value);
struct built help_build(const struct scene *s);

/* Writes these tensors into a file in the present folder; returns its name. */
const char *help_save(const struct tensor_set *tensors);

/* Writes a file of tensors whose entry (i, j) is 10 i + j + 1; the list ends at the first without a
 * name, `n` at most. */
struct help_shaped {
	const char *name;
	size_t rows, cols;
};
const char *help_save_all(const struct help_shaped *all, size_t n);

/* Checks that building the scene is refused with a message that contains `word`. */
void help_build_refused(const struct scene *s, const char *word);

/* Returns logits, weights and output of a scene, in the test's arena. */
const struct trace *help_trace(const struct scene *scene);
/* Returns the same with bias and without output; *b gets the built setup. */
struct trace help_run(const struct scene *s, struct built *b);

#endif
