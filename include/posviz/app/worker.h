/* worker.h: evaluation beside the screen.
 *
 * One thread takes the newest scene and hands over, in this order, the numbers of its picture, then those
 * measures that were asked for, each as soon as it is known, and when nothing else is to be done the curves
 * of the list of schemes; a newer scene cancels what is under way. Every result lives in one of three arenas of
 * its kind - being written, finished, being looked at - so nobody waits and nothing is copied.
 * Files are another thread's, one after the other: no picture waits for them; pages that the terminal
 * draws are a third one's. */
#ifndef POSVIZ_WORKER_H
#define POSVIZ_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/write.h"
#include "posviz/picture/picture.h"

struct worker;

struct worker *worker_new(void);
/* Files that are not written yet are given up. */
void worker_free(struct worker *w);

/* Becomes readable when a result is there. */
int worker_fd(const struct worker *w);

/* Asks for the picture of a scene; the measures of the one before are given up. */
void worker_submit(struct worker *w, const struct scene *scene);

/* Asks for measures (enum measured) of a scene, some of them first; asked for again, they are not made
 * again. */
void worker_submit_measures(struct worker *w, const struct scene *scene, unsigned kinds,
			    unsigned first);

/* Asks for the curves of the schemes that the scene lists, when nothing else is wanted. They hang on its
 * seed and on the names of the user's own; asked for again with the same, they are not made again. */
void worker_submit_curves(struct worker *w, const struct scene *scene);

/* Asks for a file (write_scene). One that waits for its turn is never dropped; false when too many
 * wait already. `path` is copied. */
enum { WORKER_WRITES = 8 };
bool worker_submit_write(struct worker *w, const struct scene *scene, const char *path,
			 const struct write_look *look);
/* Files asked for of which no result was taken yet. */
size_t worker_writes(struct worker *w);

/* Asks for a page as the bytes of a format (write_bytes); of several the last. `format` is a constant. */
void worker_submit_page(struct worker *w, const struct scene *scene, const char *format,
			const struct write_look *look);
void worker_cancel_page(struct worker *w);
/* The page that was asked for last, or why there is none; NULL: not yet, or taken. It stays until the next
 * one is taken. */
struct result *worker_take_page(struct worker *w);

/* In the order in which they are worked on. */
enum result_kind { RESULT_PICTURE, RESULT_WRITE, RESULT_MEASURES, RESULT_CURVES, RESULT_KINDS };

/* Whether a job of that kind, or a page, is under way, and how far it is. */
struct work_done {
	double part;	/* in [0, 1]; 0 also where nobody can say */
	double seconds; /* that it has taken */
};
bool worker_progress(struct worker *w, enum result_kind kind, struct work_done *out);
bool worker_page_progress(struct worker *w, struct work_done *out);

/* Gives up the picture and the measures that are under way or wanted. */
void worker_cancel(struct worker *w);

struct result {
	struct arena arena;
	struct scene scene; /* of which it is */
	bool ok;
	struct err err; /* why not */
	double seconds; /* that it took */
	struct picture picture;
	struct measures measures;
	unsigned kinds, first; /* of the measures: which were asked for, and which of them first */
	const char *said;      /* of a file: what was written, in one line */
	const char *bytes;     /* [n_bytes] of a page */
	size_t n_bytes;
	struct listed_curve {
		const struct scheme *scheme;
		struct scheme_curve curve;
	} * curves; /* [n_curves] of menu_items, in its order */
	size_t n_curves;
};

/* The calling thread lets the screen go first. */
void worker_step_back(void);

/* The newest result of a kind that was not taken yet, or NULL. It stays as it is until the next
 * one of its kind is taken - one that is ok until the next ok one. A picture has its numbers; the taker
 * makes its figure. */
struct result *worker_take(struct worker *w, enum result_kind kind);

#endif
