/* table_fit.h: the rotation of a configuration against a tensor of a file: frequencies, divisors of
 * frequencies, or cosines or sines of the positions from 0.
 *
 * Of the configuration are the numbers of its expression (posviz/scheme/rates.h). Where they part
 * from the tensor, settings are tried one after the other, and the first that gives the tensor is
 * named. */
#ifndef POSVIZ_TABLE_FIT_H
#define POSVIZ_TABLE_FIT_H

#include "posviz/family/family.h"
#include "posviz/math/mat.h"

enum table_kind { TABLE_FREQUENCIES, TABLE_DIVISORS, TABLE_COS, TABLE_SIN };
extern const char
	*const table_kind_names[]; /* frequencies divisors cosines sines, ends with NULL */

/* How often a number stands in a row. */
enum table_layout { TABLE_ONCE, TABLE_HALVES, TABLE_NEIGHBOURS };
extern const char *const table_layout_names[]; /* once halves neighbours, ends with NULL */

/* A type of numbers by what it can hold: binary digits; the relative error of numbers rounded to it, and of
 * frequencies from which cosines and sines of it were computed; the spacing of its smallest numbers. */
struct number_type {
	const char *name;
	int digits;
	double eps, angle_eps, least;
};
/* Returns the coarsest of F64 F32 F16 BF16 that holds all numbers. */
const struct number_type *number_type_of(struct mat m);

struct table_fit {
	enum table_kind kind;
	enum table_layout layout;
	const char *type; /* the coarsest type that holds all numbers: F64 F32 F16 BF16 */
	size_t positions; /* rows of cosines and sines */
	size_t pairs, expected_pairs; /* in the tensor; by the configuration */
	const char *member;	      /* of the expression, whose rotation is compared */
	bool equal;
	/* The greatest difference, relative of frequencies and divisors; and what of it rounding to
	 * the type explains. Not set when the numbers of pairs differ. */
	double difference, allowed;
	/* The first pair that differs, from 0, at its first position; if the numbers of pairs are
	 * equal. */
	size_t pair, position;
	double expected, found;
	const char *
		fits; /* the setting that gives the tensor: "no scaling"; NULL: none that was tried */
};

/* Compares the tensor of this name. False with one line: the model rotates nothing, or the shape is that of no
 * such table. */
bool table_fit(const struct known *k, const char *name, struct mat table, struct arena *a,
	       struct table_fit *out, struct err *err);
/* The settings that are tried, for people. */
extern const char table_fit_tried[];

#endif
