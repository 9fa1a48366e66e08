/* run.h: one view of a scene: what it wants is computed, and its figure is drawn. Of the view that the scene itself
 * names: picture.h. */
#ifndef POSVIZ_VIEW_RUN_H
#define POSVIZ_VIEW_RUN_H

#include "posviz/view/view.h"

/* The results of a view of a scene, which live in the arena that they were made in. */
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
	struct cost cost;
	size_t unmeasured; /* schemes, lengths or costs to come: struct job */
	const void *kept;
	bool earlier; /* drawn as by picture_make_earlier */
	struct figure figure;
};

/* A view to be computed of a scene, where its results lie and what may stop it. */
struct job {
	const struct scene *scene;
	const struct view *view;
	struct cache *cache;
	struct watch *watch;
	struct arena *a;
	size_t most; /* schemes to measure for a table or a map that the cache does not know, or as much work */
};
/* The numbers, of a picture whose `built` is there and the rest zero. */
bool view_compute(const struct job *j, struct picture *p, struct err *err);

/* The data of a picture that was computed for the view, without measures. */
struct view_data view_data_of(const struct view *view, const struct scene *scene,
			      struct picture *p);
/* The figure of data->view: the panels that the scene names, and what is said of these alone. False as figure_pick. */
bool view_draw(const struct view_data *data, struct arena *a, struct figure *out, struct err *err);
/* The picture's figure, with what the scene asks of every figure: its title, the presenter's words, no names. As
 * picture_redraw. */
bool view_redraw(const struct view *view, const struct scene *scene,
		 const struct measures *measures, bool stale, enum background background,
		 struct arena *a, struct picture *p, struct err *err);

/* True of a view that says nothing of the scene's matrix, whose keys are other tokens than its queries; and what
 * stands there then. */
bool view_has_no_say(const struct view *view, const struct scene *scene, const struct built *b);
const char *view_why_nothing(const struct view *view);

/* True where the view shows the scene's sweep; and, of sweep_fits, where it shows none that the scheme lacks. */
bool sweep_is_on(const struct view *view, const struct scene *scene);
bool sweep_fits(const struct view *view, const struct scene *scene, struct err *err);

#endif
