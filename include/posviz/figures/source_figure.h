/* source_figure.h: the figures and tables of the papers that the program stands on, drawn anew.
 *
 * Each is computed from schemes, or from stated parameters where the original shows what a trained model has
 * learned; its caption says which. Its numbers have names, and what the paper says of them, or what follows from its
 * formulas and the caption, is checked. */
#ifndef POSVIZ_SOURCE_FIGURE_H
#define POSVIZ_SOURCE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/math/numbers.h"
#include "posviz/plot/figure.h"
#include "posviz/scene/scene.h"

struct figure_item;

/* A figure as its script says, assets/figures/NAME.figure. */
struct source_figure {
	const char *name;   /* "survey-6" */
	const char *title;  /* "Dot products of sinusoids" */
	const char *source; /* "Dufter et al. 2022, Figure 6; Yan et al. 2019" */
	const char *shows;  /* what is seen, and what of it is as in the source: whole sentences */
	const char *made;   /* what is not the source's but made here, and how; NULL: nothing is */
	double width, height;		 /* of its page in pixels, unless a size is asked for */
	const struct figure_item *items; /* n_items: panels and numbers, in their order */
	size_t n_items;
	const char *const *expects; /* "dot.10 = 42.820", "rank <= 64"; n_expects */
	size_t n_expects;
	bool measured; /* some of its numbers are times: no two runs have the same */
};

/* In the order of the sources; NULL behind the last. */
const struct source_figure *source_figure_at(size_t i);
size_t source_figure_count(void);
/* Reads a script. Texts come from `a`; the error begins with "NAME.figure:LINE: ". */
bool source_figure_read(const char *name, const char *text, size_t len, struct arena *a,
			struct source_figure *out, struct err *err);
/* The error has a suggestion. */
const struct source_figure *source_figure_find(const char *name, struct err *err);

/* An expectation of its numbers, held against them. */
struct source_expect {
	const char *text;  /* as it stands there */
	const char *found; /* "42.82", or why there is none */
	bool holds;
};
/* Computes the figure that the scene names and checks it: out[*n] from `a`. False: it cannot be computed. */
bool source_figure_check(const struct scene *scene, struct cache *cache, struct watch *watch,
			 struct arena *a, struct source_expect **out, size_t *n, struct err *err);

#endif
