/* bias_fit.h: the bias of a model's positions against a tensor of a file: a number for each head and pair, for each
 * head and key, the slopes of ALiBi, or the table of T5's buckets; and its position ids.
 *
 * Of the model are the numbers that its expression gives with what its files hold. Where they part from
 * the tensor, settings are tried one after the other, and the first that gives the tensor is named. */
#ifndef POSVIZ_BIAS_FIT_H
#define POSVIZ_BIAS_FIT_H

#include "posviz/family/family.h"
#include "posviz/format/tensor.h"
#include "posviz/scene/setup.h"

enum bias_kind {
	BIAS_NONE,   /* of none of these shapes and names */
	BIAS_PAIRS,  /* [heads, n, n] */
	BIAS_KEYS,   /* [heads, n]: one row for all queries */
	BIAS_SLOPES, /* [heads] */
	BIAS_TABLE,  /* [buckets, heads] */
	BIAS_IDS     /* [n], or rows of them */
};
extern const char *const bias_kind_names[];

/* Returns which it is, by its shape and its name; `heads` of the model. */
enum bias_kind bias_kind_of(const struct tensor *t, const char *name, size_t heads);

struct bias_fit {
	enum bias_kind kind;
	const char *type; /* the coarsest type that holds all numbers */
	size_t heads, positions;
	size_t compared; /* of the positions, from 0: a longer table is compared as far as this */
	bool equal;
	bool but_rows; /* but for a number of each row, which no softmax sees */
	double difference, allowed;
	/* The first place that differs, from 0: of pairs query and key, of a table its row, of ids the
	 * row and the position. */
	size_t head, query, key;
	double expected, found;
	const char *fits; /* the setting that gives the tensor; NULL: none that was tried */
};

/* Compares with the model of the setup, whose params are the model's files. False with one line: the model has
 * no such bias, or its numbers are not in its files. */
bool bias_fit(const struct setup *setup, const struct known *k, const struct tensor *t,
	      enum bias_kind kind, struct arena *a, struct bias_fit *out, struct err *err);
/* The settings that are tried, for people. */
const char *bias_fit_tried(enum bias_kind kind);

/* ids_fit.c: the same of ids. */
void ids_fit(const struct known *k, const struct tensor *t, struct arena *a, struct bias_fit *out);

#endif
