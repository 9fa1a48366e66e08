/* app.c: one session: its scene, its history, its message. */
#include "posviz/app.h"

#include <stdio.h>
#include <string.h>

void app_init(struct app *app)
{
	memset(app, 0, sizeof *app);
	arena_init(&app->arena);
	scene_init(&app->scene);
}

void app_release(struct app *app)
{
	arena_release(&app->arena);
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(app->message, sizeof app->message, fmt, args);
	va_end(args);
	app->message_is_error = false;
}

bool app_same_numbers(const struct scene *a, const struct scene *b)
{
	return setup_equal(&a->setup, &b->setup) && strcmp(a->view, b->view) == 0 &&
	       a->matrix == b->matrix && a->head == b->head && a->layer == b->layer;
}

/* An explicit order names every token, so it fits only as many. */
static bool order_fits(const struct scene *scene)
{
	struct app probe = {.scene = *scene};
	struct arena a;
	arena_init(&a);
	size_t *order, n;
	struct input tokens = {0};
	struct err err;
	/* When the tokens cannot be read the order is not to blame. */
	const bool fits = app_order(&probe, &a, &order, &n, &tokens, &err) || tokens.n == 0;
	arena_release(&a);
	return fits;
}

bool app_settle(struct scene *scene)
{
	const struct setup *const s = &scene->setup;
	if (scene->head > s->heads)
		scene->head = s->heads;
	const bool listed = s->order[0] >= '0' && s->order[0] <= '9';
	if (!listed || order_fits(scene))
		return false;
	scene->setup.order = scene_intern("identity");
	return true;
}
