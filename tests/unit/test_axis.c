/* What units are called: the number of an occurrence is that of the sentence as it was written. */
#include <string.h>

#include "help_arena.h"
#include "posviz/base/text.h"
#include "posviz/model/trace.h"
#include "test.h"

static void expect(struct arena *a, const struct axis *axis, const char *const *names)
{
	const char **const got = axis_names(axis, a);
	for (size_t i = 0; i < axis->n; i++)
		assert_string_equal(got[i], names[i]);
}

TEST(repeated_words_carry_the_number_of_their_occurrence)
{
	static const char *const words[] = {"the", "cat", "that", "the", "The", "the"};
	static const long token[] = {0, 1, 2, 3, 4, 5};
	static const char *const names[] = {"the₁", "cat", "that", "the₂", "The", "the₃"};
	struct arena a;
	arena_init(&a);
	expect(&a, &(struct axis){.n = 6, .labels = words, .token = token}, names);
	arena_release(&a);
}

/* "the cat that the dog" backwards: the second "the" is the second wherever it goes. */
TEST(numbers_of_occurrences_stay_with_their_token)
{
	static const char *const words[] = {"dog", "the", "that", "cat", "the"};
	static const long token[] = {4, 3, 2, 1, 0};
	static const char *const names[] = {"dog", "the₂", "that", "cat", "the₁"};
	struct arena a;
	arena_init(&a);
	expect(&a, &(struct axis){.n = 5, .labels = words, .token = token}, names);
	arena_release(&a);
}

/* A context list may hold a token twice: that is one occurrence. Units that no order moves are counted
 * as they stand. */
TEST(a_unit_is_counted_once_and_inserted_ones_as_they_stand)
{
	static const char *const words[] = {"[SEP]", "a", "b", "a", "b", "[SEP]", "b"};
	static const long token[] = {-1, 0, 1, 0, 2, -1, 1};
	static const char *const names[] = {"[SEP]₁", "a", "b₁", "a", "b₂", "[SEP]₂", "b₁"};
	struct arena a;
	arena_init(&a);
	expect(&a, &(struct axis){.n = 7, .labels = words, .token = token}, names);
	expect(&a, &(struct axis){.n = 0}, NULL);
	arena_release(&a);
}

TEST(numbers_have_more_than_one_digit)
{
	const char *words[120];
	long token[120];
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < 120; i++) {
		words[i] = "x";
		token[i] = (long)i;
	}
	const char **const names =
		axis_names(&(struct axis){.n = 120, .labels = words, .token = token}, &a);
	assert_string_equal(names[9], "x₁₀");
	assert_string_equal(names[118], "x₁₁₉");
	assert_string_equal(text_occurrence_plain(&a, names[118]), "x#119");
	assert_string_equal(text_occurrence_plain(&a, "“the₁” is 3 before “the₁₂”."),
			    "“the#1” is 3 before “the#12”.");
	assert_string_equal(text_occurrence_plain(&a, "₁ and x €"), "₁ and x €");
	assert_string_equal(text_occurrence_plain(&a, ""), "");
	arena_release(&a);
}

TEST(labels_are_cut_at_their_end_and_keep_the_number)
{
	static const struct {
		const char *text;
		size_t columns;
		bool ascii;
		const char *cut;
	} rows[] = {
		{"chased", 6, false, "chased"},
		{"chased", 5, false, "chas…"},
		{"chased", 4, true, "cha~"},
		{"chased", 3, false, "cha"}, /* no sign in place of the third letter */
		{"chased", 2, false, "ch"},
		{"chased#2", 4, true, "ch#2"},
		{"chased₂", 7, false, "chased₂"},
		{"chased₂", 6, false, "chas…₂"},
		{"chased₁₂", 6, false, "cha…₁₂"},
		{"chased#2", 7, true, "chas~#2"},
		{"chased₂", 3, false, "ch₂"},
		{"chased₂", 2, false, "c₂"},
		{"chased₂", 1, false, "c"},
		{"日本語の", 5, false, "日本…"},
		{"日本語の₂", 6, false, "日本…₂"},
		{"chased", 0, false, ""},
		{"₂", 1, false, "₂"},
		{"#2", 1, true, "#"},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(text_cut(&a, rows[i].text, rows[i].columns, rows[i].ascii),
				    rows[i].cut);
	arena_release(&a);
}

/* ---- emoji -------------------------------------------------------------------------------------- */

TEST(emoji_of_several_signs_are_one_piece)
{
	static const char family[] = "👨\u200D👩\u200D👧";
	struct arena a;
	arena_init(&a);
	const char *const shown = text_escape(&a, family, strlen(family));
	assert_string_equal(shown, "👨\\u{200D}👩\\u{200D}👧");
	assert_string_equal(text_joined(&a, shown), family);
	assert_int_equal(text_width(family), 6);
	assert_string_equal(text_cut(&a, "👨\u200D👩\u200D👧 and more", 8, false),
			    "👨\u200D👩\u200D👧 …");
	assert_string_equal(text_cut(&a, "ab👨\u200D👩\u200D👧", 7, false), "ab…");
	assert_string_equal(text_joined(&a, "❤\\u{FE0F}!"), "❤\uFE0F!");
	/* Between letters it is hidden from nobody. */
	assert_string_equal(text_joined(&a, "a\\u{200D}b"), "a\\u{200D}b");
	assert_string_equal(text_joined(&a, "👨\\u{200D}b"), "👨\\u{200D}b");
	assert_string_equal(text_joined(&a, "👨\\u{200E}👩"), "👨\\u{200E}👩");
	arena_release(&a);
}
