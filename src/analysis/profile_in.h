/* profile_in.h: the sums of a profile, and what a mask makes of a window. */
#ifndef ANALYSIS_PROFILE_IN_H
#define ANALYSIS_PROFILE_IN_H

#include "posviz/analysis/profile.h"

/* The part of a profile that depends on the mask alone: which pairs count, and the normal equations of the fits, solved
 * once by their eigenvectors. */
struct profile_design {
	const struct profile_sizes *sizes;
	const uint8_t *mask; /* [n·n] allowed */
	uint8_t *counts;     /* [n·n] */
	double *row, *by;    /* keys that count in each row [n]; pairs of each distance [2n−1] */
	double pairs;
	struct solved {
		size_t m;
		size_t *of;	   /* [m] index of a distance; or 2n−1 + s for key s */
		struct mat vector; /* [m, m] rows */
		double *inverse;   /* [m] of the eigenvalues; 0: in the null space */
	} distance, both;	   /* f alone; f and g */
	bool noisy;		   /* low and high are known */
	double low[PROFILE_SCORES], high[PROFILE_SCORES];
};

/* The sums of a head, as one row of numbers. */
struct profile_layout {
	size_t n, d, bands;	      /* d: 2n−1 distances */
	size_t squares, most, logits; /* Σ l̃²; the largest |l|; windows with logits */
	size_t map, weight;	      /* Σ l̃ and Σ p [n·n] */
	size_t f2, w2;	  /* [d] squares of the windows' own kernels, and means of weights */
	size_t scores;	  /* [PROFILE_SCORES] of count, sum, squares */
	size_t cov, band; /* [bands]; [bands][d] */
	size_t size;
};

struct profile {
	struct profile_sizes sizes;
	struct profile_layout at;
	struct arena *arena;
	double *sums;	/* [layers·heads][at.size]; the first is the number of windows */
	size_t *design; /* [layers·heads], SIZE_MAX: none yet */
	struct profile_design **designs;
	size_t n_designs;
	long **ids; /* [n_ids][n] of the first windows, for the noise */
	size_t n_ids;
	/* The scheme's own, if it was given: [layers·heads] of [2n−1], NULL: it adds nothing; and its rates. */
	double **own_added;
	struct mat own_rates;
};

enum { PROFILE_IDS = 64 };

static inline double *profile_sums(const struct profile *p, size_t cell)
{
	return p->sums + cell * p->at.size;
}

struct profile_design *profile_design_new(const struct profile_sizes *sizes, const uint8_t *mask,
					  struct arena *a);
/* out[2n−1 (+ n)] = the least-squares solution of right[...]; the sum of `right · out` is what it
 * explains. */
void profile_solve(const struct solved *s, const double *right, double *out, struct arena *a);
/* Sums a matrix [n·n] of the pairs that count by distance into out[2n−1]. */
void profile_by_distance(const struct profile_design *d, const double *m, double *out);

/* Scores of the weights of one window; NaN: not measured. ids, and the others, may be NULL. */
void profile_score_window(const struct profile_design *d, struct mat weights, const long *ids,
			  double out[PROFILE_SCORES]);
double profile_score_repeated(const struct profile_design *d, struct mat weights);
double profile_score_order(const struct profile_design *d, struct mat before, struct mat after,
			   const size_t *order);
void profile_noise(const struct profile *p, struct profile_design *d);

/* A row of a matrix without its mean over the keys that count; 0 elsewhere. */
void profile_centre(const struct profile_design *d, size_t t, const double *from, double *out);
/* Gets f of the fit to a matrix [n, n], of sum 0 over the pairs that count, NaN where there is none. */
void profile_kernel_of(const struct profile_design *d, struct mat m, double *out, struct arena *a);
/* profile_own.c: adds the scheme's own kernel, and how like it that of the head is. */
void profile_own(const struct profile *p, const struct profile_design *d, size_t cell,
		 struct arena *a, struct profile_head *out);

#endif
