/* raster_multiples.c: small multiples on paper: names with notes, matrices, and below each its
 * curve and facts; in aligned columns, with all curves on the same axes, and row labels once per
 * line.
 *
 * The number of matrices in a line is chosen so that cells are as large as possible. A small page
 * leaves out first the curves, then the facts, at last the names, but always has all matrices. */
#include "plot/raster_heatmap.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"

/* The parts around a matrix: all of them, those without curves, those without curves and facts,
 * none. */
enum level { WITH_CURVES, WITH_FACTS, WITH_NAMES, BARE };

/* The least height of a matrix for each level, in units. */
static const double enough[] = {
	[WITH_CURVES] = 96, [WITH_FACTS] = 80, [WITH_NAMES] = 24, [BARE] = 0};
static const double curve_part = 0.5; /* height of the curve relative to that of the matrix */

struct plan {
	enum level level;
	size_t across, down;
	double cell;		  /* side of a cell */
	double labels;		  /* width of the row labels with their gap */
	double gap_x, gap_y;	  /* between items */
	double name, axis, facts; /* heights of the name, of the curve's axis, of the facts */
	size_t fact_line[MULTIPLE_FACTS], fact_lines;
	double bar;
	struct size matrix;
	double curve; /* height of its plot */
	double y0, y1;
	/* height of the words above the columns of the first line; 0: none */
	double keys;
	double facts_wide; /* width of the widest line of facts */
	/* width of the facts at the right of a matrix of a grid; 0: none */
	double beside;
	bool titles; /* items have their titles, "head 1"; else their names alone, "1" */
	size_t note; /* the form of the notes of all items: NOTES is none */
};

/* The forms of a note, the longest first. */
enum { NOTES = 2 };
static const char *note_of(const struct multiple *item, size_t form)
{
	return form == 0 ? item->note : form == 1 ? item->brief : NULL;
}

static bool has_curves(const struct multiples *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].curve != NULL)
			return m->n_x > 0;
	return false;
}

/* Finds the limits of all curves, zero included. */
static void limits(const struct multiples *m, double *lo, double *hi)
{
	*lo = *hi = 0;
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; m->items[i].curve != NULL && k < m->n_x; k++) {
			const double y = m->items[i].curve[k];
			*lo = isfinite(y) ? fmin(*lo, y) : *lo;
			*hi = isfinite(y) ? fmax(*hi, y) : *hi;
		}
	if (*hi - *lo < 1e-12)
		*hi = *lo + 1;
}

static const char *fact(struct page *p, const struct multiples *m, size_t item, size_t f)
{
	return arena_printf(p->arena, "%s %s", m->facts[f], m->items[item].facts[f]);
}

static const char between[] = "  ";

/* Distributes the facts over lines, as many in a line as have room in every item, and returns the
 * number of lines. With `curve` the facts that the curve shows are left out. */
static size_t break_facts(struct page *p, const struct multiples *m, bool curve, double width,
			  size_t *line, double *widest)
{
	const double gap = raster_text_measure(p, FACE_TEXT, between).w;
	double used = 0;
	size_t lines = 0;
	*widest = 0;
	for (size_t f = curve ? m->of_curve : 0; f < m->n_facts; f++) {
		double most = 0;
		for (size_t i = 0; i < m->n; i++)
			most = fmax(most, raster_text_measure(p, FACE_TEXT, fact(p, m, i, f)).w);
		const bool fits = lines > 0 && used + gap + most <= width;
		if (most > width)
			return 0;
		lines += !fits;
		used = fits ? used + gap + most : most;
		line[f] = lines - 1;
		*widest = fmax(*widest, used);
	}
	return lines;
}

/* Computes the heights around the matrices, and the size of these if l->across of them are in a
 * line. */
static void size_items(struct page *p, const struct multiples *m, struct area at, struct plan *l)
{
	const struct mat v = m->items[0].map.values;
	const double rows = fmax(1, (double)v.rows), cols = fmax(1, (double)v.cols);
	const double line = p->line[FACE_TEXT], across = (double)l->across;
	l->down = (m->n + l->across - 1) / l->across;
	const double down = (double)l->down;
	const double room = fmax(0, at.w - l->labels), high_room = fmax(0, at.h - l->bar - l->keys);
	l->gap_x = fmin((m->across > 0 ? 8 : 38) * p->space, room / across / 4);
	l->gap_y = fmin((l->level == BARE ? 8 : 20) * p->space, high_room / down / 4);
	const double w = (room - l->gap_x * (across - 1)) / across;
	const double h = (high_room - l->gap_y * (down - 1)) / down;
	l->fact_lines = l->level > WITH_FACTS ? 0
					      : break_facts(p, m, l->level == WITH_CURVES, w,
							    l->fact_line, &l->facts_wide);
	l->name = l->level < BARE ? p->line[FACE_BOLD] + 6 * p->space : 0;
	l->facts = l->fact_lines > 0 ? (double)l->fact_lines * line + 4 * p->space : 0;
	l->axis = l->level == WITH_CURVES ? line + 18 * p->space : 0;
	const double part = l->level == WITH_CURVES ? 1 + curve_part : 1;
	const double high = h - l->name - l->facts - l->axis;
	l->cell = fmax(LEAST_PITCH, fmin(w / cols, high / (rows * part)));
	l->matrix = (struct size){l->cell * cols, l->cell * rows};
	l->curve = l->level == WITH_CURVES ? curve_part * l->matrix.h : 0;
}

/* Chooses the number in a line that makes the cells largest; among equal ones the larger number,
 * which needs fewer lines. */
static void choose_across(struct page *p, const struct multiples *m, struct area at, struct plan *l)
{
	struct plan best = *l;
	best.cell = 0;
	for (size_t n = 1; n <= m->n; n++) {
		l->across = m->across ? m->across : n;
		size_items(p, m, at, l);
		if (l->cell >= best.cell)
			best = *l;
	}
	*l = best;
	/* Lines get equally many items, if possible. */
	l->across = m->across ? m->across : (m->n + l->down - 1) / l->down;
}

static double label_width(struct page *p, const struct multiples *m)
{
	struct size most;
	const struct heatmap *const h = &m->items[0].map;
	if (m->row_names != NULL)
		raster_text_labels(p, FACE_BOLD, m->row_names, m->n / m->across, 0, 90 * p->type,
				   &most);
	else if (h->row_labels != NULL)
		raster_text_labels(p, FACE_TEXT, h->row_labels, h->values.rows, 0, 90 * p->type,
				   &most);
	else
		most = raster_text_measure(p, FACE_TEXT, "000");
	/* Ticks of curves and round numbers are drawn there too. */
	const double ticks = raster_text_measure(p, FACE_TEXT, "−2.5").w;
	return (m->row_names ? most.w : fmax(most.w, ticks)) + 8 * p->space;
}

/* Makes curves as high as there is room, up to the height of their matrices. */
static void use_height(struct area at, struct plan *l)
{
	const double down = (double)l->down;
	const double each = (at.h - l->bar - l->keys - l->gap_y * (down - 1)) / down;
	const double used = l->name + l->matrix.h + l->curve + l->axis + l->facts;
	if (l->level == WITH_CURVES)
		l->curve += fmin(fmax(0, each - used), (1 - curve_part) * l->matrix.h);
}

/* Returns the width of the numbers of facts at the right of matrices in a grid, which has no lines
 * for facts; 0: they have no room. */
static double facts_beside(struct page *p, const struct multiples *m, struct area at,
			   const struct plan *l)
{
	const double slot = (at.w - l->labels + l->gap_x) / (double)l->across;
	double wide = 0;
	for (size_t i = 0; i < m->n; i++)
		for (size_t f = m->of_curve; f < m->n_facts; f++)
			wide = fmax(wide,
				    raster_text_measure(p, FACE_TEXT, m->items[i].facts[f]).w);
	wide += 16 * p->space;
	const double high = (double)(m->n_facts - m->of_curve) * p->line[FACE_TEXT];
	return wide <= slot - l->matrix.w - l->gap_x && high <= l->matrix.h ? wide : 0;
}

/* Returns the words of the columns above matrices at this distance; they are vertical if slanted
 * ones would extend into the next matrix. */
static struct side keys_of(struct page *p, const struct heatmap *h, const struct plan *l)
{
	struct side s = raster_labels_cols(p, h, l->cell, 90 * p->type);
	if (s.angle > 0 && raster_labels_overhang(p, &s, h->values.cols, l->cell) > l->gap_x)
		s.angle = G_PI / 2;
	return s;
}

static void choose_level(struct page *p, const struct multiples *m, struct area at, struct plan *l)
{
	const bool grid = m->across > 0;
	for (l->level = grid ? BARE : has_curves(m) ? WITH_CURVES : WITH_FACTS;; l->level++) {
		choose_across(p, m, at, l);
		if (l->matrix.h >= enough[l->level] * p->type)
			break;
	}
}

/* Adds words above the columns of the first line if the matrices keep nearly all of their size. */
static void add_keys(struct page *p, const struct multiples *m, struct area at, struct plan *l)
{
	static const double nearly = 0.85;
	const struct heatmap *const h = &m->items[0].map;
	struct plan with = *l;
	if (m->across > 0 || h->values.at == NULL || h->col_labels == NULL || l->level > WITH_FACTS)
		return;
	struct size most;
	raster_text_labels(p, FACE_TEXT, h->col_labels, h->values.cols, 0, 90 * p->type, &most);
	with.keys = ceil(most.w + 8 * p->space);
	/* Slanted words can be higher than vertical ones, for which the first plan is made. */
	for (int trip = 0; trip < 2; trip++) {
		choose_level(p, m, at, &with);
		const struct side cols = keys_of(p, h, &with);
		with.keys = fmax(with.keys, ceil(raster_labels_height(p, &cols)));
	}
	const struct side cols = keys_of(p, h, &with);
	const size_t rows = raster_labels_rows(p, h, l->cell, 90 * p->type).n;
	if (with.level == l->level && with.cell >= nearly * l->cell && !cols.numbers &&
	    raster_labels_height(p, &cols) <= with.keys &&
	    raster_labels_rows(p, h, with.cell, 90 * p->type).n >= rows)
		*l = with;
}

/* Returns the common bar, which is horizontal at their foot. */
static struct bar bar_of(struct page *p, const struct multiples *m, double width)
{
	const bool below = p->bars_below;
	p->bars_below = true;
	const struct bar bar = raster_bar(p, &m->items[0].map, fmin(280 * p->space, width / 2), 0);
	p->bars_below = below;
	return bar;
}

/* Returns the title of an item; its name if only that has room and it is more than a number. */
static const char *long_name(struct page *p, const struct multiple *item, double width)
{
	const bool number = strspn(item->name, "0123456789") == strlen(item->name);
	return !number && raster_text_measure(p, FACE_BOLD, item->title).w > width ? item->name
										   : item->title;
}

/* Tells if every item has room for its title, with its note in this form. */
static bool titles_fit(struct page *p, const struct multiples *m, const struct plan *l, size_t form)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const item = &m->items[i];
		const char *const note = note_of(item, form);
		const double beside =
			note ? 10 * p->space + raster_text_measure(p, FACE_TEXT, note).w : 0;
		if (raster_text_measure(p, FACE_BOLD, long_name(p, item, l->matrix.w)).w + beside >
		    l->matrix.w)
			return false;
	}
	return true;
}

/* Chooses one form of titles and notes for all items: a note beside some of them would look as if
 * the others had none, and one beside a bare number as if it were a part of the name. */
static void choose_names(struct page *p, const struct multiples *m, struct plan *l)
{
	l->note = 0;
	while (l->note < NOTES && !titles_fit(p, m, l, l->note))
		l->note++;
	l->titles = l->note < NOTES || titles_fit(p, m, l, NOTES);
}

static struct plan plan_of(struct page *p, const struct multiples *m, struct area at)
{
	struct plan l = {.labels = label_width(p, m),
			 .bar = bar_of(p, m, at.w).across - 7 * p->space};
	const bool grid = m->across > 0;
	/* Labels and bar are left out if they take too much from the matrices. */
	if (l.labels > at.w / 4)
		l.labels = 0;
	if (l.bar > at.h / 4)
		l.bar = 0;
	choose_level(p, m, at, &l);
	add_keys(p, m, at, &l);
	limits(m, &l.y0, &l.y1);
	use_height(at, &l);
	l.beside = grid ? facts_beside(p, m, at, &l) : 0;
	choose_names(p, m, &l);
	return l;
}

/* ---- drawing -------------------------------------------------------------------------------------- */

static struct area matrix_at(const struct plan *l, struct area at, size_t i)
{
	const double col = (double)(i % l->across), row = (double)(i / l->across);
	const double w = (at.w - l->labels + l->gap_x) / (double)l->across;
	const double each = l->name + l->matrix.h + l->curve + l->axis + l->facts + l->gap_y;
	const double facts = l->fact_lines > 0 ? l->facts_wide - l->matrix.w : 0;
	const double more = fmax(2.5 * l->gap_x, fmax(facts, l->beside) + l->gap_x);
	const double step = fmin(w, l->matrix.w + more);
	return (struct area){floor(at.x + l->labels + col * step),
			     floor(at.y + l->keys + row * each + l->name),
			     fmax(1, floor(l->matrix.w)), fmax(1, floor(l->matrix.h))};
}

static void draw_name(struct page *p, const struct plan *l, const struct multiple *item,
		      struct area matrix, double keys)
{
	const double y = matrix.y - keys - p->line[FACE_BOLD] - 6 * p->space;
	const char *const note = note_of(item, l->note);
	raster_text_put(p, FACE_BOLD, p->theme->ink, 0, matrix.x, y,
			l->titles ? long_name(p, item, matrix.w)
				  : raster_text_fit(p, FACE_BOLD, item->name, matrix.w));
	if (note != NULL)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, matrix.x + matrix.w, y, note);
}

static void draw_row_labels(struct page *p, const struct heatmap *h, const struct plan *l,
			    struct area matrix)
{
	const struct side rows = raster_labels_rows(p, h, l->cell, l->labels - 8 * p->space);
	for (size_t i = 0; i < rows.n; i++)
		raster_text_label(p, FACE_TEXT, p->theme->ink, 1, matrix.x - 8 * p->space,
				  matrix.y + ((double)rows.at[i] + 0.5) * l->cell, 0, rows.text[i]);
}

static void draw_keys(struct page *p, const struct heatmap *h, const struct plan *l,
		      struct area matrix)
{
	struct grid g = {.at = matrix, .cell_w = l->cell, .cell_h = l->cell};
	g.cols = keys_of(p, h, l);
	raster_heatmap_columns(p, h, &g);
}

/* Returns a colour that is visible on the paper: at least as strong as that of 0.7 of the limit;
 * for zero the ink. */
static uint32_t mark_colour(const struct page *p, const struct heatmap *h, double value)
{
	double lo, hi;
	if (fabs(value) < 1e-12)
		return p->theme->ink;
	scale_limits(&h->scale, &lo, &hi);
	const double least = 0.7 * fmax(fabs(lo), fabs(hi)), size = fmax(fabs(value), least);
	return colormap_rgb(h->colormap, scale_at(&h->scale, value < 0 ? -size : size, NULL));
}

static double x_at(const struct multiples *m, struct area plot, size_t k)
{
	const double first = m->x[0], last = m->x[m->n_x - 1];
	return last > first ? plot.x + (m->x[k] - first) / (last - first) * plot.w
			    : plot.x + plot.w / 2;
}

static double y_at(const struct plan *l, struct area plot, double y)
{
	return plot.y + (l->y1 - y) / (l->y1 - l->y0) * plot.h;
}

static void draw_curve_line(struct page *p, const struct multiples *m, const struct plan *l,
			    const struct multiple *item, struct area plot)
{
	struct path line = path_new(p->arena), most = path_new(p->arena);
	for (size_t k = 0; k < m->n_x; k++)
		if (isfinite(item->curve[k]))
			path_line(&line, x_at(m, plot, k), y_at(l, plot, item->curve[k]));
	raster_stroke_path(p, &line, p->theme->ink, 1, fmax(1, 1.5 * p->space));
	if (item->most >= m->n_x)
		return;
	const double y = item->curve[item->most];
	path_circle(&most, x_at(m, plot, item->most), y_at(l, plot, y), fmax(2.5, 4 * p->space));
	raster_fill_path(p, &most, mark_colour(p, &item->map, y), 1);
}

/* Draws the numbers of the first and the last distance and of zero, if they have room. */
static void draw_x_axis(struct page *p, const struct multiples *m, struct area plot)
{
	static const double aligns[] = {0, 1, 0.5};
	const double y = plot.y + plot.h + 3 * p->space, gap = 6 * p->space;
	double from = plot.x, end = plot.x + plot.w;
	size_t zero = m->n_x - 1;
	for (size_t k = 0; k < m->n_x; k++)
		zero = m->x[k] >= 0 && m->x[k] < 1 ? k : zero;
	const size_t at[] = {0, m->n_x - 1, zero};
	for (size_t i = 0; i < 3; i++) {
		char text[32];
		num_show(text, sizeof text, m->x[at[i]], 6);
		const double w = raster_text_measure(p, FACE_TEXT, text).w;
		const double x = x_at(m, plot, at[i]), left = x - w * aligns[i];
		if (left < from - 0.5 || left + w > end + 0.5)
			continue;
		raster_text_put(p, FACE_TEXT, p->theme->second, aligns[i], x, y, text);
		from = i == 0 ? left + w + gap : from;
		end = i == 1 ? left - gap : end;
	}
}

static void draw_curve(struct page *p, const struct multiples *m, const struct plan *l, size_t i,
		       struct area matrix)
{
	const struct area plot = {matrix.x, matrix.y + matrix.h + round(15 * p->space), matrix.w,
				  round(l->curve)};
	const double zero = y_at(l, plot, 0);
	raster_line(p, plot.x, zero, plot.x + plot.w, zero, 1, p->theme->hair);
	for (size_t k = 0; k < m->n_x; k++)
		if (m->x[k] >= 0 && m->x[k] < 1)
			raster_line(p, x_at(m, plot, k), plot.y, x_at(m, plot, k), plot.y + plot.h,
				    1, p->theme->hair);
	draw_curve_line(p, m, l, &m->items[i], plot);
	draw_x_axis(p, m, plot);
	if (i % l->across != 0 || l->labels <= 0)
		return;
	double ticks[4];
	const size_t n = scale_ticks(l->y0, l->y1, plot.h < 5 * p->line[FACE_TEXT] ? 2 : 4, ticks);
	const char **const texts = scale_tick_labels(p->arena, ticks, n, false);
	/* The numbers of y must be below the last row's label. */
	const double line = p->line[FACE_TEXT];
	const double free = matrix.y + matrix.h + fmax(0, line - l->cell) / 2 + line / 2;
	for (size_t k = 0; k < n; k++)
		if (y_at(l, plot, ticks[k]) >= free)
			raster_text_mid(p, FACE_TEXT, p->theme->second, 1, matrix.x - 8 * p->space,
					y_at(l, plot, ticks[k]), texts[k]);
}

static void draw_facts(struct page *p, const struct multiples *m, const struct plan *l, size_t i,
		       struct area matrix)
{
	const double top = matrix.y + matrix.h + l->curve + l->axis + 4 * p->space;
	for (size_t n = 0; n < l->fact_lines; n++) {
		const char *text = "";
		for (size_t f = l->level == WITH_CURVES ? m->of_curve : 0; f < m->n_facts; f++)
			if (l->fact_line[f] == n)
				text = *text ? arena_printf(p->arena, "%s%s%s", text, between,
							    fact(p, m, i, f))
					     : fact(p, m, i, f);
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, matrix.x,
				top + (double)n * p->line[FACE_TEXT], text);
	}
}

static void draw_item(struct page *p, const struct multiples *m, const struct plan *l, size_t i,
		      struct area matrix)
{
	const struct multiple *const item = &m->items[i];
	const struct grid g = {
		.at = matrix, .cell_w = l->cell, .cell_h = l->cell, .pixel = raster_plan_pixel(p)};
	if (item->map.values.at != NULL) {
		raster_heatmap_cells(p, &item->map, &g);
		raster_pointed_cells(p, &item->map, &g);
	}
	if (l->name > 0)
		draw_name(p, l, item, matrix, i < l->across ? l->keys : 0);
	if (i < l->across && l->keys > 0)
		draw_keys(p, &item->map, l, matrix);
	if (i % l->across == 0 && m->row_names == NULL && l->labels > 0)
		draw_row_labels(p, &item->map, l, matrix);
	if (l->level == WITH_CURVES && item->curve != NULL)
		draw_curve(p, m, l, i, matrix);
	if (l->facts > 0)
		draw_facts(p, m, l, i, matrix);
	for (size_t f = m->of_curve; l->beside > 0 && f < m->n_facts; f++)
		raster_text_put(
			p, FACE_TEXT, p->theme->second, 0, matrix.x + matrix.w + 6 * p->space,
			matrix.y + (double)(f - m->of_curve) * p->line[FACE_TEXT], item->facts[f]);
}

/* Explains the numbers beside the matrices, at the right of the bar. */
static void name_facts(struct page *p, const struct multiples *m, struct area at)
{
	const char *text = NULL;
	for (size_t f = m->of_curve; f < m->n_facts; f++)
		text = arena_printf(p->arena, "%s%s%s",
				    text ? text : "beside each: ", text ? ", " : "", m->facts[f]);
	if (text && raster_text_measure(p, FACE_TEXT, text).w < at.w / 3)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, at.x + at.w,
				at.y + at.h - p->line[FACE_TEXT], text);
}

/* Draws the names of the grid's rows and columns that have room. */
static void draw_tracks(struct page *p, const struct multiples *m, const struct plan *l,
			struct area at)
{
	const double line = p->line[FACE_BOLD];
	for (size_t j = 0; j < m->across; j++) {
		const struct area a = matrix_at(l, at, j);
		if (raster_text_measure(p, FACE_BOLD, m->col_names[j]).w <= a.w)
			raster_text_put(p, FACE_BOLD, p->theme->ink, 0.5, a.x + a.w / 2,
					a.y - line - 2 * p->space, m->col_names[j]);
	}
	for (size_t i = 0; i < m->n / m->across; i++) {
		const struct area a = matrix_at(l, at, i * m->across);
		if (l->labels > 0 && line <= a.h + l->gap_y)
			raster_text_mid(p, FACE_BOLD, p->theme->ink, 1, a.x - 8 * p->space,
					a.y + a.h / 2, m->row_names[i]);
	}
}

/* Draws the bar at the foot of the area, moved to the right by half of its first label. */
static void draw_bar(struct page *p, const struct multiples *m, const struct plan *l,
		     struct area at)
{
	const struct heatmap *const h = &m->items[0].map;
	const bool below = p->bars_below;
	struct grid g = {.at = {at.x, at.y + at.h - l->bar - 8 * p->space, 0, 0}};
	p->bars_below = true;
	g.bar = bar_of(p, m, at.w);
	if (g.bar.n > 1)
		g.at.x += raster_text_measure(p, FACE_TEXT, g.bar.text[0]).w / 2;
	raster_bar_draw(p, h, &g);
	p->bars_below = below;
}

struct size raster_multiples_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel, (void)width;
	return (struct size){200 * p->type, 8 * p->line[FACE_TEXT]};
}

/* Returns the height of all lines of matrices with their other parts. */
static double used_height(const struct multiples *m, const struct plan *l)
{
	const double down = (double)((m->n + l->across - 1) / l->across);
	const double each = l->name + l->matrix.h + l->curve + l->axis + l->facts;
	return l->keys + down * each + (down - 1) * l->gap_y;
}

/* Draws all of them or, if they would be smaller than a pixel, the chosen one. */
static void draw_all(struct page *p, const struct multiples *m, struct area at)
{
	struct area inner = at;
	const double names = p->line[FACE_BOLD] + 4 * p->space;
	const bool named = m->across > 0 && names < at.h / 4;
	if (named) {
		inner.y += names;
		inner.h -= names;
	}
	const struct plan l = plan_of(p, m, inner);
	if (fmin(l.matrix.w, l.matrix.h) < 1 && m->n > 1) {
		struct multiples one = *m;
		one.items += m->chosen < m->n ? m->chosen : 0;
		one.n = 1;
		one.across = 0;
		one.row_names = NULL;
		draw_all(p, &one, at);
		return;
	}
	for (size_t i = 0; i < m->n; i++)
		draw_item(p, m, &l, i, matrix_at(&l, inner, i));
	if (named)
		draw_tracks(p, m, &l, inner);
	if (p->as_needed)
		at.h = fmin(at.h, inner.y - at.y + used_height(m, &l) + 20 * p->space + l.bar);
	if (l.bar > 0)
		draw_bar(p, m, &l, at);
	if (l.beside > 0)
		name_facts(p, m, at);
}

void raster_multiples_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct multiples *const m = &panel->multiples;
	if (m->n == 0 || at.w < 1 || at.h < 1)
		return;
	if (m->items[0].map.values.at == NULL && has_curves(m))
		raster_small_curves(p, m, at);
	else
		draw_all(p, m, at);
}
