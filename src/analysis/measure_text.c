/* measure_text.c: measures in words: their numbers, and what they were made on. */
#include "measure_in.h"
#include "posviz/base/num.h"

/* A number below this is rounding: shown as "0 (4e-16)". */
static const double zero_level = 1e-9;

const char *measure_show_value(double value, struct arena *a)
{
	char text[32];
	if (value >= zero_level)
		return arena_strdup(a, num_show(text, sizeof text, value, MEASURE_DIGITS));
	return value > 0 ? arena_printf(a, "0 (%s)", num_show(text, sizeof text, value, 1)) : "0";
}

const char *measure_show(const struct measure *m, struct arena *a)
{
	return m->there ? measure_show_value(m->value, a) : m->why ? m->why : "…";
}

static const char *part_shown(const struct measured_on *on, struct arena *a)
{
	if (on->units >= on->of)
		return NULL;
	return on->nodes ? arena_printf(a, "%zu of %zu tokens, nearest the root", on->units, on->of)
			 : arena_printf(a, "the first %zu of %zu tokens", on->units, on->of);
}

const char *measure_show_on(const struct measured_on *on, struct arena *a)
{
	const char *const part = part_shown(on, a);
	if (on->layers == 0)
		return part;
	return arena_printf(a,
			    "%s%sthe weights of layer 1: outputs of %zu layers are above the limit "
			    "of memory",
			    part ? part : "", part ? ", " : "", on->layers);
}
