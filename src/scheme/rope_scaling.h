/* rope_scaling.h: how fast the pairs of rotary positions turn, plain or slowed down for contexts
 * longer than the one trained on. */
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

/* The parameters. The row `rope` names a scaling in `named` and has its factor at place 0; the row of
 * a scaling has none to name, and its factor at the place of that scaling: hooks see parameters
 * alone, and know by this whose they are. The others are 0 where a row does not have them. */
struct rope_scaling {
	int named; /* enum scaling */
	double factor[SCALING_COUNT];
	double original;	 /* 0: t_max; no whole number where a stretched length is divided */
	double attention_factor; /* 0: the scaling's rule */
	double beta_fast, beta_slow;
	double low_freq_factor, high_freq_factor;
	bool truncate;
	int reading; /* enum scaling_reading */
	struct value_list short_factor, long_factor;
};

/* What frequencies follow from. */
struct rope_wheel {
	const struct rope_scaling *scaling;
	double base;
	size_t pairs;	/* D/2, not 0 */
	double trained; /* L */
	double n;	/* length of the input */
};

enum scaling scaling_kind(const struct rope_scaling *p);

/* Numbers that contradict each other, whatever the sizes are. */
bool scaling_check(const struct rope_scaling *p, struct err *err);

/* Whether they fit the sizes; the error begins with `name`. */
bool scaling_fits(const struct rope_wheel *w, const char *name, struct err *err);

/* theta'_i: by what pair i turns per position; and theta_i, before it was slowed down. */
double scaling_frequency(const struct rope_wheel *w, size_t i);
double scaling_trained_frequency(const struct rope_wheel *w, size_t i);

/* What multiplies queries and keys besides, so that logits take its square. */
double scaling_attention(const struct rope_wheel *w);

/* The greatest distance at which every pair stays within the angles that L positions showed it before it was slowed
 * down (posviz/scheme/reach.h). */
double scaling_reach(struct rope_wheel w);

#endif
