/* quizzing.h: a quiz in the terminal program: a tour that takes answers. */
#ifndef POSVIZ_TUI_QUIZZING_H
#define POSVIZ_TUI_QUIZZING_H

#include "posviz/tour/quiz.h"

struct tui;

struct quizzing {
	struct arena arena; /* of the quiz */
	struct quiz *quiz;  /* NULL: there was none */
	struct quiz_run run;
};

bool quizzing(const struct tui *t); /* the tour that is shown is the quiz */
/* Requests: a quiz, as the text of the request says; the answer that it says. */
void quiz_request(struct tui *t);
void quiz_choose(struct tui *t);
/* It goes on: a question without an answer has none from here on. */
void quiz_passes(struct tui *t);
/* The score in a box; and in one line. */
void quiz_end(struct tui *t);
const char *quiz_line(struct tui *t);

#endif
