/* test_cli_start.c: what the terminal program starts with: the last scene, the user's configuration, a
 * picture or script named on the command line; and what it leaves behind. */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"

FIXTURE(cli_enter, cli_leave)

/* Starts it by a line for the shell, waits for the words on the screen, leaves by q. */
static void look(const char *shell, const char *words, const char *written)
{
	char here[PATH_MAX], config[PATH_MAX + 32], state[PATH_MAX + 32];
	struct pty p;
	assert_non_null(getcwd(here, sizeof here));
	snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/config", here);
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", here);
	const struct pty_look at = {
		.rows = 30, .cols = 110, .env = {config, state}, .shell = shell};
	pty_start(&p, &at);
	if (!pty_wait(&p, words))
		PTY_FAIL(&p, "%s: no %s", shell, words);
	pty_type(&p, "q");
	assert_int_equal(pty_exit(&p), 0);
	assert_true(written == NULL || memmem(p.raw, p.raw_len, written, strlen(written)) != NULL);
	pty_stop(&p);
}

static void forget(void)
{
	remove("state/posviz/scene");
	rmdir("state/posviz");
	rmdir("state");
}

TEST(the_last_scene_comes_back)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	look("\"$POSVIZ\" --scheme 't5(buckets=16)' --heads 2", "t5(buckets=16)", NULL);
	/* The cursor that the screen needs may follow. */
	const char *const text = cli_read("state/posviz/scene", &a, &len);
	assert_ptr_equal(strstr(text, "scheme t5(buckets=16)\nheads 2\n"), text);
	look("\"$POSVIZ\"", "t5(buckets=16)", NULL);
	look("\"$POSVIZ\" --fresh", "rope+causal", NULL);
	assert_null(strstr(cli_read("state/posviz/scene", &a, &len), "scheme"));
	forget();
	arena_release(&a);
}

TEST(a_broken_state_is_set_aside)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	assert_int_equal(mkdir("state", 0700), 0);
	assert_int_equal(mkdir("state/posviz", 0700), 0);
	cli_write("state/posviz/scene", "scheme shaw\nno-such-field 1\n", 27);
	look("\"$POSVIZ\"", "rope+causal", "no-such-field");
	assert_non_null(strstr(cli_read("state/posviz/scene.old", &a, &len), "scheme shaw\n"));
	cli_remove("state/posviz/scene.old");
	forget();
	arena_release(&a);
}

TEST(the_configuration_is_run_and_its_errors_told)
{
	static const char lines[] = "# mine\nscheme shaw(clip=4)\nsceme t5\nheads 2\n";
	assert_int_equal(mkdir("config", 0700), 0);
	assert_int_equal(mkdir("config/posviz", 0700), 0);
	cli_write("config/posviz/config", lines, sizeof lines - 1);
	look("\"$POSVIZ\"", "shaw(clip=4)", "config:3: ");
	look("\"$POSVIZ\" --scheme alibi", "alibi", NULL);
	forget();
	assert_int_equal(remove("config/posviz/config"), 0);
	assert_int_equal(rmdir("config/posviz"), 0);
	assert_int_equal(rmdir("config"), 0);
}

TEST(a_picture_or_a_script_opens)
{
	static const char script[] = "# a lecture\nscheme t5(buckets=8)\n\ncausal\n";
	const struct cli_case c = {.args = {"render", "shaw(clip=5)", "-o", "x.png"}};
	cli_good(&c);
	look("\"$POSVIZ\" x.png", "shaw(clip=5)", NULL);
	look("\"$POSVIZ\" x.png --heads 1", "head 1 of 1", NULL);
	cli_write("lecture", script, sizeof script - 1);
	look("\"$POSVIZ\" lecture", "t5(buckets=8)+causal", NULL);
	cli_remove("lecture");
	cli_remove("x.png");
	forget();
}
