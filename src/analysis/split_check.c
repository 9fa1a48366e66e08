/* split_check.c: a test whether the bias of a scheme that adds to the logits by distance is a
 * function of distance alone. */
#include "analysis_in.h"
#include "posviz/analysis/split.h"

/* The whole variance, up to rounding. */
static const double all = 1 - 1e-9;

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
	if (c->scheme->inj != INJ_MATRIX || c->scheme->flags & structural ||
	    scheme_holds(c->scheme, param, CLAIM_RELATIVE) != ANSWER_YES ||
	    !setup_build(&setup, c->a, b, &err) ||
	    !built_run(b, &b->model_input, &want, NULL, NULL, c->a, &trace, &err))
		return false;
	const struct trace_head *const head = &trace.layers[0].heads[0];
	if (!head->bias.at || trace.bias_absent || trace.bias_is_mask)
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
