/* gradients.c: gradients of one cell: a recorded run that ends with the weights of its layer,
 * and a backward pass from the cell. */
#include "posviz/analysis/gradients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/base/rng.h"
#include "posviz/model/record.h"

/* Data for computing the gradients, freed with the arena. */
struct recorded {
	const struct built *b;
	const struct trace *trace;
	const struct gradients_of *of;
	struct arena arena;
	struct tape tape;
	struct run *run;
	struct node *cell;
};

/* ---- the cell -------------------------------------------------------------------------------- */

static size_t steps_of(const struct recorded *r)
{
	return r->b->model.n_steps;
}

static bool is_selected(size_t i, size_t wanted, size_t all)
{
	return wanted == all || i == wanted;
}

static bool is_allowed(const struct trace_head *head, const struct recorded *r)
{
	return !head->mask || head->mask[r->of->query * r->trace->key.n + r->of->key];
}

/* Returns whether a head counts in the mean. For logits only heads that do not mask the cell
 * count, unless all do; for weights all count (heads.c). */
static bool counts_in_mean(const struct recorded *r, size_t step, size_t head, bool any_allowed)
{
	return !r->of->logit || !any_allowed || is_allowed(&r->trace->layers[step].heads[head], r);
}

static struct node *cell_of(struct recorded *r, size_t step, size_t head)
{
	struct node *const m = r->of->logit ? run_logits_node(r->run, step, head)
					    : run_weights_node(r->run, step, head);
	const size_t row = r->of->query + r->trace->memory, col = r->of->key;
	if (!m || row >= m->v.rows || col >= m->v.cols)
		return NULL;
	return tape_slice(&r->tape, m, row, 1, col, 1);
}

/* Returns the mean of the cell over the chosen heads and layers; NULL: none has it. */
static struct node *mean_cell(struct recorded *r)
{
	const size_t heads = r->b->model.config.heads;
	const bool any = is_allowed(&r->trace->layers[r->of->layer].heads[r->of->head], r);
	struct node *sum = NULL;
	size_t n = 0;
	for (size_t l = 0; l < steps_of(r); l++)
		for (size_t h = 0; h < heads; h++) {
			struct node *cell = NULL;
			if (is_selected(l, r->of->layer, steps_of(r)) &&
			    is_selected(h, r->of->head, heads) && counts_in_mean(r, l, h, any))
				cell = cell_of(r, l, h);
			if (!cell)
				continue;
			sum = sum ? tape_add(&r->tape, sum, cell) : cell;
			n++;
		}
	return n > 1 ? tape_scale(&r->tape, sum, 1 / (double)n) : sum;
}

/* ---- recording ------------------------------------------------------------------------------- */

static struct record record_of(const struct recorded *r)
{
	const size_t steps = steps_of(r), heads = r->b->model.config.heads;
	return (struct record){.step = (long)(r->of->layer == steps ? steps - 1 : r->of->layer),
			       .head = r->of->head == heads ? -1 : (long)r->of->head,
			       .inputs = true,
			       .bounded = true,
			       .watch = r->of->watch};
}

static const char *too_large(const struct recorded *r, const struct record *what, struct arena *a)
{
	const struct model *const model = &r->b->model;
	const size_t need = model_record_estimate(model, &r->b->model_input, what);
	const size_t limit = model->config.memory;
	return limit == 0 || need <= limit
		       ? NULL
		       : arena_printf(
				 a,
				 "its gradients need about %.0f MB, above the limit of %.0f MB; "
				 "shorten the input, take layer 1, or raise memory",
				 (double)need / 1e6, (double)limit / 1e6);
}

static const char *record(struct recorded *r, struct arena *a)
{
	const struct record what = record_of(r);
	const char *const large = too_large(r, &what, a);
	struct err err = {""};
	if (large)
		return large;
	tape_init(&r->tape, &r->arena, true);
	if (!model_record_part(&r->b->model, &r->b->model_input, &what, &r->tape, &r->run, &err))
		return arena_strdup(a, err.text);
	r->cell = mean_cell(r);
	if (!r->cell)
		return r->of->logit ? "there are no logits: the weights are given directly"
				    : "there is no such weight";
	return NULL;
}

/* ---- gradients of inputs
 * ------------------------------------------------------------------------ */

static const struct axis *units_of(const struct trace *trace)
{
	return trace->memory ? &trace->key : &trace->query;
}

/* Returns the row of the trace for a token of the input: tokens are matched by place, inserted
 * ones by label; SIZE_MAX: it was removed. */
static size_t unit_row(const struct axis *in, const struct axis *units, size_t i)
{
	size_t same = 0;
	for (size_t k = 0; k < i; k++)
		same += in->token[k] < 0 && strcmp(in->labels[k], in->labels[i]) == 0;
	for (size_t k = 0; k < units->n; k++) {
		if (in->token[i] >= 0
			    ? units->token[k] == in->token[i]
			    : units->token[k] < 0 && strcmp(units->labels[k], in->labels[i]) == 0 &&
				      same-- == 0)
			return k;
	}
	return SIZE_MAX;
}

/* Returns the rows in the order of the trace's tokens; 0 for tokens that the input lacks. */
static struct mat reorder_rows(const struct recorded *r, struct mat m, struct arena *a)
{
	const struct axis *const in = &r->b->model_input.axis, *const units = units_of(r->trace);
	const struct mat out = mat_zero(a, units->n, m.cols);
	for (size_t i = 0; i < m.rows; i++) {
		const size_t row = m.rows == units->n ? i : unit_row(in, units, i);
		if (row != SIZE_MAX)
			memcpy(mat_row(out, row), mat_row(m, i), m.cols * sizeof(double));
	}
	return out;
}

/* Computes norms and gradient × input for each row; if the shape of `input` differs, or at is
 * NULL, it is not known. */
static void measure_rows(struct gradient *g, struct mat input, struct arena *a)
{
	const struct mat m = g->at;
	const bool known = input.at && input.rows == m.rows && input.cols == m.cols;
	g->norm = mat_norm(m);
	g->saliency = arena_calloc(a, m.rows + 1, sizeof *g->saliency);
	g->input = arena_calloc(a, m.rows + 1, sizeof *g->input);
	for (size_t t = 0; t < m.rows; t++) {
		g->saliency[t] = mat_norm(mat_rows(m, t, 1));
		g->input[t] = known ? 0 : NAN;
		for (size_t j = 0; known && j < m.cols; j++)
			g->input[t] += mat_row(m, t)[j] * mat_row(input, t)[j];
	}
}

static void find_put_in(const struct recorded *r, struct arena *a, struct gradients *out)
{
	const struct axis *const in = &r->b->model_input.axis, *const units = units_of(r->trace);
	if (in->n == units->n)
		return;
	bool *const put_in = arena_alloc(a, units->n * sizeof *put_in);
	memset(put_in, true, units->n * sizeof *put_in);
	for (size_t i = 0; i < in->n; i++) {
		const size_t row = unit_row(in, units, i);
		if (row != SIZE_MAX)
			put_in[row] = false;
	}
	out->put_in = put_in;
}

static void find_unit(const struct recorded *r, struct arena *a, struct gradient *out)
{
	const struct node *const units = run_unit_node(r->run);
	*out = (struct gradient){.at = reorder_rows(r, units->g, a)};
	measure_rows(out, reorder_rows(r, units->v, a), a);
	if (!(out->norm > 0))
		out->why = "it does not depend on the token vectors";
}

/* Returns the position vectors; if they have columns of their own, only these, the last `cols`. */
static struct mat vectors_of(const struct trace *trace, size_t cols)
{
	const struct mat v = trace->position_vectors;
	return v.at && v.cols > cols ? mat_cols(v, v.cols - cols, cols) : v;
}

static const char *no_vectors(const struct recorded *r)
{
	for (size_t i = 0; i < r->b->n_members; i++)
		if (r->b->members[i].hooks->embed)
			return "positions and tokens are made into one: there are no vectors of "
			       "positions apart from them";
	return "no position vectors are added to the token vectors";
}

static void find_position(const struct recorded *r, struct arena *a, struct gradient *out)
{
	const struct node *const position = run_position_node(r->run);
	*out = (struct gradient){.why = position ? NULL : no_vectors(r)};
	if (!position)
		return;
	out->at = mat_copy(a, position->g);
	measure_rows(out, vectors_of(r->trace, position->v.cols), a);
	if (!(out->norm > 0))
		out->why = "it does not depend on the position vectors";
}

static int longest_first(const void *x, const void *y)
{
	const struct gradient_leaf *const p = x, *const q = y;
	return p->norm < q->norm ? 1 : p->norm > q->norm ? -1 : p->leaf < q->leaf ? -1 : 1;
}

static void find_leaves(const struct recorded *r, struct arena *a, struct gradients *out)
{
	const struct model *const model = &r->b->model;
	out->leaves = arena_calloc(a, model->n_leaves + 1, sizeof *out->leaves);
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct node *const node = run_leaf_node(r->run, &model->leaves[i]);
		const double norm = node && node->g.at ? mat_norm(node->g) : 0;
		if (norm > 0)
			out->leaves[out->n_leaves++] = (struct gradient_leaf){
				&model->leaves[i], mat_copy(a, node->g), norm};
	}
	qsort(out->leaves, out->n_leaves, sizeof *out->leaves, longest_first);
}

/* ---- everything ------------------------------------------------------------------------------ */

static size_t allowed_in_row(const struct recorded *r)
{
	const struct trace_head *const head = &r->trace->layers[r->of->layer].heads[r->of->head];
	const size_t n = r->trace->key.n;
	size_t allowed = 0;
	for (size_t s = 0; s < n; s++)
		allowed += !head->mask || head->mask[r->of->query * n + s];
	return allowed;
}

static const char *reason_for_none(const struct recorded *r, const struct gradients *g)
{
	if (g->unit.norm > 0 || g->position.norm > 0 || g->n_leaves > 0)
		return NULL;
	if (!r->of->logit && allowed_in_row(r) == 1)
		return "this is the only key that the query sees: its weight stays 1";
	return "its gradient is 0 everywhere: nothing that is read or learned changes it here";
}

static double compare(const struct gradients *g)
{
	const struct mat u = g->unit.at, p = g->position.at;
	const bool same = u.at && p.at && u.rows == p.rows && u.cols == p.cols;
	return same && !g->unit.why && !g->position.why ? mat_max_abs_diff(u, p) : NAN;
}

static const char *hidden(const struct recorded *r)
{
	const struct trace_head *const head = &r->trace->layers[r->of->layer].heads[r->of->head];
	return r->of->logit || is_allowed(head, r)
		       ? NULL
		       : "the mask hides this key from this query: its weight stays 0";
}

static void read_all(struct recorded *r, struct arena *a, struct gradients *out)
{
	out->value = r->cell->v.at[0];
	tape_backward(&r->tape, r->cell, NULL);
	find_unit(r, a, &out->unit);
	find_put_in(r, a, out);
	find_position(r, a, &out->position);
	find_leaves(r, a, out);
	out->why = reason_for_none(r, out);
	out->apart = compare(out);
}

void gradients_make(const struct built *b, const struct trace *trace, const struct gradients_of *of,
		    struct arena *a, struct gradients *out)
{
	struct recorded r = {.b = b, .trace = trace, .of = of};
	*out = (struct gradients){.value = NAN, .apart = NAN};
	out->why = hidden(&r);
	if (out->why) {
		out->value = 0;
		return;
	}
	arena_init(&r.arena);
	out->why = record(&r, a);
	if (!out->why)
		read_all(&r, a, out);
	arena_release(&r.arena);
}

/* ---- finite differences
 * -------------------------------------------------------------------------- */

/* Returns the cell's value in an ordinary run; NaN: it cannot be run. */
static double cell_value(const struct recorded *r, const struct model_input *in,
			 struct cache *cache)
{
	const size_t steps = steps_of(r), heads = r->b->model.config.heads;
	const bool layers = r->of->layer == steps, mean = r->of->head == heads;
	const struct want want = {.kinds = (r->of->logit ? WANT_LOGITS : WANT_WEIGHTS) | WANT_MASK,
				  .layer = layers ? -1 : (long)r->of->layer,
				  .head = mean ? -1 : (long)r->of->head};
	struct arena a;
	struct trace trace;
	struct err err = {""};
	double value = NAN;
	arena_init(&a);
	if (built_run(r->b, in, &want, cache, r->of->watch, &a, &trace, &err)) {
		if (layers || mean)
			trace_mean(&trace, heads, r->of->layer, r->of->head, &a);
		const struct trace_head *const h = &trace.layers[r->of->layer].heads[r->of->head];
		const struct mat m = r->of->logit ? h->logits : h->weights;
		value = m.at ? mat_row(m, r->of->query)[r->of->key] : NAN;
	}
	arena_release(&a);
	return value;
}

/* Draws a direction of unit length. */
static struct mat draw_direction(size_t rows, size_t cols, uint64_t seed, struct arena *a)
{
	struct rng rng;
	const struct mat m = mat_new(a, rows, cols);
	rng_init_name(&rng, seed, "direction");
	mat_fill_normal(m, 1, &rng);
	const double length = mat_norm(m);
	for (size_t i = 0; length > 0 && i < rows * cols; i++)
		m.at[i] /= length;
	return m;
}

static struct mat moved_input(struct mat from, struct mat direction, double h, struct arena *a)
{
	const struct mat m =
		from.at ? mat_copy(a, from) : mat_zero(a, direction.rows, direction.cols);
	for (size_t t = 0; t < m.rows; t++)
		for (size_t j = 0; j < m.cols; j++)
			mat_row(m, t)[j] += h * mat_row(direction, t)[j];
	return m;
}

static double moved_cell(const struct recorded *r, bool position, struct mat direction, double h,
			 struct cache *cache)
{
	struct model_input in = r->b->model_input;
	struct arena a;
	arena_init(&a);
	if (position)
		in.nudge = moved_input((struct mat){0}, direction, h, &a);
	else
		in.units = moved_input(in.units, direction, h, &a);
	const double value = cell_value(r, &in, cache);
	arena_release(&a);
	return value;
}

/* Returns the slope from two step sizes, with an error of fourth order; NaN if the two disagree:
 * for instance a word that a scheme recognises by its vector changes. */
static double difference(const struct recorded *r, bool position, struct mat direction, double norm,
			 struct cache *cache)
{
	static const double h = 1e-3, rough = 0.01;
	double by[2];
	for (size_t i = 0; i < 2; i++) {
		const double at = h * (double)(i + 1);
		by[i] = (moved_cell(r, position, direction, at, cache) -
			 moved_cell(r, position, direction, -at, cache)) /
			(2 * at);
	}
	return fabs(by[1] - by[0]) <= rough * norm ? (4 * by[0] - by[1]) / 3 : NAN;
}

static struct slope slope(const struct recorded *r, bool position, const struct gradient *g,
			  struct cache *cache)
{
	struct slope out = {NAN, NAN};
	struct arena a;
	if (g->why)
		return out;
	arena_init(&a);
	const size_t rows = position ? g->at.rows : r->b->model_input.axis.n;
	const struct mat u = draw_direction(rows, g->at.cols, r->b->model.config.seed, &a);
	out.analytic = mat_dot(g->at, position ? u : reorder_rows(r, u, &a));
	out.numeric = difference(r, position, u, g->norm, cache);
	arena_release(&a);
	return out;
}

struct slope gradients_slope_unit(const struct built *b, const struct trace *trace,
				  const struct gradients_of *of, const struct gradients *g,
				  struct cache *cache)
{
	const struct recorded r = {.b = b, .trace = trace, .of = of};
	return slope(&r, false, &g->unit, cache);
}

struct slope gradients_slope_position(const struct built *b, const struct trace *trace,
				      const struct gradients_of *of, const struct gradients *g,
				      struct cache *cache)
{
	const struct recorded r = {.b = b, .trace = trace, .of = of};
	return slope(&r, true, &g->position, cache);
}
