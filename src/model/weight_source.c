/* weight_source.c: weights that a source brings, layer by layer: a trained model is larger than the
 * memory, and a layer of it is not. Recorded runs keep all of them. */
#include <math.h>

#include "model_in.h"

static const struct weight_source *source_of(const struct run *run)
{
	return run->model->given ? run->model->given->source : NULL;
}

static bool is_vector(enum weight which)
{
	return weight_rows[which].rows == SIZE_ONE;
}

/* Reads one weight: a vector into `weights`, a matrix into `turned`. */
static bool read_weight(struct run *run, struct arena *a, size_t layer, enum weight which,
			struct err *err)
{
	const struct weight_source *const s = source_of(run);
	struct run_private *const p = run->private;
	size_t rows, cols;
	if (!s->has(s, run->model->weights_of[layer], which))
		return true;
	weight_shape(run->model, which, &rows, &cols);
	const struct mat m = is_vector(which) ? mat_new(a, 1, cols) : mat_new(a, cols, rows);
	if (!s->read(s, run->model->weights_of[layer], which, m, err))
		return false;
	struct node *const at = tape_const(run->tape, m);
	if (is_vector(which))
		p->weights[layer][which] = at;
	else
		p->turned[layer][which] = at;
	return true;
}

static void forget(struct run_private *p)
{
	if (p->layer_read == 0)
		return;
	for (enum weight w = 0; w < EMBED_WEIGHT; w++)
		p->weights[p->layer_read - 1][w] = p->turned[p->layer_read - 1][w] = NULL;
	arena_clear(&p->layer_arena);
	p->layer_read = 0;
}

/* Returns whether the step uses only the weights in front of its heads. */
static bool ends_with_heads(const struct run *run)
{
	const struct run_private *const p = run->private;
	return p->probe_pass || record_ends(run) || !needs_context(run);
}

/* Returns whether a weight is made as a matrix beside a recorded run: for members that read
 * projections, for a trace that shows what heads write, and of a source that has no rows. */
static bool needs_matrix(const struct model *model, enum weight which, unsigned kinds)
{
	bool projections = false;
	for (size_t i = 0; i < model->n_members; i++)
		projections |= model->members[i].hooks->reads_weights;
	return !model->given->source->rows || (which <= W_V && projections) ||
	       ((which == W_O || which == CROSS_W_O) && kinds & WANT_WRITTEN);
}

bool weights_enter(struct run *run, struct err *err)
{
	struct run_private *const p = run->private;
	const bool recording = run->tape->recording;
	const bool few = ends_with_heads(run) && run->model->config.stack == STACK_ONE;
	if (!source_of(run))
		return true;
	if (!recording)
		forget(p);
	for (enum weight w = 0; w < EMBED_WEIGHT; w++) {
		const bool read = p->weights[run->layer][w] || p->turned[run->layer][w];
		const bool late = w >= W_O && w != LN1_WEIGHT && w != LN1_BIAS;
		if (run_cancelled(run))
			return err_set(err, "cancelled");
		const bool whole =
			is_vector(w) || recording || needs_matrix(run->model, w, p->want->kinds);
		if (!read && !(few && late) && whole &&
		    !read_weight(run, recording ? run->arena : &p->layer_arena, run->layer, w, err))
			return false;
	}
	if (!recording)
		p->layer_read = run->layer + 1;
	return true;
}

bool weights_aside(struct run *run, struct aside *aside)
{
	const bool forgets = !run->tape->recording && run->private->layer_read > 0;
	aside->serial = forgets ? run->tape : NULL;
	if (!forgets)
		return false;
	tape_init(&aside->own, &run->private->layer_arena, false);
	run->tape = &aside->own;
	return true;
}

void weights_back(struct run *run, struct aside *aside)
{
	if (!aside->serial)
		return;
	run->tape = aside->serial;
	tape_count_all(aside->serial, &aside->own);
}

bool weights_were_read(const struct run *run, struct err *err)
{
	const struct run_private *const p = run->private;
	return !p->unread || err_set(err, "%s", p->why_unread.text);
}

/* Weights of the model are those of every layer. */
bool weights_enter_model(struct run *run, struct err *err)
{
	struct run_private *const p = run->private;
	if (!source_of(run))
		return true;
	for (enum weight w = EMBED_WEIGHT; w < WEIGHT_COUNT; w++) {
		if (!read_weight(run, run->arena, 0, w, err))
			return false;
		for (size_t l = 1; l < run->model->config.layers; l++)
			p->weights[l][w] = p->weights[0][w];
	}
	return true;
}

/* Returns the numbers of the one expert that is there at a time. */
static double numbers_of_expert(const struct model *model)
{
	const struct model_config *const c = &model->config;
	return c->block.experts.n > 0 ? 3 * (double)c->d * (double)c->block.experts.width : 0;
}

static double numbers_of(const struct model *model, size_t layer)
{
	const struct weight_source *const s = model->given->source;
	double n = 0;
	for (enum weight w = 0; w < EMBED_WEIGHT; w++)
		n += s->has(s, layer, w) ? weight_numbers(model, w) : 0;
	return n;
}

/* First layers may be without experts, of which one is there at a time. */
double weights_of_layer(const struct model *model)
{
	const double first = numbers_of(model, 0);
	const double last = numbers_of(model, model->config.layers - 1);
	return fmax(first, last) + numbers_of_expert(model);
}

static double at_once(const struct model *model, size_t layer, size_t n, const struct want *want)
{
	const struct weight_source *const s = model->given->source;
	double whole = 0, most = numbers_of_expert(model);
	for (enum weight w = 0; w < EMBED_WEIGHT; w++) {
		if (!s->has(s, layer, w))
			continue;
		/* It is read, and turned for the member. */
		if (is_vector(w) || needs_matrix(model, w, want->kinds))
			whole += (is_vector(w) ? 1 : 2) * weight_numbers(model, w);
		else
			most = fmax(most, weight_stream_numbers(model, layer, w, n));
	}
	return whole + most;
}

double weights_at_once(const struct model *model, size_t n, const struct want *want)
{
	return fmax(at_once(model, 0, n, want), at_once(model, model->config.layers - 1, n, want));
}
