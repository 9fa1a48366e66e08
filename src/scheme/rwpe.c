/* rwpe.c: the probability that a random walk has returned after 1, 2, … k steps (Dwivedi et al.
 * 2022, LSPE).
 *
 *   RW = A D^{-1},  p_t = [RW_tt, RW²_tt, …, RW^k_tt],  X_t = U_t + C p_t + c
 *
 * No sign has to be chosen. The first number is 0, the second depends on the degrees of a node's
 * neighbours, the third counts triangles; if the graph is bipartite, as every tree is, odd steps
 * never return. */

#include "scheme/graph.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

enum { MAX_STEPS = 64, BLOCK = 64 };

struct rwpe {
	long k;
};

/* Computes to = RW · from for a block of starts, one a column: a node's probability is divided
 * equally among its neighbours. */
static void step(const struct graph *g, double (*from)[BLOCK], double (*to)[BLOCK], size_t count)
{
	for (size_t v = 0; v < g->n; v++) {
		const size_t degree = graph_degree(g, v);
		const double part = 1 / (double)(degree > 0 ? degree : 1);
		for (size_t i = 0; i < count; i++)
			from[v][i] *= part;
	}
	for (size_t u = 0; u < g->n; u++) {
		double *sum = to[u];
		for (size_t i = 0; i < count; i++)
			sum[i] = 0;
		for (size_t e = g->first[u]; e < g->first[u + 1]; e++)
			for (size_t i = 0; i < count; i++)
				sum[i] += from[g->to[e]][i];
	}
}

static struct node *returns(struct run *run, const struct member *m, struct err *err)
{
	const struct rwpe *p = m->param;
	const struct graph g = graph_of(run);
	const size_t k = (size_t)p->k;
	const struct mat out = mat_zero(run->arena, g.n + 1, k);
	double(*at)[BLOCK] = arena_calloc(run->arena, g.n, sizeof *at);
	double(*next)[BLOCK] = arena_calloc(run->arena, g.n, sizeof *next);
	for (size_t start = 0; start < g.n; start += BLOCK) {
		const size_t count = g.n - start < BLOCK ? g.n - start : BLOCK;
		if (run_cancelled(run)) {
			err_set(err, "cancelled");
			return NULL;
		}
		for (size_t v = 0; v < g.n; v++)
			for (size_t i = 0; i < count; i++)
				at[v][i] = v == start + i;
		for (size_t j = 0; j < k; j++) {
			step(&g, at, next, count);
			for (size_t i = 0; i < count; i++)
				mat_row(out, start + i)[j] = next[start + i][i];
			double(*const swap)[BLOCK] = at;
			at = next;
			next = swap;
		}
	}
	return tape_const(run->tape, out);
}

static const double demo_gain = 2;

/* On an infinite chain a walk with an even number of steps has returned when half of them went
 * left. */
static double return_on_chain(size_t steps)
{
	double chance = steps % 2 ? 0 : 1;
	for (size_t i = 1; i <= steps / 2; i++)
		chance *= ((double)i - 0.5) / (double)i;
	return chance;
}

/* c subtracts the numbers of a node inside a long chain. */
static void demo_bias(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	const struct leaf *weight = model_find_leaf(of->model, of->m, "weight", 0);
	const struct mat steps = model_leaf_at(of->model, weight);
	for (size_t j = 0; j < steps.rows; j++)
		for (size_t i = 0; i < at.cols; i++)
			at.at[i] -= return_on_chain(j + 1) * mat_row(steps, j)[i];
}

static bool rwpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct graph g = graph_of(run);
	return graph_add_mapped(run, m, &g, run_cached(run, m, "returns", false, returns, err));
}

static const struct param rwpe_params[] = {
	NUMBER_PARAM(struct rwpe, k, 20, 1, MAX_STEPS, 1, "steps of the walk: a number for each"),
	{0},
};

static const struct claim rwpe_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "one step comes back along a loop alone: without loops all nodes have the same vector",
	 "k == 1"},
	{CLAIM_RELATIVE, ANSWER_YES, GRAPH_ALONE},
	{0},
};

static const struct leaf_row rwpe_leaves[] = {
	GRAPH_MAP_LEAVES(
		"row i: what the probability to be back after i + 1 steps adds to the token vector",
		learned_signs, demo_gain, {.make = demo_bias}),
	{0},
};

const struct scheme scheme_rwpe[] = {
	{
		.id = "rwpe",
		.aliases = "random-walk lspe",
		.title = "Random-walk position embedding",
		.formula = "X_t = U_t + C p_t + c,  p_t = [RW_{tt}, RW²_{tt}, …, RW^k_{tt}],  RW = "
			   "A D^{−1}",
		.authors = "Dwivedi et al.",
		.cite = "@dwivedi2022graph",
		.about = "A node's position is the chance that a random walk from it is back after "
			 "1, 2, … k steps: a portrait of its surroundings without any sign to "
			 "choose. Nodes that the graph cannot tell apart get the same.",
		.year = 2022,
		.topic = TOPIC_GRAPH,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = rwpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "vijaydwivedi75/gnn-lspe 6b384436: k = 20 for GatedGCN on ZINC, "
				 "16 elsewhere; its layers go on to change p, here it is added "
				 "once",
		.demo_note = "rows of C are 2 times signs that are orthogonal row by row; c makes "
			     "a node inside an endless chain 0",
		.claims = rwpe_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = rwpe_params,
		.param_size = sizeof(struct rwpe),
		.hooks = {.declare = leaves_declare, .embed = rwpe_embed},
	},
	{0},
};
