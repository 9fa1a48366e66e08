/* pen_columns.c: the values of a row as columns side by side, with the formula of the chosen value.
 *
 * All of them are shown as long as each has a column of its own, with labels if these have room;
 * else those around the chosen one and the largest, with the sum of the others. Heights are
 * relative to the largest. */
#include <math.h>

#include "plot/pen.h"
#include "posviz/base/num.h"

enum { LABEL = 4, PITCH = 12 }; /* columns for a label and the space beside it: least and most */

struct plan {
	const struct pen *pen;
	const struct columns *c;
	size_t *shown, n; /* the shown indices, in order */
	double pitch, bar, most;
	double line;	/* height of the highest label */
	struct area at; /* of the columns */
	bool labels;	/* every column has a label, and its value */
	bool left_out;
};

static bool is_masked(const struct columns *c, size_t i)
{
	return c->masked != NULL && c->masked[i];
}

static double height_of(const struct columns *c, size_t i)
{
	return is_masked(c, i) || !isfinite(c->values[i]) ? 0 : fabs(c->values[i]);
}

/* ---- selection ------------------------------------------------------------------------------- */

static size_t largest(const struct columns *c, const bool *in)
{
	size_t found = c->n;
	for (size_t i = 0; i < c->n; i++)
		if (!in[i] && (found == c->n || height_of(c, i) > height_of(c, found)))
			found = i;
	return found;
}

/* Chooses `room` columns: half of them around the chosen one, the others the largest. */
static void choose(struct plan *p, size_t room)
{
	const struct columns *const c = p->c;
	bool *const in = arena_calloc(p->pen->arena, c->n, sizeof *in);
	const size_t near = room < c->n ? (room + 1) / 2 : c->n;
	const size_t first = pen_window(c->cursor, near, c->n);
	for (size_t i = first; i < first + near; i++)
		in[i] = true;
	for (size_t i = near; i < room && i < c->n; i++)
		in[largest(c, in)] = true;
	p->shown = arena_calloc(p->pen->arena, c->n, sizeof *p->shown);
	for (size_t i = 0; i < c->n; i++)
		if (in[i])
			p->shown[p->n++] = i;
	p->left_out = p->n < c->n;
}

static void plan_cols(struct plan *p)
{
	const struct pen *const pen = p->pen;
	const double em = pen->em, w = fmax(pen->at.w, em);
	const double all = w / (double)p->c->n;
	p->labels = all >= LABEL * em || all < pen->thin;
	choose(p, all >= pen->thin ? p->c->n : (size_t)fmax(1, w / (2 * LABEL * em)));
	p->pitch = pen_whole(pen, fmin(w / (double)p->n, PITCH * em));
	p->pitch = fmax(p->pitch, pen->thin);
	p->line = pen->line;
	for (size_t k = 0; k < p->n; k++)
		p->line = fmax(p->line, pen_measure(pen, p->c->labels[p->shown[k]]).h);
	const double air = p->labels ? fmax(em, pen_whole(pen, p->pitch / 4)) : p->pitch / 4;
	p->bar = fmax(pen->cell, pen_whole(pen, p->pitch - air));
	for (size_t i = 0; i < p->c->n; i++)
		p->most = fmax(p->most, height_of(p->c, i));
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns a value as ".02", or "1": weights are at most 1, and all others begin with a point. */
static const char *value_text(const struct plan *p, size_t i)
{
	const struct columns *const c = p->c;
	char text[32];
	struct arena *const a = p->pen->arena;
	if (is_masked(c, i))
		return pen_dash(p->pen);
	const double v = c->values[i];
	if (v > 0.995 || !(v >= 0))
		return arena_strdup(a, num_show(text, sizeof text, v, 2));
	return arena_printf(a, "%.2f", v) + 1;
}

/* Returns a note with the sum of the columns that are not shown. */
static const char *others(const struct plan *p)
{
	double sum = 0;
	size_t at = 0;
	for (size_t i = 0; i < p->c->n; i++) {
		if (at < p->n && p->shown[at] == i)
			at++;
		else
			sum += is_masked(p->c, i) || !isfinite(p->c->values[i]) ? 0
										: p->c->values[i];
	}
	return arena_printf(p->pen->arena,
			    "%zu of %zu keys: these and the largest; the others sum to %.2f", p->n,
			    p->c->n, sum);
}

/* Writes the formula of the value, at the right; its rank after it or below, depending on the room.
 * Returns the lines used. */
static int draw_formula(const struct plan *p, double y, double lines)
{
	const struct pen *const pen = p->pen;
	const char *const texts[] = {p->c->formula, p->c->rank};
	const double right = pen->at.x + pen->at.w, gap = 2 * pen->em, high = pen->line;
	double w[2] = {0};
	for (size_t i = 0; i < 2; i++)
		w[i] = texts[i] != NULL ? pen_measure(pen, texts[i]).w : 0;
	const bool both = w[0] + w[1] + gap <= pen->at.w;
	if (lines < 1 || w[0] + w[1] <= 0)
		return 0;
	if (both && w[1] > 0)
		pen_text(pen, ROLE_PLAIN, 1, right, y + high / 2, texts[1]);
	if (both && w[0] > 0)
		pen_text(pen, ROLE_STRONG, 1, right - (w[1] > 0 ? w[1] + gap : 0), y + high / 2,
			 texts[0]);
	if (both)
		return 1;
	const size_t first = w[0] > 0 && w[0] <= pen->at.w ? 0 : 1;
	pen_text_fit(pen, ROLE_STRONG, 1, right, y + high / 2, pen->at.w, texts[first]);
	if (first == 1 || lines < 2 || w[1] > pen->at.w)
		return 1;
	pen_text(pen, ROLE_PLAIN, 1, right, y + 1.5 * high, texts[1]);
	return 2;
}

/* ---- columns --------------------------------------------------------------------------------- */

static double left_of(const struct plan *p, size_t k)
{
	return p->at.x + (double)k * p->pitch;
}

static void draw_column(const struct plan *p, size_t k)
{
	const struct pen *const pen = p->pen;
	const size_t i = p->shown[k];
	const double v = height_of(p->c, i), bottom = p->at.y + p->at.h;
	const double h = p->most > 0 ? v / p->most * p->at.h : 0;
	const double x = pen_whole(pen, left_of(p, k) + (p->pitch - p->bar) / 2);
	const struct area at = {x, bottom - h, p->bar, h};
	if (v > 0 && p->c->is_signed) /* the weaker half of each side is hard to tell from 0 */
		pen_block(pen, p->c->colormap, p->c->values[i] < 0 ? 0.15 : 0.85, at);
	else if (v > 0)
		pen_column(pen, p->c->colormap, sqrt(fmin(v, 1)), at);
	else
		pen_text(pen, ROLE_QUIET, 0.5, x + p->bar / 2, bottom - pen->line / 2,
			 is_masked(p->c, i) ? (pen->ascii ? "." : "·") : "");
}

/* Writes the label and value of one column, if they do not touch those in `taken`; for columns that
 * are too narrow to label all. */
static bool draw_alone(const struct plan *p, size_t k, double y, struct area *taken, size_t n)
{
	const struct pen *const pen = p->pen;
	const size_t i = p->shown[k];
	const bool here = i == p->c->cursor;
	const char *const label = pen_fit(pen, ROLE_STRONG, p->c->labels[i], 12 * pen->em);
	const double w = fmax(pen_measure(pen, label).w, 3 * pen->em);
	const double mid = left_of(p, k) + p->pitch / 2;
	const double x =
		fmin(fmax(pen_round(pen, mid - w / 2), pen->at.x), pen->at.x + pen->at.w - w);
	for (size_t j = 0; j < n; j++)
		if (x < taken[j].x + taken[j].w + pen->em && taken[j].x < x + w + pen->em)
			return false;
	taken[n] = (struct area){.x = x, .w = w};
	pen_text(pen, here ? ROLE_CHOSEN : ROLE_PLAIN, 0.5, x + w / 2, y + p->line / 2, label);
	pen_text(pen, here ? ROLE_CHOSEN : ROLE_QUIET, 0.5, x + w / 2, y + p->line + pen->line / 2,
		 value_text(p, i));
	return true;
}

/* Returns whether the columns between x and `end` are low enough for words beside the top of the
 * highest one. */
static bool is_free(const struct plan *p, double x, double end)
{
	if (x < p->pen->at.x || end > p->pen->at.x + p->pen->at.w)
		return false;
	for (size_t k = 0; k < p->n; k++) {
		const double left = left_of(p, k);
		if (left < end && x < left + p->pitch &&
		    height_of(p->c, p->shown[k]) / p->most * p->at.h > p->at.h - p->line)
			return false;
	}
	return true;
}

/* Writes a label beside the top of the highest column, if the place below it is taken. */
static void label_top(const struct plan *p, size_t k)
{
	const struct pen *const pen = p->pen;
	const size_t i = p->shown[k];
	const char *const label = arena_printf(
		pen->arena, "%s %s", pen_fit(pen, ROLE_PLAIN, p->c->labels[i], 12 * pen->em),
		value_text(p, i));
	const double w = pen_measure(pen, label).w, gap = pen->em, y = p->at.y + p->line / 2;
	const double left = left_of(p, k) - gap - w, right = left_of(p, k) + p->pitch + gap;
	if (p->at.h < 2 * p->line)
		return;
	if (is_free(p, right, right + w))
		pen_text(pen, ROLE_PLAIN, 0, pen_whole(pen, right), y, label);
	else if (is_free(p, left, left + w))
		pen_text(pen, ROLE_PLAIN, 0, pen_whole(pen, left), y, label);
}

static size_t shown_at(const struct plan *p, size_t i)
{
	size_t k = 0;
	while (k < p->n && p->shown[k] != i)
		k++;
	return k;
}

/* Labels the chosen column first, then the largest ones that have room. */
static void label_some(const struct plan *p, double y)
{
	enum { SOME = 8 };
	struct area taken[SOME + 1];
	bool *const seen = arena_calloc(p->pen->arena, p->c->n, sizeof *seen);
	size_t n = draw_alone(p, shown_at(p, p->c->cursor), y, taken, 0);
	const bool highest = !(height_of(p->c, p->c->cursor) < p->most);
	seen[p->c->cursor] = true;
	for (size_t tries = 0; tries < 4 * SOME && n < SOME && tries + 1 < p->c->n; tries++) {
		const size_t i = largest(p->c, seen), k = shown_at(p, i);
		seen[i] = true;
		if (k == p->n || !(height_of(p->c, i) > 0))
			continue;
		const bool done = draw_alone(p, k, y, taken, n);
		n += done;
		if (!done && tries == 0 && !highest)
			label_top(p, k);
	}
}

static void label_all(const struct plan *p, double y)
{
	const struct pen *const pen = p->pen;
	const char **const from = arena_calloc(pen->arena, p->n, sizeof *from);
	for (size_t k = 0; k < p->n; k++)
		from[k] = p->c->labels[p->shown[k]];
	const char **const labels = pen_labels(pen, from, p->n, 0, p->pitch - pen->em);
	for (size_t k = 0; k < p->n; k++) {
		const bool here = p->shown[k] == p->c->cursor;
		const double x = left_of(p, k) + p->pitch / 2;
		pen_text(pen, here ? ROLE_CHOSEN : ROLE_PLAIN, 0.5, x, y + p->line / 2, labels[k]);
		pen_text(pen, here ? ROLE_CHOSEN : ROLE_QUIET, 0.5, x, y + p->line + pen->line / 2,
			 value_text(p, p->shown[k]));
	}
}

void pen_columns(const struct pen *pen, const struct columns *c)
{
	struct plan p = {.pen = pen, .c = c, .at = pen->at};
	if (c->n == 0)
		return;
	plan_cols(&p);
	const double line = pen->line, lines = pen->at.h / line;
	const double words = lines >= 3 ? p.line + line : 0;
	const int formula = draw_formula(&p, pen->at.y, lines - 3);
	const bool note = p.left_out && lines >= 6;
	p.at.y += formula * line + (formula > 0 ? pen->air / 2 : 0);
	p.at.h = pen->at.y + pen->at.h - p.at.y - words - note * line;
	if (p.at.h < 0.5 * line)
		return;
	p.at.x += pen_whole(pen, fmax(0, pen->at.w - (double)p.n * p.pitch) / 2);
	p.at.w = (double)p.n * p.pitch;
	for (size_t k = 0; k < p.n; k++) {
		draw_column(&p, k);
		if (k > 0 && p.shown[k] != p.shown[k - 1] + 1) /* some are left out between them */
			pen_zero(pen, left_of(&p, k), p.at.y, p.at.y + p.at.h);
	}
	const double bottom = p.at.y + p.at.h;
	pen_rule(pen, p.at, bottom);
	if (words > 0)
		(p.labels ? label_all : label_some)(&p, bottom);
	if (note)
		pen_text_fit(pen, ROLE_QUIET, 0, pen->at.x, bottom + words + line / 2, pen->at.w,
			     others(&p));
	pen_plot(pen, p.at);
}
