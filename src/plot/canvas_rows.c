/* canvas_rows.c: curves on cells that have no room for a plot of each: a row of colours for each,
 * with one column for each x or for the mean of several. */
#include <math.h>

#include "plot/canvas_chart.h"
#include "plot/canvas_map.h"
#include "plot/pen.h"
#include "posviz/base/text.h"

enum { WIDEST = 3, LEAST_DATA = 8 };

struct rows {
	struct canvas *c;
	struct arena *a;
	const struct curves *k;
	struct curve_range x, y;
	size_t every, n; /* x values in a column; columns */
	size_t active;
	int names; /* columns of the names */
};

/* Computes the mean over the x values of each column; NaN if there is no value. */
static void fill_row(const struct rows *r, const struct series *s, double *out)
{
	const double unit = curve_row_unit(r->k, s);
	double *const sum = arena_calloc(r->a, r->n, sizeof *sum);
	double *const count = arena_calloc(r->a, r->n, sizeof *count);
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->y[i]) || !isfinite(s->x[i]))
			continue;
		const size_t at = (size_t)(s->x[i] - r->x.lo) / r->every;
		sum[at] += s->y[i];
		count[at]++;
	}
	for (size_t i = 0; i < r->n; i++)
		out[i] = count[i] > 0 ? sum[i] / count[i] / unit : NAN;
}

/* Returns the names, whole if all of them fit into a third of the columns, else short; a sign
 * precedes those that are pointed out, or the active one if no cursor marks it. */
static const char **name_rows(struct rows *r, int cols)
{
	const char **const names = arena_calloc(r->a, r->k->n, sizeof *names);
	const bool cursor = r->k->has_cursor && !r->k->marked;
	const char *const sign = cursor ? "" : r->c->ascii ? "> " : "▸ ";
	bool whole = true;
	for (size_t i = 0; i < r->k->n; i++)
		whole &= (int)text_width(r->k->series[i].label) + 2 <= cols / 3;
	for (size_t i = 0; i < r->k->n; i++) {
		const struct series *const s = &r->k->series[i];
		const bool chosen = r->k->marked ? r->k->marked[i] : s->active;
		names[i] = arena_printf(r->a, "%s%s", chosen ? sign : "",
					curve_row_name(r->a, r->k, s,
						       whole || !s->brief ? s->label : s->brief,
						       r->c->ascii));
		const int width = (int)text_width(names[i]);
		r->names = width > r->names ? width : r->names;
	}
	r->names = r->names < cols / 2 ? r->names : cols / 2;
	return names;
}

static void fill(struct rows *r, struct heatmap *h)
{
	const size_t n = r->k->n;
	uint8_t *const masked = arena_calloc(r->a, n * r->n, 1);
	h->values = mat_new(r->a, n, r->n);
	h->scale = curve_row_scale(r->k, r->y);
	h->colormap = r->k->colormap;
	h->masked = masked;
	h->masked_as = "no value";
	for (size_t i = 0; i < n; i++) {
		fill_row(r, &r->k->series[i], mat_row(h->values, i));
		r->active = r->k->series[i].active ? i : r->active;
		for (size_t s = 0; s < r->n; s++)
			masked[i * r->n + s] = isnan(mat_row(h->values, i)[s]);
	}
	h->has_cursor = r->k->has_cursor && r->k->cursor >= r->x.lo && r->k->cursor <= r->x.hi;
	h->row = r->active;
	h->col = h->has_cursor ? (size_t)(r->k->cursor - r->x.lo) / r->every : 0;
}

/* Places the shown rows, whole or half ones, between the line of x labels and the bar. */
static void place(const struct rows *r, struct rect inner, struct heatmap_plan *plan)
{
	const size_t n = r->k->n;
	const int wide = (inner.cols - r->names - 1) / (int)r->n;
	const bool half = !canvas_shaded(r->c);
	const int most = half ? 2 : 1;
	/* The line of labels is dropped if this shows all curves, or gives each a line with its name. */
	const bool all = (int)n > most * (inner.rows - 1) && (int)n <= most * inner.rows;
	const bool tight = all || (half && (int)n == inner.rows - 1);
	const int above = inner.rows > 2 && !tight;
	plan->bar = (int)n <= most * (inner.rows - above - 1);
	const int high = inner.rows - above - plan->bar;
	const size_t shown = n < (size_t)(most * high) ? n : (size_t)(most * high);
	const int rows2 = half && (int)shown > high ? 1 : 2;
	plan->label_cols = r->names;
	plan->view = (struct heatmap_view){.first_row = pen_window(r->active, shown, n),
					   .rows = shown,
					   .cols = r->n,
					   .cell_rows2 = rows2,
					   .cell_cols = wide < WIDEST ? wide : WIDEST,
					   .block = 1};
	plan->data = (struct rect){inner.row + above, inner.col + r->names + 1,
				   ((int)shown * rows2 + 1) / 2, (int)r->n * plan->view.cell_cols};
}

/* Writes which rows are shown: beside the columns, else between the labels of x. */
static void write_part(const struct rows *r, struct rect room, int from, int to, int right,
		       const struct heatmap_plan *plan)
{
	const size_t first = plan->view.first_row;
	const char *const part =
		arena_printf(r->a, "%zu–%zu of %zu", first + 1, first + plan->view.rows, r->k->n);
	const char *const forms[] = {arena_printf(r->a, "%s %s", r->k->row_title, part), part};
	for (size_t i = 0; i < 4; i++) {
		const int width = (int)text_width(forms[i / 2]);
		const bool beside = i % 2 == 0;
		if (beside ? right + 2 + width > room.col + room.cols : from + 1 + width >= to)
			continue;
		canvas_text(r->c, room.row, beside ? right + 2 : from + (to - from - width) / 2,
			    width, forms[i / 2], ATTR_DIM);
		return;
	}
}

/* Writes the ends of x, and zero between them; and which rows are shown, if not all. */
static void write_places(const struct rows *r, struct rect inner, const struct heatmap_plan *plan)
{
	const double ends[] = {r->x.lo, r->x.hi};
	const char **const labels = curve_x_labels(r->a, r->k, ends, 2, r->x.lo < 0);
	const struct rect data = plan->data;
	const int right = data.col + data.cols, wide = plan->view.cell_cols;
	const int from = data.col + (int)text_width(labels[0]);
	const int to = right - (int)text_width(labels[1]);
	const int zero = data.col + (int)(-r->x.lo / (double)r->every) * wide + wide / 2;
	if (data.row == inner.row || from + 1 > to)
		return;
	canvas_text(r->c, inner.row, data.col, data.cols, labels[0], ATTR_DIM);
	canvas_text(r->c, inner.row, to, data.cols, labels[1], ATTR_DIM);
	if (plan->view.rows < r->k->n)
		write_part(r, inner, from, to, right, plan);
	else if (r->x.lo < 0 && r->x.hi > 0 && zero > from && zero + 1 < to)
		canvas_text(r->c, inner.row, zero, 1, "0", ATTR_DIM);
}

/* Adds the earlier state of a curve as a row below it. */
static struct curves with_before(struct arena *a, const struct curves *k)
{
	struct series *const series = arena_calloc(a, 2 * k->n + 1, sizeof *series);
	bool *const marked = arena_calloc(a, 2 * k->n + 1, sizeof *marked);
	struct curves out = *k;
	out.series = series;
	out.marked = k->marked ? marked : NULL;
	out.n = 0;
	for (size_t i = 0; i < k->n; i++) {
		marked[out.n] = k->marked && k->marked[i];
		series[out.n++] = k->series[i];
		if (k->series[i].before)
			series[out.n++] = *k->series[i].before;
	}
	return out;
}

bool canvas_curve_rows(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	const struct curves all_rows = with_before(a, k);
	struct rows r = {.c = c, .a = a, .k = &all_rows};
	struct heatmap h = {0};
	struct heatmap_plan plan = {0};
	if (!k->colormap || !k->integer_x || !curve_ranges(k->series, k->n, false, &r.x, &r.y))
		return false;
	h.row_labels = name_rows(&r, inner.cols);
	const int room = inner.cols - r.names - 1;
	if (room < LEAST_DATA)
		return false;
	const size_t all = (size_t)(r.x.hi - r.x.lo) + 1;
	r.every = (all - 1) / (size_t)room + 1;
	r.n = (all - 1) / r.every + 1;
	fill(&r, &h);
	place(&r, inner, &plan);
	write_places(&r, inner, &plan);
	canvas_heatmap(c, a, inner, &h, &plan);
	return true;
}
