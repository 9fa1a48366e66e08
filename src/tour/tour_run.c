/* tour_run.c: going through a tour: which beat is shown, what the room keeps, what was changed by hand. */
#include <string.h>

#include "posviz/tour/tour_run.h"
#include "posviz/view/view.h"
#include "tour_in.h"

const struct tour_beat *tour_now(const struct tour_run *run)
{
	return &run->tour->beats[run->beat];
}

const struct tour_step *tour_step_now(const struct tour_run *run)
{
	return &run->tour->steps[tour_now(run)->step];
}

/* ---- scenes ------------------------------------------------------------------------------------------ */

/* Gives the scene what the room has, of each field of the room that the beat leaves at its default. */
static void take_room(struct scene *scene, const struct scene *beat, const struct scene *room)
{
	struct arena a;
	arena_init(&a);
	for (const struct field *f = scene_fields; f->name; f++)
		if (f->of_room && strcmp(scene_get(beat, f, &a), f->type.def_text) == 0)
			scene_set(scene, f, scene_get(room, f, &a), NULL);
	arena_release(&a);
}

void tour_keep_room(struct scene *scene, const struct scene *room)
{
	take_room(scene, scene, room);
}

/* The scene before the tour in the room as it is now: what was changed in it on the way stays, but for what the
 * beat itself says. */
struct scene tour_room(const struct tour_run *run, const struct app *app)
{
	struct scene room = run->before;
	take_room(&room, &tour_now(run)->scene, &app->scene);
	return room;
}

static struct scene scene_in(const struct tour_run *run, size_t beat, const struct scene *room)
{
	struct scene scene = run->tour->beats[beat].scene;
	tour_keep_room(&scene, room);
	return scene;
}

struct scene tour_scene(const struct tour_run *run, size_t beat)
{
	return scene_in(run, beat, &run->before);
}

struct scene tour_frame(const struct tour_run *run, size_t beat, size_t frame)
{
	struct scene scene = run->tour->beats[beat].play.frames[frame];
	tour_keep_room(&scene, &run->before);
	return scene;
}

bool tour_left_path(const struct tour_run *run, const struct app *app)
{
	const struct scene room = tour_room(run, app);
	struct scene there = scene_in(run, run->beat, &room);
	there.row = app->scene.row;
	there.col = app->scene.col;
	return !scene_equal(&there, &app->scene);
}

/* ---- moving ------------------------------------------------------------------------------------------ */

/* `undo`: what is there now comes back with it. */
static void set_scene(struct app *app, const struct scene *scene, bool undo)
{
	if (undo)
		app_remember(app);
	app->scene = *scene;
	app->undo_key = NULL;
	app->zoom = false;
	app->pane = 0;
	app->before_why.view = app->before_head = NULL;
	app->before_compare = NULL;
}

/* The time that the clock takes for now. */
static double on_clock(const struct tour_run *run, double now)
{
	return run->stands ? run->stood : now;
}

static void count_time(struct tour_run *run, double now)
{
	run->spent[tour_now(run)->step] = tour_spent(run, now);
	run->step_begun = on_clock(run, now);
}

static void go(struct tour_run *run, size_t beat, struct app *app, double now)
{
	count_time(run, now);
	const bool left = tour_left_path(run, app);
	run->before = tour_room(run, app);
	const struct scene scene = tour_scene(run, beat);
	set_scene(app, &scene, left);
	run->beat = beat;
}

void tour_begin(struct tour_run *run, const struct tour *tour, size_t beat, struct app *app,
		double now)
{
	*run = (struct tour_run){.tour = tour,
				 .beat = beat,
				 .before = app->scene,
				 .pane = app->pane,
				 .undo = app->undo,
				 .n_undo = app->n_undo,
				 .begun = now,
				 .step_begun = now};
	run->spent = arena_calloc(&app->arena, tour->n_steps, sizeof *run->spent);
	app->undo = NULL;
	app->n_undo = app->cap_undo = app->n_redo = 0;
	const struct scene scene = tour_scene(run, beat);
	set_scene(app, &scene, false);
}

void tour_show(struct tour_run *run, size_t beat, struct app *app, double now)
{
	BUG_IF(beat >= run->tour->n_beats);
	go(run, beat, app, now);
}

bool tour_forward(struct tour_run *run, struct app *app, double now)
{
	const bool back = tour_left_path(run, app);
	if (!back && run->beat + 1 == run->tour->n_beats)
		return false;
	go(run, run->beat + !back, app, now);
	return true;
}

bool tour_backward(struct tour_run *run, struct app *app, double now)
{
	const bool back = tour_left_path(run, app);
	if (!back && run->beat == 0)
		return false;
	go(run, run->beat - !back, app, now);
	return true;
}

/* Changes made in the tour come behind those made before it. */
static void join_history(const struct tour_run *run, struct app *app)
{
	const size_t n = run->n_undo + app->n_undo;
	struct scene *const all = arena_calloc(&app->arena, n + 1, sizeof *all);
	if (run->n_undo > 0)
		memcpy(all, run->undo, run->n_undo * sizeof *all);
	if (app->n_undo > 0)
		memcpy(all + run->n_undo, app->undo, app->n_undo * sizeof *all);
	app->undo = all;
	app->n_undo = n;
	app->cap_undo = n + 1;
	app->n_redo = 0;
}

/* The room stays as it is now. */
void tour_end(struct tour_run *run, struct app *app)
{
	const struct scene scene = tour_room(run, app);
	set_scene(app, &scene, tour_left_path(run, app));
	join_history(run, app);
	app->pane = run->pane;
	*run = (struct tour_run){0};
}

double tour_elapsed(const struct tour_run *run, double now)
{
	return on_clock(run, now) - run->begun;
}

double tour_spent(const struct tour_run *run, double now)
{
	return run->spent[tour_now(run)->step] + on_clock(run, now) - run->step_begun;
}

/* The time that it stood is none of the tour's. */
void tour_pause(struct tour_run *run, double now)
{
	if (run->stands) {
		run->begun += now - run->stood;
		run->step_begun += now - run->stood;
	}
	run->stands = !run->stands;
	run->stood = now;
}

void tour_set_clock(struct tour_run *run, double elapsed, double now)
{
	run->begun = on_clock(run, now) - elapsed;
}

void tour_take_times(struct tour_run *run, const double *spent, size_t n, double elapsed,
		     bool stands, double now)
{
	if (n == run->tour->n_steps)
		memcpy(run->spent, spent, n * sizeof *spent);
	run->step_begun = on_clock(run, now);
	tour_set_clock(run, elapsed, now);
	if (stands != run->stands)
		tour_pause(run, now);
}
