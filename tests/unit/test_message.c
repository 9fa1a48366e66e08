/* test_message.c: what is said in the line below: read by whoever pressed a key too early, and gone once it was. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_frame.h"
#include "posviz/math/machine.h"

static struct tui *t;

static int open_program(void **state)
{
	open_arena(state);
	t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	t->worker = worker_new();
	touring_open(t);
	return 0;
}

static int close_program(void **state)
{
	touring_close(t);
	worker_free(t->worker);
	help_tui_done(t);
	return close_arena(state);
}

FIXTURE(open_program, close_program)

/* It stands on the screen for so many seconds when the space bar is pressed, which does nothing here. */
static const char *after_space(const char *said, double seconds, bool error)
{
	const struct key space = {.name = "Space", .text = " "};
	snprintf(t->app->message, sizeof t->app->message, "%s", said);
	t->app->message_is_error = error;
	t->said_at = machine_seconds() - seconds;
	tui_key(t, &space);
	return t->app->message;
}

TEST(what_nobody_had_time_to_read_stays)
{
	static const char nothing[] = "space does nothing here; ? lists the keys that do";
	assert_string_equal(after_space("wrote a.png", -60, false), "wrote a.png");
	assert_string_equal(after_space("wrote a.png", 60, false), nothing);
	assert_string_equal(after_space("no such file", -60, true), nothing);
	assert_string_equal(after_space("", -60, false), nothing);
	assert_string_equal(after_space("Y does nothing here", -60, false), nothing);
}

TEST(who_goes_on_in_a_tour_that_is_left_is_told_how)
{
	tour_choose(t, "order", 3);
	tour_stop(t);
	assert_string_equal(after_space("", 60, false),
			    "no tour is shown; t, Enter goes on at 3/12 of "
			    "\"Why order vanishes\"");
}

/* In the presenter it lies over the figure: it goes when it was read, but for what is to be mended. */
TEST(over_the_figure_it_goes_by_itself)
{
	static const struct {
		bool presents, error;
		double seconds;
		bool stays;
	} cases[] = {{true, false, 1, true},
		     {true, false, 4, false},
		     {true, true, 4, true},
		     {false, false, 4, true}};
	struct picture *const p = &t->picture->picture;
	const struct presented *const kept = p->figure.presented;
	static const struct presented presented;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		p->figure.presented = cases[i].presents ? &presented : NULL;
		snprintf(t->app->message, sizeof t->app->message, "wrote a.png");
		t->app->message_is_error = cases[i].error;
		t->said[0] = '\0';
		t->again_at = INFINITY;
		message_drawn(t);
		assert_int_equal(isfinite(t->again_at), cases[i].presents && !cases[i].error);
		t->said_at -= cases[i].seconds;
		message_ends(t);
		assert_int_equal(t->app->message[0] != '\0', cases[i].stays);
	}
	p->figure.presented = kept;
}
