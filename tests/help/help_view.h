/* help_view.h: scenes and figures for tests of views, and what every figure must keep. */
#ifndef HELP_VIEW_H
#define HELP_VIEW_H

#include "posviz/picture/picture.h"

/* The scene of these lines with this expression; fails the test when they are refused. */
struct scene help_scene(const char *expression, const char *lines);

/* "view NAME", and what keeps short what takes it long. */
const char *help_view(struct arena *a, const char *name);

/* Its picture, without measures, in `a`. */
struct picture *help_picture(struct arena *a, const char *expression, const char *lines);

/* The panel of this title on paper; fails the test when there is none. */
const struct panel *help_panel(const struct figure *f, const char *title);

/* The panel of this name; NULL: there is none. */
const struct panel *help_named_panel(const struct figure *f, const char *name);

/* The number of this name; fails the test when there is none. */
const struct number *help_number(const struct numbers *all, const char *name);

/* "nan" as a word of its own: it is part of names. */
bool help_has_nan(const char *text);

/* Every word can be shown; numbers of heatmaps, bars and curves are numbers wherever they are shown;
 * cursors and links lie inside. */
void help_figure_is_sound(struct arena *a, const struct figure *f, const char *where);

#endif
