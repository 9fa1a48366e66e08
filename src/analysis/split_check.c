/* split_check.c: a test whether the bias of a scheme that adds to the logits by distance is a
 * function of distance alone. */
#include "analysis_in.h"
#include "posviz/analysis/split.h"

/* The whole variance, up to rounding, of a bias that rounding does not make: the bias of equal token vectors under a
 * rotation by 1e-6 is 1e-12. */
static const double all = 1 - 1e-9, least = 1e-10;

bool theorem_split(struct check *c, struct verdict *v)
{
	static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	const struct setup setup = behaviour_setup(c->setup);
	const struct want want = {.kinds = WANT_BIAS | WANT_MASK};
	const void *const param = expr_main(&c->b.expr)->param;
	struct built *const b = arena_calloc(c->a, 1, sizeof *b);
	struct trace trace;
	struct split split;
	struct err err = {""};
	double low, high;
	if (c->scheme->inj != INJ_MATRIX || c->scheme->flags & structural ||
	    scheme_holds(c->scheme, param, CLAIM_RELATIVE) != ANSWER_YES ||
	    !setup_build(&setup, c->a, b, &err) ||
	    !built_run(b, &b->model_input, &want, NULL, NULL, c->a, &trace, &err))
		return false;
	const struct trace_head *const head = &trace.layers[0].heads[0];
	if (!head->bias.at || trace.bias_absent || trace.bias_is_mask ||
	    !mat_range(head->bias, &low, &high) || high - low < least)
		return false;
	split_make(&(struct split_of){.m = head->bias,
				      .mask = head->mask,
				      .number = split_distances(&trace, c->a)},
		   false, c->a, &split);
	if (split.why)
		return false;
	v->claim = "f(s-t)";
	v->measured = split.distance > all;
	v->found = arena_printf(c->a, "the bias of %zu tokens is %s", trace.query.n,
				split_show(&split, "distance", c->a));
	return true;
}
