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

uint32_t colormap_rgb(const struct colormap *map, double at)
{
	BUG_IF(isnan(at));
	const double clamped = fmin(fmax(at, 0), 1);
	return colormap_level(map, (size_t)lround(clamped * (COLORMAP_LEVELS - 1)));
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

uint8_t colour_to_256(uint32_t rgb)
{
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
