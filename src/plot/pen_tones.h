/* pen_tones.h: the colours of bars of each tone in a map, on either background. */
#ifndef POSVIZ_PEN_TONES_H
#define POSVIZ_PEN_TONES_H

#include "plot/pen.h"

/* Returns the position in the map, in [0, 1], of the colour of negative or positive addends. */
double tone_place(enum tone tone, bool dark);
/* Returns the colour; a grey for totals and subtotals. */
uint32_t tone_rgb(const struct colormap *map, enum tone tone, bool dark);

#endif
