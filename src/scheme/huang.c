/* huang.c: the first three methods of Huang, Liang, Xu and Xiang 2020, as in the survey (eq. 18,
 * 19).
 *
 *   1  c (q_t·k_s) r_|s-t|      2  c (q_t·k_s) r_{s-t}      3  c Σ_j q_tj k_sj r_{s-t,j}
 *
 * Methods 1 and 2 multiply all logits so far; method 3 adds the triple product with r - 1, so
 * that r = 1 gives the plain model exactly. */
#include <math.h>
#include <stdlib.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"

struct huang {
	int share;
};

static const struct param huang_params[] = {SHARE_PARAM(struct huang, SHARE_NONE), {0}};

/* ---- leaves ---- */

/* 1 at distance 0 and decreasing, more slowly for later heads or components; four rates in turn. */
static double nearness(size_t j, double distance)
{
	return exp(-distance / (double)(4 << j % 4));
}

static double make_near(const struct leaf_maker *of, size_t i, size_t h)
{
	(void)of;
	return 2 * nearness(h, (double)i);
}

/* 1 is the plain product. Alternately: past up to 2 and future down to 0; near 2 and far down to
 * 0. */
static double near_or_past(size_t j, long delta)
{
	const double near = nearness(j / 2, (double)labs(delta));
	const double past = delta < 0 ? 1 : delta > 0 ? -1 : 0;
	return j % 2 == 0 ? 1 + past * (1 - near) : 2 * near;
}

/* Row i of 2 t_max - 1 is for key minus query; components of a head count from its first column. */
static double make_directed(const struct leaf_maker *of, size_t i, size_t j)
{
	const size_t width = of->value > 0 ? of->model->dk : of->cols;
	return near_or_past(j % width, (long)i - (long)(of->rows / 2));
}

/* clang-format off */
#define LEAF(rows, columns, what, ...) \
	{{"r", rows ", " columns, what, .by_layer = SHARE_BY_LAYER, .demo = __VA_ARGS__, \
	  .paper = {FILL_CONSTANT, 1}}, {0}}
/* clang-format on */

static const struct leaf_row huang1_leaves[] =
	LEAF("t_max", SHARE_COPIES, "row |s − t|: multiplies the logits, a column for each head",
	     {.entry = make_near});
static const struct leaf_row huang2_leaves[] =
	LEAF("(2 t_max - 1)", SHARE_COPIES,
	     "row t_max − 1 + δ: multiplies the logits at δ = s − t, a column for each head",
	     {.entry = make_directed});
static const struct leaf_row huang3_leaves[] = LEAF(
	"(2 t_max - 1)", SHARE_COPIES " d_h",
	"row t_max − 1 + δ: multiplies the products of query and key, δ = s − t; heads side by "
	"side in columns",
	{.entry = make_directed, .value = 1});

/* ---- r, by |s - t| in the first method, by s - t in the others ---- */

static size_t rows_of(const struct member *m, enum inject_at at, struct encoding by,
		      struct inject *out)
{
	const struct huang *p = m->param;
	by.bounded = by.reached = true;
	*out = (struct inject){.at = at, .by = by, .leaf = "r", .share = (enum share)p->share};
	return 1;
}

static long farthest(const struct model *model)
{
	return (long)model->config.t_max - 1;
}

static size_t injects_1(const struct model *model, const struct member *m, struct inject *out)
{
	return rows_of(m, INJECT_MULTIPLY, encoding_apart(farthest(model)), out);
}

static size_t injects_2(const struct model *model, const struct member *m, struct inject *out)
{
	return rows_of(m, INJECT_MULTIPLY, encoding_signed(false, farthest(model)), out);
}

static size_t injects_3(const struct model *model, const struct member *m, struct inject *out)
{
	return rows_of(m, INJECT_PRODUCTS, encoding_signed(false, farthest(model)), out);
}

/* ---- descriptors ---- */

static const struct claim scalar_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed for all four methods at once; this one has a number, not a vector, for each "
	 "distance"},
	{0},
};

static const struct claim vector_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head; share says which heads and layers have their "
	 "own"},
	{0},
};

/* clang-format off */
#define HUANG \
	.authors = "Huang et al.", \
	.cite = "@huang2020improve", \
	.year = 2020, .table2 = TABLE2_GENERIC, .ref = REF_RELATIVE, .inj = INJ_MATRIX, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING, .evidence = EVIDENCE_PAPER, \
	.count_printed = "d l h (2 t_max - 1)", .params = huang_params, \
	.param_size = sizeof(struct huang)
#define NO_CODE \
	"; the authors' code was not found: sharing is a parameter, the default is what survey " \
	"Table 1 counts"
#define HOOKS(rows) \
	.hooks = {.injects = rows, .declare = leaves_declare, .relation = inject_relation, \
		  .prepare = inject_prepare, .adjust = inject_adjust, .by_rows = true, .modulates = true, .matrices = 3}
/* clang-format on */

const struct scheme scheme_huang[] = {
	{
		.id = "huang1",
		.aliases = "huang-m1",
		.title = "Scaling by distance",
		.formula = "A_ts = (q_t·k_s / √d_h) r_{|s−t|}",
		HUANG,
		.leaves = huang1_leaves,
		.recipe = "logits = (q @ k^T / √dk) * r, r[t,s] = param.huang1.r.L[|s - t|, head] "
			  "(column 0 with share=head, no .L with share=layer)",
		.about = "A learned number for each distance, in both directions, multiplies the "
			 "logits: it strengthens or silences what the words say, adding nothing.",
		.evidence_note = "survey eq. 18" NO_CODE,
		.demo_note = "r = 2 exp(−|s−t|/w): near doubled, far silenced; w = 4, 8, 16, 32 by "
			     "head in turn",
		.claims = scalar_claims,
		HOOKS(injects_1),
	},
	{
		.id = "huang2",
		.aliases = "huang-m2",
		.title = "Scaling by distance and direction",
		.formula = "A_ts = (q_t·k_s / √d_h) r_{s−t}",
		HUANG,
		.leaves = huang2_leaves,
		.recipe = "logits = (q @ k^T / √dk) * r, r[t,s] = param.huang2.r.L[s - t + t_max - "
			  "1, head] (column 0 with share=head, no .L with share=layer)",
		.about = "A learned number for each signed distance multiplies the logits, so a "
			 "head can listen to what stands before and be deaf to what follows.",
		.evidence_note = "survey, the text after eq. 18" NO_CODE,
		.demo_note =
			"heads in turn: r = 1 ± (1 − exp(−|s−t|/w)), past doubled and future "
			"silenced; r = 2 exp(−|s−t|/w), near; w = 4, 8, 16, 32 for two heads each",
		.claims = scalar_claims,
		HOOKS(injects_2),
	},
	{
		.id = "huang3",
		.aliases = "huang-m3",
		.title = "Product of query, key and distance",
		.formula = "A_ts = Σ_j q_tj k_sj r_{s−t,j} / √d_h",
		HUANG,
		.leaves = huang3_leaves,
		.recipe = "logits[t,s] = the sum over j of q[t,j] k[s,j] r[j] / √dk, r = "
			  "param.huang3.r.L[s - t + t_max - 1] (the head's dk columns; no .L with "
			  "share=layer)",
		.about = "A learned vector for each distance weighs the components of the product: "
			 "which features are compared depends on the distance of two words.",
		.evidence_note = "survey eq. 19" NO_CODE,
		.demo_note = "even components r = 1 ± (1 − exp(−|s−t|/w)): past; odd ones 2 "
			     "exp(−|s−t|/w): near; w = 4, 8, 16, 32 in turn",
		.claims = vector_claims,
		HOOKS(injects_3),
	},
	{0},
};
