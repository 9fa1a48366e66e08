/* help_drawing.h: drawings of structures, made by hand, for the tests of the devices. */
#ifndef HELP_DRAWING_H
#define HELP_DRAWING_H

#include "posviz/plot/figure.h"

/* Draws "The cat chased the dog .", governed by 2 3 0 5 3 3, with labels; order[] counts from 0,
 * NULL: as written. */
struct drawing help_drawn_words(struct arena *a, const size_t *order);
/* Draws (S (NP (DT The) (NN cat)) (VP (VBD ran))), with tokens on its leaves. */
struct drawing help_drawn_tree(struct arena *a);
/* Draws want→boy ARG0, want→go ARG1, go→boy ARG0, and "alone". */
struct drawing help_drawn_graph(struct arena *a);
/* Draw "The cat chas ##ed the dog .", the same tree with two tokens on one node; and New York
 * borders Vermont, four words on three nodes. */
struct drawing help_drawn_pieces(struct arena *a);
struct drawing help_drawn_fact(struct arena *a);
/* Draws n words w1, w2, …: the middle word of each range governs the middle words of both halves;
 * the edge to word i has the label ri. */
struct drawing help_drawn_long(struct arena *a, size_t n);
/* Draws n tokens on n nodes with random governors, before or after them, in any kind of drawing. */
struct drawing help_drawn_forest(struct arena *a, size_t n, enum drawing_kind kind, uint64_t seed);

void help_point(struct drawing *d, size_t query, size_t key);

#endif
