/* canvas_plane.c: points in a plane on cells. A path is drawn as dots, and its points as signs if
 * they have room; groups differ in form as well as in colour. */
#include <math.h>

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "plot/canvas_stipple.h"

enum { RANK_AXIS = 1, RANK_PATH, RANK_POINT };
enum { SIGNS = 80 }; /* the most points of a path that are drawn as signs */
enum { LARGE = 6 };  /* columns, and half rows, of a small picture */

struct plane_look canvas_plane_look(const struct pen *pen, bool many)
{
	(void)pen, (void)many;
	return (struct plane_look){.mark = 0.5,
				   .strong = 0.5,
				   .around = 1,
				   .label_air = 1,
				   .label_beside = 1,
				   .label_lead = 2,
				   .label_room = 30,
				   .thumb_around = 1,
				   .thumb_gap = 1,
				   .form = 2,
				   .form_gap = 1};
}

double canvas_plane_side(const struct pen *pen, struct area at)
{
	/* Few values have room as shades, and ASCII signs show no pattern. */
	/* In a small plane pictures would leave no room at the points for their names. */
	return pen->ascii || at.w < 90 || at.h < 24 ? 0 : LARGE;
}

static struct dot_ink ink_of(const struct plane_plan *l, size_t i, unsigned rank)
{
	const struct canvas *const c = l->pen->on;
	const double part = plane_strength(l, i);
	const uint32_t own = canvas_series(c, plane_colour(l, i));
	const bool shades = (own & CELL_RGB(0)) != 0;
	return (struct dot_ink){.rank = rank,
				.attrs = shades	       ? 0
					 : part < 0.55 ? ATTR_DIM
					 : part > 0.8  ? ATTR_BOLD
						       : 0,
				.fg = shades ? CELL_RGB(plane_between(c->dark ? 0x30323a : 0xd8dade,
								      own & 0xffffffu, part))
					     : own,
				.sign = rank == RANK_PATH ? '.' : '*'};
}

enum { FORMS = 7 };
static const char *const forms[FORMS] = {"●", "■", "▲", "◆", "▼", "○", "□"};
static const char *const ascii[FORMS] = {"*", "+", "#", "%", "=", "&", "~"};

/* Returns the sign of a point; ends and cursor have signs of their own. No sign is a letter, which
 * could be taken for a label. */
static const char *sign_of(const struct plane_plan *l, size_t i)
{
	const bool plain = l->pen->ascii;
	if (i == l->own)
		return plain ? "@" : "★";
	if (l->p->group != NULL)
		return (plain ? ascii : forms)[plane_colour(l, i) % FORMS];
	if (i == l->cursor)
		return plain ? "@" : "◆";
	if (i == l->first && i != l->last)
		return plain ? "<" : "○";
	if (i == l->last)
		return plain ? "#" : "●";
	return plain ? "*" : "•";
}

/* Tells if the cursor's point, which is drawn last, is in the cell of the point of interest, whose sign stays. */
static bool is_on_own(const struct plane_plan *l, size_t i)
{
	return i == l->cursor && l->own != SIZE_MAX &&
	       (int)floor(l->at[i].x) == (int)floor(l->at[l->own].x) &&
	       (int)floor(l->at[i].y) == (int)floor(l->at[l->own].y);
}

/* Writes the sign of a point in the cell of x and y, in the plane or in its legend. */
static void write_sign_at(const struct plane_plan *l, size_t i, double x, double y)
{
	struct canvas *const c = l->pen->on;
	const bool here = i == l->cursor || (i == l->own && is_on_own(l, l->cursor));
	const struct dot_ink ink = ink_of(l, i, RANK_POINT);
	const unsigned attrs = !here		      ? ink.attrs
			       : c->tier == TIER_MONO ? ATTR_BOLD | ATTR_REVERSE
						      : ATTR_BOLD | ATTR_ACCENT;
	canvas_put(c, (int)floor(y), (int)floor(x), sign_of(l, is_on_own(l, i) ? l->own : i),
		   plane_is_strong(l, i) ? attrs | ATTR_BOLD : attrs, here ? CELL_DEFAULT : ink.fg,
		   CELL_DEFAULT);
}

static void write_sign(const struct plane_plan *l, size_t i)
{
	const struct area box = l->box;
	write_sign_at(l, i, fmin(floor(l->at[i].x), box.x + box.w - 1),
		      fmin(floor(l->at[i].y), box.y + box.h - 1));
}

static void write_zeros(const struct plane_plan *l, const struct stipple *s)
{
	struct dot_ink ink = {.rank = RANK_AXIS, .attrs = ATTR_DIM, .sign = '|', .every = 2};
	const double far_x = l->box.x + l->box.w - stipple_dot_width(s) / 2;
	const double far_y = l->box.y + l->box.h - stipple_dot_height(s) / 2;
	double x, y;
	if (plane_zero_x(l, &x))
		stipple_line(s, &ink, (struct point){x, l->box.y}, (struct point){x, far_y});
	ink.sign = '-';
	if (plane_zero_y(l, &y))
		stipple_line(s, &ink, (struct point){l->box.x, y}, (struct point){far_x, y});
}

void canvas_plane_marks(const struct plane_plan *l)
{
	struct canvas *const c = l->pen->on;
	const struct rect r = {(int)l->box.y, (int)l->box.x, (int)l->box.h, (int)l->box.w};
	const struct stipple s = stipple_new(c, l->pen->arena, r);
	const bool signs = l->p->group != NULL || l->shown <= (l->p->joined ? SIGNS : 2 * SIGNS);
	write_zeros(l, &s);
	for (size_t i = 0; i < l->p->n; i++) {
		const struct dot_ink path = ink_of(l, i, RANK_PATH);
		if (plane_is_step(l, i))
			stipple_line(&s, &path, l->at[i - 1], l->at[i]);
	}
	for (size_t i = 0; i < l->p->n && !signs; i++) {
		const struct dot_ink point = ink_of(l, i, RANK_POINT);
		if (l->there[i])
			stipple_dot(&s, &point, l->at[i]);
	}
	stipple_draw(&s);
	plane_thumbs(l);
	plane_each_mark(l, signs, write_sign);
}

void canvas_plane_form(const struct plane_plan *l, size_t group, double x, double y)
{
	struct canvas *const c = l->pen->on;
	if (group == SIZE_MAX)
		write_sign_at(l, l->own, x, y);
	else
		canvas_put(c, (int)floor(y), (int)floor(x),
			   (c->ascii ? ascii : forms)[group % FORMS], 0, canvas_series(c, group),
			   CELL_DEFAULT);
}

/* ---- small pictures -------------------------------------------------------------------------- */

/* Returns a matrix of means over blocks; a block is masked if all its values are. */
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

/* A value takes a column by half a row, in shades two columns by a row; small matrices have larger
 * cells. */
void canvas_plane_thumb(const struct plane_plan *l, size_t i)
{
	struct canvas *const c = l->pen->on;
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

void canvas_plane_leaders(const struct plane_plan *l)
{
	const struct dot_ink ink = {.rank = 1, .attrs = ATTR_DIM, .sign = '.'};
	const struct stipple dots = stipple_new(
		l->pen->on, l->pen->arena,
		(struct rect){(int)l->box.y, (int)l->box.x, (int)l->box.h, (int)l->box.w});
	for (size_t i = 0; i < l->p->n; i++)
		if (l->thumb[i].w > 0 && !plane_is_covered(l, i))
			stipple_line(&dots, &ink, l->at[i], plane_nearest(l->thumb[i], l->at[i]));
	for (size_t i = 0; i < l->p->n; i++)
		if (l->led[i])
			stipple_line(&dots, &ink, l->at[i], plane_lead_end(l, i));
	stipple_draw(&dots);
}
