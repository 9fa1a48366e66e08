/* test_completion.c: what bash offers for a line, by sourcing the script and calling its function. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/base/strbuf.h"
#include "posviz/scheme/scheme.h"

static void print_script(const char *shell, const char *name)
{
	const struct cli_case c = {.args = {"completion", shell}, .output = name};
	cli_good(&c);
}

/* Runs a line for bash in the directory; what it prints, in `a`. */
static char *bash(const char *line, struct arena *a)
{
	struct strbuf out;
	char buf[4096];
	strbuf_init(&out, a);
	cli_write("run.sh", line, strlen(line));
	FILE *const pipe = popen("exec bash --norc --noprofile run.sh 2>&1", "r");
	assert_non_null(pipe);
	for (size_t n; (n = fread(buf, 1, sizeof buf, pipe)) > 0;)
		strbuf_add_n(&out, buf, n);
	const int status = pclose(pipe);
	cli_remove("run.sh");
	if (status != 0)
		fail_msg("bash: status %d: %s: %s", status, line, out.at);
	return out.at;
}

/* The words that are offered for the last of `words` (a bash array's text), each in its line. */
static char *offered(const char *words, struct arena *a)
{
	return bash(arena_printf(a,
				 "set -u\nsource ./posviz.bash\nCOMP_WORDS=(%s)\n"
				 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_posviz\n"
				 "printf '<%%s>\\n' \"${COMPREPLY[@]}\"\n",
				 words),
		    a);
}

struct row {
	const char *words;
	const char *has[4];   /* offered */
	const char *lacks[3]; /* not offered */
};

static void expect_offered(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct arena a;
		arena_init(&a);
		const char *const out = offered(rows[i].words, &a);
		for (size_t k = 0; k < 4 && rows[i].has[k]; k++)
			if (!strstr(out, arena_printf(&a, "<%s>\n", rows[i].has[k])))
				fail_msg("%s: no %s in %s", rows[i].words, rows[i].has[k], out);
		for (size_t k = 0; k < 3 && rows[i].lacks[k]; k++)
			if (strstr(out, arena_printf(&a, "<%s>\n", rows[i].lacks[k])))
				fail_msg("%s: %s in %s", rows[i].words, rows[i].lacks[k], out);
		arena_release(&a);
	}
}

TEST(bash_offers_what_fits)
{
	static const struct row rows[] = {
		{"posviz ''", {"render", "verify", "doctor", "a picture.png"}, {"rope"}},
		{"posviz re", {"render"}, {"dump"}},
		{"posviz --fr", {"--fresh"}, {"--output"}},
		{"posviz render ro", {"rope"}, {"t5", "render"}},
		{"posviz render rope t5 ali", {"alibi"}, {"rope"}},
		{"posviz render rope --compare ali", {"alibi"}, {"rope"}},
		{"posviz render rope+ca", {"rope+causal"}, {"causal", "rope+rope"}},
		{"posviz show ''", {"shaw", "alibi", "t5"}, {"a picture.png"}},
		{"posviz render rope --", {"--heads", "--output", "--plain"}, {"--fresh"}},
		{"posviz list --", {"--format", "--help", "--heads"}, {"--sentence"}},
		{"posviz list ''", {"schemes", "keys", "settings"}, {"rope"}},
		{"posviz list --format ''", {"csv", "json", "markdown", "text"}, {"png"}},
		{"posviz render --format ''", {"png", "tex", "ansi"}, {"csv"}},
		{"posviz dump --format ''", {"npy", "csv"}, {"png"}},
		{"posviz render --proj ''", {"identity", "tied", "random"}, {"rope"}},
		{"posviz render --proj = t", {"tied"}, {"identity"}},
		{"posviz render --proj =", {"tied", "identity"}, {"rope"}},
		{"posviz render --colormap v", {"viridis", "vik"}, {"auto"}},
		{"posviz render --view ''", {"explore"}, {"viridis"}},
		{"posviz render -o ''", {"a picture.png", "posviz.bash"}, {"rope"}},
		{"posviz render -o 'a pic'", {"a picture.png"}, {"posviz.bash"}},
		{"posviz --color ''", {"auto", "direct", "256"}, {"on"}},
		{"posviz --mouse ''", {"on", "off"}, {"auto"}},
		{"posviz --scheme rope+t", {"rope+t5"}, {"t5"}},
		{"posviz -c ''", {"causal", "heads"}, {"rope"}},
		{"posviz verify ''", {"a picture.png"}, {"rope", "render"}},
		{"posviz completion ''", {"bash", "zsh", "fish"}, {"rope"}},
		{"posviz help ''", {"render", "check"}, {"rope", "complete"}},
		/* Samples: bash parts words at @ and =, unless it is told not to, and replaces the @ with what is
		 * behind it. */
		{"posviz render --conllu @ d", {"@dep1", "@dep2"}, {"@disconnected", "dep1"}},
		{"posviz render --conllu @", {"@dep1", "@treebank"}, {"@g5", "a picture.png"}},
		{"posviz render --conllu =@ d", {"@dep1"}, {"@decoder"}},
		{"posviz --graph '@g'", {"@g5", "@g5.edges"}, {"@dep1", "g5"}},
		{"posviz --tree ''", {"@bin1", "@tree1", "a picture.png"}, {"@g5", "bin1"}},
		{"posviz -f @", {"@headline"}, {"@dep1"}},
		{"posviz @ s", {"@svo-sov", "@subwords"}, {"show", "a picture.png"}},
		{"posviz ''", {"@svo-sov", "@dep1", "render"}, {"rope"}},
		{"posviz --params ''", {"a picture.png"}, {"@dep1"}},
		{"posviz verify ''", {"a picture.png"}, {"@dep1"}},
		{"posviz --conllu @ dep1 --head 1 render spr_", {"spr_rel", "spr_abs"}, {"tpe"}},
		{"posviz --graph =@ g5 show lap", {"laplacian"}, {"show"}},
		/* The sub-command is found behind options and their values. */
		{"posviz --heads 8 --proj = tied -s 'a b' list ''", {"schemes"}, {"rope"}},
		/* An option whose value is anything offers nothing. */
		{"posviz render --sentence ''", {NULL}, {"rope", "a picture.png"}},
	};
	expect_offered(rows, sizeof rows / sizeof *rows);
}

/* Files with the endings of what an option takes, and directories; where there is none all files. */
TEST(files_that_fit_are_offered)
{
	static const struct row rows[] = {
		{"posviz render --conllu ''",
		 {"trees.conllu", "folder", "@dep1"},
		 {"m.npy", "words"}},
		{"posviz render --conllu = t", {"trees.conllu"}, {NULL}},
		{"posviz --params ''", {"m.npy", "c.json", "folder"}, {"trees.conllu", "words"}},
		{"posviz --units m", {"m.npy"}, {"c.json"}},
		{"posviz --tree ''", {"m.npy", "words", "trees.conllu"}, {NULL}},
		{"posviz --tree w", {"words"}, {NULL}},
		{"posviz -f ''", {"m.npy", "words", "trees.conllu"}, {NULL}},
		{"posviz --config ''", {"words", "m.npy"}, {NULL}},
	};
	static const char *const names[] = {"trees.conllu", "m.npy", "c.json", "words"};
	for (size_t i = 0; i < 4; i++)
		cli_write(names[i], "", 0);
	assert_int_equal(mkdir("folder", 0700), 0);
	expect_offered(rows, sizeof rows / sizeof *rows);
	for (size_t i = 0; i < 4; i++)
		cli_remove(names[i]);
	assert_int_equal(rmdir("folder"), 0);
}

TEST(every_scheme_is_offered)
{
	struct arena a;
	arena_init(&a);
	const char *const out = offered("posviz show ''", &a);
	for (size_t i = 0; i < scheme_count(); i++)
		assert_non_null(strstr(out, arena_printf(&a, "<%s>\n", scheme_at(i)->id)));
	arena_release(&a);
}

/* Names are those of the configuration as it is now, and only what can be a name: it is not run. */
TEST(names_of_the_configuration_are_offered)
{
	static const char config[] = "# mine\n"
				     "define wave formula(b=sin(s-t))\n"
				     "  define wax alibi\n"
				     "define warm rope\nundefine warm\n"
				     "define w$(touch${IFS}pwned) rope\n"
				     "define wa`touch${IFS}pwned` rope\n"
				     "define want\n"
				     "heads 2\ndefine wand t5";
	struct arena a;
	arena_init(&a);
	assert_int_equal(mkdir("conf", 0700), 0);
	assert_int_equal(mkdir("conf/posviz", 0700), 0);
	cli_write("conf/posviz/config", config, sizeof config - 1);
	setenv("XDG_CONFIG_HOME", "conf", 1);
	static const char *const words[] = {"posviz render wa", "posviz --scheme rope+wa",
					    "posviz --compare wa"};
	for (size_t i = 0; i < 3; i++) {
		const char *const front = i == 1 ? "rope+" : "";
		const char *const out = offered(words[i], &a);
		assert_string_equal(out, arena_printf(&a, "<%swave>\n<%swax>\n<%swand>\n", front,
						      front, front));
	}
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	assert_string_equal(offered("posviz render wa", &a), "<>\n");
	struct stat st;
	assert_int_not_equal(stat("pwned", &st), 0);
	cli_remove("conf/posviz/config");
	assert_int_equal(rmdir("conf/posviz"), 0);
	assert_int_equal(rmdir("conf"), 0);
	arena_release(&a);
}

/* zsh is not asked for: where it is, its own parser reads the script. */
TEST(the_script_for_zsh_is_sound)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	print_script("zsh", "_posviz");
	const char *const text = cli_read("_posviz", &a, &len);
	assert_ptr_equal(strstr(text, "#compdef posviz\n"), text);
	assert_non_null(strstr(text, "'(-s --sentence)'{-s+,--sentence=}'["));
	assert_non_null(strstr(text, "--proj=["));
	assert_non_null(strstr(text, "(identity tied random)"));
	assert_non_null(strstr(text, ":conllu:{_posviz_samples conllu,conll,conllup dep1 dep2 "));
	assert_null(strstr(text, "''''"));
	bash("command -v zsh >/dev/null || exit 0\nzsh -n _posviz\n", &a);
	cli_remove("_posviz");
	arena_release(&a);
}

TEST(another_shell_is_refused)
{
	static const char *const shells[] = {"tcsh", NULL};
	for (size_t i = 0; i < 2; i++) {
		const struct cli_case c = {.args = {"completion", shells[i]}};
		struct cli_result r;
		cli_run(&r, &c);
		assert_int_equal(r.code, 2);
		assert_int_equal(r.out_len, 0);
		assert_non_null(strstr(r.err, "bash"));
		cli_done(&r);
	}
}

static int enter(void **state)
{
	cli_enter(state);
	print_script("bash", "posviz.bash");
	cli_write("a picture.png", "x", 1);
	return 0;
}

FIXTURE(enter, cli_leave)

/* ---- within a word ---------------------------------------------------------------------------- */

static void write_table(void)
{
	static const char header[] =
		"{\"encoder.bias\":{\"dtype\":\"F32\",\"shape\":[32,4],\"data_offsets\":[0,512]}}";
	char file[8 + sizeof header - 1 + 512] = {(char)(sizeof header - 1)};
	memcpy(file + 8, header, sizeof header - 1);
	cli_write("table.safetensors", file, sizeof file);
}

struct within {
	const char *line;
	const char *bash;  /* what is put in the place of what stands behind bash's last break */
	const char *whole; /* the word as fish offers it; NULL: as bash does */
};

static const struct within withins[] = {
	{"posviz render 't5(buc", "t5(buckets=", NULL},
	{"posviz render t5:buc", "buckets=", "t5:buckets="},
	{"posviz render t5:buckets=16,sc", "16,scale=", "t5:buckets=16,scale="},
	{"posviz show 't5(scale=rs", "t5(scale=rsqrt", NULL},
	{"posviz render rope+t5:scale=rs", "rsqrt", "rope+t5:scale=rsqrt"},
	{"posviz render rope --compare 'rope+t5(sca", "rope+t5(scale=", NULL},
	{"posviz render 'matrix(from=table.safetensors:",
	 "matrix(from=table.safetensors:encoder.bias", NULL},
	{"posviz render rope --units table.safetensors:", "encoder.bias",
	 "table.safetensors:encoder.bias"},
	{"posviz render t5 --params table.safetensors --map bias_table=", "encoder.bias",
	 "bias_table=encoder.bias"},
};
enum { WITHINS = sizeof withins / sizeof *withins };

/* The line as bash hands it over when a tab is pressed at its end. */
TEST(bash_offers_what_stands_in_brackets)
{
	write_table();
	for (size_t i = 0; i < WITHINS; i++) {
		struct arena a;
		arena_init(&a);
		const char *const out =
			bash(arena_printf(&a,
					  "set -u\nsource ./posviz.bash\nCOMP_LINE=\"%s\"\n"
					  "COMP_POINT=${#COMP_LINE}\n"
					  "read -ra COMP_WORDS <<< \"$COMP_LINE\"\n"
					  "COMP_WORDS[0]=$POSVIZ\n"
					  "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_posviz\n"
					  "printf '<%%s>\\n' \"${COMPREPLY[@]}\"\n",
					  withins[i].line),
			     &a);
		if (!strstr(out, arena_printf(&a, "<%s>\n", withins[i].bash)))
			fail_msg("%s: no %s in %s", withins[i].line, withins[i].bash, out);
		arena_release(&a);
	}
}

/* fish itself, where it is. */
static char *fish(const char *line, struct arena *a)
{
	return bash(arena_printf(a,
				 "command -v fish >/dev/null || exit 0\n"
				 "PATH=$(dirname \"$POSVIZ\"):$PATH HOME=$PWD fish --no-config -c "
				 "'source posviz.fish; complete -C $argv[1]; echo done' \"%s\"\n",
				 line),
		    a);
}

TEST(fish_offers_what_fits)
{
	static const struct row rows[] = {
		{"posviz re", {"render\t"}, {"dump\t"}},
		{"posviz render ro", {"rope\t"}, {"render\t"}},
		{"posviz render rope+ali", {"rope+alibi\t"}, {NULL}},
		{"posviz render rope --se", {"--seed\t", "--sentence\t"}, {"--fresh\t"}},
		{"posviz --fr", {"--fresh\t"}, {"--output\t"}},
		{"posviz render --proj ", {"identity\t", "tied\t", "random\t"}, {"rope\t"}},
		{"posviz --conllu @de", {"@dep1\t"}, {"@g5\t"}},
		{"posviz --heads 8 list ta", {"table\n"}, {"rope\t"}},
		{"posviz completion ", {"bash\n", "zsh\n", "fish\n"}, {"rope\t"}},
		{"posviz verify a", {"a picture.png"}, {"alibi\t"}},
	};
	print_script("fish", "posviz.fish");
	write_table();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		arena_init(&a);
		const char *const out = fish(rows[i].words, &a);
		for (size_t k = 0; *out && k < 4 && rows[i].has[k]; k++)
			if (!strstr(out, rows[i].has[k]))
				fail_msg("%s: no %s in %s", rows[i].words, rows[i].has[k], out);
		for (size_t k = 0; k < 3 && rows[i].lacks[k]; k++)
			if (strstr(out, rows[i].lacks[k]))
				fail_msg("%s: %s in %s", rows[i].words, rows[i].lacks[k], out);
		arena_release(&a);
	}
	for (size_t i = 0; i < WITHINS; i++) {
		struct arena a;
		arena_init(&a);
		const char *const out = fish(withins[i].line, &a);
		const char *const word = withins[i].whole ? withins[i].whole : withins[i].bash;
		if (*out && !strstr(out, word))
			fail_msg("%s: no %s in %s", withins[i].line, word, out);
		arena_release(&a);
	}
}

/* ---- files in all shells ------------------------------------------------------------------------ */

/* Their names would run a command where a shell took them for one. */
static const char *const odd[] = {"trees.conllu",	  "t.npy",
				  "a b.CONLLU",		  "it's.conllu",
				  "li\nne.conllu",	  "$(touch pwned).conllu",
				  "`touch pwned`.conllu", ";touch pwned;.conllu"};
enum { ODD = sizeof odd / sizeof *odd };

static void make_odd(void)
{
	for (size_t i = 0; i < ODD; i++)
		cli_write(odd[i], "", 0);
}

static void drop_odd(void)
{
	struct stat st;
	assert_int_not_equal(stat("pwned", &st), 0);
	for (size_t i = 0; i < ODD; i++)
		cli_remove(odd[i]);
}

TEST(bash_offers_odd_names_and_runs_none)
{
	static const struct row rows[] = {
		{"posviz --conllu ''",
		 {"trees.conllu", "a b.CONLLU", "it's.conllu", "$(touch pwned).conllu"},
		 {"t.npy", "ne.conllu"}},
		{"posviz --conllu ''",
		 {"`touch pwned`.conllu", ";touch pwned;.conllu"},
		 {"t.npy", "li"}},
		{"posviz --conllu '$(touch pwned'", {"$(touch pwned).conllu"}, {"trees.conllu"}},
		{"posviz --conllu '`'", {"`touch pwned`.conllu"}, {"trees.conllu"}},
	};
	make_odd();
	expect_offered(rows, sizeof rows / sizeof *rows);
	drop_odd();
}

TEST(fish_offers_odd_names_and_runs_none)
{
	struct arena a;
	arena_init(&a);
	print_script("fish", "posviz.fish");
	make_odd();
	const char *const out = fish("posviz --conllu ", &a);
	for (size_t i = 0; *out && i < ODD; i++)
		if (i != 4 && !strstr(out, arena_printf(&a, "%s\t", odd[i])) != (i == 1))
			fail_msg("%s is %soffered in %s", odd[i], i == 1 ? "" : "not ", out);
	assert_null(strstr(out, "ne.conllu\t"));
	assert_true(!*out || strstr(fish("posviz --weights tr", &a), "trees.conllu"));
	drop_odd();
	cli_remove("posviz.fish");
	arena_release(&a);
}

/* A zsh on a terminal of its own: each line is typed, completed, and run; what the command gets is printed. */
static const char drive[] =
	"command -v zsh >/dev/null || exit 0\n"
	"cat >drive.zsh <<'END'\n"
	"zmodload zsh/zpty zsh/zselect || exit 0\n"
	"zpty z \"TERM=vt100 PS1= HOME=$PWD zsh -f -i\"\n"
	"wait_for() {\n"
	"	local i x\n"
	"	for ((i = 0; i < $2; i++)); do\n"
	"		while zpty -rt z x; do :; done\n"
	"		[[ -e $1 ]] && return\n"
	"		zselect -t 2\n"
	"	done\n"
	"}\n"
	"wait_for none 25\n"
	"zpty -w z \"autoload -Uz compinit; fpath=(\\$PWD \\$fpath); compinit -u -D;\" \\\n"
	"	\"posviz() { printf '<%%s>' \\\"\\$@\\\" >took; mv took taken }; : >ready\"\n"
	"wait_for ready 500\n"
	"for line; do\n"
	"	zpty -w -n z \"$line\"$'\\t'\n"
	"	wait_for none 25\n"
	"	zpty -w -n z $'\\r'\n"
	"	wait_for taken 250\n"
	"	print -r -- \"$(<taken)\"\n"
	"	rm -f taken\n"
	"done\n"
	"rm -f ready\n"
	"END\n"
	"zsh -f drive.zsh %s\nrm drive.zsh\n";

TEST(zsh_puts_in_the_file_that_fits)
{
	static const char lines[] = "'posviz --conllu t' 'posviz --params t' 'posviz --conllu a' "
				    "'posviz --conllu it' 'posviz --conllu li' "
				    "'posviz --conllu \\$' 'posviz --conllu \\`' "
				    "'posviz --conllu \\;' 'posviz render --conllu=t'";
	static const char is[] = "<--conllu><trees.conllu>\n<--params><t.npy>\n"
				 "<--conllu><a b.CONLLU>\n<--conllu><it's.conllu>\n"
				 "<--conllu><li\nne.conllu>\n<--conllu><$(touch pwned).conllu>\n"
				 "<--conllu><`touch pwned`.conllu>\n"
				 "<--conllu><;touch pwned;.conllu>\n"
				 "<render><--conllu=trees.conllu>\n";
	struct arena a;
	arena_init(&a);
	print_script("zsh", "_posviz");
	make_odd();
	const char *const out = bash(arena_printf(&a, drive, lines), &a);
	if (*out)
		assert_string_equal(out, is);
	drop_odd();
	cli_remove("_posviz");
	arena_release(&a);
}

TEST(complete_prints_words_and_what_they_are)
{
	static const struct cli_case good = {.args = {"complete", "scheme", "t5(sca"}},
				     bad = {.args = {"complete"}};
	struct cli_result r;
	cli_run(&r, &good);
	assert_int_equal(r.code, 0);
	assert_string_equal(
		r.out, "t5(scale=\tnone: q·k + b as in T5; rsqrt: q·k/√d_h + b; xt: q·k/√d_h + "
		       "b √d_h: none|rsqrt|xt\n");
	cli_done(&r);
	cli_run(&r, &bad);
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "complete: give a command"));
	cli_done(&r);
}
