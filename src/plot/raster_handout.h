/* raster_handout.h: what the raster_handout_*.c files share: pages of a hand-out while they are made.
 *
 * All of it is gone through twice by the same functions: once to count the pages, which are named in the list of contents
 * and by links, and once to draw them. Where a page ends hangs on its words and on the room that figures get, never on
 * what they need of it. */
#ifndef POSVIZ_RASTER_HANDOUT_H
#define POSVIZ_RASTER_HANDOUT_H

#include "plot/raster_in.h"
#include "posviz/plot/handout.h"

/* A paragraph or what stands for one. */
enum words_kind {
	WORDS_SAY,
	WORDS_ASK,
	WORDS_OPTION, /* with its letter */
	WORDS_LINES,  /* to write on */
	WORDS_ANSWER,
	WORDS_ASKED, /* a question that is answered here */
	WORDS_LINK   /* to `page` */
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
	double body, small; /* sizes of letters */
	uint32_t accent;
	bool wide; /* words stand beside the figure */
	bool draw; /* else pages are counted */
	size_t page, n_pages;
	struct area in;	    /* within the margins, above the foot */
	double bottom;	    /* of this page: above its sources */
	struct area column; /* that words run down; its height says nothing */
	double y;	    /* where the next of it stands, had figures needed all their room ... */
	double saved;	    /* ... and how much higher that is because they did not */
	const char *again;  /* the heading of another page of the same */
	const char *part;   /* of a lecture, at the foot; NULL */
	const char *source; /* above it; NULL */
	size_t *step_page;  /* [n_steps] */
	size_t **answer_page; /* [n_steps][n_questions] */
	size_t answers_page;
	size_t entry_page; /* where the last one began */
};

/* raster_handout_words.c */
void words_add(struct leaves *l, struct words_list *list, struct words w);
double words_height(struct leaves *l, const struct words_list *list, double width);
/* Down the column, on other pages where this one ends. */
void words_put(struct leaves *l, const struct words_list *list);
/* One paragraph of this face and size; how high it is. */
double leaves_text(struct leaves *l, enum face face, double size, uint32_t ink, struct area at,
		   const char *text);
double leaves_text_height(struct leaves *l, enum face face, double size, double width,
			  const char *text);
/* In one line, shortened where it has to be; `align` as of raster_text_put. How wide it is. */
double leaves_line(struct leaves *l, enum face face, double size, uint32_t ink, double align,
		   double x, double y, double width, const char *text);

/* raster_handout_pages.c: another page: its paper, its foot, sources above that. */
void leaves_begin(struct leaves *l, const char *const *sources, size_t n_sources);
/* The foot of the page, which is read last; its report is kept. */
void leaves_end(struct leaves *l);
/* A page that goes on with what is `again`. */
void leaves_continue(struct leaves *l);
/* "3  Man bites dog", at the head of the page. */
void leaves_heading(struct leaves *l, const char *number, const char *title);
void leaves_link(struct leaves *l, struct area at, size_t page);
void leaves_outline(struct leaves *l, size_t depth, const char *name, size_t page);
void leaves_contents(struct leaves *l);

/* raster_handout_pictures.c: beside each other or one below the other in the area; *high: what they took of it, when
 * pages are counted all. */
bool leaves_pictures(struct leaves *l, const size_t *ids, size_t n, struct area at, double *high,
		     struct err *err);

#endif
