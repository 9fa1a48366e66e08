/* calc.h: formulas as people type them, parsed once and evaluated for many values at once.
 *
 *   choice = test [ "?" choice ":" choice ] ; test = unary { operator unary } ;
 *   unary = ("-" | "+" | "!") unary | atom [ "^" unary ] ;
 *   atom = number | name | function "(" choice { "," choice } ")" | "(" choice ")"
 *
 * Operators from loose to tight: ||, &&, == !=, < <= > >=, + -, * /, the signs, ^. All associate
 * to the left except ^: -2^2 is -4, 2^3^2 is 512. Printed forms are accepted too: − for -, · ⋅ ×
 * for *, ≤ ≥ ≠, π, ∞. A true comparison is 1, a false one 0. There are no loops and no
 * definitions, so every evaluation ends: it gives a number, an infinity, or NaN, and NaN
 * wherever a NaN was needed. Names: the caller's, pi, e, inf and the functions. */
#ifndef POSVIZ_CALC_H
#define POSVIZ_CALC_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum {
	CALC_STEPS = 1024, /* numbers, names and operations in a formula */
	CALC_DEPTH = 64,   /* nested brackets, signs, powers and choices */
	CALC_WAITING = 64, /* values on the stack that wait for an operation */
	CALC_NAMES = 40	   /* names of the caller */
};

struct calc {
	const struct calc_step *steps; /* operands before their operation */
	size_t n;
	unsigned uses; /* bit i: names[i] occurs */
};

/* The values of a name: at[i] in the i-th evaluation, or `all` in every one when `at` is NULL. */
struct calc_input {
	const double *at;
	double all;
};

/* Parses a formula over `names`, which end with NULL. On error *wrong is the offset in `text` of
 * the faulty part, and the message does not mention the offset. The steps come from `a`. */
bool calc_parse(struct calc *c, const char *text, const char *const *names, struct arena *a,
		size_t *wrong, struct err *err);
/* Parses a formula as it is written on paper: in addition, two factors side by side are a
 * product, "2(2 t_max - 1) d". */
bool calc_parse_printed(struct calc *c, const char *text, const char *const *names, struct arena *a,
			size_t *wrong, struct err *err);

/* Returns the printed form of a formula that calc_parse accepts: "−0.3·|s − t|^{2}", with _x
 * ^{x} as in figure_typeset. */
const char *calc_print(const char *text, struct arena *a);

/* Computes out[0..n). `in` has an entry for every name of the caller, in the order of the names. */
void calc_eval(const struct calc *c, const struct calc_input *in, double *out, size_t n);

#endif
