/* steps.c: the stages in order, step by step: one function for each, called by run_steps;
 * results of a stage are stored in struct run. Stages of a head: attend.c, logits.c. */
#include <math.h>
#include <string.h>

#include "model_in.h"

#define FOR_MEMBERS(run, m, stage)                                       \
	for (const struct member *m = (run)->model->members,             \
				 *m##_end = m + (run)->model->n_members; \
	     m < m##_end; m++)                                           \
		if (m->hooks->stage && member_on(m, (run)->layer) && !(run)->cross)

/* ---- units and positions ------------------------------------------------------------------ */

/* Units and positions come before the layers: every member takes part. */
#define FOR_ALL_MEMBERS(run, m, stage)                                   \
	for (const struct member *m = (run)->model->members,             \
				 *m##_end = m + (run)->model->n_members; \
	     m < m##_end; m++)                                           \
		if (m->hooks->stage)

static const double *copy_or_zero(struct arena *a, const double *at, size_t n)
{
	double *copy = arena_calloc(a, n, sizeof *copy);
	if (at)
		memcpy(copy, at, n * sizeof *copy);
	return copy;
}

/* Clears the token vectors in the columns that are reserved for positions. */
static void clear_reserved(struct run *run)
{
	const size_t d = run->model->config.d, beside = run->model->beside;
	if (beside == 0)
		return;
	const struct mat theirs = mat_zero(run->arena, 1, d);
	mat_fill(mat_cols(theirs, 0, d - beside), 1);
	run->units = tape_mul(run->tape, run->units, tape_const(run->tape, theirs));
}

/* Checks that no unit was inserted or removed if data was given for each unit of the text. */
static bool check_counted(const struct run *run, const struct member *m, struct err *err)
{
	const struct model_input *const in = run->in;
	const bool ids = in->position || in->three_given, axes = in->places[PLACE_TEMPORAL] != NULL;
	if ((!in->memory && !ids && !axes) || run->queries->labels == in->axis.labels)
		return true;
	return err_set(
		err,
		"%s: %s puts tokens among those of the text or takes some out, so they can not "
		"be counted; leave one of the two out",
		ids    ? "position-ids"
		: axes ? "pictures"
		       : "memory-tokens",
		m->text);
}

const char *const place_column_names[PLACE_COLUMNS] = {"temporal", "height", "width",
						       "picture",  "row",    "column"};

static bool add_places(struct run *run, struct err *err)
{
	for (size_t i = 0; i < PLACE_COLUMNS; i++) {
		const double *const at = run->in->places[i];
		if (at && !run_add_column(run, place_column_names[i],
					  copy_or_zero(run->arena, at, run->n), err))
			return false;
	}
	return true;
}

static struct node *units_node(struct run *run)
{
	struct run_private *const p = run->private;
	if (p->record && p->record->units)
		return p->unit = p->record->units;
	if (!p->record || !p->record->inputs)
		return tape_const(run->tape, run->in->units);
	return p->unit = tape_leaf(run->tape, run->in->units);
}

static bool make_units(struct run *run, struct err *err)
{
	run->n = run->in->axis.n;
	*run->queries = run->in->axis;
	run->units = units_node(run);
	const double scale = model_embed_scale(run->model);
	if (fabs(scale - 1) > 0)
		run->units = tape_scale(run->tape, run->units, scale);
	if (!run_add_column(run, "word", copy_or_zero(run->arena, run->in->word, run->n), err) ||
	    !run_add_column(run, "segment", copy_or_zero(run->arena, run->in->segment, run->n),
			    err) ||
	    !add_places(run, err))
		return false;
	FOR_ALL_MEMBERS(run, m, units)
	{
		if (!m->hooks->units(run, m, err))
			return compatible_failed(run, m, err);
		if (!check_counted(run, m, err))
			return false;
	}
	clear_reserved(run);
	*run->keys = *run->queries;
	rows_choose(run);
	return true;
}

static bool shift_one(struct run *run, const char *name, struct err *err)
{
	const double *old = run_find_column(run, name);
	if (!old)
		return err_set(err, "there is no position column \"%s\" to shift", name);
	double *at = arena_calloc(run->arena, run->n, sizeof *at);
	for (size_t i = 0; i < run->n; i++)
		at[i] = old[i] + run->in->shift_by;
	return run_add_column(run, name, at, err);
}

/* Shifts the column that a trial names; with `seq` also the other numbers of each position. */
static bool shift_column(struct run *run, struct err *err)
{
	const char *name = run->in->shift_column;
	if (!name)
		return true;
	for (size_t i = 0; i < PLACE_COLUMNS && strcmp(name, "seq") == 0; i++)
		if (i != PLACE_PICTURE && run->in->places[i] &&
		    !shift_one(run, place_column_names[i], err))
			return false;
	return shift_one(run, name, err);
}

/* Calls first what makes the ids of a batch, padding before packing, wherever these stand in the
 * expression: other members read ids that the batch has made. */
static bool call_positions(struct run *run, struct err *err)
{
	for (unsigned i = 1; i <= IDS_COUNT; i++)
		FOR_ALL_MEMBERS(run, m, positions)
		{
			struct column before[MODEL_MAX_COLUMNS];
			if (m->hooks->ids != i % IDS_COUNT)
				continue;
			memcpy(before, run->columns, sizeof before);
			if (!m->hooks->positions(run, m, err))
				return compatible_failed(run, m, err);
			compatible_record_columns(run, m, before);
		}
	return true;
}

static bool make_positions(struct run *run, struct err *err)
{
	double *seq = arena_calloc(run->arena, run->n, sizeof *seq);
	double *remaining = arena_calloc(run->arena, run->n, sizeof *remaining);
	double *place = arena_calloc(run->arena, run->n, sizeof *place);
	for (size_t i = 0; i < run->n; i++) {
		place[i] = (double)i;
		seq[i] = run->in->position ? run->in->position[i] : (double)i;
		remaining[i] = (double)(run->n - i);
	}
	if (!run_add_column(run, "seq", seq, err) ||
	    !run_add_column(run, "remaining", remaining, err) ||
	    ((run->in->position || run->in->three_given) &&
	     !run_add_column(run, "place", place, err)))
		return false;
	return call_positions(run, err) && shift_column(run, err);
}

/* ---- a step's serial stages ---------------------------------------------------------------- */

/* Returns whether this is the first step of a layer on which the member acts; its part is added
 * there, once. */
static bool first_step_of(const struct run *run, const struct member *m)
{
	for (size_t i = 0; i < run->step_index; i++)
		if (member_on(m, run->model->steps[i].layer))
			return false;
	return true;
}

/* Applies run_nudged to the first part that a member has added. */
static void nudge_part(struct run *run, size_t before)
{
	if (run->x.n > before)
		run->x.at[before].at = run_nudged(run, run->x.at[before].at);
}

/* Calls embed with a model whose d is the number of reserved columns. */
static bool embed_narrow(struct run *run, const struct member *m, struct err *err)
{
	const struct model *const whole = run->model;
	struct model *narrow = arena_alloc(run->arena, sizeof *narrow);
	*narrow = *whole;
	narrow->config.d = model_part_width(whole, m->hooks);
	run->model = narrow;
	const bool ok = m->hooks->embed(run, m, err);
	run->model = whole;
	return ok;
}

static bool embed_beside(struct run *run, const struct member *m, struct err *err)
{
	const size_t beside = run->model->beside, before = run->x.n;
	const struct node *const first = run->x.at[0].at;
	const size_t to = run->model->config.d - beside;
	if (!embed_narrow(run, m, err))
		return false;
	const bool replaced = run->x.n < before || run->x.at[0].at != first;
	const bool narrow = model_part_width(run->model, m->hooks) == beside;
	if (replaced || (run->x.n > before && (!narrow || run->step_index > 0)))
		return err_set(err,
			       "%s: only what is added once, in front of the first layer, can "
			       "stand beside the token vectors; leave out concat",
			       m->text);
	nudge_part(run, before);
	struct node *none = tape_const(run->tape, mat_zero(run->arena, run->n, to));
	for (size_t i = before; i < run->x.n; i++) {
		struct node *const both[] = {none, run->x.at[i].at};
		run->x.at[i].at = tape_concat_cols(run->tape, both, 2);
	}
	return true;
}

/* Token vectors that are narrower than the model: what is added to them is as wide as they are. */
static bool embed_in_front(struct run *run, const struct member *m, struct err *err)
{
	const size_t width = run->model->config.embed_width, d = run->model->config.d;
	const size_t before = run->x.n;
	if (model_part_width(run->model, m->hooks) != width || run->model->beside > 0)
		return err_set(err,
			       "%s: this model's token vectors are %zu wide, and the layers %zu; "
			       "only what is added once to the token vectors can act on them",
			       m->text, width, d);
	if (!embed_narrow(run, m, err))
		return false;
	nudge_part(run, before);
	struct node *const none = tape_const(run->tape, mat_zero(run->arena, run->n, d - width));
	for (size_t i = before; i < run->x.n; i++) {
		struct node *const both[] = {run->x.at[i].at, none};
		run->x.at[i].at = tape_concat_cols(run->tape, both, 2);
	}
	return true;
}

static bool same_parts(const struct parts *x, const struct parts *y)
{
	bool same = x->n == y->n;
	for (size_t i = 0; i < x->n && same; i++)
		same = x->at[i].at == y->at[i].at;
	return same;
}

/* Sums parts, unless they are those that were summed last in this step: queries, keys, values
 * and the residual have the same parts unless a member changes one of them. */
static struct node *sum_once(struct run *run, const struct parts *parts)
{
	struct run_private *const p = run->private;
	if (!p->summed || !same_parts(parts, &p->summed_of)) {
		p->summed_of = *parts;
		p->summed = run_sum_parts(run, parts);
	}
	return p->summed;
}

static bool embed(struct run *run, const struct member *m, struct err *err)
{
	const size_t before = run->x.n;
	if (run->model->config.embed_width > 0)
		return embed_in_front(run, m, err);
	if (run->model->beside)
		return embed_beside(run, m, err);
	if (!m->hooks->embed(run, m, err))
		return false;
	nudge_part(run, before);
	return true;
}

/* Keeps what embed added in front of layer 1, as it is before any norm. */
static void keep_position_vectors(struct run *run)
{
	struct run_private *p = run->private;
	if (!p->trace || p->probe_pass || !(p->want->kinds & WANT_POSITION))
		return;
	struct node *const sum = sum_once(run, &run->x);
	if (sum != run->units)
		p->trace->position_vectors =
			mat_copy(p->keep, tape_sub(run->tape, sum, run->units)->v);
}

static bool make_embedding(struct run *run, struct err *err)
{
	run->private->nudged = false;
	FOR_MEMBERS(run, m, embed)
	if ((m->hooks->recurring || first_step_of(run, m)) && !embed(run, m, err))
		return compatible_failed(run, m, err);
	if (run->step_index > 0)
		return true;
	keep_position_vectors(run);
	block_embedding(run, &run->x);
	run->outputs[0] = sum_once(run, &run->x);
	return true;
}

static struct node *stream(struct run *run, long from)
{
	return run->outputs[from + 1];
}

static void begin_step(struct run *run, size_t index)
{
	run->step_index = index;
	run->step = &run->model->steps[index];
	run->layer = run->step->layer;
	run->cross = run->private->hidden = false;
	run->fed = NULL;
	run->x.n = run->xq.n = run->xk.n = run->xv.n = 0;
	run->q_bias = run->k_bias = run->v_bias = NULL;
	run->private->summed = NULL;
	parts_add(&run->x, "unit", index == 0 ? run->units : stream(run, run->step->q_from));
}

static struct node *project_one(struct run *run, const struct parts *x, enum weight w,
				enum weight b, struct node *extra)
{
	struct aside aside;
	weights_aside(run, &aside);
	struct node *in = sum_once(run, x);
	struct node *out = weight_product(run, in, w);
	struct node *bias = weight_node(run, run->layer, b);
	if (bias)
		out = tape_accumulate(run->tape, out, bias);
	out = weight_repeat(run, out, w);
	out = extra ? tape_accumulate(run->tape, out, extra) : out;
	weights_back(run, &aside);
	return out;
}

static bool project_hooks(struct run *run, struct err *err)
{
	struct run_private *p = run->private;
	p->keys_by = p->bias_by = NULL;
	FOR_MEMBERS(run, m, project)
	{
		const struct node *const k = run->k_bias, *const v = run->v_bias;
		if (m->hooks->shortens && !compatible_may_shorten(run, m, err))
			return false;
		if (!m->hooks->project(run, m, err))
			return compatible_failed(run, m, err);
		if (run->k_bias != k || run->v_bias != v)
			p->bias_by = m;
		if (!compatible_projected(run, m, err))
			return false;
	}
	return compatible_check_keys(run, err);
}

/* Keys and values of a second attention are the source's, behind the last norm of the encoder. */
static void read_source(struct run *run)
{
	run->xk.n = 0;
	parts_add(&run->xk, "unit", tape_const(run->tape, run->in->source));
	run->xv = run->xk;
	*run->keys = run->in->source_axis;
}

static bool project(struct run *run, struct err *err)
{
	const bool apart = run->step->kv_from != run->step->q_from && !run->cross;
	run->residual = sum_once(run, &run->x);
	run->xq = run->x;
	block_norm_input(run, &run->xq);
	if (run->model->config.block.normed_residual)
		run->residual = sum_once(run, &run->xq);
	run->xk = run->xq;
	if (apart) {
		run->xk.n = 0;
		parts_add(&run->xk, "unit", stream(run, run->step->kv_from));
		block_norm_input(run, &run->xk);
	}
	run->xv = run->xk;
	*run->keys = *run->queries;
	if (run->cross)
		read_source(run);
	else if (!project_hooks(run, err))
		return false;
	keep_projected(run);
	run->q = project_one(run, &run->xq, W_Q, B_Q, run->q_bias);
	run->k = project_one(run, &run->xk, W_K, B_K, run->k_bias);
	run->v = needs_values(run) ? project_one(run, &run->xv, W_V, B_V, run->v_bias) : NULL;
	return weights_were_read(run, err) &&
	       finite_rows(run, run->queries, run->residual, "the input", err) &&
	       finite_rows(run, run->queries, run->q, "the query", err) &&
	       finite_rows(run, run->keys, run->k, "the key", err) &&
	       (!run->v || finite_rows(run, run->keys, run->v, "the value", err));
}

static bool prepare(struct run *run, struct err *err)
{
	FOR_MEMBERS(run, m, prepare)
	if (!m->hooks->prepare(run, m, err))
		return compatible_failed(run, m, err);
	return true;
}

static struct node *block(struct run *run, struct node *context, struct err *err)
{
	const struct node *const before = run->residual;
	FOR_MEMBERS(run, hook, block)
	if (!hook->hooks->block(run, hook, err)) {
		compatible_failed(run, hook, err);
		return NULL;
	}
	keep_residual(run, before);
	return block_output(run, context);
}

/* Calls the finish hooks: the last step's output is the model's, and members may compute it from
 * the outputs of all steps. */
static bool finish(struct run *run, size_t index, struct err *err)
{
	if (index + 1 < run->model->n_steps)
		return true;
	FOR_MEMBERS(run, m, finish)
	if (!m->hooks->finish(run, m, err))
		return false;
	return true;
}

/* ---- steps --------------------------------------------------------------------------------- */

static bool wants_deeper(const struct run *run, size_t step)
{
	const struct run_private *p = run->private;
	if (!p->trace)
		return step < run->model->n_steps &&
		       (p->record->step < 0 || (long)step <= p->record->step);
	if (p->probe_pass ||
	    p->want->kinds == WANT_RELATION) /* the relation is ready before any head */
		return step == 0;
	if (p->want->kinds & WANT_OUTPUT || p->want->layer < 0)
		return step < run->model->n_steps;
	return (long)step <= p->want->layer;
}

/* Returns whether the step's output is needed. */
static bool wants_output(const struct run *run)
{
	return wants_deeper(run, run->step_index + 1) && !run->private->probe_pass
		       ? true
		       : run->private->trace && run->private->want->kinds & WANT_OUTPUT;
}

static bool wants_heads(const struct run *run)
{
	const unsigned heads = WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
			       WANT_CONTEXT | WANT_WRITTEN | WANT_MODULATION;
	/* Queries to a source are made behind the first attention. */
	const unsigned behind = run->model->config.stack == STACK_CROSS ? WANT_INPUT : 0;
	return run->private->probe_pass || !run->private->trace || wants_output(run) ||
	       run->private->want->kinds & (heads | behind);
}

/* Projects the units alone, for the bias. Returns false, with the reason in the trace, when
 * there is no unit–unit term to subtract. */
static bool project_units(struct run *run)
{
	struct run_private *p = run->private;
	const bool normed = run->model->config.block.embed_norm || block_reads_normed(run);
	struct node *const own = normed ? run->xq.at[0].at : run->units;
	const struct parts unit = {.at = {{"unit", own}}, .n = 1};
	const struct part *first = &run->xk.at[0];
	/* Keys that were mixed from the units have a unit part of their own. */
	const struct parts mixed = {.at = {*first}, .n = 1};
	const bool units = run_keys_are_units(run);
	p->unit_q = project_one(run, &unit, W_Q, B_Q, NULL);
	p->unit_k = project_one(run, units ? &unit : &mixed, W_K, B_K, NULL);
	if (units || (first->at->v.rows == run->keys->n && strcmp(first->label, "unit") == 0))
		return true;
	p->trace->bias_absent = "the keys are not the tokens: no bias";
	return false;
}

/* Runs the stages of one attention. */
static bool attention(struct run *run, struct node **context, struct err *err)
{
	*context = NULL;
	if (!project(run, err) || !prepare(run, err))
		return false;
	if (run->private->probe_pass) {
		if (!project_units(run))
			return weights_were_read(run, err);
	} else if (!run->private->hidden) {
		trace_step_keys(run);
		trace_step_input(run);
	}
	return attend(run, context, err) && weights_were_read(run, err);
}

/* Returns whether nothing is wanted behind the weights of the attention that is looked at. */
static bool ends_here(const struct run *run)
{
	return run->private->probe_pass || record_ends(run) ||
	       !(wants_output(run) || run->tape->recording);
}

/* The first attention of a decoder's layer is among its tokens, the second from these to the source;
 * one of them is looked at. *context stays NULL if nothing behind it is wanted. */
static bool two_attentions(struct run *run, struct node **context, struct err *err)
{
	struct run_private *const p = run->private;
	const bool second = run->model->config.stack == STACK_CROSS;
	struct node *first;
	p->hidden = second;
	if (!attention(run, &first, err))
		return false;
	*context = NULL;
	if (!second && ends_here(run))
		return true;
	struct node *const x = block_attended(run, first);
	if (!weights_were_read(run, err))
		return false;
	run->x.n = 0;
	parts_add(&run->x, "unit", x);
	run->q_bias = run->k_bias = run->v_bias = NULL;
	p->summed = NULL;
	run->cross = true;
	p->hidden = !second;
	if (!attention(run, context, err))
		return false;
	if (second && ends_here(run))
		*context = NULL;
	return true;
}

static bool finish_step(struct run *run, size_t index, struct node *context, struct err *err)
{
	struct node *output = block(run, context, err);
	if (!output || !weights_were_read(run, err) ||
	    !finite_rows(run, run->queries, output, "the output", err))
		return false;
	run->outputs[index + 1] = output;
	if (!finish(run, index, err))
		return false;
	output = run->outputs[index + 1];
	run->cross = run->private->hidden = false;
	trace_step_output(run, output);
	trace_step_last(run, index, output);
	/* what the next step reads of this one */
	FOR_MEMBERS(run, m, carry)
	if (!m->hooks->carry(run, m, err))
		return compatible_failed(run, m, err);
	return true;
}

static bool run_step(struct run *run, size_t index, struct err *err)
{
	struct node *context;
	if (run_cancelled(run))
		return err_set(err, "cancelled");
	begin_step(run, index);
	if (!make_embedding(run, err))
		return false;
	if (!wants_heads(run)) {
		trace_step_input(run);
		return true;
	}
	struct node *const known = known_outputs_take(run);
	if (known) {
		trace_step_input(run);
		trace_step_output(run, known);
		trace_step_last(run, index, known);
		return true;
	}
	const double operations = run->tape->operations, products = run->tape->multiply_adds;
	if (!weights_enter(run, err))
		return false;
	if (run->model->config.stack == STACK_ONE ? !attention(run, &context, err)
						  : !two_attentions(run, &context, err))
		return false;
	const bool ends = ends_here(run) || !context;
	const bool done = ends || finish_step(run, index, context, err);
	run->cross = run->private->hidden = false;
	if (!ends && done)
		known_outputs_keep(run, operations, products);
	return done;
}

bool run_steps(struct run *run, struct err *err)
{
	if (!weights_enter_model(run, err) || !make_units(run, err) || !make_positions(run, err))
		return false;
	known_outputs_begin(run);
	trace_step_start(run);
	if (!keep_relation(run, err))
		return false;
	for (size_t i = 0; i < run->model->n_steps && wants_deeper(run, i); i++)
		if (!run_step(run, i, err))
			return false;
	return true;
}
