/* test_trained_models.c: layers of trained models on token ids, against the numbers that the library's own
 * code computes from the same files, in double. Random weights; families as in tests/data/models. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_tensors.h"
#include "posviz/base/strbuf.h"

FIXTURE(cli_enter, cli_leave)

static const char *const models[] = {"bert-bare",  "gpt2",  "qwen3",   "gemma2",
				     "phi3",	   "glm4",  "cohere2", "t5-encoder",
				     "deberta-v2", "bloom", "falcon"};
static const double allowed = 1e-10;

static const char *path_of(struct arena *a, const char *model)
{
	return arena_printf(a, "%s/models/%s", test_data, model);
}

static bool ends(const char *name, const char *with)
{
	const size_t n = strlen(name), tail = strlen(with);
	return n >= tail && strcmp(name + n - tail, with) == 0;
}

static bool is_compared(const char *name)
{
	const bool layer = strncmp(name, "layer.", 6) == 0;
	return strcmp(name, "embeddings") == 0 || strcmp(name, "last_hidden_state") == 0 ||
	       (layer &&
		(ends(name, ".output") || ends(name, ".logits") || ends(name, ".weights")));
}

/* Returns what the reference adds to all logits of row t. ALiBi's bias is m·s there and −m (t − s)
 * here: these differ by a number for each row, which softmax removes. */
static double of_row(const struct tensor_set *ref, const char *name, size_t t)
{
	const struct tensor *const slopes = tensor_find(ref, "alibi.slopes");
	size_t layer, head;
	if (!slopes || !ends(name, ".logits") ||
	    sscanf(name, "layer.%zu.head.%zu.logits", &layer, &head) != 2)
		return 0;
	return slopes->at[head] * (double)t;
}

static double difference(const struct tensor_set *ref, const struct tensor *want,
			 const struct tensor *got)
{
	const struct mat x = tensor_mat(want), y = tensor_mat(got);
	double worst = 0;
	assert_int_equal(x.rows, y.rows);
	assert_int_equal(x.cols, y.cols);
	for (size_t t = 0; t < x.rows; t++)
		for (size_t s = 0; s < x.cols; s++) {
			const double by = fabs(mat_row(y, t)[s] + of_row(ref, want->name, t) -
					       mat_row(x, t)[s]);
			worst = by <= worst ? worst : by; /* NaN is worse than any */
		}
	return worst;
}

static const char *ids_of(const struct tensor_set *ref, struct arena *a)
{
	const struct tensor *const ids = cli_tensor(ref, "input_ids");
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < ids->shape[0]; i++)
		strbuf_printf(&out, "%s%.0f", i ? " " : "", ids->at[i]);
	return out.at;
}

static void compare_model(const char *model)
{
	struct arena a;
	struct tensor_set ref, got;
	struct err err = {""};
	size_t n = 0;
	double worst = 0;
	arena_init(&a);
	tensor_set_init(&ref, &a);
	const char *const dir = path_of(&a, model);
	if (!help_tensors(&ref, arena_printf(&a, "%s/reference.safetensors", dir), &err))
		fail_msg("%s", err.text);
	cli_good(&(struct cli_case){
		.args = {"dump", dir, "--ids", ids_of(&ref, &a), "-o", "got.safetensors"}});
	cli_tensors("got.safetensors", &a, &got);
	for (size_t i = 0; i < ref.count; i++) {
		const struct tensor *const want = &ref.tensors[i];
		if (!is_compared(want->name))
			continue;
		const double by = difference(&ref, want, cli_tensor(&got, "%s", want->name));
		worst = by <= worst ? worst : by;
		n++;
	}
	if (n < 10 || !(worst <= allowed))
		fail_msg("%s: %zu tensors, largest difference %g", model, n, worst);
	cli_remove("got.safetensors");
	arena_release(&a);
}

TEST(layers_are_those_of_the_library)
{
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		compare_model(models[i]);
}

TEST(what_cannot_be_computed_is_refused_in_one_line)
{
	struct arena a;
	arena_init(&a);
	const char *const bert = path_of(&a, "bert-bare");
	const struct {
		const char *args[8], *says;
	} rows[] = {
		{{"dump", bert, "--ids", "1 92", "-o", "x.npz"}, "id 92: there are 92"},
		{{"dump", bert, "--ids", "1 two", "-o", "x.npz"}, "ids: "},
		{{"dump", "rope", "--ids", "1 2", "-o", "x.npz"}, "--checkpoint DIR"},
		{{"dump", bert, "--ids", "1 2", "--layers", "9", "-o", "x.npz"}, "layers: 9"},
		{{"dump", bert, "--ids", "1 2", "--heads", "4", "-o", "x.npz"}, "heads: 4"},
		{{"dump", bert, "--ids", "1 2", "--special", "cls,sep", "-o", "x.npz"}, "special"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
	arena_release(&a);
}
