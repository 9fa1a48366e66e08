/* test.h: tests that register themselves. A file of tests has no main and no list:
 *
 *	FIXTURE(open_arena, close_arena)
 *
 *	TEST(a_number_is_read)
 *	{
 *		assert_true(...);
 *	}
 *
 * Each test runs in a process of its own, several at once (run.c), so none affects another. */
#ifndef TEST_H
#define TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct test {
	const char *file, *name;
	int line;
	CMUnitTestFunction run;
	CMFixtureFunction open, close; /* or NULL */
	/* The parts that run, out of `of`, which all run in the long tier; of 0: all run. */
	size_t parts, of;
	int lasts;		  /* only in the long tier */
	struct test *next, *with; /* with: runs after it in the same process */
};

struct fixture {
	const char *file;
	CMFixtureFunction open, close;
	int once;
	struct fixture *next;
};

void test_add(struct test *test);
void fixture_add(struct fixture *fixture);

/* Runs the fixtures around each test of the file, like cmocka's fixtures of a group: the test gets
 * *state from `open`. */
#define FIXTURE(open, close) FIXTURE_OF(open, close, 0)
/* Runs the fixtures once around all tests of the file, in one process: for objects that take long
 * to make. */
#define FIXTURE_ONCE(open, close) FIXTURE_OF(open, close, 1)
#define FIXTURE_OF(open, close, once)                                        \
	__attribute__((constructor)) static void add_fixture(void)           \
	{                                                                    \
		static struct fixture it = {__FILE__, open, close, once, 0}; \
		fixture_add(&it);                                            \
	}

#define TEST_OF(id, opens, closes, of_parts, cut, long_tier)    \
	static void id(void **state);                           \
	__attribute__((constructor)) static void add_##id(void) \
	{                                                       \
		static struct test it = {.file = __FILE__,      \
					 .name = #id,           \
					 .line = __LINE__,      \
					 .run = id,             \
					 .open = opens,         \
					 .close = closes,       \
					 .parts = of_parts,     \
					 .lasts = long_tier,    \
					 .of = cut};            \
		test_add(&it);                                  \
	}                                                       \
	static void id(__attribute__((unused)) void **state)

#define TEST(name) TEST_OF(name, NULL, NULL, 1, 0, 0)
/* A test with fixtures of its own inside those of the file. */
#define TEST_WITH(name, open, close) TEST_OF(name, open, close, 1, 0, 0)
/* A test of a table, in n parts that run at once: `for (i = test_part; i < count; i +=
 * test_parts)`. */
#define TEST_IN_PARTS(name, n) TEST_OF(name, NULL, NULL, n, 0, 0)
/* The same for a large table: the first n of `all` parts run, in the long tier all of them. */
#define TEST_SAMPLED(name, n, all) TEST_OF(name, NULL, NULL, n, all, 0)
/* A test that takes many seconds, and therefore begins before the others. */
#define TEST_LONG(name) TEST_OF(name, NULL, NULL, 1, 1, 0)
/* A test that takes minutes: for `make test-long`. */
#define TEST_THAT_LASTS(name, n) TEST_OF(name, NULL, NULL, n, 0, 1)

extern size_t test_part, test_parts;
extern char test_data[]; /* tests/data as an absolute path */

/* A program that tests run: `run --program NAME`. */
struct test_program {
	const char *name;
	int (*run)(char **argv);
	struct test_program *next;
};
void test_program_add(struct test_program *program);
#define TEST_PROGRAM(id)                                        \
	static int id(char **argv);                             \
	__attribute__((constructor)) static void add_##id(void) \
	{                                                       \
		static struct test_program it = {#id, id, 0};   \
		test_program_add(&it);                          \
	}                                                       \
	static int id(char **argv)

#define assert_within(x, y, by) test_within(x, y, by, __FILE__, __LINE__)
void test_within(double is, double wanted, double by, const char *file, int line);

#endif
