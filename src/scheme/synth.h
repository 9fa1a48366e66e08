/* synth.h: the parts that the Synthesizers of Tay et al. 2021 share: logits that are not the
 * product of queries and keys.
 *
 * Tables are made for positions below t_max; an input reads the rows and columns of its
 * positions. As in mesh_tensorflow a table for all heads is [rows, h·t_max], head i in columns
 * i·t_max... */
#ifndef SCHEME_SYNTH_H
#define SCHEME_SYNTH_H

#include "scheme/leaves.h"
#include "scheme/places.h"

/* clang-format off */
/* TensorFlow's default for a variable of [t_max, h, t_max]. */
#define SYNTH_GLOROT {FILL_UNIFORM, .formula = "sqrt(6 / (t_max * (h + t_max)))"}
/* A table of pairs of positions, whose standard deviation is the logit of content. */
#define SYNTH_TABLE(there) \
	{"r", "t_max, h t_max", "row t, column s: the logits of that pair; heads side by side", \
	 .by_layer = EACH_LAYER, .when = there, \
	 .demo = {FILL_UNIFORM, .formula = "sqrt(3) * content"}, .paper = SYNTH_GLOROT}

#define SYNTH \
	.authors = "Tay et al.", \
	.cite = "@tay2021synthesizer", \
	.year = 2021, .ref = REF_ABSOLUTE, .inj = INJ_MATRIX, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY
#define SYNTH_MESH "tensorflow/mesh, transformer/attention.py, synthetic_attention"
/* clang-format on */

#endif
