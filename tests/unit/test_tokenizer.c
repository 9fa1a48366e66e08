/* test_tokenizer.c: tokens and ids of texts, against those of the tokenizers' authors' code. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
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
