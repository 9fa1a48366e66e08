/* test_family_defects.c: mistakes that people make, put one by one into a configuration of every family in
 * which they can occur: each is found, and the line that would be right is given. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/family/family.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"

FIXTURE(open_arena, close_arena)

/* ---- the families ---------------------------------------------------------------------------------- */

enum {
	ROTATES = 1 << 0,  /* by rope_theta, and scaled by rope_scaling */
	FLAT = 1 << 1,	   /* one object for all layers */
	LOCAL = 1 << 2,	   /* a base of its own for layers with a window */
	SECTIONS = 1 << 3, /* mrope_section */
	NO_ROPE = 1 << 4,  /* no_rope_layers */
	INSIDE = 1 << 5,   /* keys in text_config */
	IDLE = 1 << 6,	   /* rope_scaling has no effect */
	WHOLE = 1 << 7,	   /* heads rotate as a whole */
	GROUPS = 1 << 8,   /* num_key_value_heads */
	TYPES = 1 << 9,	   /* layer_types */
	YARN_ONLY = 1 << 10,
};
#define LLAMA ROTATES | FLAT | WHOLE | GROUPS | TYPES

#define SIZES                                                                            \
	"\"hidden_size\": 2048, \"num_hidden_layers\": 4, \"num_attention_heads\": 32, " \
	"\"max_position_embeddings\": 4096"
#define N_SIZES "\"n_embd\": 256, \"n_layer\": 4, \"n_head\": 4, \"n_positions\": 1024"

/* A file of tests/data/models/configs, or a text. */
static const struct base {
	const char *is;
	unsigned traits;
} bases[] = {
	{"llama2.json", LLAMA},
	{"llama31.json", LLAMA},
	{"mistral-v01.json", LLAMA},
	{"qwen25-yarn.json", LLAMA},
	{"qwen3-v5.json", LLAMA},
	{"gemma2-27b.json", LLAMA},
	{"smollm3.json", LLAMA | NO_ROPE},
	{"command-r7b.json", LLAMA},
	{"gpt-oss-20b.json", LLAMA},
	{"phi3-su.json", ROTATES | FLAT | GROUPS | TYPES},
	{"pythia.json", ROTATES | FLAT},
	{"deepseek-v3.json", ROTATES | FLAT | WHOLE | YARN_ONLY},
	{"gemma3-1b.json", ROTATES | LOCAL | GROUPS | TYPES},
	{"gemma3-4b.json", ROTATES | INSIDE | GROUPS | TYPES},
	{"llama4-scout.json", LLAMA | NO_ROPE | INSIDE},
	{"qwen2-vl.json", LLAMA | SECTIONS},
	{"qwen25-vl-v5.json", LLAMA | SECTIONS | INSIDE},
	{"modernbert-base.json", LOCAL | TYPES},
	{"gpt-j.json", IDLE},
	{"falcon-rw.json", IDLE},
	{"mpt-7b.json", IDLE},
	{"t5-base.json", IDLE},
	{"deberta-v3.json", IDLE},
	{"{\"model_type\": \"mixtral\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"starcoder2\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"qwen2_moe\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"qwen3_moe\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"gemma\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"phi\", " SIZES "}", ROTATES | FLAT | GROUPS | TYPES},
	{"{\"model_type\": \"stablelm\", " SIZES "}", ROTATES | FLAT | GROUPS | TYPES},
	{"{\"model_type\": \"cohere\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"glm\", " SIZES "}", ROTATES | FLAT | GROUPS | TYPES},
	{"{\"model_type\": \"glm4\", " SIZES "}", ROTATES | FLAT | GROUPS | TYPES},
	{"{\"model_type\": \"olmo2\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"olmo3\", " SIZES "}", LLAMA},
	{"{\"model_type\": \"deepseek_v2\", " SIZES "}", ROTATES | FLAT | WHOLE | YARN_ONLY},
	{"{\"model_type\": \"falcon\", " SIZES "}", ROTATES | FLAT | WHOLE | TYPES},
	{"{\"model_type\": \"bert\", " SIZES "}", IDLE},
	{"{\"model_type\": \"roberta\", " SIZES "}", IDLE},
	{"{\"model_type\": \"electra\", " SIZES "}", IDLE},
	{"{\"model_type\": \"albert\", " SIZES "}", IDLE},
	{"{\"model_type\": \"distilbert\", \"dim\": 64, \"n_layers\": 2, \"n_heads\": 4}", IDLE},
	{"{\"model_type\": \"gpt2\", " N_SIZES "}", IDLE},
	{"{\"model_type\": \"bloom\", " N_SIZES ", \"hidden_size\": 256}", IDLE},
	{"{\"model_type\": \"opt\", " SIZES "}", IDLE},
	{"{\"model_type\": \"xlm-roberta\", " SIZES "}", IDLE},
	{"{\"model_type\": \"camembert\", " SIZES "}", IDLE},
	{"{\"model_type\": \"mt5\", \"d_model\": 64, \"num_layers\": 2, \"num_heads\": 4}", IDLE},
	{"{\"model_type\": \"bart\", \"d_model\": 64, \"encoder_layers\": 2, "
	 "\"encoder_attention_heads\": 4}",
	 IDLE},
	{"{\"model_type\": \"roformer\", " SIZES "}", IDLE},
	{"{\"model_type\": \"xlnet\", \"d_model\": 64, \"n_layer\": 2, \"n_head\": 4}", IDLE},
};
enum { BASES = sizeof bases / sizeof *bases };

/* ---- editing --------------------------------------------------------------------------------------- */

static const struct json_value *parse(const char *text)
{
	struct err err = {""};
	const struct json_value *const v = json_parse(&arena, text, strlen(text), &err);
	if (!v)
		fail_msg("%s: %s", text, err.text);
	return v;
}

static const struct json_value *read_base(const struct base *b)
{
	char *data;
	size_t len;
	if (*b->is == '{')
		return parse(b->is);
	assert_true(file_read(arena_printf(&arena, "%s/models/configs/%s", test_data, b->is),
			      1 << 20, &arena, &data, &len, NULL));
	return parse(data);
}

/* Returns the object with this member; value NULL: without it. */
static struct json_value *with(const struct json_value *o, const char *name,
			       const struct json_value *value)
{
	struct json_value *const out = arena_calloc(&arena, 1, sizeof *out);
	*out = *o;
	out->count = 0;
	out->as.items = arena_calloc(&arena, o->count + 1, sizeof *out);
	for (size_t i = 0; i < o->count; i++)
		if (strcmp(o->as.items[i].name, name) != 0)
			out->as.items[out->count++] = o->as.items[i];
	if (value) {
		out->as.items[out->count] = *value;
		out->as.items[out->count++].name = name;
	}
	return out;
}

/* Puts the members of `edit`, an object, into the object of the text model; null removes one. Keys that
 * begin with "^" are put beside text_config. */
static const char *edited(const struct json_value *top, bool inside, const char *edit)
{
	const struct json_value *const changes = parse(edit);
	const struct json_value *text = inside ? json_member(top, "text_config") : top;
	const struct json_value *out = top;
	for (size_t i = 0; i < changes->count; i++) {
		const struct json_value *const v = &changes->as.items[i];
		const struct json_value *const put = v->kind == JSON_VALUE_NULL ? NULL : v;
		if (*v->name == '^')
			out = with(out, v->name + 1, put);
		else
			text = with(text, v->name, put);
	}
	return json_value_text(inside ? with(out, "text_config", text) : text, &arena);
}

static struct known *know(const char *text)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	struct err err = {""};
	if (!family_know("test", text, strlen(text), &arena, k, &err))
		fail_msg("%s", err.text);
	return k;
}

/* ---- the defects ----------------------------------------------------------------------------------- */

#define NONE	"\"rope_parameters\": null, \"rope_scaling\": "
#define M	"\"max_position_embeddings\": 32768, \"original_max_position_embeddings\": null, "
#define SECTION "\"mrope_section\": [16, 24, 24]"

static const struct defect {
	unsigned needs, but; /* traits */
	const char *edit;
	const char *key;   /* the end of the remark's key */
	const char *right; /* a part of the line that would be right; NULL: there is none */
} defects[] = {
	/* At the wrong level. */
	{0, 0, "{\"rope_type\": \"dynamic\", \"factor\": 2.0}", "factor",
	 "\"rope_type\": \"dynamic\""},
	{0, 0, "{\"beta_fast\": 31}", "beta_fast", "\"beta_fast\": 31}"},
	{INSIDE, 0, "{\"^rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}}",
	 "rope_scaling", "\"text_config\": {\"rope_scaling\""},
	{INSIDE, 0, "{\"^rope_theta\": 12345.0}", "rope_theta", "\"rope_theta\": 12345"},
	{ROTATES | FLAT, 0,
	 "{" NONE "{\"rope_type\": \"yarn\", \"factor\": 4.0, " SECTION "}, "
	 "\"max_position_embeddings\": 32768, \"original_max_position_embeddings\": 8192}",
	 "original_max_position_embeddings", "\"original_max_position_embeddings\": 8192"},
	{IDLE, 0, "{\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}}",
	 "rope_scaling", "\"rope_scaling\": null"},
	/* Types. */
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"ntk-by-parts\", \"factor\": 2.0, " SECTION "}}",
	 "rope_type", "\"rope_type\": \"yarn\""},
	{ROTATES, 0, "{" NONE "{\"type\": \"lineer\", \"factor\": 2.0, " SECTION "}}", "type",
	 "\"rope_type\": \"linear\""},
	{ROTATES, 0, "{" NONE "{\"factor\": 2.0, " SECTION "}}", "rope_type",
	 "\"rope_type\": \"linear\""},
	{ROTATES, 0, "{" NONE "{\"rope_type\": 4, " SECTION "}}", "rope_type", NULL},
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"default\", \"factor\": 2.0, " SECTION "}}",
	 "factor", "\"rope_type\": \"linear\""},
	{ROTATES, 0, "{" NONE "7}", "rope_scaling", "\"rope_scaling\": null"},
	/* Numbers that are missing, or no numbers. */
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"linear\", " SECTION "}}", "factor",
	 "\"factor\": 2.0"},
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"dynamic\", " SECTION "}}", "factor",
	 "\"factor\": 2.0"},
	{ROTATES, 0,
	 "{" M NONE "{\"rope_type\": \"yarn\", \"original_max_position_embeddings\": 8192, " SECTION
	 "}}",
	 "factor", "\"factor\": 4.0"},
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"yarn\", \"factor\": \"4\", " SECTION "}}",
	 "factor", NULL},
	{ROTATES, 0, "{" NONE "{\"rope_type\": \"linear\", \"factor\": 0.5, " SECTION "}}",
	 "factor", NULL},
	{ROTATES, 0,
	 "{" NONE "{\"rope_type\": \"llama3\", \"factor\": 8.0, \"high_freq_factor\": 4.0, "
	 "\"original_max_position_embeddings\": 1024, " SECTION "}}",
	 "low_freq_factor", "\"low_freq_factor\": 1.0"},
	{ROTATES, 0,
	 "{" M NONE "{\"rope_type\": \"llama3\", \"factor\": 8.0, \"low_freq_factor\": 1.0, "
	 "\"high_freq_factor\": 4.0, " SECTION "}}",
	 "original_max_position_embeddings", "\"original_max_position_embeddings\": 8192"},
	{ROTATES, 0,
	 "{" NONE "{\"rope_type\": \"llama3\", \"factor\": 8.0, \"low_freq_factor\": 4.0, "
	 "\"high_freq_factor\": 1.0, \"original_max_position_embeddings\": 1024, " SECTION "}}",
	 "low_freq_factor", "\"low_freq_factor\": 1, \"high_freq_factor\": 4"},
	{ROTATES, 0,
	 "{" NONE
	 "{\"rope_type\": \"yarn\", \"factor\": 4.0, \"beta_fast\": 1, \"beta_slow\": 32, " SECTION
	 "}}",
	 "beta_fast", "\"beta_fast\": 32, \"beta_slow\": 1"},
	/* A factor that disagrees with the lengths. */
	{ROTATES, 0,
	 "{" M NONE "{\"rope_type\": \"yarn\", \"factor\": 8.0, "
	 "\"original_max_position_embeddings\": 8192, " SECTION "}}",
	 "factor", "\"factor\": 4.0"},
	/* Lists. */
	{ROTATES | FLAT, 0,
	 "{" M NONE "{\"rope_type\": \"longrope\", \"factor\": 4.0, \"short_factor\": [1, 1, 1], "
	 "\"long_factor\": [2, 2, 2], \"original_max_position_embeddings\": 8192, " SECTION "}}",
	 "short_factor", "\"short_factor\": ["},
	{ROTATES | FLAT, 0,
	 "{" M NONE "{\"rope_type\": \"longrope\", \"factor\": 4.0, \"short_factor\": 1, "
	 "\"original_max_position_embeddings\": 8192, " SECTION "}}",
	 "long_factor", "\"long_factor\": ["},
	{SECTIONS, 0, "{" NONE "{\"type\": \"mrope\", \"mrope_section\": [16, 24, 23]}}",
	 "mrope_section", "\"mrope_section\": [16, 24, 24]"},
	{SECTIONS, 0, "{" NONE "{\"type\": \"mrope\", \"mrope_section\": [64]}}", "mrope_section",
	 "\"mrope_section\": [16, 24, 24]"},
	{SECTIONS, 0, "{" NONE "null}", "mrope_section", "\"mrope_section\": [16, 24, 24]"},
	/* Bases. */
	{LOCAL | ROTATES, 0, "{\"rope_theta\": 10000, \"rope_local_base_freq\": 1000000}",
	 "rope_local_base_freq", "\"rope_theta\": 1000000, \"rope_local_base_freq\": 10000"},
	{LOCAL, ROTATES, "{\"global_rope_theta\": 10000, \"local_rope_theta\": 160000}",
	 "local_rope_theta", "\"global_rope_theta\": 160000, \"local_rope_theta\": 10000"},
	{ROTATES | FLAT | WHOLE, SECTIONS,
	 "{\"rope_scaling\": null, \"rope_theta\": 10000, \"rope_parameters\": {\"rope_type\": "
	 "\"default\", \"rope_theta\": 54321.0}}",
	 "rope_theta", "\"rope_theta\": 54321"},
	{ROTATES | FLAT | WHOLE, 0, "{\"rope_theta\": -1}", "rope_theta", NULL},
	{ROTATES | FLAT | WHOLE, 0, "{\"rope_theta\": \"10000\"}", "rope_theta", NULL},
	/* Old and new keys. */
	{ROTATES, 0,
	 "{\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0, " SECTION "}, "
	 "\"rope_parameters\": {\"rope_type\": \"default\", " SECTION "}}",
	 "rope_parameters", "\"rope_scaling\": null"},
	{ROTATES, 0,
	 "{" NONE "{\"rope_type\": \"linear\", \"type\": \"dynamic\", \"factor\": 2.0, " SECTION
	 "}}",
	 "type", "\"type\": \"linear\""},
	{WHOLE, 0, "{\"partial_rotary_factor\": 0.5}", "partial_rotary_factor",
	 "\"partial_rotary_factor\": 1.0"},
	/* Spelling. */
	{0, 0,
	 "{\"rope_scalling\": {\"factor\": 2.0}, \"rope_scaling\": null, "
	 "\"rope_parameters\": null}",
	 "rope_scalling", "\"rope_scaling\": "},
	{ROTATES, 0,
	 "{" M NONE "{\"rope_type\": \"yarn\", \"factor\": 4.0, "
	 "\"orginal_max_position_embeddings\": 8192, " SECTION "}}",
	 "orginal_max_position_embeddings", "\"original_max_position_embeddings\": 8192"},
	/* Layers and heads. */
	{TYPES, 0,
	 "{\"layer_types\": [\"full_attention\", \"full_attention\", \"full_attention\"]}",
	 "layer_types", "\"num_hidden_layers\": 3"},
	{TYPES, 0, "{\"layer_types\": \"full_attention\"}", "layer_types", NULL},
	{NO_ROPE, 0, "{\"no_rope_layers\": [1, 1, 0]}", "no_rope_layers", "\"no_rope_layers\": ["},
	{GROUPS, 0, "{\"num_key_value_heads\": 3}", "num_key_value_heads",
	 "\"num_key_value_heads\": "},
	{ROTATES, 0, "{\"num_hidden_layers\": 0}", "num_hidden_layers", NULL},
	{ROTATES, 0, "{\"num_attention_heads\": \"8\"}", "num_attention_heads", NULL},
};
enum { DEFECTS = sizeof defects / sizeof *defects };

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), n = strlen(end);
	return len >= n && strcmp(text + len - n, end) == 0;
}

static bool is_found(const struct known *k, const struct defect *d)
{
	for (size_t i = 0; i < k->n_remarks; i++) {
		const struct remark *const m = &k->remarks[i];
		if (m->wrong && ends_with(m->key, d->key) &&
		    (!d->right || (m->right && strstr(m->right, d->right))))
			return true;
	}
	return false;
}

static const char *all_remarks(const struct known *k)
{
	struct strbuf out;
	strbuf_init(&out, &arena);
	for (size_t i = 0; i < k->n_remarks; i++)
		strbuf_printf(&out, "\n\t%s %s: %s -> %s",
			      k->remarks[i].wrong ? "wrong" : "unusual", k->remarks[i].key,
			      k->remarks[i].says, k->remarks[i].right ? k->remarks[i].right : "");
	return out.at;
}

static bool can_have(const struct base *b, const struct defect *d)
{
	return (b->traits & d->needs) == d->needs && !(b->traits & d->but);
}

TEST(no_family_has_a_defect_of_itself)
{
	for (size_t i = 0; i < BASES; i++) {
		const char *const text = json_value_text(read_base(&bases[i]), &arena);
		const struct known *const k = know(text);
		if (known_wrong(k) > 0 || !k->family || !k->expression)
			fail_msg("%s:%s", bases[i].is, all_remarks(k));
	}
}

TEST(each_defect_is_found_in_each_family)
{
	size_t tried = 0;
	struct strbuf missed;
	strbuf_init(&missed, &arena);
	for (size_t i = 0; i < BASES; i++)
		for (size_t j = 0; j < DEFECTS; j++) {
			if (!can_have(&bases[i], &defects[j]))
				continue;
			const char *const text = edited(read_base(&bases[i]),
							bases[i].traits & INSIDE, defects[j].edit);
			const struct known *const k = know(text);
			if (!is_found(k, &defects[j]))
				strbuf_printf(&missed, "\n%s with %s: no remark on %s with %s:%s",
					      bases[i].is, defects[j].edit, defects[j].key,
					      defects[j].right ? defects[j].right : "no line",
					      all_remarks(k));
			tried++;
		}
	if (missed.len > 0)
		fail_msg("%s", missed.at);
	assert_true(tried > 600);
}

/* Each defect occurs in some family, so that no row is dead. */
TEST(each_defect_has_a_family)
{
	for (size_t j = 0; j < DEFECTS; j++) {
		size_t n = 0;
		for (size_t i = 0; i < BASES; i++)
			n += can_have(&bases[i], &defects[j]);
		if (n == 0)
			fail_msg("%s", defects[j].edit);
	}
}
