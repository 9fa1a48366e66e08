/* help_tested.h: tests/data/tested.txt, the table of what is tested of newer schemes. */
#ifndef HELP_TESTED_H
#define HELP_TESTED_H

#include "posviz/base/arena.h"

enum tested_column {
	TESTED_VECTORS,
	TESTED_WORKED,
	TESTED_LIMIT,
	TESTED_GRADIENT,
	TESTED_DUMP,
	TESTED_REFUSED,
	TESTED_COLUMNS
};
extern const char *const tested_names[TESTED_COLUMNS];

/* The tests that go through all schemes, and through the expressions of this table. */
#define TESTED_ALL_GRADIENTS "gradients: gradients_of_all_schemes"
#define TESTED_ALL_DUMPS     "dump_recompute: every_scheme_is_computed_anew"
#define TESTED_ALL_REFUSED   "refused: bad_input_of_every_family_is_one_line"

struct tested_cell {
	const char *test, *words; /* "FILE: TEST"; words of that file, or NULL */
};

enum { TESTED_FAMILIES = 128, TESTED_CELLS = 12, TESTED_SCHEMES = 8 };

struct tested {
	const char *family, *schemes[TESTED_SCHEMES]; /* ends with NULL */
	struct tested_cell at[TESTED_COLUMNS][TESTED_CELLS];
	size_t n[TESTED_COLUMNS];
	const char *why[TESTED_COLUMNS]; /* the reason why there is no test, or NULL */
	const char *bad, *says;		 /* an expression and words of its line, or NULL */
};

/* Reads the table into out[TESTED_FAMILIES] and returns the number of families; fails the test at a
 * line that it does not understand. */
size_t help_tested(struct tested *out, struct arena *a);

#endif
