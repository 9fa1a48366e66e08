/* survey_8.c: Graformer's relative positions in a graph, by shortest paths. */
#include <stdlib.h>

#include "fig.h"

/* Two facts, as Graformer has them: each entity and each relation is a node, each word of its label a token. */
enum { NODES = 5, WORDS = 8, D_MAX = 3, FAR = 99 };
static const size_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}, {4, 2}};
static const size_t node_of[WORDS] = {0, 1, 1, 1, 2, 3, 3, 4};

/* ---- by the definition --------------------------------------------------------------------------- */

/* Edges on a shortest path from each node to each other (Floyd and Warshall); FAR: there is none. */
static void paths(int d[NODES][NODES])
{
	for (size_t i = 0; i < NODES; i++)
		for (size_t k = 0; k < NODES; k++)
			d[i][k] = i == k ? 0 : FAR;
	for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
		d[edges[e][0]][edges[e][1]] = 1;
	for (size_t by = 0; by < NODES; by++)
		for (size_t i = 0; i < NODES; i++)
			for (size_t k = 0; k < NODES; k++)
				if (d[i][by] + d[by][k] < d[i][k])
					d[i][k] = d[i][by] + d[by][k];
}

/* Equation 31; of words of one label first, for they have no path. */
static int defined(int d[NODES][NODES], size_t t, size_t s)
{
	const size_t from = node_of[t], to = node_of[s];
	if (from == to)
		return (int)s - (int)t + (s > t ? D_MAX : s < t ? -D_MAX : 0);
	if (d[from][to] >= FAR && d[to][from] >= FAR)
		return FAR;
	return d[from][to] <= d[to][from] ? d[from][to] : -d[to][from];
}

/* ---- the figure ---------------------------------------------------------------------------------- */

static void say(struct fig *f, const struct relation *r)
{
	int d[NODES][NODES];
	size_t other = 0, far = 0;
	paths(d);
	for (size_t t = 0; t < WORDS; t++)
		for (size_t s = 0; s < WORDS; s++) {
			const int32_t at = r->at[t * WORDS + s];
			far += at == RELATION_NO_PATH;
			other += defined(d, t, s) != (at == RELATION_NO_PATH ? FAR : at);
		}
	fig_number(f, "other", (double)other, "pairs that are not as equation 31 has them");
	fig_number(f, "infinite", (double)far, "pairs without a path");
}

/* The view says of pairs without a path that they are masked, and the source that they are at ∞. */
void draw_survey_8(struct fig *f)
{
	static const struct heatmap_name infinite[] = {{FAR, "∞", "∞", "no path"}};
	const struct fig_run *const run = fig_run(f, f->scene, WANT_RELATION);
	if (!run)
		return;
	const struct relation *const r = &run->trace.relation;
	const struct mat m = mat_new(f->a, WORDS, WORDS);
	for (size_t i = 0; i < WORDS * WORDS; i++)
		m.at[i] = r->at[i] == RELATION_NO_PATH ? FAR : r->at[i];
	struct panel *const p = fig_panel(f, "positions", "Relative positions", 0, 1, 1, 0);
	const struct paint paint = {
		.is_signed = true, .ranged = true, .lo = -D_MAX - 2, .hi = D_MAX + 2, .own = true};
	fig_map(f, p, run, m, &paint);
	p->subtitle = "r(t, s): row t, column s; ∞: no path either way";
	p->heatmap.integers = true;
	p->heatmap.names = infinite;
	p->heatmap.n_names = 1;
	say(f, r);
}
