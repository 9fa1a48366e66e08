/* profile_columns.h: the numbers of a head: columns of tables, axes of planes, words of filters and of quantities. */
#ifndef POSVIZ_PROFILE_COLUMNS_H
#define POSVIZ_PROFILE_COLUMNS_H

#include "posviz/analysis/profile_run.h"
#include "posviz/scene/profile_filter.h"

struct profile_column {
	const char *head;	  /* of a table */
	const char *axis, *brief; /* of a plane */
	const char *means;	  /* in a few words; NULL: the head says it */
	bool percent;		  /* a share, shown times 100 */
	enum profile_score score; /* PROFILE_SCORES: none */
	unsigned char priority;	  /* as in struct table */
};
extern const struct profile_column profile_columns[PROFILE_COLUMNS]; /* as profile_names */

/* Returns the number of head i of all, a share as a part of 1; NaN: it has none. */
double profile_value(const struct profile_sizes *z, const struct profile_head *heads, size_t i,
		     size_t column);
/* Returns it as a cell of a table: "43 %", "0.07*" with a star where the score stands out. */
const char *profile_text(const struct profile_sizes *z, const struct profile_head *heads, size_t i,
			 size_t column, struct arena *a);

/* Returns the numbers of the heads that the conditions leave, [*n], by a column: the largest first, of layer and head
 * the smallest; those without the number last; turned round if `descending`. `sizes`: the numbers are differences, and
 * a minus counts as a plus. */
size_t *profile_order(const struct profile_sizes *z, const struct profile_head *heads,
		      const struct scene *scene, size_t column, bool sizes, struct arena *a,
		      size_t *n);

/* Returns the head that is shown until one is chosen: the first in the order of the scene's column that the filter
 * leaves; SIZE_MAX: there is none. */
size_t profile_first(const struct profile_known *k, const struct scene *scene);

/* ---- two profiles (profile_compare.c) ------------------------------------------------------------ */

/* Refuses models of other layers or heads, or windows of another length, in one line. */
bool profile_comparable(const struct profile_sizes *a, const struct profile_sizes *b,
			const char *name, const char *other, struct err *err);
/* Returns the numbers of `to` minus those of `from`, [layers · heads]: `kernel` too, own_apart is how far the kernels
 * are apart, and a score stands out that differs by more than both its intervals. */
struct profile_head *profile_differences(const struct profile *p, const struct profile_head *from,
					 const struct profile_head *to, struct arena *a);
/* Writes sentences on what differs most, `by` these differences; returns how many. */
size_t profile_changes(const struct profile_sizes *z, const struct profile_head *from,
		       const struct profile_head *to, const struct profile_head *by,
		       struct arena *a, const char *out[PROFILE_FACTS]);

#endif
