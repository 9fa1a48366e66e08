/* canvas_arrange.c: ways to arrange the shown panels of a figure on a grid of tracks: as on the
 * page, as equals side by side, or heatmaps above everything else.
 *
 * A grid contains the relative positions of panels, but no sizes. */
#include "plot/canvas_arrange.h"
#include "posviz/plot/panel.h"

#include <string.h>

static int largest(int a, int b)
{
	return a > b ? a : b;
}

static bool overlap(struct rect a, struct rect b)
{
	return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
	       b.col < a.col + a.cols;
}

/* Returns whether `r` is inside the grid and overlaps no panel except `self`. */
static bool is_free(const struct grid *g, size_t n, size_t self, struct rect r)
{
	if (r.row < 0 || r.col < 0 || r.row + r.rows > g->rows || r.col + r.cols > g->cols)
		return false;
	for (size_t i = 0; i < n; i++)
		if (i != self && g->at[i].rows > 0 && overlap(g->at[i], r))
			return false;
	return true;
}

/* Extends panels into the empty cells beside them, first to the sides, then up and down. */
static void grow(struct grid *g, size_t n)
{
	static const struct rect steps[] = {
		{0, 0, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 0}, {-1, 0, 1, 0}};
	for (size_t s = 0; s < 4; s++) {
		for (size_t i = 0; i < n; i++) {
			struct rect *const p = &g->at[i];
			for (; p->rows > 0;) {
				const struct rect next = {
					p->row + steps[s].row, p->col + steps[s].col,
					p->rows + steps[s].rows, p->cols + steps[s].cols};
				if (!is_free(g, n, i, next))
					break;
				*p = next;
			}
		}
	}
}

/* Replaces positions along one axis by the number of distinct begins and ends before them, and
 * drops tracks without panels. Returns the number of tracks. `weight` gets the weight that each had
 * on the page: from `own`, or if `own` is NULL, the number of page tracks. Merged columns add their
 * weights; merged rows keep the largest one, because the panels that needed the other rows are not
 * shown. */
static int compact(struct grid *g, size_t n, bool rows, const unsigned char *own, int *weight)
{
	bool used[512] = {false}, edge[513] = {false};
	int index[513], tracks = 0;
	for (size_t i = 0; i < n; i++) {
		const struct rect p = g->at[i];
		const int from = rows ? p.row : p.col, size = rows ? p.rows : p.cols;
		if (p.rows == 0)
			continue;
		memset(used + from, true, (size_t)size * sizeof *used);
		edge[from] = edge[from + size] = true;
	}
	for (int i = 0; i < 512; i++) { /* a track begins at an edge followed by a used position */
		index[i] = tracks;
		const int each = own != NULL && i < FIGURE_TRACKS ? largest(own[i], 1) : 1;
		if (used[i])
			weight[tracks] =
				rows ? largest(weight[tracks], each) : weight[tracks] + each;
		if (used[i] && (i + 1 == 512 || edge[i + 1] || !used[i + 1]))
			tracks++;
	}
	index[512] = tracks;
	for (size_t i = 0; i < n; i++) {
		struct rect *const p = &g->at[i];
		if (p->rows == 0)
			continue;
		int *const from = rows ? &p->row : &p->col, *const size =
								    rows ? &p->rows : &p->cols;
		const int end = index[*from + *size];
		*from = index[*from];
		*size = end - *from;
	}
	return tracks;
}

/* In a single row of panels of the same width heatmaps get the weights of grid_flow. */
static void widen_maps(const struct job *j, struct grid *g)
{
	for (int t = 0; t < g->cols; t++)
		if (g->weight[t] != g->weight[0])
			return;
	for (size_t i = 0; i < j->f->n; i++)
		if (g->at[i].rows > 0 && g->at[i].cols == 1)
			g->weight[g->at[i].col] *= panel_is_map(&j->f->panels[i]) ? 5 : 4;
}

bool grid_page(const struct job *j, bool weighted, struct grid *g)
{
	const size_t n = j->f->n;
	*g = (struct grid){.rows = 512, .cols = 512};
	for (size_t i = 0; i < n; i++) {
		const struct panel *const p = &j->f->panels[i];
		if (!j->on[i])
			continue;
		const struct rect at = {p->row, p->col, largest(p->rows, 1), largest(p->cols, 1)};
		if (!is_free(g, n, i, at))
			return false;
		g->at[i] = at;
	}
	/* Rows are compacted first: this keeps rows > 0, by which compact() recognises panels on
	 * the grid. */
	const struct figure *const f = j->f;
	g->rows = compact(g, n, true, weighted ? f->row_weight : NULL, g->height);
	g->cols = compact(g, n, false, weighted ? f->col_weight : NULL, g->weight);
	grow(g, n);
	if (!weighted && g->rows == 1 && f->by_grid)
		widen_maps(j, g);
	return true;
}

/* Returns whether panel a comes before b: along the rows of the page, or down its columns. */
static bool before(const struct panel *a, const struct panel *b, bool down)
{
	const int first = down ? a->col - b->col : a->row - b->row;
	const int second = down ? a->row - b->row : a->col - b->col;
	return first < 0 || (first == 0 && second < 0);
}

/* Fills `order` with the shown panels of the wanted kinds, in their order on the page; returns
 * their number. */
int grid_order(const struct job *j, bool maps, bool others, size_t *order)
{
	int m = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		int at = m;
		if (!j->on[i] || !(panel_is_map(p) ? maps : others))
			continue;
		for (; at > 0 && before(p, &j->f->panels[order[at - 1]], !maps); at--)
			order[at] = order[at - 1];
		order[at] = i;
		m++;
	}
	return m;
}

/* Puts the shown panels in reading order, `cols` side by side. */
void grid_flow(const struct job *j, int cols, struct grid *g)
{
	size_t order[FIGURE_PANELS];
	const int m = grid_order(j, true, true, order);
	*g = (struct grid){.cols = cols, .rows = (m + cols - 1) / cols};
	for (int k = 0; k < m; k++)
		g->at[order[k]] = (struct rect){k / cols, k % cols, 1, 1};
	for (int i = 0; i < cols; i++)
		g->weight[i] = 4;
	if (g->rows == 1)
		for (int k = 0; k < m; k++) /* heatmaps gain most from width */
			g->weight[k] = panel_is_map(&j->f->panels[order[k]]) ? 5 : 4;
	grow(g, j->f->n);
}

bool grid_beside_table(const struct job *j, struct grid *g)
{
	size_t order[FIGURE_PANELS];
	const int n = grid_order(j, true, true, order);
	if (n < 2 || n > TRACKS || order[0] != 0)
		return false;
	*g = (struct grid){.rows = n - 1, .cols = 2, .weight = {4, 3}};
	g->at[0] = (struct rect){0, 0, n - 1, 1};
	for (int k = 1; k < n; k++)
		g->at[order[k]] = (struct rect){k - 1, 1, 1, 1};
	return true;
}

static int common_multiple(int a, int b)
{
	int multiple = a;
	while (multiple % b != 0)
		multiple += a;
	return multiple;
}

/* Puts the heatmaps first, `above` of them side by side, and the other panels under them, `below`
 * side by side; false if that needs too many tracks. */
bool grid_stack(const struct job *j, int above, int below, struct grid *g)
{
	size_t maps[FIGURE_PANELS], others[FIGURE_PANELS];
	const int n_maps = grid_order(j, true, false, maps);
	const int n_others = grid_order(j, false, true, others);
	const int cols = common_multiple(above, below), first = (n_maps + above - 1) / above;
	if (cols > TRACKS)
		return false;
	*g = (struct grid){.cols = cols, .rows = first + (n_others + below - 1) / below};
	for (int k = 0; k < n_maps; k++)
		g->at[maps[k]] =
			(struct rect){k / above, k % above * (cols / above), 1, cols / above};
	for (int k = 0; k < n_others; k++)
		g->at[others[k]] = (struct rect){first + k / below, k % below * (cols / below), 1,
						 cols / below};
	for (int i = 0; i < cols; i++)
		g->weight[i] = 1;
	grow(g, j->f->n);
	return true;
}

bool grid_side(const struct job *j, struct grid *g)
{
	size_t maps[FIGURE_PANELS], others[FIGURE_PANELS];
	const int n_maps = grid_order(j, true, false, maps);
	const int n_others = grid_order(j, false, true, others);
	size_t all = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		if (j->on[i] && j->f->panels[i].kind == PANEL_STRUCTURE)
			return false;
		all += panel_is_map(&j->f->panels[i]);
	}
	if (n_maps != 1 || all != 1 || n_others == 0)
		return false;
	*g = (struct grid){.rows = n_others, .cols = 2, .weight = {7, 3}};
	g->at[maps[0]] = (struct rect){0, 0, n_others, 1};
	for (int k = 0; k < n_others; k++)
		g->at[others[k]] = (struct rect){k, 1, 1, 1};
	return true;
}
