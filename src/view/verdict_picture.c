/* verdict_picture.c: the picture of the view Verdict: the wavelength of each pair of a rotation beside the length of
 * training and the declared one; for other schemes how far ALiBi lets a head look, or the bias of positions. */
#include <math.h>

#include <string.h>

#include "posviz/scheme/alibi_slopes.h"
#include "posviz/scheme/rates.h"
#include "verdict_in.h"

bool verdict_rotates(const char *expression)
{
	struct arena a;
	bool any = false;
	arena_init(&a);
	const struct expr *const e = expr_of(expression, &a, NULL);
	for (size_t i = 0; e && i < e->n && !any; i++) {
		enum { SOME = 64 }; /* the width of a head, which does not matter here */
		struct member_rates rates;
		any = member_rates(&e->members[i], SOME, SOME, SOME, &a, &rates);
	}
	arena_release(&a);
	return any;
}

/* Returns whether a layer has this rotation. */
static bool has_rotation(const struct known *k, const struct rotation_seen *s, long layer)
{
	const int at = k->layer[layer].rotation;
	return at >= 0 && &k->rotations[at] == s->rule;
}

/* Returns the runs of layers that have a rotation, "1–5, 7–11 …"; *n: the number of these layers. */
static const char *runs_of(const struct known *k, const struct rotation_seen *s, size_t *n,
			   struct arena *a)
{
	enum { MOST = 2 };
	const char *text = "";
	size_t runs = 0;
	*n = 0;
	for (long from = 0; from < k->layers; from++) {
		long end = from;
		while (end < k->layers && has_rotation(k, s, end))
			end++;
		if (end == from)
			continue;
		*n += (size_t)(end - from);
		const char *const sep = runs > 0 ? ", " : "";
		if (runs++ == MOST)
			return arena_printf(a, "%s …", text);
		text = end - from == 1 ? arena_printf(a, "%s%s%ld", text, sep, end)
				       : arena_printf(a, "%s%s%ld–%ld", text, sep, from + 1, end);
		from = end;
	}
	return text;
}

const char *verdict_layers(const struct known *k, const struct rotation_seen *s, struct arena *a)
{
	size_t n;
	const char *const runs = runs_of(k, s, &n, a);
	return arena_printf(a, "layer%s %s", n == 1 ? "" : "s", runs);
}

/* Returns lines at the length of training and at the declared one. */
static const struct curve_level *lengths(const struct known *k, double trained, size_t *n,
					 struct arena *a)
{
	struct curve_level *const at = arena_calloc(a, 2, sizeof *at);
	const double declared = (double)k->declared;
	*n = 0;
	if (trained > 0 && (declared <= 0 || fabs(trained - declared) > 0.5))
		at[(*n)++] = (struct curve_level){
			trained, arena_printf(a, "before scaling: %.0f positions", trained),
			arena_printf(a, "before %.0f", trained)};
	if (declared > 0)
		at[(*n)++] = (struct curve_level){
			declared, arena_printf(a, "context: %.0f positions", declared),
			arena_printf(a, "%.0f", declared)};
	return at;
}

/* ---- rotations ------------------------------------------------------------------------------- */

static struct series waves(const struct rotation_seen *s, const double *rate, const char *label,
			   size_t colour, struct arena *a)
{
	static const double two_pi = 6.283185307179586;
	double *const x = arena_calloc(a, s->pairs + 1, sizeof *x);
	double *const y = arena_calloc(a, s->pairs + 1, sizeof *y);
	for (size_t i = 0; i < s->pairs; i++) {
		x[i] = (double)(i + 1);
		y[i] = rate[i] > 0 ? two_pi / rate[i] : NAN;
	}
	return (struct series){.label = label,
			       .n = s->pairs,
			       .x = x,
			       .y = y,
			       .colour = colour,
			       .active = colour == 0};
}

static bool is_scaled(const struct rotation_seen *s)
{
	for (size_t i = 0; i < s->n_bands; i++)
		if (s->bands[i].way != BAND_KEPT)
			return true;
	return false;
}

/* Returns how many pairs make a whole rotation within the length of training. */
static size_t full_pairs(const struct rotation_seen *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_bands; i++)
		n += s->bands[i].full ? s->bands[i].to - s->bands[i].from : 0;
	return n;
}

static void waves_panel(const struct verdict_kept *v, struct arena *a, struct panel *p)
{
	struct series *const series = arena_calloc(a, 2 * MOST_ROTATIONS, sizeof *series);
	size_t n = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct rotation_seen *const s = &v->rotations[i];
		const bool scaled = is_scaled(s);
		const char *const layers = verdict_layers(&v->known, s, a);
		const char *const which = v->n > 1 ? layers : "";
		const char *const sep = v->n > 1 ? ", " : "";
		series[n] = waves(s, s->now,
				  scaled ? arena_printf(a, "%s%sscaled", which, sep) : which, n, a);
		series[n].brief = scaled ? "scaled" : strchr(layers, ' ') + 1;
		n++;
		if (!scaled)
			continue;
		series[n] =
			waves(s, s->then, arena_printf(a, "%s%sbefore scaling", which, sep), n, a);
		series[n].brief = "before";
		n++;
	}
	const struct rotation_seen *const first = &v->rotations[0];
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "waves",
		.title = "Positions for a full rotation, pair by pair",
		.brief_title = "Positions for a rotation",
		.note = arena_printf(a, "%s%s%zu of %zu pairs turn fully within %s",
				     v->n > 1 ? verdict_layers(&v->known, first, a) : "",
				     v->n > 1 ? ": " : "", full_pairs(first), first->pairs,
				     known_number(first->trained, 9, a)),
		.short_note =
			arena_printf(a, "%zu of %zu turn fully", full_pairs(first), first->pairs),
		.subtitle =
			"a pair whose rotation takes fewer positions than training had has met all "
			"its angles there"};
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .x_title = "pair",
				    .y_title = "positions",
				    .integer_x = true,
				    .together = true,
				    .spread = CURVES_LOG};
	p->curves.levels = lengths(&v->known, first->trained, &p->curves.n_levels, a);
}

/* ---- other schemes --------------------------------------------------------------------------- */

/* Returns the member of this scheme; NULL: there is none. */
static const struct expr_member *member_of(const struct known *k, const char *id, struct arena *a)
{
	const struct expr *const e = k->expression ? expr_of(k->expression, a, NULL) : NULL;
	for (size_t i = 0; e && i < e->n; i++)
		if (strcmp(e->members[i].scheme->id, id) == 0)
			return &e->members[i];
	return NULL;
}

const char *verdict_positions(const struct known *k, struct arena *a)
{
	const struct expr *const e = k->expression ? expr_of(k->expression, a, NULL) : NULL;
	const struct expr_member *const t5 = member_of(k, "t5", a);
	const char *all = NULL;
	if (member_of(k, "learned", a) && k->declared > 0)
		return arena_printf(
			a,
			"a table with a learned vector for each of %ld positions; later "
			"positions have none",
			k->declared);
	if (t5)
		return arena_printf(
			a,
			"a learned bias for each of %.0f buckets of distances; all from %.0f on "
			"share one",
			scheme_value(t5->scheme, t5->param, NULL, "buckets"),
			scheme_value(t5->scheme, t5->param, NULL, "max_distance"));
	if (member_of(k, "alibi", a))
		return "a bias that falls evenly with the distance, by another slope in each head";
	for (size_t i = 0; e && i < e->n; i++)
		if (!(e->members[i].scheme->flags & SCHEME_BESIDE))
			all = arena_printf(a, "%s%s%s", all ? all : "", all ? ", " : "",
					   e->members[i].scheme->title);
	return all;
}

/* Draws for each head the distance at which its linear bias leaves a hundredth of a weight. */
static bool reach_panel(const struct verdict_kept *v, struct arena *a, struct panel *p)
{
	const struct expr_member *const m = member_of(&v->known, "alibi", a);
	const size_t heads = (size_t)v->known.heads;
	if (!m || heads == 0)
		return false;
	double *const x = arena_calloc(a, heads, sizeof *x), *const y = arena_calloc(a, heads,
										     sizeof *y);
	double *const slope = arena_calloc(a, heads, sizeof *slope);
	const double factor = scheme_value(m->scheme, m->param, NULL, "factor");
	alibi_slopes(slope, heads);
	for (size_t h = 0; h < heads; h++) {
		x[h] = (double)(h + 1);
		y[h] = log(100) / (factor * slope[h]);
	}
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series = (struct series){.label = "", .n = heads, .x = x, .y = y, .active = true};
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "reach",
		.title = "How far each head looks",
		.note = "positions until 1 % of a weight is left",
		.short_note = "positions until 1 % is left",
		.subtitle = "the distance at which the linear bias alone leaves a hundredth "
			    "of the weight of the nearest key"};
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .x_title = "head",
				    .y_title = "positions",
				    .integer_x = true,
				    .apart = true,
				    .spread = CURVES_LOG};
	p->curves.levels = lengths(&v->known, 0, &p->curves.n_levels, a);
	return true;
}

bool verdict_picture(const struct view_data *d, const struct verdict_kept *v, struct arena *a,
		     struct panel *p)
{
	if (v->n > 0) {
		waves_panel(v, a, p);
		return true;
	}
	if (!v->known.expression)
		return false;
	if (reach_panel(v, a, p))
		return true;
	const bool bias = view_bias_picture(d, a, p);
	p->heatmap.no_cursor = bias;
	return bias;
}
