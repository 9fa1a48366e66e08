/* behaviour.c: what an expression does, on a sentence and sizes of ours, as a few numbers.
 *
 * What a descriptor says of a scheme does not hang on the user's sentence or sizes, so neither does
 * this; and numbers can be kept, so that a table of all schemes is measured once. */
#include <math.h>
#include <string.h>

#include "analysis_in.h"

enum { LAYERS = 3, APART = 64 };

/* The setup's scheme on a sentence and sizes of ours. */
static struct setup plain_setup(const struct setup *setup, const char *sentence)
{
	struct setup plain = *setup;
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
	plain.length = 0;
	plain.compare = "none";
	return plain;
}

/* A file can be made for a number of tokens and heads: then it is measured on the user's. */
static struct setup own_setup(const struct setup *setup)
{
	struct setup own = plain_setup(setup, setup->sentence);
	own.file = setup->file;
	own.conllu = setup->conllu;
	own.tree = setup->tree;
	own.graph = setup->graph;
	own.tokens = setup->tokens;
	own.special = setup->special;
	own.heads = setup->heads;
	own.d_model = setup->d_model;
	return own;
}

/* Evaluations are small, and what they would keep of all schemes would crowd out the user's: only the
 * numbers are kept. */
struct job {
	const struct setup *setup;
	const atomic_bool *cancel;
	struct arena a;
};

static bool cancelled(const struct job *j)
{
	return j->cancel && atomic_load(j->cancel);
}

/* Whether the last output changes when the members leave out one layer. */
static bool acts_in_layer(struct job *j, const struct built *b, size_t layer, struct mat base)
{
	struct member members[MODEL_MAX_MEMBERS];
	for (size_t i = 0; i < b->n_members; i++) {
		members[i] = b->members[i];
		members[i].layers &= ~(1ull << layer);
	}
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct model model;
	struct trace trace;
	return !model_build(&model, &b->model.config, members, b->n_members, NULL, &j->a, NULL) ||
	       !model_run(&model, &b->model_input, &want, NULL, j->cancel, &j->a, &trace, NULL) ||
	       mat_max_abs_diff(trace.layers[trace.n_layers - 1].output, base) > 1e-12;
}

static void find_acts(struct job *j, struct behaviour *out)
{
	struct setup deep = plain_setup(j->setup, "the cat that the dog chased fell");
	deep.layers = deep.layers < LAYERS ? LAYERS : deep.layers;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	if (!evaluate(&deep, &want, NULL, j->cancel, &j->a, &b, &trace, NULL)) {
		deep = own_setup(j->setup);
		deep.layers = deep.layers < LAYERS ? LAYERS : deep.layers;
		if (!evaluate(&deep, &want, NULL, j->cancel, &j->a, &b, &trace, NULL))
			return;
	}
	const struct mat base = trace.layers[trace.n_layers - 1].output;
	out->later = b.model.config.layers - 1;
	for (size_t l = 1; l <= out->later && !cancelled(j); l++)
		out->acts += acts_in_layer(j, &b, l, base);
}

/* Far beyond t_max: whether it computes, and whether the farthest places, looking back and looking
 * ahead, are told apart. What is the same everywhere says nothing of distances. */
static void find_far(struct job *j, struct behaviour *out)
{
	char text[2 * BEHAVIOUR_LONG + 1] = "";
	for (size_t i = 0; i < BEHAVIOUR_LONG; i++)
		memcpy(text + 2 * i, "a ", 3);
	const struct setup longer = plain_setup(j->setup, text);
	/* What has no bias may still refuse: all of the first layer is computed. */
	const struct want want = {.kinds = WANT_BIAS | WANT_OUTPUT, .layer = 0, .head = -1};
	struct built b;
	struct trace trace;
	out->computes = evaluate(&longer, &want, NULL, j->cancel, &j->a, &b, &trace, NULL);
	if (!out->computes || trace.bias_absent || trace.key.n != trace.query.n)
		return;
	const size_t end = BEHAVIOUR_LONG - 1;
	bool same = true, any = false;
	for (size_t h = 0; h < b.model.config.heads; h++) {
		const struct mat m = trace.layers[0].heads[h].bias;
		const double *last = mat_row(m, end), *first = mat_row(m, 0);
		for (size_t s = 0; s < APART; s++)
			same &= fabs(last[s] - last[s + 1]) < 1e-12 &&
				fabs(first[end - s] - first[end - s - 1]) < 1e-12;
		any |= fabs(last[end - 1] - last[0]) > 1e-12 || fabs(first[1] - first[end]) > 1e-12;
	}
	out->far = !any ? FAR_UNSAID : same ? FAR_ONE : FAR_TOLD;
}

static double value_of(struct measure m)
{
	return m.there ? m.value : NAN;
}

static bool find_measures(struct job *j, struct behaviour *out, struct err *err)
{
	const struct setup plain = plain_setup(j->setup, "the cat that the dog chased fell asleep");
	struct measures m;
	if (!analysis_measure(&plain, NULL, j->cancel, NULL, &m, NULL)) {
		const struct setup own = own_setup(j->setup);
		if (!analysis_measure(&own, NULL, j->cancel, NULL, &m, err))
			return false;
	}
	out->equivariance = value_of(m.equivariance);
	out->shift = value_of(m.shift);
	out->shift_random = value_of(m.shift_random);
	out->constant_bias = m.constant_bias;
	return true;
}

/* ---- kept as numbers ---------------------------------------------------------------------------- */

enum { NUMBERS = 8 };

static void pack(const struct behaviour *b, double *out)
{
	const double numbers[NUMBERS] = {b->shift,	   b->shift_random, b->equivariance,
					 b->constant_bias, b->computes,	    b->far,
					 (double)b->acts,  (double)b->later};
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
				  .later = (size_t)n[7]};
}

/* Everything that plain_setup leaves as it is. */
static const char *key_of(const struct setup *s, struct arena *a)
{
	return arena_printf(a, "behaviour %s layers %ld seed %llu init %d activation %d %a %a %a",
			    s->scheme, s->layers, (unsigned long long)s->seed, s->init,
			    s->activation, s->content, s->norm_eps, s->memory);
}

bool analysis_behaviour(const struct setup *setup, struct cache *cache, const atomic_bool *cancel,
			struct behaviour *out, struct err *err)
{
	struct job j = {setup, cancel, {0}};
	double numbers[NUMBERS];
	arena_init(&j.a);
	const char *key = key_of(setup, &j.a);
	bool ok = true;
	if (cache_recall(cache, key, numbers, NUMBERS)) {
		*out = unpack(numbers);
	} else {
		*out = (struct behaviour){0};
		ok = find_measures(&j, out, err);
		if (ok) {
			find_far(&j, out);
			find_acts(&j, out);
			ok = !cancelled(&j) || err_set(err, "cancelled");
		}
		pack(out, numbers);
		if (ok)
			cache_remember(cache, key, numbers, NUMBERS);
	}
	arena_release(&j.a);
	return ok;
}
