/* registry.c: the views, in the order of the keys 1 to 9. */
#include <string.h>

#include "view_in.h"

const struct view views[] = {
	{"explore", "Explore", "bias, weights, bias by distance, and what the scheme is", true,
	 explore_wants, true, explore_figure},
	{0},
};

const struct view *view_find(const char *name)
{
	for (const struct view *v = views; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}
