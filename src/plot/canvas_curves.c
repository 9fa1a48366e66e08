/* canvas_curves.c: a curve as dots inside cells: braille (2×4 dots), quarter blocks (2×2), or one
 * star a cell in ASCII. For a presenter, curves are of quarter blocks, thus thick.
 *
 * A cell has one colour, so every curve has a plot of its own (canvas_panes.c), unless curves are to
 * lie over one another (canvas_together.c); this file draws one plot, and the panel of a single curve. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_chart.h"
#include "posviz/base/text.h"

enum { LEAST_PLOT = 16, BAND_ROWS = 6 };

/* ---- dots ---- */

int chart_dot_x(const struct chart *t, double x)
{
	return (int)lround(curve_x_at(t->k, t->x, x) * (t->plot.cols * t->sx - 1));
}

int chart_dot_y(const struct chart *t, double y)
{
	double first;
	const double high = chart_dots_between(t->plot.rows, t->sy, &first);
	return (int)lround(first + (1 - curve_axis_at(&t->y, y)) * high);
}

void chart_dot(struct chart *t, int x, int y, enum rank rank)
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
}

void chart_line(struct chart *t, int xa, int ya, int xb, int yb, enum rank rank)
{
	const int dx = abs(xb - xa), dy = abs(yb - ya), steps = dx > dy ? dx : dy;
	for (int i = 0; i <= steps; i++) {
		const double f = steps > 0 ? (double)i / steps : 0;
		chart_dot(t, xa + (int)lround(f * (xb - xa)), ya + (int)lround(f * (yb - ya)),
			  rank);
	}
}

static void draw_series(struct chart *t, const struct series *e, enum rank rank)
{
	for (size_t i = 0; i < e->n; i++) {
		if (!isfinite(e->y[i]) || !isfinite(e->x[i]))
			continue;
		const int x = chart_dot_x(t, e->x[i]), y = chart_dot_y(t, e->y[i]);
		const bool before =
			!t->k->apart && i > 0 && isfinite(e->y[i - 1]) && isfinite(e->x[i - 1]);
		const bool after = !t->k->apart && i + 1 < e->n && isfinite(e->y[i + 1]);
		if (before)
			chart_line(t, chart_dot_x(t, e->x[i - 1]), chart_dot_y(t, e->y[i - 1]), x,
				   y, rank);
		else if (!after) /* a single point is drawn larger to be visible */
			chart_line(t, x, y, x + (!t->k->apart && t->sx > 1),
				   y + (!t->k->apart && t->sy > 2), rank);
	}
}

/* Draws one edge of a band between points i and i + 1, with every second dot. */
static void draw_edge(struct chart *t, const double *edge, size_t i)
{
	const int xa = chart_dot_x(t, t->s->x[i]), xb = chart_dot_x(t, t->s->x[i + 1]);
	for (int x = xa + xa % 2; x <= xb; x += 2) {
		const double f = xb > xa ? (double)(x - xa) / (xb - xa) : 0;
		chart_dot(t, x, chart_dot_y(t, edge[i] + f * (edge[i + 1] - edge[i])), RANK_BAND);
	}
}

/* Draws the band where it is at least a cell high: a narrower one would look like the curve. */
static void draw_band(struct chart *t)
{
	const struct series *const e = t->s;
	for (size_t i = 0; t->band && e->lo && e->hi && i + 1 < e->n; i++) {
		if (!isfinite(e->lo[i]) || !isfinite(e->hi[i]) || !isfinite(e->lo[i + 1]) ||
		    !isfinite(e->hi[i + 1]))
			continue;
		const int left = chart_dot_y(t, e->lo[i]) - chart_dot_y(t, e->hi[i]);
		const int right = chart_dot_y(t, e->lo[i + 1]) - chart_dot_y(t, e->hi[i + 1]);
		if (left < t->sy && right < t->sy)
			continue;
		draw_edge(t, e->lo, i);
		draw_edge(t, e->hi, i);
	}
}

/* Returns whether cells of a row have no dots, and one beside them in the row of an edge has the band's. */
static bool is_beside_band(const struct chart *t, int row, int edge, int col, int cols)
{
	if (row < 0 || row >= t->plot.rows || edge < 0 || edge >= t->plot.rows)
		return false;
	const struct dots *const at = t->dots + row * t->plot.cols, *const by = t->dots +
										edge * t->plot.cols;
	for (int i = col; i < col + cols; i++)
		if (at[i].mask != 0)
			return false;
	return by[col + cols / 2].rank == RANK_BAND;
}

/* Names an edge of the band outside it, as near to its right end as there is a place. */
static void name_edge(const struct chart *t, const double *edge, bool upper)
{
	const char *const name = upper ? "largest" : "least";
	const int cols = (int)text_width(name);
	const struct series *const s = t->s;
	for (size_t i = s->n; i-- > 0;) {
		if (!isfinite(edge[i]) || !isfinite(s->x[i]))
			continue;
		const int row = chart_dot_y(t, edge[i]) / t->sy;
		const int middle = chart_dot_x(t, s->x[i]) / t->sx;
		const int most = t->plot.cols - cols, from = middle - cols / 2;
		const int col = from < 0 ? 0 : from > most ? most : from;
		const int to = upper ? row - 1 : row + 1;
		if (most < 0 || !is_beside_band(t, to, row, col, cols))
			continue;
		canvas_text(t->c, t->plot.row + to, t->plot.col + col, cols, name, ATTR_DIM);
		return;
	}
}

static void name_band(const struct chart *t)
{
	if (!t->band || !t->s->lo || !t->s->hi)
		return;
	name_edge(t, t->s->hi, true);
	name_edge(t, t->s->lo, false);
}

static bool at_cursor(const struct chart *t)
{
	return t->k->has_cursor && t->k->cursor >= t->x.lo && t->k->cursor <= t->x.hi;
}

/* Draws a level as dashes, so that it is not taken for zero. */
static void draw_dashes(struct chart *t, double at)
{
	const int y = chart_dot_y(t, at), right = t->plot.cols * t->sx;
	for (int x = 0; x < right; x++)
		if (x / t->sx % 2 == 0)
			chart_dot(t, x, y, RANK_LEVEL);
}

/* Draws dotted lines at zero of both axes and at marks, dashes at levels, and a line at the cursor's
 * position. */
static void draw_lines(struct chart *t)
{
	const int right = t->plot.cols * t->sx, bottom = t->plot.rows * t->sy;
	if (t->y.scale.lo <= 0 && t->y.scale.hi >= 0)
		for (int x = 0; x < right; x += 2)
			chart_dot(t, x, chart_dot_y(t, 0), RANK_ZERO);
	if (t->x.lo < 0 && t->x.hi > 0)
		for (int y = 0; y < bottom; y += 2)
			chart_dot(t, chart_dot_x(t, 0), y, RANK_ZERO);
	for (size_t i = 0; i < t->k->n_marks; i++)
		for (int y = 0; t->k->marks[i].upright && y < bottom; y += 2)
			chart_dot(t, chart_dot_x(t, t->k->marks[i].x), y, RANK_ZERO);
	for (size_t i = 0; i < t->k->n_levels; i++)
		draw_dashes(t, t->k->levels[i].y);
	for (int y = 0; t->line && at_cursor(t) && y < bottom; y++)
		chart_dot(t, chart_dot_x(t, t->k->cursor), y, RANK_CURSOR);
}

bool chart_is_free(const struct chart *t, int row, int col, int cols)
{
	if (row < 0 || row >= t->plot.rows || col < 0 || col + cols > t->plot.cols)
		return false;
	for (int i = col; i < col + cols; i++)
		if (t->dots[row * t->plot.cols + i].rank > RANK_LEVEL)
			return false;
	return true;
}

/* Returns the label of a level that stands beside its line, with a dash of it. */
static const char *label_beside(const struct chart *t, const char *label)
{
	return arena_printf(t->a, "%s %s", t->c->ascii ? "=" : "╌", label);
}

/* Writes each label of a level into its line, else above or below it, at the right or the left end,
 * where no curve is. */
void chart_level_labels(const struct chart *t)
{
	bool *const taken = arena_calloc(t->a, (size_t)t->plot.rows + 1, sizeof *taken);
	for (size_t i = 0; i < t->k->n_levels; i++) {
		static const int beside[] = {0, -1, 1};
		const struct curve_level *const l = &t->k->levels[i];
		const int line = chart_dot_y(t, l->y) / t->sy;
		bool done = false;
		for (size_t k = 0; k < 12 && !done; k++) {
			const int off = beside[k % 6 / 2], row = line + off;
			const char *const name = k < 6 ? l->label : l->brief;
			const char *const label = off == 0 ? name : label_beside(t, name);
			const int w = (int)text_width(label) + 2;
			const int col = k % 2 == 0 ? t->plot.cols - w : 0;
			if (!chart_is_free(t, row, col, w) || taken[row])
				continue;
			canvas_text(t->c, t->plot.row + row, t->plot.col + col, w,
				    arena_printf(t->a, " %s ", label), ATTR_DIM);
			taken[row] = done = true;
		}
	}
}

static void glyph_of(const struct chart *t, const struct dots *d, char *out)
{
	static const char *const quarters[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
					       "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	static const char letters[] = {
		[RANK_NONE] = ' ',   [RANK_ZERO] = '.',	  [RANK_LEVEL] = '=',
		[RANK_BAND] = ':',   [RANK_BEFORE] = '-', [RANK_LEADER] = '|',
		[RANK_CURSOR] = '|', [RANK_CURVE] = '*',  [RANK_MARK] = '|'};
	if (t->c->ascii) {
		out[0] = d->rank == RANK_CURVE && t->letter ? t->letter : letters[d->rank];
		out[1] = '\0';
	} else if (t->sy == 2) {
		strcpy(out, d->rank == RANK_ZERO     ? "·"
			    : d->rank == RANK_LEVEL  ? "╌"
			    : d->rank == RANK_LEADER ? "┊"
						     : quarters[d->mask & 15]);
	} else {
		canvas_braille(out, d->mask);
	}
}

static void print_dots(const struct chart *t)
{
	const uint32_t ink = canvas_series(t->c, t->s->colour);
	for (int row = 0; row < t->plot.rows; row++) {
		for (int col = 0; col < t->plot.cols; col++) {
			const struct dots *const d = &t->dots[row * t->plot.cols + col];
			if (d->rank == RANK_NONE)
				continue;
			char glyph[8];
			glyph_of(t, d, glyph);
			const bool curve = d->rank >= RANK_CURVE;
			const unsigned attrs = d->rank == RANK_MARK	? ATTR_BOLD
					       : curve			? chart_weight(t)
					       : d->rank == RANK_CURSOR ? ATTR_ACCENT | ATTR_DIM
									: ATTR_DIM;
			canvas_put(t->c, t->plot.row + row, t->plot.col + col, glyph, attrs,
				   d->rank == RANK_CURVE || d->rank == RANK_BEFORE ? ink
										   : CELL_DEFAULT,
				   CELL_DEFAULT);
		}
	}
}

/* Draws the dot at the cursor's position. */
static void draw_cursor(const struct chart *t)
{
	double y;
	if (!t->chosen || !at_cursor(t) || !curves_height(t->s, t->k->cursor, &y))
		return;
	canvas_put(t->c, t->plot.row + chart_dot_y(t, y) / t->sy,
		   t->plot.col + chart_dot_x(t, t->k->cursor) / t->sx, t->c->ascii ? "o" : "●",
		   ATTR_BOLD | ATTR_ACCENT, CELL_DEFAULT, CELL_DEFAULT);
}

static void clear_dots(struct chart *t)
{
	t->dots = arena_calloc(t->a, (size_t)t->plot.rows * (size_t)t->plot.cols, sizeof *t->dots);
}

void chart_ground(struct chart *t)
{
	clear_dots(t);
	draw_lines(t);
	print_dots(t);
}

void chart_trace(struct chart *t)
{
	clear_dots(t);
	draw_series(t, t->s, RANK_CURVE);
}

void chart_print(const struct chart *t)
{
	print_dots(t);
}

void chart_draw(struct chart *t)
{
	clear_dots(t);
	draw_lines(t);
	chart_leaders(t);
	chart_point_lines(t);
	draw_band(t);
	if (t->s->before)
		draw_series(t, t->s->before, RANK_BEFORE);
	draw_series(t, t->s, RANK_CURVE);
	chart_marks(t);
	print_dots(t);
	name_band(t);
	chart_level_labels(t);
	draw_cursor(t);
	chart_points(t);
	chart_mark_labels(t);
}

int chart_dots_across(const struct canvas *c)
{
	return c->ascii ? 1 : 2;
}

int chart_dots_down(const struct canvas *c)
{
	return c->ascii ? 1 : c->quadrants || c->presenter ? 2 : 4;
}

void chart_open(struct chart *t, struct canvas *c, struct arena *a, const struct curves *k,
		size_t series)
{
	struct curve_mark *const marks = arena_calloc(a, k->n_marks + 1, sizeof *marks);
	bool any = false;
	*t = (struct chart){.c = c, .a = a, .k = k, .s = &k->series[series], .marks = marks};
	t->sx = chart_dots_across(c);
	t->sy = chart_dots_down(c);
	for (size_t i = 0; i < k->n_marks; i++)
		if (k->marks[i].series == series)
			marks[t->n_marks++] = k->marks[i];
	for (size_t i = 0; i < k->n; i++)
		any |= k->series[i].active;
	t->chosen = k->marked ? k->marked[series] : k->series[series].active || !any;
	t->raw = t->s;
}

unsigned chart_weight(const struct chart *t)
{
	return t->chosen ? ATTR_BOLD : t->k->marked ? ATTR_DIM : 0;
}

/* ---- one curve ---- */

/* Returns the name to be written beside the end of the curve: the whole one if it takes less than a
 * quarter of the width, else the short one. "" if there is no room, or if the title of the panel
 * already names the curve. */
static const char *name_beside(const struct chart *t, int cols)
{
	const struct series *const s = t->s;
	const char *const brief = s->brief ? s->brief : t->k->n > 1 ? s->label : NULL;
	if (!brief || (int)text_width(brief) >= cols / 2)
		return "";
	return (int)text_width(s->label) < cols / 4 ? s->label : brief;
}

const char *chart_smoothed(const struct chart *t)
{
	const char *const but = t->k->extremes ? ", but for the extremes" : "";
	const char *const x = t->k->x_title ? t->k->x_title : "";
	const char *const of = strstr(x, "s − t") || strstr(x, "distance") ? "distances"
			       : strcmp(x, "step") == 0			   ? "steps"
									   : "points";
	return arena_printf(t->a, "smoothed: means of %zu %s%s", t->s->mean_of, of, but);
}

/* Sets the words above the plot. */
static void say_words(struct chart *t)
{
	size_t n = 0;
	if (t->s->mean_of > 0)
		t->words[n++] = chart_smoothed(t);
	if (t->y.scale.mode == SCALE_SYMLOG)
		t->words[n++] = scale_mode_names[SCALE_SYMLOG];
}

static int head_rows(const struct chart *t, int rows)
{
	size_t labels = t->words[0] != NULL;
	for (size_t i = 0; i < t->n_marks; i++)
		labels += t->marks[i].label != NULL;
	return labels == 0 || rows < 7 ? 0 : labels == 1 || rows < 11 ? 1 : 2;
}

/* Divides `inner` among plot and labels, and draws the labels. */
static void draw_frame(struct chart *t, struct rect inner)
{
	const bool ticks = inner.rows >= 3;
	int left = chart_y_width(&t->y) + 1;
	if (inner.cols - left < LEAST_PLOT)
		left = 0;
	const char *const name = name_beside(t, inner.cols - left);
	const int beside = *name ? (int)text_width(name) + 1 : 0;
	t->right = inner.col + inner.cols;
	t->heads = head_rows(t, inner.rows);
	t->plot = (struct rect){inner.row + t->heads, inner.col + left,
				inner.rows - ticks - t->heads, inner.cols - left - beside};
	if (left > 0)
		chart_y_labels(t);
	if (ticks)
		chart_x_labels(t, inner.col);
	double y = t->y.scale.lo;
	for (size_t i = t->s->n; i-- > 0 && !curves_height(t->s, t->s->x[i], &y);)
		;
	canvas_text_colour(t->c, t->plot.row + chart_dot_y(t, y) / t->sy, t->right - beside + 1,
			   beside, name, t->s->active ? ATTR_BOLD : 0,
			   canvas_series_text(t->c, t->s->colour), CELL_DEFAULT);
}

/* Draws the only curve, or if several have neither panes nor rows of colours, the active one. */
static void draw_alone(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	struct curves shown;
	struct chart t;
	struct curve_range x, y;
	size_t at = 0;
	for (size_t i = k->n; i-- > 0;)
		at = (k->marked ? k->marked[i] : k->series[i].active) ? i : at;
	curves_smooth(a, k, (size_t)(inner.cols * chart_dots_across(c)), &shown);
	if (k->n == 0 || !curve_ranges(&shown.series[at], 1, true, &x, &y)) {
		canvas_paragraph(c, a, inner, "no finite values to draw", ATTR_DIM);
		return;
	}
	chart_open(&t, c, a, &shown, at);
	t.raw = &k->series[at];
	curve_reach(k, &x);
	t.x = x;
	t.band = inner.rows >= BAND_ROWS;
	t.line = true;
	curve_axis_fit(&t.y, a, k, y, chart_most_ticks(inner.rows), true);
	say_words(&t);
	chart_fit_y(&t.y, a, k, y, inner.rows - (inner.rows >= 3) - head_rows(&t, inner.rows));
	draw_frame(&t, inner);
	chart_draw(&t);
}

/* Returns whether words name extremes of the active curve that means would hide in a plot beside others, and not in one of
 * its own. */
static bool is_better_alone(struct canvas *c, struct arena *a, struct rect inner,
			    const struct curves *k)
{
	struct curves alone;
	if (!k->extremes || k->marked != NULL || !canvas_panes_smooth(c, a, inner, k))
		return false;
	curves_smooth(a, k, (size_t)(inner.cols * chart_dots_across(c)), &alone);
	for (size_t i = 0; i < k->n; i++)
		if (alone.series[i].active)
			return alone.series[i].mean_of == 0;
	return false;
}

void canvas_curves(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	if (canvas_together(c, a, inner, k))
		return;
	if (k->n < 2 || is_better_alone(c, a, inner, k) ||
	    !(canvas_panes(c, a, inner, k) || canvas_curve_rows(c, a, inner, k)))
		draw_alone(c, a, inner, k);
}
