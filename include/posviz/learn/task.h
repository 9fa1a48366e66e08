/* task.h: small tasks of which each isolates one thing about position: sentences drawn from a seed,
 * the places where an answer is asked, and the accuracy that no model without position passes.
 *
 * Letters and answers are numbers from 0. The tasks of the table are drawn; one of the user's own is a
 * rule in the formula language, "x[t-2]", or a file of lines *sentence TAB answers*. */
#ifndef POSVIZ_TASK_H
#define POSVIZ_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/rng.h"

/* A sentence and what is asked of it; answer -1: nothing is asked there. */
struct example {
	size_t n;
	int32_t *letter, *answer; /* [n] */
};

/* The input that a model without position knows at a token, besides the token: the letters of the whole
 * sentence, or with a causal mask and one layer those up to it. */
enum sight { SIGHT_WHOLE, SIGHT_PREFIX };

/* A row of the table. `ahead`: answers lie behind the token that gives them, so that a causal mask
 * makes the task impossible. `pairs`: sentences are tested together with a twin that differs in
 * the answer alone. `one_length`: trained at the longest length only. */
struct task_row {
	const char *id, *sentence, *asked, *isolates;
	size_t letters, classes;
	bool ahead, pairs, one_length;
	void (*draw)(struct example *out, struct rng *rng);
	/* Returns the expected share of right answers of the best guess, for sentences of n
	 * letters; NaN: it is not known. */
	double (*floor)(size_t n, enum sight sight);
	/* The least mean loss that it can reach in training on sentences of these lengths, each as
	 * likely, in nats; NULL, NaN: it is not known. */
	double (*loss)(size_t shortest, size_t longest, enum sight sight);
	/* Sets right[s] of the keys [n] that the answer at token t depends on; NULL: on none, or on all. */
	void (*keys)(const struct example *e, size_t t, uint8_t *right);
};
extern const struct task_row task_rows[]; /* ends with id == NULL */

struct task_rule;
struct task_lines;

struct task {
	const char *name;	    /* "shift", a rule, or the name of a file */
	const struct task_row *row; /* NULL: one of the user's own */
	const struct task_rule *rule;
	const struct task_lines *lines;
	size_t letters, classes;
	const char *const *letter, *const *answer; /* their names, escaped */
	size_t shortest, longest;		   /* in training */
};

/* Makes the task of a name of the table, of a rule, or of a file. Errors name the line and what would
 * be right. */
bool task_open(struct task *out, const char *spec, struct arena *a, struct err *err);

/* Draws sentence `i` of step `step` of the stream of a seed: a function of these numbers alone. A rule
 * whose value is no answer is an error. */
bool task_train(const struct task *task, uint64_t seed, size_t step, size_t i, struct arena *a,
		struct example *out, struct err *err);

/* Makes `count` fresh sentences of n letters for a test, the same for every model: (*out)[*n_out].
 * Of a file, at most so many lines kept from training that are longer than n/2 (at the trained
 * lengths: of any length) and no longer than n. */
bool task_test(const struct task *task, size_t n, size_t count, struct arena *a,
	       struct example **out, size_t *n_out, struct err *err);

/* Returns the floor of such a test; NaN: it is not known. */
double task_floor(const struct task *task, size_t n, enum sight sight);

/* Returns the least mean loss of training without position, in nats; NaN: it is not known. */
double task_floor_loss(const struct task *task, enum sight sight);

/* Sets right[t·n + s] where the answer at token t depends on the letter at s, elsewhere 0; of a task of
 * sentences in a file it is not known. */
bool task_keys(const struct task *task, const struct example *e, uint8_t *right, struct arena *a,
	       struct err *err);

/* Returns whether an answer may lie behind the token that gives it. */
bool task_ahead(const struct task *task);

/* Expected largest count of n letters drawn uniformly from `letters`. */
double task_largest_count(size_t n, size_t letters);

#endif
