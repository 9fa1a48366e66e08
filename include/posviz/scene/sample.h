/* sample.h: the files of assets/samples and the directories of assets/models, by their names. */
#ifndef POSVIZ_SCENE_SAMPLE_H
#define POSVIZ_SCENE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* A file of assets/samples; @NAME means it wherever a FILE is expected. */
struct sample {
	const char *name;  /* "dep1"; the file's name if another sample has that name */
	const char *file;  /* "dep1.conllu"; @dep1.conllu is accepted too */
	const char *field; /* that reads it: "conllu", "tree", "graph", "file"; "open": a script */
	const char *help;  /* the phenomenon that it shows */
	const char *begin, *end;
};
/* Returns all samples, those with help first, in the order of their list: out[*n] from `a`. */
const struct sample *samples_all(struct arena *a, size_t *n);
/* Returns the directories of assets/models, which are opened by their names, "@trained", and not by
 * sample_find: out[*n] from `a`. */
const struct sample *samples_models(struct arena *a, size_t *n);
/* Finds "@dep1"; the error has a suggestion. `begin` and `end` are static, names live in `a`. */
bool sample_find(const char *spec, struct arena *a, struct sample *out, struct err *err);

#endif
