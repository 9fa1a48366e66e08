/* goal.c: goals in one form, and at the end those that were missed, with the reason where it is known. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { MISSED_MAX = 400, LINE = 120 };

static struct {
	size_t met, missed;
	char line[MISSED_MAX][LINE];
} goals;

/* Of goals that begin so; from profiles of the processor's time. */
static const struct {
	const char *goal, *reason;
} known[] = {
	{"the default page",
	 "a quarter of its time is the kernel's, for exec and pages; zlib 13 %, fontconfig, HarfBuzz "
	 "and the C library 11 % each, the dynamic linker 6 %, posviz itself 5 %"},
	{"graph_tr",
	 "products of the 64 paths of a piece are 24 %, the cells 12 %, copies of states 9 %, means 8 "
	 "%; what finds the paths runs on one thread in part"},
	{"gru: exponent of time",
	 "its cells grow with n alone and take less time than their operations count for, so the "
	 "sum of operations grows slower than the time of what grows with its square"},
	{"none, n 64, beside float32",
	 "the float64 products alone take as long as PyTorch's whole block in float32"},
	{"rope, n 64, beside float32",
	 "the float64 products alone take as long as PyTorch's whole block in float32"},
	{"deberta: exponent of time",
	 "its terms are whole matrices, more than a GB at 4096 tokens, which come from memory"},
	{"fire: exponent of time",
	 "its terms are whole matrices, more than a GB at 4096 tokens, which come from memory"},
	{"t5: exponent of time", "between 0.04 and 0.17 from run to run"},
	{"t5, n 64, beside float64", "between 1.45 and 2.1 from run to run"},
	{"deberta, n 64, beside float64", "between 1.3 and 2.1 from run to run"},
	{"layer none, n 64", "between 1.38 and 1.55 from run to run"},
	{"layer none, n 2048", "between 1.06 and 1.17 from run to run"},
	{"all of layers of",
	 "feed-forward blocks of 4 times 64 sentences of 32 rows are 38 %, 14 % of all for packing their "
	 "weights for so few rows; the Cholesky factors, more than 40 a ridge regression, are 29 %"},
	{"all of map of",
	 "the processor takes 70 s for more than 100 schemes; one part of 8 of them takes 44 s; copies "
	 "that dgemm makes of its factors are 36 % of all, its kernel 25 %"},
};

static const char *reason_for(const char *what)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(what, known[i].goal, strlen(known[i].goal)) == 0)
			return known[i].reason;
	return "not profiled";
}

static void judge(double value, const char *sign, double goal, bool met, const char *format,
		  va_list rest)
{
	printf("  %s %g %s", sign, goal, met ? "met" : "MISSED");
	goals.met += met;
	if (met || goals.missed == MISSED_MAX)
		return;
	char what[LINE / 2];
	vsnprintf(what, sizeof what, format, rest);
	snprintf(goals.line[goals.missed++], LINE, "%-40s %8.3g, not %s %g", what, value, sign,
		 goal);
}

void goal_at_most(double value, double goal, const char *format, ...)
{
	va_list rest;
	va_start(rest, format);
	judge(value, "≤", goal, value <= goal, format, rest);
	va_end(rest);
}

void goal_at_least(double value, double goal, const char *format, ...)
{
	va_list rest;
	va_start(rest, format);
	judge(value, "≥", goal, value >= goal, format, rest);
	va_end(rest);
}

void goals_sum_up(void)
{
	printf("\n%zu goals met, %zu missed%s\n", goals.met, goals.missed, goals.missed ? ":" : "");
	for (size_t i = 0; i < goals.missed; i++)
		printf("  %s\n    %s\n", goals.line[i], reason_for(goals.line[i]));
}
