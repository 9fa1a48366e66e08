/* test_trained_models.c: layers of trained models on token ids, against the numbers that the library's own
 * code computes from the same files, in double. Random weights; families as in tests/data/models. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_tensors.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"

FIXTURE(cli_enter, cli_leave)

static const struct trained {
	const char *model;
	double allowed;	   /* 0: 1e-10 */
	const char *stack; /* NULL: the encoder, or the only one */
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
	{"olmo2"},
	{"gpt-oss"},
	{"deepseek-v3"},
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
	{"made/olmo3"},
	{"made/mixtral"},
	{"made/qwen2_moe"},
	{"made/qwen3_moe"},
	{"made/gguf/mixtral.gguf"}, /* by made_gguf.py */
	{"made/gguf/qwen2_moe.gguf"},
	{"made/gguf/qwen3_moe.gguf"},
	{"made/gguf/gpt-oss.gguf"},
	{"made/gguf/gpt_oss_blocks.gguf"},
	{"made/gguf/deepseek_v2.gguf"},
	{"made/gguf/deepseek_v3.gguf"},
	{"made/gguf/deepseek-v3.gguf"},
	{"made/deepseek_v3"},
	{"made/deepseek_v2"},
	{"made/electra_small"},
	{"made/albert"},
	{"made/mbart"},
	{"made/cohere_norm"},
	{"made/llama4"},
	{"made/xlnet"},
	{"made/gpt_oss_blocks"},
	{"made/t5"},
	{"made/t5", .stack = "decoder"},
	{"made/t5", .stack = "cross"},
	{"made/bart_whole"},
	{"made/bart_whole", .stack = "decoder"},
	{"made/bart_whole", .stack = "cross"},
	{"made/mbart_whole", .stack = "decoder"},
	{"made/mbart_whole", .stack = "cross"},
};

static const char *path_of(struct arena *a, const char *model)
{
	return arena_printf(a, "%s/models/%s", test_data, model);
}

/* Returns the path of the numbers: within a directory, beside a file. */
static const char *reference_of(struct arena *a, const char *model, const char *stack)
{
	const char *const path = path_of(a, model);
	const size_t len = strlen(path), tail = strlen(".gguf");
	const bool file = strcmp(path + len - tail, ".gguf") == 0;
	return arena_printf(a, "%.*s%c%s.safetensors", (int)(file ? len - tail : len), path,
			    file ? '.' : '/', stack ? stack : "reference");
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

/* Gives the ids of the reference, or a text that the model's own tokenizer turns into them. */
static void compare_model(const struct trained *of, const char *text)
{
	const char *const model = of->model;
	const double allowed = of->allowed > 0 ? of->allowed : 1e-10;
	struct arena a;
	struct tensor_set ref, got;
	struct err err = {""};
	size_t n = 0;
	double worst = 0;
	arena_init(&a);
	tensor_set_init(&ref, &a);
	const char *const dir = path_of(&a, model);
	if (!help_tensors(&ref, reference_of(&a, model, of->stack), &err))
		fail_msg("%s", err.text);
	const struct tensor *const three = tensor_find(&ref, "position_ids");
	const struct tensor *const source = tensor_find(&ref, "source_ids");
	const char *const ids = list_of(cli_tensor(&ref, "input_ids"), &a);
	cli_good(&(struct cli_case){.args = {"dump", dir, text ? "--sentence" : "--ids",
					     text ? text : ids, "-o", "got.safetensors",
					     three    ? "--position-ids"
					     : source ? "--source-ids"
						      : NULL,
					     three    ? list_of(three, &a)
					     : source ? list_of(source, &a)
						      : NULL,
					     source ? "--stack" : NULL, of->stack}});
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
		fail_msg("%s %s: %zu tensors, largest difference %g", model,
			 of->stack ? of->stack : "", n, worst);
	cli_remove("got.safetensors");
	arena_release(&a);
}

TEST_IN_PARTS(layers_are_those_of_the_library, 3)
{
	for (size_t i = test_part; i < sizeof models / sizeof *models; i += test_parts)
		compare_model(&models[i], NULL);
}

/* A text behind a model is cut by its tokenizer, and its layers are computed. */
TEST(layers_on_a_text_are_those_of_the_library)
{
	static const struct trained own[] = {
		{"bert-bare"}, {"bert-legacy"}, {"gpt2"},	    {"llama3"},
		{"bloom"},     {"gpt-neox"},	{"roformer", 1e-6}, {"gguf/gpt2-f16.gguf"}};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		compare_model(&own[i], "the cat that the dog chased fell asleep .");
}

/* A model takes one text: of more it is said how a pair is written. Map and other views show several models. */
TEST(several_arguments_behind_a_model_are_told)
{
	struct arena a;
	arena_init(&a);
	const char *const gpt2 = path_of(&a, "gpt2"), *const bert = path_of(&a, "bert-bare");
	const struct cli_case texts = {.args = {"render", gpt2, "a b", "c d", "--format", "txt"}};
	const struct cli_case models_of = {
		.args = {"render", gpt2, bert, "--view", "terms", "--format", "txt"}};
	cli_refuse(&texts, "a pair is one argument, parted by |||: 'a b ||| c d'");
	cli_refuse(&models_of, "compare, cost, values, lengths, map and profile show several");
	arena_release(&a);
}

/* Returns the largest difference of the last hidden states that two dumps have. */
static double of_states(const char *const *first, const char *const *second)
{
	struct arena a;
	struct tensor_set x, y;
	struct cli_case c = {0};
	arena_init(&a);
	memcpy(c.args, first, 8 * sizeof *first);
	cli_good(&c);
	cli_tensors("x.safetensors", &a, &x);
	memcpy(c.args, second, 8 * sizeof *second);
	cli_good(&c);
	cli_tensors("y.safetensors", &a, &y);
	const double by = difference(&x, cli_tensor(&x, "last_hidden_state"),
				     cli_tensor(&y, "last_hidden_state"));
	cli_remove("x.safetensors");
	cli_remove("y.safetensors");
	arena_release(&a);
	return by;
}

/* An order moves real tokens, and leaves those of the frame where they are; a pair has segments, and
 * ids from a file are the same ids. */
TEST(tokens_of_a_text_are_the_same_as_their_ids)
{
	struct arena a;
	arena_init(&a);
	const char *const bert = path_of(&a, "bert-bare");
	const char *const turned[] = {"dump",	 bert,	  "--sentence", "the cat that",
				      "--order", "3 1 2", "-o",		"x.safetensors"};
	const char *const ids[] = {"dump",	    bert, "--ids", "2 50 48 49 3", "-o",
				   "y.safetensors", NULL, NULL};
	const char *const pair[] = {"dump", bert, "the cat ||| that", "-o", "x.safetensors", NULL,
				    NULL,   NULL};
	const char *const parted[] = {"dump",	    bert,	   "--ids", "2 48 49 3 50 3",
				      "--segments", "0 0 0 0 1 1", "-o",    "y.safetensors"};
	const char *const file[] = {"dump", bert, "--token-file", "./ids", "-o", "x.safetensors",
				    NULL,   NULL};
	cli_write("ids", "[2, 50,\n48, 49, 3]\n", 19);
	assert_true(of_states(turned, ids) < 1e-14);
	assert_true(of_states(pair, parted) < 1e-14);
	assert_true(of_states(file, ids) < 1e-14);
	cli_remove("ids");
	arena_release(&a);
}

/* Another expression in the place of a model's own takes of its files what it has, and draws the rest. */
TEST(another_expression_takes_what_it_has)
{
	struct arena a;
	arena_init(&a);
	const char *const gpt2 = path_of(&a, "gpt2");
	static const char *const others[] = {"alibi+causal", "shaw+causal", "learned+shaw"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cli_good(
			&(struct cli_case){.args = {"dump", gpt2, "--scheme", others[i], "--tokens",
						    "words", "-o", "x.npz", "--force"}});
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
	const char *const bert = path_of(&a, "bert-bare"), *const t5 = path_of(&a, "made/t5");
	const struct {
		const char *args[10], *says;
	} rows[] = {
		{{"dump", bert, "--ids", "1 92", "-o", "x.npz"}, "id 92: there are 92"},
		{{"dump", bert, "--ids", "1 two", "-o", "x.npz"}, "ids: "},
		{{"dump", arena_printf(&a, "%s/config.json", bert), "--ids", "1 2", "-o", "x.npz"},
		 "a configuration has no weights"},
		{{"dump", "rope", "--ids", "1 2", "-o", "x.npz"}, "--checkpoint DIR"},
		{{"dump", bert,
		  "the the the the the the the the the the the the the the the the the "
		  "the the the the the the",
		  "-o", "x.npz"},
		 "the trained model has no more"},
		{{"dump", bert, "one ||| two ||| three", "-o", "x.npz"}, "a text or two"},
		{{"dump", bert, "the ||| ", "-o", "x.npz"}, "segment 2 is empty"},
		{{"dump", bert, " ", "-o", "x.npz"}, "the sentence is empty"},
		{{"dump", bert, "the \xFF", "-o", "x.npz"}, "not UTF-8 from byte 5"},
		{{"dump", bert, "the cat", "--special", "bos", "-o", "x.npz"}, "special none"},
		{{"dump", bert, "--tree", "(a b)", "-o", "x.npz"}, "tokens words"},
		{{"dump", path_of(&a, "qwen3"), "--tokens", "model", "-o", "x.npz"},
		 "AutoTokenizer.from_pretrained"},
		{{"dump", "rope", "--tokens", "model", "-o", "x.npz"}, "--checkpoint DIR"},
		{{"dump", bert, "--ids", "1 2", "--layers", "9", "-o", "x.npz"}, "layers: 9"},
		{{"dump", bert, "--ids", "1 2", "--heads", "4", "-o", "x.npz"}, "heads: 4"},
		{{"dump", bert, "--ids", "1 2", "--stack", "cross", "-o", "x.npz"},
		 "stack encoder would be right"},
		{{"dump", t5, "--ids", "1 2", "--stack", "cross", "-o", "x.npz"},
		 "--source-ids 'N N ...'"},
		{{"dump", t5, "--ids", "1 2", "--source-ids", "1", "-o", "x.npz"},
		 "stack decoder or cross"},
		{{"dump", t5, "--stack", "decoder", "-o", "x.npz"}, "--ids 'N N ...'"},
		{{"dump", bert, "--ids", "1 2", "--special", "cls,sep", "-o", "x.npz"}, "special"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
	arena_release(&a);
}

/* Returns the place of the numbers of a tensor within a safetensors file. */
static size_t place_of(const char *file, const char *tensor, struct arena *a)
{
	size_t header = 0, begin = 0;
	for (int i = 7; i >= 0; i--)
		header = header << 8 | (unsigned char)file[i];
	const char *const text = arena_strndup(a, file + 8, header);
	const char *const name = strstr(text, arena_printf(a, "\"%s\"", tensor));
	assert_non_null(name);
	assert_int_equal(sscanf(strstr(name, "data_offsets"), "data_offsets\":[%zu", &begin), 1);
	return 8 + header + begin;
}

/* Of products that are made block by block, and of vectors. */
TEST(weight_that_is_not_finite_is_named)
{
	static const struct {
		const char *model, *tensor;
	} rows[] = {
		{"bert-bare", "encoder.layer.0.intermediate.dense.weight"},
		{"bert-bare", "encoder.layer.1.attention.self.query.weight"},
		{"bert-bare", "encoder.layer.0.output.LayerNorm.weight"},
		{"gpt2", "h.0.mlp.c_proj.weight"},
		{"gpt2", "h.1.attn.c_attn.weight"},
	};
	struct arena a;
	arena_init(&a);
	assert_int_equal(mkdir("spoiled", 0777), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const from = path_of(&a, rows[i].model);
		size_t len;
		char *const config = cli_read(arena_printf(&a, "%s/config.json", from), &a, &len);
		cli_write("spoiled/config.json", config, len);
		char *const file =
			cli_read(arena_printf(&a, "%s/model.safetensors", from), &a, &len);
		memcpy(file + place_of(file, rows[i].tensor, &a) + 4, "\0\0\xC0\x7F", 4);
		cli_write("spoiled/model.safetensors", file, len);
		cli_refuse(
			&(struct cli_case){
				.args = {"dump", "./spoiled", "--ids", "1 2 3", "-o", "x.npz"}},
			arena_printf(&a, "\"%s\" has numbers that are not finite", rows[i].tensor));
	}
	cli_remove("spoiled/config.json");
	cli_remove("spoiled/model.safetensors");
	assert_int_equal(rmdir("spoiled"), 0);
	arena_release(&a);
}

/* A model whose tokenizer or layers cannot be had opens all the same, on words, and says why. */
TEST(a_model_opens_without_its_tokenizer)
{
	struct arena a;
	arena_init(&a);
	const char *const from = path_of(&a, "bert-bare");
	static const char *const files[] = {"config.json", "model.safetensors"};
	assert_true(mkdir("m", 0700) == 0);
	for (size_t i = 0; i < 2; i++) {
		struct err err = {""};
		char *data;
		size_t len;
		assert_true(file_read(arena_printf(&a, "%s/%s", from, files[i]), 1 << 24, &a, &data,
				      &len, &err));
		cli_write(arena_printf(&a, "m/%s", files[i]), data, len);
	}
	static const char bad[] = "{\"model\": {\"type\": \"Letters\"}}";
	cli_good(&(struct cli_case){.args = {"dump", "m", "two words", "-o", "x.npz"}});
	cli_write("m/tokenizer.json", bad, strlen(bad));
	cli_good(&(struct cli_case){.args = {"dump", "m", "two words", "-o", "x.npz", "--force"}});
	cli_refuse(&(struct cli_case){.args = {"dump", "m", "two words", "--tokens", "model", "-o",
					       "y.npz"}},
		   "type \"Letters\" is not known");
	cli_remove("x.npz");
	cli_remove("m/tokenizer.json");
	for (size_t i = 0; i < 2; i++)
		cli_remove(arena_printf(&a, "m/%s", files[i]));
	assert_true(rmdir("m") == 0);
	arena_release(&a);
}
