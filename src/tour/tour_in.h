/* tour_in.h: what the files of the tour share: a tour while it is read. */
#ifndef POSVIZ_TOUR_IN_H
#define POSVIZ_TOUR_IN_H

#include "posviz/tour/tour.h"

/* Facts of a beat that are known only while it is read. */
struct draft {
	/* Lines of this beat; 0: it has none of its own. */
	size_t marks_line, focus_line, say_line, play_line, refused_line;
	size_t option_line, wrong_lines[TOUR_OPTIONS]; /* the last option; wrong, of each */
	bool broken; /* one of its commands failed: its scene is not what was meant */
	bool asked;  /* reveal: the beat before it has a question */
};

struct reading {
	const char *file; /* in front of errors; escaped */
	size_t line;
	struct arena *a; /* of the tour */
	struct tour *tour;
	struct tour_report *report;
	struct cache *cache;
	struct watch *watch;
	struct app *app;	 /* that the commands run in */
	size_t part, first_step; /* of a lecture: which, and where its steps begin */
	struct draft *drafts;	 /* [n_beats] */
	size_t cap_steps, cap_beats, cap_drafts;
	bool in_step;
	size_t cap_expects, cap_wrong, cap_notes, cap_sources;
	bool has_title, has_author, has_about, has_time;
	bool words_told; /* the header says how words are cut; else they are cut as when tours did not */
	bool cut_then;	 /* the scene has plain-words for that reason */
	size_t cut_line; /* the first line that has; 0: none */
	bool full;	 /* more steps or beats than a tour has: said once */
};

/* Adds a line to the report; false. */
bool reading_error(struct reading *r, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void report_add(struct tour_report *report, const char *text, bool warning, bool untrue);

struct tour_beat *reading_beat(struct reading *r); /* the present one */
struct draft *reading_draft(struct reading *r);	   /* of it */
struct tour_step *reading_step(struct reading *r);
/* Runs a command of the tour in its app; false: it was wrong, which is said. */
bool reading_command(struct reading *r, const char *line);

/* Room for one more in an array from an arena. */
void *tour_grown(struct arena *a, void *at, size_t n, size_t *cap, size_t size);

/* tour_open.c: the name of a file without its folder and its ending, as a title has it. */
const char *tour_base_name(const char *path, struct arena *a);

/* tour_words.c: a line that begins with a directive; false: it does not. */
bool directive_run(struct reading *r, const char *word, const char *rest);
/* Tells whether a text is as a directive of the header takes it, in a list of tours too; else the error is said. */
bool directive_takes(struct reading *r, const char *word, const char *text);
/* The directive or command that was meant, or NULL. */
const char *directive_near(const char *word, struct arena *a);
void beat_end(struct reading *r); /* what it must have */

/* tour_play.c: "base 10..10000 times 10 in 4 s": runs it, so that the app's scene is the last. */
bool play_read(struct reading *r, const char *text);

/* tour_scenes.c: whether every scene can be computed, has the panes and words that are meant; what is expected. */
void scenes_look(struct reading *r, bool expects);

/* tour_read.c: the lines of one file into the tour, as its next part. */
void reading_lines(struct reading *r, const char *name, const char *text, size_t len);
void reading_open(struct reading *r, struct cache *cache, struct watch *watch, struct arena *a,
		  struct tour *out, struct tour_report *report);
/* Says what is left to be said of all of it. True: there are no errors. */
bool reading_close(struct reading *r, enum tour_depth depth);

#endif
