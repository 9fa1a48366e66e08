/* touring.c: a tour in the terminal program: opened, gone through, left, and where its beats point.
 *
 * A beat is a scene like any other: it is computed, drawn and taken back as what the user makes himself. A tour that is
 * shown ends only when the next one has been read without an error. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "posviz/tour/tour_run.h"
#include "tui_in.h"

static_assert((int)TOUR_MARKS == (int)WRITE_MARKS, "what a beat points out is written");
static const double clock_tick = 1, busy = 0.1;

bool touring(const struct tui *t)
{
	return t->tour.run.tour != NULL;
}

bool tour_is_left(const struct tui *t)
{
	return touring(t) && !motion_runs(t) && tour_left_path(&t->tour.run, t->app);
}

bool tour_is_refused(const struct tui *t)
{
	return touring(t) && t->trouble.text[0] && tour_now(&t->tour.run)->refused &&
	       !tour_is_left(t);
}

bool tour_asks(const struct tui *t)
{
	return tour_leads(t) && tour_now(&t->tour.run)->ask && !tour_is_left(t);
}

bool tour_has_options(const struct tui *t)
{
	const struct tour_beat *const b = touring(t) ? tour_now(&t->tour.run) : NULL;
	return b && b->ask && b->n_options > 0 && !quizzing(t) && !tour_is_left(t);
}

bool tour_leads(const struct tui *t)
{
	return touring(t) && tour_now(&t->tour.run)->focus && t->app->pane < FIGURE_PANELS;
}

void touring_open(struct tui *t)
{
	struct touring *const g = &t->tour;
	arena_init(&g->arenas[0]);
	arena_init(&g->arenas[1]);
	g->reading = reading_new(&t->app->arena);
	g->list = arena_calloc(&t->app->arena, 1, sizeof *g->list);
	arena_init(&g->list->arena);
	g->next_at = INFINITY;
}

void touring_close(struct tui *t)
{
	struct touring *const g = &t->tour;
	if (touring(t))
		tour_end(&g->run, t->app);
	reading_stop(t);
	arena_release(&g->arenas[0]);
	arena_release(&g->arenas[1]);
	if (g->list) {
		arena_release(&g->list->arena);
		g->list = NULL;
	}
}

/* ---- a beat is shown -------------------------------------------------------------------------- */

/* Numbers of what was asked for last are those of the scene now. */
static void show_scene(struct tui *t, const struct scene *before)
{
	const bool same = t->picture && t->asked != ASKED_CANCELLED &&
			  app_same_numbers(before, &t->app->scene);
	if (!same)
		t->trouble.text[0] = '\0';
	tui_refigure(t, FIGURE_WRONG);
	tui_react(t, same ? REACT_FIGURE : REACT_COMPUTE);
}

/* After every change of the beat, or back to it; `plays`: it was not seen before. */
static void arrive(struct tui *t, const struct scene *before, bool plays)
{
	struct touring *const g = &t->tour;
	const struct tour_beat *const b = tour_now(&g->run);
	g->pointing = true;
	g->words = g->seen = g->of = 0;
	g->ended = false;
	g->next_at = t->app->pace > 0 ? machine_seconds() + t->app->pace : INFINITY;
	box_close(t);
	show_scene(t, before);
	if (plays && b->play.n > 0)
		motion_play(t, &b->play);
	notes_tell(t);
}

/* Closes and cancels what belongs to the beat before. */
static void put_away(struct tui *t)
{
	if (motion_runs(t))
		motion_stop(t);
	if (tui_typing(t))
		prompt_cancel(t);
	t->mode = MODE_LOOK;
	drag_cancel(t);
}

static bool is_shown(struct tui *t)
{
	if (!touring(t))
		app_say(t->app, "no tour is shown; t lists them");
	return touring(t);
}

void tour_jump(struct tui *t, size_t beat)
{
	put_away(t);
	const struct scene before = t->app->scene;
	tour_show(&t->tour.run, beat, t->app, machine_seconds());
	arrive(t, &before, true);
}

void tour_next(struct tui *t)
{
	if (!is_shown(t))
		return;
	if (motion_runs(t)) {
		motion_stop(t);
		return;
	}
	if (!tour_is_left(t) && tour_words_turn(t, 1))
		return;
	quiz_passes(t);
	put_away(t);
	const struct scene before = t->app->scene;
	const bool back = tour_is_left(t);
	if (tour_forward(&t->tour.run, t->app, machine_seconds()))
		arrive(t, &before, !back);
	else if (quizzing(t))
		quiz_end(t);
	else
		t->tour.ended = true;
}

void tour_reply(struct tui *t)
{
	app_say(t->app, tour_has_options(t) ? "space shows the answer; letters choose one in a quiz"
					    : "nothing is asked here");
}

void tour_back(struct tui *t)
{
	if (!is_shown(t) || (!tour_is_left(t) && tour_words_turn(t, -1)))
		return;
	put_away(t);
	const struct scene before = t->app->scene;
	if (tour_backward(&t->tour.run, t->app, machine_seconds()))
		arrive(t, &before, false);
	else
		app_say(t->app, "this is the beginning; space goes on");
}

/* ---- out of it -------------------------------------------------------------------------------- */

static const char *name_of(const struct tour *tour)
{
	return scene_intern(tour->path ? tour->path : tour->name);
}

/* The same tour twice would be one too many. */
static void remember(struct tui *t)
{
	struct touring *const g = &t->tour;
	const struct tour *const tour = g->run.tour;
	const char *const name = name_of(tour);
	size_t at = 0;
	if (quizzing(t)) /* which is begun anew */
		return;
	while (at < g->n_left && g->left[at].name != name)
		at++;
	g->n_left += at == g->n_left && at < TOURS_LEFT;
	at = at < TOURS_LEFT ? at : TOURS_LEFT - 1;
	memmove(g->left + 1, g->left, at * sizeof *g->left);
	const size_t step = tour_now(&g->run)->step;
	const double now = machine_seconds();
	double *const spent = arena_calloc(&t->app->arena, tour->n_steps, sizeof *spent);
	memcpy(spent, g->run.spent, tour->n_steps * sizeof *spent);
	spent[step] = tour_spent(&g->run, now);
	g->left[0] = (struct tour_left){.name = name,
					.title = scene_intern(tour->title),
					.step = scene_intern(tour->steps[step].title),
					.number = step + 1,
					.steps = tour->n_steps,
					.beat = g->run.beat - tour->steps[step].first + 1,
					.seconds = tour->seconds,
					.elapsed = tour_elapsed(&g->run, now),
					.spent = spent,
					.stands = g->run.stands};
}

const struct tour_left *tour_left_last(const struct tui *t)
{
	return !touring(t) && t->tour.n_left > 0 ? &t->tour.left[0] : NULL;
}

void tour_stop(struct tui *t)
{
	struct touring *const g = &t->tour;
	const char *const score = quizzing(t) ? quiz_line(t) : NULL;
	put_away(t);
	const struct scene before = t->app->scene;
	remember(t);
	tour_end(&g->run, t->app);
	g->next_at = INFINITY;
	box_close(t);
	show_scene(t, &before);
	notes_tell(t);
	if (score)
		app_say(t->app, "left the quiz: %s", score);
	else
		app_say(t->app, "left at %zu/%zu; t, Enter goes on there", g->left[0].number,
			g->left[0].steps);
}

/* Leads one step out of whatever it is, as Esc does elsewhere. */
void tour_leave(struct tui *t)
{
	if (!is_shown(t))
		return;
	if (motion_runs(t)) {
		motion_stop(t);
	} else if (progress_text(t, t->terminal.cols, &t->frame) && tui_cancel(t)) {
		return;
	} else if (t->app->zoom) {
		t->app->zoom = false;
		tui_react(t, REACT_LAYOUT);
	} else if (tour_is_left(t)) {
		const struct scene before = t->app->scene;
		tour_forward(&t->tour.run, t->app, machine_seconds());
		arrive(t, &before, false);
	} else {
		tour_stop(t);
	}
}

/* ---- into it ---------------------------------------------------------------------------------- */

void tour_enter(struct tui *t, const struct tour *tour, size_t beat)
{
	struct touring *const g = &t->tour;
	put_away(t);
	const struct scene before = t->app->scene;
	if (touring(t)) {
		remember(t);
		tour_end(&g->run, t->app);
	}
	g->at ^= 1;
	tour_begin(&g->run, tour, beat, t->app, machine_seconds());
	arrive(t, &before, true);
}

void tour_start(struct tui *t, const struct tour *tour)
{
	tour_enter(t, tour, 0);
}

/* ---- from a picture --------------------------------------------------------------------------- */

/* Tells whether a picture shows the beat, wherever its cursor is and the room that it was made in. */
static bool shows_beat(struct tui *t, const struct scene *shown)
{
	struct scene beat = tour_now(&t->tour.run)->scene, seen = *shown;
	tour_keep_room(&beat, shown);
	scene_make_absolute(&beat, &t->frame);
	scene_make_absolute(&seen, &t->frame);
	beat.row = seen.row;
	beat.col = seen.col;
	return scene_equal(&beat, &seen);
}

void tour_enter_by_picture(struct tui *t, const struct tour *tour, size_t beat)
{
	struct app *const app = t->app;
	const struct scene shown = app->scene;
	tour_enter(t, tour, beat);
	if (shows_beat(t, &shown)) {
		app->scene.row = shown.row;
		app->scene.col = shown.col;
		return;
	}
	const struct scene before = app->scene;
	if (motion_runs(t))
		motion_stop(t);
	app_remember(app);
	app->scene = shown;
	show_scene(t, &before);
}

void tour_place(struct tui *t, struct write_look *look)
{
	const struct tour_run *const run = &t->tour.run;
	const char *const where = touring(t) ? tour_where(run->tour, run->beat, &t->frame) : NULL;
	look->tour = where ? scene_intern(where) : NULL;
	if (touring(t) && t->picture)
		look->n_marks = tour_marks(tour_now(run), &t->picture->picture.trace, look->marks);
}

/* ---- where it points -------------------------------------------------------------------------- */

void tour_cursor(struct tui *t)
{
	struct scene *const s = &t->app->scene;
	const struct view *const v = view_of(s);
	if (!touring(t) || !t->tour.pointing || s->row != 0 || s->col != 0 || v->rows || v->own ||
	    v->reads_cursor || !app_same_numbers(s, &t->picture->scene))
		return;
	tour_cell(tour_now(&t->tour.run), &t->picture->picture.trace, &s->row, &s->col);
}

void tour_figure(struct tui *t, const struct scene *scene)
{
	struct touring *const g = &t->tour;
	struct picture *const p = &t->picture->picture;
	size_t pane;
	if (!touring(t) || !app_same_numbers(tui_wanted(t), scene))
		return;
	tour_mark(tour_now(&g->run), scene, &p->trace, &t->figures[t->figure_at], &p->figure,
		  &pane);
	if (g->pointing && pane != SIZE_MAX)
		t->app->pane = pane;
	g->pointing = g->pointing && motion_runs(t);
}

/* ---- the clock -------------------------------------------------------------------------------- */

/* It does not go on by itself any more. Who wants an error away by Esc does not want to leave the tour. */
static bool take_key(struct tui *t, const struct key *key)
{
	if (!key_says(key))
		return false;
	t->tour.next_at = INFINITY;
	t->app->pace = 0;
	if (!touring(t) || !tui_escapes(t, key) || !t->app->message[0] || !t->app->message_is_error)
		return false;
	message_goes(t, key);
	tui_dirty(t, 0);
	return true;
}

/* Not while something else is being looked at, or is on its way. */
static void tick(struct tui *t)
{
	struct touring *const g = &t->tour;
	const double now = machine_seconds();
	if (!touring(t) || now < g->next_at)
		return;
	if (motion_runs(t) || t->mode != MODE_LOOK || t->overlay != OVERLAY_NONE ||
	    tui_computing(t)) {
		g->next_at = now + busy;
		return;
	}
	g->next_at = INFINITY;
	const int words = g->words;
	tour_next(t);
	if (g->words != words)
		g->next_at = now + t->app->pace;
}

static void follow(struct tui *t)
{
	if (!touring(t))
		return;
	const double now = machine_seconds(), gone = tour_elapsed(&t->tour.run, now);
	tui_again(t, clock_tick - fmod(gone, clock_tick));
	if (isfinite(t->tour.next_at))
		tui_again(t, fmax(t->tour.next_at - now, 0));
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (touring(t) && l->band.rows > 0)
		tour_band_draw(t, c, l->band);
}

const struct tui_part part_touring = {.at = {[PART_OPEN] = touring_open,
					     [PART_CLOSE] = touring_close,
					     [PART_TICK] = tick,
					     [PART_DRAWN] = follow},
				      .key = take_key,
				      .draw = draw};
