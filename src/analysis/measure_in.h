/* measure_in.h: parts that the files of the measures share. */
#ifndef POSVIZ_MEASURE_IN_H
#define POSVIZ_MEASURE_IN_H

#include "analysis_in.h"

/* The basis of a measurement: a built setup, with all of its tokens or a part of them. Must not
 * be copied: `built` contains pointers into itself. */
struct ground {
	struct setup setup;
	struct built built;
};

/* measure_part.c: take at most `most` tokens, or MEASURE_TOKENS. `whole` and everything it
 * points to must outlive the result. */
void ground_part(const struct setup *setup, const struct built *whole, size_t most, struct arena *a,
		 struct ground *out);
void ground_of(const struct setup *setup, const struct built *whole, struct arena *a,
	       struct ground *out);

/* The reasons for a missing number; stored by index. */
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
	ABSENT_PICTURES,
	ABSENT_SEGMENTS,
	ABSENT_MEMORY,
	ABSENT_DRAWN,
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
	/* The evaluation of the original order, made on demand. */
	bool evaluated;
	/* Outputs are above the limit of memory: the weights of layer 1 take their place. */
	bool of_weights;
	struct trace written;
	struct mat base; /* T(X) */
	double base_norm;
};

/* Returns the k-th shuffle of that name, of n tokens of which the last `stay` do not move. [n] */
size_t *measure_shuffle(uint64_t seed, const char *name, size_t k, size_t n, size_t stay,
			struct arena *a);
/* Returns whether all tokens that move are equal. */
bool measure_all_equal(const struct input *in);
/* Returns the row of the run for each moving token, by its place in the original order. Tokens
 * that a hook inserted have token -1 and stay where they are. */
size_t *measure_units_by_place(const struct axis *axis, size_t places, struct arena *a);

/* measure_weights.c: evaluates the weights of layer 1 on these tokens; returns their length. */
bool measure_weights_of(const struct measuring *m, const struct input *tokens, struct trace *trace,
			double *norm, struct err *err);
/* Compares the weights of permuted tokens with the permuted weights, and the mean that each key gets;
 * and the last query's weights alone. */
void measure_weights_compare(const struct measuring *m, const struct trace *moved,
			     double *equivariance, double *invariance);
double measure_weights_last_row(const struct measuring *m, const struct trace *moved);

/* measure_moved.c: positions shifted by `by`; with the probe if `probed`, else with random
 * projections. */
struct measure measure_shifted(struct measuring *m, double by, bool probed, bool *constant);
struct measure measure_inserted(struct measuring *m);

#endif
