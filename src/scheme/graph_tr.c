/* graph_tr.c: paths of labels read by a recurrent network, added to both factors of the product
 * (Cai and Lam 2020, survey eq. 30).
 *
 *   A_ts = c (q_t + r^a_ts)·(k_s + r^b_ts),  [r^a; r^b] = r_ts W
 *
 * r_ts is the state of a GRU in both directions after reading the labels on the shortest path
 * from t to s, the mean if there are several shortest paths. Distinct paths are read once, for
 * all layers. */
#include "posviz/model/stage.h"
#include "scheme/graph_tr.h"
#include "scheme/leaves.h"
#include "scheme/relation_terms.h"

struct graph_tr_state {
	struct label_paths paths;
	struct relation_terms terms;
};

static struct path_rules rules_of(const struct graph_tr *p)
{
	return (struct path_rules){
		.longest = (size_t)p->longest, .labels = (size_t)p->labels, .every = true};
}

static struct graph_tr_state *find(struct run *run, const struct member *m, struct err *err)
{
	const struct path_rules rules = rules_of(m->param);
	return label_paths_state(run, m, &rules, sizeof(struct graph_tr_state), err);
}

static bool graph_tr_relation(struct run *run, const struct member *m, struct relation *out,
			      struct err *err)
{
	const struct graph_tr_state *state = find(run, m, err);
	if (!state)
		return false;
	label_paths_relation(run, &state->paths, "labels from t to s", out);
	if (state->paths.means.first[state->paths.means.n] > state->paths.means.n)
		out->note = arena_printf(
			run->arena,
			"of several shortest paths the first is shown, the mean of %s taken",
			state->paths.dropped ? "the first 16 is" : "all is");
	return true;
}

/* X = U + a vector of the depth below the root. */
static bool graph_tr_embed(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graph_tr *p = m->param;
	if (p->depths == 0)
		return true;
	const size_t *depth = label_path_depths(run), last = (size_t)p->depths - 1;
	int32_t *rows = arena_alloc(run->arena, run->n * sizeof *rows);
	for (size_t i = 0; i < run->n; i++)
		rows[i] = (int32_t)(depth[i] < last ? depth[i] : last);
	run_add_part(run, "depth",
		     tape_gather_rows(run->tape, run_leaf(run, m, "depth"), rows, run->n));
	return true;
}

static bool graph_tr_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct graph_tr *p = m->param;
	struct graph_tr_state *state = find(run, m, err);
	struct tape *t = run->tape;
	const size_t d = run->model->config.d, width = run->model->qk_width;
	if (!state)
		return false;
	struct relation_terms *x = &state->terms;
	x->read = state->paths.index;
	if (!x->r)
		x->r = label_paths_made(run, m, &state->paths, false, graph_tr_relations, err);
	if (!x->r)
		return false;
	run_keep(run, m, "r", x->r->v);
	run_keep_index(run, m, "relation", x->read);
	struct node *w = p->tied ? NULL : run_leaf(run, m, "w_rel");
	x->wa = w ? tape_slice(t, w, 0, d, 0, width) : run_weight(run, "w_q");
	x->wb = w ? tape_slice(t, w, 0, d, width, width) : run_weight(run, "w_k");
	return relation_terms_prepare(run, m, x, err);
}

static bool graph_tr_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct graph_tr_state *state = head_state(head, m);
	relation_terms_add(head, &state->terms);
	return true;
}

static double graph_tr_memory(const struct model *model, const struct member *m,
			      const struct model_input *in, unsigned kinds)
{
	const struct path_rules rules = rules_of(m->param);
	const struct label_gru gru = graph_tr_gru(model, m->param);
	const struct label_bound most = label_paths_bound(in, &rules, kinds);
	const double n = (double)in->axis.n, d = (double)model->config.d;
	const double states = 2 * (double)(gru.hidden * gru.stack) * most.paths;
	const double terms = relation_terms_many(most.means, n)
				     ? n * n * (double)(3 * model->config.heads + 1)
				     : 0;
	if (kinds == WANT_RELATION)
		return most.bytes;
	const double copies = kinds & WANT_KEPT ? 2 : 1;
	return most.bytes + 8 * (d * most.means * copies + states + terms);
}

static const struct param graph_tr_params[] = {
	SWITCH_PARAM(
		struct graph_tr, tied, false,
		"r goes through W_q and W_k as token vectors do (eq. 30); off: a matrix of its "
		"own"),
	NUMBER_PARAM(struct graph_tr, stack, 1, 1, 2, 1,
		     "layers of the recurrent network; the code has 2"),
	NUMBER_PARAM(struct graph_tr, longest, 8, 1, LABEL_PATH_LONGEST, 1,
		     "edges; all longer paths are one label"),
	RATIO_PARAM(struct graph_tr, labels, 64, 1, 4096, 2,
		    "how many different labels have vectors, two each"),
	RATIO_PARAM(struct graph_tr, width, 16, 1, 512, 2,
		    "of the vector of a label; the code has 100"),
	NUMBER_PARAM(struct graph_tr, hidden, 0, 0, 256, 8,
		     "width of the recurrent network in each direction; 0: half of d"),
	RATIO_PARAM(struct graph_tr, depths, 32, 0, 4096, 2,
		    "vectors of depth below the root, deeper nodes share the last; the code has "
		    "32; 0: none are added"),
	{0},
};

static const struct claim graph_tr_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "any length is computed, but paths beyond longest are one label and nodes below depths "
	 "have one vector"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed for a network in one direction and of width d, one matrix d×d, and without the "
	 "vectors of labels and depths"},
	{0},
};

const struct scheme scheme_graph_tr[] = {
	{
		.id = "graph_tr",
		.aliases = "graph-tr graph-transformer cai",
		.title = "Graph Transformer",
		.formula = "A_ts = (q_t + r^a_ts)·(k_s + r^b_ts) / √d_h,  [r^a; r^b]_ts = W "
			   "GRU(labels from t to s)",
		.authors = "Cai and Lam",
		.cite = "@cai2020graph",
		.recipe = "X = units + param.graph_tr.depth[edges from the root]; logits[t,s] = c "
			  "(q[t] + ra)·(k[s] + rb), ra and rb the first and the last d columns of "
			  "r param.graph_tr.w_rel.L (tied=on: r w_q and r w_k), r the row "
			  "member.graph_tr.index.relation of member.graph_tr.r, of the labels that "
			  "relation shows; of it term.query–relation is c q·rb, term.relation–key "
			  "c ra·k and term.relation–relation c ra·rb",
		.about = "A recurrent network reads the labels on the shortest path between two "
			 "concepts, and what it remembers joins the query and the key. The product "
			 "has four terms: content, content and path, path and content, path alone.",
		.year = 2020,
		.topic = TOPIC_GRAPH,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = graph_tr_leaves,
		.flags =
			SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "jcyk/gtos a13dba0 with stack=2; as there edges get reverse "
				 "ones, special tokens reach all in one step, and r has a matrix "
				 "of its own, where eq. 30 has W_q and W_k (tied=on). Its √d U "
				 "and the normalisation of X are left out. With stack=2 a graph "
				 "of 500 nodes and many labels takes seconds, less with a lower "
				 "longest",
		.demo_note = "labels from N(0, 1), the reverse of one differing in the sign of odd "
			     "components; a state is half the last one and half tanh of the label; "
			     "r^a = r/2, r^b = r with odd components negated; depths are halves of "
			     "sinusoids",
		.count_printed = "7 d^2 + 3 d",
		.claims = graph_tr_claims,
		.sample = "graph @amr2",
		.directions_when = "1",
		.labels_when = "1",
		.numbers_when = "0",
		.params = graph_tr_params,
		.param_size = sizeof(struct graph_tr),
		.hooks = {.reads_weights = true,
			  .declare = leaves_declare,
			  .relation = graph_tr_relation,
			  .embed = graph_tr_embed,
			  .prepare = graph_tr_prepare,
			  .logits = graph_tr_logits,
			  .memory = graph_tr_memory,
			  .matrices = 4},
	},
	{0},
};
