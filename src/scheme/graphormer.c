/* graphormer.c: degrees on the units, distances and the edges of a shortest path on the logits, and a
 * node that is joined with all (Ying et al. 2021, Graphormer).
 *
 *   X_t = U_t + z^I_{in(t)} + z^O_{out(t)},  A_ts = c q_t·k_s + b_{φ(t,s)} + 1/N Σ_n x_n·w_n
 *
 * over the edges x_1 .. x_N of one shortest path. A path enters by the labels of its first edges only,
 * and few sequences of labels occur: they are numbered as they are found, each is embedded once, and a
 * pair reads the number of its own. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/walks.h"

enum form { FORM_PAPER, FORM_CODE };
static const char *const form_names[] = {"paper", "code", NULL};
enum paths { PATHS_BOTH, PATHS_ALONG };
static const char *const paths_names[] = {"both", "along", NULL};

struct graphormer {
	long d_max, hops, types, edge_dim, degrees, mask;
	bool vnode;
	int paths, form;
};

static unsigned path_ways(const struct graphormer *p)
{
	return p->paths == PATHS_BOTH ? ALONG | AGAINST : ALONG;
}

/* ---- relation -------------------------------------------------------------------------------- */

enum { VIRTUAL = -1 }; /* φ to and from the virtual node */
enum side { SIDE_IN, SIDE_OUT, SIDES };

struct graphormer_state {
	const char *virtual; /* label of the inserted unit, which is known by its address */
	const long *node;    /* [n] */
	int32_t *phi;	     /* [n·n] */
	struct index bias;   /* [n,n] → rows of b, behind them one for the virtual node */
	struct index path;   /* [n,n] → sequences; -1: to or from the virtual node */
	struct walks walks;
	struct node *bias_table, *path_table; /* [h, rows], [h, sequences] or NULL */
	bool chain;
	const double *degree[SIDES]; /* [n], 0 for a unit without a node */
};

/* Lives as long as the run: what is found is the same in every layer. */
static struct graphormer_state *state_of(struct run *run, const struct member *m)
{
	struct graphormer_state *state = run_kept(run, m);
	return state ? state : run_state(run, m, sizeof *state);
}

static long bias_row(const struct graphormer *p, int32_t phi)
{
	if (phi == VIRTUAL)
		return p->d_max + 2;
	return phi == RELATION_NO_PATH ? p->d_max + 1 : phi < p->d_max ? phi : p->d_max;
}

static bool is_virtual(const struct run *run, const struct graphormer_state *state, size_t i)
{
	return state->virtual && run->queries->labels[i] == state->virtual;
}

/* φ and the number of the sequence of one pair, `found` being from t's node, or NULL without one. */
static void relate_pair(struct run *run, struct graphormer_state *state, const struct walks *found,
			size_t t, size_t s, int32_t *phi, int32_t *path)
{
	*phi = t == s ? 0 : RELATION_NO_PATH;
	*path = t == s ? SEQUENCE_EMPTY : SEQUENCE_NO_PATH;
	if (is_virtual(run, state, t) || is_virtual(run, state, s)) {
		*phi = VIRTUAL;
		*path = -1;
	} else if (found && state->node[s] >= 0) {
		*phi = found->distance[state->node[s]];
		*path = found->sequence[state->node[s]];
	}
}

/* All pairs, once in a run. */
static struct graphormer_state *relate(struct run *run, const struct member *m)
{
	const struct graphormer *p = m->param;
	struct graphormer_state *state = state_of(run, m);
	const size_t n = run->n;
	if (state->phi)
		return state;
	struct arena *a = run->arena;
	struct walks *walks = &state->walks;
	walks_init(walks, run_structure(run, &state->chain), path_ways(p), p->hops, p->types, a);
	long *node = arena_calloc(a, n + 1, sizeof *node);
	for (size_t i = 0; i < n; i++)
		node[i] = run_node(run, i);
	state->node = node;
	state->phi = arena_alloc(a, (n * n + 1) * sizeof *state->phi);
	int32_t *rows = arena_alloc(a, (n * n + 1) * sizeof *rows);
	int32_t *paths = arena_alloc(a, (n * n + 1) * sizeof *paths);
	for (size_t t = 0; t < n; t++) {
		if (node[t] >= 0)
			walks_from(walks, (size_t)node[t]);
		for (size_t s = 0; s < n; s++) {
			const size_t i = t * n + s;
			relate_pair(run, state, node[t] >= 0 ? walks : NULL, t, s, &state->phi[i],
				    &paths[i]);
			rows[i] = (int32_t)bias_row(p, state->phi[i]);
		}
	}
	state->bias = (struct index){n, n, (size_t)p->d_max + 3, rows};
	state->path = (struct index){n, n, walks->n_sequences, paths};
	return state;
}

static const char *graphormer_says(const struct relation *r, int32_t value,
				   const struct relation_cell *at, struct arena *a)
{
	(void)at;
	if (value == RELATION_NO_PATH)
		return "no path";
	if (value == VIRTUAL)
		return "to or from the virtual node";
	if (value == 0)
		return "the same node";
	return arena_printf(a, "%d edge%s%s away", (int)value, value == 1 ? "" : "s",
			    value == r->limit ? " or more" : "");
}

static const struct relation_name graphormer_names[] = {{VIRTUAL, "[VNode]", "V"}, {0}};

static bool graphormer_relation(struct run *run, const struct member *m, struct relation *out,
				struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct graphormer_state *state = relate(run, m);
	const size_t cells = run->n * run->n;
	int32_t *at = arena_alloc(run->arena, (cells + 1) * sizeof *at);
	for (size_t i = 0; i < cells; i++)
		at[i] = state->phi[i] < p->d_max ? state->phi[i] : (int32_t)p->d_max;
	*out = (struct relation){.title = "shortest path φ(t,s)",
				 .n = run->n,
				 .at = at,
				 .says = graphormer_says,
				 .note = arena_printf(run->arena, "%sfrom %ld edges on one number",
						      state->chain ? "no structure: a chain; " : "",
						      p->d_max),
				 .limit = (int32_t)p->d_max,
				 .names = graphormer_names};
	return true;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static size_t edge_dim(const struct model *model, const struct graphormer *p)
{
	return p->edge_dim > 0 ? (size_t)p->edge_dim : model->config.heads;
}

/* The row behind the last distance is that of no path. */
static void make_slopes(struct mat at, const struct leaf_maker *of)
{
	for (size_t phi = 0; phi < at.rows; phi++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, phi)[h] =
				-log1p((double)phi) * inject_slope(h, of->model->config.heads, 1);
}

/* As one edge away. */
static void make_virtual(struct mat at, const struct leaf_maker *of)
{
	for (size_t h = 0; h < at.cols; h++)
		mat_row(at, 0)[h] = -log1p(1) * inject_slope(h, of->model->config.heads, 1);
}

/* Each label is a component, and each head reads its own: at every hop alike. */
static void make_units(struct mat at, const struct leaf_maker *of)
{
	const size_t dim = edge_dim(of->model, of->m->param);
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] = i % dim == j % dim;
}

/* ---- units and their degrees ------------------------------------------------------------------- */

static bool graphormer_units(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	if (!p->vnode)
		return true;
	struct graphormer_state *state = state_of(run, m);
	state->virtual = arena_strdup(run->arena, "[VNode]");
	run_insert_unit(run, 0, state->virtual, run_leaf(run, m, "vnode"));
	return true;
}

static const char *const degree_names[SIDES] = {"in_degree", "out_degree"};
static const char *const degree_parts[SIDES] = {"in-degree", "out-degree"};
static const char *const degree_tables[SIDES] = {"z_in", "z_out"};

/* The degrees of the units, for the embedding and for whoever reads them by pos=. The code sums
 * rows of the adjacency for both tables, which are the same without directions. */
static bool graphormer_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct graphormer *p = m->param;
	const unsigned ways[SIDES] = {[SIDE_IN] = AGAINST, [SIDE_OUT] = ALONG};
	bool chain;
	const struct structure *s = run_structure(run, &chain);
	for (enum side k = 0; k < SIDES; k++) {
		const struct arcs arcs =
			arcs_of(s, p->form == FORM_CODE ? path_ways(p) : ways[k], run->arena);
		double *degree = arena_calloc(run->arena, run->n + 1, sizeof *degree);
		for (size_t i = 0; i < run->n; i++) {
			const long node = run_node(run, i);
			if (node >= 0)
				degree[i] = (double)(arcs.first[node + 1] - arcs.first[node]);
		}
		state_of(run, m)->degree[k] = degree;
		if (!run_add_column(run, degree_names[k], degree, err))
			return false;
	}
	return true;
}

/* z of the units' degrees; a unit without a node has none. */
static struct node *degree_rows(struct run *run, struct node *table, const double *degree)
{
	const double last = (double)table->v.rows - 1;
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	const struct mat there = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++) {
		rows[i] = (int32_t)fmin(degree[i], last);
		there.at[i] = run_node(run, i) >= 0;
	}
	return tape_mul(run->tape, tape_gather_rows(run->tape, table, rows, run->n),
			tape_const(run->tape, there));
}

static bool graphormer_embed(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	for (enum side k = 0; k < SIDES; k++)
		run_add_part(run, degree_parts[k],
			     degree_rows(run, run_leaf(run, m, degree_tables[k]),
					 state_of(run, m)->degree[k]));
	return true;
}

/* ---- logits ---------------------------------------------------------------------------------- */

/* x_e·w_n of every label, and of the padding behind them, for every hop and head. */
static struct node *edge_products(struct run *run, const struct member *m)
{
	const struct graphormer *p = m->param;
	struct tape *t = run->tape;
	const size_t dim = edge_dim(run->model, p), hops = (size_t)p->hops;
	struct node *pad = p->form == FORM_CODE ? run_leaf(run, m, "x_pad")
						: tape_const(t, mat_zero(run->arena, 1, dim));
	struct node *x = tape_concat_rows(t, (struct node *[]){run_leaf(run, m, "x_edge"), pad}, 2);
	struct node *w = run_leaf(run, m, "w_hop");
	struct node **rows = arena_calloc(run->arena, hops, sizeof *rows);
	for (size_t n = 0; n < hops; n++)
		rows[n] = tape_matmul(t, x, false, tape_slice(t, w, n * dim, dim, 0, w->v.cols),
				      false, 1);
	return tape_concat_rows(t, rows, hops);
}

/* labels[hop][sequence]; `pad` behind the end. Parents come before their children. */
static int32_t *sequence_labels(const struct walks *w, size_t hops, int32_t pad)
{
	int32_t *labels = arena_alloc(w->arena, (w->n_sequences * hops + 1) * sizeof *labels);
	for (size_t n = 0; n < hops; n++)
		for (size_t i = 0; i < w->n_sequences; i++) {
			const struct sequence *one = &w->sequences[i];
			int32_t *at = &labels[n * w->n_sequences + i];
			if ((size_t)one->length <= n)
				*at = pad;
			else if ((size_t)one->length == n + 1)
				*at = one->label;
			else
				*at = labels[n * w->n_sequences + (size_t)one->parent];
		}
	return labels;
}

/* What the sum is divided by: the edges that count; in the code 1 for a node with itself, and the most
 * there can be without a path, where all is padding. */
static struct mat sequence_shares(const struct walks *w, size_t hops)
{
	const struct mat share = mat_new(w->arena, w->n_sequences, 1);
	for (size_t i = 0; i < w->n_sequences; i++)
		share.at[i] = i == SEQUENCE_EMPTY     ? 1
			      : i == SEQUENCE_NO_PATH ? 1 / (double)hops
						      : 1 / (double)w->sequences[i].length;
	return share;
}

/* c of every sequence and head. [h, sequences] */
static struct node *edge_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct graphormer_state *state = relate(run, m);
	const struct walks *w = &state->walks;
	const size_t hops = (size_t)p->hops, per_hop = (size_t)p->types + 1;
	struct tape *t = run->tape;
	struct node *products = edge_products(run, m), *sum = NULL;
	const int32_t *labels = sequence_labels(w, hops, (int32_t)p->types);
	for (size_t n = 0; n < hops; n++) {
		struct node *hop =
			tape_slice(t, products, n * per_hop, per_hop, 0, products->v.cols);
		struct node *read =
			tape_gather_rows(t, hop, labels + n * w->n_sequences, w->n_sequences);
		sum = sum ? tape_accumulate(t, sum, read) : read;
	}
	sum = tape_mul(t, sum, tape_const(t, sequence_shares(w, hops)));
	return tape_transpose(t, sum);
}

static void note_labels(struct run *run, const struct member *m)
{
	const struct graphormer *p = m->param;
	bool chain;
	const struct structure *s = run_structure(run, &chain);
	if (p->hops > 0 && s->n_labels > (size_t)p->types)
		run_note(run, m,
			 arena_printf(run->arena,
				      "%zu labels of edges, and from number %ld on they are one; "
				      "raise types",
				      s->n_labels, p->types));
}

static bool graphormer_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct graphormer *p = m->param;
	struct tape *t = run->tape;
	struct graphormer_state *state = relate(run, m);
	struct node *virtual = p->vnode ? run_leaf(run, m, "b_vnode")
					: tape_const(t, mat_zero(run->arena, 1,
								 run->model->config.heads));
	struct node *rows[] = {run_leaf(run, m, "b"), virtual};
	state->bias_table = tape_transpose(t, tape_concat_rows(t, rows, 2));
	run_keep_index(run, m, "distance", &state->bias);
	if (p->hops == 0)
		return true;
	run_keep_index(run, m, "edges", &state->path);
	note_labels(run, m);
	state->path_table = run_cached(run, m, "edges", false, edge_table, err);
	return state->path_table != NULL;
}

/* Far pairs of nodes; whoever stands on none sees all, and all see it. */
static bool graphormer_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct graphormer_state *state = head_state(head, m);
	const size_t n = head->run->n;
	if (p->mask == 0)
		return true;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const int32_t phi = state->phi[t * n + s];
			if (state->node[t] >= 0 && state->node[s] >= 0 &&
			    (phi == RELATION_NO_PATH || phi >= p->mask))
				allowed[t * n + s] = 0;
		}
	return true;
}

static bool graphormer_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer_state *state = head_state(head, m);
	inject_numbers(head, "distance", TERM_POSITION, state->bias_table, &state->bias, 1);
	if (state->path_table)
		inject_numbers(head, "edges", TERM_POSITION, state->path_table, &state->path, 1);
	return true;
}

/* ---- descriptor ------------------------------------------------------------------------------ */

static const struct param graphormer_params[] = {
	NUMBER_PARAM(struct graphormer, d_max, 20, 1, 1024, 1,
		     "distances beyond it share its number; no path has one of its own"),
	NUMBER_PARAM(struct graphormer, hops, 5, 0, 32, 1,
		     "how many edges of a path count, from the query on; 0: edges are not seen"),
	RATIO_PARAM(struct graphormer, types, 16, 1, 256, 2,
		    "labels of edges, by the order in which they were first written; those beyond "
		    "share the last"),
	NUMBER_PARAM(struct graphormer, edge_dim, 0, 0, 256, 1,
		     "width of an edge's vector; 0: the number of heads, as in the code"),
	RATIO_PARAM(struct graphormer, degrees, 16, 1, 512, 2,
		    "degrees beyond it share its vector"),
	SWITCH_PARAM(struct graphormer, vnode, true,
		     "put a virtual node in front, joined with all by a number of its own"),
	CHOICE_PARAM(struct graphormer, paths, PATHS_BOTH, paths_names,
		     "both: edges count in both directions; along: only in their own"),
	NUMBER_PARAM(struct graphormer, mask, 0, 0, 1024, 1,
		     "forbid nodes so many edges away or more, and those without a path; 0: none"),
	CHOICE_PARAM(struct graphormer, form, FORM_PAPER, form_names,
		     "paper; code: one degree for both tables, and hops that a path lacks add a "
		     "learned padding"),
	{0},
};

static const struct claim graphormer_claims[] = {
	{CLAIM_RELATIVE, ANSWER_YES,
	 "degrees are of one node and distances of two, and no column of positions is read"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "distances and degrees are clipped, but degree and virtual node are told at any distance"},
	{0},
};

#define EDGE_DIM "(edge_dim ? edge_dim : h)"

static const struct leaf_row graphormer_leaves[] = {
	{"z_in", "degrees + 1, d", "row of a number of edges that arrive: added to the unit",
	 .by_layer = ALL_LAYERS, .demo = {.make = learned_curves, .value = 0.5},
	 .paper = {FILL_NORMAL, 0.02}},
	{"z_out", "degrees + 1, d", "row of a number of edges that leave: added to the unit",
	 .by_layer = ALL_LAYERS, .demo = {.make = learned_curves, .value = 0.5},
	 .paper = {FILL_NORMAL, 0.02}},
	{"b", "d_max + 2, h",
	 "row of a distance, row d_max + 1 without a path: added to the logits, a column for each "
	 "head",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_slopes}, .paper = {FILL_NORMAL, 0.02}},
	{"x_edge", "types, " EDGE_DIM, "row of an edge label: its vector", .by_layer = ALL_LAYERS,
	 .when = "hops > 0", .demo = {.make = make_units}, .paper = {FILL_NORMAL, 0.02}},
	{"w_hop", "hops " EDGE_DIM ", h",
	 "rows of hop n, as many as x_edge has columns: multiplied by the n-th edge of a path, a "
	 "column for each head",
	 .by_layer = ALL_LAYERS, .when = "hops > 0", .demo = {.make = make_units},
	 .paper = {FILL_NORMAL, 0.02}},
	{"x_pad", "1, " EDGE_DIM, "the vector of no edge, behind the end of a path",
	 .by_layer = ALL_LAYERS, .when = "hops > 0 && form == code", .demo = {FILL_NORMAL, 0.1},
	 .paper = {FILL_NORMAL, 0.02}},
	{"vnode", "1, d", "the unit of the virtual node", .by_layer = ALL_LAYERS, .when = "vnode",
	 .demo = {FILL_NORMAL, 1}, .paper = {FILL_NORMAL, 0.02}},
	{"b_vnode", "1, h", "added to the logits to and from the virtual node",
	 .by_layer = ALL_LAYERS, .when = "vnode", .demo = {.make = make_virtual},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_graphormer[] = {
	{
		.id = "graphormer",
		.aliases = "ying",
		.title = "Graphormer",
		.formula = "X_t = U_t + z^I_{in(t)} + z^O_{out(t)},  A_ts = q_t·k_s / √d_h + "
			   "b_{φ(t,s)} + (1/N) Σ_n x_n·w_n",
		.authors = "Ying et al.",
		.cite = "Ying, Cai, Luo, Zheng, Ke, He, Shen, Liu: Do Transformers really perform "
			"badly for graph representation? NeurIPS 2021",
		.recipe = "term.distance[t,s] = column H of param.graphormer.b, and below it "
			  "b_vnode, at row member.graphormer.index.distance; term.edges = "
			  "member.graphormer.edges[H, index.edges], 0 for -1",
		.about = "A node's degrees are added to its unit. Each head learns a number for "
			 "each distance, and averages over the edges of one shortest path what it "
			 "makes of their labels. A virtual node is joined with all.",
		.year = 2021,
		.topic = TOPIC_GRAPH,
		.ref = REF_BOTH,
		.inj = INJ_BOTH,
		.leaves = graphormer_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NEEDS_GRAPH |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/Graphormer ac154fe. The paper is shown; form=code "
				 "takes the out-degree for both tables and adds its padding row "
				 "for hops that a path lacks. Its collator can mask far pairs "
				 "(mask). Tables are shorter than its 512 rows",
		.demo_note = "b = −slope log(1 + distance), no path as the distance d_max + 1, the "
			     "virtual node as 1, slopes from 2 down to 1/4 by head; c = the share "
			     "of edges on the path whose label is the head's own; z half of "
			     "learned curves over degrees",
		.claims = graphormer_claims,
		.sample = "graph @amr2",
		.params = graphormer_params,
		.param_size = sizeof(struct graphormer),
		.hooks = {.declare = leaves_declare,
			  .relation = graphormer_relation,
			  .units = graphormer_units,
			  .positions = graphormer_positions,
			  .embed = graphormer_embed,
			  .prepare = graphormer_prepare,
			  .mask = graphormer_mask,
			  .logits = graphormer_logits},
	},
	{0},
};
