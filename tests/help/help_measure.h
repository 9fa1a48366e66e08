/* help_measure.h: computes all measures of a setup. */
#ifndef POSVIZ_HELP_MEASURE_H
#define POSVIZ_HELP_MEASURE_H

#include "posviz/analysis/analysis.h"

static inline bool help_measure(const struct setup *setup, struct cache *cache,
				struct measures *out, struct err *err)
{
	const struct measure_request all = {.kinds = MEASURED_ALL, .cache = cache};
	*out = (struct measures){0};
	return analysis_measure(setup, &all, out, err);
}

#endif
