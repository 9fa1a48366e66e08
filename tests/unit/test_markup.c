/* test_markup.c: text as XML and HTML have it, and back. */
#include <string.h>

#include "help_arena.h"
#include "posviz/base/markup.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static const char *escaped(const char *text, size_t len)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	markup_escape(&b, text, len);
	return b.at;
}

TEST(text_is_no_tag_and_ends_no_attribute)
{
	static const char *const rows[][2] = {
		{"</script><b>", "&lt;/script&gt;&lt;b&gt;"},
		{"a & \"b\" &amp; c", "a &amp; &quot;b&quot; &amp;amp; c"},
		{"it's", "it's"},
		{"two\nlines\tand\r", "two&#10;lines&#9;and&#13;"},
		{"猫 is \u0639", "猫 is \u0639"},
		{"bell \a, \x7f", "bell \uFFFD, \uFFFD"},
		{"half \xe7\x8c", "half \uFFFD\uFFFD"},
		{"\xef\xbf\xbe\xef\xbf\xbf", "\uFFFD\uFFFD"},
		{"\x01\x1b", "\uFFFD\uFFFD"},
		{"\xff\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{"é\u202e", "é\u202e"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(escaped(rows[i][0], strlen(rows[i][0])), rows[i][1]);
	assert_string_equal(escaped("a\0b", 3), "a\uFFFDb");
}

TEST(what_was_escaped_is_read_back)
{
	static const char text[] = "<a href=\"x\">&amp; it's\r\n\t猫</a>";
	const char *const there = escaped(text, sizeof text - 1);
	assert_string_equal(markup_unescape(&arena, there, strlen(there)), text);
}

TEST(references_that_mean_nothing_stand_for_themselves)
{
	static const char *const rows[][2] = {
		{"&#x732b;&#29483;&nbsp;", "猫猫\u00a0"},
		{"a & b", "a & b"},
		{"&;&#;&#x;", "&;&#;&#x;"},
		{"&script;&LT;", "&script;&LT;"},
		{"&#0;&#xd800;&#x110000;&#4294967306;", "&#0;&#xd800;&#x110000;&#4294967306;"},
		{"&#-10;&# 10;&#10", "&#-10;&# 10;&#10"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(markup_unescape(&arena, rows[i][0], strlen(rows[i][0])),
				    rows[i][1]);
	assert_string_equal(markup_unescape(&arena, "&lt;", 3), "&lt");
}
