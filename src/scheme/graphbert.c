/* graphbert.c: a graph as a list without links, made for one of its nodes (Zhang et al. 2020,
 * GRAPH-BERT).
 *
 *   X_j = U_j + e(WL(j)) + e(P(j)) + e(H(j, i)),  i the target
 *
 * WL is the colour by which Weisfeiler and Lehman distinguish nodes, P the index in the list, by
 * descending intimacy with i, H the number of edges from i. */
#include <math.h>

#include "scheme/graphbert.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/node_ranks.h"

static const char *const reading_names[] = {"paper", "code", NULL};
enum vectors { VECTORS_SINUSOID, VECTORS_TABLES };
static const char *const vectors_names[] = {"sinusoid", "tables", NULL};

static const char *const number_names[NUMBERS] = {"role", "intimacy", "hops"};

/* Adds the three numbers of the tokens as position columns, for tables and for other schemes by
 * pos=. */
static bool graphbert_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct graphbert_list *list = run_kept(run, m);
	for (enum number k = 0; k < NUMBERS; k++) {
		double *at = arena_calloc(run->arena, run->n + 1, sizeof *at);
		for (size_t i = 0; i < run->n; i++) {
			const size_t node = graphbert_node(run, list, i);
			at[i] = node < list->graph.n ? list->at[k][node] : 0;
		}
		if (!run_add_column(run, number_names[k], at, err))
			return false;
	}
	return true;
}

static const char *says_hops(const struct relation *r, int32_t value,
			     const struct relation_cell *at, struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "no path";
	if (value == 0)
		return "the same node";
	return arena_printf(a, "%d hop%s away", (int)value, value == 1 ? "" : "s");
}

/* Returns a note of the target: its position and, if it has a node, the name of that. */
static const char *target_note(struct run *run, const struct graphbert_list *list, long target)
{
	bool chain;
	const struct structure *s = run_structure(run, &chain);
	const size_t at = (size_t)target - 1;
	const size_t node = at < list->tokens ? list->node[at] : list->graph.n;
	if (chain || node >= s->n)
		return arena_printf(run->arena, "the row of token %ld, the target, is embedded",
				    target);
	return arena_printf(run->arena, "the row of token %ld, node %s, the target, is embedded",
			    target, s->names[node]);
}

static bool graphbert_relation(struct run *run, const struct member *m, struct relation *out,
			       struct err *err)
{
	(void)err;
	const struct graphbert *p = m->param;
	const struct graphbert_list *list = run_kept(run, m);
	const size_t n = run->n, nodes = list->graph.n;
	int32_t *at = arena_calloc(run->arena, n * n + 1, sizeof *at);
	int32_t *hops = arena_calloc(run->arena, nodes + 1, sizeof *hops);
	for (size_t t = 0; t < n; t++) {
		const size_t node = graphbert_node(run, list, t);
		const struct arena_mark mark = arena_mark(run->arena);
		if (node < nodes)
			graph_hops(&list->graph, node, hops, run->arena);
		arena_rewind(run->arena, mark);
		for (size_t s = 0; s < n; s++) {
			const size_t other = graphbert_node(run, list, s);
			const bool there = node < nodes && other < nodes && hops[other] >= 0;
			at[t * n + s] = there ? hops[other] : RELATION_NO_PATH;
		}
	}
	*out = (struct relation){.title = "hops H(t,s)",
				 .n = n,
				 .at = at,
				 .says = says_hops,
				 .note = target_note(run, list, p->target)};
	return true;
}

/* Returns the rows for numbers from 0 to the most that this graph can have, and one for no
 * number. */
static size_t sinusoid_rows(const struct graphbert_list *list)
{
	return (list->graph.n > GRAPHBERT_FAR ? list->graph.n : GRAPHBERT_FAR) + 1;
}

/* Computes column j of e(z): the sine of z / 10000^{j/d} if j is even, else its cosine. */
static struct node *sinusoids(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const size_t d = run->model->config.d, rows = sinusoid_rows(run_kept(run, m));
	const struct mat out = mat_zero(run->arena, rows + 1, d);
	for (size_t j = 0; j < d; j++) {
		const double rate = pow(10000, -(double)j / (double)d);
		for (size_t z = 0; z < rows; z++)
			mat_row(out, z)[j] = j % 2 ? cos((double)z * rate) : sin((double)z * rate);
	}
	return tape_const(run->tape, out);
}

static struct node *learned_table(struct run *run, const struct member *m, enum number k)
{
	const struct mat none = mat_zero(run->arena, 1, run->model->config.d);
	struct node *const parts[] = {run_leaf(run, m, number_names[k]),
				      tape_const(run->tape, none)};
	return tape_concat_rows(run->tape, parts, 2);
}

/* Takes the row of each token's number, the last one for tokens without a node. */
static struct node *number_rows(struct run *run, const struct member *m, enum number k,
				struct node *table)
{
	const struct graphbert_list *list = run_kept(run, m);
	const size_t last = table->v.rows - 1;
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	bool cut = false;
	for (size_t i = 0; i < run->n; i++) {
		const size_t node = graphbert_node(run, list, i);
		const size_t row = node < list->graph.n ? (size_t)list->at[k][node] : last;
		const bool beyond = node < list->graph.n && row >= last;
		rows[i] = (int32_t)(beyond ? last - 1 : row);
		cut |= beyond;
	}
	if (cut)
		run_note(run, m, "numbers from 99 on share the last row of their table");
	return tape_gather_rows(run->tape, table, rows, run->n);
}

static struct node *sinusoid_table(struct run *run, const struct member *m, struct err *err)
{
	const size_t rows = sinusoid_rows(run_kept(run, m));
	return run_cached(run, m, arena_printf(run->arena, "sinusoids %zu", rows), false, sinusoids,
			  err);
}

static bool graphbert_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct graphbert *p = m->param;
	const bool tables = p->vectors == VECTORS_TABLES;
	struct node *sum = NULL, *shared = tables ? NULL : sinusoid_table(run, m, err);
	if (!tables && !shared)
		return false;
	for (enum number k = 0; k < NUMBERS; k++) {
		struct node *part =
			number_rows(run, m, k, tables ? learned_table(run, m, k) : shared);
		sum = sum ? tape_add(run->tape, sum, part) : part;
	}
	run_add_part(run, "position", sum);
	return true;
}

static const struct param graphbert_params[] = {
	NUMBER_PARAM(struct graphbert, target, 1, 1, INPUT_MAX_TOKENS, 1,
		     "the token whose node the list is made for, from 1"),
	NUMBER_PARAM(struct graphbert, k, 0, 0, INPUT_MAX_TOKENS, 1,
		     "context nodes beside the target, closest first; 0: all nodes, where they "
		     "stand"),
	NUMBER_PARAM(struct graphbert, alpha, 0.15, 0.01, 1, 0.05,
		     "α of the intimacy: the chance that a walk starts again at each step"),
	CHOICE_PARAM(struct graphbert, intimacy, NODE_CLOSENESS_PAPER, reading_names,
		     "A over the degrees of its columns; in the code over the roots of both, and "
		     "of equal nodes the last comes first"),
	NUMBER_PARAM(struct graphbert, rounds, 0, 0, INPUT_MAX_TOKENS, 1,
		     "of telling colours apart; 0: until no more are, the code stops after 1"),
	CHOICE_PARAM(struct graphbert, vectors, VECTORS_SINUSOID, vectors_names,
		     "of the three numbers: sinusoids as in the paper, or learned tables of 100 "
		     "rows as in the code"),
	{0},
};

static const struct claim graphbert_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_YES, "tables are learned, as in the code", "vectors == tables"},
	{CLAIM_COUNT, ANSWER_NO, "printed with the sinusoids of the paper", "vectors == tables"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "no column of positions is read, the graph alone, so a shift of one moves nothing; roles "
	 "belong to single nodes, positions and hops are relative to the target"},
	{0},
};

#define TABLE(base, meaning)                                                            \
	{                                                                               \
		base, "100, d", meaning ": added to the token vector",                  \
			.by_layer = ALL_LAYERS, .when = "vectors == tables",            \
			.demo = {.make = learned_curves}, .paper = {FILL_NORMAL, 0.02}, \
	}

static const struct leaf_row graphbert_leaves[] = {
	TABLE("role", "row of a Weisfeiler-Lehman colour"),
	TABLE("intimacy", "row of a position in the list by intimacy"),
	TABLE("hops", "row of a distance from the target"),
	{0},
};

const struct scheme scheme_graphbert[] = {
	{
		.id = "graphbert",
		.aliases = "graph-bert",
		.title = "GRAPH-BERT: role, intimacy and hops",
		.formula = "X_j = U_j + e(WL(j)) + e(P(j)) + e(H(j,i)),  e(z) = "
			   "[sin(z/10^{4·2l/d}), cos(z/10^{4(2l+1)/d})]",
		.authors = "Zhang et al.",
		.cite = "@zhang2020graphbert",
		.about =
			"A target node and its context become a list without links. Each node "
			"brings its role in the whole graph, its position in the list by how close "
			"random walks hold it to the target, and the number of edges between.",
		.year = 2020,
		.topic = TOPIC_GRAPH,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_BOTH,
		.inj = INJ_EMBEDDING,
		.leaves = graphbert_leaves,
		.flags = SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "jwzhanggy/Graph-Bert 235c140d with intimacy=code, rounds=1, "
				 "vectors=tables, but for the LayerNorm of the sum; the default is "
				 "the paper's formulas, colours ranked by old colour and "
				 "neighbours",
		.demo_note = "each column of the tables is a sum of three cosines of random phase; "
			     "sinusoids have nothing to learn",
		.count_printed = "0",
		.claims = graphbert_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = graphbert_params,
		.param_size = sizeof(struct graphbert),
		.hooks = {.declare = leaves_declare,
			  .relation = graphbert_relation,
			  .units = graphbert_units,
			  .positions = graphbert_positions,
			  .embed = graphbert_embed},
	},
	{0},
};
