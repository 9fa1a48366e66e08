/* claims.h: the claims about schemes: what the survey prints, what our descriptors say, and what
 * their behaviour shows. */
#ifndef POSVIZ_CLAIMS_H
#define POSVIZ_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* ---- behaviour ------------------------------------------------------------------------------- */

/* The behaviour of an expression, measured on a fixed sentence, or the sample that its scheme
 * names, and fixed sizes (d 16, two heads, t-max BEHAVIOUR_T_MAX): independent of the user's
 * input. */
enum { BEHAVIOUR_LONG = 520, BEHAVIOUR_T_MAX = 24 };

struct behaviour {
	double shift, shift_random, equivariance; /* as in struct measures; NaN: not defined */
	bool constant_bias;
	bool computes; /* for BEHAVIOUR_LONG tokens */
	enum far {
		FAR_UNSAID, /* not comparable: no bias, or a constant one */
		FAR_ONE,    /* the farthest distances have the same bias */
		FAR_TOLD    /* they have different biases */
	} far;
	/* Shares of the variance of head 1's bias, or of its weights if it has none, as in
	 * struct split: by distance, for structures by the number that the scheme gives to two
	 * nodes. NaN: not defined. */
	struct shares {
		double distance, query, key, rest;
		bool weights, relation;
	} split;
	/* In how many of the layers after the first it acts; later 0: it cannot be computed. */
	size_t acts, later;
};

/* Measures, and stores the result in `cache` (may be NULL): the second call only reads it. False
 * when it could not be computed or was cancelled. */
bool analysis_behaviour(const struct setup *setup, struct cache *cache, struct watch *watch,
			struct behaviour *out, struct err *err);
/* Returns whether the cache has the result, and copies it into *out. */
bool analysis_behaviour_kept(const struct setup *setup, struct cache *cache, struct behaviour *out);

/* The use that a check makes of a field: its sentence and viewing options are fixed. */
enum check_use {
	CHECK_READS,
	CHECK_MAY_READ, /* only if a scheme's file is made for it */
	CHECK_HAS_OWN
};
enum check_use check_use_of(const struct setup *setup, const struct field *field);

struct verdict {
	const char *claim; /* "relative" */
	enum answer printed,
		claimed;   /* Table 1; the claim of our descriptor with these parameters */
	bool measured;	   /* the measured result */
	const char *found; /* "shift moves logits by 0 (3e-16), tolerance 1e-9, seed 0" */
	const char *why;   /* the descriptor's reason why printed and claimed differ */
	bool ok;	   /* measured == claimed */
};

enum { VERDICTS_MAX = 16 };

/* Tests every claim of the expression's main member, taken alone, with the probe and under
 * identity and random projections. False only when it could not be computed. */
bool analysis_check(const struct setup *setup, struct cache *cache, struct arena *a,
		    struct verdict *out, size_t *n, struct err *err);

/* ---- Table 1 of the survey: printed, claimed and measured --------------------------------- */

/* A claim: as printed, as claimed by our descriptor, as measured; and why they differ, or
 * NULL. */
struct fact {
	enum answer printed, claimed, measured; /* measured ANSWER_UNSAID: cannot be measured */
	const char *why;
};

struct table_row {
	const struct scheme *scheme; /* with its default parameters */
	struct fact facts
		[CLAIM_KINDS]; /* CLAIM_COUNT: the number of parameters equals the printed one */
	double printed;	       /* the printed formula at these sizes; NaN: nothing is printed */
	bool counted;
	size_t made, frozen; /* learned numbers at these sizes, and how many of them are frozen */
	const char
		*no_count; /* the reason why it cannot be built at these sizes; NULL when counted */
	bool known;	   /* the other claims were measured */
	struct behaviour is;
};

/* Returns whether the printed claim differs from the measured one. */
bool fact_differs(const struct fact *fact);

/* Makes a row for each scheme in the order of the registry. Counts are at the sizes of `setup`
 * (d-model, heads, layers, t-max), behaviour depends only on its seed. rows[*n] from `a`.
 * `cache` and `watch` may be NULL. */
bool analysis_table(const struct setup *setup, struct cache *cache, struct watch *watch,
		    struct arena *a, struct table_row **rows, size_t *n, struct err *err);
/* Does the same without measuring: behaviour only as far as the cache has it. */
void analysis_table_kept(const struct setup *setup, struct cache *cache, struct arena *a,
			 struct table_row **rows, size_t *n);
/* Measures such rows, several at once; false, with the error of the first of them, when one could not be computed
 * or was cancelled. */
bool analysis_table_measure(const struct setup *setup, struct cache *cache, struct watch *watch,
			    struct table_row *const *rows, size_t n, struct err *err);

#endif
