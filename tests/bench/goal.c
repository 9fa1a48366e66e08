/* goal.c: goals in one form, and at the end those that were missed. */
#include <stdarg.h>
#include <stdio.h>

#include "bench.h"

enum { MISSED_MAX = 400, LINE = 120 };

static struct {
	size_t met, missed;
	char line[MISSED_MAX][LINE];
} goals;

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
		printf("  %s\n", goals.line[i]);
}
