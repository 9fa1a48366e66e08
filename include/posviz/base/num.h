/* num.h: strict reading of numbers from outside, and sizes that cannot overflow.
 *
 * A number is the whole text or an error: no leading blanks, no trailing letters, no locale. */
#ifndef POSVIZ_NUM_H
#define POSVIZ_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/err.h"

/* Reads a decimal integer in [min, max]. The error quotes the text and says what would be right. */
bool num_parse_long(const char *text, size_t len, long min, long max, long *out, struct err *err);

/* Reads a finite decimal number (digits, point, exponent) in [min, max]. */
bool num_parse_double(const char *text, size_t len, double min, double max, double *out,
		      struct err *err);

/* Returns the length in bytes of the longest number of this form at the beginning of the text,
 * or 0. */
size_t num_length(const char *text, size_t len);

/* Rounds to 12 significant digits, so that ten steps of 0.1 make 1. */
double num_rounded(double value);

/* Reads an unsigned 64-bit integer (a seed). */
bool num_parse_u64(const char *text, size_t len, uint64_t *out, struct err *err);

/* Computes out = a * b; false when the product does not fit. */
bool num_mul(size_t a, size_t b, size_t *out);

/* Writes the shortest decimal that reads back as exactly `value` ("10000", "0.1", "-inf", "nan");
 * `size` of 32 always suffices. Returns `buf`. Independent of the locale. */
char *num_print(char *buf, size_t size, double value);

/* Writes `value` for people with `digits` significant digits and a true minus sign (U+2212):
 * "−1.31", "0.0024", "3.1e-16". `size` of 32 always suffices. Returns `buf`. */
char *num_show(char *buf, size_t size, double value, int digits);

#endif
