/* attend_rows.c: a head block by block of its queries, where nobody looks at its logits or weights.
 *
 * They are n_q × n_k numbers, which pass through memory many times when made whole; a block stays in the
 * cache from c·q·kᵀ to its context. What members add is collected first, by the same hooks: head_add_…
 * puts it aside (`later`) and each block takes its rows of it. Hooks behind that are called with a block
 * where their member allows it (`by_rows`). */
#include <string.h>

#include "model_in.h"

/* Scores of a block: they fit into a second cache of a megabyte. Products of fewer rows than that spend their
 * time bringing the keys into the shape they need. */
enum { SCORES = 1 << 17, LEAST_ROWS = 128 };

struct later {
	struct addition *first, **end;
};

/* ---- whether ----------------------------------------------------------------------------------- */

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
	if (head->split || trace_sees(head, matrices))
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

/* ---- what is added ----------------------------------------------------------------------------- */

void later_add(struct head *head, struct addition addition)
{
	struct addition *const kept = arena_alloc(head->tape->arena, sizeof *kept);
	*kept = addition;
	*head->later->end = kept;
	head->later->end = &kept->next;
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
		head->logits = tape_accumulate_gather(t, head->logits, table,
						      head_rows_of_index(head, a->index), a->how,
						      a->scale);
		return;
	}
	struct node *term = head_rows(head, a->at);
	term = a->scale == 1 ? term : tape_scale(t, term, a->scale);
	head->logits = tape_accumulate(t, head->logits, term);
}

/* ---- blocks ------------------------------------------------------------------------------------ */

/* What a head has of all queries. */
struct all {
	struct node *q, *q_raw;
	uint8_t *allowed;
	struct mat context;
};

static void take_rows(struct head *head, const struct all *all, size_t first, size_t rows)
{
	head->first = first;
	head->rows = rows;
	head->plane = 0;
	head->q = head_rows(head, all->q);
	head->q_raw = head_rows(head, all->q_raw);
	head->allowed = all->allowed ? all->allowed + first * head->k->v.rows : NULL;
}

/* *whole: something is not finite. */
static bool weigh(struct head *head, bool *whole, struct err *err)
{
	head->weights = NULL;
	FOR_HOOKS(head, m, weights)
	{
		*whole |= !mat_is_finite(head->logits->v);
		if (!*whole && !m->hooks->weights(head, m, err))
			return compatible_failed(head->run, m, err);
	}
	if (*whole)
		return true;
	if (head->weights)
		*whole = !mat_is_finite(head->weights->v);
	else
		head->weights = tape_softmax(head->tape, head->logits, head->allowed, true);
	*whole |= head->tape->spoiled;
	return true;
}

static bool attend_block(struct head *head, const struct all *all, const struct later *later,
			 bool *whole, struct err *err)
{
	head->logits = head_dot(head);
	for (const struct addition *a = later->first; a; a = a->next)
		add_now(head, a);
	if (!head_adjust(head, err) || !weigh(head, whole, err))
		return false;
	if (*whole)
		return true;
	head->context = tape_matmul(head->tape, head->weights, false, head->v, false, 1);
	if (!head_values(head, err))
		return false;
	mat_set(mat_rows(all->context, head->first, head->rows), head->context->v);
	return true;
}

/* Blocks of about the same size, whatever the threads: numbers do not depend on those. */
static bool attend_blocks(struct head *head, const struct all *all, const struct later *later,
			  bool *whole, struct err *err)
{
	struct arena *const a = head->tape->arena;
	const size_t n = head->run->n, most = rows_per_block(head->k->v.rows);
	const size_t blocks = (n + most - 1) / most;
	for (size_t i = 0; i < blocks && !*whole; i++) {
		const struct arena_mark mark = arena_mark(a);
		const size_t first = i * n / blocks;
		if (run_cancelled(head->run))
			return err_set(err, "cancelled");
		take_rows(head, all, first, (i + 1) * n / blocks - first);
		if (!attend_block(head, all, later, whole, err))
			return false;
		arena_rewind(a, mark);
	}
	return true;
}

static void take_all(struct head *head, const struct all *all)
{
	take_rows(head, all, 0, head->run->n);
	head->q = all->q;
	head->q_raw = all->q_raw;
	head->logits = head->weights = NULL;
	head->tape->spoiled = false;
	head->context = tape_const(head->tape, all->context);
}

bool rows_attend(struct head *head, bool *whole, struct err *err)
{
	struct later later = {.end = &later.first};
	const size_t dk = head->run->model->dk;
	*whole = false;
	if (!head_begin(head, err))
		return false;
	head->later = &later;
	const bool collected = head_biases(head, err);
	head->later = NULL;
	if (!collected)
		return false;
	const struct all all = {
		.q = head->q,
		.q_raw = head->q_raw,
		.allowed = head->allowed,
		.context = mat_cols(head->run->private->context, head->index * dk, dk)};
	if (!attend_blocks(head, &all, &later, whole, err))
		return false;
	take_all(head, &all);
	return *whole || head_keep_context(head, err);
}
