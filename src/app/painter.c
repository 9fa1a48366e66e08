/* painter.c: see painter.h.
 *
 * The lock guards everything shared except the watch. Of the two results the screen may hold one
 * while the other is made. */
#include "painter.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "posviz/base/cleanup.h"
#include "posviz/math/machine.h"

struct painter {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct cache *cache;
	int bell;
	struct watch watch;
	struct result results[2];
	size_t making; /* index in results */
	struct scene scene;
	const char *format;
	struct write_look look;
	bool started, stop, wanted, fresh, busy;
	double begun; /* start of the running page */
};

struct painter *painter_new(struct cache *cache, int bell)
{
	struct painter *const p = calloc(1, sizeof *p);
	if (!p)
		die("no memory for pages");
	p->cache = cache;
	p->bell = bell;
	for (size_t i = 0; i < 2; i++)
		arena_init(&p->results[i].arena);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	return p;
}

void painter_free(struct painter *p)
{
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	watch_cancel(&p->watch);
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	if (p->started)
		pthread_join(p->thread, NULL);
	for (size_t i = 0; i < 2; i++)
		arena_release(&p->results[i].arena);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->wake);
	free(p);
}

/* Call with the lock held; it is released while the page is drawn. */
static void paint(struct painter *p)
{
	struct result *const r = &p->results[p->making];
	const struct write_look look = p->look;
	struct write_job job = {.scene = &r->scene,
				.format = p->format,
				.look = &look,
				.cache = p->cache,
				.watch = &p->watch,
				.a = &r->arena};
	r->scene = p->scene;
	p->wanted = p->fresh = false;
	p->busy = true;
	p->begun = machine_seconds();
	watch_begin(&p->watch);
	watch_time(&p->watch, machine_processor_seconds);
	if (p->stop)
		watch_cancel(&p->watch);
	pthread_mutex_unlock(&p->lock);

	arena_clear(&r->arena);
	r->err.text[0] = '\0';
	r->ok = write_bytes(&job, &r->err);
	r->bytes = job.data;
	r->n_bytes = job.len;
	r->seconds = machine_seconds() - p->begun;

	pthread_mutex_lock(&p->lock);
	p->busy = false;
	if (watch_cancelled(&p->watch))
		return;
	p->fresh = true;
	if (write(p->bell, "", 1) < 0 && errno != EAGAIN)
		die("the page cannot wake the screen");
}

static void *work(void *context)
{
	struct painter *const p = context;
	cleanup_thread();
	worker_step_back();
	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (p->wanted)
			paint(p);
		else
			pthread_cond_wait(&p->wake, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

void painter_submit(struct painter *p, const struct scene *scene, const char *format,
		    const struct write_look *look)
{
	pthread_mutex_lock(&p->lock);
	p->scene = *scene;
	p->format = format;
	p->look = *look;
	p->wanted = true;
	watch_cancel(&p->watch); /* of the previous page */
	if (!p->started && pthread_create(&p->thread, NULL, work, p) != 0)
		die("no thread for pages");
	p->started = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

void painter_cancel(struct painter *p)
{
	pthread_mutex_lock(&p->lock);
	p->wanted = p->fresh = false;
	watch_cancel(&p->watch);
	pthread_mutex_unlock(&p->lock);
}

bool painter_progress(struct painter *p, struct work_done *out)
{
	pthread_mutex_lock(&p->lock);
	const bool busy = p->busy;
	*out = (struct work_done){.part = watch_part(&p->watch),
				  .seconds = machine_seconds() - p->begun};
	pthread_mutex_unlock(&p->lock);
	return busy;
}

struct result *painter_take(struct painter *p)
{
	struct result *taken = NULL;
	pthread_mutex_lock(&p->lock);
	if (p->fresh) {
		taken = &p->results[p->making];
		p->making = 1 - p->making;
		p->fresh = false;
	}
	pthread_mutex_unlock(&p->lock);
	return taken;
}
