/* model_open.h: a model as fields of a setup: the expression of its positions, its sizes, and what its files hold. */
#ifndef POSVIZ_MODEL_OPEN_H
#define POSVIZ_MODEL_OPEN_H

#include "posviz/scene/scene.h"

/* The sizes of a model; 0: as the fields of a scene are without it, or not known. */
struct model_sizes {
	long d, heads, layers, head_dim, value_dim, kv_heads, t_max;
};

/* Sets expression and sizes; nothing of a model that was open before is left. `path` "": it has no files. */
bool scene_take_model(struct scene *scene, const char *path, const char *expression,
		      const struct model_sizes *sizes, struct err *err);
/* Opens a model that was read, whose expression is known. *said: what is to be said of its files, or "". */
bool scene_open_model(struct scene *scene, const char *path, const struct known *k, struct arena *a,
		      const char **said, struct err *err);
/* Lets the model's own tokenizer cut the text, and its layers be computed, where all of it can be
 * read in seconds. Returns what is to be said of it; "": nothing. */
const char *scene_take_tokenizer(struct scene *scene, const char *path, struct arena *a);
/* Reads the model and opens it in a setup, whose text and other entries stay; by its own tokenizer, if the
 * setup's text was cut by one. */
bool setup_open_model(struct setup *setup, const char *path, struct arena *a, struct err *err);

/* Returns the name of the model that is open, if the scheme is what it has: "gpt2" of its directory or file;
 * else NULL. Files are read once, unless they change. */
const char *setup_model_name(const struct setup *setup, struct arena *a);
/* Returns the name of a model by its path. */
const char *model_name(const char *path, struct arena *a);

#endif
