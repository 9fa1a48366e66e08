/* help_tree.c: see help_tree.h. */
#include "help_tree.h"

#include <stdint.h>

struct structure *help_tree(const long *parent, size_t n, struct arena *a)
{
	struct structure *s = arena_calloc(a, 1, sizeof *s);
	size_t *children = arena_calloc(a, n + 1, sizeof *children);
	structure_chain(n, a, s);
	s->kind = STRUCTURE_DEPENDENCY;
	s->root = -1;
	s->n_edges = 0;
	for (size_t i = 0; i < n; i++) {
		s->parent[i] = parent[i];
		s->branch[i] = parent[i] < 0 ? 0 : children[parent[i]]++;
		if (parent[i] < 0)
			s->root = (long)i;
		else
			s->edges[s->n_edges++] = (struct edge){.from = (size_t)parent[i], .to = i};
	}
	return s;
}

struct structure *help_governed(const long *governors, size_t n, struct arena *a)
{
	long *parent = arena_calloc(a, n + 1, sizeof *parent);
	for (size_t i = 0; i < n; i++)
		parent[i] = governors[i] - 1;
	return help_tree(parent, n, a);
}

struct structure *help_random_tree(size_t n, struct rng *rng, struct arena *a)
{
	size_t *order = arena_calloc(a, n + 1, sizeof *order);
	long *parent = arena_calloc(a, n + 1, sizeof *parent);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(rng, order, n);
	for (size_t i = 0; i < n; i++)
		parent[order[i]] = i == 0 ? -1 : (long)order[rng_below(rng, i)];
	return help_tree(parent, n, a);
}

struct structure *help_row_graph(size_t n, struct arena *a)
{
	struct structure *s = arena_calloc(a, 1, sizeof *s);
	structure_chain(n, a, s);
	s->kind = STRUCTURE_GRAPH;
	s->parent = NULL;
	s->branch = NULL;
	s->root = -1;
	return s;
}

void help_stand(struct model_input *in, const struct structure *s)
{
	in->structure = s;
	in->node = s->node_of;
}

void help_open_tree(struct help_run *r, const char *expression, const long *governors, size_t n)
{
	help_run_must_open(r, expression, n, 0, help_with_relation);
	help_stand(&r->in, help_governed(governors, n, &r->arena));
	r->trace = *help_again(r, expression, NULL);
}

void help_open_random_tree(struct help_run *r, const char *expression, size_t n, struct rng *rng)
{
	help_run_must_open(r, expression, n, 0, help_with_relation);
	help_stand(&r->in, help_random_tree(n, rng, &r->arena));
	r->trace = *help_again(r, expression, NULL);
}
