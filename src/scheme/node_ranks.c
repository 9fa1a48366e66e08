/* node_ranks.c: see node_ranks.h. */
#include "scheme/node_ranks.h"

#include <math.h>
#include <stdlib.h>

/* A node's colour and those of its neighbours, ascending. */
struct surroundings {
	size_t node, n;
	int32_t *colours;
};

static int by_number(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static int by_colours(const void *a, const void *b)
{
	const struct surroundings *x = a, *y = b;
	for (size_t i = 0; i < x->n && i < y->n; i++)
		if (x->colours[i] != y->colours[i])
			return x->colours[i] < y->colours[i] ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

/* Refines colours to the ranks of old colour and neighbours' colours, from 1; returns their
 * number. Ranks keep the order of the old colours, so if their number does not change, neither
 * do they. */
static size_t refine(const struct graph *g, struct surroundings *around, int32_t *colour)
{
	for (size_t i = 0; i < g->n; i++) {
		struct surroundings *s = &around[i];
		s->n = 1 + graph_degree(g, s->node);
		s->colours[0] = colour[s->node];
		for (size_t e = 1; e < s->n; e++)
			s->colours[e] = colour[g->to[g->first[s->node] + e - 1]];
		qsort(s->colours + 1, s->n - 1, sizeof *s->colours, by_number);
	}
	qsort(around, g->n, sizeof *around, by_colours);
	int32_t rank = 0;
	for (size_t i = 0; i < g->n; i++) {
		rank += i == 0 || by_colours(&around[i - 1], &around[i]) != 0;
		colour[around[i].node] = rank;
	}
	return (size_t)rank;
}

int32_t *node_colours(const struct graph *g, long rounds, struct arena *a)
{
	struct surroundings *around = arena_calloc(a, g->n + 1, sizeof *around);
	int32_t *colour = arena_calloc(a, g->n + 1, sizeof *colour);
	for (size_t i = 0; i < g->n; i++) {
		colour[i] = 1;
		around[i].node = i;
		around[i].colours = arena_calloc(a, graph_degree(g, i) + 1, sizeof(int32_t));
	}
	for (size_t count = 1, round = 0; rounds == 0 || round < (size_t)rounds; round++) {
		const size_t now = refine(g, around, colour);
		if (now == count)
			break;
		count = now;
	}
	return colour;
}

/* Returns row i of S = α (I - (1-α) Ā)^{-1} = α Σ_m (1-α)^m Ā^m. Neither Ā makes a row larger,
 * so the truncation error is below the weight of the next term. */
static double *closeness(const struct graph *g, size_t i, double alpha, enum node_closeness how,
			 struct arena *a)
{
	double *sum = arena_calloc(a, g->n + 1, sizeof *sum);
	double *at = arena_calloc(a, g->n + 1, sizeof *at);
	double *next = arena_calloc(a, g->n + 1, sizeof *next);
	double *scale = arena_calloc(a, g->n + 1, sizeof *scale);
	for (size_t j = 0; j < g->n; j++) {
		const double degree = fmax(1, (double)graph_degree(g, j));
		scale[j] = how == NODE_CLOSENESS_CODE ? 1 / sqrt(degree) : 1 / degree;
	}
	at[i] = 1;
	for (double weight = alpha; weight > 1e-18; weight *= 1 - alpha) {
		for (size_t j = 0; j < g->n; j++)
			sum[j] += weight * at[j];
		for (size_t j = 0; how == NODE_CLOSENESS_CODE && j < g->n; j++)
			at[j] *= scale[j];
		for (size_t j = 0; j < g->n; j++) {
			double in = 0;
			for (size_t e = g->first[j]; e < g->first[j + 1]; e++)
				in += at[g->to[e]];
			next[j] = in * scale[j];
		}
		double *const swap = at;
		at = next;
		next = swap;
	}
	return sum;
}

int32_t *node_intimacy(const struct graph *g, size_t target, double alpha, enum node_closeness how,
		       struct arena *a)
{
	static const double same = 1e-12;
	const double *close = closeness(g, target, alpha, how, a);
	const size_t n = g->n;
	int32_t *rank = arena_calloc(a, n + 1, sizeof *rank);
	for (size_t j = 0; j < n; j++)
		rank[j] = j == target ? 0 : -1;
	for (int32_t next = 1; (size_t)next < n; next++) {
		size_t best = n;
		for (size_t j = 0; j < n; j++) {
			if (rank[j] >= 0)
				continue;
			const double more = best == n ? 1 : close[j] - close[best];
			if (more > same || (how == NODE_CLOSENESS_CODE && more > -same))
				best = j;
		}
		rank[best] = next;
	}
	return rank;
}
