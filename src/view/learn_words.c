/* learn_words.c: the sentences of the view Learn. */
#include <math.h>

#include "learn_in.h"

const char *learn_share(double share, struct arena *a)
{
	return isnan(share) ? "n/a" : arena_printf(a, "%.2f", share);
}

size_t learn_last_step(const struct scene *scene)
{
	struct learn_options o;
	learn_of_scene(scene, scene->setup.scheme, &o);
	return o.steps;
}

bool learn_is_beyond(const struct scene *scene)
{
	return (size_t)scene->moment > learn_last_step(scene) &&
	       (double)scene->moment < field_find("moment")->type.max;
}

bool learn_has_seeds(const struct learn_shown *all, size_t i)
{
	const struct learn_known *const k = &all->of[i];
	return all->seeds[i].n > 1 && k->tested && k->moment == k->o.steps;
}

const char *learn_made(const struct learn_known *k, struct arena *a)
{
	return arena_printf(a, "trained on %s, %zu%s steps, seed %llu", k->o.task, k->moment,
			    k->moment == k->o.steps ? "" : arena_printf(a, " of %zu", k->o.steps),
			    (unsigned long long)k->o.seed);
}

/* The accuracy of a training: the mean over its seeds, or that of its own. */
static double right_at(const struct learn_shown *all, size_t i, size_t length)
{
	return learn_has_seeds(all, i) ? all->seeds[i].at[length].mean
				       : all->of[i].at[length].right;
}

/* Returns " (3 seeds)"; "" for one. */
static const char *seeds_of(const struct learn_shown *all, size_t i, struct arena *a)
{
	return learn_has_seeds(all, i) ? arena_printf(a, " (%zu seeds)", all->seeds[i].n) : "";
}

/* Returns "Asked: the letter before this one. "; "" where that is not known. */
static const char *asked(const struct learn_known *k, struct arena *a)
{
	return k->asked ? arena_printf(a, "Asked: %s. ", k->asked) : "";
}

/* An accuracy that is at most this far above its floor counts as no better than it. */
static const double by_chance = 0.015;

static bool is_no_better(const struct learn_shown *all, size_t i, size_t length)
{
	return right_at(all, i, length) <= all->of[i].at[length].floor + by_chance;
}

/* ---- one training --------------------------------------------------------------------------------- */

/* Returns ": no better" where that is so at both lengths, or at which one it is. */
static const char *no_better(const struct learn_shown *all, size_t last, struct arena *a)
{
	const bool first_is = is_no_better(all, 0, 0), last_is = is_no_better(all, 0, last);
	return first_is && last_is ? ": no better"
	       : first_is || last_is
		       ? arena_printf(a, ": at %zu no better", all->of[0].at[first_is ? 0 : last].n)
		       : "";
}

/* Returns "; without position 0.27, 0.17" of the first and the last length; "" where that is not known. */
static const char *without_position(const struct learn_shown *all, size_t last, struct arena *a)
{
	const double first = all->of[0].at[0].floor, then = all->of[0].at[last].floor;
	if (isnan(first) || isnan(then))
		return "";
	return arena_printf(a, "; without position %.2f%s%s", first,
			    fabs(first - then) < 0.005 ? "" : arena_printf(a, ", %.2f", then),
			    no_better(all, last, a));
}

static const char *alone(const struct learn_shown *all, struct arena *a)
{
	const struct learn_known *const k = all->of;
	size_t last = LEARN_LENGTHS - 1;
	if (!k->tested)
		return arena_printf(a, "Training on %s%s: step %zu of %zu.", k->o.task,
				    k->asked ? arena_printf(a, " (asked: %s)", k->asked) : "",
				    k->done, k->o.steps);
	if (isnan(k->at[0].right))
		return arena_printf(a, "It cannot be tested: %s.", k->at[0].absent);
	const char *const when =
		k->moment == k->o.steps ? "" : arena_printf(a, " at step %zu", k->moment);
	while (last > 0 && isnan(k->at[last].right))
		last--;
	return arena_printf(
		a, "%sRight%s%s: %.2f at %zu%s tokens%s.", asked(k, a), when, seeds_of(all, 0, a),
		right_at(all, 0, 0), k->at[0].n,
		last == 0 ? ""
			  : arena_printf(a, ", %.2f at %zu", right_at(all, 0, last), k->at[last].n),
		without_position(all, last, a));
}

/* ---- several -------------------------------------------------------------------------------------- */

/* Orders those that were tested at the longest length, the best first; returns how many. */
static size_t by_accuracy(const struct learn_shown *all, size_t *order)
{
	size_t n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const double right = all->of[i].why || !all->of[i].tested
					     ? NAN
					     : right_at(all, i, LEARN_LENGTHS - 1);
		size_t at = n;
		if (isnan(right))
			continue;
		for (; at > 0 && right_at(all, order[at - 1], LEARN_LENGTHS - 1) < right; at--)
			order[at] = order[at - 1];
		order[at] = i;
		n++;
	}
	return n;
}

/* Returns "; at most 0.17 without position", with the largest where schemes that see less can say more; and which
 * schemes are no better. "": not known. */
static const char *floors(const struct learn_shown *all, const size_t *order, size_t n,
			  struct arena *a)
{
	const size_t last = LEARN_LENGTHS - 1;
	double lo = INFINITY, hi = -INFINITY;
	const char *list = "";
	for (size_t i = 0; i < n; i++) {
		const double floor = all->of[order[i]].at[last].floor;
		lo = fmin(lo, floor);
		hi = fmax(hi, floor);
		if (is_no_better(all, order[i], last))
			list = arena_printf(a, "%s%s%s", list, *list ? ", " : "",
					    all->name[order[i]]);
	}
	if (lo > hi)
		return "";
	return arena_printf(a, "; at most %.2f%s without position%s%s", lo,
			    hi - lo < 0.005 ? "" : arena_printf(a, " to %.2f, by mask,", hi),
			    *list ? "; no better than that: " : "", list);
}

static const char *several(const struct learn_shown *all, struct arena *a)
{
	size_t order[LEARN_SHOWN];
	const size_t n = by_accuracy(all, order);
	const char *list = "";
	if (n == 0)
		return arena_printf(a, "Training on %s: step %zu of %zu.", all->of[0].o.task,
				    all->of[0].done, all->of[0].o.steps);
	const struct learn_known *const best = &all->of[order[0]];
	for (size_t i = 0; i < n; i++)
		list = arena_printf(a, "%s%s%s %.2f", list, i ? ", " : "", all->name[order[i]],
				    right_at(all, order[i], LEARN_LENGTHS - 1));
	return arena_printf(
		a, "%sRight%s at %zu tokens, %d times the longest in training%s: %s%s.",
		asked(best, a),
		best->moment == best->o.steps ? "" : arena_printf(a, ", step %zu,", best->moment),
		best->at[LEARN_LENGTHS - 1].n, 1 << (LEARN_LENGTHS - 1), seeds_of(all, order[0], a),
		list, floors(all, order, n, a));
}

const char *learn_finding(const struct view_data *d, struct arena *a)
{
	const struct learn_shown *const all = d->kept;
	return arena_printf(
		a, "%s%s",
		learn_is_beyond(d->scene)
			? arena_printf(a, "There is no step %ld: the last. ", d->scene->moment)
			: "",
		all->n > 1 ? several(all, a) : alone(all, a));
}

/* ---- below the figure ----------------------------------------------------------------------------- */

/* Returns "rope; alibi, by tokens up to it". */
static const char *schemes(const struct learn_shown *all, struct arena *a)
{
	const char *out = "";
	if (all->n < 2)
		return all->of[0].o.scheme;
	for (size_t i = 0; i < all->n; i++)
		out = arena_printf(a, "%s%s%s%s", out, i ? "; " : "", all->of[i].o.scheme,
				   all->of[i].why
					   ? arena_printf(a, " (not trained: %s)", all->of[i].why)
					   : all->of[i].mask);
	return out;
}

const char *learn_caption(const struct view_data *d, struct arena *a)
{
	const struct learn_shown *const all = d->kept;
	const struct learn_known *k = all->of;
	for (size_t i = 0; i < all->n && k->why; i++)
		k = &all->of[i];
	const char *const task =
		k->asked ? arena_printf(a, "Sentences of %s; asked: %s. ", k->sentence, k->asked)
			 : "";
	return arena_printf(
		a,
		"%s%s in a model of %zu layer%s, d %zu, %zu heads, ff %zu, %s, with %d sentences of up to %zu tokens a "
		"step%s. %sFloor: what can be said without position%s.",
		task, schemes(all, a), k->o.layers, k->o.layers == 1 ? "" : "s", k->o.d, k->o.heads,
		k->o.ff, learn_made(k, a), LEARN_BATCH, k->longest,
		all->n > 1 ? ", the same for all" : arena_printf(a, "; %s", k->says),
		learn_has_seeds(all, 0)
			? arena_printf(a,
				       "Accuracies: means of %zu seeds, with the least and the "
				       "most; all else is of seed %llu. ",
				       all->seeds[0].n, (unsigned long long)k->o.seed)
			: "",
		all->n > 1 ? "" : k->mask);
}
