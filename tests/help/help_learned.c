/* help_learned.c: see help_learned.h. */
#include "help_learned.h"
#include "help_tape.h"

#include <math.h>
#include <string.h>

#include "test.h"

void help_zero_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model_leaf_at(model, &model->leaves[i]), 0);
}

/* ---- terms ---- */

size_t help_terms_sum(const char *expression, void (*prepare)(struct help_run *r))
{
	struct help_run r;
	help_run_must_open(&r, expression, 6, 0, prepare);
	r.want.kinds |= WANT_TERMS;
	const struct trace *trace = help_again(&r, expression, NULL);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		const struct mat sum = mat_copy(&r.arena, head->terms[0].at);
		for (size_t i = 1; i < head->n_terms; i++) {
			const struct mat term = head->terms[i].at;
			assert_true(term.rows == sum.rows && term.cols == sum.cols);
			for (size_t t = 0; t < sum.rows; t++)
				for (size_t s = 0; s < sum.cols; s++)
					mat_row(sum, t)[s] += mat_row(term, t)[s];
		}
		assert_true(mat_max_abs_diff(sum, head->logits) < 1e-10);
	}
	const size_t terms = trace->layers[0].heads[0].n_terms;
	help_run_close(&r);
	return terms;
}

/* ---- ways through the code ---- */

static struct mat recorded_output(struct help_run *r)
{
	struct tape tape;
	tape_init(&tape, &r->arena, true);
	struct run *run;
	struct err err = {""};
	struct node *out = model_record(&r->model, &r->in, &tape, &run, &err);
	if (!out)
		fail_msg("%s", err.text);
	return out->v;
}

static void check_cached(struct help_run *r)
{
	struct cache *cache = cache_new(1 << 24);
	struct trace first, second;
	struct err err = {""};
	assert_true(model_run(&r->model, &r->in, &r->want, cache, NULL, &r->arena, &first, &err));
	assert_true(model_run(&r->model, &r->in, &r->want, cache, NULL, &r->arena, &second, &err));
	const size_t last = r->model.n_steps - 1;
	assert_true(help_output_apart(&first, &r->trace, last) == 0);
	assert_true(help_output_apart(&second, &r->trace, last) == 0);
	cache_free(cache);
}

void help_all_ways_agree(const char *expression, void (*prepare)(struct help_run *r))
{
	struct help_run r;
	help_run_must_open(&r, expression, 7, 0, prepare);
	const size_t last = r.model.n_steps - 1;
	const struct mat recorded = recorded_output(&r);
	assert_true(mat_max_abs_diff(recorded, r.trace.layers[last].output) < 1e-9);
	check_cached(&r);
	r.want.kinds |= WANT_TERMS;
	const struct trace *split = help_again(&r, expression, NULL);
	for (size_t l = 0; l <= last; l++) {
		assert_true(help_logits_apart(&r.trace, split, l, r.config.heads) < 1e-10);
		assert_true(help_output_apart(&r.trace, split, l) < 1e-10);
	}
	help_run_close(&r);
}

void help_is_relative(const char *expression, const char *column)
{
	for (enum projection proj = 0; proj < PROJ_COUNT; proj++) {
		struct help_run r;
		help_run_must_open(&r, expression, 9, 0, NULL);
		r.config.proj = proj;
		const struct trace *here = help_again(&r, expression, NULL);
		r.in.shift_column = column;
		r.in.shift_by = 5;
		const struct trace *moved = help_again(&r, expression, NULL);
		for (size_t l = 0; l < here->n_layers; l++)
			assert_true(help_logits_apart(here, moved, l, r.config.heads) < 1e-9);
		for (size_t h = 0; h < r.config.heads; h++) {
			double lo, hi;
			assert_true(mat_range(here->layers[0].heads[h].bias, &lo, &hi));
			if (!(hi - lo > 1e-3))
				fail_msg("%s: the bias of head %zu is constant", expression, h);
		}
		help_run_close(&r);
	}
}

/* ---- gradients ---- */

static void small(struct help_run *r)
{
	r->config.d = 12;
	r->config.heads = 2;
	r->config.ff = 6;
	r->config.t_max = 7;
}

/* Evaluates the output for differences without recording, so that both ways through the model are
 * compared. */
static struct node *output(void *context, struct tape *t)
{
	const struct help_run *r = context;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct run *run;
	struct trace trace;
	struct err err = {""};
	struct node *out = NULL;
	if (t->recording)
		out = model_record(&r->model, &r->in, t, &run, &err);
	else if (model_run(&r->model, &r->in, &want, NULL, NULL, t->arena, &trace, &err))
		out = tape_const(t, trace.layers[trace.n_layers - 1].output);
	if (!out)
		fail_msg("%s", err.text);
	return out;
}

void help_model_gradients(struct help_run *r, const char *expression)
{
	enum { DIRECTIONS = 2 };
	const struct model *model = &r->model;
	struct mat *leaves = arena_calloc(&r->arena, model->n_leaves + 1, sizeof *leaves);
	size_t n = 0, where = 0;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (!model->leaves[i].frozen)
			leaves[n++] = model_leaf_at(model, &model->leaves[i]);
	const double off = help_tape_check(output, r, leaves, n, DIRECTIONS, &where, &r->arena);
	for (size_t i = 0; i < model->n_leaves && !(off < 1e-6); i++)
		if (model_leaf_at(model, &model->leaves[i]).at == leaves[where].at)
			fail_msg("%s: gradient of %s is off by %g", expression,
				 model->leaves[i].name, off);
}

void help_gradients(const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, expression, 5, 0, small);
	assert_true(r.model.n_leaves > 0);
	help_model_gradients(&r, expression);
	help_run_close(&r);
}

void help_traces_equal(const struct trace *a, const struct trace *b)
{
	for (size_t l = 0; l < 2; l++) {
		assert_true(help_logits_apart(a, b, l, 4) < 1e-12);
		assert_true(help_output_apart(a, b, l) < 1e-12);
	}
}

double help_rows_apart(struct mat m, size_t t, size_t s, size_t col, size_t cols)
{
	return mat_max_abs_diff(mat_cols(mat_rows(m, t, 1), col, cols),
				mat_cols(mat_rows(m, s, 1), col, cols));
}
