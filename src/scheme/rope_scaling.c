/* rope_scaling.c: see rope_scaling.h.
 *
 * Pair i of P = D/2 rotates by theta_i = B^(-i/P) per position, with wavelength 2 pi / theta_i.
 * Fast pairs have completed full rotations in training and need no scaling; slow ones would
 * reach angles in a longer context that did not occur. The scalings differ in which pairs they
 * slow down, and by how much: a row of `scalings` each. f is the factor, L the training length. */
#include "scheme/rope_scaling.h"

#include <assert.h>
#include <math.h>

#include "posviz/scheme/reach.h"

static const double two_pi = 6.283185307179586;

const char *const scaling_names[] = {"none", "pi",     "ntk",  "dynamic",
				     "yarn", "llama3", "long", NULL};
const char *const scaling_reading_names[] = {"paper", "code", NULL};

static_assert(sizeof scaling_names / sizeof scaling_names[0] == SCALING_COUNT + 1,
	      "a name for each scaling");

/* Returns the index of the factor: 0 in the row `rope`. */
static size_t scaling_index(const struct rope_scaling *p)
{
	for (size_t i = 1; i < SCALING_COUNT; i++)
		if (p->factor[i] > 0)
			return i;
	return 0;
}

enum scaling scaling_kind(const struct rope_scaling *p)
{
	const size_t row = scaling_index(p);
	return row > 0 ? (enum scaling)row : (enum scaling)p->named;
}

static double factor(const struct rope_wheel *w)
{
	return w->scaling->factor[scaling_index(w->scaling)];
}

double scaling_trained_frequency(const struct rope_wheel *w, size_t i)
{
	const double theta = pow(w->base, -(double)i / (double)w->pairs);
	return i < w->rotating && (w->cut <= 0 || two_pi <= w->cut * theta) ? theta : 0;
}

/* Returns i/(P-1): from 0 for the fastest pair to 1 for the slowest. A single pair counts as the
 * fastest. */
static double share(const struct rope_wheel *w, size_t i)
{
	return w->pairs > 1 ? (double)i / (double)(w->pairs - 1) : 0;
}

/* The authors' code takes L from max_position_embeddings, which models with extended context
 * have set to f L. */
static double length(const struct rope_wheel *w)
{
	return w->scaling->reading == READING_CODE ? factor(w) * w->trained : w->trained;
}

/* ---- the scalings ---- */

static double unscaled(const struct rope_wheel *w, size_t i)
{
	return scaling_trained_frequency(w, i);
}

/* R_{t/f}, Chen et al. 2023 */
static double interpolate(const struct rope_wheel *w, size_t i)
{
	return scaling_trained_frequency(w, i) / factor(w);
}

/* Base B f^(D/(D-2)), which turns theta_i into theta_i f^(-i/(P-1)): 1 and 1/f times at the
 * ends. */
static double stretch_base(const struct rope_wheel *w, size_t i)
{
	return scaling_trained_frequency(w, i) * pow(factor(w), -share(w, i));
}

/* Like stretch_base with f n/L - (f - 1) for f, n > L: the base grows with the input. */
static double grow_base(const struct rope_wheel *w, size_t i)
{
	const double f = factor(w), n = fmax(w->n, w->trained);
	return scaling_trained_frequency(w, i) * pow(f * n / w->trained - (f - 1), -share(w, i));
}

/* Returns the pair, as a real number, that completes this number of rotations within L. B = 1
 * has none: ±inf. */
static double pair_of_turns(const struct rope_wheel *w, double turns)
{
	return (double)w->pairs * log(length(w) / (two_pi * turns)) / log(w->base);
}

/* Returns 1 − γ: 0 for pairs that rotate many times within L, 1 for those that do not complete a
 * rotation, a ramp between. If all pairs are on one side of it the ramp has no length: a step
 * replaces it, as in the authors' code when both ends are the same pair. Peng et al. 2024, eq.
 * 18; ends as in the code. */
static double slow_share(const struct rope_wheel *w, size_t i)
{
	const struct rope_scaling *p = w->scaling;
	const double last = 2 * (double)w->pairs - 1;
	double low = pair_of_turns(w, p->beta_fast), high = pair_of_turns(w, p->beta_slow);
	if (p->truncate) {
		low = floor(low);
		high = ceil(high);
	}
	low = fmin(fmax(low, 0), last);
	high = fmin(high, last);
	if (high <= low)
		high = low + 0.001;
	return fmin(fmax(((double)i - low) / (high - low), 0), 1);
}

static double blend_by_turns(const struct rope_wheel *w, size_t i)
{
	const double slow = slow_share(w, i);
	return scaling_trained_frequency(w, i) * (1 - slow) +
	       scaling_trained_frequency(w, i) / factor(w) * slow;
}

/* μ(mscale) / μ(mscale_all_dim), by default 0.1 ln f + 1. */
static double warm(const struct rope_wheel *w)
{
	const struct rope_scaling *p = w->scaling;
	const double by = 0.1 * log(factor(w));
	return (p->mscale * by + 1) / (p->mscale_all_dim * by + 1);
}

/* By rotations within L: pairs with at least high_freq_factor keep theta, those with at most
 * low_freq_factor have theta/f; where both are equal none is between. */
static double blend_by_wavelength(const struct rope_wheel *w, size_t i)
{
	const struct rope_scaling *p = w->scaling;
	const double turns = w->trained * scaling_trained_frequency(w, i) / two_pi;
	const double band = p->high_freq_factor - p->low_freq_factor;
	const double kept = band > 0 ? fmin(fmax((turns - p->low_freq_factor) / band, 0), 1)
				     : turns > p->high_freq_factor;
	return scaling_trained_frequency(w, i) * kept +
	       scaling_trained_frequency(w, i) / factor(w) * (1 - kept);
}

/* The paper uses the long factors beyond L; the code whenever f > 1, however short the input is. */
static bool is_long(const struct rope_wheel *w)
{
	return w->scaling->reading == READING_CODE ? factor(w) > 1 : w->n > w->trained;
}

/* Factors come from a search for one model. Without a list: none within L; beyond, from 1 for
 * the fastest pair to f for the slowest. */
static double searched(const struct rope_wheel *w, size_t i)
{
	const struct rope_scaling *p = w->scaling;
	const bool far = is_long(w);
	const struct value_list *list = far ? &p->long_factor : &p->short_factor;
	if (list->n > 0)
		return scaling_trained_frequency(w, i) / list->at[i];
	return far ? scaling_trained_frequency(w, i) / (1 + (factor(w) - 1) * share(w, i))
		   : scaling_trained_frequency(w, i);
}

static double warm_by_length(const struct rope_wheel *w)
{
	return factor(w) > 1 ? sqrt(1 + log(factor(w)) / log(length(w))) : 1;
}

static const struct {
	double (*frequency)(const struct rope_wheel *w, size_t i);
	double (*attention)(const struct rope_wheel *w); /* NULL: 1 */
} scalings[SCALING_COUNT] = {
	[SCALING_NONE] = {unscaled},
	[SCALING_PI] = {interpolate},
	[SCALING_NTK] = {stretch_base},
	[SCALING_DYNAMIC] = {grow_base},
	[SCALING_YARN] = {blend_by_turns, warm},
	[SCALING_LLAMA3] = {blend_by_wavelength},
	[SCALING_LONG] = {searched, warm_by_length},
};

double scaling_frequency(const struct rope_wheel *w, size_t i)
{
	const double theta = scalings[scaling_kind(w->scaling)].frequency(w, i);
	return w->round && theta > 0 ? two_pi / rint(two_pi / theta) : theta;
}

double scaling_attention(const struct rope_wheel *w)
{
	const enum scaling kind = scaling_kind(w->scaling);
	if (w->scaling->attention_factor > 0)
		return w->scaling->attention_factor;
	return scalings[kind].attention ? scalings[kind].attention(w) : 1;
}

/* ---- consistency ---- */

bool scaling_check(const struct rope_scaling *p, struct err *err)
{
	const enum scaling kind = scaling_kind(p);
	if (kind == SCALING_YARN && p->beta_fast < p->beta_slow)
		return err_set(
			err,
			"beta_fast=%g rotations are fewer than beta_slow=%g; fast pairs make "
			"more of them",
			p->beta_fast, p->beta_slow);
	if (kind == SCALING_LLAMA3 && p->low_freq_factor > p->high_freq_factor)
		return err_set(err, "low_freq_factor=%g must not be more than high_freq_factor=%g",
			       p->low_freq_factor, p->high_freq_factor);
	return true;
}

static bool list_fits(const struct value_list *list, const char *what, size_t pairs,
		      const char *name, struct err *err)
{
	return list->n == 0 || list->n == pairs ||
	       err_set(err, "%s: %s has %zu numbers, but %zu pairs rotate; one for each is wanted",
		       name, what, list->n, pairs);
}

bool scaling_fits(const struct rope_wheel *w, const char *name, struct err *err)
{
	const struct rope_scaling *p = w->scaling;
	if (scaling_kind(p) != SCALING_LONG)
		return true;
	if (!(length(w) > 1))
		return err_set(err, "%s divides by ln L, and L is 1; set original", name);
	return list_fits(&p->short_factor, "short_factor", w->pairs, name, err) &&
	       list_fits(&p->long_factor, "long_factor", w->pairs, name, err);
}

/* ---- reach ---- */

/* Returns the reach for the frequencies of an input of length w->n. */
static double reach_of_length(const struct rope_wheel *w)
{
	double least = INFINITY;
	for (size_t i = 0; i < w->pairs; i++)
		least = fmin(least, reach_of_pair(scaling_frequency(w, i),
						  scaling_trained_frequency(w, i), w->trained));
	return least;
}

/* A distance needs an input that is longer by one. */
static bool is_within(struct rope_wheel *w, double distance)
{
	w->n = distance + 1;
	return distance <= reach_of_length(w);
}

double scaling_reach(struct rope_wheel w)
{
	static const double endless = 1e15;
	if (scaling_kind(w.scaling) != SCALING_DYNAMIC) {
		w.n = w.trained + 1;
		return reach_of_length(&w);
	}
	/* The angle of a pair relative to the end of those in training first decreases if f is
	 * large, then increases for good: the distances within reach are all from L-1 to the one
	 * sought. */
	double low = w.trained - 1, high = 2 * w.trained;
	while (is_within(&w, high)) {
		low = high;
		high *= 2;
		if (high > endless)
			return INFINITY;
	}
	while (high - low > 1) {
		const double middle = floor((low + high) / 2);
		*(is_within(&w, middle) ? &low : &high) = middle;
	}
	return low;
}
