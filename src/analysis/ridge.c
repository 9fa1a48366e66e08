/* ridge.c: see ridge.h. XᵀX of several folds is the sum of theirs, so each fold is multiplied
 * once; a fit without the folds f and g serves both f's inner error on g and g's on f. */
#include "posviz/analysis/ridge.h"

#include <math.h>
#include <string.h>

const double ridge_grid[RIDGE_GRID] = {1e2, 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-4};

/* The rows of one fold minus the mean of all rows, and their sums. */
struct part {
	struct mat x, y;	 /* [n, p], [targets, n] */
	size_t *row;		 /* [n] among all rows */
	struct mat gram;	 /* [p, p], to the left of its diagonal, as in all of this file */
	struct mat xy;		 /* [targets, p] */
	struct mat x_sum, y_sum; /* [1, p], [1, targets] */
};

struct judging {
	const struct ridge_of *of;
	size_t p, targets;
	struct part part[RIDGE_FOLDS];
	struct arena *a;
	/* The training data: centred sums, and means. */
	struct mat gram, xy, x_mean, y_mean;
	double trace,
		least; /* if the trace is not above `least`, all rows are equal up to rounding */
	struct mat factor, w; /* scratch [p, p]; the solutions [targets, p] ... */
	double *c;	      /* ... and their intercepts [targets] */
};

/* ---- sums ------------------------------------------------------------------------------------ */

static struct mat mean_row(const struct ridge_of *of, struct arena *a)
{
	const struct mat out = mat_zero(a, 1, of->x.cols);
	for (size_t i = 0; of->intercept && i < of->x.rows; i++)
		for (size_t j = 0; j < of->x.cols; j++)
			out.at[j] += mat_row(of->x, i)[j] / (double)of->x.rows;
	return out;
}

/* Returns the rounding error that remains when the mean of equal rows is subtracted. */
static double rounding(struct mat x)
{
	const double norm = mat_norm(x);
	return 0x1p-80 * norm * norm;
}

static void sum_rows(struct mat m, struct mat out)
{
	for (size_t i = 0; i < m.rows; i++)
		for (size_t j = 0; j < m.cols; j++)
			out.at[j] += mat_row(m, i)[j];
}

/* Makes XᵀX, of whole blocks only from its diagonal to the left: nothing reads the rest. */
static void multiply_self(struct mat x, struct mat gram)
{
	enum { BLOCK = 128 };
	const size_t rows = x.cols % BLOCK ? x.cols : BLOCK;
	for (size_t i = 0; i < x.cols; i += rows)
		mat_mul(mat_cols(mat_rows(gram, i, rows), 0, i + rows), 1, mat_cols(x, i, rows),
			true, mat_cols(x, 0, i + rows), false, 0);
}

static void make_part(const struct judging *j, size_t fold, struct mat mean, struct part *out)
{
	const struct ridge_of *const of = j->of;
	size_t n = 0;
	for (size_t i = 0; i < of->x.rows; i++)
		n += of->fold[i] == fold;
	*out = (struct part){.x = mat_new(j->a, n, j->p),
			     .y = mat_new(j->a, j->targets, n),
			     .row = arena_calloc(j->a, n + 1, sizeof *out->row),
			     .gram = mat_new(j->a, j->p, j->p),
			     .xy = mat_new(j->a, j->targets, j->p),
			     .x_sum = mat_zero(j->a, 1, j->p),
			     .y_sum = mat_zero(j->a, 1, j->targets)};
	n = 0;
	for (size_t i = 0; i < of->x.rows; i++) {
		if (of->fold[i] != fold)
			continue;
		for (size_t k = 0; k < j->p; k++)
			mat_row(out->x, n)[k] = mat_row(of->x, i)[k] - mean.at[k];
		for (size_t k = 0; k < j->targets; k++) {
			mat_row(out->y, k)[n] = mat_row(of->y, k)[i];
			out->y_sum.at[k] += mat_row(of->y, k)[i];
		}
		out->row[n++] = i;
	}
	multiply_self(out->x, out->gram);
	mat_mul(out->xy, 1, out->y, false, out->x, false, 0);
	sum_rows(out->x, out->x_sum);
}

/* ---- fitting
 * --------------------------------------------------------------------------------------- */

static void add_to(struct mat sum, struct mat m)
{
	for (size_t i = 0; i < m.rows * m.cols; i++)
		sum.at[i] += m.at[i];
}

static void copy_left(struct mat out, struct mat m)
{
	for (size_t i = 0; i < m.rows; i++)
		memcpy(mat_row(out, i), mat_row(m, i), (i + 1) * sizeof(double));
}

static void add_left(struct mat sum, struct mat m)
{
	for (size_t i = 0; i < m.rows; i++)
		for (size_t k = 0; k <= i; k++)
			mat_row(sum, i)[k] += mat_row(m, i)[k];
}

/* Makes the centred sums of all folds except these two, which may be the same. */
static void learn_without(struct judging *j, size_t f, size_t g)
{
	double n = 0;
	mat_fill(j->xy, 0);
	mat_fill(j->x_mean, 0);
	mat_fill(j->y_mean, 0);
	for (size_t k = 0; k < RIDGE_FOLDS; k++) {
		const struct part *const part = &j->part[k];
		if (k == f || k == g)
			continue;
		(n > 0 ? add_left : copy_left)(j->gram, part->gram);
		add_to(j->xy, part->xy);
		add_to(j->x_mean, part->x_sum);
		add_to(j->y_mean, part->y_sum);
		n += (double)part->x.rows;
	}
	for (size_t i = 0; i < j->p; i++)
		j->x_mean.at[i] = j->of->intercept ? j->x_mean.at[i] / n : 0;
	for (size_t i = 0; i < j->targets; i++)
		j->y_mean.at[i] = j->of->intercept ? j->y_mean.at[i] / n : 0;
	mat_mul(j->gram, -n, j->x_mean, true, j->x_mean, false, 1);
	mat_mul(j->xy, -n, j->y_mean, true, j->x_mean, false, 1);
	j->trace = 0;
	for (size_t i = 0; i < j->p; i++)
		j->trace += mat_row(j->gram, i)[i];
}

/* Solves for w and c of all targets. If all rows are equal, nothing can be learned: w is 0. */
static bool solve(struct judging *j, double alpha, struct err *err)
{
	const double lambda = alpha * j->trace / (double)j->p;
	if (watch_cancelled(j->of->watch))
		return err_set(err, "cancelled");
	mat_set(j->w, j->xy);
	copy_left(j->factor, j->gram);
	for (size_t i = 0; i < j->p; i++)
		mat_row(j->factor, i)[i] += lambda;
	if (!(j->trace > j->least))
		mat_fill(j->w, 0);
	else if (!mat_solve_positive(j->factor, j->w, err))
		return false;
	for (size_t t = 0; t < j->targets; t++) {
		j->c[t] = j->y_mean.at[t];
		for (size_t i = 0; i < j->p; i++)
			j->c[t] -= j->x_mean.at[i] * mat_row(j->w, t)[i];
	}
	return true;
}

enum { TOGETHER = 4 };

/* Predicts several rows from this one on: a sum waits for its last term, so several take as long as one. */
static void predict_rows(const struct judging *j, struct mat x, size_t from, size_t target,
			 double y[TOGETHER])
{
	const double *row[TOGETHER], *const w = mat_row(j->w, target);
	for (size_t i = 0; i < TOGETHER; i++)
		row[i] = mat_row(x, from + i < x.rows ? from + i : x.rows - 1);
	double y0 = j->c[target], y1 = y0, y2 = y0, y3 = y0;
	for (size_t k = 0; k < j->p; k++) {
		y0 += row[0][k] * w[k];
		y1 += row[1][k] * w[k];
		y2 += row[2][k] * w[k];
		y3 += row[3][k] * w[k];
	}
	memcpy(y, (double[TOGETHER]){y0, y1, y2, y3}, TOGETHER * sizeof *y);
}

/* Returns Σ(y − ŷ)² of a fold; stores ŷ if wanted. */
static double squares(const struct judging *j, size_t fold, size_t target, struct mat predicted)
{
	const struct part *const part = &j->part[fold];
	double sum = 0, y[TOGETHER];
	for (size_t i = 0; i < part->x.rows; i++) {
		const size_t at = i % TOGETHER;
		if (at == 0)
			predict_rows(j, part->x, i, target, y);
		if (predicted.at)
			mat_row(predicted, target)[part->row[i]] = y[at];
		const double off = y[at] - mat_row(part->y, target)[i];
		sum += off * off;
	}
	return sum;
}

/* ---- evaluation
 * ------------------------------------------------------------------------------------ */

struct inner {
	double error[RIDGE_FOLDS][RIDGE_GRID];
};

static bool try_pair(struct judging *j, size_t f, size_t g, struct inner *of, struct err *err)
{
	learn_without(j, f, g);
	for (size_t i = 0; i < RIDGE_GRID; i++) {
		if (!solve(j, ridge_grid[i], err))
			return false;
		for (size_t t = 0; t < j->targets; t++) {
			of[t].error[f][i] += squares(j, g, t, (struct mat){0});
			of[t].error[g][i] += squares(j, f, t, (struct mat){0});
		}
	}
	return true;
}

static double spread(const struct ridge_of *of, size_t target)
{
	const double *const y = mat_row(of->y, target);
	double mean = 0, sum = 0;
	for (size_t i = 0; of->intercept && i < of->x.rows; i++)
		mean += y[i] / (double)of->x.rows;
	for (size_t i = 0; i < of->x.rows; i++)
		sum += (y[i] - mean) * (y[i] - mean);
	return sum;
}

static bool predict(struct judging *j, const struct inner *inner, struct mat predicted,
		    struct ridge *out, struct err *err)
{
	double *const sum = arena_calloc(j->a, j->targets + 1, sizeof *sum);
	for (size_t f = 0; f < RIDGE_FOLDS; f++) {
		learn_without(j, f, f);
		for (size_t t = 0; t < j->targets; t++) {
			size_t best = 0;
			for (size_t i = 1; i < RIDGE_GRID; i++)
				if (inner[t].error[f][i] < inner[t].error[f][best])
					best = i;
			out[t].alpha[f] = ridge_grid[best];
			/* The solution is one of all targets. */
			const bool same = t > 0 && out[t].alpha[f] == out[t - 1].alpha[f];
			if (!same && !solve(j, ridge_grid[best], err))
				return false;
			sum[t] += squares(j, f, t, predicted);
		}
	}
	for (size_t t = 0; t < j->targets; t++) {
		const double all = spread(j->of, t);
		out[t].r2 = all > 0 ? 1 - sum[t] / all : NAN;
	}
	return true;
}

static bool judge(struct judging *j, struct mat predicted, struct ridge *out, struct err *err)
{
	struct inner *const inner = arena_calloc(j->a, j->targets + 1, sizeof *inner);
	const struct mat mean = mean_row(j->of, j->a);
	for (size_t f = 0; f < RIDGE_FOLDS; f++)
		make_part(j, f, mean, &j->part[f]);
	for (size_t f = 0; f < RIDGE_FOLDS; f++)
		for (size_t g = f + 1; g < RIDGE_FOLDS; g++)
			if (!try_pair(j, f, g, inner, err))
				return false;
	return predict(j, inner, predicted, out, err);
}

bool ridge_judge(const struct ridge_of *of, struct mat predicted, struct ridge *out,
		 struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct judging j = {.of = of,
			    .p = of->x.cols,
			    .targets = of->y.rows,
			    .a = &scratch,
			    .least = rounding(of->x)};
	for (size_t t = 0; t < j.targets; t++)
		out[t] = (struct ridge){.r2 = NAN};
	j.gram = mat_new(&scratch, j.p, j.p);
	j.factor = mat_new(&scratch, j.p, j.p);
	j.xy = mat_new(&scratch, j.targets, j.p);
	j.x_mean = mat_new(&scratch, 1, j.p);
	j.y_mean = mat_new(&scratch, 1, j.targets);
	j.w = mat_new(&scratch, j.targets, j.p);
	j.c = arena_calloc(&scratch, j.targets, sizeof *j.c);
	const bool ok = (mat_is_finite(of->x) && mat_is_finite(of->y)) ||
			err_set(err, "ridge regression needs finite numbers");
	const bool judged = ok && judge(&j, predicted, out, err);
	arena_release(&scratch);
	return judged;
}
