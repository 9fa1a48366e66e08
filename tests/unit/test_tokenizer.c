/* test_tokenizer.c: tokens and ids of texts, against those of the tokenizers' authors' code. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"
#include "help_arena.h"
#include "help_gguf.h"
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
	/* The directory with the cases, and the model. */
	static const char *const models[][2] = {{"bert-bare", ""}, {"bert-legacy", ""},
						{"roformer", ""},  {"gpt2", ""},
						{"llama3", ""},	   {"bloom", ""},
						{"gpt-neox", ""},  {"gpt2", "gguf/gpt2-f16.gguf"}};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const char *const dir =
			arena_printf(&arena, "%s/models/%s", test_data, models[i][0]);
		const char *const path = *models[i][1] ? arena_printf(&arena, "%s/models/%s",
								      test_data, models[i][1])
						       : dir;
		const struct json_value *const cases = json_member(
			read_json(arena_printf(&arena, "%s/reference_tokens.json", dir)), "cases");
		struct err err = {""};
		const struct tokenizer *const t = tokenizer_hold(path, &err);
		if (!t)
			fail_msg("%s", err.text);
		assert_true(cases->count > 3);
		for (size_t k = 0; k < cases->count; k++)
			expect_case(t, path, &cases->as.items[k]);
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

/* ---- SentencePiece --------------------------------------------------------------------------------- */

static void write_hex(const char *path, const char *hex)
{
	const size_t n = strlen(hex) / 2;
	char *const data = arena_calloc(&arena, n + 1, 1);
	struct err err = {""};
	for (size_t i = 0; i < n; i++) {
		const char two[] = {hex[2 * i], hex[2 * i + 1], '\0'};
		data[i] = (char)strtoul(two, NULL, 16);
	}
	if (!file_write(path, data, n, true, &err))
		fail_msg("%s", err.text);
}

static void write_text(const char *path, const char *text)
{
	struct err err = {""};
	if (!file_write(path, text, strlen(text), true, &err))
		fail_msg("%s", err.text);
}

/* tests/data/tokenizers/made_spm.cjs asked SentencePiece for the ids; a Llama has <s>, 1, in front. */
TEST_WITH(a_model_of_sentencepiece_is_read, open_folder, close_folder)
{
	const struct json_value *const root =
		read_json(arena_printf(&arena, "%s/tokenizers/spm.json", test_data));
	const struct json_value *const texts = json_member(root, "texts");
	const struct json_value *const rows = json_member(root, "rows");
	write_text("tokenizer_config.json", "{\"tokenizer_class\": \"LlamaTokenizerFast\"}");
	for (size_t r = 0; r < rows->count; r++) {
		const struct json_value *const row = &rows->as.items[r];
		const char *const name = json_member(row, "name")->as.string;
		struct err err = {""};
		write_hex("tokenizer.model", json_member(row, "model")->as.string);
		const struct tokenizer *const t = tokenizer_hold(".", &err);
		if (!t)
			fail_msg("%s: %s", name, err.text);
		for (size_t i = 0; i < texts->count; i++) {
			const char *const text = texts->as.items[i].as.string;
			const struct span whole = {text, strlen(text)};
			struct pieces got;
			if (!tokenizer_cut(t, &whole, 1, &arena, &got, &err))
				fail_msg("%s: \"%s\": %s", name, text, err.text);
			assert_int_equal(got.at[0].id, 1);
			got.at++;
			got.n--;
			expect_ids(name, text, &got, &json_member(row, "ids")->as.items[i]);
		}
		tokenizer_drop(t);
	}
	assert_int_equal(rows->count, 6);
	write_hex("tokenizer.model",
		  arena_printf(&arena, "%s00", json_member(rows->as.items, "model")->as.string));
	struct err err = {""};
	assert_null(tokenizer_hold(".", &err));
	assert_non_null(strstr(err.text, "cut short"));
	write_text("tokenizer_config.json", "{\"tokenizer_class\": \"CamembertTokenizer\"}");
	write_hex("tokenizer.model", json_member(rows->as.items, "model")->as.string);
	assert_null(tokenizer_hold(".", &err));
	assert_non_null(strstr(err.text, "class \"CamembertTokenizer\""));
}

/* ---- GGUF ---------------------------------------------------------------------------------------- */

static void key_texts(struct gguf_maker *m, const char *key, const char *const *texts, size_t n)
{
	gguf_key(m, key, GGUF_ARRAY);
	gguf_add(m, GGUF_STRING, 4);
	gguf_add(m, n, 8);
	for (size_t i = 0; i < n; i++)
		gguf_add_text(m, texts[i], strlen(texts[i]));
}

static void key_floats(struct gguf_maker *m, const char *key, const float *numbers, size_t n)
{
	gguf_key(m, key, GGUF_ARRAY);
	gguf_add(m, GGUF_F32, 4);
	gguf_add(m, n, 8);
	for (size_t i = 0; i < n; i++) {
		uint32_t bits;
		memcpy(&bits, &numbers[i], sizeof bits);
		gguf_add(m, bits, 4);
	}
}

static void key_kinds(struct gguf_maker *m, const char *kinds)
{
	gguf_key(m, "tokenizer.ggml.token_type", GGUF_ARRAY);
	gguf_add(m, GGUF_I32, 4);
	gguf_add(m, strlen(kinds), 8);
	for (; *kinds; kinds++)
		gguf_add(m, (uint64_t)(*kinds - '0'), 4);
}

static void expect_cut(const struct gguf_maker *m, const char *text, const char *want)
{
	struct err err = {""};
	const struct span whole = {text, strlen(text)};
	struct pieces got = {0};
	struct strbuf b;
	strbuf_init(&b, &arena);
	struct tokenizer *const t = tokenizer_of_bytes("x.gguf", (const char *)m->at, m->len, &err);
	if (t && tokenizer_cut(t, &whole, 1, &arena, &got, &err))
		for (size_t i = 0; i < got.n; i++)
			strbuf_printf(&b, "%s%s", i ? " " : "",
				      tokenizer_label(t, got.at[i].id, &arena));
	tokenizer_free(t);
	if (!strstr(*err.text ? err.text : b.at, want))
		fail_msg("\"%s\": %s%s; %s would be right", text, b.at, err.text, want);
}

/* Scores as ranks: "th" before "he", and what is no piece is its bytes. */
TEST(a_vocabulary_with_scores_in_gguf)
{
	static const char *const tokens[] = {"<unk>", "<s>", "</s>", "<0x0A>", "▁",    "t",
					     "h",     "e",   "th",   "he",     "▁the", "the"};
	static const float scores[] = {0, 0, 0, 0, -9, -8, -7, -6, -1, -2, -4, -3};
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 0, 6);
	gguf_key_text(&m, "tokenizer.ggml.model", "llama");
	key_texts(&m, "tokenizer.ggml.tokens", tokens, 12);
	key_floats(&m, "tokenizer.ggml.scores", scores, 12);
	key_kinds(&m, "233611111111");
	gguf_key_u32(&m, "tokenizer.ggml.bos_token_id", 1);
	gguf_key_u32(&m, "tokenizer.ggml.eos_token_id", 2);
	expect_cut(&m, "the the", "<s> ·the ·the");
	expect_cut(&m, "\nhe", "<s> ␣ ↵ he");
	expect_cut(&m, "the</s>xt", "<s> ·the </s> ␣ <unk> t");
}

TEST(wordpiece_in_gguf)
{
	static const char *const tokens[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]",
					     "▁the",  "▁cat",  "s",	"▁."};
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 0, 5);
	gguf_key_text(&m, "tokenizer.ggml.model", "bert");
	key_texts(&m, "tokenizer.ggml.tokens", tokens, 8);
	key_kinds(&m, "32331111");
	gguf_key_u32(&m, "tokenizer.ggml.bos_token_id", 2);
	gguf_key_u32(&m, "tokenizer.ggml.seperator_token_id", 3);
	expect_cut(&m, "The CÁTS. dog", "[CLS] the cat ##s . [UNK] [SEP]");
}

TEST(what_gguf_names_and_is_not_known_is_refused)
{
	static const char *const tokens[] = {"a", "b"};
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 0, 3);
	gguf_key_text(&m, "tokenizer.ggml.model", "gpt2");
	gguf_key_text(&m, "tokenizer.ggml.pre", "newest\033[2J");
	key_texts(&m, "tokenizer.ggml.tokens", tokens, 2);
	expect_cut(&m, "a", "tokenizer.ggml.pre: \"newest\\x1B[2J\" is not known");
	gguf_begin(&m, &arena, 3, 0, 1);
	gguf_key_text(&m, "tokenizer.ggml.model", "rwkv");
	expect_cut(&m, "a", "tokenizer.ggml.model: \"rwkv\" is not known");
	gguf_begin(&m, &arena, 3, 0, 0);
	expect_cut(&m, "a", "there is no tokenizer.ggml.model");
}

/* ---- what is refused --------------------------------------------------------------------------------- */

#define WITH_MODEL(rest) \
	"{\"model\": {\"type\": \"WordPiece\", \"vocab\": {\"[UNK]\": 0, \"a\": 1}}" rest "}"

TEST(an_unknown_part_is_refused_by_its_name)
{
	static const struct {
		const char *file, *says;
	} rows[] = {
		{"{}", "an object \"model\""},
		{"[1", "not JSON"},
		{"{\"model\": {\"type\": \"WordLevel\"}}",
		 "model: type \"WordLevel\" is not known"},
		{"{\"model\": {\"type\": \"BPE\", \"vocab\": {}}}", "\"vocab\""},
		{"{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [\"a b\"]}}",
		 "merges: entry 1: \"b\" is not in the vocabulary"},
		{"{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [], \"dropout\": 0.1}}",
		 "dropout"},
		{"{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b\": 0}, \"merges\": []}}",
		 "id 0 is of two tokens"},
		{WITH_MODEL(", \"normalizer\": {\"type\": \"Turned\\u001b[2J\"}"),
		 "normalizer: a step of type \"Turned\\x1B[2J\" is not known"},
		{WITH_MODEL(", \"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": "
			    "[{\"type\": \"UnicodeScripts\"}]}"),
		 "pre_tokenizer: a step of type \"UnicodeScripts\" is not known"},
		{WITH_MODEL(", \"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": "
			    "\"[a&&b]\"}}"),
		 "intersection of classes"},
		{WITH_MODEL(", \"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": "
			    "\"(a\"}}"),
		 "the expression \"(a\": missing closing parenthesis"},
		{WITH_MODEL(", \"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"String\": "
			    "\"a\"}, \"behavior\": \"Kept\"}"),
		 "behavior \"Kept\" is not known"},
		{WITH_MODEL(", \"post_processor\": {\"type\": \"Around\"}"),
		 "post_processor: a step of type \"Around\" is not known"},
		{WITH_MODEL(
			 ", \"post_processor\": {\"type\": \"BertProcessing\", \"sep\": [\"x\", 9], "
			 "\"cls\": [\"a\", 1]}"),
		 "sep: a token and its id"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {""};
		struct tokenizer *const t = tokenizer_of_bytes("tokenizer.json", rows[i].file,
							       strlen(rows[i].file), &err);
		if (t || !strstr(err.text, rows[i].says) || strchr(err.text, '\n'))
			fail_msg("%s: %s; %s would be right", rows[i].file, err.text, rows[i].says);
	}
}

/* An expression that tries all ways, and one that tries many at each place, end in one line. */
/* Of pairs of one rank the left one is joined first; a blank in front belongs to an added token with lstrip. */
TEST(pairs_are_joined_from_the_left_and_blanks_stripped)
{
	static const struct {
		const char *text;
		size_t n;
		long ids[4];
	} rows[] = {{"aaa", 2, {3, 1}},
		    {"aaaaa", 3, {3, 3, 1}},
		    {"a <m>a", 3, {1, 4, 1}},
		    {"a a", 3, {1, 2, 1}}};
	static const char file[] =
		"{\"model\": {\"type\": \"BPE\", \"unk_token\": \"?\", \"vocab\": {\"?\": 0, "
		"\"a\": 1, \" \": 2, \"aa\": 3}, \"merges\": [\"a a\"]}, \"added_tokens\": [{"
		"\"id\": 4, \"content\": \"<m>\", \"lstrip\": true, \"rstrip\": false, "
		"\"single_word\": false, \"normalized\": false, \"special\": true}]}";
	struct err err = {""};
	struct tokenizer *const t = tokenizer_of_bytes("tokenizer.json", file, strlen(file), &err);
	if (!t)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct span whole = {rows[i].text, strlen(rows[i].text)};
		struct pieces got;
		assert_true(tokenizer_cut(t, &whole, 1, &arena, &got, &err));
		assert_int_equal(got.n, rows[i].n);
		for (size_t k = 0; k < got.n; k++)
			assert_int_equal(got.at[k].id, rows[i].ids[k]);
	}
	tokenizer_free(t);
}

TEST(a_hostile_expression_ends_within_a_second)
{
	static const char *const expressions[] = {"(a+)+b", "(a|aa)+$x", "a*a*a*a*a*c",
						  "a*a*a*[bc]", "a{0,300}a{0,300}[bc]|a"};
	const bool slow = getenv("TEST_LIMIT") != NULL; /* under valgrind */
	char text[20001] = "";
	memset(text, 'a', sizeof text - 1);
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		const char *const file =
			arena_printf(&arena,
				     WITH_MODEL(", \"pre_tokenizer\": {\"type\": \"Split\", "
						"\"pattern\": {\"Regex\": \"%s\"}}"),
				     expressions[i]);
		struct err err = {""};
		struct timespec from, to;
		struct tokenizer *const t =
			tokenizer_of_bytes("tokenizer.json", file, strlen(file), &err);
		const struct span whole = {text, strlen(text)};
		struct pieces got;
		assert_non_null(t);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
		assert_false(tokenizer_cut(t, &whole, 1, &arena, &got, &err));
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
		assert_true(slow || to.tv_sec - from.tv_sec < 1 ||
			    (to.tv_sec - from.tv_sec == 1 && to.tv_nsec < from.tv_nsec));
		if (!strstr(err.text, "too many steps") && !strstr(err.text, "takes longer"))
			fail_msg("%s: %s", expressions[i], err.text);
		tokenizer_free(t);
	}
}

/* ---- what is shown ----------------------------------------------------------------------------------- */

TEST(pieces_are_shown_as_text)
{
	static const struct {
		const char *piece, *label;
	} rows[] = {{"Ġthe", "·the"}, {"ĠĠ", "␣␣"},   {"Ġ", "␣"},    {"Ċ", "↵"},
		    {"ĉx", "→x"},     {"ĠĠx", "··x"}, {"â", "<E2>"}, {"Ã©", "é"},
		    {"Ģ", "<80>"},    {"ÄĴ", "Ē"},    {"Äł", "Ġ"},   {"Ł", "<9F>"}};
	struct strbuf b;
	struct err err = {""};
	strbuf_init(&b, &arena);
	strbuf_add(&b, "{\"pre_tokenizer\": {\"type\": \"ByteLevel\"}, \"model\": {\"type\": "
		       "\"BPE\", \"merges\": [], \"vocab\": {");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		strbuf_printf(&b, "%s\"%s\": %zu", i ? ", " : "", rows[i].piece, i);
	strbuf_add(&b, "}}}");
	struct tokenizer *const t = tokenizer_of_bytes("tokenizer.json", b.at, b.len, &err);
	if (!t)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(tokenizer_label(t, (long)i, &arena), rows[i].label);
	assert_string_equal(tokenizer_label(t, 12, &arena), "12");
	tokenizer_free(t);
}

/* Pieces of a word share its number: words are what an order of words moves. */
TEST(pieces_know_their_words)
{
	struct err err = {""};
	static const struct {
		const char *model;
		size_t words[13];
	} rows[] = {{"bert-bare", {0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10}},
		    {"gpt2", {0, 0, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 8}}};
	const char *const text = "the cat that the dog chased fell asleep .";
	for (size_t r = 0; r < 2; r++) {
		const struct tokenizer *const t = tokenizer_hold(
			arena_printf(&arena, "%s/models/%s", test_data, rows[r].model), &err);
		const struct span whole = {text, strlen(text)};
		struct pieces got;
		assert_true(t && tokenizer_cut(t, &whole, 1, &arena, &got, &err));
		assert_int_equal(got.n, 13);
		for (size_t i = 0; i < got.n; i++)
			assert_int_equal(got.at[i].word, rows[r].words[i]);
		tokenizer_drop(t);
	}
}
