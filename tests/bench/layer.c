/* layer.c: one layer to run; see bench.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static void make_input(struct layer *l, size_t n)
{
	const char **text = arena_calloc(&l->arena, n, sizeof *text);
	size_t *len = arena_calloc(&l->arena, n, sizeof *len);
	long *token = arena_calloc(&l->arena, n, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		text[i] = arena_printf(&l->arena, "w%zu", i);
		len[i] = strlen(text[i]);
		token[i] = (long)i;
	}
	l->in.axis = (struct axis){.n = n, .labels = text, .token = token};
	l->in.units = model_units(&l->arena, &l->model.config, text, len, n);
}

bool layer_open(struct layer *l, const char *expression, size_t n, size_t d, size_t heads)
{
	memset(l, 0, sizeof *l);
	arena_init(&l->arena);
	const struct model_config config = {.d = d,
					    .heads = heads,
					    .layers = 1,
					    .ff = 4 * d,
					    .t_max = n > 512 ? n : 512,
					    .seed = 1,
					    .proj = PROJ_RANDOM,
					    .content = 2,
					    .norm_eps = 1e-5};
	struct err err;
	size_t members;
	if (!expr_parse(&l->expr, expression, &l->arena, &err) ||
	    !expr_members(&l->expr, l->members, &members, &l->arena, &err) ||
	    !model_build(&l->model, &config, l->members, members, NULL, &l->arena, &err)) {
		printf("%-14s %s\n", expression, err.text);
		arena_release(&l->arena);
		return false;
	}
	l->cache = cache_new((size_t)1 << 30);
	make_input(l, n);
	return true;
}

void layer_close(struct layer *l)
{
	cache_free(l->cache);
	arena_release(&l->arena);
}

bool layer_evaluate(struct layer *l, struct err *err)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct arena a;
	struct trace trace;
	arena_init(&a);
	const bool ok = model_run(&l->model, &l->in, &want, l->cache, NULL, &a, &trace, err);
	l->operations = ok ? trace.operations : 0;
	arena_release(&a);
	return ok;
}

void layer_run(void *layer)
{
	struct err err;
	if (layer_evaluate(layer, &err))
		return;
	fprintf(stderr, "bench: %s\n", err.text);
	exit(1);
}
