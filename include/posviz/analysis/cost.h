/* cost.h: the cost of a position scheme in a Transformer: time, learned numbers, multiply-adds.
 *
 * Time is given only as a ratio, because seconds depend more on the machine than on the scheme:
 * the forward pass of a model with the scheme relative to that of the same model without
 * positions. The two alternate - none, scheme, none, scheme - so that other load on the machine
 * affects both, and the result is the median of the ratios of the rounds. The clock is the
 * watch's (watch_time); the programs use processor time. Without a clock no time is measured. */
#ifndef POSVIZ_COST_H
#define POSVIZ_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/scene/setup.h"

/* ---- time ------------------------------------------------------------------------------------ */

/* A computation to be timed. False: it could not be run. */
struct cost_trial {
	bool (*run)(void *context, struct err *err);
	void *context;
};

/* The condition for ending the rounds: the middle half of the ratios is no wider than `width`
 * times their median and there are `least` of them, or `seconds` have passed and there are 3, or
 * there are `most`. */
struct cost_patience {
	double width, seconds;
	size_t least, most; /* most: up to COST_ROUNDS */
};
enum { COST_ROUNDS = 64, COST_FEWEST = 3 };
extern const struct cost_patience cost_patience; /* the programs' default */

struct cost_time {
	/* The median of the rounds' ratios, and the quartiles around it; of the pass without positions,
	 * which the others are compared with, `ratio` is 1, whatever the median of two such passes is. */
	double ratio, low, high, median;
	double base, seconds; /* medians of both, in seconds */
	size_t rounds;
	bool settled; /* false: it ended by `seconds` or by `most` */
	bool rough;   /* of COST_FEWEST rounds only, to be measured again */
};

/* Times `trial` against `base`: each is run once without counting, then they alternate. False:
 * one of them could not be run, it was cancelled, or the watch has no clock. */
bool cost_compare(const struct cost_trial *base, const struct cost_trial *trial,
		  const struct cost_patience *patience, struct watch *watch, struct cost_time *out,
		  struct err *err);

/* Return half the distance of the quartiles; the quartiles, "1.21–1.27 ×"; and these behind the
 * median, "1.24 × (1.21–1.27)". */
double cost_spread(const struct cost_time *t);
const char *cost_show_interval(const struct cost_time *t, struct arena *a);
const char *cost_show_time(const struct cost_time *t, struct arena *a);

/* ---- the model to measure in
 * ----------------------------------------------------------------------- */

/* BERT-base (Devlin et al. 2019), the model of Tables 1 and 6 of Chen et al. 2021: learned
 * numbers are counted in it, and one layer of it is timed unless other sizes are asked for. */
enum {
	COST_UNITS = 128,
	COST_D = 768,
	COST_HEADS = 12,
	COST_LAYERS = 12,
	COST_T_MAX = 512,
	COST_TABLE = COST_T_MAX * COST_D /* its learned absolute position embeddings */
};
extern const double cost_bert; /* learned numbers of the whole model, as printed in Table 6 */

/* The parts of a setup that replace BERT-base's. */
struct cost_own {
	bool d_model, heads, layers, text; /* text: the sentence */
};
/* Returns the fields that differ from the defaults of a setup; d-model and heads only together,
 * because one must divide the other. A structure always counts. */
struct cost_own cost_own(const struct setup *setup);
/* Returns the setup whose passes are timed: one layer of BERT-base on 128 words, random
 * projections, GELU. */
struct setup cost_setup(const struct setup *from, struct cost_own own);

/* ---- the table ------------------------------------------------------------------------------- */

struct cost_row {
	const char *expression; /* canonical */
	const char *name;	/* short, the paper's name if there is one: "DIET-ABS shared" */
	/* Learned numbers of the members in BERT-base. */
	bool counted;
	size_t parameters;
	const char *no_count; /* why they cannot be counted; NULL when counted */
	/* Multiply-adds of one pass at the timed sizes, and the difference to `none`: negative
	 * if the scheme saves some. */
	bool passed;
	double multiply_adds, more;
	const char
		*why; /* why it cannot be computed or timed; NULL: it can, or was not tried yet */
	/* That of `none` is measured against a second `none`: its ratio is 1 by definition, and its
	 * quartiles are what the machine makes of equal passes. */
	bool timed;
	struct cost_time time;
	/* Chen et al. 2021: Table 1, inference of BERT-base on TPU v2 relative to plain BERT;
	 * Table 6, learned numbers of positions: those of the model minus BERT's without its
	 * position embeddings, to 0.1 million. NaN: none. */
	double printed_time, printed_parameters;
	const char *differs; /* why the printed number of parameters differs; NULL: it does not */
};

struct cost {
	struct setup setup;   /* at which passes are timed */
	size_t units;	      /* of the input */
	double multiply_adds; /* of `none`; NaN: not counted yet */
	struct cost_row
		*rows; /* [n] in the order asked for, without repetitions; `none` is among them */
	size_t n, none;
	size_t to_come; /* rows that remain to be counted or timed, or are timed roughly */
};

/* Returns whether a time says nothing about its row: its quartiles are not clear of those of
 * `none`, or it is less than `none` needs although the scheme saves no multiply-adds. */
bool cost_within_noise(const struct cost *c, const struct cost_row *row);

struct cost_request {
	const struct setup *setup; /* as cost_setup returns it */
	const char *const *expressions;
	size_t n;
	/* The largest number of rows to time that the cache does not have; 0: not even `none` is
	 * run; SIZE_MAX: all. Below that all rows are first timed roughly, then again. */
	size_t most;
	bool untimed; /* passes are only counted */
	bool strict;  /* a row that cannot be computed is an error, before any time is measured */
	struct cost_patience patience;
	struct cache *cache; /* stores measurements; timed passes do not use it. NULL: none */
	struct watch *watch;
};
/* Measures. False: cancelled, or `none` cannot be computed. A row that cannot be computed has
 * the reason in `why`. */
bool cost_measure(const struct cost_request *r, struct arena *a, struct cost *out, struct err *err);

/* The expressions with a number in those tables, `none` first. Ends with NULL. */
extern const char *const cost_published[];

#endif
