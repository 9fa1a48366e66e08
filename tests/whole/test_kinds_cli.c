/* test_kinds_cli.c: files of every kind given to every option, bare arguments by what they are, and standard
 * input, which is read where it is asked for and nowhere else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "posviz/format/kind.h"

FIXTURE(cli_enter, cli_leave)

static void put(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

/* ---- options and kinds ------------------------------------------------------------------------------- */

#define BYTES(text) text, sizeof(text) - 1

/* A file of each kind that a reader can read, and the first bytes of others. */
static const struct file {
	enum kind_id id;
	const char *name, *bytes;
	size_t len;
} files[] = {
	{KIND_PAGE, "page.svg", BYTES("<svg class=\"posviz\"></svg>")},
	{KIND_IMAGE, "photo.jpg", BYTES("\xff\xd8\xff\xe0")},
	{KIND_PDF, "paper.pdf", BYTES("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj")},
	{KIND_PAGE, "own.pdf", BYTES("%PDF-1.7\n<< /Subject (posviz render t5) >>")},
	{KIND_SCRIPT, "s.posviz", BYTES("heads 2\n")},
	{KIND_CONFIG, "my.cfg", BYTES("heads 2\n")},
	{KIND_TOUR, "a.tour", BYTES("title A\nstep B\nsay c\n")},
	{KIND_TOURS, "a.tours", BYTES("title A\nabout b\norder\n")},
	{KIND_TABLE, "m.csv", BYTES("0,1\n1,0\n")},
	{KIND_TENSORS, "m.json", BYTES("[[0, 1], [1, 0]]")},
	{KIND_CONLLU, "c.conllu",
	 BYTES("1\tdog\t_\tX\t_\t_\t2\tnsubj\t_\t_\n2\tbites\t_\tX\t_\t_\t0\troot\t_\t_\n\n")},
	{KIND_BRACKETS, "b.mrg", BYTES("(S (NP dog) (VP bites))\n")},
	{KIND_PENMAN, "p.amr", BYTES("(b / bite-01 :ARG0 (d / dog))\n")},
	{KIND_DOT, "d.dot", BYTES("digraph { dog -> man }\n")},
	{KIND_EDGES, "e.edges", BYTES("dog man\n")},
	{KIND_TEXT, "t.txt", BYTES("the cat that the dog chased fell asleep\n")},
	{KIND_DOCUMENT, "README.md", BYTES("# A heading of some words\n")},
	{KIND_PROGRAM, "main.py", BYTES("import numpy as np or so\n")},
	{KIND_MODEL_CONFIG, "config.json", BYTES("{\"model_type\": \"qwen2\"}")},
	{KIND_MODEL_INDEX, "i.json", BYTES("{\"weight_map\": {}}")},
	{KIND_TOKENIZER, "tokenizer.json", BYTES("{\"added_tokens\": []}")},
	{KIND_GGUF, "m.gguf", BYTES("GGUF\3\0\0\0")},
	{KIND_PICKLE, "m.ckpt", BYTES("\x80\2}q")},
	{KIND_ARCHIVE, "m.gz", BYTES("\x1f\x8b\x08\0")},
	{KIND_BINARY, "bytes", BYTES("\0\1\2\3")},
};
enum { FILES = sizeof files / sizeof *files };

static const char *const asking[] = {"file",  "conllu",	 "tree",   "graph",
				     "units", "weights", "params", "config"};
enum { ASKING = sizeof asking / sizeof *asking };

/* Refused in one line that names the file and its kind, or what its name must be; nothing is written. */
static void expect_refused(const struct file *f, const char *option)
{
	struct cli_result r;
	char dashed[32];
	snprintf(dashed, sizeof dashed, "--%s", option);
	cli_run(&r,
		&(struct cli_case){.args = {"render", "spr_rel", dashed, f->name, "-o", "x.png"}});
	const bool tensors = strcmp(option, "units") == 0 || strcmp(option, "weights") == 0 ||
			     strcmp(option, "params") == 0;
	const bool named = strstr(r.err, kinds[f->id].name) ||
			   (tensors && strstr(r.err, "safetensors")) ||
			   strstr(r.err, "no line of \"");
	if (r.code != 2 || !named || strchr(r.err, '\n') != r.err + r.err_len - 1)
		fail_msg("--%s %s: %d: %s", option, f->name, r.code, r.err);
	cli_done(&r);
}

TEST(options_take_their_kinds_and_name_the_others)
{
	for (size_t i = 0; i < FILES; i++)
		cli_write(files[i].name, files[i].bytes, files[i].len);
	for (size_t i = 0; i < FILES; i++) {
		for (size_t k = 0; k < ASKING; k++) {
			const struct file *const f = &files[i];
			struct cli_result r;
			char dashed[32];
			if (!kind_is_taken(&kinds[f->id], asking[k])) {
				expect_refused(f, asking[k]);
				continue;
			}
			/* A reader may want another shape or scheme; the kind is never the reason. */
			snprintf(dashed, sizeof dashed, "--%s", asking[k]);
			cli_run(&r, &(struct cli_case){.args = {"render", "spr_rel", dashed,
								f->name, "--format", "txt"}});
			if (strstr(r.err, "takes it") || strstr(r.err, "would be right;"))
				fail_msg("--%s %s: %s", asking[k], f->name, r.err);
			cli_done(&r);
		}
	}
	assert_int_equal(cli_files(), FILES);
	for (size_t i = 0; i < FILES; i++)
		cli_remove(files[i].name);
}

TEST(a_text_is_taken_for_edges_aloud)
{
	put("g.txt", "dog man\nman cat\n");
	put("prose.txt", "the cat sat on the mat\nand slept there\n");
	put("notes.md", "# one of those\n");
	cli_expect(
		&(struct cli_case){.args = {"render", "graformer", "--graph", "g.txt", "--plain"}},
		0, "dog to man", "graph: \"g.txt\" is a text, read as a list of edges: 2 edges");
	cli_expect(&(struct cli_case){.args = {"render", "graformer", "--graph", "prose.txt",
					       "--plain"}},
		   2, "", "graph: \"prose.txt\" is a text: --file FILE takes it");
	cli_expect(&(struct cli_case){.args = {"render", "rope", "--file", "notes.md", "--plain"}},
		   0, "",
		   "file: \"notes.md\" is a document with marks of its own, read as a plain text");
	cli_remove("g.txt");
	cli_remove("prose.txt");
	cli_remove("notes.md");
}

TEST(every_subcommand_judges_the_configuration)
{
	static const char *const subs[][3] = {
		{"render", "rope", "--plain"}, {"show", "rope"}, {"list", "table"}, {"--plain"}};
	put("c.cfg", "nonsense on this line\nheads 2\nscheem t5\n");
	put("prose", "the cat sat\non the mat\n");
	put("some", "the cat sat\nheads 2\n");
	for (size_t i = 0; i < sizeof subs / sizeof *subs; i++) {
		struct cli_case c = {0};
		memcpy(c.args, subs[i], sizeof subs[i]);
		const size_t n = subs[i][1] == NULL ? 1 : subs[i][2] == NULL ? 2 : 3;
		c.args[n] = "--config";
		c.args[n + 1] = "c.cfg";
		cli_expect(&c, 0, "", "warning: c.cfg:3: no command \"scheem\"");
		c.args[n + 1] = "prose";
		cli_expect(&c, 2, "", "config: no line of \"prose\" is a command");
	}
	cli_expect(&(struct cli_case){.args = {"show", "rope", "--config", "some"}}, 0, "",
		   "warning: some:1: no command \"the\"");
	/* Its settings are of the terminal program. */
	cli_expect(&(struct cli_case){.args = {"render", "rope", "--plain", "--config", "c.cfg"}},
		   0, "h 4", "");
	cli_remove("c.cfg");
	cli_remove("prose");
	cli_remove("some");
}

/* ---- bare arguments ------------------------------------------------------------------------------------ */

#define LLAMA                                                                         \
	"{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 2, " \
	"\"num_attention_heads\": 4}"

TEST(a_bare_argument_is_what_it_can_be)
{
	static const struct {
		const char *args[3];
		int code;
		const char *out, *err;
	} rows[] = {
		{{"t5"}, 0, "Bucketed relative bias", ""},
		{{"rope + alibi"}, 0, "rope+alibi", ""},
		{{"rope+alibi"}, 0, "rope+alibi", ""},
		{{"t5", "alibi"}, 0, "t5, alibi", ""},
		{{"m.csv"}, 0, "weights from m.csv", ""},
		{{"m.csv:data"}, 0, "weights from m.csv", ""},
		{{"m.csv", "alibi"}, 0, "m, alibi", ""},
		{{"the mat sat"}, 0, "“the mat sat”", ""},
		{{"dog bites man", "man bites dog"}, 0, "dog bites man, man bites dog", ""},
		{{"t.txt"}, 0, "“a b c”", ""},
		{{"plain"}, 0, "“d e f”", ""},
		{{"./bert"}, 2, "", "bert/config.json is no model's configuration"},
		{{"bert/"}, 2, "", "bert//config.json is no model's configuration"},
		{{"./llama"}, 0, "Rotary", ""},
		{{"render", "llama.json", "--plain"}, 0, "Rotary", ""},
		{{"--plain", "--model", "llama.json"}, 0, "Rotary", ""},
		{{"bert"}, 0, "BERT", "\"bert\" is the scheme; ./bert is what has its name here"},
		{{"rope"}, 0, "Rotary", "\"rope\" is the scheme; ./rope is what has its name here"},
		{{"./rope"}, 0, "Attention with linear biases", ""},
		{{"render", "rope", "--plain"}, 0, "Rotary", "\"rope\" is the scheme; ./rope"},
		{{"rope + alibbi"}, 2, "", "no scheme \"alibbi\"; did you mean \"alibi\"?"},
		{{"t5", "t.txt"}, 2, "", "\"t5\" is an expression, and \"t.txt\" is a file"},
		{{"rect.csv"}, 0, "queries are other tokens than keys", ""},
		{{"config.json"}, 2, "", "\"config.json\": num_hidden_layers: it is missing"},
		{{"README.md"}, 2, "", "is a document with marks of its own: --file FILE takes it"},
		{{"nowhere"}, 2, "", "no sub-command or file \"nowhere\""},
		{{"nothing.png"}, 2, "", "no sub-command or file \"nothing.png\""},
		{{"render", "m.csv", "--plain"}, 0, "weights from m.csv", ""},
		{{"show", "t.txt"}, 2, "", "show: \"t.txt\" is a text and no scene"},
		{{"dump", "config.json"},
		 2,
		 "",
		 "\"config.json\": num_hidden_layers: it is missing"},
		{{"check", "t.txt"}, 2, "", ""},
		{{"verify", "m.csv"},
		 2,
		 "",
		 "\"m.csv\" is a table of numbers in CSV: --params FILE"},
		{{"verify", "t.txt"}, 2, "", "\"t.txt\" is a text: --file FILE takes it"},
		{{"tour", "m.csv"}, 2, "", "\"m.csv\" is a table of numbers in CSV: --params FILE"},
		{{"tour", "config.json"}, 2, "", "a model's configuration (model_type qwen2)"},
	};
	put("m.csv", "0,1\n1,0\n");
	put("rect.csv", "0,1,2\n1,0,2\n");
	put("t.txt", "a b c\n");
	put("plain", "d e f\n");
	put("rope", "scheme alibi\n");
	put("config.json", "{\"model_type\": \"qwen2\"}");
	put("README.md", "# posviz\n");
	assert_int_equal(mkdir("bert", 0700), 0);
	put("bert/config.json", "{}");
	assert_int_equal(mkdir("llama", 0700), 0);
	put("llama/config.json", LLAMA);
	put("llama.json", LLAMA);
	const size_t before = cli_files();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_expect(&c, rows[i].code, rows[i].out, rows[i].err);
	}
	cli_expect(&(struct cli_case){.args = {"t5", "--scheme", "rope"}}, 2, "",
		   "give the expressions, by --scheme and --compare or without them");
	assert_int_equal(cli_files(), before);
	assert_int_equal(
		system("rm -r bert llama llama.json m.csv rect.csv t.txt plain rope config.json "
		       "README.md"),
		0);
}

/* ---- standard input ------------------------------------------------------------------------------------ */

/* A line for the shell; what it prints and says. */
static void shell(const char *line, int code, const char *out, const char *err)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	const int status = system(arena_printf(&a, "(%s) >out 2>err", line));
	const char *const printed = cli_read("out", &a, &len), *const said =
								       cli_read("err", &a, &len);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != code || !strstr(printed, out) ||
	    !strstr(said, err) || (!*err && *said))
		fail_msg("%s: %d, not %d with \"%s\" and \"%s\":\n%s\n%s", line, status, code, out,
			 err, printed, said);
	cli_remove("out");
	cli_remove("err");
	arena_release(&a);
}

TEST(piped_text_is_the_sentence)
{
	shell("echo 'to be or not' | \"$POSVIZ\" --plain", 0, "“to be or not”", "");
	shell("echo 'to be or not' | \"$POSVIZ\" --scheme t5 --plain", 0, "“to be or not”", "");
	shell("echo 'to be or not' | \"$POSVIZ\"", 0, "“to be or not”", "no terminal");
	shell("printf 'a\\nb' >words; \"$POSVIZ\" --plain <words; rm words", 0, "“a b”", "");
	shell("true | \"$POSVIZ\" --plain", 0, "“the cat that", "");
	shell("echo 'to be' | \"$POSVIZ\" render t5 -s - --plain", 0, "“to be”", "");
	shell("echo 'to be' | \"$POSVIZ\" render t5 -f - --plain", 0, "“to be”", "");
	shell("echo 'to be' | \"$POSVIZ\" --plain -s -", 0, "“to be”", "");
	shell("echo '{\"model_type\": \"x\"}' | \"$POSVIZ\" --plain", 2, "",
	      "standard input is a model's configuration (model_type x)");
	shell("echo '(S (NP a))' | \"$POSVIZ\" render spr_rel --conllu - --plain", 2, "",
	      "conllu: standard input is a tree in brackets: --tree FILE takes it");
	shell("echo 'the cat sat on it' | \"$POSVIZ\" render graformer --graph - --plain", 2, "",
	      "graph: standard input is a text: --file FILE takes it");
	shell("echo '- a' >dash; \"$POSVIZ\" render t5 -s '- a' --plain <dash; rm dash", 0, "“- a”",
	      "");
}

/* A list as programs print it is one where nobody says so, aloud. */
TEST(a_list_of_tokens_is_taken_aloud)
{
	static const char says[] = "the text is a list in quotes, and each of them a token; "
				   "--tokens given says so";
	shell("\"$POSVIZ\" render t5 -s '[\"a b\", \"c\"]' --plain", 0, "n 2,", says);
	shell("echo \"['a b', 'c']\" | \"$POSVIZ\" render t5 -s - --plain", 0, "n 2,", says);
	shell("\"$POSVIZ\" render t5 --tokens given -s '[\"a b\", \"c\"]' --plain", 0, "n 2,", "");
	shell("\"$POSVIZ\" render t5 -s '[a b, c]' --plain", 0, "n 6,", "");
}

TEST(text_that_nobody_reads_is_said)
{
	static const char waits[] = "text waits on standard input, and nobody reads it; -s - does";
	shell("(echo a; echo b) | (sleep 0.2; exec \"$POSVIZ\" render t5 --plain)", 0, "Bucketed",
	      waits);
	shell("echo a >words; (\"$POSVIZ\" show t5; cat) <words; rm words", 0, "\na\n", waits);
	shell("(echo a | (sleep 0.2; exec \"$POSVIZ\" t5 --plain))", 0, "Bucketed", waits);
	shell("echo a | \"$POSVIZ\" render t5 -s 'b c' --plain", 0, "“b c”", "");
	shell("\"$POSVIZ\" render t5 --plain </dev/null", 0, "Bucketed", "");
	shell("echo a | \"$POSVIZ\" list schemes", 0, "rope", "");
	shell("(echo a | (sleep 0.2; exec \"$POSVIZ\" render t5 -c 'heads 2' --plain))", 0,
	      "Bucketed", waits);
	shell("echo a | \"$POSVIZ\" render t5 -c 'sentence b c' --plain", 0, "“b c”", "");
}

/* A shell that reads from the same pipe, or has read from the file, has lines there for itself, and finds them. */
TEST(lines_of_a_loop_are_left_to_it_without_a_word)
{
	shell("(echo a; echo b) | (sleep 0.2; \"$POSVIZ\" render t5 --plain; cat)", 0, "\na\nb\n",
	      "");
	shell("printf 't5\\nalibi\\nrope\\n' | while read -r s; do \"$POSVIZ\" show \"$s\"; done",
	      0, "Rotary", "");
	shell("printf 't5\\nrope\\n' >words; while read -r s; do \"$POSVIZ\" show \"$s\"; done <words; "
	      "rm words",
	      0, "Rotary", "");
}

/* Input that is asked for is read, by itself and beside others, or refused in one line, which is not the note. */
TEST(who_asks_for_input_gets_it_or_one_line)
{
	static const struct {
		const char *text, *line, *says;
	} rows[] = {
		{"to be", "render t5 -s -", NULL},
		{"to be", "render t5 -f -", NULL},
		{"digraph { a -> b }", "render graformer --graph -", NULL},
		{"<graphml><graph><node id=\"a\"/></graph></graphml>", "render graformer --graph -",
		 NULL},
		{"1\tdogs\t_\t_\t_\t_\t0\t_\t_\t_\n", "render spr_rel --conllu -", NULL},
		{"(S (NP a) (VP b))", "render tpe --tree -", NULL},
		{"a b", "render t5 -s - -f -", "--sentence - and --file -: standard input can be "},
		{"a b", "render t5 -f - -s -", "--file - and --sentence -: standard input can be "},
		{"a b", "render t5 -s - -s -", "--sentence - and --sentence -: standard input "},
		{"a b", "render t5 -s - --graph -", "--sentence - and --graph -: standard input "},
		{"a b", "render t5 --conllu - --graph -",
		 "--conllu - and --graph -: standard input "},
		{"a b", "render t5 --tree - -f -", "--tree - and --file -: standard input can be "},
		{"1,2", "render --matrix-from -", "\"-\": a tensor is not read from a stream"},
		{"1,2", "render matrix:from=-", "\"-\": a tensor is not read from a stream"},
		{"1,2", "render t5 --units -", "\"-\": a tensor is not read from a stream"},
		{"1,2", "render t5 --params -", "\"-\": a tensor is not read from a stream"},
		{"a b", "render t5 --params m.npy", "there is no such file"},
		{"a b", "render -", "no scheme \"-\""},
		{"a b", "render t5 --governors -", "\"-\" is not a number"},
		{"a b", "render t5 -c 'graph -'",
		 "standard input cannot be read here; name a file"},
		{"a b", "verify -", "standard input is a text: --file FILE takes it"},
		{"a b", "tour -", "there is no tour \"-\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		size_t len;
		arena_init(&a);
		put("text", rows[i].text);
		const int status = system(arena_printf(
			&a, "timeout 20 \"$POSVIZ\" %s%s <text >out 2>err", rows[i].line,
			strncmp(rows[i].line, "render", 6) == 0 ? " --plain" : ""));
		const char *const said = cli_read("err", &a, &len);
		const char *const lf = strchr(said, '\n');
		if (!WIFEXITED(status) || WEXITSTATUS(status) != (rows[i].says ? 2 : 0) ||
		    !strstr(said, rows[i].says ? rows[i].says : "") ||
		    (rows[i].says ? !lf || lf[1] != '\0' : *said != '\0'))
			fail_msg("%s: status %d: %s", rows[i].line, status, said);
		assert_int_equal(system("rm text out err"), 0);
		arena_release(&a);
	}
}

/* Every line of a loop is drawn, whether the shell reads a pipe or a file. */
TEST(a_loop_keeps_its_input)
{
	static const char loop[] =
		"while read -r l; do \"$POSVIZ\" render t5 -s \"$l\" -o \"$l.png\"; done";
	struct arena a;
	arena_init(&a);
	put("lines", "one\ntwo\nthree\n");
	shell(arena_printf(&a, "%s <lines", loop), 0, "", "");
	assert_int_equal(cli_files(), 4);
	assert_int_equal(system("rm one.png two.png three.png"), 0);
	shell(arena_printf(&a, "cat lines | %s", loop), 0, "", "");
	assert_int_equal(cli_files(), 4);
	assert_int_equal(system("rm one.png two.png three.png lines"), 0);
	/* As GNU parallel starts jobs: several at once that all have its input, of which it reads on. */
	shell("seq 20000 | (read -r x; \"$POSVIZ\" show t5 -s \"$x\" & \"$POSVIZ\" show rope -s \"$x\" & "
	      "wait; wc -l)",
	      0, "\n19999\n", "");
	arena_release(&a);
}

/* A pipe that nobody closes: whoever did not ask for it ends all the same. */
TEST(an_open_pipe_hangs_nobody)
{
	static const char *const lines[] = {
		"render t5 --plain", "show t5", "list views",
		"--version",	     "--help",	"t5 --plain",
		"-s 'a b' --plain",  "doctor",	"check --expect 'tokens = 9' t5"};
	struct arena a;
	arena_init(&a);
	assert_int_equal(mkfifo("pipe", 0600), 0);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		shell(arena_printf(&a, "exec 3<>pipe; timeout 20 \"$POSVIZ\" %s <&3", lines[i]), 0,
		      "", "");
#ifndef __SANITIZE_THREAD__ /* it keeps a signal back until the program has read something */
	/* Who asked waits, and says for what. */
	shell("exec 3<>pipe; timeout 2 \"$POSVIZ\" render t5 -s - --plain <&3", 124, "",
	      "waiting for text on standard input; -s TEXT reads none");
#endif
	cli_remove("pipe");
	arena_release(&a);
}

/* The text comes from the pipe, keys from the terminal. */
TEST(keys_come_from_the_terminal)
{
	static const char *const lines[] = {
		"echo 'perchance to dream' | \"$POSVIZ\" --fresh",
		"echo 'perchance to dream' | \"$POSVIZ\" --fresh -s -",
		"\"$POSVIZ\" --fresh -f - <words",
	};
	put("words", "perchance to dream\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct pty p;
		const struct pty_look at = {.rows = 30, .cols = 110, .shell = lines[i]};
		pty_start(&p, &at);
		if (!pty_wait(&p, "perchance"))
			PTY_FAIL(&p, "%s: no sentence", lines[i]);
		pty_type(&p, ":scheme t5\r");
		if (!pty_wait(&p, " t5"))
			PTY_FAIL(&p, "%s: no keys", lines[i]);
		pty_type(&p, "q");
		assert_int_equal(pty_exit(&p), 0);
		pty_stop(&p);
	}
	cli_remove("words");
}
