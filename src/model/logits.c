/* logits.c: the logits of a head: the content c·q·kᵀ, and the biases that members add to it.
 *
 * A member's hook `logits` adds a bias by head_add_term or head_add_indexed; for a table of
 * numbers or vectors by pairs, scheme/inject.c has that hook. Terms are kept separately if they
 * are viewed. */
#include <string.h>

#include "model_in.h"

/* ---- terms --------------------------------------------------------------------------------- */

void head_keep_term(struct head *head, const char *label, enum term_kind kind, struct node *at)
{
	if (head->n_terms == MODEL_MAX_TERMS) {
		struct term *last = &head->terms[MODEL_MAX_TERMS - 1];
		*last = (struct term){.label = "rest",
				      .kind = TERM_OTHER,
				      .weight = 1,
				      .at = tape_add(head->tape, last->at, at)};
		return;
	}
	head->terms[head->n_terms++] = (struct term){
		.label = label, .kind = kind, .weight = member_weight(head->acting), .at = at};
}

void head_part_factor(struct head *head, const char *label, double factor)
{
	struct node *more = NULL;
	if (!head->split || head->n_content == 0 || head->n_terms == MODEL_MAX_TERMS)
		return;
	for (size_t i = 0; i < head->n_content; i++) {
		struct node *const at = head->terms[i].at;
		struct node *const part = tape_scale(head->tape, at, 1 - 1 / factor);
		more = more ? tape_accumulate(head->tape, more, part) : part;
		head->terms[i].at = tape_scale(head->tape, at, 1 / factor);
	}
	head_keep_term(head, label, TERM_OTHER, more);
}

static struct node *scaled(struct tape *t, struct node *x, double by)
{
	return by == 1 ? x : tape_scale(t, x, by);
}

static void add_scaled(struct head *head, const char *label, enum term_kind kind, struct node *term,
		       double scale)
{
	scale *= member_weight(head->acting);
	if (rows_take(head, (struct addition){.at = term, .scale = scale}))
		return;
	term = scaled(head->tape, term, scale);
	if (head->split)
		head_keep_term(head, label, kind, term);
	head->logits = tape_accumulate(head->tape, head->logits, term);
}

void head_add_term(struct head *head, const char *label, enum term_kind kind, struct node *term)
{
	add_scaled(head, label, kind, term, 1);
}

void head_add_row(struct head *head, const char *label, enum term_kind kind, struct node *row)
{
	struct tape *const t = head->tape;
	if (head->split)
		row = tape_matmul(t, tape_ones(t, head->run->n, 1), false, row, false, 1);
	head_add_term(head, label, kind, row);
}

/* If terms are not viewed, the gathered term is added directly, without head_add_term. */
void head_add_indexed(struct head *head, const char *label, enum term_kind kind, struct node *table,
		      const struct index *index, enum gather how, double scale)
{
	const double by = scale * member_weight(head->acting);
	if (rows_take(head,
		      (struct addition){.at = table, .index = index, .how = how, .scale = by}))
		return;
	index = head_rows_of_index(head, index);
	if (head->split)
		add_scaled(head, label, kind, tape_gather(head->tape, table, index, how), scale);
	else
		head->logits =
			tape_accumulate_gather(head->tape, head->logits, table, index, how, by);
}

void head_add_products(struct head *head, const char *label, enum term_kind kind, struct node *x,
		       struct node *vectors, bool turned, const struct index *index)
{
	const double scale = head_scale(head);
	if (!rows_take(head, (struct addition){.at = x,
					       .vectors = vectors,
					       .turned = turned,
					       .index = index,
					       .how = GATHER_BY_ROW,
					       .scale = scale * member_weight(head->acting)}))
		head_add_indexed(head, label, kind,
				 tape_matmul(head->tape, x, false, vectors, !turned, 1), index,
				 GATHER_BY_ROW, scale);
}

/* ---- content ------------------------------------------------------------------------------- */

bool head_qk(struct head *head, struct err *err)
{
	const size_t dk = head->run->model->dk;
	head->changed_by = NULL;
	head->n_changes = 0;
	head->beside = (struct head_beside){.by = NULL};
	FOR_HOOKS(head, m, qk)
	{
		const struct head_change before = {m, head->q, head->k};
		if (!m->hooks->qk(head, m, err))
			return compatible_failed(head->run, m, err);
		if (head->q != before.q || head->k != before.k) {
			head->changed_by = m;
			head->changes[head->n_changes++] = before;
		}
		if (!head->widened_by && (head->q->v.cols != dk || head->k->v.cols != dk))
			head->widened_by = m;
		finite_record(head, m);
	}
	return true;
}

bool head_content(struct head *head, struct err *err)
{
	head->logits = NULL;
	FOR_HOOKS(head, m, content)
	{
		if (!m->hooks->content(head, m, err))
			return compatible_failed(head->run, m, err);
		finite_record(head, m);
	}
	return true;
}

/* Returns whether the part is the unit: the first one, unless a hook has replaced it by a
 * position or by a function of both, under a name of its own. */
static bool is_unit(const struct parts *parts, size_t i)
{
	return i == 0 && strcmp(parts->at[0].label, "unit") == 0;
}

static bool is_position(const struct parts *parts, size_t i)
{
	return strcmp(parts->at[i].label, "bias") != 0 &&
	       (i > 0 || strcmp(parts->at[0].label, "position") == 0);
}

static enum term_kind pair_kind(const struct parts *q, size_t i, const struct parts *k, size_t j)
{
	if ((!is_unit(q, i) && !is_position(q, i)) || (!is_unit(k, j) && !is_position(k, j)))
		return TERM_OTHER;
	if (is_unit(q, i))
		return is_unit(k, j) ? TERM_UNIT_UNIT : TERM_UNIT_POSITION;
	return is_unit(k, j) ? TERM_POSITION_UNIT : TERM_POSITION;
}

/* The summands of a head's queries or keys: its parts projected, and the bias. */
struct side {
	struct node *at[MODEL_MAX_PARTS + 1];
	const struct parts *x;
	const char *label[MODEL_MAX_PARTS + 1];
	size_t part[MODEL_MAX_PARTS + 1]; /* x->n: the bias */
	size_t n;
};

static void add_summand(struct side *side, size_t part, const char *label, struct node *at)
{
	side->part[side->n] = part;
	side->label[side->n] = label;
	side->at[side->n++] = at;
}

static struct node *bias_of(struct head *head, size_t rows, enum weight bias, enum weight which)
{
	struct node *const b = weight_node(head->run, head->run->layer, bias);
	struct tape *const t = head->tape;
	return b ? tape_matmul(t, tape_ones(t, rows, 1), false, weight_head_slice(head, b, which),
			       false, 1)
		 : NULL;
}

/* The bias of a norm, which passes the projection, is in that of the projection if there is one. */
static struct side summands(struct head *head, const struct parts *x, enum weight which,
			    enum weight bias)
{
	struct side out = {.x = x};
	struct node *b = bias_of(head, x->at[0].at->v.rows, bias, which);
	const bool any = b != NULL;
	for (size_t i = 0; i < x->n; i++) {
		struct node *const at = weight_head_product(head, x->at[i].at, which);
		if (any && strcmp(x->at[i].label, "bias") == 0)
			b = tape_add(head->tape, b, at);
		else
			add_summand(&out, i, x->at[i].label, at);
	}
	if (any)
		add_summand(&out, x->n, which == W_Q ? "b_q" : "b_k", b);
	return out;
}

static enum term_kind kind_of(const struct side *q, size_t i, const struct side *k, size_t j)
{
	const bool bias = q->part[i] == q->x->n || k->part[j] == k->x->n;
	return bias ? TERM_OTHER : pair_kind(q->x, q->part[i], k->x, k->part[j]);
}

/* Survey eq. 4: every summand of the queries with every one of the keys. The qk hooks are linear here
 * (otherwise there is no split), so they act on each separately. */
static bool split_content(struct head *head, struct err *err)
{
	struct run *run = head->run;
	struct node *const q = head->q, *const k = head->k;
	const struct side of_q = summands(head, &run->xq, W_Q, B_Q),
			  of_k = summands(head, &run->xk, W_K, B_K);
	for (size_t i = 0; i < of_q.n; i++) {
		for (size_t j = 0; j < of_k.n; j++) {
			head->q = of_q.at[i];
			head->k = of_k.at[j];
			if (!head_qk(head, err))
				return false;
			head_keep_term(head,
				       arena_printf(head->tape->arena, "%s–%s", of_q.label[i],
						    of_k.label[j]),
				       kind_of(&of_q, i, &of_k, j),
				       tape_matmul(head->tape, head->q, false, head->k, true,
						   head_scale(head)));
		}
	}
	head->q = q;
	head->k = k;
	return true;
}

/* Returns whether q or k has a bias of the model's, which is a summand; one that a member adds is not
 * kept apart. */
static bool has_bias_weights(struct run *run)
{
	return weight_node(run, run->layer, B_Q) || weight_node(run, run->layer, B_K);
}

/* Returns whether a hook maps q and k nonlinearly, so that the result is not the sum of the
 * mapped parts. */
static bool qk_is_nonlinear(const struct head *head)
{
	FOR_HOOKS(head, m, qk)
	if (m->hooks->nonlinear)
		return true;
	return false;
}

struct node *head_dot(struct head *head)
{
	struct tape *const t = head->tape;
	if (head->without_dot)
		return tape_const(t, mat_zero(t->arena, head->rows, head->k->v.rows));
	return tape_matmul(t, head->q, false, head->k, true, head_scale(head));
}

static bool first_logits(struct head *head, struct err *err)
{
	struct run *run = head->run;
	if (!head_content(head, err))
		return false;
	const bool replaced = head->logits != NULL;
	if (!replaced)
		head->logits = head_dot(head);
	finite_record(head, NULL);
	if (head->split) {
		const bool units = is_unit(&run->xq, 0) && is_unit(&run->xk, 0);
		const bool several = run->xq.n > 1 || run->xk.n > 1 || is_position(&run->xq, 0) ||
				     is_position(&run->xk, 0) || has_bias_weights(run);
		const bool apart = !replaced && !head->without_dot && several && !run->q_bias &&
				   !run->k_bias && !qk_is_nonlinear(head);
		const bool whole = replaced || several || !units;
		if (apart && !split_content(head, err))
			return false;
		if (!apart)
			head->terms[head->n_terms++] =
				(struct term){.label = whole ? "content" : "unit–unit",
					      .kind = whole ? TERM_OTHER : TERM_UNIT_UNIT,
					      .weight = 1,
					      .at = tape_scale(head->tape, head->logits, 1)};
		head->n_content = head->n_terms;
	}
	return true;
}

bool head_biases(struct head *head, struct err *err)
{
	FOR_HOOKS(head, m, logits)
	{
		head->acting = m;
		if (!m->hooks->logits(head, m, err))
			return compatible_failed(head->run, m, err);
		finite_record(head, m);
	}
	head->acting = NULL;
	return true;
}

bool head_adjust(struct head *head, struct err *err)
{
	FOR_HOOKS(head, m, adjust)
	{
		head->acting = m;
		if (!m->hooks->adjust(head, m, err))
			return compatible_failed(head->run, m, err);
		finite_record(head, m);
	}
	head->acting = NULL;
	return true;
}

const struct member *head_without_logits(const struct head *head)
{
	const struct model *model = head->run->model;
	for (size_t i = 0; i < model->n_members; i++)
		if (model->members[i].hooks->no_logits && head_acts(head, &model->members[i]))
			return &model->members[i];
	return NULL;
}

bool head_take_qkv(struct head *head, struct err *err)
{
	struct run *run = head->run;
	const size_t dk = run->model->dk;
	head->first = 0;
	head->rows = run->n;
	head->q_whole = run->q;
	head->k_whole = run->k;
	head->q = head->q_raw = head_slice(head, run->q, dk);
	head->k = head->k_raw = head_slice(head, run->k, dk);
	head->v = run->v ? head_slice(head, run->v, run->model->dv) : NULL;
	return head_without_logits(head) || head_qk(head, err);
}

bool head_begin(struct head *head, struct err *err)
{
	if (!head_take_qkv(head, err))
		return false;
	trace_qkv(head);
	trace_mask(head);
	return true;
}

bool head_to_logits(struct head *head, struct err *err)
{
	if (!head_begin(head, err))
		return false;
	return head_without_logits(head) || (first_logits(head, err) && head_biases(head, err) &&
					     head_adjust(head, err) && finite_logits(head, err));
}
