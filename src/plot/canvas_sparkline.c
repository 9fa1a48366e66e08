/* canvas_sparkline.c: a curve in a row of text, without axes: braille, two values and four levels a
 * cell.
 *
 * Levels extend from the least value to the largest and include zero, so a dot above the lowest
 * level is more than nothing. Only if all values are closer together than half of their distance
 * from zero, such as a constant with ripples, their own range is shown; values that are equal
 * except for rounding are drawn level. */
#include <math.h>

#include "plot/canvas_in.h"
#include "posviz/base/text.h"

enum { ACROSS = 2, LEVELS = 4 };

/* Two values that differ by less than this part of the largest are equal. */
static const double same = 1e-9;

struct spark_range {
	double lo, hi;
};

void canvas_braille(char out[8], unsigned dots)
{
	/* Braille numbers its dots down the columns, the lowest row last. */
	static const uint8_t bits[] = {1, 8, 2, 16, 4, 32, 64, 128};
	uint32_t code = 0x2800;
	for (size_t i = 0; i < sizeof bits; i++)
		code += dots >> i & 1u ? bits[i] : 0;
	out[text_encode(out, code)] = '\0';
}

bool canvas_has_braille(const struct canvas *c)
{
	return !c->ascii && !c->quadrants;
}

int canvas_sparkline_cols(size_t n)
{
	return (int)(n + ACROSS - 1) / ACROSS;
}

/* Gets the range that the levels show; false if no value is finite. */
static bool find_range(const double *at, size_t n, struct spark_range *out)
{
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(at[i]))
			continue;
		lo = fmin(lo, at[i]);
		hi = fmax(hi, at[i]);
	}
	const double most = fmax(fabs(lo), fabs(hi)), spread = hi - lo;
	const bool far = spread > same * most && fmin(fabs(lo), fabs(hi)) > spread && lo * hi > 0;
	*out = far ? (struct spark_range){lo, hi} : (struct spark_range){fmin(lo, 0), fmax(hi, 0)};
	return lo <= hi;
}

/* Returns the level from 0, the lowest; the upper one of two equally near levels, independent of
 * rounding. It halves values first, because the difference of two large numbers may overflow. */
static int level_of(struct spark_range r, double value)
{
	const double all = r.hi / 2 - r.lo / 2, part = all > 0 ? (value / 2 - r.lo / 2) / all : 0;
	return (int)floor(part * (LEVELS - 1) + 0.5 + 1e-6);
}

struct spark {
	unsigned dots[SPARKLINE_MAX / ACROSS + 1];
	int first; /* dot of the first value, so that the last one ends its cell */
};

static void set_dot(struct spark *s, size_t i, int level)
{
	const int x = s->first + (int)i, y = LEVELS - 1 - level;
	s->dots[x / ACROSS] |= 1u << (ACROSS * y + x % ACROSS);
}

/* Fills the levels between two values: each level goes to the nearer value, the middle one to the
 * upper value, so a peak is symmetric. */
static void join(struct spark *s, size_t i, int from, int to)
{
	const int step = to > from ? 1 : -1;
	for (int level = from + step; from != to && level != to; level += step) {
		const int before = (level - from) * step, after = (to - level) * step;
		set_dot(s, before < after || (before == after && from > to) ? i - 1 : i, level);
	}
}

void canvas_sparkline(struct canvas *c, int row, int col, const double *at, size_t n,
		      unsigned attrs)
{
	struct spark s = {.first = (int)(n % ACROSS)};
	struct spark_range range;
	BUG_IF(n > SPARKLINE_MAX);
	if (!canvas_has_braille(c) || !find_range(at, n, &range))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(at[i]))
			continue;
		const int level = level_of(range, at[i]);
		set_dot(&s, i, level);
		if (i > 0 && isfinite(at[i - 1]))
			join(&s, i, level_of(range, at[i - 1]), level);
	}
	for (int i = 0; i < canvas_sparkline_cols(n); i++) {
		char glyph[8];
		canvas_braille(glyph, s.dots[i]);
		if (s.dots[i])
			canvas_put(c, row, col + i, glyph, attrs, CELL_DEFAULT, CELL_DEFAULT);
	}
}
