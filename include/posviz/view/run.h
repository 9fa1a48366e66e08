/* run.h: computes the results that a view of a scene needs, and draws its figure. picture.h does
 * the same for the view that the scene itself names. */
#ifndef POSVIZ_VIEW_RUN_H
#define POSVIZ_VIEW_RUN_H

#include "posviz/view/view.h"

/* The results of a view of a scene. They live in the arena in which they were made. */
struct picture {
	struct built built;
	struct trace trace;
	struct twin twin;
	struct distances by_distance;
	struct view_split split;
	struct compared compared[COMPARE_MAX];
	size_t n_compared;
	struct compared *swept;
	size_t n_swept;
	struct table_row *table;
	size_t n_table;
	struct lengths lengths;
	struct lengths_laid *laid;
	size_t n_laid;
	struct cost cost;
	size_t unmeasured; /* number of schemes, lengths or costs not yet measured: struct job */
	const void *kept;
	bool earlier; /* the figure is drawn as by picture_make_earlier */
	struct figure figure;
};

/* The scene and the view to compute, the memory for the results, and the watch that may cancel. */
struct job {
	const struct scene *scene;
	const struct view *view;
	struct cache *cache;
	struct watch *watch;
	struct arena *a;
	/* The largest number of schemes to measure for a table or a map that the cache does not
	 * have, or as much work. */
	size_t most;
};
/* Computes the results that the view needs, in a picture with `built` set and all else zero. */
bool view_compute(const struct job *j, struct picture *p, struct err *err);

/* Returns the data for drawing a computed picture, without measures. */
struct view_data view_data_of(const struct view *view, const struct scene *scene,
			      struct picture *p);
/* Draws the figure of data->view with only the panels that the scene names, and with the words
 * that belong to these. False: one of the names is no panel, as in figure_pick. */
bool view_draw(const struct view_data *data, struct arena *a, struct figure *out, struct err *err);
/* Draws the picture's figure anew, with everything that a scene can request for any figure:
 * title, presenter's words, hidden names. `measures` and errors are as in picture_redraw. */
bool view_redraw(const struct view *view, const struct scene *scene,
		 const struct measures *measures, bool stale, enum background background,
		 struct arena *a, struct picture *p, struct err *err);

/* view_has_no_say returns whether the view shows nothing for this scene, because its keys are
 * other tokens than its queries. view_why_nothing returns the sentence that is shown instead. */
bool view_has_no_say(const struct view *view, const struct scene *scene, const struct built *b);
const char *view_why_nothing(const struct view *view);

/* sweep_is_on returns whether the view shows the scene's sweep. sweep_fits returns false if that
 * sweep is of a parameter that the scheme does not have. */
bool sweep_is_on(const struct view *view, const struct scene *scene);
bool sweep_fits(const struct view *view, const struct scene *scene, struct err *err);

#endif
