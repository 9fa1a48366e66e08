/* raster_layout.c: the places of head, panels and foot of a figure on a page.
 *
 * Matrices come first. The panels are tried in rows of one to four matrices, with the other panels
 * at the right, below, or in the remaining places; in the figure's own grid; and, on a page higher
 * than wide, with the first matrix as wide as the page. For each arrangement the area of the
 * matrices is found before anything is drawn. A page shows as many other panels as possible without
 * making the matrices smaller than they should be: explanations are left out first, then panels,
 * the least important first.
 *
 * Each arrangement is tried at several sizes of type, the largest first, until every panel has the
 * room that it asks for. The smallest type is 12 px on a page of the usual size. */
#include "plot/fold.h"
#include "plot/raster_pen.h"
#include "plot/raster_equation.h"
#include "plot/raster_heatmap.h"

#include <math.h>

/* Returns the size of the page relative to the usual one. */
static double usual_part(const struct page *p)
{
	return fmin(p->width / USUAL_W, p->height / USUAL_H);
}

/* True for an area in which nothing of a panel is visible. */
static bool is_tiny(struct area a)
{
	return a.w < 60 || a.h < 40;
}

/* Chooses the scale of gaps: with a given size of letters as large as these, on a small page a
 * little more than half of that. */
void raster_page_space(struct page *p)
{
	const double unit = usual_part(p), type = raster_faces_first(p);
	p->space = p->given > 0 ? fmax(fmin(unit, type), 0.6 * type) : fmax(unit, 0.5);
	p->compact = p->height < 700 * (p->given > 0 ? type : 1);
}

/* The document around a page without title and foot has margins of its own. */
static struct area margins(const struct page *p)
{
	static const double hair = 2;
	const double side = round(48 * p->space), top = round(36 * p->space);
	if (p->foot == FOOT_NONE && p->given > 0)
		return (struct area){hair, hair, p->width - 2 * hair, p->height - 2 * hair};
	return (struct area){side, top, p->width - 2 * side, p->height - top - 28 * p->space};
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

/* Finds the areas of the panels below their heads; neighbouring heatmaps begin at the same y. */
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
		/* A panel is not moved down if it would lose too much of its height. */
		if (!raster_plan_wanted(&f->panels[i]) || down > body[i].h * 0.2)
			continue;
		body[i].y += down;
		body[i].h -= down;
	}
}

/* Places head and foot, and returns the area between them for the panels. */
struct area raster_page_frame(struct page *p, const struct figure *f, struct sheet *sheet)
{
	const struct area in = margins(p);
	sheet->head = in;
	double top = raster_page_head(p, f, in, false);
	sheet->head_rule = 0;
	if (top > in.y && p->compact) {
		top += 8 * p->space;
	} else if (top > in.y) {
		sheet->head_rule = round(top + 16 * p->space);
		top = sheet->head_rule + 16 * p->space;
	}
	const double foot = raster_page_foot(p, f, (struct area){.w = in.w}, false);
	double bottom = in.y + in.h;
	sheet->foot_rule = 0;
	if (foot > 0) {
		sheet->foot = (struct area){in.x, bottom - foot, in.w, foot};
		sheet->foot_rule = round(sheet->foot.y - 12 * p->space);
		bottom = sheet->foot_rule - 16 * p->space;
	}
	top = round(top);
	return (struct area){in.x, top, in.w, floor(bottom - top)};
}

/* Tells if every panel has the room that it needs. */
static bool all_fit(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	for (size_t i = 0; i < f->n; i++) {
		p->panel = i;
		if (!panel_fits(p, &f->panels[i], sheet->panel[i]))
			return false;
	}
	return true;
}

/* Lays out the sheet at the page's type, and returns the area of its matrices, 1 if there are none;
 * 0: some panel lacks the room that it needs, or the area is no larger than `than`, which is faster
 * to find out. */
static double lay_out(struct page *p, struct figure *f, struct arrangement how, double than,
		      struct sheet *sheet)
{
	const struct area body = raster_page_frame(p, f, sheet);
	if (is_tiny(body))
		return 0;
	if (how.beside == 0) {
		raster_plan_prepare(p, f);
		raster_tracks(p, f, body, sheet);
	} else if (!raster_rows(p, f, body, how, sheet)) {
		return 0;
	}
	struct area bodies[FIGURE_PANELS];
	raster_layout_bodies(p, f, sheet, bodies);
	for (size_t i = 0; i < f->n; i++)
		if (is_tiny(sheet->panel[i]) || bodies[i].h <= 0)
			return 0;
	const double area = raster_plan_area_of(p, f, bodies);
	return area > than && all_fit(p, f, sheet) ? area : 0;
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

static void try(struct page *p, const struct figure *f, struct arrangement how, double type,
		struct way *best)
{
	struct way way = {.type = type};
	for (int below = 0; below < 2; below++) {
		p->bars_below = way.bars_below = below == 1;
		way.figure = *f;
		/* A bar at the right is preferred, because it is nearer to the values that it
		 * explains. */
		const double than = best->area * (below ? 1.03 : 1);
		way.area = lay_out(p, &way.figure, how, than, &way.sheet);
		if (way.area > than)
			*best = way;
	}
}

/* Finds the best arrangement of these panels at this type. */
static void try_all(struct page *p, const struct figure *f, double type, bool terse,
		    struct way *best)
{
	p->terse = terse;
	raster_text_size(p, type);
	try(p, f, (struct arrangement){0}, type, best);
	for (size_t beside = 1; beside <= BESIDE_MOST; beside++) {
		try(p, f, (struct arrangement){.beside = beside, .right = true}, type, best);
		try(p, f, (struct arrangement){.beside = beside}, type, best);
		try(p, f, (struct arrangement){.beside = beside, .side = true}, type, best);
		if (f->lead && p->height > p->width)
			try(p, f, (struct arrangement){.beside = beside, .large = true}, type,
			    best);
	}
}

/* Finds the best way at the largest type at which one is legible. */
static struct way best_way(struct page *p, const struct figure *f, bool terse)
{
	const double first = raster_faces_first(p), last = raster_faces_last(p);
	struct way best = {0};
	p->terse = terse;
	for (double type = first; f->by_grid && type > last * 0.9 && best.area <= 0; type *= 0.9) {
		raster_text_size(p, fmax(type, last));
		try(p, f, (struct arrangement){0}, fmax(type, last), &best);
	}
	/* Fewer panels around a table are better than all of them elsewhere. */
	const bool grid_alone = figure_has_table_first(f) && f->n > 2;
	for (double type = first; !grid_alone && type > last * 0.9 && best.area <= 0; type *= 0.9)
		try_all(p, f, fmax(type, last), terse, &best);
	return best;
}

static bool is_words(const struct panel *p)
{
	return p->kind == PANEL_CARD;
}

static bool is_structure(const struct panel *p)
{
	return p->kind == PANEL_STRUCTURE;
}

static bool has(const struct figure *f, bool (*wanted)(const struct panel *), bool yes)
{
	for (size_t i = 0; i < f->n; i++)
		if (wanted(&f->panels[i]) == yes)
			return true;
	return false;
}

/* Tells if the only panel besides matrices is the tree or graph that these belong to. */
static bool is_bare(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (!raster_plan_wanted(&f->panels[i]) && !is_structure(&f->panels[i]))
			return false;
	return has(f, is_structure, true);
}

/* A matrix with many more columns than rows, or the reverse, fills only a small part of any page,
 * so the panels beside it take nothing from it. */
static bool is_flat(const struct panel *p)
{
	const struct mat m = p->heatmap.values;
	return raster_plan_wanted(p) && (m.cols >= 4 * m.rows || m.rows >= 4 * m.cols);
}

/* Matrices that fill less than this part of the page even alone leave some of it empty. */
static const double slack = 0.3;

/* Returns the area that is enough for the matrices together, if `most` is possible: most of a small
 * page, which has room for little else that is legible; a fifth of the usual page, a sixth with a
 * tree or graph; and in any case 3 % less for each side, about a pixel of a cell. If the other
 * panel is the tree or graph of the matrices, without which they say little, they may give it more
 * than half of the room, except on the smallest pages. */
static double enough(const struct page *p, const struct figure *f, double most)
{
	static const double least = 800 * 600, small = 700 * 1200, of_small = 0.45;
	static const double nearly = 0.97 * 0.97, part = 0.4, leave = 0.55;
	const double of_usual = has(f, is_structure, true) ? 0.16 : 0.2;
	const double area = p->width * p->height, usual = USUAL_W * USUAL_H;
	const double at = fmin(fmax((area - small) / (usual - small), 0), 1);
	const double wanted = (of_small + (of_usual - of_small) * at) * area;
	const bool share = (is_bare(f) && area >= least) || has(f, is_flat, true);
	/* Matrices that fill less than a third of the page even alone, three in a row, leave a part of
	 * it empty that other panels can use. */
	const double own = share ? part : most < slack * area ? leave : nearly;
	return fmin(own * most, wanted);
}

/* Leaves out the least important panel; one that the user chose only if nothing else helps. */
static bool fold(const struct page *p, struct figure *f, bool fits, const char **gone)
{
	return figure_fold(f, true, gone, p->arena) ||
	       (f->picked && !fits && figure_fold_last(f, gone, p->arena));
}

/* Returns the largest possible area of the matrices: without the other panels, and with as many
 * matrices as can be legible. */
static double most_area(struct page *p, const struct figure *f)
{
	struct figure part = *f;
	const char *gone = NULL;
	bool more = has(f, raster_plan_wanted, true);
	while (more && has(&part, raster_plan_wanted, false))
		more = figure_fold(&part, false, &gone, p->arena);
	double area = best_way(p, &part, true).area;
	while (area <= 0 && fold(p, &part, false, &gone))
		area = best_way(p, &part, true).area;
	return area;
}

/* Returns the side of a cell, if so large an area is that of all matrices. */
static double cell_side(const struct figure *f, double area)
{
	double cells = 0;
	for (size_t i = 0; i < f->n; i++)
		if (raster_plan_wanted(&f->panels[i]))
			cells += (double)f->panels[i].heatmap.values.rows *
				 (double)f->panels[i].heatmap.values.cols;
	return cells > 0 ? sqrt(area / cells) : INFINITY;
}

/* Leaves out a matrix that the others can do without, if rows would be lower than their names and are higher then. */
static void spare_one(struct page *p, double *most, struct figure *f, const char **gone)
{
	static const double gain = 1.25;
	struct figure fewer = *f;
	const char *name = NULL;
	raster_text_size(p, raster_faces_first(p));
	const double side = cell_side(f, *most), least = p->line[FACE_TEXT];
	if (f->picked || p->as_needed || side >= least ||
	    !figure_fold_spare(&fewer, &name, p->arena))
		return;
	const double area = most_area(p, &fewer);
	if (cell_side(&fewer, area) < gain * side)
		return;
	*most = area;
	*f = fewer;
	*gone = name;
}

/* Names the panels that are not shown, behind the authors, if there is room; else their number,
 * there or at the foot. */
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
	const struct area at = {.w = margins(p).w};
	const double before = raster_page_head(p, whole, at, false);
	for (size_t i = 0; i < 2; i++) {
		f->subtitle = forms[i];
		if (raster_page_head(p, f, at, false) <= before)
			return;
	}
	f->subtitle = whole->subtitle;
	f->caption_right = count;
}

/* Lays out an equation, which has its own lines. */
static bool lay_out_equation(struct page *p, const struct figure *f, struct sheet *sheet)
{
	const double first = raster_faces_first(p), last = raster_faces_last(p);
	struct raster_equation *equation = arena_calloc(p->arena, 1, sizeof *equation);
	p->terse = false;
	for (double type = first; type > last * 0.9; type *= 0.9) {
		raster_text_size(p, fmax(type, last));
		const struct area body = raster_page_frame(p, f, sheet);
		if (is_tiny(body) || !raster_equation_fit(p, f, body, equation))
			continue;
		sheet->equation = equation;
		return true;
	}
	return false;
}

/* Gives panels their letters in reading order. */
static void name_letters(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct area at = sheet->panel[i];
		p->letter[i] = 'a';
		for (size_t k = 0; k < f->n; k++) {
			const struct area other = sheet->panel[k];
			const bool beside = fabs(other.y - at.y) < p->line[FACE_HEAD];
			p->letter[i] += beside ? other.x < at.x : other.y < at.y;
		}
	}
}

static void report_shown(struct page *p, const struct figure *f)
{
	struct raster_report *const r = &p->report;
	r->shown = arena_calloc(p->arena, f->n + 1, sizeof *r->shown);
	for (char letter = 'a'; r->n_shown < f->n; letter++)
		for (size_t i = 0; i < f->n; i++)
			if (p->letter[i] == letter)
				r->shown[r->n_shown++] = (struct shown_panel){
					f->panels[i], p->letters ? letter : '\0'};
}

/* Removes from notes what the subtitle says already, if it is drawn. */
static struct figure *say_once(struct page *p, const struct figure *f)
{
	struct figure *const out = arena_calloc(p->arena, 1, sizeof *out);
	*out = *f;
	if (p->foot != FOOT_NONE)
		figure_say_once(p->arena, f, out);
	return out;
}

/* On a page as high as needed, leaves out the least important panels until no card is left, unless
 * the figure has no matrix. Panels that the user chose stay. */
static void without_words(struct page *p, struct figure *f)
{
	const char *gone = NULL;
	while (p->as_needed && has(f, raster_plan_wanted, true) && has(f, is_words, true) &&
	       figure_fold(f, false, &gone, p->arena))
		continue;
}

/* Puts one of the panels back that were left out, where there is room for it though not for one that is more
 * important, which needs more. */
static void put_back(struct page *p, const struct figure *f, double most, struct figure *part,
		     struct way *way, const char **gone)
{
	for (size_t i = 0; i < f->n; i++) {
		struct figure other = *f;
		const char *names;
		if (f->panels[i].spare || !figure_fold_to(&other, part, i, &names, p->arena))
			continue;
		if (!p->quiet) {
			raster_text_size(p, raster_faces_first(p));
			name_gone(p, &other, f, names);
		}
		const struct way found = best_way(p, &other, true);
		if (found.area <= 0 || found.area < enough(p, &other, most))
			continue;
		*part = other;
		*way = found;
		*gone = names;
		return;
	}
}

bool raster_layout(struct page *p, const struct figure *whole, struct figure *shown,
		   struct sheet *sheet)
{
	const struct figure *const f = say_once(p, whole);
	struct figure part = *f;
	const char *gone = NULL;
	struct way way = {0};
	p->unshown = NULL;
	raster_page_space(p);
	without_words(p, &part);
	*shown = *f;
	if (equation_on_page(f) && lay_out_equation(p, f, sheet))
		return true;
	double most = most_area(p, f);
	if (most <= 0)
		return false;
	spare_one(p, &most, &part, &gone);
	for (bool terse = p->foot == FOOT_NONE;; terse = true) {
		if (gone != NULL && !p->quiet) {
			raster_text_size(p, raster_faces_first(p));
			name_gone(p, &part, f, gone);
		}
		way = best_way(p, &part, terse);
		/* A page as high as needed has height also for the panels beside the matrices. */
		const double least = p->as_needed || f->by_grid ? 0 : enough(p, &part, most);
		if ((way.area > 0 && way.area >= least) ||
		    (terse && !fold(p, &part, way.area > 0, &gone)))
			break;
	}
	if (way.area <= 0)
		return false;
	if (gone && !p->as_needed && !f->by_grid && !f->picked &&
	    most < slack * p->width * p->height)
		put_back(p, f, most, &part, &way, &gone);
	p->report.left_out = p->quiet ? gone : NULL;
	*shown = way.figure;
	*sheet = way.sheet;
	p->bars_below = way.bars_below;
	raster_text_size(p, way.type);
	raster_plan_prepare(p, shown);
	struct area body[FIGURE_PANELS];
	raster_layout_bodies(p, shown, sheet, body);
	raster_plan_align(p, shown, body);
	name_letters(p, shown, sheet);
	report_shown(p, shown);
	return true;
}

/* ---- a page as high as is needed ---------------------------------------------------------------- */

/* Returns the greatest height for the number of panels, in multiples of the width: two panels are
 * side by side, on a page as wide as two columns of a paper up to four. */
static double most_height(const struct page *p, const struct figure *f)
{
	const bool wide = p->width > 40 * p->given;
	const double many = wide ? (f->n <= 4 ? 0.75 : 0.9) : f->n == 2 ? 0.75 : 1.6;
	return f->n == 1 ? 3 : equation_on_page(f) ? many * 0.7 : many;
}

/* Returns the area of the matrices on a page of this height; 0: some panel lacks the room that it
 * needs. */
static double area_at(struct page *p, const struct figure *f, double height)
{
	struct sheet sheet;
	p->height = height;
	raster_page_space(p);
	if (!equation_on_page(f))
		return best_way(p, f, true).area;
	return lay_out_equation(p, f, &sheet) ? sheet.equation->cell * sheet.equation->cell : 0;
}

/* Returns the height, up to `cap`, at which matrices cover the largest part of the page; the panels
 * beside them may need a row of their own on a page where matrices are larger. 0: there is none. */
static double densest(struct page *p, const struct figure *f, double cap)
{
	static const double step = 0.05;
	double best = 0, most = 0;
	for (double high = cap; high > 0.2 * p->width; high -= step * p->width) {
		const double part = area_at(p, f, high) / high;
		if (part <= most)
			continue;
		most = part;
		best = high;
	}
	return best;
}

/* Returns the height for a figure without matrices: drawings of variable height get the proportions
 * of a figure in a book. */
static double wished(struct page *p, const struct figure *f)
{
	static const double book = 0.62;
	double all = 0;
	raster_page_space(p);
	raster_text_size(p, raster_faces_first(p));
	const struct area in = margins(p);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const panel = &f->panels[i];
		const struct pen pen = pen_page(p, (struct area){.w = in.w});
		const double head = raster_panel_head(p, panel, (struct area){.w = in.w}, false);
		const double least = raster_body_least(p, panel, in.w).h;
		const double wish = panel->absent != NULL	 ? least
				    : panel->kind == PANEL_DIALS ? least
				    : panel->kind == PANEL_CARD	 ? pen_card_wish(&pen, &panel->card)
								 : fmax(1.25 * least, book * in.w);
		all += head + wish + (i > 0 ? 28 * p->space : 0);
	}
	return all + p->height - in.h;
}

double raster_height(struct page *p, const struct figure *whole)
{
	static const double nearly = 0.97;
	struct figure *const f = say_once(p, whole);
	p->height = p->width;
	without_words(p, f);
	if (!has(f, raster_plan_wanted, true))
		return wished(p, f);
	const double cap = most_height(p, f) * p->width;
	double high = densest(p, f, cap), most = high > 0 ? area_at(p, f, high) : 0;
	for (high = most > 0 ? high : cap; most <= 0 && high < 3 * p->width;
	     most = area_at(p, f, high))
		high *= 1.3;
	double low = 0.1 * p->width;
	while (most > 0 && high - low > 1) {
		const double middle = (low + high) / 2;
		if (area_at(p, f, middle) >= nearly * most)
			high = middle;
		else
			low = middle;
	}
	return ceil(high);
}
