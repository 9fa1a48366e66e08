/* first.h: what the very first start opens, and the few keys that it offers one after the other. */
#ifndef POSVIZ_APP_FIRST_H
#define POSVIZ_APP_FIRST_H

#include "posviz/scene/scene.h"

/* A stop on the way: a view, what is seen there, and the key that leads to the next stop. */
struct first_step {
	const char *view;
	const char *seen;	     /* one sentence, true of the first scene alone */
	const char *brief;	     /* the same where there is little room */
	const char *command, *offer; /* leads to the next step; what for. NULL: it is the last */
	const char *order;	     /* the order of the words there; NULL: as written */
};
extern const struct first_step first_steps[]; /* ends with view == NULL */

/* Panels of the first step, without the words of the cards; and where there are fewer rows than these. */
extern const char first_panels[], first_panels_few[];
enum { FIRST_PANELS_ROWS = 30 };

/* Sets the scene of a first start. Fields that it does not name have their defaults. */
void first_scene(struct scene *scene);
/* Returns the number of the step with this view, or that of the steps. */
size_t first_step_of(const char *view);
size_t first_step_count(void);

#endif
