/* xlnet.c: XLNet's relative attention (Yang et al. 2019): Transformer-XL's in both directions, and
 * vectors of segments.
 *
 *   A_ts = c [(q_t + b)·k_s + (q_t + e)·(R_{t-s} V_k) + (q_t + r)·g_{same or different}] */
#include "scheme/xl.h"

struct xlnet {
	struct xl xl;
	bool segments;
};

static const struct param xlnet_params[] = {
	SWITCH_PARAM(struct xl, untie, false,
		     "b, e and r of its own for every layer, as the released models have"),
	NUMBER_PARAM(struct xl, clamp, 0, 0, XL_MAX_DISTANCE, 1,
		     "distances beyond it, either way, count as it; 0: none"),
	SWITCH_PARAM(struct xl, bi_data, false,
		     "R_{s−t} for R_{t−s}: what the second half of a batch is given, read "
		     "backwards"),
	SWITCH_PARAM(struct xlnet, segments, false,
		     "a vector for keys of the same segment and one for those of another"),
	{0},
};

static const struct leaf_row xlnet_leaves[] = {
	{"r_s_bias", "h, d_h", "row of a head: r, added to the query before vectors of segments",
	 .by_layer = "untie", .when = "segments", .demo = {.make = xl_make_content},
	 .paper = {FILL_NORMAL, 0.02}},
	{"seg_embed", "2, h d_h",
	 "row 0: of pairs in one segment, row 1: of pairs in two; multiplied by the query",
	 .by_layer = EACH_LAYER, .when = "segments", .demo = {.make = xl_make_content},
	 .paper = {FILL_NORMAL, 0.02}},
	XL_LEAVES,
	{0},
};

static const struct claim xlnet_claims[] = {XL_CLAMP_CLAIMS, {0}};

struct xlnet_state {
	struct xl_state xl;
	const struct index *segment; /* [n,n] → 0: the same segment, 1: another; NULL: off */
	struct node *r, *g;	     /* [h, dk], [2, h·dk] */
};

static long other_segment(const void *column, size_t t, size_t s)
{
	const double *segment = column;
	return segment[t] < segment[s] || segment[t] > segment[s];
}

static bool xlnet_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct xlnet *p = m->param;
	struct xlnet_state *state = run_state(run, m, sizeof *state);
	if (!xl_fill(run, m, &state->xl, err))
		return false;
	if (!p->segments)
		return true;
	state->segment = run_index_places(run, m, "segment", 2, other_segment,
					  run_find_column(run, "segment"), err);
	state->r = run_leaf(run, m, "r_s_bias");
	state->g = run_leaf(run, m, "seg_embed");
	return state->segment != NULL;
}

/* Adds c (q_t + r)·g_i to the other terms. */
static bool xlnet_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct xlnet_state *state = head_state(head, m);
	if (!state->segment)
		return xl_logits(head, m, err);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	struct node *r = tape_slice(t, state->r, head->index, 1, 0, dk);
	struct node *q = tape_add(t, head->q_raw, r);
	struct node *by_row = tape_matmul(t, q, false, head_slice(head, state->g, dk), true, 1);
	head_add_indexed(head, "segment", TERM_OTHER, by_row, state->segment, GATHER_BY_ROW,
			 head_scale(head));
	return xl_logits(head, m, err);
}

const struct scheme scheme_xlnet[] = {
	{
		.id = "xlnet",
		.aliases = "xl-net",
		.title = "XLNet's relative attention",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k)] / √d_h,  all s",
		.authors = "Yang et al.",
		.cite = "@yang2019xlnet",
		.recipe = XL_RECIPE("xlnet") "; with segments term.segment = c (q_raw[t] + "
					     "r_s_bias[H]) . seg_embed.L[0 where t and s "
					     "are of one segment, else 1]",
		.about = "Transformer-XL's attention without its mask: keys ahead of the query "
			 "have sinusoids too, and by the sign of sines a head tells them apart.",
		.year = 2019,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = xlnet_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, modeling_xlnet.py, attn_type "
				 "bi, a port of zihangdai/xlnet; segments, those that come back "
				 "too, to 3.6e-15; numbers of bi_data were not compared",
		.demo_note = XL_DEMO_NOTE "b, r and g are drawn",
		.claims = xlnet_claims,
		.segments_when = "segments",
		.params = xlnet_params,
		.param_size = sizeof(struct xlnet),
		.hooks = {.declare = leaves_declare,
			  .relation = xl_relation,
			  .prepare = xlnet_prepare,
			  .logits = xlnet_logits,
			  .matrices = 3},
		.reach = xl_reach,
	},
	{0},
};
