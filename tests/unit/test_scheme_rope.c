/* test_scheme_rope.c: turned queries and keys: worked numbers, what turning leaves, five codes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 6 };

/* One head of width 4 in which every query is (1,2,3,4) and every key (.5,-1,.25,2): all units are
 * the first unit vector and the first rows of W_q and W_k are these. */
static void worked_sizes(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = r->config.layers = 1;
	r->want.kinds |= WANT_QKV;
}

static struct given worked_weights(struct arena *a)
{
	static const double query[] = {1, 2, 3, 4}, key[] = {.5, -1, .25, 2};
	struct tensor_set *set = arena_calloc(a, 1, sizeof *set);
	tensor_set_init(set, a);
	const struct mat w_q = mat_zero(a, 4, 4), w_k = mat_zero(a, 4, 4);
	memcpy(w_q.at, query, sizeof query);
	memcpy(w_k.at, key, sizeof key);
	tensor_set_add(set, "w_q", w_q, false);
	tensor_set_add(set, "w_k", w_k, false);
	return (struct given){.weights = set};
}

static void open_worked(struct help_run *r, struct given *given)
{
	help_run_must_open(r, "none", N, 0, worked_sizes);
	*given = worked_weights(&r->arena);
	mat_fill(r->in.units, 0);
	mat_fill(mat_cols(r->in.units, 0, 1), 1);
	r->want.kinds &= ~(unsigned)WANT_BIAS;
}

static const struct trace_head *first_head(const struct trace *trace)
{
	return &trace->layers[0].heads[0];
}

TEST(turned_vectors_are_those_of_the_definition)
{
	static const struct {
		const char *expression;
		double query[4];      /* R_3 q */
		double ahead, behind; /* q'_m·k'_n for m-n = 2 and -2 */
	} rows[] = {
		{"rope",
		 {-1.27223251, -1.83886499, 2.87866810, 4.08818664},
		 7.65386879,
		 11.09107183},
		{"rope(layout=half)",
		 {-1.41335252, 1.87911807, -2.82885748, 4.05819114},
		 4.50198404,
		 6.45524894},
	};
	struct help_run r;
	struct given given;
	open_worked(&r, &given);
	for (size_t i = 0; i < 2; i++) {
		const struct trace_head *head =
			first_head(help_again(&r, rows[i].expression, &given));
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs(mat_row(head->q, 3)[j] - rows[i].query[j]) < 1e-8);
		for (size_t t = 0; t < N; t++) {
			/* c = 1/2 */
			assert_true(fabs(mat_row(head->logits, t)[t] - 7.25 / 2) < 1e-12);
			if (t < 2)
				continue;
			assert_true(fabs(mat_row(head->logits, t)[t - 2] - rows[i].ahead / 2) <
				    1e-8);
			assert_true(fabs(mat_row(head->logits, t - 2)[t] - rows[i].behind / 2) <
				    1e-8);
		}
	}
	help_run_close(&r);
}

/* R_m R_m = R_2m */
TEST(turning_twice_turns_twice_as_far)
{
	struct help_run r;
	struct given given;
	open_worked(&r, &given);
	const struct mat once = first_head(help_again(&r, "rope", &given))->q;
	const struct mat twice = first_head(help_again(&r, "rope+rope", &given))->q;
	for (size_t t = 0; 2 * t < N; t++)
		assert_true(mat_max_abs_diff(mat_rows(twice, t, 1), mat_rows(once, 2 * t, 1)) <
			    1e-12);
	assert_true(mat_max_abs_diff(mat_rows(twice, 1, 1), mat_rows(once, 1, 1)) > 0.1);
	help_run_close(&r);
}

/* Counting from the end turns the other way round. */
TEST(a_column_that_counts_down_mirrors_the_distances)
{
	struct help_run r;
	struct given given;
	open_worked(&r, &given);
	const struct mat up = first_head(help_again(&r, "rope", &given))->logits;
	const struct mat down = first_head(help_again(&r, "rope(pos=remaining)", &given))->logits;
	assert_true(mat_max_abs_diff(down, mat_transpose(&r.arena, up)) < 1e-12);
	assert_true(mat_max_abs_diff(down, up) > 0.1);
	help_run_close(&r);
}

/* B -> inf: the first pair turns by t, all others stand still. */
TEST(a_huge_base_leaves_one_pair_turning)
{
	struct help_run r;
	struct given given;
	open_worked(&r, &given);
	const struct mat q = first_head(help_again(&r, "rope(base=1e300)", &given))->q;
	for (size_t t = 0; t < N; t++) {
		const double a = (double)t;
		assert_true(fabs(mat_row(q, t)[0] - (cos(a) - 2 * sin(a))) < 1e-12);
		assert_true(fabs(mat_row(q, t)[1] - (sin(a) + 2 * cos(a))) < 1e-12);
		assert_true(mat_row(q, t)[2] == 3 && mat_row(q, t)[3] == 4);
	}
	help_run_close(&r);
}

TEST(lengths_stay)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, help_with_qkv);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		assert_true(mat_max_abs_diff(head->q, head->q_raw) > 0.01);
		for (size_t t = 0; t < 9; t++) {
			assert_true(fabs(help_row_norm(head->q, t) -
					 help_row_norm(head->q_raw, t)) < 1e-12);
			assert_true(fabs(help_row_norm(head->k, t) -
					 help_row_norm(head->k_raw, t)) < 1e-12);
		}
	}
	help_run_close(&r);
}

TEST(nothing_turned_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	static const char *const still[] = {"rope(partial=0)", "rope(partial=0.2)"};
	for (size_t i = 0; i < 2; i++) { /* 0.2 of 8 columns is no pair */
		const struct trace *trace = help_again(&r, still[i], NULL);
		assert_true(help_logits_apart(&r.trace, trace, 1, 4) < 1e-12);
		assert_true(help_output_apart(&r.trace, trace, 1) < 1e-12);
	}
	assert_true(help_logits_apart(&r.trace, help_again(&r, "rope", NULL), 1, 4) > 1e-3);
	help_run_close(&r);
}

static void wide_heads(struct help_run *r)
{
	r->config.d = 40;
	r->want.kinds |= WANT_QKV;
}

/* Of heads with 10 columns: 0.25 turns 2, 0.7 turns 6 (not 7), 1 turns all. */
TEST(partial_turns_the_even_number_below)
{
	static const struct {
		const char *expression;
		size_t turned;
	} rows[] = {{"rope(partial=0.25)", 2},
		    {"rope(partial=0.7)", 6},
		    {"rope(partial=0.6)", 6},
		    {"rope(partial=0.6,layout=half)", 6},
		    {"rope", 10}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 3, 0, wide_heads);
		const struct trace_head *head = &r.trace.layers[0].heads[2];
		for (size_t c = 0; c < 10; c++) {
			const bool same = mat_row(head->q, 2)[c] == mat_row(head->q_raw, 2)[c];
			assert_true(same == (c >= rows[i].turned));
		}
		help_run_close(&r);
	}
}

TEST(logits_depend_on_differences_only)
{
	static const double shifts[] = {7, -3, 0.5};
	static const char *const expressions[] = {"rope", "rope(layout=half,partial=0.5)"};
	for (size_t e = 0; e < 2; e++) {
		struct help_run r;
		help_run_must_open(&r, expressions[e], 9, 0, NULL);
		const struct mat bias = r.trace.layers[0].heads[1].bias;
		double lo, hi;
		assert_true(mat_range(bias, &lo, &hi) && hi - lo > 1e-3);
		assert_true(help_toeplitz_error(bias) < 1e-12);
		r.in.shift_column = "seq";
		for (size_t i = 0; i < 3; i++) {
			r.in.shift_by = shifts[i];
			const struct trace *moved = help_again(&r, expressions[e], NULL);
			assert_true(help_logits_apart(&r.trace, moved, 1, 4) < 1e-9);
		}
		help_run_close(&r);
	}
}

TEST(start_moves_vectors_but_not_logits)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, help_with_qkv);
	const struct trace *moved = help_again(&r, "rope(start=-5)", NULL);
	assert_true(help_logits_apart(&r.trace, moved, 1, 4) < 1e-9);
	assert_true(mat_max_abs_diff(r.trace.layers[0].heads[0].q, moved->layers[0].heads[0].q) >
		    0.1);
	help_run_close(&r);
}

/* Column i of a head's half layout is column 2i of the other, column i+4 is 2i+1. */
static struct given permuted_weights(struct arena *a, const struct mat w[2])
{
	static const char *const names[] = {"w_q", "w_k"};
	struct tensor_set *set = arena_calloc(a, 1, sizeof *set);
	tensor_set_init(set, a);
	for (size_t k = 0; k < 2; k++) {
		const struct mat to = mat_new(a, 32, 32);
		for (size_t h = 0; h < 4; h++)
			for (size_t i = 0; i < 4; i++)
				for (size_t half = 0; half < 2; half++)
					mat_set(mat_cols(to, 8 * h + i + 4 * half, 1),
						mat_cols(w[k], 8 * h + 2 * i + half, 1));
		tensor_set_add(set, names[k], to, false);
	}
	return (struct given){.weights = set};
}

TEST(layouts_differ_by_a_permutation_of_columns)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	struct rng rng;
	rng_init(&rng, 5);
	struct mat w[2];
	struct tensor_set set;
	tensor_set_init(&set, &r.arena);
	for (size_t k = 0; k < 2; k++) {
		w[k] = mat_new(&r.arena, 32, 32);
		mat_fill_normal(w[k], 0.3, &rng);
		tensor_set_add(&set, k == 0 ? "w_q" : "w_k", w[k], false);
	}
	const struct given as_is = {.weights = &set}, permuted = permuted_weights(&r.arena, w);
	const struct trace *interleaved = help_again(&r, "rope", &as_is);
	const struct trace *half = help_again(&r, "rope(layout=half)", &permuted);
	assert_true(help_logits_apart(interleaved, half, 0, 4) < 1e-12);
	assert_true(help_logits_apart(interleaved, help_again(&r, "rope(layout=half)", &as_is), 0,
				      4) > 1e-3);
	help_run_close(&r);
}

TEST(values_are_turned_when_asked_for)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, help_with_qkv);
	const struct trace *turned = help_again(&r, "rope(rotary_value=on,heads=[1,2])", NULL);
	const struct trace_head *old = r.trace.layers[0].heads, *new = turned->layers[0].heads;
	assert_true(mat_max_abs_diff(old[0].logits, new[0].logits) < 1e-12);
	assert_true(mat_max_abs_diff(mat_rows(old[0].v, 0, 1), mat_rows(new[0].v, 0, 1)) == 0);
	assert_true(mat_max_abs_diff(old[0].v, new[0].v) > 0.1);
	assert_true(mat_max_abs_diff(old[3].v, new[3].v) == 0);
	for (size_t t = 0; t < 9; t++)
		assert_true(fabs(help_row_norm(old[1].v, t) - help_row_norm(new[1].v, t)) < 1e-12);
	help_run_close(&r);
}

TEST(it_acts_in_the_layers_and_heads_named)
{
	struct help_run r;
	help_run_must_open(&r, "rope(layers=2,heads=3)", 9, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(&r.trace, none, 0) < 1e-12);
	const struct trace_head *got = r.trace.layers[1].heads, *still = none->layers[1].heads;
	assert_true(mat_max_abs_diff(got[1].logits, still[1].logits) < 1e-12);
	assert_true(mat_max_abs_diff(got[2].logits, still[2].logits) > 1e-3);
	help_run_close(&r);
}

/* Turning is linear, so survey eq. 4 still splits the product when sinusoids are added. */
TEST(four_terms_sum_to_the_logits)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+rope", 6, 0, help_with_terms);
	const struct trace_head *head = &r.trace.layers[0].heads[2];
	assert_int_equal(head->n_terms, 4);
	const struct mat sum = mat_zero(&r.arena, 6, 6);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 36; k++)
			sum.at[k] += mat_row(head->terms[i].at, k / 6)[k % 6];
	assert_true(mat_max_abs_diff(sum, head->logits) < 1e-12);
	help_run_close(&r);
}

static void narrow_heads(struct help_run *r)
{
	r->config.heads = r->config.d;
}

TEST(heads_of_one_column_are_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "rope", 3, 0, narrow_heads));
	assert_non_null(strstr(r.err.text, "fewer heads"));
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/rope-half-a.safetensors", .expression = "rope(layout=half)+causal"},
		{.file = "seq/rope-interleaved-a.safetensors", .expression = "rope+causal"},
		{.file = "seq/rope-roformer-a.safetensors", .expression = "rope"},
		{.file = "seq/rope_partial-half-a.safetensors",
		 .expression = "rope(layout=half,partial=0.25)+causal"},
		{.file = "seq/rope_partial-interleaved-a.safetensors",
		 .expression = "rope(partial=0.5)+causal"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* q, k, logits, weights, context of every head */
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

/* ---- on a grid ---- */

/* W = 3: position 5 is row 1, column 2; the only pair of each axis turns by 1. */
TEST(a_grid_turns_by_row_and_by_column)
{
	struct help_run r;
	struct given given;
	open_worked(&r, &given);
	static const char *const expressions[] = {"rope(grid=3)", "rope(grid=3,layout=half)"};
	for (size_t half = 0; half < 2; half++) {
		const double *q =
			mat_row(first_head(help_again(&r, expressions[half], &given))->q, 5);
		/* Columns of the pairs: (0,1), (2,3), or (0,2), (1,3). */
		const size_t b = half ? 2 : 1, c = half ? 1 : 2;
		const double x[] = {1, 2, 3, 4};
		assert_true(fabs(q[0] - (x[0] * cos(1) - x[b] * sin(1))) < 1e-12);
		assert_true(fabs(q[b] - (x[0] * sin(1) + x[b] * cos(1))) < 1e-12);
		assert_true(fabs(q[c] - (x[c] * cos(2) - x[3] * sin(2))) < 1e-12);
		assert_true(fabs(q[3] - (x[c] * sin(2) + x[3] * cos(2))) < 1e-12);
	}
	help_run_close(&r);
}

/* In one row only the pairs of columns turn, as rope in a head of half the width would; in one
 * column only those of rows. */
TEST(one_row_or_one_column_is_half_a_rope)
{
	struct help_run r;
	help_run_must_open(&r, "rope_2d(grid=1)", 9, 0, help_with_qkv);
	const struct trace *rope = help_again(&r, "rope(partial=0.5)", NULL);
	help_traces_equal(&r.trace, rope);
	const struct trace_head *row = help_again(&r, "rope_2d(grid=9)", NULL)->layers[0].heads;
	for (size_t t = 0; t < 9; t++)
		for (size_t c = 0; c < 4; c++) {
			const double *raw = mat_row(row->q_raw, t), *q = mat_row(row->q, t);
			const double theta = c < 2 ? 1 : 0.01, a = theta * (double)t;
			const size_t i = 4 + c / 2 * 2;
			assert_true(q[c] == raw[c]);
			assert_true(fabs(q[4 + c] -
					 (c % 2 ? raw[i] * sin(a) + raw[i + 1] * cos(a)
						: raw[i] * cos(a) - raw[i + 1] * sin(a))) < 1e-12);
		}
	help_run_close(&r);
}

TEST(no_grid_is_a_line)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "rope_2d(grid=0)", NULL));
	help_traces_equal(help_again(&r, "rope_2d", NULL), help_again(&r, "rope(grid=4)", NULL));
	help_run_close(&r);
}

/* Whole rows may be skipped; a single step takes the last of a row to the next. */
TEST(a_grid_sees_differences_of_rows_and_columns)
{
	struct help_run r;
	help_run_must_open(&r, "rope(grid=3)", 9, 0, NULL);
	const struct mat bias = r.trace.layers[0].heads[1].bias;
	assert_true(help_toeplitz_error(bias) > 1e-3);
	for (size_t t = 0; t < 9; t++)
		for (size_t s = 0; s < 9; s++)
			for (size_t u = 0; u < 9; u++)
				for (size_t v = 0; v < 9; v++)
					if (t / 3 + v / 3 == u / 3 + s / 3 &&
					    t % 3 + v % 3 == u % 3 + s % 3)
						assert_true(fabs(mat_row(bias, t)[s] -
								 mat_row(bias, u)[v]) < 1e-12);
	r.in.shift_column = "seq";
	static const double shifts[] = {3, -6, 1, 2};
	for (size_t i = 0; i < 4; i++) {
		r.in.shift_by = shifts[i];
		const double apart =
			help_logits_apart(&r.trace, help_again(&r, "rope(grid=3)", NULL), 1, 4);
		assert_true(i < 2 ? apart < 1e-9 : apart > 1e-3);
	}
	r.in.shift_by = 0;
	const struct trace *started = help_again(&r, "rope(grid=3,start=7)", NULL);
	assert_true(help_logits_apart(&r.trace, started, 1, 4) < 1e-9);
	help_run_close(&r);
}

/* Both axes have as many: of 8 columns 0.75 would turn 6, on a grid it turns 4. */
TEST(a_grid_turns_columns_by_fours)
{
	struct help_run r;
	help_run_must_open(&r, "rope(grid=3,partial=0.75)", 9, 0, help_with_qkv);
	const struct trace_head *head = r.trace.layers[0].heads;
	for (size_t c = 0; c < 8; c++)
		assert_true((mat_row(head->q, 5)[c] == mat_row(head->q_raw, 5)[c]) == (c >= 4));
	help_run_close(&r);
}
