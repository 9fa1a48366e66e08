/* pen_bars.c: bars, each with its label and its value. If there is no room for all, a page shows the
 * largest and says how many more there are; cells put bars side by side, then show only those around
 * the cursor, or the first of a ranking. Bars of the cursor and those that are to be kept stay. */
#include <math.h>

#include "plot/pen.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/plot/scale.h"

enum {
	TICKS = 6,	  /* most numbers of an axis */
	TICK_EMS = 7,	  /* digits of width for each */
	LEAST_PLOT = 8,	  /* columns of bars with an axis beside whole names */
	LEAST_BARS = 5,	  /* the same without one */
	LEAST_SPANS = 24, /* the same for intervals, whose ends are to be compared */
	LEAST_BRIEF = 4,  /* columns of bars beside whole notes where there are shorter ones */
	LABEL = 8,	  /* columns of a label up to which whole notes stand beside it */
	LEAST = 30,	  /* least columns of bars side by side */
	GAP = 3,	  /* columns between them */
	LARGE_PART = 3	  /* large digits take at most 1 / LARGE_PART of the width */
};

struct chart {
	const struct pen *pen;
	const struct bars *b;
	struct area at;		   /* of one column of bars */
	const char *const *labels; /* not shortened */
	double label, plot;	   /* widths of labels and bars */
	double value, off;	   /* widths of values and of the word "off" */
	double lo, hi, pitch;
	size_t shown, high;  /* high: bars below each other */
	const size_t *order; /* [shown] indices of bars, rising */
	bool part;	     /* not all are shown, which a line below says */
	bool large;	     /* values are in large digits */
	bool brief;	     /* values are the shorter texts */
	size_t n_ticks;
	double ticks[TICKS];
	const char **tick_labels;
};

static bool is_faint(const struct bars *b, size_t i)
{
	return b->faint != NULL && b->faint[i];
}

static const char *value_text(const struct chart *t, size_t i)
{
	char text[32];
	if (t->brief)
		return t->b->briefs[i];
	if (t->b->notes != NULL)
		return t->b->notes[i] != NULL ? t->b->notes[i] : "";
	return arena_strdup(t->pen->arena, num_show(text, sizeof text, t->b->values[i], 3));
}

static double value_width(const struct chart *t, size_t i)
{
	const struct pen *const pen = t->pen;
	const char *const value = value_text(t, i);
	return t->large ? pen_digits(pen, 0, 0, value, false) : pen_measure(pen, value).w;
}

static bool is_marked(const struct bars *b, size_t i)
{
	return (b->has_cursor && i == b->cursor) || (b->marked != NULL && b->marked[i]);
}

/* Returns whether any bar may have a sign before it. */
static bool has_signs(const struct bars *b)
{
	return b->has_cursor || b->marked != NULL;
}

static bool is_off(const struct bars *b, size_t i)
{
	return b->off != NULL && b->off[i];
}

static bool has_mark(const struct bars *b, size_t i)
{
	return b->marks != NULL && isfinite(b->marks[i]);
}

static bool has_interval(const struct bars *b, size_t i)
{
	return b->lo != NULL && b->hi != NULL && isfinite(b->lo[i]) && isfinite(b->hi[i]);
}

/* Returns the unit of the bars, and the meaning of dots if there are any. */
static const char *unit_of(struct arena *a, const struct bars *b, bool brief)
{
	if (brief && b->brief_unit != NULL)
		return b->brief_unit;
	bool any = false;
	for (size_t i = 0; i < b->n && b->legend == NULL; i++)
		any |= has_mark(b, i);
	return any ? arena_printf(a, "%s · dot: %s", b->unit, b->mark_title) : b->unit;
}

static const char *const *labels_of(struct arena *a, const struct bars *b)
{
	if (b->labels != NULL)
		return b->labels;
	const char **const numbers = arena_calloc(a, b->n, sizeof *numbers);
	for (size_t i = 0; i < b->n; i++)
		numbers[i] = arena_printf(a, "%zu", i + 1);
	return numbers;
}

/* Chooses the shorter texts if whole labels and the notes leave too little room for bars. */
static void choose_texts(struct chart *t)
{
	double label = 0, value = 0;
	if (t->b->briefs == NULL || !(t->pen->cell > 0))
		return;
	for (size_t i = 0; i < t->b->n; i++) {
		label = fmax(label, pen_measure(t->pen, t->labels[i]).w);
		value = fmax(value, value_width(t, i));
	}
	label = fmin(label, LABEL * t->pen->em);
	t->brief = label + value + (3 + LEAST_BRIEF) * t->pen->em > t->at.w;
}

/* Divides the width: values first, then labels, up to two thirds of the rest; bars get what
 * remains. */
static void plan_columns(struct chart *t)
{
	const struct pen *const pen = t->pen;
	const struct bars *const b = t->b;
	const double em = pen->em;
	double widest = 0;
	choose_texts(t);
	t->lo = b->base;
	t->hi = b->whole > b->base ? b->whole : b->base;
	for (size_t i = 0; i < b->n; i++) {
		const double v = isfinite(b->values[i]) ? b->values[i] : b->base;
		t->value = fmax(t->value, value_width(t, i));
		widest = fmax(widest, fmin(pen_measure(pen, t->labels[i]).w, t->at.w));
		t->off = is_off(b, i) && t->at.w >= 16 * em ? 4 * em : t->off;
		t->lo = fmin(t->lo, v);
		t->hi = fmax(t->hi, v);
		if (has_interval(b, i)) {
			t->lo = fmin(t->lo, b->lo[i]);
			t->hi = fmax(t->hi, b->hi[i]);
		}
		if (has_mark(b, i)) {
			t->lo = fmin(t->lo, b->marks[i]);
			t->hi = fmax(t->hi, b->marks[i]);
		}
	}
	t->hi = t->hi > t->lo ? t->hi : t->lo + 1;
	if (b->briefs == NULL || t->brief || !(pen->cell > 0))
		t->value = fmin(t->value, pen_whole(pen, t->at.w / 2));
	const double rest = t->at.w - t->value - 2 * em - t->off;
	const bool whole = rest - em - widest >= (b->axis ? LEAST_PLOT : LEAST_BARS) * em;
	double most = rest - em < 2 * widest && !whole ? pen_whole(pen, rest * 2 / 3) : widest;
	/* Notes that could be shorter leave a long name no more than they counted on. */
	if (b->briefs != NULL && !t->brief && pen->cell > 0 && rest - em - most < LABEL * em)
		most = fmin(most, LABEL * em);
	t->label = fmin(widest, fmax(most, em));
	/* A dot at the end of an axis is not taken for a sign before the value. */
	const double clear = b->axis && b->marks != NULL && pen->cell > 0 ? 2 * em : 0;
	t->plot = rest - t->label - em - clear;
}

int pen_bars_beside(const struct bars *b, int rows, int cols)
{
	int beside = 1;
	while (rows > 0 && !b->axis && b->n > (size_t)(rows * beside) &&
	       (cols + GAP) / (beside + 1) >= LEAST + GAP)
		beside++;
	return beside;
}

static bool is_kept(const struct bars *b, size_t i)
{
	return is_marked(b, i) || (b->kept != NULL && b->kept[i]);
}

/* Returns whether bar i comes before bar k where not all have room. */
static bool comes_before(const struct bars *b, size_t i, size_t k)
{
	const double x = fabs(b->values[i] - b->base), y = fabs(b->values[k] - b->base);
	if (is_kept(b, i) != is_kept(b, k))
		return is_kept(b, i);
	return !b->ranked && isfinite(x) && (x > y || isnan(y));
}

/* Returns the indices of n bars, rising: those that are kept, then the first of a ranking, else the largest. */
static const size_t *choose(struct arena *a, const struct bars *b, size_t n)
{
	size_t *const out = arena_calloc(a, b->n + 1, sizeof *out), kept = 0;
	bool *const in = arena_calloc(a, b->n + 1, sizeof *in);
	for (size_t i = 0; i < b->n; i++) {
		size_t at = i;
		for (; at > 0 && comes_before(b, i, out[at - 1]); at--)
			out[at] = out[at - 1];
		out[at] = i;
	}
	for (size_t k = 0; k < n; k++)
		in[out[k]] = true;
	for (size_t i = 0; i < b->n; i++)
		if (in[i])
			out[kept++] = i;
	return out;
}

/* Returns the indices of n bars from `first` on. */
static const size_t *from(struct arena *a, size_t first, size_t n)
{
	size_t *const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t k = 0; k < n; k++)
		out[k] = first + k;
	return out;
}

/* Plans bars on cells: returns how many are side by side, and chooses those that are shown. */
static int plan_cells(struct chart *t, double height)
{
	const struct bars *const b = t->b;
	const int beside = pen_bars_beside(b, (int)height, (int)t->at.w);
	t->pitch = 1;
	if (b->n <= (size_t)height && beside == 1 && t->pen->occasion == IN_ROOM)
		t->pitch = fmin(floor(height / (double)b->n), t->pen->digits + 1);
	t->large = t->pitch > t->pen->digits;
	for (size_t i = 0; i < b->n && t->large; i++)
		t->large = value_width(t, i) > 0 && value_width(t, i) <= t->at.w / LARGE_PART;
	t->high = (size_t)height;
	t->part = b->n > t->high * (size_t)beside && t->high > 1;
	t->high -= t->part;
	t->shown = t->high * (size_t)beside < b->n ? t->high * (size_t)beside : b->n;
	t->order =
		b->ranked && t->shown > 1
			? choose(t->pen->arena, b, t->shown)
			: from(t->pen->arena,
			       pen_window(b->has_cursor ? b->cursor : 0, t->shown, b->n), t->shown);
	t->high = (t->shown + (size_t)beside - 1) / (size_t)beside;
	return beside;
}

/* Returns how far apart all labels and values must be. */
static double apart_of(const struct chart *t)
{
	const size_t n = t->b->n;
	const char **const values = arena_calloc(t->pen->arena, n, sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = value_text(t, i);
	return fmax(pen_apart(t->pen, t->labels, n, 1), pen_apart(t->pen, values, n, 1));
}

/* Returns the height of the line that tells how many more there are; on a page it keeps clear of the last label. */
static double more_line(const struct chart *t)
{
	return t->pen->line * (t->pen->cell > 0 ? 1 : 1.25);
}

/* Plans bars on a page: as many as have room for their labels. */
static void plan_paper(struct chart *t, double height)
{
	const struct bars *const b = t->b;
	const double line = t->pen->line, apart = fmax(apart_of(t), line / 4);
	t->part = (double)b->n * apart > height;
	const double room = t->part ? fmax(height - more_line(t), apart) : height;
	if (t->part)
		t->shown = (size_t)fmin(fmax(1, floor(room / apart)), (double)b->n);
	t->high = t->shown;
	t->order = choose(t->pen->arena, b, t->shown);
	t->pitch = fmax(fmin(room / (double)t->shown, 2 * line), 1.0 / 64);
}

/* Draws a bar in the colour of its sign in the map of the matrices beside it. */
static void draw_signed(const struct chart *t, double v, double from, double y, double length)
{
	const double thick = fmin(t->pen->bar * t->pitch, 1.3 * t->pen->line);
	const enum tone tone = t->b->sizes ? TONE_PART : v < 0 ? TONE_MINUS : TONE_PLUS;
	pen_span(t->pen, t->b->colormap, tone,
		 (struct area){fmin(from, from + length), y - thick / 2, fabs(length), thick});
}

/* Draws a bar from `zero`; with an interval only up to its nearer end, and dim beyond that. */
static void draw_bar(const struct chart *t, size_t i, double zero, double line, double y,
		     double unit, double thick)
{
	const struct bars *const b = t->b;
	const double v = b->values[i] - b->base;
	const bool off = is_off(b, i) || is_faint(b, i);
	const enum bar_form form = off ? BAR_OFF : b->ranked ? BAR_EXACT : BAR_SOLID;
	if (b->spans && has_interval(b, i)) {
		const double ends[] = {b->lo[i], v + b->base, b->hi[i]};
		double at[3];
		for (size_t k = 0; k < 3; k++)
			at[k] = zero + pen_round(t->pen, (ends[k] - b->base) * unit);
		pen_interval(t->pen, at[0], at[1], at[2], y, thick, off);
		return;
	}
	if (!has_interval(b, i) && b->colormap != NULL && !off) {
		draw_signed(t, v, v < 0 ? zero : zero + line, y, v * unit);
		return;
	}
	if (!has_interval(b, i)) {
		pen_bar(t->pen, v < 0 ? zero : zero + line, y, v * unit, thick, form);
		return;
	}
	const double lo = b->lo[i] - b->base, hi = b->hi[i] - b->base;
	if (hi > 0)
		pen_bar(t->pen, zero + line, y, hi * unit, thick, BAR_OFF);
	if (lo < 0)
		pen_bar(t->pen, zero, y, lo * unit, thick, BAR_OFF);
	if (lo > 0 || hi < 0)
		pen_bar(t->pen, lo > 0 ? zero + line : zero, y, (lo > 0 ? lo : hi) * unit, thick,
			form);
}

/* Returns the length of a bar of value 1; on cells in axis mode the last column is that of t->hi. */
static double unit_of_axis(const struct chart *t, double line)
{
	const double less = t->b->axis ? t->pen->cell * (t->plot > 1) : line;
	return (t->plot - less) / (t->hi - t->lo);
}

static void draw_row(const struct chart *t, size_t i, struct area at, const char *label)
{
	const struct pen *const pen = t->pen;
	const struct bars *const b = t->b;
	const bool off = is_off(b, i), here = is_marked(b, i);
	/* On cells a blank row is below a bar of several rows. */
	const double thick = t->pitch > 1 ? t->pitch - pen->cell : t->pitch;
	const double y = at.y + thick / 2, right = at.x + at.w, from = at.x + t->label + pen->em;
	/* If there are negative values, the line of zero has cells of its own. */
	const double line = t->lo < b->base && !b->axis ? pen->cell : 0;
	const double unit = unit_of_axis(t, line), v = b->values[i];
	const double zero = from + pen_round(pen, (b->base - t->lo) * unit);
	if (t->plot >= 1 && line > 0)
		pen_axis(pen, zero, at.y, at.y + t->pitch);
	/* On a page a dot is below its bar, and hides no part of it. */
	const bool below = b->marks != NULL && !(pen->cell > 0);
	/* The line of the base lies under an interval, so that this is whole. */
	if (t->plot >= 1 && b->axis && t->lo < b->base && pen->cell > 0)
		pen_axis(pen, zero, at.y, at.y + t->pitch);
	if (t->plot >= 1 && isfinite(v))
		draw_bar(t, i, zero, line, below ? y - 0.16 * thick : y, unit,
			 below ? 0.68 * thick : thick);
	else if (t->plot >= 1)
		pen_text(pen, ROLE_ALARM, 0, zero + line, y, "!");
	if (t->plot >= 1 && has_mark(b, i)) {
		const double x = zero + pen_round(pen, (b->marks[i] - b->base) * unit);
		pen_spot(pen, fmin(x, from + t->plot - pen->cell), below ? y + 0.24 * thick : y);
	}
	if (here && pen->mark > 0 && at.x >= pen->at.x + pen->mark)
		pen_chosen(pen, (struct area){at.x, floor(y), at.w, 1});
	pen_label(pen,
		  here	? ROLE_PATH
		  : off ? ROLE_QUIET
			: ROLE_PLAIN,
		  1, at.x + t->label, y, label);
	const enum role role = off ? ROLE_QUIET : here ? ROLE_STRONG : ROLE_PLAIN;
	if (t->large)
		pen_digits(pen, right - t->off, at.y, value_text(t, i), true);
	else
		pen_label(pen, role, 1, right - t->off, y,
			  pen_fit(pen, role, value_text(t, i), t->value));
	if (off && t->off > 0)
		pen_label(pen, ROLE_STRONG, 1, right, y, "off");
}

static void draw_rows(const struct chart *t, double mark)
{
	const struct pen *const pen = t->pen;
	const char **const labels = pen_labels(pen, t->labels, t->b->n, 0, t->label);
	for (size_t i = 0; i < t->shown; i++) {
		struct area at = t->at;
		at.y += (double)(i % t->high) * t->pitch;
		at.x += (double)(i / t->high) * (t->at.w + mark + GAP);
		draw_row(t, t->order[i], at, labels[t->order[i]]);
	}
}

/* Tells which of the bars are shown: a range, a range and a last one, or how many more there are. */
static const char *part_words(const struct chart *t)
{
	struct arena *const a = t->pen->arena;
	const size_t *const at = t->order, n = t->b->n, shown = t->shown;
	if (!(t->pen->cell > 0) || shown < 2)
		return arena_printf(a, "%zu more", n - shown);
	const bool range = at[shown - 2] - at[0] + 2 == shown;
	const bool jumps = at[shown - 1] != at[shown - 2] + 1;
	return !range  ? arena_printf(a, "%zu of %zu", shown, n)
	       : jumps ? arena_printf(a, "%zu to %zu and %zu of %zu", at[0] + 1, at[shown - 2] + 1,
				      at[shown - 1] + 1, n)
		       : arena_printf(a, "%zu to %zu of %zu", at[0] + 1, at[shown - 1] + 1, n);
}

/* ---- the axis and what is below ---- */

/* The heights below the bars: numbers of the axis, the unit if it has a line of its own, and the
 * legend. */
struct foot {
	double axis, unit, legend;
	bool beside; /* the unit is in the line of the numbers */
	bool whole;  /* the legend has its further sentences */
};

static double legend_of(const struct pen *pen, const struct bars *b, struct area at, bool whole,
			bool draw)
{
	const char *const text =
		whole ? arena_printf(pen->arena, "%s %s", b->legend, b->legend_more) : b->legend;
	const struct text_run run = {.role = ROLE_QUIET, .text = text};
	return b->legend != NULL ? pen_wrap(pen, at, &run, 1, draw) : 0;
}

static double value_cols(const struct chart *t)
{
	double widest = 0;
	for (size_t i = 0; i < t->b->n; i++)
		widest = fmax(widest, value_width(t, i));
	return widest;
}

static struct foot foot_of(const struct chart *t)
{
	const struct pen *const pen = t->pen;
	const struct bars *const b = t->b;
	const bool titled = b->unit != NULL && *b->unit != '\0';
	const double line = pen->line, lines = pen->at.h / line, n = (double)b->n;
	struct foot out = {.axis = b->axis && lines >= 3 ? line : 0};
	out.beside =
		out.axis > 0 && titled && pen_measure(pen, b->unit).w <= value_cols(t) + pen->em;
	/* The line of the unit has the lowest priority, but for the legend. */
	if (titled && !out.beside && (n + (out.axis > 0) < lines || lines > 4))
		out.unit = line + (b->axis ? 0 : pen->air * 3 / 4);
	const double least = pen->cell > 0 ? n * line : n * line * 3 / 4;
	const bool more = pen->cell > 0 && b->legend != NULL && b->legend_more != NULL;
	for (int whole = more; whole >= 0 && out.legend <= 0; whole--) {
		const double legend = legend_of(pen, b, pen->at, whole, false);
		if (legend <= 0 || least + out.axis + out.unit + legend > pen->at.h)
			continue;
		out.legend = legend + (pen->cell > 0 ? 0 : line / 2);
		out.whole = whole;
	}
	return out;
}

double pen_bars_wish(const struct pen *pen, const struct bars *b)
{
	struct pen tall = *pen;
	tall.at.h = 1000 * pen->line;
	const struct chart t = {.pen = &tall, .b = b, .at = tall.at};
	const struct foot foot = foot_of(&t);
	return (double)b->n * pen->line + foot.axis + foot.unit + foot.legend;
}

int pen_bars_cols(const struct bars *b)
{
	size_t label = 0, value = 0;
	for (size_t i = 0; i < b->n; i++) {
		const size_t of_label = b->labels != NULL ? text_width(b->labels[i]) : 2;
		const size_t of_value = b->notes != NULL ? text_width(b->notes[i]) : 6;
		label = of_label > label ? of_label : label;
		value = of_value > value ? of_value : value;
	}
	return (int)(label + value) + (b->spans ? LEAST_SPANS : LEAST_PLOT) + 5;
}

static double tick_x(const struct chart *t, double value)
{
	const double left = t->at.x + t->label + t->pen->em, unit = unit_of_axis(t, 0);
	return left + pen_round(t->pen, (t->b->base - t->lo) * unit) +
	       pen_round(t->pen, (value - t->b->base) * unit);
}

static void plan_ticks(struct chart *t)
{
	const double most = floor(t->plot / (TICK_EMS * t->pen->em));
	t->n_ticks = scale_ticks(t->lo, t->hi, (size_t)fmax(2, fmin(most, TICKS)), t->ticks);
	t->tick_labels = scale_tick_labels(t->pen->arena, t->ticks, t->n_ticks, false);
}

/* Draws dotted lines at the numbers of the axis, below the bars. */
static void draw_grid(const struct chart *t, double top, double bottom)
{
	for (size_t i = 0; i < t->n_ticks && t->plot >= LEAST_PLOT; i++)
		pen_zero(t->pen, tick_x(t, t->ticks[i]), top, bottom);
}

static void draw_axis(const struct chart *t, const struct foot *foot, double y)
{
	const struct pen *const pen = t->pen;
	const double right = t->at.x + t->at.w, half = pen->cell / 2;
	double end = t->at.x;
	if (!(pen->cell > 0))
		pen_level(pen, y, t->at.x + t->label + pen->em,
			  t->at.x + t->label + pen->em + t->plot);
	for (size_t i = 0; i < t->n_ticks; i++) {
		const double w = pen_measure(pen, t->tick_labels[i]).w, x = tick_x(t, t->ticks[i]);
		const double from = pen_whole(pen, fmax(x + half - w / 2, t->at.x));
		if (from < end || from + w > right)
			continue;
		pen_text(pen, ROLE_QUIET, 0, from, y + pen->line / 2, t->tick_labels[i]);
		end = from + w + pen->em;
	}
	if (foot->beside && end + pen_measure(pen, t->b->unit).w <= right)
		pen_text(pen, ROLE_QUIET, 1, right, y + pen->line / 2, t->b->unit);
}

static void draw_foot(const struct chart *t, const struct foot *foot, double y)
{
	const struct pen *const pen = t->pen;
	const double line = pen->line, right = pen->at.x + pen->at.w;
	y += t->part ? more_line(t) : 0;
	if (t->part)
		pen_text_fit(pen, ROLE_QUIET, 0, t->at.x, y - line / 2, t->at.w, part_words(t));
	if (foot->axis > 0)
		draw_axis(t, foot, y);
	y += foot->axis;
	const double air = t->b->axis ? 0 : pen->air * 3 / 4;
	if (foot->unit > 0)
		pen_text_fit(pen, ROLE_QUIET, 1, right, y + air + line / 2, pen->at.w,
			     unit_of(pen->arena, t->b,
				     t->brief || pen_measure(pen, t->b->unit).w > pen->at.w));
	y += foot->unit + (pen->cell > 0 ? 0 : line / 2);
	if (foot->legend > 0)
		legend_of(pen, t->b, (struct area){pen->at.x, y, pen->at.w, foot->legend},
			  foot->whole, true);
}

void pen_bars(const struct pen *pen, const struct bars *b)
{
	struct chart t = {.pen = pen, .b = b, .at = pen->at, .shown = b->n, .high = b->n};
	const double line = pen->line;
	if (b->n == 0) {
		pen_text(pen, ROLE_QUIET, 0, t.at.x, t.at.y + line / 2, "nothing to compare");
		return;
	}
	t.labels = labels_of(pen->arena, b);
	const struct foot foot = foot_of(&t);
	const double height = fmax(1, t.at.h - foot.axis - foot.unit - foot.legend);
	const int beside = pen->cell > 0 ? plan_cells(&t, height) : 1;
	if (!(pen->cell > 0))
		plan_paper(&t, height);
	t.at.w = pen_whole(pen, (t.at.w - (beside - 1) * GAP) / beside);
	const double mark = has_signs(b) && t.at.w >= 8 * pen->em ? pen->mark : 0;
	t.at.x += mark;
	t.at.w -= mark;
	plan_columns(&t);
	const double end = t.at.y + (double)t.high * t.pitch, left = t.at.x + t.label + pen->em;
	if (foot.axis > 0) {
		plan_ticks(&t);
		draw_grid(&t, t.at.y, end);
	}
	draw_rows(&t, mark);
	pen_plot(pen, (struct area){left, t.at.y, fmax(t.plot, 1), end - t.at.y});
	if (!(pen->cell > 0)) /* on cells each row draws its part */
		pen_axis(pen, left + (b->base - t.lo) * t.plot / (t.hi - t.lo), t.at.y, end);
	draw_foot(&t, &foot, end);
}
