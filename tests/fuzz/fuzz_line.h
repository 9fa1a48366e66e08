/* fuzz_line.h: what the fuzzers of texts ask of a line that is shown. */
#ifndef FUZZ_LINE_H
#define FUZZ_LINE_H

#include <string.h>

#include "posviz/base/err.h"
#include "posviz/base/text.h"

static inline void fuzz_check_line(const char *text)
{
	BUG_IF(*text == '\0' || !text_valid(text, strlen(text)));
	for (; *text; text++)
		BUG_IF((unsigned char)*text < ' ' || *text == 0x7F);
}

#endif
