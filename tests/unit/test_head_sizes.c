/* test_head_sizes.c: heads whose width does not follow from d, values of another width, and key heads
 * that several query heads read (Ainslie et al. 2023; one for all: Shazeer 2019), against loops. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_mat.h"
#include "help_setup.h"
#include "model/model_in.h"
#include "posviz/base/arena_child.h"
#include "posviz/scene/scene.h"

/* Six heads of 10, which exceed d; three key heads, values of 4. */
static void grouped(struct help_run *r)
{
	r->config.d = 24;
	r->config.heads = 6;
	r->config.head_dim = 10;
	r->config.value_dim = 4;
	r->config.kv_heads = 3;
	r->config.proj = PROJ_RANDOM;
	r->want.kinds |= WANT_INPUT | WANT_QKV | WANT_CONTEXT;
}

static void multi_query(struct help_run *r)
{
	grouped(r);
	r->config.kv_heads = 1;
	r->config.proj = PROJ_TIED;
}

static void narrow(struct help_run *r)
{
	grouped(r);
	r->config.heads = 2;
	r->config.kv_heads = 0;
	r->config.head_dim = 6;
	r->config.proj = PROJ_IDENTITY;
}

static void (*const sizes[])(struct help_run *r) = {grouped, multi_query, narrow};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* One entry of x times `width` columns of w from `from` on. */
static double entry(struct mat x, struct mat w, size_t t, size_t col)
{
	double sum = 0;
	for (size_t i = 0; i < x.cols; i++)
		sum += mat_row(x, t)[i] * mat_row(w, i)[col];
	return sum;
}

static void check_head(const struct help_run *r, size_t h)
{
	const struct model_config *const c = &r->config;
	const struct trace_layer *const layer = &r->trace.layers[0];
	const struct trace_head *const head = &layer->heads[h];
	const size_t kv_heads = c->kv_heads ? c->kv_heads : c->heads;
	const size_t dk = c->head_dim, dv = c->value_dim, of = h / (c->heads / kv_heads);
	const struct mat x = layer->input, q = help_weight_of(layer, "w_q"),
			 k = help_weight_of(layer, "w_k"), v = help_weight_of(layer, "w_v");
	assert_int_equal(q.cols, c->heads * dk);
	assert_int_equal(k.cols, kv_heads * dk);
	assert_int_equal(v.cols, kv_heads * dv);
	assert_int_equal(head->context.cols, dv);
	for (size_t t = 0; t < x.rows; t++) {
		double by[16] = {0}, all = 0;
		for (size_t s = 0; s < x.rows; s++) {
			double dot = 0;
			for (size_t j = 0; j < dk; j++)
				dot += entry(x, q, t, h * dk + j) * entry(x, k, s, of * dk + j);
			assert_true(fabs(dot / sqrt((double)dk) - mat_row(head->logits, t)[s]) <
				    1e-10 * (1 + fabs(dot)));
			by[s] = exp(dot / sqrt((double)dk));
			all += by[s];
		}
		for (size_t j = 0; j < dv; j++) {
			double sum = 0;
			for (size_t s = 0; s < x.rows; s++)
				sum += by[s] / all * entry(x, v, s, of * dv + j);
			assert_true(fabs(sum - mat_row(head->context, t)[j]) < 1e-9);
		}
	}
}

TEST(a_query_head_reads_the_key_head_of_its_group)
{
	for (size_t i = 0; i < SIZES; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, sizes[i]);
		for (size_t h = 0; h < r.config.heads; h++)
			check_head(&r, h);
		help_run_close(&r);
	}
}

/* The gain of W_q makes a token's logit with itself `content`, however wide heads are and whoever
 * shares keys. */
TEST(a_token_meets_itself_with_content)
{
	for (size_t i = 1; i < SIZES; i++) { /* tied and identity */
		struct help_run r;
		double mean = 0;
		help_run_must_open(&r, "none", 5, 0, sizes[i]);
		for (size_t h = 0; h < r.config.heads; h++)
			for (size_t t = 0; t < 5; t++)
				mean += mat_row(r.trace.layers[0].heads[h].logits, t)[t] /
					(5 * (double)r.config.heads);
		assert_true(mean > 0.6 * r.config.content && mean < 1.6 * r.config.content);
		help_run_close(&r);
	}
}

TEST(all_ways_agree_at_these_sizes)
{
	static const char *const expressions[] = {"rope",	  "learned+alibi",
						  "shaw(clip=2)", "t5+causal",
						  "txl",	  "deberta",
						  "tupe_a",	  "xlnet",
						  "path",	  "composite(convolution=on)",
						  "spe_sine",	  "complex",
						  "struct_tr",	  "floater",
						  "dape",	  "sinusoidal+da"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
		for (size_t k = 0; k < SIZES; k++) {
			print_message("%s\n", expressions[i]);
			help_all_ways_agree(expressions[i], sizes[k]);
		}
}

static void small(struct help_run *r)
{
	grouped(r);
	r->config.d = 8;
	r->config.heads = 4;
	r->config.kv_heads = 2;
	r->config.head_dim = 4;
	r->config.value_dim = 2;
	r->config.ff = 8;
	r->config.t_max = 8;
}

TEST(gradients_agree_with_differences_at_these_sizes)
{
	static const char *const expressions[] = {
		"learned", "shaw(clip=2)", "txl",	 "deberta(max_relative=3)",
		"tupe_a",  "path",	   "learned+t5", "composite(clip=2,convolution=on)"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 5, 0, small);
		help_model_gradients(&r, expressions[i]);
		help_run_close(&r);
	}
}

static void counted_grouped(struct help_run *r)
{
	grouped(r);
	r->want.kinds = WANT_OUTPUT;
}

static void counted_multi_query(struct help_run *r)
{
	multi_query(r);
	r->want.kinds = WANT_OUTPUT;
}

/* The tape counts the products of the smaller projections: n d (dk + dv) for each key head. */
TEST(fewer_key_heads_cost_less)
{
	double count[2];
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, i ? counted_multi_query : counted_grouped);
		count[i] = r.trace.multiply_adds;
		assert_int_equal(r.config.layers, 2);
		help_run_close(&r);
	}
	assert_true(fabs(count[0] - count[1] - 2.0 * 2 * 5 * 24 * (10 + 4)) < 0.5);
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST(sizes_that_do_not_fit_are_refused_in_one_line)
{
	static const struct {
		const char *lines, *says;
	} rows[] = {
		{"kv-heads 3",
		 "kv-heads: 3 key heads do not divide 4 heads, which share them; kv-heads 2 would be "
		 "right"},
		{"kv-heads 8",
		 "kv-heads: 8 key heads do not divide 4 heads, which share them; kv-heads 4 would be "
		 "right"},
		{"head-dim 7",
		 "head-dim: rope rotates pairs of components, and 7 is odd; head-dim 8 would be right"},
		{"heads 3",
		 "heads: 3 heads do not divide d-model 64; heads 2 or d-model 66 would be right, or "
		 "head-dim for heads of a width of their own"},
		{"heads 16\nhead-dim 4096",
		 "head-dim: 16 heads of 4096 are 65536 wide, at most 32768; head-dim 2048 would be "
		 "right"},
		{"heads 16\nvalue-dim 4096",
		 "value-dim: 16 heads of 4096 are 65536 wide, at most 32768; value-dim 2048 would be "
		 "right"},
		{"scheme rope(rotary_value=on)\nvalue-dim 10",
		 "value-dim: rope(rotary_value=on) rotates 16 components of values too, which have 10; "
		 "value-dim 16, or rotary_value=off, would be right"},
		{"scheme disan(multi=on)\nvalue-dim 10",
		 "value-dim: disan(multi=on) has a softmax for each component of queries, keys and "
		 "values; value-dim 16, as head-dim, would be right"},
		{"scheme tener(heads=1)\nkv-heads 2",
		 "tener(heads=1): its keys are the token vectors, and 2 heads share a key head; heads= "
		 "must name all of them or none"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct err err = {""};
		struct scene scene;
		arena_init(&a);
		struct built *const b = arena_calloc(&a, 1, sizeof *b);
		assert_true(scene_parse(
			&scene, arena_printf(&a, "scheme rope\n%s\n", rows[i].lines), &err));
		assert_false(setup_build(&scene.setup, &a, b, &err));
		assert_string_equal(err.text, rows[i].says);
		arena_release(&a);
	}
}

TEST(zero_is_no_size)
{
	static const char *const fields[] = {"head-dim", "value-dim", "kv-heads"};
	for (size_t i = 0; i < 3; i++) {
		struct scene scene;
		struct err err = {""};
		char line[40];
		snprintf(line, sizeof line, "%s 0\n", fields[i]);
		assert_false(scene_parse(&scene, line, &err));
		assert_non_null(strstr(err.text, "auto would be right too"));
	}
}

/* ---- leaves that are drawn when they are read ------------------------------------------------- */

static void large(struct help_run *r)
{
	help_paper_init(r);
	r->config.t_max = 4096; /* times d 32: more than are drawn at once */
}

/* The same numbers as when it is drawn with the model: with t-max 512, where it is small, its rows are
 * the first of those. */
TEST(a_leaf_that_is_drawn_later_has_the_same_numbers)
{
	struct help_run r, whole;
	help_run_must_open(&whole, "learned", 3, 0, help_paper_init);
	help_run_must_open(&r, "learned", 3, 0, large);
	const struct leaf *const leaf = help_leaf_of(&r.model, "p");
	const struct mat small = help_leaf(&whole.model, "p");
	assert_null(leaf->at.at);
	const struct mat got = model_leaf_at(&r.model, leaf);
	assert_ptr_equal(got.at, model_leaf_at(&r.model, leaf).at);
	assert_int_equal(got.rows, 4096);
	assert_true(small.rows == 512 && small.at);
	assert_true(mat_max_abs_diff(mat_rows(got, 0, 512), small) <= 0);
	help_run_close(&r);
	help_run_close(&whole);
}

/* A run of the first layer draws nothing of the others. */
TEST(a_picture_of_one_layer_draws_no_leaf_of_another)
{
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, NULL);
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct trace trace;
	size_t n;
	const struct want first = {.kinds = WANT_LOGITS, .layer = 0, .head = 0};
	r.config.d = 512;
	r.config.layers = 64;
	r.config.memory = 64000000; /* each of its 64 leaves takes 2 MB */
	assert_true(expr_parse(&expr, "txl", &r.arena, NULL));
	assert_true(expr_members(&expr, members, &n, &r.arena, NULL));
	assert_true(model_build(&model, &r.config, members, n, NULL, &r.arena, &r.err));
	r.in.units = mat_zero(&r.arena, 3, 512);
	r.in.probe = mat_zero(&r.arena, 1, 512);
	assert_true(model_run(&model, &r.in, &first, NULL, NULL, &r.arena, &trace, &r.err));
	assert_true(fabs(model_leaves_to_draw(&model, 64) - 63.0 * 512 * 512) < 0.5);
	const struct want all = {.kinds = WANT_LOGITS, .layer = -1, .head = 0};
	assert_false(model_run(&model, &r.in, &all, NULL, NULL, &r.arena, &trace, &r.err));
	assert_non_null(strstr(r.err.text, "above the limit of 64 MB"));
	help_run_close(&r);
}

/* An arena that ends with a piece of another is released with it. */
TEST(a_child_ends_with_its_arena)
{
	struct arena a;
	arena_init(&a);
	arena_alloc(&a, 100);
	const struct arena_mark before = arena_mark(&a);
	struct arena *const child = arena_child(&a);
	memset(arena_alloc(child, 1 << 20), 1, 1 << 20);
	const struct arena_mark later = arena_mark(&a);
	arena_alloc(&a, 1 << 20);
	arena_rewind(&a, later); /* the child stays */
	memset(arena_alloc(child, 1 << 20), 2, 1 << 20);
	assert_int_equal(child->used, 2 << 20);
	arena_rewind(&a, before);
	assert_int_equal(a.used, before.used);
	arena_child(&a);
	arena_release(&a);
}
