/* vectors_card.c: the facts about the vectors that the view Vectors shows. */
#include <math.h>

#include "vectors_in.h"

static void say_waves(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		      struct card *card)
{
	const size_t n_pairs = k->v.angle.cols;
	card_add(
		card, "wavelengths", arena_printf(a, "%zu of %zu", k->turn, n_pairs),
		arena_printf(a,
			     "pairs rotate fully within %zu positions, %zu within t-max = %zu: the "
			     "others have not repeated by then",
			     k->v.angle.rows, k->turned, d->built->model.config.t_max));
	if (k->v.trained) {
		double most = 0;
		for (size_t i = 0; i < n_pairs; i++)
			most = fmax(most, k->v.trained[i] / k->v.frequency[i]);
		card_add(card, "scaled", arena_printf(a, "%s times", vectors_number(most, 3, a)),
			 "the pair that was slowed down most");
	}
}

static void norm_limits(const struct shown_vectors *k, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t t = 0; t < k->v.rows.rows; t++) {
		*least = fmin(*least, k->norm[t]);
		*most = fmax(*most, k->norm[t]);
	}
}

static const char *norm_range(const struct shown_vectors *k, struct arena *a)
{
	double least, most;
	norm_limits(k, &least, &most);
	return most - least <= 1e-9 * most ? vectors_number(most, 3, a)
					   : arena_printf(a, "%s … %s", vectors_number(least, 3, a),
							  vectors_number(most, 3, a));
}

static void say_rows(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		     struct card *card)
{
	card_add(card, "values",
		 arena_printf(a, "%s … %s", vectors_number(k->lo, 3, a),
			      vectors_number(k->hi, 3, a)),
		 k->v.kind == VECTORS_TURNS ? "angles in radians, from −π to π" : NULL);
	if (vectors_of_heads(k) && !d->earlier)
		return; /* its rows are no vectors */
	card_add(card, "length", norm_range(k, a),
		 k->v.kind == VECTORS_TURNS ? "norm of a row of cosines and sines"
					    : "norm of a row");
	if (!isnan(k->least))
		card_add(card, "cosine",
			 arena_printf(a, "%s … %s", vectors_number(k->least, 2, a),
				      vectors_number(k->most, 2, a)),
			 arena_printf(a, "of two different rows; of rows side by side %s, mean",
				      vectors_number(k->neighbour, 2, a)));
	if (!isnan(k->by.distance))
		card_add(card, "by distance", arena_printf(a, "%.0f %%", 100 * k->by.distance),
			 "of the variance of these cosines: 100 % where only the distance counts");
	else if (k->by.why && !isnan(k->least))
		card_add(card, "by distance", "n/a", k->by.why);
	if (!k->plane_absent)
		card_add(card, "plane",
			 arena_printf(a, "%.0f %%", 100 * (k->share[0] + k->share[1])),
			 "of the variance is in the first two principal components");
}

static const char *names_of(const struct shown_vectors *k, struct arena *a)
{
	enum { NAMED = 6 };
	const char *names = "";
	for (size_t i = 0; i < k->n && i < NAMED; i++)
		names = arena_printf(a, "%s%s%zu %s", names, i ? ", " : "", i + 1, k->list[i].name);
	return k->n > NAMED ? arena_printf(a, "%s …", names) : names;
}

/* Returns what one row has room for: "values −1 to 2 · lengths of rows 5.44 to 11.3 · cosines −0.96 to 1". */
static const char *said_ranges(const struct shown_vectors *k, struct arena *a)
{
	const char *text = arena_printf(a, "values %s to %s", vectors_number(k->lo, 3, a),
					vectors_number(k->hi, 3, a));
	if (vectors_of_heads(k))
		return text;
	double least, most;
	norm_limits(k, &least, &most);
	text = most - least <= 1e-9 * most
		       ? arena_printf(a, "%s · length of each row %s", text,
				      vectors_number(most, 3, a))
		       : arena_printf(a, "%s · lengths of rows %s to %s", text,
				      vectors_number(least, 3, a), vectors_number(most, 3, a));
	return isnan(k->least) ? text
			       : arena_printf(a, "%s · cosines %s to %s", text,
					      vectors_number(k->least, 2, a),
					      vectors_number(k->most, 2, a));
}

void vectors_card_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	*p = (struct panel){.name = "card", .title = "Statistics", .paper_title = "Statistics"};
	struct card *const card = card_new(p, a);
	card_add(card, "rows", arena_printf(a, "%zu × %zu", k->v.at.rows, k->v.at.cols),
		 k->v.means);
	if (vectors_are_waves(k))
		say_waves(d, k, a, card);
	say_rows(d, k, a, card);
	const char *const part = sample_show(&k->sample, a);
	if (part)
		card_add(card, "part", part, NULL);
	if (k->more_places && !vectors_of_bias(k))
		card_add(card, "positions", arena_printf(a, "%zu", k->trace->key.n),
			 "of any words: the vectors depend on the position alone");
	if (k->n > 1)
		card_add(card, "vectors", arena_printf(a, "%zu of %zu", k->of + 1, k->n),
			 names_of(k, a));
	if (!d->earlier)
		card->said = said_ranges(k, a);
}
