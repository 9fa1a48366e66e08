/* vectors_beside.c: the view Vectors of several expressions, a line for each below the other, and
 * of one that has no vectors: its bias by distance and its matrices. */
#include <math.h>
#include <string.h>

#include "vectors_in.h"

/* ---- without vectors ------------------------------------------------------------------------- */

/* Fills the panel with the bias of the shown head by distance. False: there is none. */
static bool bias_curve(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	struct distances *const by = arena_calloc(a, 1, sizeof *by);
	double largest = 0;
	if (!first->bias.at || d->trace->bias_absent || d->trace->bias_is_mask ||
	    d->trace->key.n < 2 || view_is_structural(d->built))
		return false;
	distances_init(by, d->trace, 1, a);
	distances_add(by, &d->trace->query, &d->trace->key, 0, first->bias, first->mask);
	double *const x = arena_calloc(a, by->n + 1, sizeof *x);
	for (size_t i = 0; i < by->n; i++) {
		x[i] = (double)(by->lo + (long)i);
		largest = fmax(largest, isfinite(by->mean[i]) ? fabs(by->mean[i]) : 0);
	}
	if (!(largest > 0))
		return false;
	struct series *const s = arena_calloc(a, 1, sizeof *s);
	*s = (struct series){.label = "",
			     .n = by->n,
			     .x = x,
			     .y = by->mean,
			     .lo = by->min,
			     .hi = by->max,
			     .active = true};
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "curve",
			    .title = "Bias by distance",
			    .note = view_bias_note(d, a),
			    .short_note = view_short_bias(d, a),
			    .subtitle = "the mean at each distance; band: least to most"};
	p->curves = (struct curves){.series = s,
				    .n = 1,
				    .x_title = view_apart_title(d),
				    .y_title = "bias, in logits",
				    .integer_x = true,
				    .colormap = view_colormap(d, true)};
	return true;
}

void vectors_without(const struct view_data *d, struct arena *a, struct figure *out)
{
	view_instead(d, a, out);
	struct panel *const curve = &out->panels[out->n];
	if (!bias_curve(d, a, curve))
		return;
	const unsigned char cols = (unsigned char)out->n;
	view_place(curve, 1, cols - 1, 1, (unsigned char)out->n);
	out->panels[0].cols = cols;
	out->col_weight[cols - 1] = 1;
	out->n++;
}

/* ---- several expressions --------------------------------------------------------------------- */

/* At most so many have a line each. */
enum { LINES = 3 };

static void name_panel(const char *name, struct panel *p, struct arena *a)
{
	p->title = arena_printf(a, "%s: %s", name, p->title);
	p->brief_title = name;
	p->paper_title = p->title;
}

static bool close_to_one(const struct shown_vectors *k)
{
	return !k->absent && k->least > 0.8;
}

static void line(const struct view_data *d, const struct shown_vectors *k, const char *name,
		 bool whole, size_t row, struct arena *a, struct figure *out)
{
	struct panel *p = &out->panels[out->n++];
	vectors_table_panel(d, k, a, p);
	name_panel(name, p, a);
	/* The similarities of all lines come before their tables where not all panels have room. */
	view_place(p, (unsigned char)row, 0, k->absent ? 2 : 1,
		   (unsigned char)(k->absent ? row : LINES + row));
	if (k->absent) {
		p = &out->panels[out->n];
		if (!bias_curve(d, a, p))
			return;
		name_panel(name, p, a);
		view_place(p, (unsigned char)row, 2, 1, (unsigned char)(2 * LINES + row));
		out->n++;
		return;
	}
	p = &out->panels[out->n++];
	vectors_cosine_panel(d, k, whole, a, p);
	name_panel(name, p, a);
	view_place(p, (unsigned char)row, 1, 1, (unsigned char)row);
	p = &out->panels[out->n++];
	vectors_curve_panel(d, k, a, p);
	name_panel(name, p, a);
	view_place(p, (unsigned char)row, 2, 1, (unsigned char)(2 * LINES + row));
}

static const char *seen(const struct shown_vectors *k, const char *name, struct arena *a)
{
	if (k->absent || isnan(k->least))
		return arena_printf(a, "%s has no vectors to compare", name);
	return arena_printf(a, "%s %s at least and %s side by side", name,
			    vectors_number(k->least, 2, a), vectors_number(k->neighbour, 2, a));
}

void vectors_beside(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct shown_vectors *const k = d->kept;
	const size_t n = k->n_beside + 1 < LINES ? k->n_beside + 1 : LINES;
	const char *names = "", *cosines = "";
	bool whole = false;
	for (size_t i = 0; i < n; i++)
		whole |= !close_to_one(i == 0 ? k : &k->beside[i - 1]);
	for (size_t i = 0; i < n; i++) {
		const struct shown_vectors *const own = i == 0 ? k : &k->beside[i - 1];
		const struct view_data one = vectors_of(d, i, a);
		const char *const name = d->compared[i].name;
		line(&one, own, name, whole, i, a, out);
		names = view_beside(names, name, a);
		cosines = arena_printf(a, "%s%s%s", cosines, i ? "; " : "", seen(own, name, a));
	}
	out->title = names;
	out->subtitle = n < d->n_compared ? arena_printf(a, "Vectors   ·   the first %zu of %zu", n,
							 d->n_compared)
					  : "Vectors";
	out->finding = arena_printf(a,
				    "A line for each scheme: its vectors, the cosine of every two, "
				    "and a curve. Cosines: %s.",
				    cosines);
	out->by_grid = true;
	memcpy(out->col_weight, (unsigned char[]){5, 4, 3}, 3);
	memset(out->row_weight, 1, n);
	view_close(d, out);
}
