/* test_tui_tour.c: tours in the real program: through them, off the path and back, out of them, and in again by a
 * picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/format/file.h"

FIXTURE(NULL, tui_teardown)

#define F5  "\033[15~"
#define END "\033OF"
#define ESC "\033"

static const struct pty_look order = {.rows = 36, .cols = 120, .args = {"-c", "tour order"}};

TEST(a_tour_asks_answers_and_goes_back)
{
	static const struct tui_step steps[] = {
		{"", "1/12", "Schemes"},
		{" ", "What will the nine weights do?", NULL},
		{"", "b  Move with their words", "answer"},
		{" ", "answer  b  Move with their words", "What will"},
		{"", "A(PX) as shown", NULL},
		{"b", "What will the nine weights do?", "A(PX)"},
		{"\033[5~", "1/12", NULL},
		{"\033[6~", "2/12", NULL},
		{"b", "1/12", NULL},
		{"b", "this is the beginning", NULL},
	};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* At a question the letters of its answers are no commands, which might change what is asked about; b leads back. */
TEST(letters_of_answers_change_nothing)
{
	static const struct tui_step steps[] = {
		{" ", "What will the nine weights do?", NULL},
		{"a", "space shows the answer", NULL},
		{"c", "space shows the answer", "changed: space"},
		{" ", "answer  b  Move with their words", "What will"},
		{"bb", "1/12", NULL},
	};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* Another pane might hold the answer, and so might what was measured. */
TEST(beside_a_question_stands_what_it_is_about)
{
	static const struct tui_step steps[] = {
		{"", "Measured", NULL},	      {" ", "What will the nine weights do?", "Measured"},
		{"", "Attention", "Bias by"}, {"", NULL, "shuffles change"},
		{" ", "Measured", NULL},      {"b", "What will the nine weights do?", "Measured"},
	};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* What a beat speaks of has its numbers, where eight words had no room for theirs. */
TEST(what_is_spoken_of_has_the_room)
{
	static const struct tui_step steps[] = {{"", ".88", NULL}};
	const struct pty_look look = {.rows = 36, .cols = 120, .args = {"-c", "tour sinusoids#3"}};
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* The cell that is pointed out is that of the lines below, and the pane that is meant has the keys. */
TEST(what_is_pointed_out_has_the_cursor)
{
	static const struct tui_step steps[] = {{"", "dog → man 1,3", NULL},
						{"", "weight 0.0963", NULL},
						{"\033OB", "bites → man", NULL},
						{" ", "2/12", "changed:"}};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* Pictures of what was shown before do not know its cells. */
TEST(a_step_that_is_opened_has_its_own_cursor)
{
	static const struct tui_step steps[] = {{"", "built → rat 28,16", NULL}};
	const struct pty_look look = {.rows = 36, .cols = 120, .args = {"-c", "tour buckets#5.2"}};
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* The space bar ends what runs. */
TEST(what_has_run_says_where_it_ended)
{
	static const struct tui_step steps[] = {{"", "head 1  3/11", NULL},
						{" ", "head 4  3/11", NULL},
						{"c", "changed: space goes back", "head 4  3/11"},
						{" ", "head 4  3/11", "changed:"}};
	const struct pty_look look = {
		.rows = 36, .cols = 120, .args = {"-c", "tour extrapolation#3.2"}};
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(off_the_path_and_back)
{
	static const struct tui_step steps[] = {
		{"", "1/12", NULL},
		{"c", "changed: space goes back", NULL},
		{" ", "1/12", "changed:"},
		{"u", "changed: space goes back", NULL},
		{"", "none+causal", NULL},
		{ESC, "1/12", "changed:"},
		{"/t5\r", "changed: space goes back", NULL},
		{"b", "1/12", "changed:"},
		{"3", "changed: space goes back", NULL},
		{" ", NULL, "changed:"},
		/* The space bar is the tour's, but for moving tokens. */
		{"p", "lift", NULL},
		{" \033OC ", "bites", NULL},
		{"\r", "changed: space goes back", NULL},
		{" ", "1/12", "changed:"},
		{" ", "2/12", NULL},
	};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(terms_are_turned_off_by_o)
{
	static const struct tui_step steps[] = {{"2", "soft", "Position bias"},
						{"\t", "soft", NULL},
						{"o", "(off)", NULL},
						{"o", NULL, "(off)"},
						{":tour order\r", "1/12", NULL},
						{"2", "soft", "Position bias"},
						{" ", "Position bias", NULL}};
	static const struct pty_look look = {.rows = 36, .cols = 120, .args = {"--scheme", "shaw"}};
	struct pty *const p = tui_ready(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(steps_and_tours_are_chosen_from_lists)
{
	static const struct tui_step steps[] = {
		{"t", "┌─ Tours", NULL},
		{"", "Position in an hour", NULL},
		{"\r", "1/12", "┌─ Tours"},
		{"t", "┌─ Why order vanishes", NULL},
		{"", "▸  1", NULL},
		{"jjj\r", "4/12", "┌─ Why"},
		{"t", "▸  4", NULL},
		{"t", "┌─ Tours", NULL},
		{"t", "┌─ Why order vanishes", NULL},
		{ESC, "4/12", "┌─ Why"},
		{":tour 7\r", "7/12", NULL},
		{":tour 99\r", "there is no step 99", NULL},
		{":tour off\r", "left at 7/12", NULL},
		{"", "Schemes", NULL},
		{"t", "go on at 7/12", NULL},
		{"\r", "7/12", "┌─ Tours"},
		{ESC, "left at 7/12", NULL},
		{"t", "┌─ Tours", NULL},
		{END "\r", "1/70", NULL},
		{"t", "Sinusoids, and what", NULL},
		{ESC ":tour nothing\r", "there is no tour \"nothing\"", NULL},
		{"", "1/70", NULL},
	};
	static const struct pty_look look = {.rows = 36, .cols = 120};
	struct pty *const p = tui_ready(&look);
	TUI_WALK(p, steps);
	PTY_EXPECT(p, pty_click_on(p, "1/70"));
	PTY_EXPECT(p, pty_wait(p, "┌─ Position in an hour"));
	PTY_EXPECT(p, pty_click_on(p, "Two words for"));
	PTY_EXPECT(p, pty_wait(p, "4/70"));
	tui_quit(p);
}

TEST(the_end_says_so)
{
	static const struct tui_step steps[] = {{"", "12/12", NULL},
						{" ", "Where do they enter", NULL},
						{" ", "answer", NULL},
						{" ", "our second", NULL},
						{" ", "the end; Enter: sinusoids, 10 min", NULL},
						{" ", "12/12", NULL},
						{"b", "answer", "the end"},
						{" ", "our second", NULL},
						{" ", "the end; Enter: sinusoids", NULL},
						{"\r", "A clock with 32 hands", "the end"},
						{":tour lecture\r", "1/70", NULL},
						{":tour 70\r", "70/70", NULL},
						{"    ", "the end: Esc leaves, b goes back", NULL}};
	static const struct pty_look look = {
		.rows = 24, .cols = 80, .args = {"-c", "tour order#12"}};
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* q leaves the presenter and not the program; Esc the tour and not the presenter. */
/* Esc once too often: it goes on at the beat, and Space says how. */
TEST(what_was_left_goes_on_where_it_was)
{
	static const struct tui_step steps[] = {
		{"", "1/12", NULL},
		{"  ", "answer", NULL},
		{ESC, "left at 2/12; t, Enter goes on there", "space next"},
		{" ", "2/12", NULL},
		{"p", "lift", "left at"},
		{"\r", NULL, "lift"},
		{" ", "no tour is shown; t, Enter goes on at 2/12", NULL},
		{"t\r", "answer  b", NULL},
	};
	struct pty *const p = tui_start(&order);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(the_presenter_has_the_same_words)
{
	static const struct tui_step steps[] = {
		{"", "1/12", NULL},	      {F5, NULL, "1 Explore"},
		{" ", "We now write", NULL},  {" ", "answer  b", NULL},
		{"", "A(PX) as shown", NULL}, {"q", "1 Explore", NULL},
		{"", "answer  b", NULL},      {F5, NULL, "1 Explore"},
		{"b", "We now write", NULL},  {ESC, "left at", "We now write"},
		{"", "Rotary", NULL},	      {"q", "1 Explore", NULL},
	};
	static const int sizes[][2] = {{120, 36}, {60, 20}};
	for (size_t i = 0; i < 2; i++) {
		const struct pty_look look = {
			.rows = sizes[i][1], .cols = sizes[i][0], .args = {"-c", "tour order"}};
		struct pty *const p = tui_start(&look);
		TUI_WALK(p, steps);
		tui_quit(p);
	}
}

/* Words that have no room come with the next press. */
TEST(on_a_small_screen_no_word_is_lost)
{
	static const struct tui_step steps[] = {
		{"", "space: more", NULL},   {"", "Which way", NULL},
		{" ", "A third way", NULL},  {"", "1/2", "space: more"},
		{" ", "So.", NULL},	     {" ", "2/2", NULL},
		{"b", "So.", NULL},	     {"b", "space: more", NULL},
		{" b", "space: more", NULL}, {" i", "changed: space", NULL},
	};
	const char *const dir = tui_directory();
	char path[300], command[320];
	static const char text[] =
		"title T\nsentence dog bites man\nstep A long question\nask Which way do words take when there is "
		"hardly any room for them on the screen of a telephone?\noption This is the first way that there is\n"
		"option This is the second way, as long\noption A third way\nanswer a\nreveal\nsay So.\n"
		"step B\nsay End.\n";
	snprintf(path, sizeof path, "%s/small.tour", dir);
	assert_true(file_write(path, text, strlen(text), false, NULL));
	snprintf(command, sizeof command, "tour %s", path);
	const struct pty_look look = {.rows = 12, .cols = 40, .args = {"-c", command}};
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(what_is_refused_is_the_picture)
{
	static const char text[] =
		"title T\nsentence dog bites man\nstep Too far\nscheme learned\nt-max 2\nrefused number 3\nsay Look.\n"
		"step Near\nscheme none\nsay Fine.\n";
	static const struct tui_step steps[] = {{"", "Too far", "error"},
						{" ", "Fine.", "Look."},
						{"b", "Look.", "Fine."},
						{"u", NULL, NULL}};
	const char *const dir = tui_directory();
	char path[300], command[320];
	snprintf(path, sizeof path, "%s/refused.tour", dir);
	assert_true(file_write(path, text, strlen(text), false, NULL));
	snprintf(command, sizeof command, "tour %s", path);
	static const int sizes[][2] = {{120, 36}, {40, 12}};
	for (size_t i = 0; i < 2; i++) {
		const struct pty_look look = {
			.rows = sizes[i][1], .cols = sizes[i][0], .args = {"-c", command}};
		struct pty *const p = tui_start(&look);
		TUI_WALK(p, steps);
		tui_quit(p);
	}
}

/* All that is wrong stands in a box, and the tour that is shown goes on. */
TEST(a_wrong_file_leaves_all_as_it_was)
{
	static const char text[] = "title T\nstep A\nsay a\nnothing\nstep B\nanswer c\n";
	static const struct tui_step steps[] = {
		{"", "1/12", NULL},
		{" ", "2/12", NULL},
		{":open wrong.tour\r", "This tour is not shown", NULL},
		{"", "wrong.tour:4:", NULL},
		{"", "wrong.tour:6:", NULL},
		{ESC, "2/12", "wrong.tour"},
		{":tour gone.tour\r", "gone.tour", NULL},
		{"", "2/12", NULL}};
	const char *const dir = tui_directory();
	struct pty_look look = order;
	char path[300];
	snprintf(path, sizeof path, "%s/wrong.tour", dir);
	assert_true(file_write(path, text, strlen(text), false, NULL));
	look.dir = dir;
	struct pty *const p = tui_start(&look);
	TUI_WALK(p, steps);
	tui_quit(p);
}

/* A picture made in a tour opens at its beat; one that was changed as a change of it. */
TEST(a_picture_of_a_step_opens_there)
{
	static const struct tui_step write[] = {{"", "2/12", NULL},
						{":save on.png\r", "wrote on.png", NULL},
						{"c", "changed:", NULL},
						{":save off.png\r", "wrote off.png", NULL}};
	static const struct tui_step off[] = {{"", "changed: space goes back", NULL},
					      {"", "none+causal", NULL},
					      {"", "answer  b", NULL},
					      {" ", "answer  b", "changed:"},
					      {":open on.png\r", "2/12", "changed:"},
					      {" ", "3/12", NULL}};
	const char *const dir = tui_directory();
	struct pty_look look = {
		.rows = 36, .cols = 120, .dir = dir, .args = {"-c", "tour order#2.2"}};
	struct pty *p = tui_start(&look);
	TUI_WALK(p, write);
	tui_quit(p);
	look = (struct pty_look){.rows = 36, .cols = 120, .dir = dir, .args = {"off.png"}};
	p = tui_start(&look);
	TUI_WALK(p, off);
	tui_quit(p);
}

/* Where the tour is gone the scene is still there, and a message. */
TEST(a_picture_of_a_tour_that_is_gone_is_a_picture)
{
	static const char text[] = "title T\nscheme t5\nstep A\nsay a\n";
	static const struct tui_step write[] = {{"", "1/1", NULL},
						{":save gone.png\r", "wrote gone.png", NULL}};
	static const struct tui_step gone[] = {{"", "tour of this picture is not there", NULL},
					       {"", "Bucketed relative bias", "1/1"}};
	const char *const dir = tui_directory();
	char path[300];
	snprintf(path, sizeof path, "%s/gone.tour", dir);
	assert_true(file_write(path, text, strlen(text), false, NULL));
	struct pty_look look = {
		.rows = 36, .cols = 120, .dir = dir, .args = {"-c", "tour gone.tour"}};
	struct pty *p = tui_start(&look);
	TUI_WALK(p, write);
	tui_quit(p);
	assert_int_equal(unlink(path), 0);
	look = (struct pty_look){.rows = 36, .cols = 120, .dir = dir, .args = {"gone.png"}};
	p = tui_start(&look);
	TUI_WALK(p, gone);
	tui_quit(p);
}
