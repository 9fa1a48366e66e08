/* reach.c: the distances that training on t_max positions covers, for a whole expression. */
#include <math.h>

#include "posviz/scheme/reach.h"
#include "posviz/scheme/scheme.h"
#include "scheme/pairwise.h"
#include "scheme/rope.h"

double reach_of_pair(double now, double then, double positions)
{
	static const double two_pi = 6.283185307179586;
	static const double rounding = 1e-12; /* the end itself, f·L times then/f, is outside */
	const double shown = positions * then;
	if (now <= 0)
		return INFINITY;
	return shown >= two_pi ? INFINITY : ceil(shown / now * (1 - rounding)) - 1;
}

enum { DEEPEST = 4 }; /* nesting of combinations */

static bool acts(const struct expr_member *m, const struct model_config *config, size_t head)
{
	return subset_has(&m->layers, 0) && (head >= config->heads || subset_has(&m->heads, head));
}

static bool is_rope(const struct scheme *s)
{
	return s->hooks.qk == rope_qk;
}

static bool has_rope(const struct expr *e)
{
	bool any = false;
	for (size_t i = 0; i < e->n; i++)
		any |= is_rope(e->members[i].scheme);
	return any;
}

/* Returns the reach of rotations, which a rule of pairs beside them may extend. */
static double reach_beside(const struct expr *e, const struct model_config *config, size_t head,
			   double covered)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		if (pairwise_is(&m->scheme->hooks) && acts(m, config, head))
			covered = pairwise_reach(&m->scheme->hooks, m->param, covered);
	}
	return covered;
}

static double reach_of(const struct expr *e, const struct model_config *config, size_t head,
		       int depth, struct arena *a)
{
	double least = INFINITY;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *m = &e->members[i];
		const struct scheme *s = m->scheme;
		double own = INFINITY;
		struct expr inner;
		if (!acts(m, config, head) || (pairwise_is(&s->hooks) && has_rope(e)))
			continue;
		if (s->expression && depth < DEEPEST && expr_parse(&inner, s->expression, a, NULL))
			own = reach_of(&inner, config, head, depth + 1, a);
		else if (s->reach)
			own = is_rope(s) || pairwise_is(&s->hooks)
				      ? reach_beside(e, config, head, s->reach(m->param, config))
				      : s->reach(m->param, config);
		else if (s->ref != REF_NONE && !(s->flags & SCHEME_MASK))
			own = (double)config->t_max - 1;
		least = fmin(least, own);
	}
	return least;
}

double expr_reach(const struct expr *e, const struct model_config *config, size_t head,
		  struct arena *a)
{
	return reach_of(e, config, head, 0, a);
}
