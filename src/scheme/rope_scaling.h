/* rope_scaling.h: the frequencies of the pairs of rotary positions, plain or scaled for contexts
 * longer than the training length. */
#ifndef SCHEME_ROPE_SCALING_H
#define SCHEME_ROPE_SCALING_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scheme/scheme.h"

enum scaling {
	SCALING_NONE,
	SCALING_PI,
	SCALING_NTK,
	SCALING_DYNAMIC,
	SCALING_YARN,
	SCALING_LLAMA3,
	SCALING_LONG,
	SCALING_COUNT
};

enum scaling_reading { READING_PAPER, READING_CODE };

extern const char *const scaling_names[];	  /* none pi ntk …, ends with NULL */
extern const char *const scaling_reading_names[]; /* paper code, ends with NULL */

/* The parameters. The row `rope` names a scaling in `named` and has its factor at index 0; the
 * row of a scaling does not name one, and has its factor at the index of that scaling: from this
 * the hooks, which only see parameters, know the row. Parameters that a row lacks are 0. */
struct rope_scaling {
	int named; /* enum scaling */
	double factor[SCALING_COUNT];
	double original;	 /* 0: t_max; not a whole number if a stretched length is divided */
	double attention_factor; /* 0: the scaling's rule */
	double beta_fast, beta_slow;
	double mscale, mscale_all_dim;
	bool cached; /* the length that counts is that up to each token */
	double low_freq_factor, high_freq_factor;
	bool truncate;
	int reading; /* enum scaling_reading */
	struct value_list short_factor, long_factor;
};

/* The data that determine frequencies. */
struct rope_wheel {
	const struct rope_scaling *scaling;
	double base;
	size_t pairs; /* D/2, not 0 */
	/* Pairs from `rotating` on do not rotate, nor do those of a wavelength above `cut`, if that
	 * is not 0: their frequency is 0. `round`: wavelengths are whole numbers. */
	size_t rotating;
	double cut;
	bool round;
	double trained; /* L */
	double n;	/* length of the input */
};

enum scaling scaling_kind(const struct rope_scaling *p);

/* Refuses numbers that contradict each other whatever the sizes are. */
bool scaling_check(const struct rope_scaling *p, struct err *err);

/* Returns whether they fit the sizes; the error begins with `name`. */
bool scaling_fits(const struct rope_wheel *w, const char *name, struct err *err);

/* Return theta'_i, the rotation of pair i per position; and theta_i, before scaling. */
double scaling_frequency(const struct rope_wheel *w, size_t i);
double scaling_trained_frequency(const struct rope_wheel *w, size_t i);

/* Returns the additional factor of queries and keys, whose square multiplies logits. */
double scaling_attention(const struct rope_wheel *w);

/* Returns the greatest distance at which every pair stays within the angles that occurred within
 * L positions before scaling (posviz/scheme/reach.h). */
double scaling_reach(struct rope_wheel w);

#endif
