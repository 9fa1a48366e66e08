/* pen_plane_thumbs.c: small pictures of points in a plane. One lies on its point where it lies on no other point and
 * on no other picture; else beside it at the end of a line, or nowhere. Each has its label beside it. Those of the
 * plane's own point, of the cursor's and of the first in order are placed whatever lies under them.
 *
 * Together they take a part of the plane alone, so that where points lie is seen. */
#include <math.h>

#include "plot/canvas_map.h"
#include "plot/canvas_stipple.h"
#include "plot/pen_plane.h"
#include "plot/raster_heatmap.h"

enum { SMALL = 4, LARGE = 6 }; /* columns on cells, and half rows */

static const double most_of_box = 0.3;

static bool has_picture(const struct plane_plan *l, size_t i)
{
	return l->p->thumbs != NULL && l->p->thumbs[i].values.at != NULL;
}

struct size plane_thumb_size(const struct pen *pen, const struct plane *p, struct area at)
{
	if (p->thumbs == NULL)
		return (struct size){0};
	if (pen->page == NULL) {
		/* In shades few values have room, and signs of ASCII show no form. */
		const bool shaded = canvas_shaded(pen->canvas), wide = at.w >= 70 && at.h >= 20;
		const int cols = wide || shaded ? LARGE : SMALL;
		if (pen->canvas->ascii || at.w < 24 || at.h < 8 ||
		    (shaded && (at.w < 50 || at.h < 16)))
			return (struct size){0};
		return (struct size){cols, (double)cols / 2};
	}
	const double side =
		round(fmin(fmax(fmin(at.w, at.h) / 16, 20), 40 * fmax(pen->unit, 0.85)));
	return (struct size){side, side};
}

/* ---- where they go ------------------------------------------------------------------------------- */

struct placing {
	struct plane_plan *l;
	double gap; /* between two */
};

static struct area grown(struct area a, double by, double down)
{
	return (struct area){a.x - by, a.y - down, a.w + 2 * by, a.h + 2 * down};
}

static bool is_in(struct area a, struct point at)
{
	return at.x >= a.x && at.x < a.x + a.w && at.y >= a.y && at.y < a.y + a.h;
}

/* How many other points lie under a picture there; SIZE_MAX: it cannot lie there. */
static size_t hidden(const struct placing *s, size_t own, struct area at)
{
	const struct plane_plan *const l = s->l;
	const bool page = l->pen->page != NULL;
	const struct area wide = page ? grown(at, l->mark, l->mark) : at;
	const struct area apart = grown(at, s->gap, s->gap);
	size_t n = 0;
	if (!plane_inside(at, l->box))
		return SIZE_MAX;
	for (size_t i = 0; i < l->p->n; i++) {
		if ((l->thumb[i].w > 0 && plane_overlap(apart, l->thumb[i])) ||
		    (l->label[i].w > 0 && plane_overlap(at, l->label[i])))
			return SIZE_MAX;
		n += i != own && l->there[i] && !plane_is_covered(l, i) && is_in(wide, l->at[i]);
	}
	return n;
}

/* Place k of a ring so many halves of a picture away from the point; ring 0: on it. */
static struct area place_of(const struct plane_plan *l, size_t i, size_t ring, size_t k)
{
	enum { AROUND = 16 };
	const double turn = 2 * acos(-1) * (double)k / AROUND, far = 0.6 * (double)ring;
	const double x = l->at[i].x + far * l->side.w * cos(turn) - l->side.w / 2;
	const double y = l->at[i].y - far * l->side.h * sin(turn) - l->side.h / 2;
	return (struct area){round(x), round(y), l->side.w, l->side.h};
}

/* With its label, if it has one. */
static bool put(struct plane_plan *l, size_t i, struct area at, bool must)
{
	l->thumb[i] = at;
	if (l->p->at[i].label == NULL || plane_label_put(l, i, must))
		return true;
	l->thumb[i].w = 0;
	return false;
}

/* `must`: where the fewest points lie under it; else only where none does, and not far away. */
static bool place(const struct placing *s, size_t i, bool must)
{
	enum { AROUND = 16, NEAR = 4, FAR = 14 };
	struct plane_plan *const l = s->l;
	struct area best = {0};
	size_t least = SIZE_MAX;
	for (size_t ring = 0; ring < (must ? FAR : NEAR) && least > 0; ring++)
		for (size_t k = 0; k < (ring ? AROUND : 1) && least > 0; k++) {
			const struct area at = place_of(l, i, ring, k);
			/* Beside its point, which is seen then. */
			const bool on = is_in(grown(at, l->mark, l->mark), l->at[i]);
			const size_t n = ring && on ? SIZE_MAX : hidden(s, i, at);
			if (n >= least || (!must && n > 0) || !put(l, i, at, must))
				continue;
			l->thumb[i].w = l->label[i].w = 0;
			least = n;
			best = at;
		}
	return least < SIZE_MAX && put(l, i, best, must);
}

/* The next picture, as long as there is room for more. */
static void place_one(const struct placing *s, size_t i, bool must, double *room)
{
	struct plane_plan *const l = s->l;
	if (i < l->p->n && l->there[i] && has_picture(l, i) && !(l->thumb[i].w > 0) && *room > 0 &&
	    place(s, i, must))
		*room -= l->side.w * l->side.h;
}

void plane_thumbs_place(struct plane_plan *l)
{
	const size_t n = l->p->n;
	const struct placing s = {.l = l,
				  .gap = l->pen->page != NULL ? fmax(3 * l->pen->unit, 4) : 1};
	double room = l->box.w * l->box.h * most_of_box;
	if (!(l->side.w > 0))
		return;
	place_one(&s, l->own, true, &room);
	place_one(&s, l->cursor, true, &room);
	for (size_t k = 0; k < n; k++)
		place_one(&s, l->p->order ? l->p->order[k] : k, k == 0, &room);
}

bool plane_is_covered(const struct plane_plan *l, size_t i)
{
	return l->thumb[i].w > 0 && is_in(l->thumb[i], l->at[i]);
}

/* ---- drawn --------------------------------------------------------------------------------------- */

/* The point of the area that is nearest to `to`. */
static struct point nearest(struct area a, struct point to)
{
	return (struct point){fmin(fmax(to.x, a.x), a.x + a.w), fmin(fmax(to.y, a.y), a.y + a.h)};
}

static void draw_thumb(const struct plane_plan *l, size_t i)
{
	struct page *const p = l->pen->page;
	const struct heatmap *const h = &l->p->thumbs[i];
	const struct area at = l->thumb[i];
	const bool strong = i == l->own || i == l->cursor;
	const uint32_t colour = strong	      ? p->theme->ink
				: l->p->group ? figure_series_colour(l->p->group[i], p->dark)
					      : p->theme->hair;
	const struct grid g = {.at = at,
			       .pixel = raster_plan_pixel(p),
			       .cell_w = at.w / (double)h->values.cols,
			       .cell_h = at.h / (double)h->values.rows};
	raster_rect(p, at, p->theme->paper);
	raster_heatmap_inside(p, h, &g);
	const double width = i == l->own ? 3 : strong ? 2 : 1, out = width / 2;
	struct path frame = path_new(p->arena);
	path_rect(&frame, grown(at, out, out));
	raster_stroke_path(p, &frame, colour, 1, width);
}

/* Means of blocks, masked where all of one is. */
static struct heatmap reduced(const struct heatmap *h, size_t rows, size_t cols, struct arena *a)
{
	struct heatmap out = *h;
	out.values = mat_zero(a, rows, cols);
	uint8_t *const masked = arena_calloc(a, rows * cols + 1, 1);
	for (size_t i = 0; i < rows * cols; i++) {
		const size_t r = i / cols, c = i % cols;
		size_t n = 0;
		for (size_t y = r * h->values.rows / rows; y < (r + 1) * h->values.rows / rows; y++)
			for (size_t x = c * h->values.cols / cols;
			     x < (c + 1) * h->values.cols / cols; x++) {
				const bool there = !h->masked || !h->masked[y * h->values.cols + x];
				out.values.at[i] += there ? mat_row(h->values, y)[x] : 0;
				n += there;
			}
		masked[i] = n == 0;
		out.values.at[i] = n > 0 ? out.values.at[i] / (double)n : 0;
	}
	out.masked = masked;
	out.sums = NULL;
	return out;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A value is a column by half a row, of shades two columns by a row; few values are larger. */
static void write_thumb(const struct plane_plan *l, size_t i)
{
	struct canvas *const c = l->pen->canvas;
	const struct heatmap *const all = &l->p->thumbs[i];
	const size_t cols = (size_t)l->side.w, each = canvas_shaded(c) ? 2 : 1;
	const size_t n_rows = least(all->values.rows, cols / each);
	const size_t n_cols = least(all->values.cols, cols / each);
	const struct heatmap h = reduced(all, n_rows, n_cols, l->pen->arena);
	const int high = (int)(cols / n_rows / each * each), wide = (int)(cols / n_cols);
	const struct rect at = {(int)l->thumb[i].y, (int)l->thumb[i].x,
				((int)n_rows * high + 1) / 2, (int)n_cols * wide};
	const struct heatmap_plan plan = {.view = {.rows = n_rows,
						   .cols = n_cols,
						   .cell_rows2 = high,
						   .cell_cols = wide,
						   .block = 1},
					  .data = at};
	canvas_fill(c, (struct rect){at.row, at.col, (int)l->side.h, (int)l->side.w}, 0,
		    CELL_DEFAULT);
	canvas_heatmap(c, l->pen->arena, at, &h, &plan);
}

static void draw_line(const struct plane_plan *l, const struct stipple *dots, size_t i)
{
	struct page *const p = l->pen->page;
	const struct point from = l->at[i], to = nearest(l->thumb[i], from);
	const struct dot_ink ink = {.rank = 1, .attrs = ATTR_DIM, .sign = '.'};
	if (p != NULL)
		raster_line(p, from.x, from.y, to.x, to.y, 1, p->theme->second);
	else
		stipple_line(dots, &ink, from, to);
}

void plane_thumbs(const struct plane_plan *l)
{
	struct stipple dots = {0};
	if (!(l->side.w > 0))
		return;
	if (l->pen->page == NULL)
		dots = stipple_new(
			l->pen->canvas, l->pen->arena,
			(struct rect){(int)l->box.y, (int)l->box.x, (int)l->box.h, (int)l->box.w});
	for (size_t i = 0; i < l->p->n; i++)
		if (l->thumb[i].w > 0 && !plane_is_covered(l, i))
			draw_line(l, &dots, i);
	if (l->pen->page == NULL)
		stipple_draw(&dots);
	for (size_t i = 0; i < l->p->n; i++)
		if (l->thumb[i].w > 0)
			(l->pen->page != NULL ? draw_thumb : write_thumb)(l, i);
}
