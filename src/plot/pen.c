/* pen.c: see pen.h. What cells and pages do differently stands side by side. */
#include "plot/pen.h"

#include <math.h>

#include "plot/canvas_strokes.h"
#include "plot/raster_in.h"
#include "posviz/text.h"

static const struct {
	unsigned attrs;
	enum face face;
} looks[] = {
	[ROLE_QUIET] = {ATTR_DIM, FACE_TEXT},
	[ROLE_PLAIN] = {0, FACE_TEXT},
	[ROLE_STRONG] = {ATTR_BOLD, FACE_BOLD},
	[ROLE_CHOSEN] = {ATTR_BOLD | ATTR_ACCENT, FACE_BOLD},
	[ROLE_PATH] = {ATTR_BOLD | ATTR_ACCENT, FACE_BOLD},
	[ROLE_END] = {ATTR_BOLD | ATTR_ACCENT | ATTR_UNDERLINE, FACE_BOLD},
};

struct pen pen_cells(struct canvas *c, struct arena *a, struct rect inner)
{
	return (struct pen){.canvas = c,
			    .arena = a,
			    .at = {inner.col, inner.row, inner.cols, inner.rows},
			    .em = 1,
			    .line = 1,
			    .mark = 2};
}

struct pen pen_page(struct page *p, struct area at)
{
	return (struct pen){.page = p,
			    .arena = p->arena,
			    .at = at,
			    .em = raster_text_measure(p, FACE_TEXT, "0").w,
			    .line = p->line[FACE_TEXT],
			    .air = 8 * p->space};
}

/* ---- text --------------------------------------------------------------------------------------- */

struct size pen_measure(const struct pen *pen, const char *text)
{
	if (pen->page == NULL)
		return (struct size){(double)text_width(text), 1};
	const struct size plain = raster_text_measure(pen->page, FACE_TEXT, text);
	const struct size bold = raster_text_measure(pen->page, FACE_BOLD, text);
	return (struct size){*text != '\0' ? ceil(fmax(plain.w, bold.w)) : 0,
			     fmax(plain.h, bold.h)};
}

const char *pen_fit(const struct pen *pen, enum role role, const char *text, double width)
{
	if (pen->page != NULL)
		return raster_text_fit(pen->page, looks[role].face, text, width);
	return width < 1 ? "" : text_shorten(pen->arena, text, (size_t)width, pen->canvas->ascii);
}

static uint32_t ink_of(const struct page *p, enum role role)
{
	if (role == ROLE_QUIET)
		return p->theme->second;
	return role < ROLE_PATH ? p->theme->ink
				: raster_text_ink(p, figure_series_colour(0, p->dark));
}

void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text)
{
	struct page *const p = pen->page;
	if (p != NULL) {
		p->paper = role == ROLE_CHOSEN ? p->theme->tint : p->theme->paper;
		raster_text_mid(p, looks[role].face, ink_of(p, role), align, x, y, text);
		p->paper = p->theme->paper;
		return;
	}
	const double left = ceil(x - align * (double)text_width(text));
	const int col = (int)fmax(left, pen->at.x), right = (int)(pen->at.x + pen->at.w);
	canvas_text(pen->canvas, (int)floor(y), col, right - col, text, looks[role].attrs);
}

const char *pen_dash(const struct pen *pen)
{
	return pen->canvas != NULL && pen->canvas->ascii ? "-" : "–";
}

/* ---- marks -------------------------------------------------------------------------------------- */

void pen_chosen(const struct pen *pen, struct area row)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		canvas_text(pen->canvas, (int)row.y, (int)(row.x - pen->mark), 1,
			    pen->canvas->ascii ? ">" : "▸", looks[ROLE_CHOSEN].attrs);
		return;
	}
	row.x -= 6 * p->space;
	row.w += 12 * p->space;
	raster_rect(p, row, p->theme->tint);
}

void pen_rule(const struct pen *pen, double y)
{
	if (pen->page != NULL)
		raster_line(pen->page, pen->at.x, y, pen->at.x + pen->at.w, y, 1,
			    pen->page->theme->hair);
}

void pen_panel(const struct pen *pen, const struct panel *p)
{
	if (pen->at.w < 1 || pen->at.h < 1)
		return;
	if (p->kind == PANEL_TABLE)
		pen_table(pen, &p->table);
}
