/* quiz.h: questions about schemes, made from a seed: which scheme drew this matrix or this curve, which sentence it
 * belongs to, what becomes of it when the words are turned round, and numbers to be worked out by hand.
 *
 * A quiz is a tour made in memory: a step a task, with a beat that asks and one that answers, so whatever shows a tour
 * shows a quiz. The same seed, level and count give the same one everywhere. A task is fair: what its options would draw
 * lies farther apart than quiz_least, and the beat that asks names none of them (scene field `unnamed`). */
#ifndef POSVIZ_QUIZ_H
#define POSVIZ_QUIZ_H

#include "posviz/tour/tour.h"

enum quiz_level {
	QUIZ_FAMILIES = 1, /* what kind of scheme it is, at a glance */
	QUIZ_SCHEMES,	   /* which one, of those that are well known */
	QUIZ_RELATIVES,	   /* which one, of those that look most alike */
	QUIZ_VARIANTS,	   /* which parameter, convention or mask */
	QUIZ_STRUCTURES,   /* which scheme of trees and graphs */
	QUIZ_LEVELS = QUIZ_STRUCTURES
};

/* Kinds of questions; `numbers` are worked out by hand. */
enum quiz_kind { QUIZ_MATRIX, QUIZ_CURVE, QUIZ_WORDS, QUIZ_REVERSED, QUIZ_NUMBERS, QUIZ_KINDS };
extern const char *const quiz_kind_names[QUIZ_KINDS]; /* matrix curve words reversed numbers */

extern const char
	*const quiz_level_names[QUIZ_LEVELS +
				1]; /* from 1: families schemes relatives variants structures */

enum { QUIZ_MOST = 60, QUIZ_COUNT = 10 }; /* tasks, and where nobody says how many */
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
	size_t beat;			 /* that asks; the next one answers */
	const char *names[TOUR_OPTIONS]; /* of its options, in brief: "alibi" */
	size_t n_names;			 /* 0: it has none */
	int right;
	const char *tells[TOUR_OPTIONS]; /* what gives a wrong option away; NULL of the right one */
	double apart; /* the least distance of what the right option draws from what another does; INFINITY: no such */
	double least;			       /* that it has to have */
	const char *expressions[TOUR_OPTIONS]; /* of the options where these are schemes; NULL */
};

struct quiz {
	struct quiz_wish wish;
	struct tour tour;
	const char *text; /* of the tour, as in a file */
	struct quiz_task tasks[QUIZ_MOST];
	size_t n;
};

/* Two matrices or curves are told by eye from this distance on: of a bias or a curve the root mean square of the
 * difference, each in units of its own greatest value; of weights the mean over rows of ½ Σ|p − q|. */
extern const double quiz_least_bias, quiz_least_weights;

/* "schemes 7 10 pictures": level, seed, count and kinds, as far as they are said. */
bool quiz_wish_parse(const char *text, struct quiz_wish *wish, struct err *err);
bool quiz_level_parse(const char *text, long *level, struct err *err);
/* "all", "pictures": all but numbers, or the name of a kind. */
bool quiz_kinds_parse(const char *text, unsigned *kinds, struct err *err);

/* `cache` and `watch` may be NULL. Lives in `a`. False: the wish cannot be met, or it was cancelled. */
bool quiz_make(const struct quiz_wish *wish, struct cache *cache, struct watch *watch,
	       struct arena *a, struct quiz *out, struct err *err);

/* Tells whether each task is decidable and says nothing of its answer, by the pictures as they are drawn; what is not goes
 * into `report` as a line, as for a tour. */
bool quiz_check(const struct quiz *quiz, struct cache *cache, struct watch *watch,
		struct tour_report *report);

/* ---- answers --------------------------------------------------------------------------------------- */

/* In place of an option: it is still to come; somebody went on without. */
enum { QUIZ_NOT_YET = -1, QUIZ_NO_ANSWER = -2 };

/* Answers of somebody. The first answer counts. */
struct quiz_run {
	const struct quiz *quiz;
	int chosen[QUIZ_MOST];
};
void quiz_begin(struct quiz_run *run, const struct quiz *quiz);
/* The task that a beat asks or answers; SIZE_MAX: it is none of a task with options. */
size_t quiz_task_at(const struct quiz *quiz, size_t beat);
/* An option, or QUIZ_NO_ANSWER. False: there is no such option, or it was answered. */
bool quiz_answer(struct quiz_run *run, size_t task, int option);
size_t quiz_answered(const struct quiz_run *run);
size_t quiz_right(const struct quiz_run *run);
/* The words of a beat, with what was chosen and what is right, and why it was not what was chosen. */
struct lesson quiz_lesson(const struct quiz_run *run, size_t beat, struct arena *a);
/* A task of the pair of schemes of which one was taken for the other most often, and how often; false: of none. */
bool quiz_confused(const struct quiz_run *run, size_t *task, size_t *times);
/* Puts a step behind the tasks that compares them, in place of one that is there; false: there is no such pair, and no
 * step. Its steps and beats live in `a`. */
bool quiz_last(struct quiz *quiz, const struct quiz_run *run, struct arena *a);
/* "7 of 10 are right", then a line of each confusion, the most frequent first: "alibi taken for kerple_log, 2 times:
 * tasks 3 and 7". out[*n]. */
const char **quiz_score(const struct quiz_run *run, struct arena *a, size_t *n);

#endif
