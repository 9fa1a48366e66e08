/* pen_dials_text.c: dials as lines, if no circle has room: title, angle, addend and the state
 * before rotation. */
#include <math.h>

#include "plot/pen_dials.h"

enum { COLUMNS = 4 };

static const char *word_of(const struct dials_plan *p, size_t i, size_t column)
{
	const struct dial *const k = &p->d->at[i];
	const char *const title = k->brief_title != NULL ? k->brief_title : k->title;
	const char *const text =
		column == 0   ? title
		: column == 1 ? k->angle
		: column == 2 ? dials_value(p->pen->arena, p->d, k->after, false)
		: isnan(k->before)
			? k->angle_before
			: arena_printf(p->pen->arena, "(%s)",
				       dials_value(p->pen->arena, p->d, k->before, true));
	return text != NULL ? text : "";
}

static void draw_line(const struct dials_plan *p, size_t i, const double *width, double y)
{
	const struct pen *const pen = p->pen;
	const double right = pen->at.x + pen->at.w;
	const bool here = p->d->has_cursor && p->d->cursor == i;
	double x = pen->at.x;
	for (size_t c = 0; c < COLUMNS; c++) {
		const char *const text = word_of(p, i, c);
		if (x + width[c] > right && c > 0)
			return;
		if (c == 0)
			pen_text_fit(pen, here ? ROLE_PATH : ROLE_STRONG, 0, x, y, right - x, text);
		else if (c == 2)
			dials_signed(p, 1, x + width[c], y, p->d->at[i].after);
		else
			pen_text(pen, c == 1 ? ROLE_PLAIN : ROLE_QUIET, 1, x + width[c], y, text);
		x += width[c] + (width[c] > 0 ? 2 * pen->em : 0);
	}
}

void dials_list(struct dials_plan *p, struct area at)
{
	const struct pen *const pen = p->pen;
	const size_t n = p->d->n, room = (size_t)fmax(1, floor(at.h / pen->line));
	const bool cut = n > room && room > 1;
	double width[COLUMNS] = {0};
	p->shown = n > room ? room - cut : n;
	p->first = p->d->has_cursor ? pen_window(p->d->cursor, p->shown, n) : 0;
	for (size_t c = 0; c < COLUMNS; c++)
		for (size_t i = p->first; i < p->first + p->shown; i++)
			width[c] = fmax(width[c], pen_measure(pen, word_of(p, i, c)).w);
	for (size_t k = 0; k < p->shown; k++)
		draw_line(p, p->first + k, width, at.y + ((double)k + 0.5) * pen->line);
	if (cut)
		pen_text_fit(
			pen, ROLE_QUIET, 0, at.x, at.y + ((double)p->shown + 0.5) * pen->line, at.w,
			arena_printf(pen->arena, "%s and %zu more", pen_more(pen), n - p->shown));
}
