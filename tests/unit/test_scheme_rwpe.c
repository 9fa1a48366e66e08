/* test_scheme_rwpe.c: chances of coming back: the worked graph, powers of the matrix written out,
 * trees without odd returns, the authors' numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_graph.h"
#include "help_tensors.h"

TEST(worked_graph_has_its_numbers)
{
	static const double want[5][4] = {{0, .4167, .1667, .2708},
					  {0, .4167, .1667, .2708},
					  {0, .5, .1667, .4167},
					  {0, .6667, 0, .5},
					  {0, .5, 0, .3333}};
	struct help_run r;
	help_run_must_open(&r, "rwpe(k=4)", 5, 0, help_give_g5);
	const struct mat p = help_graph_numbers(&r, "rwpe(k=4)", 4, help_show_numbers);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs(mat_row(p, i)[j] - want[i][j]) < 5e-5);
	help_run_close(&r);
}

/* The diagonals of RW, RW², …; left or right division by degrees gives the same. */
static void check_powers(const struct help_graph *g, bool left)
{
	enum { K = 9 };
	struct help_run r;
	help_run_must_open(&r, "none", g->n, 0, NULL);
	help_graph_give(&r.in, g, &r.arena);
	const struct mat p = help_graph_numbers(&r, "rwpe(k=9)", K, help_show_numbers);
	const struct mat walk = help_adjacency(g, &r.arena), degrees = help_degrees(g, &r.arena);
	for (size_t i = 0; i < g->n; i++)
		for (size_t j = 0; j < g->n; j++)
			mat_row(walk, i)[j] /= fmax(1, degrees.at[left ? i : j]);
	struct mat power = mat_eye(&r.arena, g->n);
	for (size_t k = 0; k < K; k++) {
		const struct mat next = mat_zero(&r.arena, g->n, g->n);
		for (size_t i = 0; i < g->n; i++)
			for (size_t j = 0; j < g->n; j++)
				for (size_t v = 0; v < g->n; v++)
					mat_row(next, i)[j] +=
						mat_row(walk, i)[v] * mat_row(power, v)[j];
		power = next;
		for (size_t i = 0; i < g->n; i++) {
			assert_true(fabs(mat_row(p, i)[k] - mat_row(power, i)[i]) < 1e-13);
			assert_true(mat_row(p, i)[k] > -1e-14 && mat_row(p, i)[k] < 1 + 1e-14);
		}
	}
	help_run_close(&r);
}

TEST(numbers_are_diagonals_of_powers)
{
	struct arena a;
	arena_init(&a);
	check_powers(&help_g5, false);
	check_powers(&help_g5, true);
	check_powers(&help_parts, false);
	for (uint64_t seed = 1; seed <= 3; seed++) {
		/* More nodes than go through the walk at once. */
		const struct help_graph g = help_graph_drawn(61 + 4 * seed, 4, seed, &a);
		check_powers(&g, seed == 2);
	}
	arena_release(&a);
}

TEST(bipartite_graphs_never_return_in_odd_steps)
{
	struct help_run r;
	help_run_must_open(&r, "rwpe(k=8)", 7, 0, NULL);
	const struct mat chain = help_graph_numbers(&r, "rwpe(k=8)", 8, help_show_numbers);
	for (size_t i = 0; i < 7; i++)
		for (size_t j = 0; j < 8; j += 2)
			assert_true(fabs(mat_row(chain, i)[j]) < 1e-14);
	/* From an end of the chain the walk must go in; half of the time it is back at once. */
	assert_true(fabs(mat_row(chain, 0)[1] - 0.5) < 1e-13);
	assert_true(fabs(mat_row(chain, 1)[1] - 0.75) < 1e-13);
	assert_true(fabs(mat_row(chain, 3)[3] - 0.375) < 1e-13);
	help_run_close(&r);
}

/* The demonstration's c: nothing for a node inside an endless chain, as far as k steps see. An end is
 * like that too: a walk that turns there is a walk that goes on, seen in a mirror. */
TEST(demonstration_is_silent_within_a_chain)
{
	struct help_run r;
	help_run_must_open(&r, "rwpe(k=6)", 15, 0, NULL);
	const struct mat p = r.trace.position_vectors;
	for (size_t t = 0; t < 15; t++) {
		const double size = mat_norm(mat_rows(p, t, 1));
		const bool silent = t % 14 == 0 || (t >= 4 && t <= 10);
		if (silent ? size > 1e-12 : size < 1e-3)
			fail_msg("%zu: %g", t, size);
	}
	help_run_close(&r);
}

TEST(lonely_nodes_never_return)
{
	struct help_run r;
	help_run_must_open(&r, "rwpe(k=3)", 6, 0, help_give_parts);
	const struct mat p = help_graph_numbers(&r, "rwpe(k=3)", 3, help_show_numbers);
	static const double want[6][3] = {{0, .5, .25}, {0, .5, .25}, {0, .5, .25},
					  {0, 1, 0},	{0, 1, 0},    {0, 0, 0}};
	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j < 3; j++)
			assert_true(fabs(mat_row(p, i)[j] - want[i][j]) < 1e-14);
	help_run_close(&r);
}

static const struct tensor_set *authors;

static void given_map(struct model *model)
{
	mat_set(help_leaf(model, "weight"), tensor_mat(tensor_find(authors, "param.weight")));
	mat_set(help_leaf(model, "bias"), tensor_mat(tensor_find(authors, "param.bias")));
}

static void of_width_6(struct help_run *r)
{
	r->config.d = 6;
	r->config.heads = 2;
	help_give_g5(r);
}

TEST(authors_numbers_are_matched)
{
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "rwpe(k=4)", 5, 0, of_width_6);
	tensor_set_init(&set, &r.arena);
	assert_true(help_tensors(&set, "tests/data/struct/rwpe-a.safetensors", &r.err));
	const struct mat p = help_graph_numbers(&r, "rwpe(k=4)", 4, help_show_numbers);
	assert_true(mat_max_abs_diff(p, tensor_mat(tensor_find(&set, "position.vectors"))) < 1e-12);
	authors = &set;
	const struct mat embedding = help_graph_numbers(&r, "rwpe(k=4)", 6, given_map);
	assert_true(mat_max_abs_diff(embedding,
				     tensor_mat(tensor_find(&set, "position.embedding"))) < 1e-12);
	help_run_close(&r);
}

TEST(it_is_a_graph_scheme)
{
	help_graph_scheme("rwpe");
	help_graph_scheme("rwpe(k=3)");
}
