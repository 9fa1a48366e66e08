/* quantized.c: weights that a model's configuration says are packed, and whether its files hold such.
 *
 * Tables of positions and embeddings are mostly left as they are, so positions can be shown all the same; layers
 * cannot be computed. */
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"

static const char before[] = "the model before it was quantized would be right";

/* A row is a method of quantization by its word in quant_method. Its tensors have these parts of names beside a
 * weight or in its place, and types that begin so; the remark ends with what would be right. */
static const struct method {
	const char *word, *title;
	const char *parts[4];
	const char *type; /* NULL: integers */
	const char *right;
} methods[] = {
	{"gptq", "GPTQ", {".qweight", ".qzeros"}, NULL, before},
	{"awq", "AWQ", {".qweight", ".qzeros"}, NULL, before},
	{"bitsandbytes",
	 "bitsandbytes",
	 {".absmax", ".SCB", ".quant_state."},
	 NULL,
	 "in Python, model.dequantize() and save_pretrained(DIR) write it whole"},
	{"fp8",
	 "FP8",
	 {".weight_scale_inv", ".weight_scale"},
	 "F8",
	 "its weights times their scales, saved as BF16, would be right"},
	{"fbgemm_fp8",
	 "FP8",
	 {".weight_scale"},
	 "F8",
	 "its weights times their scales, saved as BF16, would be right"},
	{"compressed-tensors",
	 "compressed-tensors",
	 {".weight_packed", ".weight_scale"},
	 "F8",
	 before},
	{"mxfp4", "MXFP4", {"_blocks", "_scales"}, NULL, "the model saved as BF16 would be right"},
	{"hqq", "HQQ", {".W_q"}, NULL, before},
	{"aqlm", "AQLM", {".codes", ".codebooks"}, NULL, before},
};
enum { METHODS = sizeof methods / sizeof *methods };

static const struct method *method_of(const char *word)
{
	for (size_t i = 0; word && i < METHODS; i++)
		if (strcmp(methods[i].word, word) == 0)
			return &methods[i];
	return NULL;
}

/* Returns "4 bits", "4 bits in groups of 128", or "". */
static const char *sizes_of(struct reading *r, const struct json_value *in)
{
	double bits = 0, group = 0;
	const struct json_value *const four = json_member(in, "load_in_4bit"),
				       *const eight = json_member(in, "load_in_8bit");
	const struct json_value *const b = key_find(in, "bits|w_bit", NULL),
				       *const g = key_find(in, "group_size|q_group_size", NULL);
	if (b)
		number_of(b, &bits);
	if (g)
		number_of(g, &group);
	if (four && four->kind == JSON_VALUE_BOOL && four->as.truth)
		bits = 4;
	else if (eight && eight->kind == JSON_VALUE_BOOL && eight->as.truth)
		bits = 8;
	if (!(bits > 0))
		return "";
	return group > 0 ? arena_printf(r->arena, ", %s bits in groups of %s",
					print_number(r->arena, bits), print_number(r->arena, group))
			 : arena_printf(r->arena, ", %s bits", print_number(r->arena, bits));
}

void read_quantized(struct reading *r)
{
	const struct json_value *in = key_find(r->top, "quantization_config", NULL);
	const struct json_value *word;
	const char *const key = "quantization_config";
	if (!in)
		return;
	if (in->kind != JSON_VALUE_OBJECT) {
		say_wrong(r, key, "\"quantization_config\": null",
			  "it is %s; an object with quant_method, or none, would be right",
			  key_text(r, in));
		return;
	}
	word = json_member(in, "quant_method");
	const struct json_value *const four = json_member(in, "load_in_4bit");
	const char *const is = word && word->kind == JSON_VALUE_STRING ? word->as.string
			       : four				       ? "bitsandbytes"
								       : NULL;
	const struct method *const m = method_of(is);
	r->out->quantized = m ? m->word : NULL;
	if (m)
		say_unusual(r, key, NULL,
			    "%s%s: packed weights are not read, so that positions are shown and "
			    "layers are not computed; %s",
			    m->title, sizes_of(r, in), m->right);
	else if (is)
		say_unusual(
			r, key, NULL,
			"\"%s\", which is not known here: weights that are packed are not read; %s",
			text_escape(r->arena, is, strlen(is)), before);
	else
		say_wrong(r, key, "\"quant_method\": \"gptq\"",
			  "it does not say how weights are packed; quant_method would");
}

/* Returns the first tensor that is packed as the method does; NULL: none is. */
static const struct tensor_entry *packed_by(const struct tensor_file *f, const struct method *m)
{
	for (size_t i = 0; i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		for (size_t k = 0; k < 4 && m->parts[k]; k++)
			if (strstr(e->name, m->parts[k]))
				return e;
		if (m->type && strncmp(e->type, m->type, strlen(m->type)) == 0)
			return e;
	}
	return NULL;
}

static bool has_weights(const struct tensor_file *f)
{
	for (size_t i = 0; i < tensor_file_count(f); i++)
		if (strstr(tensor_file_at(f, i)->name, ".weight"))
			return true;
	return false;
}

static void add(struct known *k, const char *key, const char *says, const char *right,
		struct arena *a)
{
	const struct remark m = {.wrong = true, .key = key, .says = says, .right = right};
	known_remark(k, &m, a);
}

void look_packed(struct known *k, const struct tensor_file *f, struct arena *a)
{
	const struct method *const said = method_of(k->quantized);
	const struct tensor_entry *e = NULL;
	const struct method *by = methods;
	if (said && !packed_by(f, said) && has_weights(f)) {
		add(k, "quantization_config",
		    arena_printf(a,
				 "%s, and no tensor of the files is packed so: none has %s in its "
				 "name; the library would not find its weights",
				 said->title, said->parts[0]),
		    "\"quantization_config\": null", a);
		return;
	}
	if (said || !k->family)
		return;
	for (; by < methods + METHODS && !(e = packed_by(f, by)); by++)
		;
	if (e && !tensor_file_packed(f) && !by->type)
		return; /* a name like theirs, but numbers as they are */
	if (e)
		add(k, text_escape(a, e->name, strlen(e->name)),
		    arena_printf(a,
				 "it is packed as by %s, and the configuration has no "
				 "quantization_config, without which the library takes it for "
				 "numbers as they are",
				 by->title),
		    arena_printf(a, "\"quantization_config\": {\"quant_method\": \"%s\", …}",
				 by->word),
		    a);
}
