/* tex.h: panels in LaTeX: the text that is being written, and how words, numbers
 * and colours are written in it. */
#ifndef POSVIZ_TEX_H
#define POSVIZ_TEX_H

#include "plot/equation.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

/* What words need besides pdflatex as it is. */
enum tex_needs { TEX_PLAIN, TEX_T1, TEX_UNICODE };

struct export_tex;

struct tex {
	struct strbuf out;
	struct arena *a;
	const struct export_tex *look;
	/* What LaTeX will take, in points, as far as it can be known here: of the line, of a letter; 0: as high
	 * as needed. */
	double width, height, letters;
	enum tex_needs needs;
	const char *needs_in; /* the first text that does */
	bool groups;	      /* it has a groupplot */
};

/* tex_text.c */
/* Escaped text as LaTeX has it; signs that no font of text has are mathematics. */
const char *tex_text(struct tex *t, const char *text);
/* Of an axis: its letters are variables, "key minus query, $s-t$". */
const char *tex_title(struct tex *t, const char *title);
/* A formula, without dollars. */
const char *tex_formula(struct tex *t, const char *formula);
/* The width of a text in points, about. */
double tex_width(const struct tex *t, const char *text);
/* The shortest decimal that is `value`; "nan" for what is no number. */
const char *tex_number(struct arena *a, double value);
/* Labels of ticks at these places: the list of places, and that of labels. */
void tex_ticks(struct tex *t, const char *axis, const double *at, const char *const *labels,
	       size_t n);
/* Sets box `number` to the widest of the texts. */
void tex_widest(struct tex *t, int number, const char *const *texts, size_t n);
/* The same in bold. */
void tex_widest_bold(struct tex *t, int number, const char *const *texts, size_t n);

/* tex_matrix.c */
enum { TEX_CELLS = 64 }; /* rows or columns: TeX's memory ends soon after */
bool tex_matrix_fits(const struct heatmap *h);
void tex_matrix(struct tex *t, const struct heatmap *h);
/* A cell in points, about, where so many matrices stand side by side. */
double tex_matrix_cell(const struct tex *t, const struct heatmap *h, size_t across);
/* The colours of all maps of a figure, by their names. */
void tex_colormaps(struct tex *t, const struct figure *f);

/* tex_bar.c */
/* What shows the colours of a matrix below it, as options of its axis; `width` is a length of TeX. */
void tex_bar(struct tex *t, const struct heatmap *h, const char *width, double points);
/* The same alone, a picture of its own. */
void tex_bar_alone(struct tex *t, const struct heatmap *h, const char *width, double points);
const char *tex_colormap_name(struct arena *a, const struct heatmap *h);

/* tex_row.c */
void tex_equation(struct tex *t, const struct figure *f);
bool tex_multiples_fit(const struct multiples *m);
void tex_multiples(struct tex *t, const struct panel *p);

/* tex_cells.c */
/* The cells of a matrix and what is drawn over them, in an axis that is open. */
void tex_cells(struct tex *t, const struct heatmap *h, double cell);
/* Limits and colours of an axis that holds them. */
void tex_cells_axis(struct tex *t, const struct heatmap *h);
/* Labels of its rows or columns for cells of so many points. */
struct tex_side {
	size_t n;
	double *at;
	const char **text;
	bool numbers;
	double width; /* of the widest, about */
};
struct tex_side tex_side(struct tex *t, const char *const *labels, size_t n, double cell);

/* tex_curves.c */
enum { TEX_SERIES = 6 };    /* colours of the palette */
enum { TEX_POINTS = 4000 }; /* of all curves of a panel */
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
