/* signnet.c: functions of eigenvectors that do not depend on their signs (Lim et al. 2023,
 * SignNet).
 *
 *   f = ρ([φ(v_1) + φ(-v_1), …, φ(v_k) + φ(-v_k)]),  X_t = U_t + C f_t + c
 *
 * φ is one network for all eigenvectors: a GIN, whose layers apply two linear maps to the sum over
 * a node and its neighbours, or the maps alone, or max(0, x), which makes φ(v) + φ(-v) the absolute
 * value |v|. Rotations among several eigenvectors of one eigenvalue still change it.
 *
 * All 2k eigenvectors go through φ side by side: as columns of one matrix [n, 2k·w] for the
 * sums, and as [n·2k, w], the same numbers, for the maps. */
#include <math.h>

#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/spectrum.h"

enum phi { PHI_GIN, PHI_MLP, PHI_RELU };
static const char *const phi_names[] = {"gin", "mlp", "relu", NULL};

enum { MAX_DEPTH = 4, MAX_WIDTH = 256, PHI_MAPS = 2 };

struct signnet {
	struct spectrum_param spectrum;
	int phi; /* enum phi */
	long depth, hidden, out, rho;
};

/* ---- linear maps with max(0, x) between them, "phi.0.0.weight", "phi.0.0.bias" and so on ----- */

/* The demonstration's maps keep lengths through max(0, x). */
static bool declare_chain(struct model *model, const struct member *m, const char *names,
			  const size_t width[3], long maps, struct err *err)
{
	static const struct leaf_init small = {.fill = FILL_NORMAL, .value = 0.05};
	for (long i = 0; i < maps; i++) {
		const size_t from = width[i > 0], to = width[i + 1 == maps ? 2 : 1];
		const double fan = (double)from;
		const struct leaf_init demo = {.fill = FILL_NORMAL, .value = sqrt(2 / fan)};
		const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = 1 / sqrt(fan)};
		const char *const weight = arena_printf(model->arena, "%s.%ld.weight", names, i);
		const char *const bias = arena_printf(model->arena, "%s.%ld.bias", names, i);
		if (!model_leaf(model, m, weight, from, to, false, demo, paper, err) ||
		    !model_leaf(model, m, bias, 1, to, false, small, paper, err))
			return false;
	}
	return true;
}

static bool declare_networks(struct model *model, const struct member *m, struct err *err)
{
	const struct signnet *p = m->param;
	const size_t hidden = (size_t)p->hidden, out = (size_t)p->out, k = (size_t)p->spectrum.k;
	for (long i = 0; i < p->depth; i++) {
		const size_t width[] = {i == 0 ? 1 : hidden, hidden,
					i + 1 == p->depth ? out : hidden};
		const char *const names = arena_printf(model->arena, "phi.%ld", i);
		if (!declare_chain(model, m, names, width, PHI_MAPS, err))
			return false;
	}
	const size_t width[] = {k * out, hidden, k};
	return declare_chain(model, m, "rho", width, p->rho, err);
}

static struct node *linear(struct run *run, const struct member *m, struct node *x,
			   const char *names, long i)
{
	struct node *w = run_leaf(run, m, arena_printf(run->arena, "%s.%ld.weight", names, i));
	struct node *b = run_leaf(run, m, arena_printf(run->arena, "%s.%ld.bias", names, i));
	return tape_accumulate(run->tape, tape_matmul(run->tape, x, false, w, false, 1), b);
}

static struct node *chain(struct run *run, const struct member *m, struct node *x,
			  const char *names, long maps)
{
	x = linear(run, m, x, names, 0);
	for (long i = 1; i < maps; i++)
		x = linear(run, m, tape_relu(run->tape, x), names, i);
	return x;
}

/* ---- the networks ---------------------------------------------------------------------------- */

/* Returns I + A of the nodes. */
static struct node *sums(struct run *run, const struct member *m, const struct graph *g)
{
	const struct mat at = mat_eye(run->arena, g->n);
	for (size_t i = 0; i < g->n; i++)
		for (size_t e = g->first[i]; e < g->first[i + 1]; e++)
			mat_row(at, i)[g->to[e]] = 1;
	run_keep(run, m, "sums", at);
	return tape_const(run->tape, at);
}

/* x [n, 2k] → φ of each column [n, 2k·out] */
static struct node *phi(struct run *run, const struct member *m, const struct graph *g,
			struct node *x)
{
	const struct signnet *p = m->param;
	struct tape *t = run->tape;
	const size_t n = g->n, columns = x->v.cols;
	struct node *sum = p->phi == PHI_GIN ? sums(run, m, g) : NULL;
	for (long i = 0; i < p->depth; i++) {
		if (sum)
			x = tape_matmul(t, sum, false, x, false, 1);
		const size_t width = x->v.cols / columns;
		x = chain(run, m, tape_reshape(t, x, n * columns, width),
			  arena_printf(run->arena, "phi.%ld", i), PHI_MAPS);
		x = tape_reshape(t, x, n, columns * x->v.cols);
	}
	return x;
}

/* φ(v) + φ(-v) of all eigenvectors [n, k·out] */
static struct node *both_signs(struct run *run, const struct member *m, const struct graph *g,
			       struct node *v)
{
	struct tape *t = run->tape;
	struct node *const signs[] = {v, tape_scale(t, v, -1)};
	struct node *x = tape_concat_cols(t, signs, 2);
	const struct signnet *p = m->param;
	x = p->phi == PHI_RELU ? tape_relu(t, x) : phi(run, m, g, x);
	const size_t half = x->v.cols / 2;
	return tape_add(t, tape_slice(t, x, 0, g->n, 0, half),
			tape_slice(t, x, 0, g->n, half, half));
}

/* Keeps the data that f depends on: the nodes' vectors, and the node of each token. */
static void keep_nodes(struct run *run, const struct member *m, const struct graph *g, struct mat v)
{
	const int32_t *const rows = graph_rows(run, g);
	const struct mat node = mat_new(run->arena, 1, run->n);
	for (size_t i = 0; i < run->n; i++)
		node.at[i] = (size_t)rows[i] < g->n ? rows[i] : -1;
	run_keep(run, m, "v", v);
	run_keep(run, m, "node", node);
}

/* Returns f of the nodes, followed by a row of zeros. */
static struct node *numbers(struct run *run, const struct member *m, struct err *err)
{
	const struct signnet *p = m->param;
	const struct graph g = graph_of(run);
	const size_t k = (size_t)p->spectrum.k;
	struct node *all = spectrum_of(run, m, &g, err);
	if (all == NULL)
		return NULL;
	struct node *f = tape_slice(run->tape, all, 0, g.n, 0, k);
	keep_nodes(run, m, &g, f->v);
	f = both_signs(run, m, &g, f);
	if (p->phi != PHI_RELU)
		f = chain(run, m, f, "rho", p->rho);
	struct node *const rows[] = {f, tape_const(run->tape, mat_zero(run->arena, 1, k))};
	return tape_concat_rows(run->tape, rows, 2);
}

static bool signnet_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct graph g = graph_of(run);
	struct node *f = numbers(run, m, err);
	if (f == NULL)
		return false;
	graph_add_mapped(run, m, &g, f);
	return true;
}

/* Returns the memory of I + A, and of the results of each map of φ for all eigenvectors with
 * both signs, with its max(0, x). */
static double signnet_memory(const struct model *model, const struct member *m,
			     const struct model_input *in, unsigned kinds)
{
	(void)model, (void)kinds;
	const struct signnet *p = m->param;
	const double n = (double)in->axis.n, columns = 2 * (double)p->spectrum.k;
	const double maps = (double)p->depth * 2 * (double)(p->hidden + p->out);
	return p->phi == PHI_RELU ? 0 : 8 * n * (n + 2 * columns * maps);
}

static const struct param signnet_params[] = {
	SPECTRUM_PARAMS(struct signnet),
	CHOICE_PARAM(struct signnet, phi, PHI_GIN, phi_names,
		     "a GIN, its maps without neighbours, or max(0, x) and no ρ: the magnitudes "
		     "|v|"),
	NUMBER_PARAM(struct signnet, depth, 2, 1, MAX_DEPTH, 1,
		     "layers of φ, of two linear maps each"),
	NUMBER_PARAM(struct signnet, hidden, 16, 1, MAX_WIDTH, 4,
		     "numbers between two linear maps of φ and of ρ"),
	NUMBER_PARAM(struct signnet, out, 4, 1, MAX_WIDTH, 1,
		     "numbers that φ makes of an eigenvector's one"),
	NUMBER_PARAM(struct signnet, rho, 2, 1, MAX_DEPTH, 1,
		     "linear maps of ρ; the code has as many as φ has layers"),
	{0},
};

static const struct claim signnet_claims[] = {
	{CLAIM_RELATIVE, ANSWER_YES, GRAPH_ALONE},
	{0},
};

static const struct leaf_row signnet_leaves[] = {
	{"phi.*.weight", NULL,
	 "a map in a layer of φ, the network of single eigenvectors: phi.LAYER.MAP",
	 .declare = declare_networks, .when = "phi != relu"},
	{"phi.*.bias", NULL, "added to what that map gives", .spare = true},
	{"rho.*.weight", NULL, "a layer of ρ, the network of all of them"},
	{"rho.*.bias", NULL, "added in that layer", .spare = true},
	/* A quarter, because ρ gives numbers of about 1 where eigenvectors have less. */
	GRAPH_MAP_LEAVES("row i: what number i of ρ adds to the token vector", learned_signs, 0.25,
			 {FILL_CONSTANT}),
	{0},
};

const struct scheme scheme_signnet[] = {
	{
		.id = "signnet",
		.aliases = "sign-invariant",
		.title = "Sign-invariant eigenvector network",
		.formula = "X_t = U_t + C f_t + c,  f = ρ([φ(v_1) + φ(−v_1), …, φ(v_k) + φ(−v_k)])",
		.authors = "Lim et al.",
		.cite = "@lim2023sign",
		.recipe = "part.position[t] = f[i] @ weight + bias, i = member.signnet.node[t], "
			  "and 0 where that is -1; f = rho of the columns v of member.signnet.v, "
			  "rows of nodes, as phi(v) + phi(-v) of each side by side; phi has depth "
			  "layers, x -> relu(S x @ W_0 + b_0) @ W_1 + b_1, of "
			  "param.signnet.phi.LAYER.0.weight and so on, S = member.signnet.sums "
			  "with phi=gin and the identity with mlp; rho.0, rho.1, ... have relu "
			  "between them; with phi=relu f is |v|",
		.about = "A network that treats an eigenvector and its negative alike makes "
			 "positions of the Laplacian's eigenvectors, so that it does not matter "
			 "which sign a solver gave them.",
		.year = 2023,
		.topic = TOPIC_GRAPH,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = signnet_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "cptq/SignNet-BasisNet 07f31187: its GIN and ρ (rho=depth), "
				 "without batch normalisation; C is the graph Transformer's",
		.demo_note = "maps of φ and ρ are drawn from N(0, 2/rows), their biases from N(0, "
			     "0.05²); C is 1/4 of signs that are orthogonal row by row, c = 0",
		.claims = signnet_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = signnet_params,
		.param_size = sizeof(struct signnet),
		.load = spectrum_load,
		.hooks = {.memory = signnet_memory,
			  .declare = leaves_declare,
			  .embed = signnet_embed},
	},
	{0},
};
