/* attend.c: the attention of one step, head by head.
 *
 * When viewing, heads are streamed: each gets a tape on a worker's arena, runs from qk to
 * values, copies the wanted results to the trace, and is freed. Only a hook that mixes heads
 * (adjust_heads) keeps all of them alive. When learning, everything is on the one recording
 * tape. */
#include <string.h>

#include "model_in.h"
#include "posviz/math/machine.h"

/* The smallest number of cells for which waking the pool pays. */
enum { PARALLEL_CELLS = 1 << 15 };

/* ---- masks: shared by all heads on which the same members act ------------------------------ */

static uint64_t mask_members(const struct head *head)
{
	uint64_t set = 0;
	FOR_HOOKS(head, m, mask)
	set |= 1ull << m->index;
	return set;
}

static bool mask_by_head(const struct head *head)
{
	FOR_HOOKS(head, m, mask)
	if (m->hooks->mask_by_head || (m->hooks->masks_differ && m->hooks->masks_differ(m)))
		return true;
	return false;
}

static bool make_masks(struct run *run, struct head *heads, struct err *err)
{
	struct run_private *p = run->private;
	const size_t memory = run->in->memory;
	p->n_masks = 0;
	if (memory > 0 && !run_keys_are_units(run))
		return err_set(
			err,
			"memory-tokens: there are %zu keys for %zu tokens, so none of them is "
			"a token that could be kept",
			run->keys->n, run->n);
	for (size_t i = 0; i < run->model->config.heads; i++) {
		struct head *head = &heads[i];
		const uint64_t set = mask_members(head);
		if (!set && memory == 0)
			continue;
		size_t k = mask_by_head(head) ? p->n_masks : 0;
		while (k < p->n_masks && p->masks[k].members != set)
			k++;
		if (k < p->n_masks) {
			head->allowed = p->masks[k].allowed;
			continue;
		}
		FOR_HOOKS(head, m, mask)
		if (!m->hooks->mask(head, m, err))
			return compatible_failed(run, m, err);
		if (memory > 0)
			memory_forbid(head);
		p->masks[p->n_masks++] =
			(struct mask_entry){.members = set, .allowed = head->allowed};
	}
	return true;
}

static size_t count_allowed(const struct head *head)
{
	const size_t cells = head->run->n * head->run->keys->n;
	size_t n = head->allowed ? 0 : cells;
	for (size_t i = 0; head->allowed && i < cells; i++)
		n += head->allowed[i];
	return n;
}

/* Counts the allowed pairs; heads that share a mask are counted once. */
static void trace_allowed(struct run *run)
{
	const struct run_private *const p = run->private;
	if (!p->trace || p->probe_pass || p->hidden)
		return;
	size_t *const allowed = p->trace->layers[run->step_index].allowed;
	for (size_t i = 0; i < run->model->config.heads; i++)
		allowed[i] = i > 0 && run->heads[i].allowed == run->heads[i - 1].allowed
				     ? allowed[i - 1]
				     : count_allowed(&run->heads[i]);
}

/* ---- stages of a head ---------------------------------------------------------------------- */

static bool make_weights(struct head *head, bool last_plane, struct err *err)
{
	head->weights = NULL;
	FOR_HOOKS(head, m, weights)
	if (!m->hooks->weights(head, m, err))
		return compatible_failed(head->run, m, err);
	/* The softmax of finite logits is finite, so only other weights are checked. */
	if (head->weights && !finite_weights(head, err))
		return false;
	if (!head->weights) {
		head->weights = tape_softmax(head->tape, head->logits, head->allowed, last_plane);
		if (head->unlooked && head->tape->spoiled && !finite_again(head, err))
			return false;
	}
	const struct run_private *p = head->run->private;
	trace_sink(head);
	if (head->plane == p->want->plane)
		head->plane_weights = head->weights;
	if (head->plane == p->want->plane && p->want->kinds & WANT_WEIGHTS) {
		trace_tell(head, (struct trace_head){.weights = head->weights->v});
		if (trace_wants(head))
			trace_keep_queries(head, &trace_of_head(head)->weights, head->weights);
	}
	return true;
}

/* With dv planes, plane p weights column p of the values; other numbers of planes are combined
 * by a values hook. `kept` [n,dv] collects the columns if planes are freed one by one. */
static void sum_values(struct head *head, size_t planes, struct node **columns, struct mat kept)
{
	struct tape *t = head->tape;
	if (planes == 1) {
		head->context = tape_matmul(t, head->weights, false, head->v, false, 1);
	} else if (planes == head->v->v.cols) {
		struct node *v = tape_slice(t, head->v, 0, head->v->v.rows, head->plane, 1);
		struct node *column = tape_matmul(t, head->weights, false, v, false, 1);
		columns[head->plane] = column;
		if (kept.at)
			mat_set(mat_cols(kept, head->plane, 1), column->v);
		else if (head->plane + 1 == planes)
			head->context = tape_concat_cols(t, columns, planes);
	}
}

bool record_ends(const struct run *run)
{
	const struct record *const record = run->private->record;
	return record && record->step == (long)run->step_index && !run->private->hidden;
}

bool needs_context(const struct run *run)
{
	const struct want *want = run->private->want;
	if (record_ends(run))
		return false;
	return run->private->trace == NULL || run->private->hidden ||
	       want->kinds & (WANT_CONTEXT | WANT_WRITTEN | WANT_OUTPUT) ||
	       (want->layer < 0 ? run->step_index + 1 < run->model->n_steps
				: (long)run->step_index < want->layer);
}

bool needs_values(const struct run *run)
{
	const struct run_private *const p = run->private;
	return run->tape->recording ||
	       (!p->probe_pass && (needs_context(run) || p->want->kinds & WANT_QKV));
}

/* Raises the trace's number of planes to this head's. Heads run in parallel and may have
 * different numbers of planes; the trace has the largest. */
static void keep_planes(const struct head *head, size_t planes)
{
	struct run_private *p = head->run->private;
	if (!p->trace)
		return;
	pthread_mutex_lock(&p->keep_lock);
	if (planes > p->trace->planes)
		p->trace->planes = planes;
	pthread_mutex_unlock(&p->keep_lock);
}

/* Returns whether each plane is freed before the next one: when viewing, only a values hook
 * could use several planes. */
static bool frees_planes(const struct head *head, size_t planes)
{
	FOR_HOOKS(head, m, values)
	return false;
	return planes > 1 && planes == head->v->v.cols && !head->tape->recording;
}

bool head_values(struct head *head, struct err *err)
{
	FOR_HOOKS(head, m, values)
	{
		head->acting = m;
		if (!m->hooks->values(head, m, err))
			return compatible_failed(head->run, m, err);
	}
	head->acting = NULL;
	FOR_HOOKS(head, m, attended)
	if (!m->hooks->attended(head, m, err))
		return compatible_failed(head->run, m, err);
	return true;
}

static bool run_planes(struct head *head, size_t planes, bool context, struct err *err)
{
	struct arena *a = head->tape->arena;
	const struct want *want = head->run->private->want;
	const bool forgets = context && frees_planes(head, planes);
	const struct mat none = {0}, out = forgets ? mat_new(a, head->run->n, planes) : none;
	struct node **columns = arena_calloc(a, planes, sizeof *columns);
	head->context = forgets ? tape_const(head->tape, out) : NULL;
	for (head->plane = 0; head->plane < planes; head->plane++) {
		if (!context && head->plane != want->plane)
			continue;
		const struct arena_mark mark = arena_mark(a);
		if (!make_weights(head, head->plane + 1 == planes, err))
			return false;
		if (context)
			sum_values(head, planes, columns, out);
		if (context && !head_values(head, err))
			return false;
		if (forgets)
			arena_rewind(a, mark);
	}
	return true;
}

bool head_keep_context(struct head *head, struct err *err)
{
	const struct run *run = head->run;
	BUG_IF(!head->context);
	if (!finite_context(head, err))
		return false;
	if (!run->private->trace)
		return true;
	const size_t dv = run->model->dv;
	mat_set(mat_cols(run->private->context, head->index * dv, dv), head->context->v);
	if (run->private->want->kinds & WANT_CONTEXT && trace_wants(head))
		trace_keep_queries(head, &trace_of_head(head)->context, head->context);
	if (head->parted)
		trace_written(head);
	return true;
}

static bool head_context(struct head *head, struct err *err)
{
	const bool context = needs_context(head->run);
	const struct member *whose;
	const size_t planes = compatible_planes(head, &whose);
	keep_planes(head, planes);
	return run_planes(head, planes, context, err) && (!context || head_keep_context(head, err));
}

/* ---- all heads of a step ------------------------------------------------------------------- */

static bool head_is_wanted(const struct run *run, size_t index)
{
	const struct want *want = run->private->want;
	return needs_context(run) || want->sink || want->head < 0 || want->head == (long)index;
}

static bool has_weights_later(const struct head *head)
{
	const unsigned later = WANT_WEIGHTS | WANT_CONTEXT | WANT_WRITTEN | WANT_OUTPUT;
	const struct run_private *p = head->run->private;
	return !p->probe_pass && (p->want->kinds & later || needs_context(head->run));
}

/* Returns whether the softmax can check the logits, which saves a pass over them: no weights
 * hook replaces it and no other code reads the logits before. */
static bool softmax_checks(const struct head *head)
{
	FOR_HOOKS(head, m, weights)
	return false;
	return !trace_sees(head, WANT_TERMS | WANT_LOGITS | WANT_MODULATION);
}

static bool head_whole(struct head *head, struct err *err)
{
	if (run_cancelled(head->run))
		return err_set(err, "cancelled");
	const bool weighs = has_weights_later(head);
	head->unlooked = weighs && softmax_checks(head);
	if (weighs && needs_context(head->run) && rows_fit(head))
		return rows_attend(head, err);
	if (rows_are_enough(head))
		return rows_pick(head, err);
	if (!head_to_logits(head, err))
		return false;
	if (head->logits)
		trace_logits(head);
	if (head->run->private->probe_pass)
		return trace_probed(head, err);
	return !weighs || head_context(head, err);
}

static void stream_head(void *context, size_t i, size_t worker)
{
	struct run *run = context;
	struct run_private *p = run->private;
	struct head *head = &run->heads[i];
	if (!head_is_wanted(run, i)) {
		p->head_ok[i] = true;
		watch_did(p->watch, 1);
		return;
	}
	struct arena *scratch = &p->scratch[worker];
	const struct arena_mark mark = arena_mark(scratch);
	struct tape tape;
	tape_init(&tape, scratch, false);
	head->tape = &tape;
	p->head_ok[i] = head_whole(head, &p->head_err[i]);
	arena_rewind(scratch, mark);
	pthread_mutex_lock(&p->keep_lock);
	tape_count_all(run->tape, &tape);
	pthread_mutex_unlock(&p->keep_lock);
	head->tape = NULL;
	watch_did(p->watch, 1);
}

static bool first_error(const struct run *run, struct err *err)
{
	const struct run_private *p = run->private;
	for (size_t i = 0; i < run->model->config.heads; i++)
		if (!p->head_ok[i])
			return err_set(err, "%s", p->head_err[i].text);
	return true;
}

static bool stream_heads(struct run *run, struct err *err)
{
	const size_t heads = run->model->config.heads;
	const bool spread = run->private->n_scratch > 1 && heads > 1 &&
			    heads * run->n * run->keys->n >= PARALLEL_CELLS;
	if (spread)
		machine_parallel(heads, stream_head, run);
	else
		for (size_t i = 0; i < heads; i++)
			stream_head(run, i, 0);
	return first_error(run, err);
}

static bool mixes_heads(const struct run *run)
{
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct member *m = &run->model->members[i];
		if (m->hooks->adjust_heads && member_on(m, run->layer) && !run->cross)
			return true;
	}
	return false;
}

static bool adjust_heads(struct run *run, struct err *err)
{
	const size_t heads = run->model->config.heads;
	const struct member *without = NULL;
	size_t with_logits = 0;
	for (size_t i = 0; i < heads; i++) {
		with_logits += run->heads[i].logits != NULL;
		if (!run->heads[i].logits)
			without = head_without_logits(&run->heads[i]);
	}
	for (size_t i = 0; with_logits && i < run->model->n_members; i++) {
		const struct member *m = &run->model->members[i];
		if (!m->hooks->adjust_heads || !member_on(m, run->layer) || run->cross)
			continue;
		if (with_logits < heads)
			return err_set(err,
				       "%s mixes the logits of all heads; %zu of %zu have none "
				       "beside %s",
				       m->text, heads - with_logits, heads, without->text);
		if (!m->hooks->adjust_heads(run, m, err))
			return compatible_failed(run, m, err);
		for (size_t k = 0; k < heads; k++)
			if (!finite_mixed(&run->heads[k], m, err))
				return false;
	}
	return true;
}

/* Returns whether head i is evaluated: the last step of a recorded run may need only one. */
static bool evaluates_head(const struct run *run, size_t i)
{
	const struct record *const record = run->private->record;
	return !record_ends(run) || record->head < 0 || record->head == (long)i || mixes_heads(run);
}

/* Evaluates all heads at once on one tape: for hooks that mix heads, and for recording. */
static bool evaluate_together(struct run *run, struct tape *tape, struct err *err)
{
	const size_t heads = run->model->config.heads;
	for (size_t i = 0; i < heads; i++) {
		if (!evaluates_head(run, i))
			continue;
		run->heads[i].tape = tape;
		if (run_cancelled(run))
			return err_set(err, "cancelled");
		if (!record_fits(run, err))
			return false;
		if (!head_to_logits(&run->heads[i], err))
			return false;
	}
	if (!adjust_heads(run, err))
		return false;
	for (size_t i = 0; i < heads; i++) {
		struct head *head = &run->heads[i];
		if (!evaluates_head(run, i))
			continue;
		if (run_cancelled(run))
			return err_set(err, "cancelled");
		if (head->logits && run->private->trace)
			trace_logits(head);
		if (run->private->probe_pass ? !trace_probed(head, err) : !head_context(head, err))
			return false;
		watch_did(run->private->watch, 1);
	}
	return true;
}

static bool mix_heads(struct run *run, struct err *err)
{
	struct arena *scratch = &run->private->scratch[0];
	const struct arena_mark mark = arena_mark(scratch);
	struct tape tape;
	tape_init(&tape, scratch, false);
	struct tape *const serial = run->tape;
	run->tape = &tape;
	const bool ok = evaluate_together(run, &tape, err);
	run->tape = serial;
	tape_count_all(serial, &tape);
	arena_rewind(scratch, mark);
	return ok;
}

static bool record_heads(struct run *run, struct node **context, struct err *err)
{
	const size_t heads = run->model->config.heads;
	if (!run->private->hidden)
		run->private->recorded[run->step_index] = run->heads;
	if (!evaluate_together(run, run->tape, err))
		return false;
	if (record_ends(run))
		return true;
	struct node **contexts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		contexts[i] = run->heads[i].context;
	*context = tape_concat_cols(run->tape, contexts, heads);
	return true;
}

bool attend(struct run *run, struct node **context, struct err *err)
{
	const size_t heads = run->model->config.heads;
	run->heads = arena_calloc(run->arena, heads, sizeof *run->heads);
	for (size_t i = 0; i < heads; i++) {
		struct head *const head = &run->heads[i];
		*head = (struct head){.run = run,
				      .index = i,
				      .tape = run->tape,
				      .plane = run->private->want->plane};
		head->split = run->private->want->kinds & WANT_TERMS && trace_wants(head);
		head->parted = run->private->want->kinds & WANT_WRITTEN && trace_wants(head);
	}
	if (!make_masks(run, run->heads, err))
		return false;
	trace_allowed(run);
	if (run->tape->recording)
		return record_heads(run, context, err);
	if (needs_values(run)) { /* each head has its own columns */
		run->private->context = mat_new(
			run->private->layer_read > 0 ? &run->private->layer_arena : run->arena,
			run->n, run->model->v_width);
		*context = tape_const(run->tape, run->private->context);
	}
	return mixes_heads(run) ? mix_heads(run, err) : stream_heads(run, err);
}
