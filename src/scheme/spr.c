/* spr.c: structural position representations of a dependency tree (Wang et al. 2019): a word's depth,
 * and the way from one word to another.
 *
 *   abs(t) = steps from t up to its root
 *   rel(t,s) = abs(t) - abs(s) where one of t and s is above the other,
 *              sgn(t-s) (abs(t) + abs(s)) where none is: by way of the root
 *
 * The one is encoded by sinusoids and added to the units, the other reads vectors for keys and values
 * as Shaw et al. 2018 do by distance; both can be joined with the sequential position. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/near_past.h"
#include "scheme/sinusoid.h"
#include "scheme/spr_rel.h"

enum fuse { FUSE_NONE, FUSE_SUM, FUSE_TANH };
static const char *const fuse_names[] = {"none", "sum", "tanh", NULL};

/* ---- spr_abs: P_t = sin(abs(t) ω_i), cos(abs(t) ω_i) ----------------------------------------- */

struct spr_abs {
	struct sinusoid_param sinusoid;
	int fuse;
};

struct spr_abs_state {
	size_t rows; /* of the table: depths 0.. */
};

static const struct param spr_abs_params[] = {
	CHOICE_PARAM(struct spr_abs, fuse, FUSE_NONE, fuse_names,
		     "none: depth alone; sum: and the sequential sinusoid; tanh: of half of both"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static struct node *depth_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct sinusoid_param *p = m->param; /* its first member */
	const struct spr_abs_state *state = run_kept(run, m);
	double *depth = arena_calloc(run->arena, state->rows, sizeof *depth);
	for (size_t i = 0; i < state->rows; i++)
		depth[i] = (double)i + (double)p->start;
	const struct mat table = mat_new(run->arena, state->rows, run->model->config.d);
	sinusoid_fill(table, depth, (enum sinusoid_layout)p->layout, (enum sinusoid_freq)p->freq,
		      p->base);
	return tape_const(run->tape, table);
}

/* What is kept between evaluations is the table of depths, which no tree changes. [n,d] */
static struct node *depth_rows(struct run *run, const struct member *m, struct err *err)
{
	struct tree tree;
	if (!tree_init(&tree, run, m, err))
		return NULL;
	struct spr_abs_state *state = run_state(run, m, sizeof *state);
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	for (size_t i = 0; i < run->n; i++)
		rows[i] = (int32_t)tree_depth(&tree, i);
	state->rows = tree.deepest + 2;
	const char *name = arena_printf(run->arena, "depths below %zu", state->rows);
	struct node *table = run_cached(run, m, name, false, depth_table, err);
	return table ? tape_gather_rows(run->tape, table, rows, run->n) : NULL;
}

static bool spr_abs_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct spr_abs *p = m->param;
	struct node *depth = depth_rows(run, m, err);
	if (!depth)
		return false;
	if (p->fuse == FUSE_NONE) {
		run_add_part(run, "depth", depth);
		return true;
	}
	struct node *place = run_cached(run, m, "places", false, sinusoid_table, err);
	if (!place)
		return false;
	if (p->fuse == FUSE_SUM) {
		run_add_part(run, "depth", depth);
		run_add_part(run, "position", place);
		return true;
	}
	struct node *both = tape_scale(run->tape, tape_add(run->tape, depth, place), 0.5);
	run_add_part(run, "depth, position", tape_tanh(run->tape, both));
	return true;
}

/* ---- relations ------------------------------------------------------------------------------- */

static const char *says_depth(const struct relation *r, int32_t value,
			      const struct relation_cell *at, struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "of a token, not of two";
	return value == 0 ? "a root" : arena_printf(a, "%d below the root", (int)value);
}

/* Depth is of one token, so it stands on the diagonal. */
static bool spr_abs_relation(struct run *run, const struct member *m, struct relation *out,
			     struct err *err)
{
	struct tree tree;
	if (!tree_init(&tree, run, m, err))
		return false;
	const size_t n = run->n;
	int32_t *at = arena_alloc(run->arena, (n * n + 1) * sizeof *at);
	for (size_t i = 0; i < n * n; i++)
		at[i] = i / n == i % n ? (int32_t)tree_depth(&tree, i / n) : RELATION_NO_PATH;
	*out = (struct relation){.title = "depth abs(t)",
				 .n = n,
				 .of_tokens = true,
				 .at = at,
				 .says = says_depth,
				 .note = tree.chain ? "no structure: a chain" : NULL};
	return true;
}

struct spr_rel {
	long clip;
	bool values, recurring;
	int fuse;
};

/* Without clip the table has the rows that Table 1 counts, and what is beyond them is clipped too: a
 * stem with two leaves reaches 2(n-2). */
static long radius(const struct model *model, const struct spr_rel *p)
{
	return p->clip > 0 ? p->clip : (long)model->config.t_max;
}

static bool spr_rel_relation(struct run *run, const struct member *m, struct relation *out,
			     struct err *err)
{
	struct tree tree;
	struct spr_rel_numbers related;
	if (!spr_rel_numbers(run, m, &tree, true, &related, err))
		return false;
	const long r = radius(run->model, m->param);
	*out = (struct relation){
		.title = "structural position rel(t,s)",
		.n = run->n,
		.at = related.at,
		.says = spr_rel_says(&tree),
		.beside = related.beside,
		.limit = (int32_t)r,
		.note = arena_printf(run->arena, "%sbeyond ±%ld the vectors of ±%ld",
				     tree.chain ? "no structure: a chain; " : "", r, r)};
	return true;
}

/* ---- spr_rel: A_ts = c q_t·(k_s + a^K_{rel(t,s)}),  M_t = Σ_s α_ts (v_s + a^V_{rel(t,s)}) -------- */

struct related {
	const int32_t *at; /* [n·n] */
	size_t n;
	const struct encoding *e;
};

static long relation_row(const void *context, size_t t, size_t s)
{
	const struct related *k = context;
	const long value = k->at[t * k->n + s], r = k->e->most;
	if (value == RELATION_NO_PATH)
		return -1;
	return (value < -r ? -r : value > r ? r : value) + r;
}

static const struct index *relation_index(struct run *run, const struct member *m,
					  const struct encoding *e, struct err *err)
{
	struct tree tree;
	struct spr_rel_numbers numbers;
	if (!spr_rel_numbers(run, m, &tree, false, &numbers, err))
		return NULL;
	const struct related k = {numbers.at, run->n, e};
	return run_index_places(run, m, e->title, encoding_rows(e), relation_row, &k, err);
}

static struct inject on_values(struct inject keys, const char *leaf)
{
	keys.at = INJECT_VALUES;
	keys.leaf = leaf;
	keys.remedy = "set values=off";
	return keys;
}

/* By the way in the tree, above like the past; with fuse also by distance, as Shaw et al. have it. */
static size_t spr_rel_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct spr_rel *p = m->param;
	const long r = radius(model, p);
	const size_t n = 1 + p->values;
	struct inject *tree = out, *distance = out + n;
	tree[0] = (struct inject){
		.at = INJECT_KEYS,
		.by = {.title = "relation", .least = -r, .most = r, .index = relation_index},
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

/* Which pairs of rows occur together, numbered as they first do. */
struct pairs {
	const struct index *a, *b, *row; /* row: [n,n] → number of the pair, or -1 */
	size_t n, cap;
	int32_t *of_a, *of_b; /* [n] */
};

static void find_pairs(struct pairs *pairs, struct arena *arena)
{
	const struct index *a = pairs->a, *b = pairs->b;
	const size_t all = a->rows * a->cols;
	const size_t most = all < a->count * b->count ? all : a->count * b->count;
	int32_t *number = arena_calloc(arena, a->count * b->count, sizeof *number);
	int32_t *row = arena_calloc(arena, all + 1, sizeof *row);
	pairs->of_a = arena_calloc(arena, most + 1, sizeof *pairs->of_a);
	pairs->of_b = arena_calloc(arena, most + 1, sizeof *pairs->of_b);
	for (size_t i = 0; i < all; i++) {
		row[i] = -1;
		if (a->at[i] < 0)
			continue;
		int32_t *known = &number[(size_t)a->at[i] * b->count + (size_t)b->at[i]];
		if (*known == 0) {
			pairs->of_a[pairs->n] = a->at[i];
			pairs->of_b[pairs->n] = b->at[i];
			*known = (int32_t)++pairs->n;
		}
		row[i] = *known - 1;
	}
	struct index *index = arena_calloc(arena, 1, sizeof *index);
	*index = (struct index){
		.rows = a->rows, .cols = a->cols, .count = pairs->n > 0 ? pairs->n : 1, .at = row};
	pairs->row = index;
}

/* tanh((a + w) / 2) of every pair that occurs. [pairs, dk] */
static struct node *fused(struct tape *t, const struct pairs *pairs, struct node *a, struct node *w)
{
	const size_t n = pairs->row->count; /* without any pair a row that nobody reads */
	struct node *sum = tape_add(t, tape_gather_rows(t, a, pairs->of_a, n),
				    tape_gather_rows(t, w, pairs->of_b, n));
	return tape_tanh(t, tape_scale(t, sum, 0.5));
}

/* The two sources, the tree's and the sequence's, become one. */
static void fuse_sources(struct run *run, const struct member *m, struct injected *state)
{
	static const char *const names[] = {"key", "value"};
	const size_t n = state->n / 2;
	struct pairs pairs = {.a = state->by[0].index, .b = state->by[n].index};
	find_pairs(&pairs, run->arena);
	run_keep_index(run, m, "fused", pairs.row);
	state->what[0].label = "query–tanh(a_key, w_key)";
	state->n = n;
	for (size_t i = 0; i < n; i++) {
		state->by[i].index = pairs.row;
		state->table[i] = fused(run->tape, &pairs, state->table[i], state->table[n + i]);
		step_keep(run, m, names[i], state->table[i]->v);
	}
}

/* In the first step of its layers, unless in all of them. */
static bool acts_here(const struct run *run, const struct member *m)
{
	const struct spr_rel *p = m->param;
	for (size_t i = 0; !p->recurring && i < run->step_index; i++)
		if (m->layers >> run->model->steps[i].layer & 1)
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

/* ---- descriptors ------------------------------------------------------------------------------ */

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

static const struct claim spr_abs_claims[] = {
	{CLAIM_RELATIVE, ANSWER_YES,
	 "depth is counted from the root, which is absolute; but no column of positions is read, "
	 "so shifting one moves nothing",
	 "fuse == none"},
	{0},
};

static const struct claim spr_rel_claims[] = {
	{CLAIM_RECURRING, ANSWER_YES,
	 "every layer has vectors of its own, as Shaw et al. have them", "recurring"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head, and without clipping at 16"},
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

const struct scheme scheme_spr[] = {
	{
		.id = "spr_abs",
		.aliases = "spr-abs",
		.title = "Structural position, absolute",
		.formula = "X_t = U_t + [sin(abs(t) ω_i), cos(abs(t) ω_i)],  abs(t) = steps from t "
			   "to the root",
		.authors = "Wang et al.",
		.cite = "Wang, Tu, Wang, Shi: Self-attention with structural position "
			"representations. EMNLP 2019",
		.about = "The sinusoidal embedding of a word's depth in the dependency tree, "
			 "instead of its place in the sentence. Words of equal depth get equal "
			 "rows, so it is best joined with the sequential position (fuse).",
		.year = 2019,
		.topic = TOPIC_TREE,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NEEDS_TREE,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey §4.3; the depth of the main verb is taken as that of the "
				 "tree's root. No code is public: tanh with both matrices at half "
				 "the identity is ours, and units outside the tree are one below "
				 "the deepest",
		.count_printed = "0",
		.claims = spr_abs_claims,
		.sample = "conllu @dep2",
		.numbers_when = "fuse != none",
		.params = spr_abs_params,
		.param_size = sizeof(struct spr_abs),
		.hooks = {.relation = spr_abs_relation, .embed = spr_abs_embed},
	},
	{
		.id = "spr_rel",
		.aliases = "spr-rel",
		.title = "Structural position, relative",
		.formula = "A_ts = q_t·(k_s + a^K_{rel(t,s)}) / √d_h,  M_t = Σ_s α_ts (v_s + "
			   "a^V_{rel(t,s)})",
		.authors = "Wang et al.",
		.cite = "Wang, Tu, Wang, Shi: Self-attention with structural position "
			"representations. EMNLP 2019",
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
			 "root. So siblings deep in the tree count as far apart.",
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
				 "units outside the tree have no vector, and fuse=tanh is ours",
		.demo_note = "even components 2 exp(−|rel|/w): near; odd ones ±(1 − "
			     "exp(−|rel|/w)): above or to the left; w = 2, 4, 8, 16 in turn; by "
			     "s−t for the vectors of distance",
		.count_printed = "2(2 t_max + 1) d",
		.claims = spr_rel_claims,
		.sample = "conllu @dep2",
		.params = spr_rel_params,
		.param_size = sizeof(struct spr_rel),
		.hooks = {.injects = spr_rel_injects,
			  .declare = inject_declare,
			  .relation = spr_rel_relation,
			  .prepare = spr_rel_prepare,
			  .logits = inject_logits,
			  .values = inject_values,
			  .matrices = 2},
	},
	{0},
};
