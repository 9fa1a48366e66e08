/* lengths_finding.c: the sentence above the panels of the view Lengths: what becomes of attention beyond t_max. */
#include <math.h>
#include <string.h>

#include "lengths_in.h"
#include "posviz/scene/beside.h"
#include "posviz/analysis/stack.h"
#include "posviz/base/num.h"

/* The last query's row at t_max and at the longest length, of one scheme. */
struct ends {
	const struct lengths *l;
	const struct lengths_row *made_for,
		*longest; /* made_for NULL: not known, or the longest itself */
	size_t head;
};

static struct ends ends_of(const struct lengths *l, size_t head)
{
	struct ends e = {.l = l, .head = head};
	for (size_t i = 0; i < l->n && !l->why; i++) {
		if (!l->rows[i].known)
			continue;
		e.made_for = l->rows[i].n == l->t_max ? &l->rows[i] : e.made_for;
		e.longest = &l->rows[i];
	}
	if (e.made_for == e.longest)
		e.made_for = NULL;
	return e;
}

size_t lengths_keys_left(const struct view_data *d)
{
	const struct ends e = ends_of(d->lengths, view_head(d));
	const size_t layer = (size_t)view_layer(d);
	struct stack_keys then, now;
	if (!e.made_for || !e.longest || layer >= d->built->model.config.layers)
		return 0;
	const double at = (double)e.made_for->n - 1, end = (double)e.longest->n - 1;
	if (!stack_keys_of(d->built, layer, at, e.made_for->n, &then) ||
	    !stack_keys_of(d->built, layer, end, e.longest->n, &now))
		return 0;
	return now.first > 0 && fabs((end - now.first) - (at - then.first)) < 0.5
		       ? (size_t)(now.last - now.first) + 1
		       : 0;
}

/* Returns "Attention keeps its width", with the window if that is why. */
static const char *how_wide(double window, double text, size_t keys, struct arena *a)
{
	static const double same = 1 + 1e-9;
	if (window <= same && keys > 0)
		return arena_printf(a, "Attention keeps its width, in a window of %zu key%s", keys,
				    keys == 1 ? "" : "s");
	return window <= same	     ? "Attention keeps its width"
	       : window < sqrt(text) ? "Attention widens, but less than the text"
				     : "Attention spreads with the text";
}

static const char *of_window(const struct ends *e, double then, double now, size_t keys,
			     struct arena *a)
{
	/* The factors by which the text and the window grow. */
	const double text = (double)e->longest->n / (double)e->made_for->n;
	const double window = (now + 1) / (then + 1);
	return arena_printf(
		a,
		"%s: 99 %% of the last query's weight is within %.0f positions at %zu tokens (the %s), "
		"%.0f at %zu.",
		how_wide(window, text, keys, a), then, e->made_for->n, lengths_t_max_is(e->l), now,
		e->longest->n);
}

/* Weights that are no shares of positions have an entropy at most. */
static const char *of_entropy(const struct ends *e, struct arena *a)
{
	const double now = e->longest->heads[e->head].last[LENGTHS_ENTROPY];
	char digits[32];
	if (isnan(now))
		return NULL;
	return arena_printf(
		a,
		"At %zu tokens the entropy of the last query's weights is %s nats; equal weights "
		"would have ln n = %.3g.",
		e->longest->n, num_show(digits, sizeof digits, now, 3), log((double)e->longest->n));
}

/* Names distances or angles of a rotation that training never met. "": nothing is known to be new. */
static const char *unseen(const struct ends *e, struct arena *a)
{
	const struct lengths_turns *const t = &e->l->turns;
	const double share = e->longest->heads[e->head].unseen;
	if (e->longest->n > e->l->t_max && share >= 0.0005)
		return arena_printf(
			a, " %.*f %% of it is at distances not met in training%s.", share < 0.0995,
			100 * share,
			lengths_stretched(e->l)
				? arena_printf(a, " on %.0f positions, scaled", t->trained_to)
				: "");
	/* A rule beside the rotation can keep every pair within the angles of training. */
	if (isinf(e->l->trained[e->head]))
		return "";
	const size_t new_pairs = t->scaled ? t->leave[LENGTHS_BEYOND - 1] : t->slow;
	if (t->pairs > 0 && new_pairs > 0)
		return arena_printf(
			a, " %zu of %zu rotated pairs of columns reach angles not met in training.",
			new_pairs, t->pairs);
	return "";
}

/* The reason is an error of a run, whose second half is about the input that was tried there. */
const char *lengths_why_ends(const struct lengths *l, struct arena *a)
{
	static const char *const tried[] = {", and this input needs", "; this input needs"};
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
		const char *const at = strstr(l->why_ends, tried[i]);
		if (at)
			return arena_strndup(a, l->why_ends, (size_t)(at - l->why_ends));
	}
	return l->why_ends;
}

const char *lengths_finding(const struct view_data *d, struct arena *a)
{
	const struct lengths *const l = d->lengths;
	const size_t head = view_head(d);
	const struct ends e = ends_of(l, head);
	if (!e.longest)
		return NULL;
	if (l->ends > 0 && !l->memory_ends)
		return arena_printf(a, "No text longer than %zu tokens can be computed: %s.",
				    l->ends, lengths_why_ends(l, a));
	const double now = e.longest->heads[head].window;
	const double then = e.made_for ? e.made_for->heads[head].window : (double)NAN;
	const char *const says = isnan(now) || isnan(then)
					 ? of_entropy(&e, a)
					 : of_window(&e, then, now, lengths_keys_left(d), a);
	return says ? arena_printf(a, "%s%s", says, unseen(&e, a)) : NULL;
}

/* Names the schemes with the least and the greatest window at the longest length that all reach. */
const char *lengths_finding_laid(const struct view_data *d, struct arena *a)
{
	size_t least = SIZE_MAX, most = SIZE_MAX;
	double windows[LENGTHS_MOST] = {0};
	const size_t n = LENGTHS_TIMES * d->lengths->t_max;
	const char *ending = "";
	for (size_t i = 0; i < d->n_laid; i++) {
		const struct lengths *const l = d->laid[i].lengths;
		const struct ends e = ends_of(l, view_chosen(d->scene->head, l->heads));
		windows[i] = e.longest && e.longest->n == n ? e.longest->heads[e.head].window
							    : (double)NAN;
		if (l->ends > 0 && !l->memory_ends)
			ending = arena_printf(a, "%s %s ends at %zu tokens.", ending,
					      d->laid[i].name, l->ends);
		if (isnan(windows[i]))
			continue;
		least = least == SIZE_MAX || windows[i] < windows[least] ? i : least;
		most = most == SIZE_MAX || windows[i] > windows[most] ? i : most;
	}
	const char *const same = least == SIZE_MAX || !(windows[least] < windows[most])
					 ? NULL
					 : "99 % of the last query's weight lies within";
	if (!same)
		return *ending ? ending + 1 : NULL;
	return arena_printf(a, "At %zu tokens (8 × t-max) %s %.0f positions for %s, %.0f for %s.%s",
			    n, same, windows[least], d->laid[least].name, windows[most],
			    d->laid[most].name, ending);
}
