/* painter.h: the thread that draws pages for the terminal, one at a time: the newest that is wanted. */
#ifndef POSVIZ_PAINTER_H
#define POSVIZ_PAINTER_H

#include "posviz/app/worker.h"

struct painter;

/* A byte is written to `bell` for each result. The thread begins with the first page. */
struct painter *painter_new(struct cache *cache, int bell);
void painter_free(struct painter *p);

void painter_submit(struct painter *p, const struct scene *scene, const char *format,
		    const struct write_look *look);
/* What is being drawn is wanted no longer. */
void painter_cancel(struct painter *p);
struct result *painter_take(struct painter *p);
bool painter_progress(struct painter *p, struct work_done *out); /* false: nothing is drawn */

#endif
