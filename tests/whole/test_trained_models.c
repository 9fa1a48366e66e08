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

static const struct {
	const char *model;
	double allowed; /* 0: 1e-10 */
} models[] = {
	{"bert-bare"},
	{"bert-legacy"},
	{"gpt2"},
	{"llama3"},
	{"qwen3"},
	{"qwen2-vl"},
	{"gemma2"},
	{"gemma3"},
	{"phi3"},
	{"glm4"},
	{"smollm3"},
	{"cohere2"},
	{"gpt-neox"},
	{"modernbert"},
	{"t5-encoder"},
	{"deberta-v2"},
	{"bloom"},
	{"falcon"},
	{"roformer", 1e-6}, /* its file has the sines in single precision; they are computed here */
	{"gguf/gpt2-f16.gguf"},
	{"gguf/qwen3-bf16.gguf"},
	{"gguf/llama-q8_0.gguf"},
	/* Made by made.py, beside them. */
	{"made/electra"},
	{"made/roberta"},
	{"made/distilbert"},
	{"made/bart"},
	{"made/opt"},
	{"made/gptj"},
	{"made/mpt"},
	{"made/phi"},
	{"made/mistral"},
	{"made/qwen2"},
	{"made/stablelm"},
	{"made/stablelm-parallel"},
	{"made/starcoder2"},
	{"made/cohere"},
	{"made/glm"},
};

static const char *path_of(struct arena *a, const char *model)
{
	return arena_printf(a, "%s/models/%s", test_data, model);
}

/* Returns the path of the numbers: within a directory, beside a file. */
static const char *reference_of(struct arena *a, const char *model)
{
	const char *const path = path_of(a, model);
	const size_t len = strlen(path), tail = strlen(".gguf");
	const bool file = strcmp(path + len - tail, ".gguf") == 0;
	return arena_printf(a, "%.*s%s", (int)(file ? len - tail : len), path,
			    file ? ".reference.safetensors" : "/reference.safetensors");
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

/* Returns the numbers of a tensor, "101 7592 102", with a semicolon behind each row but the last. */
static const char *list_of(const struct tensor *t, struct arena *a)
{
	const struct mat m = tensor_mat(t);
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		strbuf_printf(&out, "%s%.0f", !i ? "" : i % m.cols ? " " : "; ", m.at[i]);
	return out.at;
}

static void compare_model(const char *model, double allowed)
{
	struct arena a;
	struct tensor_set ref, got;
	struct err err = {""};
	size_t n = 0;
	double worst = 0;
	arena_init(&a);
	tensor_set_init(&ref, &a);
	const char *const dir = path_of(&a, model);
	if (!help_tensors(&ref, reference_of(&a, model), &err))
		fail_msg("%s", err.text);
	const struct tensor *const three = tensor_find(&ref, "position_ids");
	cli_good(&(struct cli_case){.args = {"dump", dir, "--ids",
					     list_of(cli_tensor(&ref, "input_ids"), &a), "-o",
					     "got.safetensors", three ? "--position-ids" : NULL,
					     three ? list_of(three, &a) : NULL}});
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

TEST_IN_PARTS(layers_are_those_of_the_library, 3)
{
	for (size_t i = test_part; i < sizeof models / sizeof *models; i += test_parts)
		compare_model(models[i].model, models[i].allowed > 0 ? models[i].allowed : 1e-10);
}

/* Another expression in the place of a model's own takes of its files what it has, and draws the rest. */
TEST(another_expression_takes_what_it_has)
{
	struct arena a;
	arena_init(&a);
	const char *const gpt2 = path_of(&a, "gpt2");
	static const char *const others[] = {"alibi+causal", "shaw+causal", "learned+shaw"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cli_good(&(struct cli_case){
			.args = {"dump", gpt2, "--scheme", others[i], "-o", "x.npz", "--force"}});
	cli_good(&(struct cli_case){.args = {"dump", gpt2, "--scheme", "alibi+causal", "--ids",
					     "1 2", "-o", "x.npz", "--force"}});
	cli_refuse(&(struct cli_case){.args = {"dump", gpt2, "--scheme", "shaw+causal", "--ids",
					       "1 2", "-o", "y.npz"}},
		   "is not read from its files");
	cli_remove("x.npz");
	arena_release(&a);
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
