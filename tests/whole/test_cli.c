/* test_cli.c: the program from outside: exit status, messages, and files that it leaves or does not.
 *
 * Whatever is wrong costs one line on standard error, and leaves nothing behind. */

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"
#include "posviz/scene/scene.h"

FIXTURE(cli_enter, cli_leave)

/* ---- bad use and bad input ------------------------------------------------------------------- */

struct bad {
	const char *args[12];
	const char *says; /* part of the message */
};

static void expect_all_bad(const struct bad *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
}

TEST(misspelt_names_get_a_suggestion)
{
	static const struct bad rows[] = {
		{{"rendr", "rope"}, "did you mean \"render\""},
		{{"render", "ropee", "-o", "x.png"}, "did you mean \"rope\""},
		{{"render", "rope(bse=2)", "-o", "x.png"}, "did you mean \"base\""},
		{{"render", "rope", "--heds", "4", "-o", "x.png"}, "did you mean --heads"},
		{{"render", "rope", "--matrix", "wieghts", "-o", "x.png"},
		 "did you mean \"weights\""},
		{{"render", "rope", "--colormap", "virids", "-o", "x.png"},
		 "did you mean \"viridis\""},
		{{"render", "rope", "--view", "explor", "-o", "x.png"}, "did you mean \"explore\""},
		{{"render", "rope", "-c", "causl", "-o", "x.png"}, "did you mean \"causal\""},
		{{"render", "rope", "--format", "pgn", "-o", "x.png"}, "did you mean \"png\""},
		{{"list", "schems"}, "did you mean \"schemes\""},
		{{"render", "--model", "lama3-8b", "-o", "x.png"}, "did you mean \"llama3-8b\""},
		{{"render", "--model", "gptj-6b", "--head-dim", "7", "-o", "x.png"},
		 "head-dim 8 would be right"},
		{{"show", "--model", "gpt-oss-120b"}, "above the limit of"},
		/* Settings of a running screen change nothing elsewhere. */
		{{"render", "rope", "--mouse", "off", "-o", "x.png"}, "takes no option --mouse"},
		{{"render", "rope", "--presenter", "maybe", "-o", "x.png"}, "neither on nor off"},
		{{"doctor", "--contrast", "on"}, "takes no option --contrast"},
		{{"verify", "x.png", "--heads", "2"}, "takes no option --heads"},
	};
	expect_all_bad(rows, sizeof rows / sizeof *rows);
}

/* "--pack" stands before an expression, and takes a word that is one of its own. */
TEST(an_option_with_a_value_of_its_own_stands_alone)
{
	static const char *const alike[][8] = {{"--pack", "learned+causal"},
					       {"--pack", "on", "learned+causal"},
					       {"--pack=on", "learned+causal"},
					       {"learned+causal", "--pack"}};
	char *first = NULL;
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
		struct cli_case c = {.args = {"show", "-s", "a b ||| c d"}};
		struct cli_result r;
		memcpy(c.args + 3, alike[i], sizeof alike[i]);
		cli_run(&r, &c);
		assert_int_equal(r.code, 0);
		if (first)
			assert_string_equal(r.out, first);
		else
			first = strdup(r.out);
		cli_done(&r);
	}
	free(first);
	cli_expect(&(struct cli_case){.args = {"render", "learned", "-s", "a ||| c", "--pack",
					       "no-reset", "--plain"}},
		   0, "position ids go on, so 'c'", NULL);
	cli_refuse(&(struct cli_case){.args = {"show", "rope", "--pack=maybe"}},
		   "none of off|on|no-reset");
}

TEST(bad_use_is_refused)
{
	static const struct bad rows[] = {
		{{"render"}, "render: give an expression"},
		{{"render", "rope"}, "give -o FILE"},
		{{"render", "rope", "-o"}, "--output needs a value: FILE"},
		{{"render", "rope", "-o", ""}, "the name is empty"},
		{{"render", "rope", "-o", "-"}, "give --format"},
		{{"render", "rope", "-o", "x.gif"}, "none of png, svg, pdf, html, "},
		{{"render", "rope", "--scheme", "t5", "-o", "x.png"}, "one expression"},
		{{"render", "rope", "--force=1", "-o", "x.png"}, "--force takes no value"},
		{{"render", "rope", "--format", "ansi"}, "escape codes"},
		{{"render", "rope", "-c", "help", "-o", "x.png"}, "needs the terminal program"},
		{{"render", "rope", "--color", "blue", "-o", "x.png"}, "none of auto|mono"},
		{{"render", "rope", "--cells", "9x9", "--format", "txt"}, "20 to 1000"},
		{{"render", "rope", "-q"}, "no option \"-q\""},
		{{"dump", "rope", "shaw", "-o", "x.npy"}, "\"shaw\" is one expression too many"},
		{{"show", "rope", "shaw"}, "posviz render compares several"},
		{{"dump", "gauss", "--matrix", "logits", "--format", "csv"}, "no logits"},
		{{"dump", "t5", "--head", "middle", "--format", "csv"}, "mean would be right too"},
		{{"dump", "t5", "--matrix", "bias", "--layer", "mean", "--format", "csv"},
		 "the bias is one of layer 1"},
		{{"dump", "rope", "--matrix", "bias", "--layer", "2", "--format", "csv"},
		 "layer 1"},
		{{"list", "--sentence", "a"}, "list takes no option --sentence"},
		{{"dump", "rope", "--compare", "alibi", "-o", "x.csv"}, "leave --compare out"},
		{{"show", "rope", "--compare", "alibi"}, "leave --compare out"},
		{{"doctor", "now"}, "one argument too many"},
		{{"no-such-file.png"}, "no sub-command or file"},
	};
	expect_all_bad(rows, sizeof rows / sizeof *rows);
}

TEST(bad_values_are_refused)
{
	static const struct bad rows[] = {
		{{"render", "rope", "--heads", "0", "-o", "x.png"}, "from 1 to 256"},
		{{"render", "rope", "--heads", "many", "-o", "x.png"}, "heads"},
		{{"render", "rope", "--heads", "3", "-o", "x.png"}, "do not divide"},
		{{"render", "rope", "--head", "5", "-o", "x.png"}, "there is no 5; 1 to 4"},
		{{"render", "rope", "--layer", "3", "-o", "x.png"}, "there is no 3; 1 to 2"},
		{{"render", "rope", "--content", "1e9", "-o", "x.png"}, "content"},
		{{"render", "rope", "--seed", "-1", "-o", "x.png"}, "seed"},
		{{"render", "rope", "--size", "x", "-o", "x.png"}, "is no size; give WIDTHxHEIGHT"},
		{{"render", "rope", "--size", "200x", "-o", "x.png"},
		 "is no size; give WIDTHxHEIGHT"},
		{{"render", "rope", "--size", "10x10", "-o", "x.png"},
		 "size: the width: \"10\" is out of range, it must be from 200"},
		{{"render", "rope", "--size", "200x150", "-o", "x.png"},
		 "size: the height: \"150\" is out of range, it must be from 200"},
		{{"render", "rope", "--cells", "x8", "-o", "x.txt"}, "cells: give COLUMNSxROWS"},
		{{"render", "rope", "--cells", "19x8", "-o", "x.txt"},
		 "cells: the columns: \"19\" is out of range, it must be from 20"},
		{{"render", "rope", "--cells", "20x7", "-o", "x.txt"},
		 "cells: the rows: \"7\" is out of range, it must be from 8"},
		{{"render", "rope", "--memory", "1K", "-o", "x.png"},
		 "memory: \"1K\" is not a number of bytes from 1M to 10T"},
		{{"render", "rope", "--memory", "-1G", "-o", "x.png"},
		 "memory: \"-1G\" is not a number of bytes from 1M to 10T"},
		{{"render", "rope", "--memory", "0", "-o", "x.png"},
		 "memory: \"0\" is not a number of bytes from 1M to 10T"},
		{{"dump", "rope", "-o", "."}, "output: \".\" is a directory; name a file in it"},
		{{"render", "rope", "-o", "./"}, "output: \"./\" is a directory"},
		{{"dump", "t5", "--matrix", "relation", "--head", "2", "-o", "x.csv"},
		 "--head means nothing for --matrix relation"},
		{{"dump", "t5", "--matrix", "relation", "--layer", "2", "-o", "x.npy"},
		 "--layer means nothing for --matrix relation"},
		{{"render", "rope", "--order", "2 1", "-o", "x.png"}, "order"},
		{{"render", "rope", "--order", "1 1 2 3 4 5 6 7 8", "-o", "x.png"}, "twice"},
		{{"render", "rope", "--special", "cls,bos", "-o", "x.png"}, "cls"},
		{{"render", "rope", "-s", "", "-o", "x.png"}, "empty"},
		{{"render", "rope", "--memory", "1M", "-s", "a b c", "--d-model", "512", "-o",
		  "x.png"},
		 "memory"},
		{{"render", "rope(", "-o", "x.png"}, "column"},
		{{"render", "rope++causal", "-o", "x.png"}, "column"},
		{{"render", "", "-o", "x.png"}, "column"},
		{{"render", "rope(base=x)", "-o", "x.png"}, "base"},
		{{"render", "t5(buckets=1)", "-o", "x.png"}, "buckets"},
		{{"check", "rope", "nope2"}, "nope2"},
	};
	expect_all_bad(rows, sizeof rows / sizeof *rows);
}

/* Of no kind does nothing at all say anything. */
TEST(an_empty_file_is_refused)
{
	static const char *const names[] = {"empty.npy", "empty.txt", "empty.png", "empty"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		cli_write(names[i], "", 0);
		const struct bad row = {{names[i], "--plain"}, ": the file is empty"};
		expect_all_bad(&row, 1);
		cli_remove(names[i]);
	}
}

TEST(a_long_option_may_be_cut_short)
{
	struct cli_result r;
	cli_good(&(struct cli_case){
		.args = {"dump", "rope", "-s", "a b", "--position-id", "0 1", "--format", "json"}});
	cli_run(&r, &(struct cli_case){.args = {"man"}});
	assert_non_null(strstr(r.out, "may be cut short where no other begins alike"));
	cli_done(&r);
}

TEST(too_many_tokens_are_refused)
{
	enum { TOKENS = 5000 };
	static char text[2 * TOKENS + 1];
	for (size_t i = 0; i < TOKENS; i++)
		memcpy(text + 2 * i, "a ", 3);
	const struct cli_case c = {.args = {"render", "rope", "-s", text, "-o", "x.png"}};
	cli_refuse(&c, "4096");
}

TEST(bad_files_are_refused)
{
	static const struct bad rows[] = {
		{{"render", "rope", "-f", "missing.txt", "-o", "x.png"}, "missing.txt"},
		{{"render", "rope", "-f", "/tmp", "-o", "x.png"}, "/tmp"},
		{{"render", "rope", "-o", "missing/x.png"}, "directory does not exist"},
		{{"render", "rope", "--format", "png", "-o", "/tmp"}, "it is a directory"},
		{{"render", "rope", "--units", "missing.npy", "-o", "x.png"}, "missing.npy"},
		{{"render", "rope", "--weights", "missing.npy", "-o", "x.png"}, "missing.npy"},
		{{"render", "rope", "--params", "missing.npy", "-o", "x.png"}, "missing.npy"},
		{{"render", "rope", "--map", "oops", "-o", "x.png"}, "LEAF=TENSOR"},
	};
	expect_all_bad(rows, sizeof rows / sizeof *rows);
	if (geteuid() == 0)
		return; /* for root everything is readable */
	cli_write("locked.txt", "a", 1);
	assert_int_equal(chmod("locked.txt", 0), 0);
	const struct cli_case c = {.args = {"render", "rope", "-f", "locked.txt", "-o", "x.png"}};
	cli_refuse(&c, "locked.txt");
	cli_remove("locked.txt");
}

TEST(a_bad_script_names_its_line)
{
	static const char script[] = "# a script\n\nheads 8\nheds 4\n";
	cli_write("bad.posviz", script, sizeof script - 1);
	const struct cli_case c = {.args = {"bad.posviz"}};
	cli_refuse(&c, "bad.posviz:4: ");
	cli_write("bad.posviz", "\xff\xfe", 2);
	cli_refuse(&c, "neither a picture of posviz nor a script");
	cli_write("bad.posviz", "\x89PNG\r\n\x1a\n", 8);
	cli_refuse(&c, "damaged PNG");
	cli_remove("bad.posviz");
}

/* ---- hostile tensor files -------------------------------------------------------------------- */

struct hostile {
	const char *header;
	size_t data;	  /* bytes behind the header */
	uint64_t pretend; /* length of the header that the file claims; 0: the true one */
};

static size_t make_hostile(const struct hostile *h, char *out)
{
	const uint64_t len = h->pretend ? h->pretend : strlen(h->header);
	for (size_t i = 0; i < 8; i++)
		out[i] = (char)(len >> (8 * i));
	memcpy(out + 8, h->header, strlen(h->header));
	memset(out + 8 + strlen(h->header), 0, h->data);
	return 8 + strlen(h->header) + h->data;
}

TEST(hostile_tensors_are_refused)
{
#define UNITS(type, shape, offsets) \
	"{\"units\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
	static const struct hostile rows[] = {
		{"", 0, 0},
		{"", 0, UINT64_MAX},
		{"{}", 0, 1000},
		{"[1,2", 0, 0},
		{"\xff\xff", 0, 0},
		{UNITS("F64", "[2,2]", "[0,32]"), 16, 0},
		{UNITS("F64", "[2,2]", "[0,16]"), 16, 0},
		{UNITS("F64", "[2,-2]", "[0,32]"), 32, 0},
		{UNITS("F64", "[4611686018427387904,8]", "[0,32]"), 32, 0},
		{UNITS("F64", "[2,2]", "[32,0]"), 32, 0},
		{UNITS("X99", "[2,2]", "[0,32]"), 32, 0},
		{UNITS("F64", "\"no\"", "[0,32]"), 32, 0},
		{UNITS("F64", "[1,1,1,1,4]", "[0,32]"), 32, 0},
		{UNITS("F64", "[0,4]", "[0,0]"), 0, 0},
		{UNITS("F64", "[4]", "[0,32]"), 32, 0},
	};
#undef UNITS
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char data[512];
		cli_write("h.safetensors", data, make_hostile(&rows[i], data));
		const struct cli_case c = {.args = {"dump", "shaw", "--units", "h.safetensors",
						    "-o", "x.safetensors"}};
		cli_refuse(&c, i < 13 ? "h.safetensors" : "units");
		cli_remove("h.safetensors");
	}
}

/* A tensor of the right name and the wrong shape, as weights and as parameters. */
TEST(tensors_that_do_not_fit_are_refused)
{
	char data[512];
	const struct hostile weights = {"{\"w_q\":{\"dtype\":\"F64\",\"shape\":[2,2],"
					"\"data_offsets\":[0,32]}}",
					32, 0};
	cli_write("w.safetensors", data, make_hostile(&weights, data));
	const struct cli_case w = {
		.args = {"dump", "shaw", "--weights", "w.safetensors", "-o", "x.safetensors"}};
	cli_refuse(&w, "w_q");
	cli_remove("w.safetensors");
	const struct hostile params = {"{\"w_key\":{\"dtype\":\"F64\",\"shape\":[2,2],"
				       "\"data_offsets\":[0,32]}}",
				       32, 0};
	cli_write("p.safetensors", data, make_hostile(&params, data));
	const struct cli_case p = {
		.args = {"dump", "shaw", "--params", "p.safetensors", "-o", "x.safetensors"}};
	cli_refuse(&p, "w_key");
	cli_remove("p.safetensors");
}

/* ---- output ---------------------------------------------------------------------------------- */

TEST(an_existing_file_stays)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("x.csv", "mine", 4);
	struct cli_case c = {.args = {"dump", "rope", "-o", "x.csv"}};
	cli_refuse(&c, "exists already, --force overwrites it");
	assert_string_equal(cli_read("x.csv", &a, &len), "mine");
	/* What is wrong with what is read comes first. */
	const struct cli_case bad[] = {
		{.args = {"dump", "rope", "--order", "2 1", "-o", "x.csv"}},
		{.args = {"dump", "rope", "--units", "gone.npy", "-o", "x.csv"}},
		{.args = {"dump", "rope", "--heads", "7", "-o", "x.csv"}},
		{.args = {"render", "rope", "--units", "gone.npy", "-o", "x.csv", "--format",
			  "txt"}},
		{.args = {"sheet", "rope", "--units", "gone.npy", "-o", "x.csv", "--format",
			  "txt"}},
	};
	static const char *const why[] = {"order: ", "gone.npy", "heads: 7", "gone.npy",
					  "gone.npy"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cli_refuse(&bad[i], why[i]);
	for (size_t i = 0; i < 2; i++)
		cli_refuse(&(struct cli_case){.args = {i == 0 ? "render" : "sheet", "rope", "-o",
						       "x.csv", "--format", "txt"}},
			   "exists already");
	c.args[4] = "--force";
	cli_good(&c);
	assert_string_not_equal(cli_read("x.csv", &a, &len), "mine");
	cli_remove("x.csv");
	arena_release(&a);
}

TEST(a_full_disk_leaves_nothing)
{
	static const char *const files[] = {"x.png", "x.svg", "x.pdf", "x.txt"};
	for (size_t i = 0; i < 4; i++) {
		const struct cli_case c = {.args = {"render", "rope", "-o", files[i]},
					   .file_limit = 512};
		cli_refuse(&c, "cannot write");
	}
	const struct cli_case dump = {.args = {"dump", "rope", "-o", "x.safetensors"},
				      .file_limit = 4096};
	cli_refuse(&dump, "cannot write");
}

TEST(lost_output_is_an_error)
{
	static const char *const closed[] = {"closed", "/dev/full"};
	static const struct bad rows[] = {{{"list"}, ""},
					  {{"--help"}, ""},
					  {{"--version"}, ""},
					  {{"show", "rope"}, ""},
					  {{"dump", "rope", "--format", "csv"}, ""},
					  {{"render", "rope", "--format", "png"}, ""},
					  {{"render", "rope", "--plain"}, ""},
					  {{"--plain"}, ""},
					  {{"completion", "bash"}, ""},
					  {{"--print-config-dir"}, ""}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < 2; k++) {
			struct cli_case c = {.output = closed[k]};
			memcpy(c.args, rows[i].args, sizeof rows[i].args);
			cli_refuse(&c, "standard output");
		}
}

/* Not one escape code, whatever the sentence and the terminal are, when nobody asked for colours. */
TEST(no_escape_leaves_the_program)
{
	static const char evil[] =
		"a\033[31mb \033]0;title\a c\xc2\x9b\x35m d\xff\xfe e\xe2\x80\xae";
	static const char *const words[][5] = {{"render", "rope", "--format", "txt"},
					       {"render", "rope", "--format", "svg"},
					       {"render", "rope", "--plain"},
					       {"dump", "rope", "--format", "csv"},
					       {"dump", "rope", "--format", "json"},
					       {"dump", "rope", "--format", "safetensors"},
					       {"show", "rope"},
					       {"check", "rope"},
					       {"doctor"},
					       {"list", "keys"},
					       {"render", evil, "-o", "x.png"},
					       {evil}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct cli_case c = {.environment = {"TERM=xterm-256color", "COLORTERM=truecolor"}};
		struct cli_result r;
		memcpy(c.args, words[i], sizeof words[i]);
		size_t n = 0;
		while (c.args[n])
			n++;
		if (n > 1 && strcmp(c.args[0], "list") != 0 && strcmp(c.args[1], evil) != 0) {
			c.args[n] = "-s";
			c.args[n + 1] = evil;
		}
		cli_run(&r, &c);
		assert_int_equal(r.code, words[i][1] && strcmp(words[i][1], evil) == 0 ? 2 : 0);
		/* Numbers are bytes of any value; the header of a safetensors file is text. */
		const size_t text =
			n == 4 && strcmp(words[i][3], "safetensors") == 0 ? 2000 : r.out_len;
		assert_null(memchr(r.out, '\033', text));
		assert_null(memchr(r.err, '\033', r.err_len));
		assert_null(memmem(r.out, text, "\xc2\x9b", 2));
		assert_null(memmem(r.out, text, "\xe2\x80\xae", 3));
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 0);
}

TEST(colours_come_when_they_are_asked_for)
{
	static const struct {
		const char *color, *code;
	} rows[] = {{"direct", "48;2;"}, {"256", "48;5;"}, {"mono", "\033[0;1m"}};
	for (size_t i = 0; i < 3; i++) {
		const struct cli_case c = {
			.args = {"render", "t5", "--format", "ansi", "--color", rows[i].color}};
		struct cli_result r;
		cli_run(&r, &c);
		assert_int_equal(r.code, 0);
		assert_non_null(strstr(r.out, rows[i].code));
		cli_done(&r);
	}
}

/* The scene in words on standard output, and one line that says why. */
TEST(without_a_terminal_there_are_words)
{
	static const struct {
		const char *args[3], *says;
	} rows[] = {{{NULL}, "Rotary position embedding\n"},
		    {{"--scheme", "shaw"}, "Relative position representations\n"}};
	for (size_t i = 0; i < 2; i++) {
		struct cli_case c = {.environment = {"TERM=xterm-256color"}};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		const char *const end = strchr(r.err, '\n');
		if (r.code != 0 || !strstr(r.out, rows[i].says) || !strstr(r.err, "terminal") ||
		    strncmp(r.err, "posviz: ", 8) != 0 || !end || end[1] || strchr(r.out, '\033'))
			fail_msg("%zu: exit %d: %s%.200s", i, r.code, r.err, r.out);
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 0);
}

/* A terminal that can move no cursor, or that nobody knows, gets them too, and no escape code. */
TEST(a_dumb_terminal_gets_words)
{
	static const char *const terms[] = {"dumb", "no-such-terminal", ""};
	for (size_t i = 0; i < 3; i++) {
		static char text[64 << 10];
		size_t len = 0;
		int master, status;
		const struct winsize size = {.ws_row = 24, .ws_col = 80};
		const pid_t pid = forkpty(&master, NULL, NULL, &size);
		assert_true(pid >= 0);
		if (pid == 0) {
			setenv("TERM", terms[i], 1);
			execl(getenv("POSVIZ"), "posviz", (char *)NULL);
			_exit(121);
		}
		for (ssize_t n; (n = read(master, text + len, sizeof text - 1 - len)) > 0;)
			len += (size_t)n;
		text[len] = '\0';
		assert_int_equal(waitpid(pid, &status, 0), pid);
		close(master);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
		assert_non_null(strstr(text, "Rotary position embedding\r\n"));
		assert_non_null(strstr(text, "posviz: "));
		assert_null(strchr(text, '\033'));
	}
}

/* ---- what works ------------------------------------------------------------------------------ */

TEST(results_go_where_they_should)
{
	static const struct {
		const char *args[6], *begins;
	} rows[] = {
		{{"--version"}, "posviz "},
		/* What people write may look like an option. */
		{{"render", "none", "--plain", "-s", "--heads"}, "No position"},
		{{"--help"}, "posviz shows"},
		{{"render", "--help"}, "Usage: posviz render EXPR"},
		{{"help", "dump"}, "Usage: posviz dump EXPR"},
		{{"help", "--dpi"}, "option --dpi "},
		{{"help", "--for"}, "option --for acl|neurips|slide|poster\n"},
		{{"help", "force"}, "option --force\n  overwrite"},
		{{"help", "poster"}, "preset poster\n  poster: a part of a poster"},
		{{"man"}, ".\\\""},
		{{"list"}, "scheme "},
		{{"list", "views", "--format", "json"}, "["},
		{{"list", "matrices", "--format", "csv"}, "tensor,shape,"},
		{{"list", "keys", "--format", "markdown"}, "| key |"},
		{{"list", "commands"}, "command "},
		{{"list", "colormaps"}, "colormap "},
		{{"list", "settings"}, "setting "},
		{{"list", "models"}, "model "},
		{{"render", "rope", "--plain"}, "Rotary position embedding\n"},
		{{"completion", "bash"}, "# posviz: completion for bash"},
		{{"completion", "zsh"}, "#compdef posviz\n"},
		{{"show", "rope"}, "Rotary position embedding"},

		{{"doctor"}, "Program and machine\n"},
		{{"dump", "alibi", "--format", "npy"}, "\x93NUMPY"},
		{{"render", "rope", "--format", "png"}, "\x89PNG"},
		{{"render", "rope", "--format", "pdf"}, "%PDF"},
		{{"render", "rope", "--format", "svg"}, "<?xml"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		if (r.code != 0 || r.err_len != 0 ||
		    strncmp(r.out, rows[i].begins, strlen(rows[i].begins)) != 0)
			fail_msg("%s %s: exit %d: %s%.60s", c.args[0], c.args[1] ? c.args[1] : "",
				 r.code, r.err, r.out);
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 0);
}

TEST(show_tells_masks_apart)
{
	const struct cli_case c = {
		.args = {"show", "rope(heads=1-2)+alibi(heads=3-4)", "-s", "a b c"}};
	struct cli_result r;
	cli_run(&r, &c);
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "heads 1–2: all 9 pairs; heads 3–4: 6"));
	assert_non_null(strstr(r.out, "Attention with linear biases"));
	cli_done(&r);
}

TEST(the_same_input_gives_the_same_bytes)
{
	static const char *const ends[] = {"png", "svg", "pdf", "tex", "txt", "ansi"};
	for (size_t i = 0; i < 6; i++) {
		struct cli_result one, two;
		struct cli_case c = {.args = {"render", "t5+causal", "--format", ends[i]}};
		if (strcmp(ends[i], "ansi") == 0)
			c.args[4] = "--color=256";
		cli_run(&one, &c);
		cli_run(&two, &c);
		assert_int_equal(one.code, 0);
		assert_true(one.out_len > 1000);
		assert_int_equal(one.out_len, two.out_len);
		assert_memory_equal(one.out, two.out, one.out_len);
		cli_done(&one);
		cli_done(&two);
	}
}

TEST(a_picture_carries_its_scene)
{
	static const char odd[] = "one \"two\" thr\xff\x1b"
				  "ee\\ four";
	struct arena a;
	struct scene scene, expected;
	struct err err = {""};
	size_t len;
	arena_init(&a);
	const struct cli_case c = {.args = {"render", "t5(buckets=16)+causal", "-s", odd, "--heads",
					    "8", "--seed", "7", "--order", "reverse", "--size",
					    "1200x800", "-c", "head 3", "-o", "x.png"}};
	cli_good(&c);
	const char *const data = cli_read("x.png", &a, &len);
	if (!snapshot_scene(data, len, &a, &scene, &err))
		fail_msg("%s", err.text);
	scene_init(&expected);
	static const char *const fields[][2] = {{"scheme", "t5(buckets=16)+causal"},
						{"sentence", odd},
						{"heads", "8"},
						{"seed", "7"},
						{"order", "reverse"},
						{"size", "1200x800"},
						{"head", "3"}};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		assert_true(scene_set(&expected, field_find(fields[i][0]), fields[i][1], &err));
	assert_string_equal(scene_print(&scene, &a), scene_print(&expected, &a));
	assert_true(scene_equal(&scene, &expected));
	cli_remove("x.png");
	arena_release(&a);
}

/* ALiBi's slopes of two heads are 1/16 and 1/256: the mean is 17/512 = 0.033203125. A mean of both layers
 * of one token weighs 1. */
TEST(means_are_written)
{
	struct cli_result bias, weights;
	const struct cli_case cases[] = {
		{.args = {"dump", "alibi", "--heads", "2", "--head", "mean", "--matrix", "bias",
			  "-s", "a b c", "--format", "csv"}},
		{.args = {"dump", "t5", "--head", "mean", "--layer", "mean", "--matrix", "weights",
			  "-s", "a", "--format", "csv"}}};
	cli_run(&bias, &cases[0]);
	cli_run(&weights, &cases[1]);
	assert_int_equal(bias.code, 0);
	assert_non_null(strstr(bias.out, "\"c\",-0.06640625,-0.033203125,0"));
	assert_int_equal(weights.code, 0);
	assert_non_null(strstr(weights.out, "\"a\",1\n"));
	cli_done(&bias);
	cli_done(&weights);
}

/* A page is light and text is for a dark terminal until asked otherwise. */
TEST(a_written_figure_has_its_theme)
{
	static const char *const themes[] = {"auto", "light", "dark"};
	struct cli_result text[3];
	struct image page[3];
	struct err err = {""};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < 3; i++) {
		size_t len;
		const struct cli_case picture = {
			.args = {"render", "rope", "--theme", themes[i], "-o", "x.png"}};
		const struct cli_case cells = {.args = {"render", "rope", "--theme", themes[i],
							"--format", "ansi", "--color", "direct"}};
		cli_good(&picture);
		const char *const data = cli_read("x.png", &a, &len);
		assert_true(export_png_read(data, len, &a, &page[i], NULL, NULL, &err));
		cli_remove("x.png");
		cli_run(&text[i], &cells);
		assert_int_equal(text[i].code, 0);
	}
	const size_t size = 3 * (size_t)page[0].width * (size_t)page[0].height;
	assert_memory_equal(page[0].rgb, page[1].rgb, size);
	assert_true(page[1].rgb[0] > 200 && page[2].rgb[0] < 50);
	/* Nobody knows what the text will stand on: the map is for either. */
	for (size_t i = 0; i < 3; i++)
		assert_string_not_equal(text[i].out, text[(i + 1) % 3].out);
	/* Curves are those of a dark one, the brighter blue. */
	for (size_t i = 0; i < 3; i++)
		assert_true((strstr(text[i].out, "38;2;86;174;230") != NULL) == (i != 1));
	for (size_t i = 0; i < 3; i++)
		cli_done(&text[i]);
	arena_release(&a);
}

/* A sentence from a pipe ends up in the picture, which can then be made again. */
TEST(standard_input_becomes_the_sentence)
{
	struct arena a;
	struct scene scene;
	struct err err = {""};
	size_t len;
	arena_init(&a);
	cli_write("in.txt", "to be or not\n", 13);
	const struct cli_case c = {.args = {"render", "rope", "-f", "-", "-o", "x.png"},
				   .input = "in.txt"};
	cli_good(&c);
	const char *const data = cli_read("x.png", &a, &len);
	assert_true(snapshot_scene(data, len, &a, &scene, &err));
	assert_string_equal(scene.setup.sentence, "to be or not");
	assert_string_equal(scene.setup.file, "");
	cli_remove("in.txt");
	cli_remove("x.png");
	arena_release(&a);
}

TEST(every_scheme_keeps_its_claims)
{
	struct cli_result r;
	const struct cli_case c = {.args = {"check"}};
	cli_run(&r, &c);
	if (r.code != 0)
		fail_msg("exit %d: %s%s", r.code, r.err, r.out);
	assert_null(strstr(r.out, "FALSE"));
	cli_done(&r);
}

/* Where the locale knows ASCII alone, words are spelt in it; what goes into a file is UTF-8. */
TEST(words_are_ascii_where_nothing_else_can_be_read)
{
	static const struct cli_case rows[] = {
		{.args = {"show", "rope", "-s", "a b c"}, .environment = {"LC_ALL=C"}},
		{.args = {"--fresh", "--plain", "-s", "a \303\251 b"}, .environment = {"LC_ALL=C"}},
		{.args = {"render", "rope", "--plain", "--ascii"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &rows[i]);
		assert_int_equal(r.code, 0);
		for (size_t k = 0; k < r.out_len; k++)
			if ((unsigned char)r.out[k] >= 128)
				fail_msg("row %zu: byte %zu: %.40s", i, k, r.out + k);
		assert_non_null(strstr(r.out, "P*T(X) -"));
		assert_int_equal(strstr(r.out, "\\u{E9}") != NULL, i == 1); /* nothing is lost */
		cli_done(&r);
	}
	const struct cli_case file = {.args = {"render", "rope", "--plain", "-o", "x.txt"},
				      .environment = {"LC_ALL=C"}};
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(&file);
	assert_non_null(strstr(cli_read("x.txt", &a, &len), "P·T(X)"));
	cli_remove("x.txt");
	arena_release(&a);
}
