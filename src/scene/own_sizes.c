/* own_sizes.c: the numbers of heads, layers, queries and keys in the files of an expression. */
#include <string.h>

#include "scene_in.h"

/* Returns the members of an expression that names files; NULL: it names none, or they are
 * unreadable. */
static const struct member *members_of(const char *expression, struct arena *a, size_t *n)
{
	struct member *const members = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *members);
	struct expr *const e =
		strstr(expression, "from=") ? expr_copy(expr_of(expression, a, NULL), a) : NULL;
	*n = 0;
	return e && expr_members(e, members, n, a, NULL) ? members : NULL;
}

bool expression_own_tokens(const char *expression, struct arena *a, size_t *queries, size_t *keys)
{
	size_t n;
	const struct member *const members = members_of(expression, a, &n);
	for (size_t i = 0; members && i < n; i++) {
		if (members[i].units == 0)
			continue;
		*queries = members[i].units;
		*keys = members[i].keys ? members[i].keys : members[i].units;
		return true;
	}
	return false;
}

bool expression_is_looked_at(const char *expression, struct arena *a)
{
	size_t n;
	const struct member *const members = members_of(expression, a, &n);
	for (size_t i = 0; members && i < n; i++)
		if (members[i].hooks->look_at)
			return true;
	return false;
}

/* Gets the numbers of heads and layers in files of the expression; 0: any number, or unreadable. */
static void sizes_of(const char *expression, struct arena *a, size_t *heads, size_t *layers)
{
	size_t n;
	const struct member *const members = members_of(expression, a, &n);
	for (size_t i = 0; members && i < n; i++) {
		*heads = *heads ? *heads : members[i].n_heads;
		*layers = *layers ? *layers : members[i].n_layers;
	}
}

static void adopt(struct setup *s, const struct setup *usual, size_t heads, size_t layers)
{
	if (layers > 0 && s->layers == usual->layers)
		s->layers = (long)layers;
	if (heads == 0 || s->heads != usual->heads || s->d_model != usual->d_model)
		return;
	s->heads = (long)heads;
	if (s->head_dim == 0)
		s->d_model = (s->d_model + s->heads - 1) / s->heads * s->heads;
}

void scene_adopt_sizes(struct scene *scene)
{
	struct setup *const s = &scene->setup;
	const struct scene *const usual = scene_defaults();
	struct arena a;
	const char *all[COMPARE_MAX];
	size_t heads = 0, layers = 0;
	if (*s->units || *s->weights)
		return;
	arena_init(&a);
	const size_t n = scene_compared(s, &a, all);
	for (size_t i = 0; i < n; i++)
		sizes_of(all[i], &a, &heads, &layers);
	arena_release(&a);
	adopt(s, &usual->setup, heads, layers);
}

const char *config_heads_text(const struct model_config *c, struct arena *a)
{
	const char *const of = c->head_dim ? arena_printf(a, " of %zu", c->head_dim) : "";
	const char *const kv = c->kv_heads ? arena_printf(a, ", %zu kv", c->kv_heads) : "";
	const char *const values =
		c->value_dim ? arena_printf(a, ", values %zu", c->value_dim) : "";
	return arena_printf(a, "%s%s%s", of, kv, values);
}

const char *setup_heads_text(const struct setup *setup, struct arena *a)
{
	const struct model_config c = setup_config(setup, (size_t)setup->d_model);
	return config_heads_text(&c, a);
}
