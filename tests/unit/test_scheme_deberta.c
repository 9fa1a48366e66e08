/* test_scheme_deberta.c: δ and its buckets, both readings of p2c, the enhanced mask decoder, and
 * the numbers of the authors' code. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "scheme/bucket.h"

/* ---- δ ---- */

/* Row i of A^r is i times ones, V_k the help_identity and V_q its multiple by the gain. */
static void number_rows(struct model *model)
{
	struct leaf *leaf = model_find_leaf(model, &model->members[0], "rel_embeddings", 0);
	assert_non_null(leaf);
	for (size_t r = 0; r < leaf->at.rows; r++)
		mat_fill(mat_rows(leaf->at, r, 1), (double)r);
	struct leaf *v_q = model_find_leaf(model, &model->members[0], "v_q", 0);
	for (size_t i = 0; v_q && i < v_q->at.rows; i++)
		mat_row(v_q->at, i)[i] = model->gain;
}

/* Both terms are c·gain·dk·δ on the query of ones. */
static void check_delta(const char *expression, double want[6][6])
{
	struct help_run r;
	help_run_must_open(&r, expression, 6, 0, help_identity);
	const struct trace *trace = help_changed(&r, expression, number_rows);
	const double one = r.model.c * r.model.gain * (double)r.model.dk;
	const struct mat bias = trace->layers[0].heads[0].bias;
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			if (!(fabs(mat_row(bias, t)[s] / one - want[t][s]) < 1e-9))
				fail_msg("%s δ(%zu,%zu): %g", expression, t, s,
					 mat_row(bias, t)[s] / one);
	help_run_close(&r);
}

/* K = 4: rows 432100 543210 654321 765432 776543 777654. */
TEST(delta_is_that_of_the_definition)
{
	static double ts[6][6] = {{4, 3, 2, 1, 0, 0}, {5, 4, 3, 2, 1, 0}, {6, 5, 4, 3, 2, 1},
				  {7, 6, 5, 4, 3, 2}, {7, 7, 6, 5, 4, 3}, {7, 7, 7, 6, 5, 4}};
	double st[6][6];
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			st[t][s] = ts[s][t];
	check_delta("deberta(max_relative=4,p2c=off)", ts);
	check_delta("deberta(max_relative=4,c2p=off,p2c_index=code)", ts);
	check_delta("deberta(max_relative=4,c2p=off)", st);
}

/* From the definition: 256 buckets, maximum 512; an odd function. And 8 buckets, maximum 16. */
TEST(log_buckets_are_those_of_the_definition)
{
	static const long want[][2] = {{0, 0},	   {127, 127}, {128, 128}, {129, 129}, {130, 130},
				       {131, 131}, {132, 131}, {140, 137}, {200, 169}, {256, 192},
				       {300, 207}, {400, 233}, {500, 254}, {510, 255}, {511, 255}};
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		assert_int_equal(bucket_signed(256, 512, want[i][0]), want[i][1]);
		assert_int_equal(bucket_signed(256, 512, -want[i][0]), -want[i][1]);
	}
	static const long small[] = {0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7};
	for (long r = 0; r < 16; r++)
		assert_int_equal(bucket_signed(8, 16, r), small[r]);
}

TEST(log_buckets_equal_those_of_the_code)
{
	const struct help_case c = {.file = "seq/deberta-shared-log-a.safetensors",
				    .expression = "none"};
	struct help_result r;
	help_case_open(&r, &c);
	const struct tensor *at = tensor_find(&r.set, "log_buckets_distance");
	const struct tensor *want = tensor_find(&r.set, "log_buckets_256_512");
	assert_true(at && want && want->shape[0] == 1041);
	for (size_t i = 0; i < 1041; i++)
		assert_int_equal(bucket_signed(256, 512, (long)at->at[i]), (long)want->at[i]);
	help_case_close(&r);
}

/* ---- reference numbers ---- */

struct variant {
	const char *file, *options;
	size_t leaves;
};

static const struct variant variants[] = {
	{"seq/deberta-untied-a.safetensors", "max_relative=5", 5},
	{"seq/deberta-untied-log-a.safetensors", "buckets=4,max_position=16", 5},
	{"seq/deberta-shared-a.safetensors", "max_relative=5,share=on,norm=on", 3},
	{"seq/deberta-shared-log-a.safetensors", "buckets=4,max_position=16,share=on,norm=on", 3},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void compare_tensor(const struct help_result *r, const char *kind, size_t head,
			   struct mat got)
{
	char name[64];
	snprintf(name, sizeof name, "head.%zu.%s", head, kind);
	const struct tensor *t = tensor_find(&r->set, name);
	assert_non_null(t);
	for (size_t i = 0; i < got.rows; i++)
		for (size_t j = 0; j < got.cols; j++) {
			const double want = t->at[i * got.cols + j];
			if (!(fabs(mat_row(got, i)[j] - want) < 1e-9))
				fail_msg("%s[%zu][%zu]: %.12g, reference %.12g", name, i, j,
					 mat_row(got, i)[j], want);
		}
}

TEST(numbers_of_the_code_are_matched)
{
	for (size_t i = 0; i < VARIANTS; i++) {
		char expression[128];
		snprintf(expression, sizeof expression, "deberta(%s,p2c_index=code)",
			 variants[i].options);
		const struct help_case c = {.file = variants[i].file, .expression = expression};
		struct help_result r;
		help_case_open(&r, &c);
		size_t given = 0;
		for (size_t l = 0; l < r.model.n_leaves; l++)
			given += r.model.leaves[l].given ||
				 strcmp(r.model.leaves[l].base, "v_k_bias") == 0;
		assert_int_equal(given, variants[i].leaves);
		assert_int_equal(r.model.n_leaves, variants[i].leaves);
		assert_true(help_case_compare(&r, &c) >= 9);
		help_case_close(&r);
	}
}

/* The paper's index, and each position term alone: what is left is to be had from the terms. */
TEST(numbers_of_the_paper_and_single_terms_are_matched)
{
	static const char *const indices[] = {"paper", "code"};
	for (size_t i = 0; i < 2 * VARIANTS; i++) {
		char expression[128];
		snprintf(expression, sizeof expression, "deberta(%s,p2c_index=%s)",
			 variants[i / 2].options, indices[i % 2]);
		const struct help_case c = {.file = variants[i / 2].file, .expression = expression};
		struct help_result r;
		help_case_open(&r, &c);
		const struct want want = {
			.kinds = WANT_LOGITS | WANT_TERMS, .layer = -1, .head = -1};
		const struct model_input in = {.axis = r.trace.query,
					       .units = tensor_mat(tensor_find(&r.set, "input"))};
		struct trace trace;
		struct err err = {""};
		assert_true(model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &trace, &err));
		for (size_t h = 0; h < 3; h++) {
			const struct trace_head *head = &trace.layers[0].heads[h];
			assert_int_equal(head->n_terms, 3);
			compare_tensor(&r, i % 2 ? "logits" : "logits_paper", h, head->logits);
			compare_tensor(&r, "c2p", h, head->terms[1].at);
			if (i % 2 == 0)
				continue;
			compare_tensor(&r, "p2c", h, head->terms[2].at);
			for (size_t k = 0; k < 49; k++)
				head->terms[1].at.at[k] += head->terms[2].at.at[k];
			compare_tensor(&r, "bias", h, head->terms[1].at);
		}
		help_case_close(&r);
	}
}

static void largest_to_zero(struct mat m)
{
	for (size_t t = 0; t < m.rows; t++) {
		double *row = mat_row(m, t), largest = row[0];
		for (size_t s = 1; s < m.cols; s++)
			largest = fmax(largest, row[s]);
		for (size_t s = 0; s < m.cols; s++)
			row[s] -= largest;
	}
}

/* One layer that stands for the last: its input is H. q1 and q2 are its two outputs. */
TEST(decoder_numbers_are_matched)
{
	static const struct help_case c = {
		.file = "seq/deberta-emd-a.safetensors",
		.expression = "deberta(max_relative=4,share=on,emd=on,p2c_index=code)",
		.t_max = 6,
		.activation = ACT_GELU,
		.norm_eps = 1e-7};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 2); /* weights of 2 heads */
	assert_int_equal(r.trace.n_layers, 2);
	const struct mat q1 = tensor_mat(tensor_find(&r.set, "emd.q1"));
	const struct mat q2 = tensor_mat(tensor_find(&r.set, "emd.q2"));
	assert_true(mat_max_abs_diff(r.trace.layers[0].output, q1) < 1e-9);
	assert_true(mat_max_abs_diff(r.trace.layers[1].output, q2) < 1e-9);
	for (size_t h = 0; h < 2; h++) {
		largest_to_zero(r.trace.layers[0].heads[h].logits);
		compare_tensor(&r, "logits_row_shifted", h, r.trace.layers[0].heads[h].logits);
	}
	help_case_close(&r);
}

/* ---- what must hold ---- */

static struct mat term_named(const struct trace_head *head, const char *label)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (strcmp(head->terms[i].label, label) == 0)
			return head->terms[i].at;
	fail_msg("there is no term %s", label);
	return (struct mat){0};
}

/* b_q enters every Q^r alike when projections are shared: c b_q·k_s more, in every row. */
TEST(shared_projections_bring_their_biases)
{
	struct help_run r;
	help_run_must_open(&r, "deberta(share=on)", 5, 0, NULL);
	struct tensor_set set;
	tensor_set_init(&set, &r.arena);
	const struct mat b = mat_new(&r.arena, 1, r.config.d);
	for (size_t i = 0; i < r.config.d; i++)
		b.at[i] = 0.1 * (double)i - 1;
	tensor_set_add(&set, "b_q", b, true);
	r.want.kinds |= WANT_TERMS | WANT_QKV;
	const struct trace *plain = help_again(&r, "deberta(share=on)", NULL);
	const struct given given = {.weights = &set};
	const struct trace *with = help_again(&r, "deberta(share=on)", &given);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &with->layers[0].heads[h];
		const struct trace_term *const before = &plain->layers[0].heads[h].terms[2];
		const struct mat p2c = term_named(head, before->label), k = head->k;
		const struct mat old = before->at;
		for (size_t t = 0; t < 5; t++)
			for (size_t s = 0; s < 5; s++) {
				double more = 0;
				for (size_t j = 0; j < k.cols; j++)
					more += b.at[h * k.cols + j] * mat_row(k, s)[j];
				assert_true(fabs(mat_row(p2c, t)[s] - mat_row(old, t)[s] -
						 with->c * more) < 1e-10);
			}
	}
	help_run_close(&r);
}

TEST(the_scale_counts_the_terms)
{
	static const struct {
		const char *expression;
		double terms;
	} rows[] = {{"deberta", 3},
		    {"deberta(p2c=off)", 2},
		    {"deberta(c2p=off)", 2},
		    {"deberta(c2p=off,p2c=off)", 1}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_true(fabs(r.trace.c - 1 / sqrt(8 * rows[i].terms)) < 1e-12);
		help_run_close(&r);
	}
}

TEST(without_tables_the_plain_model_is_left)
{
	struct help_run r;
	help_run_must_open(&r, "deberta(c2p=off,p2c=off)", 8, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(&r.trace, none, 1) < 1e-12);
	/* The gain makes up for c, so A^r = 0 leaves the content of the plain model. */
	const struct trace *zero = help_changed(&r, "deberta", help_zero_leaves);
	assert_true(help_output_apart(zero, none, 1) < 1e-12);
	assert_true(help_output_apart(help_again(&r, "deberta", NULL), none, 1) > 1e-3);
	help_run_close(&r);
}

/* Row i of A^r becomes row 2K-i, the clipped row 0 aside. */
static void reverse_rows(struct model *model)
{
	struct leaf *leaf = model_find_leaf(model, &model->members[0], "rel_embeddings", 0);
	const struct mat at = leaf->at;
	for (size_t lo = 1, hi = at.rows - 1; lo < hi; lo++, hi--)
		for (size_t c = 0; c < at.cols; c++) {
			const double x = mat_row(at, lo)[c];
			mat_row(at, lo)[c] = mat_row(at, hi)[c];
			mat_row(at, hi)[c] = x;
		}
}

TEST(the_code_reads_the_paper_in_a_reversed_table)
{
	struct help_run r;
	help_run_must_open(&r, "deberta(c2p=off)", 7, 0, NULL);
	const struct trace *code = help_again(&r, "deberta(c2p=off,p2c_index=code)", NULL);
	assert_true(help_logits_apart(&r.trace, code, 0, 4) > 1e-3);
	const struct trace *back =
		help_changed(&r, "deberta(c2p=off,p2c_index=code)", reverse_rows);
	assert_true(help_logits_apart(&r.trace, back, 0, 4) < 1e-10);
	help_run_close(&r);
}

/* The decoder adds a step; absolute positions reach the last layer alone. */
TEST(the_decoder_knows_absolute_positions)
{
	struct help_run r;
	help_run_must_open(&r, "deberta(emd=on)", 7, 0, NULL);
	assert_int_equal(r.trace.n_layers, 3);
	assert_int_equal(r.trace.layers[2].layer, 1);
	const struct trace *plain = help_again(&r, "deberta", NULL);
	assert_int_equal(help_again(&r, "deberta(layers=1,emd=on)", NULL)->n_layers, 2);
	assert_true(help_output_apart(&r.trace, plain, 0) < 1e-12);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	r.in.shift_column = "seq";
	r.in.shift_by = 5;
	const struct trace *moved = help_again(&r, "deberta(emd=on)", NULL);
	assert_true(help_logits_apart(&r.trace, moved, 0, 4) < 1e-10);
	assert_true(help_logits_apart(&r.trace, moved, 1, 4) > 1e-3);
	help_run_close(&r);
}

TEST(the_decoder_is_bounded)
{
	struct help_run r;
	help_run_must_open(&r, "deberta", 7, 0, help_short_table);
	help_run_close(&r);
	assert_false(help_run_open(&r, "deberta(emd=on)", 7, 0, help_short_table));
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "deberta(buckets=8,max_position=5)", 4, 0, NULL));
	assert_non_null(strstr(r.err.text, "at least 6"));
	help_run_close(&r);
}

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t count;
	} rows[] = {
		{"deberta", 2 * 512 * 32 + 2 * (32 * 32 + 32) * 2},
		{"deberta(p2c=off,norm=on)", 2 * 512 * 32 + (32 * 32 + 32) * 2 + 64},
		{"deberta(share=on,emd=on)", 3 * 512 * 32},
		{"deberta(c2p=off,p2c=off,norm=on,emd=on)", 512 * 32},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].count);
		help_run_close(&r);
	}
}
