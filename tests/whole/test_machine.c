/* test_machine.c: the pool does everything once, and a wrong choice of kernels is repaired. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "math/vexp.h"
#include "posviz/math/machine.h"
#include "posviz/math/mat.h"

enum { MOST = 5000, WORKERS = 64 };

struct tally {
	atomic_int done[MOST];
	atomic_int busy[WORKERS]; /* by worker: more than 1 means it was not exclusive */
	atomic_int wrong;
};

static void count_index(void *context, size_t i, size_t worker)
{
	struct tally *t = context;
	if (worker >= machine_threads() || atomic_fetch_add(&t->busy[worker], 1) != 0)
		atomic_fetch_add(&t->wrong, 1);
	atomic_fetch_add(&t->done[i], 1);
	atomic_fetch_sub(&t->busy[worker], 1);
}

static void check_tally(const struct tally *t, size_t n, int times)
{
	assert_int_equal(atomic_load(&t->wrong), 0);
	for (size_t i = 0; i < MOST; i++)
		assert_int_equal(atomic_load(&t->done[i]), i < n ? times : 0);
}

TEST(parallel_does_each_index_once)
{
	static const size_t sizes[] = {0, 1, 2, 3, 17, 1000, MOST};
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		struct tally *t = calloc(1, sizeof(*t));
		machine_parallel(sizes[k], count_index, t);
		check_tally(t, sizes[k], 1);
		free(t);
	}
}

TEST(parallel_may_be_repeated_quickly)
{
	struct tally *t = calloc(1, sizeof(*t));
	for (int round = 0; round < 500; round++)
		machine_parallel(5, count_index, t);
	check_tally(t, 5, 500);
	free(t);
}

/* Waits, within reason, until every thread has an index of its own. */
static void meet(atomic_int *arrived)
{
	atomic_fetch_add(arrived, 1);
	for (int i = 0; i < 1000000 && atomic_load(arrived) < (int)machine_threads(); i++)
		sched_yield();
}

struct meeting {
	struct tally tally;
	atomic_int arrived;
};

static void finish_late(void *context, size_t i, size_t worker)
{
	struct meeting *m = context;
	meet(&m->arrived);
	for (size_t k = 0; k < 100 * worker; k++)
		sched_yield();
	count_index(&m->tally, i, worker);
}

TEST(parallel_returns_when_all_is_done)
{
	struct meeting *m = calloc(1, sizeof(*m));
	machine_parallel(machine_threads(), finish_late, m);
	check_tally(&m->tally, machine_threads(), 1);
	free(m);
}

struct outer {
	struct tally tally;
	pthread_t thread[WORKERS]; /* by worker */
	atomic_int arrived, strangers;
};

static void nested_body(void *context, size_t i, size_t worker)
{
	struct outer *o = context;
	if (!pthread_equal(pthread_self(), o->thread[worker]))
		atomic_fetch_add(&o->strangers, 1);
	atomic_fetch_add(&o->tally.done[i], 1);
}

static void outer_body(void *context, size_t i, size_t worker)
{
	struct outer *o = context;
	(void)i;
	o->thread[worker] = pthread_self();
	meet(&o->arrived);
	machine_parallel(100, nested_body, o);
}

TEST(nested_calls_run_in_their_thread)
{
	struct outer *o = calloc(1, sizeof(*o));
	machine_parallel(20, outer_body, o);
	assert_int_equal(atomic_load(&o->strangers), 0);
	check_tally(&o->tally, 100, 20);
	free(o);
}

static void *call_often(void *context)
{
	struct tally *t = context;
	for (int round = 0; round < 200; round++)
		machine_parallel(50, count_index, t);
	return NULL;
}

TEST(callers_at_once_do_not_disturb_each_other)
{
	struct tally *t[2];
	pthread_t other[2];
	for (int i = 0; i < 2; i++) {
		t[i] = calloc(1, sizeof(*t[i]));
		assert_int_equal(pthread_create(&other[i], NULL, call_often, t[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(other[i], NULL);
		check_tally(t[i], 50, 200);
		free(t[i]);
	}
}

struct products {
	struct mat a, out[8];
};

static void multiply(void *context, size_t i, size_t worker)
{
	struct products *p = context;
	(void)worker;
	mat_mul(p->out[i], 1, p->a, false, p->a, true, 0);
}

TEST(products_in_parallel_are_equal)
{
	struct arena arena;
	arena_init(&arena);
	struct rng rng;
	rng_init(&rng, 1);
	struct products p = {mat_new(&arena, 70, 90)};
	mat_fill_normal(p.a, 1, &rng);
	for (size_t i = 0; i < 8; i++)
		p.out[i] = mat_new(&arena, 70, 70);
	machine_parallel(8, multiply, &p);
	for (size_t i = 1; i < 8; i++)
		assert_true(mat_max_abs_diff(p.out[0], p.out[i]) == 0);
	arena_release(&arena);
}

TEST(description_names_what_matters)
{
	char text[200], shorter[8];
	machine_describe(text, sizeof(text));
	assert_non_null(strstr(text, "OpenBLAS "));
	assert_non_null(strstr(text, ", core "));
	assert_non_null(strstr(text, vexp_fitting()->name));
	machine_describe(shorter, sizeof(shorter));
	assert_memory_equal(shorter, text, 7);
	assert_int_equal(shorter[7], '\0');
}

/* As a program: started with the oldest kernels, as if OpenBLAS had chosen them itself. */
TEST_PROGRAM(started_with_old_kernels)
{
	(void)argv;
	unsetenv("OPENBLAS_CORETYPE");
	machine_setup();
	char text[200];
	machine_describe(text, sizeof(text));
	puts(text);
	return 0;
}

TEST(setup_repairs_old_kernels_once)
{
	char self[512], command[700], text[200] = "";
	const char *const chosen = getenv("OPENBLAS_CORETYPE"); /* by who runs the tests */
	const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	assert_true(len > 0);
	self[len] = '\0';
	snprintf(command, sizeof(command),
		 "OPENBLAS_CORETYPE=Prescott '%s' --program started_with_old_kernels", self);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	assert_non_null(fgets(text, sizeof(text), out));
	assert_int_equal(pclose(out), 0);
	const bool old = strstr(text, "core Prescott") != NULL;
	assert_int_equal(old, vexp_fitting() == vexp_built[0]);
	assert_ptr_equal(getenv("OPENBLAS_CORETYPE"), chosen);
}

TEST(setup_respects_the_users_choice)
{
	assert_int_equal(setenv("OPENBLAS_CORETYPE", "Prescott", 1), 0);
	machine_setup();
	assert_string_equal(getenv("OPENBLAS_CORETYPE"), "Prescott");
	unsetenv("OPENBLAS_CORETYPE");
}
