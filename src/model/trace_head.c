/* trace_head.c: copies of a head's results in the trace, before the head is freed, and the two
 * results of the pass on the probe: the bias, and the factor of members that multiply. */
#include <math.h>
#include <string.h>

#include "model_in.h"

enum { BIAS_ROWS = 64 };

static bool wants_step(const struct run *run)
{
	const struct want *want = run->private->want;
	return run->private->trace && !run->private->probe_pass && !run->private->hidden &&
	       (want->layer < 0 || want->layer == (long)run->step_index);
}

/* Returns whether the trace keeps this head. The pass for the bias keeps only the bias: its
 * queries and keys are the probe's. */
bool trace_wants(const struct head *head)
{
	const struct want *want = head->run->private->want;
	return wants_step(head->run) && (want->head < 0 || want->head == (long)head->index);
}

bool trace_sees(const struct head *head, unsigned kinds)
{
	const struct want *want = head->run->private->want;
	return want->kinds & kinds && wants_step(head->run) && (want->sink || trace_wants(head));
}

struct trace_head *trace_of_head(const struct head *head)
{
	return &head->run->private->trace->layers[head->run->step_index].heads[head->index];
}

static void keep(const struct head *head, struct mat *to, const struct node *from)
{
	struct run_private *p = head->run->private;
	pthread_mutex_lock(&p->keep_lock);
	*to = mat_new(p->keep, from->v.rows, from->v.cols);
	pthread_mutex_unlock(&p->keep_lock);
	mat_set(*to, from->v);
}

void trace_keep(const struct head *head, struct mat *to, struct mat from)
{
	const struct node node = {.v = from};
	keep(head, to, &node);
}

struct mat trace_rows(const struct head *head, struct mat *to)
{
	struct run_private *const p = head->run->private;
	pthread_mutex_lock(&p->keep_lock);
	*to = mat_new(p->keep, p->n_rows, head->k->v.rows);
	pthread_mutex_unlock(&p->keep_lock);
	return *to;
}

static void keep_some(const struct head *head, struct mat *to, struct mat from)
{
	struct run_private *const p = head->run->private;
	pthread_mutex_lock(&p->keep_lock);
	*to = mat_new(p->keep, p->n_rows, from.cols);
	pthread_mutex_unlock(&p->keep_lock);
	for (size_t i = 0; i < p->n_rows; i++)
		mat_set(mat_rows(*to, i, 1), mat_rows(from, p->rows[i], 1));
}

void trace_keep_queries(const struct head *head, struct mat *to, const struct node *from)
{
	if (head->run->private->rows) {
		keep_some(head, to, from->v);
		return;
	}
	const struct node queries = {.v = memory_skip(head->run, from->v)};
	keep(head, to, &queries);
}

static const uint8_t *queries_mask(const struct head *head)
{
	const struct run *const run = head->run;
	return head->allowed ? head->allowed + run->in->memory * run->keys->n : NULL;
}

void trace_tell(const struct head *head, struct trace_head now)
{
	const struct want *want = head->run->private->want;
	struct mat *const told[] = {&now.bias, &now.logits, &now.weights};
	now.mask = queries_mask(head);
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		*told[i] = memory_skip(head->run, *told[i]);
	if (want->sink && head->run->private->trace && !head->run->private->hidden &&
	    (now.bias.at || want->layer < 0 || want->layer == (long)head->run->step_index))
		want->sink(want->context, head->run->step_index, head->index, &now);
}

/* Returns the label of a term. If two members of one scheme bring terms of the same name the
 * second is called "bias#2". */
static const char *term_label(const struct head *head, size_t i)
{
	struct run_private *p = head->run->private;
	size_t same = 1;
	for (size_t k = 0; k < i; k++)
		same += strcmp(head->terms[k].label, head->terms[i].label) == 0;
	pthread_mutex_lock(&p->keep_lock);
	const char *label = same > 1 ? arena_printf(p->keep, "%s#%zu", head->terms[i].label, same)
				     : arena_strdup(p->keep, head->terms[i].label);
	pthread_mutex_unlock(&p->keep_lock);
	return label;
}

/* Returns whether a member multiplies in this head; *adjusts tells whether it multiplies all
 * logits or only q and k. */
static bool find_modulation(const struct head *head, bool *adjusts)
{
	const struct model *model = head->run->model;
	bool any = false;
	*adjusts = false;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		if (!head_acts(head, m))
			continue;
		if (m->hooks->content)
			return false; /* there is no q·k */
		if (!m->hooks->modulates || (m->hooks->only_adds && m->hooks->only_adds(m)))
			continue;
		any = true;
		*adjusts |= m->hooks->adjust || m->hooks->adjust_heads;
	}
	return any;
}

static struct node *content(const struct head *head, struct node *q, struct node *k)
{
	return tape_matmul(head->tape, q, false, k, true, head_scale(head));
}

static void keep_content(struct head *head)
{
	bool adjusts;
	if (!(head->run->private->want->kinds & WANT_MODULATION) ||
	    !find_modulation(head, &adjusts))
		return;
	struct trace_head *to = trace_of_head(head);
	trace_keep_queries(head, &to->before, content(head, head->q_raw, head->k_raw));
	trace_keep_queries(head, &to->after,
			   adjusts ? head->logits : content(head, head->q, head->k));
}

static double largest(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return hi > -lo ? hi : -lo;
}

/* Adds the difference between the logits and the sum of the terms as a term of its own, since an
 * adjust hook may multiply or replace this sum: so the terms always sum to the logits. */
static void add_rest(struct head *head)
{
	bool adjusted = false;
	FOR_HOOKS(head, m, adjust)
	adjusted = true;
	FOR_HOOKS(head, m, adjust_heads)
	adjusted = true;
	if (!adjusted)
		return;
	struct node *rest = tape_scale(head->tape, head->logits, 1);
	for (size_t i = 0; i < head->n_terms; i++)
		for (size_t t = 0; t < rest->v.rows; t++)
			for (size_t s = 0; s < rest->v.cols; s++)
				mat_row(rest->v, t)[s] -= mat_row(head->terms[i].at->v, t)[s];
	if (largest(rest->v) > 1e-12 * (1 + largest(head->logits->v)))
		head_keep_term(head, "rest", TERM_OTHER, rest);
}

void trace_logits(struct head *head)
{
	const struct run_private *p = head->run->private;
	const unsigned kinds = p->want->kinds;
	if (kinds & WANT_LOGITS && !p->probe_pass)
		trace_tell(head, (struct trace_head){.logits = head->logits->v});
	if (!trace_wants(head))
		return;
	struct trace_head *to = trace_of_head(head);
	if (kinds & WANT_LOGITS)
		trace_keep_queries(head, &to->logits, head->logits);
	keep_content(head);
	if (kinds & WANT_TERMS) {
		add_rest(head);
		for (size_t i = 0; i < head->n_terms; i++) {
			to->terms[i].label = term_label(head, i);
			to->terms[i].kind = head->terms[i].kind;
			to->terms[i].weight = head->terms[i].weight;
			trace_keep_queries(head, &to->terms[i].at, head->terms[i].at);
		}
		to->n_terms = head->n_terms;
	}
}

void trace_sink(const struct head *head)
{
	struct run_private *const p = head->run->private;
	if (!head->sink_logit || !trace_wants(head) || trace_of_head(head)->sink_logit)
		return;
	pthread_mutex_lock(&p->keep_lock);
	double *const kept = arena_alloc(p->keep, sizeof *kept);
	pthread_mutex_unlock(&p->keep_lock);
	*kept = *head->sink_logit;
	trace_of_head(head)->sink_logit = kept;
}

static void copy_mask(struct head *head)
{
	struct run_private *p = head->run->private;
	struct trace_head *to = trace_of_head(head);
	if (!head->allowed || to->mask)
		return;
	const size_t keys = head->run->keys->n, all = head->run->n - head->run->in->memory;
	const size_t rows = p->rows ? p->n_rows : all;
	pthread_mutex_lock(&p->keep_lock);
	uint8_t *copy = arena_alloc(p->keep, rows * keys);
	pthread_mutex_unlock(&p->keep_lock);
	if (!p->rows)
		memcpy(copy, queries_mask(head), rows * keys);
	for (size_t i = 0; p->rows && i < rows; i++)
		memcpy(copy + i * keys, head->allowed + p->rows[i] * keys, keys);
	to->mask = copy;
}

void trace_probed_mask(struct head *head)
{
	copy_mask(head);
}

void trace_mask(struct head *head)
{
	if (head->run->private->want->kinds & WANT_MASK && trace_wants(head))
		copy_mask(head);
}

/* Computes the content that replaces c·q·kᵀ, for the units alone; NULL if there is none. */
static bool replaced_content(struct head *head, struct node **out, struct err *err)
{
	const struct run_private *p = head->run->private;
	struct node *const q = head->q, *const k = head->k, *const logits = head->logits;
	head->q = head_slice(head, p->unit_q, head->run->model->dk);
	head->k = head_slice(head, p->unit_k, head->run->model->dk);
	const bool ok = head_content(head, err);
	*out = head->logits;
	head->q = q;
	head->k = k;
	head->logits = logits;
	return ok;
}

static void subtract(struct mat from, struct mat m)
{
	for (size_t t = 0; t < from.rows; t++)
		for (size_t s = 0; s < from.cols; s++)
			mat_row(from, t)[s] -= mat_row(m, t)[s];
}

/* Subtracts c·q·kᵀ of the units alone from the logits of some rows, queries `first` onwards, by
 * blocks. */
static void subtract_content(const struct head *head, struct mat logits, size_t first)
{
	const struct run_private *const p = head->run->private;
	const size_t dk = head->run->model->dk;
	const struct mat q = mat_cols(p->unit_q->v, head->index * dk, dk);
	const struct mat k = mat_cols(p->unit_k->v, head->index * dk, dk);
	const struct mat content = mat_new(head->tape->arena, BIAS_ROWS, k.rows);
	for (size_t t = 0; t < logits.rows && !head->without_dot; t += BIAS_ROWS) {
		const size_t rows = logits.rows - t < BIAS_ROWS ? logits.rows - t : BIAS_ROWS;
		mat_mul(mat_rows(content, 0, rows), head_scale(head), mat_rows(q, first + t, rows),
			false, k, true, 0);
		subtract(mat_rows(logits, t, rows), content);
	}
}

bool trace_bias_of_rows(struct head *head, struct mat kept, struct err *err)
{
	subtract_content(head, head->logits->v, head->first);
	mat_set(kept, head->logits->v);
	return finite_bias(head, kept, err);
}

/* Keeps the bias: this head's logits minus the unit–unit term with the same c and projections. */
static bool keep_probed_bias(struct head *head, struct err *err)
{
	struct node *replaced;
	if (!replaced_content(head, &replaced, err))
		return false;
	const struct run_private *p = head->run->private;
	struct node *bias = head->logits; /* overwritten, since they are no longer needed */
	if (replaced)
		subtract(bias->v, replaced->v);
	else
		subtract_content(head, bias->v, 0);
	if (!finite_bias(head, bias->v, err))
		return false;
	trace_tell(head, (struct trace_head){.bias = bias->v});
	if (p->want->head < 0 || p->want->head == (long)head->index) {
		trace_keep_queries(head, &trace_of_head(head)->bias, bias);
		copy_mask(head);
	}
	return true;
}

/* Divides the product after by that before the members changed it, both of the units alone. A
 * product that is 0 up to rounding, measured by the lengths of its vectors, gives NaN. */
static void divide_products(struct mat out, struct mat after, struct mat before, struct mat q,
			    struct mat k, double c)
{
	for (size_t t = 0; t < out.rows; t++) {
		const double length = c * mat_norm(mat_rows(q, t, 1));
		for (size_t s = 0; s < out.cols; s++) {
			const double by = mat_row(before, t)[s];
			const double least = 1e-12 * length * mat_norm(mat_rows(k, s, 1));
			mat_row(out, t)[s] = fabs(by) > least ? mat_row(after, t)[s] / by : NAN;
		}
	}
}

static bool keep_modulation(struct head *head, struct err *err)
{
	const struct run_private *p = head->run->private;
	bool adjusts;
	if (!(p->want->kinds & WANT_MODULATION) ||
	    (p->want->head >= 0 && p->want->head != (long)head->index) ||
	    !find_modulation(head, &adjusts))
		return true;
	struct node *const q = head->q, *const k = head->k;
	struct node *unit_q = head_slice(head, p->unit_q, head->run->model->dk);
	struct node *unit_k = head_slice(head, p->unit_k, head->run->model->dk);
	head->q = unit_q;
	head->k = unit_k;
	head->q_whole = p->unit_q;
	head->k_whole = p->unit_k;
	if (!head_qk(head, err))
		return false;
	struct node *before = content(head, unit_q, unit_k);
	struct node *after = adjusts ? head->logits : content(head, head->q, head->k);
	head->q = q;
	head->k = k;
	divide_products(before->v, after->v, before->v, unit_q->v, unit_k->v, head_scale(head));
	trace_keep_queries(head, &trace_of_head(head)->modulation, before);
	return true;
}

/* Ends the pass on the probe. */
bool trace_probed(struct head *head, struct err *err)
{
	if (!keep_modulation(head, err))
		return false;
	return !(head->run->private->want->kinds & WANT_BIAS) || keep_probed_bias(head, err);
}

/* Keeps what each member but the first found before it: the first found q_raw and k_raw. */
static void keep_changes(struct head *head, struct trace_head *to)
{
	struct run_private *const p = head->run->private;
	pthread_mutex_lock(&p->keep_lock);
	to->changes = arena_calloc(p->keep, head->n_changes + 1, sizeof *to->changes);
	pthread_mutex_unlock(&p->keep_lock);
	to->n_changes = head->n_changes;
	for (size_t i = 0; i < head->n_changes; i++) {
		const struct head_change *const from = &head->changes[i];
		to->changes[i].by = from->by;
		if (i == 0)
			continue;
		trace_keep_queries(head, &to->changes[i].q, from->q);
		keep(head, &to->changes[i].k, from->k);
	}
}

static void keep_beside(struct head *head, struct trace_beside *to)
{
	const struct head_beside *const from = &head->beside;
	to->by = from->by;
	if (!from->by)
		return;
	trace_keep_queries(head, &to->q_raw, from->q_raw);
	trace_keep_queries(head, &to->q, from->q);
	keep(head, &to->k_raw, from->k_raw);
	keep(head, &to->k, from->k);
}

void trace_qkv(struct head *head)
{
	const struct run_private *p = head->run->private;
	if (!(p->want->kinds & WANT_QKV) || p->probe_pass || !trace_wants(head))
		return;
	struct trace_head *to = trace_of_head(head);
	trace_keep_queries(head, &to->q, head->q);
	keep(head, &to->k, head->k);
	keep(head, &to->v, head->v);
	if (head->q != head->q_raw)
		trace_keep_queries(head, &to->q_raw, head->q_raw);
	if (head->k != head->k_raw)
		keep(head, &to->k_raw, head->k_raw);
	keep_changes(head, to);
	keep_beside(head, &to->beside);
}
