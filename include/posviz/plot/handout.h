/* handout.h: a lecture on paper: pages with a figure and what is said of it, questions, and answers apart.
 *
 * It is a value: the words of all pages are there, and figures are made when their page is drawn. What is on which page
 * hangs on the words alone, so a list of contents is true before the first figure was made. All text has passed
 * text_escape. */
#ifndef POSVIZ_HANDOUT_H
#define POSVIZ_HANDOUT_H

#include "posviz/plot/raster.h"

enum { HANDOUT_OPTIONS = 4, HANDOUT_PICTURES = 2 };
static const size_t HANDOUT_NO_PICTURE = SIZE_MAX;

struct handout_question {
	const char *ask;
	const char *options[HANDOUT_OPTIONS]; /* lettered a, b, c, d */
	size_t n_options;		      /* 0: there are lines to write on */
	int right;			      /* of the options, or -1 */
	const char *answer;		      /* of a free question; NULL */
	const char *const *after;	      /* [n_after] what is said then */
	size_t n_after;
	size_t picture; /* of the answer */
};

/* What stands under one heading. */
struct handout_step {
	const char *title;
	size_t number, part;
	size_t pictures[HANDOUT_PICTURES];
	size_t n_pictures;
	const char *const *says; /* [n_says] before the first question */
	size_t n_says;
	const struct handout_question *questions;
	size_t n_questions;
	const char *const *sources;
	size_t n_sources;
};

struct handout_part {
	const char *title;
};

/* A figure, or the message that stands in its place. */
struct handout_figure {
	const struct figure *figure; /* NULL: `message` */
	const char *message;
	const char *below; /* what it is of, in one line: expression, sentence, head */
};

enum handout_shows { HANDOUT_BOTH, HANDOUT_QUESTIONS, HANDOUT_ANSWERS };

struct handout {
	const char *title, *author, *about; /* author, about: "" for none */
	const char *length;		    /* "12 steps, 9 minutes" */
	const char *maker;		    /* "posviz 0.1" */
	const struct handout_part *parts;   /* more than one: of a lecture, its chapters */
	size_t n_parts;
	const struct handout_step *steps;
	size_t n_steps;
	enum handout_shows shows;
	bool sheet; /* exercises: one below the other, without a list of contents */
	/* The picture `id`; what it needs lives in `a`, until its page is drawn. */
	bool (*picture)(void *context, size_t id, bool dark, struct arena *a,
			struct handout_figure *out, struct err *err);
	void *context;
};

/* What was drawn, page by page. */
struct handout_report {
	struct raster_report *pages;
	size_t n;
	size_t missing_glyphs;
	const char *missing_sample; /* or NULL */
};

/* A PDF of it in memory. `look` has both sides of the page and the size of letters: that of what is read; on a page
 * that is wider than high words stand beside the figure. Fails where a page has no room for its heading and a few
 * lines, and where a picture cannot be made. */
bool handout_pdf(const struct handout *h, const struct raster_look *look, struct arena *a,
		 char **data, size_t *len, struct handout_report *report, struct err *err);

#endif
