/* colormap.c: colour tables, contrast, and the fixed 256-colour palette.
 *
 * The tables are assets of 256 lines "r,g,b"; all are read once, at the first look-up, and never
 * change afterwards. Distances between colours are taken in OKLab (Ottosson 2020), where equal
 * steps look about equal. */
#include "posviz/colormap.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/arena.h"
#include "posviz/asset.h"
#include "posviz/err.h"

#define CRAMERI "MIT, Crameri"

const struct colormap colormaps[] = {
	{"viridis", "weights and magnitudes, on any background", "CC0, van der Walt and Smith",
	 false, false},
	{"cividis", "the same to readers with and without colour vision deficiency",
	 "BSD-style, Battelle; Nunez, Anderton, Renslow", false, false},
	{"magma", "weights for a projector or a dark background", "CC0, van der Walt and Smith",
	 false, true},
	{"grey", "weights for a printer without colour", "as posviz", false, false},
	{"vik", "signed values on a light background: blue, white, red", CRAMERI, true, false},
	{"dusk", "signed values on a dark background: blue, grey, orange", "as posviz", true, true},
	{"berlin", "signed values, the centre nearly black", CRAMERI, true, true},
	{NULL},
};

enum { MAPS = sizeof colormaps / sizeof colormaps[0] - 1 };

static uint32_t tables[MAPS][COLORMAP_LEVELS];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

struct oklab {
	double l, a, b;
};

enum { XTERM_FIRST = 16, XTERM_COUNT = 240 };
static struct oklab xterm[XTERM_COUNT];
static pthread_once_t xterm_once = PTHREAD_ONCE_INIT;

static uint32_t read_channel(const char **at, char after, const char *name)
{
	char *end;
	const unsigned long value = strtoul(*at, &end, 10);
	if (end == *at || value > 255 || *end != after)
		BUG("colour map %s is damaged", name);
	*at = end + 1;
	return (uint32_t)value;
}

static void read_table(const char *name, uint32_t *table)
{
	char path[64];
	snprintf(path, sizeof path, "colormaps/%s.csv", name);
	const struct asset *asset = asset_find(path);
	if (asset == NULL)
		BUG("colour map %s is not embedded", name);
	const char *at = asset->begin;
	for (size_t i = 0; i < COLORMAP_LEVELS; i++) {
		const uint32_t r = read_channel(&at, ',', name);
		const uint32_t g = read_channel(&at, ',', name);
		table[i] = r << 16 | g << 8 | read_channel(&at, '\n', name);
	}
}

static void read_tables(void)
{
	for (size_t i = 0; i < MAPS; i++)
		read_table(colormaps[i].name, tables[i]);
}

const struct colormap *colormap_find(const char *name)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		if (strcmp(map->name, name) == 0)
			return map;
	return NULL;
}

uint32_t colormap_level(const struct colormap *map, size_t level)
{
	const size_t i = (size_t)(map - colormaps);
	if (i >= MAPS || level >= COLORMAP_LEVELS)
		BUG("no level %zu in colour map %zu", level, i);
	pthread_once(&tables_once, read_tables);
	return tables[i][level];
}

static size_t level_of(double at)
{
	BUG_IF(isnan(at));
	return (size_t)lround(fmin(fmax(at, 0), 1) * (COLORMAP_LEVELS - 1));
}

uint32_t colormap_rgb(const struct colormap *map, double at)
{
	return colormap_level(map, level_of(at));
}

/* The linear light of one sRGB channel. */
static double linear(uint32_t rgb, int shift)
{
	const double c = (rgb >> shift & 255) / 255.0;
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

double colour_luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb, 16) + 0.7152 * linear(rgb, 8) + 0.0722 * linear(rgb, 0);
}

double colour_contrast(uint32_t a, uint32_t b)
{
	const double la = colour_luminance(a), lb = colour_luminance(b);
	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

uint32_t colour_ink(uint32_t rgb)
{
	/* The lightest grey for which the better of the two reaches 4.5:1 on every colour. */
	const uint32_t black = 0x050505, white = 0xffffff;
	return colour_contrast(rgb, black) >= colour_contrast(rgb, white) ? black : white;
}

static struct oklab to_oklab(uint32_t rgb)
{
	const double r = linear(rgb, 16), g = linear(rgb, 8), b = linear(rgb, 0);
	const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return (struct oklab){
		.l = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
		.a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
		.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
	};
}

/* 16..231 are a cube of six levels, 232..255 greys; 0..15 belong to the user's theme. */
uint32_t colour_from_256(uint8_t index)
{
	static const uint32_t level[6] = {0, 95, 135, 175, 215, 255};
	BUG_IF(index < XTERM_FIRST);
	if (index >= 232)
		return 0x010101u * (8u + 10u * (index - 232u));
	const unsigned cube = index - 16u;
	return level[cube / 36] << 16 | level[cube / 6 % 6] << 8 | level[cube % 6];
}

static void fill_xterm(void)
{
	for (size_t i = 0; i < XTERM_COUNT; i++)
		xterm[i] = to_oklab(colour_from_256((uint8_t)(XTERM_FIRST + i)));
}

/* The place of a channel's value among the cube's levels, or -1. */
static int cube_place(uint32_t value)
{
	return value == 0 ? 0 : value >= 95 && (value - 55) % 40 == 0 ? (int)(value - 55) / 40 : -1;
}

/* The entry that has exactly this colour, or -1. No grey of the ramp is one of the cube. */
static int exact_entry(uint32_t rgb)
{
	const uint32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
	const int r = cube_place(red), g = cube_place(green), b = cube_place(blue);
	if (r >= 0 && g >= 0 && b >= 0)
		return XTERM_FIRST + 36 * r + 6 * g + b;
	if (red == green && green == blue && red >= 8 && red <= 238 && (red - 8) % 10 == 0)
		return (int)(232 + (red - 8) / 10);
	return -1;
}

uint8_t colour_to_256(uint32_t rgb)
{
	const int exact = exact_entry(rgb);
	if (exact >= 0)
		return (uint8_t)exact;
	pthread_once(&xterm_once, fill_xterm);
	const struct oklab c = to_oklab(rgb);
	size_t best = 0;
	double nearest = INFINITY;
	for (size_t i = 0; i < XTERM_COUNT; i++) {
		const double l = c.l - xterm[i].l, a = c.a - xterm[i].a, b = c.b - xterm[i].b;
		const double distance = l * l + a * a + b * b;
		if (distance < nearest) {
			nearest = distance;
			best = i;
		}
	}
	return (uint8_t)(XTERM_FIRST + best);
}

/* ---- ladders of 256 colours --------------------------------------------------------------------
 *
 * The nearest entries of a map would go up and down in lightness and change hue to and fro. A ladder
 * is the cheapest way along the map on which lightness only rises: every level pays the squared
 * distance of its entry, lightness counting most because it is what tells more from less, and every
 * change of entry pays the way it goes in a and b. Found level by level (dynamic programming), the
 * entries in order of lightness.
 *
 * On a diverging map each half is a ladder of its own, of entries that show its sign; the levels
 * nearest to zero share the one entry of the centre. */

enum { CENTRE_LEVELS = 3 }; /* on either side of zero: |x| < 2.4 % of the limit */
static const double lightness_weight = 4, detour_weight = 0.15;
static const double least_step = 0.008; /* of lightness: less is not seen */
static const double reach = 0.14;	/* from the map; farther entries only cost time */
static const double sign_chroma = 0.02, sign_cosine = 0.78; /* towards the colours of a half */

static uint32_t ladders[MAPS][COLORMAP_LEVELS];
static pthread_once_t ladders_once = PTHREAD_ONCE_INIT;

/* Levels of a map in the order in which they become lighter, and the entries that may show them. */
struct climb {
	size_t n, m;
	struct oklab level[COLORMAP_LEVELS], entry[XTERM_COUNT]; /* n; m, by lightness */
	uint8_t number[XTERM_COUNT];				 /* of the entries: 16 to 255 */
};

static double distance2(struct oklab x, struct oklab y)
{
	const double l = x.l - y.l, a = x.a - y.a, b = x.b - y.b;
	return lightness_weight * l * l + a * a + b * b;
}

static bool is_near(const struct climb *c, struct oklab entry)
{
	for (size_t k = 0; k < c->n; k++)
		if (distance2(c->level[k], entry) < reach * reach)
			return true;
	return false;
}

static void add_entry(struct climb *c, size_t index)
{
	size_t at = c->m++;
	for (; at > 0 && c->entry[at - 1].l > xterm[index].l; at--) {
		c->entry[at] = c->entry[at - 1];
		c->number[at] = c->number[at - 1];
	}
	c->entry[at] = xterm[index];
	c->number[at] = (uint8_t)(XTERM_FIRST + index);
}

/* What it costs to go from entry i to j, apart from what their levels pay. */
static double detour(const struct climb *c, size_t i, size_t j)
{
	return detour_weight * hypot(c->entry[j].a - c->entry[i].a, c->entry[j].b - c->entry[i].b);
}

/* The numbers of the entries for the levels of `c`, in their order, into out[n]. */
static void climb(const struct climb *c, uint8_t *out)
{
	struct arena a;
	arena_init(&a);
	const size_t m = c->m;
	double *const detours = arena_calloc(&a, m * m, sizeof *detours);
	double *const cost = arena_calloc(&a, m, sizeof *cost);
	uint8_t *const from = arena_calloc(&a, c->n * m, sizeof *from);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++)
			detours[j * m + i] = detour(c, i, j);
	for (size_t k = 0; k < c->n; k++) {
		/* Downwards, so that cost[i < j] still is of the level before. */
		for (size_t j = m; j-- > 0;) {
			double best = cost[j];
			size_t by = j;
			for (size_t i = 0; i < j && c->entry[j].l - c->entry[i].l >= least_step;
			     i++)
				if (cost[i] + detours[j * m + i] < best) {
					best = cost[i] + detours[j * m + i];
					by = i;
				}
			cost[j] = k == 0 ? 0 : best;
			cost[j] += distance2(c->level[k], c->entry[j]);
			from[k * m + j] = (uint8_t)by;
		}
	}
	size_t at = 0;
	for (size_t j = 1; j < m; j++)
		at = cost[j] < cost[at] ? j : at;
	for (size_t k = c->n; k-- > 0; at = from[k * m + at])
		out[k] = c->number[at];
	arena_release(&a);
}

/* Which entries a half may take: those that point to its colours, and lie on the side of the centre
 * on which its lightness does. */
struct side {
	bool any; /* a map without halves: all entries */
	double a, b, lightness;
	int rises; /* 1 or -1, outwards */
};

static bool belongs(const struct side *s, struct oklab entry)
{
	const double along = s->a * entry.a + s->b * entry.b;
	return s->any || (along >= sign_chroma && along >= sign_cosine * hypot(entry.a, entry.b) &&
			  (entry.l - s->lightness) * s->rises >= least_step);
}

/* The ladder of levels [first, end) of a map, into its place in out. */
static void make_ladder(const uint32_t *table, size_t first, size_t end, const struct side *side,
			uint32_t *out)
{
	struct climb c = {.n = end - first};
	uint8_t numbers[COLORMAP_LEVELS];
	const bool back = to_oklab(table[first]).l > to_oklab(table[end - 1]).l;
	for (size_t k = 0; k < c.n; k++)
		c.level[k] = to_oklab(table[back ? end - 1 - k : first + k]);
	for (size_t i = 0; i < XTERM_COUNT; i++)
		if (belongs(side, xterm[i]) && is_near(&c, xterm[i]))
			add_entry(&c, i);
	BUG_IF(c.m == 0);
	climb(&c, numbers);
	for (size_t k = 0; k < c.n; k++)
		out[back ? end - 1 - k : first + k] = colour_from_256(numbers[k]);
}

static struct oklab mean(const uint32_t *table, size_t first, size_t end)
{
	struct oklab sum = {0};
	const double n = (double)(end - first);
	for (size_t i = first; i < end; i++) {
		const struct oklab c = to_oklab(table[i]);
		sum = (struct oklab){sum.l + c.l / n, sum.a + c.a / n, sum.b + c.b / n};
	}
	return sum;
}

static void make_halves(const uint32_t *table, uint32_t *out)
{
	enum {
		HALF = COLORMAP_LEVELS / 2,
		LOW = HALF - CENTRE_LEVELS,
		HIGH = HALF + CENTRE_LEVELS
	};
	const uint32_t centre = colour_from_256(colour_to_256(table[HALF]));
	const struct oklab low = mean(table, 0, LOW), high = mean(table, HIGH, COLORMAP_LEVELS);
	const double length = hypot(high.a - low.a, high.b - low.b);
	struct side side = {.a = (low.a - high.a) / length,
			    .b = (low.b - high.b) / length,
			    .lightness = to_oklab(centre).l};
	side.rises = low.l > side.lightness ? 1 : -1;
	make_ladder(table, 0, LOW, &side, out);
	side.a = -side.a;
	side.b = -side.b;
	side.rises = high.l > side.lightness ? 1 : -1;
	make_ladder(table, HIGH, COLORMAP_LEVELS, &side, out);
	for (size_t i = LOW; i < HIGH; i++)
		out[i] = centre;
}

static void make_ladders(void)
{
	static const struct side whole = {.any = true};
	pthread_once(&tables_once, read_tables);
	pthread_once(&xterm_once, fill_xterm);
	for (size_t i = 0; i < MAPS; i++)
		if (colormaps[i].diverging)
			make_halves(tables[i], ladders[i]);
		else
			make_ladder(tables[i], 0, COLORMAP_LEVELS, &whole, ladders[i]);
}

uint32_t colormap_256(const struct colormap *map, double at)
{
	const size_t i = (size_t)(map - colormaps);
	BUG_IF(i >= MAPS);
	pthread_once(&ladders_once, make_ladders);
	return ladders[i][level_of(at)];
}
