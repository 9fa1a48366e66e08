/* pen_dials.c: dials side by side, each with its words above it and its angle and addend below.
 *
 * If there is little room, first the sentence is dropped, then the bars, the state before rotation,
 * the notes; then the last dials. If no circle has room, dials are lines of words. Cells use the
 * number of rows at which circles are largest; a page too, but it uses fewer rows if more would not
 * make circles much larger. */
#include <math.h>
#include <string.h>

#include "plot/pen_dials.h"

/* The size of a circle: on cells its rows; on a page its diameter in ems, and the ems of a
 * column. */
enum { LEAST_ROWS = 5, MOST_ROWS = 20, LEAST_EMS = 6, MOST_EMS = 30, LEAST_PITCH = 10 };
/* Lines of the bars of a row of dials, with the numbers above and below. */
enum { LEAST_BARS = 5, MOST_BARS = 18 };

/* The parts that each form keeps. */
static const struct form {
	bool about, bars, before, notes;
} forms[] = {{true, true, true, true},
	     {false, true, true, true},
	     {false, false, true, true},
	     {false, false, false, true},
	     {false, false, false, false}};
enum { FORMS = sizeof forms / sizeof *forms, PARTS = 3 };

/* Returns whether each text has a line of its own and addends are bars: on a page. On cells texts
 * share lines, and addends are numbers. */
static bool is_stacked(const struct dials_plan *p)
{
	return !(p->pen->cell > 0);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns "+0.35"; `brief`: "+.35". */
static const char *value_of(const struct dials_plan *p, double value, bool brief)
{
	return dials_value(p->pen->arena, p->d, value, brief);
}

static const char *or_none(const char *text)
{
	return text != NULL ? text : "";
}

static const char *title_of(const struct dials_plan *p, size_t i)
{
	const struct dial *const k = &p->d->at[i];
	const char *const brief = k->brief_title != NULL ? k->brief_title : k->title;
	return or_none(p->whole_titles && k->title != NULL ? k->title : brief);
}

static const char *note_of(const struct dials_plan *p, size_t i)
{
	const struct dial *const k = &p->d->at[i];
	const char *const brief = k->brief_note != NULL ? k->brief_note : k->note;
	return p->notes == 0 ? "" : or_none(p->notes == 2 && k->note != NULL ? k->note : brief);
}

/* Returns the state before rotation: the addend, in brackets because it is in the line of the
 * angle, or without addends the angle. */
static const char *before_of(const struct dials_plan *p, size_t i)
{
	const struct dial *const k = &p->d->at[i];
	if (!p->before)
		return "";
	if (isnan(k->after))
		return or_none(k->angle_before);
	return isnan(k->before) ? ""
				: arena_printf(p->pen->arena, "(%s)", value_of(p, k->before, true));
}

static double width_of(const struct dials_plan *p, const char *text)
{
	return pen_measure(p->pen, text).w;
}

/* Returns a part of the line below a circle on cells: angle, addend, or the state before. */
static const char *part_of(const struct dials_plan *p, size_t i, size_t part)
{
	const struct dial *const k = &p->d->at[i];
	return part == 0   ? or_none(k->angle)
	       : part == 1 ? value_of(p, k->after, false)
			   : before_of(p, i);
}

static double below_width(const struct dials_plan *p)
{
	double all = -1;
	for (size_t n = 0; n < PARTS; n++)
		all += p->part[n] > 0 ? 1 + p->part[n] : 0;
	return all;
}

/* Measures the words. On cells title and note share a line; on a page each has its own, and so has
 * each text below the circle. */
static void measure_words(struct dials_plan *p)
{
	p->words = 0;
	memset(p->part, 0, sizeof p->part);
	for (size_t i = 0; i < p->d->n; i++) {
		const double title = width_of(p, title_of(p, i)), note = width_of(p, note_of(p, i));
		for (size_t n = 0; n < PARTS; n++)
			p->part[n] = fmax(p->part[n], width_of(p, part_of(p, i, n)));
		const double angle = p->before ? width_of(p, or_none(p->d->at[i].angle_before)) : 0;
		p->words = fmax(p->words, is_stacked(p) ? fmax(fmax(title, note), angle)
							: title + (note > 0 ? 1 + note : 0));
	}
}

static double widest(struct dials_plan *p)
{
	measure_words(p);
	return is_stacked(p) ? fmax(p->words, fmax(1.3 * p->part[0], p->part[1]))
			     : fmax(p->words, below_width(p));
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Computes the heights of words and bars in this form. */
static void measure(struct dials_plan *p, const struct form *form)
{
	const double line = p->pen->line;
	p->about = form->about && p->d->about != NULL;
	p->bars = form->bars && p->addends && is_stacked(p);
	p->before = form->before;
	p->notes = form->notes ? 1 : 0;
	p->whole_titles = false;
	p->gap = is_stacked(p) ? 6 * p->pen->unit : 0;
	p->parted = is_stacked(p) && p->addends && !p->bars;
	p->wide = widest(p);
	if (!is_stacked(p)) {
		p->above = p->below = 1;
		p->high = 0;
		return;
	}
	p->above = line * (form->notes ? 2 : 1) + p->gap;
	p->below = 1.5 * line + (form->before ? line : 0) + (p->parted ? line : 0) + p->gap;
	p->high = p->bars ? LEAST_BARS * line + 2 * p->gap : p->gap;
}

/* Returns the height of the lines above and below all dials: the names of the hands, the sum, the
 * sentence. */
static double lines_around(struct dials_plan *p, double h, bool more)
{
	const struct pen *const pen = p->pen;
	const double line = pen->line, room = h / line;
	const bool names = p->d->names[0] != NULL && room >= LEAST_ROWS + 3;
	const bool title = p->bars && p->d->value_title != NULL;
	p->top = names ? line + 2 * p->gap : 0;
	double below = p->d->sum != NULL && room >= LEAST_ROWS + 5 ? line + p->gap : 0;
	if (p->about) {
		const struct text_run run = {ROLE_PLAIN, p->d->about, false};
		below += pen_wrap(pen, pen->at, &run, 1, false) + p->gap;
	}
	return p->top + below + (more ? line : 0) + (title ? line : 0);
}

static double least_size(const struct dials_plan *p)
{
	return is_stacked(p) ? LEAST_EMS * p->pen->em : 2 * LEAST_ROWS;
}

/* Returns the height of a circle of so many columns or units. */
static double tall(const struct dials_plan *p, double size)
{
	return is_stacked(p) ? size : size / 2;
}

/* Returns the size of circles if n dials are in `cols` columns; it may be less than least_size(),
 * which means that they have no room. */
static double size_in(const struct dials_plan *p, struct area at, size_t n, size_t cols)
{
	const double rows = (double)((n + cols - 1) / cols);
	const double pitch = pen_whole(p->pen, at.w / (double)cols);
	const double high = pen_whole(p->pen, at.h / rows) - p->above - p->below - p->high;
	const double gap = is_stacked(p) ? fmax(1.4 * p->pen->em, pitch / 6) : 2;
	const double most = is_stacked(p) ? MOST_EMS * p->pen->em : 2 * MOST_ROWS;
	const double size = fmin(fmin(pitch - gap, is_stacked(p) ? high : 2 * high), most);
	return is_stacked(p) ? size : 2 * floor(size / 2);
}

/* Places n dials in `at`; false if some have no room. */
static bool place(struct dials_plan *p, struct area at, size_t n)
{
	static const double larger = 1.35;
	const double em = p->pen->em, gap = is_stacked(p) ? em : 1;
	const double least =
		fmax(p->wide + gap, is_stacked(p) ? LEAST_PITCH * em : least_size(p) + 1);
	const size_t room = (size_t)fmin(floor((at.w + gap) / least), (double)n);
	p->size = 0;
	for (size_t cols = room; cols >= 1; cols--) {
		const size_t rows = (n + cols - 1) / cols, even = (n + rows - 1) / rows;
		const double size = size_in(p, at, n, even);
		if (size < least_size(p) || size <= p->size * (is_stacked(p) ? larger : 1))
			continue;
		p->size = size;
		p->cols = even;
		p->rows = rows;
	}
	p->shown = n;
	return p->size > 0;
}

/* Places as many dials as have room; those around the cursor if it is not among the first. */
static bool place_some(struct dials_plan *p, struct area at)
{
	size_t n = p->d->n;
	while (n > 0 && !place(p, at, n))
		n--;
	p->first = p->d->has_cursor && p->d->cursor >= n ? pen_window(p->d->cursor, n, p->d->n) : 0;
	return n > 0;
}

/* Returns the area that is left for the dials. */
static struct area rest_of(struct dials_plan *p, struct area all)
{
	const double around = lines_around(p, all.h, false);
	return (struct area){all.x, all.y + p->top, all.w, all.h - around};
}

/* Returns the size of circles on cells without the sentence, at most LARGE: the sentence may only
 * make larger circles smaller. */
static double size_without(struct dials_plan *p, struct area all)
{
	enum { LARGE = 16 };
	measure(p, &forms[1]);
	return place(p, rest_of(p, all), p->d->n) ? fmin(p->size, LARGE) : 0;
}

/* Chooses the richest form in which all dials have room, else shows only some. `at`: the area of
 * the dials alone. */
static bool plan(struct dials_plan *p, struct area *at)
{
	const struct area all = *at;
	for (size_t k = 0; k < FORMS; k++) {
		const double size = k == 0 && !is_stacked(p) ? size_without(p, all) : 0;
		measure(p, &forms[k]);
		*at = rest_of(p, all);
		if (place(p, *at, p->d->n) && p->size >= size)
			return true;
	}
	at->h -= p->pen->line;
	return place_some(p, *at);
}

/* Gives the remaining width to words: on cells to the state before rotation, to notes if there are
 * any, to whole titles. */
static void widen_words(struct dials_plan *p, double w)
{
	static const struct {
		bool before, whole;
		int notes;
	} tries[] = {{true, true, 2},  {true, false, 2},  {true, true, 1}, {true, false, 1},
		     {false, true, 1}, {false, false, 1}, {true, true, 0}, {true, false, 0},
		     {false, true, 0}, {false, false, 0}};
	const double gap = is_stacked(p) ? p->pen->em : 2;
	const double most = is_stacked(p) ? 2.2 * p->size : fmax(2 * p->size, p->size + 14);
	const bool before = p->before, notes = p->notes > 0;
	p->pitch = pen_whole(p->pen, w / (double)p->cols);
	for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
		if (is_stacked(p) && (tries[k].before != before || (tries[k].notes > 0) != notes))
			continue;
		p->before = tries[k].before;
		p->whole_titles = tries[k].whole;
		p->notes = tries[k].notes;
		if (widest(p) + (k == 3 ? 1 : gap) <= p->pitch)
			break;
	}
	p->pitch = pen_whole(p->pen, fmin(p->pitch, fmax(most, widest(p) + gap)));
}

/* ---- drawing --------------------------------------------------------------------------------- */

void dials_signed(const struct dials_plan *p, double align, double x, double y, double value)
{
	const char *const text = value_of(p, value, false);
	const bool nothing = *text == '0'; /* a zero without sign has no colour */
	pen_text_tone(p->pen, ROLE_STRONG, nothing ? NULL : p->d->colormap,
		      value < 0 ? TONE_MINUS : TONE_PLUS, align, x, y, text);
}

static enum role title_role(const struct dials_plan *p, size_t i)
{
	return p->d->has_cursor && p->d->cursor == i ? ROLE_PATH : ROLE_STRONG;
}

/* Writes title and note at both ends of a line, equally in all columns; the numbers below the
 * circle are aligned between dials. */
static void write_words(const struct dials_plan *p, size_t i, struct area at, struct area circle)
{
	const struct pen *const pen = p->pen;
	const char *const title = title_of(p, i), *const note = note_of(p, i);
	const double own = fmin(fmax(p->words, circle.w), at.w - 1);
	const double from = at.x + floor((at.w - own) / 2), y = at.y + 0.5;
	pen_text_fit(pen, title_role(p, i), *note != '\0' ? 0 : 0.5,
		     *note != '\0' ? from : circle.x + circle.w / 2, y, at.w - 1, title);
	pen_text(pen, ROLE_QUIET, 1, from + own, y, note);
	double x = circle.x + floor((circle.w - below_width(p)) / 2);
	x = fmax(at.x, fmin(x, at.x + at.w - below_width(p)));
	for (size_t n = 0; n < PARTS; n++) {
		const char *const text = part_of(p, i, n);
		const double line = circle.y + circle.h + 0.5;
		x += p->part[n];
		if (n == 1)
			dials_signed(p, 1, x, line, p->d->at[i].after);
		else
			pen_text(pen, n == 0 ? ROLE_STRONG : ROLE_QUIET, 1, x, line, text);
		x += p->part[n] > 0;
	}
}

static void draw_words(const struct dials_plan *p, size_t i, struct area at, struct area circle)
{
	const struct pen *const pen = p->pen;
	const struct dial *const k = &p->d->at[i];
	const double line = pen->line, x = at.x + at.w / 2;
	double y = at.y + line / 2;
	pen_text_fit(pen, title_role(p, i), 0.5, x, y, at.w, title_of(p, i));
	pen_text_fit(pen, ROLE_QUIET, 0.5, x, y + line, at.w, note_of(p, i));
	y = circle.y + circle.h + p->gap + 0.7 * line;
	pen_text_large(pen, 0.5, x, y, or_none(k->angle));
	y += 1.2 * line;
	if (p->before) {
		pen_text_fit(pen, ROLE_QUIET, 0.5, x, y, at.w, or_none(k->angle_before));
		y += line;
	}
	if (p->parted)
		dials_signed(p, 0.5, x, y, k->after);
}

static void draw_one(const struct dials_plan *p, size_t i, struct area at)
{
	const double w = p->size, h = tall(p, w);
	const struct area circle = {at.x + pen_whole(p->pen, (at.w - w) / 2), at.y + p->above, w,
				    h};
	pen_dial(p->pen, p->d, i, circle);
	(is_stacked(p) ? draw_words : write_words)(p, i, at, circle);
}

/* Returns the height of a row of dials, without the space between rows. */
static double row_height(const struct dials_plan *p)
{
	return p->above + tall(p, p->size) + p->below + p->high;
}

/* Draws the shown dials; returns the y where they end. */
static double draw_all(struct dials_plan *p, struct area at)
{
	const struct pen *const pen = p->pen;
	const double line = pen->line, rows = (double)p->rows;
	const double title = p->bars && p->d->value_title != NULL ? line : 0;
	double spare = (at.h - rows * row_height(p)) / rows;
	if (is_stacked(p)) { /* first some space between the parts */
		const double air = fmax(0, fmin(spare / 4, 7 * pen->unit));
		p->gap += air;
		p->above += air;
		p->below += air;
		p->high += 2 * air;
		spare -= 4 * air;
	}
	if (p->bars) {
		const double more = fmax(0, fmin(spare, (MOST_BARS - LEAST_BARS) * line));
		p->high += more;
		spare -= more;
	}
	const double air =
		is_stacked(p) ? fmin(fmax(spare, 0), 1.5 * line) : floor(fmin(fmax(spare, 0), 1));
	const double x = at.x + pen_whole(pen, (at.w - (double)p->cols * p->pitch) / 2);
	double y = at.y;
	for (size_t from = 0; from < p->shown; from += p->cols) {
		const size_t n = p->shown - from < p->cols ? p->shown - from : p->cols;
		for (size_t k = 0; k < n; k++)
			draw_one(p, p->first + from + k,
				 (struct area){x + (double)k * p->pitch, y, p->pitch,
					       row_height(p) - p->high});
		if (p->bars) {
			const double top = y + row_height(p) - p->high + (from == 0 ? title : 0);
			if (from == 0 && title > 0)
				pen_text_fit(pen, ROLE_QUIET, 0, at.x, top + p->gap - line / 2,
					     at.w, p->d->value_title);
			dials_bars(p, p->first + from, n,
				   (struct area){x, top + p->gap, (double)p->cols * p->pitch,
						 p->high - 2 * p->gap});
			y += from == 0 ? title : 0;
		}
		y += row_height(p) + (from + p->cols < p->shown ? air : 0);
	}
	return y;
}

/* Writes "… and 24 more", or which dials are shown; returns the height. */
static double draw_more(const struct dials_plan *p, double x, double y)
{
	const struct pen *const pen = p->pen;
	const size_t n = p->d->n - p->shown;
	if (n == 0)
		return 0;
	pen_text_fit(pen, ROLE_QUIET, 0, x, y + pen->line / 2, pen->at.w,
		     p->first == 0 ? arena_printf(pen->arena, "%s and %zu more", pen_more(pen), n)
				   : arena_printf(pen->arena, "%zu to %zu of %zu", p->first + 1,
						  p->first + p->shown, p->d->n));
	return pen->line;
}

/* Writes sum and sentence, in one line if both have room there. */
static void draw_end(const struct dials_plan *p, double y, double bottom)
{
	const struct pen *const pen = p->pen;
	const struct area at = pen->at;
	const double line = pen->line;
	double x = at.x;
	if (p->d->sum != NULL && y + line <= bottom + 0.5) {
		const char *const sum = pen_fit(pen, ROLE_STRONG, p->d->sum, at.w);
		pen_text(pen, ROLE_STRONG, 0, x, y + line / 2, sum);
		x += width_of(p, sum) + 3 * pen->em;
		y += line;
	}
	if (p->d->about == NULL)
		return;
	const double own = width_of(p, p->d->about);
	const struct text_run run = {ROLE_PLAIN, p->d->about, false};
	if (x > at.x && own <= at.x + at.w - x) {
		pen_text(pen, ROLE_PLAIN, 0, x, y - line / 2, p->d->about);
		return;
	}
	y += p->gap;
	if (y + pen_wrap(pen, at, &run, 1, false) <= bottom + 0.5)
		pen_wrap(pen, (struct area){at.x, y, at.w, bottom - y}, &run, 1, true);
}

/* Writes the names of the hands at the left, and at the right the meaning of the numbers below the
 * dials. */
static void draw_names(const struct dials_plan *p)
{
	const struct pen *const pen = p->pen;
	const struct area at = pen->at;
	const double y = at.y + pen->line / 2, used = pen_dial_names(pen, p->d, at.x, y, at.w);
	const char *const what = p->d->value_title;
	const char *const before = p->part[2] > 0 && !is_stacked(p) ? "(before)" : "";
	const char *const says[] = {
		what != NULL ? arena_printf(pen->arena, "%s %s", what, before) : before, before};
	for (size_t i = 0; i < 2 && p->addends && !p->bars; i++)
		if (used + 2 * pen->em + width_of(p, says[i]) <= at.w) {
			pen_text(pen, ROLE_QUIET, 1, at.x + at.w, y, says[i]);
			return;
		}
}

void pen_dials(const struct pen *pen, const struct dials *d)
{
	struct dials_plan p = {.pen = pen, .d = d};
	struct area at = pen->at;
	if (d->n == 0)
		return;
	p.addends = dials_have_addends(d);
	if (!plan(&p, &at)) {
		dials_list(&p, pen->at);
		return;
	}
	widen_words(&p, at.w);
	if (p.top > 0)
		draw_names(&p);
	double y = draw_all(&p, at);
	y += draw_more(&p, at.x, y);
	draw_end(&p, y + p.gap, pen->at.y + pen->at.h);
}

/* Returns the height of all dials with circles of size `large`, in this form. */
static double height_of(struct dials_plan *p, const struct form *form, double large)
{
	static const double enough = 1e4;
	const double em = p->pen->em, n = (double)p->d->n;
	measure(p, form);
	const double around = lines_around(p, enough, false), w = fmax(p->pen->at.w, 1);
	const double pitch = fmax(large + 2 * em, p->wide + em);
	const double cols = fmin(n, fmax(1, floor(w / pitch)));
	p->size = fmin(large, fmax(least_size(p), w / cols - 2 * em));
	return ceil(around + ceil(n / cols) * row_height(p));
}

/* Large circles with all words are preferred if the panel is not higher than wide, else smaller
 * ones, then forms with fewer parts. */
double pen_dials_wish(const struct pen *pen, const struct dials *d)
{
	static const double sizes[] = {14, 10, 7};
	struct dials_plan p = {.pen = pen, .d = d};
	const double cells = 16.0 / 14;
	double high = pen->line;
	if (d->n == 0)
		return high;
	p.addends = dials_have_addends(d);
	for (size_t i = 0; i < FORMS; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			high = height_of(&p, &forms[i],
					 sizes[k] * (is_stacked(&p) ? pen->em : cells));
			if (!is_stacked(&p) || high <= pen->at.w)
				return high;
		}
	return high;
}
