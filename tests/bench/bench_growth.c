/* bench_growth.c: time and memory as the input grows, and whether they grow faster than the operations.
 *
 * Time ~ n^x makes a line of slope x where both are logarithms. The slope is fitted over the upper part, where
 * what does not grow is small; that of the operations, counted by the run itself, over the same part.
 * Each point is a process of its own: the processor's time of all its threads, and the peak of its memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { FIRST = 64, POINTS = 7, ROUNDS = 2, UPPER = 3 /* points of a fit, the last ones */ };
enum { FEW_FIRST = 256 }; /* of every scheme: UPPER sizes from here on */

/* An exponent may be so much above that of the operations: what is in a cache at one size and is not at
 * twice the size moves it that far. */
static const double tolerance = 0.15;

struct growth {
	size_t first, n; /* tokens of the first size, each next one twice as many; sizes */
	size_t rounds;
	double tokens[POINTS], ms[POINTS], operations[POINTS], peak[POINTS], estimate[POINTS];
};

static double run_ms(struct layer *l, struct err *err)
{
	const double before = (double)clock();
	return layer_evaluate(l, err) ? ((double)clock() - before) * 1e3 / CLOCKS_PER_SEC : -1;
}

/* The least of some runs: of three, and of as many more as a quarter of a second has room for. */
int growth_alone(char **argv)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	const double start = now_ms();
	double least = INFINITY;
	struct layer l;
	struct err err;
	if (!layer_open(&l, argv[0], strtoul(argv[1], NULL, 10), 64, 4))
		return 1;
	const double opened = peak_mb(getpid());
	for (size_t i = 0; i < 3 || now_ms() - start < 250; i++) {
		const double ms = run_ms(&l, &err);
		if (ms < 0) {
			printf("%s\n", err.text);
			return 1;
		}
		least = fmin(least, ms);
	}
	printf("%g %g %g %g\n", least, l.operations, peak_mb(getpid()) - opened,
	       (double)model_estimate(&l.model, &l.in, &want) / 1e6);
	layer_close(&l);
	return 0;
}

/* x of y ~ tokens^x: least squares of the logarithms. */
static double exponent(const struct growth *g, const double *y)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0;
	for (size_t i = g->n - UPPER; i < g->n; i++) {
		const double a = log(g->tokens[i]), b = log(fmax(y[i], 1e-9));
		sx += a, sy += b, sxx += a * a, sxy += a * b;
	}
	return (UPPER * sxy - sx * sy) / (UPPER * sxx - sx * sx);
}

static bool measure_point(const char *expression, struct growth *g, size_t i)
{
	char tokens[16];
	double ms;
	struct spent spent;
	snprintf(tokens, sizeof tokens, "%zu", g->first << i);
	g->tokens[i] = (double)(g->first << i);
	if (!spend_alone("growth", expression, tokens, &spent) ||
	    sscanf(spent.said, "%lf %lf %lf %lf", &ms, &g->operations[i], &g->peak[i],
		   &g->estimate[i]) != 4) {
		printf("%-14s %s\n", expression, spent.said);
		return false;
	}
	g->ms[i] = fmin(g->ms[i], ms);
	return true;
}

/* All sizes again and again: what slows the machine for a second does not make a slope. */
static bool measure(const char *expression, struct growth *g)
{
	for (size_t i = 0; i < g->n; i++)
		g->ms[i] = INFINITY;
	for (size_t i = 0; i < g->rounds * g->n; i++)
		if (!measure_point(expression, g, i % g->n))
			return false;
	return true;
}

static void print_row(const char *what, const char *unit, const double *at, size_t n,
		      double exponent)
{
	printf("%-14s %-4s", what, unit);
	for (size_t i = 0; i < n; i++)
		printf(at[i] < 10 ? " %7.2f" : " %7.0f", at[i]);
	printf("   n^%.2f", exponent);
}

static void show(const char *expression, const struct growth *g)
{
	const double time = exponent(g, g->ms), work = exponent(g, g->operations);
	const double memory = exponent(g, g->peak), told = exponent(g, g->estimate);
	print_row(expression, "ms", g->ms, g->n, time);
	printf(", operations n^%.2f", work);
	goal_at_most(round((time - work) * 100) / 100, tolerance,
		     "%s: exponent of time less that of operations", expression);
	putchar('\n');
	print_row("", "MB", g->peak, g->n, memory);
	printf(", estimate   n^%.2f", told);
	goal_at_most(round((memory - told) * 100) / 100, tolerance,
		     "%s: exponent of memory less that of the estimate", expression);
	putchar('\n');
}

static void print_head(size_t first, size_t n)
{
	printf("\ntime and memory as the input grows, d 64 h 4; exponents of n %zu to %zu\n",
	       first << (n - UPPER), first << (n - 1));
	printf("%-14s %-4s", "scheme", "n");
	for (size_t i = 0; i < n; i++)
		printf(" %7zu", first << i);
	putchar('\n');
}

static void grow(const char *expression, size_t first, size_t n, size_t rounds)
{
	struct growth g = {.first = first, .n = n, .rounds = rounds};
	if (measure(expression, &g))
		show(expression, &g);
}

void bench_growth(void)
{
	static const char *const schemes[] = {"none", "sinusoidal", "rope",    "alibi",
					      "t5",   "shaw",	    "deberta", "fire",
					      "cope", "stickbreak", "gru",     "synth_mix"};
	print_head(FIRST, POINTS);
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		grow(schemes[i], FIRST, POINTS, ROUNDS);
	print_head(FEW_FIRST, UPPER);
	for (size_t i = 0; i < scheme_count(); i++)
		grow(scheme_at(i)->id, FEW_FIRST, UPPER, 1);
	bench_longer();
}
