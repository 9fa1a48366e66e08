/* test_tour.c: the language of tours: every error with its line, all of them at once, what the limits are, and that the
 * scene of a beat hangs on nothing but the file. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_files.h"
#include "help_app.h"
#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/tour/tour.h"

FIXTURE(open_folder, close_folder)

static struct tour tour;
static struct tour_report report;

static bool read_n(const char *text, size_t len, enum tour_depth depth)
{
	report = (struct tour_report){.arena = &arena};
	return tour_read("x.tour", text, len, depth, NULL, NULL, &arena, &tour, &report);
}

static bool read_to(const char *text, enum tour_depth depth)
{
	return read_n(text, strlen(text), depth);
}

static void read_good(const char *text, enum tour_depth depth)
{
	if (!read_to(text, depth))
		fail_msg("%s", report.lines[0].text);
}

static bool said(const char *line)
{
	for (size_t i = 0; i < report.n; i++)
		if (strstr(report.lines[i].text, line))
			return true;
	return false;
}

static void expect_said(const char *text, const char *line, enum tour_depth depth)
{
	if (read_to(text, depth))
		fail_msg("it was taken:\n%s", text);
	if (said(line))
		return;
	for (size_t i = 0; i < report.n; i++)
		fprintf(stderr, "%s\n", report.lines[i].text);
	fail_msg("not said: %s", line);
}

/* ---- errors ------------------------------------------------------------------------------------------ */

#define HEAD  "title T\nsentence dog bites man\n" /* two lines */
#define LONG  "0123456789012345678901234567890123456789"
#define TAILS "step A\nsay x\n"

static const struct {
	const char *text, *line;
	enum tour_depth depth;
} wrong[] = {
	/* Where words stand. */
	{HEAD "say x\n" TAILS, "x.tour:3: say stands in a step: begin one with step TITLE"},
	{HEAD TAILS "about U\n", "x.tour:5: about stands before the first step"},
	{"title T\ntitle U\n" TAILS, "x.tour:2: a second title"},
	{TAILS, "x.tour: title is missing: the first line would be title TEXT"},
	{"title T\n", "x.tour: there is no step: step TITLE begins one"},
	{HEAD TAILS "answer a\n", "x.tour:5: answer stands behind ask"},
	{HEAD TAILS "option a\n", "x.tour:5: option stands behind ask"},
	{HEAD TAILS "wrong a\n", "x.tour:5: wrong stands behind ask"},
	/* How much. */
	{HEAD "step A\nsay " LONG LONG LONG LONG LONG LONG "x\n",
	 "x.tour:4: say has 241 characters, more than 240"},
	{"title " LONG "12345\n" TAILS, "x.tour:1: title has 45 characters, more than 44"},
	{HEAD "step " LONG "12345\nsay x\n", "x.tour:3: step has 45 characters, more than 44"},
	{HEAD "step A\nask " LONG LONG LONG LONG "1\nanswer x\nreveal\nsay x\n",
	 "x.tour:4: ask has 161 characters, more than 160"},
	{HEAD "step A\nask q\noption " LONG "012345678901234\noption b\nanswer a\nreveal\nsay x\n",
	 "x.tour:5: option has 55 characters, more than 54"},
	/* Nothing said, or twice. */
	{HEAD "step A\nview order\n", "x.tour:3: this beat has neither say nor ask"},
	{HEAD TAILS "wait\n", "x.tour:5: this beat has neither say nor ask"},
	{HEAD TAILS "say y\n", "x.tour:5: a second say in one beat: put wait between them"},
	{HEAD "step A\nask q\nask r\nanswer x\nreveal\nsay x\n",
	 "x.tour:5: a second ask in one beat: put reveal between them"},
	{HEAD TAILS "time 1:00\ntime 1:00\n", "x.tour:6: a second time in one step"},
	{HEAD TAILS "focus bias\nfocus bias\n", "x.tour:6: a second focus in one beat"},
	{HEAD TAILS "refused a\nrefused b\n", "x.tour:6: a second refused in one beat"},
	{HEAD "step A\nask q\nanswer x\nanswer y\nreveal\nsay x\n", "x.tour:6: a second answer"},
	/* Questions. */
	{HEAD "step A\nask q\nanswer x\nstep B\nsay x\n",
	 "x.tour:3: ask is not followed by reveal"},
	{HEAD "step A\nask q\nanswer x\nwait\nsay x\n", "x.tour:6: ask is not followed by reveal"},
	{HEAD TAILS "reveal\nsay x\n", "x.tour:5: reveal follows ask, and this beat has none"},
	{HEAD "step A\nask q\nanswer x\norder reverse\nreveal\nsay x\n",
	 "x.tour:6: it would show the answer: put it after reveal"},
	{HEAD "step A\nask q\nanswer x\nplay heads 1..4\nreveal\nsay x\n",
	 "x.tour:6: it would show the answer: put it after reveal"},
	{HEAD "step A\nask q\noption a\noption b\noption c\nanswer e\nreveal\nsay x\n",
	 "x.tour:8: answer names no option; there are a, b, c"},
	{HEAD "step A\nask q\noption a\noption b\nanswer b\nwrong b it is\nreveal\nsay x\n",
	 "x.tour:8: wrong b is the answer"},
	{HEAD "step A\nask q\noption a\noption b\nanswer b\nwrong d so\nreveal\nsay x\n",
	 "x.tour:8: wrong names no option; there are a, b, each with why it fails"},
	{HEAD "step A\nask q\noption a\nanswer a\nreveal\nsay x\n",
	 "x.tour:5: a question has 2 to 4 options, or none"},
	{HEAD
	 "step A\nask q\noption a\noption b\noption c\noption d\noption e\nanswer a\nreveal\nsay "
	 "x\n",
	 "x.tour:9: a question has 2 to 4 options, or none"},
	{HEAD "step A\nask q\nreveal\nsay x\n", "the question has no answer: answer TEXT"},
	{HEAD "step A\nask q\noption a\noption b\nreveal\nsay x\n",
	 "the question has no answer: answer a"},
	/* Words. */
	{HEAD "step A\nsya x\nsay x\n",
	 "x.tour:4: neither a directive nor a command: \"sya\"; did you mean say?"},
	{HEAD "step A\nzzzzzzzz x\nsay x\n",
	 "x.tour:4: neither a directive nor a command: \"zzzzzzzz\"; posviz list commands"},
	{HEAD "step A\nscheme nosuch\nsay x\n", "x.tour:4: no scheme \"nosuch\""},
	{HEAD "step A\nheads x\nsay x\n", "x.tour:4: heads"},
	{HEAD TAILS "time 5\n",
	 "x.tour:5: time: \"5\" stands where M:SS, such as 1:05, would be right"},
	{HEAD TAILS "time 1:60\n", "where M:SS"},
	{HEAD TAILS "wait now\nsay y\n", "x.tour:5: wait takes nothing"},
	{HEAD TAILS "focus\n", "x.tour:5: focus: give PANE"},
	{HEAD TAILS "expect wieght 1→1 = 0\n", "x.tour:5: no quantity \"wieght\""},
	{HEAD TAILS "highlight 'dog'\n", "x.tour:5: highlight: \"'dog'\" stands where cell T→S"},
	/* What is not for a tour. */
	{HEAD TAILS "help\n", "x.tour:5: help is not for a tour: it is for the running program"},
	{HEAD TAILS "quit\n", "quit is not for a tour: it is for the running program"},
	{HEAD TAILS "color mono\n", "color is not for a tour: it is a setting of the terminal"},
	{HEAD TAILS "record y.tour\n", "record is not for a tour: it is for the running program"},
	/* Play. */
	{HEAD TAILS "play heads\n", "x.tour:5: play: \"heads\" is not of the form NAME FROM..TO"},
	{HEAD TAILS "play heads 1..4 by\n", "is not of the form"},
	{HEAD TAILS "play heads 1..4 in 0 s\n", "is not of the form"},
	{HEAD TAILS "play heads 1..4 in 3 s now\n", "is not of the form"},
	{HEAD TAILS "play nothing 1..4\n", "has no number \"nothing\", and no field is one"},
	{HEAD TAILS "play heads 4..4\n", "play: it never comes from 4 to 4"},
	{HEAD TAILS "play heads 1..4 by 0\n", "play: it never comes from 1 to 4"},
	{HEAD TAILS "play heads 1..4 by -1\n", "play: it never comes from 1 to 4"},
	{HEAD TAILS "play heads 4..1 by 1\n", "play: it never comes from 4 to 1"},
	{HEAD TAILS "play heads 1..4 times 1\n", "play: it never comes from 1 to 4"},
	{HEAD TAILS "play t-max 10..1000 by 1\n", "play: more than 240 pictures from 10 to 1000"},
	{HEAD TAILS "play heads 1..4\nplay heads 1..4\n", "x.tour:6: a second play in one beat"},
	{HEAD TAILS "play heads 1..4\nview order\n",
	 "x.tour:6: play is the last command of its beat"},
	/* What scenes have. */
	{HEAD TAILS "view order\nfocus bias\n",
	 "x.tour:6: focus: the view order has no pane \"bias\"", TOUR_SCENES},
	{HEAD TAILS "highlight row 'cow'\n", "x.tour:5: highlight: no token 'cow'", TOUR_SCENES},
	{HEAD TAILS "highlight curve 9\n", "x.tour:5: highlight: no curve is called \"9\"",
	 TOUR_SCENES},
	{HEAD TAILS "highlight at 9\n",
	 "x.tour:5: highlight: no curve has a point at \"9\"; there are -2 to 2", TOUR_SCENES},
	{HEAD TAILS "highlight at\n", "x.tour:5: highlight: a name is missing behind it"},
	{HEAD TAILS "highlight line\n", "x.tour:5: highlight: a name is missing"},
	{HEAD TAILS "view order\nfocus measured\nhighlight line invarianz\n",
	 "x.tour:7: highlight: no line is called \"invarianz\"; there are difference, ",
	 TOUR_SCENES},
	{HEAD TAILS "highlight heading unbounded\n",
	 "x.tour:5: highlight: there is no column of a table here", TOUR_SCENES},
	{HEAD TAILS "view table\nhighlight heading bounds\n",
	 "x.tour:6: highlight: no column of a table is called \"bounds\"; there are scheme",
	 TOUR_SCENES},
	{HEAD TAILS "highlight cell 1→9\n", "x.tour:5: highlight: there is no key 9", TOUR_SCENES},
	{HEAD TAILS "scheme learned\nt-max 2\n", "if that is the point: refused TEXT", TOUR_SCENES},
	{HEAD TAILS "refused nothing\n",
	 "x.tour:5: this was computed; refused expects a message with \"nothing\"", TOUR_SCENES},
	{HEAD TAILS "scheme learned\nt-max 2\nrefused other words\n",
	 "x.tour:7: refused: the message has no \"other words\"", TOUR_SCENES},
	/* What is expected. */
	{HEAD TAILS "expect tokens = 4\n", "x.tour:5: expect tokens = 4: it is 3", TOUR_EXPECTS},
	{HEAD TAILS "scheme rope\nwait\nsay y\nexpect order = 0\n",
	 "x.tour:8: expect order = 0: it is", TOUR_EXPECTS},
	{HEAD TAILS "expect weight 'cow'→'dog' = 0\n", "no token 'cow'", TOUR_EXPECTS},
};

TEST(each_error_has_its_line_and_says_what_would_be_right)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		expect_said(wrong[i].text, wrong[i].line, wrong[i].depth);
}

TEST(all_errors_are_said_at_once)
{
	assert_false(read_to("say early\nstep A\nsya x\nheads none\nask q\norder reverse\n",
			     TOUR_EXPECTS));
	static const char *const lines[] = {"x.tour:1:", "x.tour:3:",	     "x.tour:4:",
					    "x.tour:6:", "title is missing", "has no answer"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_true(said(lines[i]));
	assert_int_equal(report.errors, report.n);
	assert_int_equal(report.untrue, 0);
}

TEST(what_is_false_is_counted_apart)
{
	assert_false(read_to(HEAD TAILS "expect tokens = 4\nexpect tokens = 3\nexpect tokens = 5\n",
			     TOUR_EXPECTS));
	assert_int_equal(report.errors, 2);
	assert_int_equal(report.untrue, 2);
	assert_int_equal(report.expects, 3);
}

TEST(a_number_that_nothing_expects_is_a_warning)
{
	read_good(HEAD
		  "step A\nsay It is 0.25, and 3 of 4.\nwait\nsay Of 0.5.\nexpect tokens != 0.5\n",
		  TOUR_LINES);
	assert_int_equal(report.warnings, 1);
	assert_true(said("x.tour:4: nothing in this step expects the number 0.25"));
}

/* ---- limits ------------------------------------------------------------------------------------------ */

static const char *many(size_t steps, size_t waits)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "title T\n");
	for (size_t i = 0; i < steps; i++) {
		strbuf_add(&b, "step A\nsay x\n");
		for (size_t k = 0; k < waits; k++)
			strbuf_add(&b, "wait\nsay y\n");
	}
	return b.at;
}

TEST(a_tour_has_at_most_200_steps_of_600_beats)
{
	read_good(many(200, 2), TOUR_LINES);
	assert_int_equal(tour.n_steps, 200);
	assert_int_equal(tour.n_beats, 600);
	expect_said(many(201, 0), "a tour has at most 200 steps of 600 beats in all", TOUR_LINES);
	expect_said(many(200, 3), "a tour has at most 200 steps", TOUR_LINES);
	expect_said(many(10000, 0), "a tour has at most 200 steps", TOUR_LINES);
	assert_int_equal(report.errors, 1);
}

TEST(a_play_has_at_most_240_pictures)
{
	read_good(HEAD TAILS "play t-max 10..249 by 1\n", TOUR_LINES);
	assert_int_equal(tour.beats[0].play.n, 240);
	assert_false(read_to(HEAD TAILS "play t-max 10..250 by 1\n", TOUR_LINES));
}

TEST(at_most_sixteen_cells_are_pointed_out)
{
	const char *line = "cell 1→1";
	for (int i = 1; i < 16; i++)
		line = arena_printf(&arena, "%s, cell 1→2", line);
	read_good(arena_printf(&arena, HEAD TAILS "highlight %s\n", line), TOUR_SCENES);
	assert_int_equal(tour.beats[0].n_marks, 16);
	expect_said(arena_printf(&arena, HEAD TAILS "highlight %s, row 1\n", line),
		    "at most 16 are highlighted at a time", TOUR_LINES);
}

/* ---- bytes ------------------------------------------------------------------------------------------- */

TEST(line_ends_marks_blanks_and_comments_are_no_text)
{
	read_good("\xEF\xBB\xBF# a comment\r\n  title \t T  \r\n\r\n\tstep A\r\n\t say x \r\n",
		  TOUR_LINES);
	assert_string_equal(tour.title, "T");
	assert_string_equal(tour.beats[0].say, "x");
	assert_int_equal(tour.beats[0].line, 4);
	read_good("title T\nstep A\nsay x", TOUR_LINES); /* no end of line at the end */
	assert_string_equal(tour.beats[0].say, "x");
}

TEST(what_could_harm_a_terminal_is_escaped)
{
	read_good("title \x1b[31mred\nstep \x07 bell\nsay \u202Eright\u2069 \x7f\nfocus all\n",
		  TOUR_LINES);
	const char *const texts[] = {tour.title, tour.steps[0].title, tour.beats[0].say};
	for (size_t i = 0; i < 3; i++) {
		assert_null(strpbrk(texts[i], "\x1b\x07\x7f"));
		assert_non_null(strchr(texts[i], '\\'));
	}
	/* In errors as well. */
	assert_false(read_to(HEAD "step A\n\x1b]0;x\x07 y\nsay x\n", TOUR_LINES));
	for (size_t i = 0; i < report.n; i++)
		assert_null(strpbrk(report.lines[i].text, "\x1b\x07"));
}

TEST(bytes_that_are_no_text_are_errors_of_their_line)
{
	static const char nul[] = "title T\nstep A\nsay x\0y\n",
			  bad[] = "title T\nstep A\nsay \xff\n";
	assert_false(read_n(nul, sizeof nul - 1, TOUR_LINES));
	assert_true(said("x.tour:3: a NUL byte stands in the line"));
	assert_false(read_n(bad, sizeof bad - 1, TOUR_LINES));
	assert_true(said("x.tour:3: this is not UTF-8"));
	assert_false(read_n("", 0, TOUR_LINES));
}

/* ---- scenes ------------------------------------------------------------------------------------------- */

static const char scenes[] = HEAD "heads 2\n"
				  "step A\nscheme rope\nsay x\nwait\norder reverse\nsay y\n"
				  "step B\nview order\nsay z\nwait\nreset\nview terms\nsay w\n"
				  "step C\nsay v\nsentence one two\norder 2 1\n";

/* All commands of the file up to the end of the beat, on the defaults. */
TEST(the_scene_of_a_beat_is_all_commands_before_its_end)
{
	static const char *const run[][8] = {
		{"sentence dog bites man", "heads 2", "scheme rope"},
		{"order reverse"},
		{"view order"},
		{"reset", "view terms"},
		{"sentence one two", "order 2 1"},
	};
	struct app app;
	read_good(scenes, TOUR_SCENES);
	assert_int_equal(tour.n_beats, 5);
	app_init(&app);
	for (size_t i = 0; i < tour.n_beats; i++) {
		for (size_t k = 0; run[i][k]; k++)
			help_app_run(&app, run[i][k]);
		assert_true(scene_equal(&tour.beats[i].scene, &app.scene));
	}
	app_release(&app);
}

TEST(focus_and_highlight_last_to_the_end_of_the_step)
{
	read_good(HEAD "step A\nfocus weights\nhighlight row 1\nsay x\nwait\nsay y\nwait\n"
		       "highlight none\nfocus all\nsay z\nstep B\nsay w\n",
		  TOUR_SCENES);
	assert_string_equal(tour.beats[1].focus, "weights");
	assert_int_equal(tour.beats[1].n_marks, 1);
	assert_int_equal(tour.beats[1].marks[0].kind, MARK_ROW);
	assert_null(tour.beats[2].focus);
	assert_int_equal(tour.beats[2].n_marks, 0);
	assert_null(tour.beats[3].focus);
	assert_int_equal(tour.beats[3].n_marks, 0);
}

TEST(a_view_that_is_not_there_gives_way_to_the_second)
{
	read_good(HEAD "step A\nview nothing or terms\nfocus x or sum\nsay x\n"
		       "step B\nview order or terms\nfocus shown or sum\nsay y\n",
		  TOUR_SCENES);
	assert_string_equal(tour.beats[0].scene.view, "terms");
	assert_string_equal(tour.beats[0].focus, "sum");
	assert_true(tour.beats[0].fell_back);
	assert_string_equal(tour.beats[1].scene.view, "order");
	assert_string_equal(tour.beats[1].focus, "shown");
	assert_false(tour.beats[1].fell_back);
	assert_int_equal(report.fell_back, 1);
}

/* What the language says is one text of several options, answers of letters or words. */
TEST(questions_are_read_whole)
{
	read_good(HEAD
		  "step A\ntime 1:05\nask q\noption one\noption two\nanswer b\nwrong a why\n"
		  "reveal\nsay x\nnote n\nnote m\nsource s\nstep B\nask free\nanswer so\nwrong "
		  "tempting\nreveal\nsay y\n",
		  TOUR_SCENES);
	const struct tour_beat *const b = tour.beats;
	assert_int_equal(b[0].n_options, 2);
	assert_string_equal(b[0].options[1], "two");
	assert_int_equal(b[0].right, 1);
	assert_int_equal(b[0].wrong[0].option, 0);
	assert_string_equal(b[0].wrong[0].text, "why");
	assert_true(b[1].reveals);
	assert_string_equal(b[2].answer, "so");
	assert_int_equal(b[2].wrong[0].option, -1);
	assert_string_equal(tour.steps[0].notes[1], "m");
	assert_string_equal(tour.steps[0].sources[0], "s");
	assert_within(tour.steps[0].seconds, 65, 0);
	assert_string_equal(tour_lesson(&tour, 1, &arena).answer, "b  two");
	assert_string_equal(tour_lesson(&tour, 3, &arena).answer, "so");
	assert_string_equal(tour_lesson(&tour, 3, &arena).progress, "2/2");
}

/* ---- play --------------------------------------------------------------------------------------------- */

static const char *values(const char *line)
{
	const char *out = "";
	read_good(arena_printf(&arena, HEAD "scheme rope\n" TAILS "%s\n", line), TOUR_LINES);
	const struct tour_play *const p = &tour.beats[0].play;
	for (size_t i = 0; i < p->n; i++)
		out = arena_printf(&arena, "%s%s%s", out, i ? " " : "", p->values[i]);
	assert_true(scene_equal(&p->frames[p->n - 1], &tour.beats[0].scene));
	return out;
}

TEST(a_play_goes_through_its_values)
{
	assert_string_equal(values("play base 10..10000 times 10"), "10 100 1000 10000");
	assert_string_equal(values("play base 10..45 by 10"), "10 20 30 40 45");
	assert_string_equal(values("play base 1000..10 times 0.1"), "1000 100 10");
	assert_string_equal(values("play heads 4..1 by -1"), "4 3 2 1");
	assert_string_equal(values("play heads 1..4"), "1 2 3 4"); /* whole numbers */
	values("play base 10..34");
	assert_int_equal(tour.beats[0].play.n, 25); /* 24 even steps */
	assert_string_equal(tour.beats[0].play.values[1], "11");
	assert_within(tour.beats[0].play.seconds, 3, 0);
	values("play base 10..34 by 1 in 4.5 s");
	assert_within(tour.beats[0].play.seconds, 4.5, 0);
	assert_string_equal(tour.beats[0].play.text, "base 10..34");
}

/* ---- files -------------------------------------------------------------------------------------------- */

static size_t files_here(void)
{
	char *data;
	size_t len;
	return file_read("x.png", 1 << 20, &arena, &data, &len, NULL) ? 1 : 0;
}

TEST(a_tour_writes_nothing)
{
	expect_said(HEAD TAILS "snapshot x.png\n", "snapshot is not for a tour", TOUR_EXPECTS);
	expect_said(HEAD TAILS "save x.png\n", "save is not for a tour", TOUR_EXPECTS);
	expect_said(HEAD TAILS "export x.csv\n", "export is not for a tour", TOUR_EXPECTS);
	assert_int_equal(files_here(), 0);
	assert_true(access("x.csv", F_OK) != 0);
}

static bool open_it(const char *name, struct err *err)
{
	report = (struct tour_report){.arena = &arena};
	return tour_open(name, TOUR_SCENES, NULL, NULL, &arena, &tour, &report, err);
}

static void open_bad(const char *name, const char *part)
{
	struct err err = {""};
	assert_false(open_it(name, &err));
	if (!strstr(err.text, part))
		fail_msg("%s, not %s", err.text, part);
}

TEST(a_step_that_needs_a_missing_file_says_so)
{
	help_write_text("a.tour", "title A\nstep A\nfile missing.txt\nsay x\n");
	open_bad("a.tour", "a.tour:3: ");
	assert_true(said("missing.txt"));
	open_bad("gone.tour", "gone.tour");
	open_bad("ordre", "there is no tour \"ordre\"; did you mean \"order\"?");
	open_bad("rope", "there is no tour \"rope\"; these speak of it: rotation, ");
	open_bad("ALiBi", "there is no tour \"ALiBi\"; these speak of it: extrapolation");
	open_bad("qwerty", "there is no tour \"qwerty\"; posviz tour --list names ours");
	open_bad("qqqqq", "posviz tour --list names ours");
}

/* ---- lectures ------------------------------------------------------------------------------------------ */

TEST(a_lecture_is_its_tours_one_after_the_other)
{
	struct err err = {""};
	help_write_text("one.tour", "title One\nheads 2\nstep A\ntime 1:00\nsay x\n");
	help_write_text("two.tour",
			"title Two\nstep B\ntime 0:30\nsay y\nwait\nsay z\nstep C\nsay w\n");
	help_write_text("both.tours", "# of a user\ntitle Both\nauthor me\n\none.tour\ntwo.tour\n");
	if (!open_it("both.tours", &err))
		fail_msg("%s", err.text);
	assert_int_equal(tour.n_parts, 2);
	assert_int_equal(tour.n_steps, 3);
	assert_string_equal(tour.title, "Both");
	assert_string_equal(tour.author, "me");
	assert_int_equal(tour.parts[1].first, 1);
	assert_int_equal(tour.parts[1].n, 2);
	assert_int_equal(tour.steps[2].part, 1);
	assert_within(tour.seconds, 90, 0);
	/* Each begins from the defaults. */
	assert_int_equal(tour.beats[0].scene.setup.heads, 2);
	assert_int_not_equal(tour.beats[1].scene.setup.heads, 2);
}

TEST(what_is_wrong_with_a_lecture_has_its_line)
{
	struct strbuf b;
	help_write_text("one.tour", "title One\nstep A\nsay x\n");
	help_write_text("bad.tour", "title Bad\nstep A\nsya x\nsay x\n");
	help_write_text("second.tours", "title One\ntitle Two\none.tour\n");
	open_bad("second.tours", "second.tours:2: a second title");
	help_write_text("untitled.tours", "title\none.tour\n");
	open_bad("untitled.tours", "untitled.tours:1: title: give TEXT");
	help_write_text("long.tours",
			"title A title of forty-five characters, one too long\none.tour\n");
	open_bad("long.tours", "long.tours:1: title has 46 characters, more than 44");
	help_write_text("none.tours", "title None\n");
	open_bad("none.tours", "none.tours: it names no tour; one a line would be right");
	help_write_text("unknown.tours", "one.tour\nordre\n");
	open_bad("unknown.tours", "unknown.tours:2: there is no tour \"ordre\"");
	help_write_text("twice.tours", "one.tour\norder\none.tour\n");
	open_bad("twice.tours", "twice.tours:3: one.tour is named twice");
	help_write_text("nested.tours", "one.tour\ntwice.tours\n");
	open_bad("nested.tours", "nested.tours:2: twice.tours is a lecture; a lecture names tours");
	help_write_text("lecture.tours", "lecture\n");
	open_bad("lecture.tours", "lecture.tours:1: lecture is a lecture");
	help_write_text("with.tours", "one.tour\nbad.tour\n");
	open_bad("with.tours", "bad.tour:3: neither a directive nor a command: \"sya\"");
	strbuf_init(&b, &arena);
	for (int i = 0; i < 17; i++) {
		help_write_text(arena_printf(&arena, "t%d.tour", i), "title T\nstep A\nsay x\n");
		strbuf_printf(&b, "t%d.tour\n", i);
	}
	help_write_text("many.tours", b.at);
	open_bad("many.tours", "many.tours:17: a lecture has at most 16 tours");
}

/* ---- names --------------------------------------------------------------------------------------------- */

static void spec_is(const char *text, const char *name, size_t step, size_t beat)
{
	struct tour_spec spec;
	struct err err = {""};
	if (!tour_spec_parse(text, &arena, &spec, &err))
		fail_msg("%s", err.text);
	assert_string_equal(spec.name, name);
	assert_int_equal(spec.step, step);
	assert_int_equal(spec.beat, beat);
}

TEST(a_place_in_a_tour_is_read)
{
	struct tour_spec spec;
	size_t beat;
	struct err err = {""};
	spec_is("order", "order", 0, 0);
	spec_is("order#3", "order", 3, 0);
	spec_is("a#b/x.tour#3.2", "a#b/x.tour", 3, 2);
	spec_is("a#b/x.tour", "a#b/x.tour", 0, 0);
	assert_false(tour_spec_parse("order#x", &arena, &spec, &err));
	assert_false(tour_spec_parse("order#0", &arena, &spec, &err));
	assert_false(tour_spec_parse("order#1.0", &arena, &spec, &err));
	assert_true(tour_spec_is("x.tour#2", false));
	assert_true(tour_spec_is("order#2", true));
	assert_false(tour_spec_is("order#2", false));
	assert_false(tour_spec_is("rope", true));
	read_good(scenes, TOUR_LINES);
	assert_true(tour_spec_beat(&(struct tour_spec){"x", 2, 0}, &tour, true, &beat, &err));
	assert_int_equal(beat, 3);
	assert_true(tour_spec_beat(&(struct tour_spec){"x", 2, 0}, &tour, false, &beat, &err));
	assert_int_equal(beat, 2);
	assert_false(tour_spec_beat(&(struct tour_spec){"x", 4, 0}, &tour, false, &beat, &err));
	assert_string_equal(err.text, "x has 3 steps; there is no step 4");
	assert_false(tour_spec_beat(&(struct tour_spec){"x", 3, 2}, &tour, false, &beat, &err));
	assert_string_equal(err.text, "step 3 of x has 1 beat; there is no beat 2");
}

/* ---- several files of scenes ---------------------------------------------------------------------------- */

TEST(files_of_scenes_are_steps)
{
	struct err err = {""};
	struct scene scene;
	help_write_text("a.posviz", "scheme rope\norder reverse\nsentence dog bites man\n");
	help_write_text("b.posviz", "scheme t5\nview terms\nhead 2\n");
	const char *const paths[] = {"a.posviz", "b.posviz"};
	if (!tour_of_files(paths, 2, &arena, &tour, &err))
		fail_msg("%s", err.text);
	assert_int_equal(tour.n_steps, 2);
	assert_string_equal(tour.steps[1].title, "b.posviz");
	assert_true(
		scene_parse(&scene, "sentence dog bites man\norder reverse\nscheme rope\n", &err));
	assert_true(scene_equal(&tour.beats[0].scene, &scene));
	assert_true(scene_parse(&scene, "scheme t5\nview terms\nhead 2\n", &err));
	assert_true(scene_equal(&tour.beats[1].scene, &scene));
	/* By their names, a line each. */
	assert_true(open_it("a.posviz\nb.posviz", &err));
	assert_int_equal(tour.n_steps, 2);
	help_write_text("bad.posviz", "scheme rope\nheads none\n");
	assert_false(
		tour_of_files((const char *[]){"a.posviz", "bad.posviz"}, 2, &arena, &tour, &err));
	assert_non_null(strstr(err.text, "bad.posviz:2: "));
	assert_false(
		tour_of_files((const char *[]){"a.posviz", "gone.png"}, 2, &arena, &tour, &err));
	assert_non_null(strstr(err.text, "gone.png"));
	help_write_text("text.txt", "Words of a text, and no scene.\n");
	assert_false(
		tour_of_files((const char *[]){"a.posviz", "text.txt"}, 2, &arena, &tour, &err));
	assert_string_equal(err.text, "text.txt holds tokens or a structure and no scene; several "
				      "files are the steps of a tour, a scene each");
}
