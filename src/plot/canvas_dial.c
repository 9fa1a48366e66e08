/* canvas_dial.c: a dial on cells: the hands are lines of dots. If colours do not distinguish the
 * hands, the second is dotted and both have their letter at the tip; in ASCII they consist of their
 * letter. */
#include <math.h>

#include "plot/canvas_pen.h"
#include "plot/canvas_stipple.h"
#include "plot/pen_dials.h"

enum { RANK_RING = 1, RANK_BEFORE, RANK_HAND };
enum { FINE_ROWS = 9 }; /* least rows of a dial that also shows the hands before rotation */

/* Returns the first letter of a hand's name: "q" of "query dog"; the hand's number if both names
 * begin with the same letter, or not with a letter. */
static char letter_of(const struct dials *d, size_t hand)
{
	char first[DIAL_HANDS] = {0};
	for (size_t i = 0; i < dials_hands(d); i++)
		first[i] = d->names[i] != NULL ? d->names[i][0] : '\0';
	const char c = first[hand];
	const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	return letter && first[0] != first[1] ? c : (char)('1' + (int)hand);
}

static bool has_letters(const struct canvas *c)
{
	return canvas_glyphs(c);
}

static struct dot_ink ink_of(const struct canvas *c, const struct dials *d, size_t hand,
			     bool before)
{
	const uint32_t fg = canvas_series(c, hand);
	return (struct dot_ink){.rank = before ? RANK_BEFORE : RANK_HAND,
				.attrs = before ? ATTR_DIM : ATTR_BOLD,
				.fg = fg,
				.sign = before ? ':' : letter_of(d, hand),
				.every = before			       ? 3
					 : hand == 1 && has_letters(c) ? 2
								       : 1};
}

static void write_hand(const struct stipple *s, const struct dials *d, const struct dial *dial,
		       size_t hand, bool before, struct area circle)
{
	const struct dial_hand *const h = &dial->hands[hand];
	const double angle = before ? h->before : h->after;
	struct dot_ink ink = ink_of(s->c, d, hand, before);
	if (s->c->ascii)
		ink.every = 1;
	if (!dial_is_there(h, angle))
		return;
	/* The dots of hands stay inside the ring. */
	const double x = stipple_dot_width(s) / 2, y = stipple_dot_height(s) / 2;
	const struct area in = {circle.x + x, circle.y + y, circle.w - 2 * x, circle.h - 2 * y};
	stipple_line(s, &ink, dial_tip(in, h, angle),
		     (struct point){circle.x + circle.w / 2, circle.y + circle.h / 2});
}

/* Writes letters at the tips; if both tips are in one cell, the letter of the shorter hand moves
 * towards the middle. */
static void write_letters(struct canvas *c, const struct dials *d, const struct dial *dial,
			  const size_t *order, struct area circle)
{
	struct point taken = {-1, -1};
	for (size_t k = 0; k < DIAL_HANDS; k++) {
		const size_t hand = order[k];
		const struct dial_hand *const h = &dial->hands[hand];
		if (hand >= dials_hands(d) || !dial_is_there(h, h->after))
			continue;
		struct dial_hand near = *h;
		struct point tip = dial_tip(circle, &near, near.after);
		tip = (struct point){fmin(floor(tip.x), circle.x + circle.w - 1),
				     fmin(floor(tip.y), circle.y + circle.h - 1)};
		if ((int)tip.x == (int)taken.x && (int)tip.y == (int)taken.y)
			tip.x += tip.x + 0.5 < circle.x + circle.w / 2 ? 1 : -1;
		const char text[] = {letter_of(d, hand), '\0'};
		canvas_put(c, (int)tip.y, (int)tip.x, text, ATTR_BOLD, canvas_series_text(c, hand),
			   CELL_DEFAULT);
		taken = tip;
	}
}

void canvas_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle)
{
	struct canvas *const c = pen->on;
	const bool chosen = dial_is_chosen(d, i), letters = has_letters(c);
	const struct rect r = {(int)circle.y, (int)circle.x, (int)circle.h, (int)circle.w};
	const struct stipple s = stipple_new(c, pen->arena, r);
	const struct dot_ink ring = {.rank = RANK_RING,
				     .attrs = chosen ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM,
				     .sign = chosen ? 'o' : '.'};
	size_t order[DIAL_HANDS];
	dial_order(d, i, order);
	stipple_ring(&s, &ring, circle, chosen ? 1 : circle.h < 7 ? 2 : 3);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < dials_hands(d) && !letters && circle.h >= FINE_ROWS)
			write_hand(&s, d, &d->at[i], order[k], true, circle);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < dials_hands(d))
			write_hand(&s, d, &d->at[i], order[k], false, circle);
	stipple_draw(&s);
	if (letters)
		write_letters(c, d, &d->at[i], order, circle);
}

void canvas_dial_hand(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		      double width)
{
	struct canvas *const c = pen->on;
	const char letter[] = {letter_of(d, hand), '\0'};
	(void)width;
	canvas_put(c, (int)floor(y), (int)x, has_letters(c) ? letter : "━", ATTR_BOLD,
		   canvas_series(c, hand), CELL_DEFAULT);
}
