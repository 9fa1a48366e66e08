/* touring.h: a tour in the terminal program. */
#ifndef POSVIZ_TUI_TOURING_H
#define POSVIZ_TUI_TOURING_H

#include "posviz/app/write.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_run.h"

struct tui;
struct layout;

enum { TOURS_LEFT = 16 };

/* A tour that was left, so that it goes on from there; the newest first. */
struct tour_left {
	const char *name, *title, *step; /* name: as it is opened; interned */
	size_t number, steps;		 /* of the step, of so many */
	size_t beat;			 /* of the step, from 1 */
	double seconds;			 /* planned, of all */
	double elapsed;			 /* its clock, which does not go on */
	const double *spent;		 /* [steps] seconds in each */
	bool stands;			 /* it did then */
};

struct touring {
	struct tour_run run;	/* .tour NULL: none is shown */
	struct arena arenas[2]; /* of the tour, and one to read another in */
	size_t at;
	bool pointing; /* what the beat points at has the focus and the cursor once its picture is there */
	int words;	/* rows of its words that were read and are left out above; */
	int seen, of;	/* as they were drawn: in sight, and all */
	bool ended;	/* somebody wanted to go on at its end */
	double next_at; /* when it goes on by itself */
	struct tour_left left[TOURS_LEFT];
	size_t n_left;
	struct tour_reading *reading;
	bool choosing_tour; /* the menu has tours, not steps */
	struct tours_list {
		struct arena arena;
		const struct tour_name *ours;
		size_t n; /* 0: not asked for yet */
	} * list;
};

/* touring.c */
bool touring(const struct tui *t);
/* Tells whether a pane of its beat is spoken of. */
bool tour_leads(const struct tui *t);
/* Tells whether it asks something: then no other pane is shown, which might hold the answer, nor what was measured. */
bool tour_asks(const struct tui *t);
/* Tells whether it asks for one of some answers, which letters choose; not of a quiz. */
bool tour_has_options(const struct tui *t);
/* A letter is pressed that an answer has: says which key shows the right one. */
void tour_reply(struct tui *t);
bool tour_is_left(const struct tui *t);	   /* something else is shown than the beat */
bool tour_is_refused(const struct tui *t); /* the message is the picture */
void touring_open(struct tui *t);
void touring_close(struct tui *t); /* the scene is the user's own again */
/* Requests: the beats beside the present one, out of it. */
void tour_next(struct tui *t);
void tour_back(struct tui *t);
void tour_leave(struct tui *t);
/* The one that was left last; NULL: none was. */
const struct tour_left *tour_left_last(const struct tui *t);

/* tour_reading.c: a tour by its name, the step from 1 or 0: what is wrong is said. A file is read beside the screen, and
 * shown when it is there and nothing is typed or open. */
void tour_choose(struct tui *t, const char *name, size_t step);
/* Into one that was left, where and when that was. */
void tour_go_on(struct tui *t, const struct tour_left *left);
/* Requests: the tour or step that is named; the tour that a picture which was opened is of. */
void tour_request(struct tui *t);
void tour_follow_picture(struct tui *t);
struct tour_reading *reading_new(struct arena *a);
int reading_fd(const struct tui *t); /* is readable when one was read; -1: none is */
void reading_follow(struct tui *t);  /* it is shown, if it was read and may be */
bool reading_give_up(struct tui *t); /* false: none is read */
void reading_stop(struct tui *t);    /* nobody wants it; and once the screen is gone: */
void reading_free(struct tui *t);

/* tour_end.c: what comes after the last beat. The tour that follows in the list, NULL: none; whether the end was said and
 * a key leads there; what stands at the edge then, in so many columns, or NULL. */
const struct tour_name *tour_after(const struct tui *t);
bool tour_ends(const struct tui *t);
const char *tour_end_note(const struct tui *t, int cols, struct arena *a);
void tour_on(struct tui *t); /* there */

void tour_jump(struct tui *t, size_t beat);
/* Begins a tour that was made, and lives as long as it is shown; and ends any. */
void tour_start(struct tui *t, const struct tour *tour);
/* Begins a tour that was read: its memory is arenas[!at], or lives long enough. `by_picture`: the scene that is shown is its beat, or a change
 * of it that can be taken back. */
void tour_enter(struct tui *t, const struct tour *tour, size_t beat);
void tour_enter_by_picture(struct tui *t, const struct tour *tour, size_t beat);
void tour_stop(struct tui *t);
/* When a picture came: puts the cursor, where there is none, on the first cell that is pointed out; when its figure was made: marks what is
 * pointed out, and moves the focus. */
void tour_cursor(struct tui *t);
void tour_figure(struct tui *t, const struct scene *scene);
/* The place in the tour and what is pointed out, for a picture. */
void tour_place(struct tui *t, struct write_look *look);

/* tour_band.c: its words, below the figure */
int tour_band_rows(const struct tui *t, int cols, int room);
void tour_band_draw(struct tui *t, struct canvas *c, struct rect r);
/* To the words that had no room, or back; false: there are no more. */
bool tour_words_turn(struct tui *t, int direction);

/* tours_menu.c: what there is to choose from */
void tours_open(struct tui *t);
bool tours_answer(struct tui *t, enum request what);
void tours_choose(struct tui *t, size_t i);
void tours_draw(struct tui *t, struct canvas *c);
/* Ours, read once. */
const struct tour_name *tours_ours(const struct tui *t, size_t *n);

#endif
