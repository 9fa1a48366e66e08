/* test_quiz_cli.c: posviz quiz as people run it: with answers on standard input, checked, as a tour to be edited. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

static void answer(struct cli_result *r, const char *answers, size_t len)
{
	cli_write("answers", answers, len);
	cli_run(r, &(struct cli_case){.args = {"quiz", "--seed", "3", "--count", "4"},
				      .input = "answers"});
}

static void expect(const struct cli_result *r, int code, const char *out, const char *err)
{
	if (r->code != code || !strstr(r->out, out) || (err && !strstr(r->err, err)))
		fail_msg("%d\n%s\n%s", r->code, r->out, r->err);
}

static void add(char *all, char letter)
{
	const size_t len = strlen(all);
	all[len] = letter;
	all[len + 1] = '\n';
	all[len + 2] = '\0';
}

/* What is right is read off the reveals of a first go. */
TEST(answers_are_read_and_counted)
{
	struct cli_result r;
	char right[16] = "", wrong[16] = "";
	answer(&r, "\n\n\n\n", 4);
	expect(&r, 0, "0 of 4 are right\n4 had no answer: tasks 1, 2, 3 and 4\n", NULL);
	for (const char *at = r.out; (at = strstr(at, "\nIt is ")) != NULL; at++) {
		add(right, at[7]);
		add(wrong, at[7] == 'a' ? 'b' : 'a');
	}
	assert_int_equal(strlen(right), 8);
	cli_done(&r);
	answer(&r, right, 8);
	expect(&r, 0, "4 of 4 are right\n", NULL);
	cli_done(&r);
	answer(&r, wrong, 8);
	expect(&r, 0, "0 of 4 are right\n", NULL);
	assert_non_null(strstr(r.out, " taken for "));
	cli_done(&r);
}

TEST(input_that_ends_in_the_middle_has_a_score)
{
	struct cli_result r;
	answer(&r, "a\nb", 3);
	expect(&r, 0, "2 had no answer: ", NULL);
	cli_done(&r);
	answer(&r, "q\n", 2);
	expect(&r, 0, "4 had no answer: tasks 1, 2, 3 and 4\n", NULL);
	cli_done(&r);
	answer(&r, "", 0);
	expect(&r, 0, "4 had no answer: tasks 1, 2, 3 and 4\n", NULL);
	cli_done(&r);
}

/* Long lines, NUL bytes, escape sequences, letters that are none: asked again, and none of it is printed. */
TEST(hostile_answers_are_no_answers)
{
	static char hostile[1 << 16];
	struct cli_result r;
	memset(hostile, 'a', sizeof hostile);
	memcpy(hostile, "e\n\033]0;x\007\n\0\n\xff\xfe\n", 15);
	hostile[sizeof hostile - 3] = '\n';
	memcpy(hostile + sizeof hostile - 2, "a\n", 2);
	answer(&r, hostile, sizeof hostile);
	expect(&r, 0, "3 had no answer: ", "an answer is a letter from a to ");
	assert_null(strchr(r.out, '\033'));
	assert_null(strchr(r.err, '\033'));
	assert_true(r.err_len < 1000);
	cli_done(&r);
}

TEST(a_question_does_not_name_its_answer)
{
	struct cli_result r;
	answer(&r, "\n", 1);
	assert_non_null(strstr(r.out, "Which scheme is this?"));
	assert_null(strstr(r.out, "posviz render"));
	cli_done(&r);
}

TEST(quizzes_are_checked)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){
			    .args = {"quiz", "--check", "--level", "families", "--count", "3"}});
	expect(&r, 0, "level 1, families: 24 tasks of 8 seeds: all are decidable and name nothing",
	       NULL);
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"quiz", "--check", "--level", "5", "--count", "1",
						"--format", "json"}});
	expect(&r, 0, "\"ok\": true", NULL);
	cli_done(&r);
}

TEST(a_quiz_can_be_edited_as_a_tour)
{
	struct cli_result r;
	cli_good(&(struct cli_case){
		.args = {"quiz", "--seed", "4", "--kind", "all", "-o", "quiz.tour"}});
	cli_run(&r, &(struct cli_case){.args = {"tour", "--check", "quiz.tour"}});
	expect(&r, 0, "quiz.tour: 10 steps, ", NULL);
	cli_done(&r);
}

static bool is_pdf(const char *name)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	const bool is = strncmp(cli_read(name, &a, &len), "%PDF", 4) == 0;
	arena_release(&a);
	return is;
}

/* Nothing is written where one of the two could not be. */
TEST(a_sheet_has_its_answers_apart)
{
	struct cli_result r;
	cli_good(&(struct cli_case){
		.args = {"quiz", "--count", "3", "-o", "sheet.pdf", "--answers", "answers.pdf"}});
	assert_true(is_pdf("sheet.pdf"));
	assert_true(is_pdf("answers.pdf"));
	cli_remove("sheet.pdf");
	cli_run(&r, &(struct cli_case){.args = {"quiz", "--count", "3", "-o", "sheet.pdf",
						"--answers", "answers.pdf"}});
	assert_int_equal(r.code, 2);
	assert_int_equal(cli_files(), 1);
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"quiz", "-o", "x.pdf", "--answers", "x.pdf"}});
	expect(&r, 2, "", "answers: they go into another file");
	cli_done(&r);
}

/* By whatever name: answers never go over the questions. */
TEST(questions_and_answers_are_two_files)
{
	static const char *const names[][2] = {
		{"q.pdf", "./q.pdf"},  {"q.pdf", "sub/../q.pdf"}, {"q.pdf", "link.pdf"},
		{"q.pdf", "hard.pdf"}, {"new.pdf", "./new.pdf"},  {"sub/x.pdf", "into/x.pdf"}};
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("q.pdf", "mine", 4);
	assert_true(mkdir("sub", 0700) == 0 && symlink("sub", "into") == 0 &&
		    symlink("q.pdf", "link.pdf") == 0 && link("q.pdf", "hard.pdf") == 0);
	const size_t files = cli_files();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"quiz", "--count", "2", "-o", names[i][0],
							"--answers", names[i][1], "--force"}});
		if (r.code != 2 ||
		    !strstr(r.err, "answers: they go into another file than the questions"))
			fail_msg("%s %s: %d %s", names[i][0], names[i][1], r.code, r.err);
		cli_done(&r);
	}
	assert_string_equal(cli_read("q.pdf", &a, &len), "mine");
	assert_int_equal(cli_files(), files);
	arena_release(&a);
}

/* The answers, of more pages, are larger than the system allows: there are no questions either. */
TEST(questions_and_answers_are_written_both_or_none)
{
	struct arena a;
	struct cli_result r;
	size_t questions, answers;
	struct cli_case c = {.args = {"quiz", "--seed", "7", "--count", "3", "-o", "q.pdf",
				      "--answers", "a.pdf"}};
	arena_init(&a);
	cli_good(&c);
	cli_read("q.pdf", &a, &questions);
	cli_read("a.pdf", &a, &answers);
	cli_remove("q.pdf");
	cli_remove("a.pdf");
	assert_true(questions + 100 < answers);
	c.file_limit = (long)questions + 50;
	cli_run(&r, &c);
	expect(&r, 2, "",
	       "cannot write \"a.pdf\": the file would be larger than the system allows");
	assert_int_equal(cli_files(), 0);
	cli_done(&r);
	arena_release(&a);
}

TEST(what_cannot_be_is_told)
{
	static const struct {
		const char *args[6], *says;
	} rows[] = {
		{{"--level", "hard"}, "level: \"hard\" is none of families"},
		{{"--level", "0"}, "level: \"0\" is none of"},
		{{"--count", "61"}, "count: "},
		{{"--kind", "colours"}, "kind: \"colours\" is none of all"},
		{{"--seed", "-1"}, "seed"},
		{{"--heads", "8"}, "quiz takes no option --heads"},
		{{"--answers", "a.pdf"}, "answers"},
		{{"rope"}, "one argument too many"},
		{{"--level", "5", "--kind", "words"}, "at level 5 there is no such task"},
		{{"-o", "sheet.xyz"}, "the ending of"},
		{{"--check", "--answers", "a.pdf"},
		 "--answers means nothing for --check; it is for a sheet"},
		{{"-o", "a.tour", "--size", "9x9cm"}, "--size means nothing for a tour"},
		{{"--plain", "-o", "a.pdf"},
		 "--plain means nothing for a sheet; it is for --plain"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		const char *const *const a = rows[i].args;
		cli_run(&r,
			&(struct cli_case){.args = {"quiz", a[0], a[1], a[2], a[3], a[4], a[5]}});
		if (r.code != 2 || !strstr(r.err, rows[i].says) || r.out_len != 0)
			fail_msg("%s: %d\n%s\n%s", rows[i].says, r.code, r.out, r.err);
		cli_done(&r);
	}
}
