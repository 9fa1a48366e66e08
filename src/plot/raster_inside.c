/* raster_inside.c: the contents of the cells of a matrix on paper: words, numbers, or nothing in
 * small cells; the same in all of them, so that no number is mistaken for a word. Words may be
 * shortened as long as they stay readable. */
#include "plot/raster_heatmap.h"

#include <math.h>
#include <string.h>

#include "posviz/base/text.h"

enum { WORDS_MOST = 40 }; /* with more rows or columns words have no room */
static const char readable[] = "nnnnnnnnnnnn";

static double air(const struct page *p)
{
	return 4 * p->space;
}

/* Returns the smallest side of a cell with a number. */
static double least_cell(const struct page *p, const struct heatmap *h)
{
	return h->integers ? fmax(14 * p->type, p->line[FACE_TEXT]) : NUMBER_CELL * p->type;
}

static bool has_words(const struct heatmap *h)
{
	return h->words != NULL && h->values.rows <= WORDS_MOST && h->values.cols <= WORDS_MOST;
}

/* Returns the width of the widest words, or of a readable part of them. */
static double words_width(struct page *p, const struct heatmap *h)
{
	size_t most = 0;
	double width = 0;
	for (size_t i = 0; i < h->values.rows * h->values.cols; i++) {
		const size_t columns = h->words[i] != NULL ? text_width(h->words[i]) : 0;
		most = columns > most ? columns : most;
	}
	/* Only words with the most columns are measured, because measuring takes time and others
	 * are hardly wider. */
	const char *last = "";
	for (size_t i = 0; i < h->values.rows * h->values.cols; i++)
		if (h->words[i] != NULL && text_width(h->words[i]) == most &&
		    strcmp(h->words[i], last) != 0) {
			last = h->words[i];
			width = fmax(width, raster_text_measure(p, FACE_TEXT, last).w);
		}
	return fmin(width, raster_text_measure(p, FACE_TEXT, readable).w);
}

static bool words_fit(struct page *p, const struct heatmap *h, double cell_w, double cell_h)
{
	const double room = cell_w - air(p);
	if (!has_words(h) || p->line[FACE_TEXT] > cell_h)
		return false;
	const bool all = room >= raster_text_measure(p, FACE_TEXT, readable).w;
	for (size_t i = 0; !all && i < h->values.rows * h->values.cols; i++)
		if (h->words[i] != NULL && raster_text_measure(p, FACE_TEXT, h->words[i]).w > room)
			return false;
	return true;
}

static const char *digits(struct page *p, const struct heatmap *h, double value)
{
	if (h->integers)
		return arena_printf(p->arena, "%s%.0f", value < 0 ? "\u2212" : "", fabs(value));
	return heatmap_number(p->arena, value, 2, false);
}

static struct size widest_digits(struct page *p, const struct heatmap *h)
{
	const double most = fmax(fabs(h->scale.lo), fabs(h->scale.hi));
	return raster_text_measure(p, FACE_TEXT, digits(p, h, h->scale.lo < 0 ? -most : most));
}

double raster_inside_width(struct page *p, const struct heatmap *h, double room, double height)
{
	const double words = has_words(h) ? ceil(words_width(p, h) + air(p)) : INFINITY;
	const double numbers = h->integers ? ceil(widest_digits(p, h).w + air(p)) : INFINITY;
	if (height < least_cell(p, h))
		return 0;
	return words <= room ? words : numbers <= room ? numbers : 0;
}

/* Tells if every number has air around it in its cell, and if two decimals suit the values. */
static bool digits_fit(struct page *p, const struct heatmap *h, double cell_w, double cell_h)
{
	const double most = fmax(fabs(h->scale.lo), fabs(h->scale.hi));
	if (h->no_digits || fmin(cell_w, cell_h) < least_cell(p, h) ||
	    ((most >= 100 || (most > 0 && most < 0.1)) && !h->integers))
		return false;
	const struct size size = widest_digits(p, h);
	return size.w <= cell_w - air(p) && size.h <= cell_h;
}

enum inside raster_inside_fit(struct page *p, const struct heatmap *h, double cell_w, double cell_h)
{
	return words_fit(p, h, cell_w, cell_h)	  ? INSIDE_WORDS
	       : digits_fit(p, h, cell_w, cell_h) ? INSIDE_NUMBERS
						  : INSIDE_NOTHING;
}

const char *raster_inside_note(struct page *p, const struct heatmap *h, enum inside inside)
{
	if (h->words == NULL)
		return "";
	if (inside == INSIDE_WORDS)
		return arena_printf(p->arena, "words are %s", h->words_are);
	return arena_printf(p->arena, "%s are %s", inside == INSIDE_NUMBERS ? "numbers" : "colours",
			    h->numbers_are);
}

/* Returns the name if it has room, else its sign; "" if that has none either. */
static const char *name_in(struct page *p, const struct heatmap *h, struct area a, double value)
{
	const struct heatmap_name *const name = heatmap_name(h, value);
	const char *const forms[] = {name->name, name->sign};
	for (size_t i = 0; i < 2; i++) {
		const struct size size = raster_text_measure(p, FACE_TEXT, forms[i]);
		if (size.w <= a.w - (i == 0 ? air(p) : 0) && size.h <= a.h)
			return forms[i];
	}
	return "";
}

static const char *text_in(struct page *p, const struct heatmap *h, enum inside inside,
			   struct area a, size_t r, size_t c)
{
	const double value = mat_row(h->values, r)[c];
	switch (raster_plan_cell(h, r, c)) {
	case CELL_NAME:
		return name_in(p, h, a, value);
	case CELL_ALARM: {
		const struct size size = raster_text_measure(p, FACE_BOLD, "!");
		return size.w <= a.w && size.h <= a.h ? "!" : "";
	}
	case CELL_MASKED:
		return "";
	case CELL_VALUE:
		break;
	}
	if (inside == INSIDE_NUMBERS)
		return digits(p, h, value);
	const char *const words = inside == INSIDE_WORDS ? h->words[r * h->values.cols + c] : NULL;
	return words != NULL ? raster_text_fit(p, FACE_TEXT, words, a.w - air(p)) : "";
}

/* Returns a larger face for a few large cells, which are meant to be seen from afar. */
static enum face number_face(const struct page *p, const struct grid *g)
{
	const double cell = fmin(g->cell_w, g->cell_h) / p->space;
	return cell >= 180 ? FACE_TITLE : cell >= 100 ? FACE_HEAD : FACE_TEXT;
}

void raster_inside_draw(struct page *p, const struct heatmap *h, const struct grid *g,
			enum inside inside)
{
	/* Cells of this size have no text, so a large matrix need not be searched for it. */
	if (inside == INSIDE_NOTHING && fmin(g->cell_w, g->cell_h) < 4)
		return;
	const enum face face = inside == INSIDE_NUMBERS ? number_face(p, g) : FACE_TEXT;
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const struct area a = raster_plan_area(g, h, r, c);
			const char *const text = text_in(p, h, inside, a, r, c);
			if (text[0] == '\0')
				continue;
			const enum cell_state state = raster_plan_cell(h, r, c);
			p->paper = raster_shade(p, raster_plan_colour(p, h, r, c));
			raster_text_mid(p,
					state == CELL_ALARM   ? FACE_BOLD
					: state == CELL_VALUE ? face
							      : FACE_TEXT,
					colour_ink(p->paper), 0.5, a.x + a.w / 2, a.y + a.h / 2,
					text);
		}
	}
	p->paper = p->theme->paper;
}
