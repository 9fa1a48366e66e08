/* help_drawing.h: structures drawn, made by hand, for the tests of the devices. */
#ifndef HELP_DRAWING_H
#define HELP_DRAWING_H

#include "posviz/plot/figure.h"

/* "The cat chased the dog .", governed by 2 3 0 5 3 3, with labels; the order from 0, NULL: as written. */
struct drawing help_drawn_words(struct arena *a, const size_t *order);
/* (S (NP (DT The) (NN cat)) (VP (VBD ran))), tokens on its leaves. */
struct drawing help_drawn_tree(struct arena *a);
/* want→boy ARG0, want→go ARG1, go→boy ARG0, and "alone". */
struct drawing help_drawn_graph(struct arena *a);
/* "The cat chas ##ed the dog .", the same tree with two tokens on one node; and New York borders
 * Vermont, of four words on three nodes. */
struct drawing help_drawn_pieces(struct arena *a);
struct drawing help_drawn_fact(struct arena *a);
/* n words w1, w2, … under the middle one, each governed by the one half way to its governor's:
 * labels r1, r2, … by the dependent. */
struct drawing help_drawn_long(struct arena *a, size_t n);
/* n tokens on n nodes, each below an earlier or later one, drawn in any way. */
struct drawing help_drawn_forest(struct arena *a, size_t n, enum drawing_kind kind, uint64_t seed);

void help_point(struct drawing *d, size_t query, size_t key);

#endif
