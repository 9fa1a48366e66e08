/* raster_links.c: how tokens moved, on paper: two rows of words and curves between them.
 *
 * Both rows stand at the same pitch, so that a token that stayed has an upright hairline; a moved
 * one has a heavy curve and a bold word. Words lie, lean or stand, as the labels of a matrix do;
 * where not every word has room the cursor's and those that moved come first, and beyond 64 tokens
 * numbers take their place. */
#include "plot/raster_in.h"

#include <math.h>
#include <string.h>

enum { WORDS_MOST = 64 };

struct web {
	const struct links *l;
	size_t n; /* places of the longer row */
	bool words;
	double pitch, left, top, height; /* of the lines */
	struct side above, below;
	double title_w;
};

static const char *given(const char *text)
{
	return text != NULL ? text : "";
}

static const struct link *link_at(const struct links *l, bool below, size_t i)
{
	for (size_t k = 0; k < l->n; k++)
		if ((below ? l->links[k].to : l->links[k].from) == i)
			return &l->links[k];
	return NULL;
}

static bool is_here(const struct links *l, const struct link *k)
{
	return l->has_cursor && k->to == l->cursor;
}

/* Moved tokens take the colours of the series in turn. */
static uint32_t colour_of(const struct page *p, const struct links *l, const struct link *k)
{
	size_t before = 0;
	for (const struct link *at = l->links; at < k; at++)
		before += at->strong;
	return k->strong ? figure_series_colour(before, p->dark) : p->theme->axis;
}

/* Whether place i may be labelled when no label stands within `step` of it. */
static bool is_free(const bool *taken, size_t n, size_t i, size_t step)
{
	for (size_t k = i >= step ? i - step + 1 : 0; k < n && k < i + step; k++)
		if (taken[k])
			return false;
	return true;
}

/* Which places of a row are labelled, at least `step` apart: the cursor's, those of moved tokens,
 * the rest. */
static struct side choose(struct page *p, const struct web *w, bool below, size_t step)
{
	const size_t n = below ? w->l->n_below : w->l->n_above;
	bool *taken = arena_calloc(p->arena, n + 1, sizeof *taken);
	struct side s = {.at = arena_calloc(p->arena, n + 1, sizeof *s.at)};
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < n; i++) {
			const struct link *k = link_at(w->l, below, i);
			const int mine = k == NULL ? 2 : is_here(w->l, k) ? 0 : k->strong ? 1 : 2;
			if (mine == turn && is_free(taken, n, i, step))
				taken[i] = true;
		}
	for (size_t i = 0; i < n; i++)
		if (taken[i])
			s.at[s.n++] = i;
	return s;
}

/* Shortened words; a token has one name in both rows, with its place as written when it needs one. */
static const char **words_of(struct page *p, const struct links *l, bool below, double length,
			     struct size *most)
{
	/* Moved tokens are bold: every word must fit when it is. */
	const char **above = raster_text_labels(p, FACE_BOLD, l->above, l->n_above, length, most);
	if (!below)
		return above;
	struct size other;
	const char **text = raster_text_labels(p, FACE_BOLD, l->below, l->n_below, length, &other);
	for (size_t k = 0; k < l->n; k++)
		if (strcmp(l->above[l->links[k].from], l->below[l->links[k].to]) == 0)
			text[l->links[k].to] = above[l->links[k].from];
	*most = (struct size){fmax(most->w, other.w), fmax(most->h, other.h)};
	return text;
}

static struct side word_side(struct page *p, const struct web *w, bool below, double length)
{
	struct size most;
	const char **words = words_of(p, w->l, below, length, &most);
	size_t step = raster_side_step(p->line[FACE_BOLD], w->pitch);
	struct side s = {0};
	for (int trip = 0; trip < 2; trip++) {
		s = choose(p, w, below, step);
		s.text = arena_calloc(p->arena, s.n + 1, sizeof *s.text);
		for (size_t i = 0; i < s.n; i++)
			s.text[i] = words[s.at[i]];
		s.most = most;
		if (s.most.h <= w->pitch * (double)step)
			break;
		step = raster_side_step(s.most.h, w->pitch); /* writing higher than Latin */
	}
	s.angle = raster_side_angle(p, &s, w->pitch, step, w->n);
	return s;
}

static struct side number_side(struct page *p, const struct web *w, bool below)
{
	const struct heatmap ruler = {.values = {.cols = below ? w->l->n_below : w->l->n_above}};
	return raster_side_cols(p, &ruler, w->pitch, 0);
}

static double height_of(const struct page *p, const struct side *s)
{
	return s->n > 0 ? raster_side_height(p, s) : 0;
}

/* Room for titles, words and lines: the pitch depends on how far words lean out at the right. */
static struct web solve(struct page *p, const struct links *l, struct area at)
{
	struct web w = {.l = l, .n = l->n_above > l->n_below ? l->n_above : l->n_below};
	w.words = w.n <= WORDS_MOST;
	w.title_w = fmax(raster_text_measure(p, FACE_TEXT, given(l->above_title)).w,
			 raster_text_measure(p, FACE_TEXT, given(l->below_title)).w);
	w.title_w = fmin(w.title_w, at.w * 0.25);
	const double gap = w.title_w > 0 ? 24 * p->space : 0, room = at.w - w.title_w - gap;
	double over = 0;
	for (int trip = 0; trip < 3; trip++) {
		/* A word that lies needs its width; more room than that would part what belongs
		 * together. */
		w.pitch = fmax(fmin((room - over) / (double)w.n, 136 * p->space), LEAST_PITCH);
		/* Turned words bound each other's height, lying ones each other's width. */
		const double length = fmax(at.h * 0.28, w.pitch - 8 * p->space);
		w.above = w.words ? word_side(p, &w, false, length) : number_side(p, &w, false);
		w.below = w.words ? word_side(p, &w, true, length) : number_side(p, &w, true);
		w.above.angle = w.below.angle = fmax(w.above.angle, w.below.angle);
		const double reach = fmax(raster_side_overhang(p, &w.above, w.n, w.pitch),
					  raster_side_overhang(p, &w.below, w.n, w.pitch));
		if (reach <= over)
			break;
		over = reach + 2;
	}
	w.left = at.x + w.title_w + gap;
	w.top = round(at.y + height_of(p, &w.above));
	w.height = at.h - (w.top - at.y) - height_of(p, &w.below) - 2;
	w.height = floor(fmax(8, fmin(w.height, 260 * p->space)));
	return w;
}

static double place(const struct web *w, size_t i)
{
	return w->left + ((double)i + 0.5) * w->pitch;
}

static void draw_line(struct page *p, const struct web *w, const struct link *k)
{
	const bool here = is_here(w->l, k);
	const double a = place(w, k->from), b = place(w, k->to), mid = w->top + w->height / 2;
	const double crowd = fmin(1, w->pitch / (14 * p->space));
	const double thick = k->strong ? fmax(1, 2.4 * p->space * crowd) : 1;
	raster_colour(p, colour_of(p, w->l, k), 1);
	cairo_set_line_width(p->cr, here ? thick + 2 * p->space : thick);
	cairo_move_to(p->cr, a, w->top);
	cairo_curve_to(p->cr, a, mid, b, mid, b, w->top + w->height);
	cairo_stroke(p->cr);
	if (!k->strong && !here)
		return;
	const double dot = fmin(w->pitch / 2, (here ? 5 : 3.5) * p->space);
	cairo_new_path(p->cr);
	cairo_arc(p->cr, a, w->top, dot, 0, 2 * G_PI);
	cairo_new_sub_path(p->cr);
	cairo_arc(p->cr, b, w->top + w->height, dot, 0, 2 * G_PI);
	cairo_fill(p->cr);
}

/* Quiet ones first, the cursor's last: what matters lies on top. */
static void draw_lines(struct page *p, const struct web *w)
{
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < w->l->n; i++) {
			const struct link *k = &w->l->links[i];
			const int mine = is_here(w->l, k) ? 2 : k->strong ? 1 : 0;
			if (mine == turn)
				draw_line(p, w, k);
		}
}

static void draw_words(struct page *p, const struct web *w, bool below)
{
	const struct side *s = below ? &w->below : &w->above;
	const double edge = below ? w->top + w->height : w->top, way = below ? 1 : -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct link *k = w->words ? link_at(w->l, below, s->at[i]) : NULL;
		const bool marked = k != NULL && (k->strong || is_here(w->l, k));
		const enum face face = marked ? FACE_BOLD : FACE_TEXT;
		const uint32_t ink = k != NULL && k->strong
					     ? raster_text_ink(p, colour_of(p, w->l, k))
					     : p->theme->second;
		const double x = place(w, s->at[i]), gap = 7 * p->space;
		if (!w->words)
			raster_line(p, x, edge, x, edge + way * 4 * p->space, 1, p->theme->axis);
		if (s->angle == 0) {
			const double y = below ? edge + gap : edge - gap - s->most.h;
			raster_text_put(p, face, ink, 0.5, x, y, s->text[i]);
			continue;
		}
		/* The leaning line's near corner stands a little off the curve's end. */
		const double lift = s->most.h / 2 * cos(s->angle) + gap - 2 * p->space;
		raster_text_turned(p, face, ink, x, edge + way * lift, way * s->angle, s->text[i]);
	}
}

static void draw_title(struct page *p, const struct web *w, double x, double y, const char *title)
{
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, y,
			raster_text_fit(p, FACE_TEXT, title, w->title_w));
}

struct size raster_links_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel;
	(void)width;
	return (struct size){240 * p->type, 8 * p->line[FACE_TEXT]};
}

void raster_links_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct links *l = &panel->links;
	if (l->n_above == 0 && l->n_below == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "no tokens");
		return;
	}
	const struct web w = solve(p, l, at);
	raster_plot(p, (struct area){w.left, w.top, w.pitch * (double)w.n, w.height});
	draw_lines(p, &w);
	draw_words(p, &w, false);
	draw_words(p, &w, true);
	const double gap = 7 * p->space;
	draw_title(p, &w, at.x, w.top - gap - p->line[FACE_TEXT], given(l->above_title));
	draw_title(p, &w, at.x, w.top + w.height + gap, given(l->below_title));
}
