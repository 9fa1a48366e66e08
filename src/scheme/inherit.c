/* inherit.c: the properties that a name for an expression takes from the schemes it stands for. */
#include "scheme/inherit.h"

static unsigned flags_of(const struct expr_member *m)
{
	unsigned own = m->scheme->flags & ~(unsigned)SCHEME_CAUSAL;
	if (scheme_holds(m->scheme, m->param, CLAIM_LEARNABLE) == ANSWER_NO)
		own &= ~(unsigned)SCHEME_LEARNABLE;
	return scheme_is_causal(m->scheme, m->param) ? own | SCHEME_CAUSAL : own;
}

/* Learned, causal and the like if one of them is; unbounded if all are, apart from masks. */
static unsigned common_flags(const struct expr *e)
{
	static const unsigned any = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_CAUSAL |
				    SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	unsigned flags = SCHEME_UNBOUNDED;
	for (size_t i = 0; i < e->n; i++) {
		const unsigned own = flags_of(&e->members[i]);
		flags |= own & any;
		if (!(own & (SCHEME_UNBOUNDED | SCHEME_MASK)))
			flags &= ~(unsigned)SCHEME_UNBOUNDED;
	}
	return flags;
}

void scheme_inherit(struct scheme *s, const struct expr *e)
{
	const struct scheme *const main = expr_main(e)->scheme;
	if (s->ref == REF_NONE && s->inj == INJ_NONE) {
		s->ref = main->ref;
		s->inj = main->inj;
		s->flags |= common_flags(e);
	}
	if (s->topic == TOPIC_SEQUENCE)
		s->topic = main->topic;
	if (s->rows == ROWS_STOCHASTIC)
		s->rows = main->rows;
	if (s->formula == NULL)
		s->formula = main->formula;
	if (s->cite == NULL) {
		s->authors = main->authors;
		s->cite = main->cite;
		s->year = main->year;
	}
	if (s->demo_note == NULL && s->flags & SCHEME_LEARNABLE)
		s->demo_note = main->demo_note;
}
