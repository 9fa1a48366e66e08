/* notes_server.c: tells speakers' terminals where the tour on the screen is, and does what they ask for.
 *
 * The socket is open as long as a tour is shown. Nothing here waits: what a terminal does not read is kept up to a
 * bound, and then the terminal is left. What they ask for is done as if a key had asked. Where there is no place for
 * a socket nothing is said: whoever wants the notes learns it there (notes.c). */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "notes_place.h"
#include "notes_wire.h"
#include "posviz/math/machine.h"
#include "posviz/tour/tour_run.h"
#include "tui_in.h"

enum { PEERS = NOTES_FDS - 1, OUT_BYTES = 16384, PIECE = 4096 };
static_assert((int)OUT_BYTES > (int)NOTES_LINE, "one line of any length");

struct peer {
	int fd; /* -1: free */
	struct notes_reader in;
	char out[OUT_BYTES];
	size_t n_out;
};

struct notes_server {
	struct notes_door door;
	const double *run; /* of tour_run the array of times, which is another for each */
	uint64_t hash;
	struct notes_at told;
	double begun; /* the clock, as it was told */
	bool taken;   /* the socket is another program's */
	struct peer peers[PEERS];
};

static const struct tour_run *run_of(const struct tui *t)
{
	return &t->tour.run;
}

/* Tells the place of the tour that is shown; false: no tour is shown. */
static bool state_of(const struct tui *t, struct notes_at *out)
{
	const struct tour_run *const run = run_of(t);
	if (!run->tour)
		return false;
	const double now = machine_seconds();
	const size_t step = tour_now(run)->step;
	*out = (struct notes_at){.step = step + 1,
				 .beat = run->beat - run->tour->steps[step].first + 1,
				 .elapsed = tour_elapsed(run, now),
				 .spent = tour_spent(run, now),
				 .off = tour_is_left(t),
				 .stands = run->stands};
	return true;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void drop(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->n_out = 0;
}

static void flush(struct peer *p)
{
	while (p->fd >= 0 && p->n_out > 0) {
		const ssize_t n = send(p->fd, p->out, p->n_out, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
			drop(p);
		if (n <= 0)
			return;
		p->n_out -= (size_t)n;
		memmove(p->out, p->out + n, p->n_out);
	}
}

static void push(struct peer *p, const struct strbuf *b)
{
	if (p->fd < 0)
		return;
	if (b->len > OUT_BYTES - p->n_out) { /* it does not read */
		drop(p);
		return;
	}
	memcpy(p->out + p->n_out, b->at, b->len);
	p->n_out += b->len;
	flush(p);
}

/* To one, or (NULL) to all. */
static void send_message(struct notes_server *s, struct peer *to, const struct notes_message *m)
{
	struct arena a;
	struct strbuf b;
	arena_init(&a);
	strbuf_init(&b, &a);
	notes_print(m, &b);
	for (size_t i = 0; i < PEERS; i++)
		if (!to || to == &s->peers[i])
			push(&s->peers[i], &b);
	arena_release(&a);
}

static void tell_place(const struct tui *t, struct peer *to)
{
	struct notes_message m = {.kind = NOTES_AT};
	if (state_of(t, &m.at))
		send_message(t->notes, to, &m);
}

/* Tells a new terminal what it has to know. */
static void greet(struct tui *t, struct peer *p)
{
	const struct tour *const tour = run_of(t)->tour;
	struct notes_message m = {.kind = NOTES_HELLO};
	send_message(t->notes, p, &m);
	m = (struct notes_message){.kind = NOTES_TOUR,
				   .steps = tour->n_steps,
				   .beats = tour->n_beats,
				   .hash = t->notes->hash};
	snprintf(m.name, sizeof m.name, "%s", tour->path ? tour->path : tour->name);
	send_message(t->notes, p, &m);
	tell_place(t, p);
}

/* ---- opening and closing ----------------------------------------------------------------- */

static void end_server(struct notes_server *s)
{
	send_message(s, NULL, &(struct notes_message){.kind = NOTES_OVER});
	for (size_t i = 0; i < PEERS; i++)
		drop(&s->peers[i]);
	notes_door_close(&s->door);
	s->run = NULL;
}

void notes_close(struct tui *t)
{
	if (t->notes && t->notes->run)
		end_server(t->notes);
}

static void open_door(struct tui *t)
{
	const struct tour *const tour = run_of(t)->tour;
	struct notes_server *const s = t->notes;
	bool taken = false;
	struct err err;
	/* Another program cannot know of one that was made here. */
	if (!tour->path && !tour_spec_is(tour->name, true))
		return;
	const char *const name = notes_socket_name(tour->name, tour->path, &t->frame);
	if (!notes_door_open(&s->door, name, &taken, &err) && taken && !s->taken)
		app_say(t->app, "another terminal shows this tour too; notes follow that one");
	s->taken = taken;
}

static void begin_server(struct tui *t)
{
	struct notes_server *const s = t->notes;
	s->run = run_of(t)->spent;
	s->hash = notes_hash(run_of(t)->tour);
	s->told = (struct notes_at){0};
	s->taken = false;
	open_door(t);
}

static struct notes_server *server_of(struct tui *t)
{
	if (t->notes)
		return t->notes;
	t->notes = arena_calloc(&t->app->arena, 1, sizeof *t->notes);
	t->notes->door.fd = -1;
	for (size_t i = 0; i < PEERS; i++)
		t->notes->peers[i].fd = -1;
	return t->notes;
}

static bool is_told(const struct notes_server *s, const struct notes_at *now, double begun)
{
	return s->told.step == now->step && s->told.beat == now->beat && s->told.off == now->off &&
	       s->told.stands == now->stands && s->begun == begun;
}

void notes_tell(struct tui *t)
{
	struct notes_at now;
	if (!state_of(t, &now)) {
		notes_close(t);
		return;
	}
	struct notes_server *const s = server_of(t);
	if (s->run != run_of(t)->spent) {
		notes_close(t);
		begin_server(t);
	} else if (is_told(s, &now, run_of(t)->begun)) {
		return;
	} else if (!notes_door_stands(
			   &s->door)) { /* who had it may be gone, or who cleans up came */
		notes_door_close(&s->door);
		open_door(t);
	}
	s->told = now;
	s->begun = run_of(t)->begun;
	tell_place(t, NULL);
}

/* ---- what is asked for ------------------------------------------------------------------- */

/* A box over the picture and a line being typed go first, as by Esc. */
static void clear_way(struct tui *t)
{
	enum { LAYERS = 4 };
	page_key(t, &(struct key){.name = "Esc"});
	for (int i = 0; i < LAYERS && (t->mode != MODE_LOOK || t->overlay != OVERLAY_NONE); i++) {
		t->app->request = REQUEST_BACK;
		tui_answer(t);
	}
}

static void request(struct tui *t, enum request what, const char *text)
{
	t->app->message[0] = '\0';
	clear_way(t);
	t->app->request = what;
	t->app->request_text = text ? scene_intern(text) : NULL;
	tui_answer(t);
	tui_dirty(t, 0);
}

static void go(struct tui *t, const struct notes_at *to)
{
	const struct tour *const tour = run_of(t)->tour;
	char text[64];
	if (to->step > tour->n_steps || to->beat > tour->steps[to->step - 1].n)
		return; /* of another version of the file */
	snprintf(text, sizeof text, to->beat > 1 ? "%zu.%zu" : "%zu", to->step, to->beat);
	request(t, REQUEST_TOUR, text);
}

void notes_pause(struct tui *t)
{
	if (run_of(t)->tour)
		tour_pause(&t->tour.run, machine_seconds());
	else
		app_say(t->app, "no tour is shown");
	tui_dirty(t, 0);
}

/* False: that is nothing to ask for. */
static bool answer(struct tui *t, const struct notes_message *m)
{
	switch (m->kind) {
	case NOTES_NEXT:
		request(t, REQUEST_TOUR_NEXT, NULL);
		return true;
	case NOTES_BACK:
		request(t, REQUEST_TOUR_BACK, NULL);
		return true;
	case NOTES_GO:
		go(t, &m->at);
		return true;
	case NOTES_PAUSE:
		notes_pause(t);
		return true;
	case NOTES_CLOCK:
		tour_set_clock(&t->tour.run, m->at.elapsed, machine_seconds());
		tui_dirty(t, 0);
		return true;
	default:
		return false;
	}
}

/* A message that is answered may end the tour, and so this peer. */
static void hear(struct tui *t, struct peer *p, const char *bytes, size_t len)
{
	struct notes_message m;
	bool got;
	for (size_t used; p->fd >= 0 && (used = notes_take(&p->in, bytes, len, &m, &got)) > 0;) {
		bytes += used;
		len -= used;
		if (got && run_of(t)->tour && !answer(t, &m))
			p->in.wrong = true;
		if (got)
			notes_tell(t);
	}
	if (p->in.wrong)
		drop(p);
}

static void read_peer(struct tui *t, struct peer *p)
{
	char bytes[PIECE];
	const ssize_t n = recv(p->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (n > 0)
		hear(t, p, bytes, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
		drop(p);
}

/* Those that are too many are left at once. */
static void take_peers(struct tui *t)
{
	struct notes_server *const s = t->notes;
	for (int k = 0; k < PEERS; k++) {
		const int fd = accept(s->door.fd, NULL, NULL);
		if (fd < 0)
			return;
		size_t i = 0;
		while (i < PEERS && s->peers[i].fd >= 0)
			i++;
		if (i == PEERS || !notes_set_flags(fd)) {
			close(fd);
			continue;
		}
		s->peers[i].fd = fd;
		s->peers[i].n_out = 0;
		s->peers[i].in = (struct notes_reader){0};
		greet(t, &s->peers[i]);
	}
}

/* ---- in the loop ------------------------------------------------------------------------- */

size_t notes_poll(const struct tui *t, struct pollfd *fds)
{
	const struct notes_server *const s = t->notes;
	if (!s)
		return 0;
	fds[0] = (struct pollfd){.fd = s->door.fd, .events = POLLIN};
	for (size_t i = 0; i < PEERS; i++)
		fds[1 + i] = (struct pollfd){
			.fd = s->peers[i].fd,
			.events = (short)(s->peers[i].n_out > 0 ? POLLIN | POLLOUT : POLLIN)};
	return NOTES_FDS;
}

void notes_serve(struct tui *t, const struct pollfd *fds, size_t n)
{
	struct notes_server *const s = t->notes;
	for (size_t i = 1; i < n; i++) {
		struct peer *const p = &s->peers[i - 1];
		if (fds[i].revents & POLLOUT && p->fd == fds[i].fd)
			flush(p);
		if (fds[i].revents & ~POLLOUT && p->fd == fds[i].fd)
			read_peer(t, p);
	}
	if (n > 0 && fds[0].revents && s->door.fd == fds[0].fd)
		take_peers(t);
}

const struct tui_part part_notes = {.at = {[PART_CLOSE] = notes_close, [PART_TURN] = notes_tell},
				    .n_fds = NOTES_FDS,
				    .poll = notes_poll,
				    .serve = notes_serve};
