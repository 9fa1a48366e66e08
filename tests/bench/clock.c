/* clock.c: times, medians, memory. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double median(double *at, size_t n)
{
	if (n == 0)
		return 0;
	qsort(at, n, sizeof *at, by_value);
	return n % 2 ? at[n / 2] : (at[n / 2 - 1] + at[n / 2]) / 2;
}

struct pair measure_pair(void (*a)(void *), void *ca, void (*b)(void *), void *cb, size_t rounds)
{
	double ta[ROUNDS_MAX], tb[ROUNDS_MAX], ratio[ROUNDS_MAX];
	for (size_t i = 0; i <= rounds; i++) {
		const double t0 = now_ms();
		a(ca);
		const double t1 = now_ms();
		b(cb);
		const double t2 = now_ms();
		if (i == 0)
			continue;
		ta[i - 1] = t1 - t0;
		tb[i - 1] = t2 - t1;
		ratio[i - 1] = (t1 - t0) / (t2 - t1);
	}
	return (struct pair){median(ta, rounds), median(tb, rounds), median(ratio, rounds)};
}

/* From /proc: rusage of a child would count the pages of this process too. */
double peak_mb(pid_t pid)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "r");
	double kb = 0;
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmHWM: %lf", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb / 1024;
}
