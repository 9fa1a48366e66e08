/* check.c: what a scheme's descriptor claims against what it does here.
 *
 * Three things stay apart: what the survey prints (flags and claims), what was made (leaves), and
 * what was measured. A claim is tested on the probe and under identity and random projections; a
 * verdict is wrong only when behaviour contradicts what the descriptor says holds here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/analysis.h"

static const double relative_tolerance = 1e-9;

static const char *const claim_names[CLAIM_KINDS] = {
	[CLAIM_RELATIVE] = "relative",	 [CLAIM_UNBOUNDED] = "unbounded",
	[CLAIM_LEARNABLE] = "learnable", [CLAIM_RECURRING] = "recurring",
	[CLAIM_COUNT] = "parameters",
};

struct check {
	const struct setup *setup;
	struct cache *cache;
	struct arena *a;
	const struct scheme *scheme;
	struct measures measures;
	struct built b;
};

static bool flag_says(const struct scheme *s, enum claim_kind kind)
{
	switch (kind) {
	case CLAIM_RELATIVE:
		return s->ref == REF_RELATIVE;
	case CLAIM_UNBOUNDED:
		return s->flags & SCHEME_UNBOUNDED;
	case CLAIM_LEARNABLE:
		return s->flags & SCHEME_LEARNABLE;
	case CLAIM_RECURRING:
		return s->flags & SCHEME_RECURRING;
	default:
		return false;
	}
}

static const struct claim *claim_row(const struct scheme *s, enum claim_kind kind)
{
	for (const struct claim *c = s->claims; c && c->kind != CLAIM_KINDS; c++)
		if (c->kind == kind)
			return c;
	return NULL;
}

/* ---- behaviour --------------------------------------------------------------------------------- */

enum { LONG = 512, T_MAX = 24, FAR = 64 };

/* The scheme on a sentence and sizes of ours: what a descriptor says does not hang on the user's. */
static struct setup plain_setup(const struct check *c, const char *sentence)
{
	struct setup plain = *c->setup;
	plain.t_max = T_MAX;
	plain.heads = 2;
	plain.d_model = 16;
	plain.ff = 0;
	plain.tokens = TOKENS_WORDS;
	plain.sentence = sentence;
	plain.order = "identity";
	plain.special = "none";
	plain.probe = "ones";
	plain.file = plain.units = plain.weights = plain.params = plain.map = "";
	return plain;
}

/* Whether the last output changes when the members leave out one layer. */
static bool acts_in_layer(struct check *c, const struct built *b, size_t layer, struct mat base)
{
	struct member members[MODEL_MAX_MEMBERS];
	for (size_t i = 0; i < b->n_members; i++) {
		members[i] = b->members[i];
		members[i].layers &= ~(1ull << layer);
	}
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct model model;
	struct trace trace;
	return !model_build(&model, &b->model.config, members, b->n_members, NULL, c->a, NULL) ||
	       !model_run(&model, &b->model_input, &want, c->cache, NULL, c->a, &trace, NULL) ||
	       mat_max_abs_diff(trace.layers[trace.n_layers - 1].output, base) > 1e-12;
}

/* Position information enters anew in every layer after the first. */
static bool recurring(struct check *c, const char **found)
{
	struct setup deep = plain_setup(c, "the cat that the dog chased fell");
	deep.layers = deep.layers < 3 ? 3 : deep.layers;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&deep, &want, c->cache, NULL, c->a, &b, &trace, &err)) {
		*found = arena_strdup(c->a, err.text);
		return false;
	}
	const struct mat base = trace.layers[trace.n_layers - 1].output;
	const size_t later = b.model.config.layers - 1;
	size_t acts = 0;
	for (size_t l = 1; l <= later; l++)
		acts += acts_in_layer(c, &b, l, base);
	*found = acts == later ? "acts in every layer"
		 : acts == 0   ? "acts in front of layer 1, or in it, and nowhere else"
			       : arena_printf(c->a, "acts in %zu of the %zu layers after the first",
					      acts, later);
	return acts == later;
}

/* Computes far beyond t_max, and keeps telling distances apart there: bounded by an error, or by the
 * same logits for ever (clipping counts as bounded, survey §3.4). */
static bool unbounded(struct check *c, const char **found)
{
	char text[2 * LONG + 1] = "";
	for (size_t i = 0; i < LONG; i++)
		memcpy(text + 2 * i, "a ", 3);
	const struct setup longer = plain_setup(c, text);
	const struct want want = {.kinds = WANT_BIAS, .layer = 0, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&longer, &want, c->cache, NULL, c->a, &b, &trace, &err)) {
		*found = arena_printf(c->a, "refuses %d tokens with t-max %d", LONG, T_MAX);
		return false;
	}
	bool same = trace.bias_absent == NULL, any = false;
	for (size_t h = 0; h < b.model.config.heads && same; h++) {
		const struct mat m = trace.layers[0].heads[h].bias;
		const double *last = mat_row(m, LONG - 1), *first = mat_row(m, 0);
		/* The farthest places, looking back and looking ahead. */
		for (size_t s = 0; s < FAR; s++)
			same &= fabs(last[s] - last[s + 1]) < 1e-12 &&
				fabs(first[LONG - 1 - s] - first[LONG - 2 - s]) < 1e-12;
		any |= fabs(last[LONG - 2] - last[0]) > 1e-12 ||
		       fabs(first[1] - first[LONG - 1]) > 1e-12;
	}
	*found = arena_printf(c->a, "computes %d tokens with t-max %d%s", LONG, T_MAX,
			      !any   ? ""
			      : same ? ", but far distances are all one"
				     : " and tells far distances apart");
	return !(same && any);
}

static void judge_relative(struct check *c, struct verdict *v)
{
	const struct measures *m = &c->measures;
	const double worst = fmax(m->shift.there ? m->shift.value : 0,
				  m->shift_random.there ? m->shift_random.value : 0);
	const bool there = m->shift.there && m->shift_random.there;
	v->measured = there && worst <= relative_tolerance && !m->constant_bias;
	v->found = !there ? m->shift.why ? m->shift.why : m->shift_random.why
			  : arena_printf(c->a,
					 "a shift moves logits by %.1e on the probe, %.1e under a "
					 "random projection (tolerance %.0e, seed %llu)%s",
					 m->shift.value, m->shift_random.value, relative_tolerance,
					 (unsigned long long)c->setup->seed,
					 m->constant_bias ? "; the bias is constant" : "");
}

static void judge_count(struct check *c, struct verdict *v)
{
	const struct model *model = &c->b.model;
	const struct scheme *s = c->scheme;
	const size_t made = model_position_parameters(model);
	double expected = 0;
	const void *param = expr_main(&c->b.expr)->param;
	const bool there = !s->count_made ||
			   count_eval(s->count_made, &model->config, s, param, &expected, NULL);
	v->measured = there && fabs(expected - (double)made) < 0.5;
	v->claimed = ANSWER_YES;
	v->printed = ANSWER_UNSAID;
	double printed;
	const char *print =
		s->count_printed && count_eval(s->count_printed, &model->config, s, param, &printed,
					       NULL)
			? arena_printf(c->a, "; printed %s = %.0f", s->count_printed, printed)
			: "; nothing printed";
	v->found = arena_printf(c->a, "%zu made, %s = %.0f%s", made,
				s->count_made ? s->count_made : "0", expected, print);
}

static void judge(struct check *c, enum claim_kind kind, struct verdict *v)
{
	const struct claim *row = claim_row(c->scheme, kind);
	const enum answer flag = flag_says(c->scheme, kind) ? ANSWER_YES : ANSWER_NO;
	const bool unsaid = c->scheme->flags & SCHEME_NOT_IN_SURVEY;
	*v = (struct verdict){.claim = claim_names[kind],
			      .printed = row	  ? row->printed
					 : unsaid ? ANSWER_UNSAID
						  : flag,
			      .claimed = row ? row->holds : flag,
			      .why = row ? row->why : NULL};
	switch (kind) {
	case CLAIM_RELATIVE:
		judge_relative(c, v);
		break;
	case CLAIM_UNBOUNDED:
		v->measured = unbounded(c, &v->found);
		break;
	case CLAIM_LEARNABLE:
		v->measured = model_position_parameters(&c->b.model) > 0;
		v->found = arena_printf(c->a, "%zu learned numbers",
					model_position_parameters(&c->b.model));
		break;
	case CLAIM_RECURRING:
		v->measured = recurring(c, &v->found);
		break;
	default:
		judge_count(c, v);
		break;
	}
	v->ok = v->measured == (v->claimed == ANSWER_YES);
}

/* The scheme alone, wherever the expression lets it act. */
static const char *main_alone(const struct expr *e, struct arena *a)
{
	struct expr_member m = *expr_main(e);
	m.layers_text = m.heads_text = NULL;
	m.layers = m.heads = ~0ull;
	return expr_print_member(&m, a);
}

bool analysis_check(const struct setup *setup, struct cache *cache, struct arena *a,
		    struct verdict *out, size_t *n, struct err *err)
{
	struct expr e;
	if (!expr_parse(&e, setup->scheme, a, err))
		return false;
	struct setup alone = *setup;
	alone.scheme = main_alone(&e, a);
	alone.proj = PROJ_IDENTITY;
	struct check c = {.setup = &alone, .cache = cache, .a = a};
	const struct setup plain = plain_setup(&c, "the cat that the dog chased fell asleep");
	if (!setup_build(&alone, a, &c.b, err) ||
	    !analysis_measure(&plain, cache, NULL, NULL, &c.measures, err))
		return false;
	c.scheme = expr_main(&c.b.expr)->scheme;
	for (enum claim_kind kind = 0; kind < CLAIM_KINDS; kind++)
		judge(&c, kind, &out[kind]);
	*n = CLAIM_KINDS;
	return true;
}
