/* canvas_marks.c: what is written on and above curves of cells: where each leaves what training
 * showed, with a label and a leader, and the numbers that tell curves apart without colour. */
#include <math.h>

#include "plot/canvas_chart.h"
#include "posviz/text.h"

/* Where a mark crosses its curve, in dots; false when the curve is not there. */
static bool mark_at(const struct chart *t, const struct curve_mark *m, int *x, int *y)
{
	double height;
	if (!curves_height(&t->k->series[m->series], m->x, &height))
		return false;
	*x = chart_dot_x(t, m->x);
	*y = chart_dot_y(t, height);
	return true;
}

void chart_marks(struct chart *t)
{
	for (size_t i = 0; i < t->k->n_marks; i++) {
		const struct curve_mark *const m = &t->k->marks[i];
		int x, y;
		if (!mark_at(t, m, &x, &y))
			continue;
		const int half = t->sy;
		chart_line(t, x, y - half, x, y + half, RANK_MARK, m->series);
	}
}

/* Marks at this place, by the row of dots of the lowest; false when none is on its curve. */
static bool lowest_mark(const struct chart *t, double at, int *x, int *y)
{
	bool found = false;
	*y = 0;
	for (size_t i = 0; i < t->k->n_marks; i++) {
		int own;
		if (fabs(t->k->marks[i].x - at) < 0.5 && mark_at(t, &t->k->marks[i], x, &own)) {
			*y = own > *y ? own : *y;
			found = true;
		}
	}
	return found;
}

/* From the label above the plot down to its marks. */
void chart_leaders(struct chart *t)
{
	const int step = t->sy > 1 ? 2 : 1;
	for (size_t i = 0; i < t->k->n_marks; i++) {
		int x, y;
		if (!t->k->marks[i].label || !lowest_mark(t, t->k->marks[i].x, &x, &y))
			continue;
		for (int at = 0; at < y; at += step)
			chart_dot(t, x, at, RANK_LEADER, t->k->marks[i].series);
	}
}

/* Words in the rows above the plot, of which 1 is the lowest. */
struct spot {
	int row, col, width;
	size_t mark;
};

struct spots {
	struct spot *at;
	size_t n;
};

static bool is_blank(const struct chart *t, const struct spots *spots, struct spot want)
{
	if (want.row > t->heads || want.col < t->plot.col || want.col + want.width > t->right)
		return false;
	for (size_t i = 0; i < spots->n; i++) {
		const struct spot *const s = &spots->at[i];
		if (s->row == want.row && want.col <= s->col + s->width &&
		    s->col <= want.col + want.width)
			return false;
	}
	return true;
}

/* In the lowest row that has room left or right of the leader, which goes through the rows below. */
static bool place_label(const struct chart *t, size_t mark, const char *label, struct spots *spots)
{
	int x, y;
	if (!lowest_mark(t, t->k->marks[mark].x, &x, &y))
		return true;
	const int width = (int)text_width(label), col = t->plot.col + x / t->sx;
	const int from[] = {col - width + 1, col, col - width / 2};
	const size_t before = spots->n;
	for (int row = 1; row <= t->heads; row++) {
		for (size_t i = 0; i < 3; i++) {
			const struct spot spot = {row, from[i], width, mark};
			if (!is_blank(t, spots, spot))
				continue;
			spots->at[spots->n++] = spot;
			return true;
		}
		const struct spot leader = {row, col, 1, t->k->n_marks};
		if (!is_blank(t, spots, leader))
			break;
		spots->at[spots->n++] = leader;
	}
	spots->n = before;
	return false;
}

static const char *label_of(const struct curve_mark *m, bool brief)
{
	return brief && m->brief ? m->brief : m->label;
}

/* The first mark that comes after this one from left to right; n_marks: none. */
static size_t next_mark(const struct curves *k, size_t after)
{
	size_t found = k->n_marks;
	for (size_t i = 0; i < k->n_marks; i++) {
		const double x = k->marks[i].x;
		const bool later = after == k->n_marks || x > k->marks[after].x ||
				   (!(x < k->marks[after].x) && i > after);
		if (later && (found == k->n_marks || x < k->marks[found].x))
			found = i;
	}
	return found;
}

/* From left to right, each to the left of its leader where it can. Returns how many had no room. */
static size_t place_labels(const struct chart *t, bool brief, struct spots *spots)
{
	const struct curves *const k = t->k;
	size_t lost = 0;
	spots->n = 0;
	for (size_t i = next_mark(k, k->n_marks); i < k->n_marks; i = next_mark(k, i))
		if (k->marks[i].label)
			lost += !place_label(t, i, label_of(&k->marks[i], brief), spots);
	return lost;
}

/* What the curves are, where it has room at an end of a row. */
static void write_mean(const struct chart *t, const struct spots *spots)
{
	const char *const words[] = {arena_printf(t->a, "running mean of %zu", t->mean_of),
				     arena_printf(t->a, "mean of %zu", t->mean_of)};
	for (int i = 0; t->mean_of > 0 && i < 8 * t->heads; i++) {
		const char *const mean = words[i / (4 * t->heads)];
		const int width = (int)text_width(mean), row = t->heads - i / 4 % t->heads;
		const int ends[] = {t->plot.col, t->right - width};
		const struct spot spot = {row, ends[i % 2], width, 0};
		if (!is_blank(t, spots, spot))
			continue;
		canvas_text(t->c, t->plot.row - row, spot.col, width, mean, ATTR_DIM);
		return;
	}
}

/* Short labels for all where one of the long ones has no room. */
void chart_mark_labels(const struct chart *t)
{
	const struct curves *const k = t->k;
	struct spots spots = {.at = arena_calloc(t->a, (size_t)(t->heads + 1) * (k->n_marks + 1),
						 sizeof *spots.at)};
	const bool brief = place_labels(t, false, &spots) > 0;
	if (brief)
		place_labels(t, true, &spots);
	for (size_t i = 0; i < spots.n; i++) {
		const struct spot *const s = &spots.at[i];
		const int row = t->plot.row - s->row;
		if (s->mark == k->n_marks) {
			canvas_put(t->c, row, s->col, t->c->ascii ? "|" : "┊", ATTR_DIM,
				   CELL_DEFAULT, CELL_DEFAULT);
			continue;
		}
		const struct curve_mark *const m = &k->marks[s->mark];
		canvas_text_colour(t->c, row, s->col, s->width, label_of(m, brief), 0,
				   canvas_series(t->c, k->series[m->series].colour), CELL_DEFAULT);
	}
	write_mean(t, &spots);
}

/* Without colours curves that meet are told apart by their numbers, which stand on them here and
 * there, at other places for each; so they do where names have no room. */
void chart_numbers(struct chart *t)
{
	enum { EACH = 3 };
	if ((t->c->tier != TIER_MONO && t->named) || t->c->ascii || t->k->n < 2)
		return;
	for (size_t s = 0; s < t->k->n; s++) {
		const struct series *const e = &t->k->series[s];
		for (size_t i = 0; e->brief && i < EACH; i++) {
			const double part =
				((double)i + ((double)s + 0.5) / (double)t->k->n) / EACH;
			const double x = t->x0 + part * (t->x1 - t->x0);
			double y;
			if (curves_height(e, x, &y))
				canvas_text(t->c, t->plot.row + chart_dot_y(t, y) / t->sy,
					    t->plot.col + chart_dot_x(t, x) / t->sx,
					    (int)text_width(e->brief), e->brief, ATTR_BOLD);
		}
	}
}
