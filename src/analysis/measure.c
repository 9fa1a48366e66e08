/* measure.c: a model's sensitivity to order, measured by evaluating it again.
 *
 * T is the last layer's output. Equivariance: ‖P·T(X) − T(P·X)‖ / ‖T(X)‖ (the survey's §2.3
 * writes the equation and calls it invariance); invariance: the same for the mean over tokens.
 * Measures that move positions are in measure_moved.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure_in.h"
#include "posviz/base/num.h"
#include "posviz/math/machine.h"
#include "posviz/model/cache_bytes.h"

const char *const absences[ABSENCES] = {
	[ABSENT_NOT_BUILT] = "n/a",
	[ABSENT_NOT_COMPUTED] = "n/a: not computed",
	[ABSENT_ONE_TOKEN] = "n/a: one token",
	[ABSENT_EQUAL] = "n/a: all tokens are equal",
	[ABSENT_BEYOND_FILE] = "n/a: beyond the file's positions",
	[ABSENT_BEYOND_T_MAX] = "n/a: positions beyond t-max",
	[ABSENT_REFUSED] = "n/a: positions that it refuses",
	[ABSENT_INSERTED] = "n/a: tokens are inserted",
	[ABSENT_OTHER_KEYS] = "n/a: the keys are not the tokens",
	[ABSENT_UNITS] = "n/a: token vectors are given",
	[ABSENT_NODE] = "n/a: inserted tokens have no node",
	[ABSENT_REORDERING] = "n/a: inserted tokens have no re-ordering",
	[ABSENT_IDS] = "n/a: position ids are given",
	[ABSENT_PICTURES] = "n/a: a grid has no room for a token",
	[ABSENT_SEGMENTS] = "n/a: segments are given",
	[ABSENT_MEMORY] = "n/a: a memory stands in front",
	[ABSENT_DRAWN] = "n/a: too many weights to draw",
	[ABSENT_OTHER_TOKENS] = "n/a: queries are other tokens than keys",
	[ABSENT_SIZE] = "n/a: above the limit of memory",
};

/* ---- orders --------------------------------------------------------------------------------- */

static bool output_of(const struct measuring *m, const struct input *tokens, bool again,
		      struct trace *trace, struct err *err)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1, .again = again};
	struct model_input in;
	built_input(&m->on->setup, &m->on->built, tokens, m->a, &in);
	return built_run(&m->on->built, &in, &want, m->cache, m->watch, m->a, trace, err);
}

static struct mat last_output(const struct trace *trace)
{
	return trace->layers[trace->n_layers - 1].output;
}

/* Evaluates T(X) of the tokens in their original order; kept in the arena, below the data of the
 * measures. */
static bool evaluate_written(struct measuring *m, struct err *err)
{
	if (m->evaluated)
		return true;
	if (m->of_weights)
		return m->evaluated = measure_weights_of(m, &m->on->built.written, &m->written,
							 &m->base_norm, err);
	if (!output_of(m, &m->on->built.written, true, &m->written, err))
		return false;
	m->base = last_output(&m->written);
	m->base_norm = mat_norm(m->base);
	return m->evaluated = true;
}

bool measure_all_equal(const struct input *in)
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

size_t *measure_units_by_place(const struct axis *axis, size_t places, struct arena *a)
{
	size_t *at = arena_calloc(a, places, sizeof *at);
	for (size_t i = 0; i < axis->n; i++)
		if (axis->token[i] >= 0)
			at[axis->token[i]] = i;
	return at;
}

/* Compares T of the permuted tokens with the permuted T: row by row, matched by the token's
 * place, which is the effect of P; inserted tokens are compared at their index. */
static void compare_outputs(const struct measuring *m, const struct trace *moved,
			    double *equivariance, double *invariance)
{
	const struct mat x = m->base, y = last_output(moved);
	const size_t places = m->on->built.written.moving;
	const size_t *from = measure_units_by_place(&m->written.query, places, m->a);
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
	*equivariance = m->base_norm > 0 ? sqrt(off) / m->base_norm : 0;
	/* The mean of LayerNorm-ed rows can be tiny; then it is measured relative to a typical
	 * row. */
	const double row = m->base_norm / sqrt((double)x.rows);
	*invariance = sqrt(mean_off) / fmax(sqrt(mean_norm), 1e-3 * row);
}

static void compare(const struct measuring *m, const struct trace *moved, double *equivariance,
		    double *invariance)
{
	(m->of_weights ? measure_weights_compare : compare_outputs)(m, moved, equivariance,
								    invariance);
}

static bool moved_of(const struct measuring *m, const struct input *tokens, struct trace *trace,
		     struct err *err)
{
	double norm;
	return m->of_weights ? measure_weights_of(m, tokens, trace, &norm, err)
			     : output_of(m, tokens, false, trace, err);
}

static bool measure_order(const struct measuring *m, const size_t *order, double *equivariance,
			  double *invariance, struct err *err)
{
	const struct arena_mark mark = arena_mark(m->a);
	struct input moved;
	struct trace trace;
	input_permute(&moved, &m->on->built.written, order, m->a);
	const bool ok = moved_of(m, &moved, &trace, err);
	if (ok)
		compare(m, &trace, equivariance, invariance);
	arena_rewind(m->a, mark);
	return ok;
}

/* Returns whether all orders of the tokens are the same. */
static bool has_one_order(const struct measuring *m, enum absence *why)
{
	const struct input *const written = &m->on->built.written;
	*why = written->moving < 2 ? ABSENT_ONE_TOKEN : ABSENT_EQUAL;
	return written->moving < 2 || measure_all_equal(written);
}

size_t *measure_shuffle(uint64_t seed, const char *name, size_t k, size_t n, size_t stay,
			struct arena *a)
{
	size_t *const order = arena_calloc(a, n, sizeof *order);
	struct rng rng;
	rng_init_name(&rng, seed, arena_printf(a, "%s %zu", name, k));
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(&rng, order, n - stay);
	return order;
}

/* Returns the change of the last row of a layer, relative to its length. */
static double last_row_off(const struct trace *before, const struct trace *after, size_t layer)
{
	const struct mat x = before->layers[layer].output, y = after->layers[layer].output;
	const struct mat from = mat_rows(x, x.rows - 1, 1), to = mat_rows(y, y.rows - 1, 1);
	double sum = 0;
	for (size_t i = 0; i < x.cols; i++)
		sum += (from.at[i] - to.at[i]) * (from.at[i] - to.at[i]);
	return sqrt(sum) / fmax(mat_norm(from), 1e-300);
}

/* A set of shuffles that the pool's threads share. Evaluations are small: the shuffles run in
 * parallel, not their parts. */
struct shuffle_job {
	const struct measuring *m;
	const char *name;
	/* Number of tokens at the end that do not move: then only the last row is compared. */
	size_t stay;
	struct shuffled {
		bool ok;
		struct err err;
		double equivariance, invariance, last_row[MODEL_MAX_LAYERS];
	} done[MEASURE_SHUFFLES];
};

static size_t layers_shown(const struct measuring *m)
{
	const size_t layers = m->of_weights ? 1 : m->written.n_layers;
	return layers < MODEL_MAX_LAYERS ? layers : MODEL_MAX_LAYERS;
}

static void run_shuffle(void *context, size_t k, size_t worker)
{
	(void)worker;
	struct shuffle_job *const j = context;
	struct shuffled *const out = &j->done[k];
	const size_t n = j->m->on->built.written.moving;
	struct measuring own = *j->m;
	struct arena a;
	struct input moved;
	struct trace trace;
	arena_init(&a);
	own.a = &a;
	input_permute(&moved, &own.on->built.written,
		      measure_shuffle(own.on->setup.seed, j->name, k, n, j->stay, &a), &a);
	out->ok = moved_of(&own, &moved, &trace, &out->err);
	if (out->ok && j->stay == 0)
		compare(&own, &trace, &out->equivariance, &out->invariance);
	for (size_t l = 0; out->ok && j->stay > 0 && l < layers_shown(&own); l++)
		out->last_row[l] = own.of_weights ? measure_weights_last_row(&own, &trace)
						  : last_row_off(&own.written, &trace, l);
	arena_release(&a);
}

static bool run_shuffles(const struct measuring *m, const char *name, size_t stay,
			 struct shuffle_job *j, struct err *err)
{
	*j = (struct shuffle_job){.m = m, .name = name, .stay = stay};
	machine_parallel(MEASURE_SHUFFLES, run_shuffle, j);
	for (size_t k = 0; k < MEASURE_SHUFFLES; k++)
		if (!j->done[k].ok)
			return err_set(err, "%s", j->done[k].err.text);
	return true;
}

static bool measure_shuffles(struct measuring *m, struct measures *out, struct err *err)
{
	struct shuffle_job j;
	enum absence why;
	if (has_one_order(m, &why)) {
		out->equivariance = out->invariance = measure_absent(why);
		return true;
	}
	if (!evaluate_written(m, err) || !run_shuffles(m, "shuffle", 0, &j, err))
		return false;
	out->equivariance = out->invariance = measure_of(0);
	for (size_t k = 0; k < MEASURE_SHUFFLES; k++) {
		out->equivariance.value += j.done[k].equivariance / MEASURE_SHUFFLES;
		out->invariance.value += j.done[k].invariance / MEASURE_SHUFFLES;
	}
	return true;
}

static bool measure_own_order(struct measuring *m, struct measures *out, struct err *err)
{
	double e, v;
	enum absence why;
	if (has_one_order(m, &why)) {
		out->own_order = measure_absent(why);
		return true;
	}
	if (!evaluate_written(m, err) || !measure_order(m, m->on->built.order, &e, &v, err))
		return false;
	out->own_order = measure_of(e);
	return true;
}

static bool measure_prefix(struct measuring *m, struct measures *out, struct err *err)
{
	const struct built *const b = &m->on->built;
	struct shuffle_job j;
	if (!expr_is_causal(&b->expr) || b->written.moving < 3)
		return true;
	if (!evaluate_written(m, err) || !run_shuffles(m, "prefix", 1, &j, err))
		return false;
	out->n_prefix = layers_shown(m);
	for (size_t l = 0; l < out->n_prefix; l++) {
		out->prefix[l] = measure_of(0);
		for (size_t k = 0; k < MEASURE_SHUFFLES; k++)
			out->prefix[l].value += j.done[k].last_row[l] / MEASURE_SHUFFLES;
	}
	return true;
}

/* ---- positions ------------------------------------------------------------------------------ */

static bool measure_shift_probed(struct measuring *m, struct measures *out, struct err *err)
{
	(void)err;
	out->shift = measure_shifted(m, MEASURE_SHIFT, true, &out->constant_bias);
	return true;
}

static bool measure_shift_random(struct measuring *m, struct measures *out, struct err *err)
{
	(void)err;
	out->shift_random = measure_shifted(m, MEASURE_SHIFT, false, NULL);
	return true;
}

static bool measure_insertion(struct measuring *m, struct measures *out, struct err *err)
{
	(void)err;
	out->insertion = measure_inserted(m);
	return true;
}

/* ---- all measures
 * ----------------------------------------------------------------------------- */

/* The kinds of measures in the order in which they are made, unless some are to come first.
 * `runs` and `layers`: number of evaluations of the whole model and of one layer. */
static const struct kind {
	unsigned bit;
	const char *name;
	bool (*make)(struct measuring *m, struct measures *out, struct err *err);
	bool of_any_order; /* does not depend on the chosen order */
	size_t runs, layers;
} kinds[] = {
	{MEASURED_OWN_ORDER, "own order", measure_own_order, false, 1, 0},
	{MEASURED_ORDER, "order", measure_shuffles, true, MEASURE_SHUFFLES, 0},
	{MEASURED_SHIFT, "shift", measure_shift_probed, false, 0, 2},
	{MEASURED_PREFIX, "prefix", measure_prefix, true, MEASURE_SHUFFLES, 0},
	{MEASURED_INSERTION, "insertion", measure_insertion, false, 0, 2},
	{MEASURED_SHIFT_RANDOM, "shift random", measure_shift_random, false, 0, 2},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

#define ROW(name, title, key, kind, member, sentence)                                          \
	{                                                                                      \
		name, title, key, sentence, MEASURED_##kind, offsetof(struct measures, member) \
	}
#define MEASURE(...) ROW(__VA_ARGS__),
const struct measure_row measure_table[] = {
#include "posviz/analysis/measure_list.h"
	{0}};
#define MEASURE(...)
#define MEASURE_BY_LAYER(...) ROW(__VA_ARGS__)
const struct measure_row measure_by_layer =
#include "posviz/analysis/measure_list.h"
	;

const char *measure_meaning(const struct measure_row *row, bool logits, struct arena *a)
{
	const char *const at = logits ? NULL : strstr(row->sentence, "logits");
	return at ? arena_printf(a, "%.*sweights%s", (int)(at - row->sentence), row->sentence,
				 at + strlen("logits"))
		  : row->sentence;
}

const struct measure *measure_at(const struct measures *m, const struct measure_row *row)
{
	return (const struct measure *)(const void *)((const char *)m + row->offset);
}

/* A kind is stored as its measures, each a value and the index of the reason for a missing one. */
enum { KEPT_MEASURES = MODEL_MAX_LAYERS, KEPT = 2 * KEPT_MEASURES + 2 };

static size_t measures_of(unsigned bit, struct measures *of, struct measure *at[KEPT_MEASURES])
{
	size_t n = 0;
	for (const struct measure_row *row = measure_table; row->name; row++)
		if (row->kind == bit)
			at[n++] = (struct measure *)(void *)((char *)of + row->offset);
	for (size_t i = 0; bit == MEASURED_PREFIX && i < KEPT_MEASURES; i++)
		at[n++] = &of->prefix[i];
	return n;
}

static double reason_of(const struct measure *m)
{
	size_t i = 0;
	while (i < ABSENCES && m->why != absences[i])
		i++;
	return (double)i; /* ABSENCES: there is a number, or no reason */
}

static void pack(unsigned bit, struct measures *of, double *out)
{
	struct measure *at[KEPT_MEASURES];
	const size_t n = measures_of(bit, of, at);
	memset(out, 0, KEPT * sizeof *out);
	out[0] = of->constant_bias;
	out[1] = (double)of->n_prefix;
	for (size_t i = 0; i < n; i++) {
		out[2 + 2 * i] = at[i]->there ? at[i]->value : 0;
		out[3 + 2 * i] = at[i]->there ? -1 : reason_of(at[i]);
	}
}

static void unpack(unsigned bit, const double *from, struct measures *of)
{
	struct measure *at[KEPT_MEASURES];
	const size_t n = measures_of(bit, of, at);
	if (bit == MEASURED_SHIFT)
		of->constant_bias = from[0] > 0;
	if (bit == MEASURED_PREFIX)
		of->n_prefix = (size_t)from[1];
	for (size_t i = 0; i < n; i++) {
		const double value = from[2 + 2 * i], why = from[3 + 2 * i];
		if (why < 0)
			*at[i] = measure_of(value);
		else if (why < ABSENCES)
			*at[i] = measure_absent((enum absence)why);
	}
}

/* Returns whether the output of all layers would exceed the memory; a picture of one head and
 * layer does not need it. */
static bool is_too_large(const struct measuring *m)
{
	const struct built *const b = &m->on->built;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	const size_t limit = b->model.config.memory, kept = cache_bytes(m->cache);
	const size_t left = kept < limit ? limit - kept : 1; /* as a run counts */
	return limit > 0 && model_estimate(&b->model, &b->model_input, &want) > left;
}

/* Returns whether the weights of layer 1 can be compared instead: its keys are the tokens. */
static bool has_weights(const struct measuring *m)
{
	const struct built *const b = &m->on->built;
	bool square = b->model_input.memory == 0;
	for (size_t i = 0; i < b->n_members; i++)
		square = square && !b->members[i].hooks->shortens;
	return square;
}

/* Returns whether a member has matrices of all tokens: measures on other inputs cannot be
 * computed for it, but the picture can. */
static bool has_whole_matrices(const struct built *b)
{
	bool whole = false;
	for (size_t i = 0; i < b->n_members; i++)
		whole |= b->members[i].hooks->whole;
	return whole;
}

/* Makes the kind n/a with its reason, without affecting others or the picture. The reason is not
 * stored in the cache: another limit may allow it. */
static void mark_absent(struct measuring *m, unsigned bit, const struct err *err,
			struct measures *out)
{
	struct measure *at[KEPT_MEASURES];
	const size_t n = measures_of(bit, out, at), steps = m->on->built.model.n_steps;
	const char *const why = is_too_large(m)
					? absences[ABSENT_SIZE]
					: scene_intern(arena_printf(m->a, "n/a: %s", err->text));
	for (size_t i = 0; i < n; i++)
		*at[i] = (struct measure){.why = why};
	if (bit == MEASURED_PREFIX && expr_is_causal(&m->on->built.expr))
		out->n_prefix = steps < MODEL_MAX_LAYERS ? steps : MODEL_MAX_LAYERS;
}

static bool make_kind(struct measuring *m, const struct kind *kind, struct measures *out,
		      struct err *err)
{
	double numbers[KEPT];
	const char *const of = m->cache ? setup_identity(m->whole, kind->of_any_order, m->a) : NULL;
	const char *const key = of ? arena_printf(m->a, "measure%s %s %s",
						  m->of_weights ? " weights" : "", kind->name, of)
				   : NULL;
	if (key && cache_recall(m->cache, key, numbers, KEPT)) {
		unpack(kind->bit, numbers, out);
		return true;
	}
	struct err why = {""};
	const bool made = kind->make(m, out, &why);
	if (watch_cancelled(m->watch))
		return err_set(err, "cancelled");
	if (!made && !is_too_large(m) && !has_whole_matrices(&m->on->built))
		return err_set(err, "%s", why.text);
	if (!made) {
		mark_absent(m, kind->bit, &why, out);
		return true;
	}
	pack(kind->bit, out, numbers);
	if (key)
		cache_remember(m->cache, key, numbers, KEPT);
	return true;
}

/* Returns the number of heads to evaluate if nothing is n/a and nothing is in the cache, for the
 * watch. */
static size_t heads_to_run(const struct built *b, unsigned which)
{
	const size_t heads = b->model.config.heads, all = heads * b->model.n_steps;
	size_t n = all;
	for (size_t i = 0; i < KINDS; i++)
		if (which & kinds[i].bit &&
		    !(kinds[i].bit == MEASURED_PREFIX && !expr_is_causal(&b->expr)))
			n += kinds[i].runs * all + kinds[i].layers * heads;
	return n;
}

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

static bool measure_all(struct measuring *m, const struct measure_request *r, struct measures *out,
			struct err *err)
{
	watch_expect(m->watch, heads_to_run(&m->on->built, r->kinds & ~out->known));
	for (size_t i = 0; i < 2 * (size_t)KINDS; i++) {
		const struct kind *const kind = &kinds[i % KINDS];
		const unsigned now = i < KINDS ? r->kinds & r->first : r->kinds;
		if (!(now & ~out->known & kind->bit))
			continue;
		if (!make_kind(m, kind, out, err))
			return false;
		out->known |= kind->bit;
		if (r->tell)
			r->tell(r->context, out);
	}
	return true;
}

/* Makes all measures n/a: nothing is computed with a matrix that is only viewed. */
static void absent_all(unsigned asked, struct measures *out)
{
	struct measure *at[KEPT_MEASURES];
	for (size_t k = 0; k < KINDS; k++)
		for (size_t i = measures_of(asked & kinds[k].bit, out, at); i-- > 0;)
			*at[i] = measure_absent(ABSENT_OTHER_TOKENS);
	out->known |= asked;
}

bool analysis_measure_built(const struct setup *setup, const struct built *b,
			    const struct measure_request *r, struct measures *out, struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct ground *const on = arena_alloc(&scratch, sizeof *on);
	ground_of(setup, b, &scratch, on);
	struct measuring m = {
		.whole = setup, .on = on, .cache = r->cache, .watch = r->watch, .a = &scratch};
	out->count_printed = printed_count(b);
	out->count_made = model_position_parameters(&b->model);
	out->on = (struct measured_on){
		.units = on->built.written.n, .of = b->written.n, .nodes = b->structure != NULL};
	const bool looked_at = model_looked_at(&b->model) != NULL;
	m.of_weights = !looked_at && has_weights(&m) && is_too_large(&m);
	out->on.layers = m.of_weights ? on->built.model.n_steps : 0;
	if (looked_at)
		absent_all(r->kinds, out);
	const bool ok = looked_at || measure_all(&m, r, out, err);
	arena_release(&scratch);
	return ok;
}

bool analysis_measure(const struct setup *setup, const struct measure_request *r,
		      struct measures *out, struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct built *const b = arena_alloc(&scratch, sizeof *b);
	const bool ok = setup_build(setup, &scratch, b, err) &&
			analysis_measure_built(setup, b, r, out, err);
	arena_release(&scratch);
	return ok;
}

double measure_shift(const struct setup *setup, double by, struct watch *watch)
{
	struct arena scratch;
	arena_init(&scratch);
	struct built *const b = arena_alloc(&scratch, sizeof *b);
	struct ground *const on = arena_alloc(&scratch, sizeof *on);
	struct measuring m = {.whole = setup, .on = on, .watch = watch, .a = &scratch};
	struct measure moved = measure_absent(ABSENT_NOT_BUILT);
	if (setup_build(setup, &scratch, b, NULL)) {
		ground_of(setup, b, &scratch, on);
		moved = measure_shifted(&m, by, true, NULL);
	}
	arena_release(&scratch);
	return moved.there ? moved.value : NAN;
}
