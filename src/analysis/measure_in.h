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

/* measure_part.c. Of at most so many units, MEASURE_TOKENS. `whole` and what it points to outlive it. */
void ground_part(const struct setup *setup, const struct built *whole, size_t most, struct arena *a,
		 struct ground *out);
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
	ABSENT_OTHER_TOKENS,
	ABSENT_SIZE,
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

/* The k-th of the shuffles of that name, of n tokens, of which the last ones stay. [n] */
size_t *measure_shuffle(uint64_t seed, const char *name, size_t k, size_t n, size_t stay,
			struct arena *a);
/* Whether the tokens that move are one and the same. */
bool measure_all_equal(const struct input *in);
/* Which unit of the run holds the i-th moving token, by its place in the text as written. Units that
 * a hook inserted have token -1 and stay where they are. */
size_t *measure_units_by_place(const struct axis *axis, size_t places, struct arena *a);

/* measure_moved.c: positions that move by so many; on the probe where `probed`, else with random projections. */
struct measure measure_shifted(struct measuring *m, double by, bool probed, bool *constant);
struct measure measure_inserted(struct measuring *m);

#endif
