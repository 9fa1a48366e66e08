/* help_dumped.h: a dump as read by a program that has only the file, and small loops to compute
 * with. This code does not know the model, only tensors and metadata. */
#ifndef HELP_DUMPED_H
#define HELP_DUMPED_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/format/tensor.h"

enum { DUMPED_MEMBERS = 16 };

/* A member of the metadata, with its part of the JSON. */
struct dumped_member {
	const char *json, *name, *scheme, *pos;
};

struct dumped {
	struct arena *a;
	struct tensor_set set;
	const char *expression;
	size_t n, keys, d, heads, dk, steps;
	size_t dv, group; /* width of a head's values; the heads that read one key head */
	size_t memory;	  /* how many of the first of the n units are memory, which are only keys */
	size_t beside;	  /* columns that concat reserves for positions; 0: none */
	double c, eps, t_max, embed_scale;
	bool gelu;
	struct dumped_member members[DUMPED_MEMBERS];
	size_t n_members;
};

/* Reads the bytes of a safetensors file. */
void dumped_read(struct dumped *f, const char *expression, const void *data, size_t len,
		 struct arena *a);

/* Returns a tensor as a matrix, with at NULL if there is none. */
struct mat dumped_find(const struct dumped *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns a tensor that must exist. */
struct mat dumped_get(const struct dumped *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns a number of one of the metadata's steps. */
long dumped_step(const struct dumped *f, size_t step, const char *key);

/* Return parameters of a member. */
/* Returns the weight of the member's additions; it comes after the parameters, one of which may
 * have the same name. */
double dumped_weight(const struct dumped_member *m);
double dumped_number(const struct dumped_member *m, const char *param);
bool dumped_is(const struct dumped_member *m, const char *param, const char *json);
double dumped_list(const struct dumped_member *m, const char *param, size_t i, size_t *n);
bool dumped_acts(const struct dumped_member *m, const char *list, size_t i);

struct mat loop_zero(struct arena *a, size_t rows, size_t cols);
struct mat loop_copy(struct arena *a, struct mat x);
void loop_scale(struct mat x, double by);
struct mat loop_cols(struct mat x, size_t from, size_t n);
struct mat loop_behind(struct mat x, size_t first);		  /* rows from `first` on */
struct mat loop_mul(struct arena *a, struct mat x, struct mat y); /* x y */
struct mat loop_outer(struct arena *a, double c, struct mat x, struct mat y); /* c x yᵀ */
void loop_add(struct mat to, struct mat x); /* x [1, n] is added to every row */
double loop_dot(const double *x, const double *y, size_t n);
/* Returns the largest difference divided by 1 + the largest number; infinite if the shapes
 * differ. */
double loop_apart(struct mat x, struct mat y);

#endif
