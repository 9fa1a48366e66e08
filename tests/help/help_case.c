/* help_case.c: see help_case.h. Tolerances are absolute, as in the files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_case.h"
#include "test.h"
#include "help_tensors.h"

static struct axis numbered_axis(struct arena *a, size_t n)
{
	const char **labels = arena_calloc(a, n, sizeof *labels);
	long *token = arena_calloc(a, n, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		/* Digits, because some schemes look for them. */
		labels[i] = arena_printf(a, "%zu", i);
		token[i] = (long)i;
	}
	return (struct axis){.n = n, .labels = labels, .token = token};
}

static size_t count_heads(const struct tensor_set *set)
{
	size_t heads = 0;
	for (size_t i = 0; i < set->count; i++) {
		unsigned head;
		if (sscanf(set->tensors[i].name, "head.%u.", &head) == 1 && head + 1 > heads)
			heads = head + 1;
	}
	return heads ? heads : 1;
}

/* Returns whether the file has weights. A file of vectors alone has none, but a file whose weights
 * are not taken is an error. */
static bool has_weights(const struct tensor_set *set)
{
	static const char *const names[] = {"w_q", "w_k", "w_v", "w_o", "w_ff1", "w_ff2"};
	static const char *const before[] = {"", "layer.0.", "param."};
	char name[40];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
			snprintf(name, sizeof name, "%s%s", before[k], names[i]);
			if (tensor_find(set, name))
				return true;
		}
	return false;
}

void help_case_open(struct help_result *r, const struct help_case *c)
{
	memset(r, 0, sizeof *r);
	arena_init(&r->arena);
	tensor_set_init(&r->set, &r->arena);
	struct err err = {""};
	const char *path = arena_printf(&r->arena, "%s/%s", test_data, c->file);
	if (!help_tensors(&r->set, path, &err))
		fail_msg("%s", err.text);
	if (c->reshape)
		c->reshape(&r->set, &r->arena);
	const struct tensor *input = tensor_find(&r->set, "input");
	assert_non_null(input);
	const struct mat units = tensor_mat(input);
	const struct model_config config = {
		.d = units.cols,
		.heads = count_heads(&r->set),
		.layers = c->layers ? c->layers : 1,
		.head_dim = c->head_dim,
		.value_dim = c->value_dim,
		.ff = tensor_find(&r->set, "param.w_ff1")
			      ? tensor_mat(tensor_find(&r->set, "param.w_ff1")).cols
			      : 4,
		.t_max = c->t_max ? c->t_max : 512,
		.seed = 7,
		.proj = PROJ_RANDOM,
		.content = 2,
		.activation = c->activation,
		.norm_eps = c->norm_eps > 0 ? c->norm_eps : 1e-5};
	memcpy(r->map, c->map, sizeof r->map);
	while (r->given.map_count < 6 && r->map[r->given.map_count])
		r->given.map_count++;
	r->given.map = r->map;
	r->given.params = &r->set;
	r->given.weights = has_weights(&r->set) ? &r->set : NULL;
	size_t n_members;
	if (!expr_parse(&r->expr, c->expression, &r->arena, &err) ||
	    !expr_members(&r->expr, r->members, &n_members, &r->arena, &err) ||
	    !model_build(&r->model, &config, r->members, n_members, &r->given, &r->arena, &err))
		fail_msg("%s: %s", c->file, err.text);
	struct model_input in = {.axis = numbered_axis(&r->arena, units.rows), .units = units};
	if (c->structure)
		c->structure(&in, &r->set, &r->arena);
	const struct want want = {.kinds = WANT_QKV | WANT_LOGITS | WANT_WEIGHTS | WANT_CONTEXT |
					   WANT_MASK | WANT_OUTPUT | WANT_POSITION,
				  .layer = -1,
				  .head = -1};
	if (!model_run(&r->model, &in, &want, NULL, NULL, &r->arena, &r->trace, &err))
		fail_msg("%s: %s", c->file, err.text);
}

void help_case_close(struct help_result *r)
{
	arena_release(&r->arena);
}

static void compare(const struct help_case *c, const char *name, struct mat got, struct mat want,
		    const uint8_t *allowed)
{
	const double tolerance = c->tolerance > 0 ? c->tolerance : 1e-9;
	if (got.rows != want.rows || got.cols != want.cols)
		fail_msg("%s %s: %zux%zu, reference %zux%zu", c->file, name, got.rows, got.cols,
			 want.rows, want.cols);
	for (size_t t = 0; t < got.rows; t++) {
		double shift = 0;
		if (allowed && c->row_shift)
			shift = mat_row(got, t)[0] - mat_row(want, t)[0];
		for (size_t s = 0; s < got.cols; s++) {
			if (allowed && c->masked_logits && !allowed[t * got.cols + s])
				continue;
			const double off = mat_row(got, t)[s] - mat_row(want, t)[s] - shift;
			if (!(fabs(off) <= tolerance))
				fail_msg("%s %s[%zu][%zu]: %.12g, reference %.12g", c->file, name,
					 t, s, mat_row(got, t)[s], mat_row(want, t)[s]);
		}
	}
}

size_t help_case_compare(const struct help_result *r, const struct help_case *c)
{
	size_t compared = 0;
	const size_t n = r->trace.query.n;
	for (size_t h = 0; h < r->model.config.heads; h++) {
		const struct trace_head *head = &r->trace.layers[0].heads[h];
		uint8_t *all = malloc(n * n);
		assert_non_null(all);
		memset(all, 1, n * n);
		const uint8_t *allowed = head->mask ? head->mask : all;
		const struct {
			const char *kind;
			struct mat at;
			bool logits;
		} rows[] = {
			{"logits", head->logits, true},
			{"weights", head->weights, false},
			{"context", head->context, false},
			{"q", head->q, false},
			{"k", head->k, false},
		};
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			char name[64];
			snprintf(name, sizeof name, "head.%zu.%s", h, rows[i].kind);
			const struct tensor *t = tensor_find(&r->set, name);
			if (!t || !rows[i].at.at || (c->skip && strstr(c->skip, rows[i].kind)))
				continue;
			compare(c, name, rows[i].at, tensor_mat(t),
				rows[i].logits ? allowed : NULL);
			compared++;
		}
		free(all);
	}
	return compared;
}

void help_case_check(const struct help_case *c)
{
	struct help_result r;
	help_case_open(&r, c);
	if (help_case_compare(&r, c) == 0)
		fail_msg("%s: nothing was compared", c->file);
	help_case_close(&r);
}

struct model_config help_config(void)
{
	return (struct model_config){.d = 32,
				     .heads = 4,
				     .layers = 2,
				     .ff = 64,
				     .t_max = 512,
				     .seed = 1,
				     .proj = PROJ_RANDOM,
				     .content = 2,
				     .norm_eps = 1e-5};
}

static void fill_input(struct help_run *r, size_t n, size_t repeat)
{
	struct arena *a = &r->arena;
	const char **text = arena_calloc(a, n, sizeof *text);
	size_t *len = arena_calloc(a, n, sizeof *len);
	for (size_t i = 0; i < n; i++) {
		text[i] = arena_printf(a, "w%zu", repeat ? i % repeat : i);
		len[i] = strlen(text[i]);
	}
	r->in.axis = numbered_axis(a, n);
	r->in.units = model_units(a, &r->config, text, len, n);
	r->in.probe = mat_new(a, 1, r->config.d);
	mat_fill(r->in.probe, 1);
}

bool help_run_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
		   void (*prepare)(struct help_run *r))
{
	memset(r, 0, sizeof *r);
	arena_init(&r->arena);
	r->config = help_config();
	r->want = (struct want){.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_OUTPUT | WANT_BIAS |
					 WANT_MASK | WANT_POSITION,
				.layer = -1,
				.head = -1};
	if (prepare)
		prepare(r);
	fill_input(r, n, repeat);
	size_t n_members;
	return expr_parse(&r->expr, expression, &r->arena, &r->err) &&
	       expr_members(&r->expr, r->members, &n_members, &r->arena, &r->err) &&
	       model_build(&r->model, &r->config, r->members, n_members, NULL, &r->arena,
			   &r->err) &&
	       model_run(&r->model, &r->in, &r->want, NULL, NULL, &r->arena, &r->trace, &r->err);
}

void help_run_close(struct help_run *r)
{
	arena_release(&r->arena);
}
