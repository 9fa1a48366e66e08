/* axial.c: axial position embeddings (Kitaev, Kaiser, Levskaya 2020, Reformer).
 *
 * A position is a pair, the segment that contains it and the index within the segment, like line
 * and column on a page. Each part has a table of its own and its own share of the columns of P,
 * so two short tables replace one long one. */
#include <math.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

enum order { ORDER_CODE, ORDER_SURVEY };
static const char *const order_names[] = {"code", "survey", NULL};

struct axial {
	long t1;
	double share;
	int order;
};

static const struct param axial_params[] = {
	NUMBER_PARAM(struct axial, t1, 4, 1, 4096, 1,
		     "t_1, positions in a segment; there are t_max/t_1 segments"),
	NUMBER_PARAM(struct axial, share, 0.5, 0, 1, 0.125,
		     "d_1/d, the share of the columns that tell the offset in the segment"),
	CHOICE_PARAM(struct axial, order, ORDER_CODE, order_names,
		     "which columns come first: the segment's, as in the code, or the offset's"),
	{0},
};

/* Returns d_1 of the survey. */
static size_t place_width(const struct model *model, const struct axial *p)
{
	return (size_t)round(p->share * (double)model->config.d);
}

/* Survey eq. 5 in the order of the code: P_t = [segment_{t div t1}, place_{t mod t1}] */
static bool axial_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct axial *p = m->param;
	const size_t n = run->n;
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (rows == NULL)
		return false;
	int32_t *segment = arena_alloc(run->arena, n * sizeof *segment);
	int32_t *place = arena_alloc(run->arena, n * sizeof *place);
	for (size_t t = 0; t < n; t++) {
		segment[t] = rows[t] / (int32_t)p->t1;
		place[t] = rows[t] % (int32_t)p->t1;
	}
	const size_t d1 = place_width(run->model, p);
	struct node *halves[2];
	size_t count = 0;
	for (int i = 0; i < 2; i++) {
		const bool is_place = (p->order == ORDER_SURVEY) == (i == 0);
		if ((is_place ? d1 : run->model->config.d - d1) == 0)
			continue;
		halves[count++] = tape_gather_rows(run->tape,
						   run_leaf(run, m, is_place ? "place" : "segment"),
						   is_place ? place : segment, n);
	}
	run_add_part(run, "position", tape_concat_cols(run->tape, halves, count));
	return true;
}

static const struct claim axial_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID, "printed without rounding to whole segments and columns"},
	{0},
};

static const struct leaf_row axial_leaves[] = {
	/* A table without columns is not made. */
	{"segment", "ceil(t_max / t1), d - round(share d)",
	 "row t div t1: the columns of a position that tell its segment", .by_layer = ALL_LAYERS,
	 .when = "round(share d) < d", .demo = {.make = learned_signs}, .paper = {FILL_NORMAL, 1}},
	{"place", "t1, round(share d)",
	 "row t mod t1: the columns of a position that tell its offset in the segment",
	 .by_layer = ALL_LAYERS, .when = "round(share d) > 0", .demo = {.make = learned_signs},
	 .paper = {FILL_NORMAL, 1}},
	{0},
};

const struct scheme scheme_axial[] = {
	{
		.id = "axial",
		.aliases = "reformer",
		.title = "Axial position embedding",
		.formula = "X_t = U_t + [P^{(2)}_{⌊t/t₁⌋}, P^{(1)}_{t mod t₁}]",
		.authors = "Kitaev et al.",
		.cite = "@kitaev2020reformer",
		.about =
			"A long table of positions is cut into segments: some columns tell which "
			"segment a position lies in, the others its offset in it. Positions of the "
			"same segment and same offsets of all segments look alike.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = axial_leaves,
		.flags = SCHEME_LEARNABLE,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, Reformer: the segment's "
				 "columns first (its shape is (t_max/t1, t1)); survey eq. 5 has "
				 "the offset's first, order=survey",
		.demo_note =
			"rows of ±1, as long as token vectors and mostly orthogonal: a row is like "
			"itself and unlike the others",
		.count_printed = "(d - share d) t_max / t1 + share d t1",
		.claims = axial_claims,
		.params = axial_params,
		.param_size = sizeof(struct axial),
		.hooks = {.declare = leaves_declare, .embed = axial_embed},
	},
	{0},
};
