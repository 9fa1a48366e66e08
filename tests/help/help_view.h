/* help_view.h: scenes and figures for tests of views, and the rules that every figure must obey. */
#ifndef HELP_VIEW_H
#define HELP_VIEW_H

#include "posviz/picture/picture.h"

/* Returns the scene of these lines with this expression; fails the test if they are refused. */
struct scene help_scene(const char *expression, const char *lines);

/* Gives the view Learn 20 steps and one seed. */
void help_train_briefly(struct scene *s);

/* Returns "view NAME", with settings that keep slow views short. */
const char *help_view(struct arena *a, const char *name);

/* Returns the scene's picture, without measures, in `a`. */
struct picture *help_picture(struct arena *a, const char *expression, const char *lines);

/* Returns the panel with this title on paper; fails the test if there is none. */
const struct panel *help_panel(const struct figure *f, const char *title);

/* Returns the panel of this name; NULL if there is none. */
const struct panel *help_named_panel(const struct figure *f, const char *name);

/* Returns the number of this name; fails the test if there is none. */
const struct number *help_number(const struct numbers *all, const char *name);

/* Returns whether "nan" is a word of the text; inside a name it does not count. */
bool help_has_nan(const char *text);

/* Checks that every word can be shown, that numbers of heatmaps, bars and curves are numbers
 * wherever they are shown, and that cursors and links are inside. */
void help_figure_is_sound(struct arena *a, const struct figure *f, const char *where);

#endif
