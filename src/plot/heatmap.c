/* heatmap.c: names and numbers of a heatmap's values. */
#include <math.h>
#include <string.h>

#include "posviz/heatmap.h"

const struct heatmap_name *heatmap_name(const struct heatmap *h, double value)
{
	for (size_t i = 0; i < h->n_names; i++)
		if (h->names[i].value == value)
			return &h->names[i];
	return NULL;
}

const char *heatmap_number(struct arena *a, double value, int decimals, bool bare)
{
	const double rounding = 1e-12; /* below it a number is what is left of 0 */
	if (fabs(value) < rounding)
		return "0";
	const char *const digits = arena_printf(a, "%.*f", decimals, fabs(value));
	const bool small = digits[strspn(digits, "0.")] == '\0';
	if (small && decimals == 0)
		return "<1";
	return arena_printf(a, "%s%s", value < 0 && !small ? "−" : "",
			    digits + (bare && decimals > 0 && digits[0] == '0'));
}
