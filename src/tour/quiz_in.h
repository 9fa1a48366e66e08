/* quiz_in.h: what the files of the quiz share: tasks while they are drawn. */
#ifndef POSVIZ_QUIZ_IN_H
#define POSVIZ_QUIZ_IN_H

#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/heatmap.h"
#include "posviz/tour/quiz.h"

/* ---- what is seen (quiz_look.c) --------------------------------------------------------------------- */

/* A panel of the view Explore. */
enum seen { SEEN_BIAS, SEEN_WEIGHTS, SEEN_CURVE, SEEN_COUNT };
extern const char *const seen_panes[SEEN_COUNT]; /* bias weights curve */

/* The numbers that a picture draws: [rows, cols], of a curve one row. NaN: masked, or no pair has this distance. */
struct look {
	struct mat at[SEEN_COUNT]; /* at NULL: there is no such panel */
	long from;		   /* distance of the first column of the curve */
};

/* False: it cannot be computed. */
bool look_at_scene(const struct scene *scene, struct cache *cache, struct watch *watch,
		   struct arena *a, struct look *out);
/* How far apart two are for the eye, as quiz.h says; INFINITY: of other sizes. NaN: one has no such panel. */
double look_apart(const struct look *x, const struct look *y, enum seen seen);
double look_least(enum seen seen);
/* A sentence that is true of the picture shown and not of the other, which nobody sees; NULL: there is none. */
const char *look_tell(const struct look *shown, const struct look *other, enum seen seen,
		      struct arena *a);
/* Everything that can be seen of it, parted by commas. */
const char *look_say(const struct look *of, enum seen seen, struct arena *a);

/* ---- what there is to ask (quiz_pool.c) -------------------------------------------------------------- */

/* Something that can be an option. */
struct choice {
	const char *expression, *name,
		*text; /* "alibi", "alibi", "alibi: Attention with linear biases" */
	size_t family;
};

/* Those of a level; at QUIZ_VARIANTS one row of variants, chosen by `row`. out[*n] from `a`. */
struct choice *pool_of(enum quiz_level level, size_t row, struct arena *a, size_t *n);
size_t pool_rows(void);		  /* of variants */
const char *pool_ask(size_t row); /* what is asked of one: "Which base does this rotation have?" */
/* Lines of a scene that bring tokens; `words`: [n] for the same place, told apart by which words are equal. */
const char *const *pool_sentences(size_t *n);
const char *const *pool_structures(size_t *n);
enum { POOL_ALIKE = 5 };
const char *const *pool_alike(size_t row); /* POOL_ALIKE sentences of one length */
size_t pool_alike_rows(void);

/* ---- drawing tasks (quiz.c) --------------------------------------------------------------------------- */

struct known_look {
	const char *lines; /* of its scene */
	bool there;
	struct look look;
};

struct maker {
	const struct quiz_wish *wish;
	struct quiz *out;
	struct rng rng;
	struct arena *a;
	struct cache *cache;
	struct watch *watch;
	struct known_look *looks;
	size_t n_looks, cap_looks;
	const char *used[QUIZ_MOST]; /* what the tasks so far are about */
	struct strbuf text;
};

/* Texts of a task. */
struct question {
	struct quiz_task task;
	const char *scene;  /* lines, before the question */
	const char *reveal; /* lines, after it */
	const char *ask, *say;
	const char *options[TOUR_OPTIONS];
	size_t n_options;
	const char *answer; /* of a free question */
	const char *source; /* or NULL */
	const char *about;  /* so that none is asked twice */
};

/* Each draws a task at random; false: this time there was none. */
typedef bool draw_task(struct maker *m, struct question *out);
draw_task draw_scheme_matrix, draw_scheme_curve; /* quiz_draw.c */
draw_task draw_words, draw_reversed;		 /* quiz_words.c */
draw_task draw_number;				 /* quiz_numbers.c */

/* The look of a scene of these lines on the defaults; NULL: it cannot be computed. */
const struct look *maker_look(struct maker *m, const char *lines);
const char *maker_pick(struct maker *m, const char *const *of, size_t n);
/* Puts the options, of which the first is right, in another order. */
void maker_shuffle(struct maker *m, struct question *t);

#endif
