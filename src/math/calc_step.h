/* calc_step.h: the parsed form of a formula, which calc.c makes and calc_eval.c evaluates. */
#ifndef MATH_CALC_STEP_H
#define MATH_CALC_STEP_H

#include "posviz/math/calc.h"

/* Replaces x[i] by the result of x[i], y[i], z[i]. */
typedef void operate(double *x, const double *y, const double *z, size_t n);

enum step_kind { STEP_NUMBER, STEP_NAME, STEP_OPERATION };

struct calc_step {
	enum step_kind kind;
	double number;
	size_t index; /* of the name, or the number of operands */
	operate *run;
};

#endif
