/* learn_panels.c: the panels of the view Learn. */
#include <math.h>
#include <string.h>

#include "learn_in.h"

static const struct learn_known *shown(const struct view_data *d)
{
	return d->kept;
}

static const char *head_name(const struct learn_known *k, struct arena *a)
{
	return k->o.layers > 1
		       ? arena_printf(a, "head %zu of layer %zu", k->now.head + 1, k->now.layer + 1)
		       : arena_printf(a, "head %zu of %zu", k->now.head + 1, k->o.heads);
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
	h->frames_alone = true;
}

void learn_weights_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_known *const k = shown(d);
	const struct learn_look *const look = &k->now;
	const bool any = !isnan(look->on_right);
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "weights",
		.title = arena_printf(a, "Weights of %s", head_name(k, a)),
		.brief_title = "Weights",
		.note = any ? arena_printf(a, "%.2f on the right key", look->on_right) : NULL,
		.short_note = any ? arena_printf(a, "%.2f right", look->on_right) : NULL,
		.subtitle =
			any ? "on a sentence of the test, of the head with most weight on the right keys at "
			      "the last step; framed: the keys that each answer depends on"
			    : "on a sentence of the test"};
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

/* A level with its number in its name. */
static void add_level(struct curves *k, double y, const char *what, struct arena *a)
{
	struct curve_level *const level = arena_calloc(a, 1, sizeof *level);
	if (isnan(y))
		return;
	*level = (struct curve_level){y, arena_printf(a, "%s %.2f", what, y), what};
	k->levels = level;
	k->n_levels = 1;
}

static void add_upright(struct curves *k, double x, const char *label, struct arena *a)
{
	struct curve_mark *const mark = arena_calloc(a, 1, sizeof *mark);
	*mark = (struct curve_mark){.x = x, .label = label, .brief = label, .upright = true};
	k->marks = mark;
	k->n_marks = 1;
}

/* The mean of each ten steps, at their last; the lengths drawn make that of a step jump. */
void learn_loss_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_known *const k = shown(d);
	const size_t n = k->done / LEARN_MOMENT;
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "loss",
		.title = "Loss by step",
		.brief_title = "Loss",
		.subtitle =
			"cross-entropy in nats, means of ten steps; floor: the least without position",
		.absent = n < 2 ? "training has begun" : NULL};
	if (p->absent)
		return;
	double *const x = arena_calloc(a, n, sizeof *x), *const y = arena_calloc(a, n, sizeof *y);
	for (size_t i = 0; i < n * LEARN_MOMENT; i++) {
		x[i / LEARN_MOMENT] = (double)(i / LEARN_MOMENT + 1) * LEARN_MOMENT;
		y[i / LEARN_MOMENT] += k->loss[i] / LEARN_MOMENT;
	}
	p->note = arena_printf(a, "%.2f at step %.0f", y[n - 1], x[n - 1]);
	p->short_note = arena_printf(a, "%.2f", y[n - 1]);
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series = (struct series){.label = "loss", .n = n, .x = x, .y = y, .active = true};
	add_level(&p->curves, k->floor_loss, "floor", a);
	p->curves.x_to = (double)k->o.steps;
	if (k->moment < k->done)
		add_upright(&p->curves, (double)k->moment, arena_printf(a, "step %zu", k->moment),
			    a);
	finish(d, series, 1, "step", "", a, p);
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
	const struct learn_known *const k = shown(d);
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

static const char *const untested = "tested when the training has ended";

void learn_lengths_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_known *const k = shown(d);
	const char **const labels = arena_calloc(a, LEARN_LENGTHS, sizeof *labels);
	const char **const notes = arena_calloc(a, LEARN_LENGTHS, sizeof *notes);
	double *const values = arena_calloc(a, LEARN_LENGTHS, sizeof *values);
	double *const floors = arena_calloc(a, LEARN_LENGTHS, sizeof *floors);
	*p = (struct panel){
		.kind = PANEL_BARS,
		.name = "lengths",
		.title = "Accuracy by length",
		.brief_title = "Accuracy",
		.note = arena_printf(a, "%s, seed %llu", k->o.task, (unsigned long long)k->o.seed),
		.short_note = arena_printf(a, "seed %llu", (unsigned long long)k->o.seed),
		.subtitle =
			"share of right answers on fresh sentences; floor: what can be said without "
			"position",
		.absent = k->tested ? NULL : untested};
	if (p->absent)
		return;
	bool floor = false;
	for (size_t i = 0; i < LEARN_LENGTHS; i++) {
		const struct accuracy *const at = &k->at[i];
		labels[i] = arena_printf(a, "%d× %zu", 1 << i, at->n);
		values[i] = isnan(at->right) ? 0 : at->right;
		floors[i] = at->floor;
		floor |= !isnan(at->floor);
		notes[i] = isnan(at->right) ? "n/a"
					    : arena_printf(a, "%.2f%s", at->right, i ? "*" : "");
	}
	p->bars = (struct bars){
		.n = LEARN_LENGTHS,
		.labels = labels,
		.values = values,
		.notes = notes,
		.unit = "right answers",
		.axis = true,
		.whole = 1,
		.marks = floor ? floors : NULL,
		.mark_title = "floor",
		.legend = floor ? "*: never trained at this length. Dot: floor, without position."
				: "*: never trained at this length."};
}

/* The share of right answers over some neighbouring places, at their middle. */
static size_t gather(const struct learn_known *k, double *x, double *y)
{
	const size_t n = k->at[LEARN_LENGTHS - 1].n, width = n > 64 ? 4 : 1;
	size_t points = 0;
	for (size_t from = 0; from < n; from += width) {
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
	return points;
}

void learn_places_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_known *const k = shown(d);
	const struct accuracy *const last = &k->at[LEARN_LENGTHS - 1];
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "places",
		.title = "Accuracy by position",
		.brief_title = "By position",
		.subtitle = "share of right answers at each position of the longest test",
		.absent = !k->tested ? untested
			  : isnan(last->right)
				  ? arena_printf(a, "not tested at %zu: %s", last->n, last->absent)
				  : NULL};
	if (p->absent)
		return;
	double *const x = arena_calloc(a, last->n, sizeof *x);
	double *const y = arena_calloc(a, last->n, sizeof *y);
	const size_t n = gather(k, x, y);
	p->note = arena_printf(a, "%zu tokens", last->n);
	if (n < 3) {
		p->absent = "only the last token is asked";
		return;
	}
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series = (struct series){.label = "accuracy", .n = n, .x = x, .y = y, .active = true};
	p->curves.unit = true;
	add_upright(&p->curves, (double)k->longest, arena_printf(a, "trained to %zu", k->longest),
		    a);
	add_level(&p->curves, last->floor, "floor", a);
	finish(d, series, 1, "position", "", a, p);
}
