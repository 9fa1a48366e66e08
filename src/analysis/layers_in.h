/* layers_in.h: layers_ways.c makes the models, layers_run.c the rows h_t, layers_probe.c the probes on
 * them, layers.c all of it step by step, layers_known.c keeps the steps that were done. */
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
	size_t sentences;
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
/* layers_run_first runs the first sentence, which tells units, pairs and how much room there must be; layers_run_rest
 * the others. */
bool layers_run_first(const struct layers_ground *g, const struct model *model, size_t sentences,
		      struct arena *a, struct layers_rows *out, struct err *err);
bool layers_run_rest(const struct layers_ground *g, const struct model *model,
		     struct layers_rows *out, struct err *err);
/* The targets that probes predict from rows. */
struct layers_targets {
	const size_t *fold;	/* [rows] */
	struct mat target;	/* [2, rows]: t, and those of each sentence shuffled */
	size_t (*pairs)[2];	/* [rows] pairs: t and s, as row indices */
	struct mat pair_target; /* [2, rows] */
};
void layers_make_targets(uint64_t seed, const struct layers_rows *rows, struct arena *a,
			 struct layers_targets *out);

struct layers_probing {
	const struct layers_rows *rows;
	const struct layers_targets *targets;
	struct layers_way *way, *shuffled; /* shuffled NULL: not wanted */
	/* The scheme as it is, with the sums of its rows: where those of this variant are the same, and in the
	 * input of layer 1, so is what is read from them. NULL: it is that scheme. */
	const struct layers_way *before;
	const uint64_t *sum, *sum_before;
	struct layers
		*keep; /* has room for predictions and α of the last absolute probe; or NULL */
	struct watch *watch;
	size_t heads; /* a probe counts as so many in the watch */
};
void layers_probe(struct layers_probing *p);
bool layers_same_before(const struct layers_probing *p, size_t layer);
/* Fills out[layers + 1], by which rows of two variants are compared. */
void layers_sum(const struct layers_rows *rows, uint64_t *out);
struct mat layers_cosines(const struct layers_rows *rows, struct arena *a);

/* The steps of the whole, the first of which is left out where nobody looks before the last: cosines of
 * LAYERS_SAMPLE sentences, other orders of the tokens, the scheme as it is; then a variant each. */
enum layers_step { STEP_SAMPLE, STEP_ORDERS, STEP_ALL, STEP_WAYS, STEPS = LAYERS_STEPS };
_Static_assert(STEP_WAYS + LAYERS_WAYS - 1 == STEPS, "a step for each variant");

/* The results of a step that later steps need. */
struct layers_so_far {
	size_t allowed; /* as in layers_rows */
	uint64_t sum[LAYERS_MOST + 1];
};

struct layers_work {
	struct layers_of of;
	struct layers_ground ground;
	struct layers_model *model;
	struct arena *a;
};
/* Makes what each step needs, and names the variants in `out`, none of which is measured. False: out->why. */
bool layers_open(const struct layers_of *of, struct arena *scratch, struct layers_work *w,
		 struct arena *a, struct layers *out);
/* `whole` stores the data of the last probe too. False: out->why, also when it was cancelled. */
bool layers_step(const struct layers_work *w, size_t step, bool whole, struct layers_so_far *so_far,
		 struct arena *a, struct layers *out);
/* Returns how many heads a step runs, for the watch. */
size_t layers_heads(const struct layers_work *w, size_t step, const struct layers *of);
/* Returns a cache of its own if that of `of` has no room for the weights, which would be drawn again for each
 * sentence; or NULL. */
struct cache *layers_cache(const struct layers_of *of);

/* Fills out[model->n_steps + 1]; *why: there is no other order. */
bool layers_equivariance(const struct layers_ground *g, const struct model *model, double *out,
			 const char **why, struct err *err);

#endif
