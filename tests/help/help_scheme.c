/* help_scheme.c: see help_scheme.h. */
#include "help_scheme.h"

#include <math.h>
#include <string.h>

#include "test.h"

static struct trace *evaluated(struct help_run *r, const char *expression,
			       const struct given *given, void (*change)(struct model *model))
{
	struct arena *a = &r->arena;
	struct expr *e = arena_calloc(a, 1, sizeof *e);
	struct member *members = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *members);
	struct model *model = arena_calloc(a, 1, sizeof *model);
	struct trace *trace = arena_calloc(a, 1, sizeof *trace);
	struct err err = {""};
	size_t n;
	if (!expr_parse(e, expression, a, &err) || !expr_members(e, members, &n, a, &err) ||
	    !model_build(model, &r->config, members, n, given, a, &err))
		fail_msg("%s: %s", expression, err.text);
	if (change)
		change(model);
	if (!model_run(model, &r->in, &r->want, NULL, NULL, a, trace, &err))
		fail_msg("%s: %s", expression, err.text);
	return trace;
}

struct trace *help_again(struct help_run *r, const char *expression, const struct given *given)
{
	return evaluated(r, expression, given, NULL);
}

struct trace *help_changed(struct help_run *r, const char *expression,
			   void (*change)(struct model *model))
{
	return evaluated(r, expression, NULL, change);
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

enum { LONGEST = 513 };

static void long_tables(struct help_run *r)
{
	r->config.t_max = LONGEST;
}

static void one_head(struct help_run *r)
{
	r->config.heads = 1;
}

void help_sizes(const char *expression)
{
	static const size_t sizes[] = {1, 2, LONGEST};
	for (size_t i = 0; i < 3; i++) {
		for (size_t single = 0; single < (i < 2 ? 2 : 1); single++) {
			struct help_run r;
			help_run_must_open(&r, expression, sizes[i], 0,
					   single ? one_head : long_tables);
			const struct trace_layer *last = &r.trace.layers[r.trace.n_layers - 1];
			/* Some schemes insert units of their own. */
			assert_true(r.trace.query.n >= sizes[i]);
			assert_int_equal(last->output.rows, r.trace.query.n);
			assert_true(help_is_finite(last->output));
			for (size_t h = 0; h < r.config.heads; h++) {
				assert_int_equal(last->heads[h].weights.cols, r.trace.key.n);
				assert_true(help_is_finite(last->heads[h].weights));
			}
			help_run_close(&r);
		}
	}
}

void help_paper_init(struct help_run *r)
{
	r->config.init = INIT_PAPER;
}

void help_with_terms(struct help_run *r)
{
	r->want.kinds |= WANT_TERMS;
}

void help_with_qkv(struct help_run *r)
{
	r->want.kinds |= WANT_QKV;
}

void help_with_input(struct help_run *r)
{
	r->want.kinds |= WANT_INPUT;
}

void help_with_relation(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION;
}

void help_without_content(struct help_run *r)
{
	r->config.content = 0;
}

void help_short_table(struct help_run *r)
{
	r->config.t_max = 6;
}

void help_identity(struct help_run *r)
{
	r->config.proj = PROJ_IDENTITY;
}

struct mat help_last_output(const struct trace *trace)
{
	return trace->layers[trace->n_layers - 1].output;
}

struct mat help_leaf(const struct model *model, const char *base)
{
	return help_leaf_of(model, base)->at;
}

void help_draw_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct rng rng;
		rng_init_name(&rng, 5, model->leaves[i].name);
		mat_fill_normal(model_leaf_at(model, &model->leaves[i]), 0.5, &rng);
	}
}

double help_sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

double help_dot(const double *a, const double *b, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

void help_with_everything(struct help_run *r)
{
	r->want.kinds = WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK |
			WANT_WEIGHTS | WANT_CONTEXT | WANT_OUTPUT | WANT_BIAS | WANT_POSITION;
}

void help_assert_near(struct mat got, struct mat want, double tolerance, const char *what)
{
	const double off = mat_max_abs_diff(got, want);
	if (!(off <= tolerance))
		fail_msg("%s: %g apart", what, off);
}

void help_expect_terms(const struct trace *trace, size_t layer, size_t head, const char *labels)
{
	const struct trace_head *h = &trace->layers[layer].heads[head];
	char got[256] = "";
	for (size_t i = 0; i < h->n_terms; i++) {
		strcat(got, i ? " " : "");
		strcat(got, h->terms[i].label);
	}
	if (strcmp(got, labels) != 0)
		fail_msg("layer %zu head %zu has \"%s\", not \"%s\"", layer, head, got, labels);
}

static enum projection wanted_proj;
static size_t wanted_layers;
static unsigned wanted_kinds;

static void set_wanted(struct help_run *r)
{
	r->config.proj = wanted_proj;
	r->config.layers = wanted_layers ? wanted_layers : 2;
	if (wanted_kinds)
		r->want.kinds = wanted_kinds;
}

void help_open_wanted(struct help_run *r, const char *expression, size_t n, enum projection proj,
		      size_t layers, unsigned kinds)
{
	wanted_proj = proj;
	wanted_layers = layers;
	wanted_kinds = kinds;
	help_run_must_open(r, expression, n, 0, set_wanted);
}

struct mat help_weight_of(const struct trace_layer *layer, const char *name)
{
	for (size_t i = 0; i < layer->n_weights; i++)
		if (strcmp(layer->weights[i].name, name) == 0)
			return layer->weights[i].at;
	fail_msg("no weight %s", name);
	return (struct mat){0};
}

struct mat help_input_of(const struct trace *trace)
{
	return trace->layers[0].input;
}

double help_row_norm(struct mat m, size_t t)
{
	return mat_norm(mat_rows(m, t, 1));
}

double help_entry(struct mat m, size_t row, size_t col)
{
	return mat_row(m, row)[col];
}

const struct trace_head *help_head_of(const struct trace *trace, size_t i)
{
	return &trace->layers[0].heads[i];
}

void help_one_head_of_4(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
	help_with_qkv(r);
}

const double *help_column_of(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->n_columns; i++)
		if (strcmp(trace->columns[i].name, name) == 0)
			return trace->columns[i].at;
	fail_msg("no column %s", name);
	return NULL;
}

struct leaf *help_leaf_of(const struct model *model, const char *base)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, base) == 0)
			return &model->leaves[i];
	fail_msg("no leaf %s", base);
	return NULL;
}
