/* help_recipes.h: functions that all files of recipes use: short names of arguments, positions,
 * products. */
#ifndef HELP_RECIPES_H
#define HELP_RECIPES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_recompute.h"

#define P    const struct place *p, const struct dumped_member *m
#define MAKE struct place *p, const struct dumped_member *m

/* Rows of a table: a term of the logits; the same with a condition on a parameter; a function of
 * pairs in any stage, such as of the logits or a part of the context. */
#define TERM(scheme, label, at)                               \
	{                                                     \
		scheme, ON_TERMS, label, NULL, NULL, at, NULL \
	}
#define TERM_IF(scheme, label, param, value, at)                \
	{                                                       \
		scheme, ON_TERMS, label, param, value, at, NULL \
	}
#define PAIRS(scheme, stage, term, at)                    \
	{                                                 \
		scheme, stage, term, NULL, NULL, at, NULL \
	}
#define PAIRS_IF(scheme, stage, term, param, value, at)     \
	{                                                   \
		scheme, stage, term, param, value, at, NULL \
	}
#define DOES(scheme, stage, make)                           \
	{                                                   \
		scheme, stage, NULL, NULL, NULL, NULL, make \
	}
#define DOES_IF(scheme, stage, param, value, make)            \
	{                                                     \
		scheme, stage, NULL, param, value, NULL, make \
	}

enum { WIDEST_HEAD = 64 };

static inline double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static inline double softplus(double x)
{
	return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static inline double clip(double x, double by)
{
	return fmin(fmax(x, -by), by);
}

static inline bool is_on(const struct dumped_member *m, const char *param)
{
	return dumped_is(m, param, "true");
}

/* Returns key minus query position. */
static inline double distance(P, size_t t, size_t s)
{
	return position_of(p, m, s) - position_of(p, m, t);
}

static inline bool allowed(const struct place *p, size_t t, size_t s)
{
	return mat_row(p->mask, t)[s] > 0;
}

static inline struct mat columns_of_head(const struct place *p, struct mat all)
{
	return loop_cols(all, p->head * p->f->dk, p->f->dk);
}

static inline struct mat value_columns(const struct place *p, struct mat all)
{
	return loop_cols(all, p->head * p->f->dv, p->f->dv);
}

/* Returns the columns of a weight of the layer that the head reads: of w_k and w_v those of its key
 * head. */
static inline struct mat weight_of_head(const struct place *p, const char *name)
{
	const struct dumped *f = p->f;
	const bool query = strcmp(name, "w_q") == 0 || strcmp(name, "b_q") == 0;
	const size_t width = name[2] == 'v' ? f->dv : f->dk;
	const struct mat all = dumped_find(f, "layer.%zu.%s", p->step, name);
	return all.at ? loop_cols(all, (query ? p->head : p->head / f->group) * width, width) : all;
}

/* Returns row `row` of a table; if the table is wider than `width`, the columns of this head. */
static inline const double *row_of(const struct place *p, struct mat table, double row,
				   size_t width)
{
	return mat_row(table, (size_t)row) + (table.cols > width ? p->head * width : 0);
}

/* Return c q_t·x and c k_s·x, for queries and keys before rotation. */
static inline double dot_q(const struct place *p, size_t t, const double *x)
{
	return p->f->c * loop_dot(mat_row(p->q_raw, t), x, p->f->dk);
}

static inline double dot_k(const struct place *p, size_t s, const double *x)
{
	return p->f->c * loop_dot(mat_row(p->k_raw, s), x, p->f->dk);
}

static inline double nothing(P, size_t t, size_t s)
{
	(void)p, (void)m, (void)t, (void)s;
	return 0;
}

/* Returns x rotated: (a, b) becomes (a cos - b sin, b cos + a sin), for adjacent pairs or pairs
 * half a width apart. */
struct mat turned(const struct place *p, struct mat x, struct mat cosine, struct mat sine,
		  bool half);

/* Returns the sinusoid of feature i at a position: sines and cosines alternate, or with `halves`
 * all sines come first; frequencies as in the paper, or with `t2t` as in its code. */
double wave(double at, size_t i, size_t d, bool halves, bool t2t, double base);

/* The row and column of a token, and the picture and the frame of it that it belongs to; picture 0:
 * it is no patch. */
struct cell {
	size_t picture;
	double y, x, frame;
};
struct cell cell_of(P, size_t t);
/* Sets the angles at rate 1 of a cell whose coordinates are from -1 to 1, by m's `coordinates`. */
void cell_coordinates(P, size_t t, double *y, double *x);
/* What sinusoidal_2d, learned_2d and cpe add to component j of a token. */
double sinusoid_of_cell(P, size_t t, size_t j);
double row_of_cell(P, size_t t, size_t j);
double convolved_cell(P, size_t t, size_t j);

/* Returns the slope of Press et al.: powers of two; for other numbers of heads, every second slope
 * of the next power of two follows. */
double slope(size_t head, size_t heads);

#endif
