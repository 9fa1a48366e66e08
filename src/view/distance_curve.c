/* distance_curve.c: the bias or the weights of the shown head as a curve by distance. */
#include <math.h>

#include "view_in.h"

/* The mean, the least and the largest bias of the pairs at each distance x. */
struct by_distance {
	double *x, *mean, *lo, *hi; /* [n] */
	size_t n;
};

/* Returns the mean, the least and the largest number of a matrix at each s − t; pairs that are masked do not count. */
static struct by_distance by_distance(const struct view_data *d, struct mat m,
				      const uint8_t *allowed, struct arena *a)
{
	const size_t n = m.rows + m.cols;
	const long first = -(long)(m.rows - 1) - (long)d->trace->memory;
	struct by_distance out = {
		arena_calloc(a, n, sizeof(double)), arena_calloc(a, n, sizeof(double)),
		arena_calloc(a, n, sizeof(double)), arena_calloc(a, n, sizeof(double)), 0};
	size_t *const count = arena_calloc(a, n, sizeof *count);
	for (size_t t = 0; t < m.rows; t++) {
		for (size_t s = 0; s < m.cols; s++) {
			const size_t at = s + (m.rows - 1) - t;
			const double y = mat_row(m, t)[s];
			if ((allowed && !allowed[t * m.cols + s]) || !isfinite(y))
				continue;
			out.mean[at] += y;
			out.lo[at] = count[at] == 0 || y < out.lo[at] ? y : out.lo[at];
			out.hi[at] = count[at] == 0 || y > out.hi[at] ? y : out.hi[at];
			count[at]++;
		}
	}
	for (size_t i = 0; i + 1 < n; i++) {
		if (count[i] == 0)
			continue;
		out.x[out.n] = (double)((long)i + first);
		out.mean[out.n] = out.mean[i] / (double)count[i];
		out.lo[out.n] = out.lo[i];
		out.hi[out.n++] = out.hi[i];
	}
	return out;
}

static bool has_bias(const struct view_data *d, const struct trace_head *head)
{
	if (!head->bias.at || d->trace->bias_absent || d->trace->bias_is_mask)
		return false;
	for (size_t i = 0; i < head->bias.rows * head->bias.cols; i++)
		if (fabs(head->bias.at[i]) > 0)
			return true;
	return false;
}

/* Returns whether pairs of one distance have different numbers, more than rounding. */
static bool has_band(const struct by_distance *by)
{
	double size = 0, most = 0;
	for (size_t i = 0; i < by->n; i++) {
		size = fmax(size, fmax(fabs(by->lo[i]), fabs(by->hi[i])));
		most = fmax(most, by->hi[i] - by->lo[i]);
	}
	return most > 1e-9 * size;
}

bool view_distance_curve(const struct view_data *d, bool bias, struct arena *a, struct panel *p)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	const struct trace_head *const shown = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	const struct mat m = bias ? first->bias : shown->weights;
	if (!m.at || !view_has_tokens(&d->trace->key) || (bias && !has_bias(d, first)))
		return false;
	const struct by_distance by = by_distance(d, m, bias ? first->mask : shown->mask, a);
	const bool band = has_band(&by);
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series = (struct series){.label = view_short_head(d, a),
				  .n = by.n,
				  .x = by.x,
				  .y = by.mean,
				  .lo = band ? by.lo : NULL,
				  .hi = band ? by.hi : NULL,
				  .active = true};
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title = bias ? "Bias by distance" : "Weights by distance",
		.brief_title = bias ? "Bias by distance" : "Weights by distance",
		.note = arena_printf(a, "%s · %s", series->label, bias ? "logits" : "attention"),
		.short_note = series->label,
		.subtitle = arena_printf(
			a, "%s, mean of the pairs at each distance%s",
			bias ? "what it adds to the logit, in logits" : "attention weight",
			band ? "; band: from the least to the largest of them" : ""),
		.curves = {.series = series,
			   .n = 1,
			   .x_title = "key minus query, s − t",
			   .y_title = "",
			   .integer_x = true}};
	view_curves(d, a, &p->curves);
	return series->n > 1;
}
