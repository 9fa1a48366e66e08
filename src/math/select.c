/* select.c: Hoare's selection: a partition around a pivot, then the same in the part with the wanted
 * index. The pivot is the median of three, so that sorted numbers are halved. */
#include "posviz/math/select.h"

#include "posviz/base/err.h"

static double middle_of(double a, double b, double c)
{
	if (a > b) {
		const double swapped = a;
		a = b;
		b = swapped;
	}
	return c < a ? a : c > b ? b : c;
}

/* Returns an index `end` < last, so that none of first..end is larger than any of end+1..last. */
static size_t part(double *numbers, size_t first, size_t last)
{
	const double pivot =
		middle_of(numbers[first], numbers[first + (last - first) / 2], numbers[last]);
	for (size_t i = first, j = last;; i++, j--) {
		while (numbers[i] < pivot)
			i++;
		while (numbers[j] > pivot)
			j--;
		if (i >= j)
			return j;
		const double swapped = numbers[i];
		numbers[i] = numbers[j];
		numbers[j] = swapped;
	}
}

double select_at(double *numbers, size_t n, size_t k)
{
	BUG_IF(k >= n);
	size_t first = 0, last = n - 1;
	while (first < last) {
		const size_t end = part(numbers, first, last);
		if (k <= end)
			last = end;
		else
			first = end + 1;
	}
	return numbers[k];
}
