/* lesson.h: the words of a step of a lecture, beside a figure: what is said and asked, and where one is. */
#ifndef POSVIZ_LESSON_H
#define POSVIZ_LESSON_H

#include "posviz/plot/canvas.h"

/* LESSON_HEAD: rows of words above a presented figure, which has those of the step below it. */
enum { LESSON_OPTIONS = 4, LESSON_HEAD = 2 };

/* All texts are escaped; NULL: there is none. */
struct lesson {
	const char *title;    /* of the step */
	const char *progress; /* "4/12" */
	const char *clock;    /* "3:20 of 9:00" */
	const char *say, *ask;
	const char *options[LESSON_OPTIONS]; /* lettered a, b, c, d */
	size_t n_options;
	int chosen, right;   /* of the options, marked; -1: none (yet) */
	const char *answer;  /* of the question before: "b  Move with their words" */
	const char *playing; /* what runs, as it is now: "base 100" */
	const char *note;    /* at the edge: "changed: space goes back" */
	int first;	     /* so many rows of the words are left out above */
};

/* How many of so many rows words may have at most: a figure keeps some. */
int canvas_lesson_room(int rows);
/* Rows that its title and words take at so many columns, at most `most`. */
int canvas_lesson_rows(const struct canvas *c, const struct lesson *l, int cols, int most);
/* Draws them below a rule with its title. Words that have no room are said to be there: "space: more". Returns the
 * rows of words that are seen; *of (may be NULL) gets how many there are. */
int canvas_lesson(struct canvas *c, struct rect r, const struct lesson *l, int *of);

/* What stands in the place of a figure that cannot be: a message, large, under a title (may be NULL). */
void canvas_message(struct canvas *c, struct rect r, const char *title, const char *text);

/* A screen of a lecture without a terminal: the figure, of a presented one the panel `pane`, SIZE_MAX: the first that has
 * something to show, and below it the words. `message`: stands in place of a figure that there is none of. Returns as
 * canvas_lesson does. */
int canvas_lecture(struct canvas *c, const struct figure *f, size_t pane, const char *message,
		   const struct lesson *l, int *of);

#endif
