/* test_input.c: sentences as tokens, and orders. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/input/input.h"

enum { MAX_ORDER = 16 };

FIXTURE(open_arena, close_arena)

static struct input read_n(const char *text, size_t len, enum token_mode mode, unsigned special)
{
	struct input in = {0};
	struct err err = {0};
	if (!input_sentence(&in, text, len, mode, special, &arena, &err))
		fail_msg("%s: %s", text, err.text);
	return in;
}

static struct input read(const char *text, enum token_mode mode, unsigned special)
{
	return read_n(text, strlen(text), mode, special);
}

/* The labels with | between them. */
static const char *labels(const struct input *in)
{
	struct strbuf out;
	strbuf_init(&out, &arena);
	for (size_t i = 0; i < in->n; i++)
		strbuf_printf(&out, i > 0 ? "|%s" : "%s", in->tokens[i].label);
	return out.at;
}

/* Word, segment, or place of each unit as one digit each. */
static const char *digits(const struct input *in, size_t offset)
{
	struct strbuf out;
	strbuf_init(&out, &arena);
	for (size_t i = 0; i < in->n; i++)
		strbuf_printf(&out, "%zu",
			      *(const size_t *)((const char *)&in->tokens[i] + offset));
	return out.at;
}

static const char *words(const struct input *in)
{
	return digits(in, offsetof(struct token, word));
}

static const char *segments(const struct input *in)
{
	return digits(in, offsetof(struct token, segment));
}

static const char *places(const struct input *in)
{
	return digits(in, offsetof(struct token, place));
}

static const char *error_of(const char *text, enum token_mode mode, unsigned special)
{
	struct input in = {0};
	static struct err err;
	err = (struct err){0};
	if (input_sentence(&in, text, strlen(text), mode, special, &arena, &err))
		fail_msg("\"%s\" was read", text);
	return err.text;
}

TEST(words_are_cut_from_blanks_and_punctuation)
{
	static const struct {
		const char *text, *labels;
	} cases[] = {
		{"the cat chases the dog .", "the|cat|chases|the|dog|."},
		{"  the\tcat\n\xE3\x80\x80"
		 "dog\r\n",
		 "the|cat|dog"},
		{"it's", "it's"},
		{"it\xE2\x80\x99s", "it\xE2\x80\x99s"},
		{"dog.", "dog|."},
		{"don't stop!", "don't|stop|!"},
		{"the dogs' tails", "the|dogs|'|tails"},
		{"'quoted'", "'|quoted|'"},
		{"well-known - fact", "well-known|-|fact"},
		{"rock--roll", "rock|-|-|roll"},
		{"(a,b) $5", "(|a|,|b|)|$|5"},
		{"\xE2\x80\x9Ehi\xE2\x80\x9C \xC2\xAB"
		 "b\xC2\xBB",
		 "\xE2\x80\x9E|hi|\xE2\x80\x9C|\xC2\xAB|b|\xC2\xBB"},
		{"猫が好き。", "猫|が|好|き|。"},
		{"カメラ and 犬", "カ|メ|ラ|and|犬"},
		{"한국어 문장", "한국어|문장"},
		{"عربي نص", "عربي|نص"},
		{"ok👍🏽yes👩‍👩‍👧",
		 NULL}, /* counted below: joiners are shown escaped */
		{"a|||b", "a|||||||b"},
		{"a&b", "a|&|b"},
		{"play ##ing", "play|##ing"},
		{"C# ## x", "C|#|#|#|x"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct input in = read(cases[i].text, TOKENS_WORDS, 0);
		if (cases[i].labels != NULL)
			assert_string_equal(labels(&in), cases[i].labels);
		else
			assert_int_equal(in.n, 4);
	}
}

/* UAX #29, WB5 to WB12 and WB7b, with what words.c says is its own. */
TEST(words_keep_the_signs_that_are_theirs)
{
	static const struct {
		const char *text, *labels, *plain;
	} cases[] = {
		{"in the U.S. today", "in|the|U.S.|today", "in|the|U|.|S|.|today"},
		{"of the U.S.A.", "of|the|U.S.A.", "of|the|U|.|S|.|A|."},
		{"e.g., a Ph.D.", "e.g.|,|a|Ph.D.", NULL},
		{"it fell asleep.", "it|fell|asleep|.", "it|fell|asleep|."},
		{"plan B. Then", "plan|B|.|Then", NULL},
		{"see b.org.", "see|b.org|.", NULL},
		{"it is 3.14.", "it|is|3.14|.", "it|is|3|.|14|."},
		{"1,000 at 10:30", "1,000|at|10:30", "1|,|000|at|10|:|30"},
		{"1, 2 v2.0 a:b 2.x", "1|,|2|v2.0|a|:|b|2|.|x", NULL},
		{"x\u00b7y \u0663\u066b\u0661", "x\u00b7y|\u0663|\u066b|\u0661", NULL},
		{"\u0663\u066c\u0661", "\u0663\u066c\u0661", "\u0663|\u066c|\u0661"},
		{"a\"b", "a|\"|b", "a|\"|b"},
		{"צה\"ל \"אב\"", "צה\"ל|\"|אב|\"", "צה|\"|ל|\"|אב|\""},
		{"don't state-of-the-art", "don't|state-of-the-art", "don't|state-of-the-art"},
		{"mail a.b+c@d-e.org.", "mail|a.b+c@d-e.org|.", NULL},
		{"a@b @c d@", "a|@|b|@|c|d|@", "a|@|b|@|c|d|@"},
		{"(https://b.org/c_(d)?x=1#y).", "(|https://b.org/c_(d)?x=1#y|)|.", NULL},
		{"(https://b.org/c), x", "(|https://b.org/c|)|,|x", NULL},
		{"https://b.org/c_(d)", "https://b.org/c_(d)", NULL},
		{"a:// b", "a|:|/|/|b", "a|:|/|/|b"},
		{"...x. . .", ".|.|.|x|.|.|.", ".|.|.|x|.|.|."},
		{"50% $3.50 -1.5", "50|%|$|3.50|-|1.5", NULL},
		{"我 喜欢 猫 。", "我|喜欢|猫|。", "我|喜|欢|猫|。"},
		{"我喜欢猫", "我|喜|欢|猫", "我|喜|欢|猫"},
		{"我喜\n欢 a 猫", "我|喜|欢|a|猫", NULL},
		{"2020年 出生", "2020年|出生", "2020|年|出|生"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct input in = read(cases[i].text, TOKENS_WORDS, 0);
		assert_string_equal(labels(&in), cases[i].labels);
		in = read(cases[i].text, TOKENS_PLAIN_WORDS, 0);
		if (cases[i].plain != NULL)
			assert_string_equal(labels(&in), cases[i].plain);
	}
	/* A run that no word is as long as is a text without spaces. */
	const char *const run = "猫 猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫";
	assert_int_equal(read(run, TOKENS_WORDS, 0).n, 18);
}

/* The categories of the letters are those of UnicodeData.txt. */
TEST(words_of_every_script_are_whole)
{
	static const char *const words[] = {
		"किताब",   "अच्छी",     "தமிழ்",		"ভালোবাসা", "ភាសាខ្មែរ",	  "မြန်မာဘာသာ",
		"ภาษาไทย", "ශ්\u200dරී", "می\u200cخواهم", "සිංහල",	    "തിരുവനന്തപുരം", "བོད་ཡིག",
	};
	for (size_t i = 0; i + 1 < sizeof words / sizeof *words; i++) {
		const struct input in = read(words[i], TOKENS_WORDS, 0);
		assert_int_equal(in.n, 1);
		assert_string_equal(in.tokens[0].label, words[i]);
	}
}

TEST(given_tokens_stay_as_they_are)
{
	static const struct {
		const char *text, *labels, *words;
	} cases[] = {
		{"<s> ▁the ▁cat ▁sat . </s>", "<s>|▁the|▁cat|▁sat|.|</s>", "012345"},
		{"<s>\n▁the\n▁cat\r\n▁sat\n.\n</s>\n", "<s>|▁the|▁cat|▁sat|.|</s>", "012345"},
		{"un bel ievable ##s", "un|bel|ievable|##s", "0122"},
		{"The Ġun believ able Ġcat .", "The|Ġun|believ|able|Ġcat|.", "011123"},
		{"a.b, [MASK] 3.1 x|y", "a.b,|[MASK]|3.1|x|y", "0123"},
		{"a b ||| c", "a|b|c", "012"},
		{"\xC2\xA0x y\x01", "\xC2\xA0x|y\\x01", "01"},
		{"[\"a\", \"|||\", \" b\"]", "a|||||␣b", "012"},
		{"['it', \"'s\", '\\'', '\\u0120x', '\\ud83d\\ude00', '\\xe9',]", "it|'s|'|Ġx|😀|é",
		 "012344"},
		{" ( 'a' , 'b' ) ", "a|b", "01"},
		{"array(['a', 'b'], dtype='<U1')", "a|b", "01"},
		{"['a' 'b'\n 'c']", "a|b|c", "012"},
		{"['', 'x']", "\"\"|x", "01"},
		{"[CLS] 'a' [SEP]", "[CLS]|'a'|[SEP]", "012"},
		{"{\"tokens\": [\"a\", \"b\"]}", "a|b", "01"},
		{"{'ids': [5, -7], 'tokens': ['a', 'b'], 'word_ids': [None, 0]}\n", "a|b", "01"},
		{" { \"offsets\": [[0, 1], [1, 2]], \"overflowing\": [{\"tokens\": [\"c\"]}],\n"
		 "\"special_tokens_mask\": [0], \"tokens\" : [\"▁a\", \"b\"], \"type_ids\": [] }",
		 "▁a|b", "00"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct input in = {0};
		struct err err = {0};
		if (!input_sentence(&in, cases[i].text, strlen(cases[i].text), TOKENS_GIVEN, 0,
				    &arena, &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(labels(&in), cases[i].labels);
		assert_string_equal(words(&in), cases[i].words);
	}
	const struct input in = read("<s> ▁a </s> b", TOKENS_GIVEN, SPECIAL_SEP);
	assert_string_equal(places(&in), "00010");
	/* Words that are a list are its tokens; characters of one are characters. */
	assert_int_equal(read("[\"a b\", \"c.\"]", TOKENS_WORDS, 0).n, 2);
	assert_int_equal(read("[\"a\"]", TOKENS_CHARS, 0).n, 5);
	assert_int_equal(read("[\"a\"]", TOKENS_PLAIN_WORDS, 0).n, 5);
	assert_int_equal(read("{\"tokens\": [\"a b\"], \"ids\": [3]}", TOKENS_WORDS, 0).n, 1);
	assert_int_equal(read("{\"tokens\": [\"a\"], \"b\": 1}", TOKENS_WORDS, 0).n, 17);
}

/* Of models: what frames a text stays where it is, what stands for a word of it moves. */
TEST(special_tokens_are_one_word)
{
	static const struct {
		const char *text, *labels, *places;
	} cases[] = {
		{"<s>a</s>", "<s>|a|</s>", "000"},
		{"<bos> a <eos><pad> b", "<bos>|a|<eos>|<pad>|b", "00001"},
		{"[BOS] a [EOS] [PAD] b", "[BOS]|a|[EOS]|[PAD]|b", "00001"},
		{"[CLS] the [MASK] sat [UNK] . [SEP]", "[CLS]|the|[MASK]|sat|[UNK]|.|[SEP]",
		 "0012340"},
		{"a <mask> <unk> b", "a|<mask>|<unk>|b", "0123"},
		{"<|im_start|>user a<|im_end|>", "<|im_start|>|user|a|<|im_end|>", "0010"},
		{"a<0x0A><0xfF>", "a|<0x0A>|<0xfF>", "012"},
		/* None of these is one. */
		{"<|a b|>", "<|||a|b|||>", "012345"},
		{"<||>", "<|||||>", "0123"},
		{"<0x0> <0x0G>", "<|0x0|>|<|0x0G|>", "012345"},
		{"<PAD>", "<|PAD|>", "012"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct input in = read(cases[i].text, TOKENS_WORDS, 0);
		assert_string_equal(labels(&in), cases[i].labels);
		assert_string_equal(places(&in), cases[i].places);
	}
	/* Earlier versions knew three of them, and a scene of then keeps its tokens. */
	assert_int_equal(read("[CLS] a </s>", TOKENS_PLAIN_WORDS, 0).n, 6);
	assert_false(input_words_alike("a </s>", 6));
	assert_false(input_words_alike("a [MASK]", 8));
	assert_true(input_words_alike("<s> a [SEP]", 11));
}

TEST(wrong_lists_of_tokens_say_where)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"['a', 3]", "column 7 of the list of tokens: a token in quotes is missing"},
		{"['a', b]", "column 7 of the list of tokens: a token in quotes is missing"},
		{"[\"a\", \"b]", "column 7 of the list of tokens: the quotes are not closed"},
		{"['a'", "column 5 of the list of tokens: a comma or ] is missing"},
		{"('a'", "column 5 of the list of tokens: a comma or ) is missing"},
		{"['a'] b", "column 7 of the list of tokens: the list ends before this"},
		{"['\\q']", "column 3 of the list of tokens: no escape of JSON or Python"},
		{"['\\u00g0']", "column 7 of the list of tokens: a hexadecimal digit is missing"},
		{"['\\ud800']", "column 9 of the list of tokens: no character has this number"},
		{"{\"tokens\": [\"a\"], \"scores\": [1]}",
		 "column 19 of the list of tokens: a tokenizer prints no \"scores\"; \"tokens\" is "
		 "read, and beside it may stand ids, type_ids, offsets, attention_mask, "
		 "special_tokens_mask, word_ids, overflowing"},
		{"{\"ids\": [1]}",
		 "column 13 of the list of tokens: the object has no field \"tokens\""},
		{"{\"tokens\": [[\"a\"]]}",
		 "column 13 of the list of tokens: a list of tokens in quotes would be right here"},
		{"{\"tokens\": [\"a\"], \"tokens\": [\"b\"]}",
		 "column 27 of the list of tokens: the tokens are given twice"},
		{"{\"tokens\": [\"a\"]",
		 "column 17 of the list of tokens: a comma or } is missing"},
		{"{\"ids\": , \"tokens\": [\"a\"]}",
		 "column 9 of the list of tokens: a value is missing"},
		{"{\"tokens\": [\"a\"]} b",
		 "column 19 of the list of tokens: the list ends before this"},
		{"array(['a']", "column 12 of the list of tokens: the ) of array( is missing"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(error_of(cases[i].text, TOKENS_GIVEN, 0), cases[i].error);
	assert_string_equal(error_of(" \n ", TOKENS_GIVEN, 0),
			    "the sentence is empty; it needs at least one token");
}

TEST(lists_of_numbers_are_read_as_programs_print_them)
{
	static const struct {
		const char *text, *out;
		bool pairs;
	} cases[] = {
		{"[0, 1, 2]", "0 1 2", false},
		{" ( 0,1 ,2, )\n", "0 1 2", false},
		{"[0 1\n 2]", "0 1 2", false},
		{"[0. 1. 2.]", "0 1 2", false},
		{"array([0, 1], dtype=int32)", "0 1", false},
		{"np.array([-1, 2.5])", "-1 2.5", false},
		{"tensor([[0, 1, 2]], device='cuda:0')", "0 1 2", false},
		{"0\r\n1,\n2\n", "0 1 2", false},
		{"[(1, 1), (2, 3)]", "1-1 2-3", true},
		{"[[1 1]\n [2 3]]", "1-1 2-3", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *out = NULL;
		struct err err = {0};
		if (!input_spelled(cases[i].text, strlen(cases[i].text),
				   cases[i].pairs ? SPELLED_PAIRS : SPELLED_LIST, &arena, &out,
				   &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(out, cases[i].out);
	}
}

TEST(wrong_lists_of_numbers_say_where)
{
	static const struct {
		const char *text, *error;
		bool pairs;
	} cases[] = {
		{"[0, 1,, 2]", "column 7: a comma without a number before it", false},
		{"[, 1]", "column 2: a comma without a number before it", false},
		{"[0,\n x]", "line 2, column 2: \"x\" is not a number", false},
		{"[0, 1", "column 6: the ] at the end is missing", false},
		{"array([0, 1]", "column 13: the ) at the end is missing", false},
		{"[0, 1)", "column 6: ] would be right here", false},
		{"[[0, 1], [2]]", "column 12: a second list of numbers; one would be right", false},
		{"[0, [1]]", "column 5: a list inside a list of numbers", false},
		{"[0] 1", "column 5: the list ends before this", false},
		{"0 1]", "column 4: a bracket that was not opened", false},
		{"[[[[[[[[[0", "column 9: a list inside a list of numbers", false},
		{"[(1, 1), (2,)]", "column 13: each of the lists inside is a pair of numbers",
		 true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *out = NULL;
		struct err err = {0};
		assert_false(input_spelled(cases[i].text, strlen(cases[i].text),
					   cases[i].pairs ? SPELLED_PAIRS : SPELLED_LIST, &arena,
					   &out, &err));
		assert_string_equal(err.text, cases[i].error);
	}
}

TEST(words_count_what_the_manual_says)
{
	assert_int_equal(read("the cat chases the dog .", TOKENS_WORDS, 0).n, 6);
	assert_int_equal(read("1\xEF\xB8\x8F\xE2\x83\xA3 2", TOKENS_WORDS, 0).n, 2);
	assert_int_equal(read("x1\xEF\xB8\x8F\xE2\x83\xA3", TOKENS_WORDS, 0).n, 2);
}

TEST(pieces_belong_to_the_word_before)
{
	struct input in = read("un ##believ ##able story", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "un|##believ|##able|story");
	assert_string_equal(words(&in), "0001");
	in = read("##ing a", TOKENS_WORDS, 0);
	assert_string_equal(words(&in), "01");
	in = read("a ||| ##b", TOKENS_WORDS, 0);
	assert_string_equal(words(&in), "01");
	in = read("a [SEP] ##b ##c", TOKENS_WORDS, 0);
	assert_string_equal(words(&in), "0122");
	in = read("東 ##京都 x", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "東|##京都|x");
	assert_string_equal(words(&in), "001");
}

TEST(special_units_stand_where_asked)
{
	struct input in = read("a b ||| c", TOKENS_WORDS, SPECIAL_CLS | SPECIAL_SEP);
	assert_string_equal(labels(&in), "[CLS]|a|b|[SEP]|c|[SEP]");
	assert_string_equal(segments(&in), "000011");
	assert_string_equal(words(&in), "012345");
	assert_string_equal(places(&in), "001020");
	assert_int_equal(in.moving, 3);
	assert_int_equal(in.segments, 2);
	assert_true(in.tokens[0].special && in.tokens[3].special && in.tokens[5].special);
	assert_false(in.tokens[1].special);
	in = read("ab", TOKENS_BYTES, SPECIAL_BOS);
	assert_string_equal(labels(&in), "<s>|a|b");
	in = read("[CLS] the cat [SEP]<s>x", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "[CLS]|the|cat|[SEP]|<s>|x");
	assert_int_equal(in.moving, 3);
	in = read("[cls]", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "[|cls|]");
}

TEST(segments_are_parted_by_bars)
{
	struct input in = read("a b ||| c\n|||\nd", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "a|b|c|d");
	assert_string_equal(segments(&in), "0012");
	in = read("a ||| b", TOKENS_CHARS, 0);
	assert_string_equal(labels(&in), "a|b");
	in = read("a  |||  b", TOKENS_BYTES, 0);
	assert_string_equal(labels(&in), "a|␣|␣|b");
	assert_non_null(strstr(error_of("||| a", TOKENS_WORDS, 0), "segment 1 is empty"));
	assert_non_null(strstr(error_of("a ||| ||| b", TOKENS_WORDS, 0), "segment 2 is empty"));
	assert_non_null(strstr(error_of("a |||", TOKENS_WORDS, 0), "segment 2 is empty"));
	assert_non_null(strstr(error_of("a ||| ", TOKENS_CHARS, 0), "segment 2 is empty"));
	assert_non_null(strstr(error_of("|||", TOKENS_BYTES, 0), "segment 1 is empty"));
}

TEST(chars_are_grapheme_clusters)
{
	struct input in = read("e\xCC\x81 a\n猫", TOKENS_CHARS, 0);
	assert_string_equal(labels(&in), "e\xCC\x81|␣|a|␣|猫");
	assert_string_equal(words(&in), "01234");
	assert_string_equal(in.tokens[3].text, " ");
	in = read("the cat", TOKENS_CHARS, 0);
	assert_string_equal(words(&in), "0001222");
	assert_int_equal(read("👩‍👩‍👧🇩🇪", TOKENS_CHARS, 0).n, 2);
}

TEST(bytes_are_shown_as_ascii_or_hex)
{
	const struct input in = read_n("a\0 \xC3\xA9~\n", 7, TOKENS_BYTES, 0);
	assert_string_equal(labels(&in), "a|\\x00|␣|\\xC3|\\xA9|~|\\x0A");
	assert_int_equal(in.tokens[1].len, 1);
	assert_memory_equal(in.tokens[1].text, "\0\0", 2);
}

TEST(invalid_utf8_is_kept_and_never_shown)
{
	struct input in = read("a\xFFz \xC3", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "a\\xFFz|\\xC3");
	assert_int_equal(in.tokens[0].len, 3);
	in = read("\xFF\xC3", TOKENS_CHARS, 0);
	assert_string_equal(labels(&in), "\\xFF|\\xC3");
	in = read("a\x1B[31mb", TOKENS_WORDS, 0);
	assert_string_equal(labels(&in), "a\\x1B|[|31mb");
}

TEST(sentences_without_tokens_are_refused)
{
	for (size_t mode = 0; mode < TOKEN_MODES; mode++)
		assert_non_null(strstr(error_of("", (enum token_mode)mode, SPECIAL_CLS), "empty"));
	assert_non_null(strstr(error_of(" \n\t ", TOKENS_WORDS, 0), "empty"));
	assert_non_null(strstr(error_of("[CLS] [SEP]", TOKENS_WORDS, 0), "empty"));
	assert_non_null(
		strstr(error_of("a", TOKENS_WORDS, SPECIAL_CLS | SPECIAL_BOS), "cls and bos"));
}

TEST(sentences_are_bounded)
{
	static char text[INPUT_MAX_TOKENS + 2];
	memset(text, 'a', INPUT_MAX_TOKENS);
	assert_int_equal(read(text, TOKENS_BYTES, 0).n, INPUT_MAX_TOKENS);
	assert_string_equal(error_of(text, TOKENS_CHARS, SPECIAL_CLS | SPECIAL_SEP),
			    "the sentence has 4098 tokens; the limit is 4096");
	text[INPUT_MAX_TOKENS] = 'a';
	assert_string_equal(error_of(text, TOKENS_BYTES, 0),
			    "the sentence has 4097 tokens; the limit is 4096");
}

TEST(special_names_are_read)
{
	static const struct {
		const char *text;
		unsigned flags;
	} cases[] = {{"", 0},
		     {"none", 0},
		     {"cls", SPECIAL_CLS},
		     {"cls,sep", SPECIAL_CLS | SPECIAL_SEP},
		     {"sep,bos", SPECIAL_SEP | SPECIAL_BOS}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned flags = 99;
		assert_true(input_parse_special(cases[i].text, &flags, NULL));
		assert_int_equal(flags, cases[i].flags);
	}
	static const char *const wrong[] = {"eos",     "cls,", ",cls",	  "cls sep",
					    "cls,bos", "CLS",  "none,cls"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		unsigned flags = 99;
		struct err err = {0};
		assert_false(input_parse_special(wrong[i], &flags, &err));
		assert_int_equal(flags, 99);
		assert_true(strlen(err.text) > 0);
	}
}

/* ---- orders ---- */

static const char *order_text(const char *text, size_t n)
{
	size_t order[MAX_ORDER];
	struct err err = {0};
	if (!input_parse_order(text, n, order, &err))
		fail_msg("%s: %s", text, err.text);
	return input_print_order(&arena, order, n);
}

TEST(orders_are_read_and_printed)
{
	assert_string_equal(order_text("3 1 2", 3), "3 1 2");
	assert_string_equal(order_text(" 3,1 , 2\n", 3), "3 1 2");
	assert_string_equal(order_text("1 2 3", 3), "identity");
	assert_string_equal(order_text("identity", 5), "identity");
	assert_string_equal(order_text("reverse", 4), "4 3 2 1");
	assert_string_equal(order_text("reverse", 1), "identity");
	size_t order[3];
	assert_true(input_parse_order("3 1 2", 3, order, NULL));
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 0);
	assert_int_equal(order[2], 1);
}

TEST(shuffles_are_permutations_made_by_their_seed)
{
	const char *first = order_text("shuffle:1", MAX_ORDER);
	assert_string_equal(order_text("shuffle:1", MAX_ORDER), first);
	assert_string_equal(order_text(first, MAX_ORDER), first);
	assert_string_not_equal(order_text("shuffle:2", MAX_ORDER), first);
	assert_string_not_equal(first, "identity");
}

TEST(wrong_orders_say_what_is_wrong)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"1 2 3 3 5 6",
		 "order: 3 appears twice; every number from 1 to 6 must appear once"},
		{"1 2 3 4 5", "order: 6 is missing; every number from 1 to 6 must appear once"},
		{"", "order: 1 is missing; every number from 1 to 6 must appear once"},
		{"1 2 3 4 5 6 7",
		 "order: \"7\" is out of range; every number from 1 to 6 must appear once"},
		{"0 1 2 3 4 5",
		 "order: \"0\" is out of range; every number from 1 to 6 must appear once"},
		{"1 2 x", "order: \"x\" is not a number"},
		{"revers", "order: \"revers\" is not a number"},
		{"1 -2", "order: \"-2\" is not a number"},
		{"99999999999999999999", "order: \"99999999999999999999\" is"},
		{"1,,2", "order: a comma without a number"},
		{"1,2,", "order: a comma without a number"},
		{"shuffle:", "order: the seed of shuffle:SEED: "},
		{"shuffle:x", "order: the seed of shuffle:SEED: "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t order[6];
		struct err err = {0};
		assert_false(input_parse_order(cases[i].text, 6, order, &err));
		if (strncmp(err.text, cases[i].error, strlen(cases[i].error)) != 0)
			fail_msg("\"%s\": %s", cases[i].text, err.text);
	}
}

TEST(permuting_moves_tokens_and_leaves_special_units)
{
	const struct input in = read("a b ##c ||| d", TOKENS_WORDS, SPECIAL_CLS | SPECIAL_SEP);
	const size_t order[] = {3, 0, 2, 1}, back[] = {1, 3, 2, 0};
	struct input out = {0}, again = {0};
	input_permute(&out, &in, order, &arena);
	assert_string_equal(labels(&out), "[CLS]|d|a|##c|[SEP]|b|[SEP]");
	assert_string_equal(places(&out), "0302010");
	assert_string_equal(segments(&out), "0000011");
	assert_string_equal(words(&out), "0123435");
	input_permute(&again, &out, back, &arena);
	assert_string_equal(labels(&again), labels(&in));
	assert_string_equal(words(&again), words(&in));
	assert_string_equal(places(&again), places(&in));
}
