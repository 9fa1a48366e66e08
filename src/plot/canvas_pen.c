/* canvas_pen.c: the pen on the cells of a terminal: text, strokes, marks and bars, each at least
 * one cell. */
#include "plot/canvas_pen.h"

#include <math.h>

#include "plot/canvas_strokes.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

static const unsigned attrs_of[] = {
	[ROLE_QUIET] = ATTR_DIM,
	[ROLE_PLAIN] = 0,
	[ROLE_VALUE] = 0,
	[ROLE_STRONG] = ATTR_BOLD,
	[ROLE_CHOSEN] = ATTR_BOLD | ATTR_ACCENT,
	[ROLE_HERE] = ATTR_ACCENT | ATTR_UNDERLINE,
	[ROLE_ALARM] = ATTR_REVERSE,
	[ROLE_PATH] = ATTR_BOLD | ATTR_ACCENT,
	[ROLE_END] = ATTR_BOLD | ATTR_ACCENT | ATTR_UNDERLINE,
};

unsigned canvas_pen_attrs(enum role role)
{
	return attrs_of[role];
}

/* ---- text ------------------------------------------------------------------------------------ */

static struct size measure(const struct pen *pen, const char *text)
{
	(void)pen;
	return (struct size){(double)text_width(text), 1};
}

static const char *fit(const struct pen *pen, enum role role, const char *text, double width)
{
	(void)role;
	return width < 1 ? "" : text_shorten(pen->arena, text, (size_t)width, pen->ascii);
}

/* Writes text in a colour, cut at the right end of the pen's area. */
static void put_text(const struct pen *pen, enum role role, uint32_t fg, double align, double x,
		     double y, const char *text)
{
	const double left = ceil(x - align * (double)text_width(text));
	const int col = (int)fmax(left, pen->at.x), right = (int)(pen->at.x + pen->at.w);
	canvas_text_colour(pen->on, (int)floor(y), col, right - col, text, attrs_of[role], fg,
			   CELL_DEFAULT);
}

static void put_series(const struct pen *pen, enum role role, size_t colour, double align, double x,
		       double y, const char *text)
{
	put_text(pen, role, colour != SIZE_MAX ? canvas_series_text(pen->on, colour) : CELL_DEFAULT,
		 align, x, y, text);
}

static void put_tone(const struct pen *pen, enum role role, const struct colormap *map,
		     enum tone tone, double align, double x, double y, const char *text)
{
	put_text(pen, role, map != NULL ? canvas_tone_letters(pen->on, map, tone) : CELL_DEFAULT,
		 align, x, y, text);
}

static void put_large(const struct pen *pen, double align, double x, double y, const char *text)
{
	put_text(pen, ROLE_STRONG, CELL_DEFAULT, align, x, y, text);
}

static void put_label(const struct pen *pen, enum role role, double align, double x, double y,
		      const char *text)
{
	put_text(pen, role, CELL_DEFAULT, align, x, y, text);
}

static double digits(const struct pen *pen, double right, double y, const char *number, bool draw)
{
	const int wide = canvas_big_value(pen->on, pen->arena, 0, 0, number, false);
	if (draw)
		canvas_big_value(pen->on, pen->arena, (int)y, (int)(right - wide), number, true);
	return wide;
}

static double apart(const struct pen *pen, const char *const *texts, size_t n, size_t step)
{
	(void)texts, (void)n, (void)step;
	return pen->line;
}

static const char **labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			   double width)
{
	return text_labels(pen->arena, from, n, first, (size_t)width, pen->ascii);
}

/* ---- strokes --------------------------------------------------------------------------------- */

static void begin(struct pen *pen, struct area clip)
{
	const struct rect r = {(int)clip.y, (int)clip.x, (int)clip.h, (int)clip.w};
	pen->strokes = arena_calloc(pen->arena, 1, sizeof *pen->strokes);
	*pen->strokes = strokes_new(pen->on, pen->arena, r);
}

static void end(struct pen *pen)
{
	strokes_draw(pen->strokes);
}

static void stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy)
{
	for (size_t i = 1; i < n; i++) {
		const int row = (int)floor(at[i - 1].y), to_row = (int)floor(at[i].y);
		const int col = (int)floor(at[i - 1].x), to_col = (int)floor(at[i].x);
		if (row == to_row)
			strokes_level(pen->strokes, row, col, to_col, heavy);
		else
			strokes_upright(pen->strokes, col, row, to_row, heavy);
	}
}

static void put_sign(const struct pen *pen, double x, double y, const char *sign, unsigned attrs)
{
	canvas_put(pen->on, (int)floor(y), (int)floor(x), sign, attrs, CELL_DEFAULT, CELL_DEFAULT);
}

static void head(const struct pen *pen, double x, double y, bool heavy)
{
	put_sign(pen, x, y, pen->ascii ? "v" : "▼", heavy ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM);
}

static void dot(const struct pen *pen, double x, double y)
{
	put_sign(pen, x, y, pen->ascii ? "o" : "●", ATTR_BOLD);
}

/* Draws "─ARG0──→". */
static void arrow(const struct pen *pen, double x, double y, double width, const char *label,
		  bool heavy, bool directed)
{
	const char *const line = pen->ascii ? heavy ? "=" : "-" : heavy ? "━" : "─";
	const char *const head = !directed ? line : pen->ascii ? ">" : heavy ? "▶" : "→";
	const int cols = (int)width;
	const int strokes = cols - 1 - (int)text_width(label), right = (int)(pen->at.x + pen->at.w);
	const unsigned attrs = heavy ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM;
	struct strbuf b;
	strbuf_init(&b, pen->arena);
	for (int i = 0; i <= strokes; i++) {
		if (i == strokes / 2)
			strbuf_add(&b, label);
		strbuf_add(&b, i == strokes ? head : line);
	}
	canvas_text_short(pen->on, pen->arena, (int)floor(y), (int)x,
			  right - (int)x < cols ? right - (int)x : cols, b.at, attrs);
}

/* Draws "└──┘" below words. */
static void group(const struct pen *pen, struct area words, double below, bool turned)
{
	(void)turned;
	static const char *const light[] = {"└", "─", "┘"}, *const ascii[] = {"[", "-", "]"};
	const char *const *const sign = pen->ascii ? ascii : light;
	for (double at = 0; at < words.w; at++)
		put_sign(pen, words.x + at, below, sign[at > 0 ? at + 1 < words.w ? 1 : 2 : 0],
			 ATTR_DIM);
}

static void chosen(const struct pen *pen, struct area row)
{
	canvas_text(pen->on, (int)row.y, (int)(row.x - pen->mark), 1, pen->ascii ? ">" : "▸",
		    attrs_of[ROLE_CHOSEN]);
}

/* ---- bars and lines -------------------------------------------------------------------------- */

/* Returns the sign of the last cell of a bar that has `eighths` of it: bars to the left end at halves, as there are no
 * other signs. */
static const char *end_of_bar(long eighths, bool left)
{
	static const char *const right[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	return !left ? right[eighths - 1] : eighths < 4 ? "▕" : "▐";
}

/* Returns the eighths of a column that a bar has. Those shorter than half a column are a thin line unless they are
 * hatched or ASCII. Halves are rounded up independent of rounding errors: equal values have equal bars. */
static long eighths_of(const struct canvas *c, double length, enum bar_form form)
{
	const bool exact = form == BAR_EXACT && !c->ascii;
	const long steps = (long)floor(length * (exact ? 8 : 1) + 0.5 + 1e-9);
	const bool thin = exact || (form == BAR_SOLID && !c->ascii);
	return steps == 0 && length > 0 ? (thin ? 1 : 8) : steps * (exact ? 1 : 8);
}

/* Draws a bar of `length` columns to the right of `col`, or to the left if negative. A thin bar is slightly lower than
 * its row, so that bars below each other stay separate; but one that ends at an eighth of a column has the height of
 * the signs that do. A bar that is off is hatched. */
static void write_bar(struct canvas *c, int row, int col, double length, enum bar_form form,
		      bool thick)
{
	const bool left = length < 0, off = form == BAR_OFF;
	const char *const plain = c->ascii ? "#" : thick || form == BAR_EXACT ? "█" : "▆";
	const char *const hatch = c->ascii ? "." : "░";
	const uint32_t fg = off ? CELL_DEFAULT : canvas_series(c, left ? 1 : 0);
	const long n = eighths_of(c, fabs(length), form);
	for (int i = 0; 8 * i < n; i++)
		canvas_put(c, row, left ? col - 1 - i : col + i,
			   n - 8 * i < 8 ? end_of_bar(n - 8 * i, left)
			   : off	 ? hatch
					 : plain,
			   0, fg, CELL_DEFAULT);
}

static void bar(const struct pen *pen, double x, double y, double length, double high,
		enum bar_form form)
{
	for (double row = floor(y - high / 2 + 0.5); row < y + high / 2; row++)
		write_bar(pen->on, (int)row, (int)x, length, form, high > 1);
}

/* Draws "├──╋──┤"; one that has no room for its ends is the stroke between them. */
static void interval(const struct pen *pen, double from, double middle, double to, double y,
		     double high, bool off)
{
	static const char *const strokes[] = {"├", "─", "┤", "╋"}, *const ascii[] = {"|", "-", "|",
										     "+"};
	const char *const *const sign = pen->ascii ? ascii : strokes;
	const uint32_t fg = off ? CELL_DEFAULT : canvas_series(pen->on, 0);
	const int first = (int)from, last = (int)to, here = (int)middle;
	(void)high;
	for (int col = first; col <= last; col++)
		canvas_put(pen->on, (int)floor(y), col,
			   sign[col == here    ? 3
				: col == first ? 0
				: col == last  ? 2
					       : 1],
			   off ? ATTR_DIM : ATTR_BOLD, fg, CELL_DEFAULT);
}

/* Draws a sign in each cell from top to bottom. */
static void put_line(const struct pen *pen, double x, double top, double bottom, const char *sign,
		     const char *ascii)
{
	for (double y = floor(top); y < bottom; y++)
		put_sign(pen, x, y, pen->ascii ? ascii : sign, ATTR_DIM);
}

static void axis(const struct pen *pen, double x, double top, double bottom)
{
	put_line(pen, x, top, bottom, "│", "|");
}

static void zero(const struct pen *pen, double x, double top, double bottom)
{
	put_line(pen, x, top, bottom, "┊", ":");
}

static void lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
		  size_t n)
{
	const struct rect r = {(int)at.y, (int)at.x, (int)at.h, (int)at.w};
	(void)pitch;
	canvas_lines(pen->on, pen->arena, r, lines, n);
}

/* ---- the device ------------------------------------------------------------------------------ */

static const struct pen_device cells = {
	.measure = measure,
	.fit = fit,
	.text = put_series,
	.text_tone = put_tone,
	.text_large = put_large,
	.digits = digits,
	.label = put_label,
	.apart = apart,
	.labels = labels,
	.wrap = canvas_flow_wrap,
	.formula = canvas_flow_formula,
	.formula_words = canvas_flow_words,
	.sheet = canvas_flow_sheet,
	.sheet_end = canvas_flow_sheet_end,
	.begin = begin,
	.end = end,
	.stroke = stroke,
	.head = head,
	.dot = dot,
	.arrow = arrow,
	.group = group,
	.chosen = chosen,
	.bar = bar,
	.axis = axis,
	.spot = dot,
	.interval = interval,
	.span = canvas_tone_span,
	.block = canvas_tone_block,
	.sign = canvas_tone_sign,
	.zero = zero,
	.drop = axis,
	.lines = lines,
	.dial = canvas_dial,
	.hand = canvas_dial_hand,
	.plane_look = canvas_plane_look,
	.plane_side = canvas_plane_side,
	.plane_marks = canvas_plane_marks,
	.plane_form = canvas_plane_form,
	.plane_leaders = canvas_plane_leaders,
	.plane_thumb = canvas_plane_thumb,
};

struct pen pen_cells(struct canvas *c, struct arena *a, struct rect inner)
{
	return (struct pen){.device = &cells,
			    .on = c,
			    .arena = a,
			    .at = {inner.col, inner.row, inner.cols, inner.rows},
			    .em = 1,
			    .line = 1,
			    .unit = 1,
			    .mark = 2,
			    .step = 1,
			    .gap = 1,
			    .leading = 1,
			    .bar = 1,
			    .thin = 1,
			    .cell = 1,
			    .digits = BIG_ROWS,
			    .aspect = 2,
			    .occasion = c->presenter ? IN_ROOM : ON_SCREEN,
			    .dark = c->dark,
			    .ascii = c->ascii};
}
