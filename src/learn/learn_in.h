/* learn_in.h: declarations that the files of learning share. */
#ifndef POSVIZ_LEARN_IN_H
#define POSVIZ_LEARN_IN_H

#include "posviz/learn/task.h"

/* task_rule.c: reads a rule; *is_rule is false for a text that is none, which is no error. */
bool task_rule_open(struct task *out, const char *spec, bool *is_rule, struct arena *a,
		    struct err *err);
bool task_rule_answer(const struct task_rule *rule, size_t classes, struct example *e,
		      struct arena *a, struct err *err);
bool task_rule_ahead(const struct task_rule *rule);
double task_rule_floor(const struct task_rule *rule, size_t letters, size_t n, enum sight sight);
/* The least mean loss of sentences of n letters; *asks: any token is asked. */
double task_rule_loss(const struct task_rule *rule, size_t letters, size_t n, enum sight sight,
		      bool *asks);
/* task_losses.c: returns the expected entropy of a letter drawn from n letters that are known as a multiset, in
 * nats. */
double task_entropy(size_t n, size_t letters);

/* task_lines.c */
bool task_lines_open(struct task *out, const char *path, struct arena *a, struct err *err);
void task_lines_train(const struct task_lines *lines, struct rng *rng, struct example *out);
void task_lines_test(const struct task_lines *lines, size_t n, size_t longest, size_t count,
		     struct arena *a, struct example **out, size_t *n_out);

struct learner;
struct learn_options;
struct learn_result;
struct watch;
/* runs.c: tests what was trained to its end, or, without a learner, makes the result that says why it was
 * not. False: cancelled. */
bool learn_run_end(struct learner *l, const struct learn_options *o, const char *why,
		   struct watch *watch, struct arena *a, struct learn_result *out);
/* kept_runs.c: returns the name of the file that keeps results of one version of the training, of these kernels, and
 * of sentences with this sum (NULL: those of rules and of the tasks of the table). */
const char *learn_kept_name(int version, const char *kernels, const char *sentences,
			    struct arena *a);
/* keep.c: as learner_keep, of present numbers that are those after so many steps. */
bool learner_keep_as(struct learner *l, size_t step, const char *folder, bool force,
		     struct err *err);

/* Draws letters uniformly. */
void task_letters(struct example *out, size_t letters, struct rng *rng);
/* Makes room for a sentence in which nothing is asked yet. */
void task_room(struct example *out, size_t n, struct arena *a);

#endif
