/* painter.h: the thread that draws pages for the terminal, one at a time: the newest requested
 * one. */
#ifndef POSVIZ_PAINTER_H
#define POSVIZ_PAINTER_H

#include "posviz/app/worker.h"

struct painter;

/* Writes a byte to `bell` for each result. The thread begins with the first page. */
struct painter *painter_new(struct cache *cache, int bell);
void painter_free(struct painter *p);

void painter_submit(struct painter *p, const struct scene *scene, const char *format,
		    const struct write_look *look);
/* Drops the running and the requested page. */
void painter_cancel(struct painter *p);
struct result *painter_take(struct painter *p);
bool painter_progress(struct painter *p, struct work_done *out); /* false: no page is running */

#endif
