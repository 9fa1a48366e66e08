/* handout.h: a lecture on paper: pages with figures and their text, questions, and answers on pages
 * of their own.
 *
 * The handout is a value that holds the words of all pages, while a figure is made only when its
 * page is drawn. The division into pages depends on the words alone, so the list of contents is
 * right before any figure was made. All text has passed text_escape. */
#ifndef POSVIZ_HANDOUT_H
#define POSVIZ_HANDOUT_H

#include "posviz/plot/raster.h"

enum { HANDOUT_OPTIONS = 4, HANDOUT_PICTURES = 2 };
static const size_t HANDOUT_NO_PICTURE = SIZE_MAX;

struct handout_question {
	const char *ask;
	const char *options[HANDOUT_OPTIONS]; /* lettered a, b, c, d */
	size_t n_options;		      /* 0: lines to write on are drawn */
	int right;			      /* index of the right option, or -1 */
	const char *answer;		      /* answer to a question without options; or NULL */
	const char *const *after;	      /* [n_after] paragraphs after the answer */
	size_t n_after;
	size_t picture; /* picture of the answer */
};

/* The content under one heading. */
struct handout_step {
	const char *title;
	size_t number, part;
	size_t pictures[HANDOUT_PICTURES];
	size_t n_pictures;
	const char *const *says; /* [n_says] paragraphs before the first question */
	size_t n_says;
	const struct handout_question *questions;
	size_t n_questions;
	const char *const *sources;
	size_t n_sources;
};

struct handout_part {
	const char *title;
};

/* A figure, or the message that replaces it. */
struct handout_figure {
	const struct figure *figure; /* NULL: `message` is printed */
	const char *message;
	const char *below; /* one line: expression, sentence, head */
};

enum handout_shows { HANDOUT_BOTH, HANDOUT_QUESTIONS, HANDOUT_ANSWERS };

struct handout {
	const char *title, *author, *about; /* author, about: "" for none */
	const char *length;		    /* "12 steps, 9 minutes" */
	const char *maker;		    /* "posviz 0.1" */
	const struct handout_part *parts;   /* the chapters of a lecture, if there are several */
	size_t n_parts;
	const struct handout_step *steps;
	size_t n_steps;
	enum handout_shows shows;
	size_t per_page; /* steps on a page, more if they are short; 1 or 0: each has its own */
	/* exercises: one below the other, without a list of contents */
	bool sheet;
	/* Makes the picture `id`. Its memory comes from `a`, which stays valid until its page is
	 * drawn. */
	bool (*picture)(void *context, size_t id, bool dark, struct arena *a,
			struct handout_figure *out, struct err *err);
	void *context;
};

/* A report on the drawing, page by page. */
struct handout_report {
	struct raster_report *pages;
	size_t n;
	size_t missing_glyphs;
	const char *missing_sample; /* the first text with one, or NULL */
};

/* Returns a PDF of the handout in memory. `look` gives width and height of the page and the size of
 * the body text; if the page is wider than high, the words are beside the figure. Fails if a page
 * has no room for its heading and a few lines, or if a picture cannot be made. */
bool handout_pdf(const struct handout *h, const struct raster_look *look, struct arena *a,
		 char **data, size_t *len, struct handout_report *report, struct err *err);

#endif
