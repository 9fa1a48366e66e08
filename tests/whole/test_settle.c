/* test_settle.c: when a program on a terminal is taken to be at rest. */
#include "test.h"
#include "help_pty.h"

/* Two threads that wake each other in turn may each be asleep whenever it is looked at. */
TEST(threads_that_wake_each_other_are_no_rest)
{
	static const struct {
		bool asleep, rests;
		double work;
	} looks[] = {
		{true, false, 1e6}, /* one look tells nothing */
		{true, false, 1e6 + 1},	   {true, false, 1e6 + 900},
		{true, true, 1e6 + 900},   {true, true, 1e6 + 900},
		{false, false, 1e6 + 900}, /* woken, and not run yet */
		{true, false, 1e6 + 900},  {true, true, 1e6 + 900},
		{true, false, 5e5}, /* a thread has ended */
		{true, true, 5e5},
	};
	struct pty_rest r = {0};
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		if (pty_rest_look(&r, looks[i].asleep, looks[i].work) != looks[i].rests)
			fail_msg("look %zu", i);
}
