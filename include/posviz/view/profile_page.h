/* profile_page.h: the kernels of all heads of a model on one page, for a paper. */
#ifndef POSVIZ_PROFILE_PAGE_H
#define POSVIZ_PROFILE_PAGE_H

#include "posviz/analysis/profile_run.h"
#include "posviz/plot/figure.h"

struct profile_page {
	const struct profile_run *run;
	const struct profile_head *heads; /* [layers · heads] */
	size_t windows;
	const char *name;
	/* Another model of as many layers and heads, whose kernels are drawn quietly; NULL: the scheme's own are. */
	const struct profile_head *other;
	const char *other_name;
	const size_t *shown; /* [n] the heads that are on the page */
	size_t n;
	const char *command; /* that makes the page; NULL: none */
};

/* Makes the figure. A page that has all heads of several layers is a grid, a row for each layer. */
void profile_page_figure(const struct profile_page *of, struct arena *a, struct figure *out);

#endif
