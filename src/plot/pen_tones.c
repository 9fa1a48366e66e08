/* pen_tones.c: the colours of bars of each tone in a map. */
#include "plot/pen_tones.h"

/* Indexed by the background: the distance of a sign's colour from the middle of the map, at which
 * both arms are clearly visible; and the greys of a whole sum and of a subtotal. */
static const double strengths[2] = {0.85, 0.7};
static const uint32_t greys[2][2] = {{0x4b5563, 0x868d98}, {0xc3c7cf, 0x7c828d}};

double tone_place(enum tone tone, bool dark)
{
	const double half = strengths[dark] / 2;
	return tone == TONE_MINUS ? 0.5 - half : 0.5 + half;
}

uint32_t tone_rgb(const struct colormap *map, enum tone tone, bool dark)
{
	return tone >= TONE_TOTAL ? greys[dark][tone == TONE_PART]
				  : colormap_rgb(map, tone_place(tone, dark));
}
