/* tour.h: a script of commands with words in between, that a lecturer goes through step by step and a student at home.
 *
 * A tour is a list of steps, a step of beats: what one press of a key shows. The scene of a beat is all commands of the
 * file up to its end, run in order on the defaults; so it does not depend on how somebody came there. A tour is read
 * whole, with every scene that it shows, before anything of it is seen. All texts have passed text_escape. */
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

enum {
	TOUR_OPTIONS = 4,
	TOUR_MARKS = 16,   /* of a beat */
	TOUR_STEPS = 200,  /* of a tour, and */
	TOUR_BEATS = 600,  /* of these */
	TOUR_FRAMES = 240, /* of a play */
	TOUR_PARTS = 16	   /* of a lecture */
};

/* A tempting answer, and why it fails; option -1: of a free question. */
struct tour_wrong {
	int option;
	const char *text;
};

/* A thing that is pointed out, by the words of whatever sentence is shown. */
struct tour_mark {
	enum mark_kind kind;
	struct quantity_place t, s;
	long diagonal;
	const char *name; /* of a curve, a place on its axis, a line of a card, a heading */
};

/* A parameter or a field that runs from one value to another: a scene for each frame, of which the last is that of
 * the beat. */
struct tour_play {
	const char *name; /* NULL: nothing is played */
	const char *text; /* "base 10..10000" */
	const char *from, *to;
	struct scene *frames; /* [n] */
	const char **values;  /* [n] as people read them: "10" */
	size_t n;
	double seconds; /* of all of it */
};

struct tour_expect {
	struct expect is;
	size_t line;
};

struct tour_beat {
	size_t step;	       /* from 0 */
	size_t line;	       /* of the file, from 1 */
	bool reveals;	       /* it answers the question of the beat before it */
	const char *say, *ask; /* NULL: none */
	const char *options[TOUR_OPTIONS];
	size_t n_options;
	int right;	    /* of them, or -1 */
	const char *answer; /* of a free question; NULL */
	const struct tour_wrong *wrong;
	size_t n_wrong;
	struct scene scene;
	const char *focus; /* the pane that is meant, as view_pane knows it; NULL: no choice */
	bool fell_back;	   /* of "view A or B" it is B */
	const struct tour_mark *marks;
	size_t n_marks;
	struct tour_play play;
	const struct tour_expect *expects;
	size_t n_expects;
	const char *
		refused; /* the scene cannot be computed: its message has this, and is the picture */
};

struct tour_step {
	const char *title;
	double seconds;	 /* planned; 0: it does not say */
	size_t first, n; /* beats */
	const char **notes, **sources;
	size_t n_notes, n_sources;
	size_t line, part; /* part: of a lecture, from 0 */
};

/* A tour of a lecture, or the whole tour. */
struct tour_part {
	const char *name, *title, *author, *about;
	const char *file; /* in front of errors */
	size_t first, n;  /* steps */
};

struct tour {
	const char *name; /* "order": of a file its name without folder and ending */
	const char *path; /* of a file, absolute; NULL: it is one of ours, or was made */
	const char *title, *author, *about; /* author, about: "" for none */
	struct tour_step *steps;
	size_t n_steps;
	struct tour_beat *beats;
	size_t n_beats;
	struct tour_part parts[TOUR_PARTS];
	size_t n_parts;
	double seconds; /* planned, of all steps */
};

/* Faults of a tour, and what may be meant otherwise: a line each, "FILE:LINE: message". */
struct tour_report {
	struct arena *arena;
	struct tour_line {
		const char *text;
		bool warning; /* the tour can be shown all the same */
		bool untrue;  /* an expectation does not hold */
	} * lines;
	size_t n, cap;
	size_t errors, untrue, warnings;
	size_t expects;	  /* that were looked at */
	size_t fell_back; /* steps where the second choice of a view was taken */
};

/* How much of a tour is looked at: its lines; the scenes as well; and what it expects of them. */
enum tour_depth { TOUR_LINES, TOUR_SCENES, TOUR_EXPECTS };

/* Reads a tour from text; `name` stands in front of errors. All errors go into `report`, whose arena is set; false when
 * there are any, be it that an expectation is false. `cache` and `watch` may be NULL. The tour lives in `a`. */
bool tour_read(const char *name, const char *text, size_t len, enum tour_depth depth,
	       struct cache *cache, struct watch *watch, struct arena *a, struct tour *out,
	       struct tour_report *report);

/* A place in a tour: "order", "order#3", "lesson.tour#3.2"; step and beat from 1, beats counted in the step; 0: not
 * said. */
struct tour_spec {
	const char *name; /* "order", "lesson.tour" */
	size_t step, beat;
};
/* Tells whether a text can be such a place: a file that ends in .tour or .tours or begins with that, or, where `ours`, the
 * name of one of ours. */
bool tour_spec_is(const char *text, bool ours);
/* Tells whether it is the name of one of ours. */
bool tour_is_ours(const char *name);
bool tour_spec_parse(const char *text, struct arena *a, struct tour_spec *out, struct err *err);
/* The beat that it means, from 0: of a step alone the first, or the last of it. */
bool tour_spec_beat(const struct tour_spec *spec, const struct tour *t, bool last, size_t *beat,
		    struct err *err);

/* Opens a tour of ours by its name, or a file; a lecture, a list of such names, as one tour of several parts; names of several
 * files, a line each, as tour_of_files. Ours are known to
 * be right, and are looked at no deeper than their lines, unless `depth` is TOUR_EXPECTS. The error is the first of the
 * report, which may be NULL. */
bool tour_open(const char *name, enum tour_depth depth, struct cache *cache, struct watch *watch,
	       struct arena *a, struct tour *out, struct tour_report *report, struct err *err);
/* Files of scenes, as a tour with a step of each. */
bool tour_of_files(const char *const *paths, size_t n, struct arena *a, struct tour *out,
		   struct err *err);

/* Ours, in the order of their lecture. */
struct tour_name {
	const char *name, *title, *about;
	size_t steps;
	double seconds;
	bool lecture; /* a list of tours */
};
const struct tour_name *tours_all(struct arena *a, size_t *n);

/* The words of a beat; clock, note and choice are for whoever shows it. */
struct lesson tour_lesson(const struct tour *t, size_t beat, struct arena *a);

/* The place of a beat, as tour_spec_parse reads it: "order#3.2", of a file with its absolute name; NULL: of a tour that has
 * no name by which it is found again. */
const char *tour_where(const struct tour *t, size_t beat, struct arena *a);

/* "9:00" */
const char *tour_time(double seconds, struct arena *a);
/* "a", "b", ... */
char tour_letter(int option);

/* ---- going through one --------------------------------------------------------------------------- */

/* Somebody's way through a tour. Fields of the room (theme, presenter, the sizes of pages) are kept through all of it, as
 * far as the tour does not say otherwise; the scene before comes back at its end. */
struct tour_run {
	const struct tour *tour; /* NULL: none is shown */
	size_t beat;
	struct scene before; /* the tour, with */
	size_t pane;	     /* the pane that had the focus, and */
	struct scene *undo;  /* [n_undo] what could be taken back */
	size_t n_undo;
	double begun;	   /* in seconds of the steady clock: the tour, */
	double step_begun; /* and the step */
	double *spent;	   /* [n_steps] seconds in each */
	bool stands;	   /* the clock does, */
	double stood;	   /* since then */
};

const struct tour_beat *tour_now(const struct tour_run *run);
const struct tour_step *tour_step_now(const struct tour_run *run);
/* A scene of a tour as a room shows it that has looked at `room`. */
void tour_keep_room(struct scene *scene, const struct scene *room);
/* The scene of a beat as the room shows it. */
struct scene tour_scene(const struct tour_run *run, size_t beat);
/* The same of one of the pictures that its play goes through. */
struct scene tour_frame(const struct tour_run *run, size_t beat, size_t frame);
/* The scene that comes back at the end, were it now. */
struct scene tour_room(const struct tour_run *run, const struct app *app);
/* Tells whether the app shows something else than the beat, where the cursor stands aside. */
bool tour_left_path(const struct tour_run *run, const struct app *app);

/* From here on the app's scene is the beat's; each of these is one entry of its history where something was changed by
 * hand, and none else. What was changed before the tour is not taken back in it, but after its end, when what was changed
 * in it is behind that. `now`: seconds of the steady clock. */
void tour_begin(struct tour_run *run, const struct tour *tour, size_t beat, struct app *app,
		double now);
void tour_show(struct tour_run *run, size_t beat, struct app *app, double now);
/* To the beat itself where something was changed, else to the next one; false at the end. */
bool tour_forward(struct tour_run *run, struct app *app, double now);
/* The beat before; after a change the same as forward. False at the beginning. */
bool tour_backward(struct tour_run *run, struct app *app, double now);
/* Brings back what was there before the tour. */
void tour_end(struct tour_run *run, struct app *app);
double tour_elapsed(const struct tour_run *run, double now);
/* Seconds in the present step, all times that it was shown. */
double tour_spent(const struct tour_run *run, double now);
/* Lets the clock stand, or run again; and sets it. */
void tour_pause(struct tour_run *run, double now);
void tour_set_clock(struct tour_run *run, double elapsed, double now);
/* Gives a tour that goes on the time that its clock said, whether that stood, and the seconds of each of n steps, which
 * nobody knows of a tour that has others now. */
void tour_take_times(struct tour_run *run, const double *spent, size_t n, double elapsed,
		     bool stands, double now);

/* ---- pictures -------------------------------------------------------------------------------------- */

/* The picture of a beat as a scene shows it, with what is pointed out; `measured`: with what its panels say of measures.
 * Of a beat that is refused false, and the error is what it shows. *pane: that is meant, SIZE_MAX: no choice. */
struct picture;
bool tour_picture(const struct tour_beat *beat, const struct scene *scene, bool measured,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, size_t *pane, struct err *err);
/* The play of a beat as an animated PNG that stays at its last frame, which is `scene`: that of the beat as the room shows
 * it. The beat plays something. */
bool tour_apng(const struct tour_beat *beat, const struct scene *scene, struct cache *cache,
	       struct watch *watch, struct arena *a, char **data, size_t *len, struct err *err);
/* Points out in a figure of a run what the beat does, as far as the words are there, and on a figure without a cursor
 * puts one on the first cell of these; and the pane that is meant, as above. */
void tour_mark(const struct tour_beat *beat, const struct scene *scene, const struct trace *trace,
	       struct arena *a, struct figure *f, size_t *pane);
/* Marks of the beat among these rows and columns, as figure_mark has them; how many. */
size_t tour_marks(const struct tour_beat *beat, const struct trace *trace,
		  struct mark out[TOUR_MARKS]);
/* The first cell that it points out, from 1; false: there is none. */
bool tour_cell(const struct tour_beat *beat, const struct trace *trace, long *row, long *col);

/* ---- on paper ---------------------------------------------------------------------------------------- */

/* Wishes about a hand-out. */
struct tour_paper {
	const struct scene *room; /* whose page it is: size, letters, font, theme; and the memory */
	enum handout_shows shows;
	size_t step; /* from 1, that alone; 0: all */
	bool sheet;  /* exercises: one below the other, without a list of contents */
};

/* A picture of a beat on paper: the pane that is meant and what it is compared with, by itself. `scene`, which shows the
 * same, is that of the beat in the room. Of a beat that is refused false, and the error is what it shows. */
bool tour_paper_picture(const struct tour *t, size_t beat, const struct tour_paper *paper,
			enum background background, struct cache *cache, struct watch *watch,
			struct arena *a, struct picture *out, struct scene *scene, struct err *err);
/* What stands on paper of a tour, but for how its pictures are made: they are beats. */
void tour_paper(const struct tour *t, const struct tour_paper *paper, struct arena *a,
		struct handout *out);
/* The line under a picture on paper: sentence, title, scheme, head. */
const char *tour_paper_below(const struct figure *f, struct arena *a);

/* A picture that is a file of its own, for tour_markdown. */
struct tour_image {
	const char *name;    /* "02-man-bites-dog.png" */
	size_t step, beat;   /* from 0; step: among those of the hand-out */
	size_t question;     /* SIZE_MAX: it is that of the step, else of an answer */
	const char *alt;     /* what it shows; made when it is */
	const char *message; /* of a beat that is refused: in place of it; NULL */
};
/* Pictures of a hand-out, by what they are called with such an ending. */
struct tour_image *tour_images(const struct handout *h, const char *ending, struct arena *a,
			       size_t *n);
/* Its words in Markdown, with these pictures. */
const char *tour_markdown(const struct handout *h, const struct tour_image *images, size_t n,
			  struct arena *a);
/* The page that a scene asks for: A4 where nobody chose one. */
struct raster_look tour_paper_look(const struct scene *room);
/* A tour, also one made in memory, as a PDF: a page a step, then the answers. */
bool tour_handout(const struct tour *t, const struct tour_paper *paper, struct cache *cache,
		  struct watch *watch, struct arena *a, char **data, size_t *len,
		  struct handout_report *report, struct err *err);

#endif
