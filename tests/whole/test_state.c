/* test_state.c: what is kept between sessions: configuration and scene broken in every way, a history
 * that several programs share, a full disk. */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "cli/cli.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/scheme/scheme.h"

static char here[PATH_MAX], config_env[PATH_MAX + 32], state_env[PATH_MAX + 32];

static const char config_file[] = "config/posviz/config", scene_file[] = "state/posviz/scene",
		  history_file[] = "state/posviz/history";

static void wipe(void)
{
	assert_int_equal(system("chmod -R u+rwx config state 2>/dev/null; rm -rf config state"), 0);
}

/* Each test finds two empty directories. */
static int prepare(void **state)
{
	(void)state;
	wipe();
	assert_true(file_make_dirs("config/posviz", NULL) && file_make_dirs("state/posviz", NULL));
	return 0;
}

static int enter(void **state)
{
	cli_enter(state);
	if (!getcwd(here, sizeof here))
		return -1;
	snprintf(config_env, sizeof config_env, "XDG_CONFIG_HOME=%s/config", here);
	snprintf(state_env, sizeof state_env, "XDG_STATE_HOME=%s/state", here);
	return 0;
}

static int leave(void **state)
{
	wipe();
	return cli_leave(state);
}

FIXTURE(enter, leave)

/* Runs without a terminal, where the scene that it begins with is said in words. */
static void start(struct cli_result *r, const char *const *args)
{
	struct cli_case c = {.environment = {config_env, state_env}};
	for (size_t i = 0; args && args[i]; i++)
		c.args[i] = args[i];
	cli_run(r, &c);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		n++;
	return n;
}

/* It starts; `says` (or NULL) stands in what it prints, `warns` in what it warns of. */
static void expect(const char *what, const char *const *args, const char *says, const char *warns,
		   size_t warnings)
{
	struct cli_result r;
	start(&r, args);
	const size_t n = count(r.err, "posviz: warning: ");
	if (r.code != 0 || (says && !strstr(r.out, says)) || (warns && !strstr(r.err, warns)) ||
	    n != warnings || strchr(r.err, '\033') || r.err_len > 20000)
		fail_msg("%s: exit %d, %zu warnings: %.2000s%.300s", what, r.code, n, r.err, r.out);
	cli_done(&r);
}

/* ---- configuration ----------------------------------------------------------------------------- */

TEST_WITH(lines_work_or_warn, prepare, NULL)
{
	static const struct {
		const char *text;
		size_t len; /* 0: as the text says */
		const char *says, *warns;
		size_t warnings;
	} rows[] = {
		{"", 0, "rope+causal", NULL, 0},
		{"\n\n  # a comment \xff \n\t\n", 0, "rope+causal", NULL, 0},
		{"scheme t5\nheads 2", 0, "head 1 of 2", NULL, 0},
		{"scheme t5\r\nheads 2\r\n", 0, "head 1 of 2", NULL, 0},
		{"\xEF\xBB\xBFheads 2\n", 0, "head 1 of 2", NULL, 0},
		{"  heads 2  \n", 0, "head 1 of 2", NULL, 0},
		{"hedas 4\nheads 2\nheads many\n", 0, "head 1 of 2", "config:1: ", 2},
		{"heads 8\nhe\0ads 4\nlayers 3\n", 26, "head 1 of 8", "config:2: a NUL byte", 1},
		{"# \0\nheads 2\n", 12, "head 1 of 2", NULL, 0},
		{"caf\xe9 1\nheads 2\n", 0, "head 1 of 2", "config:1: no command \"caf\\xE9\"", 1},
		{"sentence caf\xe9 noir\n", 0, "caf\\xE9 noir", NULL, 0},
		{"\033[31mheads 4\nheads 2\n", 0, "head 1 of 2", "\\x1B[31mheads", 1},
		{"quit\nheads 2\n", 0, "head 1 of 2", "config:1: \"quit\" is for the running", 1},
		{"help\n:\nundo\nheads 2\n", 0, "head 1 of 2", "config:3: ", 3},
		{"snapshot x.png\nsave x.svg\nheads 2\n", 0, "head 1 of 2", "config:2: ", 2},
		{"save-config\nheads 2\n", 0, "head 1 of 2", "config:1: ", 1},
		{"view nothing\ncolormap nothing\nheads 2\n", 0, "head 1 of 2", "config:2: ", 2},
		{"undo\nheads 2\nundo\n", 0, "head 1 of 2", "config:3: there is nothing", 2},
		{"color 256\nmouse off\nglyphs round\n", 0, "rope", "config:3: glyphs", 1},
		{"h\0e\0a\0d\0s\0 \0002\0\n\0", 16, "head 1 of 4", "NUL", 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t len = rows[i].len ? rows[i].len : strlen(rows[i].text);
		cli_write(config_file, rows[i].text, len);
		expect(rows[i].text, NULL, rows[i].says, rows[i].warns, rows[i].warnings);
	}
	assert_false(file_exists("x.png") || file_exists("x.svg"));
	assert_false(file_exists(scene_file)); /* no session, nothing to keep */
}

/* 100 kB in one line, 1 MB of lines of which a third is not understood, and 10 MB with comments. */
TEST_WITH(long_configurations_are_read, prepare, NULL)
{
	struct arena a;
	struct strbuf text;
	arena_init(&a);
	strbuf_init(&text, &a);
	for (size_t i = 0; i < 100000; i++)
		strbuf_add_char(&text, 'x');
	strbuf_add(&text, "\nheads 2\n");
	cli_write(config_file, text.at, text.len);
	expect("a long line", NULL, "head 1 of 2", "config:1: ", 1);
	while (text.len < 1 << 20)
		strbuf_add(&text, "nothing at all\nheads 4\nheads 8\n");
	while (text.len < 10 << 20)
		strbuf_add(&text, "# a comment as long as lines are that people write in files\n");
	strbuf_add(&text, "heads 2\n");
	cli_write(config_file, text.at, text.len);
	expect("10 MB", NULL, "head 1 of 2", "more such lines are skipped", 21);
	while (text.len < 20 << 20)
		strbuf_add(&text, text.at);
	cli_write(config_file, text.at, text.len);
	expect("20 MB", NULL, "rope+causal", "too large", 1);
	arena_release(&a);
}

TEST_WITH(what_is_no_file_is_warned_of, prepare, NULL)
{
	static const struct {
		const char *make, *warns;
	} rows[] = {
		{"mkdir config/posviz/config", "it is a directory"},
		{"mkfifo config/posviz/config", "no regular file"},
		{"ln -s /dev/zero config/posviz/config", "no regular file"},
		{"ln -s config config/posviz/config", "symbolic links"},
		{"ln -s missing config/posviz/config", "no such file"},
		{"echo heads 2 >config/posviz/config; chmod 0 config/posviz/config", "denied"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (i == 5 && geteuid() == 0)
			continue; /* for root everything is readable */
		assert_int_equal(system(rows[i].make), 0);
		expect(rows[i].make, NULL, "rope+causal", rows[i].warns, 1);
		assert_int_equal(system("rm -rf config/posviz/config"), 0);
	}
	assert_int_equal(system("rm -rf config; echo >config"), 0);
	expect("no directory", NULL, "rope+causal", NULL, 0);
	wipe();
}

TEST_WITH(another_configuration_is_named, prepare, NULL)
{
	cli_write(config_file, "heads 8\n", 8);
	cli_write("mine", "heads 2\nnothing\n", 16);
	expect("the user's", NULL, "head 1 of 8", NULL, 0);
	const char *const mine[] = {"--config", "mine", NULL};
	expect("--config", mine, "head 1 of 2", "mine:2: ", 1);
	const char *const none[] = {"--config", "/dev/null", NULL};
	expect("none", none, "head 1 of 4", NULL, 0);
	const char *const fresh[] = {"--fresh", NULL};
	expect("--fresh", fresh, "head 1 of 8", NULL, 0);
	const char *const over[] = {"--config", "mine", "--heads", "1", NULL};
	expect("an option over it", over, "head 1 of 1", "mine:2: ", 1);
	cli_remove("mine");
	static const char *const bad[][4] = {{"--config", "missing"},
					     {"--config", "/tmp"},
					     {"--config", ""},
					     {"render", "rope", "--config", "x"}};
	for (size_t i = 0; i < 4; i++) {
		struct cli_result r;
		const char *const args[] = {bad[i][0], bad[i][1], bad[i][2], bad[i][3], NULL};
		start(&r, args);
		assert_int_equal(r.code, 2);
		assert_int_equal(r.out_len, 0);
		assert_non_null(strstr(r.err, "config"));
		assert_int_equal(count(r.err, "\n"), 1);
		cli_done(&r);
	}
}

/* A picture or a script is what it says, whatever the configuration is. */
TEST_WITH(a_file_is_not_changed_by_the_configuration, prepare, NULL)
{
	cli_write(config_file, "heads 8\n", 8);
	cli_write("script", "scheme t5\n", 10);
	const char *const args[] = {"script", NULL};
	expect("script", args, "head 1 of 4", NULL, 0);
	cli_remove("script");
}

TEST_WITH(the_directory_is_printed, prepare, NULL)
{
	static const struct {
		const char *environment[3], *prints;
		int code;
	} rows[] = {
		{{"XDG_CONFIG_HOME=/a/b", "HOME=/home/x"}, "/a/b/posviz\n", 0},
		{{"XDG_CONFIG_HOME=", "HOME=/home/x"}, "/home/x/.config/posviz\n", 0},
		{{"XDG_CONFIG_HOME=rel/ative", "HOME=/home/x"}, "/home/x/.config/posviz\n", 0},
		{{"XDG_CONFIG_HOME=rel", "HOME=rel"}, "", 2},
		{{"XDG_CONFIG_HOME=", "HOME="}, "", 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		struct cli_case c = {.args = {"--print-config-dir"}};
		memcpy(c.environment, rows[i].environment, sizeof rows[i].environment);
		cli_run(&r, &c);
		assert_int_equal(r.code, rows[i].code);
		assert_string_equal(r.out, rows[i].prints);
		assert_int_equal(r.err_len == 0, r.code == 0);
		cli_done(&r);
	}
}

/* ---- the scene --------------------------------------------------------------------------------- */

TEST_WITH(a_scene_of_another_version_is_set_aside, prepare, NULL)
{
	static const struct {
		const char *text;
		size_t len;
		const char *warns;
	} rows[] = {
		{"heads 2\nfuture-field 1\n", 0, "line 2: no field \"future-field\""},
		{"heads 2\nheads many\n", 0, "line 2: heads"},
		{"heads 2\nview hologram\n", 0, "there is no \"hologram\""},
		{"heads 2\ncolormap rainbow\n", 0, "there is no \"rainbow\""},
		{"heads 2\n\0\0\0", 11, "NUL"},
		{"\x89PNG\r\n\x1a\n", 0, "line 1"},
	};
	struct arena a;
	size_t len;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t size = rows[i].len ? rows[i].len : strlen(rows[i].text);
		const char *const aside =
			i == 0 ? "state/posviz/scene.old"
			       : arena_printf(&a, "state/posviz/scene.old.%zu", i + 1);
		cli_write(scene_file, rows[i].text, size);
		expect(rows[i].text, NULL, "head 1 of 4", rows[i].warns, 1);
		assert_false(file_exists(scene_file));
		const char *const kept = cli_read(aside, &a, &len);
		assert_int_equal(len, size);
		assert_memory_equal(kept, rows[i].text, size);
		expect("and once only", NULL, "head 1 of 4", NULL, 0);
	}
	arena_release(&a);
}

/* It would come back at every start. */
TEST_WITH(a_scene_that_cannot_be_computed_is_left_aside, prepare, NULL)
{
	static const char scene[] = "heads 2\nscheme matrix(from=gone.npy)\n";
	cli_write(scene_file, scene, strlen(scene));
	expect(scene, NULL, "head 1 of 4",
	       "the last scene cannot be computed and is left aside as ", 1);
	assert_false(file_exists(scene_file));
	assert_true(file_exists("state/posviz/scene.old"));
	expect("and once only", NULL, "head 1 of 4", NULL, 0);
}

/* With exit status 2, and no screen that has nothing to show. */
TEST_WITH(what_cannot_be_computed_opens_no_screen, prepare, NULL)
{
	struct pty p;
	const struct pty_look look = {.rows = 30,
				      .cols = 110,
				      .env = {config_env, state_env},
				      .args = {"--scheme", "matrix(from=gone.npy)"}};
	pty_start(&p, &look);
	assert_int_equal(pty_exit(&p), 2);
	pty_stop(&p);
}

TEST_WITH(what_is_no_scene_file_is_warned_of, prepare, NULL)
{
	static const char *const makes[] = {"mkdir state/posviz/scene", "mkfifo state/posviz/scene",
					    "ln -s scene state/posviz/scene",
					    "head -c 20000000 /dev/zero >state/posviz/scene"};
	for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
		assert_int_equal(system(makes[i]), 0);
		expect(makes[i], NULL, "rope+causal", "posviz/scene: ", 1);
		assert_int_equal(system("rm -rf state/posviz/*"), 0);
	}
}

TEST_WITH(a_scene_comes_back_as_it_was, prepare, NULL)
{
	static const struct {
		const char *scene;
		const char *const args[4];
		const char *says;
	} rows[] = {
		{"heads 2\n", {NULL}, "head 1 of 2"},
		{"heads 2\n", {"--fresh"}, "head 1 of 4"},
		{"heads 2\n", {"--heads", "8"}, "head 1 of 8"},
		/* What does not fit any more gives way. */
		{"heads 2\nhead 7\nrow 90\ncol 90\n", {NULL}, "head 2 of 2"},
		{"sentence a b\norder 3 2 1\n", {NULL}, "“a b”"},
		{"", {NULL}, "head 1 of 4"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cli_write(scene_file, rows[i].scene, strlen(rows[i].scene));
		expect(rows[i].scene, rows[i].args, rows[i].says, NULL, 0);
	}
}

/* ---- sessions on a terminal -------------------------------------------------------------------- */

static struct pty open_session(const char *shell)
{
	struct pty p;
	const struct pty_look look = {
		.rows = 30, .cols = 110, .env = {config_env, state_env}, .shell = shell};
	pty_start(&p, &look);
	if (!pty_wait(&p, "head 1 of"))
		PTY_FAIL(&p, "%s: no picture", shell);
	return p;
}

static void close_session(struct pty *p)
{
	pty_type(p, "q");
	assert_int_equal(pty_exit(p), 0);
	pty_stop(p);
}

/* Left by Ctrl-c, it is there again; q then ends the look, and the next time it is gone. */
TEST_WITH(the_presenter_is_kept_from_session_to_session, prepare, NULL)
{
	static const char again[] = "$POSVIZ";
	struct pty p = open_session(again);
	pty_type(&p, "\033[15~");
	PTY_EXPECT(&p, pty_wait_gone(&p, "Schemes"));
	pty_type(&p, "\003");
	assert_int_equal(pty_exit(&p), 0);
	pty_stop(&p);
	p = open_session(again);
	PTY_EXPECT(&p, pty_wait_row(&p, 29, "attention") && !pty_has(&p, "1 Explore"));
	pty_type(&p, "q");
	PTY_EXPECT(&p, pty_wait(&p, "1 Explore"));
	close_session(&p);
	p = open_session(again);
	PTY_EXPECT(&p, pty_wait(&p, "1 Explore"));
	close_session(&p);
}

/* Switched it is kept, whoever kills the program; in a tour too, and nothing else of what was shown there. */
TEST_WITH(the_presenter_is_kept_when_it_is_switched, prepare, NULL)
{
	static const char kept[] = "sentence one two three\n";
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(scene_file, kept, sizeof kept - 1);
	struct pty p = open_session("exec \"$POSVIZ\"");
	pty_type(&p, ":tour order\r");
	PTY_EXPECT(&p, pty_wait(&p, "1/12"));
	pty_type(&p, "\033[15~");
	PTY_EXPECT(&p, pty_wait_gone(&p, "1 Explore"));
	pty_type(&p, " ");
	PTY_EXPECT(&p, pty_wait(&p, "2/12"));
	assert_int_equal(kill(p.pid, SIGKILL), 0);
	assert_int_equal(pty_exit(&p), 128 + SIGKILL);
	pty_stop(&p);
	const char *const now = cli_read(scene_file, &a, &len);
	assert_non_null(strstr(now, kept));
	assert_non_null(strstr(now, "presenter on\n"));
	p = open_session("$POSVIZ");
	PTY_EXPECT(&p, pty_wait_row(&p, 29, "attention") && !pty_has(&p, "1 Explore"));
	pty_type(&p, "q");
	PTY_EXPECT(&p, pty_wait(&p, "1 Explore"));
	assert_null(strstr(cli_read(scene_file, &a, &len), "presenter"));
	close_session(&p);
	arena_release(&a);
}

TEST_WITH(paths_are_kept_whole, prepare, NULL)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("words.txt", "one two three", 13);
	struct pty p = open_session("\"$POSVIZ\" --file words.txt");
	close_session(&p);
	assert_non_null(strstr(cli_read(scene_file, &a, &len),
			       arena_printf(&a, "file %s/words.txt\n", here)));
	p = open_session("cd / && \"$POSVIZ\"");
	PTY_EXPECT(&p, pty_wait(&p, "three"));
	close_session(&p);
	cli_remove("words.txt");
	arena_release(&a);
}

TEST_WITH(a_fresh_session_is_kept_too, prepare, NULL)
{
	static const char future[] = "future-field 1\n";
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(scene_file, future, sizeof future - 1);
	struct pty p = open_session("\"$POSVIZ\" --fresh --heads 2");
	close_session(&p);
	assert_non_null(strstr(cli_read(scene_file, &a, &len), "heads 2\n"));
	/* What was there, and could not be read, is not lost. */
	assert_string_equal(cli_read("state/posviz/scene.old", &a, &len), future);
	arena_release(&a);
}

/* ulimit -f counts in blocks: nothing can be written any more. */
TEST_WITH(a_full_disk_loses_nothing, prepare, NULL)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* it keeps its own memory in files */
#endif
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(scene_file, "heads 2\n", 8);
	cli_write(history_file, "heads 8\n", 8);
	struct pty p = open_session("ulimit -f 0; \"$POSVIZ\"");
	pty_type(&p, ":heads 1\r");
	PTY_EXPECT(&p, pty_wait(&p, "head 1 of 1"));
	pty_type(&p, "q");
	assert_int_equal(pty_exit(&p), 0);
	assert_non_null(memmem(p.raw, p.raw_len, "the one before stays", 20));
	pty_stop(&p);
	assert_string_equal(cli_read(scene_file, &a, &len), "heads 2\n");
	assert_string_equal(cli_read(history_file, &a, &len), "heads 8\n");
	assert_int_equal(system("test $(ls -A state/posviz | wc -l) = 2"), 0);
	arena_release(&a);
}

TEST_WITH(sessions_share_one_history, prepare, NULL)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(history_file, "heads 16\n\xff\x01 no line\nunfinished", 30);
	struct pty one = open_session("\"$POSVIZ\"");
	struct pty two = open_session("\"$POSVIZ\"");
	pty_type(&one, ":heads 1\r");
	PTY_EXPECT(&one, pty_wait(&one, "head 1 of 1"));
	pty_type(&two, ":heads 2\r");
	PTY_EXPECT(&two, pty_wait(&two, "head 1 of 2"));
	pty_type(&one, ":heads 4\r");
	PTY_EXPECT(&one, pty_wait(&one, "head 1 of 4"));
	close_session(&one);
	close_session(&two);
	const char *const text = cli_read(history_file, &a, &len);
	const char *const end = strstr(text, "unfinished\nheads 1\nheads 2\nheads 4\n");
	if (!end)
		fail_msg("%s", text);
	/* The next session finds them: Up is the last, Up Up the one before. */
	one = open_session("\"$POSVIZ\"");
	pty_type(&one, ":");
	PTY_EXPECT(&one, pty_wait_row(&one, one.rows - 1, ":"));
	pty_type(&one, "\033OA\033OA");
	PTY_EXPECT(&one, pty_wait_row(&one, one.rows - 1, ":heads 2"));
	pty_type(&one, "\033");
	PTY_EXPECT(&one, pty_wait_gone(&one, ":heads 2"));
	close_session(&one);
	arena_release(&a);
}

TEST_WITH(settings_are_written_back, prepare, NULL)
{
	static const char before[] = "# mine\r\nheads 2\n\tmouse  on \r\ncolor 16\n# color 8\n"
				     "nothing\ncolor 256 \nglyphs round\nbind F2 causal";
	static const char after[] = "# mine\r\nheads 2\n\tmouse  off \r\ncolor 16\n# color 8\n"
				    "nothing\ncolor 256 \nglyphs round\nbind F2 causal\n"
				    "contrast on\nbind F2 undo\nbind F3 matrix next\nunbind Z\n";
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(config_file, before, sizeof before - 1);
	assert_int_equal(chmod(config_file, 0640), 0);
	struct pty p = open_session("\"$POSVIZ\"");
	pty_type(&p, ":mouse off\r");
	PTY_EXPECT(&p, pty_wait(&p, "mouse: off"));
	pty_type(&p, ":contrast on\r");
	PTY_EXPECT(&p, pty_wait(&p, "contrast: on"));
	pty_type(&p, ":bind F2 undo\r:bind F3 matrix next\r:unbind Z\r\033OR");
	PTY_EXPECT(&p, pty_wait(&p, "─ Mask "));
	pty_type(&p, "g");			/* the line of what was said goes */
	PTY_EXPECT(&p, pty_wait(&p, "q quit")); /* whatever is bound, how to leave is said */
	pty_type(&p, ":save-config\r");
	PTY_EXPECT(&p, pty_wait(&p, "wrote "));
	assert_string_equal(cli_read(config_file, &a, &len), after);
	pty_type(&p, ":save-config\r");
	PTY_EXPECT(&p, pty_wait(&p, "says so already"));
	close_session(&p);
	assert_string_equal(cli_read(config_file, &a, &len), after);
	struct stat st;
	assert_int_equal(stat(config_file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	arena_release(&a);
}

/* A name that another line was made of is taken away behind it, so that both can be read. */
TEST_WITH(a_name_that_is_needed_stays, prepare, NULL)
{
	static const struct {
		const char *before, *after;
	} rows[] = {
		{"define a1 rope\ndefine b1 alibi\n", "define b1 alibi\n"},
		{"define a1 rope\n# a1\nundefine a1\ndefine a1 t5\ndefine b1 alibi",
		 "# a1\ndefine b1 alibi"},
		{"define a1 rope\r\ndefine b1 a1+causal\r\n",
		 "define a1 rope\r\ndefine b1 a1+causal\r\ndefine b1 rope+causal\n"
		 "undefine a1\n"},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {""};
		struct strbuf text;
		assert_true(define_set("b1", i == 2 ? "rope+causal" : "alibi", &err));
		strbuf_init(&text, &a);
		strbuf_add(&text, rows[i].before);
		state_put_definitions(&text);
		assert_string_equal(text.at, rows[i].after);
		state_put_definitions(&text); /* and once more says so already */
		assert_string_equal(text.at, rows[i].after);
	}
	assert_true(define_remove("b1", NULL));
	arena_release(&a);
}

/* What a line said of a name stays, a later one has the last word; those of a name that is no more
 * go. */
TEST_WITH(definitions_are_kept, prepare, NULL)
{
	static const char before[] = "define wave formula(b=sin(s-t))\ndefine mine rope\n"
				     "define same alibi\ndefine bad ropee";
	static const char after[] = "define wave formula(b=sin(s-t))\n"
				    "define same alibi\ndefine bad ropee\n"
				    "define wave formula(b=cos(s-t))\n";
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write(config_file, before, sizeof before - 1);
	struct pty p = open_session("\"$POSVIZ\"");
	pty_type(&p, ":define wave formula(b=cos(s-t))\r:undefine mine\r");
	PTY_EXPECT(&p, pty_wait(&p, "\"mine\" stands for nothing now"));
	pty_type(&p, ":save-config\r");
	PTY_EXPECT(&p, pty_wait(&p, "wrote "));
	assert_string_equal(cli_read(config_file, &a, &len), after);
	pty_type(&p, ":save-config\r");
	PTY_EXPECT(&p, pty_wait(&p, "says so already"));
	pty_type(&p, ":scheme wave\r");
	PTY_EXPECT(&p, pty_wait(&p, "formula(b=cos(s-t))"));
	close_session(&p);
	p = open_session("\"$POSVIZ\" --fresh");
	pty_type(&p, ":scheme wave+same\r");
	PTY_EXPECT(&p, pty_wait(&p, "formula(b=cos(s-t))+alibi"));
	pty_type(&p, ":scheme mine\r");
	PTY_EXPECT(&p, pty_wait(&p, "no scheme \"mine\""));
	pty_type(&p, "\033");
	PTY_EXPECT(&p, pty_wait_gone(&p, ":scheme mine"));
	close_session(&p);
	arena_release(&a);
}

TEST_WITH(a_configuration_is_begun, prepare, NULL)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	assert_int_equal(system("rm -rf config"), 0);
	struct pty p = open_session("\"$POSVIZ\" --color 256");
	pty_type(&p, ":save-config\r");
	PTY_EXPECT(&p, pty_wait(&p, "wrote "));
	close_session(&p);
	assert_string_equal(cli_read(config_file, &a, &len), "color 256\n");
	arena_release(&a);
}

/* The first line that is not understood is told on the screen too. */
TEST_WITH(the_screen_tells_of_the_configuration, prepare, NULL)
{
	cli_write(config_file, "heads 2\nhedas 4\nbind\nx\n", 23);
	struct pty p = open_session("\"$POSVIZ\"");
	PTY_EXPECT(&p, pty_wait(&p, "config:2: "));
	PTY_EXPECT(&p, pty_wait(&p, " more")); /* lines, wherever it is broken */
	close_session(&p);
	cli_write(config_file, "heads 2\nhedas 4\n", 16);
	p = open_session("\"$POSVIZ\"");
	PTY_EXPECT(&p, pty_wait(&p, "config:2: no command"));
	close_session(&p);
}

/* ---- files of lines ---------------------------------------------------------------------------- */

TEST_WITH(lines_of_several_programs_stay_whole, prepare, NULL)
{
	enum { PROGRAMS = 4, LINES = 150 };
	pid_t pids[PROGRAMS];
	for (int i = 0; i < PROGRAMS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] > 0)
			continue;
		bool ok = true;
		for (int k = 0; k < LINES && ok; k++) {
			char line[64];
			const int len = snprintf(line, sizeof line, "program %d line %d\n", i, k);
			/* Nothing is dropped at this length; the file is renamed all the same. */
			ok = file_append(history_file, line, (size_t)len, NULL) &&
			     (k % 10 != 0 || file_keep_tail(history_file, 1 << 20, 1 << 19, NULL));
		}
		_exit(ok ? 0 : 1);
	}
	for (int i = 0; i < PROGRAMS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	struct arena a;
	size_t len;
	arena_init(&a);
	const char *const text = cli_read(history_file, &a, &len);
	assert_int_equal(count(text, "\n"), PROGRAMS * LINES);
	for (int i = 0; i < PROGRAMS; i++)
		for (int k = 0; k < LINES; k++)
			assert_non_null(
				strstr(text, arena_printf(&a, "program %d line %d\n", i, k)));
	arena_release(&a);
}

/* A disk that is full after some bytes of the line. */
TEST_WITH(half_a_line_is_taken_back, prepare, NULL)
{
	struct arena a;
	size_t len;
	int status;
	arena_init(&a);
	cli_write(history_file, "heads 8\nunfinished", 18);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		const struct rlimit limit = {24, 24};
		struct err err = {""};
		setrlimit(RLIMIT_FSIZE, &limit);
		const bool ok = file_append(history_file, "heads 16\n", 9, &err);
		_exit(!ok && strstr(err.text, "larger than the system allows") ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_string_equal(cli_read(history_file, &a, &len), "heads 8\nunfinished");
	arena_release(&a);
}

/* While some shorten it, what others add last is there. */
TEST_WITH(shortening_drops_the_oldest_only, prepare, NULL)
{
	enum { LINES = 1500, MOST = 2000, KEEP = 1980 };
	struct arena a;
	size_t len;
	int status;
	arena_init(&a);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		bool ok = true;
		while (ok && !file_exists("state/stop"))
			ok = !file_exists(history_file) ||
			     file_keep_tail(history_file, MOST, KEEP, NULL);
		_exit(ok ? 0 : 1);
	}
	for (int k = 0; k < LINES; k++) {
		const char *const line = arena_printf(&a, "line %d\n", k);
		assert_true(file_append(history_file, line, strlen(line), NULL));
	}
	cli_write("state/stop", "", 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(file_keep_tail(history_file, MOST, KEEP, NULL));
	const char *text = cli_read(history_file, &a, &len);
	assert_true(len <= MOST && len > 0);
	int first;
	assert_int_equal(sscanf(text, "line %d\n", &first), 1);
	for (int k = first; k < LINES; k++) {
		const char *const line = arena_printf(&a, "line %d\n", k);
		assert_int_equal(strncmp(text, line, strlen(line)), 0);
		text += strlen(line);
	}
	assert_int_equal(*text, '\0');
	assert_false(file_keep_tail("state/missing", 1, 0, NULL));
	assert_false(file_append("state", "x\n", 2, NULL));
	arena_release(&a);
}
