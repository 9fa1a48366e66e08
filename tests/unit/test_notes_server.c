/* test_notes_server.c: a program that shows a tour, and terminals with its notes: what they are told, what they may
 * ask for, and that none of them can hold it up. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_frame.h"
#include "tui/notes_place.h"
#include "tui/notes_wire.h"
#include "posviz/tour/tour_run.h"

static struct tui *t;

static struct tui *new_program(void)
{
	struct tui *const made = help_tui(&arena, "none", "", BACKGROUND_DARK);
	made->terminal.rows = 24;
	made->terminal.cols = 80;
	made->worker = worker_new();
	touring_open(made);
	return made;
}

static void end_program(struct tui *program)
{
	notes_close(program);
	touring_close(program);
	worker_free(program->worker);
	help_tui_done(program);
}

static int open_program(void **state)
{
	char path[4096];
	open_folder(state);
	setenv("TMPDIR", getcwd(path, sizeof path), 1);
	unsetenv("XDG_RUNTIME_DIR");
	t = new_program();
	tour_choose(t, "order", 0);
	return 0;
}

static int close_program(void **state)
{
	end_program(t);
	return close_folder(state);
}

FIXTURE(open_program, close_program)

/* A round of the loop. */
static void serve(void)
{
	struct pollfd fds[NOTES_FDS];
	const size_t n = notes_poll(t, fds);
	if (n > 0 && poll(fds, (nfds_t)n, 0) > 0)
		notes_serve(t, fds, n);
	notes_tell(t);
}

static int call(void)
{
	const int fd = notes_connect("order");
	assert_true(fd >= 0);
	serve();
	return fd;
}

static void say(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	serve();
}

/* All that was told since; "" for nothing. */
static const char *told(int fd)
{
	char *const bytes = arena_calloc(&arena, 1, 20000);
	const ssize_t n = recv(fd, bytes, 19999, MSG_DONTWAIT);
	return n > 0 ? bytes : "";
}

static bool has_ended(int fd)
{
	char byte;
	const ssize_t n = recv(fd, &byte, 1, MSG_DONTWAIT);
	return n == 0 || (n < 0 && errno == ECONNRESET);
}

static void assert_told(int fd, const char *what)
{
	const char *const text = told(fd);
	if (!strstr(text, what))
		fail_msg("%s is not in:\n%s", what, text);
}

#define HELLO "posviz-notes 1\n"

/* ---- telling ------------------------------------------------------------------------------ */

TEST(who_calls_is_told_what_is_shown_and_where_it_is)
{
	struct tour tour = {0};
	assert_true(tour_open("order", TOUR_LINES, NULL, NULL, &arena, &tour, NULL, NULL));
	const int fd = call();
	const char *const expected =
		arena_printf(&arena, HELLO "tour %zu %zu %016lx order\nat 1.1 ", tour.n_steps,
			     tour.n_beats, (unsigned long)notes_hash(&tour));
	const char *const text = told(fd);
	if (strncmp(text, expected, strlen(expected)) != 0)
		fail_msg("%s", text);
	assert_non_null(strstr(text, " on runs\n"));
	serve();
	assert_string_equal(told(fd), "");
	close(fd);
}

TEST(every_change_is_told_to_all)
{
	const int a = call(), b = call();
	told(a);
	told(b);
	tour_next(t);
	serve();
	assert_told(a, "at 2.1 ");
	assert_told(b, "at 2.1 ");
	assert_true(tui_run_line(t, "causal"));
	serve();
	assert_told(a, " off runs\n");
	tour_next(t);
	serve();
	assert_told(a, "at 2.1 ");
	tour_back(t);
	serve();
	assert_told(a, "at 1.1 ");
	close(a);
	close(b);
}

TEST(a_tour_that_is_left_is_over_and_its_socket_gone)
{
	const int fd = call();
	told(fd);
	assert_true(tui_run_line(t, "tour off"));
	serve();
	assert_string_equal(told(fd), "over\n");
	assert_true(has_ended(fd));
	assert_int_equal(notes_connect("order"), -1);
	close(fd);
	tour_choose(t, "rank", 0);
	serve();
	assert_int_equal(notes_connect("order"), -1);
	const int other = notes_connect("rank");
	assert_true(other >= 0);
	close(other);
}

TEST(of_two_that_show_one_tour_the_second_follows_when_the_first_has_ended)
{
	struct tui *const first = t, *const second = new_program();
	tour_choose(second, "order", 0);
	assert_non_null(strstr(second->app->message, "another terminal shows this tour too"));
	second->app->message[0] = '\0';
	tour_next(second);
	assert_null(strstr(second->app->message, "another terminal"));
	assert_true(tui_run_line(first, "tour off"));
	t = second;
	serve();
	assert_int_equal(notes_connect("order"), -1);
	tour_next(second);
	const int fd = call();
	assert_told(fd, "at 2.2 ");
	close(fd);
	t = first;
	end_program(second);
}

TEST(a_socket_that_somebody_removed_is_there_again_with_the_next_beat)
{
	const char *dirs[NOTES_DIRECTORIES];
	serve();
	assert_int_equal(notes_directories(false, &arena, dirs, NULL), 1);
	assert_int_equal(unlink(arena_printf(&arena, "%s/order.sock", dirs[0])), 0);
	assert_int_equal(notes_connect("order"), -1);
	tour_next(t);
	const int fd = call();
	assert_told(fd, "at 2.1 ");
	close(fd);
}

/* ---- asking ------------------------------------------------------------------------------- */

TEST(what_is_asked_for_is_done)
{
	static const struct {
		const char *ask, *told;
	} cases[] = {{"next\n", "at 2.1 "},	{"next\n", "at 2.2 "},
		     {"back\n", "at 2.1 "},	{"go 5.2\n", "at 5.2 "},
		     {"go 1.1\n", "at 1.1 "},	{"pause\n", " on stands\n"},
		     {"pause\n", " on runs\n"}, {"clock 1800\n", "at 1.1 1800."}};
	const int fd = call();
	say(fd, HELLO);
	told(fd);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		say(fd, cases[i].ask);
		assert_told(fd, cases[i].told);
	}
	say(fd, "next\nnext\nba");
	assert_told(fd, "at 2.2 ");
	say(fd, "ck\n");
	assert_told(fd, "at 2.1 ");
	close(fd);
}

TEST(a_step_that_is_not_there_is_not_gone_to)
{
	const int fd = call();
	say(fd, HELLO "go 13.1\ngo 1.2\ngo 99999.99999\n");
	assert_told(fd, "at 1.1 ");
	assert_false(has_ended(fd));
	assert_int_equal(t->tour.run.beat, 0);
	close(fd);
}

TEST(what_is_open_or_typed_gives_way)
{
	const int fd = call();
	say(fd, HELLO);
	prompt_open(t, MODE_COMMAND, "scheme ro");
	say(fd, "next\n");
	assert_int_equal(t->mode, MODE_LOOK);
	assert_int_equal(t->tour.run.beat, 1);
	assert_true(tui_run_line(t, "help"));
	assert_int_not_equal(t->overlay, OVERLAY_NONE);
	say(fd, "next\n");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	assert_int_equal(t->tour.run.beat, 2);
	permute_open(t);
	say(fd, "back\n");
	assert_int_equal(t->mode, MODE_LOOK);
	close(fd);
}

TEST(who_says_something_else_is_left_and_the_others_stay)
{
	static const char *const wrong[] = {
		"next\n",	  HELLO HELLO,		HELLO "at 1.1 0 0 on runs\n",
		HELLO "over\n",	  HELLO "quit\n",	"posviz-notes 2\nnext\n",
		HELLO "next x\n", HELLO "\033[2Jnext\n"};
	const int good = call();
	say(good, HELLO);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const int fd = call();
		told(fd);
		say(fd, wrong[i]);
		if (!has_ended(fd))
			fail_msg("%s", wrong[i]);
		close(fd);
	}
	assert_int_equal(t->tour.run.beat, 0);
	told(good);
	say(good, "next\n");
	assert_told(good, "at 2.1 ");
	close(good);
}

/* ---- holding up --------------------------------------------------------------------------- */

/* The terminals that follow: those that the loop waits for besides the door. */
static size_t peers(void)
{
	struct pollfd fds[NOTES_FDS];
	const size_t all = notes_poll(t, fds);
	size_t n = 0;
	for (size_t i = 1; i < all; i++)
		n += fds[i].fd >= 0;
	return n;
}

TEST(who_does_not_read_is_left_and_nobody_waits)
{
	const int deaf = call(), good = call();
	size_t n = 0;
	for (; n < 20000 && peers() == 2; n++) {
		notes_pause(t);
		serve();
		told(good);
	}
	assert_in_range(n, 10, 19999);
	assert_int_equal(peers(), 1);
	tour_next(t);
	serve();
	assert_told(good, "at 2.1 ");
	close(deaf);
	close(good);
}

TEST(one_too_many_is_left_and_has_room_when_another_goes)
{
	enum { MOST = NOTES_FDS - 1 };
	int fds[MOST];
	for (int i = 0; i < MOST; i++)
		fds[i] = call();
	const int late = call();
	assert_true(has_ended(late));
	close(late);
	close(fds[3]);
	serve();
	fds[3] = call();
	for (int i = 0; i < MOST; i++) {
		assert_told(fds[i], "at 1.1 ");
		close(fds[i]);
	}
	serve();
	assert_int_equal(peers(), 0);
}

/* ---- the clock ---------------------------------------------------------------------------- */

TEST(time_that_the_clock_stood_is_none_of_the_tours)
{
	struct tour_run *const run = &t->tour.run;
	run->begun = run->step_begun = 100;
	tour_pause(run, 110);
	assert_within(tour_elapsed(run, 500), 10, 1e-9);
	assert_within(tour_spent(run, 500), 10, 1e-9);
	tour_show(run, 1, t->app, 600);
	assert_within(run->spent[0], 10, 1e-9);
	assert_within(tour_spent(run, 700), 0, 1e-9);
	tour_pause(run, 1000);
	assert_within(tour_elapsed(run, 1005), 15, 1e-9);
	assert_within(tour_spent(run, 1005), 5, 1e-9);
	tour_set_clock(run, 1800, 1005);
	assert_within(tour_elapsed(run, 1006), 1801, 1e-9);
	tour_show(run, 0, t->app, 1010);
	assert_within(run->spent[1], 10, 1e-9);
	assert_within(tour_spent(run, 1011), 11, 1e-9);
}
