/* prompt.h: lines being edited, a text that is pasted, tokens being moved and words being hung elsewhere. */
#ifndef POSVIZ_TUI_PROMPT_H
#define POSVIZ_TUI_PROMPT_H

#include "mode.h"
#include "posviz/app/app.h"
#include "posviz/plot/canvas.h"

struct tui;
struct line;
struct key;

enum { PROMPT_BYTES = 8192 };

/* A line being edited. */
struct prompt {
	char text[PROMPT_BYTES];
	size_t len, at;		  /* bytes; `at`: the cursor */
	size_t given;		  /* bytes that it began with and Ctrl-u leaves at first */
	struct scene before;	  /* what Esc restores, */
	size_t param;		  /* and the parameter chosen then */
	char typed[PROMPT_BYTES]; /* what completion or recall began with */
	bool completing;	  /* `candidate` of those for `typed` stands in the line */
	size_t candidate;
	/* How what was typed may go on; made anew when that is another text. */
	struct arena arena;
	const char *of; /* NULL: not made yet */
	struct completion *menu;
	size_t n_menu;
	size_t recall;	  /* lines back in the history; 0: the new line */
	bool pasted;	  /* a text was pasted, and what follows an edit is not done yet */
	char said[256];	  /* what is asked for; "" for nothing */
	struct err wrong; /* why the command that is typed could not be run; "" for none */
};

/* The state of both modes, moving tokens and hanging words. */
struct permute {
	size_t token; /* place of the cursor, or word */
	bool lifted;
	struct scene before; /* what dropping by Esc restores */
};

/* The text that is pasted where no line is typed, until its end comes. */
enum { PASTED_BYTES = 1 << 16 };
struct pasted {
	char text[PASTED_BYTES];
	size_t len;
	bool more; /* there was no room for all of it */
};

/* prompt.c, prompt_line.c */
void prompt_open(struct tui *t, enum mode mode, const char *text);
/* pasting.c: takes a key of a text that is pasted where nothing is typed; at its end it becomes the sentence. */
void paste_key(struct tui *t, const struct key *key);
void prompt_type(struct tui *t, const struct key *key); /* what it types, or pastes */
/* Does what follows an edit, a preview or a list, for a text that was pasted: once for all of its letters. */
void prompt_follow(struct tui *t);
bool prompt_answer(struct tui *t, enum request what);
void prompt_cancel(struct tui *t);
void prompt_preview(struct tui *t); /* of a search: what would be picked */
void prompt_choose(struct tui *t, size_t candidate);
void prompt_draw_search(struct tui *t, struct canvas *c); /* in a box */
void prompt_clear(struct tui *t);			  /* nothing is typed yet */
/* How a command may go on, in t->prompt.menu. */
void prompt_menu(struct tui *t);
/* Moves the cursor or erases; false when the request is neither. */
bool prompt_edit(struct tui *t, enum request what);

/* permute.c */
void permute_open(struct tui *t);
bool permute_answer(struct tui *t, enum request what);
/* The token at a place to another; false when it cannot go there. */
bool permute_move(struct tui *t, size_t from, size_t to);
/* The tokens in the line, those that moved marked by form and by number. */
void permute_draw(struct line *l);
/* The place now of the token behind a unit of an axis; false when it does not move. */
bool permute_place(const struct tui *t, const struct axis *axis, size_t unit, size_t *place);

/* hang.c */
void hang_open(struct tui *t);
bool hang_answer(struct tui *t, enum request what);
/* The words of the tree in a row, and what the one under the cursor hangs on; or the nodes of the graph, and the edge. */
void hang_draw(struct line *l);
/* The footer's word for moving them in the picture, "heads" or "edges"; NULL where there is nothing to move. */
const char *hang_word(const struct tui *t);
/* Tells whether the picture is of a graph. */
bool hang_moves_edges(const struct tui *t);

#endif
