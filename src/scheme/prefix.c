/* prefix.c: a prefix language model's mask: the first tokens see each other, the others look back.
 *
 *   A_ts = -∞ for s > t, unless s < P */
#include <math.h>

#include "scheme/mask.h"

struct prefix {
	long length;
};

/* A causal mask beside it would undo it. */
static void note_causal(struct run *run, const struct member *m)
{
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct scheme *const s = run->model->members[i].scheme;
		if (s && s->flags & SCHEME_MASK &&
		    scheme_is_causal(s, run->model->members[i].param))
			run_note(
				run, m,
				"the causal mask beside it hides what the prefix shows: prefix alone is "
				"causal behind it");
	}
}

static bool prefix_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	note_causal(run, m);
	return true;
}

static bool prefix_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct prefix *p = m->param;
	const size_t n = head->run->n;
	const double *position = run_order(head->run, m, err);
	if (!position)
		return false;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			if (position[s] > position[t] && position[s] >= (double)p->length)
				allowed[t * n + s] = 0;
	return true;
}

static bool prefix_interval(const void *param, double query, double *first, double *last)
{
	const struct prefix *p = param;
	(void)first;
	*last = fmin(*last, fmax(query, (double)p->length - 1));
	return true;
}

static const struct param prefix_params[] = {
	RATIO_PARAM(struct prefix, length, 3, 0, 1e9, 2,
		    "P: tokens at the front that every token sees; 0: the causal mask"),
	{0},
};

static const struct claim prefix_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, "the prefix begins at the first position"},
	{CLAIM_RECURRING, ANSWER_UNSAID, "a prefix as long as the text masks nothing",
	 "length > 7"},
	{0},
};

const struct scheme scheme_prefix[] = {
	{
		.id = "prefix",
		.title = "Prefix mask",
		.formula = "A_ts = −∞ for s > t, unless s < P",
		.authors = "Raffel et al.",
		.cite = "@raffel2020exploring, section 3.2.1",
		.about =
			"A decoder that is given a text first: the tokens of the prefix see each "
			"other in both directions, as in an encoder, and those behind it look back.",
		.year = 2020,
		.ref = REF_ABSOLUTE,
		.inj = INJ_OTHER,
		.flags = SCHEME_MASK | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3.2.1 of the paper, causal masking with a prefix",
		.claims = prefix_claims,
		.causal_when = "length < 2",
		.numbers_when = "0",
		.params = prefix_params,
		.param_size = sizeof(struct prefix),
		.hooks = {.prepare = prefix_prepare,
			  .mask = prefix_mask,
			  .interval = prefix_interval},
		.reach = mask_reach,
	},
	{0},
};
