/* why.c: the view Why: explains one cell: the terms of its logit, and the softmax of its row.
 *
 * All numbers are those of the sentence, none are of a probe. The trace of one head has all of
 * them, so moving the cell runs no model. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "why_in.h"

static unsigned why_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS | WANT_RELATION |
	       WANT_POSITION | WANT_BIAS;
}

const char *why_number(const struct why *w, double value, int digits)
{
	char text[32];
	if (fabs(value) < 1e-12)
		return "0";
	return arena_strdup(w->a, num_show(text, sizeof text, value, digits));
}

void view_first_cell(size_t rows, size_t cols, long *row, long *col)
{
	*row = 1 + (long)(rows * 5 / 9);
	*col = cols > 1 ? 2 : 1;
}

const char *view_rank_in_row(const double *row, const uint8_t *hidden, size_t n, size_t at,
			     struct arena *a)
{
	const double own = row[at], slack = 1e-12 * (1 + fabs(own));
	size_t above = 0, same = 0, all = 0;
	if (hidden && hidden[at])
		return NULL;
	for (size_t s = 0; s < n; s++) {
		if (hidden && hidden[s])
			continue;
		all++;
		above += row[s] > own + slack;
		same += fabs(row[s] - own) <= slack;
	}
	return same > 1 ? arena_printf(a, "rank %zu–%zu of %zu", above + 1, above + same, all)
			: arena_printf(a, "rank %zu of %zu", above + 1, all);
}

static struct why why_of(const struct view_data *d, struct arena *a)
{
	const struct trace *const trace = d->trace;
	long row = d->scene->row, col = d->scene->col, first_row, first_col;
	view_first_cell(trace->query.n, trace->key.n, &first_row, &first_col);
	row = row > 0 ? row : first_row;
	col = col > 0 ? col : first_col;
	struct why w = {.d = d,
			.trace = trace,
			.head = &trace->layers[view_layer(d)].heads[view_head(d)],
			.a = a,
			.t = (size_t)view_within(row, trace->query.n) - 1,
			.s = (size_t)view_within(col, trace->key.n) - 1};
	w.unit = w.t + trace->memory;
	w.mean = view_head(d) == d->built->model.config.heads || view_layer(d) == trace->n_layers ||
		 trace->words;
	w.allowed = !w.head->mask || w.head->mask[w.t * trace->key.n + w.s];
	return w;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Returns "in logits, c = 1/√(d/h) = 0.25 included" if c is that, or 1/√d_h of a width that is given;
 * else c alone. */
static const char *scale_words(const struct why *w)
{
	const struct model *const model = &w->d->built->model;
	const double c = w->trace->c, dk = (double)model->dk;
	const char *const shown = why_number(w, c, 4);
	const char *const root = model->config.head_dim ? "d_h" : "(d/h)";
	return fabs(c * sqrt(dk) - 1) < 1e-12
		       ? arena_printf(w->a, "in logits, c = 1/√%s = %s included", root, shown)
		       : arena_printf(w->a, "in logits, c = %s included", shown);
}

static const uint8_t *masked(const struct why *w)
{
	const size_t n = w->trace->key.n;
	if (!w->head->mask)
		return NULL;
	uint8_t *const out = arena_alloc(w->a, n);
	for (size_t s = 0; s < n; s++)
		out[s] = !w->head->mask[w->t * n + s];
	return out;
}

/* Formats with two decimals, or two digits for small and large numbers. */
static const char *decimals(const struct why *w, double value)
{
	return fabs(value) < 0.095 || fabs(value) >= 1000
		       ? why_number(w, value, 2)
		       : arena_printf(w->a, "%s%.2f", value < 0 ? "−" : "", fabs(value));
}

/* Returns "chased → cat: weight 0.079, rank 3 of 9", without the cell if `brief`; NULL: the step has no
 * weights. */
static const char *answer(const struct why *w, bool brief)
{
	if (!w->head->weights.at)
		return NULL;
	const double *const row = mat_row(w->head->weights, w->t);
	const char *const rank = view_rank_in_row(row, masked(w), w->trace->key.n, w->s, w->a);
	const char *const cell =
		arena_printf(w->a, "%s → %s: ", view_unit_name(&w->trace->query, w->t, w->a),
			     view_unit_name(&w->trace->key, w->s, w->a));
	return arena_printf(w->a, "%sweight %s, %s", brief ? "" : cell, decimals(w, row[w->s]),
			    rank ? rank : "hidden by the mask");
}

static void sum_panel(const struct why *w, struct panel *p)
{
	struct waterfall sum = {.label_title = "term",
				.value_title = "logit",
				.colormap = view_colormap(w->d, true)};
	*p = (struct panel){.kind = PANEL_WATERFALL,
			    .title = "Why this cell?",
			    .note = view_beside(answer(w, false) ? answer(w, false) : "",
						view_layer_note(w->d, w->a), w->a),
			    .short_note = answer(w, true) ? answer(w, true)
							  : view_short_layer(w->d, w->a)};
	sum.n_facts = why_facts(w, &sum.facts);
	if (w->head->logits.at) {
		p->subtitle = scale_words(w);
		sum.n = why_steps(w, &sum.steps);
	} else {
		static const struct sum_step none = {.kind = STEP_NOTE,
						     .label = "no logits",
						     .text = "the weights are given directly"};
		sum.steps = &none;
		sum.n = 1;
	}
	p->waterfall = sum;
}

/* Returns "α = exp(0.59 − 3.79) / 1.67 = 0.024", with a sink "/ (1.67 + 0.30)". */
static const char *formula(const struct why *w, bool softmax, const struct why_softmax *row)
{
	const char *const weight = decimals(w, mat_row(w->head->weights, w->t)[w->s]);
	if (!softmax || !w->allowed)
		return arena_printf(w->a, "α = %s", weight);
	const char *const sum = decimals(w, row->sum);
	return arena_printf(w->a, "α = exp(%s %s %s) / %s = %s", decimals(w, row->logit),
			    row->most < 0 ? "+" : "−", decimals(w, fabs(row->most)),
			    w->head->sink_logit
				    ? arena_printf(w->a, "(%s + %s)", sum, decimals(w, row->sink))
				    : sum,
			    weight);
}

static bool any_negative(const double *values, size_t n)
{
	for (size_t s = 0; s < n; s++)
		if (values[s] < 0)
			return true;
	return false;
}

/* Returns what the row of a scheme sums to that makes the weights itself, and how its signs are seen. */
static const char *sums_words(const struct why *w, const double *weights)
{
	const char *const sums = view_row_sums(w->head, w->a);
	return !any_negative(weights, w->trace->key.n)
		       ? sums
		       : arena_printf(w->a, "%s%sheight: size of the weight; colour: its sign",
				      sums ? sums : "", sums ? "; " : "");
}

/* Adds the share of the sink behind the keys. */
static void add_sink(const struct why *w, struct columns *c)
{
	const char **const labels = arena_calloc(w->a, c->n + 1, sizeof *labels);
	double *const values = arena_calloc(w->a, c->n + 1, sizeof *values);
	uint8_t *const hidden = arena_calloc(w->a, c->n + 1, 1);
	values[c->n] = 1;
	for (size_t s = 0; s < c->n; s++) {
		labels[s] = c->labels[s];
		values[s] = c->values[s];
		values[c->n] -= c->values[s];
		hidden[s] = c->masked && c->masked[s];
	}
	labels[c->n] = "sink";
	c->labels = labels;
	c->values = values;
	c->masked = c->masked ? hidden : NULL;
	c->n++;
}

/* Returns how the weights of the row come from its logits; NULL: they do not. */
static const char *softmax_words(const struct why *w, const struct why_softmax *row)
{
	if (!w->head->sink_logit)
		return "exp(logit − largest of the row) / sum over the allowed keys";
	return arena_printf(
		w->a,
		"exp(logit − largest of the row) / (sum over the allowed keys + exp(σ − "
		"largest)): the sink, σ %s, takes %s",
		decimals(w, *w->head->sink_logit), decimals(w, row->sink / (row->sum + row->sink)));
}

static void row_panel(const struct why *w, struct panel *p)
{
	struct why_softmax row;
	const bool softmax = why_softmax(w, &row);
	const uint8_t *const hidden = masked(w);
	if (!w->head->weights.at) {
		*p = (struct panel){.kind = PANEL_COLUMNS,
				    .row = 1,
				    .title = "Weights of the row",
				    .absent = "this step has no weights"};
		return;
	}
	const double *const weights = mat_row(w->head->weights, w->t);
	const char *const rank = view_rank_in_row(weights, hidden, w->trace->key.n, w->s, w->a);
	*p = (struct panel){
		.kind = PANEL_COLUMNS,
		.row = 1,
		.title = softmax ? "Softmax of the row" : "Weights of the row",
		.note = softmax	  ? NULL
			: w->mean ? "means of softmaxes, not the softmax of the mean logits"
				  : "not a softmax of the logits",
		.subtitle = softmax ? softmax_words(w, &row) : sums_words(w, weights),
		.columns = {.n = w->trace->key.n,
			    .cursor = w->s,
			    .labels = w->trace->key.names,
			    .values = weights,
			    .masked = hidden,
			    .formula = formula(w, softmax, &row),
			    .rank = rank ? rank : "hidden by the mask",
			    .colormap = view_colormap(w->d, any_negative(weights, w->trace->key.n)),
			    .is_signed = any_negative(weights, w->trace->key.n)}};
	if (w->head->sink_logit)
		add_sink(w, &p->columns);
}

static void why_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	const struct why w = why_of(data, a);
	view_frame(data, view_layer_note(data, a), a, out);
	out->col_weight[0] = 1;
	memcpy(out->row_weight, (unsigned char[]){w.head->logits.at ? 5 : 1, 3}, 2);
	sum_panel(&w, &out->panels[0]);
	row_panel(&w, &out->panels[1]);
	out->n = 2;
	out->finding = why_finding(&w, false);
	out->finding_brief = why_finding(&w, true);
	view_close(data, out);
}

const struct view view_why = {
	"why",		 "Why",		  "How does the value of a cell come about?",
	why_wants,	 why_figure,	  .reads_cursor = true,
	.of_cell = true, .by_words = true};
