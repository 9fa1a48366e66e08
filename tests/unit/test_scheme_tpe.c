/* test_scheme_tpe.c: ways down from a root as pushed one-hot blocks: worked vectors, the maps of a step,
 * the law of norms, conversion of k-ary trees, and reference numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tree.h"

/* The cat chased the dog . */
static const long dep1[] = {2, 3, 0, 5, 3, 3};

/* Node i of a complete binary tree in the order of its levels hangs on (i-1)/2. */
static struct structure *binary(size_t n, struct arena *a)
{
	long *parent = arena_calloc(a, n, sizeof *parent);
	for (size_t i = 0; i < n; i++)
		parent[i] = i == 0 ? -1 : (long)(i - 1) / 2;
	return help_tree(parent, n, a);
}

enum { ROOT, LEFT, RIGHT, LEFT_LEFT, LEFT_RIGHT, RIGHT_LEFT, RIGHT_LEFT_RIGHT = 12 };

static void six_wide(struct help_run *r)
{
	r->config.d = 6;
	r->config.heads = 1;
	r->want.kinds |= WANT_RELATION;
}

static void twelve_wide(struct help_run *r)
{
	r->config.d = 12;
	r->config.heads = 1;
}

static void must_equal(const double *got, const double *want, size_t n, double tolerance)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(got[i] - want[i]) <= tolerance))
			fail_msg("component %zu: %g, worked %g", i, got[i], want[i]);
}

/* ---- worked vectors ---- */

TEST(one_hot_blocks_have_the_deepest_step_first)
{
	static const struct {
		size_t node;
		double want[6];
	} rows[] = {{ROOT, {0}},
		    {LEFT, {1}},
		    {RIGHT, {0, 1}},
		    {LEFT_RIGHT, {0, 1, 1, 0}},
		    {RIGHT_LEFT, {1, 0, 0, 1}},
		    {RIGHT_LEFT_RIGHT, {0, 1, 1, 0, 0, 1}}};
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=3,form=onehot)", 15, 0, six_wide);
	help_stand(&r.in, binary(15, &r.arena));
	const struct trace *trace = help_again(&r, "tpe(depth=3,form=onehot)", NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		must_equal(mat_row(trace->position_vectors, rows[i].node), rows[i].want, 6, 1e-12);
	help_run_close(&r);
}

static void decay_of_08(struct model *model)
{
	const struct mat raw = help_leaf(model, "raw");
	for (size_t f = 0; f < raw.cols; f++)
		mat_row(raw, 0)[f] = atanh(0.8);
}

/* d 12, k 3, n_b 2: two copies, innermost. */
TEST(levels_decay_towards_the_root)
{
	static const double left_right[6] = {0, 1.4697, 1.1758, 0, 0, 0};
	static const double right_left_right[6] = {0, 1.4697, 1.1758, 0, 0, .9406};
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=3)", 15, 0, twelve_wide);
	help_stand(&r.in, binary(15, &r.arena));
	const struct mat p = help_changed(&r, "tpe(depth=3)", decay_of_08)->position_vectors;
	for (size_t i = 0; i < 12; i++) {
		assert_true(fabs(mat_row(p, LEFT_RIGHT)[i] - left_right[i / 2]) < 6e-5);
		assert_true(fabs(mat_row(p, RIGHT_LEFT_RIGHT)[i] - right_left_right[i / 2]) < 6e-5);
	}
	help_run_close(&r);
}

TEST(demo_has_copies_of_long_and_of_short_memory)
{
	static const double want[12] = {0, 0, 1.0677, 2.1213, .9609, 1.0607,
					0, 0, 0,      0,      .8648, .5303};
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=3)", 15, 0, twelve_wide);
	help_stand(&r.in, binary(15, &r.arena));
	const struct trace *trace = help_again(&r, "tpe(depth=3)", NULL);
	must_equal(mat_row(trace->position_vectors, RIGHT_LEFT_RIGHT), want, 12, 6e-5);
	help_run_close(&r);
}

/* A chain: depth L at unit L; one copy. */
TEST(norms_tend_to_that_of_sinusoids)
{
	static const double want[7] = {0, 1.4697, 1.8821, 2.1041, 2.2346, 2.3143, 2.3638};
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=6)", 7, 0, twelve_wide);
	const struct mat p = help_changed(&r, "tpe(depth=6)", decay_of_08)->position_vectors;
	for (size_t t = 0; t < 7; t++) {
		double sum = 0;
		for (size_t j = 0; j < 12; j++)
			sum += mat_row(p, t)[j] * mat_row(p, t)[j];
		assert_true(fabs(sqrt(sum) - want[t]) < 6e-5);
	}
	help_run_close(&r);
}

/* ---- invariants ---- */

/* A child is its parent moved one level on, times p, with its own branch in front; so the parent is the
 * child moved back. The last level is what is lost. */
TEST(a_step_is_the_same_map_everywhere)
{
	enum { NB = 3, K = 4, F = 2, N = 60 };
	static const double p[F] = {0.9, 0.5}; /* of the demo */
	struct rng rng;
	rng_init(&rng, 8);
	struct help_run r;
	help_run_must_open(&r, "tpe", N, 0, NULL);
	long parent[N];
	size_t children[N] = {0};
	parent[0] = -1;
	for (size_t i = 1; i < N; i++) {
		do
			parent[i] = (long)rng_below(&rng, i);
		while (children[parent[i]] == NB);
		children[parent[i]]++;
	}
	const struct structure *s = help_tree(parent, N, &r.arena);
	help_stand(&r.in, s);
	const struct mat x = help_again(&r, "tpe(branching=3,depth=4)", NULL)->position_vectors;
	const double top = sqrt(32. / 2);
	for (size_t i = 1; i < N; i++) {
		const double *up = mat_row(x, (size_t)parent[i]), *at = mat_row(x, i);
		for (size_t c = 0; c < NB; c++)
			for (size_t f = 0; f < F; f++) {
				const double front =
					c == s->branch[i] ? top * sqrt(1 - p[f] * p[f]) : 0;
				assert_true(fabs(at[c * F + f] - front) < 1e-12);
			}
		for (size_t j = 0; j < (K - 1) * NB * F; j++)
			assert_true(fabs(at[NB * F + j] - p[j % F] * up[j]) < 1e-12);
		for (size_t j = K * NB * F; j < 32; j++)
			assert_true(fabs(at[j]) < 1e-12); /* 32 = 24 + 8 left over */
	}
	help_run_close(&r);
}

TEST(ways_as_long_as_the_depth_are_told_apart)
{
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=3)", 31, 0, NULL);
	help_stand(&r.in, binary(31, &r.arena));
	const struct mat x = help_again(&r, "tpe(depth=3)", NULL)->position_vectors;
	for (size_t t = 0; t < 15; t++)
		for (size_t s = 0; s < t; s++)
			assert_true(help_rows_apart(x, t, s, 0, 32) > 0.1);
	/* [1,0,1] and [0,1,0,1]: nodes 2, 5, 12 and 1, 4, 9, 20 */
	assert_true(help_rows_apart(x, 12, 20, 0, 32) < 1e-12);
	help_run_close(&r);
}

TEST(permuting_tokens_permutes_the_outputs)
{
	static const size_t order[] = {4, 0, 3, 5, 1, 2};
	static const long token[] = {4, 0, 3, 5, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "tpe", 6, 0, NULL);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	const struct mat before = help_again(&r, "tpe", NULL)->layers[1].output;
	help_permute(&r, order);
	r.in.axis.token = token;
	const struct mat after = help_again(&r, "tpe", NULL)->layers[1].output;
	for (size_t t = 0; t < 6; t++)
		assert_true(mat_max_abs_diff(mat_rows(after, t, 1), mat_rows(before, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

/* ---- trees that do not fit ---- */

TEST(too_many_children_are_converted_or_refused)
{
	struct help_run r;
	help_run_must_open(&r, "tpe", 6, 0, NULL);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	const struct trace *converted = help_again(&r, "tpe(children=lcrs)", NULL);
	help_traces_equal(help_again(&r, "tpe(depth=8)", NULL),
			  help_again(&r, "tpe(depth=8,children=lcrs)", NULL));
	assert_non_null(strstr(help_again(&r, "tpe", NULL)->note, "left child and right sibling"));
	assert_null(converted->note);
	const struct trace *fits = help_again(&r, "tpe(branching=3)", NULL);
	help_traces_equal(fits, help_again(&r, "tpe(branching=3,children=direct)", NULL));
	help_run_close(&r);
	static const char *const refused[] = {"tpe(children=direct)", "tpe(branching=1)"};
	for (size_t i = 0; i < 2; i++) {
		struct trace trace;
		help_run_must_open(&r, refused[i], 6, 0, NULL);
		help_stand(&r.in, help_governed(dep1, 6, &r.arena));
		assert_false(
			model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
		assert_non_null(strstr(r.err.text, "node \"3\" has 3 children; set branching=3"));
		help_run_close(&r);
	}
}

/* 10 levels of 3 branches fit into 32, so 12 are 10. */
TEST(levels_that_do_not_fit_are_left_out)
{
	struct help_run r;
	help_run_must_open(&r, "tpe(branching=3,depth=12)", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "tpe(branching=3,depth=10)", NULL));
	assert_non_null(strstr(r.trace.note, "the width holds 10 of 12 levels"));
	help_run_close(&r);
}

TEST(a_graph_without_parents_is_an_error)
{
	struct help_run r;
	struct trace trace;
	help_run_must_open(&r, "tpe", 6, 0, NULL);
	help_stand(&r.in, help_row_graph(6, &r.arena));
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
	assert_non_null(strstr(r.err.text, "--conllu, --governors or --tree"));
	help_run_close(&r);
}

TEST(parameters_that_do_not_fit_are_errors)
{
	static const struct {
		const char *expression, *text;
	} rows[] = {{"tpe(branching=33)", "each of its 33 branches, and d is 32"},
		    {"tpe(branching=33,form=onehot)", "each of its 33 branches"},
		    {"tpe(branching=1,children=lcrs)", "left child and right sibling"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, 3, 0, NULL));
		assert_non_null(strstr(r.err.text, rows[i].text));
		help_run_close(&r);
	}
}

/* 32 / (3·3) = 3 copies, 5 components left over. */
TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t made;
	} rows[] = {{"tpe", 1},
		    {"tpe(depth=8)", 2},
		    {"tpe(branching=9,depth=9)", 1},
		    {"tpe(branching=32)", 1},
		    {"tpe(branching=3,depth=3)", 3},
		    {"tpe(form=onehot)", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].made);
		help_run_close(&r);
	}
}

/* ---- relation ---- */

static void must_be_way(const struct relation *relation, size_t unit, const char *want)
{
	const struct label_path *path = &relation->paths[unit * relation->n + unit];
	char text[100] = "";
	for (size_t i = 0; i < path->n; i++) {
		strcat(text, i > 0 ? " " : "");
		strcat(text, relation->labels[path->labels[i]]);
	}
	assert_string_equal(text, want);
	assert_int_equal(relation->at[unit * relation->n + unit], path->n);
}

TEST(relation_is_the_way_from_the_root)
{
	struct help_run r;
	help_run_must_open(&r, "tpe(depth=2)", 15, 0, six_wide);
	help_stand(&r.in, binary(15, &r.arena));
	const struct relation *way = &help_again(&r, "tpe(depth=2)", NULL)->relation;
	must_be_way(way, ROOT, "");
	must_be_way(way, LEFT_RIGHT, "0 1");
	must_be_way(way, RIGHT_LEFT_RIGHT, "1 0 1");
	assert_int_equal(way->at[1], RELATION_NO_PATH);
	assert_non_null(strstr(way->note, "deepest 2 steps"));
	assert_string_equal(way->says(way, 1, NULL, &r.arena), "1 step down from the root");
	help_run_close(&r);
	help_run_must_open(&r, "tpe(depth=2)", 6, 0, six_wide);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	way = &help_again(&r, "tpe(depth=2)", NULL)->relation;
	must_be_way(way, 2, "");
	must_be_way(way, 0, "↓ ↓");
	must_be_way(way, 3, "↓ → ↓");
	must_be_way(way, 5, "↓ → →");
	help_run_close(&r);
}

TEST(units_without_a_node_have_no_position)
{
	static const long token[] = {0, 1, 2, 3, 4, 5, -1};
	struct help_run r;
	help_run_must_open(&r, "tpe", 7, 0, NULL);
	help_stand(&r.in, help_governed(dep1, 6, &r.arena));
	r.in.axis.token = token;
	r.want.kinds |= WANT_RELATION;
	const struct trace *trace = help_again(&r, "tpe", NULL);
	for (size_t j = 0; j < 32; j++)
		assert_true(fabs(mat_row(trace->position_vectors, 6)[j]) < 1e-12);
	assert_int_equal(trace->relation.at[6 * 7 + 6], RELATION_NO_PATH);
	help_run_close(&r);
}

/* ---- reference numbers ---- */

static double tensor_at(const struct tensor_set *set, const char *name, size_t i)
{
	return tensor_find(set, name)->at[i];
}

/* The tree as its file has it: already binary, so that branches are those of the paths. */
static void stand_on_parents(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct tensor *paths = tensor_find(set, "paths");
	const size_t n = in->axis.n, most = paths->shape[1];
	long *parent = arena_calloc(a, n, sizeof *parent);
	for (size_t i = 0; i < n; i++)
		parent[i] = (long)tensor_at(set, "parents", i);
	struct structure *s = help_tree(parent, n, a);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < most; l++)
			if (paths->at[i * most + l] >= 0)
				s->branch[i] = (size_t)paths->at[i * most + l];
	help_stand(in, s);
}

/* The words before the tree is converted; placeholders stand on no node. */
static void stand_on_words(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	long *node = arena_calloc(a, in->axis.n, sizeof *node);
	for (size_t i = 0; i < in->axis.n; i++)
		node[i] = (long)tensor_at(set, "word", i) - 1;
	in->structure = help_governed(dep1, 6, a);
	in->node = node;
}

static void compare_case(const char *file, const char *expression, const char *tensor, bool words)
{
	struct help_result r;
	const struct help_case c = {.file = file,
				    .expression = expression,
				    .map = {strstr(expression, "onehot") ? NULL : "raw=param.raw"},
				    .structure = words ? stand_on_words : stand_on_parents};
	help_case_open(&r, &c);
	const struct mat want = tensor_mat(tensor_find(&r.set, tensor));
	const bool embedded = strcmp(tensor, "embed") == 0;
	size_t compared = 0;
	for (size_t t = 0; t < want.rows; t++) {
		if (words && tensor_at(&r.set, "word", t) == 0)
			continue;
		for (size_t j = 0; j < want.cols; j++) {
			double got = mat_row(r.trace.position_vectors, t)[j];
			got += embedded ? mat_row(r.trace.units, t)[j] : 0;
			assert_true(fabs(got - mat_row(want, t)[j]) < 1e-12);
			compared++;
		}
	}
	assert_true(compared >= 6 * want.cols);
	help_case_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const char a[] = "struct/tpe-a.safetensors";
	static const char lcrs[] = "struct/tpe-lcrs-a.safetensors";
	compare_case(a, "tpe(depth=3)", "position.vectors", false);
	compare_case(a, "tpe(depth=3,scale_emb=on)", "embed", false);
	compare_case(a, "tpe(depth=3,form=onehot)", "position.onehot", false);
	compare_case(lcrs, "tpe(depth=4)", "position.vectors", false);
	compare_case(lcrs, "tpe(depth=4)", "position.vectors", true);
	compare_case(lcrs, "tpe(depth=4,scale_emb=on)", "embed", true);
	compare_case(lcrs, "tpe(depth=4,form=onehot)", "position.onehot", true);
}

/* ---- what every scheme must do ---- */

static const char *const all_forms[] = {"tpe", "tpe(form=onehot)", "tpe(children=lcrs)",
					"tpe(branching=7,depth=2)", "tpe(scale_emb=on)+causal"};
enum { FORMS = sizeof all_forms / sizeof all_forms[0] };

static void seven_in_a_tree(struct help_run *r)
{
	static const long governors[] = {2, 3, 0, 5, 3, 3, 6};
	help_stand(&r->in, help_governed(governors, 7, &r->arena));
}

TEST(every_way_through_the_code_agrees)
{
	for (size_t i = 0; i < FORMS; i++) {
		help_all_ways_agree(all_forms[i], NULL);
		help_all_ways_agree(all_forms[i], seven_in_a_tree);
	}
	assert_int_equal(help_terms_sum("tpe", NULL), 4);
}

TEST(every_size_is_evaluated)
{
	static const size_t sizes[] = {1, 2, 7, 64, 513};
	struct rng rng;
	rng_init(&rng, 3);
	for (size_t i = 0; i < 3; i++) {
		help_sizes(all_forms[i]);
		for (size_t k = 0; k < 5; k++) {
			struct help_run r;
			help_run_must_open(&r, all_forms[i], sizes[k], 0, NULL);
			help_stand(&r.in, help_random_tree(sizes[k], &rng, &r.arena));
			const struct trace *trace = help_again(&r, all_forms[i], NULL);
			assert_true(help_is_finite(trace->layers[1].output));
			help_run_close(&r);
		}
	}
}
