/* files_offer.c: the tensor of a file that may be meant where a parameter is not in it by its names. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/family/candidates.h"
#include "scene_in.h"

/* Returns how well the tensor fits: its shape counts most, then its columns with a name of positions. */
static int points_of(const struct tensor *t, const struct leaf *leaf)
{
	enum { SHAPE = 100, COLUMNS = 10 };
	const struct mat m = tensor_mat(t);
	const int named = candidate_name_points(t->name);
	if (t->dims > 2 || m.cols != leaf->at.cols || strchr(t->name, ' '))
		return 0;
	return m.rows == leaf->at.rows ? SHAPE + named : named > 0 ? COLUMNS + named : 0;
}

const char *files_offer(const struct tensor_set *set, const struct leaf *leaf, struct arena *a)
{
	const struct tensor *best = NULL;
	int most = 0;
	for (size_t i = 0; i < set->count; i++) {
		const int points = points_of(&set->tensors[i], leaf);
		if (points > most) {
			most = points;
			best = &set->tensors[i];
		}
	}
	if (!best)
		return arena_printf(a, "it has %s; --map %s=NAME takes another",
				    tensor_names(set, leaf->name, a), leaf->base);
	const struct mat m = tensor_mat(best);
	return arena_printf(a, "%s is %zu x %zu; --map %s=%s takes it",
			    text_quote_whole(a, best->name, strlen(best->name)), m.rows, m.cols,
			    leaf->base, text_escape(a, best->name, strlen(best->name)));
}
