/* near_past.c: see near_past.h. */
#include "scheme/near_past.h"

#include <math.h>
#include <stdlib.h>

double near_past(size_t j, long delta)
{
	const double width = (double)(2 << j / 2 % 4);
	const double near = exp(-(double)labs(delta) / width);
	const double past = delta < 0 ? 1 : delta > 0 ? -1 : 0;
	return j % 2 == 0 ? 2 * near : past * (1 - near);
}

static void fill(struct mat at, size_t dk, long sign)
{
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] =
				near_past(j % dk, sign * ((long)i - (long)(at.rows / 2)));
}

void near_past_rows(struct mat at, const struct leaf_maker *of)
{
	fill(at, of->model->dk, 1);
}

void near_past_mirrored(struct mat at, const struct leaf_maker *of)
{
	fill(at, of->model->dk, -1);
}
