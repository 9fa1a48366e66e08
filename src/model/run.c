/* run.c: an evaluation: its set-up and its passes.
 *
 * The bias is a second, short pass on the probe: layer 1 up to its logits. */
#include "model_in.h"

/* ---- setting up ---------------------------------------------------------------------------- */

static struct run *new_run(const struct model *model, const struct model_input *in,
			   const struct want *want, const struct record_shared *shared,
			   struct tape *tape, struct arena *a)
{
	struct run *run = arena_calloc(a, 1, sizeof *run);
	struct run_private *p = arena_calloc(a, 1, sizeof *p);
	*run = (struct run){.model = model, .in = in, .tape = tape, .arena = a, .private = p};
	run->queries = arena_calloc(a, 1, sizeof *run->queries);
	run->keys = arena_calloc(a, 1, sizeof *run->keys);
	run->outputs = arena_calloc(a, model->n_steps + 1, sizeof(struct node *));
	p->want = want;
	p->leaves = shared ? shared->leaves : record_leaves(model, a);
	p->weights = shared ? shared->weights : record_weights(model, a);
	p->turned = record_weights(model, a);
	pthread_mutex_init(&p->keep_lock, NULL);
	arena_init(&p->layer_arena);
	for (size_t i = 0; i < ROOM_THREADS; i++)
		arena_init(&p->stream[i]);
	return run;
}

static void add_scratch(struct run *run, size_t n)
{
	struct run_private *p = run->private;
	const size_t heads = run->model->config.heads;
	p->scratch = arena_calloc(run->arena, n, sizeof *p->scratch);
	for (size_t i = 0; i < n; i++)
		arena_init(&p->scratch[i]);
	p->n_scratch = n;
	p->head_err = arena_calloc(run->arena, heads, sizeof *p->head_err);
	p->head_ok = arena_calloc(run->arena, heads, sizeof *p->head_ok);
}

static void end_run(struct run *run)
{
	for (size_t i = 0; i < run->private->n_scratch; i++)
		arena_release(&run->private->scratch[i]);
	for (struct memo *memo = run->private->memos; memo; memo = memo->next)
		arena_release(&memo->own);
	arena_release(&run->private->layer_arena);
	for (size_t i = 0; i < ROOM_THREADS; i++)
		arena_release(&run->private->stream[i]);
	pthread_mutex_destroy(&run->private->keep_lock);
}

bool run_pass(const struct model *model, const struct model_input *in, const struct want *want,
	      bool probe_pass, size_t workers, struct cache *cache, struct watch *watch,
	      struct arena *keep_in, struct trace *trace, struct err *err)
{
	struct arena work;
	arena_init(&work);
	struct tape tape;
	tape_init(&tape, &work, false);
	struct run *run = new_run(model, in, want, NULL, &tape, &work);
	struct run_private *p = run->private;
	p->trace = trace;
	p->cache = cache;
	p->watch = watch;
	p->keep = keep_in;
	p->probe_pass = probe_pass;
	add_scratch(run, workers);
	cache_enter(cache);
	const bool ok = run_steps(run, err);
	cache_leave(cache);
	trace->operations += tape.operations;
	trace->multiply_adds += tape.multiply_adds;
	end_run(run);
	arena_release(&work);
	return ok;
}

/* ---- what a trace can show ------------------------------------------------------------------ */

static bool only_masks(const struct model *model)
{
	bool mask = false;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct hooks *h = model->members[i].hooks;
		mask |= h->mask != NULL;
		if (h->only_mask && h->only_mask(&model->members[i]))
			continue;
		if (h->units || h->positions || h->embed || h->project || h->qk || h->content ||
		    h->logits || h->adjust || h->adjust_heads || h->weights || h->values ||
		    h->block || h->schedule || h->scale || h->finish || h->beside)
			return false;
	}
	return mask;
}

static void describe(const struct model *model, struct trace *trace, struct arena *a)
{
	trace->c = model->c;
	trace->bias_is_mask = only_masks(model);
	trace->split = true;
	if (model->config.stack == STACK_CROSS)
		trace->bias_absent = "the keys are the tokens of a source, to which no positions "
				     "are added: no bias";
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		if (m->hooks->no_logits)
			trace->bias_absent = arena_printf(
				a, "the weights of %s do not come from queries and keys: no bias",
				m->name);
		else if (m->hooks->content && !m->hooks->content_of_units)
			trace->bias_absent = arena_printf(
				a, "%s puts logits of its own in place of q·k: no bias", m->name);
		if (m->hooks->nonlinear || m->hooks->content || m->hooks->no_logits) {
			trace->split = false;
			trace->split_absent = arena_printf(
				a,
				"%s is not a sum of token vector and position: no additive split",
				m->name);
		}
	}
}

/* ---- the two entrances --------------------------------------------------------------------- */

void run_prepare_trace(const struct model *model, const struct want *want, struct arena *a,
		       struct trace *trace)
{
	*trace = (struct trace){.n_layers = model->n_steps, .planes = 1};
	/* Means are stored after the heads and layers that they are the mean of. */
	trace->layers = arena_calloc(a, model->n_steps + 1, sizeof *trace->layers);
	struct trace_head *const none = arena_calloc(a, model->config.heads + 1, sizeof *none);
	for (size_t i = 0; i <= model->n_steps; i++) {
		struct trace_layer *const layer = &trace->layers[i];
		/* Layers that are not viewed share an empty array; the bias is of layer 1. */
		const bool kept = want->layer < 0 || (size_t)want->layer == i || i == 0 ||
				  i == model->n_steps;
		layer->heads =
			!kept ? none
			      : arena_calloc(a, model->config.heads + 1, sizeof *layer->heads);
		layer->allowed = arena_calloc(a, model->config.heads + 1, sizeof *layer->allowed);
	}
	describe(model, trace, a);
}

static bool run_probe_pass(const struct model *model, const struct model_input *in,
			   const struct want *want, size_t workers, struct cache *cache,
			   struct watch *watch, struct arena *a, struct trace *trace,
			   struct err *err)
{
	struct model_input probed = *in;
	struct arena units;
	arena_init(&units);
	if (in->probe.at) {
		probed.words = in->units;
		probed.units = mat_new(&units, in->axis.n, model->config.d);
		for (size_t i = 0; i < in->axis.n; i++)
			mat_set(mat_rows(probed.units, i, 1), in->probe);
	}
	const bool ok = run_pass(model, &probed, want, true, workers, cache, watch, a, trace, err);
	arena_release(&units);
	return ok;
}

size_t model_heads_to_run(const struct model *model, const struct want *want)
{
	if (want->kinds == WANT_RELATION) /* the relation is ready before any head */
		return 0;
	const bool all = want->kinds & WANT_OUTPUT || want->layer < 0;
	const bool probed = want->kinds & (WANT_BIAS | WANT_MODULATION);
	const size_t steps = all ? model->n_steps : (size_t)want->layer + 1;
	return model->config.heads * (steps * (model->config.stack == STACK_ONE ? 1 : 2) + probed);
}

static bool run_passes(const struct model *model, const struct model_input *in,
		       const struct want *want, size_t workers, struct cache *cache,
		       struct watch *watch, struct arena *a, struct trace *trace, struct err *err)
{
	const bool probed = want->kinds & (WANT_BIAS | WANT_MODULATION);
	watch_expect(watch, model_heads_to_run(model, want));
	if (!run_pass(model, in, want, false, workers, cache, watch, a, trace, err))
		return false;
	if (probed && !trace->bias_absent)
		return run_probe_pass(model, in, want, workers, cache, watch, a, trace, err);
	watch_did(watch, probed ? model->config.heads : 0); /* these heads need no work */
	return true;
}

bool model_run(const struct model *model, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err)
{
	BUG_IF(in->units.rows != in->axis.n);
	run_prepare_trace(model, want, a, trace);
	if (in->units.cols != model->config.d)
		return err_set(err, "units: %zu columns; d-model is %zu", in->units.cols,
			       model->config.d);
	if (want->layer >= (long)model->n_steps || want->head >= (long)model->config.heads)
		return err_set(err, "there is no layer %ld or head %ld; there are %zu and %zu",
			       want->layer + 1, want->head + 1, model->n_steps,
			       model->config.heads);
	if (model->config.stack != STACK_ONE && !in->source.at)
		return err_set(err, "a decoder reads a source, and this input has none");
	const struct member *const looked_at = model_looked_at(model);
	if (looked_at)
		return run_looked_at(model, looked_at, in, want, a, trace, err);
	const size_t workers = estimate_workers(model, in, want, cache, err);
	if (workers == 0)
		return false;
	if (in->memory > 0 && !memory_check(model, in, cache, watch, err)) {
		trace->cancelled = watch_cancelled(watch);
		return false;
	}
	const bool ok = run_passes(model, in, want, workers, cache, watch, a, trace, err);
	trace->cancelled = !ok && watch_cancelled(watch);
	return ok;
}

bool model_record_part(const struct model *model, const struct model_input *in,
		       const struct record *what, struct tape *tape, struct run **run,
		       struct err *err)
{
	static const struct want all = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	BUG_IF(!tape->recording);
	struct run *r = new_run(model, in, &all, what->shared, tape, tape->arena);
	struct record *const record = arena_alloc(tape->arena, sizeof *record);
	*record = *what;
	r->private->record = record;
	r->private->recorded = arena_calloc(tape->arena, model->n_steps, sizeof(struct head *));
	r->private->watch = what->watch;
	*run = r;
	return run_steps(r, err);
}

struct node *model_record(const struct model *model, const struct model_input *in,
			  struct tape *tape, struct run **run, struct err *err)
{
	static const struct record all = {.step = -1, .head = -1};
	return model_record_part(model, in, &all, tape, run, err) ? run_output_node(*run) : NULL;
}

/* ---- nodes of a recorded run
 * ------------------------------------------------------------------ */

/* Adds to the members' position vectors, once a step, a leaf of zeros or the input's own nudge,
 * so that they are treated as one. */
struct node *run_nudged(struct run *run, struct node *position)
{
	struct run_private *const p = run->private;
	const size_t rows = position->v.rows, cols = position->v.cols;
	const struct mat own = run->in->nudge;
	const bool recorded = p->record && p->record->inputs;
	if ((!recorded && !own.at) || p->nudged)
		return position;
	if (!p->nudge)
		p->nudge = recorded ? tape_leaf(run->tape, mat_zero(run->arena, rows, cols))
				    : tape_const(run->tape, own);
	BUG_IF(p->nudge->v.rows != rows || p->nudge->v.cols != cols);
	p->nudged = true;
	return tape_add(run->tape, position, p->nudge);
}

struct node *run_unit_node(struct run *run)
{
	return run->private->unit;
}

struct node *run_position_node(struct run *run)
{
	return run->private->nudge;
}

struct node *run_output_node(struct run *run)
{
	return run->outputs[run->model->n_steps];
}

static const struct head *recorded_head(const struct run *run, size_t step, size_t head)
{
	BUG_IF(step >= run->model->n_steps || head >= run->model->config.heads);
	const struct head *const heads = run->private->recorded[step];
	return heads ? &heads[head] : NULL;
}

struct node *run_logits_node(struct run *run, size_t step, size_t head)
{
	const struct head *const of = recorded_head(run, step, head);
	return of ? of->logits : NULL;
}

struct node *run_context_node(struct run *run, size_t step, size_t head)
{
	const struct head *const of = recorded_head(run, step, head);
	return of ? of->context : NULL;
}

struct node *run_weights_node(struct run *run, size_t step, size_t head)
{
	const struct head *const of = recorded_head(run, step, head);
	return of ? of->plane_weights : NULL;
}
