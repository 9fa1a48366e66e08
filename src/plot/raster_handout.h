/* raster_handout.h: the common parts of the raster_handout_*.c files: pages of a hand-out while
 * they are made.
 *
 * The same functions go through all pages twice: first to count the pages, because the list of
 * contents and links need their numbers, and then to draw them. The end of a page depends on its
 * words and on the room reserved for figures, never on how much of it the figures use. */
#ifndef POSVIZ_RASTER_HANDOUT_H
#define POSVIZ_RASTER_HANDOUT_H

#include "plot/raster_in.h"
#include "posviz/plot/handout.h"

/* A paragraph, or lines to write on. */
enum words_kind {
	WORDS_SAY,
	WORDS_ASK,
	WORDS_OPTION, /* with its letter */
	WORDS_LINES,  /* to write on */
	WORDS_ANSWER,
	WORDS_ASKED, /* a question that is answered here */
	WORDS_LINK,  /* a link to `page` */
	WORDS_SOURCE
};
struct words {
	enum words_kind kind;
	const char *text;
	char letter;
	size_t page;
};
struct words_list {
	struct words *at;
	size_t n, cap;
};

struct leaves {
	struct page *p;
	const struct handout *h;
	struct arena *arena;
	struct handout_report *report;
	size_t cap_pages;
	/* sizes of the body text and of small text */
	double body, small;
	uint32_t accent;
	bool wide;    /* words are beside the figure */
	bool draw;    /* pages are drawn; else they are counted */
	bool running; /* pages have a head: the part, and the steps on the page */
	size_t page, n_pages;
	struct area in;	    /* area within the margins, above the foot */
	double bottom;	    /* y of the page's lower end, above its sources */
	double bottom_full; /* the same without sources */
	struct area column; /* the column of words; its height has no meaning */
	/* y of the next paragraph if figures had used all their room ... */
	double y;
	/* ... and how much higher it is because they did not */
	double saved;
	const char *again;    /* heading of a page that continues this one */
	const char *part;     /* part of a lecture, at the foot; or NULL */
	const char *source;   /* printed above the foot; or NULL */
	size_t *step_page;    /* [n_steps] */
	size_t **answer_page; /* [n_steps][n_questions] */
	size_t answers_page;
	size_t entry_page; /* page where the last entry began */
};

/* raster_handout_words.c */
void words_add(struct leaves *l, struct words_list *list, struct words w);
double words_height(struct leaves *l, const struct words_list *list, double width);
/* Puts the words into the column, and on further pages if this one is full. */
void words_put(struct leaves *l, const struct words_list *list);
/* Puts a paragraph in this face and size, and returns its height. */
double leaves_text(struct leaves *l, enum face face, double size, uint32_t ink, struct area at,
		   const char *text);
double leaves_text_height(struct leaves *l, enum face face, double size, double width,
			  const char *text);
/* Puts one line, shortened if necessary; `align` is as in raster_text_put. Returns its width. */
double leaves_line(struct leaves *l, enum face face, double size, uint32_t ink, double align,
		   double x, double y, double width, const char *text);

/* An entry on a page with others; ids: [n] its pictures. */
struct entry {
	const char *number, *title;
	const struct words_list *words;
	const size_t *ids;
	size_t n;
	bool headed; /* the title of a part of the lecture, with its rule, is above it */
	double part; /* the part of a page that it takes if its words fit; 0: as in a list of exercises */
};
/* raster_handout_entry.c: tell if it fits on the page below something so high; put it there, or on
 * the next page if there is no room. */
bool entry_fits(struct leaves *l, const struct entry *e, double above);
bool leaves_entry(struct leaves *l, const struct entry *e, struct err *err);

/* raster_handout_pages.c: leaves_begin begins another page: its paper, its foot, and the sources
 * above that. */
void leaves_begin(struct leaves *l, const char *const *sources, size_t n_sources);
/* Returns the height of the head of pages; 0: they have none. */
double leaves_running_height(struct leaves *l);
/* "Sources: A, 1; B, eq. 2" */
const char *leaves_sources(struct leaves *l, const char *const *sources, size_t n);
/* Draws the foot of the page, which comes last in reading order, and keeps the page's report. */
void leaves_end(struct leaves *l);
/* Begins a page that continues the last one under the heading `again`. */
void leaves_continue(struct leaves *l);
/* Puts the heading of the page: "3  Man bites dog". */
void leaves_heading(struct leaves *l, const char *number, const char *title);
void leaves_link(struct leaves *l, struct area at, size_t page);
void leaves_outline(struct leaves *l, size_t depth, const char *name, size_t page);
void leaves_contents(struct leaves *l);

/* raster_handout_pictures.c: puts pictures side by side or one below the other in the area. *high
 * gets the height that they used, or all of it while pages are counted. */
bool leaves_pictures(struct leaves *l, const size_t *ids, size_t n, struct area at, double *high,
		     struct err *err);

#endif
