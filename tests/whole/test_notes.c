/* test_notes.c: two terminals, one that shows a tour and one with its notes, each of which is left, killed and started
 * again; and what is said where there is nothing to follow. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"
#include "help_cli.h"
#include "help_pty.h"

enum { TERMINALS = 3 };
static struct pty terminals[TERMINALS];
static bool runs[TERMINALS];
enum { TOUR, NOTES, OTHER };
static char place[4096 + 32], folder[4096];

static int open_place(void **state)
{
	cli_enter(state);
	if (!getcwd(folder, sizeof folder))
		return -1;
	snprintf(place, sizeof place, "XDG_RUNTIME_DIR=%s", folder);
	return 0;
}

static void end(int which)
{
	if (runs[which])
		pty_stop(&terminals[which]);
	runs[which] = false;
}

static int close_place(void **state)
{
	for (int i = 0; i < TERMINALS; i++)
		end(i);
	return cli_leave(state);
}

FIXTURE(open_place, close_place)

static struct pty *start(int which, int rows, int cols, const char *name, bool notes)
{
	struct pty_look look = {.rows = rows, .cols = cols, .dir = folder, .env = {place}};
	size_t n = 0;
	end(which);
	look.args[n++] = "tour";
	if (name)
		look.args[n++] = name;
	if (notes)
		look.args[n] = "--notes";
	runs[which] = true;
	pty_start(&terminals[which], &look);
	return &terminals[which];
}

static struct pty *show(const char *name)
{
	return start(TOUR, 24, 80, name, false);
}

static struct pty *follow(const char *name)
{
	return start(NOTES, 24, 80, name, true);
}

static void kill_it(int which)
{
	assert_int_equal(kill(terminals[which].pid, SIGKILL), 0);
	assert_int_equal(pty_exit(&terminals[which]), 128 + SIGKILL);
	end(which);
}

static void press(struct pty *p, const char *key, const char *expected)
{
	pty_type(p, key);
	PTY_EXPECT(p, pty_wait(p, expected));
}

/* ---- following ---------------------------------------------------------------------------- */

TEST(each_follows_the_other_and_either_may_be_killed_and_come_back)
{
	struct pty *notes = follow("order");
	PTY_EXPECT(notes, pty_wait(notes, "no tour is shown: start posviz tour order"));
	PTY_EXPECT(notes, pty_has(notes, "1/12"));
	struct pty *tour = show("order");
	PTY_EXPECT(notes, pty_wait_gone(notes, "no tour is shown"));
	PTY_EXPECT(notes, pty_wait(notes, " of 9:50, planned 0:"));
	PTY_EXPECT(tour, pty_wait(tour, "1/12"));
	press(tour, " ", "2/12");
	PTY_EXPECT(notes, pty_wait(notes, "right   b  Move with their words"));
	press(notes, " ", "2 of 2");
	PTY_EXPECT(tour, pty_wait(tour, "Every number found its words again"));
	press(notes, "t5\r", "5/12");
	PTY_EXPECT(tour, pty_wait(tour, "5/12"));

	kill_it(TOUR);
	PTY_EXPECT(notes, pty_wait(notes, "the terminal with the tour is gone"));
	PTY_EXPECT(notes, pty_has(notes, "5/12"));
	press(notes, " ", "no tour is followed yet");
	tour = show("order"); /* its socket is there, and dead */
	PTY_EXPECT(notes, pty_wait(notes, "the tour began anew; g goes back to 5/12 and 0:0"));
	press(notes, "g", "5/12");
	PTY_EXPECT(tour, pty_wait(tour, "5/12"));
	PTY_EXPECT(notes, pty_wait_gone(notes, "began anew"));

	kill_it(NOTES);
	press(tour, "b", "4/12");
	notes = follow("order");
	PTY_EXPECT(notes, pty_wait(notes, "4/12"));
	press(notes, "b", "3/12");
	PTY_EXPECT(tour, pty_wait(tour, "3/12"));
	tui_quit(notes);
	press(tour, " ", "4/12");
	tui_quit(tour);
}

TEST(a_tour_that_is_left_is_followed_again_when_it_is_shown_again)
{
	struct pty *const tour = show("order"), *const notes = follow(NULL);
	PTY_EXPECT(notes, pty_wait(notes, "1/12"));
	press(notes, " ", "2/12");
	PTY_EXPECT(tour, pty_wait(tour, "2/12"));
	pty_type(tour, "\033");
	PTY_EXPECT(notes, pty_wait(notes, "the tour was left"));
	PTY_EXPECT(notes, pty_has(notes, "2/12"));
	pty_type(tour, ":tour rank\r");
	PTY_EXPECT(tour, pty_wait(tour, "Pictures made of stripes"));
	PTY_EXPECT(notes, pty_wait(notes, "1/"));
	PTY_EXPECT(notes, pty_wait_gone(notes, "the tour was left"));
	PTY_EXPECT(notes, !pty_has(notes, "Why order vanishes"));
	tui_quit(notes);
	tui_quit(tour);
}

TEST(the_clock_stands_and_runs_again_and_a_change_by_hand_is_said)
{
	struct pty *const tour = show("order"), *const notes = follow("order");
	PTY_EXPECT(notes, pty_wait(notes, "planned"));
	press(notes, "p", "the clock stands; p lets it run");
	pty_type(notes, "p");
	PTY_EXPECT(notes, pty_wait_gone(notes, "the clock stands"));
	PTY_EXPECT(tour, pty_wait(tour, "1/12"));
	pty_type(tour, "c");
	PTY_EXPECT(notes, pty_wait(notes, "something was changed by hand"));
	pty_type(notes, " ");
	PTY_EXPECT(notes, pty_wait_gone(notes, "something was changed by hand"));
	PTY_EXPECT(notes, pty_has(notes, "1/12"));
	tui_quit(notes);
	tui_quit(tour);
}

/* ---- files -------------------------------------------------------------------------------- */

static void write_tour(const char *note)
{
	FILE *const f = fopen("lesson.tour", "w");
	assert_non_null(f);
	fprintf(f,
		"title A lesson\nsentence a b\nstep One\nsay First.\nnote %s\nstep Two\nsay "
		"Second.\n",
		note);
	assert_int_equal(fclose(f), 0);
}

TEST(a_file_that_was_changed_in_between_is_read_anew)
{
	write_tour("the old note");
	struct pty *const notes = follow("lesson.tour");
	PTY_EXPECT(notes, pty_wait(notes, "the old note"));
	write_tour("the new note");
	struct pty *tour = show("lesson.tour");
	PTY_EXPECT(notes, pty_wait(notes, "the file was changed, and is read anew"));
	PTY_EXPECT(notes, pty_wait(notes, "the new note"));
	write_tour("a newer note");
	kill_it(NOTES);
	struct pty *const again = follow(NULL);
	PTY_EXPECT(again, pty_wait(again, "the file is not what the other terminal shows"));
	PTY_EXPECT(again, pty_has(again, "a newer note"));
	kill_it(TOUR);
	tour = show("./lesson.tour");
	PTY_EXPECT(again, pty_wait_gone(again, "the terminal with the tour is gone"));
	PTY_EXPECT(again, !pty_has(again, "the file is not what"));
	press(again, " ", "2/2");
	PTY_EXPECT(tour, pty_wait(tour, "2/2"));
}

/* ---- looks -------------------------------------------------------------------------------- */

TEST(it_is_read_at_every_size_scrolled_resized_and_helped)
{
	struct pty *const notes = start(NOTES, 12, 40, "order", true);
	PTY_EXPECT(notes, pty_wait(notes, "no tour is shown: start posviz tour"));
	PTY_EXPECT(notes, pty_has(notes, "q quit"));
	PTY_EXPECT(notes, !pty_has(notes, "source"));
	pty_type(notes, "\004\004\004\004"); /* pages down */
	PTY_EXPECT(notes, pty_wait(notes, "source"));
	press(notes, "?", "space PgDn");
	press(notes, "x", "Each row");
	pty_resize(notes, 50, 200);
	PTY_EXPECT(notes, pty_wait(notes, "12  Three questions"));
	press(notes, "?", "leave; the tour goes on");
	pty_type(notes, "q");
	PTY_EXPECT(notes, pty_wait_gone(notes, "leave; the tour goes on"));
	press(notes, "t", "go to step:");
	press(notes, "13\r", "order has 12 steps; there is no step 13");
	press(notes, "x", "x does nothing here");
	tui_quit(notes);
}

/* ---- nothing to follow -------------------------------------------------------------------- */

TEST(of_several_one_has_to_be_named)
{
	struct pty *const a = show("order"), *const b = start(OTHER, 24, 80, "rank", false);
	PTY_EXPECT(a, pty_wait(a, "1/12"));
	PTY_EXPECT(b, pty_wait(b, "1/"));
	struct pty *const notes = follow(NULL);
	assert_int_equal(pty_exit(notes), 2);
	PTY_EXPECT(notes,
		   pty_has(notes, "tour: several are shown: order, rank; name one: posviz tour"));
}

TEST(a_directory_of_sockets_that_lets_others_in_is_not_used)
{
	assert_int_equal(mkdir("posviz", 0755), 0);
	assert_int_equal(chmod("posviz", 0755), 0);
	struct pty *const notes = follow("order");
	PTY_EXPECT(notes, pty_wait(notes, "no tour can be followed: "));
	tui_quit(notes);
}

TEST(what_notes_cannot_go_with_is_said)
{
	static const struct {
		struct cli_case run;
		const char *said;
	} cases[] = {
		{{.args = {"tour", "order", "--notes"}},
		 "tour: --notes is for a terminal of the speaker's: standard input and output are no "
		 "terminal"},
		{{.args = {"tour", "order", "--notes", "-o", "x.pdf"}},
		 "--output means nothing for --notes"},
		{{.args = {"tour", "order", "--notes", "--check"}},
		 "--check means nothing for --notes"},
		{{.args = {"tour", "--notes", "--list"}}, "--list means nothing for --notes"},
		{{.args = {"tour", "order", "--notes", "--step", "2"}},
		 "--step means nothing for --notes"},
		{{.args = {"tour", "order#2", "--notes"}}, "not at step 2"},
		{{.args = {"tour", "order", "rank", "--notes"}}, "follows one tour at a time"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cli_result r;
		cli_run(&r, &cases[i].run);
		if (r.code != 2 || !strstr(r.err, cases[i].said) || r.out_len > 0)
			fail_msg("%s: %d, %s", cases[i].said, r.code, r.err);
		cli_done(&r);
	}
}
