/* tape_unary.c: the elementwise functions, each a formula with its derivative in one table.
 *
 * x is the argument, y the value, p the parameters. Conditions are written so that a NaN takes the
 * branch that keeps it. */
#include <assert.h>
#include <math.h>

#include "posviz/math/rows.h"
#include "math/tape_op.h"
#include "math/vexp.h"

#if defined(__clang__) /* warns at each loop with a function that has no vector version */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

static inline double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

static inline double silu_derivative(double x)
{
	return logistic(x) * (1 + x * logistic(-x));
}

#define ROOT_HALF 0.70710678118654752440

/* The distribution function of the standard normal distribution, and its density. */
static inline double normal_cdf(double x)
{
	return 0.5 * (1 + erf(x * ROOT_HALF));
}

static inline double normal_density(double x)
{
	return 0.39894228040143267794 * exp(-0.5 * x * x);
}

/* A row of the table: operator, name, F, s, y, dy/dx. If s is not 0, y may use f = F(s x), which
 * is then computed for a piece of a row at once. */
/* clang-format off */
#define UNARY(ROW) \
	ROW(OP_RELU, relu, VEC_COUNT, 0, x < 0 ? 0 : x, x > 0 ? 1.0 : 0.0) \
	ROW(OP_LEAKY_RELU, leaky_relu, VEC_COUNT, 0, (x < 0 ? 0 : x) + p0 * (x > 0 ? 0 : x), x > 0 ? 1 : p0) \
	ROW(OP_ELU, elu, VEC_COUNT, 0, x < 0 ? expm1(x) : x, x > 0 ? 1 : y + 1) \
	ROW(OP_SILU, silu, VEC_EXP, -1, x / (1 + f), silu_derivative(x)) \
	ROW(OP_GELU, gelu, VEC_ERF, ROOT_HALF, 0.5 * x * (1 + f), normal_cdf(x) + x * normal_density(x)) \
	ROW(OP_TANH, tanh, VEC_TANH, 1, f, 1 - y * y) \
	ROW(OP_SIGMOID, sigmoid, VEC_EXP, -1, 1 / (1 + f), y * (1 - y)) \
	ROW(OP_LOG_SIGMOID, log_sigmoid, VEC_LOG1P_EXP, 1, (x < 0 ? x : 0) - f, logistic(-x)) \
	ROW(OP_SOFTPLUS, softplus, VEC_LOG1P_EXP, 1, (x > 0 ? x : 0) + f, logistic(x)) \
	ROW(OP_EXP, exp, VEC_EXP, 1, f, y) \
	ROW(OP_LOG, log, VEC_LOG, 1, f, 1 / x) \
	ROW(OP_POW, pow, VEC_COUNT, 0, pow(x, p0), p0 * pow(x, p0 - 1)) \
	ROW(OP_SIN, sin, VEC_SIN, 1, f, cos(x)) \
	ROW(OP_COS, cos, VEC_COS, 1, f, -sin(x)) \
	ROW(OP_CLIP, clip, VEC_COUNT, 0, x < p0 ? p0 : x > p1 ? p1 : x, x >= p0 && x <= p1)
/* clang-format on */

struct unary {
	void (*value)(double *out, const double *in, size_t n, const double *p);
	/* gx += g dy/dx */
	void (*back)(double *gx, const double *g, const double *in, const double *out, size_t n,
		     const double *p);
};

/* F of a piece has a buffer of its own, so the result may overwrite the argument. */
enum { PIECE = 128 };

#define DEFINE(op, name, F, s, value, derivative)                                                 \
	static void name##_row(double *out, const double *in, size_t n, const double *p)          \
	{                                                                                         \
		double of[PIECE];                                                                 \
		const double p0 = p[0], p1 = p[1];                                                \
		(void)p0, (void)p1, (void)of;                                                     \
		for (size_t first = 0; first < n; first += PIECE) {                               \
			const size_t end = first + PIECE < n ? first + PIECE : n;                 \
			if (fabs((double)(s)) > 0) {                                              \
				for (size_t i = first; i < end; i++)                              \
					of[i - first] = (s)*in[i];                                \
				vexp_apply(F, of, of, end - first);                               \
			}                                                                         \
			_Pragma("omp simd") for (size_t i = first; i < end; i++)                  \
			{                                                                         \
				const double x = in[i],                                           \
					     f = fabs((double)(s)) > 0 ? of[i - first] : 0;       \
				(void)x, (void)f;                                                 \
				out[i] = (value);                                                 \
			}                                                                         \
		}                                                                                 \
	}                                                                                         \
	static void name##_back(double *gx, const double *g, const double *in, const double *out, \
				size_t n, const double *p)                                        \
	{                                                                                         \
		const double p0 = p[0], p1 = p[1];                                                \
		(void)p0, (void)p1;                                                               \
		double slope[PIECE];                                                              \
		for (size_t first = 0; first < n; first += PIECE) {                               \
			const size_t count = n - first < PIECE ? n - first : PIECE;               \
			for (size_t i = 0; i < count; i++) {                                      \
				const double x = in[first + i], y = out[first + i];               \
				(void)x, (void)y;                                                 \
				slope[i] = (derivative);                                          \
			}                                                                         \
			_Pragma("omp simd") for (size_t i = 0; i < count; i++) gx[first + i] +=   \
				g[first + i] * slope[i];                                          \
		}                                                                                 \
	}
UNARY(DEFINE)

#define ENTER(op, name, F, s, value, derivative) [op] = {name##_row, name##_back},
static const struct unary functions[] = {UNARY(ENTER)};
static_assert(sizeof(functions) / sizeof(*functions) <= OP_COUNT, "indexed by operator");

struct values {
	const struct unary *f;
	struct mat out, in;
	const double *p;
};

static void value_rows(void *context, size_t first, size_t count)
{
	const struct values *k = context;
	for (size_t r = first; r < first + count; r++)
		k->f->value(mat_row(k->out, r), mat_row(k->in, r), k->in.cols, k->p);
}

static struct node *apply(struct tape *t, enum op op, struct node *a, bool consume, double p0,
			  double p1)
{
	const double p[] = {p0, p1};
	const struct mat v = tape_room(t, a->v, consume);
	struct values k = {&functions[op], v, a->v, p};
	rows_parallel(v.rows, v.cols, value_rows, &k);
	struct node *n = tape_node(t, op, v, tape_size(v), a, NULL);
	n->p[0] = p0;
	n->p[1] = p1;
	return n;
}

static void back_rows(void *context, size_t first, size_t count)
{
	const struct node *n = context, *a = n->in[0];
	for (size_t r = first; r < first + count; r++)
		functions[n->op].back(mat_row(a->g, r), mat_row(n->g, r), mat_row(a->v, r),
				      mat_row(n->v, r), n->v.cols, n->p);
}

void tape_unary_back(struct node *n)
{
	rows_parallel(n->v.rows, n->v.cols, back_rows, n);
}

static struct node *unary(struct tape *t, enum op op, struct node *a, double p0, double p1)
{
	return apply(t, op, a, false, p0, p1);
}

struct node *tape_unary(struct tape *t, enum op op, struct node *a, bool consume)
{
	BUG_IF(op < OP_RELU || op > OP_COS || op == OP_LEAKY_RELU || op == OP_POW);
	return apply(t, op, a, consume, 0, 0);
}

struct node *tape_relu(struct tape *t, struct node *a)
{
	return unary(t, OP_RELU, a, 0, 0);
}

struct node *tape_leaky_relu(struct tape *t, struct node *a, double slope)
{
	return unary(t, OP_LEAKY_RELU, a, slope, 0);
}

struct node *tape_elu(struct tape *t, struct node *a)
{
	return unary(t, OP_ELU, a, 0, 0);
}

struct node *tape_silu(struct tape *t, struct node *a)
{
	return unary(t, OP_SILU, a, 0, 0);
}

struct node *tape_gelu(struct tape *t, struct node *a)
{
	return unary(t, OP_GELU, a, 0, 0);
}

struct node *tape_tanh(struct tape *t, struct node *a)
{
	return unary(t, OP_TANH, a, 0, 0);
}

struct node *tape_sigmoid(struct tape *t, struct node *a)
{
	return unary(t, OP_SIGMOID, a, 0, 0);
}

struct node *tape_log_sigmoid(struct tape *t, struct node *a)
{
	return unary(t, OP_LOG_SIGMOID, a, 0, 0);
}

struct node *tape_softplus(struct tape *t, struct node *a)
{
	return unary(t, OP_SOFTPLUS, a, 0, 0);
}

struct node *tape_exp(struct tape *t, struct node *a)
{
	return unary(t, OP_EXP, a, 0, 0);
}

struct node *tape_log(struct tape *t, struct node *a)
{
	return unary(t, OP_LOG, a, 0, 0);
}

struct node *tape_pow(struct tape *t, struct node *a, double exponent)
{
	return unary(t, OP_POW, a, exponent, 0);
}

struct node *tape_sin(struct tape *t, struct node *a)
{
	return unary(t, OP_SIN, a, 0, 0);
}

struct node *tape_cos(struct tape *t, struct node *a)
{
	return unary(t, OP_COS, a, 0, 0);
}

struct node *tape_clip(struct tape *t, struct node *a, double lo, double hi)
{
	BUG_IF(!(lo <= hi));
	return unary(t, OP_CLIP, a, lo, hi);
}
