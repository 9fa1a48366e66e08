/* percent.c: shares of a whole as whole percents that add up, by the method of largest remainders
 * (Hamilton's): each share is rounded down, and the percents that are missing then go to the shares
 * that lost most. Of equal remainders the first is served first. */
#include "posviz/base/percent.h"

#include <math.h>
#include <stdbool.h>

/* Below this a share is an error of rounding. */
static const double nothing = 1e-9;

/* Returns the percents of a share; exact ones, such as 100 · 0.29, do not fall below themselves. */
static double percents(double share)
{
	const double x = 100 * share, whole = round(x);
	return !isfinite(share) ? 0 : fabs(x - whole) < 100 * nothing ? whole : x;
}

void percent_round(const double *shares, size_t n, long *out)
{
	double sum = 0;
	long missing = 0;
	for (size_t i = 0; i < n; i++) {
		out[i] = (long)floor(percents(shares[i]));
		sum += percents(shares[i]);
		missing -= out[i];
	}
	missing += lround(sum);
	while (missing-- > 0) {
		size_t best = n;
		double most = 0;
		for (size_t i = 0; i < n; i++) {
			const double lost = percents(shares[i]) - (double)out[i];
			if (lost > most) {
				best = i;
				most = lost;
			}
		}
		if (best == n)
			return;
		out[best]++;
	}
}

const char *percent_show(double share, long percent, struct arena *a)
{
	if (percent == 0)
		return share > nothing ? "<1 %" : "0 %";
	return arena_printf(a, "%s%ld %%", percent < 0 ? "−" : "",
			    percent < 0 ? -percent : percent);
}

const char *const *percent_texts(const double *shares, size_t n, struct arena *a)
{
	long *const whole = arena_calloc(a, n + 1, sizeof *whole);
	const char **const out = arena_calloc(a, n + 1, sizeof *out);
	percent_round(shares, n, whole);
	for (size_t i = 0; i < n; i++)
		out[i] = percent_show(shares[i], whole[i], a);
	return out;
}
