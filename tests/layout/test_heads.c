/* test_heads.c: the mean over heads and layers, worked by hand and in every view; how weights are spread,
 * against closed forms. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/export/export.h"
#include "view/heads_in.h"

FIXTURE(open_arena, close_arena)

static void assert_close(double got, double want, const char *what)
{
	if (!(fabs(got - want) <= 1e-12))
		fail_msg("%s: %.17g, not %.17g", what, got, want);
}

static void assert_mat(struct mat m, const double *want, const char *what)
{
	assert_non_null(m.at);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		assert_close(mat_row(m, i / m.cols)[i % m.cols], want[i], what);
}

/* ---- by hand ------------------------------------------------------------------------------------ */

enum { N = 2, HEADS = 2, STEPS = 2 };

/* A trace of two heads in two steps, with room for their means. */
static struct trace trace_of_two(void)
{
	static const char *const labels[N] = {"a", "b"};
	static const long token[N] = {0, 1};
	const struct axis axis = {.n = N, .labels = labels, .token = token};
	struct trace trace = {.query = axis, .key = axis, .n_layers = STEPS};
	trace.layers = arena_calloc(&arena, STEPS + 1, sizeof *trace.layers);
	for (size_t l = 0; l <= STEPS; l++) {
		trace.layers[l].heads =
			arena_calloc(&arena, HEADS + 1, sizeof *trace.layers[l].heads);
		trace.layers[l].allowed =
			arena_calloc(&arena, HEADS + 1, sizeof *trace.layers[l].allowed);
	}
	return trace;
}

static double logits_1[] = {1, 2, 3, 4}, logits_2[] = {5, 6, 7, 8};
static double weights_1[] = {0.25, 0.75, 0.5, 0.5}, weights_2[] = {1, 0, 0.2, 0.8};
static double ones[] = {1, 1, 1, 1}, rest_1[] = {0, 1, 2, 3};
static const uint8_t mask_2[] = {1, 0, 1, 1};

/* Head 1 sees all and has the terms a and b, head 2 sees no later key and has the term a alone. */
static struct trace two_heads(void)
{
	struct trace trace = trace_of_two();
	struct trace_head *const heads = trace.layers[0].heads;
	heads[0] = (struct trace_head){.logits = mat_view(logits_1, N, N),
				       .weights = mat_view(weights_1, N, N),
				       .bias = mat_view(rest_1, N, N),
				       .terms = {{.label = "a", .at = mat_view(ones, N, N)},
						 {.label = "b", .at = mat_view(rest_1, N, N)}},
				       .n_terms = 2};
	heads[1] = (struct trace_head){.logits = mat_view(logits_2, N, N),
				       .weights = mat_view(weights_2, N, N),
				       .bias = mat_view(ones, N, N),
				       .mask = mask_2,
				       .terms = {{.label = "a", .at = mat_view(logits_2, N, N)}},
				       .n_terms = 1};
	return trace;
}

/* Of the cell that head 2 hides the mean is head 1's value; of weights it is half of it. */
TEST(mean_of_two_heads_by_hand)
{
	struct trace trace = two_heads();
	trace_mean(&trace, HEADS, 0, HEADS, &arena);
	const struct trace_head *const mean = &trace.layers[0].heads[HEADS];
	assert_mat(mean->logits, (double[]){3, 2, 5, 6}, "logits");
	assert_mat(mean->bias, (double[]){0.5, 1, 1.5, 2}, "bias");
	assert_mat(mean->weights, (double[]){0.625, 0.375, 0.35, 0.65}, "weights");
	assert_null(mean->mask);
	assert_int_equal(trace.layers[0].allowed[HEADS], 4);
	assert_int_equal(mean->n_terms, 2);
	assert_string_equal(mean->terms[0].label, "a");
	assert_mat(mean->terms[0].at, (double[]){3, 1, 4, 4.5}, "a");
	assert_mat(mean->terms[1].at, (double[]){0, 1, 1, 1.5}, "b");
}

TEST(mean_allows_what_any_head_allows)
{
	static const uint8_t mask_1[] = {1, 0, 0, 1};
	struct trace trace = two_heads();
	trace.layers[0].heads[0].mask = mask_1;
	trace_mean(&trace, HEADS, 0, HEADS, &arena);
	const struct trace_head *const mean = &trace.layers[0].heads[HEADS];
	assert_memory_equal(mean->mask, ((uint8_t[]){1, 0, 1, 1}), 4);
	assert_int_equal(trace.layers[0].allowed[HEADS], 3);
	/* (1, 2) is hidden from both: over both; (2, 1) from head 1: head 2's. */
	assert_mat(mean->logits, (double[]){3, 4, 7, 6}, "logits");
}

TEST(mean_of_layers_is_of_one_head)
{
	struct trace trace = two_heads();
	trace.layers[1].heads[0].logits = mat_view(logits_2, N, N);
	trace.layers[1].heads[0].weights = mat_view(weights_2, N, N);
	trace_mean(&trace, HEADS, STEPS, 0, &arena);
	const struct trace_head *const mean = &trace.layers[STEPS].heads[0];
	assert_mat(mean->logits, (double[]){3, 4, 5, 6}, "logits");
	assert_mat(mean->weights, (double[]){0.625, 0.375, 0.35, 0.65}, "weights");
	assert_mat(mean->bias, rest_1, "the bias is of layer 1");
}

TEST(heads_without_logits_have_no_part_in_their_mean)
{
	struct trace trace = two_heads();
	trace.layers[0].heads[0].logits = (struct mat){0};
	trace.layers[0].heads[0].n_terms = 0;
	trace_mean(&trace, HEADS, 0, HEADS, &arena);
	assert_mat(trace.layers[0].heads[HEADS].logits, logits_2, "logits");
	assert_mat(trace.layers[0].heads[HEADS].terms[0].at, logits_2, "term");
	assert_mat(trace.layers[0].heads[HEADS].weights, (double[]){0.625, 0.375, 0.35, 0.65},
		   "weights");
}

/* Sixteen terms of one head and one more of the other: the last is for both. */
TEST(terms_of_a_mean_add_up_when_there_are_too_many)
{
	static const char *const names[MODEL_MAX_TERMS] = {"a", "b", "c", "d", "e", "f", "g", "h",
							   "i", "j", "k", "l", "m", "n", "o", "p"};
	struct trace trace = two_heads();
	struct trace_head *const first = &trace.layers[0].heads[0];
	first->n_terms = MODEL_MAX_TERMS;
	for (size_t i = 0; i < MODEL_MAX_TERMS; i++)
		first->terms[i] =
			(struct trace_term){.label = names[i], .at = mat_view(ones, N, N)};
	trace.layers[0].heads[1].terms[0].label = "q";
	trace_mean(&trace, HEADS, 0, HEADS, &arena);
	const struct trace_head *const mean = &trace.layers[0].heads[HEADS];
	assert_int_equal(mean->n_terms, MODEL_MAX_TERMS);
	assert_string_equal(mean->terms[MODEL_MAX_TERMS - 1].label, "rest");
	assert_mat(mean->terms[0].at, (double[]){0.5, 1, 0.5, 0.5}, "a");
	assert_mat(mean->terms[MODEL_MAX_TERMS - 1].at, (double[]){3, 1, 4, 4.5}, "rest");
}

/* ---- how weights are spread --------------------------------------------------------------------- */

/* n tokens that see each other alike: ln n, and the mean of |s − t|, (n² − 1) / 3n. */
TEST(uniform_weights_are_spread_most)
{
	enum { MOST = 9 };
	static const char *const labels[MOST] = {"", "", "", "", "", "", "", "", ""};
	static const long token[MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	for (size_t n = 1; n <= MOST; n++) {
		const struct axis axis = {.n = n, .labels = labels, .token = token};
		const struct trace trace = {.query = axis, .key = axis};
		const struct mat m = mat_new(&arena, n, n);
		const double size = (double)n;
		mat_fill(m, 1 / size);
		assert_close(weights_entropy(m), log(size), "entropy of alike ones");
		assert_close(weights_distance(&trace, m), (size * size - 1) / (3 * size),
			     "distance");
		assert_close(weights_entropy(mat_eye(&arena, n)), 0, "entropy of one each");
		assert_close(weights_distance(&trace, mat_eye(&arena, n)), 0, "its distance");
	}
}

/* Rows count relative to their sum, empty ones not at all; a negative weight is no part. */
TEST(rows_count_by_their_sum)
{
	double at[] = {0, 0, 0.2, 0.2};
	const struct trace trace = two_heads();
	assert_close(weights_entropy(mat_view(at, N, N)), log(2), "entropy");
	assert_close(weights_distance(&trace, mat_view(at, N, N)), 0.5, "distance");
	at[0] = -0.1;
	assert_true(isnan(weights_entropy(mat_view(at, N, N))));
	assert_true(isnan(weights_distance(&trace, mat_view(at, N, N))));
	const struct mat none = mat_zero(&arena, N, N);
	assert_true(isnan(weights_entropy(none)) && isnan(weights_distance(&trace, none)));
}

/* [CLS] has no place: the row [CLS] does not count, nor what others see of it. */
TEST(units_without_a_token_are_at_no_distance)
{
	static const char *const labels[] = {"", "", ""};
	static const long token[] = {-1, 0, 1};
	static double at[] = {0, 0, 1, 0.5, 0.25, 0.25, 0.9, 0.1, 0};
	const struct axis axis = {.n = 3, .labels = labels, .token = token};
	const struct trace trace = {.query = axis, .key = axis};
	/* Token 1: half at 0, half at 1; token 2: all at 1. */
	assert_close(weights_distance(&trace, mat_view(at, 3, 3)), 0.75, "distance");
}

/* ---- in the views ------------------------------------------------------------------------------- */

/* ALiBi's slopes of two heads are 1/16 and 1/256: their mean is 17/512. */
TEST(explore_shows_the_mean_of_slopes)
{
	const struct picture *const p =
		help_picture(&arena, "alibi", "heads 2\nhead mean\nprobe ones\nsentence a b c d\n");
	const struct panel *const bias = help_panel(&p->figure, "Position bias");
	const struct panel *const weights = help_panel(&p->figure, "Attention weights");
	assert_string_equal(bias->note, "mean of 2 heads");
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s <= t; s++)
			assert_close(mat_row(bias->heatmap.values, t)[s],
				     -17.0 / 512 * (double)(t - s), "bias");
	for (size_t t = 0; t < 4; t++) {
		double sum = 0;
		for (size_t s = 0; s < 4; s++)
			sum += mat_row(weights->heatmap.values, t)[s];
		assert_close(sum, 1, "a row of weights");
	}
	assert_string_equal(weights->note, "mean of 2 heads · layer 1");
}

static struct mat values_of(const char *expression, const char *lines, const char *title)
{
	return help_panel(&help_picture(&arena, expression, lines)->figure, title)->heatmap.values;
}

/* What each head and layer shows alone, by pictures of their own. */
TEST(mean_of_heads_and_layers_is_that_of_their_pictures)
{
	static const char *const scheme = "t5+causal(heads=1)";
	enum { SIDE = 9, LAYERS = 2, OF = 3 };
	double sum[SIDE * SIDE] = {0};
	for (int l = 1; l <= LAYERS; l++)
		for (int h = 1; h <= OF; h++) {
			const struct mat m = values_of(
				scheme,
				arena_printf(&arena, "d-model 48\nheads 3\nhead %d\nlayer %d\n", h,
					     l),
				"Attention weights");
			for (size_t i = 0; i < SIDE * SIDE; i++)
				sum[i] += mat_row(m, i / SIDE)[i % SIDE] / (LAYERS * OF);
		}
	assert_mat(values_of(scheme, "d-model 48\nheads 3\nhead mean\nlayer mean\n",
			     "Attention weights"),
		   sum, "weights");
}

TEST_SAMPLED(every_view_shows_a_mean, 1, 3)
{
	static const char *const schemes[] = {"t5",    "rope+causal(heads=1)",
					      "gauss", "deberta",
					      "disan", "t5(heads=1-2)+alibi(heads=3-4)"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		for (const struct view *const *v = views; *v; v++) {
			if ((*v)->table || (i + (size_t)(v - views)) % test_parts != test_part)
				continue;
			const char *const lines = arena_printf(
				&arena,
				"view %s\nmatrix logits\nhead mean\nlayer mean\nrow 2\ncol 1\n",
				(*v)->name);
			const struct picture *const p = help_picture(&arena, schemes[i], lines);
			help_figure_is_sound(&arena, &p->figure, (*v)->name);
		}
}

/* The number behind the last head or layer is no number of one. The view Layers has no heads, and more layers. */
TEST(a_mean_is_called_by_no_number)
{
	for (const struct view *const *v = views; *v; v++) {
		if ((*v)->table || (*v)->slow || (*v)->own)
			continue;
		const char *const lines = arena_printf(
			&arena, "view %s\nhead mean\nlayer mean\nrow 2\ncol 1\n", (*v)->name);
		const struct picture *const p = help_picture(&arena, "deberta", lines);
		char *text;
		size_t len;
		export_plain(&p->figure, &arena, &text, &len);
		if (strstr(text, "head 5") || strstr(text, "layer 3") || strstr(text, "head 0"))
			fail_msg("%s: %s", lines, text);
		struct scene scene;
		scene_init(&scene);
		if ((*v)->relation || (*v)->wants(&scene) == 0) /* no matrix of a head */
			continue;
		assert_non_null(strstr(text, "mean of"));
	}
}

/* Terms that differ among heads are 0 where they are not: what is shown still adds up. */
TEST(terms_of_a_mean_add_up_to_its_logits)
{
	const struct picture *const p =
		help_picture(&arena, "t5(heads=1-2)+alibi(heads=3-4)", "view terms\nhead mean\n");
	const struct trace_head *const mean = &p->trace.layers[0].heads[4];
	for (size_t t = 0; t < mean->logits.rows; t++)
		for (size_t s = 0; s < mean->logits.cols; s++) {
			double sum = 0;
			for (size_t k = 0; k < mean->n_terms; k++)
				sum += mat_row(mean->terms[k].at, t)[s];
			assert_close(sum, mat_row(mean->logits, t)[s], "sum");
		}
	assert_int_equal(mean->n_terms, 3);
}

TEST(why_of_a_mean_says_what_it_is_of)
{
	const struct picture *const p = help_picture(
		&arena, "t5", "view why\nheads 2\nd-model 32\nhead mean\nrow 2\ncol 1\n");
	const struct figure *const f = &p->figure;
	assert_non_null(strstr(f->subtitle, "mean of 2 heads"));
	const struct panel *const row = help_panel(f, "Weights of the row");
	assert_non_null(strstr(row->note, "not the softmax of the mean logits"));
	assert_null(strstr(row->columns.formula, "exp("));
	const struct trace_head *const at = p->trace.layers[0].heads;
	const double mean = (mat_row(at[0].weights, 1)[0] + mat_row(at[1].weights, 1)[0]) / 2;
	assert_close(row->columns.values[0], mean, "weight");
}

/* ---- the sentence ------------------------------------------------------------------------------- */

/* Two of three agree; the third is named with its own distance, and the entropies order them. */
TEST(heads_are_told_by_where_they_look)
{
	struct heads_item items[] = {{"head 1", true, 0, 1.5, "1.50"},
				     {"head 2", true, -1, 1.2, "1.20"},
				     {"head 3", true, 0, 1.9, "1.90"}};
	assert_string_equal(
		heads_finding(items, 3, "heads", "s−t", NULL, false, &arena),
		"2 of 3 heads attend most, on average, to the token itself (s−t = 0), head 2 to the key "
		"just before (s−t = −1); head 2 is sharpest (entropy 1.20 nats), head 3 broadest (1.90).");
	assert_string_equal(heads_finding(items, 3, "heads", "φ(t,s)", "bias", false, &arena),
			    "2 of 3 heads have the largest mean bias at φ(t,s) = 0, head 2 at "
			    "φ(t,s) = −1.");
	items[0].keys = 4;
	assert_null(strstr(heads_finding(items, 3, "heads", "s−t", NULL, true, &arena), "pair"));
	items[0].keys = 2;
	assert_string_equal(
		heads_finding(items, 3, "heads", "s−t", NULL, true, &arena),
		"2 of 3 heads attend most to the token itself (s−t = 0), a mean of 2 pairs.");
	items[2].peak = 3;
	assert_string_equal(heads_finding(items, 3, "heads", "s−t", NULL, true, &arena),
			    "The 3 heads attend most at different distances: s−t = 0, −1, 3.");
	assert_string_equal(
		heads_finding_least(heads_finding(items, 3, "heads", "s−t", NULL, true, &arena),
				    &arena),
		"The 3 heads attend most at s−t = 0, −1, 3.");
	assert_null(heads_finding_least("All 4 heads attend most to the token itself (s−t = 0).",
					&arena));
	assert_null(heads_finding_least(NULL, &arena));
	for (size_t i = 0; i < 3; i++)
		items[i] = (struct heads_item){"head", i == 2, 2, NAN, "–"};
	assert_string_equal(
		heads_finding(items, 3, "heads", "s−t", NULL, false, &arena),
		"1 of 3 heads attend most, on average, to the key 2 after (s−t = 2), the "
		"other ones elsewhere.");
	items[2].peaks = false;
	assert_string_equal(heads_finding(items, 3, "layers", "s−t", NULL, false, &arena),
			    "No distance is preferred in any of the 3 layers.");
	assert_null(heads_finding(items, 1, "heads", "s−t", NULL, false, &arena));
}

/* Heads whose entropy reads alike are none of them alone the sharpest, or the broadest. */
TEST(heads_that_tie_are_named_together)
{
	struct heads_item items[] = {{"head 1", true, 0, 1.2001, "1.20"},
				     {"head 2", true, 0, 1.2, "1.20"},
				     {"head 3", true, 0, 1.9, "1.90"},
				     {"head 4", true, 0, 1.9, "1.90"}};
	static const char all[] =
		"All 4 heads attend most, on average, to the token itself (s−t = 0)";
	assert_string_equal(
		heads_finding(items, 4, "heads", "s−t", NULL, false, &arena),
		arena_printf(&arena,
			     "%s; head 1 and head 2 are sharpest (entropy 1.20 nats), head 3 and "
			     "head 4 broadest (1.90).",
			     all));
	assert_string_equal(heads_finding(items, 4, "heads", "s−t", NULL, true, &arena),
			    "All 4 heads attend most to the token itself (s−t = 0).");
	assert_string_equal(heads_finding(items, 2, "heads", NULL, NULL, false, &arena),
			    "All are equally sharp (entropy 1.20 nats).");
	items[2] = (struct heads_item){"head 3", true, 0, 1.2, "1.20"};
	assert_string_equal(heads_finding(items, 4, "heads", NULL, NULL, false, &arena),
			    "3 of them are sharpest (entropy 1.20 nats), head 4 broadest (1.90).");
}

/* Entropies that differ by a tenth, or less, are told as alike. */
TEST(heads_that_are_nearly_alike_are_told_so)
{
	struct heads_item items[] = {{"head 1", true, 0, 2.02, "2.02"},
				     {"head 2", true, 0, 2.06, "2.06"}};
	assert_string_equal(heads_finding(items, 2, "heads", NULL, NULL, false, &arena),
			    "All are about equally sharp (entropy 2.02 to 2.06 nats).");
	items[1] = (struct heads_item){"head 2", true, 0, 2.23, "2.23"};
	assert_string_equal(heads_finding(items, 2, "heads", NULL, NULL, false, &arena),
			    "Head 1 is sharpest (entropy 2.02 nats), head 2 broadest (2.23).");
}

/* Means are none of the heads; a sweep, a single matrix and masks say nothing of heads. */
TEST(the_view_heads_says_a_finding)
{
	static const struct {
		const char *scheme, *lines, *says;
	} rows[] = {
		{"rope", "",
		 "All 4 heads attend most, on average, to the token itself (s−t = 0); "},
		{"graphormer", "", "All 4 heads attend most, on average, to keys at φ(t,s) = 0; "},
		{"rope", "heads-of head\nlayer mean\n", "All 2 layers attend most"},
		{"rope", "layer mean\n", "All 4 heads attend most"},
		{"alibi", "matrix bias\n", "All 4 heads have the largest mean bias at s−t = 0."},
		{"rope", "matrix mask\n", NULL},
		{"rope", "sweep base=100,1000\n", NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const says =
			help_picture(&arena, rows[i].scheme,
				     arena_printf(&arena, "view heads\n%s", rows[i].lines))
				->figure.finding;
		if (rows[i].says == NULL
			    ? says != NULL
			    : !says || strncmp(says, rows[i].says, strlen(rows[i].says)))
			fail_msg("%s %s: %s", rows[i].scheme, rows[i].lines,
				 says ? says : "nothing");
	}
}
