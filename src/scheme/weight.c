/* weight.c: see weight.h. The effects of a member are determined by its hooks; one whose hooks
 * can do more than they do with its parameters says so in hooks.only_terms. */
#include "scheme/weight.h"

#include "posviz/base/num.h"

static bool changes_qk(const struct member *m)
{
	const struct hooks *const h = m->hooks;
	return h->qk || h->project || h->shortens || (h->identity_keys && h->identity_keys(m));
}

/* Returns an effect of the member that a factor of its terms would not scale; NULL: there is
 * none. */
static const char *other_effect(const struct member *m)
{
	const struct hooks *const h = m->hooks;
	if (m->scheme->flags & SCHEME_MASK)
		return "is a mask, which forbids a pair or does not";
	if (h->only_terms && h->only_terms(m))
		return NULL;
	if (h->units)
		return "puts vectors among the tokens";
	if (h->embed || h->beside)
		return "changes the embeddings, whose products the logits are";
	if (h->weights || h->no_logits || h->planes)
		return "makes the attention weights itself";
	if (h->content)
		return "puts logits of its own in place of q·k";
	if (changes_qk(m))
		return "rotates or changes queries and keys";
	if (h->adjust || h->adjust_heads)
		return "changes logits that are there";
	if (h->schedule || h->block || h->feed_forward || h->finish)
		return "changes what the layers do";
	return h->logits ? NULL : "adds nothing to the logits";
}

bool weight_fits_hooks(const struct member *m, struct err *err)
{
	const char *const why = other_effect(m);
	return !why || err_set(err, "%s %s; a weight is of what is added to the logits",
			       m->scheme->id, why);
}

static bool is_mask(const struct scheme *s)
{
	return s->flags & SCHEME_MASK;
}

static bool combination_fits(const struct scheme *s, struct err *err)
{
	struct arena scratch;
	struct expr e;
	arena_init(&scratch);
	bool ok = expr_parse(&e, s->expression, &scratch, err);
	for (size_t i = 0; i < e.n && ok; i++)
		ok = is_mask(e.members[i].scheme) || expr_takes_weight(&e.members[i], err);
	arena_release(&scratch);
	return ok || err_prefix(err, "%s is %s, and ", s->id, s->expression);
}

bool expr_takes_weight(const struct expr_member *m, struct err *err)
{
	if (m->scheme->expression && !is_mask(m->scheme))
		return combination_fits(m->scheme, err);
	const struct member alone = {
		.hooks = &m->scheme->hooks, .scheme = m->scheme, .param = m->param};
	return weight_fits_hooks(&alone, err);
}

void weight_multiply(struct expr_member *m, double by)
{
	if (is_mask(m->scheme))
		return;
	m->weight = m->weight == 1 ? by : by == 1 ? m->weight : num_rounded(m->weight * by);
}
