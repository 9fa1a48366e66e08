/* raster_labels.c: where labels of arcs stand on paper.
 *
 * In its arc, as near to the middle as nothing else is; where the arc is too short for it, above
 * it. The labels of the cursor's path may stand on strokes, at first on those that are not of it;
 * of the others what has no room above is shortened, or left out. */
#include "plot/raster_arcs.h"

#include <math.h>
#include <string.h>

bool bow_take(const struct bow *b, struct area a)
{
	struct plate *t = b->t;
	const double hair = 0.5;
	if (a.x < t->at.x || a.x + a.w > t->at.x + t->at.w || a.y < t->at.y - hair)
		return false;
	for (size_t i = 0; i < t->n_taken; i++) {
		const struct area o = t->taken[i];
		if (a.x < o.x + o.w && o.x < a.x + a.w && a.y < o.y + o.h && o.y < a.y + a.h)
			return false;
	}
	t->taken[t->n_taken++] = a;
	return true;
}

static bool is_within(double x, double lo, double hi)
{
	return x > lo && x < hi;
}

/* Which strokes a label keeps off. */
enum keep_off { ALL_STROKES, THE_PATH, NO_STROKES };

/* Whether none of these strokes but its own arc's goes through the area. */
static bool is_clear(const struct bow *b, const struct arc *own, struct area a, enum keep_off off)
{
	const double hi = a.x + a.w, bottom = a.y + a.h;
	for (size_t i = 0; off != NO_STROKES && i < b->arcs.n; i++) {
		const struct arc *x = &b->arcs.at[i];
		const double from = bow_meets(b, x->from, x->to, false);
		const double to = bow_meets(b, x->to, x->from, true), y = bow_height(b, x->level);
		if (x == own || (off == THE_PATH && !b->t->light.edge[x->edge]))
			continue;
		/* Up from the words to its height, and along there. */
		if (y < bottom && ((bow_shows(b, x->from) && is_within(from, a.x, hi)) ||
				   (bow_shows(b, x->to) && is_within(to, a.x, hi))))
			return false;
		if (is_within(y, a.y, bottom) && fmin(from, to) < hi && fmax(from, to) > a.x)
			return false;
	}
	for (size_t k = 0; off == ALL_STROKES && k < b->sight.n; k++)
		if (b->arcs.root[b->sight.at[k]] && is_within(bow_stem(b, b->sight.at[k]), a.x, hi))
			return false;
	return true;
}

/* As near to the middle of [lo, hi] as it is clear and free, at most `reach` away from it. */
static bool place(struct bow *b, const struct arc *x, double lo, double hi, double y, double reach,
		  enum keep_off off, const char *text)
{
	struct page *p = b->t->p;
	const bool lit = b->t->light.edge[x->edge];
	const struct size size = raster_text_measure(p, lit ? FACE_BOLD : FACE_TEXT, text);
	const double half = size.w / 2 + 3 * p->space, step = 4 * p->space;
	for (int i = 0; ceil(i / 2.0) * step <= reach; i++) {
		const double mid = (lo + hi) / 2 + (i % 2 ? 1 : -1) * ceil(i / 2.0) * step;
		const struct area a = {mid - half, y - size.h / 2, 2 * half, size.h};
		if (a.y + a.h > b->foot || !is_clear(b, x, a, off) || !bow_take(b, a))
			continue;
		b->labels[b->n_labels++] = (struct arc_label){text, mid, y, lit};
		return true;
	}
	return false;
}

static void label_arc(struct bow *b, const struct arc *x)
{
	struct page *p = b->t->p;
	const bool lit = b->t->light.edge[x->edge];
	const enum face face = lit ? FACE_BOLD : FACE_TEXT;
	const char *text = b->t->d->edges[x->edge].label;
	const double from = bow_meets(b, x->from, x->to, false);
	const double to = bow_meets(b, x->to, x->from, true), y = bow_height(b, x->level);
	const double lo = fmin(from, to), hi = fmax(from, to), room = hi - lo - 6 * p->space;
	const struct size size = raster_text_measure(p, face, text);
	const double inside = (room - size.w) / 2, above = y - size.h / 2 - 3 * p->space;
	const double over = (hi - lo) / 2, beside = (hi - lo + size.w) / 2;
	if (text[0] == '\0' || place(b, x, lo, hi, y, inside, ALL_STROKES, text) ||
	    place(b, x, lo, hi, above, over, ALL_STROKES, text) ||
	    (lit && (place(b, x, lo, hi, above, beside, THE_PATH, text) ||
		     place(b, x, lo, hi, above, beside, NO_STROKES, text))))
		return;
	b->n_short++;
	/* Less than this says nothing. */
	if (room < 30 * p->type || size.w <= room)
		return;
	text = raster_text_fit(p, face, text, room);
	place(b, x, lo, hi, y, (room - raster_text_measure(p, face, text).w) / 2, ALL_STROKES,
	      text);
}

static void label_root(struct bow *b, size_t token)
{
	struct page *p = b->t->p;
	const struct size size = raster_text_measure(p, FACE_TEXT, "root");
	const double x = bow_stem(b, token), half = size.w / 2;
	const double lo = b->t->at.x + half, hi = b->t->at.x + b->t->at.w - half;
	const double mid = fmin(fmax(x, lo), hi); /* at the edge beside its stroke */
	if (bow_take(b, (struct area){mid - half, b->top, 2 * half, size.h}))
		b->labels[b->n_labels++] =
			(struct arc_label){"root", mid, b->top + size.h / 2, false};
}

void bow_label(struct bow *b)
{
	struct page *p = b->t->p;
	b->labels = arena_calloc(p->arena, b->arcs.n + b->sight.n + 1, sizeof *b->labels);
	b->n_labels = b->n_short = 0;
	for (size_t k = 0; k < b->sight.n; k++)
		if (b->arcs.root[b->sight.at[k]])
			label_root(b, b->sight.at[k]);
	for (int lit = 1; lit >= 0; lit--)
		for (size_t i = 0; i < b->arcs.n; i++)
			if (b->t->light.edge[b->arcs.at[i].edge] == (lit == 1))
				label_arc(b, &b->arcs.at[i]);
}
