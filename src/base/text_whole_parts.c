/* text_whole_parts.c: a message of parts, of which those without room are left out whole. */
#include <string.h>

#include "posviz/base/text.h"

const char *text_whole_parts(struct arena *a, const char *text, size_t columns, bool ascii)
{
	const size_t between = strlen(TEXT_BETWEEN);
	const char *all = NULL;
	for (const char *at = text; at;) {
		const char *const next = strstr(at, TEXT_BETWEEN);
		const char *const part = next ? arena_strndup(a, at, (size_t)(next - at)) : at;
		if (!all)
			all = text_shorten(a, part, columns, ascii);
		else if (text_width(all) + text_width(TEXT_BETWEEN) + text_width(part) <= columns)
			all = arena_printf(a, "%s%s%s", all, TEXT_BETWEEN, part);
		at = next ? next + between : NULL;
	}
	return all;
}
