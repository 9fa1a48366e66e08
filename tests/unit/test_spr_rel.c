/* test_spr_rel.c: the way from one word of a dependency tree to another, as a number and in words:
 * worked sentences, an oracle of ancestor sets, forests, pieces of words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tree.h"

/* The cat chased the dog .  and  The small cat chased the dog that slept . */
static const long dep1[] = {2, 3, 0, 5, 3, 3};
static const long dep2[] = {3, 3, 4, 0, 6, 4, 8, 6, 4};

TEST(relation_of_worked_sentences)
{
	static const int32_t want1[36] = {0,  1,  2, -4, -3, -3, -1, 0, 1, -3, -2, -2,
					  -2, -1, 0, -2, -1, -1, 4,  3, 2, 0,  1,  -3,
					  3,  2,  1, -1, 0,  -2, 3,  2, 1, 3,  2,  0};
	static const int32_t want2[9] = {4, 4, 3, 2, 0, 1, -5, -4, -3};
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep1, 6);
	for (size_t i = 0; i < 36; i++)
		assert_int_equal(r.trace.relation.at[i], want1[i]);
	assert_non_null(strstr(r.trace.relation.note, "beyond ±16 the vectors of ±16"));
	help_run_close(&r);
	help_open_tree(&r, "spr_rel", dep2, 9);
	for (size_t s = 0; s < 9; s++)
		assert_int_equal(r.trace.relation.at[4 * 9 + s], want2[s]);
	help_run_close(&r);
}

TEST(zero_is_one_node_unless_there_are_two_roots)
{
	static const long pair[] = {0, 0}, one[] = {0, 1};
	struct help_run r;
	help_open_tree(&r, "spr_rel", pair, 2);
	const struct relation *relation = &r.trace.relation;
	assert_int_equal(relation->at[1], 0);
	assert_string_equal(relation->says(relation, 0, NULL, &r.arena),
			    "the same node, or two roots");
	help_run_close(&r);
	help_open_tree(&r, "spr_rel", one, 2);
	assert_string_equal(relation->says(relation, 0, NULL, &r.arena), "the same node");
	help_run_close(&r);
}

/* up[t]: the set of a node's ancestors and itself. */
static uint8_t *ancestor_sets(const struct structure *s, struct arena *a)
{
	uint8_t *up = arena_calloc(a, s->n * s->n, 1);
	for (size_t t = 0; t < s->n; t++)
		for (long at = (long)t; at >= 0; at = s->parent[at])
			up[t * s->n + (size_t)at] = 1;
	return up;
}

static size_t set_size(const uint8_t *set, size_t n)
{
	size_t size = 0;
	for (size_t i = 0; i < n; i++)
		size += set[i];
	return size;
}

TEST(relation_agrees_with_ancestor_sets)
{
	struct rng rng;
	rng_init(&rng, 11);
	for (size_t round = 0; round < 6; round++) {
		const size_t n = 1 + 7 * round;
		struct help_run r;
		help_open_random_tree(&r, "spr_rel", n, &rng);
		const uint8_t *up = ancestor_sets(r.in.structure, &r.arena);
		const int32_t *distance = structure_distances(r.in.structure, true, &r.arena);
		const int32_t *at = r.trace.relation.at;
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++) {
				const long depth_t = (long)set_size(up + t * n, n) - 1;
				const long depth_s = (long)set_size(up + s * n, n) - 1;
				const bool path = up[t * n + s] || up[s * n + t];
				const long side = t > s ? 1 : -1;
				const long want =
					path ? depth_t - depth_s : side * (depth_t + depth_s);
				size_t common = 0;
				for (size_t i = 0; i < n; i++)
					common += up[t * n + i] && up[s * n + i];
				assert_int_equal(at[t * n + s], want);
				assert_int_equal(at[t * n + s], -at[s * n + t]);
				assert_true(labs(want) >= distance[t * n + s]);
				assert_true((labs(want) == distance[t * n + s]) ==
					    (path || common == 1));
			}
		help_run_close(&r);
	}
}

TEST(relation_is_told_in_words)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep1, 6);
	const struct relation *relation = &r.trace.relation;
	static const struct {
		int32_t value;
		const char *words;
	} rows[] = {{0, "the same node"},
		    {1, "1 below"},
		    {-1, "1 above"},
		    {2, "2 below, or to the right, 2 steps by the root"},
		    {-4, "4 above, or to the left, 4 steps by the root"},
		    {RELATION_NO_PATH, "one of them is not in the tree"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(relation->says(relation, rows[i].value, NULL, &r.arena),
				    rows[i].words);
	help_run_close(&r);
}

static const char *pair_words(struct help_run *r, const struct relation *relation, size_t t,
			      size_t s)
{
	struct arena *a = &r->arena;
	const struct relation_cell cell = {t, s, arena_printf(a, "w%zu", t + 1),
					   arena_printf(a, "w%zu", s + 1)};
	return relation->says(relation, relation->at[t * relation->n + s], &cell, a);
}

/* structured.md: +2 means two below, or to the right with both children of the root; 5 "the" and 7
 * "that" of the second sentence are 3 edges apart and have -5. */
TEST(a_pair_is_told_which_of_two_readings_is_true)
{
	static const struct {
		size_t t, s; /* from 1 */
		int32_t value;
		const char *words;
	} rows[] = {
		{1, 4, 2, "w1 is 2 below w4 on one path"},
		{9, 3, 2, "off the path: w9 is to the right of w3, depths 1 + 1"},
		{4, 1, -2, "w4 is 2 above w1 on one path"},
		{3, 6, -2, "off the path: w3 is to the left of w6, depths 1 + 1"},
		{5, 7, -5, "off the path: w5 is to the left of w7, depths 2 + 3"},
		{7, 6, 2, "w7 is 2 below w6 on one path"},
		{4, 4, 0, "the token itself"},
	};
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep2, 9);
	const struct relation *relation = &r.trace.relation;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t t = rows[i].t - 1, s = rows[i].s - 1;
		assert_int_equal(relation->at[t * 9 + s], rows[i].value);
		assert_string_equal(pair_words(&r, relation, t, s), rows[i].words);
	}
	const struct trace *clipped = help_again(&r, "spr_rel(clip=2)", NULL);
	assert_string_equal(
		pair_words(&r, &clipped->relation, 4, 6),
		"off the path: w5 is to the left of w7, depths 2 + 3; the vector of −2");
	help_run_close(&r);
}

/* The definition, word by word, on trees and on forests. */
TEST(words_of_a_pair_follow_from_ancestor_sets)
{
	struct rng rng;
	rng_init(&rng, 23);
	for (size_t round = 0; round < 6; round++) {
		const size_t n = 20;
		struct help_run r;
		help_run_must_open(&r, "spr_rel", n, 0, help_with_relation);
		struct structure *tree = help_random_tree(n, &rng, &r.arena);
		for (size_t i = 0; i < 3 * round; i++) /* parts become trees of their own */
			tree->parent[rng_below(&rng, n)] = -1;
		help_stand(&r.in, tree);
		const struct relation *relation = &help_again(&r, "spr_rel", NULL)->relation;
		const uint8_t *up = ancestor_sets(tree, &r.arena);
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++) {
				const long a = (long)set_size(up + t * n, n) - 1;
				const long b = (long)set_size(up + s * n, n) - 1;
				char *words =
					arena_strdup(&r.arena, pair_words(&r, relation, t, s));
				const char *want;
				if (t == s)
					want = "the token itself";
				else if (up[t * n + s])
					want = arena_printf(&r.arena,
							    "w%zu is %ld below w%zu on one path",
							    t + 1, a - b, s + 1);
				else if (up[s * n + t])
					want = arena_printf(&r.arena,
							    "w%zu is %ld above w%zu on one path",
							    t + 1, b - a, s + 1);
				else if (a + b == 0)
					want = "two roots, depths 0 + 0";
				else
					want = arena_printf(&r.arena,
							    "off the path: w%zu is to the %s of "
							    "w%zu, depths %ld + %ld",
							    t + 1, t > s ? "right" : "left", s + 1,
							    a, b);
				words[strcspn(words, ";")] = '\0'; /* what is clipped */
				assert_string_equal(words, want);
			}
		help_run_close(&r);
	}
}

/* In a forest a root and a child of another one are 1 by the roots, and on no path. */
TEST(one_is_told_twice_in_a_forest_alone)
{
	static const long forest[] = {0, 0, 2};
	struct help_run r;
	help_open_tree(&r, "spr_rel", forest, 3);
	const struct relation *relation = &r.trace.relation;
	assert_int_equal(relation->at[0 * 3 + 2], -1);
	assert_string_equal(relation->says(relation, -1, NULL, &r.arena),
			    "1 above, or to the left, 1 step by the root");
	assert_string_equal(pair_words(&r, relation, 0, 2),
			    "off the path: w1 is to the left of w3, depths 0 + 1");
	assert_string_equal(pair_words(&r, relation, 1, 2), "w2 is 1 above w3 on one path");
	help_run_close(&r);
}

/* Two pieces of a word, and a unit that is ours. */
TEST(pieces_of_a_word_and_what_is_outside_are_told)
{
	static const long token[] = {0, 1, 2, -1}, node[] = {0, 0, 1}, one[] = {0, 1};
	struct help_run r;
	help_run_must_open(&r, "spr_rel", 4, 0, help_with_relation);
	struct structure *s = help_governed(one, 2, &r.arena);
	r.in.structure = s;
	r.in.node = node;
	r.in.axis.token = token;
	const struct relation *relation = &help_again(&r, "spr_rel", NULL)->relation;
	assert_string_equal(pair_words(&r, relation, 0, 1), "two tokens of one node");
	assert_string_equal(pair_words(&r, relation, 1, 2), "w2 is 1 above w3 on one path");
	assert_string_equal(pair_words(&r, relation, 1, 3), "w4 is not in the tree");
	assert_string_equal(pair_words(&r, relation, 3, 0), "w4 is not in the tree");
	assert_string_equal(pair_words(&r, relation, 3, 3), "the token itself");
	help_run_close(&r);
}

/* Which of two siblings is right is what the column says. */
TEST(sides_come_from_the_column)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel(pos=remaining)", dep1, 6);
	assert_int_equal(r.trace.relation.at[1 * 6 + 4], 2); /* cat, dog: -2 read forwards */
	assert_int_equal(r.trace.relation.at[0 * 6 + 1], 1);
	help_run_close(&r);
}

TEST(roots_of_a_forest_all_have_depth_0)
{
	static const long forest[] = {0, 1, 0, 3, 4};
	struct help_run r;
	help_open_tree(&r, "spr_rel", forest, 5);
	assert_int_equal(r.trace.relation.at[0 * 5 + 2], 0);
	assert_int_equal(r.trace.relation.at[1 * 5 + 4], -3); /* 1 + 2, to the left */
	assert_int_equal(r.trace.relation.at[4 * 5 + 2], 2);
	help_run_close(&r);
}

/* The last unit is one of ours, as [SEP] is. */
TEST(units_without_a_node_are_below_all_and_related_to_none)
{
	static const long token[] = {0, 1, 2, 3, 4, 5, -1};
	struct help_run r;
	help_run_must_open(&r, "spr_abs", 7, 0, help_with_relation);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	r.in.axis.token = token;
	const struct trace *abs = help_again(&r, "spr_abs", NULL);
	assert_int_equal(abs->relation.at[6 * 7 + 6], 3);
	assert_true(fabs(mat_row(abs->position_vectors, 6)[0] - sin(3)) < 1e-12);
	const struct trace *rel = help_again(&r, "spr_rel", NULL);
	for (size_t t = 0; t < 6; t++) {
		assert_int_equal(rel->relation.at[t * 7 + 6], RELATION_NO_PATH);
		assert_int_equal(rel->relation.at[6 * 7 + t], RELATION_NO_PATH);
		assert_true(mat_row(rel->layers[0].heads[0].bias, t)[6] == 0);
	}
	assert_int_equal(rel->relation.at[6 * 7 + 6], 0);
	assert_true(help_is_finite(help_again(&r, "spr_rel(fuse=tanh)", NULL)->layers[1].output));
	help_run_close(&r);
}

TEST(graph_without_parents_is_an_error)
{
	static const char *const expressions[] = {"spr_abs", "spr_rel"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 5, 0, help_with_relation);
		help_stand(&r.in, help_row_graph(5, &r.arena));
		struct trace trace;
		struct err err = {""};
		assert_false(
			model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
		assert_non_null(strstr(err.text, "--conllu, --governors or --tree"));
		help_run_close(&r);
	}
}
