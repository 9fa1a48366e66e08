/* compare_curves.c: the panel of curves of the view Compare: a line by distance for each
 * expression. Equal curves share a line. */
#include <math.h>
#include <string.h>

#include "compare_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { CURVE_COLS = 14 };

static bool has_curve(const struct comparison *c, size_t i, bool weights)
{
	return c->of[i].d.built->keys.n == 0 && c->d->compared[i].by_distance &&
	       (weights || !c->of[i].d.trace->bias_absent);
}

/* With a memory, earlier keys can be farther than later ones. */
long compare_ends_at(const struct compared *one)
{
	const struct distances *by = one->by_distance;
	return -by->lo > by->hi ? -by->lo : by->hi;
}

static bool same_value(double a, double b)
{
	return (!isfinite(a) && !isfinite(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

/* Returns whether the curves are equal, so that one line would hide the other. */
static bool same_curve(const struct comparison *c, size_t i, size_t j)
{
	const struct distances *a = c->d->compared[i].by_distance;
	const struct distances *b = c->d->compared[j].by_distance;
	if (a->n != b->n)
		return false;
	for (size_t k = 0; k < a->n; k++)
		if (!same_value(a->mean[k], b->mean[k]))
			return false;
	return true;
}

/* Returns whether no later key has a value. */
static bool is_past(const struct distances *by)
{
	const double *const zero = by->mean - by->lo;
	for (long k = 1; k <= by->hi; k++)
		if (isfinite(zero[k]))
			return false;
	return !by->number;
}

/* Returns whether later keys have the same values as earlier ones. */
static bool is_even(const struct distances *by)
{
	const double *const zero = by->mean - by->lo;
	for (long k = 1; k <= by->hi && !by->number; k++)
		if (!same_value(zero[k], zero[-k]))
			return false;
	return !by->number;
}

/* A line that several expressions share. */
struct shared {
	size_t of[COMPARE_MAX], n;
};

/* Returns the numbers of the expressions: "1 = 2". */
static const char *numbers(const struct comparison *c, const struct shared *s, const char *between)
{
	const char *list = "";
	for (size_t i = 0; i < s->n; i++)
		list = arena_printf(c->a, "%s%s%zu", list, i ? between : "", s->of[i] + 1);
	return list;
}

static struct series series_of(const struct comparison *c, const struct shared *s, bool folded)
{
	const struct distances *by = c->d->compared[s->of[0]].by_distance;
	const char *const full = compare_one_scheme(c) ? c->of[s->of[0]].name
						       : c->d->compared[s->of[0]].expression_name;
	const char *name = text_shorten(c->a, full, CURVE_COLS, false);
	double *x = arena_calloc(c->a, by->n, sizeof *x);
	for (size_t k = 0; k < by->n; k++)
		x[k] = (double)(by->lo + (long)k);
	return (struct series){.label = s->n == 1 ? arena_printf(c->a, "%zu %s", s->of[0] + 1, name)
						  : numbers(c, s, " = "),
			       .n = folded ? (size_t)(1 - by->lo) : by->n,
			       .x = x,
			       .y = by->mean,
			       .lo = by->min,
			       .hi = by->max,
			       .colour = s->of[0],
			       .brief = numbers(c, s, "=")};
}

struct lines {
	struct shared of[COMPARE_MAX];
	size_t n, n_marks;
	/* Only earlier keys are drawn; all_past: because every curve masks the later ones. */
	bool folded, all_past;
	struct curve_mark marks[2 * COMPARE_MAX];
};

/* Returns the label of a mark: beyond it, learned numbers were not trained, or a table has no
 * entries. NULL: the scheme has neither. */
const char *compare_mark_words(const struct comparison *c, const struct compared *one)
{
	const struct model *const m = &one->built->model;
	const size_t all = model_position_parameters(m), frozen = model_frozen_parameters(m);
	const char *const to = compare_whole(c, one->trained);
	return all > frozen ? arena_printf(c->a, "trained to %s", to)
	       : frozen > 0 ? arena_printf(c->a, "table ends at %s", to)
			    : NULL;
}

static void add_marks(const struct comparison *c, size_t line, struct lines *l)
{
	for (size_t k = 0; k < l->of[line].n; k++) {
		const struct compared *from = &c->d->compared[l->of[line].of[k]];
		const char *const words = compare_mark_words(c, from);
		if (!words || from->by_distance->number ||
		    !(from->trained < (double)compare_ends_at(from)) ||
		    l->n_marks + 2 > 2 * COMPARE_MAX)
			continue;
		l->marks[l->n_marks++] = (struct curve_mark){
			.x = -from->trained,
			.series = line,
			.label = words,
			.brief = arena_printf(c->a, "to %s", compare_whole(c, from->trained))};
		if (from->trained > 0 && !l->folded)
			l->marks[l->n_marks++] =
				(struct curve_mark){.x = from->trained, .series = line};
	}
}

/* Groups equal curves into lines. Draws only earlier keys if one curve masks the later ones and
 * all others mask them or are symmetric; else both sides. */
static void find_lines(const struct comparison *c, bool weights, struct lines *l)
{
	bool one_sided = true, any_past = false;
	*l = (struct lines){.all_past = true};
	for (size_t i = 0; i < c->n; i++) {
		if (!has_curve(c, i, weights))
			continue;
		const struct distances *const by = c->d->compared[i].by_distance;
		const bool past = is_past(by);
		one_sided &= past || is_even(by);
		any_past |= past;
		l->all_past &= past;
		size_t line = 0;
		while (line < l->n && !same_curve(c, l->of[line].of[0], i))
			line++;
		l->n += line == l->n;
		l->of[line].of[l->of[line].n++] = i;
	}
	l->folded = one_sided && any_past;
	for (size_t i = 0; i < l->n; i++)
		add_marks(c, i, l);
}

static const char *curve_words(const struct comparison *c, const struct lines *l, bool weights,
			       const struct pair_numbers *by)
{
	const long reach = c->d->scene->reach;
	struct strbuf b;
	strbuf_init(&b, c->a);
	strbuf_printf(&b, "at each %s; band: min to max%s", by->name,
		      weights || by->at || reach == 0
			      ? ""
			      : arena_printf(c->a, "; to %ld times t-max", reach));
	if (l->folded)
		strbuf_add(&b, l->all_past ? "; past only: the future is masked"
					   : "; past only: the future is the same, or masked");
	if (l->n_marks > 0)
		strbuf_add(&b, "; at a mark ends what was trained");
	return b.at;
}

/* Returns the axis of the curves, which is that of the scene's own expression. */
static struct pair_numbers curve_axis(const struct comparison *c)
{
	const struct compared *const own = &c->d->compared[0];
	struct pair_numbers by;
	if (own->by_distance && own->by_distance->number &&
	    view_structure_numbers(&own->built->model_input, own->trace, c->a, &by))
		return by;
	return (struct pair_numbers){
		.name = "distance", .x_title = view_apart_title(c->d), .sign = "s−t"};
}

static void name_curves(const struct comparison *c, const struct pair_numbers *by, bool weights,
			struct panel *p)
{
	const char *const head = view_short_head(c->d, c->a), *missing = "";
	for (size_t i = 0; i < c->n; i++)
		if (!has_curve(c, i, weights))
			missing =
				arena_printf(c->a, "%s%s%zu", missing, *missing ? ", " : "", i + 1);
	p->title = arena_printf(c->a, "%s by %s", weights ? "Weights" : "Bias", by->name);
	p->brief_title = weights ? "Weights" : "Bias"; /* the axis names the distance */
	p->paper_title = arena_printf(c->a, "%s by %s",
				      weights ? "Attention weights" : "Position bias", by->name);
	if (p->absent)
		return;
	p->paper_note = arena_printf(c->a, "%s%smean of pairs%s%s", head, *head ? ", " : "",
				     *missing ? "; no bias: " : "", missing);
	p->short_note = arena_printf(c->a, "%s %s", by->sign, view_curve_ends(&p->curves, c->a));
	p->note = arena_printf(c->a, "%s · %s", p->paper_note, p->short_note);
}

/* Returns why there are no curves; or NULL. */
static const char *no_curves(const struct series *series, size_t n)
{
	size_t points = 0;
	for (size_t i = 0; i < n; i++)
		points = series[i].n > points ? series[i].n : points;
	return n == 0	     ? "no distances: the keys are not the tokens"
	       : points == 1 ? "one distance, 0: its matrix says all"
			     : NULL;
}

/* Fills the panel with curves of the bias, or of the weights if no expression has a bias. */
void compare_curve_panel(const struct comparison *c, struct panel *p)
{
	struct series *series = arena_calloc(c->a, COMPARE_MAX, sizeof *series);
	struct lines *l = arena_calloc(c->a, 1, sizeof *l);
	const struct pair_numbers axis = curve_axis(c);
	bool weights = true;
	for (size_t i = 0; i < c->n; i++)
		weights &= c->of[i].d.trace->bias_absent != NULL;
	find_lines(c, weights, l);
	for (size_t i = 0; i < l->n; i++)
		series[i] = series_of(c, &l->of[i], l->folded);
	*p = (struct panel){.kind = PANEL_CURVES, .absent = no_curves(series, l->n)};
	p->subtitle = p->absent ? NULL : curve_words(c, l, weights, &axis);
	p->curves = (struct curves){.series = series,
				    .n = l->n,
				    .marks = l->marks,
				    .n_marks = l->n_marks,
				    .x_title = axis.x_title,
				    .y_title = "",
				    .integer_x = true,
				    .by_distance = !axis.at,
				    .rows_from = (long)c->d->trace->memory,
				    .number = axis.at,
				    .rows = axis.rows,
				    .cols = axis.cols,
				    .row_title = "expressions",
				    .together = true,
				    .folded = l->folded};
	view_curves(c->d, c->a, &p->curves);
	name_curves(c, &axis, weights, p);
}
