/* rank_check.c: bounds of the rank of logits, and whether they hold.
 *
 * If positions are added to the token vectors the logits are still a product of queries and
 * keys, of rank d_h at most. Positions in a separate product raise the bound to d_h + d_p (Chen
 * et al. 2021, Theorem 1; its proof assumes d_p > d_h, but does not need it). With random
 * projections both bounds are reached. */
#include "analysis_in.h"
#include "posviz/analysis/rank.h"

void rank_bounds(const struct expr *expr, const struct model_config *config,
		 struct rank_bounds *out)
{
	const struct expr_member *const m = expr_main(expr);
	const struct scheme *const s = m->scheme;
	*out = (struct rank_bounds){.dk = model_dk(config)};
	if (expr->n != 1 || !s->added_rank)
		return;
	out->dp = (size_t)scheme_value(s, m->param, config, s->added_rank);
	if (s->segments_when)
		out->segments = (size_t)scheme_value(s, m->param, config, "segments");
}

/* Returns a setup with more tokens than the bounds, and more columns than tokens, so that
 * nothing else limits the rank. */
static struct setup theorem_setup(const struct setup *setup)
{
	struct setup s = behaviour_setup(setup);
	s.sentence = "a b c d e f g h i j k l m n o p q r s t u v w x";
	s.t_max = 64;
	s.d_model = 32;
	s.heads = 8;
	s.layers = 1;
	s.proj = PROJ_RANDOM;
	return s;
}

static size_t rank_in(const struct check *c, struct mat m)
{
	struct rank r;
	rank_of(m, 0, 0, c->a, &r);
	return r.numerical;
}

/* Returns whether logits are the product of queries and keys and nothing else. */
static bool only_products(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *const h = b->members[i].hooks;
		if (h->logits || h->content || h->adjust || h->adjust_heads || h->no_logits)
			return false;
	}
	return true;
}

bool theorem_rank(struct check *c, struct verdict *v)
{
	const struct setup setup = theorem_setup(c->setup);
	const struct want want = {.kinds = WANT_TERMS | WANT_LOGITS | WANT_POSITION};
	struct built *const b = arena_calloc(c->a, 1, sizeof *b);
	struct trace trace;
	struct rank_bounds bounds;
	struct err err = {""};
	if (!setup_build(&setup, c->a, b, &err) ||
	    !built_run(b, &b->model_input, &want, NULL, NULL, c->a, &trace, &err))
		return false;
	const struct trace_head *const head = &trace.layers[0].heads[0];
	rank_bounds(&b->expr, &b->model.config, &bounds);
	const bool added = trace.position_vectors.at && only_products(b);
	if (!head->logits.at || trace.planes > 1 || (bounds.dp == 0 && !added))
		return false;
	const size_t most = added ? bounds.dk : bounds.dk + bounds.dp + bounds.segments;
	const size_t is = rank_in(c, head->logits), n = trace.query.n;
	if (most >= n)
		return false;
	v->claim = "rank";
	v->measured = is <= most;
	v->found = arena_printf(c->a, "logits of %zu tokens have rank %zu, at most %s = %zu", n, is,
				added		      ? "d_h"
				: bounds.segments > 0 ? "d_h + d_p + segments"
						      : "d_h + d_p",
				most);
	return true;
}
