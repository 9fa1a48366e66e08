/* places.h: the directories in which the program keeps things between sessions. */
#ifndef POSVIZ_PLACES_H
#define POSVIZ_PLACES_H

#include <stdbool.h>

#include "posviz/base/arena.h"

/* Return $XDG_CONFIG_HOME/posviz and $XDG_STATE_HOME/posviz, by default ~/.config/posviz and
 * ~/.local/state/posviz; NULL if the environment names no home. */
const char *places_config(struct arena *a);
const char *places_state(struct arena *a);

struct scene;
/* Returns whether the model that a scene shows was opened out of its training (the command trained). */
bool places_is_trained(const struct scene *scene);
/* Keeps other processes from removing the trained models whose files a scene reads, as long as this one runs. */
void places_hold(const struct scene *scene);

#endif
