/* pen_dial.c: the directions of a dial's hands, and the names of the hands. */
#include <math.h>

#include "plot/pen_device.h"
#include "plot/pen_dials.h"

size_t dials_hands(const struct dials *d)
{
	return d->names[1] != NULL ? 2 : 1;
}

bool dial_is_there(const struct dial_hand *h, double angle)
{
	return isfinite(angle) && isfinite(h->length) && h->length > 0;
}

struct point dial_tip(struct area circle, const struct dial_hand *h, double angle)
{
	const double length = fmin(h->length, 1) / 2;
	return (struct point){circle.x + circle.w / 2 + length * circle.w * cos(angle),
			      circle.y + circle.h / 2 - length * circle.h * sin(angle)};
}

bool dial_is_chosen(const struct dials *d, size_t i)
{
	return d->has_cursor && d->cursor == i;
}

/* Orders the hands from the longer to the shorter one, which is then visible if it is on the
 * other. */
void dial_order(const struct dials *d, size_t i, size_t *order)
{
	const struct dial_hand *const h = d->at[i].hands;
	const bool second = dials_hands(d) > 1 && h[1].length > h[0].length;
	order[0] = second;
	order[1] = !second;
}

void pen_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle)
{
	pen->device->dial(pen, d, i, circle);
	pen_plot(pen, circle);
}

/* ---- names of hands -------------------------------------------------------------------------- */

/* Gets the names in a form in which all of them have room: whole, brief, or shortened. Returns
 * their width. */
static double fit_names(const struct pen *pen, const struct dials *d, double width, double each,
			const char **names)
{
	const double hands = (double)dials_hands(d);
	double all = 0;
	for (int form = 0; form < 3 && (form == 0 || all > width); form++) {
		all = 0;
		for (size_t i = 0; i < dials_hands(d); i++) {
			names[i] = form == 0 ? d->names[i] : d->brief_names[i];
			if (names[i] == NULL)
				continue;
			if (form == 2)
				names[i] = pen_fit(pen, ROLE_STRONG, names[i],
						   pen_whole(pen, width / hands - each));
			all += each + pen_measure(pen, names[i]).w;
		}
	}
	return all;
}

double pen_dial_names(const struct pen *pen, const struct dials *d, double x, double y,
		      double width)
{
	const bool fine = !(pen->cell > 0);
	const double own = fine ? 3 * pen->em : 1, gap = fine ? 0.8 * pen->em : 1;
	const double each = own + gap + (fine ? 3 : 2) * pen->em;
	const char *names[DIAL_HANDS];
	const double all = fit_names(pen, d, width, each, names);
	for (size_t i = 0; i < dials_hands(d); i++) {
		if (names[i] == NULL || *names[i] == '\0')
			continue;
		pen->device->hand(pen, d, i, x, y, own);
		pen_text_series(pen, ROLE_STRONG, i, 0, x + own + gap, y, names[i]);
		x += each + pen_measure(pen, names[i]).w;
	}
	return all;
}
