/* test_refused.c: bad input of newer schemes, as a user gives it: status 2, and one line that says what
 * is wrong. */
#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "help_tested.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

TEST(bad_input_of_every_family_is_one_line)
{
	static struct tested table[TESTED_FAMILIES];
	const size_t n = help_tested(table, &arena);
	size_t tried = 0;
	for (size_t i = 0; i < n; i++) {
		if (!table[i].bad)
			continue;
		cli_refuse(&(struct cli_case){.args = {"dump", table[i].bad, "-o", "x.csv"}},
			   table[i].says);
		tried++;
	}
	assert_true(tried > 50);
}
