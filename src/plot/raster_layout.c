/* raster_layout.c: where head, panels and foot of a figure go on a page.
 *
 * Matrices first. The panels are tried in rows, one to four matrices beside each other, with what is no
 * matrix at the right, below, or in the places that are left; as the figure itself arranges them; and,
 * on a page higher than wide, with the first matrix as wide as the page. Of each the matrices' area
 * is known before anything is drawn. A page shows as much beside them as it can without making them
 * smaller than they should be: sentences go first, then panels, the least important first.
 *
 * Each is laid out at several sizes of type, largest first, until every panel has the room it asks
 * for. The floor of the type is 12 px on a page of the usual size. */
#include "plot/fold.h"
#include "plot/raster_equation.h"
#include "plot/raster_heatmap.h"

#include <math.h>
#include <string.h>

enum { BESIDE_MOST = 4 };

/* A row of panels. Those that are no matrix in a row of matrices are cards at its right. */
struct row {
	size_t n, panel[FIGURE_PANELS];
	size_t maps;
	double least, wish, height;
};

/* How panels are arranged. */
struct arrangement {
	size_t beside; /* matrices in a row; 0: as the figure says */
	bool large;    /* the first has a row to itself */
	bool right;    /* cards stand at the right of the matrices' rows ... */
	bool side;     /* ... or all that is no matrix in a column there */
};

struct plan {
	struct row rows[FIGURE_PANELS];
	size_t n;
	struct row column; /* from its upper end; n = 0: none */
};

/* How large the page is in parts of the usual one. */
static double usual_part(const struct page *p)
{
	return fmin(p->width / USUAL_W, p->height / USUAL_H);
}

/* Less than this shows nothing of a panel. */
static bool is_tiny(struct area a)
{
	return a.w < 60 || a.h < 40;
}

/* ---- in rows ------------------------------------------------------------------------------------ */

/* Panels of one sort in the figure's own order. */
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
	return p->kind == PANEL_HEATMAP && p->absent == NULL;
}

/* Words, which a column is enough for. */
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

/* The matrices in rows, then all else: in a column at their side; or in places that are left in the last of
 * these, cards at their right, the rest in strips of so many. False: there is no such arrangement of
 * this figure. */
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

/* A column of words: about thirty letters, and never a third of the page. */
static double card_width(const struct page *p, double width)
{
	return fmin(fmax(0.22 * width, 250 * p->type), 0.34 * width);
}

/* Shares the width of the page among the panels of a row. */
static void share_width(struct page *p, const struct figure *f, struct area body,
			const struct row *row, struct sheet *sheet)
{
	const double gap = 48 * p->space;
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

/* What a panel asks for below a head, and what it would like. */
static void heights(struct page *p, const struct panel *panel, struct area body, double width,
		    struct row *row)
{
	const struct pen pen = pen_page(p, (struct area){.w = width});
	const double head = raster_panel_head(p, panel, (struct area){.w = width}, false);
	const double least = head + raster_body_least(p, panel, width).h;
	const double wish = panel->absent != NULL	? least
			    : panel->kind == PANEL_CARD ? head + pen_card_wish(&pen, &panel->card)
							: fmax(1.25 * least, 0.26 * body.h);
	row->least = fmax(row->least, least);
	row->wish = fmax(row->wish, fmax(least, wish));
}

/* The height in which a matrix is as large as its width lets it be. */
static double map_height(struct page *p, const struct figure *f, size_t i, struct area at)
{
	const struct panel *const panel = &f->panels[i];
	const double head = raster_panel_head(p, panel, (struct area){.w = at.w}, false);
	const struct fit fit = p->fit[i];
	struct grid g = {.note = fit.note};
	raster_plan_solve(p, &panel->heatmap, (struct area){.w = at.w, .h = 3 * at.w}, &fit, &g);
	return head + g.top + g.at.h + g.below;
}

/* Shares what rows of matrices may have: each what it can use, or as much as the others; a large one
 * before the small ones below it. Returns what is left. */
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

/* Rows without matrices get what they need, matrices what they can use, the others of the rest what
 * they would like; what nobody can use is air. False: there is not even what they need. */
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

/* Tells the panels their row and column: who stands beside whom decides what is said once. */
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

/* The width that the matrices can use when each row has its part of the height. */
static double maps_width(struct page *p, const struct figure *f, const struct plan *plan,
			 struct area body)
{
	double most = 0;
	for (size_t r = 0; r < plan->n; r++) {
		double all = 48 * p->space * (double)(plan->rows[r].n - 1);
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

/* The column at the side gets what the matrices have no use for; *body becomes what is left to them. */
static bool place_column(struct page *p, const struct figure *f, struct plan *plan,
			 struct area *all, struct sheet *sheet)
{
	const struct area body = *all;
	const double gap = 28 * p->space, part = 48 * p->space;
	const double left = body.w - part - maps_width(p, f, plan, body);
	const double width = floor(fmin(left, 0.62 * body.w));
	if (width < card_width(p, body.w))
		return false;
	struct row each[FIGURE_PANELS] = {{0}};
	double y = body.y;
	for (size_t i = 0; i < plan->column.n; i++)
		heights(p, &f->panels[plan->column.panel[i]], body, width, &each[i]);
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

/* ---- a page ------------------------------------------------------------------------------------- */

static bool panel_fits(struct page *p, const struct panel *panel, struct area at)
{
	if (is_tiny(at))
		return false;
	const double taken = raster_panel_head(p, panel, at, false) - at.y;
	const struct size least = raster_body_least(p, panel, at.w);
	return least.w <= at.w && least.h + taken <= at.h;
}

/* What is left of the panels under their heads; heatmaps beside each other begin at one height. */
void raster_layout_bodies(struct page *p, const struct figure *f, const struct sheet *sheet,
			  struct area *body)
{
	double top[FIGURE_PANELS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct area at = sheet->panel[i];
		const double y = raster_panel_head(p, &f->panels[i], at, false);
		double *row = &top[f->panels[i].row];
		body[i] = (struct area){at.x, y, at.w, at.y + at.h - y};
		if (raster_plan_wanted(&f->panels[i]))
			*row = fmax(*row, y);
	}
	for (size_t i = 0; i < f->n; i++) {
		const double down = top[f->panels[i].row] - body[i].y;
		/* Not at the price of what the panel needs. */
		if (!raster_plan_wanted(&f->panels[i]) || down > body[i].h * 0.2)
			continue;
		body[i].y += down;
		body[i].h -= down;
	}
}

/* Head and foot; what is left for the panels. */
static struct area frame(struct page *p, const struct figure *f, const struct raster_look *look,
			 struct sheet *sheet)
{
	const double margin = round(48 * p->space);
	const struct area in = {margin, round(36 * p->space), p->width - 2 * margin, p->height};
	sheet->head = in;
	double top = raster_page_head(p, f, in, false);
	sheet->head_rule = 0;
	if (top > in.y && p->compact) {
		top += 8 * p->space;
	} else if (top > in.y) {
		sheet->head_rule = round(top + 16 * p->space);
		top = sheet->head_rule + 16 * p->space;
	}
	const double foot = raster_page_foot(p, f, look->command, (struct area){.w = in.w}, false);
	double bottom = p->height - 28 * p->space;
	sheet->foot_rule = 0;
	if (foot > 0) {
		sheet->foot = (struct area){in.x, bottom - foot, in.w, foot};
		sheet->foot_rule = round(sheet->foot.y - 12 * p->space);
		bottom = sheet->foot_rule - 16 * p->space;
	}
	top = round(top);
	return (struct area){in.x, top, in.w, floor(bottom - top)};
}

/* Lays out the sheet at the page's type: the area of its matrices, 1 when there are none; 0: not
 * everything has the room it needs. */
static double lay_out(struct page *p, struct figure *f, const struct raster_look *look,
		      struct arrangement how, struct sheet *sheet)
{
	struct plan plan;
	const struct area body = frame(p, f, look, sheet);
	if (is_tiny(body))
		return 0;
	if (how.beside == 0) {
		raster_plan_prepare(p, f);
		raster_tracks(p, f, body, sheet);
	} else {
		if (!make_plan(f, how, p->height > p->width ? 2 : 3, &plan))
			return 0;
		name_places(f, &plan, how.large);
		raster_plan_prepare(p, f);
		if (!place_in_rows(p, f, body, how.large, &plan, sheet))
			return 0;
	}
	for (size_t i = 0; i < f->n; i++) {
		p->panel = i;
		if (!panel_fits(p, &f->panels[i], sheet->panel[i]))
			return 0;
	}
	struct area bodies[FIGURE_PANELS];
	raster_layout_bodies(p, f, sheet, bodies);
	return raster_plan_area_of(p, f, bodies);
}

/* ---- choosing ----------------------------------------------------------------------------------- */

/* A way to show a figure on a page. */
struct way {
	double area;
	struct figure figure;
	struct sheet sheet;
	double type;
	bool bars_below;
};

static void try(struct page *p, const struct figure *f, const struct raster_look *look,
		struct arrangement how, double type, struct way *best)
{
	struct way way = {.type = type};
	for (int below = 0; below < 2; below++) {
		p->bars_below = way.bars_below = below == 1;
		way.figure = *f;
		way.area = lay_out(p, &way.figure, look, how, &way.sheet);
		/* A bar at the right is nearer to what it explains. */
		if (way.area > best->area * (below ? 1.03 : 1))
			*best = way;
	}
}

/* The best arrangement of these panels at this type. */
static void try_all(struct page *p, const struct figure *f, const struct raster_look *look,
		    double type, bool terse, struct way *best)
{
	p->terse = terse;
	raster_text_size(p, type);
	try(p, f, look, (struct arrangement){0}, type, best);
	for (size_t beside = 1; beside <= BESIDE_MOST; beside++) {
		try(p, f, look, (struct arrangement){.beside = beside, .right = true}, type, best);
		try(p, f, look, (struct arrangement){.beside = beside}, type, best);
		try(p, f, look, (struct arrangement){.beside = beside, .side = true}, type, best);
		if (f->lead && p->height > p->width)
			try(p, f, look, (struct arrangement){.beside = beside, .large = true}, type,
			    best);
	}
}

/* At the largest type at which it can be legible. */
static struct way best_way(struct page *p, const struct figure *f, const struct raster_look *look,
			   bool terse)
{
	const double first = fmax(usual_part(p), LEAST_TYPE);
	struct way best = {0};
	for (double type = first; type > LEAST_TYPE * 0.9 && best.area <= 0; type *= 0.9)
		try_all(p, f, look, fmax(type, LEAST_TYPE), terse, &best);
	return best;
}

static bool has_structure(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_STRUCTURE)
			return true;
	return false;
}

/* What the matrices should have together, where more than that is to be had: two of them are then large
 * enough for numbers in the cells of a sentence, which on the usual page is a little more than a fifth of
 * it; on a page of other proportions that part. For what stands beside it a matrix gives 3 % of its
 * sides, a pixel of a cell. Without the tree or graph that they are of matrices say little: they leave
 * half of the room to it. */
static double enough(const struct page *p, const struct figure *f, double most)
{
	enum { WORDS = 9 };
	static const double fifth = 0.22, nearly = 0.97 * 0.97, half = 0.5;
	const double side = WORDS * NUMBER_CELL * fmax(1, p->space);
	const double least = fmax(2 * side * side, fifth * p->width * p->height);
	return fmin((has_structure(f) ? half : nearly) * most, least);
}

static bool has_maps(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (raster_plan_wanted(&f->panels[i]))
			return true;
	return false;
}

static bool has_words(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (!raster_plan_wanted(&f->panels[i]))
			return true;
	return false;
}

/* As large as the matrices can be: without the other panels, and as many of them as can be legible. */
static double most_area(struct page *p, const struct figure *f, const struct raster_look *look)
{
	struct figure part = *f;
	const char *gone = NULL;
	bool more = has_maps(f);
	while (more && has_words(&part))
		more = figure_fold(&part, false, &gone, p->arena);
	double area = best_way(p, &part, look, true).area;
	while (area <= 0 && figure_fold(&part, true, &gone, p->arena))
		area = best_way(p, &part, look, true).area;
	return area;
}

/* What is not shown, behind the authors where that has room; else how much, there or at the foot. */
static void name_gone(struct page *p, struct figure *f, const struct figure *whole,
		      const char *gone)
{
	const size_t n = whole->n - f->n;
	const char *const subtitle = whole->subtitle ? whole->subtitle : "";
	const char *const count =
		arena_printf(p->arena, "%zu panel%s more on a larger page", n, n == 1 ? "" : "s");
	const char *const forms[] = {
		arena_printf(p->arena, "%s   ·   not on this page: %s", subtitle, gone),
		arena_printf(p->arena, "%s   ·   %s", subtitle, count)};
	const struct area at = {.w = p->width - 2 * round(48 * p->space)};
	const double before = raster_page_head(p, whole, at, false);
	for (size_t i = 0; i < 2; i++) {
		f->subtitle = forms[i];
		if (raster_page_head(p, f, at, false) <= before)
			return;
	}
	f->subtitle = whole->subtitle;
	f->caption_right = count;
}

/* An equation has lines of its own. */
static bool lay_out_equation(struct page *p, const struct figure *f, const struct raster_look *look,
			     struct sheet *sheet)
{
	const double first = fmax(usual_part(p), LEAST_TYPE);
	struct raster_equation *equation = arena_calloc(p->arena, 1, sizeof *equation);
	p->terse = false;
	for (double type = first; type > LEAST_TYPE * 0.9; type *= 0.9) {
		raster_text_size(p, fmax(type, LEAST_TYPE));
		const struct area body = frame(p, f, look, sheet);
		if (is_tiny(body) || !raster_equation_fit(p, f, body, equation))
			continue;
		sheet->equation = equation;
		return true;
	}
	return false;
}

bool raster_layout(struct page *p, const struct figure *f, const struct raster_look *look,
		   struct figure *shown, struct sheet *sheet)
{
	const double unit = usual_part(p);
	struct figure part = *f;
	const char *gone = NULL;
	struct way way = {0};
	p->space = fmax(unit, 0.5);
	p->compact = p->height < 700;
	*shown = *f;
	if (equation_is(f) && lay_out_equation(p, f, look, sheet))
		return true;
	const double most = most_area(p, f, look);
	if (most <= 0)
		return false;
	for (bool terse = false;; terse = true) {
		if (gone != NULL) {
			raster_text_size(p, fmax(unit, LEAST_TYPE));
			name_gone(p, &part, f, gone);
		}
		way = best_way(p, &part, look, terse);
		if (way.area >= enough(p, &part, most) ||
		    (terse && !figure_fold(&part, true, &gone, p->arena)))
			break;
	}
	if (way.area <= 0)
		return false;
	*shown = way.figure;
	*sheet = way.sheet;
	p->bars_below = way.bars_below;
	raster_text_size(p, way.type);
	raster_plan_prepare(p, shown);
	struct area body[FIGURE_PANELS];
	raster_layout_bodies(p, shown, sheet, body);
	raster_plan_align(p, shown, body);
	return true;
}
