/* measure.c: what a model knows of order, measured by evaluating it again.
 *
 * T is the last layer's output. Equivariance: ‖P·T(X) − T(P·X)‖ / ‖T(X)‖ (the survey's §2.3 writes
 * the equation and calls it invariance); invariance: the same of the mean over tokens. Shift moves a
 * position column, insertion puts tokens in front: different things, named apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/num.h"

/* Below this a number is rounding: shown as "0 (4e-16)". */
static const double zero_level = 1e-9;

struct context {
	const struct setup *setup;
	const struct built *b;
	struct cache *cache;
	struct watch *watch;
	struct arena *a; /* scratch, rewound between evaluations */
	struct mat base; /* T(X) of the tokens as they stand */
	double base_norm;
	const struct progress *progress;
	double done, all; /* head evaluations */
};

static void advance(struct context *c, size_t heads)
{
	c->done += (double)heads;
	if (c->progress)
		c->progress->tell(c->progress->context, c->done < c->all ? c->done / c->all : 1);
}

/* The head evaluations that measure_all makes when nothing is n/a. */
static double head_evaluations(const struct built *b)
{
	const size_t heads = b->model.config.heads, prefix = expr_is_causal(&b->expr);
	const size_t whole = 2 + MEASURE_SHUFFLES * (1 + prefix), compared = 3;
	return (double)(whole * heads * b->model.n_steps + compared * 2 * heads);
}

static struct measure number(double value)
{
	return (struct measure){.there = true, .value = value};
}

static struct measure absent(const char *why)
{
	return (struct measure){.why = why};
}

static bool output_of(struct context *c, const struct input *tokens, struct trace *trace,
		      struct err *err)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct model_input in;
	built_input(c->setup, c->b, tokens, c->a, &in);
	const bool ok = built_run(c->b, &in, &want, c->cache, c->watch, c->a, trace, err);
	advance(c, c->b->model.config.heads * c->b->model.n_steps);
	return ok;
}

static struct mat last_output(const struct trace *trace)
{
	return trace->layers[trace->n_layers - 1].output;
}

static bool all_equal(const struct input *in)
{
	const struct token *first = NULL;
	for (size_t i = 0; i < in->n; i++) {
		const struct token *t = &in->tokens[i];
		if (t->special)
			continue;
		if (first && (t->len != first->len || memcmp(t->text, first->text, t->len) != 0))
			return false;
		first = t;
	}
	return true;
}

/* Which unit of the run holds the i-th moving token, by its place in the text as written. Units that
 * a hook inserted have token -1 and stay where they are. */
static size_t *units_by_place(const struct axis *axis, size_t places, struct arena *a)
{
	size_t *at = arena_calloc(a, places, sizeof *at);
	for (size_t i = 0; i < axis->n; i++)
		if (axis->token[i] >= 0)
			at[axis->token[i]] = i;
	return at;
}

/* Compares T of the permuted tokens with the permuted T: row by row through the token's place, which
 * is what P does; units without a token are compared where they stand. */
static void compare_outputs(const struct context *c, const struct trace *base,
			    const struct trace *moved, double *equivariance, double *invariance)
{
	const struct mat x = c->base, y = last_output(moved);
	const size_t places = c->b->written.moving;
	const size_t *from = units_by_place(&base->query, places, c->a);
	double off = 0, mean_off = 0, mean_norm = 0;
	for (size_t i = 0; i < y.rows; i++) {
		const long token = moved->query.token[i];
		const double *want = mat_row(x, token >= 0 ? from[token] : i);
		for (size_t k = 0; k < y.cols; k++)
			off += (mat_row(y, i)[k] - want[k]) * (mat_row(y, i)[k] - want[k]);
	}
	for (size_t k = 0; k < y.cols; k++) {
		double before = 0, after = 0;
		for (size_t i = 0; i < y.rows; i++) {
			before += mat_row(x, i)[k] / (double)x.rows;
			after += mat_row(y, i)[k] / (double)y.rows;
		}
		mean_off += (before - after) * (before - after);
		mean_norm += before * before;
	}
	*equivariance = c->base_norm > 0 ? sqrt(off) / c->base_norm : 0;
	/* The mean of LayerNorm-ed rows can be tiny; it is measured against a typical row then. */
	const double row = c->base_norm / sqrt((double)x.rows);
	*invariance = sqrt(mean_off) / fmax(sqrt(mean_norm), 1e-3 * row);
}

static bool measure_order(struct context *c, const struct trace *base, const size_t *order,
			  double *equivariance, double *invariance, struct err *err)
{
	const struct arena_mark mark = arena_mark(c->a);
	struct input moved;
	struct trace trace;
	input_permute(&moved, &c->b->written, order, c->a);
	const bool ok = output_of(c, &moved, &trace, err);
	if (ok)
		compare_outputs(c, base, &trace, equivariance, invariance);
	arena_rewind(c->a, mark);
	return ok;
}

static bool measure_shuffles(struct context *c, const struct trace *base, struct measures *out,
			     struct err *err)
{
	const size_t n = c->b->written.moving;
	if (n < 2 || all_equal(&c->b->written)) {
		const char *why = n < 2 ? "n/a: one token" : "n/a: all tokens are equal";
		out->equivariance = out->invariance = out->own_order = absent(why);
		return true;
	}
	size_t *order = arena_calloc(c->a, n, sizeof *order);
	double equivariance = 0, invariance = 0;
	for (size_t k = 0; k < MEASURE_SHUFFLES; k++) {
		struct rng rng;
		char name[32];
		snprintf(name, sizeof name, "shuffle %zu", k);
		rng_init_name(&rng, c->setup->seed, name);
		for (size_t i = 0; i < n; i++)
			order[i] = i;
		rng_shuffle(&rng, order, n);
		double e, v;
		if (!measure_order(c, base, order, &e, &v, err))
			return false;
		equivariance += e / MEASURE_SHUFFLES;
		invariance += v / MEASURE_SHUFFLES;
	}
	out->equivariance = number(equivariance);
	out->invariance = number(invariance);
	double e, v;
	if (!measure_order(c, base, c->b->order, &e, &v, err))
		return false;
	out->own_order = number(e);
	return true;
}

/* ---- prefix order --------------------------------------------------------------------------- */

static bool measure_prefix(struct context *c, const struct trace *base, struct measures *out,
			   struct err *err)
{
	const size_t n = c->b->written.moving;
	if (!expr_is_causal(&c->b->expr) || n < 3)
		return true;
	out->n_prefix = base->n_layers < MODEL_MAX_LAYERS ? base->n_layers : MODEL_MAX_LAYERS;
	size_t *order = arena_calloc(c->a, n, sizeof *order);
	double off[MODEL_MAX_LAYERS] = {0};
	for (size_t k = 0; k < MEASURE_SHUFFLES; k++) {
		struct rng rng;
		char name[32];
		snprintf(name, sizeof name, "prefix %zu", k);
		rng_init_name(&rng, c->setup->seed, name);
		for (size_t i = 0; i < n; i++)
			order[i] = i;
		rng_shuffle(&rng, order, n - 1);
		const struct arena_mark mark = arena_mark(c->a);
		struct input moved;
		struct trace trace;
		input_permute(&moved, &c->b->written, order, c->a);
		if (!output_of(c, &moved, &trace, err))
			return false;
		for (size_t l = 0; l < out->n_prefix; l++) {
			const struct mat x = base->layers[l].output, y = trace.layers[l].output;
			const struct mat from = mat_rows(x, x.rows - 1, 1);
			const struct mat to = mat_rows(y, y.rows - 1, 1);
			double sum = 0;
			for (size_t i = 0; i < x.cols; i++)
				sum += (from.at[i] - to.at[i]) * (from.at[i] - to.at[i]);
			off[l] += sqrt(sum) / fmax(mat_norm(from), 1e-300) / MEASURE_SHUFFLES;
		}
		arena_rewind(c->a, mark);
	}
	for (size_t l = 0; l < out->n_prefix; l++)
		out->prefix[l] = number(off[l]);
	return true;
}

/* ---- shift and insertion --------------------------------------------------------------------- */

struct change {
	double off, norm;
};

static double change_of(struct change c)
{
	return c.norm > 0 ? sqrt(c.off / c.norm) : 0;
}

/* Adds what differs between the blocks of two matrices, the second one starting at (skip, skip). */
static void add_change(struct change *c, struct mat x, struct mat y, size_t skip)
{
	for (size_t t = 0; t < x.rows; t++) {
		for (size_t s = 0; s < x.cols; s++) {
			const double u = mat_row(x, t)[s], v = mat_row(y, t + skip)[s + skip];
			c->off += (u - v) * (u - v);
			c->norm += u * u;
		}
	}
}

/* Columns of positions that members of the expression read. */
static const char *shifted_column(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (strcmp(b->members[i].pos, "seq") != 0)
			return b->members[i].pos;
	return "seq";
}

/* What a shift is looked for in: the logits, or the weights where heads have no logits. */
static unsigned scores_of(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->no_logits)
			return WANT_WEIGHTS;
	return WANT_LOGITS;
}

static struct mat scores(const struct trace *trace, unsigned kind, size_t head)
{
	const struct trace_head *at = &trace->layers[0].heads[head];
	return kind == WANT_LOGITS ? at->logits : at->weights;
}

/* How the first layer's scores of two inputs differ, head by head, so that two matrices are alive and
 * not twice as many as there are heads. The second input's block starts at (skip, skip). */
struct comparison {
	struct change change;
	bool constant; /* the first input's scores are the same everywhere */
	const char *refused;
};

static bool is_constant(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return hi - lo <= 1e-9 * fmax(1, fmax(fabs(lo), fabs(hi)));
}

/* Why an input that lies further, or is longer, was refused. */
static const char *refusal(const struct built *b, const struct model_input *in)
{
	const double last = (double)in->axis.n - 1 + in->shift_by;
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units > 0)
			return "n/a: beyond the file's positions";
	return last >= (double)b->model.config.t_max ? "n/a: positions beyond t-max"
						     : "n/a: positions that it refuses";
}

static bool compare_head(const struct context *c, const struct built *b,
			 const struct model_input *in, const struct model_input *other, size_t head,
			 size_t skip, struct comparison *out, struct err *err)
{
	const struct want want = {.kinds = scores_of(b), .layer = 0, .head = (long)head};
	struct trace x, y;
	struct err refused = {""};
	if (!built_run(b, in, &want, c->cache, c->watch, c->a, &x, err))
		return false;
	if (skip > 0 && x.query.n + x.memory != in->axis.n)
		out->refused = "n/a: units are inserted";
	else if (!built_run(b, other, &want, c->cache, c->watch, c->a, &y, &refused))
		out->refused = refusal(b, other);
	else if (skip > 0 && (x.key.n != x.query.n || y.key.n != x.key.n + skip))
		out->refused = "n/a: the keys are not the units";
	if (out->refused)
		return false;
	const struct mat m = scores(&x, want.kinds, head);
	out->constant &= is_constant(m);
	add_change(&out->change, m, scores(&y, want.kinds, head), skip);
	return true;
}

static struct measure compare(struct context *c, const struct built *b,
			      const struct model_input *in, const struct model_input *other,
			      size_t skip, struct comparison *out)
{
	*out = (struct comparison){.constant = true};
	struct err err = {""};
	for (size_t h = 0; h < b->model.config.heads; h++) {
		const struct arena_mark mark = arena_mark(c->a);
		const bool ok = compare_head(c, b, in, other, h, skip, out, &err);
		arena_rewind(c->a, mark);
		advance(c, 2);
		if (!ok)
			return absent(out->refused ? out->refused : "n/a: not computed");
	}
	return number(change_of(out->change));
}

/* The change of the first layer's scores when the position column moves. When the model refuses the larger
 * positions the other direction is not tried: the error is the answer. */
static struct measure shift_with(struct context *c, const struct setup *setup, double by,
				 bool probe, bool *constant)
{
	const struct arena_mark mark = arena_mark(c->a);
	struct measure out = absent("n/a");
	struct built b;
	if (setup_build(setup, c->a, &b, NULL)) {
		struct model_input in = b.model_input;
		if (probe) {
			in.units = mat_new(c->a, in.axis.n, b.model.config.d);
			mat_fill(in.units, 1);
		}
		struct model_input moved = in;
		moved.shift_column = shifted_column(&b);
		moved.shift_by = by;
		struct comparison comparison;
		out = compare(c, &b, &in, &moved, 0, &comparison);
		if (constant)
			*constant = comparison.constant;
	}
	arena_rewind(c->a, mark);
	return out;
}

static bool insert_front(const struct input *in, size_t k, struct arena *a, struct input *out)
{
	if (in->n + k > INPUT_MAX_TOKENS)
		return false;
	*out = *in;
	out->n += k;
	out->moving += k;
	out->tokens = arena_calloc(a, out->n, sizeof *out->tokens);
	for (size_t i = 0; i < out->n; i++) {
		const bool fresh = i < k;
		out->tokens[i] =
			fresh ? (struct token){.text = "…", .len = strlen("…"), .label = "…"}
			      : in->tokens[i - k];
		out->tokens[i].place = fresh ? in->moving + i : out->tokens[i].place;
		out->tokens[i].word += fresh ? 0 : k;
	}
	return true;
}

static struct measure insertion(struct context *c)
{
	const struct arena_mark mark = arena_mark(c->a);
	struct measure out = absent("n/a: too long");
	struct input longer;
	struct comparison comparison;
	struct model_input in;
	if (*c->setup->units) {
		out = absent("n/a: units are given");
	} else if (c->b->structure) {
		out = absent("n/a: inserted tokens have no node");
	} else if (c->b->reorder) {
		out = absent("n/a: inserted tokens have no re-ordering");
	} else if (c->b->position_ids) {
		out = absent("n/a: position ids are given");
	} else if (strcmp(c->setup->segments, "none") != 0) {
		out = absent("n/a: segments are given");
	} else if (c->setup->memory_tokens > 0) {
		out = absent("n/a: a memory stands in front");
	} else if (insert_front(&c->b->input, MEASURE_INSERT, c->a, &longer)) {
		built_input(c->setup, c->b, &longer, c->a, &in);
		out = compare(c, c->b, &c->b->model_input, &in, MEASURE_INSERT, &comparison);
	}
	arena_rewind(c->a, mark);
	return out;
}

/* ---- all of them ------------------------------------------------------------------------------ */

static double printed_count(const struct built *b)
{
	double sum = NAN;
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr_member *m = &b->expr.members[i];
		const char *const printed = m->scheme->count_printed;
		if (printed != NULL) {
			const double n =
				scheme_value(m->scheme, m->param, &b->model.config, printed);
			sum = isnan(sum) ? n : sum + n;
		}
	}
	return sum;
}

static bool measure_all(struct context *c, struct measures *out, struct err *err)
{
	struct trace base;
	if (!output_of(c, &c->b->written, &base, err))
		return false;
	c->base = last_output(&base);
	c->base_norm = mat_norm(c->base);
	if (!measure_shuffles(c, &base, out, err) || !measure_prefix(c, &base, out, err))
		return false;
	struct setup random = *c->setup;
	random.proj = PROJ_RANDOM;
	out->shift = shift_with(c, c->setup, MEASURE_SHIFT, true, &out->constant_bias);
	out->shift_random = shift_with(c, &random, MEASURE_SHIFT, false, NULL);
	out->insertion = insertion(c);
	return !watch_cancelled(c->watch) || err_set(err, "cancelled");
}

bool analysis_measure_built(const struct setup *setup, const struct built *b, struct cache *cache,
			    struct watch *watch, const struct progress *progress,
			    struct measures *out, struct err *err)
{
	struct arena scratch;
	struct context c = {.setup = setup,
			    .b = b,
			    .cache = cache,
			    .watch = watch,
			    .a = &scratch,
			    .progress = progress,
			    .all = head_evaluations(b)};
	*out = (struct measures){.count_printed = printed_count(b),
				 .count_made = model_position_parameters(&b->model)};
	arena_init(&scratch);
	const bool ok = measure_all(&c, out, err);
	arena_release(&scratch);
	return ok;
}

bool analysis_measure(const struct setup *setup, struct cache *cache, struct watch *watch,
		      const struct progress *progress, struct measures *out, struct err *err)
{
	struct arena scratch;
	struct built b;
	*out = (struct measures){0};
	arena_init(&scratch);
	const bool ok = setup_build(setup, &scratch, &b, err) &&
			analysis_measure_built(setup, &b, cache, watch, progress, out, err);
	arena_release(&scratch);
	return ok;
}

double measure_shift(const struct setup *setup, double by, struct watch *watch)
{
	struct arena scratch;
	arena_init(&scratch);
	struct context c = {.setup = setup, .watch = watch, .a = &scratch};
	const struct measure moved = shift_with(&c, setup, by, true, NULL);
	arena_release(&scratch);
	return moved.there ? moved.value : NAN;
}

const char *measure_show_value(double value, struct arena *a)
{
	char text[32];
	if (value >= zero_level)
		return arena_strdup(a, num_show(text, sizeof text, value, 2));
	return value > 0 ? arena_printf(a, "0 (%s)", num_show(text, sizeof text, value, 1)) : "0";
}

const char *measure_show(const struct measure *m, struct arena *a)
{
	return m->there ? measure_show_value(m->value, a) : m->why ? m->why : "…";
}
