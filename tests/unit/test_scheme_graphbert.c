/* test_scheme_graphbert.c: the three numbers of a node by their definitions, the context list, what the
 * code does otherwise, the authors' numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_graph.h"
#include "help_tensors.h"

static void is(const struct trace *trace, const char *name, const double *want, size_t n)
{
	const double *at = help_column_of(trace, name);
	assert_int_equal(trace->query.n, n);
	for (size_t i = 0; i < n; i++)
		if (fabs(at[i] - want[i]) > 0)
			fail_msg("%s of %zu: %g, not %g", name, i, at[i], want[i]);
}

/* ---- worked numbers -------------------------------------------------------------------------- */

TEST(worked_graph_has_its_numbers)
{
	static const double stable[] = {3, 3, 4, 2, 1}, once[] = {2, 2, 3, 2, 1};
	static const double hops[] = {0, 1, 1, 2, 3};
	static const double paper[] = {0, 1, 2, 3, 4}, code[] = {0, 2, 1, 3, 4};
	struct help_run r;
	help_run_must_open(&r, "graphbert", 5, 0, help_give_g5);
	is(&r.trace, "role", stable, 5);
	is(&r.trace, "hops", hops, 5);
	is(&r.trace, "intimacy", paper, 5);
	is(help_again(&r, "graphbert(rounds=1)", NULL), "role", once, 5);
	is(help_again(&r, "graphbert(rounds=2)", NULL), "role", stable, 5);
	is(help_again(&r, "graphbert(rounds=9)", NULL), "role", stable, 5);
	is(help_again(&r, "graphbert(intimacy=code)", NULL), "intimacy", code, 5);
	help_run_close(&r);
}

/* e(2), d = 4: .9093 .9801 .0200 1.0000; the exponent of the cosine is that of its own column_of. */
static void of_width_4(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	help_give_g5(r);
}

TEST(sinusoids_are_those_of_the_paper)
{
	static const double e2[] = {.9093, .9801, .0200, 1.0000};
	struct help_run r;
	help_run_must_open(&r, "graphbert(target=4)", 5, 0, of_width_4);
	const double *const numbers[] = {help_column_of(&r.trace, "role"),
					 help_column_of(&r.trace, "intimacy"),
					 help_column_of(&r.trace, "hops")};
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 4; j++) {
			double sum = 0;
			for (size_t k = 0; k < 3; k++) {
				const double z = numbers[k][i] / pow(10000, (double)j / 4);
				sum += j % 2 ? cos(z) : sin(z);
				if (fabs(numbers[k][i] - 2) <= 0)
					assert_true(fabs((j % 2 ? cos(z) : sin(z)) - e2[j]) < 5e-5);
			}
			assert_true(fabs(mat_row(r.trace.position_vectors, i)[j] - sum) < 1e-13);
		}
	help_run_close(&r);
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* α (I - (1-α) Ā)^{-1}, by elimination with pivots. */
static struct mat intimacy_of(const struct help_graph *g, double alpha, bool code, struct arena *a)
{
	const size_t n = g->n;
	const struct mat joined = help_adjacency(g, a), degrees = help_degrees(g, a);
	const struct mat left = mat_eye(a, n), right = mat_zero(a, n, n);
	for (size_t i = 0; i < n; i++) {
		mat_row(right, i)[i] = alpha;
		for (size_t j = 0; j < n; j++) {
			const double di = fmax(1, degrees.at[i]), dj = fmax(1, degrees.at[j]);
			mat_row(left, i)[j] -=
				(1 - alpha) * mat_row(joined, i)[j] / (code ? sqrt(di * dj) : dj);
		}
	}
	for (size_t c = 0; c < n; c++)
		for (size_t i = 0; i < n; i++) { /* diagonally dominant by columns: no pivots */
			const double by = i == c ? 0 : mat_row(left, i)[c] / mat_row(left, c)[c];
			for (size_t j = 0; j < n; j++) {
				mat_row(left, i)[j] -= by * mat_row(left, c)[j];
				mat_row(right, i)[j] -= by * mat_row(right, c)[j];
			}
		}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			mat_row(right, i)[j] /= mat_row(left, i)[i];
	return right;
}

TEST(inverse_has_its_worked_rows)
{
	static const double paper[] = {.3222, .2169, .1882, .1253, .1065};
	static const double code[] = {.3222, .2169, .2306, .1253, .0753};
	struct arena a;
	arena_init(&a);
	const struct mat s = intimacy_of(&help_g5, .15, false, &a);
	const struct mat c = intimacy_of(&help_g5, .15, true, &a);
	for (size_t j = 0; j < 5; j++) {
		double sum = 0;
		for (size_t i = 0; i < 5; i++)
			sum += mat_row(s, i)[j];
		assert_true(fabs(sum - 1) < 1e-12);
		assert_true(fabs(mat_row(c, 0)[j] - code[j]) < 5e-5);
		assert_true(fabs(mat_row(s, 0)[j] - paper[j]) < 5e-5);
		for (size_t i = 0; i < 5; i++)
			assert_true(fabs(mat_row(c, i)[j] - mat_row(c, j)[i]) < 1e-14);
	}
	arena_release(&a);
}

/* Along the list intimacy falls; where it does not, the index rises, in the code falls. */
static void check_order(const struct help_graph *g, double alpha, bool code)
{
	struct help_run r;
	help_run_must_open(&r, "none", g->n, 0, NULL);
	help_graph_give(&r.in, g, &r.arena);
	const struct mat s = intimacy_of(g, alpha, code, &r.arena);
	for (size_t target = 0; target < g->n; target += 3) {
		const char *text =
			arena_printf(&r.arena, "graphbert(target=%zu,alpha=%g,intimacy=%s)",
				     target + 1, alpha, code ? "code" : "paper");
		const double *rank = help_column_of(help_again(&r, text, NULL), "intimacy");
		assert_true(rank[target] == 0);
		for (size_t i = 0; i < g->n; i++)
			for (size_t j = 0; j < g->n; j++) {
				if (i == target || j == target || rank[i] >= rank[j])
					continue;
				const double more = mat_row(s, target)[i] - mat_row(s, target)[j];
				assert_true(more > -1e-12);
				if (more < 1e-12)
					assert_true(code ? i > j : i < j);
			}
	}
	help_run_close(&r);
}

TEST(list_falls_in_intimacy)
{
	struct arena a;
	arena_init(&a);
	for (size_t code = 0; code < 2; code++) {
		check_order(&help_g5, .15, code);
		check_order(&help_parts, .15, code);
		check_order(&help_parts, 1, code);
		for (uint64_t seed = 1; seed <= 3; seed++) {
			const struct help_graph g = help_graph_drawn(20, 4, seed, &a);
			check_order(&g, seed == 3 ? .01 : .15, code);
		}
	}
	arena_release(&a);
}

static size_t joined_of_colour(struct mat joined, size_t i, const double *colour, double which)
{
	size_t count = 0;
	for (size_t j = 0; j < joined.cols; j++)
		count += mat_row(joined, i)[j] > 0 && fabs(colour[j] - which) < 0.5;
	return count;
}

/* Two nodes have one colour exactly when they had one before and have as many neighbours of each. */
TEST(rounds_refine_by_neighbours)
{
	struct arena a;
	arena_init(&a);
	for (uint64_t seed = 0; seed < 4; seed++) {
		const struct help_graph drawn = help_graph_drawn(18, 2, seed, &a);
		const struct help_graph *g = seed == 0 ? &help_parts : &drawn;
		const struct mat joined = help_adjacency(g, &a);
		struct help_run r;
		help_run_must_open(&r, "none", g->n, 0, NULL);
		help_graph_give(&r.in, g, &r.arena);
		double before[18], after[18];
		for (size_t i = 0; i < g->n; i++)
			before[i] = 1;
		for (size_t round = 1; round <= g->n; round++) {
			const char *text = arena_printf(&r.arena, "graphbert(rounds=%zu)", round);
			memcpy(after, help_column_of(help_again(&r, text, NULL), "role"),
			       g->n * sizeof *after);
			for (size_t i = 0; i < g->n; i++)
				for (size_t j = 0; j < g->n; j++) {
					bool same = fabs(before[i] - before[j]) <= 0;
					for (size_t c = 1; same && c <= g->n; c++)
						same = joined_of_colour(joined, i, before,
									(double)c) ==
						       joined_of_colour(joined, j, before,
									(double)c);
					assert_true(same == (fabs(after[i] - after[j]) <= 0));
				}
			memcpy(before, after, sizeof before);
		}
		is(help_again(&r, "graphbert", NULL), "role", after, g->n);
		help_run_close(&r);
	}
	arena_release(&a);
}

/* ---- hops ------------------------------------------------------------------------------------ */

TEST(relation_is_the_number_of_edges)
{
	struct arena a;
	arena_init(&a);
	const struct help_graph drawn = help_graph_drawn(14, 2, 5, &a);
	const struct help_graph *const graphs[] = {&help_g5, &help_parts, &drawn};
	for (size_t i = 0; i < 3; i++) {
		const struct help_graph *g = graphs[i];
		const size_t n = g->n;
		double d[14][14];
		const struct mat joined = help_adjacency(g, &a);
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++)
				d[t][s] = t == s ? 0 : mat_row(joined, t)[s] > 0 ? 1 : INFINITY;
		for (size_t k = 0; k < n; k++)
			for (size_t t = 0; t < n; t++)
				for (size_t s = 0; s < n; s++)
					d[t][s] = fmin(d[t][s], d[t][k] + d[k][s]);
		struct help_run r;
		help_run_must_open(&r, "none", n, 0, NULL);
		help_graph_give(&r.in, g, &r.arena);
		r.want.kinds |= WANT_RELATION;
		const struct trace *trace = help_again(&r, "graphbert(target=2)", NULL);
		const struct relation *rel = &trace->relation;
		assert_int_equal(rel->n, n);
		assert_string_equal(rel->says(rel, 2, NULL, &r.arena), "2 hops away");
		assert_non_null(strstr(rel->note, "token 2"));
		for (size_t t = 0; t < n; t++) {
			for (size_t s = 0; s < n; s++)
				assert_true(isinf(d[t][s])
						    ? rel->at[t * n + s] == RELATION_NO_PATH
						    : rel->at[t * n + s] == (int32_t)d[t][s]);
			assert_true(fabs(help_column_of(trace, "hops")[t] -
					 (isinf(d[1][t]) ? 99 : d[1][t])) <= 0);
		}
		help_run_close(&r);
	}
	arena_release(&a);
}

/* ---- the list as units ----------------------------------------------------------------------- */

/* Target 4 of the worked graph, three nodes closest to it: the units are these four, in order, with the
 * vectors that they have among all. */
TEST(context_list_is_the_units)
{
	struct help_run r;
	static const double words[] = {10, 11, 12, 13, 14};
	help_run_must_open(&r, "graphbert(target=4)", 5, 0, help_give_g5);
	r.in.word = words;
	const double *rank = help_column_of(&r.trace, "intimacy");
	const struct trace *list = help_again(&r, "graphbert(target=4,k=3)", NULL);
	assert_int_equal(list->query.n, 4);
	assert_int_equal(list->layers[1].output.rows, 4);
	assert_int_equal(list->layers[1].heads[0].weights.cols, 4);
	for (size_t i = 0; i < 4; i++) {
		const size_t token = (size_t)list->query.token[i];
		assert_true(rank[token] == (double)i);
		assert_true(help_column_of(list, "intimacy")[i] == (double)i);
		assert_true(help_column_of(list, "seq")[i] == (double)i);
		assert_true(help_column_of(list, "word")[i] == words[token]);
		assert_string_equal(list->query.labels[i], r.in.axis.labels[token]);
		assert_true(mat_max_abs_diff(mat_rows(list->units, i, 1),
					     mat_rows(r.in.units, token, 1)) == 0);
		assert_true(mat_max_abs_diff(mat_rows(list->position_vectors, i, 1),
					     mat_rows(r.trace.position_vectors, token, 1)) < 1e-13);
	}
	help_run_close(&r);
}

/* All nodes in the list are all nodes where they stand: the order of a list is no matter. */
TEST(order_of_the_list_is_no_matter)
{
	static const char *const texts[][2] = {{"graphbert(k=9,target=2)", "graphbert(target=2)"},
					       {"graphbert(k=9,target=3)", "graphbert(target=3)"}};
	for (size_t chain = 0; chain < 2; chain++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, chain ? NULL : help_give_g5);
		const struct trace *list = help_again(&r, texts[chain][0], NULL);
		const struct trace *all = help_again(&r, texts[chain][1], NULL);
		for (size_t i = 0; i < 5; i++)
			assert_true(mat_max_abs_diff(mat_rows(list->layers[1].output, i, 1),
						     mat_rows(all->layers[1].output,
							      (size_t)list->query.token[i], 1)) <
				    1e-12);
		help_run_close(&r);
	}
}

/* What stands on no node stays at its end of the list. */
TEST(specials_stay_at_their_ends)
{
	static const long want[] = {-1, 3, 2, -1};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, help_give_g5);
	r.in.axis.token = (const long[]){-1, 0, 1, 2, 3, -1};
	const struct trace *list = help_again(&r, "graphbert(target=4,k=2)", NULL);
	assert_int_equal(list->query.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(list->query.token[i] == want[i]);
	help_run_close(&r);
}

TEST(unknown_targets_are_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "graphbert(target=6)", 5, 0, help_give_g5));
	assert_non_null(strstr(r.err.text, "the last is 5"));
	help_run_close(&r);
}

TEST(long_tables_end_and_say_so)
{
	struct help_run r;
	help_run_must_open(&r, "graphbert(vectors=tables)", 120, 0, NULL);
	assert_non_null(strstr(r.trace.note, "share the last row"));
	const struct mat hop = help_leaf(&r.model, "hops");
	assert_int_equal(hop.rows, 100);
	assert_null(help_again(&r, "graphbert", NULL)->note);
	help_run_close(&r);
}

/* ---- the authors' numbers -------------------------------------------------------------------- */

static const struct tensor_set *authors;

static struct mat of_authors(const char *name)
{
	const struct tensor *t = tensor_find(authors, name);
	assert_non_null(t);
	return tensor_mat(t);
}

static void given_tables(struct model *model)
{
	const struct mat role = of_authors("param.role"), hop = of_authors("param.hop");
	const struct mat position = of_authors("param.position");
	mat_set(mat_rows(help_leaf(model, "role"), 0, role.rows), role);
	mat_set(mat_rows(help_leaf(model, "intimacy"), 0, position.rows), position);
	mat_set(mat_rows(help_leaf(model, "hops"), 0, hop.rows), hop);
	mat_set(mat_rows(help_leaf(model, "hops"), 99, 1), of_authors("param.hop_unreachable"));
}

static void of_width_8(struct help_run *r)
{
	r->config.d = 8;
	help_give_g5(r);
}

/* Their colours are ranks of hashes: of the same nodes, by other numbers. */
static void recoloured(struct model *model)
{
	given_tables(model);
	static const double once[] = {2, 2, 3, 2, 1};
	const struct mat theirs = of_authors("wl.one_refinement");
	const struct mat role = help_leaf(model, "role"), param = of_authors("param.role");
	for (size_t i = 0; i < 5; i++)
		mat_set(mat_rows(role, (size_t)once[i], 1),
			mat_rows(param, (size_t)theirs.at[i], 1));
}

TEST(authors_numbers_are_matched)
{
	static const char *const text = "graphbert(target=%zu,k=3,intimacy=code,rounds=1,"
					"vectors=tables)";
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "none", 5, 0, of_width_8);
	tensor_set_init(&set, &r.arena);
	assert_true(help_tensors(&set, "tests/data/struct/graphbert-a.safetensors", &r.err));
	authors = &set;
	/* The units are the raw features through their map. */
	const struct mat raw = of_authors("features"), w = of_authors("param.raw_weight");
	mat_mul(r.in.units, 1, raw, false, w, false, 0);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 8; j++)
			mat_row(r.in.units, i)[j] += of_authors("param.raw_bias").at[j];
	r.want.kinds |= WANT_INPUT;
	const struct mat targets = of_authors("targets"), sums = of_authors("embed.sum");
	const struct mat context = of_authors("context");
	for (size_t k = 0; k < targets.rows * targets.cols; k++) {
		const size_t target = (size_t)targets.at[k];
		char expression[120];
		snprintf(expression, sizeof expression, text, target + 1);
		const struct trace *trace = help_changed(&r, expression, recoloured);
		assert_int_equal(trace->query.n, 4);
		assert_true(mat_max_abs_diff(trace->layers[0].input, mat_rows(sums, 4 * k, 4)) <
			    1e-11);
		for (size_t i = 0; i < 3; i++)
			assert_true(trace->query.token[i + 1] == (long)mat_row(context, target)[i]);
	}
	help_run_close(&r);
}

/* Paper: sinusoids of stable colours, places and hops, independently computed; the lists are those of
 * the code. */
TEST(papers_formulas_are_matched)
{
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "none", 5, 0, of_width_8);
	tensor_set_init(&set, &r.arena);
	assert_true(help_tensors(&set, "tests/data/struct/graphbert-a.safetensors", &r.err));
	authors = &set;
	const struct mat targets = of_authors("targets");
	const struct mat stable = of_authors("independent.wl_stable");
	is(help_again(&r, "graphbert", NULL), "role", stable.at, 5);
	for (size_t k = 0; k < targets.rows * targets.cols; k++) {
		const char *text = arena_printf(&r.arena, "graphbert(target=%g,k=3,intimacy=code)",
						targets.at[k] + 1);
		const struct mat got = help_again(&r, text, NULL)->position_vectors;
		for (size_t i = 0; i < 4; i++)
			for (size_t j = 0; j < 8; j++) {
				const double want =
					mat_row(of_authors("independent.embedding.role"),
						4 * k + i)[j] +
					mat_row(of_authors("independent.embedding.position"),
						4 * k + i)[j] +
					mat_row(of_authors("independent.embedding.hop"),
						4 * k + i)[j];
				assert_true(fabs(mat_row(got, i)[j] - want) < 1e-12);
			}
	}
	help_run_close(&r);
}

TEST(it_is_a_graph_scheme)
{
	help_graph_scheme("graphbert");
	help_graph_scheme("graphbert(vectors=tables)");
	help_all_ways_agree("graphbert(k=4,target=3)", NULL);
	help_all_ways_agree("graphbert(k=4,target=3,vectors=tables)+causal", NULL);
	help_gradients("graphbert(k=2,target=3,vectors=tables)");
}
