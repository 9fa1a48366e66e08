/* worker.h: evaluation in the background.
 *
 * One thread takes the newest scene and delivers, in this order, the numbers of its picture, then
 * the requested measures, each as soon as it is known, and when idle the curves of the list of
 * schemes; a newer scene cancels the present work. Each kind of result has three arenas (one is
 * written, one is finished, one is being read), so no thread waits and nothing is copied. A second
 * thread writes files one after the other, so that no picture waits for them; a third makes the
 * pages that the terminal draws. */
#ifndef POSVIZ_WORKER_H
#define POSVIZ_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/write.h"
#include "posviz/picture/picture.h"

struct worker;

struct worker *worker_new(void);
/* Drops the files that are not yet written. */
void worker_free(struct worker *w);

/* Returns a file descriptor that becomes readable when there is a result. */
int worker_fd(const struct worker *w);

/* Requests the picture of a scene; the measures of the previous scene are dropped. */
void worker_submit(struct worker *w, const struct scene *scene);

/* Requests measures (enum measured) of a scene, those in `first` before the others; a repeated
 * request does not compute them again. */
void worker_submit_measures(struct worker *w, const struct scene *scene, unsigned kinds,
			    unsigned first);

/* Requests the curves of the schemes that the scene lists, for when the thread is idle. They depend
 * on the scene's seed and on the user's own names; a repeated request with the same does not
 * compute them again. */
void worker_submit_curves(struct worker *w, const struct scene *scene);

/* Requests a file (write_scene). Waiting files are never dropped; false if too many wait already.
 * `path` is copied. */
enum { WORKER_WRITES = 8 };
bool worker_submit_write(struct worker *w, const struct scene *scene, const char *path,
			 const struct write_look *look);
/* Returns the number of requested files whose result was not taken yet. */
size_t worker_writes(struct worker *w);

/* Requests a page as the bytes of a format (write_bytes); a newer request replaces it. `format` is
 * a constant. */
void worker_submit_page(struct worker *w, const struct scene *scene, const char *format,
			const struct write_look *look);
void worker_cancel_page(struct worker *w);
/* Takes the page that was requested last, or the error; NULL: not finished, or taken. It lives
 * until the next one is taken. */
struct result *worker_take_page(struct worker *w);

/* In the order of their computation. */
enum result_kind { RESULT_PICTURE, RESULT_WRITE, RESULT_MEASURES, RESULT_CURVES, RESULT_KINDS };

/* The progress of the running job of a kind, or of a page; false: none is running. */
struct work_done {
	double part;	/* in [0, 1]; 0 also if unknown */
	double seconds; /* since its start */
};
bool worker_progress(struct worker *w, enum result_kind kind, struct work_done *out);
bool worker_page_progress(struct worker *w, struct work_done *out);

/* Drops the running and the requested picture and measures. */
void worker_cancel(struct worker *w);

struct result {
	struct arena arena;
	struct scene scene; /* the scene of the result */
	bool ok;
	struct err err; /* the error if not ok */
	double seconds; /* the time that it took */
	struct picture picture;
	struct measures measures;
	unsigned kinds, first; /* requested measures, and those requested first */
	const char *said;      /* of a file: one line on the written file */
	const char *bytes;     /* [n_bytes] of a page */
	size_t n_bytes;
	struct listed_curve {
		const struct scheme *scheme;
		struct scheme_curve curve;
	} * curves; /* [n_curves] in the order of menu_items */
	size_t n_curves;
};

/* Gives the calling thread a lower priority than the screen. */
void worker_step_back(void);

/* Takes the newest result of a kind, or NULL. It stays unchanged until the next one of its kind is
 * taken; one that is ok until the next ok one. A picture has its numbers only; the caller makes its
 * figure. */
struct result *worker_take(struct worker *w, enum result_kind kind);

#endif
