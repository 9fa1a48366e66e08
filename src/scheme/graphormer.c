/* graphormer.c: degrees added to the token vectors, distances and the edges of a shortest path
 * added to the logits, and a node that is connected to all (Ying et al. 2021, Graphormer).
 *
 *   X_t = U_t + z^I_{in(t)} + z^O_{out(t)},  A_ts = c q_t·k_s + b_{φ(t,s)} + 1/N Σ_n x_n·w_n
 *
 * over the edges x_1 .. x_N of one shortest path. */
#include "posviz/model/stage.h"

#include <math.h>

#include "scheme/graphormer.h"
#include "scheme/inject.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

static const char *const form_names[] = {"paper", "code", NULL};
static const char *const paths_names[] = {"both", "along", NULL};

/* Rows from the distance `value` on; the one after the last distance is that of no path. */
static double make_slopes(const struct leaf_maker *of, size_t row, size_t col)
{
	return -log1p((double)row + of->value) * inject_slope(col, of->cols, 1);
}

/* Each label is a component, and each head reads its own, equally at every hop. */
static double make_units(const struct leaf_maker *of, size_t row, size_t col)
{
	const size_t dim = graphormer_edge_dim(of->model, of->m->param);
	return row % dim == col % dim;
}

static bool graphormer_units(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	if (!p->vnode)
		return true;
	struct graphormer_state *state = graphormer_state(run, m);
	state->virtual = arena_strdup(run->arena, "[VNode]");
	run_insert_unit(run, 0, state->virtual, run_leaf(run, m, "vnode"));
	return true;
}

static const struct {
	const char *column, *part, *leaf;
} degrees[SIDES] = {[SIDE_IN] = {"in_degree", "in-degree", "z_in"},
		    [SIDE_OUT] = {"out_degree", "out-degree", "z_out"}};

/* Adds the degrees of the tokens as position columns, for the embedding and for other schemes by
 * pos=. */
static bool graphormer_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct graphormer_pairs *pairs = graphormer_relate(run, m);
	for (enum side k = 0; k < SIDES; k++)
		if (!run_add_column(run, degrees[k].column, pairs->degree[k], err))
			return false;
	return true;
}

/* Takes z of the tokens' degrees; a token without a node has none. */
static struct node *degree_rows(struct run *run, struct node *table,
				const struct graphormer_pairs *pairs, const double *degree)
{
	const double last = (double)table->v.rows - 1;
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	const struct mat there = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++) {
		rows[i] = (int32_t)fmin(degree[i], last);
		there.at[i] = pairs->node[i] >= 0;
	}
	return tape_mul(run->tape, tape_gather_rows(run->tape, table, rows, run->n),
			tape_const(run->tape, there));
}

static bool graphormer_embed(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer_pairs *pairs = graphormer_relate(run, m);
	for (enum side k = 0; k < SIDES; k++)
		run_add_part(run, degrees[k].part,
			     degree_rows(run, run_leaf(run, m, degrees[k].leaf), pairs,
					 pairs->degree[k]));
	return true;
}

static void note_labels(struct run *run, const struct member *m)
{
	const struct graphormer *p = m->param;
	bool chain;
	const struct structure *s = run_structure(run, &chain);
	if (s->n_labels > (size_t)p->types)
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
	struct graphormer_state *state = graphormer_state(run, m);
	const struct graphormer_pairs *pairs = graphormer_relate(run, m);
	const struct mat none = mat_zero(run->arena, 1, run->model->config.heads);
	struct node *rows[] = {run_leaf(run, m, "b"),
			       p->vnode ? run_leaf(run, m, "b_vnode") : tape_const(t, none)};
	state->bias_table = tape_transpose(t, tape_concat_rows(t, rows, 2));
	run_keep_index(run, m, "distance", &pairs->bias);
	if (p->hops == 0)
		return true;
	run_keep_index(run, m, "edges", &pairs->path);
	note_labels(run, m);
	state->path_table = run_cached(run, m, "edges", false, graphormer_edges, err);
	return state->path_table != NULL;
}

/* Masks distant pairs of nodes; a token without a node sees all, and all see it. */
static bool graphormer_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct graphormer_pairs *pairs =
		((const struct graphormer_state *)head_state(head, m))->pairs;
	const size_t n = head->run->n;
	if (p->mask == 0)
		return true;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const int32_t phi = pairs->phi[t * n + s];
			if (pairs->node[t] >= 0 && pairs->node[s] >= 0 &&
			    (phi == RELATION_NO_PATH || phi >= p->mask))
				allowed[t * n + s] = 0;
		}
	return true;
}

static bool graphormer_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer_state *state = head_state(head, m);
	inject_numbers(head, "distance", TERM_POSITION, state->bias_table, &state->pairs->bias, 1);
	if (state->path_table)
		inject_numbers(head, "edges", TERM_POSITION, state->path_table, &state->pairs->path,
			       1);
	return true;
}

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
	{"z_in", "degrees + 1, d",
	 "row of a number of edges that arrive: added to the token vector", .by_layer = ALL_LAYERS,
	 .demo = {.make = learned_curves, .value = 0.5}, .paper = {FILL_NORMAL, 0.02}},
	{"z_out", "degrees + 1, d",
	 "row of a number of edges that leave: added to the token vector", .by_layer = ALL_LAYERS,
	 .demo = {.make = learned_curves, .value = 0.5}, .paper = {FILL_NORMAL, 0.02}},
	{"b", "d_max + 2, h",
	 "row of a distance, row d_max + 1 without a path: added to the logits, a column for each "
	 "head",
	 .by_layer = ALL_LAYERS, .demo = {.entry = make_slopes}, .paper = {FILL_NORMAL, 0.02}},
	{"x_edge", "types, " EDGE_DIM, "row of an edge label: its vector", .by_layer = ALL_LAYERS,
	 .when = "hops > 0", .demo = {.entry = make_units}, .paper = {FILL_NORMAL, 0.02}},
	{"w_hop", "hops " EDGE_DIM ", h",
	 "rows of hop n, as many as x_edge has columns: multiplied by the n-th edge of a path, a "
	 "column for each head",
	 .by_layer = ALL_LAYERS, .when = "hops > 0", .demo = {.entry = make_units},
	 .paper = {FILL_NORMAL, 0.02}},
	{"x_pad", "1, " EDGE_DIM, "the vector of no edge, behind the end of a path",
	 .by_layer = ALL_LAYERS, .when = "hops > 0 && form == code", .demo = {FILL_NORMAL, 0.1},
	 .paper = {FILL_NORMAL, 0.02}},
	{"vnode", "1, d", "the vector of the virtual node", .by_layer = ALL_LAYERS, .when = "vnode",
	 .demo = {FILL_NORMAL, 1}, .paper = {FILL_NORMAL, 0.02}},
	{"b_vnode", "1, h", "added to the logits to and from the virtual node",
	 .by_layer = ALL_LAYERS, .when = "vnode", .demo = {.entry = make_slopes, .value = 1},
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
		.cite = "@ying2021transformers",
		.recipe = "term.distance[t,s] = column H of param.graphormer.b, and below it "
			  "b_vnode, at row member.graphormer.index.distance; term.edges = "
			  "member.graphormer.edges[H, index.edges], 0 for -1",
		.about = "A node's degrees are added to its vector. Each head learns a number for "
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
				 "takes the out-degree for both tables and pads the hops that a "
				 "path lacks. Its collator can mask far pairs (mask). Tables are "
				 "shorter than its 512 rows",
		.demo_note = "b = −slope log(1 + distance), no path as the distance d_max + 1, the "
			     "virtual node as 1, slopes from 2 down to 1/4 by head; c = the share "
			     "of edges on the path whose label is the head's own; z half of "
			     "learned curves over degrees",
		.claims = graphormer_claims,
		.sample = "graph @amr2",
		.directions_when = "paths == along || form == paper",
		.labels_when = "hops > 0 && types > 1",
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
