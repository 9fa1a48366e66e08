/* relate.c: the structure over the units of a run, and the relation that a member derives from
 * it. */
#include <string.h>

#include "model_in.h"

static size_t count_tokens(const struct axis *axis, size_t before)
{
	size_t n = 0;
	for (size_t i = 0; i < before; i++)
		n += axis->token[i] >= 0;
	return n;
}

const struct structure *run_structure(struct run *run, bool *chain)
{
	*chain = run->in->structure == NULL;
	if (run->in->structure)
		return run->in->structure;
	struct structure *s = arena_calloc(run->arena, 1, sizeof *s);
	structure_chain(count_tokens(run->queries, run->queries->n), run->arena, s);
	return s;
}

long run_node(const struct run *run, size_t i)
{
	const long token = run->queries->token[i];
	if (token < 0)
		return -1;
	return run->in->structure ? run->in->node[token] : (long)count_tokens(run->queries, i);
}

static void *copy_bytes(struct arena *a, const void *from, size_t size)
{
	return from ? memcpy(arena_alloc(a, size + 1), from, size) : NULL;
}

/* Copies the labels of all paths into one array: all pairs may have different paths. */
static void copy_paths(struct arena *a, const struct relation *from, struct relation *to)
{
	const size_t n = from->n * from->n;
	struct label_path *paths = copy_bytes(a, from->paths, n * sizeof *paths);
	size_t steps = 0;
	for (size_t i = 0; i < n; i++)
		steps += paths[i].n;
	int *at = arena_alloc(a, steps * sizeof *at);
	for (size_t i = 0; i < n; i++) {
		if (paths[i].n > 0)
			memcpy(at, paths[i].labels, paths[i].n * sizeof *at);
		paths[i].labels = at;
		at += paths[i].n;
	}
	const char **labels = arena_calloc(a, from->n_labels + 1, sizeof *labels);
	for (size_t i = 0; i < from->n_labels; i++)
		labels[i] = arena_strdup(a, from->labels[i]);
	to->paths = paths;
	to->labels = labels;
}

static void copy_relation(struct arena *a, const struct relation *from, struct relation *to)
{
	const size_t cells = from->n * from->n;
	*to = *from;
	to->title = arena_strdup(a, from->title);
	to->note = from->note ? arena_strdup(a, from->note) : NULL;
	to->column = from->column ? arena_strdup(a, from->column) : NULL;
	to->at = copy_bytes(a, from->at, cells * sizeof *from->at);
	to->beside = copy_bytes(a, from->beside, cells * sizeof *from->beside);
	to->ranges = copy_bytes(a, from->ranges, from->n_ranges * sizeof *from->ranges);
	if (from->paths)
		copy_paths(a, from, to);
}

bool keep_relation(struct run *run, struct err *err)
{
	struct run_private *p = run->private;
	/* No member acts between tokens and a source. */
	if (!p->trace || !(p->want->kinds & WANT_RELATION) ||
	    run->model->config.stack == STACK_CROSS)
		return true;
	for (size_t i = 0; i < run->model->n_members && p->trace->relation.n == 0; i++) {
		const struct member *m = &run->model->members[i];
		struct relation from = {0};
		if (!m->hooks->relation)
			continue;
		if (!m->hooks->relation(run, m, &from, err))
			return compatible_failed(run, m, err);
		if (from.n > 0)
			copy_relation(p->keep, &from, &p->trace->relation);
	}
	return true;
}

void run_keep_spectrum(struct run *run, const struct spectrum *spectrum)
{
	const struct run_private *p = run->private;
	const size_t k = spectrum->k;
	if (!p->trace || p->probe_pass || p->trace->spectrum.n > 0)
		return;
	struct spectrum *to = &p->trace->spectrum;
	*to = *spectrum;
	to->vectors = copy_bytes(p->keep, spectrum->vectors, spectrum->n * k * sizeof *to->vectors);
	to->values = copy_bytes(p->keep, spectrum->values, k * sizeof *to->values);
	to->several = copy_bytes(p->keep, spectrum->several, k * sizeof *to->several);
	to->group = copy_bytes(p->keep, spectrum->group, k * sizeof *to->group);
	to->left_out = arena_strdup(p->keep, spectrum->left_out);
}
