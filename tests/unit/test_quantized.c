/* test_quantized.c: quantization_config, and the names of the tensors that it speaks of. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/family/family.h"
#include "posviz/format/tensor.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

#define SIZES                                                                         \
	"{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 1, " \
	"\"num_attention_heads\": 4, \"max_position_embeddings\": 128"

/* Makes the directory "model" with this configuration and tensors of these names, whole numbers. */
static const struct known *know(const char *quantized, const char *const *names)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	const char *const text =
		arena_printf(&arena, SIZES "%s%s}", *quantized ? ", " : "", quantized);
	struct tensor_set set;
	struct err err = {""};
	char *data;
	size_t len;
	tensor_set_init(&set, &arena);
	for (; *names; names++) {
		const struct mat m = mat_zero(&arena, 2, 2);
		tensor_set_add(&set, *names, m, false);
		set.tensors[set.count - 1].integer = strstr(*names, "norm") == NULL;
	}
	assert_true(tensor_write_safetensors(&set, &arena, &data, &len, &err));
	mkdir("model", 0700);
	cli_write("model/config.json", text, strlen(text));
	cli_write("model/model.safetensors", data, len);
	if (!family_read("model", &arena, k, &err))
		fail_msg("%s", err.text);
	unlink("model/config.json");
	unlink("model/model.safetensors");
	rmdir("model");
	return k;
}

#define LAYER "model.layers.0.self_attn.q_proj"
static const char *const packed[] = {LAYER ".qweight", LAYER ".qzeros", "model.norm.weight", NULL};
static const char *const halves[] = {LAYER ".weight", LAYER ".weight.absmax", NULL};
static const char *const eights[] = {LAYER ".weight", LAYER ".SCB", NULL};
static const char *const whole[] = {LAYER ".weight", "model.norm.weight", NULL};
static const char *const scaled[] = {LAYER ".weight", LAYER ".weight_scale_inv", NULL};

static const struct row {
	const char *config;
	const char *const *names;
	bool wrong;
	const char *key, *says, *right;
} rows[] = {
	{"\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128}",
	 packed, false, "quantization_config", "GPTQ, 4 bits in groups of 128: packed weights",
	 NULL},
	{"\"quantization_config\": {\"quant_method\": \"awq\", \"w_bit\": 4, \"q_group_size\": 64}",
	 packed, false, "quantization_config", "AWQ, 4 bits in groups of 64", NULL},
	{"\"quantization_config\": {\"load_in_4bit\": true}", halves, false, "quantization_config",
	 "bitsandbytes, 4 bits: packed weights", NULL},
	{"\"quantization_config\": {\"quant_method\": \"bitsandbytes\", \"load_in_8bit\": true}",
	 eights, false, "quantization_config", "model.dequantize()", NULL},
	{"\"quantization_config\": {\"quant_method\": \"fp8\"}", scaled, false,
	 "quantization_config", "FP8: packed weights are not read", NULL},
	{"\"quantization_config\": {\"quant_method\": \"later\"}", whole, false,
	 "quantization_config", "\"later\", which is not known here", NULL},
	/* What does not fit. */
	{"\"quantization_config\": {\"quant_method\": \"gptq\"}", whole, true,
	 "quantization_config", "no tensor of the files is packed so: none has .qweight",
	 "\"quantization_config\": null"},
	{"", packed, true, LAYER ".qweight", "the configuration has no quantization_config",
	 "\"quant_method\": \"gptq\""},
	{"", halves, true, LAYER ".weight.absmax", "packed as by bitsandbytes",
	 "\"quant_method\": \"bitsandbytes\""},
	{"\"quantization_config\": {}", whole, true, "quantization_config",
	 "does not say how weights are packed", "\"quant_method\""},
	{"\"quantization_config\": 4", whole, true, "quantization_config",
	 "an object with quant_method", "\"quantization_config\": null"},
};

TEST(each_method_is_a_line_and_its_files_are_looked_at)
{
	for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
		const struct known *const k = know(r->config, r->names);
		const struct remark *found = NULL;
		for (size_t i = 0; i < k->n_remarks; i++)
			if (strcmp(k->remarks[i].key, r->key) == 0 &&
			    k->remarks[i].wrong == r->wrong && strstr(k->remarks[i].says, r->says))
				found = &k->remarks[i];
		if (!found || (r->right && (!found->right || !strstr(found->right, r->right))))
			fail_msg("%s, %s: %s", r->config, r->names[0],
				 k->n_remarks ? k->remarks[k->n_remarks - 1].says : "nothing");
		if ((known_wrong(k) > 0) != r->wrong)
			fail_msg("%s, %s: %zu wrong", r->config, r->names[0], known_wrong(k));
	}
	assert_int_equal(know("", whole)->n_remarks, 0);
}
