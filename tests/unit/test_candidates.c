/* test_candidates.c: of models whose type nobody knows here, the tensors that may hold their positions are named with
 * the command that takes them, and it does. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/app/app.h"
#include "posviz/family/candidates.h"
#include "posviz/format/file.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

/* Makes the directory "other": the files of a model, with a type of no family. */
static void write_other(const char *model)
{
	char *data;
	size_t len;
	struct err err;
	assert_true(mkdir("other", 0700) == 0);
	for (size_t i = 0; i < 2; i++) {
		const char *const name = i ? "config.json" : "model.safetensors";
		if (!file_read(arena_printf(&arena, "%s/models/%s/%s", test_data, model, name),
			       1 << 24, &arena, &data, &len, &err))
			fail_msg("%s", err.text);
		char *const type = i ? strstr(data, "\"model_type\"") : NULL;
		if (i) {
			char *const value = strchr(type + 12, '"') + 1;
			memset(value, 'z', strcspn(value, "\""));
		}
		cli_write(arena_printf(&arena, "other/%s", name), data, len);
	}
}

static void forget(void)
{
	unlink("other/config.json");
	unlink("other/model.safetensors");
	assert_true(rmdir("other") == 0);
}

static const struct row {
	const char *model, *tensor, *scheme, *map;
	long t_max;
} rows[] = {
	{"gpt2", "wpe.weight", "learned", "p=wpe.weight", 32},
	{"bert-bare", "embeddings.position_embeddings.weight", "learned",
	 "p=embeddings.position_embeddings.weight", 24},
	/* Two rows stand before that of the first position. */
	{"made/opt", "model.decoder.embed_positions.weight", "learned",
	 "p=model.decoder.embed_positions.weight[2:]", 10},
	{"t5-encoder", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
	 "t5(buckets=32)",
	 "bias_table=encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 0},
	/* rotary_pct 0.25 and base 10000 are in its configuration, which is not read for this. */
	{"gpt-neox", "gpt_neox.layers.0.attention.rotary_emb.inv_freq",
	 "rope(base=10000,partial=0.25)", NULL, 0},
	{"qwen3", NULL, NULL, NULL, 0},
	{"deberta-v2", NULL, NULL, NULL, 0},
};

static void set(struct scene *s, const char *field, const char *value)
{
	struct err err = {""};
	if (!scene_set(s, field_find(field), value, &err))
		fail_msg("%s: %s", field, err.text);
}

/* Takes the candidate as its command does, and expects that its numbers are read. */
static void take(const struct known *k, const struct candidate *c)
{
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct scene s;
	struct err err = {""};
	bool read = !c->map;
	scene_init(&s);
	set(&s, "scheme", c->scheme);
	set(&s, "d-model", arena_printf(&arena, "%ld", k->d));
	set(&s, "heads", arena_printf(&arena, "%ld", k->heads));
	set(&s, "head-dim", arena_printf(&arena, "%ld", k->head_dim));
	if (c->t_max)
		set(&s, "t-max", arena_printf(&arena, "%ld", c->t_max));
	if (c->map) {
		set(&s, "params", "other");
		set(&s, "map", c->map);
	}
	if (!setup_build(&s.setup, &arena, b, &err))
		fail_msg("%s: %s", c->tensor, err.text);
	for (size_t i = 0; i < b->model.n_leaves; i++)
		read |= b->model.leaves[i].given;
	assert_true(read);
}

TEST(best_candidates_are_found_and_taken)
{
	for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
		struct known *const k = arena_calloc(&arena, 1, sizeof *k);
		struct candidate all[MOST_CANDIDATES];
		struct scene scene;
		struct err err = {""};
		const char *said;
		write_other(r->model);
		assert_true(family_read("other", &arena, k, &err));
		assert_null(k->family);
		const size_t n = known_candidates(k, "other", &arena, all);
		if ((n > 0) != (r->tensor != NULL))
			fail_msg("%s: %zu, %s", r->model, n, n ? all[0].tensor : "");
		scene_init(&scene);
		assert_false(app_model(&scene, "other", &arena, &said, &err));
		if (n > 0) {
			assert_string_equal(all[0].tensor, r->tensor);
			assert_string_equal(all[0].scheme, r->scheme);
			assert_int_equal(all[0].t_max, r->t_max);
			assert_string_equal(all[0].map ? all[0].map : "", r->map ? r->map : "");
			take(k, &all[0]);
			assert_non_null(
				strstr(err.text, scene_candidate(k, "other", &all[0], &arena)));
		}
		forget();
	}
}

/* The refusal of a file without a parameter's name offers the tensor of its shape. */
TEST(a_missing_parameter_has_an_offer)
{
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct scene s;
	struct err err = {""};
	write_other("t5-encoder");
	scene_init(&s);
	set(&s, "scheme", "t5");
	set(&s, "params", "other");
	assert_false(setup_build(&s.setup, &arena, b, &err));
	if (!strstr(err.text, "is 32 x 4; --map bias_table=encoder.block.0.layer.0.SelfAttention."
			      "relative_attention_bias.weight takes it"))
		fail_msg("%s", err.text);
	forget();
}

/* Behind the sign the tensor of the parameter's shape comes first. */
TEST(completion_offers_the_tensor_of_the_shape_first)
{
	struct app *const app = arena_calloc(&arena, 1, sizeof *app);
	size_t n;
	write_other("t5-encoder");
	scene_init(&app->scene);
	set(&app->scene, "scheme", "t5");
	set(&app->scene, "params", "other");
	const struct completion *const menu = app_menu(app, "map bias_table=", &arena, &n);
	assert_true(n > 10);
	assert_string_equal(menu[0].line,
			    "map bias_table=encoder.block.0.layer.0.SelfAttention.relative_"
			    "attention_bias.weight");
	assert_string_equal(menu[0].note, "32 x 4, its shape");
	forget();
}
