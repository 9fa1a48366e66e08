/* pack.c: several texts in one sequence, none of which sees another.
 *
 *   A_ts = -∞ unless segment(t) = segment(s)
 *
 * The texts are the segments of the input. Position ids begin anew in each, unless reset=off: then
 * a text that stands behind another has other absolute positions than alone, and the numbers of a
 * scheme that reads them change with what was packed in front. */
#include <math.h>

#include "scheme/mask.h"

struct pack {
	bool reset;
};

/* Returns the segments of the tokens, with a note if they are all one. */
static const double *segments_of(struct run *run, const struct member *m)
{
	const double *const segment = run_find_column(run, "segment");
	bool one = true;
	for (size_t i = 1; i < run->n; i++)
		one = one && fabs(segment[i] - segment[0]) < 0.5;
	if (one)
		run_note(run, m, "there is one text: ' ||| ' in the sentence parts several");
	return segment;
}

/* Says where ids that go on differ from those that a text has alone. */
static void note_ids(struct run *run, const struct member *m, const double *segment,
		     const double *at)
{
	for (size_t t = 1; t < run->n; t++) {
		if (fabs(segment[t] - segment[t - 1]) < 0.5)
			continue;
		run_note(run, m,
			 arena_printf(run->arena,
				      "position ids go on: '%s' is at %g, alone at 0: absolute "
				      "positions give it other numbers here, distances do not",
				      run->queries->labels[t], at[t]));
		return;
	}
}

static bool pack_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct pack *p = m->param;
	const double *const segment = segments_of(run, m), *const at = run_column(run, m, err);
	if (at && !p->reset)
		note_ids(run, m, segment, at);
	if (!at || !p->reset)
		return at != NULL;
	if (run_reads_given(run, m))
		return err_set(
			err,
			"%s counts the positions of each text anew, and position-ids gives them; "
			"reset=off, or no position-ids, would be right",
			m->text);
	double *const out = arena_alloc(run->arena, run->n * sizeof *out);
	for (size_t t = 0; t < run->n; t++) {
		double first = at[t];
		for (size_t s = 0; s < run->n; s++)
			if (fabs(segment[s] - segment[t]) < 0.5)
				first = fmin(first, at[s]);
		out[t] = at[t] - first;
	}
	return run_add_column(run, m->pos, out, err);
}

static bool pack_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)m, (void)err;
	const struct run *run = head->run;
	const double *const segment = run_find_column(run, "segment");
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			if (fabs(segment[s] - segment[t]) > 0.5)
				allowed[t * run->n + s] = 0;
	return true;
}

static const struct param pack_params[] = {
	SWITCH_PARAM(
		struct pack, reset, true,
		"on: position ids begin anew in each text; off: they go on, so a text has other "
		"ones than alone"),
	{0},
};

static const struct claim pack_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, "the mask goes by texts, and knows nothing of positions"},
	{CLAIM_RECURRING, ANSWER_UNSAID, "in every layer where there are several texts"},
	{0},
};

const struct scheme scheme_pack[] = {
	{
		.id = "pack",
		.title = "Packed texts",
		.formula = "A_ts = −∞ unless segment(t) = segment(s)",
		.authors = "posviz",
		.cite = "ours: what training code calls packing, or a document mask",
		.about =
			"Several texts share a sequence, and a query sees the keys of its own text "
			"alone. With positions that begin anew each text has the numbers it has "
			"alone; without, absolute positions change with what stands in front.",
		.year = 2026,
		.inj = INJ_OTHER,
		.flags = SCHEME_MASK | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_OURS,
		.evidence_note =
			"attention within segments, ids from 0 in each, as training code does",
		.claims = pack_claims,
		.numbers_when = "reset",
		.segments_when = "1",
		.params = pack_params,
		.param_size = sizeof(struct pack),
		.hooks = {.positions = pack_positions, .mask = pack_mask, .ids = IDS_OF_PACKING},
		.reach = mask_reach,
	},
	{0},
};
