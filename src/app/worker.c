/* worker.c: the thread that evaluates, and the triple buffers between it and the screen.
 *
 * Everything shared is guarded by one lock but the cancel flag, which the evaluation looks at. A
 * job that was cancelled leaves no result: somebody asked for something newer. */
#include "posviz/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* Results above BIG give their memory back as soon as a newer one is begun. */
enum { SLOTS = 3, CACHE_BYTES = 256 << 20, BIG = 64 << 20 };

/* Indices of the three slots of one kind. */
struct buffer {
	struct result slot[SLOTS];
	size_t writing, finished, held;
	bool fresh; /* the finished one was not taken */
	/* A failure takes no slot, so that what is looked at stays. */
	struct result failure, failure_held;
	bool failed;
};

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int fd;
	atomic_bool cancel;
	struct cache *cache;
	struct buffer buffers[RESULT_KINDS];
	struct scene asked[RESULT_KINDS];
	bool wanted[RESULT_KINDS];
	bool measured; /* `measures_of` are the last ones, and were handed over */
	struct setup measures_of;
	bool busy, stop, dark;
	enum result_kind running;
	double started, last_picture;
};

int worker_fd(const struct worker *w)
{
	return w->fd;
}

/* ---- jobs -------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Only the lines are kept: the trace of a long input is large. */
static bool explain(struct worker *w, struct result *r)
{
	const struct scene *const s = &r->scene;
	struct want want = {.kinds = WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS,
			    .layer = s->layer - 1,
			    .head = s->head - 1};
	struct arena scratch;
	arena_init(&scratch);
	struct built b;
	struct trace trace;
	bool ok = setup_build(&s->setup, &scratch, &b, &r->err);
	if (ok) {
		if (want.layer >= (long)b.model.n_steps)
			want.layer = (long)b.model.n_steps - 1;
		ok = built_run(&b, &b.model_input, &want, w->cache, &w->cancel, &scratch, &trace,
			       &r->err);
	}
	if (ok)
		r->lines = view_why(s, &b, &trace, &r->arena, &r->n_lines);
	arena_release(&scratch);
	return ok;
}

static bool run(struct worker *w, enum result_kind kind, struct result *r)
{
	switch (kind) {
	case RESULT_PICTURE:
		return picture_make(&r->scene, NULL, true, w->dark, w->cache, &w->cancel, &r->arena,
				    &r->picture, &r->err);
	case RESULT_MEASURES:
		return analysis_measure(&r->scene.setup, w->cache, &w->cancel, NULL, &r->measures,
					&r->err);
	case RESULT_WHY:
		return explain(w, r);
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

/* Called with the lock held, which is open while the job runs. */
static void do_job(struct worker *w, enum result_kind kind)
{
	struct buffer *const b = &w->buffers[kind];
	struct result *const r = &b->slot[b->writing];
	if (!b->fresh) /* what was on the screen before the one that is */
		make_room(&b->slot[b->finished]);
	const struct buffer *const pictures = &w->buffers[RESULT_PICTURE];
	cache_hold(w->cache,
		   pictures->slot[pictures->held].arena.used +
			   (pictures->fresh ? pictures->slot[pictures->finished].arena.used : 0));
	r->scene = w->asked[kind];
	w->wanted[kind] = false;
	w->busy = true;
	w->running = kind;
	w->started = now();
	atomic_store(&w->cancel, false);
	pthread_mutex_unlock(&w->lock);

	make_room(r);
	r->err.text[0] = '\0';
	r->ok = run(w, kind, r);

	pthread_mutex_lock(&w->lock);
	w->busy = false;
	if (atomic_load(&w->cancel))
		return;
	r->seconds = now() - w->started;
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
		w->last_picture = now();
	if (kind == RESULT_MEASURES) {
		w->measured = true;
		w->measures_of = r->scene.setup;
	}
	/* The counter only overflows after 2^64 results, so this never blocks. */
	const uint64_t one = 1;
	if (write(w->fd, &one, sizeof one) < 0)
		die("the worker cannot wake the screen");
}

static void *work(void *context)
{
	struct worker *const w = context;
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

/* ---- the screen's side ------------------------------------------------------------------- */

struct worker *worker_new(bool dark)
{
	struct worker *const w = calloc(1, sizeof *w);
	if (!w)
		die("no memory for the worker");
	w->dark = dark;
	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->cache = cache_new(CACHE_BYTES);
	for (size_t k = 0; k < RESULT_KINDS; k++) {
		w->buffers[k].finished = 1;
		w->buffers[k].held = 2;
		for (size_t i = 0; i < SLOTS; i++)
			arena_init(&w->buffers[k].slot[i].arena);
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	if (w->fd < 0 || pthread_create(&w->thread, NULL, work, w) != 0)
		die("no thread for the worker");
	return w;
}

void worker_free(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	atomic_store(&w->cancel, true);
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	for (size_t k = 0; k < RESULT_KINDS; k++)
		for (size_t i = 0; i < SLOTS; i++)
			arena_release(&w->buffers[k].slot[i].arena);
	cache_free(w->cache);
	close(w->fd);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	free(w);
}

static void want_job(struct worker *w, enum result_kind kind, const struct scene *scene)
{
	if (scene != &w->asked[kind])
		w->asked[kind] = *scene;
	w->wanted[kind] = true;
}

/* A picture under way is given up for a newer one, unless none was shown for a while: with a key
 * held down each would be cancelled by the next, and nothing would ever be seen. */
static bool worth_finishing(const struct worker *w)
{
	const double t = now();
	return w->busy && w->running == RESULT_PICTURE && t - w->last_picture > 0.3 &&
	       t - w->started < 1;
}

void worker_submit(struct worker *w, const struct scene *scene)
{
	pthread_mutex_lock(&w->lock);
	if (!worth_finishing(w))
		atomic_store(&w->cancel, true);
	want_job(w, RESULT_PICTURE, scene);
	w->wanted[RESULT_WHY] = false;
	w->wanted[RESULT_MEASURES] = false;
	if (!w->measured || !setup_equal(&w->measures_of, &scene->setup))
		want_job(w, RESULT_MEASURES, scene);
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

void worker_submit_why(struct worker *w, const struct scene *scene)
{
	pthread_mutex_lock(&w->lock);
	if (w->busy && w->running == RESULT_MEASURES) {
		atomic_store(&w->cancel, true); /* they can wait */
		want_job(w, RESULT_MEASURES, &w->asked[RESULT_MEASURES]);
	}
	want_job(w, RESULT_WHY, scene);
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

struct result *worker_take(struct worker *w, enum result_kind kind)
{
	struct buffer *const b = &w->buffers[kind];
	struct result *taken = NULL;
	pthread_mutex_lock(&w->lock);
	if (b->fresh) {
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
