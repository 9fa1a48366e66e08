/* laplacian.c: eigenvectors of the graph's Laplacian as positions of its nodes (Dwivedi and Bresson
 * 2020, Graph Transformer).
 *
 *   Δ = I - D^{-1/2} A D^{-1/2},  X_t = U_t + C λ_t + c
 *
 * On a chain they are cosines, like the modes of a string with free ends, times √degree; on any
 * other graph they are functions that vary slowly on it. Each is determined up to its sign, so
 * in training its sign was drawn for every batch. local=on adds the attention of this model: to
 * neighbours only. */
#include <math.h>

#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/spectrum.h"

enum local { LOCAL_OFF, LOCAL_ON, LOCAL_SELF };
static const char *const local_names[] = {"off", "on", "self", NULL};

struct laplacian {
	struct spectrum_param spectrum;
	int local; /* enum local */
	double clamp;
};

/* Slow eigenvectors weigh more, so that nearby nodes are similar whatever the graph's size. */
static void make_weight(struct mat at, const struct leaf_maker *of)
{
	learned_signs(at, of);
	for (size_t j = 0; j < at.rows; j++)
		for (size_t i = 0; i < at.cols; i++)
			mat_row(at, j)[i] *= 3 / (double)(j + 1);
}

static bool laplacian_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct graph g = graph_of(run);
	return graph_add_mapped(run, m, &g, spectrum_of(run, m, &g, err));
}

/* A token without a node has no neighbours: it sees all, and all see it. */
static bool laplacian_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct laplacian *p = m->param;
	struct run *run = head->run;
	if (p->local == LOCAL_OFF)
		return true;
	if (!run_needs_units(run, m, err))
		return false;
	const struct graph g = graph_of(run);
	const int32_t *rows = graph_rows(run, &g);
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++) {
			const size_t from = (size_t)rows[t], to = (size_t)rows[s];
			if (from == g.n || to == g.n)
				continue;
			allowed[t * run->n + s] &=
				from == to ? p->local == LOCAL_SELF : graph_joined(&g, from, to);
		}
	return true;
}

static bool laplacian_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct laplacian *p = m->param;
	if (p->local != LOCAL_OFF)
		head->logits = tape_clip(head->tape, head->logits, -p->clamp, p->clamp);
	return true;
}

/* Returns the memory of the Laplacian for LAPACK, and its workspace. */
static double laplacian_memory(const struct model *model, const struct member *m,
			       const struct model_input *in, unsigned kinds)
{
	(void)model, (void)m, (void)kinds;
	return 4 * 8 * (double)in->axis.n * (double)in->axis.n;
}

static const struct param laplacian_params[] = {
	SPECTRUM_PARAMS(struct laplacian),
	CHOICE_PARAM(struct laplacian, local, LOCAL_OFF, local_names,
		     "attention to neighbours alone, as in the model it was made for; or to the "
		     "node itself too"),
	RATIO_PARAM(struct laplacian, clamp, 5, 0.1, 1e6, 2,
		    "with local attention: logits end at plus and minus this"),
	{0},
};

static const struct claim laplacian_claims[] = {
	{CLAIM_RECURRING, ANSWER_YES,
	 "the vectors are added once, but attention to neighbours alone acts in every layer",
	 "local != off"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed without what carries the k eigenvectors to the width of the token vectors"},
	{CLAIM_LEARNABLE, ANSWER_YES,
	 "eigenvectors are not learned, but the map C, c of them to width d is: (k + 1) d numbers"},
	{CLAIM_RELATIVE, ANSWER_YES, GRAPH_ALONE},
	{0},
};

static const struct leaf_row laplacian_leaves[] = {
	GRAPH_MAP_LEAVES("row of an eigenvector: what its entry adds to the token vector",
			 make_weight, 0, {FILL_CONSTANT}),
	{0},
};

const struct scheme scheme_laplacian[] = {
	{
		.id = "laplacian",
		.aliases = "lappe laplacian-pe dwivedi",
		.title = "Laplacian eigenvectors",
		.formula = "X_t = U_t + C λ_t + c,  Δ = I − D^{−1/2} A D^{−1/2},  λ_t: row t of k "
			   "eigenvectors, those of smallest eigenvalue after the first",
		.authors = "Dwivedi and Bresson",
		.cite = "@dwivedi2020generalization, AAAI Workshop on Deep Learning on Graphs 2021",
		.recipe = "with local other than off logits are held between -clamp and clamp",
		.about =
			"A node's position is its entry in the slowest eigenvectors of the graph: the "
			"eigenvectors of its Laplacian of smallest eigenvalue without the first, "
			"which is √degree. On a chain they are cosines times √degree; their signs "
			"are arbitrary.",
		.year = 2020,
		.topic = TOPIC_GRAPH,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = laplacian_leaves,
		.flags = SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "graphdeeplearning/graphtransformer c9cd4936, but with a "
				 "symmetric solver: the code's need not give orthogonal vectors "
				 "where an eigenvalue repeats",
		.demo_note = "row j of C is 3/j times signs that are orthogonal row by row, so "
			     "slow eigenvectors weigh more; c = 0",
		.count_printed = "0",
		.claims = laplacian_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = laplacian_params,
		.param_size = sizeof(struct laplacian),
		.load = spectrum_load,
		.hooks = {.memory = laplacian_memory,
			  .declare = leaves_declare,
			  .embed = laplacian_embed,
			  .mask = laplacian_mask,
			  .adjust = laplacian_adjust,
			  .by_rows = true,
			  .any_keys = true},
	},
	{0},
};
