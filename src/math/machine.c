/* machine.c: repairs OpenBLAS's choice of kernels, and manages the pool of threads.
 *
 * OpenBLAS has threads too, which wait actively for 30 ms after each product and so slow down the
 * pool's: they are ended before the first evaluation, and mat.c divides products among the pool's
 * threads.
 *
 * The pool has one job at a time: threads take indices from a counter until it runs out. The
 * caller takes indices as well, closes the job, and waits only for the threads that have joined
 * it, so a thread that wakes late costs nothing. Everything but the counter is guarded by one
 * mutex. */
#include "posviz/math/machine.h"

#include <cblas.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "posviz/math/blas_memory.h"
#include "math/vexp.h"
#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/portable.h"

struct job {
	void (*body)(void *context, size_t i, size_t worker);
	void *context;
	size_t n;
	atomic_size_t next;
};

static struct {
	pthread_once_t once, counted;
	pthread_mutex_t turn; /* held by the caller whose job the pool runs */
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t work, idle;
	struct job *job; /* NULL when none is open */
	size_t round;	 /* counts jobs, so that no thread joins the same one twice */
	size_t active;	 /* threads inside the job */
	bool quit;
	size_t started; /* threads besides the callers; fixed once they run */
	pthread_t thread[ROOM_THREADS];
	size_t allowed; /* threads in all for which there is memory */
} pool = {
	.once = PTHREAD_ONCE_INIT,
	.counted = PTHREAD_ONCE_INIT,
	.turn = PTHREAD_MUTEX_INITIALIZER,
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.work = PTHREAD_COND_INITIALIZER,
	.idle = PTHREAD_COND_INITIALIZER,
};

/* The number of this thread while it is inside a job of the pool. */
static _Thread_local struct {
	bool inside;
	size_t worker;
} self;

/* Returns the core type to ask for when OpenBLAS chose kernels much older than the processor,
 * else NULL. OpenBLAS takes models that it does not know for the oldest of their maker. */
static const char *better_core(const char *chosen)
{
	static const char *const old[] = {"Prescott", "Core2", "Nehalem", "Barcelona"};
	const char *const fitting = vexp_fitting()->name;
	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++) {
		if (strcmp(chosen, old[i]) != 0)
			continue;
		if (strcmp(fitting, "avx512") == 0)
			return "SkylakeX";
		if (strcmp(fitting, "avx2") == 0)
			return "Haswell";
	}
	return NULL;
}

/* Functions of an OpenBLAS that has kernels of several processors: one forgets the kernels that were
 * chosen when it was loaded, the other chooses them, by OPENBLAS_CORETYPE if it is set. */
void gotoblas_dynamic_quit(void) __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));

void machine_choose_kernels(void)
{
	static const char name[] = "OPENBLAS_CORETYPE";
	const char *const core = getenv(name) ? NULL : better_core(openblas_get_corename());
	if (!core || !gotoblas_dynamic_quit || !gotoblas_dynamic_init || setenv(name, core, 1) != 0)
		return;
	gotoblas_dynamic_quit();
	gotoblas_dynamic_init();
	unsetenv(name);
}

void machine_setup(void)
{
	portable_keep_freed_memory();
	arena_keep_released(256 << 20);
	machine_choose_kernels();
	machine_threads(); /* ends the threads of OpenBLAS */
}

static void describe(const char *threads, char *buf, size_t size)
{
	static const char *const kinds[] = {"serial", "pthread", "openmp"};
	const int kind = openblas_get_parallel();
	char version[64];
	snprintf(version, sizeof(version), "%s", openblas_get_config());
	char *end = strchr(version, ' '); /* "OpenBLAS 0.3.21 NO_LAPACKE ..." */
	if (end && (end = strchr(end + 1, ' ')))
		*end = '\0';
	snprintf(buf, size, "%s %s, core %s%s; exp: %s", version,
		 kind >= 0 && kind < 3 ? kinds[kind] : "unknown", openblas_get_corename(), threads,
		 vexp_fitting()->name);
}

void machine_kernels(char *buf, size_t size)
{
	describe("", buf, size);
}

void machine_describe(char *buf, size_t size)
{
	const size_t threads = machine_threads();
	char text[40];
	snprintf(text, sizeof text, ", %zu thread%s", threads, threads == 1 ? "" : "s");
	describe(text, buf, size);
}

static double read_clock(clockid_t which)
{
	struct timespec t;
	clock_gettime(which, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double machine_seconds(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double machine_processor_seconds(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A function of OpenBLAS; other BLAS libraries may lack it. */
int blas_thread_shutdown_(void) __attribute__((weak));

/* Sets the number of threads to that of OpenBLAS, which reads OPENBLAS_NUM_THREADS; from now on
 * OpenBLAS itself uses one. */
static void count_threads(void)
{
	const int blas = openblas_get_num_threads();
	pool.allowed = min_size(blas > 0 ? (size_t)blas : 1,
				min_size(portable_processors(), ROOM_THREADS));
	openblas_set_num_threads(1); /* starts its threads again if they have ended */
	if (blas_thread_shutdown_)
		blas_thread_shutdown_();
}

size_t machine_threads(void)
{
	pthread_once(&pool.counted, count_threads);
	return blas_memory_threads() > 0 ? min_size(blas_memory_threads(), pool.allowed)
					 : pool.allowed;
}

static void take_jobs(struct job *job, size_t worker)
{
	self.inside = true;
	self.worker = worker;
	size_t i;
	while ((i = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < job->n)
		job->body(job->context, i, worker);
	self.inside = false;
}

static void *thread_main(void *number)
{
	const size_t worker = (size_t)(uintptr_t)number;
	size_t seen = 0;
	pthread_mutex_lock(&pool.lock);
	for (;;) {
		while (!pool.quit && (!pool.job || pool.round == seen))
			pthread_cond_wait(&pool.work, &pool.lock);
		if (pool.quit)
			break;
		struct job *job = pool.job;
		seen = pool.round;
		pool.active++;
		pthread_mutex_unlock(&pool.lock);
		take_jobs(job, worker);
		pthread_mutex_lock(&pool.lock);
		if (--pool.active == 0)
			pthread_cond_signal(&pool.idle);
	}
	pthread_mutex_unlock(&pool.lock);
	return NULL;
}

/* Ends idle threads. A busy pool ends with the process, because the calling thread may be inside
 * it. */
static void stop_pool(void)
{
	if (self.inside || pthread_mutex_trylock(&pool.turn) != 0)
		return;
	pthread_mutex_lock(&pool.lock);
	pool.quit = true;
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
	for (size_t i = 0; i < pool.started; i++)
		pthread_join(pool.thread[i], NULL);
	pool.started = 0;
}

/* Starts the threads of the pool. They block all signals, which the thread that owns the
 * terminal handles. If fewer start than wanted, the pool still works: the caller takes indices
 * too. */
static void start_pool(void)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	const size_t wanted = machine_threads() - 1;
	while (pool.started < wanted) {
		void *number = (void *)(uintptr_t)(pool.started + 1);
		if (pthread_create(&pool.thread[pool.started], NULL, thread_main, number) != 0)
			break;
		pool.started++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	atexit(stop_pool);
}

static void run_alone(struct job *job, size_t worker)
{
	for (size_t i = 0; i < job->n; i++)
		job->body(job->context, i, worker);
}

void machine_parallel(size_t n, void (*body)(void *context, size_t i, size_t worker), void *context)
{
	struct job job = {.body = body, .context = context, .n = n};
	if (self.inside || n <= 1) {
		run_alone(&job, self.worker);
		return;
	}
	pthread_once(&pool.once, start_pool);
	/* Another thread is using the pool: waiting for it would be no faster. */
	if (pthread_mutex_trylock(&pool.turn) != 0) {
		run_alone(&job, 0);
		return;
	}
	pthread_mutex_lock(&pool.lock);
	pool.job = &job;
	pool.round++;
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);

	take_jobs(&job, 0);

	pthread_mutex_lock(&pool.lock);
	pool.job = NULL;
	while (pool.active)
		pthread_cond_wait(&pool.idle, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	pthread_mutex_unlock(&pool.turn);
}
