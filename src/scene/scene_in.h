/* scene_in.h: checks of fields beyond their kind, used by the table of fields. */
#ifndef POSVIZ_SCENE_IN_H
#define POSVIZ_SCENE_IN_H

#include "posviz/scene.h"

extern const char *const scale_names[3];

bool check_special(const char **value, struct arena *a, struct err *err);
bool check_scheme(const char **value, struct arena *a, struct err *err);
bool check_map(const char **value, struct arena *a, struct err *err);
bool check_name(const char **value, struct arena *a, struct err *err);
bool check_colormap(const char **value, struct arena *a, struct err *err);

#endif
