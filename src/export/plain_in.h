/* plain_in.h: what the plain*.c files share: how a figure is said in lines. */
#ifndef POSVIZ_PLAIN_IN_H
#define POSVIZ_PLAIN_IN_H

#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

/* A paragraph, wrapped. Dots between blanks, which part facts on a picture, become commas. */
void plain_say(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

const char *plain_number(struct arena *a, double value);
/* "1 row", "2 rows". */
const char *plain_many(struct arena *a, size_t n, const char *word);

/* What is smaller than this part of the largest is rounding, and 0. */
static const double PLAIN_ROUNDING = 1e-12;
double plain_rounded(double value, double largest);

/* What a matrix holds; one of its values is a `word`: a "weight". */
void plain_heatmap(const struct panel *p, const char *word, struct strbuf *out, struct arena *a);

/* plain_places.c */
void plain_dials(const struct panel *p, struct strbuf *out, struct arena *a);
void plain_plane(const struct panel *p, struct strbuf *out, struct arena *a);

#endif
