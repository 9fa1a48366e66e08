/* numbers.c: a list of named numbers. */
#include "posviz/math/numbers.h"

#include <math.h>
#include <string.h>

void numbers_init(struct numbers *out, struct arena *a)
{
	*out = (struct numbers){.arena = a};
}

static void append(struct numbers *out, struct number number)
{
	out->at = arena_grow(out->arena, out->at, out->n, &out->cap, sizeof *out->at);
	out->at[out->n++] = number;
}

void numbers_add(struct numbers *out, const char *name, struct mat at)
{
	if (at.at)
		append(out, (struct number){.name = arena_strdup(out->arena, name),
					    .at = mat_copy(out->arena, at)});
}

void numbers_say(struct numbers *out, const char *name, double value, const char *says,
		 const char *means)
{
	struct number number = {
		.name = arena_strdup(out->arena, name), .says = says, .means = means};
	if (!isnan(value)) {
		number.at = mat_new(out->arena, 1, 1);
		number.at.at[0] = value;
	}
	append(out, number);
}
