/* diet_6.c: what a table of segments makes of relative positions, where tokens say nothing. */
#include <math.h>
#include <string.h>

#include "fig.h"

enum { UNITS = 32, SECOND = 16, HEAD = 2 /* the third of eight: R = 2·exp(−|t−s|/4) */ };

static const struct {
	const char *name, *title;
	double segments[2][2]; /* E_S: of the query's, of the key's */
} heads[] = {
	{"a", "Second segment", {{0, 3}, {0, 3}}},
	{"b", "Down-weighted", {{-2, 0}, {0, -2}}},
};
enum { HEADS = sizeof heads / sizeof *heads };

static const struct mat *relative(const struct fig_run *r)
{
	const struct trace_head *const head = &r->trace.layers[0].heads[HEAD];
	for (size_t i = 0; i < head->n_terms; i++)
		if (strcmp(head->terms[i].label, "R") == 0)
			return &head->terms[i].at;
	return NULL;
}

static struct mat segments_of(struct fig *f, size_t head)
{
	const struct mat out = mat_new(f->a, UNITS, UNITS);
	for (size_t t = 0; t < UNITS; t++)
		for (size_t s = 0; s < UNITS; s++)
			mat_row(out, t)[s] = heads[head].segments[t >= SECOND][s >= SECOND];
	return out;
}

static struct mat softmax(struct fig *f, struct mat logits)
{
	const struct mat out = mat_new(f->a, logits.rows, logits.cols);
	mat_softmax(out, logits);
	return out;
}

/* How much of all attention goes to the second segment, and to the query's own one. */
static void say(struct fig *f, const char *name, struct mat weights)
{
	double second = 0, own = 0;
	for (size_t t = 0; t < UNITS; t++)
		for (size_t s = 0; s < UNITS; s++) {
			second += s >= SECOND ? mat_row(weights, t)[s] / UNITS : 0;
			own += (s >= SECOND) == (t >= SECOND) ? mat_row(weights, t)[s] / UNITS : 0;
		}
	fig_number(f, arena_printf(f->a, "%s.second", name), second,
		   "share of the attention on the second segment");
	fig_number(f, arena_printf(f->a, "%s.own", name), own,
		   "share of the attention on the query's own segment");
}

/* Adds a panel; all logits have one scale and all weights one. */
static void add(struct fig *f, size_t row, size_t col, const char *title, struct mat m,
		struct operand operand, double limit)
{
	const bool weights = operand.sign == SIGN_BECOMES;
	const struct paint paint = {.is_signed = !weights,
				    .shared = !weights,
				    .limit = limit,
				    .ranged = weights,
				    .hi = limit,
				    .weights = weights,
				    .more_of = "attention"};
	struct panel *const p =
		fig_panel(f, weights ? "weights" : "terms", title, (unsigned char)row,
			  (unsigned char)col, 1, weights ? 0 : (unsigned char)(1 + col));
	p->operand = operand;
	p->operand.unit = weights ? "weight" : "logit";
	fig_map(f, p, NULL, m, &paint);
	p->heatmap.row_labels = p->heatmap.col_labels = fig_count_from(f, 0, UNITS);
	p->heatmap.row_title = "query t";
	p->heatmap.col_title = "key s";
}

static double largest(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return hi;
}

static void add_all(struct fig *f, struct mat r)
{
	struct mat segments[HEADS], sums[HEADS], weights[HEADS];
	double logit = 0, weight = 0;
	for (size_t i = 0; i < HEADS; i++) {
		segments[i] = segments_of(f, i);
		sums[i] = mat_copy(f->a, segments[i]);
		for (size_t k = 0; k < (size_t)UNITS * UNITS; k++)
			sums[i].at[k] += mat_row(r, k / UNITS)[k % UNITS];
		weights[i] = softmax(f, sums[i]);
		say(f, heads[i].name, weights[i]);
		logit = fmax(logit, largest(sums[i]));
		weight = fmax(weight, largest(weights[i]));
	}
	for (size_t i = 0; i < HEADS; i++) {
		add(f, i, 0, "Relative", r,
		    (struct operand){.sign = SIGN_FIRST, .formula = "R_{t−s}"}, logit);
		add(f, i, 1, "Segments", segments[i],
		    (struct operand){.sign = SIGN_PLUS, .formula = "E_S"}, logit);
		add(f, i, 2, "Sum", sums[i],
		    (struct operand){.sign = SIGN_EQUALS, .formula = "A′_{ts}"}, logit);
		add(f, i, 3, heads[i].title, weights[i],
		    (struct operand){.sign = SIGN_BECOMES, .done = "softmax", .formula = "α_{ts}"},
		    weight);
	}
}

void draw_diet_6(struct fig *f)
{
	const struct fig_run *const r = fig_run(
		f,
		arena_printf(f->a, "scheme diet_rel(segments=0)\nheads 8\nlayers 1\nsentence %s\n",
			     fig_words(f, UNITS)),
		WANT_TERMS);
	if (!r)
		return;
	const struct mat *const bias = relative(r);
	BUG_IF(!bias);
	say(f, "relative", softmax(f, *bias));
	add_all(f, *bias);
}
