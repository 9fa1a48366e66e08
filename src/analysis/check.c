/* check.c: the claims of a scheme's descriptor compared with its behaviour.
 *
 * Three things are kept separate: what the survey prints (flags and claims), what was built
 * (leaves), and what was measured. A claim is tested on the probe and under identity and random
 * projections; a verdict is wrong only when behaviour contradicts the descriptor's claim for
 * these parameters. If the descriptor claims nothing, because the answer depends on a file or a
 * formula, there is no verdict. */
#include <math.h>

#include "analysis_in.h"

static const char *const claim_names[CLAIM_KINDS] = {
	[CLAIM_RELATIVE] = "relative",	 [CLAIM_UNBOUNDED] = "unbounded",
	[CLAIM_LEARNABLE] = "learnable", [CLAIM_RECURRING] = "recurring",
	[CLAIM_COUNT] = "parameters",
};

/* Tests of theorems that hold for a kind of scheme whatever it claims: each returns false if it
 * does not apply. */
static bool (*const theorems[])(struct check *c, struct verdict *v) = {theorem_rank, theorem_split,
								       theorem_gradients, NULL};

/* ---- behaviour ------------------------------------------------------------------------------- */

bool behaviour_is(const struct behaviour *b, enum claim_kind kind)
{
	switch (kind) {
	case CLAIM_RELATIVE: /* a comparison with NaN is false */
		return b->shift <= relative_tolerance && b->shift_random <= relative_tolerance &&
		       !b->constant_bias;
	case CLAIM_UNBOUNDED: /* clipped distances count as bounded, survey §3.4 */
		return b->computes && b->far != FAR_ONE;
	case CLAIM_RECURRING:
		return b->later > 0 && b->acts == b->later;
	default:
		BUG("no claim on behaviour");
	}
}

static const char *found_relative(const struct check *c)
{
	const struct behaviour *is = &c->is;
	if (isnan(is->shift) || isnan(is->shift_random))
		return "n/a: there is nothing to compare under a shift";
	return arena_printf(c->a,
			    "a shift moves logits by %.1e on the probe, %.1e under a random "
			    "projection (tolerance %.0e, seed %llu)%s",
			    is->shift, is->shift_random, relative_tolerance,
			    (unsigned long long)c->setup->seed,
			    is->constant_bias ? "; the bias is constant" : "");
}

static const char *found_unbounded(const struct check *c)
{
	static const char *const far[] = {[FAR_UNSAID] = "",
					  [FAR_ONE] = ", but far distances are all one",
					  [FAR_TOLD] = " and tells far distances apart"};
	return c->is.computes ? arena_printf(c->a, "computes %d tokens with t-max %d%s",
					     BEHAVIOUR_LONG, BEHAVIOUR_T_MAX, far[c->is.far])
			      : arena_printf(c->a, "refuses %d tokens with t-max %d",
					     BEHAVIOUR_LONG, BEHAVIOUR_T_MAX);
}

static const char *found_recurring(const struct check *c)
{
	const struct behaviour *is = &c->is;
	if (is->later == 0)
		return "does not compute several layers";
	if (is->acts == is->later)
		return "acts in every layer";
	return is->acts == 0 ? "acts in front of layer 1, or in it, and nowhere else"
			     : arena_printf(c->a, "acts in %zu of the %zu layers after the first",
					    is->acts, is->later);
}

static void judge_count(struct check *c, struct verdict *v)
{
	const struct model *model = &c->b.model;
	const char *const formula = c->scheme->count_printed;
	const size_t made = model_position_parameters(model);
	const double printed =
		scheme_value(c->scheme, expr_main(&c->b.expr)->param, &model->config, formula);
	v->measured = fabs(printed - (double)made) < 0.5;
	v->found = arena_printf(c->a, "%zu made; printed %s = %.0f", made, formula, printed);
}

static void judge(struct check *c, enum claim_kind kind, struct verdict *v)
{
	const void *const param = expr_main(&c->b.expr)->param;
	const struct claim *const row = scheme_claim(c->scheme, param, kind);
	*v = (struct verdict){.claim = claim_names[kind],
			      .printed = scheme_printed(c->scheme, kind),
			      .claimed = scheme_holds(c->scheme, param, kind),
			      .why = row ? row->why : NULL};
	if (kind == CLAIM_LEARNABLE) {
		const size_t made = model_position_parameters(&c->b.model);
		const size_t frozen = model_frozen_parameters(&c->b.model);
		v->measured = made > frozen;
		v->found = arena_printf(c->a, "%zu learned numbers", made);
		if (frozen > 0)
			v->found = arena_printf(c->a, "%s, %zu of them frozen", v->found, frozen);
	} else if (kind == CLAIM_COUNT) {
		judge_count(c, v);
	} else {
		v->measured = behaviour_is(&c->is, kind);
		v->found = kind == CLAIM_RELATIVE    ? found_relative(c)
			   : kind == CLAIM_UNBOUNDED ? found_unbounded(c)
						     : found_recurring(c);
	}
	v->ok = v->claimed == ANSWER_UNSAID || v->measured == (v->claimed == ANSWER_YES);
}

/* Returns the main scheme alone, without a weight, on all layers and heads. */
static const char *main_alone(const struct expr *e, struct arena *a)
{
	struct expr_member m = *expr_main(e);
	m.layers_text = m.heads_text = NULL;
	m.layers = m.heads = SUBSET_ALL;
	m.weight = 1;
	return expr_print_member(&m, a);
}

bool analysis_check(const struct setup *setup, struct cache *cache, struct arena *a,
		    struct verdict *out, size_t *n, struct err *err)
{
	const struct expr *const e = expr_of(setup->scheme, a, err);
	if (!e)
		return false;
	struct setup alone = *setup;
	alone.scheme = main_alone(e, a);
	alone.proj = PROJ_IDENTITY;
	alone.pack = PACK_OFF;
	alone.pad = "none";
	struct check c = {.setup = &alone, .a = a};
	if (!setup_build(&alone, a, &c.b, err))
		return false;
	if (model_looked_at(&c.b.model))
		return err_set(err,
			       "%s: queries are other tokens than keys, so there is no claim that "
			       "could be measured; --expect asks for its numbers",
			       alone.scheme);
	if (!analysis_behaviour(&alone, cache, NULL, &c.is, err))
		return false;
	c.scheme = expr_main(&c.b.expr)->scheme;
	*n = 0;
	for (enum claim_kind kind = 0; kind < CLAIM_KINDS; kind++)
		if (kind != CLAIM_COUNT || c.scheme->count_printed != NULL)
			judge(&c, kind, &out[(*n)++]);
	for (size_t i = 0; theorems[i]; i++) {
		struct verdict v = {.printed = ANSWER_UNSAID, .claimed = ANSWER_YES};
		if (theorems[i](&c, &v)) {
			v.ok = v.measured == (v.claimed == ANSWER_YES);
			out[(*n)++] = v;
		}
	}
	return true;
}
