/* part.h: what a part of the terminal program does, and when. A part is a file that defines its `part_NAME`, and a line of
 * part_list.h; the loop, drawing and keys know of it by that table alone. */
#ifndef POSVIZ_TUI_PART_H
#define POSVIZ_TUI_PART_H

#include <stdbool.h>
#include <stddef.h>

struct tui;
struct canvas;
struct key;
struct layout;
struct pollfd;

/* Moments at which every part that has something to do is called. */
enum part_moment {
	PART_OPEN,  /* before the first picture is asked for */
	PART_CLOSE, /* the program ends, and the screen still stands */
	PART_GONE,  /* the screen is gone: last words, and memory */
	PART_TURN, /* after keys and whatever else came, in each turn of the loop, unless the program ends */
	PART_TICK,     /* a frame is due: what only the clock changes */
	PART_DRAWN,    /* after a frame */
	PART_ANSWERED, /* the terminal has said something of itself */
	PART_RESIZED,  /* the screen has another size, or other colours */
	PART_LOST,     /* what was on the screen is not there any more */
	PART_MOMENTS
};

/* Every hook may be NULL. */
struct tui_part {
	size_t arena; /* of struct tui, by its offset: from PART_OPEN to behind PART_GONE; 0: none */
	void (*at[PART_MOMENTS])(struct tui *t);
	/* Files that it waits for: fds[n_fds] at most, how many; and what came of them, also nothing. */
	size_t n_fds;
	size_t (*poll)(const struct tui *t, struct pollfd *fds);
	void (*serve)(struct tui *t, const struct pollfd *fds, size_t n);
	/* When the next turn comes at the latest, in seconds of the steady clock; INFINITY: whenever something happens. */
	double (*due)(const struct tui *t);
	/* Its bytes are on the way to the terminal, and nobody else's may come between. */
	bool (*holds)(const struct tui *t);
	/* True: the key was its, and means nothing to those behind it. */
	bool (*key)(struct tui *t, const struct key *key);
	/* Its place on the screen, over what was drawn before; while `alone`, it is the last that is drawn. */
	void (*draw)(struct tui *t, struct canvas *c, const struct layout *l);
	bool (*alone)(const struct tui *t);
};

#define PART(id) extern const struct tui_part part_##id;
#include "part_list.h"
#undef PART

/* In the order of the list. */
enum part_id {
#define PART(id) PART_IS_##id,
#include "part_list.h"
#undef PART
	PART_COUNT
};
extern const struct tui_part *const tui_parts[PART_COUNT];

/* PART_CLOSE and PART_GONE go backwards. */
void parts_at(struct tui *t, enum part_moment moment);

/* Files of all parts, fds[PART_FDS], and how many each has; returns how many there are. */
enum { PART_FDS = 12 };
size_t parts_poll(const struct tui *t, struct pollfd *fds, size_t counts[PART_COUNT]);
void parts_serve(struct tui *t, const struct pollfd *fds, const size_t counts[PART_COUNT]);
double parts_due(const struct tui *t);
bool parts_hold(const struct tui *t);
bool parts_key(struct tui *t, const struct key *key);
void parts_draw(struct tui *t, struct canvas *c, const struct layout *l);

#endif
