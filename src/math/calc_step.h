/* calc_step.h: what a formula has become once it is read (calc.c), to be evaluated (calc_eval.c). */
#ifndef MATH_CALC_STEP_H
#define MATH_CALC_STEP_H

#include "posviz/math/calc.h"

/* x[i] becomes the result of x[i], y[i], z[i]. */
typedef void operate(double *x, const double *y, const double *z, size_t n);

enum step_kind { STEP_NUMBER, STEP_NAME, STEP_OPERATION };

struct calc_step {
	enum step_kind kind;
	double number;
	size_t index; /* of the name, or how many operands */
	operate *run;
};

#endif
