/* canvas_pair.c: two related panels, side by side for a presenter: two orders, two schemes, a
 * matrix and its curve.
 *
 * They are shown if the screen is wide and nothing is lost: of the panel that was asked for as much
 * is visible as alone, with its numbers, in cells of at least two thirds of the side; the other
 * panel is visible as a whole. Each has its name and its value above it, and its colours below. */
#include "plot/canvas_talk.h"

#include "posviz/base/text.h"

enum { WIDE_FROM = 100, CURVE_ROWS = 6 };

struct half {
	struct talk t;
	struct rect body;
	struct heatmap_plan plan;
};

static struct half half_of(const struct talk *top, const struct figure *f, size_t panel, bool right)
{
	struct half h = {.t = *top};
	const int cols = top->r.cols / 2, head = top->form.head;
	h.t.r = (struct rect){top->r.row + head, top->r.col + right * cols, top->r.rows - head,
			      cols};
	talk_about(&h.t, f, panel);
	h.body = (struct rect){h.t.r.row + 1, h.t.r.col + TALK_MARGIN,
			       h.t.r.rows - 1 - (h.t.map != NULL) - h.t.by_distance,
			       cols - 2 * TALK_MARGIN};
	if (h.t.map != NULL)
		canvas_heatmap_plan(h.t.c, h.t.a, h.body, h.t.map, &h.plan);
	return h;
}

/* Returns whether this half shows as much as the panel alone would. */
static bool is_as_good(const struct half *h, const struct quality *alone)
{
	const struct quality q = talk_quality(&h->t, &h->plan);
	return q.seen >= alone->seen && 3 * q.side >= 2 * alone->side;
}

static bool shows_all(const struct half *h)
{
	const struct heatmap_view *const v = &h->plan.view;
	return h->t.map == NULL ? h->body.rows >= CURVE_ROWS
				: !v->averaged && v->rows == h->t.map->values.rows &&
					  v->cols == h->t.map->values.cols;
}

/* Writes the line above a panel: its name, at the right the cell and its value, a note between
 * them. */
static void draw_line(const struct half *h)
{
	const struct talk *const t = &h->t;
	const int row = t->r.row, left = t->r.col + TALK_MARGIN;
	int right = talk_right(t), col = left;
	const char *const notes[] = {t->part, t->p->note, t->p->short_note};
	col += canvas_text_short(t->c, t->a, row, col, right - col, t->p->title, ATTR_BOLD);
	if (t->map != NULL && t->map->has_cursor) {
		const char *const value = arena_printf(t->a, "%s  %s", talk_pair(t), talk_value(t));
		if (talk_put_right(t, row, col + TALK_AIR, value, ATTR_BOLD | ATTR_ACCENT) > 0)
			right -= (int)text_width(value) + TALK_AIR;
	}
	for (int i = 0; i < 3; i++)
		if (talk_put(t, row, col + TALK_AIR, right, notes[i], ATTR_DIM) > 0)
			return;
}

/* Draws one half; if the other panel has no colour bar, the bar has the whole last row. */
static void draw_half(struct half *h, struct rect foot, int bottom)
{
	draw_line(h);
	if (h->t.map == NULL && h->body.row + h->body.rows > bottom)
		h->body.rows = bottom - h->body.row;
	struct talk bare = h->t; /* its name is written already */
	struct panel p = *h->t.p;
	p.title = NULL;
	bare.p = &p;
	talk_draw_panel(&bare, &h->plan, h->body);
	if (h->t.map == NULL)
		return;
	bare.r = foot;
	talk_foot(&bare, bottom < foot.row + foot.rows - 1);
}

/* Returns the end of a curve beside a heatmap: that of the heatmap's cells plus a row for the axis,
 * without the last two rows. */
static int bottom_of(const struct half *h)
{
	const int most = h->t.r.row + h->t.r.rows - 2;
	int bottom = 0;
	for (size_t i = 0; i < 2; i++) {
		const int end = h[i].plan.data.row + h[i].plan.data.rows + 1;
		bottom = h[i].t.map != NULL && end > bottom ? end : bottom;
	}
	return bottom < most ? bottom : most;
}

/* Returns whether panel i precedes panel k on a page. */
static bool is_before(const struct figure *f, size_t i, size_t k)
{
	const struct panel *const a = &f->panels[i], *const b = &f->panels[k];
	return a->row != b->row ? a->row < b->row : a->col < b->col;
}

bool canvas_pair(const struct talk *alone, const struct quality *good, const struct figure *f,
		 size_t panel, struct rect *body, struct heatmap_plan *plan)
{
	static const struct form forms[] = {{true, 4, VALUE_BESIDE},
					    {true, 3, VALUE_BESIDE},
					    {false, 2, VALUE_BESIDE},
					    {false, 1, VALUE_BESIDE}};
	const size_t beside = f->presented->beside[panel];
	if (beside == 0 || beside > f->n || alone->r.cols < WIDE_FROM ||
	    f->panels[beside - 1].absent != NULL)
		return false;
	const size_t other = beside - 1, left = is_before(f, panel, other) ? panel : other;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct talk top = *alone;
		top.form = forms[i];
		top.part = top.short_part = NULL;
		if (!talk_has_words(&top) || top.r.rows - top.form.head < 3)
			continue;
		struct half h[2] = {half_of(&top, f, left, false),
				    half_of(&top, f, panel + other - left, true)};
		const struct half *const own = &h[panel != left];
		if (!is_as_good(own, good) || !shows_all(&h[panel == left]))
			continue;
		*body = own->body;
		*plan = own->plan;
		talk_head(&top);
		const int bottom = bottom_of(h);
		const bool both = h[0].t.map != NULL && h[1].t.map != NULL;
		for (size_t k = 0; k < 2; k++)
			draw_half(&h[k], both ? h[k].t.r : top.r, bottom);
		return true;
	}
	return false;
}
