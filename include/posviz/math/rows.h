/* rows.h: loops over the rows of a matrix, shared among the pool when there is enough to do. */
#ifndef MATH_ROWS_H
#define MATH_ROWS_H

#include <stddef.h>

/* Converts n products of a sum to elements, the unit in which rows_parallel estimates time. */
static inline size_t rows_products(size_t n)
{
	return (n + 7) / 8;
}

/* Calls body(context, first, count) for blocks that cover rows 0..rows-1 once; each row of `cols`
 * elements must not depend on where the blocks end, so that results do not either. */
void rows_parallel(size_t rows, size_t cols,
		   void (*body)(void *context, size_t first, size_t count), void *context);

#endif
