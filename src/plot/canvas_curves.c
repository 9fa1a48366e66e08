/* canvas_curves.c: curves as dots inside cells: braille (2×4 dots), quarter blocks (2×2), or one
 * letter per series where there is only ASCII. A presenter's curves are of quarter blocks: thick.
 *
 * A cell has one colour, so what is drawn has ranks: zero line, band, leader, cursor, curve, active
 * curve, mark.
 * A higher rank takes the whole cell from a lower one; curves of the same rank share it, in the
 * colour of the later. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_chart.h"
#include "posviz/scale.h"
#include "posviz/text.h"

enum { LEAST_PLOT = 16, BAND_ROWS = 6, TITLE_GAP = 2, LEAST_NAME = 5 };

/* ---- ranges ---- */

static void widen(double value, double *lo, double *hi)
{
	if (!isfinite(value))
		return;
	*lo = value < *lo ? value : *lo;
	*hi = value > *hi ? value : *hi;
}

/* Limits of the data; false when no point is finite. */
static bool find_range(struct chart *t)
{
	t->x0 = t->y0 = INFINITY;
	t->x1 = t->y1 = -INFINITY;
	for (size_t s = 0; s < t->k->n; s++) {
		const struct series *const e = &t->k->series[s];
		for (size_t i = 0; i < e->n; i++) {
			if (!isfinite(e->y[i]))
				continue;
			widen(e->x[i], &t->x0, &t->x1);
			widen(e->y[i], &t->y0, &t->y1);
			if (e->lo != NULL && e->hi != NULL) {
				widen(e->lo[i], &t->y0, &t->y1);
				widen(e->hi[i], &t->y0, &t->y1);
			}
		}
	}
	return t->x0 <= t->x1 && t->y0 <= t->y1;
}

/* Moves the limits of y outward to round numbers, and finds the ticks. */
static void round_range(struct chart *t, int rows)
{
	if (!(t->y1 - t->y0 > 1e-12 * fmax(fabs(t->y0), fabs(t->y1)))) {
		const double half = t->y0 != 0 ? fabs(t->y0) / 2 : 1;
		t->y0 -= half;
		t->y1 += half;
	}
	if (t->x0 == t->x1) {
		t->x0 -= 1;
		t->x1 += 1;
	}
	const size_t most = rows >= 12 ? 5 : rows >= 6 ? 4 : 3;
	size_t n = scale_ticks(t->y0, t->y1, most, t->ticks);
	const double step = n >= 2 ? t->ticks[1] - t->ticks[0] : 0;
	if (step > 0) {
		t->y0 = floor(t->y0 / step + 1e-9) * step;
		t->y1 = ceil(t->y1 / step - 1e-9) * step;
		n = 0;
		const double count = round((t->y1 - t->y0) / step);
		for (double i = 0; i <= count && n < MOST_TICKS; i++)
			t->ticks[n++] = t->y0 + i * step;
		/* A sum of steps may miss zero by a rounding error, and zero has a name. */
		for (size_t i = 0; i < n; i++)
			if (fabs(t->ticks[i]) < step * 1e-9)
				t->ticks[i] = 0;
	}
	t->n_ticks = n;
	t->tick_labels = scale_tick_labels(t->a, t->ticks, n, t->y0 < 0);
}

int chart_dot_x(const struct chart *t, double x)
{
	return (int)lround((x - t->x0) / (t->x1 - t->x0) * (t->plot.cols * t->sx - 1));
}

int chart_dot_y(const struct chart *t, double y)
{
	return (int)lround((t->y1 - y) / (t->y1 - t->y0) * (t->plot.rows * t->sy - 1));
}

/* ---- dots ---- */

void chart_dot(struct chart *t, int x, int y, enum rank rank, size_t series)
{
	const int col = x / t->sx, row = y / t->sy;
	if (x < 0 || y < 0 || col >= t->plot.cols || row >= t->plot.rows)
		return;
	struct dots *const d = &t->dots[row * t->plot.cols + col];
	if (d->rank > rank)
		return;
	if (d->rank < rank)
		d->mask = 0;
	d->mask |= (uint8_t)(1u << (y % t->sy * t->sx + x % t->sx));
	d->rank = (uint8_t)rank;
	d->series = series;
}

void chart_line(struct chart *t, int xa, int ya, int xb, int yb, enum rank rank, size_t series)
{
	const int dx = abs(xb - xa), dy = abs(yb - ya), steps = dx > dy ? dx : dy;
	for (int i = 0; i <= steps; i++) {
		const double f = steps > 0 ? (double)i / steps : 0;
		chart_dot(t, xa + (int)lround(f * (xb - xa)), ya + (int)lround(f * (yb - ya)), rank,
			  series);
	}
}

static void draw_series(struct chart *t, size_t s)
{
	const struct series *const e = &t->k->series[s];
	const enum rank rank = e->active ? RANK_ACTIVE : RANK_CURVE;
	for (size_t i = 0; i < e->n; i++) {
		if (!isfinite(e->y[i]) || !isfinite(e->x[i]))
			continue;
		const int x = chart_dot_x(t, e->x[i]), y = chart_dot_y(t, e->y[i]);
		const bool before = i > 0 && isfinite(e->y[i - 1]) && isfinite(e->x[i - 1]);
		const bool after = i + 1 < e->n && isfinite(e->y[i + 1]);
		if (before)
			chart_line(t, chart_dot_x(t, e->x[i - 1]), chart_dot_y(t, e->y[i - 1]), x,
				   y, rank, s);
		else if (!after) /* a point alone is made large enough to be seen */
			chart_line(t, x, y, x + (t->sx > 1), y + (t->sy > 2), rank, s);
	}
}

/* The edges of a band, every second dot. */
static void draw_band(struct chart *t, size_t s)
{
	const struct series *const e = &t->k->series[s];
	for (size_t i = 0; e->lo != NULL && e->hi != NULL && i + 1 < e->n; i++) {
		const double *const edges[] = {e->lo, e->hi};
		for (size_t k = 0; k < 2; k++) {
			const double from = edges[k][i], to = edges[k][i + 1];
			if (!isfinite(from) || !isfinite(to))
				continue;
			const int xa = chart_dot_x(t, e->x[i]), xb = chart_dot_x(t, e->x[i + 1]);
			for (int x = xa + xa % 2; x <= xb; x += 2) {
				const double f = xb > xa ? (double)(x - xa) / (xb - xa) : 0;
				chart_dot(t, x, chart_dot_y(t, from + f * (to - from)), RANK_BAND,
					  s);
			}
		}
	}
}

static void draw_lines(struct chart *t)
{
	const int right = t->plot.cols * t->sx, bottom = t->plot.rows * t->sy;
	if (t->y0 <= 0 && t->y1 >= 0)
		for (int x = 0; x<right; x += t->sx> 1 ? 2 : 1)
			chart_dot(t, x, chart_dot_y(t, 0), RANK_ZERO, 0);
	const struct curves *const k = t->k;
	if (k->has_cursor && k->cursor >= t->x0 && k->cursor <= t->x1)
		for (int y = 0; y < bottom; y++)
			chart_dot(t, chart_dot_x(t, k->cursor), y, RANK_CURSOR, 0);
}

static void glyph_of(const struct chart *t, const struct dots *d, char *out)
{
	static const char *const quarters[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
					       "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	static const uint8_t braille[] = {1, 8, 2, 16, 4, 32, 64, 128};
	if (t->c->ascii) {
		const char letter = (char)('a' + d->series % 26);
		out[0] = d->rank == RANK_MARK	 ? '|'
			 : d->rank >= RANK_CURVE ? letter
			 : d->rank == RANK_BAND	 ? '.'
			 : d->rank == RANK_ZERO	 ? '-'
						 : '|';
		out[1] = '\0';
	} else if (t->sy == 2) {
		strcpy(out, d->rank == RANK_ZERO ? "─" : quarters[d->mask & 15]);
	} else {
		uint32_t code = 0x2800;
		for (size_t bit = 0; bit < 8; bit++)
			code += (d->mask >> bit & 1u) != 0 ? braille[bit] : 0;
		out[text_encode(out, code)] = '\0';
	}
}

static void print_dots(const struct chart *t)
{
	for (int row = 0; row < t->plot.rows; row++) {
		for (int col = 0; col < t->plot.cols; col++) {
			const struct dots *const d = &t->dots[row * t->plot.cols + col];
			if (d->rank == RANK_NONE)
				continue;
			char glyph[8];
			glyph_of(t, d, glyph);
			const unsigned attrs = d->rank >= RANK_ACTIVE	? ATTR_BOLD
					       : d->rank == RANK_CURVE	? 0
					       : d->rank == RANK_CURSOR ? ATTR_ACCENT | ATTR_DIM
									: ATTR_DIM;
			const uint32_t fg =
				d->rank >= RANK_CURVE
					? canvas_series(t->c, t->k->series[d->series].colour)
					: CELL_DEFAULT;
			canvas_put(t->c, t->plot.row + row, t->plot.col + col, glyph, attrs, fg,
				   CELL_DEFAULT);
		}
	}
}

/* ---- labels ---- */

/* Both limits are labelled; a tick between them where there is a free row around it. */
static void draw_y_labels(const struct chart *t, int width)
{
	const int bottom = t->n_ticks > 0 ? chart_dot_y(t, t->ticks[0]) / t->sy : 0;
	int last = -2;
	for (size_t i = t->n_ticks; i-- > 0;) {
		const int row = chart_dot_y(t, t->ticks[i]) / t->sy;
		if (row <= last || (i > 0 && (row < last + 2 || (row + 2 > bottom && last >= 0))))
			continue;
		canvas_text_right(t->c, t->a, t->plot.row + row, t->plot.col - 1, width,
				  t->tick_labels[i], ATTR_DIM);
		last = row;
	}
}

struct ticks {
	double at[MOST_TICKS];
	size_t n;
	const char *const *labels;
};

/* Ticks under their points, as many as end before `end`; returns how many. */
static size_t place_ticks(const struct chart *t, const struct ticks *ticks, int end, bool draw)
{
	size_t placed = 0;
	int last = t->plot.col - 2;
	for (size_t i = 0; i < ticks->n; i++) {
		const int w = (int)text_width(ticks->labels[i]);
		int from = t->plot.col + chart_dot_x(t, ticks->at[i]) / t->sx - (w - 1) / 2;
		from = from < t->plot.col ? t->plot.col : from;
		if (from <= last || from + w > end)
			continue;
		if (draw)
			canvas_text(t->c, t->plot.row + t->plot.rows, from, w, ticks->labels[i],
				    ATTR_DIM);
		last = from + w;
		placed++;
	}
	return placed;
}

static void find_x_ticks(const struct chart *t, size_t most, struct ticks *ticks)
{
	ticks->n = t->k->integer_x ? scale_ticks_integer(t->x0, t->x1, most, ticks->at)
				   : scale_ticks(t->x0, t->x1, most, ticks->at);
	ticks->labels = scale_tick_labels(t->a, ticks->at, ticks->n, t->x0 < 0);
}

/* The title ends the line at `right`, which may be beyond the plot. An axis needs two numbers to be
 * read: a title that leaves fewer is cut to what follows its last comma ("s − t"). */
static void draw_x_labels(const struct chart *t, int right)
{
	struct ticks ticks;
	const int plot_right = t->plot.col + t->plot.cols;
	const size_t fits = (size_t)(t->plot.cols / 8);
	const size_t most = fits < 2 ? 2 : fits > MOST_TICKS ? MOST_TICKS : fits;
	const char *title = t->k->x_title != NULL ? t->k->x_title : "";
	const char *const comma = strrchr(title, ',');
	find_x_ticks(t, most, &ticks);
	const size_t all = place_ticks(t, &ticks, plot_right, false);
	int end = right - (int)text_width(title) - TITLE_GAP;
	if (comma && place_ticks(t, &ticks, end, false) < (all < 3 ? all : 3)) {
		title = comma + 1 + strspn(comma + 1, " ");
		end = right - (int)text_width(title) - TITLE_GAP;
	}
	if (place_ticks(t, &ticks, end, false) < 2) /* finer ones may stand before the title */
		find_x_ticks(t, most + 1, &ticks);
	const int width = (int)text_width(title);
	if (width == 0 || width >= t->plot.cols)
		end = plot_right;
	else
		canvas_text(t->c, t->plot.row + t->plot.rows, right - width, width, title,
			    ATTR_DIM);
	place_ticks(t, &ticks, end < plot_right ? end : plot_right, true);
}

static const char *series_label(const struct chart *t, size_t s, bool brief)
{
	const struct series *const e = &t->k->series[s];
	const char *const label = brief ? e->brief : e->label;
	if (!t->c->ascii)
		return label;
	return arena_printf(t->a, "%c %s", (char)('a' + s % 26), label);
}

static void write_series_label(const struct chart *t, int row, int col, int cols, size_t s,
			       bool brief)
{
	const struct series *const e = &t->k->series[s];
	const char *const text =
		text_shorten(t->a, series_label(t, s, brief), (size_t)cols, t->c->ascii);
	canvas_text_colour(t->c, row, col, cols, text, e->active ? ATTR_BOLD : 0,
			   canvas_series(t->c, e->colour), CELL_DEFAULT);
}

/* Height of the last point of a series. */
static double last_y(const struct chart *t, size_t s)
{
	const struct series *const e = &t->k->series[s];
	for (size_t i = e->n; i-- > 0;)
		if (isfinite(e->y[i]))
			return e->y[i];
	return t->y0;
}

/* Labels beside the ends of the curves, moved apart: sorted by height, each below the one before,
 * and pushed up again from the bottom. */
static void draw_direct_labels(const struct chart *t, int cols, bool brief)
{
	const size_t n = t->k->n;
	size_t *const order = arena_calloc(t->a, n, sizeof *order);
	int *const row = arena_calloc(t->a, n, sizeof *row);
	/* By height and not by row, which close curves share. */
	for (size_t s = 0; s < n; s++) {
		size_t i = s;
		for (; i > 0 && last_y(t, order[i - 1]) < last_y(t, s); i--)
			order[i] = order[i - 1];
		order[i] = s;
	}
	for (size_t i = 0; i < n; i++)
		row[i] = chart_dot_y(t, last_y(t, order[i])) / t->sy;
	for (size_t i = 1; i < n; i++)
		row[i] = row[i] <= row[i - 1] ? row[i - 1] + 1 : row[i];
	for (size_t i = n, floor = (size_t)t->plot.rows; i-- > 0; floor = (size_t)row[i])
		if (row[i] >= (int)floor)
			row[i] = (int)floor - 1;
	for (size_t i = 0; i < n; i++)
		write_series_label(t, t->plot.row + row[i], t->plot.col + t->plot.cols + 1, cols,
				   order[i], brief);
}

/* Columns that each label of the legend may take, so that all of them fit into one line. */
static int legend_share(const struct chart *t, int cols)
{
	const int n = (int)t->k->n;
	int share = cols;
	for (; share >= LEAST_NAME; share--) {
		int all = 2 * (n - 1);
		for (size_t s = 0; s < t->k->n; s++) {
			const int width = (int)text_width(series_label(t, s, false));
			all += width < share ? width : share;
		}
		if (all <= cols)
			return share;
	}
	return cols;
}

/* Whole labels in two rows; or all in one: shortened, or, where that is not enough, as many as fit. */
static void draw_legend(const struct chart *t, int row, int rows, int col, int right)
{
	const int share = rows > 1 ? right - col : legend_share(t, right - col), left = col;
	for (size_t s = 0; s < t->k->n; s++) {
		const int whole = (int)text_width(series_label(t, s, false));
		const int width = whole < share ? whole : share;
		const bool rest = rows < 2 && s + 1 < t->k->n;
		if (rows > 1 && col > left && col + width > right) {
			row++;
			col = left;
		}
		if (col + width + (rest ? 3 : 0) > right) {
			canvas_text(t->c, row, col, right - col, t->c->ascii ? "~" : "…", ATTR_DIM);
			return;
		}
		write_series_label(t, row, col, width, s, false);
		col += width + 2;
	}
}

static int widest_series(const struct chart *t, bool brief)
{
	int width = 0;
	for (size_t s = 0; s < t->k->n; s++) {
		const int w = (int)text_width(series_label(t, s, brief));
		width = w > width ? w : width;
	}
	return width;
}

static bool all_brief(const struct chart *t)
{
	for (size_t s = 0; s < t->k->n; s++)
		if (!t->k->series[s].brief)
			return false;
	return true;
}

/* Rows that whole names take below each other in `cols` columns. */
static int rows_of_names(const struct chart *t, int cols)
{
	int rows = 1, used = 0;
	for (size_t s = 0; s < t->k->n; s++) {
		const int width = (int)text_width(series_label(t, s, false));
		if (width > cols)
			return t->plot.rows + MOST_TICKS;
		rows += used > 0 && used + width > cols;
		used = (used > 0 && used + width > cols ? 0 : used) + width + 2;
	}
	return rows;
}

/* A row for the names, or two where that lets them be whole; numbers at the curves do without names
 * that would be cut. */
static int legend_rows(const struct chart *t, struct rect inner, int left, bool brief)
{
	const int rows = rows_of_names(t, inner.cols - left);
	return rows == 1 || (rows == 2 && inner.rows >= 10) ? rows : !brief;
}

static int head_rows(const struct chart *t, int rows)
{
	size_t labels = t->mean_of > 0;
	for (size_t i = 0; i < t->k->n_marks; i++)
		labels += t->k->marks[i].label != NULL;
	return labels == 0 || rows < 7 ? 0 : labels == 1 || rows < 11 ? 1 : 2;
}

/* Divides `inner` among plot and labels, and draws the labels. */
static void draw_frame(struct chart *t, struct rect inner)
{
	const bool ticks = inner.rows >= 3;
	int left = 0, right = widest_series(t, false), legend = 0;
	bool brief = false;
	for (size_t i = 0; i < t->n_ticks; i++) {
		const int w = (int)text_width(t->tick_labels[i]);
		left = w + 1 > left ? w + 1 : left;
	}
	if (inner.cols - left < LEAST_PLOT)
		left = 0;
	const bool many = t->k->n > 1 || all_brief(t);
	if (!many || right + 1 > inner.cols / 4 || (int)t->k->n > inner.rows - ticks) {
		brief = many && all_brief(t) && (int)t->k->n <= inner.rows - ticks - 1 &&
			widest_series(t, true) < (inner.cols - left) / 2;
		legend = many && inner.rows >= 6 ? legend_rows(t, inner, left, brief) : 0;
		right = brief ? widest_series(t, true) : 0;
	}
	t->right = inner.col + inner.cols;
	t->named = right > 0 || legend > 0;
	t->heads = head_rows(t, inner.rows - legend);
	const int above = legend + t->heads;
	t->plot = (struct rect){inner.row + above, inner.col + left, inner.rows - ticks - above,
				inner.cols - left - (right > 0 ? right + 1 : 0)};
	if (left > 0)
		draw_y_labels(t, left - 1);
	if (ticks)
		draw_x_labels(t, inner.col + inner.cols);
	if (legend)
		draw_legend(t, inner.row, legend, t->plot.col, inner.col + inner.cols);
	if (right > 0)
		draw_direct_labels(t, right, brief);
}

void canvas_curves(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	struct curves shown;
	struct chart t = {.c = c, .a = a, .k = &shown, .sx = 2, .sy = 4};
	t.mean_of = curves_smooth(a, k, (size_t)inner.cols, &shown);
	k = &shown;
	if (c->ascii)
		t.sx = t.sy = 1;
	else if (c->quadrants || c->presenter)
		t.sy = 2;
	if (!find_range(&t)) {
		canvas_paragraph(c, a, inner, "no finite values to draw", ATTR_DIM);
		return;
	}
	round_range(&t, inner.rows);
	draw_frame(&t, inner);
	t.dots = arena_calloc(a, (size_t)t.plot.rows * (size_t)t.plot.cols, sizeof *t.dots);
	draw_lines(&t);
	chart_leaders(&t);
	for (size_t s = 0; s < k->n; s++)
		if ((k->n == 1 || k->series[s].active) && t.plot.rows >= BAND_ROWS)
			draw_band(&t, s);
	for (size_t s = 0; s < k->n; s++)
		if (!k->series[s].active)
			draw_series(&t, s);
	for (size_t s = 0; s < k->n; s++)
		if (k->series[s].active)
			draw_series(&t, s);
	chart_marks(&t);
	print_dots(&t);
	chart_numbers(&t);
	chart_mark_labels(&t);
}
