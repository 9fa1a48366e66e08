/* given_rows.c: a test whether the rows of a matrix are attention weights, by the numbers alone.
 *
 * Weights are not negative and each row sums to 1; a fully masked row to 0. A number r with D
 * decimals may be any from r − u/2, if rounded, to r + u, if truncated, with u = 10^−D. So a row
 * may be one of weights if 1 lies between the least and the largest sum of such numbers:
 *
 *   Σ max(0, r − u/2) ≤ 1 ≤ Σ min(1, r + u)
 *
 * Likewise for per cent, with 100 instead of 1. Rows with numbers from 0 to 1 and a smaller sum
 * may be weights without a sink, or a bias: the numbers do not tell. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "scheme/given_table.h"

/* The tolerance for the sum of a row of weights: bfloat16 and two digits round by as much. */
static const double row_tolerance = 0.015;
/* The tolerance for rows that are near 1, or below it, so that the user has to say what they
 * are. */
static const double near_tolerance = 0.1;

enum { NO_DECIMALS = -1, MOST_DECIMALS = 4 };

struct sums {
	const struct given_table *table;
	double whole;	    /* 1, or 100 for per cent */
	double most, least; /* of the rows that are not all 0 */
	size_t worst; /* the row whose sum is farthest from `whole`, of all heads and layers */
	double worst_sum;
	size_t rows; /* that are not all 0 */
};

static double sum_of(const struct given_table *table, size_t row)
{
	double sum = 0;
	for (size_t s = 0; s < table->cols; s++)
		sum += table->at[row * table->cols + s];
	return sum;
}

static struct sums sums_of(const struct given_table *table, double whole)
{
	struct sums out = {.table = table, .whole = whole, .least = INFINITY};
	double off = -1;
	for (size_t row = 0; row < given_table_rows(table); row++) {
		const double sum = sum_of(table, row);
		if (!(sum > 0))
			continue;
		out.rows++;
		out.most = fmax(out.most, sum);
		out.least = fmin(out.least, sum);
		if (fabs(sum - whole) > off) {
			off = fabs(sum - whole);
			out.worst = row;
			out.worst_sum = sum;
		}
	}
	return out;
}

/* Returns whether no entry is negative or infinite; *most is the largest. */
static bool is_from_0(const struct given_table *table, double *most)
{
	const size_t count = given_table_rows(table) * table->cols;
	*most = 0;
	for (size_t i = 0; i < count; i++) {
		if (!(table->at[i] >= 0))
			return false;
		*most = fmax(*most, table->at[i]);
	}
	return true;
}

/* Returns the fewest decimals with which all numbers can be written, if few enough to be
 * significant. */
static int decimals_of(const struct given_table *table, int fewest)
{
	const size_t count = given_table_rows(table) * table->cols;
	for (int digits = fewest; digits <= MOST_DECIMALS; digits++) {
		const double unit = pow(10, digits);
		size_t i = 0;
		while (i < count && fabs(table->at[i] * unit - round(table->at[i] * unit)) <= 1e-3)
			i++;
		if (i == count)
			return digits;
	}
	return NO_DECIMALS;
}

static bool can_be_whole(const struct sums *sums, size_t row, double unit)
{
	const double *const at = sums->table->at + row * sums->table->cols;
	double least = 0, most = 0, sum = 0;
	for (size_t s = 0; s < sums->table->cols; s++) {
		least += fmax(0, at[s] - unit / 2);
		most += fmin(sums->whole, at[s] + unit);
		sum += at[s];
	}
	const double slack = 1e-9 * sums->whole;
	return !(sum > 0) || (least < sums->whole + slack && most > sums->whole + slack);
}

static bool all_can_be_whole(const struct sums *sums, int decimals)
{
	const double unit = pow(10, -decimals);
	const size_t rows = given_table_rows(sums->table);
	size_t row = 0;
	while (decimals != NO_DECIMALS && row < rows && can_be_whole(sums, row, unit))
		row++;
	return row == rows;
}

static const char *worst_row(const struct sums *sums, struct arena *a)
{
	char sum[32];
	return arena_printf(a, "%s sums to %s", given_table_row_name(sums->table, sums->worst, a),
			    num_show(sum, sizeof sum, sums->worst_sum, 3));
}

static enum given_rows per_cent(const struct given_table *table, struct arena *a, const char **says)
{
	const struct sums sums = sums_of(table, 100);
	const bool near =
		sums.least >= 100 * (1 - near_tolerance) && sums.most <= 100 * (1 + near_tolerance);
	if (!near && !all_can_be_whole(&sums, decimals_of(table, 0)))
		return ROWS_OTHER;
	*says = arena_printf(
		a,
		"%s: rows sum to about 100; say which they are: as=percent, weights in "
		"per cent, as=bias or as=logits",
		table->name);
	return ROWS_PER_CENT;
}

enum given_rows given_rows_are(const struct given_table *table, struct arena *a, const char **says)
{
	double most;
	*says = NULL;
	if (!is_from_0(table, &most))
		return ROWS_OTHER;
	const struct sums sums = sums_of(table, 1);
	if (sums.rows == 0)
		return ROWS_OTHER;
	if (sums.least >= 1 - row_tolerance && sums.most <= 1 + row_tolerance)
		return ROWS_WEIGHTS;
	if (most > 1 + row_tolerance)
		return most <= 100 * (1 + row_tolerance) ? per_cent(table, a, says) : ROWS_OTHER;
	const int decimals = decimals_of(table, 1);
	if (all_can_be_whole(&sums, decimals)) {
		*says = arena_printf(
			a, "%s: %s: taken for weights of %d decimal%s; scores: as=bias",
			table->name, worst_row(&sums, a), decimals, decimals == 1 ? "" : "s");
		return ROWS_ROUNDED;
	}
	if (sums.most > 1 + near_tolerance)
		return ROWS_OTHER;
	*says = arena_printf(
		a,
		"%s: numbers from 0 to 1, and %s; say which they are: as=weights, with a "
		"sink or otherwise short of 1, as=bias or as=logits",
		table->name, worst_row(&sums, a));
	return ROWS_SHORT;
}
