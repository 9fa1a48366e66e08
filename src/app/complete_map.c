/* complete_map.c: completion of a map of leaves and tensors: names of leaves, and behind "=" the
 * tensors in the file of parameters. */
#include <string.h>

#include "app_in.h"
#include "posviz/format/tensor_file.h"
#include "posviz/format/tensor_names.h"

/* Adds the leaves of the expression, built without the file, which may not fit yet. */
static void add_leaves(const struct app *app, struct candidates *out)
{
	struct setup setup = app->scene.setup;
	struct built *const b = arena_calloc(out->arena, 1, sizeof *b);
	setup.params = setup.map = setup.weights = "";
	if (!setup_build(&setup, out->arena, b, NULL))
		return;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < b->model.n_leaves; i++) {
			const struct leaf *const leaf = &b->model.leaves[i];
			bool before = false; /* every layer has the same bases */
			for (size_t k = 0; pass == 0 && k < i; k++)
				before |= strcmp(b->model.leaves[k].base, leaf->base) == 0;
			if (!before)
				candidates_add(out,
					       arena_printf(out->arena, "%s=",
							    pass == 0 ? leaf->base : leaf->name));
		}
}

/* Returns the shape of a parameter by any of its names; false: none has this name. */
static bool shape_of(const struct app *app, const char *name, struct arena *a, struct mat *out)
{
	struct setup setup = app->scene.setup;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	setup.params = setup.map = setup.weights = "";
	if (!setup_build(&setup, a, b, NULL))
		return false;
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const char *names[LEAF_NAMES];
		const size_t n = model_leaf_names(&b->model.leaves[i], a, names);
		for (size_t k = 0; k < n; k++)
			if (strcmp(names[k], name) == 0) {
				*out = b->model.leaves[i].at;
				return true;
			}
	}
	return false;
}

/* Tensors of the parameter's shape come first, then those of its columns, then the others. */
static int rank_of(const struct tensor_entry *e, const struct mat *shape)
{
	if (!e || !shape || tensor_entry_cols(e) != shape->cols)
		return 2;
	return tensor_entry_rows(e) != shape->rows;
}

static void add_tensors(const struct app *app, const char *leaf, size_t len, struct candidates *out)
{
	struct arena *const a = out->arena;
	size_t n;
	struct mat shape;
	const char *const path = app->scene.setup.params;
	const char **const names = tensor_names_of(path, a, &n);
	const struct tensor_file *const f = n > 0 ? tensor_file_open_in(a, path, NULL) : NULL;
	const bool known = f && shape_of(app, arena_strndup(a, leaf, len), a, &shape);
	for (int rank = 0; rank <= 2; rank++)
		for (size_t i = 0; i < n; i++) {
			const struct tensor_entry *const e =
				f ? tensor_file_find(f, names[i]) : NULL;
			/* A blank would end the name. */
			if (strchr(names[i], ' ') || rank_of(e, known ? &shape : NULL) != rank)
				continue;
			candidates_note(out, arena_printf(a, "%.*s=%s", (int)len, leaf, names[i]),
					e ? arena_printf(a, "%zu x %zu%s", tensor_entry_rows(e),
							 tensor_entry_cols(e),
							 rank == 0 ? ", its shape" : "")
					  : "");
		}
}

void complete_map(const struct app *app, const char *args, struct candidates *out)
{
	const char *const blank = strrchr(args, ' ');
	const char *const word = blank ? blank + 1 : args;
	const char *const sign = strchr(word, '=');
	out->from = (size_t)(word - args);
	if (sign)
		add_tensors(app, word, (size_t)(sign - word), out);
	else
		add_leaves(app, out);
}
