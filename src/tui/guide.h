/* guide.h: the first minute: a sentence on what is seen, and one key after the other. */
#ifndef POSVIZ_TUI_GUIDE_H
#define POSVIZ_TUI_GUIDE_H

#include <stdbool.h>

#include "posviz/scene/scene.h"

struct tui;

struct guide {
	struct scene first; /* its sentences are true of this scene alone */
	size_t kept;	    /* app->first_step as it was kept last */
	const char *order;  /* that a step has put the words in; NULL: none has */
};

/* Returns whether the picture of this scene is the first of all, which has no words that need an explanation. */
bool guide_is_plain(const struct tui *t, const struct scene *scene);
/* Leaves out of a figure made anew what the first picture does not have. */
void guide_figure(struct tui *t, const struct scene *scene);
/* Rows below the figure, of `room` rows and `cols` columns. */
int guide_rows(const struct tui *t, int cols, int room);
/* Ends the hints for good; false: there were none. */
bool guide_end(struct tui *t);

#endif
