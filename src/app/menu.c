/* menu.c: the schemes in the order of the menu: by topic and reference as in the survey's Table 2;
 * schemes for sequences also by place and time, so that no group is long.
 *
 * Groups are rows of a table; a scheme belongs to the first row that accepts it, and keeps the
 * registry's order within its group. */
#include <string.h>

#include "posviz/app/app.h"

enum { SURVEY = 2021 }; /* last year that it covers */

static bool is_mask(const struct scheme *s)
{
	return s->flags & SCHEME_MASK;
}

static bool is_rule(const struct scheme *s)
{
	return s->flags & SCHEME_RULE;
}

static bool is_model(const struct scheme *s)
{
	return s->flags & SCHEME_MODEL;
}

static bool is_yours(const struct scheme *s)
{
	return s->flags & SCHEME_YOURS;
}

static bool is_none(const struct scheme *s)
{
	return s->ref == REF_NONE && s->inj == INJ_NONE;
}

/* True also for schemes that only define positions and use none. */
static bool is_input(const struct scheme *s)
{
	return s->ref == REF_NONE || (s->ref == REF_ABSOLUTE && s->inj == INJ_EMBEDDING);
}

static bool is_later(const struct scheme *s)
{
	return s->year > SURVEY;
}

static bool is_any(const struct scheme *s)
{
	return s != NULL;
}

/* Searched from the top; shown in the order of `place`. */
static const struct group {
	const char *name;
	int place;
	enum topic topic;   /* TOPIC_COUNT: any */
	enum reference ref; /* REF_COUNT: any */
	bool (*takes)(const struct scheme *s);
} groups[] = {
	{"Yours", 14, TOPIC_COUNT, REF_COUNT, is_yours},
	{"Masks", 11, TOPIC_COUNT, REF_COUNT, is_mask},
	{"Logits, weights", 12, TOPIC_COUNT, REF_COUNT, is_rule},
	{"Known models", 13, TOPIC_COUNT, REF_COUNT, is_model},
	{"None", 0, TOPIC_SEQUENCE, REF_NONE, is_none},
	{"Absolute, input", 1, TOPIC_SEQUENCE, REF_COUNT, is_input},
	{"Absolute, matrix", 2, TOPIC_SEQUENCE, REF_ABSOLUTE, is_any},
	{"Relative, newer", 4, TOPIC_SEQUENCE, REF_RELATIVE, is_later},
	{"Relative", 3, TOPIC_SEQUENCE, REF_RELATIVE, is_any},
	{"Both", 5, TOPIC_SEQUENCE, REF_BOTH, is_any},
	{"Trees", 6, TOPIC_TREE, REF_COUNT, is_any},
	{"Graphs", 7, TOPIC_GRAPH, REF_COUNT, is_any},
	{"Decoders", 8, TOPIC_DECODER, REF_COUNT, is_any},
	{"Languages", 9, TOPIC_CROSS, REF_COUNT, is_any},
	{"Analyses", 10, TOPIC_ANALYSIS, REF_COUNT, is_any},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

static const struct group *group_of(const struct scheme *s)
{
	for (size_t i = 0; i < GROUPS; i++) {
		const struct group *const g = &groups[i];
		if ((g->topic == TOPIC_COUNT || g->topic == s->topic) &&
		    (g->ref == REF_COUNT || g->ref == s->ref) && g->takes(s))
			return g;
	}
	BUG("%s belongs to no group of the menu", s->id);
}

/* Returns the listed schemes of the registry, then the user's own names. */
static const struct scheme **all_schemes(const struct scene *scene, struct arena *a, size_t *n)
{
	const struct scheme *own;
	size_t owned = 0;
	while (define_at(owned))
		owned++;
	const struct scheme **const out = arena_calloc(a, scheme_count() + owned, sizeof *out);
	*n = 0;
	for (size_t i = 0; i < scheme_count(); i++)
		if (!scene || scene_lists(scene, scheme_at(i)))
			out[(*n)++] = scheme_at(i);
	for (size_t i = 0; i < owned && (own = define_at(i)) != NULL; i++)
		if (!scene || scene_lists(scene, own))
			out[(*n)++] = own;
	return out;
}

struct menu_item *menu_items(const struct scene *scene, struct arena *a, size_t *n)
{
	size_t count;
	const struct scheme *const *const all = all_schemes(scene, a, &count);
	struct menu_item *const out = arena_calloc(a, count, sizeof *out);
	*n = 0;
	for (int place = 0; place < GROUPS; place++) {
		for (size_t i = 0; i < count; i++) {
			const struct group *const g = group_of(all[i]);
			if (g->place == place)
				out[(*n)++] = (struct menu_item){g->name, all[i]};
		}
	}
	return out;
}

/* Returns the canonical expression without its masks and rules; NULL: unreadable. */
static const char *without_masks(const char *text, struct arena *a)
{
	const struct expr *const e = expr_of(text, a, NULL);
	struct expr rest = {0};
	if (!e)
		return NULL;
	for (size_t i = 0; i < e->n; i++)
		if (!(e->members[i].scheme->flags & SCHEME_BESIDE))
			rest.members[rest.n++] = e->members[i];
	return expr_print(rest.n > 0 ? &rest : e, a);
}

const struct scheme *menu_chosen(const struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	const struct scheme *own, *found = NULL;
	const char *const now = without_masks(scene->setup.scheme, &a);
	for (size_t i = 0; now && !found && (own = define_at(i)) != NULL; i++)
		if (strcmp(without_masks(own->expression, &a), now) == 0)
			found = own;
	arena_release(&a);
	return found ? found : menu_current(scene);
}

const struct scheme *menu_current(const struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	const struct expr *const e = expr_of(scene->setup.scheme, &a, NULL);
	const struct scheme *const found = e ? expr_main(e)->scheme : NULL;
	arena_release(&a);
	return found;
}
