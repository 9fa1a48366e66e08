/* profile.h: what each head of a model does with position, over windows of a text.
 *
 * Windows have n tokens each; the first `front` and the last `back` of them are the frame that the
 * model puts around a text. Row = query t, column = key s. A pair of two tokens that are not of the
 * frame counts where the mask allows it. l̃_ts is a logit minus the mean of its row over the keys
 * that count: softmax does not see that mean, so weights give l̃ as well as logits do.
 *
 *   kernel       f(s−t) of the least-squares fit l̃_ts = r_t + f(s−t) over all windows; rows are
 *                fitted too because far distances occur only in long rows. The sum over all pairs
 *                is 0. Half width: 95 %, from the fits of the windows one by one (Student).
 *   by weight    the mean weight of the pairs of a distance
 *   shares       of Σ l̃²: what f explains; what g(s) explains in addition, in the least-squares
 *                fit r_t + f(s−t) + g(s); the rest, which is content. A trend in s is counted as
 *                one in s−t.
 *   bands        of a rotation: l = Σ_i c·(q·k over the columns of pair i) + what is left. Share
 *                of the variance: Σ l̃_i l̃ / Σ l̃². Share of the kernel: the same with the parts
 *                of both that f explains. Each sums to 1 with what is left.
 *   scores       of the weights, see profile_scores
 *
 *   own          of the scheme: the kernel of what it adds to logits by positions alone, and where it rotates
 *                that of equal q and k, Σ_i cos(δ θ_i) (Su et al. 2021, section 3.4.3), as large as explains
 *                most of what is left of the head's. Likeness: 1 − Σ(f−own)² / Σf² over the pairs that
 *                count, rows without their means; 1: the kernel is the scheme's, at most 0: unlike it.
 *
 * Results do not depend on the number of threads, and on the order of windows only by rounding. */
#ifndef POSVIZ_PROFILE_H
#define POSVIZ_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/math/mat.h"

enum {
	PROFILE_NEAR = 8,      /* distance up to which tokens are near */
	PROFILE_NOISE = 10000, /* noise heads */
	PROFILE_BLOCK = 25,    /* random tokens that are repeated (Olsson et al. 2022), at most */
	PROFILE_REPEATS = 4,
	PROFILE_LEAST = 4, /* tokens of a window, without the frame */
	PROFILE_MOST = 1024
};

/* Each is a mean over the queries that are not of the frame, and then over windows; p is a row of
 * weights divided by its sum. */
enum profile_score {
	PROFILE_PREVIOUS,
	PROFILE_FIRST,
	PROFILE_SAME,
	PROFILE_INDUCTION,
	PROFILE_LOCAL,
	PROFILE_ENTROPY,
	PROFILE_DISTANCE,
	PROFILE_ORDER,
	PROFILE_SCORES
};

struct profile_score_row {
	const char *name, *title, *means, *source;
	bool both; /* it also stands out where it is low */
};
extern const struct profile_score_row profile_scores[PROFILE_SCORES];
enum profile_score profile_score_find(const char *name); /* or PROFILE_SCORES */

struct profile; /* sums over the windows so far */

struct profile_sizes {
	size_t layers, heads, n, front, back;
	size_t bands; /* pairs of a rotation, at most; 0: nothing rotates */
};

/* A head in one window. */
struct profile_in {
	struct mat logits;   /* [n, n] before the mask; at NULL: those that the weights give */
	struct mat weights;  /* [n, n] */
	const uint8_t *mask; /* [n·n], 0: not allowed; NULL: all are */
	/* [n, d_h] rotated, of which columns i and i + pairs (`half`), or 2i and 2i + 1, are a pair;
	 * c multiplies q·k. pairs 0: no bands. */
	struct mat q, k;
	size_t pairs;
	bool half;
	double c;
};

struct profile *profile_new(const struct profile_sizes *sizes, struct arena *a);
const struct profile_sizes *profile_sizes_of(const struct profile *p);
size_t profile_bytes(const struct profile_sizes *sizes);

/* Adds a window: heads[layers · heads], and the tokens' ids [n] (NULL: not known, then there is no
 * score of the same token). False: the mask of a head is not that of the windows before. */
bool profile_add(struct profile *p, const struct profile_in *heads, const long *ids,
		 struct err *err);
/* Adds a window of repeated random tokens: profile_repeats of n. */
void profile_add_repeated(struct profile *p, const struct profile_in *heads);
/* Adds a window before and after its far tokens changed their order: profile_shuffle. */
void profile_add_shuffled(struct profile *p, const struct profile_in *before,
			  const struct profile_in *after, const size_t *order);

/* Returns the number of random tokens that a window of these sizes repeats; 0: it is too short. Token i
 * behind the front is number i modulo this. */
size_t profile_block(const struct profile_sizes *sizes);
/* Returns the query whose row is compared, n/2; *order gets [n]: position s has token order[s]. Tokens
 * farther from the query than PROFILE_NEAR, and not of the frame, are shuffled. */
size_t profile_shuffle(const struct profile_sizes *sizes, uint64_t seed, size_t *order);

/* ---- results --------------------------------------------------------------------------------- */

struct profile_head {
	size_t windows;
	const char *why; /* why there is nothing of logits: "some weight is 0"; or NULL */
	double sd;	 /* the root of the mean of l̃² */
	double distance, key,
		content; /* shares, their sum is 1; NaN: all logits of a row are equal */
	/* [2n−1], of s−t = i − (n−1); NaN where no pair counts, half widths also for one window. */
	double *kernel, *kernel_half, *weight, *weight_half;
	double score[PROFILE_SCORES],
		half[PROFILE_SCORES]; /* half width, 95 %; NaN: not measured */
	/* The values that 0.1 % and 99.9 % of noise heads stay below, and whether the score is beyond. */
	double low[PROFILE_SCORES], high[PROFILE_SCORES];
	bool stands[PROFILE_SCORES];
	double peak; /* the distance at which the kernel is largest; NaN: there is no kernel */
	/* The scheme's own kernel [2n−1], NULL: there is none; the likeness, and the root of the mean of (f−own)². */
	double *own, own_like, own_apart;
	double *band, *band_mean; /* [bands + 1] shares, the last what is left; NULL: no bands */
};

/* Gives the scheme's own kernels: map[layers·heads], [n, n] what it adds to logits by positions alone, at NULL nothing;
 * rates[layers] rows of `bands` angles, NaN: none. Returns false, and the profile is unchanged, if there is neither. */
bool profile_give_own(struct profile *p, const struct mat *map, struct mat rates);

/* Computes the results of a head, from 0. `noise` asks for low, high and stands, which take a second
 * for each mask the first time. */
void profile_result(struct profile *p, size_t layer, size_t head, bool noise, struct arena *a,
		    struct profile_head *out);
/* Returns the root of the mean of (y−x)², of kernels [2n−1] of a head, over the pairs that count, rows without their
 * means. */
double profile_apart(const struct profile *p, size_t cell, const double *x, const double *y);
/* Returns the mean over windows of l̃, [n, n], NaN where no pair counts; at NULL: no logits. */
struct mat profile_pairs(struct profile *p, size_t layer, size_t head, struct arena *a);

/* Returns the half width of a 95 % interval for a mean of n values, given their sum and that of their
 * squares; NaN for n < 2. Student's quantile (Abramowitz and Stegun 26.7.5 beyond 10). */
double profile_half_width(double n, double sum, double squares);

#endif
