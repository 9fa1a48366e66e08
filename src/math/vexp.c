/* vexp.c: functions of the C library over arrays and the softmax of a row: the loops that gain most
 * from an instruction set of their own.
 *
 * Compiled several times on x86-64, with -DVEXP=<the name of the object> and a different -march.
 * There the C library has vector versions of them (libmvec, at most 4 ulp off); declaring them
 * here lets the compiler use them without -ffast-math, so -inf and NaN keep their meaning.
 * Elsewhere the same loops call them one by one. tanh and the gates of a GRU are computed here. */
#include "math/vexp.h"

#include <math.h>
#include <string.h>

#define TEXT(name)    TEXT_OF(name)
#define TEXT_OF(name) #name

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#pragma omp declare simd notinbranch
extern double exp(double x);
#pragma omp declare simd notinbranch
extern double log(double x);
#pragma omp declare simd notinbranch
extern double sin(double x);
#pragma omp declare simd notinbranch
extern double cos(double x);
#if __GLIBC_PREREQ(2, 35)
#pragma omp declare simd notinbranch
extern double erf(double x);
#pragma omp declare simd notinbranch
extern double log1p(double x);
#endif
#endif
#if defined(__clang__) /* has no vector exp without -ffast-math, and warns at each pragma below */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* libmvec leaves its vector path for very small results, so arguments are clamped at -700, and
 * the result of that becomes 0: beside the row's maximum of 1 a weight of exp(-700) is
 * negligible. The code compares the result, not the argument: otherwise the compiler recognises
 * the clamp and computes exp of the smaller arguments after all. */
static const double least_weight = 1e-304;
/* volatile, or the compiler folds exp(-700) and computes exp of the smaller arguments after all. */
static const volatile double least_exponent = -700;
/* tanh rounds to 1 from here on. */
static const volatile double largest_tanh = 20;

/* x = k log 2 + r, |r| <= log 2 / 2: returns e^r - 1, exact to about 1 ulp, and 2^k. It is
 * inline, since a function call for a few numbers would take longer than the computation. */
static inline double expm1_parts(double x, double *power)
{
	const double shift = 0x1.8p52; /* doubles of this size are integers */
	double k = x * 0x1.71547652b82fep0 + shift;
	uint64_t bits;
	memcpy(&bits, &k, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(power, &bits, sizeof bits);
	k -= shift;
	const double r = x - k * 0x1.62e42fefa3800p-1 - k * 0x1.ef35793c76730p-45;
	double p = 1.0 / 6227020800;
	p = p * r + 1.0 / 479001600;
	p = p * r + 1.0 / 39916800;
	p = p * r + 1.0 / 3628800;
	p = p * r + 1.0 / 362880;
	p = p * r + 1.0 / 40320;
	p = p * r + 1.0 / 5040;
	p = p * r + 1.0 / 720;
	p = p * r + 1.0 / 120;
	p = p * r + 1.0 / 24;
	p = p * r + 1.0 / 6;
	p = p * r + 0.5;
	return p * r * r + r;
}

/* Returns exp(x) for |x| <= 700. */
static inline double small_exp(double x)
{
	double power;
	const double e = expm1_parts(x, &power);
	return e * power + power;
}

/* tanh |x| = E / (E + 2) with E = e^(2|x|) - 1, which has no cancellation. */
static inline double tanh_of(double x, double most)
{
	const double size = fabs(x);
	double power;
	const double e = expm1_parts(2 * (size > most ? most : size), &power);
	const double all = e * power + (power - 1);
	return copysign(all / (all + 2), x);
}

static void tanh_loop(double *out, const double *in, size_t n)
{
	const double most = largest_tanh;
#pragma omp simd
	for (size_t i = 0; i < n; i++)
		out[i] = tanh_of(in[i], most);
}

static void exp_loop(double *out, const double *in, size_t n)
{
	const double least = least_exponent;
#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const double e = exp(in[i] < least ? least : in[i]);
		out[i] = e <= least_weight ? 0 : e;
	}
}

static void log1p_exp_loop(double *out, const double *in, size_t n)
{
	const double least = least_exponent;
#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const double x = in[i] < 0 ? in[i] : -in[i];
		const double e = log1p(exp(x < least ? least : x));
		out[i] = e <= least_weight ? 0 : e;
	}
}

#define LOOP(name)                                                                       \
	static void name##_loop(double *out, const double *in, size_t n)                 \
	{                                                                                \
		_Pragma("omp simd") for (size_t i = 0; i < n; i++) out[i] = name(in[i]); \
	}
LOOP(erf)
LOOP(log)
LOOP(sin)
LOOP(cos)

/* 0 times a number that is not finite is NaN, which stays in the sum. */
static bool finite_row(const double *in, size_t n)
{
	double sum = 0;
#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += in[i] * 0;
	return !isnan(sum);
}

/* Returns the largest number, ignoring NaN, -inf when there is none; *finite tells whether all
 * are finite. */
static double largest(const double *in, size_t n, bool *finite)
{
	double best = -INFINITY, sum = 0;
#pragma omp simd reduction(max : best) reduction(+ : sum)
	for (size_t i = 0; i < n; i++) {
		const double x = in[i];
		sum += x * 0;
		best = x > best ? x : best;
	}
	*finite = !isnan(sum);
	return best;
}

enum { EIGHT = 8 };

/* Copies the allowed entries, puts -inf elsewhere, and returns the largest. It works in eight
 * lanes, whose mask bytes are widened by hand: otherwise the compiler vectorises for as many
 * numbers as a vector has bytes, and not at all for shorter rows. */
static double largest_allowed(double *out, const double *in, const uint8_t *allowed, size_t n,
			      bool *finite)
{
	double best[EIGHT], sum[EIGHT] = {0};
	size_t i = 0;
	for (size_t k = 0; k < EIGHT; k++)
		best[k] = -INFINITY;
	for (; i + EIGHT <= n; i += EIGHT) {
		const uint8_t *a = allowed + i;
		const uint64_t may[EIGHT] = {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};
#pragma omp simd
		for (size_t k = 0; k < EIGHT; k++)
			sum[k] += (may[k] ? in[i + k] : 0) * 0;
#pragma omp simd
		for (size_t k = 0; k < EIGHT; k++) {
			const double x = may[k] ? in[i + k] : -INFINITY;
			best[k] = x > best[k] ? x : best[k];
			out[i + k] = x;
		}
	}
	for (; i < n; i++) {
		const double x = allowed[i] ? in[i] : -INFINITY;
		sum[0] += (allowed[i] ? x : 0) * 0;
		best[0] = x > best[0] ? x : best[0];
		out[i] = x;
	}
	for (size_t k = 1; k < EIGHT; k++) {
		sum[0] += sum[k];
		best[0] = best[k] > best[0] ? best[k] : best[0];
	}
	*finite = !isnan(sum[0]);
	return best[0];
}

static bool softmax_range(double *out, const double *in, const uint8_t *allowed, size_t n)
{
	bool finite;
	const double max =
		allowed ? largest_allowed(out, in, allowed, n, &finite) : largest(in, n, &finite);
	in = allowed ? out : in;
	const double shift = max == -INFINITY ? 0 : max; /* -inf - -inf would be NaN */
	const double least = least_exponent;
	double sum = 0;
#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++) {
		const double x = in[i] - shift;
		const double e = exp(x < least ? least : x);
		out[i] = e;
		sum += e;
	}
	const double scale = max == -INFINITY ? 0 : 1 / sum;
	/* A NaN makes the sum NaN, but the forbidden entries stay 0. */
#pragma omp simd
	for (size_t i = 0; i < n; i++)
		out[i] = out[i] <= least_weight ? 0 : out[i] * scale;
	return finite;
}

static double dot(const double *x, const double *y, size_t n)
{
	double sum = 0;
#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Σ x y z */
static double triple(const double *x, const double *y, const double *z, size_t n)
{
	double sum = 0;
#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i] * z[i];
	return sum;
}

static void add_row(double *restrict to, double by, const double *restrict x, size_t n)
{
#pragma omp simd
	for (size_t i = 0; i < n; i++)
		to[i] += by * x[i];
}

static inline double sigmoid_of(double x, double least)
{
	const double low = x < least ? least : x;
	return 1 / (1 + small_exp(low > -least ? least : -low));
}

static bool none_of_eight(const uint8_t *allowed)
{
	uint64_t all;
	memcpy(&all, allowed, sizeof all);
	return all == 0;
}

/* Skips forbidden entries at both ends (with a causal mask, the later keys) in whole vectors, so
 * that the others are summed in the same order as before. */
static bool softmax_row(double *out, const double *in, const uint8_t *allowed, size_t n)
{
	if (!allowed)
		return softmax_range(out, in, NULL, n);
	size_t first = 0, end = n;
	while (end > 0 && end % EIGHT && !allowed[end - 1])
		end--;
	end = end % EIGHT ? n : end;
	while (end >= EIGHT && end % EIGHT == 0 && none_of_eight(allowed + end - EIGHT))
		end -= EIGHT;
	while (first + EIGHT <= end && none_of_eight(allowed + first))
		first += EIGHT;
	memset(out, 0, first * sizeof *out);
	memset(out + end, 0, (n - end) * sizeof *out);
	return softmax_range(out + first, in + first, allowed + first, end - first);
}

/* The three gates are one after another in each array: r, z, n. */
static void gru_loop(double *restrict out, const struct gru_inputs *of, size_t n)
{
	const double *x = of->x, *y = of->y, *c = of->from_h, *b = of->bias, *h = of->h;
	const double least = least_exponent, most = largest_tanh;
#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const size_t j = i + n, k = j + n;
		const double r = c[i] + b[i] + (x[i] + y[i]);
		const double z = c[j] + b[j] + (x[j] + y[j]);
		const double reset = sigmoid_of(r, least);
		const double update = sigmoid_of(z, least);
		const double candidate = tanh_of((c[k] + b[k]) * reset + (x[k] + y[k]), most);
		out[i] = (h[i] - candidate) * update + candidate;
	}
}

void PRODUCT(const struct small_product *p);

#if defined(__AVX__)
enum { SMALL = 1 << 18 };
#else
enum { SMALL = 1 << 11 };
#endif

/* "vexp_avx2" is shown as "avx2". */
const struct vexp VEXP = {
	.name = &TEXT(VEXP)[sizeof("vexp_") - 1],
	.apply = {[VEC_EXP] = exp_loop,
		  [VEC_TANH] = tanh_loop,
		  [VEC_ERF] = erf_loop,
		  [VEC_LOG] = log_loop,
		  [VEC_SIN] = sin_loop,
		  [VEC_COS] = cos_loop,
		  [VEC_LOG1P_EXP] = log1p_exp_loop},
	.softmax_row = softmax_row,
	.finite_row = finite_row,
	.dot = dot,
	.triple = triple,
	.add_row = add_row,
	.gru = gru_loop,
	.multiply = PRODUCT,
	.small = SMALL,
};
