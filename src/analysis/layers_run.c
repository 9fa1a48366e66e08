/* layers_run.c: evaluations of other words, and of the scene's own in other orders; see
 * layers.h. */
#include <math.h>
#include <string.h>

#include "layers_in.h"
#include "posviz/math/machine.h"

/* ---- inputs
 * ----------------------------------------------------------------------------------------- */

static struct mat drawn_words(const struct layers_of *of, struct arena *a)
{
	const char *text[LAYERS_WORDS];
	size_t len[LAYERS_WORDS];
	if (of->built->given_units.at)
		return of->built->given_units;
	for (size_t i = 0; i < LAYERS_WORDS; i++) {
		text[i] = arena_printf(a, "word%zu", i);
		len[i] = strlen(text[i]);
	}
	return model_units(a, &of->built->model.config, text, len, LAYERS_WORDS);
}

void layers_ground(const struct layers_of *of, struct arena *a, struct layers_ground *out)
{
	const struct built *const b = of->built;
	*out = (struct layers_ground){.of = of, .words = drawn_words(of, a), .column = "seq"};
	for (size_t i = b->n_members; i-- > 0;)
		if (strcmp(b->members[i].pos, "seq") != 0)
			out->column = b->members[i].pos;
	ground_part(of->setup, b, LAYERS_UNITS, a, &out->on);
}

static const struct want outputs = {.kinds = WANT_OUTPUT | WANT_POSITION, .layer = -1, .head = -1};

/* Returns the scene's input with other words, the k-th such input. */
static struct model_input with_words(const struct layers_ground *g, size_t k, struct arena *a)
{
	struct model_input in = g->on.built.model_input;
	struct rng rng;
	rng_init_name(&rng, g->of->setup->seed, arena_printf(a, "layers.sentence %zu", k));
	in.units = mat_copy(a, in.units);
	for (size_t i = 0; i < in.axis.n; i++)
		if (in.axis.token[i] >= 0)
			mat_set(mat_rows(in.units, i, 1),
				mat_rows(g->words, rng_below(&rng, g->words.rows), 1));
	return in;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const double *target_of(const struct layers_ground *g, const struct trace *trace)
{
	for (size_t i = 0; i < trace->n_columns; i++)
		if (strcmp(trace->columns[i].name, g->column) == 0)
			return trace->columns[i].at + trace->memory;
	return NULL;
}

/* Finds the tokens that have a number in the column: their indices among the queries. */
static size_t probed_units(const struct layers_ground *g, const struct trace *trace, size_t *at)
{
	const double *const target = target_of(g, trace);
	size_t n = 0;
	for (size_t i = 0; i < trace->query.n; i++)
		if (trace->query.token[i] >= 0 && target && isfinite(target[i]))
			at[n++] = i;
	return n;
}

/* Computes the input of layer 1 for a query. */
static void first_row(const struct trace *trace, size_t query, double *out)
{
	const size_t i = trace->memory + query;
	const double *const unit = mat_row(trace->units, i);
	for (size_t k = 0; k < trace->units.cols; k++)
		out[k] = unit[k] +
			 (trace->position_vectors.at ? mat_row(trace->position_vectors, i)[k] : 0);
}

struct running {
	const struct layers_ground *g;
	const struct model *model;
	struct layers_rows *rows;
	struct sentence {
		bool ok;
		struct err err;
	} done[LAYERS_SENTENCES];
};

static bool copy_rows(const struct running *r, size_t k, const struct trace *trace, struct arena *a,
		      struct err *err)
{
	struct layers_rows *const rows = r->rows;
	size_t *const at = arena_calloc(a, trace->query.n + 1, sizeof *at);
	if (probed_units(r->g, trace, at) != rows->units)
		return err_set(err, "its tokens depend on the words");
	const double *const target = target_of(r->g, trace);
	for (size_t i = 0; i < rows->units; i++) {
		const size_t to = k * rows->units + i;
		rows->target[to] = target[at[i]];
		first_row(trace, at[i], mat_row(rows->at[0], to));
		for (size_t l = 0; l < rows->layers; l++)
			mat_set(mat_rows(rows->at[l + 1], to, 1),
				mat_rows(trace->layers[l].output, at[i], 1));
	}
	return true;
}

static void run_sentence(void *context, size_t k, size_t worker)
{
	(void)worker;
	struct running *const r = context;
	struct sentence *const out = &r->done[k];
	struct arena a;
	struct trace trace;
	arena_init(&a);
	const struct model_input in = with_words(r->g, k, &a);
	out->ok = model_run(r->model, &in, &outputs, r->g->of->cache, r->g->of->watch, &a, &trace,
			    &out->err) &&
		  copy_rows(r, k, &trace, &a, &out->err);
	arena_release(&a);
}

static size_t count_allowed(const struct model *model, const struct trace *trace)
{
	size_t sum = 0;
	for (size_t l = 0; l < trace->n_layers; l++)
		for (size_t h = 0; h < model->config.heads; h++)
			sum += trace->layers[l].allowed[h];
	return sum;
}

static bool make_room(const struct model *model, struct layers_rows *out, struct arena *a,
		      struct err *err)
{
	const size_t limit = model->config.memory, d = model->config.d;
	const double need = (double)(out->layers + 2) * (double)(out->n * d) * sizeof(double);
	if (limit > 0 && need > (double)limit / 2)
		return err_set(err,
			       "the rows of %zu sentences after %zu layers take %.0f MB, more than "
			       "half of the limit; raise memory",
			       out->sentences, out->layers, need / 1e6);
	for (size_t l = 0; l <= out->layers; l++)
		out->at[l] = mat_new(a, out->n, d);
	out->target = arena_calloc(a, out->n + 1, sizeof *out->target);
	return true;
}

bool layers_run_first(const struct layers_ground *g, const struct model *model, size_t sentences,
		      struct arena *a, struct layers_rows *out, struct err *err)
{
	const struct running r = {.g = g, .model = model, .rows = out};
	struct arena scratch;
	struct trace trace;
	*out = (struct layers_rows){.sentences = sentences, .layers = model->n_steps};
	BUG_IF(out->layers > LAYERS_MOST || sentences > LAYERS_SENTENCES);
	arena_init(&scratch);
	const struct model_input in = with_words(g, 0, &scratch);
	bool ok =
		model_run(model, &in, &outputs, g->of->cache, g->of->watch, &scratch, &trace, err);
	if (ok) {
		out->units = probed_units(
			g, &trace, arena_calloc(&scratch, trace.query.n + 1, sizeof(size_t)));
		out->n = sentences * out->units;
		out->allowed = count_allowed(model, &trace);
		ok = make_room(model, out, a, err) && copy_rows(&r, 0, &trace, &scratch, err);
	}
	arena_release(&scratch);
	return ok;
}

static void run_later(void *context, size_t i, size_t worker)
{
	run_sentence(context, i + 1, worker);
}

bool layers_run_rest(const struct layers_ground *g, const struct model *model,
		     struct layers_rows *out, struct err *err)
{
	struct running r = {.g = g, .model = model, .rows = out};
	machine_parallel(out->sentences - 1, run_later, &r);
	for (size_t k = 1; k < out->sentences; k++)
		if (!r.done[k].ok)
			return err_set(err, "%s", r.done[k].err.text);
	return true;
}

/* ---- orders ---------------------------------------------------------------------------------- */

struct ordering {
	const struct layers_ground *g;
	const struct model *model;
	const struct trace *written;
	struct ordered {
		bool ok;
		struct err err;
		double *off; /* [layers + 1] */
	} done[MEASURE_SHUFFLES];
};

static void tokens_input(const struct layers_ground *g, const struct input *tokens, struct arena *a,
			 struct model_input *out)
{
	built_input(&g->on.setup, &g->on.built, tokens, a, out);
}

static const double *row_after(const struct trace *trace, size_t layer, size_t i, double *room)
{
	if (layer > 0)
		return mat_row(trace->layers[layer - 1].output, i);
	first_row(trace, i, room);
	return room;
}

/* Returns ‖P·T_l(X) − T_l(P·X)‖/‖T_l(X)‖. */
static double order_off(const struct ordering *o, const struct trace *moved, size_t layer,
			const size_t *from, struct arena *a)
{
	const size_t d = o->model->config.d;
	double *const x = arena_calloc(a, d, sizeof *x), *const y = arena_calloc(a, d, sizeof *y);
	double off = 0, norm = 0;
	for (size_t i = 0; i < moved->query.n; i++) {
		const long token = moved->query.token[i];
		const double *const now = row_after(moved, layer, i, y);
		const double *const then =
			row_after(o->written, layer, token >= 0 ? from[token] : i, x);
		for (size_t k = 0; k < d; k++) {
			off += (now[k] - then[k]) * (now[k] - then[k]);
			norm += then[k] * then[k];
		}
	}
	return norm > 0 ? sqrt(off / norm) : 0;
}

/* Evaluates a shuffle; they are the same as those of the measures, by the same names. */
static void run_order(void *context, size_t k, size_t worker)
{
	(void)worker;
	struct ordering *const o = context;
	struct ordered *const out = &o->done[k];
	const struct input *const written = &o->g->on.built.written;
	struct arena a;
	struct input moved;
	struct trace trace;
	struct model_input in;
	arena_init(&a);
	input_permute(&moved, written,
		      measure_shuffle(o->g->of->setup->seed, "shuffle", k, written->moving, 0, &a),
		      &a);
	tokens_input(o->g, &moved, &a, &in);
	out->ok = model_run(o->model, &in, &outputs, o->g->of->cache, o->g->of->watch, &a, &trace,
			    &out->err);
	const size_t *const from = measure_units_by_place(&o->written->query, written->moving, &a);
	for (size_t l = 0; out->ok && l <= o->model->n_steps; l++)
		out->off[l] = order_off(o, &trace, l, from, &a);
	arena_release(&a);
}

bool layers_equivariance(const struct layers_ground *g, const struct model *model, double *out,
			 const char **why, struct err *err)
{
	const struct input *const written = &g->on.built.written;
	struct ordering o = {.g = g, .model = model};
	struct arena a;
	struct trace trace;
	struct model_input in;
	*why = written->moving < 2	    ? "one token has one order"
	       : measure_all_equal(written) ? "all tokens are equal: every order is the same"
					    : NULL;
	if (*why)
		return true;
	arena_init(&a);
	tokens_input(g, written, &a, &in);
	o.written = &trace;
	bool ok = model_run(model, &in, &outputs, g->of->cache, g->of->watch, &a, &trace, err);
	for (size_t k = 0; k < MEASURE_SHUFFLES; k++)
		o.done[k].off = arena_calloc(&a, model->n_steps + 1, sizeof *o.done[k].off);
	if (ok)
		machine_parallel(MEASURE_SHUFFLES, run_order, &o);
	for (size_t k = 0; ok && k < MEASURE_SHUFFLES; k++) {
		ok = o.done[k].ok || err_set(err, "%s", o.done[k].err.text);
		for (size_t l = 0; ok && l <= model->n_steps; l++)
			out[l] += o.done[k].off[l] / MEASURE_SHUFFLES;
	}
	arena_release(&a);
	return ok;
}
