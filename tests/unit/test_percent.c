/* test_percent.c: shares as whole percents that add up. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/percent.h"

FIXTURE(open_arena, close_arena)

TEST(shares_are_rounded_together)
{
	/* Rounded alone, the first three rows give 99, 101 and 101. */
	static const struct {
		double share[4];
		const char *text[4];
	} rows[] = {
		{{0.713, 0.044, 0.176, 0.067}, {"71 %", "4 %", "18 %", "7 %"}},
		{{0.255, 0.255, 0.255, 0.235}, {"26 %", "26 %", "25 %", "23 %"}},
		{{0.574, 0.066, 0.354, 0.006}, {"57 %", "7 %", "35 %", "1 %"}},
		{{0.577, 0.066, 0.354, 0.003}, {"58 %", "7 %", "35 %", "<1 %"}},
		{{1, 0, 0, 0}, {"100 %", "0 %", "0 %", "0 %"}},
		{{0.29, 0.57, 0.14, 0}, {"29 %", "57 %", "14 %", "0 %"}},
		/* A term may work against the sum. */
		{{1.034, -0.034, 0, 1e-15}, {"103 %", "−3 %", "0 %", "0 %"}},
		/* Not all of the whole. */
		{{0.333, 0.333, 0, 0}, {"34 %", "33 %", "0 %", "0 %"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const *const got = percent_texts(rows[i].share, 4, &arena);
		for (size_t k = 0; k < 4; k++)
			assert_string_equal(got[k], rows[i].text[k]);
	}
}
