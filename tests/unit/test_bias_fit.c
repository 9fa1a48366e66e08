/* test_bias_fit.c: the bias, slopes and ids of a file against a model's: those that the library computed are the same,
 * and of others the setting is named. Numbers of the other settings are made here by the papers' formulas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_tensors.h"
#include "posviz/analysis/bias_fit.h"
#include "posviz/app/app.h"

FIXTURE(open_arena, close_arena)

enum { N = 22 };

static struct scene scene;
static struct known *known;

static void open_model(const char *model)
{
	struct err err = {""};
	const char *said;
	const char *const path = arena_printf(&arena, "%s/models/%s", test_data, model);
	known = arena_calloc(&arena, 1, sizeof *known);
	scene_init(&scene);
	if (!family_read(path, &arena, known, &err) ||
	    !app_model(&scene, path, &arena, &said, &err))
		fail_msg("%s", err.text);
}

static struct tensor tensor_of(const char *model, const char *name)
{
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, arena_printf(&arena, "%s/models/%s", test_data, model), &err))
		fail_msg("%s", err.text);
	const struct tensor *const t = tensor_find(&set, name);
	assert_non_null(t);
	return *t;
}

static struct bias_fit fit(const struct tensor *t, const char *name, enum bias_kind kind)
{
	struct bias_fit f;
	struct err err = {""};
	assert_int_equal(bias_kind_of(t, name, (size_t)known->heads), kind);
	if (!bias_fit(&scene.setup, known, t, kind, &arena, &f, &err))
		fail_msg("%s: %s", name, err.text);
	return f;
}

static void expect_fits(const struct tensor *t, const char *name, enum bias_kind kind,
			const char *fits)
{
	const struct bias_fit f = fit(t, name, kind);
	if (f.equal || !f.fits || strcmp(f.fits, fits) != 0)
		fail_msg("%s: %s for %s", name,
			 f.equal  ? "equal"
			 : f.fits ? f.fits
				  : "nothing",
			 fits);
}

/* What the library computed, and what its model files hold, is the same. */
TEST(what_the_library_computes_is_the_same)
{
	struct tensor t = tensor_of("t5-encoder/reference.safetensors", "position.bias");
	open_model("t5-encoder");
	assert_true(fit(&t, "position.bias", BIAS_PAIRS).equal);
	t = tensor_of("bloom/reference.safetensors", "alibi.slopes");
	open_model("bloom");
	assert_true(fit(&t, "alibi.slopes", BIAS_SLOPES).equal);
	t = tensor_of("bloom/reference.safetensors", "alibi.bias");
	const struct bias_fit f = fit(&t, "alibi.bias", BIAS_KEYS);
	assert_true(f.equal && f.but_rows);
}

/* ---- T5 -------------------------------------------------------------------------------------- */

/* Raffel et al.'s bucket of a distance to a key behind the query, of `n` buckets of one direction. */
static long bucket(long distance, long n, double most)
{
	const long exact = n / 2;
	if (distance < exact)
		return distance;
	const long at = exact + (long)floor(log((double)distance / (double)exact) /
					    log(most / (double)exact) * (double)(n - exact));
	return at < n - 1 ? at : n - 1;
}

/* Returns the bias of the model's table with these settings. */
static struct tensor t5_bias(bool causal, double most)
{
	const struct tensor table =
		tensor_of("t5-encoder/model.safetensors",
			  "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
	const size_t heads = table.shape[1];
	const long all = (long)table.shape[0];
	double *const at = arena_calloc(&arena, heads * N * N, sizeof *at);
	for (size_t h = 0; h < heads; h++)
		for (long t = 0; t < N; t++)
			for (long s = 0; s < N; s++) {
				const long b = causal ? bucket(s < t ? t - s : 0, all, most)
						      : bucket(labs(s - t), all / 2, most) +
								(s > t ? all / 2 : 0);
				at[(h * N + (size_t)t) * N + (size_t)s] =
					table.at[(size_t)b * heads + h];
			}
	return (struct tensor){.dims = 3, .shape = {heads, N, N}, .at = at};
}

TEST(settings_of_buckets_are_named)
{
	static const struct {
		bool causal;
		double most;
		const char *fits;
	} rows[] = {{true, 128, "buckets of one direction, causal=on"},
		    {false, 20, "max_distance=20"},
		    {true, 20, "buckets of one direction, causal=on, max_distance=20"}};
	open_model("t5-encoder");
	const struct tensor same = t5_bias(false, 128);
	assert_true(fit(&same, "bias", BIAS_PAIRS).equal);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tensor t = t5_bias(rows[i].causal, rows[i].most);
		expect_fits(&t, "bias", BIAS_PAIRS, rows[i].fits);
	}
}

/* Where they part: head 3, query 9, key 4 of the numbers; nothing explains one changed number. */
TEST(one_changed_number_is_placed_and_not_explained)
{
	struct tensor t = t5_bias(false, 128);
	double *const at = arena_alloc(&arena, 4 * N * N * sizeof *at);
	memcpy(at, t.at, 4 * N * N * sizeof *at);
	at[(2 * N + 9) * N + 4] += 0.5;
	t.at = at;
	open_model("t5-encoder");
	const struct bias_fit f = fit(&t, "bias", BIAS_PAIRS);
	assert_false(f.equal);
	assert_null(f.fits);
	assert_int_equal(f.head, 2);
	assert_int_equal(f.query, 9);
	assert_int_equal(f.key, 4);
	assert_true(fabs(f.found - f.expected - 0.5) < 1e-12);
	assert_true(fabs(f.difference - 0.5) < 1e-12);
}

static struct tensor turned(const struct tensor *t, bool mirrored, double sign, bool backwards)
{
	const size_t heads = t->shape[0], n = t->shape[1];
	double *const at = arena_calloc(&arena, heads * n * n, sizeof *at);
	for (size_t h = 0; h < heads; h++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				at[(h * n + i) * n + j] =
					sign * t->at[((backwards ? heads - 1 - h : h) * n +
						      (mirrored ? j : i)) *
							     n +
						     (mirrored ? i : j)];
	struct tensor out = *t;
	out.at = at;
	return out;
}

TEST(conventions_are_named)
{
	const struct tensor own = t5_bias(false, 128);
	open_model("t5-encoder");
	struct tensor t = turned(&own, true, 1, false);
	expect_fits(&t, "bias", BIAS_PAIRS, "distances counted the other way, t − s for s − t");
	t = turned(&own, false, -1, false);
	expect_fits(&t, "bias", BIAS_PAIRS, "the other sign");
	t = turned(&own, false, 1, true);
	expect_fits(&t, "bias", BIAS_PAIRS, "heads in the other order");
}

/* The two halves of the table are of keys before and behind the query. */
TEST(tables_of_buckets_are_compared)
{
	struct tensor t =
		tensor_of("t5-encoder/model.safetensors",
			  "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
	const size_t rows = t.shape[0], heads = t.shape[1];
	double *const at = arena_calloc(&arena, rows * heads, sizeof *at);
	open_model("t5-encoder");
	assert_true(fit(&t, "relative_attention_bias", BIAS_TABLE).equal);
	for (size_t i = 0; i < rows * heads; i++)
		at[i] = t.at[(i + rows / 2 * heads) % (rows * heads)];
	t.at = at;
	expect_fits(&t, "relative_attention_bias", BIAS_TABLE, "the two directions exchanged");
	memcpy(at,
	       tensor_of("t5-encoder/model.safetensors",
			 "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight")
		       .at,
	       rows * heads * sizeof *at);
	at[5 * heads + 1] += 1;
	const struct bias_fit f = fit(&t, "relative_attention_bias", BIAS_TABLE);
	assert_true(!f.equal && !f.fits && f.query == 5 && f.head == 1);
}

/* ---- ALiBi ----------------------------------------------------------------------------------- */

static struct tensor vector(const double *at, size_t n)
{
	return (struct tensor){.dims = 1, .shape = {n}, .at = at};
}

/* Three heads, no power of two: the authors take those of two heads and the first of four; others take
 * 2^(-8i/3), or the first three of four. */
TEST(rules_of_slopes_are_named)
{
	const double plain[] = {exp2(-8.0 / 3), exp2(-16.0 / 3), exp2(-8)};
	const double four[] = {0.25, 0.0625, 0.015625}, own[] = {0.0625, 0.00390625, 0.25};
	const double half[] = {0.03125, 0.001953125, 0.125},
		     negative[] = {-0.0625, -0.00390625, -0.25};
	open_model("bloom");
	struct tensor t = vector(own, 3);
	assert_true(fit(&t, "slopes", BIAS_SLOPES).equal);
	t = vector(plain, 3);
	expect_fits(&t, "slopes", BIAS_SLOPES,
		    "slopes 2^(−8i/3) for all 3 heads, as if it were a power of two");
	t = vector(four, 3);
	expect_fits(&t, "slopes", BIAS_SLOPES, "the first 3 of the slopes of 4 heads");
	t = vector(half, 3);
	expect_fits(&t, "slopes", BIAS_SLOPES, "the model's slopes times 0.5");
	t = vector(negative, 3);
	expect_fits(&t, "slopes", BIAS_SLOPES, "the model's slopes with the other sign");
}

/* Returns a bias of lines with these slopes: of the distance, or of the key's position alone. */
static struct tensor lines(const double *slopes, bool sides, bool masked)
{
	double *const at = arena_calloc(&arena, 3 * N * N, sizeof *at);
	for (size_t h = 0; h < 3; h++)
		for (long t = 0; t < N; t++)
			for (long s = 0; s < N; s++)
				at[(h * N + (size_t)t) * N + (size_t)s] =
					masked && s > t
						? -INFINITY
						: slopes[h] * (double)(sides ? -labs(t - s) : s);
	return (struct tensor){.dims = 4, .shape = {1, 3, N, N}, .at = at};
}

TEST(lines_of_alibi_are_compared)
{
	const double own[] = {0.0625, 0.00390625, 0.25},
		     plain[] = {exp2(-8.0 / 3), exp2(-16.0 / 3), exp2(-8)};
	open_model("bloom");
	struct tensor t = lines(own, false, true);
	const struct bias_fit f = fit(&t, "bias", BIAS_PAIRS);
	assert_true(f.equal && f.but_rows);
	t = lines(own, true, false);
	expect_fits(&t, "bias", BIAS_PAIRS, "−m |t − s|, causal=off");
	t = lines(plain, false, true);
	expect_fits(&t, "bias", BIAS_PAIRS,
		    "slopes 2^(−8i/3) for all 3 heads, as if it were a power of two");
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* RoBERTa's ids begin at padding_idx + 1 = 2, Llama's at 0. */
TEST(ids_are_compared)
{
	static const struct {
		const char *model;
		double ids[6];
		const char *fits; /* NULL: the same */
	} rows[] = {
		{"made/roberta", {2, 3, 4, 5, 6, 7}, NULL},
		{"llama3", {0, 1, 2, 3, 4, 5}, NULL},
		{"made/roberta",
		 {0, 1, 2, 3, 4, 5},
		 "positions from 0; the model's begin at 2, padding_idx + 1 or the rows that its table keeps in front"},
		{"made/roberta",
		 {1, 2, 3, 4, 5, 6},
		 "positions from 1; the model's begin at 2, padding_idx + 1"},
		{"llama3",
		 {2, 3, 4, 5, 6, 7},
		 "positions from 2, as behind padding_idx 1 or tokens that came before; the model's begin at 0"},
		{"llama3",
		 {1, 1, 0, 1, 2, 3},
		 "2 tokens of padding in front, after which positions begin"},
		{"made/roberta",
		 {2, 3, 4, 5, 1, 1},
		 "padding behind the 4 tokens of the text, all with the id 1"},
		{"llama3",
		 {0, 1, 2, 0, 1, 2},
		 "texts that share a row, each counted anew; the second begins at position 3"},
		{"llama3",
		 {5, 4, 3, 2, 1, 0},
		 "positions counted backwards, from the end of the text"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tensor t = {.dims = 2, .shape = {1, 6}, .at = rows[i].ids};
		open_model(rows[i].model);
		if (rows[i].fits)
			expect_fits(&t, "position_ids", BIAS_IDS, rows[i].fits);
		else
			assert_true(fit(&t, "position_ids", BIAS_IDS).equal);
	}
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* A model that rotates has no bias; one without its files has no numbers of a learned one. */
TEST(models_without_such_a_bias_say_so)
{
	struct bias_fit f;
	struct err err = {""};
	const double zero[4 * 4] = {0};
	const struct tensor t = {.dims = 2, .shape = {4, 4}, .at = zero};
	open_model("llama3");
	assert_false(bias_fit(&scene.setup, known, &t, BIAS_KEYS, &arena, &f, &err));
	assert_non_null(strstr(err.text, "which has no bias of T5 or ALiBi"));
	open_model("configs/t5-base.json");
	assert_false(bias_fit(&scene.setup, known, &t, BIAS_KEYS, &arena, &f, &err));
	assert_non_null(strstr(err.text, "the directory of its files would be right"));
	assert_int_equal(bias_kind_of(&t, "model.embed_tokens.weight", 4), BIAS_NONE);
}
