/* tour.h: a script of commands and words, shown step by step by a lecturer or at home.
 *
 * A tour is a list of steps, a step is a list of beats; one press of a key shows the next beat. The
 * scene of a beat is the result of all commands of the file up to its end, run in order on the
 * defaults, whatever was shown before. A tour is read whole, with all its scenes, before it is
 * shown. All texts have passed text_escape. */
#ifndef POSVIZ_TOUR_H
#define POSVIZ_TOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/app.h"
#include "posviz/base/watch.h"
#include "posviz/plot/figure.h"
#include "posviz/plot/handout.h"
#include "posviz/plot/lesson.h"
#include "posviz/quantity/quantity.h"
#include "posviz/scene/scene.h"

enum {			  /* limits */
       TOUR_OPTIONS = 4,  /* of a beat */
       TOUR_MARKS = 16,	  /* of a beat */
       TOUR_STEPS = 200,  /* of a tour */
       TOUR_BEATS = 600,  /* of a tour */
       TOUR_FRAMES = 240, /* of a play */
       TOUR_PARTS = 16	  /* of a lecture */
};

/* A plausible wrong answer and why it is wrong; option -1: to a free question. */
struct tour_wrong {
	int option;
	const char *text;
};

/* An object to point out, found by the words of the shown sentence. */
struct tour_mark {
	enum mark_kind kind;
	struct quantity_place t, s;
	long diagonal;
	const char *name; /* of a curve, a place on its axis, a line of a card, a heading */
};

/* A parameter or field that runs between two values: a scene per frame, the last is the beat's. */
struct tour_play {
	const char *name; /* NULL: nothing is played */
	const char *text; /* "base 10..10000" */
	const char *from, *to;
	struct scene *frames; /* [n] */
	const char **values;  /* [n] as shown to people: "10" */
	size_t n;
	double seconds; /* for all frames */
};

struct tour_expect {
	struct expect is;
	size_t line;
};

struct tour_beat {
	size_t step;	       /* from 0 */
	size_t line;	       /* of the file, from 1 */
	bool reveals;	       /* it answers the question of the beat before */
	const char *say, *ask; /* NULL: none */
	const char *options[TOUR_OPTIONS];
	size_t n_options;
	int right;	    /* the right option, or -1 */
	const char *answer; /* to a free question, or NULL */
	const struct tour_wrong *wrong;
	size_t n_wrong;
	struct scene scene;
	const char *focus; /* the pane to look at, as for view_pane; NULL: any */
	bool fell_back;	   /* B was taken of "view A or B" */
	const struct tour_mark *marks;
	size_t n_marks;
	struct tour_play play;
	const struct tour_expect *expects;
	size_t n_expects;
	const char *
		refused; /* the scene cannot be computed: its error has this text, and is shown instead */
};

struct tour_step {
	const char *title;
	double seconds;	 /* planned; 0: not given */
	size_t first, n; /* beats */
	const char **notes, **sources;
	size_t n_notes, n_sources;
	size_t line, part; /* part: of a lecture, from 0 */
};

/* A tour of a lecture, or the whole tour. */
struct tour_part {
	const char *name, *title, *author, *about;
	const char *file; /* named in errors */
	size_t first, n;  /* steps */
};

struct tour {
	const char *name; /* "order"; of a file its name without folder and suffix */
	const char *path; /* absolute, of a file; NULL: built in, or made in memory */
	const char *title, *author, *about; /* author, about: "" if absent */
	struct tour_step *steps;
	size_t n_steps;
	struct tour_beat *beats;
	size_t n_beats;
	struct tour_part parts[TOUR_PARTS];
	size_t n_parts;
	double seconds; /* planned, of all steps */
};

/* The mistakes and warnings of a tour: a line each, "FILE:LINE: message". */
struct tour_report {
	struct arena *arena;
	struct tour_line {
		const char *text;
		bool warning; /* the tour can still be shown */
		bool untrue;  /* an expectation does not hold */
	} * lines;
	size_t n, cap;
	size_t errors, untrue, warnings;
	size_t expects;	  /* that were checked */
	size_t fell_back; /* steps in which a second choice of view was taken */
};

/* How much of a tour is checked: its lines; also its scenes; also its expectations. */
enum tour_depth { TOUR_LINES, TOUR_SCENES, TOUR_EXPECTS };

/* Reads a tour from text into `a`; errors name the file `name`. All errors go into `report`, whose
 * arena is set; returns false if there are any, false expectations included. `cache` and `watch`
 * may be NULL. */
bool tour_read(const char *name, const char *text, size_t len, enum tour_depth depth,
	       struct cache *cache, struct watch *watch, struct arena *a, struct tour *out,
	       struct tour_report *report);

/* A position in a tour: "order", "order#3", "lesson.tour#3.2". */
struct tour_spec {
	const char *name;  /* "order", "lesson.tour" */
	size_t step, beat; /* from 1, the beat within the step; 0: not given */
};
/* Returns whether a text can be one: of a .tour or .tours, or, if `ours`, of a built-in tour. */
bool tour_spec_is(const char *text, bool ours);
bool tour_is_ours(const char *name); /* whether a built-in tour has this name */
bool tour_spec_parse(const char *text, struct arena *a, struct tour_spec *out, struct err *err);
/* Finds the beat of a position, from 0; for a step alone its first, or with `last` its last. */
bool tour_spec_beat(const struct tour_spec *spec, const struct tour *t, bool last, size_t *beat,
		    struct err *err);

/* Opens a built-in tour by its name, or a file; a lecture (a list of tour names) as one tour of
 * several parts; names of several files, a line each, as tour_of_files. Built-in tours are correct,
 * so only their lines are checked unless `depth` is TOUR_EXPECTS. The error is the first of the
 * report, which may be NULL. */
bool tour_open(const char *name, enum tour_depth depth, struct cache *cache, struct watch *watch,
	       struct arena *a, struct tour *out, struct tour_report *report, struct err *err);
/* Makes a tour of files of scenes, a step for each. */
bool tour_of_files(const char *const *paths, size_t n, struct arena *a, struct tour *out,
		   struct err *err);

/* The built-in tours, in the order of their lecture. */
struct tour_name {
	const char *name, *title, *about;
	size_t steps;
	double seconds;
	bool lecture; /* a list of tours */
};
const struct tour_name *tours_all(struct arena *a, size_t *n);

/* Returns the words of a beat, without clock, note and choice. */
struct lesson tour_lesson(const struct tour *t, size_t beat, struct arena *a);

/* Returns "order#3.2", a beat's position, or that with a file's absolute name; NULL: no name. */
const char *tour_where(const struct tour *t, size_t beat, struct arena *a);

const char *tour_time(double seconds, struct arena *a); /* "9:00" */
char tour_letter(int option);				/* 'a', 'b', ... */

/* ---- showing a tour -------------------------------------------------------------------------- */
/* The progress through a tour. Fields of the room (theme, presenter, page sizes) are kept
 * throughout, unless the tour sets them; at its end the scene before it is restored. */
struct tour_run {
	const struct tour *tour; /* NULL: none is shown */
	size_t beat;
	struct scene before; /* scene before the tour */
	size_t pane;	     /* focused pane before the tour */
	struct scene *undo;  /* [n_undo] history before the tour */
	size_t n_undo;
	double begun;	   /* start of the tour, in seconds of the steady clock */
	double step_begun; /* start of the step */
	double *spent;	   /* [n_steps] seconds in each step */
	bool stands;	   /* the clock is paused */
	double stood;	   /* start of the pause */
};

const struct tour_beat *tour_now(const struct tour_run *run);
const struct tour_step *tour_step_now(const struct tour_run *run);
/* Gives `scene` the room's fields, except those that it sets itself. */
void tour_keep_room(struct scene *scene, const struct scene *room);
/* Returns the scene of a beat with the room's fields. */
struct scene tour_scene(const struct tour_run *run, size_t beat);
/* Returns the same for a frame of its play. */
struct scene tour_frame(const struct tour_run *run, size_t beat, size_t frame);
/* Returns the scene that would be restored if the tour ended now. */
struct scene tour_room(const struct tour_run *run, const struct app *app);
/* Returns whether the app shows another scene than the beat's, apart from the cursor. */
bool tour_left_path(const struct tour_run *run, const struct app *app);

/* These set the app's scene to the beat's; each adds one entry to its history if the user changed
 * something, else none. Changes before the tour cannot be undone in it, but after its end, after
 * those made in it. `now`: seconds of the steady clock. */
void tour_begin(struct tour_run *run, const struct tour *tour, size_t beat, struct app *app,
		double now);
void tour_show(struct tour_run *run, size_t beat, struct app *app, double now);
/* Returns to the beat if the user changed something, else shows the next; false at the end. */
bool tour_forward(struct tour_run *run, struct app *app, double now);
/* Does the same, but shows the beat before; false at the beginning. */
bool tour_backward(struct tour_run *run, struct app *app, double now);
void tour_end(struct tour_run *run, struct app *app); /* restores the scene before the tour */
double tour_elapsed(const struct tour_run *run, double now); /* seconds */
double tour_spent(const struct tour_run *run, double now);   /* in this step, in all visits */
void tour_pause(struct tour_run *run, double now);	     /* pauses or resumes the clock */
void tour_set_clock(struct tour_run *run, double elapsed, double now);
/* Restores clock and pause, and the seconds of n steps if the tour still has n steps. */
void tour_take_times(struct tour_run *run, const double *spent, size_t n, double elapsed,
		     bool stands, double now);

/* ---- pictures -------------------------------------------------------------------------------- */
/* Makes the picture of a beat for a scene, with its marks; `measured`: with measures. For a refused
 * beat returns false with the error to show. *pane: the pane to look at; SIZE_MAX: any. */
struct picture;
bool tour_picture(const struct tour_beat *beat, const struct scene *scene, bool measured,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, size_t *pane, struct err *err);
/* Writes the beat's play, which must exist, as an animated PNG that ends with the beat's
 * `scene`. */
bool tour_apng(const struct tour_beat *beat, const struct scene *scene, struct cache *cache,
	       struct watch *watch, struct arena *a, char **data, size_t *len, struct err *err);
/* Marks the beat's objects whose words exist in a figure, and puts a missing cursor on their first
 * cell; finds the pane as above. */
void tour_mark(const struct tour_beat *beat, const struct scene *scene, const struct trace *trace,
	       struct arena *a, struct figure *f, size_t *pane);
/* Finds the beat's marks among the rows and columns, as for figure_mark; returns how many. */
size_t tour_marks(const struct tour_beat *beat, const struct trace *trace,
		  struct mark out[TOUR_MARKS]);
/* Finds the first marked cell, from 1; false: there is none. */
bool tour_cell(const struct tour_beat *beat, const struct trace *trace, long *row, long *col);

/* ---- on paper -------------------------------------------------------------------------------- */
/* Options of a hand-out. */
struct tour_paper {
	const struct scene *room; /* for the page's size, letters, font, theme; memory limit */
	enum handout_shows shows;
	size_t step; /* only this step, from 1; 0: all */
	bool sheet;  /* exercises: in sequence on the page, without contents */
	/* steps on a page: 1, 2, 4 or 6; 0: 2, of a lecture 4, and 1 on a page wider than high */
	size_t per_page;
};

/* Makes the picture of a beat on paper: only the pane to look at and those compared with it.
 * `scene` gets the beat's with the room's fields. Returns false as tour_picture does. */
bool tour_paper_picture(const struct tour *t, size_t beat, const struct tour_paper *paper,
			enum background background, struct cache *cache, struct watch *watch,
			struct arena *a, struct picture *out, struct scene *scene, struct err *err);
/* Lists the content of a hand-out; its pictures are given as beats. */
void tour_paper(const struct tour *t, const struct tour_paper *paper, struct arena *a,
		struct handout *out);
/* Returns the line under a picture on paper: sentence, title, scheme, head. */
const char *tour_paper_below(const struct figure *f, struct arena *a);

/* A picture in a file of its own, for tour_markdown. */
struct tour_image {
	const char *name;    /* "02-man-bites-dog.png" */
	size_t step, beat;   /* from 0; step: among the hand-out's */
	size_t question;     /* index; SIZE_MAX: the step's picture, not an answer's */
	const char *alt;     /* description, made with the picture */
	const char *message; /* of a refused beat, in place of the picture; NULL */
};
/* Lists the pictures of a hand-out, with file names of this suffix. */
struct tour_image *tour_images(const struct handout *h, const char *ending, struct arena *a,
			       size_t *n);
/* Returns the hand-out's words in Markdown, with these pictures. */
const char *tour_markdown(const struct handout *h, const struct tour_image *images, size_t n,
			  struct arena *a);
/* Writes a tour, also one made in memory, as a PDF: a page for each step, then the answers. */
bool tour_handout(const struct tour *t, const struct tour_paper *paper, struct cache *cache,
		  struct watch *watch, struct arena *a, char **data, size_t *len,
		  struct handout_report *report, struct err *err);

#endif
