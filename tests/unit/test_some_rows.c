/* test_some_rows.c: a run of some queries has the same numbers in their rows as one of all. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"

enum { N = 13 };

static const long places[] = {0, 3, 4, N - 1};
enum { PLACES = sizeof places / sizeof *places };

static void rows_alike(struct mat some, struct mat all, const struct trace *trace, const char *what,
		       const char *of)
{
	assert_int_equal(some.rows, PLACES);
	assert_int_equal(some.cols, all.cols);
	for (size_t i = 0; i < PLACES; i++) {
		size_t row = 0;
		while (trace->query.token[row] != places[i])
			row++;
		for (size_t s = 0; s < all.cols; s++) {
			const double a = mat_row(some, i)[s], b = mat_row(all, row)[s];
			if (!(fabs(a - b) <= 1e-12))
				fail_msg("%s, %s: row %zu, column %zu: %.17g is not %.17g", of,
					 what, i, s, a, b);
		}
	}
}

static void masks_alike(const uint8_t *some, const uint8_t *all, size_t keys)
{
	assert_int_equal(some == NULL, all == NULL);
	for (size_t i = 0; some && i < PLACES; i++)
		assert_memory_equal(some + i * keys, all + (size_t)places[i] * keys, keys);
}

static void heads_alike(const struct help_run *r, const struct trace *some, long layer)
{
	const char *const of = r->expr.members[0].scheme->id;
	const struct trace *const all = &r->trace;
	assert_int_equal(some->query.n, PLACES);
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(some->query.token[i], places[i]);
	for (size_t h = 0; h < r->config.heads; h++) {
		const struct trace_head *const a = &some->layers[layer].heads[h];
		const struct trace_head *const b = &all->layers[layer].heads[h];
		rows_alike(a->weights, b->weights, all, "weights", of);
		assert_int_equal(a->logits.at == NULL, b->logits.at == NULL);
		if (b->logits.at)
			rows_alike(a->logits, b->logits, all, "logits", of);
		if (layer == 0 && b->bias.at)
			rows_alike(a->bias, b->bias, all, "bias", of);
		if (all->query.n == N)
			masks_alike(a->mask, b->mask, all->key.n);
	}
}

static void check(const char *expression, long layer)
{
	struct help_run r;
	help_run_must_open(&r, expression, N, 0, NULL);
	struct trace some;
	struct err err = {""};
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_BIAS | WANT_MASK,
				  .layer = layer,
				  .head = -1,
				  .places = places,
				  .n_places = PLACES};
	if (!model_run(&r.model, &r.in, &want, NULL, NULL, &r.arena, &some, &err))
		fail_msg("%s: %s", expression, err.text);
	heads_alike(&r, &some, layer);
	help_run_close(&r);
}

/* Those whose heads go by blocks of queries, and those that have to be made whole. */
static const char *const expressions[] = {
	"none",	      "causal",	    "alibi+causal", "t5",	   "shaw+causal",
	"sinusoidal", "learned",    "rope+causal",  "txl",	   "deberta",
	"window",     "stickbreak", "gauss",	    "synth_dense", "cope",
	"dape",	      "disan",	    "fox",	    "shortformer", "xpos"};

TEST(rows_of_the_first_layer_are_those_of_the_whole)
{
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
		check(expressions[i], 0);
}

TEST(rows_of_the_second_layer_are_those_of_the_whole)
{
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
		check(expressions[i], 1);
}

static void two_queries_of_many(struct help_run *r)
{
	static const long ends[] = {0, 2999};
	r->want = (struct want){
		.kinds = WANT_WEIGHTS | WANT_LOGITS, .head = -1, .places = ends, .n_places = 2};
	r->config.memory = 300 << 20; /* its matrices alone are 8 × 72 MB */
}

TEST(rows_alone_need_no_matrix)
{
	struct help_run r;
	help_run_must_open(&r, "alibi+causal", 3000, 0, two_queries_of_many);
	assert_true(r.arena.used < 4 << 20);
	assert_true(fabs(mat_row(r.trace.layers[0].heads[0].weights, 0)[0] - 1) < 1e-12);
	struct want whole = r.want;
	struct err err = {""};
	struct trace trace;
	whole.places = NULL;
	assert_false(model_run(&r.model, &r.in, &whole, NULL, NULL, &r.arena, &trace, &err));
	help_run_close(&r);
}

/* A place that no unit has is left out. */
TEST(places_beyond_the_end_are_no_rows)
{
	static const long far[] = {2, 400};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, NULL);
	struct trace trace;
	struct err err = {""};
	const struct want want = {.kinds = WANT_WEIGHTS, .head = -1, .places = far, .n_places = 2};
	assert_true(model_run(&r.model, &r.in, &want, NULL, NULL, &r.arena, &trace, &err));
	assert_int_equal(trace.query.n, 1);
	assert_int_equal(trace.layers[0].heads[0].weights.rows, 1);
	help_run_close(&r);
}
