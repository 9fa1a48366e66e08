/* test_large_models.c: files of 32 GB are opened by what they begin with: little memory is taken until weights
 * are looked at, and what is known is what the configuration says. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_large.h"
#include "help_peak.h"
#include "posviz/app/app.h"

FIXTURE(cli_enter, cli_leave)

enum { MEGABYTE = 1 << 20, MOST = 50 };

/* In a child: how many megabytes are taken to open a model; 255: it is not opened. */
static int megabytes_to_open(const char *path)
{
	const pid_t child = fork();
	if (child == 0) {
		struct arena a;
		struct scene scene;
		struct built b;
		struct err err = {""};
		const char *said;
		arena_init(&a);
		scene_init(&scene);
		const size_t before = help_peak_from_here();
		const bool ok = app_configuration(&scene, path, &a, &said, &err) &&
				setup_build(&scene.setup, &a, &b, &err) &&
				b.model.config.layers == 32 &&
				b.model.config.t_max == LARGE_CONTEXT;
		const size_t taken = (help_peak() - before) / MEGABYTE;
		_exit(!ok ? 255 : taken < 254 ? (int)taken : 254);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void opens_lightly(const char *path)
{
	const int taken = megabytes_to_open(path);
	if (taken > MOST)
		fail_msg("%s: %d MB to open it", path, taken);
}

TEST(a_directory_of_32_GB_is_opened_by_its_header)
{
	assert_int_equal(mkdir("large", 0700), 0);
	const bool made = help_large_model("large");
	if (made)
		opens_lightly("./large");
	cli_remove("large/config.json");
	cli_remove("large/model.safetensors");
	rmdir("large");
	if (!made)
		skip();
}

/* Its vocabulary of 128,256 words is passed over. */
TEST(a_gguf_of_32_GB_is_opened_by_its_header)
{
	const bool made = help_large_gguf("large.gguf");
	if (made)
		opens_lightly("./large.gguf");
	cli_remove("large.gguf");
	if (!made)
		skip();
}
