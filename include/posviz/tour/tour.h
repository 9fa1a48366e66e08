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

#include "posviz/base/watch.h"
#include "posviz/plot/figure.h"
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

#endif
