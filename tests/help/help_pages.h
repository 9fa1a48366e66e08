/* help_pages.h: pages of the views Terms and Order made by hand, for the tests of the devices; and
 * the rules that every page must obey. */
#ifndef HELP_PAGES_H
#define HELP_PAGES_H

#include "posviz/plot/raster.h"

enum help_words { WORDS_SHORT, WORDS_LONG, WORDS_CJK, WORDS_ARABIC, WORDS_MIXED, WORDS_KINDS };

struct help_page {
	size_t n;
	enum help_words words;
	bool dark, cursor, off;
	size_t maps; /* number of heatmaps of the page Terms: 1 to 9 */
};

const char **help_words(struct arena *a, size_t n, enum help_words kind);

/* Returns a fixed shuffle: order[i] is the old place of the token now at i; n < 2 places stay. */
size_t *help_order(struct arena *a, size_t n);

/* Returns links from the words as written, above, to the shuffled words, below. */
struct links help_links(struct arena *a, size_t n, enum help_words kind);

/* Returns a figure of heatmaps with one scale, the last with the scale's bar; shares of variance; a
 * card. */
struct figure help_terms(struct arena *a, const struct help_page *page);
/* Returns a figure of the original, the permuted matrix and their difference; links over two
 * columns; a card. */
struct figure help_order_page(struct arena *a, const struct help_page *page);

/* Finds the positions of the texts of a page, without its pixels; fails the test if it cannot be
 * drawn. */
struct raster_report help_page_report(const struct figure *f, const struct raster_look *look,
				      struct arena *a);

/* Texts of a page: whether one contains this part; the first equal to the text, or NULL; the number
 * of those equal to it. */
bool help_page_says(const struct raster_report *r, const char *part);
const struct text_box *help_box_of(const struct raster_report *r, const char *text);
size_t help_boxes_of(const struct raster_report *r, const char *text);

bool help_plots_apart(const struct plot_box *a, const struct plot_box *b);
uint32_t help_pixel(const struct image *image, double x, double y); /* 0xRRGGBB */

/* Fails unless all texts of a page are apart, in a plot or beside it, whole, in letters of at least
 * 12 px that are readable on their background, and have their glyphs; and all plots are apart. */
void help_page_reads(const char *what, const struct raster_report *r, int width, int height);

#endif
