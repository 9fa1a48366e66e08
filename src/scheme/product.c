/* product.c: positions that multiply the token vectors (Su 2021, kexue.fm 8130).
 *
 * Nothing is added: column j of a token vector is multiplied by 1 + P_tj or by P_tj itself. The
 * product is not a sum of token and position, so logits have no additive split. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

enum table { TABLE_LEARNED, TABLE_SINUSOIDAL };
static const char *const table_names[] = {"learned", "sinusoidal", NULL};

struct product {
	struct sinusoid_param sinusoid;
	int table;
	bool one_plus;
};

static const struct param product_params[] = {
	CHOICE_PARAM(struct product, table, TABLE_LEARNED, table_names,
		     "where P comes from: learned up to t_max, or sinusoids"),
	SWITCH_PARAM(struct product, one_plus, true,
		     "multiply by 1 + P, so that P = 0 changes nothing; off: by P"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static struct node *product_table(struct run *run, const struct member *m, struct err *err)
{
	const struct product *p = m->param;
	if (p->table == TABLE_SINUSOIDAL)
		return run_cached(run, m, "table", false, sinusoid_table, err);
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	return rows ? run_leaf_rows(run, m, "p", rows, run->n) : NULL;
}

/* X = U ⊙ (1 + P) */
static bool product_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct product *p = m->param;
	struct node *by = product_table(run, m, err);
	if (by == NULL)
		return false;
	by = run_nudged(run, by);
	if (p->one_plus)
		by = tape_add_scalar(run->tape, by, 1);
	struct node *x = run_sum_parts(run, &run->x);
	run_replace_x(run, "unit × position", tape_mul(run->tape, x, by));
	return true;
}

static const struct claim product_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "sinusoids are not learned", "table == sinusoidal"},
	{CLAIM_UNBOUNDED, ANSWER_YES, "sinusoids are defined for every position",
	 "table == sinusoidal"},
	{0},
};

static const struct leaf_row multiplicative_leaves[] = {
	{"p", "t_max, d", "row t: multiplies the token vector at position t",
	 .by_layer = ALL_LAYERS, .by_rows = true, .when = "table == learned",
	 .demo = {.make = learned_curves}, .paper = {FILL_CONSTANT, .formula = "1 - one_plus"}},
	{0},
};

const struct scheme scheme_product[] = {
	{
		.id = "multiplicative",
		.aliases = "product",
		.title = "Multiplicative position embedding",
		.formula = "X_t = U_t ⊙ (1 + P_t)",
		.authors = "Su",
		.cite = "@su2021encodings; the experiment: zhuanlan.zhihu.com/p/183234823, 2020",
		.about =
			"Positions multiply the columns of the token vectors instead of being added to "
			"them. A product of query and key then sees position only through "
			"content: where token vectors share nothing, positions say nothing.",
		.year = 2021,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = multiplicative_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "bojone/bert4keras c1ae0dc, PositionEmbedding(merge_mode='mul'), "
				 "has 1 + P; the blog writes x ⊗ p, one_plus=off, and leaves P "
				 "open",
		.demo_note = LEARNED_CURVES_NOTE,
		.claims = product_claims,
		.params = product_params,
		.param_size = sizeof(struct product),
		.hooks = {.declare = leaves_declare, .embed = product_embed, .nonlinear = true},
	},
	{0},
};
