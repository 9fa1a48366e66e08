/* profile_panels.c: heads of the view Profile, and the panel of the kernel of one of them. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "profile_in.h"

const struct profile_known *profile_shown(const struct view_data *d)
{
	return d->kept;
}

size_t profile_cells(const struct profile_known *k)
{
	return k->run.sizes.layers * k->run.sizes.heads;
}

const size_t *profile_listed(const struct view_data *d, struct arena *a, size_t *n)
{
	const struct profile_known *const k = profile_shown(d);
	return profile_order(&k->run.sizes, k->shown, d->scene, (size_t)d->scene->profile_sort,
			     k->other != NULL, a, n);
}

size_t profile_chosen(const struct view_data *d)
{
	const struct profile_sizes *const z = &profile_shown(d)->run.sizes;
	const size_t first =
		d->scene->chose_head ? SIZE_MAX : profile_first(profile_shown(d), d->scene);
	return first != SIZE_MAX ? first
	       : view_layer(d) < z->layers && view_head(d) < z->heads
		       ? view_layer(d) * z->heads + view_head(d)
		       : SIZE_MAX;
}

const char *profile_name(const struct view_data *d, size_t cell, struct arena *a)
{
	const size_t heads = profile_shown(d)->run.sizes.heads;
	return profile_shown(d)->run.sizes.layers > 1
		       ? arena_printf(a, "%zu·%zu", cell / heads + 1, cell % heads + 1)
		       : arena_printf(a, "%zu", cell + 1);
}

const size_t *profile_filtered(const struct view_data *d, struct arena *a, size_t *n)
{
	static const char layer[] = "layer";
	const struct profile_known *const k = profile_shown(d);
	struct scene scene = *d->scene;
	scene.descending = false;
	return profile_order(&k->run.sizes, k->shown, &scene,
			     profile_name_find(layer, strlen(layer)), false, a, n);
}

/* The part of the distances that any head has: under a causal mask no key after the query. */
void profile_span(const struct profile_known *k, size_t *from, size_t *to)
{
	const size_t m = 2 * k->run.sizes.n - 1;
	*from = m;
	*to = 0;
	for (size_t c = 0; c < profile_cells(k); c++)
		for (size_t i = 0; i < m; i++)
			if (!isnan(k->heads[c].kernel[i])) {
				*from = i < *from ? i : *from;
				*to = i + 1 > *to ? i + 1 : *to;
			}
}

const char *profile_percent(double share, struct arena *a)
{
	return isnan(share) ? "–" : arena_printf(a, "%.0f %%", 100 * share + 0.0);
}

/* ---- the kernel of one head ------------------------------------------------------------------------ */

/* Returns what the scheme's own kernel is beside that of the head, or why there is none. */
static const char *own_words(const struct profile_known *k, const struct profile_head *h,
			     struct arena *a)
{
	if (!h->own)
		return k->own_why ? k->own_why : "the scheme's own kernel is to come";
	return arena_printf(
		a,
		"the scheme's own, without content, explains %s of it, and differs by %.2g on the "
		"average of pairs",
		profile_percent(h->own_like, a), h->own_apart);
}

/* Returns how much of the kernel is the scheme's own, or of the logits' variance the kernel is. */
static const char *curve_note(const struct profile_known *k, size_t cell, bool brief,
			      struct arena *a)
{
	const struct profile_head *const h = &k->heads[cell];
	if (k->other)
		return arena_printf(a, "differ by %.2g", k->shown[cell].own_apart);
	if (!h->own || isnan(h->own_like))
		return arena_printf(a, brief ? "%s of variance" : "%s of the variance",
				    profile_percent(h->distance, a));
	if (h->own_like <= 0)
		return "unlike the scheme's";
	return arena_printf(a, brief ? "%s the scheme's" : "the scheme's own explains %s",
			    profile_percent(h->own_like, a));
}

/* Gives the curves of two models names without the members at their ends that both have: "none" and "alibi" of
 * "none+causal" and "alibi+causal". */
static void name_briefly(struct series *of, const struct profile_known *k, struct arena *a)
{
	size_t one = strlen(k->name), two = strlen(k->other_name), same = 0;
	for (size_t i = 1; i < one && i < two && k->name[one - i] == k->other_name[two - i]; i++)
		if (k->name[one - i] == '+')
			same = i;
	of[0].brief = arena_strndup(a, k->name, one - same);
	of[1].brief = arena_strndup(a, k->other_name, two - same);
}

/* Returns the curves of a head over distances [from, to): its kernel with its interval, and beside it the scheme's own
 * or that of the other model, if there is one. */
static struct curves curves_of(const struct profile_known *k, size_t cell, size_t from, size_t to,
			       struct arena *a)
{
	const struct profile_head *const h = &k->heads[cell];
	const double *const beside = k->other ? k->other->heads[cell].kernel : h->own;
	const size_t n = to - from;
	struct series *const series = arena_calloc(a, 2, sizeof *series);
	double *const x = arena_calloc(a, n, sizeof *x), *const lo = arena_calloc(a, n, sizeof *lo);
	double *const hi = arena_calloc(a, n, sizeof *hi);
	for (size_t i = 0; i < n; i++) {
		const double half = h->kernel_half[from + i], y = h->kernel[from + i];
		x[i] = (double)(from + i) - (double)(k->run.sizes.n - 1);
		lo[i] = y - (isnan(half) ? 0 : half);
		hi[i] = y + (isnan(half) ? 0 : half);
	}
	series[0] = (struct series){.label = k->other ? k->name : "this head",
				    .brief = k->other ? NULL : "head",
				    .n = n,
				    .x = x,
				    .y = h->kernel + from,
				    .lo = lo,
				    .hi = hi,
				    .active = true};
	if (beside)
		series[1] = (struct series){.label = k->other ? k->other_name : "scheme alone",
					    .brief = k->other ? NULL : "own",
					    .n = n,
					    .x = x,
					    .y = beside + from,
					    .colour = 1};
	if (k->other)
		name_briefly(series, k, a);
	return (struct curves){.series = series,
			       .n = beside ? 2 : 1,
			       .x_title = "distance, s−t",
			       .y_title = "logit",
			       .together = true,
			       .integer_x = true};
}

/* Fills the panel of the chosen head's kernel with its interval; of a mean, of the first head of the table. */
void profile_curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const size_t chosen = profile_chosen(d), first = profile_first(k, d->scene);
	const size_t cell = chosen != SIZE_MAX ? chosen : first != SIZE_MAX ? first : 0;
	const struct profile_head *const h = &k->heads[cell];
	size_t from, to;
	profile_span(k, &from, &to);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "kernel",
		.title = arena_printf(a, "Head %s: logit by distance", profile_name(d, cell, a)),
		.brief_title = arena_printf(a, "Head %s: logit", profile_name(d, cell, a)),
		.note = curve_note(k, cell, false, a),
		.short_note = curve_note(k, cell, true, a),
		.subtitle = arena_printf(
			a, "f of the fit r(t) + f(s−t) to the logits, of mean 0 over pairs%s%s",
			k->windows > 1 ? arena_printf(a, "; band: 95 %% of %zu windows", k->windows)
				       : "",
			k->other ? "" : arena_printf(a, "; %s", own_words(k, h, a))),
		.absent = h->why       ? h->why
			  : from >= to ? "no pair counts"
				       : NULL};
	p->paper_title = p->title;
	if (p->absent)
		return;
	p->no_cursor = true;
	p->curves = curves_of(k, cell, from, to, a);
	view_curves(d, a, &p->curves);
	if (d->scene->curve_scale == CURVE_SCALE_AUTO)
		p->curves.spread = CURVES_LINEAR; /* both are of one size, to be compared */
}
