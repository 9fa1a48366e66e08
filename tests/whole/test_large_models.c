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

/* Numbers of a file that a model has as its own count where a picture's memory is estimated, and so does what turned
 * them: with them the limit is exceeded, and without them it would not be. */
static void check_latent(void)
{
	enum { LIMIT = 8 * LARGE_LATENT };
	const struct want want = {.kinds = WANT_BIAS, .layer = 0, .head = 0};
	struct arena a;
	struct scene scene;
	struct built b;
	struct trace trace;
	struct err err = {""};
	const char *said;
	arena_init(&a);
	scene_init(&scene);
	const size_t before = help_peak_from_here();
	if (!app_configuration(&scene, "./latent", &a, &said, &err) ||
	    !scene_set(&scene, field_find("ids"), "1 2 3", &err) ||
	    !setup_build(&scene.setup, &a, &b, &err))
		fail_msg("%s", err.text);
	const double taken = (double)(help_peak() - before);
	const double estimate = (double)model_estimate(&b.model, &b.model_input, &want);
	if ((PEAK_IS_OWN && estimate < taken) || estimate > 1.5 * taken)
		fail_msg("%.0f MB are estimated, %.0f MB taken", estimate / 1e6, taken / 1e6);
	b.model.config.memory = LIMIT;
	assert_false(built_run(&b, &b.model_input, &want, NULL, NULL, &a, &trace, &err));
	assert_non_null(strstr(err.text, "this needs about"));
	arena_release(&a);
}

TEST(numbers_of_positions_count_in_memory)
{
	assert_int_equal(mkdir("latent", 0700), 0);
	const bool made = help_large_latent("latent");
	if (made)
		check_latent();
	cli_remove("latent/config.json");
	cli_remove("latent/model.safetensors");
	rmdir("latent");
	if (!made)
		skip();
}
