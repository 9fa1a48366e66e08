/* test_tour_reading.c: files of tours that are read beside the screen: shown when they are there and nothing is typed,
 * replaced by what is wanted later, given up. */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_frame.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/tour/tour_run.h"

static struct tui *t;

static void write_tour(const char *path, const char *text)
{
	assert_true(file_write(path, text, strlen(text), true, NULL));
}

/* One that takes minutes, of scenes that differ. */
static void write_long(const char *path)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "title Long\nlayers 4\nsentence");
	for (int i = 0; i < 400; i++)
		strbuf_printf(&b, " w%d", i);
	for (int i = 1; i <= 100; i++)
		strbuf_printf(&b, "\nstep S\nscheme alibi\nseed %d\nsay x\nexpect order > 0\n", i);
	write_tour(path, b.at);
}

static int open_program(void **state)
{
	open_folder(state);
	t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	t->terminal.rows = 24;
	t->terminal.cols = 80;
	t->worker = worker_new();
	touring_open(t);
	write_tour("one.tour", "title One\nstep A\nsay a\nstep B\nsay b\n");
	write_tour("two.tour", "title Two\nstep A\nsay a\n");
	write_tour("bad.tour", "title Bad\nstep A\nsay a\nexpect order = 7\n");
	write_long("long.tour");
	return 0;
}

static int close_program(void **state)
{
	touring_close(t);
	reading_free(t);
	worker_free(t->worker);
	help_tui_done(t);
	return close_folder(state);
}

FIXTURE(open_program, close_program)

/* Rounds of the loop until nothing is read any more, though it may wait to be shown. */
static void wait_until_read(void)
{
	while (reading_fd(t) >= 0) {
		struct pollfd p = {.fd = reading_fd(t), .events = POLLIN};
		assert_int_equal(poll(&p, 1, 60000), 1);
		reading_follow(t);
	}
}

static void shows(const char *title, size_t step)
{
	assert_true(touring(t));
	assert_string_equal(t->tour.run.tour->title, title);
	assert_int_equal(tour_now(&t->tour.run)->step + 1, step);
}

TEST(a_file_is_shown_when_it_was_read)
{
	tour_choose(t, "one.tour", 2);
	assert_false(touring(t));
	wait_until_read();
	shows("One", 2);
	tour_choose(t, "two.tour", 0);
	shows("One", 2);
	wait_until_read();
	shows("Two", 1);
}

TEST(who_types_is_not_interrupted)
{
	tour_choose(t, "one.tour", 0);
	prompt_open(t, MODE_COMMAND, "zoom");
	wait_until_read();
	assert_false(touring(t));
	assert_true(t->mode == MODE_COMMAND);
	prompt_cancel(t);
	reading_follow(t);
	shows("One", 1);
}

/* The newest wish counts, be it one of ours, which is there at once. */
TEST(what_is_wanted_later_takes_its_place)
{
	tour_choose(t, "long.tour", 0);
	tour_choose(t, "one.tour", 0);
	tour_choose(t, "two.tour", 0);
	wait_until_read();
	shows("Two", 1);
	tour_choose(t, "long.tour", 0);
	tour_choose(t, "order", 4);
	shows("Why order vanishes", 4);
	wait_until_read();
	shows("Why order vanishes", 4);
}

TEST(it_may_be_given_up_and_that_leaves_all_as_it_was)
{
	const struct key esc = {.name = "Esc"};
	tour_choose(t, "order", 4);
	assert_false(reading_give_up(t));
	tour_choose(t, "long.tour", 0);
	tui_key(t, &esc);
	assert_string_equal(t->app->message, "\"long.tour\" is not read any further");
	wait_until_read();
	shows("Why order vanishes", 4);
}

TEST(what_is_wrong_is_said_and_nothing_else_happens)
{
	tour_choose(t, "order", 4);
	tour_choose(t, "bad.tour", 0);
	wait_until_read();
	shows("Why order vanishes", 4);
	assert_int_equal(t->overlay, OVERLAY_TEXT);
	assert_non_null(strstr(t->box.lines[1], "bad.tour:4: expect order = 7"));
}

/* The program ends while one is read. */
TEST(nobody_waits_for_what_is_not_wanted)
{
	tour_choose(t, "long.tour", 0);
	assert_true(reading_fd(t) >= 0);
}

TEST(what_was_read_at_the_start_is_not_read_again)
{
	static struct tour given;
	struct err err;
	assert_true(tour_open("one.tour", TOUR_LINES, NULL, NULL, &arena, &given, NULL, &err));
	t->app->given_tour = &given;
	t->app->request_text = "gone.tour#2";
	tour_request(t);
	shows("One", 2);
	assert_true(t->tour.run.tour == &given && !t->app->given_tour);
}
