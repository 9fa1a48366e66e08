/* view.h: from a scene and what was computed for it to a figure. Pure functions, one a view. */
#ifndef POSVIZ_VIEW_H
#define POSVIZ_VIEW_H

#include "posviz/analysis.h"
#include "posviz/figure.h"

/* What a view draws. `measures` may be NULL (not computed yet) or stale. */
struct view_data {
	const struct scene *scene;
	const struct built *built;
	const struct trace *trace;
	const struct distances *by_distance; /* of the bias, all heads; NULL: not wanted */
	const struct measures *measures;
	bool measures_stale;
	bool dark; /* background: chooses the diverging map */
};

struct view {
	const char *name, *title, *help;
	bool ready; /* false: announced in the menu, not chosen yet */
	unsigned (*wants)(const struct scene *scene); /* enum want_kind */
	bool by_distance;
	bool (*figure)(const struct view_data *data, struct arena *a, struct figure *out,
		       struct err *err);
};

extern const struct view views[]; /* ends with name == NULL */
const struct view *view_find(const char *name);

/* Evaluates what the scene's view wants and makes its figure: the one way from a scene to a picture.
 * `measures` NULL: without. Results live in `a`. */
struct picture {
	struct built built;
	struct trace trace;
	struct distances by_distance;
	struct figure figure;
};
bool picture_make(const struct scene *scene, const struct measures *measures, bool stale, bool dark,
		  struct cache *cache, const atomic_bool *cancel, struct arena *a,
		  struct picture *out, struct err *err);
/* Only the figure again (cursor, colours, measures changed). */
bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    bool dark, struct arena *a, struct picture *p, struct err *err);

/* "Why this cell?": the arithmetic of the cell under the cursor as lines of text. Needs a trace with
 * QKV, TERMS, LOGITS, MASK and WEIGHTS of the scene's head and layer. */
const char **view_why(const struct scene *scene, const struct built *b, const struct trace *trace,
		      struct arena *a, size_t *n);

#endif
