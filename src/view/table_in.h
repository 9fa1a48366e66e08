/* table_in.h: declarations shared by the files of the view Table. */
#ifndef POSVIZ_TABLE_IN_H
#define POSVIZ_TABLE_IN_H

#include "posviz/base/text.h"
#include "view_in.h"

/* Returns a number that is the same for all schemes of one group of the survey, and grows in the
 * order of its groups. */
double table_group(const struct scheme *s);

/* Returns whether the view shows the row, or might show it after it is measured. */
bool view_table_may_show(const struct scene *scene, const struct table_row *row, struct arena *a);

/* Returns whether the row was measured as the survey says; NULL: it is still to be measured. */
const char *table_said(const struct table_row *row, struct arena *a);
/* Fills a card for a row: printed, computed and measured properties side by side. */
void card_table_row(const struct view_data *data, const struct table_row *row, struct arena *a,
		    struct panel *panel);
/* Fills a panel with the results that were published about a scheme. */
void table_results(const char *id, struct arena *a, struct panel *panel);

#endif
