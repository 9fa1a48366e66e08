/* help_scheme.c: see help_scheme.h. */
#include "help_scheme.h"

#include <math.h>

#include "test.h"

struct trace *help_again(struct help_run *r, const char *expression, const struct given *given)
{
	struct arena *a = &r->arena;
	struct expr *e = arena_calloc(a, 1, sizeof *e);
	struct member *members = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *members);
	struct model *model = arena_calloc(a, 1, sizeof *model);
	struct trace *trace = arena_calloc(a, 1, sizeof *trace);
	struct err err = {""};
	size_t n;
	if (!expr_parse(e, expression, a, &err) || !expr_members(e, members, &n, a, &err) ||
	    !model_build(model, &r->config, members, n, given, a, &err) ||
	    !model_run(model, &r->in, &r->want, NULL, NULL, a, trace, &err))
		fail_msg("%s: %s", expression, err.text);
	return trace;
}

void help_run_must_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
			void (*prepare)(struct help_run *r))
{
	if (!help_run_open(r, expression, n, repeat, prepare))
		fail_msg("%s: %s", expression, r->err.text);
}

void help_permute(struct help_run *r, const size_t *order)
{
	const struct mat old = r->in.units;
	r->in.units = mat_new(&r->arena, old.rows, old.cols);
	for (size_t t = 0; t < old.rows; t++)
		mat_set(mat_rows(r->in.units, t, 1), mat_rows(old, order[t], 1));
}

double help_logits_apart(const struct trace *a, const struct trace *b, size_t layer, size_t heads)
{
	double worst = 0;
	for (size_t h = 0; h < heads; h++)
		worst = fmax(worst, mat_max_abs_diff(a->layers[layer].heads[h].logits,
						     b->layers[layer].heads[h].logits));
	return worst;
}

double help_output_apart(const struct trace *a, const struct trace *b, size_t layer)
{
	return mat_max_abs_diff(a->layers[layer].output, b->layers[layer].output);
}

double help_toeplitz_error(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 1; s < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

bool help_is_finite(struct mat m)
{
	for (size_t t = 0; t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++)
			if (!isfinite(mat_row(m, t)[s]))
				return false;
	return true;
}

static void one_head(struct help_run *r)
{
	r->config.heads = 1;
}

void help_sizes(const char *expression)
{
	static const size_t sizes[] = {1, 2, 513};
	for (size_t i = 0; i < 3; i++) {
		for (size_t single = 0; single < (i < 2 ? 2 : 1); single++) {
			struct help_run r;
			help_run_must_open(&r, expression, sizes[i], 0, single ? one_head : NULL);
			const struct trace_layer *last = &r.trace.layers[r.trace.n_layers - 1];
			assert_int_equal(last->output.rows, sizes[i]);
			assert_true(help_is_finite(last->output));
			for (size_t h = 0; h < r.config.heads; h++) {
				assert_int_equal(last->heads[h].weights.cols, sizes[i]);
				assert_true(help_is_finite(last->heads[h].weights));
			}
			help_run_close(&r);
		}
	}
}
