/* relation_in.h: declarations shared by the files of the view Relation. */
#ifndef POSVIZ_RELATION_IN_H
#define POSVIZ_RELATION_IN_H

#include "view_in.h"

struct pairs_of {
	const struct view_data *d;
	struct arena *a;
	const struct relation *r;
	int32_t *at;   /* [n·n]: the number; for paths, their length */
	bool *no_path; /* [n·n] */
	/* The same as values of a heatmap; the cells that are not hatched; paths in words, or
	 * NULL. */
	struct mat numbers;
	uint8_t *allowed;
	const char *const *words;
	/* Distinct values, ascending, those with a name last; values without a name are numbers. */
	int32_t *values;
	size_t *count, n_values, n_numbers, n_none;
	/* Numbers of pairs off the diagonal: all; those with at(t,s) = ±at(s,t) ≠ 0; those that
	 * are 0 both ways, which count as neither. For paths, opposite means that one is the
	 * other reversed; a path that reads the same both ways counts as both. */
	size_t pairs, mirrored, opposite, still;
};

/* Returns the cell under the cursor, from 0; false: the cursor is on none. */
bool relation_cursor(const struct pairs_of *p, size_t *t, size_t *s);
/* Returns the meaning of hatched cells. */
const char *relation_hatched(const struct pairs_of *p);
/* Returns "81 pairs" or "9 tokens". */
const char *relation_pairs(const struct pairs_of *p);

/* relation_pairs.c: reads the values of a relation. */
void pairs_open(const struct view_data *d, struct arena *a, struct pairs_of *p);

/* relation_card.c: facts about the cell, the meaning of its number, properties of the relation. */
void relation_card(const struct pairs_of *p, struct panel *out);

/* spectrum.c: makes the first three panels of this view for eigenvectors. */
void spectrum_figure(const struct view_data *d, struct arena *a, struct figure *out);

/* Returns whether labels have a direction: up and down, or one for each way along an edge. */
bool relation_has_ways(const struct relation *r);
/* Returns the number of bytes of a label without the ending that means "against its edge". */
size_t relation_stem(const char *label);

#endif
