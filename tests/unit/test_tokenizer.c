/* test_tokenizer.c: tokens and ids of texts, against those of the tokenizers' authors' code. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"
#include "posviz/token/tokenizer.h"

FIXTURE(open_arena, close_arena)

static const struct json_value *read_json(const char *path)
{
	struct err err = {""};
	char *data;
	size_t len;
	if (!file_read(path, 64 << 20, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	const struct json_value *const v = json_parse(&arena, data, len, &err);
	if (!v)
		fail_msg("%s", err.text);
	return v;
}

static void expect_case(const struct tokenizer *t, const char *model, const struct json_value *c)
{
	const char *const text = json_member(c, "text")->as.string;
	const struct json_value *const ids = json_member(c, "ids");
	const struct json_value *const tokens = json_member(c, "tokens");
	const struct span whole = {text, strlen(text)};
	struct pieces got;
	struct err err = {""};
	if (!tokenizer_cut(t, &whole, 1, &arena, &got, &err))
		fail_msg("%s: %s: %s", model, text, err.text);
	if (got.n != ids->count)
		fail_msg("%s: %s: %zu tokens, and %zu would be right", model, text, got.n,
			 ids->count);
	for (size_t i = 0; i < got.n; i++)
		if (got.at[i].id != (long)ids->as.items[i].as.integer ||
		    strcmp(got.at[i].text, tokens->as.items[i].as.string) != 0)
			fail_msg("%s: %s: token %zu is %s (%ld), and %s would be right", model,
				 text, i, got.at[i].text, got.at[i].id,
				 tokens->as.items[i].as.string);
}

TEST(tokens_are_those_of_the_library)
{
	static const char *const models[] = {"bert-bare", "bert-legacy", "roformer", "gpt2",
					     "llama3",	  "bloom",	 "gpt-neox"};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const char *const dir = arena_printf(&arena, "%s/models/%s", test_data, models[i]);
		const struct json_value *const cases = json_member(
			read_json(arena_printf(&arena, "%s/reference_tokens.json", dir)), "cases");
		struct err err = {""};
		const struct tokenizer *const t = tokenizer_hold(dir, &err);
		if (!t)
			fail_msg("%s", err.text);
		assert_true(cases->count > 3);
		for (size_t k = 0; k < cases->count; k++)
			expect_case(t, models[i], &cases->as.items[k]);
		tokenizer_drop(t);
	}
}

/* ---- parts --------------------------------------------------------------------------------------- */

/* Writes a tokenizer of the parts of a row; those without a model of their own share one. */
static struct tokenizer *tokenizer_of_parts(const struct json_value *parts, const char *model)
{
	struct strbuf b;
	struct err err = {""};
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < parts->count; i++) {
		const struct json_value *const part = &parts->as.items[i];
		const bool shared =
			strcmp(part->name, "model") == 0 && part->kind == JSON_VALUE_NULL;
		strbuf_printf(&b, "%s\"%s\": ", i ? ", " : "{", part->name);
		strbuf_add(&b, shared ? model : json_value_text(part, &arena));
	}
	strbuf_add(&b, "}");
	struct tokenizer *const t = tokenizer_of_bytes("tokenizer.json", b.at, b.len, &err);
	if (!t)
		fail_msg("%s", err.text);
	return t;
}

static void expect_ids(const char *name, const char *text, const struct pieces *got,
		       const struct json_value *ids)
{
	bool same = got->n == ids->count;
	for (size_t i = 0; same && i < got->n; i++)
		same = got->at[i].id == (long)ids->as.items[i].as.integer;
	if (same)
		return;
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < got->n; i++)
		strbuf_printf(&b, " %ld", got->at[i].id);
	fail_msg("%s: \"%s\": got%s, want %s", name, text, b.at, json_value_text(ids, &arena));
}

/* tests/data/tokenizers/made.cjs asked the library for the ids. */
TEST(each_part_does_what_the_library_does)
{
	const struct json_value *const root =
		read_json(arena_printf(&arena, "%s/tokenizers/parts.json", test_data));
	const struct json_value *const texts = json_member(root, "texts");
	const struct json_value *const rows = json_member(root, "rows");
	const char *const model = json_value_text(json_member(root, "pieces"), &arena);
	for (size_t r = 0; r < rows->count; r++) {
		const struct json_value *const row = &rows->as.items[r];
		const struct json_value *const pair = json_member(row, "pair");
		const char *const name = json_member(row, "name")->as.string;
		struct tokenizer *const t = tokenizer_of_parts(json_member(row, "parts"), model);
		for (size_t i = 0; i < texts->count; i++) {
			const char *const text = texts->as.items[i].as.string;
			struct span two[2] = {{text, strlen(text)}};
			const bool both = pair->kind == JSON_VALUE_STRING;
			struct pieces got;
			struct err err = {""};
			if (both)
				two[1] = (struct span){pair->as.string, strlen(pair->as.string)};
			if (!tokenizer_cut(t, two, both ? 2 : 1, &arena, &got, &err))
				fail_msg("%s: \"%s\": %s", name, text, err.text);
			expect_ids(name, text, &got, &json_member(row, "ids")->as.items[i]);
		}
		tokenizer_free(t);
	}
	assert_true(rows->count > 70);
}
