/* test_released.c: released models by name: every row can be built in its sizes, names lead to one row, and a
 * scene takes all of it. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "posviz/base/text.h"
#include "posviz/scheme/released.h"

static struct model_config sizes_of(const struct released *r)
{
	return (struct model_config){.d = (size_t)r->d,
				     .heads = (size_t)r->heads,
				     .layers = (size_t)r->layers,
				     .ff = 4,
				     .head_dim = (size_t)r->head_dim,
				     .value_dim = (size_t)r->value_dim,
				     .kv_heads = (size_t)r->kv_heads,
				     .t_max = r->t_max ? (size_t)r->t_max : 512,
				     .content = 2,
				     .unfilled = true};
}

TEST(every_model_can_be_built_in_its_sizes)
{
	struct model *const model = malloc(sizeof *model);
	for (const struct released *r = released_models; r->names; r++) {
		struct arena a;
		struct err err = {""};
		struct expr e;
		struct member members[MODEL_MAX_MEMBERS];
		size_t n;
		const struct model_config config = sizes_of(r);
		arena_init(&a);
		if (!expr_parse(&e, r->expression, &a, &err) ||
		    !expr_members(&e, members, &n, &a, &err) ||
		    !model_build(model, &config, members, n, NULL, &a, &err))
			fail_msg("%s: %s", r->names, err.text);
		assert_int_equal(model->dk, r->head_dim);
		assert_int_equal(model->kv_heads, r->kv_heads ? r->kv_heads : r->heads);
		assert_true(r->year >= 2018 && r->source && *r->source);
		arena_release(&a);
	}
	free(model);
}

/* What `show` computes of a model that is too large as a whole: masks, weights and logits of one layer,
 * with all heads. */
TEST(one_layer_of_every_model_fits_the_memory)
{
	struct model *const model = malloc(sizeof *model);
	for (const struct released *r = released_models; r->names; r++) {
		const unsigned kinds = WANT_MASK | WANT_WEIGHTS | WANT_LOGITS;
		const struct want want = {.kinds = kinds, .layer = 0, .head = -1};
		const struct model_input in = {.axis = {.n = 11}};
		struct model_config config = sizes_of(r);
		struct arena a;
		struct expr e;
		struct member members[MODEL_MAX_MEMBERS];
		size_t n;
		config.ff = 4 * config.d;
		arena_init(&a);
		assert_true(expr_parse(&e, r->expression, &a, NULL) &&
			    expr_members(&e, members, &n, &a, NULL) &&
			    model_build(model, &config, members, n, NULL, &a, NULL));
		const double bytes = (double)model_estimate(model, &in, &want);
		if (bytes > 1.5e9)
			fail_msg("%s: %.0f MB", r->names, bytes / 1e6);
		arena_release(&a);
	}
	free(model);
}

/* Whoever types another spelling gets the same row; no name leads to two. */
TEST(names_lead_to_one_row)
{
	static const char *const rows[][2] = {{"Llama-3.1-8B", "llama3.1-8b"},
					      {"meta-llama-3.1-8b", "llama3.1-8b"},
					      {"GPT OSS 20b", "gpt-oss-20b"},
					      {"deepseek_v3", "deepseek-v3"},
					      {"mistral-7b", "mistral-7b-v0.1"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {""};
		size_t len;
		const struct released *const r = released_find(rows[i][0], &err);
		assert_non_null(r);
		assert_true(strncmp(released_name(r, &len), rows[i][1], strlen(rows[i][1])) == 0);
	}
	for (const struct released *r = released_models; r->names; r++)
		for (const char *at = r->names; *at; at += *at == '|') {
			char name[64] = "";
			const size_t len = strcspn(at, "|");
			assert_true(len < sizeof name);
			memcpy(name, at, len);
			assert_ptr_equal(released_find(name, NULL), r);
			at += len;
		}
	struct err err = {""};
	assert_null(released_find("lama3-8b", &err));
	assert_string_equal(err.text,
			    "model: there is no \"lama3-8b\", did you mean \"llama3-8b\"; "
			    "posviz list models names what there is");
}

/* Sizes of an earlier model do not stay: those that the next one lacks follow from its others. */
TEST(a_scene_takes_all_of_a_model)
{
	struct scene scene;
	struct err err = {""};
	struct arena a;
	const char *said;
	arena_init(&a);
	scene_init(&scene);
	assert_true(app_model(&scene, "deepseek-v3", &a, &said, &err));
	assert_int_equal(scene.setup.value_dim, 128);
	assert_int_equal(scene.setup.head_dim, 192);
	assert_int_equal(scene.setup.layers, 61);
	assert_true(app_model(&scene, "Llama-3.1-8B", &a, &said, &err));
	assert_int_equal(scene.setup.d_model, 4096);
	assert_int_equal(scene.setup.heads, 32);
	assert_int_equal(scene.setup.kv_heads, 8);
	assert_int_equal(scene.setup.value_dim, 0);
	assert_int_equal(scene.setup.t_max, 131072);
	assert_non_null(strstr(scene.setup.scheme, "rope_llama3("));
	const struct scene before = scene;
	assert_false(app_model(&scene, "nothing", &a, &said, &err));
	assert_ptr_equal(scene.setup.scheme, before.setup.scheme);
	assert_int_equal(scene.setup.heads, before.setup.heads);
	arena_release(&a);
}
