/* menu.c: the schemes in the order of the menu: groups by topic, sequences by reference.
 *
 * Groups are rows of a table; a scheme belongs to the first row that takes it, and within a group
 * the registry's order stays. */
#include <string.h>

#include "posviz/app.h"

static const struct group {
	const char *name;
	unsigned flags; /* a scheme with any of these belongs here */
	bool combination;
	bool sequence; /* of this reference, else of this topic */
	enum reference ref;
	enum topic topic;
} groups[] = {
	{"Masks", .flags = SCHEME_MASK},
	{"Known models", .combination = true},
	{"Absolute", .sequence = true, .ref = REF_ABSOLUTE},
	{"Relative", .sequence = true, .ref = REF_RELATIVE},
	{"Both", .sequence = true, .ref = REF_BOTH},
	{"None", .sequence = true, .ref = REF_NONE},
	{"Trees", .topic = TOPIC_TREE},
	{"Graphs", .topic = TOPIC_GRAPH},
	{"Decoders", .topic = TOPIC_DECODER},
	{"Languages", .topic = TOPIC_CROSS},
	{"Analyses", .topic = TOPIC_ANALYSIS},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

/* The order in which they are shown. */
static const char *const shown[GROUPS] = {"None",     "Absolute", "Relative",	 "Both",
					  "Trees",    "Graphs",	  "Decoders",	 "Languages",
					  "Analyses", "Masks",	  "Known models"};

static const char *group_of(const struct scheme *s)
{
	for (size_t i = 0; i < GROUPS; i++) {
		const struct group *const g = &groups[i];
		if (g->flags	     ? (s->flags & g->flags) != 0
		    : g->combination ? s->expression != NULL
		    : g->sequence    ? s->topic == TOPIC_SEQUENCE && s->ref == g->ref
				     : s->topic == g->topic)
			return g->name;
	}
	BUG("%s belongs to no group of the menu", s->id);
}

struct menu_item *menu_items(struct arena *a, size_t *n)
{
	const size_t count = scheme_count();
	struct menu_item *const out = arena_calloc(a, count, sizeof *out);
	*n = 0;
	for (size_t g = 0; g < GROUPS; g++)
		for (size_t i = 0; i < count; i++)
			if (strcmp(group_of(scheme_at(i)), shown[g]) == 0)
				out[(*n)++] = (struct menu_item){shown[g], scheme_at(i)};
	return out;
}

const struct scheme *menu_current(const struct scene *scene)
{
	struct arena a;
	struct expr e;
	struct err err;
	arena_init(&a);
	const bool read = expr_parse(&e, scene->setup.scheme, &a, &err);
	const struct scheme *const found = read ? expr_main(&e)->scheme : NULL;
	arena_release(&a);
	return found;
}
