/* behaviour.c: the behaviour of an expression, on a fixed sentence and sizes, as a few numbers.
 *
 * The claims of a descriptor do not depend on the user's sentence or sizes, so neither does
 * this; and numbers can be stored, so that a table of all schemes is measured only once. */
#include <math.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/analysis/split.h"
#include "posviz/base/strbuf.h"

/* MOST_LAYERS holds each pattern of layers twice that models have. */
enum { LAYERS = 3, MOST_LAYERS = 12, ACTS = 18, APART = 64 };

static const char sentence[] = "the cat that the dog chased fell asleep";

/* Returns the number of layers to measure on: those of a deep model alike say no more than a few, as
 * long as each member acts on one of these. */
static long layers_of(const struct setup *setup)
{
	struct arena a;
	bool few = setup->layers > MOST_LAYERS;
	arena_init(&a);
	const struct expr *const e = few ? expr_of(setup->scheme, &a, NULL) : NULL;
	for (size_t i = 0; e && i < e->n; i++)
		few = few && subset_meets(e->members[i].layers, subset_first(MOST_LAYERS));
	arena_release(&a);
	return few ? MOST_LAYERS : setup->layers;
}

struct setup behaviour_setup(const struct setup *setup)
{
	struct setup plain = *setup;
	plain.layers = layers_of(setup);
	plain.t_max = BEHAVIOUR_T_MAX;
	plain.heads = 2;
	plain.d_model = 16;
	plain.ff = 0;
	plain.tokens = TOKENS_WORDS;
	plain.sentence = sentence;
	plain.order = "identity";
	plain.special = "none";
	plain.probe = "ones";
	plain.proj = PROJ_IDENTITY;
	plain.file = plain.units = plain.weights = plain.params = plain.map = "";
	plain.conllu = plain.governors = plain.tree = plain.graph = "";
	plain.reorder = plain.translation = plain.alignment = "";
	plain.position_ids = plain.segments = "none";
	plain.memory_tokens = 0;
	plain.embed_scale = "1";
	plain.pack = PACK_OFF;
	plain.pad = "none";
	plain.length = 0;
	plain.compare = "none";
	return plain;
}

static struct setup sample_setup(const struct setup *setup, struct arena *a)
{
	struct setup out = behaviour_setup(setup);
	setup_give(&out, setup_sample(setup, a), a);
	return out;
}

/* A file may be made for a number of tokens and heads: then the scheme is measured on the user's
 * input. */
static struct setup own_setup(const struct setup *setup)
{
	struct setup own = behaviour_setup(setup);
	own.sentence = setup->sentence;
	own.file = setup->file;
	own.conllu = setup->conllu;
	own.tree = setup->tree;
	own.graph = setup->graph;
	own.tokens = setup->tokens == TOKENS_MODEL ? TOKENS_WORDS : setup->tokens;
	own.special = setup->special;
	own.heads = setup->heads;
	own.head_dim = setup->head_dim;
	own.value_dim = setup->value_dim;
	own.kv_heads = setup->kv_heads;
	own.d_model = setup->d_model;
	return own;
}

static bool field_differs(const struct setup *x, const struct setup *y, const struct field *field,
			  struct arena *a)
{
	const struct scene first = {.setup = *x}, second = {.setup = *y};
	return strcmp(scene_get(&first, field, a), scene_get(&second, field, a)) != 0;
}

enum check_use check_use_of(const struct setup *setup, const struct field *field)
{
	/* The number of parameters is counted at the given sizes. */
	static const char *const sizes[] = {"d-model",	"heads", "head-dim", "value-dim",
					    "kv-heads", "ff",	 "t-max"};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (strcmp(field->name, sizes[i]) == 0)
			return CHECK_READS;
	struct arena a;
	arena_init(&a);
	const struct setup plain = behaviour_setup(setup), own = own_setup(setup);
	const enum check_use use = field_differs(&own, setup, field, &a)     ? CHECK_HAS_OWN
				   : field_differs(&plain, setup, field, &a) ? CHECK_MAY_READ
									     : CHECK_READS;
	arena_release(&a);
	return use;
}

/* A measurement in progress. Evaluations are small, and keeping those of all schemes would
 * displace the user's from the cache: only the resulting numbers are stored. */
struct job {
	const struct setup *setup;
	struct watch *watch;
	struct arena a;
};

static bool cancelled(const struct job *j)
{
	return watch_cancelled(j->watch);
}

/* Returns a text of n words, which repeats those of a sentence. */
static const char *long_text(const char *words, size_t n, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	const char *at = words;
	for (size_t i = 0; i < n; i++) {
		const size_t len = strcspn(at, " ");
		strbuf_printf(&out, "%.*s ", (int)len, at);
		at = at[len] ? at + len + 1 : words;
	}
	return out.at;
}

/* Returns whether the last output changes when the members skip one layer. */
static bool acts_in_layer(const struct job *j, const struct built *b, size_t layer, struct mat base)
{
	struct member members[MODEL_MAX_MEMBERS];
	for (size_t i = 0; i < b->n_members; i++) {
		members[i] = b->members[i];
		subset_remove(&members[i].layers, layer);
	}
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct model model;
	struct trace trace;
	struct arena a; /* a model with all its numbers, for each layer */
	arena_init(&a);
	const bool acts =
		!model_build(&model, &b->model.config, members, b->n_members, NULL, &a, NULL) ||
		!model_run(&model, &b->model_input, &want, NULL, j->watch, &a, &trace, NULL) ||
		mat_max_abs_diff(trace.layers[trace.n_layers - 1].output, base) > 1e-12;
	arena_release(&a);
	return acts;
}

static void find_acts(struct job *j, struct behaviour *out)
{
	struct setup deep = sample_setup(j->setup, &j->a);
	deep.sentence = *deep.reorder ? deep.sentence : long_text(deep.sentence, ACTS, &j->a);
	deep.layers = deep.layers < LAYERS ? LAYERS : deep.layers;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	if (!evaluate(&deep, &want, NULL, j->watch, &j->a, &b, &trace, NULL)) {
		deep = own_setup(j->setup);
		deep.layers = deep.layers < LAYERS ? LAYERS : deep.layers;
		if (!evaluate(&deep, &want, NULL, j->watch, &j->a, &b, &trace, NULL))
			return;
	}
	const struct mat base = trace.layers[trace.n_layers - 1].output;
	out->later = b.model.config.layers - 1;
	for (size_t l = 1; l <= out->later && !cancelled(j); l++)
		out->acts += acts_in_layer(j, &b, l, base);
}

/* Returns a directed chain whose edges have three labels in turn. */
static const char *long_chain(struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add(&out, "digraph {");
	for (size_t i = 0; i + 1 < BEHAVIOUR_LONG; i++)
		strbuf_printf(&out, " n%zu -> n%zu [label=l%zu];", i, i + 1, i % 3);
	strbuf_add(&out, " }");
	return out.at;
}

static bool is_apart(double x, double y)
{
	return fabs(x - y) > 1e-12;
}

/* Evaluates far beyond t_max: determines whether that can be computed, and whether the farthest
 * distances, backwards and forwards, have different biases. A constant bias says nothing about
 * distances; distances that do not differ for the few tokens of a sentence may differ here. A
 * structure is replaced by a chain: in no other are nodes farther apart. */
static void find_far_on(struct job *j, const char *probe, struct behaviour *out)
{
	struct setup longer = sample_setup(j->setup, &j->a);
	longer.probe = probe;
	longer.graph = *longer.graph ? long_chain(&j->a) : "";
	longer.conllu = longer.governors = longer.tree = longer.reorder = "";
	longer.sentence = long_text(longer.sentence, BEHAVIOUR_LONG, &j->a);
	/* A scheme without bias may still refuse this length, so all of the first layer is
	 * computed. */
	const struct want want = {.kinds = WANT_BIAS | WANT_OUTPUT, .layer = 0, .head = -1};
	struct built b;
	struct trace trace;
	out->computes = evaluate(&longer, &want, NULL, j->watch, &j->a, &b, &trace, NULL);
	if (!out->computes || trace.bias_absent || trace.key.n != trace.query.n)
		return;
	const size_t end = trace.key.n - 1;
	bool same = true, any = false, constant = true;
	for (size_t h = 0; h < b.model.config.heads; h++) {
		const struct mat m = trace.layers[0].heads[h].bias;
		const double *last = mat_row(m, end), *first = mat_row(m, 0);
		for (size_t s = 0; s < APART; s++)
			same &= !is_apart(last[s], last[s + 1]) &&
				!is_apart(first[end - s], first[end - s - 1]);
		any |= is_apart(last[end], last[0]) || is_apart(last[end - 1], last[0]) ||
		       is_apart(first[0], first[end]) || is_apart(first[1], first[end]);
		for (size_t s = 0; s < end; s++)
			constant &=
				!is_apart(last[s], last[end]) && !is_apart(first[s], first[end]);
	}
	out->far = !any ? FAR_UNSAID : same ? FAR_ONE : FAR_TOLD;
	out->constant_bias &= constant;
}

/* A probe whose components are all one shows nothing of vectors of mean 0: then a random token
 * vector is tried too. */
static void find_far(struct job *j, struct behaviour *out)
{
	find_far_on(j, "ones", out);
	if (out->computes && out->far == FAR_UNSAID)
		find_far_on(j, "cat", out);
}

static double value_of(struct measure m)
{
	return m.there ? m.value : NAN;
}

/* On a grid a shift by whole rows has no effect, but another shift, coprime to it, may. */
enum { OTHER_SHIFT = 2 };

static bool find_measures(struct job *j, struct behaviour *out, struct err *err)
{
	struct setup sample = sample_setup(j->setup, &j->a);
	struct measures m = {0};
	const struct measure_request r = {.kinds = MEASURED_ORDER | MEASURED_SHIFT |
						   MEASURED_SHIFT_RANDOM,
					  .watch = j->watch};
	if (!analysis_measure(&sample, &r, &m, NULL)) {
		sample = own_setup(j->setup);
		m = (struct measures){0};
		if (!analysis_measure(&sample, &r, &m, err))
			return false;
	}
	out->equivariance = value_of(m.equivariance);
	out->shift = value_of(m.shift);
	if (out->shift <= relative_tolerance)
		out->shift = fmax(out->shift, measure_shift(&sample, OTHER_SHIFT, j->watch));
	out->shift_random = value_of(m.shift_random);
	out->constant_bias = m.constant_bias;
	return true;
}

static void find_split(struct job *j, struct behaviour *out)
{
	const struct setup sample = sample_setup(j->setup, &j->a);
	const struct want want = {.kinds = WANT_BIAS | WANT_MASK | WANT_WEIGHTS | WANT_RELATION};
	struct built b;
	struct trace trace;
	struct split split;
	out->split = (struct shares){NAN, NAN, NAN, NAN, false, false};
	if (!evaluate(&sample, &want, NULL, j->watch, &j->a, &b, &trace, NULL))
		return;
	const struct trace_head *const head = &trace.layers[0].heads[0];
	const struct relation *const r = &trace.relation;
	const bool weights = trace.bias_absent || trace.bias_is_mask || !head->bias.at;
	const struct mat m = weights ? head->weights : head->bias;
	if (!m.at || m.rows != trace.query.n || m.cols != trace.key.n)
		return;
	const bool own = b.structure && r->at && !r->of_tokens && r->n == m.rows && r->n == m.cols;
	split_make(&(struct split_of){.m = m,
				      .mask = head->mask,
				      .number = own ? r->at : split_distances(&trace, &j->a)},
		   false, &j->a, &split);
	if (!split.why)
		out->split = (struct shares){split.distance, split.query, split.key,
					     split.rest,     weights,	  own};
}

/* ---- stored as numbers ----------------------------------------------------------------------- */

enum { NUMBERS = 14 };

static void pack(const struct behaviour *b, double *out)
{
	const double numbers[NUMBERS] = {
		b->shift,     b->shift_random, b->equivariance,	 b->constant_bias,  b->computes,
		b->far,	      (double)b->acts, (double)b->later, b->split.distance, b->split.query,
		b->split.key, b->split.rest,   b->split.weights, b->split.relation};
	memcpy(out, numbers, sizeof numbers);
}

static struct behaviour unpack(const double *n)
{
	return (struct behaviour){.shift = n[0],
				  .shift_random = n[1],
				  .equivariance = n[2],
				  .constant_bias = n[3] > 0,
				  .computes = n[4] > 0,
				  .far = (enum far)n[5],
				  .acts = (size_t)n[6],
				  .later = (size_t)n[7],
				  .split = {n[8], n[9], n[10], n[11], n[12] > 0, n[13] > 0}};
}

/* Returns a key of everything that plain_setup leaves unchanged. */
static const char *key_of(const struct setup *s, struct arena *a)
{
	return arena_printf(a, "behaviour %s layers %ld seed %llu init %d activation %d %a %a %a",
			    s->scheme, s->layers, (unsigned long long)s->seed, s->init,
			    s->activation, s->content, s->norm_eps, s->memory);
}

bool analysis_behaviour_kept(const struct setup *setup, struct cache *cache, struct behaviour *out)
{
	struct arena a;
	double numbers[NUMBERS];
	arena_init(&a);
	const bool kept = cache_recall(cache, key_of(setup, &a), numbers, NUMBERS);
	if (kept)
		*out = unpack(numbers);
	arena_release(&a);
	return kept;
}

bool analysis_behaviour(const struct setup *setup, struct cache *cache, struct watch *watch,
			struct behaviour *out, struct err *err)
{
	if (analysis_behaviour_kept(setup, cache, out))
		return true;
	struct job j = {setup, watch, {0}};
	double numbers[NUMBERS];
	arena_init(&j.a);
	*out = (struct behaviour){0};
	bool ok = find_measures(&j, out, err);
	if (ok) {
		find_far(&j, out);
		find_acts(&j, out);
		find_split(&j, out);
		ok = !cancelled(&j) || err_set(err, "cancelled");
	}
	pack(out, numbers);
	if (ok)
		cache_remember(cache, key_of(setup, &j.a), numbers, NUMBERS);
	arena_release(&j.a);
	return ok;
}
