/* slopes.c: what heads of different slopes make of equal tokens. */
#include <math.h>

#include "fig.h"

enum { PLACES = 24, HEADS = 8, UNEVEN = 12, FAR = PLACES - 1 };

static const struct fig_run *run(struct fig *f, size_t heads)
{
	return fig_run(f,
		       arena_printf(f->a,
				    "scheme alibi\nd-model 48\nheads %zu\nlayers 1\nsentence %s\n",
				    heads, fig_words(f, PLACES)),
		       WANT_BIAS | WANT_WEIGHTS);
}

/* By how much a key one farther away has less, of each head. out[heads] */
static const double *slopes(struct fig *f, const struct fig_run *r, size_t heads)
{
	double *const out = arena_calloc(f->a, heads, sizeof *out);
	for (size_t i = 0; i < heads; i++) {
		const struct mat bias = r->trace.layers[0].heads[i].bias;
		out[i] = mat_row(bias, FAR)[FAR] - mat_row(bias, FAR)[FAR - 1];
	}
	return out;
}

/* ---- panels -------------------------------------------------------------------------------------- */

static void draw_maps(struct fig *f, const struct fig_run *r)
{
	struct panel *const p = fig_panel(f, "heads", "Weights of equal tokens", 0, 0, 2, 1);
	struct multiple *const items = arena_calloc(f->a, HEADS, sizeof *items);
	for (size_t i = 0; i < HEADS; i++) {
		const struct trace_head *const h = &r->trace.layers[0].heads[i];
		struct panel one = {0};
		fig_map(f, &one, r, h->weights,
			&(struct paint){.allowed = h->mask, .unit = true, .weights = true});
		fig_axes(f, &one, "query t", 1, "key s", 1);
		items[i] = (struct multiple){.name = arena_printf(f->a, "1/%d", 2 << i),
					     .title = arena_printf(f->a, "m = 1/%d", 2 << i),
					     .map = one.heatmap};
	}
	p->kind = PANEL_MULTIPLES;
	p->multiples = (struct multiples){
		.items = items, .n = HEADS, .chosen = SIZE_MAX, .across = 0, .what = "heads"};
	p->subtitle = "query t down, key s across; one scale";
}

/* The last query's weights: straight lines where each is by decades. */
static void draw_curves(struct fig *f, const struct fig_run *r)
{
	struct panel *const p = fig_panel(f, "weights", "The last query's weights", 1, 0, 1, 0);
	fig_curves(f, p, "distance t − s", "weight");
	p->curves.integer_x = true;
	p->curves.spread = CURVES_LOG;
	p->curves.row_title = "heads";
	for (size_t i = 0; i < HEADS; i++) {
		const double *const row = mat_row(r->trace.layers[0].heads[i].weights, FAR);
		double *const by = arena_calloc(f->a, PLACES, sizeof *by);
		for (size_t k = 0; k < PLACES; k++)
			by[k] = row[FAR - k];
		fig_curve(f, p, arena_printf(f->a, "1/%d", 2 << i), PLACES,
			  fig_steps(f, 0, 1, PLACES), by);
	}
}

static void draw_lines(struct fig *f, const double *even, const double *uneven)
{
	struct panel *const p = fig_panel(f, "slopes", "Slopes of 8 and of 12 heads", 1, 1, 1, 2);
	fig_curves(f, p, "head", "slope m");
	p->curves.integer_x = true;
	p->curves.spread = CURVES_LOG;
	fig_curve(f, p, "8", HEADS, fig_steps(f, 1, 1, HEADS), even);
	/* The line ends with the slopes of 8 and begins anew with those of 16. */
	double *const x = arena_calloc(f->a, UNEVEN + 1, sizeof *x);
	double *const y = arena_calloc(f->a, UNEVEN + 1, sizeof *y);
	for (size_t i = 0; i < UNEVEN; i++) {
		x[i + (i >= HEADS)] = (double)i + 1;
		y[i + (i >= HEADS)] = uneven[i];
	}
	x[HEADS] = HEADS + 0.5;
	y[HEADS] = NAN;
	fig_curve(f, p, "12", UNEVEN + 1, x, y);
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static void say(struct fig *f, const struct fig_run *r, const double *even, const double *uneven)
{
	double worst = 0;
	for (size_t i = 0; i < HEADS; i++) {
		const struct mat w = r->trace.layers[0].heads[i].weights;
		fig_number(f, arena_printf(f->a, "slope.%zu", i + 1), even[i], "of this head of 8");
		for (size_t k = 1; k < PLACES; k++)
			worst = fmax(worst, fabs(mat_row(w, FAR)[k - 1] / mat_row(w, FAR)[k] -
						 exp(-even[i])));
	}
	for (size_t i = HEADS; i < UNEVEN; i++)
		fig_number(f, arena_printf(f->a, "slope.%zu.of.12", i + 1), uneven[i],
			   "of this head of 12");
	fig_number(f, "ratio.differs", worst,
		   "the most that the ratio of neighbouring weights and e^{−m} differ");
	fig_number(f, "first.weight", mat_row(r->trace.layers[0].heads[0].weights, FAR)[FAR],
		   "what the last query gives itself, head 1");
}

void draw_slopes(struct fig *f)
{
	const struct fig_run *const r = run(f, HEADS), *const twelve = run(f, UNEVEN);
	if (!r || !twelve)
		return;
	const double *const even = slopes(f, r, HEADS), *const uneven = slopes(f, twelve, UNEVEN);
	f->out->row_weight[0] = 4;
	f->out->row_weight[1] = 5;
	draw_maps(f, r);
	draw_curves(f, r);
	draw_lines(f, even, uneven);
	say(f, r, even, uneven);
}
