/* picture.h: all views, and the one way from a scene to the figure of the view that it names. */
#ifndef POSVIZ_PICTURE_H
#define POSVIZ_PICTURE_H

#include "posviz/view/run.h"

extern const struct view *const views[]; /* ends with NULL */
size_t view_count(void);
size_t view_index(const struct view *view);
const struct view *view_find(const char *name);
/* That of a scene; a view of nothing where it names none. */
const struct view *view_of(const struct scene *scene);
/* Scenes take any name for their view and colour map: whether there are such. */
bool view_names_known(const struct scene *scene, struct err *err);

/* True where the head, the layer, the cell and the pair that the scene names are there, and compared_params holds. The
 * error names the first that is not, and its range. */
bool view_fits(const struct scene *scene, const struct built *b, struct err *err);
/* Moves the cell of a scene that lies outside of a matrix of these sizes to its last row, its last column. */
void view_settle_cell(struct scene *scene, size_t rows, size_t cols);

/* ---- a picture: the setup is built, what the scene's view wants is computed, its figure is made ---- */

/* The numbers, of a picture whose `built` is there and the rest zero. Results live in `a`. */
bool picture_compute(const struct scene *scene, struct cache *cache, struct watch *watch,
		     struct arena *a, struct picture *p, struct err *err);
/* The same, but of a table or map of schemes at most so many are measured that the cache does not know, and with
 * a cache the row of the scheme that is looked at; of lengths about as much work; of costs, which take longer, one at
 * most. Their passes are run for a watch with a clock alone. */
bool picture_compute_part(const struct scene *scene, size_t most, struct cache *cache,
			  struct watch *watch, struct arena *a, struct picture *p, struct err *err);
/* The measures that its panels say, as bits (enum measured). */
unsigned picture_measures(const struct picture *p);

/* Its figure, also anew where but cursor, colours or measures changed. `measures` NULL: without. False:
 * the view has no panel of the scene's names; all of it is there. */
bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    enum background background, struct arena *a, struct picture *p,
		    struct err *err);
/* The same with what its panels say of measures, which is measured for it. */
bool picture_measured(const struct scene *scene, enum background background, struct cache *cache,
		      struct watch *watch, struct arena *a, struct picture *p, struct err *err);
/* The whole way, setup, numbers and figure. */
bool picture_make(const struct scene *scene, const struct measures *measures, bool stale,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, struct err *err);
/* The same as versions drew it that called what is compared by its expression, files too, and showed a matrix for each
 * head and layer that a file lacks: a picture of theirs carries numbers of these names. */
bool picture_make_earlier(const struct scene *scene, enum background background,
			  struct cache *cache, struct arena *a, struct picture *out,
			  struct err *err);
/* How many of the scheme's vectors its view Vectors can show; 0: it is another view. */
size_t picture_vectors(const struct scene *scene, const struct picture *p);
/* Only the cursor moved: of the same picture, at once. False when its view needs more than that. */
bool picture_cursor(const struct scene *scene, struct picture *p);

/* The schemes that its rows are, as view_rows; *n 0: rows of this view are tokens, or it was not computed. */
size_t picture_rows(const struct scene *scene, struct picture *p, struct arena *a,
		    struct view_row **rows, size_t *n);

/* The numbers of views: of these names, parted by commas; "all" of them, "quick": all that do not take
 * long, "none". Each is computed as its view would be shown in this scene. False: cancelled, or what one
 * needs does not fit in memory. */
bool view_numbers(const struct scene *scene, const char *names, const struct built *b,
		  struct cache *cache, struct watch *watch, struct arena *a, struct numbers *out,
		  struct err *err);
/* True where view_numbers knows these names. */
bool view_numbers_known(const char *names, struct err *err);

#endif
