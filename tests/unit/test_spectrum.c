/* test_spectrum.c: the eigenvalues that a trace keeps, which of them are degenerate, and how they are
 * shown and dumped: worked graphs, chains and rings, whose spectra are known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_graph.h"
#include "help_view.h"

FIXTURE(cli_enter, cli_leave)

static const double pi = 3.14159265358979323846;

static const struct spectrum *again(struct help_run *r, const char *expression)
{
	return &help_again(r, expression, NULL)->spectrum;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* structured.md: 0, .3459, 1.2975, 1.5, 1.8566 of the triangle with a tail; the first is left out. */
TEST(worked_graph_has_its_eigenvalues)
{
	static const double values[] = {.3459, 1.2975, 1.5, 1.8566};
	static const double v1[] = {-.3964, -.3964, -.1496, .5531, .5979};
	static const char *const schemes[] = {"laplacian", "signnet", "signnet(phi=relu)"};
	for (size_t k = 0; k < 3; k++) {
		struct help_run r;
		help_run_must_open(&r, schemes[k], 5, 0, help_give_g5);
		const struct spectrum *s = &r.trace.spectrum;
		assert_int_equal(s->n, 5);
		assert_int_equal(s->k, 4); /* of 8 that are asked for */
		for (size_t j = 0; j < 4; j++) {
			assert_true(fabs(s->values[j] - values[j]) < 5e-5);
			assert_false(s->several[j]);
		}
		for (size_t i = 0; i < 5; i++)
			assert_true(fabs(s->vectors[i * 4] - v1[i]) < 5e-5);
		assert_string_equal(s->left_out, "the first");
		help_run_close(&r);
	}
}

/* λ_j = 1 - cos(π j / (n-1)) of a chain. */
TEST(chain_has_known_eigenvalues)
{
	enum { N = 12 };
	struct help_run r;
	help_run_must_open(&r, "laplacian(k=16)", N, 0, NULL);
	const struct spectrum *s = &r.trace.spectrum;
	assert_int_equal(s->k, N - 1);
	for (size_t j = 1; j < N; j++)
		assert_true(fabs(s->values[j - 1] - (1 - cos(pi * (double)j / (N - 1)))) < 1e-12);
	help_run_close(&r);
}

/* A column is Δ's eigenvector of its value, in whatever order the tokens stand. */
TEST(columns_belong_to_their_values)
{
	struct arena a;
	arena_init(&a);
	const struct help_graph g = help_graph_drawn(20, 3, 5, &a);
	struct help_run r;
	help_run_must_open(&r, "none", 20, 0, NULL);
	help_graph_give(&r.in, &g, &r.arena);
	const struct spectrum *s = again(&r, "laplacian(k=64)");
	const struct mat at = help_adjacency(&g, &a), degree = help_degrees(&g, &a);
	assert_int_equal(s->k, 19);
	for (size_t j = 0; j < s->k; j++)
		for (size_t t = 0; t < 20; t++) {
			double sum = s->vectors[t * s->k + j];
			for (size_t i = 0; i < 20; i++)
				sum -= mat_row(at, t)[i] * s->vectors[i * s->k + j] /
				       sqrt(fmax(degree.at[t], 1) * fmax(degree.at[i], 1));
			assert_true(fabs(sum - s->values[j] * s->vectors[t * s->k + j]) < 1e-12);
		}
	help_run_close(&r);
	arena_release(&a);
}

/* ---- what is degenerate ------------------------------------------------------------------------------ */

static const size_t ring_edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}};
static const struct help_graph ring = {6, 6, ring_edges};
static const size_t complete_edges[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const struct help_graph complete = {4, 6, complete_edges};

/* "[0.5 0.5] 2": a bracket around what has one number and is of several. */
static const char *bracketed(const struct spectrum *s, struct arena *a)
{
	const char *all = "";
	for (size_t j = 0; j < s->k; j++) {
		const bool first = j == 0 || s->group[j - 1] != s->group[j];
		const bool last = j + 1 == s->k || s->group[j + 1] != s->group[j];
		assert_true(s->several[j] || (first && last));
		all = arena_printf(a, "%s%s%s%.3g%s", all, j ? " " : "",
				   s->several[j] && first ? "[" : "", s->values[j],
				   s->several[j] && last ? "]" : "");
	}
	return all;
}

/* A ring of 6 has 1 - cos(2π j/6): 0, .5 .5, 1.5 1.5, 2. All nodes joined: 0 and n/(n-1) n-1 times. */
TEST(degenerate_spaces_are_in_brackets)
{
	static const struct {
		const struct help_graph *graph;
		size_t n;
		const char *expression, *words;
	} rows[] = {
		{&ring, 6, "laplacian", "[0.5 0.5] [1.5 1.5] 2"},
		{&ring, 6, "signnet", "[0.5 0.5] [1.5 1.5] 2"},
		/* The third is one of two, though the other is not shown. */
		{&ring, 6, "laplacian(k=3)", "[0.5 0.5] [1.5]"},
		{&ring, 6, "laplacian(k=1)", "[0.5]"},
		{&complete, 4, "laplacian", "[1.33 1.33 1.33]"},
		{&help_g5, 5, "laplacian", "0.346 1.3 1.5 1.86"},
		/* A triangle: 0 1.5 1.5, a pair: 0 2, a lonely node: 1. */
		{&help_parts, 6, "laplacian", "[0] 1 [1.5 1.5] 2"},
		{&help_parts, 6, "laplacian(drop=zero)", "1 [1.5 1.5] 2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", rows[i].n, 0, NULL);
		help_graph_give(&r.in, rows[i].graph, &r.arena);
		const struct spectrum *s = again(&r, rows[i].expression);
		assert_string_equal(bracketed(s, &r.arena), rows[i].words);
		if (strstr(rows[i].expression, "drop=zero"))
			assert_string_equal(s->left_out, "the first 2, of eigenvalue 0");
		help_run_close(&r);
	}
}

TEST(units_without_a_node_have_zeros)
{
	static const long token[] = {0, 1, 2, 3, 4, -1};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	help_graph_give(&r.in, &help_g5, &r.arena);
	r.in.axis.token = token;
	const struct spectrum *s = again(&r, "laplacian");
	assert_int_equal(s->n, 6);
	for (size_t j = 0; j < s->k; j++)
		assert_true(s->vectors[5 * s->k + j] == 0);
	assert_int_equal(again(&r, "rwpe")->n, 0);
	help_run_close(&r);
}

/* ---- how it is shown --------------------------------------------------------------------------------- */

static const char *line_of(const struct panel *card, const char *key)
{
	for (size_t i = 0; i < card->card.n; i++)
		if (strcmp(card->card.lines[i].key, key) == 0)
			return card->card.lines[i].value;
	fail_msg("the card has no line \"%s\"", key);
	return NULL;
}

TEST(explore_has_them_on_its_card)
{
	struct arena a;
	arena_init(&a);
	const struct picture *p = help_picture(&a, "laplacian", "graph @cycle6\n");
	const struct panel *card = help_panel(&p->figure, "What it does");
	assert_string_equal(card->card.lines[1].key, "λ");
	assert_string_equal(card->card.lines[1].value, "[0.5 0.5] [1.5 1.5] 2, [ ]: degenerate");
	p = help_picture(&a, "signnet", "graph @g5\n");
	card = help_panel(&p->figure, "What it does");
	assert_string_equal(card->card.lines[1].value, "0.346 1.3 1.5 1.86");
	arena_release(&a);
}

/* That others are of the same eigenvalue is known even where they are not here. */
TEST(bars_say_with_how_many_they_are_equal)
{
	static const struct {
		const char *scheme, *graph, *first, *last;
	} rows[] = {
		{"laplacian(k=1)", "graph @cycle6\n", "one of several  0.5", "one of several  0.5"},
		{"laplacian(k=3)", "graph @cycle6\n", "pair  0.5", "one of several  1.5"},
		{"laplacian", "graph @g5\n", "0.346", "1.86"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		arena_init(&a);
		const char *const lines = arena_printf(&a, "%sview relation\n", rows[i].graph);
		const struct picture *const p = help_picture(&a, rows[i].scheme, lines);
		const struct bars *const b = &help_panel(&p->figure, "Eigenvalues")->bars;
		assert_string_equal(b->notes[0], rows[i].first);
		assert_string_equal(b->notes[b->n - 1], rows[i].last);
		arena_release(&a);
	}
}

TEST(relation_shows_the_vectors_by_their_values)
{
	struct arena a;
	arena_init(&a);
	const char *lines = "graph @cycle6\nview relation\n";
	const struct figure *f = &help_picture(&a, "laplacian", lines)->figure;
	help_figure_is_sound(&a, f, "spectrum");
	const struct heatmap *h = &help_panel(f, "Eigenvectors")->heatmap;
	static const char *const labels[] = {"[0.5", "0.5]", "[1.5", "1.5]", "2"};
	assert_int_equal(h->values.rows, 6);
	assert_int_equal(h->values.cols, 5);
	for (size_t j = 0; j < 5; j++)
		assert_string_equal(h->col_labels[j], labels[j]);
	assert_false(h->has_cursor); /* its columns are no tokens */
	const struct bars *b = &help_panel(f, "Eigenvalues")->bars;
	static const double values[] = {.5, .5, 1.5, 1.5, 2};
	for (size_t j = 0; j < 5; j++)
		assert_true(fabs(b->values[j] - values[j]) < 1e-12);
	static const char *const notes[] = {"pair  0.5", "pair  0.5", "pair  1.5", "pair  1.5",
					    "2"};
	for (size_t j = 0; j < 5; j++)
		assert_string_equal(b->notes[j], notes[j]);
	const struct panel *card = help_panel(f, "What the columns are");
	assert_string_equal(line_of(card, "degenerate"), "columns 1–2, 3–4");
	assert_string_equal(line_of(card, "left out"), "the first");
	/* In the middle of a bracket columns have numbers: labels differ. */
	FILE *file = fopen("k4.edges", "w");
	assert_non_null(file);
	fputs("a b\na c\na d\nb c\nb d\nc d\n", file);
	fclose(file);
	f = &help_picture(&a, "laplacian", "graph k4.edges\nview relation\n")->figure;
	static const char *const middle[] = {"[1.33", "λ2", "1.33]"};
	for (size_t j = 0; j < 3; j++)
		assert_string_equal(help_panel(f, "Eigenvectors")->heatmap.col_labels[j],
				    middle[j]);
	cli_remove("k4.edges");
	/* A node alone has no second eigenvector. */
	f = &help_picture(&a, "laplacian", "sentence a\nview relation\n")->figure;
	assert_non_null(help_panel(f, "Eigenvectors")->absent);
	arena_release(&a);
}

/* ---- how it is dumped ---------------------------------------------------------------------------------- */

/* eigenvectors · C + c is what is added to the units; and both are the worked ones. */
TEST(a_dump_holds_what_positions_follow_from)
{
	static const double values[] = {.3459, 1.2975, 1.5, 1.8566};
	const struct cli_case c = {.args = {"dump", "laplacian", "--graph", "@g5", "--d-model",
					    "16", "--heads", "2", "-o", "x.safetensors"}};
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	cli_good(&c);
	cli_tensors("x.safetensors", &a, &set);
	const struct tensor *vectors = cli_tensor(&set, "eigenvectors");
	const struct tensor *eigenvalues = cli_tensor(&set, "eigenvalues");
	const struct tensor *weight = cli_tensor(&set, "param.laplacian.weight");
	const struct tensor *bias = cli_tensor(&set, "param.laplacian.bias");
	const struct tensor *added = cli_tensor(&set, "position.vectors");
	assert_int_equal(eigenvalues->dims, 1);
	assert_int_equal(eigenvalues->shape[0], 4);
	assert_int_equal(vectors->shape[0], 5);
	assert_int_equal(vectors->shape[1], 4);
	for (size_t j = 0; j < 4; j++)
		assert_true(fabs(eigenvalues->at[j] - values[j]) < 5e-5);
	for (size_t t = 0; t < 5; t++)
		for (size_t i = 0; i < 16; i++) {
			double sum = bias->at[i];
			for (size_t j = 0; j < 4; j++)
				sum += vectors->at[t * 4 + j] * weight->at[j * 16 + i];
			assert_true(fabs(sum - added->at[t * 16 + i]) < 1e-12);
		}
	cli_remove("x.safetensors");
	arena_release(&a);
}
