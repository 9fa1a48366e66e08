/* pad.c: padding on the left or on the right of a text, which sees nothing and is not seen.
 *
 *   A_ts = -∞ for s or t in the padding
 *
 * [PAD] is a vector of zeros. Position ids begin at the first token of the text and are 0 in the
 * padding on its left, unless reset=off: then padding on the left moves the text, and the numbers
 * of a scheme that reads absolute positions change with the length of the longest text of a batch. */
#include <math.h>
#include <string.h>

#include "scheme/mask.h"

struct pad {
	long left, right;
	bool reset;
};

static const char pad_label[] = "[PAD]";

static bool is_pad(const struct axis *axis, size_t i)
{
	return axis->token[i] < 0 && strcmp(axis->labels[i], pad_label) == 0;
}

/* Gives the padding the segment of the token that it stands beside. */
static bool join_segments(struct run *run, const struct pad *p, struct err *err)
{
	const double *const old = run_find_column(run, "segment");
	const size_t first = (size_t)p->left, behind = run->n - (size_t)p->right;
	double *const out = arena_alloc(run->arena, run->n * sizeof *out);
	for (size_t t = 0; t < run->n; t++)
		out[t] = old[t < first ? first : t >= behind ? behind - 1 : t];
	return run_add_column(run, "segment", out, err);
}

static bool pad_units(struct run *run, const struct member *m, struct err *err)
{
	const struct pad *p = m->param;
	const struct mat zero = mat_zero(run->arena, 1, run->model->config.d);
	for (long i = 0; i < p->left; i++)
		run_insert_unit(run, 0, pad_label, tape_const(run->tape, zero));
	for (long i = 0; i < p->right; i++)
		run_insert_unit(run, run->n, pad_label, tape_const(run->tape, zero));
	return join_segments(run, p, err);
}

static bool pad_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct pad *p = m->param;
	const double *const at = run_column(run, m, err);
	if (at && !p->reset && p->left > 0 && (size_t)p->left < run->n)
		run_note(
			run, m,
			arena_printf(run->arena,
				     "position ids count the padding: '%s' is at %g, without it at "
				     "0: absolute positions give it other numbers here, distances "
				     "do not",
				     run->queries->labels[p->left], at[p->left]));
	if (!at || !p->reset || p->left == 0)
		return at != NULL;
	double *const out = arena_alloc(run->arena, run->n * sizeof *out);
	for (size_t t = 0; t < run->n; t++)
		out[t] = is_pad(run->queries, t) && t < (size_t)p->left
				 ? 0
				 : fmax(0, at[t] - (double)p->left);
	return run_add_column(run, m->pos, out, err);
}

static bool pad_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)m, (void)err;
	const struct run *run = head->run;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			if (is_pad(run->queries, t) || is_pad(run->queries, s))
				allowed[t * run->n + s] = 0;
	return true;
}

static const struct param pad_params[] = {
	NUMBER_PARAM(struct pad, left, 2, 0, 256, 1, "[PAD] in front of the text"),
	NUMBER_PARAM(struct pad, right, 0, 0, 256, 1, "[PAD] behind the text"),
	SWITCH_PARAM(struct pad, reset, true,
		     "on: position ids begin at the first token of the text; off: they count the "
		     "padding on its left"),
	{0},
};

static const struct claim pad_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, "the mask goes by what is padding, not by positions"},
	{CLAIM_RECURRING, ANSWER_UNSAID, "without [PAD] nothing is hidden",
	 "left == 0 && right == 0"},
	{0},
};

const struct scheme scheme_pad[] = {
	{
		.id = "pad",
		.title = "Padding",
		.formula = "A_ts = −∞ for s or t in the padding",
		.authors = "posviz",
		.cite = "ours: what libraries do to texts of a batch that are shorter than the longest",
		.recipe =
			"part.unit of layer 0 has `left` rows of 0 in front of the rows of units, and "
			"`right` behind",
		.about =
			"[PAD] fills a text up, and no query sees it. On the right it changes nothing; "
			"on the left it moves the text, unless position ids begin at its first token.",
		.year = 2026,
		.inj = INJ_OTHER,
		.flags = SCHEME_MASK | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_OURS,
		.evidence_note = "position ids as the running sum of the attention mask less 1, as "
				 "generation code of libraries makes them",
		.claims = pad_claims,
		.params = pad_params,
		.param_size = sizeof(struct pad),
		.hooks = {.units = pad_units,
			  .positions = pad_positions,
			  .mask = pad_mask,
			  .ids = IDS_OF_PADDING},
		.reach = mask_reach,
	},
	{0},
};
