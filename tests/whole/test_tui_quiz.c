/* test_tui_quiz.c: a quiz on the screen: asked, answered, its score there and on standard output. */
#include <string.h>

#include "test.h"
#include "help_pty.h"
#include "help_tui.h"

FIXTURE(NULL, tui_teardown)

static const struct pty_look quiz = {
	.rows = 36,
	.cols = 120,
	.args = {"quiz", "--seed", "3", "--count", "2", "--level", "schemes"}};

/* The first task is answered, the second passed over; b is an answer there, and Left goes back. */
TEST(a_quiz_is_played)
{
	struct pty *const p = tui_start(&quiz);
	PTY_EXPECT(p, pty_wait(p, "Which scheme adds this to the logits?"));
	PTY_EXPECT(p, pty_wait(p, "0 right of 0"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "  ?  "));
	PTY_EXPECT(p, !pty_has(p, "Measured"));
	pty_type(p, "b");
	PTY_EXPECT(p, pty_wait(p, "0 right of 1"));
	PTY_EXPECT(p, pty_wait(p, "It is a, not b."));
	PTY_EXPECT(p, pty_wait_row(p, 0, "sinusoidal"));
	pty_type(p, "c");
	PTY_EXPECT(p, pty_wait(p, "this one is answered; space goes on"));
	pty_type(p, "\033OD"); /* Left */
	PTY_EXPECT(p, pty_wait_gone(p, "It is a"));
	pty_type(p, "a");
	PTY_EXPECT(p, pty_wait(p, "the first answer counts"));
	pty_type(p, "  ");
	PTY_EXPECT(p, pty_wait(p, "2/2"));
	pty_type(p, "  ");
	PTY_EXPECT(p, pty_wait(p, "You took sinusoidal for diet_abs. Here are both, as in task 1"));
	PTY_EXPECT(p, pty_wait(p, "┌─ 1"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_wait(p, "0 of 2 are right"));
	PTY_EXPECT(p, pty_wait(p, "1 had no answer: task 2"));
	PTY_EXPECT(p, pty_wait(p, "sinusoidal taken for diet_abs: task 1"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "of 2 are right"));
	pty_type(p, "q");
	assert_int_equal(pty_exit(p), 0);
	assert_true(pty_restored(p));
	PTY_EXPECT(p, pty_has(p, "sinusoidal taken for diet_abs"));
}

/* Keys of a pasted text answer nothing, and the text is no sentence. */
TEST(nothing_is_pasted_into_a_quiz)
{
	struct pty *const p = tui_start(&quiz);
	PTY_EXPECT(p, pty_wait(p, "0 right of 0"));
	pty_type(p, "\033[200~a b\033[201~");
	PTY_EXPECT(
		p,
		pty_wait(p, "nothing was pasted: a sentence is pasted outside tours and quizzes"));
	PTY_EXPECT(p, pty_has(p, "0 right of 0"));
	pty_type(p, "\033q");
	assert_int_equal(pty_exit(p), 0);
}

/* From the program and back to what was there. */
TEST(a_quiz_begins_and_ends_in_the_program)
{
	struct pty *const p = tui_start(
		&(struct pty_look){.rows = 36, .cols = 120, .args = {"--scheme", "alibi"}});
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	pty_type(p, ":quiz structures 2 1\r");
	PTY_EXPECT(p, pty_wait(p, "1/1   0 right of 0"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "  ?  "));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "left the quiz: 0 of 1 are right"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "alibi"));
	pty_type(p, ":quiz 9\r");
	PTY_EXPECT(p, pty_wait(p, "is none of families"));
}

TEST(small_screens_ask_as_well)
{
	static const int sizes[][2] = {{20, 60}, {24, 80}, {12, 40}};
	for (size_t i = 0; i < 3; i++) {
		struct pty_look look = quiz;
		look.rows = sizes[i][0];
		look.cols = sizes[i][1];
		struct pty *const p = tui_start(&look);
		PTY_EXPECT(p, pty_wait(p, "Which scheme adds this to"));
		PTY_EXPECT(p, pty_wait(p, "a  sinusoidal"));
		PTY_EXPECT(p, !pty_has(p, "Sinusoidal position embedding · "));
	}
}
