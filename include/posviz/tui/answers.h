/* answers.h: what a terminal says of itself when it is asked, read byte by byte. */
#ifndef POSVIZ_ANSWERS_H
#define POSVIZ_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/strbuf.h"
#include "posviz/plot/colormap.h"

/* The answers so far; zero is nothing. */
struct answers {
	bool attributes; /* the last question was answered, so all are that ever will be */
	bool sixel, kitty;
	bool synchronized; /* DEC mode 2026 can be set */
	int registers;	   /* colours of sixels, and the pixels that they may take; 0: not said */
	int sixel_width, sixel_height;
	int width, height; /* pixels of the text; 0: not said */
	enum background background;
};

/* Bytes of an answer that is not all there. */
enum { ANSWER_BYTES = 64, ANSWER_MOST = 4096 };
struct answer_bytes {
	enum answer_state {
		ANSWER_NONE,
		ANSWER_ESC,
		ANSWER_CSI,
		ANSWER_STRING,
		ANSWER_ENDING
	} state;
	char kind; /* of a string: ']', '_' or 'P' */
	char text[ANSWER_BYTES];
	size_t n;    /* of `text`, which lacks what is too much, */
	size_t read; /* and of all */
};

/* The answers that keys are told from: how they begin. Ends with NULL. */
extern const char *const answer_begins[];

/* Questions; `kitty` and `background` are asked only where they are set. The attributes come last: every terminal knows
 * that question, and none answers out of turn. */
struct questions {
	bool kitty, tmux; /* tmux: of the terminal around it, which tmux has to allow */
	bool background, modes;
	bool pixels;	/* how many the text has */
	bool registers; /* more colours for sixels */
};
#define ANSWERS_REGISTERS "\033[?1;3;256S"
void answers_ask(const struct questions *q, struct strbuf *out);

/* Takes a byte; `out` gets what an answer says that ends with it. False when the byte belongs to no
 * answer. */
bool answers_take(struct answer_bytes *a, unsigned char byte, struct answers *out);
/* Begins an answer whose first bytes were seen by somebody else. */
void answers_begin(struct answer_bytes *a, const char *bytes);

#endif
