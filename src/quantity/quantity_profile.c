/* quantity_profile.c: numbers of the profile of a head, over windows of a text. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "quantity_in.h"

/* Gets the profile of the head that is meant: the named one, that of the scene, or until one is chosen that which the
 * view Profile shows; false with `out` set, or an error: there is none. */
static bool find_head(const struct asking *ask, struct profile_known *k,
		      const struct profile_head **head, struct quantity_value *out, struct err *err)
{
	const struct scene *const scene = runs_scene(ask->q);
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const size_t layer = run.layer, index = run.index;
	const bool own = scene->chose_head || ask->of->head != 0 || ask->of->layer != 0;
	profile_of_scene(scene, false, NULL, NULL, ask->a, k);
	*head = NULL;
	if (k->why)
		return answer_absent(out, k->why);
	const size_t first = own ? SIZE_MAX : profile_first(k, scene);
	if (first != SIZE_MAX) {
		*head = &k->heads[first];
		return true;
	}
	if (layer >= k->run.sizes.layers || index >= k->run.sizes.heads)
		return answer_absent(out,
				     "a mean of heads or layers has no profile; choose a head");
	*head = &k->heads[layer * k->run.sizes.heads + index];
	return true;
}

/* Returns "position, distance, … or head". */
static const char *names(struct arena *a)
{
	const char *all = profile_names[0];
	for (size_t i = 1; i < PROFILE_COLUMNS; i++)
		all = arena_printf(a, "%s%s%s", all, i + 1 < PROFILE_COLUMNS ? ", " : " or ",
				   profile_names[i]);
	return all;
}

bool find_profile(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct profile_known k;
	const struct profile_head *h;
	if (!find_head(ask, &k, &h, out, err))
		return false;
	if (!h)
		return true;
	const char *const name = ask->of->label;
	const size_t column = profile_name_find(name, strlen(name));
	if (column == PROFILE_COLUMNS)
		return err_set(err, "profile: no number is called \"%s\"; %s would be right", name,
			       names(ask->a));
	const double value = profile_value(&k.run.sizes, k.heads, (size_t)(h - k.heads), column);
	return answer_number(out, profile_columns[column].percent ? 100 * value : value);
}

bool find_kernel(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct profile_known k;
	const struct profile_head *h;
	if (!find_head(ask, &k, &h, out, err))
		return false;
	if (!h)
		return true;
	const long n = (long)k.run.sizes.n, at = ask->of->number + n - 1;
	if (at < 0 || at >= 2 * n - 1 || isnan(h->kernel[at]))
		return answer_absent(out, "no query sees a key at that distance");
	return answer_number(out, h->kernel[at]);
}
