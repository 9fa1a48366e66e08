/* kept.c: intermediate results that are in no other tensor, kept by name for recomputing.
 *
 * The model itself keeps what hooks replaced: parts of X, inputs of the projections and what is
 * added to them, the residual, and everything that members make by run_index_… and run_cached. A
 * member keeps other data that it draws or holds by run_keep and step_keep. Names are those of a
 * dump. */
#include <stdio.h>
#include <string.h>

#include "model_in.h"

bool run_keeps(const struct run *run)
{
	const struct run_private *p = run->private;
	return p->trace && !p->probe_pass && !p->hidden && p->want->kinds & WANT_KEPT;
}

static bool is_kept(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->n_kept; i++)
		if (strcmp(trace->kept[i].name, name) == 0)
			return true;
	return false;
}

/* Returns a matrix to be filled, at NULL when the name exists already. */
static struct mat add_kept(struct run *run, const char *name, size_t rows, size_t cols)
{
	struct run_private *p = run->private;
	struct trace *trace = p->trace;
	if (is_kept(trace, name))
		return (struct mat){0};
	trace->kept = arena_grow(p->keep, trace->kept, trace->n_kept, &trace->cap_kept,
				 sizeof *trace->kept);
	struct trace_kept *kept = &trace->kept[trace->n_kept++];
	*kept = (struct trace_kept){arena_strdup(p->keep, name), mat_new(p->keep, rows, cols)};
	return kept->at;
}

/* Copies a matrix into the trace. The lock is needed because heads run in parallel. */
static void keep_named(struct run *run, const char *name, struct mat at)
{
	pthread_mutex_lock(&run->private->keep_lock);
	const struct mat to = add_kept(run, name, at.rows, at.cols);
	pthread_mutex_unlock(&run->private->keep_lock);
	if (to.at)
		mat_set(to, at);
}

enum { NAME_MAX_BYTES = 256 };

void run_keep(struct run *run, const struct member *m, const char *key, struct mat at)
{
	char name[NAME_MAX_BYTES];
	if (!run_keeps(run))
		return;
	snprintf(name, sizeof name, "member.%s.%s", m->name, key);
	keep_named(run, name, at);
}

void step_keep(struct run *run, const struct member *m, const char *key, struct mat at)
{
	char name[NAME_MAX_BYTES];
	if (!run_keeps(run))
		return;
	snprintf(name, sizeof name, "layer.%zu.member.%s.%s", run->step_index, m->name, key);
	keep_named(run, name, at);
}

void run_keep_index(struct run *run, const struct member *m, const char *name,
		    const struct index *index)
{
	char whole[NAME_MAX_BYTES];
	if (!run_keeps(run))
		return;
	snprintf(whole, sizeof whole, "member.%s.index.%s", m->name, name);
	const struct mat to = add_kept(run, whole, index->rows, index->cols);
	for (size_t i = 0; to.at && i < index->rows * index->cols; i++)
		to.at[i] = index->at[i];
}

/* ---- data of a step that the model keeps --------------------------------------------------- */

static void keep_in_step(struct run *run, const char *key, struct mat at)
{
	keep_named(run, arena_printf(run->arena, "layer.%zu.%s", run->step_index, key), at);
}

static bool same_parts(const struct parts *x, const struct parts *y)
{
	bool same = x->n == y->n;
	for (size_t i = 0; same && i < x->n; i++)
		same = x->at[i].at == y->at[i].at;
	return same;
}

/* Keeps the parts. If two members bring parts of the same name the second is called
 * "position#2". */
static void keep_parts(struct run *run)
{
	const struct parts *x = &run->x;
	for (size_t i = 0; i < x->n; i++) {
		size_t same = 1;
		for (size_t k = 0; k < i; k++)
			same += strcmp(x->at[k].label, x->at[i].label) == 0;
		const char *suffix = same > 1 ? arena_printf(run->arena, "#%zu", same) : "";
		keep_in_step(run, arena_printf(run->arena, "part.%s%s", x->at[i].label, suffix),
			     x->at[i].at->v);
	}
}

void keep_projected(struct run *run)
{
	if (!run_keeps(run))
		return;
	const struct {
		const char *input, *bias;
		const struct parts *parts;
		const struct node *added;
	} rows[] = {{"input_q", "q_bias", &run->xq, run->q_bias},
		    {"input_k", "k_bias", &run->xk, run->k_bias},
		    {"input_v", "v_bias", &run->xv, run->v_bias}};
	keep_parts(run);
	for (size_t i = 0; i < 3; i++) {
		if (!same_parts(rows[i].parts, &run->x))
			keep_in_step(run, rows[i].input, run_sum_parts(run, rows[i].parts)->v);
		if (rows[i].added)
			keep_in_step(run, rows[i].bias, rows[i].added->v);
	}
}

void keep_residual(struct run *run, const struct node *before)
{
	if (run_keeps(run) && run->residual != before)
		keep_in_step(run, "residual",
			     run->residual ? run->residual->v
					   : mat_zero(run->arena, run->n, run->model->config.d));
}
