/* claim.c: what is printed of a scheme, and what holds of it with these parameters.
 *
 * A claim without a row is what the flags say: as printed where the survey has it, else ours. */
#include "posviz/scheme.h"

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
		return true; /* a count is that of the leaves */
	}
}

enum answer scheme_printed(const struct scheme *s, enum claim_kind kind)
{
	if (s->flags & SCHEME_NOT_IN_SURVEY || kind == CLAIM_COUNT)
		return ANSWER_UNSAID;
	return flag_says(s, kind) ? ANSWER_YES : ANSWER_NO;
}

static bool is_so(const char *when, const struct scheme *s, const void *param)
{
	struct err err = {""};
	double value = 1;
	if (when != NULL && !count_eval(when, NULL, s, param, &value, &err))
		BUG("a claim of %s: %s", s->id, err.text);
	return value != 0;
}

const struct claim *scheme_claim(const struct scheme *s, const void *param, enum claim_kind kind)
{
	for (const struct claim *c = s->claims; c != NULL && c->kind != CLAIM_KINDS; c++)
		if (c->kind == kind && is_so(c->when, s, param))
			return c;
	return NULL;
}

enum answer scheme_holds(const struct scheme *s, const void *param, enum claim_kind kind)
{
	const struct claim *const row = scheme_claim(s, param, kind);
	return row != NULL ? row->holds : flag_says(s, kind) ? ANSWER_YES : ANSWER_NO;
}

bool scheme_is_causal(const struct scheme *s, const void *param)
{
	static const char name[] = "causal";
	const struct param *const p = scheme_param(s, name, sizeof name - 1);
	if (s->causal_when != NULL)
		return is_so(s->causal_when, s, param);
	if (p != NULL && p->kind == PARAM_BOOL)
		return *(const bool *)((const char *)param + p->offset);
	return s->flags & SCHEME_CAUSAL;
}

bool scheme_reads_numbers(const struct scheme *s, const void *param)
{
	return is_so(s->numbers_when, s, param);
}

bool scheme_reads_segments(const struct scheme *s, const void *param)
{
	return s->segments_when != NULL && is_so(s->segments_when, s, param);
}
