/* profile_keep.c: the profile behind the view, and its numbers for dumps. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "profile_in.h"

const void *profile_keep(const struct view_data *d, struct arena *a)
{
	struct profile_known *const out = arena_calloc(a, 1, sizeof *out);
	profile_of_scene(d->scene, d->most != SIZE_MAX, d->cache, d->watch, a, out);
	return out;
}

size_t profile_to_come(const void *of)
{
	const struct profile_known *const k = of;
	return k->to_come;
}

/* ---- numbers for dumps ------------------------------------------------------------------------- */

void profile_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct profile_known *const k = d->kept;
	if (k->why) {
		numbers_say(out, "profile.windows", NAN, arena_printf(a, "n/a: %s", k->why), NULL);
		return;
	}
	const struct profile_sizes *const z = &k->run.sizes;
	const size_t cells = z->layers * z->heads, m = 2 * z->n - 1;
	const size_t chosen = profile_chosen(d);
	const struct profile_head *const h =
		&k->heads[chosen != SIZE_MAX
				  ? chosen
				  : view_layer(d) % z->layers * z->heads + view_head(d) % z->heads];
	const struct mat score = mat_new(a, cells, PROFILE_SCORES), kernel = mat_new(a, cells, m);
	const struct mat shares = mat_new(a, cells, 3);
	for (size_t i = 0; i < cells; i++) {
		const struct profile_head *const of = &k->heads[i];
		memcpy(mat_row(kernel, i), of->kernel, m * sizeof(double));
		memcpy(mat_row(score, i), of->score, sizeof of->score);
		memcpy(mat_row(shares, i), (double[]){of->distance, of->key, of->content},
		       3 * sizeof(double));
	}
	numbers_say(out, "profile.windows", (double)k->windows, arena_printf(a, "%zu", k->windows),
		    profile_made(&k->run, k->windows, a));
	numbers_say(out, "profile.distance", h->distance,
		    arena_printf(a, "%.1f %%", 100 * h->distance),
		    "of the variance of this head's logits within rows, by distance");
	numbers_say(out, "profile.key", h->key, arena_printf(a, "%.1f %%", 100 * h->key),
		    "by the key's position beyond that");
	for (size_t i = 0; i < PROFILE_COLUMNS; i++) {
		const enum profile_score score_of = profile_columns[i].score;
		if (score_of == PROFILE_SCORES || isnan(h->score[score_of]))
			continue;
		numbers_say(out, arena_printf(a, "profile.%s", profile_names[i]),
			    h->score[score_of], arena_printf(a, "%.3f", h->score[score_of]),
			    profile_scores[score_of].means);
	}
	numbers_add(out, "profile.kernels", kernel);
	numbers_add(out, "profile.scores", score);
	numbers_add(out, "profile.shares", shares);
}
