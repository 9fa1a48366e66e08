/* pen_plane.c: points in a plane: a box with numbers at its axes, with the same scale along both;
 * if one axis is longer than needed, its range is extended at both ends. A cell is twice as high as
 * wide. Axes of different things have scales of their own. */
#include <math.h>

#include "plot/pen_device.h"
#include "posviz/plot/scale.h"

enum { TICKS = 8 };

static bool says(const char *text)
{
	return text != NULL && *text != '\0';
}

struct ticks {
	double at[TICKS];
	size_t n;
	const char **text;
};

double plane_part(const struct plane_plan *l, size_t i)
{
	return l->last > l->first ? (double)(i - l->first) / (double)(l->last - l->first) : 1;
}

bool plane_is_strong(const struct plane_plan *l, size_t i)
{
	return i == l->first || i == l->last || i == l->cursor || i == l->own;
}

/* Returns whether a point is finite and not too large: differences and squares of its values are
 * then finite. */
static bool is_there(const struct plane_point *at)
{
	static const double most = 1e150;
	return fabs(at->x) <= most && fabs(at->y) <= most;
}

static bool is_in_window(const struct plane *p, const struct plane_point *at)
{
	const double *const w = p->window;
	return !w || (at->x >= w[0] && at->x <= w[1] && at->y >= w[2] && at->y <= w[3]);
}

/* Finds the points that can be drawn, and the range of their values; false if there are none. */
static bool find_points(struct plane_plan *l, struct point *lo, struct point *hi)
{
	const struct plane *const p = l->p;
	l->first = l->last = l->cursor = l->own = SIZE_MAX;
	*lo = (struct point){INFINITY, INFINITY};
	*hi = (struct point){-INFINITY, -INFINITY};
	for (size_t i = 0; i < p->n; i++) {
		l->there[i] = is_there(&p->at[i]) && is_in_window(p, &p->at[i]);
		if (!l->there[i])
			continue;
		l->shown++;
		*lo = (struct point){fmin(lo->x, p->at[i].x), fmin(lo->y, p->at[i].y)};
		*hi = (struct point){fmax(hi->x, p->at[i].x), fmax(hi->y, p->at[i].y)};
		if (p->joined && l->first == SIZE_MAX)
			l->first = i;
		if (p->joined)
			l->last = i;
	}
	if (p->window && l->shown > 0) {
		*lo = (struct point){p->window[0], p->window[2]};
		*hi = (struct point){p->window[1], p->window[3]};
	}
	if (p->has_cursor && p->cursor < p->n && l->there[p->cursor])
		l->cursor = p->cursor;
	if (p->has_own && p->own < p->n && l->there[p->own])
		l->own = p->own;
	return l->shown > 0;
}

/* Returns the length of a range; of equal values that of a range as large as them, or 1. */
static double range_of(double lo, double hi)
{
	const double size = fmax(fabs(lo), fabs(hi));
	return hi - lo > 1e-12 * size ? hi - lo : size > 0 ? size : 1;
}

/* Computes the unit at which the box has room for all points with their marks. Points with equal
 * values get a range as large as the values, or 1. */
static void fit(struct plane_plan *l, struct point lo, struct point hi)
{
	const double aspect = l->pen->aspect;
	const double air = fmax(l->look.around, l->side.w / 2 + l->look.thumb_around);
	const double w = fmax(l->box.w - 2 * air, 1);
	const double h = aspect * fmax(l->box.h - 2 * air / aspect, 0.5);
	const double size = fmax(fmax(fabs(lo.x), fabs(hi.x)), fmax(fabs(lo.y), fabs(hi.y)));
	double dx = hi.x - lo.x, dy = hi.y - lo.y;
	if (l->p->apart) {
		dx = range_of(lo.x, hi.x);
		dy = range_of(lo.y, hi.y);
	} else if (fmax(dx, dy) <= 1e-12 * size || fmax(dx, dy) <= 0) {
		dx = dy = size > 0 ? size : 1;
	}
	l->unit = dx > 0 ? w / dx : INFINITY;
	l->unit_y = dy > 0 ? h / dy : INFINITY;
	if (!l->p->apart)
		l->unit = l->unit_y = fmin(l->unit, l->unit_y);
	l->x = (lo.x + hi.x) / 2;
	l->y = (lo.y + hi.y) / 2;
}

/* Returns the nearest multiple of a millionth, nearly: the outermost points are at edges of cells, where the last bit of
 * a value would else choose the cell. */
static double snap(double at)
{
	return round(at * 0x1p20) * 0x1p-20;
}

static struct point place_of(const struct plane_plan *l, double x, double y)
{
	return (struct point){
		snap(l->box.x + l->box.w / 2 + (x - l->x) * l->unit),
		snap(l->box.y + l->box.h / 2 - (y - l->y) * l->unit_y / l->pen->aspect)};
}

static void place_points(struct plane_plan *l)
{
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i])
			l->at[i] = place_of(l, l->p->at[i].x, l->p->at[i].y);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static struct ticks ticks_of(const struct plane_plan *l, double middle, double half, size_t most)
{
	struct ticks t;
	most = most < 3 ? 3 : most > TICKS ? TICKS : most;
	t.n = scale_ticks(middle - half, middle + half, most, t.at);
	t.n = t.n < 2 ? 0 : t.n; /* a single tick shows no scale */
	t.text = scale_tick_labels(l->pen->arena, t.at, t.n, false);
	return t;
}

static struct ticks ticks_x(const struct plane_plan *l)
{
	return ticks_of(l, l->x, l->box.w / 2 / l->unit, (size_t)(l->box.w / (10 * l->pen->em)));
}

static struct ticks ticks_y(const struct plane_plan *l)
{
	return ticks_of(l, l->y, l->pen->aspect * l->box.h / 2 / l->unit_y,
			(size_t)(l->box.h / (3 * l->pen->line)));
}

static double widest(const struct plane_plan *l, const struct ticks *t)
{
	double most = 0;
	for (size_t i = 0; i < t->n; i++)
		most = fmax(most, pen_measure(l->pen, t->text[i]).w);
	return most;
}

/* The places of numbers and titles around the box; parts that are false or 0 have no room. */
struct frame {
	double line, gap;
	bool y_title, x_text, x_title; /* x_title: in a line of its own */
	double about;		       /* lines of the sentence above; 0: none */
	double legend;		       /* lines of the names of groups; 0: none, or beside */
	double beside;		       /* width of these names in the line of the y title */
	double left;		       /* width of the numbers, with their gap */
};

/* Writes the numbers of x, the outermost first, separate from each other. */
static void draw_x(const struct plane_plan *l, const struct frame *f, const struct ticks *t,
		   double end)
{
	const double y = l->box.y + l->box.h + f->gap + f->line / 2, right = l->box.x + l->box.w;
	double taken[TICKS][2];
	size_t n = 0;
	for (size_t k = 0; k < t->n; k++) {
		const size_t i = k == 0 ? 0 : k == 1 ? t->n - 1 : k - 1;
		const double w = pen_measure(l->pen, t->text[i]).w;
		const double at = place_of(l, t->at[i], 0).x;
		const double middle = pen_centre(l->pen, at);
		const double x = pen_whole(
			l->pen, fmin(fmax(middle - w / 2, l->box.x - f->gap / 2), right - w));
		bool room = x + w <= end;
		for (size_t o = 0; o < n && room; o++)
			room = x >= taken[o][1] + 2 * l->pen->em ||
			       x + w + 2 * l->pen->em <= taken[o][0];
		if (!room)
			continue;
		pen_text(l->pen, ROLE_QUIET, 0, x, y, t->text[i]);
		taken[n][0] = x;
		taken[n++][1] = x + w;
	}
}

static void draw_y(const struct plane_plan *l, const struct frame *f, const struct ticks *t)
{
	double last = INFINITY;
	for (size_t i = 0; i < t->n && f->left > 0; i++) {
		const double at = place_of(l, 0, t->at[i]).y;
		const double y = pen_centre(l->pen, fmin(at, l->box.y + l->box.h - l->pen->cell));
		if (y + f->line > last)
			continue;
		pen_text(l->pen, ROLE_QUIET, 1, l->box.x - f->gap - l->pen->cell, y, t->text[i]);
		last = y;
	}
}

/* Returns the sentence above the plane, with that on pictures if these are shown. */
static const char *about_of(const struct plane_plan *l)
{
	const struct plane *const p = l->p;
	if (!says(p->about))
		return "";
	if (l->side.w > 0 && says(p->about_thumbs))
		return arena_printf(l->pen->arena, "%s %s", p->about, p->about_thumbs);
	return says(p->about_brief) && pen_measure(l->pen, p->about).w > l->pen->at.w
		       ? p->about_brief
		       : p->about;
}

/* Returns the title of an axis, in brief if it has no room. */
static const char *title_of(const struct plane_plan *l, const char *title, const char *brief,
			    double room)
{
	return says(brief) && pen_measure(l->pen, title).w > room ? brief : title;
}

static void draw_titles(const struct plane_plan *l, const struct frame *f)
{
	const struct area at = l->pen->at;
	const double right = l->box.x + l->box.w;
	const double end = at.x + at.w, top = at.y + f->about * f->line;
	/* A box in the middle of a wide area leaves the lines above their planned width. */
	const double title = f->y_title ? pen_measure(l->pen, l->p->y_title).w : 0;
	const double most = end - f->beside - 2 * l->pen->em - title;
	const double left = f->beside > 0 ? fmin(l->box.x - f->left, most) : l->box.x - f->left;
	const struct text_run run = {ROLE_PLAIN, about_of(l), false};
	if (f->about > 0)
		pen_wrap(l->pen, (struct area){at.x, at.y, at.w, top - at.y}, &run, 1, true);
	/* Groups whose points are gathered at marks of others have no name, so that lines may be left. */
	const double legend =
		f->legend > 0 ? plane_legend(l, (struct area){at.x, top, at.w, 0}, true).h : 0;
	if (f->y_title)
		pen_text_fit(l->pen, ROLE_QUIET, 0, left, top + (legend + 0.5) * f->line,
			     right - left, title_of(l, l->p->y_title, l->p->y_brief, right - left));
	if (f->beside > 0)
		plane_legend(l, (struct area){end - f->beside, top, f->beside, 0}, true);
	if (f->x_title)
		pen_text(l->pen, ROLE_QUIET, 1, right,
			 l->box.y + l->box.h + (f->x_text ? f->line + f->gap : 0) + f->line / 2,
			 pen_fit(l->pen, ROLE_QUIET,
				 title_of(l, l->p->x_title, l->p->x_brief, right - at.x),
				 right - at.x));
}

/* Says how many points have their name, where some had no room. */
static void say_named(const struct plane_plan *l, const struct frame *f)
{
	const struct pen *const pen = l->pen;
	size_t named = 0, all = 0;
	for (size_t i = 0; i < l->p->n; i++) {
		named += l->label[i].w > 0;
		all += l->there[i] && l->p->at[i].label != NULL && *l->p->at[i].label != '\0';
	}
	const double title = pen_measure(pen, l->p->x_title ? l->p->x_title : "").w;
	const double left = l->box.x - f->left, room = l->box.x + l->box.w - left - title;
	const double y = l->box.y + l->box.h + (f->x_text ? f->line + f->gap : 0) + f->line / 2;
	for (size_t i = 0;
	     i < 2 && l->p->group != NULL && !l->p->gathers && named < all && f->x_title; i++) {
		const char *const text =
			i == 0 ? arena_printf(pen->arena, "%zu of %zu named", named, all)
			       : arena_printf(pen->arena, "%zu/%zu named", named, all);
		if (pen_measure(pen, text).w + pen->em > room)
			continue;
		pen_text(pen, ROLE_QUIET, 0, left, y, text);
		return;
	}
}

/* ---- the whole plane ------------------------------------------------------------------------- */

/* Divides the area. The numbers of y depend on the unit, and the unit on the width they leave, so
 * it is computed twice. */
static void lay_out(struct plane_plan *l, struct frame *f, struct point lo, struct point hi)
{
	const struct pen *const pen = l->pen;
	const struct area at = pen->at;
	const double lines = at.h / pen->line;
	const double above = f->about + (f->y_title ? 1 : 0) + f->legend;
	const double top = above * f->line + (pen->cell > 0 ? 0 : f->line / 2);
	const double below = (f->x_text ? f->line + f->gap : 0) + (f->x_title ? f->line : 0);
	l->box = (struct area){at.x, at.y + top, at.w, fmax(at.h - top - below, pen->line / 2)};
	fit(l, lo, hi);
	const struct ticks y = ticks_y(l);
	const double left = widest(l, &y) + f->gap + pen->cell;
	f->left = lines >= 6 && at.w - left >= 12 * pen->em ? ceil(left) : 0;
	l->box.x += f->left;
	l->box.w -= f->left;
	/* The box is not so much wider than high, or higher than wide, that most of it is empty. */
	const double most = 2.2 * pen->aspect * l->box.h;
	const double wanted = fmax(most, (hi.x - lo.x) * l->unit * 1.1);
	if (l->box.w > wanted) {
		l->box.x += pen_whole(pen, (l->box.w - wanted) / 2);
		l->box.w = pen_whole(pen, wanted);
	}
	const double high = fmax(1.25 * l->box.w, (hi.y - lo.y) * l->unit_y * 1.1) / pen->aspect;
	l->box.h = fmin(l->box.h, fmax(pen_whole(pen, high), pen->line));
	fit(l, lo, hi);
}

static struct frame frame_of(const struct plane_plan *l)
{
	const struct pen *const pen = l->pen;
	const double lines = pen->at.h / pen->line;
	const bool y_title = says(l->p->y_title) && lines >= (says(l->p->about) ? 12 : 10);
	const double title = y_title ? pen_measure(pen, l->p->y_title).w : 0;
	const double wide = plane_legend(l, (struct area){.w = INFINITY}, false).w;
	const double under = plane_legend(l, pen->at, false).h;
	const bool beside = y_title && title + wide + 4 * pen->em <= 0.9 * pen->at.w;
	const struct text_run about = {ROLE_PLAIN, about_of(l), false};
	const double said = ceil(pen_wrap(pen, pen->at, &about, 1, false) / pen->line - 1e-6);
	const double least = l->p->tangled ? 8 : 9; /* without a line the order is told in words */
	return (struct frame){.line = pen->line,
			      .gap = l->look.gap,
			      .about = says(about.text) && lines >= least + said ? said : 0,
			      .beside = beside ? wide : 0,
			      .legend = !beside && lines >= 12 + 2 * under ? under : 0,
			      .y_title = y_title,
			      .x_text = lines >= 6,
			      .x_title = says(l->p->x_title) && lines >= 9};
}

void pen_plane(const struct pen *pen, const struct plane *p)
{
	struct plane_plan l = {.pen = pen,
			       .p = p,
			       .at = arena_calloc(pen->arena, p->n + 1, sizeof *l.at),
			       .there = arena_calloc(pen->arena, p->n + 1, sizeof *l.there),
			       .thumb = arena_calloc(pen->arena, p->n + 1, sizeof *l.thumb),
			       .label = arena_calloc(pen->arena, p->n + 1, sizeof *l.label),
			       .name = arena_calloc(pen->arena, p->n + 1, sizeof *l.name),
			       .led = arena_calloc(pen->arena, p->n + 1, sizeof *l.led),
			       .gathered = arena_calloc(pen->arena, p->n + 1, sizeof *l.gathered)};
	struct point lo, hi;
	if (!find_points(&l, &lo, &hi)) {
		const struct text_run run = {ROLE_QUIET, "no finite points to draw", false};
		pen_wrap(pen, pen->at, &run, 1, true);
		return;
	}
	const double side = p->thumbs != NULL ? pen->device->plane_side(pen, pen->at) : 0;
	l.look = pen->device->plane_look(pen, l.shown > 150);
	l.side = (struct size){side, side / pen->aspect};
	struct frame f = frame_of(&l);
	lay_out(&l, &f, lo, hi);
	place_points(&l);
	if (p->gathers) {
		plane_gather(&l);
		plane_gathered_place(&l);
	} else {
		plane_thumbs_place(&l);
		plane_labels_place(&l);
	}
	if (pen->device->plane_box != NULL)
		pen->device->plane_box(pen, l.box);
	pen->device->plane_marks(&l);
	const struct ticks x = ticks_x(&l), y = ticks_y(&l);
	if (f.x_text)
		draw_x(&l, &f, &x, pen->at.x + pen->at.w);
	draw_y(&l, &f, &y);
	draw_titles(&l, &f);
	plane_labels(&l);
	say_named(&l, &f);
	pen_plot(pen, l.box);
}
