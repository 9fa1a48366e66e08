/* written.c: the summands of what a head writes: Σ α v for each part of the values, and what members
 * add to it. */
#include <string.h>

#include "model_in.h"

/* ---- what members add ------------------------------------------------------------------------ */

void head_add_values(struct head *head, const char *label, struct node *more,
		     const struct from_keys *from)
{
	const double weight = member_weight(head->acting);
	if (head->parted && head->n_written < MODEL_MAX_WRITTEN) {
		static const struct from_keys none = {0};
		head->written[head->n_written++] =
			(struct written){label, weight, more, from ? *from : none};
	}
	if (weight != 1)
		more = tape_scale(head->tape, more, weight);
	head->context = tape_accumulate(head->tape, head->context, more);
}

/* ---- parts of the values --------------------------------------------------------------------- */

static struct node *spread(struct head *head, struct node *row)
{
	struct tape *const t = head->tape;
	return tape_matmul(t, tape_ones(t, head->v->v.rows, 1), false, row, false, 1);
}

static double size_of(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return hi > -lo ? hi : -lo;
}

static bool is_rounding(struct mat m, struct mat of)
{
	return size_of(m) <= 1e-12 * (1 + size_of(of));
}

static void subtract(struct mat from, struct mat m, double by)
{
	for (size_t t = 0; t < from.rows; t++)
		for (size_t s = 0; s < from.cols; s++)
			mat_row(from, t)[s] -= by * mat_row(m, t)[s];
}

struct value_part {
	const char *label;
	enum written_kind kind;
	struct node *at; /* [keys, dv] */
};

/* Returns the head's columns of a bias, a row for all keys or one for each, as rows of keys. */
static struct node *bias_of_head(struct head *head, struct node *own)
{
	return own->v.rows == 1 ? spread(head, own) : own;
}

/* Lists the parts of v, which are together v: those of the input, the bias of the weights, that
 * of a member; and what a member made of these, if it rotates them. */
static size_t parts_of_values(struct head *head, struct value_part out[MODEL_MAX_PARTS + 3])
{
	struct run *const run = head->run;
	const struct member *const by = run->private->bias_by;
	struct node *const bias = run->private->weights[run->layer][run->cross ? CROSS_B_V : B_V];
	struct node *const more = run->v_bias;
	size_t n = 0;
	for (size_t i = 0; i < run->xv.n; i++) {
		const bool unit = i == 0 && strcmp(run->xv.at[0].label, "unit") == 0;
		out[n++] = (struct value_part){unit ? "token" : run->xv.at[i].label,
					       unit ? WRITTEN_TOKEN : WRITTEN_SCHEME,
					       weight_head_product(head, run->xv.at[i].at, W_V)};
	}
	if (bias)
		out[n++] =
			(struct value_part){"b_v", WRITTEN_BIAS,
					    bias_of_head(head, weight_head_slice(head, bias, W_V))};
	if (more)
		out[n++] = (struct value_part){
			by ? by->name : "bias", WRITTEN_SCHEME,
			bias_of_head(head, head_slice(head, more, run->model->dv))};
	struct node *const left = tape_scale(head->tape, head->v, 1);
	for (size_t i = 0; i < n; i++)
		subtract(left->v, out[i].at->v, 1);
	if (!is_rounding(left->v, head->v->v))
		out[n++] = (struct value_part){"rotation", WRITTEN_SCHEME, left};
	return n;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* Copies the rows of the queries that the trace keeps. */
static const int32_t *keep_index(const struct head *head, const int32_t *row)
{
	struct run_private *const p = head->run->private;
	const size_t keys = head->run->keys->n, all = head->run->n - head->run->in->memory;
	const size_t rows = p->rows ? p->n_rows : all;
	pthread_mutex_lock(&p->keep_lock);
	int32_t *const copy = arena_alloc(p->keep, rows * keys * sizeof *copy);
	pthread_mutex_unlock(&p->keep_lock);
	for (size_t i = 0; i < rows; i++) {
		const size_t from = p->rows ? p->rows[i] : i + head->run->in->memory;
		memcpy(copy + i * keys, row + from * keys, keys * sizeof *copy);
	}
	return copy;
}

static const char *keep_label(const struct head *head, const char *label)
{
	struct run_private *const p = head->run->private;
	pthread_mutex_lock(&p->keep_lock);
	const char *const copy = arena_strdup(p->keep, label);
	pthread_mutex_unlock(&p->keep_lock);
	return copy;
}

static void add(struct head *head, const struct written *w, enum written_kind kind)
{
	struct trace_head *const to = trace_of_head(head);
	if (to->n_written == MODEL_MAX_WRITTEN)
		return;
	struct trace_written *const out = &to->written[to->n_written++];
	*out = (struct trace_written){
		.label = keep_label(head, w->label), .kind = kind, .weight = w->weight};
	trace_keep_queries(head, &out->at,
			   w->weight != 1 ? tape_scale(head->tape, w->at, w->weight) : w->at);
	if (!w->from.vectors)
		return;
	trace_keep(head, &out->vectors, w->from.vectors->v);
	if (w->from.by)
		trace_keep_queries(head, &out->by, w->from.by);
	if (w->from.row)
		out->row = keep_index(head, w->from.row);
}

/* Adds Σ α v for each part of the values; *left is the context without them. */
static void add_values(struct head *head, struct mat left)
{
	struct value_part parts[MODEL_MAX_PARTS + 3];
	const size_t n = parts_of_values(head, parts);
	for (size_t i = 0; i < n; i++) {
		const struct written w = {
			parts[i].label,
			1,
			tape_matmul(head->tape, head->weights, false, parts[i].at, false, 1),
			{.vectors = parts[i].at}};
		subtract(left, w.at->v, 1);
		add(head, &w, parts[i].kind);
	}
	trace_of_head(head)->n_values = trace_of_head(head)->n_written;
}

/* The remainder, such as that of a factor of the whole context, is a summand of its own: so they
 * always sum to the context. */
void trace_written(struct head *head)
{
	const struct member *whose;
	struct node *const left = tape_scale(head->tape, head->context, 1);
	const bool single = compatible_planes(head, &whose) == 1;
	if (single)
		add_values(head, left->v);
	for (size_t i = 0; i < head->n_written && single; i++) {
		subtract(left->v, head->written[i].at->v, head->written[i].weight);
		add(head, &head->written[i], WRITTEN_SCHEME);
	}
	if (single && is_rounding(left->v, head->context->v))
		return;
	const struct written rest = {single ? "rest" : "features", 1, left, {0}};
	add(head, &rest, WRITTEN_SCHEME);
}
