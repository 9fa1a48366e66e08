/* pen_arcs.c: arcs above a row of words, as dependency trees are usually drawn.
 *
 * Three strokes meet a word: the arc from its governor comes down in the middle and ends in an
 * arrow; those to its dependents go up at its left and right. So in a projective tree no two
 * strokes cross. A label is inside its arc, as near to the middle as possible without touching
 * vertical strokes; if the arc is too short for it, the label is above the arc; else it is
 * shortened. On a page, where a stroke visibly continues behind a label, a label of the cursor's
 * path is written across other strokes instead of being shortened. Arcs to words that are left out
 * end at the gap of these words. */
#include <math.h>

#include "plot/pen_structure.h"

enum { LABEL_LEAST = 4 }; /* least ems of a shortened label */

struct label {
	enum role role;
	struct area at;
	const char *text;
};

struct arc_plan {
	const struct structure *s;
	struct word_row w;
	double below;		/* the height of all lines under the arrows */
	size_t lines;		/* the number of lines under the words */
	double top, foot, step; /* y of the root's label and of the arrows; height of a level */
	bool above, said;	/* the root's label has a line; the note about omissions too */
	struct label *labels;
	size_t n_labels;
	bool all; /* all labels are written in full */
};

static bool is_lit(const struct arc_plan *p, const struct arc *x)
{
	return p->s->light.edge[x->edge];
}

static bool is_shown(const struct arc_plan *p, size_t token)
{
	return p->w.visible.slot[token] % 2 == 1;
}

/* Returns the x where an arc meets a token; for an omitted token, at the arc's side of the gap. */
static double meets(const struct arc_plan *p, size_t token, size_t other, bool dependent)
{
	const struct word_row *const w = &p->w;
	const size_t k = w->visible.slot[token] / 2;
	const double em = p->s->pen.em, side = other < token ? -em : em;
	if (is_shown(p, token))
		return w->stem[token] + (dependent ? 0 : side);
	const double x = w->gap[k] + (k > 0 && k < w->visible.n ? side : 0);
	return fmin(fmax(x, w->left + em / 2), w->right - em / 2);
}

/* The horizontal range of an arc, and its height. */
struct span {
	double from, to, lo, hi, y;
};

static struct span span_of(const struct arc_plan *p, const struct arc *x)
{
	const double from = meets(p, x->from, x->to, false), to = meets(p, x->to, x->from, true);
	return (struct span){from, to, fmin(from, to), fmax(from, to),
			     p->foot - (double)x->level * p->step};
}

/* ---- heights --------------------------------------------------------------------------------- */

/* Chooses the lines under the words: one for positions in the sentence, others for numbers if these
 * leave three levels of arcs. */
static void plan_below(struct arc_plan *p)
{
	const struct pen *const pen = &p->s->pen;
	const size_t n = p->s->d->n_below, levels = p->w.arcs.levels;
	const size_t wanted = n + (n > 0 && p->w.title == 0);
	p->below = p->w.high + pen->line + pen->air;
	const double left = (pen->at.h - pen->line - p->below) / pen->line;
	const double most = fmax(0, floor(left) - (double)(levels < 3 ? levels : 3));
	p->lines = 1 + (size_t)fmin((double)wanted, most);
	p->below += (double)(p->lines - 1) * pen->line;
}

static bool is_rest(const struct arc_plan *p)
{
	return p->w.visible.n < p->s->d->n_tokens || p->w.arcs.left_out > 0;
}

/* Computes the heights; false if even the cursor's path is too high. */
static bool plan_heights(struct arc_plan *p)
{
	const struct pen *const pen = &p->s->pen;
	const double line = pen->line, room = pen->at.h - line - p->below;
	const double root = p->s->d->parent != NULL ? line : 0;
	double spare = 0;
	size_t most = 0;
	for (int trip = 0; trip < 2; trip++) {
		most = (size_t)fmax(0, (room - spare) / pen->step);
		p->w.arcs = drawing_arcs(p->s->d, &p->s->light, &p->w.visible, most, pen->arena);
		if (room > 6 * line) /* a line for the note about what is left out */
			spare = is_rest(p) ? root + line : root;
	}
	const double levels = (double)p->w.arcs.levels;
	if (p->w.arcs.levels > most)
		return false;
	spare = is_rest(p) ? root + line : root;
	p->step = fmin(pen_whole(pen, (room - spare) / fmax(levels, 1)), 2 * (line + pen->air));
	p->step = fmax(p->step, fmin(pen->step, room / fmax(levels, 1)));
	p->above = root > 0 && levels * p->step + line <= room;
	/* A label above the highest arc needs a line, as that of a root does. */
	const double used = levels * p->step + line + p->below + p->above * line;
	const double left = pen->at.h - used;
	p->said = is_rest(p) && left >= line;
	p->top = pen->at.y + pen_whole(pen, (left + p->said * line) / 2) + line / 2;
	p->foot = p->top + p->above * line + levels * p->step;
	return true;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* The strokes that a label avoids. */
enum keep_off { ALL_STROKES, THE_PATH, NO_STROKES };

static bool is_within(double x, double lo, double hi)
{
	return x > lo && x < hi;
}

/* Returns whether none of these strokes, except its own arc's, crosses the area. */
static bool is_clear(const struct arc_plan *p, const struct arc *own, struct area a,
		     enum keep_off off)
{
	const double hi = a.x + a.w, bottom = a.y + a.h;
	for (size_t i = 0; off != NO_STROKES && i < p->w.arcs.n; i++) {
		const struct arc *x = &p->w.arcs.at[i];
		const struct span s = span_of(p, x);
		if (x == own || (off == THE_PATH && !is_lit(p, x)))
			continue;
		/* up from the words to the arc's height, and along there */
		if (s.y < bottom && ((is_shown(p, x->from) && is_within(s.from, a.x, hi)) ||
				     (is_shown(p, x->to) && is_within(s.to, a.x, hi))))
			return false;
		if (is_within(s.y, a.y, bottom) && s.lo < hi && s.hi > a.x)
			return false;
	}
	for (size_t k = 0; off == ALL_STROKES && p->above && k < p->w.visible.n; k++) {
		const size_t token = p->w.visible.at[k];
		if (p->w.arcs.root[token] && is_within(p->w.stem[token], a.x, hi))
			return false;
	}
	return true;
}

/* Returns whether the area and the space beside it contain no label. */
static bool is_free(const struct arc_plan *p, struct area a)
{
	const struct area at = p->s->pen.at;
	const double em = p->s->pen.em;
	if (a.x < at.x || a.x + a.w > at.x + at.w || a.y < at.y || a.y + a.h > p->foot)
		return false;
	for (size_t i = 0; i < p->n_labels; i++) {
		const struct area o = p->labels[i].at;
		if (a.x < o.x + o.w + em && o.x < a.x + a.w + em && a.y < o.y + o.h &&
		    o.y < a.y + a.h)
			return false;
	}
	return true;
}

/* Places a label in the line around y, as near to the middle of the arc as strokes and labels
 * permit: `inside` the arc, or else at least above a part of it. False if there is no place. */
static bool place(struct arc_plan *p, const struct arc *x, double y, bool inside, enum keep_off off,
		  const char *text)
{
	const struct pen *const pen = &p->s->pen;
	const struct span s = span_of(p, x);
	const double lo = s.lo + pen->em / 2, hi = s.hi - pen->em / 2, pad = pen->air * 3 / 8;
	const struct size size = pen_measure(pen, text);
	const double width = size.w + 2 * pad, first = lo + pen_whole(pen, (hi - lo - width) / 2);
	for (int i = 0; (i + 1) / 2 * pen->step <= hi - lo + width; i++) {
		const double x0 = first + (i % 2 ? 1 : -1) * ((i + 1) / 2) * pen->step;
		const struct area at = {x0, y - size.h / 2, width, size.h};
		const bool near =
			inside ? x0 >= lo && x0 + width <= hi : x0 < hi && x0 + width > lo;
		if (!near || !is_free(p, at) || !is_clear(p, x, at, off))
			continue;
		const enum role role = is_lit(p, x) ? ROLE_PATH : ROLE_PLAIN;
		p->labels[p->n_labels++] = (struct label){role, at, text};
		return true;
	}
	return false;
}

/* Places the label of an arc; false if it has no room, or had to be shortened. */
static bool place_label(struct arc_plan *p, const struct arc *x)
{
	const struct pen *const pen = &p->s->pen;
	const struct span s = span_of(p, x);
	const char *const text = p->s->d->edges[x->edge].label;
	const double above = s.y - pen->line + pen->air * 5 / 8;
	if (*text == '\0' || place(p, x, s.y, true, ALL_STROKES, text) ||
	    place(p, x, above, false, ALL_STROKES, text) ||
	    (is_lit(p, x) && !(pen->cell > 0) &&
	     (place(p, x, above, false, THE_PATH, text) ||
	      place(p, x, above, false, NO_STROKES, text))))
		return true;
	for (double room = s.hi - s.lo - pen->em; room >= LABEL_LEAST * pen->em; room -= pen->em) {
		const char *const less = pen_fit(pen, ROLE_STRONG, text, room);
		if (pen_measure(pen, less).w < LABEL_LEAST * pen->em)
			break;
		if (place(p, x, s.y, true, ALL_STROKES, less))
			return false;
	}
	return false;
}

/* Places "root" beside the stroke of a root if there is room. */
static void place_root(struct arc_plan *p, size_t token)
{
	const struct pen *const pen = &p->s->pen;
	const struct size size = pen_measure(pen, "root");
	const double stem = p->w.stem[token], gap = 1.5 * pen->em;
	const double places[] = {stem + gap, stem - gap - size.w};
	for (size_t i = 0; i < 2; i++) {
		const struct area at = {places[i], p->top - size.h / 2, size.w, size.h};
		if (!is_free(p, at))
			continue;
		p->labels[p->n_labels++] = (struct label){ROLE_QUIET, at, "root"};
		return;
	}
}

/* Places the note about omitted words and arcs at the right of the first line. */
static void place_rest(struct arc_plan *p)
{
	const struct pen *const pen = &p->s->pen;
	const struct area at = pen->at;
	const size_t n = p->w.visible.n, all = p->s->d->n_tokens, arcs = p->w.arcs.left_out;
	const char *const words =
		n < all ? arena_printf(pen->arena, "%zu of %zu words", n, all) : "";
	const char *const rest =
		arcs > 0 ? arena_printf(pen->arena, "%zu long arcs left out", arcs) : "";
	const char *const text = pen_fit(
		pen, ROLE_QUIET,
		arena_printf(pen->arena, "%s%s%s", words, *words && *rest ? ", " : "", rest), at.w);
	const double width = pen_measure(pen, text).w;
	p->labels[p->n_labels++] =
		(struct label){ROLE_QUIET, {at.x + at.w - width, at.y, width, pen->line}, text};
}

/* Places the labels of roots first, then those of highlighted arcs, then the others, short arcs
 * first. */
static void place_labels(struct arc_plan *p)
{
	p->labels =
		arena_calloc(p->s->pen.arena, p->w.arcs.n + p->w.visible.n + 2, sizeof *p->labels);
	p->all = true;
	if (p->said)
		place_rest(p);
	for (size_t k = 0; k < p->w.visible.n; k++)
		if (p->above && p->w.arcs.root[p->w.visible.at[k]])
			place_root(p, p->w.visible.at[k]);
	for (int lit = 1; lit >= 0; lit--)
		for (size_t k = 0; k < p->w.arcs.n; k++)
			if (is_lit(p, &p->w.arcs.at[k]) == (lit == 1))
				p->all = place_label(p, &p->w.arcs.at[k]) && p->all;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Draws an arc: up from one end, along, and down at the other; open at an end that is not shown. */
static void draw_arc(const struct arc_plan *p, const struct arc *x)
{
	const struct span s = span_of(p, x);
	const double foot = p->foot + p->s->pen.line * 0.49;
	const struct point way[] = {{s.from, foot},
				    {s.from, s.y},
				    {s.to, s.y},
				    {s.to, p->s->d->directed ? p->foot : foot}};
	const size_t first = !is_shown(p, x->from), end = 3 + is_shown(p, x->to);
	pen_stroke(&p->s->pen, way + first, end - first, is_lit(p, x));
}

static void draw_strokes(const struct arc_plan *p, struct pen *pen)
{
	pen_begin(pen, pen->at);
	for (size_t k = 0; k < p->w.visible.n; k++) {
		const double x = p->w.stem[p->w.visible.at[k]];
		const struct point way[] = {{x, p->top}, {x, p->foot}};
		if (p->above && p->w.arcs.root[p->w.visible.at[k]])
			pen_stroke(pen, way, 2, false);
	}
	for (int lit = 0; lit < 2; lit++)
		for (size_t k = 0; k < p->w.arcs.n; k++)
			if (is_lit(p, &p->w.arcs.at[k]) == (lit == 1))
				draw_arc(p, &p->w.arcs.at[k]);
	pen_end(pen);
}

/* Draws arrows at dependents, and a dot at a root. */
static void draw_feet(const struct arc_plan *p)
{
	const struct pen *const pen = &p->s->pen;
	for (int lit = 0; p->s->d->directed && lit < 2; lit++)
		for (size_t k = 0; k < p->w.arcs.n; k++) {
			const struct arc *x = &p->w.arcs.at[k];
			if (is_shown(p, x->to) && is_lit(p, x) == (lit == 1))
				pen_head(pen, p->w.stem[x->to], p->foot, lit == 1);
		}
	for (size_t k = 0; k < p->w.visible.n; k++)
		if (p->w.arcs.root[p->w.visible.at[k]])
			pen_dot(pen, p->w.stem[p->w.visible.at[k]], p->foot);
}

static void draw_labels(const struct arc_plan *p)
{
	for (size_t i = 0; i < p->n_labels; i++) {
		const struct label *const l = &p->labels[i];
		pen_blank(&p->s->pen, l->at);
		pen_text(&p->s->pen, l->role, 0.5, l->at.x + l->at.w / 2, l->at.y + l->at.h / 2,
			 l->text);
	}
}

bool structure_arcs(struct structure *s, bool whole)
{
	const struct pen *const pen = &s->pen;
	struct arc_plan p = {.s = s, .w = {.s = s}};
	if (pen->at.h < 4 * pen->line || pen->at.w < 8 * pen->em || s->d->n_tokens == 0 ||
	    !structure_words(&p.w, whole))
		return false;
	plan_below(&p);
	if (!plan_heights(&p))
		return false;
	place_labels(&p);
	if (whole && (!p.all || p.w.arcs.left_out > 0))
		return false;
	draw_strokes(&p, &s->pen);
	draw_labels(&p);
	draw_feet(&p);
	structure_words_draw(&p.w, p.foot + (pen->line + pen->air) / 2, p.lines);
	return true;
}
