/* calc.h: a formula as people type it, read once and evaluated for many values at once.
 *
 *   choice = test [ "?" choice ":" choice ] ; test = unary { operator unary } ;
 *   unary = ("-" | "+" | "!") unary | atom [ "^" unary ] ;
 *   atom = number | name | function "(" choice { "," choice } ")" | "(" choice ")"
 *
 * Operators from loose to tight: ||, &&, == !=, < <= > >=, + -, * /, the signs, ^; all from the left
 * but ^: -2^2 is -4, 2^3^2 is 512. As printed: − for -, · ⋅ × for *, ≤ ≥ ≠, π, ∞. What holds is 1, what does not 0. There are no loops and no
 * definitions, so every formula ends: it gives a number, an infinity, or NaN, and NaN wherever a
 * NaN was needed. Names: the caller's, pi, e, inf and the functions. */
#ifndef POSVIZ_CALC_H
#define POSVIZ_CALC_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum {
	CALC_STEPS = 1024, /* numbers, names and operations in a formula */
	CALC_DEPTH = 64,   /* brackets, signs, powers and choices in each other */
	CALC_WAITING = 64, /* values that wait for an operation */
	CALC_NAMES = 32	   /* of the caller */
};

struct calc {
	const struct calc_step *steps; /* operands before their operation */
	size_t n;
	unsigned uses; /* bit i: names[i] occurs */
};

/* What a name stands for: at[i] in the i-th evaluation, or `all` in every one when `at` is NULL. */
struct calc_input {
	const double *at;
	double all;
};

/* Reads a formula over `names`, which end with NULL. On error *wrong is the byte of `text` that it is
 * about, and the message does not name it. The steps come from `a`. */
bool calc_parse(struct calc *c, const char *text, const char *const *names, struct arena *a,
		size_t *wrong, struct err *err);
/* The same of what is written as on paper: two factors side by side are a product too,
 * "2(2 t_max - 1) d". */
bool calc_parse_printed(struct calc *c, const char *text, const char *const *names, struct arena *a,
			size_t *wrong, struct err *err);

/* A formula that could be read, as it is printed: "−0.3·|s − t|^{2}", with _x ^{x} as in figure_typeset. */
const char *calc_print(const char *text, struct arena *a);

/* out[0..n) for in[name]; `in` has an entry for every name. */
void calc_eval(const struct calc *c, const struct calc_input *in, double *out, size_t n);

#endif
