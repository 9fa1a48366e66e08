/* test_run.c: what a run promises whatever the scheme: recorded and streamed, in parallel and alone,
 * with and without the cache it gives the same numbers; it keeps what is help_wanted, refuses in one line
 * and ends when it is told to. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_peak.h"
#include "help_labels.h"
#include "help_sample.h"
#include "help_scheme.h"
#include "posviz/math/machine.h"
#include "posviz/model/record.h"

/* ---- recording --------------------------------------------------------------------------------- */

TEST(recorded_equals_streamed)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		struct help_run r;
		help_open_wanted(&r, scheme_at(i)->id, 7, PROJ_RANDOM, 3, WANT_OUTPUT);
		struct tape tape;
		tape_init(&tape, &r.arena, true);
		struct run *run;
		struct err err = {""};
		const struct node *z = model_record(&r.model, &r.in, &tape, &run, &err);
		if (!z)
			fail_msg("%s: %s", scheme_at(i)->id, err.text);
		if (!(mat_max_abs_diff(z->v, help_last_output(&r.trace)) < 1e-12))
			fail_msg("%s: %g apart", scheme_at(i)->id,
				 mat_max_abs_diff(z->v, help_last_output(&r.trace)));
		help_run_close(&r);
	}
}

/* ---- threads and the cache --------------------------------------------------------------------- */

enum { LONG = 96 };

/* The scheme for as many units as t-max allows: tables of t-max² are shorter by default. */
static const char *whole(const struct scheme *s)
{
	static char text[64];
	const bool shorter = scheme_param(s, "length", 6) != NULL;
	snprintf(text, sizeof text, "%s%s", s->id, shorter ? "(length=0)" : "");
	return text;
}

static void expect_same_bits(const struct trace *x, const struct trace *y, size_t heads,
			     const char *expression)
{
	for (size_t l = 0; l < x->n_layers; l++) {
		if (mat_max_abs_diff(x->layers[l].output, y->layers[l].output) > 0)
			fail_msg("%s: output of layer %zu differs", expression, l);
		for (size_t h = 0; h < heads; h++) {
			const struct trace_head *p = &x->layers[l].heads[h];
			const struct trace_head *q = &y->layers[l].heads[h];
			assert_true(p->weights.rows >= LONG); /* a unit may be put in */
			assert_int_equal(p->weights.rows, q->weights.rows);
			const size_t size = p->weights.rows * p->weights.cols * sizeof(double);
			assert_memory_equal(p->weights.at, q->weights.at, size);
			if (p->bias.at)
				assert_memory_equal(p->bias.at, q->bias.at, size);
		}
	}
}

/* A limit just below what two workers need leaves one: the heads then run one after another. */
TEST(heads_in_parallel_give_the_same_bits)
{
	size_t compared = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *id = whole(scheme_at(i));
		if (!help_sample_has(id, LONG))
			continue;
		struct help_run r;
		help_open_wanted(&r, id, LONG, PROJ_RANDOM, 2, 0);
		r.config.memory = model_estimate(&r.model, &r.in, &r.want) - 1;
		struct model alone = r.model;
		alone.config.memory = r.config.memory;
		/* Tables larger than that are refused before anything runs. */
		const bool fits = 8 * model_position_parameters(&r.model) <= r.config.memory;
		if (fits && model_estimate(&alone, &r.in, &r.want) <= r.config.memory) {
			compared++;
			expect_same_bits(&r.trace, help_again(&r, id, NULL), r.config.heads, id);
		}
		help_run_close(&r);
	}
	assert_true(compared > 0 || machine_threads() == 1);
}

TEST(cache_changes_nothing)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *id = whole(scheme_at(i));
		if (!help_sample_has(id, LONG))
			continue;
		struct cache *cache = cache_new(64 << 20);
		struct help_run r;
		help_open_wanted(&r, id, LONG, PROJ_RANDOM, 2, 0);
		for (size_t round = 0; round < 3; round++) {
			struct trace again;
			assert_true(model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena,
					      &again, &r.err));
			expect_same_bits(&r.trace, &again, r.config.heads, id);
		}
		help_run_close(&r);
		cache_free(cache);
	}
}

/* What the cache holds for one setting must not be taken for another. */
TEST(cache_tells_settings_apart)
{
	struct cache *cache = cache_new(64 << 20);
	for (size_t i = 0; i < scheme_count(); i++) {
		for (size_t k = 0; k < 7; k++) {
			struct help_run r;
			memset(&r, 0, sizeof r);
			help_open_wanted(&r, scheme_at(i)->id, 9,
					 k == 1 ? PROJ_IDENTITY : PROJ_RANDOM, 2, WANT_OUTPUT);
			r.config.seed += k == 2;
			r.config.content += k == 3;
			r.config.init = k == 4 ? INIT_PAPER : INIT_DEMO;
			r.config.t_max = k == 5 ? 64 : 512;
			r.in.shift_column = k == 6 ? "seq" : NULL;
			r.in.shift_by = 3;
			struct model model;
			struct trace plain, cached;
			assert_true(model_build(&model, &r.config, r.members, r.model.n_members,
						NULL, &r.arena, &r.err));
			assert_true(model_run(&model, &r.in, &r.want, NULL, NULL, &r.arena, &plain,
					      &r.err));
			assert_true(model_run(&model, &r.in, &r.want, cache, NULL, &r.arena,
					      &cached, &r.err));
			assert_true(help_output_apart(&plain, &cached, 1) <= 0);
			help_run_close(&r);
		}
	}
	cache_free(cache);
}

/* ---- what is help_wanted ----------------------------------------------------------------------------- */

struct counted {
	unsigned bias[4][8], logits[4][8], weights[4][8];
};

static void count(void *context, size_t layer, size_t head, const struct trace_head *now)
{
	struct counted *c = context;
	c->bias[layer][head] += now->bias.at != NULL;
	c->logits[layer][head] += now->logits.at != NULL;
	c->weights[layer][head] += now->weights.at != NULL;
}

TEST(sink_hears_of_every_head_once)
{
	static const char *const expressions[] = {"rope+causal", "dape", "sinusoidal"};
	for (size_t i = 0; i < 6; i++) {
		const long layer = i < 3 ? -1 : 1;
		struct help_run r;
		struct counted c = {0};
		help_open_wanted(&r, expressions[i % 3], 5, PROJ_RANDOM, 3, WANT_OUTPUT);
		r.want = (struct want){.kinds = WANT_BIAS | WANT_LOGITS | WANT_WEIGHTS,
				       .layer = layer,
				       .head = 2,
				       .sink = count,
				       .context = &c};
		const struct trace *trace = help_again(&r, expressions[i % 3], NULL);
		for (size_t l = 0; l < 3; l++) {
			for (size_t h = 0; h < r.config.heads; h++) {
				const bool told = layer < 0 || (long)l == layer;
				const struct trace_head *head = &trace->layers[l].heads[h];
				assert_int_equal(c.bias[l][h], l == 0);
				assert_int_equal(c.logits[l][h], told);
				assert_int_equal(c.weights[l][h], told);
				assert_int_equal(head->weights.at != NULL, told && h == 2);
				assert_int_equal(head->bias.at != NULL, l == 0 && h == 2);
			}
		}
		help_run_close(&r);
	}
}

/* What is kept of one head and layer is what is kept of all. */
TEST(asking_for_less_gives_the_same)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *id = scheme_at(i)->id;
		struct help_run r;
		help_open_wanted(&r, id, 6, PROJ_RANDOM, 3, 0);
		for (unsigned kind = WANT_INPUT; kind <= WANT_POSITION; kind <<= 1) {
			r.want = (struct want){.kinds = kind, .layer = 1, .head = 2};
			const struct trace *one = help_again(&r, id, NULL);
			const struct trace_head *x = &one->layers[1].heads[2];
			const struct trace_head *y = &r.trace.layers[1].heads[2];
			if (kind == WANT_LOGITS && y->logits.at)
				assert_true(mat_max_abs_diff(x->logits, y->logits) <= 0);
			if (kind == WANT_WEIGHTS)
				assert_true(mat_max_abs_diff(x->weights, y->weights) <= 0);
			if (kind == WANT_BIAS && !one->bias_absent)
				assert_true(mat_max_abs_diff(one->layers[0].heads[2].bias,
							     r.trace.layers[0].heads[2].bias) <= 0);
		}
		help_run_close(&r);
	}
}

/* ---- errors, memory, cancelling ---------------------------------------------------------------- */

static void odd_heads(struct help_run *r)
{
	r->config.heads = 5;
}

TEST(bad_sizes_are_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "none", 3, 0, odd_heads));
	assert_non_null(strstr(r.err.text, "5 heads do not divide d-model 32"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "t5+deberta", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "t5"));
	assert_non_null(strstr(r.err.text, "deberta"));
	help_run_close(&r);
	assert_true(help_run_open(&r, "t5+t5(buckets=8)", 3, 0, NULL));
	help_run_close(&r);
	assert_false(help_run_open(&r, "sinusoidal(heads=1)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "sinusoidal"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "shaw(layers=3)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "none of the 2 layers"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "alibi(heads=[5,6])", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "none of the 4 heads"));
	help_run_close(&r);
}

static void small_memory(struct help_run *r)
{
	r->config.memory = 1 << 20;
}

TEST(too_much_memory_is_refused_in_one_line)
{
	struct help_run r;
	assert_false(help_run_open(&r, "rope+causal", 4096, 0, small_memory));
	assert_non_null(strstr(r.err.text, "4096 tokens"));
	assert_null(strchr(r.err.text, '\n'));
	assert_false(r.trace.cancelled);
	help_run_close(&r);
}

struct load {
	unsigned kinds;
	long which; /* head and layer that are kept; -1: all */
	size_t n, d;
};

static size_t wanted_width;

static void wide(struct help_run *r)
{
	r->config.d = wanted_width;
	r->config.ff = 4 * wanted_width;
	r->config.t_max = 1024;
	r->want.kinds = WANT_POSITION;
}

static void ignore(void *context, size_t layer, size_t head, const struct trace_head *now)
{
	(void)context;
	(void)layer;
	(void)head;
	(void)now;
}

enum { NODES = 250 };

/* Nearly all paths are different, and several between many pairs. */
static void wide_on_graph(struct help_run *r)
{
	wide(r);
	r->want.layer = 0; /* nothing of the paths is made yet */
	help_on_nodes(r, help_random_graph(&r->arena, NODES, 2 * NODES, 26, true, 5));
}

/* What of the libraries and their buffers is touched for the first time is not an evaluation's memory. */
static int touch_libraries(void **state)
{
	(void)state;
	struct help_run r;
	wanted_width = 768;
	help_run_must_open(&r, "none", 600, 1, wide);
	r.want = (struct want){.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &r.trace, &r.err));
	help_run_close(&r);
	return 0;
}

/* In a child, so that one evaluation's memory does not hide the next one's. Exit code: tenths of the
 * estimate that were taken. */
static int memory_taken(const char *expression, const struct load *load,
			void (*prepare)(struct help_run *))
{
	const pid_t child = fork();
	if (child == 0) {
		struct help_run r;
		wanted_width = load->d;
		help_run_must_open(&r, expression, load->n, 1, prepare);
		const struct want want = {.kinds = load->kinds,
					  .layer = load->which,
					  .head = load->which,
					  .sink = ignore};
		const double estimate = (double)model_estimate(&r.model, &r.in, &want);
		const size_t before = help_peak_from_here();
		const bool ok =
			model_run(&r.model, &r.in, &want, NULL, NULL, &r.arena, &r.trace, &r.err);
		const double taken = (double)(help_peak() - before);
		_exit(ok ? (int)fmin(250, 10 * taken / estimate) : 255);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void expect_covered_on(void (*prepare)(struct help_run *), const char *expression,
			      const struct load *load, int least)
{
	enum { TRIES = 3 };
	int tenths = memory_taken(expression, load, prepare);
	/* The kernel may give pages in larger pieces than were asked for, not always the same. */
	for (int i = 1; i < TRIES && tenths > 11; i++)
		tenths = memory_taken(expression, load, prepare);
	if (tenths > 11 || tenths < least)
		fail_msg("%s, kinds %#x, one %ld, n %zu, d %zu: %d tenths of the estimate",
			 expression, load->kinds, load->which, load->n, load->d, tenths);
}

static void expect_covered(const char *expression, const struct load *load, int least)
{
	expect_covered_on(wide, expression, load, least);
}

enum {
	LOOKED_AT = WANT_BIAS | WANT_MASK | WANT_WEIGHTS,
	DUMPED = WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
		 WANT_CONTEXT | WANT_OUTPUT | WANT_BIAS | WANT_POSITION | WANT_KEPT,
	PARTED = WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS | WANT_MODULATION
};

TEST_OF(estimate_covers_what_is_taken, touch_libraries, NULL, 1, 24, 0)
{
	if (!PEAK_IS_OWN)
		skip();
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const char *id = whole(scheme_at(i));
		if (!help_sample_has(id, LONG))
			continue;
		expect_covered(id, &(struct load){WANT_OUTPUT, -1, 600, 32}, 0);
		/* The estimate does not know that keys will be few. */
		const int least = strcmp(id, "diet_abslin") == 0 ? 0 : 2;
		expect_covered(id, &(struct load){LOOKED_AT, -1, 600, 32}, least);
		if (scheme_at(i)->expression) /* is read as its members, which have the others */
			continue;
		expect_covered(id, &(struct load){LOOKED_AT, 0, 600, 32}, 0);
		expect_covered(id, &(struct load){WANT_TERMS, -1, 600, 32}, 0);
		expect_covered(id, &(struct load){PARTED, 0, 600, 32}, 0);
	}
	static const char *const several[] = {
		"rope+causal", "sinusoidal+learned+sinusoidal(start=1)+t5(scale=rsqrt)",
		"shaw+alibi+sinusoidal", "deberta(emd=on)"};
	for (size_t i = test_part; i < 4; i += test_parts) {
		expect_covered(several[i], &(struct load){DUMPED, -1, 500, 32}, 2);
		expect_covered(several[i], &(struct load){DUMPED, -1, 16, 768}, 2);
	}
}

TEST_OF(estimate_covers_what_paths_take, touch_libraries, NULL, 1, 3, 0)
{
	static const char *const texts[] = {"graph_tr",
					    "graph_tr(stack=2)",
					    "struct_tr",
					    "struct_tr(variant=sum)",
					    "struct_tr(form=code)",
					    "struct_tr(variant=avg,form=code,steps=on)"};
	if (!PEAK_IS_OWN)
		skip();
	for (size_t i = test_part; i < sizeof texts / sizeof texts[0]; i += test_parts) {
		expect_covered_on(wide_on_graph, texts[i],
				  &(struct load){WANT_OUTPUT, -1, NODES, 32}, 2);
		expect_covered_on(wide_on_graph, texts[i],
				  &(struct load){WANT_OUTPUT | WANT_KEPT, -1, NODES, 32}, 2);
		expect_covered_on(wide_on_graph, texts[i], &(struct load){LOOKED_AT, 0, NODES, 32},
				  2);
		expect_covered_on(wide_on_graph, texts[i],
				  &(struct load){WANT_RELATION, 0, NODES, 32}, 1);
	}
}

/* Variants that take more matrices than their scheme's default. */
TEST_WITH(estimate_covers_what_variants_take, touch_libraries, NULL)
{
	if (!PEAK_IS_OWN)
		skip();
	static const char *const texts[] = {"fox(causal=off)", "dufter_rel(temperature=on,conv=5)",
					    "ut(halt=act)", "mla(q_rank=4096,kv_rank=4096)"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		expect_covered(texts[i], &(struct load){WANT_OUTPUT, -1, 600, 32}, 2);
		expect_covered(texts[i], &(struct load){PARTED, 0, 600, 32}, 0);
	}
	expect_covered("liere", &(struct load){LOOKED_AT, -1, 3, 1024}, 2);
	expect_covered("liere(grid=2)", &(struct load){LOOKED_AT, -1, 3, 1024}, 2);
}

TEST(cancel_ends_early)
{
	struct help_run r;
	help_open_wanted(&r, "rope", 5, PROJ_RANDOM, 2, WANT_OUTPUT);
	struct watch watch = {.cancel = true};
	struct trace trace;
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, &watch, &r.arena, &trace, &r.err));
	assert_true(trace.cancelled);
	assert_null(trace.layers[0].output.at);
	watch_begin(&watch);
	assert_true(model_run(&r.model, &r.in, &r.want, NULL, &watch, &r.arena, &trace, &r.err));
	assert_false(trace.cancelled);
	help_run_close(&r);
}
