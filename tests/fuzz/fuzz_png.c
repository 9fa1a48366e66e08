/* fuzz_png.c: a PNG from anywhere is read or refused; its texts end where they say. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/export/export.h"

FUZZ(png)
{
	struct arena a;
	arena_init(&a);
	for (int pixels = 0; pixels < 2; pixels++) {
		struct image image;
		struct export_text *texts;
		struct err err = {{0}};
		size_t n = 0, letters = 0;
		if (!export_png_read(data, size, &a, pixels ? &image : NULL, &texts, &n, &err))
			continue;
		for (size_t i = 0; i < n; i++)
			letters += strlen(texts[i].keyword) + strlen(texts[i].text);
		if (letters > size * 1100)
			__builtin_trap();
	}
	arena_release(&a);
	return 0;
}
