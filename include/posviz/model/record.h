/* record.h: runs of the model that record a tape, for learning and for gradients. */
#ifndef POSVIZ_RECORD_H
#define POSVIZ_RECORD_H

#include "posviz/model/model.h"

/* Runs the model with recording on, for learning: returns the last layer's output [n,d] as a
 * node of `tape`, or NULL. `run` stays valid as long as the tape's arena: heads and leaves can
 * be read. */
struct node *model_record(const struct model *model, const struct model_input *in,
			  struct tape *tape, struct run **run, struct err *err);

/* Nodes of one tape that several runs of a model share, made once a tape: leaves and weights, and what
 * hooks compute of them alone (run_cached). A caller that learns puts the leaves of its tape into
 * `leaves` and `own`; what is NULL there is made by the first run that reads it. */
struct record_shared {
	struct node **leaves;		       /* [n_leaves] */
	struct node *(*own)[WEIGHT_COUNT];     /* [layers] the weights as they are learned, */
	struct node *(*weights)[WEIGHT_COUNT]; /* and as the layers read them */
	struct record_memo *memos;
};
struct record_shared *record_share(const struct model *model, struct arena *a);

/* Returns whether a layer of the model has a weight of its own when no file gives it, and its shape
 * [in, out]. model_draw_weight fills it as a run would. */
bool model_has_weight(const struct model *model, size_t layer, enum weight which, size_t *rows,
		      size_t *cols);
void model_draw_weight(const struct model *model, size_t layer, enum weight which, struct mat at);

/* The extent of a recording. */
struct record {
	long step; /* the last step, which ends with its weights; -1: all, up to the last output */
	long head; /* the only head evaluated in that step, if heads do not mix; -1: all */
	bool inputs;	     /* the token vectors take a gradient, and the position vectors */
	bool frozen;	     /* frozen leaves are recorded too */
	bool bounded;	     /* ends when it takes more than config.memory */
	struct watch *watch; /* or NULL */
	struct record_shared *shared; /* or NULL */
	struct node *units;	      /* stands for in->units; NULL: they are read as they are */
};

bool model_record_part(const struct model *model, const struct model_input *in,
		       const struct record *what, struct tape *tape, struct run **run,
		       struct err *err);

/* Returns an approximate upper bound of the bytes that such a run and its backward pass take. */
size_t model_record_estimate(const struct model *model, const struct model_input *in,
			     const struct record *what);

/* Return nodes of a recorded run, with their gradients after tape_backward, or NULL: of a leaf;
 * of a head's logits, its weights on the first plane, and its context; of the last output. */
struct node *run_leaf_node(struct run *run, const struct leaf *leaf);
struct node *run_logits_node(struct run *run, size_t step, size_t head);
struct node *run_weights_node(struct run *run, size_t step, size_t head);
struct node *run_context_node(struct run *run, size_t step, size_t head);
struct node *run_output_node(struct run *run);

/* For a run with `inputs`: the token vectors as they went in [in->axis.n, d]; and a leaf of
 * zeros that is added to the position vectors of members wherever they enter: [n, d], or with as
 * many columns as are reserved for positions. Its gradient is that of the position vectors. */
struct node *run_unit_node(struct run *run);
struct node *run_position_node(struct run *run);

#endif
