/* written.h: the summands that members add to what a head writes, as a hook of the stage values gives
 * them (head_add_values). */
#ifndef POSVIZ_WRITTEN_H
#define POSVIZ_WRITTEN_H

#include <stdint.h>

struct node;

/* The vectors that a summand of the context sums over the keys, as in struct trace_written;
 * `vectors` NULL: the summand is no such sum. */
struct from_keys {
	struct node *vectors; /* [rows, dv] */
	const int32_t *row;   /* NULL: row s */
	struct node *by;      /* NULL: the weights */
};

/* A summand of the context that a member added; `at` without its weight. */
struct written {
	const char *label;
	double weight;
	struct node *at;
	struct from_keys from;
};

#endif
