/* raster_pen.c: the pen on a page: text, strokes, marks and bars. */
#include "plot/raster_pen.h"

#include <math.h>

#include "plot/page_library.h"
#include "plot/pen_tones.h"

static const enum face faces[] = {
	[ROLE_QUIET] = FACE_TEXT,  [ROLE_PLAIN] = FACE_TEXT,  [ROLE_VALUE] = FACE_BOLD,
	[ROLE_STRONG] = FACE_BOLD, [ROLE_CHOSEN] = FACE_BOLD, [ROLE_HERE] = FACE_BOLD,
	[ROLE_ALARM] = FACE_BOLD,  [ROLE_PATH] = FACE_BOLD,   [ROLE_END] = FACE_BOLD,
};

/* ---- text -------------------------------------------------------------------------------------- */

static struct size measure(const struct pen *pen, const char *text)
{
	const struct size plain = raster_text_measure(pen->on, FACE_TEXT, text);
	const struct size bold = raster_text_measure(pen->on, FACE_BOLD, text);
	return (struct size){*text != '\0' ? ceil(fmax(plain.w, bold.w)) : 0,
			     fmax(plain.h, bold.h)};
}

static const char *fit(const struct pen *pen, enum role role, const char *text, double width)
{
	return raster_text_fit(pen->on, faces[role], text, width);
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

static void put_text(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text)
{
	struct page *const p = pen->on;
	p->paper = role == ROLE_CHOSEN ? p->theme->tint : p->theme->paper;
	raster_text_mid(p, faces[role], ink_of(p, role, colour), align, x, y, text);
	p->paper = p->theme->paper;
}

static void put_tone(const struct pen *pen, enum role role, const struct colormap *map,
		     enum tone tone, double align, double x, double y, const char *text)
{
	struct page *const p = pen->on;
	const uint32_t rgb = map != NULL ? tone_rgb(map, tone, p->dark) : p->theme->ink;
	raster_text_mid(p, faces[role], colour_text(rgb, p->paper), align, x, y, text);
}

static void put_large(const struct pen *pen, double align, double x, double y, const char *text)
{
	struct page *const p = pen->on;
	raster_text_mid(p, FACE_HEAD, p->theme->ink, align, x, y, text);
}

static void put_turned(const struct pen *pen, enum role role, size_t colour, double x, double y,
		       double angle, const char *text)
{
	raster_text_label(pen->on, faces[role], ink_of(pen->on, role, colour), 0, x, y, angle,
			  text);
}

static double digits(const struct pen *pen, double right, double y, const char *number, bool draw)
{
	(void)pen, (void)right, (void)y, (void)number, (void)draw;
	return 0;
}

static void put_label(const struct pen *pen, enum role role, double align, double x, double y,
		      const char *text)
{
	raster_text_label(pen->on, faces[role], ink_of(pen->on, role, SIZE_MAX), align, x, y, 0,
			  text);
}

static double apart(const struct pen *pen, const char *const *texts, size_t n, size_t step)
{
	return raster_labels_apart(pen->on, FACE_BOLD, texts, n, step);
}

static const char **labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			   double width)
{
	struct size most;
	return raster_text_labels(pen->on, FACE_BOLD, from, n, first, width, &most);
}

/* ---- text of several lines --------------------------------------------------------------------- */

/* Draws a formula in smaller letters if it is a little too long, and wraps it if it is much too
 * long. */
static double formula(const struct pen *pen, struct area at, const char *formula, bool draw)
{
	struct page *const p = pen->on;
	const double wide = raster_text_measure(p, FACE_FORMULA, formula).w;
	if (wide <= at.w || wide > at.w * 1.35)
		return raster_text_wrap(p, FACE_FORMULA, p->theme->ink, at, draw, formula);
	PangoFontDescription *face = p->face[FACE_FORMULA];
	const double size = pango_font_description_get_size(face);
	pango_font_description_set_absolute_size(face, floor(size * at.w / wide * 0.99));
	const double height = raster_text_wrap(p, FACE_FORMULA, p->theme->ink, at, draw, formula);
	pango_font_description_set_absolute_size(face, size);
	return height;
}

/* Draws the texts in one line if they have room in it. */
static bool one_line(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		     bool draw)
{
	struct page *const p = pen->on;
	const double gap = 10 * pen->unit;
	double width = 0, x = at.x;
	for (size_t i = 0; i < n; i++)
		width += raster_text_measure(p, faces[runs[i].role], runs[i].text).w +
			 (i > 0 ? gap : 0);
	for (size_t i = 0; i < n && draw && width <= at.w; i++) {
		raster_text_put(p, faces[runs[i].role], ink_of(p, runs[i].role, SIZE_MAX), 0, x,
				at.y, runs[i].text);
		x += raster_text_measure(p, faces[runs[i].role], runs[i].text).w + gap;
	}
	return width <= at.w;
}

/* Draws the texts in one line, else each on lines of its own. */
static double wrap(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		   bool draw)
{
	double height = 0;
	if (n > 1 && one_line(pen, at, runs, n, draw))
		return pen->line;
	for (size_t i = 0; i < n; i++) {
		height += i > 0 ? 2 * pen->unit : 0;
		const struct area rest = {at.x, at.y + height, at.w, at.h};
		height += raster_text_wrap(pen->on, faces[runs[i].role],
					   ink_of(pen->on, runs[i].role, SIZE_MAX), rest, draw,
					   runs[i].text);
	}
	return height;
}

static const char *formula_words(const struct pen *pen, const char *formula)
{
	return figure_typeset(pen->arena, formula);
}

static struct pen sheet(const struct pen *pen)
{
	return *pen;
}

/* ---- strokes and marks ------------------------------------------------------------------------- */

static void begin(struct pen *pen, struct area clip)
{
	raster_clip(pen->on, clip);
}

static void end(struct pen *pen)
{
	raster_end(pen->on);
}

/* Adds a corner that is rounded as far as the strokes on both sides allow. */
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

static void stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy)
{
	struct page *const p = pen->on;
	struct path path = path_new(p->arena);
	path_move(&path, at[0].x, at[0].y);
	for (size_t i = 1; i + 1 < n; i++)
		turn(p, &path, &at[i]);
	path_line(&path, at[n - 1].x, at[n - 1].y);
	raster_stroke_path(p, &path, heavy ? accent(p) : p->theme->axis, 1,
			   heavy ? fmax(2.5, 3 * p->space) : fmax(1, 1.2 * p->space));
}

/* Draws an arrow head with its tip at (x, y), in the direction (dx, dy). */
static void draw_head(struct page *p, double x, double y, double dx, double dy, bool heavy)
{
	const double size = fmax(3, (heavy ? 6 : 4.5) * p->space), len = 1.7 * size;
	struct path path = path_new(p->arena);
	path_move(&path, x, y);
	path_line(&path, x - len * dx - size * dy, y - len * dy - size * dx);
	path_line(&path, x - len * dx + size * dy, y - len * dy + size * dx);
	raster_fill_path(p, &path, heavy ? accent(p) : p->theme->second, 1);
}

static void head(const struct pen *pen, double x, double y, bool heavy)
{
	draw_head(pen->on, x, y + pen->line / 2, 0, 1, heavy);
}

static void dot(const struct pen *pen, double x, double y)
{
	struct page *const p = pen->on;
	const double size = 4.5 * p->space;
	struct path path = path_new(p->arena);
	path_circle(&path, x, y + pen->line / 2 - size, size);
	raster_fill_path(p, &path, p->theme->ink, 1);
}

static void arrow(const struct pen *pen, double x, double y, double width, const char *label,
		  bool heavy, bool directed)
{
	struct page *const p = pen->on;
	const enum role role = heavy ? ROLE_PATH : ROLE_QUIET;
	const double own = measure(pen, label).w, air = own > 0 ? 4 * p->space : 0;
	const double from = x + (width - own) / 2 - air, to = x + (width + own) / 2 + air;
	const double head = directed ? 5 * p->space : 0;
	const struct point before[] = {{x, y}, {from, y}},
			   behind[] = {{to, y}, {x + width - head, y}};
	stroke(pen, before, 2, heavy);
	stroke(pen, behind, 2, heavy);
	if (directed)
		draw_head(p, x + width, y, 1, 0, heavy);
	put_text(pen, role, SIZE_MAX, 0.5, x + width / 2, y, label);
}

static void group(const struct pen *pen, struct area words, double below, bool turned)
{
	struct page *const p = pen->on;
	(void)below;
	if (turned) {
		raster_line(p, words.x, words.y, words.x + words.w, words.y,
			    fmax(1, 1.2 * p->space), p->theme->axis);
		return;
	}
	const double x0 = words.x - 6 * p->space, x1 = words.x + words.w + 6 * p->space;
	const double y0 = words.y - 2 * p->space, y1 = words.y + words.h + 2 * p->space;
	const struct point around[] = {{(x0 + x1) / 2, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0},
				       {(x0 + x1) / 2, y0}};
	stroke(pen, around, sizeof around / sizeof *around, false);
}

static void chosen(const struct pen *pen, struct area row)
{
	struct page *const p = pen->on;
	row.x -= 6 * p->space;
	row.w += 12 * p->space;
	raster_rect(p, row, p->theme->tint);
}

static void rule(const struct pen *pen, struct area at, double y)
{
	struct page *const p = pen->on;
	raster_line(p, at.x, y, at.x + at.w, y, 1, p->theme->hair);
}

static void blank(const struct pen *pen, struct area a)
{
	struct page *const p = pen->on;
	raster_rect(p, a, p->theme->paper);
}

static void plot(const struct pen *pen, struct area a)
{
	raster_plot(pen->on, a, false);
}

/* ---- bars and lines ---------------------------------------------------------------------------- */

/* Draws a bar; if it is switched off, as a hatched outline. */
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

static void bar(const struct pen *pen, double x, double y, double length, double high,
		enum bar_form form)
{
	struct page *const p = pen->on;
	const double thick = fmax(fmin(high * 0.62, 26 * p->space), 1);
	draw_bar(p, (struct area){fmin(x, x + length), y - thick / 2, fabs(length), thick},
		 figure_series_colour(length < 0 ? 1 : 0, p->dark), form == BAR_OFF);
}

static void axis(const struct pen *pen, double x, double top, double bottom)
{
	struct page *const p = pen->on;
	raster_line(p, x, top, x, bottom, 1, p->theme->axis);
}

static void level(const struct pen *pen, double y, double left, double right)
{
	struct page *const p = pen->on;
	raster_line(p, left, y, right, y, 1, p->theme->axis);
}

static void spot(const struct pen *pen, double x, double y)
{
	struct page *const p = pen->on;
	const double size = 5 * p->space;
	struct path ring = path_new(p->arena), dot = path_new(p->arena);
	path_circle(&ring, x, y, 1.5 * size);
	path_circle(&dot, x, y, size);
	raster_fill_path(p, &ring, p->theme->paper, 1);
	raster_fill_path(p, &dot, p->theme->ink, 1);
}

static void interval(const struct pen *pen, double from, double middle, double to, double y,
		     double high, bool off)
{
	struct page *const p = pen->on;
	const uint32_t rgb = off ? p->theme->second : figure_series_colour(0, p->dark);
	const double half = fmin(0.3 * high, 8 * p->space), line = fmax(1.5, 2 * p->space);
	raster_line(p, from, y, fmax(to, from + 1), y, line, rgb);
	raster_line(p, from, y - half / 2, from, y + half / 2, line, rgb);
	raster_line(p, to, y - half / 2, to, y + half / 2, line, rgb);
	raster_line(p, middle, y - half, middle, y + half, 2 * line, rgb);
}

static void span(const struct pen *pen, const struct colormap *map, enum tone tone, struct area at)
{
	struct page *const p = pen->on;
	at.w = fmax(at.w, 1);
	raster_rect(p, at, tone_rgb(map, tone, p->dark));
}

static void block(const struct pen *pen, const struct colormap *map, double place, struct area at)
{
	struct page *const p = pen->on;
	at.y -= fmax(0, 1 - at.h);
	at.h = fmax(at.h, 1);
	raster_rect(p, at, map != NULL ? colormap_rgb(map, place) : p->theme->hair);
}

static void sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
		 double y)
{
	put_tone(pen, ROLE_STRONG, map, tone, 0, x, y, tone == TONE_PLUS ? "+" : "−");
}

static void zero(const struct pen *pen, double x, double top, double bottom)
{
	struct page *const p = pen->on;
	raster_dashed(p, x, top, x, bottom, 1, p->theme->axis, 2, 3);
}

static void drop(const struct pen *pen, double x, double top, double bottom)
{
	struct page *const p = pen->on;
	if (bottom > top)
		raster_line(p, x, top, x, bottom, 1, p->theme->second);
}

/* Draws a curve; with a dot at either end unless it is a quiet one. */
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

static void lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
		  size_t n)
{
	for (size_t i = 0; i < n; i++)
		draw_curve(pen->on, at, pitch, &lines[i]);
}

/* ---- the device -------------------------------------------------------------------------------- */

static const struct pen_device page = {
	.measure = measure,
	.fit = fit,
	.text = put_text,
	.text_tone = put_tone,
	.text_large = put_large,
	.text_turned = put_turned,
	.digits = digits,
	.label = put_label,
	.apart = apart,
	.labels = labels,
	.wrap = wrap,
	.formula = formula,
	.formula_words = formula_words,
	.sheet = sheet,
	.begin = begin,
	.end = end,
	.stroke = stroke,
	.head = head,
	.dot = dot,
	.arrow = arrow,
	.group = group,
	.chosen = chosen,
	.rule = rule,
	.blank = blank,
	.plot = plot,
	.bar = bar,
	.axis = axis,
	.level = level,
	.spot = spot,
	.interval = interval,
	.span = span,
	.block = block,
	.sign = sign,
	.zero = zero,
	.drop = drop,
	.lines = lines,
	.dial = raster_dial,
	.hand = raster_dial_hand,
	.plane_look = raster_plane_look,
	.plane_side = raster_plane_side,
	.plane_box = raster_plane_box,
	.plane_marks = raster_plane_marks,
	.plane_form = raster_plane_form,
	.plane_leaders = raster_plane_leaders,
	.plane_thumb = raster_plane_thumb,
};

struct pen pen_page(struct page *p, struct area at)
{
	const double em = raster_text_measure(p, FACE_TEXT, "0").w;
	return (struct pen){.device = &page,
			    .on = p,
			    .arena = p->arena,
			    .at = at,
			    .em = em,
			    .line = p->line[FACE_TEXT],
			    .unit = p->space,
			    .air = 8 * p->space,
			    .step = 5 * p->space,
			    .gap = 0.6 * em,
			    .leading = 1.2,
			    .bar = 0.62,
			    .thin = 3 * p->space,
			    .aspect = 1,
			    .occasion = ON_PAPER,
			    .terse = p->terse,
			    .dark = p->dark};
}
