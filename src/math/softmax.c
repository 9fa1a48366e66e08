/* softmax.c: softmax by rows and the check that all numbers are finite, with the vector kernel
 * that fits this processor and on all its cores. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "posviz/math/rows.h"
#include "math/vexp.h"

extern const struct vexp vexp_base, vexp_avx2, vexp_avx512;
const struct vexp *const vexp_built[] = {
	&vexp_base,
#ifdef VEXP_X86
	&vexp_avx2,
	&vexp_avx512,
#endif
	NULL,
};

/* The answer is read from the processor's description each time, so there is no state to guard. */
const struct vexp *vexp_fitting(void)
{
#ifdef VEXP_X86
	const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
			  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
	const bool avx512 =
		__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
		__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512cd");
	if (avx2 && avx512)
		return &vexp_avx512;
	if (avx2)
		return &vexp_avx2;
#endif
	return &vexp_base;
}

void vexp_apply(enum vec_function f, double *out, const double *in, size_t n)
{
	vexp_fitting()->apply[f](out, in, n);
}

void vec_exp(double *out, const double *in, size_t n)
{
	vexp_apply(VEC_EXP, out, in, n);
}

void vec_gru(double *out, const struct gru_inputs *of, size_t n)
{
	vexp_fitting()->gru(out, of, n);
}

struct softmax {
	struct mat out, m;
	const uint8_t *allowed;
	atomic_bool spoiled;
};

enum { VECTOR = 8, SHORT_ROWS = 32 };

/* Subtracts its maximum from a row; returns whether the row was finite. */
static bool shift_row(double *out, const double *in, size_t n)
{
	double max = -INFINITY, sum = 0;
	for (size_t i = 0; i < n; i++) {
		max = in[i] > max ? in[i] : max;
		sum += in[i] * 0;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = in[i] - (max == -INFINITY ? 0 : max);
	return !isnan(sum);
}

static void divide_row(double *out, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += out[i];
	const double scale = sum == 0 ? 0 : 1 / sum;
	for (size_t i = 0; i < n; i++)
		out[i] *= scale;
}

/* Computes several rows that are shorter than a vector together. Vectors are always full, so
 * that the result of a row does not depend on its position. */
static void softmax_short_rows(void *context, size_t first, size_t count)
{
	struct softmax *s = context;
	const struct vexp *kernel = vexp_fitting();
	const size_t n = s->m.cols;
	double piece[VECTOR * SHORT_ROWS] = {0};
	for (size_t at = 0; at < count; at += SHORT_ROWS) {
		const size_t rows = count - at < SHORT_ROWS ? count - at : SHORT_ROWS;
		for (size_t r = 0; r < rows; r++)
			if (!shift_row(piece + r * n, mat_row(s->m, first + at + r), n))
				atomic_store(&s->spoiled, true);
		kernel->apply[VEC_EXP](piece, piece, (rows * n + VECTOR - 1) / VECTOR * VECTOR);
		for (size_t r = 0; r < rows; r++) {
			divide_row(piece + r * n, n);
			memcpy(mat_row(s->out, first + at + r), piece + r * n, n * sizeof *piece);
		}
	}
}

static void softmax_rows(void *context, size_t first, size_t count)
{
	struct softmax *s = context;
	const struct vexp *kernel = vexp_fitting();
	const size_t cols = s->m.cols;
	for (size_t r = first; r < first + count; r++)
		if (!kernel->softmax_row(mat_row(s->out, r), mat_row(s->m, r),
					 s->allowed ? s->allowed + r * cols : NULL, cols))
			atomic_store(&s->spoiled, true);
}

bool vexp_softmax(struct mat out, struct mat m, const uint8_t *allowed)
{
	BUG_IF(out.rows != m.rows || out.cols != m.cols);
	struct softmax s = {.out = out, .m = m, .allowed = allowed};
	const bool few = m.cols < VECTOR && !allowed;
	rows_parallel(m.rows, m.cols, few ? softmax_short_rows : softmax_rows, &s);
	return !atomic_load(&s.spoiled);
}

struct finite {
	struct mat m;
	atomic_bool spoiled;
};

static void finite_rows(void *context, size_t first, size_t count)
{
	struct finite *f = context;
	const struct vexp *kernel = vexp_fitting();
	for (size_t r = first; r < first + count; r++)
		if (!kernel->finite_row(mat_row(f->m, r), f->m.cols))
			atomic_store(&f->spoiled, true);
}

bool mat_is_finite(struct mat m)
{
	struct finite f = {.m = m};
	rows_parallel(m.rows, m.cols, finite_rows, &f);
	return !atomic_load(&f.spoiled);
}

void mat_softmax(struct mat out, struct mat m)
{
	vexp_softmax(out, m, NULL);
}
