/* test_scheme_laplacian.c: eigenvectors of the Laplacian: the worked graph, what an eigenvector is, a
 * chain's cosines, what is not unique, attention to neighbours, the authors' numbers; and SignNet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_graph.h"
#include "help_tensors.h"

/* I - D^{-1/2} A D^{-1/2}, degrees at least 1. */
static struct mat laplacian_of(const struct help_graph *g, struct arena *a)
{
	const struct mat out = help_adjacency(g, a), degrees = help_degrees(g, a);
	for (size_t i = 0; i < g->n; i++)
		for (size_t j = 0; j < g->n; j++)
			mat_row(out, i)[j] =
				(i == j) - mat_row(out, i)[j] / sqrt(fmax(1, degrees.at[i]) *
								     fmax(1, degrees.at[j]));
	return out;
}

/* vᵀ Δ v and |Δ v - λ v|² for a column of v. */
static double eigenvalue(struct mat l, struct mat v, size_t j, double *off)
{
	const size_t n = l.rows;
	double value = 0;
	*off = 0;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			double lv = 0;
			for (size_t s = 0; s < n; s++)
				lv += mat_row(l, i)[s] * mat_row(v, s)[j];
			const double gap = lv - value * mat_row(v, i)[j];
			if (pass == 0)
				value += lv * mat_row(v, i)[j];
			else
				*off += gap * gap;
		}
	return value;
}

static double product(struct mat v, size_t i, size_t j)
{
	double sum = 0;
	for (size_t t = 0; t < v.rows; t++)
		sum += mat_row(v, t)[i] * mat_row(v, t)[j];
	return sum;
}

/* ---- worked numbers -------------------------------------------------------------------------- */

TEST(worked_graph_has_its_numbers)
{
	static const double v1[] = {-.3964, -.3964, -.1496, .5531, .5979};
	static const double v2[] = {-.3530, -.3530, .6895, .2035, -.4837};
	static const double values[] = {.3459, 1.2975, 1.5, 1.8566};
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=4)", 5, 0, help_give_g5);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	const struct mat l = laplacian_of(&help_g5, &r.arena);
	for (size_t i = 0; i < 5; i++) {
		assert_true(fabs(mat_row(v, i)[0] - v1[i]) < 5e-5);
		assert_true(fabs(mat_row(v, i)[1] - v2[i]) < 5e-5);
	}
	for (size_t j = 0; j < 4; j++) {
		double off;
		assert_true(fabs(eigenvalue(l, v, j, &off) - values[j]) < 5e-5);
	}
	help_run_close(&r);
}

/* Every shown column is a unit eigenvector, they are orthogonal and ascend, the values beside the one
 * left out sum to the trace n, and lie in 0..2. */
TEST(columns_are_eigenvectors)
{
	for (size_t trial = 0; trial < 4; trial++) {
		struct arena a;
		arena_init(&a);
		const struct help_graph drawn = help_graph_drawn(12 + trial, 4, trial, &a);
		const struct help_graph *g = trial == 3 ? &help_parts : &drawn;
		struct help_run r;
		help_run_must_open(&r, "none", g->n, 0, NULL);
		help_graph_give(&r.in, g, &r.arena);
		const size_t k = g->n - 1;
		const char *text = arena_printf(&r.arena, "laplacian(k=%zu)", k);
		const struct mat v = help_graph_numbers(&r, text, k, help_show_numbers);
		const struct mat l = laplacian_of(g, &r.arena);
		double before = 0, sum = 0;
		for (size_t j = 0; j < k; j++) {
			double off;
			const double value = eigenvalue(l, v, j, &off);
			assert_true(off < 1e-20);
			assert_true(value > before - 1e-12 && value < 2 + 1e-12);
			for (size_t i = 0; i <= j; i++)
				assert_true(fabs(product(v, i, j) - (i == j)) < 1e-12);
			before = value;
			sum += value;
		}
		assert_true(fabs(sum - (double)g->n) < 1e-10);
		help_run_close(&r);
		arena_release(&a);
	}
}

/* What is left out of a connected graph is in proportion to the roots of the degrees: every column is
 * orthogonal to them. */
TEST(first_vector_is_the_roots_of_degrees)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=4)", 5, 0, help_give_g5);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	const struct mat degrees = help_degrees(&help_g5, &r.arena);
	for (size_t j = 0; j < 4; j++) {
		double sum = 0;
		for (size_t i = 0; i < 5; i++)
			sum += sqrt(degrees.at[i]) * mat_row(v, i)[j];
		assert_true(fabs(sum) < 1e-12);
	}
	help_run_close(&r);
}

/* On a chain of n: λ_j = 1 - cos(π j/(n-1)), v_j(i) in proportion to √deg · cos(π j i/(n-1)). */
TEST(chain_has_cosines)
{
	enum { N = 9 };
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=8)", N, 0, NULL);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=8)", N - 1, help_show_numbers);
	for (size_t j = 1; j < N; j++) {
		double wave[N], length = 0, along = 0;
		for (size_t i = 0; i < N; i++) {
			const double root = i == 0 || i == N - 1 ? 1 : sqrt(2);
			wave[i] = root * cos(acos(-1) * (double)(j * i) / (N - 1));
			length += wave[i] * wave[i];
			along += wave[i] * mat_row(v, i)[j - 1];
		}
		assert_true(fabs(fabs(along) / sqrt(length) - 1) < 1e-12);
	}
	assert_null(r.trace.note);
	help_run_close(&r);
}

/* ---- what is not unique ---------------------------------------------------------------------- */

/* The entry of largest magnitude is positive, and of equal ones the first. */
TEST(signs_are_fixed)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=16)", 17, 0, NULL);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=16)", 16, help_show_numbers);
	for (size_t j = 0; j < 16; j++) {
		double most = 0;
		size_t at = 0;
		for (size_t i = 0; i < 17; i++)
			most = fmax(most, fabs(mat_row(v, i)[j]));
		while (fabs(mat_row(v, at)[j]) < most - 1e-9)
			at++;
		assert_true(mat_row(v, at)[j] > 0);
	}
	help_run_close(&r);
}

TEST(flips_change_whole_columns)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=4)", 5, 0, help_give_g5);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	size_t flipped = 0;
	for (size_t batch = 1; batch <= 8; batch++) {
		const char *text = arena_printf(&r.arena, "laplacian(k=4,flips=%zu)", batch);
		const struct mat w = help_graph_numbers(&r, text, 4, help_show_numbers);
		for (size_t j = 0; j < 4; j++) {
			double along = 0;
			for (size_t i = 0; i < 5; i++)
				along += mat_row(w, i)[j] * mat_row(v, i)[j];
			const double sign = along < 0 ? -1 : 1;
			flipped += along < 0;
			for (size_t i = 0; i < 5; i++)
				assert_true(fabs(mat_row(w, i)[j] - sign * mat_row(v, i)[j]) <
					    1e-15);
		}
	}
	assert_true(flipped > 6 && flipped < 26); /* of 32 coins */
	help_run_close(&r);
}

TEST(parts_and_lonely_nodes_are_said)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=2)", 6, 0, help_give_parts);
	assert_non_null(strstr(r.trace.note, "2 unconnected parts"));
	assert_non_null(strstr(r.trace.note, "nodes without an edge (1)"));
	help_run_close(&r);
}

/* Two parts: the second vector of eigenvalue 0 is left out too; its space is what remains. */
TEST(all_of_eigenvalue_zero_can_be_dropped)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian", 6, 0, help_give_parts);
	const struct mat l = laplacian_of(&help_parts, &r.arena);
	double off;
	const struct mat first = help_graph_numbers(&r, "laplacian(k=5)", 5, help_show_numbers);
	assert_true(fabs(eigenvalue(l, first, 0, &off)) < 1e-12);
	const struct mat rest =
		help_graph_numbers(&r, "laplacian(k=5,drop=zero)", 5, help_show_numbers);
	/* Lonely node: 1; triangle: 1.5 twice; pair: 2; then nothing is left. */
	static const double values[] = {1, 1.5, 1.5, 2, 0};
	for (size_t j = 0; j < 5; j++)
		assert_true(fabs(eigenvalue(l, rest, j, &off) - values[j]) < 1e-12);
	assert_true(product(rest, 4, 4) == 0);
	help_run_close(&r);
}

TEST(missing_columns_are_zero_and_said)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=8)", 5, 0, help_give_g5);
	assert_non_null(strstr(r.trace.note, "the last 4 of 8 columns are 0"));
	const struct mat v = help_graph_numbers(&r, "laplacian(k=8)", 8, help_show_numbers);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 4; j < 8; j++)
			assert_true(mat_row(v, i)[j] == 0);
	help_run_close(&r);
}

/* Nodes 0 and 1 may be exchanged: no vector but the one that tells them apart differs on them. */
TEST(like_nodes_get_like_numbers)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=4)", 5, 0, help_give_g5);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	for (size_t j = 0; j < 4; j++) {
		const double sum = mat_row(v, 0)[j] + mat_row(v, 1)[j];
		const double difference = mat_row(v, 0)[j] - mat_row(v, 1)[j];
		assert_true(fabs(j == 2 ? sum : difference) < 1e-12);
	}
	help_run_close(&r);
}

static void draw_all(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct rng rng;
		rng_init_name(&rng, 9, model->leaves[i].name);
		mat_fill_normal(model->leaves[i].at, 0.5, &rng);
	}
}

/* ---- units, cache, size ---------------------------------------------------------------------- */

/* Two tokens of one node share its vector; the structure is part of what is kept. */
TEST(tokens_of_a_node_share_its_vector)
{
	static const long node[] = {4, 0, 0, 2, 1};
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=4)", 5, 0, help_give_g5);
	const struct mat v = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	r.in.node = node;
	const struct mat w = help_graph_numbers(&r, "laplacian(k=4)", 4, help_show_numbers);
	for (size_t i = 0; i < 5; i++)
		assert_true(mat_max_abs_diff(mat_rows(w, i, 1), mat_rows(v, (size_t)node[i], 1)) <
			    1e-13);
	help_run_close(&r);
}

/* A unit that stands on no node gets nothing, not even c; under local attention it sees all, and all see
 * it. */
TEST(units_without_a_node_get_nothing)
{
	static const char *const texts[] = {"laplacian(k=4,local=on)", "rwpe", "signnet",
					    "graphbert(target=2)",
					    "graphbert(target=2,vectors=tables)"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, help_give_g5);
		r.in.axis.token = (const long[]){-1, 0, 1, 2, 3};
		const struct trace *trace = help_changed(&r, texts[i], draw_all);
		for (size_t t = 0; t < 5; t++) {
			const double size = mat_norm(mat_rows(trace->position_vectors, t, 1));
			assert_true(t == 0 ? size < 1e-12 : size > 1e-2);
			for (size_t s = 0; i == 0 && s < 5; s++) {
				const uint8_t *mask = trace->layers[0].heads[0].mask;
				assert_true(mask[s] && mask[5 * s]);
			}
		}
		help_run_close(&r);
	}
}

static struct mat kept_vectors(struct help_run *r, struct cache *cache)
{
	struct trace trace;
	assert_true(
		model_run(&r->model, &r->in, &r->want, cache, NULL, &r->arena, &trace, &r->err));
	return trace.position_vectors;
}

TEST(another_structure_is_not_taken_from_the_cache)
{
	static const size_t line[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
	static const struct help_graph path = {5, 4, line};
	static const char *const schemes[] = {"laplacian", "rwpe", "signnet"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		struct cache *cache = cache_new(1 << 24);
		help_run_must_open(&r, schemes[i], 5, 0, NULL);
		const struct mat chain = kept_vectors(&r, cache);
		help_give_g5(&r);
		const struct mat g5 = kept_vectors(&r, cache);
		assert_true(mat_max_abs_diff(chain, g5) > 1e-3);
		assert_true(mat_max_abs_diff(g5, kept_vectors(&r, NULL)) < 1e-12);
		help_graph_give(&r.in, &path, &r.arena);
		assert_true(mat_max_abs_diff(chain, kept_vectors(&r, cache)) < 1e-12);
		cache_free(cache);
		help_run_close(&r);
	}
}

static void of_64_megabytes(struct help_run *r)
{
	r->config.memory = 64000000;
}

TEST(graphs_beyond_the_memory_are_refused)
{
	struct help_run r;
	struct arena a;
	arena_init(&a);
	const struct help_graph g = help_graph_drawn(2000, 0, 1, &a);
	help_run_must_open(&r, "laplacian", 5, 0, of_64_megabytes);
	help_graph_give(&r.in, &g, &r.arena);
	struct trace trace;
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
	assert_non_null(strstr(r.err.text, "2000 nodes take 160 MB, above the limit of 64 MB"));
	help_run_close(&r);
	arena_release(&a);
}

/* ---- attention to neighbours ----------------------------------------------------------------- */

TEST(neighbours_alone_are_attended)
{
	static const char *const texts[] = {"laplacian(local=on)", "laplacian(local=self)"};
	for (size_t self = 0; self < 2; self++) {
		struct help_run r;
		help_run_must_open(&r, texts[self], 6, 0, help_give_parts);
		const struct mat joined = help_adjacency(&help_parts, &r.arena);
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *head = &r.trace.layers[0].heads[h];
			for (size_t t = 0; t < 6; t++) {
				double sum = 0;
				for (size_t s = 0; s < 6; s++) {
					const bool allowed =
						mat_row(joined, t)[s] > 0 || (self && t == s);
					const double weight = mat_row(head->weights, t)[s];
					assert_true(head->mask[t * 6 + s] == allowed);
					assert_true(allowed ? weight > 0 : weight == 0);
					assert_true(fabs(mat_row(head->logits, t)[s]) <= 5);
					sum += weight;
				}
				/* The lonely node attends to nothing. */
				assert_true(fabs(sum - (t < 5 || self)) < 1e-12);
			}
		}
		help_run_close(&r);
	}
}

TEST(logits_end_at_the_clamp)
{
	struct help_run r;
	help_run_must_open(&r, "laplacian(local=on,clamp=0.5)", 5, 0, help_give_g5);
	double lo, hi;
	assert_true(mat_range(r.trace.layers[0].heads[1].logits, &lo, &hi));
	assert_true(lo >= -0.5 && hi <= 0.5 && hi - lo > 0.5);
	const struct trace *all = help_again(&r, "laplacian", NULL);
	assert_true(mat_range(all->layers[0].heads[1].logits, &lo, &hi));
	assert_true(fmax(-lo, hi) > 0.5);
	help_run_close(&r);
}

/* ---- the authors' numbers -------------------------------------------------------------------- */

static void case_structure(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat at = tensor_mat(tensor_find(set, "edges"));
	assert_int_equal(at.rows, help_g5.n_edges);
	for (size_t e = 0; e < at.rows; e++)
		assert_true((size_t)mat_row(at, e)[0] == help_g5.edges[e][0] &&
			    (size_t)mat_row(at, e)[1] == help_g5.edges[e][1]);
	help_graph_give(in, &help_g5, a);
}

TEST(authors_numbers_are_matched)
{
	const struct help_case c = {.file = "struct/lappe-a.safetensors",
				    .expression = "laplacian(k=3,local=on)",
				    .masked_logits = true,
				    .tolerance = 1e-10,
				    .structure = case_structure};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 6);
	const struct mat embed = tensor_mat(tensor_find(&r.set, "embed"));
	const struct mat input = tensor_mat(tensor_find(&r.set, "input"));
	const struct mat position = r.trace.position_vectors;
	for (size_t i = 0; i < embed.rows; i++)
		for (size_t j = 0; j < embed.cols; j++)
			assert_true(fabs(mat_row(input, i)[j] + mat_row(position, i)[j] -
					 mat_row(embed, i)[j]) < 1e-10);
	help_case_close(&r);
}

/* ---- SignNet --------------------------------------------------------------------------------- */

static void given_networks(struct model *model)
{
	struct arena a;
	struct tensor_set set;
	struct err err = {""};
	arena_init(&a);
	tensor_set_init(&set, &a);
	help_show_numbers(model);
	assert_true(help_tensors(&set, "tests/data/struct/signnet-a.safetensors", &err));
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		const struct tensor *t =
			tensor_find(&set, arena_printf(&a, "param.%s", leaf->base));
		if (t)
			mat_set(leaf->at, mat_view(tensor_mat(t).at, leaf->at.rows, leaf->at.cols));
		else
			assert_true(strcmp(leaf->base, "weight") == 0 ||
				    strcmp(leaf->base, "bias") == 0);
	}
	arena_release(&a);
}

TEST(signnet_authors_numbers_are_matched)
{
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "none", 5, 0, help_give_g5);
	tensor_set_init(&set, &r.arena);
	assert_true(help_tensors(&set, "tests/data/struct/signnet-a.safetensors", &r.err));
	const struct mat f =
		help_graph_numbers(&r, "signnet(k=3,depth=2,hidden=4,out=3)", 3, given_networks);
	assert_true(mat_max_abs_diff(f, tensor_mat(tensor_find(&set, "position.vectors"))) < 1e-12);
	const struct mat size =
		help_graph_numbers(&r, "signnet(k=3,phi=relu)", 3, help_show_numbers);
	assert_true(mat_max_abs_diff(size, tensor_mat(tensor_find(&set, "position.relu_case"))) <
		    1e-12);
	help_run_close(&r);
}

TEST(signs_do_not_matter_to_signnet)
{
	static const char *const phis[] = {"gin", "mlp", "relu"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, help_give_g5);
		for (long batch = 0; batch < 4; batch++) {
			const char *text = arena_printf(&r.arena, "signnet(k=4,phi=%s,flips=%ld)",
							phis[i], batch);
			const struct trace *trace = help_changed(&r, text, help_draw_networks);
			const char *plain = arena_printf(&r.arena, "signnet(k=4,phi=%s)", phis[i]);
			assert_true(help_output_apart(trace,
						      help_changed(&r, plain, help_draw_networks),
						      1) < 1e-12);
		}
		help_run_close(&r);
	}
}

/* ---- every scheme ---------------------------------------------------------------------------- */

TEST(laplacian_is_a_graph_scheme)
{
	help_graph_scheme("laplacian(k=2)");
	help_graph_scheme("laplacian(k=2,local=on,clamp=0.7)");
	help_sizes("laplacian");
	help_gradients("laplacian");
	help_all_ways_agree("laplacian(flips=3)+causal", NULL);
}

TEST(signnet_is_a_graph_scheme)
{
	help_graph_scheme("signnet");
	help_graph_scheme("signnet(phi=mlp,depth=1,k=3)");
	help_graph_scheme("signnet(phi=relu)");
}
