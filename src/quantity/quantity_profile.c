/* quantity_profile.c: numbers of the profile of a head, over windows of a text. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_run.h"
#include "quantity_in.h"

/* Gets the profile of the head that is meant; false with `out` set, or an error: there is none. */
static bool find_head(const struct asking *ask, struct profile_known *k,
		      const struct profile_head **head, struct quantity_value *out, struct err *err)
{
	const struct scene *const scene = runs_scene(ask->q);
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const size_t layer = run.layer, index = run.index;
	profile_of_scene(scene, false, NULL, NULL, ask->a, k);
	*head = NULL;
	if (k->why)
		return answer_absent(out, k->why);
	if (layer >= k->run.sizes.layers || index >= k->run.sizes.heads)
		return answer_absent(out,
				     "a mean of heads or layers has no profile; choose a head");
	*head = &k->heads[layer * k->run.sizes.heads + index];
	return true;
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
	const struct {
		const char *name;
		double value;
	} rows[] = {{"distance", 100 * h->distance},
		    {"key", 100 * h->key},
		    {"content", 100 * h->content},
		    {"distance-of-weights", h->score[PROFILE_DISTANCE]}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(name, rows[i].name) == 0)
			return answer_number(out, rows[i].value);
	const enum profile_score score = profile_score_find(name);
	return score < PROFILE_SCORES
		       ? answer_number(out, h->score[score])
		       : err_set(err,
				 "profile: no number is called \"%s\"; distance, key, content, previous, "
				 "first, same, induction, local, entropy, distance-of-weights or order would be right",
				 name);
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
