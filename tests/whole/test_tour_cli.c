/* test_tour_cli.c: tours on the command line: their list, their check, one beat in place of an expression, a recording
 * for the web, and a session kept as a tour. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "test.h"
#include "help_cli.h"
#include "help_tui.h"

FIXTURE(cli_enter, cli_leave)

static const char good[] = "title Good\n"
			   "sentence dog bites man\n"
			   "scheme alibi\n"
			   "heads 2\n"
			   "step One\n"
			   "say x\n"
			   "expect tokens = 3\n"
			   "step Two\n"
			   "say y\n"
			   "wait\n"
			   "scheme t5\n"
			   "highlight cell 'dog'→'man'\n"
			   "say z\n";

static void put(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

static char *out_of(struct arena *a, const struct cli_case *c)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != 0)
		fail_msg("%s %s: %s", c->args[0], c->args[1], r.err);
	char *const out = arena_strdup(a, r.out);
	cli_done(&r);
	return out;
}

/* ---- list and check ---------------------------------------------------------------------------------- */

TEST(tours_are_listed)
{
	struct arena a;
	arena_init(&a);
	cli_expect(&(struct cli_case){.args = {"tour", "--list"}}, 0, "Why order vanishes", "");
	json_t *const all = json_loads(
		out_of(&a, &(struct cli_case){.args = {"tour", "--list", "--format", "json"}}), 0,
		NULL);
	assert_int_equal(json_array_size(all), 15);
	assert_string_equal(json_string_value(json_object_get(json_array_get(all, 0), "tour")),
			    "order");
	json_decref(all);
	cli_expect(&(struct cli_case){.args = {"tour", "--list", "order"}}, 2, "",
		   "--list takes no name");
	arena_release(&a);
}

TEST(a_check_has_three_ends)
{
	put("good.tour", good);
	put("untrue.tour", "title F\nstep A\nsay x\nexpect tokens = 2\n");
	put("bad.tour", "title B\nstep A\nsya x\nsay x\n");
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "good.tour"}}, 0,
		   "good.tour: 2 steps, 1 of 1 expectations hold\n", "");
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "untrue.tour"}}, 1,
		   "untrue.tour:4: expect tokens = 2: it is 9\n", "");
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "bad.tour"}}, 2,
		   "bad.tour:3: neither a directive nor a command: \"sya\"; did you mean say?\n",
		   "");
	/* All are checked, and the worst is what it ends with. */
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "bad.tour", "untrue.tour",
					       "good.tour"}},
		   2, "untrue.tour: 1 step, 0 of 1 expectations hold\n", "");
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "gone.tour"}}, 2, "gone.tour",
		   "");
	cli_expect(&(struct cli_case){.args = {"tour", "bad.tour"}}, 2, "",
		   "neither a directive nor a command");
	/* Alone it says which there are. */
	cli_expect(&(struct cli_case){.args = {"tour"}}, 0, "Why order vanishes", "");
	cli_expect(&(struct cli_case){.args = {"tour", "--check"}}, 2, "", "--list names them");
}

TEST(a_check_says_it_as_json)
{
	struct cli_result r;
	put("untrue.tour", "title F\nstep A\nsay x\nexpect tokens = 2\n");
	cli_run(&r,
		&(struct cli_case){.args = {"tour", "--check", "untrue.tour", "--format", "json"}});
	assert_int_equal(r.code, 1);
	json_t *const all = json_loads(r.out, 0, NULL);
	const json_t *const one = json_array_get(all, 0);
	const json_t *const line = json_array_get(json_object_get(one, "lines"), 0);
	assert_string_equal(json_string_value(json_object_get(one, "tour")), "untrue.tour");
	assert_true(json_is_false(json_object_get(one, "ok")));
	assert_int_equal(json_number_value(json_object_get(one, "expects")), 1);
	assert_true(json_is_true(json_object_get(line, "untrue")));
	assert_string_equal(json_string_value(json_object_get(line, "text")),
			    "untrue.tour:4: expect tokens = 2: it is 9");
	json_decref(all);
	cli_done(&r);
}

/* ---- a beat in place of an expression ------------------------------------------------------------------ */

TEST(a_beat_of_a_tour_is_a_scene)
{
	struct arena a;
	arena_init(&a);
	put("good.tour", good);
	const char *const words[] = {"--matrix", "bias", "--format", "csv"};
	char *const step = out_of(&a, &(struct cli_case){.args = {"dump", "good.tour#2", words[0],
								  words[1], words[2], words[3]}});
	char *const first =
		out_of(&a, &(struct cli_case){.args = {"dump", "good.tour#2.1", words[0], words[1],
						       words[2], words[3]}});
	/* Its last beat, and the one that is named. */
	assert_string_equal(
		step, out_of(&a, &(struct cli_case){.args = {"dump", "t5", "-s", "dog bites man",
							     "--heads", "2", words[0], words[1],
							     words[2], words[3]}}));
	assert_string_equal(
		first,
		out_of(&a, &(struct cli_case){.args = {"dump", "alibi", "-s", "dog bites man",
						       "--heads", "2", words[0], words[1], words[2],
						       words[3]}}));
	cli_expect(&(struct cli_case){.args = {"show", "good.tour#2"}}, 0, "t5", "");
	cli_expect(&(struct cli_case){.args = {"check", "good.tour#1", "--expect",
					       "bias 'man'→'dog' = -0.125"}},
		   0, "", "");
	cli_expect(&(struct cli_case){.args = {"render", "good.tour", "--plain"}}, 0, "dog", "");
	cli_expect(&(struct cli_case){.args = {"good.tour#2", "--fresh"}}, 0, "t5", NULL);
	cli_expect(
		&(struct cli_case){.args = {"render", "rope", "-c", "open good.tour#2", "--plain"}},
		2, "", "give one expression");
	arena_release(&a);
}

TEST(a_beat_of_ours_is_named_with_its_step)
{
	cli_expect(&(struct cli_case){.args = {"render", "order#1", "--plain"}}, 0, "dog", "");
	cli_expect(&(struct cli_case){.args = {"render", "order#99", "--plain"}}, 2, "",
		   "order has 12 steps; there is no step 99");
	cli_expect(&(struct cli_case){.args = {"render", "order#1.9", "--plain"}}, 2, "",
		   "there is no beat 9");
	cli_expect(&(struct cli_case){.args = {"render", "order#x", "--plain"}}, 2, "", "order#x");
	cli_expect(&(struct cli_case){.args = {"order"}}, 2, "", "posviz tour order");
}

/* A picture of a step reopens as it was, and points out what the step does. */
TEST(what_a_beat_points_out_is_in_its_picture)
{
	size_t with, without;
	struct arena a;
	arena_init(&a);
	put("good.tour", good);
	put("plain.tour", "title P\nsentence dog bites man\nheads 2\nscheme t5\nstep A\nsay x\n");
	cli_good(&(struct cli_case){.args = {"render", "good.tour#2", "-o", "a.png"}});
	cli_good(&(struct cli_case){.args = {"render", "plain.tour#1", "-o", "b.png"}});
	const char *const one = cli_read("a.png", &a, &with), *const two = cli_read("b.png", &a,
										    &without);
	assert_false(with == without && memcmp(one, two, with) == 0);
	cli_expect(&(struct cli_case){.args = {"show", "a.png"}}, 0, "t5", "");
	arena_release(&a);
}

TEST(a_broken_tour_is_an_error_with_its_line)
{
	put("bad.tour", "title B\nstep A\nsya x\nsay x\n");
	cli_expect(&(struct cli_case){.args = {"render", "bad.tour#1", "-o", "x.png"}}, 2, "",
		   "bad.tour:3: neither a directive");
	cli_expect(&(struct cli_case){.args = {"bad.tour"}}, 2, "",
		   "bad.tour:3: neither a directive");
	cli_expect(&(struct cli_case){.args = {"render", "gone.tour#1", "-o", "x.png"}}, 2, "",
		   "gone.tour");
	put("good.tour", good);
	cli_expect(&(struct cli_case){.args = {"render", "good.tour#1", "rope", "-o", "x.png"}}, 2,
		   "", "stands alone");
}

TEST(a_second_choice_of_a_view_is_for_every_script)
{
	put("s.posviz", "scheme rope\nview nothing or terms\n");
	cli_expect(&(struct cli_case){.args = {"show", "s.posviz", "--numbers", "none"}}, 0, "rope",
		   "");
	cli_expect(&(struct cli_case){.args = {"render", "rope", "-c", "view order or terms",
					       "--plain"}},
		   0, "", "");
	put("n.posviz", "scheme rope\nview nothing or neither\n");
	cli_expect(&(struct cli_case){.args = {"show", "n.posviz"}}, 2, "", "neither");
}

/* ---- several files --------------------------------------------------------------------------------------- */

TEST(several_files_are_scenes)
{
	put("a.posviz", "scheme rope\n");
	put("b.posviz", "scheme t5\n");
	put("text.txt", "Words of a text.\n");
	put("good.tour", good);
	cli_expect(&(struct cli_case){.args = {"a.posviz", "b.posviz"}}, 2, "",
		   "several files are gone through on a terminal");
	cli_expect(&(struct cli_case){.args = {"a.posviz", "b.posviz", "--plain"}}, 2, "",
		   "it is of one file, and 2 are given");
	cli_expect(&(struct cli_case){.args = {"a.posviz", "text.txt"}}, 2, "",
		   "text.txt holds tokens or a structure and no scene");
	cli_expect(&(struct cli_case){.args = {"a.posviz", "gone.png"}}, 2, "", "gone.png");
	cli_expect(&(struct cli_case){.args = {"a.posviz", "good.tour"}}, 2, "", "good.tour");
}

/* ---- recordings ------------------------------------------------------------------------------------------ */

TEST(a_recording_is_written_for_the_web)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	put("good.tour", good);
	cli_good(&(struct cli_case){.args = {"tour", "good.tour", "-o", "x.cast", "--cells",
					     "60x20", "--pace", "2", "--color", "mono"}});
	const char *const x = cli_read("x.cast", &a, &len);
	static const char head[] =
		"{\"version\":2,\"width\":60,\"height\":20,\"title\":\"Good\"}\n";
	assert_int_equal(strncmp(x, head, sizeof head - 1), 0);
	assert_non_null(strstr(x, "\n[2,\"m\",\"Two\"]\n"));
	assert_non_null(strstr(x, "\n[6,\"o\",")); /* the end, three beats of 2 s */
	assert_null(strstr(x, ";2;"));		   /* no colours */
	cli_expect(&(struct cli_case){.args = {"tour", "good.tour", "-o", "x.cast"}}, 2, "",
		   "exists already, --force overwrites it");
	cli_expect(&(struct cli_case){.args = {"tour", "good.tour", "--format", "cast", "--step",
					       "2"}},
		   0, "[0,\"m\",\"Two\"]", "");
	cli_expect(
		&(struct cli_case){.args = {"tour", "good.tour", "-o", "y.cast", "--dpi", "300"}},
		2, "", "--dpi means nothing for a recording");
	cli_expect(&(struct cli_case){.args = {"tour", "-o", "y.cast"}}, 2, "", "of one tour");
	cli_expect(&(struct cli_case){.args = {"tour", "good.tour", "-o", "no/y.cast"}}, 2, "",
		   "its directory does not exist");
	arena_release(&a);
}

/* ---- a session kept as a tour ----------------------------------------------------------------------------- */

TEST(a_session_without_a_terminal_is_not_recorded)
{
	put("there.tour", good);
	cli_expect(&(struct cli_case){.args = {"record"}}, 2, "", "give a file");
	cli_expect(&(struct cli_case){.args = {"record", "x.txt"}}, 2, "",
		   "FILE.tour would be right");
	cli_expect(&(struct cli_case){.args = {"record", "there.tour"}}, 2, "", "exists already");
	cli_expect(&(struct cli_case){.args = {"record", "new.tour"}}, 2, "", NULL);
	cli_expect(&(struct cli_case){.args = {"render", "rope", "-c", "record x.tour", "--plain"}},
		   2, "", "needs the terminal program");
}

TEST_WITH(a_session_on_a_terminal_is_a_tour, NULL, tui_teardown)
{
	struct pty *const p = tui_ready(&(struct pty_look){
		.rows = 36, .cols = 120, .args = {"record", "new.tour", "-s", "dog bites man"}});
	struct arena a;
	size_t len;
	arena_init(&a);
	pty_type(p, ":scheme alibi\r");
	PTY_EXPECT(p, pty_wait(p, "recorded: step 2"));
	pty_type(p, ":order reverse\r");
	PTY_EXPECT(p, pty_wait(p, "recorded: step 3"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait(p, "taken back"));
	pty_type(p, ":record\r");
	PTY_EXPECT(p, pty_wait(p, "recording: 2 steps in"));
	pty_type(p, ":cursor 1 3\r");
	PTY_EXPECT(p, pty_settle(p));
	pty_type(p, ":heads 2\r");
	PTY_EXPECT(p, pty_wait(p, "recorded: step 3"));
	pty_type(p, ":record off\r");
	PTY_EXPECT(p, pty_wait(p, "recorded 3 steps in"));
	tui_quit(p);
	const char *const text = cli_read("new.tour", &a, &len);
	assert_non_null(strstr(text, "\nstep scheme alibi\nscheme alibi\n"));
	assert_non_null(strstr(text, "\nhighlight cell 'dog'→'man'\n"));
	assert_null(strstr(text, "order"));
	cli_expect(&(struct cli_case){.args = {"tour", "--check", "new.tour"}}, 0, "3 steps", "");
	arena_release(&a);
}
