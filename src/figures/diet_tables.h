/* diet_tables.h: tables P_Q and P_K of DIET-ABS whose product has a stated pattern, for figures that show what
 * trained ones have learned. */
#ifndef FIGURES_DIET_TABLES_H
#define FIGURES_DIET_TABLES_H

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"

struct diet_pattern {
	double shift, width; /* a query looks `shift` further on, with a Gaussian of this width */
	double gain;	     /* how high that is; below 0: it looks elsewhere */
	/* Row and column 0, which stand for [CLS]: what every query adds for that key, and what it adds as a
	 * query for every other key. */
	double to_cls, from_cls;
};

/* P_Q·P_Kᵀ of these: [n, n]. */
struct mat diet_scores(const struct diet_pattern *of, size_t n, size_t dp, struct arena *a);

struct fig;
/* A run with positions at the input as BERT has them, d 768 and 12 heads, on n equal words: its position vectors. */
const struct fig_run *diet_bert(struct fig *f, size_t n);

#endif
