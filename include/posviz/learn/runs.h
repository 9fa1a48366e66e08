/* runs.h: runs of training as lines and as results that files keep.
 *
 * A run is a function of its line, "scheme rope; task shift; seed 1; steps 500; ...", so that runs can be
 * shared out among machines, and their results be merged in any order. */
#ifndef POSVIZ_RUNS_H
#define POSVIZ_RUNS_H

#include "posviz/learn/learn.h"
#include "posviz/scene/scene.h"

struct learn_result {
	struct learn_options o;
	const char *line;
	const char *absent;	 /* the reason why it was not trained; NULL: the rest is set */
	const char *says;	 /* what learned in its positions */
	double learned;		 /* numbers that learned */
	double loss_first, loss; /* means of the first and of the last ten steps */
	struct accuracy at[LEARN_LENGTHS];
	const char *machine; /* the kernels that it was computed with */
};

struct learn_results {
	struct arena *arena;
	struct learn_result *at;
	size_t n, cap;
};
void learn_results_init(struct learn_results *r, struct arena *a);
/* Adds a result, in place of one of the same line. */
void learn_results_add(struct learn_results *r, const struct learn_result *result);
const struct learn_result *learn_results_find(const struct learn_results *r, const char *line);

/* Returns the line of a run; every option is in it. The second reads one: what it does not name has its
 * default. */
const char *learn_line(const struct learn_options *o, struct arena *a);
bool learn_line_parse(const char *line, struct learn_options *o, struct arena *a, struct err *err);

/* Trains and tests. What cannot be trained is a result too, with its reason. False: cancelled. *kept
 * gets the learner, or NULL; `kept` may be NULL. */
bool learn_run(const struct learn_options *o, struct watch *watch, struct arena *a,
	       struct learn_result *out, struct learner **kept, struct err *err);

/* The same, but a result that is known already, of the program's own, of this process or of an earlier one, is
 * taken. */
bool learn_run_known(const struct learn_options *o, struct watch *watch, struct arena *a,
		     struct learn_result *out, struct err *err);
/* Returns whether a result is known, and takes it. `ours`: one of the program's own counts. */
bool learn_run_is_known(const struct learn_options *o, bool ours, struct arena *a,
			struct learn_result *out);
/* Keeps a result for this process, and in the folder of learn_runs_in for later ones. */
void learn_run_keep(const struct learn_result *result);
/* Sets the folder of results; it is made when the first is kept. NULL: results end with the process. A result is
 * kept by all that it depends on: its line, LEARN_VERSION, the kernels of this machine, and the words of a task that
 * is a file. One whose expression reads a file is not kept. */
void learn_runs_in(const char *folder);
/* Sets the options of the training that a scene asks for, of one of its expressions; they are complete. */
void learn_of_scene(const struct scene *scene, const char *expression, struct learn_options *out);

/* Results as JSON, and back. *is_results is false for a text that is other JSON, or none. */
const char *learn_results_json(const struct learn_results *r, struct arena *a);
bool learn_results_read(struct learn_results *r, const char *path, bool *is_results,
			struct err *err);
bool learn_results_parse(struct learn_results *r, const char *data, size_t len, const char *name,
			 bool *is_results, struct err *err);
/* Adds the results that the program has: of its tours and figures, made by the command in assets/LICENSES.md. */
bool learn_results_kept(struct learn_results *r, struct err *err);

/* Runs that differ in their seeds alone. */
struct learn_group {
	const struct learn_result *first;
	size_t seeds; /* that were trained */
	struct spread {
		double mean, least, most, floor; /* NaN: none */
		const char *absent;
	} at[LEARN_LENGTHS];
};
size_t learn_groups(const struct learn_results *r, struct arena *a, struct learn_group **out);
/* Returns the name of a group among others: its expression, and what of its run is not usual. */
const char *learn_group_name(const struct learn_group *g, const struct learn_group *all, size_t n,
			     struct arena *a);

#endif
