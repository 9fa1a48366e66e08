/* raster_handout_pictures.c: the figures of a hand-out, which are made when their page is drawn,
 * and freed after that. */
#include <math.h>

#include "plot/raster_handout.h"
#include "posviz/base/text.h"
#include "posviz/plot/panel.h"

/* Returns the height of the lines below a figure, of which a page of many steps has one. */
static double caption_room(struct leaves *l)
{
	static const double air = 0.2; /* added between lines */
	return ((l->h->per_page > 2 ? 1 : 2) + air) *
		       leaves_text_height(l, FACE_TEXT, l->small, 1e6, "Ag") +
	       0.6 * l->small;
}

/* Puts the line below the figure, shortened to its room. */
static double put_below(struct leaves *l, struct area at, const char *text)
{
	const double room = caption_room(l);
	size_t columns = text_width(text);
	const char *shown = text;
	while (columns > 8 &&
	       leaves_text_height(l, FACE_TEXT, l->small, at.w, shown) + 0.6 * l->small > room) {
		columns = columns * 9 / 10;
		shown = text_shorten(l->arena, text, columns, false);
	}
	at.y += 0.6 * l->small;
	return 0.6 * l->small + leaves_text(l, FACE_TEXT, l->small, l->p->theme->second, at, shown);
}

/* Puts the message that replaces a figure. */
static double put_message(struct leaves *l, struct area at, const char *message)
{
	const double pad = 1.2 * l->body;
	const struct area in = {at.x + pad, at.y + pad, at.w - 2 * pad, 0};
	const char *const says = "The program says";
	const double head = leaves_text_height(l, FACE_TEXT, l->small, in.w, says);
	const double text = leaves_text_height(l, FACE_BOLD, l->body, in.w, message);
	const double gap = 0.4 * l->body, high = 2 * pad + head + gap + text;
	const uint32_t before = l->p->paper;
	raster_rect(l->p, (struct area){at.x, at.y, at.w, high}, l->p->theme->tint);
	l->p->paper = l->p->theme->tint;
	leaves_text(l, FACE_TEXT, l->small, l->p->theme->second, in, says);
	leaves_text(l, FACE_BOLD, l->body, l->p->theme->ink,
		    (struct area){in.x, in.y + head + gap, in.w, 0}, message);
	l->p->paper = before;
	return high;
}

struct made {
	struct arena arena;
	struct handout_figure is;
};

/* Returns the greatest height of a figure: that of its only panel, if the kind has one, else no
 * limit. */
static double most_height(const struct figure *f, double width)
{
	const double tallest = panel_type(&f->panels[0])->tallest;
	return f->n > 1 || !(tallest > 0) ? INFINITY : tallest * width;
}

static bool put_one(struct leaves *l, struct made *m, struct area at, double *high, struct err *err)
{
	double taken;
	at.h -= caption_room(l);
	if (m->is.figure != NULL)
		at.h = fmin(at.h, most_height(m->is.figure, at.w));
	l->p->authored = false;
	if (m->is.figure == NULL)
		taken = put_message(l, at, m->is.message);
	else if (!raster_inset(l->p, m->is.figure, at, l->small, &m->arena, &taken, err))
		return false;
	*high = taken;
	if (m->is.below != NULL)
		*high += put_below(l, (struct area){at.x, at.y + taken, at.w, 0}, m->is.below);
	l->p->authored = true;
	return true;
}

/* Tells if a figure is about as high as wide, and so better beside another one than above it. */
static bool is_square(const struct handout_figure *is)
{
	const struct figure *const f = is->figure;
	return f != NULL && f->n == 1 && panel_type(&f->panels[0])->square;
}

static bool put_all(struct leaves *l, struct made *made, size_t n, struct area at, double *high,
		    struct err *err)
{
	const double gap = 1.6 * l->body;
	/* Pictures one above the other need room for some lines of words besides their drawings. */
	const double stacked = (at.h - gap * (double)(n - 1)) / (double)n - caption_room(l);
	const bool flat = stacked < 14 * l->small;
	bool beside = n > 1;
	for (size_t i = 0; i < n && !l->wide && !flat; i++)
		beside &= is_square(&made[i].is);
	*high = 0;
	for (size_t i = 0; i < n; i++) {
		struct area part = at;
		double taken;
		if (beside) {
			part.w = (at.w - gap * (double)(n - 1)) / (double)n;
			part.x += (double)i * (part.w + gap);
		} else {
			part.h = (at.h - gap * (double)(n - 1)) / (double)n;
			part.y += *high + (i > 0 ? gap : 0);
		}
		if (!put_one(l, &made[i], part, &taken, err))
			return false;
		*high = beside ? fmax(*high, taken) : part.y + taken - at.y;
	}
	return true;
}

bool leaves_pictures(struct leaves *l, const size_t *ids, size_t n, struct area at, double *high,
		     struct err *err)
{
	struct made made[HANDOUT_PICTURES];
	bool good = true;
	size_t begun = 0;
	*high = at.h;
	if (!l->draw || n == 0)
		return true;
	for (; begun < n && good; begun++) {
		arena_init(&made[begun].arena);
		good = l->h->picture(l->h->context, ids[begun], l->p->dark, &made[begun].arena,
				     &made[begun].is, err);
	}
	good = good && put_all(l, made, n, at, high, err);
	for (size_t i = 0; i < begun; i++)
		arena_release(&made[i].arena);
	return good;
}
