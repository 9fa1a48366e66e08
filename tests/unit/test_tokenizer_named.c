/* test_tokenizer_named.c: vocabularies whose special tokens, frame and ids the class of a tokenizer says:
 * vocab.json with merges.txt, and models of SentencePiece of XLM-R, ALBERT, XLNet. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"
#include "posviz/token/tokenizer.h"

FIXTURE(open_folder, close_folder)

static const struct json_value *read_json(const char *path)
{
	struct err err = {""};
	char *data;
	size_t len;
	const struct json_value *const v = file_read(path, 64 << 20, &arena, &data, &len, &err)
						   ? json_parse(&arena, data, len, &err)
						   : NULL;
	if (!v)
		fail_msg("%s", err.text);
	return v;
}

static void write_text(const char *path, const char *text)
{
	struct err err = {""};
	if (!file_write(path, text, strlen(text), true, &err))
		fail_msg("%s", err.text);
}

/* Returns the ids of a text, or of a pair, with the segment of each behind a slash if there are several. */
static const char *ids_of(const char *text, const char *second)
{
	const struct span two[] = {{text, strlen(text)}, {second, second ? strlen(second) : 0}};
	struct err err = {""};
	struct pieces got;
	struct strbuf b;
	strbuf_init(&b, &arena);
	const struct tokenizer *const t = tokenizer_hold(".", &err);
	if (!t || !tokenizer_cut(t, two, second ? 2 : 1, &arena, &got, &err)) {
		tokenizer_drop(t);
		return arena_strdup(&arena, err.text);
	}
	for (size_t i = 0; i < got.n; i++)
		strbuf_printf(&b, second ? "%s%ld/%zu" : "%s%ld", i ? " " : "", got.at[i].id,
			      got.at[i].segment);
	tokenizer_drop(t);
	return b.len ? b.at : "";
}

/* ---- vocab.json and merges.txt --------------------------------------------------------------- */

/* The parts of gpt2's tokenizer.json as the two files give the ids that the library gave. */
TEST(gpt2_is_read_from_two_files)
{
	const char *const dir = arena_printf(&arena, "%s/models/gpt2", test_data);
	const struct json_value *const model =
		json_member(read_json(arena_printf(&arena, "%s/tokenizer.json", dir)), "model");
	const struct json_value *const merges = json_member(model, "merges");
	const struct json_value *const cases = json_member(
		read_json(arena_printf(&arena, "%s/reference_tokens.json", dir)), "cases");
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "#version: 0.2\n");
	for (size_t i = 0; i < merges->count; i++) {
		const struct json_value *const v = &merges->as.items[i];
		strbuf_printf(&b, "%s%s%s\n",
			      v->kind == JSON_VALUE_STRING ? v->as.string
							   : v->as.items[0].as.string,
			      v->kind == JSON_VALUE_STRING ? "" : " ",
			      v->kind == JSON_VALUE_STRING ? "" : v->as.items[1].as.string);
	}
	write_text("vocab.json", json_value_text(json_member(model, "vocab"), &arena));
	assert_false(tokenizer_is_there("."));
	write_text("merges.txt", b.at);
	write_text("config.json", "{\"model_type\": \"gpt2\"}");
	for (size_t i = 0; i < cases->count; i++) {
		const struct json_value *const c = &cases->as.items[i], *const ids = json_member(
										c, "ids");
		struct strbuf want;
		strbuf_init(&want, &arena);
		strbuf_add(&want, "");
		for (size_t k = 0; k < ids->count; k++)
			strbuf_printf(&want, "%s%lld", k ? " " : "",
				      (long long)ids->as.items[k].as.integer);
		assert_string_equal(ids_of(json_member(c, "text")->as.string, NULL),
				    want.len ? want.at : "");
	}
	assert_true(cases->count > 0);
}

static const char small[] =
	"{\"<s>\": 0, \"<pad>\": 1, \"</s>\": 2, \"<unk>\": 3, \"a\": 4, \"b\": 5, "
	"\"\\u0120\": 6, \"ab\": 7, \"\\u0120ab\": 8, \"<mask>\": 9}";
static const char pairs[] = "#version: 0.2\na b\n\xC4\xA0 ab\n";

/* Worked by hand: "ab" is 7, " ab" 8, and <s> A </s> </s> B </s> stands around a pair (Liu et al. 2019,
 * section 3; the library's RobertaTokenizer). The mask takes the blank before it along. */
TEST(roberta_has_its_frame)
{
	write_text("vocab.json", small);
	write_text("merges.txt", pairs);
	write_text("config.json", "{\"model_type\": \"roberta\", \"bos_token_id\": 0, "
				  "\"eos_token_id\": 2, \"pad_token_id\": 1, \"vocab_size\": 10}");
	assert_string_equal(ids_of("ab ab <mask>", NULL), "0 7 8 9 2");
	assert_string_equal(ids_of("ab", "ab"), "0/0 7/0 2/0 2/0 7/0 2/0");
	write_text("tokenizer_config.json", "{\"tokenizer_class\": \"RobertaTokenizer\", "
					    "\"add_prefix_space\": true}");
	assert_string_equal(ids_of("ab", NULL), "0 8 2");
}

TEST(what_the_class_does_not_fit_is_refused_by_name)
{
	static const char *const rows[][3] = {
		{"{\"model_type\": \"roberta\", \"bos_token_id\": 5}", "{}", "bos_token_id 5"},
		{"{\"model_type\": \"roberta\", \"vocab_size\": 9}", "{}", "vocab_size 9"},
		{"{\"model_type\": \"clip\"}", "{}", "model type \"clip\""},
		{"{\"model_type\": \"roberta\"}", "{\"tokenizer_class\": \"Qwen2Tokenizer\"}",
		 "class \"Qwen2Tokenizer\""},
		{"{\"model_type\": \"roberta\"}",
		 "{\"added_tokens_decoder\": {\"10\": {\"content\": \"<x>\"}}}", "adds \"<x>\""},
		{"{\"model_type\": \"roberta\"}", "{\"sep_token\": \"[SEP]\"}", "has no </s>"},
		{"{\"model_type\": \"gpt2\", \"eos_token_id\": 2}", "{}", "no <|endoftext|>"},
	};
	write_text("vocab.json", small);
	write_text("merges.txt", pairs);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		/* A tokenizer that was kept is read again when a file beside it changed. */
		write_text("config.json", rows[i][0]);
		write_text("tokenizer_config.json", rows[i][1]);
		const char *const got = ids_of("ab", NULL);
		if (!strstr(got, rows[i][2]))
			fail_msg("row %zu: %s", i, got);
	}
}

/* ---- SentencePiece --------------------------------------------------------------------------- */

/* A message of Protocol Buffers with these pieces: text, score, kind (1: normal, 2: unknown, 3: control). */
struct piece_row {
	const char *text;
	float score;
	int kind;
};

static void write_pieces(const struct piece_row *rows, size_t n)
{
	struct strbuf b;
	struct err err = {""};
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < n; i++) {
		uint32_t bits;
		const size_t len = strlen(rows[i].text);
		memcpy(&bits, &rows[i].score, sizeof bits);
		strbuf_add_char(&b, 1 << 3 | 2);
		strbuf_add_char(&b, (char)(len + 9));
		strbuf_add_char(&b, 1 << 3 | 2);
		strbuf_add_char(&b, (char)len);
		strbuf_add(&b, rows[i].text);
		strbuf_add_char(&b, 2 << 3 | 5);
		for (int k = 0; k < 4; k++)
			strbuf_add_char(&b, (char)(bits >> 8 * k & 0xFF));
		strbuf_add_char(&b, 3 << 3 | 0);
		strbuf_add_char(&b, (char)rows[i].kind);
	}
	if (!file_write("spiece.model", b.at, b.len, true, &err))
		fail_msg("%s", err.text);
}

/* As in fairseq: <s> 0, <pad> 1, </s> 2, <unk> 3, then the pieces from the fourth on, one later; <mask> is
 * behind all. "▁a" is piece 3, so id 4. */
TEST(ids_of_xlm_r_are_moved_by_one)
{
	static const struct piece_row rows[] = {{"<unk>", 0, 2}, {"<s>", 0, 3}, {"</s>", 0, 3},
						{"▁a", -1, 1},	 {"b", -1, 1},	{"▁", -2, 1}};
	write_pieces(rows, 6);
	write_text("config.json", "{\"model_type\": \"xlm-roberta\", \"bos_token_id\": 0, "
				  "\"pad_token_id\": 1, \"eos_token_id\": 2, \"vocab_size\": 8}");
	assert_string_equal(ids_of("ab a <mask>", NULL), "0 4 5 4 7 2");
	assert_string_equal(ids_of("a x", NULL), "0 4 6 3 2");
	assert_string_equal(ids_of("a", "ab"), "0/0 4/0 2/0 2/0 4/0 5/0 2/0");
	write_pieces(rows, 5); /* one of the ids is missing */
	write_text("config.json", "{\"model_type\": \"xlm-roberta\", \"vocab_size\": 6}");
	assert_non_null(strstr(ids_of("a", NULL), "vocab_size 6"));
}

static const struct piece_row albert[] = {{"<pad>", 0, 3}, {"<unk>", 0, 2}, {"[CLS]", 0, 3},
					  {"[SEP]", 0, 3}, {"▁e", -1, 1},   {"b", -1, 1},
					  {"▁\"", -2, 1},  {"\"", -2, 1},   {"▁E", -1, 1}};

/* Quotes are made of `` and '', accents and capitals go (the library's AlbertTokenizer). */
TEST(albert_changes_the_text_and_has_two_segments)
{
	write_pieces(albert, 9);
	write_text("config.json", "{\"model_type\": \"albert\", \"bos_token_id\": 2, "
				  "\"eos_token_id\": 3, \"pad_token_id\": 0}");
	assert_string_equal(ids_of("Éb ``", NULL), "2 4 5 6 3");
	assert_string_equal(ids_of("e", "e"), "2/0 4/0 3/0 4/1 3/1");
	write_text("tokenizer_config.json", "{\"do_lower_case\": false}");
	write_pieces((struct piece_row[]){albert[0],
					  albert[1],
					  albert[2],
					  albert[3],
					  albert[4],
					  albert[5],
					  albert[6],
					  albert[7],
					  albert[8],
					  {"c", -9, 1}},
		     10);
	assert_string_equal(ids_of("Éb", NULL), "2 8 5 3");
}

/* <cls> is the last, in a segment of its own, and <sep> before it (Yang et al. 2019, section 2.5). */
TEST(xlnet_has_its_cls_at_the_end)
{
	static const struct piece_row rows[] = {{"<unk>", 0, 2}, {"<s>", 0, 3},	  {"</s>", 0, 3},
						{"<cls>", 0, 3}, {"<sep>", 0, 3}, {"<pad>", 0, 3},
						{"▁e", -1, 1},	 {"▁E", -1, 1}};
	write_pieces(rows, 8);
	write_text("config.json", "{\"model_type\": \"xlnet\", \"bos_token_id\": 1, "
				  "\"eos_token_id\": 2, \"pad_token_id\": 5}");
	assert_string_equal(ids_of("E e", NULL), "7 6 4 3");
	assert_string_equal(ids_of("e", "e"), "6/0 4/0 6/1 4/1 3/2");
}
