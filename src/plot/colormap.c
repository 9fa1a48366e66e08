/* colormap.c: colour tables, contrast, and the fixed 256-colour palette.
 *
 * The tables are assets of 256 lines "r,g,b". All are read once, at the first look-up, and never
 * change afterwards. Distances between colours are computed in OKLab (Ottosson 2020), where equal
 * steps look about equal. */
#include "posviz/plot/colormap.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/err.h"

#define OWN	"as posviz"
#define CRAMERI "MIT, Crameri"

const struct colormap colormaps[] = {
	{"night",
	 "signed values on a dark background: azure, none, amber",
	 OWN,
	 true,
	 BACKGROUND_DARK,
	 235,
	 {19, 25, 27, 33, 39, 81},
	 {88, 124, 166, 208, 215, 223},
	 "blue",
	 "orange"},
	{"paper",
	 "signed values on white: navy, none, vermilion",
	 OWN,
	 true,
	 BACKGROUND_LIGHT,
	 255,
	 {153, 110, 68, 26, 20, 18},
	 {223, 215, 208, 166, 160, 124},
	 "blue",
	 "red"},
	{"slate",
	 "signed values on any background and in grey print: blue, grey, yellow",
	 OWN,
	 true,
	 BACKGROUND_UNKNOWN,
	 245,
	 {67, 26, 21, 19},
	 {137, 172, 214, 221},
	 "blue",
	 "yellow"},
	{"glow",
	 "weights and sizes on a dark background, green",
	 OWN,
	 false,
	 BACKGROUND_DARK,
	 235,
	 {0},
	 {23, 30, 36, 78, 155, 229},
	 NULL,
	 "green"},
	{"ink",
	 "weights and sizes on white, green to blue",
	 OWN,
	 false,
	 BACKGROUND_LIGHT,
	 255,
	 {0},
	 {187, 114, 72, 30, 24, 18},
	 NULL,
	 "dark"},
	{"viridis",
	 "weights, the usual one elsewhere",
	 "CC0, van der Walt and Smith",
	 false,
	 BACKGROUND_UNKNOWN,
	 53,
	 {0},
	 {55, 25, 30, 36, 77, 226},
	 NULL,
	 "yellow"},
	{"cividis",
	 "weights, the same with and without colour vision deficiency",
	 "BSD-style, Battelle; Nunez, Anderton, Renslow",
	 false,
	 BACKGROUND_UNKNOWN,
	 17,
	 {0},
	 {60, 242, 102, 143, 220},
	 NULL,
	 "yellow"},
	{"magma",
	 "weights for a projector",
	 "CC0, van der Walt and Smith",
	 false,
	 BACKGROUND_DARK,
	 232,
	 {0},
	 {17, 54, 127, 161, 203, 216, 229},
	 NULL,
	 "bright"},
	{"grey",
	 "weights for a printer without colour",
	 OWN,
	 false,
	 BACKGROUND_UNKNOWN,
	 232,
	 {0},
	 {235, 238, 59, 244, 247, 250, 255},
	 NULL,
	 "bright"},
	{"vik",
	 "signed values on a light background: blue, white, red",
	 CRAMERI,
	 true,
	 BACKGROUND_LIGHT,
	 254,
	 {153, 74, 31, 25, 18},
	 {223, 173, 166, 124, 52},
	 "blue",
	 "red"},
	{"berlin",
	 "signed values, the centre nearly black",
	 CRAMERI,
	 true,
	 BACKGROUND_DARK,
	 233,
	 {236, 24, 31, 111},
	 {52, 124, 131, 174},
	 "blue",
	 "red"},
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

const struct colormap *colormap_for(bool diverging, enum background background)
{
	if (!diverging && background == BACKGROUND_UNKNOWN)
		background = BACKGROUND_DARK;
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		if (map->diverging == diverging && map->background == background)
			return map;
	BUG("no colour map for background %d", (int)background);
}

const struct colormap *colormap_find(const char *name)
{
	if (strcmp(name, "dusk") == 0) /* its name in posviz 0.1.0 */
		name = "night";
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

/* Returns `at` from 0 to 1, or from -1 to 1 on a diverging map. */
static double signed_place(const struct colormap *map, double at)
{
	BUG_IF(isnan(at));
	at = fmin(fmax(at, 0), 1);
	return map->diverging ? 2 * at - 1 : at;
}

uint32_t colormap_rgb(const struct colormap *map, double at)
{
	enum { ZERO = COLORMAP_LEVELS / 2, LAST = COLORMAP_LEVELS - 1 };
	const double x = signed_place(map, at);
	return colormap_level(map,
			      (size_t)lround(map->diverging ? ZERO + (ZERO - 1) * x : LAST * x));
}

size_t colormap_steps(const struct colormap *map)
{
	size_t n = 0;
	while (n < COLORMAP_STEPS && map->up[n] != 0)
		n++;
	return n;
}

long ladder_step(double x, size_t steps)
{
	const double k = floor(fabs(x) * ((double)steps + 0.5) + 0.5);
	return (long)copysign(fmin(k, (double)steps), x);
}

uint32_t colormap_256(const struct colormap *map, double at)
{
	const long k = ladder_step(signed_place(map, at), colormap_steps(map));
	return colour_from_256(k == 0 ? map->zero : k > 0 ? map->up[k - 1] : map->down[-k - 1]);
}

/* Returns the linear light of one sRGB channel. */
static double linear(uint32_t rgb, int shift)
{
	const double c = (rgb >> shift & 255) / 255.0;
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Returns the relative luminance (WCAG 2). */
static double luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb, 16) + 0.7152 * linear(rgb, 8) + 0.0722 * linear(rgb, 0);
}

double colour_contrast(uint32_t a, uint32_t b)
{
	const double la = luminance(a), lb = luminance(b);
	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

uint32_t colour_ink(uint32_t rgb)
{
	/* The lightest near-black with which black or white reaches 4.5:1 on every colour. */
	const uint32_t black = 0x050505, white = 0xffffff;
	return colour_contrast(rgb, black) >= colour_contrast(rgb, white) ? black : white;
}

static uint32_t text_on(uint32_t rgb, uint32_t on, bool palette)
{
	const uint32_t target = colour_ink(on) == 0xffffff ? 255 : 0;
	for (uint32_t part = 0; part <= 255; part += 5) {
		uint32_t mixed = 0;
		for (int shift = 0; shift <= 16; shift += 8) {
			const uint32_t c = rgb >> shift & 255;
			mixed |= (c * (255 - part) + target * part) / 255 << shift;
		}
		mixed = palette ? colour_from_256(colour_to_256(mixed)) : mixed;
		if (colour_contrast(mixed, on) >= 4.5)
			return mixed;
	}
	return colour_ink(on);
}

uint32_t colour_text(uint32_t rgb, uint32_t on)
{
	return text_on(rgb, on, false);
}

uint32_t colour_text_256(uint32_t rgb, uint32_t on)
{
	return text_on(rgb, on, true);
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

/* Entries 16..231 are a cube of six levels, 232..255 are greys; 0..15 belong to the user's
 * theme. */
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

/* Returns the index of a channel's value among the cube's levels, or -1. */
static int cube_place(uint32_t value)
{
	return value == 0 ? 0 : value >= 95 && (value - 55) % 40 == 0 ? (int)(value - 55) / 40 : -1;
}

/* Returns the entry that has exactly this colour, or -1. No grey of the ramp is in the cube. */
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
