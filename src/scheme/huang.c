/* huang.c: the four methods of Huang, Liang, Xu and Xiang 2020, as the survey has them (eq. 18-20).
 *
 *   1  c (q_t·k_s) r_|s-t|            2  c (q_t·k_s) r_{s-t}
 *   3  c Σ_j q_tj k_sj r_{s-t,j}      4  c [(q_t + r_{s-t})·(k_s + r_{s-t}) - r·r]
 *
 * Methods 1 and 2 multiply all that stands in the logits; method 3 adds the triple product with
 * r - 1, so that r = 1 leaves the plain model exactly. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>
#include <stdlib.h>

#include "scheme/inject.h"
#include "scheme/near_past.h"

enum sign { SIGN_ST, SIGN_TS };

static const char *const sign_names[] = {"st", "ts", NULL};

/* One struct for the four; `sign` is method 4's alone. */
struct huang {
	int share, sign;
};

static enum share share_of(const struct member *m)
{
	const struct huang *p = m->param;
	return (enum share)p->share;
}

/* ---- leaves ---- */

/* Entry i of a table of 2 t_max - 1 stands for key minus query. */
static long distance_of(const struct mat *at, size_t i)
{
	return (long)i - (long)(at->rows / 2);
}

/* 1 at distance 0 and falling, the slower the later the head or component; four rates in turn. */
static double nearness(size_t j, double distance)
{
	return exp(-distance / (double)(4 << j % 4));
}

static void make_near(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = 2 * nearness(h, (double)i);
}

/* 1 is the plain product. In turn: past up to 2 and future down to 0; near 2 and far down to 0. */
static double near_or_past(size_t j, long delta)
{
	const double near = nearness(j / 2, (double)labs(delta));
	const double past = delta < 0 ? 1 : delta > 0 ? -1 : 0;
	return j % 2 == 0 ? 1 + past * (1 - near) : 2 * near;
}

static void make_directed(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = near_or_past(h, distance_of(&at, i));
}

static void make_components(struct mat at, const struct leaf_maker *of)
{
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] = near_or_past(j % of->model->dk, distance_of(&at, i));
}

static const struct leaf_init ones = {.fill = FILL_CONSTANT, .value = 1};

/* ---- r, by |s - t| in the first method, by s - t or t - s in the others ---- */

static struct inject rows_of(const struct member *m, enum inject_at at, struct encoding by)
{
	by.bounded = by.reached = true;
	return (struct inject){
		.at = at, .by = by, .leaf = "r", .share = share_of(m), .paper = ones};
}

static long farthest(const struct model *model)
{
	return (long)model->config.t_max - 1;
}

static size_t injects_1(const struct model *model, const struct member *m, struct inject *out)
{
	*out = rows_of(m, INJECT_MULTIPLY, encoding_apart(farthest(model)));
	out->demo.make = make_near;
	return 1;
}

static size_t injects_2(const struct model *model, const struct member *m, struct inject *out)
{
	*out = rows_of(m, INJECT_MULTIPLY, encoding_signed(false, farthest(model)));
	out->demo.make = make_directed;
	return 1;
}

static size_t injects_3(const struct model *model, const struct member *m, struct inject *out)
{
	*out = rows_of(m, INJECT_PRODUCTS, encoding_signed(false, farthest(model)));
	out->demo.make = make_components;
	return 1;
}

static size_t injects_4(const struct model *model, const struct member *m, struct inject *out)
{
	const struct huang *p = m->param;
	const bool ts = p->sign == SIGN_TS;
	out[0] = rows_of(m, INJECT_KEYS, encoding_signed(ts, farthest(model)));
	out[0].label = "query–r";
	out[0].demo.make = ts ? near_past_mirrored : near_past_rows;
	out[0].paper = (struct leaf_init){.fill = FILL_NORMAL, .value = 0.02};
	out[1] = out[0];
	out[1].at = INJECT_QUERIES;
	out[1].label = "r–key";
	return 2;
}

/* ---- descriptors ---- */

static const struct param multiplied_params[] = {
	SHARE_PARAM(struct huang, SHARE_NONE),
	{0},
};

static const struct param huang4_params[] = {
	SHARE_PARAM(struct huang, SHARE_HEAD),
	CHOICE_PARAM(struct huang, sign, SIGN_ST, sign_names,
		     "st: key minus query (the survey); ts: query minus key (BERT's "
		     "relative_key_query)"),
	{0},
};

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

#define CITE                                                                                 \
	"Huang, Liang, Xu, Xiang: Improve Transformer models with better relative position " \
	"embeddings. Findings of EMNLP 2020"
#define UNVERIFIED                                                                               \
	"; the authors' code was not found: sharing is a parameter, the default is what survey " \
	"Table 1 counts"
#define COMMON                                                                                \
	.authors = "Huang et al.", .cite = CITE, .year = 2020, .table2 = TABLE2_GENERIC,      \
	.ref = REF_RELATIVE, .inj = INJ_MATRIX, .flags = SCHEME_LEARNABLE | SCHEME_RECURRING, \
	.count_printed = "d l h (2 t_max - 1)", .param_size = sizeof(struct huang)
#define MULTIPLY_HOOKS(rows)                                                       \
	.injects = (rows), .declare = inject_declare, .relation = inject_relation, \
	.prepare = inject_prepare, .adjust = inject_adjust, .modulates = true, .matrices = 3

static const struct leaf_row huang1_leaves[] = {
	{"r", NULL, "row |s − t|: multiplies the logits, a column for each head"},
	{0},
};

static const struct leaf_row huang2_leaves[] = {
	{"r", NULL,
	 "row t_max − 1 + δ: multiplies the logits at δ = s − t, a column for each head"},
	{0},
};

static const struct leaf_row huang3_leaves[] = {
	{"r", NULL,
	 "row t_max − 1 + δ: multiplies the products of query and key, δ = s − t; heads side by "
	 "side in columns"},
	{0},
};

static const struct leaf_row huang4_leaves[] = {
	{"r", NULL,
	 "row t_max − 1 + δ: added to query and key, δ = s − t, or t − s with sign=ts; heads side "
	 "by side in columns"},
	{0},
};

const struct scheme scheme_huang[] = {
	{
		.id = "huang1",
		.aliases = "huang-m1",
		.title = "Scaling by distance",
		.formula = "A_ts = (q_t·k_s / √d_h) r_{|s−t|}",
		COMMON,
		.leaves = huang1_leaves,
		.recipe = "logits = (q @ k^T / √dk) * r, r[t,s] = param.huang1.r.L[|s - t|, head] "
			  "(column 0 with share=head, no .L with share=layer)",
		.about = "A learned number for each distance multiplies the product of query and "
			 "key: it strengthens or silences what the words say and adds nothing of "
			 "its own. Both directions are one.",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey eq. 18" UNVERIFIED,
		.demo_note = "r = 2 exp(−|s−t|/w): near doubled, far silenced; w = 4, 8, 16, 32 by "
			     "head in turn",
		.claims = scalar_claims,
		.params = multiplied_params,
		.hooks = {MULTIPLY_HOOKS(injects_1)},
	},
	{
		.id = "huang2",
		.aliases = "huang-m2",
		.title = "Scaling by distance and direction",
		.formula = "A_ts = (q_t·k_s / √d_h) r_{s−t}",
		COMMON,
		.leaves = huang2_leaves,
		.recipe = "logits = (q @ k^T / √dk) * r, r[t,s] = param.huang2.r.L[s - t + t_max - "
			  "1, "
			  "head] (column 0 with share=head, no .L with share=layer)",
		.about = "A learned number for each signed distance multiplies the product of "
			 "query and key, so a head can listen to what stands before and be deaf to "
			 "what follows.",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey, the text after eq. 18" UNVERIFIED,
		.demo_note =
			"heads in turn: r = 1 ± (1 − exp(−|s−t|/w)), past doubled and future "
			"silenced; r = 2 exp(−|s−t|/w), near; w = 4, 8, 16, 32 for two heads each",
		.claims = scalar_claims,
		.params = multiplied_params,
		.hooks = {MULTIPLY_HOOKS(injects_2)},
	},
	{
		.id = "huang3",
		.aliases = "huang-m3",
		.title = "Product of query, key and distance",
		.formula = "A_ts = Σ_j q_tj k_sj r_{s−t,j} / √d_h",
		COMMON,
		.leaves = huang3_leaves,
		.recipe = "logits[t,s] = the sum over j of q[t,j] k[s,j] r[j] / √dk, r = "
			  "param.huang3.r.L[s - t + t_max - 1] (the head's dk columns; no .L with "
			  "share=layer)",
		.about = "A learned vector for each distance weighs the components of the product "
			 "of query and key: which features of two words are compared depends on "
			 "how far apart they stand.",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey eq. 19" UNVERIFIED,
		.demo_note = "even components r = 1 ± (1 − exp(−|s−t|/w)): past; odd ones 2 "
			     "exp(−|s−t|/w): near; w = 4, 8, 16, 32 in turn",
		.claims = vector_claims,
		.params = multiplied_params,
		.hooks = {MULTIPLY_HOOKS(injects_3)},
	},
	{
		.id = "huang4",
		.aliases = "huang-m4 relative_key_query",
		.title = "Relative vectors on query and key",
		.formula = "A_ts = ((q_t + r_{s−t})·(k_s + r_{s−t}) − r_{s−t}·r_{s−t}) / √d_h",
		COMMON,
		.leaves = huang4_leaves,
		.recipe = "with row = member.huang4.index.*, an offset into param.huang4.r.L "
			  "of the distances that occur, s - t + t_max - 1: "
			  "term.query–r[t,s] = c q_raw[t] . r[row], term.r–key[t,s] = c "
			  "k_raw[s] . r[row]",
		.about = "A learned vector for each distance is added to the query and to the key "
			 "and its own length taken away again, so that both words say which "
			 "distances they like.",
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"survey eq. 20; huggingface/transformers c85510f, modeling_bert.py "
			"relative_key_query, for sign=ts and for sharing by heads",
		.demo_note = NEAR_PAST_NOTE,
		.claims = vector_claims,
		.params = huang4_params,
		.hooks = {INJECT_HOOKS(injects_4), .matrices = 3},
	},
	{0},
};
