/* raster_rows.c: panels of a figure in rows, so many matrices side by side, with the other panels
 * at the right, below, or in the remaining places. raster_layout.c chooses among these
 * arrangements. */
#include "plot/raster_heatmap.h"
#include "plot/raster_pen.h"
#include "posviz/plot/panel.h"

#include <math.h>

/* A row of panels. Panels in a row of matrices that are no matrices themselves are cards at its
 * right. */
struct row {
	size_t n, panel[FIGURE_PANELS];
	size_t maps;
	double least, wish, height;
};

struct plan {
	struct row rows[FIGURE_PANELS];
	size_t n;
	struct row column; /* from the top; n = 0: none */
};

/* Returns the panels of one sort, in the order of the figure's grid. */
static size_t in_order(const struct figure *f, bool (*wanted)(const struct panel *), size_t *order)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (!wanted(p))
			continue;
		size_t at = n++;
		for (; at > 0; at--) {
			const struct panel *const q = &f->panels[order[at - 1]];
			if (q->row < p->row || (q->row == p->row && q->col < p->col))
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
	return n;
}

static bool is_map(const struct panel *p)
{
	return panel_shows_map(p);
}

/* Tells if a panel has words only, for which a column is wide enough. */
static bool is_card(const struct panel *p)
{
	return p->kind == PANEL_CARD || p->absent != NULL;
}

static bool is_other(const struct panel *p)
{
	return !is_map(p) && !is_card(p);
}

static void add(struct row *row, const struct figure *f, size_t panel)
{
	row->panel[row->n++] = panel;
	row->maps += is_map(&f->panels[panel]);
}

/* Puts the matrices in rows; then the other panels in a column at their side, or first in remaining
 * places of the last of these rows, then cards at the right of rows, and the rest in rows of
 * `strip` panels. False: the arrangement does not apply to this figure. */
static bool make_plan(const struct figure *f, struct arrangement how, size_t strip,
		      struct plan *plan)
{
	size_t maps[FIGURE_PANELS], cards[FIGURE_PANELS], others[FIGURE_PANELS], slot = 0;
	const size_t n_maps = in_order(f, is_map, maps), n_cards = in_order(f, is_card, cards);
	const size_t n_others = in_order(f, is_other, others);
	const size_t below = n_maps - how.large + (how.large && n_others > 0);
	size_t card = 0, other = 0, used = 0;
	*plan = (struct plan){0};
	if (n_maps == 0 || how.beside > below || (how.large && n_maps < 2) ||
	    (how.right && n_cards == 0) || (how.side && n_cards + n_others == 0))
		return false;
	for (size_t i = 0; i < n_maps; i++, slot++) {
		if (i == 0 || slot == how.beside || (how.large && i == 1)) {
			plan->n++;
			slot = 0;
		}
		add(&plan->rows[plan->n - 1], f, maps[i]);
	}
	for (; !how.side && slot < how.beside && other < n_others && plan->n > 1; slot++)
		add(&plan->rows[plan->n - 1], f, others[other++]);
	for (size_t r = 0; how.right && r < plan->n && card < n_cards; r++)
		if (plan->rows[r].n == plan->rows[r].maps)
			add(&plan->rows[r], f, cards[card++]);
	while (other < n_others || card < n_cards) {
		const size_t next = other < n_others ? others[other++] : cards[card++];
		if (!how.side && used++ % strip == 0)
			plan->n++;
		add(how.side ? &plan->column : &plan->rows[plan->n - 1], f, next);
	}
	return true;
}

/* Returns the width of a column of words: about thirty letters, but no more than a third of the
 * page. */
static double card_width(const struct page *p, double width)
{
	return fmin(fmax(0.22 * width, 250 * p->type), 0.34 * width);
}

/* Divides the width of the page among the panels of a row. */
static void share_width(struct page *p, const struct figure *f, struct area body,
			const struct row *row, struct sheet *sheet)
{
	const double gap = raster_column_gap(p);
	const bool card = row->n > 1 && is_card(&f->panels[row->panel[row->n - 1]]);
	const double last = card ? card_width(p, body.w) : 0;
	const double n = (double)(row->n - card), all = body.w - last - (card ? gap : 0);
	const double each = (all - gap * (n - 1)) / n;
	for (size_t i = 0; i < row->n; i++) {
		struct area *const at = &sheet->panel[row->panel[i]];
		const bool is_last = card && i + 1 == row->n;
		at->x = is_last ? body.x + body.w - floor(last)
				: body.x + round((double)i * (each + gap));
		at->w = fmax(1, floor(is_last ? last : each));
	}
}

/* Raises the row's heights to what a panel with its head needs, and to what it prefers. */
static void heights(struct page *p, const struct panel *panel, struct area body, double width,
		    struct row *row)
{
	const struct pen pen = pen_page(p, (struct area){.w = width});
	const double head = raster_panel_head(p, panel, (struct area){.w = width}, false);
	const double least = head + raster_body_least(p, panel, width).h;
	/* A line for the label of each bar. */
	const double bars = panel->kind == PANEL_BARS
				    ? head + ((double)panel->bars.n + 1) * p->line[FACE_TEXT]
				    : 0;
	const double wish = panel->absent != NULL ? least
			    : panel->kind == PANEL_CARD
				    ? head + pen_card_wish(&pen, &panel->card)
				    : fmax(fmax(1.25 * least, bars), 0.26 * body.h);
	row->least = fmax(row->least, least);
	row->wish = fmax(row->wish, fmax(least, wish));
}

/* Returns the height at which a matrix is as large as its width allows. */
static double map_height(struct page *p, const struct figure *f, size_t i, struct area at)
{
	const struct panel *const panel = &f->panels[i];
	const double head = raster_panel_head(p, panel, (struct area){.w = at.w}, false);
	const struct fit fit = p->fit[i];
	struct grid g = {.note = fit.note};
	raster_plan_solve(p, &panel->heatmap, (struct area){.w = at.w, .h = 3 * at.w}, &fit, &g);
	return head + g.top + g.at.h + g.below;
}

/* Divides the height of rows of matrices: each gets what it can use, at most an equal part; a large
 * first one comes before the small ones below it. Returns the height that is left. */
static double share_maps(struct row *rows, size_t n, double room, bool large)
{
	double left = room;
	size_t waiting = 0;
	for (size_t r = 0; r < n; r++)
		waiting += rows[r].maps > 0;
	for (size_t r = 0; r < n; r++) {
		struct row *const row = &rows[r];
		double later = 0;
		if (row->maps == 0)
			continue;
		for (size_t k = r + 1; k < n && large; k++)
			later += rows[k].maps > 0 ? fmin(rows[k].wish, room * 0.28) : 0;
		const double most = large ? left - later : left / (double)waiting;
		row->height = floor(fmin(row->wish, most));
		left -= row->height;
		waiting--;
	}
	return left;
}

/* Gives rows without matrices what they need, then matrices what they can use, then the former what
 * they prefer; the rest becomes air. False: there is not enough for what the rows need. */
static bool share_height(struct row *rows, size_t n, double height, double gap, bool large)
{
	double room = height - gap * (double)(n - 1), wishes = 0, air = 0;
	for (size_t r = 0; r < n; r++) {
		rows[r].height = rows[r].maps == 0 ? ceil(rows[r].least) : 0;
		room -= rows[r].height;
	}
	if (room < 0)
		return false;
	room = share_maps(rows, n, room, large);
	for (size_t r = 0; r < n; r++)
		wishes += rows[r].maps == 0 ? rows[r].wish - rows[r].height : 0;
	for (size_t r = 0; r < n && wishes > 0; r++)
		if (rows[r].maps == 0)
			rows[r].height +=
				floor(fmin(1, room / wishes) * (rows[r].wish - rows[r].height));
	air = fmax(0, room - wishes);
	for (size_t r = 0; r < n && n > 1; r++)
		rows[r].height += rows[r].maps == 0 ? floor(air / (double)n) : 0;
	return true;
}

/* Sets the row and the column of panels, because neighbours draw common parts only once. */
static void name_places(struct figure *f, const struct plan *plan, bool large)
{
	for (size_t r = 0; r < plan->n; r++)
		for (size_t i = 0; i < plan->rows[r].n; i++) {
			struct panel *const panel = &f->panels[plan->rows[r].panel[i]];
			panel->row = (unsigned char)r;
			panel->col = (unsigned char)i;
			panel->rows = 1;
			panel->cols = large && r == 0 ? 2 : 1;
		}
	for (size_t i = 0; i < plan->column.n; i++) {
		struct panel *const panel = &f->panels[plan->column.panel[i]];
		panel->row = (unsigned char)i;
		panel->col = BESIDE_MOST;
		panel->rows = panel->cols = 1;
	}
}

/* Returns the width that the matrices can use if each row has an equal part of the height. */
static double maps_width(struct page *p, const struct figure *f, const struct plan *plan,
			 struct area body)
{
	double most = 0;
	for (size_t r = 0; r < plan->n; r++) {
		double all = raster_column_gap(p) * (double)(plan->rows[r].n - 1);
		for (size_t i = 0; i < plan->rows[r].n; i++) {
			const size_t at = plan->rows[r].panel[i];
			const struct panel *const panel = &f->panels[at];
			const struct area in = {.w = body.w, .h = body.h / (double)plan->n};
			const double head = raster_panel_head(p, panel, in, false);
			struct grid g = {.note = p->fit[at].note};
			raster_plan_solve(p, &panel->heatmap,
					  (struct area){.w = in.w, .h = in.h - head}, &p->fit[at],
					  &g);
			all += g.left + g.at.w + g.right;
		}
		most = fmax(most, all);
	}
	return most;
}

/* Returns the least width of a column at the side: that of words, or of its drawings. */
static double column_width(struct page *p, const struct figure *f, const struct row *column,
			   double width)
{
	double least = 0;
	if (!(p->given > 0))
		return card_width(p, width);
	for (size_t i = 0; i < column->n; i++) {
		const struct panel *const panel = &f->panels[column->panel[i]];
		least = fmax(least, is_card(panel) ? card_width(p, width)
						   : raster_body_least(p, panel, width).w);
	}
	return least;
}

/* Places the column at the side in the width that the matrices cannot use; *all becomes the area
 * left to them. */
static bool place_column(struct page *p, const struct figure *f, struct plan *plan,
			 struct area *all, struct sheet *sheet)
{
	const struct area body = *all;
	const double gap = 28 * p->space, part = raster_column_gap(p);
	const bool drawing =
		p->given > 0 && plan->column.n == 1 && is_other(&f->panels[plan->column.panel[0]]);
	/* On a page as high as needed a drawing beside matrices has nearly half of the width. */
	const double least = drawing && p->as_needed ? 0.44 * body.w : 0;
	const double need = fmax(least, column_width(p, f, &plan->column, body.w));
	const double left = body.w - part - maps_width(p, f, plan, body);
	/* If letters have a given size, matrices give the column the width that it needs, rounded
	 * up unless the page is as high as needed. */
	const double width = floor(fmin(
		p->given > 0 ? fmax(left, p->as_needed ? need : ceil(need)) : left, 0.62 * body.w));
	if (width < floor(need))
		return false;
	struct row each[FIGURE_PANELS] = {{0}};
	double y = body.y;
	for (size_t i = 0; i < plan->column.n; i++)
		heights(p, &f->panels[plan->column.panel[i]], body, width, &each[i]);
	/* A single drawing there is as high as the matrices beside it, or about as high as wide. */
	if (drawing)
		each[0].wish =
			fmax(each[0].least, fmin(body.h, (p->as_needed ? 1.4 : 1.1) * width));
	if (!share_height(each, plan->column.n, body.h, gap, false))
		return false;
	for (size_t i = 0; i < plan->column.n; i++) {
		sheet->panel[plan->column.panel[i]] = (struct area){
			body.x + body.w - width, round(y), width, fmax(1, each[i].height)};
		y += each[i].height + gap;
	}
	all->w -= width + part;
	return true;
}

static bool place_in_rows(struct page *p, const struct figure *f, struct area body, bool large,
			  struct plan *plan, struct sheet *sheet)
{
	const double gap = 28 * p->space;
	double y = body.y;
	if (plan->column.n > 0 && !place_column(p, f, plan, &body, sheet))
		return false;
	for (size_t r = 0; r < plan->n; r++) {
		struct row *const row = &plan->rows[r];
		share_width(p, f, body, row, sheet);
		for (size_t i = 0; i < row->n; i++) {
			const size_t at = row->panel[i];
			p->panel = at;
			if (raster_plan_wanted(&f->panels[at]))
				row->wish = fmax(row->wish, map_height(p, f, at, sheet->panel[at]));
			else if (row->maps == 0)
				heights(p, &f->panels[at], body, sheet->panel[at].w, row);
		}
	}
	if (!share_height(plan->rows, plan->n, body.h, gap, large))
		return false;
	for (size_t r = 0; r < plan->n; r++) {
		for (size_t i = 0; i < plan->rows[r].n; i++) {
			sheet->panel[plan->rows[r].panel[i]].y = round(y);
			sheet->panel[plan->rows[r].panel[i]].h = fmax(1, plan->rows[r].height);
		}
		y += plan->rows[r].height + gap;
	}
	return true;
}

bool raster_rows(struct page *p, struct figure *f, struct area body, struct arrangement how,
		 struct sheet *sheet)
{
	struct plan plan;
	if (!make_plan(f, how, p->height > p->width ? 2 : 3, &plan))
		return false;
	name_places(f, &plan, how.large);
	raster_plan_prepare(p, f);
	return place_in_rows(p, f, body, how.large, &plan, sheet);
}
