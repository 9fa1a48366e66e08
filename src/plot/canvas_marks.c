/* canvas_marks.c: marks where a curve leaves the range of training, on cells: a stroke across the
 * curve, a leader line, and a label above the plot. */
#include <math.h>

#include "plot/canvas_chart.h"
#include "posviz/base/text.h"

/* Gets the point, in dots, where a mark crosses its curve, or the upper end of an upright mark;
 * false if it is outside. */
static bool mark_at(const struct chart *t, const struct curve_mark *m, int *x, int *y)
{
	double height;
	if (m->upright) {
		*x = chart_dot_x(t, m->x);
		*y = 0;
		return m->x >= t->x.lo && m->x <= t->x.hi;
	}
	if (!curves_height(t->s, m->x, &height))
		return false;
	*x = chart_dot_x(t, m->x);
	*y = chart_dot_y(t, height);
	return true;
}

void chart_marks(struct chart *t)
{
	for (size_t i = 0; i < t->n_marks; i++) {
		const struct curve_mark *const m = &t->marks[i];
		int x, y;
		if (m->upright || !mark_at(t, m, &x, &y))
			continue;
		const int half = t->sy;
		chart_line(t, x, y - half, x, y + half, RANK_MARK);
	}
}

/* Gets the lowest mark at this x, in dots; false if none is on its curve. */
static bool lowest_mark(const struct chart *t, double at, int *x, int *y)
{
	bool found = false;
	*y = 0;
	for (size_t i = 0; i < t->n_marks; i++) {
		int own;
		if (fabs(t->marks[i].x - at) < 0.5 && mark_at(t, &t->marks[i], x, &own)) {
			*y = own > *y ? own : *y;
			found = true;
		}
	}
	return found;
}

/* Draws lines from the labels above the plot down to their marks. */
void chart_leaders(struct chart *t)
{
	const int step = t->sy > 1 ? 2 : 1;
	for (size_t i = 0; i < t->n_marks; i++) {
		int x, y;
		if (!t->marks[i].label || !lowest_mark(t, t->marks[i].x, &x, &y))
			continue;
		for (int at = 0; at < y; at += step)
			chart_dot(t, x, at, RANK_LEADER);
	}
}

/* Words in the rows above the plot; row 1 is the lowest. */
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

/* Places a label in the lowest row that has room left or right of its leader, which crosses the
 * rows below; false if there is none. */
static bool place_label(const struct chart *t, size_t mark, const char *label, struct spots *spots)
{
	int x, y;
	if (!lowest_mark(t, t->marks[mark].x, &x, &y))
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
		const struct spot leader = {row, col, 1, t->n_marks};
		if (!is_blank(t, spots, leader))
			break;
		spots->at[spots->n++] = leader;
	}
	spots->n = before;
	return false;
}

/* Forms of a label: with the name of its curve, without, or short. */
enum form { WHOSE, WHOLE, BRIEF };

static const char *label_of(const struct chart *t, const struct curve_mark *m, enum form form)
{
	const char *const whose = t->k->n > 1 && !m->upright ? t->s->brief : NULL;
	if (form == WHOSE && whose)
		return arena_printf(t->a, "%s: %s", whose, m->label);
	return form == BRIEF && m->brief ? m->brief : m->label;
}

/* Returns the next mark after this one from left to right, the first one after n_marks; n_marks if
 * there is none. */
static size_t next_mark(const struct chart *t, size_t after)
{
	size_t found = t->n_marks;
	for (size_t i = 0; i < t->n_marks; i++) {
		const double x = t->marks[i].x;
		const bool later = after == t->n_marks || x > t->marks[after].x ||
				   (!(x < t->marks[after].x) && i > after);
		if (later && (found == t->n_marks || x < t->marks[found].x))
			found = i;
	}
	return found;
}

/* Places labels from left to right, each at the left of its leader if possible. Returns how many
 * have no room. */
static size_t place_labels(const struct chart *t, enum form form, struct spots *spots)
{
	size_t lost = 0;
	spots->n = 0;
	for (size_t i = next_mark(t, t->n_marks); i < t->n_marks; i = next_mark(t, i))
		if (t->marks[i].label)
			lost += !place_label(t, i, label_of(t, &t->marks[i], form), spots);
	return lost;
}

/* Writes a word at an end of a row above the plot if it has room there. */
static void write_word(const struct chart *t, const char *word, struct spots *spots)
{
	for (int i = 0; word && i < 2 * t->heads; i++) {
		const int width = (int)text_width(word);
		const int ends[] = {t->plot.col, t->right - width};
		const struct spot spot = {t->heads - i / 2, ends[i % 2], width, 0};
		if (!is_blank(t, spots, spot))
			continue;
		canvas_text(t->c, t->plot.row - spot.row, spot.col, width, word, ATTR_DIM);
		spots->at[spots->n++] = spot;
		return;
	}
}

/* Writes the label of an upright mark right or left of its line, if possible with a blank between,
 * where no curve is. */
static void label_inside(const struct chart *t, const struct curve_mark *m)
{
	const char *const label = m->brief ? m->brief : m->label;
	int x, y;
	if (!m->upright || !mark_at(t, m, &x, &y))
		return;
	for (int i = 0; i < 4 * t->plot.rows; i++) {
		const int blank = i < 2 * t->plot.rows, width = (int)text_width(label) + blank;
		const int row = i / 2 % t->plot.rows;
		const int col = x / t->sx + (i % 2 == 0 ? 1 : -width);
		if (!chart_is_free(t, row, col, width))
			continue;
		const int from = i % 2 == 0 ? col + blank : col;
		canvas_text(t->c, t->plot.row + row, t->plot.col + from, width - blank, label, 0);
		for (int k = col; k < col + width; k++) /* reserves these cells */
			t->dots[row * t->plot.cols + k].rank = RANK_MARK;
		return;
	}
}

static bool is_placed(const struct spots *spots, size_t mark)
{
	bool placed = false;
	for (size_t i = 0; i < spots->n; i++)
		placed |= spots->at[i].mark == mark;
	return placed;
}

/* Shorter labels are used for all marks if a long one has no room. */
void chart_mark_labels(const struct chart *t)
{
	enum { WORDS = sizeof t->words / sizeof *t->words };
	struct spots spots = {.at = arena_calloc(t->a,
						 (size_t)(t->heads + 1) * (t->n_marks + 1) + WORDS,
						 sizeof *spots.at)};
	enum form form = WHOSE;
	while (place_labels(t, form, &spots) > 0 && form < BRIEF)
		form++;
	for (size_t i = 0; i < spots.n; i++) {
		const struct spot *const s = &spots.at[i];
		const int row = t->plot.row - s->row;
		if (s->mark == t->n_marks)
			canvas_put(t->c, row, s->col, t->c->ascii ? "|" : "┊", ATTR_DIM,
				   CELL_DEFAULT, CELL_DEFAULT);
		else
			canvas_text(t->c, row, s->col, s->width,
				    label_of(t, &t->marks[s->mark], form), 0);
	}
	for (size_t i = 0; i < t->n_marks; i++)
		if (t->marks[i].label && !is_placed(&spots, i))
			label_inside(t, &t->marks[i]);
	for (size_t i = 0; i < WORDS; i++)
		write_word(t, t->words[i], &spots);
}
