/* test_text.c: UTF-8, the escape filter, widths, shortening, and searching. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utf8proc.h>
#include <wchar.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/text.h"

#define ELLIPSIS "\xE2\x80\xA6"
#define E_ACUTE	 "e\xCC\x81"	    /* e, U+0301 */
#define ACUTE	 "\xCC\x81"	    /* U+0301 */
#define CIRCLE	 "\u25cc"	    /* for a mark that has no letter */
#define CJK	 "\xE6\xBC\xA2"	    /* U+6F22, two columns */
#define SMILE	 "\xF0\x9F\x98\x80" /* U+1F600, two columns */

/* Table 3-7 of the Unicode standard. */
TEST(decode_refuses_what_is_not_utf8)
{
	static const struct {
		const char *text;
		size_t bytes;
		uint32_t code;
	} rows[] = {
		{"a", 1, 'a'},
		{"\xC3\xA9", 2, 0xE9},
		{"\xE2\x82\xAC", 3, 0x20AC},
		{"\xEF\xBF\xBF", 3, 0xFFFF},
		{"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
		{"\xC0\x80", 0, 0},
		{"\xC1\xBF", 0, 0},
		{"\xE0\x9F\xBF", 0, 0},
		{"\xED\xA0\x80", 0, 0},
		{"\xF0\x8F\xBF\xBF", 0, 0},
		{"\xF4\x90\x80\x80", 0, 0},
		{"\xF5\x80\x80\x80", 0, 0},
		{"\x80", 0, 0},
		{"\xE2\x82", 0, 0},
		{"\xC3", 0, 0},
		{"\xFF", 0, 0},
		{"", 0, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t code = 0;
		const size_t len = strlen(rows[i].text);
		assert_int_equal(text_decode(rows[i].text, len, &code), rows[i].bytes);
		assert_int_equal(code, rows[i].code);
		assert_int_equal(text_valid(rows[i].text, len), rows[i].bytes == len);
	}
}

TEST(encode_is_the_inverse_of_decode)
{
	for (uint32_t code = 0; code <= 0x110000; code += 13) {
		char bytes[4];
		uint32_t back = 0;
		const size_t n = text_encode(bytes, code);
		if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
			assert_int_equal(n, 0);
			continue;
		}
		assert_int_equal(text_decode(bytes, n, &back), n);
		assert_int_equal(back, code);
	}
}

TEST(cluster_holds_what_belongs_together)
{
	static const struct {
		const char *text;
		size_t bytes;
	} rows[] = {
		{"ab", 1},
		{E_ACUTE "b", 3},
		{"\r\nb", 2},
		{"\xFF\xCC\x81", 1},
		{"\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xA9", 8}, /* a flag and half one */
		{"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xABx", 9},		 /* Hangul L V T */
		{"", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(text_cluster(rows[i].text, strlen(rows[i].text)), rows[i].bytes);
}

TEST_WITH(escape_shows_only_what_is_safe, open_arena, close_arena)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"plain text", "plain text"},
		{"", ""},
		{"back\\slash", "back\\slash"},
		{"a\nb\tc\rd", "a\\nb\\tc\\rd"},
		{"\x1B[31m", "\\x1B[31m"},
		{"\x7F", "\\x7F"},
		{"\xC2\x9B", "\\x9B"},
		{"\x9B", "\\x9B"},
		{"ok\xFF\xC3", "ok\\xFF\\xC3"},
		{"\xC2\xAD", "\\xAD"},		    /* soft hyphen */
		{"\xE2\x80\xAE", "\\u{202E}"},	    /* right-to-left override */
		{"\xE2\x81\xA6", "\\u{2066}"},	    /* isolate */
		{"\xE2\x80\x8B", "\\u{200B}"},	    /* zero width space */
		{"\xE2\x80\x8D", "\\u{200D}"},	    /* joiner */
		{"\xEF\xBB\xBF", "\\u{FEFF}"},	    /* BOM */
		{"\xE2\x80\xA8", "\\u{2028}"},	    /* line separator */
		{"\xEE\x80\x80", "\\u{E000}"},	    /* private */
		{"\xF3\xA0\x81\x81", "\\u{E0041}"}, /* tag */
		{"\xEF\xBF\xBE", "\\u{FFFE}"},	    /* not assigned */
		{"\xE3\x85\xA4", "\\u{3164}"},	    /* Hangul filler, invisible */
		{"\xEF\xB8\x8F", "\\u{FE0F}"},	    /* variation selector */
		{"caf\xC3\xA9 " CJK SMILE, "caf\xC3\xA9 " CJK SMILE},
		{E_ACUTE, E_ACUTE},
		{ACUTE "e", CIRCLE ACUTE "e"},
		{E_ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "x" ACUTE,
		 E_ACUTE ACUTE ACUTE ACUTE "\\u{0301}\\u{0301}x" ACUTE},
		{"a\n" ACUTE ACUTE, "a\\n" CIRCLE ACUTE ACUTE},
		{"किताब अच्छी", "किताब अच्छी"},
		{"\u093f\u0924", CIRCLE "\u093f\u0924"},
		{"می\u200cخواهم", "می\u200cخواهم"},		/* between letters of Arabic */
		{"ශ්\u200dරී", "ශ්\u200dරී"},			/* behind a virama */
		{"അവന്\u200d", "അവന്\u200d"},			/* the same, at the end of a word */
		{"م\u200c\u200cم", "م\\u{200C}\\u{200C}م"},	/* a second one joins nothing */
		{"م\u200c م\u200d.", "م\\u{200C} م\\u{200D}."}, /* outside words */
		{"\u200dم a\u200db", "\\u{200D}م a\\u{200D}b"}, /* no script of joined letters */
		{"a\u200cم", "a\\u{200C}م"},
		{"م\u200c\u202eم", "م\\u{200C}\\u{202E}م"},
		{"م\u0650\u0650\u0650\u0650\u200c\u0650",
		 "م\u0650\u0650\u0650\u0650\\u{200C}" CIRCLE "\u0650"},
		{"\u034f\u115f\u180e",
		 "\\u{034F}\\u{115F}\\u{180E}"}, /* invisible marks and letters */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *out = text_escape(*state, rows[i].text, strlen(rows[i].text));
		assert_string_equal(out, rows[i].expected);
		assert_string_equal(text_escape(*state, out, strlen(out)), out);
	}
	assert_string_equal(text_escape(*state, "a\0b", 3), "a\\x00b");
}

static bool is_mark(utf8proc_category_t category)
{
	return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
	       category == UTF8PROC_CATEGORY_ME;
}

/* All that the C library knows: one may be of a later Unicode than the other. */
TEST_WITH(all_marks_are_letters_of_a_word, open_arena, close_arena)
{
	size_t spacing = 0;
	const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	assert_true(utf8 != (locale_t)0);
	uselocale(utf8);
	for (int32_t code = 0x300; code < 0x110000; code++) {
		const utf8proc_property_t *const p = utf8proc_get_property(code);
		char text[16] = "\u0915";
		const int library = wcwidth((wchar_t)code);
		if (!is_mark((utf8proc_category_t)p->category) || p->ignorable || library < 0)
			continue;
		text[3 + text_encode(text + 3, (uint32_t)code)] = '\0';
		assert_string_equal(text_escape(*state, text, strlen(text)), text);
		assert_int_equal(text_width(text), 1 + library);
		spacing += p->category == UTF8PROC_CATEGORY_MC;
	}
	assert_true(spacing >= 379);
}

/* A joiner beside any other character, and any character inside a word: formats and controls are never shown. */
TEST_WITH(no_format_passes_with_the_letters, open_arena, close_arena)
{
	for (int32_t code = 1; code < 0x110000; code++) {
		const utf8proc_category_t category = utf8proc_category(code);
		const struct arena_mark mark = arena_mark(*state);
		const bool letter =
			category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
		char text[16] = {0}, bytes[5] = {0};
		if (category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_CO ||
		    text_encode(bytes, (uint32_t)code) == 0)
			continue;
		snprintf(text, sizeof text, "\u0645%s\u0645", bytes);
		const char *out = text_escape(*state, text, strlen(text));
		if (category == UTF8PROC_CATEGORY_CF && code != 0x200C && code != 0x200D)
			assert_null(strstr(out, bytes));
		if (letter || is_mark(category))
			continue;
		snprintf(text, sizeof text, "\u0645\u200d%s", bytes);
		out = text_escape(*state, text, strlen(text));
		assert_null(strstr(out, "\u200d"));
		arena_rewind(*state, mark);
	}
}

TEST(width_counts_columns)
{
	static const struct {
		const char *text;
		size_t columns;
	} rows[] = {
		{"", 0},       {"abc", 3},
		{E_ACUTE, 1},  {CJK "x", 3},
		{SMILE, 2},    {"\xE2\x96\x80\xE2\xA0\xBF", 2}, /* half block, braille */
		{ELLIPSIS, 1}, {"\xE2\x88\x92", 1},
		{"किताब", 5},  {"می\u200cخ", 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(text_width(rows[i].text), rows[i].columns);
}

/* The text ends where memory does, and without an end of its own. */
TEST(width_reads_no_farther_than_asked)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *const at =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(at != MAP_FAILED && mprotect(at + page, page, PROT_NONE) == 0);
	const char *const text = memcpy(at + page - 8, CJK "xabcd", 8);
	assert_int_equal(text_width_most(text, 3), 3);
	assert_int_equal(text_width_most(text, 2), 2);
	assert_int_equal(text_width_most(text, 1), 1);
	assert_int_equal(text_width_most(text, 0), 0);
	assert_int_equal(munmap(at, 2 * page), 0);
	assert_int_equal(text_width_most(CJK "x", 9), 3);
}

/* Nothing of a number that has no room is left behind. */
TEST_WITH(cut_leaves_no_part_of_a_number, open_arena, close_arena)
{
	const char *const label = text_occurrence(*state, "a", 123);
	assert_string_equal(text_cut(*state, label, 4, false), label);
	assert_string_equal(text_cut(*state, label, 3, false), "a" ELLIPSIS);
	assert_string_equal(text_cut(*state, label, 2, false), "a");
}

TEST_WITH(width_ignores_the_locale, open_arena, close_arena)
{
	char *before = strdup(setlocale(LC_ALL, NULL));
	assert_non_null(setlocale(LC_ALL, "C"));
	const size_t width = text_width(CJK SMILE E_ACUTE);
	const char *escaped = text_escape(*state, CJK, 3);
	setlocale(LC_ALL, before);
	free(before);
	assert_int_equal(width, 5);
	assert_string_equal(escaped, CJK);
}

TEST_WITH(quote_is_short, open_arena, close_arena)
{
	assert_string_equal(text_quote(*state, "a\n", 2), "\"a\\n\"");
	assert_string_equal(text_quote(*state, "", 0), "\"\"");
	char text[400];
	for (size_t i = 0; i + 3 < sizeof text; i += 3)
		memcpy(text + i, CJK, 4);
	const char *quoted = text_quote(*state, text, 396);
	assert_true(text_width(quoted) <= 62);
	assert_true(text_width(quoted) >= 58);
	assert_string_equal(quoted + strlen(quoted) - 4, "...\"");
}

TEST(quote_fits_any_buffer)
{
	static const char text[] = "ab" CJK SMILE "\x1B" E_ACUTE "long enough to be cut somewhere";
	for (size_t size = 8; size < 80; size++) {
		char buf[96];
		memset(buf, '#', sizeof buf);
		assert_ptr_equal(text_quote_buf(buf, size, text, strlen(text)), buf);
		const size_t len = strlen(buf);
		assert_true(len < size);
		assert_true(text_valid(buf, len));
		assert_int_equal(buf[0], '"');
		assert_int_equal(buf[len - 1], '"');
		assert_int_equal(buf[size], '#');
	}
}

/* A number that is cut would be another one. */
TEST_WITH(numbers_keep_their_digits_before_their_occurrences, open_arena, close_arena)
{
	static const char *const ids[] = {"110₁", "37₂", "110₂", "1₁₀", "5110₁", "the₂"};
	const char **const out = text_labels(*state, ids, 6, 0, 3, false);
	assert_string_equal(out[0], "110");
	assert_string_equal(out[1], "37₂");
	assert_string_equal(out[2], "110");
	assert_string_equal(out[3], "1₁₀");
	assert_string_not_equal(out[4], out[0]);
	assert_string_equal(out[5], "th₂");
	assert_string_equal(text_labels(*state, ids, 6, 0, 4, false)[0], "110₁");
}

TEST(fit_is_the_longest_prefix)
{
	static const struct {
		const char *text;
		size_t columns, bytes, used;
	} rows[] = {
		{"abc", 2, 2, 2},   {"abc", 9, 3, 3},	    {"abc", 0, 0, 0},	{CJK "x", 1, 0, 0},
		{CJK "x", 2, 3, 2}, {E_ACUTE "b", 1, 3, 1}, {"a" CJK, 2, 1, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t used = 99;
		assert_int_equal(text_fit(rows[i].text, rows[i].columns, &used), rows[i].bytes);
		assert_int_equal(used, rows[i].used);
	}
}

/* Pictures that joiners make one cluster are parted where all of them are too wide. */
#define MAN  "\U0001F468"
#define JOIN "\u200d"

TEST_WITH(a_chain_of_pictures_is_cut_between_them, open_arena, close_arena)
{
	static const char chain[] = MAN JOIN MAN JOIN MAN JOIN MAN;
	static const struct {
		size_t columns;
		const char *cut, *shortened;
	} rows[] = {
		{8, chain, chain},
		{7, MAN JOIN MAN JOIN MAN ELLIPSIS, MAN ELLIPSIS},
		{5, MAN JOIN MAN ELLIPSIS, MAN ELLIPSIS},
		{4, MAN ELLIPSIS, MAN ELLIPSIS},
		{3, MAN ELLIPSIS, MAN ELLIPSIS},
		{2, MAN, ELLIPSIS},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_string_equal(text_cut(*state, chain, rows[i].columns, false), rows[i].cut);
		assert_string_equal(text_shorten(*state, chain, rows[i].columns, false),
				    rows[i].shortened);
	}
}

TEST_WITH(shorten_cuts_the_middle, open_arena, close_arena)
{
	static const struct {
		const char *text;
		size_t columns;
		bool ascii;
		const char *expected;
	} rows[] = {
		{"abcdef", 6, false, "abcdef"},
		{"abcdef", 5, false, "ab" ELLIPSIS "ef"},
		{"abcdef", 4, true, "ab~f"},
		{"abcdef", 1, false, ELLIPSIS},
		{"abcdef", 0, false, ""},
		{CJK CJK CJK, 5, false, CJK ELLIPSIS CJK},
		{CJK CJK CJK, 4, true, CJK "~"},
		{E_ACUTE "bcd" E_ACUTE, 3, true, E_ACUTE "~" E_ACUTE},
		/* An escape goes whole, what only looks like one does not. */
		{"a\\u{200D}bcdef", 10, false, "a" ELLIPSIS "bcdef"},
		{"ab\\x1Bcd", 6, true, "ab~cd"},
		{"\\x" E_ACUTE E_ACUTE "\\u{12 3}", 6, true, "\\x" E_ACUTE "~3}"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(
			text_shorten(*state, rows[i].text, rows[i].columns, rows[i].ascii),
			rows[i].expected);
	static const char fits[] = "fits";
	assert_ptr_equal(text_shorten(*state, fits, 4, false), fits);
}

TEST_WITH(labels_stay_distinct, open_arena, close_arena)
{
	static const char *const words[] = {"international", "intergenerational", "the",
					    "interpersonal", "inte~nal",	  "international"};
	enum { N = sizeof words / sizeof *words };
	for (size_t columns = 3; columns < 14; columns++) {
		const char **out = text_labels(*state, words, N, 0, columns, true);
		for (size_t i = 0; i < N; i++) {
			assert_true(text_width(out[i]) <= columns);
			for (size_t j = 0; j < i; j++)
				if (strcmp(words[i], words[j]) != 0)
					assert_string_not_equal(out[i], out[j]);
		}
		assert_string_equal(out[2], "the");
	}
}

TEST_WITH(clashing_labels_end_with_their_place, open_arena, close_arena)
{
	static const char *const words[] = {"aXXXYb", "aXXZYb", "c"};
	const char **out = text_labels(*state, words, 3, 6, 4, true);
	assert_string_equal(out[0], "aX~7");
	assert_string_equal(out[1], "aX~8");
	assert_string_equal(out[2], "c");
	assert_non_null(text_labels(*state, NULL, 0, 0, 3, true));
}

TEST(nearest_is_what_was_meant)
{
	static const char *const names[] = {"rope", "alibi", "sinusoidal", "shaw", "t5"};
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"rope", "rope"},
		{"rop", "rope"},
		{"rpoe", "rope"},
		{"ALIBI", "alibi"},
		{"sinusodial", "sinusoidal"},
		{"t", NULL},
		{"", NULL},
		{"kerple", NULL},
		{"xyz", NULL},
		{"show", "shaw"},
		{"t6", "t5"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *name = text_nearest(rows[i].text, names, 5);
		if (rows[i].expected == NULL)
			assert_null(name);
		else
			assert_string_equal(name, rows[i].expected);
	}
	assert_null(text_nearest("rope", NULL, 0));
}

TEST_WITH(words_are_compared_as_they_are_typed, open_arena, close_arena)
{
	static const char *const rows[][2] = {
		{"Query–Kʳ", "query-kr"},
		{"K^r", "kr"},
		{"the₂", "the2"},
		{"t_max", "tmax"},
		{"s−t", "s-t"},
		{"a — b", "a - b"},
		{"unit–…", "unit-..."},
		{"Größe", "grösse"},
		{"σ", "σ"},
		{"\xff–", "\xff-"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(text_typed(*state, rows[i][0]), rows[i][1]);
}

TEST(search_ignores_case)
{
	assert_true(text_contains("Rotary Position", "POS"));
	assert_true(text_contains("abc", ""));
	assert_true(text_contains("aab", "ab"));
	assert_false(text_contains("abc", "abcd"));
	assert_false(text_contains("", "a"));
	assert_true(text_fuzzy("Rotary Position", "rpos"));
	assert_true(text_fuzzy("", ""));
	assert_true(text_same_name("sliding-window", 14, "Sliding window"));
	assert_true(text_same_name("gpt_neox|rest", 8, "gptneox"));
	assert_false(text_same_name("gpt-neox", 8, "gpt-neo"));
	assert_false(text_same_name("gpt-neo", 7, "gpt-neox"));
	assert_false(text_same_name("shaw", 4, ""));
	assert_false(text_fuzzy("abc", "ca"));
	assert_false(text_fuzzy("abc", "abcc"));
}

TEST(a_suggestion_goes_on_from_what_was_typed)
{
	static const char *const names[] = {"probe",  "proj",	 "entropy",   "Enter",
					    "render", "padding", "head-mean", "query"};
	static const char *const rows[][2] = {
		{"prob", "probe"},  {"Entr", "Enter"},	   {"entro", "entropy"}, {"ren", "render"},
		{"pad", "padding"}, {"mean", "head-mean"}, {"qwerty", NULL},	 {"ea", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const near =
			text_suggest(rows[i][0], names, sizeof names / sizeof *names);
		if (!near != !rows[i][1] || (near && strcmp(near, rows[i][1]) != 0))
			fail_msg("%s: %s", rows[i][0], near ? near : "none");
	}
}

/* Parts have room whole or not at all, the first ones first; nothing is cut inside. */
TEST_WITH(parts_of_a_message_are_never_cut, open_arena, close_arena)
{
	static const char *const messages[] = {
		"nothing is wrong" TEXT_BETWEEN "BERT, 4 layers of 4 heads" TEXT_BETWEEN
		"left out: a scale of 1/\u221a24, which is not that of its width" TEXT_BETWEEN
		"its position parameters are read",
		"2 things are wrong" TEXT_BETWEEN "rope_scaling.factor" TEXT_BETWEEN
		"posviz check says more",
		"nothing is wrong"};
	for (size_t m = 0; m < sizeof messages / sizeof *messages; m++)
		for (size_t columns = 18; columns <= 200; columns++) {
			const char *const got =
				text_whole_parts(&arena, messages[m], columns, false);
			const size_t between = strlen(TEXT_BETWEEN);
			assert_true(text_width(got) <= columns);
			assert_memory_equal(got, messages[m], strlen("nothing is wrong"));
			for (const char *at = got, *next; at; at = next ? next + between : NULL) {
				next = strstr(at, TEXT_BETWEEN);
				const size_t len = next ? (size_t)(next - at) : strlen(at);
				const char *const part = arena_strndup(&arena, at, len);
				const char *const in = strstr(messages[m], part);
				assert_non_null(in);
				assert_true(in[len] == '\0' ||
					    strncmp(in + len, TEXT_BETWEEN, between) == 0);
			}
			if (text_width(messages[m]) <= columns)
				assert_string_equal(got, messages[m]);
		}
	assert_string_equal(text_whole_parts(&arena, "abcdefgh" TEXT_BETWEEN "i", 5, false),
			    "ab" ELLIPSIS "gh");
}
