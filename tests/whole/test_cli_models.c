/* test_cli_models.c: models as others write them, given to the program. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"
#include "help_cli.h"
#include "help_files.h"
#include "help_gguf.h"
#include "help_tensors.h"

FIXTURE(cli_enter, cli_leave)

/* Dumps learned positions of a seed; returns its parameters. */
static const struct tensor *dumped(const char *seed, const char *params, struct tensor_set *set,
				   struct arena *a)
{
	cli_good(&(struct cli_case){.args = {"dump", "learned", "-s", "a b", "--d-model", "4",
					     "--t-max", "3", "--seed", seed, "--params", params,
					     "-o", "out.safetensors"}});
	cli_tensors("out.safetensors", a, set);
	cli_remove("out.safetensors");
	return cli_tensor(set, "param.learned.p");
}

static void expect_equal(const struct tensor *x, const struct tensor *y, bool equal)
{
	assert_int_equal(x->shape[0], 3);
	assert_int_equal(x->shape[1], 4);
	assert_int_equal(memcmp(x->at, y->at, 12 * sizeof *x->at) == 0, equal);
}

/* A GGUF file with a tensor of F64, of another's numbers. */
static void save_gguf(const struct tensor *t, struct arena *a)
{
	enum { F64 = 28 };
	struct gguf_maker m;
	gguf_begin(&m, a, 3, 1, 0);
	gguf_tensor(&m, "learned.p", (const uint64_t[]){4, 3, 0}, F64, 0);
	gguf_pad(&m, 32);
	for (size_t i = 0; i < 12; i++) {
		uint64_t bits;
		memcpy(&bits, &t->at[i], sizeof bits);
		gguf_add(&m, bits, 8);
	}
	help_write("m.gguf", m.at, m.len);
}

/* What one seed drew comes with another seed out of a model. */
TEST(parameters_come_out_of_directories_and_gguf)
{
	struct arena a;
	struct tensor_set first, other, again;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "learned", "-s", "a b", "--d-model", "4",
					     "--t-max", "3", "-o", "model.safetensors"}});
	mkdir("m", 0700);
	assert_int_equal(rename("model.safetensors", "m/model.safetensors"), 0);
	const struct tensor *const drawn = dumped("7", "", &first, &a);
	const struct tensor *const given = dumped("7", "m", &other, &a);
	expect_equal(drawn, given, false);
	save_gguf(given, &a);
	expect_equal(dumped("8", "m.gguf", &again, &a), given, true);
	cli_remove("m.gguf");
	cli_remove("m/model.safetensors");
	remove("m");
	arena_release(&a);
}

TEST(models_that_are_not_read_are_a_line)
{
	static const struct {
		const char *file, *text, *part;
	} rows[] = {
		{"x.safetensors", "version https://git-lfs.github.com/spec/v1\n",
		 "\"x.safetensors\": a pointer of Git LFS that stands for the file; git lfs pull "
		 "fetches it"},
		{"x.gguf", "GGUF\1", "\"x.gguf\": the file ends here; it is not whole"},
		{"x.gguf", "GGML", "\"x.gguf\": it does not begin with GGUF"},
		{"x.json", "{\"weight_map\":{\"a\":\"../a\"}}",
		 "\"x.json\": tensor \"a\": the file \"../a\""},
		{"x.json", "{\"weight_map\":{\"a\":\"none.safetensors\"}}",
		 "\"x.json\": 1 of its 1 files is missing, \"none.safetensors\"; download it"},
	};
	static const char *const options[] = {"--params", "--weights", "--units"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		help_write_text(rows[i].file, rows[i].text);
		for (size_t k = 0; k < 3; k++)
			cli_expect(&(struct cli_case){.args = {"show", "learned", options[k],
							       rows[i].file}},
				   2, "", rows[i].part);
		cli_remove(rows[i].file);
	}
}

/* ---- models beside each other ---------------------------------------------------------------- */

static const char far[] =
	"{\"model_type\": \"llama\", \"hidden_size\": 32, \"num_hidden_layers\": 2, "
	"\"num_attention_heads\": 2, \"intermediate_size\": 64, \"vocab_size\": 50, "
	"\"max_position_embeddings\": 256, \"rope_theta\": 77000.0}";
static const char near[] =
	"{\"model_type\": \"bloom\", \"hidden_size\": 48, \"n_layer\": 3, \"n_head\": 3, "
	"\"vocab_size\": 50}";

static void compare(struct cli_result *r, const char *const args[])
{
	struct cli_case c = {.args = {"render", "--plain"}};
	for (size_t i = 0; args[i]; i++)
		c.args[i + 2] = args[i];
	cli_run(r, &c);
	if (r->code != 0)
		fail_msg("%s", r->err);
}

/* Each line says the names of both models, and the sizes of both; a scheme has those of the model beside it. */
TEST(models_are_compared_by_their_expressions)
{
	static const struct {
		const char *args[6], *first, *second, *sizes;
	} cases[] = {
		{{"far.json", "near.json"}, "1 far", "2 near", "d 32 and 48"},
		{{"near.json", "far.json"}, "1 near", "2 far", "d 48 and 32"},
		{{"alibi", "far.json"}, "1 alibi", "2 far", "d 32,"},
		{{"far.json", "near.json", "--d-model", "64"}, "1 far", "2 near", "d 64 and 48"},
		{{"far.json", "--compare", "near.json", "--view", "compare"},
		 "1 far",
		 "2 near",
		 "d 32 and 48"},
		{{"far.json", "-c", "compare near.json", "-c", "view compare"},
		 "1 far",
		 "2 near",
		 "d 32 and 48"},
	};
	cli_write("far.json", far, strlen(far));
	cli_write("near.json", near, strlen(near));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cli_result r;
		compare(&r, cases[i].args);
		if (!strstr(r.out, cases[i].first) || !strstr(r.out, cases[i].second) || *r.err ||
		    !strstr(r.out, cases[i].sizes))
			fail_msg("case %zu: %s%s", i, r.err, r.out);
		cli_done(&r);
	}
	cli_expect(&(struct cli_case){.args = {"check", "--same", "near.json", "alibi+causal"}}, 0,
		   "the same", "");
	cli_expect(&(struct cli_case){.args = {"check", "--same", "near.json", "far.json"}}, 1,
		   "not the same", "sizes of");
	cli_refuse(&(struct cli_case){.args = {"render", "far.json", "--compare", "none.json",
					       "--view", "compare"}},
		   "none.json");
}
