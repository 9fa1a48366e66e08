/* terms.c: the sum of the terms of a head, and the shares of its variance.
 *
 * A covariance over all pairs is that within rows plus that of the rows' means; both come from
 * the same sums over rows. Masked pairs do not count. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/analysis.h"

/* A deviation below this part of the largest entry is rounding. */
static const double rounding = 1e-12;

struct pairs {
	const uint8_t *allowed, *all; /* [rows·cols] or NULL; [cols] of 1 */
	size_t rows, cols;
	double *in_row; /* [rows] allowed pairs */
	double n;
};

static const uint8_t *allowed_row(const struct pairs *p, size_t t)
{
	return p->allowed ? p->allowed + t * p->cols : p->all;
}

static struct pairs count_pairs(const struct trace_head *head, struct mat m, struct arena *a)
{
	uint8_t *ones = arena_alloc(a, m.cols);
	memset(ones, 1, m.cols);
	struct pairs p = {.allowed = head->mask, .all = ones, .rows = m.rows, .cols = m.cols};
	p.in_row = arena_calloc(a, m.rows, sizeof *p.in_row);
	for (size_t t = 0; t < m.rows; t++) {
		size_t in_row = 0;
		for (size_t s = 0; s < m.cols; s++)
			in_row += allowed_row(&p, t)[s];
		p.in_row[t] = (double)in_row;
		p.n += p.in_row[t];
	}
	return p;
}

/* Uses four sums side by side, since with one each addition would wait for the one before. */
static double dot(const double *x, const double *y, size_t n)
{
	double sum[4] = {0};
	size_t i = 0;
	for (; i + 4 <= n; i += 4)
		for (size_t k = 0; k < 4; k++)
			sum[k] += x[i + k] * y[i + k];
	for (; i < n; i++)
		sum[0] += x[i] * y[i];
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A matrix as softmax sees it, and the rest: deviations from the rows' means, and those means.
 * The deviation of a masked pair is 0. */
struct parted {
	struct mat deviation;
	double *mean; /* [rows] */
	double all;   /* the mean of all */
	double most;  /* the largest |entry| */
};

/* Returns an upper bound for any choice of terms: at a pair, the sum of all positive entries, or
 * of all negative ones. */
static double largest_sum(const struct pairs *p, const struct trace_head *head)
{
	double most = 0;
	for (size_t t = 0; t < p->rows; t++)
		for (size_t s = 0; s < p->cols; s++) {
			double above = 0, below = 0;
			for (size_t i = 0; allowed_row(p, t)[s] && i < head->n_terms; i++) {
				const double v = mat_row(head->terms[i].at, t)[s];
				above += fmax(v, 0);
				below -= fmin(v, 0);
			}
			most = fmax(most, fmax(above, below));
		}
	return most;
}

static struct parted part(const struct pairs *p, struct mat m, struct mat into, struct arena *a)
{
	struct parted out = {.deviation = into, .mean = arena_calloc(a, p->rows, sizeof *out.mean)};
	double *ones = arena_alloc(a, p->cols * sizeof *ones);
	for (size_t s = 0; s < p->cols; s++)
		ones[s] = 1;
	for (size_t t = 0; t < p->rows; t++) {
		const double *u = mat_row(m, t);
		const uint8_t *allowed = allowed_row(p, t);
		double *to = mat_row(into, t);
		for (size_t s = 0; s < p->cols; s++) {
			to[s] = allowed[s] ? u[s] : 0;
			out.most = fabs(to[s]) > out.most ? fabs(to[s]) : out.most;
		}
		const double sum = dot(to, ones, p->cols);
		const double mean = p->in_row[t] > 0 ? sum / p->in_row[t] : 0;
		for (size_t s = 0; s < p->cols; s++)
			to[s] = allowed[s] ? u[s] - mean : 0;
		out.mean[t] = mean;
		out.all += p->n > 0 ? sum / p->n : 0;
	}
	return out;
}

/* Sums of products of deviations: from the means of the rows, and from the mean of all. */
struct products {
	double within, all;
};

static struct products covariance(const struct pairs *p, const struct parted *x,
				  const struct parted *y)
{
	struct products out = {0};
	for (size_t t = 0; t < p->rows; t++) {
		out.within += dot(mat_row(x->deviation, t), mat_row(y->deviation, t), p->cols);
		out.all += p->in_row[t] * (x->mean[t] - x->all) * (y->mean[t] - y->all);
	}
	out.all += out.within;
	return out;
}

static double deviation(const struct pairs *p, double squares)
{
	return p->n > 0 ? sqrt(squares / p->n) : 0;
}

static void add_up(const struct trace_head *head, struct term_sum *out)
{
	mat_fill(out->sum, 0);
	for (size_t i = 0; i < out->n; i++)
		for (size_t t = 0; out->on[i] && t < out->sum.rows; t++)
			for (size_t s = 0; s < out->sum.cols; s++)
				mat_row(out->sum, t)[s] += mat_row(head->terms[i].at, t)[s];
}

/* Multiplies a row of softmax by what the logit of no key leaves the keys. */
static void share_with_sink(const double *logits, const uint8_t *allowed, double sink, size_t n,
			    double *weights)
{
	double most = sink, sum = 0;
	for (size_t s = 0; s < n; s++)
		most = allowed[s] ? fmax(most, logits[s]) : most;
	for (size_t s = 0; s < n; s++)
		sum += allowed[s] ? exp(logits[s] - most) : 0;
	for (size_t s = 0; s < n; s++)
		weights[s] *= sum / (sum + exp(sink - most));
}

static void weigh(const struct pairs *p, const struct trace_head *head, struct term_sum *out)
{
	for (size_t t = 0; t < p->rows; t++) {
		const uint8_t *allowed = allowed_row(p, t);
		for (size_t s = 0; s < p->cols; s++)
			mat_row(out->weights, t)[s] =
				allowed[s] ? mat_row(out->sum, t)[s] : -INFINITY;
	}
	mat_softmax(out->weights, out->weights);
	for (size_t t = 0; head->sink_logit && t < p->rows; t++)
		share_with_sink(mat_row(out->sum, t), allowed_row(p, t), *head->sink_logit, p->cols,
				mat_row(out->weights, t));
}

static void share(const struct pairs *p, const struct trace_head *head, struct arena *a,
		  struct term_sum *out)
{
	const struct mat of_sum = mat_new(a, p->rows, p->cols), own = mat_new(a, p->rows, p->cols);
	const struct parted sum = part(p, out->sum, of_sum, a);
	const struct products square = covariance(p, &sum, &sum);
	struct products with[MODEL_MAX_TERMS] = {0};
	double size = 0;
	for (size_t i = 0; i < out->n; i++) {
		const struct parted term = part(p, head->terms[i].at, own, a);
		const struct products squares = covariance(p, &term, &term);
		with[i] = covariance(p, &term, &sum);
		out->sd[i] = deviation(p, squares.all);
		out->sd_within[i] = deviation(p, squares.within);
		size = fmax(size, out->on[i] ? term.most : 0);
	}
	out->most = largest_sum(p, head);
	out->sum_sd = deviation(p, square.all);
	out->sum_sd_within = deviation(p, square.within);
	out->varies_within = out->sum_sd_within > rounding * size;
	for (size_t i = 0; i < out->n; i++)
		out->within[i] =
			out->on[i] && out->varies_within ? with[i].within / square.within : 0;
}

void terms_sum(const struct trace_head *head, const bool *on, struct arena *a, struct term_sum *out)
{
	*out = (struct term_sum){.n = head->n_terms};
	BUG_IF(head->n_terms == 0);
	const struct mat like = head->terms[0].at;
	for (size_t i = 0; i < out->n; i++) {
		out->on[i] = on[i];
		out->n_on += on[i];
	}
	out->sum = mat_new(a, like.rows, like.cols);
	out->weights = mat_new(a, like.rows, like.cols);
	struct arena scratch;
	arena_init(&scratch);
	const struct pairs p = count_pairs(head, like, &scratch);
	add_up(head, out);
	weigh(&p, head, out);
	share(&p, head, &scratch, out);
	arena_release(&scratch);
}
