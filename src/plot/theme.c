/* theme.c: see theme.h. */
#include "posviz/plot/theme.h"

const struct theme page_themes[2] = {
	{.paper = 0xffffff,
	 .ink = 0x1a1a1a,
	 .second = 0x6b7280,
	 .hair = 0xd1d5db,
	 .axis = 0x9ca3af,
	 .hatch = 0xd5d9df,
	 .tint = 0xf7f8fa,
	 .alarm = 0xd1006c},
	{.paper = 0x1a1b20,
	 .ink = 0xf3f4f6,
	 .second = 0xa3aab6,
	 .hair = 0x3a3f4a,
	 .axis = 0x6b7280,
	 .hatch = 0x444a56,
	 .tint = 0x23262e,
	 .alarm = 0xff5fae},
};
