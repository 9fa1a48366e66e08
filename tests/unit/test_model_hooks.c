/* test_model_hooks.c: every hook by a member made for the test: what it did is recomputed by hand
 * from the matrices of the trace. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_scheme.h"
#include "posviz/model/stage.h"

enum { N = 6 };

/* ---- members made for the test --------------------------------------------------------------- */

/* Runs `before` (may be NULL) and then a member of these hooks on r's input. */
static struct trace *run_hooks(struct help_run *r, const struct hooks *hooks, const void *param)
{
	struct member *members = arena_calloc(&r->arena, 2, sizeof *members);
	members[0] = r->members[0];
	members[1] = (struct member){.hooks = hooks,
				     .param = param,
				     .name = "test",
				     .text = "test",
				     .pos = "seq",
				     .layers = SUBSET_ALL,
				     .heads = SUBSET_ALL,
				     .index = 1};
	struct trace *trace = arena_calloc(&r->arena, 1, sizeof *trace);
	struct err err = {""};
	struct model *model = arena_calloc(&r->arena, 1, sizeof *model);
	if (!model_build(model, &r->config, members, 2, NULL, &r->arena, &err) ||
	    !model_run(model, &r->in, &r->want, NULL, NULL, &r->arena, trace, &err))
		fail_msg("%s", err.text);
	r->model = *model;
	return trace;
}

static void assert_softmax(struct mat weights, struct mat logits, double factor)
{
	for (size_t t = 0; t < logits.rows; t++) {
		double sum = 0;
		for (size_t s = 0; s < logits.cols; s++)
			sum += exp(factor * mat_row(logits, t)[s]);
		for (size_t s = 0; s < logits.cols; s++)
			assert_true(fabs(mat_row(weights, t)[s] -
					 exp(factor * mat_row(logits, t)[s]) / sum) < 1e-12);
	}
}

/* ---- units ------------------------------------------------------------------------------------- */

static bool insert_cls(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct mat v = mat_new(run->arena, 1, run->model->config.d);
	mat_fill(v, 0.5);
	const bool end = *(const bool *)m->param;
	run_insert_unit(run, end ? run->n : 0, "[CLS]", tape_const(run->tape, v));
	return true;
}

TEST(inserted_unit_stays_in_place)
{
	static const struct hooks hooks = {.units = insert_cls};
	static const bool ends[] = {false, true};
	static const size_t order[N] = {3, 1, 5, 0, 2, 4};
	static const double words[N] = {7, 8, 9, 10, 11, 12};
	for (size_t k = 0; k < 2; k++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, help_with_everything);
		r.in.word = words;
		const struct trace *base = run_hooks(&r, &hooks, &ends[k]);
		const size_t at = ends[k] ? N : 0, first = ends[k] ? 0 : 1;
		assert_int_equal(base->query.n, N + 1);
		assert_int_equal(base->key.n, N + 1);
		assert_string_equal(base->query.labels[at], "[CLS]");
		assert_int_equal(base->query.token[at], -1);
		for (size_t i = 0; i < N; i++) {
			assert_int_equal(base->query.token[first + i], i);
			assert_string_equal(base->query.labels[first + i], r.in.axis.labels[i]);
		}
		assert_int_equal(base->layers[0].heads[0].weights.rows, N + 1);
		assert_int_equal(base->layers[1].output.rows, N + 1);
		/* Every unit has its place in the columns, the inserted one too. */
		for (size_t c = 0; c < base->n_columns; c++) {
			const double *column = base->columns[c].at;
			for (size_t i = 0; i <= N; i++)
				if (strcmp(base->columns[c].name, "seq") == 0)
					assert_int_equal((int)column[i], i);
			for (size_t i = 0; i < N; i++)
				if (strcmp(base->columns[c].name, "word") == 0)
					assert_int_equal((int)column[first + i], 7 + i);
		}
		help_permute(&r, order);
		const struct trace *moved = run_hooks(&r, &hooks, &ends[k]);
		const struct mat x = base->layers[1].output, y = moved->layers[1].output;
		help_assert_near(mat_rows(y, at, 1), mat_rows(x, at, 1), 1e-12, "[CLS]");
		for (size_t i = 0; i < N; i++)
			help_assert_near(mat_rows(y, first + i, 1),
					 mat_rows(x, first + order[i], 1), 1e-12, "a token");
		help_run_close(&r);
	}
}

/* ---- planes ------------------------------------------------------------------------------------ */

static size_t planes_of(const struct model *model, const struct member *m)
{
	(void)model;
	return *(const size_t *)m->param;
}

/* Plane p: softmax of (p + 1) times the logits. */
static bool sharper(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	struct node *scaled = tape_scale(head->tape, head->logits, (double)head->plane + 1);
	head->weights = tape_softmax(head->tape, scaled, head->allowed, false);
	return true;
}

static struct mat by_hand(struct arena *a, struct mat logits, double factor, struct mat v)
{
	const struct mat out = mat_zero(a, logits.rows, v.cols);
	for (size_t t = 0; t < logits.rows; t++) {
		double sum = 0;
		for (size_t s = 0; s < logits.cols; s++)
			sum += exp(factor * mat_row(logits, t)[s]);
		for (size_t s = 0; s < logits.cols; s++)
			for (size_t j = 0; j < v.cols; j++)
				mat_row(out, t)[j] += exp(factor * mat_row(logits, t)[s]) / sum *
						      mat_row(v, s)[j];
	}
	return out;
}

TEST(a_plane_for_every_column_of_the_values)
{
	static const struct hooks hooks = {.planes = planes_of, .weights = sharper};
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, help_with_everything);
	const size_t dk = r.config.d / r.config.heads;
	for (size_t plane = 0; plane < dk; plane += 3) {
		r.want.plane = plane;
		const struct trace *trace = run_hooks(&r, &hooks, &dk);
		assert_int_equal(trace->planes, dk);
		for (size_t h = 0; h < r.config.heads; h++) {
			const struct trace_head *head = &trace->layers[0].heads[h];
			assert_softmax(head->weights, head->logits, (double)plane + 1);
			for (size_t j = 0; j < dk; j++)
				help_assert_near(mat_cols(head->context, j, 1),
						 by_hand(&r.arena, head->logits, (double)j + 1,
							 mat_cols(head->v, j, 1)),
						 1e-12, "a column of the context");
		}
	}
	help_run_close(&r);
}

struct kept_planes {
	struct node *first[MODEL_MAX_HEADS];
};

static bool keep_planes(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	run_state(run, m, sizeof(struct kept_planes));
	return true;
}

/* The context is plane 0 minus plane 1, as in differential attention. */
static bool subtract_planes(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct kept_planes *kept = head_state(head, m);
	struct node *sum = tape_matmul(head->tape, head->weights, false, head->v, false, 1);
	if (head->plane == 0)
		kept->first[head->index] = sum;
	else
		head->context = tape_sub(head->tape, kept->first[head->index], sum);
	return true;
}

TEST(a_values_hook_combines_two_planes)
{
	static const struct hooks hooks = {.prepare = keep_planes,
					   .planes = planes_of,
					   .weights = sharper,
					   .values = subtract_planes};
	static const size_t two = 2;
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, help_with_everything);
	const struct trace *trace = run_hooks(&r, &hooks, &two);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[1].heads[h];
		const struct mat x = by_hand(&r.arena, head->logits, 1, head->v);
		const struct mat y = by_hand(&r.arena, head->logits, 2, head->v);
		for (size_t i = 0; i < x.rows * x.cols; i++)
			assert_true(fabs(head->context.at[i] - (x.at[i] - y.at[i])) < 1e-12);
	}
	help_run_close(&r);
}

/* ---- heads together ---------------------------------------------------------------------------- */

/* Every head adds twice the logits of the next one, as they were before. */
static bool add_next_head(struct run *run, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	const size_t h = run->model->config.heads;
	struct node *old[MODEL_MAX_HEADS];
	for (size_t i = 0; i < h; i++)
		old[i] = tape_scale(run->tape, run->heads[i].logits, 2);
	for (size_t i = 0; i < h; i++)
		head_add_term(&run->heads[i], "next", TERM_OTHER, old[(i + 1) % h]);
	return true;
}

TEST(adjust_heads_mixes_heads)
{
	static const struct hooks hooks = {.adjust_heads = add_next_head};
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", N, 0, help_with_everything);
	const struct trace *mixed = run_hooks(&r, &hooks, NULL);
	const size_t h = r.config.heads;
	for (size_t i = 0; i < h; i++) {
		const struct trace_head *before = r.trace.layers[0].heads;
		const struct trace_head *after = &mixed->layers[0].heads[i];
		for (size_t k = 0; k < N * N; k++) {
			const double want =
				before[i].logits.at[k] + 2 * before[(i + 1) % h].logits.at[k];
			assert_true(fabs(after->logits.at[k] - want) < 1e-12);
		}
		assert_softmax(after->weights, after->logits, 1);
		assert_int_equal(after->n_terms, 3);
	}
	help_run_close(&r);
}

/* ---- schedule ---------------------------------------------------------------------------------- */

static bool repeat_last(struct model *model, const struct member *m, struct err *err)
{
	(void)err;
	const long keys_from = *(const long *)m->param;
	const size_t last = model->config.layers - 1;
	model->steps[model->n_steps] =
		(struct step){.layer = last, .q_from = (long)last, .kv_from = keys_from};
	model->n_steps++;
	return true;
}

TEST(a_schedule_runs_a_layer_twice)
{
	static const struct hooks hooks = {.schedule = repeat_last};
	static const long from[] = {1, 0, -1};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, help_with_everything);
		const struct trace *trace = run_hooks(&r, &hooks, &from[i]);
		assert_int_equal(trace->n_layers, 3);
		assert_int_equal(trace->layers[2].layer, 1);
		const struct trace_layer *last = &trace->layers[2];
		help_assert_near(last->input, trace->layers[1].output, 0, "queries");
		help_assert_near(trace->layers[1].output, r.trace.layers[1].output, 0, "layer 2");
		const struct mat w_k = help_weight_of(&trace->layers[1], "w_k");
		help_assert_near(help_weight_of(last, "w_k"), w_k, 0, "w_k");
		const struct mat keys = from[i] < 0 ? r.in.units : trace->layers[from[i]].output;
		const struct mat k = mat_zero(&r.arena, N, r.config.d);
		mat_mul(k, 1, keys, false, w_k, false, 0);
		help_assert_near(last->heads[2].k, mat_cols(k, 16, 8), 1e-12, "keys");
		help_run_close(&r);
	}
}

/* ---- content, feed-forward, block -------------------------------------------------------------- */

static bool constant_content(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	const size_t n = head->run->n;
	const struct mat at = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			mat_row(at, t)[s] = (double)(t * s) / 10 + (double)head->index;
	head->logits = tape_const(head->tape, at);
	return true;
}

TEST(a_content_hook_replaces_unit_unit)
{
	static const struct hooks hooks = {.content = constant_content};
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", N, 0, help_with_everything);
	const struct trace *trace = run_hooks(&r, &hooks, NULL);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[1].heads[h];
		help_expect_terms(trace, 1, h, "content distance");
		assert_int_equal(head->terms[0].kind, TERM_OTHER);
		assert_true(fabs(mat_row(head->terms[0].at, 3)[4] - 1.2 - (double)h) < 1e-12);
		assert_softmax(head->weights, head->logits, 1);
	}
	assert_false(trace->split);
	assert_non_null(strstr(trace->split_absent, "test"));
	help_run_close(&r);
}

static struct node *no_feed_forward(struct run *run, const struct member *m, struct node *x)
{
	(void)m;
	return tape_scale(run->tape, x, 0);
}

static bool no_residual(struct run *run, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	run->residual = NULL;
	return true;
}

/* With no feed-forward the output is LayerNorm twice of the context, with or without the input. */
TEST(block_and_feed_forward_can_be_replaced)
{
	static const struct hooks hooks[] = {
		{.feed_forward = no_feed_forward},
		{.feed_forward = no_feed_forward, .block = no_residual},
	};
	for (size_t k = 0; k < 2; k++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, help_with_everything);
		const struct trace_layer *layer = &run_hooks(&r, &hooks[k], NULL)->layers[1];
		const struct mat want =
			k ? mat_zero(&r.arena, N, r.config.d) : mat_copy(&r.arena, layer->input);
		const size_t dk = r.config.d / r.config.heads;
		for (size_t t = 0; t < N; t++)
			for (size_t j = 0; j < r.config.d; j++)
				mat_row(want, t)[j] +=
					mat_row(layer->heads[j / dk].context, t)[j % dk];
		help_normalise(want, r.config.norm_eps);
		help_normalise(want, r.config.norm_eps);
		help_assert_near(layer->output, want, 1e-11, "output");
		help_run_close(&r);
	}
}

/* ---- columns, keys, errors ---------------------------------------------------------------------- */

static bool double_positions(struct run *run, const struct member *m, struct err *err)
{
	(void)m;
	const double *seq = run_find_column(run, "seq");
	double *at = arena_calloc(run->arena, run->n, sizeof *at);
	for (size_t i = 0; i < run->n; i++)
		at[i] = 2 * seq[i];
	return run_add_column(run, "seq", at, err) && run_add_column(run, "twice", at, err);
}

TEST(a_positions_hook_rewrites_a_column)
{
	static const struct hooks hooks = {.positions = double_positions};
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", N, 0, help_with_everything);
	const struct trace *trace = run_hooks(&r, &hooks, NULL);
	for (size_t i = 0; i < N * N; i++)
		assert_true(fabs(trace->layers[0].heads[0].bias.at[i] -
				 2 * r.trace.layers[0].heads[0].bias.at[i]) < 1e-12);
	help_run_close(&r);
}

/* The first half of the keys only. */
static bool halve_keys(struct run *run, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	const size_t half = run->n / 2;
	run->xk.at[0].at =
		tape_slice(run->tape, run->xk.at[0].at, 0, half, 0, run->model->config.d);
	run->xv.at[0].at = run->xk.at[0].at;
	run->keys->n = half;
	return true;
}

TEST(shorter_keys_make_narrower_matrices)
{
	static const struct hooks hooks = {.project = halve_keys};
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, help_with_everything);
	const struct trace *trace = run_hooks(&r, &hooks, NULL);
	assert_int_equal(trace->query.n, N);
	assert_int_equal(trace->key.n, N / 2);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		assert_int_equal(head->logits.cols, N / 2);
		help_assert_near(head->logits,
				 mat_cols(r.trace.layers[0].heads[h].logits, 0, N / 2), 1e-12,
				 "logits");
		assert_softmax(head->weights, head->logits, 1);
	}
	help_run_close(&r);
}

static size_t asked;

static long near_or_far(const void *context, long delta)
{
	(void)context;
	asked++;
	return delta < -100 ? 0 : delta > 100 ? 2 : 1;
}

static bool index_deltas(struct run *run, const struct member *m, struct err *err)
{
	static const int32_t want[] = {1, 2, 0, 0, 1, 0, 2, 2, 1};
	const struct index *index = run_index_delta(run, m, "test", 3, near_or_far, NULL, err);
	assert_non_null(index);
	assert_memory_equal(index->at, want, sizeof want);
	return true;
}

/* Positions with long gaps are asked for by pairs, and not for all that lies between. */
TEST(distances_that_do_not_occur_are_not_asked_for)
{
	static const struct hooks hooks = {.prepare = index_deltas};
	static const double places[] = {5, 999999, -999999};
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, help_with_everything);
	r.config.layers = 1;
	r.in.position = places;
	asked = 0;
	run_hooks(&r, &hooks, NULL);
	assert_in_range(asked, 1, 100);
	help_run_close(&r);
}

static struct watch stop;
static int prepared;

static bool stop_in_layer_2(struct run *run, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	prepared++;
	if (run->layer == 1)
		watch_cancel(&stop);
	return true;
}

TEST(cancelling_in_the_middle_ends_the_run)
{
	static const struct hooks hooks = {.prepare = stop_in_layer_2};
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, help_with_everything);
	r.config.layers = 8;
	const struct member member = {.hooks = &hooks,
				      .name = "test",
				      .text = "test",
				      .pos = "seq",
				      .layers = SUBSET_ALL,
				      .heads = SUBSET_ALL};
	struct model model;
	struct trace trace;
	assert_true(model_build(&model, &r.config, &member, 1, NULL, &r.arena, &r.err));
	watch_begin(&stop);
	prepared = 0;
	assert_false(model_run(&model, &r.in, &r.want, NULL, &stop, &r.arena, &trace, &r.err));
	assert_true(trace.cancelled);
	assert_int_equal(prepared, 2);
	assert_non_null(trace.layers[0].output.at);
	assert_null(trace.layers[1].output.at);
	help_run_close(&r);
}

static bool fail_on_head_2(struct head *head, const struct member *m, struct err *err)
{
	return head->index != 2 || err_set(err, "%s: head 3 is broken", m->name);
}

TEST(an_error_of_one_head_is_the_answer)
{
	static const struct hooks hooks = {.logits = fail_on_head_2};
	static const size_t sizes[] = {3, 100};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", sizes[i], 0, NULL);
		const struct member member = {.hooks = &hooks,
					      .name = "test",
					      .text = "test",
					      .pos = "seq",
					      .layers = SUBSET_ALL,
					      .heads = SUBSET_ALL};
		struct model model;
		struct trace trace;
		assert_true(model_build(&model, &r.config, &member, 1, NULL, &r.arena, &r.err));
		assert_false(
			model_run(&model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
		assert_string_equal(r.err.text, "test: head 3 is broken");
		assert_false(trace.cancelled);
		help_run_close(&r);
	}
}

/* ---- blocks of queries, where nobody looks at logits -------------------------------------------- */

enum { UNITS = 363, LATE = 300 };

static bool infinite_term(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	const struct mat term = mat_zero(head->tape->arena, head->run->n, head->run->keys->n);
	mat_row(term, LATE)[5] = INFINITY;
	head_add_term(head, "test", TERM_OTHER, tape_const(head->tape, term));
	return true;
}

/* Too much for a double, from the second row of a late block on. */
static bool grow_late(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	for (size_t t = 0; t < head->rows; t++)
		for (size_t s = 0; s < head->k->v.rows; s++)
			mat_row(head->logits->v, t)[s] *=
				head->first + t >= LATE ? 1e308 * 1e10 : 1;
	return true;
}

static bool weigh_nothing(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	head->weights = tape_softmax(head->tape, head->logits, head->allowed, false);
	if (head->first + head->rows > LATE)
		mat_row(head->weights->v, LATE - head->first)[7] = NAN;
	return true;
}

static bool infinite_queries(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	head->q = tape_scale(head->tape, head->q, 1);
	mat_row(head->q->v, LATE)[0] = INFINITY;
	return true;
}

static const char *refused(struct help_run *r, const struct hooks *hooks, unsigned kinds)
{
	const struct member member = {.hooks = hooks,
				      .name = "test",
				      .text = "test",
				      .pos = "seq",
				      .layers = SUBSET_ALL,
				      .heads = {{2}}};
	struct model model;
	struct trace trace;
	struct err err;
	r->want.kinds = kinds;
	assert_true(model_build(&model, &r->config, &member, 1, NULL, &r->arena, &err));
	assert_false(model_run(&model, &r->in, &r->want, NULL, NULL, &r->arena, &trace, &err));
	return arena_strdup(&r->arena, err.text);
}

TEST(a_block_of_queries_tells_the_place_of_what_is_not_finite)
{
	static const struct {
		struct hooks hooks;
		const char *what;
	} cases[] = {
		{{.logits = infinite_term}, "the logit of query 301"},
		{{.adjust = grow_late, .by_rows = true}, "the logit of query 301"},
		{{.weights = weigh_nothing, .by_rows = true}, "the weight of query 301"},
		{{.qk = infinite_queries}, "the logit of query 301"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", UNITS, 0, NULL);
		const char *block = refused(&r, &cases[i].hooks, WANT_OUTPUT);
		const char *whole = refused(&r, &cases[i].hooks, WANT_OUTPUT | WANT_LOGITS);
		assert_string_equal(block, whole);
		assert_non_null(strstr(block, cases[i].what));
		assert_non_null(strstr(block, "head 2"));
		help_run_close(&r);
	}
}

static atomic_size_t blocks_seen;

static bool stop_in_a_block(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	assert_true(head->rows < head->run->n);
	atomic_fetch_add(&blocks_seen, 1);
	watch_cancel(&stop);
	return true;
}

TEST(cancelling_ends_a_head_between_its_blocks)
{
	static const struct hooks hooks = {.adjust = stop_in_a_block, .by_rows = true};
	const struct member member = {.hooks = &hooks,
				      .name = "test",
				      .text = "test",
				      .pos = "seq",
				      .layers = SUBSET_ALL,
				      .heads = SUBSET_ALL};
	struct help_run r;
	struct model model;
	struct trace trace;
	help_run_must_open(&r, "none", UNITS, 0, NULL);
	r.config.heads = 1;
	r.want.kinds = WANT_OUTPUT;
	assert_true(model_build(&model, &r.config, &member, 1, NULL, &r.arena, &r.err));
	watch_begin(&stop);
	atomic_store(&blocks_seen, 0);
	assert_false(model_run(&model, &r.in, &r.want, NULL, &stop, &r.arena, &trace, &r.err));
	assert_true(trace.cancelled);
	assert_int_equal(atomic_load(&blocks_seen), 1);
	help_run_close(&r);
}
