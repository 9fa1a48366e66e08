/* profile_result.c: kernels, shares and scores from the sums of a profile. */
#include <math.h>
#include <string.h>

#include "profile_in.h"

/* Quantiles 0.975 of Student's t for 1 to 10 degrees of freedom. */
static const double student[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
				 2.44691, 2.36462, 2.30600, 2.26216, 2.22814};

static double student_quantile(double freedom)
{
	static const double x = 1.959963984540054;
	enum { LISTED = sizeof student / sizeof *student };
	if (freedom <= LISTED)
		return student[(size_t)freedom - 1];
	const double x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
	return x + (x3 + x) / (4 * freedom) +
	       (5 * x5 + 16 * x3 + 3 * x) / (96 * freedom * freedom) +
	       (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * freedom * freedom * freedom);
}

/* A variance below the rounding of the squares is 0. */
double profile_half_width(double n, double sum, double squares)
{
	static const double rounding = 1e-14;
	if (!(n >= 2))
		return NAN;
	const double about = squares - sum * sum / n;
	const double variance = about > rounding * squares ? about / (n - 1) : 0;
	return student_quantile(n - 1) * sqrt(variance / n);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* f of sums by distance, with sum 0 over the pairs; NaN where there is none. */
static void make_kernel(const struct profile_design *d, const double *by, double windows,
			double *out, struct arena *a)
{
	const size_t m = 2 * d->sizes->n - 1;
	double mean = 0;
	profile_solve(&d->distance, by, out, a);
	for (size_t i = 0; i < m; i++)
		mean += d->by[i] > 0 ? d->by[i] * out[i] / d->pairs : 0;
	for (size_t i = 0; i < m; i++)
		out[i] = d->by[i] > 0 ? (out[i] - mean) / windows : NAN;
}

void profile_kernel_of(const struct profile_design *d, struct mat m, double *out, struct arena *a)
{
	const size_t n = d->sizes->n;
	const struct mat map = mat_zero(a, n, n);
	double *const by = arena_calloc(a, 2 * n, sizeof *by);
	for (size_t t = 0; t < n; t++)
		profile_centre(d, t, mat_row(m, t), mat_row(map, t));
	profile_by_distance(d, map.at, by);
	make_kernel(d, by, 1, out, a);
}

static double *numbers(struct arena *a, size_t n)
{
	double *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = NAN;
	return out;
}

static void kernel_halves(const struct profile_design *d, double windows, const double *mean,
			  const double *squares, double *out)
{
	for (size_t i = 0; i < 2 * d->sizes->n - 1; i++)
		if (d->by[i] > 0)
			out[i] = profile_half_width(windows, windows * mean[i], squares[i]);
}

static void find_weights(const struct profile *p, const struct profile_design *d,
			 const double *sums, struct arena *a, struct profile_head *out)
{
	const struct profile_layout *const l = &p->at;
	double *const by = arena_calloc(a, l->d, sizeof *by);
	out->weight = numbers(a, l->d);
	out->weight_half = numbers(a, l->d);
	profile_by_distance(d, sums + l->weight, by);
	for (size_t i = 0; i < l->d; i++)
		if (d->by[i] > 0)
			out->weight[i] = by[i] / d->by[i] / sums[0];
	kernel_halves(d, sums[0], out->weight, sums + l->w2, out->weight_half);
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Returns Z'l̃ of both fits: the sums by distance, and by key. */
static double *right_side(const struct profile *p, const struct profile_design *d,
			  const double *map, struct arena *a)
{
	const size_t n = p->at.n;
	double *const out = arena_calloc(a, 3 * n, sizeof *out);
	profile_by_distance(d, map, out);
	for (size_t i = 0; i < n * n; i++)
		out[p->at.d + i % n] += d->counts[i] ? map[i] : 0;
	return out;
}

static double between(double share)
{
	return fmin(1, fmax(0, share));
}

static void find_shares(const struct profile *p, const struct profile_design *d, const double *sums,
			const double *right, struct arena *a, struct profile_head *out)
{
	static const double rounding = 1e-12;
	const struct profile_layout *const l = &p->at;
	const double windows = sums[l->logits], all = sums[l->squares];
	const double most = fmax(1, sums[l->most]), pairs = windows * d->pairs;
	double *const x = arena_calloc(a, 3 * l->n, sizeof *x);
	out->sd = sqrt(all / pairs);
	if (!(all > rounding * rounding * most * most * pairs)) {
		out->sd = 0;
		return;
	}
	profile_solve(&d->distance, right, x, a);
	const double distance = dot(right, x, l->d) / windows / all;
	profile_solve(&d->both, right, x, a);
	const double both = dot(right, x, 3 * l->n - 1) / windows / all;
	out->distance = between(distance);
	out->key = between(both - distance);
	out->content = between(1 - both);
}

/* Shares of the bands of the variance, and of what f explains. */
static void find_bands(const struct profile *p, const struct profile_design *d, const double *sums,
		       const double *right, struct arena *a, struct profile_head *out)
{
	const struct profile_layout *const l = &p->at;
	double *const x = arena_calloc(a, l->d, sizeof *x);
	if (l->bands == 0 || isnan(out->distance))
		return;
	out->band = arena_calloc(a, l->bands + 1, sizeof *out->band);
	out->band_mean = arena_calloc(a, l->bands + 1, sizeof *out->band_mean);
	profile_solve(&d->distance, right, x, a);
	const double explained = dot(right, x, l->d);
	out->band[l->bands] = out->band_mean[l->bands] = 1;
	for (size_t i = 0; i < l->bands; i++) {
		out->band[i] = sums[l->cov + i] / sums[l->squares];
		out->band_mean[i] =
			explained > 0 ? dot(sums + l->band + i * l->d, x, l->d) / explained : NAN;
		out->band[l->bands] -= out->band[i];
		out->band_mean[l->bands] -= out->band_mean[i];
	}
}

/* Returns the distance at which the kernel is largest; NaN: it has no shape. */
static double peak_of(const struct profile_head *h, size_t n)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < 2 * n - 1; i++)
		if (!isnan(h->kernel[i]) && (best == SIZE_MAX || h->kernel[i] > h->kernel[best]))
			best = i;
	return best == SIZE_MAX || isnan(h->distance) ? NAN : (double)best - (double)(n - 1);
}

static void find_logits(const struct profile *p, const struct profile_design *d, const double *sums,
			size_t cell, struct arena *a, struct profile_head *out)
{
	const struct profile_layout *const l = &p->at;
	out->kernel = numbers(a, l->d);
	out->kernel_half = numbers(a, l->d);
	if (sums[l->logits] < sums[0] || !(d->pairs > 0)) {
		out->why = !(d->pairs > 0) ? "no pair counts"
					   : "some logit is not finite, or weight 0";
		return;
	}
	const double *const right = right_side(p, d, sums + l->map, a);
	make_kernel(d, right, sums[0], out->kernel, a);
	kernel_halves(d, sums[0], out->kernel, sums + l->f2, out->kernel_half);
	find_shares(p, d, sums, right, a, out);
	find_bands(p, d, sums, right, a, out);
	profile_own(p, d, cell, a, out);
	out->peak = peak_of(out, l->n);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static void find_scores(const struct profile *p, struct profile_design *d, const double *sums,
			bool noise, struct profile_head *out)
{
	if (noise && !d->noisy)
		profile_noise(p, d);
	for (size_t i = 0; i < PROFILE_SCORES; i++) {
		const double *const of = sums + p->at.scores + 3 * i;
		out->score[i] = of[0] > 0 ? of[1] / of[0] : NAN;
		out->half[i] = profile_half_width(of[0], of[1], of[2]);
		out->low[i] = noise ? d->low[i] : NAN;
		out->high[i] = noise ? d->high[i] : NAN;
		out->stands[i] = noise && (out->score[i] > d->high[i] ||
					   (profile_scores[i].both && out->score[i] < d->low[i]));
	}
}

void profile_result(struct profile *p, size_t layer, size_t head, bool noise, struct arena *a,
		    struct profile_head *out)
{
	const size_t cell = layer * p->sizes.heads + head;
	const double *const sums = profile_sums(p, cell);
	*out = (struct profile_head){.windows = (size_t)sums[0],
				     .distance = NAN,
				     .key = NAN,
				     .content = NAN,
				     .sd = NAN,
				     .peak = NAN,
				     .own_like = NAN,
				     .own_apart = NAN};
	BUG_IF(p->design[cell] == SIZE_MAX);
	struct profile_design *const d = p->designs[p->design[cell]];
	find_weights(p, d, sums, a, out);
	find_logits(p, d, sums, cell, a, out);
	find_scores(p, d, sums, noise, out);
}

struct mat profile_pairs(struct profile *p, size_t layer, size_t head, struct arena *a)
{
	const size_t cell = layer * p->sizes.heads + head, n = p->at.n;
	const double *const sums = profile_sums(p, cell);
	if (p->design[cell] == SIZE_MAX || sums[p->at.logits] < sums[0])
		return (struct mat){0};
	const struct mat out = mat_new(a, n, n);
	for (size_t i = 0; i < n * n; i++)
		out.at[i] = p->designs[p->design[cell]]->counts[i] ? sums[p->at.map + i] / sums[0]
								   : NAN;
	return out;
}
