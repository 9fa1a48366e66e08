/* canvas_layout.c: the places of the shown panels of a figure (chosen by canvas_fold.c) on a
 * terminal.
 *
 * Panels have the least sizes of canvas_least.c. They are arranged as on the page. If that has no room, or
 * if folding left heatmaps of unequal widths, heatmaps are placed above and the others below them;
 * else all in equal columns. Heatmaps need width most: another panel is beside a few of them only
 * if these are still wide, and panels below get a third of the rows.
 *
 * Sizes depend on the data only because heatmaps take whole multiples of their rows. */
#include <string.h>

#include "plot/canvas_arrange.h"
#include "plot/fold.h"
#include "plot/panel_in.h"

static int largest(int a, int b)
{
	return a > b ? a : b;
}

static int smallest(int a, int b)
{
	return a < b ? a : b;
}

/* ---- tracks ---- */

/* Divides `all` columns among the tracks by weight, at least the least size for each. */
static void share_cols(const struct grid *g, int all, int *size)
{
	int weights = 0, before = 0, given = 0, least_size[TRACKS];
	memcpy(least_size, size, sizeof least_size);
	for (int t = 0; t < g->cols; t++)
		weights += g->weight[t];
	for (int t = 0; t < g->cols;
	     t++) { /* rounds the edges, so that panels of two tracks are equal too */
		const int from = all * before / weights;
		before += g->weight[t];
		size[t] = largest(all * before / weights - from, least_size[t]);
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

/* Returns the columns of panel i. */
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
		if (g->at[i].rows == 1 && g->at[i].row == t && panel_is_map(&j->f->panels[i]))
			return true;
	return false;
}

/* Returns the columns of heatmap i, reduced to those of the narrowest heatmap unless the figure has
 * a leading panel. */
static int map_width(const struct job *j, const struct grid *g, size_t i, const int *cols)
{
	int width = width_of(g, i, cols);
	for (size_t k = 0; k < j->f->n && !j->f->lead; k++)
		if (g->at[k].rows > 0 && panel_is_map(&j->f->panels[k]))
			width = smallest(width, width_of(g, k, cols));
	return width;
}

/* Returns how many of `rows` the heatmaps of row track t can use. */
static int snap(struct job *j, const struct grid *g, int t, const int *cols, int rows)
{
	int most = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		if (g->at[i].rows != 1 || g->at[i].row != t || !panel_is_map(p))
			continue;
		most = largest(most, canvas_heatmap_rows(j->like, &j->a, &p->heatmap, rows,
							 map_width(j, g, i, cols)));
	}
	return most;
}

/* Returns the rows that a panel needs, or (`all`) can use. */
static int rows_of(struct job *j, const struct panel *p, struct panel_room room, bool all)
{
	enum { USUAL = 12 };
	const struct panel_type *const type = panel_type(p);
	room.like = j->like;
	room.a = &j->a;
	room.screen = j->r.rows;
	return type->rows != NULL ? type->rows(p, &room, all)
	       : type->wanted > 0 ? type->wanted
				  : USUAL;
}

int layout_line_rows(struct job *j, const struct panel *p, int cols)
{
	const struct panel_room room = {.cols = cols, .digits = true};
	return panel_type(p)->words ? rows_of(j, p, room, true) : 0;
}

/* Returns the rows that panel i needs, or (`all`) can use. */
static int rows_at(struct job *j, const struct grid *g, size_t i, const int *cols, bool all)
{
	const struct panel_room room = {.cols = width_of(g, i, cols),
					.alone = grid_alone_in_row(g, i)};
	return rows_of(j, &j->f->panels[i], room, all);
}

/* Returns the rows that the panels of track t need. */
static int wish(struct job *j, const struct grid *g, int t, const int *cols)
{
	int most = 0;
	for (size_t i = 0; i < j->f->n; i++)
		if (g->at[i].rows == 1 && g->at[i].row == t)
			most = largest(most, rows_at(j, g, i, cols, false));
	return most;
}

/* Gives the tracks of heatmaps equal shares of `left` rows as far as these make cells taller;
 * returns the remaining rows. */
static int raise_maps(struct job *j, const struct grid *g, const int *cols, int maps, int left,
		      int *size)
{
	int all = left;
	for (int t = 0; t < g->rows && maps > 0; t++)
		all += has_map(j, g, t) ? size[t] : 0;
	for (int t = 0; t < g->rows && maps > 0; t++) {
		if (!has_map(j, g, t))
			continue;
		const int snapped = snap(j, g, t, cols, all / maps);
		const int more = smallest(largest(snapped - size[t], 0), left);
		size[t] += more;
		left -= more;
	}
	return left;
}

/* Divides `all` rows: heatmaps get what they can use, in steps that make their cells taller, then
 * the others get what they need, then heatmaps get what they can use of the rest. */
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
	for (int t = 0; j->f->by_grid && left > 0; t = (t + 1) % g->rows, left--)
		size[t]++;
	left = raise_maps(j, g, cols, maps, left, size);
	for (int t = 0; t < g->rows; t++) {
		if (is_map[t])
			continue;
		const int more = smallest(largest(wish(j, g, t, cols) - size[t], 0), left);
		size[t] += more;
		left -= more;
	}
	left = raise_maps(j, g, cols, maps, left, size);
	/* The remaining rows go to the tracks without heatmaps, else to all tracks equally. */
	if (others == 0 && !j->f->lead)
		left -= left % g->rows;
	for (int t = 0; left > 0; t = (t + 1) % g->rows) {
		if (others > 0 && is_map[t])
			continue;
		size[t]++;
		left--;
	}
}

/* ---- choosing ---- */

/* Returns how many of `rows` the heatmaps of all tracks can use. */
static int used_rows(struct job *j, const struct grid *g, struct rect r, int rows)
{
	int cols[TRACKS], maps = 0, used = 0;
	layout_least(j, g, false, cols);
	share_cols(g, r.cols, cols);
	for (int t = 0; t < g->rows; t++)
		maps += has_map(j, g, t);
	for (int t = 0; t < g->rows; t++)
		used += has_map(j, g, t) ? snap(j, g, t, cols, rows / maps) : 0;
	return used;
}

/* Returns whether all panels have their least sizes, and heatmaps besides others three fifths of the
 * rows, or as many as they can use. */
static bool fits(struct job *j, const struct grid *g, struct rect r)
{
	int size[TRACKS], maps = 0;
	if (layout_least(j, g, false, size) > r.cols)
		return false;
	const int all = layout_least(j, g, true, size), wanted = 3 * r.rows / 5;
	for (int t = 0; t < g->rows; t++)
		maps += has_map(j, g, t) ? size[t] : 0;
	if (all > r.rows || maps == 0 || maps == all || j->tight || j->f->by_grid ||
	    all - maps + wanted <= r.rows)
		return all <= r.rows;
	return all - maps + used_rows(j, g, r, wanted) <= r.rows;
}

/* Rates a grid of `rows` by `cols` equal panels by the smaller side of a panel in columns (a row is
 * as high as two columns are wide). */
static int score(int rows, int cols, struct rect r)
{
	return smallest(r.cols / cols, 2 * (r.rows / rows));
}

/* Finds the best stack that fits: heatmaps as large as possible, the other panels in as few rows as
 * possible. */
static bool best_stack(struct job *j, struct rect r, struct grid *best)
{
	size_t order[FIGURE_PANELS];
	const int maps = grid_order(j, true, false, order);
	const int others = grid_order(j, false, true, order);
	int found = -1;
	for (int above = 1; above <= maps && others > 0; above++) {
		const int value = score((maps + above - 1) / above, above, r);
		for (int below = others; below >= 1 && value > found; below--) {
			struct grid g;
			if (!grid_stack(j, above, below, &g) || !fits(j, &g, r))
				continue;
			*best = g;
			found = value;
		}
	}
	return found >= 0;
}

static bool best_flow(struct job *j, struct rect r, struct grid *best)
{
	size_t order[FIGURE_PANELS];
	const int shown = grid_order(j, true, true, order);
	int found = -1;
	for (int cols = 1; cols <= shown; cols++) {
		struct grid g;
		grid_flow(j, cols, &g);
		if (!fits(j, &g, r) || score(g.rows, g.cols, r) <= found)
			continue;
		*best = g;
		found = score(g.rows, g.cols, r);
	}
	return found >= 0;
}

/* Returns whether panel i holds words or bars: it needs a fixed number of rows and cannot use
 * more. */
static bool is_text(const struct job *j, size_t i)
{
	return panel_type(&j->f->panels[i])->words;
}

/* Returns the rows that a card can give to a table that lacks some. */
static int rows_of_card(const struct panel *card, const struct rect *at, int lacks)
{
	return largest(smallest(lacks, at->rows - panel_type(card)->least.rows), 0);
}

/* Returns the rows that the upper one of two panels of words gives to the lower one: those that it
 * does not need, or those that a table lacks and a card has. Negative: the lower one gives them. */
static int rows_down(struct job *j, const struct grid *g, const int *cols, size_t upper,
		     size_t lower, const struct rect *place)
{
	const struct rect *const up = &place[upper], *const low = &place[lower];
	const int above = rows_at(j, g, upper, cols, true) - up->rows;
	const int below = rows_at(j, g, lower, cols, true) - low->rows;
	const struct panel *const of_up = &j->f->panels[upper], *const of_low =
									&j->f->panels[lower];
	if (above < 0)
		return -above;
	if (below < 0)
		return -smallest(-below, above);
	if (of_up->kind == PANEL_TABLE && of_low->kind == PANEL_CARD)
		return -rows_of_card(of_low, low, above);
	if (of_up->kind == PANEL_CARD && of_low->kind == PANEL_TABLE)
		return rows_of_card(of_up, up, below);
	return 0;
}

/* Shares rows between two panels of words that are below each other. */
static void share_column(struct job *j, const struct grid *g, const int *cols, struct rect *place)
{
	for (size_t i = 0; i < j->f->n; i++)
		for (size_t k = 0; k < j->f->n; k++) {
			struct rect *const up = &place[i], *const low = &place[k];
			if (g->at[i].rows == 0 || g->at[k].rows == 0 || !is_text(j, i) ||
			    !is_text(j, k) || up->col != low->col || up->cols != low->cols ||
			    up->row + up->rows != low->row)
				continue;
			const int down = rows_down(j, g, cols, i, k, place);
			up->rows -= down;
			low->rows += down;
			low->row -= down;
		}
}

/* Returns how many panels of row t begin before column `before`; 0 unless all panels of the row are
 * heatmaps one row high. */
static int maps_before(const struct job *j, const struct grid *g, int t, int before)
{
	int maps = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct rect at = g->at[i];
		if (at.rows == 0 || at.row > t || at.row + at.rows <= t)
			continue;
		if (!panel_is_map(&j->f->panels[i]) || at.rows != 1)
			return 0;
		maps += at.col < before;
	}
	return maps;
}

/* Returns the largest number of heatmaps in a row that contains only heatmaps. */
static int most_maps(const struct job *j, const struct grid *g)
{
	int most = 0;
	for (int t = 0; t < g->rows; t++)
		most = largest(most, maps_before(j, g, t, g->cols));
	return most;
}

/* If matrices of one row differ much in their number of columns, such as vectors beside a square,
 * divides the width by these numbers: *edge gets the left edge of the panel at track `col`. False
 * if the numbers are similar. */
static bool parted_width(const struct job *j, const struct grid *g, int t, struct rect r, int col,
			 int *edge)
{
	enum { LABELS = 9 };
	size_t least_cols = SIZE_MAX, most = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct rect at = g->at[i];
		if (at.rows == 0 || !panel_is_map(&j->f->panels[i]))
			continue;
		const size_t cols = j->f->panels[i].heatmap.values.cols;
		if (at.row != t)
			return false;
		least_cols = cols < least_cols ? cols : least_cols;
		most = cols > most ? cols : most;
	}
	if (2 * most < 3 * least_cols)
		return false;
	/* No matrix counts with more than twice the columns of the narrowest. If there is too little
	 * room, the narrowest has all it needs, up to its part of equal ones. */
	int n = 0, narrow[2] = {0}, all[2] = {0};
	for (size_t i = 0; i < j->f->n; i++) {
		const struct rect at = g->at[i];
		if (at.rows == 0 || !panel_is_map(&j->f->panels[i]))
			continue;
		const size_t cols = j->f->panels[i].heatmap.values.cols;
		const int part = LABELS + (int)(cols < 2 * least_cols ? cols : 2 * least_cols);
		n++;
		for (int k = at.col < col ? 0 : 1; k < 2; k++) { /* those before the edge; all */
			all[k] += part;
			narrow[k] += cols == least_cols;
		}
	}
	const int need = LABELS + (int)least_cols;
	if (all[1] <= r.cols) {
		*edge = r.col + r.cols * all[0] / all[1];
		return true;
	}
	const int own = smallest(need, r.cols / n);
	*edge = r.col + own * narrow[0] +
		(r.cols - own * narrow[1]) * (all[0] - need * narrow[0]) /
			(all[1] - need * narrow[1]);
	return true;
}

/* Divides rows that contain only heatmaps evenly, independent of the panels below; comparable
 * matrices also have the same width in a row with fewer of them. */
static void even_rows(const struct job *j, const struct grid *g, struct rect r, struct rect *place)
{
	for (size_t i = 0; i < j->f->n; i++) {
		const struct rect at = g->at[i];
		const int own = at.rows > 0 ? maps_before(j, g, at.row, g->cols) : 0;
		const int maps = j->f->lead ? own : most_maps(j, g);
		if (own == 0)
			continue;
		int from, to;
		if (own > 1 && parted_width(j, g, at.row, r, at.col, &from) &&
		    parted_width(j, g, at.row, r, at.col + at.cols, &to)) {
			place[i].col = from;
			place[i].cols = to - from;
			continue;
		}
		/* Remaining columns are put between the panels: equal panels show equal parts of
		 * equal matrices. */
		const int k = maps_before(j, g, at.row, at.col), width = r.cols / maps;
		place[i].col = r.col + width * k + smallest(k, r.cols % maps);
		place[i].cols = width;
	}
}

static void put(struct job *j, const struct grid *g, struct rect r, struct rect *place)
{
	int rows[TRACKS], cols[TRACKS];
	layout_least(j, g, true, rows);
	layout_least(j, g, false, cols);
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
	share_column(j, g, cols, place);
	even_rows(j, g, r, place);
}

/* Returns whether all heatmaps have the same width: not if some took the space of dropped
 * neighbours. */
static bool even_maps(const struct job *j, const struct grid *g)
{
	int width = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const int own = g->at[i].rows > 0 ? width_of(g, i, g->weight) : 0;
		if (own == 0 || !panel_is_map(&j->f->panels[i]))
			continue;
		if (width > 0 && own != width)
			return false;
		width = own;
	}
	return true;
}

/* Gives a single heatmap the full height if this makes it larger by a quarter. */
static void put_beside(struct job *j, struct rect r, struct rect *place)
{
	enum { ANY = 1000 };
	struct rect other[FIGURE_PANELS] = {0};
	struct grid side;
	if (j->f->by_grid || !grid_side(j, &side) || !fits(j, &side, r))
		return;
	put(j, &side, r, other);
	if (4 * layout_maps_area(j, other, ANY) > 5 * layout_maps_area(j, place, ANY))
		memcpy(place, other, j->f->n * sizeof *place);
}

/* Returns whether the grid of a figure that is around its first table has columns for its panels but too few rows:
 * they stand beside the table, or fewer of them around it. */
static bool is_only_too_high(const struct job *j, const struct grid *g, struct rect r)
{
	int size[TRACKS], shown = 0;
	for (size_t i = 0; i < j->f->n; i++)
		shown += j->on[i];
	return figure_has_table_first(j->f) && shown > 2 &&
	       layout_least(j, g, false, size) <= r.cols;
}

bool layout_arrange(struct job *j, struct lines lines, struct rect *place)
{
	struct rect r = j->r;
	struct grid best;
	const int structure = lines.structure != NONE ? BRIEF_ROWS : 0;
	r.rows -= (lines.card != NONE) + structure;
	struct grid as_page;
	const bool page = grid_page(j, false, &as_page) && fits(j, &as_page, r);
	if (!page && grid_page(j, false, &as_page) && is_only_too_high(j, &as_page, r)) {
		const bool beside = grid_beside_table(j, &best) && fits(j, &best, r);
		if (beside)
			put(j, &best, r, place);
		return beside;
	}
	const bool good = page && even_maps(j, &as_page);
	const bool stack = !good && !j->f->by_grid && best_stack(j, r, &best);
	if (good || (!stack && !best_flow(j, r, &best))) {
		if (!page)
			return false;
		best = as_page;
	}
	put(j, &best, r, place);
	put_beside(j, r, place);
	if (structure > 0)
		place[lines.structure] = (struct rect){r.row + r.rows, r.col, structure, r.cols};
	if (lines.card != NONE)
		place[lines.card] = (struct rect){r.row + r.rows + structure, r.col, 1, r.cols};
	return true;
}
