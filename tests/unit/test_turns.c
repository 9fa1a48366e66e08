/* test_turns.c: re-orderings as brackets that keep or turn round what they hold. */
#include <string.h>

#include "test.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/input/input.h"
#include "scheme/reordered.h"

enum { MOST = 64 };

static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};

/* "c a b": the words where the brackets put them, by their names; or the error. */
static const char *said(struct arena *a, const char *text, const char *const *words, size_t n)
{
	size_t place[MOST], at[MOST];
	struct err err = {""};
	if (!input_parse_turns(text, words, n, place, &err))
		return arena_strdup(a, err.text);
	const char *out = "";
	for (size_t i = 0; i < n; i++)
		at[place[i]] = i;
	for (size_t i = 0; i < n; i++)
		out = arena_printf(a, "%s%s%s", out, i ? " " : "", words[at[i]]);
	return out;
}

TEST(brackets_keep_and_turn_round)
{
	static const struct {
		size_t n;
		const char *text, *said;
	} rows[] = {
		{3, "[a <b c>]", "a c b"},
		{3, "<a b c>", "c b a"},
		{3, "<a [b c]>", "b c a"},
		{3, "<<a b> c>", "c b a"},
		{3, "<[a b] c>", "c a b"},
		{4, "[a <b [c d]>]", "a c d b"},
		{4, "<<a b> <c d>>", "d c b a"},
		{4, "<[a b] [c d]>", "c d a b"},
		{4, "<<a b> [c d]>", "c d b a"},
		{6, "<[a <b c>] <d [e f]>>", "e f d a c b"},
		{3, "[1 <2 3>]", "a c b"},
		{3, "  [ a<b\tc > ]\n", "a c b"},
		{1, "[a]", "a"},
		{1, "<<[<a>]>>", "a"},
		/* o = 0 2 3 1 */
		{4, "[a <[b c] d>]", "a d b c"},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(said(&a, rows[i].text, letters, rows[i].n), rows[i].said);
	arena_release(&a);
}

TEST(words_are_named_as_they_are)
{
	static const char *const own[] = {"2", "1", "猫", "<b>"};
	struct arena a;
	arena_init(&a);
	assert_string_equal(said(&a, "<2 1 猫 4>", own, 4), "<b> 猫 1 2");
	assert_string_equal(said(&a, "<1 2 3 4>", own, 4), "<b> 猫 1 2");
	assert_int_equal(input_count_turns("<2 1 猫 4>"), 4);
	assert_int_equal(input_count_turns("[[]<>  ]"), 0);
	assert_int_equal(input_count_turns(""), 0);
	assert_int_equal(input_count_turns("a[b]c"), 3);
	arena_release(&a);
}

TEST(mistakes_have_a_column)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "column 1: 0 of 3 stand in the brackets; all must"},
		{"[a b c", "column 7: the \"[\" of word 1 is never closed"},
		{"[a <b c]", "column 8: this \"]\" closes a \"<\""},
		{"[a b c]]", "column 8: this \"]\" closes nothing"},
		{"[a <> b c]", "column 5: these brackets are empty"},
		{"[a b]", "column 6: 2 of 3 stand in the brackets; all must"},
		{"[a b c d]", "column 8: \"d\" is one too many; there are 3"},
		{"[a b] c", "column 7: \"c\" stands outside; one bracket holds all, such as [1 <2 "
			    "3>]"},
		{"[a b] [c]", "column 7: a second bracket; one holds all, such as [<1 2> <3 4>]"},
		{"[猫 b c]",
		 "column 2: \"猫\"; next would be \"a\", or 1: they keep their order, < "
		 "> reverses it"},
		{"[a 3 c]",
		 "column 4: \"3\"; next would be \"b\", or 2: they keep their order, < > "
		 "reverses it"},
		{"[a \x1b[2J b]", "column 4: \"\\x1B\"; next would be \"b\", or 2: they keep their "
				  "order, < > reverses it"},
		{"[a 99999999999999999999 c]",
		 "column 4: \"99999999999999999999\"; next would be \"b\", or 2: they keep their "
		 "order, < > reverses it"},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(said(&a, rows[i].text, letters, 3), rows[i].error);
	size_t place[3];
	assert_false(input_parse_turns("[a", letters, 3, place, NULL));
	arena_release(&a);
}

/* Writes words first..first+n as brackets, and where they go when what is before them has `at`. */
static void draw(struct rng *rng, size_t first, size_t n, size_t at, struct strbuf *text,
		 size_t *place)
{
	if (n == 1) {
		strbuf_printf(text, " %zu ", first + 1);
		place[first] = at;
		return;
	}
	const bool turned = rng_below(rng, 2);
	const size_t left = 1 + rng_below(rng, n - 1);
	strbuf_add_char(text, turned ? '<' : '[');
	draw(rng, first, left, turned ? at + n - left : at, text, place);
	draw(rng, first + left, n - left, turned ? at : at + left, text, place);
	strbuf_add_char(text, turned ? '>' : ']');
}

/* Halves that keep their order or change it, nested as deep as they may: what a BTG makes. */
TEST(drawn_halves_go_where_they_should)
{
	struct arena a;
	struct rng rng;
	const char *words[MOST];
	arena_init(&a);
	rng_init(&rng, 11);
	for (size_t i = 0; i < MOST; i++)
		words[i] = "x";
	for (size_t k = 0; k < 500; k++) {
		const size_t n = 2 + k % (MOST - 2);
		size_t want[MOST], got[MOST], witness[4];
		struct strbuf text;
		struct err err = {""};
		strbuf_init(&text, &a);
		draw(&rng, 0, n, 0, &text, want);
		if (!input_parse_turns(text.at, words, n, got, &err))
			fail_msg("%s: %s", text.at, err.text);
		assert_memory_equal(got, want, n * sizeof *got);
		assert_true(reordered_is_separable(got, n, &a, witness));
		assert_int_equal(input_count_turns(text.at), n);
		arena_clear(&a);
	}
	arena_release(&a);
}

/* Depth is no matter of the stack. */
TEST(brackets_may_be_deep)
{
	enum { DEEP = 100000 };
	static const char *const word[] = {"a"};
	struct arena a;
	size_t place[1];
	struct err err = {""};
	arena_init(&a);
	char *const text = arena_alloc(&a, 2 * DEEP + 2);
	memset(text, '<', DEEP);
	text[DEEP] = 'a';
	memset(text + DEEP + 1, '>', DEEP);
	text[2 * DEEP + 1] = '\0';
	assert_true(input_parse_turns(text, word, 1, place, &err));
	text[2 * DEEP] = '\0';
	assert_false(input_parse_turns(text, word, 1, place, &err));
	arena_release(&a);
}
