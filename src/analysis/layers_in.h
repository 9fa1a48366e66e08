/* layers_in.h: layers_ways.c makes the models, layers_run.c the rows h_t, layers.c what is read off them. */
#ifndef POSVIZ_LAYERS_IN_H
#define POSVIZ_LAYERS_IN_H

#include "measure_in.h"
#include "posviz/analysis/layers.h"

/* Points into itself. */
struct layers_model {
	struct member members[MODEL_MAX_MEMBERS];
	size_t n;
	struct model model;
};

/* The scene's model, with at least LAYERS_DEPTH layers where it can have them. */
bool layers_as_is(const struct layers_of *of, struct layers_model *out, struct arena *a,
		  struct err *err);
/* Another way of it, with label and words. False: there is none, `way` says why. */
bool layers_other_way(const struct layers_model *as_is, enum layers_way_kind kind,
		      struct layers_model *out, struct layers_way *way, struct arena *a);
/* Whose residual is dropped, from 0: the third of five, as in resdrop. */
size_t layers_middle(const struct model *model);

/* Rows of all sentences after each layer, those of a sentence together. */
struct layers_rows {
	size_t layers;			/* steps of the model */
	size_t units, n;		/* rows of a sentence, of all */
	size_t allowed;			/* pairs that may see each other, of all heads and layers */
	struct mat at[LAYERS_MOST + 1]; /* [n, d] */
	double *target;			/* [n] */
};

struct layers_ground {
	const struct layers_of *of;
	struct ground on;
	struct mat words; /* that are drawn from */
	const char *column;
};
void layers_ground(const struct layers_of *of, struct arena *a, struct layers_ground *out);
bool layers_run(const struct layers_ground *g, const struct model *model, struct arena *a,
		struct layers_rows *out, struct err *err);
/* Into out[model->n_steps + 1]; *why: there is no other order. */
bool layers_equivariance(const struct layers_ground *g, const struct model *model, double *out,
			 const char **why, struct err *err);

#endif
