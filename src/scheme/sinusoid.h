/* sinusoid.h: rows of sines and cosines of a position, for every scheme that uses them.
 *
 * Two layouts and two rules of frequencies are in use and give incompatible numbers; a scheme
 * selects its own. Pair i of `width` columns has frequency w_i, and holds sin(p w_i) and cos(p
 * w_i). */
#ifndef SCHEME_SINUSOID_H
#define SCHEME_SINUSOID_H

#include <stddef.h>

#include "posviz/math/mat.h"
#include "posviz/scheme/scheme.h"

enum sinusoid_layout {
	SINUSOID_INTERLEAVED, /* sin, cos, sin, cos, … (Vaswani et al., survey eq. 21) */
	SINUSOID_CONCAT,      /* all sines, then all cosines (tensor2tensor, Transformer-XL) */
};

enum sinusoid_freq {
	SINUSOID_PAPER, /* w_i = base^(-2i/width) */
	SINUSOID_T2T,	/* w_i = base^(-i/(width/2-1)): the last is exactly 1/base */
};

extern const char *const sinusoid_layout_names[]; /* interleaved concat, ends with NULL */
extern const char *const sinusoid_freq_names[];	  /* paper t2t, ends with NULL */

/* Encodes positions[t], any real number, in row t of out [n, width]. An odd width has one more
 * column: by the paper's rule the sine of one more pair, in tensor2tensor a zero at the end. */
void sinusoid_fill(struct mat out, const double *positions, enum sinusoid_layout layout,
		   enum sinusoid_freq freq, double base);

/* Returns [2r+1, width], base 10000: row i is that of the distance i - r. */
struct mat sinusoid_distances(struct arena *a, long r, size_t width, enum sinusoid_layout layout,
			      enum sinusoid_freq freq);

/* The user's choices for a scheme made of sinusoids; the first member of its parameters. */
struct sinusoid_param {
	int layout, freq; /* enum sinusoid_layout, enum sinusoid_freq */
	double base;
	long start;
};

/* The rows for them in a table of parameters, with the scheme's own defaults. */
/* clang-format off */
#define SINUSOID_SHAPE_PARAMS(layout_def, freq_def) \
	CHOICE_PARAM(struct sinusoid_param, layout, layout_def, sinusoid_layout_names, \
		     "order of the columns: sines and cosines in turn, or one block of each"), \
	CHOICE_PARAM(struct sinusoid_param, freq, freq_def, sinusoid_freq_names, \
		     "frequencies: the paper's B^(-2i/d), or tensor2tensor's B^(-i/(d/2-1))")

#define SINUSOID_BASE_PARAM \
	RATIO_PARAM(struct sinusoid_param, base, 10000, 1, 1e300, 10, \
		    "B: the slowest column rotates about B times slower than the fastest")

#define SINUSOID_START_PARAM(start_def) \
	NUMBER_PARAM(struct sinusoid_param, start, start_def, 0, 2, 1, \
		     "number of the first position: 0, the survey's 1, or fairseq's 2")

#define SINUSOID_PARAMS(layout_def, freq_def, start_def) \
	SINUSOID_SHAPE_PARAMS(layout_def, freq_def), SINUSOID_BASE_PARAM, \
	SINUSOID_START_PARAM(start_def)
/* clang-format on */

/* Returns a constant of the run, [n,d]: row t encodes positions[t] + p->start. */
struct node *sinusoid_node(struct run *run, const double *positions,
			   const struct sinusoid_param *p);
/* Returns the same for m's column; m's parameters begin with a struct sinusoid_param. */
struct node *sinusoid_table(struct run *run, const struct member *m, struct err *err);

/* X = U + P: adds to the token vectors the part "position" that `build` makes, cached under this
 * name. */
bool sinusoid_add(struct run *run, const struct member *m, const char *name,
		  struct node *(*build)(struct run *run, const struct member *m, struct err *err),
		  struct err *err);

#endif
