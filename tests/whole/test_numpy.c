/* test_numpy.c: numbers of views in dumps against NumPy's, by tests/data/python/view_numbers.py. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

/* The views whose numbers the script knows. */
#define compared "rank,split,vectors,layers,map"

static const struct cli_case dumps[] = {
	{{"dump", "sinusoidal", "--numbers", compared, "-o", "x.safetensors"}},
	{{"dump", "none", "--numbers", compared, "-o", "x.safetensors"}},
	{{"dump", "none+causal", "--seed", "3", "--numbers", compared, "-o", "x.safetensors"}},
	{{"dump", "shaw", "--numbers", compared, "--proj", "random", "-o", "x.safetensors"}},
	{{"dump", "tupe_r", "--numbers", compared, "-s", "a b c d e f g h i j k l", "-o",
	  "x.safetensors"}},
	{{"dump", "learned", "--numbers", compared, "--d-model", "20", "--heads", "2", "-o",
	  "x.safetensors"}},
	{{"dump", "sinusoidal", "--numbers", compared, "--position-ids", "4 9 1", "-s", "a b c",
	  "-o", "x.safetensors"}},
};

TEST_THAT_LASTS(numbers_of_views_are_those_of_numpy, 1)
{
	enum { FEW = 300 };
	struct arena a;
	size_t len;
	if (system("/usr/bin/python3 -c 'import numpy' 2> said") != 0) {
		print_message("NumPy is not there: make long-deps\n");
		skip();
	}
	arena_init(&a);
	const char *const command = arena_printf(
		&a, "/usr/bin/python3 %s/python/view_numbers.py x.safetensors > out 2> said",
		test_data);
	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		cli_good(&dumps[i]);
		if (system(command) != 0)
			fail_msg("%s: %s", dumps[i].args[1], cli_read("said", &a, &len));
		assert_true(strtol(cli_read("out", &a, &len), NULL, 10) > FEW);
		cli_remove("x.safetensors");
	}
	arena_release(&a);
}
