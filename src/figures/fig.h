/* fig.h: what the figures of the sources are made with: runs of scenes of their own, and panels on the page's
 * grid. A figure's function is called once for a picture, off the terminal's thread; colours follow the
 * background later. */
#ifndef POSVIZ_FIG_H
#define POSVIZ_FIG_H

#include "posviz/figures/source_figure.h"
#include "view/view_in.h"

struct fig {
	const struct view_data
		*d; /* of the scene that shows the figure: sizes and colours of the page */
	struct arena *a;
	struct figure *out;
	struct numbers *numbers;
	/* Given by `draw NAME ARGUMENT` of the script: the lines of the scene in front of it, and the argument; "" for none. */
	const char *scene, *argument;
	const char *why; /* the first thing that could not be computed; NULL: all was */
};

/* ---- runs --------------------------------------------------------------------------------------- */

/* A scene of the figure's own, and what was computed for it. */
struct fig_run {
	struct scene scene;
	struct built built;
	struct trace trace;
	struct view_data d;
};
/* The scene of these lines over the defaults, as large as the scene that shows the figure may be, and in its colours. False:
 * the work does not go on. */
bool fig_scene(struct fig *f, const char *lines, struct scene *out);
/* Something could not be computed; the first reason stays. */
void fig_fail(struct fig *f, const char *why);
/* Lines of commands as scene_print writes them, over the defaults; `kinds` of all heads and layers. NULL: it
 * cannot be computed, and f->why says why. */
const struct fig_run *fig_run(struct fig *f, const char *lines, unsigned kinds);
/* "w w w …": a sentence of n equal tokens. */
const char *fig_words(struct fig *f, size_t n);
/* A matrix that a run kept beside its tensors, by its name in a dump, "member.rope.cos"; of WANT_KEPT. */
struct mat fig_kept(const struct fig_run *r, const char *name);
/* A learned parameter of the run's model by its base name, "p": the first that is called so. */
struct mat fig_leaf(const struct fig_run *r, const char *name);
/* The number that a scheme gives each pair before it is embedded; of WANT_RELATION. [n,n] */
struct mat fig_relation(struct fig *f, const struct fig_run *r);
/* Tells whether work is to go on: neither cancelled nor failed. */
bool fig_goes_on(const struct fig *f);

/* The grid has as many columns and rows as its panels take, all of the same width; rows of pictures are as
 * high as each other. A figure that wants it otherwise sets out->col_weight and row_weight. */

/* ---- panels ------------------------------------------------------------------------------------- */

/* The next panel, at a place of the grid: of `cols` columns from `col` on. `name` as figure_pick knows it;
 * `priority` as in struct panel. */
struct panel *fig_panel(struct fig *f, const char *name, const char *title, unsigned char row,
			unsigned char col, unsigned char cols, unsigned char priority);
/* The same with the panels of these names, parted by commas, of a view of a scene, side by side, `cols` columns
 * each. The first of them; NULL: f->why. */
struct panel *fig_take(struct fig *f, const struct view *view, const char *lines, const char *names,
		       unsigned char row, unsigned char col, unsigned char cols);

/* Makes it a matrix. `of` NULL: rows and columns are numbered from 1 unless the panel gets labels. It has
 * no cursor, for the figure's cells are not the scene's. */
void fig_map(struct fig *f, struct panel *p, const struct fig_run *of, struct mat m,
	     const struct paint *paint);
/* Adds a matrix to those side by side, which begin with a panel that is none yet; `title` is said over it. What
 * else it has, a curve or facts, is for the figure to fill in. */
struct multiple *fig_multiple(struct fig *f, struct panel *p, const char *title, struct mat m,
			      const struct paint *paint);
/* Labels of a matrix: "0" … n−1 from a first number on. */
const char *const *fig_count_from(struct fig *f, long first, size_t n);
/* Titles of a matrix's rows and columns, which are numbered from these numbers on; from 1 where numbers and
 * places are to be the same however small the matrix is. */
void fig_axes(struct fig *f, struct panel *p, const char *row_title, long first_row,
	      const char *col_title, long first_col);

/* Curves; fig_curve adds one. */
void fig_curves(struct fig *f, struct panel *p, const char *x_title, const char *y_title);
/* x[n], y[n] are not copied. What is returned may be changed until the next is added. */
struct series *fig_curve(struct fig *f, struct panel *p, const char *label, size_t n,
			 const double *x, const double *y);
/* first, first + step … */
const double *fig_steps(struct fig *f, double first, double step, size_t n);

struct results;
/* A published table (results_of), as a panel. */
void fig_results_table(struct fig *f, struct panel *p, const struct results *r);
/* A table of texts, cells[rows·cols]; columns behind the first `words` are numbers. */
void fig_table(struct fig *f, struct panel *p, const char *const *head, size_t cols,
	       const char *const *cells, size_t rows, size_t words);

/* ---- numbers ------------------------------------------------------------------------------------ */

/* A number of the figure by its name, for `expects` and dumps; and one of a series, "dot.10". */
void fig_number(struct fig *f, const char *name, double value, const char *means);

typedef void figure_draw(struct fig *f);
#define DRAW(id) figure_draw draw_##id;
#include "fig_list.h"
#undef DRAW

#endif
