/* help_recipes_grid.c: the cells of tokens, and what schemes of rows and columns add at the input. */
#include "help_recipes.h"

/* Patches of pictures, else the tokens of a text, `grid` of which fill a row. */
struct cell cell_of(P, size_t t)
{
	const struct mat picture = dumped_find(p->f, "position.picture");
	if (picture.at)
		return (struct cell){(size_t)picture.at[t], dumped_get(p->f, "position.row").at[t],
				     dumped_get(p->f, "position.column").at[t],
				     dumped_get(p->f, "position.temporal").at[t]};
	const double at = position_of(p, m, t), wide = dumped_number(m, "grid");
	return (struct cell){1, floor(at / wide), at - floor(at / wide) * wide, 0};
}

/* Returns rows and columns of the picture of a cell. */
static struct cell size_of(P, struct cell of)
{
	struct cell most = of;
	for (size_t t = 0; t < p->f->n; t++) {
		const struct cell c = cell_of(p, m, t);
		most.y = c.picture == of.picture ? fmax(most.y, c.y) : most.y;
		most.x = c.picture == of.picture ? fmax(most.x, c.x) : most.x;
	}
	return (struct cell){of.picture, most.y + 1, most.x + 1, 0};
}

void cell_coordinates(P, size_t t, double *y, double *x)
{
	const struct cell c = cell_of(p, m, t), size = size_of(p, m, c);
	const bool wider = size.x > size.y, max = dumped_is(m, "coordinates", "max");
	const double side = wider == max ? size.x : size.y;
	const bool own = dumped_is(m, "coordinates", "separate");
	const double middle = dumped_number(m, "start") + 0.5;
	*y = 2 * M_PI * (2 * (c.y + middle) / (own ? size.y : side) - 1);
	*x = 2 * M_PI * (2 * (c.x + middle) / (own ? size.x : side) - 1);
}

/* Sines, then cosines; an odd half has one more sine, with freq=t2t a zero. */
double sinusoid_of_cell(P, size_t t, size_t j)
{
	const struct cell c = cell_of(p, m, t);
	const size_t half = p->f->d / 2, width = j < half ? half : p->f->d - half;
	const bool column = (j < half) != dumped_is(m, "first", "rows");
	const bool t2t = dumped_is(m, "freq", "t2t");
	const size_t sines = t2t ? width / 2 : (width + 1) / 2, k = j < half ? j : j - half;
	if (c.picture == 0 || k >= 2 * sines)
		return 0;
	const double i = (double)(k % sines);
	const double by = t2t ? i / fmax((double)(sines - 1), 1) : 2 * i / (double)width;
	const double angle = (column ? c.x : c.y) * pow(dumped_number(m, "base"), -by);
	return k < sines ? sin(angle) : cos(angle);
}

/* The weight of a cell at this distance, in cubic interpolation with a = -3/4. */
static double cubic(double far)
{
	const double a = -0.75, x = fabs(far);
	if (x <= 1)
		return ((a + 2) * x - (a + 3)) * x * x + 1;
	return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static double resized(P, struct cell c, size_t j)
{
	const double rows = dumped_number(m, "rows"), cols = dumped_number(m, "columns");
	const struct cell size = size_of(p, m, c);
	const double y = (c.y + 0.5) * rows / size.y - 0.5, x = (c.x + 0.5) * cols / size.x - 0.5;
	double sum = 0;
	for (double v = floor(y) - 1; v < floor(y) + 3; v++)
		for (double u = floor(x) - 1; u < floor(x) + 3; u++) {
			const double row = fmin(fmax(v, 0), rows - 1);
			const double col = fmin(fmax(u, 0), cols - 1);
			sum += cubic(y - v) * cubic(x - u) *
			       mat_row(leaf_of(p, m, "p"), (size_t)(1 + row * cols + col))[j];
		}
	return sum;
}

double row_of_cell(P, size_t t, size_t j)
{
	const struct cell c = cell_of(p, m, t);
	const size_t half = p->f->d / 2;
	if (dumped_is(m, "tables", "two")) {
		if (c.picture == 0)
			return 0;
		return j < half ? mat_row(leaf_of(p, m, "x"), (size_t)c.x)[j]
				: mat_row(leaf_of(p, m, "y"), (size_t)c.y)[j - half];
	}
	return c.picture == 0 ? mat_row(leaf_of(p, m, "p"), 0)[j] : resized(p, m, c, j);
}

/* A 3 by 3 correlation of the sum of the other parts. */
double convolved_cell(P, size_t t, size_t j)
{
	const struct cell at = cell_of(p, m, t);
	const struct mat own = dumped_get(p->f, "layer.%zu.part.position", p->step);
	double sum = at.picture == 0 ? 0 : leaf_of(p, m, "bias").at[j];
	for (size_t s = 0; s < p->f->n; s++) {
		const struct cell c = cell_of(p, m, s);
		const double a = c.y - at.y + 1, b = c.x - at.x + 1;
		if (at.picture == 0 || c.picture != at.picture || fabs(c.frame - at.frame) > 0.5 ||
		    a < 0 || a > 2 || b < 0 || b > 2)
			continue;
		sum += leaf_of(p, m, "kernel").at[3 * (3 * j + (size_t)a) + (size_t)b] *
		       (mat_row(p->x, s)[j] - mat_row(own, s)[j]);
	}
	return sum;
}
