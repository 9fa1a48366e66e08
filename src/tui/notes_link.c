/* notes_link.c: following the terminal that shows the tour, which may end and come back at any time. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "notes_in.h"
#include "notes_place.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"

enum { PIECE = 4096, STEPS_ON = 3 };
static const double CLOCKS_AGREE = 2; /* seconds, of which some are lost on the way */

static const char *const not_followed = "no tour is followed yet";

/* ---- the clock --------------------------------------------------------------------------- */

/* Goes on while the other terminal is gone: the room is still there. */
static double since_heard(const struct notes *n)
{
	const bool runs = n->link == LINK_FOLLOWS || n->link == LINK_LOST;
	return runs && !n->at.stands && n->at.step > 0 ? machine_seconds() - n->heard : 0;
}

double notes_elapsed(const struct notes *n)
{
	return n->at.elapsed + since_heard(n);
}

double notes_spent(const struct notes *n)
{
	return n->at.spent + since_heard(n);
}

/* ---- the texts --------------------------------------------------------------------------- */

bool notes_read_tour(struct notes *n, const char *name, struct err *err)
{
	struct arena *const a = &n->texts[n->text_at ^ 1];
	struct tour t = {0};
	arena_clear(a);
	if (!tour_open(name, TOUR_LINES, NULL, NULL, a, &t, NULL, err))
		return false;
	n->text_at ^= 1;
	n->tour = t;
	n->has_tour = true;
	n->hash = notes_hash(&t);
	snprintf(n->name, sizeof n->name, "%s", t.path ? t.path : t.name);
	return true;
}

/* The other one may show another tour than before, or the same after the file was changed. */
static void take_tour(struct notes *n, const struct notes_message *m)
{
	const bool same = n->has_tour && strcmp(n->name, m->name) == 0;
	n->unread.text[0] = '\0';
	n->differs = false;
	if (!same)
		n->before = (struct notes_at){0};
	if (same && n->hash == m->hash)
		return;
	if (!notes_read_tour(n, m->name, &n->unread)) {
		n->differs = true;
		return;
	}
	n->differs = n->hash != m->hash;
	if (same && !n->differs)
		snprintf(n->said, sizeof n->said, "the file was changed, and is read anew");
}

/* ---- what is told ------------------------------------------------------------------------ */

static bool same_place(const struct notes_at *a, const struct notes_at *b)
{
	return a->step == b->step && a->beat == b->beat;
}

/* There, or farther on. */
static bool is_beyond(const struct notes_at *a, const struct notes_at *b)
{
	return a->step > b->step || (a->step == b->step && a->beat >= b->beat);
}

/* The room has gone on since, unless the clock stood. */
static double elapsed_before(const struct notes *n)
{
	return n->before.elapsed + fmax(machine_seconds() - n->before_at, 0);
}

static bool has_clock_of_before(const struct notes *n)
{
	return fabs(notes_elapsed(n) - elapsed_before(n)) < CLOCKS_AGREE;
}

static void take_place(struct notes *n, const struct notes_at *at)
{
	if (!same_place(&n->at, at)) {
		n->scroll = 0;
		if (n->placed)
			n->said[0] = '\0';
	}
	n->placed = true;
	n->at = *at;
	n->heard = machine_seconds();
	n->link = LINK_FOLLOWS;
	if (at->step >= n->before.step + STEPS_ON ||
	    (is_beyond(at, &n->before) && has_clock_of_before(n)))
		n->before = (struct notes_at){0};
}

/* When a terminal is lost again before anybody went back, the place that is farther on counts, and still the clock of the first
 * one. */
static void keep_place(struct notes *n, bool left)
{
	const struct notes_at was = n->before;
	if (was.step > 0 && !is_beyond(&n->at, &was))
		return;
	n->before = n->at;
	if (was.step > 0) {
		n->before.elapsed = was.elapsed;
		n->before.stands = was.stands;
		return;
	}
	n->before.elapsed = notes_elapsed(n);
	n->before_at = left || n->at.stands ? INFINITY : machine_seconds();
}

/* The last place stays on the screen. */
static void lose(struct notes *n, enum notes_link link)
{
	if (n->link != LINK_FOLLOWS)
		return;
	const double elapsed = notes_elapsed(n), spent = notes_spent(n);
	if (link == LINK_OVER && notes_beat(n) + 1 == n->tour.n_beats)
		n->before = (struct notes_at){0}; /* it was at its end */
	else
		keep_place(n, link == LINK_OVER);
	if (link == LINK_OVER) {
		n->at.elapsed = elapsed;
		n->at.spent = spent;
	}
	n->link = link;
}

static void take(struct notes *n, const struct notes_message *m)
{
	if (m->kind == NOTES_TOUR)
		take_tour(n, m);
	else if (m->kind == NOTES_AT)
		take_place(n, &m->at);
	else if (m->kind == NOTES_OVER)
		lose(n, LINK_OVER);
	else
		n->in.wrong = true;
}

void notes_hang_up(struct notes *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
	n->try_at = machine_seconds() + NOTES_RETRY;
	lose(n, LINK_LOST);
}

static void understand(struct notes *n, const char *bytes, size_t len)
{
	struct notes_message m;
	bool got;
	for (size_t used; (used = notes_take(&n->in, bytes, len, &m, &got)) > 0;) {
		bytes += used;
		len -= used;
		if (got)
			take(n, &m);
	}
	n->version = n->in.version == NOTES_VERSION ? 0 : n->in.version;
	if (n->in.wrong)
		notes_hang_up(n);
}

void notes_hear(struct notes *n)
{
	char bytes[PIECE];
	const ssize_t got = recv(n->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (got > 0)
		understand(n, bytes, (size_t)got);
	else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
		notes_hang_up(n);
}

/* ---- connecting -------------------------------------------------------------------------- */

/* Connects to the only tour that is shown, where none was named. */
static int reach_any(struct notes *n)
{
	size_t count;
	arena_clear(&n->names);
	const char **const names = notes_open_names(&n->names, &count);
	struct strbuf all;
	strbuf_init(&all, &n->names);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	n->others = text_escape(&n->names, all.at, all.len);
	if (count > 1 && n->link == LINK_WAITS)
		n->link = LINK_SEVERAL;
	else if (count <= 1 && n->link == LINK_SEVERAL)
		n->link = LINK_WAITS;
	return count == 1 ? notes_connect(names[0]) : -1;
}

static void say(struct notes *n, const struct notes_message *m)
{
	struct arena a;
	struct strbuf b;
	arena_init(&a);
	strbuf_init(&b, &a);
	notes_print(m, &b);
	/* A socket that cannot take so little is read by nobody. */
	if (send(n->fd, b.at, b.len, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)b.len)
		notes_hang_up(n);
	arena_release(&a);
}

void notes_try(struct notes *n)
{
	if (n->fd >= 0 || machine_seconds() < n->try_at)
		return;
	n->try_at = machine_seconds() + NOTES_RETRY;
	n->fd = n->socket ? notes_connect(n->socket) : reach_any(n);
	if (n->fd < 0)
		return;
	n->in = (struct notes_reader){0};
	n->placed = false;
	n->said[0] = '\0';
	say(n, &(struct notes_message){.kind = NOTES_HELLO});
}

/* ---- asking ------------------------------------------------------------------------------ */

void notes_ask(struct notes *n, enum notes_kind kind, const struct notes_at *at)
{
	struct notes_message m = {.kind = kind};
	if (n->fd < 0 || n->link != LINK_FOLLOWS) {
		snprintf(n->said, sizeof n->said, "%s", not_followed);
		n->unheard = true;
		return;
	}
	if (at)
		m.at = *at;
	say(n, &m);
}

bool notes_may_resume(const struct notes *n)
{
	return n->link == LINK_FOLLOWS && n->before.step > 0;
}

void notes_resume(struct notes *n)
{
	struct notes_at to = n->before;
	const bool there = is_beyond(&n->at, &to), pause = to.stands && !n->at.stands;
	to.elapsed = elapsed_before(n);
	n->before = (struct notes_at){0};
	notes_ask(n, NOTES_CLOCK, &to);
	if (!there)
		notes_ask(n, NOTES_GO, &to);
	if (pause)
		notes_ask(n, NOTES_PAUSE, NULL);
}

const char *notes_resumes(const struct notes *n, struct arena *a)
{
	const char *const clock = tour_time(floor(elapsed_before(n)), a);
	return n->link == LINK_FOLLOWS && is_beyond(&n->at, &n->before)
		       ? arena_printf(a, "sets the clock to %s", clock)
		       : arena_printf(a, "goes back to %zu/%zu and %s", n->before.step,
				      n->tour.n_steps, clock);
}
