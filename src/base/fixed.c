/* fixed.c: numbers of one column, all with the same decimals. */
#include "posviz/base/fixed.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double rounding = 1e-12;

/* Returns "0.0004", or "3e-5" where zeros would be many. */
static const char *small(struct arena *a, double size, int digits)
{
	enum { PLAIN = -4 }; /* the least exponent that is written with zeros */
	const int first = (int)floor(log10(size));
	const double unit = pow(10, first - digits + 1);
	const double rounded = floor(size / unit + 0.5 + 1e-9) * unit;
	const int exponent = (int)floor(log10(rounded) + 1e-9);
	return exponent >= PLAIN ? arena_printf(a, "%.*f", digits - 1 - exponent, rounded)
				 : arena_printf(a, "%.*fe%d", digits - 1,
						rounded / pow(10, exponent), exponent);
}

const char *fixed_size(struct arena *a, double value, int decimals)
{
	const double size = fabs(value);
	const char *const text = arena_printf(a, "%.*f", decimals, size);
	const bool zeros = strspn(text, "0.") == strlen(text);
	if (size < rounding)
		return decimals > 2 ? "0" : text;
	return !zeros ? text : small(a, size, decimals >= 4 ? 2 : 1);
}

const char *fixed_text(struct arena *a, double value, int decimals, bool plus)
{
	const char *const size = fixed_size(a, value, decimals);
	const bool zero = strspn(size, "0.") == strlen(size);
	return arena_printf(a, "%s%s", zero ? "" : value < 0 ? "−" : plus ? "+" : "", size);
}
