/* canvas_layout.c: where the panels of a figure go on a terminal.
 *
 * Panels are tried all together first; as long as they do not fit, the one of the highest priority
 * number goes (a card first becomes one line at the bottom), until those left fit. "Fit" is a size
 * per kind at which a panel is worth looking at; panels that are all of one priority may be smaller
 * before one of them goes. What is left is arranged like the page, else in equal columns.
 *
 * Sizes depend on the data only in so far as heatmaps take whole multiples of their rows; which
 * panels are seen does not depend on it, so editing a sentence folds nothing. */
#include <string.h>

#include "plot/canvas_in.h"

enum { TRACKS = 2 * FIGURE_PANELS };

/* The least size of each kind beside others, and among its equals. */
static const struct room {
	int rows, cols, tight_rows, tight_cols;
} rooms[] = {
	[PANEL_HEATMAP] = {13, 30, 8, 18}, [PANEL_CURVES] = {8, 28, 6, 20},
	[PANEL_BARS] = {6, 26, 5, 18},	   [PANEL_TABLE] = {6, 28, 5, 18},
	[PANEL_CARD] = {7, 28, 5, 20},
};
enum { CARD_ALONE = 3 }; /* rows of a card that has its whole row of the grid to itself */

/* Panels on a grid of tracks. */
struct grid {
	int rows, cols;
	struct rect at[FIGURE_PANELS]; /* in tracks; rows == 0: not on the grid */
	int weight[TRACKS];	       /* of the columns */
};

struct job {
	const struct figure *f;
	struct arena a;
	struct rect r;
	bool on[FIGURE_PANELS];	  /* on the grid */
	bool line[FIGURE_PANELS]; /* a card as one line below it */
	bool tight;
};

static int largest(int a, int b)
{
	return a > b ? a : b;
}

static int smallest(int a, int b)
{
	return a < b ? a : b;
}

/* ---- grids ---- */

static bool overlap(struct rect a, struct rect b)
{
	return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
	       b.col < a.col + a.cols;
}

/* Whether `r` is inside the grid and free of all panels but `self`. */
static bool is_free(const struct grid *g, size_t n, size_t self, struct rect r)
{
	if (r.row < 0 || r.col < 0 || r.row + r.rows > g->rows || r.col + r.cols > g->cols)
		return false;
	for (size_t i = 0; i < n; i++)
		if (i != self && g->at[i].rows > 0 && overlap(g->at[i], r))
			return false;
	return true;
}

/* Panels take the empty places beside them, first to the sides, then up and down. */
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

/* Replaces positions along one axis by the number of distinct begins and ends before them, without
 * tracks in which no panel stands. Returns the tracks. */
static int compact(struct grid *g, size_t n, bool rows)
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
	for (int i = 0; i < 512; i++) { /* a track begins at an edge with something behind it */
		index[i] = tracks;
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

/* The page's own arrangement of the shown panels; false when they overlap there. */
static bool page_grid(const struct job *j, struct grid *g)
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
	/* Rows first needs all rectangles with rows > 0, which compacting keeps. */
	g->rows = compact(g, n, true);
	g->cols = compact(g, n, false);
	for (int i = 0; i < g->cols; i++)
		g->weight[i] = 1;
	grow(g, n);
	return true;
}

/* The shown panels in reading order, `cols` side by side. */
static void flow_grid(const struct job *j, int cols, struct grid *g)
{
	const size_t n = j->f->n;
	size_t order[FIGURE_PANELS], m = 0;
	*g = (struct grid){.cols = cols};
	for (size_t i = 0; i < n; i++) {
		const struct panel *const p = &j->f->panels[i];
		size_t at = m;
		if (!j->on[i])
			continue;
		for (; at > 0; at--) {
			const struct panel *const q = &j->f->panels[order[at - 1]];
			if (q->row < p->row || (q->row == p->row && q->col <= p->col))
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
		m++;
	}
	for (size_t k = 0; k < m; k++)
		g->at[order[k]] = (struct rect){(int)k / cols, (int)k % cols, 1, 1};
	g->rows = ((int)m + cols - 1) / cols;
	for (int i = 0; i < cols; i++)
		g->weight[i] = 4;
	if (g->rows == 1)
		for (size_t k = 0; k < m; k++) /* heatmaps use width best */
			g->weight[k] = j->f->panels[order[k]].kind == PANEL_HEATMAP ? 5 : 4;
	grow(g, n);
}

/* ---- tracks ---- */

static bool alone_in_row(const struct grid *g, size_t i)
{
	return g->at[i].cols == g->cols && g->rows > 1;
}

/* Least rows and columns of panel i on the grid. */
static struct rect least(const struct job *j, const struct grid *g, size_t i)
{
	const struct panel *const p = &j->f->panels[i];
	const struct room *const room = &rooms[p->kind];
	struct rect r = {.rows = room->rows, .cols = room->cols};
	if (j->tight)
		r = (struct rect){.rows = room->tight_rows, .cols = room->tight_cols};
	if (p->kind == PANEL_CARD && p->priority > 0 && alone_in_row(g, i))
		r.rows = CARD_ALONE;
	return r;
}

/* Least sizes of the tracks of one axis; panels over several tracks last. Returns their sum. */
static int least_tracks(const struct job *j, const struct grid *g, bool rows, int *size)
{
	const int n = rows ? g->rows : g->cols;
	memset(size, 0, TRACKS * sizeof *size);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < j->f->n; i++) {
			const struct rect p = g->at[i], min = least(j, g, i);
			const int from = rows ? p.row : p.col, span = rows ? p.rows : p.cols;
			int missing = rows ? min.rows : min.cols;
			if (p.rows == 0 || (span > 1) != (pass == 1))
				continue;
			for (int t = from; t < from + span; t++)
				missing -= size[t];
			if (missing > 0)
				size[from + span - 1] += missing;
		}
	}
	int sum = 0;
	for (int t = 0; t < n; t++)
		sum += size[t];
	return sum;
}

/* Shares `all` columns among the tracks by weight, none below its least. */
static void share_cols(const struct grid *g, int all, int *size)
{
	int weights = 0, given = 0, least_size[TRACKS];
	memcpy(least_size, size, sizeof least_size);
	for (int t = 0; t < g->cols; t++)
		weights += g->weight[t];
	for (int t = 0; t < g->cols; t++) {
		size[t] = largest(all * g->weight[t] / weights, least_size[t]);
		given += size[t];
	}
	for (int t = 0; given > all; t = (t + 1) % g->cols) {
		const int back = smallest(size[t] - least_size[t], 1);
		size[t] -= back;
		given -= back;
	}
	for (int t = 0; given < all; t = (t + 1) % g->cols, given++)
		size[t]++;
}

/* Columns of panel i. */
static int width_of(const struct grid *g, size_t i, const int *cols)
{
	int width = 0;
	for (int c = g->at[i].col; c < g->at[i].col + g->at[i].cols; c++)
		width += cols[c];
	return width;
}

static bool has_map(const struct job *j, const struct grid *g, int t)
{
	for (size_t i = 0; i < j->f->n; i++)
		if (g->at[i].rows == 1 && g->at[i].row == t &&
		    j->f->panels[i].kind == PANEL_HEATMAP)
			return true;
	return false;
}

/* The most of `rows` that a heatmap of row track t can use. */
static int snap(const struct job *j, const struct grid *g, int t, const int *cols, int rows)
{
	int most = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		if (g->at[i].rows != 1 || g->at[i].row != t || p->kind != PANEL_HEATMAP)
			continue;
		most = largest(most, canvas_heatmap_snap(&p->heatmap, rows, width_of(g, i, cols)));
	}
	return most;
}

/* Rows that the panels of track t would like: cards and tables what they hold, curves 12. */
static int wish(struct job *j, const struct grid *g, int t, const int *cols)
{
	int most = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		const struct rect at = g->at[i];
		int rows = 12;
		if (at.rows != 1 || at.row != t)
			continue;
		if (p->kind == PANEL_CARD)
			rows = BOX_ROWS +
			       canvas_card_rows(&j->a, &p->card, width_of(g, i, cols) - BOX_COLS);
		else if (p->kind == PANEL_TABLE)
			rows = (int)(p->table.rows < 60 ? p->table.rows : 60) + BOX_ROWS + 1;
		else if (p->kind == PANEL_BARS)
			rows = (int)(p->bars.n < 60 ? p->bars.n : 60) + BOX_ROWS + 1;
		most = largest(most, rows);
	}
	return most;
}

/* Shares `all` rows: heatmaps get about two thirds, in steps that make their cells taller, then the
 * others what they hold, then whoever can use the rest. */
static void share_rows(struct job *j, const struct grid *g, int all, const int *cols, int *size)
{
	int maps = 0, others = 0, left = all;
	bool is_map[TRACKS] = {false};
	for (int t = 0; t < g->rows; t++) {
		is_map[t] = has_map(j, g, t);
		maps += is_map[t];
		others += is_map[t] ? 0 : size[t];
		left -= size[t];
	}
	const int two_thirds = others > 0 ? smallest(all - others, (2 * all + 2) / 3 + 2) : all;
	for (int t = 0; t < g->rows && maps > 0; t++) {
		if (!is_map[t])
			continue;
		const int snapped = snap(j, g, t, cols, two_thirds / maps);
		const int more = smallest(largest(snapped - size[t], 0), left);
		size[t] += more;
		left -= more;
	}
	for (int t = 0; t < g->rows; t++) {
		if (is_map[t])
			continue;
		const int more = smallest(largest(wish(j, g, t, cols) - size[t], 0), left);
		size[t] += more;
		left -= more;
	}
	for (int t = 0; t < g->rows && maps > 0; t++) {
		if (!is_map[t])
			continue;
		const int snapped = snap(j, g, t, cols, size[t] + left);
		const int more = largest(snapped - size[t], 0);
		size[t] += more;
		left -= more;
	}
	/* What nobody can use still belongs to somebody: the panels without heatmaps, else all. */
	for (int t = 0; left > 0; t = (t + 1) % g->rows) {
		if (others > 0 && is_map[t])
			continue;
		size[t]++;
		left--;
	}
}

/* ---- choosing ---- */

static bool fits(const struct job *j, const struct grid *g, struct rect r)
{
	int size[TRACKS];
	return least_tracks(j, g, true, size) <= r.rows &&
	       least_tracks(j, g, false, size) <= r.cols;
}

/* How good a flow is: the smaller side of its cells, seen as squares. */
static int score(const struct grid *g, struct rect r)
{
	return smallest(r.cols / g->cols, 2 * (r.rows / g->rows));
}

static void put(struct job *j, const struct grid *g, struct rect r, struct rect *place)
{
	int rows[TRACKS], cols[TRACKS];
	least_tracks(j, g, true, rows);
	least_tracks(j, g, false, cols);
	share_cols(g, r.cols, cols);
	share_rows(j, g, r.rows, cols, rows);
	for (size_t i = 0; i < j->f->n; i++) {
		const struct rect p = g->at[i];
		struct rect out = {r.row, r.col, 0, 0};
		if (p.rows == 0)
			continue;
		for (int t = 0; t < p.row + p.rows; t++)
			*(t < p.row ? &out.row : &out.rows) += rows[t];
		for (int t = 0; t < p.col + p.cols; t++)
			*(t < p.col ? &out.col : &out.cols) += cols[t];
		place[i] = out;
	}
}

/* Arranges the shown panels and lines; false when they do not fit. */
static bool arrange(struct job *j, struct rect *place)
{
	struct rect r = j->r;
	struct grid g, best = {0};
	int shown = 0, found = -1;
	for (size_t i = 0; i < j->f->n; i++) {
		shown += j->on[i];
		r.rows -= j->line[i];
	}
	if (page_grid(j, &g) && fits(j, &g, r)) {
		best = g;
		found = 0;
	}
	for (int cols = 1; cols <= shown && best.rows == 0; cols++) {
		flow_grid(j, cols, &g);
		if (!fits(j, &g, r) || score(&g, r) <= found)
			continue;
		best = g;
		found = score(&g, r);
	}
	if (found < 0)
		return false;
	put(j, &best, r, place);
	int row = r.row + r.rows;
	for (size_t i = 0; i < j->f->n; i++)
		if (j->line[i])
			place[i] = (struct rect){row++, r.col, 1, r.cols};
	return true;
}

/* The panel that goes next: the highest priority number, of equals the last; never the focus. */
static size_t victim(const struct job *j, size_t focus)
{
	size_t found = FIGURE_PANELS;
	for (size_t i = 0; i < j->f->n; i++) {
		if (i == focus || (!j->on[i] && !j->line[i]))
			continue;
		if (found == FIGURE_PANELS ||
		    j->f->panels[i].priority >= j->f->panels[found].priority)
			found = i;
	}
	return found;
}

static bool all_equal(const struct job *j)
{
	int priority = -1;
	for (size_t i = 0; i < j->f->n; i++) {
		if (!j->on[i])
			continue;
		if (priority >= 0 && priority != j->f->panels[i].priority)
			return false;
		priority = j->f->panels[i].priority;
	}
	return true;
}

static size_t count(const bool *flags, size_t n)
{
	size_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += flags[i];
	return sum;
}

static void fold_until_fits(struct job *j, size_t focus, struct rect *place)
{
	const size_t n = j->f->n;
	for (;;) {
		j->tight = false;
		if (arrange(j, place))
			return;
		j->tight = true;
		if (all_equal(j) && arrange(j, place))
			return;
		const size_t out = victim(j, focus);
		if (out == FIGURE_PANELS || count(j->on, n) + count(j->line, n) <= 1)
			break;
		const struct panel *const p = &j->f->panels[out];
		/* The last panel of the grid cannot become a line below it. */
		j->line[out] = p->kind == PANEL_CARD && p->priority > 0 && !j->line[out] &&
			       j->on[out] && count(j->on, n) > 1;
		j->on[out] = false;
	}
	for (size_t i = 0; i < n; i++)
		if (j->on[i])
			place[i] = j->r;
}

void canvas_layout(const struct figure *f, struct rect r, size_t focus, bool zoom,
		   struct rect *place)
{
	for (size_t i = 0; i < f->n; i++)
		place[i] = (struct rect){r.row, r.col, 0, 0};
	if (f->n == 0 || r.rows < 1 || r.cols < 1)
		return;
	if (zoom || f->n == 1) {
		place[focus < f->n ? focus : 0] = r;
		return;
	}
	struct job j = {.f = f, .r = r};
	for (size_t i = 0; i < f->n; i++)
		j.on[i] = true;
	arena_init(&j.a);
	fold_until_fits(&j, focus, place);
	arena_release(&j.a);
}
