/* quiz.h: questions about schemes, made from a seed: which scheme drew this matrix or this curve,
 * which sentence it belongs to, how it changes when the words are reversed, and numbers to be
 * computed by hand.
 *
 * A quiz is a tour made in memory: each task is a step, with a beat that asks and a beat that
 * answers, so everything that shows a tour shows a quiz. The same seed, level and count give the
 * same quiz everywhere. A task is fair: the pictures of its options differ by at least
 * quiz_least_bias or quiz_least_weights, and the beat that asks names none of them (scene field
 * `unnamed`). */
#ifndef POSVIZ_QUIZ_H
#define POSVIZ_QUIZ_H

#include "posviz/tour/tour.h"

enum quiz_level {
	QUIZ_FAMILIES = 1, /* the kind of scheme, at a glance */
	QUIZ_SCHEMES,	   /* the scheme, among well-known ones */
	QUIZ_RELATIVES,	   /* the scheme, among those that look most alike */
	QUIZ_VARIANTS,	   /* the parameter, convention or mask */
	QUIZ_STRUCTURES,   /* the scheme of trees and graphs */
	QUIZ_LEVELS = QUIZ_STRUCTURES
};

/* Kinds of questions; those of QUIZ_NUMBERS are computed by hand. */
enum quiz_kind { QUIZ_MATRIX, QUIZ_CURVE, QUIZ_WORDS, QUIZ_REVERSED, QUIZ_NUMBERS, QUIZ_KINDS };
extern const char *const quiz_kind_names[QUIZ_KINDS]; /* matrix curve words reversed numbers */

extern const char
	*const quiz_level_names[QUIZ_LEVELS +
				1]; /* from 1: families schemes relatives variants structures */

enum { QUIZ_MOST = 60, QUIZ_COUNT = 10 }; /* most tasks; default number of tasks */
enum { QUIZ_ALL_KINDS = (1 << QUIZ_KINDS) - 1 };

struct quiz_wish {
	long level;
	uint64_t seed;
	size_t count;
	unsigned kinds; /* bits 1 << enum quiz_kind; 0: all but numbers */
	bool open;	/* numbers have no options: for paper */
};

struct quiz_task {
	enum quiz_kind kind;
	size_t beat;			 /* the beat that asks; the next one answers */
	const char *names[TOUR_OPTIONS]; /* short names of its options: "alibi" */
	size_t n_names;			 /* 0: the task has no options */
	int right;
	/* The sign by which a wrong option is recognised; NULL for the right one. */
	const char *tells[TOUR_OPTIONS];
	/* Smallest distance between the picture of the right option and that of another; INFINITY:
	 * no such. */
	double apart;
	double least; /* the required distance */
	/* Expressions of the options, if they are schemes; NULL. */
	const char *expressions[TOUR_OPTIONS];
};

struct quiz {
	struct quiz_wish wish;
	struct tour tour;
	const char *text; /* the tour as text, as in a file */
	struct quiz_task tasks[QUIZ_MOST];
	size_t n;
};

/* The smallest distances at which two matrices or curves are told apart by eye: for a bias or a
 * curve the root mean square of the difference, each in units of its own greatest value; for
 * weights the mean over rows of ½ Σ|p − q|. */
extern const double quiz_least_bias, quiz_least_weights;

/* Reads "schemes 7 10 pictures": level, seed, count and kinds, those that are given. */
bool quiz_wish_parse(const char *text, struct quiz_wish *wish, struct err *err);
bool quiz_level_parse(const char *text, long *level, struct err *err);
/* Reads "all", "pictures" (all kinds but numbers), or the name of a kind. */
bool quiz_kinds_parse(const char *text, unsigned *kinds, struct err *err);

/* Makes a quiz in `a`. `cache` and `watch` may be NULL. Returns false if the wish cannot be met, or
 * the work was cancelled. */
bool quiz_make(const struct quiz_wish *wish, struct cache *cache, struct watch *watch,
	       struct arena *a, struct quiz *out, struct err *err);

/* Returns whether each task can be decided and does not reveal its answer, judged by the pictures
 * as drawn; each fault is a line in `report`, as for a tour. */
bool quiz_check(const struct quiz *quiz, struct cache *cache, struct watch *watch,
		struct tour_report *report);

/* ---- answers --------------------------------------------------------------------------------- */

/* Values in place of an option: not answered yet; passed without an answer. */
enum { QUIZ_NOT_YET = -1, QUIZ_NO_ANSWER = -2 };

/* The user's answers. The first answer to each task counts. */
struct quiz_run {
	const struct quiz *quiz;
	int chosen[QUIZ_MOST];
};
void quiz_begin(struct quiz_run *run, const struct quiz *quiz);
/* Returns the task that a beat asks or answers; SIZE_MAX: it belongs to no task with options. */
size_t quiz_task_at(const struct quiz *quiz, size_t beat);
/* Records an option, or QUIZ_NO_ANSWER. Returns false if there is no such option, or the task was
 * answered before. */
bool quiz_answer(struct quiz_run *run, size_t task, int option);
size_t quiz_answered(const struct quiz_run *run);
size_t quiz_right(const struct quiz_run *run);
/* Returns the words of a beat, with the chosen and the right option, and why the chosen one is
 * wrong. */
struct lesson quiz_lesson(const struct quiz_run *run, size_t beat, struct arena *a);
/* Finds a task of the pair of schemes that were most often confused, and how often; returns false
 * if there is none. */
bool quiz_confused(const struct quiz_run *run, size_t *task, size_t *times);
/* Adds a step after the tasks that compares this pair, replacing an earlier such step; returns
 * false, and adds no step, if there is no such pair. The steps and beats are in `a`. */
bool quiz_last(struct quiz *quiz, const struct quiz_run *run, struct arena *a);
/* Returns lines out[*n]: "7 of 10 are right", then one for each confusion, the most frequent first:
 * "alibi taken for kerple_log, 2 times: tasks 3 and 7". */
const char **quiz_score(const struct quiz_run *run, struct arena *a, size_t *n);

#endif
