/* chunk.c: attention within chunks of a fixed length (Llama 4).
 *
 *   A_ts = -∞ unless ⌊t/C⌋ = ⌊s/C⌋
 *
 * Chunks are counted from the first token of the text; nothing slides. */
#include <math.h>

#include "scheme/mask.h"

struct chunk {
	long size;
};

static bool chunk_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct chunk *p = m->param;
	const struct run *run = head->run;
	const double *position = run_order(run, m, err);
	if (!position)
		return false;
	double *const chunk = arena_calloc(run->arena, run->n + 1, sizeof *chunk);
	for (size_t t = 0; t < run->n; t++)
		chunk[t] = floor(position[t] / (double)p->size);
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			allowed[t * run->n + s] &= !(fabs(chunk[s] - chunk[t]) > 0.5);
	return true;
}

static bool chunk_interval(const void *param, double query, double *first, double *last)
{
	const struct chunk *p = param;
	const double size = (double)p->size, begin = floor(query / size) * size;
	*first = fmax(*first, begin);
	*last = fmin(*last, begin + size - 1);
	return true;
}

static bool chunk_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct chunk *p = m->param;
	if ((size_t)p->size >= run->n)
		run_note(run, m, "all tokens of this text are in one chunk");
	else if (run_reads_given(run, m))
		return err_set(
			err,
			"%s cuts the text after every %ld tokens, and position-ids counts "
			"otherwise; no position-ids would be right, or pos= with the column to cut",
			m->text, p->size);
	return true;
}

static const struct param chunk_params[] = {
	RATIO_PARAM(struct chunk, size, 4, 1, 1e9, 2,
		    "C: tokens to a chunk, counted from the first token; Llama 4 has 8192"),
	{0},
};

static const struct claim chunk_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "in every layer, but the inputs that are measured lie within a chunk", "size > 4"},
	{0},
};

const struct scheme scheme_chunk[] = {
	{
		.id = "chunk",
		.aliases = "chunked chunked-attention",
		.title = "Chunked attention",
		.formula = "A_ts = −∞ unless ⌊t/C⌋ = ⌊s/C⌋",
		.authors = "Meta AI",
		.cite = "@meta2025llama4",
		.about =
			"The text is cut into chunks of C tokens, and a query sees the keys of its own "
			"chunk alone: the first token of a chunk, under the causal mask, sees itself "
			"only, however long the text is.",
		.year = 2025,
		.ref = REF_ABSOLUTE,
		.inj = INJ_OTHER,
		.flags = SCHEME_MASK | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "meta-llama/llama-models a9c89c4, models/llama4/model.py, "
				 "create_chunked_attention_mask, which is causal besides",
		.claims = chunk_claims,
		.params = chunk_params,
		.param_size = sizeof(struct chunk),
		.hooks = {.prepare = chunk_prepare, .mask = chunk_mask, .interval = chunk_interval},
		.reach = mask_reach,
	},
	{0},
};
