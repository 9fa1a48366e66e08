/* trace_step.c: results of the serial stages of a step in the trace. */
#include <string.h>

#include "model_in.h"

static struct mat keep(struct run *run, const struct node *node)
{
	return mat_copy(run->private->keep, node->v);
}

void trace_step_start(struct run *run)
{
	struct run_private *p = run->private;
	struct trace *trace = p->trace;
	if (!trace || p->probe_pass)
		return;
	axis_copy(p->keep, &p->units_kept, run->queries);
	trace->key = p->units_kept;
	trace->memory = run->in->memory;
	trace->query = (struct axis){.n = trace->key.n - trace->memory,
				     .labels = trace->key.labels + trace->memory,
				     .names = trace->key.names + trace->memory,
				     .token = trace->key.token + trace->memory};
	if (p->rows)
		axis_pick(p->keep, &trace->query, &p->units_kept, p->rows, p->n_rows);
	if (!p->rows) /* who looks at some rows alone has the token vectors */
		trace->units = keep(run, run->units);
	trace->n_columns = run->n_columns;
	for (size_t i = 0; i < run->n_columns; i++) {
		trace->columns[i].name = arena_strdup(p->keep, run->columns[i].name);
		double *const at = arena_calloc(p->keep, run->n, sizeof *at);
		if (run->columns[i].at)
			memcpy(at, run->columns[i].at, run->n * sizeof *at);
		trace->columns[i].at = at;
	}
}

void trace_step_keys(struct run *run)
{
	struct run_private *p = run->private;
	if (!p->trace)
		return;
	if (run_keys_are_units(run))
		p->trace->key = p->units_kept;
	else
		axis_copy(p->keep, &p->trace->key, run->keys);
}

/* Weights of a source stay there, because they are as large as the model; W_o, if what heads write
 * is wanted, does not. */
static bool keeps_weight(const struct run *run, enum weight which)
{
	const bool source = run->model->given && run->model->given->source;
	return !source || (which == W_O && run->private->want->kinds & WANT_WRITTEN);
}

static void keep_weights(struct run *run, struct trace_layer *layer)
{
	for (enum weight w = 0; w < WEIGHT_COUNT; w++) {
		const struct node *node =
			keeps_weight(run, w) ? weight_node(run, run->layer, w) : NULL;
		if (node)
			layer->weights[layer->n_weights++] = (struct trace_weight){
				.name = weight_rows[w].name, .at = keep(run, node)};
	}
}

void trace_step_input(struct run *run)
{
	struct run_private *p = run->private;
	if (!p->trace || p->probe_pass)
		return;
	struct trace_layer *layer = &p->trace->layers[run->step_index];
	layer->layer = run->layer;
	if (p->want->kinds & WANT_INPUT) {
		layer->input = keep(run, run_sum_parts(run, &run->x));
		keep_weights(run, layer);
	}
}

void trace_step_output(struct run *run, const struct node *output)
{
	struct run_private *p = run->private;
	if (!p->trace || p->probe_pass)
		return;
	struct trace_layer *layer = &p->trace->layers[run->step_index];
	if (output && p->want->kinds & WANT_OUTPUT)
		layer->output = mat_copy(run->private->keep, memory_skip(run, output->v));
}

void trace_step_last(struct run *run, size_t index, struct node *output)
{
	struct run_private *const p = run->private;
	const bool wanted = p->trace && !p->probe_pass && p->want->kinds & WANT_OUTPUT;
	if (!wanted || !output || index + 1 < run->model->n_steps)
		return;
	struct node *const last = run->model->config.block.final_norm
					  ? block_norm(run, output, FINAL_WEIGHT, FINAL_BIAS)
					  : output;
	p->trace->last = mat_copy(p->keep, memory_skip(run, last->v));
}
