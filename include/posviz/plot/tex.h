/* tex.h: panels in LaTeX: the text that is being written, and the form of words, numbers and
 * colours in it. */
#ifndef POSVIZ_TEX_H
#define POSVIZ_TEX_H

#include "posviz/plot/equation.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

/* The features of LaTeX that words need besides plain pdflatex. */
enum tex_needs { TEX_PLAIN, TEX_T1, TEX_UNICODE };

struct export_tex;

struct tex {
	struct strbuf out;
	struct arena *a;
	const struct export_tex *look;
	/* Sizes in points, as far as they can be known here: the width of a line, the height, the
	 * size of letters; height 0: as high as needed. */
	double width, height, letters;
	enum tex_needs needs;
	const char *needs_in; /* the first text that needs it */
	bool groups;	      /* it contains a groupplot */
	bool leftwards;	      /* it contains words that are written from right to left */
};

/* tex_text.c */
/* Returns text escaped for LaTeX; characters that text fonts lack are set in mathematics. */
const char *tex_text(struct tex *t, const char *text);
/* Returns the title of an axis, with its variables in mathematics: "key minus query, $s-t$". */
const char *tex_title(struct tex *t, const char *title);
/* Returns a formula without dollars. */
const char *tex_formula(struct tex *t, const char *formula);
/* Estimates the width of a text in points. */
double tex_width(const struct tex *t, const char *text);
/* Returns the shortest decimal for `value`; "nan" if it is not finite. */
const char *tex_number(struct arena *a, double value);
/* Writes the ticks of an axis: the list of their positions, and that of their labels. */
void tex_ticks(struct tex *t, const char *axis, const double *at, const char *const *labels,
	       size_t n);
/* Sets TeX's box `number` to the widest of the texts. */
void tex_widest(struct tex *t, int number, const char *const *texts, size_t n);
/* The same in bold. */
void tex_widest_bold(struct tex *t, int number, const char *const *texts, size_t n);

/* tex_matrix.c */
enum { TEX_CELLS = 64 }; /* most rows or columns; TeX's memory ends soon after */
bool tex_matrix_fits(const struct heatmap *h);
void tex_matrix(struct tex *t, const struct heatmap *h);
/* Estimates the side of a cell in points if `across` matrices are side by side. */
double tex_matrix_cell(const struct tex *t, const struct heatmap *h, size_t across);
/* Defines the colour maps of all matrices of a figure, by their names. */
void tex_colormaps(struct tex *t, const struct figure *f);

/* tex_bar.c */
/* Writes the colour bar below a matrix as options of its axis; `width` is a length of TeX, and
 * `points` its estimated value. */
void tex_bar(struct tex *t, const struct heatmap *h, const char *width, double points);
/* Writes the bar as a picture of its own. */
void tex_bar_alone(struct tex *t, const struct heatmap *h, const char *width, double points);
const char *tex_colormap_name(struct arena *a, const struct heatmap *h);

/* tex_row.c */
void tex_equation(struct tex *t, const struct figure *f);
bool tex_multiples_fit(const struct multiples *m);
void tex_multiples(struct tex *t, const struct panel *p);

/* tex_cells.c */
/* Writes the cells of a matrix and the marks over them, in an open axis. */
void tex_cells(struct tex *t, const struct heatmap *h, double cell);
/* Writes limits and colours of an axis for cells. */
void tex_cells_axis(struct tex *t, const struct heatmap *h);
/* The labels of rows or columns for cells of this many points. */
struct tex_side {
	size_t n;
	double *at;
	const char **text;
	bool numbers;
	double width; /* estimated width of the widest */
};
struct tex_side tex_side(struct tex *t, const char *const *labels, size_t n, double cell);

/* tex_curves.c */
enum { TEX_SERIES = 6 };    /* number of colours in the palette */
enum { TEX_POINTS = 4000 }; /* most points of all curves of a panel */
bool tex_curves_fit(const struct curves *c);
void tex_curves(struct tex *t, const struct curves *c);

/* tex_places.c */
void tex_dials(struct tex *t, const struct dials *d);
bool tex_plane_fits(const struct plane *p);
void tex_plane(struct tex *t, const struct plane *p);

/* tex_sums.c */
void tex_columns(struct tex *t, const struct columns *c);
void tex_bars(struct tex *t, const struct bars *b);
void tex_waterfall(struct tex *t, const struct waterfall *w);

#endif
