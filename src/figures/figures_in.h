/* figures_in.h: what the view Figures keeps of a figure: the figure itself, in no colours yet. */
#ifndef POSVIZ_FIGURES_IN_H
#define POSVIZ_FIGURES_IN_H

#include "posviz/figures/source_figure.h"
#include "posviz/view/view.h"

extern const struct view view_figures;

struct arena;
struct view_data;

struct figures_kept {
	const struct source_figure *is;
	struct figure figure;
	struct numbers numbers;
	const char *why; /* it could not be computed; NULL: it was */
};

/* Panels and numbers of a figure, for a picture of that data. */
void figure_make(const struct view_data *d, const struct source_figure *is, struct arena *a,
		 struct figures_kept *out);
/* [is->n_expects], held against its numbers. */
struct source_expect *figure_expects(const struct figures_kept *kept, struct arena *a);

#endif
