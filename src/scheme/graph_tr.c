/* graph_tr.c: paths of labels read by a recurrent network, on both sides of the product (Cai and Lam
 * 2020, survey eq. 30).
 *
 *   A_ts = c (q_t + r^a_ts)·(k_s + r^b_ts),  [r^a; r^b] = r_ts W
 *
 * r_ts is what a GRU in both directions remembers of the labels on the shortest path from t to s, the
 * mean where several paths are shortest. Distinct ones are made once, for all layers. Where there are
 * few of them, pairs read the products of all with queries and keys; where there are nearly as many as
 * pairs, r^a and r^b are made for some pairs at a time, and of those only the products stay. */
#include <stddef.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/label_gru.h"
#include "scheme/label_rows.h"
#include "scheme/sinusoid.h"

struct graph_tr {
	bool tied;
	long stack, longest, labels, width, hidden, depths;
};

struct graph_tr_state {
	struct label_paths paths;
	struct node *r;	      /* [means, d], for all layers */
	struct node *wa, *wb; /* [d,d], of this layer: r^a = r W_a, r^b = r W_b */
	/* With many: pairs in the order of what they read of r, the first t n + s at pair[0]; and over c
	 * the three terms of the heads in turn, all 3 h numbers of a pair side by side. */
	const int32_t *pair;
	struct mat room;	   /* [n², 3 h], for all layers */
	struct node *terms;	   /* the same, [1, 3 h n²] */
	const struct index *place; /* [n,n] → the first number of the pair */
};

static struct path_rules rules_of(const struct graph_tr *p)
{
	return (struct path_rules){
		.longest = (size_t)p->longest, .labels = (size_t)p->labels, .every = true};
}

static struct label_gru gru_of(const struct model *model, const struct graph_tr *p)
{
	return (struct label_gru){.stack = (size_t)p->stack,
				  .in = (size_t)p->width,
				  .hidden = p->hidden > 0 ? (size_t)p->hidden
							  : (model->config.d + 1) / 2};
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Symbols behind the special ones come in twos, an edge and its reverse. */
static void make_labels(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, 1, of->rng);
	mat_fill(mat_rows(at, SYMBOL_NO_PATH, 1), 0);
	for (size_t i = SYMBOL_TOO_LONG + 1; i + 1 < at.rows; i += 2)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i + 1)[j] = (j % 2 ? -1 : 1) * mat_row(at, i)[j];
}

/* r^a = r/2, r^b = r with the sign of odd components changed. */
static void make_relation(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t j = 0; j < at.rows; j++) {
		mat_row(at, j)[j] = 0.5;
		mat_row(at, j)[at.rows + j] = j % 2 ? -1 : 1;
	}
}

static void make_depths(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++) {
		const double depth = (double)i;
		sinusoid_fill(mat_rows(at, i, 1), &depth, SINUSOID_INTERLEAVED, SINUSOID_PAPER,
			      10000);
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] /= 2;
	}
}

static bool graph_tr_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init labels = {.make = make_labels};
	static const struct leaf_init out = {.fill = FILL_DIAGONAL, .value = 1};
	static const struct leaf_init relation = {.make = make_relation};
	static const struct leaf_init depths = {.make = make_depths};
	static const struct leaf_init xavier = {.fill = FILL_XAVIER, .value = 1};
	static const struct leaf_init small = {.fill = FILL_NORMAL, .value = 0.02};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	const struct graph_tr *p = m->param;
	const struct path_rules rules = rules_of(p);
	const struct label_gru gru = gru_of(model, p);
	const size_t d = model->config.d;
	return model_leaf(model, m, "label", symbol_count(&rules), gru.in, false, labels, small,
			  err) &&
	       label_gru_declare(model, m, &gru, err) &&
	       model_leaf(model, m, "w_out", 2 * gru.hidden, d, false, out, xavier, err) &&
	       model_leaf(model, m, "b_out", 1, d, false, zero, zero, err) &&
	       (p->depths == 0 ||
		model_leaf(model, m, "depth", (size_t)p->depths, d, false, depths, zero, err)) &&
	       (p->tied || model_leaf(model, m, "w_rel", d, 2 * d, true, relation, xavier, err));
}

/* ---- relations ------------------------------------------------------------------------------- */

struct relations {
	const struct label_paths *paths;
	size_t length;	     /* of the paths at hand */
	struct node *states; /* after them */
	struct node *w_out, *b_out;
};

/* Of means first .. first + n - 1. Those of few paths come first; what one has not has no share. */
static struct node *some_relations(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct relations *k = context;
	const struct path_means *m = &k->paths->means;
	const size_t *from = m->first + first, most = from[n] - from[n - 1];
	int32_t *rows = arena_alloc(t->arena, n * sizeof *rows);
	struct node *sum = NULL;
	for (size_t p = 0; p < most; p++) {
		const struct mat share = mat_new(t->arena, n, 1);
		for (size_t i = 0; i < n; i++) {
			const bool there = from[i] + p < from[i + 1];
			const int32_t path = m->path[from[i] + (there ? p : 0)];
			rows[i] = path - (int32_t)k->paths->first[k->length];
			mat_row(share, i)[0] = there ? m->share[from[i] + p] : 0;
		}
		struct node *part =
			tape_mul(t, tape_gather_rows(t, k->states, rows, n), tape_const(t, share));
		sum = sum ? tape_accumulate(t, sum, part) : part;
	}
	return tape_add(t, tape_matmul(t, sum, false, k->w_out, false, 1), k->b_out);
}

/* r [means, d]; the states behind it are forgotten length by length. */
static struct node *make_relations(struct run *run, const struct member *m,
				   const struct label_paths *paths, struct arena *a,
				   struct err *err)
{
	const struct label_gru gru = gru_of(run->model, m->param);
	const size_t *of_length = paths->means.of_length;
	struct relations k = {.paths = paths,
			      .w_out = run_leaf(run, m, "w_out"),
			      .b_out = run_leaf(run, m, "b_out")};
	struct label_rows r =
		label_rows_begin(run, mat_new(a, paths->means.n, run->model->config.d));
	struct arena scratch;
	arena_init(&scratch);
	struct label_reader *reader =
		label_reader_new(run, m, &gru, run_leaf(run, m, "label"), paths, &scratch);
	for (k.length = 1; r.filled < paths->means.n; k.length++) {
		const size_t n = of_length[k.length + 1] - of_length[k.length];
		k.states = label_reader_next(reader, err);
		if (!k.states)
			break;
		if (n > 0)
			label_rows_add(&r, n, some_relations, &k);
	}
	arena_release(&scratch);
	return label_rows_end(&r, err);
}

/* ---- the terms where there are many relations --------------------------------------------------- */

static bool sort_pairs(struct run *run, const struct member *m, struct graph_tr_state *state,
		       struct err *err)
{
	const struct index *mean = state->paths.index;
	const size_t pairs = run->n * run->n, width = 3 * run->model->config.heads;
	if (pairs > INT32_MAX / width)
		return err_set(err, "%s: %zu units with different paths are too many for %zu heads",
			       m->text, run->n, run->model->config.heads);
	size_t *next = arena_calloc(run->arena, mean->count + 1, sizeof *next);
	int32_t *pair = arena_alloc(run->arena, pairs * sizeof *pair);
	int32_t *place = arena_alloc(run->arena, pairs * sizeof *place);
	struct index *index = arena_alloc(run->arena, sizeof *index);
	for (size_t i = 0; i < pairs; i++)
		next[mean->at[i] + 1]++;
	for (size_t i = 0; i < mean->count; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < pairs; i++) {
		const size_t at = next[mean->at[i]]++;
		place[i] = (int32_t)(at * width);
		pair[at] = (int32_t)i;
	}
	*index = (struct index){
		.rows = run->n, .cols = run->n, .count = (pairs - 1) * width + 1, .at = place};
	state->place = index;
	state->pair = pair;
	state->room = mat_new(run->arena, pairs, width);
	return true;
}

struct terms {
	const struct graph_tr_state *state;
	struct node *q, *k;
	size_t n, heads;
};

/* Row by row the sum over the columns of each head: [n, d] → [n, h]. */
static struct node *head_sums(struct tape *t, struct node *x, size_t heads)
{
	const size_t n = x->v.rows, wide = x->v.cols / heads;
	struct node *sums = tape_row_sum(t, tape_reshape(t, x, n * heads, wide));
	return tape_reshape(t, sums, n, heads);
}

/* q·r^b, r^a·k and r^a·r^b of all heads, for pairs first .. first + n - 1 in their order. */
static struct node *some_terms(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct terms *k = context;
	const struct graph_tr_state *state = k->state;
	const int32_t *pair = state->pair + first, *mean = state->paths.index->at;
	const int32_t from = mean[pair[0]], to = mean[pair[n - 1]] + 1;
	int32_t *query = arena_alloc(t->arena, 3 * n * sizeof *query);
	int32_t *key = query + n, *read = key + n;
	for (size_t i = 0; i < n; i++) {
		query[i] = pair[i] / (int32_t)k->n;
		key[i] = pair[i] % (int32_t)k->n;
		read[i] = mean[pair[i]] - from;
	}
	struct node *r =
		tape_slice(t, state->r, (size_t)from, (size_t)(to - from), 0, state->r->v.cols);
	struct node *ra = tape_matmul(t, r, false, state->wa, false, 1);
	struct node *rb = tape_matmul(t, r, false, state->wb, false, 1);
	struct node *query_relation =
		tape_mul(t, tape_gather_rows(t, k->q, query, n), tape_gather_rows(t, rb, read, n));
	struct node *relation_key =
		tape_mul(t, tape_gather_rows(t, ra, read, n), tape_gather_rows(t, k->k, key, n));
	struct node *relation_relation = head_sums(t, tape_mul(t, ra, rb), k->heads);
	struct node *parts[] = {head_sums(t, query_relation, k->heads),
				head_sums(t, relation_key, k->heads),
				tape_gather_rows(t, relation_relation, read, n)};
	return tape_concat_cols(t, parts, 3);
}

static struct node *make_terms(struct run *run, const struct graph_tr_state *state, struct err *err)
{
	const struct terms k = {.state = state,
				.q = run->q,
				.k = run->k,
				.n = run->n,
				.heads = run->model->config.heads};
	struct label_rows rows = label_rows_begin(run, state->room);
	label_rows_add(&rows, state->room.rows, some_terms, &k);
	struct node *all = label_rows_end(&rows, err);
	return all ? tape_reshape(run->tape, all, 1, all->v.rows * all->v.cols) : NULL;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

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
	const size_t d = run->model->config.d;
	if (!state)
		return false;
	if (!state->r)
		state->r = label_paths_made(run, m, &state->paths, false, make_relations, err);
	if (!state->r)
		return false;
	run_keep(run, m, "r", state->r->v);
	run_keep_index(run, m, "relation", state->paths.index);
	struct node *w = p->tied ? NULL : run_leaf(run, m, "w_rel");
	state->wa = w ? tape_slice(t, w, 0, d, 0, d) : run_weight(run, "w_q");
	state->wb = w ? tape_slice(t, w, 0, d, d, d) : run_weight(run, "w_k");
	if (state->paths.means.n <= 2 * run->n)
		return true;
	if (!state->place && !sort_pairs(run, m, state, err))
		return false;
	state->terms = make_terms(run, state, err);
	return state->terms != NULL;
}

/* What pairs read a term from. */
struct reading {
	struct node *table;
	enum gather how;
};

static void few_relations(struct head *head, const struct graph_tr_state *state,
			  struct reading out[3])
{
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	struct node *wa = head_slice(head, state->wa, dk), *wb = head_slice(head, state->wb, dk);
	struct node *ra = tape_matmul(t, state->r, false, wa, false, 1);
	struct node *rb = tape_matmul(t, state->r, false, wb, false, 1);
	struct node *own = tape_row_sum(t, tape_mul(t, ra, rb));
	out[0] = (struct reading){tape_matmul(t, head->q_raw, false, rb, true, 1), GATHER_BY_ROW};
	out[1] = (struct reading){tape_matmul(t, head->k_raw, false, ra, true, 1), GATHER_BY_COL};
	out[2] = (struct reading){tape_reshape(t, own, 1, own->v.rows), GATHER_SHARED};
}

static void many_relations(struct head *head, const struct graph_tr_state *state,
			   struct reading out[3])
{
	const size_t heads = head->run->model->config.heads;
	for (size_t i = 0; i < 3; i++)
		out[i] = (struct reading){tape_slice(head->tape, state->terms, 0, 1,
						     i * heads + head->index, state->place->count),
					  GATHER_SHARED};
}

static bool graph_tr_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	static const struct {
		const char *label;
		enum term_kind kind;
	} terms[] = {{"query–relation", TERM_UNIT_POSITION},
		     {"relation–key", TERM_POSITION_UNIT},
		     {"relation–relation", TERM_POSITION}};
	const struct graph_tr_state *state = head_state(head, m);
	const struct index *index = state->terms ? state->place : state->paths.index;
	struct reading readings[3];
	(state->terms ? many_relations : few_relations)(head, state, readings);
	for (size_t i = 0; i < 3; i++)
		head_add_indexed(head, terms[i].label, terms[i].kind, readings[i].table, index,
				 readings[i].how, head_scale(head));
	return true;
}

static double graph_tr_memory(const struct model *model, const struct member *m,
			      const struct model_input *in, unsigned kinds)
{
	const struct path_rules rules = rules_of(m->param);
	const struct label_gru gru = gru_of(model, m->param);
	const struct label_bound most = label_paths_bound(in, &rules, kinds);
	const double n = (double)in->axis.n, d = (double)model->config.d;
	const double states = 2 * (double)(gru.hidden * gru.stack) * most.paths;
	const double terms = most.means > 2 * n ? n * n * (double)(3 * model->config.heads + 1) : 0;
	if (kinds == WANT_RELATION)
		return most.bytes;
	const double copies = kinds & WANT_KEPT ? 2 : 1;
	return most.bytes + 8 * (d * most.means * copies + states + terms);
}

/* ---- descriptor ------------------------------------------------------------------------------ */

static const struct param graph_tr_params[] = {
	SWITCH_PARAM(struct graph_tr, tied, false,
		     "r goes through W_q and W_k as the units do (eq. 30); off: a matrix of its "
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

static const struct leaf_row graph_tr_leaves[] = {
	{"label", "2 labels + 5, width",
	 "row of a symbol: no path, <SELF>, <rCLS>, <CLS>, <TL>, then the labels in alphabetical "
	 "order, down and up"},
	{"weight_ih_*", NULL,
	 "GRU, one layer and direction: from labels, or the layer below, to the gates r, z, n; a "
	 "row for each output"},
	{"weight_hh_*", NULL, "GRU: from its state to the gates; a row for each output"},
	{"bias_ih_*", NULL, "GRU: added to what weight_ih gives", .spare = true},
	{"bias_hh_*", NULL, "GRU: added to what weight_hh gives", .spare = true},
	{"w_out", NULL, "from the last states of both directions to the relation"},
	{"b_out", "1, d", "added to the relation", .spare = true},
	{"depth", "depths, d", "row i: added to a unit i edges below the root"},
	{"w_rel", "d, 2 d", "from the relation to what is added to the query, then to the key"},
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
		.cite = "Cai, Lam: Graph Transformer for graph-to-sequence learning. AAAI 2020",
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
		.evidence_note = "jcyk/gtos a13dba0 with stack=2; as there edges get reverse ones, "
				 "special units reach all in one step, and r has a matrix of its "
				 "own, where eq. 30 has W_q and W_k (tied=on). Its √d U and the "
				 "normalisation of X are left out. Each different path has a "
				 "vector r: with stack=2 a graph of 500 nodes and many labels "
				 "takes seconds, and less with a lower longest",
		.demo_note = "labels from N(0, 1), the reverse of one differing in the sign of odd "
			     "components; a state is half the last one and half tanh of the label; "
			     "r^a = r/2, r^b = r with odd components negated; depths are halves of "
			     "sinusoids",
		.count_printed = "7 d^2 + 3 d",
		.claims = graph_tr_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = graph_tr_params,
		.param_size = sizeof(struct graph_tr),
		.hooks = {.declare = graph_tr_declare,
			  .relation = graph_tr_relation,
			  .embed = graph_tr_embed,
			  .prepare = graph_tr_prepare,
			  .logits = graph_tr_logits,
			  .memory = graph_tr_memory,
			  .matrices = 4},
	},
	{0},
};
