/* test_fixed.c: numbers of a column: none of them looks like 0 that is not 0. */
#include "test.h"
#include "help_arena.h"
#include "posviz/base/fixed.h"

FIXTURE(open_arena, close_arena)

TEST(small_numbers_keep_their_digits)
{
	static const struct {
		double value;
		int decimals;
		bool plus;
		const char *text;
	} all[] = {
		{1.234, 2, false, "1.23"},
		{-1.234, 2, true, "−1.23"},
		{1.2, 2, true, "+1.20"},
		{0.004, 2, false, "0.004"},
		{-0.004, 2, false, "−0.004"},
		{0.00004, 3, true, "+4e-5"},
		{0.000032, 4, false, "3.2e-5"},
		{0.000996, 2, false, "0.001"},
		{9.96e-5, 2, false, "0.0001"},
		{-0.000099996, 3, false, "−0.0001"},
		{0, 4, true, "0"},
		{-1e-15, 3, true, "0"},
		{0, 2, true, "0.00"},
		{0.0051, 2, false, "0.01"},
		{0.00003, 6, false, "0.000030"},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_string_equal(fixed_text(&arena, all[i].value, all[i].decimals, all[i].plus),
				    all[i].text);
}
