/* test_scheme_graph_tr.c: the recurrent network over label paths, the mean over shortest ones, and the
 * four terms, against the authors' numbers and the definition written out path by path. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_labels.h"
#include "posviz/base/rng.h"
#include "scheme/recurrent.h"

static const struct help_edge amr[] = {{0, 1, "ARG0"}, {0, 2, "ARG1"}, {2, 1, "ARG1"}};
static const struct help_edge tree[] = {{0, 1, "ARG0"},	  {0, 2, "ARG1"}, {2, 1, "ARG0"},
					{2, 4, "ARG4"},	  {4, 5, "name"}, {0, 3, "time"},
					{0, 4, "purpose"}};

static void with_everything(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION | WANT_TERMS | WANT_QKV;
}

/* ---- reference cases -------------------------------------------------------------------------- */

/* The file's rows: padding, unknown, <CLS>, <rCLS>, <SELF>, <TL>, then a label and its reverse. */
static void set_leaves(struct help_labels_case *c)
{
	static const size_t special[] = {1, 4, 3, 2, 5};
	static const char *const gru[] = {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0",
					  "bias_hh_l0",	  "weight_ih_l1", "weight_hh_l1",
					  "bias_ih_l1",	  "bias_hh_l1"};
	const struct mat label = help_leaf(&c->model, "label");
	const struct mat from = help_tensor(c, "param.label");
	assert_int_equal(label.rows + 1, from.rows);
	for (size_t i = 0; i < label.rows; i++)
		mat_set(mat_rows(label, i, 1), mat_rows(from, i < 5 ? special[i] : i + 1, 1));
	for (size_t i = 0; i < 8; i++) {
		const char *name = arena_printf(&c->arena, "%s", gru[i]);
		const char *back = arena_printf(&c->arena, "%s_reverse", gru[i]);
		help_set_leaf(c, name, arena_printf(&c->arena, "param.gru.%s", name));
		help_set_leaf(c, back, arena_printf(&c->arena, "param.gru.%s", back));
	}
	help_set_leaf(c, "w_out", "param.relation_out_weight");
	help_set_leaf(c, "b_out", "param.relation_out_bias");
	help_set_leaf(c, "w_rel", "param.w_rel");
	mat_fill(help_leaf(&c->model, "depth"), 0);
}

static void set_depths(struct help_labels_case *c)
{
	set_leaves(c);
	help_set_leaf(c, "depth", "param.depth");
}

static void compare_terms(const struct help_labels_case *c)
{
	static const char *const names[] = {"content_content", "content_relation",
					    "relation_content", "relation_relation"};
	static const char *const labels[] = {"unit–unit", "query–relation", "relation–key",
					     "relation–relation"};
	for (size_t h = 0; h < 2; h++) {
		const struct trace_head *head = &c->trace.layers[0].heads[h];
		struct mat at[4] = {0};
		for (size_t i = 0; i < head->n_terms; i++)
			for (size_t k = 0; k < 4; k++)
				if (strcmp(head->terms[i].label, labels[k]) == 0)
					at[k] = head->terms[i].at;
		for (size_t k = 1; k < 4; k++) {
			char name[64];
			snprintf(name, sizeof name, "head.%zu.term.%s", h, names[k]);
			assert_non_null(at[k].at);
			assert_true(mat_max_abs_diff(at[k], help_tensor(c, name)) < 1e-12);
		}
	}
}

TEST(the_authors_numbers_are_met)
{
	static const struct {
		const char *file, *expression;
		const struct help_edge *edges;
		size_t n_edges;
	} cases[] = {
		{"graph-tr-a.safetensors", "graph_tr(stack=2,labels=2,width=4,hidden=3,depths=3)",
		 amr, 3},
		{"graph-tr-tree-a.safetensors",
		 "graph_tr(stack=2,labels=6,width=4,hidden=3,depths=4)", tree, 7},
	};
	for (size_t i = 0; i < 2; i++) {
		struct help_labels_case c;
		help_labels_open(&c, cases[i].file, "embed", cases[i].expression, cases[i].edges,
				 cases[i].n_edges, 0, set_leaves);
		help_labels_compare(&c);
		compare_terms(&c);
		help_labels_close(&c);
	}
}

TEST(depths_are_the_authors)
{
	struct help_labels_case c;
	help_labels_open(&c, "graph-tr-tree-a.safetensors", "input",
			 "graph_tr(stack=2,labels=6,width=4,hidden=3,depths=4)", tree, 7, 0,
			 set_depths);
	const struct mat depth = help_tensor(&c, "depth"), table = help_tensor(&c, "param.depth");
	for (size_t i = 0; i < 7; i++)
		assert_true(mat_max_abs_diff(mat_rows(c.trace.position_vectors, i, 1),
					     mat_rows(table, (size_t)depth.at[i], 1)) < 1e-15);
	help_labels_close(&c);
}

/* ---- the recurrent network --------------------------------------------------------------------- */

static void one_wide(struct help_run *r)
{
	r->config.d = 2;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
}

/* r, z, n of both directions: .8, .5, 1 on the label, .2, -.3, .7 on the state; r = [forward, backward],
 * which alone joins the key. */
static void set_worked(struct model *model)
{
	static const char *const in[] = {"weight_ih_l0", "weight_ih_l0_reverse"};
	static const char *const state[] = {"weight_hh_l0", "weight_hh_l0_reverse"};
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct mat w = help_leaf(model, in[i]), u = help_leaf(model, state[i]);
		mat_row(w, 0)[0] = 0.8, mat_row(w, 1)[0] = 0.5, mat_row(w, 2)[0] = 1;
		mat_row(u, 0)[0] = 0.2, mat_row(u, 1)[0] = -0.3, mat_row(u, 2)[0] = 0.7;
		mat_row(help_leaf(model, "w_out"), i)[i] = 1;
		mat_row(help_leaf(model, "w_rel"), i)[2 + i] = 1;
	}
	mat_row(help_leaf(model, "label"), 6)[0] = 0.25; /* ARG0_reverse_ */
	mat_row(help_leaf(model, "label"), 7)[0] = -1;	 /* ARG1 */
}

TEST(states_are_the_worked_ones)
{
	static const struct help_edge edges[] = {{2, 0, "ARG0"}, {2, 1, "ARG1"}};
	static const double worked[] = {-0.4309, -0.2359};
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, one_wide);
	help_on_nodes(&r, help_graph(&r.arena, 3, edges, 2, 2));
	for (size_t j = 0; j < 2; j++) {
		mat_fill(r.in.units, 0);
		mat_row(r.in.units, 0)[j] = 1;
		const struct trace *trace =
			help_changed(&r, "graph_tr(width=1,hidden=1)", set_worked);
		const double logit = mat_row(trace->layers[0].heads[0].logits, 0)[1];
		assert_true(fabs(logit / (r.model.c * r.model.gain) - worked[j]) < 5e-5);
	}
	help_run_close(&r);
}

/* ---- the definition, path by path --------------------------------------------------------------- */

enum { WIDE = 32, HIDDEN = 5 };

static void naive_cell(struct mat w_ih, struct mat w_hh, struct mat b_ih, struct mat b_hh,
		       const double *x, size_t in, double *h)
{
	double from_x[3 * HIDDEN], from_h[3 * HIDDEN];
	for (size_t i = 0; i < 3 * HIDDEN; i++) {
		from_x[i] = mat_row(b_ih, 0)[i];
		from_h[i] = mat_row(b_hh, 0)[i];
		for (size_t j = 0; j < in; j++)
			from_x[i] += mat_row(w_ih, i)[j] * x[j];
		for (size_t j = 0; j < HIDDEN; j++)
			from_h[i] += mat_row(w_hh, i)[j] * h[j];
	}
	for (size_t j = 0; j < HIDDEN; j++) {
		const double r = help_sigmoid(from_x[j] + from_h[j]);
		const double z = help_sigmoid(from_x[HIDDEN + j] + from_h[HIDDEN + j]);
		const double n = tanh(from_x[2 * HIDDEN + j] + r * from_h[2 * HIDDEN + j]);
		h[j] = (1 - z) * n + z * h[j];
	}
}

/* All layers over a path; out: the last states of both directions. */
static void naive_gru(const struct model *model, const int *symbols, size_t length, size_t stack,
		      double out[2 * HIDDEN])
{
	double x[HELP_STEPS][WIDE], y[HELP_STEPS][WIDE];
	const struct mat label = help_leaf(model, "label");
	size_t in = label.cols;
	for (size_t i = 0; i < length; i++)
		memcpy(x[i], mat_row(label, (size_t)symbols[i]), in * sizeof x[i][0]);
	for (size_t l = 0; l < stack; l++) {
		for (size_t back = 0; back < 2; back++) {
			char name[4][32];
			static const char *const base[] = {"weight_ih", "weight_hh", "bias_ih",
							   "bias_hh"};
			for (size_t i = 0; i < 4; i++)
				snprintf(name[i], sizeof name[i], "%s_l%zu%s", base[i], l,
					 back ? "_reverse" : "");
			double h[HIDDEN] = {0};
			for (size_t i = 0; i < length; i++) {
				const size_t at = back ? length - 1 - i : i;
				naive_cell(help_leaf(model, name[0]), help_leaf(model, name[1]),
					   help_leaf(model, name[2]), help_leaf(model, name[3]),
					   x[at], in, h);
				memcpy(y[at] + back * HIDDEN, h, sizeof h);
			}
			memcpy(out + back * HIDDEN, h, sizeof h);
		}
		memcpy(x, y, sizeof x);
		in = 2 * HIDDEN;
	}
}

/* r of a pair: the mean over all shortest paths. */
static void naive_relation(const struct model *model, const struct structure *s, size_t t, size_t k,
			   size_t stack, size_t longest, double r[WIDE])
{
	struct help_paths all;
	help_all_paths(s, t, k, &all);
	const bool odd = all.n < 0 || all.length == 0 || all.length > longest;
	const int symbol = all.n < 0 ? 0 : all.length == 0 ? 1 : 4;
	const size_t n = odd ? 1 : (size_t)all.n;
	const struct mat w = help_leaf(model, "w_out"), b = help_leaf(model, "b_out");
	double mean[2 * HIDDEN] = {0};
	for (size_t i = 0; i < n; i++) {
		double last[2 * HIDDEN];
		int symbols[HELP_STEPS];
		for (size_t j = 0; j < HELP_STEPS; j++)
			symbols[j] = odd ? symbol : 5 + all.step[i][j];
		naive_gru(model, symbols, odd ? 1 : all.length, stack, last);
		for (size_t j = 0; j < 2 * HIDDEN; j++)
			mean[j] += last[j] / (double)n;
	}
	for (size_t j = 0; j < WIDE; j++) {
		r[j] = mat_row(b, 0)[j];
		for (size_t i = 0; i < 2 * HIDDEN; i++)
			r[j] += mean[i] * mat_row(w, i)[j];
	}
}

/* The model whose leaves the naive numbers are made of. */
static struct model model_of(struct help_run *r, const char *text)
{
	struct expr *e = arena_calloc(&r->arena, 1, sizeof *e);
	struct member *members = arena_calloc(&r->arena, MODEL_MAX_MEMBERS, sizeof *members);
	struct model model;
	struct err err = {""};
	size_t n;
	assert_true(expr_parse(e, text, &r->arena, &err) &&
		    expr_members(e, members, &n, &r->arena, &err) &&
		    model_build(&model, &r->config, members, n, NULL, &r->arena, &err));
	help_draw_leaves(&model);
	return model;
}

/* Unit i stands on node i `apart`. */
static void check_factored(const char *text, size_t stack, size_t longest, size_t labels,
			   size_t n_edges, size_t apart)
{
	enum { N = 9 };
	long node[N];
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, with_everything);
	struct structure *s = help_random_graph(&r.arena, N * apart, n_edges, labels, true, 11);
	help_on_nodes(&r, s);
	for (size_t i = 0; i < N; i++)
		node[i] = (long)(i * apart);
	r.in.node = node;
	const struct trace *trace = help_changed(&r, text, help_draw_leaves);
	const struct model model = model_of(&r, text);
	const struct mat w_rel = help_leaf(&model, "w_rel");
	const size_t dk = model.dk;
	for (size_t t = 0; t < N; t++)
		for (size_t k = 0; k < N; k++) {
			double rel[WIDE], ra[WIDE], rb[WIDE];
			naive_relation(&model, s, t * apart, k * apart, stack, longest, rel);
			for (size_t j = 0; j < WIDE; j++) {
				ra[j] = rb[j] = 0;
				for (size_t i = 0; i < WIDE; i++) {
					ra[j] += rel[i] * mat_row(w_rel, i)[j];
					rb[j] += rel[i] * mat_row(w_rel, i)[WIDE + j];
				}
			}
			for (size_t h = 0; h < 4; h++) {
				const struct trace_head *head = &trace->layers[0].heads[h];
				double sum = 0;
				for (size_t j = 0; j < dk; j++)
					sum += (mat_row(head->q, t)[j] + ra[h * dk + j]) *
					       (mat_row(head->k, k)[j] + rb[h * dk + j]);
				sum /= sqrt((double)dk);
				if (!(fabs(sum - mat_row(head->logits, t)[k]) < 1e-9))
					fail_msg("%s (%zu, %zu): %g, by the definition %g", text, t,
						 k, mat_row(head->logits, t)[k], sum);
			}
		}
	help_run_close(&r);
}

/* Few distinct paths and many; several shortest ones; longer ones than are told apart; nodes without units. */
TEST(logits_are_the_factored_product)
{
	check_factored("graph_tr(hidden=5)", 1, 8, 1, 10, 1);
	check_factored("graph_tr(hidden=5)", 1, 8, 5, 12, 1);
	check_factored("graph_tr(hidden=5)", 1, 8, 2, 24, 1);
	check_factored("graph_tr(hidden=5,longest=2)", 1, 2, 2, 10, 1);
	check_factored("graph_tr(hidden=5,stack=2)", 2, 8, 3, 12, 1);
	check_factored("graph_tr(hidden=5)", 1, 8, 5, 20, 2);
	check_factored("graph_tr(hidden=5)", 1, 8, 2, 40, 2);
	check_factored("graph_tr(hidden=5,stack=2)", 2, 8, 3, 20, 2);
}

static void on_graph_of_6(struct help_run *r)
{
	static struct structure *s;
	static struct arena keep;
	if (!s) {
		arena_init(&keep);
		s = help_random_graph(&keep, 6, 10, 4, true, 4);
	}
	help_on_nodes(r, s);
}

/* r is [1, 0] for every pair; r^a = [.3, .1], r^b = [-.2, .4]. */
static void set_terms(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, 0);
	mat_row(help_leaf(model, "b_out"), 0)[0] = 1;
	static const double rows[] = {0.3, 0.1, -0.2, 0.4};
	memcpy(mat_row(help_leaf(model, "w_rel"), 0), rows, sizeof rows);
}

/* q = [1, .5], k = [.2, -1]. */
TEST(four_terms_are_the_worked_ones)
{
	static const double worked[] = {-0.3, 0, -0.04, -0.02};
	struct help_run r;
	help_run_must_open(&r, "none", 2, 0, one_wide);
	r.want.kinds |= WANT_TERMS;
	mat_row(r.in.units, 0)[0] = 1 / r.model.gain,
			    mat_row(r.in.units, 0)[1] = 0.5 / r.model.gain;
	mat_row(r.in.units, 1)[0] = 0.2, mat_row(r.in.units, 1)[1] = -1;
	const struct trace *trace = help_changed(&r, "graph_tr", set_terms);
	const struct trace_head *head = &trace->layers[0].heads[0];
	double sum[4] = {0};
	for (size_t i = 0; i < head->n_terms; i++) {
		const char *label = head->terms[i].label;
		const size_t k = strcmp(label, "query–relation") == 0	   ? 1
				 : strcmp(label, "relation–key") == 0	   ? 2
				 : strcmp(label, "relation–relation") == 0 ? 3
									   : 0;
		sum[k] += mat_row(head->terms[i].at, 0)[1] / r.model.c;
	}
	for (size_t k = 0; k < 4; k++)
		assert_true(fabs(sum[k] - worked[k]) < 1e-12);
	assert_true(fabs(mat_row(head->logits, 0)[1] / r.model.c + 0.36) < 1e-12);
	help_run_close(&r);
	assert_true(help_terms_sum("graph_tr(tied=on)", NULL) >= 4);
	assert_true(help_terms_sum("graph_tr", on_graph_of_6) >= 4);
}

/* ---- limits and symmetries ----------------------------------------------------------------------- */

TEST(vectors_of_0_leave_the_plain_model)
{
	static const char *const texts[] = {"graph_tr", "graph_tr(tied=on)", "graph_tr(stack=2)"};
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, NULL);
	help_on_nodes(&r, help_random_graph(&r.arena, 8, 10, 3, true, 3));
	const struct trace *none = help_again(&r, "none", NULL);
	for (size_t i = 0; i < 3; i++) {
		const struct trace *zeroed = help_changed(&r, texts[i], help_zero_leaves);
		assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
		assert_true(help_output_apart(help_again(&r, texts[i], NULL), none, 1) > 1e-3);
	}
	help_run_close(&r);
}

/* W_rel = [W_q, W_k] says the same as tied=on. */
static struct mat kept_q, kept_k;
static void tie_by_hand(struct model *model)
{
	help_draw_leaves(model);
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		if (strcmp(model->leaves[i].base, "w_rel") != 0)
			continue;
		mat_set(mat_cols(at, 0, at.rows), kept_q);
		mat_set(mat_cols(at, at.rows, at.rows), kept_k);
	}
}

static void one_layer(struct help_run *r)
{
	r->config.layers = 1;
	r->want.kinds |= WANT_INPUT;
}

TEST(tied_is_a_matrix_of_the_projections)
{
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, one_layer);
	for (size_t i = 0; i < r.trace.layers[0].n_weights; i++) {
		const struct trace_weight *w = &r.trace.layers[0].weights[i];
		if (strcmp(w->name, "w_q") == 0)
			kept_q = w->at;
		if (strcmp(w->name, "w_k") == 0)
			kept_k = w->at;
	}
	help_on_nodes(&r, help_random_graph(&r.arena, 8, 10, 3, true, 3));
	const struct trace *tied = help_changed(&r, "graph_tr(tied=on)", help_draw_leaves);
	const struct trace *by_hand = help_changed(&r, "graph_tr", tie_by_hand);
	assert_true(help_logits_apart(tied, by_hand, 0, 4) < 1e-10);
	help_run_close(&r);
}

TEST(numbers_of_nodes_do_not_matter)
{
	enum { N = 9 };
	static const size_t order[N] = {4, 7, 0, 8, 2, 6, 1, 5, 3};
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, NULL);
	struct structure *s = help_random_graph(&r.arena, N, 14, 2, true, 8);
	help_on_nodes(&r, s);
	const struct mat before = help_again(&r, "graph_tr", NULL)->layers[1].output;
	size_t place[N];
	for (size_t t = 0; t < N; t++)
		place[order[t]] = t;
	struct structure moved = *s;
	moved.root = (long)place[s->root];
	moved.edges = arena_calloc(&r.arena, s->n_edges, sizeof *moved.edges);
	for (size_t e = 0; e < s->n_edges; e++) {
		const struct edge *from = &s->edges[s->n_edges - 1 - e];
		moved.edges[e] = (struct edge){place[from->from], place[from->to], from->label};
	}
	help_permute(&r, order);
	help_on_nodes(&r, &moved);
	const struct mat after = help_again(&r, "graph_tr", NULL)->layers[1].output;
	for (size_t t = 0; t < N; t++)
		assert_true(mat_max_abs_diff(mat_rows(after, t, 1), mat_rows(before, order[t], 1)) <
			    1e-10);
	help_run_close(&r);
}

static struct mat output_of(struct help_run *r, const struct model *model, struct cache *cache)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct trace trace;
	struct err err = {""};
	if (!model_run(model, &r->in, &want, cache, NULL, &r->arena, &trace, &err))
		fail_msg("%s", err.text);
	return trace.layers[trace.n_layers - 1].output;
}

/* The same paths under another order, of another graph, and of other labels. */
TEST(what_is_kept_of_paths_is_told_apart)
{
	enum { N = 9 };
	static const size_t order[N] = {4, 7, 0, 8, 2, 6, 1, 5, 3};
	static const char *const texts[] = {"graph_tr(hidden=5)", "graph_tr(stack=2,hidden=5)",
					    "struct_tr", "struct_tr(variant=feature)",
					    "struct_tr(variant=avg)"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, NULL);
		const struct model model = model_of(&r, texts[i]);
		struct cache *cache = cache_new(1 << 24);
		struct structure *all[] = {help_random_graph(&r.arena, N, 14, 3, true, 8),
					   help_random_graph(&r.arena, N, 14, 3, true, 9),
					   help_random_graph(&r.arena, N, 14, 1, true, 8)};
		struct mat before = {0};
		for (size_t k = 0; k < 8; k++) {
			if (k == 4) {
				long *token = arena_calloc(&r.arena, N, sizeof *token);
				for (size_t t = 0; t < N; t++)
					token[t] = (long)order[t];
				help_permute(&r, order);
				r.in.axis.token = token;
			}
			help_on_nodes(&r, all[k % 4 % 3]);
			const struct mat kept = output_of(&r, &model, cache);
			assert_true(mat_max_abs_diff(kept, output_of(&r, &model, NULL)) == 0);
			assert_true(k % 4 == 0 || mat_max_abs_diff(kept, before) > 1e-6);
			before = kept;
		}
		cache_free(cache);
		help_run_close(&r);
	}
}

/* Tokens 1 and 2 on one node are each other's self, and look alike to all. */
TEST(tokens_of_one_node_share_its_paths)
{
	static const long nodes[] = {0, 1, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, with_everything);
	struct structure *s = help_graph(&r.arena, 3, amr, 3, 0);
	r.in.structure = s;
	r.in.node = nodes;
	const struct relation *rel = &help_again(&r, "graph_tr", NULL)->relation;
	static const struct {
		size_t at;
		const char *label;
	} rows[] = {{1 * 4 + 2, "<SELF>"}, {2 * 4 + 1, "<SELF>"},	 {0 * 4 + 1, "ARG0"},
		    {0 * 4 + 2, "ARG0"},   {2 * 4 + 3, "ARG1_reverse_"}, {3 * 4 + 1, "ARG1"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_int_equal(rel->paths[rows[i].at].n, 1);
		assert_string_equal(rel->labels[rel->paths[rows[i].at].labels[0]], rows[i].label);
	}
	help_run_close(&r);
}

/* ---- ways through the code -------------------------------------------------------------------------- */

static const char *const every[] = {"graph_tr", "graph_tr(tied=on)", "graph_tr(stack=2)",
				    "graph_tr(longest=2,hidden=3,depths=2)"};

static void on_graph(struct help_run *r)
{
	static struct structure *s;
	static struct arena keep;
	if (!s) {
		arena_init(&keep);
		s = help_random_graph(&keep, 7, 12, 4, true, 4);
	}
	help_on_nodes(r, s);
}

static void small_on_graph(struct help_run *r)
{
	on_graph(r);
	r->config.d = 12;
	r->config.heads = 2;
	r->config.ff = 6;
}

/* More distinct paths than twice the units, and several shortest ones. */
TEST(gradients_are_right)
{
	static const char *const texts[] = {"graph_tr(hidden=3,width=3,depths=4)",
					    "graph_tr(stack=2,hidden=3,width=3,tied=on)",
					    "struct_tr(variant=sum)"};
	for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
		help_gradients(every[i]);
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 7, 0, small_on_graph);
		help_draw_leaves(&r.model);
		help_model_gradients(&r, texts[i]);
		help_run_close(&r);
	}
}

TEST(every_way_through_the_code_agrees)
{
	for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
		help_all_ways_agree(every[i], NULL);
		help_all_ways_agree(every[i], on_graph);
	}
	help_all_ways_agree("struct_tr", on_graph);
	help_all_ways_agree("struct_tr(variant=feature)", on_graph);
}

/* When looking, cells are computed in one loop and rows are read where they are; when learning, operators
 * do it. */
TEST(a_step_of_chosen_rows_is_that_of_operators)
{
	enum { N = 40, ROWS = 7, WIDTH = 11 };
	struct arena own, *a = &own;
	struct rng rng;
	arena_init(a);
	rng_init(&rng, 8);
	int32_t row[4][N];
	for (size_t i = 0; i < 4 * N; i++)
		row[i / N][i % N] = (int32_t)rng_below(&rng, ROWS);
	const struct mat wide = mat_new(a, 3 * ROWS + 1, GRU_GATES * WIDTH);
	const struct mat h = mat_new(a, ROWS, WIDTH);
	mat_fill_normal(wide, 1, &rng);
	mat_fill_normal(h, 1, &rng);
	for (size_t parts = 0; parts < 4; parts++) {
		struct mat made[2];
		for (size_t recording = 0; recording < 2; recording++) {
			struct tape t;
			tape_init(&t, a, recording);
			struct node *all = tape_leaf(&t, wide);
			struct node *part[4];
			for (size_t i = 0; i < 4; i++)
				part[i] = tape_slice(&t, all, i * ROWS, i < 3 ? ROWS : 1, 0,
						     wide.cols);
			const struct gru_step step = {
				.x = {part[0], row[0]},
				.y = {parts & 1 ? part[1] : NULL, row[1]},
				.from_h = {part[2], row[2]},
				.bias = parts & 2 ? part[3] : NULL,
				.h = {tape_leaf(&t, h), row[3]},
			};
			made[recording] = recurrent_gru(&t, &step, N)->v;
		}
		assert_true(mat_max_abs_diff(made[0], made[1]) < 1e-14);
	}
	arena_release(a);
}
