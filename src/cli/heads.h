/* heads.h: what the files of the sub-command heads share. */
#ifndef CLI_HEADS_H
#define CLI_HEADS_H

#include "posviz/analysis/profile_columns.h"
#include "report.h"

/* A measured model, and its name. */
struct heads_measured {
	const char *name;
	struct setup setup;
	struct profile_run run;
	struct profile *profile;
	struct profile_head *heads; /* [layers · heads] */
	size_t windows;
};

/* heads_tell.c: tells the results of a model; with another one (NULL: none) their differences. */
bool heads_tell(struct cli *c, const struct heads_measured *of, const struct heads_measured *other,
		struct err *err);
/* Returns the heads that the filter leaves, [*n], in the order of --profile-sort, which is that of layers if it was
 * not given. `sizes` as in profile_order. */
size_t *heads_order(const struct cli *c, const struct heads_measured *of,
		    const struct profile_head *heads, bool sizes, struct arena *a, size_t *n);
/* heads_page.c: writes a page of all kernels. */
bool heads_page(struct cli *c, const struct heads_measured *of, const struct heads_measured *other,
		struct err *err);

#endif
