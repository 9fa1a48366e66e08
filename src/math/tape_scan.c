/* tape_scan.c: running sums along the rows, and convolution over them. */
#include "math/tape_op.h"

/* Running sums over x ([+]= to out), from the left or from the right. */
static void scan(struct mat out, struct mat x, bool from_right, bool add)
{
	for (size_t r = 0; r < x.rows; r++) {
		double sum = 0, *to = mat_row(out, r);
		const double *from = mat_row(x, r);
		for (size_t i = 0; i < x.cols; i++) {
			const size_t c = from_right ? x.cols - 1 - i : i;
			sum += from[c];
			to[c] = add ? to[c] + sum : sum;
		}
	}
}

static struct node *scan_node(struct tape *t, enum op op, struct node *a)
{
	const struct mat v = mat_new(t->arena, a->v.rows, a->v.cols);
	scan(v, a->v, op == OP_SUFFIX_SUM, false);
	return tape_node(t, op, v, tape_size(v), a, NULL);
}

/* y[t][s] = sum of a[t][u] over u <= s */
struct node *tape_prefix_sum(struct tape *t, struct node *a)
{
	return scan_node(t, OP_PREFIX_SUM, a);
}

/* da[t][u] = sum of dy[t][s] over s >= u */
void tape_prefix_sum_back(struct node *n)
{
	scan(n->in[0]->g, n->g, true, true);
}

/* y[t][s] = sum of a[t][u] over u >= s */
struct node *tape_suffix_sum(struct tape *t, struct node *a)
{
	return scan_node(t, OP_SUFFIX_SUM, a);
}

void tape_suffix_sum_back(struct node *n)
{
	scan(n->in[0]->g, n->g, false, true);
}

/* A convolution is one product for each tap j: the rows of the result for which row t + j -
 * offset of the input exists, those rows of the input, and the tap's rows of the kernel. */
struct tap {
	size_t out_first, in_first, rows;
};

static struct tap tap_of(size_t n, size_t width, size_t j)
{
	const size_t offset = (width - 1) / 2;
	const size_t lost = j < offset ? offset - j : j - offset;
	const size_t rows = lost < n ? n - lost : 0;
	if (!rows)
		return (struct tap){0, 0, 0};
	return j < offset ? (struct tap){lost, 0, rows} : (struct tap){0, lost, rows};
}

/* a [n,ci], kernel [width*ci,co] -> [n,co] */
struct node *tape_conv1d(struct tape *t, struct node *a, struct node *kernel, size_t width)
{
	const size_t n = a->v.rows, ci = a->v.cols, co = kernel->v.cols;
	BUG_IF(width == 0 || kernel->v.rows != width * ci);
	const struct mat v = mat_zero(t->arena, n, co);
	for (size_t j = 0; j < width; j++) {
		const struct tap tap = tap_of(n, width, j);
		mat_mul(mat_rows(v, tap.out_first, tap.rows), 1,
			mat_rows(a->v, tap.in_first, tap.rows), false,
			mat_rows(kernel->v, j * ci, ci), false, 1);
	}
	tape_count_products(t, tape_size(v) * (double)(width * ci));
	struct node *node = tape_node(t, OP_CONV1D, v, tape_size(v), a, kernel);
	node->p[0] = (double)width;
	return node;
}

void tape_conv1d_back(struct node *n)
{
	const struct node *a = n->in[0], *kernel = n->in[1];
	const size_t width = (size_t)n->p[0], ci = a->v.cols;
	for (size_t j = 0; j < width; j++) {
		const struct tap tap = tap_of(n->v.rows, width, j);
		const struct mat dy = mat_rows(n->g, tap.out_first, tap.rows);
		if (!tap.rows)
			continue;
		if (a->wants) /* y_t += a_u·K_j: da_u += dy_t·K_j' */
			mat_mul(mat_rows(a->g, tap.in_first, tap.rows), 1, dy, false,
				mat_rows(kernel->v, j * ci, ci), true, 1);
		if (kernel->wants) /* dK_j += a_u'·dy_t */
			mat_mul(mat_rows(kernel->g, j * ci, ci), 1,
				mat_rows(a->v, tap.in_first, tap.rows), true, dy, false, 1);
	}
}
