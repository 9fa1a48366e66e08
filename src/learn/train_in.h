/* train_in.h: declarations that the files of training share: the private half of a learner. */
#ifndef POSVIZ_TRAIN_IN_H
#define POSVIZ_TRAIN_IN_H

#include "learn_in.h"
#include "posviz/learn/learn.h"
#include "posviz/model/record.h"
#include "posviz/model/stage.h"

/* The part of the model that a learned matrix belongs to. */
enum learned_kind { LEARNED_EMBEDDING, LEARNED_OUTPUT, LEARNED_WEIGHT, LEARNED_LEAF };

struct learned_place {
	enum learned_kind kind;
	size_t layer;
	enum weight weight;
	size_t leaf;
	size_t first; /* of its numbers in theta; of a frozen one SIZE_MAX */
};

/* Sentences whose gradients are summed on one tape. */
enum { GROUP = 8 };

struct group {
	struct arena arena;
	double *gradient; /* [n] */
	double loss;	  /* summed over its sentences */
	size_t sentences; /* that carry an answer */
	bool ok;
	struct err err;
};

struct learner_private {
	struct arena arena;
	struct learned_place *place; /* [n_learned] */
	bool causal;		     /* no head sees later tokens */
	double *m, *v;		     /* Adam's means of the gradient and of its square */
	double *now;		     /* theta as trained, while another moment is shown; or NULL */
	struct group group[LEARN_BATCH / GROUP];
	struct arena drawn;    /* the sentences of a step */
	struct arena *scratch; /* [threads] of tests */
	size_t n_scratch;
};

/* Returns a number of its own for each sentence of a training, from which what is random of it is drawn. */
uint64_t learner_draw(const struct learner *l, size_t step, size_t i);

/* The nodes of one tape. */
struct taped {
	struct tape tape;
	struct record_shared *shared;
	struct node *embedding, *output;
	struct node **of; /* [n_learned] */
};
/* Begins a tape on which what learns takes gradients, or nothing. `b` is the model that runs. */
void taped_begin(const struct learner *l, const struct built *b, bool learns, struct arena *a,
		 struct taped *out);
/* Runs one sentence; *rows maps the rows of the result to letters, -1: none. Returns the logits. */
struct node *taped_run(const struct learner *l, const struct built *b, struct taped *t,
		       const struct example *e, uint64_t draw, const int32_t **target,
		       struct run **run, struct err *err);

#endif
