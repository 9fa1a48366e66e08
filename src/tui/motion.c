/* motion.c: pictures that follow each other by themselves: a parameter that runs, tokens that walk, dials that turn.
 *
 * A frame is a scene like any other, so everything on the screen is true of it. The clock says which frame is wanted:
 * where pictures come slower some are left out, and none ever waits behind another. Over a slow line the next one is
 * sent when the terminal has answered that it has taken the last; one that does not answer gets the last frame alone. */
#include <math.h>
#include <string.h>

#include "posviz/learn/known.h"
#include "posviz/math/machine.h"
#include "tui_in.h"

enum { WALKERS = 16, TRAIN_FRAMES = 80 };
static const double walk_seconds = 0.6, slow_picture = 0.1;
static const double train_each = 0.16, train_most = 8; /* seconds: a moment, and all of them */
static const double turn_each = 0.16, turn_most = 6;   /* seconds: a place, and all of them */
static const double answer_most = 2; /* a terminal that takes longer is not waited for */
static const double settle = 1;	     /* then a frame that does not come is said to be computed */

bool motion_runs(const struct tui *t)
{
	return t->motion.runs;
}

const struct scene *tui_wanted(const struct tui *t)
{
	const struct motion *const m = &t->motion;
	return m->runs || m->ghost == GHOST_AWAITED ? &m->frames[m->at] : &t->app->scene;
}

/* ---- asking for a picture -------------------------------------------------------------------------- */

static void want(struct tui *t, double wait)
{
	const struct scene *const s = tui_wanted(t);
	if (t->picture && t->motion.ghost != GHOST_AWAITED && t->asked == ASKED_ANSWERED &&
	    t->trouble.text[0] == '\0' && app_same_numbers(s, &t->picture->scene)) {
		tui_refigure(t, FIGURE_MOVED);
		return;
	}
	t->asked = ASKED_AWAITED;
	t->unmeasured = false;
	worker_submit(t->worker, s);
	tui_dirty(t, wait);
}

/* Differences of the app's scene from the last frame are of the room, not of the motion: all frames get them. */
static void keep_room(struct tui *t, struct scene *frames, size_t n)
{
	const struct scene last = frames[n - 1], *const here = &t->app->scene;
	for (size_t i = 0; i + 1 < n && !scene_equal(&last, here); i++)
		scene_take_changes(&frames[i], &last, here);
	frames[n - 1] = *here;
}

static void take_frames(struct tui *t, const struct scene *frames, size_t n, double seconds)
{
	struct motion *const m = &t->motion;
	arena_clear(&m->arena);
	struct scene *const own = arena_calloc(&m->arena, n, sizeof *own);
	memcpy(own, frames, n * sizeof *own);
	if (!app_same_numbers(&own[n - 1], &t->app->scene))
		t->app->scene = own[n - 1];
	keep_room(t, own, n);
	*m = (struct motion){.arena = m->arena,
			     .frames = own,
			     .n = n,
			     .begun = machine_seconds(),
			     .seconds = seconds,
			     .owed = m->owed,
			     .asked = m->asked};
}

/* A terminal that was asked before and has not answered yet is asked again: it may have come back. */
static bool terminal_is_behind(struct tui *t)
{
	struct motion *const m = &t->motion;
	m->owed = m->owed && !t->terminal.answers.attributes;
	if (m->owed && machine_seconds() > m->asked + answer_most) {
		terminal_ask_taken(&t->terminal);
		m->asked = machine_seconds();
	}
	return m->owed;
}

void motion_begin(struct tui *t, const struct scene *frames, size_t n, double seconds)
{
	struct motion *const m = &t->motion;
	BUG_IF(n == 0);
	take_frames(t, frames, n, seconds);
	const bool off = !t->app->settings.motion;
	m->runs = n > 1 && !off && !terminal_is_behind(t);
	m->ghost = n > 1 && off ? GHOST_AWAITED : GHOST_NONE;
	want(t, TUI_SETTLE);
}

/* The app's scene comes after it, whatever that is. */
void motion_end(struct tui *t)
{
	t->motion.runs = false;
	t->motion.ghost = GHOST_NONE;
	t->motion.values = NULL;
}

void motion_stop(struct tui *t)
{
	if (!t->motion.runs)
		return;
	motion_end(t);
	want(t, TUI_SETTLE);
}

/* ---- parameters that run ---------------------------------------------------------------------------- */

void motion_play(struct tui *t, const struct tour_play *play)
{
	struct motion *const m = &t->motion;
	motion_begin(t, play->frames, play->n, play->seconds);
	const char **const values = arena_calloc(&m->arena, play->n, sizeof *values);
	for (size_t i = 0; i < play->n; i++)
		values[i] = arena_strdup(&m->arena, play->values[i]);
	m->name = arena_strdup(&m->arena, play->name);
	m->values = values;
}

const char *motion_says(const struct tui *t, struct arena *a)
{
	const struct motion *const m = &t->motion;
	if (!m->values || !(m->runs || m->ghost != GHOST_NONE))
		return NULL;
	if (m->runs)
		return arena_printf(a, "%s %s", m->name, m->values[m->at]);
	return arena_printf(a, "%s %s %s %s", m->name, m->values[0], t->terminal.ascii ? "->" : "→",
			    m->values[m->n - 1]);
}

/* ---- tokens that walk ------------------------------------------------------------------------------- */

static bool another_order(const struct tui *t)
{
	struct scene still = t->app->scene;
	still.setup.order = t->drawn.setup.order;
	still.row = t->drawn.row;
	still.col = t->drawn.col;
	return t->app->scene.setup.order != t->drawn.setup.order &&
	       scene_equal(&still, &t->drawn) && app_same_numbers(&t->drawn, &t->picture->scene);
}

bool motion_walk(struct tui *t)
{
	struct motion *const m = &t->motion;
	const struct setup *const s = &t->app->scene.setup;
	const struct built *const b = t->picture ? &t->picture->picture.built : NULL;
	if (!b || !t->app->settings.motion || tui_typing(t) || t->drag.on ||
	    b->written.moving > WALKERS || t->picture->seconds > slow_picture ||
	    view_of(&t->app->scene)->own || !another_order(t))
		return false;
	struct arena a;
	size_t n = 0, *const to = arena_calloc(&t->frame, b->written.moving + 1, sizeof *to);
	arena_init(&a);
	size_t **const orders =
		input_parse_order(s->order, b->written.moving, to, NULL)
			? input_orders_between(b->order, to, b->written.moving, &a, &n)
			: NULL;
	struct scene *const frames = arena_calloc(&a, n + 1, sizeof *frames);
	for (size_t i = 0; i < n; i++) {
		frames[i] = t->app->scene;
		if (i + 1 < n)
			frames[i].setup.order =
				scene_intern(input_print_order(&a, orders[i], b->written.moving));
	}
	if (n > 1)
		motion_begin(t, frames, n, walk_seconds);
	m->walk = n > 1;
	arena_release(&a);
	return n > 1;
}

/* ---- dials that turn -------------------------------------------------------------------------------- */

/* The key from the query on to the last, back to the first, and to where it was: no hand ever jumps. */
static size_t turn_frames(const struct scene *scene, long query, long keys, struct scene *out)
{
	const long ends[] = {keys, 1, scene->col};
	long at = query < keys ? query : keys;
	size_t n = 0;
	out[n] = *scene;
	out[n++].col = at;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		while (at != ends[i]) {
			at += at < ends[i] ? 1 : -1;
			out[n] = *scene;
			out[n++].col = at;
		}
	return n;
}

void motion_turn(struct tui *t)
{
	const struct scene *const s = &t->app->scene;
	struct arena a;
	if (strcmp(s->view, "clocks") != 0 || !t->picture || tui_computing(t)) {
		app_say(t->app, "turn: the view Clocks has dials; D in Vectors leads there");
		return;
	}
	if (!t->app->settings.motion) {
		app_say(t->app, "turn: motion is off; :motion on lets the dials rotate");
		return;
	}
	const struct trace *const trace = &t->picture->picture.trace;
	const long keys = (long)trace->key.n, memory = (long)trace->memory;
	if (s->row < 1 || s->col < 1 || keys < 2) {
		app_say(t->app, "turn: there is no other key to turn to");
		return;
	}
	arena_init(&a);
	struct scene *const frames = arena_calloc(&a, 4 * (size_t)keys + 1, sizeof *frames);
	const size_t n = turn_frames(s, s->row + memory, keys, frames);
	motion_begin(t, frames, n, fmin((double)n * turn_each, turn_most));
	arena_release(&a);
}

/* ---- a training that runs ---------------------------------------------------------------------------- */

/* The moments from the shown one to the last; from the first, if that is the last. */
static size_t train_frames(const struct scene *scene, struct arena *a, struct scene **out,
			   const char ***values)
{
	struct learn_options o;
	learn_of_scene(scene, scene->setup.scheme, &o);
	const size_t steps = o.steps, shown = (size_t)scene->moment;
	const size_t from = shown < steps ? shown - shown % LEARN_MOMENT : 0;
	const size_t each = ((steps - from) / (TRAIN_FRAMES * LEARN_MOMENT) + 1) * LEARN_MOMENT;
	const size_t n = (steps - from - 1) / each + 2;
	struct scene *const frames = arena_calloc(a, n, sizeof *frames);
	const char **const at = arena_calloc(a, n, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		const size_t step = i + 1 < n ? from + i * each : steps;
		frames[i] = *scene;
		frames[i].moment = i + 1 < n ? (long)step : (long)field_find("moment")->type.max;
		at[i] = arena_printf(a, "%zu of %zu", step, steps);
	}
	*out = frames;
	*values = at;
	return n;
}

void motion_train(struct tui *t)
{
	const struct scene *const s = &t->app->scene;
	struct arena a;
	struct scene *frames;
	struct tour_play play = {.name = "step"};
	if (strcmp(s->view, "learn") != 0) {
		app_say(t->app, "play: the view Learn has a training: :view learn");
		return;
	}
	if (s->train_grid > 0) {
		app_say(t->app,
			"play: the grid has no steps; train-grid off leads back to a training");
		return;
	}
	if (!t->app->settings.motion) {
		app_say(t->app, "play: motion is off; Right goes on ten steps");
		return;
	}
	arena_init(&a);
	play.n = train_frames(s, &a, &frames, &play.values);
	play.frames = frames;
	play.seconds = fmin((double)play.n * train_each, train_most);
	if (tui_run_line(t, "moment last"))
		motion_play(t, &play);
	t->motion.stays = t->motion.runs;
	arena_release(&a);
}

/* ---- time ------------------------------------------------------------------------------------------- */

static bool frame_is_there(const struct tui *t)
{
	return t->asked != ASKED_AWAITED && !t->dirty;
}

static bool is_owed(const struct tui *t)
{
	return t->motion.owed && !t->terminal.answers.attributes;
}

static double due(const struct tui *t)
{
	const struct motion *const m = &t->motion;
	if (!m->runs || !frame_is_there(t))
		return INFINITY;
	if (is_owed(t))
		return m->asked + answer_most;
	return m->begun + (double)(m->at + 1) * m->seconds / (double)m->n;
}

static void turn(struct tui *t)
{
	struct motion *const m = &t->motion;
	const double now = machine_seconds();
	if (parts_hold(t) || now < due(t))
		return;
	const double at = (now - m->begun) / m->seconds * (double)m->n;
	if (is_owed(t) || at + 1 >= (double)m->n) {
		motion_stop(t);
		return;
	}
	m->owed = false;
	m->at = (size_t)at > m->at ? (size_t)at : m->at + 1;
	want(t, settle);
}

/* The terminal is asked behind each frame; its answer comes when it has taken all that is before. */
static void drawn(struct tui *t)
{
	struct motion *const m = &t->motion;
	if (!m->runs || !frame_is_there(t) || is_owed(t) || !t->terminal.hears_all ||
	    !t->terminal.answers.attributes)
		return;
	terminal_ask_taken(&t->terminal);
	m->owed = true;
	m->asked = machine_seconds();
}

/* ---- keys ------------------------------------------------------------------------------------------- */

/* How it looks is the room's, whatever moves: so do all frames then. */
void motion_follow_room(struct tui *t)
{
	struct motion *const m = &t->motion;
	if (m->runs && !scene_equal(&m->frames[m->n - 1], &t->app->scene))
		keep_room(t, m->frames, m->n);
}

/* The shown frame becomes the scene; a key that stops, and no more, is used up. */
static bool stay(struct tui *t, const struct key *key, const struct binding *b)
{
	const bool stops =
		t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE &&
		(strcmp(key->name, "Esc") == 0 || (b && strcmp(b->command, "play") == 0));
	const char *const line =
		arena_printf(&t->frame, "moment %ld", t->motion.frames[t->motion.at].moment);
	motion_end(t);
	tui_run_line(t, line);
	return stops;
}

/* A key that would go on shows first where the motion has been going to. */
static bool take_key(struct tui *t, const struct key *key)
{
	if (!t->motion.runs || !key_says(key))
		return false;
	const struct binding *const b = key->pasted ? NULL : tui_binding(t, key->name);
	if (b && strcmp(b->command, "presenter") == 0)
		return false;
	if (t->motion.stays)
		return stay(t, key, b);
	const bool ends = !t->motion.walk && t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE &&
			  (strcmp(key->name, "Esc") == 0 || strcmp(key->name, "Space") == 0 ||
			   (b && strcmp(b->command, "tour-next") == 0));
	motion_stop(t);
	return ends;
}

/* ---- without motion --------------------------------------------------------------------------------- */

bool motion_keeps(struct tui *t)
{
	struct motion *const m = &t->motion;
	const bool made = t->trouble.text[0] == '\0';
	if (m->ghost != GHOST_AWAITED || t->asked != ASKED_ANSWERED)
		return false;
	if (made)
		figure_keep_curves(&t->picture->picture.figure, &m->arena, &m->first);
	m->ghost = made ? GHOST_KEPT : GHOST_NONE;
	want(t, TUI_SETTLE);
	return true;
}

void motion_figure(struct tui *t)
{
	struct motion *const m = &t->motion;
	if (m->ghost != GHOST_KEPT || !app_same_numbers(&t->drawn, &m->frames[m->n - 1]))
		return;
	struct arena *const to = &t->figures[t->figure_at];
	const char *const was =
		m->values ? arena_printf(to, "%s %s", m->name, m->values[0]) : "before";
	figure_ghost(&t->picture->picture.figure, &m->first, was, to);
}

/* ---- in the loop ------------------------------------------------------------------------------------ */

const struct tui_part part_motion = {.arena = offsetof(struct tui, motion.arena),
				     .at = {[PART_TURN] = turn, [PART_DRAWN] = drawn},
				     .due = due,
				     .key = take_key};
