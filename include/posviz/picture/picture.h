/* picture.h: all views, and the one way from a scene to the figure of its view. */
#ifndef POSVIZ_PICTURE_H
#define POSVIZ_PICTURE_H

#include "posviz/view/run.h"

extern const struct view *const views[]; /* ends with NULL */
size_t view_count(void);
size_t view_index(const struct view *view);
const struct view *view_find(const char *name);
/* Returns the view of a scene; if the name is unknown, an empty view. */
const struct view *view_of(const struct scene *scene);
/* False if the scene's view or colour map is unknown: the fields accept any name. */
bool view_names_known(const struct scene *scene, struct err *err);

/* True if the scene's head, layer, cell and pair exist, and compared_params holds. The error names
 * the first that does not, and its range. */
bool view_fits(const struct scene *scene, const struct built *b, struct err *err);
/* Moves a cell outside of matrices of these sizes to the last row and column. */
void view_settle_cell(struct scene *scene, size_t rows, size_t cols);

/* ---- a picture: the setup is built, the view's numbers are computed, its figure is made ------ */

/* Computes the numbers of a picture whose `built` is filled in and the rest zero. Results live in
 * `a`. */
bool picture_compute(const struct scene *scene, struct cache *cache, struct watch *watch,
		     struct arena *a, struct picture *p, struct err *err);
/* The same in part: of the schemes in a table or map, at most `most` that the cache does not know
 * are measured, and with a cache the present scheme; for lengths about as much work; of costs,
 * which take longer, at most one, and only for a watch with a clock. */
bool picture_compute_part(const struct scene *scene, size_t most, struct cache *cache,
			  struct watch *watch, struct arena *a, struct picture *p, struct err *err);
/* Returns the measures in the panels, as bits (enum measured). */
unsigned picture_measures(const struct picture *p);

/* Makes the figure, also again if only cursor, colours or measures changed. `measures` NULL: none.
 * False: the view has no panel of the scene's names, and the figure has all of them. */
bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    enum background background, struct arena *a, struct picture *p,
		    struct err *err);
/* The same with the measures of its panels, which are computed here. */
bool picture_measured(const struct scene *scene, enum background background, struct cache *cache,
		      struct watch *watch, struct arena *a, struct picture *p, struct err *err);
/* Builds the setup, computes the numbers and makes the figure. */
bool picture_make(const struct scene *scene, const struct measures *measures, bool stale,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, struct err *err);
/* The same as earlier versions did it: they titled compared matrices by their expressions, also for
 * files, and showed a matrix for each head and layer that a file lacks. Their pictures contain
 * numbers under these titles. */
bool picture_make_earlier(const struct scene *scene, enum background background,
			  struct cache *cache, struct arena *a, struct picture *out,
			  struct err *err);
/* Returns how many of the scheme's tables the view Vectors can show; 0 for another view. */
size_t picture_vectors(const struct scene *scene, const struct picture *p);
/* Returns in row and col, from 1, the cell where the cursor begins. */
void picture_first_cell(const struct scene *scene, const struct picture *p, long *row, long *col);
/* Moves the cursor in the same picture, at once. False: the view needs more than that. */
bool picture_cursor(const struct scene *scene, struct picture *p);

/* Gets the schemes of the rows, and returns the cursor's row, as view_row functions do; *n 0: the
 * rows of this view are tokens, or it was not computed. */
size_t picture_rows(const struct scene *scene, struct picture *p, struct arena *a,
		    struct view_row **rows, size_t *n);

/* Returns the row that the cursor comes to in the plane of pane `pane`, as view_step; 0: none, or it is no plane. */
size_t picture_step(const struct scene *scene, struct picture *p, size_t pane, int right, int up);
/* Returns the number, from 1, of the head that is next in a panel; 0: the view has no heads to go through. */
size_t picture_walk(const struct scene *scene, struct picture *p, size_t pane, int right, int up);

/* Adds the numbers of views: of names separated by commas, "all", "quick" (all that do not take
 * long), or "none". Each is computed as its view would be shown in this scene. False: cancelled, or
 * a view needs more memory than allowed. */
bool view_numbers(const struct scene *scene, const char *names, const struct built *b,
		  struct cache *cache, struct watch *watch, struct arena *a, struct numbers *out,
		  struct err *err);
/* True if view_numbers knows these names. */
bool view_numbers_known(const char *names, struct err *err);

#endif
