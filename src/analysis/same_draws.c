/* same_draws.c: a draw of token vectors, weights and learned numbers, on which both sides are run;
 * all results of both are compared. */
#include <math.h>
#include <stdio.h>

#include "same_in.h"

/* Returns the scores of a head: logits, or weights if there are none. */
static struct mat scores_of(const struct trace_head *head)
{
	return head->logits.at ? head->logits : head->weights;
}

/* ---- weights of a draw ---------------------------------------------------------------------- */

/* out[to_row[r]][to_col[c]] = m[r][c] */
static struct mat permute(struct mat m, const size_t *to_row, const size_t *to_col, struct arena *a)
{
	const struct mat out = mat_new(a, m.rows, m.cols);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(out, to_row ? to_row[r] : r)[to_col ? to_col[c] : c] =
				mat_row(m, r)[c];
	return out;
}

/* Returns the head's permutation extended to all columns of a [.., d] matrix of heads. */
static const size_t *all_heads(const size_t *channels, size_t dk, size_t heads, struct arena *a)
{
	size_t *to = arena_calloc(a, dk * heads, sizeof *to);
	for (size_t i = 0; i < dk * heads; i++)
		to[i] = i / dk * dk + channels[i % dk];
	return to;
}

struct numbering {
	const size_t *model, *head; /* [d]; head: for all heads, or for the key heads */
	bool values;		    /* head is for values too */
};

enum space { SPACE_MODEL, SPACE_QUERIES, SPACE_KEYS, SPACE_VALUES, SPACE_CONTEXT, SPACE_FREE };

static void add_weight(struct tensor_set *set, size_t layer, const char *base, struct mat m,
		       enum space rows, enum space cols, const struct numbering *to)
{
	/* Values of another width than the queries keep their numbering. */
	const size_t *const values = to->values ? to->head : NULL;
	const size_t *of[] = {to->model, to->head, to->head, values, values, NULL};
	char name[40];
	snprintf(name, sizeof name, "layer.%zu.%s", layer, base);
	tensor_set_add(set, name, permute(m, of[rows], of[cols], set->arena), false);
}

/* Draws the same weights for both sides, up to the permutation of channels. */
static void draw_weights(const struct model *model, size_t draw, const struct numbering *to,
			 struct tensor_set *set, struct arena *a)
{
	const struct model_config *const config = &model->config;
	static const struct {
		const char *name;
		enum space rows, cols;
	} list[] = {
		{"w_q", SPACE_MODEL, SPACE_QUERIES}, {"w_k", SPACE_MODEL, SPACE_KEYS},
		{"w_v", SPACE_MODEL, SPACE_VALUES},  {"w_o", SPACE_CONTEXT, SPACE_MODEL},
		{"w_ff1", SPACE_MODEL, SPACE_FREE},  {"w_ff2", SPACE_FREE, SPACE_MODEL},
	};
	const size_t sizes[] = {config->d,
				model->qk_width,
				model->kv_heads * model->dk,
				model->kv_heads * model->dv,
				model->v_width,
				config->ff};
	tensor_set_init(set, a);
	for (size_t layer = 0; layer < config->layers; layer++)
		for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
			const struct mat m = mat_new(a, sizes[list[i].rows], sizes[list[i].cols]);
			struct rng rng;
			char name[64];
			snprintf(name, sizeof name, "same.%zu.%zu.%s", draw, layer, list[i].name);
			rng_init_name(&rng, config->seed, name);
			mat_fill_normal(m, 1.5 / sqrt((double)m.rows), &rng);
			add_weight(set, layer, list[i].name, m, list[i].rows, list[i].cols, to);
		}
}

/* ---- comparing draws ------------------------------------------------------------------------ */

struct cell {
	size_t layer, head, t, s;
};

static void note_scores(struct same *out, struct attempt *at, struct cell cell, double x, double y)
{
	if (!(fabs(x - y) > at->scores))
		return;
	at->scores = fabs(x - y);
	out->layer = cell.layer + 1;
	out->head = cell.head + 1;
	out->row = cell.t + 1;
	out->col = cell.s + 1;
	out->first = x;
	out->second = y;
}

static bool allowed(const struct trace_head *head, size_t cell)
{
	return !head->mask || head->mask[cell];
}

static double variation(struct mat x, struct mat y)
{
	double sum = 0;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t s = 0; s < x.cols; s++)
			sum += fabs(mat_row(x, t)[s] - mat_row(y, t)[s]) / 2;
	return sum / (double)x.rows;
}

/* Compares two heads. False when the sizes or kinds of the matrices differ. */
static bool compare_head(struct same *out, struct attempt *at, size_t layer, size_t h,
			 const struct trace_head *x, const struct trace_head *y)
{
	const struct mat a = scores_of(x), b = scores_of(y);
	if (a.rows != b.rows || a.cols != b.cols)
		return false;
	const bool comparable = !x->logits.at == !y->logits.at;
	size_t only[2] = {0};
	for (size_t t = 0; t < a.rows; t++)
		for (size_t s = 0; s < a.cols; s++) {
			const bool one = allowed(x, t * a.cols + s),
				   two = allowed(y, t * a.cols + s);
			only[0] += one && !two;
			only[1] += two && !one;
			if (one && two && comparable)
				note_scores(out, at, (struct cell){layer, h, t, s},
					    mat_row(a, t)[s], mat_row(b, t)[s]);
		}
	if (layer == 0 && h == 0) {
		out->only_first = only[0];
		out->only_second = only[1];
	}
	out->score_name = x->logits.at ? "logits" : "weights";
	out->variation = fmax(out->variation, variation(x->weights, y->weights));
	at->weights = fmax(at->weights, mat_max_abs_diff(x->weights, y->weights));
	return true;
}

static double outputs_apart(struct mat x, struct mat y, const size_t *to)
{
	double most = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		return INFINITY;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t i = 0; i < x.cols; i++)
			most = fmax(most, fabs(mat_row(x, t)[i] - mat_row(y, t)[to[i]]));
	return most;
}

/* Returns ‖x − y‖ / max(‖x‖, ‖y‖). */
static double relative_difference(struct mat x, struct mat y, const size_t *to)
{
	double squares = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		return INFINITY;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t i = 0; i < x.cols; i++)
			squares += pow(mat_row(x, t)[i] - mat_row(y, t)[to[i]], 2);
	const double most = fmax(mat_norm(x), mat_norm(y));
	return most > 0 ? sqrt(squares) / most : 0;
}

static bool same_heads(const struct trace_layer *x, const struct trace_layer *y, size_t heads)
{
	for (size_t h = 0; h < heads; h++) {
		const struct mat a = x->heads[h].weights, b = y->heads[h].weights;
		if (a.rows != b.rows || a.cols != b.cols ||
		    !(mat_max_abs_diff(a, b) <= same_tolerance))
			return false;
	}
	return true;
}

/* Finds the first step with a difference, and notes whether its weights are the same. */
static void find_first(struct attempt *at, size_t heads, const struct trace *x,
		       const struct trace *y)
{
	at->draws++;
	for (size_t l = 0; l < x->n_layers && l < y->n_layers; l++) {
		const struct mat a = x->layers[l].output, b = y->layers[l].output;
		if (!same_heads(&x->layers[l], &y->layers[l], heads))
			return;
		if (outputs_apart(a, b, at->model) <= same_tolerance)
			continue;
		at->relative = fmax(at->relative, relative_difference(a, b, at->model));
		at->step = l;
		at->written++;
		return;
	}
}

static void compare_traces(struct same *out, struct attempt *at, const struct trace *x,
			   const struct trace *y)
{
	bool alike = x->n_layers == y->n_layers;
	for (size_t layer = 0; layer < x->n_layers && alike; layer++)
		for (size_t h = 0; h < out->heads && alike; h++)
			alike = compare_head(out, at, layer, h, &x->layers[layer].heads[h],
					     &y->layers[layer].heads[h]);
	if (!alike)
		at->scores = at->weights = INFINITY;
	find_first(at, out->heads, x, y);
	at->outputs =
		fmax(at->outputs, outputs_apart(x->layers[x->n_layers - 1].output,
						y->layers[y->n_layers - 1].output, at->model));
}

bool draw_run(struct comparison *c, struct attempt *at, size_t draw, const struct forms *forms)
{
	const struct model *model = &c->side[0].b.model;
	const struct model_config *config = &model->config;
	const struct want want = {.kinds = WANT_QKV | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
					   WANT_OUTPUT,
				  .layer = -1,
				  .head = -1};
	struct arena a;
	arena_init(&a);
	const struct mat units = mat_new(&a, c->side[0].b.model_input.units.rows, config->d);
	struct rng rng;
	rng_init_name(&rng, config->seed + draw, "same.units");
	mat_fill_normal(units, 1, &rng);
	const struct numbering as_is = {0};
	const struct numbering to = {at->model, all_heads(at->head, model->dk, config->heads, &a),
				     model->dk == model->dv};
	struct tensor_set weights[2];
	struct trace trace[2];
	draw_weights(model, draw, &as_is, &weights[0], &a);
	draw_weights(model, draw, &to, &weights[1], &a);
	const struct model_input in[] = {side_input(c, 0, units),
					 side_input(c, 1, permute(units, NULL, at->model, &a))};
	const bool ok = side_run(c, 0, &weights[0], &in[0], &want, &a, &trace[0]) &&
			side_run(c, 1, &weights[1], &in[1], &want, &a, &trace[1]);
	if (ok)
		compare_traces(c->out, at, &trace[0], &trace[1]);
	if (ok && forms)
		c->out->affine = fmax(c->out->affine, forms_foretell(forms, &trace[0]));
	arena_release(&a);
	return ok;
}

bool draw_is_same(const struct attempt *at)
{
	return at->weights <= same_tolerance && at->outputs <= same_tolerance;
}

bool draw_is_written(const struct attempt *at, const struct same *s)
{
	return at->draws > 0 && at->written == at->draws && isfinite(at->relative) &&
	       !s->only_first && !s->only_second;
}
