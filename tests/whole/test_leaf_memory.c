/* test_leaf_memory.c: large drawn leaves that no model has wait for the next one only as far as memory allows. */
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_peak.h"
#include "help_scheme.h"

enum { D = 1024, MB = 1000 * 1000 };

/* Its two kernels are 25 MB each; the memory lets 50 MB wait. */
static const char *const expression = "cnn(depth=2)";

static void wide(struct help_run *r)
{
	r->config.d = D;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.memory = 100 * MB;
	r->want = (struct want){.kinds = WANT_WEIGHTS, .layer = 0, .head = 0};
}

static void wide_of_another_seed(struct help_run *r)
{
	wide(r);
	r->config.seed = 7;
}

static int exit_code_of(bool (*holds)(void))
{
	int status = 0;
	const pid_t child = fork();
	if (child == 0)
		_exit(holds() ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool none_wait_beside_a_model(void)
{
	struct help_run first, second;
	help_run_must_open(&first, expression, 6, 0, wide);
	const size_t before = help_peak_from_here();
	help_run_must_open(&second, expression, 6, 0, wide_of_another_seed);
	help_run_close(&second);
	const size_t after = help_peak_from_here();
	help_run_close(&first);
	return before >= 50 * MB && after < before + 20 * MB;
}

static bool some_wait_alone(void)
{
	struct help_run first;
	const size_t before = help_peak_from_here();
	help_run_must_open(&first, expression, 6, 0, wide);
	help_run_close(&first);
	return help_peak_from_here() >= before + 20 * MB;
}

TEST(leaves_that_wait_give_way_to_held_ones)
{
	if (help_peak_from_here() == 0)
		skip();
	assert_int_equal(exit_code_of(some_wait_alone), 0);
	assert_int_equal(exit_code_of(none_wait_beside_a_model), 0);
}
