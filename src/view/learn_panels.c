/* learn_panels.c: the panels of the view Learn. */
#include <math.h>
#include <string.h>

#include "learn_in.h"

static const struct learn_shown *shown(const struct view_data *d)
{
	return d->kept;
}

static const char *head_name(const struct learn_known *k, struct arena *a)
{
	return k->o.layers > 1
		       ? arena_printf(a, "head %zu of layer %zu", k->now.head + 1, k->now.layer + 1)
		       : arena_printf(a, "head %zu of %zu", k->now.head + 1, k->o.heads);
}

/* Returns what a token of this scheme attends to. */
static const char *sees(const struct learn_known *k)
{
	return *k->mask ? "earlier tokens" : "all tokens";
}

/* ---- the matrix --------------------------------------------------------------------------------- */

static void mark_right(const struct learn_look *look, struct heatmap *h, struct arena *a)
{
	const size_t n = look->weights.rows * look->weights.cols;
	struct mark *const marks = arena_calloc(a, n + 1, sizeof *marks);
	size_t n_marks = 0;
	for (size_t i = 0; i < n; i++)
		if (look->right[i])
			marks[n_marks++] = (struct mark){.kind = MARK_CELL,
							 .row = i / look->weights.cols,
							 .col = i % look->weights.cols};
	h->marks = marks;
	h->n_marks = n_marks;
	h->frames_are = "right key";
}

/* A panel that says why there is no training of this scheme. */
static bool is_absent(const struct learn_shown *all, size_t i, struct arena *a, struct panel *p)
{
	if (!all->of[i].why)
		return false;
	p->title = p->brief_title = all->name[i];
	p->absent = arena_printf(a, "not trained: %s", all->of[i].why);
	return true;
}

void learn_weights_panel(const struct view_data *d, size_t i, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = shown(d);
	const struct learn_known *const k = &all->of[i];
	const struct learn_look *const look = &k->now;
	*p = (struct panel){.kind = PANEL_HEATMAP, .name = "weights"};
	if (is_absent(all, i, a, p))
		return;
	const bool any = !isnan(look->on_right);
	p->title = all->n > 1 ? arena_printf(a, "%s: weights of %s", all->name[i], head_name(k, a))
			      : arena_printf(a, "Weights of %s", head_name(k, a));
	p->brief_title = all->n > 1 ? all->name[i] : "Weights";
	p->note = any ? arena_printf(a, "%.2f on the right key", look->on_right) : NULL;
	p->short_note = any ? arena_printf(a, "%.2f right", look->on_right) : NULL;
	p->subtitle = any ? "on a sentence of the test, of the head with most weight on the right "
			    "keys at the last step; framed: the keys that each answer depends on"
			  : "on a sentence of the test";
	view_heatmap(d, look->weights,
		     &(struct paint){.allowed = look->allowed, .unit = true, .own = true}, a, p);
	struct heatmap *const h = &p->heatmap;
	h->row_labels = look->query;
	h->col_labels = look->key;
	h->has_cursor = false;
	h->no_cursor = true;
	mark_right(look, h, a);
}

/* ---- curves ------------------------------------------------------------------------------------- */

static void finish(const struct view_data *d, struct series *series, size_t n, const char *x_title,
		   const char *y_title, struct arena *a, struct panel *p)
{
	p->kind = PANEL_CURVES;
	p->no_cursor = true;
	p->curves.series = series;
	p->curves.n = n;
	p->curves.x_title = x_title;
	p->curves.y_title = y_title;
	p->curves.integer_x = true;
	view_curves(d, a, &p->curves);
	p->curves.spread = CURVES_LINEAR;
}

/* Adds a level with its number in its name, unless that is there. */
static void add_level(struct curves *k, double y, const char *what, struct arena *a)
{
	struct curve_level *const levels = arena_calloc(a, k->n_levels + 1, sizeof *levels);
	for (size_t i = 0; i < k->n_levels; i++) {
		levels[i] = k->levels[i];
		if (fabs(levels[i].y - y) < 1e-9)
			return;
	}
	if (isnan(y))
		return;
	levels[k->n_levels] = (struct curve_level){y, arena_printf(a, "%s %.2f", what, y), what};
	k->levels = levels;
	k->n_levels++;
}

/* Beside schemes that see all tokens, those that see earlier ones have a floor of their own. */
static const char *floor_name(const struct learn_shown *all, size_t i)
{
	bool whole = false;
	for (size_t k = 0; k < all->n; k++)
		whole |= !all->of[k].why && !*all->of[k].mask;
	return whole && *all->of[i].mask ? "causal floor" : "floor";
}

static void add_upright(struct curves *k, double x, const char *label, struct arena *a)
{
	struct curve_mark *const mark = arena_calloc(a, 1, sizeof *mark);
	*mark = (struct curve_mark){.x = x, .label = label, .brief = label, .upright = true};
	k->marks = mark;
	k->n_marks = 1;
}

/* The mean of each ten steps, at their last; the lengths drawn make that of a step jump. */
static struct series loss_of(const struct learn_known *k, struct arena *a)
{
	const size_t n = k->why ? 0 : k->done / LEARN_MOMENT;
	double *const x = arena_calloc(a, n + 1, sizeof *x);
	double *const y = arena_calloc(a, n + 1, sizeof *y);
	for (size_t i = 0; i < n * LEARN_MOMENT; i++) {
		x[i / LEARN_MOMENT] = (double)(i / LEARN_MOMENT + 1) * LEARN_MOMENT;
		y[i / LEARN_MOMENT] += k->loss[i] / LEARN_MOMENT;
	}
	return (struct series){.label = "loss", .n = n, .x = x, .y = y};
}

/* Returns "alibi" for "alibi+causal" if no other curve's name begins with this member; else NULL. */
static const char *brief_name(const struct learn_shown *all, size_t i, struct arena *a)
{
	const size_t len = strcspn(all->name[i], "+");
	bool shared = all->name[i][len] == '\0';
	for (size_t k = 0; k < all->n; k++)
		shared |= k != i && strcspn(all->name[k], "+") == len &&
			  strncmp(all->name[k], all->name[i], len) == 0;
	return shared ? NULL : arena_strndup(a, all->name[i], len);
}

/* Names the curves of several schemes by these, and draws them over one another. */
static void name_series(const struct learn_shown *all, struct series *series, struct curves *k,
			struct arena *a)
{
	k->together = all->n > 1;
	for (size_t i = 0; i < all->n; i++) {
		series[i].active = i == 0;
		series[i].colour = i;
		if (all->n < 2)
			continue;
		series[i].label = all->name[i];
		series[i].brief = brief_name(all, i, a);
	}
}

void learn_loss_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = shown(d);
	struct series *const series = arena_calloc(a, all->n, sizeof *series);
	const struct learn_known *first = NULL;
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "loss",
			    .title = "Loss by step",
			    .brief_title = "Loss",
			    .subtitle = "cross-entropy in nats, means of ten steps; floor: the "
					"least without position"};
	for (size_t i = 0; i < all->n; i++) {
		const struct learn_known *const k = &all->of[i];
		series[i] = loss_of(k, a);
		first = !first && series[i].n > 1 ? k : first;
	}
	if (!first) {
		p->absent = "training has begun";
		return;
	}
	if (all->n == 1) {
		const size_t last = series[0].n - 1;
		p->note =
			arena_printf(a, "%.2f at step %.0f", series[0].y[last], series[0].x[last]);
		p->short_note = arena_printf(a, "%.2f", series[0].y[last]);
	}
	name_series(all, series, &p->curves, a);
	for (size_t i = 0; i < all->n; i++)
		if (!all->of[i].why)
			add_level(&p->curves, all->of[i].floor_loss, floor_name(all, i), a);
	p->curves.x_to = (double)first->o.steps;
	if (first->moment < first->done)
		add_upright(&p->curves, (double)first->moment,
			    arena_printf(a, "step %zu", first->moment), a);
	finish(d, series, all->n, "step", "", a, p);
}

static struct series by_distance(const struct learn_look *look, size_t step, bool now,
				 struct arena *a)
{
	const size_t n = 2 * look->n - 1;
	double *const x = arena_calloc(a, n, sizeof *x);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)i - (double)(look->n - 1);
	return (struct series){.label = arena_printf(a, "step %zu", step),
			       .n = n,
			       .x = x,
			       .y = look->by_distance,
			       .active = now};
}

void learn_distance_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_known *const k = shown(d)->of;
	struct series *const series = arena_calloc(a, 3, sizeof *series);
	size_t n = 0;
	series[n++] = by_distance(&k->now, k->moment, true, a);
	if (k->moment > 0)
		series[n++] = by_distance(&k->start, 0, false, a);
	if (k->middle > 0)
		series[n++] = by_distance(&k->look_middle, k->middle, false, a);
	for (size_t i = 0; i < n; i++)
		series[i].colour = i;
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title = "Weight by distance",
		.brief_title = "By distance",
		.note = head_name(k, a),
		.short_note = arena_printf(a, "head %zu", k->now.head + 1),
		.subtitle =
			"mean weight of this head at each distance, over sentences of the test, now "
			"and at earlier steps"};
	p->curves.together = true;
	finish(d, series, n, "distance s−t", "", a, p);
}

/* ---- accuracy ----------------------------------------------------------------------------------- */

/* Returns why there is no accuracy yet. */
static const char *untested_words(const struct learn_known *k, struct arena *a)
{
	return k->done < k->o.steps
		       ? arena_printf(a, "step %zu of %zu: tested when the training has ended",
				      k->done, k->o.steps)
		       : "trained; its test is not done yet";
}

/* The numbers of the bars: of several seeds their mean, with the interval. */
struct length_bars {
	const char **labels, **notes;
	double *values, *floors, *lo, *hi;
	bool floor;
};

static struct length_bars bars_of(const struct learn_shown *all, size_t of, struct arena *a)
{
	const struct learn_known *const k = &all->of[of];
	const bool seeds = learn_has_seeds(all, of);
	struct length_bars out = {.labels = arena_calloc(a, LEARN_LENGTHS, sizeof *out.labels),
				  .notes = arena_calloc(a, LEARN_LENGTHS, sizeof *out.notes)};
	double **const numbers[] = {&out.values, &out.floors, &out.lo, &out.hi};
	for (size_t i = 0; i < 4; i++)
		*numbers[i] = arena_calloc(a, LEARN_LENGTHS, sizeof(double));
	for (size_t i = 0; i < LEARN_LENGTHS; i++) {
		const struct accuracy *const at = &k->at[i];
		const struct spread *const s = &all->seeds[of].at[i];
		const double right = seeds ? s->mean : at->right;
		out.labels[i] = all->n > 2 ? arena_printf(a, "%zu", at->n)
					   : arena_printf(a, "%d× %zu", 1 << i, at->n);
		out.values[i] = isnan(right) ? 0 : right;
		out.lo[i] = seeds ? s->least : NAN;
		out.hi[i] = seeds ? s->most : NAN;
		out.floors[i] = at->floor;
		out.floor |= !isnan(at->floor);
		out.notes[i] =
			isnan(right) ? "n/a" : arena_printf(a, "%.2f%s", right, i ? "*" : "");
	}
	return out;
}

/* Returns what the signs of the bars mean. */
static const char *legend_of(const struct learn_shown *all, size_t of, bool floor, struct arena *a)
{
	return arena_printf(a, "*: never trained so long%s%s",
			    floor ? "; dot: floor (no position)" : "",
			    learn_has_seeds(all, of) ? "; bar ends: least, most" : "");
}

static const char *seeds_note(const struct learn_shown *all, size_t of, struct arena *a)
{
	return learn_has_seeds(all, of)
		       ? arena_printf(a, "%zu seeds", all->seeds[of].n)
		       : arena_printf(a, "seed %llu", (unsigned long long)all->of[of].o.seed);
}

void learn_lengths_panel(const struct view_data *d, size_t i, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = shown(d);
	const struct learn_known *const k = &all->of[i];
	*p = (struct panel){
		.kind = PANEL_BARS,
		.name = "lengths",
		.title = "Accuracy by length",
		.brief_title = "Accuracy",
		.subtitle =
			"share of right answers on fresh sentences; floor: what can be said without "
			"position"};
	if (is_absent(all, i, a, p))
		return;
	p->note = arena_printf(a, "%s, %s", k->o.task, seeds_note(all, i, a));
	p->short_note = seeds_note(all, i, a);
	if (all->n > 1) {
		p->title = arena_printf(a, "%s: accuracy", all->name[i]);
		p->brief_title = all->name[i];
		p->note = arena_printf(a, "sees %s, %s", sees(k), seeds_note(all, i, a));
		p->short_note = sees(k);
	}
	p->absent = k->tested ? NULL : untested_words(k, a);
	if (p->absent)
		return;
	const struct length_bars of = bars_of(all, i, a);
	p->bars = (struct bars){.n = LEARN_LENGTHS,
				.labels = of.labels,
				.values = of.values,
				.notes = of.notes,
				.lo = of.lo,
				.hi = of.hi,
				.unit = "",
				.axis = true,
				.whole = 1,
				.marks = of.floor ? of.floors : NULL,
				.mark_title = "floor",
				.legend = legend_of(all, i, of.floor, a)};
}

/* The share of right answers over some neighbouring places, at their middle. */
static struct series places_of(const struct learn_known *k, struct arena *a)
{
	const size_t n = k->why || !k->tested ? 0 : k->at[LEARN_LENGTHS - 1].n;
	const size_t width = n > 64 ? 4 : 1;
	double *const x = arena_calloc(a, n + 1, sizeof *x);
	double *const y = arena_calloc(a, n + 1, sizeof *y);
	size_t points = 0;
	for (size_t from = 0; from < n && !isnan(k->at[LEARN_LENGTHS - 1].right); from += width) {
		double sum = 0;
		size_t asked = 0;
		for (size_t t = from; t < from + width && t < n; t++)
			if (!isnan(k->by_place[t])) {
				sum += k->by_place[t];
				asked++;
			}
		if (asked == 0)
			continue;
		x[points] = (double)from + 0.5 * (double)(width + 1);
		y[points++] = sum / (double)asked;
	}
	return (struct series){.label = "accuracy", .n = points, .x = x, .y = y};
}

/* Returns why there is no curve of places; NULL: there is one. */
static const char *no_places(const struct learn_shown *all, const struct series *series,
			     struct arena *a)
{
	const struct accuracy *const last = &all->of[0].at[LEARN_LENGTHS - 1];
	const struct learn_known *last_trained = &all->of[0];
	bool any = false, tested = false, few = false;
	for (size_t i = 0; i < all->n; i++) {
		last_trained = all->of[i].done < last_trained->done ? &all->of[i] : last_trained;
		any |= series[i].n > 2;
		few |= series[i].n > 0;
		tested |= !all->of[i].why && all->of[i].tested;
	}
	return any	      ? NULL
	       : !tested      ? untested_words(last_trained, a)
	       : few	      ? "only the last token is asked"
	       : last->absent ? arena_printf(a, "not tested at %zu: %s", last->n, last->absent)
			      : "nothing was tested at the longest length";
}

void learn_places_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = shown(d);
	struct series *const series = arena_calloc(a, all->n, sizeof *series);
	for (size_t i = 0; i < all->n; i++)
		series[i] = places_of(&all->of[i], a);
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "places",
			    .title = "Accuracy by position",
			    .brief_title = "By position",
			    .subtitle =
				    "share of right answers at each position of the longest test",
			    .absent = no_places(all, series, a)};
	if (p->absent)
		return;
	name_series(all, series, &p->curves, a);
	p->curves.unit = true;
	for (size_t i = 0; i < all->n; i++) {
		const struct learn_known *const k = &all->of[i];
		const struct accuracy *const last = &k->at[LEARN_LENGTHS - 1];
		if (k->why || !k->tested)
			continue;
		p->note = arena_printf(
			a, "%zu tokens%s", last->n,
			learn_has_seeds(all, i)
				? arena_printf(a, ", seed %llu", (unsigned long long)k->o.seed)
				: "");
		p->short_note = arena_printf(a, "%zu tokens", last->n);
		add_upright(&p->curves, (double)k->longest,
			    arena_printf(a, "trained to %zu", k->longest), a);
		add_level(&p->curves, last->floor, floor_name(all, i), a);
	}
	finish(d, series, all->n, "position", "", a, p);
}
