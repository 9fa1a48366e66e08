/* tour_paper.h: a tour on paper: hand-outs, and their words and pictures in Markdown. */
#ifndef POSVIZ_TOUR_PAPER_H
#define POSVIZ_TOUR_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/plot/handout.h"
#include "posviz/tour/tour.h"

/* Options of a hand-out. */
struct tour_paper {
	const struct scene *room; /* for the page's size, letters, font, theme; memory limit */
	enum handout_shows shows;
	size_t step; /* only this step, from 1; 0: all */
	bool sheet;  /* exercises: in sequence on the page, without contents */
	/* steps on a page: 1, 2, 4 or 6; 0: 2, of a lecture 4, and 1 on a page wider than high */
	size_t per_page;
};

/* Makes the picture of a beat on paper: only the pane to look at and those compared with it.
 * `scene` gets the beat's with the room's fields. Returns false as tour_picture does. */
bool tour_paper_picture(const struct tour *t, size_t beat, const struct tour_paper *paper,
			enum background background, struct cache *cache, struct watch *watch,
			struct arena *a, struct picture *out, struct scene *scene, struct err *err);
/* Lists the content of a hand-out; its pictures are given as beats. */
void tour_paper(const struct tour *t, const struct tour_paper *paper, struct arena *a,
		struct handout *out);
/* Returns the line under a picture on paper: sentence, title, scheme, head. */
const char *tour_paper_below(const struct figure *f, struct arena *a);

/* A picture in a file of its own, for tour_markdown. */
struct tour_image {
	const char *name;    /* "02-man-bites-dog.png" */
	size_t step, beat;   /* from 0; step: among the hand-out's */
	size_t question;     /* index; SIZE_MAX: the step's picture, not an answer's */
	const char *alt;     /* description, made with the picture */
	const char *message; /* of a refused beat, in place of the picture; NULL */
};
/* Lists the pictures of a hand-out, with file names of this suffix. */
struct tour_image *tour_images(const struct handout *h, const char *ending, struct arena *a,
			       size_t *n);
/* Returns the hand-out's words in Markdown, with these pictures. */
const char *tour_markdown(const struct handout *h, const struct tour_image *images, size_t n,
			  struct arena *a);
/* Writes a tour, also one made in memory, as a PDF: a page for each step, then the answers. */
bool tour_handout(const struct tour *t, const struct tour_paper *paper, struct cache *cache,
		  struct watch *watch, struct arena *a, char **data, size_t *len,
		  struct handout_report *report, struct err *err);

#endif
