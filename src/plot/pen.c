/* pen.c: see pen.h. What cells and pages do differently stands side by side. */
#include "plot/pen.h"

#include <math.h>

#include "plot/canvas_strokes.h"
#include "plot/raster_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

static const struct {
	unsigned attrs;
	enum face face;
} looks[] = {
	[ROLE_QUIET] = {ATTR_DIM, FACE_TEXT},
	[ROLE_PLAIN] = {0, FACE_TEXT},
	[ROLE_VALUE] = {0, FACE_BOLD},
	[ROLE_STRONG] = {ATTR_BOLD, FACE_BOLD},
	[ROLE_CHOSEN] = {ATTR_BOLD | ATTR_ACCENT, FACE_BOLD},
	[ROLE_HERE] = {ATTR_ACCENT | ATTR_UNDERLINE, FACE_BOLD},
	[ROLE_ALARM] = {ATTR_REVERSE, FACE_BOLD},
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
			    .unit = 1,
			    .mark = 2,
			    .step = 1};
}

struct pen pen_page(struct page *p, struct area at)
{
	return (struct pen){.page = p,
			    .arena = p->arena,
			    .at = at,
			    .em = raster_text_measure(p, FACE_TEXT, "0").w,
			    .line = p->line[FACE_TEXT],
			    .unit = p->space,
			    .air = 8 * p->space,
			    .step = 5 * p->space,
			    .terse = p->terse};
}

unsigned pen_attrs(enum role role)
{
	return looks[role].attrs;
}

enum face pen_face(enum role role)
{
	return looks[role].face;
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

static uint32_t accent(const struct page *p)
{
	return figure_series_colour(0, p->dark);
}

static uint32_t ink_of(const struct page *p, enum role role, size_t colour)
{
	if (colour != SIZE_MAX || role >= ROLE_PATH)
		return colour_text(colour != SIZE_MAX ? figure_series_colour(colour, p->dark)
						      : accent(p),
				   p->paper);
	return role == ROLE_QUIET ? p->theme->second : p->theme->ink;
}

uint32_t pen_ink(const struct page *p, enum role role)
{
	return ink_of(p, role, SIZE_MAX);
}

void pen_text_series(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text)
{
	struct page *const p = pen->page;
	if (p != NULL) {
		p->paper = role == ROLE_CHOSEN ? p->theme->tint : p->theme->paper;
		raster_text_mid(p, looks[role].face, ink_of(p, role, colour), align, x, y, text);
		p->paper = p->theme->paper;
		return;
	}
	const double left = ceil(x - align * (double)text_width(text));
	const int col = (int)fmax(left, pen->at.x), right = (int)(pen->at.x + pen->at.w);
	canvas_text_colour(pen->canvas, (int)floor(y), col, right - col, text, looks[role].attrs,
			   colour != SIZE_MAX ? canvas_series_text(pen->canvas, colour)
					      : CELL_DEFAULT,
			   CELL_DEFAULT);
}

void pen_text_large(const struct pen *pen, double align, double x, double y, const char *text)
{
	if (pen->page != NULL)
		raster_text_mid(pen->page, FACE_HEAD, pen->page->theme->ink, align, x, y, text);
	else
		pen_text(pen, ROLE_STRONG, align, x, y, text);
}

void pen_label(const struct pen *pen, enum role role, double align, double x, double y,
	       const char *text)
{
	if (pen->page != NULL)
		raster_text_label(pen->page, looks[role].face, pen_ink(pen->page, role), align, x,
				  y, 0, text);
	else
		pen_text(pen, role, align, x, y, text);
}

double pen_apart(const struct pen *pen, const char *const *texts, size_t n, size_t step)
{
	return pen->page != NULL ? raster_labels_apart(pen->page, FACE_BOLD, texts, n, step)
				 : pen->line;
}

void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text)
{
	pen_text_series(pen, role, SIZE_MAX, align, x, y, text);
}

const char **pen_labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			double width)
{
	struct size most;
	return pen->page != NULL
		       ? raster_text_labels(pen->page, FACE_BOLD, from, n, first, width, &most)
		       : text_labels(pen->arena, from, n, first, (size_t)width, pen->canvas->ascii);
}

void pen_text_fit(const struct pen *pen, enum role role, double align, double x, double y,
		  double width, const char *text)
{
	pen_text(pen, role, align, x, y, pen_fit(pen, role, text, width));
}

const double pen_angles[] = {[LYING] = 0, [LEANING] = 50 * G_PI / 180, [STANDING] = G_PI / 2};

void pen_text_turned(const struct pen *pen, enum role role, size_t colour, double x, double y,
		     double angle, const char *text)
{
	raster_text_label(pen->page, looks[role].face, ink_of(pen->page, role, colour), 0, x, y,
			  angle, text);
}

double pen_whole(const struct pen *pen, double length)
{
	return pen->page != NULL ? length : trunc(length);
}

double pen_round(const struct pen *pen, double length)
{
	return pen->page != NULL ? length : (double)lround(length);
}

double pen_middle(const struct pen *pen, double x)
{
	return pen->page != NULL ? x : ceil(x) - 0.5;
}

const char *pen_dash(const struct pen *pen)
{
	return pen->canvas != NULL && pen->canvas->ascii ? "-" : "–";
}

const char *pen_more(const struct pen *pen)
{
	return pen->canvas != NULL && pen->canvas->ascii ? "~" : "…";
}

size_t pen_window(size_t at, size_t shown, size_t n)
{
	const size_t half = shown / 2, last = shown < n ? n - shown : 0;
	return at < half ? 0 : at - half < last ? at - half : last;
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

void pen_rule(const struct pen *pen, struct area at, double y)
{
	if (pen->page != NULL)
		raster_line(pen->page, at.x, y, at.x + at.w, y, 1, pen->page->theme->hair);
}

void pen_blank(const struct pen *pen, struct area a)
{
	if (pen->page != NULL)
		raster_rect(pen->page, a, pen->page->theme->paper);
}

void pen_plot(const struct pen *pen, struct area a)
{
	if (pen->page != NULL)
		raster_plot(pen->page, a, false);
}

/* ---- strokes ------------------------------------------------------------------------------------ */

void pen_begin(struct pen *pen, struct area clip)
{
	struct page *const p = pen->page;
	if (p != NULL) {
		raster_clip(p, clip);
		return;
	}
	const struct rect r = {(int)clip.y, (int)clip.x, (int)clip.h, (int)clip.w};
	pen->strokes = arena_calloc(pen->arena, 1, sizeof *pen->strokes);
	*pen->strokes = strokes_new(pen->canvas, pen->arena, r);
}

void pen_end(struct pen *pen)
{
	if (pen->page != NULL)
		raster_end(pen->page);
	else
		strokes_draw(pen->strokes);
}

/* A corner as round as the strokes at it are long. */
static void turn(const struct page *p, struct path *path, const struct point *corner)
{
	const struct point from = corner[-1], at = *corner, to = corner[1];
	const double before = hypot(at.x - from.x, at.y - from.y);
	const double behind = hypot(to.x - at.x, to.y - at.y);
	const double most = fmin(9 * p->space, fmin(before, behind) / 2);
	const double f = most > 0 ? most / before : 0, t = most > 0 ? most / behind : 0;
	path_line(path, at.x + (from.x - at.x) * f, at.y + (from.y - at.y) * f);
	path_curve(path, at.x, at.y, at.x, at.y, at.x + (to.x - at.x) * t,
		   at.y + (to.y - at.y) * t);
}

void pen_stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy)
{
	struct page *const p = pen->page;
	for (size_t i = 1; p == NULL && i < n; i++) {
		const int row = (int)floor(at[i - 1].y), to_row = (int)floor(at[i].y);
		const int col = (int)floor(at[i - 1].x), to_col = (int)floor(at[i].x);
		if (row == to_row)
			strokes_level(pen->strokes, row, col, to_col, heavy);
		else
			strokes_upright(pen->strokes, col, row, to_row, heavy);
	}
	if (p == NULL)
		return;
	struct path path = path_new(p->arena);
	path_move(&path, at[0].x, at[0].y);
	for (size_t i = 1; i + 1 < n; i++)
		turn(p, &path, &at[i]);
	path_line(&path, at[n - 1].x, at[n - 1].y);
	raster_stroke_path(p, &path, heavy ? accent(p) : p->theme->axis, 1,
			   heavy ? fmax(2.5, 3 * p->space) : fmax(1, 1.2 * p->space));
}

static void put_sign(const struct pen *pen, double x, double y, const char *sign, unsigned attrs)
{
	canvas_put(pen->canvas, (int)floor(y), (int)floor(x), sign, attrs, CELL_DEFAULT,
		   CELL_DEFAULT);
}

/* With its point at (x, y), in the direction (dx, dy). */
static void draw_head(struct page *p, double x, double y, double dx, double dy, bool heavy)
{
	const double size = fmax(3, (heavy ? 6 : 4.5) * p->space), len = 1.7 * size;
	struct path path = path_new(p->arena);
	path_move(&path, x, y);
	path_line(&path, x - len * dx - size * dy, y - len * dy - size * dx);
	path_line(&path, x - len * dx + size * dy, y - len * dy + size * dx);
	raster_fill_path(p, &path, heavy ? accent(p) : p->theme->second, 1);
}

void pen_head(const struct pen *pen, double x, double y, bool heavy)
{
	if (pen->page != NULL)
		draw_head(pen->page, x, y + pen->line / 2, 0, 1, heavy);
	else
		put_sign(pen, x, y, pen->canvas->ascii ? "v" : "▼",
			 heavy ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM);
}

void pen_dot(const struct pen *pen, double x, double y)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		put_sign(pen, x, y, pen->canvas->ascii ? "o" : "●", ATTR_BOLD);
		return;
	}
	const double size = 4.5 * p->space;
	struct path path = path_new(p->arena);
	path_circle(&path, x, y + pen->line / 2 - size, size);
	raster_fill_path(p, &path, p->theme->ink, 1);
}

/* "─ARG0──→" */
static void write_arrow(const struct pen *pen, double x, double y, int cols, const char *label,
			bool heavy, bool directed)
{
	const struct canvas *const c = pen->canvas;
	const char *const line = c->ascii ? heavy ? "=" : "-" : heavy ? "━" : "─";
	const char *const head = !directed ? line : c->ascii ? ">" : heavy ? "▶" : "→";
	const int strokes = cols - 1 - (int)text_width(label), right = (int)(pen->at.x + pen->at.w);
	const unsigned attrs = heavy ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM;
	struct strbuf b;
	strbuf_init(&b, pen->arena);
	for (int i = 0; i <= strokes; i++) {
		if (i == strokes / 2)
			strbuf_add(&b, label);
		strbuf_add(&b, i == strokes ? head : line);
	}
	canvas_text_short(pen->canvas, pen->arena, (int)floor(y), (int)x,
			  right - (int)x < cols ? right - (int)x : cols, b.at, attrs);
}

void pen_arrow(const struct pen *pen, double x, double y, double width, const char *label,
	       bool heavy, bool directed)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		write_arrow(pen, x, y, (int)width, label, heavy, directed);
		return;
	}
	const enum role role = heavy ? ROLE_PATH : ROLE_QUIET;
	const double own = pen_measure(pen, label).w, air = own > 0 ? 4 * p->space : 0;
	const double from = x + (width - own) / 2 - air, to = x + (width + own) / 2 + air;
	const double head = directed ? 5 * p->space : 0;
	const struct point before[] = {{x, y}, {from, y}},
			   behind[] = {{to, y}, {x + width - head, y}};
	pen_stroke(pen, before, 2, heavy);
	pen_stroke(pen, behind, 2, heavy);
	if (directed)
		draw_head(p, x + width, y, 1, 0, heavy);
	pen_text(pen, role, 0.5, x + width / 2, y, label);
}

/* "└──┘" */
static void write_bracket(const struct pen *pen, double x, double y, double width)
{
	static const char *const light[] = {"└", "─", "┘"}, *const ascii[] = {"[", "-", "]"};
	const char *const *const sign = pen->canvas->ascii ? ascii : light;
	for (double at = 0; at < width; at++)
		put_sign(pen, x + at, y, sign[at > 0 ? at + 1 < width ? 1 : 2 : 0], ATTR_DIM);
}

void pen_group(const struct pen *pen, struct area words, double below, bool turned)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		write_bracket(pen, words.x, below, words.w);
		return;
	}
	if (turned) {
		raster_line(p, words.x, words.y, words.x + words.w, words.y,
			    fmax(1, 1.2 * p->space), p->theme->axis);
		return;
	}
	const double x0 = words.x - 6 * p->space, x1 = words.x + words.w + 6 * p->space;
	const double y0 = words.y - 2 * p->space, y1 = words.y + words.h + 2 * p->space;
	const struct point around[] = {{(x0 + x1) / 2, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0},
				       {(x0 + x1) / 2, y0}};
	pen_stroke(pen, around, sizeof around / sizeof *around, false);
}

/* ---- bars and lines ----------------------------------------------------------------------------- */

/* `length` columns to the right from `col` on, or to the left; in one row not so high as it, so that bars below
 * each other stand apart; what is less than half a column is a thin line. What is off is hatched. */
static void write_bar(struct canvas *c, int row, int col, double length, bool off, bool thick)
{
	const bool left = length < 0;
	/* Half a column is a whole one, whatever rounding did to it: equal values have equal bars. */
	const int whole = (int)floor(fabs(length) + 0.5 + 1e-9);
	const char *const plain = c->ascii ? "#"
				  : thick  ? "█"
					   : "▆",
			  *const hatch = c->ascii ? "." : "░";
	const char *const full = off ? hatch : plain;
	const char *const thin = off || c->ascii ? full : left ? "▕" : "▏";
	const uint32_t fg = off ? CELL_DEFAULT : canvas_series(c, left ? 1 : 0);
	const int n = whole > 0 ? whole : fabs(length) > 0;
	for (int i = 0; i < n; i++)
		canvas_put(c, row, left ? col - 1 - i : col + i, whole > 0 ? full : thin,
			   off ? ATTR_DIM : 0, fg, CELL_DEFAULT);
}

/* A bar that is off is an outline, hatched. */
static void draw_bar(struct page *p, struct area a, uint32_t rgb, bool off)
{
	if (!off) {
		raster_rect(p, a, rgb);
		return;
	}
	const double step = fmax(4, round(6 * p->space));
	struct path hatch = path_new(p->arena), around = path_new(p->arena);
	for (double d = step / 2; d < a.w + a.h; d += step) {
		path_move(&hatch, a.x + d, a.y);
		path_line(&hatch, a.x + d - a.h, a.y + a.h);
	}
	path_rect(&around, a);
	raster_clip(p, a);
	raster_stroke_path(p, &hatch, rgb, 0.55, 1);
	raster_stroke_path(p, &around, rgb, 0.55, 2); /* half of it is clipped */
	raster_end(p);
}

void pen_bar(const struct pen *pen, double x, double y, double length, double high, bool off)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		for (double row = floor(y - high / 2 + 0.5); row < y + high / 2; row++)
			write_bar(pen->canvas, (int)row, (int)x, length, off, high > 1);
		return;
	}
	const double thick = fmax(fmin(high * 0.62, 26 * p->space), 1);
	draw_bar(p, (struct area){fmin(x, x + length), y - thick / 2, fabs(length), thick},
		 figure_series_colour(length < 0 ? 1 : 0, p->dark), off);
}

void pen_axis(const struct pen *pen, double x, double top, double bottom)
{
	for (double y = top; pen->page == NULL && y < bottom; y++)
		put_sign(pen, x, y, pen->canvas->ascii ? "|" : "│", ATTR_DIM);
	if (pen->page != NULL)
		raster_line(pen->page, x, top, x, bottom, 1, pen->page->theme->axis);
}

void pen_spot(const struct pen *pen, double x, double y)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		put_sign(pen, x, y, pen->canvas->ascii ? "o" : "●", ATTR_BOLD);
		return;
	}
	const double size = 5 * p->space;
	struct path ring = path_new(p->arena), dot = path_new(p->arena);
	path_circle(&ring, x, y, 1.5 * size);
	path_circle(&dot, x, y, size);
	raster_fill_path(p, &ring, p->theme->paper, 1);
	raster_fill_path(p, &dot, p->theme->ink, 1);
}

/* A curve with a dot at either end, where it is not a quiet one. */
static void draw_curve(struct page *p, struct area at, double pitch, const struct pen_line *l)
{
	const double mid = at.y + at.h * l->bend, bottom = at.y + at.h;
	const bool here = l->rank == LINE_CURSOR, strong = l->colour != SIZE_MAX;
	const double crowd = fmin(1, pitch / (30 * p->space));
	const double thick = strong ? fmax(1, 2.4 * p->space * crowd) : 1;
	const double dot = fmin(pitch / 2, (here ? 5 : 3.5) * p->space);
	const uint32_t rgb = strong ? figure_series_colour(l->colour, p->dark) : p->theme->axis;
	struct path line = path_new(p->arena), dots = path_new(p->arena);
	path_move(&line, l->from, at.y);
	path_curve(&line, l->from, mid, l->to, mid, l->to, bottom);
	raster_stroke_path(p, &line, rgb, 1, here ? thick + 2 * p->space : thick);
	if (!strong && !here)
		return;
	path_circle(&dots, l->from, at.y, dot);
	path_circle(&dots, l->to, bottom, dot);
	raster_fill_path(p, &dots, rgb, 1);
}

void pen_lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
	       size_t n)
{
	const struct rect r = {(int)at.y, (int)at.x, (int)at.h, (int)at.w};
	if (pen->page == NULL)
		canvas_lines(pen->canvas, pen->arena, r, lines, n);
	for (size_t i = 0; pen->page != NULL && i < n; i++)
		draw_curve(pen->page, at, pitch, &lines[i]);
}

void pen_panel(const struct pen *pen, const struct panel *p)
{
	if (pen->at.w < 1 || pen->at.h < 1)
		return;
	if (p->kind == PANEL_TABLE)
		pen_table(pen, &p->table);
	else if (p->kind == PANEL_BARS)
		pen_bars(pen, &p->bars);
	else if (p->kind == PANEL_LINKS)
		pen_links(pen, &p->links);
	else if (p->kind == PANEL_CARD)
		pen_card(pen, &p->card);
	else if (p->kind == PANEL_WATERFALL)
		pen_waterfall(pen, &p->waterfall);
	else if (p->kind == PANEL_COLUMNS)
		pen_columns(pen, &p->columns);
	else if (p->kind == PANEL_DIALS)
		pen_dials(pen, &p->dials);
	else if (p->kind == PANEL_PLANE)
		pen_plane(pen, &p->plane);
	else
		pen_structure(pen, &p->drawing);
}
