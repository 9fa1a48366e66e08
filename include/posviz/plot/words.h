/* words.h: facts of panels as lines of text, for screen readers. */
#ifndef POSVIZ_WORDS_H
#define POSVIZ_WORDS_H

#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

/* Appends a wrapped paragraph. Dots between blanks, which separate facts in a picture, become
 * commas. */
void words_say(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

const char *words_number(struct arena *a, double value);
/* Returns "1 row", "2 rows". */
const char *words_many(struct arena *a, size_t n, const char *word);

/* A number smaller than this part of the largest is a rounding error; words_rounded returns 0 for
 * it. */
static const double WORDS_ROUNDING = 1e-12;
double words_rounded(double value, double largest);

/* Describes a matrix; `word` is the name of a value: "weight". */
void words_heatmap(const struct panel *p, const char *word, struct strbuf *out, struct arena *a);

#endif
