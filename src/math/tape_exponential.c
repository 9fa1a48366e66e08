/* tape_exponential.c: exponentials of small square matrices, and their derivatives.
 *
 * By halving and squaring: e^A = (e^(A/2^k))^(2^k), where the norm of A/2^k is at most 1/2 and the power
 * series is short. Its derivative in a direction G goes through the same steps, each by the rule of
 * products. */
#include <math.h>

#include "math/tape_op.h"

enum { TERMS = 14 /* of the series: 0.5^15 / 15! is 2e-17 */ };

/* Returns how many times the matrix is halved. */
static int halvings_of(struct mat a)
{
	const double norm = mat_norm(a);
	return norm > 0.5 ? ilogb(norm) + 2 : 0;
}

/* to = scale · (x·y + u·v) */
static void add_products(struct mat to, double scale, struct mat x, struct mat y, struct mat u,
			 struct mat v)
{
	mat_mul(to, scale, x, false, y, false, 0);
	mat_mul(to, scale, u, false, v, false, 1);
}

static void identity(struct mat m)
{
	mat_fill(m, 0);
	for (size_t i = 0; i < m.rows; i++)
		mat_row(m, i)[i] = 1;
}

static struct mat part(struct mat room, size_t i)
{
	return mat_rows(room, i * room.cols, room.cols);
}

void mat_exponential(struct mat out, struct mat a, struct mat room)
{
	const struct mat power = part(room, 0), next = part(room, 1);
	if (!isfinite(mat_norm(a))) {
		mat_fill(out, NAN);
		return;
	}
	const int halvings = halvings_of(a);
	identity(out);
	identity(power);
	for (size_t k = 1; k <= TERMS; k++) {
		mat_mul(next, ldexp(1, -halvings) / (double)k, power, false, a, false, 0);
		mat_set(power, next);
		tape_add_to(out, power, 1);
	}
	for (int k = 0; k < halvings; k++) {
		mat_mul(next, 1, out, false, out, false, 0);
		mat_set(out, next);
	}
}

/* Adds to `out` the derivative of e^A in the direction G. */
static void add_derivative(struct mat out, struct mat a, struct mat g, struct mat room)
{
	const struct mat power = part(room, 0), next = part(room, 1), sum = part(room, 2);
	const struct mat d_power = part(room, 3), d_next = part(room, 4), d_sum = part(room, 5);
	const int halvings = halvings_of(a);
	identity(sum);
	identity(power);
	mat_fill(d_sum, 0);
	mat_fill(d_power, 0);
	for (size_t k = 1; k <= TERMS; k++) {
		const double by = ldexp(1, -halvings) / (double)k;
		add_products(d_next, by, d_power, a, power, g);
		mat_mul(next, by, power, false, a, false, 0);
		mat_set(power, next);
		mat_set(d_power, d_next);
		tape_add_to(sum, power, 1);
		tape_add_to(d_sum, d_power, 1);
	}
	for (int k = 0; k < halvings; k++) {
		add_products(d_next, 1, d_sum, sum, sum, d_sum);
		mat_mul(next, 1, sum, false, sum, false, 0);
		mat_set(sum, next);
		mat_set(d_sum, d_next);
	}
	tape_add_to(out, d_sum, 1);
}

/* An exponential is the products of its series and of about as many halvings. */
void tape_count_exponentials(struct tape *t, double number, size_t g)
{
	tape_count_products(t, number * 2 * TERMS * pow((double)g, 3));
}

struct node *tape_exponential(struct tape *t, struct node *a)
{
	const size_t g = a->v.cols;
	BUG_IF(g == 0 || a->v.rows % g != 0);
	const struct mat v = mat_new(t->arena, a->v.rows, g);
	const struct mat room = mat_new(t->arena, MAT_EXPONENTIAL_ROOM * g, g);
	for (size_t r = 0; r < v.rows; r += g)
		mat_exponential(mat_rows(v, r, g), mat_rows(a->v, r, g), room);
	tape_count_exponentials(t, (double)(v.rows / g), g);
	return tape_node(t, OP_EXPONENTIAL, v, tape_size(v), a, NULL);
}

/* da is the derivative of e^(Aᵀ) in the direction dy. */
void tape_exponential_back(struct node *n)
{
	const size_t g = n->v.cols;
	struct arena work;
	arena_init(&work);
	const struct mat room = mat_new(&work, 6 * g, g), turned = mat_new(&work, g, g);
	for (size_t r = 0; r < n->v.rows; r += g) {
		const struct mat a = mat_rows(n->in[0]->v, r, g);
		for (size_t i = 0; i < g; i++)
			for (size_t j = 0; j < g; j++)
				mat_row(turned, j)[i] = mat_row(a, i)[j];
		add_derivative(mat_rows(n->in[0]->g, r, g), turned, mat_rows(n->g, r, g), room);
	}
	arena_release(&work);
}
