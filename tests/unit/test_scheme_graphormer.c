/* test_scheme_graphormer.c: the worked graph, distances by Floyd and Warshall, edges along
 * shortest paths, degrees, the virtual node, and the numbers of the authors' code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_net.h"
#include "help_tree.h"

enum { NONE = RELATION_NO_PATH };

/* A triangle with a tail, its edges of types 1 and 2: no path has a rival of the same length. */
static const struct edge g5_edges[] = {{0, 1, 1}, {1, 2, 2}, {0, 2, 1}, {2, 3, 2}, {3, 4, 1}};
static const struct help_net g5 = {5, 5, 3, g5_edges, false};

static void give_g5(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION;
	help_net_give(&r->in, &g5, NULL, 5, &r->arena);
}

static double bias(const struct trace *trace, size_t head, size_t t, size_t s)
{
	return mat_row(trace->layers[0].heads[head].bias, t)[s];
}

/* ---- the worked graph ---- */

static void set_worked(struct model *model)
{
	static const double b[] = {.5, .2, -.1, -.4, 9}, w[] = {.3, .1, -.2};
	mat_fill(help_leaf(model, "z_in"), 0);
	mat_fill(help_leaf(model, "z_out"), 0);
	for (size_t h = 0; h < 4; h++) {
		for (size_t i = 0; i < 5; i++)
			mat_row(help_leaf(model, "b"), i)[h] = b[i];
		for (size_t i = 0; i < 3; i++) {
			mat_row(help_leaf(model, "w_hop"), i)[h] = w[i];
			mat_row(help_leaf(model, "x_edge"), i)[0] = (double)i;
		}
	}
}

TEST(bias_of_the_worked_graph)
{
	static const char expression[] = "graphormer(d_max=3,hops=3,types=3,edge_dim=1,vnode=off)";
	static const int32_t phi[] = {0, 1, 1, 2, 3, 1, 0, 1, 2, 3, 1, 1, 0,
				      1, 2, 2, 2, 1, 0, 1, 3, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, expression, 5, 0, give_g5);
	const struct trace *trace = help_changed(&r, expression, set_worked);
	for (size_t i = 0; i < 25; i++)
		assert_int_equal(trace->relation.at[i], phi[i]);
	for (size_t h = 0; h < 4; h++) {
		/* 0-2-3-4 has types 1 2 1: (.3 + .2 - .2)/3 = .1; back 1 2 1 too. */
		assert_true(fabs(bias(trace, h, 0, 4) + .3) < 1e-12);
		/* 1-2-3-4: 2 2 1: (.6 + .2 - .2)/3; from 4: 1 2 2: (.3 + .2 - .4)/3. */
		assert_true(fabs(bias(trace, h, 1, 4) - (-.4 + .2)) < 1e-12);
		assert_true(fabs(bias(trace, h, 4, 1) - (-.4 + .1 / 3)) < 1e-12);
		assert_true(fabs(bias(trace, h, 0, 3) - (-.1 + .25)) < 1e-12);
		assert_true(fabs(bias(trace, h, 2, 1) - (.2 + .6)) < 1e-12);
		assert_true(fabs(bias(trace, h, 3, 3) - .5) < 1e-12);
	}
	help_run_close(&r);
}

/* ---- oracles ---- */

static void draw_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct rng rng;
		rng_init_name(&rng, 11, model->leaves[i].name);
		mat_fill_normal(model->leaves[i].at, 1, &rng);
		if (model->leaves[i].base[0] == 'z')
			mat_fill(model->leaves[i].at, 0);
	}
}

/* The first edge written from one to the other, else the first written against. */
static int label_of(const struct help_net *net, bool both, size_t from, size_t to)
{
	for (size_t e = 0; e < net->n_edges; e++)
		if (net->edges[e].from == from && net->edges[e].to == to)
			return net->edges[e].label;
	for (size_t e = 0; (both || !net->directed) && e < net->n_edges; e++)
		if (net->edges[e].from == to && net->edges[e].to == from)
			return net->edges[e].label;
	fail_msg("no edge from %zu to %zu", from, to);
	return 0;
}

enum { HOPS = 3, TYPES = 4, DIM = 2, D_MAX = 4 };

static bool leads(const struct structure *s, bool both, size_t from, size_t to)
{
	for (size_t e = 0; e < s->n_edges; e++)
		if ((s->edges[e].from == from && s->edges[e].to == to) ||
		    ((both || !s->directed) && s->edges[e].from == to && s->edges[e].to == from))
			return true;
	return false;
}

/* A shortest path as nodes, from first to last: breadth first, neighbours in the order of their index. Length 0: there
 * is none; 1: from == to. */
static size_t path_of(const struct structure *s, bool both, size_t from, size_t to, struct arena *a,
		      size_t **nodes)
{
	size_t *const queue = arena_calloc(a, s->n, sizeof *queue);
	size_t tail = 1, n = 0;
	size_t *const before = arena_calloc(a, s->n, sizeof *before);
	bool *const seen = arena_calloc(a, s->n, sizeof *seen);
	*nodes = arena_calloc(a, s->n, sizeof **nodes);
	queue[0] = from;
	seen[from] = true;
	for (size_t head = 0; head < tail && !seen[to]; head++)
		for (size_t next = 0; next < s->n; next++)
			if (!seen[next] && leads(s, both, queue[head], next)) {
				seen[next] = true;
				before[next] = queue[head];
				queue[tail++] = next;
			}
	for (size_t at = to; seen[to] && at != from; at = before[at])
		n++;
	for (size_t i = n + 1, at = to; seen[to] && i-- > 0; at = before[at])
		(*nodes)[i] = at;
	return seen[to] ? n + 1 : 0;
}

/* c of one head along path_of. */
static double defined_edges(struct help_run *r, const struct model *model,
			    const struct help_net *net, bool both, size_t t, size_t s, size_t head)
{
	size_t *nodes;
	const size_t n = path_of(r->in.structure, both, t, s, &r->arena, &nodes);
	const size_t edges = n < 2 ? 0 : n - 1 < HOPS ? n - 1 : HOPS;
	double sum = 0;
	for (size_t k = 0; k < edges; k++) {
		const int label = label_of(net, both, nodes[k], nodes[k + 1]);
		for (size_t j = 0; j < DIM; j++)
			sum += mat_row(help_leaf(model, "x_edge"),
				       (size_t)(label < TYPES ? label : TYPES - 1))[j] *
			       mat_row(help_leaf(model, "w_hop"), k * DIM + j)[head];
	}
	return edges ? sum / (double)edges : 0;
}

static struct model drawn_model;

static void keep_drawn(struct model *model)
{
	draw_leaves(model);
	drawn_model = *model;
}

static void check_drawn(uint64_t seed, bool both)
{
	enum { NODES = 13 };
	const char *expression =
		both ? "graphormer(d_max=4,hops=3,types=4,edge_dim=2,vnode=off)"
		     : "graphormer(d_max=4,hops=3,types=4,edge_dim=2,vnode=off,paths=along)";
	struct help_run r;
	struct rng rng;
	rng_init(&rng, seed);
	help_run_must_open(&r, "none", NODES, 0, help_want_relation);
	const struct help_net net =
		help_net_drawn(NODES, seed % 4 + 1, 6, seed % 3 > 0, &rng, &r.arena);
	help_net_give(&r.in, &net, NULL, NODES, &r.arena);
	const int32_t *d = help_net_distances(&net, both, &r.arena);
	const struct trace *trace = help_changed(&r, expression, keep_drawn);
	const struct mat b = help_leaf(&drawn_model, "b");
	for (size_t i = 0; i < NODES * NODES; i++) {
		const size_t t = i / NODES, s = i % NODES;
		const int32_t phi = d[i] > D_MAX ? D_MAX : d[i];
		assert_int_equal(trace->relation.at[i], phi < 0 ? NONE : phi);
		for (size_t h = 0; h < 4; h++) {
			const double want = mat_row(b, phi < 0 ? D_MAX + 1 : (size_t)phi)[h] +
					    defined_edges(&r, &drawn_model, &net, both, t, s, h);
			if (!(fabs(bias(trace, h, t, s) - want) < 1e-12))
				fail_msg("seed %d, (%zu,%zu): %g, not %g", (int)seed, t, s,
					 bias(trace, h, t, s), want);
		}
	}
	help_run_close(&r);
}

TEST(biases_are_those_of_the_paths)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		check_drawn(seed, true);
		check_drawn(seed, false);
	}
}

/* x·w_n of a head in the drawn model. */
static double product(const char *base, size_t row, size_t hop, size_t head)
{
	double sum = 0;
	for (size_t j = 0; j < DIM; j++)
		sum += mat_row(help_leaf(&drawn_model, base), row)[j] *
		       mat_row(help_leaf(&drawn_model, "w_hop"), hop * DIM + j)[head];
	return sum;
}

/* Over the distance, 1 for a node with itself; without a path, over all hops there can be. */
TEST(the_code_adds_its_padding_for_hops_that_lack)
{
	static const struct edge edges[] = {{0, 1, 1}};
	static const struct help_net net = {3, 1, 2, edges, false};
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, NULL);
	help_net_give(&r.in, &net, NULL, 3, &r.arena);
	const struct trace *trace = help_changed(
		&r, "graphormer(d_max=4,hops=3,edge_dim=2,vnode=off,form=code)", keep_drawn);
	const struct mat b = help_leaf(&drawn_model, "b");
	for (size_t h = 0; h < 4; h++) {
		const double later = product("x_pad", 0, 1, h) + product("x_pad", 0, 2, h);
		const double all = product("x_pad", 0, 0, h) + later;
		const double one = mat_row(b, 1)[h] + product("x_edge", 1, 0, h) + later;
		assert_true(fabs(bias(trace, h, 2, 2) - (mat_row(b, 0)[h] + all)) < 1e-12);
		assert_true(fabs(bias(trace, h, 0, 1) - one) < 1e-12);
		assert_true(fabs(bias(trace, h, 1, 2) - (mat_row(b, 5)[h] + all / 3)) < 1e-12);
	}
	help_run_close(&r);
}

TEST(numbers_are_said_in_words)
{
	struct help_run r;
	help_run_must_open(&r, "graphormer(d_max=3)", 5, 0, give_g5);
	const struct relation *relation = &r.trace.relation;
	assert_string_equal(relation->says(relation, 0, NULL, &r.arena), "the same node");
	assert_string_equal(relation->says(relation, 1, NULL, &r.arena), "1 edge away");
	assert_string_equal(relation->says(relation, 3, NULL, &r.arena), "3 edges or more away");
	assert_string_equal(relation->says(relation, NONE, NULL, &r.arena), "no path");
	assert_string_equal(relation->says(relation, -1, NULL, &r.arena),
			    "to or from the virtual node");
	help_run_close(&r);
}

/* ---- degrees ---- */

static void number_degrees(struct model *model)
{
	for (size_t i = 0; i < help_leaf(model, "z_in").rows; i++) {
		mat_fill(mat_rows(help_leaf(model, "z_in"), i, 1), (double)i);
		mat_fill(mat_rows(help_leaf(model, "z_out"), i, 1), 100 * (double)i);
	}
}

/* want: what is embedded; all: the same without clipping, as the columns of positions have it. */
static void check_degrees(const char *expression, bool directed, const double *want,
			  const double *all)
{
	/* Double edges and both directions count once each way, a loop once. */
	static const struct edge edges[] = {{0, 1, 0}, {0, 1, 0}, {0, 2, 0}, {2, 0, 0},
					    {3, 3, 0}, {0, 3, 0}, {0, 4, 0}};
	const struct help_net net = {6, 7, 1, edges, directed};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	help_net_give(&r.in, &net, NULL, 6, &r.arena);
	const struct trace *trace = help_changed(&r, expression, number_degrees);
	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j < 32; j++)
			assert_true(fabs(mat_row(trace->position_vectors, i)[j] - want[i]) < 1e-9);
	const double *in = help_column_of(trace, "in_degree"),
		     *out = help_column_of(trace, "out_degree");
	for (size_t i = 0; i < 6; i++)
		assert_true(in[i] + 100 * out[i] == all[i]);
	help_run_close(&r);
}

TEST(degrees_are_those_of_the_nodes)
{
	static const double ways[] = {401, 1, 101, 102, 1, 0};
	static const double clipped[] = {201, 1, 101, 102, 1, 0};
	static const double plain[] = {404, 101, 101, 202, 101, 0};
	static const double out[] = {404, 0, 101, 101, 0, 0};
	check_degrees("graphormer(vnode=off)", true, ways, ways);
	check_degrees("graphormer(vnode=off,degrees=2)", true, clipped, ways);
	check_degrees("graphormer(vnode=off)", false, plain, plain);
	check_degrees("graphormer(vnode=off,form=code)", true, plain, plain);
	check_degrees("graphormer(vnode=off,form=code,paths=along)", true, out, out);
}

/* ---- the virtual node ---- */

TEST(the_virtual_node_stands_in_front)
{
	struct help_run r;
	help_run_must_open(&r, "graphormer", 5, 0, give_g5);
	const struct trace *trace = help_changed(&r, "graphormer", draw_leaves);
	assert_int_equal(trace->query.n, 6);
	assert_string_equal(trace->query.labels[0], "[VNode]");
	assert_int_equal(trace->query.token[0], -1);
	assert_int_equal(trace->query.token[1], 0);
	for (size_t h = 0; h < 4; h++)
		for (size_t i = 0; i < 6; i++) {
			assert_true(fabs(bias(trace, h, 0, i) - bias(trace, h, 0, 0)) < 1e-12);
			assert_true(fabs(bias(trace, h, i, 0) - bias(trace, h, 0, 0)) < 1e-12);
			assert_int_equal(trace->relation.at[i], -1);
			assert_int_equal(trace->relation.at[6 * i], -1);
		}
	const struct trace *off = help_changed(&r, "graphormer(vnode=off)", draw_leaves);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 5; t++)
			for (size_t s = 0; s < 5; s++)
				assert_true(fabs(bias(trace, h, t + 1, s + 1) -
						 bias(off, h, t, s)) < 1e-12);
	help_run_close(&r);
}

TEST(without_tables_nothing_is_left)
{
	struct help_run r;
	help_run_must_open(&r, "graphormer(vnode=off)", 5, 0, give_g5);
	const struct trace *zero = help_changed(&r, "graphormer(vnode=off)", help_zero_leaves);
	const struct trace *none = help_again(&r, "none", NULL);
	help_traces_equal(zero, none);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}

TEST(numbers_of_leaves_are_counted)
{
	static const struct {
		const char *expression;
		size_t count;
	} rows[] = {{"graphormer(d_max=4,degrees=3,types=5,hops=2)",
		     2 * 4 * 32 + 6 * 4 + 5 * 4 + 2 * 4 * 4 + 32 + 4},
		    {"graphormer(d_max=4,degrees=3,hops=0,vnode=off)", 2 * 4 * 32 + 6 * 4},
		    {"graphormer(d_max=4,degrees=3,types=5,hops=2,edge_dim=1,form=code)",
		     2 * 4 * 32 + 6 * 4 + 5 + 2 * 4 + 1 + 32 + 4}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 5, 0, give_g5);
		assert_int_equal(model_position_parameters(&r.model), rows[i].count);
		help_run_close(&r);
	}
}

/* ---- limits ---- */

TEST(far_nodes_can_be_forbidden)
{
	static const struct edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}};
	static const struct help_net net = {5, 3, 1, edges, false};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, NULL);
	help_net_give(&r.in, &net, NULL, 5, &r.arena);
	const int32_t *d = help_net_distances(&net, true, &r.arena);
	const struct trace *trace = help_again(&r, "graphormer(mask=2)", NULL);
	const struct mat weights = trace->layers[1].heads[0].weights;
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			const int32_t phi = t && s ? d[(t - 1) * 5 + s - 1] : 0;
			assert_true((mat_row(weights, t)[s] > 0) == (phi >= 0 && phi < 2));
		}
	help_run_close(&r);
}

TEST(labels_beyond_the_table_share_its_last_row)
{
	struct help_run r;
	help_run_must_open(&r, "graphormer(types=2,vnode=off)", 5, 0, give_g5);
	assert_non_null(r.trace.note);
	assert_non_null(strstr(r.trace.note, "3 labels of edges"));
	const struct trace *two = help_changed(&r, "graphormer(types=2,vnode=off)", draw_leaves);
	for (size_t h = 0; h < 4; h++)
		assert_true(fabs(bias(two, h, 0, 1) - bias(two, h, 1, 2)) < 1e-12);
	assert_null(help_again(&r, "graphormer(types=3,vnode=off)", NULL)->note);
	help_run_close(&r);
}

TEST(without_structure_distances_are_those_of_a_chain)
{
	struct help_run r;
	help_run_must_open(&r, "graphormer(d_max=3,vnode=off)", 9, 0, help_want_relation);
	for (int t = 0; t < 9; t++)
		for (int s = 0; s < 9; s++)
			assert_int_equal(r.trace.relation.at[t * 9 + s],
					 abs(s - t) > 3 ? 3 : abs(s - t));
	assert_non_null(strstr(r.trace.relation.note, "no structure: a chain"));
	help_run_close(&r);
}

TEST(a_tree_is_read_by_its_edges)
{
	static const long dep1[] = {2, 3, 0, 5, 3, 3};
	static const int32_t first[] = {0, 1, 2, 4, 3, 3};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, help_want_relation);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	const struct trace *both = help_again(&r, "graphormer(vnode=off)", NULL);
	const struct trace *along = help_again(&r, "graphormer(vnode=off,paths=along)", NULL);
	for (size_t s = 0; s < 6; s++) {
		assert_int_equal(both->relation.at[s], first[s]);
		assert_int_equal(along->relation.at[s], s ? NONE : 0);
		assert_int_equal(along->relation.at[2 * 6 + s], first[s] > 2 ? first[s] - 2
								: s == 2     ? 0
									     : 2 - (int)s);
	}
	help_run_close(&r);
}

/* ---- moving and renaming ---- */

TEST(moved_tokens_take_their_nodes_along)
{
	static const size_t order[] = {3, 1, 4, 0, 2};
	static const long node[] = {4, 0, 2, 2, 3}; /* two tokens on a node, and a node without */
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, NULL);
	help_net_give(&r.in, &g5, node, 5, &r.arena);
	const struct trace *here = help_again(&r, "graphormer", NULL);
	const struct trace *there = help_net_permuted(&r, "graphormer", order);
	const struct mat a = here->layers[1].output, b = there->layers[1].output;
	assert_true(mat_max_abs_diff(mat_rows(a, 0, 1), mat_rows(b, 0, 1)) < 1e-12);
	for (size_t i = 0; i < 5; i++)
		assert_true(mat_max_abs_diff(mat_rows(b, i + 1, 1), mat_rows(a, order[i] + 1, 1)) <
			    1e-12);
	help_run_close(&r);
}

TEST(names_of_nodes_do_not_matter)
{
	static const size_t to[] = {2, 0, 4, 3, 1};
	static const long node[] = {2, 0, 4, 3, 1};
	struct help_run r;
	help_run_must_open(&r, "graphormer", 5, 0, give_g5);
	const struct help_net other = help_net_renamed(&g5, to, &r.arena);
	help_net_give(&r.in, &other, node, 5, &r.arena);
	assert_true(help_output_apart(help_again(&r, "graphormer", NULL), &r.trace, 1) < 1e-12);
	help_run_close(&r);
}

/* ---- the authors' code ---- */

struct cut {
	const char *tensor, *leaf;
	size_t from, rows;
};

/* Tables of the code have rows of their own for padding; what is left is ours. */
static void add_cuts(struct tensor_set *set, const struct cut *cuts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct mat all = tensor_mat(tensor_find(set, cuts[i].tensor));
		const struct mat own =
			mat_copy(set->arena, mat_rows(all, cuts[i].from, cuts[i].rows));
		tensor_set_add(set, cuts[i].leaf, own, false);
	}
	const struct mat near = tensor_mat(tensor_find(set, "param.spatial"));
	const struct mat none = tensor_mat(tensor_find(set, "param.spatial_unreachable"));
	const struct mat b = mat_new(set->arena, near.rows, near.cols);
	mat_set(mat_rows(b, 0, near.rows - 1), mat_rows(near, 1, near.rows - 1));
	mat_set(mat_rows(b, near.rows - 1, 1), none);
	tensor_set_add(set, "graphormer.b", b, false);
}

static void stand_on_edges(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat edges = tensor_mat(tensor_find(set, "edges"));
	struct edge *own = arena_calloc(a, edges.rows, sizeof *own);
	for (size_t e = 0; e < edges.rows; e++) {
		const double *row = mat_row(edges, e);
		own[e] = (struct edge){(size_t)row[0], (size_t)row[1], (int)row[2]};
	}
	const struct help_net net = {5, edges.rows, 3, own, false};
	help_net_give(in, &net, NULL, 5, a);
}

static void check_reference(const char *file, const char *expression, size_t hops)
{
	const struct cut cuts[] = {{"param.in_degree", "graphormer.z_in", 1, 11},
				   {"param.out_degree", "graphormer.z_out", 1, 11},
				   {"param.edge", "graphormer.x_edge", 3, 6},
				   {"param.edge", "graphormer.x_pad", 0, 1},
				   {"param.edge_distance", "graphormer.w_hop", 0, hops * 2},
				   {"input.vnode", "graphormer.vnode", 0, 1},
				   {"param.vnode_distance", "graphormer.b_vnode", 0, 1}};
	const struct help_case c = {.file = file,
				    .expression = "none",
				    .structure = stand_on_edges,
				    .tolerance = 1e-12,
				    .masked_logits = true};
	struct help_result r;
	help_case_open(&r, &c);
	add_cuts(&r.set, cuts, sizeof cuts / sizeof cuts[0]);
	const struct model_config config = r.model.config;
	struct err err = {""};
	size_t n;
	struct model_input in = {.units = tensor_mat(tensor_find(&r.set, "input"))};
	const char *labels[] = {"0", "1", "2", "3", "4"};
	const long token[] = {0, 1, 2, 3, 4};
	in.axis = (struct axis){5, labels, token};
	stand_on_edges(&in, &r.set, &r.arena);
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_CONTEXT | WANT_MASK |
					   WANT_OUTPUT | WANT_POSITION,
				  .layer = -1,
				  .head = -1};
	if (!expr_parse(&r.expr, expression, &r.arena, &err) ||
	    !expr_members(&r.expr, r.members, &n, &r.arena, &err) ||
	    !model_build(&r.model, &config, r.members, n, &r.given, &r.arena, &err) ||
	    !model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &r.trace, &err))
		fail_msg("%s: %s", file, err.text);
	for (size_t i = 0; i < r.model.n_leaves; i++)
		if (!r.model.leaves[i].given)
			fail_msg("%s: %s was drawn", file, r.model.leaves[i].name);
	assert_int_equal(help_case_compare(&r, &c), 6);
	help_case_close(&r);
}

TEST(reference_numbers_are_matched)
{
	check_reference("struct/graphormer-a.safetensors",
			"graphormer(d_max=10,degrees=10,types=6,hops=5)", 5);
	check_reference("struct/graphormer-pad-a.safetensors",
			"graphormer(d_max=10,degrees=10,types=6,hops=2,mask=3,form=code)", 2);
}
