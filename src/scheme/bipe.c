/* bipe.c: bilevel positions (He et al. 2024): where a token stands in its segment, and in which
 * segment.
 *
 *   X_t = U_t + P[within_t],  within_t = 0, 1, 2, … from the beginning of the segment on
 *
 * A full stop or a line feed ends a segment and belongs to it. The number of the segment is the
 * column `between`, which a relative scheme reads: rope(pos=between), alibi(factor=96,pos=between). */
#include <string.h>

#include "posviz/scheme/scheme.h"
#include "scheme/leaves.h"
#include "scheme/learned.h"
#include "scheme/reading.h"

enum { BY_STOPS, BY_SEGMENTS };
static const char *const by_names[] = {"stops", "segments", NULL};

struct bipe {
	int by;
	long rows;
};

/* Returns whether the token at row i is the last of its segment. */
static bool ends_segment(const struct run *run, const struct bipe *p, const struct reading *r,
			 size_t i)
{
	const char *const label = run->queries->labels[r->order[i]];
	if (p->by == BY_STOPS)
		return strcmp(label, ".") == 0 || strcmp(label, "\n") == 0 ||
		       strcmp(label, "\\n") == 0;
	const double *const segment = run_find_column(run, "segment");
	return i + 1 < r->n && (segment[r->order[i]] < segment[r->order[i + 1]] ||
				segment[r->order[i]] > segment[r->order[i + 1]]);
}

static bool bipe_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct bipe *p = m->param;
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	double *const between = arena_calloc(run->arena, r.n, sizeof *between);
	double *const within = arena_calloc(run->arena, r.n, sizeof *within);
	double segment = 0, place = 0;
	for (size_t i = 0; i < r.n; i++) {
		between[r.order[i]] = segment;
		within[r.order[i]] = place++;
		if (ends_segment(run, p, &r, i)) {
			segment++;
			place = 0;
		}
	}
	return run_add_column(run, "between", between, err) &&
	       run_add_column(run, "within", within, err);
}

/* Tokens beyond the table have its last row. */
static bool bipe_embed(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct bipe *p = m->param;
	const double *const within = run_find_column(run, "within");
	int32_t *const rows = arena_calloc(run->arena, run->n, sizeof *rows);
	for (size_t t = 0; t < run->n; t++)
		rows[t] = (int32_t)(within[t] < (double)p->rows ? within[t] : (double)p->rows - 1);
	run_add_part(run, "position",
		     tape_gather_rows(run->tape, run_leaf(run, m, "p"), rows, run->n));
	return true;
}

static const struct param bipe_params[] = {
	CHOICE_PARAM(struct bipe, by, BY_STOPS, by_names,
		     "a segment ends behind a token \".\" or a line feed, or where the column "
		     "segment (||| in the sentence) changes"),
	NUMBER_PARAM(struct bipe, rows, 64, 1, 65536, 8,
		     "vectors of positions within a segment; farther ones have the last; the code "
		     "has 1024"),
	{0},
};

static const struct leaf_row bipe_leaves[] = {
	{"p", "rows, d", "row i: the vector of position i within a segment", .by_layer = ALL_LAYERS,
	 .demo = {.make = learned_signs}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

static const struct claim bipe_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, "all positions have one vector", "rows == 1"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "positions are counted from the beginning of a segment: what moves all of them moves none"},
	{0},
};

const struct scheme scheme_bipe[] = {
	{
		.id = "bipe",
		.aliases = "bilevel bilevel-positions",
		.title = "Bilevel positions",
		.formula = "X_t = U_t + P[within_t],  within_t = 0, 1, … in a segment, between_t "
			   "the segments before",
		.authors = "He et al.",
		.cite = "@he2024bilevel",
		.about = "A learned vector tells where a token stands in its sentence; which "
			 "sentence it is, a relative scheme tells beside it: "
			 "bipe+rope(pos=between)+causal. Sentences stay as short as in training, "
			 "however many there are.",
		.year = 2024,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = bipe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "zhenyuhe00/BiPE 3dddab3: full stops and line feeds of its "
				 "vocabulary; with ALiBi slopes are 96 times as large and the bias "
				 "lacks a constant of the row",
		.demo_note = "P: 1 and −1, eight rows in turn orthogonal in every head",
		.claims = bipe_claims,
		.segments_when = "by == segments",
		.numbers_when = "0",
		.sample = "sentence a b c . d e . f g h",
		.params = bipe_params,
		.param_size = sizeof(struct bipe),
		.hooks = {.declare = leaves_declare,
			  .positions = bipe_positions,
			  .embed = bipe_embed},
	},
	{0},
};
