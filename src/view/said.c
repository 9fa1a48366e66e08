/* said.c: words that the findings of several views have in common. */
#include <ctype.h>
#include <math.h>

#include "said_in.h"
#include "posviz/base/num.h"

const char *said_number(double value, struct arena *a)
{
	char text[32];
	return fabs(value) < 1e-12 ? "0" : arena_strdup(a, num_show(text, sizeof text, value, 3));
}

const char *said_weight(double value, struct arena *a)
{
	char text[32];
	return fabs(value) < 0.095 || fabs(value) >= 1000
		       ? fabs(value) < 1e-12
				 ? "0"
				 : arena_strdup(a, num_show(text, sizeof text, value, 2))
		       : arena_printf(a, "%s%.2f", value < 0 ? "−" : "", fabs(value));
}

const char *said_capital(const char *text, struct arena *a)
{
	char *const out = arena_strdup(a, text);
	if ((unsigned char)out[0] < 0x80)
		out[0] = (char)toupper((unsigned char)out[0]);
	return out;
}
