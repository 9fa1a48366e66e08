/* theme.h: the colours of a page besides those of its values: a light theme, and a dark one for
 * slides. */
#ifndef POSVIZ_THEME_H
#define POSVIZ_THEME_H

#include <stdint.h>

struct theme {
	uint32_t paper, ink, second, hair, axis, hatch, tint, alarm;
};

extern const struct theme page_themes[2]; /* light, dark */

#endif
