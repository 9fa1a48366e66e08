/* test_model_seen.c: a picture of a model knows when another model is in its place: what it shows was changed,
 * what it does not show may change. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/app/app.h"
#include "posviz/app/snapshot.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor_file.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/model_seen.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

static const char config_file[] = "model/config.json", tensor_file[] = "model/model.safetensors";

/* The files of gpt2 of the tests, of which copies are changed. */
struct copied {
	char *config, *tensors;
	size_t config_len, len;
};

static struct copied copy_model(void)
{
	struct copied c;
	struct err err;
	const char *const from = arena_printf(&arena, "%s/models/gpt2", test_data);
	assert_true(file_read(arena_printf(&arena, "%s/config.json", from), 1 << 20, &arena,
			      &c.config, &c.config_len, &err));
	assert_true(file_read(arena_printf(&arena, "%s/model.safetensors", from), 1 << 24, &arena,
			      &c.tensors, &c.len, &err));
	mkdir("model", 0700);
	cli_write(config_file, c.config, c.config_len);
	cli_write(tensor_file, c.tensors, c.len);
	return c;
}

static void forget(void)
{
	unlink(config_file);
	unlink(tensor_file);
	rmdir("model");
}

/* Returns a PNG of the model, with the ids if there are any. */
static char *picture_of(const char *ids, size_t *len)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene scene;
	struct err err = {""};
	const char *said;
	char *png = NULL;
	scene_init(&scene);
	if (!app_model(&scene, "model", &arena, &said, &err) ||
	    !scene_set(&scene, field_find("ids"), ids, &err) ||
	    !picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err) ||
	    !snapshot_png(&scene, &p->figure, NULL, &arena, &png, len, NULL, &err))
		fail_msg("%s", err.text);
	return png;
}

/* Changes a bit of a number of the tensor, in this row. */
static void change_number(const struct copied *c, const char *name, size_t row)
{
	struct err err;
	const struct tensor_file *const f = tensor_file_open_in(&arena, tensor_file, &err);
	const struct tensor_entry *const e = f ? tensor_file_find(f, name) : NULL;
	assert_non_null(e);
	char *const copy = arena_alloc(&arena, c->len);
	memcpy(copy, c->tensors, c->len);
	copy[e->begin + row * (e->bytes / tensor_entry_rows(e)) + 4] ^= 1;
	cli_write(tensor_file, copy, c->len);
}

static void change_text(const char *file, const char *data, size_t len, const char *from,
			const char *to)
{
	char *const copy = arena_alloc(&arena, len);
	memcpy(copy, data, len);
	size_t at = 0;
	while (at + strlen(from) <= len && memcmp(copy + at, from, strlen(from)) != 0)
		at++;
	assert_true(at + strlen(from) <= len && strlen(from) == strlen(to));
	memcpy(copy + at, to, strlen(to));
	cli_write(file, copy, len);
}

static void put_back(const struct copied *c)
{
	cli_write(config_file, c->config, c->config_len);
	cli_write(tensor_file, c->tensors, c->len);
}

static void expect(const char *png, size_t len, const char *says, const char *what)
{
	struct scene scene;
	struct verification *rows;
	size_t n;
	const char *version;
	struct err opened = {""}, verified = {""};
	const bool ok = snapshot_scene(png, len, &arena, &scene, &opened);
	const bool same = snapshot_verify(png, len, NULL, &arena, 1e9, &scene, &rows, &n, &version,
					  &verified);
	if (ok != !says || same != !says)
		fail_msg("%s: %s %s", what, opened.text, verified.text);
	if (says && (!strstr(opened.text, says) || !strstr(verified.text, says)))
		fail_msg("%s: %s", what, opened.text);
}

/* Without ids the table of positions is read, 32 rows, nine of which the sentence needs; with ids the
 * layers, and the rows of words that the ids name. */
TEST(what_differs_is_named)
{
	static const struct {
		const char *ids, *tensor;
		size_t row;
		bool told;
	} rows[] = {
		{"", "wpe.weight", 31, true},
		{"", "wte.weight", 5, false},
		{"", "h.1.mlp.c_proj.weight", 0, false},
		{"5 7", "wpe.weight", 31, true},
		{"5 7", "wte.weight", 5, true},
		{"5 7", "wte.weight", 6, false},
		{"5 7", "h.1.mlp.c_proj.weight", 100, true},
		{"5 7", "ln_f.bias", 0, true},
		{"5 7", "h.0.attn.bias", 0, false}, /* a mask, which nobody reads */
	};
	const struct copied c = copy_model();
	const char *ids = NULL;
	char *png = NULL;
	size_t len = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!ids || strcmp(ids, rows[i].ids) != 0)
			png = picture_of(ids = rows[i].ids, &len);
		expect(png, len, NULL, "as it was");
		change_number(&c, rows[i].tensor, rows[i].row);
		expect(png, len,
		       rows[i].told ? arena_printf(&arena, "the numbers of \"%s\" differ",
						   rows[i].tensor)
				    : NULL,
		       rows[i].tensor);
		put_back(&c);
	}
	forget();
}

TEST(other_headers_and_configurations_are_named)
{
	const struct copied c = copy_model();
	size_t len;
	char *const png = picture_of("", &len);
	change_text(tensor_file, c.tensors, c.len, "\"format\":\"pt\"", "\"format\":\"np\"");
	expect(png, len, "in the header of \"model.safetensors\" differ", "header");
	put_back(&c);
	change_text(config_file, c.config, c.config_len, "\"attn_pdrop\": 0.1",
		    "\"attn_pdrop\": 0.2");
	expect(png, len, "\"config.json\" differs", "configuration");
	put_back(&c);
	expect(png, len, NULL, "put back");
	forget();
}

/* The hash of the configuration is the one that sha256sum prints. */
TEST(hashes_can_be_checked_with_other_programs)
{
	struct setup setup = scene_defaults()->setup;
	const char *seen;
	struct err err;
	copy_model();
	setup.checkpoint = scene_intern("model");
	if (!model_seen(&setup, &arena, &seen, &err))
		fail_msg("%s", err.text);
	const char *const sum = cli_said("sha256sum model/config.json", &arena);
	assert_non_null(strstr(seen, arena_printf(&arena, "\"config.json\":\"%.64s\"", sum)));
	forget();
}

/* A text that the model's own tokenizer cuts, and a model that is compared, are of the picture too: the
 * numbers of both are known again, and a changed weight of the second is named. */
TEST(models_that_are_compared_are_known_again)
{
	const struct copied c = copy_model();
	struct setup setup;
	struct scene scene;
	struct err err = {""};
	const char *said, *list, *seen;
	scene_init(&scene);
	if (!app_model(&scene, arena_printf(&arena, "%s/models/gpt2", test_data), &arena, &said,
		       &err) ||
	    !app_models_in("compare", "model", &arena, &list, &err) ||
	    !scene_set(&scene, field_find("compare"), list, &err))
		fail_msg("%s", err.text);
	setup = scene.setup;
	assert_int_equal(setup.tokens, TOKENS_MODEL);
	if (!model_seen(&setup, &arena, &seen, &err))
		fail_msg("%s", err.text);
	assert_non_null(strstr(seen, "\"h.0.attn.c_attn.weight\""));
	assert_non_null(strstr(seen, "\"compared\":[{\"path\":\"model\""));
	const char *const before = arena_strdup(&arena, seen);
	assert_true(model_seen_again(&setup, before, &arena, &err));
	change_number(&c, "wpe.weight", 31);
	assert_false(model_seen_again(&setup, before, &arena, &err));
	assert_non_null(strstr(err.text, "the model \"model\" is not the one of the picture"));
	forget();
	assert_true(model_seen_again(&setup, before, &arena, &err));
}
