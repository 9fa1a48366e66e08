/* canvas_panes.c: several curves on cells: side by side, each in a small plot of its own on the
 * same axes.
 *
 * The name of a curve is under its plot, and between them are the ends of x and zero. If plots are
 * low, the ends are beside the name, or only the lowest plot of each column has them. */
#include <math.h>
#include <string.h>

#include "plot/canvas_chart.h"
#include "plot/curve_panes.h"
#include "posviz/base/text.h"

/* A plot has at least FULL_ROWS rows; LEAST_ROWS if the panel has no room for these, and all plots
 * are in one row or are few. */
enum {
	LEAST_COLS = 9,
	FULL_ROWS = 8,
	LEAST_ROWS = 4,
	FEW = 4,
	BAND_COLS = 24, /* columns from which a plot has a band */
	BAND_ROWS = 8,
	FLAT = 3,
	LEAST_LEFT = 3 /* a sign, a digit and a blank */
};

struct panes {
	const struct curves *k;
	struct chart *at; /* [k->n] */
	struct rect inner;
	int across;	  /* plots in a row */
	int cols, rows;	  /* of a plot */
	int air;	  /* columns between plots */
	int left;	  /* columns of numbers left of a plot: of the first in a row, or of each */
	int heads, names; /* rows above a plot, and of names below it */
	int parts;	  /* part of `names`: rows of the name, before that of a running mean */
	bool own;	  /* each plot has its own limits of y */
	/* The ends of x are below each plot, or only below the lowest; or beside the names. */
	bool axis, last, beside;
	bool title;	     /* the title of x is in the last row */
	const char *ends[2]; /* of x */
};

/* ---- places ---------------------------------------------------------------------------------- */

static int rows_around(const struct panes *p)
{
	return p->heads + p->names + p->axis;
}

/* Divides the panel among plots of at least `least` rows; false if they do not fit. */
static bool divide(struct panes *p, int least, size_t most_down)
{
	const struct curve_panes room = {.w = p->inner.cols,
					 .h = p->inner.rows,
					 .left = p->left,
					 .gap = p->air,
					 .around = rows_around(p),
					 .own = p->own,
					 .whole = true,
					 .least_w = LEAST_COLS,
					 .least_h = least,
					 .flat = FLAT};
	struct curve_plots plots;
	if (!curve_panes_divide(&room, p->k->n, most_down, &plots))
		return false;
	p->across = (int)plots.across;
	p->cols = (int)plots.w;
	p->rows = (int)plots.h;
	return true;
}

static bool arrange(struct panes *p)
{
	const size_t n = p->k->n;
	return divide(p, FULL_ROWS, n) || divide(p, LEAST_ROWS, n > FEW ? 1 : n);
}

static struct rect place_of(const struct panes *p, size_t i)
{
	const int row = (int)i / p->across, col = (int)i % p->across;
	const int high = p->rows + rows_around(p);
	const int wide = p->cols + p->air + (p->own ? p->left : 0);
	return (struct rect){p->inner.row + row * high + p->heads,
			     p->inner.col + col * wide + p->left, p->rows, p->cols};
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the name in the longest form that fits; it mentions a running mean unless that has a row
 * of its own. */
static const char *name_of(const struct panes *p, size_t i)
{
	const struct chart *const t = &p->at[i];
	const struct series *const s = t->s;
	const char *const brief = s->brief ? s->brief : s->label;
	const bool below = p->names > p->parts;
	const char *const mean =
		s->mean_of && !below ? arena_printf(t->a, ", mean of %zu", s->mean_of) : "";
	const char *const whole = arena_printf(t->a, "%s%s", s->label, mean);
	if ((int)text_width(whole) <= p->cols || (int)text_width(brief) + 3 > p->cols)
		return text_shorten(t->a, whole, (size_t)p->cols, t->c->ascii);
	const int room = p->cols - (int)text_width(mean);
	return arena_printf(
		t->a, "%s%s",
		room < 1 ? brief : text_shorten(t->a, s->label, (size_t)room, t->c->ascii), mean);
}

/* Returns the bytes of a name in the first of two rows, up to a blank, "(" or "+"; 0 if one row is
 * enough. */
static size_t first_part(const struct panes *p, const char *name)
{
	if ((int)text_width(name) <= p->cols)
		return 0;
	size_t i = text_fit(name, p->cols > 0 ? (size_t)p->cols : 0, NULL);
	while (i > 0 && (!strchr(" (+", name[i]) || name[i - 1] == ' '))
		i--;
	return i;
}

/* Returns the rows of names: two if a name does not fit in one, and plots stay high enough. */
static int rows_of_names(const struct panes *p)
{
	int rows = 1;
	for (size_t i = 0; i < p->k->n; i++)
		rows = first_part(p, p->k->series[i].label) > 0 ? 2 : rows;
	return p->rows - (rows - 1) > LEAST_ROWS ? rows : 1;
}

/* Returns "smoothed: means of 9 distances" if that is so of all curves and has room in one line;
 * else NULL. */
static const char *all_smoothed(const struct panes *p)
{
	const size_t of = p->at[0].s->mean_of;
	bool same = of > 0;
	for (size_t i = 1; i < p->k->n; i++)
		same &= p->at[i].s->mean_of == of;
	const char *const words = chart_smoothed(&p->at[0]);
	return same && (int)text_width(words) <= p->inner.cols ? words : NULL;
}

static const char *mean_of(const struct panes *p, size_t i)
{
	const struct chart *const t = &p->at[i];
	const char *const words = arena_printf(t->a, "mean of %zu", t->s->mean_of);
	return (int)text_width(words) <= p->cols ? words
						 : arena_printf(t->a, "mean %zu", t->s->mean_of);
}

/* Returns whether running means are written in a row of their own, because names would be cut for
 * them. */
static bool parts_names(const struct panes *p)
{
	enum { LEAST_NAME = 6 };
	bool parts = false;
	for (size_t i = 0; i < p->k->n; i++) {
		const struct series *const s = p->at[i].s;
		const int name = (int)text_width(s->label),
			  mean = (int)text_width(mean_of(p, i)) + 2;
		parts |= s->mean_of > 0 &&
			 (p->parts > 1 || (name < LEAST_NAME ? name : LEAST_NAME) + mean > p->cols);
	}
	return parts;
}

static void write_middle(const struct chart *t, int row, const char *text, unsigned attrs,
			 uint32_t ink)
{
	const int width = (int)text_width(text);
	canvas_text_colour(t->c, row, t->plot.col + (t->plot.cols - width) / 2, width, text, attrs,
			   ink, CELL_DEFAULT);
}

static bool ends_fit(const struct panes *p)
{
	const int beside = (int)(text_width(p->ends[0]) + text_width(p->ends[1]));
	const int each = 2 * ((int)fmax(text_width(p->ends[0]), text_width(p->ends[1])) + 1);
	int widest = 0;
	for (size_t i = 0; i < p->k->n; i++) {
		const int width = (int)text_width(name_of(p, i));
		widest = width > widest ? width : widest;
	}
	return (each > beside ? each : beside) + widest <= p->cols;
}

/* Writes a name in as many rows as names have. */
static void write_name(const struct panes *p, size_t i, int row)
{
	const struct chart *const t = &p->at[i];
	const struct series *const s = t->s;
	const unsigned attrs = p->k->marked ? chart_weight(t)
			       : s->active  ? ATTR_BOLD | ATTR_UNDERLINE
					    : 0;
	const uint32_t ink = canvas_series_text(t->c, s->colour);
	const size_t first = p->parts > 1 ? first_part(p, s->label) : 0;
	if (first == 0) {
		write_middle(t, row, name_of(p, i), attrs, ink);
		return;
	}
	const char *const rest = s->label + first + strspn(s->label + first, " ");
	write_middle(t, row, arena_strndup(t->a, s->label, first), attrs, ink);
	write_middle(t, row + 1, text_shorten(t->a, rest, (size_t)p->cols, t->c->ascii), attrs,
		     ink);
}

static void write_names(const struct panes *p, size_t i)
{
	const struct chart *const t = &p->at[i];
	const bool axis = p->axis || (p->last && i + (size_t)p->across >= p->k->n);
	const int below = t->plot.row + t->plot.rows, row = below + axis;
	write_name(p, i, row);
	const char *const all = p->names > p->parts ? all_smoothed(p) : NULL;
	if (all && i == 0)
		canvas_text(t->c, row + p->parts,
			    p->inner.col + (p->inner.cols - (int)text_width(all)) / 2,
			    p->inner.cols, all, ATTR_DIM);
	else if (!all && p->names > p->parts && t->s->mean_of)
		write_middle(t, row + p->parts, mean_of(p, i), ATTR_DIM, CELL_DEFAULT);
	if (axis || p->beside)
		chart_x_ends(t, below, axis);
}

/* Writes the title of x in a row reserved for it, or left of the ends; whole, or the part after its
 * last comma. */
static void write_title(const struct panes *p)
{
	const struct chart *const t = p->at;
	const char *const title = p->k->x_title ? p->k->x_title : "";
	const char *const part = chart_last_part(title);
	const char *const brief = part ? part : title;
	const bool whole = (int)text_width(title) <= p->inner.cols;
	const int axis = t->plot.row + t->plot.rows;
	if (p->title)
		canvas_text_right(t->c, t->a, p->inner.row + p->inner.rows - 1,
				  p->inner.col + p->inner.cols, p->inner.cols,
				  whole ? title : brief, ATTR_DIM);
	else if (p->axis && (int)text_width(brief) < p->left)
		canvas_text_right(t->c, t->a, axis, t->plot.col - 1, p->left, brief, ATTR_DIM);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void widen_left(struct panes *p, int cols)
{
	p->left = cols > p->left ? cols : p->left;
}

/* Computes common limits, or those of each plot, and the columns left of it; false if there is no finite point. */
static bool fit_axes(struct panes *p, struct arena *a, const struct curves *k)
{
	struct curve_range x, y;
	const bool bands = p->cols >= BAND_COLS && p->rows >= BAND_ROWS;
	if (!curve_ranges(k->series, k->n, bands, &x, &y))
		return false;
	curve_reach(k, &x);
	for (size_t i = 0; i < k->n; i++) {
		struct chart *const t = &p->at[i];
		struct curve_range none, own;
		const bool any = curve_ranges(&k->series[i], 1, bands, &none, &own);
		t->x = x;
		t->band = bands;
		chart_fit_y(&t->y, a, k, p->own && any ? own : y, p->rows);
		widen_left(p, chart_y_width(&t->y) + 1);
	}
	if (p->at[0].y.scale.mode == SCALE_SYMLOG)
		widen_left(p, (int)strlen(scale_mode_names[SCALE_SYMLOG]) + 1);
	const char **const ends = chart_ends(p->at);
	p->ends[0] = ends[0];
	p->ends[1] = ends[1];
	return true;
}

static bool has_labels(const struct curves *k)
{
	bool any = false;
	for (size_t i = 0; i < k->n_marks; i++)
		any |= k->marks[i].label != NULL;
	return any;
}

/* Adds rows for marks and the title of x if plots stay high, and for the ends of x if low plots
 * have none beside their names: below each plot if it stays readable, else below the lowest if rows
 * are left. */
static void add_rows(struct panes *p)
{
	const int down = ((int)p->k->n + p->across - 1) / p->across;
	const int spare = p->inner.rows - down * (p->rows + p->names);
	/* A name in two rows does not replace the row of marks. */
	p->heads = has_labels(p->k) && p->rows + p->parts - 1 > FULL_ROWS;
	p->beside = p->rows - p->heads <= FULL_ROWS && ends_fit(p);
	p->axis = !p->beside && p->rows - p->heads > LEAST_ROWS;
	p->last = !p->beside && !p->axis && spare > 0;
	p->rows -= p->heads + p->axis;
	const bool over = p->inner.rows > down * (p->rows + rows_around(p));
	p->title = p->axis && p->k->x_title && (over || (down == 1 && p->rows > FULL_ROWS));
	p->rows -= p->title && !over;
}

/* Finds places; then the rows of each plot without those around it. */
static bool settle(struct panes *p)
{
	p->heads = p->axis = p->last = false;
	if (!arrange(p))
		return false;
	add_rows(p);
	return true;
}

/* Finds places and limits. They depend on each other: means are over as many points as a plot has
 * columns, the numbers of the axis take columns from it, and stand in its rows. */
static bool plan(struct panes *p, struct canvas *c, struct arena *a, struct curves *shown)
{
	enum { PASSES = 3 };
	const struct curves *const k = p->k;
	p->left = LEAST_LEFT;
	for (int pass = 0; pass < PASSES; pass++) {
		p->heads = p->axis = p->last = false;
		if (!arrange(p))
			return false;
		curves_smooth(a, k, (size_t)(p->cols * chart_dots_across(c)), shown);
		for (size_t i = 0; i < k->n; i++) {
			chart_open(&p->at[i], c, a, shown, i);
			p->at[i].raw = &k->series[i];
		}
		if (!fit_axes(p, a, shown))
			return false;
		p->parts = rows_of_names(p);
		p->names = p->parts + parts_names(p);
		if (!settle(p) || !fit_axes(p, a, shown))
			return false;
	}
	return settle(p) && fit_axes(p, a, shown);
}

static int air_of(int cols)
{
	enum { SOME = 12, MUCH = 24 };
	return cols >= MUCH ? 3 : cols >= SOME ? 2 : 1;
}

static struct panes open_panes(struct arena *a, struct rect inner, const struct curves *k)
{
	return (struct panes){.k = k,
			      .at = arena_calloc(a, k->n, sizeof(struct chart)),
			      .inner = inner,
			      .air = air_of(inner.cols / (int)k->n),
			      .names = 1,
			      .parts = 1,
			      .own = k->spread == CURVES_OWN};
}

bool canvas_panes_smooth(struct canvas *c, struct arena *a, struct rect inner,
			 const struct curves *k)
{
	struct curves shown;
	struct panes p = open_panes(a, inner, k);
	bool any = false;
	if (!plan(&p, c, a, &shown))
		return false;
	for (size_t i = 0; i < k->n; i++)
		any |= shown.series[i].active && shown.series[i].mean_of > 0;
	return any;
}

bool canvas_panes(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	struct curves shown;
	struct panes p = open_panes(a, inner, k);
	if (!plan(&p, c, a, &shown))
		return false;
	for (size_t i = 0; i < k->n; i++) {
		struct chart *const t = &p.at[i];
		const bool first = i % (size_t)p.across == 0;
		t->plot = place_of(&p, i);
		t->right = t->plot.col + t->plot.cols;
		t->heads = p.heads;
		if (p.own || first)
			chart_y_labels(t);
		if (first && t->y.scale.mode == SCALE_SYMLOG)
			canvas_text(c, t->plot.row + t->plot.rows + p.axis, inner.col, p.left,
				    scale_mode_names[SCALE_SYMLOG], ATTR_DIM);
		write_names(&p, i);
		chart_draw(t);
	}
	write_title(&p);
	return true;
}
