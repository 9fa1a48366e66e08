/* canvas_axis.c: the labels of a plot's axes on cells: values at the left, positions on the x axis
 * below. */
#include <math.h>
#include <string.h>

#include "plot/canvas_chart.h"
#include "posviz/base/text.h"

enum { TITLE_GAP = 2, X_TICKS = 8 };

/* ---- values ---------------------------------------------------------------------------------- */

size_t chart_most_ticks(int rows)
{
	return rows >= 12 ? 6 : rows >= 8 ? 5 : rows >= 5 ? 4 : 3;
}

int chart_y_width(const struct curve_axis *y)
{
	int width = 0;
	for (size_t i = 0; i < y->n; i++) {
		const int w = (int)text_width(y->labels[i]);
		width = w > width ? w : width;
	}
	return width;
}

double chart_dots_between(int rows, int sy, double *first)
{
	enum { FEW = 4 };
	*first = rows < FEW ? 0 : (sy - 1) / 2.0;
	return rows < FEW ? rows * sy - 1 : (rows - 1) * sy;
}

void chart_fit_y(struct curve_axis *y, struct arena *a, const struct curves *k,
		 struct curve_range range, int rows)
{
	curve_axis_fit_rows(y, a, k, range, rows, chart_most_ticks(rows));
}

/* Labels the outermost ticks and zero, and others if also the rows around theirs are free. */
void chart_y_labels(const struct chart *t)
{
	const struct curve_axis *const y = &t->y;
	const int width = chart_y_width(y);
	bool *const taken = arena_calloc(t->a, (size_t)t->plot.rows + 3, sizeof *taken);
	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < y->n; i++) {
			const bool end = i == 0 || i + 1 == y->n, zero = y->at[i] == 0;
			const int row = chart_dot_y(t, y->at[i]) / t->sy;
			bool *const free =
				taken + row; /* the row above it, its own, the row below it */
			if ((pass == 0	 ? !end
			     : pass == 1 ? !zero
					 : end || zero) ||
			    free[1] || (pass > 1 && (free[0] || free[2])))
				continue;
			canvas_text_right(t->c, t->a, t->plot.row + row, t->plot.col - 1, width,
					  y->labels[i], ATTR_DIM);
			free[1] = true;
		}
	}
}

/* ---- the x axis ------------------------------------------------------------------------------ */

/* A row of words below the plot, from its left end on. */
struct line {
	const struct chart *t;
	int row;
	bool *taken; /* [t->plot.cols] */
	bool draw;   /* false: only to find which labels have room */
};

static struct line line_below(const struct chart *t, int row, bool draw)
{
	return (struct line){t, row, arena_calloc(t->a, (size_t)t->plot.cols + 1, sizeof(bool)),
			     draw};
}

/* Writes `text` from column `from` of the plot on; false if it would end after column `end`, or if
 * there is no blank between it and other labels. */
static bool put(struct line *l, int from, int end, const char *text, unsigned attrs)
{
	const int w = (int)text_width(text), cols = l->t->plot.cols;
	if (w == 0 || from < 0 || from + w > (end < cols ? end : cols))
		return false;
	for (int i = from > 0 ? from - 1 : 0; i < from + w + 1 && i < cols; i++)
		if (l->taken[i])
			return false;
	for (int i = from; i < from + w; i++)
		l->taken[i] = true;
	if (l->draw)
		canvas_text(l->t->c, l->row, l->t->plot.col + from, w, text, attrs);
	return true;
}

static int below(const struct chart *t, double x, const char *text)
{
	const int from = chart_dot_x(t, x) / t->sx - ((int)text_width(text) - 1) / 2;
	return from < 0 ? 0 : from;
}

/* Writes `text` centred under its point, or as near to it as the ends of the plot allow. */
static bool put_near(struct line *l, double x, const char *text, unsigned attrs)
{
	const int last = l->t->plot.cols - (int)text_width(text), from = below(l->t, x, text);
	return put(l, from < last ? from : last, l->t->plot.cols, text, attrs);
}

/* Labels of the points that are pointed out are placed before all others. */
static void put_pointed(struct line *l)
{
	const struct chart *const t = l->t;
	for (size_t i = 0; i < t->k->n_pointed; i++) {
		const double x = t->k->pointed[i];
		double y;
		if (x >= t->x.lo && x <= t->x.hi && curves_height(t->raw, x, &y))
			put_near(l, x, curve_x_labels(t->a, t->k, &x, 1, t->x.lo < 0)[0],
				 ATTR_BOLD);
	}
}

struct ticks {
	double at[X_TICKS];
	size_t n;
	const char **labels;
};

static void find_ticks(const struct chart *t, size_t most, struct ticks *ticks)
{
	ticks->n = curve_x_ticks(t->k, t->x, most, ticks->at);
	ticks->labels = curve_x_labels(t->a, t->k, ticks->at, ticks->n, t->x.lo < 0);
}

/* Writes the points that are pointed out, and all ticks that end before column `end` of the plot. Returns the number of
 * the ticks; *last gets the last of them, if there is one. */
static size_t place_ticks(struct line *l, const struct ticks *ticks, int end, double *last)
{
	const struct chart *const t = l->t;
	size_t placed = 0;
	put_pointed(l);
	for (size_t i = 0; i < ticks->n; i++) {
		const char *const label = ticks->labels[i];
		const int width = (int)text_width(label), from = below(t, ticks->at[i], label);
		/* The last one may end with the axis, half of its width from its point. */
		const bool over = from + width > end && from + (width + 1) / 2 <= end;
		if (!put(l, over ? end - width : from, end, label, ATTR_DIM))
			continue;
		*last = ticks->at[i];
		placed++;
	}
	return placed;
}

static size_t count_ticks(const struct chart *t, const struct ticks *ticks, int end)
{
	struct line l = line_below(t, 0, false);
	double last;
	return place_ticks(&l, ticks, end, &last);
}

/* Returns whether the ticks before column `end` tell the whole axis: as many as are needed to read it, without a gap, the
 * last of them at most one step before its end, of many a quarter of the axis. `l` gets their places. */
static bool is_told(struct line *l, const struct ticks *ticks, int end)
{
	enum { ENOUGH = 3, MANY = 4 };
	static const double rounding = 1.001, quarter = 0.25;
	const struct chart *const t = l->t;
	double last = t->x.lo;
	const size_t all = count_ticks(t, ticks, t->plot.cols);
	const size_t placed = place_ticks(l, ticks, end, &last);
	if (placed < 2 || placed < (all < ENOUGH ? all : ENOUGH) || last < ticks->at[placed - 1] ||
	    last > ticks->at[placed - 1])
		return false;
	const double from = curve_x_at(t->k, t->x, ticks->at[0]);
	const double to = curve_x_at(t->k, t->x, ticks->at[ticks->n - 1]);
	const double step = (to - from) / (double)(ticks->n - 1);
	const double left = placed >= MANY ? fmax(step, quarter) : step;
	return 1 - curve_x_at(t->k, t->x, last) <= rounding * left;
}

/* Returns whether the label of a point that is pointed out reaches column `from` of the plot or a
 * later one. */
static bool is_pointed_from(const struct chart *t, int from)
{
	struct line l = line_below(t, 0, false);
	put_pointed(&l);
	for (int i = from < 0 ? 0 : from; i < t->plot.cols; i++)
		if (l.taken[i])
			return true;
	return false;
}

const char *chart_last_part(const char *title)
{
	const char *last = NULL;
	for (const char *at = title; (at = strstr(at, ", ")) != NULL; at += 2)
		last = at + 2;
	return last;
}

/* The title of the x axis: from column `at` of the canvas on; ticks end before column `end` of the plot. */
struct x_title {
	const char *text;
	int at, end;
};

/* Returns the title without the words in brackets at its end; NULL: it has none. */
static const char *without_bracket(struct arena *a, const char *title)
{
	const char *const bracket = title ? strstr(title, " (") : NULL;
	return bracket ? arena_printf(a, "%.*s", (int)(bracket - title), title) : NULL;
}

/* Places the title at the end of the line, if ticks before it tell the axis. */
static bool title_ends(const struct chart *t, const struct ticks *ticks, struct x_title *title)
{
	const int width = (int)text_width(title->text), cols = t->plot.cols;
	const int end = t->right - t->plot.col - width - TITLE_GAP;
	struct line l = line_below(t, 0, false);
	title->at = t->right - width;
	title->end = width > 0 && end < cols ? end : cols;
	return width < cols && is_told(&l, ticks, title->end);
}

/* Finds free columns before a label, at least `least`: the last ones, or the most; *from is the first of them. Returns
 * their number, 0: there are none. */
static int free_between(const struct line *l, int least, bool most, int *from)
{
	int free = 0, found = 0;
	for (int i = l->t->plot.cols; i-- > 0;) {
		if (!l->taken[i]) {
			free++;
			continue;
		}
		if (free >= least && (found == 0 || (most && free > found))) {
			found = free;
			*from = i + 1;
		}
		free = 0;
	}
	return found;
}

/* Places the title between two ticks, as far to the right as possible. */
static bool title_between(const struct chart *t, const struct ticks *ticks, struct x_title *title)
{
	const int width = (int)text_width(title->text);
	struct line l = line_below(t, 0, false);
	int from = 0;
	title->end = t->plot.cols;
	if (!is_told(&l, ticks, title->end))
		return false;
	const int free = free_between(&l, width + 2 * TITLE_GAP, false, &from);
	title->at = t->plot.col + from + (free - width) / 2;
	return free > 0;
}

/* Returns the title without its bracket, or the part after its last comma, if `cols` columns have room for it; else cut. */
static const char *fit_title(const struct chart *t, int cols)
{
	const char *const whole = t->k->x_title ? t->k->x_title : "";
	const char *const bare = without_bracket(t->a, whole), *const part = chart_last_part(whole);
	const char *const ways[] = {whole, part, bare, without_bracket(t->a, part)};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (ways[i] != NULL && (int)text_width(ways[i]) <= cols)
			return ways[i];
	return text_shorten(t->a, bare ? bare : whole, (size_t)cols, t->c->ascii);
}

/* Cuts the title to the most columns between two of few ticks; to nothing if they are too few. */
static bool cut_title(const struct chart *t, struct ticks *ticks, struct x_title *title)
{
	enum { LEAST = 6 };
	for (size_t most = 3; most >= 2; most--) {
		struct line l = line_below(t, 0, false);
		int from = 0;
		find_ticks(t, most, ticks);
		title->end = t->plot.cols;
		if (!is_told(&l, ticks, title->end))
			continue;
		const int free = free_between(&l, LEAST + 2, true, &from);
		title->text = free == 0 ? "" : fit_title(t, free - 2);
		title->at = t->plot.col + from + (free - (int)text_width(title->text)) / 2;
		if (free > 0 || most == 2)
			return true;
	}
	return false;
}

/* Finds ticks, and a place of the title or of a part of it, with which the axis is told; with fewer ticks if the title
 * has no room among more. */
static bool find_title(const struct chart *t, size_t most, struct ticks *ticks, struct x_title *out)
{
	enum { FEW = 5 };
	const char *const whole = t->k->x_title ? t->k->x_title : "";
	const char *const part = chart_last_part(whole);
	const struct {
		const char *text;
		bool between;
	} ways[] = {{whole, false},
		    {part, false},
		    {whole, true},
		    {part, true},
		    {without_bracket(t->a, whole), false},
		    {without_bracket(t->a, part), false},
		    {without_bracket(t->a, whole), true},
		    {without_bracket(t->a, part), true}};
	most = most < FEW ? most + 1 : most; /* one more may have room */
	for (; most >= 2; most--) {
		find_ticks(t, most, ticks);
		for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
			out->text = ways[i].text;
			if (out->text != NULL &&
			    (ways[i].between ? title_between : title_ends)(t, ticks, out))
				return true;
		}
	}
	return false;
}

/* Sets the title if there are points that are pointed out, or if no place of it leaves room for enough ticks. It ends the
 * line. An axis needs two numbers to be readable: a title that leaves room for fewer is cut to the part after its last
 * comma ("s − t"). This part is written left of the plot if its place is needed for a point that is pointed out. */
static void force_title(const struct chart *t, int left, size_t most, struct ticks *ticks,
			struct x_title *out)
{
	const int cols = t->plot.cols, right = t->right - t->plot.col;
	const char *title = t->k->x_title ? t->k->x_title : "";
	const char *const comma = chart_last_part(title);
	find_ticks(t, most, ticks);
	const size_t all = count_ticks(t, ticks, cols);
	int end = right - (int)text_width(title) - TITLE_GAP;
	if (comma &&
	    (count_ticks(t, ticks, end) < (all < 3 ? all : 3) || is_pointed_from(t, end))) {
		title = comma;
		end = right - (int)text_width(title) - TITLE_GAP;
	}
	if (count_ticks(t, ticks, end) < 2) /* more ticks may include two before `end` */
		find_ticks(t, most < X_TICKS ? most + 1 : most, ticks);
	const int width = (int)text_width(title);
	const bool pointed = is_pointed_from(t, end), beside = left + width + 1 < t->plot.col;
	const bool none = width >= cols || (pointed && !beside);
	*out = (struct x_title){none ? "" : title, pointed ? left : t->right - width,
				none || pointed || end > cols ? cols : end};
}

void chart_x_labels(const struct chart *t, int left)
{
	struct ticks ticks;
	struct x_title title;
	double last;
	const size_t fits = (size_t)(t->plot.cols / 8);
	const size_t most = fits < 2 ? 2 : fits > X_TICKS ? X_TICKS : fits;
	struct line l = line_below(t, t->plot.row + t->plot.rows, true);
	if (t->k->n_pointed > 0 ||
	    (!find_title(t, most, &ticks, &title) && !cut_title(t, &ticks, &title)))
		force_title(t, left, most, &ticks, &title);
	canvas_text(t->c, l.row, title.at, (int)text_width(title.text), title.text, ATTR_DIM);
	place_ticks(&l, &ticks, title.end, &last);
}

const char **chart_ends(const struct chart *t)
{
	return curve_x_labels(t->a, t->k, (const double[]){t->x.lo, t->x.hi}, 2, t->x.lo < 0);
}

void chart_x_ends(const struct chart *t, int row, bool all)
{
	struct line l = line_below(t, row, true);
	struct ticks between;
	const char **const ends = chart_ends(t);
	if (all)
		put_pointed(&l);
	put_near(&l, t->x.lo, ends[0], ATTR_DIM);
	put_near(&l, t->x.hi, ends[1], ATTR_DIM);
	if (all && t->x.lo < 0 && t->x.hi > 0)
		put_near(&l, 0, "0", ATTR_DIM);
	if (!all || t->k->n_places == 0)
		return;
	find_ticks(t, X_TICKS, &between);
	for (size_t i = between.n; i-- > 0;)
		put_near(&l, between.at[i], between.labels[i], ATTR_DIM);
}
