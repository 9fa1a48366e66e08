/* test_learn_cli.c: posviz learn: its tables, its files, its lines, its errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help_cli.h"
#include "test.h"

FIXTURE(cli_enter, cli_leave)

#define RUN(...) (&(struct cli_case){.args = {"learn", __VA_ARGS__}})

TEST(table_has_each_length_and_its_floor)
{
	cli_expect(RUN("none", "--steps", "3", "--seeds", "2"), 0, "scheme  task   runs  1 x ", "");
	cli_expect(RUN("none", "--steps", "3", "--seeds", "2"), 0, "0.27       0.22  0.19  0.17\n",
		   "");
	cli_expect(RUN("rope", "--steps", "3", "--format", "tex"), 0,
		   "scheme & task & $1\\times$ & $2\\times$ & $4\\times$ & $8\\times$ \\\\", "");
	cli_expect(RUN("rope", "--steps", "3", "--format", "csv"), 0,
		   "rope,,shift,1,32,3,paper,128,8,1,", "");
}

/* A page has a bar for each scheme and the numbers of all lengths; a narrow one that of the longest. */
TEST(page_has_the_numbers_of_each_length)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(RUN("none", "rope", "--task", "order", "--task", "reverse", "--steps", "3", "-o",
		     "a.json"));
	cli_good(RUN("a.json", "-o", "wide.svg"));
	const char *const wide = cli_read("wide.svg", &a, &len);
	assert_non_null(strstr(wide, "0.50 0.50 0.50 0.50"));
	assert_non_null(strstr(wide, "3 steps of 32 sentences, one seed"));
	cli_good(RUN("a.json", "-o", "narrow.svg", "--for", "neurips"));
	const char *const narrow = cli_read("narrow.svg", &a, &len);
	assert_null(strstr(narrow, "0.50 0.50"));
	assert_non_null(strstr(narrow, "at 128"));
	cli_good(RUN("a.json", "-o", "a.png", "--title", "Two schemes"));
	cli_refuse(RUN("a.json", "-o", "b.png", "--colormap", "vik"), "no option --colormap");
	cli_refuse(RUN("a.json", "--title", "x"), "--title means nothing for text");
	cli_remove("a.json");
	cli_remove("wide.svg");
	cli_remove("narrow.svg");
	cli_remove("a.png");
	arena_release(&a);
}

/* Results in a file are kept: the same runs again, and more of them, make only what is missing. */
TEST(file_of_results_goes_on)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(RUN("none", "--steps", "3", "-o", "a.json"));
	const char *const first = cli_read("a.json", &a, &len);
	cli_good(RUN("none", "--steps", "3", "-o", "a.json"));
	assert_string_equal(cli_read("a.json", &a, &len), first);
	cli_good(RUN("none", "alibi", "--steps", "3", "-o", "a.json"));
	const char *const second = cli_read("a.json", &a, &len);
	assert_non_null(strstr(second, "scheme none; task shift; seed 1; steps 3;"));
	assert_non_null(strstr(second, "scheme alibi; task shift; seed 1; steps 3;"));
	cli_remove("a.json");
	arena_release(&a);
}

/* What is printed or drawn goes on too: runs of earlier calls are in the user's directory of states. */
TEST(pictures_go_on)
{
	struct cli_result r;
	char home[4096];
	assert_non_null(getcwd(home + 15, sizeof home - 15));
	memcpy(home, "XDG_STATE_HOME=", 15);
	const struct cli_case one = {.args = {"learn", "none", "--steps", "3", "--format", "csv"},
				     .environment = {home}};
	const struct cli_case two = {
		.args = {"learn", "none", "rope", "--steps", "3", "-o", "a.png"},
		.environment = {home}};
	cli_run(&r, &one);
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	cli_done(&r);
	cli_expect(&two, 0, "", "1 of 2 runs are taken from earlier calls");
	cli_expect(&one, 0, "none,,shift", "1 of 1 runs are taken from earlier calls");
	cli_remove("a.png");
	assert_int_equal(system("rm posviz/learned/*.json"), 0);
	assert_int_equal(rmdir("posviz/learned") + rmdir("posviz"), 0);
}

/* Runs that are shared out line by line, and merged in another order, are those that are made together. */
TEST(lines_are_the_runs)
{
	struct cli_result r;
	struct arena a;
	size_t len;
	char first[512], second[512];
	arena_init(&a);
	cli_run(&r, RUN("t5", "--seeds", "2", "--steps", "3", "--list"));
	assert_int_equal(r.code, 0);
	assert_int_equal(sscanf(r.out, "%511[^\n]\n%511[^\n]", first, second), 2);
	cli_done(&r);
	cli_good(RUN("--one", second, "-o", "2.json"));
	cli_good(RUN("--one", first, "-o", "1.json"));
	cli_good(RUN("2.json", "1.json", "--format", "csv", "-o", "apart.csv"));
	cli_good(RUN("t5", "--seeds", "2", "--steps", "3", "--format", "csv", "-o", "whole.csv"));
	assert_string_equal(cli_read("apart.csv", &a, &len), cli_read("whole.csv", &a, &len));
	cli_remove("1.json");
	cli_remove("2.json");
	cli_remove("apart.csv");
	cli_remove("whole.csv");
	arena_release(&a);
}

TEST(other_expressions_test_the_same_numbers)
{
	cli_expect(RUN("rope", "--steps", "3", "--test-as", "rope_pi(factor=8)"), 0,
		   "rope, as rope_pi(factor=8)  shift  1 ", "");
	cli_refuse(RUN("rope", "--steps", "3", "--test-as", "learned"),
		   "test-as: learned has a learned learned.p");
}

TEST(what_cannot_be_learned_is_told_beside_what_can)
{
	cli_expect(RUN("alibi", "none", "--task", "reverse", "--steps", "3"), 0,
		   "alibi   reverse  0     n/a   n/a   n/a   n/a\n", "");
	cli_refuse(RUN("alibi", "--task", "reverse", "--steps", "3"), "hides later tokens");
}

TEST(mistakes_are_refused_in_a_line)
{
	static const struct {
		const char *args[8], *says;
	} rows[] = {
		{{"learn"}, "learn: give an expression"},
		{{"learn", "ropes"}, "ropes"},
		{{"learn", "rope", "--task", "shifd"},
		 "task: there is no \"shifd\"; tasks are shift"},
		{{"learn", "rope", "--task", "x[t-"}, "without its ]"},
		{{"learn", "rope", "--steps", "0"}, "steps"},
		{{"learn", "rope", "--seeds", "x"}, "seeds"},
		{{"learn", "rope", "--heads", "5"}, "heads"},
		{{"learn", "rope", "--d-model", "8", "--heads", "2", "--task", "nearest"},
		 "16 different words, more than the 8"},
		{{"learn", "rope", "--positions-only"}, "nothing to learn in its positions"},
		{{"learn", "rope", "--rate", "1e9", "--steps", "30"},
		 "a rate below 1e+09 would be right"},
		{{"learn", "--one", "scheme rope; tusk shift"}, "no word \"tusk\""},
		{{"learn", "--one", "scheme rope; steps many"}, "steps: "},
		{{"learn", "--one", "scheme rope", "--seeds", "2"},
		 "--seeds means nothing beside --one"},
		{{"learn", "none.json"}, "none.json"},
		{{"learn", "rope", "--sentence", "a"}, "takes no option --sentence"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
}

TEST(other_files_stay_as_they_are)
{
	cli_write("x.json", "{}\n", 3);
	cli_refuse(RUN("rope", "--steps", "3", "-o", "x.json"), "exists already");
	cli_refuse(RUN("x.json"), "is no file of results");
	cli_remove("x.json");
}

/* A disk that is full keeps the results that were there. */
TEST(full_disk_loses_nothing)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(RUN("none", "--steps", "3", "-o", "a.json"));
	const char *const first = cli_read("a.json", &a, &len);
	struct cli_case c = {.args = {"learn", "none", "alibi", "--steps", "3", "-o", "a.json"},
			     .file_limit = 1000};
	cli_expect(&c, 2, "", "a.json");
	assert_string_equal(cli_read("a.json", &a, &len), first);
	cli_remove("a.json");
	arena_release(&a);
}
