/* test_notes_link.c: a speaker's terminal whose tour is lost, begun anew, lost again: it goes back to where that was, and
 * to the time that it is in the room. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/math/machine.h"
#include "tui/notes_in.h"
#include "tui/notes_place.h"

static struct notes *n;
static int other = -1;

static int open_notes(void **state)
{
	struct err err;
	open_arena(state);
	n = arena_calloc(&arena, 1, sizeof *n);
	n->fd = -1;
	arena_init(&n->texts[0]);
	arena_init(&n->texts[1]);
	return notes_read_tour(n, "order", &err) ? 0 : -1;
}

static int close_notes(void **state)
{
	notes_hang_up(n);
	if (other >= 0)
		close(other);
	other = -1;
	arena_release(&n->texts[0]);
	arena_release(&n->texts[1]);
	return close_arena(state);
}

FIXTURE(open_notes, close_notes)

/* The terminal with the tour says so. */
static void tell(const struct notes_message *m)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	notes_print(m, &b);
	assert_int_equal(write(other, b.at, b.len), (ssize_t)b.len);
	notes_hear(n);
}

static void stands_at(size_t step, size_t beat, double elapsed)
{
	tell(&(struct notes_message){.kind = NOTES_AT,
				     .at = {.step = step, .beat = beat, .elapsed = elapsed}});
}

static void begin_anew(double elapsed)
{
	int ends[2];
	notes_hang_up(n);
	if (other >= 0)
		close(other);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_true(notes_set_flags(ends[0]) && notes_set_flags(ends[1]));
	n->fd = ends[0];
	other = ends[1];
	n->in = (struct notes_reader){0};
	n->placed = false;
	tell(&(struct notes_message){.kind = NOTES_HELLO});
	stands_at(1, 1, elapsed);
}

/* What it asks for when it goes back: "clock 1270", and where to. */
static void resumes(double elapsed, const char *then)
{
	char said[256] = "", rest[256];
	double clock;
	assert_true(notes_may_resume(n));
	notes_resume(n);
	const ssize_t len = read(other, said, sizeof said - 1);
	said[len > 0 ? len : 0] = '\0';
	char *const end = strchr(said, '\n');
	assert_non_null(end);
	*end = '\0';
	snprintf(rest, sizeof rest, "%s", end + 1);
	assert_int_equal(sscanf(said, "clock %lf", &clock), 1);
	assert_true(clock >= elapsed - 0.01 && clock < elapsed + 60);
	assert_string_equal(rest, then);
	assert_false(notes_may_resume(n));
}

TEST(it_goes_back_to_the_place_and_to_the_time_whenever_it_is_asked)
{
	begin_anew(0);
	stands_at(7, 1, 1270);
	begin_anew(0);
	stands_at(2, 1, 31);
	stands_at(2, 2, 62);
	assert_string_equal(notes_resumes(n, &arena), "goes back to 7/12 and 21:10");
	resumes(1270, "go 7.1\n");
	stands_at(7, 1, 1270);
	assert_false(notes_may_resume(n));
}

/* It is not the clock of the short time in between. */
TEST(who_is_lost_twice_goes_back_to_the_first_time)
{
	begin_anew(0);
	stands_at(7, 1, 1270);
	begin_anew(0);
	stands_at(3, 1, 9);
	begin_anew(0);
	resumes(1270, "go 7.1\n");
	stands_at(7, 1, 1270);
	stands_at(8, 1, 1300);
	begin_anew(0);
	stands_at(9, 1, 4);
	begin_anew(0);
	assert_string_equal(notes_resumes(n, &arena), "goes back to 9/12 and 21:40");
	resumes(1300, "go 9.1\n");
}

TEST(who_is_there_already_sets_the_clock_alone)
{
	begin_anew(0);
	stands_at(7, 1, 1270);
	begin_anew(0);
	stands_at(7, 1, 3);
	assert_string_equal(notes_resumes(n, &arena), "sets the clock to 21:10");
	resumes(1270, "");
}

TEST(a_clock_that_stood_stands_again)
{
	begin_anew(0);
	tell(&(struct notes_message){
		.kind = NOTES_AT, .at = {.step = 7, .beat = 1, .elapsed = 1270, .stands = true}});
	begin_anew(0);
	resumes(1270, "go 7.1\npause\n");
}

/* Some steps on, or with the right time: nobody wants to go back. */
TEST(what_was_gone_on_from_is_offered_no_more)
{
	begin_anew(0);
	stands_at(7, 1, 1270);
	begin_anew(0);
	stands_at(9, 1, 100);
	assert_true(notes_may_resume(n));
	stands_at(10, 1, 130);
	assert_false(notes_may_resume(n));
	begin_anew(0);
	stands_at(10, 1, 131);
	assert_false(notes_may_resume(n));
}
