/* attend_rows.c: a head evaluated block by block of its queries, if its logits and weights are not
 * viewed.
 *
 * These are n_q × n_k numbers, which pass through memory many times when made whole; a block
 * stays in the cache from c·q·kᵀ to its context. The terms of members are collected first, by
 * the same hooks: head_add_… stores them and each block takes its rows of them. Later hooks are
 * called with a block if their member allows it (`by_rows`). */
#include <string.h>

#include "model_in.h"

/* The scores of a block fit into a second-level cache of a megabyte. Products of fewer rows than
 * LEAST_ROWS take most of their time to rearrange the keys. */
enum { SCORES = 1 << 17, LEAST_ROWS = 32 };

/* The data of a head for all queries, and the terms added to the logits of each block. */
struct blocks {
	bool collecting;
	struct addition *additions, **end;
	struct node *q, *q_raw;
	struct node *dots; /* c·q·kᵀ of the queries that are picked, or NULL */
	uint8_t *allowed;
	struct mat context;
};

/* ---- conditions
 * -------------------------------------------------------------------------------- */

bool rows_allow(const struct member *m)
{
	const struct hooks *h = m->hooks;
	if (h->content || h->no_logits || h->adjust_heads || h->planes)
		return false;
	return h->by_rows || (!h->adjust && !h->weights && !h->values);
}

bool rows_fit(const struct head *head)
{
	const struct model *model = head->run->model;
	const unsigned matrices = WANT_TERMS | WANT_LOGITS | WANT_WEIGHTS | WANT_MODULATION;
	if (head->split || head->parted || trace_sees(head, matrices))
		return false;
	for (size_t i = 0; i < model->n_members; i++)
		if (head_acts(head, &model->members[i]) && !rows_allow(&model->members[i]))
			return false;
	return true;
}

size_t rows_per_block(size_t keys)
{
	const size_t rows = SCORES / (keys ? keys : 1);
	return rows > LEAST_ROWS ? rows : LEAST_ROWS;
}

/* ---- terms
 * ------------------------------------------------------------------------------------- */

bool rows_take(struct head *head, struct addition addition)
{
	struct blocks *const blocks = head->blocks;
	if (!blocks || !blocks->collecting)
		return false;
	struct addition *const kept = arena_alloc(head->tape->arena, sizeof *kept);
	*kept = addition;
	kept->by = head->acting;
	*blocks->end = kept;
	blocks->end = &kept->next;
	return true;
}

struct node *head_rows(struct head *head, struct node *all)
{
	if (all->v.rows == 1 || head->rows == head->run->n)
		return all;
	return tape_slice(head->tape, all, head->first, head->rows, 0, all->v.cols);
}

const struct index *head_rows_of_index(struct head *head, const struct index *all)
{
	if (head->rows == head->run->n)
		return all;
	struct index *const some = arena_alloc(head->tape->arena, sizeof *some);
	*some = (struct index){head->rows, all->cols, all->count,
			       all->at + head->first * all->cols};
	return some;
}

static void add_now(struct head *head, const struct addition *a)
{
	struct tape *const t = head->tape;
	if (a->index) {
		struct node *table = a->how == GATHER_BY_ROW ? head_rows(head, a->at) : a->at;
		if (a->vectors)
			table = tape_matmul(t, table, false, a->vectors, !a->turned, 1);
		head->logits = tape_accumulate_gather(t, head->logits, table,
						      head_rows_of_index(head, a->index), a->how,
						      a->scale);
		return;
	}
	struct node *term = head_rows(head, a->at);
	term = a->scale == 1 ? term : tape_scale(t, term, a->scale);
	head->logits = tape_accumulate(t, head->logits, term);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void set_block(struct head *head, size_t first, size_t rows)
{
	const struct blocks *const all = head->blocks;
	head->first = first;
	head->rows = rows;
	head->plane = 0;
	head->q = head_rows(head, all->q);
	head->q_raw = head_rows(head, all->q_raw);
	head->allowed = all->allowed ? all->allowed + first * head->k->v.rows : NULL;
}

/* Adds to the logits what members add to those of the block. */
static bool add_terms(struct head *head, struct err *err)
{
	finite_record(head, NULL);
	for (const struct addition *a = head->blocks->additions; a; a = a->next) {
		add_now(head, a);
		finite_record(head, a->by);
	}
	return head_adjust(head, err);
}

static bool make_logits(struct head *head, struct err *err)
{
	head->logits = head_dot(head);
	return add_terms(head, err);
}

bool rows_search_again(struct head *head)
{
	const size_t first = head->first, rows = head->rows;
	if (!head_take_qkv(head, NULL))
		return false;
	set_block(head, first, rows);
	return make_logits(head, NULL);
}

/* Makes the weights of a block. The softmax reports logits that are not finite as it reads them;
 * if so, they are computed again to find the reason. */
static bool make_weights(struct head *head, struct err *err)
{
	head->weights = NULL;
	FOR_HOOKS(head, m, weights)
	{
		head->unlooked = false;
		if (!finite_logits(head, err))
			return false;
		if (!m->hooks->weights(head, m, err))
			return compatible_failed(head->run, m, err);
	}
	if (head->weights)
		return finite_weights(head, err);
	head->weights = tape_softmax(head->tape, head->logits, head->allowed, true);
	if (!head->tape->spoiled)
		return true;
	head->unlooked = false;
	return make_logits(head, err) && finite_logits(head, err);
}

static bool attend_block(struct head *head, struct err *err)
{
	if (!make_logits(head, err) || !make_weights(head, err))
		return false;
	head->context = tape_matmul(head->tape, head->weights, false, head->v, false, 1);
	if (!head_values(head, err))
		return false;
	mat_set(mat_rows(head->blocks->context, head->first, head->rows), head->context->v);
	return true;
}

/* Processes blocks of about the same size, independent of the number of threads, so that results
 * do not depend on it. */
static bool attend_blocks(struct head *head, struct err *err)
{
	struct arena *const a = head->tape->arena;
	const size_t n = head->run->n, most = rows_per_block(head->k->v.rows);
	const size_t blocks = (n + most - 1) / most;
	for (size_t i = 0; i < blocks; i++) {
		const struct arena_mark mark = arena_mark(a);
		const size_t first = i * n / blocks;
		if (run_cancelled(head->run))
			return err_set(err, "cancelled");
		set_block(head, first, (i + 1) * n / blocks - first);
		if (!attend_block(head, err))
			return false;
		arena_rewind(a, mark);
	}
	return true;
}

static bool collect_additions(struct head *head, struct err *err)
{
	struct blocks *const all = head->blocks;
	const size_t dv = head->run->model->dv;
	if (!head_begin(head, err))
		return false;
	all->collecting = true;
	const bool ok = head_biases(head, err);
	all->collecting = false;
	all->q = head->q;
	all->q_raw = head->q_raw;
	all->allowed = head->allowed;
	if (needs_values(head->run))
		all->context = mat_cols(head->run->private->context, head->index * dv, dv);
	return ok;
}

/* ---- some of the queries
 * ----------------------------------------------------------------------- */

static bool is_wanted(const struct want *want, long token)
{
	for (size_t i = 0; i < want->n_places; i++)
		if (want->places[i] == token)
			return token >= 0;
	return false;
}

void rows_choose(struct run *run)
{
	struct run_private *const p = run->private;
	const struct want *const want = p->want;
	if (!want->places)
		return;
	BUG_IF(want->sink || want->layer < 0);
	size_t *const at = arena_calloc(run->arena, run->n + 1, sizeof *at);
	for (size_t i = run->in->memory; i < run->n; i++)
		if (is_wanted(want, run->queries->token[i]))
			at[p->n_rows++] = i;
	p->rows = at;
}

bool rows_are_enough(const struct head *head)
{
	const struct run_private *const p = head->run->private;
	const struct model *const model = head->run->model;
	if (!p->rows || head->split || needs_context(head->run) ||
	    p->want->kinds & (WANT_TERMS | WANT_MODULATION))
		return false;
	for (size_t i = 0; i < model->n_members; i++)
		if (head_acts(head, &model->members[i]) && !rows_allow(&model->members[i]))
			return false;
	return true;
}

/* The destinations of the results of the wanted queries; at NULL: not wanted. */
struct picked {
	struct mat logits, weights, bias;
};

/* Makes the products of all picked queries at once: they lie apart, and one alone is slow. */
static void pick_dots(struct head *head)
{
	const struct run_private *const p = head->run->private;
	struct blocks *const all = head->blocks;
	int32_t *const at = arena_calloc(head->tape->arena, p->n_rows + 1, sizeof *at);
	for (size_t i = 0; i < p->n_rows; i++)
		at[i] = (int32_t)p->rows[i];
	head->q = tape_gather_rows(head->tape, all->q, at, p->n_rows);
	head->rows = p->n_rows;
	all->dots = head_dot(head);
}

static bool pick_block(struct head *head, const struct picked *to, size_t at, struct err *err)
{
	struct node *const dots = head->blocks->dots;
	head->logits = tape_slice(head->tape, dots, at, head->rows, 0, dots->v.cols);
	if (!add_terms(head, err) || !finite_logits(head, err))
		return false;
	if (to->bias.at)
		return trace_bias_of_rows(head, mat_rows(to->bias, at, head->rows), err);
	if (to->logits.at)
		mat_set(mat_rows(to->logits, at, head->rows), head->logits->v);
	if (!to->weights.at)
		return true;
	if (!make_weights(head, err))
		return false;
	trace_sink(head);
	mat_set(mat_rows(to->weights, at, head->rows), head->weights->v);
	return true;
}

/* Processes consecutive queries together. */
static bool pick_blocks(struct head *head, const struct picked *to, struct err *err)
{
	const struct run_private *const p = head->run->private;
	struct arena *const a = head->tape->arena;
	const size_t most = rows_per_block(head->k->v.rows);
	pick_dots(head);
	for (size_t i = 0, n; i < p->n_rows; i += n) {
		const struct arena_mark mark = arena_mark(a);
		for (n = 1; n < most && i + n < p->n_rows && p->rows[i + n] == p->rows[i] + n;)
			n++;
		if (run_cancelled(head->run))
			return err_set(err, "cancelled");
		set_block(head, p->rows[i], n);
		if (!pick_block(head, to, i, err))
			return false;
		arena_rewind(a, mark);
	}
	return true;
}

bool rows_pick(struct head *head, struct err *err)
{
	const struct run_private *const p = head->run->private;
	const unsigned kinds = p->want->kinds;
	struct trace_head *const trace = trace_of_head(head);
	struct blocks blocks = {.end = &blocks.additions};
	struct picked to = {0};
	head->unlooked = false;
	head->blocks = &blocks;
	bool ok = collect_additions(head, err);
	if (ok && p->probe_pass && (p->want->head < 0 || p->want->head == (long)head->index)) {
		to.bias = trace_rows(head, &trace->bias);
		trace_probed_mask(head);
	} else if (ok && trace_wants(head)) {
		if (kinds & WANT_LOGITS)
			to.logits = trace_rows(head, &trace->logits);
		if (kinds & WANT_WEIGHTS)
			to.weights = trace_rows(head, &trace->weights);
	}
	if (ok && (to.bias.at || to.logits.at || to.weights.at))
		ok = pick_blocks(head, &to, err);
	head->blocks = NULL;
	head->first = 0;
	head->rows = head->run->n;
	head->allowed = blocks.allowed;
	head->logits = head->weights = NULL;
	return ok;
}

/* ---- all queries
 * ------------------------------------------------------------------------------- */

bool rows_attend(struct head *head, struct err *err)
{
	struct blocks blocks = {.end = &blocks.additions};
	head->blocks = &blocks;
	const bool ok = collect_additions(head, err) && attend_blocks(head, err);
	head->blocks = NULL;
	if (!ok)
		return false;
	head->first = 0;
	head->rows = head->run->n;
	head->allowed = blocks.allowed;
	head->logits = head->weights = NULL;
	head->context = tape_const(head->tape, blocks.context);
	return head_keep_context(head, err);
}
