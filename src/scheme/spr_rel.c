/* spr_rel.c: vectors for keys and values, read by the path through a dependency tree (Wang et al.
 * 2019).
 *
 *   A_ts = c q_t·(k_s + a^K_{rel(t,s)}),  M_t = Σ_s α_ts (v_s + a^V_{rel(t,s)})
 *
 * rel is that of spr_way.h. Shaw et al. 2018 read such vectors by distance; both can be
 * combined. */
#include "scheme/fuse.h"
#include "scheme/inject.h"
#include "scheme/near_past.h"
#include "scheme/spr_way.h"

struct spr_rel {
	long clip;
	bool values, recurring;
	int fuse;
};

static const struct param spr_rel_params[] = {
	NUMBER_PARAM(struct spr_rel, clip, 16, 0, 512, 1,
		     "relations beyond it share one vector; 0: t-max"),
	SWITCH_PARAM(struct spr_rel, values, true, "add vectors to the values too"),
	SWITCH_PARAM(struct spr_rel, recurring, false,
		     "off: in the first of its layers; on: in all of them, each with vectors of "
		     "its own"),
	CHOICE_PARAM(struct spr_rel, fuse, FUSE_NONE, fuse_names,
		     "none: the tree alone; sum: and Shaw's vectors by distance; tanh: of half of "
		     "both"),
	{0},
};

static const struct leaf_row spr_rel_leaves[] = {
	{"a_key", NULL,
	 "row r + rel(t,s), r the middle one: of the way in the tree, added to the key"},
	{"a_value", NULL, "the same, added to the value"},
	{"w_key", NULL, "row r + δ, r the middle one: of the distance δ = s − t, added to the key"},
	{"w_value", NULL, "the same, added to the value"},
	{0},
};

/* Without clip the table has the rows that Table 1 counts, and values beyond are clipped too: a
 * stem with two leaves reaches 2(n-2). */
static long radius(const struct model *model, const struct spr_rel *p)
{
	return p->clip > 0 ? p->clip : (long)model->config.t_max;
}

static struct inject on_values(struct inject keys, const char *leaf)
{
	keys.at = INJECT_VALUES;
	keys.leaf = leaf;
	keys.remedy = "set values=off";
	return keys;
}

/* Injects by the path in the tree, where ancestors are like the past; with fuse also by
 * distance, as in Shaw et al. */
static size_t spr_rel_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct spr_rel *p = m->param;
	const long r = radius(model, p);
	const size_t n = 1 + p->values;
	struct inject *tree = out, *distance = out + n;
	tree[0] = (struct inject){.at = INJECT_KEYS,
				  .by = spr_way(r),
				  .leaf = "a_key",
				  .label = "query–a_key",
				  .share = p->recurring ? SHARE_HEAD : SHARE_BOTH,
				  .demo = {.make = near_past_mirrored},
				  .paper = {.fill = FILL_NORMAL, .value = 0.02}};
	distance[0] = tree[0];
	distance[0].by = encoding_clipped(false, r);
	distance[0].by.title = "distance";
	distance[0].leaf = "w_key";
	distance[0].label = "query–w_key";
	distance[0].demo.make = near_past_rows;
	if (p->values) {
		tree[1] = on_values(tree[0], "a_value");
		distance[1] = on_values(distance[0], "w_value");
	}
	return p->fuse == FUSE_NONE ? n : 2 * n;
}

/* Combines the two sources, that of the tree and that of the sequence. */
static void fuse_sources(struct run *run, const struct member *m, struct injected *state)
{
	static const char *const names[] = {"key", "value"};
	const size_t n = state->n / 2;
	const struct fused both = fuse_rows(run->arena, state->by[0].index, state->by[n].index);
	run_keep_index(run, m, "fused", both.pair);
	state->what[0].label = "query–tanh(a_key, w_key)";
	state->n = n;
	for (size_t i = 0; i < n; i++) {
		state->by[i].index = both.pair;
		state->table[i] =
			fuse_tables(run->tape, &both, state->table[i], state->table[n + i]);
		step_keep(run, m, names[i], state->table[i]->v);
	}
}

/* Returns whether it acts: in the first step of its layers, or if recurring in all of them. */
static bool acts_here(const struct run *run, const struct member *m)
{
	const struct spr_rel *p = m->param;
	for (size_t i = 0; !p->recurring && i < run->step_index; i++)
		if (subset_has(&m->layers, run->model->steps[i].layer))
			return false;
	return true;
}

static bool spr_rel_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct spr_rel *p = m->param;
	struct injected *state = run_state(run, m, sizeof *state);
	if (!acts_here(run, m))
		return true;
	if (!inject_fill(run, m, state, err))
		return false;
	if (p->fuse == FUSE_TANH)
		fuse_sources(run, m, state);
	return true;
}

static const struct claim spr_rel_claims[] = {
	{CLAIM_RECURRING, ANSWER_YES,
	 "every layer has vectors of its own, as Shaw et al. have them", "recurring"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head, and without clipping at 16"},
	{0},
};

const struct scheme scheme_spr_rel[] = {
	{
		.id = "spr_rel",
		.aliases = "spr-rel",
		.title = "Structural position, relative",
		.formula = "A_ts = q_t·(k_s + a^K_{rel(t,s)}) / √d_h,  M_t = Σ_s α_ts (v_s + "
			   "a^V_{rel(t,s)})",
		.authors = "Wang et al.",
		.cite = "@wang2019selfattention",
		.recipe = "term.query–a_key[t,s] = c q_raw[t] · param.spr_rel.a_key[row], with "
			  "fuse=tanh of layer.L.member.spr_rel.key and index.fused; with values=on "
			  "context[t] also has the sum over s of weights[t,s] * "
			  "param.spr_rel.a_value[row], row = clip(rel(t,s), -clip, clip) + clip, "
			  "rel the relation (t-max for clip=0; .L before [row] with recurring=on), "
			  "in the first layer or with recurring=on in each; fuse=sum adds "
			  "w_value[clip(s - t, -clip, clip) + clip] to it, and fuse=tanh takes "
			  "tanh of half of that sum",
		.about = "Shaw's vectors, read by the way through the dependency tree: the signed "
			 "number of steps where one word is above the other, else by way of the "
			 "root. So siblings deep in the tree have a large distance.",
		.year = 2019,
		.topic = TOPIC_TREE,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = spr_rel_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NEEDS_TREE,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey §4.3 and Table 1, which has it in the first layer alone "
				 "(recurring=off). No code is public: clip is Shaw's usual 16, "
				 "tokens outside the tree have no vector, and fuse=tanh is ours",
		.demo_note = "even components 2 exp(−|rel|/w): near; odd ones ±(1 − "
			     "exp(−|rel|/w)): above or left; w = 2, 4, 8, 16; vectors of distance "
			     "by s−t",
		.count_printed = "2(2 t_max + 1) d",
		.claims = spr_rel_claims,
		.sample = "conllu @dep2",
		.directions_when = "1",
		.params = spr_rel_params,
		.param_size = sizeof(struct spr_rel),
		.hooks = {.injects = spr_rel_injects,
			  .declare = inject_declare,
			  .relation = inject_relation,
			  .prepare = spr_rel_prepare,
			  .logits = inject_logits,
			  .values = inject_values,
			  .by_rows = true,
			  .matrices = 2},
	},
	{0},
};
