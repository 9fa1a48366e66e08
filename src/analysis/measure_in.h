/* measure_in.h: what the files of the measures share. */
#ifndef POSVIZ_MEASURE_IN_H
#define POSVIZ_MEASURE_IN_H

#include "analysis_in.h"

/* What is measured on: a setup that is built, all of its units or a part of them. Never copied: `built`
 * points into itself. */
struct ground {
	struct setup setup;
	struct built built;
};

/* measure_part.c. `whole` and what it points to outlive it. */
void ground_of(const struct setup *setup, const struct built *whole, struct arena *a,
	       struct ground *out);

/* Why there is no number; kept as its index here. */
enum absence {
	ABSENT_NOT_BUILT,
	ABSENT_NOT_COMPUTED,
	ABSENT_ONE_TOKEN,
	ABSENT_EQUAL,
	ABSENT_BEYOND_FILE,
	ABSENT_BEYOND_T_MAX,
	ABSENT_REFUSED,
	ABSENT_INSERTED,
	ABSENT_OTHER_KEYS,
	ABSENT_UNITS,
	ABSENT_NODE,
	ABSENT_REORDERING,
	ABSENT_IDS,
	ABSENT_SEGMENTS,
	ABSENT_MEMORY,
	ABSENCES
};
extern const char *const absences[ABSENCES];

static inline struct measure measure_of(double value)
{
	return (struct measure){.there = true, .value = value};
}

static inline struct measure measure_absent(enum absence why)
{
	return (struct measure){.why = absences[why]};
}

struct measuring {
	const struct setup *whole; /* that was asked for */
	const struct ground *on;
	struct cache *cache;
	struct watch *watch;
	struct arena *a; /* scratch, rewound between evaluations */
	/* Of the tokens as they were written, once they are wanted. */
	bool evaluated;
	struct trace written;
	struct mat base; /* T(X) */
	double base_norm;
};

/* measure_moved.c: positions that move by so many; on the probe where `probed`, else with random projections. */
struct measure measure_shifted(struct measuring *m, double by, bool probed, bool *constant);
struct measure measure_inserted(struct measuring *m);

#endif
