/* worker.c: the thread that evaluates, the one that writes files, and the buffers between them and
 * the screen.
 *
 * One lock guards everything shared except the watches, which the evaluations read. A cancelled
 * picture leaves no result, because a newer one was requested. A file always leaves one, and the
 * next file begins only after that was taken, so that every file is reported. */
#include "posviz/app/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "painter.h"
#include "posviz/app/app.h"
#include "posviz/base/cleanup.h"
#include "posviz/base/portable.h"
#include "posviz/math/machine.h"

/* Results above BIG bytes release their memory as soon as a newer one begins. */
enum { SLOTS = 3, BIG = 64 << 20 };

/* Number of schemes that are measured before the table or map is shown again. */
enum { TABLE_PART = 8 };

/* Three results of one kind, and the indices of their roles. */
struct buffer {
	struct result slot[SLOTS];
	size_t writing, finished, held;
	bool fresh; /* the finished one was not taken */
	/* A failure is kept apart, so that the result on the screen stays valid. */
	struct result failure, failure_held;
	bool failed;
};

struct order {
	struct scene scene;
	const char *path;
	struct write_look look;
};

/* Files: a ring of orders, the running one first; two results used in turn. */
struct writer {
	pthread_t thread;
	pthread_cond_t wake;
	struct watch watch;
	struct order orders[WORKER_WRITES];
	size_t first, n;
	struct result results[2];
	size_t written; /* the result being made, or made and not taken */
	double begun;	/* start of the running file */
	bool started, fresh;
};

struct worker {
	struct writer writer;
	struct painter *painter;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int bell[2]; /* receives a byte for each result */
	struct watch watch;
	struct cache *cache;
	struct buffer buffers[RESULT_KINDS];
	struct scene asked[RESULT_KINDS];
	bool wanted[RESULT_KINDS];
	/* The measures of asked[RESULT_MEASURES] that are requested, and those to be computed
	 * first. */
	unsigned kinds, first;
	bool listed;  /* the curves of asked[RESULT_CURVES] exist or are wanted, */
	size_t names; /* with the user's own names of that time */
	bool busy, stop;
	enum result_kind running;
	double started, last_picture;
	size_t given_up; /* pictures cancelled since the last one */
	bool again;	 /* the last picture lacks rows and is made again with more */
	double spent;	 /* seconds spent on the pictures before it */
};

int worker_fd(const struct worker *w)
{
	return w->bell[0];
}

static void wake_screen(const struct worker *w)
{
	/* A full pipe wakes the screen too. */
	if (write(w->bell[1], "", 1) < 0 && errno != EAGAIN)
		die("the worker cannot wake the screen");
}

/* ---- jobs -------------------------------------------------------------------------------- */

static bool make_curves(struct worker *w, struct result *r)
{
	size_t n;
	const struct menu_item *const items = menu_items(&r->scene, &r->arena, &n);
	r->curves = arena_calloc(&r->arena, n, sizeof *r->curves);
	for (r->n_curves = 0; r->n_curves < n; r->n_curves++) {
		struct listed_curve *const c = &r->curves[r->n_curves];
		c->scheme = items[r->n_curves].scheme;
		if (!view_scheme_curve(c->scheme, r->scene.setup.seed, w->cache, &w->watch,
				       &c->curve))
			return err_set(&r->err, "cancelled");
	}
	return true;
}

/* Delivers the measures known so far while the others are computed. */
static void tell_measured(void *context, const struct measures *so_far)
{
	struct worker *const w = context;
	struct buffer *const b = &w->buffers[RESULT_MEASURES];
	pthread_mutex_lock(&w->lock);
	if (!watch_cancelled(&w->watch)) {
		struct result *const r = &b->slot[b->finished];
		r->scene = b->slot[b->writing].scene;
		r->measures = *so_far;
		r->ok = b->fresh = true;
		wake_screen(w);
	}
	pthread_mutex_unlock(&w->lock);
}

static bool measure(struct worker *w, struct result *r)
{
	const struct measure_request request = {.kinds = r->kinds,
						.first = r->first,
						.cache = w->cache,
						.watch = &w->watch,
						.tell = tell_measured,
						.context = w};
	r->measures = (struct measures){0};
	return analysis_measure(&r->scene.setup, &request, &r->measures, &r->err);
}

/* Runs a job. `again`: the picture was shown without all rows of its table. */
static bool run(struct worker *w, enum result_kind kind, bool again, struct result *r)
{
	switch (kind) {
	case RESULT_PICTURE:
		memset(&r->picture, 0, sizeof r->picture);
		return setup_build(&r->scene.setup, &r->arena, &r->picture.built, &r->err) &&
		       picture_compute_part(&r->scene, again ? TABLE_PART : 0, w->cache, &w->watch,
					    &r->arena, &r->picture, &r->err);
	case RESULT_MEASURES:
		return measure(w, r);
	case RESULT_CURVES:
		return make_curves(w, r);
	case RESULT_WRITE:
	case RESULT_KINDS:
		break;
	}
	BUG("no such job");
}

static void make_room(struct result *r)
{
	if (r->arena.used > BIG)
		arena_release(&r->arena);
	else
		arena_clear(&r->arena);
}

/* A table or map is shown at once with the known rows; then it is made again until it is complete,
 * unless a newer scene was requested. */
static void follow_up(struct worker *w, bool again, struct result *r)
{
	w->last_picture = machine_seconds();
	w->given_up = 0;
	r->seconds += again ? w->spent : 0;
	w->spent = r->seconds;
	w->again = r->ok && r->picture.unmeasured > 0 && !w->wanted[RESULT_PICTURE];
	w->wanted[RESULT_PICTURE] |= w->again;
}

/* Makes the result the newest of its kind. */
static void deliver(struct worker *w, enum result_kind kind, bool again, struct result *r)
{
	struct buffer *const b = &w->buffers[kind];
	r->seconds = machine_seconds() - w->started;
	b->fresh = r->ok;
	b->failed = !r->ok;
	if (r->ok) {
		const size_t written = b->writing;
		b->writing = b->finished;
		b->finished = written;
	} else {
		b->failure = (struct result){.scene = r->scene, .err = r->err};
	}
	if (kind == RESULT_PICTURE)
		follow_up(w, again, r);
	wake_screen(w);
}

/* Call with the lock held; it is released while the job runs. */
static void do_job(struct worker *w, enum result_kind kind)
{
	struct buffer *const b = &w->buffers[kind];
	struct result *const r = &b->slot[b->writing];
	/* The result before the one on the screen; no other thread uses it. */
	struct result *const old = b->fresh ? NULL : &b->slot[b->finished];
	const struct buffer *const pictures = &w->buffers[RESULT_PICTURE];
	cache_hold(w->cache,
		   pictures->slot[pictures->held].arena.used +
			   (pictures->fresh ? pictures->slot[pictures->finished].arena.used : 0));
	r->scene = w->asked[kind];
	r->kinds = w->kinds;
	r->first = w->first;
	w->wanted[kind] = false;
	const bool again = kind == RESULT_PICTURE && w->again;
	w->busy = true;
	w->running = kind;
	w->started = machine_seconds();
	watch_begin(&w->watch);
	watch_time(&w->watch, machine_processor_seconds);
	pthread_mutex_unlock(&w->lock);

	if (old)
		make_room(old);
	make_room(r);
	r->err.text[0] = '\0';
	r->ok = run(w, kind, again, r);

	pthread_mutex_lock(&w->lock);
	w->busy = false;
	if (!watch_cancelled(&w->watch))
		deliver(w, kind, again, r);
	else /* curves are only interrupted: computed ones are cached */
		w->wanted[RESULT_CURVES] |= kind == RESULT_CURVES;
}

/* If there are fewer cores than threads, the screen has priority, so that keys are answered at
 * once. Threads that the evaluation starts inherit the low priority. */
void worker_step_back(void)
{
	enum { NICE = 5 };
	portable_step_back(NICE);
}

static void *work(void *context)
{
	struct worker *const w = context;
	cleanup_thread();
	worker_step_back();
	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		enum result_kind kind = 0;
		while (kind < RESULT_KINDS && !w->wanted[kind])
			kind++;
		if (kind == RESULT_KINDS)
			pthread_cond_wait(&w->wake, &w->lock);
		else
			do_job(w, kind);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---- files ------------------------------------------------------------------------------- */

/* Call with the lock held; it is released while the file is made. */
static void write_next(struct worker *w)
{
	struct writer *const f = &w->writer;
	struct result *const r = &f->results[f->written];
	const struct order order = f->orders[f->first];
	f->begun = machine_seconds();
	if (!w->stop)
		watch_begin(&f->watch);
	watch_time(&f->watch, machine_processor_seconds);
	pthread_mutex_unlock(&w->lock);

	make_room(r);
	r->err.text[0] = '\0';
	r->scene = order.scene;
	r->said = "";
	r->ok = write_scene(&order.scene, order.path, &order.look, w->cache, &f->watch, &r->arena,
			    &r->said, &r->err);
	r->seconds = machine_seconds() - f->begun;

	pthread_mutex_lock(&w->lock);
	f->first = (f->first + 1) % WORKER_WRITES;
	f->n--;
	f->fresh = true;
	wake_screen(w);
}

static void *write_files(void *context)
{
	struct worker *const w = context;
	struct writer *const f = &w->writer;
	cleanup_thread();
	worker_step_back();
	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		if (f->n == 0 || f->fresh)
			pthread_cond_wait(&f->wake, &w->lock);
		else
			write_next(w);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* The thread begins with the first file. */
bool worker_submit_write(struct worker *w, const struct scene *scene, const char *path,
			 const struct write_look *look)
{
	struct writer *const f = &w->writer;
	pthread_mutex_lock(&w->lock);
	const bool room = f->n < WORKER_WRITES;
	if (room)
		f->orders[(f->first + f->n++) % WORKER_WRITES] =
			(struct order){*scene, scene_intern(path), *look};
	if (!f->started && pthread_create(&f->thread, NULL, write_files, w) != 0)
		die("no thread for writing files");
	f->started = true;
	pthread_cond_signal(&f->wake);
	pthread_mutex_unlock(&w->lock);
	return room;
}

size_t worker_writes(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	const size_t n = w->writer.n + w->writer.fresh;
	pthread_mutex_unlock(&w->lock);
	return n;
}

/* Call with the lock held. */
static struct result *take_written(struct worker *w)
{
	struct writer *const f = &w->writer;
	if (!f->fresh)
		return NULL;
	struct result *const taken = &f->results[f->written];
	f->written = 1 - f->written;
	f->fresh = false;
	pthread_cond_signal(&f->wake);
	return taken;
}

/* ---- the screen's side ------------------------------------------------------------------- */

struct worker *worker_new(void)
{
	struct worker *const w = calloc(1, sizeof *w);
	if (!w)
		die("no memory for the worker");
	w->cache = cache_new(CACHE_BYTES);
	for (size_t k = 0; k < RESULT_KINDS; k++) {
		w->buffers[k].finished = 1;
		w->buffers[k].held = 2;
		for (size_t i = 0; i < SLOTS; i++)
			arena_init(&w->buffers[k].slot[i].arena);
	}
	for (size_t i = 0; i < 2; i++)
		arena_init(&w->writer.results[i].arena);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	pthread_cond_init(&w->writer.wake, NULL);
	if (!portable_pipe(w->bell) || pthread_create(&w->thread, NULL, work, w) != 0)
		die("no thread for the worker");
	w->painter = painter_new(w->cache, w->bell[1]);
	return w;
}

void worker_free(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	watch_cancel(&w->watch);
	watch_cancel(&w->writer.watch);
	pthread_cond_signal(&w->wake);
	pthread_cond_signal(&w->writer.wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	if (w->writer.started)
		pthread_join(w->writer.thread, NULL);
	painter_free(w->painter);
	for (size_t i = 0; i < 2; i++)
		arena_release(&w->writer.results[i].arena);
	for (size_t k = 0; k < RESULT_KINDS; k++)
		for (size_t i = 0; i < SLOTS; i++)
			arena_release(&w->buffers[k].slot[i].arena);
	cache_free(w->cache);
	close(w->bell[0]);
	close(w->bell[1]);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	pthread_cond_destroy(&w->writer.wake);
	free(w);
}

static void want_job(struct worker *w, enum result_kind kind, const struct scene *scene)
{
	if (scene != &w->asked[kind])
		w->asked[kind] = *scene;
	w->wanted[kind] = true;
}

/* True if the running picture is finished although a newer one is requested, because none was shown
 * for a while: with a key held down, each would be cancelled by the next, and none would ever be
 * shown. One that would take longer than a second is not, nor one of which nothing is known yet,
 * unless several before it were cancelled. */
static bool worth_finishing(const struct worker *w)
{
	enum { MANY = 3 };
	const double t = machine_seconds(), since = t - w->started, part = watch_part(&w->watch);
	return w->busy && w->running == RESULT_PICTURE && t - w->last_picture > 0.3 && since < 1 &&
	       (part > 0 ? since / part < 1 : w->given_up >= MANY);
}

void worker_submit(struct worker *w, const struct scene *scene)
{
	pthread_mutex_lock(&w->lock);
	if (!worth_finishing(w)) {
		w->given_up += w->busy && w->running == RESULT_PICTURE;
		watch_cancel(&w->watch);
	}
	w->again = false;
	want_job(w, RESULT_PICTURE, scene);
	const bool amid = w->wanted[RESULT_MEASURES] || (w->busy && w->running == RESULT_MEASURES);
	if (amid || !setup_equal(&w->asked[RESULT_MEASURES].setup, &scene->setup))
		w->kinds = 0;
	w->wanted[RESULT_MEASURES] = false;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

void worker_submit_measures(struct worker *w, const struct scene *scene, unsigned kinds,
			    unsigned first)
{
	pthread_mutex_lock(&w->lock);
	const bool same = setup_equal(&w->asked[RESULT_MEASURES].setup, &scene->setup);
	if (!same || kinds & ~w->kinds) {
		if (w->busy && w->running == RESULT_MEASURES)
			watch_cancel(&w->watch);
		w->kinds = kinds;
		w->first = first;
		want_job(w, RESULT_MEASURES, scene);
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
}

bool worker_progress(struct worker *w, enum result_kind kind, struct work_done *out)
{
	const struct writer *const f = &w->writer;
	const bool file = kind == RESULT_WRITE;
	pthread_mutex_lock(&w->lock);
	const bool busy = file ? f->n > 0 && !f->fresh : w->busy && w->running == kind;
	*out = (struct work_done){.part = watch_part(file ? &f->watch : &w->watch),
				  .seconds = machine_seconds() - (file ? f->begun : w->started)};
	pthread_mutex_unlock(&w->lock);
	return busy;
}

bool worker_page_progress(struct worker *w, struct work_done *out)
{
	return painter_progress(w->painter, out);
}

void worker_submit_curves(struct worker *w, const struct scene *scene)
{
	const struct scene *const asked = &w->asked[RESULT_CURVES];
	const size_t names = define_changes();
	pthread_mutex_lock(&w->lock);
	if (!w->listed || asked->setup.seed != scene->setup.seed ||
	    asked->listed != scene->listed || w->names != names) {
		w->listed = true;
		w->names = names;
		want_job(w, RESULT_CURVES, scene);
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
}

void worker_submit_page(struct worker *w, const struct scene *scene, const char *format,
			const struct write_look *look)
{
	painter_submit(w->painter, scene, format, look);
}

void worker_cancel_page(struct worker *w)
{
	painter_cancel(w->painter);
}

struct result *worker_take_page(struct worker *w)
{
	return painter_take(w->painter);
}

void worker_cancel(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	watch_cancel(&w->watch);
	w->wanted[RESULT_PICTURE] = w->wanted[RESULT_MEASURES] = false;
	w->kinds = 0;
	pthread_mutex_unlock(&w->lock);
}

struct result *worker_take(struct worker *w, enum result_kind kind)
{
	struct buffer *const b = &w->buffers[kind];
	struct result *taken = NULL;
	pthread_mutex_lock(&w->lock);
	if (kind == RESULT_WRITE) {
		taken = take_written(w);
	} else if (b->fresh) {
		const size_t held = b->held;
		b->held = b->finished;
		b->finished = held;
		b->fresh = false;
		taken = &b->slot[b->held];
	} else if (b->failed) {
		b->failed = false;
		b->failure_held = b->failure;
		taken = &b->failure_held;
	}
	pthread_mutex_unlock(&w->lock);
	return taken;
}
