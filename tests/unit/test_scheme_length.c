/* test_scheme_length.c: encodings of the length that a decoder is asked for. Their other rows and limits
 * stand in test_scheme_sinusoid.c and test_scheme_scaled.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"

static void small(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
}

/* Six steps of a length of 5: t = 0, …, 5. */
TEST(tables_are_those_of_the_authors_code)
{
	static const struct {
		const char *expression, *tensor;
	} rows[] = {
		{"ldpe(length=5)", "position.ldpe_formula"},
		{"ldpe(length=5,count=code,layout=concat,freq=t2t)", "position.ldpe_code"},
		{"lrpe(length=5)", "position.lrpe_formula"},
		{"lrpe(length=5,start=2,layout=concat,freq=t2t)", "position.lrpe_code"},
		{"sinusoidal(start=2,layout=concat,freq=t2t)", "position.ordinary_code"},
		{"lennoise(length=5,window=0)", "position.ldpe_formula"},
		{"lennoise(length=5,window=0,encoding=lrpe)", "position.lrpe_formula"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		struct tensor_set set;
		help_run_must_open(&r, rows[i].expression, 6, 0, small);
		tensor_set_init(&set, &r.arena);
		if (!help_tensors(
			    &set,
			    arena_printf(&r.arena, "%s/struct/ldpe-lrpe-a.safetensors", test_data),
			    &r.err))
			fail_msg("%s", r.err.text);
		const struct tensor *t = tensor_find(&set, rows[i].tensor);
		assert_non_null(t);
		assert_true(mat_max_abs_diff(r.trace.position_vectors, tensor_mat(t)) < 1e-12);
		help_run_close(&r);
	}
}

TEST(the_code_ends_in_a_row_of_zeros)
{
	struct help_run r;
	help_run_must_open(&r, "ldpe(length=5,count=code)", 6, 0, small);
	const struct mat p = r.trace.position_vectors;
	assert_true(mat_norm(mat_rows(p, 5, 1)) <= 0);
	assert_true(fabs(mat_row(p, 4)[0] - sin(2)) < 1e-15);
	const struct trace *formula = help_again(&r, "ldpe(length=6)", NULL);
	assert_true(mat_max_abs_diff(mat_rows(p, 0, 5), mat_rows(formula->position_vectors, 0, 5)) <
		    1e-12);
	assert_true(fabs(mat_row(formula->position_vectors, 5)[0] - sin(1)) < 1e-15);
	help_run_close(&r);
}

static size_t asked;

static void ask(struct help_run *r)
{
	r->in.length = asked;
}

/* A member's own length comes first, then the one asked for, then that of the input. */
TEST(the_length_asked_for_is_taken)
{
	static const char *const forms[] = {"ldpe(length=%d)", "lrpe(length=%d)",
					    "lennoise(length=%d,draw=3)",
					    "lennoise(length=%d,draw=3,encoding=lrpe)"};
	for (size_t i = 0; i < 4; i++)
		for (asked = 0; asked <= 12; asked += 12) {
			struct help_run r;
			help_run_must_open(&r, "none", 7, 0, ask);
			const char *own = arena_printf(&r.arena, forms[i], 9);
			const char *open = arena_printf(&r.arena, forms[i], 0);
			const char *want = arena_printf(&r.arena, forms[i], asked ? 12 : 7);
			help_traces_equal(help_again(&r, open, NULL), help_again(&r, want, NULL));
			assert_true(help_logits_apart(help_again(&r, own, NULL),
						      help_again(&r, want, NULL), 0, 4) > 1e-3);
			help_run_close(&r);
		}
}

/* One table is kept for each length. */
TEST(the_cache_knows_lengths_apart)
{
	static const char *const expressions[] = {"ldpe", "lrpe", "lennoise"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		struct trace first, second;
		asked = 20;
		help_run_must_open(&r, expressions[i], 7, 0, ask);
		struct cache *cache = cache_new(1 << 24);
		r.in.length = 10;
		assert_true(
			model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena, &first, &r.err));
		r.in.length = 20;
		assert_true(model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena, &second,
				      &r.err));
		assert_true(help_output_apart(&second, &r.trace, 1) <= 0);
		assert_true(help_output_apart(&first, &second, 1) > 1e-3);
		cache_free(cache);
		help_run_close(&r);
	}
}

/* Products of two rows know the distance alone, and ends that are aligned have equal rows. */
TEST(ldpe_rows_are_aligned_at_the_end)
{
	struct help_run r, longer;
	help_run_must_open(&r, "ldpe(length=5)", 6, 0, NULL);
	help_run_must_open(&longer, "ldpe(length=8)", 9, 0, NULL);
	const struct mat p = longer.trace.position_vectors;
	assert_true(mat_max_abs_diff(r.trace.position_vectors, mat_rows(p, 3, 6)) < 1e-12);
	for (size_t j = 0; j < 32; j++)
		assert_true(fabs(mat_row(p, 8)[j] - (double)(j % 2)) < 1e-15);
	const struct mat products = mat_new(&r.arena, 9, 9);
	mat_mul(products, 1, p, false, p, true, 0);
	assert_true(help_toeplitz_error(products) < 1e-12);
	help_run_close(&r);
	help_run_close(&longer);
}

TEST(the_noise_is_told)
{
	struct help_run r;
	asked = 10;
	help_run_must_open(&r, "lennoise(window=0)", 7, 0, ask);
	assert_non_null(strstr(r.trace.note, "the length is 10, a noise of +0 on 10"));
	help_run_close(&r);
	for (long draw = 1; draw <= 10; draw++) {
		long l = 0;
		int noise = 0;
		help_run_must_open(&r, "none", 7, 0, NULL);
		const char *text = arena_printf(&r.arena, "lennoise(length=10,draw=%ld)", draw);
		const struct trace *noisy = help_again(&r, text, NULL);
		const char *is = strstr(noisy->note, "length is ");
		const char *of = strstr(noisy->note, "noise of ");
		assert_true(is && of);
		l = strtol(is + strlen("length is "), NULL, 10);
		noise = (int)strtol(of + strlen("noise of "), NULL, 10);
		assert_true(noise >= -4 && noise <= 4 && l == 10 + noise);
		help_traces_equal(
			noisy, help_again(&r, arena_printf(&r.arena, "ldpe(length=%ld)", l), NULL));
		help_run_close(&r);
	}
}

TEST(looking_learning_and_cache_agree)
{
	asked = 11;
	help_all_ways_agree("ldpe", ask);
	help_all_ways_agree("ldpe(count=code)", ask);
	help_all_ways_agree("lrpe", ask);
	help_terms_sum("ldpe", ask);
	help_sizes("ldpe(count=code)");
	help_sizes("ldpe(length=3)");
}
