/* relation_in.h: what the files of the view Relation share. */
#ifndef POSVIZ_RELATION_IN_H
#define POSVIZ_RELATION_IN_H

#include "view_in.h"

struct pairs_of {
	const struct view_data *d;
	struct arena *a;
	const struct relation *r;
	int32_t *at;   /* [n·n]: the number, or of paths their length */
	bool *no_path; /* [n·n] */
	/* The same as values of a heatmap, what is hatched there, and paths in words; NULL: none. */
	struct mat numbers;
	uint8_t *allowed;
	const char *const *words;
	/* Distinct values, those with a name last, else ascending; those without one are numbers. */
	int32_t *values;
	size_t *count, n_values, n_numbers, n_none;
	/* Pairs off the diagonal: how many, at(t,s) = ±at(s,t) ≠ 0, and 0 both ways, which is neither.
	 * Opposite paths: one is the way back of the other; both at once where it reads the same. */
	size_t pairs, mirrored, opposite, still;
};

/* The cell under the cursor, from 0; false: it is on none. */
bool relation_cursor(const struct pairs_of *p, size_t *t, size_t *s);
/* What the hatched cells are. */
const char *relation_hatched(const struct pairs_of *p);
/* "81 pairs", or "9 tokens". */
const char *relation_pairs(const struct pairs_of *p);

/* relation_pairs.c: what a relation holds. */
void pairs_open(const struct view_data *d, struct arena *a, struct pairs_of *p);

/* relation_card.c: what is known of the cell, what its number means, what the whole is like. */
void relation_card(const struct pairs_of *p, struct panel *out);

/* spectrum.c: the same page of eigenvectors, its first three panels. */
void spectrum_figure(const struct view_data *d, struct arena *a, struct figure *out);

/* Labels with a direction: up and down, or one for each way along an edge. */
bool relation_has_ways(const struct relation *r);
/* Bytes of a label without the ending that tells it is against its edge. */
size_t relation_stem(const char *label);

#endif
