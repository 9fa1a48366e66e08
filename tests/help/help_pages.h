/* help_pages.h: pages of the views Terms and Order made by hand, for the tests of the devices; and what
 * every page must keep. */
#ifndef HELP_PAGES_H
#define HELP_PAGES_H

#include "posviz/plot/raster.h"

enum help_words { WORDS_SHORT, WORDS_LONG, WORDS_CJK, WORDS_ARABIC, WORDS_MIXED, WORDS_KINDS };

struct help_page {
	size_t n;
	enum help_words words;
	bool dark, cursor, off;
	size_t maps; /* of the page Terms: 1 to 9 */
};

const char **help_words(struct arena *a, size_t n, enum help_words kind);

/* order[i] is the old place of the token now at i: a fixed shuffle of n places; for n < 2 none. */
size_t *help_order(struct arena *a, size_t n);

/* Words as written above, shuffled below. */
struct links help_links(struct arena *a, size_t n, enum help_words kind);

/* Nine heatmaps of one scale, of which the last shows the bar; shares of variance; a card. */
struct figure help_terms(struct arena *a, const struct help_page *page);
/* Original, permuted, difference; links over two columns; a card. */
struct figure help_order_page(struct arena *a, const struct help_page *page);

/* Where the texts of a page lie, without its pixels; fails the test when it cannot be drawn. */
struct raster_report help_page_report(const struct figure *f, const struct raster_look *look,
				      struct arena *a);

/* Texts of a page: whether one of them has this part; the first that is this, NULL: none; how many are. */
bool help_page_says(const struct raster_report *r, const char *part);
const struct text_box *help_box_of(const struct raster_report *r, const char *text);
size_t help_boxes_of(const struct raster_report *r, const char *text);

bool help_plots_apart(const struct plot_box *a, const struct plot_box *b);
uint32_t help_pixel(const struct image *image, double x, double y); /* 0xRRGGBB */

/* Fails unless all texts of a page lie apart and in a plot or beside it, are whole, have letters of 12 px
 * or more that can be read on what is behind them, and have their glyphs; and all plots lie apart. */
void help_page_reads(const char *what, const struct raster_report *r, int width, int height);

#endif
