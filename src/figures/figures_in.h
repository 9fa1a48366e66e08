/* figures_in.h: what the view Figures keeps of a figure: the figure itself, in no colours yet. */
#ifndef POSVIZ_FIGURES_IN_H
#define POSVIZ_FIGURES_IN_H

#include "posviz/figures/source_figure.h"
#include "posviz/view/view.h"

extern const struct view view_figures;

struct figures_kept {
	const struct source_figure *is;
	struct figure figure;
	struct numbers numbers;
	const char *why; /* it could not be computed; NULL: it was */
};

#endif
