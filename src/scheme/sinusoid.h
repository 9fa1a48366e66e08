/* sinusoid.h: rows of sines and cosines of a position, for every scheme that wants them.
 *
 * Two layouts and two rules of frequencies are in use and give incompatible numbers; a scheme says
 * which it means. Pair i of `width` columns turns with w_i, and holds sin(p w_i) and cos(p w_i). */
#ifndef SCHEME_SINUSOID_H
#define SCHEME_SINUSOID_H

#include "posviz/mat.h"
#include "posviz/model.h"

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

/* Row t of out [n, width] becomes the encoding of positions[t], any real number. An odd width leaves
 * one column over: the paper's rule gives it the sine of one more pair, tensor2tensor's a zero at
 * the end. */
void sinusoid_fill(struct mat out, const double *positions, enum sinusoid_layout layout,
		   enum sinusoid_freq freq, double base);

/* The same as a constant of the run, [n,d]: row t encodes positions[t] + start. */
struct node *sinusoid_node(struct run *run, const double *positions, double start,
			   enum sinusoid_layout layout, enum sinusoid_freq freq, double base);

#endif
