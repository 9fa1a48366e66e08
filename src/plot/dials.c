/* dials.c: the addends of dials to a logit, printed with equally many decimals. */
#include "posviz/plot/dials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"

bool dials_have_addends(const struct dials *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (!isnan(d->at[i].before) || !isnan(d->at[i].after))
			return true;
	return false;
}

double dials_most(const struct dials *d)
{
	double most = 0;
	for (size_t i = 0; i < d->n; i++) {
		const double values[] = {d->at[i].before, d->at[i].after};
		for (size_t k = 0; k < 2; k++)
			if (isfinite(values[k]))
				most = fmax(most, fabs(values[k]));
	}
	return most;
}

const char *dials_value(struct arena *a, const struct dials *d, double value, bool brief)
{
	static const double few = 1e6, little = 0.0095;
	const double most = dials_most(d);
	char text[32];
	if (isnan(value))
		return "";
	if (!isfinite(value) || most >= few || (most > 0 && most < little)) {
		num_show(text, sizeof text, value, 2);
		return arena_printf(a, "%s%s", value > 0 ? "+" : "", text);
	}
	const int decimals = most >= 99.95 ? 0 : most >= 9.995 ? 1 : most < 0.0995 ? 3 : 2;
	snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
	const bool nothing = strspn(text, "0.") == strlen(text);
	const bool cut = brief && text[0] == '0' && text[1] == '.';
	return arena_printf(a, "%s%s", nothing ? "" : value < 0 ? "−" : "+", text + (cut ? 1 : 0));
}
