/* help_peak.c: see help_peak.h. */
#include <stdio.h> /* defines __GLIBC__, as any of them does */
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "help_peak.h"

/* The pages of files that the process reads lie in memory as long as the kernel likes, and count for nothing. */
size_t help_peak(void)
{
	char line[128];
	size_t most = 0, files = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmHWM: %zu kB", &most) != 1)
			sscanf(line, "RssFile: %zu kB", &files);
	if (f)
		fclose(f);
	return (most - files) * 1024;
}

/* What the parent freed lies in the child too and would be taken again unseen: it goes back to the system,
 * and the peak begins anew where the kernel can do that. It may give pages of 2 MB for a few numbers, sometimes: not
 * to this process. */
size_t help_peak_from_here(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
#ifdef PR_SET_THP_DISABLE
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
	FILE *f = fopen("/proc/self/clear_refs", "w");
	if (f) {
		fputs("5", f);
		fclose(f);
	}
	return help_peak();
}
