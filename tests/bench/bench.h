/* bench.h: what the benches share: times, goals and whether they are met, one layer to run, other
 * programs to run.
 *
 * Single times on a shared machine mean little, so what can be is measured beside a yardstick in the same
 * run: a layer against the same matrix products called bare, a scheme against `none` and the ratio of
 * their operation counts. The two of a pair take turns. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "posviz/base/arena.h"
#include "posviz/model/model.h"
#include "posviz/scene/scene.h"
#include "posviz/scheme/scheme.h"

/* ---- time and memory --------------------------------------------------------------------------- */

enum { ROUNDS_MAX = 101 };

double now_ms(void);
double median(double *at, size_t n); /* sorts; 0 of nothing */

struct pair {
	double a, b, ratio; /* medians; ratio is the median of the ratios of each round */
};

/* Runs the two in turn, A B A B …, after one round that does not count. */
struct pair measure_pair(void (*a)(void *), void *ca, void (*b)(void *), void *cb, size_t rounds);

/* Megabytes: the high-water mark since exec. */
double peak_mb(pid_t pid);

/* ---- goals ------------------------------------------------------------------------------------- */

/* Print "  ≤ 1.15 met", or "  ≤ 1.15 MISSED"; what is missed is said again at the end as what the
 * format names. */
void goal_at_most(double value, double goal, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void goal_at_least(double value, double goal, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* How many were met, and which were not. */
void goals_sum_up(void);

/* ---- a layer ----------------------------------------------------------------------------------- */

/* One layer of an expression, random projections and a feed-forward block of 4d. */
struct layer {
	struct arena arena;
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct model_input in;
	struct cache *cache;
	double operations; /* of the last run */
};

/* False, after it said why. */
bool layer_open(struct layer *l, const char *expression, size_t n, size_t d, size_t heads);
void layer_close(struct layer *l);
/* Its output alone; what depends on parameters and lengths is in the cache after the first time. */
bool layer_evaluate(struct layer *l, struct err *err);
void layer_run(void *layer); /* the same for measure_pair; ends the bench when it fails */

/* ---- scenes ------------------------------------------------------------------------------------ */

/* "w0 w1 …", n words of a thousand different ones */
const char *sentence_of(struct arena *a, size_t n);
void scene_for(struct scene *scene, struct arena *a, size_t n, long d, long heads);

/* ---- other programs ---------------------------------------------------------------------------- */

struct spent {
	double ms, cpu_ms; /* from exec to exit; cpu: of all threads */
	char said[256];	   /* the beginning of its output */
};

/* Runs argv[0] (ends with NULL) to its end; false when it cannot be started, or fails. */
bool spend(const char *const argv[], struct spent *out);
/* Runs one of the functions `…_alone` below in a process that does nothing else, with these arguments. */
bool spend_alone(const char *name, const char *first, const char *second, struct spent *out);

const char *program_path(void); /* of posviz */
const char *python_path(void);	/* of Debian's, whose packages the benches ask for */
/* Whether Python has the module; else says how to install it. */
bool python_has(const char *module);

/* ---- the benches ------------------------------------------------------------------------------- */

void bench_layer(void);
void bench_schemes(void);
void bench_pictures(void);
void bench_poster(void);
void bench_views(void);
void bench_wide(void);
void bench_structures(void);
void bench_treebank(void);
void bench_program(void);
void bench_render(void);
void bench_figure(void);
void bench_trained(void);
void bench_files(void);
void bench_learn(void);
void bench_growth(void);
void bench_longer(void); /* runs in bench_growth too */
void bench_torch(void);
/* Print the numbers of one line, in a process of their own; the result is its exit code. */
int growth_alone(char **argv);	  /* EXPRESSION TOKENS */
int structure_alone(char **argv); /* EXPRESSION tree|graph */
int trained_alone(char **argv);	  /* DIRECTORY TOKENS */

#endif
