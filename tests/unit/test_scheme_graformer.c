/* test_scheme_graformer.c: the worked graph, distances by Floyd and Warshall, the order of the
 * questions, chains and trees, and the numbers of the authors' code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_net.h"
#include "help_tree.h"

enum { NONE = RELATION_NO_PATH };

/* An entity of two words, a relation, an object, and something nobody speaks of. */
static const struct edge kg1_edges[] = {{0, 1, 0}, {1, 2, 0}};
static const struct help_net kg1 = {4, 2, 1, kg1_edges, true};
static const long kg1_node[] = {0, 0, 1, 2, 3};

static void give_kg1(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION;
	help_net_give(&r->in, &kg1, kg1_node, 5, &r->arena);
}

static void check_relation(const struct relation *got, const int32_t *want, size_t n)
{
	assert_int_equal(got->n, n);
	for (size_t i = 0; i < n * n; i++)
		if (got->at[i] != want[i])
			fail_msg("r(%zu,%zu) is %d, not %d", i / n, i % n, (int)got->at[i],
				 (int)want[i]);
}

TEST(relation_of_the_worked_graph)
{
	static const int32_t want[] = {0,    4,	   1,	 2,    NONE, -4,   0,  1,  2,
				       NONE, -1,   -1,	 0,    1,    NONE, -2, -2, -1,
				       0,    NONE, NONE, NONE, NONE, NONE, 0};
	struct help_run r;
	help_run_must_open(&r, "graformer(d_max=3)", 5, 0, give_kg1);
	check_relation(&r.trace.relation, want, 5);
	int32_t turned[25];
	for (size_t i = 0; i < 25; i++)
		turned[i] = want[i % 5 * 5 + i / 5];
	check_relation(&help_again(&r, "graformer(d_max=3,form=code)", NULL)->relation, turned, 5);
	help_run_close(&r);
}

TEST(numbers_are_said_in_words)
{
	static const struct {
		int32_t value;
		const char *words;
	} rows[] = {{0, "the token itself"},
		    {NONE, "no path either way"},
		    {1, "1 along the edges"},
		    {-2, "2 against the edges"},
		    {3, "3 or more along the edges"},
		    {4, "next word of the same label"},
		    {-4, "word before in the same label"},
		    {6, "3 words on in the same label"},
		    {-5, "2 words back in the same label"}};
	struct help_run r;
	help_run_must_open(&r, "graformer(d_max=3)", 5, 0, give_kg1);
	const struct relation *relation = &r.trace.relation;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(relation->says(relation, rows[i].value, NULL, &r.arena),
				    rows[i].words);
	help_run_close(&r);
}

/* Neither a loop nor a cycle through the label makes its words neighbours in the graph. */
TEST(the_same_label_is_asked_first)
{
	static const struct edge edges[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
	static const struct help_net net = {2, 3, 1, edges, true};
	static const long node[] = {0, 1, 0, 0};
	/* With d_max=2, same=1: neighbours and those beyond read ±3; a cycle of two is +1 both ways. */
	static const int32_t want[] = {0, 1, 3, 3, 1, 0, 1, 1, -3, 1, 0, 3, -3, 1, -3, 0};
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, help_want_relation);
	help_net_give(&r.in, &net, node, 4, &r.arena);
	check_relation(&help_again(&r, "graformer(d_max=2,same=1)", NULL)->relation, want, 4);
	help_run_close(&r);
}

/* r by the definition, from distances by Floyd and Warshall. */
static int32_t defined(const int32_t *d, size_t nodes, const long *node, size_t t, size_t s,
		       int32_t d_max)
{
	if (t == s)
		return 0;
	if (node[t] == node[s]) {
		int32_t offset = 0;
		for (size_t i = t < s ? t : s; i < (t < s ? s : t); i++)
			offset += node[i] == node[t];
		return t < s ? d_max + offset : -d_max - offset;
	}
	const int32_t a = d[(size_t)node[t] * nodes + (size_t)node[s]];
	const int32_t b = d[(size_t)node[s] * nodes + (size_t)node[t]];
	if (b >= 0 && (a < 0 || b < a))
		return b > d_max ? -d_max : -b;
	return a < 0 ? NONE : a > d_max ? d_max : a;
}

TEST(relations_are_those_of_floyd_and_warshall)
{
	enum { NODES = 17, TOKENS = 23 };
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct help_run r;
		struct rng rng;
		rng_init(&rng, seed);
		help_run_must_open(&r, "none", TOKENS, 0, help_want_relation);
		const struct help_net net =
			help_net_drawn(NODES, seed % 4 + 1, 3, seed % 3 > 0, &rng, &r.arena);
		long node[TOKENS];
		for (size_t i = 0; i < TOKENS; i++)
			node[i] = (long)rng_below(&rng, NODES);
		help_net_give(&r.in, &net, node, TOKENS, &r.arena);
		const int32_t *d = help_net_distances(&net, false, &r.arena);
		static const char *const expressions[] = {"graformer(d_max=2,same=30)",
							  "graformer(d_max=40,same=30)"};
		for (size_t k = 0; k < 2; k++) {
			int32_t want[TOKENS * TOKENS];
			for (size_t i = 0; i < TOKENS * TOKENS; i++)
				want[i] =
					defined(d, NODES, node, i / TOKENS, i % TOKENS, k ? 40 : 2);
			const struct trace *trace = help_again(&r, expressions[k], NULL);
			check_relation(&trace->relation, want, TOKENS);
			for (size_t i = 0; i < TOKENS * TOKENS; i++) {
				const int32_t back = want[i % TOKENS * TOKENS + i / TOKENS];
				const bool none = want[i] == NONE || back == NONE;
				assert_true(none ? want[i] == back
						 : want[i] == -back ||
							    (want[i] == back && want[i] > 0));
			}
		}
		help_run_close(&r);
	}
}

/* Row 1 of gamma is no path, 2k is +k, 2k+1 is -k; then +1, -1, .. within a label. */
TEST(the_bias_is_the_row_of_the_relation)
{
	struct help_run r;
	help_run_must_open(&r, "graformer(d_max=3,same=2)", 5, 0, give_kg1);
	const struct mat gamma = help_leaf(&r.model, "gamma");
	assert_int_equal(gamma.rows, 12);
	for (size_t h = 0; h < 4; h++)
		for (size_t i = 0; i < 25; i++) {
			const int32_t value = r.trace.relation.at[i];
			const size_t steps = (size_t)abs(value);
			const size_t row = value == NONE ? 1
					   : value == 0	 ? 0
							 : 2 * steps + (value < 0);
			const double got = mat_row(r.trace.layers[0].heads[h].bias, i / 5)[i % 5];
			assert_true(fabs(got - mat_row(gamma, row)[h]) < 1e-12);
		}
	help_run_close(&r);
}

/* In the code whatever is too far becomes the last id, which is a negative one. */
TEST(the_code_loses_the_sign_of_what_is_too_far)
{
	static const struct edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}};
	static const struct help_net net = {4, 3, 1, edges, true};
	static const long node[] = {0, 1, 2, 3, 3, 3};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, help_want_relation);
	help_net_give(&r.in, &net, node, 6, &r.arena);
	const int32_t *paper = help_again(&r, "graformer(d_max=2,same=1)", NULL)->relation.at;
	const int32_t *code =
		help_again(&r, "graformer(d_max=2,same=1,form=code)", NULL)->relation.at;
	assert_int_equal(paper[0 * 6 + 2], 2);
	assert_int_equal(paper[0 * 6 + 3], 2);
	assert_int_equal(paper[3 * 6 + 0], -2);
	assert_int_equal(paper[3 * 6 + 5], 3);
	assert_int_equal(code[2 * 6 + 0], 2);
	assert_int_equal(code[3 * 6 + 0], -2);
	assert_int_equal(code[0 * 6 + 3], -2);
	assert_int_equal(code[3 * 6 + 4], -3);
	assert_int_equal(code[4 * 6 + 3], 3);
	assert_int_equal(code[5 * 6 + 3], -3);
	assert_int_equal(code[3 * 6 + 5], -3);
	help_run_close(&r);
}

TEST(without_structure_it_is_a_clipped_distance)
{
	struct help_run r;
	help_run_must_open(&r, "graformer(d_max=3)", 9, 0, help_want_relation);
	for (int t = 0; t < 9; t++)
		for (int s = 0; s < 9; s++) {
			const int d = s - t;
			assert_int_equal(r.trace.relation.at[t * 9 + s], d > 3	  ? 3
									 : d < -3 ? -3
										  : d);
		}
	assert_non_null(strstr(r.trace.relation.note, "no structure: a chain"));
	for (size_t h = 0; h < 4; h++)
		assert_true(help_toeplitz_error(r.trace.layers[0].heads[h].bias) < 1e-12);
	help_run_close(&r);
	help_is_relative("graformer", "seq");
}

TEST(a_tree_is_seen_from_its_root)
{
	static const long dep1[] = {2, 3, 0, 5, 3, 3}; /* The cat chased the dog . */
	static const int32_t want[] = {0,    -1,   -2,	 NONE, NONE, NONE, 1,	 0,    -1,
				       NONE, NONE, NONE, 2,    1,    0,	   2,	 1,    1,
				       NONE, NONE, -2,	 0,    -1,   NONE, NONE, NONE, -1,
				       1,    0,	   NONE, NONE, NONE, -1,   NONE, NONE, 0};
	struct help_run r;
	help_run_must_open(&r, "graformer", 6, 0, help_want_relation);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	const struct trace *trace = help_again(&r, "graformer", NULL);
	check_relation(&trace->relation, want, 6);
	help_run_close(&r);
}

static void forbid_no_path(struct model *model)
{
	const struct mat gamma = help_leaf(model, "gamma");
	mat_fill(mat_rows(gamma, 1, 1), -1e9);
}

/* What nothing joins is told by the number of no path alone. */
TEST(parts_are_independent_but_for_the_number_of_no_path)
{
	struct help_run r;
	help_run_must_open(&r, "graformer", 5, 0, give_kg1);
	const struct trace *before = help_changed(&r, "graformer", forbid_no_path);
	mat_fill(mat_rows(r.in.units, 4, 1), 3);
	mat_row(r.in.units, 4)[0] = -5;
	const struct trace *after = help_changed(&r, "graformer", forbid_no_path);
	const struct trace *free = help_again(&r, "graformer", NULL);
	const struct mat a = before->layers[1].output, b = after->layers[1].output;
	assert_true(mat_max_abs_diff(mat_rows(a, 0, 4), mat_rows(b, 0, 4)) < 1e-12);
	assert_true(mat_max_abs_diff(mat_rows(a, 4, 1), mat_rows(b, 4, 1)) > 1e-3);
	assert_true(mat_max_abs_diff(mat_rows(free->layers[1].output, 0, 4),
				     mat_rows(r.trace.layers[1].output, 0, 4)) > 1e-6);
	help_run_close(&r);
}

TEST(moved_tokens_take_their_nodes_along)
{
	static const size_t order[] = {3, 1, 4, 0, 2};
	struct help_run r;
	help_run_must_open(&r, "graformer", 5, 0, give_kg1);
	const struct trace *here = help_again(&r, "graformer", NULL);
	const struct trace *there = help_net_permuted(&r, "graformer", order);
	for (size_t i = 0; i < 5; i++) {
		assert_true(mat_max_abs_diff(mat_rows(there->layers[1].output, i, 1),
					     mat_rows(here->layers[1].output, order[i], 1)) <
			    1e-12);
		for (size_t k = 0; k < 5; k++)
			assert_int_equal(there->relation.at[i * 5 + k],
					 here->relation.at[order[i] * 5 + order[k]]);
	}
	help_run_close(&r);
}

TEST(names_of_nodes_do_not_matter)
{
	static const size_t to[] = {2, 0, 3, 1};
	static const long node[] = {2, 2, 0, 3, 1};
	struct help_run r;
	help_run_must_open(&r, "graformer", 5, 0, give_kg1);
	const struct help_net other = help_net_renamed(&kg1, to, &r.arena);
	help_net_give(&r.in, &other, node, 5, &r.arena);
	assert_true(help_output_apart(help_again(&r, "graformer", NULL), &r.trace, 1) < 1e-12);
	help_run_close(&r);
}

/* A node of the case is a token; tokens of one group are a label. */
static void stand_on_groups(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat edges = tensor_mat(tensor_find(set, "edges"));
	const struct mat groups = tensor_mat(tensor_find(set, "groups"));
	struct edge *own = arena_calloc(a, edges.rows, sizeof *own);
	long *node = arena_calloc(a, groups.rows, sizeof *node);
	size_t n = 0;
	for (size_t i = 0; i < groups.rows; i++) {
		node[i] = (long)mat_row(groups, i)[0];
		n = (size_t)node[i] + 1 > n ? (size_t)node[i] + 1 : n;
	}
	for (size_t e = 0; e < edges.rows; e++)
		own[e] = (struct edge){(size_t)node[(size_t)mat_row(edges, e)[0]],
				       (size_t)node[(size_t)mat_row(edges, e)[1]], 0};
	const struct help_net net = {n, edges.rows, 1, own, true};
	help_net_give(in, &net, node, groups.rows, a);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "struct/graformer-a.safetensors",
		 .expression = "graformer(d_max=3,same=3)",
		 .tolerance = 1e-12,
		 .structure = stand_on_groups},
		{.file = "struct/graformer-code-a.safetensors",
		 .expression = "graformer(d_max=3,same=3,form=code)",
		 .tolerance = 1e-12,
		 .structure = stand_on_groups}};
	for (size_t i = 0; i < 2; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(r.model.n_leaves, 1);
		assert_true(r.model.leaves[0].given);
		assert_int_equal(help_case_compare(&r, &cases[i]), 6);
		help_case_close(&r);
	}
}

TEST(relation_is_that_of_the_original)
{
	const struct help_case c = {.file = "struct/graformer-a.safetensors",
				    .expression = "none",
				    .structure = stand_on_groups};
	struct help_result r;
	help_case_open(&r, &c);
	const struct mat want = tensor_mat(tensor_find(&r.set, "relation.clipped"));
	struct help_run run;
	help_run_must_open(&run, "none", 5, 0, help_want_relation);
	stand_on_groups(&run.in, &r.set, &run.arena);
	const struct relation *got = &help_again(&run, "graformer(d_max=3,same=3)", NULL)->relation;
	for (size_t i = 0; i < 25; i++) {
		const int32_t value = (int32_t)mat_row(want, i / 5)[i % 5];
		assert_int_equal(got->at[i], value == 99 ? NONE : value);
	}
	help_run_close(&run);
	help_case_close(&r);
}

TEST(one_table_serves_all_layers)
{
	struct help_run r;
	help_run_must_open(&r, "graformer(d_max=4,same=3)", 5, 0, give_kg1);
	assert_int_equal(model_position_parameters(&r.model), 2 * (4 + 1 + 3) * 4);
	const struct trace *zero = help_changed(&r, "graformer(d_max=4,same=3)", help_zero_leaves);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(zero, none, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}
