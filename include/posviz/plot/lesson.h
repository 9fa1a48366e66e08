/* lesson.h: the words of a step of a lecture beside a figure: text, question, and progress. */
#ifndef POSVIZ_LESSON_H
#define POSVIZ_LESSON_H

#include "posviz/plot/canvas.h"

/* LESSON_HEAD: rows of words above a presented figure, because the words of the step are below
 * it. */
enum { LESSON_OPTIONS = 4, LESSON_HEAD = 2 };

/* The words of a step. Every text is escaped; NULL: none. */
struct lesson {
	const char *title;    /* title of the step */
	const char *progress; /* "4/12" */
	const char *clock;    /* "3:20 of 9:00" */
	const char *say, *ask;
	const char *options[LESSON_OPTIONS]; /* lettered a, b, c, d */
	size_t n_options;
	/* indices of options to mark; -1: none yet */
	int chosen, right;
	const char *answer;  /* answer to the question before: "b  Move with their words" */
	const char *playing; /* the value of a running animation: "base 100" */
	const char *note;    /* at the edge: "changed: space goes back" */
	int first;	     /* rows of the words that are scrolled off at the top */
};

/* Returns the most rows that words may have of so many, because a figure keeps some. */
int canvas_lesson_room(int rows);
/* Returns the rows that its title and words need in so many columns, at most `most`. */
int canvas_lesson_rows(const struct canvas *c, const struct lesson *l, int cols, int most);
/* Draws them below a rule with its title. A line says that there are more words if they do not fit:
 * "space: more". Returns the rows of words that are visible; *of (may be NULL) gets their number in
 * all. */
int canvas_lesson(struct canvas *c, struct rect r, const struct lesson *l, int *of);

/* Draws a message that replaces a figure, large, under a title (may be NULL). */
void canvas_message(struct canvas *c, struct rect r, const char *title, const char *text);

/* Draws a screen of a lecture without a terminal: the figure above and the words below. A presented
 * figure shows the panel `pane`, SIZE_MAX: the first that has values. `message` replaces a figure
 * that does not exist. Returns as canvas_lesson does. */
int canvas_lecture(struct canvas *c, const struct figure *f, size_t pane, const char *message,
		   const struct lesson *l, int *of);

#endif
