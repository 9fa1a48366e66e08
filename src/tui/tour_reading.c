/* tour_reading.c: a tour that is wanted by its name: read, what is wrong with it said, and entered.
 *
 * Ours are known to be right and read at once. All scenes of a file are computed, and what it expects of them, before
 * anything of it is seen: a thread does that, with a cache and an arena of its own, while keys do what they do. It has
 * read the file whole when it begins, so a file that changes meanwhile is shown as it was. One wish is read at a time; a
 * newer one takes its place, and is begun when the thread has noticed. */
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "posviz/base/cleanup.h"
#include "posviz/base/portable.h"
#include "posviz/math/machine.h"
#include "posviz/tour/tour_run.h"
#include "tui_in.h"

static const double said_after = 0.3, tick = 0.25;

/* Reasons to read a tour. */
enum wish_kind { WISH_BEGIN, WISH_GO_ON, WISH_PICTURE };

struct wish {
	enum wish_kind kind;
	struct tour_spec spec; /* its name interned */
	struct tour_left left; /* of WISH_GO_ON */
};

struct made {
	struct arena *arena;
	struct tour *tour;
	struct tour_report report;
	struct err err;
	size_t beat;
	bool ok;
};

enum state { STATE_IDLE, STATE_READS, STATE_GIVEN_UP }; /* given up: its thread has not noticed */

struct tour_reading {
	enum state state;
	struct wish wish, next;
	bool has_next;
	double begun;
	bool heard;	/* its bell */
	char said[256]; /* that it takes its time, as long as that stands */
	/* The thread's, until its bell rings: */
	pthread_t thread;
	struct arena arena;
	struct made made;
	struct watch watch;
	int bell[2];
};

/* ---- reading ---------------------------------------------------------------------------------- */

static bool is_file(const char *name)
{
	return *name && !tour_is_ours(name);
}

static void read_tour(const struct tour_spec *spec, struct watch *watch, struct arena *a,
		      struct made *out)
{
	const bool file = is_file(spec->name);
	arena_clear(a);
	*out = (struct made){.arena = a, .report = {.arena = a}};
	out->tour = arena_calloc(a, 1, sizeof *out->tour);
	struct cache *const cache = file ? cache_new(CACHE_BYTES) : NULL;
	out->ok = tour_open(spec->name, file ? TOUR_EXPECTS : TOUR_LINES, cache, watch, a,
			    out->tour, &out->report, &out->err) &&
		  tour_spec_beat(spec, out->tour, false, &out->beat, &out->err);
	if (cache)
		cache_free(cache);
}

static void *read_file(void *context)
{
	struct tour_reading *const r = context;
	cleanup_thread();
	worker_step_back();
	read_tour(&r->wish.spec, &r->watch, &r->arena, &r->made);
	if (write(r->bell[1], "", 1) != 1)
		die("the reader of tours cannot wake the screen");
	return NULL;
}

/* ---- what was read ---------------------------------------------------------------------------- */

/* Says everything that is wrong, a line each; one line alone needs no box. */
static void say_wrong(struct tui *t, const char *name, const struct made *m)
{
	const struct tour_report *const r = &m->report;
	if (r->errors == 0) {
		tui_complain(t, &m->err);
		return;
	}
	const char *const quoted = text_quote(&t->frame, name, strlen(name));
	box_open(t, "This tour is not shown", BOX_PROSE, r->errors + 1);
	box_line(t,
		 r->errors == 1 ? arena_printf(&t->frame, "%s has an error:", quoted)
				: arena_printf(&t->frame, "%s has %zu errors:", quoted, r->errors),
		 true);
	for (size_t i = 0, n = 0; i < r->n && n < r->errors; i++) {
		if (r->lines[i].warning)
			continue;
		box_line(t, r->lines[i].text, false);
		n++;
	}
}

static void enter(struct tui *t, const struct wish *w, const struct tour *tour, size_t beat)
{
	if (w->kind == WISH_PICTURE) {
		tour_enter_by_picture(t, tour, beat);
		return;
	}
	tour_enter(t, tour, beat);
	if (w->kind == WISH_GO_ON)
		tour_take_times(&t->tour.run, w->left.spent, w->left.steps, w->left.elapsed,
				w->left.stands, machine_seconds());
}

static void take(struct tui *t, const struct wish *w, const struct made *m)
{
	if (m->ok)
		enter(t, w, m->tour, m->beat);
	else if (w->kind == WISH_PICTURE)
		app_say(t->app, "the tour of this picture is not there: %s", m->err.text);
	else
		say_wrong(t, w->spec.name, m);
}

/* ---- wishes ----------------------------------------------------------------------------------- */

static void unsay(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	if (r->said[0] && strcmp(r->said, t->app->message) == 0)
		t->app->message[0] = '\0';
	r->said[0] = '\0';
	tui_dirty(t, 0);
}

static void begin_reading(struct tour_reading *r, const struct wish *w)
{
	r->wish = *w;
	r->begun = machine_seconds();
	r->state = STATE_READS;
	r->has_next = r->heard = false;
	watch_begin(&r->watch);
	watch_time(&r->watch, machine_processor_seconds);
	if (r->bell[0] < 0 && !portable_pipe(r->bell))
		die("no pipe for reading a tour");
	if (pthread_create(&r->thread, NULL, read_file, r) != 0)
		die("no thread for reading a tour");
}

/* The wish before it is not wanted any more. */
static void wish(struct tui *t, const struct wish *w)
{
	struct tour_reading *const r = t->tour.reading;
	const bool file = is_file(w->spec.name);
	reading_stop(t);
	if (!file) {
		struct made made;
		read_tour(&w->spec, NULL, &t->tour.arenas[!t->tour.at], &made);
		take(t, w, &made);
	} else if (r->state == STATE_IDLE) {
		begin_reading(r, w);
		tui_again(t, said_after);
	} else {
		r->next = *w;
		r->has_next = true;
	}
}

static struct wish wish_of(enum wish_kind kind, const struct tour_spec *spec)
{
	struct wish w = {.kind = kind, .spec = *spec};
	w.spec.name = scene_intern(spec->name);
	return w;
}

void reading_stop(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	r->has_next = false;
	if (r->state != STATE_READS)
		return;
	watch_cancel(&r->watch);
	r->state = STATE_GIVEN_UP;
	unsay(t);
}

static bool is_wanted(const struct tour_reading *r)
{
	return r && (r->state == STATE_READS || r->has_next);
}

bool reading_give_up(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	if (!is_wanted(r))
		return false;
	const char *const name = r->has_next ? r->next.spec.name : r->wish.spec.name;
	char quoted[120];
	reading_stop(t);
	app_say(t->app, "%s is not read any further",
		text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
	return true;
}

/* ---- in the loop ------------------------------------------------------------------------------ */

struct tour_reading *reading_new(struct arena *a)
{
	struct tour_reading *const r = arena_calloc(a, 1, sizeof *r);
	arena_init(&r->arena);
	r->bell[0] = r->bell[1] = -1;
	return r;
}

int reading_fd(const struct tui *t)
{
	const struct tour_reading *const r = t->tour.reading;
	return r && r->state != STATE_IDLE && !r->heard ? r->bell[0] : -1;
}

/* Its memory is the tour's from now on. */
static void hand_over(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	struct arena *const to = &t->tour.arenas[!t->tour.at];
	const struct wish w = r->wish;
	struct made made = r->made;
	arena_release(to);
	*to = r->arena;
	made.arena = made.report.arena = to;
	arena_init(&r->arena);
	unsay(t);
	take(t, &w, &made);
}

static void hear(struct tour_reading *r)
{
	char rung;
	if (!r->heard && read(r->bell[0], &rung, 1) == 1)
		r->heard = true;
}

static void finish(struct tour_reading *r)
{
	pthread_join(r->thread, NULL);
	hear(r);
	r->state = STATE_IDLE;
}

/* A line being typed, a token on its way and a box come to their end first. */
static bool may_be_shown(const struct tui *t)
{
	return t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE && !page_is_open(t) &&
	       !t->drag.on;
}

void reading_follow(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	const bool wanted = r->state == STATE_READS;
	if (r->state == STATE_IDLE)
		return;
	hear(r);
	if (!r->heard || (wanted && !may_be_shown(t)))
		return;
	finish(r);
	if (wanted)
		hand_over(t);
	else if (r->has_next)
		begin_reading(r, &r->next);
}

/* A message of somebody else stays. */
static void say(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	struct app *const app = t->app;
	if (r->state != STATE_READS || r->heard)
		return;
	const double gone = machine_seconds() - r->begun;
	const bool ours = app->message[0] == '\0' || strcmp(app->message, r->said) == 0;
	tui_again(t, gone < said_after ? said_after - gone : tick);
	if (gone < said_after || !ours)
		return;
	const char *const name = r->wish.spec.name;
	char quoted[120], now[sizeof r->said];
	snprintf(now, sizeof now, "reading %s: %.0f s; Esc gives it up",
		 text_quote_buf(quoted, sizeof quoted, name, strlen(name)), floor(gone));
	if (strcmp(now, r->said) == 0 && app->message[0])
		return;
	snprintf(r->said, sizeof r->said, "%s", now);
	app_say(app, "%s", now);
	tui_dirty(t, 0);
}

void reading_free(struct tui *t)
{
	struct tour_reading *const r = t->tour.reading;
	if (!r)
		return;
	if (r->state != STATE_IDLE)
		finish(r);
	arena_release(&r->arena);
	for (int i = 0; i < 2; i++)
		if (r->bell[i] >= 0)
			close(r->bell[i]);
	t->tour.reading = NULL;
}

/* Esc gives up what is read, and does nothing else. */
static bool take_key(struct tui *t, const struct key *key)
{
	if (!tui_escapes(t, key) || !is_wanted(t->tour.reading))
		return false;
	message_goes(t, key);
	reading_give_up(t);
	tui_dirty(t, 0);
	return true;
}

static size_t poll_bell(const struct tui *t, struct pollfd *fds)
{
	fds[0] = (struct pollfd){.fd = reading_fd(t), .events = POLLIN};
	return 1;
}

const struct tui_part part_reading = {
	.at = {[PART_TURN] = reading_follow, [PART_DRAWN] = say, [PART_GONE] = reading_free},
	.n_fds = 1,
	.poll = poll_bell,
	.key = take_key};

/* ---- what is asked for ------------------------------------------------------------------------ */

static bool is_running(const struct tui *t, const char *name)
{
	const struct tour *const tour = t->tour.run.tour;
	return tour && (*name == '\0' || (!tour->path && strcmp(name, tour->name) == 0));
}

/* A step of the tour that is shown, which the name is of. */
static void go_within(struct tui *t, const struct tour_spec *spec)
{
	struct err err;
	size_t beat;
	if (tour_spec_beat(spec, t->tour.run.tour, false, &beat, &err))
		tour_jump(t, beat);
	else
		tui_complain(t, &err);
}

static void go_to(struct tui *t, const struct wish *w)
{
	if (is_running(t, w->spec.name))
		go_within(t, &w->spec);
	else if (*w->spec.name == '\0')
		app_say(t->app, "no tour is shown that has steps; t lists them");
	else
		wish(t, w);
}

void tour_choose(struct tui *t, const char *name, size_t step)
{
	const struct wish w = wish_of(WISH_BEGIN, &(struct tour_spec){.name = name, .step = step});
	go_to(t, &w);
}

void tour_go_on(struct tui *t, const struct tour_left *left)
{
	struct wish w = wish_of(
		WISH_GO_ON,
		&(struct tour_spec){.name = left->name, .step = left->number, .beat = left->beat});
	w.left = *left; /* the list changes with what is left now */
	go_to(t, &w);
}

/* Whoever started the program has read it. */
static void enter_given(struct tui *t, const struct tour_spec *spec, const struct tour *given)
{
	struct err err;
	size_t beat;
	if (tour_spec_beat(spec, given, false, &beat, &err))
		tour_enter(t, given, beat);
	else
		tui_complain(t, &err);
}

void tour_request(struct tui *t)
{
	const char *text = t->app->request_text;
	const struct tour *const given = t->app->given_tour;
	struct tour_spec spec;
	struct err err;
	t->app->given_tour = NULL;
	if (!text) {
		tours_open(t);
		return;
	}
	if (strcmp(text, "off") == 0) {
		if (touring(t))
			tour_stop(t);
		else
			app_say(t->app, "no tour is shown; t lists them");
		return;
	}
	if (strspn(text, "0123456789.") == strlen(text))
		text = arena_printf(&t->frame, "#%s", text);
	if (!tour_spec_parse(text, &t->frame, &spec, &err)) {
		tui_complain(t, &err);
	} else if (given) {
		enter_given(t, &spec, given);
	} else {
		const struct wish w = wish_of(WISH_BEGIN, &spec);
		go_to(t, &w);
	}
}

/* The picture's scene is what is seen, on its beat, or as a change of it that can be taken back. */
void tour_follow_picture(struct tui *t)
{
	struct app *const app = t->app;
	const char *const text = app->from_tour;
	struct tour_spec spec;
	struct err err;
	app->from_tour = NULL;
	if (!text)
		return;
	if (!tour_spec_parse(text, &t->frame, &spec, &err)) {
		app_say(app, "the tour of this picture is not there: %s", err.text);
		return;
	}
	const struct wish w = wish_of(WISH_PICTURE, &spec);
	wish(t, &w);
}
