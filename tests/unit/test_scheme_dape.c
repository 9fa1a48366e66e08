/* test_scheme_dape.c: the network over heads, in blocks as in one piece, and the authors' numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

TEST(reference_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/dape-alibi-a.safetensors",
					   .expression = "dape(width=10)"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(r.model.leaves[i].given);
	assert_true(help_case_compare(&r, &c) >= 12);
	/* head.H.bias of the file is B, the first of the two terms. */
	const struct model_input in = {.axis = r.trace.query,
				       .units = tensor_mat(tensor_find(&r.set, "input"))};
	const struct want want = {.kinds = WANT_LOGITS | WANT_TERMS, .layer = -1, .head = -1};
	struct trace trace;
	struct err err = {""};
	assert_true(model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &trace, &err));
	const char *const names[] = {"head.0.bias", "head.1.bias", "head.2.bias", "head.3.bias"};
	for (size_t h = 0; h < 4; h++)
		assert_true(mat_max_abs_diff(trace.layers[0].heads[h].terms[1].at,
					     tensor_mat(tensor_find(&r.set, names[h]))) < 1e-9);
	help_case_close(&r);
}

/* ---- convolutions along the keys ---- */

TEST(the_second_versions_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/dape2-alibi-a.safetensors",
					   .expression = "dape(width=6,kernel=3)",
					   .map = {"w1=param.conv1", "w2=param.conv2"},
					   .masked_logits = true};
	struct help_result r;
	help_case_open(&r, &c);
	for (size_t i = 0; i < 4; i++)
		assert_true(r.model.leaves[i].given);
	assert_int_equal(help_case_compare(&r, &c), 20);
	help_case_close(&r);
}

static void one_number(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.content = 0;
	r->want.kinds |= WANT_TERMS;
}

/* Taps .5, 1, .25 of A, none of B; then the middle one alone. */
static void worked_taps(struct model *model)
{
	static const double taps[] = {.5, 0, 1, 0, .25, 0}, middle[] = {0, 1, 0};
	help_zero_leaves(model);
	memcpy(help_leaf(model, "w1").at, taps, sizeof taps);
	memcpy(help_leaf(model, "w2").at, middle, sizeof middle);
}

TEST(taps_read_the_neighbours_of_a_key)
{
	static const double want[] = {1.75, .75, 2.5};
	static const char text[] =
		"formula(b=s==0 ? 2 : s==1 ? -1 : 3)+dape(width=1,kernel=3,causal=off)";
	struct help_run r;
	help_run_must_open(&r, text, 3, 0, one_number);
	const struct trace_head *const head = help_changed(&r, text, worked_taps)->layers[0].heads;
	for (size_t s = 0; s < 3; s++)
		assert_true(fabs(mat_row(head->terms[head->n_terms - 1].at, 2)[s] - want[s]) <
			    1e-12);
	help_run_close(&r);
}

/* A kernel whose other taps are 0 is none. */
static void middle_taps(struct model *model)
{
	const struct mat w1 = help_leaf(model, "w1"), w2 = help_leaf(model, "w2");
	for (size_t i = 0; i < w1.rows; i++)
		if (i < 8 || i >= 16)
			mat_fill(mat_rows(w1, i, 1), 0);
	for (size_t i = 0; i < w2.rows; i++)
		if (i < 5 || i >= 10)
			mat_fill(mat_rows(w2, i, 1), 0);
}

static struct mat middle_w1, middle_w2;

static void without_taps(struct model *model)
{
	mat_set(help_leaf(model, "w1"), middle_w1);
	mat_set(help_leaf(model, "w2"), middle_w2);
}

TEST(a_kernel_of_its_middle_alone_is_the_first_version)
{
	struct help_run r;
	help_run_must_open(&r, "dape(width=5,kernel=3,layers=1)", 7, 0, NULL);
	middle_w1 = mat_rows(help_leaf(&r.model, "w1"), 8, 8);
	middle_w2 = mat_rows(help_leaf(&r.model, "w2"), 5, 5);
	const struct trace *const three =
		help_changed(&r, "dape(width=5,kernel=3,layers=1)", middle_taps);
	const struct trace *const one = help_changed(&r, "dape(width=5,layers=1)", without_taps);
	assert_true(help_output_apart(three, one, 0) < 1e-12);
	assert_true(help_output_apart(&r.trace, one, 0) > 1e-3);
	help_run_close(&r);
}

/* f = 0 leaves ALiBi: equal weights, and logits where the mask allows. */
TEST(a_network_of_0_leaves_alibi)
{
	static const char *const pairs[][2] = {{"dape", "alibi"},
					       {"dape(causal=off)", "alibi(causal=off)"},
					       {"dape(pos=remaining)", "alibi(pos=remaining)"}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, pairs[i][0], 9, 0, NULL);
		const struct trace *base = help_again(&r, pairs[i][1], NULL);
		const struct trace *zero = help_changed(&r, pairs[i][0], help_zero_leaves);
		assert_true(help_output_apart(zero, base, 1) < 1e-12);
		assert_true(help_output_apart(&r.trace, base, 1) > 1e-3);
		help_run_close(&r);
	}
}

/* f sees numbers of a pair and nothing else: without B, permuting units permutes everything. */
TEST(the_network_is_a_function_of_the_pair)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	static const double same[] = {0, 0, 0, 0, 0};
	struct help_run r;
	help_run_must_open(&r, "dape(causal=off)", 5, 0, NULL);
	r.in.word = same;
	const struct trace *a = help_again(&r, "dape(causal=off,pos=word)", NULL);
	help_permute(&r, order);
	const struct trace *b = help_again(&r, "dape(causal=off,pos=word)", NULL);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++)
			assert_true(fabs(mat_row(b->layers[1].heads[0].logits, t)[s] -
					 mat_row(a->layers[1].heads[0].logits,
						 order[t])[order[s]]) < 1e-10);
	help_run_close(&r);
}

TEST(heads_choose_who_is_changed)
{
	struct help_run r;
	help_run_must_open(&r, "dape(heads=2)", 6, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *all = help_again(&r, "dape", NULL);
	const struct trace_head *heads = r.trace.layers[0].heads;
	assert_true(mat_max_abs_diff(heads[0].logits, none->layers[0].heads[0].logits) < 1e-12);
	assert_true(mat_max_abs_diff(heads[1].logits, all->layers[0].heads[1].logits) < 1e-12);
	help_run_close(&r);
}

TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "dape", 4, 0, NULL); /* (97 h + 32) per layer */
	assert_int_equal(model_position_parameters(&r.model), (97 * 4 + 32) * 2);
	help_run_close(&r);
}
