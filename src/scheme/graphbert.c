/* graphbert.c: a graph as a list without links: each node says what it is in the graph, how close it
 * is to the node that the list is made for, and how many edges away (Zhang et al. 2020, GRAPH-BERT).
 *
 *   X_j = U_j + e(WL(j)) + e(P(j)) + e(H(j, i)),  i the target
 *
 * WL is the colour by which Weisfeiler and Lehman tell nodes apart: absolute. P is the place in the
 * list, by descending intimacy with i, H the number of edges: relative to i. With k > 0 the units are
 * i and its k context nodes, in the order of the list; else all nodes are in it. What follows from the
 * graph is found before the units are chosen, and kept by node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/scheme.h"
#include "scheme/graph.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

enum reading { READING_PAPER, READING_CODE };
static const char *const reading_names[] = {"paper", "code", NULL};
enum vectors { VECTORS_SINUSOID, VECTORS_TABLES };
static const char *const vectors_names[] = {"sinusoid", "tables", NULL};

enum { MAX_TOKEN = 4096, UNREACHABLE = 99 };

struct graphbert {
	long target, k, rounds;
	double alpha;
	int intimacy; /* enum reading */
	int vectors;  /* enum vectors */
};

enum number { NUMBER_ROLE, NUMBER_INTIMACY, NUMBER_HOPS, NUMBERS };
static const char *const number_names[NUMBERS] = {"role", "intimacy", "hops"};

struct list {
	struct graph graph;
	size_t tokens;
	size_t *node;	      /* [tokens], by place; graph.n: none */
	int32_t *at[NUMBERS]; /* [graph.n] */
};

/* ---- Weisfeiler–Lehman ------------------------------------------------------------------------- */

/* A node's colour and those around it, ascending. */
struct surroundings {
	size_t node, n;
	int32_t *colours;
};

static int by_number(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static int by_colours(const void *a, const void *b)
{
	const struct surroundings *x = a, *y = b;
	for (size_t i = 0; i < x->n && i < y->n; i++)
		if (x->colours[i] != y->colours[i])
			return x->colours[i] < y->colours[i] ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

/* Colours by rank of old colour and surroundings, from 1; how many there are now. Ranks keep the
 * order of the old ones, so when their number stays, so do they. */
static size_t refine(const struct graph *g, struct surroundings *around, int32_t *colour)
{
	for (size_t i = 0; i < g->n; i++) {
		struct surroundings *s = &around[i];
		s->n = 1 + graph_degree(g, s->node);
		s->colours[0] = colour[s->node];
		for (size_t e = 1; e < s->n; e++)
			s->colours[e] = colour[g->to[g->first[s->node] + e - 1]];
		qsort(s->colours + 1, s->n - 1, sizeof *s->colours, by_number);
	}
	qsort(around, g->n, sizeof *around, by_colours);
	int32_t rank = 0;
	for (size_t i = 0; i < g->n; i++) {
		rank += i == 0 || by_colours(&around[i - 1], &around[i]) != 0;
		colour[around[i].node] = rank;
	}
	return (size_t)rank;
}

/* rounds 0: until nothing is told apart any more. */
static int32_t *roles(const struct graph *g, long rounds, struct arena *a)
{
	struct surroundings *around = arena_calloc(a, g->n + 1, sizeof *around);
	int32_t *colour = arena_calloc(a, g->n + 1, sizeof *colour);
	for (size_t i = 0; i < g->n; i++) {
		colour[i] = 1;
		around[i].node = i;
		around[i].colours = arena_calloc(a, graph_degree(g, i) + 1, sizeof(int32_t));
	}
	for (size_t count = 1, round = 0; rounds == 0 || round < (size_t)rounds; round++) {
		const size_t now = refine(g, around, colour);
		if (now == count)
			break;
		count = now;
	}
	return colour;
}

/* ---- intimacy ---------------------------------------------------------------------------------- */

/* Row i of S = α (I - (1-α) Ā)^{-1} = α Σ_m (1-α)^m Ā^m. Ā is A D^{-1}, or D^{-1/2} A D^{-1/2} in the
 * code; neither makes a row larger, so what is cut off is below the weight of the next term. */
static double *intimacy(const struct graph *g, size_t i, double alpha, enum reading reading,
			struct arena *a)
{
	double *sum = arena_calloc(a, g->n + 1, sizeof *sum);
	double *at = arena_calloc(a, g->n + 1, sizeof *at);
	double *next = arena_calloc(a, g->n + 1, sizeof *next);
	double *scale = arena_calloc(a, g->n + 1, sizeof *scale);
	for (size_t j = 0; j < g->n; j++) {
		const double degree = fmax(1, (double)graph_degree(g, j));
		scale[j] = reading == READING_CODE ? 1 / sqrt(degree) : 1 / degree;
	}
	at[i] = 1;
	for (double weight = alpha; weight > 1e-18; weight *= 1 - alpha) {
		for (size_t j = 0; j < g->n; j++)
			sum[j] += weight * at[j];
		for (size_t j = 0; reading == READING_CODE && j < g->n; j++)
			at[j] *= scale[j];
		for (size_t j = 0; j < g->n; j++) {
			double in = 0;
			for (size_t e = g->first[j]; e < g->first[j + 1]; e++)
				in += at[g->to[e]];
			next[j] = in * scale[j];
		}
		double *const swap = at;
		at = next;
		next = swap;
	}
	return sum;
}

/* 0 for the target, then 1, 2, … by descending intimacy; of equal nodes the lower index first, in the
 * code the higher. */
static int32_t *ranks(const double *close, size_t n, size_t target, enum reading reading,
		      struct arena *a)
{
	static const double same = 1e-12;
	int32_t *rank = arena_calloc(a, n + 1, sizeof *rank);
	for (size_t j = 0; j < n; j++)
		rank[j] = j == target ? 0 : -1;
	for (int32_t next = 1; (size_t)next < n; next++) {
		size_t best = n;
		for (size_t j = 0; j < n; j++) {
			if (rank[j] >= 0)
				continue;
			const double more = best == n ? 1 : close[j] - close[best];
			if (more > same || (reading == READING_CODE && more > -same))
				best = j;
		}
		rank[best] = next;
	}
	return rank;
}

/* ---- the list ---------------------------------------------------------------------------------- */

static void find_nodes(struct run *run, struct list *list)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->queries->token[i] >= (long)list->tokens)
			list->tokens = (size_t)run->queries->token[i] + 1;
	list->node = arena_calloc(run->arena, list->tokens + 1, sizeof *list->node);
	for (size_t i = 0; i < list->tokens; i++)
		list->node[i] = list->graph.n;
	const int32_t *rows = graph_rows(run, &list->graph);
	for (size_t i = 0; i < run->n; i++)
		if (run->queries->token[i] >= 0)
			list->node[run->queries->token[i]] = (size_t)rows[i];
}

/* The node of unit i; graph.n: none. */
static size_t node_of(const struct run *run, const struct list *list, size_t i)
{
	const long token = run->queries->token[i];
	return token < 0 || (size_t)token >= list->tokens ? list->graph.n : list->node[token];
}

/* What stands before the first token, the list, what stands behind it without being a token. */
static void choose(struct run *run, const struct list *list, size_t k)
{
	const size_t n = run->n, nodes = list->graph.n;
	size_t *rows = arena_calloc(run->arena, n, sizeof *rows), kept = 0, start = 0;
	while (start < n && run->queries->token[start] < 0)
		rows[kept++] = start++;
	for (size_t place = 0; place <= k && place < nodes; place++)
		for (size_t i = start; i < n; i++) {
			const size_t node = node_of(run, list, i);
			if (node < nodes && (size_t)list->at[NUMBER_INTIMACY][node] == place)
				rows[kept++] = i;
		}
	for (size_t i = start; i < n; i++)
		if (run->queries->token[i] < 0)
			rows[kept++] = i;
	run_select_units(run, rows, kept);
}

static bool graphbert_units(struct run *run, const struct member *m, struct err *err)
{
	const struct graphbert *p = m->param;
	struct arena *a = run->arena;
	struct list *list = run_state(run, m, sizeof *list);
	list->graph = graph_of(run);
	find_nodes(run, list);
	const struct graph *g = &list->graph;
	const size_t target = (size_t)p->target - 1;
	if (target >= list->tokens || list->node[target] == g->n)
		return err_set(err,
			       "%s: there is no token %ld on a node to be the target; the last is "
			       "%zu",
			       m->text, p->target, list->tokens);
	/* A chain is of the tokens in the order they stand: there the target is a place. */
	const size_t i = g->chain ? target : list->node[target];
	const enum reading reading = (enum reading)p->intimacy;
	list->at[NUMBER_ROLE] = roles(g, p->rounds, a);
	list->at[NUMBER_INTIMACY] =
		ranks(intimacy(g, i, p->alpha, reading, a), g->n, i, reading, a);
	int32_t *hops = list->at[NUMBER_HOPS] = arena_calloc(a, g->n + 1, sizeof *hops);
	graph_hops(g, i, hops, a);
	for (size_t j = 0; j < g->n; j++)
		hops[j] = hops[j] < 0 ? UNREACHABLE : hops[j];
	if (p->k > 0)
		choose(run, list, (size_t)p->k);
	return true;
}

/* The three numbers of the units, for tables of positions and for whoever reads them by pos=. */
static bool graphbert_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct list *list = run_kept(run, m);
	for (enum number k = 0; k < NUMBERS; k++) {
		double *at = arena_calloc(run->arena, run->n + 1, sizeof *at);
		for (size_t i = 0; i < run->n; i++) {
			const size_t node = node_of(run, list, i);
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

/* The target by its place and, where it stands on a node, by the name that is drawn. */
static const char *target_note(struct run *run, const struct list *list, long target)
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
	const struct list *list = run_kept(run, m);
	const size_t n = run->n, nodes = list->graph.n;
	int32_t *at = arena_calloc(run->arena, n * n + 1, sizeof *at);
	int32_t *hops = arena_calloc(run->arena, nodes + 1, sizeof *hops);
	for (size_t t = 0; t < n; t++) {
		const size_t node = node_of(run, list, t);
		const struct arena_mark mark = arena_mark(run->arena);
		if (node < nodes)
			graph_hops(&list->graph, node, hops, run->arena);
		arena_rewind(run->arena, mark);
		for (size_t s = 0; s < n; s++) {
			const size_t other = node_of(run, list, s);
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

/* ---- vectors ----------------------------------------------------------------------------------- */

/* Numbers from 0 to the most that this graph can have; one more row is for no number. */
static size_t sinusoid_rows(const struct list *list)
{
	return (list->graph.n > UNREACHABLE ? list->graph.n : UNREACHABLE) + 1;
}

/* Column j of e(z): the sine of z / 10000^{j/d} where j is even, else its cosine. */
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

/* The row of each unit's number, the last one for units without a node. */
static struct node *take(struct run *run, const struct member *m, enum number k, struct node *table)
{
	const struct list *list = run_kept(run, m);
	const size_t last = table->v.rows - 1;
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	bool cut = false;
	for (size_t i = 0; i < run->n; i++) {
		const size_t node = node_of(run, list, i);
		const size_t row = node < list->graph.n ? (size_t)list->at[k][node] : last;
		const bool beyond = node < list->graph.n && row >= last;
		rows[i] = (int32_t)(beyond ? last - 1 : row);
		cut |= beyond;
	}
	if (cut)
		run_note(run, m, "numbers from 99 on share the last row of their table");
	return tape_gather_rows(run->tape, table, rows, run->n);
}

static struct node *table_of(struct run *run, const struct member *m, enum number k,
			     struct err *err)
{
	const struct graphbert *p = m->param;
	if (p->vectors == VECTORS_TABLES)
		return learned_table(run, m, k);
	const size_t rows = sinusoid_rows(run_kept(run, m));
	return run_cached(run, m, arena_printf(run->arena, "sinusoids %zu", rows), false, sinusoids,
			  err);
}

static bool graphbert_embed(struct run *run, const struct member *m, struct err *err)
{
	struct node *sum = NULL;
	for (enum number k = 0; k < NUMBERS; k++) {
		struct node *table = table_of(run, m, k, err);
		if (table == NULL)
			return false;
		struct node *part = take(run, m, k, table);
		sum = sum ? tape_add(run->tape, sum, part) : part;
	}
	run_add_part(run, "position", sum);
	return true;
}

/* ---- descriptor -------------------------------------------------------------------------------- */

static const struct param graphbert_params[] = {
	NUMBER_PARAM(struct graphbert, target, 1, 1, MAX_TOKEN, 1,
		     "the token whose node the list is made for, from 1"),
	NUMBER_PARAM(struct graphbert, k, 0, 0, MAX_TOKEN, 1,
		     "context nodes beside the target, closest first; 0: all nodes, where they "
		     "stand"),
	NUMBER_PARAM(struct graphbert, alpha, 0.15, 0.01, 1, 0.05,
		     "α of the intimacy: the chance that a walk starts again at each step"),
	CHOICE_PARAM(struct graphbert, intimacy, READING_PAPER, reading_names,
		     "A over the degrees of its columns; in the code over the roots of both, and "
		     "of equal nodes the last comes first"),
	NUMBER_PARAM(struct graphbert, rounds, 0, 0, MAX_TOKEN, 1,
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
	 "belong to single nodes, places and hops are relative to the target"},
	{0},
};

#define TABLE(base, meaning)                                                            \
	{                                                                               \
		base, "100, d", meaning ": added to the unit",                          \
			.by_layer = ALL_LAYERS, .when = "vectors == tables",            \
			.demo = {.make = learned_curves}, .paper = {FILL_NORMAL, 0.02}, \
	}

static const struct leaf_row graphbert_leaves[] = {
	TABLE("role", "row of a Weisfeiler-Lehman colour"),
	TABLE("intimacy", "row of a place in the list by intimacy"),
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
		.cite = "Zhang, Zhang, Xia, Sun: Graph-BERT: Only attention is needed for learning "
			"graph representations. arXiv 2001.05140, 2020",
		.about = "A target node and its context become a list without links. Each node "
			 "brings its role in the whole graph, its place in the list by how close "
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
