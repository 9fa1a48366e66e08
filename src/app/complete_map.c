/* complete_map.c: completion of a map of leaves and tensors: names of leaves, and behind "=" the
 * tensors in the file of parameters. */
#include <string.h>

#include "app_in.h"
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

static void add_tensors(const struct app *app, const char *leaf, size_t len, struct candidates *out)
{
	size_t n;
	const char *const path = app->scene.setup.params;
	const char **const names = tensor_names_of(path, out->arena, &n);
	/* A blank would end the name. */
	for (size_t i = 0; i < n; i++)
		if (!strchr(names[i], ' '))
			candidates_add(
				out, arena_printf(out->arena, "%.*s=%s", (int)len, leaf, names[i]));
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
