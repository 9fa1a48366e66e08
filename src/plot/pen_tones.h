/* pen_tones.h: the colours that bars of a tone have in a map, on either background. */
#ifndef POSVIZ_PEN_TONES_H
#define POSVIZ_PEN_TONES_H

#include "plot/pen.h"

/* The place in the map of a negative or a positive part, in [0, 1]. */
double tone_place(enum tone tone, bool dark);
/* The colour; of a total or of what it is measured from a grey. */
uint32_t tone_rgb(const struct colormap *map, enum tone tone, bool dark);

#endif
