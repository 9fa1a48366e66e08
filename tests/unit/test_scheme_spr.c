/* test_scheme_spr.c: depths and vectors of ways in dependency trees: worked sentences, the sequential
 * schemes that a chain gives, and reference numbers. The ways themselves: test_spr_rel.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_net.h"
#include "help_learned.h"
#include "help_tree.h"

/* The cat chased the dog .  and  The small cat chased the dog that slept . */
static const long dep1[] = {2, 3, 0, 5, 3, 3};
static const long dep2[] = {3, 3, 4, 0, 6, 4, 8, 6, 4};

/* ---- inputs ---- */

/* ---- depth ---- */

static void four_wide(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
}

TEST(depth_is_steps_to_the_root)
{
	static const double sine[4][4] = {{0, 1, 0, 1},
					  {.8415, .5403, .0100, 1.0000},
					  {.9093, -.4161, .0200, .9998},
					  {.1411, -.9900, .0300, .9996}};
	static const size_t abs1[] = {2, 1, 0, 2, 1, 1}, abs2[] = {2, 2, 1, 0, 2, 1, 3, 2, 1};
	const struct {
		const long *governors;
		const size_t *depth;
		size_t n;
	} rows[] = {{dep1, abs1, 6}, {dep2, abs2, 9}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, "spr_abs", rows[i].n, 0, four_wide);
		help_stand(&r.in, help_governed(rows[i].governors, rows[i].n, &r.arena));
		const struct trace *trace = help_again(&r, "spr_abs", NULL);
		for (size_t t = 0; t < rows[i].n; t++)
			for (size_t j = 0; j < 4; j++)
				assert_true(fabs(mat_row(trace->position_vectors, t)[j] -
						 sine[rows[i].depth[t]][j]) < 6e-5);
		help_run_close(&r);
	}
}

TEST(depth_stands_on_the_diagonal_of_the_relation)
{
	struct rng rng;
	rng_init(&rng, 5);
	struct help_run r;
	help_open_random_tree(&r, "spr_abs", 40, &rng);
	const struct structure *s = r.in.structure;
	const struct relation *relation = &r.trace.relation;
	assert_int_equal(relation->n, 40);
	for (size_t t = 0; t < 40; t++) {
		const int32_t depth = relation->at[t * 40 + t];
		const long head = s->parent[t];
		assert_int_equal(depth, head < 0 ? 0 : relation->at[(size_t)head * 41] + 1);
		assert_int_equal(relation->at[t * 40 + (t + 1) % 40], RELATION_NO_PATH);
	}
	assert_string_equal(relation->says(relation, 0, NULL, &r.arena), "a root");
	assert_string_equal(relation->says(relation, 3, NULL, &r.arena), "3 below the root");
	help_run_close(&r);
}

TEST(equal_depths_have_equal_rows)
{
	struct help_run r;
	help_open_tree(&r, "spr_abs", dep1, 6);
	const struct mat p = r.trace.position_vectors;
	assert_true(help_rows_apart(p, 1, 4, 0, 32) < 1e-12);
	assert_true(help_rows_apart(p, 1, 5, 0, 32) < 1e-12);
	assert_true(help_rows_apart(p, 0, 1, 0, 32) > 0.1);
	help_run_close(&r);
}

TEST(depth_on_a_chain_is_the_sequential_position)
{
	static const char *const pairs[][2] = {{"spr_abs", "sinusoidal"},
					       {"spr_abs(layout=concat,freq=t2t,start=2)",
						"sinusoidal(layout=concat,freq=t2t,start=2)"}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, pairs[i][0], 9, 0, NULL);
		help_traces_equal(&r.trace, help_again(&r, pairs[i][1], NULL));
		help_run_close(&r);
	}
}

TEST(sum_and_tanh_join_depth_and_place)
{
	struct help_run r;
	help_open_tree(&r, "spr_abs", dep2, 9);
	const struct trace *sum = help_again(&r, "spr_abs(fuse=sum)", NULL);
	help_traces_equal(sum, help_again(&r, "spr_abs+sinusoidal", NULL));
	const struct mat place = help_again(&r, "sinusoidal", NULL)->position_vectors;
	const struct mat both = help_again(&r, "spr_abs(fuse=tanh)", NULL)->position_vectors;
	for (size_t t = 0; t < 9; t++)
		for (size_t j = 0; j < 32; j++) {
			const double a = mat_row(r.trace.position_vectors, t)[j];
			const double b = mat_row(place, t)[j];
			assert_true(fabs(mat_row(both, t)[j] - tanh(a / 2 + b / 2)) < 1e-12);
		}
	help_run_close(&r);
}

/* Depth goes with its token; the sequential position, and which side is right, do not. */
TEST(permuting_tokens_permutes_the_outputs_of_depth_alone)
{
	static const size_t order[] = {4, 0, 3, 5, 1, 2};
	static const struct {
		const char *expression;
		bool equivariant;
	} rows[] = {{"spr_abs", true}, {"spr_abs(fuse=sum)", false}, {"spr_rel", false}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_open_tree(&r, rows[i].expression, dep1, 6);
		const struct trace *moved = help_net_permuted(&r, rows[i].expression, order);
		double worst = 0;
		for (size_t t = 0; t < 6; t++)
			worst = fmax(
				worst,
				mat_max_abs_diff(mat_rows(moved->layers[1].output, t, 1),
						 mat_rows(r.trace.layers[1].output, order[t], 1)));
		assert_true(rows[i].equivariant ? worst < 1e-12 : worst > 1e-3);
		help_run_close(&r);
	}
}

/* ---- vectors ---- */

/* Row i of a_… is i+1 times ones, of w_… a tenth of that: the bias tells which rows were read. */
static void number_rows(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			mat_fill(mat_rows(model->leaves[i].at, r, 1),
				 model->leaves[i].base[0] == 'a' ? (double)r + 1
								 : ((double)r + 1) / 10);
}

static double read_off(const struct help_run *r, const struct trace *trace, size_t t, size_t s)
{
	const double one = r->model.c * r->model.gain * (double)r->model.dk;
	return mat_row(trace->layers[0].heads[0].bias, t)[s] / one;
}

static void identity(struct help_run *r)
{
	r->config.proj = PROJ_IDENTITY;
	help_with_relation(r);
}

TEST(vectors_are_read_by_the_clipped_relation)
{
	struct help_run r;
	help_run_must_open(&r, "spr_rel(clip=2)", 9, 0, identity);
	help_stand(&r.in, help_governed(dep2, 9, &r.arena));
	const struct trace *alone = help_changed(&r, "spr_rel(clip=2)", number_rows);
	const struct trace *sum = help_changed(&r, "spr_rel(clip=2,fuse=sum)", number_rows);
	const struct trace *fused = help_changed(&r, "spr_rel(clip=2,fuse=tanh)", number_rows);
	for (size_t t = 0; t < 9; t++)
		for (size_t s = 0; s < 9; s++) {
			const double rel = (double)alone->relation.at[t * 9 + s];
			const double a = fmax(-2, fmin(2, rel)) + 3;
			const double w = (fmax(-2, fmin(2, (double)s - (double)t)) + 3) / 10;
			assert_true(fabs(read_off(&r, alone, t, s) - a) < 1e-9);
			assert_true(fabs(read_off(&r, sum, t, s) - a - w) < 1e-9);
			assert_true(fabs(read_off(&r, fused, t, s) - tanh((a + w) / 2)) < 1e-9);
		}
	help_run_close(&r);
}

TEST(chain_gives_the_vectors_of_distance)
{
	static const char *const pairs[][2] = {
		{"spr_rel", "shaw(sign=ts,layers=1)"},
		{"spr_rel(clip=3)", "shaw(clip=3,sign=ts,layers=1)"},
		{"spr_rel(recurring=on,values=off)", "shaw(sign=ts,values=off)"},
		{"spr_rel(layers=2)", "shaw(sign=ts,layers=2)"}};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, pairs[i][0], 9, 0, NULL);
		help_traces_equal(&r.trace, help_again(&r, pairs[i][1], NULL));
		help_run_close(&r);
	}
}

TEST(sum_is_the_tree_and_the_vectors_of_distance)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel(fuse=sum,clip=4)", dep2, 9);
	help_traces_equal(&r.trace, help_again(&r, "spr_rel(clip=4)+shaw(clip=4,layers=1)", NULL));
	help_run_close(&r);
}

static void halve_and_bend(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			for (size_t c = 0; c < model->leaves[i].at.cols; c++) {
				double *at = mat_row(model->leaves[i].at, r) + c;
				*at = tanh(*at / 2);
			}
}

static void zero_distances(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].base[0] == 'w')
			mat_fill(model->leaves[i].at, 0);
}

/* Keys and values: with no vectors of distance what is left is tanh of half the tree's. */
TEST(tanh_without_distances_bends_the_vectors_of_the_tree)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep2, 9);
	help_traces_equal(help_changed(&r, "spr_rel(fuse=tanh)", zero_distances),
			  help_changed(&r, "spr_rel", halve_and_bend));
	help_run_close(&r);
}

TEST(only_the_first_layer_has_vectors_unless_recurring)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep1, 6);
	assert_int_equal(r.model.n_leaves, 2);
	const struct trace *first = help_again(&r, "spr_rel(recurring=on,layers=1)", NULL);
	const struct trace *all = help_again(&r, "spr_rel(recurring=on)", NULL);
	assert_true(help_logits_apart(&r.trace, first, 0, 4) < 1e-12);
	assert_true(help_output_apart(&r.trace, first, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, all, 0) < 1e-12);
	assert_true(help_output_apart(&r.trace, all, 1) > 1e-3);
	help_run_close(&r);
}

TEST(vectors_of_0_leave_the_plain_model)
{
	struct help_run r;
	help_open_tree(&r, "spr_rel", dep1, 6);
	const struct trace *none = help_again(&r, "none", NULL);
	static const char *const zeroed[] = {"spr_rel", "spr_rel(fuse=sum)", "spr_rel(fuse=tanh)"};
	for (size_t i = 0; i < 3; i++)
		assert_true(help_output_apart(help_changed(&r, zeroed[i], help_zero_leaves), none,
					      1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}

/* d 32, h 4, 2 layers, t-max 512. */
TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t made;
	} rows[] = {{"spr_abs", 0},
		    {"spr_rel(clip=3)", 2 * 7 * 8},
		    {"spr_rel(clip=0,values=off)", 1025 * 8},
		    {"spr_rel(clip=3,recurring=on,fuse=sum)", 2 * 2 * 7 * 8 * 2}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].made);
		help_run_close(&r);
	}
}

/* ---- reference numbers ---- */

/* `heads` of the words, and `word` of each token where words are in pieces. */
static void stand_on_words(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat heads = tensor_mat(tensor_find(set, "heads"));
	const struct tensor *word = tensor_find(set, "word");
	long *governors = arena_calloc(a, heads.cols, sizeof *governors);
	long *node = arena_calloc(a, in->axis.n, sizeof *node);
	for (size_t i = 0; i < heads.cols; i++)
		governors[i] = (long)mat_row(heads, 0)[i];
	for (size_t i = 0; i < in->axis.n; i++)
		node[i] = word ? (long)word->at[i] - 1 : (long)i;
	in->structure = help_governed(governors, heads.cols, a);
	in->node = node;
}

TEST(reference_numbers_are_matched)
{
	static const char *const files[] = {"struct/spr-a.safetensors",
					    "struct/spr-subword-a.safetensors"};
	for (size_t i = 0; i < 2; i++) {
		struct help_result r;
		const struct help_case rel = {.file = files[i],
					      .expression = "spr_rel(clip=3)",
					      .map = {"a_key=param.a_k", "a_value=param.a_v"},
					      .tolerance = 1e-12,
					      .structure = stand_on_words};
		help_case_open(&r, &rel);
		for (size_t l = 0; l < r.model.n_leaves; l++)
			assert_true(r.model.leaves[l].given);
		assert_true(help_case_compare(&r, &rel) >= 6);
		help_case_close(&r);
		const struct help_case abs = {
			.file = files[i], .expression = "spr_abs", .structure = stand_on_words};
		help_case_open(&r, &abs);
		const struct mat vectors = tensor_mat(tensor_find(&r.set, "position.vectors"));
		assert_true(mat_max_abs_diff(r.trace.position_vectors, vectors) < 1e-12);
		help_case_close(&r);
	}
}

TEST(pieces_of_a_word_are_on_one_node)
{
	static const char file[] = "struct/spr-subword-a.safetensors";
	static const long node[] = {0, 1, 2, 2, 3, 4, 5};
	struct help_result r;
	const struct help_case c = {
		.file = file, .expression = "spr_rel", .structure = stand_on_words};
	help_case_open(&r, &c);
	const struct mat want = tensor_mat(tensor_find(&r.set, "relation.subword"));
	struct help_run run;
	help_run_must_open(&run, "spr_rel", 7, 0, help_with_relation);
	help_stand(&run.in, help_governed(dep1, 6, &run.arena));
	run.in.node = node;
	const struct relation *got = &help_again(&run, "spr_rel", NULL)->relation;
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++)
			assert_true(got->at[t * 7 + s] == (int32_t)mat_row(want, t)[s]);
	help_run_close(&run);
	help_case_close(&r);
}

/* ---- what every scheme must do ---- */

static const char *const all_forms[] = {"spr_abs",
					"spr_abs(fuse=sum)",
					"spr_abs(fuse=tanh)",
					"spr_rel",
					"spr_rel(clip=2,values=off)",
					"spr_rel(fuse=sum,recurring=on)",
					"spr_rel(fuse=tanh,recurring=on)",
					"spr_abs+spr_rel+causal"};
enum { FORMS = sizeof all_forms / sizeof all_forms[0] };

static void seven_in_a_tree(struct help_run *r)
{
	static const long governors[] = {2, 3, 0, 5, 3, 5, 6};
	help_stand(&r->in, help_governed(governors, 7, &r->arena));
}

TEST(every_way_through_the_code_agrees)
{
	for (size_t i = 0; i < FORMS; i++) {
		help_all_ways_agree(all_forms[i], NULL);
		help_all_ways_agree(all_forms[i], seven_in_a_tree);
	}
	assert_int_equal(help_terms_sum("spr_rel", NULL), 2);
	assert_int_equal(help_terms_sum("spr_rel(fuse=sum)", NULL), 3);
	assert_int_equal(help_terms_sum("spr_rel(fuse=tanh)", NULL), 2);
	assert_int_equal(help_terms_sum("spr_abs", NULL), 4);
}

/* One cache, two trees of the same size: what is kept must not be the first one's. */
TEST(cache_does_not_mix_trees)
{
	struct rng rng;
	rng_init(&rng, 2);
	for (size_t i = 0; i < FORMS; i++) {
		struct help_run r;
		struct err err = {""};
		struct cache *cache = cache_new(1 << 24);
		help_run_must_open(&r, all_forms[i], 12, 0, NULL);
		for (size_t round = 0; round < 4; round++) {
			struct trace kept;
			help_stand(&r.in, help_random_tree(12, &rng, &r.arena));
			assert_true(model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena,
					      &kept, &err));
			help_traces_equal(&kept, help_again(&r, all_forms[i], NULL));
		}
		cache_free(cache);
		help_run_close(&r);
	}
}

TEST(every_size_is_evaluated)
{
	static const size_t sizes[] = {1, 2, 7, 64, 513};
	struct rng rng;
	rng_init(&rng, 3);
	for (size_t i = 0; i < FORMS; i++) {
		help_sizes(all_forms[i]);
		for (size_t k = 0; k < 5; k++) {
			struct help_run r;
			help_open_random_tree(&r, all_forms[i], sizes[k], &rng);
			assert_true(help_is_finite(r.trace.layers[1].output));
			help_run_close(&r);
		}
	}
}
