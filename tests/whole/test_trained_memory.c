/* test_trained_memory.c: a trained model takes the memory of a block of its weights and not of all, as is
 * estimated before. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_peak.h"
#include "posviz/app/app.h"
#include "posviz/base/rng.h"
#include "posviz/format/tensor.h"

FIXTURE(cli_enter, cli_leave)

enum { D = 192, FF = 4 * D, LAYERS = 8, WORDS = 50, TOKENS = 32 };

static void add(struct tensor_set *set, const char *name, size_t rows, size_t cols, struct rng *rng)
{
	const struct mat m = mat_new(set->arena, rows ? rows : 1, cols);
	mat_fill_normal(m, 0.02, rng);
	tensor_set_add(set, name, m, rows == 0);
}

/* Writes BERT's layers, 3.5 million numbers in double precision. */
static void write_layers(struct tensor_set *set, struct rng *rng)
{
	static const struct {
		const char *name;
		size_t rows, cols;
	} rows[] = {{"attention.self.query", D, D},	  {"attention.self.key", D, D},
		    {"attention.self.value", D, D},	  {"attention.output.dense", D, D},
		    {"intermediate.dense", FF, D},	  {"output.dense", D, FF},
		    {"attention.output.LayerNorm", 0, D}, {"output.LayerNorm", 0, D}};
	for (size_t i = 0; i < LAYERS * sizeof rows / sizeof *rows; i++) {
		const size_t at = i % (sizeof rows / sizeof *rows);
		const char *const name =
			arena_printf(set->arena, "encoder.layer.%zu.%s",
				     i / (sizeof rows / sizeof *rows), rows[at].name);
		add(set, arena_printf(set->arena, "%s.weight", name), rows[at].rows, rows[at].cols,
		    rng);
		add(set, arena_printf(set->arena, "%s.bias", name), 0,
		    rows[at].rows ? rows[at].rows : D, rng);
	}
}

static void write_model(void)
{
	struct arena a;
	struct tensor_set set;
	struct rng rng;
	struct err err;
	char *data;
	size_t len;
	arena_init(&a);
	rng_init(&rng, 1);
	tensor_set_init(&set, &a);
	add(&set, "embeddings.word_embeddings.weight", WORDS, D, &rng);
	add(&set, "embeddings.position_embeddings.weight", 64, D, &rng);
	add(&set, "embeddings.token_type_embeddings.weight", 2, D, &rng);
	add(&set, "embeddings.LayerNorm.weight", 0, D, &rng);
	add(&set, "embeddings.LayerNorm.bias", 0, D, &rng);
	write_layers(&set, &rng);
	assert_true(tensor_write_safetensors(&set, &a, &data, &len, &err));
	assert_int_equal(mkdir("large", 0700), 0);
	cli_write("large/model.safetensors", data, len);
	static const char config[] =
		"{\"model_type\": \"bert\", \"hidden_size\": 192, \"num_hidden_layers\": 8, "
		"\"num_attention_heads\": 6, \"intermediate_size\": 768, \"vocab_size\": 50, "
		"\"max_position_embeddings\": 64, \"type_vocab_size\": 2, "
		"\"hidden_act\": \"gelu\", \"layer_norm_eps\": 1e-12}";
	cli_write("large/config.json", config, strlen(config));
	arena_release(&a);
}

static void remove_model(void)
{
	cli_remove("large/model.safetensors");
	cli_remove("large/config.json");
	assert_int_equal(rmdir("large"), 0);
}

static void open_model(struct scene *scene, struct arena *a)
{
	struct err err = {""};
	const char *said, *ids = "";
	for (size_t i = 0; i < TOKENS; i++)
		ids = arena_printf(a, "%s%zu ", ids, i * 7 % WORDS);
	scene_init(scene);
	if (!app_configuration(scene, "./large", a, &said, &err) ||
	    !scene_set(scene, field_find("ids"), ids, &err))
		fail_msg("%s", err.text);
}

/* In a child: what it took above the estimate, in units of 100 kB. */
static int taken_above(const struct want *want)
{
	const pid_t child = fork();
	if (child == 0) {
		struct arena a;
		struct scene scene;
		struct built b;
		struct trace trace;
		struct err err;
		arena_init(&a);
		open_model(&scene, &a);
		/* What of the libraries is touched for the first time is no evaluation's: its own
		 * memory goes back. */
		const struct want first = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
		bool ok = evaluate(&scene.setup, &first, NULL, NULL, &a, &b, &trace, &err);
		const double estimate = (double)model_estimate(&b.model, &b.model_input, want);
		const size_t before = help_peak_from_here();
		ok = ok && built_run(&b, &b.model_input, want, NULL, NULL, &a, &trace, &err);
		const double taken = (double)(help_peak() - before);
		_exit(ok ? (int)fmin(250, fmax(0, taken - estimate) / 1e5) : 255);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The layers' weights are 28 MB as doubles; the estimate of a pass is a fraction of that. */
TEST(a_pass_takes_no_more_than_a_block_of_weights)
{
	static const struct want wants[] = {
		{.kinds = WANT_OUTPUT, .layer = -1, .head = -1},
		{.kinds = WANT_WEIGHTS | WANT_BIAS, .layer = LAYERS - 1, .head = 0},
	};
	struct arena a;
	struct scene scene;
	struct built b;
	struct err err;
	arena_init(&a);
	write_model();
	open_model(&scene, &a);
	assert_true(setup_build(&scene.setup, &a, &b, &err));
	for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
		const size_t estimate = model_estimate(&b.model, &b.model_input, &wants[i]);
		assert_true(estimate < 10e6);
		/* The kernel may give a page of 2 MB, and a thread may touch its buffer for
		 * products for the first time. */
		const int above = taken_above(&wants[i]);
		if (PEAK_IS_OWN && above > 50)
			fail_msg("want %zu: %.1f MB above %zu bytes", i, above / 10.0, estimate);
	}
	remove_model();
	arena_release(&a);
}

/* Before any work, in a line that says what would fit. */
TEST(too_large_a_picture_says_what_would_fit)
{
	write_model();
	cli_refuse(&(struct cli_case){.args = {"dump", "./large", "--ids", "1 2 3 4 5 6 7 8",
					       "--memory", "5M", "-o", "x.npz"}},
		   "shorten the input, or take");
	remove_model();
}
