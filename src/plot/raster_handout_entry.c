/* raster_handout_entry.c: an entry of a hand-out that shares its page with others: its heading, below
 * it words at the left and figures at the right. */
#include <math.h>

#include "plot/raster_handout.h"

/* Sizes relative to the body text. */
static const double heading = 1.15, after = 1.8, between = 1.6;

/* The widths that figures may have, as parts of that of the page: they give way to many words. */
static const double sides[] = {0.6, 0.54, 0.46, 0.4, 0.34};
enum { SIDES = sizeof sides / sizeof *sides, LIST_SIDE = 2, TWO_SIDES = 3 /* for two figures */ };

/* A step that shares its page may have this part of its room, so that a page is filled. */
static const double least = 0.66;

/* The measures of an entry: height of the heading, width and height of the figures, width and height
 * of the words. */
struct measures {
	double head, side, picture, width, words;
};

static double words_width(const struct leaves *l, const struct entry *e, double part)
{
	return e->n > 0 ? (1 - part) * l->in.w - between * l->body : l->in.w;
}

static struct measures measure(struct leaves *l, const struct entry *e)
{
	struct measures m = {
		.head = leaves_text_height(l, FACE_HEAD, heading * l->body, 1e6, "Ag") +
			0.4 * l->body};
	/* Answers have a heading of their own on each page. */
	const double top = l->running ? leaves_running_height(l) : 3 * l->body;
	const double room = (l->bottom_full - l->in.y - top) * e->part;
	size_t i = e->part >= 0.5 ? 0 : e->part > 0 ? 1 : LIST_SIDE;
	m.picture = e->n == 0	  ? 0
		    : e->part > 0 ? floor(room - m.head - after * l->body)
				  : 0.25 * l->in.h;
	while (e->part > 0 && i + 1 < (e->n > 1 ? TWO_SIDES : SIDES) &&
	       words_height(l, e->words, words_width(l, e, sides[i])) > m.picture)
		i++;
	m.side = e->n > 0 ? sides[i] * l->in.w : 0;
	m.width = words_width(l, e, sides[i]);
	m.words = words_height(l, e->words, m.width);
	return m;
}

/* Lowers the figures if the entry has room on the page then; tells if it has. */
static bool fit(const struct leaves *l, const struct entry *e, double y, struct measures *m)
{
	const double room = l->bottom - y - m->head;
	if (e->part > 0 && m->picture > room && least * m->picture <= room)
		m->picture = room;
	return fmax(m->picture, m->words) <= room + 0.5;
}

bool entry_fits(struct leaves *l, const struct entry *e, double above)
{
	struct measures m = measure(l, e);
	return fit(l, e, l->y + above, &m);
}

bool leaves_entry(struct leaves *l, const struct entry *e, struct err *err)
{
	const double size = heading * l->body, top = l->in.y + leaves_running_height(l);
	struct measures m = measure(l, e);
	if (!fit(l, e, l->y, &m) && l->y > top + 4 * l->body)
		leaves_continue(l);
	else if (l->y > top + 4 * l->body && l->draw && !e->headed)
		raster_line(l->p, l->in.x, l->y - 0.9 * l->body, l->in.x + l->in.w,
			    l->y - 0.9 * l->body, 1, l->p->theme->hair);
	l->entry_page = l->page;
	const double wide =
		leaves_line(l, FACE_HEAD, size, l->accent, 0, l->in.x, l->y, l->in.w, e->number) +
		0.6 * size;
	leaves_line(l, FACE_HEAD, size, l->p->theme->ink, 0, l->in.x + wide, l->y, l->in.w - wide,
		    e->title);
	l->y += m.head;
	double taken = 0;
	const struct area at = {l->in.x + l->in.w - m.side, l->y, m.side, m.picture};
	const double end = l->y + m.picture;
	if (e->n > 0 && !leaves_pictures(l, e->ids, e->n, at, &taken, err))
		return false;
	const size_t page = l->page;
	l->column = (struct area){l->in.x, l->y, m.width, 0};
	words_put(l, e->words);
	l->y = (page == l->page ? fmax(l->y, end) : l->y) + after * l->body;
	return true;
}
