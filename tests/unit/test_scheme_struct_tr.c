/* test_scheme_struct_tr.c: which labels a pair reads, what the five variants make of them, against the
 * authors' numbers, an enumeration of all paths, and the definition written out. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_labels.h"

/* (f / forget-01 :ARG0 (r / robot) :ARG1 (c / charge-01 :ARG1 r)), and an end of sentence. */
static const struct help_edge amr[] = {
	{0, 1, "ARG0"}, {0, 2, "ARG1"}, {2, 1, "ARG1"}, {0, 3, "EOS"}};

/* Not :root but the label's text says which edge it was: the first of two paths of equal length. */
static const char *shown(const struct trace *trace, struct arena *a, size_t t, size_t s)
{
	const struct relation *r = &trace->relation;
	const struct label_path *p = &r->paths[t * r->n + s];
	const char *text = "";
	for (size_t i = 0; i < p->n; i++)
		text = arena_printf(a, "%s%s%s", text, i ? " " : "", r->labels[p->labels[i]]);
	return text;
}

static void with_relation(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION | WANT_CONTEXT | WANT_QKV;
}

/* ---- reference cases -------------------------------------------------------------------------- */

static void set_rows(struct help_labels_case *c, const char *base, const size_t *from, size_t n)
{
	const struct mat leaf = help_leaf(&c->model, base), rows = help_tensor(c, "param.label");
	assert_int_equal(leaf.rows, n);
	for (size_t i = 0; i < n; i++)
		mat_set(mat_rows(leaf, i, 1), mat_rows(rows, from[i], 1));
}

static void set_common(struct help_labels_case *c)
{
	help_set_leaf(c, "w_r", "param.w_r");
	help_set_leaf(c, "b_r", "param.b_r");
	help_set_leaf(c, "w_f", "param.w_f");
	help_set_leaf(c, "b_f", "param.b_f");
	help_set_leaf(c, "norm_weight", "param.norm_weight");
	help_set_leaf(c, "norm_bias", "param.norm_bias");
}

/* The file's rows: blank, +:ARG0 +:ARG1 +:EOS, -:ARG0 -:ARG1 -:EOS, None; + climbs. */
static void set_labels(struct help_labels_case *c)
{
	static const size_t from[] = {0, 7, 0, 0, 4, 1, 5, 2, 6, 3};
	set_rows(c, "label", from, 10);
	set_common(c);
}

/* The end of sentence is a unit without a node. */
static void set_labels_and_end(struct help_labels_case *c)
{
	static const size_t from[] = {0, 7, 6, 3, 4, 1, 5, 2};
	set_rows(c, "label", from, 8);
	set_common(c);
}

/* Ours by length, then None, ARG0, ARG1, EOS, down before up. */
static void set_paths(struct help_labels_case *c)
{
	static const size_t from[] = {0, 11, 8, 1, 9, 3, 10, 5, 2, 4, 6, 7};
	set_rows(c, "path", from, 12);
	set_common(c);
}

/* [out, in, tap] in the file. */
static void set_convolution(struct help_labels_case *c)
{
	const struct mat leaf = help_leaf(&c->model, "conv_weight");
	const double *from = tensor_mat(tensor_find(&c->set, "param.conv_weight")).at;
	for (size_t out = 0; out < 4; out++)
		for (size_t in = 0; in < 4; in++)
			for (size_t tap = 0; tap < 4; tap++)
				mat_row(leaf, tap * 4 + in)[out] = from[(out * 4 + in) * 4 + tap];
	help_set_leaf(c, "conv_bias", "param.conv_bias");
}

static void set_cnn(struct help_labels_case *c)
{
	set_labels(c);
	set_convolution(c);
}

static void set_attention(struct help_labels_case *c)
{
	set_labels(c);
	help_set_leaf(c, "label_w_q", "param.label_w_q");
	help_set_leaf(c, "label_b_q", "param.label_b_q");
	help_set_leaf(c, "label_w_k", "param.label_w_k");
	help_set_leaf(c, "label_b_k", "param.label_b_k");
	help_set_leaf(c, "label_w_v", "param.label_w_v");
	help_set_leaf(c, "label_b_v", "param.label_b_v");
	help_set_leaf(c, "label_w_o", "param.label_w_o");
	help_set_leaf(c, "label_b_o", "param.label_b_o");
}

static void set_sa(struct help_labels_case *c)
{
	set_attention(c);
	set_convolution(c);
}

static void set_pool(struct help_labels_case *c)
{
	set_attention(c);
	help_set_leaf(c, "pool_w1", "param.pool_w1");
	help_set_leaf(c, "pool_b1", "param.pool_b1");
	help_set_leaf(c, "pool_w2", "param.pool_w2");
	help_set_leaf(c, "pool_b2", "param.pool_b2");
}

TEST(the_authors_numbers_are_met)
{
	static const struct {
		const char *file, *expression;
		void (*fill)(struct help_labels_case *c);
		size_t n_edges;
		long special;
	} cases[] = {
		{"struct-tr-feature-a.safetensors", "struct_tr(variant=feature,form=code,paths=11)",
		 set_paths, 4, -1},
		{"struct-tr-avg-a.safetensors",
		 "struct_tr(variant=avg,form=code,labels=3,longest=5)", set_labels, 4, -1},
		{"struct-tr-avg-a.safetensors",
		 "struct_tr(variant=avg,form=code,labels=2,longest=5)", set_labels_and_end, 3, 3},
		{"struct-tr-avgpe-a.safetensors",
		 "struct_tr(variant=avg,form=code,labels=3,longest=5,steps=on)", set_labels, 4, -1},
		{"struct-tr-cnn-a.safetensors", "struct_tr(variant=cnn,form=code,labels=3)",
		 set_cnn, 4, -1},
		{"struct-tr-sa-a.safetensors", "struct_tr(form=code,labels=3,pool=off)", set_sa, 4,
		 -1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_labels_case c;
		help_labels_open(&c, cases[i].file, "input", cases[i].expression, amr,
				 cases[i].n_edges, cases[i].special, cases[i].fill);
		help_labels_compare(&c);
		help_labels_close(&c);
	}
}

/* The released forward pass leaves the pooling of eq. 29 out; its class was run on its own. */
TEST(pooled_labels_are_the_authors)
{
	struct help_labels_case c;
	help_labels_open(&c, "struct-tr-sa-a.safetensors", "input", "struct_tr(form=code,labels=3)",
			 amr, 4, -1, set_pool);
	const double *pooled = tensor_mat(tensor_find(&c.set, "pool.vectors")).at;
	const double *w = help_tensor(&c, "param.norm_weight").at;
	const double *b = help_tensor(&c, "param.norm_bias").at;
	const struct mat w_r = help_tensor(&c, "param.w_r"), b_r = help_tensor(&c, "param.b_r");
	for (size_t h = 0; h < 2; h++)
		for (size_t i = 0; i < 16; i++) {
			const struct trace_head *head = &c.trace.layers[0].heads[h];
			const double *r = pooled + 4 * i, *q = mat_row(head->q, i / 4);
			double mean = 0, var = 0, sum = 0;
			for (size_t j = 0; j < 4; j++)
				mean += r[j] / 4;
			for (size_t j = 0; j < 4; j++)
				var += (r[j] - mean) * (r[j] - mean) / 4;
			for (size_t j = 0; j < 4; j++) {
				double key = mat_row(head->k, i % 4)[j] + mat_row(b_r, 0)[j];
				for (size_t k = 0; k < 4; k++)
					key += mat_row(w_r, k)[j] *
					       ((r[k] - mean) / sqrt(var + 1e-6) * w[k] + b[k]);
				sum += q[j] * key / 2;
			}
			assert_true(fabs(sum - mat_row(head->logits, i / 4)[i % 4]) < 1e-12);
		}
	help_labels_close(&c);
}

/* ---- paths ------------------------------------------------------------------------------------ */

TEST(paths_of_the_example_are_named)
{
	static const struct {
		size_t t, s;
		const char *labels;
	} rows[] = {
		{1, 2, "up:ARG1"},	    {2, 1, "down:ARG1"}, {1, 0, "up:ARG0"},
		{0, 2, "down:ARG1"},	    {0, 0, "None"},	 {1, 3, "up:ARG0 down:EOS"},
		{3, 1, "up:EOS down:ARG0"}, {3, 3, "None"},	 {0, 4, "no path"},
	};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, with_relation);
	help_on_nodes(&r, help_graph(&r.arena, 5, amr, 4, 0));
	const struct trace *trace = help_again(&r, "struct_tr", NULL);
	const struct trace *code = help_again(&r, "struct_tr(variant=avg,form=code)", NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_string_equal(shown(trace, &r.arena, rows[i].t, rows[i].s), rows[i].labels);
		assert_string_equal(shown(code, &r.arena, rows[i].s, rows[i].t), rows[i].labels);
	}
	help_run_close(&r);
}

static const char *expected(const struct structure *s, struct arena *a, size_t from, size_t to,
			    size_t most)
{
	struct help_paths all;
	help_all_paths(s, from, to, &all);
	if (all.n < 0)
		return "no path";
	if (all.length == 0)
		return "None";
	const char *text = "";
	for (size_t i = 0; i < all.length && i < most; i++)
		text = arena_printf(a, "%s%s%s:%s", text, i ? " " : "",
				    all.step[0][i] % 2 ? "up" : "down",
				    help_step_label(s, all.step[0][i]));
	return text;
}

TEST(paths_are_the_smallest_of_all)
{
	for (unsigned seed = 1; seed <= 24; seed++) {
		struct help_run r;
		help_run_must_open(&r, "none", 8, 0, with_relation);
		struct structure *s =
			help_random_graph(&r.arena, 8, 6 + seed % 5, 3, seed % 4 != 0, seed);
		help_on_nodes(&r, s);
		const struct trace *whole = help_again(&r, "struct_tr(longest=16)", NULL);
		const struct trace *cut = help_again(&r, "struct_tr(longest=2)", NULL);
		for (size_t t = 0; t < 8; t++)
			for (size_t k = 0; k < 8; k++) {
				assert_string_equal(shown(whole, &r.arena, t, k),
						    expected(s, &r.arena, t, k, 16));
				assert_string_equal(shown(cut, &r.arena, t, k),
						    expected(s, &r.arena, t, k, 2));
			}
		help_run_close(&r);
	}
}

/* On a tree there is one path, and the way back is the same with all arrows turned. */
TEST(the_way_back_is_the_path_reversed)
{
	static const struct help_edge tree[] = {{3, 2, "nsubj"}, {2, 0, "det"},	 {2, 1, "amod"},
						{3, 5, "obj"},	 {5, 4, "det"},	 {5, 7, "acl"},
						{7, 6, "nsubj"}, {3, 8, "punct"}};
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, with_relation);
	help_on_nodes(&r, help_graph(&r.arena, 9, tree, 8, 3));
	const struct trace *trace = help_again(&r, "struct_tr(longest=16)", NULL);
	const struct relation *rel = &trace->relation;
	assert_string_equal(shown(trace, &r.arena, 4, 6), "up:det down:acl down:nsubj");
	for (size_t t = 0; t < 9; t++)
		for (size_t s = 0; s < 9; s++) {
			const struct label_path *to = &rel->paths[t * 9 + s];
			const struct label_path *back = &rel->paths[s * 9 + t];
			assert_int_equal(to->n, back->n);
			for (size_t i = 0; t != s && i < to->n; i++) {
				const char *a = rel->labels[to->labels[i]];
				const char *b = rel->labels[back->labels[to->n - 1 - i]];
				assert_string_equal(strchr(a, ':'), strchr(b, ':'));
				assert_true(a[0] != b[0]);
			}
		}
	help_run_close(&r);
}

TEST(the_chain_has_one_label)
{
	struct help_run r;
	help_run_must_open(&r, "struct_tr", 7, 0, with_relation);
	assert_string_equal(shown(&r.trace, &r.arena, 1, 3), "down down");
	assert_string_equal(shown(&r.trace, &r.arena, 3, 2), "up");
	assert_string_equal(shown(&r.trace, &r.arena, 0, 6), "down down down down");
	help_run_close(&r);
}

TEST(too_many_labels_are_refused)
{
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, NULL);
	help_on_nodes(&r, help_graph(&r.arena, 4, amr, 4, 0));
	struct expr e;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct trace trace;
	struct err err = {""};
	size_t n;
	assert_true(expr_parse(&e, "struct_tr(labels=2)", &r.arena, &err) &&
		    expr_members(&e, members, &n, &r.arena, &err) &&
		    model_build(&model, &r.config, members, n, NULL, &r.arena, &err));
	assert_false(model_run(&model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
	assert_string_equal(err.text, "struct_tr(labels=2) has vectors for 2 labels, and this "
				      "structure has 3; raise labels");
	help_run_close(&r);
}

/* ---- vectors ----------------------------------------------------------------------------------- */

static void tiny(struct help_run *r)
{
	r->config.d = 2;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
}

/* Of the two labels in use down:A is [.4, -.3] and up:B is [.2, .1]. */
static void set_two_labels(struct model *model)
{
	const struct mat at = help_leaf(model, "label");
	mat_fill(at, 0);
	mat_row(at, 4)[0] = 0.4, mat_row(at, 4)[1] = -0.3;
	mat_row(at, 7)[0] = 0.2, mat_row(at, 7)[1] = 0.1;
}

/* The query e_j picks component j: r of the path up:B down:A. */
TEST(sum_and_average_are_the_worked_ones)
{
	static const struct help_edge edges[] = {{2, 0, "B"}, {2, 1, "A"}};
	static const struct {
		const char *expression;
		double r[2];
	} rows[] = {{"struct_tr(variant=sum)", {0.6, -0.2}},
		    {"struct_tr(variant=avg)", {0.3, -0.1}}};
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, tiny);
	help_on_nodes(&r, help_graph(&r.arena, 3, edges, 2, 2));
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 2; j++) {
			mat_fill(r.in.units, 0);
			mat_row(r.in.units, 0)[j] = 1;
			const struct trace *trace =
				help_changed(&r, rows[i].expression, set_two_labels);
			const double q = r.model.c * r.model.gain;
			assert_true(fabs(mat_row(trace->layers[0].heads[0].logits, 0)[1] / q -
					 rows[i].r[j]) < 1e-12);
		}
	help_run_close(&r);
}

/* Row i of the table is (i, 0). */
static void number_rows(struct model *model)
{
	const struct mat at = help_leaf(model, "path");
	mat_fill(at, 0);
	for (size_t i = 0; i < at.rows; i++)
		mat_row(at, i)[0] = (double)i;
}

static void tiny_with_relation(struct help_run *r)
{
	tiny(r);
	r->want.kinds |= WANT_RELATION | WANT_TERMS;
}

/* Length, then symbols, label by label. */
static int compare_paths(const struct label_path *a, const struct label_path *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = 0; i < a->n; i++)
		if (a->labels[i] != b->labels[i])
			return a->labels[i] < b->labels[i] ? -1 : 1;
	return 0;
}

/* The row that a pair reads: of the unit (1, 0) only the first column is seen. */
static size_t row_read(const struct help_run *r, const struct trace *trace, size_t t, size_t s)
{
	const struct trace_head *const head = &trace->layers[0].heads[0];
	for (size_t i = 0; i < head->n_terms; i++)
		if (strcmp(head->terms[i].label, "query–path") == 0)
			return (size_t)lround(mat_row(head->terms[i].at, t)[s] /
					      (r->model.c * r->model.gain));
	fail_msg("no term of paths");
	return 0;
}

/* A graph in which many paths are prefixes, or the larger ones of two, that no pair has. */
TEST(only_paths_in_use_have_rows)
{
	enum { N = 9, USED = 71 };
	static const struct help_edge edges[] = {{0, 1, "op1"},	 {0, 2, "op2"},	 {1, 3, "ARG0"},
						 {2, 3, "ARG1"}, {3, 4, "mod"},	 {4, 5, "time"},
						 {5, 6, "mod"},	 {2, 7, "ARG2"}, {0, 8, "EOS"}};
	for (size_t own = USED; own >= USED - 3; own -= 3) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, tiny_with_relation);
		help_on_nodes(&r, help_graph(&r.arena, N, edges, 9, 0));
		mat_fill(r.in.units, 0);
		for (size_t i = 0; i < N; i++)
			mat_row(r.in.units, i)[0] = 1;
		const struct trace *const trace = help_changed(
			&r,
			arena_printf(&r.arena, "struct_tr(variant=feature,longest=6,paths=%zu)",
				     own),
			number_rows);
		const struct label_path *const paths = trace->relation.paths;
		size_t seen[USED + 1] = {0}, distinct = 0;
		for (size_t i = 0; i < N * N; i++) {
			size_t before = 0; /* different paths that are smaller, and row 0 */
			for (size_t k = 0; k < N * N; k++) {
				bool first = compare_paths(&paths[k], &paths[i]) < 0;
				for (size_t j = 0; j < k && first; j++)
					first = compare_paths(&paths[j], &paths[k]) != 0;
				before += first;
			}
			const size_t row = row_read(&r, trace, i / N, i % N);
			assert_int_equal(row, before < own ? before + 1 : 0);
			distinct += seen[row]++ == 0;
		}
		assert_int_equal(distinct, own == USED ? USED : own + 1);
		assert_int_equal(seen[0] > 0, own < USED);
		assert_int_equal(trace->note != NULL, own < USED);
		if (trace->note)
			assert_non_null(strstr(trace->note, "71 paths are in use: the last 3 of "
							    "them share a vector; paths=71"));
		assert_non_null(strstr(trace->relation.note,
				       own == USED ? "the 71 paths have rows 1 to 71 of path"
						   : "68 of the 71 paths have rows 1 to 68"));
		help_run_close(&r);
	}
}

static double row_number(size_t i, size_t j)
{
	return sin(1.3 * (double)i + 0.7 * (double)j) / 2;
}

static void number_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const bool table = strcmp(model->leaves[i].base, "label") == 0;
		for (size_t k = 0; k < at.rows; k++)
			for (size_t j = 0; j < at.cols; j++)
				mat_row(at, k)[j] = table ? row_number(k, j)
						    : strcmp(model->leaves[i].base, "w_f") == 0
							    ? (k == j) * 2
							    : k == j;
	}
}

/* The sum over the labels of a path, with W_r = I and W_f = 2 I. */
static void naive_sum(const struct structure *s, size_t t, size_t k, double *r, size_t d)
{
	struct help_paths all;
	help_all_paths(s, t, k, &all);
	for (size_t j = 0; j < d; j++) {
		r[j] = all.n < 0 ? row_number(0, j) : all.length == 0 ? row_number(1, j) : 0;
		for (size_t i = 0; all.n > 0 && i < all.length; i++)
			r[j] += row_number(4 + (size_t)all.step[0][i], j);
	}
}

/* Few distinct paths, and more than twice as many as units: two ways through the code. */
TEST(logits_and_contexts_are_those_of_the_definition)
{
	for (size_t labels = 1; labels <= 6; labels += 5) {
		enum { N = 9, D = 32 };
		const char *const text = "struct_tr(variant=sum,longest=16)";
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, with_relation);
		struct structure *s = help_random_graph(&r.arena, N, 11, labels, true, 5);
		help_on_nodes(&r, s);
		const struct trace *trace = help_changed(&r, text, number_leaves);
		const size_t dk = r.model.dk;
		for (size_t h = 0; h < 4; h++)
			for (size_t t = 0; t < N; t++) {
				const struct trace_head *head = &trace->layers[0].heads[h];
				double context[D] = {0}, v[D];
				for (size_t k = 0; k < N; k++) {
					double sum = 0;
					naive_sum(s, t, k, v, D);
					for (size_t j = 0; j < dk; j++) {
						const double x = v[h * dk + j];
						sum += mat_row(head->q, t)[j] *
						       (mat_row(head->k, k)[j] + x);
						context[j] += mat_row(head->weights, t)[k] *
							      (mat_row(head->v, k)[j] + 2 * x);
					}
					assert_true(fabs(sum / sqrt((double)dk) -
							 mat_row(head->logits, t)[k]) < 1e-10);
				}
				for (size_t j = 0; j < dk; j++)
					assert_true(fabs(context[j] -
							 mat_row(head->context, t)[j]) < 1e-10);
			}
		help_run_close(&r);
	}
}

TEST(vectors_of_0_leave_the_plain_model)
{
	static const char *const texts[] = {"struct_tr", "struct_tr(variant=feature)",
					    "struct_tr(variant=cnn)", "struct_tr(form=code)"};
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, NULL);
	help_on_nodes(&r, help_random_graph(&r.arena, 8, 10, 3, true, 3));
	const struct trace *none = help_again(&r, "none", NULL);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const struct trace *zeroed = help_changed(&r, texts[i], help_zero_leaves);
		assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
		assert_true(help_output_apart(help_again(&r, texts[i], NULL), none, 1) > 1e-3);
	}
	help_run_close(&r);
}

/* 0 and 1 have labels A, B on the way to 4 and 5 in two orders. */
static double orders_apart(const char *text)
{
	static const struct help_edge edges[] = {
		{0, 2, "A"}, {2, 4, "B"}, {1, 3, "B"}, {3, 5, "A"}};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	help_on_nodes(&r, help_graph(&r.arena, 6, edges, 4, 0));
	const struct mat bias = help_again(&r, text, NULL)->layers[0].heads[0].bias;
	const double apart = fabs(mat_row(bias, 0)[4] - mat_row(bias, 1)[5]);
	help_run_close(&r);
	return apart;
}

TEST(sums_and_averages_forget_the_order_of_labels)
{
	assert_true(orders_apart("struct_tr(variant=sum)") < 1e-12);
	assert_true(orders_apart("struct_tr(variant=avg)") < 1e-12);
	assert_true(orders_apart("struct_tr(variant=feature)") > 1e-3);
	assert_true(orders_apart("struct_tr(variant=cnn)") > 1e-3);
	assert_true(orders_apart("struct_tr(variant=sa)") > 1e-3);
}

/* ---- the rest ---------------------------------------------------------------------------------- */

/* Nodes under other numbers, edges in another order: the same, in the new order. */
TEST(numbers_of_nodes_do_not_matter)
{
	static const char *const texts[] = {"struct_tr", "struct_tr(variant=feature)",
					    "struct_tr(variant=cnn)",
					    "struct_tr(variant=sum,longest=16)"};
	enum { N = 9 };
	static const size_t order[N] = {4, 7, 0, 8, 2, 6, 1, 5, 3};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, NULL);
		struct structure *s = help_random_graph(&r.arena, N, 12, 3, true, 8);
		help_on_nodes(&r, s);
		const struct mat before = help_again(&r, texts[i], NULL)->layers[1].output;
		size_t place[N];
		for (size_t t = 0; t < N; t++)
			place[order[t]] = t;
		struct structure moved = *s;
		moved.edges = arena_calloc(&r.arena, s->n_edges, sizeof *moved.edges);
		for (size_t e = 0; e < s->n_edges; e++) {
			const struct edge *from = &s->edges[s->n_edges - 1 - e];
			moved.edges[e] =
				(struct edge){place[from->from], place[from->to], from->label};
		}
		help_permute(&r, order);
		help_on_nodes(&r, &moved);
		const struct mat after = help_again(&r, texts[i], NULL)->layers[1].output;
		for (size_t t = 0; t < N; t++)
			assert_true(mat_max_abs_diff(mat_rows(after, t, 1),
						     mat_rows(before, order[t], 1)) < 1e-10);
		help_run_close(&r);
	}
}
