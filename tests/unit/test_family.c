/* test_family.c: what is known of 36 configurations in the styles of real releases, against the facts that
 * another program computed from them; the numbers are those of the expressions, and of the schemes' own runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_arena.h"
#include "posviz/family/family.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"
#include "posviz/scheme/rates.h"
#include "posviz/scheme/released.h"

FIXTURE(open_arena, close_arena)

static const char *path_of(const char *name)
{
	return arena_printf(&arena, "%s/models/configs/%s", test_data, name);
}

static const struct json_value *expected(void)
{
	char *data;
	size_t len;
	struct err err = {""};
	if (!file_read(path_of("expected.json"), 1 << 20, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	const struct json_value *const v = json_parse(&arena, data, len, &err);
	assert_non_null(v);
	assert_int_equal(v->count, 36);
	return v;
}

static struct known *know(const char *name)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	struct err err = {""};
	if (!family_read(path_of(name), &arena, k, &err))
		fail_msg("%s: %s", name, err.text);
	return k;
}

static double number(const struct json_value *v)
{
	assert_non_null(v);
	assert_true(v->kind == JSON_VALUE_INTEGER || v->kind == JSON_VALUE_REAL);
	return v->kind == JSON_VALUE_REAL ? v->as.real : (double)v->as.integer;
}

static double item(const struct json_value *list, size_t i)
{
	assert_true(list && list->kind == JSON_VALUE_ARRAY && i < list->count);
	return number(&list->as.items[i]);
}

static const char *word(const struct json_value *o, const char *name)
{
	const struct json_value *const v = json_member(o, name);
	return v && v->kind == JSON_VALUE_STRING ? v->as.string : "";
}

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-12 * fmax(1, fabs(y)) && fabs(x - y) <= 1e-12 * fabs(y) + 1e-300;
}

static void is_near(double got, double want, const char *name, size_t i)
{
	if (!near(got, want))
		fail_msg("%s, number %zu: %.17g, not %.17g", name, i, got, want);
}

/* ---- a verdict for each ---------------------------------------------------------------------------- */

TEST(each_configuration_has_its_verdict)
{
	const struct json_value *const all = expected();
	for (size_t i = 0; i < all->count; i++) {
		const struct json_value *const e = &all->as.items[i];
		const struct known *const k = know(e->name);
		const bool wrong = strcmp(word(e, "verdict"), "wrong") == 0;
		for (size_t r = 0; r < k->n_remarks; r++)
			if (k->remarks[r].wrong && !wrong)
				fail_msg("%s: %s: %s", e->name, k->remarks[r].key,
					 k->remarks[r].says);
		assert_int_equal(known_wrong(k), wrong);
		assert_non_null(k->family);
		/* What cannot be trusted is not drawn. */
		assert_int_equal(k->expression != NULL, json_member(e, "facts") != NULL);
	}
}

/* ---- facts ------------------------------------------------------------------------------------------ */

static const struct rotation_seen *seen_of(const struct known *k, size_t layer,
					   const struct rotation_seen *seen, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (k->layer[layer].rotation >= 0 &&
		    seen[i].rule == &k->rotations[k->layer[layer].rotation])
			return &seen[i];
	return NULL;
}

static void check_kind(const char *name, const struct json_value *kind,
		       const struct rotation_seen *s, const char *layout)
{
	const struct json_value *const rates = json_member(kind, "inv_freq");
	assert_int_equal(s->pairs, rates->count);
	assert_int_equal(s->columns, number(json_member(kind, "rotated_components")));
	assert_string_equal(s->rule->written ? s->rule->written : "default", word(kind, "type"));
	assert_string_equal(s->half ? "half" : "interleaved", layout);
	is_near(s->base, number(json_member(kind, "base")), name, 0);
	is_near(s->attention, number(json_member(kind, "attention_factor")), name, 0);
	for (size_t i = 0; i < s->pairs; i++)
		is_near(s->now[i], item(rates, i), name, i);
}

static void check_sizes(const struct known *k, const struct json_value *fact)
{
	const bool latent = strcmp(k->model_type, "deepseek_v3") == 0;
	assert_string_equal(k->model_type, word(fact, "model_type"));
	assert_int_equal(k->layers, number(json_member(fact, "layers")));
	assert_int_equal(k->heads, number(json_member(fact, "heads")));
	assert_int_equal(latent ? 64 : k->head_dim, number(json_member(fact, "head_dim")));
}

static void check_layers(const char *name, const struct known *k, const struct json_value *fact,
			 const struct rotation_seen *seen, size_t n)
{
	const struct json_value *const kinds = json_member(fact, "rope_kinds");
	const char *const how = word(fact, "window_kind");
	for (size_t i = 0; i < (size_t)k->layers; i++) {
		const struct layer_rule *const l = &k->layer[i];
		assert_int_equal(l->window, item(json_member(fact, "window"), i));
		assert_int_equal(l->rotation >= 0, item(json_member(fact, "rotates"), i));
		if (l->window > 0)
			assert_int_equal(l->kind, strstr(how, "chunks")	      ? WINDOW_CHUNK
						  : strstr(how, "both sides") ? WINDOW_SIDES
									      : WINDOW_BEHIND);
		if (!kinds || l->rotation < 0)
			continue;
		const struct rotation_seen *const s = seen_of(k, i, seen, n);
		assert_non_null(s);
		const size_t kind = (size_t)item(json_member(fact, "rope_kind_of_layer"), i);
		if (i == 0 || l->rotation != k->layer[i - 1].rotation)
			check_kind(name, &kinds->as.items[kind], s, word(fact, "layout"));
	}
}

static void check_sections(const struct known *k, const struct json_value *fact)
{
	const struct json_value *const sections = json_member(fact, "mrope_section");
	assert_int_equal(k->rotations[0].sections.n, sections ? 3 : 0);
	for (size_t i = 0; sections && i < 3; i++)
		assert_int_equal(k->rotations[0].sections.at[i], item(sections, i));
}

TEST(facts_are_those_of_the_expression)
{
	const struct json_value *const all = expected();
	size_t checked = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct json_value *const e = &all->as.items[i];
		const struct json_value *const facts = json_member(e, "facts");
		for (size_t f = 0; facts && f < facts->count; f++) {
			const struct json_value *const fact = &facts->as.items[f];
			const struct json_value *const tokens = json_member(fact, "tokens");
			const struct known *const k = know(e->name);
			struct rotation_seen seen[MOST_ROTATIONS];
			const size_t n =
				known_rotations(k, tokens ? number(tokens) : 0, &arena, seen);
			check_sizes(k, fact);
			check_layers(e->name, k, fact, seen, n);
			check_sections(k, fact);
			checked++;
		}
	}
	assert_int_equal(checked, 35);
}

/* ---- the schemes' own runs --------------------------------------------------------------------------- */

static const struct known *wanted;
static double wanted_at[2];

static void one_head(struct help_run *r)
{
	r->config = (struct model_config){.d = 8,
					  .heads = 1,
					  .layers = 1,
					  .ff = 4,
					  .head_dim = (size_t)wanted->head_dim,
					  .value_dim = 4,
					  .t_max = wanted->declared > 0 ? (size_t)wanted->declared
									: 512,
					  .content = 2};
	r->want.kinds |= WANT_KEPT;
	r->in.position = wanted_at;
}

static struct mat kept(const struct trace *t, const char *name)
{
	for (size_t i = 0; i < t->n_kept; i++) {
		const char *const dot = strrchr(t->kept[i].name, '.');
		if (dot && strcmp(dot + 1, name) == 0)
			return t->kept[i].at;
	}
	fail_msg("no %s is kept", name);
	return (struct mat){0};
}

/* Runs a member alone, on two tokens, at position 1 and at the last of `tokens`. */
static void check_run(const char *name, const struct known *k, const struct expr_member *m,
		      double tokens, const struct json_value *kind)
{
	struct expr_member alone = *m;
	struct help_run r;
	wanted = k;
	wanted_at[0] = 1;
	wanted_at[1] = tokens - 1;
	alone.layers_text = NULL;
	alone.layers = SUBSET_ALL;
	help_run_must_open(&r, expr_print_member(&alone, &arena), 2, 0, one_head);
	const struct mat cosine = kept(&r.trace, "cos"), sine = kept(&r.trace, "sin");
	const struct json_value *const rates = json_member(kind, "inv_freq");
	assert_int_equal(cosine.cols, rates->count);
	for (size_t i = 0; i < rates->count; i++) {
		const double x = cosine.at[i], y = sine.at[i];
		is_near(atan2(y, x), item(rates, i), name, i);
		is_near(hypot(x, y), number(json_member(kind, "attention_factor")), name, i);
	}
	help_run_close(&r);
}

static bool rotates(const struct known *k, const struct expr_member *m)
{
	struct member_rates rates;
	return member_rates(m, (size_t)k->head_dim, 512, 0, &arena, &rates);
}

/* Each member that rotates, on the first of its layers, which must be one whose layer rotates so. */
TEST(schemes_rotate_by_the_facts)
{
	const struct json_value *const all = expected();
	size_t checked = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct json_value *const e = &all->as.items[i];
		const struct json_value *const facts = json_member(e, "facts");
		const struct known *const k = know(e->name);
		struct expr x;
		for (size_t f = 0; facts && f < facts->count; f++) {
			const struct json_value *const fact = &facts->as.items[f];
			const struct json_value *const tokens = json_member(fact, "tokens");
			assert_true(expr_parse(&x, k->expression, &arena, NULL));
			for (size_t m = 0; m < x.n; m++) {
				size_t layer = 0;
				while (!subset_has(&x.members[m].layers, layer))
					layer++;
				if (!rotates(k, &x.members[m]))
					continue;
				const size_t kind = (size_t)item(
					json_member(fact, "rope_kind_of_layer"), layer);
				check_run(e->name, k, &x.members[m], tokens ? number(tokens) : 3,
					  &json_member(fact, "rope_kinds")->as.items[kind]);
				checked++;
			}
		}
	}
	assert_int_equal(checked, 35);
}

/* Returns the number of a parameter of a member on this layer; 0: no member has it. */
static double param_on(const struct expr *e, const char *scheme, const char *param, size_t layer)
{
	double out = 0;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		if (strcmp(m->scheme->id, scheme) != 0 || !subset_has(&m->layers, layer))
			continue;
		assert_true(out == 0);
		out = strtod(param_print(scheme_param(m->scheme, param, strlen(param)), m->param,
					 &arena),
			     NULL);
	}
	return out;
}

TEST(windows_of_the_expression_are_those_of_the_layers)
{
	const struct json_value *const all = expected();
	for (size_t i = 0; i < all->count; i++) {
		const struct known *const k = know(all->as.items[i].name);
		struct expr e;
		if (!k->expression)
			continue;
		assert_true(expr_parse(&e, k->expression, &arena, NULL));
		for (size_t layer = 0; layer < (size_t)k->layers; layer++) {
			const struct layer_rule *const l = &k->layer[layer];
			const double w = (double)l->window;
			assert_true(param_on(&e, "window", "keys", layer) ==
				    (l->kind == WINDOW_BEHIND ? w : 0));
			assert_true(param_on(&e, "chunk", "size", layer) ==
				    (l->kind == WINDOW_CHUNK ? w : 0));
			if (l->kind == WINDOW_SIDES)
				assert_true(param_on(&e, "window", "width", layer) == 2 * w);
		}
		assert_int_equal(expr_is_causal(&e), k->causal);
	}
}

/* ---- numbers beside the rotation --------------------------------------------------------------------- */

static const struct json_value *more(const char *file, const char *name)
{
	const struct json_value *const all = json_member(json_member(expected(), file), "more");
	return all ? json_member(all, name) : NULL;
}

static void heads_of_1(struct help_run *r)
{
	r->config.heads = (size_t)wanted->heads;
	r->config.d = (size_t)wanted->heads;
	r->config.layers = 1;
}

/* The slopes are those of a run; Falcon divides them like the products. */
TEST(slopes_are_the_facts)
{
	static const char *const files[] = {"falcon-rw.json", "mpt-7b.json"};
	for (size_t f = 0; f < 2; f++) {
		struct help_run r;
		const struct json_value *const facts =
			json_member(json_member(expected(), files[f]), "facts");
		const struct json_value *const slopes =
			json_member(&facts->as.items[0], "alibi_slopes");
		const struct json_value *const by = more(files[f], "alibi_divided_by");
		wanted = know(files[f]);
		help_run_must_open(&r, wanted->expression, 2, 0, heads_of_1);
		for (size_t h = 0; h < slopes->count; h++)
			is_near(-mat_row(help_head_of(&r.trace, h)->bias, 1)[0] *
					(by ? number(by) : 1),
				item(slopes, h), files[f], h);
		help_run_close(&r);
	}
}

TEST(scales_caps_and_buckets_are_the_facts)
{
	struct expr e;
	is_near(know("deepseek-v3.json")->scale, number(more("deepseek-v3.json", "softmax_scale")),
		"scale", 0);
	is_near(know("gemma2-27b.json")->scale, number(more("gemma2-27b.json", "softmax_scale")),
		"scale", 0);
	is_near(know("t5-base.json")->scale, number(more("t5-base.json", "scale")), "scale", 0);
	assert_true(expr_parse(&e, know("gemma2-27b.json")->expression, &arena, NULL));
	assert_true(param_on(&e, "softcap", "cap", 45) ==
		    number(more("gemma2-27b.json", "softcap")));
	assert_true(expr_parse(&e, know("t5-base.json")->expression, &arena, NULL));
	assert_true(param_on(&e, "t5", "buckets", 0) == number(more("t5-base.json", "buckets")));
	assert_true(param_on(&e, "t5", "max_distance", 0) ==
		    number(more("t5-base.json", "distance_limit")));
	assert_true(expr_parse(&e, know("deberta-v3.json")->expression, &arena, NULL));
	assert_true(param_on(&e, "deberta", "buckets", 0) ==
		    number(more("deberta-v3.json", "buckets_each_side")));
	assert_true(param_on(&e, "deberta", "max_position", 0) ==
		    number(more("deberta-v3.json", "distance_limit")));
}

static struct model_config sizes_of(const struct known *k)
{
	return (struct model_config){.d = (size_t)k->d,
				     .heads = (size_t)k->heads,
				     .layers = (size_t)k->layers,
				     .ff = 4,
				     .head_dim = (size_t)k->head_dim,
				     .value_dim = (size_t)k->value_dim,
				     .kv_heads = (size_t)k->kv_heads,
				     .t_max = k->declared ? (size_t)k->declared : 512,
				     .content = 2,
				     .unfilled = true};
}

TEST(every_expression_can_be_built_in_its_sizes)
{
	struct model *const model = malloc(sizeof *model);
	const struct json_value *const all = expected();
	for (size_t i = 0; i < all->count; i++) {
		struct arena a;
		struct err err = {""};
		struct expr e;
		struct member members[MODEL_MAX_MEMBERS];
		size_t n;
		const struct known *const k = know(all->as.items[i].name);
		const struct model_config config = sizes_of(k);
		arena_init(&a);
		if (k->expression && (!expr_parse(&e, k->expression, &a, &err) ||
				      !expr_members(&e, members, &n, &a, &err) ||
				      !model_build(model, &config, members, n, NULL, &a, &err)))
			fail_msg("%s: %s", all->as.items[i].name, err.text);
		arena_release(&a);
	}
	free(model);
}

/* ---- files of which people complain ------------------------------------------------------------------ */

static struct known *know_text(const char *text)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	struct err err = {""};
	if (!family_know("test", text, strlen(text), &arena, k, &err))
		fail_msg("%s", err.text);
	return k;
}

/* What makers of models advise is not wrong: YaRN added by hand, with the declared length left as it
 * was; a length that is a little more than the original, for the answer. */
TEST(advice_of_makers_is_only_unusual)
{
	static const char *const declared[] = {"32768", "40960"};
	for (size_t i = 0; i < 2; i++) {
		const struct known *const k = know_text(arena_printf(
			&arena,
			"{\"model_type\": \"qwen3\", \"hidden_size\": 4096, \"num_hidden_layers\": 36, "
			"\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"head_dim\": 128, "
			"\"max_position_embeddings\": %s, \"rope_theta\": 1000000, \"rope_scaling\": "
			"{\"rope_type\": \"yarn\", \"factor\": 4.0, "
			"\"original_max_position_embeddings\": 32768}}",
			declared[i]));
		assert_int_equal(known_wrong(k), 0);
		assert_int_equal(k->n_remarks, 1);
		assert_string_equal(k->remarks[0].right, "\"max_position_embeddings\": 131072");
		assert_int_equal(k->trained, 32768);
		assert_non_null(strstr(k->expression, "rope_yarn(layout=half,base=1000000,"));
	}
}

/* Saved models with pictures have some keys twice, in another order. */
TEST(equal_keys_beside_the_text_model_are_no_mistake)
{
	static const char text[] =
		"{\"model_type\": \"qwen2_5_vl\", \"rope_theta\": 1000000.0, \"rope_scaling\": {\"type\": "
		"\"default\", \"rope_type\": \"default\", \"mrope_section\": [2, 3, 3]}, "
		"\"text_config\": {\"model_type\": \"qwen2_5_vl_text\", \"hidden_size\": 64, "
		"\"num_hidden_layers\": 2, \"num_attention_heads\": 4, \"num_key_value_heads\": 2, "
		"\"rope_theta\": 1000000, \"rope_scaling\": {\"mrope_section\": [2, 3, 3], "
		"\"rope_type\": \"default\", \"type\": \"default\"}}}";
	const struct known *const k = know_text(text);
	assert_int_equal(k->n_remarks, 0);
	assert_string_equal(k->expression, "mrope(sections=[2,3,3])+causal");
}

/* A model with pictures leaves out what its text model has by default; a text model alone does not. */
TEST(sizes_of_the_class_stand_in_inside_alone)
{
	const struct known *const k = know_text(
		"{\"model_type\": \"llava\", \"text_config\": {\"model_type\": \"llama\", "
		"\"max_position_embeddings\": 4096}, \"vision_config\": {\"hidden_size\": 7}}");
	assert_int_equal(known_wrong(k), 0);
	assert_int_equal(k->d, 4096);
	assert_int_equal(k->layers, 32);
	assert_int_equal(k->head_dim, 128);
	assert_string_equal(k->expression, "rope(layout=half)+causal");
	const struct known *const alone =
		know_text("{\"model_type\": \"llama\", \"max_position_embeddings\": 4096}");
	assert_int_equal(known_wrong(alone), 3);
	assert_null(alone->expression);
}

/* Keys of other meanings are no misspelt ones. */
TEST(other_keys_are_no_misspellings)
{
	static const char *const keys[] = {
		"use_sliding_window",  "sliding_window_size", "sliding_window_layers",
		"max_window_layers",   "rope_interleave",     "rope_ratio",
		"rotary_dim",	       "mlp_layer_types",     "layer_norm_type",
		"max_sequence_length", "no_rope_layers",      "rope_base"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct known *const k = know_text(arena_printf(
			&arena,
			"{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
			"\"num_attention_heads\": 4, \"%s\": 1}",
			keys[i]));
		assert_int_equal(k->n_remarks, strcmp(keys[i], "use_sliding_window") == 0);
	}
}

/* ---- released models ---------------------------------------------------------------------------------- */

/* The models by name have the expression that their configuration gives: the two are one truth. */
TEST(released_models_are_as_their_configurations)
{
	static const char *const rows[][2] = {
		{"llama2-7b", "llama2.json"},	     {"llama3.1-8b", "llama31.json"},
		{"mistral-7b", "mistral-v01.json"},  {"gemma2-27b", "gemma2-27b.json"},
		{"gemma3-1b", "gemma3-1b.json"},     {"gemma3-4b", "gemma3-4b.json"},
		{"qwen3-0.6b", "qwen3-v5.json"},     {"gpt-oss-20b", "gpt-oss-20b.json"},
		{"deepseek-v3", "deepseek-v3.json"}, {"command-r7b", "command-r7b.json"},
		{"smollm3-3b", "smollm3.json"},	     {"modernbert-base", "modernbert-base.json"},
		{"gptj-6b", "gpt-j.json"},	     {"deberta-v3-base", "deberta-v3.json"},
		{"mpt-7b", "mpt-7b.json"},	     {"bloom", NULL}};
	for (size_t i = 0; rows[i][1]; i++) {
		const struct released *const m = released_find(rows[i][0], NULL);
		const struct known *const k = know(rows[i][1]);
		struct expr e;
		assert_non_null(m);
		assert_true(expr_parse(&e, m->expression, &arena, NULL));
		const char *text = expr_print(&e, &arena);
		if (e.n == 1 && e.members[0].scheme->expression) {
			assert_true(expr_parse(&e, e.members[0].scheme->expression, &arena, NULL));
			text = expr_print(&e, &arena);
		}
		if (strcmp(text, k->expression) != 0)
			fail_msg("%s: %s, but %s: %s", rows[i][0], text, rows[i][1], k->expression);
		assert_int_equal(m->d, k->d);
		assert_int_equal(m->layers, k->layers);
		assert_int_equal(m->heads, k->heads);
		assert_int_equal(m->kv_heads ? m->kv_heads : m->heads, k->kv_heads);
		assert_int_equal(m->head_dim, k->head_dim);
		assert_int_equal(m->value_dim ? m->value_dim : m->head_dim, k->value_dim);
	}
}
