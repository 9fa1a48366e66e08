/* fuzz_formula.c: any text is a formula or an error within it; a formula always ends, gives many
 * values as it gives one, and as a parameter prints what reads back as itself. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/math/calc.h"
#include "posviz/scheme/scheme.h"

enum { POINTS = 67 }; /* more than a block, and not a whole number of any */

static bool same(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_values(const struct calc *c)
{
	double s[POINTS], many[POINTS], one;
	for (size_t i = 0; i < POINTS; i++)
		s[i] = (double)i - 3;
	struct calc_input in[] = {{.all = 5}, {.at = s}, {.all = 2}};
	calc_eval(c, in, many, POINTS);
	for (size_t i = 0; i < POINTS; i += 13) {
		in[1] = (struct calc_input){.all = s[i]};
		calc_eval(c, in, &one, 1);
		BUG_IF(!same(one, many[i]));
	}
}

/* Set as the parameter of formula: its print is read again and prints the same. */
static void check_parameter(const char *text, size_t len, struct arena *a)
{
	const struct scheme *const s = scheme_find("formula", 7, NULL);
	void *const first = scheme_defaults(s, a), *const again = scheme_defaults(s, a);
	struct err err = {0};
	size_t wrong = 0;
	if (!param_set_at(&s->params[0], first, text, len, &wrong, a, &err)) {
		BUG_IF(wrong > len || err.text[0] == '\0');
		return;
	}
	const char *const printed = param_print(&s->params[0], first, a);
	if (!param_set(&s->params[0], again, printed, strlen(printed), a, &err))
		BUG("%s", err.text);
	BUG_IF(strcmp(param_print(&s->params[0], again, a), printed) != 0);
}

FUZZ(formula)
{
	static const char *const names[] = {"t", "s", "h", NULL};
	struct arena arena;
	struct calc c;
	struct err err = {0};
	size_t wrong = 0;
	arena_init(&arena);
	const char *const text = arena_strndup(&arena, (const char *)data, size);
	const size_t len = strlen(text);
	if (calc_parse(&c, text, names, &arena, &wrong, &err)) {
		BUG_IF(c.n == 0 || c.n > CALC_STEPS || c.n > len);
		check_values(&c);
	} else {
		BUG_IF(wrong > len || err.text[0] == '\0');
		BUG_IF(!text_valid(err.text, strlen(err.text)));
	}
	check_parameter(text, len, &arena);
	arena_release(&arena);
	return 0;
}
