/* pen.c: see pen.h: the functions that call the device of a pen, and those that are the same for
 * all devices. */
#include "plot/pen.h"

#include <glib.h>
#include <math.h>

#include "plot/pen_device.h"

/* ---- text ------------------------------------------------------------------------------------ */

struct size pen_measure(const struct pen *pen, const char *text)
{
	return pen->device->measure(pen, text);
}

const char *pen_fit(const struct pen *pen, enum role role, const char *text, double width)
{
	return pen->device->fit(pen, role, text, width);
}

void pen_text_series(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text)
{
	pen->device->text(pen, role, colour, align, x, y, text);
}

void pen_text_tone(const struct pen *pen, enum role role, const struct colormap *map,
		   enum tone tone, double align, double x, double y, const char *text)
{
	pen->device->text_tone(pen, role, map, tone, align, x, y, text);
}

void pen_text_large(const struct pen *pen, double align, double x, double y, const char *text)
{
	pen->device->text_large(pen, align, x, y, text);
}

void pen_text_turned(const struct pen *pen, enum role role, size_t colour, double x, double y,
		     double angle, const char *text)
{
	if (pen->device->text_turned != NULL)
		pen->device->text_turned(pen, role, colour, x, y, angle, text);
}

double pen_digits(const struct pen *pen, double right, double y, const char *number, bool draw)
{
	return pen->device->digits(pen, right, y, number, draw);
}

void pen_label(const struct pen *pen, enum role role, double align, double x, double y,
	       const char *text)
{
	pen->device->label(pen, role, align, x, y, text);
}

double pen_apart(const struct pen *pen, const char *const *texts, size_t n, size_t step)
{
	return pen->device->apart(pen, texts, n, step);
}

const char **pen_labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			double width)
{
	return pen->device->labels(pen, from, n, first, width);
}

double pen_wrap(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		bool draw)
{
	return pen->device->wrap(pen, at, runs, n, draw);
}

double pen_formula(const struct pen *pen, struct area at, const char *formula, bool draw)
{
	return pen->device->formula(pen, at, formula, draw);
}

const char *pen_formula_words(const struct pen *pen, const char *formula)
{
	return pen->device->formula_words(pen, formula);
}

struct pen pen_sheet(const struct pen *pen)
{
	return pen->device->sheet(pen);
}

void pen_sheet_end(const struct pen *pen, const struct pen *sheet, double used)
{
	if (pen->device->sheet_end != NULL)
		pen->device->sheet_end(pen, sheet, used);
}

void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text)
{
	pen_text_series(pen, role, SIZE_MAX, align, x, y, text);
}

void pen_text_fit(const struct pen *pen, enum role role, double align, double x, double y,
		  double width, const char *text)
{
	pen_text(pen, role, align, x, y, pen_fit(pen, role, text, width));
}

const double pen_angles[] = {[LYING] = 0, [LEANING] = 50 * G_PI / 180, [STANDING] = G_PI / 2};

bool pen_turns(const struct pen *pen)
{
	return pen->device->text_turned != NULL;
}

const char *pen_dash(const struct pen *pen)
{
	return pen->ascii ? "-" : "–";
}

const char *pen_more(const struct pen *pen)
{
	return pen->ascii ? "~" : "…";
}

/* ---- lengths --------------------------------------------------------------------------------- */

double pen_whole(const struct pen *pen, double length)
{
	return pen->cell > 0 ? trunc(length) : length;
}

double pen_round(const struct pen *pen, double length)
{
	return pen->cell > 0 ? round(length) : length;
}

double pen_middle(const struct pen *pen, double x)
{
	return pen->cell > 0 ? ceil(x) - 0.5 : x;
}

double pen_centre(const struct pen *pen, double x)
{
	return pen->cell > 0 ? floor(x) + 0.5 : x;
}

size_t pen_window(size_t at, size_t shown, size_t n)
{
	const size_t half = shown / 2, last = shown < n ? n - shown : 0;
	return at < half ? 0 : at - half < last ? at - half : last;
}

/* ---- strokes and marks ----------------------------------------------------------------------- */

void pen_begin(struct pen *pen, struct area clip)
{
	pen->device->begin(pen, clip);
}

void pen_end(struct pen *pen)
{
	pen->device->end(pen);
}

void pen_stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy)
{
	pen->device->stroke(pen, at, n, heavy);
}

void pen_head(const struct pen *pen, double x, double y, bool heavy)
{
	pen->device->head(pen, x, y, heavy);
}

void pen_dot(const struct pen *pen, double x, double y)
{
	pen->device->dot(pen, x, y);
}

void pen_arrow(const struct pen *pen, double x, double y, double width, const char *label,
	       bool heavy, bool directed)
{
	pen->device->arrow(pen, x, y, width, label, heavy, directed);
}

void pen_group(const struct pen *pen, struct area words, double below, bool turned)
{
	pen->device->group(pen, words, below, turned);
}

void pen_chosen(const struct pen *pen, struct area row)
{
	pen->device->chosen(pen, row);
}

void pen_rule(const struct pen *pen, struct area at, double y)
{
	if (pen->device->rule != NULL)
		pen->device->rule(pen, at, y);
}

void pen_blank(const struct pen *pen, struct area a)
{
	if (pen->device->blank != NULL)
		pen->device->blank(pen, a);
}

void pen_plot(const struct pen *pen, struct area a)
{
	if (pen->device->plot != NULL)
		pen->device->plot(pen, a);
}

/* ---- bars and lines -------------------------------------------------------------------------- */

void pen_bar(const struct pen *pen, double x, double y, double length, double high,
	     enum bar_form form)
{
	pen->device->bar(pen, x, y, length, high, form);
}

void pen_axis(const struct pen *pen, double x, double top, double bottom)
{
	pen->device->axis(pen, x, top, bottom);
}

void pen_level(const struct pen *pen, double y, double left, double right)
{
	if (pen->device->level != NULL)
		pen->device->level(pen, y, left, right);
}

void pen_spot(const struct pen *pen, double x, double y)
{
	pen->device->spot(pen, x, y);
}

void pen_interval(const struct pen *pen, double from, double middle, double to, double y,
		  double high, bool off)
{
	pen->device->interval(pen, from, middle, to, y, high, off);
}

void pen_span(const struct pen *pen, const struct colormap *map, enum tone tone, struct area at)
{
	pen->device->span(pen, map, tone, at);
}

void pen_block(const struct pen *pen, const struct colormap *map, double place, struct area at)
{
	pen->device->block(pen, map, place, at);
}

void pen_column(const struct pen *pen, const struct colormap *map, double strength, struct area at)
{
	/* Weaker colours would be hard to distinguish from the background. */
	pen_block(pen, map, fmax(strength, pen->dark ? 0.5 : 0.6), at);
}

void pen_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x, double y)
{
	pen->device->sign(pen, map, tone, x, y);
}

void pen_zero(const struct pen *pen, double x, double top, double bottom)
{
	pen->device->zero(pen, x, top, bottom);
}

void pen_drop(const struct pen *pen, double x, double top, double bottom)
{
	pen->device->drop(pen, x, top, bottom);
}

void pen_lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
	       size_t n)
{
	pen->device->lines(pen, at, pitch, lines, n);
}
