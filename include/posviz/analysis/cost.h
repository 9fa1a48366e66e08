/* cost.h: what a position scheme costs a Transformer: time, learned numbers, multiply-adds.
 *
 * Time is told by a ratio alone, for seconds say more of the machine than of the scheme: the forward pass of a
 * model with the scheme over that of the same model without positions. The two take turns - none, scheme, none,
 * scheme - so that whatever else the machine does meets both, and the median of the ratios of each round counts.
 * The clock is the watch's (watch_time), of the programs that of processor time: where there is none, no time is
 * measured. */
#ifndef POSVIZ_COST_H
#define POSVIZ_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/scene/setup.h"

/* ---- time ----------------------------------------------------------------------------------------- */

/* What is timed. False: it could not be run. */
struct cost_trial {
	bool (*run)(void *context, struct err *err);
	void *context;
};

/* How long the rounds go on: until the middle half of the ratios is no wider than `width` of their median and
 * there are `least` of them, or `seconds` have passed and there are 3, or there are `most`. */
struct cost_patience {
	double width, seconds;
	size_t least, most; /* most: up to COST_ROUNDS */
};
enum { COST_ROUNDS = 64, COST_FEWEST = 3 };
extern const struct cost_patience cost_patience; /* of the program */

struct cost_time {
	double ratio, low, high; /* median of the rounds' ratios, and the quartiles around it */
	double base, seconds;	 /* medians of both, in seconds */
	size_t rounds;
	bool settled; /* false: the time was over before, or there were `most` */
};

/* Times `trial` beside `base`: each is run once that does not count, then they take turns. False: one of them
 * could not be run, it was cancelled, or the watch has no clock. */
bool cost_compare(const struct cost_trial *base, const struct cost_trial *trial,
		  const struct cost_patience *patience, struct watch *watch, struct cost_time *out,
		  struct err *err);

/* "1.24 × ± 0.03": half the distance of the quartiles behind the sign. */
double cost_spread(const struct cost_time *t);
const char *cost_show_time(const struct cost_time *t, struct arena *a);

/* ---- where it is measured --------------------------------------------------------------------------- */

/* BERT-base (Devlin et al. 2019), which Tables 1 and 6 of Chen et al. 2021 are about: learned numbers are counted
 * in it, and there one layer is timed unless other sizes are asked for. */
enum {
	COST_UNITS = 128,
	COST_D = 768,
	COST_HEADS = 12,
	COST_LAYERS = 12,
	COST_T_MAX = 512,
	COST_TABLE = COST_T_MAX * COST_D /* its learned input positions */
};
extern const double cost_bert; /* learned numbers of all of it, as Table 6 prints */

/* What of a setup is meant; the rest is BERT-base's. */
struct cost_own {
	bool d_model, heads, layers, text; /* text: the sentence */
};
/* What differs from the defaults of a setup, d-model and heads together, for one must divide the other. A structure
 * always counts. */
struct cost_own cost_own(const struct setup *setup);
/* The setup whose passes are timed: one layer of BERT-base on 128 words, drawn projections, GELU. */
struct setup cost_setup(const struct setup *from, struct cost_own own);

/* ---- the table ------------------------------------------------------------------------------------- */

struct cost_row {
	const char *expression; /* canonical */
	const char *name; /* in few letters, the paper's where it has one: "DIET-ABS shared" */
	/* Learned numbers of the members in BERT-base. */
	bool counted;
	size_t parameters;
	const char *no_count; /* why they cannot be; NULL when counted */
	/* Multiply-adds of one pass at the timed sizes, and what of that `none` does not have: less than 0
	 * where the scheme spares some. */
	bool passed;
	double multiply_adds, more;
	const char *
		why; /* why it cannot be computed or timed there; NULL: it can, or nobody tried yet */
	bool timed;
	struct cost_time time;
	/* Chen et al. 2021: Table 1, inference of BERT-base on TPU v2 over plain BERT; Table 6, learned numbers of
	 * positions: those of the model less BERT's without its input positions, to 0.1 million. NaN: none. */
	double printed_time, printed_parameters;
	const char *differs; /* why another number of parameters is printed; NULL: it is not */
};

struct cost {
	struct setup setup;    /* that passes are timed at */
	size_t units;	       /* of the input */
	double multiply_adds;  /* of none; NaN: not counted yet */
	struct cost_row *rows; /* [n] as asked for, each once; none among them */
	size_t n, none;
	size_t to_come; /* rows that are not counted or timed yet, and can be */
};

struct cost_request {
	const struct setup *setup; /* as cost_setup makes it */
	const char *const *expressions;
	size_t n;
	size_t most; /* how many rows are timed at most that the cache does not know; 0: none is even run */
	bool untimed; /* passes are counted alone */
	bool strict;  /* what cannot be computed is an error, before any time is measured */
	struct cost_patience patience;
	struct cache *
		cache; /* remembers what was measured; passes that are timed take nothing from it. NULL: none */
	struct watch *watch;
};
/* False: it was cancelled, or none itself cannot be computed. Why a row cannot be, it says itself. */
bool cost_measure(const struct cost_request *r, struct arena *a, struct cost *out, struct err *err);

/* Expressions with a number in those tables, `none` first. Ends with NULL. */
extern const char *const cost_published[];

#endif
