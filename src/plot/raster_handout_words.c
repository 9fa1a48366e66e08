/* raster_handout_words.c: the words on the pages of a hand-out: paragraphs, questions, options,
 * lines to write on. */
#include <math.h>

#include "plot/raster_handout.h"

/* Sizes and gaps relative to the body text. */
static const struct look {
	enum face face;
	double size, before;
	bool barred; /* with a bar at its left, which all parts of a question have */
} looks[] = {
	[WORDS_SAY] = {FACE_TEXT, 1, 0.8, false},
	[WORDS_ASK] = {FACE_BOLD, 1, 1.3, true},
	[WORDS_OPTION] = {FACE_TEXT, 1, 0.5, true},
	[WORDS_LINES] = {FACE_TEXT, 1, 0, true},
	[WORDS_ANSWER] = {FACE_BOLD, 1, 0.8, false},
	[WORDS_ASKED] = {FACE_TEXT, 1, 0.6, false},
	[WORDS_LINK] = {FACE_TEXT, 0.82, 0.9, false},
	[WORDS_SOURCE] = {FACE_TEXT, 0.82, 0.8, false},
};

static const double inset = 1.1;   /* indentation of words with a bar */
static const double letters = 1.6; /* width of the letter of an option */
static const double rule = 2.1;	   /* distance between lines to write on */
enum { RULES = 3 };

/* ---- lines and paragraphs --------------------------------------------------------------------------- */

double leaves_text_height(struct leaves *l, enum face face, double size, double width,
			  const char *text)
{
	raster_faces_letters(l->p, face, size);
	return raster_text_wrap(l->p, face, 0, (struct area){.w = width}, false, text);
}

double leaves_text(struct leaves *l, enum face face, double size, uint32_t ink, struct area at,
		   const char *text)
{
	raster_faces_letters(l->p, face, size);
	return raster_text_wrap(l->p, face, ink, at, l->draw, text);
}

double leaves_line(struct leaves *l, enum face face, double size, uint32_t ink, double align,
		   double x, double y, double width, const char *text)
{
	raster_faces_letters(l->p, face, size);
	const char *const shown = raster_text_fit(l->p, face, text, width);
	if (l->draw)
		raster_text_put(l->p, face, ink, align, x, y, shown);
	return raster_text_measure(l->p, face, shown).w;
}

/* ---- a list of paragraphs -------------------------------------------------------------------- */

void words_add(struct leaves *l, struct words_list *list, struct words w)
{
	list->at = arena_grow(l->arena, list->at, list->n, &list->cap, sizeof *list->at);
	list->at[list->n++] = w;
}

/* Returns the width at the left of the text. */
static double indent(const struct leaves *l, const struct words *w)
{
	return l->body * ((looks[w->kind].barred ? inset : 0) + (w->letter ? letters : 0));
}

static double height(struct leaves *l, const struct words *w, double width)
{
	const struct look *const look = &looks[w->kind];
	const double before = look->before * l->body;
	if (w->kind == WORDS_LINES)
		return before + RULES * rule * l->body;
	return before + leaves_text_height(l, look->face, look->size * l->body,
					   width - indent(l, w), w->text);
}

double words_height(struct leaves *l, const struct words_list *list, double width)
{
	double out = 0;
	for (size_t i = 0; i < list->n; i++)
		out += height(l, &list->at[i], width);
	return out;
}

/* Draws the bar at the left; it begins at the paragraph before if that has a bar too. */
static void put_bar(struct leaves *l, const struct words *w, double y, double high, bool first)
{
	const double before = looks[w->kind].before * l->body, wide = 0.2 * l->body;
	const double from = first ? y + before : y;
	if (looks[w->kind].barred)
		raster_rect(l->p, (struct area){l->column.x, from, wide, y + high - from},
			    l->accent);
}

static void put_rules(struct leaves *l, double x, double y, double width)
{
	for (int i = 1; i <= RULES; i++)
		raster_line(l->p, x, y + i * rule * l->body, x + width, y + i * rule * l->body, 1,
			    l->p->theme->axis);
}

static void put(struct leaves *l, const struct words *w, double y)
{
	const struct look *const look = &looks[w->kind];
	const struct theme *const theme = l->p->theme;
	const double size = look->size * l->body, before = look->before * l->body;
	const double left = indent(l, w), x = l->column.x + left;
	const struct area at = {x, y + before, l->column.w - left, 0};
	const bool loud = w->kind == WORDS_LINK;
	if (w->kind == WORDS_LINES) {
		put_rules(l, x, y + before, at.w);
		return;
	}
	if (w->letter) {
		const char text[] = {w->letter, '\0'};
		leaves_line(l, FACE_BOLD, size, l->accent, 0, x - letters * l->body, at.y, at.w,
			    text);
	}
	const double high =
		leaves_text(l, look->face, size,
			    loud						? l->accent
			    : w->kind == WORDS_ASKED || w->kind == WORDS_SOURCE ? theme->second
										: theme->ink,
			    at, w->text);
	if (loud)
		leaves_link(l, (struct area){at.x, at.y, at.w, high}, w->page);
}

void words_put(struct leaves *l, const struct words_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct words *const w = &list->at[i];
		double high = height(l, w, l->column.w);
		bool first = i == 0 || !looks[list->at[i - 1].kind].barred;
		if (l->y + high > l->bottom + 0.5) {
			leaves_continue(l);
			high = height(l, w, l->column.w);
			first = true;
		}
		if (l->draw) {
			put(l, w, l->y - l->saved);
			put_bar(l, w, l->y - l->saved, high, first);
		}
		l->y += high;
	}
}
