/* layers_in.h: layers_ways.c makes the models, layers_run.c the rows h_t, layers.c the probes on
 * them. */
#ifndef POSVIZ_LAYERS_IN_H
#define POSVIZ_LAYERS_IN_H

#include "measure_in.h"
#include "posviz/analysis/layers.h"

/* A model with its members; contains pointers into itself, so it must not be copied. */
struct layers_model {
	struct member members[MODEL_MAX_MEMBERS];
	size_t n;
	struct model model;
};

/* Builds the scene's model, with at least LAYERS_DEPTH layers if possible. */
bool layers_as_is(const struct layers_of *of, struct layers_model *out, struct arena *a,
		  struct err *err);
/* Builds another variant of it and fills in label and words. False: there is none, for the
 * reason way->why. */
bool layers_other_way(const struct layers_model *as_is, enum layers_way_kind kind,
		      struct layers_model *out, struct layers_way *way, struct arena *a);
/* Returns the layer, from 0, whose residual is dropped: the third of five, as in resdrop. */
size_t layers_middle(const struct model *model);

/* Rows of all sentences after each layer, the rows of a sentence together. */
struct layers_rows {
	size_t layers;			/* steps of the model */
	size_t units, n;		/* rows of a sentence, of all */
	size_t allowed;			/* pairs that are allowed, over all heads and layers */
	struct mat at[LAYERS_MOST + 1]; /* [n, d] */
	double *target;			/* [n] */
};

struct layers_ground {
	const struct layers_of *of;
	struct ground on;
	struct mat words; /* from which words are drawn */
	const char *column;
};
void layers_ground(const struct layers_of *of, struct arena *a, struct layers_ground *out);
bool layers_run(const struct layers_ground *g, const struct model *model, struct arena *a,
		struct layers_rows *out, struct err *err);
/* Fills out[model->n_steps + 1]; *why: there is no other order. */
bool layers_equivariance(const struct layers_ground *g, const struct model *model, double *out,
			 const char **why, struct err *err);

#endif
