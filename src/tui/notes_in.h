/* notes_in.h: the speaker's terminal: what it knows of the tour that another terminal shows.
 *
 * Its texts it reads itself, from the same file; the other one says where it is. So it goes on showing what it has when the other one
 * has ended, and follows again when it comes back. */
#ifndef POSVIZ_TUI_NOTES_IN_H
#define POSVIZ_TUI_NOTES_IN_H

#include "notes_wire.h"
#include "posviz/app/app.h"
#include "posviz/tour/tour.h"
#include "posviz/tui/tui.h"
#include "terminal.h"

enum notes_link {
	LINK_WAITS,   /* no tour was followed yet */
	LINK_SEVERAL, /* none was named, and more than one is shown */
	LINK_FOLLOWS,
	LINK_LOST, /* its terminal ended without a word */
	LINK_OVER  /* the tour was left */
};

struct notes {
	struct app *app;
	struct terminal terminal;
	struct arena frame;	      /* of one drawing */
	struct canvas_report *report; /* of it; NULL: none is wanted */

	const char *asked, *socket; /* the tour that was named, and its socket; NULL: any */
	struct arena texts[2];	    /* the tour that was read, and the one before it */
	size_t text_at;
	struct tour tour;
	bool has_tour;
	uint64_t hash; /* of it */
	char name[NOTES_NAME];
	bool differs;	    /* from what the other terminal shows */
	struct err unread;  /* why it could not be read anew; "" for nothing */
	const char *others; /* LINK_SEVERAL: which, from `frame_names` */
	struct arena names;

	enum notes_link link;
	int fd; /* -1: none */
	struct notes_reader in;
	long version; /* of the other side, where it is not ours; 0 */
	double try_at;
	struct notes_at at;	/* step 0: not told yet */
	double heard;		/* when that was */
	bool placed;		/* since it was connected to */
	struct notes_at before; /* where the tour was when it was lost or left; step 0: nowhere */
	double before_at;	/* when its clock said so; INFINITY: that went no further */

	char said[512]; /* what a key led to */
	bool unheard;	/* of it: nobody is there, and why */
	char typed[12]; /* a step, as far as it is typed */
	bool typing, helping;
	size_t scroll, most; /* first line of the text in sight; the last that may be it */
	size_t page;	     /* lines in sight */
	bool left;
	int code;
};

/* notes_link.c */
static const double NOTES_RETRY = 0.25; /* seconds between two tries to connect */
/* Reads a tour for its texts; false leaves what was there. */
bool notes_read_tour(struct notes *n, const char *name, struct err *err);
/* Tries to connect where that is due. */
void notes_try(struct notes *n);
void notes_hear(struct notes *n);
/* Asks the other terminal for something; says so when there is none. */
void notes_ask(struct notes *n, enum notes_kind kind, const struct notes_at *at);
/* After it was begun anew: whether its place or its clock is behind what it was, and to go there. What that does, for
 * people: "goes back to 23/70 and 21:10". It is offered until it is taken or declined, or the tour is some steps farther
 * on. */
bool notes_may_resume(const struct notes *n);
void notes_resume(struct notes *n);
const char *notes_resumes(const struct notes *n, struct arena *a);
void notes_hang_up(struct notes *n);
double notes_elapsed(const struct notes *n);
double notes_spent(const struct notes *n);

/* notes_text.c: a beat, as its speaker wants it. */
struct notes_line {
	const char *label;  /* "note"; "" for none */
	const char *letter; /* of an option; "" for none */
	const char *text;
	unsigned attrs; /* of the text */
};
/* The text of such a column, line by line; out[*n] from `a`. In more rows than there are only where all of it
 * is needed. */
struct notes_room {
	size_t rows, cols;
};
enum { NOTES_LABEL = 8, NOTES_LETTER = 3 };
const struct notes_line *notes_lines(const struct tour *t, size_t beat, struct notes_room room,
				     bool ascii, struct arena *a, size_t *n);
/* "the answer, then 5  Two words"; of the last beat that it is the last. */
const char *notes_next(const struct tour *t, size_t beat, bool brief, struct arena *a);
/* The keys, in its place. */
const struct notes_line *notes_help(const struct app *app, size_t cols, bool ascii, struct arena *a,
				    size_t *n);
/* The beat that is shown, from 0; SIZE_MAX: the tour that was read has none such. */
size_t notes_beat(const struct notes *n);

/* notes_draw.c */
void notes_draw(struct notes *n);
struct canvas *notes_frame(struct notes *n, int *cursor_row, int *cursor_col);

#endif
