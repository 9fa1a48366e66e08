/* table_in.h: what the files of the view Table share. */
#ifndef POSVIZ_TABLE_IN_H
#define POSVIZ_TABLE_IN_H

#include "posviz/base/text.h"
#include "view_in.h"

/* Schemes of one number are one of the survey's groups, and in their order. */
double table_group(const struct scheme *s);

/* Whether the view shows the row, or may do so when it is measured. */
bool view_table_may_show(const struct scene *scene, const struct table_row *row, struct arena *a);

/* The card of a row: printed, made and measured side by side. */
void card_table_row(const struct view_data *data, const struct table_row *row, struct arena *a,
		    struct panel *panel);
/* Fills a panel with the results that were published about a scheme. */
void table_results(const char *id, struct arena *a, struct panel *panel);

#endif
